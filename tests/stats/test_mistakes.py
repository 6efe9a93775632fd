"""What functions of the statistics refuse, and the words they say it with."""

import math

import numpy as np
import pytest

from summetry.errors import SummetryError, UnknownNameError
from summetry.stats import agreement as agr
from summetry.stats import dependent as dep
from summetry.stats import multiple, paired, precision, weighted
from summetry.stats.alt_test import alt_test
from summetry.stats.contrasts import bootstrap_rows, differences, p_of_pairs
from summetry.stats.correlation import fisher_interval, pearson
from summetry.stats.discrimination import discrimination
from summetry.stats.estimate import estimate
from summetry.stats.letters import compact_letters
from summetry.stats.levels import correlate
from summetry.stats.pairwise import pairwise_accuracy, soft_pairwise_accuracy
from summetry.stats.power import detection_power, topics_needed
from summetry.stats.resampling import bootstrap
from summetry.stats.sums import bootstrap_sums

NAN, INF = math.nan, math.inf
ONES = np.ones((2, 2))
TABLES = tuple(np.random.default_rng(0).random((3, 3, 3)))
PAIR, AT, OF_TWO = TABLES[:2], ("summary", "tau_b"), ([[1], [2]], [[1], [2]])
DIFFERENCES = differences(np.array([[1.0, 2], [2, 4]]), np.array([0]), np.array([1]))

# Judgments of the first 25 of 60 topics, and a proxy of all.
F = np.random.default_rng(0).normal(3, 1, (1, 4, 60))
Y = np.where(np.arange(60) < 25, F[0], NAN)
TWO_JUDGED = np.where(np.arange(60) < 2, Y, NAN)


def alternative(instances=30, marks=None, **options):
    marks = np.ones((3, 30)) if marks is None else marks
    return lambda: alt_test(np.ones(instances), marks, **options)


# Who marked nothing is no annotator.
WITHOUT_THE_SECOND = np.where([[False], [True], [False]], NAN, np.ones((3, 40)))
THREE_ANNOTATORS = "needs 3 annotators or more beside the judge, got "


