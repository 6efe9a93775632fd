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
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from typing import ClassVar, Literal, NamedTuple, TypeAlias, TypeVar, get_args

import numpy as np
from msgspec.structs import replace

from summetry import spec
from summetry.arrays.ngrams import LONGEST_N
from summetry.arrays.types import Floats, Ints
from summetry.errors import SummetryError
from summetry.metrics.base import (
    METRICS,
    Counts,
    MeanMetric,
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
    symbols_of,
)
from summetry.metrics.graphs.operators import Merging, merged
from summetry.metrics.graphs.proximity import EdgeWeights, Ends, Graph, proximity_graph
from summetry.metrics.graphs.raw_text import RawText
from summetry.metrics.graphs.similarity import (
    GraphKind,
    Groups,
    Similarities,
    overlap,
    overlaps,
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


def ngram_graphs(
    texts: Sequence[str],
    n: int = 3,
    window: int = 3,
    directed: bool = False,
    weights: EdgeWeights = "occurrences",
    text: str | TextPipeline = "raw",
    language: str = "",
) -> list[Graph]:
    """The n-gram graph of each text; ``text`` says what n-grams are made of.

    >>> (graph,) = ngram_graphs(["banana"], n=3, window=1)
    >>> graph.edge_list()
    [('ana', 'ban', 1.0), ('ana', 'nan', 2.0)]
    """
    _check_texts("texts", texts)
    if n < 1:
        raise SummetryError(f"an n-gram is 1 token long or more, got {n}")
    if n > LONGEST_N:
        raise SummetryError(f"an n-gram is {LONGEST_N} tokens long or less, got {n}")
    pipeline = TextPipeline.from_spec(text)
    table = pipeline.encode(texts, [language] * len(texts))
    symbols = (symbols_of(table.text(row), n, pipeline) for row in range(len(table)))
    return [proximity_graph(each, window, directed, weights) for each in symbols]


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
class GraphMetric(MeanMetric):
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

    def with_references(self, batch: Batch) -> Similarities[Floats]:
        """How similar each candidate is to each of its references."""
        return self.similarities(batch, [None])[0]

    def with_merged(self, batch: Batch, merging: Merging) -> Similarities[Floats]:
        """How similar each candidate is to its references merged into one graph."""
        return self.similarities(batch, [merging])[0]

    def similarities(
        self, batch: Batch, mergings: Sequence[Merging | None]
    ) -> list[Similarities[Floats]]:
        """Similarities to references (None) and to merged ones, each made once for a batch."""
        known: dict[Merging | None, Similarities[Floats]]
        known = batch.derived(("graphs", *self._graph), dict)
        counts = np.bincount(batch.owners, minlength=len(batch))
        if (counts == 1).all():
            # One reference merged is that reference.
            mergings = [None] * len(mergings)
        if None in mergings and None not in known:
            rows = np.arange(len(batch.tokens(self.pipeline)) + 1)
            pairs = batch.candidates[batch.owners], batch.references
            (known[None],) = self._compare(batch, *pairs, Groups(rows, rows[:-1]), ["update"])
        missing = [merging for merging in mergings if merging is not None and merging not in known]
        if missing:
            compared = self._compare(batch, batch.candidates, *_groups(batch, counts), missing)
            for merging, each in zip(missing, compared, strict=True):
                defined = (np.where(counts > 0, values, np.nan) for values in each)
                known[merging] = Similarities(*defined)
        return [known[merging] for merging in mergings]

    def _compare(
        self,
        batch: Batch,
        candidates: Ints,
        chosen: Ints,
        groups: Groups,
        mergings: Sequence[Merging],
    ) -> list[Similarities[Floats]]:
        """How similar candidates are to the groups that each of them meets."""
        table = batch.tokens(self.pipeline)
        # Pairs that come again, as jackknifing brings them, are compared once, group by group.
        pairs, places = np.unique(chosen * len(table) + candidates, return_inverse=True)
        chosen, candidates = np.divmod(pairs, max(len(table), 1))
        kinds = [self.kind(n) for n in self.weight_of_rank]
        ranks = [overlaps(table, kind, candidates, chosen, groups, mergings) for kind in kinds]
        weights = list(self.weight_of_rank.values())
        each = (similarities_over_ranks(found, weights) for found in zip(*ranks, strict=True))
        return [Similarities(*(values[places] for values in one)) for one in each]

    def kind(self, n: int) -> GraphKind:
        """The graphs of one rank."""
        return GraphKind(n, self.window, self.directed, self.weights)


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
    terms: ClassVar[Mapping[str, str]] = {
        "merged": "vs with all references merged into one graph",
        "reference": "vs with this reference alone",
        "vs": "vs with the only reference, which is AutoSummENG and MeMoG at once",
    }

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


def _groups(batch: Batch, counts: Ints) -> tuple[Ints, Groups]:
    """Which group of references each comparison has, and the groups, each of them once."""
    # Jackknifing, and the candidates of a topic, meet the same groups again and again.
    number: dict[tuple[int, ...], int] = {}
    rows, ends = batch.references.tolist(), np.cumsum(counts).tolist()
    groups = (tuple(rows[a:b]) for a, b in pairwise([0, *ends]))
    chosen = [number.setdefault(group, len(number)) for group in groups]
    return np.array(chosen, np.int64), Groups.of(list(number))


class _View:
    """The graphs of one comparison, rank by rank, and what they have in common, as explained."""

    def __init__(self, metric: GraphMetric, comparison: Comparison) -> None:
        self.metric, self.comparison = metric, comparison
        self.candidate = self._texts(comparison.candidate)
        self.references = [self._texts(side) for side in comparison.references]
        # Facts have the rank at the end of their names where there are several.
        several = metric.max_n > metric.min_n
        self.weights = {f"_{n}" if several else "": w for n, w in metric.weight_of_rank.items()}

    def _texts(self, side: Side) -> list[_Text]:
        """A text as a sequence of n-grams for each rank."""
        pipeline, metric = self.metric.pipeline, self.metric
        tokens = pipeline.locate(side.text, self.comparison.material.language)
        words = [word for word, _ in tokens]
        return [
            _Text(
                side.author,
                symbols := symbols_of(words, n, pipeline),
                gram_spans(tokens, n),
                proximity_graph(symbols, *metric.kind(n)[1:]),
            )
            for n in metric.weight_of_rank
        ]

    def with_reference(self, place: int) -> Part:
        ranks = [[text] for text in self.references[place]]
        graphs = [text.graph for text in self.references[place]]
        return self._part(self.comparison.references[place].author, graphs, ranks)

    def with_merged(self, merging: Merging) -> Part:
        if len(self.references) == 1:
            return self.with_reference(0)
        ranks = [list(texts) for texts in zip(*self.references, strict=True)]
        graphs = [merged([text.graph for text in texts], merging) for texts in ranks]
        return self._part("the merged references", graphs, ranks)

    def _part(self, against: str, graphs: list[Graph], ranks: list[list[_Text]]) -> Part:
        """How each rank of the candidate meets a graph, which is that of some texts."""
        facts: dict[str, float] = {}
        for end, text, other in zip(self.weights, self.candidate, graphs, strict=True):
            both = overlap(text.graph, other)
            facts[f"matched{end}"] = both.matched
            facts[f"smaller{end}"], facts[f"larger{end}"] = sorted(both[:2])
        matches: Iterable[Match] = self._matches(graphs, ranks)
        if len(ranks[0]) == 1:
            # One text needs no name at each of its places.
            matches = (replace(match, texts=()) for match in matches)
        return Part(against, facts, self._formulas(facts), tuple(matches), kind="edges")

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

    def _matches(self, graphs: list[Graph], ranks: list[list[_Text]]) -> Iterator[Match]:
        """The heaviest edges with their places, and one match for all others."""
        shared = [
            (rank, ends, share)
            for rank, (text, other) in enumerate(zip(self.candidate, graphs, strict=True))
            for ends, share in shared_edges(text.graph, other).items()
        ]
        listed, further = strongest(np.array([share for *_, share in shared], np.float64))
        matches: list[Match] = []
        for rank, texts in enumerate(ranks):
            edges = {shared[i][1]: shared[i][2] for i in listed if shared[i][0] == rank}
            # Places are those of both directions.
            pairs = {(min(ends), max(ends)) for ends in edges}
            mine = self.candidate[rank].spans_of(self.metric.window, pairs)
            theirs = [(text.author, text.spans_of(self.metric.window, pairs)) for text in texts]
            for ends, share in edges.items():
                pair = min(ends), max(ends)
                there = [(name, s) for name, each in theirs for s in each.get(pair, ())]
                names, spans = (tuple(column) for column in zip(*there, strict=True))
                what = f"{ends[0]!r} {ends[1]!r}"
                matches.append(Match(what, share, mine.get(pair, ()), spans, names))
        yield from by_weight(matches)
        yield from further


class _Text(NamedTuple):
    """The n-grams of a text by their order, where each is, and their graph."""

    author: str
    symbols: list[str]
    spans: list[Span]
    graph: Graph

    def spans_of(self, window: int, pairs: Set[Ends]) -> dict[Ends, tuple[Span, ...]]:
        """Where both ends of each edge stand near each other."""
        places = edge_places(self.symbols, window, pairs)
        return {pair: spans_of(each, self.spans) for pair, each in places.items()}


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
