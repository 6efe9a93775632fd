"""The judgment task, request by request."""

import re

import pytest
from strange_corpora import SYSTEMS, TOPICS, WRITER, strange_corpus

from summetry.metaeval.judges import judgment_scores
from summetry.records.judgments import Judgment
from summetry.web.demo import demo_corpus

PATH = "/s/{}/1"


def give(visitor, study, marks, place=1, **more):
    """Send the form of a summary; marks are places on the scales, worst first."""
    path = f"/s/{study}/{place}"
    data = {"version": str(visitor.version(path)), **more}
    data |= {f"d{number}": str(mark) for number, mark in enumerate(marks)}
    return visitor.post(path, data, headers={"hx-request": "true"})


def test_every_question_needs_a_mark(web):
    study = web.study("judgment")
    heron = web.informant(study)
    answer = give(heron, study, [4, 4, 4], do="submit")
    assert "2 marks to go: Focus, Structure and coherence." in answer.text
    assert "One mark to go: Structure and coherence." in give(heron, study, [4] * 4).text
    assert "All marks are given." in give(heron, study, [4] * 5).text
    assert web.whole(study).judgments == demo_corpus().judgments


def test_marks_become_one_judgment_for_each_dimension(web):
    study = web.study("judgment", strange_corpus())
    heron = web.informant(study)
    give(heron, study, [4, 3, 2, 1, 0], do="submit")
    corpus = web.whole(study)
    assert {one.dimension: one.value for one in corpus.judgments} == {
        "grammaticality": "A",
        "non-redundancy": "B",
        "reference clarity": "C",
        "focus": "D",
        "structure and coherence": "E",
    }
    assert {one.judge for one in corpus.judgments} == {"Heron"}
    assert corpus.scales["focus"] == ("E", "D", "C", "B", "A")
    assert [person.id for person in corpus.people] == ["Heron"]
    # A counts 5 and E counts 1.
    assert judgment_scores(corpus).data.tolist() == [[5.0, 4.0, 3.0, 2.0, 1.0]]


def test_scales_of_numbers_give_numbers_and_words_give_words(web):
    scales = {"length": ("no", "partly", "yes"), "worth": ("0", "5", "10"), "grade": ("5", "1")}
    study = web.study("judgment", strange_corpus(), scales=scales)
    heron = web.informant(study)
    page = heron.get(PATH.format(study)).text
    # Which end of a scale is which is told of numbers; words say it themselves.
    assert re.findall(r"(\d+) is worst, (\d+) is best", page) == [("0", "10"), ("5", "1")]
    # Words and falling numbers start with the best, growing numbers with the lowest.
    shown = re.findall(r"<span>([^<]+)</span></label>", page)
    assert shown == ["yes", "partly", "no", "0", "5", "10", "1", "5"]
    give(heron, study, [1, 2, 1], do="submit")
    corpus = web.whole(study)
    assert {one.dimension: one.value for one in corpus.judgments} == {
        "length": "partly",
        "worth": 10,
        "grade": "1",
    }
    assert set(corpus.scales) == {"length", "grade"}
    assert judgment_scores(corpus).data.tolist() == [[2.0, 10.0, 2.0]]


def test_marks_that_were_uploaded_keep_their_scale(web):
    study = web.study("judgment", scales={"grammaticality": ("bad", "good")})
    heron = web.informant(study)
    assert "A, very good" in heron.get(PATH.format(study)).text
    give(heron, study, [4], do="submit")
    (mine,) = [one for one in web.whole(study).judgments if one.judge == "Heron"]
    assert (mine.dimension, mine.value) == ("grammaticality", "A")


