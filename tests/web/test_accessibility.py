"""Every page, as axe-core sees it: WCAG 2.2 A and AA without a serious violation."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from barriers import PHONE, check
from browsers import DESKTOP
from web_content import FERRY, LEAD, QUESTIONS, STORM, content_corpus, flat_units

from summetry.records.corpus import Corpus
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
    assert Axe().run(page, options=options).response["violations"] == [], page.url


@pytest.mark.parametrize("task", TASKS)
def test_informants_meet_no_barrier_in_a_task(server, open_page, task):
    corpus = content_corpus(pyramids=flat_units("It sank", "Two died"), questions=QUESTIONS)
    study = server.study(task, corpus, categories=("sea", "land"), with_source=True, longest=90)
    page = open_page()
    server.open_item(page, study)
    check_in_both_sizes(page)


@pytest.mark.parametrize("path", ["", "/s/EXTRACTS", "/s/JUDGMENTS", "/login"])
def test_visitors_meet_no_barrier(server, open_page, path):
    for name in ("extracts", "judgments"):
        path = path.replace(f"/s/{name.upper()}", server.demo(name).removeprefix(server.base))
    page = open_page()
    page.goto(server.base + path)
    check_in_both_sizes(page)


@pytest.mark.parametrize("path", ["1", "1/review", ""])
def test_who_makes_an_extract_meets_no_barrier(server, open_page, path):
    study = server.study()
    heron = server.informant(study)
    heron.send(study, unit=["0", "3", "5"])
    if not path:
        heron.send(study, unit=["0", "3", "5"], do="submit")
    page = open_page()
    server.hand_over(heron, page)
    page.goto(f"{server.link(study)}/{path}".rstrip("/") + ("" if path else "?done=1"))
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
    names = ("Ann", "Bob", "Cy")
    extracts = (
        Extract(t, name, (0, n % 3)) for t in (FERRY, STORM) for n, name in enumerate(names)
    )
    marks = (
        Judgment(topic, system, judge, "focus", mark)
        for topic in (FERRY, STORM)
        for judge in names[:2]
        for system, mark in ((LEAD, "good"), ("zz-echo", "bad"))
    )
    scales = {"focus": ("bad", "good")}
    judged = content_corpus(judgments=tuple(marks), scales=scales)
    return {
        "extracts": server.study(corpus=content_corpus(extracts=extracts), name="Votes"),
        "judgments": server.study("judgment", judged, name="Marks", scales=scales, drawn=1),
    }


@pytest.mark.parametrize(
    "study, path",
    [
        *[("", path) for path in OF_ALL],
        *[("extracts", path) for path in OF_EXTRACTS],
        *[("judgments", path) for path in OF_JUDGMENTS],
    ],
)
def test_researchers_meet_no_barrier(server, researcher, studies, study, path):
    page = researcher
    page.goto(f"{server.base}{f'/studies/{studies[study]}' if study else ''}{path}")
    check(page)
    check_contrast_in_the_dark(page)


def test_every_page_that_a_menu_leads_to_is_checked(server, studies):
    admin = server.admin()
    checked = set(OF_ALL)
    for kind, paths in (("extracts", OF_EXTRACTS), ("judgments", OF_JUDGMENTS)):
        checked |= {f"/studies/{studies[kind]}{path}" for path in paths}
    for path in [*OF_ALL, *(f"/studies/{study}" for study in studies.values())]:
        header = re.search("<header.*?</header>", admin.get(path).text, re.S)[0]
        links = set(re.findall(r'href="(/(?:studies/|account)[^"?]*)"', header))
        pages = {link.replace(studies["judgments"], studies["extracts"]) for link in links}
        assert pages <= checked | {f"/studies/{studies['extracts']}{p}" for p in OF_JUDGMENTS}
    assert len(checked) > 20


@pytest.mark.parametrize("unit", ["word", "paragraph"])
def test_texts_of_other_units_than_sentences_meet_no_barrier(server, open_page, unit):
    text = "The ferry struck the pier, at noon.\n\nNobody was hurt. It was well-known."
    topic = cut_anew(Topic("t", "The ferry", documents=(Document("d", text=text),)), unit, "en")
    corpus = Corpus("units", "en", topics=(topic,), extracts=(Extract("t", "Ann", (0, 1)),))
    study = server.study(corpus=corpus, longest=90)
    page = open_page()
    server.open_item(page, study)
    page.locator("#u0 span").click()
    page.wait_for_selector("#outcome[data-set='0']")
    check(page)
    server.hand_over(server.admin(), page)
    page.goto(f"{server.base}/studies/{study}/votes/1")
    check(page)
    # A menu with long entries is not wider than a phone.
    page.set_viewport_size(PHONE)
    page.goto(f"{server.base}/studies/{study}/export")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_a_word_that_is_mended_meets_no_barrier(server, researcher):
    bare = Topic("t", "The ferry", documents=(Document("d", text="It struck a well-known pier."),))
    corpus = Corpus("words", "en", topics=(cut_anew(bare, "word", "en"),))
    page = researcher
    page.goto(f"{server.base}/studies/{server.study(corpus=corpus, state='draft')}/texts/0?unit=3")
    check(page)
    page.get_by_role("button", name="Join with the next").click()
    page.get_by_text("To cut it, choose the word").wait_for()
    check(page)
