"""What the scripts of researchers' pages do in a real browser, and what is printed.

What needs no script is tried by requests: see ``Visitor.press``.
"""

import re

import pytest
from browsers import assert_printed_on_a4
from playwright.sync_api import expect
from web_content import corpus_of

from summetry.records.summaries import Extract
from summetry.records.topics import Document, Topic

FERRY = (
    "The ferry struck the pier at noon. Nobody was hurt, said Dr. Lind, who was on board. "
    "The pier has to be closed for a month.\n\nThe ferry goes on, but it stops at the old quay."
)
UNITS = (
    "The ferry struck the pier at noon.",
    "Nobody was hurt, said Dr. Lind, who was on board.",
    "The pier has to be closed for a month.",
    "The ferry goes on, but it stops at the old quay.",
)
LAKE = "The lake is cold in May. The fish stay deep until the water is warm again."


def press(page, name):
    """Press the last button of a name."""
    page.get_by_role("button", name=name).last.click()


def test_a_title_is_shown_before_the_upload_and_words_are_cut(server, researcher):
    page = researcher
    page.goto(f"{server.base}/studies/new")
    page.get_by_label("Name of the study").fill("Ferries")
    text = f"The ferry and the pier\n\n{LAKE}".encode()
    file = {"name": "ferry.txt", "mimeType": "text/plain", "buffer": text}
    page.get_by_label("Files").set_input_files([file])
    page.get_by_label("Cut the texts into").select_option("word")
    preview = page.get_by_text("ferry.txt: the title is “The ferry and the pier”")
    expect(preview).to_be_visible()
    press(page, "Make the study")
    page.wait_for_url("**/texts")
    (topic,) = server.uploaded(re.search(r"/studies/(\w+)", page.url)[1]).topics
    assert (topic.title, topic.unit) == ("The ferry and the pier", "word")
    assert topic.units[:3] == ("The", "lake", "is")


@pytest.fixture
def voted(server):
    """A study with three extracts of the ferry; the last sentence has one vote of three."""
    votes = {"Ann": (0, 1), "Bob": (0, 2), "Cy": (0, 1, 3)}
    ferry = Topic("ferry", documents=(Document("d", text=FERRY, units=UNITS),))
    extracts = tuple(Extract("ferry", name, units) for name, units in votes.items())
    return server.study(corpus=corpus_of(ferry, extracts=extracts))


@pytest.fixture
def votes_page(server, voted, researcher):
    page = researcher
    page.route("**/votes/1", ask_every_second)
    page.goto(f"{server.base}/studies/{voted}/votes/1")
    # The same page as long as this stays.
    page.evaluate("document.body.dataset.same = 'yes'")
    return page


def ask_every_second(route):
    answer = route.fetch()
    assert "every 10s" in answer.text()
    route.fulfill(response=answer, body=answer.text().replace("every 10s", "every 1s"))


def test_drawn_votes_follow_an_informant(server, voted, votes_page):
    page = votes_page
    drawn = [page.get_attribute(f"#s{unit}", "data-votes") for unit in range(4)]
    assert drawn == ["3", "2", "1", "1"]
    server.informant(voted).send(voted, unit=["1", "3"], do="submit")
    # The page asks by itself, and draws the new votes.
    page.wait_for_selector("#s1[data-votes='3']")
    assert page.evaluate("document.body.dataset.same") == "yes"
    assert page.get_attribute("#s3", "data-votes") == "2"


def test_the_slider_redraws_the_reference_which_is_saved(votes_page):
    page = votes_page
    # 60% of 35 words are 21: the second sentence fits beside the first, 16 words.
    for length, count in ((60, 2), (30, 1)):
        page.locator("#at").fill(str(length))
        page.locator("#at-out", has_text=f"{length}%, at most").wait_for()
        page.wait_for_url(f"**length={length}**")
        # The text is drawn after what stands beside it.
        expect(page.locator(".s.in")).to_have_count(count)
    assert page.evaluate("document.body.dataset.same") == "yes"
    press(page, "Save as reference")
    page.get_by_text("Saved with the study: majority: 30%, position").wait_for()
    assert "length=30" in page.url


def test_the_statistics_and_the_votes_are_printed(server, voted, researcher):
    page = researcher
    page.goto(f"{server.base}/studies/{voted}")
    assert_printed_on_a4(page)
    assert page.locator(".figure-2").is_visible()
    page.goto(f"{server.base}/studies/{voted}/votes/1?length=20")
    assert_printed_on_a4(page)
    visible = [page.locator(f"#{part}").is_visible() for part in ("text", "facts", "at", "paste")]
    assert visible == [True, True, False, False]
