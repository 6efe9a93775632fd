"""Proximity graphs and operators against plain dictionaries, with the same bits on both roads."""

import graph_oracle
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_roads import on_both_roads

from summetry.arrays import kernel
from summetry.arrays.token_tables import TokenTable, table_of
from summetry.errors import SummetryError
from summetry.metrics.graphs import operators
from summetry.metrics.graphs.ngram_graphs import ngram_graphs
from summetry.metrics.graphs.proximity import proximity_graph
from summetry.metrics.graphs.raw_text import RawText, as_file
from summetry.metrics.graphs.similarity import GraphKind, Groups, overlaps, similarities
from summetry.records.batches import Batch, Comparison, Material, Side
from summetry.text.pipeline import TextPipeline

# Few letters, so that edges repeat; and some of other planes and scripts.
letters = st.text(st.sampled_from("ab cώ北😀"), max_size=25)
texts = st.lists(letters, min_size=1, max_size=5)
pairs = st.tuples(letters, letters)


def as_dictionary(graph):
    """Edges by their ends; those without direction from both."""
    edges = {(a, b): weight for a, b, weight in graph.edge_list()}
    return edges if graph.directed else {(b, a): w for (a, b), w in edges.items()} | edges


def one(similar):
    return {name.upper(): value for name, value in similar._asdict().items()}


@given(texts, st.integers(1, 5), st.integers(1, 6), st.booleans())
def test_graphs_of_a_batch_are_those_of_dictionaries(texts, n, window, directed):
    graphs = ngram_graphs(texts, n, window, directed)
    distances = ngram_graphs(texts, n, window, directed, weights="distance")
    for graph, of_distances, text in zip(graphs, distances, texts, strict=True):
        expected = graph_oracle.graph(text, n, window, directed)
        assert as_dictionary(graph) == expected
        assert graph.size == len(expected)
        assert sorted(graph.vertices) == sorted(set(graph_oracle.ngrams(text, n)))
        expected = graph_oracle.distance_graph(text, n, window, directed)
        assert as_dictionary(of_distances) == pytest.approx(expected)


@given(pairs, st.integers(1, 4), st.integers(1, 4), st.booleans())
def test_similarities_are_those_of_dictionaries(pair, n, window, directed):
    a, b = ngram_graphs(pair, n, window, directed)
    slow = [graph_oracle.graph(text, n, window, directed) for text in pair]
    found = one(similarities(a, b))
    assert found == pytest.approx(graph_oracle.similarities(*slow, directed=directed), abs=1e-12)
    # A text longer than n is exactly like itself.
    itself = 1.0 if len(pair[0]) > n else 0.0
    assert set(one(similarities(a, a)).values()) == {itself}


@given(texts, st.sampled_from([None, 1.0]))
def test_merging_is_updating_one_by_one_and_the_plain_mean_gives_a_missing_edge_zero(texts, new):
    graphs = ngram_graphs(texts, 2)
    each = [graph_oracle.graph(text, 2) for text in texts]
    together = operators.merged(graphs, "update" if new is None else "ones")
    assert as_dictionary(together) == pytest.approx(graph_oracle.merged(each, new))
    step = graphs[0]
    for place, graph in enumerate(graphs[1:], 2):
        step = operators.update(step, graph, 1 / place, new)
    assert as_dictionary(together) == as_dictionary(step)
    assert set(together.vertices) == set(step.vertices)
    edges = {edge for graph in each for edge in graph}
    mean = {edge: sum(graph.get(edge, 0) for graph in each) / len(each) for edge in edges}
    assert as_dictionary(operators.merged(graphs, "mean")) == pytest.approx(mean)


@pytest.mark.parametrize("window", [10**6, 10**17, 10**18, 10**30])
def test_a_window_longer_than_every_text_is_as_long_as_the_text(window):
    texts = ["the ferry hit the pier in the fog", "the ferry", ""]
    oracles = {"occurrences": graph_oracle.graph, "distance": graph_oracle.distance_graph}
    for weights, oracle in oracles.items():
        graphs = ngram_graphs(texts, 2, window, weights=weights)
        for graph, text in zip(graphs, texts, strict=True):
            assert as_dictionary(graph) == pytest.approx(oracle(text, 2, len(text)))


