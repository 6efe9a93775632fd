"""Patterns that are compiled when they are first used.

To import the package ``regex`` and to compile all patterns of sentences and words takes a twentieth
of the time in which a command starts, and many commands look at none of them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    import re

    import regex


class _LatePattern:
    def __init__(self, package: str, pattern: str, flags: str) -> None:
        self._package, self._pattern, self._flags = package, pattern, flags

    def __getattr__(self, name: str) -> Any:
        package = import_module(self._package)
        compiled = package.compile(self._pattern, getattr(package, self._flags))
        # Found at once the next time.
        found = self.__dict__[name] = getattr(compiled, name)
        return found


def late_pattern(pattern: str, flags: str = "VERSION0") -> regex.Pattern[str]:
    """A pattern, with the name of a flag of ``regex``."""
    return cast("regex.Pattern[str]", _LatePattern("regex", pattern, flags))


def late_plain_pattern(pattern: str) -> re.Pattern[str]:
    """A pattern of Python's own package, which is faster where it is enough."""
    return cast("re.Pattern[str]", _LatePattern("re", pattern, "NOFLAG"))
