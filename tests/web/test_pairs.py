"""The choice between two summaries, request by request."""

import html
import re

from strange_corpora import SYSTEMS, TOPICS, strange_corpus

from summetry.web.catalogues import choose_language
from summetry.web.demo import demo_corpus
from summetry.web.store.answers import answers_of
from summetry.web.store.people import people_of
from summetry.web.store.studies import find_study
from summetry.web.tasks import TASKS, Work


def shown(visitor, study, place):
    """The two summaries of a page, from left to right."""
    page = visitor.get(f"/s/{study}/{place}").text
    texts = re.findall(r'<div class="prose" lang="en" dir="ltr">\s*<p>(.*?)</p>', page)
    return [html.unescape(text) for text in texts[:2]]


def choose(visitor, study, place, better, **more):
    data = {"version": str(visitor.version(f"/s/{study}/{place}")), "better": better, **more}
    return visitor.post(f"/s/{study}/{place}", data)


def best(texts, order):
    """What somebody says who ranks systems by ``order``, best first."""
    first, second = (order.index(int(re.search(r"Number (\d)", text)[1])) for text in texts)
    return "first" if first < second else "second"


def test_every_pair_of_systems_of_a_topic_is_an_item(web):
    study = web.study("pairs", strange_corpus())
    with web.database.reading() as connection:
        items = TASKS["pairs"].items(find_study(connection, study), strange_corpus())
    one, two, three = SYSTEMS
    pairs = [(one, two), (one, three), (two, three)]
    assert [item.key for item in items] == [(topic, *pair) for topic in TOPICS for pair in pairs]


def test_shares_of_won_pairs_are_judgments_on_the_dimension_better(web):
    study = web.study("pairs", strange_corpus())
    # Which side is which is drawn for everybody anew, so that some of eight see pairs turned.
    people = [f"Heron {number}" for number in range(8)]
    for name in people:
        heron = web.informant(study, name)
        for place in range(1, 7):
            texts = shown(heron, study, place)
            # Of the first topic the ranking is 2, 0, 1; of the second all are equally good.
            better = best(texts, [2, 0, 1]) if "of 0." in texts[0] else "equal"
            choose(heron, study, place, better, do="submit")
    judged = web.whole(study).judgments
    values = {(one.judge, one.topic, one.author): one.value for one in judged}
    one, two, three = SYSTEMS
    first, second = TOPICS
    # The best wins both pairs, the middle one of two, the last none.
    shares = {(first, three): 1.0, (first, one): 0.5, (first, two): 0.0}
    shares |= {(second, system): 0.5 for system in SYSTEMS}
    assert values == {(name, *key): share for name in people for key, share in shares.items()}
    assert {judgment.dimension for judgment in judged} == {"better"}
    middle = [judgment for judgment in judged if (judgment.topic, judgment.author) == (first, one)]
    assert all(judgment.meta["against"] == {two: 1.0, three: 0.0} for judgment in middle)


def test_no_side_is_favoured(web):
    study = web.study("pairs", demo_corpus(), seed=3)
    turned, of_person = [], []
    for name in ("Heron", "Wren"):
        web.informant(study, name)
    with web.database.reading() as connection:
        here = find_study(connection, study)
        corpus = web.site.corpora.uploaded(connection, here)
        for person in people_of(connection, study):
            (answer,) = answers_of(connection, person.id)
            own = []
            for item in TASKS["pairs"].items(here, corpus):
                work = _work(here, corpus, item, person, answer)
                shown_first = TASKS["pairs"].show(work)["summaries"][0]
                own.append(shown_first != _text(corpus, item.topic, item.key[1]))
            turned += own
            of_person.append(own)
    # 270 fair draws are outside of 95 to 175 less often than once in a million.
    assert 95 < sum(turned) < 175
    assert of_person[0] != of_person[1]


def test_a_page_that_is_opened_again_has_the_same_sides(web):
    study = web.study("pairs", strange_corpus())
    heron = web.informant(study)
    assert shown(heron, study, 1) == shown(heron, study, 1) != []
    choose(heron, study, 1, "second")
    assert re.search(r'value="second"[^>]* checked', heron.get(f"/s/{study}/1").text)


def test_nothing_is_submitted_without_a_choice(web):
    study = web.study("pairs", strange_corpus())
    heron = web.informant(study)
    data = {"version": str(heron.version(f"/s/{study}/1")), "do": "submit"}
    answer = heron.post(f"/s/{study}/1", data)
    assert "Choose one, or say that they are equally good." in answer.text
    assert web.whole(study).judgments == ()
    refused = choose(heron, study, 1, "left")
    assert refused.status_code == 400 and "expected first, second or equal" in refused.text


def _work(study, corpus, item, person, answer):
    return Work(study, corpus, item, (), {}, choose_language("en"), answer, person)


def _text(corpus, topic, author):
    summaries = corpus.of_topic("summaries", topic)
    return [corpus.text_of(one) for one in summaries if one.author == author]
