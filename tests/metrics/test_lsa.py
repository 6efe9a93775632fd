"""LSA measures: a whole SVD as the oracle, hand-worked pairs, ties, dimensions, and settings."""

import math
from fractions import Fraction

import numpy as np
import pytest
from comparisons import compare, explained, notes, values
from hypothesis import given
from hypothesis import strategies as st
from lsa_oracle import main_cosine, main_topic, matrix_of, term_significance, texts, weightings

import summetry
from summetry.arrays.latent import Spaces
from summetry.arrays.weighting import Weighting
from summetry.metrics import METRICS
from summetry.metrics.lsa.cosines import nearest_topics
from summetry.metrics.lsa.dimensions import (
    captured_significance,
    relative_significance,
    singular_values,
    zipf_fit,
)
from summetry.metrics.lsa.lsa_metrics import main_topic_similarity, term_significance_similarity
from summetry.records.batches import Batch, Comparison, Material, Side

BOTH = ("lsa_main_topic", "lsa_term_significance")
# Against references, without global weights and with all words.
TOPIC, TERMS = (f"{name}(against=references,scope=NW,text=auto)" for name in BOTH)
both_metrics = pytest.mark.parametrize("name", BOTH)


def pair(summary, reference, source=()):
    """A comparison of texts that are given as sentences of words."""
    units = [tuple(" ".join(words) for words in text) for text in (summary, reference, source)]
    sides = [Side("x", " ".join(cut), sentences=cut) for cut in units[:2]]
    return Comparison(Material("t", "en", " ".join(units[2]), units[2]), sides[0], (sides[1],))


def spelt(name, against, weighting, **more):
    """A metric to which the words of random texts are just those between blanks."""
    options = {"against": against, **weighting, **more, "text": "auto(tokens=blanks)"}
    return f"{name}({','.join(f'{key}={value}' for key, value in options.items())})"


several_pairs = st.lists(st.tuples(texts, texts), min_size=1, max_size=4)


@given(several_pairs, weightings)
def test_main_topics_are_those_of_a_whole_svd(pairs, chosen):
    expected = [main_topic(*both, **chosen) for both in pairs]
    result = [main_topic_similarity(*both, Weighting(**chosen)).value for both in pairs]
    assert result == pytest.approx(expected, abs=1e-9, nan_ok=True)
    compared = [pair(*both, source=both[1]) for both in pairs]
    for against in ("references", "source"):
        scored = values(spelt("lsa_main_topic", against, chosen), *compared)
        assert scored == pytest.approx(expected, abs=1e-9, nan_ok=True)


ROUNDINGS = {"floor": math.floor, "ceil": math.ceil}
ROUNDINGS["half_up"] = lambda exact: math.floor(exact + Fraction(1, 2))
CHOICES = {"rounding": list(ROUNDINGS), "summary_r": ["same", "percent", "all"]}
rules = st.fixed_dictionaries({name: st.sampled_from(some) for name, some in CHOICES.items()})


@given(several_pairs, weightings, rules)
def test_term_significances_are_those_of_a_whole_svd(pairs, chosen, rule):
    expected = [slow_term_significance(*both, chosen, **rule) for both in pairs]
    weighting = Weighting(**chosen)
    result = [term_significance_similarity(*both, weighting, **rule).value for both in pairs]
    assert result == pytest.approx(expected, abs=1e-8, nan_ok=True)
    spelling = spelt("lsa_term_significance", "references", chosen, **rule)
    scored = values(spelling, *(pair(*both) for both in pairs))
    assert scored == pytest.approx(expected, abs=1e-8, nan_ok=True)


def slow_term_significance(summary, reference, chosen, rounding, summary_r):
    sw, fw = (sum(map(len, text)) for text in (summary, reference))
    if not fw:
        return math.nan

    def kept(sentences):
        exact = Fraction(min(sw, fw) * sentences, fw)
        return max(min(ROUNDINGS[rounding](exact), sentences), 1)

    r = kept(len(reference))
    mine = {"same": min(r, len(summary)), "percent": kept(len(summary)), "all": len(summary)}
    return term_significance(summary, reference, r, mine[summary_r], **chosen)


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
    expected = main_cosine((terms, matrix), matrix_of(reference, **chosen))
    assert value == pytest.approx(expected, abs=1e-9, nan_ok=True)


def unknown(chosen, sentences):
    """The weight of a term that the reference does not have: as if it had it once."""
    base = math.e if chosen["log"] == "e" else chosen["log"]
    return math.log(max(sentences, 1), base) + 1 if chosen["scope"] == "ISF" else 1.0


