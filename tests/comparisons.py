"""Comparisons of texts, and what a metric says of comparisons."""

import warnings

import pytest

import summetry
from summetry.errors import SummetryWarning
from summetry.metrics import METRICS
from summetry.records.batches import Batch, Comparison, Material, Side
from summetry.records.judgments import Utilities
from summetry.records.summaries import Extract

# For tests whose candidates or references may be empty, of which a note is given.
may_be_empty = pytest.mark.filterwarnings(
    "ignore:.*(counts? as the worst value|reference is empty and counts)"
    ":summetry.errors.SummetryWarning"
)


def compare_texts(candidate, references):
    """A candidate with the references m0, m1, ... of one topic."""
    sides = tuple(Side(f"m{i}", text) for i, text in enumerate(references))
    return Comparison(Material("t"), Side("candidate", candidate), sides)


def scores(metric, *comparisons):
    """Arrays by name of value; a metric may be given by its spelling."""
    metric = METRICS.build(metric) if isinstance(metric, str) else metric
    return metric.score(metric.count(Batch(comparisons)))


def values(metric, *comparisons):
    """The value of each comparison, of a metric that has one."""
    return scores(metric, *comparisons)["value"].tolist()


def one(metric, comparison):
    """The numbers of one comparison by name of value."""
    return {name: float(numbers[0]) for name, numbers in scores(metric, comparison).items()}


def score_pairs(pairs, spelling):
    """Candidates, each with one reference, that are given as lists of words."""
    candidates = [" ".join(words) for words, _ in pairs]
    references = [[" ".join(words)] for _, words in pairs]
    return summetry.score(candidates, references, metrics=[spelling])[spelling]


def notes(spelling, *comparisons):
    return METRICS.build(spelling).notes(Batch(comparisons))


def compare(candidate, references=(), extracts=(), utilities=(), **material):
    """A comparison in which a string is a text, and anything else the units of a summary.

    References are those of m0, m1, ..., extracts of p0, p1, ..., utilities of j0, j1, ...
    """
    sides = tuple(_side(f"m{i}", content) for i, content in enumerate(references))
    people = tuple(Extract("t", f"p{i}", tuple(chosen)) for i, chosen in enumerate(extracts))
    judges = tuple(Utilities("t", f"j{i}", tuple(worth)) for i, worth in enumerate(utilities))
    topic = Material("t", extracts=people, utilities=judges, **material)
    return Comparison(topic, _side("candidate", candidate), sides)


def _side(author, content):
    return Side(author, content) if isinstance(content, str) else Side(author, "", content)


def explained(metric, comparison):
    """The explanation of a comparison that has one part."""
    metric = METRICS.build(metric) if isinstance(metric, str) else metric
    (part,) = metric.explain(comparison).parts
    return part


def worked_by_hand(*rows):
    """Parametrize a test by spellings, comparisons, and values by their names."""
    return pytest.mark.parametrize(
        ("spelling", "comparison", "expected"),
        rows,
        ids=[f"{n} {row[0]}" for n, row in enumerate(rows)],
    )


def assert_values(spelling, comparison, **expected):
    """Of the values of a comparison those that are expected; NaN is undefined.

    They are counted by the metric alone, and through the engine where only texts are compared.
    """
    found = [one(spelling, comparison)]
    material, sides = comparison.material, (comparison.candidate, *comparison.references)
    if all(side.units is None for side in sides) and not material.units:
        candidate, *references = (side.text for side in sides)
        options = {"sources": material.source, "language": material.language}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SummetryWarning)
            found.append(summetry.score(candidate, references, [spelling], **options)[spelling])
    for values in found:
        assert {name: values[name] for name in expected} == pytest.approx(expected, nan_ok=True)
