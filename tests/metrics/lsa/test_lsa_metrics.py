"""LSA measures: a whole SVD as the oracle, hand-worked pairs, ties, and settings."""

import dataclasses
import math
from fractions import Fraction

import numpy as np
import pytest
from comparisons import notes, values
from hypothesis import given, settings
from hypothesis import strategies as st
from lsa_oracle import WORDS, main_topic, matrix_of, term_significance, texts, weightings

import summetry
from summetry.arrays.latent import Spaces
from summetry.arrays.weighting import Weighting
from summetry.errors import SummetryError
from summetry.metrics import METRICS
from summetry.metrics.lsa.cosines import nearest_topics
from summetry.metrics.lsa.lsa_metrics import main_topic_similarity, term_significance_similarity
from summetry.records.batches import Batch, Comparison, Material, Side

few = settings(max_examples=60)


def pair(summary, reference, source=()):
    """A comparison of texts that are given as sentences of words."""
    units = [tuple(" ".join(words) for words in text) for text in (summary, reference, source)]
    sides = [Side("x", " ".join(cut), sentences=cut) for cut in units[:2]]
    return Comparison(Material("t", "en", " ".join(units[2]), units[2]), sides[0], (sides[1],))


def spelt(name, against, weighting, **more):
    """A metric to which the words of random texts are just those between blanks."""
    options = {"against": against, **weighting, **more, "text": "auto(tokens=blanks)"}
    return f"{name}({','.join(f'{key}={value}' for key, value in options.items())})"


@few
@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=4), weightings)
def test_main_topics_are_those_of_a_whole_svd(pairs, chosen):
    expected = [main_topic(*both, **chosen) for both in pairs]
    result = [main_topic_similarity(*both, Weighting(**chosen)).value for both in pairs]
    assert result == pytest.approx(expected, abs=1e-9, nan_ok=True)
    compared = [pair(*both, source=both[1]) for both in pairs]
    for against in ("references", "source"):
        scored = values(spelt("lsa_main_topic", against, chosen), *compared)
        assert scored == pytest.approx(expected, abs=1e-9, nan_ok=True)


@few
@given(
    st.lists(st.tuples(texts, texts), min_size=1, max_size=4),
    weightings,
    st.sampled_from(["half_up", "floor", "ceil"]),
    st.sampled_from(["same", "percent", "all"]),
)
def test_term_significances_are_those_of_a_whole_svd(pairs, chosen, rounding, summary_r):
    expected = [slow_term_significance(*both, chosen, rounding, summary_r) for both in pairs]
    result = [
        term_significance_similarity(*both, Weighting(**chosen), rounding, summary_r).value
        for both in pairs
    ]
    assert result == pytest.approx(expected, abs=1e-8, nan_ok=True)
    spelling = spelt(
        "lsa_term_significance", "references", chosen, rounding=rounding, summary_r=summary_r
    )
    scored = values(spelling, *(pair(*both) for both in pairs))
    assert scored == pytest.approx(expected, abs=1e-8, nan_ok=True)


def slow_term_significance(summary, reference, chosen, rounding, summary_r):
    sw, fw = (sum(map(len, text)) for text in (summary, reference))
    if not fw:
        return math.nan

    def kept(sentences):
        exact = Fraction(min(sw, fw) * sentences, fw)
        whole = {
            "half_up": math.floor(exact + Fraction(1, 2)),
            "floor": math.floor(exact),
            "ceil": math.ceil(exact),
        }[rounding]
        return max(min(whole, sentences), 1)

    r = kept(len(reference))
    mine = {"same": min(r, len(summary)), "percent": kept(len(summary)), "all": len(summary)}
    return term_significance(summary, reference, r, mine[summary_r], **chosen)


@few
@given(texts, texts, weightings)
def test_global_weights_of_the_reference(summary, reference, chosen):
    """The summary's local weights times the reference's global ones; see ``unknown``."""
    terms, matrix = matrix_of(summary, **{**chosen, "scope": "NW"})
    known, weights = matrix_of(reference, **{**chosen, "local": "BI"})
    alone = {term: max(row) for term, row in zip(known, weights, strict=True)}
    alone = {term: alone.get(term, unknown(chosen, len(reference))) for term in terms}
    matrix = matrix * np.array([[alone[term]] for term in terms]).reshape(-1, 1)
    spelling = spelt("lsa_main_topic", "references", chosen, global_from="reference")
    (value,) = values(spelling, pair(summary, reference))
    other_terms, others = matrix_of(reference, **chosen)
    if not others.any():
        assert math.isnan(value)
    elif not matrix.any():
        assert value == 0
    else:
        assert value == pytest.approx(nearest(terms, matrix, other_terms, others), abs=1e-9)


