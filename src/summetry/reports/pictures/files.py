"""Pictures in files of their own, with title and caption: SVG for any program, or PNG."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from summetry.errors import SummetryError
from summetry.reports.chart_files import check_picture, write_picture
from summetry.reports.labels import room
from summetry.reports.pictures.css import chart_style
from summetry.reports.pictures.drawing import element, safe, text
from summetry.reports.pictures.picture import Picture
from summetry.reports.sheets import distinct

_MARGIN, _LEAST = 20.0, 420.0
_TITLE, _LINE = 22.0, 18.0
# Letters of captions are smaller than those that room is reckoned for, and few are wide.
_SMALLER, _LARGER = 0.8, 1.0


def standalone(picture: Picture) -> str:
    """The picture as a complete SVG file: its colours are in it, for light and dark readers.

    Programs that do not know the wish of their reader show it light.
    """
    width = max(picture.size[0], _LEAST)
    heading = _folded(picture.title, width * _LARGER)
    caption = _folded(picture.caption, width / _SMALLER)
    top = _MARGIN + _TITLE * len(heading) + 8
    below = top + picture.size[1] + 8
    height = below + _LINE * len(caption) + _MARGIN
    size = {"width": width + 2 * _MARGIN, "height": height}
    parts = [
        f"<title>{safe(picture.title)}</title><desc>{safe(picture.description)}</desc>",
        f"<style>{chart_style()}</style>",
        element("rect", class_="paper", **size),
        *(
            text(o, _MARGIN, _MARGIN + 14 + _TITLE * k, class_="title")
            for k, o in enumerate(heading)
        ),
        element("g", picture.content, transform=f"translate({_MARGIN:g} {top:g})"),
        *(text(o, _MARGIN, below + 12 + _LINE * k, class_="axis") for k, o in enumerate(caption)),
    ]
    whole = element(
        "svg",
        "".join(parts),
        xmlns="http://www.w3.org/2000/svg",
        class_="chart",
        **size,
        viewBox=f"0 0 {size['width']:g} {size['height']:g}",
        role="img",
    )
    return whole + "\n"


def write_pictures(pictures: Sequence[Picture], folder: Path, ending: str = ".svg") -> list[Path]:
    """Each picture in a file of a folder, by its name; ``ending`` is .svg or .png."""
    names = distinct(picture.name for picture in pictures)
    paths = [folder / f"{name}{ending}" for name in names]
    for path in paths[:1]:
        check_picture(path, "picture")
    if folder.exists() and not folder.is_dir():
        raise SummetryError(f"{folder}: expected a folder for pictures, found a file; name another")
    folder.mkdir(parents=True, exist_ok=True)
    for picture, path in zip(pictures, paths, strict=True):
        write_picture(standalone(picture), path)
    return paths


def _folded(words: str, width: float) -> list[str]:
    """Words in lines that are not wider; one that is longer has a line of its own."""
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and room(longer) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return [one for one in lines if one]
