"""Files that are there as a whole or not at all, their text, and what a cache of results needs."""

from __future__ import annotations

import atexit
import contextlib
import glob
import gzip
import io
import os
import re
import shutil
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import BinaryIO, cast

from xxhash import xxh3_128

from summetry.errors import FormatError, Place, SummetryError, optional_module, shorten

# What packs a file, by its ending, and what each packed file begins with.
_PACKED = {".gz": "gzip", ".zst": "zstd"}
_BEGINNINGS = {".gz": b"\x1f\x8b", ".zst": b"\x28\xb5\x2f\xfd"}
# A file that was begun and not written to for so long was left by a kill.
_OLD_SECONDS = 86_400
# No file or folder has a longer name, in bytes.
_LONGEST_NAME = 255
UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
# Our own files that decide a number: code, languages, stop words and irregular forms; not those of
# families that only ask for numbers and show them.
_DECIDING = (".py", ".toml", ".tsv", ".txt", ".c", ".h")
_SHOWING = {"__pycache__", "cli", "reports", "web"}
_PART_NAME = re.compile(r"\..{1,40}\.[0-9a-f]{16}\.part", re.DOTALL)


@contextlib.contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """A new file beside ``path`` that takes its place when all is written, and is gone otherwise.

    Its name is its own, so that two processes may write to one ``path``: the last one wins, and
    neither damages the other's. Pipes and devices are written to directly; a link stays a link.
    """
    if path.exists() and not path.is_file():
        yield path
        return
    place = path.resolve() if path.is_symlink() else path
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        _remove_old_parts(place)
        with in_the_place_of(place) as part:
            yield part
    except OSError as error:
        raise with_name(error, path) from None


@contextlib.contextmanager
def in_the_place_of(place: Path) -> Iterator[Path]:
    """As :func:`written_whole`, in a folder that is there and is tidied up by its owner."""
    # Hidden, so that nobody who lists the folder meanwhile takes it for data; the beginning of the
    # name is enough to recognise it by, and the whole might be too long with what is added.
    part = place.with_name(f".{place.name[:40]}.{os.urandom(8).hex()}.part")
    _begun[part] = os.getpid()
    try:
        # With the permissions of any new file, which `tempfile` does not give.
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
        if place.exists():
            shutil.copymode(place, part)
        yield part
        part.replace(place)
    finally:
        part.unlink(missing_ok=True)
        _begun.pop(part, None)


# Files that are not whole yet, with the process that writes them. Ctrl-C may come between two steps
# of a `with` statement, which then does not undo the first.
_begun: dict[Path, int] = {}


