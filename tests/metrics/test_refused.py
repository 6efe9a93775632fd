"""What metrics refuse: options, arguments of their plain functions, calls that lack a text."""

import math
from itertools import product

import pytest

import summetry
from summetry.errors import NeedsError, SummetryError
from summetry.metrics import METRICS
from summetry.metrics.combination import combination
from summetry.metrics.cosine import cosine
from summetry.metrics.graphs.hpg import level_graphs
from summetry.metrics.graphs.ngram_graphs import autosummeng, memog, ngram_graphs, rank_weights
from summetry.metrics.graphs.operators import merged, update
from summetry.metrics.graphs.proximity import proximity_graph
from summetry.metrics.graphs.similarity import similarities
from summetry.metrics.js_divergence import kl_divergence
from summetry.metrics.networks.accuracy import ngram_precision
from summetry.metrics.networks.sum_accy import sum_accy
from summetry.metrics.normalised_relative_utility import normalised_relative_utility
from summetry.metrics.pyramid.pyramid_metrics import pyramid_scores
from summetry.metrics.relative_utility import relative_utility

# A spelling and words of the message; then what {0}, {1} in them stand for, each with each.
OPTIONS = """
combination(weights=[1,2]) | weights go with of, the values that they are for
combination(of=[cosine,lcs.f],weights=[1]) | got 1 weights for 2 values
combination(of=[cosine],weights=[1,2]) | got 2 weights for 1 values
combination(of=[cosine,cosine.value]) | of has cosine twice; give it one weight
combination(of=[cosine,lcs.f],weights=[1,0]) | the weight of lcs.f is 0; leave lcs.f
combination(of=[cosine],{0}) | weights must be finite numbers, got inf | weights=[inf] constant=inf
combination(of=[cosin]) | no metric is named 'cosin'. Did you mean 'cosine'?
combination(of=[lcs.ff]) | lcs has no value 'ff'; its values: length, recall
combination(of=[3]) | of: expected metrics such as rouge_n
combination(of=[cosine],weights=[a]) | combination: weights must be a number, got 'a'
combination(off=[cosine]) | combination has no option 'off'. Did you mean 'of'?
unit_overlap(n=0) | n must be 1 or more, got 0
coselection(beta={0}) | beta must be 0 or more and finite, got {0} | -1 inf
coselection(beta=1e200) | beta must be 1e+100 or less, got 1e+200
greedy_match(encoder=torch) | no encoder is named 'torch'
greedy_match(encoder=3) | encoder must be an encoder such as folder
{0}_divergence(delta={1}) | must be 0 or from 1e-100 to 1e+100, got {1} | js kl | -1 inf 1e+200
{0}_divergence(delta=1e-320) | {0}_divergence: delta must be 0 or from 1e-100 to 1e+100 | js kl
kl_divergence(delta=0) | kl_divergence: delta must be above 0, got 0
keywords(n={0}) | keywords: n must be from 1 to 1,000,000,000, got {0} | 0 -3 1000000001
keywords(n={0}) | to 1,000,000,000, got {0} | 1000000000000000000000000000000
{0}(length=0) | a length must be above 0, got 0 units | relative_utility normalised_relative_utility
relative_utility(length="9 words") | relative_utility: length must be in sentences, got 9
autosummeng(min_n=0) | autosummeng: 1 <= min_n <= max_n is needed, got 0 and 3
memog(min_n=4) | memog: 1 <= min_n <= max_n is needed, got 4 and 3
memog(max_n=101) | memog: max_n must be 100 or less, got 101
npower(window=0) | npower: window must be 1 or more, got 0
npower(tool=true,text=auto) | tool=true reads text in its own way; leave text= out
memog(merging=median) | merging must be one of update, ones, mean
hpg({0}=0) | hpg: {0} must be 1 or more, got 0 | n levels
hpg(levels=101) | hpg: levels must be 100 or less, got 101
hpg(window=0.5) | hpg: window must be 1 or more, got 0.5
hpg(window=inf) | hpg: window must be 1 or more, and finite, got inf
hpg(theta={0}) | hpg: theta must be above 0 and at most 1, got {0} | 0.0 1.1
hpg(characters=utf16) | hpg has no option 'characters'
repeated_ngrams(n={0}) | n must be 1 to 100, got {0} | 0 -1 101
pronoun_starts(text={0}) | pronoun_starts: text names the lang | en(stop=true) auto(stem=true) raw
{0}(local=TF) | {0}: local must be one of FQ, BI, AU, LO | lsa_main_topic lsa_term_significance
{0}(scope=idf) | one of NW, ISF, GF, EN or none | lsa_main_topic lsa_term_significance
{0}(log=3) | log must be one of e, 2, 10 | lsa_main_topic lsa_term_significance
ngram_precision(n=0) | ngram_precision: n must be 1 or more, got 0
units(threshold={0}) | units: threshold must be above 0 and at most 1, got {0} | 0 1.5
units(support=-1) | units: support must be above 0 and at most 1, got -1
units(by=words) | by must be one of
rouge_n(n=0) | rouge_n: n must be 1 or more, got 0
rouge_n(alpha=1.5) | rouge_n: alpha must be between 0 and 1, got 1.5
rouge_l(length={0}) | must be in words or bytes, such as '100 words', got {0} | 3 30%
rouge_s(length=0words) | a length must be above 0, got 0 words
rouge_s(length=many) | cannot read the length 'many': write 3 sentences, 100 words
rouge_su(gap=-2) | rouge_su: gap must be 0 or more, or -1 for any number, got -2
rouge_w(weight=0) | rouge_w: weight must be above 0, got 0
rouge_w(weight=0.5) | rouge_w: weight must be 1 or more, got 0.5: a run is worth no
rouge_l(level=sentence) | must be one of summary, text, got 'sentence'
rouge-10 | no metric is named 'rouge-10'
"""


