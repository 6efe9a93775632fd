"""Weights of words: tf.idf, tf.isf, MEAD's centroid, SemDist and Simple Match.

The golden cases of tf.isf, SemDist and Simple Match are in test_golden_papers.py.
"""

import math
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ranked_sentences import WORDS, idf_oracle, joined, rank, sentence_lists, source_of

from summetry.errors import SummetryError
from summetry.lexicons.word_paths import thesaurus_folder
from summetry.records.corpus import Corpus
from summetry.records.topics import Document, Topic
from summetry.summarizers import SUMMARIZERS
from summetry.summarizers.centroid import centroid
from summetry.summarizers.semdist import SemDist, semdist, semdist_scores
from summetry.summarizers.simple_match import SimpleMatch, simple_match
from summetry.summarizers.tf_idf import tf_idf
from summetry.summarizers.tf_isf import tf_isf
from summetry.text.pipeline import TextPipeline

queries = st.lists(st.sampled_from([*WORDS, "new"]), min_size=1, max_size=4)
weights = st.sampled_from([0, 1, 0.5, -1])
TWO, FOUR = math.log(2), math.log(4)


def tf_idf_oracle(sentences, tf, normalise):
    idf = idf_oracle(sentences)
    everything = [word for words in sentences for word in words]
    scores = []
    for words in sentences:
        counted = words if tf == "sentence" else everything
        score = math.fsum(counted.count(word) * idf[word] for word in set(words))
        if normalise == "length":
            score = score / len(words) if words else math.nan
        scores.append(score)
    return scores


def isf_oracle(word, sentences, query, isf):
    counted = sentences if isf == "without_query" else [*sentences, query]
    holding = sum(word in words for words in counted)
    if not holding:
        return 0.0
    return math.log(len(counted) / holding) + (isf == "plus_one")


def tf_isf_oracle(sentences, query, isf):
    words = sorted({word for text in [*sentences, query] for word in text})
    weights = {word: isf_oracle(word, sentences, query, isf) for word in words}
    vectors = [[text.count(w) * weights[w] for w in words] for text in [*sentences, query]]
    scores = []
    for vector in vectors[:-1]:
        product = math.fsum(map(float.__mul__, vector, vectors[-1]))
        sizes = [math.sqrt(math.fsum(x * x for x in v)) for v in (vector, vectors[-1])]
        scores.append(product / (sizes[0] * sizes[1]) if all(sizes) else math.nan)
    return scores


def centroid_oracle(documents, centroid=1, position=1, first=0, length=9, threshold=0):
    sentences = [words for document in documents for words in document]
    everything = [word for words in sentences for word in words]
    values = {
        word: everything.count(word) / len(documents) * idf
        for word, idf in idf_oracle(sentences).items()
    }
    values = {word: value if value >= threshold else 0.0 for word, value in values.items()}
    scores = []
    for document in documents:
        sums = [math.fsum(values[word] for word in words) for words in document]
        for i, words in enumerate(document):
            by_place = (len(document) - i) / len(document) * max(sums)
            shared = sum(document[0].count(w) * words.count(w) for w in set(words))
            score = centroid * sums[i] + position * by_place + first * shared
            scores.append(score if len(words) >= length else 0.0)
    return scores


def ranked_documents(options, *documents):
    return SUMMARIZERS.build(f"centroid({options})").rank(source_of(*documents), 1)


def near(scores):
    return pytest.approx(tuple(scores), abs=1e-10, nan_ok=True)


@given(sentence_lists)
def test_tf_idf_agrees_with_a_slow_plain_way(sentences):
    for tf, normalise in product(("sentence", "topic"), (None, "length")):
        expected = near(tf_idf_oracle(sentences, tf, normalise))
        assert tuple(tf_idf(sentences, tf, normalise)) == expected
        spelling = f"tf_idf(tf={tf},normalise={normalise or 'none'},text=auto)"
        ranking = rank(spelling, *joined(sentences))
        assert ranking.scores == expected
        assert sorted(ranking.order) == list(range(len(sentences)))


def test_a_rare_word_of_a_corpus_weighs_more():
    documents = (Document("a", units=("fog ferry",)), Document("b", units=("fog quay",)))
    corpus = Corpus(language="en", topics=(Topic("t", documents=documents),))

    def learned(spelling):
        return SUMMARIZERS.build(spelling).learn(corpus, frozenset())

    ranking = learned("tf_idf(idf=corpus)").rank(source_of(["Fog.", "A ferry.", "Ice."]), 1)
    assert ranking.scores == pytest.approx((0.0, math.log(3 / 2), math.log(3)))
    assert ranking.order == (2, 1, 0)
    ranking = learned("centroid(idf=corpus,position=0,length=0)").rank(
        source_of(["Fog.", "A ferry, a ferry!"]), 1
    )
    assert ranking.scores == pytest.approx((0.0, 2 * 2 * math.log(3 / 2)))
    with pytest.raises(SummetryError, match="summarize a corpus, or take idf=topic"):
        rank("tf_idf(idf=corpus)", "Fog.")


