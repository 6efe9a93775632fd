"""Marks of content units compared with people's, and thresholds that are chosen by them."""

import dataclasses
import math
from random import Random

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from summetry.errors import SummetryError
from summetry.metaeval import unit_marks
from summetry.metaeval.annotators import annotators_agreement
from summetry.metaeval.unit_marks import CANDIDATES, agree, fit_values, pair_marks
from summetry.metrics import METRICS
from summetry.records.batches import Comparison, Material, Side
from summetry.records.pyramids import PeerScu, Pyramid, Scu
from summetry.stats.agreement import cohen_kappa, fleiss_kappa, krippendorff_alpha


def pyramid(topic, units, **said):
    """A pyramid of units by name and weight, and the names that each system expresses."""
    scus = tuple(Scu(name, weight=weight) for name, weight in units.items())
    peers = {who: tuple(PeerScu(name) for name in names) for who, names in said.items()}
    return Pyramid(topic, scus, peers)


def random_pyramids(seed, topics=6, systems=4):
    """Two assigners of the same units, who agree more often than not."""
    random = Random(seed)
    both = [], []
    for topic in range(topics):
        units = {f"u{n}": random.choice([1, 2, 3]) for n in range(random.randint(1, 5))}
        said = {f"s{n}": [u for u in units if random.random() < 0.5] for n in range(systems)}
        other = {who: [u for u in units if (u in names) != (random.random() < 0.2)]
                 for who, names in said.items()}  # fmt: skip
        both[0].append(pyramid(f"t{topic}", units, **said))
        both[1].append(pyramid(f"t{topic}", units, **other))
    return both


def test_an_example_by_hand():
    people = [pyramid("t", {"a": 3, "b": 1}, x=["a"], y=["a", "b"], z=[])]
    others = [pyramid("t", {"a": 1, "b": 1}, x=["a", "b"], y=["a", "b"], z=[])]
    paired = pair_marks(people, others)
    agreed = agree(paired.marks, paired.other)
    assert (agreed.marks, agreed.units, agreed.summaries, agreed.topics) == (6, 2, 3, 1)
    # People say yes 3 times of 6, the others 4 times, and they differ once: chance is
    # (3 * 4 + 3 * 2) / 36 = 1/2.
    assert (agreed.people, agreed.other, agreed.equal) == (3 / 6, 4 / 6, 5 / 6)
    assert agreed.kappa == pytest.approx((5 / 6 - 1 / 2) / (1 - 1 / 2), abs=1e-12)
    # Unit a: 1; unit b: people 0 1 0, the others 1 1 0: (2/3 - 4/9) / (5/9) = 2/5.
    assert (agreed.by_unit, agreed.units_defined) == (pytest.approx(0.7, abs=1e-12), 2)
    # Scores by people's weights: 3/4, 1, 0 and 1, 1, 0.
    expected = np.corrcoef([0.75, 1, 0], [1, 1, 0])[0, 1]
    assert agreed.system_pearson == pytest.approx(expected, abs=1e-12)
    assert agreed.summary_pearson == pytest.approx(expected, abs=1e-12)
    # One topic cannot be drawn anew.
    assert math.isnan(agreed.low) and math.isnan(agreed.high)


@given(st.integers(0, 2**32))
def test_the_numbers_are_those_of_plain_python(seed):
    people, others = random_pyramids(seed)
    paired = pair_marks(people, others)
    agreed = agree(paired.marks, paired.other, draws=50)
    mine, theirs, by_unit = [], [], []
    for one, two in zip(people, others, strict=True):
        for scu in one.scus:
            a, b = ([scu.id in {part.scu for part in said} for said in p.peers.values()]
                    for p in (one, two))  # fmt: skip
            mine, theirs = mine + a, theirs + b
            by_unit.append(cohen_kappa(a, b).kappa)
    defined = [value for value in by_unit if not math.isnan(value)]
    assert agreed.kappa == pytest.approx(cohen_kappa(mine, theirs).kappa, nan_ok=True)
    assert agreed.units_defined == len(defined)
    if defined:
        assert agreed.by_unit == pytest.approx(math.fsum(defined) / len(defined), abs=1e-12)
    assert math.isnan(agreed.low) or agreed.low <= agreed.high


def test_whoever_says_the_same_agrees_wholly_and_the_interval_too():
    marks = made_marks(1, topics=6)
    agreed = agree(marks, marks.people)
    assert (agreed.kappa, agreed.low, agreed.high) == (1.0, 1.0, 1.0)
    assert agreed.equal == 1.0 and agreed.system_pearson == pytest.approx(1.0)
    # Units are the same by name or by what they say.
    people = Pyramid("t", (Scu("7", "A ferry sank"), Scu("8", "fog")), {"x": (PeerScu("7"),)})
    by_text = Pyramid("t", (Scu("fog"), Scu("a  ferry sank")), {"x": (PeerScu("fog"),)})
    assert pair_marks([people], [by_text]).other.tolist() == [False, True]
    by_name = Pyramid("t", (Scu("8"), Scu("7")), {"x": (PeerScu("7"),)})
    assert pair_marks([people], [by_name]).other.tolist() == [True, False]
    # Numbers that stand for other words are not the same units.
    turned = Pyramid("t", (Scu("7", "fog"), Scu("8", "a ferry sank")), {"x": (PeerScu("7"),)})
    assert pair_marks([people], [turned]).other.tolist() == [False, True]


