"""The best informant and the systems against the majority."""

import dataclasses
import math

import pytest

from summetry.records.summaries import Summary
from summetry.references.systems import compare_with_majority, mean_overlap, system_names


def peer(author, **content):
    return Summary("ferry", author, "candidate", **content)


@pytest.fixture
def judged(ferry):
    """By overshoot the majority takes units 0, 1 and 2: seven words."""
    peers = (
        peer("picker", units=(0, 3)),
        peer("writer", text="The ferry sank, sank in fog."),
        peer("silent", text=""),
        Summary("ferry", "reference", "reference", units=(0,)),
    )
    return dataclasses.replace(ferry, summaries=peers)


def test_a_line_by_hand(judged):
    (line,) = compare_with_majority(judged)
    assert line.reference == (0, 1, 2)
    assert line.best.author == "ben" and line.best.overlap.sentence == (1, 1, 1)
    assert line.best.length == pytest.approx(700 / 11)
    picker = line.systems["picker"]
    assert picker.overlap.sentence == pytest.approx((1 / 3, 1 / 2, 2 / 5))
    # The reference: the ferry sank nobody died fog came.
    assert picker.overlap.word.recall == pytest.approx(3 / 7)
    writer = line.systems["writer"]
    assert math.isnan(writer.overlap.sentence.recall)
    assert writer.overlap.word == pytest.approx((4 / 7, 5 / 6, 9 / 13))
    assert writer.overlap.frequency == pytest.approx((4 / 7, 4 / 6, 8 / 13))
    assert writer.length == pytest.approx(600 / 11)
    assert line.systems["silent"].overlap.word.recall == 0
    assert system_names([line]) == ["picker", "writer", "silent"]


def test_means_leave_out_what_is_undefined_or_absent(judged):
    (line,) = compare_with_majority(judged)
    found = mean_overlap([line.systems["picker"], None, line.systems["writer"]], "both")
    assert found.overlap.sentence.recall == pytest.approx(1 / 3)
    assert found.overlap.word.recall == pytest.approx((3 / 7 + 4 / 7) / 2)
    assert math.isnan(mean_overlap([None], "nobody").length)


def test_a_topic_whose_extracts_are_empty_has_no_best_one(make_corpus):
    (line,) = compare_with_majority(make_corpus({"t": ["One."]}, {"t": {"a": []}}))
    assert line.best is None and line.reference == ()
