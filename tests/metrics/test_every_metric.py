"""What holds for all metrics; a new one is tested here by being registered."""

import dataclasses
import math
import pickle

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from strategies import comparisons

from summetry import spec
from summetry.engine.chunks import score_chunk
from summetry.engine.plan import Item
from summetry.metrics import FAMILIES, METRICS, Needs
from summetry.model.batches import Batch, Comparison, Material, Side
from summetry.model.judgments import Utilities
from summetry.model.pyramids import PeerScu, Pyramid, Scu
from summetry.model.scores import Row
from summetry.model.summaries import Extract
from summetry.text.rouge155 import Rouge155

# Settings that take another way through the code than the defaults.
VARIANTS = [
    "rouge_n(n=2,references=best)",
    "rouge_n(words=4,references=mean)",
    "rouge_n(text=rouge155(stem=true,stop=true))",
    "rouge_n(n=2,bytes=20,text=rouge155)",
    "rouge_l(references=mean)",
    "rouge_l(level=text,alpha=0.2)",
    "rouge_l(bytes=12,text=rouge155)",
    "rouge_w(weight=1.5)",
    "rouge_w(references=mean,text=rouge155)",
    "rouge_s(gap=1)",
    "rouge_su(gap=-1,references=best)",
    "rouge_su(text=rouge155)",
    "coselection(beta=2)",
    "coselection(against=models)",
    "coselection(against=models,references=best)",
    "cosine(weights=binary)",
    "cosine(weights=tf_isf)",
    "cosine(references=best,text=en(stop=true,stem=true))",
    "unit_overlap(n=2)",
    "unit_overlap(references=best,text=auto(tokens=characters))",
    "unit_overlap(text=en(lemma=true))",
    "lcs(references=best)",
    "lcs(text=en(stem=true))",
    "relative_utility(e=2)",
    "compression(unit=sentences)",
    "compression(unit=characters)",
    "retention(information=votes)",
    "retention(information=utilities)",
    "retention(information=scus)",
    "retention(text=en(stop=true))",
]
every_metric = pytest.mark.parametrize("name", METRICS.names())
every_variant = pytest.mark.parametrize("spelling", [*METRICS.names(), *VARIANTS])
few = settings(max_examples=40, deadline=None)


def values(metric, *compared):
    found = metric.score(metric.count(Batch(compared)))
    return {name: found[name].tolist() for name in metric.values}


def one(metric, comparison):
    return {name: numbers[0] for name, numbers in values(metric, comparison).items()}


def same(a, b):
    """Equal to the last bit, NaN with NaN."""
    return {n: repr(v) for n, v in a.items()} == {n: repr(v) for n, v in b.items()}


def test_every_metric_has_a_variant_or_no_options():
    tried = {spec.parse(spelling).name for spelling in VARIANTS}
    assert {n for n in METRICS.names() if dataclasses.fields(METRICS.get(n))} <= tried


@every_metric
def test_describes_itself(name):
    metric = METRICS.build(name)
    assert metric.family in FAMILIES
    assert metric.headline in metric.values
    assert metric.bounds[0] < metric.bounds[1]
    assert metric.better.keys() == set(metric.values)
    assert set(metric.better.values()) <= {"higher", "lower", "neither"}
    assert isinstance(metric.needs, Needs)
    assert type(metric).__doc__ and type(metric).__dataclass_params__.frozen


@every_variant
def test_its_spelling_builds_it_again(spelling):
    metric = METRICS.build(spelling)
    assert METRICS.build(spec.show(metric)) == metric
    assert pickle.loads(pickle.dumps(metric)) == metric


@every_variant
@few
@given(comparison=comparisons)
def test_values_are_named_and_within_bounds(spelling, comparison):
    metric = METRICS.build(spelling)
    low, high = metric.bounds
    counts = metric.count(Batch([comparison, comparison]))
    assert counts.shape[0] == 2
    found = metric.score(counts)
    assert tuple(found) == metric.values
    for numbers in found.values():
        assert numbers.shape == (2,)
        assert all(math.isnan(v) or low <= v <= high + 1e-12 for v in numbers)


@every_variant
@few
@given(comparison=comparisons)
def test_the_order_of_references_informants_and_judges_changes_no_bit(spelling, comparison):
    metric = METRICS.build(spelling)
    material = msgspec.structs.replace(
        comparison.material,
        extracts=comparison.material.extracts[::-1],
        utilities=comparison.material.utilities[::-1],
    )
    turned = Comparison(material, comparison.candidate, comparison.references[::-1])
    assert same(one(metric, comparison), one(metric, turned))


