"""Agreement in a corpus, and informants beside one another: by hand, by plain definitions."""

import dataclasses
import math
from itertools import combinations, product

import msgspec
import numpy as np
import pytest
from hypothesis import given
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
from summetry.references.informants import (
    FASTEST_READER,
    Disputed,
    Flag,
    disputed_units,
    informants,
    overlap,
    reading_seconds,
    references_without,
)
from summetry.references.majority import TopicVotes
from summetry.references.voting import Ties, count_votes
from summetry.stats.agreement import cohen_kappa, krippendorff_alpha

RULES = ["position", "exclusion", "inclusion"]
VOTES = ("all_votes", "all_votes_chance", "at_length", "at_length_chance")


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
    # Of three pairs 3, 1, 1 and 1 agree on the units; by chance two votes for, or two against.
    assert row.percent == pytest.approx(100 * 6 / 12)
    assert row.percent_chance == pytest.approx(100 * (7**2 + 5**2) / 12**2)
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
        # Over all votes: the mean size by the units that anybody chose.
        mean_size = np.mean([len(units) for units in votes.chosen])
        assert row.all_votes == pytest.approx(100 * mean_size / len(set().union(*votes.chosen)))


def test_annotators_of_real_threads_agree_as_published(threads):
    """Kappa .501 over all sentences, mean pairwise Jaccard .430."""
    agreed = agreement(threads, draws=2)
    assert agreed.pooled.kappa == pytest.approx(0.501, abs=0.0005)
    assert agreed.whole.jaccard == pytest.approx(0.430, abs=0.0005)
    assert (agreed.whole.topics, agreed.whole.extracts) == (40, 120)
    # People agree more than chance, by every measure; three of four are per cents.
    for name in ("all_votes", "at_length", "percent", "jaccard"):
        value, chance = (getattr(agreed.whole, key) for key in (name, f"{name}_chance"))
        assert value > chance + 10 * (value > 1)


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


def test_the_units_of_a_genre_or_a_group_are_in_one_table_too(make_corpus, demo):
    """By hand: of news, three of five units agree, and 4 of 10 votes are for a unit.

    kappa = (3/5 - .52) / .48; alpha = 1 - 9 * 2 / (6 * 4). Means over topics are (1 - 1) / 2.
    """
    texts = {"t1": ["One.", "Two.", "Three."], "t2": ["One.", "Two."], "t3": ["One.", "Two."]}
    votes = {"t1": {"a": [0], "b": [0]}, "t2": {"a": [0], "b": [1]}, "t3": {"a": [0], "b": [0]}}
    corpus = make_corpus(texts, votes)
    kinds = {"t1": "news", "t2": "news", "t3": "story"}
    topics = (msgspec.structs.replace(topic, genre=kinds[topic.id]) for topic in corpus.topics)
    agreed = agreement(dataclasses.replace(corpus, topics=tuple(topics)), draws=1)
    news, story = agreed.genres_pooled
    assert (news.name, story.name) == ("news", "story")
    assert news.kappa[:2] == pytest.approx((3 / 5, 0.52))
    assert (news.kappa.kappa, news.alpha) == pytest.approx((1 / 6, 1 / 4))
    assert story.kappa.kappa == 1 and agreed.genres[0].fleiss == pytest.approx(0)
    groups = agreement(demo, draws=1).groups_pooled
    assert [group.name for group in groups] == ["trained readers", "students"]
    alone = agreement(demo, Voters(group="students"), draws=1)
    assert (groups[1].kappa, groups[1].alpha) == (alone.pooled, alone.pooled_alpha)


def test_chance_at_mean_length_is_what_random_extracts_give_and_the_same_on_every_run(demo):
    def rows(corpus, **options):
        return [topic.row for topic in agreement(corpus, draws=10, **options).topics]

    few, single = (dataclasses.replace(demo, topics=demo.topics[:n]) for n in (2, 1))
    first = rows(few)
    assert first == rows(few) != rows(few, seed=1)
    # A topic has its chance whichever others are there.
    assert rows(single) == first[:1]


