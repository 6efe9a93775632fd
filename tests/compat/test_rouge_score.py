"""``summetry.compat.rouge_score`` has the values of rouge-score 0.1.2, and its stems are NLTK's."""

import pickle
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernel_roads import on_both_roads, road  # noqa: F401
from lcs_oracle import mark_longest
from rouge_score_package import run_with_rouge_score

from summetry import spec
from summetry.compat.rouge_score import tokenize, tokenizers
from summetry.compat.rouge_score.rouge_scorer import RougeScorer
from summetry.compat.rouge_score.scoring import BaseScorer, Score
from summetry.compat.rouge_score.tokenizers import DefaultTokenizer
from summetry.metrics import METRICS
from summetry.metrics.rouge import porter
from summetry.metrics.rouge.porter import stem_like_nltk
from summetry.records.batches import Batch, compare_texts
from summetry.text.pipeline import TextPipeline

TYPES = ["rouge1", "rouge2", "rougeL", "rougeLsum"]

# Target, prediction, and F of rouge1, rouge2, rougeL and rougeLsum without use_stemmer, and with it
# where that is something else: from running rouge-score 0.1.2 with NLTK 3.10.4, to twelve decimals,
# written as the fractions that they are.
PAIRS = [
    ("The ferry struck the pier at dawn.", "A ferry hit the pier at dawn.", "5/7 1/2 5/7 5/7"),
    ("Police arrested three men on Monday.", "Three men were arrested by police.",
     "2/3 1/5 1/3 1/3"),
    ("The committee approved the organizational changes.",
     "The committees approve organizing a change.", "1/6 0 1/6 1/6", "2/3 2/5 2/3 2/3"),
    ("News of the dying king spread.", "The king dies, news spreads.",
     "6/11 0 4/11 4/11", "10/11 0 6/11 6/11"),
    ("She was happily enjoying the innings.", "She enjoys a happy inning.",
     "2/11 0 2/11 2/11", "6/11 0 6/11 6/11"),
    ("Generally, the analyses were carefully made.", "The analysis is general and careful.",
     "1/6 0 1/6 1/6", "1/2 0 1/3 1/3"),
    ("He succeeded, proceeded and exceeded.", "To succeed is to proceed and to exceed.",
     "2/13 0 2/13 2/13", "8/13 2/11 8/13 8/13"),
    ("the cat sat on the mat\nthe dog ran", "the dog ran\nthe cat sat on the mat", "1 7/8 2/3 1"),
    ("the cat sat on the mat\nthe dog ran", "the dog ran the cat sat on the mat", "1 7/8 2/3 1"),
    ("the cat sat on the mat the dog ran", "the dog ran\nthe cat sat on the mat", "1 7/8 2/3 1"),
    ("a b c d\na b\nb c", "a b\nc d a\nd c b a", "14/17 8/15 12/17 14/17"),
    ("a a a b b", "a b a b a b", "10/11 2/9 8/11 8/11"),
    ("a b a c a d", "a a\na d\nd c b", "12/13 2/11 8/13 8/13"),
    ("w1 w2 w3 w4 w5", "w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5", "8/15 2/13 8/15 8/15"),
    ("Don't pay 2,400 kr. for it!", "Do not pay 2 400 kr for it", "3/4 5/7 3/4 3/4"),
    ("It cost $3.5 million in the 1990s.", "It costs 3.5 millions, as in 1990.",
     "1/2 1/7 1/2 1/2", "7/8 4/7 7/8 7/8"),
    ("A well-known co-op re-opened.", "A well known coop reopened", "1/2 2/5 1/2 1/2"),
    ("The café in Málaga is naïve.", "The cafe in Malaga is naive.", "3/7 0 3/7 3/7"),
    ("İstanbul and 300 K are lower-cased.", "istanbul and 300 k are lower cased",
     "4/5 10/13 4/5 4/5"),
    ("Жители города протестовали.", "Жители города протестовали.", "0 0 0 0"),
    ("今日は晴れ 2026", "明日は雨 2026", "1 0 1 1"),
    ("", "something", "0 0 0 0"),
    ("something", "", "0 0 0 0"),
    ("", "", "0 0 0 0"),
    ("...", "!!!", "0 0 0 0"),
    ("one", "one", "1 0 1 1"),
    ("one two", "two one", "1 0 1/2 1/2"),
    ("\n\nfirst line\n\nsecond line\n", "second line\n \nfirst line", "1 2/3 1/2 1"),
    ("tab\tand  blanks\r\nand a return", "tab and blanks\nand a return", "1 1 1 1"),
    ("Skies were darkening; thieves lied, tied and died.",
     "The sky darkened and a thief lies, ties and dies.", "1/9 0 1/9 1/9", "2/3 3/8 2/3 2/3"),
    ("Hopefully the psychology of rational abilities is possibly logical.",
     "Psychologically rational ability is hopefully possible logic.",
     "3/8 0 1/4 1/4", "7/8 3/7 3/4 3/4"),
    ("Controlled, rolling and falling hills; feed agreed.",
     "Control rolls and falls on a hill: feeding agreement.", "1/8 0 1/8 1/8", "3/4 4/7 3/4 3/4"),
    ("the " * 70 + "end", "end " + "the " * 66, "67/69 65/68 22/23 22/23"),
    ("alpha beta gamma delta " * 20, "delta alpha beta " * 30, "12/17 13/28 12/17 12/17"),
]  # fmt: skip

