"""Units that are cut and joined by hand, and the records that move with them."""

import msgspec
import pytest

from summetry.errors import SummetryError
from summetry.records.judgments import Utilities
from summetry.records.pyramids import Label
from summetry.records.summaries import Extract, Summary
from summetry.records.topics import Document, Topic, cut_anew
from summetry.records.units import (
    UnitChange,
    cut_places,
    first_line_to_title,
    join_unit,
    split_unit,
    title_line,
    title_to_first_line,
)

TEXT = "One is here. Two sits\nthere. Three."
TOPIC = Topic(
    "t",
    documents=(
        Document("a", text=TEXT, units=("One is here.", "Two sits\nthere.", "Three.")),
        Document("b", units=("Four goes.", "Five."), meta={"paragraphs": [1, 2], "headline": 1}),
    ),
)


def test_a_unit_is_cut_before_a_word_and_its_marks():
    unit = "He said “go” twice."
    assert [unit[place:] for place in cut_places(unit, "en")] == [
        "said “go” twice.", "“go” twice.", "twice.",
    ]  # fmt: skip


def test_a_language_without_blanks_is_cut_before_its_words():
    unit = "我们今天去北京。"
    assert all(0 < place < len(unit) for place in cut_places(unit, "zh"))
    assert cut_places(unit, "zh") and not cut_places(unit, "en")


def test_both_parts_of_a_cut_stand_in_the_text():
    changed = split_unit(TOPIC, 1, cut_places("Two sits\nthere.")[0])
    assert changed.units == ("One is here.", "Two", "sits\nthere.", "Three.", "Four goes.", "Five.")
    assert changed.documents[0].text == TEXT


def test_joined_units_are_as_they_stand_in_the_text():
    assert join_unit(TOPIC, 0).units[0] == "One is here. Two sits\nthere."


def test_joined_units_without_a_text_have_a_blank_between_them_where_the_language_has():
    topic = Topic("t", documents=(Document("a", units=("Ett.", "Två.")),))
    assert join_unit(topic, 0, "sv").units == ("Ett. Två.",)
    assert join_unit(topic, 0, "zh").units == ("Ett.Två.",)


def test_paragraphs_and_headline_move_with_the_units():
    cut = split_unit(TOPIC, 3, 5).documents[1]
    assert cut.units == ("Four", "goes.", "Five.")
    assert cut.meta == {"paragraphs": [1, 1, 2], "headline": 2}
    joined = join_unit(Topic("t", documents=(cut,)), 0, "en").documents[0]
    assert joined.meta == {"paragraphs": [1, 2], "headline": 1}


def test_units_of_two_documents_are_not_joined():
    with pytest.raises(SummetryError, match="last one of its document"):
        join_unit(TOPIC, 2)


def test_the_headline_is_not_joined_with_the_text():
    with pytest.raises(SummetryError, match="ends the headline"):
        join_unit(TOPIC, 3)


def test_text_between_two_units_is_not_swallowed():
    topic = Topic("t", documents=(Document("a", text="A. (left out) B.", units=("A.", "B.")),))
    with pytest.raises(SummetryError, match=r"part of no unit: '\(left out\)'"):
        join_unit(topic, 0)


def test_a_unit_that_is_not_there_and_an_empty_part_are_refused():
    with pytest.raises(SummetryError, match="no unit 9"):
        split_unit(TOPIC, 9, 1)
    for at in (-1, 0, 99):
        with pytest.raises(SummetryError, match="both parts must hold something"):
            split_unit(TOPIC, 0, at)


@pytest.mark.parametrize("make", [
    lambda units: Extract("t", "ann", units),
    lambda units: Summary("t", "lead", "candidate", units=units),
])  # fmt: skip
def test_who_chose_a_unit_chose_both_of_its_parts(make):
    cut, join = UnitChange("t", 1, joins=False), UnitChange("t", 1, joins=True)
    assert cut.moved(make((0, 1, 3))) == make((0, 1, 2, 4))
    assert join.moved(make((0, 1, 2, 4))) == make((0, 1, 3))
    assert join.moved(make((0, 4))) == make((0, 3))
    with pytest.raises(SummetryError, match="holds one of the two units but not the other"):
        join.moved(make((0, 2)))


def test_labels_of_other_units_move_and_those_of_the_changed_ones_stop_the_change():
    cut, join = UnitChange("t", 1, joins=False), UnitChange("t", 1, joins=True)
    assert cut.moved(Label("t", 4)) == Label("t", 5)
    assert join.moved(Label("t", 4)) == Label("t", 3)
    for change, unit in ((cut, 1), (join, 1), (join, 2)):
        with pytest.raises(SummetryError, match=f"unit {unit} has a label"):
            change.moved(Label("t", unit))


def test_utilities_stop_the_change_and_records_of_other_topics_stay():
    change = UnitChange("t", 0, joins=False)
    with pytest.raises(SummetryError, match="'ann' gave utilities"):
        change.moved(Utilities("t", "ann", (1, 2)))
    other = Utilities("u", "ann", (1, 2))
    assert change.moved(other) is other
    written = Summary("t", "lead", "candidate", text="Lead.")
    assert change.moved(written) is written


def titled(unit="sentence"):
    text = "The old quay\n\nIt is well-known. Nobody goes there."
    return cut_anew(Topic("t", documents=(Document("d", text=text),)), unit)


@pytest.mark.parametrize("unit", ["sentence", "paragraph", "word"])
def test_the_first_line_becomes_the_title_and_goes_back(unit):
    before = titled(unit)
    taken = first_line_to_title(before)
    assert taken.title == "The old quay"
    assert taken.documents[0].text == "It is well-known. Nobody goes there."
    count = 3 if unit == "word" else 1
    assert taken.units == before.units[count:]
    assert title_to_first_line(taken, "en") == before


def test_units_that_were_mended_stay_when_the_title_is_taken_or_put_back():
    mended = join_unit(titled(), 1)
    assert first_line_to_title(mended).units == ("It is well-known. Nobody goes there.",)
    assert title_to_first_line(first_line_to_title(mended)).units == mended.units


def test_a_first_line_that_is_joined_with_the_text_is_no_title():
    with pytest.raises(SummetryError, match="joined with what follows it; cut that unit first"):
        first_line_to_title(join_unit(titled(), 0))


def test_a_title_that_was_changed_meanwhile_stays_when_the_line_goes_back():
    renamed = msgspec.structs.replace(first_line_to_title(titled()), title="The quay")
    back = title_to_first_line(renamed)
    assert (back.title, back.units[0]) == ("The quay", "The old quay")
    with pytest.raises(SummetryError, match="was not its first line"):
        title_to_first_line(back)


def test_a_topic_that_has_a_title_needs_none():
    assert title_line(Topic("t", title="Quay", documents=titled().documents)) == ""
    assert first_line_to_title(Topic("t", documents=())) == Topic("t", documents=())


def test_words_are_joined_with_the_marks_between_them_and_cut_there_again():
    words = cut_anew(Topic("t", documents=(Document("d", text="A well-known quay."),)), "word")
    joined = join_unit(words, 1)
    assert joined.units == ("A", "well-known", "quay")
    (place,) = cut_places("well-known", "en", at_marks=True)
    assert split_unit(joined, 1, place).units == ("A", "well-", "known", "quay")
