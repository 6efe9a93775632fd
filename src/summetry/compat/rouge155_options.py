"""The options of ROUGE-1.5.5, read as Perl reads them.

Each is one letter; flags may stand together (``-am``), a value may follow at once (``-n2``) or as
the next word even if that begins with a hyphen (``-2 -1``). Options end at the first other word.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from summetry.errors import SummetryError, shorten, warn
from summetry.formats.rouge_xml.texts import TEXT_KINDS, TextKind, text_kind

FLAGS = "adhmsuxU"
TAKING_A_VALUE = "2bceflnprtwz"
# Options of the script that would change what is printed; nobody should think they were heard.
NOT_SUPPORTED = {
    "3": "Basic Elements",
    "H": "the long help",
    "M": "stemming the models alone",
    "v": "the script's own messages",
}
_WHOLE = re.compile(r"[+-]?[0-9]+")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_MOST_DIGITS = 18
# Every n is a block of its own in the output.
_MOST_N = 1000
_SEE_HELP = "`summetry rouge155 -h` lists all options"

Averaging = Literal["scores", "counts", "totals"]


@dataclass(frozen=True)
class Options:
    """What the command line says. Numbers that are printed again are kept as typed, too."""

    file: Path
    system: str | None = None
    list_kind: TextKind | None = None
    all_systems: bool = False
    details: bool = False
    stem: bool = False
    stop: bool = False
    lcs: bool = True
    n: int = 0
    length: str | None = None
    weight: str | None = None
    gap: str | None = None
    skip: Literal["S", "SU", "S and SU"] = "S"
    alpha: float = 0.5
    confidence: str = "95"
    samples: int = 1000
    references: Literal["pool", "best"] = "pool"
    averaging: Averaging = "scores"


def wants_help(arguments: Sequence[str]) -> bool:
    return "h" in _read_letters(arguments)[0]


def read_options(arguments: Sequence[str]) -> Options:
    """The options of a command line, checked; what is ignored is named in a warning."""
    options, words = _read_letters(arguments)
    if "l" in options and "b" in options:
        raise SummetryError("-l and -b: a limit is in words or in bytes, not in both")
    file, system = _file_and_system(words, options)
    _tell_what_is_ignored(options)
    return Options(
        file=file,
        system=system,
        list_kind=_list_kind(options),
        all_systems="a" in options,
        details="d" in options,
        stem="m" in options,
        stop="s" in options,
        lcs="x" not in options,
        n=_whole(options, "n", least=0, most=_MOST_N) or 0,
        length=_length(options),
        weight=_number(options, "w", 0, math.inf, "a number above 0"),
        gap=options["2"] if _whole(options, "2") is not None else None,
        skip="SU" if "u" in options else "S and SU" if "U" in options else "S",
        alpha=float(_number(options, "p", 0, 1, "a number from 0 to 1") or 0.5),
        confidence=_number(options, "c", 0, 100, "a percentage") or "95",
        samples=_whole(options, "r", least=1) or 1000,
        references="best" if options.get("f") == "B" else "pool",
        averaging=_averaging(options),
    )


def _read_letters(arguments: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """Letters with their values, the last one of each, and the words behind all options."""
    options: dict[str, str] = {}
    rest = list(arguments)
    while rest and rest[0].startswith("-") and rest[0] != "-":
        word = rest.pop(0)
        if word == "--":
            break
        letters = word[1:]
        while letters:
            letter, letters = letters[0], letters[1:]
            if letter in FLAGS:
                options[letter] = ""
            elif letter in TAKING_A_VALUE:
                if not letters and not rest:
                    raise SummetryError(f"-{letter}: a value is missing; {_SEE_HELP}")
                options[letter] = letters or rest.pop(0)
                letters = ""
            elif letter in NOT_SUPPORTED:
                what = f"-{letter} ({NOT_SUPPORTED[letter]})"
                raise SummetryError(f"{what} is not supported; {_SEE_HELP}")
            else:
                wrong = word if word.startswith("--") else f"-{letter}"
                raise SummetryError(f"no option is {wrong!r}; {_SEE_HELP}")
    return options, rest


def _length(options: dict[str, str]) -> str | None:
    """The limit in words or bytes; 0 is no limit to the script."""
    for letter, counted in (("l", "words"), ("b", "bytes")):
        if limit := _whole(options, letter, least=0):
            return f"{limit} {counted}"
    return None


def _file_and_system(words: list[str], options: dict[str, str]) -> tuple[Path, str | None]:
    what = "a list of files" if "z" in options else "a configuration file"
    if not words:
        raise SummetryError(f"expected {what}, found nothing; {_SEE_HELP}")
    late = next((word for word in words[1:] if word.startswith("-")), None)
    if late:
        raise SummetryError(f"{late!r} stands behind {words[0]!r}; options go before the file")
    if len(words) > 2:
        raise SummetryError(
            f"expected {what} and at most one system, found {len(words)} words: {' '.join(words)}"
        )
    if len(words) == 1 and "z" not in options and "a" not in options:
        raise SummetryError(f"name a system behind {words[0]!r}, or give -a for all systems")
    return Path(words[0]), words[1] if len(words) == 2 else None


def _list_kind(options: dict[str, str]) -> TextKind | None:
    if "z" not in options:
        return None
    kind = text_kind(options["z"])
    if kind is None:
        raise SummetryError(f"-z: expected {', '.join(TEXT_KINDS)}, got {options['z']!r}")
    return kind


def _averaging(options: dict[str, str]) -> Averaging:
    kinds: dict[float, Averaging] = {1: "counts", 2: "totals"}
    return kinds.get(_value(options.get("t", "0")), "scores")


def _value(typed: str) -> float:
    return float(typed) if _NUMBER.fullmatch(typed) else math.nan


def _whole(
    options: dict[str, str], letter: str, least: int | None = None, most: int | None = None
) -> int | None:
    if letter not in options:
        return None
    typed = options[letter]
    expected = "a whole number" + (f", {least} or more" if least is not None else "")
    if most is not None:
        expected = f"a whole number from {least} to {most}"
    # Python reads no number of thousands of digits.
    value = int(typed) if _WHOLE.fullmatch(typed) and len(typed) <= _MOST_DIGITS else None
    if value is None or (least is not None and value < least) or (most and value > most):
        raise SummetryError(f"-{letter}: expected {expected}, got {shorten(typed)}")
    return value


def _number(
    options: dict[str, str], letter: str, least: float, most: float, expected: str
) -> str | None:
    """A number as it was typed, since the script prints it so."""
    if letter not in options:
        return None
    typed = options[letter]
    value = _value(typed)
    if not least <= value <= most or (most == math.inf and not 0 < value < most):
        raise SummetryError(f"-{letter}: expected {expected}, got {typed!r}")
    return typed


def _tell_what_is_ignored(options: dict[str, str]) -> None:
    if "e" in options:
        warn("-e: ignored, the word lists are part of Summetry")
    if options.get("f", "A") not in ("A", "B"):
        warn(f"-f {options['f']}: counts as -f A, as everything but B does")
    if _value(options.get("t", "0")) not in (0, 1, 2):
        warn(f"-t {options['t']}: counts as -t 0, as everything but 1 and 2 does")
    if {"u", "U"} & set(options) and "2" not in options:
        warn("-u and -U: ignored without -2")
