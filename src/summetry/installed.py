"""What is installed beside Summetry: versions of libraries, and the entry points of plug-ins.

``importlib.metadata`` knows both. To import it and to look through 200 distributions takes a tenth
of the start of a command, and as a rule there is no plug-in. Names of folders say nearly as much;
it is asked where they do not do.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.machinery import PathFinder
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


def entry_points(group: str) -> Iterable[EntryPoint]:
    """What installed distributions plug in under a name."""
    if _are_all_in_folders() and not any(_mentions(path, group) for path in _distributions()):
        return ()
    from importlib import metadata

    return metadata.entry_points(group=group)


def versions(projects: Iterable[str]) -> Iterator[str]:
    """The version of each project, ``none`` if it is not installed."""
    if _are_all_in_folders():
        found: dict[str, str] = {}
        for path in _distributions():
            project, _, version = path.rpartition("/")[2].rpartition(".")[0].partition("-")
            # The first one on the way is the one that is imported.
            found.setdefault(project.lower(), version)
        yield from (found.get(project.lower(), "none") for project in projects)
        return
    from importlib import metadata

    for project in projects:
        try:
            yield metadata.version(project)
        except metadata.PackageNotFoundError:
            yield "none"


def _are_all_in_folders() -> bool:
    """Whether every distribution has a folder: none is in an archive, or found by a program."""
    finders = [finder for finder in sys.meta_path if hasattr(finder, "find_distributions")]
    return finders == [PathFinder] and not any(map(os.path.isfile, sys.path))


def _distributions() -> Iterator[str]:
    for folder in map(Path, dict.fromkeys(sys.path)):
        with contextlib.suppress(OSError):  # Python names folders that are not there.
            yield from _in_folder(folder, folder.stat().st_mtime_ns)


@cache
def _in_folder(folder: Path, changed: int) -> tuple[str, ...]:
    """The distributions in a folder, since it was changed last."""
    with os.scandir(folder) as entries:
        names = sorted(entry.name for entry in entries)
    return tuple(f"{folder}/{name}" for name in names if name.endswith((".dist-info", ".egg-info")))


def _mentions(distribution: str, group: str) -> bool:
    file = f"{distribution}/entry_points.txt"
    return os.access(file, os.R_OK) and f"[{group}]".encode() in Path(file).read_bytes()
