"""Shares of choices between two."""

from hypothesis import given
from hypothesis import strategies as st

from summetry.stats.choices import Choice, shares_won

points = st.sampled_from([0.0, 0.5, 1.0])
pairs = st.sampled_from([("x", "y"), ("y", "z"), ("z", "x")])


def test_a_thing_that_won_one_lost_one_and_tied_one_has_half():
    choices = [Choice("x", "y", 1), Choice("x", "z", 0), Choice("w", "x", 0.5)]
    assert shares_won(choices) == {"x": 0.5, "y": 0.0, "z": 1.0, "w": 0.5}


def test_no_choice_gives_no_share():
    assert shares_won([]) == {}


@given(st.lists(st.tuples(pairs, points), min_size=1))
def test_every_choice_gives_one_point_to_its_two_things_together(chosen):
    choices = [Choice(*pair, first) for pair, first in chosen]
    times = {name: sum(name in choice[:2] for choice in choices) for name in "xyz"}
    won = sum(share * times[name] for name, share in shares_won(choices).items())
    # Halves add up exactly; the mean of up to some dozens of them is rounded once.
    assert abs(won - len(choices)) < 1e-9
