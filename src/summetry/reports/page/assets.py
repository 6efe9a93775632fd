"""What a report carries with it: one stylesheet and one script, known to the browser by hash.

The page allows nothing but these two, so nothing that stands in somebody's data can run, and no
request leaves the machine of whoever opens it.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from summetry.reports.pictures.css import static_text

STYLES = ("style.css", "pictures.css", "lit.css", "report.css")
SCRIPTS = ("lit.js", "report.js")


@cache
def style() -> str:
    """All stylesheets of a report, one after the other."""
    return _joined(STYLES)


@cache
def script() -> str:
    """All scripts of a report, one after the other."""
    return _joined(SCRIPTS)


def policy() -> str:
    """What the page may do, as the browser is told: its own style, its own script, nothing else."""
    return (
        f"default-src 'none'; style-src '{_hash(style())}'; script-src '{_hash(script())}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def rendered(template: str, **values: Any) -> str:
    """A template filled in; whatever comes from data is escaped."""
    return _environment().get_template(template).render(**values)


def _joined(names: tuple[str, ...]) -> str:
    return "\n".join(static_text(name).strip() for name in names)


def _hash(content: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}"


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("summetry.reports.page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
