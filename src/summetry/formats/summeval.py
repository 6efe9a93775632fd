"""SummEval as published: one object per summary, with its references and what people say of it.

    {"id": "dm-test-1", "model_id": "M0", "decoded": "...", "references": ["...", "..."],
     "expert_annotations": [{"coherence": 4, "fluency": 5}], "turker_annotations": [{...}]}

``text`` is the source, in the file with texts (``...aligned.paired.jsonl``). The judgments of
experts are on ``coherence``, ``consistency``, ``fluency`` and ``relevance``, those of crowd workers
on ``turker_coherence`` and so on: the two groups do not agree, and the paper goes by the experts.
Judges have no names; their number in the list is taken.

Source: Fabbri et al. (2021), SummEval: Re-evaluating Summarization Evaluation, TACL 9.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from summetry.errors import FormatError, Place
from summetry.formats._base import FORMATS, Format, ReadOptions
from summetry.formats.cells import Cells, has_columns, may_have_names, read_cells
from summetry.formats.table import optional_text, text_in
from summetry.records.corpus import Corpus
from summetry.records.judgments import Judgment
from summetry.records.summaries import Summary

# The lists of judgments, and what stands before the names of their dimensions.
_GROUPS = {"expert_annotations": ("expert", ""), "turker_annotations": ("turker", "turker_")}
_READ = {"id", "model_id", "decoded", "reference", "references", "text", *_GROUPS}


@FORMATS.register
@dataclass(frozen=True)
class SummEval(Format):
    """Summaries of 16 systems with references and the judgments of experts and crowd workers."""

    name: ClassVar[str] = "summeval"
    title: ClassVar[str] = "SummEval's model_annotations.aligned.jsonl: texts and judgments"

    def recognise(self, path: Path) -> bool:
        return may_have_names(path, "model_id", "decoded") and has_columns(
            path, "model_id", "decoded", "expert_annotations"
        )

    def read(self, path: Path, options: ReadOptions) -> Corpus:
        builder = options.builder(path.stem)
        seen: dict[str, tuple[Place, object]] = {}
        for place, cells in read_cells(path, builder.report):
            with builder.reporting():
                topic, system = _name(cells, "id", place), _name(cells, "model_id", place)
                references = _references(cells, place)
                source = optional_text(cells, "text", place)
                if topic not in seen:
                    builder.add_texts(topic, source, references, place)
                first, known = seen.setdefault(topic, (place, (references, source)))
                if known != (references, source):
                    expected = f"the references and text of id {topic!r} at {first}"
                    raise FormatError(place, expected, "others")
                meta = {name: cell for name, cell in cells.items() if name not in _READ}
                text = text_in(cells, "decoded", place)
                summary = Summary(topic, system, "candidate", text=text, meta=meta)
                builder.add("summaries", summary, place)
                for judgment in _judgments(cells, topic, system, place):
                    builder.add("judgments", judgment, place)
        return builder.build()


def _name(cells: Cells, column: str, place: Place) -> str:
    if cells.get(column) in (None, ""):
        raise FormatError(place, f"a name as {column}", "none")
    return str(cells[column])


def _references(cells: Cells, place: Place) -> list[str]:
    column = "references" if "references" in cells else "reference"
    texts = cells.get(column) or []
    texts = [texts] if isinstance(texts, str) else texts
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise FormatError(place, f"a list of texts in {column!r}", repr(texts))
    return texts


def _judgments(cells: Cells, topic: str, system: str, place: Place) -> Iterator[Judgment]:
    for column, (judge, prefix) in _GROUPS.items():
        given = cells.get(column) or []
        if not isinstance(given, list):
            raise FormatError(place, f"a list of judgments in {column!r}", repr(given))
        for number, marks in enumerate(given, start=1):
            if not isinstance(marks, dict):
                raise FormatError(place, f"objects of dimensions in {column!r}", repr(marks))
            for dimension, value in marks.items():
                yield Judgment(
                    topic, system, f"{judge} {number}", f"{prefix}{dimension}",
                    _number(value, dimension, place),
                )  # fmt: skip


def _number(value: Any, dimension: str, place: Place) -> int | float:
    if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        return value
    raise FormatError(place, f"a number as {dimension}", repr(value))
