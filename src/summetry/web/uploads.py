"""Uploaded files as a corpus: unpacked into a folder of their own, read by the package's readers.

What could do harm is refused before a reader sees it: archives that grow without end, names that
lead out of the folder, links. A reader's notes come back with the corpus.
"""

from __future__ import annotations

import contextlib
import dataclasses
import re
import shutil
import stat
import struct
import tempfile
import threading
import warnings
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, BinaryIO, get_args

import msgspec

from summetry.errors import SummetryError, SummetryWarning, counted, shorten
from summetry.files import UTF16_MARKS
from summetry.formats import first_bytes, load, visible_files
from summetry.records.builder import OnError
from summetry.records.corpus import KINDS, Corpus
from summetry.records.guessed_languages import free_topics, text_of_topic, with_languages
from summetry.records.topics import UnitKind, cut_anew
from summetry.records.units import first_line_to_title
from summetry.text.guessing import guess_language
from summetry.text.languages import language, language_code

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
_EXPECTED = (
    "texts (.txt), a table (CSV, TSV, JSON, JSONL, Parquet), or a zip of a corpus in a format that "
    "Summetry knows"
)
# What readers advise to type on the command line, as what can be done before an upload.
_COMMANDS = {
    r"name it with --columns candidate=NAME": "name the columns as in id,system,candidate,source; "
    "texts without summaries are uploaded as files (.txt)",
    r"name it with --columns (\w+)=NAME": r"rename it to \1",
    r"--columns (\w+)=NAME names (?:it|the column)": r"rename the column to \1",
    r"(?:say )?--columns (\w+)=([^\s,;]+)": r"rename the column \2 to \1",
}
# Of a native folder this file is enough.
_TOPICS = "topics.jsonl"
# Warnings go to one place of the whole process: one upload at a time is read.
_reading = threading.Lock()


@dataclass(frozen=True)
class UploadedFile:
    """A file as the browser sent it."""

    name: str
    content: BinaryIO


@dataclass(frozen=True)
class Uploaded:
    """A corpus, and what the researcher should know of how it was read."""

    corpus: Corpus
    notes: tuple[str, ...]


def read_upload(
    files: Sequence[UploadedFile],
    spoken: str = "",
    genre: str = "",
    on_error: OnError = "stop",
    unit: UnitKind = "sentence",
    *,
    titles: bool = False,
) -> Uploaded:
    """The corpus in uploaded files.

    ``spoken``, ``genre`` and ``unit`` hold where the data do not say it. Without ``spoken``, a
    language that the data do not say is guessed. With ``titles``, a first line that looks like a
    title becomes the title. Notes say what was done.
    """
    files = [file for file in files if file.name]
    if not files:
        raise SummetryError("choose one or more files: texts, a table, or a zip of a folder")
    code = language_code(spoken)
    with tempfile.TemporaryDirectory(prefix="summetry-upload-") as name:
        # A reader that finds nothing looks beside the folder for what may have been meant.
        folder = Path(name).resolve() / "upload"
        folder.mkdir()
        path = _stored(files, folder)
        with _readable(folder), _noted() as notes:
            empty = _empty_texts(path)
            first = code or _first_guess(path)
            corpus = load(path, on_error=on_error, language=first)
            if not code and corpus.language == first:
                corpus = _in_guessed_languages(corpus, first, path, on_error, notes)
            if titles:
                corpus = _with_titles(corpus, notes)
            corpus = _in_units(corpus, unit, notes)
            notes += [f"{name} is empty, so nobody is given it." for name in empty]
        told = [*notes, *(f"left out: {problem}" for problem in corpus.problems)]
    if not corpus.topics:
        raise SummetryError("expected texts in the upload, found none")
    inside = dict.fromkeys(_without(folder, note) for note in told)
    if corpus.name == folder.name:
        # The name of our temporary folder.
        corpus = dataclasses.replace(corpus, name="")
    return Uploaded(_with_genre(corpus, genre), tuple(inside))


# ── files ─────────────────────────────────────────────────────────────────


