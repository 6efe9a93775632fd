"""Proximity graphs and operators against plain dictionaries, and what holds for all of them."""

import graph_oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from summetry.errors import SummetryError
from summetry.metrics.graphs.ngram_graphs import ngram_graphs
from summetry.metrics.graphs.operators import (
    all_not_in,
    intersect,
    inverse_intersect,
    merge,
    merged,
    union,
    update,
)
from summetry.metrics.graphs.proximity import proximity_graph
from summetry.metrics.graphs.similarity import similarities

# Few letters, so that edges repeat; and some of other planes and scripts.
letters = st.text(st.sampled_from("ab cώ北😀"), max_size=25)
texts = st.lists(letters, min_size=1, max_size=5)
pairs = st.tuples(letters, letters)
often = settings(max_examples=50)


def as_dictionary(graph):
    """Edges by their ends; those without direction from both."""
    edges = {(a, b): weight for a, b, weight in graph.edge_list()}
    return edges if graph.directed else {(b, a): w for (a, b), w in edges.items()} | edges


def one(similar):
    return {name.upper(): value for name, value in similar._asdict().items()}


@often
@given(texts, st.integers(1, 5), st.integers(1, 6), st.booleans())
def test_graphs_of_a_batch_are_those_of_dictionaries(texts, n, window, directed):
    graphs = ngram_graphs(texts, n, window, directed)
    for graph, text in zip(graphs, texts, strict=True):
        expected = graph_oracle.graph(text, n, window, directed)
        assert as_dictionary(graph) == expected
        assert graph.size == len(expected)
        assert sorted(graph.vertices) == sorted(set(graph_oracle.ngrams(text, n)))


@often
@given(texts, st.integers(1, 3), st.integers(1, 6), st.booleans())
def test_distances_of_a_batch_are_those_of_dictionaries(texts, n, window, directed):
    graphs = ngram_graphs(texts, n, window, directed, weights="distance")
    for graph, text in zip(graphs, texts, strict=True):
        expected = graph_oracle.distance_graph(text, n, window, directed)
        assert as_dictionary(graph) == pytest.approx(expected)


@often
@given(pairs, st.integers(1, 3), st.integers(1, 4), st.booleans())
def test_similarities_are_those_of_dictionaries(pair, n, window, directed):
    a, b = ngram_graphs(pair, n, window, directed)
    slow = [graph_oracle.graph(text, n, window, directed) for text in pair]
    expected = graph_oracle.similarities(*slow, directed=directed)
    assert one(similarities(a, b)) == pytest.approx(expected, abs=1e-12)


@often
@given(pairs, st.sampled_from([0.0, 0.25, 0.5, 1.0]), st.sampled_from([None, 1.0]))
def test_update_is_that_of_dictionaries(pair, factor, new):
    a, b = ngram_graphs(pair, 2)
    x, y = (graph_oracle.graph(text, 2) for text in pair)
    updated = update(a, b, factor, new)
    assert as_dictionary(updated) == pytest.approx(graph_oracle.update(x, y, factor, new))
    assert set(updated.vertices) == {*a.vertices, *b.vertices}


@often
@given(pairs)
def test_the_other_operators_are_those_of_dictionaries(pair):
    a, b = ngram_graphs(pair, 2)
    x, y = (graph_oracle.graph(text, 2) for text in pair)
    common = x.keys() & y.keys()
    assert as_dictionary(intersect(a, b)) == {e: (x[e] + y[e]) / 2 for e in common}
    assert set(intersect(a, b).vertices) == {end for edge in common for end in edge}
    apart = {e: w for e, w in (x | y).items() if e not in common}
    assert as_dictionary(inverse_intersect(a, b)) == apart
    assert as_dictionary(all_not_in(a, b)) == {e: w for e, w in x.items() if e not in y}
    assert all_not_in(a, b).vertices == a.vertices
    assert as_dictionary(union(a, b)) == y | x
    assert as_dictionary(merge(a, b)) == pytest.approx(graph_oracle.update(x, y, 0.5))


