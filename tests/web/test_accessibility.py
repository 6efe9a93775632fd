"""Every page, as axe-core sees it: WCAG 2.2 A and AA without a serious violation."""

import re

import pytest
from barriers import check, check_contrast_in_the_dark, show
from browsers import DESKTOP, PHONE, kept_context
from web_content import FERRY, LEAD, QUESTIONS, STORM, content_corpus, corpus_of, flat_units

from summetry.records.judgments import Judgment
from summetry.records.summaries import Extract
from summetry.records.topics import Document, Topic, cut_anew

TASKS = (
    "extract", "judgment", "pairs", "utility", "category", "units", "unit_marks", "coverage",
    "questions",
)  # fmt: skip


@pytest.fixture
def shown(browser, server):
    """Shows what a visitor got in one page of the browser, in which axe stays."""
    page = kept_context(browser).pages[0]
    if not page.url.startswith(server.base):
        page.goto(f"{server.base}/login")

    def make(answer):
        assert answer.status_code == 200
        page.set_viewport_size(DESKTOP)
        show(page, answer.text)
        return page

    yield make
    # Other tests take the same page as a new one.
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(DESKTOP)


def check_in_both_sizes(page):
    check(page)
    page.set_viewport_size(PHONE)
    # Colours are the same, and take most of the time.
    check(page, but=("color-contrast",))


def begin_task(server, task):
    corpus = content_corpus(pyramids=flat_units("It sank", "Two died"), questions=QUESTIONS)
    more = {"categories": {"sea": "ships", "land": ""}, "several_categories": True}
    return server.study(task, corpus, **more, with_source=True, longest=90)


@pytest.mark.parametrize("task", TASKS)
def test_informants_meet_no_barrier_in_a_task(server, shown, task):
    study = begin_task(server, task)
    check_in_both_sizes(shown(server.informant(study).get(f"/s/{study}/1")))


@pytest.mark.parametrize("task, keys", [("extract", ("j", "Space")), ("judgment", ("a",))])
def test_what_scripts_add_is_no_barrier(server, open_page, task, keys):
    page = open_page()
    page.set_viewport_size(PHONE)
    server.open_item(page, begin_task(server, task))
    for key in keys:
        page.keyboard.press(key)
    page.wait_for_selector("#saved time")
    page.keyboard.press("?")
    check(page)


@pytest.mark.parametrize("path", ["/", "/login", "Demo: extracts", "Demo: judgments", "/try"])
def test_visitors_meet_no_barrier(server, shown, path):
    visitor = server.visitor()
    page = visitor.get(server.started.studies.get(path, path))
    if path == "/try":
        page = visitor.press("Score", candidate="Boats hit the pier.", reference="A pier 🛳️ hit.")
    check_in_both_sizes(shown(page))


@pytest.mark.parametrize("path", ["/1", "/1/review", "?done=1"])
def test_who_makes_an_extract_meets_no_barrier(server, shown, path):
    study, heron = server.begin()
    for more in [{}, {"do": "submit"}] if "done" in path else [{}]:
        heron.send(study, unit=["0", "3", "5"], **more)
    check_in_both_sizes(shown(heron.get(f"/s/{study}{path}")))


def test_what_was_returned_and_all_that_a_person_entered_is_no_barrier(server, shown):
    study, heron = server.begin()
    heron.send(study, unit=["0", "3"], note="A note.", do="return", script=False)
    (person,) = server.people(study)
    check_in_both_sizes(shown(heron.get(f"/s/{study}/1")))
    check_in_both_sizes(shown(server.admin().get(f"/studies/{study}/people/{person.id}")))


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
    units = ((0,), (0, 1), (0, 2))
    extracts = (Extract(t, *own) for t in topics for own in zip(names, units, strict=True))
    marks = (
        Judgment(topic, system, judge, "focus", mark)
        for topic in topics
        for judge in names[:2]
        for system, mark in ((LEAD, "good"), ("zz-echo", "bad"))
    )
    scales = {"focus": ("bad", "good")}
    judged = content_corpus(judgments=tuple(marks), scales=scales)
    judgments = server.study("judgment", judged, name="Marks", scales=scales, drawn=1)
    extracts = server.study(corpus=content_corpus(extracts=tuple(extracts)), name="Votes")
    return {"extracts": extracts, "judgments": judgments}


