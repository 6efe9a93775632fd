"""One candidate alone, which takes a road of its own, with the values and notes of arrays."""

import pickle
import warnings
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernel_roads import on_both_roads
from strategies import WORDS

import summetry
from summetry.arrays import kernel, token_tables
from summetry.compat.rouge_score.rouge_scorer import RougeScorer
from summetry.engine import pairs
from summetry.engine.chunks import build_metrics
from summetry.engine.pairs import PairPlan, score_single
from summetry.engine.run import Run
from summetry.errors import SummetryError
from summetry.metrics import METRICS
from summetry.metrics.rouge import single
from summetry.metrics.rouge.rouge_metrics import RougeN
from summetry.records.batches import TextColumns

ODD = ["Season.The", "\x00", "İstanbul", "K9", "naïve", "runs", "running", "A.B", "e.g.", "🙂"]
BETWEEN = [" ", " ", " ", " ", " ", ". ", "\n", "\r\n", "\u2028", "  "]
TEXTS = "rouge_score rouge_score(stem=true) rouge155 rouge155(stem=true,stop=true) auto"
TEXTS += " auto(case=keep) auto(tokens=characters) auto(tokens=blanks) en(stem=true) en(stop=true)"
TEXTS = [*TEXTS.split(), "auto(stem=true)"]
KINDS = ["rouge_n(", "rouge_n(n=2,", "rouge_n(n=3,", "rouge_l(", "rouge_l(level=text,", "rouge_su("]
KINDS += ["rouge_n(n=1000000,", "rouge_s(", "rouge_s(gap=0,", "rouge_su(gap=-1,"]


@st.composite
def asked(draw):
    """One to three metrics, any ROUGE that plain Python counts."""
    spellings = []
    choices = KINDS, [0.5, 0.5, 0, 1, 0.3], ["pool", "mean", "best"], TEXTS
    for _ in range(draw(st.integers(1, 3))):
        kind, alpha, over, text = (draw(st.sampled_from(values)) for values in choices)
        spellings.append(f"{kind}alpha={alpha},references={over},text={text})")
    return spellings


def text_from(random, most=60):
    """Words with blanks, line breaks and full stops between; now and then none, or one line."""
    kind = random.random()
    if kind < 0.05:
        return ""
    words = random.choices(WORDS[:11] if kind < 0.6 else WORDS + ODD, k=random.randint(1, most))
    between = [" "] if kind < 0.2 else BETWEEN
    return "".join(word + random.choice(between) for word in words)


def columns_from(seed, language="en"):
    random = Random(seed)
    references = [text_from(random) for _ in range(random.randint(1, 4))]
    return TextColumns([text_from(random) or "a"], [references], [None], language)


def by_arrays(metrics, columns):
    """Values by the name of each metric, and notes, as a list of one candidate has them."""
    run = Run(PairPlan(columns), metrics)
    table = run.table()
    names = [(column.metric, column.value) for column in table.columns]
    return dict(zip(names, table.data[0].tolist(), strict=True)), list(run.notes)


def alone(metrics, columns):
    found, notes = score_single(build_metrics(metrics), columns)
    values = {(m, name): v for m, values in found.items() for name, v in values.items()}
    return bits(values), notes


def bits(values):
    return {name: np.float64(value).tobytes() for name, value in values.items()}


@given(metrics=asked(), seed=st.integers(0, 2**32), few=st.sampled_from([0, 100_000]))
def test_one_alone_has_the_bits_and_the_notes_of_arrays_on_both_roads(metrics, seed, few):
    columns = columns_from(seed)
    expected, notes = by_arrays(metrics, columns)
    with pytest.MonkeyPatch.context() as patch:
        # Short texts are cut by Python, long ones by the kernel.
        patch.setattr(single, "_FEW_CHARACTERS", few)
        assert on_both_roads(lambda: alone(metrics, columns)) == (bits(expected), notes)


@given(metrics=asked(), seed=st.integers(0, 2**32), language=st.sampled_from(["", "en"]),
       listed=st.integers(0, 7))  # fmt: skip
def test_what_a_call_gives_and_says_does_not_depend_on_the_road(metrics, seed, language, listed):
    """Of one text, and of a list of some."""
    random = Random(seed)
    texts = text_from(random), [text_from(random) for _ in range(random.randint(0, 3))]
    if listed:
        candidates = [text_from(random) for _ in range(listed)]
        references = [[text_from(random) for _ in range(random.randint(1, 3))] for _ in candidates]
        texts = candidates, references

    def call():
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                found = summetry.score(*texts, metrics, language=language)
            except SummetryError as error:
                return str(error)
        values = {(m, v): number for m, values in found.items() for v, number in values.items()}
        return bits(values), found.signatures, [str(warning.message) for warning in caught]

    in_short = call()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pairs, "score_single", lambda *given: None)
        assert call() == in_short


