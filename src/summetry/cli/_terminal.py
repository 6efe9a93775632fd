"""What reaches a terminal: the control characters of texts and names are shown, not obeyed."""

from __future__ import annotations

from typing import Any, TextIO

from summetry.text.controls import with_shown_controls


class TerminalStream:
    """A terminal on which ESC is printed as ``\\x1b``, so that it cannot clear the screen."""

    def __init__(self, stream: TextIO) -> None:
        # For the progress bar, which moves the cursor, and for tables, whose colours are ours.
        self.unfiltered = stream

    def write(self, text: str) -> int:
        self.unfiltered.write(with_shown_controls(text))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.unfiltered, name)
