"""Sheets: the same findings for people, programs, spreadsheets and papers."""

import csv
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
from summetry.reports.sheets import (
    Heading,
    Sheet,
    check_ending,
    distinct,
    files_beside,
    headings,
    latex_text,
    print_sheets,
    sheet_latex,
    sheet_markdown,
    sheets_as_json,
    write_sheets,
)
from summetry.reports.tables import console

SHEET = Sheet(
    "systems",
    "Systems, best first",
    headings("system", Heading("mean", digits=2), Heading("p_value", "p"), "topics"),
    (
        ("lead & co_2", 0.456, 1 / 3, 9),
        ("[b]none", math.nan, None, 0),
        ("bad", -1.0, 0.5, 9),
    ),
    ("seed 0",),
)
ABOUT = {"settings": {"seed": 0}}
OTHER = Sheet("pairs", "Pairs", headings("first", "second"), (("a", "b"),))


def lines_of(text):
    return [line.rstrip() for line in text.splitlines()]


def test_people_see_titles_rounded_numbers_and_a_dash_for_nothing(capsys):
    print_sheets(console(60), [SHEET, OTHER])
    assert lines_of(capsys.readouterr().out) == [
        "Systems, best first",
        "system        mean      p  topics",
        "lead & co_2   0.46  0.333       9",
        "[b]none          -      -       0",
        "bad          -1.00  0.500       9",
        "",
        "seed 0",
        "",
        "Pairs",
        "first  second",
        "a      b",
    ]


def test_on_a_narrow_line_only_the_longest_words_are_folded(capsys):
    rows = (("a system with a long name", 0.25, "unclear"), ("b", 0.5, "worse"))
    sheet = Sheet("s", "S", headings("system", "mean", "verdict"), rows)
    print_sheets(console(27), [sheet])
    assert lines_of(capsys.readouterr().out) == [
        "S",
        "system        mean  verdict",
        "a system     0.250  unclear",
        "with a long",
        "name",
        "b            0.500  worse",
    ]


def test_programs_get_whole_numbers_and_null():
    result = sheets_as_json([SHEET, OTHER], ABOUT)
    assert list(result) == ["settings", "systems", "pairs"]
    assert result["systems"]["notes"] == ["seed 0"]
    assert result["systems"]["rows"][0] == {
        "system": "lead & co_2", "mean": 0.456, "p_value": 1 / 3, "topics": 9,
    }  # fmt: skip
    assert result["systems"]["rows"][1]["mean"] is None
    json.dumps(result, allow_nan=False)


def test_large_counts_have_a_comma_for_people_and_none_for_programs(tmp_path):
    rows = (("lead", 1667, -1667, 0.5),)
    sheet = Sheet("s", "S", headings("system", "topics", "more", "mean"), rows)
    assert "| lead | 1,667 | -1,667 | 0.500 |" in sheet_markdown(sheet)
    assert r"lead & 1,667 & $-$1,667 & 0.500 \\" in sheet_latex(sheet)
    assert sheets_as_json([sheet], {})["s"]["rows"][0]["topics"] == 1667
    write_sheets([sheet], tmp_path / "s.csv", {})
    assert (tmp_path / "s.csv").read_text().splitlines()[1] == "lead,1667,-1667,0.5"


