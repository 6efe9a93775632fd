"""The log of a judge: every request with its answer, one JSON object per line, only ever added to.

A line is on the disk (fsync) before the next request of its worker begins: a kill can meet only
what is arriving at that moment. Of two lines with one key the later one counts. A last line that
was cut off by a kill or a full disk is named, and moved to ``NAME.cut`` before anything is added.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from summetry.errors import FormatError, Place, SummetryError
from summetry.files import with_name
from summetry.formats.lines import JSON_ERRORS, explain_json_error, numbered_lines
from summetry.judges.prompts import key_of
from summetry.records.base import Record


class Entry(Record, frozen=True):
    """A request, and what came back: a response, a body that is no JSON object, or a problem."""

    key: str
    model: str
    parameters: dict[str, Any]
    trial: int
    messages: list[dict[str, str]]
    about: dict[str, Any] = msgspec.field(default_factory=dict)
    response: dict[str, Any] | None = None
    body: str | None = None
    # Why there is no answer, after all attempts.
    problem: str = ""
    attempts: int = 1
    seconds: float = 0.0
    # When it was written, in UTC, by which version, and which server was asked.
    at: str = ""
    v: str = ""
    server: str = ""

    @property
    def is_answered(self) -> bool:
        """Whether anything came back, be it what was asked for or not."""
        return self.response is not None or self.body is not None


class JudgeLog:
    """The answers of a log, by key; ``notes`` say what is wrong with it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.notes: list[str] = []
        self.entries: dict[str, Entry] = {}
        # Where the file ends that can be read, and whether its last line has an end.
        self._size, self._is_ended = 0, True
        self._file: int | None = None
        self._adding = threading.Lock()
        if path.exists():
            self._read()

    def _read(self) -> None:
        decode = msgspec.json.Decoder(Entry).decode
        for number, line in numbered_lines(self.path):
            place = Place(str(self.path), number)
            is_ended = line.endswith(b"\n")
            try:
                entry = decode(line) if line.strip() else None
            except JSON_ERRORS as error:
                if is_ended:
                    raise explain_json_error(place, line, error, Entry) from error
                self.notes.append(
                    f"{place}: the last line is cut off after {len(line):,} bytes, as by a kill or "
                    f"a full disk; it is not counted, and its request is still to be asked"
                )
                break
            self._size, self._is_ended = self._size + len(line), is_ended
            if entry is not None:
                self._add(entry, place)

    def _add(self, entry: Entry, place: Place) -> None:
        key = key_of(entry.model, entry.parameters, entry.messages, entry.trial)
        if entry.key != key:
            advice = "was the line edited? Without it the request is asked again"
            raise FormatError(place, f"the key of its request, {key[:12]}...", entry.key, advice)
        # What was asked is known from its key, and texts would fill the memory.
        self.entries[key] = msgspec.structs.replace(entry, messages=[], about={})

    @contextlib.contextmanager
    def opened(self) -> Iterator[None]:
        """The log to be added to, by one process at a time."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        is_new = not self.path.exists()
        # Windows would change the ends of lines otherwise.
        # It holds texts, which are its owner's.
        how = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
        self._file = os.open(self.path, how, 0o600)
        try:
            _lock(self._file, self.path)
            self._end_last_line()
            if is_new:
                _sync_folder(self.path.parent)
            yield
        finally:
            os.close(self._file)
            self._file = None

    def add(self, *entries: Entry) -> None:
        """Write entries, and see that they are on the disk."""
        assert self._file is not None
        lines = b"".join(msgspec.json.encode(one) + b"\n" for one in entries)
        try:
            with self._adding:
                _write(self._file, lines)
                os.fsync(self._file)
        except OSError as error:
            raise with_name(error, self.path) from None
        for one in entries:
            self.entries[one.key] = msgspec.structs.replace(one, messages=[], about={})

    def _end_last_line(self) -> None:
        """Move half a line out of the way; end one that only lacks its end."""
        assert self._file is not None
        size = os.fstat(self._file).st_size
        if size < self._size:
            raise SummetryError(f"{self.path}: became shorter while it was read; try again")
        os.lseek(self._file, self._size, os.SEEK_SET)
        rest = os.read(self._file, size - self._size)
        if b"\n" in rest:
            raise SummetryError(
                f"{self.path}: another run has added to it meanwhile; give the command again"
            )
        if rest:
            aside = self.path.with_name(f"{self.path.name}.cut")
            aside.touch(0o600)
            with aside.open("ab") as file:
                file.write(rest + b"\n")
                file.flush()
                os.fsync(file.fileno())
            os.ftruncate(self._file, self._size)
            self.notes.append(f"{self.path}: the line that is cut off was moved to {aside}")
        if not self._is_ended:
            _write(self._file, b"\n")
            self._size, self._is_ended = self._size + 1, True


def _write(file: int, content: bytes) -> None:
    """All of the content: a nearly full disk takes a part of it, and then says so."""
    view = memoryview(content)
    while view:
        view = view[os.write(file, view) :]


def _lock(file: int, path: Path) -> None:
    """Refuse a log that another process adds to: both would pay for the same requests."""
    try:
        import fcntl
    except ModuleNotFoundError:  # Windows has none of it.
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise SummetryError(
            f"{path}: another run is adding to this log; wait for it, or name another by --log"
        ) from None


def _sync_folder(folder: Path) -> None:
    """See that a new file has its name on the disk, too."""
    with contextlib.suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