def test_the_graph_of_banana_by_hand():
    # ban ana nan ana: ban-ana at 1 and 3, ban-nan at 2, ana-nan twice at 1, ana-ana at 2.
    for options, size, edges in (
        ({}, 7, "ana ana 2, ana ban 2, ana nan 2, ban nan 1"),
        ({"weights": "distance"}, 7, "ana ana 2, ana ban 2, ana nan 1, ban nan 2"),
        ({"directed": True}, 5, "ana ana 1, ana ban 2, ana nan 1, nan ana 1, nan ban 1"),
    ):
        (graph,) = ngram_graphs(["banana"], **options)
        in_order = graph.edge_list()
        assert ", ".join(f"{a} {b} {weight:g}" for a, b, weight in in_order) == edges
        assert (graph.size, graph.vertices) == (size, ("ban", "ana", "nan"))
        # The heaviest edges come first, and equal ones in their order.
        for most in range(1, 6):
            expected = sorted(in_order, key=lambda edge: -edge[2])[:most]
            assert graph.edge_list(heaviest=most) == expected


def test_any_sequence_of_symbols_has_a_graph():
    graph = proximity_graph([7, 2**70, 7, 2**70, 7], window=1)
    assert (graph.edge_list(), graph.size) == ([(7, 2**70, 4.0)], 2.0)
    (graph,) = ngram_graphs(["The cat sat, the cat ran."], n=2, window=1, text="auto")
    edges = [("cat ran", "the cat"), ("cat sat", "sat the"), ("cat sat", "the cat")]
    assert graph.edge_list() == [(*ends, 1.0) for ends in (*edges, ("sat the", "the cat"))]
    # Six n-grams of one letter: 5 + 4 + 3 pairs, each met from both ends.
    (graph,) = ngram_graphs(["a" * 8])
    assert (graph.edge_list(), graph.size) == ([("aaa", "aaa", 24.0)], 1.0)
    assert ngram_graphs([]) == [] and operators.merged([]).edge_list() == []
    # Half a character is a symbol in UTF-16.
    graphs = ngram_graphs(["😀😀", "😁😁"], n=1, window=1, text="raw(characters=utf16)")
    edges = [graph.edge_list() for graph in graphs]
    assert edges == [[("\ud83d", "\ude00", 3.0)], [("\ud83d", "\ude01", 3.0)]]
    (pair,) = ngram_graphs(["😀😀"], n=2, window=1, text="raw(characters=utf16)")
    assert pair.vertices == ("😀", "\ude00\ud83d")
    # Long n-grams of many characters do not overflow.
    text = "".join(chr(0x4E00 + i % 9_000) for i in range(12_000))
    (graph,) = ngram_graphs([text], n=9, window=2)
    assert as_dictionary(graph) == graph_oracle.graph(text, 9, 2)


# Text as it stands: characters of Unicode or of Java, lines as they are or as in a file

everything = st.text(st.sampled_from("ab \r\n\tώ北😀\ud83d\ude00\x00"), max_size=15)
pipelines = st.builds(RawText, st.sampled_from(["codepoints", "utf16"]), st.booleans())


@given(st.lists(everything, max_size=4), pipelines)
def test_tokens_are_the_characters_of_each_text_and_cover_it_without_gaps(texts, pipeline):
    table = pipeline.encode(texts, [""] * len(texts))
    assert len(table) == len(texts)
    assert list(table.words) == sorted(table.words)
    for row, text in enumerate(texts):
        whole = as_file(text) if pipeline.file else text
        expected = list(graph_oracle.units(whole, pipeline.characters))
        located = pipeline.locate(text, "")
        assert table.text(row) == [token for token, _ in located] == expected
        assert all(start <= end for _, (start, end) in located)
        covered = {place for _, (start, end) in located for place in range(start, end)}
        assert covered == set(range(len(text)))


