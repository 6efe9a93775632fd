"""``summetry.score``: one pair, many pairs, and calls that are not what they seem."""

import math

import numpy as np
import pytest
from comparisons import may_be_empty
from hypothesis import given
from hypothesis import strategies as st

import summetry
from summetry import spec
from summetry.arrays.token_tables import cut_into_runs
from summetry.engine.pairs import PairPlan
from summetry.engine.plan import Item, ItemChunk, cut_into_chunks
from summetry.engine.run import Run
from summetry.errors import SummetryError, SummetryWarning
from summetry.metrics import METRICS, Needs
from summetry.records.batches import DistinctTexts, TextColumns
from summetry.records.scores import Column
from summetry.records.text_scores import Values


def test_one_candidate_gives_numbers():
    scores = summetry.score("a b c", ["b c d", "x"], metrics=["unit_overlap"])
    assert scores == {"unit_overlap": {"value": 0.25}}
    assert type(scores["unit_overlap"]["value"]) is float


def test_many_candidates_give_arrays():
    found = summetry.score(["a", "b"], [["a"], ["c", "b"]], metrics=["unit_overlap", "lcs.f"])
    assert np.array_equal(found["unit_overlap"]["value"], [1.0, 0.5])
    assert found["lcs"].keys() == {"f"}
    assert isinstance(found["lcs.f"], np.ndarray)


def test_values_stand_under_the_spelling_that_was_used():
    spelling = "unit_overlap( n = 2 )"
    assert list(summetry.score("a b", ["a b"], metrics=[spelling])) == [spelling]


@may_be_empty
def test_a_batch_equals_its_pairs():
    candidates = ["the cat sat", "", "dogs bark at night"]
    references = [["a cat sat", "cats"], ["x"], ["dogs bark"]]
    sources = ["the cat sat on a mat", "y", "dogs bark at night and by day"]
    metrics = ["unit_overlap", "cosine", "lcs", "compression", "retention"]
    batch = summetry.score(candidates, references, metrics=metrics, sources=sources)
    for i in range(3):
        one = summetry.score(candidates[i], references[i], metrics=metrics, sources=sources[i])
        for metric, values in one.items():
            for name, value in values.items():
                assert batch[metric][name][i] == value


def test_columns_of_texts_give_the_values_of_the_same_comparisons_as_records():
    candidates = ["The cat sat.\nIt slept.", "The cat sat.", "Dogs bark at night", "It slept."]
    references = [["A cat sat.", "Cats\nsleep."], ["The cat sat."], [], ["It slept.", "Dogs"]]
    sources = ["The cat sat on a mat. It slept.", "The cat sat.", None, "It slept."]
    metrics = [spec.show(METRICS.build(name)) for name in METRICS.names()]
    offered = Needs.REFERENCES | Needs.SOURCE
    metrics = [name for name in metrics if not METRICS.build(name).needs & ~offered]
    plan = PairPlan(TextColumns(candidates, references, sources, "en"))
    columns, records = Run(plan, metrics), Run(AsRecords(plan.columns), metrics)
    assert columns.table() == records.table()
    assert columns.notes == records.notes
    assert any("which lack references" in note for note in columns.notes)


class AsRecords(PairPlan):
    """The same texts, each in a record of its own."""

    def chunks(self, size=1000):
        return [ItemChunk(list(self.items()))]

    def items(self):
        for chunk in PairPlan(self.columns).chunks():
            for row, comparison in zip(chunk.rows(), chunk.batch(()).comparisons, strict=True):
                yield Item(row, (comparison,))


def test_the_size_of_the_chunks_changes_no_bit(monkeypatch):
    candidates = [f"word{i} cat sat here" for i in range(40)]
    references = [[f"word{i % 7} cat", "sat"] for i in range(40)]
    metrics = ["cosine", "rouge-2", "rouge-l", "rouge-1(text=rouge155)"]
    plan = PairPlan(TextColumns(candidates, references, [None] * 40))
    whole = summetry.score(candidates, references, metrics)
    few = Run(plan, metrics, chunk_items=7)
    numbers = few.numbers()
    assert few.chunks_done == 6
    # Fewer characters than one row has: then a chunk is one row.
    monkeypatch.setattr("summetry.engine.plan.CHUNK_CHARACTERS", 10)
    single = Run(plan, metrics)
    table = single.table()
    assert single.chunks_done == 40
    for asked, metric, names in few.requested:
        for name in names:
            assert np.array_equal(whole[asked][name], numbers[spec.show(metric), name])
            column = Column(asked, name).name
            assert np.array_equal(whole[asked][name], table.column(column))


