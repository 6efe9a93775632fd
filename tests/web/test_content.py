"""Coverage, content units, ticks of units and questions, request by request."""

import datetime
import html
import json
import re

import pytest
from web_content import (
    ANN,
    BOB,
    CANDIDATES,
    ECHO,
    FERRY,
    LEAD,
    QUESTIONS,
    REFERENCES,
    STORM,
    content_corpus,
    flat_units,
)

from summetry.errors import SummetryError
from summetry.records.judgments import Judgment, Question
from summetry.records.pyramids import Contributor, PeerScu, Pyramid, Scu, by_majority
from summetry.web.demo import demo_corpus, demo_questions
from summetry.web.store import answers
from summetry.web.tasks import TASKS
from summetry.web.tasks.units import segments

SCALES = {"grammaticality": ("E", "D", "C", "B", "A"), "focus": ("no", "yes")}


# ── coverage: a summary is compared with a reference, sentence by sentence ────


def one_of_each(**more):
    """A corpus with one summary, of two sentences, and one reference."""
    return content_corpus(
        FERRY, candidates={LEAD: CANDIDATES[LEAD]}, references={ANN: REFERENCES[ANN]}, **more
    )


@pytest.fixture
def study(web):
    return web.study("coverage", one_of_each(), scales=SCALES)


def compare(visitor, study, shared, percents, marks=(4, 1), **more):
    """Send the second page; ``shared`` and ``percents`` are one for each reference sentence."""
    data = {"step": "compare"} | {f"mark-{n}": str(mark) for n, mark in enumerate(marks)}
    for number, (sentences, percent) in enumerate(zip(shared, percents, strict=True)):
        data[f"shared-{number}"] = [str(n) for n in sentences]
        if percent is not None:
            data[f"percent-{number}"] = str(percent)
    return visitor.send(study, **data, **more)


def values_of(corpus, judge="Heron"):
    own = [judgment for judgment in corpus.judgments if judgment.judge == judge]
    return {(judgment.author, judgment.dimension): judgment.value for judgment in own}


def test_quality_comes_before_the_reference_is_seen(web, study):
    heron = web.informant(study)
    page = heron.get(f"/s/{study}/1").text
    assert "Reference" not in page and "Two people died" not in page
    heron.send(study, do="compare", script=False, **{"mark-0": "4"})
    page = heron.get(f"/s/{study}/1").text
    assert "Give a mark for each question." in page and "Two people died" not in page
    heron.send(study, do="compare", script=False, **{"mark-0": "4", "mark-1": "0"})
    assert "Two people died." in heron.get(f"/s/{study}/1").text
    # Without questions of quality, a study starts with the reference.
    bare, heron = web.begin("coverage", one_of_each(), scales={})
    assert "Two people died." in heron.get(f"/s/{bare}/1").text


# The last question is not asked where every sentence is chosen.
@pytest.mark.parametrize("sentences, percent, related, values", [
    ([0], 80, "40", {"coverage": 0.4, "related": 0.4}),  # (80 % + 0 %) / 2
    ([0, 1], 100, "60", {"coverage": 0.5}),
])  # fmt: skip
def test_percentages_become_coverage_and_marks_become_judgments(
    web, study, sentences, percent, related, values
):
    heron, shared = web.informant(study), [sentences, []]
    done = compare(heron, study, shared, [percent, 0], related=related, do="submit")
    assert done.url.path == f"/s/{study}"
    corpus = web.whole(study)
    values |= {"grammaticality": "A", "focus": "yes"}
    assert values_of(corpus) == {(LEAD, dimension): value for dimension, value in values.items()}
    (covered,) = (one for one in corpus.judgments if one.dimension == "coverage")
    assert covered.reference == ANN
    assert covered.meta["percent"] == [percent, 0] and covered.meta["shared"] == shared
    assert corpus.scales == SCALES


@pytest.mark.parametrize("shared, percents, related, words", [
    ([[0], []], [80, None], "0", "how much is expressed of sentence 2"),
    ([[], []], [80, 0], "0", "express something of sentence 1"),
    ([[0], [0]], [80, 0], "0", "express 0% of it"),
    ([[0], []], [80, 0], None, "Answer the last question"),
])  # fmt: skip
def test_what_is_missing_is_said(web, study, shared, percents, related, words):
    more = {} if related is None else {"related": related}
    answer = compare(web.informant(study), study, shared, percents, do="submit", **more)
    assert words in answer.text
    assert web.whole(study).judgments == ()


