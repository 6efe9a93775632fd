"""Sheets: the same findings for people, programs, spreadsheets and papers."""

import json
import math
import re
from html import escape
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from summetry.errors import SummetryError
from summetry.reports import sheets
from summetry.reports.sheets import Heading, Sheet, headings, print_sheets, write_sheets
from summetry.reports.tables import console

SHEET = Sheet(
    "systems",
    "Systems, best first",
    headings("system", Heading("mean", digits=2), Heading("p_value", "p"), "topics"),
    (("lead & co_2", 0.456, 1 / 3, 9), ("[b]none", math.nan, None, 0), ("bad", -1.0, 0.5, 9)),
    ("seed 0",),
)
ABOUT = {"settings": {"seed": 0}}
OTHER = Sheet("pairs", "Pairs", headings("first", "second"), (("a", "b"),))


def printed(capsys, sheet, width):
    print_sheets(console(width), [sheet])
    return [line.rstrip() for line in capsys.readouterr().out.splitlines()]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Both sheets as files of every kind."""
    folder = tmp_path_factory.mktemp("sheets") / "new"
    names = ("out.csv", "out.json", "out.tex", "out.md", "out.txt")
    written = [write_sheets([SHEET, OTHER], folder / name, ABOUT) for name in names]
    # A CSV file holds one sheet, and others stand beside it; the other kinds hold all.
    expected = [["out.csv", "out-pairs.csv"], *([name] for name in names[1:])]
    assert [[path.name for path in paths] for paths in written] == expected
    return folder


@pytest.mark.parametrize("name", ["out.txt", "out.csv", "out-pairs.csv", "out.tex", "out.md"])
def test_a_file_has_titles_rounded_or_whole_numbers_and_nothing_for_nan(folder, name, snapshot):
    assert (folder / name).read_text(encoding="utf-8") == snapshot


def test_on_a_narrow_line_only_the_longest_words_are_folded_and_headings_need_no_rows(capsys):
    rows = (("a system with a long name", 0.25, "unclear"), ("b", 0.5, "worse"))
    sheet = Sheet("s", "S", headings("system", "mean", "verdict"), rows)
    assert printed(capsys, sheet, 27)[2:5] == ["a system     0.250  unclear", "with a long", "name"]
    empty = Sheet("none", "Nothing", headings("a", "b"), ())
    assert printed(capsys, empty, 40) == ["Nothing", "a  b"]
    assert r"a & b \\" in sheets.sheet_latex(empty)


def test_programs_get_whole_numbers_and_null_and_only_people_a_comma(folder, tmp_path):
    result = sheets.sheets_as_json([SHEET, OTHER], ABOUT)
    assert list(result) == ["settings", "systems", "pairs"]
    assert result["systems"]["notes"] == ["seed 0"]
    first = {"system": "lead & co_2", "mean": 0.456, "p_value": 1 / 3, "topics": 9}
    assert result["systems"]["rows"][0] == first
    assert result["systems"]["rows"][1]["mean"] is None
    json.dumps(result, allow_nan=False)
    assert json.loads((folder / "out.json").read_text()) == result
    assert result["pairs"]["rows"] == [{"first": "a", "second": "b"}]
    rows = (("lead", 1667, -1667, 0.5),)
    sheet = Sheet("s", "S", headings("system", "topics", "more", "mean"), rows)
    assert "| lead | 1,667 | -1,667 | 0.500 |" in sheets.sheet_markdown(sheet)
    assert r"lead & 1,667 & $-$1,667 & 0.500 \\" in sheets.sheet_latex(sheet)
    assert sheets.sheets_as_json([sheet], {})["s"]["rows"][0]["topics"] == 1667
    write_sheets([sheet], tmp_path / "s.csv", {})
    assert (tmp_path / "s.csv").read_text().splitlines()[1] == "lead,1667,-1667,0.5"


@pytest.mark.parametrize(("plain", "latex"), [
    ("50% of $x_i^2$ {a} #1 ~b\\c",
     r"50\% of \$x\_i\textasciicircum{}2\$ \{a\} \#1 " r"\textasciitilde{}b\textbackslash{}c"),
    ("p < .05 > 0", r"p \textless{} .05 \textgreater{} 0"),
    ("-0.25", "$-$0.25"), ("-", "--"), ("two\nlines", "two lines"), ("a-b", "a-b"),
])  # fmt: skip
def test_marks_that_latex_would_not_show(plain, latex):
    assert sheets.latex_text(plain) == latex


def test_markdown_reads_back_as_a_table_with_the_same_cells():
    html = MarkdownIt().enable("table").render(sheets.sheet_markdown(SHEET))
    cells = re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", html)
    assert cells == ["system", "mean", "p", "topics", "lead &amp; co_2", "0.46", "0.333", "9",
                     "[b]none", "-", "-", "0", "bad", "-1.00", "0.500", "9"]  # fmt: skip
    assert html.startswith("<h3>Systems, best first</h3>")
    assert html.rstrip().endswith("<ul>\n<li>seed 0</li>\n</ul>")


@pytest.mark.parametrize("name", [
    "a|b", "<script>alert(1)</script>", "*a* _b_ `c`", "[x](http://y)", "\\|", "&lt;", "~~a~~",
])  # fmt: skip
def test_a_name_in_a_markdown_table_is_shown_as_it_is(name):
    sheet = Sheet("s", "S", headings("system", "n"), ((name, 1),))
    html = MarkdownIt().enable(["table", "strikethrough"]).render(sheets.sheet_markdown(sheet))
    assert re.search(r"<td>(.*?)</td>", html)[1] == escape(name, quote=True)


@pytest.mark.parametrize(("act", "words"), [
    (lambda: sheets.check_ending(Path("out.pdf")),
     r"out\.pdf: findings are written to files ending in"),
    (lambda: write_sheets([SHEET], Path("out.json"), {}),
     "expected a file to write to, found a folder"),
    (lambda: Sheet("short", "Short", headings("a", "b"), (("x",),)),
     "has 2 columns, a row of it 1 cells"),
])  # fmt: skip
def test_what_cannot_be_written_is_refused(tmp_path, monkeypatch, act, words):
    monkeypatch.chdir(tmp_path)
    Path("out.json").mkdir()
    with pytest.raises(SummetryError, match=words):
        act()


@pytest.mark.parametrize("width", [1, 20, 40, 79])
def test_no_line_is_too_narrow_for_a_number(capsys, width):
    """Half a number is a wrong number: 4993 topics are not 499."""
    names = ("system", "mean", "low", "high", "to_next", "needed")
    rows = (("careful", 0.2289, 0.2085, 0.2482, 0.0329, 4993),)
    sheet = Sheet("s", "Title", headings(*names), rows)
    shown = " ".join(printed(capsys, sheet, width)).split()
    assert {"to", "next"} <= set(shown)
    numbers = [cell for cell in shown if cell[0].isdigit()]
    assert numbers == ["0.229", "0.208", "0.248", "0.033", "4,993"]


def test_a_text_file_is_as_wide_as_its_sheet(tmp_path):
    many = [f"value {place}" for place in range(200)]
    sheet = Sheet("s", "Title", headings("name", *many), (("a name " * 9, *[-0.125] * 200),))
    write_sheets([sheet], tmp_path / "wide.txt", {})
    _, heading, row = (tmp_path / "wide.txt").read_text().splitlines()
    assert heading.split("  ")[-1].strip() == "value 199"
    assert row.startswith("a name " * 9) and row.split()[-200:] == ["-0.125"] * 200


NAMES = st.lists(st.sampled_from(["a", "A", "a_2", "a_3", "b", "a b", "a/b", "", "..", "質"]))


@given(NAMES)
def test_no_two_names_are_alike_the_first_ones_stay_and_each_is_a_file_in_the_same_folder(names):
    result = sheets.distinct(names)
    assert len({name.casefold() for name in result}) == len(names)
    for place, (name, given_name) in enumerate(zip(result, names, strict=True)):
        assert name.startswith(given_name)
        if given_name.casefold() not in {other.casefold() for other in names[:place]}:
            assert name == given_name
    result = sheets.files_beside(Path("folder/out.csv"), names)
    assert len({str(path).casefold() for path in result}) == len(names)
    assert all(path.parent == Path("folder") and path.suffix == ".csv" for path in result)


def test_what_a_file_cannot_be_called_is_replaced():
    result = sheets.files_beside(Path("out.svg"), ["news/sport", "news:sport", "a b", "質"])
    told = ["out-news_sport.svg", "out-news_sport_2.svg", "out-a_b.svg", "out-質.svg"]
    assert [path.name for path in result] == told
