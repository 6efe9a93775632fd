"""What scripts do for judges in a real browser: keys, and content units by pointer."""

import json

from browsers import Held
from playwright.sync_api import expect
from web_content import (
    ANN,
    CANDIDATES,
    ECHO,
    FERRY,
    LEAD,
    REFERENCES,
    content_corpus,
    corpus_of,
    flat_units,
    topic_of,
)

from summetry.records.summaries import Summary

LETTERS = ("E", "D", "C", "B", "A")
SCALES = {"grammaticality": LETTERS, "focus": ("no", "yes")}


def ships():
    """A text of four sentences, of which a system has two."""
    units = [f"Of ships {n}." for n in ("zero", "one", "two", "three")]
    topic = topic_of("ships", units, "All about ships", language="en")
    return corpus_of(topic, summaries=(Summary("ships", "odd", "candidate", units=(1, 3)),))


def go_on(page, following):
    """Press the button of the page once everything is given, and wait for what follows."""
    page.wait_for_selector('#outcome[data-missing=""]', state="attached")
    page.click("#go-on")
    page.wait_for_url(f"**/{following}" if following else "**?done=*")


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


# ── judgments, utilities, categories ───────────────────────────────


def test_marks_are_given_and_taken_back_by_keyboard(server, open_page):
    scales, page = dict.fromkeys(("grammaticality", "focus"), LETTERS), open_page()
    more = {"with_source": True, "scales": scales, "per_informant": 1}
    study = server.study("judgment", ships(), **more)
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


def test_utilities_are_given_by_keyboard(server, open_page):
    page = open_page()
    study = begin(server, page, "utility", ships())
    for key in "j123t":
        page.keyboard.press(key)
    go_on(page, 0)
    (utilities,) = server.whole(study).utilities
    assert utilities.values == (1, 2, 3, 10)


def test_several_categories_are_chosen_by_keys_and_none_of_the_above_takes_the_others_back(
    server, open_page
):
    page = open_page()
    more = {"categories": {"ships": "", "trees": ""}, "several_categories": True}
    study = begin(server, page, "category", ships(), **more, per_informant=1)
    first = (("1", ["0"]), ("2", ["0", "1"]), ("0", ["2"]), ("2", ["1"]))
    for key, chosen in (*first, ("1", ["0", "1"]), ("u", ["1"])):
        page.keyboard.press(key)
        page.wait_for_selector(f"#outcome[data-values='{values_of(chosen)}']", state="attached")
        boxes = page.locator("input[name=category]:checked").all()
        assert [box.get_attribute("value") for box in boxes] == chosen
    go_on(page, 0)
    values = {one.dimension: one.value for one in server.whole(study).judgments}
    assert (values["category: ships"], values["category: trees"]) == (0, 1)


# ── coverage ────────────────────────────────────────────────


def test_a_summary_is_compared_in_the_browser(server, open_page):
    texts = {"candidates": {LEAD: CANDIDATES[LEAD]}, "references": {ANN: REFERENCES[ANN]}}
    corpus = content_corpus(FERRY, **texts)
    page = open_page()
    study = begin(server, page, "coverage", corpus, scales=SCALES)
    choose(page, "mark-0", 3)
    choose(page, "mark-1", 1)
    page.wait_for_selector("#outcome[data-missing='']", state="attached")
    page.click("#go-on")
    page.wait_for_selector(".compared")
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
    # Typed, not selected.
    page.fill("#words", "Two <b>died</b>")
    page.check("input[name=summary][value='1']")
    page.fill("#label", "Two people died")
    page.press("#label", "Enter")
    page.wait_for_selector("mark.said >> text=Two <b>died</b>")
    page.click("button[aria-label^='Remove: The ferry sank']")
    page.wait_for_selector("[name=label-1]", state="detached")
    page.click("#undo")
    page.wait_for_selector("[name=label-1]")
    page.click("#go-on")
    page.wait_for_url("**done=1")
    (pyramid,) = server.whole(study).pyramids
    units = [("1", "The ferry sank", 1), ("2", "Two people died", 1)]
    assert [(scu.id, scu.label, scu.weight) for scu in pyramid.scus] == units
    for scu in pyramid.scus:
        for part in scu.contributors:
            assert REFERENCES[part.author][part.start : part.end] == part.text


def test_labels_typed_while_a_unit_is_removed_stay_with_their_units(server, open_page):
    page = open_page()
    begin(server, page, "units", content_corpus(FERRY))
    for version, words in enumerate(("A ferry sank", "Two people died"), 1):
        page.fill("#words", words)
        page.press("#words", "Tab")
        page.press("#label", "Enter")
        page.wait_for_selector(f"#outcome [name=version][value='{version}']", state="attached")
    held = Held(page)
    page.click("button[aria-label^='Remove: A ferry sank']")
    page.press("[name=label-1]", "End")
    page.keyboard.type(" in it")
    page.focus("#words")
    page.keyboard.type("in fog")
    page.focus("[name=label-0]")
    held.let_go()
    expect(page.locator("[name=label-1]")).to_have_count(0)
    # The field with the focus is gone; what is typed on is no command.
    page.keyboard.type("u")
    expect(page.locator("[name=label-0]")).to_have_value("Two people died in it")
    expect(page.locator("#words")).to_have_value("in fog")
    expect(page.locator("#outcome [name=version]")).to_have_value("4")


def test_units_are_ticked_in_the_browser(server, open_page):
    labels = ("The ferry sank", "Two people died", "There was fog")
    ticks, page = {LEAD: (0, 2), ECHO: (1,)}, open_page()
    corpus = content_corpus(FERRY, pyramids=flat_units(*labels))
    study = begin(server, page, "unit_marks", corpus)
    for following in ("2", "done=all"):
        text = page.text_content(".as-written")
        (author,) = (name for name, own in CANDIDATES.items() if own == text)
        for unit in ticks[author]:
            page.check(f"label:has-text('{labels[unit]}') >> input")
        page.wait_for_selector(f"#missing >> text={len(ticks[author])} of 3 units")
        page.click("#go-on")
        # The next summary follows at once.
        page.wait_for_url(f"**{following}")
    (pyramid,) = (one for one in server.whole(study).pyramids if one.annotator)
    scus = pyramid.scus
    for author, units in ticks.items():
        assert [peer.scu for peer in pyramid.peers[author]] == [scus[unit].id for unit in units]
