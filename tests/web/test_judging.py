"""Judgments, choices between two, categories and utilities, request by request."""

import dataclasses
import html
import re

import msgspec
import pytest
from strange_corpora import SYSTEMS, TOPICS, WRITER, strange_corpus

from summetry.metaeval.judges import judgment_scores
from summetry.records.summaries import Summary
from summetry.tasks import categorize
from summetry.web.catalogues import choose_language
from summetry.web.demo import demo_corpus
from summetry.web.store.answers import answers_of
from summetry.web.store.studies import all_studies
from summetry.web.tasks import TASKS, Work

FOCUS = {"focus": ("1", "2")}


def mark(visitor, study, marks, number=1, **more):
    """Send the form of a summary; marks are places on the scales, worst first."""
    return visitor.send(study, number, **{f"d{n}": str(m) for n, m in enumerate(marks)}, **more)


def choose(visitor, study, number, **more):
    return visitor.send(study, number, script=False, **more)


def rate(visitor, study, values, number=1, **more):
    return visitor.send(study, number, **{f"v{n}": str(v) for n, v in enumerate(values)}, **more)


def begin(web, task, **settings):
    """A study on a strange corpus, and somebody who has joined it."""
    return web.begin(task, strange_corpus(), **settings)


def assigned(web, study):
    """What every person was given, in their order."""
    return {
        person.name: [
            msgspec.json.decode(one.item)
            for one in web.read(answers_of, web.find(study), person.id)
        ]
        for person in web.people(study)
    }


# ── judgments ─────────────────────────────────────────────────────────────


def test_every_question_needs_a_mark(web):
    study, heron = web.begin("judgment")
    answer = mark(heron, study, [4, 4, 4], do="submit")
    assert "2 marks to go: Focus, Structure and coherence." in answer.text
    assert "One mark to go: Structure and coherence." in mark(heron, study, [4] * 4).text
    assert "All marks are given." in mark(heron, study, [4] * 5).text
    assert web.whole(study).judgments == demo_corpus().judgments


def test_marks_become_one_judgment_for_each_dimension(web):
    study, heron = begin(web, "judgment")
    mark(heron, study, [4, 3, 2, 1, 0], do="submit", note="a\r\nb")
    corpus = web.whole(study)
    dimensions = "grammaticality/non-redundancy/reference clarity/focus/structure and coherence"
    assert [(one.dimension, one.value) for one in corpus.judgments] == list(
        zip(dimensions.split("/"), "ABCDE", strict=True)
    )
    assert {judgment.judge for judgment in corpus.judgments} == {"Heron"}
    assert all(one.meta["note"] == "a\nb" and one.meta["seconds"] >= 0 for one in corpus.judgments)
    assert corpus.scales["focus"] == ("E", "D", "C", "B", "A")
    assert [person.id for person in corpus.people] == ["Heron"]
    # A counts 5 and E counts 1.
    assert judgment_scores(corpus).data.tolist() == [[5.0, 4.0, 3.0, 2.0, 1.0]]


def test_scales_of_numbers_give_numbers_and_words_give_words(web):
    scales = {"length": ("no", "partly", "yes"), "worth": ("0", "5", "10"), "grade": ("5", "1")}
    study, heron = begin(web, "judgment", scales=scales)
    page = heron.get(f"/s/{study}/1").text
    # Which end of a scale is which is told of numbers; words say it themselves.
    assert re.findall(r"(\d+) is worst, (\d+) is best", page) == [("0", "10"), ("5", "1")]
    # Words and falling numbers start with the best, growing numbers with the lowest.
    shown = re.findall(r"<span>([^<]+)</span></label>", page)
    assert shown == ["yes", "partly", "no", "0", "5", "10", "1", "5"]
    mark(heron, study, [1, 2, 1], do="submit")
    corpus = web.whole(study)
    values = {judgment.dimension: judgment.value for judgment in corpus.judgments}
    assert values == {"length": "partly", "worth": 10, "grade": "1"}
    assert set(corpus.scales) == {"length", "grade"}
    assert judgment_scores(corpus).data.tolist() == [[2.0, 10.0, 2.0]]


