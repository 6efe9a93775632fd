"""Judgments and content units done in a browser, exported, and scored by the command.

Every study is small enough for its values to be worked out by hand.
"""

import dataclasses
import re

import pytest
from browsers import PHONE
from command_line import succeed
from playwright.sync_api import expect
from web_content import (
    CANDIDATES,
    ECHO,
    FERRY,
    LEAD,
    QUESTIONS,
    REFERENCES,
    STORM,
    content_corpus,
    scores_by_command,
)

from summetry.formats.folder import Folder
from summetry.metaeval.judges import judgment_scores
from summetry.records.corpus import Corpus
from summetry.records.judgments import Judgment
from summetry.records.pyramids import Contributor, Pyramid, Scu
from summetry.records.summaries import Summary
from summetry.records.topics import Document, Topic

# "even" takes sentences 0 and 2, "odd" takes 1 and 3.
SYSTEMS = {"even": (0, 2), "odd": (1, 3)}
TOPICS = ("ships", "trees")
NUMBERS = ("zero", "one", "two", "three")
LETTERS = ("E", "D", "C", "B", "A")
SCALES = {"grammaticality": LETTERS, "focus": ("no", "yes")}


def small_corpus(*names):
    topics = tuple(
        Topic(
            id=f"the {name}",
            title=f"All about {name}",
            category=name,
            language="en",
            documents=(Document(id=name, units=tuple(f"Of {name} {n}." for n in NUMBERS)),),
        )
        for name in names or TOPICS
    )
    summaries = tuple(
        Summary(topic.id, system, "candidate", units=units)
        for topic in topics
        for system, units in SYSTEMS.items()
    )
    return Corpus("small", "en", topics=topics, summaries=summaries)


@pytest.fixture
def command(server, tmp_path):
    """What a command prints about what was submitted in a study, as JSON."""

    def call(study, *words):
        folder = tmp_path / "corpus"
        Folder().write(server.whole(study), folder)
        name = words[:1] if words[0] != "task" else words[:2]
        return succeed(*name, folder, *words[len(name) :], "--json").json

    return call


@pytest.fixture
def means(server):
    """The mean judgment of every system."""

    def call(study, dimension):
        table = judgment_scores(server.whole(study), [dimension])
        values = {}
        for row, (value,) in zip(table.rows, table.data.tolist(), strict=True):
            values.setdefault(row.author, []).append(value)
        return {author: sum(own) / len(own) for author, own in values.items()}

    return call


def system_of(text):
    """Which system's words these are."""
    return "even" if "zero" in text else "odd"


def topic_of(text):
    return next(name for name in TOPICS if f"Of {name}" in text)


def go_on(page, following):
    """Press the button of the page once everything is given, and wait for what follows."""
    page.wait_for_selector('#outcome[data-missing=""]', state="attached")
    page.click("#go-on")
    page.wait_for_url(f"**/{following}" if following else "**?done=*")


def article(page):
    return page.locator("article").inner_text()


def choose(page, name, value):
    page.check(f"input[name='{name}'][value='{value}']", force=True)


# ── judgments, pairs, utilities, categories ───────────────────────────────


def test_marks_by_pointer_have_the_mean_worked_out_by_hand(server, open_page, means):
    scales = dict.fromkeys(("grammaticality", "focus"), LETTERS)
    study = server.study("judgment", small_corpus("ships"), with_source=True, scales=scales)
    wren = server.informant(study, "Wren")
    for number in (1, 2):
        wren.send(study, number, 0, d0="3", d1="3", do="submit")
    page = open_page()
    server.open_item(page, study)
    for following in (2, 0):
        marks = "CD" if system_of(article(page)) == "even" else "AE"
        for question, mark in zip(("Grammaticality", "Focus"), marks, strict=True):
            page.get_by_role("group", name=question).locator("label", has_text=mark).click()
        go_on(page, following)
    # Wren gives everything a B, which is 4. Focus of "even": D (2), of "odd": E (1).
    assert means(study, "focus") == {"even": 3.0, "odd": 2.5}
    # Grammaticality of "even": C (3), of "odd": A (5).
    assert means(study, "grammaticality") == {"even": 3.5, "odd": 4.5}


