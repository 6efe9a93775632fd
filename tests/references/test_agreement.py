"""Agreement in a corpus: by hand, by plain definitions, on real data, and edges."""

import dataclasses
import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from summetry.errors import SummetryError
from summetry.metrics.unit_overlap import unit_overlap
from summetry.records.lengths import Length
from summetry.records.summaries import Extract
from summetry.records.topics import Document, Topic
from summetry.references import Voters, agreement, topic_votes
from summetry.references.agreement import (
    PERCENTS,
    alpha_interval,
    curve_of,
    extracts_kappa,
    topic_agreement,
)
from summetry.references.majority import TopicVotes
from summetry.references.voting import Ties, count_votes
from summetry.stats.agreement import cohen_kappa, krippendorff_alpha

RULES = ["position", "exclusion", "inclusion"]


def test_three_informants_by_hand(ferry):
    (votes,) = topic_votes(ferry)
    row = topic_agreement(votes).row
    # 5, 7 and 7 of 11 words; 7 votes on 4 units.
    assert (row.shortest, row.longest) == pytest.approx((500 / 11, 700 / 11))
    assert row.mean == pytest.approx(100 * 19 / 33)
    assert row.all_votes == pytest.approx(100 * 7 / 12)
    # At 19/3 words, by overshoot: units 0, 1 and 2 with six votes.
    assert row.at_length == pytest.approx(100 * 6 / 9)
    assert topic_agreement(votes, fit="stop").row.at_length == pytest.approx(100 * 5 / 6)
    # Of three pairs 3, 1, 1 and 1 agree on the units.
    assert row.percent == pytest.approx(100 * 6 / 12)
    assert row.jaccard == pytest.approx((2 / 3 + 1 / 3 + 1 / 4) / 3)


def test_coefficients_are_those_of_plain_lists(demo):
    for votes in topic_votes(demo):
        row = topic_agreement(votes).row
        n = len(votes.words)
        lists = [[unit in units for unit in range(n)] for units in votes.chosen]
        pairs = list(combinations(lists, 2))
        assert row.cohen == pytest.approx(np.mean([cohen_kappa(a, b).kappa for a, b in pairs]))
        equal = [np.mean(np.equal(a, b)) for a, b in pairs]
        assert row.percent == pytest.approx(100 * np.mean(equal))
        overlaps = [unit_overlap(a, b) for a, b in combinations(votes.chosen, 2)]
        assert row.jaccard == pytest.approx(np.mean(overlaps))
        assert row.fleiss == pytest.approx(extracts_kappa(n, votes.chosen).kappa)


def test_the_figure_over_all_votes_is_the_mean_size_by_the_units_that_anybody_chose(demo):
    for votes in topic_votes(demo):
        sizes = [len(units) for units in votes.chosen]
        chosen = set().union(*votes.chosen)
        expected = 100 * np.mean(sizes) / len(chosen)
        assert topic_agreement(votes).row.all_votes == pytest.approx(expected)


def test_annotators_of_real_threads_agree_as_published(threads):
    """Kappa .501 over all sentences, mean pairwise Jaccard .430."""
    agreed = agreement(threads, draws=2)
    assert agreed.pooled.kappa == pytest.approx(0.501, abs=0.0005)
    assert agreed.whole.jaccard == pytest.approx(0.430, abs=0.0005)
    assert (agreed.whole.topics, agreed.whole.extracts) == (40, 120)
    # People agree more than chance, by every measure.
    for seen, chance in (
        (agreed.whole.all_votes, agreed.whole.all_votes_chance),
        (agreed.whole.at_length, agreed.whole.at_length_chance),
        (agreed.whole.percent, agreed.whole.percent_chance),
        (agreed.whole.jaccard, agreed.whole.jaccard_chance),
    ):
        assert seen > chance + 10 * (seen > 1)


