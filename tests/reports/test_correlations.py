"""Metrics against people as sheets: what they say, and that narrow terminals lose nothing."""

import dataclasses

import pytest

import summetry
from summetry.metaeval.correlation_tables import CorrelateSettings
from summetry.metaeval.matrix import matrices
from summetry.metaeval.selection import Selection
from summetry.reports.correlations import (
    correlation_charts,
    correlation_sheets,
    correlation_tidy,
    matrix_sheets,
    matrix_tidy,
)
from summetry.reports.sheets import print_sheets
from summetry.reports.tables import console


@pytest.fixture(scope="module")
def table(demo):
    metrics = ["rouge-2", "normalised_relative_utility", "scu_precision", "js_divergence"]
    return summetry.evaluate(demo, [*metrics, "cosine(text=en(stem=true,stop=true))"])


@pytest.fixture(scope="module")
def correlations(demo, table):
    levels = ("system", "summary")
    return summetry.correlate(table, demo, levels=levels, all_values=False, draws=20)


BESIDE = ("(a judge)", "(length alone)", "(lead overlap)", "(random)")


def printed(sheets, width):
    out = console(width)
    with out.capture() as captured:
        print_sheets(out, sheets)
    return [line.rstrip() for line in captured.get().splitlines()]


@pytest.mark.parametrize("width", [80, 160])
def test_no_number_is_cut_on_a_narrow_terminal(correlations, width):
    sheets = correlation_sheets(correlations)
    lines = printed(sheets, width)
    notes = {note for sheet in sheets for note in sheet.notes}
    rows = [line for line in lines if line not in notes]
    assert all(len(line) <= width for line in rows)
    for sheet in sheets:
        for name, *numbers in sheet.rows:
            first = "-" if numbers[0] != numbers[0] else f"{numbers[0]:.3f}"
            # A long name is folded, its numbers stand beside its beginning.
            mine = [line for line in rows if line.startswith(name[:12])]
            assert any(first in line.split() for line in mine), name


def test_every_table_has_two_sheets_and_its_notes(correlations):
    sheets = correlation_sheets(correlations)
    # Before them all metrics and dimensions, at each of two levels.
    assert len(sheets) == 2 + 2 * len(correlations.tables) == 10
    assert len({sheet.name for sheet in sheets}) == 10
    for table, first in zip(correlations.tables, sheets[2::2], strict=True):
        assert first.notes == table.notes
        assert table.dimension in first.title
    assert sheets[-1].notes[-1] == correlations.notes[-1]
    # A value keeps its name where a metric has several.
    assert {"rouge-2.f", "js_divergence", "(a judge)"} <= {row[0] for row in sheets[0].rows}


@pytest.mark.parametrize(("level", "is_shown"), [("summary", True), ("system", False)])
def test_undefined_groups_are_a_column_where_there_are_any(correlations, level, is_shown):
    """Some topics have the same precision for all systems."""
    by_title = {sheet.title: sheet for sheet in correlation_sheets(correlations)}
    sheet = by_title[f"How sure: responsiveness, {level} level, Pearson"]
    assert ("undefined" in [heading.name for heading in sheet.headings]) == is_shown


def test_tests_against_null_judges_are_columns_or_a_table_of_their_own(correlations):
    title = "responsiveness, system level, Pearson"
    wide = {sheet.title: sheet for sheet in correlation_sheets(correlations)}[f"How sure: {title}"]
    nulls = ["p_length_corrected", "p_lead_corrected"]
    assert [h.name for h in wide.headings][6:8] == nulls
    narrow = {sheet.title: sheet for sheet in correlation_sheets(correlations, 80)}
    assert not {h.name for h in narrow[f"How sure: {title}"].headings} & {*nulls}
    apart = narrow[f"Against null judges: {title}"]
    assert [h.shown for h in apart.headings][2:] == ["vs length", "vs lead"]
    table = next(t for t in correlations.tables if t.dimension == "responsiveness")
    rows = table.of("pearson")
    expected = [(r.column.name, r.value, r.p_length_corrected, r.p_lead_corrected) for r in rows]
    assert repr(list(apart.rows)) == repr(expected)
    notes = correlation_sheets(correlations)[-1].notes
    assert any("vs length, vs lead: corrected p" in note for note in notes)


