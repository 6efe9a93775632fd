"""Judgments and content units done in a browser, exported, and scored by the command.

Every study is small enough for its values to be worked out by hand.
"""

import dataclasses
import json
import re

import pytest
from browsers import PHONE
from command_line import succeed
from playwright.sync_api import expect
from web_content import (
    ANN,
    CANDIDATES,
    ECHO,
    FERRY,
    LEAD,
    QUESTIONS,
    REFERENCES,
    STORM,
    content_corpus,
    corpus_of,
    scores_by_command,
    topic_of,
)

from summetry.formats.folder import Folder
from summetry.metaeval.judges import judgment_scores
from summetry.records.judgments import Judgment
from summetry.records.pyramids import Contributor, Pyramid, Scu
from summetry.records.summaries import Summary

# "even" takes sentences 0 and 2, "odd" takes 1 and 3.
SYSTEMS = {"even": (0, 2), "odd": (1, 3)}
TOPICS = ("ships", "trees")
NUMBERS = ("zero", "one", "two", "three")
LETTERS = ("E", "D", "C", "B", "A")
SCALES = {"grammaticality": LETTERS, "focus": ("no", "yes")}


def small_corpus(*names):
    topics = [
        topic_of(f"the {name}", (f"Of {name} {n}." for n in NUMBERS), f"All about {name}",
                 category=name, language="en")
        for name in names or TOPICS
    ]  # fmt: skip
    summaries = (
        Summary(topic.id, system, "candidate", units=units)
        for topic in topics
        for system, units in SYSTEMS.items()
    )
    return corpus_of(*topics, summaries=tuple(summaries))


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
        table, values = judgment_scores(server.whole(study), [dimension]), {}
        for row, (value,) in zip(table.rows, table.data.tolist(), strict=True):
            values.setdefault(row.author, []).append(value)
        return {author: sum(own) / len(own) for author, own in values.items()}

    return call


def system_of(text):
    """Which system's words these are."""
    return "even" if "zero" in text else "odd"


def go_on(page, following):
    """Press the button of the page once everything is given, and wait for what follows."""
    page.wait_for_selector('#outcome[data-missing=""]', state="attached")
    page.click("#go-on")
    page.wait_for_url(f"**/{following}" if following else "**?done=*")


def article(page):
    return page.locator("article").inner_text()


def begin(server, page, task, corpus, **settings):
    """A new study whose first item is open in a browser."""
    study = server.study(task, corpus, **settings)
    server.open_item(page, study)
    return study


def values_of(categories):
    """The categories that are chosen, as the page has them from the server."""
    return json.dumps([["category", one] for one in categories])


def choose(page, name, value):
    page.check(f"input[name='{name}'][value='{value}']", force=True)


# ── judgments, pairs, utilities, categories ───────────────────────────────


def test_marks_by_pointer_have_the_mean_worked_out_by_hand(server, open_page, means):
    scales, page = dict.fromkeys(("grammaticality", "focus"), LETTERS), open_page()
    corpus = small_corpus("ships")
    study = begin(server, page, "judgment", corpus, with_source=True, scales=scales)
    system = system_of(article(page))
    for question, mark in (("Grammaticality", "C"), ("Focus", "E")):
        page.get_by_role("group", name=question).locator("label", has_text=mark).click()
    go_on(page, 2)
    wren = server.informant(study, "Wren")
    for number in (1, 2):
        wren.send(study, number, 0, d0="3", d1="3", do="submit")
    # Wren gives everything a B, which is 4. The first summary has a C (3) and an E (1), too.
    both = dict.fromkeys(SYSTEMS, 4.0)
    assert means(study, "grammaticality") == {**both, system: 3.5}
    assert means(study, "focus") == {**both, system: 2.5}


