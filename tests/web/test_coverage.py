"""Comparing a summary with a reference, sentence by sentence."""

import dataclasses
import json

import pytest
from click.testing import CliRunner
from playwright.sync_api import expect
from web_content import (
    ANN,
    CANDIDATES,
    ECHO,
    FERRY,
    LEAD,
    STORM,
    content_corpus,
    read_whole,
    send,
    whole,
)

from summetry.cli.main import app
from summetry.formats.folder import Folder
from summetry.records.judgments import Judgment
from summetry.web.database import Database
from summetry.web.settings import StudySettings
from summetry.web.store.studies import make_study

SCALES = {"grammaticality": ("E", "D", "C", "B", "A"), "focus": ("no", "yes")}


@pytest.fixture
def study(web):
    """A study with one summary, of two sentences."""
    lead = {LEAD: CANDIDATES[LEAD]}
    return web.study("coverage", content_corpus(FERRY, candidates=lead), scales=SCALES)


def compare(visitor, study, shared, percents, place=1, marks=(4, 1), **more):
    """Send the second page; ``shared`` and ``percents`` are one for each reference sentence."""
    data = {"step": "compare"} | {f"mark-{n}": str(mark) for n, mark in enumerate(marks)}
    for number, (sentences, percent) in enumerate(zip(shared, percents, strict=True)):
        data[f"shared-{number}"] = [str(n) for n in sentences]
        if percent is not None:
            data[f"percent-{number}"] = str(percent)
    return send(visitor, study, place, **data, **more)


def values_of(corpus, judge="Heron"):
    own = [one for one in corpus.judgments if one.judge == judge]
    return {(one.author, one.dimension): one.value for one in own}


def test_quality_comes_before_the_reference_is_seen(web, study):
    heron = web.informant(study)
    page = heron.get(f"/s/{study}/1").text
    assert "Reference" not in page and "Two people died" not in page
    send(heron, study, do="compare", script=False, **{"mark-0": "4"})
    page = heron.get(f"/s/{study}/1").text
    assert "Give a mark for each question." in page and "Two people died" not in page
    send(heron, study, do="compare", script=False, **{"mark-0": "4", "mark-1": "0"})
    assert "Two people died." in heron.get(f"/s/{study}/1").text


def test_a_study_without_quality_questions_starts_with_the_reference(web):
    study = web.study("coverage", content_corpus(FERRY), scales={})
    assert "Two people died." in web.informant(study).get(f"/s/{study}/1").text


def test_percentages_become_coverage_and_marks_become_judgments(web, study):
    heron = web.informant(study)
    done = compare(heron, study, [[0], []], [80, 0], related="40", do="submit")
    assert done.url.path == f"/s/{study}"
    corpus = whole(web, study)
    # (80 % + 0 %) / 2
    assert values_of(corpus) == {
        (LEAD, "coverage"): 0.4,
        (LEAD, "related"): 0.4,
        (LEAD, "grammaticality"): "A",
        (LEAD, "focus"): "yes",
    }
    covered = next(one for one in corpus.judgments if one.dimension == "coverage")
    assert covered.meta["reference"] == ANN
    assert covered.meta["percent"] == [80, 0] and covered.meta["shared"] == [[0], []]
    assert corpus.scales == SCALES


@pytest.mark.parametrize(
    ("shared", "percents", "related", "said"),
    [
        ([[0], []], [80, None], "0", "how much is expressed of sentence 2"),
        ([[], []], [80, 0], "0", "express something of sentence 1"),
        ([[0], [0]], [80, 0], "0", "express 0% of it"),
        ([[0], []], [80, 0], None, "Answer the last question"),
    ],
)
def test_what_is_missing_is_said(web, study, shared, percents, related, said):
    heron = web.informant(study)
    more = {} if related is None else {"related": related}
    assert said in compare(heron, study, shared, percents, do="submit", **more).text
    assert whole(web, study).judgments == ()


def test_where_every_sentence_is_chosen_nothing_is_left_to_be_related(web, study):
    heron = web.informant(study)
    done = compare(heron, study, [[0, 1], []], [100, 0], related="60", do="submit")
    assert done.url.path == f"/s/{study}"
    assert values_of(whole(web, study)) == {
        (LEAD, "coverage"): 0.5,
        (LEAD, "grammaticality"): "A",
        (LEAD, "focus"): "yes",
    }


