"""Which sources a library of the kernel is built from.

The build gives the library a number made from its C files, and the loader makes it again from the
files that stand beside the library: a library that was compiled before the files changed is not
called, since its functions may take other arguments. The build runs this file alone, so it imports
nothing of the package.
"""

from __future__ import annotations

import sys
import zlib
from pathlib import Path

_ENDINGS = {"win32": ".dll", "darwin": ".dylib"}


def library_name(system: str = sys.platform) -> str:
    """The name of the library's file on a system, which is named as in ``sys.platform``."""
    return "library" + _ENDINGS.get(system, ".so")


def fingerprint(folder: Path) -> int:
    """A number of 32 bits, never 0, that changes with the name or a byte of any C file."""
    number = 0
    for path in sorted(folder.glob("*.[ch]")):
        content = path.read_bytes()
        number = zlib.crc32(f"{path.name} {len(content)}\n".encode() + content, number)
    return number or 1
