"""The hot loops in C, compiled when the package is built, and called with arrays.

Beside every function of the kernel stands plain Python with the same values to the last bit. It is
what a single small pair runs on, what tests hold the kernel against, and what runs where there is
no compiled library, or where ``SUMMETRY_KERNEL=plain`` forces it. Whoever calls the kernel checks
shapes, ids and sizes first: C does not.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from summetry.errors import SummetryError, warn

_ENDINGS = {"win32": ".dll", "darwin": ".dylib"}
# Where the build puts the compiled library.
LIBRARY = Path(__file__).with_name("library" + _ENDINGS.get(sys.platform, ".so"))
# What an array given to the kernel may hold.
_KINDS = (np.dtype(np.int64), np.dtype(np.uint8), np.dtype(np.float64), np.dtype(np.bool_))
# Steps of a loop that take some seconds at most.
_STEPS = 1 << 30


def is_compiled() -> bool:
    """Whether the compiled library runs; otherwise plain Python does."""
    return _library() is not None


def call(name: str, *arguments: NDArray[Any] | int) -> int:
    """The whole number that a function of the kernel gives; what it finds is in its arrays."""
    library = _library()
    assert library is not None, "the caller asks is_compiled() first"
    given = []
    for argument in arguments:
        if isinstance(argument, np.ndarray):
            assert argument.dtype in _KINDS and argument.flags.c_contiguous, name
            given.append(ctypes.c_int64(argument.ctypes.data))
        else:
            given.append(ctypes.c_int64(argument))
    function = getattr(library, name)
    function.restype = ctypes.c_int64
    # The arrays are held by ``arguments`` until the function is back.
    found: int = function(*given)
    if found < 0:
        raise MemoryError(f"no memory for {name}")
    return found


def in_parts(steps: NDArray[np.int64]) -> Iterator[slice]:
    """Neighbours that take some seconds together, by how many steps each takes at most.

    Python hears Ctrl-C between two calls and not during one, so a long loop is several calls.

    >>> [(part.start, part.stop) for part in in_parts(np.array([5, _STEPS, 5, 5]))]
    [(0, 1), (1, 4)]
    """
    part = np.cumsum(steps) // _STEPS
    ends = [*(np.flatnonzero(np.diff(part)) + 1).tolist(), len(steps)]
    return (slice(start, end) for start, end in pairwise([0, *ends]))


@cache
def _library() -> ctypes.CDLL | None:
    wanted = os.environ.get("SUMMETRY_KERNEL", "")
    if wanted == "plain":
        return None
    if wanted:
        raise SummetryError(f"SUMMETRY_KERNEL can be 'plain' or not set, got {wanted!r}")
    try:
        return ctypes.CDLL(str(LIBRARY))
    except OSError:
        warn(
            "the compiled part of Summetry is missing, so plain Python counts: the same values, "
            "but slower; install it where there is a C compiler, or set SUMMETRY_KERNEL=plain to "
            "hear no more of it"
        )
        return None
