"""``summetry.compat.rouge_score`` has the values of rouge-score 0.1.2, and its stems are NLTK's."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rouge_score_package import run_with_rouge_score

from summetry import spec
from summetry.compat.rouge_score import tokenize, tokenizers
from summetry.compat.rouge_score.rouge_scorer import RougeScorer
from summetry.compat.rouge_score.scoring import BaseScorer, Score
from summetry.compat.rouge_score.tokenizers import DefaultTokenizer
from summetry.errors import SummetryError
from summetry.metrics import METRICS
from summetry.metrics.rouge.porter import stem_like_nltk
from summetry.records.batches import Batch, Comparison, Material, Side
from summetry.text.pipeline import TextPipeline

TYPES = ["rouge1", "rouge2", "rougeL", "rougeLsum"]

# Target, prediction, and F of rouge1, rouge2, rougeL and rougeLsum, first without and then with
# use_stemmer: from running rouge-score 0.1.2 with NLTK 3.10.4, to twelve decimals.
PAIRS = [
    (
        "The ferry struck the pier at dawn.",
        "A ferry hit the pier at dawn.",
        (0.714285714286, 0.5, 0.714285714286, 0.714285714286),
        (0.714285714286, 0.5, 0.714285714286, 0.714285714286),
    ),
    (
        "Police arrested three men on Monday.",
        "Three men were arrested by police.",
        (0.666666666667, 0.2, 0.333333333333, 0.333333333333),
        (0.666666666667, 0.2, 0.333333333333, 0.333333333333),
    ),
    (
        "The committee approved the organizational changes.",
        "The committees approve organizing a change.",
        (0.166666666667, 0.0, 0.166666666667, 0.166666666667),
        (0.666666666667, 0.4, 0.666666666667, 0.666666666667),
    ),
    (
        "News of the dying king spread.",
        "The king dies, news spreads.",
        (0.545454545455, 0.0, 0.363636363636, 0.363636363636),
        (0.909090909091, 0.0, 0.545454545455, 0.545454545455),
    ),
    (
        "She was happily enjoying the innings.",
        "She enjoys a happy inning.",
        (0.181818181818, 0.0, 0.181818181818, 0.181818181818),
        (0.545454545455, 0.0, 0.545454545455, 0.545454545455),
    ),
    (
        "Generally, the analyses were carefully made.",
        "The analysis is general and careful.",
        (0.166666666667, 0.0, 0.166666666667, 0.166666666667),
        (0.5, 0.0, 0.333333333333, 0.333333333333),
    ),
    (
        "He succeeded, proceeded and exceeded.",
        "To succeed is to proceed and to exceed.",
        (0.153846153846, 0.0, 0.153846153846, 0.153846153846),
        (0.615384615385, 0.181818181818, 0.615384615385, 0.615384615385),
    ),
    (
        "the cat sat on the mat\nthe dog ran",
        "the dog ran\nthe cat sat on the mat",
        (1.0, 0.875, 0.666666666667, 1.0),
        (1.0, 0.875, 0.666666666667, 1.0),
    ),
    (
        "the cat sat on the mat\nthe dog ran",
        "the dog ran the cat sat on the mat",
        (1.0, 0.875, 0.666666666667, 1.0),
        (1.0, 0.875, 0.666666666667, 1.0),
    ),
    (
        "the cat sat on the mat the dog ran",
        "the dog ran\nthe cat sat on the mat",
        (1.0, 0.875, 0.666666666667, 1.0),
        (1.0, 0.875, 0.666666666667, 1.0),
    ),
    (
        "a b c d\na b\nb c",
        "a b\nc d a\nd c b a",
        (0.823529411765, 0.533333333333, 0.705882352941, 0.823529411765),
        (0.823529411765, 0.533333333333, 0.705882352941, 0.823529411765),
    ),
    (
        "a a a b b",
        "a b a b a b",
        (0.909090909091, 0.222222222222, 0.727272727273, 0.727272727273),
        (0.909090909091, 0.222222222222, 0.727272727273, 0.727272727273),
    ),
    (
        "a b a c a d",
        "a a\na d\nd c b",
        (0.923076923077, 0.181818181818, 0.615384615385, 0.615384615385),
        (0.923076923077, 0.181818181818, 0.615384615385, 0.615384615385),
    ),
    (
        "w1 w2 w3 w4 w5",
        "w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5",
        (0.533333333333, 0.153846153846, 0.533333333333, 0.533333333333),
        (0.533333333333, 0.153846153846, 0.533333333333, 0.533333333333),
    ),
    (
        "Don't pay 2,400 kr. for it!",
        "Do not pay 2 400 kr for it",
        (0.75, 0.714285714286, 0.75, 0.75),
        (0.75, 0.714285714286, 0.75, 0.75),
    ),
    (
        "It cost $3.5 million in the 1990s.",
        "It costs 3.5 millions, as in 1990.",
        (0.5, 0.142857142857, 0.5, 0.5),
        (0.875, 0.571428571429, 0.875, 0.875),
    ),
    (
        "A well-known co-op re-opened.",
        "A well known coop reopened",
        (0.5, 0.4, 0.5, 0.5),
        (0.5, 0.4, 0.5, 0.5),
    ),
    (
        "The café in Málaga is naïve.",
        "The cafe in Malaga is naive.",
        (0.428571428571, 0.0, 0.428571428571, 0.428571428571),
        (0.428571428571, 0.0, 0.428571428571, 0.428571428571),
    ),
    (
        "İstanbul and 300 K are lower-cased.",
        "istanbul and 300 k are lower cased",
        (0.8, 0.769230769231, 0.8, 0.8),
        (0.8, 0.769230769231, 0.8, 0.8),
    ),
    (
        "Жители города протестовали.",
        "Жители города протестовали.",
        (0.0, 0.0, 0, 0),
        (0.0, 0.0, 0, 0),
    ),
    ("今日は晴れ 2026", "明日は雨 2026", (1.0, 0.0, 1.0, 1.0), (1.0, 0.0, 1.0, 1.0)),
    ("", "something", (0.0, 0.0, 0, 0), (0.0, 0.0, 0, 0)),
    ("something", "", (0.0, 0.0, 0, 0), (0.0, 0.0, 0, 0)),
    ("", "", (0.0, 0.0, 0, 0), (0.0, 0.0, 0, 0)),
    ("...", "!!!", (0.0, 0.0, 0, 0), (0.0, 0.0, 0, 0)),
    ("one", "one", (1.0, 0.0, 1.0, 1.0), (1.0, 0.0, 1.0, 1.0)),
    ("one two", "two one", (1.0, 0.0, 0.5, 0.5), (1.0, 0.0, 0.5, 0.5)),
    (
        "\n\nfirst line\n\nsecond line\n",
        "second line\n \nfirst line",
        (1.0, 0.666666666667, 0.5, 1.0),
        (1.0, 0.666666666667, 0.5, 1.0),
    ),
    (
        "tab\tand  blanks\r\nand a return",
        "tab and blanks\nand a return",
        (1.0, 1.0, 1.0, 1.0),
        (1.0, 1.0, 1.0, 1.0),
    ),
    (
        "Skies were darkening; thieves lied, tied and died.",
        "The sky darkened and a thief lies, ties and dies.",
        (0.111111111111, 0.0, 0.111111111111, 0.111111111111),
        (0.666666666667, 0.375, 0.666666666667, 0.666666666667),
    ),
    (
        "Hopefully the psychology of rational abilities is possibly logical.",
        "Psychologically rational ability is hopefully possible logic.",
        (0.375, 0.0, 0.25, 0.25),
        (0.875, 0.428571428571, 0.75, 0.75),
    ),
    (
        "Controlled, rolling and falling hills; feed agreed.",
        "Control rolls and falls on a hill: feeding agreement.",
        (0.125, 0.0, 0.125, 0.125),
        (0.75, 0.571428571429, 0.75, 0.75),
    ),
    (
        "the " * 70 + "end",
        "end " + "the " * 66,
        (0.971014492754, 0.955882352941, 0.95652173913, 0.95652173913),
        (0.971014492754, 0.955882352941, 0.95652173913, 0.95652173913),
    ),
    (
        "alpha beta gamma delta " * 20,
        "delta alpha beta " * 30,
        (0.705882352941, 0.464285714286, 0.705882352941, 0.705882352941),
        (0.705882352941, 0.464285714286, 0.705882352941, 0.705882352941),
    ),
]

# Targets, prediction, and precision, recall and F of score_multi with use_stemmer, from the same.
SEVERAL = [
    (
        ["the cat sat", "a dog sat here", "the dog"],
        "the dog sat",
        [(2 / 3, 1.0, 0.8), (0.5, 1.0, 2 / 3), (2 / 3, 1.0, 0.8), (2 / 3, 1.0, 0.8)],
    ),
    (
        ["x y", "y z\nz w", "x"],
        "x y z\nw",
        [(0.75, 0.75, 0.75), (2 / 3, 2 / 3, 2 / 3), (0.75, 0.75, 0.75), (0.75, 0.75, 0.75)],
    ),
    (
        ["", "one two"],
        "one",
        [(1.0, 0.5, 2 / 3), (0.0, 0.0, 0.0), (1.0, 0.5, 2 / 3), (1.0, 0.5, 2 / 3)],
    ),
    (
        ["The summaries were measured.", "Measure a summary!"],
        "She measures summaries.",
        [(2 / 3, 2 / 3, 2 / 3), (0.0, 0.0, 0.0), (2 / 3, 2 / 3, 2 / 3), (2 / 3, 2 / 3, 2 / 3)],
    ),
]

# Words with the stems that NLTK 3.10.4 gives in its default mode, one for each rule or departure.
# The whole comparison was run on 769,828 words (texts, and stems with every suffix put behind
# them): no difference.
STEMS = """
skies sky|dying die|lying lie|news news|innings inning|howe howe|succeed succeed|dies die|died die
flies fli|cried cri|caresses caress|cats cat|gas ga|agreed agre|feed feed|plastered plaster
bled bled|motoring motor|conflated conflat|troubled troubl|sized size|hopping hop|falling fall
hissing hiss|fizzed fizz|failing fail|filing file|eyed eye|happy happi|enjoy enjoy|by by|try tri
relational relat|conditional condit|rational ration|possibly possibl|generally gener|fully fulli
hopefully hope|technology technolog|logi logi|vietnamization vietnam|operator oper|ability abil
triplicate triplic|formative form|electrical electr|goodness good|adjustment adjust|adoption adopt
replacement replac|irritant irrit|opinion opinion|probate probat|rate rate|cease ceas
controll control|roll roll|organizational organiz|ow ow|owed owe|1990s 1990
"""


@pytest.mark.parametrize(("target", "prediction", "plain", "stemmed"), PAIRS)
def test_f_is_that_of_rouge_score(
    target: str, prediction: str, plain: tuple[float, ...], stemmed: tuple[float, ...]
) -> None:
    # The recorded values are rounded to twelve decimals.
    for stem, wanted in ((False, plain), (True, stemmed)):
        found = RougeScorer(TYPES, use_stemmer=stem).score(target, prediction)
        assert [found[name].fmeasure for name in TYPES] == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize(("targets", "prediction", "wanted"), SEVERAL)
def test_of_several_targets_the_one_with_the_best_f_counts(
    targets: list[str], prediction: str, wanted: list[tuple[float, float, float]]
) -> None:
    found = RougeScorer(TYPES, use_stemmer=True).score_multi(targets, prediction)
    assert list(found.items()) == [(n, Score(*v)) for n, v in zip(TYPES, wanted, strict=True)]


@pytest.mark.parametrize("case", STEMS.replace("\n", "|").strip("|").split("|"))
def test_stems_are_those_of_nltk(case: str) -> None:
    word, stem = case.split()
    assert stem_like_nltk(word) == stem


def test_many_pairs_at_once_have_the_same_scores() -> None:
    scorer = RougeScorer(TYPES, use_stemmer=True)
    targets, predictions = [pair[0] for pair in PAIRS], [pair[1] for pair in PAIRS]
    found = scorer.score_pairs(targets, predictions)
    assert found == [scorer.score(t, p) for t, p in zip(targets, predictions, strict=True)]


def f_of(hits: int, target: int, prediction: int) -> Score:
    precision, recall = hits / max(prediction, 1), hits / max(target, 1)
    total = precision + recall
    return Score(precision, recall, 2 * precision * recall / total if total else 0.0)


def common(a: Sequence[str], b: Sequence[str]) -> set[int]:
    """The places in ``a`` of the longest common subsequence that a table's trace-back finds."""
    best = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a, 1):
        for j, y in enumerate(b, 1):
            best[i][j] = max(best[i - 1][j], best[i][j - 1], (x == y) + best[i - 1][j - 1])
    i, j, found = len(a), len(b), set()
    while i and j:
        if a[i - 1] == b[j - 1]:
            i, j = i - 1, j - 1
            found.add(i)
        elif best[i - 1][j] >= best[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return found


def plain_scores(target: str, prediction: str) -> dict[str, Score]:
    """All types, slowly; for texts of plain words without stemming."""
    t, p = target.split(), prediction.split()
    found = {}
    for n in (1, 2):
        grams = [Counter(tuple(w[i : i + n]) for i in range(len(w) - n + 1)) for w in (t, p)]
        found[f"rouge{n}"] = f_of((grams[0] & grams[1]).total(), *(g.total() for g in grams))
    found["rougeL"] = f_of(len(common(t, p)), len(t), len(p))
    lines = [line.split() for line in prediction.split("\n")]
    marked = Counter(
        words[i]
        for words in (line.split() for line in target.split("\n"))
        for i in set().union(*(common(words, line) for line in lines))
    )
    hits = (marked & Counter(t) & Counter(p)).total()
    found["rougeLsum"] = f_of(hits, len(t), len(p))
    return found


texts = st.lists(st.sampled_from(["a", "b", "c", "d", "\n"]), max_size=24).map(" ".join)
long_texts = st.lists(st.sampled_from("abc\n"), min_size=60, max_size=90).map(" ".join)


@given(texts | long_texts, texts | long_texts)
def test_scores_are_those_of_the_slow_way(target: str, prediction: str) -> None:
    scorer, slow = RougeScorer(TYPES), plain_scores(target, prediction)
    assert scorer.score(target, prediction) == slow
    assert scorer.score_pairs([target], [prediction]) == [slow]


@settings(max_examples=30)
@given(st.lists(st.tuples(st.lists(texts, min_size=1, max_size=3), texts), max_size=4))
def test_many_pairs_at_once_have_the_scores_of_one_by_one(pairs: list[Any]) -> None:
    scorer = RougeScorer(TYPES)
    targets, predictions = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    assert scorer.score_pairs(targets, predictions) == [scorer.score_multi(*p) for p in pairs]


@given(st.lists(texts, min_size=1, max_size=4), texts)
def test_no_target_has_a_better_f_than_the_one_that_counts(
    targets: list[str], prediction: str
) -> None:
    found = RougeScorer(TYPES).score_multi(targets, prediction)
    alone = [plain_scores(target, prediction) for target in targets]
    for name in TYPES:
        assert found[name] == max((scores[name] for scores in alone), key=lambda s: s.fmeasure)


class Blanks:
    """A tokenizer that somebody brings along: case and marks stay."""

    def tokenize(self, text: str) -> list[str]:
        return text.split()


def test_a_tokenizer_of_ones_own_is_used() -> None:
    scorer = RougeScorer(TYPES, tokenizer=Blanks())
    found = scorer.score("Жители города\nпротестовали.", "жители города протестовали.")
    # Of three words two are equal, and they stand in order.
    assert found["rouge1"].fmeasure == found["rougeLsum"].fmeasure == pytest.approx(2 / 3)
    assert found["rouge2"].fmeasure == 0.5


def test_many_pairs_go_through_a_tokenizer_of_ones_own_too() -> None:
    scorer = RougeScorer(["rouge1"], tokenizer=Blanks())
    assert [s["rouge1"].fmeasure for s in scorer.score_pairs(["É é", ["x", "É"]], ["É", "É"])] == [
        pytest.approx(2 / 3),
        1.0,
    ]


def test_sentences_are_tokenized_one_by_one_as_rouge_score_does() -> None:
    class FirstLetters:
        def tokenize(self, text: str) -> list[str]:
            return [text[:1]]

    scores = RougeScorer(TYPES, tokenizer=FirstLetters()).score("ab\nb", "a\nc")
    # The whole text has one token and its two lines have one each.
    assert (scores["rouge1"].fmeasure, scores["rougeLsum"].fmeasure) == (1.0, 0.5)


def test_tokenizers_are_where_rouge_score_has_them() -> None:
    assert DefaultTokenizer().tokenize("The café's 2,400 İ") == ["the", "caf", "s", "2", "400", "i"]
    assert isinstance(DefaultTokenizer(), tokenizers.Tokenizer)
    with pytest.raises(TypeError, match="abstract"):
        type("Lacking", (tokenizers.Tokenizer,), {})()


def test_tokenize_takes_any_stemmer() -> None:
    class Cutter:
        def stem(self, token: str) -> str:
            return {"gone": "", "odd1": "od-d"}.get(token, token[:2])

    assert tokenize.tokenize("One gone odd1 three.", Cutter()) == ["one", "th"]
    assert tokenize.tokenize("One gone.", None) == ["one", "gone"]


def test_split_summaries_cuts_one_line_into_sentences() -> None:
    target, prediction = "The cat sat. A dog ran off.", "A dog ran off. The cat sat."
    whole = RougeScorer(["rougeLsum"]).score(target, prediction)["rougeLsum"]
    cut = RougeScorer(["rougeLsum"], split_summaries=True).score(target, prediction)["rougeLsum"]
    assert (whole.fmeasure, cut.fmeasure) == (pytest.approx(4 / 7), 1.0)


def test_the_text_has_a_spelling_that_every_metric_takes() -> None:
    metric = METRICS.build("rouge_n(text=rouge_score(stem=true))")
    assert spec.show(metric) == "rouge_n(text=rouge_score(stem=true))"
    side = (Side("reference", "The summaries!"),)
    batch = Batch([Comparison(Material("1"), Side("candidate", "A summary."), side)])
    assert metric.score(metric.count(batch))["f"].tolist() == [0.5]


@given(st.text(st.sampled_from("aB3 İKé.\n\x00ß")))
def test_tokens_stand_where_the_text_says_and_are_those_of_the_table(text: str) -> None:
    pipeline = TextPipeline.from_spec("rouge_score(stem=true)")
    located = pipeline.locate(text, "")
    assert [token for token, _ in located] == pipeline.encode([text], [""]).text(0)
    for token, (start, end) in located:
        assert text[start:end].lower().startswith(token)


def test_what_decides_the_tokens_is_in_the_signature() -> None:
    assert TextPipeline.from_spec("rouge_score(stem=true)").describe() == "rouge_score,stem:nltk"
    assert TextPipeline.from_spec("rouge_score").describe() == "rouge_score"


@pytest.mark.parametrize("name", ["rouge0", "rouge10", "rougeX", "ROUGE1"])
def test_an_unknown_type_is_an_error(name: str) -> None:
    with pytest.raises(SummetryError, match=f"no rouge type is named '{name}'; there are rouge1"):
        RougeScorer([name])


def test_a_string_is_not_a_list_of_types() -> None:
    with pytest.raises(SummetryError, match="rouge_types must be a list, got a string"):
        RougeScorer("rouge1")


def test_texts_and_targets_are_checked() -> None:
    scorer = RougeScorer(["rouge1"])
    with pytest.raises(SummetryError, match="targets must hold one text or more, got an empty"):
        scorer.score_multi([], "a")
    with pytest.raises(SummetryError, match=r"targets must be a list, got a string; write \['a'\]"):
        scorer.score_multi("a", "a")
    with pytest.raises(SummetryError, match="prediction must be a string, got None"):
        scorer.score("a", None)
    with pytest.raises(SummetryError, match="target must be a string, got a list"):
        scorer.score(["a"], "a")
    with pytest.raises(SummetryError, match="equally many, got 2 targets and 1 prediction"):
        scorer.score_pairs(["a", "b"], ["a"])
    with pytest.raises(SummetryError, match=r"predictions\[1\] must be a string, got None"):
        scorer.score_pairs(["a", "b"], ["a", None])
    with pytest.raises(SummetryError, match=r"targets\[1\] must hold strings, got None"):
        scorer.score_pairs(["a", ["b", None]], ["a", "b"])
    with pytest.raises(SummetryError, match=r"targets\[0\] must be a string or a list, got None"):
        scorer.score_pairs([None], ["a"])


def test_a_tokenizer_without_its_method_is_an_error() -> None:
    with pytest.raises(SummetryError, match="tokenizer must have a method tokenize, got a method"):
        RougeScorer(["rouge1"], tokenizer=str.split)


def test_no_types_give_no_scores() -> None:
    scorer = RougeScorer([])
    assert (scorer.score("a", "a"), scorer.score_pairs(["a"], ["a"])) == ({}, [{}])


def test_a_scorer_shows_its_types_and_its_base() -> None:
    scorer = RougeScorer(TYPES)
    assert isinstance(scorer, BaseScorer) and scorer.rouge_types == TYPES


def test_the_package_itself_agrees_where_it_is_installed() -> None:
    code = f"""
from rouge_score.rouge_scorer import RougeScorer
from rouge_score.tokenizers import DefaultTokenizer
scorer = RougeScorer({TYPES!r}, use_stemmer=True)
given["scores"] = [[list(s) for s in scorer.score(*p).values()] for p in given["pairs"]]
given["tokens"] = [DefaultTokenizer(True).tokenize(text) for text, _ in given["pairs"]]
"""
    pairs = [pair[:2] for pair in PAIRS]
    theirs = run_with_rouge_score(code, {"pairs": pairs})
    ours = RougeScorer(TYPES, use_stemmer=True)
    assert [[list(s) for s in ours.score(*pair).values()] for pair in pairs] == theirs["scores"]
    assert [DefaultTokenizer(True).tokenize(text) for text, _ in pairs] == theirs["tokens"]
