"""What holds for all metrics; a new one is tested here by being registered."""

import math
import pickle

import msgspec
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
VARIANTS = [
    "rouge_n(n=2,references=best)",
    "rouge_n(length=4words,references=mean)",
    "rouge_n(text=rouge155(stem=true,stop=true))",
    "rouge_n(n=2,length=20bytes,text=rouge155)",
    "rouge_l(references=mean)",
    "rouge_l(level=text,alpha=0.2)",
    "rouge_l(length=12bytes,text=rouge155)",
    "rouge_w(weight=1.5)",
    "rouge_w(references=mean,text=rouge155)",
    "rouge_s(gap=1)",
    "rouge_su(gap=-1,references=best)",
    "rouge_su(text=rouge155)",
    "coselection(beta=2)",
    "coselection(against=references)",
    "coselection(against=references,references=best)",
    "coselection(against=majority)",
    "coselection(weights=words)",
    "coselection(against=references,weights=words,text=en(stop=true))",
    "cosine(weights=binary)",
    "cosine(weights=tf_isf)",
    "cosine(against=source)",
    "cosine(against=source,weights=tf_isf)",
    "cosine(references=best,text=en(stop=true,stem=true))",
    "unit_overlap(n=2)",
    "unit_overlap(references=best,text=auto(tokens=characters))",
    "unit_overlap(text=en(lemma=true))",
    "keywords(n=3)",
    "keywords(n=2,against=references,text=en(stop=true,stem=true))",
    "keywords(against=references,references=best,text=auto)",
    "js_divergence(delta=0)",
    "js_divergence(against=references,references=best)",
    "js_divergence(against=references,text=en(stop=true,stem=true))",
    "kl_divergence(delta=0.5)",
    "kl_divergence(against=references,references=best)",
    "autosummeng(min_n=2,max_n=4,rank_weights=jinsect)",
    "autosummeng(directed=true,window=2)",
    "autosummeng(weights=distance,text=raw(characters=utf16))",
    "autosummeng(min_n=1,max_n=2,text=en(stem=true))",
    "memog(merging=mean)",
    "memog(merging=ones,min_n=1,max_n=2,text=auto)",
    "memog(directed=true,max_n=4)",
    "npower(tool=true)",
    "npower(min_n=2,weights=distance)",
    "hpg(theta=0.6)",
    "hpg(n=1,window=1.5,levels=3,theta=1,references=best)",
    "hpg(theta=0.8,text=raw(characters=utf16))",
    "hpg(n=1,text=en(stem=true))",
    "accy(references=best)",
    "accy(against=references,order=given)",
    "nrst_accy(criterion=distance)",
    "nrst_accy(level=words,text=en(stem=true))",
    "ngram_precision(n=2)",
    "ngram_precision(against=references,order=given,level=words)",
    "sum_accy(criterion=accuracy)",
    "sum_accy(against=references,order=given)",
    "sum_accy(level=words)",
    "wsum_accy(boundaries=true)",
    "wsum_accy(criterion=accuracy,against=references)",
    "wsum_accy(level=words,order=given)",
    "lcs(references=best)",
    "lcs(text=en(stem=true))",
    "relative_utility(length=2)",
    "normalised_relative_utility(length=2)",
    "rank_correlation(references=best)",
    "rank_correlation(against=references)",
    "compression(unit=sentences)",
    "compression(unit=characters)",
    "retention(information=votes)",
    "retention(information=utilities)",
    "retention(information=scus)",
    "retention(text=en(stop=true))",
    "pyramid(score=modified)",
    "pyramid(score=modified,rounding=fractional)",
    "pyramid(score=modified,rounding=floor)",
    "pyramid(repeats=true)",
    "scu_recall(weights=pyramid)",
    "units(by=vectors)",
    "units(threshold=0.3,support=0.5,text=auto)",
    "length(unit=sentences)",
    "length(unit=characters)",
    "repeated_ngrams(n=1)",
    "repeated_ngrams(n=2,text=en(stop=true,stem=true))",
    "redundancy(text=en(stem=true))",
    "pronoun_starts(text=sv)",
    "lsa_main_topic(against=references)",
    "lsa_main_topic(local=LO,scope=EN,en=printed)",
    "lsa_main_topic(local=AU,scope=GF,au_absent=half,text=auto(tokens=characters))",
    "lsa_main_topic(against=references,scope=ISF,log=2,global_from=reference,references=best)",
    "lsa_term_significance(against=references,local=FQ,scope=EN)",
    "lsa_term_significance(rounding=floor,summary_r=all,text=auto)",
    "lsa_term_significance(rounding=ceil,summary_r=percent,local=AU,scope=EN,global_from=reference)",
    "greedy_match(references=mean)",
    "greedy_match(against=source)",
    "embedding_cosine(against=source,references=mean)",
    "combination(of=[rouge_n(n=2).recall,lcs.f],weights=[0.25,0.75])",
    "combination(of=[js_divergence,cosine(references=best)],weights=[-1,2],constant=-1)",
    "combination(of=[lcs.recall,lcs.precision,coselection.f])",
]
# What a topic may lack while another has it.
ABSENT = {"source": "", "extracts": (), "utilities": (), "pyramid": None}
SPELLINGS = {name: [name] for name in METRICS.names()}
for variant in VARIANTS:
    SPELLINGS[spec.parse(variant).name].append(variant)

