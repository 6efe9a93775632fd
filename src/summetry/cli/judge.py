"""``summetry judge``: a language model as a judge whose answers can be replayed."""

from __future__ import annotations

import json
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Annotated, Any

import msgspec

from summetry.cli._options import (
    DrawsOption,
    ForceOption,
    SeedOption,
    TableOptions,
    output_option,
    shared,
)
from summetry.cli._output import (
    check_tables,
    echo,
    echo_aside,
    echo_notes,
    echo_written,
    show_sheets,
)
from summetry.cli._parameters import argument, flag, option
from summetry.cli._progress import progress_bar
from summetry.errors import InterruptedRunError, SummetryError
from summetry.judges.costs import Price
from summetry.judges.files import check_judged, write_judged
from summetry.judges.judged import Judged
from summetry.judges.prompts import Choice
from summetry.judges.rubrics import GROUPS, Mode, asked_rubrics, rubric_names
from summetry.judges.run import KEY_VARIABLE, LOG, JudgeRun, JudgeSettings
from summetry.reports.as_data import as_data
from summetry.reports.judges import (
    failure_notes,
    forecast_sheet,
    forecast_words,
    judged_sheets,
    printed_judged,
    spent_words,
)
from summetry.stats.significance import DRAWS


@dataclass(frozen=True)
class JudgeOptions(TableOptions):
    """Who judges, by what, and how patiently it is asked."""

    _: KW_ONLY
    model: Annotated[str, option("NAME", "The model, as its server calls it.")] = ""
    url: Annotated[
        str, option("URL", "The server: http://localhost:11434/v1, or any other like OpenAI's.")
    ] = ""
    log: Annotated[
        Path, option("FILE", "Where every request and answer is kept, and taken from.")
    ] = LOG
    mode: Annotated[
        Mode | None, option("NAME", "points, pairs or units; by default the rubric's first.")
    ] = None
    trials: Annotated[int, option("N", "How often each question is asked.", min=1)] = 1
    temperature: Annotated[float, option("T", "How freely the model answers.", min=0)] = 0.0
    max_tokens: Annotated[int, option("N", "How long an answer may be.", min=1)] = 300
    set_: Annotated[
        list[str] | None,
        option("NAME=JSON", "A parameter of the request: seed=1; null omits.", "--set"),
    ] = None
    system: Annotated[list[str] | None, option("NAME", "Only this system; may be repeated.")] = None
    baseline: Annotated[str, option("SYSTEM", "Only pairs with this system.")] = ""
    with_references: Annotated[bool, flag("--with-references", "Judge references, too.")] = False
    key_env: Annotated[
        str, option("NAME", f"The variable that holds the key; by default {KEY_VARIABLE}.")
    ] = ""
    concurrency: Annotated[int, option("N", "Requests at a time.", min=1)] = 4
    timeout: Annotated[float, option("SECONDS", "The longest wait for an answer.", min=0.001)] = 120
    attempts: Annotated[int, option("N", "How often a failed request is sent in all.", min=1)] = 5
    wait: Annotated[
        float, option("SECONDS", "Before it is sent again; doubles each time.", min=0)
    ] = 1.0
    price: Annotated[
        tuple[float, float] | None, option("IN OUT", "What a million tokens cost.")
    ] = None
    budget: Annotated[
        str, option("AMOUNT", "Stop before more: '500 requests', '90000 tokens', or 2.50.")
    ] = ""
    retry: Annotated[bool, flag("--retry", "Ask again what got no answer.")] = False
    replay: Annotated[bool, flag("--replay", "Ask nothing: only what the log has.")] = False

    def settings(self) -> JudgeSettings:
        return JudgeSettings(
            self.model, self.trials, self.temperature, self.max_tokens,
            _parameters(self.set_ or ()), self.url, self.key_env, self.concurrency, self.timeout,
            self.attempts, self.wait,
            Price(*self.price) if self.price else None, self.budget, self.retry, self.replay,
        )  # fmt: skip


