"""Categories of summaries, against random extracts, full texts, scikit-learn and counts by hand."""

import math
import warnings
from dataclasses import replace
from itertools import permutations
from random import Random
from types import SimpleNamespace

import numpy as np
import pytest
from labelled_collections import WORDS, labelled_corpus, sentence
from msgspec import structs

from summetry.errors import SummetryError
from summetry.records.corpus import Corpus
from summetry.records.judgments import Judgment
from summetry.records.summaries import Summary
from summetry.records.topics import Document, Topic
from summetry.tasks import categorize
from summetry.tasks.categorization import NONE, _shuffled
from summetry.tasks.category_scores import CategorizedText, by_chance, categorization_scores
from summetry.tasks.classifier import Machine, Machines, _weighted, bags_of_words, dealt
from summetry.tasks.words import CorpusWords

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
    assert idle.kept.low <= idle.kept.value <= idle.kept.high
    assert all(0 <= row.f.low <= row.f.value <= row.f.high <= 1 for row in result.rows)


def test_more_topics_make_intervals_narrower_and_the_seed_decides_them():
    few, many = (rows(categorize(labelled_corpus(n), draws=100))["idle"].f for n in (12, 60))
    assert many.high - many.low < few.high - few.low
    # The same seed gives the same numbers, and another seed others.
    corpus = labelled_corpus()
    one, same, other = (categorize(corpus, draws=50, seed=seed) for seed in (1, 1, 2))
    assert one.records()[1:] == same.records()[1:]
    assert one.records()[1:] != other.records()[1:]
    # Progress counts folds and systems.
    seen = []
    categorize(labelled_corpus(6), folds=3, draws=10, progress=lambda *step: seen.append(step))
    assert seen == [(done, 5) for done in range(1, 6)]


def test_no_topic_is_learnt_from_by_what_classifies_it(monkeypatch):
    corpus = labelled_corpus(9)
    learnt = []

    def learn(bags, classes):
        learnt.append((bags.toarray(), classes))
        return original(bags, classes)

    original = Machine.learn
    monkeypatch.setattr(Machine, "learn", learn)
    categorize(corpus, folds=3, draws=10)
    assert [len(classes) for _, classes in learnt] == [6, 6, 6]
    # Each topic is left out of one training set.
    rows_seen = [tuple(row) for bags, _ in learnt for row in bags.tolist()]
    assert sorted(map(rows_seen.count, set(rows_seen))) == [2] * 9


def test_texts_that_are_learnt_from_and_classified_are_not_learnt_from():
    """Two topics of the corpus itself, and the text of one of them under another name."""
    corpus, train = labelled_corpus(6), labelled_corpus(12, seed=2, name="other")
    renamed = structs.replace(corpus.topics[0], id="renamed")
    for added, number in ((corpus.topics[:2], "2 of 14"), ((renamed,), "1 of 13")):
        result = categorize(corpus, replace(train, topics=(*train.topics, *added)), draws=10)
        assert result.learnt_from == "12 topics of other"
        note = f"{number} topics to learn from are topics of the corpus too: not learnt from"
        assert note in result.notes
        assert rows(result)["first"].f.value == 1


def test_an_empty_summary_is_given_nothing():
    corpus = labelled_corpus(6)
    empty = [Summary(topic.id, "silent", "candidate", text="") for topic in corpus.topics]
    result = categorize(replace(corpus, summaries=(*corpus.summaries, *empty)), draws=20)
    silent = rows(result)["silent"]
    scores = silent.scores["documents"]
    assert math.isnan(scores.precision) and (scores.recall, scores.f) == (0, 0)
    # Random extracts of no word are given nothing either.
    assert silent.lower == 0 and silent.kept.value == 0


def test_random_extracts_are_units_in_random_order():
    corpus = labelled_corpus(3)
    words = CorpusWords(corpus, corpus.topics, "auto")
    shuffled = _shuffled(words.units(1), corpus.topics[1].id, 20, seed=0)
    assert {len(every) for every in shuffled} == {32}
    drawn = [every[:11] for every in shuffled]
    assert len({tuple(extract.tolist()) for extract in drawn}) > 3
    units = [unit.tolist() for unit in words.units(1)]
    # A whole unit, and the beginning of another one.
    assert all(e[:8].tolist() in units and e[8:].tolist() in [u[:3] for u in units] for e in drawn)


