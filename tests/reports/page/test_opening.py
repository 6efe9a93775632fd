"""What a report says first: no more than its tests say, from scores worked by hand."""

import math
from dataclasses import replace

import pytest
from partly_judged import generated
from pictured import scored

import summetry
from summetry.metaeval.correlation_tables import NullLine
from summetry.metaeval.nulls import A_LEAD, A_LENGTH
from summetry.records.corpus import Corpus
from summetry.records.judgments import Judgment
from summetry.records.scores import Column
from summetry.reports.page.opening import _nulls
from summetry.reports.page.report import _3, _signed


def table_of(metrics):
    """A score table from {metric: {system: scores by topic}}; None is no value."""
    (first, *_) = metrics.values()
    rows = {s: zip(*(of[s] for of in metrics.values()), strict=True) for s in first}
    by_topic = {s: {f"t{k}": row for k, row in enumerate(of)} for s, of in rows.items()}
    return scored(by_topic, tuple(map(Column, metrics)))


def judged(marks):
    """A corpus with judgments from {system: marks by topic}."""
    judgments = tuple(
        Judgment(f"t{topic}", system, "ann", "wit", mark)
        for system, of in marks.items()
        for topic, mark in enumerate(of)
    )
    return Corpus("judged", judgments=judgments)


GOOD, BAD = [0.5, 0.75] * 8, [0.25, 0.5] * 8
NEAR = [0.5, 0.75] * 7 + [0.75, 0.5]


BOTH = {"first": (GOOD, BAD), "second": (BAD, GOOD), "third": (GOOD, NEAR)}
BOTH["fourth"] = (GOOD, [None] * 16)
THREE = {"bad": BAD, "good": GOOD, "near": [*GOOD[1:], 0.25]}
VERDICTS = {
    # Sixteen differences of 0.25: 2 of 65,536 choices of signs are as far, times 3 pairs.
    "a better one": ({"mine": THREE}, {}),
    # Three topics: 2 of 8 choices of signs are as far, so p is at least a quarter; 2 of 64 are
    # less than 0.05.
    "too few topics": ({"mine": {"one": [0.5] * 3, "two": [0.4, 0.3, 0.2]}}, {}),
    "nothing but 0": ({"mine": {"one": [0.0] * 6, "two": [0.0] * 6}}, {}),
    # NEAR has the scores of GOOD in another order.
    "the same mean": ({"mine": {"near": NEAR, "good": GOOD, "bad": BAD}}, {}),
    "all metrics": ({n: dict(zip(("good", "bad"), of, strict=True)) for n, of in BOTH.items()}, {}),
    "a baseline": ({"mine": THREE}, {"baseline": "bad"}),
}


@pytest.mark.parametrize("case", VERDICTS)
def test_better_is_what_the_test_calls_better(case, snapshot):
    metrics, settings = VERDICTS[case]
    assert "\n".join(summetry.report(table_of(metrics), **settings).verdicts) == snapshot


def test_a_difference_that_more_topics_would_show_says_how_many():
    """Differences of 0.03 and -0.01 by turns: more topics of this kind would be enough."""
    one, two = [0.5, 0.5] * 4, [0.47, 0.51] * 4
    (said,) = summetry.report(table_of({"mine": {"one": one, "two": two}})).verdicts
    start = "On mine, one has the best mean, and it is not significantly better than two; about "
    topics = int(said.removeprefix(start).split()[0])
    # For a paired t-test: so many times the squared quotient of deviation and mean, at least.
    assert topics > (1.96 + 0.84) ** 2 * (0.02 / 0.01) ** 2
    assert said.endswith(" topics would show a difference of this size.")


def test_a_baseline_is_tested_by_itself_and_without_a_direction_no_system_is_the_best(demo):
    """Against two others p is twice 2 in 65,536, and the small print counts two comparisons."""
    metrics = {"mine": {"bad": BAD, "good": GOOD, "near": NEAR}}
    report = summetry.report(table_of(metrics), baseline="bad")
    assert "corrected by Holm for 2 comparisons with bad" in report.html()
    assert '<span class="quiet">tied for best</span>' in summetry.report(table_of(metrics)).html()
    said = summetry.report(demo, ["compression"], texts=False).verdicts
    assert said[0].startswith("No metric here says which direction is better")


MARKS = {name: [place] * 4 for place, name in enumerate("abcdef", 1)}
FAITHFUL = {name: [place / 10] * 4 for place, name in enumerate("abcdef", 1)}
# 1 to 6 against 3, 1, 4, 2, 6, 5.
LOOSE = {n: [v / 10] * 4 for n, v in zip("abcdef", (3, 1, 4, 2, 6, 5), strict=True)}