@often
@given(texts, st.sampled_from([None, 1.0]))
def test_merging_is_updating_one_by_one(texts, new):
    graphs = ngram_graphs(texts, 2)
    together = merged(graphs, "update" if new is None else "ones")
    slow = graph_oracle.merged([graph_oracle.graph(text, 2) for text in texts], new)
    assert as_dictionary(together) == pytest.approx(slow)
    step = graphs[0]
    for place, graph in enumerate(graphs[1:], 2):
        step = update(step, graph, 1 / place, new)
    assert as_dictionary(together) == as_dictionary(step)
    assert set(together.vertices) == set(step.vertices)


@often
@given(texts)
def test_the_plain_mean_gives_a_missing_edge_zero(texts):
    graphs = ngram_graphs(texts, 2)
    together = merged(graphs, "mean")
    each = [graph_oracle.graph(text, 2) for text in texts]
    edges = {edge for graph in each for edge in graph}
    mean = {edge: sum(graph.get(edge, 0) for graph in each) / len(each) for edge in edges}
    assert as_dictionary(together) == pytest.approx(mean)


def test_long_ngrams_of_many_characters_do_not_overflow():
    text = "".join(chr(0x4E00 + i % 9_000) for i in range(12_000))
    (graph,) = ngram_graphs([text], n=9, window=2)
    assert as_dictionary(graph) == graph_oracle.graph(text, 9, 2)


@pytest.mark.parametrize("window", [10**6, 10**17, 10**18, 10**30])
@pytest.mark.parametrize("weights", ["occurrences", "distance"])
def test_a_window_longer_than_every_text_is_as_long_as_the_text(window, weights):
    texts = ["the ferry hit the pier in the fog", "the ferry", ""]
    graphs = ngram_graphs(texts, 2, window, weights=weights)
    oracle = graph_oracle.graph if weights == "occurrences" else graph_oracle.distance_graph
    for graph, text in zip(graphs, texts, strict=True):
        assert as_dictionary(graph) == pytest.approx(oracle(text, 2, len(text)))


def test_any_sequence_of_symbols_has_a_graph():
    graph = proximity_graph([7, 2**70, 7, 2**70, 7], window=1)
    assert graph.edge_list() == [(7, 2**70, 4.0)]
    assert graph.size == 2.0


@pytest.mark.parametrize(
    ("options", "edges"),
    [
        # ban ana nan ana: ban-ana at 1 and 3, ban-nan at 2, ana-nan twice at 1, ana-ana at 2.
        ({}, "ana ana 2, ana ban 2, ana nan 2, ban nan 1"),
        ({"weights": "distance"}, "ana ana 2, ana ban 2, ana nan 1, ban nan 2"),
        ({"directed": True}, "ana ana 1, ana ban 2, ana nan 1, nan ana 1, nan ban 1"),
    ],
)
def test_the_graph_of_banana_by_hand(options, edges):
    (graph,) = ngram_graphs(["banana"], **options)
    assert ", ".join(f"{a} {b} {weight:g}" for a, b, weight in graph.edge_list()) == edges
    assert graph.size == (5.0 if options.get("directed") else 7.0)
    assert graph.vertices == ("ban", "ana", "nan")


def test_words_have_graphs_too():
    (graph,) = ngram_graphs(["The cat sat, the cat ran."], n=2, window=1, text="auto")
    edges = [("cat ran", "the cat"), ("cat sat", "sat the"), ("cat sat", "the cat")]
    assert graph.edge_list() == [(*ends, 1.0) for ends in (*edges, ("sat the", "the cat"))]


