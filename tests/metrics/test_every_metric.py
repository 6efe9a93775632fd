"""What holds for all metrics; a new one is tested here by being registered."""

import math
import pickle

import msgspec
import numpy as np
import pytest
from comparisons import one, scores
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import comparisons

from summetry import spec
from summetry.engine.chunks import score_chunk
from summetry.engine.plan import Item, ItemChunk
from summetry.metrics import FAMILIES, METRICS, Needs
from summetry.metrics.graphs.ngram_graphs import npower
from summetry.metrics.rouge.texts import Rouge155
from summetry.records.batches import Comparison, Material, Side
from summetry.records.judgments import Utilities
from summetry.records.pyramids import PeerScu, Pyramid, Scu
from summetry.records.scores import Row
from summetry.records.summaries import Extract

# Settings that take another way through the code than the defaults. A new metric is tried with
# its defaults; its own tests try its options.
VARIANTS = """
rouge_n | n=2,references=best | length=4words,references=mean | text=rouge155(stem=true,stop=true)
rouge_n | n=2,length=20bytes,text=rouge155
rouge_l | references=mean | level=text,alpha=0.2 | length=12bytes,text=rouge155
rouge_w | weight=1.5 | references=mean,text=rouge155
rouge_s | gap=1
rouge_su | gap=-1,references=best | text=rouge155
coselection | beta=2 | against=references | against=references,references=best
coselection | against=majority | weights=words
coselection | against=references,weights=words,text=en(stop=true)
cosine | weights=binary | weights=tf_isf | against=source | against=source,weights=tf_isf
cosine | references=best,text=en(stop=true,stem=true)
unit_overlap | n=2 | references=best,text=auto(tokens=characters) | text=en(lemma=true)
keywords | n=3 | n=2,against=references,text=en(stop=true,stem=true)
keywords | against=references,references=best,text=auto
js_divergence | delta=0 | against=references,references=best
js_divergence | against=references,text=en(stop=true,stem=true)
kl_divergence | delta=0.5 | against=references,references=best
autosummeng | min_n=2,max_n=4,rank_weights=jinsect | directed=true,window=2
autosummeng | weights=distance,text=raw(characters=utf16) | min_n=1,max_n=2,text=en(stem=true)
memog | merging=mean | merging=ones,min_n=1,max_n=2,text=auto | directed=true,max_n=4
npower | tool=true | min_n=2,weights=distance
hpg | theta=0.6 | n=1,window=1.5,levels=3,theta=1,references=best
hpg | theta=0.8,text=raw(characters=utf16) | n=1,text=en(stem=true)
accy | references=best | against=references,order=given
nrst_accy | criterion=distance | level=words,text=en(stem=true)
ngram_precision | n=2 | against=references,order=given,level=words
sum_accy | criterion=accuracy | against=references,order=given | level=words
wsum_accy | boundaries=true | criterion=accuracy,against=references | level=words,order=given
lcs | references=best | text=en(stem=true)
relative_utility | length=2
normalised_relative_utility | length=2
rank_correlation | references=best | against=references
compression | unit=sentences | unit=characters
retention | information=votes | information=utilities | information=scus | text=en(stop=true)
pyramid | score=modified | score=modified,rounding=fractional | score=modified,rounding=floor
pyramid | repeats=true | marks=mean
scu_recall | weights=pyramid
units | by=vectors | threshold=0.3,support=0.5,text=auto
length | unit=sentences | unit=characters
repeated_ngrams | n=1 | n=2,text=en(stop=true,stem=true)
redundancy | text=en(stem=true)
pronoun_starts | text=sv
lsa_main_topic | against=references | local=LO,scope=EN,en=printed
lsa_main_topic | local=AU,scope=GF,au_absent=half,text=auto(tokens=characters)
lsa_main_topic | against=references,scope=ISF,log=2,global_from=reference,references=best
lsa_term_significance | against=references,local=FQ,scope=EN
lsa_term_significance | rounding=floor,summary_r=all,text=auto
lsa_term_significance | rounding=ceil,summary_r=percent,local=AU,scope=EN,global_from=reference
greedy_match | references=mean | against=source
embedding_cosine | against=source,references=mean
combination | of=[rouge_n(n=2).recall,lcs.f],weights=[0.25,0.75]
combination | of=[js_divergence,cosine(references=best)],weights=[-1,2],constant=-1
combination | of=[lcs.recall,lcs.precision,coselection.f]
"""
# What a topic may lack while another has it.
ABSENT = {"source": "", "extracts": (), "utilities": (), "pyramids": ()}
SPELLINGS = {name: [name] for name in METRICS.names()}
for line in VARIANTS.strip().splitlines():
    name, *variants = line.split(" | ")
    SPELLINGS[name] += [f"{name}({options})" for options in variants]


