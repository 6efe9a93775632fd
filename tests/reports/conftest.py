"""What several modules read and what is made once: a report, explanations, pictures, pages.

Pages in a real browser are shared by the tests of one module: opening one costs a second.
"""

from dataclasses import replace

import pytest
from browsers import DESKTOP, HOST, PATIENCE
from lit_cases import DEMO_SPELLINGS, explanations, topic_of
from pictured import STRANGE, all_pictures, generated

import summetry
from summetry.records.scores import Column


class Visitor:
    """Pages by their settings, with what they have asked for, and what went wrong in them."""

    def __init__(self, browser):
        self.browser, self.pages, self.requests, self.faults = browser, {}, [], []

    def page(self, viewport=None, **settings):
        key = repr(sorted(settings.items()))
        if key not in self.pages:
            context = self.browser.new_context(**settings)
            context.set_default_timeout(PATIENCE)
            page = self.pages[key] = context.new_page()
            page.on("request", lambda request: self.requests.append(request.url))
            page.on("console", lambda message: self.faults.append(message.text))
            page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.pages[key].set_viewport_size(viewport or DESKTOP)
        return self.pages[key]


@pytest.fixture(scope="module")
def visitor(browser):
    visitor = Visitor(browser)
    visitor.page()
    yield visitor
    for page in visitor.pages.values():
        page.context.close()


@pytest.fixture
def shared_page(visitor):
    """An empty page of given settings; no request leaves the host, and no script fails."""
    visitor.requests.clear()
    visitor.faults.clear()

    def new(**settings):
        page = visitor.page(**settings)
        page.goto("about:blank")
        return page

    yield new
    assert all(u.startswith((HOST, "about:", "data:", "blob:", "file:")) for u in visitor.requests)
    assert visitor.faults == []


@pytest.fixture(scope="session")
def first_topics(demo):
    """The demo corpus without what is on later topics: to explain all texts takes long."""

    def keep(number):
        topics = {topic.id for topic in demo.topics[:number]}
        summaries = tuple(one for one in demo.summaries if one.topic in topics)
        judgments = tuple(one for one in demo.judgments if one.topic in topics)
        return replace(demo, summaries=summaries, judgments=judgments)

    return keep


@pytest.fixture(scope="session")
def demo_report(first_topics):
    """By ROUGE, a divergence, pyramids and extracts."""
    metrics = ["rouge-1", "rouge-2", "js_divergence", "pyramid", "coselection"]
    with pytest.warns(summetry.errors.SummetryWarning):
        return summetry.report(first_topics(3), metrics, test="t")


@pytest.fixture(scope="session")
def demo_page(demo_report, tmp_path_factory):
    """The page of the report, in a folder of its own."""
    return demo_report.save(tmp_path_factory.mktemp("report") / "report.html")[0]


@pytest.fixture(scope="session")
def explained(demo):
    """Spelling, metric, explanation and comparison of two summaries of the first topic.

    One is an extract, the other has no units.
    """
    authors = {"lead", "careful", "m1", "m2", "m3"}
    few = tuple(summary for summary in demo.summaries if summary.author in authors)
    return next(explanations(replace(demo, summaries=few), DEMO_SPELLINGS))


@pytest.fixture(scope="session")
def demo_topic(explained):
    """The data of the first topic, with an item for each explanation."""
    return topic_of(explained)


@pytest.fixture(scope="session")
def strange_table():
    columns = tuple(Column(name) for name in ("rouge-1", *STRANGE[:6]))
    return generated(STRANGE, [f"{name} {k}" for k, name in enumerate(STRANGE)], columns)


@pytest.fixture(scope="session")
def strange_pictures(strange_table):
    return all_pictures(strange_table)[1]


@pytest.fixture(scope="session")
def many_pictures():
    """Of many systems and topics."""
    names = [f"system-{k:02}" for k in range(25)]
    columns = tuple(Column(f"metric-{k}") for k in range(4))
    return all_pictures(generated(names, [f"D{k:03}" for k in range(100)], columns))[1]
