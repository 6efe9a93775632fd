"""What every format offers, and reading a corpus whatever its format.

A format recognises its files by what they hold, reads them into a corpus and, where it can,
writes a corpus. What a format cannot hold is named when it is written, never dropped silently.
"""

from __future__ import annotations

import contextlib
import difflib
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Protocol, get_args
from urllib.parse import quote

import msgspec

from summetry.arguments import as_path, check_choice, check_string, kind_of
from summetry.errors import FormatError, Place, SummetryError, SummetryWarning, counted
from summetry.model.builder import CorpusBuilder, OnError
from summetry.model.corpus import KINDS, Corpus, counted_records
from summetry.model.records import Record
from summetry.model.topics import Topic
from summetry.registry import Registry
from summetry.text.sentences import get_splitter


@dataclass(frozen=True)
class ReadOptions:
    """How to read: what to do with a bad record, the language where the data do not say it, the
    user's own names for the columns of a table, and what cuts running text into sentences."""

    on_error: OnError = "stop"
    language: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)
    splitter: str = "rules"

    def builder(self, name: str) -> CorpusBuilder:
        """A builder for a format that holds nothing about the corpus itself."""
        return CorpusBuilder(name, self.language, on_error=self.on_error, splitter=self.splitter)


class Format(Protocol):
    """A format; a frozen dataclass without options.

    One that recognises nearly anything says ``is_general = True`` and is asked last.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    can_write: ClassVar[bool]

    def recognise(self, path: Path) -> bool: ...

    def read(self, path: Path, options: ReadOptions) -> Corpus: ...

    def write(self, corpus: Corpus, path: Path) -> None: ...


FORMATS: Registry[Format] = Registry(
    "format", "summetry.formats", ("title", "can_write", "recognise", "read", "write")
)


def load(
    path: str | Path,
    format: str | None = None,
    *,
    on_error: OnError = "stop",
    language: str = "",
    columns: Mapping[str, str] | None = None,
    splitter: str = "rules",
) -> Corpus:
    """The corpus at ``path``, its format recognised by content unless ``format`` names it.

    With ``on_error="skip"`` bad records are left out and listed in ``corpus.problems``.
    """
    place = as_path("path", path, "a path")
    check_choice("on_error", on_error, get_args(OnError))
    check_string("language", language)
    if not isinstance(columns, Mapping | None):
        raise SummetryError(f"columns must map a role to a name, got {kind_of(columns)}")
    get_splitter(splitter)
    found = recognise(place, format)
    corpus = found.read(place, ReadOptions(on_error, language, columns or {}, splitter))
    if not corpus.topics:
        warnings.warn(f"{path}: the corpus has no topics", SummetryWarning, stacklevel=2)
    return corpus


def recognise(path: Path, format: str | None = None) -> Format:
    """The format of what is at ``path``."""
    must_exist(path)
    if format is not None:
        return FORMATS.build(format)
    if path.is_file() and not path.stat().st_size:
        raise SummetryError(f"{path}: the file is empty")
    if path.is_dir() and not any(path.iterdir()):
        raise SummetryError(f"{path}: the folder is empty")
    candidates = [FORMATS.build(name) for name in FORMATS.names()]
    # What takes any table or any text is asked after those that look for something special.
    candidates.sort(key=lambda candidate: getattr(candidate, "is_general", False))
    for candidate in candidates:
        if candidate.recognise(path):
            return candidate
    if first_bytes(path).startswith((b"\xff\xfe", b"\xfe\xff")):
        raise FormatError(Place(str(path)), "UTF-8", "UTF-16", "save the file as UTF-8")
    raise SummetryError(
        f"{path}: not recognised as any known format; `summetry formats` lists them, "
        f"--format NAME names one"
    )


def must_exist(path: Path) -> None:
    """Refuse a path that leads nowhere, and say where it may have been meant to lead."""
    if not path.exists():
        raise SummetryError(f"{path}: no such file or folder.{_neighbours(path)}")


def warn_not_written(
    corpus: Corpus, held: Mapping[str, set[str]], path: Path, name: str, lost: Sequence[str] = ()
) -> None:
    """Say what of a corpus a format has no place for.

    ``held`` names the fields of each kind of record that are written, ``lost`` what else is not.
    """
    heads = [part for part in ("language", "scales", "meta") if getattr(corpus, part)]
    found = [f"the {part} of the corpus" for part in heads]
    for kind in KINDS:
        records = getattr(corpus, kind)
        if records and kind not in held:
            found.append(counted_records(len(records), kind))
        elif records:
            counts = Counter(field for r in records for field in _filled(r) - held[kind])
            found += [
                f"the {field} of {counted_records(counts[field], kind)}" for field in sorted(counts)
            ]
    found += lost
    if found:
        warnings.warn(
            f"{path}: the format {name!r} cannot hold {', '.join(found)}; that was not written",
            SummetryWarning,
            stacklevel=3,
        )


def merged_documents(corpus: Corpus) -> list[str]:
    """What is lost, in words, when each topic becomes one text with the topic's own name."""
    count = sum(not _is_one_text(topic) for topic in corpus.topics)
    return [f"the documents of {counted(count, 'topic')} one by one"] if count else []


