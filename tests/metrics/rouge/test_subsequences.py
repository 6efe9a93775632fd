"""Longest and heaviest common subsequences and skip-bigrams: textbook tables, both roads."""

from collections import Counter
from itertools import pairwise

import lcs_oracle
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernel_roads import on_both_roads
from lcs_oracle import mark_longest

from summetry.arrays import kernel
from summetry.arrays.sequences import lcs_length, lcs_lengths
from summetry.arrays.token_tables import TokenTable, build_table, table_of
from summetry.metrics import METRICS
from summetry.metrics.rouge import plain
from summetry.metrics.rouge.counts import union_hits
from summetry.metrics.rouge.plain import mark_pair, script_hits, weighted_lcs, weighted_marks
from summetry.metrics.rouge.rouge_metrics import skip_bigrams
from summetry.metrics.rouge.skips import skip_hits, skip_totals
from summetry.metrics.rouge.views import limit_like_rouge155
from summetry.records.batches import Batch, Comparison, Material, SentenceTable, Side
from summetry.records.lengths import Length

# Longest common subsequences, and their union


@given(st.text("abcd", max_size=90), st.text("abcd", max_size=90))
def test_long_numbers_mark_what_the_textbook_table_marks(x, y):
    expected = mark_longest(x, y)
    assert mark_pair(x, y) == expected
    with pytest.MonkeyPatch.context() as patch:
        # As if not all rows fitted into memory.
        patch.setattr(plain, "_MOST_BITS", 0)
        assert mark_pair(x, y) == expected
    assert sum(expected) == lcs_length(x, y)


def counted(texts, pairs, have=None):
    """The hits of each pair of texts, which are lists of sentences, which are strings of tokens;
    ``have`` are the tokens of each text, where these are not those of its sentences."""
    sentences = [" ".join(sentence) for text in texts for sentence in text]
    owned = [" ".join(words) for words in have or ["".join(text) for text in texts]]
    both = build_table([*sentences, *owned], lambda pieces: [[piece] for piece in pieces])
    border = len(sentences)
    table = TokenTable(both.ids, both.offsets[: border + 1], both.words)
    whole = TokenTable(both.ids, both.offsets[border:], both.words)
    first = np.cumsum([0, *map(len, texts)], dtype=np.int64)
    left, right = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    by_sentence = SentenceTable(table, first)
    return on_both_roads(lambda: union_hits(by_sentence, whole, left, right).tolist())


def counted_plainly(texts, pairs, have=None):
    """Sentence by sentence, each with the textbook table."""
    have = have or ["".join(text) for text in texts]
    hits = []
    for left, right in pairs:
        marked = Counter()
        for sentence in texts[right]:
            marks = zip(*(mark_longest(sentence, other) for other in texts[left]), strict=True)
            marked.update(token for token, some in zip(sentence, marks, strict=False) if any(some))
        hits.append((marked & Counter(have[left]) & Counter(have[right])).total())
    return hits


SENTENCES = st.lists(st.text("abcde", max_size=9), max_size=4)


@given(st.lists(SENTENCES, min_size=2, max_size=5), st.data())
def test_the_union_is_that_of_the_textbook_tables(texts, data):
    places = st.integers(0, len(texts) - 1)
    pairs = data.draw(st.lists(st.tuples(places, places), min_size=1, max_size=6))
    assert counted(texts, pairs) == counted_plainly(texts, pairs)
    # Of a word no more hits than both texts have: a limit cuts words off a text that its
    # sentences still have.
    have = ["".join(text)[: data.draw(st.integers(0, 9))] for text in texts]
    assert counted(texts, pairs, have) == counted_plainly(texts, pairs, have)


@pytest.mark.parametrize("longest", [63, 64, 65, 129])
@pytest.mark.parametrize("letters", ["ab", "abcdefghij"])
def test_the_union_of_sentences_of_any_length(longest, letters):
    """Rows of one machine word, of several, and at the borders between."""
    random = np.random.default_rng(longest)

    def sentence():
        return "".join(random.choice(list(letters), size=random.integers(0, longest + 1)))

    texts = [[sentence() for _ in range(random.integers(0, 4))] for _ in range(5)]
    texts.append(["".join(random.choice(list(letters), size=longest))] * 2)
    pairs = [(i, j) for i in range(len(texts)) for j in range(len(texts)) if (i + j) % 3]
    assert counted(texts, pairs) == counted_plainly(texts, pairs)


