"""What metrics refuse: options, arguments of their plain functions, calls that lack a text."""

import math

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

# A spelling, and words of the message.
OPTIONS = """
combination(weights=[1,2]) | weights go with of, the values that they are for
combination(of=[cosine,lcs.f],weights=[1]) | got 1 weights for 2 values
combination(of=[cosine],weights=[1,2]) | got 2 weights for 1 values
combination(of=[cosine,cosine.value]) | of has cosine twice; give it one weight
combination(of=[cosine,lcs.f],weights=[1,0]) | the weight of lcs.f is 0; leave lcs.f
combination(of=[cosine],weights=[inf]) | weights must be finite numbers, got inf
combination(of=[cosine],constant=inf) | weights must be finite numbers, got inf
combination(of=[cosin]) | no metric is named 'cosin'. Did you mean 'cosine'?
combination(of=[lcs.ff]) | lcs has no value 'ff'; its values: length, recall
combination(of=[3]) | of: expected metrics such as rouge_n
combination(of=[cosine],weights=[a]) | combination: weights must be a number, got 'a'
combination(off=[cosine]) | combination has no option 'off'. Did you mean 'of'?
unit_overlap(n=0) | n must be 1 or more, got 0
coselection(beta=-1) | beta must be 0 or more and finite, got
coselection(beta=inf) | finite, got inf
coselection(beta=1e200) | beta must be 1e+100 or less, got 1e+200
greedy_match(encoder=torch) | no encoder is named 'torch'
greedy_match(encoder=3) | encoder must be an encoder such as folder
js_divergence(delta=-1) | js_divergence: delta must be 0 or from 1e-100 to 1e+100, got -1
js_divergence(delta=inf) | js_divergence: delta must be 0 or from 1e-100 to 1e+100, got inf
js_divergence(delta=1e200) | js_divergence: delta must be 0 or from 1e-100 to 1e+100, got 1e+200
js_divergence(delta=1e-320) | js_divergence: delta must be 0 or from 1e-100 to 1e+100, got 9.99
kl_divergence(delta=-1) | kl_divergence: delta must be 0 or from 1e-100 to 1e+100, got -1
kl_divergence(delta=inf) | kl_divergence: delta must be 0 or from 1e-100 to 1e+100, got inf
kl_divergence(delta=1e200) | kl_divergence: delta must be 0 or from 1e-100 to 1e+100, got 1e+200
kl_divergence(delta=1e-320) | kl_divergence: delta must be 0 or from 1e-100 to 1e+100, got 9.99
kl_divergence(delta=0) | kl_divergence: delta must be above 0, got 0
keywords(n=0) | keywords: n must be from 1 to 1,000,000,000, got 0
keywords(n=-3) | keywords: n must be from 1 to 1,000,000,000, got -3
keywords(n=1000000001) | keywords: n must be from 1 to 1,000,000,000, got 1000000001
relative_utility(length=0) | a length must be above 0, got 0 units
relative_utility(length="9 words") | relative_utility: length must be in sentences, got 9
normalised_relative_utility(length=0) | a length must be above 0, got 0 units
autosummeng(min_n=0) | autosummeng: 1 <= min_n <= max_n is needed, got 0 and 3
memog(min_n=4) | memog: 1 <= min_n <= max_n is needed, got 4 and 3
memog(max_n=101) | memog: max_n must be 100 or less, got 101
npower(window=0) | npower: window must be 1 or more, got 0
npower(tool=true,text=auto) | tool=true reads text in its own way; leave text= out
memog(merging=median) | merging must be one of update, ones, mean
hpg(n=0) | hpg: n must be 1 or more, got 0
hpg(levels=0) | hpg: levels must be 1 or more, got 0
hpg(levels=101) | hpg: levels must be 100 or less, got 101
hpg(window=0.5) | hpg: window must be 1 or more, got 0.5
hpg(window=inf) | hpg: window must be 1 or more, and finite, got inf
hpg(theta=0) | hpg: theta must be above 0 and at most 1, got 0.0
hpg(theta=1.1) | hpg: theta must be above 0 and at most 1, got 1.1
hpg(characters=utf16) | hpg has no option 'characters'
repeated_ngrams(n=0) | n must be 1 to 100, got 0
repeated_ngrams(n=-1) | n must be 1 to 100, got -1
repeated_ngrams(n=101) | n must be 1 to 100, got 101
pronoun_starts(text=en(stop=true)) | pronoun_starts: text names the language
pronoun_starts(text=auto(stem=true)) | pronoun_starts: text names the language
pronoun_starts(text=raw) | pronoun_starts: text names the language
lsa_main_topic(local=TF) | lsa_main_topic: local must be one of FQ, BI, AU, LO
lsa_main_topic(scope=idf) | one of NW, ISF, GF, EN or none
lsa_main_topic(log=3) | log must be one of e, 2, 10
lsa_term_significance(local=TF) | lsa_term_significance: local must be one of FQ, BI, AU, LO
lsa_term_significance(scope=idf) | one of NW, ISF, GF, EN or none
lsa_term_significance(log=3) | log must be one of e, 2, 10
ngram_precision(n=0) | ngram_precision: n must be 1 or more, got 0
units(threshold=0) | units: threshold must be above 0 and at most 1, got 0
units(threshold=1.5) | units: threshold must be above 0 and at most 1, got 1.5
units(support=-1) | units: support must be above 0 and at most 1, got -1
units(by=words) | by must be one of
rouge_n(n=0) | rouge_n: n must be 1 or more, got 0
rouge_n(alpha=1.5) | rouge_n: alpha must be between 0 and 1, got 1.5
rouge_l(length=3) | rouge_l: length must be in words or bytes, such as '100 words'
rouge_l(length=30%) | length must be in words or bytes, such as '100 words', got 30%
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
    spelling, words = case.split(" | ")
    with pytest.raises(SummetryError) as raised:
        METRICS.build(spelling)
    assert words in str(raised.value)


def test_a_number_of_keywords_that_no_memory_holds_is_refused():
    with pytest.raises(SummetryError, match=f"1,000,000,000, got {10**30}"):
        METRICS.build(f"keywords(n={10**30})")


A, B = ngram_graphs(["abcd", "bcde"])
(DIRECTED,) = ngram_graphs(["abcd"], directed=True)


@pytest.mark.parametrize(
    ("function", "arguments", "words"),
    [
        (combination, ([1, 2], [1]), "got 1 weights for 2 values"),
        (cosine, ([1], [1, 2]), "two vectors of one length are needed, got 1 and 2"),
        (kl_divergence, (["a"], ["b"], 0), "kl_divergence: delta must be above 0, got 0"),
        (relative_utility, ([[1, -2]], [0]), "utilities must be 0 or more, got -2"),
        (relative_utility, ([[1, 2], [1]], [0]), "must value every unit, got 2, 1 values"),
        (normalised_relative_utility, ([[1, -2], [1, 2]], [0]), "must be 0 or more, got -2"),
        (ngram_precision, ([1], [[1]], -1), "n must be 1 or more, got -1"),
        (pyramid_scores, ({"a": -1}, 1, ["a"]), "more and finite, got -1 for the SCU 'a'"),
        (pyramid_scores, ({"a": math.inf}, 1, ["a"]), "more and finite, got inf for the SCU 'a'"),
        (pyramid_scores, ({"a": math.nan}, 1, ["a"]), "more and finite, got nan for the SCU 'a'"),
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
        (autosummeng, ("abcd", "abcd"), "references must be a list, got a string; write ['abc"),
        (autosummeng, ("abcd", ["abcd", 5]), "references: a text must be a string, got a int"),
        (autosummeng, (None, ["abcd"]), "candidate: a text must be a string, got a NoneType"),
        (memog, ("abcd", "abcd"), "references must be a list, got a string; write ['abc"),
        (memog, ("abcd", ["abcd", 5]), "references: a text must be a string, got a int"),
        (memog, (None, ["abcd"]), "candidate: a text must be a string, got a NoneType"),
    ],
)
def test_arguments_that_cannot_be_are_named(function, arguments, words):
    with pytest.raises(SummetryError) as raised:
        function(*arguments)
    assert words in str(raised.value)


LANGUAGE = "needs to know the language of each text"


@pytest.mark.parametrize(
    ("spelling", "texts", "words"),
    [
        ("cosine(against=source)", {}, "the source"),
        ("compression", {}, "compression needs the source, which the call does not have; what "
         "would give it: the argument sources"),
        ("combination(of=[retention.retention,cosine])", {}, "needs the source, which the call "
         "does not have"),
        ("keywords", {"sources": "a"}, LANGUAGE),
        ("lsa_main_topic", {"sources": "Fog.", "language": ""}, LANGUAGE),
        ("lsa_term_significance", {"sources": "Fog.", "language": ""}, LANGUAGE),
        ("pronoun_starts", {"language": "fi"}, "no list of pronouns for the language 'fi'; lang"),
    ],
)  # fmt: skip
def test_what_a_call_lacks_is_named(spelling, texts, words):
    with pytest.raises(SummetryError) as raised:
        summetry.score("a b", ["b"], metrics=[spelling], **texts)
    assert words in str(raised.value)
    assert isinstance(raised.value, NeedsError) == ("source" in words)
