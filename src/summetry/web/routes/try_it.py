"""Try a metric: texts are pasted, scored and lit up at once. Anybody may; nothing is stored."""

from __future__ import annotations

import shlex
from queue import Empty, LifoQueue
from typing import Any

from fastapi import APIRouter, HTTPException
from markupsafe import Markup
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from summetry.engine.chunks import Requested
from summetry.errors import SummetryError
from summetry.metrics import METRICS, Metric, Needs
from summetry.text.languages import known_languages, language
from summetry.web.bounded import Bounded, TooMuchError
from summetry.web.pages import CheckedForm, limit, render, researcher_of, site
from summetry.web.trial import try_metric

router = APIRouter(prefix="/try")

# Characters: a summary or reference, and a source. What is longer is for the command line.
LONGEST = 8_000
LONGEST_SOURCE = 40_000
MOST_REFERENCES = 10
# So many texts are scored at once, each within so many seconds and megabytes. The one that was free
# last comes first: its process has begun already.
SECONDS, MEGABYTES = 10, 1024
_free: LifoQueue[Bounded] = LifoQueue()
for _ in range(2):
    _free.put(Bounded(SECONDS, MEGABYTES))
USUAL = ("rouge-1", "rouge-2", "rouge-l", "rouge-su4")


@router.get("")
def show(request: Request) -> Response:
    return _page(request, FormData())


@router.post("")
def score(request: Request, form: CheckedForm) -> Response:
    """The same page with the values and the lit-up texts, or with what is wrong."""
    if form.get("add"):
        return _page(request, form)
    limit(request, site(request).scores)
    try:
        process = _free.get_nowait()
    except Empty:
        words = "others are trying metrics at the moment; try again soon"
        raise HTTPException(503, words) from None
    try:
        return _page(request, form, result=_scored(form, process))
    except SummetryError as error:
        return _page(request, form, problem=str(error), status=422)
    finally:
        _free.put(process)


def _scored(form: FormData, process: Bounded) -> dict[str, Any]:
    candidate, source = _text(form, "candidate"), _text(form, "source")
    references = [text for text in _references(form) if text.strip()]
    asked = Requested.typed(_text(form, "metric") or "rouge-1")
    if asked.metric.files:
        # Anybody may try a metric, and nobody should look into the folders of the server.
        raise SummetryError(f"{asked.name} names a file; `summetry explain` takes such metrics")
    _check_lengths(candidate, references, source)
    _check_needs(asked, references, source)
    if Needs.REFERENCES not in asked.metric.needs:
        # They would stand beside the summary as if they had counted.
        references = []
    given = asked, candidate, references, source, _text(form, "language")
    try:
        trial = process.run(try_metric, *given)
    except TooMuchError as error:
        raise SummetryError(
            f"{asked.name} {error}; try shorter texts, or `summetry explain`, which has no limit"
        ) from None
    command = _command(asked.name, len(references), bool(source))
    return trial._asdict() | {"html": Markup(trial.html), "command": command}


def _check_lengths(candidate: str, references: list[str], source: str) -> None:
    if not candidate.strip():
        raise SummetryError("expected a summary, found an empty field; paste one")
    fields = [("the summary", candidate, LONGEST), ("the source", source, LONGEST_SOURCE)]
    fields += [(f"reference {i}", text, LONGEST) for i, text in enumerate(references, 1)]
    for name, text, most in fields:
        if len(text) > most:
            raise SummetryError(
                f"{name}: expected at most {most:,} characters, found {len(text):,}; "
                f"`summetry explain` takes longer ones"
            )


def _check_needs(asked: Requested, references: list[str], source: str) -> None:
    needed = (
        (Needs.REFERENCES, references, "a reference; paste one"),
        (Needs.SOURCE, source.strip(), "the source; paste the source"),
    )
    for need, given, words in needed:
        if need in asked.metric.needs and not given:
            raise SummetryError(f"{asked.name} needs {words}")
    if asked.metric.pipeline is not None:
        # Names what the server lacks, such as an encoder.
        asked.metric.pipeline.describe()


def _command(metric: str, references: int, has_source: bool) -> str:
    """The command that gives the same, once the texts are in files."""
    files = [f"reference{n if references > 1 else ''}.txt" for n in range(1, references + 1)]
    options = [f"--reference {file}" for file in files]
    options += ["--source source.txt"] if has_source else []
    return " ".join(
        ["summetry explain --candidate summary.txt", *options, f"-m {shlex.quote(metric)}"]
    )


def _page(
    request: Request,
    form: FormData,
    result: dict[str, Any] | None = None,
    problem: str = "",
    status: int = 200,
) -> Response:
    with site(request).database.reading() as connection:
        researcher = researcher_of(request, connection)
    references = _references(form) or [""]
    if form.get("add") == "reference" and len(references) < MOST_REFERENCES:
        references.append("")
    return render(
        request,
        "try.html",
        status=status,
        researcher=researcher,
        candidate=_text(form, "candidate"),
        references=references,
        source=_text(form, "source"),
        has_source=bool(_text(form, "source")) or form.get("add") == "source",
        is_full=len(references) >= MOST_REFERENCES,
        metric=_text(form, "metric") or "rouge-1",
        metrics=fitting_metrics(),
        language=_text(form, "language"),
        languages=sorted((language(code).name, code) for code in known_languages()),
        result=result,
        problem=problem,
    )


def fitting_metrics() -> list[str]:
    """The metrics that plain texts are enough for, the usual ones first."""
    texts = Needs.REFERENCES | Needs.SOURCE
    built = {name: METRICS.build(name) for name in METRICS.names()}
    return [*USUAL, *(n for n, m in built.items() if not m.needs & ~texts and _is_ready(m))]


def _is_ready(metric: Metric) -> bool:
    """Whether the server has what a metric needs beside texts: an encoder, if it asks for one."""
    try:
        return metric.pipeline is None or bool(metric.pipeline.describe())
    except SummetryError:
        return False


def _text(form: FormData, name: str) -> str:
    value = form.get(name, "")
    return value.replace("\r\n", "\n") if isinstance(value, str) else ""


def _references(form: FormData) -> list[str]:
    given = form.getlist("reference")[:MOST_REFERENCES]
    return [text.replace("\r\n", "\n") for text in given if isinstance(text, str)]
