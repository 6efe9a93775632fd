"""Hierarchical proximity graphs: worked by hand, a slow oracle, properties, edge cases."""

import math
import os
import subprocess
import sys

import hpg_oracle
import numpy as np
import pytest
from comparisons import compare_texts, notes, values
from hypothesis import given
from hypothesis import strategies as st
from kernel_roads import on_both_roads

import summetry
from summetry.metrics import METRICS
from summetry.metrics.graphs import hierarchy
from summetry.metrics.graphs import hpg as hpg_module
from summetry.metrics.graphs.hierarchy import find_stars, level_windows, sequences
from summetry.metrics.graphs.hpg import Hpg, hpg, level_graphs
from summetry.records.batches import Batch

THETAS = [1, 0.95, 0.8, 0.75, 0.5, 0.3, 0.05]


@st.composite
def pairs_of_texts(draw):
    """Two texts that share some pieces: without them no level but the first has a value."""
    letters = draw(st.sampled_from(["a", "ab", "abc", "ab cdefgh", "aώ北😀\n"]))
    texts = st.text(st.sampled_from(letters), max_size=24)
    common = draw(texts)
    return draw(texts) + common, draw(texts)[:6] + common + draw(texts)


windows, thetas = st.sampled_from([1, 1.5, 2, 2.9, 3, 10]), st.sampled_from(THETAS)
ranges = {"n": st.integers(1, 4), "window": windows, "levels": st.integers(1, 5), "theta": thetas}
options = st.fixed_dictionaries(ranges)


def comparison(candidate, *references):
    return compare_texts(candidate, references)


EIGHT = ("abcdefgh", "abcdefij")
TWO = {"window": 1, "levels": 2}


@pytest.mark.parametrize(("texts", "settings", "levels"), [
    # A B C D and A B C E. Level 1, window 1: AB BC CD and AB BC CE, of 6 directed edges 4
    # match. Stars: AB, AB+BC, BC+CD, CD and AB, AB+BC, BC+CE, CE, that is 1 2 3 4 and 1 2 5 6.
    # Level 2, window 2: 12 13 23 24 34 and 12 15 25 26 56, of 10 directed edges 2 match.
    (EIGHT, {**TWO, "theta": 1}, (4 / 6, 2 / 10)),
    # A B A and A B C, window 1: AB twice, of 2 directed edges; AB and BC, of 4.
    # The ratio of the weights is 1/2, for both directions: 2 * 1/2 / 4.
    (("abcdab", "abcdef"), {"window": 1, "levels": 1, "theta": 1}, (0.25,)),
    # A star is its edges and does not know its middle: in A B both positions have the star AB,
    # so level 2 is a loop, in both texts.
    (("abcd", "cdab"), {"levels": 3}, (1.0, 1.0, 1.0)),
    # Stars of a b c: ab, ab+bc, bc. The second holds the first (NVS 1) and takes its symbol:
    # 0 0 1. a b d makes 0 0 2 of it. Level 2, window 2: 00 and twice 01; 00 and twice 02: 1 of
    # 3 edges.
    (("abc", "abd"), {"n": 1, **TWO, "theta": 0.9}, (0.5, 1 / 3)),
    # By default stars are one that share three tenths. A B C D and A B C E have the stars AB,
    # AB+BC, BC+CD, CD and AB, AB+BC, BC+CE, CE. The second holds the first (NVS 1), CD is in
    # BC+CD (1), BC+CE shares one of two edges with it (1/2), CE nothing: 0 0 1 1 and 0 0 1 2.
    # Level 2, window 2: 00, 01 three times, 11, and 00, 01 twice, 02, 12, of 7 directed edges;
    # 00 matches whole and 01 by 2/3, both ways.
    (EIGHT, TWO, pytest.approx((4 / 6, (1 + 2 * 2 / 3) / 7))),
    # With fuzzy neighbourhoods a text may differ from itself. Stars: aa, aa+ab, ab+bc, bc+cc,
    # cc. First aa+ab is taken for aa (NVS 1) and bc+cc for ab+bc (2/3): 0 0 1 1 2. When they
    # come again, cc is known and nearer to bc+cc (1): 0 0 1 2 2. Level 2, window 2: 00 01 11 12
    # weigh 1 3 1 2, of 6 directed edges; 00 01 02 12 22 weigh 1 2 1 2 1, of 8. 00, 01 and 12
    # match: 1 + 2 * 2/3 + 2.
    (("aabcc",) * 2, {"n": 1, **TWO, "theta": 0.6}, pytest.approx((1, (1 + 4 / 3 + 2) / 8))),
])  # fmt: skip
def test_levels_worked_by_hand(texts, settings, levels):
    assert hpg(*texts, **settings).levels == levels


