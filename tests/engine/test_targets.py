"""The extract on which most informants agree: worked out by hand, and the same as a reference."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import summetry
from summetry.engine.chunks import build_metrics
from summetry.engine.plan import CorpusPlan
from summetry.engine.targets import majority_of, with_majority
from summetry.records.batches import Material
from summetry.records.corpus import Corpus
from summetry.records.summaries import Extract, Summary
from summetry.records.topics import Document, Topic
from summetry.references import make_references, with_references

UNITS = ("One.", "Two words.", "Three words here.", "And four words now.", "One.")


def material(*extracts):
    chosen = tuple(Extract("t", f"p{i}", units) for i, units in enumerate(extracts))
    return Material("t", "en", units=UNITS, extracts=chosen)


def test_units_are_taken_by_votes_until_the_mean_length_is_reached():
    # Votes 1 2 0 1 3; lengths 3, 3 and 5 words, 11/3 on the mean: 1 and 2 words, then one more.
    assert majority_of(material((1, 4), (1, 4), (3, 4))) == (1, 3, 4)


def test_of_equal_votes_the_earlier_unit_is_taken():
    assert majority_of(material((0,), (4,))) == (0,)


def test_nobody_and_nothing():
    assert majority_of(material()) is None
    assert majority_of(material((), ())) == ()


def corpus(*extracts, peer=(0, 1)):
    return Corpus(
        topics=(Topic("t", language="en", documents=(Document("d", units=UNITS),)),),
        summaries=(Summary("t", "candidate", "candidate", units=peer),),
        extracts=tuple(Extract("t", f"p{i}", units) for i, units in enumerate(extracts)),
    )


chosen = st.lists(st.integers(0, 4), unique=True).map(tuple)


@settings(max_examples=40)
@given(st.lists(chosen, min_size=1, max_size=4), chosen)
def test_the_majority_is_the_reference_at_mean_length_with_overshoot(extracts, peer):
    with_extracts = corpus(*extracts, peer=peer)
    (direct,) = summetry.evaluate(with_extracts, ["coselection(against=majority).f"]).data
    if any(extracts):
        references = with_references(make_references(with_extracts, "mean", "overshoot"))
        (expected,) = summetry.evaluate(references, ["coselection(against=references).f"]).data
        assert direct == expected
    else:
        assert math.isnan(direct[0])


def test_several_metrics_meet_the_same_majority():
    table = summetry.evaluate(
        corpus((0, 1), (1, 2), peer=(1, 2)),
        ["coselection(against=majority)", "coselection", "coselection(beta=2,against=majority)"],
    )
    # 3 and 5 words, 4 on the mean: unit 1 with two votes (2 words), 0 (3 words), 2 (6 words).
    # The peer has two of these three units and no other one.
    assert table.column("coselection(against=majority).f")[0] == pytest.approx(4 / 5)
    assert table.column("coselection(beta=2,against=majority).recall")[0] == 2 / 3
    assert table.column("coselection.f")[0] == pytest.approx(0.75)


def test_nothing_is_made_where_nobody_asks():
    (item,) = CorpusPlan(corpus((0,))).items()
    metrics = [requested.metric for requested in build_metrics(["coselection"])]
    assert with_majority(item.comparisons, metrics) is item.comparisons