@shared(JudgeOptions)
def judge(
    corpus: Annotated[Path, argument("CORPUS", "A corpus or a table with summaries.")],
    options: JudgeOptions,
    rubric: Annotated[
        list[str] | None,
        option(
            "NAME", "A rubric, a group of them, or a TOML file; may be repeated.", "-r", "--rubric"
        ),
    ] = None,
    dimension: Annotated[
        str, option("NAME", "What the dimension is called in what is written; else as the rubric.")
    ] = "",
    dry_run: Annotated[
        bool, flag("--dry-run", "Say what would be asked and what it costs, and stop.")
    ] = False,
    output: Annotated[
        Path | None, output_option("PATH", "Write the judgments: a folder, .csv or .jsonl.")
    ] = None,
    tables: Annotated[
        Path | None, option("FILE", "Write the tables: .json .csv .tex (LaTeX) .md .txt")
    ] = None,
    force: ForceOption = False,
    draws: DrawsOption = None,
    seed: SeedOption = 0,
) -> None:
    """Let a language model judge summaries, and keep every answer.

    Each summary gets a mark (points), each pair of summaries of a topic a verdict in both orders
    (pairs), each content unit a yes or no (units). Requests go to any server that speaks OpenAI's
    /v1/chat/completions. Every answer is in the log before the next is asked: the same command
    goes on where it was stopped, and writes the same files without a network when all is there.
    The key is read from a variable of the environment and written nowhere.

    \b
    Examples:
        summetry judge corpus -r duc --model llama3.2 --dry-run
        summetry judge corpus -r duc --model llama3.2 --url http://localhost:8000
        summetry judge corpus -r duc --model llama3.2 --replay -o judged.csv
        summetry judge corpus -r duc --model llama3.2 --tables judge.json
        summetry judge corpus -r focus --mode pairs --model M --url https://HOST
        summetry judge corpus -r duc --model M --price 0.15 0.60 --budget 2.50
    """
    if not rubric:
        names = ", ".join([*rubric_names(), *GROUPS])
        raise SummetryError(f"name a rubric by -r: {names}, or a TOML file")
    inputs = [corpus, options.log]
    if output:
        check_judged(output, inputs, force)
    check_tables(tables, inputs)
    asked = asked_rubrics(rubric, options.mode, dimension)
    read, _ = options.read(corpus)
    choice = Choice(tuple(options.system or ()), options.baseline, options.with_references)
    run = JudgeRun(read, asked, options.settings(), options.log, choice)
    if dry_run:
        _forecast(run, options.as_json)
        return
    if run.missing() and not options.replay:
        echo_aside(forecast_words(run.forecast()))
    _ask(run)
    judged = run.result(draws or DRAWS, seed)
    written = write_judged(judged, output) if output else []
    _show(judged, options.as_json, tables, inputs, written)


def _ask(run: JudgeRun) -> None:
    """Ask what is missing, with a bar; Ctrl-C says what is kept."""
    with progress_bar("requests answered") as show:
        try:
            run.ask(show)
        except KeyboardInterrupt:
            every = {ask.key for ask in run.asks}
            done = len(every) - len(run.missing())
            kept = f"requests are answered in {run.log.path}"
            raise InterruptedRunError(done, len(every), kept=kept) from None


def _forecast(run: JudgeRun, as_json: bool) -> None:
    echo_notes([*run.log.notes, *run.notes])
    rows = [(one.dimension, one.mode, run.forecast(one)) for one in run.rubrics]
    whole = ("all", "", run.forecast())
    has_price = run.settings.price is not None
    sheet = forecast_sheet([*rows, whole] if len(rows) > 1 else rows, has_price)
    about: dict[str, Any] = {"model": run.settings.model, "log": run.log.path}
    show_sheets([sheet], as_data(about), as_json)


def _show(
    judged: Judged, as_json: bool, tables: Path | None, inputs: list[Path], written: list[Path]
) -> None:
    echo_notes([*judged.notes, *failure_notes(judged)])
    # Nothing of when it was asked: whoever replays the log gets the same.
    about = {
        "model": judged.model,
        "signatures": dict(judged.signatures),
        "requests": judged.counts,
        "spent": msgspec.structs.asdict(judged.spent),
        "settings": {"trials": judged.trials, "draws": judged.draws, "seed": judged.seed},
        "notes": judged.notes,
        "wrote": written,
    }
    sheets, printed = judged_sheets(judged), printed_judged(judged)
    show_sheets(sheets, as_data(about), as_json, tables, printed=printed, inputs=inputs)
    if not as_json:
        echo(f"\n{spent_words(judged)}")
        for signature in judged.signatures.values():
            # With blanks, at which a line can be folded; it reads back as well.
            echo(signature.replace(",", ", "))
        echo_written(*written)


def _parameters(given: list[str] | tuple[str, ...]) -> dict[str, Any]:
    """``seed=1`` as parameters; what is no JSON is words."""
    parameters: dict[str, Any] = {}
    for one in given:
        name, sign, value = one.partition("=")
        if not (name.strip() and sign):
            raise SummetryError(f"--set: write NAME=VALUE, such as seed=1, got {one!r}")
        try:
            parameters[name.strip()] = json.loads(value)
        except json.JSONDecodeError:
            parameters[name.strip()] = value
    return parameters