def _stored(files: Sequence[UploadedFile], folder: Path) -> Path:
    """Put files into a folder; where to read from."""
    for file in files:
        if file.name.lower().endswith(_OFFICE):
            raise SummetryError(
                f"{shorten(file.name)}: expected {_EXPECTED}, found an office document; save it as "
                f"plain text (.txt) or as CSV first"
            )
    if len(files) == 1 and _is_zip(files[0]):
        _unpack(files[0], folder)
        return _root(folder)
    if len(files) > MOST_FILES:
        raise SummetryError(f"expected at most {MOST_FILES:,} files, found {len(files):,}")
    names = [_base_name(file.name) for file in files]
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
        with _named(name), (folder / name).open("xb") as out:
            left -= _copy(file.content, out, left, name)
    if len(names) == 1 and folder.name != "sources" and names[0] != _TOPICS:
        return folder / names[0]
    return folder.parent if folder.name == "sources" else folder


def _base_name(name: str) -> str:
    """The name of a file without folders; browsers of the past sent whole paths."""
    base = name.replace("\\", "/").rpartition("/")[2]
    if not base.strip(". ") or base.startswith(".") or not base.isprintable():
        raise SummetryError(f"{shorten(name)}: not a name for a file; rename it")
    return base


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
                with archive.open(member) as content, target.open("xb") as out:
                    left -= _copy(content, out, min(left, member.file_size), name)
    except SummetryError:
        raise
    except _DAMAGED:
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


def _copy(content: IO[bytes], out: IO[bytes], most: int, name: str) -> int:
    """Copy at most so many bytes; how many there were."""
    taken = 0
    while part := content.read(MEGABYTE):
        taken += len(part)
        if taken > most:
            raise SummetryError(_too_much(name))
        out.write(part)
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


# ── reading ───────────────────────────────────────────────────────────────


