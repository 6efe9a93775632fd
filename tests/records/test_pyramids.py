"""Who expresses what in a pyramid, and the pyramid when contributors leave."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summetry.records.pyramids import (
    Contributor,
    PeerScu,
    Pyramid,
    Scu,
    contributing,
    said_by,
    without,
)

PYRAMID = Pyramid(
    "t",
    (
        Scu("1", "sank", 2, (Contributor("ann", "it sank"), Contributor("bob", "went down"))),
        Scu("2", "fog", 1, (Contributor("bob", "in fog"),)),
        Scu("3", "flat", 5),
    ),
    {"lead": (PeerScu("1"), PeerScu("x")), "hasty": ()},
)


def weights(pyramid):
    return {scu.id: scu.weight for scu in pyramid.scus}


@pytest.mark.parametrize(("author", "said"), [
    ("lead", (PeerScu("1"), PeerScu("x"))),  # a candidate: what the annotation says
    ("hasty", ()),
    ("bob", (PeerScu("1", "went down"), PeerScu("2", "in fog"))),  # a reference: its parts
    ("cyd", None),  # of somebody whom nobody looked at nothing is known
])  # fmt: skip
def test_who_expresses_what(author, said):
    assert said_by(PYRAMID, author) == said


def test_contributing_authors_come_in_the_order_of_their_first_part():
    assert contributing(PYRAMID) == ("ann", "bob")


def test_weights_fall_and_scus_go_as_contributors_leave():
    assert weights(without(PYRAMID, ["bob"])) == {"1": 1, "3": 5}
    assert weights(without(PYRAMID, ["ann"])) == {"1": 1, "2": 1, "3": 5}
    nobody = without(PYRAMID, ["ann", "bob"])
    assert (weights(nobody), nobody.peers) == ({"3": 5}, PYRAMID.peers)
    assert without(PYRAMID, ["cyd"]) == without(PYRAMID, []) == PYRAMID


@pytest.mark.parametrize(("weight", "left"), [(6, 4), (1, pytest.approx(2 / 3)), (0, 0)])
def test_a_weight_that_is_no_count_falls_by_the_share_that_leaves(weight, left):
    people = tuple(Contributor(name) for name in ("a", "b", "c", "c"))
    (scu,) = without(Pyramid("t", (Scu("1", "", weight, people),)), ["a"]).scus
    assert scu.weight == left


@given(
    st.lists(st.sets(st.sampled_from("abcde"), min_size=1), max_size=6),
    st.sets(st.sampled_from("abcde")),
)
def test_it_is_the_pyramid_that_the_rest_would_have_made(groups, left):
    scus = [
        Scu(str(i), "", len(group), tuple(Contributor(name) for name in sorted(group)))
        for i, group in enumerate(groups)
    ]
    rest = {str(i): len(group - left) for i, group in enumerate(groups) if group - left}
    assert weights(without(Pyramid("t", tuple(scus)), left)) == rest