def test_the_metric_that_follows_the_judges_most_closely_is_named_unless_it_may_be_chance():
    both = table_of({"faithful": FAITHFUL, "loose": LOOSE})
    report = summetry.report(both, judgments=judged(MARKS))
    start = "Of the 2 metrics, faithful follows your judges on wit most closely (Pearson 1.00"
    assert report.verdicts[1].startswith(start)
    assert "With 6 systems a correlation is uncertain" in report.html()
    tested = (
        "Metrics against the best one: Williams&#39; test, p corrected by Holm; this generalises "
    )
    # In the small print of the verdict, and below the table of p.
    assert report.html().count(f"{tested}to other systems, not to other topics.") == 2
    # With three systems one metric in 20 reaches nearly 1 by random numbers.
    three = {name: MARKS[name] for name in "abc"}
    loose = {"a": [0.1] * 4, "b": [0.3] * 4, "c": [0.2] * 4}
    said = summetry.report(table_of({"loose": loose}), judgments=judged(three)).verdicts[-1]
    assert "by random numbers: none of these stands out" in said


def test_metrics_are_tested_against_the_one_that_the_verdict_names():
    """Of three systems "few" follows the judges without a fault, and "loose" those of all six."""
    few = FAITHFUL | dict.fromkeys("def", [None] * 4)
    worse = {n: [v / 10] * 4 for n, v in zip("abcdef", (3, 5, 1, 4, 2, 6), strict=True)}
    metrics = {"few": few, "loose": LOOSE, "worse": worse}
    report = summetry.report(table_of(metrics), judgments=judged(MARKS))
    said = next(line for line in report.verdicts if "your judges" in line)
    assert said.startswith("Of the 2 metrics with a value for every system, loose follows")
    rows = {row.column.name: row for row in report.findings.correlations.tables[0].of("pearson")}
    assert (rows["loose"].rank, rows["worse"].rank, rows["few"].rank) == (1, 2, None)
    assert rows["few"].value == pytest.approx(1)
    # One test only, so that its p is not corrected.
    assert rows["worse"].p_best_corrected == rows["worse"].p_best


def test_length_that_does_as_well_is_a_warning(demo, snapshot):
    """On grammaticality of the demo corpus length reaches 0.90, within the interval of the best."""
    how = {"dimensions": "grammaticality", "texts": False}
    with pytest.warns(summetry.errors.SummetryWarning):
        report = summetry.report(demo, ["rouge-1", "coselection"], **how)
    said = next(line for line in report.verdicts if "your judges" in line)
    table = report.findings.correlations.tables[0]
    length, best = table.length["pearson"], table.of("pearson")[0]
    assert length > best.low or length > best.value
    assert f"Length alone does as well ({length:.2f}): be careful." in said
    # Both within the interval are told in one sentence, and one of them in another.
    for lead in (best.low + 0.01, 0.0):
        near = {A_LENGTH: best.value - 0.01, A_LEAD: lead}
        nulls = {name: NullLine("", {"pearson": value}) for name, value in near.items()}
        assert _nulls(replace(table, nulls=nulls), best) == snapshot


def test_a_page_goes_to_html_and_tells_a_browser_without_javascript_what_needs_it(tmp_path):
    report = summetry.report(table_of({"mine": {"good": GOOD, "bad": BAD}}))
    with pytest.raises(summetry.errors.SummetryError, match="a report is written to a file ending"):
        report.save(tmp_path / "report.pdf")
    assert not list(tmp_path.iterdir())
    said = report.html().partition("<noscript>")[2].partition("</noscript>")[0]
    assert "are chosen by JavaScript, which is switched off here." in said


def test_a_report_shows_what_judges_would_say_of_all_topics_if_some_are_judged():
    corpus = generated()
    report = summetry.report(corpus, "rouge-1.recall", test="t", texts=False)
    (table,) = summetry.estimate(corpus, metrics="rouge-1.recall").tables
    (shown,) = report.findings.estimates
    assert shown.estimate.means == table.estimate.means
    title = "Systems by content, 15 of 40 topics judged"
    (picture,) = [picture for picture in report.pictures() if picture.title == title]
    assert title in report.html()
    for mean in table.estimate.means:
        assert f"{mean.estimate:.2f}" in picture.figure
    # Of too few judged topics, and of all of them, there is no estimate.
    for judged_topics in (2, 12):
        some = generated(topics=12, judged=judged_topics)
        findings = summetry.report(some, "rouge-1.recall", test="t", texts=False).findings
        assert findings.estimates == () and (findings.judged or judged_topics < 12)


@pytest.mark.parametrize("number, plain, signed", [
    (0.25, "0.250", "+0.250"), (-0.25, "−0.250", "−0.250"), (0.0005, "0.001", "+0.001"),
    (0.0004, "0.000", "0.000"), (-0.0004, "0.000", "0.000"), (math.inf, "–", "–"),
    (-math.inf, "–", "–"), (math.nan, "–", "–"),
])  # fmt: skip
def test_what_is_shown_as_nothing_has_no_sign(number, plain, signed):
    assert (_3(number), _signed(number)) == (plain, signed)
