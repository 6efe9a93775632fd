"""Lexical chains: how they are found, how strong they are, and which sentences they lead to."""

import math
from collections import Counter
from itertools import combinations_with_replacement
from statistics import fmean, pstdev

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ranked_sentences import rank, source_of

from summetry import spec
from summetry.errors import SummetryError
from summetry.summarizers import SUMMARIZERS
from summetry.summarizers.lexical_chains import build_chains, chain_score, strong_chains

WORDS = ["fog", "mist", "pier", "quay", "ferry", "boat", "crew"]
sentence_lists = st.lists(st.lists(st.sampled_from(WORDS), max_size=7), max_size=6)
group_lists = st.lists(st.lists(st.sampled_from(WORDS), min_size=2, max_size=4), max_size=5)

UNITS = ["A ferry struck the quay.", "The boat was old.", "Ferries and boats need a pier.",
         "Nobody was hurt.", "The ferry sank."]  # fmt: skip
THESAURUS = (
    "UTF-8\nferry|1\n(noun)|boat (generic term)\nquay|1\n(noun)|pier\nold|1\n(adj)|new (antonym)\n"
)


@pytest.fixture
def thesaurus(tmp_path):
    path = tmp_path / "th.dat"
    path.write_text(THESAURUS, encoding="utf-8")
    return path


@pytest.fixture
def write(tmp_path):
    """Write a table of words as a thesaurus."""

    def write(text):
        (tmp_path / "th.tsv").write_text(text, encoding="utf-8")
        return tmp_path / "th.tsv"

    return write


def spelt(path, more=""):
    return f'lexical_chains(thesaurus="{path}"{more})'


def test_the_scores_of_a_text_worked_by_hand(thesaurus):
    """Ferry (3) and boat (2) are a chain of score 5 - 2 = 3, quay and pier one of 2 - 2 = 0.

    The mean of 3 and 0 is 1.5 and so is the deviation: nothing is above 1.5 + 2 * 1.5, so the
    best one counts. The units have 3, 2, 4, 1 and 2 content words ("struck", "old", "need",
    "hurt", "sank" among them, "nobody" not).
    """
    ranking = rank(spelt(thesaurus), *UNITS)
    assert ranking.scores == (3 / 3, 3 / 2, 6 / 4, 0.0, 3 / 2)
    assert ranking.order == (1, 2, 4, 0, 3)
    for pick, scores in (
        ("total", (3.0, 3.0, 6.0, 0.0, 3.0)),
        ("first", (3.0, 0.0, 0.0, 0.0, 0.0)),
    ):
        assert rank(spelt(thesaurus, f",pick={pick}"), *UNITS).scores == scores


def test_the_first_sentence_of_a_chain_and_chains_of_one_word(thesaurus):
    """Boat (once) comes first, but ferry (three times) is above the mean of 2."""
    units = ["A boat.", "A ferry.", "A ferry.", "The ferry."]
    assert rank(spelt(thesaurus, ",pick=first"), *units).scores == (0.0, 2.0, 0.0, 0.0)
    # Ferry three times and boat twice, chains of 2 and of 1; both within two deviations.
    ranking = rank("lexical_chains(relations=none)", *UNITS)
    assert ranking.scores == (2 / 3, 0.0, 2 / 4, 0.0, 2 / 2)
    assert rank("lexical_chains(relations=none,strong=1)", *UNITS) == ranking


def test_some_relations_only(thesaurus):
    without = rank(spelt(thesaurus, ",relations=[synonym]"), *UNITS)
    assert without == rank("lexical_chains(relations=none)", *UNITS)
    one = SUMMARIZERS.build(spelt(thesaurus, ",relations=hypernym"))
    assert one == SUMMARIZERS.build(spelt(thesaurus, ",relations=[hypernym]"))
    assert one.rank(source_of(UNITS), 1) == rank(spelt(thesaurus), *UNITS)
    assert SUMMARIZERS.build(spec.show(one)) == one
    with pytest.raises(SummetryError, match=r"no relation 'synonim'\. Did you mean 'synonym'\?"):
        rank(spelt(thesaurus, ",relations=synonim"), *UNITS)


def test_the_words_of_a_thesaurus_are_read_as_those_of_the_text(write, tmp_path):
    """Stems and case; several words in one entry are left aside."""
    path = write("FERRIES\thypernym\tBoat\nferry\tsynonym\tboat house\n")
    assert rank(spelt(path), *UNITS).scores == (3 / 3, 3 / 2, 6 / 4, 0.0, 3 / 2)
    assert rank(spelt(path, ",relations=synonym"), *UNITS).scores[0] == 2 / 3
    # It may be written anew or empty, but not missing.
    before = rank(spelt(write("crew\tsynonym\tstaff\n")), *UNITS)
    assert rank(spelt(write("ferry\tsynonym\tboat\n")), *UNITS) != before
    assert rank(spelt(write("")), *UNITS) == rank("lexical_chains(relations=none)", *UNITS)
    with pytest.raises(SummetryError, match=r"needs a thesaurus file: .*\(relations=none\)"):
        rank("lexical_chains", *UNITS)
    with pytest.raises(SummetryError, match=r"there is no thesaurus file '.*nowhere\.dat'; say"):
        rank(spelt(tmp_path / "nowhere.dat"), *UNITS)


