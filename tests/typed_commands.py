"""Every command by what is typed for it."""

from functools import cache
from typing import Any

from summetry.cli._commands import COMMANDS, TASKS, make_command


@cache
def all_commands() -> dict[str, Any]:
    """``score``, ``task questions``, each with its command, which tests only read."""
    typed = [*COMMANDS, *(f"task {name}" for name in TASKS)]
    return {name: make_command(name.split()[-1]) for name in typed}
