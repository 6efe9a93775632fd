"""Units as prose: how they are read and joined, and cut and mended by hand, with their records."""

import msgspec
import pytest

from summetry.errors import SummetryError
from summetry.records.corpus import Corpus
from summetry.records.judgments import Utilities
from summetry.records.prose import between_units, documents_in_paragraphs, joints, main_unit
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

# --- prose ---

PROSE = "“It sank,” she said (twice). All well-known\nboats swim!\n\nNobody was hurt."


def topic(text=PROSE, unit="word", **more):
    return cut_anew(Topic("t", documents=(Document("d", text=text),), **more), unit)


def as_read(topic, language="en"):
    """Every paragraph as the pages write it."""
    before, after = between_units(topic, language)
    return [
        "".join(before[n] + topic.units[n] + after[n] for n in block)
        for _, blocks in documents_in_paragraphs(topic)
        for block in blocks
    ]


def chosen_text(topic, *chosen, language="en"):
    marks = joints(between_units(topic, language), chosen, language)
    words = [topic.units[n] for n in chosen]
    return "".join(mark + word for mark, word in zip(marks, [*words, ""], strict=True))


MARKED_WORDS = Document("d", units=("It", "sank", ",", "(", "late", ")", "."))
TWO = Topic("t", documents=(Document("a", text="One. Two."), Document("b", text="(Three)")))
TWO = cut_anew(TWO, "word")


@pytest.mark.parametrize(("topic", "language", "expected"), [
    # Words are read with all marks of the text and no more.
    (topic(), "en", PROSE.split("\n\n")),
    (topic("It sank.All swam.\n\nWell.", "sentence"), "en", ["It sank. All swam.", "Well."]),
    (topic(unit="paragraph"), "en", PROSE.split("\n\n")),
    (topic("船沉了。没人受伤。", "sentence", language="zh"), "zh", ["船沉了。没人受伤。"]),
    # Words without a text have their marks beside them.
    (Topic("t", unit="word", documents=(MARKED_WORDS,)), "en", ["It sank, (late)."]),
    (TWO, "en", ["One. Two.", "(Three)"]),
])  # fmt: skip
def test_units_are_read_as_the_text_that_they_were(topic, language, expected):
    assert as_read(topic, language) == expected


def test_the_words_of_two_documents_are_not_mixed():
    assert [blocks for _, blocks in documents_in_paragraphs(TWO)] == [[[0, 1]], [[2]]]


@pytest.mark.parametrize(("chosen", "words"), [
    ((), ""),
    ((0, 1), "It sank."),
    ((0, 1, 2), "It sank,” she."),
    ((0, 3), "It said."),
    ((3, 5), "said. All!"),
    ((8, 9, 10), "boats swim! Nobody."),
    ((6, 7, 12), "well-known! hurt."),
])  # fmt: skip
def test_chosen_words_are_joined_as_a_text_in_which_sentences_end(chosen, words):
    assert chosen_text(topic(), *chosen) == words
    # Those of a language without blanks are joined without any.
    assert chosen_text(topic("船沉了，没人受伤。"), 0, 4, language="zh") == "船人。"


def test_the_unit_of_a_corpus_is_that_of_most_of_its_topics_and_units_alone_are_not_cut_anew():
    topics = (Topic("a", unit="word"), Topic("b"), Topic("c", unit="word"))
    assert main_unit(Corpus(topics=topics)) == "word"
    assert main_unit(Corpus()) == "sentence"
    bare = Topic("t", documents=(Document("d", units=("It sank.",)),))
    assert cut_anew(bare, "word") == bare


# --- cutting and joining by hand ---

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
    ends = [unit[place:] for place in cut_places(unit, "en")]
    assert ends == ["said “go” twice.", "“go” twice.", "twice."]
    unit = "我们今天去北京。"
    assert all(0 < place < len(unit) for place in cut_places(unit, "zh"))
    assert cut_places(unit, "zh") and not cut_places(unit, "en")
    # Words are joined with the marks between them and cut there again.
    joined = join_unit(topic("A well-known quay."), 1)
    assert joined.units == ("A", "well-known", "quay")
    (place,) = cut_places("well-known", "en", at_marks=True)
    assert split_unit(joined, 1, place).units == ("A", "well-", "known", "quay")


