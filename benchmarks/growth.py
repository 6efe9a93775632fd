"""How time and memory grow with the work, next to other programs, on one core.

10 to 1,000,000 pairs from a file to a file, each program a whole process; 1 to 11 references per
candidate in memory, each program in a fresh process. Growth with the sentences of a text is in
``summarizers.py``. The scores are compared. The floor is reading the file's lines and cutting them
at blanks, or cutting the texts.

    python benchmarks/growth.py [--pairs 10 100 ...] [--references 1 2 ...] [--no-write]
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from files import FLOOR, OURS, SAME, SCRIPT, Outcome, compared, measure
from growth_charts import draw_growth, picture
from growth_peers import PROGRAMS
from peers import environment, furthest, run, use_one_core
from sections import Headline, write_section
from texts import sentences, table_rows, word_lists

PEERS = ("rouge-score==0.1.2", "rouge-score-rs==0.2.1", "pyarrow==26.0.1")
PAIRS = tuple(10**power for power in range(1, 7))
REFERENCES = tuple(range(1, 12))
# Small tables are scored several times.
FEW, RUNS = 10_000, 3
# Candidates with several references; rouge-score takes its time.
CANDIDATES, SLOW_CANDIDATES, SLOW = 1_000, 40, "rouge-score"
BASE = "rouge-score-rs"
SPLIT = "floor: str.split"

Found = dict[tuple[str, int], Outcome]


def measure_pairs(python: Path, folder: Path, sizes: Sequence[int]) -> Found:
    found: Found = {}
    whole = folder / "whole.jsonl"
    with whole.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in table_rows(max(sizes)))
    outputs = {FLOOR: folder / "none", OURS: folder / "ours.csv", SCRIPT: folder / "theirs.csv"}
    for size in sizes:
        table = folder / f"{size}.jsonl"
        with whole.open("rb") as file, table.open("wb") as other:
            other.writelines(islice(file, size))
        for _ in range(RUNS if size <= FEW else 1):
            for program, output in outputs.items():
                new = measure(program, python, table, output)
                old = found.get((program, size), new)
                found[program, size] = old.and_again(new)
                print(
                    f"{size:,} pairs, {program}: {new.seconds:.2f} s, {new.peak:.0f} MB", flush=True
                )
        compared(python, outputs[OURS], outputs[SCRIPT], size)
        table.unlink()
    return found


def measure_references(python: Path, folder: Path, sizes: Sequence[int]) -> Found:
    """Seconds are those of one candidate."""
    found: Found = {}
    words = list(word_lists(CANDIDATES, 60 + 30 * max(sizes)))
    for size in sizes:
        texts = [
            # Each reference shares 30 words with the candidate.
            (
                text_of(one[:60]),
                [text_of(one[30:60] + one[60 + 30 * k :][:30]) for k in range(size)],
            )
            for one in words
        ]
        values = []
        for program in PROGRAMS:
            some = texts[: SLOW_CANDIDATES if program == SLOW else None]
            path = folder / "texts.json"
            path.write_text(json.dumps(some), encoding="utf-8")
            ours = program in ("Summetry", SPLIT)
            told = run(sys.executable if ours else python, "growth_peers.py", [program, str(path)])
            found[program, size] = Outcome(told["seconds"] / len(some), told["peak"])
            values += [told["f"]] if told["f"] else []
            print(f"{size} references, {program}: {found[program, size].seconds * 1e6:,.0f} µs")
        gap = max(furthest(values[0], other) for other in values[1:])
        if gap > SAME:
            sys.exit(f"{size} references: the programs are {gap:g} apart")
    return found


def text_of(words: list[str]) -> str:
    return " ".join(sentences(words))


def table(found: Found, head: str, each: str, scale: float = 1.0) -> list[str]:
    """One row per program and size across; then peak memory."""
    sizes = sorted({size for _, size in found})
    programs = list(dict.fromkeys(program for program, _ in found))
    counts = " | ".join(f"{size:,}" for size in sizes)
    lines = [f"| {head} | {counts} |", "|---|" + "---|" * len(sizes)]
    for program in programs:
        cells = [f"{found[program, size].seconds * scale:{each}}" for size in sizes]
        lines.append(f"| {program} | {' | '.join(cells)} |")
    for program in programs:
        cells = [f"{found[program, size].peak:.0f}" for size in sizes]
        lines.append(f"| peak memory, MB: {program} | {' | '.join(cells)} |")
    return lines


def ratios(found: Found, ours: str, other: str) -> list[str]:
    sizes = sorted({size for _, size in found})
    cells = [f"{found[other, s].seconds / found[ours, s].seconds:.2f}" for s in sizes]
    return [f"| times {other} | {' | '.join(cells)} |"]


def draw(found: Found, what: str, work: str, scale: float, unit: str) -> None:
    across = what, f"{what} per candidate" if what == "references" else what
    rows = [
        {"program": program, across[0]: size, "time": o.seconds * scale, "memory": o.peak}
        for (program, size), o in found.items()
    ]
    is_log = max(size for _, size in found) > 100
    time, memory = ("time", "processor time", unit), ("memory", "peak memory", "MB")
    for name, up in (("time", time), ("memory", memory)):
        title = f"{up[1].capitalize()}: {work}"
        draw_growth(rows, picture(f"{what}-{name}"), title, across, up, is_log)


def headlines_of(found: Found, ours: str, other: str, least: str, what: str) -> list[Headline]:
    sizes = sorted({size for _, size in found})
    shown = []
    for size in (sizes[0], sizes[-1]):
        mine, theirs, floor = (found[name, size] for name in (ours, other, least))
        times, above = theirs.seconds / mine.seconds, mine.seconds / floor.seconds
        name = "script around rouge-score-rs" if other == SCRIPT else other
        of = f"{size:,} {what.removesuffix('s') if size == 1 else what}"
        shown.append(Headline(of, times, name, above, mine.peak))
    return shown


def pictures(what: str) -> list[str]:
    names = {"time": "Time", "memory": "Memory"}
    return [
        line
        for kind, word in names.items()
        for line in ("", f"![{word} by {what}, for each program]({picture(f'{what}-{kind}').name})")
    ]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--pairs", type=int, nargs="*", default=[*PAIRS])
    arguments.add_argument("--references", type=int, nargs="*", default=[*REFERENCES])
    arguments.add_argument("--no-write", action="store_true")
    given = arguments.parse_args()
    use_one_core()
    # The environment of rouge.py.
    python, missing = environment("rouge", PEERS)
    if missing:
        sys.exit("; ".join(f"{package} {reason}" for package, reason in missing.items()))
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        if given.references:
            by_references = measure_references(python, folder, given.references)
            lines = [
                f"ROUGE-1, -2 and L of {CANDIDATES:,} candidates of 60 words in memory "
                f"({SLOW_CANDIDATES} for {SLOW}), for each value the reference with the best F "
                f"(`score_multi` of the others), on one core, each program in a fresh process; "
                f"best of 3 rounds. Peers: {', '.join(PEERS[:2])}.",
                "",
                *table(by_references, "processor µs per candidate, by references", ",.0f", 1e6),
                *ratios(by_references, "Summetry", BASE),
                *ratios(by_references, "Summetry", SLOW),
                "",
                "Checked: all values are equal.",
                *pictures("references"),
            ]
            print("\n".join(lines))
            if not given.no_write:
                work = "ROUGE-1, -2 and L with several references"
                draw(by_references, "references", work, 1e6, "µs per candidate")
                shown = headlines_of(by_references, "Summetry", BASE, SPLIT, "references")
                write_section("Growth with references", "growth.py", lines, shown)
        if given.pairs:
            by_pairs = measure_pairs(python, folder, given.pairs)
            lines = [
                f"ROUGE-1, -2 and L from JSONL to CSV, as in the section on files: each program a "
                f"whole process on one core with its start; best of {RUNS} turns, 1 turn above "
                f"{FEW:,} pairs. The floor is a process of Python that reads the lines and cuts "
                f"them at blanks. Peers: {', '.join(PEERS[1:])}.",
                "",
                *table(by_pairs, "processor seconds, by pairs", ".3g"),
                *ratios(by_pairs, OURS, SCRIPT),
                "",
                "Checked: all scores are equal.",
                *pictures("pairs"),
            ]
            print("\n".join(lines))
            if not given.no_write:
                work = "ROUGE-1, -2 and L from file to file"
                draw(by_pairs, "pairs", work, 1.0, "seconds")
                shown = headlines_of(by_pairs, OURS, SCRIPT, FLOOR, "pairs")
                write_section("Growth with pairs", "growth.py", lines, shown)


if __name__ == "__main__":
    main()
