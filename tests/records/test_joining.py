"""Tables of several files as one: what is joined, and what is never mixed."""

import math

import numpy as np

from summetry.records.joining import join_tables
from summetry.records.scores import Column, Row, ScoreTable


def table_of(signature, **systems):
    """One column ``m.f``, and {system: scores by topic}."""
    rows = tuple(Row("no_models", f"t{i}", s, "candidate") for s, of in systems.items()
                 for i in range(len(of)))  # fmt: skip
    data = np.array([[score] for of in systems.values() for score in of], np.float64)
    return ScoreTable(rows, (Column("m", "f", signature),), data)


def scores(table, name, system):
    places = [i for i, row in enumerate(table.rows) if row.author == system]
    return table.column(name)[places].tolist()


def test_other_data_and_another_number_of_references_are_no_other_metric():
    joined = join_tables(
        {
            "old": table_of("lcs|refs:1,best|data:aa|v:1", a=[1, 2]),
            "new": table_of("lcs|refs:2-4,best|data:bb|v:1", b=[3, 4]),
        }
    )
    assert joined.columns == (Column("m", "f", "lcs|refs:best|v:1"),)
    assert (scores(joined, "m.f", "a"), scores(joined, "m.f", "b")) == ([1, 2], [3, 4])
    assert joined.notes == ()


def test_one_name_with_two_signatures_is_two_columns():
    for other in ("lcs(beta=2.0)|v:1", "lcs|refs:mean|v:1", "lcs|v:2", ""):
        joined = join_tables(
            {"old": table_of("lcs|v:1", a=[1, 2]), "new": table_of(other, a=[3, 4])}
        )
        assert [column.name for column in joined.columns] == ["m (old).f", "m (new).f"]
        assert [column.signature for column in joined.columns] == ["lcs|v:1", other]
        # The same system has numbers of both, each in its own column.
        assert scores(joined, "m (old).f", "a") == [1, 2]
        assert scores(joined, "m (new).f", "a") == [3, 4]
        assert joined.notes == (
            f"m has 2 signatures: m (old) is lcs|v:1, m (new) is {other or 'without one'}",
        )


def test_one_system_with_two_scores_is_two_systems():
    joined = join_tables(
        {"old": table_of("", a=[1, 2], b=[5, 6]), "new": table_of("", a=[1, 3], b=[5, 6], c=[7])}
    )
    assert joined.authors() == ["a (new)", "a (old)", "b", "c"]
    assert scores(joined, "m.f", "a (old)") == [1, 2]
    assert scores(joined, "m.f", "a (new)") == [1, 3]
    assert (scores(joined, "m.f", "b"), scores(joined, "m.f", "c")) == ([5, 6], [7])
    assert joined.notes == ("a has other scores in each file: shown as a (old) and a (new)",)


def test_equal_runs_of_one_system_are_two_systems_and_parts_of_one_run_are_not():
    joined = join_tables({"old": table_of("", a=[1, 2]), "new": table_of("", a=[1, 2])})
    assert joined.authors() == ["a (new)", "a (old)"]
    assert joined.notes == ("a is in each file: shown as a (old) and a (new)",)
    whole, rows = table_of("", a=[1, 2, 3]), [[0], [1, 2]]
    parts = [
        ScoreTable(tuple(whole.rows[k] for k in r), whole.columns, whole.data[r]) for r in rows
    ]
    joined = join_tables(dict(zip("xy", parts, strict=True)))
    assert joined == whole and joined.authors() == ["a"]


def test_values_of_several_files_stand_side_by_side():
    theirs = ScoreTable(
        (Row("no_models", "t0", "a", "candidate"),), (Column("bleu"),), np.array([[0.5]])
    )
    joined = join_tables({"ours": table_of("", a=[1, math.nan]), "theirs": theirs})
    assert [column.name for column in joined.columns] == ["m.f", "bleu"]
    np.testing.assert_array_equal(joined.data, [[1, 0.5], [math.nan, math.nan]])
