"""Rubrics: what a judge is asked on a dimension, one TOML file each.

    dimension = "fluency"                 the name of the dimension in judgments
    question = "..."                      what is judged, in words
    reads = ["source"]                    what is shown, too: source, references, query
    modes = ["points", "pairs"]           how it can be asked; the first is the default
    pair = "..."                          what is asked of two summaries, where that is special
    [scale]                               of points: whole numbers with their meanings, all in a row
    1 = "very poor"

Those in ``rubric_files`` are our own; ``-r my.toml`` reads one of the user's.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, get_args

from summetry.errors import SummetryError, UnknownNameError, did_you_mean, next_sentence
from summetry.files import decoded_text
from summetry.signature import fingerprint

Mode = Literal["points", "pairs", "units"]
Part = Literal["source", "references", "query"]
# Names of several rubrics at once.
GROUPS = {
    "duc": (
        "grammaticality",
        "non_redundancy",
        "referential_clarity",
        "focus",
        "structure_and_coherence",
    ),
    "summeval": ("coherence", "consistency", "fluency", "relevance"),
}
_PAIR = "Which of the two summaries is better in this respect?"
_FIELDS = ("dimension", "question", "reads", "modes", "pair", "scale")


@dataclass(frozen=True)
class Rubric:
    """What a judge is asked; ``scale`` has the marks of points, lowest first."""

    dimension: str
    question: str
    reads: tuple[Part, ...] = ()
    modes: tuple[Mode, ...] = ("points", "pairs")
    pair: str = _PAIR
    scale: tuple[tuple[int, str], ...] = ()

    @property
    def fingerprint(self) -> str:
        """Ten digits that change with anything that is asked."""
        asked = [self.dimension, self.question, *self.reads, *self.modes, self.pair]
        marks = [f"{mark}={meaning}" for mark, meaning in self.scale]
        return fingerprint(part.encode() for part in (*asked, "", *marks))

    @property
    def marks(self) -> tuple[int, ...]:
        return tuple(mark for mark, _ in self.scale)


@dataclass(frozen=True)
class Asked:
    """A rubric in the mode in which it is asked."""

    rubric: Rubric
    mode: Mode
    # What the user calls the dimension.
    name: str = ""

    @property
    def dimension(self) -> str:
        """The dimension of the judgments: shares of pairs won are none of the scale's marks."""
        return self.name or self.rubric.dimension + ("_pairs" if self.mode == "pairs" else "")

    @property
    def ends(self) -> tuple[float, float]:
        """The worst and the best that can be said of a summary."""
        if self.mode == "points":
            return float(self.rubric.marks[0]), float(self.rubric.marks[-1])
        return 0.0, 1.0


def rubric_names() -> list[str]:
    """The rubrics that are part of the package, sorted."""
    return sorted(_own())


def asked_rubrics(
    names: Iterable[str], mode: Mode | None = None, dimension: str = ""
) -> list[Asked]:
    """The rubrics of names, of groups of them, or of TOML files; each in ``mode`` or its first.

    ``dimension`` is what the dimension of a single one is called instead.
    """
    asked: list[Asked] = []
    for name in (one for each in names for one in GROUPS.get(each, (each,))):
        rubric = find_rubric(name)
        if mode and mode not in rubric.modes:
            can = " or ".join(rubric.modes)
            raise SummetryError(f"the rubric {name!r} can be asked as {can}, not as {mode}")
        asked.append(Asked(rubric, mode or rubric.modes[0], dimension))
    if dimension and len(asked) > 1:
        raise SummetryError(
            f"--dimension names the dimension of one rubric, and {len(asked)} are asked; give the "
            f"command once for each"
        )
    seen: set[str] = set()
    for one in asked:
        if one.dimension in seen:
            raise SummetryError(f"two rubrics are about the dimension {one.dimension!r}; ask one")
        seen.add(one.dimension)
    return asked


def find_rubric(name: str) -> Rubric:
    """A rubric of the package by its name, or of a TOML file."""
    if name in _own():
        return _own()[name]
    path = Path(name)
    if path.suffix.lower() != ".toml":
        raise UnknownNameError("rubric", name, [*_own(), *GROUPS])
    return read_rubric(decoded_text(path.read_bytes(), str(path)), str(path))


def read_rubric(text: str, name: str) -> Rubric:
    """The rubric in the text of a file of that name."""
    try:
        fields = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SummetryError(f"{name}: expected TOML, found: {error}") from error
    for field in fields:
        if field not in _FIELDS:
            hint = next_sentence(did_you_mean(field, _FIELDS))
            raise SummetryError(
                f"{name}: expected the fields {', '.join(_FIELDS)}, found {field!r}{hint}"
            )
    words = {
        field: _words(fields.get(field, default), field, name)
        for field, default in (("dimension", ""), ("question", ""), ("pair", _PAIR))
    }
    reads = _chosen(fields.get("reads", []), get_args(Part), "reads", name)
    modes = _chosen(fields.get("modes", ["points", "pairs"]), get_args(Mode), "modes", name)
    if not modes:
        raise SummetryError(f"{name}: expected one mode or more as modes, found none")
    scale = _scale(fields.get("scale", {}), name)
    if "points" in modes and not scale:
        raise SummetryError(f"{name}: expected a table [scale] of two marks or more, found none")
    return Rubric(**words, reads=reads, modes=modes, scale=scale)


@cache
def _own() -> dict[str, Rubric]:
    folder = files(__package__) / "rubric_files"
    texts = {file.name: file.read_text(encoding="utf-8") for file in folder.iterdir()}
    return {
        name.removesuffix(".toml"): read_rubric(texts[name], name)
        for name in sorted(texts)
        if name.endswith(".toml")
    }


def _words(value: Any, field: str, name: str) -> str:
    if not isinstance(value, str) or not value.strip():
        found = repr(value) if value else "none"
        raise SummetryError(f"{name}: expected words as {field}, found {found}")
    return value.strip()


def _chosen(value: Any, known: tuple[Any, ...], field: str, name: str) -> tuple[Any, ...]:
    is_known = isinstance(value, list) and all(one in known for one in value)
    if not is_known or len(set(value)) < len(value):
        raise SummetryError(
            f"{name}: expected a list of {', '.join(known)} as {field}, each once, found {value!r}"
        )
    return tuple(value)


def _scale(value: Any, name: str) -> tuple[tuple[int, str], ...]:
    """The marks, lowest first; they follow each other, so that a mark is never in between."""
    expected = f"{name}: expected a table [scale] of whole numbers with their meanings"
    if not isinstance(value, Mapping):
        raise SummetryError(f"{expected}, found {value!r}")
    marks: dict[int, str] = {}
    for mark, meaning in value.items():
        if not mark.removeprefix("-").isdecimal() or not isinstance(meaning, str):
            raise SummetryError(f"{expected}, found {mark} = {meaning!r}")
        marks[int(mark)] = meaning
    steps = sorted(marks)
    if steps and (len(steps) < 2 or steps != list(range(steps[0], steps[-1] + 1))):
        found = ", ".join(map(str, steps))
        raise SummetryError(f"{expected}, two or more in a row, found {found}")
    return tuple((mark, marks[mark]) for mark in steps)