@contextlib.contextmanager
def _named(name: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        words = (error.strerror or "").lower()
        raise SummetryError(f"{shorten(name)}: the file cannot be stored: {words}") from None


@contextlib.contextmanager
def _readable(folder: Path) -> Iterator[None]:
    """What a reader finds wrong, in words that do not name our temporary folder."""
    try:
        yield
    except SummetryError as error:
        words = _without(folder, str(error))
        for command, advice in _COMMANDS.items():
            words = re.sub(command, advice, words)
        if "not recognised as any known format" in words:
            what = words.partition(":")[0]
            words = f"{what}: expected {_EXPECTED}; found none of them"
            names = {file.name for file in visible_files(folder)}
            if "topics.csv" in names and names & {f"{kind}.csv" for kind in KINDS}:
                words = (
                    f"{what}: expected a corpus, found the tables (CSV) of an export, which are "
                    f"for other programs and lack the language and the scales of the corpus; "
                    f"upload the export “Native corpus” instead, which holds everything"
                )
            elif binary := _first_binary(folder):
                words = (
                    f"{binary}: expected {_EXPECTED}; found binary data, such as a picture; upload "
                    f"the other files without it"
                )
        raise SummetryError(words) from None
    except (OSError, RecursionError, MemoryError) as error:
        raise SummetryError(f"the upload cannot be read: {type(error).__name__}") from None


def _empty_texts(path: Path) -> list[str]:
    """The text files that hold nothing; if all do, or one holds no text, that is refused."""
    texts = sorted((path / "sources").glob("*.txt"))
    empty = []
    for text in texts:
        start = first_bytes(text)
        if b"\0" in start and not start.startswith(UTF16_MARKS):
            raise SummetryError(
                f"{shorten(text.name)}: expected text, found binary data, such as a picture; "
                f"upload the text itself"
            )
        if not start.strip() and not text.read_bytes().strip():
            empty.append(shorten(text.name))
    if empty and len(empty) == len(visible_files(path)):
        verb = "is" if len(empty) == 1 else "are"
        raise SummetryError(f"{', '.join(empty[:5])} {verb} empty; choose files that hold text")
    return empty


def _first_binary(folder: Path) -> str:
    """The first file that is no text, if there are others beside it."""
    files = visible_files(folder)
    binary = [file for file in files if b"\0" in first_bytes(file)]
    return shorten(str(binary[0].relative_to(folder))) if binary and len(files) > 1 else ""


def _without(folder: Path, words: str) -> str:
    for whole in (folder, folder.parent):
        words = words.replace(f"{whole}/", "").replace(str(whole), "the upload")
    return words


@contextlib.contextmanager
def _noted() -> Iterator[list[str]]:
    """The notes that readers give in this thread; those of others go where they went before."""
    notes: list[str] = []
    mine = threading.get_ident()
    with _reading, warnings.catch_warnings():
        before = warnings.showwarning

        def show(message, category, filename, lineno, file=None, line=None):  # type: ignore[no-untyped-def]
            if threading.get_ident() == mine and issubclass(category, SummetryWarning):
                notes.append(str(message))
            elif not issubclass(category, SummetryWarning):
                before(message, category, filename, lineno, file, line)

        warnings.simplefilter("always", SummetryWarning)
        warnings.showwarning = show
        yield notes


def _first_guess(path: Path) -> str:
    """The language of the first text files, where there are any.

    If it proves right, long texts are cut into units once, not twice.
    """
    texts = sorted((path / "sources").glob("*.txt"))[:5]
    beginnings = []
    for text in texts:
        with text.open("rb") as content:
            beginnings.append(content.read(20_000).decode("utf-8", "ignore"))
    return guess_language("\n".join(beginnings)) if beginnings else ""


def _in_guessed_languages(
    corpus: Corpus, first: str, path: Path, on_error: OnError, notes: list[str]
) -> Corpus:
    """The corpus with the language of each topic that has none, and units cut accordingly.

    ``first`` is the language in which the corpus was read, a guess too.
    """
    guesses = {
        topic.id: guess_language(text_of_topic(corpus, topic)) or first
        for topic in corpus.topics
        if not topic.language
    }
    votes = Counter(guess for guess in guesses.values() if guess)
    if not votes:
        if guesses:
            notes.append("The language of the texts is not known. Choose it for each text.")
        return corpus
    common = min(votes, key=lambda code: (-votes[code], code))
    if common != first:
        notes.clear()
        corpus = load(path, on_error=on_error, language=common)
    others = {name: guess for name, guess in guesses.items() if guess not in ("", common)}
    listed = ", ".join(
        f"{language(code).name} ({counted(number, 'text')})"
        for code, number in sorted(votes.items(), key=lambda pair: (-pair[1], pair[0]))
    )
    notes.append(f"The language is guessed: {listed}. Change it where that is wrong.")
    return with_languages(corpus, others)


def _with_titles(corpus: Corpus, notes: list[str]) -> Corpus:
    """The corpus with first lines that look like titles as titles."""
    free = free_topics(corpus)
    topics = tuple(
        first_line_to_title(topic) if topic.id in free else topic for topic in corpus.topics
    )
    titles = [
        f"“{new.title}”"
        for old, new in zip(corpus.topics, topics, strict=True)
        if new.title != old.title
    ]
    if titles:
        shown = ", ".join(titles[:3]) + (", ..." if titles[3:] else "")
        notes.append(
            f"The first line of {counted(len(titles), 'text')} is taken as the title and is no "
            f"unit: {shown}. The page of a text puts it back."
        )
    return dataclasses.replace(corpus, topics=topics)


def _in_units(corpus: Corpus, unit: UnitKind, notes: list[str]) -> Corpus:
    """The corpus cut into units of the kind that was chosen, where it does not say its own."""
    free = free_topics(corpus)
    topics = tuple(
        cut_anew(topic, unit, corpus.language_of(topic))
        if topic.id in free and topic.unit == "sentence" != unit
        else topic
        for topic in corpus.topics
    )
    for kind in get_args(UnitKind):
        kept = sum(topic.unit == kind != unit and bool(topic.units) for topic in topics)
        if kept:
            verb = "keeps its units" if kept == 1 else "keep their units"
            notes.append(
                f"You chose {unit}s, but {counted(kept, 'text')} {verb}, {kind}s: the upload says "
                f"so, or holds something that refers to them."
            )
    return dataclasses.replace(corpus, topics=topics)


def _with_genre(corpus: Corpus, genre: str) -> Corpus:
    if not genre:
        return corpus
    topics = tuple(t if t.genre else msgspec.structs.replace(t, genre=genre) for t in corpus.topics)
    return dataclasses.replace(corpus, topics=topics)
