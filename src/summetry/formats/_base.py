"""What every format offers, and reading a corpus whatever its format.

A format recognises its files by what they hold, reads them into a corpus and, where it can,
writes a corpus. What a format cannot hold is named when it is written, never dropped silently.
"""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, ClassVar, get_args

import msgspec

from summetry.arguments import as_path, check_choice, check_string, check_strings, kind_of
from summetry.errors import FormatError, Place, SummetryError, for_python, next_sentence
from summetry.files import found_text, is_text, opened
from summetry.formats.columns import ROLES
from summetry.formats.frames import Frame, as_frame
from summetry.formats.lines import no_text, without_mark
from summetry.formats.texts import warn_at
from summetry.records.builder import CorpusBuilder, OnError
from summetry.records.corpus import Corpus
from summetry.registry import Registry
from summetry.text.languages import language_code
from summetry.text.sentences import get_splitter

_LISTED = "`summetry formats` lists them, --format NAME names one"
_TEXT_FOLDERS = (
    "sources/, references/ and a folder for each system, one file per topic, with the same name in "
    "all: sources/t1.txt references/t1.txt bart/t1.txt"
)
# So many folders below the one that is named, the files of an archive are looked for.
_DEPTH = 3


class ReadOptions(msgspec.Struct, frozen=True):
    """How to read: what to do with a bad record, the language where the data do not say it, the
    user's own names for the columns of a table, and what cuts running text into sentences."""

    on_error: OnError = "stop"
    language: str = ""
    columns: Mapping[str, str] = msgspec.field(default_factory=dict)
    splitter: str = "rules"
    # Whether words of judgments are classes where no scale puts them in order; None if nobody asks.
    has_classes: bool | None = None

    def builder(self, name: str) -> CorpusBuilder:
        """A builder for a format that holds nothing about the corpus itself."""
        return CorpusBuilder(name, self.language, on_error=self.on_error, splitter=self.splitter)


class Format(ABC):
    """A format: a frozen dataclass that derives from this class; its fields are its options."""

    name: ClassVar[str]
    title: ClassVar[str]
    can_write: ClassVar[bool] = False
    # Whether what it writes says where the units of a topic end.
    keeps_units: ClassVar[bool] = False
    # One that recognises nearly anything is asked last.
    is_general: ClassVar[bool] = False
    # What of its columns can have the user's own names.
    roles: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def recognise(self, path: Path) -> bool:
        """Whether what is at ``path`` is of this format."""

    @abstractmethod
    def read(self, path: Path, options: ReadOptions) -> Corpus:
        """The corpus at ``path``."""

    def write(self, corpus: Corpus, path: Path) -> None:
        """Write a corpus to ``path``, with a note on what the format cannot hold."""
        must_be_writable(self)


FORMATS: Registry[Format] = Registry("format", "summetry.formats", Format)
_JSON = "--json prints JSON; a JSON file is read without --format, or with --format table"
FORMATS.elsewhere = lambda name: _JSON if name.lower() == "json" else ""


def must_be_writable(form: Format) -> None:
    """Refuse a format that is only read, and say which can be written."""
    if not form.can_write:
        written = [name for name in FORMATS.names() if FORMATS.get(name).can_write]
        raise SummetryError(
            f"the format {form.name!r} can be read but not written; these can: {', '.join(written)}"
        )


# The modules of formats that a table may be of. All others are folders, marked up or running text;
# to import them takes longer than to score a small table.
_OF_TABLES = ("easc", "inspect", "rose", "scu_table", "summeval", "table")


@for_python
def load(
    path: str | Path | Any,
    format: str | None = None,
    *,
    on_error: OnError = "stop",
    language: str = "",
    columns: Mapping[str, str] | None = None,
    splitter: str = "rules",
) -> Corpus:
    """The corpus at ``path``, its format recognised by content unless ``format`` names it.

    A table can also be given as it is: a frame of pandas or polars, or a list of dicts.
    With ``on_error="skip"`` bad records are left out and listed in ``corpus.problems``.
    """
    place = as_frame(path) or as_path("path", path, "a path or a frame")
    check_choice("on_error", on_error, get_args(OnError))
    check_strings(format=format)
    check_string("language", language)
    check_string("splitter", splitter)
    if not isinstance(columns, Mapping | None):
        raise SummetryError(f"columns must map a role to a name, got {kind_of(columns)}")
    for role, column in (columns or {}).items():
        check_string(f"columns[{role!r}]", column)
    get_splitter(splitter)
    how = ReadOptions(on_error, language_code(language), columns or {}, splitter)
    if isinstance(place, Frame):
        corpus = _read_frame(place, format, how)
    else:
        corpus = recognise(place, format, columns or {}).read(place, how)
    if not corpus.topics:
        warn_at(place, "the corpus has no topics")
    return corpus


def _read_frame(frame: Frame, format: str | None, how: ReadOptions) -> Corpus:
    from summetry.formats.table import Table

    if format not in (None, Table.name):
        raise SummetryError(f"a frame is of the format 'table', not {format!r}")
    return Table().read(frame, how)