@pytest.mark.parametrize("task", ["judgment", "pairs", "category"])
def test_no_page_names_the_system_or_the_id_of_the_topic(web, task):
    study = web.study(task, strange_corpus(), with_references=True, with_source=True, name="S")
    heron = web.visitor()
    pages = [heron.get(f"/s/{study}").text]
    pages.append(heron.post(f"/s/{study}/join", {"name": "Heron"}).text)
    every = {"judgment": 8, "pairs": 12, "category": 10}[task]
    fields = {"judgment": {f"d{n}": "1" for n in range(5)}, "pairs": {"better": "equal"}}
    chosen = fields.get(task, {"category": "0"})
    for place in range(1, every + 1):
        pages.append(heron.get(f"/s/{study}/{place}").text)
        data = {"version": str(heron.version(f"/s/{study}/{place}")), **chosen}
        pages.append(heron.post(f"/s/{study}/{place}", data, headers={"hx-request": "1"}).text)
        done = heron.post(f"/s/{study}/{place}", {**data, "version": "1", "do": "submit"})
        pages.append(done.text)
    assert "You have done everything" in pages[-1]
    assert "Number 1 says &lt;u&gt;so&lt;/u&gt; of 0." in "".join(pages)
    for page in pages:
        assert "zz-" not in page and "alert(1)" not in page and "a/../b" not in page


def test_references_are_judged_where_the_study_says_so(web):
    for settings, authors in (({}, set(SYSTEMS)), ({"with_references": True}, {*SYSTEMS, WRITER})):
        study = web.study("judgment", strange_corpus(), **settings)
        heron = web.informant(study)
        for place in range(1, 2 * len(authors) + 1):
            give(heron, study, [0] * 5, place, do="submit")
        judged = web.whole(study).judgments
        assert {(one.topic, one.author) for one in judged} == {
            (topic, author) for topic in TOPICS for author in authors
        }


def test_the_source_is_shown_where_the_study_says_so(web):
    for with_source in (True, False):
        study = web.study("judgment", strange_corpus(), with_source=with_source)
        page = web.informant(study).get(PATH.format(study)).text
        assert ("Sentence 0 of text" in page) == with_source


def test_the_next_summary_follows_at_once_and_everybody_has_an_own_order(web):
    study = web.study("judgment")
    orders = set()
    for name in ("Heron", "Wren", "Stork"):
        visitor = web.informant(study, name)
        texts = []
        for place in (1, 2, 3):
            page = visitor.get(f"/s/{study}/{place}").text
            texts.append(re.search(r"</h1>\s*<p>(.*?)</p>", page, re.S)[1])
            data = {"version": str(visitor.version(f"/s/{study}/{place}")), "do": "submit"}
            data |= {f"d{number}": "0" for number in range(5)}
            gone_on = visitor.post(f"/s/{study}/{place}", data)
            assert gone_on.url.path == f"/s/{study}/{place + 1}"
        orders.add(tuple(texts))
    assert len(orders) == 3


def test_what_the_page_cannot_have_sent_is_refused(web):
    study = web.study("judgment")
    heron = web.informant(study)
    for bad in ("5", "-1", "A", "9" * 30):
        answer = give(heron, study, [bad])
        assert answer.status_code == 400 and "expected a number" in answer.text


def test_undo_goes_back_by_one_mark(web):
    study = web.study("judgment")
    heron = web.informant(study)
    give(heron, study, [4])
    give(heron, study, [4, 1])
    assert 'data-values=\'[["d0", "4"]]\'' in give(heron, study, [], do="undo").text


def test_a_repeated_summary_is_no_second_judgment(web):
    study = web.study("judgment", strange_corpus(), repeat=True, per_informant=2)
    heron = web.informant(study)
    for place, mark in ((1, 4), (2, 4), (3, 0)):
        give(heron, study, [mark] * 5, place, do="submit")
        heron.get(f"/s/{study}/next")
    judged = web.whole(study).judgments
    assert len(judged) == 10 and {one.value for one in judged} == {"A"}


def test_a_note_is_kept_with_the_judgments(web):
    study = web.study("judgment", strange_corpus(), scales={"focus": ("1", "2")})
    heron = web.informant(study)
    give(heron, study, [1], do="submit", note="a\r\nb")
    (judged,) = web.whole(study).judgments
    assert isinstance(judged, Judgment) and judged.meta["note"] == "a\nb"
    assert judged.meta["seconds"] >= 0