@pytest.fixture(scope="module")
def researcher(server, studies):
    """An administrator whose list has two studies, not those of all tests so far."""
    server.account("Wren", studies=studies.values(), is_admin=True)
    visitor = server.visitor()
    visitor.get("/login")
    visitor.press("Log in", name="Wren", password="correct horse battery")
    return visitor


PAGES = [
    *[("", path) for path in OF_ALL],
    *[("extracts", path) for path in OF_EXTRACTS],
    *[("judgments", path) for path in OF_JUDGMENTS],
]


@pytest.fixture
def get(researcher, studies):
    """What a researcher gets of a page."""
    return lambda study, path: researcher.get(f"/studies/{studies[study]}{path}" if study else path)


@pytest.mark.parametrize("study, path", PAGES)
def test_researchers_meet_no_barrier(get, shown, study, path):
    check(shown(get(study, path)))


# Those with most colours always: their pairs are those of all pages.
COLOURFUL = {("", "/log"), ("extracts", "/votes/1"), ("extracts", "/settings"), ("judgments", "")}


@pytest.mark.parametrize("study, path", [
    page if page in COLOURFUL else pytest.param(*page, marks=pytest.mark.slow) for page in PAGES
])  # fmt: skip
def test_researchers_have_contrast_in_the_dark(get, shown, study, path):
    check_contrast_in_the_dark(shown(get(study, path)))


def test_every_page_that_a_menu_leads_to_is_checked(researcher, studies):
    checked = set(OF_ALL)
    for kind, paths in (("extracts", OF_EXTRACTS), ("judgments", OF_JUDGMENTS)):
        checked |= {f"/studies/{studies[kind]}{path}" for path in paths}
    for path in [*OF_ALL, *(f"/studies/{study}" for study in studies.values())]:
        header = re.search("<header.*?</header>", researcher.get(path).text, re.S)[0]
        links = set(re.findall(r'href="(/(?:studies/|account)[^"?]*)"', header))
        pages = {link.replace(studies["judgments"], studies["extracts"]) for link in links}
        assert pages <= checked | {f"/studies/{studies['extracts']}{p}" for p in OF_JUDGMENTS}
    assert len(checked) > 20


@pytest.mark.parametrize("path", ["/s/{}/1", "/studies/{}/votes/1", "/studies/{}/export"])
@pytest.mark.parametrize("unit", ["word", "paragraph"])
def test_texts_of_other_units_than_sentences_meet_no_barrier(server, shown, unit, path):
    text = "The ferry struck the pier, at noon.\n\nNobody was hurt. It was well-known."
    ferry = cut_anew(Topic("t", "The ferry", documents=(Document("d", text=text),)), unit, "en")
    corpus = corpus_of(ferry, extracts=(Extract("t", "Ann", (0, 1)),))
    study = server.study(corpus=corpus, longest=90)
    visitor = server.informant(study) if path.startswith("/s/") else server.admin()
    if path.startswith("/s/"):
        visitor.send(study, unit=["0"])
    page = shown(visitor.get(path.format(study)))
    check(page)
    # A menu with long entries is not wider than a phone.
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_a_word_that_is_mended_meets_no_barrier(server, shown):
    bare = Topic("t", "The ferry", documents=(Document("d", text="It struck a well-known pier."),))
    study = server.study(corpus=corpus_of(cut_anew(bare, "word", "en")), state="draft")
    admin = server.admin()
    check(shown(admin.get(f"/studies/{study}/texts/0?unit=3")))
    joined = admin.press("Join with the next")
    assert "To cut it, choose the word" in joined.text
    check(shown(joined))