@pytest.mark.parametrize("words", [3, 400])
def test_of_very_long_sentences_few_rows_are_kept_and_the_marks_are_the_same(words):
    """The kernel keeps all rows of a table up to 2^20 machine words, this one has more."""
    random = np.random.default_rng(words)
    letters = [chr(0x4E00 + number) for number in range(words)]
    long, other = ("".join(random.choice(letters, size=size)) for size in (9_000, 8_500))
    # Plain Python keeps all rows of these, and was held against the textbook on short ones.
    marks = mark_pair(long, other)
    expected = Counter(t for t, mark in zip(long, marks, strict=True) if mark) & Counter(other)
    assert counted([[other], [long]], [(0, 1)]) == [expected.total()]


def test_long_texts_have_the_subsequence_of_the_textbook(monkeypatch):
    """Beyond 10,000 tokens places are held otherwise, those of rare words and of others."""
    random = np.random.default_rng(3)
    x = [*random.integers(0, 40, 10_050).tolist(), *range(1000, 1030)]
    y = [*range(1000, 1030), *random.integers(0, 40, 30).tolist(), 7, -1, *range(1005, 1040)]
    length = sum(mark_longest(y, x))
    assert lcs_length(x, y) == lcs_length(y, x) == length
    assert sum(mark_pair(y, x)) == sum(mark_pair(x, y)) == length
    # Several calls find what one finds.
    texts = [["abcab", "bca"], ["cab"], ["abc", "cba", "a"], []]
    pairs = [(i, j) for i in range(len(texts)) for j in range(len(texts))]
    monkeypatch.setattr(kernel, "_STEPS", 5)
    assert counted(texts, pairs) == counted_plainly(texts, pairs)
    table = build_table(["a b c a", "b c", "", "a c"], lambda pieces: [[p] for p in pieces])
    left, right = np.array([0, 1, 2, 3]), np.array([1, 3, 0, 0])
    assert lcs_lengths(table, left, right).tolist() == [2, 1, 0, 2]


def test_unions_worked_out_by_hand():
    for texts, hits in (
        # Of "abcd", "ab" marks a and b, "db" marks d or b: at the end of both, d against b drops
        # d, since b is in "abc" too. "xx" marks nothing.
        ([["ab", "db", "xx"], ["abcd"]], 2),
        # With d first the way back meets it last, and it stays.
        ([["ab", "d"], ["abcd"]], 3),
        # The words of a long sentence are in no other text; the short one beside it is marked.
        ([["x" * 70, "ab"], ["ba"]], 1),
        ([["x" * 70, "ab"], ["z" * 70]], 0),
    ):
        assert counted(texts, [(0, 1)]) == counted_plainly(texts, [(0, 1)]) == [hits]
    # Without equal tokens nothing is marked.
    for texts in ([[], []], [["a"], []], [[], ["a"]], [[""], ["a"]], [["b"], ["a"]]):
        assert counted(texts, [(0, 1)]) == counted_plainly(texts, [(0, 1)]) == [0]


# Heaviest common subsequences

WEIGHTS = st.sampled_from([1.0, 1.2, 2.0, 0.5])
TEXTS = st.lists(st.text("abcd", max_size=9), max_size=4)


def side(author, sentences):
    """A text of these sentences, each letter a word; some may have none."""
    lines = tuple(" ".join(sentence) or "-" for sentence in sentences)
    return Side(author, "\n".join(lines), sentences=lines)


def hits_of(pairs, weight, text="rouge155", length=None):
    """What is paid for each pair of candidate and reference, counted as one batch; both roads."""
    sides = [(side("c", candidate), side("r", reference)) for candidate, reference in pairs]
    batch = Batch([Comparison(Material("t"), mine, (theirs,)) for mine, theirs in sides])
    cut = f",length={length}" if length else ""
    metric = METRICS.build(f"rouge_w(weight={weight},text={text}{cut})")
    return on_both_roads(lambda: metric.count_pairs(batch).hits.tolist())


def words_of(sentences):
    return [token for sentence in sentences for token in sentence]


@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=4), WEIGHTS)
def test_a_batch_is_paid_what_each_pair_by_itself_is_paid(pairs, weight):
    words = [tuple(map(words_of, pair)) for pair in pairs]
    expected = [script_hits(*pair, have, weight) for pair, have in zip(pairs, words, strict=True)]
    assert hits_of(pairs, weight) == expected
    if weight >= 1:
        # The same additions in the same order.
        expected = [
            plain.heaviest_hits(candidate, reference, weight) for candidate, reference in pairs
        ]
        assert hits_of(pairs, weight, "rouge_score") == expected


