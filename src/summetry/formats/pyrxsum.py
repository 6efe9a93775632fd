"""PyrXSum, and REALSumm in the same shape: files whose lines belong together.

    ids.txt  references.txt  documents.txt    one topic per line (documents may be missing)
    SCUs.txt                                  the content units of a topic, with tabs between them
    summaries/SYSTEM.summary                  a system's summaries, one per line
    labels/SYSTEM.label                       0 or 1 for each unit, with tabs between them

All units weigh 1, since there is one reference; so ``scu_recall`` is the published value.

Source: Zhang and Bansal (2021), Finding a Balanced Degree of Automation for Summary Evaluation,
EMNLP; REALSumm: Bhandari et al. (2020), EMNLP.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from summetry.errors import FormatError, Place
from summetry.formats._base import FORMATS, Format, ReadOptions
from summetry.formats.texts import read_text
from summetry.records.builder import CorpusBuilder
from summetry.records.corpus import Corpus
from summetry.records.pyramids import Contributor, PeerScu, Pyramid, Scu
from summetry.records.summaries import Summary

_REFERENCE = "reference 1"


@FORMATS.register
@dataclass(frozen=True)
class PyrXSum(Format):
    """Summaries of systems with content units and 0 or 1 for each, line by line."""

    name: ClassVar[str] = "pyrxsum"
    title: ClassVar[str] = (
        "PyrXSum, or REALSumm as published with it: SCUs.txt, labels/, summaries/"
    )

    def recognise(self, path: Path) -> bool:
        files = ("ids.txt", "references.txt", "SCUs.txt")
        return all((path / name).is_file() for name in files) and (path / "labels").is_dir()

    def read(self, path: Path, options: ReadOptions) -> Corpus:
        builder = options.builder(path.name)
        ids = _lines(path / "ids.txt")
        documents = path / "documents.txt"
        sources = _lines(documents, ids) if documents.is_file() else None
        references = _lines(path / "references.txt", ids)
        units = [_cells(line) for line in _lines(path / "SCUs.txt", ids)]
        for number, topic in enumerate(ids):
            text = None if sources is None else sources[number]
            builder.add_texts(topic, text, (), Place(str(path / "ids.txt"), number + 1))
            one = Summary(topic, _REFERENCE, "reference", text=references[number])
            builder.add("summaries", one, Place(str(path / "references.txt"), number + 1))
        said: list[dict[str, tuple[PeerScu, ...]]] = [{} for _ in ids]
        for file in sorted((path / "summaries").glob("*.summary")):
            for number, text in enumerate(_lines(file, ids)):
                summary = Summary(ids[number], file.stem, "candidate", text=text)
                builder.add("summaries", summary, Place(str(file), number + 1))
        for file in sorted((path / "labels").glob("*.label")):
            _check_summaries(file, builder)
            for number, line in enumerate(_lines(file, ids)):
                with builder.reporting():
                    place = Place(str(file), number + 1)
                    said[number][file.stem] = _marks(line, len(units[number]), place)
        for number, topic in enumerate(ids):
            scus = tuple(
                Scu(str(place), label, 1, (Contributor(_REFERENCE),))
                for place, label in enumerate(units[number], start=1)
            )
            place = Place(str(path / "SCUs.txt"), number + 1)
            builder.add("pyramids", Pyramid(topic, scus, said[number]), place)
        return builder.build()


def _lines(path: Path, ids: list[str] | None = None) -> list[str]:
    """The lines of a file, as many as there are ids; an empty one at the end is none."""
    if not path.is_file():
        raise FormatError(Place(str(path)), "a file with one line per topic", "none")
    lines = read_text(path).removesuffix("\n").split("\n")
    if ids is not None and len(lines) != len(ids):
        found = f"{len(lines):,}"
        raise FormatError(Place(str(path)), f"{len(ids):,} lines, as in ids.txt", found)
    return lines


def _cells(line: str) -> list[str]:
    return [cell for cell in line.strip().split("\t") if cell.strip()]


def _check_summaries(file: Path, builder: CorpusBuilder) -> None:
    summaries = file.parents[1] / "summaries" / f"{file.stem}.summary"
    if not summaries.is_file():
        builder.report(FormatError(Place(str(file)), f"the summaries in {summaries}", "none"))


def _marks(line: str, count: int, place: Place) -> tuple[PeerScu, ...]:
    cells = _cells(line)
    if len(cells) != count or any(cell not in ("0", "1") for cell in cells):
        raise FormatError(place, f"{count} times 0 or 1, as many as units", repr(line))
    return tuple(PeerScu(str(n)) for n, cell in enumerate(cells, start=1) if cell == "1")
