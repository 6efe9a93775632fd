"""A report of the demo corpus, made once: by ROUGE, a divergence, pyramids and extracts."""

import pytest

import summetry

METRICS = ["rouge-1", "rouge-2", "js_divergence", "pyramid", "coselection"]


@pytest.fixture(scope="session")
def demo_report(demo):
    with pytest.warns(summetry.errors.SummetryWarning):
        return summetry.report(demo, METRICS, test="t")


@pytest.fixture(scope="session")
def demo_page(demo_report, tmp_path_factory):
    """The page of the report, in a folder of its own."""
    return demo_report.save(tmp_path_factory.mktemp("report") / "report.html")[0]
