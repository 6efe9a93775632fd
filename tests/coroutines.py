"""Coroutines in tests: a browser of another test may have a loop in the thread of the tests."""

import asyncio
from concurrent.futures import ThreadPoolExecutor


def in_thread(coroutine):
    """What a coroutine gives that runs in a thread of its own."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()
