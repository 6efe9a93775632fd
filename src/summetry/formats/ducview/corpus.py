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
contribute to it. Where two folders have a file of the same name, each folder is an annotator.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
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
from summetry.records.summaries import Role, Summary
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
            inside = list(path.iterdir())
            if all(folder.is_dir() for folder in inside):
                inside = [file for folder in inside for file in folder.iterdir()]
            here = any(file.suffix.lower() in _ENDINGS for file in inside)
            return here and not (path / "topics.jsonl").exists()
        return any(name.lower() in _ROOTS for name in opening_names(first_bytes(path))[:1])

    def read(self, path: Path, options: ReadOptions) -> Corpus:
        builder = options.builder(path.stem)
        files = _files(path)
        by_folder = _are_of_annotators(files)
        topics: dict[str, _TopicFiles] = {}
        for file in files:
            folder = file.parent.relative_to(path).as_posix() if by_folder else "."
            with builder.reporting():
                _read_file(file, unquote(folder.removeprefix(".")), topics, builder)
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


def _are_of_annotators(files: Sequence[Path]) -> bool:
    """Whether the folders are annotators: two of them have a file on the same thing."""
    count = Counter((file.suffix.lower(), *_names(file)) for file in files)
    return max(count.values(), default=0) > 1 and len({file.parent for file in files}) > 1


@dataclass
class _Annotated:
    """A pyramid and the candidates that an annotator marked by it."""

    place: Place
    pyramid: Pyramid
    # SCUs and how many contributors each has, as they are in the file.
    listed: list[tuple[str, int]]
    references: Sequence[Piece]
    candidates: dict[str, tuple[Place, str, tuple[PeerScu, ...]]] = field(default_factory=dict)
    # Whether it is a .pyr, by which candidates in other folders may be marked.
    is_pyramid: bool = False
    is_used: bool = False


@dataclass
class _TopicFiles:
    """What the files of one topic hold, by annotator."""

    id: str
    by_annotator: dict[str, _Annotated] = field(default_factory=dict)

    def add_records(self, builder: CorpusBuilder) -> None:
        read = self.by_annotator
        builder.add("topics", Topic(self.id), next(iter(read.values())).place)
        texts: dict[tuple[str, Role], tuple[Place, str]] = {}
        for one in read.values():
            for piece in one.references:
                self._add(builder, texts, piece.author, "reference", one.place, piece.text)
        for one in read.values():
            for author, (place, text, _) in one.candidates.items():
                self._add(builder, texts, author, "candidate", place, text)
        for annotator, one in read.items():
            said = {author: scus for author, (_, _, scus) in one.candidates.items()}
            if said or not one.is_used:
                pyramid = Pyramid(self.id, one.pyramid.scus, said, annotator)
                builder.add("pyramids", pyramid, one.place)

    def _add(
        self,
        builder: CorpusBuilder,
        texts: dict[tuple[str, Role], tuple[Place, str]],
        author: str,
        role: Role,
        place: Place,
        text: str,
    ) -> None:
        """A summary, unless another annotator had it, too."""
        if (author, role) not in texts:
            texts[author, role] = place, text
            builder.add("summaries", Summary(self.id, author, role, text=text), place)
        elif texts[author, role][1].split() != text.split():
            taken = f"{texts[author, role][0].path}, which was taken"
            warn_at(place, f"another text of the {role} of {author!r} than in {taken}")

    def find(self, annotator: str) -> _Annotated | None:
        """What a file of an annotator belongs to: their own, or the only pyramid that there is."""
        if annotator in self.by_annotator:
            return self.by_annotator[annotator]
        pyramids = [one for one in self.by_annotator.values() if one.is_pyramid]
        if len(pyramids) != 1:
            return None
        pyramids[0].is_used = True
        shared = dataclasses.replace(pyramids[0], candidates={}, is_pyramid=False)
        return self.by_annotator.setdefault(annotator, shared)


def _read_file(
    path: Path, annotator: str, topics: dict[str, _TopicFiles], builder: CorpusBuilder
) -> None:
    root = read_xml(path, mended_xml(path))
    kind = root.name.lower()
    if kind not in _ROOTS:
        raise FormatError(root.place, "pyramid or peerAnnotation as the root", root.name)
    name, author = _names(path)
    is_pyramid = kind == "pyramid"
    section = root if is_pyramid else _only(root, "pyramid")
    listed = [
        (scu.attributes.get("uid", ""), len(scu.named("contributor")))
        for scu in section.named("scu")
    ]
    topic = topics.get(name) or _TopicFiles(name)
    own = None if is_pyramid and annotator else topic.find(annotator)
    if own is None:
        pyramid, references = _read_pyramid(section, name, builder)
        own = _Annotated(root.place, pyramid, listed, references, is_pyramid=is_pyramid)
        topics[name] = topic
        topic.by_annotator[annotator] = own
    if sorted(listed) != sorted(own.listed):
        taken = f"{own.place.path}, which was taken"
        warn_at(root.place, f"its pyramid is not that of {taken}")
    if not is_pyramid:
        if author in own.candidates:
            found = f"a second one, the first is {own.candidates[author][0].path}"
            raise FormatError(root.place, f"one annotation of {author!r} for {name!r}", found)
        ids = {scu.id for scu in own.pyramid.scus}
        text, said = _read_annotation(_only(root, "annotation"), ids)
        own.candidates[author] = root.place, text, said


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
