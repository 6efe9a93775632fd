"""scipy's library for matrices, kept to one thread.

scipy is loaded when it is first needed, and its library with it: too late for whoever has limited
the threads of the libraries that were there before. Eigenvectors differ in their last bits with
the number of threads, and those of small matrices take many times as long on several.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache
from typing import Any

from threadpoolctl import ThreadpoolController


def scipy_on_one_thread() -> AbstractContextManager[Any]:
    """What scipy and numpy compute inside uses one thread."""
    limited: AbstractContextManager[Any] = _libraries().limit(limits=1)
    return limited


@cache
def _libraries() -> ThreadpoolController:
    """The libraries with threads of their own, scipy's among them."""
    import scipy.linalg  # noqa: F401

    return ThreadpoolController()
