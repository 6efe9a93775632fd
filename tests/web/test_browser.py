"""The informant's way in a real browser: pointer, keyboard, phone, without JavaScript, offline."""

import re

import pytest
from playwright.sync_api import expect
from web_walk import join

PHONE = {"width": 390, "height": 844}


def place_of(page, unit):
    """The middle of the first line of a sentence, scrolled into sight."""
    return page.locator(f"#u{unit} span").evaluate("""element => {
        element.scrollIntoView({ block: 'center', behavior: 'instant' });
        const line = element.getClientRects()[0];
        return [line.x + line.width / 2, line.y + line.height / 2];
    }""")


def press(page, unit):
    page.mouse.click(*place_of(page, unit))


def expect_units(page, *numbers):
    expect(page.locator("#outcome")).to_have_attribute("data-set", " ".join(map(str, numbers)))


def test_an_extract_is_made_by_pointer_reviewed_and_submitted(server, open_page):
    page = open_page()
    address = join(page, server.study("Demo: extracts"), "Pointer")
    for unit in (0, 3, 6, 8):
        press(page, unit)
    expect_units(page, 0, 3, 6, 8)
    # Each sentence of the extract leads to its place, and can be removed there.
    page.locator(".so-far li").nth(3).get_by_role("button").click()
    expect_units(page, 0, 3, 6)
    expect(page.locator("#u8 input")).not_to_be_checked()
    # A closed browser goes on where it was.
    page.goto("about:blank")
    page.goto(address)
    expect_units(page, 0, 3, 6)
    page.click("#go-on")
    page.wait_for_url("**/review")
    expect(page.locator("article p span")).to_have_count(3)
    page.get_by_role("button", name="Submit").click()
    page.wait_for_url("**done=1")
    expect(page.get_by_role("heading", level=1)).to_have_text("Thank you")