@given(TEXTS, TEXTS, st.sampled_from(["3words", "7bytes", "20bytes"]))
def test_with_a_limit_a_run_is_paid_for_words_that_are_left(candidate, reference, length):
    limit = Length.parse(length)
    lines = [side("", sentences).sentences for sentences in (candidate, reference)]
    cut = [limit_like_rouge155(text, limit, by_sentence=True) for text in lines]
    sentences = [[line.replace("-", "").split() for line in text] for text in cut]
    have = [words_of(limit_like_rouge155(text, limit)) for text in lines]
    expected = script_hits(*sentences, have, 1.2)
    assert hits_of([(candidate, reference)], 1.2, length=length) == [expected]


@pytest.mark.parametrize(("longest", "weight"), [(64, 1.2), (70, 2.0), (70, 1.0), (150, 1.2)])
@pytest.mark.parametrize("letters", ["ab", "abcd", "abcdefghijklmnopqrstuvwxyz"])
def test_long_sentences_are_counted_and_marked_as_by_the_textbook(longest, weight, letters):
    """Sentences of more than a word of bits, with many equals and with few."""
    random = np.random.default_rng(longest)
    sizes = longest, longest // 2, longest - 3, 9
    sentences = ["".join(random.choice(list(letters), size)) for size in sizes]
    mine, theirs = sentences[:2], sentences[2:]
    worth = [max(weighted_lcs(text, other, weight).worth for other in mine) for text in theirs]
    assert hits_of([(mine, theirs)], weight, "rouge_score") == [0.0 + worth[0] + worth[1]]
    for marked in (*theirs, *mine):
        # With all words of the candidate in reach, what is paid are the runs of marks.
        marks = lcs_oracle.mark_heaviest(marked, mine[0], weight)
        paid = 0.0
        for run in "".join("x" if mark else " " for mark in marks).split():
            paid += len(run) ** weight
        assert hits_of([(mine[:1], [marked])], weight) == [paid]


@given(st.text("abcd", max_size=40), st.text("abcd", max_size=40), WEIGHTS)
def test_runs_are_unbroken_in_both_sentences_and_worth_what_the_table_says(x, y, weight):
    assert weighted_marks(x, y, weight) == lcs_oracle.mark_heaviest(x, y, weight)
    worth, runs = weighted_lcs(x, y, weight)
    assert sum(len(run) ** weight for run in runs) == pytest.approx(worth)
    for run in runs:
        i, j = run[0]
        assert run == [(i + step, j + step) for step in range(len(run))]
        assert all(x[i] == y[j] for i, j in run)
    # In order, no place twice.
    places = [place for run in runs for place in run]
    assert all(a < c and b < d for (a, b), (c, d) in pairwise(places))
    assert weighted_lcs(y, x, weight).worth == pytest.approx(worth)


def test_scattered_words_are_no_run_and_no_sentence_is_worth_more_than_itself():
    # Lin (2004), section 4: four in a run are worth 4^2, four apart 4 * 1.
    assert weighted_lcs("abcdefg", "abcdhik", 2.0) == (16.0, [[(0, 0), (1, 1), (2, 2), (3, 3)]])
    apart = (4.0, [[(0, 0)], [(1, 2)], [(2, 4)], [(3, 6)]])
    assert weighted_lcs("abcdefg", "ahbkcid", 2.0) == apart
    pairs = [(["abcdhik"], ["abcdefg"]), (["ahbkcid"], ["abcdefg"])]
    assert hits_of(pairs, 2, "rouge_score") == [16, 4]
    # The script pays runs of the reference.
    assert hits_of(pairs, 2) == [16, 16]
    # "ab" in one piece is worth 4 of weight 2; a and b apart are worth 1 each.
    assert weighted_marks("abxab", "ab", 2.0) == [False, False, False, True, True]
    assert weighted_marks("axb", "ab", 2.0) == [True, False, True]
    # No sentence is worth more than itself.
    sentences = ["abcdefghijklmnopqrstuvwxyz"[:size] for size in range(1, 27)]
    # Added up step by step, some are: by the last bit.
    assert any(weighted_lcs(s, s, 1.2).worth > len(s) ** 1.2 for s in sentences)
    hits = hits_of([([s], [s]) for s in sentences], 1.2, "rouge_score")
    assert all(paid <= len(s) ** 1.2 for paid, s in zip(hits, sentences, strict=True))


