"""Which sources a library of the kernel is built from.

The build gives the library a number made from its C files, and the loader makes it again from the
files that stand beside the library: a library that was compiled before the files changed is not
called, since its functions may take other arguments. The build runs this file alone, so it imports
nothing of the package.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

_ENDINGS = {"win32": ".dll", "darwin": ".dylib"}


def library_name(system: str = sys.platform) -> str:
    """The name of the library's file on a system, which is named as in ``sys.platform``."""
    return "library" + _ENDINGS.get(system, ".so")


def fingerprint(folder: Path) -> int:
    """A number of 60 bits, never 0, that changes with the name or a byte of any C file."""
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*.[ch]")):
        content = path.read_bytes()
        digest.update(f"{path.name} {len(content)}\n".encode() + content)
    return int(digest.hexdigest()[:15], 16) | 1