def unknown(chosen, sentences):
    """The weight of a term that the reference does not have: as if it had it once."""
    base = math.e if chosen["log"] == "e" else chosen["log"]
    return math.log(max(sentences, 1), base) + 1 if chosen["scope"] == "ISF" else 1.0


def nearest(terms, matrix, other_terms, others):
    bases = []
    for names, weights in ((terms, matrix), (other_terms, others)):
        left, sizes, _ = np.linalg.svd(weights, full_matrices=False)
        top = left[:, sizes >= sizes[0] * (1 - 1e-9)]
        rows = np.zeros((len(WORDS), top.shape[1]))
        rows[[WORDS.index(name) for name in names]] = top
        bases.append(rows)
    return np.linalg.svd(bases[0].T @ bases[1], compute_uv=False)[0]


def test_main_topic_worked_by_hand():
    """Of [[2, 1], [1, 1]] the largest eigenvalue is t = (3 + sqrt 5) / 2, its vector (t - 1, 1)."""
    t = (3 + math.sqrt(5)) / 2
    fog, pier = t / math.hypot(t, t - 1), (t - 1) / math.hypot(t, t - 1)
    reference = [["fog", "pier"], ["fog"]]
    assert main_topic_similarity([["fog"]], reference).value == pytest.approx(fog)
    assert main_topic_similarity([["pier"]], reference).value == pytest.approx(pier)
    both = main_topic_similarity([["fog", "pier"]], reference).value
    assert both == pytest.approx((fog + pier) / math.sqrt(2))


def test_term_significance_worked_by_hand():
    """Disjoint sentences of 3, 2 and 1 words: sigma^2 = 3, 2, 1, and b = sigma^2 / sqrt(words)."""
    reference = [["a", "b", "c"], ["d", "e"], ["f"]]
    result = term_significance_similarity([["a", "b", "c"]], reference)
    # Three of six words: r = 1.5, rounded up to 2.
    b = [math.sqrt(3)] * 3 + [math.sqrt(2)] * 2
    assert (result.r, result.r_summary) == (2, 1)
    assert result.value == pytest.approx(3 * b[0] / math.sqrt(3) / math.hypot(*b))
    down = term_significance_similarity([["a", "b", "c"]], reference, rounding="floor")
    assert (down.r, down.value) == (1, 1.0)


def test_a_second_topic_lowers_only_term_significance():
    reference = [["a", "b", "c"], ["d", "e"]]
    summary = [["a", "b", "c"], ["d"]]
    assert main_topic_similarity(summary, reference).value == pytest.approx(1)
    assert term_significance_similarity(summary, reference).value < 0.95


def test_terms_that_the_reference_lacks_lower_the_value():
    reference = [["fog", "pier"]]
    assert main_topic_similarity([["fog", "pier", "x", "y"]], reference).value == pytest.approx(
        1 / math.sqrt(2)
    )


@few
@given(texts, weightings)
def test_a_text_and_itself_have_exactly_one(text, chosen):
    weighting = Weighting(**chosen)
    if not matrix_of(text, **chosen)[1].any():
        return
    assert main_topic_similarity(text, text, weighting).value == 1.0
    assert term_significance_similarity(text, text, weighting).value == 1.0


def test_equal_topics_of_other_texts_have_not_more_than_one():
    """By symmetry both words weigh the same in both texts; rounding made 1.0000000000000002."""
    weighting = Weighting("AU", "ISF", "half", log=10)
    summary = [["ice", "ice", "fog", "fog"], []]
    source = [[], ["ice", "ice", "ice"], ["fog"], []]
    assert main_topic_similarity(summary, source, weighting).value == 1.0
    assert term_significance_similarity(summary, source, weighting).value == 1.0


