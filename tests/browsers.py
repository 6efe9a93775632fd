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


# By settings: in a new context a page takes half a second more to be drawn.
_contexts = {}


def kept_context(browser, **settings):
    """The context with these settings that is kept for all tests."""
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


@pytest.fixture
def open_page(browser):
    """Pages of new visitors; at the end, no request has left the host and no script has failed."""
    shared, own, requests, failures = {}, [], [], []

    def new(**settings):
        key = repr(sorted(settings.items()))
        if key in shared:
            own.append(_new_context(browser, settings))
            context = own[-1]
        else:
            context = shared[key] = kept_context(browser, **settings)
            context.clear_cookies()
        page = context.new_page()
        page.on("request", lambda request: requests.append(request.url))
        page.on("pageerror", lambda error: failures.append(str(error)))
        return page

    yield new
    pages = [page for context in shared.values() for page in context.pages[1:]]
    for opened in (*pages, *own):
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
