"""Pictures read back: elements of an SVG, and numbers from places by the picture's own axis."""

import re
from xml.etree import ElementTree

from summetry.reports.sheets import print_sheets
from summetry.reports.tables import as_text

SVG = "{http://www.w3.org/2000/svg}"


def parsed(svg):
    """The root of an SVG; a picture inside of a page has no namespace."""
    return ElementTree.fromstring(svg)


def words(svg):
    """All words of a picture that are seen, as they come."""
    return ["".join(one.itertext()) for one in parsed(svg).iter("text")]


def of_class(svg, *classes):
    """The elements that have all of some classes."""
    return [one for one in parsed(svg).iter() if set(classes) <= set(one.get("class", "").split())]


def number(word):
    return float(word.replace("−", "-").replace(",", ""))


def reader(svg, along):
    """From a place to a number, by the first and last tick of the axis below or at the left."""
    ticks = {}
    for one in of_class(svg, "axis"):
        if re.fullmatch(r"−?[\d,]+(\.\d+)?", one.text or ""):
            is_below = one.get("text-anchor") == "middle"
            if is_below == (along == "x"):
                # Beside its line a number stands so much lower.
                at = float(one.get(along)) - (0 if is_below else 4)
                ticks[at] = number(one.text)
    (a, low), *_, (b, high) = sorted(ticks.items())
    return lambda place: low + (float(place) - a) / (b - a) * (high - low)


def dots_of(path):
    """The places of the dots of one path."""
    found = re.findall(r"M([\d.-]+) ([\d.-]+)h", path.get("d"))
    return [(float(x), float(y)) for x, y in found]


def panels(svg):
    """Of each axis below rows: where these end, and from a place to a number by its ticks."""
    rows = {}
    for one in of_class(svg, "axis"):
        if re.fullmatch(r"−?\d+(\.\d+)?", one.text or "") and one.get("text-anchor") == "middle":
            rows.setdefault(float(one.get("y")), {})[float(one.get("x"))] = number(one.text)
    for y, ticks in sorted(rows.items()):
        (a, low), *_, (b, high) = sorted(ticks.items())
        yield y, lambda x, a=a, b=b, low=low, high=high: low + (x - a) / (b - a) * (high - low)


def marks(svg):
    """Dots and lines in rows, with the numbers at which they stand by the axis below them.

    Places have one digit behind the point, and about 100 of them are 1.
    """
    every = list(panels(svg))
    for one in parsed(svg).iter():
        names = {"circle": ("cx",), "line": ("x1", "x2")}.get(one.tag, ())
        if names and one.get("class") not in (None, "grid"):
            y = float(one.get("cy") or one.get("y1"))
            value = next((read for bottom, read in every if y < bottom), every[-1][1])
            numbers = [round(value(float(one.get(name))), 2) + 0.0 for name in names]
            yield f"{one.get('class')} {' to '.join(f'{x:.2f}' for x in numbers)}"


def in_words(picture, with_marks=False):
    """All that a picture says: how it is called, what is below it and drawn, and its table."""
    width = "shown whole" if not picture.is_wide else "moved sideways"
    table = as_text(lambda out: print_sheets(out, [picture.sheet]), 200)
    parts = (
        f"{picture.name}, {width}: {picture.title}", picture.caption, picture.description,
        "drawn: " + " | ".join(words(picture.svg)), table,
    )  # fmt: skip
    shown = ["\n".join(marks(picture.svg))] if with_marks else []
    return "\n\n".join([*parts, *shown])
