"""Every page of the demo, as axe-core sees it: WCAG 2.2 A and AA without a serious violation."""

import re

import pytest
from barriers import PHONE, check

TASKS = (
    "extracts", "judgments", "pairs", "utilities", "categories", "content units", "unit marks",
    "coverage", "questions",
)  # fmt: skip


def join(page, address):
    page.goto(address)
    check(page)
    page.fill("#name", f"Reader {page.viewport_size['width']}")
    for question in page.locator("fieldset.choices").all():
        if question.locator("input[type=radio]").count():
            question.locator("input[type=radio]").first.check()
    if page.locator("input[name=consent]").count():
        page.check("input[name=consent]")
    page.click("button.primary")
    page.wait_for_selector("#outcome")


@pytest.mark.parametrize("size", [None, PHONE], ids=["desktop", "phone"])
def test_informants_meet_no_barrier(server, open_page, size):
    page = open_page(**({"viewport": size} if size else {}))
    page.goto(server.base)
    check(page)
    for task in TASKS:
        join(page, server.study(f"Demo: {task}"))
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