@given(texts, texts, weightings, st.randoms(use_true_random=False))
def test_a_text_has_exactly_one_with_itself_and_the_order_of_sentences_and_words_is_no_matter(
    summary, reference, chosen, random
):
    weighting = Weighting(**chosen)
    mixed = [random.sample(words, len(words)) for words in random.sample(reference, len(reference))]
    for measure in (main_topic_similarity, term_significance_similarity):
        first, second = (measure(summary, text, weighting).value for text in (reference, mixed))
        assert first == pytest.approx(second, abs=1e-9, nan_ok=True)
        if matrix_of(summary, **chosen)[1].any():
            assert measure(summary, summary, weighting).value == 1.0


def test_equal_topics_of_other_texts_have_not_more_than_one():
    """By symmetry both words weigh the same in both texts; rounding made 1.0000000000000002."""
    weighting = Weighting("AU", "ISF", "half", log=10)
    texts = [["ice", "ice", "fog", "fog"], []], [[], ["ice", "ice", "ice"], ["fog"], []]
    assert main_topic_similarity(*texts, weighting).value == 1.0
    assert term_significance_similarity(*texts, weighting).value == 1.0


def test_equal_singular_values_are_told_and_counted():
    tied = pair([["a1", "b1"]], [["a1", "b1"], ["c1", "d1"]])
    plain = pair([["a1", "b1"]], [["a1", "b1"], ["a1"]])
    for spelling in (TOPIC, TERMS):
        assert list(notes(spelling, tied, plain, tied).values()) == [2]
        assert notes(spelling, plain) == {}
    (what,) = notes("lsa_main_topic(against=references,text=auto)", tied)
    assert what.startswith("equal largest singular values, so no single main topic")
    part = explained("lsa_main_topic(against=references,text=auto)", tied)
    assert part.facts["main_topics_reference"] == 2
    assert part.facts["main_topics_candidate"] == 1
    assert part.note == what
    part = explained("lsa_term_significance(against=references,text=auto)", tied)
    assert (part.facts["r_reference"], part.facts["kept_reference"]) == (1, 2)
    assert part.note.startswith("equal singular values where the dimensions are cut")
    assert explained("lsa_term_significance(against=references,text=auto)", plain).note == ""
    # Two equal topics of one text are no tie where the other has none.
    two, spelling = [["a1"], ["b1"]], TOPIC.replace("scope=NW", "local=FQ,scope=EN")
    for empty in ([], [[]], [["fog"], ["fog"]]):
        assert values(spelling, pair(empty, two)) == [0.0]
        assert math.isnan(values(spelling, pair(two, empty))[0])
        assert notes(spelling, pair(empty, two), pair(two, empty)) == {}


@pytest.mark.parametrize("seed", range(2))
def test_a_sentence_that_shares_no_word_is_no_part_of_the_main_topic(seed):
    """Its words weigh 0, which rounding makes 1e-19 on one machine and not on another."""
    draw = np.random.default_rng(seed)
    talk = [[f"fog{n}" for n in draw.integers(0, 30, 8)] for _ in range(20)]
    talk.insert(int(draw.integers(20)), ["quay", "hull", "rope"])
    part = explained(TOPIC, pair([["fog0"], ["quay", "fog1"]], talk))
    topics, apart = part.tables
    assert {row[2] for row in topics.rows} == {word for s in talk for word in s if "fog" in word}
    assert not {row[0] for row in apart.rows} & {"hull", "rope"}
    assert "quay" not in [match.what for match in part.matches]


@given(st.integers(0, 2**16))
def test_what_words_of_equal_topics_bring_does_not_depend_on_the_basis(seed):
    draw = np.random.default_rng(seed)
    space = np.linalg.qr(draw.standard_normal((6, 3)))[0]
    turned = [space @ np.linalg.qr(draw.standard_normal((3, 3)))[0] for _ in range(2)]
    cosine, parts = nearest_topics(*turned)
    assert cosine == 1.0
    # All three angles are 0: the mean over any basis of the squares of its entries.
    assert parts == pytest.approx((space**2).sum(axis=1) / 3)


