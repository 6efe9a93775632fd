"""The report in a real browser, opened from disk: every view, by pointer and keyboard, on paper."""

import re
from dataclasses import replace

import pytest
from barriers import check, show, violations
from browsers import PHONE
from judge_tables import ALT_TEST, PAIRS, POINTS
from playwright.sync_api import expect

import summetry
from summetry.metaeval.columns import short_name
from summetry.reports.page.added import alt_test_section, judge_section

DARK = {"color_scheme": "dark"}


@pytest.fixture
def shown(shared_page, demo_page):
    """The page, as a new visitor has it."""

    def show(fragment="", path=demo_page, **settings):
        page = shared_page(**settings)
        page.goto(path.as_uri() + fragment)
        return page

    return show


@pytest.fixture
def printed(shown, visitor):
    """The page on paper; it is the one that others see on the screen."""

    def show(**how):
        page = shown(**how)
        page.emulate_media(media="print")
        return page

    yield show
    visitor.page().emulate_media(media="screen")


FIRST_SYSTEM = "table.ranking tbody tr:first-child th bdi"


def test_the_verdict_comes_first_and_nothing_is_asked(shown, visitor, demo_page, demo_report):
    page = shown()
    said = [" ".join(text.split()) for text in page.locator(".verdict-first").all_inner_texts()]
    assert said == demo_report.verdicts[: len(said)]
    verdict, table = page.locator(".verdict-first").first, page.locator("table.ranking")
    assert verdict.bounding_box()["y"] < table.bounding_box()["y"]
    expect(page.locator("#trouble")).to_be_hidden()
    page.select_option("#choose-topic", index=1)
    expect(page.locator("#texts-now")).to_contain_text("t02")
    urls = [url for url in visitor.requests if not url.startswith(("data:", "about:"))]
    assert urls == [demo_page.as_uri()]


def test_every_metric_can_be_chosen_and_the_address_leads_back_to_it(shown, demo_report):
    page = shown()
    for number, ranking in enumerate(demo_report.findings.rankings):
        page.select_option("#choose-metric", str(number))
        name = short_name(ranking.column)
        expect(page.locator("#metric-box .lede")).to_contain_text(f"Mean {name}")
        expect(page.locator(FIRST_SYSTEM)).to_have_text(ranking.systems[0].system)
    assert "metric=4" in page.url
    again = shown(f"#{page.url.partition('#')[2]}")
    expect(again.locator("#metric-box .lede")).to_contain_text("Mean coselection")
    expect(again.locator("#choose-metric")).to_have_value("4")


def test_tables_are_sorted_by_their_headings_with_the_keyboard(shown):
    page = shown()
    heading = page.locator("table.ranking thead th").first
    names = page.locator("table.ranking tbody th bdi")
    ranked = names.all_inner_texts()
    heading.locator("button").focus()
    for direction, is_reversed in (("ascending", False), ("descending", True)):
        page.keyboard.press("Enter")
        expect(heading).to_have_attribute("aria-sort", direction)
        assert names.all_inner_texts() == sorted(ranked, reverse=is_reversed)
    page.locator("table.ranking thead th", has_text="Mean").locator("button").click()
    assert names.all_inner_texts() == ranked
    # Systems without a value come behind all others.
    page.locator("table.heatmap thead th", has_text="coselection").locator("button").click()
    order = page.locator("table.heatmap tbody th bdi").all_inner_texts()
    assert order[0] == "picker" and set(order[3:]) == {"careful", "hasty", "echo"}


def test_two_systems_and_one_reference_can_be_chosen_and_no_system_is_beside_itself(shown):
    page = shown()
    page.select_option("#choose-other", label="picker")
    box = page.locator("#texts-box")
    for system in ("careful", "picker"):
        expect(box).to_contain_text(system)
    expect(page.locator("#texts-now")).to_have_text(re.compile("^careful beside picker on t01"))
    expect(box.get_by_text("m3")).not_to_have_count(0)
    page.select_option("#choose-reference", "m1")
    expect(box.get_by_text("m3")).to_have_count(0)
    assert "reference=m1" in page.url
    page = shown("#system=1&other=1")
    own = page.locator("#choose-other option[value='1']")
    expect(own).to_be_disabled()
    expect(page.locator("#choose-other")).to_have_value("")
    page.select_option("#choose-system", "0")
    expect(own).to_be_enabled()
    page.select_option("#choose-other", "1")
    page.select_option("#choose-system", "1")
    expect(page.locator("#choose-other")).to_have_value("")
    expect(page.locator("#texts-now")).not_to_contain_text("beside")