def directed(name):
    """The variants of a metric of which more, or less, is better; a length is neither."""
    variants = map(METRICS.build, SPELLINGS[name])
    return [metric for metric in variants if metric.better[metric.headline] != "neither"]


every_metric = pytest.mark.parametrize("name", SPELLINGS)
few = settings(max_examples=8)
# Random comparisons take time: each of them is tried with one spelling of a metric.
choices = st.integers(0, 2**16)


def spelling_of(name, choice):
    return SPELLINGS[name][choice % len(SPELLINGS[name])]


def chosen(name, choice):
    return METRICS.build(spelling_of(name, choice))


def same(a, b):
    """Equal to the last bit, NaN with NaN."""
    return {n: repr(v) for n, v in a.items()} == {n: repr(v) for n, v in b.items()}


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


@every_metric
def test_its_spelling_builds_it_again(name):
    for metric in map(METRICS.build, SPELLINGS[name]):
        assert METRICS.build(spec.show(metric)) == metric
        assert pickle.loads(pickle.dumps(metric)) == metric


@every_metric
@few
@given(choice=choices, comparison=comparisons)
def test_the_order_of_references_informants_and_judges_changes_no_bit(name, choice, comparison):
    metric = chosen(name, choice)
    material = comparison.material
    turned = {part: getattr(material, part)[::-1] for part in ("extracts", "utilities")}
    # The i-th graph is merged with the factor 1/i, so that a little depends on the order.
    merges_in_order = metric.name == "npower" or getattr(metric, "merging", "mean") != "mean"
    references = comparison.references[:: 1 if merges_in_order else -1]
    material = msgspec.structs.replace(material, **turned)
    other_order = Comparison(material, comparison.candidate, references)
    assert same(one(metric, comparison), one(metric, other_order))


@every_metric
@few
@given(choice=choices, three=st.tuples(comparisons, comparisons, comparisons))
def test_values_are_named_within_bounds_and_the_same_alone_and_in_a_batch(name, choice, three):
    metric = chosen(name, choice)
    low, high = metric.bounds
    together = scores(metric, *three)
    assert tuple(together) == metric.values
    for numbers in together.values():
        assert numbers.shape == (3,)
        assert all(math.isnan(v) or low <= v <= high + 1e-12 for v in numbers)
    for place, comparison in enumerate(three):
        in_batch = {name: float(numbers[place]) for name, numbers in together.items()}
        assert same(one(metric, comparison), in_batch)


def score_items(metrics, *compared):
    """The values of each comparison, all of them scored by the engine in one chunk."""
    rows = [Row("no_models", str(i), "candidate", "candidate") for i in range(len(compared))]
    items = [Item(row, (comparison,)) for row, comparison in zip(rows, compared, strict=True)]
    return score_chunk(ItemChunk(items), metrics).data


# All metrics at once: the engine reads the texts for all of them in the time that it takes for one.
@settings(max_examples=3)
@given(choice=choices, first=comparisons, second=comparisons)
def test_neither_the_size_of_a_chunk_nor_what_another_topic_lacks_changes_a_bit(
    choice, first, second
):
    metrics = [chosen(name, choice) for name in SPELLINGS]
    (alone,), (other,) = score_items(metrics, first), score_items(metrics, second)
    assert_same_bits(metrics, score_items(metrics, first, second, first), [alone, other, alone])
    for part, absent in ABSENT.items():
        bare = msgspec.structs.replace(second.material, **{part: absent})
        lacking = Comparison(bare, second.candidate, second.references)
        assert_same_bits(metrics, score_items(metrics, first, lacking)[:1], [alone])


def assert_same_bits(metrics, rows, expected):
    differ = (np.ascontiguousarray(rows).view(np.int64) != np.array(expected).view(np.int64)).any(0)
    names = [f"{spec.show(metric)}.{value}" for metric in metrics for value in metric.values]
    assert not np.array(names)[differ].tolist()