def test_marks_are_given_and_taken_back_by_keyboard(server, open_page):
    scales = dict.fromkeys(("grammaticality", "focus"), LETTERS)
    corpus = small_corpus("ships")
    study = server.study("judgment", corpus, with_source=True, scales=scales, per_informant=1)
    page = open_page()
    page.goto(server.link(study))
    page.locator("#name").focus()
    page.keyboard.type("Wren")
    page.keyboard.press("Enter")
    page.wait_for_selector("#go-on[aria-disabled=true]")
    page.keyboard.press("s")
    page.get_by_text("Of ships one.").nth(-1).wait_for()
    for key in "be":
        page.keyboard.press(key)
    page.wait_for_selector("#go-on[aria-disabled=false]")
    # However quickly the marks came, one is taken back.
    page.keyboard.press("u")
    page.wait_for_selector("#go-on[aria-disabled=true]")
    page.keyboard.press("b")
    page.wait_for_selector("#go-on[aria-disabled=false]")
    page.keyboard.press("Enter")
    page.wait_for_url("**?done=*")
    assert "You have done everything" in page.inner_text("main")
    values = {one.dimension: one.value for one in server.whole(study).judgments}
    assert values == {"grammaticality": "B", "focus": "B"}


def test_marks_can_be_given_on_a_phone_without_scripts(server, open_page):
    scales = {"worth": ("0", "1", "2")}
    study = server.study("judgment", small_corpus(), scales=scales, per_informant=1)
    page = open_page(java_script_enabled=False)
    page.set_viewport_size(PHONE)
    server.open_item(page, study)
    page.click("#go-on")
    assert "One mark to go: Worth." in page.inner_text("#outcome")
    page.locator("label", has_text="2").click()
    page.click("#go-on")
    page.wait_for_url("**?done=*")
    assert [(one.dimension, one.value) for one in server.whole(study).judgments] == [("worth", 2)]


def test_choices_between_two_give_the_share_of_pairs_that_each_won(server, open_page, means):
    study = server.study("pairs", small_corpus())
    page = open_page()
    server.open_item(page, study)
    for following in (2, 0):
        first = page.locator(".pair article").first.inner_text()
        # "odd" is better on ships; on trees they are equally good.
        wanted = "The first" if system_of(first) == "odd" else "The second"
        page.locator("label", has_text=wanted if "ships" in first else "Equally good").click()
        go_on(page, following)
    assert means(study, "better") == {"even": (0 + 0.5) / 2, "odd": (1 + 0.5) / 2}


def test_utilities_give_the_relative_utility_worked_out_by_hand(server, open_page, command):
    study = server.study("utility", small_corpus())
    page = open_page()
    server.open_item(page, study)
    values = {"ships": (10, 0, 7, 5), "trees": (1, 2, 3, 4)}
    for number in (1, 2):
        page.wait_for_url(f"**/{number}")
        name = topic_of(article(page))
        if number == 1:
            for unit, value in enumerate(values[name]):
                page.locator(f"#u{unit} label", has_text=re.compile(f"^{value}$")).click()
        else:
            page.keyboard.press("j")
            for value in values[name]:
                page.keyboard.press("t" if value == 10 else str(value))
        go_on(page, 0)
        if number == 1:
            page.get_by_role("link", name="Continue: 2 of 2").click()
    systems = command(study, "score", "-m", "relative_utility")["systems"]
    scores = {one["system"]: one["means"]["relative_utility"]["value"] for one in systems}
    # The best two sentences are worth 10 + 7 and 4 + 3.
    assert scores["even"] == pytest.approx((17 / 17 + 4 / 7) / 2)
    assert scores["odd"] == pytest.approx((5 / 17 + 6 / 7) / 2)


# ── coverage and questions ────────────────────────────────────────────────


