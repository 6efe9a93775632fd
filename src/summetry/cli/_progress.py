"""Long work of a command: how far it is, what is kept of it, and Ctrl-C."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator

import typer

from summetry.engine.cache import ChunkStore
from summetry.errors import SummetryError
from summetry.files import cache_folder

# Work that takes fewer seconds shows no bar.
_PATIENCE = 1.0
# Seconds between lines where there is no terminal.
_SILENCE = 10.0


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


class ShownProgress:
    """How far work is, as a bar on a terminal, and elsewhere as a line now and then."""

    def __init__(self, words: str) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
        )
        self.words = words
        self.is_begun = False
        self.bar = Bar(*columns, console=Console(stderr=True), transient=True)
        # What is scored is read and checked first, which for a large table takes a while.
        self._task = self.bar.add_task("reading", total=None)
        self._last, self._done = time.monotonic(), 0
        self._silence: threading.Timer | None = None

    def __call__(self, done: int, total: int) -> None:
        self.is_begun = True
        self.bar.update(self._task, description=self.words, completed=done, total=total)
        now = time.monotonic()
        if not self.bar.console.is_terminal and now - self._last > _SILENCE and done < total:
            # In a log a line now and then says as much as a bar.
            # The pace is that of the last lines: what an earlier run finished takes no time.
            left = (now - self._last) / max(done - self._done, 1) * (total - done)
            self._last, self._done = now, done
            typer.echo(f"{self.words} {done:,} of {total:,}, about {left:.0f} s left", err=True)

    def working(self, name: str) -> None:
        """Show what is at work; in a log only if it takes long."""
        self.bar.update(self._task, description=f"{self.words} ({name} at work)")
        self.stop_waiting()
        if not self.bar.console.is_terminal:
            self._silence = threading.Timer(_SILENCE, _echo_error, [f"{name} is at work"])
            self._silence.daemon = True
            self._silence.start()

    def stop_waiting(self) -> None:
        if self._silence:
            self._silence.cancel()


def _echo_error(words: str) -> None:
    typer.echo(words, err=True)


@contextlib.contextmanager
def progress_bar(words: str, is_kept: bool = False) -> Iterator[ShownProgress]:
    """A bar with the time left on standard error, for work of more than a second.

    ``is_kept`` says that what is finished is kept, which Ctrl-C then tells.
    """
    show = ShownProgress(words)
    # By the clock, not by the first step that is done: a single step may take minutes.
    patience = threading.Timer(_PATIENCE, show.bar.start)
    patience.daemon = True
    if show.bar.console.is_terminal:
        patience.start()
    try:
        yield show
    except KeyboardInterrupt:
        if is_kept and show.is_begun:
            raise InterruptedRunError from None
        raise
    finally:
        show.stop_waiting()
        patience.cancel()
        if patience.is_alive():
            patience.join()
        if show.bar.live.is_started:
            show.bar.stop()