def test_marks_that_were_uploaded_keep_their_scale(web):
    old = Judgment(FERRY, LEAD, "old", "focus", "good")
    corpus = content_corpus(FERRY, scales={"focus": ("bad", "good")}, judgments=(old,))
    study = web.study("coverage", corpus, scales=SCALES)
    heron = web.informant(study)
    compare(heron, study, [[0], [0]], [20, 20], related="0", do="submit")
    assert {v for (_, d), v in values_of(whole(web, study)).items() if d == "focus"} == {"good"}


@pytest.mark.parametrize(
    "wrong",
    [{"percent-0": "30"}, {"percent-0": "-20"}, {"shared-1": "7"}, {"mark-0": "5"}],
)
def test_what_no_page_sends_is_refused(web, study, wrong):
    heron = web.informant(study)
    assert send(heron, study, step="compare", **wrong).status_code == 400


def test_an_undo_says_which_boxes_are_chosen(web, study):
    heron = web.informant(study)
    compare(heron, study, [[0], []], [80, None])
    compare(heron, study, [[0], []], [20, None])
    answer = compare(heron, study, [[0], []], [20, None], do="undo")
    values = json.loads(answer.text.split("data-values='")[1].split("'")[0])
    assert values == [["mark-0", "4"], ["mark-1", "1"], ["shared-0", "0"], ["percent-0", "80"]]


def test_summaries_are_compared_in_the_browser(tmp_path, open_page, serve):
    path = tmp_path / "coverage.db"
    # The second topic has no reference, but somebody judged it before.
    both = content_corpus()
    kept = [one for one in both.summaries if (one.topic, one.role) != (STORM, "reference")]
    old = [
        Judgment(STORM, author, "old", "coverage", value)
        for author, value in ((LEAD, 0.8), (ECHO, 0.4))
    ]
    corpus = dataclasses.replace(both, summaries=tuple(kept), judgments=tuple(old))
    database = Database(path)
    database.upgrade()
    with database.writing() as connection:
        settings = StudySettings(scales=SCALES)
        study = make_study(connection, "Study", "coverage", corpus, settings, "open")
    database.close()
    with serve(path) as server:
        page = open_page()
        page.goto(f"{server.base}/s/{study}")
        page.fill("#name", "Heron")
        page.click("button.primary")
        for place in (1, 2):
            page.wait_for_selector("#marks")
            is_lead = "Monday" in page.text_content("article")
            choose(page, "mark-0", 3)
            choose(page, "mark-1", 1)
            page.wait_for_selector("#outcome[data-missing='']", state="attached")
            page.click("#go-on")
            page.wait_for_selector(".compared")
            assert "zz-" not in page.content() and "zz/" not in page.content()
            if is_lead:
                compare_lead(page)
            else:
                choose(page, "percent-0", 0)
                choose(page, "shared-1", 0)
                choose(page, "percent-1", 40)
            page.wait_for_selector("#outcome[data-missing='']", state="attached")
            page.click("#go-on")
            # The next summary follows at once.
            page.wait_for_url("**/2" if place == 1 else "**done=all")
    corpus = read_whole(path, study)
    assert values_of(corpus) == {
        (LEAD, "coverage"): 0.5,  # (100 % + 0 %) / 2
        (LEAD, "related"): 0.2,
        (LEAD, "grammaticality"): "B",
        (LEAD, "focus"): "yes",
        (ECHO, "coverage"): 0.2,  # (0 % + 40 %) / 2
        (ECHO, "grammaticality"): "B",
        (ECHO, "focus"): "yes",
    }
    Folder().write(corpus, tmp_path / "corpus")
    command = ["compare", str(tmp_path / "corpus"), "--dimension", "coverage", "--json"]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0, result.output
    rows = json.loads(result.stdout)["systems"]["rows"]
    means = {row["system"]: row["mean"] for row in rows if "mean" in row}
    # (0.5 + 0.8) / 2 and (0.2 + 0.4) / 2, up to the last bit of the sums.
    assert means == pytest.approx({LEAD: 0.65, ECHO: 0.3}, abs=1e-12)


def choose(page, name, value):
    page.check(f"input[name='{name}'][value='{value}']", force=True)


def compare_lead(page):
    choose(page, "shared-0", 0)
    choose(page, "percent-0", 100)
    choose(page, "percent-1", 40)
    page.wait_for_selector("#missing >> text=express something of sentence 2")
    # A slip is undone, and the boxes follow.
    page.click("#undo")
    expect(page.locator("input[name=percent-1]:checked")).to_have_count(0)
    choose(page, "percent-1", 0)
    choose(page, "related", 20)
