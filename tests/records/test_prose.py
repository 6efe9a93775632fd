"""Units as prose: paragraphs, what stands between units, words that are left as a text."""

import pytest

from summetry.records.corpus import Corpus
from summetry.records.prose import between_units, documents_in_paragraphs, joints, main_unit
from summetry.records.topics import Document, Topic, cut_anew

TEXT = "“It sank,” she said (twice). All well-known\nboats swim!\n\nNobody was hurt."


def topic(text=TEXT, unit="word", **more):
    return cut_anew(Topic("t", documents=(Document("d", text=text),), **more), unit)


def as_read(topic, language="en"):
    """Every paragraph as the pages write it."""
    before, after = between_units(topic, language)
    units = topic.units
    return [
        "".join(before[n] + units[n] + after[n] for n in block)
        for _, blocks in documents_in_paragraphs(topic)
        for block in blocks
    ]


def chosen_text(topic, *chosen, language="en"):
    marks = joints(between_units(topic, language), chosen, language)
    words = [topic.units[n] for n in chosen]
    return "".join(mark + word for mark, word in zip(marks, [*words, ""], strict=True))


def test_words_are_read_with_all_marks_of_the_text_and_no_more():
    assert as_read(topic()) == TEXT.split("\n\n")


def test_sentences_have_blanks_between_them_and_paragraphs_stand_alone():
    assert as_read(topic("It sank.All swam.\n\nWell.", "sentence")) == [
        "It sank. All swam.",
        "Well.",
    ]
    assert as_read(topic(unit="paragraph")) == TEXT.split("\n\n")


def test_units_of_a_language_without_blanks_have_none():
    assert as_read(topic("船沉了。没人受伤。", "sentence", language="zh"), "zh") == [
        "船沉了。没人受伤。"
    ]


def test_words_that_are_given_without_a_text_have_their_marks_beside_them():
    document = Document("d", units=("It", "sank", ",", "(", "late", ")", "."))
    assert as_read(Topic("t", unit="word", documents=(document,))) == ["It sank, (late)."]


def test_the_words_of_two_documents_are_not_mixed():
    documents = (Document("a", text="One. Two."), Document("b", text="(Three)"))
    two = cut_anew(Topic("t", documents=documents), "word")
    assert as_read(two) == ["One. Two.", "(Three)"]
    assert [number for _, blocks in documents_in_paragraphs(two) for number in blocks] == [
        [0, 1],
        [2],
    ]


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        ((), ""),
        ((0, 1), "It sank."),
        ((0, 1, 2), "It sank,” she."),
        ((0, 3), "It said."),
        ((3, 5), "said. All!"),
        ((8, 9, 10), "boats swim! Nobody."),
        ((6, 7, 12), "well-known! hurt."),
    ],
)
def test_chosen_words_are_joined_as_a_text_in_which_sentences_end(chosen, words):
    assert chosen_text(topic(), *chosen) == words


def test_chosen_words_of_a_language_without_blanks_are_joined_without_any():
    assert chosen_text(topic("船沉了，没人受伤。"), 0, 4, language="zh") == "船人。"


def test_the_unit_of_a_corpus_is_that_of_most_of_its_topics():
    topics = (Topic("a", unit="word"), Topic("b"), Topic("c", unit="word"))
    assert main_unit(Corpus(topics=topics)) == "word"
    assert main_unit(Corpus()) == "sentence"


def test_a_topic_with_units_only_is_not_cut_anew():
    given = Topic("t", documents=(Document("d", units=("It sank.",)),))
    assert cut_anew(given, "word") == given
