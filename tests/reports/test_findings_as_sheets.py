"""Metrics against people, and tasks, as sheets: what terminals show and what programs get."""

import dataclasses
import math

import pytest

import summetry
from summetry.metaeval.correlation_tables import CorrelateSettings
from summetry.metaeval.matrix import matrices
from summetry.metaeval.selection import Selection
from summetry.reports import correlations as reports
from summetry.reports import tasks
from summetry.reports.correlations import correlation_charts, correlation_sheets
from summetry.reports.sheets import print_sheets
from summetry.reports.tables import console
from summetry.stats.ratings import Estimate
from summetry.tasks.categorization import Categorization, CategorizationSettings, Categorized
from summetry.tasks.category_scores import AVERAGES, Chance, PrecisionRecallF
from summetry.tasks.questions import AnswerDifference, Answers, AnswersAfter
from summetry.tasks.retrieval import OnQuery, Retrieval, RetrievalSettings, Retrieved


@pytest.fixture(scope="module")
def table(demo):
    metrics = ["rouge-2", "normalised_relative_utility", "scu_precision", "js_divergence"]
    return summetry.evaluate(demo, [*metrics, "cosine(text=en(stem=true,stop=true))"])


@pytest.fixture(scope="module")
def correlations(demo, table):
    levels = ("system", "summary")
    return summetry.correlate(table, demo, levels=levels, all_values=False, draws=20)


def names(sheet):
    return [heading.name for heading in sheet.headings]


def rows_of(sheet):
    return [dict(zip(names(sheet), row, strict=True)) for row in sheet.rows]


BESIDE = ("(a judge)", "(length alone)", "(lead overlap)", "(random)")


def printed(sheets, width):
    out = console(width)
    with out.capture() as captured:
        print_sheets(out, sheets)
    return [line.rstrip() for line in captured.get().splitlines()]


@pytest.mark.parametrize("width", [160, 80])
def test_correlations_have_sheets_with_columns_and_notes_that_fit_a_line(
    correlations, width, snapshot
):
    """Where there are any, missing systems and undefined groups are columns."""
    lines = []
    for sheet in correlation_sheets(correlations, width):
        assert all(len(row) == len(sheet.headings) for row in sheet.rows)
        columns = ", ".join(heading.shown for heading in sheet.headings)
        lines += [f"{sheet.name}: {sheet.title}", f"  {columns}", *(f"  {n}" for n in sheet.notes)]
    assert "\n".join(lines) == snapshot


def test_tests_against_null_judges_may_be_a_table_of_their_own(correlations):
    sheets = {sheet.title: sheet for sheet in correlation_sheets(correlations, 80)}
    table = next(t for t in correlations.tables if t.dimension == "responsiveness")
    rows = table.of("pearson")
    expected = [(r.column.name, r.value, r.p_length_corrected, r.p_lead_corrected) for r in rows]
    apart = sheets["Against null judges: responsiveness, system level, Pearson"]
    assert repr(list(apart.rows)) == repr(expected)


def test_all_records_are_in_the_tidy_sheet_and_no_p_is_shown_as_0(correlations):
    sheet = reports.correlation_tidy(correlations)
    rows = rows_of(sheet)
    # NaN is not equal to itself, but it is written alike.
    assert repr(rows) == repr(list(correlations.records()))
    assert len(rows) == len(correlations.tables) * 3 * (5 + 4)
    # With 10,000 draws p may be 0.0001, which three digits cannot show.
    first = correlations.tables[0]
    small = tuple(dataclasses.replace(row, p_best_corrected=0.0001) for row in first.rows)
    shown = dataclasses.replace(correlations, tables=(dataclasses.replace(first, rows=small),))
    rows = [line.split() for line in printed(correlation_sheets(shown), 160)]
    assert sum("<0.001" in row for row in rows) == len(first.of("pearson"))


def test_a_wide_matrix_goes_on_in_a_further_table(table):
    (made,) = matrices([table], Selection(), CorrelateSettings(coefficients=("tau_b",)))
    pieces = reports.matrix_sheets([made], 2)
    shown = [[h.shown for h in sheet.headings[1:]] for sheet in pieces]
    assert shown == [["1", "2"], ["3", "4"], ["5"]]
    (whole,) = reports.matrix_sheets([made])
    for line in range(5):
        parts = [cell for sheet in pieces for cell in sheet.rows[line][1:]]
        assert parts == pytest.approx(whole.rows[line][1:], nan_ok=True)
    assert len(reports.matrix_tidy([made]).rows) == 25


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


