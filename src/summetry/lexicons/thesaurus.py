"""Which words belong together, read from a thesaurus file.

A :class:`Thesaurus` is a list of groups. A group is one meaning of a word: the word itself and
the words that are listed for it, each with its relation to it. Two kinds of files are read:

``*.dat``             MyThes, as LibreOffice has them for many languages. The first line names the
                      encoding. Then each word with the number of its meanings, and one line
                      per meaning, with the part of speech first::

                          UTF-8
                          ferry|1
                          (noun)|ferryboat|boat (generic term)

                      ``(generic term)`` makes a hypernym, ``(antonym)`` an antonym, and so on; a
                      word without a note that is known here is a synonym.

``*.tsv``, ``*.jsonl``  our own: a word, a relation of any name, a word. All words that a word is
                      related to, in whichever direction, are one group with it::

                          ferry<TAB>hypernym<TAB>boat
                          {"word": "ferry", "relation": "hypernym", "to": "boat"}
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np

from summetry.arrays.types import Ints
from summetry.errors import FormatError, Place, SummetryError, did_you_mean, shorten, warn
from summetry.lexicons._lines import json_lines, utf8_lines

# A word, and what it is to the word whose meaning is described.
Member = tuple[str, str]
Group = list[Member]

HEAD = ""  # the relation of a word to its own group; no file can name one like that
SYNONYM = "synonym"

# The notes behind words in the files of LibreOffice, in the languages that have them.
_NOTES = {
    "generic term": "hypernym",
    "oberbegriff": "hypernym",
    "unterbegriff": "hyponym",
    "similar term": "similar",
    "related term": "related",
    "assoziation": "related",
    "antonym": "antonym",
}
_A_RELATION = (
    'a word, a relation and a word: three cells, or {"word": .., "relation": .., "to": ..}'
)
_NOTE = re.compile(r"\s*\(([^()]*)\)$")
# How meanings begin: with the part of speech in brackets, or a stroke for it.
_PARTS_OF_SPEECH = ("(", "-|")


@dataclass(frozen=True, eq=False)
class Thesaurus:
    """Groups of words: ``members[offsets[i]:offsets[i+1]]`` are the words of group ``i``.

    ``kinds`` says what each is to the first of its group, as a number of ``names``.
    """

    words: tuple[str, ...]
    members: Ints
    kinds: Ints
    offsets: Ints
    names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def relations(self) -> tuple[str, ...]:
        """The relations that the thesaurus has, sorted."""
        return tuple(name for name in self.names if name != HEAD)

    def only(self, relations: Sequence[str]) -> Thesaurus:
        """The thesaurus with these relations and no others."""
        for name in relations:
            if name not in self.relations:
                raise SummetryError(
                    f"the thesaurus has no relation {name!r}.{did_you_mean(name, self.relations)} "
                    f"It has: {', '.join(self.relations) or 'none'}"
                )
        kept = np.isin(self.kinds, [self.names.index(name) for name in (HEAD, *relations)])
        before = np.concatenate([[0], np.cumsum(kept)])
        return Thesaurus(
            self.words, self.members[kept], self.kinds[kept], before[self.offsets], self.names
        )


def build_thesaurus(groups: Iterable[Group]) -> Thesaurus:
    """A thesaurus of these groups, in their order.

    >>> build_thesaurus([[("ferry", HEAD), ("boat", "hypernym")]]).relations
    ('hypernym',)
    """
    words: dict[str, int] = {}
    kinds: dict[str, int] = {HEAD: 0}
    members: list[int] = []
    relations: list[int] = []
    offsets = [0]
    for group in groups:
        for word, relation in group:
            members.append(words.setdefault(word, len(words)))
            relations.append(kinds.setdefault(relation, len(kinds)))
        offsets.append(len(members))
    names = tuple(sorted(kinds))
    number = np.array([names.index(name) for name in kinds], np.int64)
    return Thesaurus(
        tuple(words),
        np.array(members, np.int64),
        number[np.array(relations, np.int64)],
        np.array(offsets, np.int64),
        names,
    )


def read_thesaurus(path: Path) -> Thesaurus:
    """The thesaurus in a file; its ending says of which kind it is."""
    if path.suffix == ".dat":
        return build_thesaurus(read_mythes(path))
    if path.suffix in (".tsv", ".jsonl"):
        return build_thesaurus(_neighbours(_read_relations(path)))
    raise SummetryError(
        f"{path}: expected a thesaurus file that ends in .dat (MyThes), .tsv or .jsonl "
        f"(word, relation, word), found {path.suffix or 'none'}"
    )


def read_mythes(path: Path) -> Iterator[Group]:
    """The meanings of a MyThes file, one group each.

    Files that are in use have words with more meanings than they say. These are read too, and a
    warning says so.
    """
    word, due, more = "", 0, 0
    place = Place(str(path))
    for place, line in _decoded_lines(path):
        head, _, number = line.partition("|")
        is_meaning = line.startswith(_PARTS_OF_SPEECH)
        if head.strip() and number.strip().isdecimal() and not is_meaning:
            if due:
                raise _too_few(place, word, due, f"the word {shorten(line)}")
            word, due = head.strip(), int(number)
        elif word and (due or is_meaning):
            more += not due
            due = max(due - 1, 0)
            yield [(word, HEAD), *_members(line, place)]
        elif line.strip():
            expected = "a word and the number of its meanings, as in ferry|2"
            raise FormatError(place, expected, shorten(line))
    if due:
        raise _too_few(place, word, due, "the end of the file")
    if more:
        warn(f"{path}: {more} meanings more than their words say; they were read like the others")


def _too_few(place: Place, word: str, due: int, found: str) -> FormatError:
    return FormatError(place, f"{due} more lines of meanings of {shorten(word)}", found)


def _members(line: str, place: Place) -> list[Member]:
    # The first field is the part of speech.
    listed = [_member(field) for field in line.split("|")[1:] if field.strip()]
    if not listed:
        raise FormatError(place, "a meaning, as in (noun)|ship|boat", shorten(line))
    return listed


def _member(field: str) -> Member:
    relation = SYNONYM
    word = field.strip()
    while word.endswith(")") and (note := _NOTE.search(word)):
        relation = _NOTES.get(note[1].strip().casefold(), relation)
        word = word[: note.start()]
    return word, relation


def _decoded_lines(path: Path) -> Iterator[tuple[Place, str]]:
    """The lines after the first, which names the encoding."""
    with path.open("rb") as file:
        encoding = _encoding(path, file.readline())
        for number, line in enumerate(file, start=2):
            place = Place(str(path), number)
            try:
                yield place, line.decode(encoding).rstrip("\r\n")
            except UnicodeDecodeError:
                raise FormatError(place, f"text in {encoding}", f"{line[:30]!r}") from None


def _encoding(path: Path, line: bytes) -> str:
    name = line.removeprefix(codecs.BOM_UTF8).decode("ascii", "replace").strip()
    # Such files write CP-1251 for what Python calls cp1251.
    for spelt in (name, name.replace("-", "")):
        try:
            return codecs.lookup(spelt).name
        except (LookupError, ValueError):
            continue
    raise FormatError(Place(str(path), 1), "the name of an encoding, such as UTF-8", shorten(name))


class _Related(msgspec.Struct, forbid_unknown_fields=True):
    """A line of our own format."""

    word: str
    relation: str
    to: str


def _read_relations(path: Path) -> Iterator[_Related]:
    is_json = path.suffix == ".jsonl"
    lines = json_lines(path, _Related, _A_RELATION) if is_json else _read_tsv(path)
    for place, related in lines:
        words = (related.word, related.relation, related.to)
        if not all(words):
            raise FormatError(place, _A_RELATION, f"an empty one: {words}")
        yield related


def _read_tsv(path: Path) -> Iterator[tuple[Place, _Related]]:
    for place, line in utf8_lines(path):
        cells = line.split("\t")
        if len(cells) != 3:
            raise FormatError(place, _A_RELATION, shorten(line))
        yield place, _Related(*(cell.strip() for cell in cells))


def _neighbours(related: Iterable[_Related]) -> list[Group]:
    """For each word, in the order of the file, a group with all that it is related to."""
    groups: dict[str, Group] = {}
    for line in related:
        for word, other in ((line.word, line.to), (line.to, line.word)):
            groups.setdefault(word, [(word, HEAD)]).append((other, line.relation))
    return list(groups.values())
