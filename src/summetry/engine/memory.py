"""What the engine asks of the memory allocator."""

from __future__ import annotations

from functools import cache

import numpy as np

# Above the arrays of a chunk of ordinary texts; glibc does not look at more than 32 MB.
_LARGE = 16_000_000


@cache
def keep_freed_memory() -> None:
    """Let arrays reuse the memory of earlier ones.

    glibc gives the memory of a freed array back to the system, and the next array gets it again
    page by page, until it has seen a larger one freed: from then on it keeps what is below that
    size. So one array is made and dropped, which touches no memory. On a first call of 2,500
    pairs that saves a third of the page faults, and nearly all of them on later calls.
    """
    np.empty(_LARGE, dtype=np.uint8)
