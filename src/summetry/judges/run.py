"""Judging a corpus: what is in the log is taken from there, the rest is asked and logged.

The result depends on the corpus, the rubrics, the settings and the log alone: not on the order in
which answers came, nor on whether they were asked now or taken from the log.
"""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, get_args

from summetry import __version__
from summetry.arguments import (
    Progress,
    as_names,
    as_path,
    check_choice,
    check_function,
    check_strings,
    check_whole,
)
from summetry.errors import MissingPackageError, SummetryError, counted, for_python, warn
from summetry.fetching import is_unencrypted
from summetry.formats import load
from summetry.judges.answers import outcome_of
from summetry.judges.costs import (
    Forecast,
    Meter,
    Price,
    Rates,
    forecast,
    most_tokens,
    read_budget,
)
from summetry.judges.judged import Judged, Spent
from summetry.judges.log import Entry, JudgeLog
from summetry.judges.prompts import Ask, Choice, plan_asks
from summetry.judges.rubrics import Asked, Mode, asked_rubrics
from summetry.records.corpus import Corpus
from summetry.references.pyramids import with_one_pyramid
from summetry.signature import Signature
from summetry.spec import Spec
from summetry.stats.significance import DRAWS

KEY_VARIABLE = "SUMMETRY_JUDGE_KEY"
LOG = Path("judge-log.jsonl")
# So many requests without an answer, one after the other, end a run: the server is ill.
_IN_A_ROW = 20
_A_MOMENT = 0.02


@dataclass(frozen=True)
class JudgeSettings:
    """How a judge is asked: what decides the answers first, then what does not."""

    model: str
    trials: int = 1
    temperature: float = 0.0
    max_tokens: int = 300
    # More parameters of the request; None leaves one of the above out.
    parameters: Mapping[str, Any] = field(default_factory=dict)
    url: str = ""
    # The variable that holds the key; empty: the usual one, if it is there.
    key_env: str = ""
    concurrency: int = 4
    timeout: float = 120.0
    attempts: int = 5
    wait: float = 1.0
    price: Price | None = None
    budget: str = ""
    # Ask again what has no answer; ask nothing at all.
    retry: bool = False
    replay: bool = False

    def sent(self) -> dict[str, Any]:
        """The parameters of every request."""
        usual: dict[str, Any] = {"temperature": self.temperature, "max_tokens": self.max_tokens}
        if "max_completion_tokens" in self.parameters:
            del usual["max_tokens"]
        every = usual | dict(self.parameters)
        for name in ("model", "messages", "stream", "n"):
            if name in every:
                raise SummetryError(f"--set: {name} is not a parameter that can be set here")
        # 1 and 1.0 are the same request, whoever writes it.
        return {
            name: int(value) if isinstance(value, float) and value.is_integer() else value
            for name, value in every.items()
            if value is not None
        }


