"""Every page, as axe-core sees it: WCAG 2.2 A and AA without a serious violation."""

import re

import pytest
from barriers import PHONE, check, violations
from browsers import DESKTOP
from playwright.sync_api import expect
from web_content import FERRY, LEAD, QUESTIONS, STORM, content_corpus, corpus_of, flat_units

from summetry.records.judgments import Judgment
from summetry.records.summaries import Extract
from summetry.records.topics import Document, Topic, cut_anew

TASKS = (
    "extract", "judgment", "pairs", "utility", "category", "units", "unit_marks", "coverage",
    "questions",
)  # fmt: skip


def check_in_both_sizes(page):
    """Check the page as it is on a desktop and on a phone."""
    for size in (DESKTOP, PHONE):
        page.set_viewport_size(size)
        check(page)


def check_contrast_in_the_dark(page):
    """In the dark scheme nothing but the colours differs."""
    page.emulate_media(color_scheme="dark")
    page.evaluate("document.getAnimations().forEach(change => change.finish())")
    options = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
    assert violations(page, options) == [], page.url


@pytest.mark.parametrize("task", TASKS)
def test_informants_meet_no_barrier_in_a_task(server, open_page, task):
    corpus = content_corpus(pyramids=flat_units("It sank", "Two died"), questions=QUESTIONS)
    more = {"categories": {"sea": "ships", "land": ""}, "several_categories": True}
    study = server.study(task, corpus, **more, with_source=True, longest=90)
    page = open_page()
    server.open_item(page, study)
    check_in_both_sizes(page)


@pytest.mark.parametrize("path", ["/", "Demo: extracts", "Demo: judgments", "/login"])
def test_visitors_meet_no_barrier(server, open_page, path):
    page = open_page()
    page.goto(server.started.studies.get(path) or server.base + path)
    check_in_both_sizes(page)


@pytest.mark.parametrize("path", ["/1", "/1/review", "?done=1"])
def test_who_makes_an_extract_meets_no_barrier(server, open_page, path):
    study, heron = server.begin()
    for more in [{}, {"do": "submit"}] if "done" in path else [{}]:
        heron.send(study, unit=["0", "3", "5"], **more)
    page = open_page()
    server.hand_over(heron, page)
    page.goto(f"{server.link(study)}{path}")
    check_in_both_sizes(page)


# ── researchers ───────────────────────────────────────────────────────────

OF_ALL = ("/studies", "/studies/new", "/account", "/account/tokens", "/accounts", "/log")
OF_EXTRACTS = (
    "", "/votes", "/votes/1", "/informants", "/differences", "/differences/1", "/progress",
    "/invite", "/texts", "/texts/0", "/export", "/settings", "/log",
)  # fmt: skip
OF_JUDGMENTS = ("", "/judgments", "/estimates", "/settings")


@pytest.fixture(scope="module")
def studies(server):
    """A study of extracts and one of judgments, by the first part of a page's name."""
    topics, names = (FERRY, STORM), ("Ann", "Bob", "Cy")
    extracts = (Extract(t, name, (0, n % 3)) for t in topics for n, name in enumerate(names))
    marks = (
        Judgment(topic, system, judge, "focus", mark)
        for topic in topics
        for judge in names[:2]
        for system, mark in ((LEAD, "good"), ("zz-echo", "bad"))
    )
    scales = {"focus": ("bad", "good")}
    judged = content_corpus(judgments=tuple(marks), scales=scales)
    judgments = server.study("judgment", judged, name="Marks", scales=scales, drawn=1)
    # Numbers that take long are kept, so that no test of a page pays for them.
    for path in OF_JUDGMENTS:
        server.admin().get(f"/studies/{judgments}{path}")
    extracts = server.study(corpus=content_corpus(extracts=tuple(extracts)), name="Votes")
    return {"extracts": extracts, "judgments": judgments}


def test_a_list_of_studies_is_no_barrier(server, open_page, studies):
    # An administrator's list has the studies of all tests so far.
    page = open_page()
    server.hand_over(server.researcher("Wren", studies=studies.values()), page)
    page.goto(f"{server.base}/studies")
    expect(page.get_by_role("row")).to_have_count(3)
    check(page)
    check_contrast_in_the_dark(page)


@pytest.mark.parametrize("study, path", [
    *[("", path) for path in OF_ALL[1:]],
    *[("extracts", path) for path in OF_EXTRACTS],
    *[("judgments", path) for path in OF_JUDGMENTS],
])  # fmt: skip
def test_researchers_meet_no_barrier(server, researcher, studies, study, path):
    page = researcher
    page.goto(f"{server.base}{f'/studies/{studies[study]}' if study else ''}{path}")
    check(page)
    check_contrast_in_the_dark(page)


def test_every_page_that_a_menu_leads_to_is_checked(server, studies):
    admin, checked = server.admin(), set(OF_ALL)
    for kind, paths in (("extracts", OF_EXTRACTS), ("judgments", OF_JUDGMENTS)):
        checked |= {f"/studies/{studies[kind]}{path}" for path in paths}
    for path in [*OF_ALL, *(f"/studies/{study}" for study in studies.values())]:
        header = re.search("<header.*?</header>", admin.get(path).text, re.S)[0]
        links = set(re.findall(r'href="(/(?:studies/|account)[^"?]*)"', header))
        pages = {link.replace(studies["judgments"], studies["extracts"]) for link in links}
        assert pages <= checked | {f"/studies/{studies['extracts']}{p}" for p in OF_JUDGMENTS}
    assert len(checked) > 20


@pytest.mark.parametrize("path", ["", "/votes/1", "/export"])
@pytest.mark.parametrize("unit", ["word", "paragraph"])
def test_texts_of_other_units_than_sentences_meet_no_barrier(server, open_page, unit, path):
    text = "The ferry struck the pier, at noon.\n\nNobody was hurt. It was well-known."
    ferry = cut_anew(Topic("t", "The ferry", documents=(Document("d", text=text),)), unit, "en")
    corpus = corpus_of(ferry, extracts=(Extract("t", "Ann", (0, 1)),))
    study = server.study(corpus=corpus, longest=90)
    page = open_page()
    if path:
        server.hand_over(server.admin(), page)
        page.goto(f"{server.base}/studies/{study}{path}")
    else:
        server.open_item(page, study)
        page.locator("#u0 span").click()
        page.wait_for_selector("#outcome[data-set='0']")
    check(page)
    # A menu with long entries is not wider than a phone.
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_a_word_that_is_mended_meets_no_barrier(server, researcher):
    bare = Topic("t", "The ferry", documents=(Document("d", text="It struck a well-known pier."),))
    study = server.study(corpus=corpus_of(cut_anew(bare, "word", "en")), state="draft")
    page = researcher
    page.goto(f"{server.base}/studies/{study}/texts/0?unit=3")
    check(page)
    page.get_by_role("button", name="Join with the next").click()
    page.get_by_text("To cut it, choose the word").wait_for()
    check(page)