every_metric = pytest.mark.parametrize("name", SPELLINGS)
# For what takes hardly any time.
every_spelling = pytest.mark.parametrize(
    "spelling", [s for some in SPELLINGS.values() for s in some]
)


def has_direction(spelling):
    """Whether more, or less, of it is better; a length, say, is neither good nor bad."""
    metric = METRICS.build(spelling)
    return metric.better[metric.headline] != "neither"


every_directed_spelling = pytest.mark.parametrize(
    "spelling", [s for some in SPELLINGS.values() for s in some if has_direction(s)]
)
# An indicator looks at the summary alone.
every_comparing_spelling = pytest.mark.parametrize(
    "spelling", [s for some in SPELLINGS.values() for s in some if METRICS.build(s).needs]
)
# Random comparisons take time: each of them is tried with one spelling of a metric.
few = settings(max_examples=25)
# Through the engine they take most; what a batch does is tried without it.
very_few = settings(max_examples=7)
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


@every_spelling
def test_its_spelling_builds_it_again(spelling):
    metric = METRICS.build(spelling)
    assert METRICS.build(spec.show(metric)) == metric
    assert pickle.loads(pickle.dumps(metric)) == metric


@every_metric
@few
@given(choice=choices, comparison=comparisons)
def test_the_order_of_references_informants_and_judges_changes_no_bit(name, choice, comparison):
    metric = chosen(name, choice)
    material = msgspec.structs.replace(
        comparison.material,
        extracts=comparison.material.extracts[::-1],
        utilities=comparison.material.utilities[::-1],
    )
    references = comparison.references
    if not merges_in_order(metric):
        references = references[::-1]
    other_order = Comparison(material, comparison.candidate, references)
    assert same(one(metric, comparison), one(metric, other_order))


@every_metric
@few
@given(choice=choices, first=comparisons, second=comparisons, third=comparisons)
def test_values_are_named_within_bounds_and_the_same_alone_and_in_a_batch(
    name, choice, first, second, third
):
    metric = chosen(name, choice)
    low, high = metric.bounds
    together = scores(metric, first, second, third)
    assert tuple(together) == metric.values
    for numbers in together.values():
        assert numbers.shape == (3,)
        assert all(math.isnan(v) or low <= v <= high + 1e-12 for v in numbers)
    for place, comparison in enumerate((first, second, third)):
        in_batch = {name: float(numbers[place]) for name, numbers in together.items()}
        assert same(one(metric, comparison), in_batch)


def score_items(spelling, *compared):
    """The bytes of each comparison's values, all of them scored by the engine in one chunk."""
    items = [
        Item(Row("no_models", str(i), "candidate", "candidate"), (comparison,))
        for i, comparison in enumerate(compared)
    ]
    data = score_chunk(ItemChunk(items), [METRICS.build(spelling)]).data
    return [row.tobytes() for row in data]


