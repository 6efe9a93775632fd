"""What a command gives back: notes on standard error, JSON for programs, files."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import typer

from summetry.errors import SummetryError
from summetry.records.scores import plain_number
from summetry.reports.tables import line_width, wrapped


def echo(words: str) -> None:
    """Print a sentence that is a result, folded at the width of the line."""
    typer.echo(wrapped(words, line_width()))


def echo_aside(words: str) -> None:
    """Print a sentence beside the results, on standard error; its further lines are indented."""
    typer.echo(wrapped(words, line_width(error=True), "  "), err=True)


def echo_notes(notes: Iterable[str]) -> None:
    for note in notes:
        # What is noted begins on the first line, be it a long path.
        echo_aside(f"note:\N{NO-BREAK SPACE}{note}")


def echo_skipped(problems: Iterable[str]) -> None:
    for problem in problems:
        echo_aside(f"skipped:\N{NO-BREAK SPACE}{problem}")


def echo_written(*paths: Path | None) -> None:
    for path in filter(None, paths):
        echo(f"wrote {path}")


def print_json(results: Any) -> None:
    """Print ``results`` as JSON that every program reads."""
    typer.echo(json.dumps(as_data(results), ensure_ascii=False, indent=2, allow_nan=False))


def as_data(results: Any) -> Any:
    """``results`` in what JSON has: a record becomes a dict, an undefined number None.

    >>> as_data({"value": (float("nan"), float("inf"), 0.5), "path": Path("a.txt")})
    {'value': [None, 'inf', 0.5], 'path': 'a.txt'}
    """
    if is_dataclass(results):
        results = {field.name: getattr(results, field.name) for field in fields(results)}
    elif hasattr(results, "_asdict"):
        results = results._asdict()
    if isinstance(results, dict):
        return {name: as_data(value) for name, value in results.items()}
    if isinstance(results, list | tuple):
        return [as_data(value) for value in results]
    if isinstance(results, Path):
        return str(results)
    return plain_number(results) if isinstance(results, float) else results


def fraction(percent: float) -> float:
    """What JSON says of a number that tables show in per cent."""
    return percent / 100


def wrote(output: Path | None) -> dict[str, Path]:
    """The entry of a file or folder in JSON, where one is written."""
    return {"wrote": output} if output else {}


def check_folder(output: Path | None, force: bool) -> None:
    """Refuse to write over a folder before the work is done, not after it."""
    if output is None:
        return
    if output.exists() and not output.is_dir():
        raise SummetryError(f"{output}: expected a folder to write to, found a file")
    check_free(output, force)


def check_free(output: Path, force: bool) -> None:
    """Refuse to write over a file, or over a folder that is not empty."""
    if output.exists() and not force and not (output.is_dir() and not any(output.iterdir())):
        raise SummetryError(f"{output}: exists already; --force writes over it")
