"""The hot loops in C, compiled when the package is built, and called with arrays.

Beside every function of the kernel stands plain Python with the same values to the last bit. It is
what tests hold the kernel against, and what runs where there is no compiled library, or where
``SUMMETRY_KERNEL=plain`` forces it. ``SUMMETRY_KERNEL`` may also be
the path of another library, such as one with the compiler's checks in it. Whoever calls the kernel
checks shapes, ids and sizes first: C does not.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from summetry.arrays.kernel.built_from import fingerprint, library_name
from summetry.errors import SummetryError, warn

# Where the build puts the compiled library.
LIBRARY = Path(__file__).with_name(library_name())
# What an array given to the kernel may hold.
_KINDS = (np.dtype(np.int64), np.dtype(np.uint8), np.dtype(np.float64), np.dtype(np.bool_))
_START = ctypes.c_char * 0
# Steps of a loop that take some seconds at most.
_STEPS = 1 << 30


def is_compiled() -> bool:
    """Whether the compiled library runs; otherwise plain Python does."""
    return library() is not None


def call(name: str, *arguments: NDArray[Any] | bytes | int) -> int:
    """The whole number that a function of the kernel gives; what it finds is in its arrays."""
    # The arrays are held by ``arguments`` until the function is back.
    return call_at(name, *[address(a) if isinstance(a, np.ndarray) else a for a in arguments])


def call_at(name: str, *arguments: bytes | int) -> int:
    """As :func:`call`, with the addresses of arrays that the caller holds."""
    compiled = library()
    assert compiled is not None, "the caller asks is_compiled() first"
    function = getattr(compiled, name)
    if function.argtypes is None:
        # Addresses have 64 bits, as whole numbers have.
        function.argtypes = [ctypes.c_void_p] * len(arguments)
        function.restype = ctypes.c_int64
    found: int = function(*arguments)
    if found < 0:
        raise MemoryError(f"no memory for {name}")
    return found


def address(array: NDArray[Any]) -> int:
    """Where an array begins: for a caller who holds it for several small calls."""
    assert array.dtype in _KINDS and array.flags.c_contiguous
    if not array.flags.writeable:
        return array.ctypes.data
    # Several times as fast.
    return ctypes.addressof(_START.from_buffer(array.data))


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
def library() -> ctypes.CDLL | None:
    """The compiled library, for calls that take a microsecond; None where there is none."""
    wanted = os.environ.get("SUMMETRY_KERNEL", "")
    if wanted == "plain":
        return None
    try:
        return _load(Path(wanted).absolute() if wanted else LIBRARY)
    except OSError as error:
        if wanted:
            expected = "SUMMETRY_KERNEL can be 'plain' or the path of a compiled library"
            raise SummetryError(f"{expected}, got {wanted!r}: {error}") from error
        warn(
            f"Summetry runs in plain Python, with the same values but slower: {error}; install it "
            "again where there is a C compiler, or set SUMMETRY_KERNEL=plain to hide this note"
        )
        return None


def _load(path: Path) -> ctypes.CDLL:
    """The library in a file; an OSError says what is wrong with it."""
    if not path.is_file():
        raise OSError("the compiled part is missing" if path == LIBRARY else "no such file")
    library = ctypes.CDLL(str(path))
    if not hasattr(library, "built_from"):
        raise OSError("the compiled part is not of this version")
    library.built_from.restype = ctypes.c_int64
    # 0 is a library that was compiled by hand. One of older files may crash: its functions may take
    # other arguments.
    if library.built_from() not in (0, fingerprint(LIBRARY.parent)):
        raise OSError("the C files were changed after the compiled part was built")
    # Bytes and bytes are handed over in less time than addresses.
    library.count_words.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_void_p]
    library.count_words.restype = ctypes.c_int64
    return library