def test_the_score_weighs_levels_by_their_number_and_is_the_mean_over_references_or_the_best():
    assert hpg(*EIGHT, **TWO, theta=1).value == pytest.approx((1 * 4 / 6 + 2 * 2 / 10) / 3)
    assert Hpg() == Hpg(theta=0.3) == METRICS.build("hpg")
    # Over references it is the mean, or the best.
    one = hpg(*EIGHT, **TWO).value
    compared = comparison(*EIGHT, "uvwxyz", "abcdefgh")
    assert values(Hpg(**TWO), compared) == pytest.approx([(one + 0 + 1) / 3])
    assert values(Hpg(**TWO, references="best"), compared) == [1.0]
    assert math.isnan(values(Hpg(), comparison("the ferry"))[0])
    assert values(Hpg()) == []


def test_empty_upper_levels_are_told_where_they_hold_most_of_the_weight():
    # On levels 1 and 2 something is common, on level 3 nothing: half of the weight, 3 of 1 + 2 + 3.
    common = comparison(*EIGHT)
    levels = hpg(*EIGHT, window=1, levels=4, theta=1).levels
    assert levels[1] > 0 and levels[2:] == (0, 0)
    assert not notes("hpg(window=1,levels=3,theta=1)", common)
    apart, same = comparison("abcdefgh", "uvwxyz"), comparison("abcdefgh", "abcdefgh")
    # One reference with all levels is enough.
    both = comparison(*EIGHT, "abcdefgh")
    batch = [common, apart, same, both, common]
    (noted,) = notes("hpg(window=1,levels=4,theta=1)", *batch).items()
    assert noted[0].startswith("nothing matches on the upper levels, which hold more than half")
    assert noted[1] == 2
    assert not notes("hpg(window=1,levels=1,theta=1)", *batch)
    assert not notes("hpg")


def test_a_pair_that_comes_again_is_compared_once_and_the_note_compares_nothing(monkeypatch):
    rows, original = [], hpg_module.level_similarities

    def counted(table, left, right, *rest):
        rows.extend(left.tolist())
        return original(table, left, right, *rest)

    monkeypatch.setattr(hpg_module, "level_similarities", counted)
    references = ["the ferry", "a ferry", "one ferry"]
    jackknifed = [comparison("the pier", *references[:i], *references[i + 1 :]) for i in range(3)]
    means = values(Hpg(), *jackknifed)
    batch = Batch([comparison(*EIGHT)])
    for metric in (Hpg(), Hpg(theta=1)):
        metric.count(batch), metric.notes(batch)
    assert len(rows) == len(references) + 2
    each = [hpg("the pier", reference).value for reference in references]
    assert means == pytest.approx([(sum(each) - each[i]) / 2 for i in range(3)])


