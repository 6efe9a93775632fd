"""ROUGE-1, -2 and summary-level L with stemming, next to other programs, on one core.

The others are installed by name into an environment of their own (in the cache folder). Each
program runs in a fresh process on the same pairs, from strings to numbers, after it was checked
that the results agree where they should. One that cannot be installed or fails is named.

    python benchmarks/rouge.py [--pairs 20000] [--runs 2] [--no-write]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sections import write_section
from texts import sentences, word_lists

HERE = Path(__file__).parent
REALSUMM = HERE.parent.parent / "shared" / "data" / "realsumm" / "summaries.jsonl"
PEERS = ("rouge-score", "rouge-score-rs", "rouge-metric", "py-rouge")
OURS = ("floor", "summetry", "summetry-as-rouge-score", "summetry-drop-in")
BASE = "rouge-score"
SHOWN = {
    "floor": "floor: `str.split`",
    "summetry": "Summetry, `text=rouge155(stem=true)`",
    "summetry-as-rouge-score": "Summetry, `text=rouge_score(stem=true)`",
    "summetry-drop-in": "Summetry, `compat.rouge_score`, one pair per call",
    "rouge-score-rs-batch": "rouge-score-rs, `score_batch`",
    "rouge-metric": "rouge-metric (no stemmer)",
}
# Program, the one whose numbers it should have, and how far apart they may be: ROUGE-1.5.5
# rounds recall and precision to five decimals before it makes F of them.
AGREE = (
    ("rouge-score-rs", "rouge-score", 1e-9),
    ("rouge-score-rs-batch", "rouge-score", 1e-9),
    ("summetry-as-rouge-score", "rouge-score", 1e-9),
    ("summetry-drop-in", "rouge-score", 0),
    ("rouge-metric", "summetry-unstemmed", 2e-5),
)
# Programs that mean the numbers of ROUGE-1.5.5 but do not have them on every pair.
OTHERWISE = {
    "rouge-score": "whose stemmer has no irregular forms",
    "py-rouge": "which has them",
}
SAME = 2e-5
# Programs below so many seconds are run so many times.
QUICK, QUICK_RUNS = 5.0, 5


@dataclass(frozen=True)
class Outcome:
    """What one process told, or why it told nothing."""

    seconds: float = 0.0
    peak: float = 0.0
    f: Sequence[Sequence[float]] = ()
    failure: str = ""


def environment() -> tuple[Path, dict[str, str]]:
    """The interpreter with the peers, and for each peer that is missing the reason."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache / "summetry" / "benchmarks-rouge"
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    missing = {}
    for peer in PEERS:
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", peer]
        done = subprocess.run(pip, capture_output=True, text=True)
        if done.returncode:
            missing[peer] = "not installed: " + _last_line(done.stderr)
    return python, missing


def versions(python: Path) -> str:
    code = f"from importlib.metadata import version\nfor p in {PEERS!r}:\n"
    code += " try: print(p, version(p))\n except Exception: pass"
    done = subprocess.run([str(python), "-c", code], capture_output=True, text=True, check=True)
    return ", ".join(done.stdout.splitlines())


