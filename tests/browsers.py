"""A real browser for tests: one for the whole run, since two cannot be driven at once."""

import os
import shutil

import pytest

HOST = "http://127.0.0.1"
# A loaded machine is slow; a test that waits longer than this has failed, whatever it waits for.
PATIENCE = 90_000
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
        yield started
        started.close()


@pytest.fixture
def open_page(browser):
    """Pages of new visitors; at the end, no request has left the host and no script has failed."""
    contexts, asked, failed = [], [], []

    def new(**settings):
        context = (
            browser.new_context(viewport={"width": 1280, "height": 900}, **settings)
            if "viewport" not in settings
            else browser.new_context(**settings)
        )
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: failed.append(str(error)))
        return page

    yield new
    for context in contexts:
        context.close()
    assert all(url.startswith((HOST, "data:", "blob:", "file:")) for url in asked), asked
    assert not failed