def losses(counts: Mapping[tuple[str, str], int]) -> list[str]:
    """What is lost, in words; it is counted by a noun and what is said of it.

    >>> losses({("topic", "without a peer"): 2, ("date", "of documents"): 0})
    ['2 topics without a peer']
    """
    return [f"{counted(count, noun)} {rest}" for (noun, rest), count in counts.items() if count]


def _is_one_text(topic: Topic) -> bool:
    bare = [d.id == topic.id and _filled(d) <= {"id", "text", "units"} for d in topic.documents]
    return bare in ([], [True])


def _filled(record: Record) -> set[str]:
    """The fields of a record that are not at their defaults."""
    fields = msgspec.structs.fields(record)
    return {f.name for f in fields if getattr(record, f.name) not in (f.default, None, "", (), {})}


@contextlib.contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """A file beside ``path`` that takes its place when all is written, and is gone otherwise."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    try:
        yield part
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def file_name(name: str) -> str:
    """A name that every file system takes, and that no other name becomes.

    >>> file_name("a/b c"), file_name(".x")
    ('a%2Fb%20c', '%2Ex')
    """
    quoted = quote(name, safe="", errors="surrogatepass").replace("~", "%7E")
    return quoted.replace(".", "%2E", 1) if quoted.startswith(".") else quoted or "%"


def first_bytes(path: Path, count: int = 65536) -> bytes:
    """The beginning of a file, without a byte order mark; nothing for a folder."""
    if not path.is_file():
        return b""
    with path.open("rb") as file:
        return file.read(count).removeprefix(b"\xef\xbb\xbf")


def text_files(folder: Path) -> Iterator[Path]:
    """The text files of a folder and below it, sorted, hidden ones left out."""
    for path in sorted(folder.rglob("*.txt")):
        if not any(part.startswith(".") for part in path.relative_to(folder).parts):
            yield path


def visible_files(path: Path) -> list[Path]:
    """All files below a folder, sorted, hidden ones left out; a file is alone."""
    if path.is_file():
        return [path]
    return [
        file
        for file in sorted(path.rglob("*"))
        if file.is_file() and not any(p.startswith(".") for p in file.relative_to(path).parts)
    ]


def write_folder(files: Mapping[str, str], path: Path) -> None:
    """Write texts by file name, to a folder in which nothing else may be read as one of them."""
    if path.is_file():
        raise SummetryError(f"{path}: expected a folder to write to, found a file")
    written = {path / name for name in files}
    refuse_strangers(path, [file for file in visible_files(path) if file not in written])
    path.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_text(text, encoding="utf-8", newline="")


def refuse_strangers(path: Path, others: Sequence[Path]) -> None:
    """Files that lie in a folder already may be read as part of what is written there now."""
    if others:
        raise SummetryError(
            f"{path}: holds {others[0].relative_to(path).as_posix()}, which may be read as part "
            f"of the corpus; write to a folder of its own"
        )


def _neighbours(path: Path) -> str:
    if path == Path("-"):
        return " Standard input is not read here; name a file."
    if not path.parent.is_dir():
        return f" There is no folder {path.parent} either."
    near = difflib.get_close_matches(path.name, [other.name for other in path.parent.iterdir()], 1)
    return f" Did you mean {str(path.with_name(near[0]))!r}?" if near else ""