def test_a_system_without_a_value_says_so_under_its_own_name(shown):
    page = shown("#by=4")
    page.select_option("#choose-other", label="picker")
    columns = page.locator("#texts-box .side-by-side").first.locator(":scope > div")
    expect(columns).to_have_count(2)
    expect(columns.nth(0)).to_have_text(re.compile("^careful.*The metric has no value here"))
    expect(columns.nth(1).locator("h3")).to_have_text("picker")
    expect(columns.nth(1).locator("dd").first).to_have_text(re.compile(r"^\d"))


def test_what_is_highlighted_first_is_what_the_script_makes(shown):
    page = shown()
    box = page.locator("#texts-box")
    before = box.inner_html()
    page.select_option("#choose-topic", "1")
    expect(page.locator("#texts-now")).to_contain_text("t02")
    assert box.inner_html() != before
    page.select_option("#choose-topic", "0")
    expect(page.locator("#texts-now")).to_contain_text("t01")
    assert box.inner_html() == before


def test_topics_on_which_systems_or_judges_differ_most_lead_to_their_texts(shown, demo_report):
    findings = demo_report.findings
    topics, values = findings.grid.topics, findings.grid.values[0]
    careful, picker = (findings.grid.systems.index(name) for name in ("careful", "picker"))
    apart = values[careful] - values[picker]
    order = sorted(range(len(topics)), key=lambda number: -abs(apart[number]))
    page = shown()
    page.locator("#differ summary").click()
    rows = page.locator(".differences tbody tr")
    expect(rows).to_have_count(len(topics))
    names = [text[:3] for text in rows.locator("th").all_inner_texts()]
    assert names == [topics[number] for number in order]

    def first_difference():
        return float(rows.first.locator("td").last.inner_text().replace("−", "-"))

    assert first_difference() == pytest.approx(apart[order[0]], abs=0.0005)
    rows.nth(1).locator("button").press("Enter")
    now = re.compile(f"^careful beside picker on {topics[order[1]]}")
    expect(page.locator("#texts-now")).to_have_text(now)
    # Of a metric and the judges both minus their means, divided by their standard deviations.
    marks = findings.judged[0].marks.means()
    apart = (values - values.mean()) / values.std() - (marks - marks.mean()) / marks.std()
    page.select_option("#choose-against", label="the judges on responsiveness")
    expect(page.locator(".differences caption")).to_contain_text("standard deviations")
    assert first_difference() == pytest.approx(max(apart[careful], key=abs), abs=0.0006)


@pytest.fixture(scope="module")
def page_on_judges(demo_report, tmp_path_factory):
    """The report with a test of a judge, and two runs of one."""
    added = (alt_test_section(ALT_TEST), judge_section([POINTS, PAIRS]))
    path = tmp_path_factory.mktemp("judges") / "report.html"
    return replace(demo_report, added=added).save(path)[0]


def rows_of(systems):
    """Rows of a score file from {system: numbers by topic}."""
    return [{"id": f"t{k}", "system": s, "f": f} for s in systems for k, f in enumerate(systems[s])]


def unfold(page):
    page.locator("details").evaluate_all("all => all.forEach(one => { one.open = true; })")


@pytest.fixture(scope="module")
def large(demo_report, tmp_path_factory):
    """A report that is too large for one page, its page and its folder."""
    report = replace(demo_report, largest=1000)
    return report, *report.save(tmp_path_factory.mktemp("large") / "large.html")


@pytest.fixture(scope="module")
def small_page(tmp_path_factory):
    """A report on two systems, without texts, with a test of a judge."""
    rows = rows_of({"a": [0.4] * 3, "b": [0.6] * 3})
    report = replace(summetry.report(rows, test="t"), added=(alt_test_section(ALT_TEST),))
    return report.save(tmp_path_factory.mktemp("small") / "report.html")[0]


@pytest.fixture(scope="module")
def dark_page(visitor, small_page):
    """A small page in the dark, into which axe's script has been put."""
    page = visitor.page(**DARK)
    page.goto(small_page.as_uri())
    unfold(page)
    violations(page, {"runOnly": {"type": "rule", "values": ["html-has-lang"]}})
    return page


@pytest.mark.parametrize("kind", ["small report", "page of a topic"])
def test_nobody_meets_a_barrier_on_small_pages(dark_page, large, kind):
    if kind == "page of a topic":
        show(dark_page, (large[2] / "0003.html").read_text("utf-8"))
        unfold(dark_page)
    check(dark_page)