@every_variant
@few
@given(first=comparisons, second=comparisons, third=comparisons)
def test_one_comparison_has_the_same_values_alone_and_in_a_batch(spelling, first, second, third):
    metric = METRICS.build(spelling)
    together = values(metric, first, second, third)
    for place, comparison in enumerate((first, second, third)):
        assert same(one(metric, comparison), {n: v[place] for n, v in together.items()})


@every_variant
@few
@given(first=comparisons, second=comparisons)
def test_the_size_of_a_chunk_changes_no_bit(spelling, first, second):
    items = [
        Item(Row("no_models", str(i), "peer", "peer"), (comparison,))
        for i, comparison in enumerate((first, second, first))
    ]
    whole = score_chunk(items, [spelling]).data
    alone = np.concatenate([score_chunk([item], [spelling]).data for item in items])
    assert whole.tobytes() == alone.tobytes()


@every_variant
@few
@given(comparison=comparisons)
def test_a_value_can_be_worked_out_again_from_its_explanation(spelling, comparison):
    metric = METRICS.build(spelling)
    explained = metric.explain(comparison)
    assert explained.values == pytest.approx(one(metric, comparison), nan_ok=True)
    parts = [recompute(part) for part in explained.parts]
    for name in metric.values:
        defined = [part[name] for part in parts if not math.isnan(part[name])]
        if not defined:
            assert math.isnan(explained.values[name])
            continue
        value = max(defined) if explained.over == "best" else math.fsum(defined) / len(defined)
        assert explained.values[name] == pytest.approx(value, abs=1e-12)


def recompute(part):
    """The values of a part from its facts; what matched must add up to the fact of that name."""
    if "matched" in part.facts:
        assert math.fsum(m.weight for m in part.matches) == pytest.approx(part.facts["matched"])
    known = {**part.facts, "undefined": math.nan, "round": round}
    return {n: float(eval(f, {"__builtins__": {}}, known)) for n, f in part.formulas.items()}


@every_variant
@few
@given(comparison=comparisons)
def test_the_spans_of_an_explanation_point_at_what_matched(spelling, comparison):
    metric = METRICS.build(spelling)
    texts = [side.text for side in comparison.references] + [comparison.material.source]
    for part in metric.explain(comparison).parts:
        for match in part.matches:
            for start, end in match.candidate:
                assert comparison.candidate.text[start:end].strip()
            for start, end in match.reference:
                assert any(text[start:end].strip() for text in texts)


def reproduces_another_program(metric):
    """Where we follow another program to the last quirk, its values stand."""
    return isinstance(getattr(metric, "text", None), Rouge155)


def complete(candidate, reference, source, units=(), extract=(), utilities=(1, 2)):
    """A comparison in which everything that a metric can ask for is there, though maybe empty."""
    material = Material(
        "t",
        "en",
        source,
        tuple(source.splitlines()),
        extracts=(Extract("t", "p", extract),),
        utilities=(Utilities("t", "j", utilities),),
        pyramid=Pyramid(
            "t",
            (Scu("1", "said", 2),) if reference else (),
            {"peer": (PeerScu("1"),) if candidate else ()},
        ),
    )
    return Comparison(material, Side("peer", candidate, units), (Side("m", reference, extract),))


@every_variant
def test_an_empty_candidate_has_the_worst_value(spelling):
    metric = METRICS.build(spelling)
    found = one(metric, complete("", "some words here", "some words here", (), (0, 1)))
    assert found[metric.headline] == metric.bounds[0]


@every_variant
def test_an_empty_reference_leaves_every_value_undefined(spelling):
    metric = METRICS.build(spelling)
    found = one(metric, complete("some words here", "", "", (0,), (), (0, 0)))
    if reproduces_another_program(metric):
        assert set(found.values()) == {0.0}
    else:
        assert all(math.isnan(value) for value in found.values())


@every_variant
def test_both_empty_is_undefined(spelling):
    metric = METRICS.build(spelling)
    found = one(metric, complete("", "", "", (), (), (0, 0)))
    if reproduces_another_program(metric):
        assert set(found.values()) == {0.0}
    else:
        assert all(math.isnan(value) for value in found.values())


@every_variant
def test_identical_texts_and_extracts_have_the_best_value(spelling):
    metric = METRICS.build(spelling)
    text = "Ferry services resume on Monday.\nThe pier in Port Tarrow was mended."
    found = one(metric, complete(text, text, text, (0, 1), (0, 1)))
    if getattr(metric, "limit", None):
        assert found["precision"] == 1.0  # A part of the text is compared with all of it.
    elif not (reproduces_another_program(metric) and metric.name == "rouge_w"):
        assert found[metric.headline] == 1.0  # The original's W does not give 1 here.