class JudgeRun:
    """The requests of a command, and the log that answers some of them."""

    def __init__(
        self,
        corpus: Corpus,
        rubrics: Sequence[Asked],
        settings: JudgeSettings,
        log: Path,
        choice: Choice | None = None,
    ) -> None:
        if not settings.model:
            raise SummetryError("name the model that judges by --model")
        if any(asked.mode == "units" for asked in rubrics):
            corpus = with_one_pyramid(corpus).corpus
        self.corpus, self.rubrics, self.settings = corpus, rubrics, settings
        parameters = settings.sent()
        self.asks = plan_asks(
            corpus, rubrics, choice or Choice(), settings.model, parameters, settings.trials
        )
        self.budget = read_budget(settings.budget, settings.price) if settings.budget else None
        if (
            self.budget
            and self.budget.of != "requests"
            and most_tokens(self.asks[0]) == float("inf")
        ):
            raise SummetryError("--budget in tokens or money needs max_tokens to be set")
        self.log = JudgeLog(log)
        # What was there before anything was asked now.
        self._before = dict(self.log.entries)
        self.notes: list[str] = []
        different = self.request_count()
        if equal := len(self.asks) - different:
            has = "has" if equal == 1 else "have"
            self.notes.append(
                f"{len(self.asks):,} judgments, {different:,} different requests ({equal:,} {has} "
                f"the same text as another)"
            )
        if settings.trials > 1 and parameters.get("temperature") == 0:
            self.notes.append(
                "at temperature 0 trials show how steady the server is, not how sure the judge; "
                "--temperature 1 lets them differ"
            )

    def missing(self) -> list[Ask]:
        """The requests that the log does not answer, each once."""
        return list({ask.key: ask for ask in self.asks if self._is_missing(ask)}.values())

    def forecast(self, asked: Asked | None = None) -> Forecast:
        """What is to be asked, by one rubric or by all, and what that will take."""
        asks = [ask for ask in self.asks if asked in (None, ask.asked)]
        entries, settings = self.log.entries, self.settings
        missing = {ask.key: ask for ask in asks if self._is_missing(ask)}.values()
        return forecast(asks, missing, entries, settings.price, settings.concurrency)

    def ask(self, progress: Progress | None = None) -> None:
        """Ask what is missing, within the budget; every answer is in the log when it is counted."""
        missing = self.missing()
        if self.settings.replay:
            self._check_replay()
        if not missing or self.settings.replay:
            return
        try:
            from summetry.judges.endpoint import chat_url
        except ModuleNotFoundError as error:
            raise MissingPackageError("asking a judge", "httpx") from error
        if not self.settings.url:
            raise SummetryError(
                f"{counted(len(missing), 'request')} of {self.request_count():,} are not in "
                f"{self.log.path}, and there is nobody to ask: --url http://HOST:PORT/v1 names the "
                f"server, --replay does without them"
            )
        url, key = chat_url(self.settings.url), self._key()
        if key and is_unencrypted(url):
            warn(f"the key is sent to {url} unencrypted; https would hide it")
        with self.log.opened():
            work = _Work(self, missing, url, key, progress)
            _run(work.whole)
        if work.is_over_budget:
            left = len(self.missing())
            self.notes.append(
                f"the budget of {self.budget} is used up: {counted(left, 'request')} of "
                f"{self.request_count():,} are not asked; the same command with a "
                f"larger --budget goes on"
            )

    def result(self, draws: int = DRAWS, seed: int = 0) -> Judged:
        """What the log says."""
        entries, settings = self.log.entries, self.settings
        said = tuple((ask, outcome_of(entries.get(ask.key), ask.asked)) for ask in self.asks)
        old = {key for key, entry in entries.items() if self._before.get(key) is entry}
        spent, sent = (
            Spent(meter.requests, meter.prompt, meter.answer, meter.cost)
            for meter in (self.meter(), self.meter(old))
        )
        asked_for = {ask.key for ask in self.asks}
        from_log = sum(entries[key].is_answered for key in old & asked_for)
        signatures = {asked.dimension: self._signature(asked) for asked in self.rubrics}
        judged = Judged(
            self.corpus, settings.model, settings.trials, said, signatures, spent, sent,
            from_log, draws, seed, (*self.log.notes, *self.notes),
        )  # fmt: skip
        if skipped := judged.not_judged():
            topic, system = skipped[0]
            note = (
                f"{counted(len(skipped), 'summary')} of which a content unit has no answer count "
                f"as not judged in pyramids, first {system} on {topic}"
            )
            judged = replace(judged, notes=(*judged.notes, note))
        return judged

    def meter(self, without: Collection[str] = ()) -> Meter:
        """What the answers in the log have cost, but for those to the keys ``without``."""
        rates = Rates.of(self.asks, self.log.entries)
        meter = Meter(self.budget, self.settings.price, rates)
        for key, ask in {ask.key: ask for ask in self.asks}.items():
            if key in self.log.entries and key not in without:
                meter.count(ask, self.log.entries[key])
        return meter

    def request_count(self) -> int:
        """How many requests there are; summaries with the same text share one."""
        return len({ask.key for ask in self.asks})

    def _check_replay(self) -> None:
        """Refuse a log that answers nothing of what is asked, and say what it has."""
        entries = self.log.entries
        if any(ask.key in entries for ask in self.asks):
            return
        model, path = self.settings.model, self.log.path
        models = Counter(entry.model for entry in entries.values() if entry.is_answered)
        if not models:
            found = "has no answers" if path.exists() else "does not exist"
            raise SummetryError(f"--replay: the log {path} {found}; --log names another")
        if model not in models:
            has = ", ".join(f"{name} ({number:,})" for name, number in sorted(models.items()))
            raise SummetryError(
                f"--replay: {path} has no answer by {model!r}; it has answers by {has}"
            )
        raise SummetryError(
            f"--replay: {path} has {counted(models[model], 'answer')} by {model!r}, but to other "
            f"requests; texts, rubric, mode, --temperature, --max-tokens and --set must be as they "
            f"were"
        )

    def _is_missing(self, ask: Ask) -> bool:
        entry = self.log.entries.get(ask.key)
        if entry is None:
            return True
        return self.settings.retry and not entry.is_answered

    def _key(self) -> str:
        """The key of the environment; none where nobody named a variable and the usual is unset."""
        name = self.settings.key_env or KEY_VARIABLE
        key = os.environ.get(name, "").strip()
        if self.settings.key_env and not key:
            raise SummetryError(f"--key-env: the variable {name} is not set, or empty")
        if not key.isascii() or not key.isprintable():
            raise SummetryError(f"the variable {name} holds something that can be no key")
        return key

    def _signature(self, asked: Asked) -> str:
        options: dict[str, Any] = {
            "model": self.settings.model,
            "rubric": f"{asked.rubric.dimension}-{asked.rubric.fingerprint}",
            "mode": asked.mode,
            "trials": self.settings.trials,
        }
        for name, value in sorted(self.settings.sent().items()):
            if not isinstance(value, str | int | float | bool):
                value = json.dumps(value, sort_keys=True, separators=(",", ":"))
            options[name] = value
        metric = str(Spec("judge", options))
        return str(Signature(metric, data=self.corpus.fingerprint, v=__version__))


