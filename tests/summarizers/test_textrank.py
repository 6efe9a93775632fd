"""TextRank: PageRank and HITS on shared words."""

import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from ranked_sentences import joined, rank, scores_of_all, sentence_lists, walk_oracle

from summetry.arrays.token_tables import table_of
from summetry.arrays.walks import pagerank
from summetry.summarizers import rank_by
from summetry.summarizers._vectors import word_counts
from summetry.summarizers.textrank import overlaps, textrank

PLAIN = "text=auto"


def weight_oracle(one, other):
    if len(one) == len(other) == 1:
        return 0.0
    return len(set(one) & set(other)) / (math.log(len(one)) + math.log(len(other)))


def textrank_oracle(sentences, damping=0.85):
    full = [words for words in sentences if words]
    weights = [
        [weight_oracle(a, b) if i != j else 0.0 for j, b in enumerate(full)]
        for i, a in enumerate(full)
    ]
    return scores_of_all(walk_oracle(weights, damping), map(bool, sentences))


def test_three_sentences_worked_by_hand():
    """Of the overlaps 1, 2, 1 the middle sentence gets a third of each neighbour's value."""
    sentences = [["fog", "pier"], ["fog", "ferry"], ["pier", "fog"]]
    middle = (0.05 + 0.85 / 3) / (1 + 0.85 / 3)
    expected = [(1 - middle) / 2, middle, (1 - middle) / 2]
    assert textrank(sentences) == pytest.approx(expected, abs=1e-12)


def test_the_weight_of_a_link_is_shared_words_by_logarithms_of_lengths():
    """Sentence 0 shares one word with 1 and one with 2, which have two and four words."""
    sentences = [["a", "b"], ["a", "c"], ["b", "d", "e", "f"]]
    near, far = 1 / (2 * math.log(2)), 1 / (math.log(2) + math.log(4))
    first = 0.9 / 1.85
    expected = [0.05 + 0.85 * first * w / (near + far) for w in (near, far)]
    assert textrank(sentences) == pytest.approx([first, *expected], abs=1e-12)


@given(sentence_lists)
@settings(max_examples=70)
def test_scores_agree_with_a_slow_plain_way(sentences):
    for damping in (0.85, 0.3):
        expected = textrank_oracle(sentences, damping)
        scores = textrank(sentences, damping=damping)
        assert scores == pytest.approx(expected, abs=1e-11, nan_ok=True)


@given(sentence_lists)
@settings(max_examples=50)
def test_the_summarizer_ranks_by_the_scores_of_the_function(sentences):
    for method in ("pagerank", "hits"):
        ranking = rank(f"textrank(method={method},{PLAIN})", *joined(sentences))
        assert ranking.scores == pytest.approx(tuple(textrank(sentences, method)), nan_ok=True)
        assert sorted(ranking.order) == list(range(len(sentences)))


@given(sentence_lists)
@settings(max_examples=50)
def test_hits_gives_the_principal_vector_of_the_weights(sentences):
    full = [words for words in sentences if words]
    weights = np.array(
        [[weight_oracle(a, b) * (i != j) for j, b in enumerate(full)] for i, a in enumerate(full)]
    ).reshape(len(full), len(full))
    scores = np.array([s for s in textrank(sentences, "hits") if not math.isnan(s)])
    assert len(scores) == len(full)
    if len(full):
        largest = np.linalg.eigvalsh(weights).max()
        assert scores.sum() == pytest.approx(1) and scores.min() >= 0
        assert (weights @ scores).tolist() == pytest.approx((largest * scores).tolist(), abs=1e-7)


def test_two_sentences_of_one_word_have_no_link():
    """ln 1 + ln 1 = 0 is no denominator; with a longer sentence the word does link."""
    assert textrank([["fire"], ["fire"], ["ice"]]) == pytest.approx([1 / 3] * 3)
    scores = textrank([["fire"], ["fire"], ["fire", "ice"]])
    assert scores[0] == pytest.approx(scores[1]) and scores[2] > scores[0]


def test_a_sentence_without_words_has_no_score_and_stands_last():
    ranking = rank("textrank", "It was.", "The ferry hit the pier.", "The pier was hit in fog.")
    assert math.isnan(ranking.scores[0])
    assert ranking.order == (1, 2, 0)


def test_only_the_strongest_part_of_the_text_has_authority():
    """HITS gives all to the group with the strongest links; PageRank does not."""
    sentences = [["x", "y"], ["x", "z"], ["a", "b", "c"], ["a", "b", "d"], ["a", "b", "e"]]
    assert textrank(sentences, "hits")[:2] == [0.0, 0.0]
    assert min(textrank(sentences)) > 0.1


@pytest.mark.parametrize("method", ["pagerank", "hits"])
def test_an_unusual_script(method):
    """The last sentence shares a word with each of the others, which share none."""
    units = ["Паром ударил причал.", "Густой туман.", "Паром ушёл в туман."]
    assert rank(f"textrank(method={method},text=auto)", *units).order[0] == 2


def test_stop_words_and_endings_are_not_compared_unless_asked():
    units = ["The ferries were in the fog.", "The ferry was in the ice.", "The dog was in the sun."]
    with_stems, plain = rank("textrank", *units), rank("textrank(text=auto)", *units)
    assert with_stems.scores[2] < with_stems.scores[0] == pytest.approx(with_stems.scores[1])
    assert plain.scores[2] == pytest.approx(plain.scores[1])


def test_scipy_is_loaded_by_ranking_and_not_before():
    names = ["textrank", "lexrank", "centroid", "tf_idf", "tf_isf", "mmr"]
    code = "import sys\n" + "\n".join(f"import summetry.summarizers.{name}" for name in names)
    code += "\nprint('scipy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_a_text_of_a_thousand_sentences_is_ranked_as_by_a_walk_on_its_links():
    random = np.random.default_rng(0)
    words = np.array([f"w{i}" for i in range(400)])
    weights = 1 / np.arange(3, 403)
    sentences = [
        random.choice(words, random.integers(0, 30), p=weights / weights.sum()).tolist()
        for _ in range(1000)
    ]
    table = table_of([words for words in sentences if words])
    links = overlaps(word_counts(table), table.lengths)
    expected = scores_of_all(pagerank(links), [bool(words) for words in sentences])
    scores = textrank(sentences)
    # Sums are added up in another order.
    assert scores == pytest.approx(expected, rel=1e-12, nan_ok=True)
    assert rank_by(scores).order == rank_by(expected).order