def test_marks_are_given_and_taken_back_by_keyboard(server, open_page):
    scales, page = dict.fromkeys(("grammaticality", "focus"), LETTERS), open_page()
    more = {"with_source": True, "scales": scales, "per_informant": 1}
    study = server.study("judgment", small_corpus("ships"), **more)
    page.goto(server.link(study))
    page.locator("#name").focus()
    page.keyboard.type("Wren")
    page.keyboard.press("Enter")
    page.wait_for_selector("#go-on[aria-disabled=true]")
    page.keyboard.press("s")
    page.get_by_text("Of ships one.").nth(-1).wait_for()
    # However quickly the marks came, one is taken back.
    for keys, is_disabled in (("be", "false"), ("u", "true"), ("b", "false")):
        for key in keys:
            page.keyboard.press(key)
        page.wait_for_selector(f"#go-on[aria-disabled={is_disabled}]")
    page.keyboard.press("Enter")
    page.wait_for_url("**?done=*")
    assert "You have done everything" in page.inner_text("main")
    values = {one.dimension: one.value for one in server.whole(study).judgments}
    assert values == {"grammaticality": "B", "focus": "B"}


def test_marks_can_be_given_on_a_phone_without_scripts(server, open_page):
    scales, page = {"worth": ("0", "1", "2")}, open_page(java_script_enabled=False)
    page.set_viewport_size(PHONE)
    study = begin(server, page, "judgment", small_corpus(), scales=scales, per_informant=1)
    page.click("#go-on")
    assert "One mark to go: Worth." in page.inner_text("#outcome")
    page.locator("label", has_text="2").click()
    page.click("#go-on")
    page.wait_for_url("**?done=*")
    assert [(one.dimension, one.value) for one in server.whole(study).judgments] == [("worth", 2)]


def test_choices_between_two_give_the_share_of_pairs_that_each_won(server, open_page, means):
    page = open_page()
    study = begin(server, page, "pairs", small_corpus())
    for following in (2, 0):
        first = page.locator(".pair article").first.inner_text()
        # "odd" is better on ships; on trees they are equally good.
        wanted = "The first" if system_of(first) == "odd" else "The second"
        page.locator("label", has_text=wanted if "ships" in first else "Equally good").click()
        go_on(page, following)
    assert means(study, "better") == {"even": (0 + 0.5) / 2, "odd": (1 + 0.5) / 2}


# The best two sentences of ships are worth 10 + 7, those of trees 10 + 3.
@pytest.mark.parametrize("name, values, even, odd", [
    ("ships", (10, 0, 7, 5), 17 / 17, 5 / 17), ("trees", (1, 2, 3, 10), 4 / 13, 12 / 13),
])  # fmt: skip
def test_utilities_give_the_relative_utility_worked_out_by_hand(
    server, open_page, command, name, values, even, odd
):
    page = open_page()
    study = begin(server, page, "utility", small_corpus(name))
    if name == "trees":
        page.keyboard.press("j")
    for unit, value in enumerate(values):
        if name == "trees":
            page.keyboard.press("t" if value == 10 else str(value))
        else:
            page.locator(f"#u{unit} label", has_text=re.compile(f"^{value}$")).click()
    go_on(page, 0)
    systems = command(study, "score", "-m", "relative_utility")["systems"]
    scores = {one["system"]: one["means"]["relative_utility"]["value"] for one in systems}
    assert scores == {"even": pytest.approx(even), "odd": pytest.approx(odd)}


def test_several_categories_are_chosen_by_keys_and_none_of_the_above_takes_the_others_back(
    server, open_page
):
    page = open_page()
    study = begin(
        server, page, "category", small_corpus(), several_categories=True, per_informant=1
    )
    first = (("1", ["0"]), ("2", ["0", "1"]), ("0", ["2"]), ("2", ["1"]))
    for key, chosen in (*first, ("1", ["0", "1"]), ("u", ["1"])):
        page.keyboard.press(key)
        page.wait_for_selector(f"#outcome[data-values='{values_of(chosen)}']", state="attached")
        boxes = page.locator("input[name=category]:checked").all()
        assert [box.get_attribute("value") for box in boxes] == chosen
    go_on(page, 0)
    values = {one.dimension: one.value for one in server.whole(study).judgments}
    assert (values["category: ships"], values["category: trees"]) == (0, 1)


# ── coverage and questions ────────────────────────────────────────────────


