"""A real browser for tests: one for the whole run, since two cannot be driven at once."""

import os
import re
import shutil

import pytest

HOST = "http://127.0.0.1"
# A loaded machine is slow; a test that waits longer than this has failed, whatever it waits for.
PATIENCE = 90_000
DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}
HAND_HELD = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
# The shell draws the same pages for a third less than the whole browser.
CHROMIUM = (
    os.environ.get("CHROMIUM")
    or shutil.which("chromium-headless-shell")
    or shutil.which("chromium")
)
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-default-apps", "--no-first-run",
    "--disable-extensions", "--disable-domain-reliability", "--no-proxy-server",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    # One process draws all pages of a context: the start of another takes a fifth of a second.
    "--disable-site-isolation-trials", "--renderer-process-limit=1",
]  # fmt: skip


@pytest.fixture(scope="session")
def browser():
    if not CHROMIUM:
        pytest.skip("no chromium: `make test` installs it as root, CHROMIUM names another one")
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield started
        started.close()
    _contexts.clear()


# By settings: a new context takes half a second more to draw a page, and so does a new page.
_contexts = {}


def kept_context(browser, **settings):
    """The context with these settings that is kept for all tests, with one page."""
    key = repr(sorted(settings.items()))
    if key not in _contexts:
        _contexts[key] = _new_context(browser, settings)
    return _contexts[key]


def _new_context(browser, settings):
    context = browser.new_context(**{"viewport": DESKTOP, **settings})
    context.set_default_timeout(PATIENCE)
    # A page that stays open keeps the process that draws the others.
    context.new_page().goto("data:text/html,<form><input></form>")
    return context


def _leave(page, settings):
    """Bring a page back to what a new one is, for the next test."""
    page.unroute_all(behavior="ignoreErrors")
    page.goto("about:blank")
    page.emulate_media(media="null", color_scheme="light")
    page.set_viewport_size(settings.get("viewport", DESKTOP))
    page.mouse.move(-9, -9)  # nothing of the next page is under it


@pytest.fixture
def open_page(browser):
    """Pages of new visitors; at the end, no request has left the host and no script has failed."""
    shared, own, requests, failures = {}, [], [], []
    listeners = {
        "request": lambda request: requests.append(request.url),
        "pageerror": lambda error: failures.append(str(error)),
    }

    def new(**settings):
        key = repr(sorted(settings.items()))
        if key in shared:
            own.append(_new_context(browser, settings))
            page = own[-1].new_page()
        else:
            context = kept_context(browser, **settings)
            context.clear_cookies()
            page = context.pages[0]
            shared[key] = page, settings
        for event, listener in listeners.items():
            page.on(event, listener)
        return page

    yield new
    for page, settings in shared.values():
        _leave(page, settings)
        for event, listener in listeners.items():
            page.remove_listener(event, listener)
    others = [one for page, _ in shared.values() for one in page.context.pages[1:]]
    for opened in (*others, *own):
        opened.close()
    assert all(url.startswith((HOST, "data:", "blob:", "file:")) for url in requests), requests
    assert not failures


CONTROLS = "button, .button, select, textarea, input[type=range], input[type=file], summary, nav a"


def assert_printed_on_a4(page):
    """On paper the page is A4, without what can only be pressed."""
    page.emulate_media(media="print")
    shown = [one.inner_text() for one in page.locator(CONTROLS).all() if one.is_visible()]
    assert shown == []
    document = page.pdf(prefer_css_page_size=True)
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", document)
    # In points, as a PDF counts. Chromium rounds to its own pixels.
    (size,) = {(float(width), float(height)) for width, height in boxes}
    assert size == pytest.approx((595.3, 841.9), abs=1)


def is_save(route):
    return route.request.method == "POST"


class Held:
    """The first save waits until it is let go; the others pass."""

    def __init__(self, page):
        self.route, self.saves = None, 0
        page.route("**/s/**", self._meet)

    def _meet(self, route):
        self.saves += is_save(route)
        if is_save(route) and self.route is None:
            self.route = route
        else:
            route.continue_()

    def let_go(self):
        self.route.continue_()