def run(name: str, python: Path, pairs: Path) -> Outcome:
    """One program in a fresh process."""
    where = sys.executable if name.startswith(("floor", "summetry")) else str(python)
    output = pairs.with_suffix(".out")
    # Without -P this file would be what `import rouge` finds.
    command = [where, "-P", str(HERE / "rouge_peers.py"), name, str(pairs), str(output)]
    one = {"RAYON_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | one)
    if done.returncode:
        return Outcome(failure="failed: " + _last_line(done.stderr))
    told = json.loads(output.read_text(encoding="utf-8"))
    return Outcome(told["seconds"], told["peak"], told["f"])


def generated(count: int) -> Iterator[tuple[str, str]]:
    """Pairs of 60 words in four lines, of which 30 words are shared."""
    for words in word_lists(count, 90):
        yield "\n".join(sentences(words[:60])), "\n".join(sentences(words[30:]))


def realsumm() -> Iterator[tuple[str, str]]:
    with REALSUMM.open(encoding="utf-8") as file:
        for record in map(json.loads, file):
            yield "\n".join(record["summary_sents"]), "\n".join(record["reference_sents"])


def write_pairs(path: Path, pairs: Iterable[tuple[str, str]]) -> int:
    count = 0
    with path.open("w", encoding="utf-8") as file:
        for pair in pairs:
            file.write(json.dumps(pair) + "\n")
            count += 1
    return count


def furthest(one: Outcome, other: Outcome) -> float:
    pairs = zip(one.f, other.f, strict=True)
    return max((abs(a - b) for x, y in pairs for a, b in zip(x, y, strict=True)), default=0.0)


def equal_share(one: Outcome, other: Outcome) -> str:
    """How many pairs have the same F, for ROUGE-1, -2 and L."""
    columns = zip(*(zip(*x.f, strict=True) for x in (one, other)), strict=True)
    shares = [
        sum(abs(a - b) < SAME for a, b in zip(x, y, strict=True)) / len(x) for x, y in columns
    ]
    return ", ".join(f"{share:.1%}" for share in shares)


def check(found: dict[str, Outcome]) -> list[str]:
    """Which results agree; an end to the run if some that should do not."""
    told = []
    for name, other, most in AGREE:
        if found[name].failure or found[other].failure:
            continue
        gap = furthest(found[name], found[other])
        if gap > most:
            sys.exit(f"{name} and {other} should agree to {most:g}, but are {gap:g} apart")
        told.append(f"{name} = {other} (largest difference {gap:.0e})")
    return told


def measure(python: Path, missing: dict[str, str], pairs: Path, runs: int) -> dict[str, Outcome]:
    """Every program in turn, the fastest of its runs: noise only ever adds.

    Those of a few seconds are near each other and take their turn more often.
    """
    found: dict[str, Outcome] = {}
    peers = [*PEERS[:2], "rouge-score-rs-batch", *PEERS[2:]]
    for turn in range(max(runs, QUICK_RUNS)):
        for name in [*OURS, "summetry-unstemmed", *peers]:
            if turn >= runs and not 0 < found[name].seconds < QUICK:
                continue
            reason = missing.get(name.removesuffix("-batch"), "")
            new = Outcome(failure=reason) if reason else run(name, python, pairs)
            old = found.get(name)
            if old is None or (not new.failure and new.seconds < old.seconds):
                found[name] = new
            print(f"{name:26} {new.seconds:9.3f} s  {new.peak:6.0f} MB  {new.failure}", flush=True)
    return found


def table(found: dict[str, Outcome], count: int) -> list[str]:
    lines = ["| program | seconds | pairs a second | times rouge-score |", "|---|---|---|---|"]
    base = found[BASE].seconds
    for name, outcome in found.items():
        if name == "summetry-unstemmed":
            continue
        shown = SHOWN.get(name, name)
        if outcome.failure:
            lines.append(f"| {shown} | {outcome.failure} | | |")
            continue
        ratio = f"{base / outcome.seconds:,.1f}" if base else ""
        each = count / outcome.seconds
        lines.append(f"| {shown} | {outcome.seconds:,.2f} | {each:,.0f} | {ratio} |")
    return lines


def memory(python: Path, missing: dict[str, str], folder: Path, counts: Sequence[int]) -> list[str]:
    """Peak memory of the whole process, with the texts in it."""
    names = ["floor", "summetry", *(["rouge-score-rs"] if "rouge-score-rs" not in missing else [])]
    head = " | ".join(f"{count:,} pairs" for count in counts)
    peaks: dict[str, list[str]] = {name: [] for name in names}
    for count in counts:
        path = folder / f"memory{count}.jsonl"
        write_pairs(path, generated(count))
        for name in names:
            outcome = run(name, python, path)
            peaks[name].append(outcome.failure or f"{outcome.peak:.0f} MB")
    rows = [f"| {SHOWN.get(name, name)} | {' | '.join(peaks[name])} |" for name in names]
    return [f"| peak memory | {head} |", "|---|" + "---|" * len(counts), *rows]


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip(" *")]
    wanted = [line for line in lines if "Error" in line or "not found" in line] or lines
    return " ".join(wanted[-2:]).replace("|", "/")[:160] if wanted else "no reason given"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--pairs", type=int, default=20_000)
    arguments.add_argument("--runs", type=int, default=2)
    arguments.add_argument("--memory", type=int, nargs="*", default=[20_000, 100_000])
    arguments.add_argument("--no-write", action="store_true")
    given = arguments.parse_args()
    python, missing = environment()
    lines = [
        f"ROUGE-1, -2 and summary-level L with stemming in one call, from strings to numbers, on "
        f"one core, each program in a fresh process, best of "
        f"{max(given.runs, QUICK_RUNS)} (above {QUICK:.0f} seconds of {given.runs}). Peers: "
        f"{versions(python)}."
    ]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        data = {"generated pairs, 60 words in four lines": generated(given.pairs)}
        if REALSUMM.exists():
            data["pairs of REALSumm (CNN/DailyMail, 25 systems)"] = realsumm()
        for title, pairs in data.items():
            path = folder / "pairs.jsonl"
            count = write_pairs(path, pairs)
            found = measure(python, missing, path, given.runs)
            told = [*check(found)]
            shares = [
                f"{equal_share(found['summetry'], found[name])} with {name}, {reason}"
                for name, reason in OTHERWISE.items()
                if not found[name].failure
            ]
            if shares:
                same = "pairs with the same F of ROUGE-1, -2, L as `rouge155`: "
                told.append(same + "; ".join(shares))
            lines += ["", f"{count:,} {title}:", "", *table(found, count), ""]
            lines += [f"Checked: {'; '.join(told)}."]
        if given.memory:
            lines += ["", *memory(python, missing, folder, given.memory)]
    print("\n".join(lines))
    if not given.no_write:
        write_section("ROUGE next to other programs", "rouge.py", lines)


if __name__ == "__main__":
    main()
