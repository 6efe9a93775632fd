"""Windows of frequent words."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ranked_sentences import rank

from summetry.arrays.token_tables import build_table, table_of
from summetry.errors import SummetryError
from summetry.summarizers._words import Running, frequent
from summetry.summarizers.luhn import best_windows, significance

quick = settings(max_examples=70)
STOP = {"the", "of", "and"}
sentence_lists = st.lists(
    st.lists(st.sampled_from(["the", "of", "and", "ferri", "pier", "fog", "x", "y"]), max_size=14),
    max_size=7,
)


def slow_significance(marks, gap):
    """Every window that begins and ends with a significant word, if none is longer."""
    marks = "".join("1" if mark else "0" for mark in marks)
    windows = [
        (a, b)
        for a in range(len(marks))
        for b in range(a, len(marks))
        if marks[a] == marks[b] == "1" and "0" * (gap + 1) not in marks[a : b + 1]
    ]
    longest = [
        (a, b)
        for a, b in windows
        if not any((c <= a and b <= d) and (c, d) != (a, b) for c, d in windows)
    ]
    return max(
        (Fraction(marks[a : b + 1].count("1") ** 2, b - a + 1) for a, b in longest), default=0
    )


def test_the_example_of_the_paper():
    """Luhn's figure: four significant words in a bracket of seven words have 16 / 7, about 2.3."""
    words = "---*-**--*---"
    assert significance([mark == "*" for mark in words]) == Fraction(16, 7)


def test_a_gap_of_four_joins_and_one_of_five_parts():
    assert significance([True, *[False] * 4, True]) == Fraction(4, 6)
    assert significance([True, *[False] * 5, True]) == 1
    assert significance([False, False]) == significance([]) == 0


@quick
@given(st.lists(st.booleans(), max_size=16), st.integers(0, 5))
def test_the_plain_function_agrees_with_all_windows_tried(marks, gap):
    assert significance(marks, gap) == slow_significance(marks, gap)


@quick
@given(st.lists(st.lists(st.booleans(), max_size=16), max_size=6), st.integers(0, 5))
def test_many_sentences_at_once_agree_with_each_alone(sentences, gap):
    table = build_table([" ".join("x" * len(s)) for s in sentences], lambda ps: [[p] for p in ps])
    marks = np.array([mark for sentence in sentences for mark in sentence], np.bool_)
    scores = best_windows(table, marks, gap).tolist()
    assert scores == [float(slow_significance(sentence, gap)) for sentence in sentences]


def slow_luhn(sentences, gap, share, least):
    counts = Counter(w for sentence in sentences for w in sentence if w not in STOP)
    ordered = sorted(counts.values(), reverse=True)
    top = ordered[: -(-len(ordered) * share.numerator // share.denominator)]
    significant = {w for w, n in counts.items() if n >= least and n >= top[-1]}
    return [float(slow_significance([w in significant for w in s], gap)) for s in sentences]


@quick
@given(sentence_lists, st.integers(0, 5), st.sampled_from(["0.1", "0.5", "1"]), st.integers(1, 3))
def test_scores_agree_with_a_slow_plain_way(sentences, gap, share, least):
    spelling = f"luhn(gap={gap},share={share},least={least},text=en(stop=true))"
    ranking = rank(spelling, *map(" ".join, sentences))
    expected = slow_luhn(sentences, gap, Fraction(share), least)
    assert list(ranking.scores) == expected
    assert list(ranking.order) == sorted(range(len(sentences)), key=lambda i: (-expected[i], i))


def test_stop_words_are_not_significant_but_widen_a_window():
    """Ferry is significant; five stop words and "fog" lie between its two places."""
    units = ["Ferry in the fog and of the ferry.", "A pier.", "Ferries of ferries."]
    assert rank("luhn", *units).scores == (1.0, 0.0, pytest.approx(4 / 3))
    assert rank("luhn(gap=6)", *units).scores == (4 / 8, 0.0, 4 / 3)


def test_a_stop_word_is_not_taken_for_a_word_with_its_stem():
    """English "doing" is a stop word and its stem is "do", which "do" has too."""
    ranking = rank("luhn(share=1,least=1)", "Doing.", "Does doings.")
    assert ranking.scores == (0.0, 1.0)


def test_words_as_frequent_as_the_last_of_the_share_are_in():
    assert frequent(np.array([4, 2, 2, 2, 1]), top=2, least=1).tolist() == [True] * 4 + [False]
    assert frequent(np.array([4, 2, 1]), top=3, least=3).tolist() == [True, False, False]
    assert frequent(np.array([], np.int64), top=0, least=2).tolist() == []


def test_a_share_of_the_words_is_rounded_up_from_what_is_written():
    """0.07 of 100 words are 7, though 0.07 * 100 is above 7; of 101 words they are 8."""
    for words, share, top in ((100, 0.07, 7), (101, 0.07, 8), (1, 0.1, 1)):
        counts = np.arange(1, words + 1)
        ids = np.repeat(np.arange(words), counts)
        table = table_of([ids.tolist(), []], range(words))
        running = Running(table, np.ones(len(ids), np.bool_))
        assert running.frequent_share(share, least=1).sum() == top


def test_the_cut_takes_a_tenth_of_the_words_unless_told():
    """Twenty distinct words, of which two may be significant: "pier" and "fog"."""
    others = [f"word{letter}" for letter in "abcdefghijklmnopqr"]
    units = ["pier pier pier", "fog fog", " ".join(others), "pier fog"]
    assert rank("luhn", *units).scores == (3.0, 2.0, 0.0, 2.0)
    assert rank("luhn(share=0.05)", *units).scores == (3.0, 0.0, 0.0, 1.0)
    assert rank("luhn(least=4)", *units).scores == (3.0, 0.0, 0.0, 1.0)


def test_a_text_without_repeats_keeps_its_order():
    ranking = rank("luhn", "Fog lay here.", "Nobody sang.", "...", "")
    assert ranking.order == (0, 1, 2, 3) and set(ranking.scores) == {0.0}


def test_repeated_sentences_and_other_scripts():
    greek = "Το πλοίο χτύπησε στην προβλήτα."
    assert rank("luhn(share=1)", greek, "Τίποτα.", greek, language="el").order == (0, 2, 1)
    chinese = ["渡轮撞上码头", "雾", "码头"]
    assert rank("luhn(share=1,text=auto)", *chinese, language="zh").scores == (2.0, 0.0, 2.0)


def test_other_pipelines_are_read_as_they_are():
    assert rank("luhn(share=1,text=rouge155)", "fog a fog", "pier", language="").scores == (
        4 / 3,
        0.0,
    )


def test_a_topic_without_a_language_is_refused_in_the_words_of_the_pipeline():
    with pytest.raises(SummetryError, match=r"text=auto\(stop=true,stem=true\) needs to know"):
        rank("luhn", "A ferry.", language="")
    assert rank("luhn(text=en(stop=true,stem=true))", "A ferry.", language="").order == (0,)
