"""Every golden case of the papers' measures.

An adapter only renames arguments and results; it calls functions of ``summetry``.
"""

import math
from fractions import Fraction

import goldens
import pytest

from summetry.arrays.weighting import Weighting, weighting_matrix
from summetry.metrics.compression import compression_ratio
from summetry.metrics.coselection import coselection
from summetry.metrics.cosine import cosine, cosine_of_tokens
from summetry.metrics.keywords import keyword_overlap
from summetry.metrics.lcs import common_subsequence, edit_di
from summetry.metrics.lsa.dimensions import reduction_r, relative_significance
from summetry.metrics.lsa.lsa_metrics import main_topic_similarity, term_significance_similarity
from summetry.metrics.networks.accuracy import accy, ngram_precision, nrst_accy
from summetry.metrics.networks.network import merge
from summetry.metrics.networks.sum_accy import sum_accy
from summetry.metrics.pyramid.pyramid_metrics import pyramid_scores
from summetry.metrics.relative_utility import relative_utility
from summetry.metrics.retention import retention_ratio
from summetry.metrics.rouge.rouge_metrics import rouge_n, rouge_su
from summetry.metrics.unit_overlap import unit_overlap
from summetry.records.lengths import Length
from summetry.references.agreement import all_votes_agreement, extracts_kappa
from summetry.references.comparison import compare_extracts
from summetry.references.voting import count_votes, majority_reference, vote_order
from summetry.stats.agreement import fleiss_kappa
from summetry.stats.correlation import kendall_tau_a, kendall_tau_b, pearson, spearman
from summetry.stats.paired import paired_t_test
from summetry.stats.precision import (
    RULES,
    average_precision,
    expected_ap_random,
    macro_average_precision,
)
from summetry.summarizers import rank_by
from summetry.summarizers.baselines import in_order, longest_first
from summetry.summarizers.lsa import gong_liu, murray, steinberger_jezek, yeh
from summetry.summarizers.semdist import semdist, semdist_scores
from summetry.summarizers.simple_match import simple_match
from summetry.summarizers.tf_isf import tf_isf
from summetry.tasks.category_scores import categorization_scores
from summetry.tasks.ranking import LENGTHS, indirect_evaluation
from summetry.tasks.retrieval import relevance_correlation


def picked(result, **attributes):
    """The attributes of a result under the names of the file."""
    return {name: getattr(result, attribute) for name, attribute in attributes.items()}


def run_keywords(summary, reference, n, stop):
    result = keyword_overlap(summary, reference, n, stop)._asdict()
    words = {f"{side}_keywords": list(result.pop(side)) for side in ("summary", "reference")}
    return result | words


def run_pyramid(weights, n_models, peer):
    names = ("D_unique", "D_total", "X", "max_X", "original", "Xa_exact", "Xa", "max_Xa")
    names += ("modified", "modified_fractional")
    return dict(zip(names, pyramid_scores(weights, n_models, peer), strict=True))


def run_lcs(X, Y):  # noqa: N803
    result = common_subsequence(X, Y)
    shares = picked(result, lcs="length", R="recall", P="precision", F1="f")
    return {"edit_di": edit_di(X, Y), **shares}


def run_tf_isf(sentences, query):
    readings = ("with_query", "without_query", "plus_one")
    result = {isf: tf_isf(sentences, query, isf) for isf in readings}
    return result | {"ranking_with_query": list(rank_by(result["with_query"]).order)}


def run_semdist_score(sentences, query, thesaurus):
    result = {}
    for count in ("set", "tokens"):
        result[f"semdist_{count}"] = semdist_scores(sentences, query, thesaurus, count)
        result[f"simple_match_{count}"] = simple_match(sentences, query, count)
    for name in ("semdist", "simple_match"):
        result[f"ranking_{name}"] = list(rank_by(result[f"{name}_set"]).order)
    return result


def run_indirect_evaluation(**input):
    result = indirect_evaluation(**input)
    shares = {"selected": list(result.selected), "unique_share": result.unique_share}
    return result._asdict() | shares


def run_redundancy(limits=LENGTHS, **input):
    def shares(pool):
        summaries = (indirect_evaluation(**input, pool=pool, limit=limit) for limit in limits)
        return [summary.unique_share for summary in summaries]

    return {"unique_share_pool_null": shares(None), "unique_share_pool_30": shares(30)}


def run_paired_t_test(x, y):
    return paired_t_test(*([Fraction(value) for value in values] for values in (x, y)))._asdict()


def run_pooled(function, size):
    def run(candidate, references, **options):
        result = function(candidate, references, options[size])
        return picked(result, match="match", total="total", ROUGE="value")

    return run