def slow_chains(words, groups):
    """The rules of the page, step by step on words."""
    counts = Counter(words)
    left = [{word for word in group if word in counts} for group in groups]
    chains = []
    while True:
        able = [group for group in left if len(group) > 1]
        if not able:
            break
        best = min(able, key=lambda g: (-sum(counts[w] for w in g), min(map(words.index, g))))
        chains.append(set(best))
        left = [group - chains[-1] for group in left]
    taken = set().union(*chains)
    return chains + [{w} for w in dict.fromkeys(words) if w not in taken and counts[w] > 1]


def slow_scores(sentences, groups, pick, deviations):
    words = [word for sentence in sentences for word in sentence]
    counts = Counter(words)
    chains = slow_chains(words, groups)
    worth = [sum(counts[w] for w in chain) - len(chain) for chain in chains]
    strong = [s for s in worth if s > fmean(worth) + deviations * pstdev(worth) + 1e-9]
    limit = min(strong, default=max(worth, default=0))
    scores = [0] * len(sentences)
    for chain, score in zip(chains, worth, strict=True):
        if score < limit:
            continue
        if pick == "first":
            mean = fmean(counts[w] for w in chain)
            common = {w for w in chain if counts[w] >= mean}
            scores[next(i for i, s in enumerate(sentences) if common & set(s))] += score
            continue
        for i, sentence in enumerate(sentences):
            scores[i] += score * sum(w in chain for w in sentence)
    if pick == "concentration":
        return [s / len(t) if t else math.nan for s, t in zip(scores, sentences, strict=True)]
    return scores


@given(sentence_lists, group_lists, st.sampled_from(["concentration", "total", "first"]),
       st.sampled_from([0, 0.5, 1, 2]))  # fmt: skip
def test_scores_agree_with_a_slow_plain_way(tmp_path_factory, sentences, groups, pick, deviations):
    path = tmp_path_factory.mktemp("chains") / "th.dat"
    lines = [f"{group[0]}|1\n-|{'|'.join(group[1:])}\n" for group in groups]
    path.write_text("UTF-8\n" + "".join(lines), encoding="utf-8")
    options = f",pick={pick},strong={deviations},text=auto"
    expected = slow_scores(sentences, groups, pick, deviations)
    scores = rank(spelt(path, options), *map(" ".join, sentences)).scores
    assert scores == pytest.approx(expected, nan_ok=True)


def test_ties_go_to_the_group_that_begins_first_and_then_to_the_first_in_the_file():
    assert build_chains([1, 1, 1, 1], [[2, 3], [0, 1]]) == [(0, 1), (2, 3)]
    assert build_chains([1, 1, 1], [[0, 2], [0, 1]]) == [(0, 2)]
    assert build_chains([1, 1, 1], [[0, 1], [0, 2]]) == [(0, 1)]
    # The first takes 0 and 1; of the second only 2 and 3 are left, fewer than 4 and 5 have, so it
    # waits for its turn again.
    counts = [9, 9, 1, 1, 2, 2]
    assert build_chains(counts, [[0, 1], [1, 2, 3], [4, 5]]) == [(0, 1), (4, 5), (2, 3)]


def test_strong_chains_are_above_the_mean_of_scores_or_the_best():
    """Mean 1.5 and deviation 1.5: of 3 and 4 only 4 is above 3. Where none is, the best are."""
    assert strong_chains([0, 0, 1, 1, 3, 4], 1.0) == [False] * 5 + [True]
    assert strong_chains([0, 2], 1.0) == [False, True]
    assert strong_chains([0, 0, 2, 2, 1], 1.0) == [False, False, True, True, False]
    assert strong_chains([]) == []
    # The score is length times homogeneity.
    for distinct, length in combinations_with_replacement(range(1, 9), 2):
        assert chain_score(length, distinct) == pytest.approx(length * (1 - distinct / length))


def test_other_scripts(write):
    path = write("πλοίο\tsynonym\tκαράβι\n渡\tsynonym\t船\n")
    greek = ["Το πλοίο ήρθε.", "Η ομίχλη.", "Το ΚΑΡΆΒΙ και το πλοίο."]
    assert rank(spelt(path, ",text=el(stop=true)"), *greek).order == (2, 0, 1)
    chinese = rank(spelt(path, ",text=auto"), "渡船", "雾大", "船", language="zh")
    assert chinese.scores == (1.0, 0.0, 1.0) and chinese.order == (0, 2, 1)