@pytest.mark.slow
@pytest.mark.parametrize("settings", [
    {}, DARK, {"viewport": PHONE}, {"viewport": PHONE, **DARK},
], ids=["light", "dark", "phone", "dark phone"])  # fmt: skip
def test_nobody_meets_a_barrier(shown, page_on_judges, settings):
    page = shown("#other=1", path=page_on_judges, **settings)
    expect(page.locator("#texts-now")).to_contain_text("beside")
    page.get_by_role("link", name="Biases").click()
    expect(page.locator("#judge h2")).to_be_in_viewport()
    unfold(page)
    check(page)


# Words of a picture that lie over other words of it, or beyond its edges.
COVERED = """svg => {
  const edge = svg.getBoundingClientRect();
  const words = [...svg.querySelectorAll("text")]
    .map(one => [one.textContent, one.getBoundingClientRect()]);
  const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
  return words.filter(([, a], k) => a.left < edge.left - 1 || a.right > edge.right + 1
    || words.some(([, b], l) => l !== k && over(a, b))).map(([text]) => text);
}"""
EDGES = "all => all.map(one => one.getBoundingClientRect()).map(box => [box.left, box.right])"


def assert_within(locator, width):
    edges = locator.evaluate_all(EDGES)
    assert edges and all(left >= 0 and right <= width for left, right in edges)