@few
@given(texts, texts, weightings, st.randoms(use_true_random=False))
def test_the_order_of_sentences_and_of_words_is_no_matter(summary, reference, chosen, random):
    weighting = Weighting(**chosen)
    mixed = [random.sample(words, len(words)) for words in random.sample(reference, len(reference))]
    for measure in (main_topic_similarity, term_significance_similarity):
        first, second = (measure(summary, text, weighting).value for text in (reference, mixed))
        assert first == pytest.approx(second, abs=1e-9, nan_ok=True)


def test_two_equal_topics_are_one_space():
    reference = [["a", "b"], ["c", "d"]]
    for summary in ([["a", "b"]], [["c", "d"]], [["c", "d"], ["a", "b"]]):
        result = main_topic_similarity(summary, reference)
        assert (result.value, result.unique) == (1.0, False)
    assert main_topic_similarity([["a"]], reference).value == pytest.approx(1 / math.sqrt(2))


def test_equal_singular_values_are_told_and_counted():
    tied = pair([["a1", "b1"]], [["a1", "b1"], ["c1", "d1"]])
    plain = pair([["a1", "b1"]], [["a1", "b1"], ["a1"]])
    for name in ("lsa_main_topic", "lsa_term_significance"):
        spelling = f"{name}(against=references,scope=NW,text=auto)"
        assert list(notes(spelling, tied, plain, tied).values()) == [2]
        assert notes(spelling, plain) == {}
    (what,) = notes("lsa_main_topic(against=references,text=auto)", tied)
    assert what.startswith("equal largest singular values, so no single main topic")
    (part,) = METRICS.build("lsa_main_topic(against=references,text=auto)").explain(tied).parts
    assert part.facts["main_topics_reference"] == 2
    assert part.facts["main_topics_candidate"] == 1
    assert part.note == what
    metric = METRICS.build("lsa_term_significance(against=references,text=auto)")
    (part,) = metric.explain(tied).parts
    assert (part.facts["r_reference"], part.facts["kept_reference"]) == (1, 2)
    assert part.note.startswith("equal singular values where the dimensions are cut")
    assert metric.explain(plain).parts[0].note == ""


def test_two_equal_topics_of_one_text_are_no_tie_where_the_other_has_none():
    two = [["a1"], ["b1"]]
    even = [["fog"], ["fog"]]
    spelling = "lsa_main_topic(against=references,local=FQ,scope=EN,text=auto)"
    for empty in ([], [[]], even):
        assert values(spelling, pair(empty, two)) == [0.0]
        assert math.isnan(values(spelling, pair(two, empty))[0])
        assert notes(spelling, pair(empty, two), pair(two, empty)) == {}


def test_an_explanation_says_what_each_word_brings():
    metric = METRICS.build("lsa_main_topic(against=references,scope=NW,text=auto)")
    (part,) = metric.explain(pair([["fog", "pier"]], [["fog", "pier"], ["fog"]])).parts
    t = (3 + math.sqrt(5)) / 2
    brought = {match.what: match.weight for match in part.matches}
    expected = {"fog": t, "pier": t - 1}
    length = math.hypot(t, t - 1) * math.sqrt(2)
    assert brought == pytest.approx({word: size / length for word, size in expected.items()})
    cosine = (2 * t - 1) / length
    assert part.facts["angle"] == pytest.approx(math.degrees(math.acos(cosine)))


def test_an_explanation_shows_the_words_of_both_topics_and_where_they_part():
    """The first singular vector of fog in both sentences and pier in one is (t, t - 1)."""
    metric = METRICS.build("lsa_main_topic(against=references,scope=NW,text=auto)")
    (part,) = metric.explain(pair([["pier", "fog"]], [["fog", "pier"], ["fog"]])).parts
    t = (3 + math.sqrt(5)) / 2
    fog, pier, even = t / math.hypot(t, t - 1), (t - 1) / math.hypot(t, t - 1), math.sqrt(0.5)
    topics, apart = part.tables
    assert topics.columns[0] == "candidate"
    # Equal weights stay in the order of the text.
    assert [(row[0], row[2]) for row in topics.rows] == [("pier", "fog"), ("fog", "pier")]
    assert [row[1] for row in topics.rows] == pytest.approx([even, even])
    assert [row[3] for row in topics.rows] == pytest.approx([fog, pier])
    assert [row[0] for row in apart.rows] == ["pier", "fog"]
    assert [row[1:] for row in apart.rows] == [
        pytest.approx((even, pier)), pytest.approx((even, fog)),
    ]  # fmt: skip


