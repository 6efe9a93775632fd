"""The pytest plug-in of Summetry: a marker, and a list of all comparisons at the end of a run.

A module of its own beside the package: pytest rewrites every module of a package that a plug-in is
in, which takes a minute for all of Summetry. It imports nothing until a test compares something.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest


def pytest_configure(config: pytest.Config) -> None:
    words = "compares summaries; -m 'not summetry' leaves it out"
    config.addinivalue_line("markers", f"summetry: {words}")


def pytest_runtest_makereport(item: pytest.Item) -> None:
    """Keep the comparisons with the test, so that xdist's workers send them on."""
    testing = sys.modules.get("summetry.testing")
    if testing:
        item.user_properties += [("summetry", sentence) for sentence in testing.comparisons]
        testing.comparisons.clear()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """List all comparisons: difference, interval, p, and the smallest detectable difference."""
    reports = [report for group in terminalreporter.stats.values() for report in group]
    lines = [
        f"{report.nodeid} {sentence}"
        for report in reports
        # The last report of a test has all its comparisons.
        if getattr(report, "when", "") == "teardown"
        for name, sentence in report.user_properties
        if name == "summetry"
    ]
    if lines:
        terminalreporter.section("summaries compared")
        for line in lines:
            terminalreporter.write_line(line)
