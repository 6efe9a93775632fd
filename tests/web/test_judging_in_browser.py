"""Judgments, pairs, utilities and categories: done in a browser, exported, scored by the command.

Every study here has two topics, two systems that extract sentences, and values that can be
worked out by hand.
"""

import json
import re
import subprocess
import sys

import pytest
from web_walk import join

from summetry.formats import FORMATS
from summetry.records.corpus import Corpus
from summetry.records.summaries import Summary
from summetry.records.topics import Document, Topic
from summetry.web.corpora import Corpora
from summetry.web.database import Database
from summetry.web.settings import StudySettings
from summetry.web.store.studies import find_study, make_study

# "even" takes sentences 0 and 2, "odd" takes 1 and 3.
SYSTEMS = {"even": (0, 2), "odd": (1, 3)}
TOPICS = ("ships", "trees")
NUMBERS = ("zero", "one", "two", "three")


def corpus():
    topics = tuple(
        Topic(
            id=f"the {name}",
            title=f"All about {name}",
            category=name,
            language="en",
            documents=(Document(id=name, units=tuple(f"Of {name} {n}." for n in NUMBERS)),),
        )
        for name in TOPICS
    )
    summaries = tuple(
        Summary(topic.id, system, "candidate", units=units)
        for topic in topics
        for system, units in SYSTEMS.items()
    )
    return Corpus("small", "en", topics=topics, summaries=summaries)


@pytest.fixture
def study(server, tmp_path):
    """Makes a study on the running server, and hands out what was submitted in it as a folder."""
    database = Database(re.search(r"\(database (.*)\);", server.lines[0])[1])

    class Study:
        def make(self, task, **settings):
            with database.writing() as connection:
                self.id = make_study(
                    connection,
                    f"A study: {task}",
                    task,
                    corpus(),
                    StudySettings(**settings),
                    "open",
                )
            return f"{server.base}/s/{self.id}"

        def corpus(self):
            with database.reading() as connection:
                return Corpora().whole(connection, find_study(connection, self.id))

        def command(self, *words):
            folder = tmp_path / "-".join(words)
            FORMATS.build("folder").write(self.corpus(), folder)
            run = [sys.executable, "-m", "summetry", words[0], str(folder), *words[1:], "--json"]
            return json.loads(subprocess.run(run, check=True, capture_output=True).stdout)

        def means(self, dimension):
            """The mean judgment of every system, by `compare`."""
            found = self.command("compare", "--dimension", dimension)
            return {row["system"]: row["mean"] for row in found["systems"]["rows"]}

    yield Study()
    database.close()


def system_of(text):
    """Which system's words these are."""
    return "even" if "zero" in text else "odd"


def topic_of(text):
    return next(name for name in TOPICS if f"Of {name}" in text)


def go_on(page, place):
    """Press the button of the page once everything is given, and wait for what follows."""
    page.wait_for_selector('#outcome[data-missing=""]', state="attached")
    page.click("#go-on")
    page.wait_for_url(f"**/{place + 1}" if place else "**?done=*")


# Places on the scale from A, by topic and system.
MARKS = {
    ("ships", "even"): "ABCDE",
    ("ships", "odd"): "AAAAA",
    ("trees", "even"): "CBCDA",
    ("trees", "odd"): "EEEEE",
}
QUESTIONS = (
    "Grammaticality",
    "Non-redundancy",
    "Reference clarity",
    "Focus",
    "Structure and coherence",
)


def article(page):
    return page.locator("article").inner_text()


