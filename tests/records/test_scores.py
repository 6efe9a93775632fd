"""Score tables and means: absent is absent, and chunks change no bit; tables of files as one."""

import itertools
import math
import re
from functools import reduce
from operator import add

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

from summetry.errors import SummetryError, UnknownNameError
from summetry.records.joining import join_tables
from summetry.records.scores import Column, Row, ScoreTable, SystemMeans

COLUMNS = (Column("m(n=2)", "recall", "m(n=2)|v:1"), Column("m(n=2)", "f", "m(n=2)|v:1"))


def table(*numbers, columns=COLUMNS, notes=()):
    rows = tuple(Row("no_models", f"t{i}", "lead", "candidate") for i in range(len(numbers)))
    return ScoreTable(rows, columns, np.array(numbers, float).reshape(-1, len(columns)), notes)


def test_a_column_is_found_by_metric_and_value():
    scores = table((0.1, 0.2), (0.3, math.nan))
    assert scores.column("m(n=2).recall").tolist() == [0.1, 0.3]
    assert math.isnan(scores.column("m(n=2).f")[1])
    assert len(scores) == 2
    with pytest.raises(UnknownNameError) as caught:
        scores.column("m(n=2).recal")
    assert str(caught.value) == (
        "no column of scores is named 'm(n=2).recal'. Did you mean 'm(n=2).recall'? "
        "Known: m(n=2).f, m(n=2).recall."
    )
    message = "a score table of 0 rows and 2 columns cannot hold numbers of shape (1, 2)"
    with pytest.raises(SummetryError, match=f"^{re.escape(message)}$"):
        ScoreTable((), COLUMNS, np.zeros((1, 2)))


@pytest.mark.parametrize(("metric", "value", "name"), [
    ("lcs", "value", "lcs"),
    ("rouge1", "f", "rouge1.f"),
    ("rouge-w-1.2", "value", "rouge-w-1.2"),
    ("rouge-w-1.2", "f", "rouge-w-1.2.f"),
    ("rouge-w-1.2", "recall", "rouge-w-1.2.recall"),
    # Without its value it would be read as the value c of a/b.
    ("a/b.c", "value", "a/b.c.value"),
    ("a/b", "c", "a/b.c"),
    ("combination(of=[lcs.f,cosine])", "value", "combination(of=[lcs.f,cosine])"),
])  # fmt: skip
def test_a_column_is_named_so_that_its_name_can_be_read(metric, value, name):
    column = Column(metric, value, "s")
    assert column.name == name
    again = Column.named(name, "s")
    assert (again.metric, again.value, again.signature) == (metric, value, "s")


@pytest.mark.parametrize("other", [
    table((0.5, 1.0), (0.5, 1.0)),
    ScoreTable((Row("p", "t0", "lead", "candidate"),), COLUMNS, np.array([[0.5, 1.0]])),
    table((0.5, 1.0), columns=(COLUMNS[1], COLUMNS[0])),
    table((0.5, np.nextafter(1.0, 2.0))),
    "a table",
])  # fmt: skip
def test_another_row_column_or_bit_makes_another_table(other):
    assert table((0.5, 1.0)) != other


def test_undefined_equals_undefined_and_notes_make_no_other_table():
    assert table((0.5, math.nan)) == table((0.5, math.nan))
    assert table((0.5, math.nan)) != table((0.5, 0.0))
    assert table((0.5, 1.0), notes=("one was left out",)) == table((0.5, 1.0))
    with pytest.raises(TypeError, match="unhashable"):
        hash(table((0.5, 1.0)))


def test_a_record_is_a_number_with_protocol_and_role_only_where_they_differ():
    record = {"id": "t0", "system": "lead", "metric": "m(n=2)", "part": "recall", "score": 0.5}
    records = list(table((0.5, math.nan)).records())
    assert records == [record, record | {"part": "f", "score": None}]
    rows = (Row("all_peers", "t", "ann", "reference"), Row("all_peers", "t", "lead", "candidate"))
    both = ScoreTable(rows, COLUMNS[:1], np.array([[1.0], [0.5]]))
    names = ["id", "system", "protocol", "role", "metric", "part", "score"]
    assert [list(record) for record in both.records()] == [names] * 2
    assert [record["role"] for record in both.records()] == ["reference", "candidate"]
    # Authors come sorted and once.
    rows = tuple(Row("p", t, a, "candidate") for t in ("t1", "t2") for a in ("b", "a"))
    assert ScoreTable(rows, (), np.zeros((4, 0))).authors() == ["a", "b"]


