"""One thread for products of matrices: small ones take longer on several."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager
from functools import lru_cache
from typing import Any

from threadpoolctl import ThreadpoolController


def one_thread() -> AbstractContextManager[Any]:
    """Libraries with threads of their own use one of them, and the sums are the same everywhere."""
    limited: AbstractContextManager[Any] = _libraries(len(sys.modules)).limit(limits=1)
    return limited


@lru_cache(maxsize=1)
def _libraries(modules: int) -> ThreadpoolController:
    """The libraries with threads of their own, while no module is loaded that may bring another.

    To find them takes ten milliseconds.
    """
    return ThreadpoolController()