UNKNOWN = Estimate(math.nan, math.nan, math.nan)
HALF = Estimate(0.5, 0.4, 0.6)


def categorized(by, system, role, lower=math.nan, upper=math.nan, kept=UNKNOWN, texts=4):
    values = {name: PrecisionRecallF(0.1 * k, 0.2 * k, 0.15 * k) for k, name in enumerate(AVERAGES)}
    both = (values, {"sport": PrecisionRecallF(0.7, 0.8, 0.75)})
    text = "summary" if system else "full text"
    return Categorized(by, text, system, role, 4, texts, *both, HALF, lower, upper, kept)


def categorization(*rows):
    return Categorization(rows, CategorizationSettings(), {"sport": 4}, "the other topics, 4 folds")


FULL_TEXT = categorized("classifier", "", "")
CLASSIFIED = [
    categorized("classifier", name, role, 0.2, 0.8, HALF)
    for name, role in (("lead", "candidate"), ("m1", "reference"))
]
PEOPLE = [categorized("people", "", "", texts=9),
          categorized("people", "lead", "candidate", upper=1.0, texts=7)]  # fmt: skip


def retrieval(judged):
    queries = (OnQuery("k1", 0.5, 0.6, 0.7, 1.0, 0.8), OnQuery("k2", *[math.nan] * 5))
    rho, tau, loss = (Estimate(mean, mean - 0.2, mean + 0.1) for mean in (0.6, 0.7, 0.25))
    row = Retrieved("lead", "candidate", 9, 1, HALF, rho, tau, 1.0, 0.75, loss, queries)
    return Retrieval((row,), RetrievalSettings(), 2, judged, "the queries of the corpus")


AFTER = AnswersAfter("source", "", 4, 3, 2, HALF, UNKNOWN, Estimate(60.0, 50.0, 70.0))
PAIR = AnswerDifference("source", "nothing", "questions", 3, 0.5, 0.1, 0.9, 0.01, 0.03, 20.0)


# A terminal shows who is a reference, leaves out what nobody knows, and of two p the corrected one.
@pytest.mark.parametrize("sheets", [
    tasks.categorization_sheets(categorization(FULL_TEXT, CLASSIFIED[0], PEOPLE[1])),
    tasks.printed_categorization(categorization(*CLASSIFIED)),
    tasks.printed_categorization(categorization(*PEOPLE)),
    tasks.retrieval_sheets(retrieval(0)),
    tasks.retrieval_sheets(retrieval(1)),
    tasks.printed_retrieval(retrieval(0)),
    tasks.question_sheets(Answers((AFTER,), ())),
    tasks.question_sheets(Answers((AFTER,), (PAIR,))),
    tasks.printed_questions(Answers((AFTER,), (PAIR,))),
], ids=[
    "classifier and people", "classifier printed", "people printed", "retrieval",
    "retrieval with judgments", "retrieval printed", "questions", "pair of conditions",
    "pair of conditions printed",
])  # fmt: skip
def test_tasks_have_everything_for_programs_and_what_is_known_on_a_terminal(sheets, snapshot):
    assert "\n".join(printed(sheets, 160)) == snapshot


@pytest.mark.parametrize(("upper", "is_noted"), [(0.2, True), (0.8, False)])
def test_a_gap_that_is_not_there_is_noted(upper, is_noted):
    row = categorized("classifier", "lead", "candidate", 0.2, upper)
    notes = tasks.categorization_sheets(categorization(row))[0].notes
    note = "no share is kept where full texts do no better than random extracts: lead"
    assert (note in notes) is is_noted


@pytest.mark.parametrize(("p", "is_noted"), [(0.05, False), (0.06, True)])
def test_full_texts_that_are_categorized_as_by_chance_are_noted(p, is_noted):
    result = dataclasses.replace(
        categorization(categorized("classifier", "", "")), chance=Chance(0.5, 0.25, p)
    )
    notes = " ".join(tasks.categorization_sheets(result)[0].notes)
    note = (
        "not clearly categorized better than by chance, so these numbers say little: mean F over "
    )
    note += "texts 0.500, and 0.250 if they are given the same categories in any order; p 0.0600, "
    assert (note in notes) is is_noted