def test_a_system_is_compared_with_the_full_texts_that_it_summarized():
    corpus = labelled_corpus(12)
    fewer = [s for s in corpus.summaries if s.author == "first" or s.topic < "generated3"]
    result = categorize(replace(corpus, summaries=tuple(fewer)), draws=20)
    assert rows(result)["idle"].topics == sum(s.author == "idle" for s in fewer) < 12
    assert rows(result)["first"].topics == 12
    for average in ("documents", "categories", "micro"):
        row = rows(categorize(corpus, average=average, draws=20))["idle"]
        assert row.f.value == row.scores[average].f, "the average decides what F is"


def judged(*choices, scale=("money", "sport")):
    """Two topics of money, one of weather, which cannot be chosen; and who chose what."""
    categories = {"a": "money", "b": "money", "c": "weather", "d": ""}
    documents = (Document("d", units=("text.",)),)
    topics = [Topic(id, category=c, documents=documents) for id, c in categories.items()]
    judgments = [
        Judgment(topic, author, f"j{n}", "category", chosen)
        for n, (topic, author, chosen) in enumerate(choices)
    ]
    records = {"topics": tuple(topics), "judgments": tuple(judgments)}
    return Corpus("judged", scales={"category": (*scale, NONE)}, **records)


def test_peoples_choices_are_counted_the_same_way():
    of_source = [("a", "source", "money"), ("b", "source", "money"), ("c", "source", NONE)]
    of_lead = [("a", "lead", "sport"), ("b", "lead", "money"), ("c", "lead", NONE)]
    # Nobody knows what is right for d.
    more = [("a", "lead", NONE), ("d", "lead", "sport")]
    result = categorize(judged(*of_source, *of_lead, *more), draws=200)
    people = rows(result, "people")
    assert people[""].f.value == 1 and people[""].topics == 3
    lead = people["lead"]
    assert (lead.topics, lead.texts, lead.upper) == (3, 4, 1.0)
    assert lead.scores["documents"] == (0.5, 0.5, 0.5)
    # Of two that said none of the above one is right; of three texts on money one was found.
    assert lead.categories[NONE] == (0.5, 1.0, pytest.approx(2 / 3))
    assert lead.categories["money"] == (1.0, pytest.approx(1 / 3), 0.5)
    assert math.isnan(lead.kept.value)


def test_a_system_of_random_extracts_is_the_lower_bound_of_people():
    choices = {"source": ("money", "money", NONE), "lead": ("money", "money", "sport"),
               "random": ("money", "sport", NONE), "echo": ("sport", NONE)}  # fmt: skip
    corpus = judged(
        *(
            (t, author, c)
            for author, own in choices.items()
            for t, c in zip("abc", own, strict=False)
        )
    )
    result = categorize(corpus, lower="random", draws=200)
    people = rows(result, "people")
    two = pytest.approx(2 / 3)
    assert (people["lead"].f.value, people["lead"].lower, people["lead"].upper) == (two, two, 1)
    assert people["lead"].kept.value == people["random"].kept.value == 0
    # Of the topics that have summaries by echo one random extract of two was right.
    assert (people["echo"].lower, people["echo"].kept.value) == (0.5, -1)
    assert math.isnan(people[""].lower) and result.settings.lower == "random"
    assert not [note for note in result.notes if "lower" in note]
    # Where a topic has none.
    result = categorize(corpus, lower="echo", draws=200)
    assert rows(result, "people")["lead"].lower == 0
    note = "people categorized no summary by echo of 1 of 3 topics: the lower bound is that of the "
    assert f"{note}others" in result.notes


def test_people_choose_several_categories_by_a_judgment_on_each():
    corpus = judged(("d", "source", "money"))
    topics = [structs.replace(t, category=("money", "weather")) for t in corpus.topics]
    marks = {"a": "110", "b": "011", "c": "000"}
    several = [
        Judgment(topic, "lead", "ann", f"category: {name}", int(mark))
        for topic, own in marks.items()
        for name, mark in zip(("money", "sport", "weather"), own, strict=True)
    ]
    corpus = replace(corpus, topics=tuple(topics), scales={}, judgments=tuple(several))
    lead = rows(categorize(corpus, draws=10), "people")["lead"]
    assert (lead.topics, lead.texts) == (3, 3)
    # Two of four chosen ones are right; c was given none of the above, which is wrong.
    assert lead.scores["documents"] == pytest.approx((1 / 3, 1 / 3, 1 / 3))
    assert lead.categories["money"] == pytest.approx((1, 1 / 3, 1 / 2))
    assert lead.categories[NONE][0] == 0
    # Sport alone could be chosen: none of the above is right.
    corpus = replace(corpus, judgments=(several[1], several[4], several[7]))
    assert rows(categorize(corpus, draws=10), "people")["lead"].categories[NONE] == (
        1, pytest.approx(1 / 3), 0.5
    )  # fmt: skip
    half = structs.replace(several[0], value=0.5)
    with pytest.raises(SummetryError, match=r"on 'category: money' is 1 .* found 0.5 .topic 'a'"):
        categorize(replace(corpus, judgments=(half,)))


