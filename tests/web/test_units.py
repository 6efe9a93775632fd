"""Marking content units in references, and the whole way of the pyramid method in a browser."""

import html
import re

import pytest
from playwright.sync_api import expect
from web_content import (
    ANN,
    BOB,
    CANDIDATES,
    ECHO,
    FERRY,
    LEAD,
    REFERENCES,
    content_corpus,
    flat_units,
    read_whole,
    scores_by_command,
    send,
    whole,
)
from web_walk import join

from summetry.records.pyramids import Contributor
from summetry.web.database import Database
from summetry.web.store.studies import make_study
from summetry.web.tasks.units import segments


@pytest.fixture
def study(web):
    return web.study("units", content_corpus(FERRY))


def add(visitor, study, words, summary=0, label="", to=None, **more):
    do = "add" if to is None else f"to-{to}"
    data = {"words": words, "summary": str(summary), "label": label, "do": do}
    return send(visitor, study, **{**data, **more})


def shown_units(answer):
    """The labels of the panel, each with the words that belong to it."""
    units = re.split(r'<div class="unit-head">', answer.text.split('id="texts"')[0])[1:]
    return [
        (
            html.unescape(re.search(r' value="([^"]*)" maxlength', unit)[1]),
            [
                html.unescape(part)
                for part in re.findall(r'<span lang="en"[^>]*>(.*?)</span>', unit)
            ],
        )
        for unit in units
    ]


def test_words_become_a_unit_and_words_of_other_summaries_are_added(web, study):
    heron = web.informant(study)
    add(heron, study, "A ferry  sank", label=" the ferry sank ")
    answer = add(heron, study, "The ferry went down", summary=1, to=0)
    assert shown_units(answer) == [("the ferry sank", ["A ferry sank", "The ferry went down"])]
    send(heron, study, do="submit", **{"label-0": "the ferry sank"})
    (pyramid,) = whole(web, study).pyramids
    (unit,) = pyramid.scus
    assert (pyramid.topic, unit.label, unit.weight) == (FERRY, "the ferry sank", 2)
    assert unit.contributors == (
        Contributor(ANN, "A ferry sank", 0, 12),
        Contributor(BOB, "The ferry went down", 0, 19),
    )


def test_words_that_are_not_in_the_summary_are_refused_and_stay_in_the_field(web, study):
    heron = web.informant(study)
    for script in (True, False):
        answer = add(heron, study, "A boat <sank>", 1, label="boat", script=script)
        assert answer.status_code == 200
        assert "“A boat &lt;sank&gt;” does not stand in summary 2" in answer.text
        assert shown_units(answer) == []
    # Without a script the fields come with the page.
    assert ">A boat &lt;sank&gt;</textarea>" in answer.text and 'value="boat"' in answer.text
    assert "Select words in a summary" in add(heron, study, " ").text


def test_words_that_stand_twice_are_those_that_were_selected(web):
    study = web.study("units", content_corpus(FERRY))
    heron = web.informant(study)
    add(heron, study, "e", near="20")
    send(heron, study, do="submit")
    (part,) = whole(web, study).pyramids[0].scus[0].contributors
    # "A ferry sank in fog. Two people died.": the e's are at 3, 26, 30 and 34.
    assert (part.start, part.end) == (26, 27)


def test_a_unit_without_a_name_is_called_like_its_words(web, study):
    heron = web.informant(study)
    assert shown_units(add(heron, study, "in fog")) == [("in fog", ["in fog"])]
    assert "Mark at least one unit" not in heron.get(f"/s/{study}/1").text


def test_the_same_name_is_the_same_unit(web, study):
    heron = web.informant(study)
    add(heron, study, "Two people died", label="Two died")
    answer = add(heron, study, "Two <b>died</b>", 1, label="two  DIED")
    assert shown_units(answer) == [("Two died", ["Two people died", "Two <b>died</b>"])]
    add(heron, study, "in fog", label="fog")
    refused = send(heron, study, **{"label-0": "Two died", "label-1": "TWO died"})
    assert "Another unit is called" in refused.text
    assert [label for label, _ in shown_units(refused)] == ["Two died", "fog"]
    renamed = send(heron, study, **{"label-1": "In the fog"})
    assert [label for label, _ in shown_units(renamed)] == ["Two died", "In the fog"]
    again = add(heron, study, "in fog", to=1)
    assert "belong to unit 2 already" in again.text


def test_contributors_and_units_are_removed_and_come_back_by_undo(web, study):
    heron = web.informant(study)
    add(heron, study, "A ferry sank", label="sank")
    add(heron, study, "The ferry went down", 1, to=0)
    both = ["A ferry sank", "The ferry went down"]
    assert shown_units(send(heron, study, remove="0.0")) == [("sank", both[1:])]
    assert shown_units(send(heron, study, remove="0.0")) == []
    assert shown_units(send(heron, study, do="undo")) == [("sank", both[1:])]
    assert shown_units(send(heron, study, do="undo")) == [("sank", both)]
    assert shown_units(send(heron, study, remove="0")) == []


