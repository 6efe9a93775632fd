"""A metric on a few texts, as the page *Try a metric* shows it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from summetry import spec
from summetry.engine.chunks import Requested
from summetry.engine.pairs import explain_texts
from summetry.reports.lit.html import lit_html
from summetry.reports.lit.payload import LitTopic


class Trial(NamedTuple):
    """The value with the lit-up texts as HTML."""

    metric: str
    spelling: str
    note: str
    html: str


def try_metric(
    asked: Requested, candidate: str, references: Sequence[str], source: str, language: str
) -> Trial:
    explained = explain_texts(asked, candidate, references, source or None, language, {})
    topic = LitTopic()
    metric = explained.request.metric
    item = topic.add(asked.name, explained.explanation, explained.comparison, metric.legend)
    # The guess in a note names an option of the command line.
    note = explained.note.partition("; --")[0]
    return Trial(asked.name, spec.show(metric), note, lit_html(topic.data(), [item]))