def test_marks_that_were_uploaded_keep_their_scale(web):
    study, heron = web.begin("judgment", scales={"grammaticality": ("bad", "good")})
    assert "A, very good" in heron.get(f"/s/{study}/1").text
    mark(heron, study, [4], do="submit")
    (mine,) = [one for one in web.whole(study).judgments if one.judge == "Heron"]
    assert (mine.dimension, mine.value) == ("grammaticality", "A")


@pytest.mark.parametrize("task, fields, items", [
    ("judgment", {f"d{n}": "1" for n in range(5)}, 8),
    ("pairs", {"better": "equal"}, 12),
    ("category", {"category": "0"}, 10),
])  # fmt: skip
def test_no_page_names_the_system_or_the_id_of_the_topic(web, task, fields, items):
    study = web.study(task, strange_corpus(), with_references=True, with_source=True, name="S")
    heron = web.visitor()
    pages = [heron.get(f"/s/{study}"), heron.post(f"/s/{study}/join", {"name": "Heron"})]
    for number in range(1, items + 1):
        pages.append(heron.get(f"/s/{study}/{number}"))
        pages.append(heron.send(study, number, 0, **fields))
        pages.append(heron.send(study, number, 1, script=False, do="submit", **fields))
    assert "You have done everything" in pages[-1].text
    assert any("Number 1 says &lt;u&gt;so&lt;/u&gt; of 0." in page.text for page in pages)
    for page in pages:
        assert not re.search(r"zz-|alert\(1\)|a/\.\./b", page.text)


@pytest.mark.parametrize("is_asked", [False, True])
def test_references_are_judged_and_the_source_is_shown_where_the_study_says_so(web, is_asked):
    authors = {*SYSTEMS, WRITER} if is_asked else set(SYSTEMS)
    more = {"with_references": is_asked, "with_source": is_asked, "scales": FOCUS}
    study, heron = begin(web, "judgment", **more)
    assert ("Sentence 0 of text" in heron.get(f"/s/{study}/1").text) == is_asked
    for number in range(1, 2 * len(authors) + 1):
        mark(heron, study, [0], number, do="submit")
    judged = {(judgment.topic, judgment.author) for judgment in web.whole(study).judgments}
    assert judged == {(topic, author) for topic in TOPICS for author in authors}


@pytest.mark.parametrize("task, fields, status, words", [
    *[("judgment", {"d0": mark}, 400, "expected a number") for mark in ("5", "-1", "A", "9" * 30)],
    ("pairs", {"better": "left"}, 400, "expected first, second or equal"),
    ("category", {"category": "3"}, 400, "expected a number below 3, found 3"),
    ("category", {"category": ["0", "1"]}, 400, "expected one category, found 2"),
    ("utility", {"v0": "11"}, 400, "expected a number below 11, found 11"),
    ("pairs", {"do": "submit"}, 200, "Choose one, or say that they are equally good."),
    ("category", {"do": "submit"}, 200, "Choose one."),
])  # fmt: skip
def test_what_the_page_cannot_have_sent_and_no_choice_are_refused(web, task, fields, status, words):
    study, heron = begin(web, task)
    answer = heron.send(study, 1, script="do" not in fields, **fields)
    assert answer.status_code == status and words in html.unescape(answer.text)
    assert web.whole(study).judgments == ()


@pytest.mark.parametrize("task, first, second, values", [
    ("judgment", {"d0": "4"}, {"d0": "4", "d1": "1"}, '[["d0", "4"]]'),
    ("utility", {"v0": "5"}, {"v0": "5", "v1": "6"}, '[["v0", "5"]]'),
])  # fmt: skip
def test_undo_goes_back_by_one_value(web, task, first, second, values):
    study, heron = begin(web, task)
    heron.send(study, **first)
    heron.send(study, **second)
    assert f"data-values='{values}'" in heron.send(study, do="undo").text


def test_a_repeated_summary_is_no_second_judgment(web):
    study, heron = begin(web, "judgment", repeat=True, per_informant=2)
    for number, place in ((1, 4), (2, 4), (3, 0)):
        mark(heron, study, [place] * 5, number, do="submit")
        heron.get(f"/s/{study}/next")
    judged = web.whole(study).judgments
    assert len(judged) == 10 and {judgment.value for judgment in judged} == {"A"}


# ── choices between two summaries ─────────────────────────────────────────


