"""Names for things that stand side by side: in one file, or each in a file of its own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path


def distinct(names: Iterable[str]) -> list[str]:
    """The names, no two alike: a later one that was there before has its number at the end.

    Large and small letters are alike, as they are for some file systems.

    >>> distinct(["news", "News", "sport", "news"])
    ['news', 'News_2', 'sport', 'news_3']
    """
    given = list(names)
    taken = {name.casefold() for name in given}
    seen: set[str] = set()
    found = []
    for name in given:
        free, number = name, 1
        while free.casefold() in (seen if number == 1 else taken | seen):
            number += 1
            free = f"{name}_{number}"
        seen.add(free.casefold())
        found.append(free)
    return found


def files_beside(path: Path, names: Sequence[str]) -> list[Path]:
    """A file for each name, which stands before the ending of ``path``.

    >>> [file.name for file in files_beside(Path("out.csv"), ["pairs", "a/b", "a:b"])]
    ['out-pairs.csv', 'out-a_b.csv', 'out-a_b_2.csv']
    """
    # What no file name can have everywhere, or what a shell would take for something else.
    plain = [re.sub(r"[^\w.-]", "_", name) for name in names]
    return [path.with_name(f"{path.stem}-{name}{path.suffix}") for name in distinct(plain)]
