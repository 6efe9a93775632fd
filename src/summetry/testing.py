"""Summaries in the tests of a program: ``assert_not_worse``.

    from summetry.testing import assert_not_worse

    def test_summaries_are_as_good_as_those_of_the_last_release():
        assert_not_worse(summarize(ARTICLES), LAST_RELEASE, REFERENCES, metric="rouge2")

It decides as ``summetry compare --fail-if-worse`` does. pytest loads ``pytest_summetry``, a plug-in
that lists every comparison at the end of a run, by itself. The rest of Summetry is imported only
when something is compared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from summetry.engine.pairs import PairPlan
    from summetry.engine.run import MetricLike
    from summetry.reports.comparisons import Rankings

# The comparisons of the test that is running, in words: for the plug-in of pytest.
comparisons: list[str] = []


def assert_not_worse(
    new: Any,
    old: Any,
    references: Any = (),
    metric: MetricLike = "rouge2",
    tolerance: float = 0.0,
    *,
    sources: Any = None,
    language: str = "",
    **settings: Any,
) -> Rankings:
    """The comparison, unless new summaries are significantly worse than old ones.

    Then it is an AssertionError, if they are worse by more than ``tolerance``. ``new`` and ``old``
    are lists or columns of texts with one row per topic, as ``summetry.score`` takes them.
    ``settings`` are those of ``summetry.compare``: ``alpha``, ``test``, ``draws``, ``seed``. What
    no test could find out, with too few topics for one, is a SummetryError.
    """
    __tracebackhide__ = True
    from summetry.api import compare
    from summetry.errors import SummetryError, in_python
    from summetry.reports.verdicts import gate, sentence_with_power

    try:
        plan = _plan(new, old, references, sources, language)
        rankings = compare(plan, metric, baseline="old", **settings)
        tolerating = f"the tolerance of {tolerance:g}"
        found = gate([*rankings.values()], tolerance, "assert_not_worse", tolerating)
    except SummetryError as error:
        error.args = (in_python(str(error)),)
        raise
    word = "failed" if found.is_failed else "passed"
    for ranking in rankings.values():
        comparisons.append(f"{word}: {sentence_with_power(ranking, 'new', 'old')}")
    if found.is_failed:
        raise AssertionError("\n".join(found.sentences))
    return rankings


def _plan(new: Any, old: Any, references: Any, sources: Any, language: str) -> PairPlan:
    """Both systems on the same rows; an error says which of them it is about."""
    from summetry.engine.pairs import PairPlan, many_texts
    from summetry.errors import SummetryError
    from summetry.records.batches import TextColumns
    from summetry.text.languages import language_code

    code = language_code(language)
    # What can be gone through only once is needed twice.
    references, sources = (
        list(given) if hasattr(given, "__next__") else given for given in (references, sources)
    )
    both = []
    for name, texts in (("new", new), ("old", old)):
        try:
            both.append(many_texts(texts, references, sources, code))
        except SummetryError as error:
            raise SummetryError(f"{name}: {error}") from error
    first, second = both
    rows, others = len(first.candidates), len(second.candidates)
    if rows != others:
        raise SummetryError(f"new and old must have as many summaries, got {rows} and {others}")
    names = [(str(row), system) for system in ("new", "old") for row in range(rows)]
    columns = TextColumns(
        [*first.candidates, *second.candidates],
        [*first.references, *second.references],
        [*first.sources, *second.sources],
        code,
    )
    return PairPlan(columns, "the texts", names)