class _Work:
    """One run of requests, several at a time."""

    def __init__(
        self, run: JudgeRun, missing: list[Ask], url: str, key: str, progress: Progress | None
    ) -> None:
        self.run, self.missing, self.url, self.key = run, missing, url, key
        self.progress = progress
        self.meter = run.meter()
        self.total = run.request_count()
        self.done = self.total - len(missing)
        self.in_a_row = 0
        # Answers that are not in the log yet, and who writes to it.
        self.unwritten: dict[str, Entry] = {}
        self.writing = asyncio.Lock()
        self.is_over_budget = False
        self.error: BaseException | None = None

    async def whole(self) -> None:
        from summetry.judges.endpoint import Endpoint, Patience

        settings = self.run.settings
        patience = Patience(settings.timeout, settings.attempts, settings.wait)
        ending = self._is_ending
        async with Endpoint(self.url, self.key, patience, settings.concurrency, ending) as endpoint:
            waiting = iter(self.missing)
            workers = [self._worker(endpoint, waiting) for _ in range(settings.concurrency)]
            try:
                await asyncio.gather(*workers)
            finally:
                # After Ctrl-C, too: these have arrived.
                if self.unwritten:
                    self.run.log.add(*self.unwritten.values())
        if self.error:
            raise self.error

    def _is_ending(self) -> bool:
        return self.error is not None

    async def _worker(self, endpoint: Any, waiting: Iterator[Ask]) -> None:
        """Ask one request after the other; what is under way when an error comes is not lost."""
        while not (self._is_ending() or self.is_over_budget):
            ask = next(waiting, None)
            if ask is None:
                return
            if not await self._has_room(ask):
                self.is_over_budget = True
                return
            try:
                reply = await endpoint.ask(ask.body)
                if not (reply.problem and self._is_ending()):
                    await self._keep(ask, reply)
            except Exception as error:
                self.error = self.error or error
                return

    async def _has_room(self, ask: Ask) -> bool:
        """Whether the budget allows a request, at the latest when all under way are answered."""
        while not self.meter.has_room(ask):
            if not self.meter.is_busy or self._is_ending():
                return False
            await asyncio.sleep(_A_MOMENT)
        return True

    async def _keep(self, ask: Ask, reply: Any) -> None:
        """Put an answer on the disk, together with others that came meanwhile; then count it."""
        from summetry.judges.endpoint import StoppedError, server_of

        entry = Entry(
            ask.key, ask.model, dict(ask.parameters), ask.trial,
            [dict(message) for message in ask.messages], ask.about, reply.response, reply.body,
            reply.problem, reply.attempts, round(reply.seconds, 3),
            time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), __version__, server_of(self.url),
        )  # fmt: skip
        self.unwritten[entry.key] = entry
        async with self.writing:
            if entry.key in self.unwritten:
                # In a thread, so that a slow disk lets no other request run out of time.
                batch, self.unwritten = self.unwritten, {}
                await asyncio.to_thread(self.run.log.add, *batch.values())
        self.meter.count(ask, entry)
        self.done += 1
        if self.progress:
            self.progress(self.done, self.total)
        self.in_a_row = self.in_a_row + 1 if reply.problem else 0
        if self.in_a_row >= _IN_A_ROW:
            raise StoppedError(
                f"{self.url}: {_IN_A_ROW} requests one after the other had no answer, the last: "
                f"{reply.problem}; give the command again with --retry when the server is well"
            )