@given(everything)
def test_a_file_is_read_line_by_line(text):
    lines, rest = [], text
    while rest:
        ends = [place for mark in "\r\n" if (place := rest.find(mark)) >= 0]
        place = min(ends, default=len(rest))
        lines.append(rest[:place])
        rest = rest[place + (2 if rest[place:].startswith("\r\n") else 1) :]
    assert as_file(text) == "".join(f"{line}\n" for line in lines)


def test_raw_text_is_spelt_like_any_pipeline_and_keeps_blanks_between_sentences():
    assert TextPipeline.from_spec("raw(characters=utf16,file=true)") == RawText("utf16", True)
    assert RawText().describe() == "raw,codepoints"
    assert RawText("utf16", True).describe() == "raw,utf16,file"
    side = Side("candidate", "A b. C d.", sentences=("A b.", "C d."))
    for by_sentence in (False, True):
        batch = Batch([Comparison(Material("t"), side)], sentences=by_sentence)
        assert "".join(batch.tokens(RawText()).text(0)) == "A b. C d."


# Overlaps in C and in plain Python

compiled = pytest.mark.skipif(not kernel.is_compiled(), reason="the kernel is not compiled here")
# Few symbols, so that edges repeat, or many, so that most occur once.
sequences = st.sampled_from([1, 2, 3, 6, 40]).flatmap(
    lambda size: st.lists(st.lists(st.integers(0, size - 1), max_size=40), min_size=1, max_size=5)
)
windows, weightings = [1, 2, 3, 5, 100, 10**30], ["occurrences", "distance"]
of_kind = map(st.sampled_from, (range(1, 5), windows, [False, True], weightings))
kinds = st.tuples(*of_kind).map(lambda drawn: GraphKind(*drawn))
mergings = st.sampled_from(["update", "ones", "mean"])


@st.composite
def tasks(draw):
    """Texts, pairs of a candidate and a group, and the groups, of which some are empty."""
    texts = draw(sequences)
    rows = st.integers(0, len(texts) - 1)
    groups = draw(st.lists(st.lists(rows, max_size=4), min_size=1, max_size=4))
    pairs = st.tuples(rows, st.integers(0, len(groups) - 1))
    return texts, draw(st.lists(pairs, max_size=8)), groups


def run(texts, pairs, groups, kind, merging):
    table = table_of(texts, range(50))
    candidates, chosen = np.array(pairs, np.int64).reshape(-1, 2).T
    (found,) = overlaps(table, kind, candidates, chosen, Groups.of(groups), [merging])
    return found


@given(tasks(), kinds, mergings)
def test_both_roads_have_the_same_bits_in_few_pairs_and_in_many(task, kind, merging):
    """Symbols and edges have slots of their own where many pairs are compared in one call."""
    texts, pairs, groups = task
    few = run(*task, kind, merging)
    on_both_roads(lambda: run(*task, kind, merging).tobytes())
    assert run(texts, pairs * 40, groups, kind, merging).tobytes() == few.tobytes() * 40
    in_groups = sorted(pairs * 40, key=lambda pair: pair[1])
    many = run(texts, in_groups, groups, kind, merging)
    assert {row.tobytes() for row in many} == {row.tobytes() for row in few}


@settings(max_examples=8)  # Plain Python takes long with them.
@given(st.integers(2, 400), st.integers(0, 10**6), kinds, mergings)
def test_long_texts_have_the_same_bits(size, seed, kind, merging):
    """Tables grow while they hold edges of the references, and of the candidate."""
    draw = np.random.default_rng(seed)
    kind = kind._replace(window=min(kind.window, 60))
    texts = [draw.integers(0, size, draw.integers(0, 700)).tolist() for _ in range(4)]
    table = table_of(texts, range(size))
    # As many pairs as make the kernel take slots of their own for symbols, one after another.
    candidates, chosen = np.array([0, 1, 3] * 12), np.repeat(np.arange(12), 3) % 2
    task = candidates, chosen, Groups.of([[1, 2], [3]]), [merging]
    on_both_roads(lambda: overlaps(table, kind, *task)[0].tobytes())


