"""Patterns of the package ``regex`` that are compiled when they are first used.

To import it and to compile all patterns of sentences and words takes a twentieth of the time in
which a command starts, and many commands look at none of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    import regex


class _LatePattern:
    def __init__(self, pattern: str, flags: str) -> None:
        self._pattern, self._flags = pattern, flags

    def __getattr__(self, name: str) -> Any:
        import regex

        compiled = regex.compile(self._pattern, getattr(regex, self._flags))
        # Found at once the next time.
        found = self.__dict__[name] = getattr(compiled, name)
        return found


def late_pattern(pattern: str, flags: str = "VERSION0") -> regex.Pattern[str]:
    """A pattern, with the name of a flag of ``regex``."""
    return cast("regex.Pattern[str]", _LatePattern(pattern, flags))