LEFT_TO_ARRAYS = [
    ("a b", ["a"], "unit_overlap"), ("a b", ["a"], "rouge_n(length='1 words')"),
    (" \n", ["a"], "rouge-1"), ("a b", [], "rouge-1"), ("the dams", ["a"], "rouge-1(stem=true)"),
    ("a " * 100_000, ["a"], "rouge-1"), ("a b", ["a"], "rouge_w"),
]  # fmt: skip


@pytest.mark.parametrize(("candidate", "references", "metric"), LEFT_TO_ARRAYS)
def test_what_one_alone_cannot_do_or_say_is_left_to_arrays(candidate, references, metric):
    columns = TextColumns([candidate], [references], [None])
    assert score_single(build_metrics(metric), columns) is None


def test_long_texts_alone_are_cut_by_the_kernel_and_have_the_values_of_arrays():
    random = Random(7)
    texts = [text_from(random, most=2_000) for _ in range(3)]
    columns = TextColumns([texts[0]], [texts[1:]], [None])
    metrics = ["rouge1", "rouge2", "rougeL", "rougeLsum", "rouge-l", "rouge-su4"]
    values, _ = on_both_roads(lambda: alone(metrics, columns))
    assert values == bits(by_arrays(metrics, columns)[0])


@pytest.mark.skipif(not kernel.is_compiled(), reason="the kernel is not compiled here")
def test_texts_that_are_more_than_c_can_number_are_refused(monkeypatch):
    """The same class as rouge-score has no other limit."""
    scorer = RougeScorer(["rouge1"])
    assert scorer.score("a " * 60_000, "a b")["rouge1"].recall == 1 / 60_000
    monkeypatch.setattr(token_tables, "MOST_TOKENS", 100_000)
    with pytest.raises(SummetryError, match="more than 2 gigabytes"):
        scorer.score("a " * 60_000, "a b")


@dataclass(frozen=True)
class NothingHits(RougeN):
    """A metric of somebody else, who counts otherwise than the base."""

    name: ClassVar[str] = "nothing_hits"
    aliases: ClassVar[dict[str, str]] = {}

    def count_pairs(self, batch):
        pairs = super().count_pairs(batch)
        return pairs._replace(hits=np.zeros_like(pairs.hits))


def test_a_class_of_somebody_else_counts_as_it_says_and_is_found_after_a_call(monkeypatch):
    assert summetry.score("a b", "a b", NothingHits())["nothing_hits"].f == 0
    monkeypatch.setattr(METRICS, "_classes", dict(METRICS._classes))
    with pytest.raises(SummetryError, match="no metric is named 'nothing_hits'"):
        summetry.score("a b", "a b", "nothing_hits")
    METRICS.register(NothingHits)
    assert summetry.score("a b", "a b", "nothing_hits")["nothing_hits"].f == 0


def test_a_metric_is_built_once_for_each_spelling():
    first, again = (build_metrics(["rouge1", "rouge-2"]) for _ in range(2))
    assert all(a.metric is b.metric for a, b in zip(first, again, strict=True))
    # As in a notebook or a doctest that has no name.
    inside = {}
    exec("def shorter(candidate, references): return len(candidate) - len(references[0])", inside)
    inside["shorter"].__module__ = None
    for candidates, references in (("a b", "a"), (["a b"], ["a"])):
        values = summetry.score(candidates, references, inside["shorter"])["shorter"]
        assert np.atleast_1d(values.value).tolist() == [2.0]


@pytest.mark.parametrize("candidates, references", [("a b", "a c"), (["a b", "b"], ["a c", "b c"])])
def test_metrics_and_scores_can_be_sent_to_another_process(candidates, references):
    metric = METRICS.build("rougeLsum")
    scores = summetry.score(candidates, references, metric)
    assert pickle.loads(pickle.dumps(metric)) == metric
    again = pickle.loads(pickle.dumps(scores))
    assert (repr(again), again.signatures) == (repr(scores), scores.signatures)
    for metric, value in product(scores, ("recall", "precision", "f")):
        assert np.array_equal(again[metric][value], scores[metric][value])


def test_equal_values_are_equal_scores():
    calls = [(["a b", "b"], ["a c", last]) for last in ("b c", "b c", "d")]
    scores, same, other = (summetry.score(*texts, "rouge1") for texts in calls)
    assert scores == same and scores != other and scores["rouge1"] != 1
    assert summetry.score("a", "a", "rouge1") == {"rouge1": {"recall": 1, "precision": 1, "f": 1}}
    for confidence in (0, 1, 95, -0.5, float("nan")):
        with pytest.raises(SummetryError, match=r"a confidence is between 0 and 1, .*, got"):
            scores.intervals(confidence)
    # A value that is picked stands alone.
    picked = summetry.score("a b c", "b c d e", ["rouge1.recall", "rougeL.precision"])
    assert picked == {"rouge1": {"recall": 0.5}, "rougeL": {"precision": 2 / 3}}
