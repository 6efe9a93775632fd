"""Pyramids written as DUCView reads them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from summetry.errors import SummetryError
from summetry.formats._writing import file_name, losses, warn_not_written, write_folder
from summetry.formats._xml import attribute, content
from summetry.formats.ducview.texts import header_author
from summetry.records.corpus import Corpus
from summetry.records.pyramids import Contributor, PeerScu, Pyramid
from summetry.records.summaries import Role, Summary
from summetry.text.finding import LooseText
from summetry.text.tokens import Span

HELD = {
    "topics": {"id"},
    "summaries": {"topic", "author", "role", "text", "sentences"},
    "pyramids": {"topic", "scus", "peers", "annotator"},
}
_LINES_OF_DASHES = re.compile("-+")
_LEAST_DASHES = 10

# The SCU of a candidate that collects what is not in the pyramid.
OUTSIDE = "0"

# What DUCView checks its files against.
_SCU_TYPES = """\
 <!ELEMENT pyramid (startDocumentRegEx?,text,scu*)>
 <!ELEMENT startDocumentRegEx (#PCDATA)>
 <!ELEMENT text (line*)> <!ELEMENT line (#PCDATA)>
 <!ELEMENT scu (contributor)*>
 <!ATTLIST scu uid CDATA #REQUIRED label CDATA #REQUIRED comment CDATA #IMPLIED>
 <!ELEMENT contributor (part)*>
 <!ATTLIST contributor label CDATA #REQUIRED comment CDATA #IMPLIED>
 <!ELEMENT part EMPTY>
 <!ATTLIST part label CDATA #REQUIRED start CDATA #REQUIRED end CDATA #REQUIRED>
"""
_PEER_TYPES = """\
 <!ELEMENT peerAnnotation (pyramid,annotation)>
 <!ELEMENT annotation (text,peerscu*)>
 <!ELEMENT peerscu (contributor)*>
 <!ATTLIST peerscu uid CDATA #REQUIRED label CDATA #REQUIRED comment CDATA #IMPLIED>
"""


def write_pyramids(corpus: Corpus, path: Path) -> None:
    """A file for each pyramid and for each candidate annotated with it.

    Where a topic has several annotators, everyone has a folder.
    """
    texts = [_PyramidText(corpus, pyramid) for pyramid in corpus.pyramids]
    files = {
        f"{_folder(text) if _has_folders(texts) else ''}{name}": lines
        for text in texts
        for name, lines in _files(corpus, text)
    }
    write_folder(files, path)
    warn_not_written(corpus, HELD, path, "ducview", _lost(corpus, texts))


@dataclass(frozen=True)
class _PyramidText:
    """The references of a pyramid in one text, each under its name between lines of dashes."""

    corpus: Corpus
    pyramid: Pyramid

    @cached_property
    def references(self) -> dict[str, str]:
        return _texts(self.corpus, self.pyramid.topic, "reference")

    @property
    def dashes(self) -> str:
        """More dashes than any text has in a row, so that a header is nothing else."""
        runs = (run for text in self.references.values() for run in _LINES_OF_DASHES.findall(text))
        return "-" * max(_LEAST_DASHES, *(len(run) + 1 for run in runs), 0)

    @property
    def pattern(self) -> str:
        return rf"-{{{len(self.dashes)}}}\n[^\n]*\n-{{{len(self.dashes)}}}\n"

    def laid_out(self) -> tuple[str, dict[str, int]]:
        """The text, and where each reference begins in it."""
        whole, starts = "", {}
        for author, text in self.references.items():
            whole += f"{self.dashes}\n{_heading(author)}\n{self.dashes}\n"
            starts[author] = len(whole)
            whole += f"{text}\n"
        return whole, starts

    def lines(self) -> Iterator[str]:
        whole, starts = self.laid_out()
        texts = {author: LooseText(text) for author, text in self.references.items()}
        yield f" <startDocumentRegEx>{content(self.pattern)}</startDocumentRegEx>\n"
        yield from _text_lines(whole)
        for scu in self.pyramid.scus:
            if scu.id == OUTSIDE:
                raise SummetryError(
                    f"topic {self.pyramid.topic!r}: the SCU {OUTSIDE!r} cannot be written, since "
                    f"DUCView keeps there what is outside the pyramid; give it another id"
                )
            yield f" <scu {_named(scu.id, scu.label, scu.meta)}>\n"
            for part in scu.contributors:
                if part.author in starts:
                    yield from _contributor(part, texts[part.author], starts[part.author])
            yield " </scu>\n"


def _files(corpus: Corpus, text: _PyramidText) -> Iterator[tuple[str, str]]:
    pyramid = text.pyramid
    topic = _plain_name(pyramid.topic, "topic")
    inside = "".join(text.lines())
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    types = f"<!DOCTYPE pyramid [\n{_SCU_TYPES}]>\n"
    yield f"{topic}.pyr", f"{head}{types}<pyramid>\n{inside}</pyramid>\n"
    candidates = _texts(corpus, pyramid.topic, "candidate")
    types = f"<!DOCTYPE peerAnnotation [\n{_PEER_TYPES}{_SCU_TYPES}]>\n"
    for author, said in pyramid.peers.items():
        if author not in candidates:
            continue
        lines = "".join(_annotation(pyramid, said, candidates[author]))
        yield (
            f"{topic}.{_plain_name(author, 'author')}.pan",
            f"{head}{types}<peerAnnotation>\n<pyramid>\n{inside}</pyramid>\n"
            f"<annotation>\n{lines}</annotation>\n</peerAnnotation>\n",
        )


def _has_folders(texts: Sequence[_PyramidText]) -> bool:
    """Whether a topic has several annotators, so that they are told apart."""
    return len({text.pyramid.topic for text in texts}) < len(texts)


def _folder(text: _PyramidText) -> str:
    return f"{file_name(text.pyramid.annotator)}/" if text.pyramid.annotator else ""


def _annotation(pyramid: Pyramid, said: Sequence[PeerScu], text: str) -> Iterator[str]:
    yield from _text_lines(f"{text}\n")
    whole = LooseText(text)
    inside = {scu.id for scu in pyramid.scus}
    # As DUCView shows them: the heaviest first, and what is outside at the end.
    for scu in sorted(pyramid.scus, key=lambda scu: -scu.weight):
        label = f"({scu.weight}) {scu.label}"
        yield from _peer_scu(scu.id, label, [s for s in said if s.scu == scu.id], whole)
    outside = _one_each([part for part in said if part.scu not in inside])
    yield from _peer_scu(OUTSIDE, "All non-matching SCUs go here", outside, whole)


def _one_each(said: Iterable[PeerScu]) -> list[PeerScu]:
    """Each unit once: outside the pyramid, every contributor is read as a unit of its own."""
    units: dict[str, list[PeerScu]] = {}
    for part in said:
        units.setdefault(part.scu, []).append(part)
    return [
        parts[0] if len(parts) == 1 else PeerScu(name, "...".join(part.text for part in parts))
        for name, parts in units.items()
    ]


def _peer_scu(uid: str, label: str, said: Iterable[PeerScu], text: LooseText) -> Iterator[str]:
    yield f" <peerscu {_named(uid, label, {})}>\n"
    for part in said:
        yield from _contributor(part, text, 0)
    yield " </peerscu>\n"


def _contributor(part: Contributor | PeerScu, text: LooseText, shift: int) -> Iterator[str]:
    comment = _comment(part.meta)
    yield f"  <contributor label={attribute(part.text)}{comment}>\n"
    for label, (start, end) in _places(part, text):
        place = f'start="{start + shift}" end="{end + shift}"'
        yield f"   <part label={attribute(label)} {place}/>\n"
    yield "  </contributor>\n"


def _places(part: Contributor | PeerScu, whole: LooseText) -> list[tuple[str, Span]]:
    """The pieces of a part with their places; nowhere is 0 to 0."""
    start, end = getattr(part, "start", None), getattr(part, "end", None)
    if start is not None and end is not None and whole.fits(part.text, (start, end)):
        return [(part.text, (start, end))]
    known = [_known(piece, whole) for piece in _listed(part.meta)]
    if known and all(known):
        return [piece for piece in known if piece is not None]
    if span := whole.find(part.text):
        return [(part.text, span)]
    pieces = [(piece, whole.find(piece)) for piece in part.text.split("...")]
    if all(place for _, place in pieces):
        return [(piece, place) for piece, place in pieces if place]
    return [(part.text, (0, 0))]


def _listed(meta: dict[str, Any]) -> list[Any]:
    parts = meta.get("parts")
    return parts if isinstance(parts, list) else []


def _known(piece: Any, text: LooseText) -> tuple[str, Span] | None:
    """A piece that an earlier reading put into ``meta``, if it is still true."""
    if not isinstance(piece, dict):
        return None
    label, start, end = (piece.get(name) for name in ("text", "start", "end"))
    if not (isinstance(label, str) and isinstance(start, int) and isinstance(end, int)):
        return None
    return (label, (start, end)) if label and text.fits(label, (start, end)) else None


def _text_lines(text: str) -> Iterator[str]:
    yield " <text>\n"
    for line in text.removesuffix("\n").split("\n"):
        yield f"  <line>{content(line)}</line>\n"
    yield " </text>\n"


def _named(uid: str, label: str, meta: dict[str, Any]) -> str:
    return f"uid={attribute(uid)} label={attribute(label)}{_comment(meta)}"


def _comment(meta: dict[str, Any]) -> str:
    comment = meta.get("comment")
    return f" comment={attribute(comment)}" if isinstance(comment, str) and comment else ""


def _heading(author: str) -> str:
    """An author as the line over a summary, if it is read as this author again."""
    if len(author.splitlines()) != 1 or header_author(author) != author:
        raise SummetryError(
            f"the author {author!r} cannot head a summary of DUCView: it would be read as "
            f"{header_author(author)!r}; rename this one"
        )
    return author


def _plain_name(name: str, what: str) -> str:
    """A part of a file name; a point separates the topic from the author."""
    if not name:
        raise SummetryError(f"a file of DUCView is named by its {what}, found an empty one")
    return file_name(name).replace(".", "%2E")


def _texts(corpus: Corpus, topic: str, role: Role) -> dict[str, str]:
    """The texts of a topic's summaries in one role, by author."""
    summaries: tuple[Summary, ...] = corpus.of_topic("summaries", topic)
    return {s.author: corpus.text_of(s) for s in summaries if s.role == role}


def _lost(corpus: Corpus, texts: Sequence[_PyramidText]) -> list[str]:
    """What is not written, in words."""
    there = {text.pyramid.topic for text in texts}
    counts = Counter({("topic", "without a pyramid"): len(corpus.topics) - len(there)})
    annotated = {(text.pyramid.topic, author) for text in texts for author in text.pyramid.peers}
    written = ((topic, author) for topic in there for author in _texts(corpus, topic, "candidate"))
    counts["candidate", "without SCUs"] = len(set(written) - annotated)
    named = sum(bool(text.pyramid.annotator) for text in texts)
    counts["annotator", "of a topic alone"] = 0 if _has_folders(texts) else named
    for text in texts:
        counts.update(_lost_of_pyramid(corpus, text))
    return losses(counts)


def _lost_of_pyramid(corpus: Corpus, text: _PyramidText) -> dict[tuple[str, str], int]:
    pyramid, references = text.pyramid, text.references
    candidates = _texts(corpus, pyramid.topic, "candidate").keys()
    inside = {scu.id for scu in pyramid.scus}
    said = ((author, part.scu) for author in pyramid.peers for part in pyramid.peers[author])
    outside = [one for one in said if one[0] in candidates and one[1] not in inside]
    contributors = [part.author for scu in pyramid.scus for part in scu.contributors]
    return {
        ("annotation", "of an author without a candidate"): len(pyramid.peers.keys() - candidates),
        ("contributor", "without a summary"): sum(a not in references for a in contributors),
        ("weight", "other than the number of contributing references"): sum(
            scu.weight != len({part.author for part in scu.contributors} & references.keys())
            for scu in pyramid.scus
        ),
        ("repetition", "of units outside the pyramid"): len(outside) - len(set(outside)),
    }