@pytest.mark.parametrize("case", OPTIONS.strip().splitlines())
def test_options_that_cannot_be_are_named(case):
    spelling, words, *choices = case.split(" | ")
    for values in product(*map(str.split, choices)):
        with pytest.raises(SummetryError) as raised:
            METRICS.build(spelling.format(*values))
        assert words.format(*values) in str(raised.value)


A, B = ngram_graphs(["abcd", "bcde"])
(DIRECTED,) = ngram_graphs(["abcd"], directed=True)


@pytest.mark.parametrize(("function", "arguments", "words"), [
    (combination, ([1, 2], [1]), "got 1 weights for 2 values"),
    (cosine, ([1], [1, 2]), "two vectors of one length are needed, got 1 and 2"),
    (kl_divergence, (["a"], ["b"], 0), "kl_divergence: delta must be above 0, got 0"),
    (relative_utility, ([[1, -2]], [0]), "utilities must be 0 or more, got -2"),
    (relative_utility, ([[1, 2], [1]], [0]), "must value every unit, got 2, 1 values"),
    (normalised_relative_utility, ([[1, -2], [1, 2]], [0]), "must be 0 or more, got -2"),
    (ngram_precision, ([1], [[1]], -1), "n must be 1 or more, got -1"),
    *((pyramid_scores, ({"a": weight}, 1, ["a"]), f"finite, got {weight} for the SCU 'a'")
      for weight in (-1, math.inf, math.nan)),
    (sum_accy, ([0], []), "a network needs one reference or more, found none"),
    (sum_accy, ([0], [[0], []]), "reference in a network must have units, found an empty one"),
    (sum_accy, ([0], [[2, 1]]), "in source order, each once and from 0 up, found [2, 1]; sort"),
    (sum_accy, ([0], [[1, 1]]), "each once and from 0 up, found [1, 1]"),
    (sum_accy, ([0], [[-1, 1]]), "from 0 up, found [-1, 1]"),
    (level_graphs, (["a", "b", "c"],), "1 text or of 2 that are compared, got 3"),
    (level_graphs, (["abcd"], 0), "levels must be 1 or more, got 0"),
    (rank_weights, (2, 4, "java"), "are those of paper or jinsect, got 'java'"),
    (similarities, (A, DIRECTED), "only with its like"),
    (merged, ([A, DIRECTED], "mean"), "only with its like"),
    (merged, ([A], "median"), "one of update, ones, mean, got 'median'"),
    (update, (A, B, 1.5), "learning factor is from 0 to 1, got 1.5"),
    (update, (A, B, 0.5, 0), "weight of a new edge must be above 0, got 0"),
    (ngram_graphs, (["abcd"], 3, 0), "window of a graph must be 1 or more, got 0"),
    (ngram_graphs, (["abcd"], 3, 3, False, "often"), "are occurrences or distance, got 'often"),
    (ngram_graphs, (["abcd"], 0), "1 token long or more, got 0"),
    (ngram_graphs, (["abcd"], 101), "100 tokens long or less, got 101"),
    (ngram_graphs, ("abcd",), "texts must be a list, got a string; write ['abcd']"),
    (ngram_graphs, (["abcd", 5],), "texts: a text must be a string, got a int"),
    (proximity_graph, ("a" * 10**6, 10**5), "1,000,000 symbols with 100,000 neighbours each"),
    *((metric, texts, words) for metric in (autosummeng, memog) for texts, words in (
        (("abcd", "abcd"), "references must be a list, got a string; write ['abc"),
        (("abcd", ["abcd", 5]), "references: a text must be a string, got a int"),
        ((None, ["abcd"]), "candidate: a text must be a string, got a NoneType"),
    )),
])  # fmt: skip
def test_arguments_that_cannot_be_are_named(function, arguments, words):
    with pytest.raises(SummetryError) as raised:
        function(*arguments)
    assert words in str(raised.value)


LANGUAGE = "needs to know the language of each text"


@pytest.mark.parametrize(("spelling", "texts", "words"), [
    ("cosine(against=source)", {}, "the source"),
    ("compression", {}, "compression needs the source, which the call does not have; what "
     "would give it: the argument sources"),
    ("combination(of=[retention.retention,cosine])", {}, "needs the source, which the call "
     "does not have"),
    ("keywords", {"sources": "a"}, LANGUAGE),
    ("lsa_main_topic", {"sources": "Fog.", "language": ""}, LANGUAGE),
    ("lsa_term_significance", {"sources": "Fog.", "language": ""}, LANGUAGE),
    ("pronoun_starts", {"language": "fi"}, "no list of pronouns for the language 'fi'; lang"),
])  # fmt: skip
def test_what_a_call_lacks_is_named(spelling, texts, words):
    with pytest.raises(SummetryError) as raised:
        summetry.score("a b", ["b"], metrics=[spelling], **texts)
    assert words in str(raised.value)
    assert isinstance(raised.value, NeedsError) == ("source" in words)
