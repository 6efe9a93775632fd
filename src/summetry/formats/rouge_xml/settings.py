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
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from summetry.errors import FormatError, Place, SummetryWarning, shorten
from summetry.formats._xml import Element, read_xml
from summetry.formats.rouge_xml.texts import TEXT_KINDS, TextKind, split_as_rouge155, text_kind

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
    """Peers that are compared with the same models."""

    id: str
    peers: tuple[Listed, ...]
    models: tuple[Listed, ...]
    place: Place


def read_settings(path: Path) -> list[Evaluation]:
    """The evaluations of a configuration file, as they stand there; ids may repeat."""
    root = read_xml(path)
    found = root.named("EVAL")
    if not found:
        place = Place(str(path), root.line)
        raise FormatError(place, "elements EVAL in the first element", f"none in {root.name}")
    return [_evaluation(element, path) for element in found]


def read_list(path: Path, kind: TextKind, system: str) -> list[Evaluation]:
    """The evaluations of a list of files, numbered from 1; all its peers are of one system."""
    found: list[Evaluation] = []
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
        found.append(Evaluation(str(len(found) + 1), peers, models, place))
    if not found:
        raise FormatError(Place(str(path)), "lines of a peer and its models", "none")
    return found


def merge_evaluations(evaluations: Iterable[Evaluation]) -> list[Evaluation]:
    """One evaluation an id: what is listed under the same id belongs together."""
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
    relative = "relative names count from the current folder or from that of the configuration"
    advice = "" if Path(listed.path).is_absolute() else relative
    raise FormatError(listed.place, f"the summary {listed.path}", found, advice)


def sentences_in(path: Path, text: str, kind: TextKind) -> list[str]:
    """The sentences of a file, with a warning if it holds something else."""
    sentences = split_as_rouge155(text, kind)
    if not sentences and _NO_SUMMARY.sub("", text).strip():
        warnings.warn(
            f"{path}: no line is a sentence of {kind}, so the summary is empty",
            SummetryWarning,
            stacklevel=2,
        )
    return sentences


def _evaluation(element: Element, path: Path) -> Evaluation:
    place = Place(str(path), element.line)
    kind = _input_format(element, path)
    listed = {
        part: tuple(
            Listed(
                _attribute(entry, "ID", path),
                f"{root}/{entry.text.strip()}",
                kind,
                Place(str(path), entry.line),
            )
            for group in element.named(f"{part}S")
            for entry in group.named(part[0])
        )
        for part in ("PEER", "MODEL")
        for root in [_text_of(element, f"{part}-ROOT")]
    }
    return Evaluation(_attribute(element, "ID", path), listed["PEER"], listed["MODEL"], place)


def _input_format(element: Element, path: Path) -> TextKind:
    wanted = f"INPUT-FORMAT with TYPE={', '.join(TEXT_KINDS[:-1])} or {TEXT_KINDS[-1]}"
    found = element.named("INPUT-FORMAT")
    if not found:
        raise FormatError(Place(str(path), element.line), f"{wanted} in EVAL", "none")
    word = _attribute(found[-1], "TYPE", path)
    kind = text_kind(word)
    if kind is None:
        advice = "Basic Elements are not supported" if word.upper() == "SIMPLE" else ""
        place = Place(str(path), found[-1].line)
        raise FormatError(place, wanted, f"TYPE={shorten(word)}", advice)
    return kind


def _attribute(element: Element, name: str, path: Path) -> str:
    if name not in element.attributes:
        small = next((key for key in element.attributes if key.upper() == name), "")
        advice = "names of attributes are in large letters" if small else ""
        place = Place(str(path), element.line)
        raise FormatError(place, f"{element.name} with {name}=", small or f"no {name}", advice)
    return element.attributes[name]


def _text_of(element: Element, name: str) -> str:
    found = element.named(name)
    return found[-1].text.strip() if found else ""


def _once(entries: Sequence[Listed], name: str, evaluation: str) -> None:
    seen: dict[str, Listed] = {}
    for entry in entries:
        first = seen.setdefault(entry.id, entry)
        if first is not entry:
            wanted = f"one {name} with ID={entry.id} in EVAL {evaluation}"
            raise FormatError(entry.place, wanted, f"a second one, the first is {first.place}")
