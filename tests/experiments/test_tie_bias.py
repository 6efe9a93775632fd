"""The experiment on tie rules: its parts by hand, and the whole on the demo corpus."""

import argparse
import csv

import numpy as np
import pytest
import script_parts
import tie_bias
from hypothesis import given
from hypothesis import strategies as st

from summetry.records.corpus import Corpus
from summetry.records.summaries import Extract
from summetry.records.topics import Document, Topic
from summetry.references import count_votes, topic_votes


def five_camps():
    """Five units of a word each, every one chosen by somebody else: nothing but a tie."""
    topic = Topic("t", documents=(Document("t", units=("a", "b", "c", "d", "e")),))
    extracts = tuple(Extract("t", f"p{unit}", (unit,)) for unit in range(5))
    return Corpus(language="en", topics=(topic,), extracts=extracts)


@given(st.lists(st.sets(st.integers(0, 7)), max_size=4), st.sampled_from([0, 50, 100]),
       st.integers(0, 9))  # fmt: skip
def test_noise_keeps_sizes_and_replaces_by_what_was_not_chosen(extracts, percent, seed):
    chosen = [sorted(extract) for extract in extracts]
    draws = np.random.default_rng(seed), np.random.default_rng(seed)
    result, again = (tie_bias.with_noise(chosen, 8, percent, draw) for draw in draws)
    assert result == again
    for before, after in zip(chosen, result, strict=True):
        assert len(set(after)) == len(after) == len(before)
        if percent == 0:
            assert after == before
        if percent == 100:
            assert len(set(after) & set(before)) == max(2 * len(before) - 8, 0)


def test_where_not_all_choices_can_be_replaced_early_ones_are_as_likely_as_late_ones():
    random = np.random.default_rng(0)
    stayed = np.zeros(6)
    for _ in range(3000):
        (result,) = tie_bias.with_noise([range(6)], 8, 100, random)
        stayed[[unit for unit in result if unit < 6]] += 1
    # Two of six are replaced, so each stays in two thirds of the draws; five standard deviations.
    assert stayed / 3000 == pytest.approx([2 / 3] * 6, abs=5 * (2 / 9 / 3000) ** 0.5)


@given(st.lists(st.sets(st.integers(0, 5)), max_size=4), st.integers(0, 9))
def test_ties_at_random_stay_within_their_votes(extracts, seed):
    ballot = count_votes(6, extracts)
    order = tie_bias.shuffled_order(ballot, np.random.default_rng(seed))
    votes = [ballot.counts[unit] for unit in order]
    assert votes == sorted(votes, reverse=True)
    assert sorted(order) == sorted(unit for level in ballot.levels() for unit in level)


def test_where_nobody_agrees_position_gives_everything_to_the_first():
    (votes,) = topic_votes(five_camps())
    systems = {"first": (0,), "last": (4,)}
    random = np.random.default_rng(0)
    rows = tie_bias.measure_topic(votes, votes.chosen, systems, "stop", 4000, random)
    by_position = {row["system"]: row for row in rows if row["ties"] == "position"}
    assert by_position["first"]["score"] == 100 and by_position["last"]["score"] == 0
    # At random either has a fifth of the references: 100 - 20, and 0 - 20.
    assert by_position["first"]["bias"] == pytest.approx(80, abs=3)
    assert by_position["last"]["bias"] == pytest.approx(-20, abs=3)
    assert {row["agreement"] for row in rows} == {20}


def test_lead_gains_most_by_position_when_choices_are_random(demo):
    """The paper's warning, on a corpus whose informants are told to choose at random."""
    settings = {"summarizer": ["lead", "random"], "fit": "overshoot"}
    options = argparse.Namespace(**settings, seed=0, draws=3, orders=5)
    levels = tie_bias.measure(demo, options)["levels"]
    rows = [row for row in levels if row["ties"] == "position"]
    bias = {(row["random choices"], row["system"]): row["bias"] for row in rows}
    assert bias[100, "lead"] > bias[100, "random"] + 3
    assert bias[100, "lead"] > bias[0, "lead"]
    assert len(levels) == 5 * 2 * 3


def test_the_whole_is_written_and_is_the_same_on_every_run(
    small_folder, tmp_path, capsys, monkeypatch
):
    """Pictures, which take long to paint, are written as what they are painted of."""
    as_json = lambda chart, path: path.write_text(chart.to_json())  # noqa: E731
    monkeypatch.setattr(script_parts, "write_chart", as_json)
    monkeypatch.setattr(script_parts, "write_page", lambda charts, path, title: path.touch())
    for name in ("first", "second"):
        options = ["-s", "lead", "-s", "length", "--draws", "1", "--orders", "2"]
        assert tie_bias.main([str(small_folder), *options, "--out", str(tmp_path / name)]) == 0
    told = capsys.readouterr().out
    assert "bias of position when so many choices are random" in told
    names = {path.name for path in (tmp_path / "first").iterdir()}
    assert names == {"scores.csv", "levels.csv", "bias.svg", "bias.png", "index.html"}
    for name in ("scores.csv", "levels.csv", "bias.svg"):
        assert (tmp_path / "first" / name).read_bytes() == (tmp_path / "second" / name).read_bytes()
    with (tmp_path / "first" / "scores.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 3 * 2 * 3 and 0 <= float(rows[0]["score"]) <= 100