def test_a_pandas_frame_has_one_row_per_summary_or_number():
    pytest.importorskip("pandas")
    scores = table((0.5, math.nan), (1.0, 2.0))
    frame, long = scores.to_pandas(), scores.to_pandas(long=True)
    assert list(frame.columns) == ["id", "system", "m(n=2).recall", "m(n=2).f"]
    assert frame["m(n=2).f"].isna().tolist() == [True, False]
    assert frame["id"].tolist() == ["t0", "t1"]
    assert long["score"].isna().tolist() == [False, True, False, False]
    assert long["id"].tolist() == ["t0", "t0", "t1", "t1"]
    assert long["part"].tolist() == ["recall", "f"] * 2
    assert table().to_pandas().shape == (0, 4)


def test_polars_frames_are_like_those_of_pandas():
    pytest.importorskip("polars")
    scores = table((0.5, math.nan), (1.0, 2.0))
    assert scores.to_polars()["m(n=2).f"].to_list() == [None, 2.0]
    assert scores.to_polars(long=True).to_dicts() == list(scores.records())
    assert table().to_polars(long=True).shape == (0, 5)


def test_a_table_shows_the_means_of_its_systems_and_says_what_it_has():
    assert repr(table((0.5, 0.25), (1.0, 0.75))) == (
        "system  m(n=2).recall  m(n=2).f\n"
        "lead           0.7500    0.5000\n"
        "(means of 1 system; 2 summaries, 2 values; .to_pandas() has each)"
    )
    assert "<bdi>lead</bdi>" in table((0.5, 0.25))._repr_html_()


# Sums are kept small, so that the largest numbers fit: what is nearly 0 becomes 0.
floats = st.floats(-1e12, 1e12).map(lambda x: x if abs(x) > 1e-200 else 0.0) | st.just(math.nan)
grids = hnp.arrays(float, st.tuples(st.integers(0, 25), st.just(2)), elements=floats)


def means_of(rows, data):
    means = SystemMeans(COLUMNS)
    means.add(rows, data)
    return means


@given(grids, st.lists(st.integers(0, 25)), st.randoms())
def test_means_do_not_depend_on_chunks(data, cuts, random):
    rows = [
        Row("p", str(i), random.choice("abc"), random.choice(["candidate", "reference"]))
        for i in range(len(data))
    ]
    whole, parts = means_of(rows, data), SystemMeans(COLUMNS)
    edges = sorted({0, len(data), *(cut for cut in cuts if cut < len(data))})
    for start, end in itertools.pairwise(edges):
        parts.add(rows[start:end], data[start:end])
    assert parts.systems() == whole.systems()
    for numbers in ("means", "standard_errors", "undefined", "topics"):
        assert getattr(parts, numbers)().tobytes() == getattr(whole, numbers)().tobytes()


@given(grids)
def test_means_are_those_of_a_plain_loop(data):
    means = means_of([Row("p", str(i), "ab"[i % 2], "candidate") for i in range(len(data))], data)
    for line, (_, author, _) in enumerate(means.systems()):
        for column in range(2):
            numbers = data["ab".index(author) :: 2, column]
            numbers = numbers[~np.isnan(numbers)].tolist()
            # Both add in the order of the rows, so they agree to the last bit.
            expected = reduce(add, numbers, 0.0) / len(numbers) if numbers else math.nan
            np.testing.assert_array_equal(means.means()[line, column], expected)


def test_undefined_values_are_left_out_and_counted_and_no_rows_make_no_systems():
    means = table((1, math.nan), (2, math.nan), (math.nan, math.nan)).means()
    assert means.systems() == [("no_models", "lead", "candidate")]
    assert means.means()[0, 0] == 1.5
    assert math.isnan(means.means()[0, 1])
    assert means.undefined().tolist() == [[1, 3]]
    assert means.topics().tolist() == [2], "the third has no value at all"
    means = SystemMeans(COLUMNS)
    assert (means.systems(), means.means().shape) == ([], (0, 2))


