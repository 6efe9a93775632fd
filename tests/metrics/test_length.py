"""Compression and retention: what is counted, and by what."""

import math

import pytest
from comparisons import one
from hypothesis import given
from hypothesis import strategies as st

import summetry
from summetry.errors import NeedsError
from summetry.metrics.compression import compression_ratio
from summetry.metrics.retention import retention_ratio
from summetry.records.batches import Comparison, Material, Side
from summetry.records.judgments import Utilities
from summetry.records.pyramids import PeerScu, Pyramid, Scu
from summetry.records.summaries import Extract

SOURCE = "The dam broke at noon. Nobody was hurt. The town drowned."


def score(spelling, candidate, units=None):
    material = Material(
        "t",
        "en",
        SOURCE,
        tuple(SOURCE.replace(". ", ".|").split("|")),
        extracts=(Extract("t", "p1", (0, 1)), Extract("t", "p2", (0,))),
        utilities=(Utilities("t", "j1", (5, 2, 3)), Utilities("t", "j2", (5, 0, 5))),
        pyramid=Pyramid(
            "t",
            (Scu("1", "the dam broke", 3), Scu("2", "it was noon", 1)),
            {"candidate": (PeerScu("1"), PeerScu("1"), PeerScu("elsewhere"))},
        ),
    )
    return one(spelling, Comparison(material, Side("candidate", candidate, units)))


@pytest.mark.parametrize(
    ("spelling", "expected"),
    [
        ("compression", 3 / 11),
        ("compression(unit=sentences)", 1 / 3),
        ("compression(unit=characters)", len("The dam broke.") / len(SOURCE)),
        ("compression(text=en(stop=true))", 2 / 6),
    ],
)
def test_compression_is_length_by_length(spelling, expected):
    # Stop words out: dam broke noon | hurt | town drowned, of which dam and broke are kept.
    assert score(spelling, "The dam broke.")["value"] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("information", "expected"),
    [("votes", 2 / 3), ("utilities", 10 / 20), ("scus", 3 / 4)],
)
def test_retention_adds_up_what_the_units_or_content_units_weigh(information, expected):
    ratios = score(f"retention(information={information})", "The dam broke at noon.", (0,))
    assert ratios["retention"] == pytest.approx(expected)
    assert ratios["omission"] == pytest.approx(1 - expected)


def test_sentences_are_counted_even_where_the_units_are_words():
    material = Material("t", "en", SOURCE, tuple(SOURCE.split()), "word")
    comparison = Comparison(material, Side("candidate", "The dam broke.", (0, 1, 2)))
    assert one("compression(unit=sentences)", comparison)["value"] == pytest.approx(1 / 3)


def test_retention_of_words_counts_distinct_words_of_the_source():
    # the dam broke at noon nobody was hurt town drowned: 10 words, of which 3 are kept.
    assert score("retention", "The the DAM broke loudly.")["retention"] == pytest.approx(3 / 10)


@given(st.lists(st.integers(0, 9), min_size=1, max_size=8), st.data())
def test_the_ratios_add_up_over_a_split_of_the_units(lengths, data):
    chosen = data.draw(st.sets(st.integers(0, len(lengths) - 1)))
    rest = set(range(len(lengths))) - chosen
    for function in (compression_ratio, retention_ratio):
        if sum(lengths):
            assert function(lengths, chosen) + function(lengths, rest) == pytest.approx(1)
        else:
            assert math.isnan(function(lengths, chosen))


def test_without_a_source_the_error_names_what_would_give_it():
    with pytest.raises(
        NeedsError,
        match=r"compression needs the source, which the call does not have; what would give it: "
        "the argument sources",
    ):
        summetry.score("a", ["b"], metrics=["compression"])
