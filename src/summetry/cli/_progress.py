"""Long work of a command: how far it is, what is kept of it, and Ctrl-C."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.console import Console

from summetry.cli._output import echo_aside, echo_notes
from summetry.engine.cache import ChunkStore
from summetry.engine.chunks import Requested
from summetry.engine.plan import Plan
from summetry.engine.run import Run
from summetry.errors import InterruptedRunError, SummetryError
from summetry.files import cache_folder
from summetry.records.builder import OnError
from summetry.records.scores import ScoreTable

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

# Work that takes fewer seconds shows no bar.
_PATIENCE = 1.0
# Seconds between two lines where there is no terminal.
_BETWEEN_LINES = 10.0
# In less time too little is done to say how long the rest will take.
_LEAST_SECONDS = 2.0


def user_store() -> ChunkStore | None:
    """The store in the user's cache; where that cannot be written a note says so, and none."""
    try:
        return ChunkStore(cache_folder())
    except SummetryError as error:
        echo_notes([f"{error}; an interrupted run will begin anew"])
        return None


class ShownProgress:
    """How far work is, as a bar on a terminal, and elsewhere as a line now and then."""

    def __init__(self, words: str) -> None:
        self.words = words
        self.so_far = (0, 0)
        # The run whose finished part of an earlier run took no time.
        self.run: Run | None = None
        # It moves the cursor, which no other output may. To ask for colours in a log (FORCE_COLOR)
        # is not to ask for a bar.
        stream = getattr(sys.stderr, "unfiltered", sys.stderr)
        self.console = Console(file=stream, force_terminal=bool(stream and stream.isatty()))
        self._bar: Bar | None = None
        # What the bar shows: this before the first chunk is done.
        self._shown: dict[str, Any] = {"description": "reading", "total": None, "left": ""}
        self._pace = _Pace()
        self._said = time.monotonic()
        # What is at work, and since when; one thread looks at it as long as the work goes on.
        self._at_work = ("", 0.0)
        self._watcher: threading.Thread | None = None
        self._is_done = threading.Event()

    def start_bar(self) -> None:
        """Show the bar; what draws it is imported only now."""
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
        from rich.progress import Progress as Bar

        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[left]}"),
        )
        bar = Bar(*columns, console=self.console, transient=True)
        bar.add_task(**self._shown)
        self._bar = bar
        bar.start()

    def stop_bar(self) -> None:
        if self._bar:
            self._bar.stop()

    def __call__(self, done: int, total: int) -> None:
        now, self.so_far = time.monotonic(), (done, total)
        kept = self.run.items_found if self.run else 0
        left = self._pace.left(now, done - kept, total - done)
        self._update(description=self.words, completed=done, total=total, left=left)
        if not self.console.is_terminal and now - self._said > _BETWEEN_LINES and done < total:
            # In a log a line now and then says as much as a bar.
            self._said = now
            about = "" if self.run is None or self.run.plan.is_read else "about "
            words = f"{self.words} {done:,} of {about}{total:,}"
            echo_aside(", ".join(filter(None, (words, left))))

    def working(self, name: str) -> None:
        """Show what is at work; in a log only if it takes long."""
        self._update(description=f"{self.words} ({name} at work)")
        self._at_work = (name, time.monotonic())
        if not self.console.is_terminal and not self._watcher:
            self._watcher = threading.Thread(target=self._say_what_takes_long, daemon=True)
            self._watcher.start()

    def _say_what_takes_long(self) -> None:
        said, patience = None, _BETWEEN_LINES
        while not self._is_done.wait(patience):
            at_work = self._at_work
            patience = at_work[1] + _BETWEEN_LINES - time.monotonic()
            if patience <= 0:
                if at_work is not said:
                    echo_aside(f"{at_work[0]} is at work")
                said, patience = at_work, _BETWEEN_LINES

    def _update(self, **shown: Any) -> None:
        self._shown |= shown
        if self._bar:
            self._bar.update(self._bar.task_ids[0], **self._shown)

    def stop_waiting(self) -> None:
        self._is_done.set()


def watch(run: Run, show: ShownProgress) -> None:
    """Show how far a run is."""
    show.run, run.progress = run, show


def scored(plan: Plan, metrics: Sequence[Requested], on_error: OnError) -> ScoreTable:
    """The scores of a plan, with a bar, kept for the user, and what there is to note said."""
    store = user_store()
    with progress_bar("scored", is_kept=store is not None) as show:
        run = Run(plan, metrics, store=store, on_error=on_error)
        watch(run, show)
        table = run.table()
    echo_notes(run.notes)
    return table


@contextlib.contextmanager
def _tidied_up_by_sigterm() -> Iterator[None]:
    """What batch systems and containers send before they kill is answered as Ctrl-C is."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextlib.contextmanager
def progress_bar(words: str, is_kept: bool = False) -> Iterator[ShownProgress]:
    """A bar with the time left on standard error, for work of more than a second.

    ``is_kept`` says that what is finished is kept, which Ctrl-C then tells.
    """
    show = ShownProgress(words)
    # By the clock, not by the first step that is done: a single step may take minutes.
    patience = threading.Timer(_PATIENCE, show.start_bar)
    patience.daemon = True
    if show.console.is_terminal:
        patience.start()
    try:
        with _tidied_up_by_sigterm():
            yield show
    except KeyboardInterrupt:
        if is_kept and show.so_far[1]:
            is_exact = show.run is None or show.run.plan.is_read
            raise InterruptedRunError(*show.so_far, is_exact) from None
        raise
    finally:
        show.stop_waiting()
        patience.cancel()
        if patience.is_alive():
            patience.join()
        show.stop_bar()


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