def test_chance_at_mean_length_is_near_the_mean_over_all_choices(make_corpus, ferry):
    # Two people choose one of three units: in a third of the cases the same, 100 %, else 50 %.
    # The mean of 1000 draws has a standard error of 0.7 points.
    corpus = make_corpus({"t": ["One.", "Two.", "Three."]}, {"t": {"a": [0], "b": [0]}})
    assert agreement(corpus, draws=1000).whole.at_length_chance == pytest.approx(200 / 3, abs=2.5)
    # One of them counts twice, and has the only place: 100 % or two thirds.
    weighted = Voters(weights={"a": 2})
    chance = agreement(corpus, weighted, draws=1000).whole.at_length_chance
    assert chance == pytest.approx(100 / 3 + 2 / 3 * 200 / 3, abs=2.5)
    # Without draws chance is left open, and fewer are told.
    assert math.isnan(agreement(ferry, draws=0).whole.at_length_chance)
    with pytest.raises(SummetryError, match="draws must be 0 or more, got -1"):
        agreement(ferry, draws=-1)


@st.composite
def ballots(draw):
    words = draw(st.lists(st.integers(0, 9), min_size=1, max_size=7))
    units = st.sets(st.integers(0, len(words) - 1))
    return words, draw(st.lists(units, min_size=1, max_size=4))


@given(ballots(), st.sampled_from(["stop", "skip", "overshoot"]), st.sampled_from(RULES))
def test_the_curve_is_the_agreement_of_the_reference_at_every_length(drawn, fit, rule):
    words, chosen = drawn
    votes = votes_for(words, chosen)
    ties = Ties(rule)
    lengths = [Length("percent", percent) for percent in PERCENTS]
    expected = [votes.reference(length, fit, ties).agreement for length in lengths]
    assert curve_of(votes, fit, ties) == pytest.approx(expected, nan_ok=True)


def votes_for(words, chosen):
    units = tuple(" ".join(["word"] * n) for n in words)
    topic = Topic("t", documents=(Document("t", units=units),))
    extracts = tuple(Extract("t", f"p{i}", tuple(sorted(e))) for i, e in enumerate(chosen))
    return TopicVotes(topic, "en", extracts, count_votes(len(words), chosen), tuple(words))


# --- edges ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("votes", "expected", "undefined"), [
    # One informant agrees with nobody.
    ({"a": [0]}, {"mean": 50},
     (*VOTES, "percent", "fleiss", "cohen", "alpha", "jaccard", "jaccard_chance")),
    # All the same is perfect.
    ({"a": [0], "b": [0], "c": [0]},
     {"at_length": 100, "percent": 100, "fleiss": 1, "cohen": 1, "alpha": 1, "jaccard": 1}, ()),
    # Everything is chosen.
    ({"a": [0, 1], "b": [0, 1]}, {"percent": 100, "jaccard": 1}, ("fleiss", "cohen", "alpha")),
    # Empty extracts have no votes to agree.
    ({"a": [], "b": []}, {"mean": 0, "percent": 100}, (*VOTES, "fleiss", "jaccard")),
])  # fmt: skip
def test_agreement_where_there_is_little_to_agree_on(make_corpus, votes, expected, undefined):
    row = agreement(make_corpus({"t": ["One.", "Two."]}, {"t": votes}), draws=2).whole
    assert {name: getattr(row, name) for name in expected} == expected
    assert [name for name in undefined if not math.isnan(getattr(row, name))] == []