@given(
    lengths=st.lists(st.integers(0, 12), max_size=30),
    size=st.integers(1, 6),
    most=st.integers(1, 20),
)
def test_rows_are_cut_into_the_chunks_of_items(lengths, size, most):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("summetry.engine.plan.CHUNK_CHARACTERS", most)
        one_by_one = list(cut_into_chunks(range(len(lengths)), lengths.__getitem__, size))
        at_once = cut_into_runs(np.array(lengths, dtype=np.int64), most, size)
        assert [list(range(rows.start, rows.stop)) for rows in at_once] == one_by_one


def test_equal_texts_are_tokenised_once():
    texts = DistinctTexts()
    assert texts.add_plain(["a", "b", "a", "c", "b"], "").tolist() == [0, 1, 0, 2, 1]
    assert texts.strings == ["a", "b", "c"]
    assert [texts.add("b", "", None), texts.add("d", "", None)] == [1, 3]


def test_rows_have_the_names_that_the_plan_knows():
    columns = TextColumns(["a", "b", "c"], [["a"], ["a"], ["a"]], [None] * 3)
    names = [("t1", "x"), ("t2", "x"), ("t1", "y")]
    table = Run(PairPlan(columns, names=names), ["lcs"], chunk_items=2).table()
    assert [(row.topic, row.author) for row in table.rows] == names
    table = Run(PairPlan(columns), ["lcs"], chunk_items=2).table()
    assert [(row.topic, row.author) for row in table.rows] == [(n, "candidate") for n in "123"]


def test_without_references_the_source_alone_will_do():
    assert summetry.score("a", metrics=["compression"], sources="a b") == {
        "compression": {"value": 0.5}
    }


def test_no_reference_at_all_is_undefined_and_told():
    with pytest.warns(SummetryWarning, match="no value for 1 of 2 summaries, which lack refer"):
        scores = summetry.score(["a", "a"], [["a"], []], metrics=["unit_overlap"])
    assert scores["unit_overlap"]["value"][0] == 1
    assert math.isnan(scores["unit_overlap"]["value"][1])


def test_no_candidates_give_empty_arrays():
    assert summetry.score([], [], metrics=["lcs"])["lcs"]["f"].shape == (0,)


def test_the_language_decides_stems():
    spelling = "unit_overlap(text=auto(stem=true))"
    scores = summetry.score("häuser", ["haus"], metrics=[spelling], language="de")
    assert scores[spelling]["value"] == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("a", [["b"]]), r"references\[0\] must be a text, got a list"),
        (
            (["a", "b"], [["b"], "c"]),
            r"references\[1\] must be a list of texts, got a string; write \[text\]",
        ),
        ((["a", "b"], ["c", 5]), r"references\[1\] must be a text, got an int$"),
        (
            (["a", "b"], ["c", b"d"]),
            r"references\[1\] must be a text, got bytes; .decode\(\) makes",
        ),
        ((["a"], "b"), r"a text, or a list of texts, for each candidate, got a string"),
        ((["a", "b"], [["a"]]), r"for each candidate, got 1 for 2 candidates$"),
        (
            (["a"], ["b", "c"]),
            r"got 2 for 1 candidate; if all are references of the one candidate, write "
            r"references=\[\[\.\.\.\]\]; if each belongs to a candidate of its own, give 2 ",
        ),
        ((["a", None], ["b", "c"]), r"candidates\[1\] must be a text, got None; it is missing"),
        (([1], [["a"]]), r"candidates\[0\] must be a text, got an int"),
        (({"a": 1}, [["a"]]), r"candidates must be a text or a list of texts, got a dict"),
        ((None, [["a"]]), r"candidates must be a text or a list of texts, got None"),
    ],
)
def test_a_string_is_not_a_list_and_lengths_must_match(arguments, message):
    with pytest.raises(SummetryError, match=message):
        summetry.score(*arguments, metrics=["unit_overlap"])


@pytest.mark.parametrize(
    ("candidates", "sources", "message"),
    [
        ("a", ["b"], "sources must be one text for one candidate, got a list"),
        (["a"], "b", "sources must be one text for each candidate, got a string"),
        (["a"], ["b", "c"], "one text for each candidate, got 2 for 1 candidate"),
        (["a"], [3], r"sources\[0\] must be a text, got an int"),
    ],
)
def test_sources_must_match_the_candidates(candidates, sources, message):
    with pytest.raises(SummetryError, match=message):
        summetry.score(candidates, metrics=["compression"], sources=sources)


@pytest.mark.parametrize("references", ["b c d", ["b c d"]])
def test_one_candidate_takes_one_reference_as_it_is(references):
    assert summetry.score("a b c", references, "unit_overlap")["unit_overlap"].value == 0.5


def test_texts_of_a_flat_list_are_one_reference_each():
    scores = summetry.score(["a b", "c d"], ["a b", "c e"], "rouge1")
    assert scores["rouge1"].f.tolist() == [1.0, 0.5]
    assert scores.mean()["rouge1"].f == 0.75


