"""Words at the ends of paths through a thesaurus, and how near two words are.

A word has a path of eight levels for each of its senses (see ``lexicons.roget``). Two words whose
best pair of senses shares the first c levels are 2 (9 - c) edges apart, up from one word and down
to the other, and

    SemDist = 18 - edges = 2 c      for different words
    SemDist = 18                    for a word and itself, whether the thesaurus has it or not
    SemDist = 0                     where a word has no entry

so values are even, 16 at most for different words. Despite its name it grows with nearness.

An index of a file is built once and kept in the user's cache, under a name made from its content
and from the code that reads it.

Source: Kennedy and Szpakowicz (2010), section 2.1.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from summetry import spec
from summetry.arrays.token_tables import gather_runs
from summetry.arrays.types import Ints
from summetry.errors import SummetryError
from summetry.files import cache_folder, fingerprint_of_code, write_whole
from summetry.lexicons.roget import LEVELS, Entry, entries_of, read_heads
from summetry.text.pipeline import TextPipeline

# SemDist of a word with itself.
SAME = 2 * (LEVELS + 1)

Nodes = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class WordPaths:
    """The senses of words: ``senses[offsets[i]:offsets[i+1]]`` are the groups of ``words[i]``.

    ``nodes`` has a row for each group: the nodes from class to semicolon group, numbered through
    the whole thesaurus, so two paths share a level just where their nodes there are the same.
    """

    words: Sequence[str]
    offsets: Ints
    senses: Ints
    nodes: Nodes

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def number(self) -> dict[str, int]:
        """Where each word is."""
        return {word: place for place, word in enumerate(self.words)}

    @cached_property
    def size(self) -> int:
        """How many nodes there are."""
        return int(self.nodes.max(initial=-1)) + 1

    def senses_of(self, words: Sequence[str]) -> tuple[Nodes, Ints]:
        """The paths of these words behind one another, as rows, and how many each word has."""
        # A word that is not in the thesaurus gets the empty run behind the last word.
        places = np.array([self.number.get(word, len(self)) for word in words], np.int64)
        counts = np.diff(self.offsets, append=self.offsets[-1:])[places]
        return self.nodes[self.senses[gather_runs(self.offsets[places], counts)]], counts

    def near(self, word: str, paths: Nodes, counts: Ints) -> Ints:
        """SemDist of ``word`` with others, whose senses are given as :meth:`senses_of` does.

        That the others may be the same word is for the caller to see to.
        """
        own, _ = self.senses_of([word])
        depth = np.zeros(self.size, np.int8)
        # Numbers of nodes stand for whole paths, so the deepest node in common is enough.
        depth[own] = np.arange(1, LEVELS + 1)
        shared = depth[paths].max(axis=1, initial=0)
        best = np.zeros(len(counts), np.int64)
        known = counts > 0
        starts = np.cumsum(counts) - counts
        if len(shared):
            best[known] = np.maximum.reduceat(shared, starts[known])
        return 2 * best

    def in_forms(self, pipeline: TextPipeline, language: str) -> WordPaths:
        """The same senses under the words as ``pipeline`` writes them.

        Words that become alike share their senses. Entries of several words are left out, and so
        is what the pipeline drops.
        """
        single = np.array([i for i, w in enumerate(self.words) if " " not in w], np.int64)
        table = pipeline.encode([self.words[i] for i in single], [language] * len(single))
        is_one = table.lengths == 1
        places = single[is_one]
        forms = table.ids[table.offsets[:-1][is_one]]
        counts = np.diff(self.offsets)[places]
        groups = self.senses[gather_runs(self.offsets[places], counts)]
        return _gathered(table.words, np.repeat(forms, counts), groups, self.nodes)


def build_paths(entries: Iterable[Entry]) -> WordPaths:
    """The index of words that are given with their paths.

    >>> index = build_paths([Entry("pier", tuple("abcdefgh")), Entry("quay", tuple("abcdefgx"))])
    >>> index.words, index.nodes.tolist()
    (('pier', 'quay'), [[0, 1, 2, 3, 4, 5, 6, 7], [0, 1, 2, 3, 4, 5, 6, 8]])
    """
    known: dict[tuple[str, ...], int] = {}
    groups: dict[tuple[str, ...], int] = {}
    nodes: list[list[int]] = []
    words: list[str] = []
    senses: list[int] = []
    for word, path in entries:
        if path not in groups:
            if len(path) != LEVELS:
                raise SummetryError(f"a path has {LEVELS} levels, got {len(path)} for {word!r}")
            groups[path] = len(groups)
            prefixes = (path[:depth] for depth in range(1, LEVELS + 1))
            nodes.append([known.setdefault(prefix, len(known)) for prefix in prefixes])
        words.append(word)
        senses.append(groups[path])
    vocabulary = tuple(sorted(set(words)))
    number = {word: place for place, word in enumerate(vocabulary)}
    places = np.array([number[word] for word in words], np.int64)
    rows = np.array(nodes, np.int32).reshape(-1, LEVELS)
    return _gathered(vocabulary, places, np.array(senses, np.int64), rows)


def paths_of(thesaurus: Mapping[str, Sequence[Sequence[str]]]) -> WordPaths:
    """The index of a thesaurus given as the paths of each word."""
    return build_paths(Entry(word, tuple(p)) for word, paths in thesaurus.items() for p in paths)


def _gathered(words: Sequence[str], places: Ints, groups: Ints, nodes: Nodes) -> WordPaths:
    """An index from pairs of a word's place and a group; a pair that comes twice counts once."""
    size = max(len(nodes), 1)
    keys = np.unique(places * size + groups)
    used, first = np.unique(keys // size, return_index=True)
    kept = [words[place] for place in used.tolist()]
    offsets = np.append(first, len(keys)).astype(np.int64)
    return WordPaths(tuple(kept), offsets, keys % size, nodes)


def thesaurus_folder() -> Path:
    """Where thesauri and their indexes are kept: ``$XDG_CACHE_HOME/summetry/thesauri``."""
    return cache_folder() / "thesauri"


def load_paths(path: Path, pipeline: TextPipeline | None = None, language: str = "") -> WordPaths:
    """The index of a thesaurus file, from the cache if it was read before.

    With a pipeline, its words are as :meth:`WordPaths.in_forms` has them.
    """
    stamp = path.stat()
    return _load(path, stamp.st_mtime_ns, stamp.st_size, thesaurus_folder(), pipeline, language)


@lru_cache(maxsize=8)
def _load(
    path: Path,
    changed: int,
    size: int,
    folder: Path,
    pipeline: TextPipeline | None,
    language: str,
) -> WordPaths:
    forms = f"{spec.show(pipeline)}|{pipeline.describe()}|{language}" if pipeline else ""
    kept = folder / f"{_digest(path, forms)}.npz"
    index = _read_kept(kept)
    if index is None:
        if pipeline is None:
            index = build_paths(entries_of(read_heads(path)))
        else:
            index = load_paths(path).in_forms(pipeline, language)
        _keep(index, kept)
    return index


# Read once, since all our files are read for it.
_code = cache(fingerprint_of_code)


def _digest(path: Path, forms: str) -> str:
    """What an index depends on, as 40 hex digits."""
    digest = hashlib.sha256(f"{_code()}|{path.suffix}|{forms}|".encode())
    digest.update(path.read_bytes())
    return digest.hexdigest()[:40]


def _read_kept(path: Path) -> WordPaths | None:
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as parts:
            words = tuple(parts["words"].tobytes().decode().split("\n"))
            index = WordPaths(words, parts["offsets"], parts["senses"], parts["nodes"])
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None  # Not there, or not whole: it is read from the thesaurus again.
    is_whole = len(index.offsets) == len(words) + 1 and index.offsets[-1] == len(index.senses)
    return index if is_whole else None


def _keep(index: WordPaths, path: Path) -> None:
    words = np.frombuffer("\n".join(index.words).encode(), np.uint8)
    content = io.BytesIO()
    np.savez(content, words=words, offsets=index.offsets, senses=index.senses, nodes=index.nodes)
    try:
        write_whole(path, content.getvalue())
    except OSError:
        return  # A cache that cannot be written costs time, and nothing else.
