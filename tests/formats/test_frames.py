"""Frames of pandas and polars, Arrow tables and lists of dicts are read as files are."""

import linecache
import math

import pandas
import polars
import pyarrow
import pytest
from format_checks import assert_says, refusal

import summetry
from summetry.errors import SummetryWarning

ROWS = [
    {"id": "t1", "system": "a", "reference": "x y", "summary": "x y"},
    {"id": "t1", "system": "b", "reference": "x y", "summary": "x z"},
    {"id": "t2", "system": "a", "reference": "u v", "summary": "u v"},
    {"id": "t2", "system": "b", "reference": "u v", "summary": "w w"},
]
TAKEN = "the table: 'summary' is taken for the candidate"


class Dataset:
    """Rows as the package datasets has them: names of columns, and a list on request."""

    column_names = tuple(ROWS[0])

    def __init__(self, rows):
        self.rows = rows

    def to_list(self):
        return self.rows


KINDS = {
    "pandas": pandas.DataFrame,
    "pandas with an index": lambda rows: pandas.DataFrame(rows).set_index(["id", "system"]),
    "polars": polars.DataFrame,
    "arrow": pyarrow.Table.from_pylist,
    "dicts": list,
    "dataset": Dataset,
}
# Half of the words of "x z" are right, and none of "w w".
EXPECTED = {("t1", "a"): 1.0, ("t1", "b"): 0.5, ("t2", "a"): 1.0, ("t2", "b"): 0.0}


@pytest.mark.parametrize("kind", KINDS)
def test_a_frame_is_evaluated_as_a_file_of_its_rows_is_and_scored_row_by_row(kind):
    with pytest.warns(SummetryWarning, match=TAKEN):
        table = summetry.evaluate(KINDS[kind](ROWS), "rouge1.f")
    values = {(row.topic, row.author): f for row, (f,) in zip(table.rows, table.data, strict=True)}
    assert values == EXPECTED
    with pytest.warns(SummetryWarning, match=TAKEN):
        scores = summetry.score(KINDS[kind](ROWS), metrics="rouge1")
    assert scores["rouge1"].f.tolist() == list(EXPECTED.values())


def test_a_frame_and_its_csv_have_the_same_numbers_and_scores_keep_its_index(tmp_path):
    frame = pandas.DataFrame(ROWS).rename(columns={"summary": "candidate"})
    frame.to_csv(tmp_path / "long.csv", index=False)
    ours, theirs = (summetry.evaluate(one) for one in (frame, tmp_path / "long.csv"))
    assert ours.rows == theirs.rows and (ours.data == theirs.data).all()
    # Without metrics they are those of `summetry score`.
    assert [c.name for c in ours.columns][2::3] == ["rouge-1.f", "rouge-2.f", "rouge-l.f"]
    frame = pandas.DataFrame({"candidate": ["a", "b"], "reference": ["a", "a"]}, index=["p", "q"])
    assert summetry.score(frame, metrics="lcs.f").to_pandas()["lcs.f"].to_dict() == {"p": 1, "q": 0}


def test_columns_of_a_frame_are_named(tmp_path):
    frame = pandas.DataFrame({"mine": ["a b"], "theirs": ["a c"], "gold": ["a b"]})
    columns = {"candidate": "theirs", "reference": "gold"}
    # A note would be a warning, and a warning fails a test.
    assert summetry.score(frame, metrics="rouge1", columns=columns)["rouge1"].f == [0.5]
    both = columns | {"candidate": "mine+theirs"}
    assert summetry.evaluate(frame, "rouge1.f", columns=both).data.T.tolist() == [[1, 0.5]]
    corpus = summetry.load(frame, columns=columns)
    assert [corpus.text_of(s) for s in corpus.summaries] == ["a b", "a c"]


def test_lists_of_references_and_missing_cells_are_understood():
    cells = {"references": [["a", "x"], None, pandas.NA], "source": ["a b", math.nan, pandas.NaT]}
    frame = pandas.DataFrame({"candidate": ["a", "b", "c"]} | cells)
    corpus = summetry.load(frame)
    texts = [(s.topic, corpus.text_of(s)) for s in corpus.summaries if s.role == "reference"]
    assert texts == [("1", "a"), ("1", "x")]
    assert [len(topic.documents) for topic in corpus.topics] == [1, 0, 0]
    arrays = pandas.DataFrame({"candidate": ["a"], "references": [frame.references[:1].to_numpy()]})
    arrays.at[0, "references"] = pandas.array(["a", "x"]).to_numpy()
    assert summetry.score(arrays, metrics="lcs.f")["lcs.f"] == [0.5]


