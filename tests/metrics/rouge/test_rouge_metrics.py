"""ROUGE by default: what the quirks are off, several references, limits, and what is refused."""

import math

import pytest
from comparisons import assert_values, compare, explained, worked_by_hand
from hypothesis import given
from hypothesis import strategies as st

import summetry
from summetry import spec
from summetry.arrays import kernel
from summetry.errors import SummetryError, SummetryWarning
from summetry.metrics import METRICS
from summetry.metrics.rouge import skips
from summetry.metrics.rouge.rouge_metrics import rouge_n, skip_bigrams

words = st.lists(st.sampled_from("abcde"), max_size=10)
some = st.lists(st.sampled_from("abcde"), min_size=1, max_size=10)
# A megabyte.
LONG = "ab cde fghi jklmnop " * 42_500


def score(candidate, references, spelling):
    return summetry.score(candidate, references, metrics=[spelling])[spelling]


def joined(texts):
    return [" ".join(words) for words in texts]


@given(some, st.lists(some, min_size=1, max_size=3), st.integers(1, 3), st.integers(-1, 4))
def test_ngrams_and_skip_bigrams_are_counted_one_by_one(candidate, references, n, gap):
    found = score(" ".join(candidate), joined(references), f"rouge_n(n={n})")
    expected = rouge_n(candidate, references, n).value  # Equation 7.
    assert found["recall"] == pytest.approx(expected, nan_ok=True)
    found = score(" ".join(candidate), joined(references[:1]), f"rouge_su(gap={gap})")
    mine, theirs = skip_bigrams(candidate, gap), skip_bigrams(references[0], gap)
    hits = (mine & theirs).total()
    assert found["recall"] == pytest.approx(hits / theirs.total())
    assert found["precision"] == pytest.approx(hits / mine.total())


@pytest.mark.parametrize("spelling", ["rouge1", "rougeLsum"])
def test_an_empty_reference_that_counts_is_spoken_of_and_one_that_does_not_count_is_not(spelling):
    note = rf"{spelling}: a reference is empty and counts .* leave it out \(1 comparison\)"
    with pytest.warns(SummetryWarning, match=note):
        assert score("a b", [" "], spelling)["recall"] == 0
    with pytest.warns(SummetryWarning, match=note):
        alone = score("a b", ["a b", "\n"], spelling)
    with pytest.warns(SummetryWarning, match=note):
        many = summetry.score(["a b", "c"], [["a b", "\n"], ["c"]], [spelling])
    assert many[spelling]["recall"][0] == alone["recall"]
    # A warning would be an error.
    summetry.score(["a b", "c"], [["a b", ""], ["c"]], ["rouge-1", "rouge-l"])


SIX = "one two three four five six"
POLICE, GUNMAN = "seen by police\nthe gunman", "the gunman was seen by police"
# Of seven tokens four are in a run, or scattered: Lin (2004), section 4.
SEVEN, RUN, SCATTERED = "a b c d e f g", "a b c d h i k", "a h b k c i d"


@worked_by_hand(
    # Pooling, averaging and the best are three things.
    ("rouge_n(references=pool)", compare("a b", ["a b c d", "a b x"]), {"recall": 4 / 7}),
    ("rouge_n(references=mean)", compare("a b", ["a b c d", "a b x"]), {"recall": 7 / 12}),
    ("rouge_n(references=best)", compare("a b", ["a b c d", "a b x"]), {"recall": 2 / 3}),
    # Alpha turns F from recall to precision.
    ("rouge_n(alpha=0)", compare("a b", ["a b c d"]), {"f": 0.5}),
    ("rouge_n(alpha=1)", compare("a b", ["a b c d"]), {"f": 1}),
    # Summary-level L unites over sentences.
    ("rougeL", compare(POLICE.replace("\n", " "), [GUNMAN]), {"recall": 3 / 6}),
    ("rouge-l", compare(POLICE, [GUNMAN]), {"recall": 5 / 6}),
    # W pays runs of both texts, with k^2: 4^2 and 4 * 1 of 7^2.
    ("rouge_w(weight=2)", compare(RUN, [SEVEN]), {"recall": 4 / 7, "precision": 4 / 7, "f": 4 / 7}),
    ("rouge_w(weight=2)", compare(SCATTERED, [SEVEN]),
     {"recall": 2 / 7, "precision": 2 / 7, "f": 2 / 7}),
    # W takes the heaviest sentence of the candidate for each of the reference. "a b c d":
    # "a b x" gives 2^2 and "b c d" 3^2, which counts alone. "e f": "e x f" gives 1 + 1.
    ("rouge_w(weight=2)", compare("a b x\nb c d\ne x f", ["a b c d\ne f"]),
     {"recall": math.sqrt((9 + 2) / (16 + 4)), "precision": math.sqrt((9 + 2) / (9 + 9 + 9))}),
    # A sentence that matches several gives no precision above 1: "a b" is the heaviest for
    # both sentences: 2^2 + 2^2, and the candidate is worth 2^2.
    ("rouge_w(weight=2)", compare("a b", ["a b c\na b d"]),
     {"recall": math.sqrt(8 / 18), "precision": 1}),
    # A limit cuts the candidate and not the reference.
    ("rouge_n(length=3words)", compare(SIX, [SIX]), {"recall": 0.5, "precision": 1, "f": 2 / 3}),
    ("rouge_n(length='7 bytes')", compare(SIX, [SIX]), {"precision": 1}),
    ("rouge_n(length=4bytes)", compare("öga öra", ["öga öra"]), {"recall": 0.5}),
    # What the message on texts too long for W advises: 8 words, all in one run.
    ("rouge_w(length='8 words')", compare(LONG, [LONG]), {"precision": 1}),
    # An empty reference is undefined by default and zero in the original.
    ("rouge-1", compare("a", [""]), {"f": math.nan}),
    ("rouge_n(text=rouge155)", compare("a", [""]), {"f": 0}),
    ("rouge-1", compare("a b", ["a b", ""]), {"precision": 1}),
)  # fmt: skip
def test_values_by_hand(spelling, comparison, expected):
    assert_values(spelling, comparison, **expected)


