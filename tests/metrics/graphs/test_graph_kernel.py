"""Graphs in C and in plain Python: the same bits, for every kind of graph and of group."""

import graph_oracle
import numpy as np
import pytest
from comparisons import compare_texts
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_roads import on_both_roads

import summetry
from summetry.arrays import kernel
from summetry.arrays.token_tables import TokenTable, table_of
from summetry.errors import SummetryError
from summetry.metrics import METRICS
from summetry.metrics.graphs.similarity import GraphKind, Groups, overlaps
from summetry.records.batches import Batch

compiled = pytest.mark.skipif(not kernel.is_compiled(), reason="the kernel is not compiled here")
# Few symbols, so that edges repeat, or many, so that most occur once.
sequences = st.sampled_from([1, 2, 3, 6, 40]).flatmap(
    lambda size: st.lists(st.lists(st.integers(0, size - 1), max_size=40), min_size=1, max_size=5)
)
kinds = st.builds(
    GraphKind,
    n=st.integers(1, 4),
    window=st.sampled_from([1, 2, 3, 5, 100, 10**30]),
    directed=st.booleans(),
    weights=st.sampled_from(["occurrences", "distance"]),
)
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


def test_metrics_have_the_same_bits_on_both_roads(small_demo):
    metrics = [
        "npower",
        "autosummeng(directed=true,weights=distance)",
        "memog(min_n=1,max_n=2,text=en(stem=true),merging=ones)",
    ]
    on_both_roads(lambda: summetry.evaluate(small_demo, metrics).data.tobytes())


@pytest.mark.usefixtures("road")
def test_an_explanation_has_the_bits_of_the_value():
    texts = ["The ferry hit the pier in the fog.", "A ferry hit a pier.", "Fog hid the pier."]
    for name in ("autosummeng", "memog", "npower", "memog(min_n=1,max_n=3,weights=distance)"):
        metric = METRICS.build(name)
        compared = compare_texts("In the fog the ferry hit a pier.", texts)
        scores = metric.score(metric.count(Batch([compared])))
        explained = metric.explain(compared).values
        assert {value: float(each[0]) for value, each in scores.items()} == explained


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
    length = 20_000
    offsets = np.array([0, length, 2 * length])
    table = TokenTable(np.arange(2 * length) % length, offsets, range(length))
    (found,) = overlaps(table, GraphKind(1, 2), np.array([0]), np.array([1]), Groups.of([[1], [1]]))
    edges = 2.0 * (2 * length - 3)
    assert found.tolist() == [[edges] * 4]
