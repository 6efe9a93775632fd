"""Long work of a command: how far it is, what is kept of it, and Ctrl-C."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator

import typer

from summetry.engine.cache import ChunkStore
from summetry.engine.run import Progress
from summetry.errors import SummetryError
from summetry.files import cache_folder

# Work that takes fewer seconds shows no bar.
_PATIENCE = 1.0


class InterruptedRunError(Exception):
    """Ctrl-C in work that goes on from its finished part when the same command is given again."""

    def __init__(self) -> None:
        super().__init__(
            "interrupted; finished scores are kept, the same command goes on from them"
        )


def user_store() -> ChunkStore | None:
    """The store in the user's cache; where that cannot be written a note says so, and none."""
    try:
        return ChunkStore(cache_folder())
    except SummetryError as error:
        typer.echo(f"note: {error}; an interrupted run will begin anew", err=True)
        return None


@contextlib.contextmanager
def progress_bar(words: str, is_kept: bool = False) -> Iterator[Progress]:
    """A bar with the time left on standard error, for work of more than a second.

    ``is_kept`` says that what is finished is kept, which Ctrl-C then tells.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    started = time.monotonic()
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    bar = Bar(*columns, console=Console(stderr=True), transient=True)
    # What is scored is read and checked first, which for a large table takes a while.
    task = bar.add_task("reading", total=None)
    last, done_before, is_begun = started, 0, False
    # By the clock, not by the first step that is done: a single step may take minutes.
    patience = threading.Timer(_PATIENCE, bar.start)
    patience.daemon = True
    if bar.console.is_terminal:
        patience.start()

    def show(done: int, total: int) -> None:
        nonlocal last, done_before, is_begun
        is_begun = True
        bar.update(task, description=words, completed=done, total=total)
        now = time.monotonic()
        if not bar.console.is_terminal and now - last > 10 and done < total:
            # In a log a line now and then says as much as a bar.
            # The pace is that of the last lines: what an earlier run finished takes no time.
            left = (now - last) / max(done - done_before, 1) * (total - done)
            last, done_before = now, done
            typer.echo(f"{words} {done:,} of {total:,}, about {left:.0f} s left", err=True)

    try:
        yield show
    except KeyboardInterrupt:
        if is_kept and is_begun:
            raise InterruptedRunError from None
        raise
    finally:
        patience.cancel()
        if patience.is_alive():
            patience.join()
        if bar.live.is_started:
            bar.stop()