def test_marks_of_quality_that_were_uploaded_keep_their_scale(web):
    old = Judgment(FERRY, LEAD, "old", "focus", "good")
    corpus = one_of_each(scales={"focus": ("bad", "good")}, judgments=(old,))
    study = web.study("coverage", corpus, scales=SCALES)
    compare(web.informant(study), study, [[0], [0]], [20, 20], related="0", do="submit")
    values = values_of(web.whole(study))
    assert {value for (_, name), value in values.items() if name == "focus"} == {"good"}


def test_a_summary_is_compared_with_each_reference_and_judged_once(web):
    corpus = content_corpus(FERRY, candidates={LEAD: CANDIDATES[LEAD]})
    study, heron = web.begin("coverage", corpus, scales=SCALES, repeat=True)
    compare(heron, study, [[0, 1], []], [100, 0], do="submit")
    page = heron.get(f"/s/{study}/2").text
    assert "You have read this summary before." in page and "mark-0" not in page
    compare(heron, study, [[0, 1], []], [20, 0], marks=(), number=2, do="submit")
    # What is shown again, to compare a person with themselves, is asked as before.
    assert "mark-0" in heron.get(f"/s/{study}/3").text
    judgments = web.whole(study).judgments
    assert sorted((one.dimension, one.reference) for one in judgments) == sorted([
        ("coverage", ANN), ("coverage", BOB), ("focus", ""), ("grammaticality", ""),
    ])  # fmt: skip


def test_an_undo_says_which_boxes_are_chosen(web, study):
    heron = web.informant(study)
    for percent in (80, 20):
        compare(heron, study, [[0], []], [percent, None])
    answer = compare(heron, study, [[0], []], [20, None], do="undo")
    values = json.loads(answer.text.split("data-values='")[1].split("'")[0])
    assert values == [["mark-0", "4"], ["mark-1", "1"], ["shared-0", "0"], ["percent-0", "80"]]


# ── content units: words of references are marked ─────────────────────────


@pytest.fixture
def units_study(web):
    return web.study("units", content_corpus(FERRY))


@pytest.fixture
def heron(web, units_study):
    return web.informant(units_study)


def add(visitor, study, words, summary=0, label="", to=None, **more):
    do = "add" if to is None else f"to-{to}"
    return visitor.send(study, words=words, summary=str(summary), label=label, do=do, **more)


def shown_units(answer):
    """The labels of the panel, each with the words that belong to it."""
    units = re.split(r'<div class="unit-head">', answer.text.split('id="texts"')[0])[1:]
    labels = [html.unescape(re.search(r' value="([^"]*)" maxlength', unit)[1]) for unit in units]
    words = [re.findall(r'<span lang="en"[^>]*>(.*?)</span>', unit) for unit in units]
    return list(zip(labels, [[html.unescape(part) for part in own] for own in words], strict=True))


def test_words_become_a_unit_and_words_of_other_summaries_are_added(web, units_study, heron):
    add(heron, units_study, "A ferry  sank", label=" the ferry sank ")
    answer = add(heron, units_study, "The ferry went down", summary=1, to=0)
    assert shown_units(answer) == [("the ferry sank", ["A ferry sank", "The ferry went down"])]
    heron.send(units_study, do="submit", **{"label-0": "the ferry sank"})
    (pyramid,) = web.whole(units_study).pyramids
    (unit,) = pyramid.scus
    assert (pyramid.topic, unit.label, unit.weight) == (FERRY, "the ferry sank", 2)
    parts = (
        Contributor(ANN, "A ferry sank", 0, 12),
        Contributor(BOB, "The ferry went down", 0, 19),
    )
    assert unit.contributors == parts