def test_a_summary_is_compared_in_the_browser(server, open_page, means):
    # The second topic has no reference, but somebody judged it before.
    texts = {"candidates": {LEAD: CANDIDATES[LEAD]}, "references": {ANN: REFERENCES[ANN]}}
    both = content_corpus(**texts)
    summaries = [one for one in both.summaries if (one.topic, one.role) != (STORM, "reference")]
    old = Judgment(STORM, LEAD, "old", "coverage", 0.8)
    corpus = dataclasses.replace(both, summaries=tuple(summaries), judgments=(old,))
    page = open_page()
    study = begin(server, page, "coverage", corpus, scales=SCALES)
    choose(page, "mark-0", 3)
    choose(page, "mark-1", 1)
    page.wait_for_selector("#outcome[data-missing='']", state="attached")
    page.click("#go-on")
    page.wait_for_selector(".compared")
    assert "zz-" not in page.content() and "zz/" not in page.content()
    for name, value in (("shared-0", 0), ("percent-0", 100), ("percent-1", 40)):
        choose(page, name, value)
    page.wait_for_selector("#missing >> text=express something of sentence 2")
    # A slip is undone, and the boxes follow.
    page.click("#undo")
    expect(page.locator("input[name=percent-1]:checked")).to_have_count(0)
    choose(page, "percent-1", 0)
    choose(page, "related", 20)
    go_on(page, 0)
    judgments = [one for one in server.whole(study).judgments if one.judge == "Heron"]
    # Coverage is (100 % + 0 %) / 2.
    values = {"coverage": 0.5, "related": 0.2, "grammaticality": "B", "focus": "yes"}
    assert {one.dimension: one.value for one in judgments} == values
    # (0.5 + 0.8) / 2, up to the last bit of the sum.
    assert means(study, "coverage") == {LEAD: pytest.approx(0.65, abs=1e-12)}


def test_questions_are_answered_in_the_browser(server, open_page, command):
    corpus = content_corpus(FERRY, questions=QUESTIONS, candidates={LEAD: CANDIDATES[LEAD]})
    page = open_page()
    study = begin(server, page, "questions", corpus, conditions=("summary",))
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
    page = open_page()
    study = begin(server, page, "units", content_corpus(FERRY))
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
    # Typed, not selected.
    page.fill("#words", "Two <b>died</b>")
    page.check("input[name=summary][value='1']")
    page.fill("#label", "Two people died")
    page.press("#label", "Enter")
    page.wait_for_selector("mark.said >> text=Two <b>died</b>")
    page.click("button[aria-label^='Remove: The ferry sank']")
    page.wait_for_selector("#label-1", state="detached")
    page.click("#undo")
    page.wait_for_selector("#label-1")
    page.click("#go-on")
    page.wait_for_url("**done=1")
    (pyramid,) = server.whole(study).pyramids
    units = [("1", "The ferry sank", 2), ("2", "Two people died", 1)]
    assert [(scu.id, scu.label, scu.weight) for scu in pyramid.scus] == units
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
    ticks, page = {LEAD: (0, 2), ECHO: (1,)}, open_page()
    corpus = content_corpus(FERRY, pyramids=(Pyramid(FERRY, scus),))
    study = begin(server, page, "unit_marks", corpus)
    for following in ("2", "done=all"):
        text = page.text_content(".as-written")
        assert "zz-" not in page.content()
        (author,) = (name for name, own in CANDIDATES.items() if own == text)
        for unit in ticks[author]:
            page.check(f"label:has-text('{scus[unit].label}') >> input")
        page.wait_for_selector(f"#missing >> text={len(ticks[author])} of 3 units")
        page.click("#go-on")
        # The next summary follows at once.
        page.wait_for_url(f"**{following}")
    scores = scores_by_command(server.whole(study), tmp_path, "pyramid", "scu_recall")
    # The best two units weigh 2 + 2, those of the first system 2 + 1.
    for system, pyramid, recall in ((LEAD, 3 / 4, 2 / 3), (ECHO, 1.0, 1 / 3)):
        assert scores[FERRY, system, "pyramid"] == pyramid
        assert scores[FERRY, system, "scu_recall"] == pytest.approx(recall, abs=1e-12)


def test_units_are_made_without_a_script(server, open_page):
    page, words = open_page(java_script_enabled=False), "The ferry went"
    begin(server, page, "units", content_corpus(FERRY))
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