def shown_texts(visitor, study, number):
    """The two summaries of a page, from left to right."""
    page = visitor.get(f"/s/{study}/{number}").text
    texts = re.findall(r'<div class="prose" lang="en" dir="ltr">\s*<p>(.*?)</p>', page)
    return [html.unescape(text) for text in texts[:2]]


def better_of(texts, order):
    """What somebody says who ranks systems by ``order``, best first."""
    first, second = (order.index(int(re.search(r"Number (\d)", text)[1])) for text in texts)
    return "first" if first < second else "second"


def test_every_pair_of_systems_of_a_topic_is_an_item(web):
    items = TASKS["pairs"].items(web.find(web.study("pairs", strange_corpus())), strange_corpus())
    one, two, three = SYSTEMS
    pairs = [(one, two), (one, three), (two, three)]
    assert [item.key for item in items] == [(topic, *pair) for topic in TOPICS for pair in pairs]


def test_shares_of_won_pairs_are_judgments_on_the_dimension_better(web):
    study = web.study("pairs", strange_corpus())
    # Which side is which is drawn for everybody anew, so that some of four see pairs turned.
    people = [f"Heron {number}" for number in range(4)]
    for name in people:
        heron = web.informant(study, name)
        for number in range(1, 7):
            texts = shown_texts(heron, study, number)
            # Of the first topic the ranking is 2, 0, 1; of the second all are equally good.
            better = better_of(texts, [2, 0, 1]) if "of 0." in texts[0] else "equal"
            heron.send(study, number, 0, better=better, do="submit")
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
    study, task = web.study("pairs", demo_corpus(), seed=3), TASKS["pairs"]
    for name in ("Heron", "Wren"):
        web.informant(study, name)
    chosen, corpus = web.find(study), web.uploaded(study)
    shown_by_author = {(s.topic, s.author): [corpus.text_of(s)] for s in corpus.summaries}
    turned = []
    for person in web.people(study):
        (answer,) = web.read(answers_of, web.find(study), person.id)
        for item in task.items(chosen, corpus):
            work = Work(chosen, corpus, item, (), {}, choose_language("en"), answer, person)
            first = task.show(work)["summaries"][0]
            turned.append(first != shown_by_author[item.topic, item.key[1]])
    # 270 fair draws are outside of 95 to 175 less often than once in a million.
    assert len(turned) == 270 and 95 < sum(turned) < 175
    assert turned[:135] != turned[135:]


def test_a_page_that_is_opened_again_has_the_same_sides(web):
    study, heron = begin(web, "pairs")
    assert shown_texts(heron, study, 1) == shown_texts(heron, study, 1) != []
    choose(heron, study, 1, better="second")
    assert re.search(r'value="second"[^>]* checked', heron.get(f"/s/{study}/1").text)


# ── categories ────────────────────────────────────────────────────────────


@pytest.mark.parametrize("settings, categories", [
    ({}, ["land", "sea"]), ({"categories": {"sea": "", "air": ""}}, ["sea", "air"]),
    ({"several_categories": True}, ["land", "sea"]),
])  # fmt: skip
def test_the_categories_are_those_of_the_topics_or_of_the_study(web, settings, categories):
    study, heron = begin(web, "category", **settings)
    page = heron.get(f"/s/{study}/1").text
    choices = re.findall(r"<label[^>]*><input[^>]*> <span>([^<]+)</span>", page)
    assert choices == [*categories, "none of the above"]
    assert re.findall(r'name="category" value="(\w+)"', page) == ["0", "1", "2"]
    assert " checked" not in page


def categorize_all(web, study, choice_of, name="Heron"):
    """Somebody who does all items; the number of the item by topic and author."""
    visitor, numbers = web.informant(study, name), {}
    for number in range(1, 11):
        topic, role, author = assigned(web, study)[name][-1]
        numbers[topic, author or role] = number
        visitor.send(study, number, 0, category=str(choice_of(topic, author)), do="submit")
    return numbers


def test_a_choice_is_a_judgment_and_it_is_told_whether_it_is_right(web):
    study = web.study("category", strange_corpus(), categories={"sea": "", "air": ""})
    # "sea" for everything: right for the first topic; for the second, none of the above is.
    numbers = categorize_all(web, study, lambda topic, author: 0)
    corpus = web.whole(study)
    authors = {"source", *SYSTEMS, WRITER}
    assert set(numbers) == {(topic, author) for topic in TOPICS for author in authors}
    values = {
        name: {(j.topic, j.author): j.value for j in corpus.judgments if j.dimension == name}
        for name in ("category", "right category")
    }
    assert values["category"] == dict.fromkeys(numbers, "sea")
    assert values["right category"] == {key: int(key[0] == TOPICS[0]) for key in numbers}
    assert corpus.scales["category"] == ("sea", "air", "none of the above")


