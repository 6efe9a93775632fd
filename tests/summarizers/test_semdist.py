"""SemDist and Simple Match. The golden cases are in test_golden_papers.py."""

import json
import math
from pathlib import Path

import pytest
from hypothesis import given, settings
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
plain = TextPipeline.from_spec("auto")

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
@settings(max_examples=70)
def test_scores_agree_with_a_slow_plain_way(sentences, query, thesaurus):
    for count, words in (("set", sorted(set(query))), ("tokens", query)):
        expected = [
            sum(max((semdist_oracle(w, q, thesaurus) for w in s), default=0) for q in words)
            for s in sentences
        ]
        assert semdist_scores(sentences, query, thesaurus, count) == expected
        expected = [sum(18 for q in words if q in s) for s in sentences]
        assert simple_match(sentences, query, count) == expected


@given(sentence_lists, queries, thesauri)
def test_semdist_is_never_below_simple_match_nor_above_18_a_word(sentences, query, thesaurus):
    high, low = semdist_scores(sentences, query, thesaurus), simple_match(sentences, query)
    most = 18 * len(set(query))
    assert all(a >= b for a, b in zip(high, low, strict=True))
    assert all(score <= most for score in high)


def test_a_hand_worked_example():
    """Levels shared with "ship": ferry 7 (paragraph), crew 6 (part of speech), quay 2 (section)."""
    units = ["The ferry left.", "A quay and a crew.", "Fog.", "Ships!"]
    ranking = rank(SemDist(thesaurus=HARBOUR), *units, query="the ship at the quay")
    # What is nearest to "ship", and what is nearest to "quay".
    assert ranking.scores == (14 + 4, 12 + 18, 0, 18 + 4)
    assert ranking.order == (1, 3, 0, 2)
    assert rank(SimpleMatch(), *units, query="the ship at the quay").scores == (0, 18, 0, 18)


def test_words_outside_the_thesaurus_match_themselves_only():
    assert semdist("zeppelin", "zeppelin", {}) == 18
    assert semdist("zeppelin", "pier", {"pier": ["abcdefgh"]}) == 0


def test_a_repeated_word_of_the_query_counts_twice_with_tokens():
    units = ["Fog.", "Ice and a pier."]
    for cls, options in ((SimpleMatch, {}), (SemDist, {"thesaurus": HARBOUR})):
        once = rank(cls(**options), *units, query="fog fog ice")
        twice = rank(cls(query="tokens", **options), *units, query="fog fog ice")
        assert twice.scores[0] - once.scores[0] == 18


def test_normalised_by_length_and_undefined_without_words():
    units = ["Fog on a pier.", "Fog.", "It is."]
    ranking = rank(SimpleMatch(normalise="length"), *units, query="fog")
    assert ranking.scores[:2] == (9.0, 18.0) and math.isnan(ranking.scores[2])
    assert ranking.order == (1, 0, 2)
    assert rank(SimpleMatch(), *units, query="fog").scores == (18.0, 18.0, 0.0)


def test_a_longer_sentence_is_never_worse():
    """What the paper says against its own method."""
    short, long = ["fog"], ["fog", "pier", "crew"]
    thesaurus = {"pier": ["abcdefgh"], "quay": ["abcdefgh"], "crew": ["bbbbbbbb"]}
    scores = semdist_scores([short, long], ["quay", "fog"], thesaurus)
    assert scores[1] >= scores[0]


def test_the_title_where_there_is_no_query_and_an_error_with_neither():
    assert rank(SimpleMatch(), "Fog.", "Ice.", title="ice").order[0] == 1
    for ranker in (SimpleMatch(), SemDist(thesaurus=HARBOUR)):
        with pytest.raises(SummetryError, match=f"a title, and {ranker.name} needs one"):
            rank(ranker, "Fog.")


def test_stop_words_on_both_sides_count_for_nothing():
    ranking = rank(SimpleMatch(), "It is the.", "The fog.", query="what is the fog")
    assert ranking.scores == (0.0, 18.0)
    ranking = rank(SimpleMatch(), "The fog.", "It.", query="what is it")
    assert ranking.scores == (0.0, 0.0) and ranking.order == (0, 1)


def test_stop_words_of_another_list():
    """The list of the original ROUGE has "say", ours has not."""
    spelling = "simple_match(text=rouge155(stop=true))"
    ours, theirs = (SUMMARIZERS.build(s) for s in ("simple_match(text=en(stop=true))", spelling))
    assert rank(ours, "They say so.", query="say").scores == (18.0,)
    assert rank(theirs, "They say so.", query="say").scores == (0.0,)


def test_an_unusual_script():
    ranking = rank(SemDist(thesaurus=HARBOUR, text=plain), "Туман.", "Паром ушёл.", query="паром")
    assert ranking.scores == (0.0, 18.0)


@given(sentence_lists, queries.filter(bool), thesauri.filter(lambda ranking: any(ranking.values())))
@settings(max_examples=50)
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
    ranking = rank(
        SemDist(thesaurus=str(path), text=plain), *joined(sentences), query=" ".join(query)
    )
    assert ranking.scores == tuple(map(float, semdist_scores(sentences, query, nine)))


def test_without_a_thesaurus_both_ways_are_told():
    with pytest.raises(SummetryError, match=r"`summetry download roget1911` fetches it, or name"):
        rank(SemDist(), "Fog.", query="fog")
    with pytest.raises(SummetryError, match=r"no thesaurus file 'no.txt'; say where .*download"):
        rank(SemDist(thesaurus="no.txt"), "Fog.", query="fog")


def test_a_thesaurus_that_was_downloaded_is_found():
    thesaurus_folder().mkdir(parents=True)
    (thesaurus_folder() / "roget1911.txt").write_bytes((DATA / "roget.txt").read_bytes())
    assert rank(SemDist(), "A liner.", "A skiff.", query="ship").scores == (14.0, 4.0)
