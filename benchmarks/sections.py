"""Each benchmark writes its own section of ``docs/benchmarks.md``, and its rows of the table at the
top, and leaves the others."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from summetry.arrays import kernel

PAGE = Path(__file__).parent.parent / "docs" / "benchmarks.md"
HEAD = """# Benchmarks

Times are from one machine and one run and say little by themselves; ratios within a run say more.
This machine has {machine}.
Summetry ran {kernel}. `make benchmark` measures again. Tests never assert a time.
"""
SHORT = "In short"
SHORT_HEAD = (
    """A peer is another program that does the same work; where there is none, it is a plain version
of the same method, written for the comparison: "dictionaries" and "trying every path". The floor is
the cheapest thing that has to be done in any case, such as reading the file and cutting the texts
at blanks; a program that works on bytes can be below it. "To reach" names a goal that the project
set itself. Each section says how it was measured; an empty cell is something that was not, or a
work without a peer.

| section | what | times as fast as the best peer | best peer | """
    """seconds divided by the floor's | peak memory, MB |
|---|---|---|---|---|---|"""
)


@dataclass(frozen=True)
class Headline:
    """A row of the table at the top: what, how many times as fast as the best peer, seconds divided
    by those of the floor, peak megabytes; None is an empty cell."""

    what: str
    times: float | None = None
    peer: str = ""
    floor: float | None = None
    peak: float | None = None

    def row(self, title: str) -> str:
        times, floor = (f"{x:,.{_decimals(x)}f}" if x else "" for x in (self.times, self.floor))
        peak = f"{self.peak:,.0f}" if self.peak else ""
        return f"| {link(title)} | {self.what} | {times} | {self.peer} | {floor} | {peak} |"


def _decimals(value: float) -> int:
    return 2 if value < 10 else 1 if value < 100 else 0


def link(title: str) -> str:
    anchor = re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")
    return f"[{title}](#{anchor})"


def head() -> str:
    """The first lines of the page, with the machine that writes it."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    cores = f"{os.cpu_count()} {platform.machine()} cores and {memory:.0f} GB of memory"
    runs = "with its compiled part" if kernel.is_compiled() else "in plain Python"
    return HEAD.format(machine=f"{cores} and runs {platform.system()}", kernel=runs)


def write_section(
    title: str, script: str, lines: Sequence[str], headlines: Sequence[Headline] = ()
) -> None:
    """Put ``lines`` under ``title``, in the place of the section of that name if there is one, and
    ``headlines`` into the table at the top, in the order of the sections."""
    page = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    _, *parts = re.split(r"^## ", page, flags=re.MULTILINE)
    sections = dict(part.partition("\n")[::2] for part in parts)
    rows = re.findall(r"^\| \[.*$", sections.pop(SHORT, ""), flags=re.MULTILINE)
    machine = f"Python {platform.python_version()}, {date.today().isoformat()}"
    sections[title] = "\n".join(["", f"`benchmarks/{script}`, {machine}.", "", *lines])
    rows = [row for row in rows if not row.startswith(f"| {link(title)} ")]
    rows += [headline.row(title) for headline in headlines]
    order = {link(name): place for place, name in enumerate(sections)}
    rows.sort(key=lambda row: order.get(row.split(" | ")[0][2:], len(order)))
    if rows:
        sections = {SHORT: "\n".join(["", SHORT_HEAD, *rows])} | sections
    written = [f"## {name}\n{text.rstrip()}\n" for name, text in sections.items()]
    PAGE.write_text("\n".join([head(), *written]), encoding="utf-8")