def test_a_summary_is_compared_in_the_browser(server, open_page, means):
    # The second topic has no reference, but somebody judged it before.
    both = content_corpus(candidates={LEAD: CANDIDATES[LEAD]})
    summaries = [one for one in both.summaries if (one.topic, one.role) != (STORM, "reference")]
    old = Judgment(STORM, LEAD, "old", "coverage", 0.8)
    corpus = dataclasses.replace(both, summaries=tuple(summaries), judgments=(old,))
    study = server.study("coverage", corpus, scales=SCALES)
    page = open_page()
    server.open_item(page, study)
    choose(page, "mark-0", 3)
    choose(page, "mark-1", 1)
    page.wait_for_selector("#outcome[data-missing='']", state="attached")
    page.click("#go-on")
    page.wait_for_selector(".compared")
    assert "zz-" not in page.content() and "zz/" not in page.content()
    choose(page, "shared-0", 0)
    choose(page, "percent-0", 100)
    choose(page, "percent-1", 40)
    page.wait_for_selector("#missing >> text=express something of sentence 2")
    # A slip is undone, and the boxes follow.
    page.click("#undo")
    expect(page.locator("input[name=percent-1]:checked")).to_have_count(0)
    choose(page, "percent-1", 0)
    choose(page, "related", 20)
    go_on(page, 0)
    judgments = [one for one in server.whole(study).judgments if one.judge == "Heron"]
    assert {one.dimension: one.value for one in judgments} == {
        "coverage": 0.5,  # (100 % + 0 %) / 2
        "related": 0.2,
        "grammaticality": "B",
        "focus": "yes",
    }
    # (0.5 + 0.8) / 2, up to the last bit of the sum.
    assert means(study, "coverage") == {LEAD: pytest.approx(0.65, abs=1e-12)}


def test_questions_are_answered_in_the_browser(server, open_page, command):
    corpus = content_corpus(FERRY, questions=QUESTIONS, candidates={LEAD: CANDIDATES[LEAD]})
    study = server.study("questions", corpus, conditions=("summary",))
    page = open_page()
    server.open_item(page, study)
    assert "zz" not in page.inner_text("main")
    assert CANDIDATES[LEAD] in page.inner_text("article")
    page.click("button.primary")
    page.wait_for_selector(".question")
    page.check("input[name='choice-0'][value='1']")
    page.check("input[name='choice-1'][value='0']")
    go_on(page, 0)
    (row,) = command(study, "task", "questions")["conditions"]["rows"]
    # One of two is right.
    values = [row[name] for name in ("condition", "system", "answers", "right")]
    assert values == ["summary", LEAD, 2, 0.5] and row["seconds"] > 0


# ── content units ─────────────────────────────────────────────────────────

_EDGES = """([summary, words]) => {
  const text = document.querySelectorAll('.reference')[summary];
  const start = text.textContent.indexOf(words);
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  const box = (at) => {
    walker.currentNode = text;
    let before = 0, node;
    while ((node = walker.nextNode())) {
      if (at < before + node.length) {
        const range = document.createRange();
        range.setStart(node, at - before); range.setEnd(node, at - before + 1);
        return range.getBoundingClientRect();
      }
      before += node.length;
    }
  };
  text.scrollIntoView({ block: 'center', behavior: 'instant' });
  const first = box(start), last = box(start + words.length - 1);
  return [first.left + 1, first.top + first.height / 2, last.right - 1, last.top + last.height / 2];
}"""


def select(page, summary, words, whole=""):
    """Select words with the mouse, and wait until the field holds them, as whole words."""
    left, top, right, bottom = page.evaluate(_EDGES, [summary, words])
    page.mouse.move(left, top)
    page.mouse.down()
    page.mouse.move(right, bottom, steps=4)
    page.mouse.up()
    expect(page.locator("#words")).to_have_value(whole or words)


