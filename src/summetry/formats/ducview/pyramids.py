"""The files of DUCView: pyramids (``.pyr``) and peers annotated with them (``.pan``).

    <pyramid>
     <startDocumentRegEx>-{10}\\n[^\\n]*\\n-{10}\\n</startDocumentRegEx>
     <text><line>----------</line><line>anna</line><line>----------</line>
      <line>A ferry sank.</line> ... </text>
     <scu uid="1" label="a ferry sank">
      <contributor label="A ferry sank">
       <part label="A ferry sank" start="27" end="39"/></contributor>
     </scu>
    </pyramid>

Offsets count the characters of all lines, each with its line end. A ``.pan`` holds a
``peerAnnotation`` of such a ``pyramid`` and an ``annotation`` with the peer's text and a
``peerscu`` for each SCU; ``uid="0"`` collects what is not in the pyramid.

A file is a topic, or several are: ``TOPIC.pyr`` and ``TOPIC.AUTHOR.pan``, or names as DUC and TAC
spell them (``D0701.M.250.A.14.pan``). The weight of an SCU is the number of summaries that
contribute to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import unquote

from summetry.errors import FormatError, Place, SummetryError
from summetry.formats._base import FORMATS, ReadOptions, first_bytes
from summetry.formats._mending import mended
from summetry.formats._xml import Element, opening_names, read_xml
from summetry.formats.ducview.texts import (
    Part,
    Piece,
    cut_models,
    duc_name,
    is_in,
    leaves,
    owner,
    read_part,
    tell,
    trimmed,
    whole_text,
)
from summetry.formats.ducview.writing import OUTSIDE, write_pyramids
from summetry.records.builder import CorpusBuilder
from summetry.records.corpus import Corpus
from summetry.records.pyramids import Contributor, PeerScu, Pyramid, Scu
from summetry.records.summaries import Summary
from summetry.records.topics import Topic
from summetry.text.finding import LooseText
from summetry.text.tokens import Span

_ROOTS = ("pyramid", "peerannotation")
_ENDINGS = (".pyr", ".pan")


@FORMATS.register
@dataclass(frozen=True)
class DucView:
    """Pyramids and annotated peers as DUCView keeps them."""

    name: ClassVar[str] = "ducview"
    title: ClassVar[str] = "pyramids and annotated peers of DUCView, .pyr and .pan"
    can_write: ClassVar[bool] = True

    def recognise(self, path: Path) -> bool:
        if path.is_dir():
            here = any(found.suffix.lower() in _ENDINGS for found in path.iterdir())
            return here and not (path / "topics.jsonl").exists()
        return [name.lower() for name in opening_names(first_bytes(path))][:1] in (
            [root] for root in _ROOTS
        )

    def read(self, path: Path, options: ReadOptions) -> Corpus:
        builder = options.builder(path.stem)
        topics: dict[str, _TopicFiles] = {}
        for file in _files(path):
            try:
                _read_file(file, topics, builder)
            except FormatError as error:
                builder.report(error)
        for topic in topics.values():
            topic.hand_over(builder)
        return builder.build()

    def write(self, corpus: Corpus, path: Path) -> None:
        if path.is_file() or path.suffix.lower() in _ENDINGS:
            raise SummetryError(
                f"{path}: expected a folder to write to, it will hold a file for each pyramid "
                f"and each annotated peer"
            )
        write_pyramids(corpus, path)


def _files(path: Path) -> list[Path]:
    """Pyramids first, so that a peer's copy of one is compared with it."""
    if not path.is_dir():
        return [path]
    found = [file for file in path.rglob("*") if file.suffix.lower() in _ENDINGS]
    return sorted(found, key=lambda file: (file.suffix.lower() != ".pyr", str(file)))


@dataclass
class _TopicFiles:
    """What the files of one topic hold."""

    id: str
    place: Place
    pyramid: Pyramid
    # SCUs and how many contributors each has, as they are in the file.
    listed: list[tuple[str, int]]
    models: Sequence[Piece]
    peers: dict[str, tuple[Place, str, tuple[PeerScu, ...]]] = field(default_factory=dict)

    def hand_over(self, builder: CorpusBuilder) -> None:
        builder.add("topics", Topic(self.id), self.place)
        for model in self.models:
            summary = Summary(self.id, model.author, "reference", text=model.text)
            builder.add("summaries", summary, self.place)
        for author, (place, text, _) in self.peers.items():
            builder.add("summaries", Summary(self.id, author, "candidate", text=text), place)
        said = {author: scus for author, (_, _, scus) in self.peers.items()}
        builder.add("pyramids", Pyramid(self.id, self.pyramid.scus, said), self.place)


def _read_file(path: Path, topics: dict[str, _TopicFiles], builder: CorpusBuilder) -> None:
    root = read_xml(path, mended(path))
    place = Place(str(path), root.line)
    if root.name.lower() not in _ROOTS:
        raise FormatError(place, "pyramid or peerAnnotation as the root", root.name)
    topic, author = _names(path)
    is_peer = root.name.lower() == "peerannotation"
    section = _only(root, "pyramid", path) if is_peer else root
    listed = [(scu.attributes.get("uid", ""), len(scu.named("contributor")))
              for scu in section.named("scu")]  # fmt: skip
    if topic not in topics:
        pyramid, models = _read_pyramid(section, topic, path, builder)
        topics[topic] = _TopicFiles(topic, place, pyramid, listed, models)
    elif sorted(listed) != sorted(topics[topic].listed):
        tell(place, f"its pyramid is not that of {topics[topic].place.path}, which was taken")
    if is_peer:
        if author in topics[topic].peers:
            first = topics[topic].peers[author][0]
            found = f"a second one, the first is {first.path}"
            raise FormatError(place, f"one annotation of {author!r} for {topic!r}", found)
        annotation = _only(root, "annotation", path)
        ids = {scu.id for scu in topics[topic].pyramid.scus}
        text, said = _read_annotation(annotation, ids, path)
        topics[topic].peers[author] = place, text, said


