"""All pictures on one page in a real browser: light, dark, on a phone, for everybody."""

import pytest
from barriers import RULES, violations
from browsers import DESKTOP, PHONE
from pictured import all_pictures, generated

from summetry.records.scores import Column
from summetry.reports.pictures.css import stylesheet
from summetry.reports.pictures.heat_map import heat_table
from summetry.reports.pictures.systems import ranking_table

ALL = {"runOnly": {"type": "tag", "values": RULES}}


def written(table, folder):
    """The address of a page as the report is: one stylesheet, no style attribute."""
    made, pictures = all_pictures(table)
    parts = [ranking_table(made.ranking), heat_table(made.heat)]
    parts += [picture.figure for picture in pictures.values()]
    path = folder / "all.html"
    path.write_text(
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Pictures</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{stylesheet()}</style></head>"
        f'<body><main class="page"><h1>Pictures</h1>{"".join(parts)}</main></body></html>',
        "utf-8",
    )
    return path.as_uri()


@pytest.fixture(scope="module")
def page_of_all(strange_table, tmp_path_factory):
    return written(strange_table, tmp_path_factory.mktemp("pictures"))


@pytest.fixture
def shown(page_of_all, shared_page):
    def show(**settings):
        page = shared_page(**settings)
        page.goto(page_of_all)
        return page

    return show


def test_pictures_of_three_systems_have_no_barrier(tmp_path, visitor):
    table = generated(["a", "b", "c"], ["t1", "t2", "t3"], (Column("rouge-1"), Column("lcs")))
    page = visitor.page(color_scheme="dark", viewport=PHONE)
    page.goto(written(table, tmp_path))
    assert violations(page, ALL) == []


@pytest.mark.slow
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pictures_of_strange_names_have_no_barrier(shown, scheme, size):
    assert violations(shown(color_scheme=scheme, viewport=size), ALL) == []


def test_on_a_phone_the_page_does_not_move_sideways_and_letters_are_large_enough(shown):
    page = shown(viewport=PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    smallest = page.evaluate("""() => Math.min(...[...document.querySelectorAll("svg text")].map(
        one => {
            const now = one.getScreenCTM();
            return Math.hypot(now.a, now.b) * parseFloat(getComputedStyle(one).fontSize);
        }))""")
    # Names are 17 px high and numbers of axes 15, of a picture of 520 that is drawn on about 350.
    assert smallest > 9.5


def test_every_picture_is_an_image_with_a_name_and_holds_its_words(shown):
    page = shown()
    assert page.evaluate("document.documentElement.scrollWidth") <= DESKTOP["width"]
    images = page.get_by_role("img")
    assert images.count() == page.locator("svg.chart").count() >= 8
    assert page.get_by_role("img", name="How far the metrics agree").count() == 1
    outside = page.evaluate("""() => [...document.querySelectorAll("svg.chart")].flatMap(svg => {
        const frame = svg.getBoundingClientRect();
        return [...svg.querySelectorAll("text")].filter(one => {
            const box = one.getBoundingClientRect();
            return box.left < frame.left - 2 || box.right > frame.right + 2
                || box.top < frame.top - 4 || box.bottom > frame.bottom + 4;
        }).map(one => [svg.querySelector("title").textContent, one.textContent]);
    })""")
    assert outside == []