def test_source_and_summary_look_alike(web):
    (study, heron), shapes = begin(web, "category"), set()
    for number in range(1, 11):
        page = html.unescape(heron.get(f"/s/{study}/{number}").text)
        page = re.sub(r"(Sentence|Number|What)[^<]*(<u>so</u>[^<]*)?", "...", page)
        page = re.sub(rf"Text {number}\b", "Text N", page)
        shapes.add(re.sub(rf"{study}/(\d+/)?{number}\b|csrf\" value=\"[^\"]*", "", page))
        heron.send(study, number, 0, category="0", do="submit")
    assert len(shapes) == 1


CLASH = Summary(TOPICS[0], "source", "candidate", "Text.")


def test_a_system_called_source_is_refused(web):
    corpus = strange_corpus()
    corpus = dataclasses.replace(corpus, summaries=(*corpus.summaries, CLASH))
    answer = web.visitor().get(f"/s/{web.study('category', corpus)}")
    assert answer.status_code == 422 and "rename its author" in answer.text


def test_texts_without_categories_make_a_study_that_opens_once_it_has_two(web, admin):
    admin.get("/studies/new")
    files = {"files": ("one.txt", b"A text.\n\nIt has two paragraphs.")}
    made = admin.post("/studies/new/upload", {"name": "Plain", "task": "category"}, files=files)
    study = f"/studies/{made.url.path.split('/')[2]}"
    for page in ("texts", "progress", "judgments", "export"):
        assert admin.get(f"{study}/{page}").status_code == 200
    admin.get(f"{study}/settings")
    for categories in ("", "sea"):
        refused = admin.press("Open the study", categories=categories)
        assert refused.status_code == 422 and "two or more categories" in refused.text
    assert '"pill open"' in admin.press("Open the study", categories="sea\nland").text
    # While it is open, they cannot be taken away.
    assert "two or more categories" in admin.press("Save", categories="sea").text


def test_none_of_the_above_can_be_chosen_and_is_shown_again(web):
    study, heron = begin(web, "category")
    assert re.search(r'value="2"[^>]* checked', choose(heron, study, 1, category="2").text)
    choose(heron, study, 1, category="2", do="submit")
    chosen = {judgment.dimension: judgment.value for judgment in web.whole(study).judgments}
    assert chosen == {"category": "none of the above", "right category": 0}


def several_corpus():
    """The strange corpus, whose first topic is about the sea and the air."""
    first, second = strange_corpus().topics
    first = msgspec.structs.replace(first, category=("sea", "air"))
    return dataclasses.replace(strange_corpus(), topics=(first, second))


# Sea, air, land, none of the above.
@pytest.mark.parametrize("given, marks, right", [
    (["0", "1"], (1, 1, 0), (1, 0)), (["0"], (1, 0, 0), (2 / 3, 0)),
    (["0", "2"], (1, 0, 1), (1 / 2, 2 / 3)), (["3"], (0, 0, 0), (0, 0)),
])  # fmt: skip
def test_several_categories_are_a_judgment_on_each(web, given, marks, right):
    names = dict.fromkeys(("sea", "air", "land"), "")
    study = web.study("category", several_corpus(), categories=names, several_categories=True)
    heron, values = web.informant(study), {topic: {} for topic in TOPICS}
    for number in range(1, 11):
        heron.send(study, number, 0, category=given, do="submit")
    for one in web.whole(study).judgments:
        assert values[one.topic].setdefault(one.dimension, one.value) == one.value
    each = {f"category: {name}": mark for name, mark in zip(names, marks, strict=True)}
    for topic, f in zip(TOPICS, right, strict=True):
        assert values[topic] == {**each, "right category": pytest.approx(f)}
    # The task counts the same.
    people = categorize(web.whole(study), draws=10).rows
    assert all(row.f.value == pytest.approx(sum(right) / 2) for row in people)