@pytest.mark.parametrize(
    "width", [320, 640, *(pytest.param(w, marks=pytest.mark.slow) for w in (390, 1280))]
)
def test_nothing_moves_sideways_and_all_of_a_system_is_seen(shown, page_on_judges, width):
    page = shown("#other=1", path=page_on_judges, viewport={"width": width, "height": 800})
    expect(page.locator("#texts-now")).to_contain_text("beside")
    region = page.locator("#systems .scroll").first
    expect(region).not_to_have_class(re.compile("goes-on"))
    assert region.locator(".dot").count() == 6
    # Words, numbers and dots are within the window; numbers above the dots cover no other.
    assert_within(region.locator("th, td, .dot, .whisker"), width)
    assert region.locator("thead svg").evaluate(COVERED) == []
    if width < 640:
        pictures = page.locator("#alt-test svg.picture, #judge svg.picture")
        expect(pictures).to_have_count(5)
        assert_within(pictures, width)
        # Letters reach no other column and no edge.
        assert pictures.evaluate_all(f"all => all.flatMap({COVERED})") == []
    unfold(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_judges_are_shown_by_dimension_and_metric_in_sorted_tables(shown, page_on_judges):
    page = shown(path=page_on_judges)
    page.select_option("#choose-dimension", "1")
    page.select_option("#choose-judged", "0")
    title = page.locator("#judges-scatter svg title").first
    expect(title).to_have_text(re.compile("rouge-1.*grammaticality"))
    table = page.locator("#judges-table .scroll")
    expect(table).to_have_attribute("aria-label", "Metrics and grammaticality")
    table = page.locator("#alt-test table").nth(1)
    table.locator("thead th", has_text="Ahead").locator("button").click()
    # The largest lead first; who is not tested last.
    leads = table.locator("tbody tr").all_inner_texts()
    assert [line.split()[0] for line in leads] == ["a", "a", "a"]
    assert "ann" in leads[0] and "0.650" in leads[0] and "bob" in leads[2]


def test_on_a_phone_tables_show_where_they_go_on_and_cells_stand_below_their_headings(shown):
    page = shown(viewport=PHONE)
    region = page.locator("#metrics .scroll").first
    expect(region).to_have_class(re.compile("goes-on"))
    region.evaluate("one => { one.scrollLeft = one.scrollWidth; }")
    expect(region).not_to_have_class(re.compile("goes-on"))
    # The lines between rows move with the names.
    expect(page.locator("#judges-table table")).to_have_css("border-collapse", "separate")
    table = page.locator("table.ranking")
    head, row = (table.locator(f"{part} tr").first.locator("th, td") for part in ("thead", "tbody"))
    headings, cells = ([one.bounding_box() for one in cells.all()] for cells in (head, row))
    assert len(headings) == len(cells) == 6
    for heading, cell in zip(headings, cells, strict=True):
        assert heading["x"] == pytest.approx(cell["x"], abs=1)
        assert heading["width"] == pytest.approx(cell["width"], abs=1)
    # Three lines: name, mean and interval; group and test; the drawing.
    name, mean, drawing, interval, group, against = cells
    assert name["y"] == mean["y"] == interval["y"]
    assert name["y"] + name["height"] <= group["y"] + 1 and group["y"] == against["y"]
    assert group["y"] + group["height"] <= drawing["y"] + 1


def test_long_names_fold_on_a_phone(shown, tmp_path):
    best, baseline = "careful_" + "reader" * 8, "lead_" + "x" * 40
    rows = rows_of({baseline: [0.4] * 3, best: [0.6] * 3})
    path = summetry.report(rows, test="t", baseline=baseline).save(tmp_path / "long.html")[0]
    page = shown(path=path, viewport={"width": 360, "height": 800})
    expect(page.locator(".verdict-first").first).to_contain_text(best)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    region = page.locator("#systems .scroll").first
    expect(region.locator("thead")).to_contain_text(f"Against {baseline}")
    assert region.evaluate("one => one.scrollWidth") <= 360


def test_on_paper_there_are_no_controls_and_words_stay_with_what_they_are_about(printed):
    page = printed()
    for hidden in (".menus", ".contents", ".steps", ".skip"):
        for control in page.locator(hidden).all():
            expect(control).to_be_hidden()
    expect(page.locator("#texts-box")).to_be_visible()
    expect(page.locator("#texts-now")).to_be_visible()
    lede = page.locator("#metrics .lede")
    expect(lede).to_have_css("break-inside", "avoid")
    expect(lede).to_have_css("break-after", "avoid")
    expect(page.locator("#texts")).to_have_css("break-before", "page")
    expect(page.locator("#texts .legend")).to_have_css("break-after", "avoid")
    paper = page.pdf(prefer_css_page_size=True)
    # A4 in points.
    assert paper.startswith(b"%PDF")
    assert re.search(rb"/MediaBox \[0 0 59[45][\d.]* 84[12]", paper)


def test_on_paper_numbers_above_intervals_leave_each_other_room(printed, tmp_path):
    rows = rows_of({"a": [-0.00045, -0.00055, -0.0005], "b": [-0.0004, -0.0005, -0.0006]})
    path = summetry.report(rows, test="t").save(tmp_path / "small.html")[0]
    # An A4 page within its margins.
    page = printed(path=path, viewport={"width": 673, "height": 800})
    drawing = page.locator("table.ranking thead svg")
    assert drawing.locator("text").count() > 1
    assert drawing.evaluate(COVERED) == []
    # In the narrowest column of paper, too.
    drawing.evaluate("one => { one.style.width = getComputedStyle(one).minWidth; }")
    assert drawing.evaluate(COVERED) == []


def test_without_javascript_the_first_view_is_there(shown):
    page = shown(java_script_enabled=False)
    expect(page.locator("table.ranking tbody tr")).to_have_count(6)
    expect(page.locator("#texts-box mark").first).to_be_visible()
    expect(page.locator("svg.picture").first).to_be_visible()
    for control in page.locator("select, button").all():
        expect(control).to_be_hidden()


@pytest.fixture(scope="module")
def old_browser(visitor):
    page = visitor.page(locale="en")
    page.add_init_script("delete window.DecompressionStream")
    return page


def test_a_browser_that_cannot_unpack_says_so(old_browser, demo_page):
    old_browser.goto(demo_page.as_uri())
    old_browser.select_option("#choose-metric", "1")
    expect(old_browser.locator("#trouble")).to_contain_text("too old to unpack the report")
    expect(old_browser.locator(FIRST_SYSTEM)).to_have_text("careful")


def test_a_large_report_has_a_page_for_each_topic_with_ways_to_the_others_and_back(shown, large):
    page = shown(path=large[1])
    expect(page.locator("#texts-now")).to_contain_text("t01")
    page.select_option("#choose-topic", "2")
    page.wait_for_url("**/large-topics/0003.html*")
    expect(page.locator("h1")).to_contain_text("t03")
    page.select_option("#choose-system", label="picker")
    expect(page.locator("#texts-now")).to_contain_text("picker on t03")
    page.get_by_role("link", name="Previous topic").click()
    expect(page.locator("h1")).to_contain_text("t02")
    page.get_by_role("link", name="Report on demo").first.click()
    expect(page.locator("h1")).to_contain_text("Which system summarizes best?")


def test_a_large_report_replaces_only_its_own_folder(large):
    report, path, folder = large
    assert folder == path.with_name("large-topics") and len(list(folder.iterdir())) == 3
    with pytest.raises(summetry.errors.SummetryError, match="large-topics: exists already"):
        report.save(path)
    (folder / "0010.html").write_text("of an earlier, longer report")
    assert report.save(path, force=True) == [path, folder]
    assert sorted(file.name for file in path.parent.iterdir()) == ["large-topics", "large.html"]
    assert len(list(folder.iterdir())) == 3
    (folder / "mine.txt").write_text("not to be lost")
    with pytest.raises(summetry.errors.SummetryError, match=r"is none \(mine.txt\); move it away"):
        report.save(path, force=True)
    assert (folder / "mine.txt").read_text() == "not to be lost"
