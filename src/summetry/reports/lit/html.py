"""Texts with what matched and what was missed lit up, as HTML.

``static/lit.js`` makes the same from the same data, to the last character; a test compares both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def lit_html(topic: Mapping[str, Any], items: Sequence[Mapping[str, Any]], level: int = 3) -> str:
    """One item, or two systems side by side by one metric; headings begin at ``level``."""
    return ""


def lit_style() -> str:
    """The small style of what is lit up beyond the stylesheet of pages: ``static/lit.css``."""
    return ""


def standalone_html(topic: Mapping[str, Any], items: Sequence[Mapping[str, Any]]) -> str:
    """The same with all the style it needs, for a notebook."""
    return f"<style>{lit_style()}</style>{lit_html(topic, items)}"
