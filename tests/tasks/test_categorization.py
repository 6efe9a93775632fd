"""Categories of summaries between random extracts and full texts, and what people chose."""

import math
from dataclasses import replace

import numpy as np
import pytest
from labelled_collections import labelled_corpus
from msgspec import structs

from summetry.errors import SummetryError
from summetry.records.corpus import Corpus
from summetry.records.judgments import Judgment
from summetry.records.summaries import Summary
from summetry.records.topics import Document, Topic
from summetry.tasks import categorize
from summetry.tasks.categorization import NONE
from summetry.tasks.classifier import Machine

pytest.importorskip("sklearn")


def rows(result, by="classifier"):
    return {row.system: row for row in result.rows if row.by == by}


@pytest.fixture(scope="module")
def result():
    return categorize(labelled_corpus(), draws=300)


def test_a_system_that_takes_what_tells_keeps_the_whole_gap(result):
    full, first, idle = (rows(result)[name] for name in ("", "first", "idle"))
    assert full.f.value == first.f.value == first.kept.value == 1
    assert first.upper == 1 and first.lower < 0.9
    assert idle.f.value < first.lower
    assert idle.kept.value == pytest.approx((idle.f.value - idle.lower) / (1 - idle.lower))


def test_intervals_hold_their_values_and_shares(result):
    for row in result.rows:
        assert row.f.low <= row.f.value <= row.f.high
        assert row.f.low >= 0 and row.f.high <= 1
    idle = rows(result)["idle"]
    assert idle.kept.low <= idle.kept.value <= idle.kept.high


def test_more_topics_make_intervals_narrower():
    few, many = (rows(categorize(labelled_corpus(n), draws=300))["idle"].f for n in (12, 90))
    assert many.high - many.low < few.high - few.low


def test_the_same_seed_gives_the_same_numbers_and_another_seed_others():
    corpus = labelled_corpus()
    one, same, other = (categorize(corpus, draws=50, seed=seed) for seed in (1, 1, 2))
    assert one.records()[1:] == same.records()[1:]
    assert one.records()[1:] != other.records()[1:]


def test_progress_counts_folds_and_systems():
    seen = []
    categorize(labelled_corpus(6), folds=3, draws=10, progress=lambda *step: seen.append(step))
    assert seen == [(done, 5) for done in range(1, 6)]


def test_no_topic_is_learnt_from_by_what_classifies_it(monkeypatch):
    corpus = labelled_corpus(9)
    learnt = []

    def learn(bags, classes):
        learnt.append((bags.toarray(), classes.tolist()))
        return original(bags, classes)

    original = Machine.learn
    monkeypatch.setattr(Machine, "learn", learn)
    categorize(corpus, folds=3, draws=10)
    assert [len(classes) for _, classes in learnt] == [6, 6, 6]
    # Each topic is left out of one training set.
    rows_seen = [tuple(row) for bags, _ in learnt for row in bags.tolist()]
    assert sorted(map(rows_seen.count, set(rows_seen))) == [2] * 9


def test_topics_that_are_learnt_from_and_classified_are_not_learnt_from():
    corpus, train = labelled_corpus(6), labelled_corpus(12, seed=2, name="other")
    both = replace(train, topics=(*train.topics, *corpus.topics[:2]))
    result = categorize(corpus, both, draws=10)
    assert result.learnt_from == "12 topics of other"
    assert "2 of 14 topics to learn from are topics of the corpus too: not learnt from" in (
        result.notes
    )
    assert rows(result)["first"].f.value == 1


def test_the_same_text_under_another_name_is_not_learnt_from():
    corpus, train = labelled_corpus(6), labelled_corpus(12, seed=2, name="other")
    renamed = structs.replace(corpus.topics[0], id="renamed")
    result = categorize(corpus, replace(train, topics=(*train.topics, renamed)), draws=10)
    assert any(note.startswith("1 of 13 topics to learn from") for note in result.notes)


def test_an_empty_summary_is_given_nothing():
    corpus = labelled_corpus(6)
    empty = [Summary(topic.id, "silent", "candidate", text="") for topic in corpus.topics]
    result = categorize(replace(corpus, summaries=(*corpus.summaries, *empty)), draws=20)
    silent = rows(result)["silent"]
    scores = silent.scores["documents"]
    assert math.isnan(scores.precision) and (scores.recall, scores.f) == (0, 0)
    # Random extracts of no word are given nothing either.
    assert silent.lower == 0 and silent.kept.value == 0


def test_a_system_is_compared_with_the_full_texts_that_it_summarized():
    corpus = labelled_corpus(12)
    fewer = [s for s in corpus.summaries if s.author == "first" or s.topic < "generated3"]
    result = categorize(replace(corpus, summaries=tuple(fewer)), draws=20)
    assert rows(result)["idle"].topics == sum(s.author == "idle" for s in fewer) < 12
    assert rows(result)["first"].topics == 12


def test_random_extracts_are_units_in_random_order():
    from summetry.tasks.categorization import _shuffled
    from summetry.tasks.words import CorpusWords

    corpus = labelled_corpus(3)
    words = CorpusWords(corpus, corpus.topics, "auto")
    shuffled = _shuffled(words.units(1), corpus.topics[1].id, 20, seed=0)
    assert {len(every) for every in shuffled} == {32}
    drawn = [every[:11] for every in shuffled]
    assert len({tuple(extract.tolist()) for extract in drawn}) > 3
    units = [unit.tolist() for unit in words.units(1)]
    # A whole unit, and the beginning of another one.
    assert all(e[:8].tolist() in units and e[8:].tolist() in [u[:3] for u in units] for e in drawn)


