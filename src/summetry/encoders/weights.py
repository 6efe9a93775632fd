"""Which weights they are: the SHA-256 of files, computed once while they stay as they are."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

_DIGITS = 16


def hash_of(files: Iterable[Path]) -> str:
    """Sixteen hex digits that change with the content of any of these files, or their order."""
    digest = hashlib.sha256()
    for file in files:
        seen = file.stat()
        digest.update(_sha256(file.resolve(), seen.st_size, seen.st_mtime_ns))
    return digest.hexdigest()[:_DIGITS]


@lru_cache(maxsize=64)
def _sha256(file: Path, size: int, changed: int) -> bytes:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").digest()