def test_what_only_people_have_is_left_out_and_noted():
    people = [pyramid("t", {"a": 1, "b": 1}, x=["a"], y=["b"]), pyramid("u", {"a": 1}, x=["a"])]
    people.append(pyramid("unmarked", {"a": 1}))
    paired = pair_marks(people, [pyramid("t", {"a": 1}, x=["a"])])
    assert paired.marks.people.tolist() == [True] and paired.other.tolist() == [True]
    notes = [f"left out: 1 {what} of people's marks that the others do not have"
             for what in ("topic", "unit", "summary")]  # fmt: skip
    assert paired.notes == tuple(notes)
    with pytest.raises(SummetryError, match="no unit of a summary is marked by both"):
        pair_marks(people, [pyramid("v", {"a": 1}, x=["a"])])


# ── annotators among each other ───────────────────────────────────────────


def by_annotators(**pyramids):
    """Comparisons of all candidates that annotators marked, by topic."""
    named = [
        msgspec.structs.replace(one, annotator=who)
        for who, of_one in pyramids.items()
        for one in of_one
    ]
    topics = {one.topic: [p for p in named if p.topic == one.topic] for one in named}
    return [
        Comparison(Material(topic, pyramids=tuple(of_topic)), Side(author, ""))
        for topic, of_topic in topics.items()
        for author in dict.fromkeys(author for one in of_topic for author in one.peers)
    ]


def test_the_agreement_of_annotators_by_hand():
    units = {"a": 1, "b": 1}
    ann = pyramid("t", units, x=["a"], y=["a", "b"], z=[])
    bob = pyramid("t", units, x=["a", "b"], y=["a", "b"], z=[])
    other = pyramid("t", {"c": 1}, x=["c"], y=["c"], z=[])
    metric = METRICS.build("scu_recall")
    agreed = annotators_agreement(by_annotators(ann=[ann], bob=[bob]), metric, "m")
    assert (agreed.annotators, agreed.summaries, agreed.marks, agreed.yes) == (2, 3, 12, 7 / 12)
    coefficients = agreed.coefficients
    # Yes 3 and 4 times of 6, equal 5 times: chance is 1/2 for Cohen, (7 * 7 + 5 * 5) / 144 for
    # Fleiss; one of six differs, of 12 * 11 ordered pairs 2 * 7 * 5 would: alpha.
    assert coefficients.weighted.value == pytest.approx((5 / 6 - 1 / 2) / (1 / 2))
    assert coefficients.fleiss.value == pytest.approx((5 / 6 - 74 / 144) / (1 - 74 / 144))
    assert coefficients.alpha.value == pytest.approx(1 - (1 / 6) / (70 / 132))
    # A unit that only one says does not count.
    rows = {"x": (0.5, 1, 0.5, 0.75), "y": (1, 1, 1, 1), "z": (0, 0, 0, 0)}
    assert {who: tuple(row.values()) for who, row in agreed.scores.items()} == rows
    (pair,) = agreed.pairs
    assert (pair.marks, pair.equal, pair.summaries) == (6, pytest.approx(5 / 6), 3)
    expected = np.corrcoef([0.5, 1, 0], [1, 1, 0])[0, 1]
    assert (pair.system_pearson, pair.summary_pearson) == pytest.approx((expected, expected))
    # By other units there are no marks to compare, but scores; and cyd marked one of three.
    few = pyramid("t", units, y=["a"])
    more = by_annotators(ann=[ann], bob=[bob], cyd=[few], dan=[other])
    agreed = annotators_agreement(more, metric, "m", draws=0)
    assert (agreed.annotators, agreed.summaries, agreed.marks) == (3, 3, 14)
    assert agreed.scores["x"]["dan"] == 1 and math.isnan(agreed.scores["x"]["cyd"])
    counts = {(one.first, one.second): (one.marks, one.summaries) for one in agreed.pairs}
    assert counts["ann", "cyd"] == (2, 1) and counts["ann", "dan"] == (0, 3)
    (pair,) = (one for one in agreed.pairs if (one.first, one.second) == ("bob", "dan"))
    assert math.isnan(pair.kappa) and pair.system_pearson == pytest.approx(1)
    for whose, words in (({"ann": [ann]}, "found one, 'ann'"), ({"": [ann]}, "found one without")):
        with pytest.raises(SummetryError, match=words):
            annotators_agreement(by_annotators(**whose), metric, "m")