TEXTS = pandas.DataFrame({"candidate": ["a", None], "reference": ["a", "b"]})
SEVERAL = pandas.DataFrame({"bart": ["a b"], "t5": ["a c"], "reference": ["a b"]})
ONE = {"candidate": "t5"}


@pytest.mark.parametrize(("call", "words"), [
    (lambda: summetry.score(TEXTS), "row 2 of the table: expected text in 'candidate', "),
    (lambda: summetry.load(TEXTS, columns={"candidate": "x"}),
     "row 1 of the table: expected a column 'x', found the "),
    (lambda: summetry.score(TEXTS.rename(columns={"candidate": "mine"}).assign(mine=3)),
     "name it with columns={'candidate': 'NAME'}$"),
    (lambda: summetry.score(TEXTS[:1], columns={"source": "x"}),
     "the table: columns names the column 'x', which no "),
    (lambda: summetry.load(pandas.concat([TEXTS, TEXTS], axis=1)),
     "the table: expected each column once, found 'candid"),
    (lambda: summetry.load(TEXTS.candidate), "path must be a path or a frame, got a Series$"),
    (lambda: summetry.load(TEXTS, "mead"), "a frame is of the format 'table', not 'mead'"),
    (lambda: summetry.score(SEVERAL, "rouge1"),
     "a frame has references and sources in its own col"),
    (lambda: summetry.score(SEVERAL),
     "one candidate per row of the frame, found 2 (bart, t5); summetry.evaluate scores"),
    (lambda: summetry.score(["a"], ["a"], columns={"candidate": "bart"}),
     "columns are those of a frame; give it as the first"),
    (lambda: summetry.evaluate(summetry.load(SEVERAL, columns=ONE), columns={"id": "x"}),
     "columns go with a table or its path, not with a corp"),
])  # fmt: skip
@pytest.mark.filterwarnings("ignore:.*'bart' and 't5' are taken for the candidates of")
def test_what_cannot_be_read_or_does_not_go_with_a_frame_is_refused(call, words):
    assert_says(refusal(call), words)


def test_frames_of_scores_and_of_judgments_are_correlated():
    names = [(topic, system) for system in "abc" for topic in ("t1", "t2")]
    cells = {"id": [t for t, _ in names], "system": [s for _, s in names]}
    scores = pandas.DataFrame(cells | {"bertscore": [1, 2, 3, 4, 8, 6]})
    marks = pandas.DataFrame(cells | {"coherence": [1, 1, 2, 2, 5, None], "remark": list("uvwxyz")})
    with pytest.warns(SummetryWarning, match="the judgments: columns that are no judgments: 'rem"):
        correlations = summetry.correlate(scores, marks, tests=False)
    (pearson, *_) = correlations.tables[0].rows
    # The means of a, b and c, of which c has one judgment: 1.5, 3.5, 8 and 1, 2, 5.
    expected = pandas.Series([1.5, 3.5, 8]).corr(pandas.Series([1, 2, 5]))
    assert pearson.value == pytest.approx(expected, abs=1e-12)
    marks = marks.drop(columns="remark")
    again = summetry.correlate(polars.from_pandas(scores), marks[:5], tests=False)
    assert again.tables[0].rows[0].value == pearson.value
    assert_says(
        refusal(summetry.correlate, scores.drop(columns="id"), marks),
        "row 1 of the scores: expected a column 'id', found the columns system, ... ; "
        "say columns={'id': 'NAME'}$",
    )
    message = refusal(summetry.correlate, scores, marks.drop(columns="system"))
    assert message.startswith("row 1 of the judgments: expected the columns id, sys")


def test_a_warning_is_at_the_line_of_the_caller():
    frame = pandas.DataFrame(ROWS)
    with pytest.warns(SummetryWarning) as caught:
        summetry.evaluate(frame, "rouge1.f")
    assert caught[0].filename == __file__
    assert "summetry.evaluate(frame" in linecache.getline(__file__, caught[0].lineno)