@given(pairs_of_texts(), options)
def test_levels_are_those_of_the_plain_definition_and_exact_ones_have_no_order(texts, chosen):
    result = hpg(*texts, **chosen)
    levels = hpg_oracle.level_similarities(*texts, **chosen)
    assert list(result.levels) == pytest.approx([float(level) for level in levels], abs=1e-12)
    assert result.value == pytest.approx(float(hpg_oracle.overall(levels)), abs=1e-12)
    assert all(0 <= level <= 1 for level in result.levels)
    # Where nothing is common on a level, nothing is above.
    assert all(result.levels[i] > 0 for i in range(len(levels)) if any(result.levels[i:]))
    exact = {**chosen, "theta": 1}
    assert hpg(*texts, **exact) == hpg(*reversed(texts), **exact)


@given(st.lists(pairs_of_texts(), min_size=2, max_size=3), options)
def test_a_batch_has_the_values_of_its_pairs_in_blocks_of_any_size(texts, chosen):
    candidates, references = zip(*texts, strict=True)
    compared = [comparison(candidate, *references) for candidate in candidates]
    whole = values(Hpg(**chosen), *compared)
    for candidate, value in zip(candidates, whole, strict=True):
        each = [hpg(candidate, reference, **chosen).value for reference in references]
        assert value == pytest.approx(math.fsum(each) / len(each), abs=1e-12)
    # The size of pieces and blocks changes no bit, nor does the kernel.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hpg_module, "_PIECE", 1)
        patch.setattr(hierarchy, "_BLOCK", 1)
        assert on_both_roads(lambda: values(Hpg(**chosen), *compared)) == whole


def test_long_texts_take_time_with_their_length():
    """1,000 words of 200, with more edges and prototypes than the kernel has room for at first."""
    rng = np.random.default_rng(4)
    vocabulary = ["".join(rng.choice([*"abcdefghijklmno"], 5)) for _ in range(200)]
    texts = [" ".join(rng.choice(vocabulary, 1000)) for _ in range(2)]
    long = hpg(*texts)
    assert 0 < long.levels[1] < long.levels[0] < 1 == hpg(texts[0], texts[0]).levels[0]
    beginnings = [text[:600] for text in texts]
    on_both_roads(lambda: hpg(*beginnings, levels=2))


@given(pairs_of_texts(), st.sampled_from(THETAS))
def test_units_of_utf16_are_those_of_the_plain_definition(texts, theta):
    metric = METRICS.build(f"hpg(theta={theta},text=raw(characters=utf16))")
    levels = hpg_oracle.level_similarities(*texts, theta=theta, characters="utf16")
    expected = float(hpg_oracle.overall(levels))
    assert values(metric, comparison(*texts)) == pytest.approx([expected], abs=1e-12)


@given(pairs_of_texts(), options, st.sampled_from([0, 1, 3]))
def test_stars_are_told_apart_by_sums_alone_and_where_sums_are_equal_by_accident(
    texts, chosen, bits
):
    expected = hpg(*texts, **chosen)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hierarchy, "_are_equal", lambda *_: True)
        assert hpg(*texts, **chosen) == expected
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hierarchy, "scramble", lambda edges: (edges % (1 << bits)).astype(np.uint64))
        assert hpg(*texts, **chosen) == expected


def test_every_pair_has_an_index_of_its_own_that_numbers_stars_as_they_appear():
    table = sequences(np.array([0, 1, 0, 0, 1, 0]), np.array([0, 3, 6]))
    found = find_stars(table, 1)
    # 01, 01 twice, 01 in both texts: a star does not know how far the text goes on.
    assert found.numbers.tolist() == [0, 1, 0, 0, 1, 0]
    assert found.first.tolist() == [0, 1]
    # With fuzzy neighbourhoods every pair has an index of its own.
    candidate, reference = "the ferry hit the pier in fog", "the ferry hit a pier in the fog"
    others = ["in fog the ferry hit the pier", "a pier", "the fog hit the ferry in the pier"]
    metric = Hpg(theta=0.6)
    alone = values(metric, comparison(candidate, reference))
    for around in ([reference, *others], [*others, reference]):
        compared = [comparison(candidate, text) for text in around]
        assert values(metric, *compared)[around.index(reference)] == alone[0]


