"""What the scripts have in common: numbers on the command line, the files, and how a run ends."""

from __future__ import annotations

import argparse
import csv
import os
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from summetry.arrays.types import Floats
from summetry.errors import SummetryError, SummetryWarning
from summetry.reports.chart_files import write_chart, write_page

Row = dict[str, str | int | float]

# The exit codes that a shell gives a program that was stopped so.
INTERRUPTED, PIPE_CLOSED = 130, 141


def positive(text: str) -> int:
    """A number of 1 or more on the command line."""
    return natural(text, 1)


def natural(text: str, least: int = 0) -> int:
    """A number of 0 or more on the command line."""
    number = int(text) if text.removeprefix("-").isdecimal() else None
    if number is None or number < least:
        raise argparse.ArgumentTypeError(f"expected {least} or more, got {text}")
    return number


def check_folder(out: Path) -> None:
    """Said before the work begins rather than after it."""
    if out.exists() and not out.is_dir():
        raise SummetryError(f"{out}: expected a folder to write to, found a file")


def write(
    tables: Mapping[str, Sequence[Row]], pictures: Mapping[str, Any], out: Path, title: str
) -> list[str]:
    """Tables as CSV, pictures as SVG and PNG and together on a page; the names of all files."""
    out.mkdir(parents=True, exist_ok=True)
    for name, rows in tables.items():
        write_table(rows, out / f"{name}.csv")
    for name, chart in pictures.items():
        for ending in (".svg", ".png"):
            write_chart(chart, (out / name).with_suffix(ending))
    write_page(
        {heading(name): chart for name, chart in pictures.items()}, out / "index.html", title
    )
    names = [f"{name}.csv" for name in tables]
    return [*names, *(f"{name}.{e}" for name in pictures for e in ("svg", "png")), "index.html"]


def heading(name: str) -> str:
    """The name of a picture for people.

    >>> heading("figure3"), heading("bias")
    ('Figure 3', 'Bias')
    """
    return re.sub(r"(?<=[a-z])(?=[0-9])", " ", name).capitalize()


def write_table(rows: Sequence[Row], path: Path) -> None:
    """Rows as CSV; what is undefined is empty."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.DictWriter(file, names, lineterminator="\n")
        out.writeheader()
        out.writerows({k: "" if v != v else v for k, v in row.items()} for row in rows)


def print_all(
    run: Callable[[argparse.Namespace], Iterable[str]], options: argparse.Namespace
) -> int:
    """Print the lines of a run; its exit code is 2 if the user has to mend something."""
    warnings.simplefilter("ignore", SummetryWarning)
    try:
        for line in run(options):
            print(line, flush=True)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # Python would complain once more when it closes what nobody reads.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except (SummetryError, OSError) as error:
        print(f"error: {' '.join(str(error).splitlines())}", file=sys.stderr)
        return 2
    return 0


def to_matrix(records: Iterable[tuple[str, str, float]]) -> Floats:
    """A table from (system, topic, score), both in the order of their names; NaN is missing.

    >>> to_matrix([("b", "t1", 1), ("a", "t1", 2), ("a", "t2", 3)]).tolist()
    [[2.0, 3.0], [1.0, nan]]
    """
    scores: dict[tuple[str, str], float] = {}
    for system, topic, score in records:
        if (system, topic) in scores:
            raise SummetryError(f"the system {system!r} has two scores for {topic!r}, expected one")
        scores[system, topic] = score
    systems, topics = (sorted(set(names)) for names in zip(*scores, strict=True))
    return np.array([[scores.get((s, t), np.nan) for t in topics] for s in systems])