def _names(path: Path) -> tuple[str, str]:
    """Topic and author that a file is of, by its name."""
    known = duc_name(path.stem)
    if known:
        return known
    topic, _, author = path.stem.partition(".")
    return unquote(topic), unquote(author) or "peer"


def _only(root: Element, name: str, path: Path) -> Element:
    found = root.named(name)
    if len(found) != 1:
        wanted = f"one {name} in {root.name}"
        raise FormatError(Place(str(path), root.line), wanted, str(len(found)))
    return found[0]


def _read_pyramid(
    section: Element, topic: str, path: Path, builder: CorpusBuilder
) -> tuple[Pyramid, Sequence[Piece]]:
    place = Place(str(path), section.line)
    text = LooseText(whole_text(section))
    patterns = [found.text for found in section.named("startDocumentRegEx")]
    models = cut_models(text.text, patterns[0] if patterns else None, place)
    if not models:
        tell(
            place,
            "no headers tell the summaries apart, so that no contributor has an author; the "
            "weight of an SCU is the number of its contributors",
        )
    scus: dict[str, Scu] = {}
    for element in section.named("scu"):
        at = Place(str(path), element.line)
        uid = element.attributes.get("uid", "")
        if not uid or uid in scus:
            wanted = "one scu of each uid" if uid else "an scu with uid="
            builder.report(FormatError(at, wanted, f"a second {uid!r}" if uid else "none"))
            continue
        scus[uid] = _read_scu(element, uid, text, models, path)
    return Pyramid(topic, tuple(scus.values())), models


def _read_scu(
    element: Element, uid: str, text: LooseText, models: Sequence[Piece], path: Path
) -> Scu:
    label, meta = element.attributes.get("label", ""), _comment(element)
    parts = element.named("contributor")
    if not models:
        written = [part.attributes.get("label", "") for part in parts]
        return Scu(uid, label, len(parts), (), {**meta, "contributors": written})
    found = [_read_contributor(part, uid, text, models, path) for part in parts]
    contributors = tuple(part for part in found if part is not None)
    authors = {part.author for part in contributors}
    if len(authors) < len(contributors):
        tell(
            Place(str(path), element.line),
            f"SCU {uid!r} has {len(contributors)} contributors of {len(authors)} summaries; "
            f"its weight is {len(authors)}, since a summary counts once",
        )
    return Scu(uid, label, len(authors), contributors, meta)


def _read_contributor(
    element: Element, uid: str, text: LooseText, models: Sequence[Piece], path: Path
) -> Contributor | None:
    place = Place(str(path), element.line)
    parts = [_read_part(part, text, path) for part in element.named("part")]
    model = owner(parts, models)
    if model is None:
        label = element.attributes.get("label", "")
        tell(place, f"a contributor of SCU {uid!r} is in no summary and was left out: {label!r}")
        return None
    inside = [part for part in parts if is_in(part, model)]
    if len(inside) < len(parts) or any(leaves(part, model) for part in inside):
        tell(
            place,
            f"a contributor of SCU {uid!r} is in two summaries; taken as of {model.author!r}, "
            f"where its longest part is, and without what is elsewhere",
        )
    words, spans = _in_summary(inside, model)
    meta = _comment(element)
    if len(spans) == 1:
        return Contributor(model.author, words, *spans[0], meta)
    return Contributor(model.author, words, meta=meta | _parts(spans, model))


def _read_annotation(
    section: Element, inside: set[str], path: Path
) -> tuple[str, tuple[PeerScu, ...]]:
    text = LooseText(whole_text(section))
    whole = trimmed(text.text, "", (0, len(text.text)))
    said = []
    for element in section.named("peerscu"):
        uid = element.attributes.get("uid", "")
        found = element.named("contributor")
        if found and uid not in inside and uid != OUTSIDE:
            at = Place(str(path), element.line)
            tell(at, f"the pyramid has no SCU {uid!r}; it counts as one outside, of weight 0")
        for number, contributor in enumerate(found, start=1):
            parts = [_read_part(part, text, path) for part in contributor.named("part")]
            words, spans = _in_summary(parts, whole)
            name = uid if uid in inside or uid != OUTSIDE else f"{uid}.{number}"
            meta = _comment(contributor) | _parts(spans, whole)
            said.append(PeerScu(name, words or contributor.attributes.get("label", ""), meta))
    return whole.text, tuple(said)


def _read_part(element: Element, text: LooseText, path: Path) -> Part:
    return read_part(element, text, Place(str(path), element.line))


def _in_summary(parts: Sequence[Part], piece: Piece) -> tuple[str, list[tuple[int, int]]]:
    """The words of some parts, and where those with a place stand in their summary."""
    placed = [(part.label, _within(part.span, piece) if part.span else None) for part in parts]
    words = (piece.text[slice(*span)] if span else label for label, span in placed)
    return "...".join(words), [span for _, span in placed if span]


def _within(span: Span, piece: Piece) -> Span:
    """A span of the whole text as one of a summary, without the blanks around the summary."""
    start, end = (min(max(at - piece.start, 0), len(piece.text)) for at in span)
    return start, end


def _parts(spans: Sequence[tuple[int, int]], piece: Piece) -> dict[str, Any]:
    if not spans:
        return {}
    found = [{"text": piece.text[a:b], "start": a, "end": b} for a, b in spans]
    return {"parts": found}


def _comment(element: Element) -> dict[str, Any]:
    comment = element.attributes.get("comment", "")
    return {"comment": comment} if comment else {}