@given(tasks(), kinds, mergings)
def test_every_overlap_is_that_of_the_oracle(task, kind, merging):
    texts, pairs, groups = task
    found = run(*task, kind, merging)
    make = graph_oracle.graph if kind.weights == "occurrences" else graph_oracle.distance_graph
    graphs = [make(text, kind.n, min(kind.window, 100), kind.directed) for text in texts]
    for (candidate, group), (mine, theirs, common, matched) in zip(pairs, found, strict=True):
        several = [graphs[row] for row in groups[group]]
        together = graph_oracle.merged(several, 1.0 if merging == "ones" else None)
        if merging == "mean":
            edges = dict.fromkeys(edge for each in several for edge in each)
            together = {e: sum(each.get(e, 0) for each in several) / len(several) for e in edges}
        assert (mine, theirs) == (len(graphs[candidate]), len(together))
        similar = graph_oracle.similarities(graphs[candidate], together, kind.directed)
        small, large = min(mine, theirs), max(mine, theirs)
        assert (common / small if small else 0.0) == pytest.approx(similar["CS"], abs=1e-12)
        assert (matched / large if large else 0.0) == pytest.approx(similar["VS"], abs=1e-12)


@compiled
@given(sequences, st.integers(2, 7), st.integers(6, 31))
def test_numbers_of_ngrams_are_equal_where_the_ngrams_are(texts, n, width):
    """However many bits a token takes: what does not fit into one number is numbered first."""
    table = table_of(texts, range(50))
    spread = TokenTable(table.ids << width - 6, table.offsets, ())
    lengths = np.maximum(table.lengths - n + 1, 0)
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    symbols = np.empty(starts[-1], np.int64)
    kernel.call("number_ngrams", spread.ids, spread.offsets, len(table), n, width, starts, symbols)
    grams = [tuple(text[i : i + n]) for text in texts for i in range(len(text) - n + 1)]
    pairs = set(zip(grams, symbols.tolist(), strict=True))
    assert len(pairs) == len(set(grams)) == len(set(symbols.tolist()))


@given(tasks(), kinds, st.permutations(range(8)))
def test_neighbours_in_a_batch_and_chunks_change_no_bit(task, kind, order):
    texts, pairs, groups = task
    whole = run(*task, kind, "update")
    order = [place for place in order if place < len(pairs)]
    turned = run(texts, [pairs[place] for place in order], groups, kind, "update")
    assert turned.tobytes() == whole[order].tobytes()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel, "_STEPS", 1)
        assert run(*task, kind, "update").tobytes() == whole.tobytes()


@pytest.mark.usefixtures("road")
def test_texts_that_no_memory_holds_are_refused():
    table = TokenTable(np.zeros(200_000, np.int64), np.array([0, 100_000, 200_000]), "a")
    pair = np.array([0]), np.array([0]), Groups.of([[1]])
    with pytest.raises(SummetryError, match="100,000 symbols with 100,000 neighbours each are too"):
        overlaps(table, GraphKind(1, 10**6), *pair)
    together = np.array([0]), np.array([0]), Groups.of([[1] * 200])
    with pytest.raises(SummetryError, match="20,000,000 symbols with 20 neighbours each are too"):
        overlaps(table, GraphKind(1, 20), *together)


@pytest.mark.usefixtures("road")
def test_a_long_text_takes_memory_by_its_length_and_not_by_its_square():
    length = 5_000
    offsets = np.array([0, length, 2 * length])
    table = TokenTable(np.arange(2 * length) % length, offsets, range(length))
    (found,) = overlaps(table, GraphKind(1, 2), np.array([0]), np.array([1]), Groups.of([[1], [1]]))
    edges = 2.0 * (2 * length - 3)
    assert found.tolist() == [[edges] * 4]