def test_people_are_shown_beside_the_classifier_and_where_it_cannot_learn():
    corpus = labelled_corpus(6)
    chosen = Judgment(corpus.topics[0].id, "first", "ann", "category", "sport")
    scale = {"category": ("sport", "money", "weather", NONE)}
    result = categorize(replace(corpus, scales=scale, judgments=(chosen,)), draws=10)
    expected = ["classifier ", "classifier first", "classifier idle", "people first"]
    assert [f"{row.by} {row.system}" for row in result.rows] == expected
    assert result.rows[-1].role == "candidate"
    # Where it cannot learn:
    result = categorize(judged(("a", "source", "money")), draws=10)
    assert [row.by for row in result.rows] == ["people"]
    (note,) = [note for note in result.notes if note.startswith("no classifier")]
    assert "two categories or more with two topics each, found money (2 topics), weather" in note


RARE = "1 category with one topic left out (rare): there is no other topic to learn from"


@pytest.mark.parametrize(("category", "note", "topics"), [
    ("rare", RARE, 6), (("rare",), RARE, 6), (("rare", "sport"), RARE, 7),
    ("", "1 of 7 topics have no text or no category: left out", 6),
    ((), "1 of 7 topics have no text or no category: left out", 6),
])  # fmt: skip
def test_what_nobody_can_learn_is_left_out_with_a_note(category, note, topics):
    corpus = labelled_corpus(6)
    alone = structs.replace(corpus.topics[0], id="x", category=category)
    result = categorize(replace(corpus, topics=(*corpus.topics, alone)), draws=10)
    assert result.notes == (note,) and rows(result)[""].topics == topics
    assert "rare" not in rows(result)[""].categories
    assert result.categories.get("rare", 0) == ("rare" in category)


def test_a_list_of_one_category_is_as_good_as_its_name():
    corpus = labelled_corpus(9)
    topics = tuple(structs.replace(topic, category=(topic.category,)) for topic in corpus.topics)
    listed = categorize(replace(corpus, topics=topics), draws=10)
    assert listed.records()[1:] == categorize(corpus, draws=10).records()[1:]


def test_topics_of_several_categories_are_learnt_from_and_classified():
    """Each topic beside one that has its text and that of the next one, and both categories."""
    corpus, pairs = labelled_corpus(12), []
    for first, second in zip(corpus.topics, corpus.topics[1:] + corpus.topics[:1], strict=True):
        document = Document("d", units=first.units + second.units)
        names = (first.category, second.category)
        pairs.append(Topic(f"{first.id} and {second.id}", category=names, documents=(document,)))
    summaries = [Summary(topic.id, "first", "candidate", units=(0,)) for topic in pairs]
    topics, summaries = (*corpus.topics, *pairs), (*corpus.summaries, *summaries)
    result = categorize(replace(corpus, topics=topics, summaries=summaries), draws=10)
    assert result.categories == {"money": 12, "sport": 12, "weather": 12}
    full, first = (rows(result)[name].scores["documents"] for name in ("", "first"))
    # The first sentence is about one of two categories.
    assert full.f > 0.9 and first.precision > 0.9 and 0.7 < first.recall < 0.8
    train = categorize(labelled_corpus(6, seed=3), replace(corpus, topics=topics), draws=10)
    assert rows(train)["first"].scores["documents"].recall == 1


def texts_given(*sets):
    """Texts with the categories that each was given and has, by letters."""
    return [CategorizedText(place, *own) for place, own in enumerate(sets)]


@pytest.mark.parametrize("texts", [
    texts_given("aa", "aa", "bb", "bc", "cb"), texts_given(("ab", "a"), ("", "b"), "cc", "aa"),
    texts_given("ab", "ab", "ba"),
])  # fmt: skip
def test_chance_is_what_all_orders_of_the_same_categories_give(texts):
    right = [text.right for text in texts]
    means = [
        categorization_scores(given, right).documents.f
        for given in permutations([text.given for text in texts])
    ]
    chance = by_chance(texts, 5000)
    assert chance.f == pytest.approx(means[0])
    assert chance.expected == pytest.approx(np.mean(means))
    # Five thousand draws are within 0.03 of the share.
    assert chance.p == pytest.approx(np.mean(np.array(means) >= means[0] - 1e-9), abs=0.03)


