"""What reaches a terminal: the control characters of texts and names are shown, not obeyed."""

from __future__ import annotations

import re
from typing import Any, TextIO

# Anything that a terminal obeys except line ends, tabs, and colours that do not hide text (8).
_CONTROLS = re.compile(
    r"(?!\x1b\[(?!(?:[\d;]*;)?0*8[;m])[\d;]*m)[\x00-\x08\x0b-\x1f\x7f-\x9f]",
)


class TerminalStream:
    """A terminal on which ESC is printed as ``\\x1b``, so that it cannot clear the screen."""

    def __init__(self, stream: TextIO) -> None:
        # For the progress bar, which moves the cursor.
        self.unfiltered = stream

    def write(self, text: str) -> int:
        self.unfiltered.write(_CONTROLS.sub(lambda control: ascii(control[0])[1:-1], text))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.unfiltered, name)
