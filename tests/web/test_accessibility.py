"""Every page of the demo, as axe-core sees it: WCAG 2.2 A and AA without a serious violation."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from web_walk import join

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
PHONE = {"width": 390, "height": 844}
TASKS = (
    "extracts", "judgments", "pairs", "utilities", "categories", "content units", "unit marks",
    "coverage", "questions",
)  # fmt: skip


def check(page):
    """Serious and critical violations of what the page shows now."""
    # What the sticky foot covers at the moment is too small a target for axe; see `small_targets`.
    rules = {"target-size": {"enabled": False}}
    options = {"runOnly": {"type": "tag", "values": RULES}, "rules": rules}
    found = Axe().run(page, options=options).response["violations"]
    wrong = [
        (one["id"], one["impact"], [node["target"] for node in one["nodes"]][:3])
        for one in found
        if one["impact"] in ("serious", "critical")
    ]
    assert wrong == [], (page.url, wrong)
    assert small_targets(page) == [], page.url


def small_targets(page):
    """Buttons, menus and marks that are lower or narrower than the 24 px of WCAG 2.2."""
    return page.locator(
        "button:not([aria-hidden]), .button, select, .scale .row span"
    ).evaluate_all("""found => found
        .map(one => [one.outerHTML.slice(0, 120), one.getBoundingClientRect()])
        .filter(([, box]) => box.width && (box.width < 23.9 || box.height < 23.9))
        .map(([html]) => html)""")


@pytest.mark.parametrize("size", [None, PHONE], ids=["desktop", "phone"])
def test_informants_meet_no_barrier(server, open_page, size):
    page = open_page(**({"viewport": size} if size else {}))
    page.goto(server.base)
    check(page)
    for task in TASKS:
        page.goto(server.study(f"Demo: {task}"))
        check(page)
        join(page, page.url, f"Reader {page.viewport_size['width']}")
        check(page)
        if task == "extracts":
            page.locator(".unit input").nth(0).check(force=True)
            page.locator(".unit input").nth(3).check(force=True)
            page.locator(".unit input").nth(5).check(force=True)
            page.wait_for_selector("#outcome[data-set='0 3 5']")
            check(page)
            page.click("#go-on")
            page.wait_for_url("**/review")
            check(page)
            page.click("button.primary")
            page.wait_for_url("**done=1")
            check(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_researchers_meet_no_barrier(serve, tmp_path, open_page, scheme):
    with serve(tmp_path / "demo.db", "--demo") as server:
        look_at_every_page(server, open_page(color_scheme=scheme))


def look_at_every_page(server, page):
    page.goto(server.login)
    check(page)
    page.click("button.primary")
    page.wait_for_url("**/studies")
    addresses = {page.url}
    seen = set()
    base = re.match(r"http://[^/]+", page.url)[0]
    # Every page that a link leads to, of one study for each kind.
    for task in ("extracts", "judgments"):
        study = server.study(f"Demo: {task}").replace("/s/", "/studies/")
        addresses |= {study, f"{study}/judgments"}
        addresses |= {f"{study}/votes/1", f"{study}/informants", f"{study}/differences/1"}
    addresses |= {f"{base}{path}" for path in ("/studies/new", "/account", "/accounts", "/log")}
    while addresses - seen:
        address = sorted(addresses - seen)[0]
        seen.add(address)
        page.goto(address)
        check(page)
        menu = page.locator("header nav a").evaluate_all("links => links.map(a => a.href)")
        addresses |= {link for link in menu if "/studies/" in link or "/account" in link}
    assert len(seen) > 20