def test_none_of_the_above_goes_with_no_other_category(web):
    study, heron = begin(web, "category", several_categories=True)
    for given in (["0", "2"], []):
        refused = choose(heron, study, 1, category=given, do="submit").text
        assert "Choose one or more, or none of the above." in refused
    assert web.whole(study).judgments == ()
    kept = choose(heron, study, 1, category=["0", "1"]).text
    assert re.findall(r'type="checkbox" name="category" value="(\d)"[^>]* checked', kept) == [
        "0",
        "1",
    ]


def test_descriptions_stand_beside_the_categories_and_go_with_the_corpus(web):
    categories = {"sea": "ships <b>", "air": ""}
    study, heron = begin(web, "category", categories=categories)
    page = heron.get(f"/s/{study}/1").text
    assert '<span>sea <span class="hint">ships &lt;b&gt;</span></span>' in page
    assert "<span>air</span>" in page
    corpus = web.whole(study)
    assert corpus.meta == {"categories": categories}


# ── utilities ─────────────────────────────────────────────────────────────


def test_every_sentence_needs_a_value_and_values_become_the_utilities_of_the_judge(web):
    study, heron = begin(web, "utility")
    assert "2 sentences have no value yet." in rate(heron, study, [0, 10], do="submit").text
    assert "One sentence has no value yet." in rate(heron, study, [0, 10, 3]).text
    assert web.whole(study).utilities == ()
    assert "All sentences have a value." in rate(heron, study, [0, 10, 3, 3]).text
    rate(heron, study, [0, 10, 3, 3], do="submit")
    assert "Continue: 2 of 2" in heron.get(f"/s/{study}").text
    heron.get(f"/s/{study}/next")
    rate(heron, study, [1, 2, 3, 4], 2, do="submit")
    utilities = web.whole(study).utilities
    assert {utility.topic for utility in utilities} == set(TOPICS)
    assert [utility.values for utility in utilities] == [(0, 10, 3, 3), (1, 2, 3, 4)]
    assert {utility.judge for utility in utilities} == {"Heron"}


def test_the_highest_value_is_the_studys_own_and_large_values_are_typed(web):
    study, heron = begin(web, "utility", highest=3)
    assert len(re.findall(r'name="v0"', heron.get(f"/s/{study}/1").text)) == 4
    refused = rate(heron, study, [4])
    assert refused.status_code == 400 and "expected a number below 4, found 4" in refused.text
    study, heron = begin(web, "utility", highest=100)
    assert '<input type="number" name="v0" min="0" max="100"' in heron.get(f"/s/{study}/1").text
    rate(heron, study, [0, "", 100, 55])
    typed = 'name="v2" min="0" max="100" step="1" aria-label="Value, 0 to 100" value="100"'
    assert typed in heron.get(f"/s/{study}/1").text
    rate(heron, study, [0, 7, 100, 55], do="submit")
    assert [utility.values for utility in web.whole(study).utilities] == [(0, 7, 100, 55)]


# ── the demo studies ──────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def demo(demo_web):
    """The ids of the demo studies, by name."""
    return {study.name: study.id for study in demo_web.read(all_studies)}


def test_every_demo_study_can_be_joined_and_has_the_data_of_the_corpus(demo_web, demo):
    for name, asks in {
        "judgments": "give a mark for each question",
        "pairs": "say which one is better",
        "utilities": "how much it belongs in a summary",
        "categories": "say what it is about",
    }.items():
        study = demo[f"Demo: {name}"]
        assert asks in demo_web.informant(study).get(f"/s/{study}/1").text
    # One of the six systems is left out: see below.
    judgments = tuple(one for one in demo_corpus().judgments if one.author != "echo")
    assert demo_web.whole(demo["Demo: judgments"]).judgments == judgments
    assert demo_web.whole(demo["Demo: utilities"]).utilities == demo_corpus().utilities


def test_the_demo_shows_a_clear_difference_of_the_best_two_and_an_unclear_one(demo_web, demo):
    page = demo_web.admin().get(f"/studies/{demo['Demo: judgments']}/judgments").text
    assert "careful is better than picker." in page
    assert "The best two, careful and lead, do not differ significantly." in page
    assert re.findall(r"<h2>(\w+)</h2>", page)[:2] == ["Responsiveness", "Grammaticality"]
    assert "too few for" not in page
