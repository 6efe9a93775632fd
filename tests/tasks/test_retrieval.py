"""Searching in summaries instead of full texts: BM25 by its formula, correlations by scipy."""

import math
from collections import Counter
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from labelled_collections import labelled_corpus
from scipy import stats

from summetry.errors import SummetryError
from summetry.records.corpus import Corpus
from summetry.records.judgments import Qrel, Query
from summetry.records.summaries import Summary
from summetry.records.topics import Document, Topic
from summetry.tasks import retrieve
from summetry.tasks.retrieval import Bm25, relevance_correlation

pytest.importorskip("bm25s")


def plain_bm25(texts, query, k1=1.5, b=0.75):
    """BM25 as Lucene has it, word by word."""
    mean = sum(map(len, texts)) / len(texts)
    scores = []
    for text in texts:
        score, counts = 0.0, Counter(text)
        for word in query:
            df = sum(word in other for other in texts)
            idf = math.log(1 + (len(texts) - df + 0.5) / (df + 0.5))
            tf = counts[word]
            score += idf * tf / (tf + k1 * (1 - b + b * len(text) / mean))
        scores.append(score)
    return scores


@pytest.mark.parametrize(("k1", "b"), [(1.5, 0.75), (0.9, 0.4), (2.0, 0.0)])
def test_scores_are_those_of_the_formula(k1, b):
    draw = Random(8)
    texts = [draw.choices(range(20), k=draw.randint(0, 30)) for _ in range(25)]
    index = Bm25([np.array(text, np.int64) for text in texts], 22, k1, b)
    # A word that is asked for twice, and one that no text has.
    for query in ([3], [3, 3, 7], [1, 21, 4], [21]):
        wanted = plain_bm25(texts, query, k1, b)
        assert index.scores(np.array(query)).tolist() == pytest.approx(wanted, rel=1e-12)


def test_the_correlation_of_scores_is_that_of_scipy_for_each_query():
    draw = np.random.default_rng(2)
    full, mine = draw.random((2, 4, 9))
    result = relevance_correlation(full.tolist(), mine.tolist())
    wanted = [stats.pearsonr(x, y).statistic for x, y in zip(full, mine, strict=True)]
    assert result.per_query == pytest.approx(wanted)
    assert result.mean == pytest.approx(np.mean(wanted))
    # A query whose scores are all the same has no correlation.
    result = relevance_correlation([[1, 2, 3], [0, 0, 0]], [[1, 3, 2], [1, 2, 3]])
    assert math.isnan(result.per_query[1]) and result.mean == 0.5
    # Summaries without a score, or all with the same, say nothing of texts that differ.
    full = [[1, 2, 3], [0, 2, 1], [0, 0, 0]]
    result = relevance_correlation(full, [[0, 0, 0], [4, 4, 4], [0, 0, 0]])
    assert result.per_query[:2] == (0, 0) and math.isnan(result.per_query[2]) and result.mean == 0
    with pytest.raises(SummetryError, match="got 1 and 2 queries"):
        relevance_correlation([[1, 2]], [[1, 2], [2, 1]])


def by_system(result):
    return {row.system: row for row in result.rows}


def test_every_number_of_a_run_by_the_formula_and_scipy():
    corpus = labelled_corpus(9)
    asked = [Query("q1", "goal league"), Query("q2", "storm day year"), Query("q3", "xyz")]
    result = retrieve(corpus, asked, draws=100)
    full = [" ".join(t.units).replace(".", "").split() for t in corpus.topics]
    for system, unit in (("first", 0), ("idle", 3)):
        mine = [t.units[unit].strip(".").split() for t in corpus.topics]
        row = by_system(result)[system]
        for query, on_query in zip(asked[:2], row.by_query, strict=False):
            x, y = (plain_bm25(texts, query.text.split()) for texts in (full, mine))
            if len(set(y)) == 1:
                assert on_query[1:4] == (0, 0, 0)
                continue
            assert on_query.pearson == pytest.approx(stats.pearsonr(x, y).statistic)
            assert on_query.spearman == pytest.approx(stats.spearmanr(x, y).statistic)
            assert on_query.tau_b == pytest.approx(stats.kendalltau(x, y).statistic)
        defined = [one.pearson for one in row.by_query if not math.isnan(one.pearson)]
        assert row.queries == len(defined)
        assert row.pearson.value == pytest.approx(np.mean(defined))
    assert by_system(result)["first"].queries == 2, "nothing has the word xyz"


def one_text(topic_id, text, **fields):
    return Topic(topic_id, documents=(Document("d", units=(text,)),), **fields)


def small(*texts, **records):
    """A topic for each pair of texts: the full one, and the summary of a system."""
    topics = tuple(one_text(f"t{n}", full) for n, (full, _) in enumerate(texts))
    summaries = [Summary(f"t{n}", "s", "candidate", text=pair[1]) for n, pair in enumerate(texts)]
    return Corpus("small", "en", topics=topics, summaries=tuple(summaries), **records)


AB = small(("a", "a"), ("b", "b"), queries=(Query("k", "a"),), qrels=(Qrel("k", "t0", 1),))