# Targets, prediction, and precision, recall and F of score_multi with use_stemmer, from the same.
SEVERAL = [
    (["the cat sat", "a dog sat here", "the dog"], "the dog sat",
     "2/3 1 4/5, 1/2 1 2/3, 2/3 1 4/5, 2/3 1 4/5"),
    (["x y", "y z\nz w", "x"], "x y z\nw",
     "3/4 3/4 3/4, 2/3 2/3 2/3, 3/4 3/4 3/4, 3/4 3/4 3/4"),
    (["", "one two"], "one", "1 1/2 2/3, 0 0 0, 1 1/2 2/3, 1 1/2 2/3"),
    (["The summaries were measured.", "Measure a summary!"], "She measures summaries.",
     "2/3 2/3 2/3, 0 0 0, 2/3 2/3 2/3, 2/3 2/3 2/3"),
]  # fmt: skip

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


def fractions(line):
    return [float(Fraction(number)) for number in line.split()]


@pytest.mark.parametrize("case", PAIRS, ids=range(len(PAIRS)))
def test_f_is_that_of_rouge_score(case):
    target, prediction, plain, *stemmed = case
    for stem, wanted in ((False, plain), (True, (stemmed or [plain])[0])):
        found = RougeScorer(TYPES, use_stemmer=stem).score(target, prediction)
        # The recorded values were rounded to twelve decimals.
        expected = pytest.approx(fractions(wanted), abs=1e-12)
        assert [found[name].fmeasure for name in TYPES] == expected


def test_the_best_f_of_several_targets_counts_and_many_pairs_have_the_same_scores():
    scorer = RougeScorer(TYPES, use_stemmer=True)
    for several, prediction, wanted in SEVERAL:
        scores = [Score(*fractions(values)) for values in wanted.split(", ")]
        items = scorer.score_multi(several, prediction).items()
        assert list(items) == list(zip(TYPES, scores, strict=True))
    targets, predictions = [pair[0] for pair in PAIRS], [pair[1] for pair in PAIRS]
    alone = [scorer.score(t, p) for t, p in zip(targets, predictions, strict=True)]
    assert scorer.score_pairs(targets, predictions) == alone


def test_stems_are_those_of_nltk():
    cases = dict(case.split() for case in STEMS.strip().replace("\n", "|").split("|"))
    assert {word: stem_like_nltk(word) for word in cases} == cases


# The endings that are looked for in words, and letters of each kind.
PARTS = [*"aeybltswz1", *porter._NLTK_2.others, *porter._BOTH_3.others, *porter._NLTK_4.others]
PARTS += [*porter._FIXED_BY_NLTK, "eed", "ed", "ing", "ies", "sses", "logi", "ll"]


@given(st.lists(st.lists(st.sampled_from(PARTS), min_size=1, max_size=4).map("".join)))
def test_stems_of_whole_texts_are_those_of_their_words(words):
    pipeline = TextPipeline.from_spec("rouge_score(stem=true)")
    stems = on_both_roads(lambda: pipeline.encode([" ".join(words)], [""]).text(0))
    assert stems == [stem_like_nltk(word) if len(word) > 3 else word for word in words]


def f_of(hits, target, prediction):
    precision, recall = hits / max(prediction, 1), hits / max(target, 1)
    total = precision + recall
    return Score(precision, recall, 2 * precision * recall / total if total else 0.0)


def common(a, b):
    """The places in ``a`` of the longest common subsequence that a table's trace-back finds."""
    return {place for place, mark in enumerate(mark_longest(a, b)) if mark}


def plain_scores(target, prediction):
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
def test_scores_are_those_of_the_slow_way(target, prediction):
    scorer, slow = RougeScorer(TYPES), plain_scores(target, prediction)
    assert scorer.score(target, prediction) == slow
    assert scorer.score_pairs([target], [prediction]) == [slow]


@given(st.lists(st.tuples(st.lists(texts, min_size=1, max_size=4), texts), max_size=4))
def test_no_target_has_a_better_f_than_the_one_that_counts_alone_or_in_many_pairs(pairs):
    scorer = RougeScorer(TYPES)
    targets, predictions = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    found = scorer.score_pairs(targets, predictions)
    assert found == [scorer.score_multi(*pair) for pair in pairs]
    for (several, prediction), best in zip(pairs, found, strict=True):
        alone = [plain_scores(target, prediction) for target in several]
        for name in TYPES:
            assert best[name] == max((scores[name] for scores in alone), key=lambda s: s.fmeasure)


class Blanks:
    """A tokenizer that somebody brings along: case and marks stay."""

    def tokenize(self, text):
        return text.split()