def test_the_best_reference_has_the_best_rounded_recall_for_n_and_the_best_exact_one_for_l():
    # Recalls 134/313 and 137/320: 0.42812 both, and the second is a little larger.
    shared, other = [f"w{i}" for i in range(137)], [f"v{i}" for i in range(183)]
    references = [" ".join(shared[:134] + other[:179]), " ".join(shared + other)]
    with pytest.warns(SummetryWarning, match="one long line"):
        exact = score(" ".join(shared), references, "rouge_l(references=best,text=rouge155)")
    rounded = score(" ".join(shared), references, "rouge_n(references=best,text=rouge155)")
    assert exact["recall"] == rounded["recall"] == 0.42812
    assert exact["precision"] == 1
    assert rounded["precision"] == round(134 / 137, 5)


def test_pairs_of_words_any_number_apart_of_a_megabyte_are_counted():
    found = score(LONG, ["jklmnop ab " * 85_000], "rouge_s(gap=-1)")
    # Of n times "a b c d" the pair (a, d) is there n (n + 1) / 2 times, (d, a) n (n - 1) / 2 times,
    # (a, a) and (d, d) as often; of m times "d a" likewise (d, a) m (m + 1) / 2 times.
    n, m = 42_500, 85_000
    hits = n * (n + 1) // 2 + 3 * (n * (n - 1) // 2)
    assert m > n and found["recall"] == pytest.approx(hits / (m * (2 * m - 1)), rel=1e-12)


def test_texts_that_take_too_much_work_are_refused_before_it(monkeypatch):
    monkeypatch.setattr(skips, "_MOST_STEPS", 100)
    # A megabyte each: 29 thousand million cells, minutes of work.
    too_long = "170,000 words and a reference of 170,000 are too long: .* 536,870,912 at most; set"
    too_many = "share 5 different words .* too many pairs .* a gap"
    for candidate, reference, spelling, message in (
        (LONG, LONG, "rouge_w", too_long),
        (LONG, LONG, "rouge_w(text=rouge155)", too_long),
        ("a b c d e " * 20_000, "a b c d e", "rouge_su(gap=-1)", too_many),
        (SEVEN, SEVEN, "rouge_w(weight=400)", r"weight=400\.0 makes numbers that are too large"),
    ):
        with pytest.raises(SummetryError, match=message):
            score(candidate, [reference], spelling)
    assert score("a b c d e " * 9, ["a b c d e"], "rouge_su(gap=0)")["recall"] == 1
    # Shorter ones are too long to be explained.
    words = "ab cde fghi jklmnop " * 1250
    for spelling in ("rouge_w", "rouge_s(gap=-1)"):
        with pytest.raises(SummetryError, match="5,000 words and a reference of 5,000 are too lon"):
            explained(spelling, compare(words, [words]))


def test_more_words_than_any_text_has_are_as_many_as_the_longest_has():
    for spelling in ("rouge_n(n={})", "rouge_s(gap={})", "unit_overlap(n={})"):
        most, four = (score("a b c", ["b c a"], spelling.format(n)) for n in (10**30, 4))
        assert list(most.values()) == pytest.approx(list(four.values()), nan_ok=True), spelling