def test_a_marked_token_that_a_text_has_too_few_of_neither_ends_a_run_nor_pays_it():
    # "ab" marks both sentences, and the candidate has "a" and "b" once: the first sentence is paid.
    assert plain.script_runs(["ab"], ["ab", "ab"], ("ab", "abab"), 2.0) == [([(0, 0), (0, 1)], 4.0)]
    # "aba" is marked whole by "aba"; with one "b" and one "a" in the text, the run ends on a token
    # that is not paid, so it is lost; with two "a" it is paid whole.
    assert script_hits(["aba"], ["aba"], ("ab", "aba"), 2.0) == 0
    assert script_hits(["aba"], ["aba"], ("aab", "aba"), 2.0) == 9
    # A token inside is bridged: "a" and "c" of "abc" are one run of 2.
    assert script_hits(["abc"], ["abc"], ("ac", "abc"), 2.0) == 4
    # Six bytes of "x x", "a b a" are "x x", "a b" to the script, and its sentences stay whole.
    texts = ["xx", "aba"]
    assert hits_of([(texts, texts)], 2) == [4 + 9]
    assert hits_of([(texts, texts)], 2, length="6bytes") == [4]
    # Without texts nothing is paid.
    assert weighted_lcs("", "ab", 1.2) == weighted_lcs("ab", "", 1.2) == (0.0, [])
    assert weighted_marks("", "ab", 1.2) == []
    assert weighted_marks("ab", "", 1.2) == [False, False]
    for text in ("rouge155", "rouge_score"):
        assert hits_of([], 1.2, text) == []
        assert hits_of([([], ["ab"]), (["ab"], []), ([""], ["", "ab"])], 1.2, text) == [0, 0, 0]


# Skip-bigrams


def units_plainly(text, gap, singles="none"):
    """Every pair of letters, the second at most ``gap`` letters behind the first; and letters."""
    reach = len(text) if gap < 0 else gap + 1
    pairs = [(a, b) for i, a in enumerate(text) for j, b in enumerate(text) if 0 < j - i <= reach]
    return Counter([*pairs, *{"none": "", "all": text, "not last": text[:-1]}[singles]])


def skips_of(texts, compared, gap, singles="none"):
    """The hits of pairs of texts by their rows; both roads."""
    table = table_of(texts)
    left, right = np.array(compared, dtype=np.int64).reshape(-1, 2).T
    return on_both_roads(lambda: skip_hits(table, left, right, gap, singles).tolist())


some_texts = st.lists(st.text("abcd", max_size=12), min_size=2, max_size=5)
SINGLES = ["none", "all", "not last"]


@given(some_texts, st.integers(-1, 13), st.sampled_from(SINGLES), st.data())
def test_as_many_pairs_hit_as_both_texts_have(texts, gap, singles, data):
    places = st.integers(0, len(texts) - 1)
    compared = data.draw(st.lists(st.tuples(places, places), max_size=5))
    units = [units_plainly(text, gap, singles) for text in texts]
    expected = [(units[a] & units[b]).total() for a, b in compared]
    assert skips_of(texts, compared, gap, singles) == expected
    # The number of pairs follows from the length.
    pairs = [units_plainly(text, gap).total() for text in texts]
    assert skip_totals(np.array([len(text) for text in texts]), gap).tolist() == pairs


@pytest.mark.parametrize("gap", [0, 4, 30, 200, -1, 10**30])
def test_longer_texts_with_many_words_and_with_few(gap):
    random = np.random.default_rng(7)
    texts = [random.integers(0, words, 250).tolist() for words in (3, 40, 400) for _ in range(2)]
    compared = [(0, 1), (2, 3), (4, 5), (0, 5), (5, 2)]
    units = [skip_bigrams(text, gap, unigrams=False) for text in texts]
    expected = [(units[a] & units[b]).total() for a, b in compared]
    assert skips_of(texts, compared, gap) == expected


def test_hits_worked_out_by_hand():
    # "abc" has ab, ac, bc; "bac" has ba, bc, ac. With nothing between: ab, bc and ba, ac.
    assert skips_of(["abc", "bac"], [(0, 1)], -1) == [2]
    assert skips_of(["abc", "bac"], [(0, 1)], 0) == [0]
    # All three letters by themselves; without the last of each, a and b.
    assert skips_of(["abc", "bac"], [(0, 1)], 0, "all") == [3]
    assert skips_of(["abc", "bac"], [(0, 1)], 0, "not last") == [2]
    # Pairs do not reach into the next text.
    assert skips_of(["ab", "a", "b"], [(0, 0), (1, 2), (0, 1)], 9) == [1, 0, 0]
    # A row that is not in the table is refused.
    table = table_of(["ab", "a"])
    with pytest.raises(IndexError, match="not in its table"):
        skip_hits(table, np.array([2]), np.array([0]), 4)