def run_weighted(function):
    def run(local="BI", glob="NW", au_absent="zero", en="standard", log_base="e", **texts):
        base = log_base if log_base == "e" else int(log_base)
        weighting = Weighting(local, glob, au_absent, en, base)
        return function(**texts, weighting=weighting)._asdict()

    return run


def run_relative_significance(singular_values, total):
    result = relative_significance(singular_values, total)._asdict()
    # The file has one null for a list in which nothing is defined.
    return {n: math.nan if all(map(math.isnan, v)) else v for n, v in result.items()}


def run_reduction(sw, fw, n):
    result = {rule: reduction_r(sw, fw, n, rule) for rule in ("half_up", "floor", "ceil")}
    kept = {rule: reduction.r for rule, reduction in result.items()}
    return {"p": result["ceil"].p, "r_exact": result["ceil"].exact, **kept}


def run_macro_average_precision(sets):
    result = macro_average_precision((one["scores"], one["labels"]) for one in sets)._asdict()
    return result | {"micro_pooled": result["pooled"]}


def run_steinberger_jezek(matrix, l, r):  # noqa: E741
    scores, power1 = (steinberger_jezek(matrix, r, power) for power in (2, 1))
    selected = list(rank_by(scores).order[:l])
    return {"scores": scores, "selected": selected, "scores_power1": power1}


def run_murray(matrix, l):  # noqa: E741
    ceiled = picked(murray(matrix, l, "ceil"), quota_ceil="quota", selected_ceil="selected")
    return murray(matrix, l)._asdict() | ceiled


def run_yeh(matrix, r, threshold, d):
    result = yeh(matrix, r, Fraction(threshold), d)._asdict()
    renamed = {"A_reduced": result.pop("reduced"), "weighted_degree": result.pop("degree")}
    return result | renamed


def run_vote_order(n, extracts):
    rules = {"position": "position", "inclusion": "inclusion"}
    rules |= {"exclusion_theta0": "exclusion", "exclusion_theta1_3": "exclusion(theta=1/3)"}
    result = {name: list(vote_order(n, extracts, rule)) for name, rule in rules.items()}
    return result | {"votes": list(count_votes(n, extracts).counts)}


def run_reference(lengths, extracts, rate):
    length = rate if rate == "mean" else Length("percent", 100 * Fraction(rate))
    result = {}
    for fit in ("stop", "skip", "overshoot"):
        for ties in ("position", "exclusion", "inclusion"):
            reference = majority_reference(lengths, extracts, length, fit, ties)
            result[f"{fit}/{ties}"] = {"units": list(reference.units), "length": reference.length}
    return result | {"budget": float(reference.limit)}


def run_agreement(lengths, extracts):
    reference = majority_reference(lengths, extracts)
    means = {"mean_length": "agreement", "mean_length_units": "units", "mean_length_words": "limit"}
    return {"all": all_votes_agreement(reference.ballot), **picked(reference, **means)}


def run_compare(**input):
    result = compare_extracts(**input)._asdict()
    return {level: dict(zip("RPF", shares, strict=True)) for level, shares in result.items()}


def in_letters(result):
    return picked(result, PA="agreement", PE="chance", kappa="kappa")


def run_nrst_accy(hypothesis, references):
    criteria = ("accuracy", "distance")
    return {how: nrst_accy(hypothesis, references, how).value for how in criteria}


def run_sum_accy(hypothesis, references):
    network = merge(references)
    result = {"n_paths": network.paths, "n_arcs": len(network.arcs())}
    for criterion in ("distance", "accuracy"):
        plain, all_arcs = (sum_accy(hypothesis, network, criterion, b) for b in (False, True))
        result[criterion] = {
            **picked(plain, SumACCY="value", distance="distance", length="length"),
            "plain": in_golden_words(plain),
            "boundaries": in_golden_words(all_arcs),
        }
    return result


def in_golden_words(result):
    # The file has null for a path that is not there.
    best = math.nan if result.best_path is None else result.best_path
    return result._asdict() | {"WSumACCY": result.weighted, "best_path": best}


def run_categorization(assigned, correct):
    result = categorization_scores(assigned, correct)

    def lettered(scores):
        return dict(zip("PRF", scores, strict=True))

    return {
        "per_document": list(map(lettered, result.per_document)),
        "macro": lettered(result.documents),
        "micro": lettered(result.micro),
    }


