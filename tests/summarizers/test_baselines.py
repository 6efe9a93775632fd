"""The baselines, against their definitions."""

import hashlib
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summetry.errors import SummetryError
from summetry.records.topics import Document, Topic
from summetry.summarizers import SUMMARIZERS, Source
from summetry.summarizers.baselines import longest_first, lots, newest_first


def source(*counts, dates=None, name="t"):
    """A source of documents with so many units each, of one word each."""
    dates = dates or [f"2019-05-0{number + 1}" for number in range(len(counts))]
    documents = [
        Document(f"d{number}", date, units=tuple(f"w{number}{unit}" for unit in range(count)))
        for number, (count, date) in enumerate(zip(counts, dates, strict=True))
    ]
    return Source(Topic(name, documents=tuple(documents)))


def order(spelling, ranked_source):
    return SUMMARIZERS.build(spelling).rank(ranked_source, 1).order


@pytest.mark.parametrize(("spelling", "counts", "dates", "expected"), [
    ("lead", (2, 3), None, (0, 1, 2, 3, 4)),
    ("ordered", (2, 2), None, (0, 1, 2, 3)),
    # The most recent document, and then back in time.
    ("lead(documents=latest)", (2, 3, 1), ["2019-05-02", "2020-01-01", "2019-05-02"],
     (2, 3, 4, 0, 1, 5)),
    # By turns, the first of each document first.
    ("lead(documents=turns)", (2, 3, 1), None, (0, 2, 5, 1, 3, 4)),
    # Documents without units are no trouble.
    ("lead(documents=turns)", (0, 2, 0, 1), None, (0, 2, 1)),
    ("lead(documents=latest)", (0, 2, 0, 1), None, (2, 0, 1)),
    # One document needs no date.
    ("lead(documents=latest)", (3,), [""], (0, 1, 2)),
])  # fmt: skip
def test_the_order_of_the_data(spelling, counts, dates, expected):
    assert order(spelling, source(*counts, dates=dates)) == expected


@given(st.lists(st.sampled_from(["2003-05-01", "2003-05-02", "2003-06-01"]), max_size=6))
def test_documents_by_date_as_pair_by_pair(dates):
    ranks = newest_first([Document(str(n), date) for n, date in enumerate(dates)])
    assert sorted(ranks) == list(range(len(dates)))
    for a, first in enumerate(dates):
        for b, second in enumerate(dates):
            if first > second or (first == second and a < b):
                assert ranks[a] < ranks[b]


@given(st.lists(st.integers(0, 5)))
def test_length_as_pair_by_pair(lengths):
    ranking = longest_first(lengths)
    assert sorted(ranking) == list(range(len(lengths)))
    for a, b in pairwise(ranking):
        assert (lengths[a], -a) > (lengths[b], -b)


def test_length_counts_all_words_stop_words_too():
    units = ("Ferries collide.", "It was on the one of them.", "The pier broke.")
    some_source = Source(Topic("t", documents=(Document("d", units=units),)), "en")
    ranking = SUMMARIZERS.build("length").rank(some_source, 1)
    assert ranking.order == (1, 2, 0)
    assert ranking.scores == (2.0, 7.0, 3.0)
    # A missing date is told.
    with pytest.raises(SummetryError, match="needs a date for each document, found none for 'd1'"):
        order("lead(documents=latest)", source(1, 1, dates=["2019-05-02", ""]))


def test_a_lot_is_what_the_page_says_for_seed_topic_and_unit_alone():
    digest = hashlib.sha256(b"3\nt01\n5").digest()
    assert lots(3, "t01", 6)[5] == (int.from_bytes(digest[:8], "big") >> 11) / 2**53
    assert order("random", source(20)) != order("random(seed=1)", source(20))
    assert order("random", source(20)) != order("random", source(20, name="u"))
    assert order("random", source(20)) == order("random", source(10, 10))