def test_a_pyramid_is_made_in_the_browser(server, open_page):
    study = server.study("units", content_corpus(FERRY))
    page = open_page()
    server.open_item(page, study)
    page.wait_for_selector(".reference")
    assert "zz-" not in page.content()
    select(page, 0, "A ferry sa", "A ferry sank")
    page.fill("#label", "The ferry sank")
    page.click("text=Add as a new unit")
    page.wait_for_selector("mark.said >> text=A ferry sank")
    expect(page.locator("#words")).to_have_value("")
    select(page, 1, "The ferry went down")
    page.click("button[value='to-0']")
    page.wait_for_selector("mark.said >> text=The ferry went down")
    select(page, 0, "Two people died")
    page.fill("#label", "Two people died")
    page.press("#label", "Enter")
    page.wait_for_selector("#label-1")
    # Typed, not selected.
    page.fill("#words", "Two <b>died</b>")
    page.check("input[name=summary][value='1']")
    page.click("button[value='to-1']")
    page.wait_for_selector("mark.said >> text=Two <b>died</b>")
    page.click("button[aria-label^='Remove: The ferry sank']")
    page.wait_for_selector("#label-1", state="detached")
    page.click("#undo")
    page.wait_for_selector("#label-1")
    page.click("#go-on")
    page.wait_for_url("**done=1")
    (pyramid,) = server.whole(study).pyramids
    assert [(scu.id, scu.label, scu.weight) for scu in pyramid.scus] == [
        ("1", "The ferry sank", 2),
        ("2", "Two people died", 2),
    ]
    for scu in pyramid.scus:
        for part in scu.contributors:
            assert REFERENCES[part.author][part.start : part.end] == part.text


def test_units_are_ticked_in_the_browser(server, open_page, tmp_path):
    ann, bob = REFERENCES
    parts = {
        "The ferry sank": [Contributor(ann, "A ferry sank"), Contributor(bob, "The ferry went")],
        "Two people died": [Contributor(ann, "Two people died"), Contributor(bob, "Two")],
        "There was fog": [Contributor(ann, "in fog")],
    }
    scus = tuple(
        Scu(str(n), label, len(own), tuple(own)) for n, (label, own) in enumerate(parts.items(), 1)
    )
    pyramid = Pyramid(FERRY, scus)
    study = server.study("unit_marks", content_corpus(FERRY, pyramids=(pyramid,)))
    ticks = {LEAD: ("The ferry sank", "There was fog"), ECHO: ("Two people died",)}
    page = open_page()
    server.open_item(page, study, "Kestrel")
    for number in (1, 2):
        text = page.text_content(".as-written")
        assert "zz-" not in page.content()
        (author,) = (name for name, own in CANDIDATES.items() if own == text)
        for label in ticks[author]:
            page.check(f"label:has-text('{label}') >> input")
        page.wait_for_selector(f"#missing >> text={len(ticks[author])} of 3 units")
        page.click("#go-on")
        # The next summary follows at once.
        page.wait_for_url("**/2" if number == 1 else "**done=all")
    scores = scores_by_command(server.whole(study), tmp_path, "pyramid", "scu_recall")
    # The best two units weigh 2 + 2, those of the first system 2 + 1.
    assert scores[FERRY, LEAD, "pyramid"] == 3 / 4
    assert scores[FERRY, LEAD, "scu_recall"] == pytest.approx(2 / 3, abs=1e-12)
    assert scores[FERRY, ECHO, "pyramid"] == 1.0
    assert scores[FERRY, ECHO, "scu_recall"] == pytest.approx(1 / 3, abs=1e-12)


def test_units_are_made_without_a_script(server, open_page):
    page = open_page(java_script_enabled=False)
    server.open_item(page, server.study("units", content_corpus(FERRY)))
    words = "The ferry went"
    page.fill("#words", words)
    page.check("input[name=summary][value='1']")
    page.fill("#label", "The first words")
    page.click("text=Add as a new unit")
    assert page.input_value("#label-0") == "The first words"
    assert page.text_content("mark.said") == words
    page.fill("#words", "surely not there")
    page.click("text=Add as a new unit")
    assert "does not stand in summary" in page.text_content("#said")
    page.click("#undo")
    assert page.query_selector("#label-0") is None
