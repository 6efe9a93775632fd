"""The files of DUCView: pyramids (``.pyr``) and candidates annotated with them (``.pan``).

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
``peerAnnotation`` of such a ``pyramid`` and an ``annotation`` with the candidate's text and a
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

from summetry.errors import FormatError, Place
from summetry.formats._base import FORMATS, Format, ReadOptions, first_bytes
from summetry.formats._writing import must_be_folder
from summetry.formats._xml import Element, mended_xml, opening_names, read_xml
from summetry.formats.ducview.texts import (
    Part,
    Piece,
    cut_references,
    duc_name,
    is_in,
    leaves,
    owner,
    read_part,
    trimmed,
    whole_text,
)
from summetry.formats.ducview.writing import OUTSIDE, write_pyramids
from summetry.formats.texts import warn_at
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
class DucView(Format):
    """Pyramids and annotated candidates as DUCView keeps them."""

    name: ClassVar[str] = "ducview"
    title: ClassVar[str] = "pyramids and annotated candidates of DUCView, .pyr and .pan"
    can_write: ClassVar[bool] = True

    def recognise(self, path: Path) -> bool:
        if path.is_dir():
            here = any(file.suffix.lower() in _ENDINGS for file in path.iterdir())
            return here and not (path / "topics.jsonl").exists()
        return any(name.lower() in _ROOTS for name in opening_names(first_bytes(path))[:1])

    def read(self, path: Path, options: ReadOptions) -> Corpus:
        builder = options.builder(path.stem)
        topics: dict[str, _TopicFiles] = {}
        for file in _files(path):
            with builder.reporting():
                _read_file(file, topics, builder)
        for topic in topics.values():
            topic.add_records(builder)
        return builder.build()

    def write(self, corpus: Corpus, path: Path) -> None:
        held = "it will hold a file for each pyramid and each annotated candidate"
        must_be_folder(path, _ENDINGS, held)
        write_pyramids(corpus, path)


def _files(path: Path) -> list[Path]:
    """Pyramids first, so that a candidate's copy of one is compared with it."""
    if not path.is_dir():
        return [path]
    files = [file for file in path.rglob("*") if file.suffix.lower() in _ENDINGS]
    return sorted(files, key=lambda file: (file.suffix.lower() != ".pyr", str(file)))


@dataclass
class _TopicFiles:
    """What the files of one topic hold."""

    id: str
    place: Place
    pyramid: Pyramid
    # SCUs and how many contributors each has, as they are in the file.
    listed: list[tuple[str, int]]
    references: Sequence[Piece]
    candidates: dict[str, tuple[Place, str, tuple[PeerScu, ...]]] = field(default_factory=dict)

    def add_records(self, builder: CorpusBuilder) -> None:
        builder.add("topics", Topic(self.id), self.place)
        for reference in self.references:
            summary = Summary(self.id, reference.author, "reference", text=reference.text)
            builder.add("summaries", summary, self.place)
        for author, (place, text, _) in self.candidates.items():
            builder.add("summaries", Summary(self.id, author, "candidate", text=text), place)
        said = {author: scus for author, (_, _, scus) in self.candidates.items()}
        builder.add("pyramids", Pyramid(self.id, self.pyramid.scus, said), self.place)


def _read_file(path: Path, topics: dict[str, _TopicFiles], builder: CorpusBuilder) -> None:
    root = read_xml(path, mended_xml(path))
    kind = root.name.lower()
    if kind not in _ROOTS:
        raise FormatError(root.place, "pyramid or peerAnnotation as the root", root.name)
    name, author = _names(path)
    section = _only(root, "pyramid") if kind == "peerannotation" else root
    listed = [
        (scu.attributes.get("uid", ""), len(scu.named("contributor")))
        for scu in section.named("scu")
    ]
    if name not in topics:
        pyramid, references = _read_pyramid(section, name, builder)
        topics[name] = _TopicFiles(name, root.place, pyramid, listed, references)
    topic = topics[name]
    if sorted(listed) != sorted(topic.listed):
        taken = f"{topic.place.path}, which was taken"
        warn_at(root.place, f"its pyramid is not that of {taken}")
    if kind == "peerannotation":
        if author in topic.candidates:
            found = f"a second one, the first is {topic.candidates[author][0].path}"
            raise FormatError(root.place, f"one annotation of {author!r} for {name!r}", found)
        ids = {scu.id for scu in topic.pyramid.scus}
        text, said = _read_annotation(_only(root, "annotation"), ids)
        topic.candidates[author] = root.place, text, said


def _names(path: Path) -> tuple[str, str]:
    """Topic and author that a file is of, by its name."""
    known = duc_name(path.stem)
    if known:
        return known
    topic, _, author = path.stem.partition(".")
    return unquote(topic), unquote(author) or "candidate"


