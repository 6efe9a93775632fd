"""One thread for linear algebra.

Small products of matrices take longer on several threads, and eigenvectors differ in their last
bits with the number of threads.
"""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager
from functools import lru_cache
from typing import Any


def one_thread() -> AbstractContextManager[Any]:
    """What the loaded libraries compute inside uses one thread, so sums are the same everywhere."""
    limited: AbstractContextManager[Any] = _libraries(len(sys.modules)).limit(limits=1)
    return limited


def scipy_on_one_thread() -> AbstractContextManager[Any]:
    """The same with scipy loaded first: its library comes with it, too late for an outer limit."""
    import scipy.linalg  # noqa: F401

    return one_thread()


@lru_cache(maxsize=1)
def _libraries(modules: int) -> Any:
    """The libraries with threads of their own, while no module is loaded that may bring another.

    Finding them takes ten milliseconds.
    """
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
