"""Other programs: installed by name and version into an environment of their own (in the cache
folder), and run in fresh processes on one core."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
# One thread each; and modules are compiled once and not on every start, as they are installed.
SETTINGS = {
    "RAYON_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "PYTHONDONTWRITEBYTECODE": "",
}
INSTALLED = """import sys
from importlib.metadata import version
for package in sys.argv[1:]:
    try:
        print(f"{package}=={version(package)}")
    except Exception:
        pass
"""


class NotMeasuredError(Exception):
    """Why a program could not be measured, in one line."""


def environment(name: str, packages: Sequence[str]) -> tuple[Path, dict[str, str]]:
    """The interpreter that has the packages, and for each that is missing the reason.

    A package is written as pip takes it: ``rouge-score==0.1.2``.
    """
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache / "summetry" / f"benchmarks-{name}"
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    names = [package.partition("==")[0] for package in packages]
    command = [str(python), "-c", INSTALLED, *names]
    told = subprocess.run(command, capture_output=True, text=True, check=True)
    missing = {}
    for package in set(packages) - set(told.stdout.split()):
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        done = subprocess.run([*pip, package], capture_output=True, text=True)
        if done.returncode:
            missing[package.partition("==")[0]] = "not installed: " + last_line(done.stderr)
    return python, missing


def use_one_core() -> None:
    """Keep this process, and all that it starts, on one core."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def run(
    python: Path | str, script: str, arguments: Sequence[str], more: Mapping[str, str] = SETTINGS
) -> Any:
    """What a script of this folder prints, in a fresh process; an error if it fails.

    The last line of what it prints is JSON. Without -P this folder's rouge.py would be what
    ``import rouge`` finds.
    """
    command = [str(python), "-P", str(HERE / script), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | more)
    if done.returncode:
        raise NotMeasuredError("failed: " + last_line(done.stderr))
    return json.loads(done.stdout.splitlines()[-1])


def last_line(text: str) -> str:
    """The line of an error that says what is wrong, fit for a cell of a table."""
    lines = [line.strip() for line in text.splitlines() if line.strip(" *")]
    telling = [line for line in lines if "Error" in line or "not found" in line] or lines
    return telling[-1].replace("|", "/")[:160] if telling else "no reason given"


def furthest(some: Sequence[Sequence[float]], others: Sequence[Sequence[float]]) -> float:
    """The largest difference between two tables of numbers, as far as both go."""
    pairs = zip(some, others, strict=False)
    return max((abs(a - b) for x, y in pairs for a, b in zip(x, y, strict=True)), default=0.0)