def test_cut_and_joined_units_are_as_they_stand_in_the_text_or_have_the_blank_of_the_language():
    changed = split_unit(TOPIC, 1, cut_places("Two sits\nthere.")[0])
    assert changed.units == ("One is here.", "Two", "sits\nthere.", "Three.", "Four goes.", "Five.")
    assert changed.documents[0].text == TEXT
    assert join_unit(TOPIC, 0).units[0] == "One is here. Two sits\nthere."
    bare = Topic("t", documents=(Document("a", units=("Ett.", "Två.")),))
    assert join_unit(bare, 0, "sv").units == ("Ett. Två.",)
    assert join_unit(bare, 0, "zh").units == ("Ett.Två.",)


def test_paragraphs_and_headline_move_with_the_units():
    cut = split_unit(TOPIC, 3, 5).documents[1]
    assert cut.units == ("Four", "goes.", "Five.")
    assert cut.meta == {"paragraphs": [1, 1, 2], "headline": 2}
    joined = join_unit(Topic("t", documents=(cut,)), 0, "en").documents[0]
    assert joined.meta == {"paragraphs": [1, 2], "headline": 1}


SPACED = Topic("t", documents=(Document("a", text="A. (left out) B.", units=("A.", "B.")),))


def test_a_change_that_would_lose_something_is_refused(refused):
    refused(lambda change, *given: change(*given), {
        "join at the end of a document": (join_unit, TOPIC, 2),
        "join at the end of the headline": (join_unit, TOPIC, 3),
        "join over words of no unit": (join_unit, SPACED, 0),
        "cut a unit that is not there": (split_unit, TOPIC, 9, 1),
        **{f"cut at {place}": (split_unit, TOPIC, 0, place) for place in (-1, 0, 99)},
        "a title that is joined with a unit": (first_line_to_title, join_unit(titled(), 0)),
    })  # fmt: skip


CUT, JOIN = UnitChange("t", 1, joins=False), UnitChange("t", 1, joins=True)


@pytest.mark.parametrize("make", [
    lambda units: Extract("t", "ann", units),
    lambda units: Summary("t", "lead", "candidate", units=units),
])  # fmt: skip
def test_who_chose_a_unit_chose_both_of_its_parts(make):
    assert CUT.moved(make((0, 1, 3))) == make((0, 1, 2, 4))
    assert JOIN.moved(make((0, 1, 2, 4))) == make((0, 1, 3))
    assert JOIN.moved(make((0, 4))) == make((0, 3))
    with pytest.raises(SummetryError, match="holds one of the two units but not the other"):
        JOIN.moved(make((0, 2)))


def test_labels_of_changed_units_and_utilities_stop_the_change_and_other_records_move_or_stay():
    assert CUT.moved(Label("t", 4)) == Label("t", 5)
    assert JOIN.moved(Label("t", 4)) == Label("t", 3)
    for change, unit in ((CUT, 1), (JOIN, 1), (JOIN, 2)):
        with pytest.raises(SummetryError, match=f"unit {unit} has a label"):
            change.moved(Label("t", unit))
    with pytest.raises(SummetryError, match="'ann' gave utilities"):
        CUT.moved(Utilities("t", "ann", (1, 2)))
    # Utilities of another topic, and a summary that is a text.
    for record in (Utilities("u", "ann", (1, 2)), Summary("t", "lead", "candidate", text="Lead.")):
        assert CUT.moved(record) is record


# --- the first line as a title ---


def titled(unit="sentence"):
    return topic("The old quay\n\nIt is well-known. Nobody goes there.", unit)


@pytest.mark.parametrize("unit", ["sentence", "paragraph", "word"])
def test_the_first_line_becomes_the_title_and_goes_back(unit):
    before = titled(unit)
    taken = first_line_to_title(before)
    assert taken.title == "The old quay"
    assert taken.documents[0].text == "It is well-known. Nobody goes there."
    assert taken.units == before.units[3 if unit == "word" else 1 :]
    assert title_to_first_line(taken, "en") == before


def test_mended_units_and_a_title_that_is_there_or_was_changed_stay():
    mended = join_unit(titled(), 1)
    assert first_line_to_title(mended).units == ("It is well-known. Nobody goes there.",)
    assert title_to_first_line(first_line_to_title(mended)).units == mended.units
    renamed = msgspec.structs.replace(first_line_to_title(titled()), title="The quay")
    back = title_to_first_line(renamed)
    assert (back.title, back.units[0]) == ("The quay", "The old quay")
    with pytest.raises(SummetryError, match="was not its first line"):
        title_to_first_line(back)
    assert title_line(Topic("t", title="Quay", documents=titled().documents)) == ""
    assert first_line_to_title(Topic("t", documents=())) == Topic("t", documents=())