@both_metrics
def test_the_paper_weighs_by_isf_against_abstracts_and_not_at_all_against_sources(name):
    text = [["fog", "pier", "ice"], ["fog", "quay"], ["fog", "ice", "hull"]]
    compared = pair([["fog", "pier"], ["ice"]], text, text)
    for against, scope in (("source", "NW"), ("references", "ISF")):
        default = values(f"{name}(against={against})", compared)
        assert default == values(f"{name}(against={against},local=BI,scope={scope})", compared)
        other = {"NW": "ISF", "ISF": "NW"}[scope]
        assert default != values(f"{name}(against={against},scope={other})", compared)


def test_words_for_r_are_running_words_with_stop_words_of_sentences():
    """Of 8 words 4 are in the summary, so r is 2 of 4; of words that count it has 1 of 5."""
    units = ("the fog", "the pier ice", "quay", "hull ferry")
    source = {"language": "en", "source": " ".join(units), "units": units}
    facts = explained("lsa_term_significance", compare("the of the fog", **source)).facts
    names = ("words_candidate", "words_reference", "r_reference")
    assert [facts[name] for name in names] == [4, 8, 2]

    # Units of a source are its sentences, unless they are words.
    for source, unit, sentences in (
        ("fog pier. ice. fog", "sentence", 3),
        ("Fog pier. Ice fog.", "word", 2),
    ):
        material = Material("t", "en", source, ("fog", "pier", "fog pier. ice"), unit)
        part = explained("lsa_term_significance", Comparison(material, Side("x", "fog")))
        assert part.facts["sentences_reference"] == sentences


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


@both_metrics
def test_the_edges_and_other_scripts(name):
    def value(candidate, source, language):
        scored = summetry.score(candidate, [], [name], sources=source, language=language)
        return scored[name]["value"]

    assert value("The and of.", "Fog lay on the pier.", "en") == 0
    assert math.isnan(value("Fog.", "The and of. It is.", "en"))
    assert value("Fog pier.", "Pier, fog!", "en") == 1.0
    assert value("Fog pier. Fog pier. Fog pier.", "Fog pier.", "en") == pytest.approx(1)
    assert value("Το πλοίο έφυγε.", "ΤΟ ΠΛΟΊΟ ΈΦΥΓΕ.", "el") == 1.0
    assert value("Паром стоит.", "Паром стоит. Паром ждёт.", "ru") > 0.5
    assert value("渡轮撞上了码头。", "渡轮撞上了码头。大雾很浓。", "zh") > 0.5


# How significant dimensions are, and how many of them are kept


def test_the_singular_values_of_a_text():
    """Disjoint sentences: the roots of their numbers of words, by size; two terms give two."""
    assert singular_values([["a"], ["b", "c", "d", "e"]]) == pytest.approx([2, 1])
    assert singular_values([["a"], ["b"], ["a"]]) == pytest.approx([math.sqrt(2), 1])
    assert singular_values([]) == []
    # Sentences that are there twice add no dimension and leave the fit alone: A with each column
    # twice has the singular values of A times the root of 2.
    sentences = [["fog", "pier"], ["ice", "boat", "fog"], ["sea"]]
    once, twice = singular_values(sentences), singular_values(sentences * 2)
    assert twice == pytest.approx([*(value * math.sqrt(2) for value in once), 0, 0])
    assert twice[3:] == [0, 0]
    assert zipf_fit(twice).b == pytest.approx(zipf_fit(once).b)


def test_the_fit_of_equation_10_finds_the_line_and_figure_3_its_shares():
    n = 30
    values = [math.sqrt(500 / i) for i in range(1, n + 1)]
    fit = zipf_fit(values)
    assert fit == pytest.approx((500, -1))
    harmonic = [math.fsum(1 / i for i in range(1, r + 1)) for r in range(n + 1)]
    shares = captured_significance(values, [10, 30, 100])
    expected = {10: harmonic[3] / harmonic[30], 30: harmonic[9] / harmonic[30], 100: 1.0}
    assert shares == pytest.approx(expected)
    # The paper reads 40 % and 70 % off its figure.
    assert 0.40 < shares[10] < 0.50
    assert shares[30] == pytest.approx(0.70, abs=0.02)
    # Two singular values have a line, and fewer have none.
    assert zipf_fit([2, math.sqrt(2)]) == pytest.approx((4, -1))
    assert all(map(math.isnan, zipf_fit([3, 0])))
    assert all(map(math.isnan, captured_significance([0, 0]).values()))
    assert all(map(math.isnan, captured_significance([]).values()))
    # Relative significances add up exactly.
    assert relative_significance([1] * 49).cumulative[-1] == 1.0
    assert relative_significance([]).relative == []