@every_metric
@few
@given(choice=choices, comparison=comparisons)
def test_an_explanation_gives_the_value_again_and_points_at_what_matched(name, choice, comparison):
    metric = chosen(name, choice)
    explained = metric.explain(comparison)
    assert explained.values == pytest.approx(one(metric, comparison), nan_ok=True)
    parts = [recompute(part) for part in explained.parts]
    for value in metric.values:
        defined = [part[value] for part in parts if not math.isnan(part[value])]
        if not defined:
            assert math.isnan(explained.values[value])
            continue
        best = min if metric.better[value] == "lower" else max
        mean = math.fsum(defined) / len(defined)
        expected = best(defined) if explained.over == "best" else mean
        assert explained.values[value] == pytest.approx(expected, abs=1e-12)
    texts = [side.text for side in comparison.references] + [comparison.material.source]
    for match in (match for part in explained.parts for match in part.matches):
        assert all(comparison.candidate.text[a:b].strip() for a, b in match.candidate)
        assert all(any(text[a:b].strip() for text in texts) for a, b in match.reference)
    facts = {fact for part in explained.parts for fact in part.facts}
    assert set(explained.terms) == facts, "every fact has a meaning in words"
    for part in explained.parts:
        matched = {(text, span) for match in part.matches for text, span in places_in(match)}
        missed = {(text, span) for match in part.missed for text, span in places_in(match)}
        assert not matched & missed


def places_in(match):
    """The places of a match in the reference, each with the text that it is in."""
    return zip(match.texts or [""] * len(match.reference), match.reference, strict=True)


def recompute(part):
    """The values of a part from its facts; what matched, or was found, must add up to it."""
    for fact in {"matched", "found"} & part.facts.keys():
        assert math.fsum(m.weight for m in part.matches) == pytest.approx(part.facts[fact])
    known = {**part.facts, "undefined": math.nan, "round": round}
    return {n: float(eval(f, {"__builtins__": {}}, known)) for n, f in part.formulas.items()}


def reproduces_another_program(metric):
    """Where we follow another program to the last quirk, its values stand."""
    return isinstance(getattr(metric, "text", None), Rouge155) or metric.family == "graphs"


def fitted(metric, value):
    """NPowER is a line fitted to people's marks: it begins above 0 and ends below 1."""
    return npower(value, value) if metric.name == "npower" else value


# The accuracies of Hori et al. are per cent, without a lowest value.
PER_CENT = (-math.inf, 100.0)
# 0 is what chance gives: no lowest value, and none at all where chance takes every unit.
AGAINST_CHANCE = "normalised_relative_utility"


def complete(candidate, reference, source, units=(), extract=(), utilities=(2, 1)):
    """A comparison in which everything that a metric can ask for is there, though maybe empty."""
    scus = (Scu("1", reference, 2),) if reference else ()
    said = {"candidate": (PeerScu("1"),) if candidate else ()}
    material = Material(
        "t", "en", source, tuple(source.splitlines()), extracts=(Extract("t", "p", extract),),
        utilities=tuple(Utilities("t", judge, utilities) for judge in "jk"),
        majority=extract, pyramids=(Pyramid("t", scus, said),),
    )  # fmt: skip
    references = (Side("m", reference, extract),)
    return Comparison(material, Side("candidate", candidate, units), references)


@every_metric
def test_an_empty_candidate_has_the_worst_value(name):
    for metric in directed(name):
        values = one(metric, complete("", "some words here", "some words\nhere", (), (0, 1)))
        worst = metric.bounds[1] if metric.better[metric.headline] == "lower" else metric.bounds[0]
        # Accuracy falls below 0 by what is wrong in a candidate: nothing, in an empty one.
        worst = 0.0 if metric.bounds == PER_CENT else worst
        if name == AGAINST_CHANCE:
            worst = math.nan if metric.e == 2 else 0.0
        assert values[metric.headline] == pytest.approx(fitted(metric, worst), nan_ok=True, abs=0)


@every_metric
@pytest.mark.parametrize(("candidate", "units"), [("some words here", (0,)), ("", ())])
def test_an_empty_reference_leaves_every_value_undefined(name, candidate, units):
    for metric in map(METRICS.build, SPELLINGS[name]):
        # An indicator looks at the summary alone.
        if metric.needs:
            values = one(metric, complete(candidate, "", "", units, (), (0, 0)))
            if reproduces_another_program(metric):
                assert set(values.values()) <= {0.0, fitted(metric, 0.0)}
            else:
                assert all(math.isnan(value) for value in values.values())


@every_metric
def test_identical_texts_and_extracts_have_the_best_value(name):
    text = "Ferry services resume on Monday.\nThe pier in Port Tarrow was mended."
    for metric in directed(name):
        values = one(metric, complete(text, text, text, (0, 1), (0, 1)))
        if name == AGAINST_CHANCE:
            assert math.isnan(values["value"])
        elif getattr(metric, "limit", None):
            assert values["precision"] == 1.0  # A part of the text is compared with all of it.
        elif not (reproduces_another_program(metric) and name == "rouge_w"):
            best = 0.0 if metric.better[metric.headline] == "lower" else 1.0
            best = 100.0 if metric.bounds == PER_CENT else best
            # The original's W does not give 1 here.
            assert values[metric.headline] == fitted(metric, best)
