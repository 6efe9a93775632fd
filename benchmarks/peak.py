"""The peak memory of this process."""

from __future__ import annotations

import re
import resource
from pathlib import Path


def peak_memory() -> float:
    """Megabytes of this process alone; what getrusage tells includes the one that started it."""
    status = Path("/proc/self/status")
    if status.exists():
        found = re.search(r"^VmHWM:\s+(\d+) kB", status.read_text(), flags=re.MULTILINE)
        if found:
            return int(found[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
