"""The ``summetry`` command, also as ``python -m summetry``.

What it needs takes a moment to import, and Ctrl-C in this moment is no fault of the program.
"""

from __future__ import annotations

import gc
import os
import sys


def main() -> None:
    """Run the command that the arguments of the process name."""
    # Products of matrices use one thread here, see arrays/threads.py; to start others takes a tenth
    # of the time in which a command starts.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Imports make tens of thousands of objects that stay: to look through them after every 700, as
    # Python does, takes another twentieth.
    gc.set_threshold(50_000)
    try:
        from summetry.cli.main import main as run
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(130)
    # What is imported stays until the end: it need not be looked at whenever memory is tidied up.
    gc.freeze()
    try:
        run()
    finally:
        # Nor need it be looked at before the process ends and all of it goes.
        gc.freeze()
        _flush()


def _flush() -> None:
    """Hand over what is still to be printed; if that cannot be, as was said, Python is silent."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