@given(sentence_lists, queries)
def test_tf_isf_agrees_with_a_slow_plain_way(sentences, query):
    for isf in ("with_query", "without_query", "plus_one"):
        expected = near(tf_isf_oracle(sentences, query, isf))
        assert tuple(tf_isf(sentences, query, isf)) == expected
        ranking = rank(f"tf_isf(isf={isf},text=auto)", *joined(sentences), query=" ".join(query))
        assert ranking.scores == expected
        assert sorted(ranking.order) == list(range(len(sentences)))


def test_tf_isf_takes_the_query_or_the_title_without_stop_words_and_endings():
    ranking = rank("tf_isf", "The ferries of it.", "It is the quay.", query="Where is the ferry?")
    assert ranking.scores == (1.0, 0.0)
    ranking = rank("tf_isf", "The ferry.", "The quay.", query="what is it")
    assert all(map(math.isnan, ranking.scores)) and ranking.order == (0, 1)
    # The query comes before the title, and the title before nothing.
    units = ["A ferry sank.", "Ice lay on the quay.", "Fog."]
    assert rank("tf_isf", *units, query="ice", title="fog").order[0] == 1
    assert rank("tf_isf", *units, title="fog").order[0] == 2
    with pytest.raises(SummetryError, match="there is neither a query nor a title, and tf_isf"):
        rank("tf_isf", *units)


def test_the_centroid_of_two_documents_worked_by_hand():
    """Fog: 3 times in 2 documents and in 2 of 4 sentences; the others once, in one sentence."""
    documents = [[["fog", "fog"], ["ferry"]], [["pier", "fog"], []]]
    fog, other = 3 / 2 * TWO, 1 / 2 * FOUR
    assert centroid(documents) == pytest.approx([2 * fog, other, other + fog, 0])
    units = [joined(document) for document in documents]
    a, b, c, d = 2 * fog + 2 * fog, other + fog, 2 * (other + fog), (other + fog) / 2
    assert ranked_documents("length=0,text=auto", *units).scores == near((a, b, c, d))
    # With the first sentence: fog twice by itself is 4; pier and fog are 2.
    ranking = ranked_documents("length=0,first=1,text=auto", *units)
    assert ranking.scores == near((a + 4, b, c + 2, d))


@given(st.lists(sentence_lists, max_size=3), weights, weights, weights, st.sampled_from([0, 2, 9]))
def test_the_centroid_agrees_with_a_slow_plain_way(documents, c, p, f, length):
    expected = centroid_oracle(documents, c, p, f, length, threshold=0.8)
    options = f"centroid={c},position={p},first={f},length={length},threshold=0.8,text=auto"
    ranking = ranked_documents(options, *map(joined, documents))
    assert ranking.scores == near(expected)
    assert sorted(ranking.order) == list(range(len(expected)))
    # The function is the first feature alone.
    first = centroid_oracle(documents, position=0, length=0)
    assert centroid(documents) == pytest.approx(first, abs=1e-12)


def test_short_sentences_have_nothing_and_words_are_running_words():
    nine = "On that very day the ferry hit the pier."
    units = ["The ferry hit the pier in the fog.", nine, "Ice lay on the quay."]
    ranking = ranked_documents("", units)
    assert ranking.scores[0] == ranking.scores[2] == 0 < ranking.scores[1]
    assert ranking.order == (1, 0, 2)
    # Documents without units are counted and do not shift the others.
    documents = [[], [["fog", "pier"], ["ice", "quay"]], [], [["fog", "fog"]]]
    ranking = ranked_documents("length=0,first=1,text=auto", *map(joined, documents))
    assert ranking.scores == near(centroid_oracle(documents, first=1, length=0))


DATA = Path(__file__).parents[1] / "data"
HARBOUR = str(DATA / "harbour.jsonl")
PLAIN = TextPipeline.from_spec("auto")
maybe_queries = st.lists(st.sampled_from([*WORDS, "new"]), max_size=5)
paths = st.lists(st.sampled_from("ab"), min_size=8, max_size=8)
thesauri = st.dictionaries(st.sampled_from(WORDS), st.lists(paths, min_size=1, max_size=2))


def ranked(ranker, *units, **topic):
    return ranker.rank(source_of(units, **topic), 1)


def semdist_oracle(word, other, thesaurus):
    if word == other:
        return 18
    pairs = [(a, b) for a in thesaurus.get(word, []) for b in thesaurus.get(other, [])]
    shared = [next((i for i in range(8) if a[i] != b[i]), 8) for a, b in pairs]
    return 18 - 2 * (9 - max(shared)) if shared else 0


