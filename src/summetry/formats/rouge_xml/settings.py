"""What ROUGE-1.5.5 is told to compare: a configuration in XML, or a list of files.

    <ROUGE-EVAL version="1.5.5">
    <EVAL ID="t1">
    <PEER-ROOT>systems</PEER-ROOT>
    <MODEL-ROOT>models</MODEL-ROOT>
    <INPUT-FORMAT TYPE="SPL"/>
    <PEERS><P ID="lead">t1.lead.txt</P></PEERS>
    <MODELS><M ID="anna">t1.anna.txt</M></MODELS>
    </EVAL>
    </ROUGE-EVAL>

Names of elements are in large or small letters, those of attributes in large ones. A list holds
``peer model1 model2 ...`` on each line; empty lines and those that begin with ``#`` are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from summetry.errors import FormatError, Place, shorten
from summetry.formats._xml import Element, read_xml
from summetry.formats.rouge_xml.texts import TEXT_KINDS, TextKind, split_as_rouge155, text_kind
from summetry.formats.texts import warn_at

# Tags and the names of documents: what is left in the file of an empty summary.
_NO_SUMMARY = re.compile(r"<(title|docno)>[^<]*</\1>|<[^<>]*>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Listed:
    """A summary that is named somewhere: whose it is, its file, and where it is named."""

    id: str
    path: str
    kind: TextKind
    place: Place


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Candidates (peers) that are compared with the same references (models)."""

    id: str
    peers: tuple[Listed, ...]
    models: tuple[Listed, ...]
    place: Place


def read_settings(path: Path) -> list[Evaluation]:
    """The evaluations of a configuration file, as they stand there; ids may repeat."""
    root = read_xml(path)
    evaluations = root.named("EVAL")
    if not evaluations:
        found = f"none in {root.name}"
        raise FormatError(root.place, "elements EVAL in the first element", found)
    return [_evaluation(element) for element in evaluations]


def read_list(path: Path, kind: TextKind, system: str) -> list[Evaluation]:
    """The evaluations of a list of files, numbered from 1; all its peers are of one system."""
    evaluations: list[Evaluation] = []
    text = path.read_bytes().decode("utf-8", "surrogateescape")
    for number, line in enumerate(text.split("\n"), start=1):
        names = line.split()
        if not names or names[0].startswith("#"):
            continue
        place = Place(str(path), number)
        if len(names) < 2:
            raise FormatError(place, "a peer and one model or more", f"only {names[0]}")
        models = tuple(Listed(str(i), n, kind, place) for i, n in enumerate(names[1:], start=1))
        peers = (Listed(system, names[0], kind, place),)
        evaluations.append(Evaluation(str(len(evaluations) + 1), peers, models, place))
    if not evaluations:
        raise FormatError(Place(str(path)), "lines of a peer and its models", "none")
    return evaluations


def merge_evaluations(evaluations: Iterable[Evaluation]) -> list[Evaluation]:
    """One evaluation per id: what is listed under the same id belongs together."""
    merged: dict[str, Evaluation] = {}
    for new in evaluations:
        old = merged.get(new.id)
        merged[new.id] = new if old is None else replace(
            old, peers=old.peers + new.peers, models=old.models + new.models
        )  # fmt: skip
    for evaluation in merged.values():
        _once(evaluation.peers, "P", evaluation.id)
        _once(evaluation.models, "M", evaluation.id)
    return list(merged.values())


def find_file(listed: Listed, folders: Sequence[Path]) -> Path:
    """The file of a summary; a relative name counts from the first folder that has it."""
    for folder in folders:
        if (folder / listed.path).is_file():
            return folder / listed.path
    path = folders[0] / listed.path
    found = "a folder" if path.is_dir() else "no such file"
    also = "the current folder or from " if len(folders) > 1 else ""
    relative = f"relative names count from {also}that of the configuration"
    advice = "" if Path(listed.path).is_absolute() else relative
    raise FormatError(listed.place, f"the summary {listed.path}", found, advice)


def sentences_in(path: Path, text: str, kind: TextKind) -> list[str]:
    """The sentences of a file, with a warning if it holds something else."""
    sentences = split_as_rouge155(text, kind)
    if not sentences and _NO_SUMMARY.sub("", text).strip():
        warn_at(path, f"no line is a sentence of {kind}, so the summary is empty")
    return sentences


def _evaluation(element: Element) -> Evaluation:
    kind = _input_format(element)
    listed = {
        part: tuple(
            Listed(entry.required("ID"), f"{root}/{entry.text.strip()}", kind, entry.place)
            for group in element.named(f"{part}S")
            for entry in group.named(part[0])
        )
        for part in ("PEER", "MODEL")
        for root in [_text_of(element, f"{part}-ROOT")]
    }
    return Evaluation(element.required("ID"), listed["PEER"], listed["MODEL"], element.place)


def _input_format(element: Element) -> TextKind:
    expected = f"INPUT-FORMAT with TYPE={', '.join(TEXT_KINDS[:-1])} or {TEXT_KINDS[-1]}"
    formats = element.named("INPUT-FORMAT")
    if not formats:
        raise FormatError(element.place, f"{expected} in EVAL", "none")
    word = formats[-1].required("TYPE")
    kind = text_kind(word)
    if kind is None:
        advice = "Basic Elements are not supported" if word.upper() == "SIMPLE" else ""
        raise FormatError(formats[-1].place, expected, f"TYPE={shorten(word)}", advice)
    return kind


def _text_of(element: Element, name: str) -> str:
    elements = element.named(name)
    return elements[-1].text.strip() if elements else ""


def _once(entries: Sequence[Listed], name: str, evaluation: str) -> None:
    seen: dict[str, Listed] = {}
    for entry in entries:
        first = seen.setdefault(entry.id, entry)
        if first is not entry:
            expected = f"one {name} with ID={entry.id} in EVAL {evaluation}"
            raise FormatError(entry.place, expected, f"a second one, the first is {first.place}")
