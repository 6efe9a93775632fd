"""Luhn's windows of frequent words; Edmundson's cue, key and title words and places."""

import tomllib
from collections import Counter
from fractions import Fraction
from importlib.resources import files
from itertools import combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ranked_sentences import rank, source_of

from summetry.arrays.token_tables import build_table, table_of
from summetry.errors import SummetryError
from summetry.records.topics import Document, Topic, with_units
from summetry.summarizers import SUMMARIZERS, Source
from summetry.summarizers._cues import cues, known_cues, read_cues
from summetry.summarizers._words import Running, count_phrases, frequent
from summetry.summarizers.base import borders
from summetry.summarizers.luhn import best_windows, significance
from summetry.text.pipeline import LanguagePipeline

PARTED = "One is here. Two is here.\n\nThree is here.\n\nFour is here. Five is here. Six is here."
WORDS = ["the", "of", "important", "hardly", "ferry", "pier", "fog", "crew"]
documents = st.lists(
    st.lists(st.lists(st.sampled_from(WORDS), max_size=6), max_size=4), min_size=1, max_size=3
)
STOP = {"the", "of", "and"}
sentence_lists = st.lists(
    st.lists(st.sampled_from(["the", "of", "and", "ferri", "pier", "fog", "x", "y"]), max_size=14),
    max_size=7,
)
gaps = st.integers(0, 5)


def slow_significance(marks, gap):
    """Every window that begins and ends with a significant word, if none is longer."""
    marks = "".join("1" if mark else "0" for mark in marks)
    windows = [
        (a, b)
        for a, b in combinations_with_replacement(range(len(marks)), 2)
        if marks[a] == marks[b] == "1" and "0" * (gap + 1) not in marks[a : b + 1]
    ]
    shares = [
        Fraction(marks[a : b + 1].count("1") ** 2, b - a + 1)
        for a, b in windows
        if not any((c <= a and b <= d) and (c, d) != (a, b) for c, d in windows)
    ]
    return max(shares, default=0)


def test_the_example_of_the_paper():
    """Luhn's figure: four significant words in a bracket of seven words have 16 / 7, about 2.3."""
    words = "---*-**--*---"
    assert significance([mark == "*" for mark in words]) == Fraction(16, 7)
    # A gap of four joins, and one of five parts.
    assert significance([True, *[False] * 4, True]) == Fraction(4, 6)
    assert significance([True, *[False] * 5, True]) == 1
    assert significance([False, False]) == significance([]) == 0


@given(st.lists(st.lists(st.booleans(), max_size=16), max_size=6), gaps)
def test_windows_agree_with_all_windows_tried_alone_and_many_at_once(sentences, gap):
    expected = [slow_significance(sentence, gap) for sentence in sentences]
    assert [significance(sentence, gap) for sentence in sentences] == expected
    table = build_table([" ".join("x" * len(s)) for s in sentences], lambda ps: [[p] for p in ps])
    marks = np.array([mark for sentence in sentences for mark in sentence], np.bool_)
    assert best_windows(table, marks, gap).tolist() == [float(share) for share in expected]


