"""``summetry.score``: one pair, many pairs, and calls that are not what they seem."""

import math

import numpy as np
import pytest

import summetry
from summetry import spec
from summetry.engine.pairs import PairPlan
from summetry.engine.plan import Item, ItemChunk
from summetry.engine.run import Run
from summetry.errors import SummetryError, SummetryWarning
from summetry.metrics import METRICS, Needs
from summetry.records.batches import TextColumns


def test_one_candidate_gives_numbers():
    scores = summetry.score("a b c", ["b c d", "x"], metrics=["unit_overlap"])
    assert scores == {"unit_overlap": {"value": 0.25}}
    assert type(scores["unit_overlap"]["value"]) is float


def test_many_candidates_give_arrays():
    scores = summetry.score(["a", "b"], [["a"], ["c", "b"]], metrics=["unit_overlap", "lcs.f"])
    assert np.array_equal(scores["unit_overlap"]["value"], [1.0, 0.5])
    assert scores["lcs.f"].keys() == {"f"}
    assert isinstance(scores["lcs.f"]["f"], np.ndarray)


def test_values_stand_under_the_spelling_that_was_used():
    spelling = "unit_overlap( n = 2 )"
    assert list(summetry.score("a b", ["a b"], metrics=[spelling])) == [spelling]


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
    for asked, (metric, names) in zip(metrics, few.built, strict=True):
        for name in names:
            spelling = spec.show(metric)
            assert np.array_equal(whole[asked][name], numbers[spelling, name])
            assert np.array_equal(whole[asked][name], table.column(f"{spelling}.{name}"))


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
        (("a", "b"), r"for one candidate references must be a list of texts, got a string"),
        (("a", [["b"]]), r"references\[0\] must be a text, got a list"),
        ((["a"], ["b"]), r"references\[0\] must be a list of texts, got a string; write \[text\]"),
        ((["a"], "b"), r"references must be a list of texts for each candidate, got a string"),
        ((["a", "b"], [["a"]]), r"a list of texts for each candidate, got 1 for 2 candidates"),
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
        (["a"], ["b", "c"], "one text for each candidate, got 2 for 1 candidates"),
        (["a"], [3], r"sources\[0\] must be a text, got an int"),
    ],
)
def test_sources_must_match_the_candidates(candidates, sources, message):
    with pytest.raises(SummetryError, match=message):
        summetry.score(candidates, metrics=["compression"], sources=sources)
