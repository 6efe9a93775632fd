"""Every golden case of the papers' measures.

An adapter only renames arguments and results; it calls functions of ``summetry``.
"""

from fractions import Fraction

import goldens
import pytest

from summetry.metrics.compression import compression_ratio
from summetry.metrics.coselection import coselection
from summetry.metrics.cosine import cosine, cosine_of_tokens
from summetry.metrics.lcs import common_subsequence, edit_di
from summetry.metrics.relative_utility import relative_utility
from summetry.metrics.retention import retention_ratio
from summetry.metrics.rouge import rouge_n, rouge_su
from summetry.metrics.unit_overlap import unit_overlap
from summetry.stats.correlation import kendall_tau_a, kendall_tau_b, pearson, spearman


def run_coselection(system, ideal, beta):
    found = coselection(system, ideal, Fraction(beta))
    return {"P": found.precision, "R": found.recall, "F": found.f}


def run_relative_utility(utilities, system, e):
    found = relative_utility(utilities, system, e)
    return {
        "RU": found.value,
        "numerator": found.numerator,
        "denominator": found.denominator,
        "e": found.e,
    }


def run_lcs(X, Y):  # noqa: N803
    found = common_subsequence(X, Y)
    shares = {"R": found.recall, "P": found.precision, "F1": found.f}
    return {"lcs": found.length, "edit_di": edit_di(X, Y), **shares}


def run_compression_retention(lengths, information, summary):
    return {
        "CR": compression_ratio(lengths, summary),
        "RR": retention_ratio(information, summary),
    }


def run_correlations(x, y):
    return {
        "pearson": pearson(x, y),
        "spearman": spearman(x, y),
        "tau_a": kendall_tau_a(x, y),
        "tau_b": kendall_tau_b(x, y),
    }


def run_pooled(function, size):
    def run(candidate, references, **options):
        found = function(candidate, references, options[size])
        return {"match": found.match, "total": found.total, "ROUGE": found.value}

    return run


ADAPTERS = {
    "rouge_n": run_pooled(rouge_n, "n"),
    "rouge_su4": run_pooled(rouge_su, "gap"),
    "coselection_prf": run_coselection,
    "relative_utility": run_relative_utility,
    "cosine_tokens": lambda X, Y: {"cosine": cosine_of_tokens(X, Y)},  # noqa: N803
    "cosine_vectors": lambda x, y: {"cosine": cosine(x, y)},
    "unit_overlap": lambda X, Y: {"overlap": unit_overlap(X, Y)},  # noqa: N803
    "lcs": run_lcs,
    "compression_retention": run_compression_retention,
    "correlations": run_correlations,
}

# The file lists the ordinary edit distance only to expose a wrong reading of eq. 6.
IGNORED = {"lcs": {"levenshtein"}}

PAPERS = goldens.golden("papers.json")
MEASURES = PAPERS["measures"] if PAPERS else {}


@pytest.mark.parametrize("name", sorted(MEASURES.keys() - goldens.NOT_YET))
def test_every_case_of_a_measure(name, capsys):
    measure = MEASURES[name]
    assert name in ADAPTERS, f"{name} has no adapter and is not on NOT_YET"
    for case in measure["cases"]:
        found = ADAPTERS[name](**case["input"])
        goldens.check(case, found, measure["tolerance"], IGNORED.get(name, ()))
    with capsys.disabled():
        print(f"\n{name}: {len(measure['cases'])} golden cases run")


def test_what_has_an_adapter_is_not_waiting_any_more():
    assert not ADAPTERS.keys() & goldens.NOT_YET


def test_every_golden_file_has_a_test_or_waits_for_its_issue():
    files = {path.name for path in goldens.FOLDER.glob("*.json")}
    tested = {"papers.json", "rouge155.json", "rouge155_stems.json", "rouge155_outputs.json"}
    assert files <= tested | goldens.NOT_YET
    assert not tested & goldens.NOT_YET


def test_a_wrong_value_is_noticed():
    case = {"id": "x", "expected": {"a": 0.5, "b": None}, "recommended": {"b": 0}}
    goldens.check(case, {"a": 0.5, "b": 0.0}, 1e-12)
    for wrong in ({"a": 0.5001, "b": 0.0}, {"a": 0.5, "b": float("nan")}, {"a": 0.5}):
        with pytest.raises(AssertionError):
            goldens.check(case, wrong, 1e-12)
