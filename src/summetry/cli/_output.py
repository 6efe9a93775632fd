"""What a command gives back: notes on standard error, JSON for programs, files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from summetry.errors import SummetryError
from summetry.files import refuse_inputs
from summetry.reports.as_data import as_data
from summetry.reports.sheets import Sheet, check_ending, print_sheets, sheets_as_json, write_sheets
from summetry.reports.tables import console, line_width, wrapped

# Kinds of files for programs, which hold one number per row.
TIDY = ("json", "csv")
# At most this many skipped records are named; a single further one is named, too.
_MOST_SKIPPED = 20


def echo(words: str) -> None:
    """Print a sentence that is a result, folded at the width of the line."""
    click.echo(wrapped(words, line_width()))


def echo_aside(words: str) -> None:
    """Print a sentence beside the results, on standard error; its further lines are indented."""
    click.echo(wrapped(words, line_width(error=True), "  "), err=True)


def echo_notes(notes: Iterable[str]) -> None:
    for note in notes:
        # What is noted begins on the first line, be it a long path.
        echo_aside(f"note:\N{NO-BREAK SPACE}{note}")


def echo_skipped(problems: Iterable[str]) -> None:
    """Name the records that were skipped; of many the first, and how many more there are."""
    listed = list(problems)
    more = len(listed) - _MOST_SKIPPED
    for problem in listed[:_MOST_SKIPPED] if more > 1 else listed:
        echo_aside(f"skipped:\N{NO-BREAK SPACE}{problem}")
    if more > 1:
        echo_aside(f"skipped: {more:,} more, {len(listed):,} in all")


def echo_written(*paths: Path | None) -> None:
    for path in filter(None, paths):
        echo(f"wrote {path}")


def print_json(results: Any) -> None:
    """Print ``results`` as JSON that every program reads."""
    click.echo(json.dumps(as_data(results), ensure_ascii=False, indent=2, allow_nan=False))


def show_sheets(
    sheets: Sequence[Sheet],
    about: Mapping[str, Any],
    as_json: bool,
    output: Path | None = None,
    tidy: Sequence[Sheet] | None = None,
    printed: Sequence[Sheet] | None = None,
    inputs: Iterable[str | Path | None] = (),
) -> None:
    """Write the sheets, if a file is named, and print them, for programs or for people.

    Nothing is written over ``inputs``, the files that were read.
    Programs get ``tidy``, and a terminal ``printed``, where these differ from the sheets.
    """
    tidy = sheets if tidy is None else tidy
    paths: list[Path] = []
    if output:
        is_tidy = check_ending(output) in TIDY
        paths = write_sheets(tidy if is_tidy else sheets, output, about, inputs)
    if as_json:
        print_json(sheets_as_json(tidy, about))
        return
    shown = sheets if printed is None else printed
    print_sheets(console(), shown)
    if paths and not shown[-1].notes:
        echo("")
    echo_written(*paths)


def check_tables(output: Path | None, inputs: Iterable[str | Path | None]) -> None:
    """Refuse early to write tables where they cannot be written, or over what is read."""
    if output:
        check_ending(output)
        refuse_inputs([output], inputs)


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