def slow_luhn(sentences, gap, share, least):
    counts = Counter(w for sentence in sentences for w in sentence if w not in STOP)
    ordered = sorted(counts.values(), reverse=True)
    top = ordered[: -(-len(ordered) * share.numerator // share.denominator)]
    significant = {w for w, n in counts.items() if n >= least and n >= top[-1]}
    return [float(slow_significance([w in significant for w in s], gap)) for s in sentences]


@given(sentence_lists, gaps, st.sampled_from(["0.1", "0.5", "1"]), st.integers(1, 3))
def test_luhn_agrees_with_a_slow_plain_way(sentences, gap, share, least):
    spelling = f"luhn(gap={gap},share={share},least={least},text=en(stop=true))"
    ranking = rank(spelling, *map(" ".join, sentences))
    expected = slow_luhn(sentences, gap, Fraction(share), least)
    assert list(ranking.scores) == expected
    assert list(ranking.order) == sorted(range(len(sentences)), key=lambda i: (-expected[i], i))


FERRIES = ["Ferry in the fog and of the ferry.", "A pier.", "Ferries of ferries."]
# Twenty distinct words, of which two may be significant: "pier" and "fog".
TWENTY = ["pier pier pier", "fog fog", "word" + " word".join("abcdefghijklmnopqr"), "pier fog"]
GREEK = "Το πλοίο χτύπησε στην προβλήτα."


@pytest.mark.parametrize(("options", "units", "language", "expected"), [
    # Five stop words and "fog" lie between the two places of "ferry", and widen its window.
    ("", FERRIES, "en", (1, 0, pytest.approx(4 / 3))),
    ("gap=6", FERRIES, "en", (4 / 8, 0, 4 / 3)),
    # English "doing" is a stop word, and "do" has the same stem and is none.
    ("share=1,least=1", ["Doing.", "Does doings."], "en", (0, 1)),
    ("", TWENTY, "en", (3, 2, 0, 2)),
    ("share=0.05", TWENTY, "en", (3, 0, 0, 1)),
    ("least=4", TWENTY, "en", (3, 0, 0, 1)),
    ("", ["Fog lay here.", "Nobody sang.", "...", ""], "en", (0, 0, 0, 0)),
    ("share=1", [GREEK, "Τίποτα.", GREEK], "el", (9 / 4, 0, 9 / 4)),
    ("share=1,text=auto", ["渡轮撞上码头", "雾", "码头"], "zh", (2, 0, 2)),
    # Another pipeline is read as it is.
    ("share=1,text=rouge155", ["fog a fog", "pier"], "", (4 / 3, 0)),
])  # fmt: skip
def test_luhn_worked_by_hand(options, units, language, expected):
    ranking = rank(f"luhn({options})", *units, language=language)
    assert ranking.scores == expected
    assert list(ranking.order) == sorted(range(len(units)), key=lambda i: -ranking.scores[i])


def test_words_as_frequent_as_the_last_of_the_share_are_in():
    assert frequent(np.array([4, 2, 2, 2, 1]), top=2, least=1).tolist() == [True] * 4 + [False]
    assert frequent(np.array([4, 2, 1]), top=3, least=3).tolist() == [True, False, False]
    assert frequent(np.array([], np.int64), top=0, least=2).tolist() == []
    # A share is rounded up from what is written: 0.07 of 100 words are 7, though 0.07 * 100 is
    # above 7; of 101 words they are 8.
    for words, share, top in ((100, 0.07, 7), (101, 0.07, 8), (1, 0.1, 1)):
        counts = np.arange(1, words + 1)
        ids = np.repeat(np.arange(words), counts)
        table = table_of([ids.tolist(), []], range(words))
        running = Running(table, np.ones(len(ids), np.bool_))
        assert running.frequent_share(share, least=1).sum() == top


def only(feature, weight=1, more=""):
    """Edmundson with one of the four weights."""
    weights = dict.fromkeys(("cue", "key", "title", "position"), 0) | {feature: weight}
    return f"edmundson({','.join(f'{k}={v}' for k, v in weights.items())}{more})"


CUES = ["The main result.", "A ferry came.", "A boat, for example.", "An important guess, maybe."]
PIERS = ["The pier, the piers.", "Fog and fog.", "A pier in a quiet harbour."]
TITLED = ["Ferries and ferries.", "The pier.", "Nobody was hurt.", "A ferry at the pier, a pier."]
DAYS = ["An important day.", "A ferry came.", "Nobody was hurt."]


@pytest.mark.parametrize(("spelling", "units", "topic", "expected"), [
    # Two bonus words, none, one stigma phrase; by the largest, which is 2.
    (only("cue"), CUES, {}, (1, 0, -0.5, 0)),
    (only("cue", -1), CUES, {}, (-1, 0, 0.5, 0)),
    (only("cue"), ["Ίσως είναι έτσι.", "Αυτό είναι ΣΗΜΑΝΤΙΚΌ."], {"language": "el"}, (-1, 1)),
    # Imports have the stem of important, and Maine begins with main: cues are whole words.
    (only("cue"), ["Imports of Maine.", "For the example."], {}, (0, 0)),
    (only("cue", more=",text=auto"), ["也许是雾。", "这很重要。", "船。"], {"language": "zh"},
     (-1, 1, 0)),
    # Pier occurs three times, fog twice, all others once.
    (only("key", more=",share=0.5"), PIERS, {}, (1, 4 / 6, 3 / 6)),
    (only("title"), TITLED, {"title": "The ferry and the pier"}, (2 / 3, 1 / 3, 0, 1)),
    (only("title"), TITLED, {}, (0, 0, 0, 0)),
    # Cue 1, 0, 0; title 0, 1, 0; ends 1, 0, 1.
    ("edmundson", DAYS, {"title": "Ferry"}, (2, 1, 1)),
    ("edmundson(cue=0.5,title=3)", DAYS, {"title": "Ferry"}, (1.5, 3, 1)),
    ("edmundson(position=0)", ["And the.", "...", "", "Of it."], {}, (0, 0, 0, 0)),
    ("edmundson", [], {}, ()),
    # The first sentence of news, and then what declines.
    ("swesum", ["Dimma låg där."] * 5, {"language": "sv"}, (5, 3, 1 + 4 / 3, 2, 1.8)),
    ("edmundson(text=en(stop=true))", ["Important."], {"language": ""}, (2,)),
])  # fmt: skip
def test_edmundson_worked_by_hand(spelling, units, topic, expected):
    ranking = rank(spelling, *units, **topic)
    assert ranking.scores == expected
    assert list(ranking.order) == sorted(range(len(units)), key=lambda i: -ranking.scores[i])


def test_places_at_the_ends_and_declining():
    source = source_of(["a b"] * 4, ["a b"] * 2, ["a b"])
    ends = SUMMARIZERS.build(only("position")).rank(source, 1)
    assert ends.scores == (1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0)
    declining = SUMMARIZERS.build(only("position", more=",places=declining")).rank(source, 1)
    assert declining.scores == (1, 1 / 2, 1 / 3, 1 / 4, 1, 1 / 2, 1)
    assert declining.order == (0, 4, 6, 1, 5, 2, 3)
    # The ends of paragraphs count half of those of the document.
    topic = with_units(Topic("t", language="en", text=PARTED))
    ranking = SUMMARIZERS.build(only("position")).rank(Source(topic), 1)
    assert ranking.scores == (1.0, 0.5, 0.5, 0.5, 0.0, 1.0)


def slow_edmundson(documents, title, cue, key, titled, position):
    units = [unit for document in documents for unit in document]
    counts = Counter(w for unit in units for w in unit if w not in STOP)
    ordered = sorted(counts.values(), reverse=True)
    lowest = max(2, ordered[-(-len(ordered) // 2) - 1]) if ordered else 2
    parts = [
        [unit.count("important") - unit.count("hardly") for unit in units],
        [sum(counts[w] for w in unit if counts[w] >= lowest) for unit in units],
        [sum(w in title and w not in STOP for w in unit) for unit in units],
        [1 / (n + 1) for document in documents for n in range(len(document))],
    ]
    scores = [0.0] * len(units)
    for weight, part in zip((cue, key, titled, position), parts, strict=True):
        largest = max(map(abs, part), default=0)
        if largest:
            scores = [s + weight * value / largest for s, value in zip(scores, part, strict=True)]
    return scores


titles = st.lists(st.sampled_from(WORDS), max_size=3)


@given(documents, titles, st.tuples(*[st.integers(-2, 3)] * 4))
def test_edmundson_agrees_with_a_slow_plain_way(parts, title, weights):
    cue, key, titled, position = weights
    spelling = f"edmundson(cue={cue},key={key},title={titled},position={position},share=0.5,"
    spelling += "places=declining,text=en(stop=true))"
    source = source_of(*[map(" ".join, document) for document in parts], title=" ".join(title))
    ranking = SUMMARIZERS.build(spelling).rank(source, 1)
    assert ranking.scores == pytest.approx(slow_edmundson(parts, title, *weights), abs=1e-12)


@pytest.mark.parametrize(("spelling", "without_cues", "language", "words"), [
    ("edmundson(text=auto)", "edmundson(cue=0,text=auto)", "th",
     r"no cue words for the language 'th'; languages .* da, de"),
    ("edmundson(text=auto)", "edmundson(text=en(stop=true))", "",
     r"edmundson needs to know the language .* cue=0"),
    ("luhn", "luhn(text=en(stop=true,stem=true))", "",
     r"text=auto\(stop=true,stem=true\) needs to know"),
])  # fmt: skip
def test_a_language_that_is_not_known_is_asked_for(spelling, without_cues, language, words):
    with pytest.raises(SummetryError, match=words):
        rank(spelling, "x", language=language)
    assert rank(without_cues, "x", language=language).order == (0,)


def numbers(*documents, unit="sentence"):
    return Source(Topic("t", unit=unit, documents=documents)).paragraphs.tolist()


def test_paragraphs_are_found_in_the_text_and_counted_through_all_documents():
    for text, units, expected in (
        ("One.\n\nTwo.", ("One.", "Two."), [0, 1]),
        # A text that does not hold the units in order tells nothing.
        ("One.\n\nTwo.", ("Two.", "One."), [0, 0]),
        ("Fog.\n\nFog.\n\n\n\nFog.", ("Fog.", "Fog.", "Fog."), [0, 1, 2]),
    ):
        assert numbers(Document("d", text=text, units=units)) == expected
    cut = with_units(Topic("t", language="en", text=PARTED)).documents[0]
    assert numbers(cut) == [0, 0, 1, 2, 2, 2]
    bare = Document("e", units=("One", "Two"))
    assert numbers(bare, cut, Document("f"), bare) == [0, 0, 1, 1, 2, 3, 3, 3, 4, 4]
    assert numbers(bare, bare, unit="paragraph") == [0, 1, 2, 3]
    assert numbers() == []


@given(st.lists(st.integers(0, 3), max_size=12).map(sorted))
def test_borders_are_the_first_and_last_of_each_number(groups):
    edges = borders(np.array(groups, np.int64))
    assert np.flatnonzero(edges.begins).tolist() == [groups.index(g) for g in sorted(set(groups))]
    last = [len(groups) - 1 - groups[::-1].index(g) for g in sorted(set(groups))]
    assert np.flatnonzero(edges.ends).tolist() == last


LISTS = ("bonus", "stigma", "phrases")
GOOD = "bonus = []\nstigma = []\nphrases = []\n"


@pytest.mark.parametrize("code", known_cues())
def test_lists_of_cue_words_can_be_used(code):
    """Every entry is written once in lower case, none is good and bad, and all can be found."""
    raw = tomllib.loads((files("summetry.summarizers._cues") / f"{code}.toml").read_text("utf-8"))
    for name in LISTS:
        assert len(raw[name]) >= 10 and len(raw[name]) == len(set(raw[name]))
        assert [entry for entry in raw[name] if entry != entry.lower()] == []
    lists = cues(code)
    assert not set(lists.bonus) & set(lists.stigma)
    for entries in (lists.bonus, lists.stigma, lists.phrases):
        table = LanguagePipeline().encode(entries, [code] * len(entries))
        spelt = [tuple(table.text(i)) for i in range(len(table))]
        assert all(spelt) and len(spelt) == len(set(spelt))


def test_a_region_has_the_list_of_its_language_and_a_language_without_one_is_named():
    assert cues("en-GB") is not None and cues("sv_FI") == cues("sv")
    with pytest.raises(SummetryError, match=r"no cue words for the language 'xx'; .*: da, de, el"):
        cues("xx")


@pytest.mark.parametrize(("text", "message"), [
    ("bonus = ", "qq.toml: expected TOML"),
    ("bonus = []", "qq.toml: expected the field 'stigma', found none"),
    (GOOD + "more = []", "expected one of the fields bonus, stigma, phrases, found 'more'"),
    (GOOD.replace("bonus = []", "bonus = 3"), "expected a list in the field 'bonus', found 3"),
    (GOOD.replace("stigma = []", 'stigma = ["a  b"]'), "in the field 'stigma', found 'a  b'"),
    (GOOD.replace("phrases = []", "phrases = [1]"), "in the field 'phrases', found 1"),
])  # fmt: skip
def test_a_broken_list_of_cue_words_is_named_with_its_field(tmp_path, text, message):
    file = tmp_path / "qq.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SummetryError, match=message):
        read_cues(file)


texts = st.lists(st.lists(st.sampled_from("abc"), max_size=8), max_size=5)
phrases = st.lists(st.lists(st.sampled_from("abcd"), max_size=3), max_size=6)


@given(texts, phrases)
def test_phrases_are_counted_as_by_hand(rows, listed):
    table = build_table([" ".join(row) for row in rows], lambda pieces: [[p] for p in pieces])
    distinct = {tuple(phrase) for phrase in listed if phrase}
    for row, count in zip(rows, count_phrases(table, listed).tolist(), strict=True):
        parts = [tuple(row[i : i + len(p)]) == p for i in range(len(row)) for p in distinct]
        assert count == sum(parts)