def test_how_many_systems_a_metric_has_scores_for_is_told_where_it_lacks_some(correlations):
    """Half of the six systems wrote no extracts, and the relative utility needs one."""
    sheets = {sheet.name: sheet for sheet in correlation_sheets(correlations)}
    sheet = sheets["no_models-responsiveness-system-intervals"]
    names = [heading.name for heading in sheet.headings]
    rows = [dict(zip(names, row, strict=True)) for row in sheet.rows]
    some = "normalised_relative_utility"
    assert all(row["systems"] == (3 if row["metric"] == some else 6) for row in rows)
    assert some in {row["metric"] for row in rows}
    # Three systems of nine topics each are missing, which need not be said again.
    assert len(rows) == 5 and "topics" not in names and "missing" not in names


def test_the_tidy_sheet_has_all_records(correlations):
    sheet = correlation_tidy(correlations)
    names = [heading.name for heading in sheet.headings]
    rows = [dict(zip(names, row, strict=True)) for row in sheet.rows]
    # NaN is not equal to itself, but it is written alike.
    assert repr(rows) == repr(list(correlations.records()))
    assert len(rows) == len(correlations.tables) * 3 * (5 + 4)


def test_a_wide_matrix_goes_on_in_a_further_table(table):
    (made,) = matrices([table], Selection(), CorrelateSettings(coefficients=("tau_b",)))
    pieces = matrix_sheets([made], 2)
    shown = [[h.shown for h in sheet.headings[1:]] for sheet in pieces]
    assert shown == [["1", "2"], ["3", "4"], ["5"]]
    (whole,) = matrix_sheets([made])
    for line in range(5):
        parts = [cell for sheet in pieces for cell in sheet.rows[line][1:]]
        assert parts == pytest.approx(whole.rows[line][1:], nan_ok=True)
    assert len(matrix_tidy([made]).rows) == 25


def test_a_chart_for_each_level_says_which_bars_are_better_downwards(correlations, demo):
    made = correlation_charts(correlations)
    assert list(made) == ["system level", "summary level"]
    drawn = made["summary level"].to_dict()
    assert drawn["title"]["text"] == "Metrics against people: summary level"
    table = summetry.evaluate(demo, ["lcs", "js_divergence", "compression"])
    both = summetry.correlate(table, demo, metrics=["lcs", "js_divergence"], draws=20,
                              all_values=False)  # fmt: skip
    (drawn,) = (chart.to_dict() for chart in correlation_charts(both).values())
    (rows,) = drawn["datasets"].values()
    assert {row["metric"] for row in rows} == {"lcs.f", "js_divergence \u2193", *BESIDE}
    assert drawn["title"]["subtitle"][1:] == ["\u2193 lower is better, so \u22121 is the best"]
    plain = summetry.correlate(table, demo, metrics=["lcs", "compression"], draws=20)
    (drawn,) = (chart.to_dict() for chart in correlation_charts(plain).values())
    assert drawn["title"]["subtitle"][1:] == ["\u2195 neither direction is better"]


def test_no_p_is_shown_as_0(correlations):
    """With 10,000 draws p may be 0.0001, which three digits cannot show."""
    first = correlations.tables[0]
    small = tuple(dataclasses.replace(row, p_best_corrected=0.0001) for row in first.rows)
    shown = dataclasses.replace(correlations, tables=(dataclasses.replace(first, rows=small),))
    rows = [line.split() for line in printed(correlation_sheets(shown), 160)]
    assert sum("<0.001" in row for row in rows) == len(first.of("pearson"))
