"""The choice of a category, request by request."""

import dataclasses
import html
import re
from itertools import pairwise

import msgspec
import pytest
from strange_corpora import SYSTEMS, TOPICS, WRITER, strange_corpus

from summetry.metaeval.judges import judgment_scores
from summetry.records.summaries import Summary
from summetry.tasks import categorize
from summetry.web.store.answers import answers_of
from summetry.web.store.people import people_of


def keys(web, study):
    """What every person was given, in their order."""
    with web.database.reading() as connection:
        return {
            person.name: [
                msgspec.json.decode(answer.item) for answer in answers_of(connection, person.id)
            ]
            for person in people_of(connection, study)
        }


def choose(visitor, study, place, category, **more):
    data = {"version": str(visitor.version(f"/s/{study}/{place}")), **more}
    return visitor.post(f"/s/{study}/{place}", data | {"category": str(category)})


def test_the_categories_are_those_of_the_topics_or_of_the_study(web):
    for settings, categories in (
        ({}, ["land", "sea"]),
        ({"categories": ("sea", "air")}, ["sea", "air"]),
    ):
        study = web.study("category", strange_corpus(), **settings)
        page = web.informant(study).get(f"/s/{study}/1").text
        choices = re.findall(r"<label[^>]*><input[^>]*> <span>([^<]+)</span>", page)
        assert choices == [*categories, "none of the above"]
        assert re.findall(r'name="category" value="(\w+)"', page) == ["0", "1", "2"]
        assert " checked" not in page


def test_a_choice_is_a_judgment_and_it_is_told_whether_it_is_right(web):
    study = web.study("category", strange_corpus(), categories=("sea", "air"))
    heron = web.informant(study)
    given = {}
    for place in range(1, 11):
        topic, role, author = keys(web, study)["Heron"][-1]
        # "sea" for everything: right for the first topic; for the second, none of the above is.
        given[topic, author or role] = place
        choose(heron, study, place, 0, do="submit")
    corpus = web.whole(study)
    authors = {"source", *SYSTEMS, WRITER}
    assert set(given) == {(topic, author) for topic in TOPICS for author in authors}
    chosen = [one for one in corpus.judgments if one.dimension == "category"]
    assert {(one.topic, one.author) for one in chosen} == set(given)
    assert {one.value for one in chosen} == {"sea"}
    assert corpus.scales["category"] == ("sea", "air", "none of the above")
    right = {
        (one.topic, one.author): one.value
        for one in corpus.judgments
        if one.dimension == "right category"
    }
    assert right == {(topic, author): int(topic == TOPICS[0]) for topic, author in given}


def test_the_mean_of_right_category_is_the_share_of_right_answers(web):
    study = web.study("category", strange_corpus())
    # Land, the second topic's category, is the first choice.
    for name, choice in (("Heron", 0), ("Wren", 0), ("Stork", 2)):
        visitor = web.informant(study, name)
        for place in range(1, 11):
            choose(visitor, study, place, choice, do="submit")
    table = judgment_scores(web.whole(study), ["right category"])
    scores = {
        (row.topic, row.author): value for row, (value,) in zip(table.rows, table.data, strict=True)
    }
    for author in ("source", *SYSTEMS):
        assert scores[TOPICS[0], author] == 0
        assert scores[TOPICS[1], author] == pytest.approx(2 / 3)


def test_the_task_categorization_counts_what_people_chose(web):
    study = web.study("category", strange_corpus(), categories=("sea", "air"))
    heron = web.informant(study)
    for place in range(1, 11):
        # "Sea" for the first topic, which is right; "none of the above" for the other, too, but
        # for the writer, whose second summary is called "air".
        topic, _, author = keys(web, study)["Heron"][-1]
        choice = 0 if topic == TOPICS[0] else 1 if author == WRITER else 2
        choose(heron, study, place, choice, do="submit")
    rows = {row.system: row for row in categorize(web.whole(study), draws=20).rows}
    assert {row.by for row in rows.values()} == {"people"}
    assert {name: row.f.value for name, row in rows.items()} == {
        "": 1.0, **dict.fromkeys(SYSTEMS, 1.0), WRITER: 0.5,
    }  # fmt: skip
    assert rows[WRITER].categories["none of the above"].recall == 0


def test_a_topic_comes_again_only_after_all_others(web):
    study = web.study("category", strange_corpus())
    for name in ("Heron", "Wren", "Stork"):
        visitor = web.informant(study, name)
        for place in range(1, 11):
            choose(visitor, study, place, 0, do="submit")
    for given in keys(web, study).values():
        topics = [key[0] for key in given]
        assert all(a != b for a, b in pairwise(topics))
        assert len(set(map(tuple, given))) == 10


def test_source_and_summary_look_alike(web):
    study = web.study("category", strange_corpus())
    heron = web.informant(study)
    shapes = set()
    for place in range(1, 11):
        page = html.unescape(heron.get(f"/s/{study}/{place}").text)
        page = re.sub(r"(Sentence|Number|What)[^<]*(<u>so</u>[^<]*)?", "...", page)
        page = re.sub(rf"Text {place}\b", "Text N", page)
        shapes.add(re.sub(rf"{study}/(\d+/)?{place}\b|csrf\" value=\"[^\"]*", "", page))
        choose(heron, study, place, 0, do="submit")
    assert len(shapes) == 1


def test_a_system_that_is_called_source_is_refused(web):
    corpus = strange_corpus()
    clash = Summary(TOPICS[0], "source", "candidate", "Text.")
    corpus = dataclasses.replace(corpus, summaries=(*corpus.summaries, clash))
    study = web.study("category", corpus)
    answer = web.visitor().get(f"/s/{study}")
    assert answer.status_code == 422 and "rename its author" in answer.text


def test_one_category_is_too_few(web):
    study = web.study("category", strange_corpus(), categories=("sea",))
    answer = web.visitor().get(f"/s/{study}")
    assert answer.status_code == 422 and "expected two or more categories" in answer.text


def test_none_of_the_above_can_be_chosen_and_is_shown_again(web):
    study = web.study("category", strange_corpus())
    heron = web.informant(study)
    assert re.search(r'value="2"[^>]* checked', choose(heron, study, 1, 2).text)
    choose(heron, study, 1, 2, do="submit")
    chosen = {one.dimension: one.value for one in web.whole(study).judgments}
    assert chosen == {"category": "none of the above", "right category": 0}


def test_nothing_is_submitted_without_a_choice(web):
    study = web.study("category", strange_corpus())
    heron = web.informant(study)
    data = {"version": str(heron.version(f"/s/{study}/1")), "do": "submit"}
    assert "Choose one." in heron.post(f"/s/{study}/1", data).text
    assert web.whole(study).judgments == ()
    assert choose(heron, study, 1, 3).status_code == 400
