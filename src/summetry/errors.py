"""Errors that a user can cause and repair.

Each message says what was expected, what was found, where, and what to do. The command
line and the web page print it as it stands, without a traceback. It speaks of options
(``--columns id=NAME``); where somebody calls from Python, these are arguments
(``columns={'id': 'NAME'}``): see :func:`in_python`.
"""

from __future__ import annotations

import difflib
import re
import sys
import warnings
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, wraps
from importlib import import_module
from inspect import signature
from typing import Any, ParamSpec, TypeVar

# How many names a message lists: a table may have very many ids.
_MOST_NAMES = 40
P = ParamSpec("P")
Result = TypeVar("Result")

# Options of which Python's arguments have another name.
_ARGUMENTS = {"m": "metrics", "metric": "metrics", "candidate": "candidates", "source": "sources"}
_ARGUMENTS |= {"reference": "references", "dimension": "dimensions", "level": "levels"}
_ARGUMENTS |= {"set": "parameters"}
# What arguments are called by other packages that score summaries.
_ELSEWHERE = dict.fromkeys(["predictions", "hypotheses", "summaries"], "candidates")
_ELSEWHERE |= dict.fromkeys(["targets", "refs"], "references") | {"rouge_types": "metrics"}
_NAME = r"[\w.+*-]*\w"
# A command in backticks; or an option, with columns, or with a value: a number, a name in capitals
# or with _, something quoted, or any word at the end of a part of a sentence.
_OPTION = re.compile(
    rf"`[^`]*`|( ?)(?<![\w-])-(?:-([a-z][a-z0-9-]*[a-z0-9])|(m))\b"
    rf"(?:(\s)(?:(\w+={_NAME}(?:,\w+={_NAME})*)|"
    rf"('[^']*'|\d[\d.]*\b|[A-Z]+\b|\w*_\w*|{_NAME}(?=$|[\n,;:)]))))?"
)
LISTED_BY_A_COMMAND = {"metric": "metrics", "format": "formats", "summarizer": "summarizers"}


class SummetryError(ValueError):
    """Base of every error that comes from input."""

    def __reduce__(self) -> tuple[Any, ...]:
        # Left to itself pickle calls the class with the message, and many want something else: the
        # error of a worker would be an error of its own.
        return _restored, (type(self), self.args, self.__dict__)


def _restored(kind: type[SummetryError], args: tuple[Any, ...], state: Any) -> SummetryError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error


class SummetryWarning(UserWarning):
    """Something that was read all the same, and that the user should know."""


class InterruptedRunError(Exception):
    """Ctrl-C in work that goes on from its finished part when the same command is given again."""

    def __init__(
        self, done: int, total: int, is_exact: bool = True, kept: str = "summaries are scored"
    ) -> None:
        super().__init__(
            f"interrupted; {done:,} of {'' if is_exact else 'about '}{total:,} {kept} and kept; "
            "give the same command again to go on"
        )


@lru_cache(maxsize=64)
def in_python(words: str) -> str:
    """Words that speak of options of the command line, with the arguments of Python instead.

    >>> in_python("say --columns id=NAME, or --on-error skip; --language says it")
    "say columns={'id': 'NAME'}, or on_error='skip'; language says it"
    """

    def argument(match: re.Match[str]) -> str:
        blank, option, metric, between, columns, value = match.groups()
        if not (option or metric):
            return match[0]
        name = _ARGUMENTS.get(option or metric, (option or metric).replace("-", "_"))
        if columns:
            roles = [f"'{role}': '{of}'" for role, of in (c.split("=") for c in columns.split(","))]
            name += f"={{{', '.join(roles)}}}"
        elif value:
            is_plain = value[0] in "'0123456789" or value.isupper()
            name += f"={value if is_plain else repr(value)}"
        # A line that ended between both ends before them.
        return (between if between == "\n" else blank) + name

    return _OPTION.sub(argument, words)


def for_python(function: Callable[P, Result]) -> Callable[P, Result]:
    """A function of the package whose errors speak of Python where it is called from outside."""

    @wraps(function)
    def called(*arguments: P.args, **named: P.kwargs) -> Result:
        try:
            return function(*arguments, **named)
        except SummetryError as error:
            if not _is_of(sys._getframe(1).f_globals, "summetry"):
                error.args = (in_python(str(error)),)
            raise
        except TypeError as error:
            known = signature(function).parameters
            for name in named:
                if str(error).endswith(f"() got an unexpected keyword argument {name!r}"):
                    meant = _ELSEWHERE.get(name, name)
                    is_here = meant == name or meant in known
                    hint = did_you_mean(meant, known) if is_here else ""
                    if name in ("stem", "use_stemmer") and "metrics" in known:
                        hint = " Stems are an option of a metric: 'rouge1(stem=true)'"
                    error.args = (f"{error}{next_sentence(hint)}",)
            raise

    return called


