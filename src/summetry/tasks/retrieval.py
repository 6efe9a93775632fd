"""Relevance correlation: whether a search finds in summaries what it finds in the full texts.

The full texts and the summaries of each system are indexed by the same engine (BM25), each as a
collection of its own, and the same queries are run on both. For each query

    RC = Pearson's r, over all documents, of the scores of the full texts and of their summaries

and Spearman's and Kendall's coefficients (tau-b) of the two rankings; the mean is over the queries
that have a value. There is none where all full texts have the same score, as where none has any of
the query's words, or where there are fewer than two. Where the full texts differ and all summaries
have the same score, as where the search finds none of them, the value is 0: otherwise a system
would gain by saying nothing. Where it is known which documents
are relevant (qrels),

    loss = average precision on full texts - average precision on summaries

with equal scores in all orders, on average. What nobody judged is not relevant.

    score(q, d) = sum over the words of q of idf tf / (tf + k1 (1 - b + b |d| / mean |d|))
    idf = ln(1 + (N - df + 0.5) / (df + 0.5))

which is BM25 as Lucene has it, by the package bm25s. A word that a query has twice counts twice.

Sources: Steinberger and Jezek (2009), section 3.4.2, after Radev et al. (2003); Robertson and
Zaragoza (2009) for BM25; the mean over queries, the 0 and the loss are ours.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from summetry.arguments import Progress, check_whole, counter
from summetry.arrays.types import Floats, Ints
from summetry.errors import SummetryError, counted, for_python, optional_module
from summetry.formats import load
from summetry.records.corpus import Corpus
from summetry.records.judgments import Qrel, Query
from summetry.stats.agreement import mean_defined
from summetry.stats.concordance import codes
from summetry.stats.contrasts import bootstrap_rows, check_draws
from summetry.stats.correlation import pearson, spearman
from summetry.stats.precision import average_precision
from summetry.stats.ratings import Estimate
from summetry.stats.significance import DRAWS
from summetry.tasks.results import TaskResult, as_record, called
from summetry.tasks.words import CorpusWords
from summetry.text.pipeline import TextPipeline

K1, B = 1.5, 0.75


class RelevanceCorrelation(NamedTuple):
    """The correlation of each query, and the mean of those that have one."""

    per_query: tuple[float, ...]
    mean: float


def relevance_correlation(
    documents: Sequence[Sequence[float]], summaries: Sequence[Sequence[float]]
) -> RelevanceCorrelation:
    """Pearson's r of retrieval scores; a row per query, a column per document.

    Summaries that all have the same score have a correlation of 0; full texts have none then.

    >>> relevance_correlation([[1, 2, 3], [1, 1, 1], [1, 2, 3]], [[1, 3, 2], [1, 2, 3], [0, 0, 0]])
    RelevanceCorrelation(per_query=(0.5, nan, 0.0), mean=0.25)
    """
    if len(documents) != len(summaries):
        raise SummetryError(
            f"relevance correlation needs scores of full texts and of summaries for each query, "
            f"got {len(documents)} and {len(summaries)} queries"
        )
    per_query = tuple(
        _or_zero(pearson(full, mine), full, mine)
        for full, mine in zip(documents, summaries, strict=True)
    )
    return RelevanceCorrelation(per_query, mean_defined(per_query))


def _or_zero(value: float, full: Sequence[float], mine: Sequence[float]) -> float:
    """A coefficient, or 0 where the scores of the full texts differ and all others are the same."""
    is_constant = math.isnan(pearson(mine, mine)) and all(map(math.isfinite, mine))
    return 0.0 if is_constant and not math.isnan(pearson(full, full)) else value


class Bm25:
    """An index of texts, each as the numbers of its words."""

    def __init__(self, texts: Sequence[Ints], size: int, k1: float = K1, b: float = B) -> None:
        """``size`` is above every number of a word."""
        bm25s = optional_module("bm25s", "retrieval")
        self.texts = len(texts)
        # Texts without a word have no mean length to divide by.
        self.is_empty = not any(map(len, texts))
        self.index = bm25s.BM25(k1=k1, b=b, method="lucene", dtype="float64")
        if not self.is_empty:
            vocabulary = {str(word): word for word in range(size)}
            lists = [text.tolist() for text in texts]
            self.index.index((lists, vocabulary), create_empty_token=False, show_progress=False)

    def scores(self, query: Ints) -> Floats:
        """The score of every text."""
        if self.is_empty or not len(query):
            return np.zeros(self.texts)
        scores: Floats = self.index.get_scores_from_ids(query)
        return scores


class OnQuery(NamedTuple):
    """How near the search in summaries comes to that in full texts, for one query."""

    query: str
    pearson: float
    spearman: float
    tau_b: float
    precision_full: float
    precision: float

    @property
    def loss(self) -> float:
        return self.precision_full - self.precision


class Retrieved(NamedTuple):
    """The summaries of one system; means are over the queries that have a value."""

    system: str
    role: str
    topics: int
    # Those of which there is a correlation.
    queries: int
    pearson: Estimate
    spearman: Estimate
    tau_b: Estimate
    # Average precision of full texts and of summaries, and the difference; undefined without qrels.
    precision_full: float
    precision: float
    loss: Estimate
    by_query: tuple[OnQuery, ...]


@dataclass(frozen=True)
class RetrievalSettings:
    """How texts are searched."""

    text: str = "auto"
    k1: float = K1
    b: float = B
    draws: int = DRAWS
    seed: int = 0

    def __post_init__(self) -> None:
        check_whole("seed", self.seed, 0)
        check_draws(self.draws)
        if not (math.isfinite(self.k1) and self.k1 >= 0):
            raise SummetryError(f"k1 must be 0 or more, such as {K1}, got {self.k1}")
        if not 0 <= self.b <= 1:
            raise SummetryError(f"b must be from 0 to 1, such as {B}, got {self.b}")
        TextPipeline.from_spec(self.text)


@dataclass(frozen=True, repr=False)
class Retrieval(TaskResult):
    """What ``retrieve`` gives back: a row for each system."""

    rows: tuple[Retrieved, ...]
    settings: RetrievalSettings
    # How many queries were run, how many of them have a relevant topic, and what they are.
    queries: int
    judged: int
    queries_from: str
    notes: tuple[str, ...] = ()

    @property
    def shown(self) -> Sequence[str]:
        coefficients = ("pearson", "spearman", "tau_b")
        return ("system", "queries", *coefficients, *(["loss"] if self.judged else []))

    def records(self) -> list[dict[str, Any]]:
        return list(map(as_record, self.rows))


@for_python
def retrieve(
    corpus: Corpus | str | Path,
    queries: Iterable[Query] | None = None,
    qrels: Iterable[Qrel] | None = None,
    *,
    text: str = "auto",
    k1: float = K1,
    b: float = B,
    draws: int = DRAWS,
    seed: int = 0,
    progress: Progress | None = None,
) -> Retrieval:
    """How near a search in the summaries of each system comes to one in the full texts.

    Without ``queries`` those of the corpus are run; a corpus without any is asked for the titles of
    its topics, and if they have none, for their queries. ``qrels`` say which topics are relevant;
    for the corpus' own queries, its qrels do.
    """
    settings = RetrievalSettings(text, k1, b, draws, seed)
    read = corpus if isinstance(corpus, Corpus) else load(corpus)
    if queries is None:
        asked, queries_from = _own_queries(read)
    else:
        asked, queries_from = list(queries), "the given queries"
    # Queries that are given need not be those that the corpus has qrels for.
    own = () if queries is not None else read.qrels
    relevant, notes = _relevant(own if qrels is None else list(qrels), asked, read)
    run = _Run(read, asked, relevant, settings)
    rows = run.rows(progress)
    judged = sum(bool(topics) for topics in relevant.values())
    notes = (*notes, *run.notes)
    return Retrieval(rows, settings, len(asked), judged, queries_from, notes)


def _own_queries(corpus: Corpus) -> tuple[list[Query], str]:
    """The queries of a corpus; where it has none, the titles or the queries of its topics."""
    if corpus.queries:
        return list(corpus.queries), "the queries of the corpus"
    for name, words in (("title", "titles"), ("query", "queries")):
        asked = [Query(t.id, text) for t in corpus.topics if (text := getattr(t, name).strip())]
        if asked:
            return asked, f"the {words} of the topics"
    raise SummetryError(
        f"{called(corpus)} has no queries, and its topics have no titles; queries.jsonl "
        f"or --queries FILE would give them"
    )


def _relevant(
    qrels: Sequence[Qrel], asked: Sequence[Query], corpus: Corpus
) -> tuple[dict[str, set[str]], tuple[str, ...]]:
    """For each query the topics that are relevant, and notes on what does not fit."""
    topics, queries = {topic.id for topic in corpus.topics}, {query.id for query in asked}
    fitting = [q for q in qrels if q.query in queries and q.topic in topics]
    if qrels and not fitting:
        strange = qrels[0]
        raise SummetryError(
            f"expected qrels for the queries and topics at hand, found none of them, but query "
            f"{strange.query!r} with topic {strange.topic!r}"
        )
    notes: tuple[str, ...] = ()
    if len(fitting) < len(qrels):
        notes = (
            f"{len(qrels) - len(fitting):,} of {len(qrels):,} qrels are for queries or topics that "
            f"are not there: left out",
        )
    relevant: dict[str, set[str]] = defaultdict(set)
    for qrel in fitting:
        if qrel.relevance > 0:
            relevant[qrel.query].add(qrel.topic)
    return dict(relevant), notes


class _Run:
    """Every query on the full texts and on the summaries of every system."""

    def __init__(
        self,
        corpus: Corpus,
        queries: Sequence[Query],
        relevant: dict[str, set[str]],
        settings: RetrievalSettings,
    ) -> None:
        self.queries, self.relevant, self.settings = queries, relevant, settings
        self.notes: list[str] = []
        self.topics = [topic for topic in corpus.topics if topic.units]
        if not queries:
            raise SummetryError("expected one query or more, found none")
        spoken = {topic.id: corpus.language_of(topic) for topic in self.topics}
        # A query is in the language of the corpus; that of a topic's title is the topic's.
        asked = [(q.text, corpus.language or spoken.get(q.id, "")) for q in queries]
        self.words = CorpusWords(corpus, self.topics, settings.text, asked)
        self.systems = self.words.summaries
        if not self.systems:
            raise SummetryError(
                f"{called(corpus)} has no summaries of topics with a text; "
                f"summaries.jsonl would hold them"
            )
        wordless = sum(not len(self.words.row(row)) for row in self.words.others)
        if wordless:
            of = counted(len(queries), "query", "queries")
            self.notes.append(f"{wordless:,} of {of} have no word: without a value")

    def rows(self, progress: Progress | None) -> tuple[Retrieved, ...]:
        # Systems that summarized the same topics are compared with the same index.
        groups: defaultdict[tuple[int, ...], list[tuple[str, str]]] = defaultdict(list)
        for name, rows in self.systems.items():
            groups[tuple(sorted(rows))].append(name)
        fewer = sum(len(rows) < len(self.topics) for rows in self.systems.values())
        if fewer:
            self.notes.append(
                f"systems with summaries of fewer than {len(self.topics):,} topics, which are "
                f"compared with the full texts of their own topics: {fewer:,} of "
                f"{len(self.systems):,}"
            )
        tick = counter(len(self.queries) * len(self.systems), progress)
        on_queries: defaultdict[tuple[str, str], list[OnQuery]] = defaultdict(list)
        for topics, names in groups.items():
            full = self._index([self.words.full_text(topic) for topic in topics])
            indexes = {
                name: self._index([self.words.row(self.systems[name][t]) for t in topics])
                for name in names
            }
            for query, row in zip(self.queries, self.words.others, strict=True):
                words = self.words.row(row)
                wanted = self.relevant.get(query.id, set())
                labels = [self.topics[topic].id in wanted for topic in topics]
                by_full = full.scores(words)
                x = by_full.tolist()
                of_full = average_precision(x, labels, "expected")
                for name, index in indexes.items():
                    by_summary = index.scores(words)
                    y = by_summary.tolist()
                    of_summary = average_precision(y, labels, "expected")
                    r, rho, tau = (
                        _or_zero(value, x, y)
                        for value in (pearson(x, y), spearman(x, y), _tau_b(by_full, by_summary))
                    )
                    on_queries[name].append(OnQuery(query.id, r, rho, tau, of_full, of_summary))
                tick(len(names))
        return tuple(
            self._row(*name, len(rows), on_queries[name]) for name, rows in self.systems.items()
        )

    def _row(self, system: str, role: str, topics: int, queries: list[OnQuery]) -> Retrieved:
        columns = ("pearson", "spearman", "tau_b", "loss")
        table = np.array([[getattr(query, name) for query in queries] for name in columns])
        spread = bootstrap_rows(table, self.settings.draws, self.settings.seed)
        pearson, spearman, tau_b, loss = (
            Estimate(mean_defined(row.tolist()), float(low), float(high))
            for row, low, high in zip(table, spread.low, spread.high, strict=True)
        )
        return Retrieved(
            system,
            role,
            topics,
            int((~np.isnan(table[0])).sum()),
            pearson,
            spearman,
            tau_b,
            mean_defined([query.precision_full for query in queries]),
            mean_defined([query.precision for query in queries]),
            loss,
            tuple(queries),
        )

    def _index(self, texts: Sequence[Ints]) -> Bm25:
        return Bm25(texts, len(self.words.table.words), self.settings.k1, self.settings.b)


def _tau_b(full: Floats, mine: Floats) -> float:
    """Kendall's tau-b by sorting, for thousands of documents: ours compares all pairs of them."""
    from scipy.stats import kendalltau

    return float(kendalltau(codes(full), codes(mine)).statistic) if len(full) > 1 else math.nan
