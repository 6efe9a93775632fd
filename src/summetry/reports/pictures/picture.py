"""A picture: an SVG that a page takes in as it is, its text alternative, and its numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass

from summetry.reports.pictures.drawing import NARROW, element, safe
from summetry.reports.sheets import Sheet


@dataclass(frozen=True)
class Picture:
    """What is drawn, for the eye and in words; ``sheet`` has the numbers for a table."""

    # What a person who does not see the picture is told: what it shows, and its numbers.
    description: str
    # What stands below the picture, for everybody.
    caption: str
    size: tuple[float, float]
    # The elements inside the SVG.
    content: str
    sheet: Sheet

    @property
    def name(self) -> str:
        """For names of files."""
        return self.sheet.name

    @property
    def title(self) -> str:
        return self.sheet.title

    @property
    def is_wide(self) -> bool:
        """Whether it keeps its size on a phone, and is moved sideways there."""
        return self.size[0] > NARROW

    @property
    def svg(self) -> str:
        """The picture for a page that has ``style.css`` and ``pictures.css``."""
        width, height = self.size
        return element(
            "svg",
            f"<title>{safe(self.title)}</title><desc>{safe(self.description)}</desc>{self.content}",
            class_="chart picture wide" if self.is_wide else "chart picture",
            width=width,
            height=height,
            viewBox=f"0 0 {width:g} {height:g}",
            role="img",
        )

    @property
    def figure(self) -> str:
        """The picture with its caption; a wide one can be moved sideways by pointer and keys."""
        svg = self.svg
        if self.is_wide:
            label = safe(self.title)
            svg = f'<div class="scroll" role="region" aria-label="{label}" tabindex="0">{svg}</div>'
        caption = f"<figcaption>{safe(self.caption)}</figcaption>" if self.caption else ""
        return f"<figure>{svg}{caption}</figure>"


def named(*words: str) -> str:
    """A name for files: letters and digits of the words, with dashes between them.

    >>> named("systems", "rouge-1.f")
    'systems-rouge-1-f'
    """
    return "-".join(one for word in words for one in re.findall(r"[^\W_]+", word)).lower()