def test_a_word_of_one_topic_alone_weighs_nothing_in_the_other():
    metric = METRICS.build("lsa_main_topic(against=references,scope=NW,text=auto)")
    (part,) = metric.explain(pair([["pier"]], [["fog"]])).parts
    assert part.facts["angle"] == 90
    assert set(part.tables[1].rows) == {("pier", 1.0, 0.0), ("fog", 0.0, 1.0)}


@pytest.mark.parametrize("seed", range(5))
def test_a_sentence_that_shares_no_word_is_no_part_of_the_main_topic(seed):
    """Its words weigh 0, which rounding makes 1e-19 on one machine and not on another."""
    draw = np.random.default_rng(seed)
    talk = [[f"fog{n}" for n in draw.integers(0, 30, 8)] for _ in range(20)]
    talk.insert(int(draw.integers(20)), ["quay", "hull", "rope"])
    metric = METRICS.build("lsa_main_topic(against=references,scope=NW,text=auto)")
    (part,) = metric.explain(pair([["fog0"], ["quay", "fog1"]], talk)).parts
    topics, apart = part.tables
    assert {row[2] for row in topics.rows} == {word for s in talk for word in s if "fog" in word}
    assert not {row[0] for row in apart.rows} & {"hull", "rope"}
    assert "quay" not in [match.what for match in part.matches]


@given(texts, texts)
def test_the_vectors_of_an_explanation_have_length_1_and_the_value_as_their_product(mine, other):
    for name in ("lsa_main_topic", "lsa_term_significance"):
        metric = METRICS.build(f"{name}(against=references,scope=NW,text=auto)")
        (part,) = metric.explain(pair(mine, other)).parts
        if not part.tables or part.note:
            continue
        rows = part.tables[1].rows
        for side in (1, 2):
            assert math.fsum(row[side] ** 2 for row in rows) in (0, pytest.approx(1))
        assert math.fsum(row[1] * row[2] for row in rows) == pytest.approx(part.facts["matched"])


@given(st.integers(0, 2**16))
def test_what_words_of_equal_topics_bring_does_not_depend_on_the_basis(seed):
    draw = np.random.default_rng(seed)
    space = np.linalg.qr(draw.standard_normal((6, 3)))[0]
    turned = [space @ np.linalg.qr(draw.standard_normal((3, 3)))[0] for _ in range(2)]
    cosine, parts = nearest_topics(*turned)
    assert cosine == 1.0
    # All three angles are 0: the mean over any basis of the squares of its entries.
    assert parts == pytest.approx((space**2).sum(axis=1) / 3)


@pytest.mark.parametrize("name", ["lsa_main_topic", "lsa_term_significance"])
def test_the_paper_weighs_by_isf_against_abstracts_and_not_at_all_against_sources(name):
    text = [["fog", "pier", "ice"], ["fog", "quay"], ["fog", "ice", "hull"]]
    compared = pair([["fog", "pier"], ["ice"]], text, text)
    for against, scope in (("source", "NW"), ("references", "ISF")):
        default = values(f"{name}(against={against})", compared)
        assert default == values(f"{name}(against={against},local=BI,scope={scope})", compared)
        other = {"NW": "ISF", "ISF": "NW"}[scope]
        assert default != values(f"{name}(against={against},scope={other})", compared)


def test_words_for_r_are_running_words_with_stop_words():
    """Of 8 words 4 are in the summary, so r is 2 of 4; of words that count it has 1 of 5."""
    units = ("the fog", "the pier ice", "quay", "hull ferry")
    material = Material("t", "en", " ".join(units), units)
    compared = Comparison(material, Side("x", "the of the fog"))
    (part,) = METRICS.build("lsa_term_significance").explain(compared).parts
    assert part.facts["words_candidate"] == 4
    assert part.facts["words_reference"] == 8
    assert part.facts["r_reference"] == 2