def test_topics_may_have_different_numbers_of_informants(make_corpus):
    votes = {"t": {"a": [0], "b": [0], "c": [1]}, "u": {"a": [0], "b": [1]}, "v": {"a": [0]}}
    corpus = make_corpus({name: ["One.", "Two."] for name in votes}, votes)
    agreed = agreement(corpus, draws=2)
    # In t a third of the pairs agree on either unit, in u none does; v has no pairs.
    assert agreed.pooled.agreement == pytest.approx((1 / 3 + 1 / 3 + 0 + 0) / 4)
    # Three ratings and three, two and two: five for and five against.
    assert agreed.pooled.chance == pytest.approx(0.5)
    # Units without words, and repeated sentences.
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
    rows = np.random.default_rng(3).integers(0, len(table), (200, len(table)))
    alphas = [krippendorff_alpha([table[i] for i in row]) for row in rows.tolist()]
    low, high = np.percentile(alphas, [2.5, 97.5])
    assert estimate == pytest.approx((krippendorff_alpha(table), low, high))
    # A single extract has no alpha and no interval.
    assert all(math.isnan(number) for number in alpha_interval([(1, 0), (0, 1)]))
    assert math.isnan(alpha_interval([(2, 0), (1, 1)], draws=0).low)


# --- informants beside one another ----------------------------------------------------------------

FIVE = ["The ferry sank.", "Nobody died.", "Fog came.", "They build a bridge.", "It rained."]
FIVE_VOTES = {"ann": [0, 1], "ben": [0, 1, 2], "cy": [0, 3]}


@pytest.fixture
def five(make_corpus):
    return topic_votes(make_corpus({"ferry": FIVE}, {"ferry": FIVE_VOTES}))


@pytest.fixture
def make_votes(make_corpus):
    """Four texts of six sentences, on which everybody makes the same extracts."""

    def make(**extracts):
        names = ["a", "b", "c", "d"]
        texts = {name: [f"Sentence {n} of {name} is here." for n in range(6)] for name in names}
        return topic_votes(make_corpus(texts, dict.fromkeys(names, extracts)))

    return make


def flags_of(found):
    return {informant.name: informant.flags for informant in found}


def test_everybody_is_compared_with_the_others_and_never_with_themselves(five, make_corpus):
    ann, ben, cy = informants(five)
    # ann shares 2 of 3 units with ben and 1 of 3 with cy; ben shares 1 of 4 with cy.
    assert ann.with_others.jaccard == pytest.approx((2 / 3 + 1 / 3) / 2)
    assert ben.with_others.jaccard == pytest.approx((2 / 3 + 1 / 4) / 2)
    assert cy.with_others.jaccard == pytest.approx((1 / 3 + 1 / 4) / 2)
    # Two random pairs of five units share 0, 1 or 2 in 3, 6 and 1 of 10 cases.
    two_and_two = 0.6 * 1 / 3 + 0.1 * 1
    # Two and three share 0, 1 or 2 in 1, 6 and 3 of 10 cases.
    two_and_three = 0.6 * 1 / 4 + 0.3 * 2 / 3
    assert ann.with_others.chance == pytest.approx((two_and_two + two_and_three) / 2)
    assert ben.with_others.chance == pytest.approx(two_and_three)
    # 3, 2, 2, 4 and 2 words.
    lengths = [informant.mean_length for informant in (ann, ben, cy)]
    assert lengths == pytest.approx([500 / 13, 700 / 13, 700 / 13])
    # Who worked alone has nobody to agree with.
    (ann,) = informants(topic_votes(make_corpus({"t": FIVE}, {"t": {"ann": [0]}})))
    assert math.isnan(ann.with_others.jaccard) and math.isnan(ann.with_others.chance)
    assert ann.flags == ()


LEAD = Flag("lead", 4, 4)