def test_full_texts_are_held_against_chance(result):
    assert result.chance.f == 1 and result.chance.is_beaten
    # Of four texts an order in six is as good as the right one.
    assert not by_chance(texts_given("aa", "aa", "bb", "bb")).is_beaten


def test_the_result_prints_and_goes_to_a_frame(result):
    lines = repr(result).splitlines()
    assert lines[0].split() == ["system", "by", "topics", "f", "lower", "upper", "kept"]
    assert lines[1].split()[:4] == ["source", "classifier", "12", "1.000"]
    frame = pytest.importorskip("pandas") and result.to_pandas()
    assert list(frame["system"]) == ["source", "first", "idle"]
    assert np.isnan(frame["kept"][0])


CORPUS = labelled_corpus(6)
LED = judged(("a", "source", "money"), ("a", "lead", "money"))
OTHERS = tuple(
    structs.replace(t, id=f"x{t.id}", category=f"x{t.category}")
    for t in labelled_corpus(6, 5, "o").topics
)


def test_what_cannot_be_categorized_is_said(refused):
    refused(lambda corpus, options=(): categorize(corpus, **{"draws": 10} | dict(options)), {
        "no categories": Corpus("bare", topics=(Topic("t"),)),
        "one topic of each category": replace(CORPUS, topics=CORPUS.topics[:3]),
        "no summaries": replace(CORPUS, summaries=()),
        "folds=1": (CORPUS, {"folds": 1}),
        "extracts=0": (CORPUS, {"extracts": 0}),
        "average=macro": (CORPUS, {"average": "macro"}),
        "text=auto(stem=maybe)": (CORPUS, {"text": "auto(stem=maybe)"}),
        "lower=random, and nobody was asked": (CORPUS, {"lower": "random"}),
        "lower=led": (LED, {"lower": "led"}),
        "lower=None": (CORPUS, {"lower": None}),
        "nothing to learn from": (CORPUS, {"train": Corpus("empty")}),
        "other categories to learn": (
            CORPUS, {"train": replace(labelled_corpus(6, name="o"), topics=OTHERS)}),
    })  # fmt: skip


def numbered(texts):
    words = sorted({word for text in texts for word in text.split()})
    places = {word: place for place, word in enumerate(words)}
    return [np.array([places[word] for word in text.split()], np.int64) for text in texts], words


def learned(classes, *texts):
    """A machine that learnt the first texts, and the bags of words of the rest."""
    ids, words = numbered(texts)
    bags = bags_of_words(ids, len(words))
    return Machine.learn(bags[: len(classes)], classes), bags[len(classes) :]


def test_words_of_no_training_text_change_nothing():
    texts = "goal match", "bank loan", "goal", "goal unseen thing", "unseen", ""
    machine, bags = learned([["sport"], ["money"]], *texts)
    alone, with_others = machine.distances(_weighted(bags[:2], machine.idf)).tolist()
    assert alone == with_others
    assert machine.given(bags) == [["sport"], ["sport"], [], []]


def test_of_two_equally_good_categories_the_first_by_name_is_taken():
    for classes in ([["sport"], ["money"]], [["money"], ["sport"]]):
        machine, bags = learned(classes, "goal day", "bank day", "day")
        assert machine.given(bags) == [["money"]]