def test_words_that_are_not_in_the_summary_are_refused_and_stay_in_the_field(units_study, heron):
    for script in (True, False):
        answer = add(heron, units_study, "A boat <sank>", 1, label="boat", script=script)
        assert answer.status_code == 200
        assert "“A boat &lt;sank&gt;” does not stand in summary 2" in answer.text
        assert shown_units(answer) == []
    # Without a script the fields come with the page.
    assert ">A boat &lt;sank&gt;</textarea>" in answer.text and 'value="boat"' in answer.text
    assert "Select words in a summary" in add(heron, units_study, " ").text


def test_words_that_stand_twice_are_those_that_were_selected(web, units_study, heron):
    answer = heron.send(units_study, do="submit")
    assert "Mark at least one unit" in answer.text
    assert web.whole(units_study).pyramids == ()
    # A unit without a name is called like its words.
    assert shown_units(add(heron, units_study, "e", near="20")) == [("e", ["e"])]
    assert "Mark at least one unit" not in heron.get(f"/s/{units_study}/1").text
    heron.send(units_study, do="submit")
    (part,) = web.whole(units_study).pyramids[0].scus[0].contributors
    # "A ferry sank in fog. Two people died.": the e's are at 3, 26, 30 and 34.
    assert (part.start, part.end) == (26, 27)


def test_the_same_name_is_the_same_unit(units_study, heron):
    add(heron, units_study, "Two people died", label="Two died")
    answer = add(heron, units_study, "Two <b>died</b>", 1, label="two  DIED")
    assert shown_units(answer) == [("Two died", ["Two people died", "Two <b>died</b>"])]
    add(heron, units_study, "in fog", label="fog")
    refused = heron.send(units_study, **{"label-0": "Two died", "label-1": "TWO died"})
    assert "Another unit is called" in refused.text
    assert [label for label, _ in shown_units(refused)] == ["Two died", "fog"]
    renamed = heron.send(units_study, **{"label-1": "In the fog"})
    assert [label for label, _ in shown_units(renamed)] == ["Two died", "In the fog"]
    assert "belong to unit 2 already" in add(heron, units_study, "in fog", to=1).text


def test_contributors_and_units_are_removed_and_come_back_by_undo(units_study, heron):
    both = ["A ferry sank", "The ferry went down"]
    add(heron, units_study, both[0], label="sank")
    add(heron, units_study, both[1], 1, to=0)
    for data, words in (
        ({"remove": "0.0"}, both[1:]), ({"remove": "0.0"}, []),
        ({"do": "undo"}, both[1:]), ({"do": "undo"}, both), ({"remove": "0"}, []),
    ):  # fmt: skip
        units = [("sank", words)] if words else []
        assert shown_units(heron.send(units_study, **data)) == units


def test_everyone_who_marks_units_makes_a_pyramid(web):
    study = web.study("units", content_corpus(FERRY, pyramids=flat_units("old")))
    heron, wren = web.informant(study, "Heron"), web.informant(study, "Wren")
    for visitor, label in ((wren, "by Wren"), (heron, "by Heron")):
        add(visitor, study, "in fog", label=label)
        visitor.send(study, do="submit")
    # They take the place of the one that was uploaded.
    made = web.whole(study)
    found = {(one.annotator, scu.label) for one in made.pyramids for scu in one.scus}
    assert found == {("Heron", "by Heron"), ("Wren", "by Wren")}
    # Summaries can be marked by the units of one.
    with pytest.raises(SummetryError, match="different content units by 'Heron' and 'Wren'"):
        TASKS["unit_marks"].items(web.find(study), made)


def test_pieces_of_a_text_are_cut_where_parts_begin_and_end():
    pieces = segments("abcdef", [(1, 1, 4), (2, 2, 4), (2, 0, 1)])
    assert [(p.text, p.units, p.ends) for p in pieces] == [
        ("a", (2,), (2,)), ("b", (1,), ()), ("cd", (1, 2), (1, 2)), ("ef", (), ()),
    ]  # fmt: skip


# ── unit marks: units that a summary expresses are ticked ─────────────────

UNITS = ("a ferry sank", "in fog", "two died", "on <b>Monday</b>")


@pytest.fixture
def marks_study(web):
    return web.study("unit_marks", content_corpus(pyramids=flat_units(*UNITS)))


def tick(visitor, study, units, number=1, **more):
    return visitor.send(study, number, unit=[str(unit) for unit in units], **more)


