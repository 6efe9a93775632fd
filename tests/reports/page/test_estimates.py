"""What a report says of all topics where some were judged."""

import pytest
from partly_judged import generated

import summetry


@pytest.fixture(scope="module")
def report():
    return summetry.report(generated(), "rouge-1.recall", test="t")


def test_a_report_shows_what_judges_would_say_of_all_topics(report):
    (table,) = summetry.estimate(generated(), metrics="rouge-1.recall").tables
    (shown,) = report.findings.estimates
    assert shown.estimate.means == table.estimate.means
    (picture,) = [
        one
        for one in report.pictures()
        if one.title == "Systems by content, 15 of 40 topics judged"
    ]
    assert picture.title in report.html()
    for mean in table.estimate.means:
        assert f"{mean.estimate:.2f}" in picture.figure


def test_a_report_of_topics_that_are_all_judged_has_no_estimates():
    whole = summetry.report(generated(topics=12, judged=12), "rouge-1.recall", test="t")
    assert whole.findings.estimates == ()
    assert whole.findings.judged


def test_too_few_judged_topics_say_nothing_of_the_others():
    few = summetry.report(generated(topics=12, judged=2), "rouge-1.recall", test="t")
    assert few.findings.estimates == ()