NAMES = {
    "rouge-l": "rouge_l", "rouge-lsum": "rouge_l", "rouge-2": "rouge_n(n=2)",
    "rouge2": "rouge_n(n=2,text=rouge_score,references=best)",
    "rouge-su4": "rouge_su(gap=4)", "rouge155-w": "rouge155-w-1.2",
    "rouge-2(length=100words)": 'rouge_n(n=2,length=" 100 word")',
    "rouge-2(length='100 words')": 'rouge_n(n=2,length=" 100 word")',
}  # fmt: skip


def test_the_names_that_people_type_are_understood_and_the_legend_names_the_length():
    for name, same in NAMES.items():
        metric = METRICS.build(name)
        assert metric == METRICS.build(same) == METRICS.build(spec.show(metric)), name
    metric = METRICS.build('rouge-2(length="100 words")')
    assert metric.legend == "Unicode words, the first 100 words"
    assert spec.show(metric) == 'rouge_n(n=2,length="100 words")'
    assert "first" not in METRICS.build("rouge-1").legend


@pytest.mark.parametrize(
    "spelling", ["rouge_l(text=rouge155)", "rouge_l(text=rouge_score)", "rouge_w(text=rouge155)"]
)
def test_one_long_line_where_a_line_is_a_sentence_is_told(spelling):
    flat, lines = "word " * 50, "word word\n" * 25
    note = r"the summary or a reference is one long line, which counts as one .*\(1 comparison\)"
    for candidate, references in ((flat, [flat]), (flat, [lines]), (lines, [lines, flat, flat])):
        with pytest.warns(SummetryWarning, match=note):
            score(candidate, references, spelling)
    # The third is not among these: nothing in it is one long line.
    with pytest.warns(SummetryWarning, match=r"\(2 comparisons\)"):
        summetry.score([flat, lines, lines], [[lines], [flat], [lines]], metrics=[spelling])


UNSEEN = ["Η γάτα κάθισε.", "猫坐在垫子上 2024。", "Ça déjà vu!", "Sju sköna sjuksköterskor"]


@pytest.mark.parametrize("name", ["rouge-1", "rouge-l", "rouge-w", "rouge-su4"])
@pytest.mark.parametrize("pipeline", ["rouge155(stem=true)", "rouge_score"])
def test_letters_that_are_not_seen_are_told(name, pipeline):
    compared = [pair for text in UNSEEN for pair in ((text, "The cat."), ("The cat.", text))]
    for candidate, reference in compared:
        with pytest.warns(SummetryWarning, match=r"more than 5 % of the letters .*\(1 com"):
            score(candidate, [reference, "A cat."], f"{name}(text={pipeline})")
    # The words of rouge-score see no Greek.
    with pytest.warns(SummetryWarning, match="rouge-1, or text=auto, reads every script"):
        assert set(score(UNSEEN[0], UNSEEN[:1], "rougeL").values()) == {0}


def test_what_is_nothing_to_tell(recwarn):
    for text, spelling in (
        # Lines and words that need none.
        ("word word\n" * 25, "rouge_l(text=rouge155)"),
        ("word " * 50, "rouge_l"),
        ("word " * 50, "rouge_n"),
        # A rare accent, signs, letters that are read.
        ("a naïve reader of long books", "rouge-1(text=rouge155)"),
        ("“Q” — 3 × 4 = 12 €…", "rouge-1(text=rouge155)"),
        ("2024", "rouge-1(text=rouge155)"),
        ("…", "rouge-1(text=rouge155)"),
        ("Η γάτα", "rouge-1"),
    ):
        score(text, [text, "a"], spelling)
    assert not recwarn.list


@pytest.mark.parametrize("spelling", ["rouge_w", "rouge_w(text=rouge155)", "rouge_s(gap=-1)"])
def test_many_pairs_are_worked_on_in_parts(spelling, monkeypatch):
    """A reference whose sentences stand in the candidate in another order, beside short texts."""
    words = [f"a{i} b{i} a{i}\nc{i % 3}" for i in range(9)]
    candidates = ["\n".join(words), "c1 b2 c1", "c1 c2"]
    references = [["\n".join(words[::-1])], ["b2 c1", ""], ["c1 c2", "c2 c1"]]
    whole = summetry.score(candidates, references, metrics=[spelling])[spelling]
    assert whole["recall"].min() > 0
    monkeypatch.setattr(kernel, "_STEPS", 1)
    parts = summetry.score(candidates, references, metrics=[spelling])[spelling]
    assert {k: v.tolist() for k, v in parts.items()} == {k: v.tolist() for k, v in whole.items()}