def test_the_average_decides_what_f_is():
    corpus = labelled_corpus(12)
    for average in ("documents", "categories", "micro"):
        row = rows(categorize(corpus, average=average, draws=20))["idle"]
        assert row.f.value == row.scores[average].f


def judged(*choices, scale=("money", "sport")):
    """Two topics of money, one of weather, which cannot be chosen; and who chose what."""
    categories = {"a": "money", "b": "money", "c": "weather", "d": ""}
    topics = tuple(
        Topic(name, category=category, documents=(Document("d", units=("text.",)),))
        for name, category in categories.items()
    )
    judgments = tuple(
        Judgment(topic, author, f"j{n}", "category", chosen)
        for n, (topic, author, chosen) in enumerate(choices)
    )
    return Corpus("judged", scales={"category": (*scale, NONE)}, topics=topics, judgments=judgments)


def test_peoples_choices_are_counted_the_same_way():
    result = categorize(
        judged(
            ("a", "source", "money"),
            ("b", "source", "money"),
            ("c", "source", NONE),
            ("a", "lead", "sport"),
            ("b", "lead", "money"),
            ("c", "lead", NONE),
            ("a", "lead", NONE),
            # Nobody knows what is right here.
            ("d", "lead", "sport"),
        ),
        draws=200,
    )
    people = rows(result, "people")
    assert people[""].f.value == 1 and people[""].topics == 3
    lead = people["lead"]
    assert (lead.topics, lead.texts, lead.upper) == (3, 4, 1.0)
    assert lead.scores["documents"] == (0.5, 0.5, 0.5)
    # Of two that said none of the above one is right; of three texts on money one was found.
    assert lead.categories[NONE] == (0.5, 1.0, pytest.approx(2 / 3))
    assert lead.categories["money"] == (1.0, pytest.approx(1 / 3), 0.5)
    assert math.isnan(lead.kept.value)


def test_people_are_shown_where_a_classifier_cannot_learn():
    result = categorize(judged(("a", "source", "money")), draws=10)
    assert [row.by for row in result.rows] == ["people"]
    (note,) = [note for note in result.notes if note.startswith("no classifier")]
    assert "two categories or more with two topics each, found money (2 topics), weather" in note


def test_people_and_the_classifier_stand_side_by_side():
    corpus = labelled_corpus(6)
    chosen = Judgment(corpus.topics[0].id, "first", "ann", "category", "sport")
    scale = {"category": ("sport", "money", "weather", NONE)}
    result = categorize(replace(corpus, scales=scale, judgments=(chosen,)), draws=10)
    assert [(row.by, row.system) for row in result.rows] == [
        ("classifier", ""),
        ("classifier", "first"),
        ("classifier", "idle"),
        ("people", "first"),
    ]
    assert result.rows[-1].role == "candidate"


def test_a_category_with_one_topic_is_left_out_with_a_note():
    corpus = labelled_corpus(6)
    alone = structs.replace(corpus.topics[0], id="x", category="rare")
    result = categorize(replace(corpus, topics=(*corpus.topics, alone)), draws=10)
    assert result.notes == (
        "1 category with one topic left out (rare): there is no other topic to learn from",
    )
    assert rows(result)[""].topics == 6


def test_topics_without_a_category_are_left_out_with_a_note():
    corpus = labelled_corpus(6)
    other = structs.replace(corpus.topics[0], id="x", category="")
    result = categorize(replace(corpus, topics=(*corpus.topics, other)), draws=10)
    assert result.notes == ("1 of 7 topics have no text or no category: left out",)


def test_the_result_prints_and_goes_to_a_frame(result):
    lines = repr(result).splitlines()
    assert lines[0].split() == ["system", "by", "topics", "f", "lower", "upper", "kept"]
    assert lines[1].split()[:4] == ["source", "classifier", "12", "1.000"]
    frame = pytest.importorskip("pandas") and result.to_pandas()
    assert list(frame["system"]) == ["source", "first", "idle"]
    assert np.isnan(frame["kept"][0])


CORPUS = labelled_corpus(6)


@pytest.mark.parametrize(
    ("corpus", "options", "message"),
    [
        (Corpus("bare", topics=(Topic("t"),)), {}, "no topic with a text and a category"),
        (replace(CORPUS, topics=CORPUS.topics[:3]), {},
         r"two topics each, found sport \(1 topic\), money \(1 topic\), weather \(1 topic\)"),
        (replace(CORPUS, summaries=()), {}, "no summary of a topic that can be classified"),
        (CORPUS, {"folds": 1}, "folds must be 2 or more, got 1"),
        (CORPUS, {"extracts": 0}, "extracts must be 1 or more, got 0"),
        (CORPUS, {"average": "macro"}, "average must be one of documents, categories, micro"),
        (CORPUS, {"text": "auto(stem=maybe)"}, "stem"),
        (CORPUS, {"train": Corpus("empty")}, "train: expected topics of two categories or more"),
        (CORPUS, {"train": replace(labelled_corpus(6, name="o"), topics=tuple(
            structs.replace(t, id=f"x{t.id}", category=f"x{t.category}")
            for t in labelled_corpus(6, 5, "o").topics))}, "none of the categories of the corpus"),
    ],
)  # fmt: skip
def test_what_cannot_be_categorized_is_said(corpus, options, message):
    with pytest.raises(SummetryError, match=message):
        categorize(corpus, **{"draws": 10} | options)
