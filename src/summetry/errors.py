"""Errors that a user can cause and repair.

Each message says what was expected, what was found, where, and what to do. The command
line and the web page print it as it stands, without a traceback.
"""

from __future__ import annotations

import difflib
import sys
import warnings
from collections.abc import Iterable
from dataclasses import dataclass

LISTED_BY_A_COMMAND = {"metric": "metrics", "format": "formats", "summarizer": "summarizers"}


class SummetryError(ValueError):
    """Base of every error that comes from input."""


class SummetryWarning(UserWarning):
    """Something that was read all the same, and that the user should know."""


def warn(note: str) -> None:
    """Warn at the line of the user's own code that called Summetry, however deep the cause is."""
    frame = sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] == "summetry":
        frame = frame.f_back
    module, registry = frame.f_globals.get("__name__"), "__warningregistry__"
    where = frame.f_code.co_filename, frame.f_lineno, module
    warnings.warn_explicit(note, SummetryWarning, *where, frame.f_globals.setdefault(registry, {}))


@dataclass(frozen=True, slots=True)
class Place:
    """A file, and a line of it where there is one; lines start at 1."""

    path: str
    line: int | None = None

    def __str__(self) -> str:
        return self.path if self.line is None else f"{self.path}:{self.line}"


def did_you_mean(name: object, known: Iterable[str]) -> str:
    """`` Did you mean 'x'?`` with a leading blank, or nothing when no name is near.

    >>> did_you_mean("coselction", ["coselection", "cosine"])
    " Did you mean 'coselection'?"
    """
    spelt = {word.lower(): word for word in known}
    close = difflib.get_close_matches(str(name).lower(), list(spelt), n=1)
    return f" Did you mean {spelt[close[0]]!r}?" if close else ""


def next_sentence(hint: str) -> str:
    """A hint behind a full stop; where there is none, a message ends without one.

    >>> next_sentence(" Did you mean 'x'?"), next_sentence("")
    (". Did you mean 'x'?", '')
    """
    return f".{hint}" if hint else ""


class UnknownNameError(SummetryError):
    """A name that nobody registered."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        known = sorted(known)
        if kind in LISTED_BY_A_COMMAND:
            rest = f"`summetry {LISTED_BY_A_COMMAND[kind]}` lists all."
        else:
            rest = f"Known: {', '.join(known) or 'none'}."
        super().__init__(f"no {kind} is named {name!r}.{did_you_mean(name, known)} {rest}")


def _ends(words: str) -> str:
    """What fits a message: a cell or a heading may be as long as a book."""
    return words if len(words) <= 400 else f"{words[:200]}...{words[-200:]}"


class FormatError(SummetryError):
    """A file that does not hold what its format promises."""

    def __init__(self, place: Place, expected: str, found: str, advice: str = "") -> None:
        self.place, self.expected, self.found = place, expected, found
        tail = f"; {advice}" if advice else ""
        super().__init__(f"{place}: expected {_ends(expected)}, found {_ends(found)}{tail}")


class NeedsError(SummetryError):
    """A metric that lacks something; the message names the file or column that would give it."""


class PlugInError(SummetryError):
    """Somebody else's code that failed; the message names it."""


class MissingPackageError(SummetryError):
    """A part of Summetry that needs a package which is not installed."""

    def __init__(self, what: str, package: str, *others: str) -> None:
        """``others`` are packages that the same part needs, to be installed with it."""
        wanted = " ".join([package, *others])
        super().__init__(
            f"{what} needs the package {package}, which is not installed: pip install {wanted}"
        )


def shorten(text: str, limit: int = 60) -> str:
    """``text`` quoted for a message, its middle left out when it is long.

    >>> shorten("abcdefghij", limit=6)
    "'abc...hij'"
    """
    half = limit // 2
    return repr(text if len(text) <= limit else f"{text[:half]}...{text[-half:]}")


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number of things in words; ``plural`` where it ends neither in s nor, for y, in ies.

    >>> counted(1, "topic"), counted(2, "summary"), counted(3, "vertex", "vertices")
    ('1 topic', '2 summaries', '3 vertices')
    """
    if number != 1:
        noun = plural or (f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s")
    return f"{number:,} {noun}"