def recognise(
    path: Path, format: str | None = None, columns: Mapping[str, str] | None = None
) -> Format:
    """The format of what is at ``path``; one that has no columns is refused ``columns``."""
    must_be_stored(path)
    form = FORMATS.build(format) if format is not None else _recognised(path)
    if columns and not form.roles:
        raise SummetryError(
            f"{path}: columns are those of a table, and this is of the format {form.name!r}; "
            f"leave the names of columns out"
        )
    return form


def _recognised(path: Path) -> Format:
    if path.is_file() and path.stat().st_size < 4096:
        content = without_mark(path.read_bytes())
        if not content.strip():
            blanks = " but for blanks" if content else ""
            raise SummetryError(f"{path}: the file is empty{blanks}")
    if path.is_dir() and not any(path.iterdir()):
        raise SummetryError(f"{path}: the folder is empty")
    form = _first_that_knows(path)
    if form:
        return form
    if error := no_text(first_bytes(path), Place(str(path))):
        raise error
    inside = _corpus_inside(path)
    advice = f"did you mean {inside} in it?" if inside else _LISTED
    if not inside and path.is_dir() and any((*path.glob("*.txt"), *path.glob("*/*.txt"))):
        outer = path.parent
        is_part = any(path.glob("*.txt")) and outer != path and _first_that_knows(outer)
        advice = f"did you mean {outer}?" if is_part else f"text files go into {_TEXT_FOLDERS}"
    raise SummetryError(f"{path}: not recognised as any known format; {advice}")


def _first_that_knows(path: Path) -> Format | None:
    if not _is_plain_table(path):
        names = FORMATS.names()
    else:
        names = FORMATS.names_among(_OF_TABLES[-1:] if _has_only_roles(path) else _OF_TABLES)
    forms = [FORMATS.build(name) for name in names]
    # What takes any table or any text is asked after those that look for something special.
    forms.sort(key=lambda form: form.is_general)
    return next((form for form in forms if form.recognise(path)), None)


def _is_plain_table(path: Path) -> bool:
    """Whether a file is named as a table, and its content is none of markup."""
    from summetry.formats.cells import TABLE_ENDINGS, kind_of_table

    if not any(suffix.lower()[1:] in TABLE_ENDINGS for suffix in path.suffixes[-2:]):
        return False
    is_file = path.is_file() and not first_bytes(path).lstrip().startswith(b"<")
    return is_file and bool(kind_of_table(path))


def _has_only_roles(path: Path) -> bool:
    """Whether a table has candidates, and no column but those of the format ``table``.

    The other formats look for others, and take a fiftieth of the start to import.
    """
    from summetry.formats.cells import first_cells

    try:
        first = first_cells(path, 1)
    except FormatError:
        return False
    names = set(first[0][1]) if first else set()
    return "candidate" in names and names.issubset(ROLES)


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


def must_be_file(path: Path, expected: str) -> None:
    """Refuse what is no file, where ``expected`` is to be read."""
    if not path.is_file():
        found = "a folder" if path.is_dir() else "no such file"
        raise SummetryError(f"{path}: expected {expected}, found {found}")


def must_exist(path: Path) -> None:
    """Refuse a path that leads nowhere, and say where it may have been meant to lead."""
    if is_text(path):
        raise found_text("the name of a file or a folder", path)
    if not path.exists():
        hint = next_sentence(_neighbours(path))
        raise SummetryError(f"{path}: no such file or folder{hint}")


def first_bytes(path: Path, count: int = 65536) -> bytes:
    """The beginning of a file, without a byte order mark; nothing for a folder."""
    if not path.is_file():
        return b""
    with opened(path) as file:
        return file.read(count).removeprefix(b"\xef\xbb\xbf")


def visible_files(path: Path, endings: Sequence[str] = ()) -> list[Path]:
    """All files below a folder, sorted, hidden ones left out; a file is alone.

    With ``endings``, only files that end so, in large or small letters.
    """
    if path.is_file():
        return [path]
    return [
        file
        for file in sorted(path.rglob("*"))
        if (not endings or file.suffix.lower() in endings)
        and file.is_file()
        and not any(part.startswith(".") for part in file.relative_to(path).parts)
    ]


def files_named(folder: Path, patterns: Sequence[str]) -> Iterator[Path]:
    """The files of an archive that are named like one of the patterns, nearest folders first."""
    for pattern in patterns:
        for depth in range(_DEPTH + 1):
            yield from (path for path in folder.glob("*/" * depth + pattern) if path.is_file())


def _neighbours(path: Path) -> str:
    if path == Path("-"):
        return " Standard input is not read here; name a file."
    if not path.parent.is_dir():
        return f" There is no folder {path.parent} either."
    # An ending that both have makes no names alike.
    others = [o.name for o in path.parent.iterdir() if get_close_matches(path.stem, [o.stem])]
    near = get_close_matches(path.name, others, 1)
    return f" Did you mean {str(path.with_name(near[0]))!r}?" if near else ""