def test_marks_by_pointer_and_by_keyboard_have_the_mean_worked_out_by_hand(study, open_page):
    address = study.make("judgment", with_source=True)
    page = open_page()
    join(page, address)
    for place in range(1, 5):
        page.wait_for_url(f"**/{place}")
        text = article(page)
        marks = MARKS[topic_of(text), system_of(text)]
        for question, mark in zip(QUESTIONS, marks, strict=True):
            group = page.get_by_role("group", name=question)
            group.locator("label", has_text=mark).click()
        go_on(page, 0 if place == 4 else place)
    # Another judge, without a pointer, gives everything a B and takes one mark back.
    page = open_page()
    page.goto(address)
    page.locator("#name").focus()
    page.keyboard.type("Wren")
    page.keyboard.press("Enter")
    for place in range(1, 5):
        page.wait_for_url(f"**/{place}")
        page.wait_for_selector("#go-on[aria-disabled=true]")
        page.keyboard.press("s")
        page.get_by_text("Of ships one." if "ships" in article(page) else "Of trees one.").nth(
            -1
        ).wait_for()
        for key in "bbbbe":
            page.keyboard.press(key)
        page.wait_for_selector("#go-on[aria-disabled=false]")
        # However quickly the marks came, one is taken back.
        page.keyboard.press("u")
        page.wait_for_selector("#go-on[aria-disabled=true]")
        page.keyboard.press("b")
        page.wait_for_selector("#go-on[aria-disabled=false]")
        page.keyboard.press("Enter")
    page.wait_for_url("**?done=*")
    assert "You have done everything" in page.inner_text("main")
    # Heron's focus of "even": D and D (2, 2), of "odd": A and E (5, 1); Wren's: always B (4).
    assert study.means("focus") == {"even": 3.0, "odd": 3.5}
    # Grammaticality of "even": A and C (5, 3), of "odd": A and E (5, 1).
    assert study.means("grammaticality") == {"even": 4.0, "odd": 3.5}


def test_marks_can_be_given_on_a_phone_without_scripts(study, open_page):
    address = study.make("judgment", scales={"worth": ("0", "1", "2")}, per_informant=1)
    page = open_page(viewport={"width": 390, "height": 844}, java_script_enabled=False)
    join(page, address)
    page.click("#go-on")
    assert "One mark to go: Worth." in page.inner_text("#outcome")
    page.locator("label", has_text="2").click()
    page.click("#go-on")
    page.wait_for_url("**?done=*")
    assert [(one.dimension, one.value) for one in study.corpus().judgments] == [("worth", 2)]


def test_choices_between_two_give_the_share_of_pairs_that_each_won(study, open_page):
    page = open_page()
    join(page, study.make("pairs"))
    for place in (1, 2):
        page.wait_for_url(f"**/{place}")
        first = page.locator(".pair article").first.inner_text()
        # "odd" is better on ships; on trees they are equally good.
        wanted = "The first" if system_of(first) == "odd" else "The second"
        page.locator("label", has_text=wanted if "ships" in first else "Equally good").click()
        go_on(page, 0 if place == 2 else place)
    assert study.means("better") == {"even": (0 + 0.5) / 2, "odd": (1 + 0.5) / 2}


def test_utilities_give_the_relative_utility_worked_out_by_hand(study, open_page):
    page = open_page()
    join(page, study.make("utility"))
    values = {"ships": (10, 0, 7, 5), "trees": (1, 2, 3, 4)}
    for place in (1, 2):
        page.wait_for_url(f"**/{place}")
        name = topic_of(page.locator("article").inner_text())
        if place == 1:
            for number, value in enumerate(values[name]):
                page.locator(f"#u{number} label", has_text=re.compile(f"^{value}$")).click()
        else:
            page.keyboard.press("j")
            for value in values[name]:
                page.keyboard.press("t" if value == 10 else str(value))
        page.wait_for_selector('#outcome[data-missing=""]', state="attached")
        page.click("#go-on")
        page.wait_for_url("**?done=*")
        if place == 1:
            page.get_by_role("link", name="Continue: 2 of 2").click()
    found = study.command("score", "-m", "relative_utility")
    scores = {one["system"]: one["means"]["relative_utility"]["value"] for one in found["systems"]}
    # The best two sentences are worth 10 + 7 and 4 + 3.
    assert scores["even"] == pytest.approx((17 / 17 + 4 / 7) / 2)
    assert scores["odd"] == pytest.approx((5 / 17 + 6 / 7) / 2)


def test_categories_give_the_share_of_right_answers(study, open_page):
    page = open_page()
    join(page, study.make("category"))
    topics = []
    for place in range(1, 7):
        page.wait_for_url(f"**/{place}")
        text = article(page)
        topics.append(topic_of(text))
        whole = "zero" in text and "one" in text
        # Right for the texts and for "even"; of "odd", ships are called trees and trees nothing.
        if whole or system_of(text) == "even":
            page.get_by_label(topics[-1]).check()
        elif topics[-1] == "ships":
            page.get_by_label("trees").check()
        else:
            page.get_by_label("none of the above").check()
        go_on(page, 0 if place == 6 else place)
    assert topics[:2] == topics[2:4] == topics[4:] and len(set(topics)) == 2
    assert study.means("right category") == {"source": 1.0, "even": 1.0, "odd": 0.0}
