"""AutoSummENG, MeMoG and NPowER: slow oracles, hand-worked values, explanations."""

import itertools
import math
from collections import Counter

import graph_oracle
import numpy as np
import pytest
from comparisons import compare_texts, may_be_empty, scores
from hypothesis import given
from hypothesis import strategies as st

import summetry
from summetry.metrics import METRICS
from summetry.metrics.graphs import ngram_graphs, similarity
from summetry.metrics.graphs.matches import MOST_EDGES
from summetry.metrics.graphs.ngram_graphs import autosummeng, memog, npower, rank_weights

letters = st.text(st.sampled_from("ab cώ北😀"), max_size=25)
references = st.lists(letters, min_size=1, max_size=4)
ALL = ["autosummeng", "memog", "npower"]


def score(spelling, candidate, references):
    """The values of the one metric that is asked for."""
    (values,) = summetry.score(candidate, references, [spelling]).values()
    return values


@may_be_empty
@given(letters, references)
def test_the_three_are_those_of_dictionaries_of_characters_words_and_halves(candidate, references):
    found = summetry.score(candidate, references, ALL)
    a = graph_oracle.autosummeng(candidate, references)
    m = graph_oracle.memog(candidate, references)
    assert found["autosummeng"]["vs"] == pytest.approx(a, abs=1e-12)
    assert found["memog"]["vs"] == pytest.approx(m, abs=1e-12)
    expected = {"value": 0.52905 * a + 0.30053 * m + 0.05866, "autosummeng": a, "memog": m}
    assert found["npower"] == pytest.approx(expected, abs=1e-12)
    assert autosummeng(candidate, references) == found["autosummeng"]["vs"]
    assert memog(candidate, references) == found["memog"]["vs"]
    # With one reference MeMoG is AutoSummENG, however graphs are merged.
    several = ["autosummeng", "memog", "memog(merging=mean)"]
    first, *others = summetry.score(candidate, references[:1], several).values()
    assert others == [first, first]
    # Words, and characters of Java.
    words = score("autosummeng(min_n=1,max_n=1,text=auto(tokens=blanks))", candidate, references)
    expected = graph_oracle.autosummeng(candidate.split(), [m.split() for m in references], n=1)
    assert words["vs"] == pytest.approx(expected, abs=1e-12)
    units = score("memog(text=raw(characters=utf16))", candidate, references)
    java = [graph_oracle.units(text, "utf16") for text in (candidate, *references)]
    assert units["vs"] == pytest.approx(graph_oracle.memog(java[0], java[1:]), abs=1e-12)


def test_comparisons_by_hand():
    # Each text has four distinct n-grams, all near each other: 6 edges, |G| = 12. The first
    # shares abc-bcd with the others: once in abcdxy, three times in abcdabcd.
    found = summetry.score("abcdef", ["abcdxy", "abcdabcd"], ALL)
    graphs = [graph_oracle.graph(text) for text in ("abcdef", "abcdxy", "abcdabcd")]
    assert [len(graph) for graph in graphs] == [12, 12, 12]
    assert graphs[2]["abc", "bcd"] == 3.0
    # VS is 2/12 and (2 · 1/3)/12; NVS the same, as all graphs have 12 directed edges.
    assert found["autosummeng"] == pytest.approx({"vs": 1 / 9, "nvs": 1 / 9})
    # Merged: abc-bcd with (1 + 3)/2; 12 + 12 - 2 directed edges.
    assert found["memog"] == pytest.approx({"vs": 2 * (1 / 2) / 22, "nvs": 2 * (1 / 2) / 12})
    value = (5.2905 / 9 + 3.0053 / 22 + 0.5866) / 10
    assert found["npower"]["value"] == pytest.approx(value)
    # Identical texts have 1, and NPowER the end of its line.
    text = "The ferry struck the pier.\nNobody was hurt. 😀 北京 Ελλάδα"
    found = summetry.score(text, [text, text, text], ALL)
    assert found["autosummeng"] == found["memog"] == {"vs": 1.0, "nvs": 1.0}
    assert found["npower"]["value"] == npower(1.0, 1.0) == pytest.approx(0.88824)
    for ranks in ("min_n=1,max_n=6", "min_n=2,max_n=8", "min_n=1,max_n=5", "min_n=3,max_n=9"):
        assert score(f"autosummeng({ranks})", text, [text]) == {"vs": 1.0, "nvs": 1.0}
    # The weights of ranks.
    assert rank_weights(3, 3, "paper") == rank_weights(3, 3, "jinsect") == {3: 3}
    assert rank_weights(2, 4, "jinsect") == {2: 2, 3: 5, 4: 9}


@may_be_empty
def test_an_empty_reference_counts_in_the_mean_and_not_in_the_merged_graph():
    for spelling, vs in (("autosummeng", 0.5), ("memog", 1.0), ("memog(merging=mean)", 0.5)):
        assert score(spelling, "abcdef", ["abcdef", ""])["vs"] == vs
    # Without any there is no value.
    with_one, without = compare_texts("abcdef", ["abcdef"]), compare_texts("abcdef", [])
    for name in (*ALL, "npower(tool=true)"):
        for numbers in scores(name, without, with_one, without).values():
            assert np.isnan(numbers).tolist() == [True, False, True]
        assert all(math.isnan(v) for v in METRICS.build(name).explain(without).values.values())


