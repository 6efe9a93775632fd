"""RoSE as published: one object per document, with the outputs of all systems and their judgments.

    {"example_id": "03...", "source": "...", "reference": "...",
     "system_outputs": {"bart": "...", "brio": "..."},
     "annotations": {"bart": {"acu": 0.75, "normalized_acu": 0.47, "prior": 4.3}, "brio": {...}}}

A JSON list, JSON lines or Parquet. Every number of ``annotations`` is a judgment on a dimension of
its name; it is the mean of several people. Where the units are there (``reference_acus``) and which
of them each system expresses (``acu_labels`` in its annotations), they are a pyramid. The list of
units alone (``id``, ``reference``, ``acu``) is read, too.

Source: Liu et al. (2023), Revisiting the Gold Standard, ACL.
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
from summetry.records.builder import CorpusBuilder
from summetry.records.corpus import Corpus
from summetry.records.judgments import Judgment
from summetry.records.pyramids import Contributor, PeerScu, Pyramid, Scu
from summetry.records.summaries import Summary

# The author of the reference, whom people judged as a system in some files; or, where a system
# with outputs has this name, another one.
_REFERENCE, _OTHER = "reference", "reference 1"


@FORMATS.register
@dataclass(frozen=True)
class Rose(Format):
    """Documents with the outputs of systems, judgments by four protocols, and content units."""

    name: ClassVar[str] = "rose"
    title: ClassVar[str] = "RoSE's JSON: outputs of systems, judgments, content units (ACUs)"

    def recognise(self, path: Path) -> bool:
        if may_have_names(path, "system_outputs", "annotations"):
            return has_columns(path, "system_outputs", "annotations")
        return may_have_names(path, "acu") and has_columns(path, "id", "reference", "acu")

    def read(self, path: Path, options: ReadOptions) -> Corpus:
        builder = options.builder(path.stem)
        for place, cells in read_cells(path, builder.report):
            with builder.reporting():
                _add(builder, cells, place)
        return builder.build()


def _add(builder: CorpusBuilder, cells: Cells, place: Place) -> None:
    names = (cells.get(name) for name in ("example_id", "count_id", "id"))
    topic = next((str(name) for name in names if name not in (None, "")), "")
    if not topic:
        raise FormatError(place, "a name as example_id, count_id or id", "none")
    builder.add_texts(topic, optional_text(cells, "source", place), (), place)
    outputs = _object(cells, "system_outputs", place)
    author = _OTHER if _REFERENCE in outputs else _REFERENCE
    text = text_in(cells, "reference", place)
    builder.add("summaries", Summary(topic, author, "reference", text=text), place)
    annotations = _object(cells, "annotations", place)
    for system, output in outputs.items():
        if not isinstance(output, str):
            raise FormatError(place, f"a text as output of {system}", repr(output))
        builder.add("summaries", Summary(topic, system, "candidate", text=output), place)
    marks: dict[str, list[Any]] = {}
    for system, said in annotations.items():
        if system not in (*outputs, author):
            raise FormatError(place, f"an output of {system}, which has annotations", "none")
        for judgment in _judgments(topic, system, said, place):
            builder.add("judgments", judgment, place)
        if isinstance(said.get("acu_labels"), list):
            marks[system] = said["acu_labels"]
    units = cells.get("reference_acus") or cells.get("acu") or []
    if not isinstance(units, list):
        raise FormatError(place, "a list of content units", repr(units))
    if units:
        builder.add("pyramids", _pyramid(topic, units, marks, author, place), place)


def _object(cells: Cells, name: str, place: Place) -> dict[str, Any]:
    """What an object says of each system; Parquet has null for a system that is not there."""
    value = cells.get(name)
    if value is not None and not isinstance(value, dict):
        raise FormatError(place, f"an object of systems in {name!r}", repr(value))
    return {system: said for system, said in (value or {}).items() if said is not None}


def _judgments(topic: str, system: str, said: Any, place: Place) -> Iterator[Judgment]:
    if not isinstance(said, dict):
        raise FormatError(place, f"an object of judgments on {system}", repr(said))
    for dimension, value in said.items():
        # Where Parquet has one column for all systems, what was not judged is null or NaN.
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if is_number and math.isfinite(value):
            yield Judgment(topic, system, "", dimension, value)


def _pyramid(
    topic: str, units: list[Any], marks: dict[str, list[Any]], author: str, place: Place
) -> Pyramid:
    scus = tuple(
        Scu(str(number), str(label), 1, (Contributor(author),))
        for number, label in enumerate(units, start=1)
    )
    for system, row in marks.items():
        if len(row) != len(units) or any(mark not in (0, 1) for mark in row):
            raise FormatError(
                place, f"{len(units)} times 0 or 1 as acu_labels of {system}", repr(row)
            )
    said = {
        system: tuple(PeerScu(scu.id) for scu, mark in zip(scus, row, strict=True) if mark)
        for system, row in marks.items()
    }
    return Pyramid(topic, scus, said)
