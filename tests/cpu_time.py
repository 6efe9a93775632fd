"""A pytest plug-in: CPU seconds of each test, its children included, and a limit for them.

A test above the limit fails unless it is marked slow or install. Fixtures that several tests share
are listed by themselves and have no limit. At the end of a run come the ten slowest and the total.
"""

import os
import signal
import time
from pathlib import Path
from statistics import median

import pytest

LIMIT = 2.0
LISTED = 10
# Of the loop that slowness() measures, on a quiet machine with two cores of 2024.
_SECONDS_OF_A_TURN = 0.1
_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


def pytest_addoption(parser):
    parser.addoption(
        "--cpu-limit",
        type=float,
        default=LIMIT,
        metavar="SECONDS",
        help="CPU seconds for a test that is not marked slow or install; 0: no limit (default: 2)",
    )
    parser.addoption(
        "--cpu-kill",
        type=float,
        default=0.0,
        metavar="SECONDS",
        help="end the run at a test that uses so many CPU seconds, as an endless loop does",
    )


def pytest_configure(config):
    config.pluginmanager.register(_CpuTimes(config), "cpu times")


def cpu_seconds():
    """CPU seconds of this process and of all its descendants so far, running or ended."""
    own = os.times()
    total = own.user + own.system + own.children_user + own.children_system
    return total + sum(map(_with_descendants, _children(os.getpid())))


def slowness():
    """How many times slower this machine is just now than the one that the limit is meant for.

    Others on the same machine slow it down by half and more, and then nothing is wrong with a test.
    """
    turns = []
    for _ in range(3):
        started, number = time.process_time(), 0
        for i in range(1_000_000):
            number += i * i % 7
        turns.append(time.process_time() - started)
    return max(1.0, median(turns) / _SECONDS_OF_A_TURN)


def _children(pid):
    try:
        lists = [
            (thread / "children").read_text() for thread in Path(f"/proc/{pid}/task").iterdir()
        ]
    except OSError:  # it has ended, or this is not Linux: what is waited for is counted anyway
        return []
    return [int(child) for listed in lists for child in listed.split()]


def _with_descendants(pid):
    try:
        # The name of the program is in brackets and may hold blanks.
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / _TICKS + sum(map(_with_descendants, _children(pid)))


class _CpuTimes:
    def __init__(self, config):
        self.limit, self.end = config.getoption("cpu_limit"), config.getoption("cpu_kill")
        self.shared = 0.0  # of fixtures that were set up during the running test
        # When the last test ended: to look at all processes of a browser takes milliseconds.
        self.before = None
        self.seconds_by_test = {}
        self.collecting = 0.0
        self.started = time.monotonic()

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef, request):
        if fixturedef.scope == "function":
            return (yield)
        before = cpu_seconds()
        try:
            return (yield)
        finally:
            seconds = cpu_seconds() - before
            self.shared += seconds
            name = f"{request._pyfuncitem.nodeid}: set-up of {fixturedef.argname}"
            request._pyfuncitem.user_properties.append(("cpu of set-up", (name, seconds)))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item):
        self.shared = 0.0
        if self.before is None:
            self.before = cpu_seconds()
        if self.end:
            # Its signal ends the process; one that Python handles waits for the loop to end.
            signal.setitimer(signal.ITIMER_PROF, self.end)
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item, call):
        report = yield
        if call.when == "teardown":
            now = cpu_seconds()
            # What a browser has used is gone with it.
            seconds = max(0.0, now - self.before - self.shared)
            self.before = now
            report.user_properties.append(("cpu", seconds))
            is_limited = not any(map(item.get_closest_marker, ("slow", "install")))
            if is_limited and 0 < self.limit < seconds:
                if self.limit * slowness() < seconds:
                    report.outcome = "failed"
                    report.longrepr = (
                        f"{item.nodeid} used {seconds:.1f} s of CPU time, at most {self.limit:g} "
                        "are allowed: make it cheaper, or mark it slow"
                    )
                self.before = None
        return report

    def pytest_runtest_logreport(self, report):
        if report.when != "teardown":
            return
        for name, value in report.user_properties:
            if name == "cpu":
                self.seconds_by_test[report.nodeid] = value
            elif name == "cpu of set-up":
                self.seconds_by_test[value[0]] = value[1]

    def pytest_collection_finish(self, session):
        self.collecting = cpu_seconds()
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["collecting"] = self.collecting

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node):
        self.collecting += getattr(node, "workeroutput", {}).get("collecting", 0.0)

    def pytest_terminal_summary(self, terminalreporter):
        slowest = sorted(self.seconds_by_test.items(), key=lambda item: -item[1])[:LISTED]
        if not slowest:
            return
        terminalreporter.section("CPU time")
        for name, seconds in slowest:
            terminalreporter.write_line(f"{seconds:6.2f} s  {name}")
        tests = sum(self.seconds_by_test.values())
        minutes = (time.monotonic() - self.started) / 60
        terminalreporter.write_line(
            f"{tests:.0f} s in tests, {self.collecting:.0f} s in collecting them; {minutes:.1f} "
            f"minutes by the clock, on a machine that is now {slowness():.1f} times as slow as a "
            "quiet one"
        )