@pytest.mark.parametrize(("extracts", "flags"), [
    # Who shares no more than chance is far from everybody: two random pairs of six units share
    # 0, 1 or 2 in 6, 8 and 1 of 15 cases.
    ({"ann": [0, 2], "ben": [0, 2], "cy": [4, 5]},
     {"cy": (Flag("far", 0, pytest.approx(8 / 15 / 3 + 1 / 15)),)}),
    # Who takes the first sentences of nearly all texts.
    ({"ann": [0, 1], "ben": [0, 1, 2], "cy": [1, 0], "dee": [0, 2]},
     dict.fromkeys(["ann", "ben", "cy"], (LEAD,))),
])  # fmt: skip
def test_informants_are_flagged_as_by_hand(make_votes, extracts, flags):
    assert flags_of(informants(make_votes(**extracts))) == dict.fromkeys(extracts, ()) | flags


def test_who_is_quicker_than_reading_on_most_texts_is_fast(make_votes):
    votes = make_votes(ann=[0, 2], ben=[0, 2])
    # 6 sentences of 6 words are read in 3.6 seconds at 600 words per minute.
    assert FASTEST_READER == 600 and reading_seconds(36) == pytest.approx(3.6)
    seconds = dict(zip(product(["ann"], "abcd"), (3.5, 3.5, 3.5, 90), strict=True))
    seconds |= dict(zip(product(["ben"], "abcd"), (3.5, 3.5, 3.7, 3.7), strict=True))
    assert flags_of(informants(votes, seconds)) == {"ann": (Flag("fast", 3, 4),), "ben": ()}


def test_few_texts_and_empty_extracts_give_no_flag(make_corpus, make_votes):
    votes = {name: {"ann": [0, 1], "ben": [3, 4]} for name in ("a", "b")}
    of_topics = topic_votes(make_corpus({"a": FIVE, "b": FIVE}, votes))
    seconds = {("ann", "a"): 0.1, ("ann", "b"): 0.1}
    assert flags_of(informants(of_topics, seconds)) == {"ann": (), "ben": ()}
    # An empty extract is not that of the first sentences.
    assert informants(make_votes(ann=[], ben=[0, 3]))[0].lead == 0
    # The same extract twice is full agreement with oneself.
    assert overlap(5, [0, 3], [3, 0]).jaccard == 1
    assert math.isnan(overlap(5, [], []).jaccard)


def test_units_with_votes_nearest_to_half_come_first(five, make_corpus):
    # 3, 2, 1, 1 and 0 votes: of three pairs two differ wherever not all agree.
    assert disputed_units(five[0]) == [
        Disputed(1, ("ann", "ben"), ("cy",), pytest.approx(2 / 3)),
        Disputed(2, ("ben",), ("ann", "cy"), pytest.approx(2 / 3)),
        Disputed(3, ("cy",), ("ann", "ben"), pytest.approx(2 / 3)),
    ]
    # A half is more disputed than a quarter.
    votes = {"t": {"a": [0, 1], "b": [1], "c": [4], "d": [4]}}
    found = disputed_units(topic_votes(make_corpus({"t": FIVE}, votes))[0])
    assert [(unit.unit, unit.differing) for unit in found] == [(1, 4 / 6), (4, 4 / 6), (0, 3 / 6)]


def test_without_an_informant_the_reference_may_change(five, make_corpus):
    # With all: 0 and 1. Without ann units 1, 2 and 3 have one vote each, and 1 comes first.
    expected = {"ann": ((0, 1), (), ()), "ann ben": ((0, 3), (3,), (1,)), "ann ben cy": None}
    for left_out, after in expected.items():
        (changed,) = references_without(five, set(left_out.split()), Length("units", 2))
        assert changed.before.units == (0, 1)
        if after is None:
            assert changed.after is None and changed.removed == (0, 1)
        else:
            assert (changed.after.units, changed.added, changed.removed) == after
    # Only texts on which somebody is left out are shown.
    votes = {"a": {"ann": [0], "ben": [1]}, "b": {"ben": [0], "cy": [1]}}
    corpus = make_corpus({"a": FIVE, "b": FIVE}, votes)
    changed = references_without(topic_votes(corpus), {"cy"}, Length("mean"))
    assert [topic.topic for topic in changed] == ["b"]