def test_half_a_character_is_a_symbol_in_utf16():
    graphs = ngram_graphs(["😀😀", "😁😁"], n=1, window=1, text="raw(characters=utf16)")
    assert graphs[0].edge_list() == [("\ud83d", "\ude00", 3.0)]
    assert graphs[1].edge_list() == [("\ud83d", "\ude01", 3.0)]
    (pair,) = ngram_graphs(["😀😀"], n=2, window=1, text="raw(characters=utf16)")
    assert pair.vertices == ("😀", "\ude00\ud83d")


@often
@given(pairs, st.integers(1, 4))
def test_similarity_is_symmetric_and_bounded(pair, n):
    a, b = ngram_graphs(pair, n)
    there, back = one(similarities(a, b)), one(similarities(b, a))
    assert there == back
    assert all(0 <= value <= 1 + 1e-12 for value in there.values())
    assert there["VS"] <= there["SS"] + 1e-12


@often
@given(letters, st.integers(1, 4), st.booleans())
def test_a_text_longer_than_n_is_exactly_like_itself(text, n, directed):
    (graph,) = ngram_graphs([text], n, directed=directed)
    expected = 1.0 if len(text) > n else 0.0
    assert set(one(similarities(graph, graph)).values()) == {expected}


@pytest.mark.parametrize("text", ["", "a", "ab", "abc"])
def test_a_text_too_short_for_an_edge_is_like_nothing(text):
    graphs = ngram_graphs([text, text, "abcd"])
    assert [graph.size for graph in graphs] == [0.0, 0.0, 2.0]
    for other in (1, 2):
        assert set(one(similarities(graphs[0], graphs[other])).values()) == {0.0}
    assert graphs[0].vertices == (("abc",) if len(text) == 3 else ())
    assert as_dictionary(merge(graphs[0], graphs[2])) == as_dictionary(graphs[2])


def test_no_texts_have_no_graphs():
    assert ngram_graphs([]) == []
    assert merged([]).edge_list() == []


def test_one_symbol_over_and_over_is_one_loop():
    # Six n-grams of one letter: 5 + 4 + 3 pairs, each met from both ends.
    (graph,) = ngram_graphs(["a" * 8])
    assert graph.edge_list() == [("aaa", "aaa", 24.0)]
    assert graph.size == 1.0


def test_the_heaviest_edges_come_first_and_equal_ones_in_their_order():
    (graph,) = ngram_graphs(["banana"])
    in_order = graph.edge_list()
    for most in range(1, 6):
        expected = sorted(in_order, key=lambda edge: -edge[2])[:most]
        assert graph.edge_list(heaviest=most) == expected


A, B = ngram_graphs(["abcd", "bcde"])


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        (similarities, (A, *ngram_graphs(["abcd"], directed=True)), "only with its like"),
        (merged, ([A, *ngram_graphs(["abcd"], directed=True)], "mean"), "only with its like"),
        (update, (A, B, 1.5), r"learning factor is from 0 to 1, got 1\.5"),
        (update, (A, B, 0.5, 0), "weight of a new edge must be above 0, got 0"),
        (ngram_graphs, (["abcd"], 3, 0), "window of a graph must be 1 or more, got 0"),
        (ngram_graphs, (["abcd"], 3, 3, False, "often"), "are occurrences or distance, got 'often"),
        (merged, ([A], "median"), "one of update, ones, mean, got 'median'"),
        (ngram_graphs, (["abcd"], 0), "1 token long or more, got 0"),
        (ngram_graphs, (["abcd"], 101), "100 tokens long or less, got 101"),
        (ngram_graphs, ("abcd",), r"texts must be a list, got a string; write \['abcd'\]"),
        (ngram_graphs, (["abcd", 5],), "texts: a text must be a string, got a int"),
    ],
)
def test_what_cannot_be_is_refused(function, arguments, message):
    with pytest.raises(SummetryError, match=message):
        function(*arguments)


def test_a_graph_that_no_memory_holds_is_refused():
    with pytest.raises(SummetryError, match="1,000,000 symbols with 100,000 neighbours each are"):
        proximity_graph("a" * 1_000_000, window=100_000)
