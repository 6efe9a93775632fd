"""Every page of the demo, as axe-core sees it: WCAG 2.2 A and AA without a serious violation."""

import re

import pytest
from barriers import PHONE, check
from web_walk import join

from summetry.records.corpus import Corpus
from summetry.records.summaries import Extract
from summetry.records.topics import Document, Topic, cut_anew
from summetry.web.database import Database
from summetry.web.settings import StudySettings
from summetry.web.store.studies import make_study

TASKS = (
    "extracts", "judgments", "pairs", "utilities", "categories", "content units", "unit marks",
    "coverage", "questions",
)  # fmt: skip


@pytest.mark.parametrize("size", [None, PHONE], ids=["desktop", "phone"])
def test_informants_meet_no_barrier(server, open_page, size):
    page = open_page(**({"viewport": size} if size else {}))
    page.goto(server.base)
    check(page)
    for task in TASKS:
        page.goto(server.study(f"Demo: {task}"))
        check(page)
        join(page, page.url, f"Reader {page.viewport_size['width']}")
        check(page)
        if task == "extracts":
            page.locator(".unit input").nth(0).check(force=True)
            page.locator(".unit input").nth(3).check(force=True)
            page.locator(".unit input").nth(5).check(force=True)
            page.wait_for_selector("#outcome[data-set='0 3 5']")
            check(page)
            page.click("#go-on")
            page.wait_for_url("**/review")
            check(page)
            page.click("button.primary")
            page.wait_for_url("**done=1")
            check(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_researchers_meet_no_barrier(serve, tmp_path, open_page, scheme):
    with serve(tmp_path / "demo.db", "--demo") as server:
        look_at_every_page(server, open_page(color_scheme=scheme))


def look_at_every_page(server, page):
    page.goto(server.login)
    check(page)
    page.click("button.primary")
    page.wait_for_url("**/studies")
    addresses = {page.url}
    seen = set()
    base = re.match(r"http://[^/]+", page.url)[0]
    # Every page that a link leads to, of one study for each kind.
    for task in ("extracts", "judgments"):
        study = server.study(f"Demo: {task}").replace("/s/", "/studies/")
        addresses |= {study, f"{study}/judgments"}
        addresses |= {f"{study}/votes/1", f"{study}/informants", f"{study}/differences/1"}
    addresses |= {f"{base}{path}" for path in ("/studies/new", "/account", "/accounts", "/log")}
    while addresses - seen:
        address = sorted(addresses - seen)[0]
        seen.add(address)
        page.goto(address)
        check(page)
        menu = page.locator("header nav a").evaluate_all("links => links.map(a => a.href)")
        addresses |= {link for link in menu if "/studies/" in link or "/account" in link}
    assert len(seen) > 20


@pytest.mark.parametrize("unit", ["word", "paragraph"])
def test_texts_of_other_units_than_sentences_meet_no_barrier(serve, tmp_path, open_page, unit):
    text = "The ferry struck the pier, at noon.\n\nNobody was hurt. It was well-known."
    bare = Topic("t", "The ferry", documents=(Document("d", text=text),))
    topic = cut_anew(bare, unit, "en")
    database = Database(tmp_path / "units.db")
    database.upgrade()
    with database.writing() as connection:
        corpus = Corpus("units", "en", topics=(topic,), extracts=(Extract("t", "Ann", (0, 1)),))
        settings = StudySettings(longest=90)
        study = make_study(connection, "Other units", "extract", corpus, settings, "open")
    database.close()
    with serve(tmp_path / "units.db") as server:
        page = open_page()
        join(page, f"{server.base}/s/{study}")
        page.locator("#u0 span").click()
        page.wait_for_selector("#outcome[data-set='0']")
        check(page)
        page.click("#go-on")
        page.wait_for_url("**/review")
        check(page)
        researcher = open_page()
        researcher.goto(server.login)
        researcher.get_by_role("button", name="Log in").click()
        researcher.wait_for_url("**/studies")
        for place in ("votes/1", "differences/1", "texts", "texts/0"):
            researcher.goto(f"{server.base}/studies/{study}/{place}")
            check(researcher)
        researcher.goto(f"{server.base}/studies/new")
        check(researcher)
        # A menu with long entries is not wider than a phone.
        researcher.set_viewport_size(PHONE)
        researcher.goto(f"{server.base}/studies/{study}/export")
        assert researcher.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_a_word_that_is_mended_meets_no_barrier(serve, tmp_path, open_page):
    bare = Topic("t", "The ferry", documents=(Document("d", text="It struck a well-known pier."),))
    database = Database(tmp_path / "words.db")
    database.upgrade()
    with database.writing() as connection:
        corpus = Corpus("words", "en", topics=(cut_anew(bare, "word", "en"),))
        study = make_study(connection, "Words", "extract", corpus)
    database.close()
    with serve(tmp_path / "words.db") as server:
        page = open_page()
        page.goto(server.login)
        page.get_by_role("button", name="Log in").click()
        page.wait_for_url("**/studies")
        page.goto(f"{server.base}/studies/{study}/texts/0?unit=3")
        check(page)
        page.get_by_role("button", name="Join with the next").click()
        page.get_by_text("To cut it, choose the word").wait_for()
        check(page)
