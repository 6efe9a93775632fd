"""Pages on paper: A4, without what can only be pressed."""

import re

import pytest
from web_walk import join

CONTROLS = "button, .button, select, textarea, input[type=range], input[type=file], summary, nav a"
# In points, as a PDF counts.
A4 = (595.3, 841.9)


def printed(page):
    """The width and height of the pages; nothing on them is a control."""
    page.emulate_media(media="print")
    shown = [one.inner_text() for one in page.locator(CONTROLS).all() if one.is_visible()]
    assert shown == []
    document = page.pdf(prefer_css_page_size=True)
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", document)
    (size,) = {(float(width), float(height)) for width, height in boxes}
    return size


def test_an_extract_is_printed_as_it_is_reviewed(server, open_page):
    page = open_page()
    join(page, server.study("Demo: extracts"), "Paper")
    for unit in (0, 2, 4):
        page.locator(f"#u{unit} input").check(force=True)
    page.wait_for_selector("#outcome[data-set='0 2 4']")
    page.click("#go-on")
    page.wait_for_url("**/review")
    # Chromium rounds to its own pixels.
    assert printed(page) == pytest.approx(A4, abs=1)
    assert page.locator("article p span").count() == 3
    assert page.locator("article").is_visible()


def test_the_statistics_and_the_votes_are_printed(server, open_page):
    page = open_page()
    page.goto(server.login)
    page.click("button.primary")
    page.wait_for_url("**/studies")
    study = server.study("Demo: extracts").replace("/s/", "/studies/")
    page.goto(study)
    assert printed(page) == pytest.approx(A4, abs=1)
    assert page.locator(".figure-2").is_visible()
    page.goto(f"{study}/votes/2?length=20")
    assert printed(page) == pytest.approx(A4, abs=1)
    assert page.locator("#text").is_visible() and page.locator("#facts").is_visible()
