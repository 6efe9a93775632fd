"""The extract task, request by request."""

import dataclasses
import html
import re
from urllib.parse import urlencode

import pytest
from web_content import corpus_of, topic_of

from summetry.web.demo import demo_corpus, demo_questions
from summetry.web.store.answers import given_answers
from summetry.web.store.studies import change_study
from summetry.web.tables import answers


def set_of(answer):
    return re.search(r'data-set="([^"]*)"', answer.text)[1]


@pytest.fixture
def study(web):
    return web.study()


def choose(visitor, study, units, version=None, **more):
    """Send the form of the first text with these units."""
    return visitor.send(study, 1, version, unit=[str(unit) for unit in units], **more)


def form_of(*units):
    return urlencode([("unit", unit) for unit in units])


def test_changes_that_come_together_are_undone_one_by_one(web, study):
    heron = web.informant(study)
    quick = [form_of(0), form_of(0, 3), form_of(3)]
    assert set_of(choose(heron, study, [3, 5], earlier=quick)) == "3 5"
    # Beyond the beginning there is nothing to undo.
    for before in ("3", "0 3", "0", "", ""):
        assert set_of(choose(heron, study, [], do="undo")) == before
    assert "checked" not in heron.get(f"/s/{study}/1").text


def test_a_save_whose_answer_was_lost_is_no_conflict_with_the_changes_after_it(web, study):
    heron = web.informant(study)
    shown = heron.version(f"/s/{study}/1")
    choose(heron, study, [0], shown)
    # The page knows neither the new version nor that the first click arrived.
    again = choose(heron, study, [0, 3], shown, earlier=[form_of(0)])
    assert again.status_code == 200 and set_of(again) == "0 3"
    assert set_of(choose(heron, study, [], do="undo")) == "0"


def test_more_steps_than_the_page_sends_and_steps_of_other_texts_are_refused(web, study):
    heron = web.informant(study)
    assert choose(heron, study, [0], earlier=[form_of(1)] * 100).status_code == 400
    assert choose(heron, study, [0], earlier=[form_of(1), form_of(9999)]).status_code == 400
    # Nothing of a refused request is kept.
    assert heron.version(f"/s/{study}/1") == 0


def test_the_welcome_page_says_what_else_is_asked(web):
    asked = ("Write a summary in your own words too.", "you get one of them a second time")
    for more in (False, True):
        page = web.visitor().get(f"/s/{web.study(abstract=more, repeat=more)}").text
        assert [words in page for words in asked] == [more, more]


def test_an_extract_outside_the_window_is_not_submitted(web, study):
    heron = web.informant(study)
    # Before the first choice nothing is marked as wrong.
    first = heron.get(f"/s/{study}/1").text
    assert 'class="length"' in first and "Choose more: at least 5%" in first
    everything = re.findall(r'name="unit" value="(\d+)"', first)
    assert "at least 5% of the words" in choose(heron, study, [], do="submit").text
    assert 'class="length outside"' in choose(heron, study, everything).text
    assert "at most 60% of the words" in choose(heron, study, everything, do="submit").text
    assert web.read(given_answers, study) == []


def test_an_older_tab_is_told_and_changes_nothing(web, study):
    heron = web.informant(study)
    shown = heron.version(f"/s/{study}/1")
    assert choose(heron, study, [0], shown).status_code == 200
    refused = choose(heron, study, [5], shown)
    assert refused.status_code == 409 and "another window" in refused.text
    assert set_of(choose(heron, study, [0])) == "0"


def test_who_works_while_the_study_is_closed_is_told_by_every_button(web, study):
    heron = web.informant(study)
    web.write(change_study, study, state="closed")
    refused = choose(heron, study, [0, 1, 2], 0)
    assert refused.status_code == 403 and "The study was closed" in refused.text
    # Nothing was submitted, so nothing is said to be kept.
    assert "is kept" not in refused.text
    pressed = heron.post(f"/s/{study}/1", {"version": "0", "unit": ["0"], "do": "review"})
    assert pressed.status_code == 403 and "The study was closed" in pressed.text


def listed(visitor, study):
    """The names of what an informant did, as the page of the study lists them."""
    found = re.findall(r'<li><a href="/s/\w+/\d+">(.*?)</a>', visitor.get(f"/s/{study}").text)
    return [html.unescape(re.sub("<[^>]+>", "", name)) for name in found]


def test_the_time_at_work_is_a_sentence_of_its_own(web, study):
    heron, count = web.informant(study), len(demo_corpus().topics)
    choose(heron, study, [0])
    with web.database.writing() as connection:
        connection.execute(answers.update().values(seconds=120))
    sentences = f"0 of {count} are done. You were at work for about 2 minutes.</p>"
    assert sentences in heron.get(f"/s/{study}").text


def test_what_an_informant_did_is_listed_by_its_titles(web):
    units = ("A ferry sank.", "Two people died.", "There was fog.", "Nobody knows why.")
    topics = (topic_of("t1", units, "Ferry & fog"), topic_of("t2", units))
    study, heron = web.begin(corpus=corpus_of(*topics))
    for number in (1, 2):
        heron.send(study, number, 0, script=False, unit=["0", "1"], do="submit")
        heron.get(f"/s/{study}/next")
    shown = [name.partition(": ") for name in listed(heron, study)]
    assert [number for number, _, _ in shown] == ["Text 1", "Text 2"]
    assert sorted(title for _, _, title in shown) == ["Ferry & fog", "t2"]


# Who had nothing to read does not learn the title afterwards.
@pytest.mark.parametrize("task, name", [
    ("judgment", "Summary 1"), ("pairs", "Pair 1"), ("category", "Text 1"), ("questions", "Text 1"),
])  # fmt: skip
def test_what_is_judged_blindly_is_listed_by_its_number_only(web, task, name):
    corpus = dataclasses.replace(demo_corpus(), questions=demo_questions())
    study, heron = web.begin(task, corpus, conditions=("nothing",))
    assert listed(heron, study) == [name]


def test_a_name_that_is_taken_and_one_that_is_too_long_are_told_apart(web, study):
    web.informant(study, "Heron")
    taken, long = "This name is taken", "a name of 1 to 40 letters"
    # The demo corpus has the extracts of p1.
    for name, words in (("Heron", taken), (" p1 ", taken), ("x" * 41, long), (" ", long)):
        visitor = web.visitor()
        visitor.get(f"/s/{study}")
        answer = visitor.post(f"/s/{study}/join", {"name": name})
        assert answer.status_code == 422 and words in answer.text
    # A code may be typed in groups and capitals.
    code = web.find(study).code
    joined = visitor.post("/join", {"code": f" {code[:4].upper()} {code[4:]} "})
    assert joined.url.path == f"/s/{study}"


def test_who_comes_from_another_browser_learns_of_the_personal_link(web):
    study = web.study(consent="I take part.")
    heron = web.informant(study, "Heron")
    assert "personal link" in heron.get(f"/s/{study}").text
    elsewhere = web.visitor()
    assert "keep your personal link" in elsewhere.get(f"/s/{study}").text
    again = elsewhere.post(f"/s/{study}/join", {"name": "Heron", "consent": "yes"}).text
    assert "or with your personal link.</p>" in again
    # What was ticked stays so.
    assert re.search(r'name="consent" value="yes" required checked', again)
