"""Finished chunks on disk, by the content they were computed from.

A key covers the texts of the chunk, the metrics, the weights of encoders, the code of Summetry and
of plug-ins, and the versions of the libraries that find words, so a chunk is found again only where
it would come out the same. It begins with what all chunks of a run share: a run whose beginning is
not there has nothing to look for. Files are written whole or not at all: a process that is killed
leaves finished chunks and nothing else. Each begins with a checksum, so a damaged one is never
taken for numbers.
"""

from __future__ import annotations

import contextlib
import errno
import inspect
import os
import re
import sys
import time
import weakref
from collections import Counter
from collections.abc import Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from xxhash import xxh3_64_hexdigest, xxh3_128, xxh3_128_digest

from summetry import spec
from summetry.engine.chunks import ChunkScores, Note
from summetry.engine.plan import Chunk, Reading, Task
from summetry.errors import SummetryError
from summetry.files import cache_folder, fingerprint_of_code, in_the_place_of, is_part
from summetry.installed import versions
from summetry.metrics import Metric
from summetry.records.scores import Whose

_KEPT_DAYS = 30
_FOLDER = "chunks"
_CHUNK_NAME = re.compile(r"[0-9a-f]{40}\.chunk")
_CHECKSUM_BYTES = 16
_LIBRARIES = ("numpy", "scipy", "PyStemmer", "rapidfuzz", "regex", "simplemma", "icu4py", "rjieba",
              "onnxruntime", "safetensors", "tokenizers")  # fmt: skip


class ChunkStore:
    """Finished chunks, in a folder ``chunks`` of its own below the one that the user names.

    A folder that holds anything else is refused: old chunks are removed, and nobody's data must
    ever be among them.
    """

    # In other processes: a file that is there if their folder is the same.
    mark: Path | None = None

    def __init__(self, home: Path) -> None:
        self.folder = home / _FOLDER
        try:
            strangers = _strangers(home)
            if not strangers:
                self.folder.mkdir(parents=True, exist_ok=True)
                if not os.access(self.folder, os.W_OK):
                    raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise SummetryError(f"{home}: cannot keep finished work here: {why}") from error
        if strangers:
            raise SummetryError(
                f"{home}: cannot keep finished work here: expected a new folder, or one that "
                f"holds nothing else, found {min(strangers)}; name another"
            )

    def __getstate__(self) -> dict[str, Path]:
        """The store for other processes, which may be on machines with a folder of their own."""
        return {"folder": self.folder.absolute(), "mark": self.mark or self._mark}

    @cached_property
    def _mark(self) -> Path:
        """A file that tells the folder from others of its name, while this store is in use."""
        mark = self.folder.absolute() / f".mark.{os.urandom(8).hex()}.part"
        weakref.finalize(self, _remove, mark)
        with contextlib.suppress(OSError):
            mark.touch()
        return mark

    def has_begun(self, run: str) -> bool:
        """Whether something is kept of a run, by the beginning of its keys."""
        try:
            return any(path.name.startswith(run) for path in self.folder.iterdir())
        except OSError:
            return False

    def get(self, key: str) -> ChunkScores | None:
        try:
            whole = self._path(key).read_bytes()
            checksum, content = whole[:_CHECKSUM_BYTES], whole[_CHECKSUM_BYTES:]
            if xxh3_128_digest(content) != checksum:
                return None
            return msgspec.msgpack.decode(content, type=_Kept).scores()
        except (OSError, ValueError, msgspec.DecodeError):
            return None  # Not there, or not whole: it is computed again.

    def put(self, key: str, scores: ChunkScores) -> str:
        """Keep the scores of a chunk; why that cannot be, or nothing."""
        if self.mark and not self.mark.exists():
            return f"{self.folder}: not the folder of this run"
        content = msgspec.msgpack.encode(_Kept.of(scores))
        try:
            # A look at all others for old parts, see :meth:`prune`, would take longer and longer.
            with in_the_place_of(self._path(key)) as part, part.open("wb") as file:
                file.write(xxh3_128_digest(content))
                file.write(content)
        except OSError as error:
            # The scores are there all the same: a full disk must not cost them.
            return f"{self.folder}: {(error.strerror or str(error)).lower()}"
        return ""

    def prune(self) -> None:
        """Remove what was kept more than a month ago, and parts that a kill left behind."""
        now = time.time()
        for path in filter(_is_ours, self.folder.iterdir()):
            with contextlib.suppress(OSError):
                days = (now - path.stat().st_mtime) / 86400
                if days > (1 if is_part(path) else _KEPT_DAYS):
                    path.unlink()

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}.chunk"


