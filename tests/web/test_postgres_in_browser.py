"""A study on a real PostgreSQL, in a real browser: join, make an extract, see the statistics."""

from playwright.sync_api import expect


def test_an_extract_is_made_and_counted_on_postgresql(postgres, serve, open_page):
    with serve(postgres, "--demo") as server:
        page = open_page()
        page.goto(server.study("Demo: extracts"))
        page.fill("#name", "Heron")
        page.locator("input[type=radio]").first.check()
        page.check("input[name=consent]")
        page.click("button.primary")
        page.wait_for_selector("#outcome")
        title = page.get_by_role("heading", level=1).inner_text()
        chosen = []
        for unit in (0, 2, 5):
            page.locator(f"#u{unit} span").click()
            chosen.append(str(unit))
            expect(page.locator("#outcome")).to_have_attribute("data-set", " ".join(chosen))
        page.get_by_role("button", name="Undo").click()
        expect(page.locator("#outcome")).to_have_attribute("data-set", "0 2")
        # A closed browser goes on where it was.
        page.reload()
        expect(page.locator("#outcome")).to_have_attribute("data-set", "0 2")
        page.click("#go-on")
        page.wait_for_url("**/review")
        page.get_by_role("button", name="Submit").click()
        page.wait_for_url("**done=1")

        researcher = open_page()
        researcher.goto(server.login)
        researcher.get_by_role("button", name="Log in").click()
        researcher.wait_for_url("**/studies")
        researcher.get_by_role("link", name="Demo: extracts").click()
        expect(researcher.get_by_text("46 extracts by 6 informants")).to_be_visible()
        # Five of the demo and the new one.
        row = researcher.get_by_role("row").filter(has_text=title)
        expect(row.get_by_role("cell").first).to_have_text("6")
        row.get_by_role("link").first.click()
        expect(researcher.get_by_text("Votes of 6 informants")).to_be_visible()