@pytest.mark.parametrize(("call", "words"), [
    # Resamples.
    (lambda: bootstrap(*PAIR, *AT, "judges"), r"judges x systems x topics\), got 2 dimensions"),
    (lambda: bootstrap(np.ones((3, 2)), np.ones((2, 2, 2)), *AT, "judges"),
     "same systems and topics, got 2 x 2, 3 x 2"),
    (lambda: bootstrap(*PAIR, *AT, draws=0), "needs 1 draw or more, got 0"),
    (lambda: bootstrap(*PAIR, *AT, confidence=95), "0 and 1, such as 0.95 for 95 %, got 95"),
    (lambda: bootstrap(*PAIR, *AT, "words"), "no way of drawing is named 'words'"),
    (lambda: bootstrap(*np.zeros((2, 0, 0)), *AT), "needs scores, got a table of 0 x 0"),
    (lambda: bootstrap_sums(ONES, sum, draws=0), "draws must be 1 or more, got 0"),
    # Agreement.
    (lambda: agr.fleiss_kappa([[1, 2], [3]]), "as many classes in every row"),
    (lambda: agr.fleiss_kappa([[1.5, 2]]), "whole numbers of people, 0 or more"),
    (lambda: agr.cohen_kappa("ab", "a"), "of the same things, got 2 and 1"),
    (lambda: agr.weighted_kappa([1], [1], "cubic"), "quadratic, linear, got 'cubic'"),
    (lambda: agr.count_ratings([[1, 2], [1]]), "for every thing, got"),
    (lambda: agr.krippendorff_alpha([[2, 1]], (), "metric"), "nominal, ordinal, interval"),
    (lambda: agr.krippendorff_alpha([[2, 1]], [1], "ratio"), "each of 2 classes, got 1"),
    # Estimates.
    (lambda: estimate(Y, F, confidence=95), "a confidence is between 0 and 1"),
    (lambda: estimate(Y, F, population="all"),
     "no population is named 'all'. Known: these, topics."),
    (lambda: estimate(Y, F, detect=0.0), "a difference to detect is above 0, got 0.0"),
    (lambda: estimate(Y, F, power=0.01), r"a power is between alpha \(0.05\) and 1, got 0.01"),
    (lambda: estimate(Y, F, scale=(5, 1)), "a scale goes from lowest to highest, got 5 and 1"),
    (lambda: estimate(Y, F[0]), r"got the shapes \(4, 60\) and \(4, 60\)"),
    (lambda: estimate(Y, np.where(F > 4, INF, F)), "must be finite numbers, or NaN where miss"),
    (lambda: estimate(TWO_JUDGED, F), r"judge at least 3 topics of one system: .* most is 2"),
    # Average precision.
    (lambda: precision.average_precision([1, 2], [True]),
     "a label for each score, got 2 scores and 1 labels"),
    (lambda: precision.average_precision([1], [True], "stabel"),
     r"got 'stabel'. Did you mean 'stable'?"),
    (lambda: precision.expected_ap_random(3, 4), "expected 0 to 3 positive ones, got 4"),
    # Many comparisons.
    (lambda: multiple.holm([1.5]), r"between 0 and 1, got \[1.5\]"),
    (lambda: multiple.bonferroni(ONES), "one list, got 2 dimensions"),
    (lambda: multiple.significance_clusters([1, 2, 3], [[1]]),
     r"3 values need a p for each pair, 3 x 3, got"),
    (lambda: discrimination([[1]], [[1]], [[1, 2]], [[1]]), "four square tables of one size"),
    (lambda: compact_letters([[0, 1], [0, 0]]), "must be a square table, the same both ways"),
    (lambda: compact_letters([0, 1]), "must be a square table, the same both ways"),
    # The alternative-annotator test.
    (alternative(40, np.ones((2, 40))), f"{THREE_ANNOTATORS}2"),
    (alternative(40, WITHOUT_THE_SECOND), f"{THREE_ANNOTATORS}2"),
    (alternative(29, np.ones((3, 29))), r"30 instances or more .* the most is 29"),
    (alternative(epsilon=1.0), "epsilon must be 0 or more and below 1"),
    (alternative(epsilon=NAN), "epsilon must be 0 or more and below 1"),
    (alternative(alignment="mae"), "no alignment is named 'mae'"),
    (alternative(29), "one mark for each instance"),
    # Tests of two metrics, and of many.
    (lambda: dep.permutation_test(*TABLES, *AT, draws=0), "1 draw or more, got 0"),
    (lambda: dep.permutation_test(*TABLES, *AT, "both"), "no way of swapping is named 'both"),
    (lambda: dep.permutation_test(*TABLES, *AT, alternative="better"),
     "no alternative is named 'better'"),
    (lambda: dep.MetricTests([ONES], ONES, "system", draws=0),
     "a permutation test needs 1 draw or more, got 0"),
    (lambda: dep.MetricTests([np.ones((2, 3))], ONES, "system"),
     "must have the same systems and topics"),
    # Coefficients.
    (lambda: pearson([1], [1, 2]), "two lists of the same length, got 1 and 2"),
    (lambda: correlate([[1, 2]], [[1, 2], [3, 4]], "system", "pearson"),
     "same systems and topics, got 1 x 2, 2 x 2"),
    (lambda: correlate([1, 2], [1, 2], "system", "pearson"),
     r"a row for each system.*got 1 dimension$"),
    (lambda: correlate([[1], [-INF]], [[1], [2]], *AT), r"be finite.*row 1, column 0 is -inf"),
    (lambda: correlate([[1]], [[1]], "document", "pearson"), "no level is named 'document'"),
    (lambda: correlate([[1]], [[1]], "summary", "kendall"), "no coefficient is named 'kenda"),
    (lambda: fisher_interval(0.5, 30, confidence=95), "0 and 1, such as 0.95 for 95 %, got 95"),
    (lambda: weighted.check_coefficient("taub"), r"no coefficient is named 'taub'.*'tau_b'"),
    # Pairs of systems.
    (lambda: pairwise_accuracy(*OF_TWO, epsilon=-0.1), "epsilon is 0 or more"),
    (lambda: pairwise_accuracy(*OF_TWO, epsilon=NAN), "epsilon is 0 or more"),
    (lambda: soft_pairwise_accuracy(*OF_TWO, draws=0), "needs 1 draw or more, got 0"),
    # Paired tests.
    (lambda: p_of_pairs(DIFFERENCES, "z"), r"no paired test is named 'z'. Known: bootstrap, "),
    (lambda: p_of_pairs(DIFFERENCES, draws=0), "draws must be 1 or more, got 0"),
    (lambda: bootstrap_rows(ONES, confidence=95), "a confidence is between 0 and 1"),
    (lambda: paired.permutation_test([1], [0], draws=0), "needs 1 draw or more, got 0"),
    (lambda: paired.permutation_test([1, 2, 3], [1, 2]), "per topic .* systems, got 3 and 2"),
    (lambda: paired.permutation_test([1, NAN], [1, 2]), "one that is undefined or infinite"),
    # Power.
    (lambda: topics_needed(0, 1), "a difference of 0 is never seen"),
    (lambda: topics_needed(1, -1), "0 or more, got -1"),
    (lambda: topics_needed(1, 1, 1.5), "probabilities, alpha the smaller"),
    (lambda: topics_needed(1e-9, 1), "needs more than 1,000,000,000 topics"),
    (lambda: detection_power(1, 1, 10, 0), "got 0 and 0.8"),
])  # fmt: skip
def test_mistakes_are_named(call, words):
    with pytest.raises(SummetryError, match=words) as refused:
        call()
    assert isinstance(refused.value, UnknownNameError) == words.startswith("no ")