def do_all(web, study, name, ticks):
    """Somebody who ticks these units in the summary of each system."""
    visitor = web.informant(study, name)
    for number in (1, 2):
        page = visitor.get(f"/s/{study}/{number}").text
        (author,) = (name for name, text in CANDIDATES.items() if text in page)
        none = {} if ticks[author] else {"none": "yes"}
        done = tick(visitor, study, ticks[author], number, do="submit", **none)
        # The next summary follows at once; after the last one comes the way home.
        assert done.url.path == (f"/s/{study}/2" if number == 1 else f"/s/{study}")


def test_more_than_half_of_the_judges_decide_and_the_uploaded_pyramid_makes_way(web):
    peers = {"other": (PeerScu("zz0"),), LEAD: (PeerScu("zz3"),)}
    pyramid = Pyramid(FERRY, flat_units(*UNITS)[0].scus, peers)
    study = web.study("unit_marks", content_corpus(FERRY, pyramids=(pyramid,)))
    do_all(web, study, "Heron", {LEAD: [0, 1, 3], ECHO: [2]})
    do_all(web, study, "Wren", {LEAD: [0, 1], ECHO: []})
    do_all(web, study, "Stork", {LEAD: [0, 2], ECHO: [2]})
    corpus = web.whole(study)
    assert [one.annotator for one in corpus.pyramids] == ["", "Heron", "Wren", "Stork"]
    (pyramid,) = by_majority(corpus.pyramids)
    decided = {LEAD: (PeerScu("zz0"), PeerScu("zz1")), ECHO: (PeerScu("zz2"),)}
    assert pyramid.peers == {"other": (PeerScu("zz0"),), **decided}


def test_every_tick_is_saved_and_undone_and_no_unit_at_all_must_be_said(web, marks_study):
    heron = web.informant(marks_study)
    for units in ([1], [1, 3]):
        tick(heron, marks_study, units)
    undone = tick(heron, marks_study, [1, 3], do="undo")
    assert re.search(r"data-values='(.*?)'", undone.text)[1] == '[["unit", "1"]]'
    answer = tick(heron, marks_study, [], do="submit")
    assert "or say that there are none" in answer.text
    assert web.whole(marks_study).pyramids[0].peers == {}
    done = tick(heron, marks_study, [], none="yes", do="submit")
    assert done.url.path == f"/s/{marks_study}/2"
    assert list(web.whole(marks_study).pyramids[0].peers.values()) == [()]


def test_judges_see_neither_system_nor_weight(web):
    scus = (Scu("zz1", "a ferry sank", 4), Scu("zz-named", "", 7.5))
    study, heron = web.begin("unit_marks", content_corpus(pyramids=(Pyramid(FERRY, scus),)))
    page = heron.get(f"/s/{study}/1").text
    # A unit without a label is called by its id, as in tables of 0 and 1.
    assert "<span>zz-named</span>" in page
    assert LEAD not in page and ECHO not in page and "7.5" not in page
    assert "<span>a ferry sank</span>" in page and "&lt;zz" not in page


@pytest.mark.parametrize("fixture, data", [
    *[("study", {"step": "compare", **wrong}) for wrong in (
        {"percent-0": "30"}, {"percent-0": "-20"}, {"shared-1": "7"}, {"mark-0": "5"},
    )],
    *[("units_study", wrong) for wrong in (
        {"do": "to-5", "words": "fog"}, {"do": "to-x", "words": "fog"}, {"remove": "9"},
        {"remove": "0.7"}, {"do": "add", "summary": "2", "words": "fog"},
        {"do": "add", "words": "x" * 6000},
    )],
    *[("marks_study", {"unit": [wrong]}) for wrong in ("4", "-1", "x", "1e3", "٣")],
])  # fmt: skip
def test_what_no_page_sends_is_refused(web, request, fixture, data):
    study = request.getfixturevalue(fixture)
    heron = web.informant(study)
    if fixture == "units_study":
        add(heron, study, "in fog")
    assert heron.send(study, **data).status_code == 400


# ── questions after reading a source, a summary, an abstract or nothing ───

BOTH = (*QUESTIONS, Question(STORM, "zz-q9", "What storm?", ("A small one", "A large one"), 0))


