"""Uploaded files in a folder of their own, before a reader sees them.

What could do harm is refused: archives that grow without end, names that lead out of the folder,
links.
"""

from __future__ import annotations

import contextlib
import errno
import shutil
import stat
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, BinaryIO, cast

from summetry.errors import SummetryError, shorten
from summetry.files import is_compressed, unpacked
from summetry.formats.parquet import unpacked_size

MEGABYTE = 2**20
MOST_FILES = 10_000
MOST_UNPACKED = 200 * MEGABYTE
# Text becomes a third to a tenth of its size; what shrinks more than this is no text.
MOST_RATIO = 200
# Below this size a file cannot do harm, however small it became.
_SMALL = MEGABYTE
_LONGEST_LIST = 8 * MEGABYTE
_DEEPEST = 20
_END = b"PK\x05\x06"
_END_64 = b"PK\x06\x07"
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_DAMAGED = (
    zipfile.BadZipFile, zlib.error, EOFError, OSError, struct.error, RuntimeError, ValueError,
)  # fmt: skip
_OFFICE = (
    ".doc",
    ".docx",
    ".odt",
    ".rtf",
    ".pdf",
    ".xls",
    ".xlsx",
    ".ods",
    ".ppt",
    ".pptx",
    ".odp",
)
EXPECTED = (
    "texts (.txt), a table (CSV, TSV, JSON, JSONL, Parquet), or a zip of a corpus in a format that "
    "Summetry knows"
)
# Of a native folder this file is enough.
_TOPICS = "topics.jsonl"


@dataclass(frozen=True)
class UploadedFile:
    """A file as the browser sent it."""

    name: str
    content: BinaryIO


def store(files: Sequence[UploadedFile], folder: Path) -> Path:
    """Put files into a folder; where to read from."""
    for file in files:
        if file.name.lower().endswith(_OFFICE):
            raise SummetryError(
                f"{shorten(file.name)}: expected {EXPECTED}, found an office document; save it as "
                f"plain text (.txt) or as CSV first"
            )
    if len(files) == 1 and _is_zip(files[0]):
        _unpack(files[0], folder)
        return _root(folder)
    if len(files) > MOST_FILES:
        raise SummetryError(f"expected at most {MOST_FILES:,} files, found {len(files):,}")
    names = [_unpacked_name(_base_name(file.name)) for file in files]
    for name, count in Counter(names).items():
        if count > 1:
            raise SummetryError(f"{name}: the file was chosen {count} times; rename one of them")
    if any(_is_zip(file) for file in files):
        raise SummetryError("a zip file is uploaded alone; choose it without other files")
    if all(name.lower().endswith(".txt") for name in names):
        folder = folder / "sources"
        folder.mkdir()
    left = MOST_UNPACKED
    for name, file in zip(names, files, strict=True):
        try:
            left -= _write(file.content, file.name, folder / name, left)
        except OSError as error:
            words = (error.strerror or "").lower()
            raise SummetryError(f"{shorten(name)}: the file cannot be stored: {words}") from None
    if len(names) == 1 and folder.name != "sources" and names[0] != _TOPICS:
        return folder / names[0]
    return folder.parent if folder.name == "sources" else folder


def _base_name(name: str) -> str:
    """The name of a file without folders; browsers of the past sent whole paths."""
    base = name.replace("\\", "/").rpartition("/")[2]
    if not base.strip(". ") or base.startswith(".") or not base.isprintable():
        raise SummetryError(f"{shorten(name)}: not a name for a file; rename it")
    return base


def _unpacked_name(name: str) -> str:
    """The name of a file that gzip or zstd packed, without the endings that say so."""
    while is_compressed(Path(name)):
        name = Path(name).stem
    return name


def _is_zip(file: UploadedFile) -> bool:
    start = file.content.read(4)
    file.content.seek(0)
    return file.name.lower().endswith(".zip") or start in (b"PK\x03\x04", _END)


def _unpack(file: UploadedFile, folder: Path) -> None:
    name = shorten(file.name)
    _look_at_the_end(file.content, name)
    try:
        with zipfile.ZipFile(file.content) as archive:
            members = _checked_members(archive, name)
            left = MOST_UNPACKED
            for member, inside in members:
                target = folder.joinpath(*inside.parts)
                target.parent.mkdir(parents=True, exist_ok=True)
                with archive.open(member) as content:
                    left -= _write(content, member.filename, target, left)
    except SummetryError:
        raise
    except _DAMAGED as error:
        if getattr(error, "errno", None) == errno.ENOSPC:
            raise
        raise SummetryError(f"{name}: the zip file is damaged; make it again") from None