def _is_of(module: dict[str, object], *packages: str) -> bool:
    """Whether the globals of a function are those of a module in one of some packages."""
    return f"{module.get('__name__', '')}.".startswith(tuple(f"{name}." for name in packages))


def warn(note: str) -> None:
    """Warn at the line of the user's own code that called Summetry, however deep the cause is."""
    frame = sys._getframe(1)
    is_command = False
    # A property that is kept, or a context, is called by Python's own code in between.
    while frame.f_back and _is_of(frame.f_globals, "summetry", "functools", "contextlib"):
        is_command |= _is_of(frame.f_globals, "summetry.cli")
        frame = frame.f_back
    note = note if is_command else in_python(note)
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


class RowPlace(Place):
    """A row where rows are not lines: in memory, in Parquet, in one line of JSON."""

    def __str__(self) -> str:
        return f"row {self.line} of {self.path}"


def did_you_mean(name: object, known: Iterable[str]) -> str:
    """`` Did you mean 'x'?`` with a leading blank, or nothing when no name is near.

    >>> did_you_mean("coselction", ["coselection", "cosine"])
    " Did you mean 'coselection'?"
    >>> did_you_mean("rouge", ["lcs", "rouge1", "rouge2"])
    " Did you mean one of 'rouge1', 'rouge2'?"
    """
    asked, spelt = str(name).lower(), {word.lower(): word for word in known}
    begin = [repr(word) for lower, word in spelt.items() if asked and lower.startswith(asked)]
    if len(begin) > 1 and asked not in spelt:
        return f" Did you mean one of {first_names(begin)}?"
    close = difflib.get_close_matches(asked, list(spelt), n=1)
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
            rest = f"Known: {first_names(known, _MOST_NAMES) or 'none'}."
        super().__init__(f"no {kind} is named {name!r}.{did_you_mean(name, known)} {rest}")


class UnknownKeyError(UnknownNameError, KeyError):
    """The same of a mapping, whose ``get`` and ``in`` look for a KeyError."""

    # A KeyError would show its message in quotes.
    __str__ = Exception.__str__


def must_be_known(kind: str, name: str, known: Collection[str]) -> None:
    """Refuse a name that is not among those that are known."""
    if name not in known:
        raise UnknownNameError(kind, name, known)


def _ends(words: str) -> str:
    """What fits a message: a cell or a heading may be as long as a book."""
    return words if len(words) <= 400 else f"{words[:200]}...{words[-200:]}"


class FormatError(SummetryError):
    """A file that does not hold what its format promises."""

    def __init__(self, place: Place, expected: str, found: str, advice: str = "") -> None:
        self.place, self.expected, self.found = place, expected, found
        tail = f"; {_ends(advice)}" if advice else ""
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


def optional_module(name: str, what: str, *packages: str) -> Any:
    """A module that ``what`` needs, of a package that need not be installed.

    ``packages`` are as those of :class:`MissingPackageError`, where they are not named as the
    module.
    """
    try:
        return import_module(name)
    except ImportError as error:
        raise MissingPackageError(what, *(packages or (name.partition(".")[0],))) from error


def shorten(text: str, limit: int = 60) -> str:
    """``text`` quoted for a message, its middle left out when it is long.

    >>> shorten("abcdefghij", limit=6)
    "'abc...hij'"
    """
    half = limit // 2
    return repr(text if len(text) <= limit else f"{text[:half]}...{text[-half:]}")


def first_names(names: Sequence[str], most: int = 5) -> str:
    """The first names of a list, and how many more there are; a last one is named as well.

    >>> first_names(["a", "b"], most=1), first_names(["a", "b", "c"], most=1)
    ('a, b', 'a and 2 more')
    """
    more = len(names) - most
    if more < 2:
        return ", ".join(names)
    return f"{', '.join(names[:most])} and {more:,} more"


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number of things in words; ``plural`` where it ends neither in s nor, for y, in ies.

    >>> counted(1, "topic"), counted(2, "summary"), counted(3, "vertex", "vertices")
    ('1 topic', '2 summaries', '3 vertices')
    """
    if number != 1:
        noun = plural or (f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s")
    return f"{number:,} {noun}"
