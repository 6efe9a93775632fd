"""Multiple choice after reading a source, a summary, an abstract or nothing."""

import datetime
import json
import re

import pytest
from click.testing import CliRunner
from web_content import (
    CANDIDATES,
    FERRY,
    LEAD,
    QUESTIONS,
    REFERENCES,
    STORM,
    content_corpus,
    read_whole,
    send,
    whole,
)

from summetry.cli.main import app
from summetry.formats.folder import Folder
from summetry.records.judgments import Question
from summetry.web.database import Database
from summetry.web.demo import demo_corpus, demo_questions
from summetry.web.settings import StudySettings
from summetry.web.store import answers
from summetry.web.store.studies import make_study

BOTH = (*QUESTIONS, Question(STORM, "zz-q9", "What storm?", ("A small one", "A large one"), 0))


def study_of(web, *conditions, **settings):
    corpus = content_corpus(questions=BOTH)
    return web.study("questions", corpus, conditions=conditions, **settings)


def read(visitor, study, place=1):
    """What is shown to be read."""
    page = visitor.get(f"/s/{study}/{place}").text
    found = re.search(r"<article[^>]*>(.*?)</article>", page, re.S)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", found[1])).strip() if found else None


def answer_all(visitor, study, choices, place=1):
    send(visitor, study, place, do="read")
    data = {f"choice-{n}": str(choice) for n, choice in enumerate(choices)}
    return send(visitor, study, place, do="submit", **data)


def test_questions_come_after_the_text_and_without_it(web):
    study = study_of(web, "source", per_informant=1)
    heron = web.informant(study)
    assert "A ferry sank in fog." in read(heron, study)
    assert "choice-0" not in heron.get(f"/s/{study}/1").text
    send(heron, study, do="read", script=False)
    page = heron.get(f"/s/{study}/1").text
    assert "choice-0" in page and "sank in fog" not in page
    # One who answers without having opened the questions has not read.
    wren = web.informant(study, "Wren")
    assert "Read the text first." in send(wren, study, do="submit", **{"choice-0": "1"}).text


@pytest.mark.parametrize(
    ("condition", "texts"),
    [
        ("summary", set(CANDIDATES.values())),
        ("abstract", {text.replace("<b>", "&lt;b&gt;").replace("</b>", "&lt;/b&gt;")
                      for text in REFERENCES.values()}),
    ],
)  # fmt: skip
def test_a_condition_shows_the_summaries_of_its_own_kind(web, condition, texts):
    study = study_of(web, condition)
    shown = [
        read(web.informant(study, name), study) for name in ("Heron", "Wren", "Stork", "Crane")
    ]
    assert {re.sub(r"^Title of \d+ ", "", text) for text in shown} == texts


def test_after_nothing_there_are_only_the_questions(web):
    study = study_of(web, "nothing")
    heron = web.informant(study)
    page = heron.get(f"/s/{study}/1").text
    assert "choice-0" in page and "Title of" not in page


def test_nobody_answers_the_questions_of_a_topic_twice(web):
    study = study_of(web, "source", "summary", "abstract", "nothing")
    for name in ("Heron", "Wren", "Stork"):
        visitor = web.informant(study, name)
        for place in (1, 2):
            send(visitor, study, place, do="read")
            asked = len(re.findall(r"<fieldset", visitor.get(f"/s/{study}/{place}").text))
            answer_all(visitor, study, [0] * asked, place)
            visitor.get(f"/s/{study}/next")
        home = visitor.get(f"/s/{study}").text
        assert "You have done everything" in home
        assert visitor.get(f"/s/{study}/3").status_code == 404
        own = [one for one in whole(web, study).answers if one.judge == name]
        assert {(one.topic, one.question) for one in own} == {
            (FERRY, "zz-q1"), (FERRY, "zz-q2"), (STORM, "zz-q9")
        }  # fmt: skip
        assert len(own) == 3


def test_a_practice_text_is_not_asked_again(web):
    study = study_of(web, "source", "nothing", practice=STORM)
    heron = web.informant(study)
    assert "Practice" in heron.get(f"/s/{study}/0").text
    answer_all(heron, study, [0], 0)
    heron.get(f"/s/{study}/next")
    assert "What sank?" in _questions(heron, study, 1)
    assert "1 of 1" in heron.get(f"/s/{study}").text