@given(hnp.arrays(float, st.tuples(st.integers(2, 20), st.just(1)), elements=st.floats(-1e6, 1e6)))
def test_standard_errors_are_those_of_scipy(data):
    rows = [Row("p", str(i), "a", "candidate") for i in range(len(data))]
    means = SystemMeans(COLUMNS[:1])
    means.add(rows, data)
    assert means.standard_errors()[0, 0] == pytest.approx(stats.sem(data)[0], rel=1e-6, abs=1e-9)


def test_intervals_are_those_of_the_t_distribution_and_values_far_from_0_keep_their_spread():
    low, high = table((1, 5), (2, math.nan), (4, math.nan)).means().intervals()
    # The numbers 1, 2, 4: mean 7/3, standard deviation sqrt(7/3), t(0.975, 2) = 4.30265.
    assert high[0, 0] - 7 / 3 == pytest.approx(4.302652729911275 * math.sqrt(7 / 9))
    assert 7 / 3 - low[0, 0] == pytest.approx(4.302652729911275 * math.sqrt(7 / 9))
    assert math.isnan(low[0, 1]), "one number has no interval"
    means = table((1e9, 0), (1e9 + 1, 0), (1e9 + 2, 0)).means()
    assert means.standard_errors()[0, 0] == pytest.approx(math.sqrt(1 / 3))


@pytest.mark.parametrize(
    ("numbers", "mean"), [((1.6e308, 1.2e308), 1.4e308), ((-1.7e308, 1.7e308), 0)]
)
def test_the_mean_of_the_largest_numbers_is_a_number(numbers, mean):
    means = table(*([number] for number in numbers), columns=COLUMNS[:1]).means()
    assert means.means() == pytest.approx(np.array([[mean]]))


# --- tables of several files as one: what is joined, and what is never mixed ---


def table_of(signature, **systems):
    """One column ``m.f``, and {system: scores by topic}."""
    rows = [
        Row("no_models", f"t{i}", s, "candidate") for s in systems for i in range(len(systems[s]))
    ]
    data = np.array([[score] for scores in systems.values() for score in scores], np.float64)
    return ScoreTable(tuple(rows), (Column("m", "f", signature),), data)


ROW = Row("no_models", "t0", "a", "candidate")
JOINED = {
    "other data and another number of references": (
        table_of("lcs|refs:1,best|data:aa|v:1", a=[1, 2]),
        table_of("lcs|refs:2-4,best|data:bb|v:1", b=[3, 4])),
    **{f"one name with another signature: {other or 'none'}": (
        table_of("lcs|v:1", a=[1, 2]), table_of(other, a=[3, 4]))
       for other in ("lcs(beta=2.0)|v:1", "lcs|refs:mean|v:1", "lcs|v:2", "")},
    "one system with two scores": (
        table_of("", a=[1, 2], b=[5, 6]), table_of("", a=[1, 3], b=[5, 6], c=[7])),
    "equal runs of one system": (table_of("", a=[1, 2]), table_of("", a=[1, 2])),
    "values side by side": (
        table_of("", a=[1, math.nan]), ScoreTable((ROW,), (Column("bleu"),), np.array([[0.5]]))),
}  # fmt: skip


@pytest.mark.parametrize("case", JOINED)
def test_what_two_files_hold_is_joined_and_never_mixed(case, snapshot):
    table = join_tables(dict(zip(("old", "new"), JOINED[case], strict=True)))
    lines = [", ".join(f"{c.name} ({c.signature})" for c in table.columns)]
    for row, numbers in zip(table.rows, table.data.tolist(), strict=True):
        lines.append(f"{row.topic} {row.author}: {numbers}")
    assert "\n".join([*lines, *table.notes]) == snapshot


def test_parts_of_one_run_are_one_system():
    whole = table_of("", a=[1, 2, 3])
    old, new = (
        ScoreTable(whole.rows[part], whole.columns, whole.data[part])
        for part in (slice(1), slice(1, 3))
    )
    table = join_tables({"old": old, "new": new})
    assert table == whole and table.authors() == ["a"]
