"""One thread for products of matrices: small ones take longer on several."""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache
from typing import Any

from threadpoolctl import ThreadpoolController


def one_thread() -> AbstractContextManager[Any]:
    """Libraries with threads of their own use one of them, and the sums are the same everywhere."""
    limited: AbstractContextManager[Any] = _libraries().limit(limits=1)
    return limited


@cache
def _libraries() -> ThreadpoolController:
    """The libraries with threads of their own; to find them takes a while."""
    return ThreadpoolController()
