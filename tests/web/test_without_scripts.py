"""Every task done by the forms of its pages alone, as in a browser without scripts."""

import re

from web_content import FERRY, QUESTIONS, content_corpus, corpus_of, topic_of, words_of

from summetry.records.summaries import Summary

TEN = tuple(f"This is sentence number {n}." for n in range(10))
# "even" has the sentences 0 and 2, "odd" has 1 and 3.
SYSTEMS = {"even": (0, 2), "odd": (1, 3)}


def small_corpus(*names):
    """Texts of four sentences, with two summaries each."""
    topics = (
        topic_of(name, [f"Of {name} {n}." for n in ("zero", "one", "two", "three")])
        for name in names
    )
    summaries = (
        Summary(name, system, "candidate", units=units)
        for name in names
        for system, units in SYSTEMS.items()
    )
    return corpus_of(*topics, summaries=tuple(summaries))


def article(page):
    return re.search("<article.*?</article>", page.text, re.S)[0]


def test_an_extract_is_saved_undone_removed_reviewed_and_submitted(web):
    study, heron = web.begin(corpus=corpus_of(topic_of("t", TEN)))
    heron.get(f"/s/{study}/1")
    saved = heron.press("Save and update the length", unit=["0", "2", "4"])
    assert 'data-set="0 2 4"' in saved.text
    assert 'data-set="0 2"' in heron.press(f"Remove: {TEN[4]}").text
    assert 'data-set="0 2 4"' in heron.press("Undo").text
    reviewed = heron.press("Review extract", unit=["1", "3"])
    assert [TEN[n] in article(reviewed) for n in (0, 1, 2, 3)] == [False, True, False, True]
    assert "Thank you" in heron.press("Submit").text
    assert [extract.units for extract in web.whole(study).extracts] == [(1, 3)]


def test_an_extract_of_paragraphs_names_them(web):
    units = ("The ferry struck the pier at noon. Nobody was hurt.", "The old quay is open.")
    study, heron = web.begin(corpus=corpus_of(topic_of("t", units, unit="paragraph")), longest=80)
    heron.get(f"/s/{study}/1")
    saved = heron.press("Save and update the length", unit=["0"])
    assert "10 of 15 words, 1 paragraph" in words_of(saved)


def test_marks_are_given(web):
    scales = {"worth": ("0", "1", "2")}
    study, heron = web.begin("judgment", small_corpus("ships"), scales=scales, per_informant=1)
    heron.get(f"/s/{study}/1")
    assert "One mark to go: Worth." in heron.press("Save and go on").text
    assert heron.press("Save and go on", d0="2").url.path == f"/s/{study}"
    assert [(one.dimension, one.value) for one in web.whole(study).judgments] == [("worth", 2)]


def test_utilities_are_given(web):
    study, heron = web.begin("utility", small_corpus("ships"))
    heron.get(f"/s/{study}/1")
    heron.press("Submit", v0="10", v1="0", v2="7", v3="5")
    assert [one.values for one in web.whole(study).utilities] == [(10, 0, 7, 5)]


def test_questions_are_answered_after_reading(web):
    corpus = content_corpus(FERRY, questions=QUESTIONS)
    study, heron = web.begin("questions", corpus, conditions=("source",))
    assert "A ferry sank in fog." in heron.get(f"/s/{study}/1").text
    heron.press("I have read it: to the questions")
    heron.press("Save and go on", **{"choice-0": "1", "choice-1": "0"})
    answers = [(one.question, one.choice, one.condition) for one in web.whole(study).answers]
    assert answers == [("zz-q1", 1, "source"), ("zz-q2", 0, "source")]
