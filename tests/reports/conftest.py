"""Pages in a real browser that tests of one module share: opening one costs a second."""

import pytest
from browsers import HOST, PATIENCE

DESKTOP = {"width": 1280, "height": 900}


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