def _strangers(home: Path) -> list[Path]:
    """What the store did not put into a folder; all of the user's own cache is ours."""
    is_own_cache = home == cache_folder() or not home.exists()
    others = [] if is_own_cache else [path for path in home.iterdir() if path.name != _FOLDER]
    chunks = home / _FOLDER
    kept = [chunks] if chunks.exists() and not chunks.is_dir() else chunks.glob("*")
    return others + [path for path in kept if not _is_ours(path)]


def _remove(mark: Path) -> None:
    with contextlib.suppress(OSError):
        mark.unlink(missing_ok=True)


def _is_ours(path: Path) -> bool:
    # By the name alone: another run may just have removed or renamed it.
    return is_part(path) or _CHUNK_NAME.fullmatch(path.name) is not None


class _Kept(msgspec.Struct, frozen=True):
    shape: tuple[int, int]
    data: bytes
    notes: tuple[tuple[Note, int], ...]
    lacking: tuple[tuple[Note, tuple[int, ...]], ...]
    skipped: tuple[str, ...]
    systems: tuple[tuple[str, str, str], ...]
    places: bytes
    topics: tuple[str, ...]
    empty: tuple[int, ...]
    reading: Reading | None

    @classmethod
    def of(cls, scores: ChunkScores) -> _Kept:
        assert scores.whose is not None
        systems, places, topics = scores.whose
        return cls(
            scores.data.shape, scores.data.tobytes(), tuple(scores.notes.items()),
            tuple(scores.lacking.items()), scores.skipped, systems, places.tobytes(),
            tuple(topics), scores.empty, scores.reading,
        )  # fmt: skip

    def scores(self) -> ChunkScores:
        """The same; an error where numbers and names do not fit together."""
        data = np.frombuffer(self.data, np.float64).reshape(self.shape)
        whose = Whose(self.systems, np.frombuffer(self.places, np.int64), self.topics)
        if not len(data) == len(whose.places) == len(whose.topics):
            raise ValueError("other rows")
        notes, lacking = Counter(dict(self.notes)), dict(self.lacking)
        return ChunkScores(data, notes, lacking, self.skipped, whose, self.empty, self.reading)


def run_key(metrics: Sequence[Metric], on_error: str) -> str:
    """What all chunks of a run depend on, as 16 hex digits."""
    spellings = [spec.show(metric) for metric in metrics]
    pipelines = [metric.pipeline for metric in metrics if metric.pipeline is not None]
    # A spelling names the folder of an encoder, not what is in it.
    described = [pipeline.describe() for pipeline in pipelines]
    code = code_key(tuple(map(type, [*metrics, *pipelines])))
    content = msgspec.msgpack.encode([spellings, described, on_error, code])
    return xxh3_64_hexdigest(content)


def task_key(task: Task, chunk: Chunk | None = None) -> str:
    """What one task of a run depends on, as 24 hex digits; ``chunk`` if it is read already."""
    settings, content = task.content(chunk)
    digest = xxh3_128(msgspec.msgpack.encode(settings))
    digest.update(content)
    return digest.hexdigest()[:24]


@cache
def code_key(classes: tuple[type[Any], ...]) -> str:
    """A fingerprint of the program: a user who edits a metric must not get old numbers."""
    beside: set[Path] = set()
    for cls in classes:
        with contextlib.suppress(OSError, TypeError):
            file = Path(inspect.getfile(cls))
            # A module, with all others of its package if it is in one.
            is_in_package = (file.parent / "__init__.py").exists()
            beside |= {file, *(file.parent.rglob("*.py") if is_in_package else ())}
    return fingerprint_of_code(beside, [sys.version, *versions(_LIBRARIES)])
