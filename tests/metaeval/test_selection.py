"""Scores beside marks: what is compared, part by part, and what is refused."""

import numpy as np
import pytest
from marked_tables import grid_marks, grid_scores, judged_corpus, scores_of

from summetry.errors import SummetryError
from summetry.metaeval.selection import Selection, grids, judged_parts, parts_of

NAN = np.nan
TABLE = [[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]]
MARKS = [[1, 2], [3, 4], [5, 6]]


def test_protocols_parts_and_dimensions_one_by_one():
    tables = [grid_scores({"m": TABLE}, protocol) for protocol in ("no_models", "all_peers")]
    marks = [*grid_marks({"j": MARKS}, "quality"), *grid_marks({"j": MARKS}, "style")]
    corpus = judged_corpus(marks, genres={"t0": "news", "t1": "tale"})
    parts, notes = judged_parts(tables, corpus, Selection(by="genre"))
    assert notes == []
    assert [(one.protocol, one.part, one.dimension) for one in parts] == [
        (protocol, part, dimension)
        for protocol in ("no_models", "all_peers")
        for part in ("news", "tale")
        for dimension in ("quality", "style")
    ]
    assert parts[2].grid.topics == ("t1",)
    assert parts[2].grid.values.tolist() == [[[0.2], [0.4], [0.6]]]
    assert parts[2].marks.values.tolist() == [[[2], [4], [6]]]


def test_what_is_asked_for_and_nothing_else():
    tables = [grid_scores({"m": TABLE}, protocol) for protocol in ("no_models", "all_peers")]
    marks = [*grid_marks({"j": MARKS}, "quality"), *grid_marks({"j": MARKS}, "style")]
    selection = Selection(("all_peers",), ("style",), exclude=("s1",))
    (part,), _ = judged_parts(tables, judged_corpus(marks), selection)
    assert (part.protocol, part.dimension) == ("all_peers", "style")
    assert part.grid.systems == ("s0", "s2")


def test_systems_and_topics_without_marks_are_left_out_and_told():
    marks = grid_marks({"j": [[1, NAN, 3], [NAN, NAN, NAN], [5, NAN, 6]]})
    table = grid_scores({"m": np.ones((3, 3))})
    (part,), _ = judged_parts([table], judged_corpus(marks), Selection())
    assert (part.grid.systems, part.grid.topics) == (("s0", "s2"), ("t0", "t2"))
    assert part.marks.values.tolist() == [[[1, 3], [5, 6]]]
    assert part.notes == (
        "left out, without a summary that has a score and a judgment on quality: the system s1",
        "left out, without a summary that has a score and a judgment on quality: the topic t1",
    )


def test_topics_without_a_genre_are_a_part():
    corpus = judged_corpus(grid_marks({"j": MARKS}), genres={"t0": "news"})
    (grid,) = grids([grid_scores({"m": TABLE})], Selection())
    parts = parts_of(grid, corpus, "genre")
    assert {name: part.topics for name, part in parts.items()} == {
        "news": ("t0",),
        "(no genre)": ("t1",),
    }


def test_a_dimension_that_a_part_lacks_is_told():
    marks = [*grid_marks({"j": MARKS}), *grid_marks({"j": [[1, NAN], [2, NAN]]}, "style")]
    corpus = judged_corpus(marks, genres={"t0": "news", "t1": "tale"})
    parts, notes = judged_parts([grid_scores({"m": TABLE})], corpus, Selection(by="genre"))
    assert [(one.part, one.dimension) for one in parts] == [
        ("news", "quality"),
        ("news", "style"),
        ("tale", "quality"),
    ]
    assert notes == ["no summary of tale has a score (no_models) and a judgment on style"]


def test_the_sign_of_a_divergence_is_turned_and_no_other():
    """Of an unknown metric higher is better, of a length neither is."""
    table = grid_scores({"js_divergence": TABLE, "theirs": TABLE, "compression": TABLE})
    (part,), _ = judged_parts([table], judged_corpus(grid_marks({"j": MARKS})), Selection())
    first, second, third = part.oriented()
    assert (-first).tolist() == second.tolist() == third.tolist() == TABLE


def test_a_metric_shows_its_headline_unless_all_values_are_asked_for(demo):
    import summetry

    table = summetry.evaluate(demo, ["coselection", "lcs.recall"])
    (short,) = grids([table], Selection())
    assert [column.name for column in short.columns] == ["coselection.f", "lcs.recall"]
    (whole,) = grids([table], Selection(all_values=True))
    assert whole.columns == table.columns


def test_mistakes_are_told():
    table, corpus = grid_scores({"m": TABLE}), judged_corpus(grid_marks({"j": MARKS}))
    stranger = scores_of({"m": {("x", "y"): 1.0}})
    cases = [
        (
            table,
            Selection(dimensions=("qality",)),
            "no dimension of judgments is named 'qality'.",
        ),
        (table, Selection(("all_peers",)), "no protocol of the scores is named 'all_peers'"),
        (table, Selection(exclude=("s9",)), "no system is named 's9'"),
        (table, Selection(exclude=("s0", "s1", "s2")), "without s0, s1, s2 no scores are left"),
        (table, Selection(by="group"), "no topic of the scores has a group; the corpus says it"),
        (stranger, Selection(), "scores are of topics such as 'x' and systems such as 'y', the j"),
        (scores_of({}), Selection(), "expected scores, found none"),
    ]
    for scores, selection, words in cases:
        with pytest.raises(SummetryError) as error:
            judged_parts([scores], corpus, selection)
        assert words in str(error.value)
    with pytest.raises(SummetryError, match="no way to part topics is named 'length'"):
        Selection(by="length")