ADAPTERS = {
    "rouge_n": run_pooled(rouge_n, "n"),
    "rouge_su4": run_pooled(rouge_su, "gap"),
    "coselection_prf": lambda system, ideal, beta: picked(
        coselection(system, ideal, Fraction(beta)), P="precision", R="recall", F="f"),
    "relative_utility": lambda utilities, system, e: picked(
        relative_utility(utilities, system, e),
        RU="value", numerator="numerator", denominator="denominator", e="e"),
    "pyramid": run_pyramid,
    "cosine_tokens": lambda X, Y: {"cosine": cosine_of_tokens(X, Y)},  # noqa: N803
    "cosine_vectors": lambda x, y: {"cosine": cosine(x, y)},
    "unit_overlap": lambda X, Y: {"overlap": unit_overlap(X, Y)},  # noqa: N803
    "lcs": run_lcs,
    "keyword_evaluator": run_keywords,
    "compression_retention": lambda lengths, information, summary: {
        "CR": compression_ratio(lengths, summary), "RR": retention_ratio(information, summary)},
    "correlations": lambda x, y: {
        "pearson": pearson(x, y), "spearman": spearman(x, y),
        "tau_a": kendall_tau_a(x, y), "tau_b": kendall_tau_b(x, y)},
    "baselines": lambda lengths: {
        "length": list(longest_first(lengths)), "ordered": list(in_order(len(lengths)))},
    "tf_isf": run_tf_isf,
    "semdist": lambda thesaurus, pairs: {"semdist": [semdist(*pair, thesaurus) for pair in pairs]},
    "semdist_score": run_semdist_score,
    "average_precision": lambda **i: {ties: average_precision(**i, ties=ties) for ties in RULES},
    "macro_average_precision": run_macro_average_precision,
    "expected_ap_random": lambda N, R: {"expected_ap": expected_ap_random(N, R)},  # noqa: N803
    "indirect_evaluation": run_indirect_evaluation,
    "redundancy_by_length": run_redundancy,
    "paired_t_test": run_paired_t_test,
    "weighting_matrix": run_weighted(weighting_matrix),
    "relative_significance": run_relative_significance,
    "reduction_r": run_reduction,
    "main_topic_similarity": run_weighted(main_topic_similarity),
    "term_significance_similarity": run_weighted(term_significance_similarity),
    "summarizer_gong_liu": lambda matrix, l: {"selected": gong_liu(matrix, l)},  # noqa: E741
    "summarizer_steinberger_jezek": run_steinberger_jezek,
    "summarizer_murray": run_murray,
    "summarizer_yeh": run_yeh,
    "kthxc_vote_order": run_vote_order,
    "kthxc_reference": run_reference,
    "kthxc_agreement": run_agreement,
    "kthxc_compare": run_compare,
    "kappa": lambda table: in_letters(fleiss_kappa(table)),
    "kappa_extracts": lambda **input: in_letters(extracts_kappa(**input)),
    "accy": lambda hypothesis, reference: picked(
        accy(hypothesis, reference), ACCY="value", distance="distance"),
    "nrst_accy": run_nrst_accy,
    "ngram_precision": lambda hypothesis, references: {
        f"p{n}": ngram_precision(hypothesis, references, n) for n in range(1, 6)},
    "sum_accy": run_sum_accy,
    "categorization": run_categorization,
    "relevance_correlation": lambda **input: relevance_correlation(**input)._asdict(),
}  # fmt: skip

# The file lists the ordinary edit distance only to expose a wrong reading of eq. 6.
IGNORED = {"lcs": {"levenshtein"}}

PAPERS = goldens.golden("papers.json")
MEASURES = PAPERS["measures"] if PAPERS else {}


@pytest.mark.parametrize("name", sorted(MEASURES.keys() - goldens.NOT_YET))
def test_every_case_of_a_measure(name, capsys):
    measure = MEASURES[name]
    assert name in ADAPTERS, f"{name} has no adapter and is not on NOT_YET"
    for case in measure["cases"]:
        result = ADAPTERS[name](**case["input"])
        goldens.check(case, result, measure["tolerance"], IGNORED.get(name, ()))
    with capsys.disabled():
        print(f"\n{name}: {len(measure['cases'])} golden cases run")


def test_what_has_an_adapter_is_not_waiting_any_more():
    assert not ADAPTERS.keys() & goldens.NOT_YET


def test_every_golden_file_has_a_test_or_waits_for_its_issue():
    files = {path.name for path in goldens.FOLDER.glob("*.json")}
    tested = {"papers.json", "rouge155.json", "rouge155_stems.json", "rouge155_outputs.json"}
    tested |= {"ngram_graphs.json", "hpg.json", "metaeval.json", "wlcs.json", "estimate.json"}
    assert files <= tested | goldens.NOT_YET
    assert not tested & goldens.NOT_YET


def test_a_wrong_value_is_noticed():
    case = {"id": "x", "expected": {"a": 0.5, "b": None}, "recommended": {"b": 0}}
    goldens.check(case, {"a": 0.5, "b": 0.0}, 1e-12)
    for wrong in ({"a": 0.5001, "b": 0.0}, {"a": 0.5, "b": float("nan")}, {"a": 0.5}):
        with pytest.raises(AssertionError):
            goldens.check(case, wrong, 1e-12)
