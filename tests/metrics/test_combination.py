"""``combination``: a weighted sum of other metrics' values, for every metric there is."""

import math
import pickle

import numpy as np
import pytest
from comparisons import compare, values

import summetry
from summetry import spec
from summetry.metrics import METRICS
from summetry.metrics.combination import Combination, MetricValue, combination
from summetry.metrics.cosine import Cosine
from summetry.records.batches import Batch

# One of each way to treat references, and all that metrics can ask of the engine.
PARTS = [
    "rouge_n(n=2).recall", "rouge_l.f", "npower.value", "npower.memog", "cosine(references=best)",
    "js_divergence.value", "coselection(against=majority).f", "relative_utility.value",
    "pyramid(score=modified).value", "keywords(text=auto).recall",
]  # fmt: skip
WEIGHTS = [0.7, 1.3, 2.0, -0.25, 1.0, -3.0, 0.5, 0.125, 1.0, 4.0]


def pair(candidate, *references):
    return compare(candidate, references, language="en")


SHIFTED = pair("a b c", "b c d")


def test_an_example_by_hand():
    """Of a b c and b c d two of four words are shared; cosine is 2/3: 0.5 + 2 0.5 + 3 2/3."""
    metric = METRICS.build("combination(of=[unit_overlap,cosine],weights=[2,3],constant=0.5)")
    assert values(metric, SHIFTED) == pytest.approx([3.5])
    assert combination([0.5, 2 / 3], [2, 3], constant=0.5) == pytest.approx(3.5)
    assert combination([], [], 2.0) == 2.0
    # Without weights it is the mean; without parts that of these two.
    metric = METRICS.build("combination(of=[unit_overlap,cosine])")
    assert values(metric, SHIFTED) == pytest.approx([(1 / 2 + 2 / 3) / 2])
    usual = METRICS.build("combination")
    assert values(usual, SHIFTED) == values(metric, SHIFTED)
    assert spec.show(usual) == "combination" and usual == METRICS.build("combination(of=[])")


NESTED = "[combination(of=[lcs.f],weights=[2]),cosine]"
WRITTEN = {
    "[rouge_n(n=2).recall, npower], weights=[0.7, 1.3]":
        "[rouge_n(n=2).recall,npower.value],weights=[0.7,1.3]",
    "[rouge-2, 'rouge-1.recall'], weights=[1, -2], constant=0.5":
        "[rouge_n(n=2).f,rouge_n.recall],weights=[1,-2],constant=0.5",
    "lcs().f": "[lcs.f]",
    "[unit_overlap(text=en(stem=true)).value]": "[unit_overlap(text=en(stem=true))]",
    "[unit_overlap,cosine]": "[unit_overlap,cosine]",
    NESTED: NESTED,
}  # fmt: skip


def test_the_spelling_reads_back():
    for written, spelt in WRITTEN.items():
        metric = METRICS.build(f"combination(of={written})")
        assert spec.show(metric) == f"combination(of={spelt})"
        assert METRICS.build(spec.show(metric)) == metric == pickle.loads(pickle.dumps(metric))


@pytest.mark.parametrize("protocol", ["no_models", "all_peers"])
def test_a_corpus_has_the_sums_of_its_parts(small_demo, protocol):
    """Scored part by part and added up by hand, jackknifed or not."""
    spelling = f"combination(of=[{','.join(PARTS)}],weights={WEIGHTS},constant=0.25)"
    whole = summetry.evaluate(small_demo, [spelling], protocol)
    parts = summetry.evaluate(small_demo, PARTS, protocol)
    assert whole.rows == parts.rows
    weighted = (parts.data * WEIGHTS).tolist()
    by_hand = [math.fsum([0.25, *row]) for row in weighted]
    assert whole.data[:, 0].tolist() == pytest.approx(by_hand, nan_ok=True, abs=1e-12)
    defined = ~np.isnan(parts.data).any(axis=1)
    assert (np.isnan(whole.data[:, 0]) == ~defined).all()
    # Only extracts have all parts; in the demo corpus these are peers.
    assert 0 < defined.sum() < len(defined)