def test_the_loss_in_average_precision_by_hand():
    corpus = small(("ferry ferry", "pier"), ("ferry", "ferry"), ("rain", "rain"), ("snow", "snow"),
                   queries=(Query("k", "ferry"),),
                   qrels=(Qrel("k", "t0", 2), Qrel("k", "t2", 1), Qrel("k", "t1", 0)))  # fmt: skip
    (row,) = retrieve(corpus, draws=10).rows
    # Full: t0, t1, then t2 and t3 in either order. Relevant are t0 and t2.
    assert row.precision_full == pytest.approx((1 + (2 / 3 + 2 / 4) / 2) / 2)
    # Summaries: t1, then t0, t2, t3 in any order, two of them relevant.
    orders = [(1 / 2 + 2 / 3) / 2, (1 / 2 + 2 / 4) / 2, (1 / 3 + 2 / 4) / 2]
    assert row.precision == pytest.approx(sum(orders) / 3)
    assert row.loss.value == pytest.approx(row.precision_full - row.precision)


def test_without_queries_the_titles_or_queries_of_the_topics_are_asked_for():
    result = retrieve(labelled_corpus(6), draws=10)
    assert (result.queries, result.queries_from) == (6, "the titles of the topics")
    assert result.judged == 0 and math.isnan(result.rows[0].loss.value)
    topics = tuple(one_text(name, "rain", query="rain") for name in "ab")
    summaries = (Summary("a", "s", "candidate", text="rain"),)
    result = retrieve(Corpus(topics=topics, summaries=summaries), draws=10)
    assert result.queries_from == "the queries of the topics"
    assert math.isnan(result.rows[0].pearson.value), "one document has no correlation"


def test_a_system_with_fewer_summaries_is_compared_with_the_full_texts_of_these():
    corpus = labelled_corpus(9)
    fewer = tuple(s for s in corpus.summaries if s.author == "first" or s.topic < "generated4")
    result = retrieve(replace(corpus, summaries=fewer), draws=10)
    assert [row.topics for row in result.rows] == [9, 4]
    assert result.rows[0].pearson == retrieve(corpus, draws=10).rows[0].pearson
    of_four = tuple(s for s in fewer if s.topic < "generated4")
    part = replace(corpus, topics=corpus.topics[:4], summaries=of_four)
    asked = [Query(topic.id, topic.title) for topic in corpus.topics]
    alone = by_system(retrieve(part, asked, draws=10))["idle"]
    assert by_system(result)["idle"].pearson == pytest.approx(alone.pearson, nan_ok=True)
    assert result.notes == (
        "systems with summaries of fewer than 9 topics, which are compared with the full texts of "
        "their own topics: 1 of 2",
    )


def test_qrels_are_for_topics_and_queries_of_the_corpus_alone():
    qrels = [Qrel("k", "t0", 1), Qrel("k", "t9", 1), Qrel("x", "t0", 1)]
    assert retrieve(replace(AB, qrels=()), qrels=qrels, draws=10).notes == (
        "2 of 3 qrels are for queries or topics that are not there: left out",
    )
    assert retrieve(AB, draws=10).judged == 1
    assert retrieve(AB, [Query("other", "b")], draws=10).judged == 0


def test_words_are_those_of_the_pipeline():
    corpus = small(("ferries sank", "ferry sank"), ("rain", "rain"), queries=(Query("k", "ferry"),))
    results = [retrieve(corpus, text=text, draws=10) for text in ("auto", "en(stem=true)")]
    plain, stemmed = (result.rows[0].pearson.value for result in results)
    assert math.isnan(plain) and stemmed == pytest.approx(1)
    # Without a word all scores are 0.
    index = Bm25([np.array([0, 1]), np.array([1])], 3)
    assert index.scores(np.empty(0, np.int64)).tolist() == [0, 0]
    empty = Bm25([np.empty(0, np.int64)] * 2, 3)
    assert empty.scores(np.array([1])).tolist() == [0, 0]


def test_the_result_prints_and_shows_a_loss_where_there_is_one():
    corpus, seen = labelled_corpus(6), []
    plain = retrieve(corpus, draws=10, progress=lambda *step: seen.append(step))
    assert seen[-1] == (12, 12) and len(seen) == 6, "all queries of all systems"
    head = repr(plain).splitlines()[0]
    assert head.split() == ["system", "queries", "pearson", "spearman", "tau", "b"]
    first = corpus.topics[0].id
    assert "loss" in repr(retrieve(corpus, qrels=[Qrel(first, first, 1)], draws=10))
    assert plain.records()[0]["pearson_low"] == plain.rows[0].pearson.low


def test_what_cannot_be_searched_is_said(refused):
    corpus = labelled_corpus(3)
    refused(lambda corpus, options=(): retrieve(corpus, draws=10, **dict(options)), {
        "no queries and no titles": small(("a", "a")),
        "no summaries": replace(corpus, summaries=()),
        "queries=[]": (corpus, {"queries": []}),
        "qrels of other queries": (corpus, {"qrels": [Qrel("k", "t", 1)]}),
        "k1=-1": (corpus, {"k1": -1}),
        "b=2": (corpus, {"b": 2}),
    })  # fmt: skip
