"""Each benchmark writes its own section of ``docs/benchmarks.md`` and leaves the others."""

from __future__ import annotations

import platform
import re
from collections.abc import Sequence
from datetime import date
from pathlib import Path

PAGE = Path(__file__).parent.parent / "docs" / "benchmarks.md"
HEAD = """# Benchmarks

Times are from one machine and one run and say little by themselves; ratios within a run say more.
`make benchmark` measures again. Tests never assert a time.
"""


def write_section(title: str, script: str, lines: Sequence[str]) -> None:
    """Put ``lines`` under ``title``, in the place of the section of that name if there is one."""
    page = PAGE.read_text(encoding="utf-8") if PAGE.exists() else HEAD
    machine = f"Python {platform.python_version()}, {date.today().isoformat()}"
    text = "\n".join([f"## {title}", "", f"`benchmarks/{script}`, {machine}.", "", *lines, ""])
    pattern = re.compile(rf"^## {re.escape(title)}\n.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)
    if pattern.search(page):
        page = pattern.sub(lambda _: text + "\n", page)
    else:
        page = page.rstrip("\n") + "\n\n" + text
    PAGE.write_text(page.rstrip("\n") + "\n", encoding="utf-8")