def test_means_are_plain_and_groups_stand_by_themselves(demo):
    agreed = agreement(demo, draws=3)
    rows = [topic.row for topic in agreed.topics]
    assert agreed.whole.at_length == pytest.approx(np.mean([row.at_length for row in rows]))
    assert agreed.whole.extracts == 45
    assert [row.name for row in agreed.groups] == ["trained readers", "students"]
    alone = agreement(demo, Voters(group="students"), draws=3)
    assert dataclasses.replace(alone.whole, name="students") == agreed.groups[1]
    assert alone.groups == ()
    news = [topic.row for topic in agreed.topics if topic.genre == "news"]
    assert agreed.genres[0].name == "news"
    assert agreed.genres[0].fleiss == pytest.approx(np.mean([row.fleiss for row in news]))


def test_chance_at_mean_length_is_what_random_extracts_give_and_the_same_on_every_run(demo):
    first, again = (agreement(demo, draws=20).whole.at_length_chance for _ in range(2))
    assert first == again
    assert agreement(demo, draws=20, seed=1).whole.at_length_chance != first
    assert agreement(demo, draws=400, seed=2).whole.at_length_chance == pytest.approx(first, abs=3)
    # A topic has its chance whichever others are there.
    small = dataclasses.replace(demo, topics=demo.topics[:1])
    row = agreement(small, draws=20).topics[0].row
    assert row == agreement(demo, draws=20).topics[0].row


def test_chance_at_mean_length_is_near_the_mean_over_all_choices(make_corpus):
    # Two people choose one of three units: in a third of the cases the same, 100 %, else 50 %.
    # The mean of 2000 draws has a standard error of half a point.
    corpus = make_corpus({"t": ["One.", "Two.", "Three."]}, {"t": {"a": [0], "b": [0]}})
    assert agreement(corpus, draws=2000).whole.at_length_chance == pytest.approx(200 / 3, abs=2.5)
    # One of them counts twice, and has the only place: 100 % or two thirds.
    weighted = Voters(weights={"a": 2})
    chance = agreement(corpus, weighted, draws=2000).whole.at_length_chance
    assert chance == pytest.approx(100 / 3 + 2 / 3 * 200 / 3, abs=2.5)


def test_chance_is_left_open_without_draws_and_fewer_are_told(ferry):
    assert math.isnan(agreement(ferry, draws=0).whole.at_length_chance)
    with pytest.raises(SummetryError, match="draws must be 0 or more, got -1"):
        agreement(ferry, draws=-1)


@st.composite
def ballots(draw):
    words = draw(st.lists(st.integers(0, 9), min_size=1, max_size=7))
    units = st.sets(st.integers(0, len(words) - 1))
    return words, draw(st.lists(units, min_size=1, max_size=4))


@settings(max_examples=70)
@given(ballots(), st.sampled_from(["stop", "skip", "overshoot"]), st.sampled_from(RULES))
def test_the_curve_is_the_agreement_of_the_reference_at_every_length(drawn, fit, rule):
    words, chosen = drawn
    votes = votes_for(words, chosen)
    ties = Ties(rule)
    expected = [
        votes.reference(Length("percent", percent), fit, ties).agreement for percent in PERCENTS
    ]
    assert curve_of(votes, fit, ties) == pytest.approx(expected, nan_ok=True)


def votes_for(words, chosen):
    units = tuple(" ".join(["word"] * n) for n in words)
    topic = Topic("t", documents=(Document("t", units=units),))
    extracts = tuple(Extract("t", f"p{i}", tuple(sorted(e))) for i, e in enumerate(chosen))
    return TopicVotes(topic, "en", extracts, count_votes(len(words), chosen), tuple(words))


# --- edges ------------------------------------------------------------------------------------


def test_one_informant_agrees_with_nobody(make_corpus):
    whole_row = agreement(make_corpus({"t": ["One.", "Two."]}, {"t": {"a": [0]}}), draws=2).whole
    assert whole_row.mean == 50
    votes = ("all_votes", "all_votes_chance", "at_length", "at_length_chance")
    for name in (*votes, "percent", "fleiss", "cohen", "alpha", "jaccard", "jaccard_chance"):
        assert math.isnan(getattr(whole_row, name)), name


