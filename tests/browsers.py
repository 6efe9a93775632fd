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
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium")
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
        # The first page of each test is opened here: in a context of its own it would take half a
        # second more. A page that stays open keeps the process that draws the others.
        context = started.new_context(viewport=DESKTOP)
        context.set_default_timeout(PATIENCE)
        context.new_page().goto("data:text/html,<form><input></form><script>1</script>warm")
        yield started
        started.close()


@pytest.fixture
def open_page(browser):
    """Pages of new visitors; at the end, no request has left the host and no script has failed."""
    contexts, pages, requests, failures = [], [], [], []
    shared_context = browser.contexts[0]

    def new(**settings):
        if settings or pages:
            context = browser.new_context(**{"viewport": DESKTOP, **settings})
            context.set_default_timeout(PATIENCE)
            contexts.append(context)
        else:
            context = shared_context
            context.clear_cookies()
        page = context.new_page()
        pages.append(page)
        page.on("request", lambda request: requests.append(request.url))
        page.on("pageerror", lambda error: failures.append(str(error)))
        return page

    yield new
    for opened in (*shared_context.pages[1:], *contexts):
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
