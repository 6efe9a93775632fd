"""What every format offers, and reading a corpus whatever its format.

A format recognises its files by what they hold, reads them into a corpus and, where it can,
writes a corpus. What a format cannot hold is named when it is written, never dropped silently.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Protocol

from summetry.errors import SummetryError, SummetryWarning
from summetry.model.builder import OnError
from summetry.model.corpus import KINDS, Corpus
from summetry.registry import Registry


@dataclass(frozen=True)
class ReadOptions:
    """How to read: what to do with a bad record, the language where the data do not say it,
    and the user's own names for the columns of a table."""

    on_error: OnError = "stop"
    language: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)


class Format(Protocol):
    """A format; a frozen dataclass without options."""

    name: ClassVar[str]
    title: ClassVar[str]
    can_write: ClassVar[bool]

    def recognise(self, path: Path) -> bool: ...

    def read(self, path: Path, options: ReadOptions) -> Corpus: ...

    def write(self, corpus: Corpus, path: Path) -> None: ...


FORMATS: Registry[Format] = Registry("format", "summetry.formats")


def load(
    path: str | Path,
    format: str | None = None,
    *,
    on_error: OnError = "stop",
    language: str = "",
    columns: Mapping[str, str] | None = None,
) -> Corpus:
    """The corpus at ``path``, its format recognised by content unless ``format`` names it.

    With ``on_error="skip"`` bad records are left out and listed in ``corpus.problems``.
    """
    found = recognise(Path(path), format)
    return found.read(Path(path), ReadOptions(on_error, language, columns or {}))


def recognise(path: Path, format: str | None = None) -> Format:
    """The format of what is at ``path``."""
    if not path.exists():
        raise SummetryError(f"{path}: no such file or folder{_neighbours(path)}")
    if format is not None:
        return FORMATS.build(format)
    if path.is_file() and not path.stat().st_size:
        raise SummetryError(f"{path}: the file is empty")
    for name in FORMATS.names():
        candidate = FORMATS.build(name)
        if candidate.recognise(path):
            return candidate
    raise SummetryError(
        f"{path}: not recognised as any known format; `summetry formats` lists them, "
        f"--format NAME names one"
    )


def warn_not_written(corpus: Corpus, kept: set[str], path: Path, name: str) -> None:
    """Say which records of a corpus a format has no place for."""
    lost = [f"{len(getattr(corpus, kind))} {kind}" for kind in KINDS if kind not in kept]
    lost = [words for words in lost if not words.startswith("0 ")]
    if lost:
        warnings.warn(
            f"{path}: the format {name!r} cannot hold {', '.join(lost)}; they were not written",
            SummetryWarning,
            stacklevel=3,
        )


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


def _neighbours(path: Path) -> str:
    from summetry.errors import did_you_mean

    if not path.parent.is_dir():
        return f" (nor is there a folder {path.parent})"
    return did_you_mean(path.name, [other.name for other in path.parent.iterdir()])
