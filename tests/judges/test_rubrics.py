"""Rubrics: ours can all be asked, and what is wrong with another is said."""

import pytest
from judged_corpora import SHORT_RUBRIC

from summetry.errors import SummetryError, UnknownNameError
from summetry.judges.rubrics import GROUPS, asked_rubrics, find_rubric, read_rubric, rubric_names


def test_the_rubrics_of_duc_of_summeval_and_of_content_units_are_complete():
    grouped = {name for names in GROUPS.values() for name in names}
    assert set(rubric_names()) == grouped | {"coverage"}
    assert len(GROUPS["duc"]) == 5 and len(GROUPS["summeval"]) == 4
    rubrics = {name: find_rubric(name) for name in rubric_names()}
    for name, rubric in rubrics.items():
        assert rubric.dimension == name and 100 < len(rubric.question) < 600
        if "points" in rubric.modes:
            assert rubric.marks == (1, 2, 3, 4, 5) and "hich of the two" in rubric.pair
    # What is about the content reads the source.
    assert {name for name in rubrics if rubrics[name].reads} == {"consistency", "relevance"}
    assert rubrics["relevance"].reads == ("source",)


def test_a_group_is_all_of_its_rubrics_and_shares_of_pairs_are_another_dimension():
    asked = asked_rubrics(["duc", "coverage"])
    assert [one.rubric.dimension for one in asked] == [*GROUPS["duc"], "coverage"]
    assert [one.mode for one in asked] == ["points"] * 5 + ["units"]
    (points,), (pairs,) = asked_rubrics(["focus"]), asked_rubrics(["focus"], "pairs")
    assert (points.dimension, pairs.dimension) == ("focus", "focus_pairs")
    assert (points.ends, pairs.ends) == ((1, 5), (0, 1))


def test_anything_that_is_asked_changes_the_fingerprint():
    first = read_rubric(SHORT_RUBRIC, "a.toml")
    assert first == read_rubric(SHORT_RUBRIC, "b.toml")
    for old, new in (("how clear", "how short"), ("clarity", "x"), ('"fair"', '"poor"')):
        other = read_rubric(SHORT_RUBRIC.replace(old, new), "a.toml")
        assert other.fingerprint != first.fingerprint
    more = read_rubric('reads = ["source"]\n' + SHORT_RUBRIC, "a.toml")
    assert more.fingerprint != first.fingerprint


def test_a_file_is_read_by_its_path(tmp_path):
    (tmp_path / "mine.toml").write_text(SHORT_RUBRIC)
    assert find_rubric(str(tmp_path / "mine.toml")).scale == ((1, "bad"), (2, "fair"), (3, "good"))


@pytest.mark.parametrize(("change", "words"), [
    (("dimension =", "dimensoin ="), r"found 'dimensoin'\. Did you mean 'dimension'"),
    (('"clarity"', '""'), "expected words as dimension, found none"),
    (('"clarity"', "3"), "expected words as dimension, found 3"),
    (("question =", "pair ="), "expected words as question, found none"),
    (("[scale]", 'reads = ["sources"]\n[scale]'), "expected a list of source, references, qu"),
    (("[scale]", 'modes = "pairs"\n[scale]'), "expected a list of points, pairs, units as mod"),
    (("[scale]", "modes = []\n[scale]"), "expected one mode or more"),
    (("3 =", "4 ="), "two or more in a row, found 1, 2, 4"),
    (("3 =", "good ="), "found good = 'good'"), (('3 = "good"', "3 = 3"), "found 3 = 3"),
    (('1 = "bad"\n2 = "fair"\n', ""), "two or more in a row, found 3"),
    ((SHORT_RUBRIC.partition("[scale]")[2], ""), "expected a table .scale. of two marks"),
    (("[scale]", "[scale"), "expected TOML, found"),
])  # fmt: skip
def test_what_is_wrong_with_a_file_is_said(change, words):
    with pytest.raises(SummetryError, match=f"mine.toml: .*{words}"):
        read_rubric(SHORT_RUBRIC.replace(*change), "mine.toml")


@pytest.mark.parametrize(("names", "mode", "words"), [
    (["fluensy"], None, r"no rubric is named 'fluensy'\. Did you mean 'flu"),
    (["coverage"], "points", "'coverage' can be asked as units, not as points"),
    (["duc", "focus"], None, "two rubrics are about the dimension 'focus'"),
])  # fmt: skip
def test_a_name_that_cannot_be_asked_is_refused(names, mode, words):
    with pytest.raises(SummetryError, match=words) as error:
        asked_rubrics(names, mode)
    assert isinstance(error.value, UnknownNameError) == ("fluensy" in names)