@pytest.mark.parametrize("most", [1, 2])
def test_it_gives_the_categories_that_scikit_learn_does_and_the_nearest(most):
    """By the words of the training texts alone."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.multiclass import OneVsRestClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import MultiLabelBinarizer
    from sklearn.svm import LinearSVC

    draw = Random(4)
    classes = [draw.sample([*WORDS], draw.randint(1, most)) for _ in range(40)]
    texts = [" ".join(sentence(draw, name, 2) for name in own) for own in classes]
    tried = [sentence(draw, name, n) + " unseen" for name in WORDS for n in (0, 1, 2, 4) * 5]
    machine, bags = learned(classes, *texts, *tried)
    svm = OneVsRestClassifier(LinearSVC(dual=False, tol=1e-8))
    theirs = make_pipeline(TfidfVectorizer(token_pattern=r"\S+"), svm)
    binarizer = MultiLabelBinarizer()
    theirs.fit(texts, binarizer.fit_transform(classes))
    names, nearest = binarizer.classes_, theirs.decision_function(tried).argmax(axis=1)
    if most == 1:  # Of categories that exclude each other the nearest is given.
        wanted = [{names[place]} for place in nearest]
    else:
        several = binarizer.inverse_transform(theirs.predict(tried))
        wanted = [{*own, names[place]} for own, place in zip(several, nearest, strict=True)]
    assert [set(given) for given in machine.given(bags)] == wanted
    assert {len(own) for own in wanted} >= {1, most}


def test_a_category_of_all_training_texts_is_given_to_all():
    texts = "goal day", "bank day", "goal", "day", "unseen"
    machine, bags = learned([["news", "sport"], ["news"]], *texts)
    assert machine.given(bags) == [["news", "sport"], ["news"], []]


def test_each_text_is_classified_by_the_machine_of_its_topics_fold():
    def saying(name):
        return SimpleNamespace(given=lambda bags: [[name]] * bags.shape[0])

    machines = Machines([saying("zero"), saying("one")], np.array([1, 0, 1]))
    bags = bags_of_words([np.array([0])] * 4, 1)
    given = machines.given(bags, np.array([0, 1, 2, 1]))
    assert given == [["one"], ["zero"], ["one"], ["zero"]]


@pytest.mark.parametrize("folds", [2, 3, 5])
def test_folds_have_nearly_as_many_topics_of_each_category(folds):
    categories = ["a"] * 10 + ["b"] * 7 + ["c"] * 2
    fold_of = dealt(categories, folds, seed=3)
    # Category by category in the order of their names, as cards are dealt.
    draws = np.random.default_rng(3)
    order = [draws.permutation(np.arange(*ends)) for ends in ((0, 10), (10, 17), (17, 19))]
    assert fold_of[np.concatenate(order)].tolist() == [n % folds for n in range(19)]
    for name in "abc":
        mine = fold_of[np.array(categories) == name]
        counts = np.bincount(mine, minlength=folds)
        assert counts.max() - counts.min() <= 1
        # So there is always another one to learn from.
        assert counts.max() < len(mine)
    assert (dealt(["a"] * 20, folds, 1) == dealt(["a"] * 20, folds, 1)).all()
    assert (dealt(["a"] * 20, folds, 1) != dealt(["a"] * 20, folds, 2)).any()
    # Each fold has nearly as many of each category, too, where topics have several.
    both = [["a"], ["b"], ["c"], ["a", "b"], ["a", "c"], ["b", "c"], ["c", "a", "b"]] * folds
    fold_of = dealt(both, folds, seed=3)
    for name in "abc":
        counts = np.bincount([f for f, own in zip(fold_of, both, strict=True) if name in own])
        assert len(counts) == folds and counts.max() - counts.min() <= 2


NAMES = ["news", "sport", "culture", "none of the above"]


def test_three_texts_by_hand():
    given = [["sport"], ["news"], ["sport", "news"]]
    right = [["sport"], ["sport"], ["sport"]]
    scores = categorization_scores(given, right)
    assert [tuple(one) for one in scores.per_document] == [(1, 1, 1), (0, 0, 0), (0.5, 1, 2 / 3)]
    assert scores.documents == pytest.approx((0.5, 2 / 3, 5 / 9))
    # Two hits of four that were given, of three that are right.
    assert scores.micro == pytest.approx((1 / 2, 2 / 3, 4 / 7))
    # sport: 2 of 2 given, 2 of 3 right, F 4/5; news: 0 of 2, and none is right.
    assert scores.categories == pytest.approx((1 / 2, 2 / 3, 2 / 5))


def test_a_text_that_was_given_nothing_has_no_precision_and_loses_recall():
    scores = categorization_scores([[], ["sport"]], [["sport"], ["sport"]])
    assert math.isnan(scores.per_document[0].precision)
    assert scores.per_document[0][1:] == (0, 0)
    assert scores.documents == (1.0, 0.5, 0.5)
    none = NAMES[-1]
    scores = categorization_scores([[none], [none]], [[none], ["news"]])
    assert scores.micro == (0.5, 0.5, 0.5), "none of the above is a category like any other"
    with pytest.raises(SummetryError, match="got 2 and 1"):
        categorization_scores([["a"], ["b"]], [["a"]])


@pytest.mark.parametrize("most", [1, 3])
def test_scikit_learn_counts_the_same(most):
    metrics = pytest.importorskip("sklearn.metrics")
    preprocessing = pytest.importorskip("sklearn.preprocessing")
    draw = Random(most)
    given = [draw.sample(NAMES, draw.randint(1, most)) for _ in range(40)]
    right = [draw.sample(NAMES, draw.randint(1, most)) for _ in range(40)]
    binary = preprocessing.MultiLabelBinarizer().fit([NAMES])
    sets = binary.transform(right), binary.transform(given)
    scores = categorization_scores(given, right)
    for ours, theirs in {"documents": "samples", "categories": "macro", "micro": "micro"}.items():
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            wanted = metrics.precision_recall_fscore_support(*sets, average=theirs)[:3]
        assert getattr(scores, ours) == pytest.approx(wanted), ours