def _look_at_the_end(content: BinaryIO, name: str) -> None:
    """Refuse a list of files that is too long, before all of it is read into memory."""
    size = content.seek(0, 2)
    content.seek(max(0, size - 65_557))
    tail = content.read()
    content.seek(0)
    at = len(tail) - 22
    if not (at >= 0 and tail[at : at + 4] == _END and tail[-2:] == b"\0\0"):
        at = tail.rfind(_END)
    if at < 0 or len(tail) - at < 22:
        raise SummetryError(f"{name}: expected a zip file, found something else, or half of one")
    count, length = struct.unpack("<HI", tail[at + 10 : at + 16])
    if count > MOST_FILES or length > _LONGEST_LIST or tail[max(0, at - 20) :][:4] == _END_64:
        raise SummetryError(f"{name}: expected at most {MOST_FILES:,} files in it, found more")


def _checked_members(
    archive: zipfile.ZipFile, name: str
) -> list[tuple[zipfile.ZipInfo, PurePosixPath]]:
    """The files of an archive that are read, each with its place in the folder."""
    members = archive.infolist()
    if len(members) > MOST_FILES:
        raise SummetryError(
            f"{name}: expected at most {MOST_FILES:,} files in it, found {len(members):,}"
        )
    if sum(member.file_size for member in members) > MOST_UNPACKED:
        raise SummetryError(_too_much(name))
    kept: dict[PurePosixPath, zipfile.ZipInfo] = {}
    for member in members:
        inside = _inside(member, name)
        inside = inside.with_name(_unpacked_name(inside.name)) if inside.name else inside
        is_small = member.file_size <= max(_SMALL, MOST_RATIO * member.compress_size)
        if not is_small or member.compress_type not in _METHODS or member.flag_bits & 1:
            raise SummetryError(
                f"{name}: {shorten(member.filename)} is encrypted or packed more tightly than "
                f"text can be; make the zip file again from the text files"
            )
        # What computers leave in a folder beside what people put there.
        hidden = any(part.startswith(".") or part == "__MACOSX" for part in inside.parts)
        if member.is_dir() or hidden:
            continue
        if inside in kept:
            raise SummetryError(f"{name}: {shorten(member.filename)} is in it twice")
        kept[inside] = member
    return [(member, inside) for inside, member in kept.items()]


def _inside(member: zipfile.ZipInfo, name: str) -> PurePosixPath:
    """The path of a member, if it stays in the folder and is a plain file or a folder."""
    kind = stat.S_IFMT(member.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise SummetryError(
            f"{name}: {shorten(member.filename)} is a link or a device; expected files only"
        )
    path = PurePosixPath(member.filename)
    leaves = path.is_absolute() or ".." in path.parts or "\\" in member.orig_filename
    if leaves or ":" in (path.parts or (":",))[0] or len(path.parts) > _DEEPEST:
        raise SummetryError(
            f"{name}: {shorten(member.orig_filename)} leads out of the folder; expected names like "
            f"topics.jsonl or sources/t1.txt"
        )
    return path


def _write(content: IO[bytes], name: str, target: Path, most: int) -> int:
    """Write a file, unpacked if it is packed; how many bytes its data have, at most so many."""
    with contextlib.ExitStack() as packed, target.open("xb") as out:
        while is_compressed(Path(name)):
            content = packed.enter_context(unpacked(cast(BinaryIO, content), Path(name)))
            name = Path(name).stem
        taken = 0
        while part := content.read(MEGABYTE):
            taken += len(part)
            if taken > most:
                raise SummetryError(_too_much(name))
            out.write(part)
    # Before it is decoded.
    taken = max(taken, unpacked_size(target, most))
    if taken > most:
        raise SummetryError(_too_much(name))
    return taken


def _too_much(name: str) -> str:
    return f"{name}: expected at most {MOST_UNPACKED // MEGABYTE} MB of data, found more"


def _root(folder: Path) -> Path:
    """The folder that was packed: zip files often hold it, not only what is in it."""
    inner = sorted(folder.iterdir())
    if not inner:
        raise SummetryError("the zip file holds no files")
    if len(inner) == 1 and inner[0].is_dir():
        # A folder of sources alone is a corpus without its own name.
        return folder if inner[0].name in ("sources", "source") else _root(inner[0])
    if all(path.is_file() and path.suffix.lower() == ".txt" for path in inner):
        texts = folder / "sources"
        texts.mkdir()
        for path in inner:
            shutil.move(path, texts / path.name)
    elif len(inner) == 1 and inner[0].name != _TOPICS:
        return inner[0]
    return folder