def test_the_tool_s_value_of_several_comparisons_is_that_of_each_alone():
    texts, name = (
        [("abcdefgh", ["abcdxyz", "efghij"]), ("ferries", ["ferry", "fairies"])],
        "npower(tool=true)",
    )
    together = [compare_texts(candidate, references) for candidate, references in texts]
    for value, numbers in scores(name, *together).items():
        alone = [float(scores(name, one)[value][0]) for one in together]
        assert numbers.tolist() == alone


def test_the_page_says_how_far_the_order_of_references_moves_memog(demo):
    """All six orders of the demo's three references; the page of the metric has the numbers."""
    candidates = [s for s in demo.summaries if s.role == "candidate"]
    texts = [demo.text_of(s) for s in candidates]
    groups = [demo.of_topic("summaries", s.topic) for s in candidates]
    references = [[demo.text_of(r) for r in group if r.role == "reference"] for group in groups]
    orders = itertools.permutations(range(3))
    turned = [[[of_one[i] for i in order] for of_one in references] for order in orders]
    values = np.array([score("memog.vs", texts, models)["vs"] for models in turned])
    moved = np.ptp(values, axis=0)
    assert 0.00085 < moved.max() < 0.00095 and 0.00025 < moved.mean() < 0.00035
    systems = np.array([s.author for s in candidates])
    means = [values[:, systems == system].mean(axis=1) for system in set(systems)]
    assert 0.00015 < max(map(np.ptp, means)) < 0.00025


def test_two_models_have_no_order_and_three_have_one():
    two = ["abcabc", "abcxabc"]
    assert memog("abcd", two) == memog("abcd", two[::-1])
    # abc-bcd is not in the first, once in the second and 7 times in the third model. It comes in
    # with 1 and is moved by a third to 3; the other way it comes in with 7 and is halved to 4.
    # The merged graph has six edges between the n-grams of abcdabcd and the loop xxx-xxx.
    three = ["xxxxxx", "abcd", "abcd" * 4]
    assert memog("abcd", three) == pytest.approx(2 * (1 / 3) / 13)
    assert memog("abcd", three[::-1]) == pytest.approx(2 * (1 / 4) / 13)
    both = [compare_texts("abcd", order) for order in (three, three[::-1])]
    expected = [memog("abcd", three), memog("abcd", three[::-1])]
    assert scores("memog", *both)["vs"].tolist() == expected


def test_each_group_of_models_is_merged_once_and_one_reference_is_not_merged(demo, monkeypatch):
    calls = []

    def counted(table, kind, candidates, chosen, groups, mergings=("update",)):
        calls.append((chosen, groups))
        return similarity.overlaps(table, kind, candidates, chosen, groups, mergings)

    monkeypatch.setattr(ngram_graphs, "overlaps", counted)
    table = summetry.evaluate(demo, ["memog"], "all_peers")
    # Peers meet every group that leaves one out; a model meets one of these groups.
    references = Counter(s.topic for s in demo.summaries if s.role == "reference")
    expected = sum(max(references[topic.id], 1) for topic in demo.topics)
    assert len(table.rows) > expected
    assert sum(len(groups.first) - 1 for _, groups in calls) == expected
    # Those of one group follow one another, so that the kernel merges it once.
    assert all((np.diff(chosen) >= 0).all() for chosen, _ in calls)


def test_the_signature_says_what_text_was_read_and_how_models_were_joined(demo):
    table = summetry.evaluate(demo, ["memog", "npower(tool=true)"])
    first, *_, last = [column.signature for column in table.columns]
    assert first.startswith("memog|text:raw,codepoints|refs:") and ",merge|" in first
    assert last.startswith("npower(tool=true)|text:raw,utf16,file|refs:")


def test_an_explanation_of_long_texts_is_bounded_and_adds_up():
    text = "".join(chr(0x4E00 + i) for i in range(600))
    (part,) = METRICS.build("memog").explain(compare_texts(text, [text])).parts
    assert len(part.matches) == MOST_EDGES + 1
    # 598 n-grams: 597 + 596 + 595 edges, each both ways.
    assert part.matches[-1].what == f"{597 + 596 + 595 - MOST_EDGES} further edges"
    assert sum(match.weight for match in part.matches) == part.facts["matched"] == 2 * 1788


def places_plainly(text, n, window):
    """By pair of n-grams, from the start of the earlier to the end of the later."""
    places = {}
    for i in range(len(text) - n + 1):
        for j in range(max(i - window, 0), i):
            pair = frozenset({text[i : i + n], text[j : j + n]})
            places.setdefault(pair, []).append((j, i + n))
    return places


few_letters = st.text("ab湖😀", max_size=25)


@given(few_letters, few_letters, st.integers(1, 3), st.integers(1, 4), st.booleans())
def test_the_places_of_edges_agree_with_a_slow_plain_way(mine, other, n, window, directed):
    spelling = f"autosummeng(min_n={n},max_n={n},window={window},directed={str(directed).lower()})"
    (part,) = METRICS.build(spelling).explain(compare_texts(mine, [other])).parts
    here, there = (places_plainly(text, n, window) for text in (mine, other))
    if not directed:
        assert len(part.matches) == len(here.keys() & there.keys())
    for match in part.matches:
        pair = frozenset(match.what[1:-1].split("' '"))
        assert list(match.candidate) == here[pair]
        assert list(match.reference) == there[pair]
