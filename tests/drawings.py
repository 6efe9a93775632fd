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


def in_words(picture):
    """All that a picture says: how it is called, what is below it and drawn, and its table."""
    width = "shown whole" if not picture.is_wide else "moved sideways"
    table = as_text(lambda out: print_sheets(out, [picture.sheet]), 200)
    parts = (
        f"{picture.name}, {width}: {picture.title}", picture.caption, picture.description,
        "drawn: " + " | ".join(words(picture.svg)), table,
    )  # fmt: skip
    return "\n\n".join(parts)