def _run(work: Callable[[], Any]) -> None:
    """Run what is asynchronous, also where a notebook has a loop of its own."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        asyncio.run(work())
        return
    with ThreadPoolExecutor(1) as alone:
        alone.submit(lambda: asyncio.run(work())).result()


@for_python
def judge(
    corpus: Corpus | str | Path,
    rubrics: str | Sequence[str],
    model: str,
    *,
    url: str = "",
    log: str | Path = LOG,
    mode: Mode | None = None,
    dimension: str = "",
    trials: int = 1,
    temperature: float = 0.0,
    max_tokens: int = 300,
    parameters: Mapping[str, Any] | None = None,
    systems: Sequence[str] = (),
    baseline: str = "",
    with_references: bool = False,
    key_env: str = "",
    concurrency: int = 4,
    timeout: float = 120.0,
    attempts: int = 5,
    wait: float = 1.0,
    price: tuple[float, float] | None = None,
    budget: str = "",
    retry: bool = False,
    replay: bool = False,
    draws: int = DRAWS,
    seed: int = 0,
    progress: Progress | None = None,
) -> Judged:
    """What a language model says of the summaries of a corpus, as ``summetry judge`` asks it.

    ``rubrics`` are names, groups of them, or TOML files; ``dimension`` is what that of a single
    one is called instead. What ``log`` has is not asked again; with ``replay`` nothing is asked.
    """
    check_strings(
        model=model, url=url, dimension=dimension, baseline=baseline, key_env=key_env, budget=budget
    )
    for name, number in (("trials", trials), ("max_tokens", max_tokens), ("draws", draws)):
        check_whole(name, number, 1)
    for name, number in (("concurrency", concurrency), ("attempts", attempts)):
        check_whole(name, number, 1)
    check_whole("seed", seed, 0)
    check_function("progress", progress)
    path = as_path("log", log, "the path of the log")
    if mode is not None:
        check_choice("mode", mode, get_args(Mode))
    asked = asked_rubrics(as_names("rubrics", rubrics), mode, dimension)
    read = corpus if isinstance(corpus, Corpus) else load(corpus)
    settings = JudgeSettings(
        model, trials, temperature, max_tokens, dict(parameters or {}), url, key_env, concurrency,
        timeout, attempts, wait, Price(*price) if price else None, budget, retry, replay,
    )  # fmt: skip
    choice = Choice(tuple(as_names("systems", systems)), baseline, with_references)
    run = JudgeRun(read, asked, settings, path, choice)
    run.ask(progress)
    judged = run.result(draws, seed)
    for note in judged.notes:
        warn(note)
    return judged
