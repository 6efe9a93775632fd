"""Control characters, which a terminal would obey."""

from __future__ import annotations

import re

# All but line ends and tabs.
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def with_shown_controls(text: str) -> str:
    r"""A text for a terminal, which cannot clear the screen or colour what follows.

    >>> print(with_shown_controls("\x1b[2J is ESC"))
    \x1b[2J is ESC
    """
    return _CONTROLS.sub(lambda control: ascii(control[0])[1:-1], text)