def test_all_the_same_is_perfect_and_everything_chosen_undefined(make_corpus):
    same = make_corpus({"t": ["One.", "Two."]}, {"t": {"a": [0], "b": [0], "c": [0]}})
    whole_row = agreement(same, draws=2).whole
    assert (whole_row.at_length, whole_row.percent, whole_row.fleiss, whole_row.cohen) == (
        100,
        100,
        1,
        1,
    )
    assert (whole_row.alpha, whole_row.jaccard) == (1, 1)
    whole = make_corpus({"t": ["One.", "Two."]}, {"t": {"a": [0, 1], "b": [0, 1]}})
    whole_row = agreement(whole, draws=2).whole
    assert (whole_row.percent, whole_row.jaccard) == (100, 1)
    assert all(map(math.isnan, (whole_row.fleiss, whole_row.cohen, whole_row.alpha)))


def test_empty_extracts_have_no_votes_to_agree(make_corpus):
    agreed = agreement(make_corpus({"t": ["One.", "Two."]}, {"t": {"a": [], "b": []}}), draws=2)
    assert agreed.whole.mean == 0 and agreed.whole.percent == 100
    for name in (
        "all_votes",
        "all_votes_chance",
        "at_length",
        "at_length_chance",
        "fleiss",
        "jaccard",
    ):
        assert math.isnan(getattr(agreed.whole, name)), name


def test_topics_may_have_different_numbers_of_informants(make_corpus):
    votes = {"t": {"a": [0], "b": [0], "c": [1]}, "u": {"a": [0], "b": [1]}, "v": {"a": [0]}}
    corpus = make_corpus({name: ["One.", "Two."] for name in votes}, votes)
    agreed = agreement(corpus, draws=2)
    # In t a third of the pairs agree on either unit, in u none does; v has no pairs.
    assert agreed.pooled.agreement == pytest.approx((1 / 3 + 1 / 3 + 0 + 0) / 4)
    # Three ratings and three, two and two: five for and five against.
    assert agreed.pooled.chance == pytest.approx(0.5)


def test_units_without_words_and_repeated_sentences(make_corpus):
    corpus = make_corpus({"t": ["...", "!"], "u": ["One.", "One."]},
                         {"t": {"a": [0], "b": [0]}, "u": {"a": [0], "b": [1]}})  # fmt: skip
    agreed = agreement(corpus, draws=2)
    assert math.isnan(agreed.topics[0].row.mean)
    assert agreed.topics[1].row.jaccard == 0


def test_a_memo_changes_no_number_and_only_new_votes_are_counted(demo):
    memo = {}
    first = agreement(demo, draws=5, memo=memo)
    before = dict(memo)
    assert agreement(demo, draws=5, memo=memo) == first
    assert memo == before
    topic = demo.topics[-1].id
    more = (*demo.extracts, Extract(topic, "new", (0, 1)))
    changed = dataclasses.replace(demo, extracts=more)
    again = agreement(changed, draws=5, memo=memo)
    assert {agreed.row.name for key, agreed in memo.items() if key not in before} == {topic}
    assert again == agreement(changed, draws=5)


def test_the_interval_of_alpha_is_that_of_units_drawn_again(demo):
    table = topic_agreement(topic_votes(demo)[0]).table
    estimate = alpha_interval(table, draws=200, seed=3)
    # The same draws, one by one, by the definition.
    places = np.random.default_rng(3).integers(0, len(table), (200, len(table)))
    alphas = [krippendorff_alpha([table[place] for place in row]) for row in places.tolist()]
    low, high = np.percentile(alphas, [2.5, 97.5])
    assert estimate == pytest.approx((krippendorff_alpha(table), low, high))


def test_a_single_extract_has_no_alpha_and_no_interval():
    assert all(math.isnan(number) for number in alpha_interval([(1, 0), (0, 1)]))
    assert math.isnan(alpha_interval([(2, 0), (1, 1)], draws=0).low)
