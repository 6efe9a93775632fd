"""A researcher walks over all pages of statistics in a real browser, while an informant works."""

import re

import pytest
from playwright.sync_api import expect

from summetry.references import topic_votes
from summetry.web.demo import demo_corpus


@pytest.fixture
def researcher(server, open_page):
    page = open_page()
    page.goto(server.login)
    page.click("button.primary")
    page.wait_for_url("**/studies")
    return page


def test_the_votes_follow_an_informant_and_every_page_shows_the_study(
    server, open_page, researcher
):
    study = server.study("Demo: extracts")
    base = study.replace("/s/", "/studies/")
    researcher.goto(base)
    researcher.get_by_role("link", name="Mean length", exact=True).click()
    researcher.wait_for_selector("th[aria-sort=ascending]")
    researcher.select_option("#group", "students")
    researcher.get_by_role("button", name="Show").click()
    researcher.wait_for_url("**group=students**")
    researcher.get_by_text("18", exact=True).wait_for()

    # The informant is given a text; the researcher looks at its votes.
    heron = open_page()
    heron.goto(study)
    heron.fill("#name", "Heron")
    heron.check("input[value=students]")
    heron.check("input[name=consent]")
    heron.click("button.primary")
    heron.wait_for_selector("#outcome")
    title = heron.locator("h1").inner_text()
    corpus = demo_corpus()
    number = 1 + [topic.title for topic in corpus.topics].index(title)
    (votes,) = (v for v in topic_votes(corpus) if v.topic.title == title)
    counts = votes.ballot.counts
    # The three sentences with fewest votes get one more each.
    few = sorted(sorted(range(len(counts)), key=counts.__getitem__)[:3])
    researcher.goto(f"{base}/votes/{number}")
    for unit in few:
        assert researcher.get_attribute(f"#s{unit}", "data-votes") == str(counts[unit])
    assert "5 informants" in researcher.locator(".legend").inner_text()

    # Slider and rules redraw the reference without a new page.
    researcher.evaluate("document.body.dataset.same = 'yes'")
    researcher.locator("#at").fill("60")
    researcher.locator("#at-out", has_text="60%, at most").wait_for()
    researcher.wait_for_url("**length=60**")
    taken = researcher.locator(".s.in").count()
    researcher.locator("#at").fill("10")
    researcher.locator("#at-out", has_text="10%, at most").wait_for()
    # The text is drawn after what stands beside it.
    expect(researcher.locator(".s.in")).not_to_have_count(taken)
    assert researcher.locator(".s.in").count() < taken
    assert researcher.evaluate("document.body.dataset.same") == "yes"

    for unit in few:
        heron.click(f"#u{unit} span")
    heron.wait_for_selector(f'#outcome[data-set="{" ".join(map(str, few))}"]')
    heron.click("#go-on")
    heron.wait_for_url("**/review")
    heron.click("button.primary")
    heron.wait_for_url("**done=1")

    # The page asks by itself, and draws the new votes.
    researcher.wait_for_selector(f"#s{few[0]}[data-votes='{counts[few[0]] + 1}']")
    assert researcher.evaluate("document.body.dataset.same") == "yes"
    for unit in few:
        assert researcher.get_attribute(f"#s{unit}", "data-votes") == str(counts[unit] + 1)
    researcher.reload()
    assert "6 informants" in researcher.locator(".legend").inner_text()

    # The reference at a length is saved with the study.
    researcher.locator("#at").fill("30")
    researcher.locator("#at-out", has_text="30%, at most").wait_for()
    researcher.get_by_role("button", name="Save as reference").click()
    researcher.get_by_text("Saved with the study: majority: 30%, position").wait_for()
    assert "length=30" in researcher.url

    # A pasted summary.
    researcher.fill("#paste", " ".join(corpus.topics[number - 1].units[:2]))
    researcher.get_by_role("button", name="Compare").click()
    researcher.wait_for_selector("#compared")
    assert "All of it was found" in researcher.locator("#compare").inner_text()

    # Informants: leave the outlier out.
    researcher.get_by_role("link", name="Informants").click()
    researcher.wait_for_url("**/informants")
    assert "far from everybody" in researcher.locator("main").inner_text()
    assert re.search(r"Heron\s+students, joined", researcher.locator("main").inner_text())
    researcher.check("input[value=p5]")
    researcher.click("button.primary")
    researcher.wait_for_url("**without=p5")
    assert "Without p5" in researcher.locator("#without").inner_text()

    # Differences: an editor's extract is kept, and shown beside the vote.
    researcher.get_by_role("link", name="Differences").click()
    researcher.get_by_role("link", name=title).click()
    researcher.wait_for_url(f"**/differences/{number}")
    researcher.get_by_role("button", name="Keep my extract").click()
    researcher.get_by_role("button", name="Change my extract").wait_for()
    shown = researcher.locator("#editor").inner_text()
    assert "editor: admin" in shown and "100% of the sentences of the reference" in shown

    researcher.goto(f"{base}/judgments")
    researcher.get_by_text("No judgments yet").wait_for()

    # Without JavaScript a button draws the reference anew.
    plain = open_page(java_script_enabled=False, storage_state=researcher.context.storage_state())
    plain.goto(f"{base}/votes/{number}")
    plain.locator("#at").fill("60")
    plain.get_by_role("button", name="Show").click()
    plain.wait_for_url("**length=60**")
    assert "60%, at most" in plain.locator("#at-out").inner_text()
    assert plain.locator(".s.in").count() > 0
    # On paper the votes stay and the controls go.
    plain.emulate_media(media="print")
    assert plain.locator("#text").is_visible() and not plain.locator("#at").is_visible()
    assert not plain.locator("#paste").is_visible()
