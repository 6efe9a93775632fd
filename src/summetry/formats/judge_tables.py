"""What ``summetry alt-test -o`` and ``summetry judge --tables`` wrote as JSON, for a report.

{"settings": {"epsilon": 0.2, "alpha": 0.05, ...}, "verdicts": ["relevance: llm passes: ..."],
 "judges": {"title": "...", "rows": [{"judge": "llm", "tested": "(constant)", ...}], "notes": []},
 "annotators": {"title": "...", "rows": [{"judge": "llm", "annotator": "ann", ...}], "notes": []}}

{"model": "llama3.2", "requests": {"mark": 22, "refusal": 2, ...},
 "points": {"title": "...", "rows": [{"dimension": "fluency", "system": "t5", ...}], "notes": []},
 "biases": {"title": "...", "rows": [{"bias": "mark and length", ...}], "notes": []}}

Files of other kinds have neither the settings nor the name of the model. What is undefined is None.
"""

from __future__ import annotations

from pathlib import Path
from typing import Generic, Literal, TypeVar

import msgspec

from summetry.errors import FormatError, Place
from summetry.formats import must_exist

Row = TypeVar("Row")
Tables = TypeVar("Tables", bound=msgspec.Struct)


class Table(msgspec.Struct, Generic[Row], frozen=True):
    """The rows of a table, with what is said of it."""

    rows: tuple[Row, ...]
    title: str
    notes: tuple[str, ...] = ()


class JudgeRow(msgspec.Struct, frozen=True):
    """A judge, or a null judge beside it, on one dimension or on several together."""

    judge: str
    dimension: str
    tested: str
    winning_rate: float
    advantage: float
    # Of null judges only.
    behind: float | None
    p: float | None
    beaten: Literal["yes", "no"] | None


class AnnotatorRow(msgspec.Struct, frozen=True):
    """The judge against one annotator; without numbers where the instances are too few."""

    judge: str
    dimension: str
    annotator: str
    instances: int
    advantage: float | None
    annotator_advantage: float | None
    corrected_p: float | None
    wins: Literal["yes", "no"]


class AltTestLimits(msgspec.Struct, frozen=True):
    epsilon: float
    alpha: float


class AltTestTables(msgspec.Struct, frozen=True):
    """All that ``alt-test`` found, with its verdicts in words."""

    settings: AltTestLimits
    verdicts: tuple[str, ...]
    judges: Table[JudgeRow]
    annotators: Table[AnnotatorRow]


class JudgedSystem(msgspec.Struct, frozen=True):
    """A system as a judge sees it, and how many requests about it were answered."""

    dimension: str
    system: str
    topics: int
    asked: int
    mark: int
    parse_failure: int
    refusal: int
    no_answer: int
    not_asked: int
    mean: float | None
    low: float | None
    high: float | None
    worst: float | None
    best: float | None


class MeasuredBias(msgspec.Struct, frozen=True):
    dimension: str
    bias: str
    value: float | None
    low: float | None
    high: float | None
    number: int


class JudgeReason(msgspec.Struct, frozen=True):
    """Why a summary got its value, beside a content unit or the other summary of a pair, if any."""

    id: str
    system: str
    dimension: str
    judge: str
    beside: str
    value: float
    reason: str


class JudgeTables(msgspec.Struct, frozen=True):
    """All that ``judge`` says of a model: systems by mode, biases, reasons, and requests by
    outcome."""

    model: str
    requests: dict[str, int]
    points: Table[JudgedSystem] = Table((), "")
    pairs: Table[JudgedSystem] = Table((), "")
    units: Table[JudgedSystem] = Table((), "")
    biases: Table[MeasuredBias] = Table((), "")
    reasons: Table[JudgeReason] = Table((), "")


def read_alt_test(path: Path) -> AltTestTables:
    """What the alternative-annotator test wrote."""
    return _read(path, AltTestTables, "summetry alt-test -o FILE.json", ("judges",))


def read_judge(path: Path) -> JudgeTables:
    """What a judge's run wrote."""
    modes = ("points", "pairs", "units")
    return _read(path, JudgeTables, "summetry judge --tables FILE.json", modes)


def _read(path: Path, kind: type[Tables], command: str, filled: tuple[str, ...]) -> Tables:
    """What a command wrote; at least one of the tables ``filled`` must have a row."""
    must_exist(path)
    expected = f"what `{command}` writes"
    try:
        tables = msgspec.json.decode(path.read_bytes(), type=kind)
    except msgspec.ValidationError as error:
        raise FormatError(Place(str(path)), expected, f"JSON of another kind: {error}") from error
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise FormatError(Place(str(path)), expected, "no JSON") from None
    if not any(getattr(tables, name).rows for name in filled):
        raise FormatError(Place(str(path)), expected, "no rows")
    return tables