@atexit.register
def _remove_begun() -> None:
    for part, process in list(_begun.items()):
        if process == os.getpid():
            # The folder may be gone by now, or something else.
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a text (UTF-8, line ends as they are) or bytes to a file, whole or not at all."""
    write_together({path: content})


def write_together(contents: Mapping[Path, str | bytes]) -> None:
    """Write several files, each as :func:`write_whole` does, or none of them.

    All are complete before the first takes its place, so a full disk leaves earlier files as they
    were.
    """
    with contextlib.ExitStack() as whole:
        for path, content in contents.items():
            part = whole.enter_context(written_whole(path))
            part.write_bytes(content if isinstance(content, bytes) else content.encode())


def is_text(name: str | Path) -> bool:
    """Whether a string is a text and no path: too long for a name, or with a line break.

    A line break may be in the name of a file that is there.

    >>> is_text("corpus.jsonl"), is_text("Une phrase. " * 40), is_text("One.\\nTwo.")
    (False, True, True)
    """
    words = str(name)
    parts = (part.encode(errors="surrogatepass") for part in words.split("/"))
    is_long = any(len(part) > _LONGEST_NAME for part in parts)
    return "\0" in words or ((is_long or "\n" in words) and not os.path.lexists(name))


def found_text(expected: str, text: str | Path) -> SummetryError:
    """An error that says a text was given where a path is needed."""
    found = shorten(str(text))
    return SummetryError(f"expected {expected}, found a text, {found}; name a file that holds it")


def refuse_inputs(outputs: Iterable[Path], inputs: Iterable[str | Path | None]) -> None:
    """Refuse to write over what is read: a file, or what a corpus in a folder has in its folders.

    Directly in such a folder tables and charts may stand beside the corpus, and be written again.
    """
    read = [Path(n) for n in inputs if n and not is_text(n) and Path(n).exists()]
    for output in outputs:
        if output.is_file() and any(_is_of(output, path) for path in read):
            raise SummetryError(f"{output}: would be written over what is read; name another file")


def _is_of(file: Path, path: Path) -> bool:
    if path.is_file():
        return file.samefile(path)
    place, folder = file.resolve(), path.resolve()
    return folder in place.parent.parents or place == folder / "corpus.json"


def with_name(error: OSError, path: Path) -> OSError:
    """The error with the file that the user named: a full disk does not say what it was for."""
    is_part_or_unknown = error.filename is None or is_part(Path(os.fsdecode(error.filename)))
    if error.errno is not None and is_part_or_unknown:
        error.filename, error.filename2 = str(path), None
    return error


def is_compressed(path: Path) -> bool:
    """Whether a file is named as one that gzip or zstd packed."""
    return path.suffix.lower() in _PACKED


@contextlib.contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """A file to be read, unpacked where its name ends in ``.gz`` or ``.zst``."""
    with path.open("rb") as raw, unpacked(raw, path) as file:
        yield file


@contextlib.contextmanager
def unpacked(raw: BinaryIO, path: Path) -> Iterator[BinaryIO]:
    """What is in an opened file; an error that names it if it was packed and is broken."""
    ending, file = path.suffix.lower(), raw
    try:
        if ending == ".gz":
            file = cast(BinaryIO, gzip.GzipFile(fileobj=raw, mode="rb"))
        elif ending == ".zst":
            stream = optional_module("pyarrow", "reading .zst").CompressedInputStream(raw, "zstd")
            file = cast(BinaryIO, io.BufferedReader(stream))
        yield file
    except (EOFError, zlib.error, OSError) as error:
        if not is_compressed(path) or getattr(error, "errno", None):
            raise
        found, advice = f"a broken one ({error})", "was it cut off when it was written or copied?"
        raw.seek(0)
        if not raw.read(4).startswith(_BEGINNINGS[ending]):
            found, advice = "one that is not packed", f"take {ending} off its name"
        expected = f"a whole file that {_PACKED[ending]} packed"
        raise FormatError(Place(str(path)), expected, found, advice) from error


def is_part(path: Path) -> bool:
    """Whether a file was begun by :func:`written_whole`; one that is old was left by a kill."""
    return _PART_NAME.fullmatch(path.name) is not None


def cache_folder() -> Path:
    """The user's folder for what can be made again: ``$XDG_CACHE_HOME/summetry`` or ~/.cache/..."""
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(home) / "summetry"


def fingerprint_of_code(others: Iterable[Path] = (), settings: Iterable[str] = ()) -> str:
    """32 hex digits that change with any of our files that decides a number, or another one.

    What was made by another program, or under other settings, must not be taken from a cache.
    """
    files = {os.fspath(file) for file in others}
    for folder, inner, names in os.walk(Path(__file__).parent):
        inner[:] = set(inner) - _SHOWING
        files.update(f"{folder}/{name}" for name in names if name.endswith(_DECIDING))
    digest = xxh3_128(" ".join(settings).encode())
    for file in sorted(files):
        with Path(file).open("rb", buffering=0) as code:
            digest.update(code.read())
    return digest.hexdigest()


def _remove_old_parts(path: Path) -> None:
    """Remove what runs that were killed left beside ``path``; nobody writes for a day and rests."""
    name = f".{path.name[:40]}."
    for part in path.parent.glob(f"{glob.escape(name)}*.part"):
        with contextlib.suppress(OSError):
            if is_part(part) and time.time() - part.stat().st_mtime > _OLD_SECONDS:
                part.unlink()


def decoded_text(content: bytes, name: str) -> str:
    """The text of what was read from ``name``, whatever characters it has."""
    if content.startswith(UTF16_MARKS):
        raise FormatError(Place(name), "UTF-8", "UTF-16", "save the file as UTF-8")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        found = f"the byte {content[error.start]:#04x}"
        raise FormatError(Place(name, line), "UTF-8", found, "save the file as UTF-8") from error
    return text.replace("\r\n", "\n")
