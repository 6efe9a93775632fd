"""The sheets of tasks: what a terminal shows, and what programs get."""

import math

import pytest

from summetry.reports import tasks
from summetry.reports.sheets import sheet_records
from summetry.stats.ratings import Estimate
from summetry.tasks.categorization import Categorization, CategorizationSettings, Categorized
from summetry.tasks.category_scores import AVERAGES, PrecisionRecallF
from summetry.tasks.questions import AnswerDifference, Answers, AnswersAfter
from summetry.tasks.retrieval import OnQuery, Retrieval, RetrievalSettings, Retrieved

UNKNOWN = Estimate(math.nan, math.nan, math.nan)
HALF = Estimate(0.5, 0.4, 0.6)


def categorized(by, system, role, lower=math.nan, upper=math.nan, kept=UNKNOWN, texts=4):
    half = PrecisionRecallF(0.5, 0.5, 0.5)
    scores = dict.fromkeys(AVERAGES, half)
    text = "summary" if system else "full text"
    return Categorized(
        by, text, system, role, 4, texts, scores, {"sport": half}, HALF, lower, upper, kept
    )


def categorization(*rows):
    return Categorization(rows, CategorizationSettings(), {"sport": 4}, "the other topics, 4 folds")


def names(sheet):
    return [heading.name for heading in sheet.headings]


def column(sheet, name):
    return [record[name] for record in sheet_records(sheet)]


def test_programs_get_the_classifier_people_all_averages_and_categories():
    result = categorization(
        categorized("classifier", "", ""),
        categorized("classifier", "lead", "candidate", 0.2, 0.8, HALF),
        categorized("people", "lead", "candidate", upper=1.0, texts=9),
    )
    sheets = tasks.categorization_sheets(result)
    assert [sheet.name for sheet in sheets] == ["classifier", "people", "averages", "categories"]
    assert column(sheets[0], "system") == ["source", "lead"]
    assert column(sheets[0], "kept") == [None, 0.5]
    assert column(sheets[2], "by") == ["classifier", "classifier", "people"]


def test_a_terminal_shows_who_is_a_reference_and_leaves_out_what_nobody_knows():
    roles = {"lead": "candidate", "m1": "reference"}
    rows = [categorized("classifier", name, roles[name], 0.2, 0.8, HALF) for name in roles]
    first, averages = tasks.printed_categorization(categorization(*rows))
    assert column(first, "system") == ["lead", "m1 (reference)"]
    assert not {"role", "topics", "texts", "by"} & {*names(first), *names(averages)}
    full = categorized("people", "", "", texts=9)
    lead = categorized("people", "lead", "candidate", upper=1.0, texts=7)
    (people, _) = tasks.printed_categorization(categorization(full, lead))
    assert names(people) == ["system", "texts", "f", "f_low", "f_high", "upper"]


@pytest.mark.parametrize(("upper", "is_noted"), [(0.2, True), (0.8, False)])
def test_a_gap_that_is_not_there_is_noted(upper, is_noted):
    row = categorized("classifier", "lead", "candidate", 0.2, upper)
    notes = tasks.categorization_sheets(categorization(row))[0].notes
    note = "no share is kept where full texts do no better than random extracts: lead"
    assert (note in notes) is is_noted


def retrieval(judged):
    queries = (OnQuery("k1", 0.5, 0.5, 0.5, 1.0, 0.5), OnQuery("k2", *[math.nan] * 5))
    row = Retrieved("lead", "candidate", 9, 1, HALF, HALF, HALF, 1.0, 0.5, HALF, queries)
    return Retrieval((row,), RetrievalSettings(), 2, judged, "the queries of the corpus")


def test_the_loss_is_shown_where_something_is_relevant_and_on_a_terminal_one_interval():
    assert [s.name for s in tasks.retrieval_sheets(retrieval(0))] == ["relevance", "queries"]
    sheets = tasks.retrieval_sheets(retrieval(1))
    assert [sheet.name for sheet in sheets] == ["relevance", "loss", "queries"]
    assert sheets[1].title == "Average precision: 1 query with relevant topics"
    assert column(sheets[2], "pearson") == [0.5, None]
    (relevance,) = tasks.printed_retrieval(retrieval(0))
    title = "Relevance correlation: 9 topics, 2 queries (the queries of the corpus)"
    assert relevance.title == title
    # The interval of Pearson alone.
    expected = "system queries pearson pearson_low pearson_high spearman tau_b"
    assert " ".join(names(relevance)) == expected


def test_questions_have_conditions_and_pairs_where_there_are_two():
    after = AnswersAfter("source", "", 4, 3, 2, HALF, UNKNOWN, Estimate(60.0, 50.0, 70.0))
    pair = AnswerDifference("source", "nothing", "questions", 3, 0.5, 0.1, 0.9, 0.01, 0.03, 20.0)
    assert [sheet.name for sheet in tasks.question_sheets(Answers((after,), ()))] == ["conditions"]
    conditions, pairs = tasks.printed_questions(Answers((after,), (pair,)))
    assert " ".join(names(conditions)) == "condition answers right right_low right_high seconds"
    # Of two p the corrected one is shown.
    assert "p" not in names(pairs) and column(pairs, "corrected_p") == [0.03]
    assert column(tasks.question_sheets(Answers((after,), (pair,)))[1], "p") == [0.01]
