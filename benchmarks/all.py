"""All benchmarks, one after the other; each writes its section of ``docs/benchmarks.md``.

One that fails does not stop the others: it is named at the end, and the exit code is 1. A benchmark
is a script of this folder that writes a section.

    python benchmarks/all.py [rouge files ...]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).parent
# What users ask about first; then the others by name.
FIRST = ("rouge", "small_calls", "files", "growth", "scale")


def scripts(folder: Path = HERE) -> dict[str, Path]:
    """The benchmarks of a folder by name."""
    found = {
        path.stem: path
        for path in sorted(folder.glob("*.py"))
        if "write_section(" in path.read_text(encoding="utf-8")
        and path.name not in ("sections.py", Path(__file__).name)
    }
    return {name: found[name] for name in FIRST if name in found} | found


def run_all(paths: Sequence[Path]) -> list[str]:
    """Run each script in a process of its own; the names of those that failed."""
    failed = []
    for path in paths:
        print(f"--- {path.name}", flush=True)
        if subprocess.run([sys.executable, str(path)]).returncode:
            failed.append(path.name)
    return failed


def main(folder: Path = HERE) -> None:
    known = scripts(folder)
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(known)}")
    names = arguments.parse_args().names or list(known)
    unknown = [name for name in names if name not in known]
    if unknown:
        arguments.error(f"no benchmark is named {unknown[0]!r}; there are {', '.join(known)}")
    if failed := run_all([known[name] for name in names]):
        sys.exit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
