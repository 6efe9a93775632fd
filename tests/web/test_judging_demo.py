"""The demo studies in which summaries and sentences are judged."""

import re

import pytest

from summetry.metaeval.judges import judgment_scores
from summetry.web.demo import demo_corpus, make_demo
from summetry.web.store.accounts import add_researcher
from summetry.web.store.studies import all_studies


@pytest.fixture
def demo(web):
    """The ids of the demo studies, by name."""
    with web.database.writing() as connection:
        make_demo(connection, add_researcher(connection, "Ada"))
        return {study.name: study.id for study in all_studies(connection)}


@pytest.mark.parametrize(
    ("name", "asks"),
    [
        ("Demo: judgments", "give a mark for each question"),
        ("Demo: pairs", "say which one is better"),
        ("Demo: utilities", "how much it belongs in a summary"),
        ("Demo: categories", "say what it is about"),
    ],
)
def test_every_demo_study_can_be_joined(web, demo, name, asks):
    visitor = web.informant(demo[name])
    assert asks in visitor.get(f"/s/{demo[name]}/1").text


def test_the_demo_has_the_judgments_and_utilities_of_the_corpus(web, demo):
    # One of the six systems is left out: see below.
    left = tuple(one for one in demo_corpus().judgments if one.author != "echo")
    assert web.whole(demo["Demo: judgments"]).judgments == left
    assert web.whole(demo["Demo: utilities"]).utilities == demo_corpus().utilities


def test_the_demo_shows_a_clear_difference_of_the_best_two_and_an_unclear_one(web, demo):
    page = web.admin().get(f"/studies/{demo['Demo: judgments']}/judgments").text
    assert "careful is better than picker." in page
    assert "The best two, careful and lead, do not differ significantly." in page
    assert re.findall(r"<h2>(\w+)</h2>", page)[:2] == ["Responsiveness", "Grammaticality"]
    assert "too few for" not in page


def test_the_choices_of_the_demo_follow_its_responsiveness(web, demo):
    corpus = web.whole(demo["Demo: pairs"])
    marks = {
        (one.topic, one.judge, one.author): one.value
        for one in demo_corpus().judgments
        if one.dimension == "responsiveness"
    }
    for one in corpus.judgments:
        others = {
            other.author: marks[one.topic, one.judge, other.author]
            for other in corpus.of_topic("summaries", one.topic)
            if other.role == "candidate" and other.author != one.author
        }
        mine = marks[one.topic, one.judge, one.author]
        lost = sum(mark > mine for mark in others.values())
        equal = sum(mark == mine for mark in others.values())
        assert one.value == pytest.approx((len(others) - lost - equal / 2) / len(others))
    # Of all pairs half of the points are won.
    assert judgment_scores(corpus, ["better"]).data.mean() == pytest.approx(0.5)
