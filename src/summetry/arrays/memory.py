"""Memory that is not taken from among the memory of everything else."""

from __future__ import annotations

import mmap
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T", bound=np.generic)
# Not shared with processes that are forked, as it would be on some systems unless this is said.
_PRIVATE = (
    {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_ANONYMOUS") else {}
)


def room_apart(count: int, kind: type[T]) -> NDArray[T]:
    """Room for numbers, all 0, that the system gives and gets back by itself.

    For what stays while much else comes and goes: it would keep the places between from being used
    again. And for what is larger than will be needed: what nobody writes to takes no memory.

    >>> room_apart(3, np.int64)
    array([0, 0, 0])
    """
    size = count * np.dtype(kind).itemsize
    return np.frombuffer(mmap.mmap(-1, max(size, 1), **_PRIVATE), kind, count)