def test_an_extract_is_made_by_keys_alone(server, open_page):
    page = open_page()
    page.goto(server.study("Demo: extracts"))
    page.locator("#name").focus()
    page.keyboard.type("Keys")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector("#outcome")
    page.wait_for_load_state()
    for key in ("j", "Space", "j", "j", "Space", "j", "j", "Space"):
        page.keyboard.press(key)
    expect_units(page, 0, 2, 4)
    for key in ("j", "Space"):
        page.keyboard.press(key)
    expect_units(page, 0, 2, 4, 5)
    page.keyboard.press("u")
    expect_units(page, 0, 2, 4)
    expect(page.locator("#u5 input")).not_to_be_checked()
    page.keyboard.press("?")
    expect(page.locator("#all-keys")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    page.wait_for_url("**/review")
    page.get_by_role("button", name="Submit").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**done=1")


def test_too_short_an_extract_cannot_be_reviewed_and_the_page_says_why(server, open_page):
    page = open_page()
    address = join(page, server.study("Demo: extracts"), "Short")
    expect(page.locator("#go-on")).to_have_attribute("aria-disabled", "true")
    # It can be pressed and says why nothing happens; Playwright takes it for disabled.
    page.locator("#go-on").click(force=True)
    expect(page.locator("#length-verdict")).to_have_text("Choose more: at least 5% of the words.")
    assert page.url == address


def test_a_phone_is_enough(server, open_page):
    page = open_page(viewport=PHONE, has_touch=True, is_mobile=True)
    join(page, server.study("Demo: extracts"), "Phone")
    for unit in (0, 2, 4):
        page.touchscreen.tap(*place_of(page, unit))
    expect_units(page, 0, 2, 4)
    # Nothing is wider than the screen, and the button stays in sight.
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    expect(page.locator("#go-on")).to_be_in_viewport()
    page.locator("#go-on").tap()
    page.wait_for_url("**/review")
    page.get_by_role("button", name="Submit").tap()
    page.wait_for_url("**done=1")
    # Nor is the personal link.
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_everything_essential_works_without_javascript(server, open_page):
    page = open_page(java_script_enabled=False)
    join(page, server.study("Demo: extracts"), "No script")
    for unit in (0, 2, 4):
        page.locator(f"#u{unit} input").check(force=True)
    page.get_by_role("button", name="Save and update the length").click()
    expect_units(page, 0, 2, 4)
    page.get_by_role("button", name="Undo").click()
    expect_units(page)
    for unit in (1, 3, 5):
        page.locator(f"#u{unit} input").check(force=True)
    page.get_by_role("button", name="Save and update the length").click()
    page.locator(".languages summary").click()
    page.get_by_role("link", name="Svenska").click()
    expect(page.locator("html")).to_have_attribute("lang", "sv")
    expect_units(page, 1, 3, 5)
    page.locator(".languages summary").click()
    page.get_by_role("link", name="English").click()
    page.get_by_role("button", name="Review extract").click()
    expect(page.locator("article p span")).to_have_count(3)
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Thank you")


def test_choices_are_kept_while_the_server_cannot_be_reached(server, open_page):
    page = open_page()
    address = join(page, server.study("Demo: extracts"), "Offline")
    page.route(
        "**/s/**",
        lambda route: route.abort() if route.request.method == "POST" else route.continue_(),
    )
    press(page, 2)
    expect(page.locator("#saved")).to_contain_text("Not saved")
    page.unroute("**/s/**")
    # Loaded again, the page puts the choice back and saves it.
    page.goto(address)
    expect_units(page, 2)
    expect(page.locator("#u2 input")).to_be_checked()


def test_a_choice_made_before_the_scripts_are_there_is_saved(server, open_page):
    page = open_page()
    address = join(page, server.study("Demo: extracts"), "Early")
    held = []
    page.route("**/static/htmx.min.js", lambda route: held.append(route))
    page.goto(address, wait_until="commit")
    page.wait_for_selector("#outcome")
    press(page, 2)
    expect(page.locator("#u2 input")).to_be_checked()
    expect_units(page)
    held[0].continue_()
    expect_units(page, 2)


class Held:
    """Saves that wait until they are let go; the others pass."""

    def __init__(self, page):
        self.route, self.saves = None, 0
        page.route("**/s/**", self._meet)

    def _meet(self, route):
        if route.request.method == "POST":
            self.saves += 1
            if self.route is None:
                self.route = route
                return
        route.continue_()

    def let_go(self):
        self.route.continue_()


def test_undo_waits_for_a_save_that_is_on_its_way(server, open_page):
    page = open_page()
    join(page, server.study("Demo: extracts"), "Quick")
    press(page, 0)
    expect_units(page, 0)
    held = Held(page)
    press(page, 2)
    page.click("#undo")
    page.wait_for_timeout(0)
    held.let_go()
    expect_units(page, 0)
    expect(page.locator("#u2 input")).not_to_be_checked()


def test_clicks_faster_than_a_save_are_undone_one_by_one(server, open_page):
    page = open_page()
    address = join(page, server.study("Demo: extracts"), "Faster")
    held = Held(page)
    for unit in (0, 3, 6, 8):
        press(page, unit)
    press(page, 3)
    page.wait_for_timeout(0)
    held.let_go()
    expect_units(page, 0, 6, 8)
    # One save for the first click, and one for all that came while it was on its way.
    assert held.saves == 2
    for left in ((0, 3, 6, 8), (0, 3, 6), (0, 3)):
        page.keyboard.press("u")
        expect_units(page, *left)
    # Presses of Undo that are faster than its answer count one by one too.
    page.keyboard.press("u")
    page.keyboard.press("u")
    expect_units(page)
    expect(page.locator(".unit input:checked")).to_have_count(0)
    page.goto(address)
    expect_units(page)


def test_clicks_that_could_not_be_saved_are_undone_one_by_one_afterwards(server, open_page):
    page = open_page()
    join(page, server.study("Demo: extracts"), "Broken line")
    page.route(
        "**/s/**",
        lambda route: route.abort() if route.request.method == "POST" else route.continue_(),
    )
    for unit in (0, 2, 4):
        press(page, unit)
        expect(page.locator("#saved")).to_contain_text("Not saved")
    page.unroute("**/s/**")
    # Undo saves first what is there.
    page.click("#undo")
    expect_units(page, 0, 2)
    page.click("#undo")
    expect_units(page, 0)
    expect(page.locator("#u2 input")).not_to_be_checked()


def test_two_tabs_do_not_overwrite_each_other(server, open_page):
    first = open_page()
    address = join(first, server.study("Demo: extracts"), "Tabs")
    second = first.context.new_page()
    second.goto(address)
    press(first, 0)
    expect_units(first, 0)
    press(second, 4)
    expect(second.get_by_role("alert")).to_contain_text("another window")
    second.reload()
    expect_units(second, 0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_draws_a_chosen_sentence_with_more_than_a_colour(server, open_page, scheme):
    page = open_page(color_scheme=scheme)
    join(page, server.study("Demo: extracts"), f"Seen {scheme}")
    press(page, 0)
    style = page.locator("#u0 span").evaluate("e => getComputedStyle(e).textDecorationLine")
    assert re.search("underline", style)