def test_metrics_may_be_one_string():
    assert list(summetry.score("a", "a", "lcs, rouge_n(n=2).recall, ROUGE-L")) == [
        "lcs", "rouge_n(n=2)", "ROUGE-L"
    ]  # fmt: skip


def test_without_metrics_rouge_is_computed():
    assert list(summetry.score("a", "a")) == ["rouge-1", "rouge-2", "rouge-l"]


def test_a_column_of_a_frame_keeps_its_labels():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"summary": ["a b", "c"], "gold": ["a", "c"]}, index=[7, 9])
    scores = summetry.score(frame["summary"], frame["gold"], metrics=["rouge1.f", "lcs.recall"])
    wide = scores.to_pandas()
    assert list(wide.columns) == ["rouge1.f", "lcs.recall"]
    assert wide.index.tolist() == [7, 9]
    assert wide["rouge1.f"].tolist() == [2 / 3, 1.0]
    long = scores.to_pandas(long=True)
    assert list(long.columns) == ["id", "metric", "part", "score"]
    assert long["id"].tolist() == [7, 9, 7, 9]


def test_scores_print_a_short_table():
    scores = summetry.score(["a b", "c d"] * 50, ["a b", "c e"] * 50, "rouge1.f")
    # The numbers 1 and 0.5, fifty times each: their standard error is 0.25 / sqrt(99).
    assert repr(scores).splitlines() == [
        "value       mean     95 % interval",
        "rouge1.f  0.7500  0.7001 to 0.7999",
        "(100 candidates; .to_pandas() has each)",
    ]
    assert scores._repr_html_().startswith("<pre>value")
    low, high = scores.intervals()["rouge1.f"][1:]
    assert high - low == pytest.approx(2 * 1.984217 * 0.25 / math.sqrt(99), rel=1e-5)


def test_an_interval_is_cut_where_the_values_of_the_metric_end():
    """Of 0 and 1 the t interval is 0.5 - 6.35 to 0.5 + 6.35; a length has no upper end."""
    with pytest.warns(SummetryWarning, match="empty"):
        scores = summetry.score(["", "a"], ["a", "a"], ["rouge1.f", "lcs.length"])
    assert scores.intervals()["rouge1.f"] == (0.5, 0.0, 1.0)
    assert scores.intervals()["lcs.length"] == pytest.approx(
        (0.5, 0.0, 0.5 + 12.7062 / 2), abs=1e-3
    )
    assert "0.0000 to 1.0000" in repr(scores)


def test_empty_candidates_are_counted_and_named():
    with pytest.warns(SummetryWarning) as told:
        summetry.score(["a", "", " \n", "b"], ["a", "b", "c", "d"], "rouge1")
    (note,) = (str(warning.message) for warning in told)
    assert note == (
        "2 of 4 summaries are empty and count as the worst value: candidates[1], candidates[2]"
    )


def test_one_empty_candidate_needs_no_name():
    with pytest.warns(SummetryWarning, match="^the summary is empty: it counts as the worst value"):
        summetry.score("", "a", "rouge1")


@pytest.mark.filterwarnings("error")
def test_an_empty_candidate_without_a_value_counts_for_nothing():
    """Against an empty reference there is no value, and of a length no direction is better."""
    assert math.isnan(summetry.score("", "", "rouge-1")["rouge-1.f"])
    assert summetry.score("", "a", "compression", sources="a b")["compression"].value == 0


def test_an_unknown_value_is_answered_with_those_that_are_there():
    scores = summetry.score("a", "a", "rouge1")
    with pytest.raises(AttributeError, match="no value is named 'f2'; there are recall, precis"):
        _ = scores["rouge1"].f2
    with pytest.raises(SummetryError, match="no metric among the scores is named 'rouge2'"):
        scores["rouge2"]
    assert "rouge2" not in scores and "ROUGE1.f" in scores
    assert 5 not in scores and None not in scores and 5 not in scores["rouge1"]


def test_f_has_the_names_of_other_programs_too_unless_a_value_is_called_so():
    scores = summetry.score("a b", "a", "rouge1")["rouge1"]
    assert scores.f1 == scores["f1"] == scores.fmeasure == scores["fmeasure"] == scores.f == 2 / 3
    assert "f1" in scores and list(scores) == ["recall", "precision", "f"]
    ours = Values({"f": 1.0, "f1": 2.0})
    assert (ours.f1, ours["f1"], ours.fmeasure) == (2.0, 2.0, 1.0)
    with pytest.raises(SummetryError, match="no value of the metric is named 'f1'"):
        Values({"recall": 1.0})["f1"]


def test_a_signature_belongs_to_each_metric():
    scores = summetry.score("a", "a", "rouge1")
    assert scores.signatures["rouge1"].startswith("rouge_n(references=best,text=rouge_score)|")