@given(st.integers(0, 2**32))
def test_the_agreement_of_annotators_is_that_of_plain_tables(seed):
    ann, bob = random_pyramids(seed)
    agreed = annotators_agreement(
        by_annotators(ann=ann, bob=bob), METRICS.build("pyramid"), "m", draws=0
    )
    rows = [
        [[part.scu for part in one.peers[who]].count(scu.id) for one in both]
        for both in zip(ann, bob, strict=True)
        for scu in both[0].scus
        for who in both[0].peers
    ]
    counts = [[row.count(0), row.count(1)] for row in rows]
    found = [getattr(agreed.coefficients, name).value for name in ("fleiss", "weighted", "alpha")]
    expected = [
        fleiss_kappa(counts).kappa,
        cohen_kappa(*zip(*rows, strict=True)).kappa,
        krippendorff_alpha(counts),
    ]
    assert found == pytest.approx(expected, nan_ok=True, abs=1e-12)


# ── thresholds ────────────────────────────────────────────────────────────


def made_marks(seed, topics=12):
    people, _ = random_pyramids(seed, topics)
    return pair_marks(people, people).marks


def test_a_threshold_that_divides_perfectly_is_found_and_noise_agrees_with_nobody():
    marks = made_marks(3)
    values = np.where(marks.people, 0.71, 0.42)
    fitted = fit_values(marks, values, "rule", folds=4, draws=100, near=0.6)
    assert fitted.threshold == 0.6 and set(fitted.folds) == {0.6} and len(fitted.folds) == 4
    assert fitted.unseen.kappa == 1.0
    assert list(fitted.kappas) == list(CANDIDATES)
    assert fitted.kappas[0.45] == fitted.kappas[0.7] == 1.0 > fitted.kappas[0.75]
    # On unseen topics.
    # 40 topics of about 12 marks: the deviation of kappa is about 1 / sqrt(480) = 0.05.
    marks = made_marks(5, topics=40)
    values = np.random.default_rng(0).random(len(marks.people))
    assert abs(fit_values(marks, values, "noise", draws=0).unseen.kappa) < 0.15


@given(seed=st.integers(0, 2**32), folds=st.integers(2, 6))
def test_every_topic_is_decided_by_the_threshold_of_the_others(seed, folds):
    marks = made_marks(seed % 7, topics=6)
    rng = np.random.default_rng(seed)
    values = np.round(rng.random(len(marks.people)) * 0.7 + 0.3 * marks.people, 2)
    fitted = fit_values(marks, values, "rule", folds, draws=0, seed=seed)
    fold = np.empty(6, int)
    fold[np.random.default_rng(seed).permutation(6)] = np.arange(6) % folds
    decided = np.zeros(len(values), bool)
    for number, threshold in enumerate(fitted.folds):
        own = fold[marks.topic] == number
        decided[own] = values[own] >= threshold
        # No other threshold is better on what this one was chosen by.
        rest, people = values[~own], marks.people[~own].tolist()
        seen = [cohen_kappa((rest >= t).tolist(), people).kappa for t in CANDIDATES]
        best = seen[CANDIDATES.index(threshold)]
        assert all(math.isnan(value) or value <= best + 1e-12 for value in seen)
    expected = cohen_kappa(decided.tolist(), marks.people.tolist()).kappa
    assert fitted.unseen.kappa == pytest.approx(expected, nan_ok=True, abs=1e-12)


def test_the_metric_is_fitted_by_peoples_marks_of_its_comparisons():
    texts = {"x": "A ferry sank in fog.", "y": "Nobody was hurt."}
    scus = (Scu("1", "the ferry sank"), Scu("2", "nobody was hurt"))
    said = {"x": (PeerScu("1"),), "y": (PeerScu("2"),)}
    materials = [Material(topic, "en", pyramids=(Pyramid(topic, scus, said),)) for topic in "tu"]
    sides = [Side(who, text) for who, text in texts.items()]
    comparisons = [Comparison(material, side) for material in materials for side in sides]
    assert all(map(unit_marks.is_marked, comparisons))
    assert not unit_marks.is_marked(Comparison(comparisons[0].material, Side("z", "Fog.")))
    metric = METRICS.build("units")
    assert unit_marks.values_of(comparisons, metric).tolist() == [1.0, 0.0, 0.0, 1.0] * 2
    assert unit_marks.marks_of(comparisons).people.tolist() == [True, False, False, True] * 2
    fitted = unit_marks.fit(comparisons, metric)
    assert fitted.unseen.kappa == 1.0 and fitted.threshold == 0.6 and len(fitted.folds) == 2


@pytest.mark.parametrize(("topics", "folds", "alike", "words"), [
    (1, 5, False, r"2 folds or more are needed.*got 1 fold for 1 topic"),
    (12, 20, False, r"no more than topics.*got 20 folds for 12 topics"),
    (12, 5, True, "people's marks are all 0 or all 1"),
])  # fmt: skip
def test_too_few_topics_or_marks_that_are_all_alike_are_refused(topics, folds, alike, words):
    marks = made_marks(1, topics)
    if alike:
        marks = dataclasses.replace(marks, people=np.ones(len(marks.people), bool))
    options = {"folds": folds} if topics > 1 else {}
    with pytest.raises(SummetryError, match=words):
        fit_values(marks, np.ones(len(marks.people)), "rule", **options)
