"""The native corpus: a folder of JSON Lines, every file but ``topics.jsonl`` optional.

    corpus.json      {"name": "demo", "language": "en", "scales": {"grammaticality": ["E", "A"]}}
    topics.jsonl     {"id": "t1", "documents": [{"id": "d1", "units": ["...", "..."]}]}
    summaries.jsonl  {"topic": "t1", "author": "lead", "role": "candidate", "units": [0, 1]}

``docs/formats/folder.md`` lists all files and fields. What is read and written again is the
same, byte for byte if the files were written by this module.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import msgspec

from summetry.errors import Place, SummetryError, did_you_mean, next_sentence
from summetry.files import written_whole
from summetry.formats._base import FORMATS, Format, ReadOptions
from summetry.formats._writing import must_be_folder
from summetry.formats.lines import JSON_ERRORS, explain_json_error, read_records, without_mark
from summetry.formats.texts import warn_at
from summetry.records.base import Meta, Record, no_meta
from summetry.records.builder import CorpusBuilder
from summetry.records.corpus import KINDS, Corpus


class Head(Record, frozen=True):
    """``corpus.json``."""

    name: str = ""
    language: str = ""
    scales: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    meta: Meta = no_meta()


@FORMATS.register
@dataclass(frozen=True)
class Folder(Format):
    """A folder of JSON Lines files."""

    name: ClassVar[str] = "folder"
    title: ClassVar[str] = "the native corpus: a folder with topics.jsonl and its companions"
    can_write: ClassVar[bool] = True
    keeps_units: ClassVar[bool] = True

    def recognise(self, path: Path) -> bool:
        return path.is_dir() and any((path / f"{kind}.jsonl").exists() for kind in KINDS)

    def read(self, path: Path, options: ReadOptions) -> Corpus:
        if not path.is_dir():
            raise SummetryError(f"{path}: expected a folder, found a file")
        if not (path / "topics.jsonl").exists():
            raise SummetryError(f"{path}: expected topics.jsonl in this folder, found none")
        _warn_of_strangers(path)
        head = _read_head(path / "corpus.json")
        builder = CorpusBuilder(
            head.name,
            head.language or options.language,
            head.scales,
            head.meta,
            options.on_error,
            options.splitter,
        )
        for kind, record_type in KINDS.items():
            file = path / f"{kind}.jsonl"
            if file.exists():
                for place, record in read_records(file, record_type, builder.report):
                    builder.add(kind, record, place)
        return builder.build()

    def write(self, corpus: Corpus, path: Path) -> None:
        must_be_folder(path)
        encode = msgspec.json.Encoder().encode
        head = Head(corpus.name, corpus.language, corpus.scales, corpus.meta)
        lines = {"corpus.json": iter([msgspec.json.format(encode(head), indent=2)])}
        for kind in KINDS:
            records = getattr(corpus, kind)
            if records or kind == "topics":
                lines[f"{kind}.jsonl"] = map(encode, records)
        # All take their places together: a full disk leaves an earlier corpus as it was.
        with contextlib.ExitStack() as whole:
            for name, content in lines.items():
                part = whole.enter_context(written_whole(path / name))
                with part.open("wb") as out:
                    out.writelines(line + b"\n" for line in content)
        for kind in KINDS:
            if f"{kind}.jsonl" not in lines:
                # A file left from an earlier corpus would be read as part of this one.
                (path / f"{kind}.jsonl").unlink(missing_ok=True)


def _read_head(path: Path) -> Head:
    if not path.exists():
        return Head()
    place = Place(str(path))
    content = without_mark(path.read_bytes())
    try:
        return msgspec.json.decode(content, type=Head)
    except JSON_ERRORS as error:
        raise explain_json_error(place, content, error, Head) from error


def _warn_of_strangers(path: Path) -> None:
    known = {f"{kind}.jsonl" for kind in KINDS}
    for file in sorted(path.glob("*.jsonl")):
        if file.name not in known:
            hint = next_sentence(did_you_mean(file.stem, KINDS))
            warn_at(file, f"not a file of a corpus folder, so it was not read{hint}")
