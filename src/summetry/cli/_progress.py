"""Long work of a command: how far it is, what is kept of it, and Ctrl-C."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import typer

from summetry.engine.cache import ChunkStore
from summetry.engine.run import Run
from summetry.errors import SummetryError
from summetry.files import cache_folder

# Work that takes fewer seconds shows no bar.
_PATIENCE = 1.0
# Seconds between two lines of a log.
_BETWEEN_LINES = 10
# In less time too little is done to say how long the rest will take.
_LEAST_SECONDS = 2.0


class InterruptedRunError(Exception):
    """Ctrl-C in work that goes on from its finished part when the same command is given again."""

    def __init__(self, done: int, total: int) -> None:
        super().__init__(
            f"interrupted; {done:,} of {total:,} summaries are scored and kept; give the same "
            "command again to go on"
        )


class Show(Protocol):
    """Shows how much of all is done; ``kept`` of it was so before, and took no time."""

    def __call__(self, done: int, total: int, kept: int = 0) -> None: ...


def watch(run: Run, show: Show) -> None:
    """Show how far a run is."""
    run.progress = lambda done, total: show(done, total, run.items_found)


def user_store() -> ChunkStore | None:
    """The store in the user's cache; where that cannot be written a note says so, and none."""
    try:
        return ChunkStore(cache_folder())
    except SummetryError as error:
        typer.echo(f"note: {error}; an interrupted run will begin anew", err=True)
        return None


@contextlib.contextmanager
def progress_bar(words: str, is_kept: bool = False) -> Iterator[Show]:
    """A bar with the time left on standard error, for work of more than a second.

    ``is_kept`` says that what is finished is kept, which Ctrl-C then tells.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[left]}"),
    )
    bar = Bar(*columns, console=Console(stderr=True), transient=True)
    # What is scored is read and checked first, which for a large table takes a while.
    task = bar.add_task("reading", total=None, left="")
    pace = _Pace()
    said, so_far = time.monotonic(), (0, 0)
    # By the clock, not by the first step that is done: a single step may take minutes.
    patience = threading.Timer(_PATIENCE, bar.start)
    patience.daemon = True
    if bar.console.is_terminal:
        patience.start()

    def show(done: int, total: int, kept: int = 0) -> None:
        nonlocal said, so_far
        now, so_far = time.monotonic(), (done, total)
        left = pace.left(now, done - kept, total - done)
        bar.update(task, description=words, completed=done, total=total, left=left)
        if not bar.console.is_terminal and now - said > _BETWEEN_LINES and done < total:
            # In a log a line now and then says as much as a bar.
            said = now
            typer.echo(", ".join(filter(None, (f"{words} {done:,} of {total:,}", left))), err=True)

    try:
        yield show
    except KeyboardInterrupt:
        if is_kept and so_far[1]:
            raise InterruptedRunError(*so_far) from None
        raise
    finally:
        patience.cancel()
        if patience.is_alive():
            patience.join()
        if bar.live.is_started:
            bar.stop()


@dataclass
class _Pace:
    """How long the rest takes, by what was done since the first step, which has to start things."""

    start: tuple[float, int] | None = None

    def left(self, now: float, computed: int, rest: int) -> str:
        """The time for the ``rest`` in words; nothing before it can be known."""
        if not computed:
            return ""
        if self.start is None:
            self.start = now, computed
        since, first = self.start
        if now - since < _LEAST_SECONDS or computed == first:
            return ""
        return f"about {(now - since) / (computed - first) * rest:.0f} s left"