def _only(root: Element, name: str) -> Element:
    children = root.named(name)
    if len(children) != 1:
        raise FormatError(root.place, f"one {name} in {root.name}", str(len(children)))
    return children[0]


def _read_pyramid(
    section: Element, topic: str, builder: CorpusBuilder
) -> tuple[Pyramid, Sequence[Piece]]:
    text = LooseText(whole_text(section))
    patterns = [element.text for element in section.named("startDocumentRegEx")]
    references = cut_references(text.text, patterns[0] if patterns else None, section.place)
    if not references:
        warn_at(
            section.place,
            "no headers tell the summaries apart, so that no contributor has an author; the "
            "weight of an SCU is the number of its contributors",
        )
    scus: dict[str, Scu] = {}
    for element in section.named("scu"):
        with builder.reporting():
            uid = element.attributes.get("uid", "")
            if not uid:
                raise FormatError(element.place, "an scu with uid=", "none")
            if uid in scus:
                raise FormatError(element.place, "one scu of each uid", f"a second {uid!r}")
            scus[uid] = _read_scu(element, uid, text, references)
    return Pyramid(topic, tuple(scus.values())), references


def _read_scu(element: Element, uid: str, text: LooseText, references: Sequence[Piece]) -> Scu:
    label, meta = element.attributes.get("label", ""), _comment(element)
    parts = element.named("contributor")
    if not references:
        written = [part.attributes.get("label", "") for part in parts]
        return Scu(uid, label, len(parts), (), {**meta, "contributors": written})
    read = [_read_contributor(part, uid, text, references) for part in parts]
    contributors = tuple(part for part in read if part is not None)
    authors = {part.author for part in contributors}
    if len(authors) < len(contributors):
        warn_at(
            element.place,
            f"SCU {uid!r} has {len(contributors)} contributors of {len(authors)} summaries; "
            f"its weight is {len(authors)}, since a summary counts once",
        )
    return Scu(uid, label, len(authors), contributors, meta)


def _read_contributor(
    element: Element, uid: str, text: LooseText, references: Sequence[Piece]
) -> Contributor | None:
    parts = [read_part(part, text) for part in element.named("part")]
    reference = owner(parts, references)
    if reference is None:
        label = element.attributes.get("label", "")
        what = f"a contributor of SCU {uid!r} is in no summary and was left out: {label!r}"
        warn_at(element.place, what)
        return None
    inside = [part for part in parts if is_in(part, reference)]
    if len(inside) < len(parts) or any(leaves(part, reference) for part in inside):
        warn_at(
            element.place,
            f"a contributor of SCU {uid!r} is in two summaries; taken as of "
            f"{reference.author!r}, where its longest part is, and without what is elsewhere",
        )
    words, spans = _in_summary(inside, reference)
    meta = _comment(element)
    if len(spans) == 1:
        return Contributor(reference.author, words, *spans[0], meta)
    return Contributor(reference.author, words, meta=meta | _parts(spans, reference))


def _read_annotation(section: Element, inside: set[str]) -> tuple[str, tuple[PeerScu, ...]]:
    text = LooseText(whole_text(section))
    whole = trimmed(text.text, "", (0, len(text.text)))
    said = []
    for element in section.named("peerscu"):
        uid = element.attributes.get("uid", "")
        contributors = element.named("contributor")
        if contributors and uid not in inside and uid != OUTSIDE:
            what = f"the pyramid has no SCU {uid!r}; it counts as one outside, of weight 0"
            warn_at(element.place, what)
        for number, contributor in enumerate(contributors, start=1):
            parts = [read_part(part, text) for part in contributor.named("part")]
            words, spans = _in_summary(parts, whole)
            name = uid if uid in inside or uid != OUTSIDE else f"{uid}.{number}"
            meta = _comment(contributor) | _parts(spans, whole)
            said.append(PeerScu(name, words or contributor.attributes.get("label", ""), meta))
    return whole.text, tuple(said)


def _in_summary(parts: Sequence[Part], piece: Piece) -> tuple[str, list[Span]]:
    """The words of some parts, and where those with a place stand in their summary."""
    placed = [(part.label, _within(part.span, piece) if part.span else None) for part in parts]
    words = (piece.text[slice(*span)] if span else label for label, span in placed)
    return "...".join(words), [span for _, span in placed if span]


def _within(span: Span, piece: Piece) -> Span:
    """A span of the whole text as one of a summary, without the blanks around the summary."""
    start, end = (min(max(at - piece.start, 0), len(piece.text)) for at in span)
    return start, end


def _parts(spans: Sequence[Span], piece: Piece) -> dict[str, Any]:
    parts = [{"text": piece.text[a:b], "start": a, "end": b} for a, b in spans]
    return {"parts": parts} if parts else {}


def _comment(element: Element) -> dict[str, Any]:
    comment = element.attributes.get("comment", "")
    return {"comment": comment} if comment else {}
