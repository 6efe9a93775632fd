"""What scripts do for informants in a real browser: pointer, keyboard, phone, offline."""

import itertools
import re

import pytest
from browsers import HAND_HELD, PHONE, Held, assert_printed_on_a4, is_save
from playwright.sync_api import expect
from web_content import corpus_of, topic_of

from summetry.records.topics import Document, Topic

TEN = tuple(f"This is sentence number {n}." for n in range(10))
WORDS = "The ferry struck the pier at noon. Nobody was hurt. The old quay is open."


@pytest.fixture
def heron(server):
    """Somebody who joined a new study of one text of ten sentences, and the study."""
    study, heron = server.begin(corpus=corpus_of(topic_of("t", TEN)))
    return heron, study


@pytest.fixture
def page(server, open_page, heron):
    """The page on which Heron makes an extract of the ten sentences."""
    page = open_page()
    server.show_item(page, *heron)
    return page


def press(page, *units):
    for unit in units:
        page.mouse.click(*middle_of(page, unit))


def type_keys(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def expect_chosen(page, unit, chosen=True):
    expect(page.locator(f"#u{unit} input")).to_be_checked(checked=chosen)


def middle_of(page, unit):
    """The middle of the first line of a sentence, scrolled into sight."""
    return page.locator(f"#u{unit} span").evaluate("""element => {
        element.scrollIntoView({ block: 'center', behavior: 'instant' });
        const line = element.getClientRects()[0];
        return [line.x + line.width / 2, line.y + line.height / 2];
    }""")


def expect_units(page, *numbers):
    expect(page.locator("#outcome")).to_have_attribute("data-set", " ".join(map(str, numbers)))


def cut_off(page):
    """No save arrives."""
    page.route("**/s/**", lambda route: (route.abort if is_save(route) else route.continue_)())


def test_an_extract_is_made_by_pointer_and_stays_when_the_browser_is_closed(page):
    address = page.url
    press(page, 0, 3, 6)
    expect_units(page, 0, 3, 6)
    # More than a colour.
    style = page.locator("#u0 span").evaluate("e => getComputedStyle(e).textDecorationLine")
    assert "underline" in style
    # Each sentence of the extract leads to its place, and can be removed there.
    page.locator(".so-far li").nth(2).get_by_role("button").click()
    expect_units(page, 0, 3)
    expect_chosen(page, 6, False)
    page.goto("about:blank")
    page.goto(address)
    expect_units(page, 0, 3)


def test_the_page_of_the_review_is_printed(server, open_page, heron):
    visitor, study = heron
    visitor.send(study, unit=["0", "3", "6"])
    page = open_page()
    server.hand_over(visitor, page)
    page.goto(f"{server.link(study)}/1/review")
    assert_printed_on_a4(page)
    assert page.locator("article p span").count() == 3 and page.locator("article").is_visible()


def test_an_extract_is_made_by_keys_alone(page):
    type_keys(page, "j", "Space", "j", "j", "Space", "j", "j", "Space")
    expect_units(page, 0, 2, 4)
    type_keys(page, "j", "Space")
    expect_units(page, 0, 2, 4, 5)
    type_keys(page, "u")
    expect_units(page, 0, 2, 4)
    expect_chosen(page, 5, False)
    type_keys(page, "?")
    expect(page.locator("#all-keys")).to_be_visible()
    type_keys(page, "Escape", "Enter")
    page.wait_for_url("**/review")


def test_too_short_an_extract_cannot_be_reviewed_and_the_page_says_why(page):
    before = page.url
    expect(page.locator("#go-on")).to_have_attribute("aria-disabled", "true")
    # It can be pressed and says why nothing happens; Playwright takes it for disabled.
    page.locator("#go-on").click(force=True)
    expect(page.locator("#length-verdict")).to_have_text("Choose more: at least 5% of the words.")
    assert page.url == before


def test_on_a_phone_nothing_is_too_wide_and_an_extract_is_reviewed(server, open_page):
    phone = open_page(**HAND_HELD)
    server.open_item(phone, server.study(corpus=corpus_of(topic_of("t", TEN * 3))))
    for unit in (0, 2, 4):
        phone.touchscreen.tap(*middle_of(phone, unit))
    expect_units(phone, 0, 2, 4)
    assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert phone.evaluate("document.documentElement.scrollHeight") > PHONE["height"]
    expect(phone.locator("#go-on")).to_be_in_viewport()
    phone.locator("#go-on").tap()
    phone.wait_for_url("**/review")


def test_on_a_phone_a_narrow_window_and_its_words_do_not_overlap(server, open_page):
    page = open_page(**HAND_HELD)
    corpus = corpus_of(topic_of("t", TEN))
    server.open_item(page, server.study(corpus=corpus, shortest=30, longest=40))
    expect(page.locator("#length-verdict")).to_have_text("Choose more: at least 30% of the words.")
    boxes = page.locator("#length text, #length p").evaluate_all("""all => all.map(one => {
        const box = one.getBoundingClientRect();
        return [box.left, box.right, box.top, box.bottom];
    })""")
    for (left, right, top, bottom), other in itertools.combinations(boxes, 2):
        beside = right <= other[0] or other[1] <= left
        assert beside or bottom <= other[2] or other[3] <= top, boxes
    assert len(boxes) > 2


def test_choices_are_kept_while_the_server_cannot_be_reached(page):
    address = page.url
    cut_off(page)
    press(page, 2)
    expect(page.locator("#saved")).to_contain_text("Not saved")
    page.unroute("**/s/**")
    # Loaded again, the page puts the choice back and saves it.
    page.goto(address)
    expect_units(page, 2)
    expect_chosen(page, 2)


def test_a_choice_made_before_the_scripts_are_there_is_saved(page):
    held = []
    page.route("**/static/htmx.min.js", lambda route: held.append(route))
    page.goto(page.url, wait_until="commit")
    page.wait_for_selector("#outcome")
    press(page, 2)
    expect_chosen(page, 2)
    expect_units(page)
    held[0].continue_()
    expect_units(page, 2)


@pytest.fixture
def own_words(server, open_page):
    """A new study that asks for own words too, open on a page as large as it is called with."""

    def call(**settings):
        page = open_page(**settings)
        corpus = corpus_of(topic_of("t", TEN))
        server.open_item(page, server.study(corpus=corpus, abstract=True))
        return page

    return call


def expect_saved(page, version):
    expect(page.locator("#outcome [name=version]")).to_have_value(str(version))


def test_what_is_typed_while_a_save_is_on_its_way_stays(own_words):
    page = own_words()
    abstract, note = page.locator("#abstract"), page.locator("#note")
    held = Held(page)
    press(page, 0)
    abstract.click()
    page.keyboard.type("The ju")
    held.let_go()
    expect_units(page, 0)
    page.keyboard.type("ry")
    expect(abstract).to_have_value("The jury")
    page.locator("summary", has_text="Leave a note").click()
    expect_saved(page, 2)
    note.click()
    page.keyboard.type("unclear, jk but us, too")
    expect(note).to_have_value("unclear, jk but us, too")
    # The focus goes on from there, as if nothing had been saved.
    abstract.click()
    expect_saved(page, 3)
    page.keyboard.type("!")
    page.keyboard.press("Tab")
    expect_saved(page, 4)
    expect(page.locator("#note-fold summary")).to_be_focused()
    expect_units(page, 0)
    # Undo takes back the last of it, and what was on the page follows.
    page.click("#undo")
    expect(abstract).not_to_have_value(re.compile("!"))
    expect(note).to_have_value("unclear, jk but us, too")


def test_on_a_phone_the_message_leads_to_the_own_words(own_words):
    phone = own_words(**HAND_HELD)
    abstract = phone.locator("#abstract")
    expect(abstract).to_be_hidden()
    phone.touchscreen.tap(*middle_of(phone, 0))
    phone.get_by_role("link", name="Write a summary in your own words too.").tap()
    expect(abstract).to_be_focused()
    expect(abstract).to_be_in_viewport()
    # A sentence that is chosen closes nothing.
    phone.locator("#u4 span").tap()
    expect_units(phone, 0, 4)
    expect(abstract).to_be_visible()


def test_a_conflict_leaves_what_is_typed_on_the_page(server, open_page):
    page = open_page()
    study, visitor = server.begin(corpus=corpus_of(topic_of("t", TEN)), abstract=True)
    server.show_item(page, visitor, study)
    visitor.send(study, unit=["0"])
    page.fill("#abstract", "Mine")
    press(page, 1)
    expect(page.get_by_role("alert")).to_contain_text("another window")
    expect(page.locator("#abstract")).to_have_value("Mine")


def test_undo_waits_for_a_save_that_is_on_its_way(page):
    press(page, 0)
    expect_units(page, 0)
    held = Held(page)
    press(page, 2)
    page.click("#undo")
    page.wait_for_timeout(0)
    held.let_go()
    expect_units(page, 0)
    expect_chosen(page, 2, False)


def test_clicks_faster_than_a_save_are_undone_one_by_one(page):
    held = Held(page)
    press(page, 0, 3, 6, 3)
    page.wait_for_timeout(0)
    held.let_go()
    expect_units(page, 0, 6)
    # One save for the first click, and one for all that came while it was on its way.
    assert held.saves == 2
    for remaining in ((0, 3, 6), (0, 3)):
        type_keys(page, "u")
        expect_units(page, *remaining)
    # Presses of Undo that are faster than its answer count one by one too.
    type_keys(page, "u", "u")
    expect_units(page)
    expect(page.locator(".unit input:checked")).to_have_count(0)


def test_clicks_that_could_not_be_saved_are_undone_one_by_one_afterwards(page):
    cut_off(page)
    for unit in (0, 2, 4):
        press(page, unit)
        expect(page.locator("#saved")).to_contain_text("Not saved")
    page.unroute("**/s/**")
    # Undo saves first what is there.
    for remaining in ((0, 2), (0,)):
        page.click("#undo")
        expect_units(page, *remaining)
    expect_chosen(page, 2, False)


def test_a_save_that_met_a_busy_server_is_sent_again(page):
    refused = []

    def busy(route):
        if is_save(route) and not refused:
            refused.append(route)
            route.fulfill(status=503, headers={"Retry-After": "0.1"})
        else:
            route.continue_()

    page.route("**/s/**", busy)
    press(page, 0)
    expect_units(page, 0)
    assert refused


def test_two_tabs_do_not_overwrite_each_other(page, heron):
    visitor, study = heron
    visitor.send(study, unit=["0"])
    press(page, 4)
    expect(page.get_by_role("alert")).to_contain_text("another window")
    page.reload()
    expect_units(page, 0)


def test_words_are_chosen_by_pointer_and_keys(server, open_page):
    """Word extraction: what is chosen reads as the text does, marks and all."""
    document = Document("d", text=WORDS, units=tuple(re.findall(r"\w+", WORDS)))
    corpus = corpus_of(Topic("t", unit="word", documents=(document,)))
    page = open_page()
    server.open_item(page, server.study(corpus=corpus, longest=80))
    expect(page.locator("article fieldset p").first).to_have_text(WORDS)
    expect(page.locator(".unit")).to_have_count(15)
    page.click("#u1 span")
    page.click("#u2 span")
    expect_units(page, 1, 2)
    # By keys: from the word with the focus two on.
    type_keys(page, "j", "j", "Space")
    expect_units(page, 1, 2, 4)
    expect(page.locator("#length")).to_contain_text("3 of 15 words")
    expect(page.locator("#so-far")).to_have_text("ferry struck pier.")
    page.locator("#so-far a", has_text="pier").click()
    expect(page.locator("#u4 input")).to_be_focused()
