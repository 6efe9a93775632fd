"""All pictures on one page in a real browser: light, dark, on a phone, for everybody."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from pictured import all_pictures

from summetry.reports.pictures.css import stylesheet
from summetry.reports.pictures.heat_map import heat_table
from summetry.reports.pictures.systems import ranking_table

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def page_of_all(strange_table, tmp_path_factory):
    """A page as the report is: one stylesheet, no style attribute."""
    made, pictures = all_pictures(strange_table)
    parts = [ranking_table(made.ranking), heat_table(made.heat)]
    parts += [picture.figure for picture in pictures.values()]
    path = tmp_path_factory.mktemp("pictures") / "all.html"
    path.write_text(
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Pictures</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{stylesheet()}</style></head>"
        f'<body><main class="page"><h1>Pictures</h1>{"".join(parts)}</main></body></html>',
        "utf-8",
    )
    return path.as_uri()


@pytest.mark.parametrize("size", [None, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pictures_have_no_barrier_and_the_page_does_not_move_sideways(
    page_of_all, open_page, scheme, size
):
    page = open_page(color_scheme=scheme, **({"viewport": size} if size else {}))
    page.goto(page_of_all)
    options = {"runOnly": {"type": "tag", "values": RULES}}
    found = Axe().run(page, options=options).response["violations"]
    assert [(one["id"], one["nodes"][0]["html"][:200]) for one in found] == []
    width = page.viewport_size["width"]
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_letters_on_a_phone_are_large_enough(page_of_all, open_page):
    page = open_page(viewport=PHONE)
    page.goto(page_of_all)
    smallest = page.evaluate("""() => Math.min(...[...document.querySelectorAll("svg text")].map(
        one => {
            const now = one.getScreenCTM();
            return Math.hypot(now.a, now.b) * parseFloat(getComputedStyle(one).fontSize);
        }))""")
    # Names are 17 px high and numbers of axes 15, of a picture of 520 that is drawn on about 350.
    assert smallest > 9.5


def test_every_picture_is_an_image_with_a_name_and_a_description(page_of_all, open_page):
    page = open_page()
    page.goto(page_of_all)
    images = page.get_by_role("img")
    assert images.count() == page.locator("svg.chart").count() >= 8
    assert page.get_by_role("img", name="How far the metrics agree").count() == 1


def test_no_name_leaves_its_picture_or_covers_the_plot(page_of_all, open_page):
    page = open_page()
    page.goto(page_of_all)
    outside = page.evaluate("""() => [...document.querySelectorAll("svg.chart")].flatMap(svg => {
        const frame = svg.getBoundingClientRect();
        return [...svg.querySelectorAll("text")].filter(one => {
            const box = one.getBoundingClientRect();
            return box.left < frame.left - 2 || box.right > frame.right + 2
                || box.top < frame.top - 4 || box.bottom > frame.bottom + 4;
        }).map(one => [svg.querySelector("title").textContent, one.textContent]);
    })""")
    assert outside == []