@given(sentence_lists, maybe_queries, thesauri)
def test_scores_agree_with_a_slow_plain_way(sentences, query, thesaurus):
    for count, words in (("set", sorted(set(query))), ("tokens", query)):
        expected = [
            sum(max((semdist_oracle(w, q, thesaurus) for w in s), default=0) for q in words)
            for s in sentences
        ]
        high = semdist_scores(sentences, query, thesaurus, count)
        low = simple_match(sentences, query, count)
        assert high == expected
        assert low == [sum(18 for q in words if q in s) for s in sentences]
        assert all(18 * len(words) >= a >= b for a, b in zip(high, low, strict=True))


FERRIES = ["The ferry left.", "A quay and a crew.", "Fog.", "Ships!"]
SHIP = {"query": "the ship at the quay"}
FOGGY = ["Fog on a pier.", "Fog.", "It is."]


@pytest.mark.parametrize(("ranker", "units", "topic", "scores", "order"), [
    # Levels shared with "ship": ferry 7 (paragraph), crew 6 (part of speech), quay 2 (section);
    # what is nearest to "ship", and what is nearest to "quay".
    (SemDist(thesaurus=HARBOUR), FERRIES, SHIP, (14 + 4, 12 + 18, 0, 18 + 4), (1, 3, 0, 2)),
    (SimpleMatch(), FERRIES, SHIP, (0, 18, 0, 18), (1, 3, 0, 2)),
    # By length, and undefined without words.
    (SimpleMatch(normalise="length"), FOGGY, {"query": "fog"}, (9, 18, math.nan), (1, 0, 2)),
    (SimpleMatch(), FOGGY, {"query": "fog"}, (18, 18, 0), (0, 1, 2)),
    # The title where there is no query.
    (SimpleMatch(), ["Fog.", "Ice."], {"title": "ice"}, (0, 18), (1, 0)),
    # Stop words on both sides count for nothing.
    (SimpleMatch(), ["It is the.", "The fog."], {"query": "what is the fog"}, (0, 18), (1, 0)),
    (SimpleMatch(), ["The fog.", "It."], {"query": "what is it"}, (0, 0), (0, 1)),
    # The list of stop words of the original ROUGE has "say", ours has not.
    (SUMMARIZERS.build("simple_match(text=en(stop=true))"), ["They say so."], {"query": "say"},
     (18,), (0,)),
    (SUMMARIZERS.build("simple_match(text=rouge155(stop=true))"), ["They say so."],
     {"query": "say"}, (0,), (0,)),
    (SemDist(thesaurus=HARBOUR, text=PLAIN),
     ["Туман.", "Паром ушёл."], {"query": "паром"}, (0, 18), (1, 0)),
])  # fmt: skip
def test_units_are_ranked_as_by_hand(ranker, units, topic, scores, order):
    ranking = ranked(ranker, *units, **topic)
    assert ranking.scores == pytest.approx(scores, nan_ok=True)
    assert ranking.order == order


def test_words_match_themselves_and_what_is_near_in_the_thesaurus():
    assert semdist("zeppelin", "zeppelin", {}) == 18
    assert semdist("zeppelin", "pier", {"pier": ["abcdefgh"]}) == 0
    # A repeated word of the query counts twice with tokens.
    units = ["Fog.", "Ice and a pier."]
    for cls, options in ((SimpleMatch, {}), (SemDist, {"thesaurus": HARBOUR})):
        once = ranked(cls(**options), *units, query="fog fog ice")
        twice = ranked(cls(query="tokens", **options), *units, query="fog fog ice")
        assert twice.scores[0] - once.scores[0] == 18


@pytest.mark.parametrize(("ranker", "topic", "words"), [
    (SimpleMatch(), {}, "a title, and simple_match needs one"),
    (SemDist(thesaurus=HARBOUR), {}, "a title, and semdist needs one"),
    (SemDist(), {"query": "fog"}, r"`summetry download roget1911` fetches it, or name"),
    (SemDist(thesaurus="no.txt"), {"query": "fog"},
     r"no thesaurus file 'no.txt'; say where .*download"),
])  # fmt: skip
def test_what_is_missing_is_told(ranker, topic, words):
    with pytest.raises(SummetryError, match=words):
        ranked(ranker, "Fog.", **topic)


def test_a_thesaurus_that_was_downloaded_is_found():
    thesaurus_folder().mkdir(parents=True)
    (thesaurus_folder() / "roget1911.txt").write_bytes((DATA / "roget.txt").read_bytes())
    assert ranked(SemDist(), "A liner.", "A skiff.", query="ship").scores == (14.0, 4.0)
