"""N-gram graphs: AutoSummENG, MeMoG and NPowER.

A text is the graph of its n-grams that stand near each other (see ``proximity``); by default
of 3 characters, at most 3 characters apart. No language is known and nothing is prepared.

    autosummeng   the mean over the references of VS(candidate, reference)
    memog         VS(candidate, merged references): the i-th updates the graph by the factor 1/i
    npower        (5.2905 autosummeng + 3.0053 memog + 0.5866) / 10

``npower(tool=true)`` is what the published tool prints, which merges into the graph of the first
reference before it compares with that reference, and calls MeMoG the similarity to the last one.
A text too short for an edge has 0, whatever it is compared with, as in JInsect.

Source: Giannakopoulos and Karkaletsis (2010); the tool NPowER (2013); JInsect.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import ClassVar, Literal, TypeAlias, TypeVar, get_args

import numpy as np

from summetry import spec
from summetry.arrays.ngrams import LONGEST_N, ngram_symbols
from summetry.arrays.token_tables import TokenTable, take_rows
from summetry.arrays.types import Floats, Ints
from summetry.errors import SummetryError
from summetry.metrics.base import (
    METRICS,
    Counts,
    Metric,
    Needs,
    Scores,
    explained,
    means,
    over_references,
)
from summetry.metrics.explanations import Explanation, Match, Part
from summetry.metrics.graphs.matches import (
    SHARED,
    by_weight,
    edge_places,
    gram_spans,
    spans_of,
    strongest,
)
from summetry.metrics.graphs.operators import Merging, merged
from summetry.metrics.graphs.proximity import EdgeWeights, Graphs, proximity_graphs
from summetry.metrics.graphs.raw_text import RawText
from summetry.metrics.graphs.similarity import (
    SharedEdges,
    Similarities,
    shared_edges,
    similarities_over_ranks,
)
from summetry.records.batches import Batch, Comparison, Material, Side
from summetry.text.pipeline import TextPipeline
from summetry.text.tokens import Span

RankWeights: TypeAlias = Literal["paper", "jinsect"]
Numbers = TypeVar("Numbers", float, Floats)

# What NPowER takes of AutoSummENG and of MeMoG, and what it adds, in tenths.
NPOWER = 5.2905, 3.0053, 0.5866

# Graphs take some hundred bytes per token while they are made, and are made faster where that
# stays in a processor's own memory: about this many tokens at a time. A block goes on as long
# as references are shared, so that each is read and merged once, up to so many times as much.
BLOCK_TOKENS = 40_000
_AT_MOST = 4


def ngram_graphs(
    texts: Sequence[str],
    n: int = 3,
    window: int = 3,
    directed: bool = False,
    weights: EdgeWeights = "occurrences",
    text: str | TextPipeline = "raw",
    language: str = "",
) -> Graphs:
    """The n-gram graph of each text; ``text`` says what n-grams are made of.

    >>> (graph,) = ngram_graphs(["banana"], n=3, window=1)
    >>> graph.edge_list()
    [('ana', 'ban', 1.0), ('ana', 'nan', 2.0)]
    """
    _check_texts("texts", texts)
    pipeline = TextPipeline.from_spec(text)
    table = pipeline.encode(texts, [language] * len(texts))
    symbols = ngram_symbols(table, n, "" if pipeline.blanks_are_tokens else " ")
    return proximity_graphs(symbols, window, directed, weights)


def autosummeng(candidate: str, references: Sequence[str], n: int = 3, window: int = 3) -> float:
    """The mean of VS over the references, on characters.

    >>> autosummeng("abcdef", ["abcdef", "abcxyz"])
    0.5
    """
    return _vs(AutoSummENG(min_n=n, max_n=n, window=window), candidate, references)


def memog(candidate: str, references: Sequence[str], n: int = 3, window: int = 3) -> float:
    """VS with the merged references, on characters.

    >>> memog("abcdef", ["abcdef", "uvwxyz"])
    0.5
    """
    return _vs(MeMoG(min_n=n, max_n=n, window=window), candidate, references)


def npower(autosummeng: Numbers, memog: Numbers) -> Numbers:
    """NPowER of the two other values, of numbers or of arrays.

    >>> npower(0.5, 0.25), npower(1.0, 1.0)
    (0.3983175, 0.88824)
    """
    a, m, constant = NPOWER
    return (a * autosummeng + m * memog + constant) / 10


def rank_weights(smallest: int, largest: int, weighting: RankWeights = "paper") -> dict[int, int]:
    """The weight of each rank: the rank itself (eq. 6), or JInsect's running sum of ranks.

    >>> rank_weights(2, 4), rank_weights(2, 4, "jinsect")
    ({2: 2, 3: 3, 4: 4}, {2: 2, 3: 5, 4: 9})
    """
    if weighting not in get_args(RankWeights):
        known = " or ".join(get_args(RankWeights))
        raise SummetryError(f"the weights of ranks are those of {known}, got {weighting!r}")
    ranks = range(smallest, largest + 1)
    return dict(zip(ranks, ranks if weighting == "paper" else accumulate(ranks), strict=True))


@dataclass(frozen=True)
class GraphMetric(Metric):
    """Settings of n-gram graphs; the defaults are those of TAC 2010."""

    min_n: int = 3
    max_n: int = 3
    window: int = 3
    directed: bool = False
    weights: EdgeWeights = "occurrences"
    rank_weights: RankWeights = "paper"
    text: TextPipeline = field(default_factory=RawText)

    family: ClassVar[str] = "graphs"
    values: ClassVar[tuple[str, ...]] = ("vs", "nvs")
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    needs: ClassVar[Needs] = Needs.REFERENCES

    def __post_init__(self) -> None:
        if not 1 <= self.min_n <= self.max_n:
            raise SummetryError(
                f"{self.name}: 1 <= min_n <= max_n is needed, got {self.min_n} and {self.max_n}"
            )
        if self.max_n > LONGEST_N:
            raise SummetryError(f"{self.name}: max_n must be {LONGEST_N} or less, got {self.max_n}")
        if self.window < 1:
            raise SummetryError(f"{self.name}: window must be 1 or more, got {self.window}")

    @property
    def pipeline(self) -> TextPipeline:
        """What makes symbols of a text."""
        return self.text

    @property
    def weight_of_rank(self) -> dict[int, int]:
        return rank_weights(self.min_n, self.max_n, self.rank_weights)

    @property
    def _graph(self) -> tuple[Hashable, ...]:
        """What decides the graphs and their similarity."""
        ranks = (self.min_n, self.max_n, self.rank_weights)
        return (spec.show(self.pipeline), *ranks, self.window, self.directed, self.weights)

    @property
    def of_one_reference(self) -> Mapping[str, Hashable]:
        return {value: (value, self._graph) for value in self.values}

    def score(self, counts: Counts) -> Scores:
        return means(counts, self.values)

    def explain(self, comparison: Comparison) -> Explanation:
        view = _View(self, comparison)
        return explained(self, comparison, self.parts(view) if comparison.references else [])

    @property
    def terms(self) -> Mapping[str, str]:
        return {
            "matched": SHARED if self.directed else f"{SHARED}, both ways",
            "smaller": "edges of the graph that has fewer",
            "larger": "edges of the graph that has more",
        }

    @abstractmethod
    def parts(self, view: _View) -> list[Part]:
        """The parts of the explanation of a comparison that has references."""

    def with_references(self, batch: Batch) -> Similarities:
        """How similar each candidate is to each of its references."""
        return self.similarities(batch, [None])[0]

    def with_merged(self, batch: Batch, merging: Merging) -> Similarities:
        """How similar each candidate is to its references merged into one graph."""
        return self.similarities(batch, [merging])[0]

    def similarities(self, batch: Batch, mergings: Sequence[Merging | None]) -> list[Similarities]:
        """Similarities to references (None) and to merged ones, from graphs that are made once."""
        known: dict[Merging | None, Similarities] = batch.derived(("graphs", *self._graph), dict)
        missing = [merging for merging in mergings if merging not in known]
        if missing:
            by_block: list[list[Similarities]] = []
            table = batch.tokens(self.pipeline)
            for start, end in _cut(batch, table.lengths):
                block = _Block(batch, table, start, end)
                ranks = self.graphs_of(block.table)
                by_block.append([self._compare(block, ranks, merging) for merging in missing])
            for place, merging in enumerate(missing):
                columns = zip(*(block[place] for block in by_block), strict=True)
                joined = [np.concatenate(column) for column in columns] or [np.zeros(0)] * 4
                known[merging] = Similarities(*joined)
        return [known[merging] for merging in mergings]

    def graphs_of(self, table: TokenTable) -> list[Graphs]:
        """The graphs of texts, those of all texts for each rank."""
        blank = "" if self.pipeline.blanks_are_tokens else " "
        ranks = (ngram_symbols(table, n, blank) for n in self.weight_of_rank)
        return [proximity_graphs(r, self.window, self.directed, self.weights) for r in ranks]

    def _compare(self, block: _Block, ranks: list[Graphs], merging: Merging | None) -> Similarities:
        if merging is None:
            candidates = block.candidates[block.owners]
            return self._similarities(ranks, candidates, ranks, block.references)
        if (block.counts == 1).all():
            # One reference merged is that reference: its graph is there, and need not be copied.
            return self._similarities(ranks, block.candidates, ranks, block.references)
        groups, chosen = block.groups()
        together = [merged(graphs, groups, merging) for graphs in ranks]
        compared = self._similarities(ranks, block.candidates, together, chosen)
        return Similarities(*(np.where(block.counts > 0, values, np.nan) for values in compared))

    def _similarities(
        self, left: list[Graphs], left_rows: Ints, right: list[Graphs], right_rows: Ints
    ) -> Similarities:
        # A pair that several groups of references share is compared once.
        size = len(right[0]) + 1
        pairs, places = np.unique(left_rows * size + right_rows, return_inverse=True)
        weights = list(self.weight_of_rank.values())
        each = similarities_over_ranks(left, pairs // size, right, pairs % size, weights)
        return Similarities(*(values[places] for values in each))


@METRICS.register
@dataclass(frozen=True)
class AutoSummENG(GraphMetric):
    """Mean similarity of n-gram graphs over the references (Giannakopoulos and Karkaletsis)."""

    name: ClassVar[str] = "autosummeng"
    references: ClassVar[str] = "mean"

    def count(self, batch: Batch) -> Counts:
        vs, nvs, *_ = self.with_references(batch)
        return _means_over([vs, nvs], batch.owners, len(batch))

    def parts(self, view: _View) -> list[Part]:
        return [view.with_reference(place) for place in range(len(view.references))]


@METRICS.register
@dataclass(frozen=True)
class MeMoG(GraphMetric):
    """Similarity to the graph of all references merged (Giannakopoulos and Karkaletsis, 3.4)."""

    merging: Merging = "update"

    name: ClassVar[str] = "memog"
    references: ClassVar[str] = "merge"

    def count(self, batch: Batch) -> Counts:
        vs, nvs, *_ = self.with_merged(batch, self.merging)
        return _means_over([vs, nvs], np.arange(len(batch)), len(batch))

    def parts(self, view: _View) -> list[Part]:
        return [view.with_merged(self.merging)]


@METRICS.register
@dataclass(frozen=True)
class NPowER(GraphMetric):
    """AutoSummENG and MeMoG in one number, fitted to human judgments."""

    tool: bool = False

    name: ClassVar[str] = "npower"
    values: ClassVar[tuple[str, ...]] = ("value", "autosummeng", "memog")
    references: ClassVar[str] = "mean and merge"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.tool and self.text != RawText():
            raise SummetryError("npower: tool=true reads text in its own way; leave text= out")

    @property
    def pipeline(self) -> TextPipeline:
        return RawText(characters="utf16", file=True) if self.tool else self.text

    @property
    def of_one_reference(self) -> Mapping[str, Hashable]:
        return dict.fromkeys(("autosummeng", "memog"), ("vs", self._graph))

    @property
    def terms(self) -> Mapping[str, str]:
        return {
            "merged": "vs with all references merged into one graph",
            "reference": "vs with this reference alone",
            "vs": "vs with the only reference, which is AutoSummENG and MeMoG at once",
        }

    def count(self, batch: Batch) -> Counts:
        apart, together = (each.vs for each in self.similarities(batch, [None, "update"]))
        owners, rows = batch.owners, len(batch)
        if not self.tool:
            memog = _means_over([together], np.arange(rows), rows)
            return np.hstack([_means_over([apart], owners, rows), memog])
        # The first reference's graph is the merged one; the last comparison stands as MeMoG.
        first = np.append(True, owners[1:] != owners[:-1])[: len(owners)]
        last = np.append(owners[1:] != owners[:-1], True)[: len(owners)]
        replaced = np.where(first, together[owners], apart)
        memog = _means_over([apart[last]], owners[last], rows)
        return np.hstack([_means_over([replaced], owners, rows), memog])

    def score(self, counts: Counts) -> Scores:
        both = means(counts, self.values[1:])
        return {"value": npower(both["autosummeng"], both["memog"]), **both}

    def parts(self, view: _View) -> list[Part]:
        """The similarities that go into both values, and the edges of the merged references."""
        similar = self.similarities(Batch([view.comparison]), [None, "update"])
        apart, together = (each.vs.tolist() for each in similar)
        a, m, constant = NPOWER
        if len(apart) == 1:
            value = f"({a} * vs + {m} * vs + {constant}) / 10"
            formulas = {"value": value, "autosummeng": "vs", "memog": "vs"}
            return [replace(view.with_reference(0), facts={"vs": apart[0]}, formulas=formulas)]
        facts = {"merged": together[0]} | {f"reference_{i}": vs for i, vs in enumerate(apart, 1)}
        compared = list(facts)[1:]
        memog = compared[-1] if self.tool else "merged"
        if self.tool:
            compared[0] = "merged"
        mean = f"({' + '.join(compared)}) / {len(compared)}"
        value = f"({a} * ({mean}) + {m} * {memog} + {constant}) / 10"
        formulas = {"value": value, "autosummeng": mean, "memog": memog}
        return [replace(view.with_merged("update"), facts=facts, formulas=formulas)]


class _Block:
    """Comparisons whose graphs are made, compared and forgotten together.

    ``candidates`` and ``references`` are rows of ``table``; ``owners`` says which comparison of
    the block each reference belongs to, ``counts`` how many each comparison has.
    """

    def __init__(self, batch: Batch, table: TokenTable, start: int, end: int) -> None:
        inside = slice(*np.searchsorted(batch.owners, [start, end]))
        candidates, references = batch.candidates[start:end], batch.references[inside]
        # Candidates stand together, so that many are compared with a reference in one go.
        rows = np.concatenate([np.unique(candidates), np.setdiff1d(references, candidates)])
        place = np.zeros(len(table), dtype=np.int64)
        place[rows] = np.arange(len(rows))
        self.table = take_rows(table, rows)
        self.candidates, self.references = place[candidates], place[references]
        self.owners = batch.owners[inside] - start
        self.counts = np.bincount(self.owners, minlength=len(candidates))

    def groups(self) -> tuple[list[Ints], Ints]:
        """The distinct groups of references, as rows, and which one each candidate meets."""
        # Jackknifing, and the candidates of a topic, meet the same groups again and again.
        number: dict[tuple[int, ...], int] = {}
        chosen = [
            number.setdefault(tuple(rows.tolist()), len(number))
            for rows in np.split(self.references, np.cumsum(self.counts)[:-1])
        ]
        return [np.array(rows, dtype=np.int64) for rows in number], np.array(chosen)


def _cut(batch: Batch, lengths: Ints) -> Iterator[tuple[int, int]]:
    """Comparisons from one to another whose texts fit into a block; one at least."""
    start, held = 0, 0
    seen: set[int] = set()
    references, tokens = batch.references.tolist(), lengths.tolist()
    first = np.searchsorted(batch.owners, np.arange(len(batch) + 1)).tolist()
    for place, candidate in enumerate(batch.candidates.tolist()):
        texts = {candidate, *references[first[place] : first[place + 1]]}
        more = sum(tokens[row] for row in texts - seen)
        room = BLOCK_TOKENS if texts.isdisjoint(seen) else _AT_MOST * BLOCK_TOKENS
        if held + more > room and place > start:
            yield start, place
            start, held, seen = place, 0, set()
            more = sum(tokens[row] for row in texts)
        held += more
        seen |= texts
    if len(batch):
        yield start, len(batch)


class _View:
    """The graphs of one comparison, rank by rank, and what they have in common, as explained."""

    def __init__(self, metric: GraphMetric, comparison: Comparison) -> None:
        self.metric, self.comparison = metric, comparison
        batch = Batch([comparison], sources=False)
        self.ranks = metric.graphs_of(batch.tokens(metric.pipeline))
        self.candidate, self.references = int(batch.candidates[0]), batch.references
        # Facts have the rank at the end of their names where there are several.
        several = metric.max_n > metric.min_n
        self.weights = {f"_{n}" if several else "": w for n, w in metric.weight_of_rank.items()}

    def with_reference(self, place: int) -> Part:
        row, side = int(self.references[place]), self.comparison.references[place]
        return self._part(side.author, [graphs[row] for graphs in self.ranks], [(row, side)])

    def with_merged(self, merging: Merging) -> Part:
        if len(self.references) == 1:
            return self.with_reference(0)
        together = [merged(graphs, [self.references], merging) for graphs in self.ranks]
        sides = zip(self.references.tolist(), self.comparison.references, strict=True)
        return self._part("the merged references", together, list(sides))

    def _part(self, against: str, others: list[Graphs], sides: Sequence[tuple[int, Side]]) -> Part:
        facts: dict[str, float] = {}
        shared, first = [], np.zeros(1, dtype=np.int64)
        for end, graphs, other in zip(self.weights, self.ranks, others, strict=True):
            mine = graphs[self.candidate]
            shared.append(shared_edges(mine, first, other, first))
            sizes = float(mine.sizes[0]), float(other.sizes[0])
            facts[f"matched{end}"] = float(sum(shared[-1].shares.tolist()))
            facts[f"smaller{end}"], facts[f"larger{end}"] = min(sizes), max(sizes)
        matches: Iterable[Match] = self._matches(shared, sides)
        if [against] == [side.author for _, side in sides]:
            # One text needs no name at each of its places.
            matches = (replace(match, texts=()) for match in matches)
        matches = tuple(matches)
        return Part(against, facts, self._formulas(facts), matches, kind="edges")

    def _formulas(self, facts: dict[str, float]) -> dict[str, str]:
        # A rank that has no edge adds nothing.
        shown = [end for end in self.weights if facts[f"smaller{end}"]]
        if not shown:
            return {"vs": "0", "nvs": "0"}
        if len(self.weights) == 1:
            return {"vs": "matched / larger", "nvs": "matched / smaller"}
        vs, ss = (
            " + ".join(f"{self.weights[end]} * {above}{end} / larger{end}" for end in shown)
            for above in ("matched", "smaller")
        )
        total = sum(self.weights.values())
        return {"vs": f"({vs}) / {total}", "nvs": f"(({vs}) / {total}) / (({ss}) / {total})"}

    def _matches(
        self, shared: Sequence[SharedEdges], sides: Sequence[tuple[int, Side]]
    ) -> Iterator[Match]:
        """The heaviest edges with their places, and one match for all others."""
        shares = np.concatenate([each.shares for each in shared])
        numbers = np.concatenate([each.numbers for each in shared])
        ranks = np.repeat(np.arange(len(shared)), [len(each.shares) for each in shared])
        listed, further = strongest(shares)
        matches: list[Match] = []
        for rank, graphs in enumerate(self.ranks):
            places = [place for place in listed if ranks[place] == rank]
            edges = graphs.edges.source[numbers[places]], graphs.edges.target[numbers[places]]
            ends = list(zip(*(column.tolist() for column in edges), strict=True))
            pairs = [(min(pair), max(pair)) for pair in ends]
            mine = self._spans(rank, self.candidate, self.comparison.candidate.text, pairs)
            theirs = {s.author: self._spans(rank, row, s.text, pairs) for row, s in sides}
            words = graphs.symbols.words
            for (source, target), pair, share in zip(
                ends, pairs, shares[places].tolist(), strict=True
            ):
                there = [(name, s) for name, each in theirs.items() for s in each.get(pair, ())]
                texts = tuple(name for name, _ in there)
                spans = tuple(span for _, span in there)
                what = f"{words[source]!r} {words[target]!r}"
                matches.append(Match(what, share, mine.get(pair, ()), spans, texts))
        yield from by_weight(matches)
        yield from further

    def _spans(
        self, rank: int, row: int, text: str, pairs: Iterable[tuple[int, int]]
    ) -> dict[tuple[int, int], tuple[Span, ...]]:
        """Where both ends of each edge stand near each other in a text."""
        tokens = self.metric.pipeline.locate(text, self.comparison.material.language)
        spans = gram_spans(tokens, self.metric.min_n + rank)
        symbols = self.ranks[rank].symbols.row(row).tolist()
        places = edge_places(symbols, self.metric.window, set(pairs))
        return {pair: spans_of(each, spans) for pair, each in places.items()}


def _means_over(columns: Sequence[Floats], owners: Ints, rows: int) -> Counts:
    """For each column its sum by owner, and of how many values."""
    return np.hstack([over_references(values, owners, rows, "mean") for values in columns])


def _vs(metric: GraphMetric, candidate: str, references: Sequence[str]) -> float:
    _check_texts("candidate", [candidate])
    _check_texts("references", references)
    sides = tuple(Side(f"reference {i}", text) for i, text in enumerate(references, 1))
    batch = Batch([Comparison(Material(""), Side("candidate", candidate), sides)])
    return float(metric.score(metric.count(batch))["vs"][0])


def _check_texts(name: str, texts: Sequence[str]) -> None:
    if isinstance(texts, str):
        raise SummetryError(f"{name} must be a list, got a string; write [{texts[:20]!r}]")
    for text in texts:
        if not isinstance(text, str):
            raise SummetryError(f"{name}: a text must be a string, got a {type(text).__name__}")