@pytest.mark.parametrize(
    "data",
    [
        {"do": "to-5", "words": "fog"},
        {"do": "to-x", "words": "fog"},
        {"remove": "9"},
        {"remove": "0.7"},
        {"do": "add", "summary": "2", "words": "fog"},
        {"do": "add", "words": "x" * 6000},
    ],
)
def test_what_no_page_sends_is_refused(web, study, data):
    heron = web.informant(study)
    add(heron, study, "in fog")
    assert send(heron, study, **data).status_code == 400


def test_nothing_marked_is_not_submitted(web, study):
    heron = web.informant(study)
    assert "Mark at least one unit" in send(heron, study, do="submit").text
    assert whole(web, study).pyramids == ()


def test_of_several_people_the_first_who_submitted_made_the_pyramid(web):
    study = web.study("units", content_corpus(FERRY, pyramids=flat_units("old")))
    heron, wren = web.informant(study, "Heron"), web.informant(study, "Wren")
    add(wren, study, "in fog", label="by Wren")
    send(wren, study, do="submit")
    add(heron, study, "in fog", label="by Heron")
    send(heron, study, do="submit")
    # It takes the place of the one that was uploaded.
    (pyramid,) = whole(web, study).pyramids
    assert [scu.label for scu in pyramid.scus] == ["by Wren"]


def test_pieces_of_a_text_are_cut_where_parts_begin_and_end():
    pieces = list(segments("abcdef", [(1, 1, 4), (2, 2, 4), (2, 0, 1)]))
    assert [(p.text, p.units, p.ends) for p in pieces] == [
        ("a", (2,), (2,)),
        ("b", (1,), ()),
        ("cd", (1, 2), (1, 2)),
        ("ef", (), ()),
    ]


# ── in a browser ──────────────────────────────────────────────────────────

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


def make(path, task, corpus, **settings):
    database = Database(path)
    database.upgrade()
    with database.writing() as connection:
        study = make_study(connection, "Study", task, corpus, None, "open")
    database.close()
    return study


def test_a_pyramid_is_made_and_used_in_the_browser(tmp_path, open_page, serve):
    path = tmp_path / "units.db"
    study = make(path, "units", content_corpus(FERRY))
    with serve(path) as server:
        page = open_page()
        join(page, f"{server.base}/s/{study}")
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
        select(page, 0, "in fog")
        page.fill("#label", "There was fog")
        page.click("text=Add as a new unit")
        page.wait_for_selector("#label-2")
        page.click("button[aria-label^='Remove: The ferry sank']")
        page.wait_for_selector("#label-2", state="detached")
        page.click("#undo")
        page.wait_for_selector("#label-2")
        page.click("#go-on")
        page.wait_for_url("**done=1")
    made = read_whole(path, study)
    (pyramid,) = made.pyramids
    assert [(scu.id, scu.label, scu.weight) for scu in pyramid.scus] == [
        ("1", "The ferry sank", 2),
        ("2", "Two people died", 2),
        ("3", "There was fog", 1),
    ]
    for scu in pyramid.scus:
        for part in scu.contributors:
            assert REFERENCES[part.author][part.start : part.end] == part.text

    path = tmp_path / "marks.db"
    study = make(path, "unit_marks", made)
    ticks = {LEAD: ("The ferry sank", "There was fog"), ECHO: ("Two people died",)}
    with serve(path) as server:
        page = open_page()
        # Heron is in the corpus already: nobody else can have the name.
        join(page, f"{server.base}/s/{study}", "Kestrel")
        for place in (1, 2):
            text = page.text_content(".as-written")
            assert "zz-" not in page.content()
            (author,) = (name for name, own in CANDIDATES.items() if own == text)
            for label in ticks[author]:
                page.check(f"label:has-text('{label}') >> input")
            page.wait_for_selector(f"#missing >> text={len(ticks[author])} of 3 units")
            page.click("#go-on")
            # The next summary follows at once.
            page.wait_for_url("**/2" if place == 1 else "**done=all")
    scores = scores_by_command(read_whole(path, study), tmp_path, "pyramid", "scu_recall")
    # The best two units weigh 2 + 2, those of the first system 2 + 1.
    assert scores[FERRY, LEAD, "pyramid"] == 3 / 4
    assert scores[FERRY, LEAD, "scu_recall"] == pytest.approx(2 / 3, abs=1e-12)
    assert scores[FERRY, ECHO, "pyramid"] == 1.0
    assert scores[FERRY, ECHO, "scu_recall"] == pytest.approx(1 / 3, abs=1e-12)


def test_units_are_made_without_a_script(server, open_page):
    page = open_page(java_script_enabled=False)
    join(page, server.study("content units"))
    words = " ".join(page.text_content(".reference >> nth=1").split()[:3])
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
