"""SemDist and Simple Match. The golden cases are in test_golden_papers.py."""

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ranked_sentences import WORDS, joined, sentence_lists, source_of

from summetry.errors import SummetryError
from summetry.lexicons.word_paths import thesaurus_folder
from summetry.summarizers import SUMMARIZERS
from summetry.summarizers.semdist import SemDist, semdist, semdist_scores
from summetry.summarizers.simple_match import SimpleMatch, simple_match
from summetry.text.pipeline import TextPipeline

DATA = Path(__file__).parents[1] / "data"
HARBOUR = str(DATA / "harbour.jsonl")
PLAIN = TextPipeline.from_spec("auto")
queries = st.lists(st.sampled_from([*WORDS, "new"]), max_size=5)
paths = st.lists(st.sampled_from("ab"), min_size=8, max_size=8)
thesauri = st.dictionaries(st.sampled_from(WORDS), st.lists(paths, min_size=1, max_size=2))


def rank(ranker, *units, **topic):
    return ranker.rank(source_of(units, **topic), 1)


def semdist_oracle(word, other, thesaurus):
    if word == other:
        return 18
    pairs = [(a, b) for a in thesaurus.get(word, []) for b in thesaurus.get(other, [])]
    shared = [next((i for i in range(8) if a[i] != b[i]), 8) for a, b in pairs]
    return 18 - 2 * (9 - max(shared)) if shared else 0


@given(sentence_lists, queries, thesauri)
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


@pytest.mark.parametrize(
    ("ranker", "units", "topic", "scores", "order"),
    [
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
    ],
)  # fmt: skip
def test_units_are_ranked_as_by_hand(ranker, units, topic, scores, order):
    ranking = rank(ranker, *units, **topic)
    assert ranking.scores == pytest.approx(scores, nan_ok=True)
    assert ranking.order == order


def test_words_match_themselves_and_what_is_near_in_the_thesaurus():
    assert semdist("zeppelin", "zeppelin", {}) == 18
    assert semdist("zeppelin", "pier", {"pier": ["abcdefgh"]}) == 0
    # A longer sentence is never worse: what the paper says against its own method.
    short, long = ["fog"], ["fog", "pier", "crew"]
    thesaurus = {"pier": ["abcdefgh"], "quay": ["abcdefgh"], "crew": ["bbbbbbbb"]}
    scores = semdist_scores([short, long], ["quay", "fog"], thesaurus)
    assert scores[1] >= scores[0]
    # A repeated word of the query counts twice with tokens.
    units = ["Fog.", "Ice and a pier."]
    for cls, options in ((SimpleMatch, {}), (SemDist, {"thesaurus": HARBOUR})):
        once = rank(cls(**options), *units, query="fog fog ice")
        twice = rank(cls(query="tokens", **options), *units, query="fog fog ice")
        assert twice.scores[0] - once.scores[0] == 18


@given(sentence_lists, queries.filter(bool), thesauri.filter(lambda ranking: any(ranking.values())))
def test_the_ranker_gives_what_the_function_gives(tmp_path_factory, sentences, query, thesaurus):
    path = tmp_path_factory.mktemp("thesaurus") / "own.jsonl"
    lines = [
        {"class": p[0], "division": p[1], "section": p[2], "subsections": [p[3], p[4]],
         "head": p[5], "paragraphs": [{"pos": p[6] + p[7], "groups": [[word]]}]}
        for word, senses in thesaurus.items()
        for p in senses
    ]  # fmt: skip
    path.write_text("\n".join(map(json.dumps, lines)))
    # The same levels as the file has: sections hold their division, parts of speech two letters.
    nine = {
        word: [(p[0], f"{p[1]}/{p[2]}", p[3], p[4], p[5], p[6] + p[7], "0", "0") for p in senses]
        for word, senses in thesaurus.items()
    }
    ranker = SemDist(thesaurus=str(path), text=PLAIN)
    ranking = rank(ranker, *joined(sentences), query=" ".join(query))
    assert ranking.scores == tuple(map(float, semdist_scores(sentences, query, nine)))


@pytest.mark.parametrize(
    ("ranker", "topic", "words"),
    [
        (SimpleMatch(), {}, "a title, and simple_match needs one"),
        (SemDist(thesaurus=HARBOUR), {}, "a title, and semdist needs one"),
        (SemDist(), {"query": "fog"}, r"`summetry download roget1911` fetches it, or name"),
        (SemDist(thesaurus="no.txt"), {"query": "fog"},
         r"no thesaurus file 'no.txt'; say where .*download"),
    ],
)  # fmt: skip
def test_what_is_missing_is_told(ranker, topic, words):
    with pytest.raises(SummetryError, match=words):
        rank(ranker, "Fog.", **topic)


def test_a_thesaurus_that_was_downloaded_is_found():
    thesaurus_folder().mkdir(parents=True)
    (thesaurus_folder() / "roget1911.txt").write_bytes((DATA / "roget.txt").read_bytes())
    assert rank(SemDist(), "A liner.", "A skiff.", query="ship").scores == (14.0, 4.0)