def _questions(visitor, study, place):
    send(visitor, study, place, do="read")
    return visitor.get(f"/s/{study}/{place}").text


def test_every_question_must_be_answered(web):
    corpus = content_corpus(FERRY, questions=QUESTIONS)
    study = web.study("questions", corpus, conditions=("nothing",))
    heron = web.informant(study)
    assert "1 question is not answered yet." in answer_all(heron, study, [1]).text
    assert send(heron, study, **{"choice-0": "3"}).status_code == 400
    assert whole(web, study).answers == ()
    answer_all(heron, study, [1, 0])
    answers = whole(web, study).answers
    assert [(one.question, one.choice) for one in answers] == [("zz-q1", 1), ("zz-q2", 0)]


def test_reading_for_minutes_counts_as_work(web, monkeypatch):
    moment = [answers.now()]
    monkeypatch.setattr(answers, "now", lambda: moment[0])
    study = study_of(web, "source", per_informant=1)
    heron = web.informant(study)
    heron.get(f"/s/{study}/1")
    moment[0] += datetime.timedelta(seconds=400)
    send(heron, study, 1, 0, do="read")
    asked = len(re.findall(r"<fieldset", heron.get(f"/s/{study}/1").text))
    moment[0] += datetime.timedelta(seconds=20)
    chosen = {f"choice-{n}": "0" for n in range(asked)}
    send(heron, study, 1, 1, **chosen)
    moment[0] += datetime.timedelta(seconds=300)
    send(heron, study, 1, 2, do="undo", **chosen)
    moment[0] += datetime.timedelta(seconds=10)
    send(heron, study, 1, 3, do="submit", **chosen)
    assert {one.seconds for one in whole(web, study).answers} == {730.0}


def test_the_questions_of_the_demo_fit_its_topics():
    topics = {topic.id for topic in demo_corpus().topics}
    asked = demo_questions()
    assert len({one.topic for one in asked}) >= 4 and {one.topic for one in asked} <= topics
    assert len({(one.topic, one.id) for one in asked}) == len(asked)
    assert all(one.answer in range(len(one.choices)) for one in asked)
    # Who always takes the same choice should not be right much more often than by chance.
    for choice in range(4):
        assert sum(one.answer == choice for one in asked) <= len(asked) * 0.4


def test_questions_are_answered_in_the_browser(tmp_path, open_page, serve):
    path = tmp_path / "questions.db"
    database = Database(path)
    database.upgrade()
    corpus = content_corpus(FERRY, questions=QUESTIONS, candidates={LEAD: CANDIDATES[LEAD]})
    with database.writing() as connection:
        settings = StudySettings(conditions=("summary", "nothing"), per_text=1)
        study = make_study(connection, "Study", "questions", corpus, settings, "open")
    database.close()
    with serve(path) as server:
        for name in ("Heron", "Wren"):
            page = open_page()
            page.goto(f"{server.base}/s/{study}")
            page.fill("#name", name)
            page.click("button.primary")
            page.wait_for_selector("#saved", state="attached")
            assert "zz" not in page.inner_text("main")
            reads = page.query_selector("article") is not None
            if reads:
                assert CANDIDATES[LEAD] in page.inner_text("article")
                page.click("button.primary")
                page.wait_for_selector(".question")
            # With the summary both are known; without it, one is guessed.
            page.check("input[name='choice-0'][value='1']")
            page.check(f"input[name='choice-1'][value='{int(reads)}']")
            page.wait_for_selector("#outcome[data-missing='']", state="attached")
            page.click("#go-on")
            page.wait_for_url("**done=all")
    Folder().write(read_whole(path, study), tmp_path / "corpus")
    result = CliRunner().invoke(app, ["task", "questions", str(tmp_path / "corpus"), "--json"])
    assert result.exit_code == 0, result.output
    shown = json.loads(result.stdout)["conditions"]["rows"]
    rows = {(row["condition"], row["system"]): row for row in shown}
    assert {key: (row["answers"], row["right"]) for key, row in rows.items()} == {
        ("summary", LEAD): (2, 1.0),
        ("nothing", ""): (2, 0.5),
    }
    assert all(row["seconds"] > 0 for row in rows.values())
