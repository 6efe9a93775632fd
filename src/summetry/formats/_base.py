"""What every format offers, and reading a corpus whatever its format.

A format recognises its files by what they hold, reads them into a corpus and, where it can,
writes a corpus. What a format cannot hold is named when it is written, never dropped silently.
"""

from __future__ import annotations

import contextlib
import difflib
import warnings
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Protocol, get_args

from summetry.arguments import as_path, check_choice, check_string, check_strings, kind_of
from summetry.errors import FormatError, Place, SummetryError, SummetryWarning
from summetry.records.builder import CorpusBuilder, OnError
from summetry.records.corpus import Corpus
from summetry.registry import Registry
from summetry.text.sentences import get_splitter

UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_LISTED = "`summetry formats` lists them, --format NAME names one"


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

    One that recognises nearly anything says ``is_general = True`` and is asked last; one whose
    columns can have the user's own names says ``has_columns = True``.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    can_write: ClassVar[bool]

    @abstractmethod
    def recognise(self, path: Path) -> bool: ...

    @abstractmethod
    def read(self, path: Path, options: ReadOptions) -> Corpus: ...

    @abstractmethod
    def write(self, corpus: Corpus, path: Path) -> None: ...


FORMATS: Registry[Format] = Registry("format", "summetry.formats", Format)


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
    check_strings(format=format)
    check_string("language", language)
    check_string("splitter", splitter)
    if not isinstance(columns, Mapping | None):
        raise SummetryError(f"columns must map a role to a name, got {kind_of(columns)}")
    for role, column in (columns or {}).items():
        check_string(f"columns[{role!r}]", column)
    get_splitter(splitter)
    found = recognise(place, format, columns or {})
    corpus = found.read(place, ReadOptions(on_error, language, columns or {}, splitter))
    if not corpus.topics:
        warnings.warn(f"{path}: the corpus has no topics", SummetryWarning, stacklevel=2)
    return corpus


def recognise(
    path: Path, format: str | None = None, columns: Mapping[str, str] | None = None
) -> Format:
    """The format of what is at ``path``; one that has no columns is refused ``columns``."""
    must_be_stored(path)
    found = FORMATS.build(format) if format is not None else _recognised(path)
    if columns and not getattr(found, "has_columns", False):
        raise SummetryError(
            f"{path}: columns are those of a table, and this is of the format {found.name!r}; "
            f"leave the names of columns out"
        )
    return found


def _recognised(path: Path) -> Format:
    if path.is_file() and not path.stat().st_size:
        raise SummetryError(f"{path}: the file is empty")
    if path.is_dir() and not any(path.iterdir()):
        raise SummetryError(f"{path}: the folder is empty")
    found = _first_that_knows(path)
    if found:
        return found
    if first_bytes(path).startswith(UTF16_MARKS):
        raise FormatError(Place(str(path)), "UTF-8", "UTF-16", "save the file as UTF-8")
    inside = _corpus_inside(path)
    raise SummetryError(
        f"{path}: not recognised as any known format; "
        + (f"did you mean {inside} in it?" if inside else _LISTED)
    )


def _first_that_knows(path: Path) -> Format | None:
    candidates = [FORMATS.build(name) for name in FORMATS.names()]
    # What takes any table or any text is asked after those that look for something special.
    candidates.sort(key=lambda candidate: getattr(candidate, "is_general", False))
    return next((candidate for candidate in candidates if candidate.recognise(path)), None)


def _corpus_inside(path: Path) -> Path | None:
    """The first folder in a folder that some format recognises."""
    for inner in sorted(path.iterdir()) if path.is_dir() else ():
        # One that cannot be looked into is none to point at.
        with contextlib.suppress(OSError):
            if inner.is_dir() and _first_that_knows(inner):
                return inner
    return None


def must_be_stored(path: Path) -> None:
    """Refuse what can be read only once: its format could not be found out."""
    must_exist(path)
    if not path.is_file() and not path.is_dir():
        raise SummetryError(
            f"{path}: expected a file or a folder, found a pipe or a device; save what it gives "
            f"to a file"
        )


def must_exist(path: Path) -> None:
    """Refuse a path that leads nowhere, and say where it may have been meant to lead."""
    if not path.exists():
        raise SummetryError(f"{path}: no such file or folder.{_neighbours(path)}")


def first_bytes(path: Path, count: int = 65536) -> bytes:
    """The beginning of a file, without a byte order mark; nothing for a folder."""
    if not path.is_file():
        return b""
    with path.open("rb") as file:
        return file.read(count).removeprefix(b"\xef\xbb\xbf")


def text_files(folder: Path) -> Iterator[Path]:
    """The text files of a folder and below it, as :func:`visible_files` finds them."""
    return (path for path in visible_files(folder) if path.suffix == ".txt")


def visible_files(path: Path) -> list[Path]:
    """All files below a folder, sorted, hidden ones left out; a file is alone."""
    if path.is_file():
        return [path]
    return [
        file
        for file in sorted(path.rglob("*"))
        if file.is_file() and not any(p.startswith(".") for p in file.relative_to(path).parts)
    ]


def _neighbours(path: Path) -> str:
    if path == Path("-"):
        return " Standard input is not read here; name a file."
    if not path.parent.is_dir():
        return f" There is no folder {path.parent} either."
    near = difflib.get_close_matches(path.name, [other.name for other in path.parent.iterdir()], 1)
    return f" Did you mean {str(path.with_name(near[0]))!r}?" if near else ""