def test_sums_of_rows_are_scored_as_the_parts_score_theirs():
    metric = METRICS.build("combination(of=[rouge_n.recall,lcs.f],weights=[2,3])")
    batch = Batch([SHIFTED, pair("a b", "a b c d"), pair("x", "x y")])

    def of_sums(metric, name):
        return metric.score(metric.count(batch).sum(axis=0, keepdims=True))[name][0]

    alone = [of_sums(METRICS.build(m), name) for m, name in (("rouge_n", "recall"), ("lcs", "f"))]
    assert of_sums(metric, "value") == pytest.approx(2 * alone[0] + 3 * alone[1])
    # A metric with several parts is counted once; in front of the counts 1 and the two widths.
    widths = [METRICS.build(name).count(batch).shape[1] for name in ("lcs", "cosine")]
    metric = METRICS.build("combination(of=[lcs.recall,cosine,lcs.precision])")
    assert metric.count(batch).shape == (3, 3 + sum(widths))
    # Without rows there are no values, and a sum of no rows is undefined.
    counts = metric.count(Batch([SHIFTED]))
    assert metric.score(counts[:0])["value"].tolist() == []
    first, second = metric.score(np.vstack([0 * counts, counts]))["value"]
    assert math.isnan(first) and [second] == values(metric, SHIFTED)
    assert math.isnan(metric.score(0 * counts)["value"][0])


class Fussy(Cosine):
    """A plug-in that cannot count nothing."""

    def count(self, batch):
        assert len(batch.comparisons)
        return super().count(batch)


def test_no_part_is_asked_to_count_an_empty_batch():
    metric = Combination((MetricValue(Fussy(), "value"), MetricValue.from_spec("lcs.f")))
    pairs = [pair("a b c", "b c d"), pair("a b", "a b c d")]
    usual = METRICS.build("combination(of=[cosine,lcs.f])")
    assert values(metric, *pairs) == values(usual, *pairs)


def test_bounds_are_those_of_the_parts_each_turned_by_its_weight_and_undefined_is_contagious():
    kl = METRICS.build("kl_divergence").bounds[1]
    for options, bounds in (
        ("of=[cosine,unit_overlap],weights=[2,-3],constant=1", (-2, 3)),
        ("of=[accy],weights=[0.5]", (-math.inf, 50)),
        ("of=[kl_divergence.missed,cosine],weights=[-1,1]", (-kl, 1)),
    ):
        assert METRICS.build(f"combination({options})").bounds == bounds
    assert math.isnan(values("combination(of=[cosine,coselection.f])", pair("a b", "a b"))[0])
    assert math.isnan(values("combination", pair("a b", ""))[0])
    assert values("combination", pair("", "a b")) == [0.0]


def test_an_infinite_part_makes_an_infinite_sum_and_two_of_each_sign_none():
    empty = compare("", ["a"], source="a")
    parts = "combination(of=[kl_divergence.missed,{}],weights=[-1,1])"
    assert values(parts.format("cosine"), empty) == [-math.inf]
    assert math.isnan(values(parts.format("kl_divergence.added"), empty)[0])


def test_what_the_engine_prepares_comes_from_all_parts():
    metric, usual = map(METRICS.build, (f"combination(of=[{','.join(PARTS)}])", "combination"))
    for name in ("reads_majority", "reads_sentences", "leaves_out_contributors"):
        assert getattr(metric, name) and not getattr(usual, name)


def test_the_signature_carries_all_parts_and_notes_name_the_part_that_they_are_of(small_demo):
    spelling = "combination(of=[npower.value,cosine,rouge_n.f],weights=[1,2,3])"
    (column,) = summetry.evaluate(small_demo, [spelling], "all_peers").columns
    assert column.signature.startswith(f"{spelling}|text:raw,codepoints+auto,words,fold|")
    assert "|refs:3,jackknife,mean and merge and mean and pool|" in column.signature
    assert column.name == spelling
    spelling = "combination(of=[keywords(text=auto).recall,cosine])"
    (note,) = summetry.evaluate(small_demo, [spelling]).notes
    assert note.startswith(f"{spelling}: keywords(text=auto): words of equal")