def questions_study(web, *conditions, **settings):
    corpus = content_corpus(questions=BOTH)
    return web.study("questions", corpus, conditions=conditions, **settings)


def text_read(visitor, study):
    """What is shown to be read."""
    page = visitor.get(f"/s/{study}/1").text
    article = re.search(r"<article[^>]*>(.*?)</article>", page, re.S)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", article[1])).strip() if article else None


def answer_all(visitor, study, choices, number=1):
    visitor.send(study, number, do="read")
    data = {f"choice-{n}": str(choice) for n, choice in enumerate(choices)}
    return visitor.send(study, number, do="submit", **data)


def test_questions_come_after_the_text_and_without_it(web):
    study = questions_study(web, "source", per_informant=1)
    heron = web.informant(study)
    assert "A ferry sank in fog." in text_read(heron, study)
    assert "choice-0" not in heron.get(f"/s/{study}/1").text
    heron.send(study, do="read", script=False)
    page = heron.get(f"/s/{study}/1").text
    assert "choice-0" in page and "sank in fog" not in page
    # One who answers without having opened the questions has not read.
    answer = web.informant(study, "Wren").send(study, do="submit", **{"choice-0": "1"})
    assert "Read the text first." in answer.text
    # After nothing there are only the questions.
    study = questions_study(web, "nothing")
    page = web.informant(study).get(f"/s/{study}/1").text
    assert "choice-0" in page and "Title of" not in page


@pytest.mark.parametrize("condition, texts", [
    ("summary", [*CANDIDATES.values()]), ("abstract", [*map(html.escape, REFERENCES.values())]),
])  # fmt: skip
def test_a_condition_shows_the_summaries_of_its_own_kind(web, condition, texts):
    study = questions_study(web, condition)
    names = ("Heron", "Wren", "Stork", "Crane")
    shown = [text_read(web.informant(study, name), study) for name in names]
    assert {re.sub(r"^Title of \d+ ", "", text) for text in shown} == set(texts)


def test_a_practice_text_is_not_asked_again(web):
    study = questions_study(web, "source", "nothing", practice=STORM)
    heron = web.informant(study)
    assert "Practice" in heron.get(f"/s/{study}/0").text
    answer_all(heron, study, [0], 0)
    heron.get(f"/s/{study}/next")
    heron.send(study, do="read")
    assert "What sank?" in heron.get(f"/s/{study}/1").text
    assert "1 of 1" in heron.get(f"/s/{study}").text


def test_every_question_must_be_answered(web):
    corpus = content_corpus(FERRY, questions=QUESTIONS)
    study, heron = web.begin("questions", corpus, conditions=("nothing",))
    assert "1 question is not answered yet." in answer_all(heron, study, [1]).text
    assert heron.send(study, **{"choice-0": "3"}).status_code == 400
    assert web.whole(study).answers == ()
    answer_all(heron, study, [1, 0])
    choices = [(one.question, one.choice) for one in web.whole(study).answers]
    assert choices == [("zz-q1", 1), ("zz-q2", 0)]


def test_reading_for_minutes_counts_as_work(web, monkeypatch):
    moment = [answers.now()]
    monkeypatch.setattr(answers, "now", lambda: moment[0])
    study = questions_study(web, "source", per_informant=1)
    heron = web.informant(study)
    heron.get(f"/s/{study}/1")
    moment[0] += datetime.timedelta(seconds=400)
    heron.send(study, 1, 0, do="read")
    count = heron.get(f"/s/{study}/1").text.count("<fieldset")
    chosen = {f"choice-{n}": "0" for n in range(count)}
    for version, (seconds, action) in enumerate(((20, "save"), (300, "undo"), (10, "submit")), 1):
        moment[0] += datetime.timedelta(seconds=seconds)
        heron.send(study, 1, version, do=action, **chosen)
    assert {one.seconds for one in web.whole(study).answers} == {730.0}


def test_the_questions_of_the_demo_fit_its_topics():
    topics = {topic.id for topic in demo_corpus().topics}
    questions = demo_questions()
    assert len({one.topic for one in questions}) >= 4 and {q.topic for q in questions} <= topics
    assert len({(one.topic, one.id) for one in questions}) == len(questions)
    assert all(one.answer in range(len(one.choices)) for one in questions)
