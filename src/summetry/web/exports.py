"""A study as files: everything that was uploaded and submitted, in the formats of the package."""

from __future__ import annotations

import csv
import dataclasses
import datetime
import io
import re
import tempfile
import warnings
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from summetry.errors import SummetryError, SummetryWarning
from summetry.files import write_together
from summetry.formats import FORMATS, must_be_writable
from summetry.records.corpus import KINDS, Corpus
from summetry.references.majority import make_references, with_references
from summetry.web.store.editors import is_saved_reference
from summetry.web.store.studies import json_text
from summetry.web.study_tables import Table

# The formats on the page, those of the package and every kind of record as a table, and the records
# without which each holds nothing.
_NEEDS = {
    "folder": "topics",
    "csv": "topics",
    "rouge_xml(texts=SEE)": "summaries",
    "rouge_xml(texts=SPL)": "summaries",
    "mead": "topics",
    "ducview": "pyramids",
    "scu_xml": "labels",
    "plain": "topics",
}
EXPORTS = tuple(_NEEDS)
# How the page calls them, and where they may come from.
_LACKING = {
    "summaries": "summaries; add references by majority vote, of a length",
    "pyramids": "pyramids; the task “content units” makes them",
    "labels": "sentences labelled with content units",
}


@dataclass(frozen=True)
class Exported:
    """A zip file, and what the format could not hold."""

    content: bytes
    notes: tuple[str, ...]


def offered(corpus: Corpus) -> list[str]:
    """The formats that can hold something of a corpus; summaries can be made of votes."""
    return [form for form, kind in _NEEDS.items() if kind == "summaries" or getattr(corpus, kind)]


def with_majority(corpus: Corpus, length: str, ties: str = "position") -> Corpus:
    """The corpus with references by majority vote, if a length is given.

    A text whose reference was saved from the votes keeps that one and gets no second.
    """
    if not length.strip():
        return corpus
    made = make_references(corpus, length, ties=ties)
    new = tuple(one for one in made.by_topic if one.votes.topic.id not in with_saved(corpus))
    if made.by_topic and not new:
        return corpus
    return with_references(dataclasses.replace(made, by_topic=new))


def with_saved(corpus: Corpus) -> set[str]:
    """The topics of which a reference was saved from the votes."""
    return {summary.topic for summary in corpus.summaries if is_saved_reference(summary)}


def zipped(
    corpus: Corpus, form: str, name: str, more: Mapping[str, Table] | None = None
) -> Exported:
    """The corpus in a format, as a zip file whose only folder is ``name``.

    What holds everything, the native corpus and the tables, has ``more`` in a folder ``study``.
    """
    if form not in EXPORTS:
        raise SummetryError(f"format: expected one of {', '.join(EXPORTS)}, found {form[:60]!r}")
    need = _NEEDS[form]
    if need in _LACKING and not getattr(corpus, need):
        raise SummetryError(f"{form} cannot be exported: the study has no {_LACKING[need]}")
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", SummetryWarning)
        target = Path(folder) / name
        if form == "csv":
            write_together({target / name: text for name, text in record_tables(corpus)})
        else:
            corpus = _with_names_of_folders(corpus) if form == "plain" else corpus
            writer = FORMATS.build(form)
            must_be_writable(writer)
            try:
                writer.write(corpus, target)
            except SummetryError as error:
                raise SummetryError(str(error).replace(f"{folder}/", "")) from None
        content = io.BytesIO()
        with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(target.rglob("*")):
                archive.write(path, str(path.relative_to(folder)))
            for title, table in (more or {}).items():
                if form == "csv":
                    text = csv_text(table.columns, table.rows, for_people=True)
                    archive.writestr(f"{name}/study/{title}.csv", text)
                elif form == "folder":
                    lines = "".join(f"{json_text(record)}\n" for record in table.records())
                    archive.writestr(f"{name}/study/{title}.jsonl", lines)
    # Without our temporary folder.
    notes = tuple(str(note.message).replace(f"{folder}/", "") for note in caught)
    return Exported(content.getvalue(), notes)


def _with_names_of_folders(corpus: Corpus) -> Corpus:
    """The corpus with authors whose folders Windows can unpack: without ``:`` and the like.

    Our own names have colons, as in ``majority: 30%, position``.
    """
    authors = {summary.author for summary in corpus.summaries}
    names = {author: re.sub(r'\s*[<>:"|?*]', "", author) or author for author in sorted(authors)}
    count = Counter(names.values())
    clear = {author: name for author, name in names.items() if count[name] == 1}
    summaries = tuple(
        msgspec.structs.replace(summary, author=clear.get(summary.author, summary.author))
        for summary in corpus.summaries
    )
    return dataclasses.replace(corpus, summaries=summaries)


def record_tables(corpus: Corpus) -> Iterator[tuple[str, str]]:
    """Each kind of record as a CSV file; lists are JSON.

    ``references.csv`` is what ``score --references`` reads: the text of every reference.
    """
    for kind in KINDS:
        records = [msgspec.to_builtins(record) for record in getattr(corpus, kind)]
        columns = list(dict.fromkeys(name for record in records for name in record))
        if records:
            yield f"{kind}.csv", csv_text(columns, ([r.get(c) for c in columns] for r in records))
    references = [s for s in corpus.summaries if s.role == "reference"]
    if references:
        rows = ([s.topic, s.author, corpus.text_of(s)] for s in references)
        yield "references.csv", csv_text(("id", "author", "reference"), rows)


def _cell(value: object) -> object:
    """A value as a cell; None is written as nothing."""
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, datetime.datetime):
        return value.isoformat()
    return msgspec.json.encode(value).decode()


def csv_text(
    heading: Iterable[str], rows: Iterable[Iterable[object]], *, for_people: bool = False
) -> str:
    """A table as CSV; what is no text or number is JSON.

    What programs read is left as it is. ``for_people``, who open it in a spreadsheet, a cell that
    would run there as a formula gets an apostrophe.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(heading)
    cells = (map(_cell, row) for row in rows)
    writer.writerows([_harmless(cell) if for_people else cell for cell in row] for row in cells)
    return out.getvalue()


def _harmless(cell: object) -> object:
    is_formula = isinstance(cell, str) and cell.startswith(("=", "+", "-", "@", "\t", "\r"))
    return f"'{cell}" if is_formula else cell


def file_name(name: str) -> str:
    """A study's name as that of a file: letters, digits and hyphens."""
    return re.sub("[^A-Za-z0-9]+", "-", name).strip("-")[:60].lower() or "study"