def test_papers_get_booktabs_with_marks_escaped():
    assert sheet_latex(SHEET).splitlines() == [
        "% Systems, best first",
        "% seed 0",
        r"\begin{tabular}{lrrr}",
        r"\toprule",
        r"system & mean & p & topics \\",
        r"\midrule",
        r"lead \& co\_2 & 0.46 & 0.333 & 9 \\",
        # A bracket after the end of a line would be taken for its option.
        r"{[}b{]}none & -- & -- & 0 \\",
        r"bad & $-$1.00 & 0.500 & 9 \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]


@pytest.mark.parametrize(
    ("plain", "latex"),
    [
        ("50% of $x_i^2$ {a} #1 ~b\\c", r"50\% of \$x\_i\textasciicircum{}2\$ \{a\} \#1 "
         r"\textasciitilde{}b\textbackslash{}c"),
        ("p < .05 > 0", r"p \textless{} .05 \textgreater{} 0"),
        ("-0.25", "$-$0.25"),
        ("-", "--"),
        ("two\nlines", "two lines"),
        ("a-b", "a-b"),
    ],
)  # fmt: skip
def test_marks_that_latex_would_not_show(plain, latex):
    assert latex_text(plain) == latex


def test_markdown_reads_back_as_a_table_with_the_same_cells():
    html = MarkdownIt().enable("table").render(sheet_markdown(SHEET))
    cells = re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", html)
    assert cells == ["system", "mean", "p", "topics", "lead &amp; co_2", "0.46", "0.333", "9",
                     "[b]none", "-", "-", "0", "bad", "-1.00", "0.500", "9"]  # fmt: skip
    assert html.startswith("<h3>Systems, best first</h3>")
    assert html.rstrip().endswith("<ul>\n<li>seed 0</li>\n</ul>")


@pytest.mark.parametrize(
    "name",
    ["a|b", "<script>alert(1)</script>", "*a* _b_ `c`", "[x](http://y)", "\\|", "&lt;", "~~a~~"],
)
def test_a_name_in_a_markdown_table_is_shown_as_it_is(name):
    sheet = Sheet("s", "S", headings("system", "n"), ((name, 1),))
    html = MarkdownIt().enable(["table", "strikethrough"]).render(sheet_markdown(sheet))
    assert re.search(r"<td>(.*?)</td>", html)[1] == escape(name, quote=True)


def test_a_csv_file_holds_one_sheet_and_others_stand_beside_it(tmp_path):
    written = write_sheets([SHEET, OTHER], tmp_path / "new" / "out.csv", {})
    assert [path.name for path in written] == ["out.csv", "out-pairs.csv"]
    with written[0].open(newline="") as file:
        rows = list(csv.reader(file))
    assert rows == [
        ["system", "mean", "p_value", "topics"],
        ["lead & co_2", "0.456", str(1 / 3), "9"],
        ["[b]none", "", "", "0"],
        ["bad", "-1.0", "0.5", "9"],
    ]


def test_the_other_kinds_hold_all_sheets(tmp_path):
    for name in ("out.json", "out.tex", "out.md", "out.txt"):
        assert write_sheets([SHEET, OTHER], tmp_path / name, ABOUT) == [tmp_path / name]
    result = json.loads((tmp_path / "out.json").read_text())
    assert result == sheets_as_json([SHEET, OTHER], ABOUT)
    assert result["pairs"]["rows"] == [{"first": "a", "second": "b"}]
    latex = (tmp_path / "out.tex").read_text()
    assert latex.startswith("% needs \\usepackage{booktabs}\n") and latex.count("\\toprule") == 2
    text = (tmp_path / "out.txt").read_text().splitlines()
    assert text[:2] == ["Systems, best first", "system        mean      p  topics"]


def test_what_cannot_be_written_is_told(tmp_path):
    with pytest.raises(SummetryError, match=r"out\.pdf: findings are written to files ending in"):
        check_ending(tmp_path / "out.pdf")
    (tmp_path / "out.json").mkdir()
    with pytest.raises(SummetryError, match="expected a file to write to, found a folder"):
        write_sheets([SHEET], tmp_path / "out.json", {})
    with pytest.raises(SummetryError, match="has 2 columns, a row of it 1 cells"):
        Sheet("short", "Short", headings("a", "b"), (("x",),))


def test_an_empty_sheet_still_has_its_headings(capsys):
    empty = Sheet("none", "Nothing", headings("a", "b"), ())
    print_sheets(console(40), [empty])
    assert lines_of(capsys.readouterr().out) == ["Nothing", "a  b"]
    assert r"a & b \\" in sheet_latex(empty)


@pytest.mark.parametrize("width", [1, 20, 40, 79])
def test_no_line_is_too_narrow_for_a_number(capsys, width):
    """Half a number is a wrong number: 4993 topics are not 499."""
    names = ("system", "mean", "low", "high", "to_next", "needed")
    rows = (("careful", 0.2289, 0.2085, 0.2482, 0.0329, 4993),)
    sheet = Sheet("s", "Title", headings(*names), rows)
    print_sheets(console(width), [sheet])
    shown = capsys.readouterr().out
    assert {"to", "next"} <= set(shown.split())
    assert [cell for cell in shown.split() if cell[0].isdigit()] == [
        "0.229", "0.208", "0.248", "0.033", "4,993",
    ]  # fmt: skip


def test_a_text_file_is_as_wide_as_its_sheet(tmp_path):
    many = [f"value {place}" for place in range(200)]
    sheet = Sheet("s", "Title", headings("name", *many), (("a name " * 9, *[-0.125] * 200),))
    write_sheets([sheet], tmp_path / "wide.txt", {})
    _, heading, row = (tmp_path / "wide.txt").read_text().splitlines()
    assert heading.split("  ")[-1].strip() == "value 199"
    assert row.startswith("a name " * 9) and row.split()[-200:] == ["-0.125"] * 200


NAMES = st.lists(st.sampled_from(["a", "A", "a_2", "a_3", "b", "a b", "a/b", "", "..", "質"]))


@given(NAMES)
def test_no_two_are_alike_and_the_first_ones_stay(names):
    result = distinct(names)
    assert len({name.casefold() for name in result}) == len(names)
    for place, (name, given_name) in enumerate(zip(result, names, strict=True)):
        assert name.startswith(given_name)
        if given_name.casefold() not in {other.casefold() for other in names[:place]}:
            assert name == given_name


@given(NAMES)
def test_each_is_a_file_in_the_same_folder(names):
    result = files_beside(Path("folder/out.csv"), names)
    assert len({str(path).casefold() for path in result}) == len(names)
    assert all(path.parent == Path("folder") and path.suffix == ".csv" for path in result)


def test_what_a_file_cannot_be_called_is_replaced():
    result = files_beside(Path("out.svg"), ["news/sport", "news:sport", "a b", "質"])
    told = ["out-news_sport.svg", "out-news_sport_2.svg", "out-a_b.svg", "out-質.svg"]
    assert [path.name for path in result] == told
