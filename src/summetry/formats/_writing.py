"""What formats that write share: names that files can have, folders, losses in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from urllib.parse import quote

import msgspec

from summetry.errors import SummetryError, counted, shorten, warn
from summetry.files import write_together
from summetry.formats._base import visible_files
from summetry.records.base import Record
from summetry.records.corpus import KINDS, Corpus, counted_records
from summetry.records.topics import Document, Topic, with_units

# What the most common file systems take, less an ending that a reader may add.
_LONGEST_NAME = 250


def warn_not_written(
    corpus: Corpus, held: Mapping[str, set[str]], path: Path, name: str, lost: Sequence[str] = ()
) -> None:
    """Say what of a corpus a format has no place for.

    ``held`` names the fields of each kind of record that are written, ``lost`` what else is not.
    """
    heads = [part for part in ("language", "scales", "meta") if getattr(corpus, part)]
    missing = [f"the {part} of the corpus" for part in heads]
    for kind in KINDS:
        records = getattr(corpus, kind)
        if records and kind not in held:
            missing.append(counted_records(len(records), kind))
        elif records:
            counts = Counter(field for r in records for field in _filled(r) - held[kind])
            missing += [
                f"the {field} of {counted_records(counts[field], kind)}" for field in sorted(counts)
            ]
    missing += lost
    if missing:
        warn(f"{path}: the format {name!r} cannot hold {', '.join(missing)}; that was not written")


def losses(counts: Mapping[tuple[str, str], int]) -> list[str]:
    """What is lost, in words; it is counted by a noun and what is said of it.

    >>> losses({("topic", "without a candidate"): 2, ("date", "of documents"): 0})
    ['2 topics without a candidate']
    """
    return [f"{counted(count, noun)} {rest}" for (noun, rest), count in counts.items() if count]


def source_text(topic: Topic) -> str:
    """The documents of a topic as one text."""
    return "\n\n".join(document.text or "\n".join(document.units) for document in topic.documents)


def merged_documents(corpus: Corpus) -> list[str]:
    """What is lost, in words, when each topic becomes one text with the topic's own name."""
    merged = sum(not _is_one_text(topic) for topic in corpus.topics)
    cut = sum(not _is_cut_alike(topic, corpus.language_of(topic)) for topic in corpus.topics)
    counts = {"the documents of {} one by one": merged, "where the units of {} end": cut}
    return [words.format(counted(count, "topic")) for words, count in counts.items() if count]


def _is_one_text(topic: Topic) -> bool:
    bare = [d.id == topic.id and _filled(d) <= {"id", "text", "units"} for d in topic.documents]
    return bare in ([], [True])


def _is_cut_alike(topic: Topic, language: str) -> bool:
    """Whether the text of a topic is cut into the units that the topic has."""
    document = Document(topic.id, text=source_text(topic))
    return with_units(Topic(topic.id, documents=(document,)), language).units == topic.units


def _filled(record: Record) -> set[str]:
    """The fields of a record that are not at their defaults."""
    fields = _defaults(type(record)).items()
    return {name for name, default in fields if _is_filled(getattr(record, name), default)}


# Looked up once: msgspec reads the annotations of all fields each time.
@cache
def _defaults(kind: type[Record]) -> dict[str, object]:
    return {field.name: field.default for field in msgspec.structs.fields(kind)}


def _is_filled(value: object, default: object) -> bool:
    # Where None is the default, as for the units of a summary, something empty says something.
    return value is not None and value != default and (default is None or value not in ("", (), {}))


def file_name(name: str) -> str:
    """A name that every file system takes, and that no other name becomes.

    >>> file_name("a/b c"), file_name(".x")
    ('a%2Fb%20c', '%2Ex')
    """
    quoted = quote(name, safe="", errors="surrogatepass").replace("~", "%7E")
    return quoted.replace(".", "%2E", 1) if quoted.startswith(".") else quoted or "%"


def must_be_folder(path: Path, endings: Sequence[str] = (), found: str = "found a file") -> None:
    """Refuse to write to a file, or to a name that ends as files of the format do."""
    if path.is_file() or path.suffix.lower() in endings:
        raise SummetryError(f"{path}: expected a folder to write to, {found}")


def write_folder(
    files: Mapping[str, str], path: Path, readable: Iterable[Path] | None = None
) -> None:
    """Write texts by file name, to a folder in which nothing else may be read as one of them.

    ``readable`` are the files in the folder that would be read; by default all that are visible.
    """
    must_be_folder(path)
    if not files:
        raise nothing_to_write(path)
    written = {path / name for name in files}
    for other in visible_files(path) if readable is None else readable:
        if other not in written:
            raise SummetryError(
                f"{path}: holds {other.relative_to(path).as_posix()}, which may be read as part "
                f"of the corpus; write to a folder of its own"
            )
    write_files(files, path)


def nothing_to_write(path: Path) -> SummetryError:
    """What is said where nothing of a corpus has a place in a format: it could not be read."""
    return SummetryError(
        f"{path}: nothing of this corpus has a place in this format, so it was not written; "
        f"`summetry formats` lists others"
    )


def write_files(files: Mapping[str, str], path: Path) -> None:
    """Write texts by their names below ``path``, names that common systems take; all or none."""
    for name in files:
        long = next((p for p in name.split("/") if len(p.encode()) > _LONGEST_NAME), None)
        if long:
            raise SummetryError(
                f"{shorten(long)} is too long for the name of a file: expected at most "
                f"{_LONGEST_NAME} bytes, found {len(long.encode())}; rename what it is named by"
            )
    write_together({path / name: text for name, text in files.items()})