def test_the_same_bits_whatever_the_hash_seed():
    pair = "the ferry hit the pier in fog", "the ferry hit a pier in the fog"
    calls = f"hpg(*{pair}), hpg(*{pair}, theta=0.6), hpg(*map(str.split, {pair}), n=1)"
    command = [sys.executable, "-c", f"from {hpg_module.__name__} import hpg; print({calls})"]
    environment = os.environ | {"PYTHONHASHSEED": "1"}
    printed = subprocess.check_output(command, env=environment, text=True)
    assert printed.rstrip() == " ".join(map(repr, eval(calls)))


def test_what_is_left_at_the_end_does_not_count_and_settings_may_go_beyond_every_text():
    assert hpg("abcde", "abcdf").value == 1.0
    assert hpg("abcde", "abcd", n=3).value == 0.0
    # Settings may go beyond every text, and windows are rounded down without error.
    assert hpg("abcd", "abcd", n=10**9).value == 0.0
    assert hpg("abcdefgh", "abcdefgh", window=1e12).value == 1.0
    assert level_windows(3, 5) == [3, 6, 9, 12, 15]
    assert level_windows(1.1, 10)[-1] == 11
    assert level_windows(1.15, 20)[-1] == 23  # As a float, 1.15 * 20 is less.


def test_case_blanks_and_line_ends_count_and_one_character_more_shifts_every_pair():
    text = "the ferry hit a pier in fog and nobody was hurt"
    assert hpg(text, text.capitalize()).value < 1
    assert hpg(text.replace("the ", "the  "), text).value < 0.1
    assert hpg("x" + text, text).levels[0] < 0.1
    assert hpg("xy" + text, text).levels[0] > 0.9
    # Words can stand in the place of characters.
    candidate, reference = "The ferry hit the pier in the fog.", "A ferry hit the pier in fog."
    found = summetry.score(candidate, [reference], ["hpg(n=1,text=auto)"])
    words = [text.lower().replace(".", "").split() for text in (candidate, reference)]
    levels = hpg_oracle.level_similarities(*words, n=1, theta=0.3)
    assert found["hpg(n=1,text=auto)"]["value"] == pytest.approx(float(hpg_oracle.overall(levels)))
    assert hpg(*words, n=1).value == pytest.approx(float(hpg_oracle.overall(levels)))


def test_the_graph_of_a_level_worked_by_hand():
    # ab cd ab cd ef: the stars of the second and third place hold the same edge twice, so that
    # level 2 is the sequence A B B C D, and its window is 2.
    (graph,) = level_graphs(["abcdabcdef"], level=2, window=1, theta=1)
    a, b, c, d = "ab", "cd", "cd₂", "ef"
    edges = [(a, b, 2.0), (b, b, 2.0), (b, c, 2.0), (b, d, 1.0), (c, d, 1.0)]
    assert sorted(graph.edge_list()) == sorted(edges)
    (first,) = level_graphs(["abcdabcdef"], level=1, window=1, theta=1)
    assert sorted(first.edge_list()) == [("ab", "cd", 3.0), ("cd", "ef", 1.0)]


@pytest.mark.parametrize("theta", [1, 0.5])
@pytest.mark.parametrize("level", [1, 2, 3])
def test_the_graphs_of_a_level_give_its_value(level, theta):
    texts = ["abcdabcdefabcdab", "abcdabcdefxyabcd"]
    left, right = ({(a, b): w for a, b, w in graph.edge_list()}
                   for graph in level_graphs(texts, level, 2, 1, theta))  # fmt: skip
    share = {edge: min(left[edge], right[edge]) / max(left[edge], right[edge])
             for edge in left.keys() & right.keys()}  # fmt: skip
    sizes = [sum(2 - (a == b) for a, b in graph) for graph in (left, right)]
    value = sum((2 - (a == b)) * part for (a, b), part in share.items()) / max(sizes)
    assert value == pytest.approx(hpg(*texts, 2, 1, level, theta).levels[-1], abs=1e-12)
