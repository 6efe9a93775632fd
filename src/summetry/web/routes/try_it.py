"""Try a metric: texts are pasted, scored and lit up at once. Anybody may; nothing is stored."""

from __future__ import annotations

import shlex
import threading
from typing import Any

from fastapi import APIRouter, HTTPException
from markupsafe import Markup
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from summetry import spec
from summetry.engine.chunks import Requested
from summetry.engine.pairs import explain_texts
from summetry.errors import SummetryError
from summetry.metrics import METRICS, Metric, Needs
from summetry.reports.lit.html import lit_html
from summetry.reports.lit.payload import LitTopic
from summetry.text.languages import known_languages, language
from summetry.web.pages import CheckedForm, limit, render, researcher_of, site

router = APIRouter(prefix="/try")

# Characters: a summary or reference, and a source. What is longer is for the command line.
LONGEST = 8_000
LONGEST_SOURCE = 40_000
MOST_REFERENCES = 10
# These take long: minutes for several pages. All texts together have at most so many characters.
SLOW = ("hpg", "rouge_w")
LONGEST_SLOW = 8_000
# So many texts are scored at once, so that the studies of others are not kept waiting.
_places = threading.BoundedSemaphore(2)
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
    if not _places.acquire(blocking=False):
        raise HTTPException(503, "others are trying metrics at the moment; try again soon")
    try:
        return _page(request, form, result=_scored(form))
    except SummetryError as error:
        return _page(request, form, problem=str(error), status=422)
    finally:
        _places.release()


def _scored(form: FormData) -> dict[str, Any]:
    candidate, source = _text(form, "candidate"), _text(form, "source")
    references = [text for text in _references(form) if text.strip()]
    asked = Requested.typed(_text(form, "metric") or "rouge-1")
    if asked.metric.files:
        # Anybody may try a metric, and nobody should look into the folders of the server.
        raise SummetryError(f"{asked.name} names a file; `summetry explain` takes such metrics")
    _check_lengths(asked, candidate, references, source)
    _check_needs(asked, references, source)
    if Needs.REFERENCES not in asked.metric.needs:
        # They would stand beside the summary as if they had counted.
        references = []
    explained = explain_texts(
        asked, candidate, references, source or None, _text(form, "language"), {}
    )
    topic = LitTopic()
    metric = explained.request.metric
    item = topic.add(asked.name, explained.explanation, explained.comparison, metric.legend)
    return {
        "metric": asked.name,
        "spelling": spec.show(metric),
        # Its guess names an option of the command line.
        "note": explained.note.partition("; --")[0],
        "command": _command(asked.name, len(references), bool(source)),
        "html": Markup(lit_html(topic.data(), [item])),
    }


def _check_lengths(asked: Requested, candidate: str, references: list[str], source: str) -> None:
    if not candidate.strip():
        raise SummetryError("expected a summary, found an empty field; paste one")
    fields = [("the summary", candidate, LONGEST), ("the source", source, LONGEST_SOURCE)]
    fields += [(f"reference {i}", text, LONGEST) for i, text in enumerate(references, 1)]
    command = "`summetry explain` takes longer ones"
    for name, text, most in fields:
        if len(text) > most:
            raise SummetryError(
                f"{name}: expected at most {most:,} characters, found {len(text):,}; {command}"
            )
    whole = sum(len(text) for _, text, _ in fields)
    slow = [name for name in SLOW if name in spec.show(asked.metric)]
    if slow and whole > LONGEST_SLOW:
        raise SummetryError(
            f"{slow[0]} takes long: expected at most {LONGEST_SLOW:,} characters in all texts "
            f"together, found {whole:,}; {command}"
        )


def _check_needs(asked: Requested, references: list[str], source: str) -> None:
    needed = (
        (Needs.REFERENCES, references, "a reference; paste one"),
        (Needs.SOURCE, source.strip(), "the source; paste the source"),
    )
    for need, given, words in needed:
        if need in asked.metric.needs and not given:
            raise SummetryError(f"{asked.name} needs {words}")


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