def test_source_units_are_its_sentences_and_other_units_are_not():
    units = ("fog", "pier", "fog pier. ice")
    given_units = Material("t", "en", "fog pier. ice. fog", units)
    cut = Material("t", "en", "Fog pier. Ice fog.", units, unit="word")
    metric = METRICS.build("lsa_term_significance")
    counts = [
        metric.explain(Comparison(material, Side("x", "fog"))).parts[0].facts["sentences_reference"]
        for material in (given_units, cut)
    ]
    assert counts == [3, 2]


def test_each_distinct_text_is_decomposed_once(monkeypatch):
    decomposed = []
    original = Spaces._decompose_few
    monkeypatch.setattr(
        Spaces, "_decompose_few", lambda self, rows: (decomposed.extend(rows), original(self, rows))
    )
    source = [["fog", "pier"], ["fog", "ice"], ["quay", "ice"]]
    material = pair([], [], source).material
    summaries = ("Fog pier. Ice fog.", "Pier ice. Quay pier fog.", "Fog pier. Ice fog.")
    batch = Batch([Comparison(material, Side(f"s{i}", text)) for i, text in enumerate(summaries)])
    for name in ("lsa_main_topic", "lsa_term_significance"):
        METRICS.build(name).count(batch)
    assert len(decomposed) == len(set(map(int, decomposed))) == 3


def test_several_references_mean_and_best():
    texts = [[["fog", "pier"]], [["fog", "ice"], ["fog"]], []]
    sides = tuple(
        Side(str(i), "", sentences=tuple(" ".join(words) for words in text))
        for i, text in enumerate(texts)
    )
    compared = Comparison(Material("t", "en"), sides[0], sides)
    each = [main_topic_similarity(texts[0], text, Weighting("BI", "ISF")).value for text in texts]
    assert math.isnan(each[2])
    spelling = "lsa_main_topic(against=references{},text=auto)"
    assert values(spelling.format(""), compared) == pytest.approx([(each[0] + each[1]) / 2])
    assert values(spelling.format(",references=best"), compared) == [1.0]


@pytest.mark.parametrize("name", ["lsa_main_topic", "lsa_term_significance"])
class TestEdges:
    def values(self, name, candidate, source, language="en"):
        result = summetry.score(candidate, [], [name], sources=source, language=language)
        return result[name]["value"]

    def test_stop_words_only(self, name):
        assert self.values(name, "The and of.", "Fog lay on the pier.") == 0
        assert math.isnan(self.values(name, "Fog.", "The and of. It is."))

    def test_one_sentence(self, name):
        assert self.values(name, "Fog pier.", "Pier, fog!") == 1.0

    def test_repeated_sentences(self, name):
        assert self.values(name, "Fog pier. Fog pier. Fog pier.", "Fog pier.") == pytest.approx(1)

    def test_other_scripts(self, name):
        assert self.values(name, "Паром стоит.", "Паром стоит. Паром ждёт.", "ru") > 0.5
        assert self.values(name, "渡轮撞上了码头。", "渡轮撞上了码头。大雾很浓。", "zh") > 0.5
        assert self.values(name, "Το πλοίο έφυγε.", "ΤΟ ΠΛΟΊΟ ΈΦΥΓΕ.", "el") == 1.0

    def test_without_a_language_the_stop_words_are_not_known(self, name):
        with pytest.raises(SummetryError, match="needs to know the language of each text"):
            self.values(name, "Fog.", "Fog.", language="")

    def test_a_weight_that_is_not_there(self, name):
        with pytest.raises(SummetryError, match=f"{name}: local must be one of FQ, BI, AU, LO"):
            METRICS.build(f"{name}(local=TF)")
        with pytest.raises(SummetryError, match="one of NW, ISF, GF, EN or none"):
            METRICS.build(f"{name}(scope=idf)")
        with pytest.raises(SummetryError, match="log must be one of e, 2, 10"):
            METRICS.build(f"{name}(log=3)")


def test_term_significance_with_an_empty_reference_has_no_r():
    result = term_significance_similarity([["fog"]], [])
    assert all(map(math.isnan, result))
    result = term_significance_similarity([], [["fog"]])
    assert (result.value, result.r) == (0.0, 1)
    assert math.isnan(result.r_summary)


def test_both_measures_name_their_weights_alike():
    names = [
        [option.name for option in dataclasses.fields(METRICS.get(name))]
        for name in ("lsa_main_topic", "lsa_term_significance")
    ]
    assert names[1][: len(names[0])] == names[0]