@every_metric
@very_few
@given(choice=choices, first=comparisons, second=comparisons)
def test_neither_the_size_of_a_chunk_nor_what_another_topic_lacks_changes_a_bit(
    name, choice, first, second
):
    spelling = spelling_of(name, choice)
    (alone,), (other,) = score_items(spelling, first), score_items(spelling, second)
    assert score_items(spelling, first, second, first) == [alone, other, alone]
    for part, absent in ABSENT.items():
        bare = msgspec.structs.replace(second.material, **{part: absent})
        lacking = Comparison(bare, second.candidate, second.references)
        assert score_items(spelling, first, lacking)[0] == alone, part


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


def merges_in_order(metric):
    """The i-th graph is merged with the factor 1/i, so that a little depends on the order."""
    return metric.name == "npower" or getattr(metric, "merging", "mean") != "mean"


def in_per_cent(metric):
    """The accuracies of Hori et al. are per cent, without a lowest value."""
    return metric.bounds == (-math.inf, 100.0)


def fitted(metric, value):
    """NPowER is a line fitted to people's marks: it begins above 0 and ends below 1."""
    return npower(value, value) if metric.name == "npower" else value


def against_chance(metric):
    """0 is what chance gives: no lowest value, and none at all where chance takes every unit."""
    return metric.name == "normalised_relative_utility"


def complete(candidate, reference, source, units=(), extract=(), utilities=(2, 1)):
    """A comparison in which everything that a metric can ask for is there, though maybe empty."""
    material = Material(
        "t",
        "en",
        source,
        tuple(source.splitlines()),
        extracts=(Extract("t", "p", extract),),
        utilities=(Utilities("t", "j", utilities), Utilities("t", "k", utilities)),
        majority=extract,
        pyramid=Pyramid(
            "t",
            (Scu("1", reference, 2),) if reference else (),
            {"candidate": (PeerScu("1"),) if candidate else ()},
        ),
    )
    return Comparison(
        material, Side("candidate", candidate, units), (Side("m", reference, extract),)
    )


@every_directed_spelling
def test_an_empty_candidate_has_the_worst_value(spelling):
    metric = METRICS.build(spelling)
    values = one(metric, complete("", "some words here", "some words\nhere", (), (0, 1)))
    if against_chance(metric):
        assert math.isnan(values["value"]) if metric.e == 2 else values["value"] == 0.0
        return
    worst = metric.bounds[1] if metric.better[metric.headline] == "lower" else metric.bounds[0]
    # Accuracy falls below 0 by what is wrong in a candidate: nothing, in an empty one.
    worst = 0.0 if in_per_cent(metric) else worst
    assert values[metric.headline] == fitted(metric, worst)


@every_comparing_spelling
@pytest.mark.parametrize(("candidate", "units"), [("some words here", (0,)), ("", ())])
def test_an_empty_reference_leaves_every_value_undefined(spelling, candidate, units):
    metric = METRICS.build(spelling)
    values = one(metric, complete(candidate, "", "", units, (), (0, 0)))
    if reproduces_another_program(metric):
        assert set(values.values()) <= {0.0, fitted(metric, 0.0)}
    else:
        assert all(math.isnan(value) for value in values.values())


@every_directed_spelling
def test_identical_texts_and_extracts_have_the_best_value(spelling):
    metric = METRICS.build(spelling)
    text = "Ferry services resume on Monday.\nThe pier in Port Tarrow was mended."
    values = one(metric, complete(text, text, text, (0, 1), (0, 1)))
    if against_chance(metric):
        assert math.isnan(values["value"])
    elif getattr(metric, "limit", None):
        assert values["precision"] == 1.0  # A part of the text is compared with all of it.
    elif not (reproduces_another_program(metric) and metric.name == "rouge_w"):
        best = 0.0 if metric.better[metric.headline] == "lower" else 1.0
        best = 100.0 if in_per_cent(metric) else best
        # The original's W does not give 1 here.
        assert values[metric.headline] == fitted(metric, best)
