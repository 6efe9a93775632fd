"""The texts of DUCView's files: several summaries in one text, and parts of them by offsets."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from summetry.errors import Place, shorten
from summetry.formats._xml import Element
from summetry.formats.texts import warn_at
from summetry.text.finding import LooseText
from summetry.text.tokens import Span

# The name of a summary at DUC and TAC: topic, M, length, selector, author.
_DUC_NAME = re.compile(r"([^.]+)\.[A-Z]+\.\d+\.[^.]+\.([^.]+)")
# The patterns of headers that are understood, and how many dashes each asks for before and after
# the name. A file's pattern is read like this, and never run: it might take for ever.
_DASHES = r"(?:-|\[-\])(?:[+*]|\{(\d{1,6})(,?)\})"
_PATTERN = re.compile(rf"{_DASHES}\\n[^()|]*\\n{_DASHES}(?:\\n)?")
_LEAST_DASHES = 3


def duc_name(name: str) -> tuple[str, str] | None:
    """Topic and author of a name as DUC and TAC spell it, or None.

    >>> duc_name("D0727-B.M.100.G.A"), duc_name("anna")
    (('D0727-B', 'A'), None)
    """
    match = _DUC_NAME.fullmatch(name)
    return (match[1], match[2]) if match else None


def whole_text(section: Element) -> str:
    """The lines of a pyramid or an annotation as one text, to which offsets refer."""
    lines = [line.text for text in section.named("text")[:1] for line in text.named("line")]
    return "".join(f"{line}\n" for line in lines)


class Piece(NamedTuple):
    """One of several summaries in a text: all from its header to the next is its region, and
    without the blanks around it that is its text, which begins at ``start``."""

    author: str
    region: Span
    start: int
    text: str


class _Header(NamedTuple):
    name: str
    span: Span


def cut_references(text: str, pattern: str | None, place: Place) -> list[Piece]:
    """The references in a text, each under its name between lines of dashes.

    ``pattern`` is the file's own for such headers, and says how many dashes there are. Without
    dashes, lines that are names as DUC and TAC spell them are headers.
    """
    lines = text.split("\n")
    headers = _between_dashes(lines, _dashes(pattern, place)) or _duc_headers(lines)
    ends = [header.span[0] for header in headers[1:]] + [len(text)] * bool(headers)
    pieces: list[Piece] = []
    for header, end in zip(headers, ends, strict=True):
        author = header_author(header.name) or f"reference {len(pieces) + 1}"
        if author in [piece.author for piece in pieces]:
            warn_at(place, f"two summaries are headed {author!r}; the second is numbered")
            author = f"{author} {len(pieces) + 1}"
        pieces.append(trimmed(text, author, (header.span[1], end)))
    return pieces


def trimmed(text: str, author: str, region: Span) -> Piece:
    body = text[region[0] : region[1]]
    blanks = len(body) - len(body.lstrip())
    return Piece(author, region, region[0] + blanks, body.strip())


def _dashes(pattern: str | None, place: Place) -> range:
    """How many dashes a line of a header may have."""
    anything = range(_LEAST_DASHES, sys.maxsize)
    if not pattern:
        return anything
    known = _PATTERN.fullmatch(pattern)
    if known is None:
        found = f"the header pattern {shorten(pattern)} is not one of dashes, a name and dashes"
        warn_at(place, f"{found}, and no pattern of a file is run; such headers are looked for")
        return anything
    count = int(known[1] or 1)
    is_exact = known[1] and not known[2] and known[1] == known[3]
    return range(count, count + 1 if is_exact else sys.maxsize)


def _between_dashes(lines: Sequence[str], dashes: range) -> list[_Header]:
    is_dashes = [
        line != "" and line.strip() == "-" * len(line.strip()) and len(line.strip()) in dashes
        for line in lines
    ]
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    headers: list[_Header] = []
    following = 0
    for i in range(len(lines) - 2):
        if i >= following and is_dashes[i] and is_dashes[i + 2] and not is_dashes[i + 1]:
            headers.append(_Header(lines[i + 1], (starts[i], starts[i + 3])))
            following = i + 3
    return headers


def _duc_headers(lines: Sequence[str]) -> list[_Header]:
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    return [
        _Header(line, (starts[i], starts[i + 1]))
        for i, line in enumerate(lines)
        if duc_name(line.strip())
    ]


def header_author(line: str) -> str:
    """The author that a line between dashes names."""
    name = line.strip()
    known = duc_name(name)
    return known[1] if known else name if name.strip("-=_*# ") else ""


@dataclass(frozen=True)
class Part:
    """A part of a text: what the file says it is, and where it stands, None where it does not."""

    label: str
    span: Span | None
    # The offset that the file gives, which tells whose part it is even where it does not fit.
    offset: int | None


def read_part(element: Element, text: LooseText) -> Part:
    """A part with its place; an offset that does not fit is looked up, with a note."""
    label = element.attributes.get("label", "")
    start, end = (_number(element.attributes.get(name)) for name in ("start", "end"))
    if start is not None and start == end:
        return Part(label, None, start)  # As it is written where no place is known.
    if start is not None and end is not None and text.fits(label, (start, end)):
        return Part(label, (start, end), start)
    span = text.find(label, near=start or 0)
    where = f"{element.attributes.get('start')} to {element.attributes.get('end')}"
    what = f"is not in the text at {where} nor elsewhere; kept as it is"
    if span is not None:
        what = f"is not at {where} but at {span[0]} to {span[1]}; mended"
    warn_at(element.place, f"{shorten(label)} {what}")
    inside = start is not None and 0 <= start < len(text.text)
    return Part(label, span, start if inside else None)


def owner(parts: Sequence[Part], pieces: Sequence[Piece]) -> Piece | None:
    """The summary that the longest part stands in, of equals the first."""
    for part in sorted(parts, key=lambda part: -len(part.label)):
        for piece in pieces:
            if is_in(part, piece):
                return piece
    return None


def is_in(part: Part, piece: Piece) -> bool:
    at = part.span[0] if part.span else part.offset
    return at is not None and piece.region[0] <= at < piece.region[1]


def leaves(part: Part, piece: Piece) -> bool:
    """Whether a part that begins in a summary goes on into the next."""
    return part.span is not None and part.span[1] > piece.region[1]


def _number(written: str | None) -> int | None:
    return int(written) if written and re.fullmatch(r"[0-9]{1,9}", written.strip()) else None