@pytest.mark.usefixtures("road")
def test_a_tokenizer_of_ones_own_is_used():
    scorer = RougeScorer(TYPES, tokenizer=Blanks())
    found = scorer.score("Жители города\nпротестовали.", "жители города протестовали.")
    # Of three words two are equal, and they stand in order.
    assert found["rouge1"].fmeasure == found["rougeLsum"].fmeasure == pytest.approx(2 / 3)
    assert found["rouge2"].fmeasure == 0.5
    many = scorer.score_pairs(["É é", ["x", "É"]], ["É", "É"])
    assert [scores["rouge1"].fmeasure for scores in many] == [pytest.approx(2 / 3), 1.0]

    # Sentences are tokenized one by one, as rouge-score does it.
    class FirstLetters:
        def tokenize(self, text):
            return [text[:1]]

    scores = RougeScorer(TYPES, tokenizer=FirstLetters()).score("ab\nb", "a\nc")
    # The whole text has one token and its two lines have one each.
    assert (scores["rouge1"].fmeasure, scores["rougeLsum"].fmeasure) == (1.0, 0.5)


def test_tokenizers_are_where_rouge_score_has_them_and_take_any_stemmer():
    assert DefaultTokenizer().tokenize("The café's 2,400 İ") == ["the", "caf", "s", "2", "400", "i"]
    assert isinstance(DefaultTokenizer(), tokenizers.Tokenizer)
    with pytest.raises(TypeError, match="abstract"):
        type("Lacking", (tokenizers.Tokenizer,), {})()

    # Any stemmer is taken.
    class Cutter:
        def stem(self, token):
            return {"gone": "", "odd1": "od-d"}.get(token, token[:2])

    assert tokenize.tokenize("One gone odd1 three.", Cutter()) == ["one", "th"]
    assert tokenize.tokenize("One gone.", None) == ["one", "gone"]


def test_split_summaries_cuts_one_line_into_sentences():
    target, prediction = "The cat sat. A dog ran off.", "A dog ran off. The cat sat."
    whole = RougeScorer(["rougeLsum"]).score(target, prediction)["rougeLsum"]
    cut = RougeScorer(["rougeLsum"], split_summaries=True).score(target, prediction)["rougeLsum"]
    assert (whole.fmeasure, cut.fmeasure) == (pytest.approx(4 / 7), 1.0)


def test_the_text_has_a_spelling_that_every_metric_takes():
    metric = METRICS.build("rouge_n(text=rouge_score(stem=true))")
    assert spec.show(metric) == "rouge_n(text=rouge_score(stem=true))"
    batch = Batch([compare_texts("A summary.", ["The summaries!"], None, "")])
    assert metric.score(metric.count(batch))["f"].tolist() == [0.5]
    # What decides the tokens is in the signature.
    assert TextPipeline.from_spec("rouge_score(stem=true)").describe() == "rouge_score,stem:nltk"
    assert TextPipeline.from_spec("rouge_score").describe() == "rouge_score"


@given(st.text(st.sampled_from("aB3 İKé.\n\x00ß")))
def test_tokens_stand_where_the_text_says_and_are_those_of_the_table(text):
    pipeline = TextPipeline.from_spec("rouge_score(stem=true)")
    located = pipeline.locate(text, "")
    assert [token for token, _ in located] == pipeline.encode([text], [""]).text(0)
    for token, (start, end) in located:
        assert text[start:end].lower().startswith(token)


def test_what_is_no_scorer_is_an_error(refused):
    refused(lambda given: RougeScorer(**given), [
        *({"rouge_types": [name]} for name in ("rouge0", "rouge10", "rougeX", "ROUGE1")),
        {"rouge_types": "rouge1"},
        {"rouge_types": ["rouge1"], "tokenizer": list},
    ])  # fmt: skip


def test_texts_and_targets_are_checked(refused):
    refused(lambda method, *given: getattr(RougeScorer(["rouge1"]), method)(*given), [
        ("score_multi", [], "a"), ("score_multi", "a", "a"), ("score", "a", None),
        ("score", ["a"], "a"), ("score_pairs", ["a", "b"], ["a"]),
        ("score_pairs", ["a", "b"], ["a", None]), ("score_pairs", ["a", ["b", None]], ["a", "b"]),
        ("score_pairs", [None], ["a"]),
    ])  # fmt: skip


def test_a_scorer_shows_its_types_and_its_base():
    scorer = RougeScorer(TYPES)
    assert isinstance(scorer, BaseScorer) and scorer.rouge_types == TYPES
    # One that has been used can be sent to another process.
    scores = scorer.score("a b", "b c")
    assert pickle.loads(pickle.dumps(scorer)).score("a b", "b c") == scores
    # No types give no scores.
    scorer = RougeScorer([])
    assert (scorer.score("a", "a"), scorer.score_pairs(["a"], ["a"])) == ({}, [{}])


@pytest.mark.slow  # Its imports alone take more than 2 seconds.
def test_the_package_itself_agrees_where_it_is_installed():
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
