"""What all pictures are made of: elements of SVG, axes with round numbers, names that fit.

Colours and sizes of letters are those of ``static/style.css`` and ``static/pictures.css``; here are
classes only. Numbers of places are written with one digit behind the point.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import accumulate, pairwise

from summetry.reports.labels import room

# Letters of names are 17 on a phone and 13 on a page; this is their ratio.
PHONE_SCALE = 17 / 13
# A picture that is wider keeps its size on a phone and is moved sideways.
NARROW = 520
MOST_LINES = 3
# What XML cannot hold, even escaped.
_FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_STEPS = (1.0, 2.0, 5.0, 10.0)


def safe(text: str) -> str:
    """Text for SVG and HTML, between tags or in an attribute.

    >>> safe('a<b & "c"')
    'a&lt;b &amp; &quot;c&quot;'
    """
    return escape(_FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text))


def element(tag: str, content: str = "", /, **attributes: str | float) -> str:
    """An element of SVG; ``content`` is ready, attributes are escaped, and ``_`` ends a keyword.

    >>> element("line", class_="grid", x1=0, x2=10.04)
    '<line class="grid" x1="0" x2="10"/>'
    """
    named = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{_attribute(value)}"'
        for name, value in attributes.items()
    )
    return f"<{tag}{named}>{content}</{tag}>" if content else f"<{tag}{named}/>"


def _attribute(value: str | float) -> str:
    return safe(value) if isinstance(value, str) else place(value)


def place(number: float) -> str:
    """A place in a picture: one digit behind the point, if it is not 0."""
    return f"{number:.1f}".removesuffix(".0").replace("-0", "0", 1 if abs(number) < 0.05 else 0)


def text(words: str, x: float, y: float, anchor: str = "start", class_: str = "") -> str:
    """Words that start, end or have their middle at a place; ``y`` is the line they stand on."""
    kind = {"class_": class_} if class_ else {}
    return element("text", safe(words), **kind, x=x, y=y, text_anchor=anchor)


def line(class_: str, x1: float, y1: float, x2: float, y2: float) -> str:
    return element("line", class_=class_, x1=x1, y1=y1, x2=x2, y2=y2)


def dots(class_: str, points: Iterable[tuple[float, float]], radius: float) -> str:
    """Many dots of one kind as a single path, of lines so short that their ends make a dot."""
    path = "".join(f"M{place(x)} {place(y)}h.01" for x, y in points)
    return element("path", class_=f"dots {class_}", d=path, stroke_width=2 * radius) if path else ""


def titled(title: str) -> str:
    """What a pointer is shown above a part of a picture."""
    return f"<title>{safe(title)}</title>"


def shown(number: float, digits: int = 3) -> str:
    """A number for people, with a real minus; a dash where there is none.

    >>> shown(0.3861), shown(-0.5, 2), shown(float("nan")), shown(float("-inf")), shown(2.5e17)
    ('0.386', '−0.50', '–', '−∞', '2.5e+17')
    """
    if math.isnan(number):
        return "–"
    if math.isinf(number):
        return "∞" if number > 0 else "−∞"
    written = f"{number:.{digits}f}" if abs(number) < 1e9 else f"{number:.3g}"
    return written.replace("-", "−", 1) if float(written) and number < 0 else written.lstrip("-")


@dataclass(frozen=True)
class Axis:
    """From numbers to places and back, with ticks at round numbers."""

    low: float
    high: float
    # Where the low end is drawn, and where the high one.
    start: float
    end: float
    step: float

    @classmethod
    def over(
        cls, numbers: Iterable[float], start: float, end: float, ticks: int = 5, zero: bool = True
    ) -> Axis:
        """An axis that covers all finite numbers, and 0 if ``zero`` and they are not far from it.

        >>> axis = Axis.over([0.12, 0.43], 0, 100)
        >>> axis.ticks, axis.at(0.3)
        ([0.0, 0.1, 0.2, 0.3, 0.4, 0.5], 60.0)
        """
        finite = [number for number in numbers if math.isfinite(number)]
        low, high = min(finite, default=0.0), max(finite, default=1.0)
        if low == high:
            low, high = (low - abs(low) / 2, high + abs(high) / 2) if low else (0.0, 1.0)
        if zero and low > 0 and high - low > low / 3:
            low = 0.0
        if zero and high < 0 and high - low > -high / 3:
            high = 0.0
        # Of some numbers of ticks the one that leaves least of the axis empty.
        counts = (ticks, ticks + 1, max(ticks - 1, 1), ticks + 2)
        steps = [_round_up((high - low) / count) for count in counts]
        ends = [(math.floor(low / s + 1e-9) * s, math.ceil(high / s - 1e-9) * s) for s in steps]
        empty = [round((last - first) / (high - low), 9) for first, last in ends]
        best = empty.index(min(empty))
        (first, last), step = ends[best], steps[best]
        return cls(first, last, start, end, step)

    @property
    def ticks(self) -> list[float]:
        count = round((self.high - self.low) / self.step)
        return [round(self.low + k * self.step, self.digits + 2) for k in range(count + 1)]

    @property
    def digits(self) -> int:
        """How many digits behind the point tell the ticks apart."""
        return max(-math.floor(math.log10(self.step) + 1e-9), 0)

    def at(self, number: float) -> float:
        share = (number - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def number_at(self, place: float) -> float:
        share = (place - self.start) / (self.end - self.start)
        return self.low + share * (self.high - self.low)

    def label(self, tick: float) -> str:
        return shown(tick, self.digits)


def _round_up(step: float) -> float:
    power = 10.0 ** math.floor(math.log10(step))
    return next(power * one for one in _STEPS if power * one >= step * (1 - 1e-9))


def axis_below(axis: Axis, top: float, bottom: float, words: str = "") -> str:
    """Upright lines of a grid with numbers below them, and what they count."""
    drawn = []
    for tick in axis.ticks:
        at = axis.at(tick)
        drawn += [line("grid", at, top, at, bottom)]
        drawn += [text(axis.label(tick), at, bottom + 18, "middle", "axis")]
    if words:
        middle = (axis.start + axis.end) / 2
        drawn.append(text(words, middle, bottom + 40, "middle", "axis"))
    return "".join(drawn)


def axis_beside(axis: Axis, left: float, right: float) -> str:
    """Level lines of a grid with numbers to their left."""
    drawn = []
    for tick in axis.ticks:
        at = axis.at(tick)
        drawn += [line("base" if tick == axis.low else "grid", left, at, right, at)]
        drawn += [text(axis.label(tick), left - 8, at + 4, "end", "axis")]
    return "".join(drawn)


def fold(name: str, width: float, lines: int = MOST_LINES) -> list[str]:
    """A name in lines that are not wider; what does not fit ends with an ellipsis.

    It is folded behind a sign that joins words if there is one, and else anywhere.

    >>> fold("rouge-su4", 60), fold("a_very_long_name_of_a_system", 80, 2)
    (['rouge-', 'su4'], ['a_very_', 'long_nam…'])
    """
    folded = [""]
    for piece in re.findall(r"[^\s_\-/.:,;()]*[\s_\-/.:,;()]*", name):
        if folded[-1] and room((folded[-1] + piece).rstrip()) > width:
            folded.append("")
        for letter in piece:
            if room(folded[-1] + letter) > width and letter.strip():
                folded.append("")
            folded[-1] += letter
    folded = [one.strip() for one in folded if one.strip()] or [""]
    if len(folded) > lines:
        last = folded[lines - 1]
        while room(last + "…") > width:
            last = last[:-1]
        folded = [*folded[: lines - 1], f"{last}…"]
    return folded


def name_at(name: str, lines: Sequence[str], x: float, middle: float) -> str:
    """A name on its lines around a middle; a pointer is shown all of it where it was cut."""
    top = middle + 4.5 - (len(lines) - 1) * 8
    words = "".join(text(one, x, top + 16 * k) for k, one in enumerate(lines))
    cut = "".join(lines).replace(" ", "") != name.replace(" ", "")
    return f"<g>{titled(name)}{words}</g>" if cut else words


@dataclass(frozen=True)
class Names:
    """The column of names at the left of a picture of rows: lines, and how wide it is."""

    lines: tuple[tuple[str, ...], ...]
    width: float

    @classmethod
    def of(cls, names: Sequence[str], most: float = 190.0, scale: float = 1.0) -> Names:
        """``scale`` is above 1 where letters can become larger, as on a phone."""
        lines = tuple(tuple(fold(name, most / scale)) for name in names)
        widest = max((room(one) for own in lines for one in own), default=0.0)
        return cls(lines, min(widest * scale, most) + 12)

    def bands(self, top: float, least: float, per_line: float) -> list[tuple[float, float]]:
        """From where to where each row goes, the first from ``top``; long names need more."""
        heights = [max(least, per_line * len(own) + 6) for own in self.lines]
        return list(pairwise(accumulate(heights, initial=top)))
