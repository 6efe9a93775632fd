"""The peak memory of this process, or of another.

As a program it runs a command and prints its processor seconds and its peak in megabytes; what the
command prints goes to standard error. What the system tells of a process is no less than what the
one that started it had, and this one is small.

    python benchmarks/peak.py COMMAND...
"""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
from pathlib import Path


def peak_memory() -> float:
    """Megabytes of this process alone; what getrusage tells includes the one that started it."""
    return peak_of("self") or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def peak_of(process: int | str) -> float:
    """Megabytes of a process so far, by its number; 0 where the system does not tell."""
    status = Path(f"/proc/{process}/status")
    if not status.exists():
        return 0.0
    told = re.search(r"^VmHWM:\s+(\d+) kB", status.read_text(), flags=re.MULTILINE)
    return int(told[1]) / 1024 if told else 0.0


def main() -> None:
    started = subprocess.Popen(sys.argv[1:], stdout=sys.stderr)
    _, status, used = os.wait4(started.pid, 0)
    started.returncode = os.waitstatus_to_exitcode(status)
    print(json.dumps([used.ru_utime + used.ru_stime, used.ru_maxrss / 1024]))
    sys.exit(1 if started.returncode else 0)


if __name__ == "__main__":
    main()
