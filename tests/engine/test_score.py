"""``summetry.score``: one pair, many pairs, functions, and calls that are not what they seem."""

import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import summetry
from summetry import spec
from summetry.arrays.token_tables import cut_into_runs
from summetry.engine.pairs import PairPlan
from summetry.engine.plan import Item, ItemChunk, cut_into_chunks
from summetry.engine.run import Run
from summetry.errors import PlugInError, SummetryError, SummetryWarning
from summetry.metrics import METRICS, Needs
from summetry.metrics.cosine import Cosine
from summetry.records.batches import DistinctTexts, TextColumns
from summetry.records.text_scores import Values


def values_of(scores):
    """Plain numbers and lists by metric and value."""
    return {
        metric: {name: np.asarray(value).tolist() for name, value in values.items()}
        for metric, values in scores.items()
    }


@pytest.mark.parametrize(("texts", "metrics", "expected"), [
    (("a b c", ["b c d", "x"]), ["unit_overlap"], {"unit_overlap": {"value": 0.25}}),
    # One candidate takes one reference as it is.
    (("a b c", "b c d"), "unit_overlap", {"unit_overlap": {"value": 0.5}}),
    (("a b c", ["b c d"]), "unit_overlap", {"unit_overlap": {"value": 0.5}}),
    ((["a", "b"], [["a"], ["c", "b"]]), ["unit_overlap", "lcs.f"],
     {"unit_overlap": {"value": [1.0, 0.5]}, "lcs": {"f": [1.0, (0 + 1) / 2]}}),
    # Texts of a flat list are one reference each.
    ((["a b", "c d"], ["a b", "c e"]), "rouge1.f", {"rouge1": {"f": [1.0, 0.5]}}),
    (([], []), ["lcs.f"], {"lcs": {"f": []}}),
    # Values stand under the spelling that was used.
    (("a b", ["a b"]), ["unit_overlap( n = 2 )"], {"unit_overlap( n = 2 )": {"value": 1.0}}),
])  # fmt: skip
def test_values_of_texts(texts, metrics, expected):
    assert values_of(summetry.score(*texts, metrics=metrics)) == expected


def test_one_candidate_gives_numbers_and_many_give_arrays():
    assert type(summetry.score("a", ["a"], metrics=["lcs"])["lcs"]["f"]) is float
    assert isinstance(summetry.score(["a"], [["a"]], metrics=["lcs"])["lcs.f"], np.ndarray)
    # Metrics may be one string, and without any ROUGE is computed.
    named = list(summetry.score("a", "a", "lcs, rouge_n(n=2).recall, ROUGE-L"))
    assert named == ["lcs", "rouge_n(n=2)", "ROUGE-L"]
    assert list(summetry.score("a", "a")) == ["rouge-1", "rouge-2", "rouge-l"]
    # Without references the source alone will do.
    scores = summetry.score("a", metrics=["compression"], sources="a b")
    assert scores == {"compression": {"value": 0.5}}
    # The language decides stems.
    spelling = "unit_overlap(text=auto(stem=true))"
    scores = summetry.score("häuser", ["haus"], metrics=[spelling], language="de")
    assert scores[spelling]["value"] == 1


class AsRecords(PairPlan):
    """The same texts, each in a record of its own."""

    def chunks(self, size=1000):
        return [ItemChunk(list(self.items()))]

    def items(self):
        for chunk in PairPlan(self.columns).chunks():
            for row, comparison in zip(chunk.rows(), chunk.batch(()).comparisons, strict=True):
                yield Item(row, (comparison,))


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


def test_the_size_of_the_chunks_changes_no_bit(monkeypatch):
    candidates = [f"word{i} cat sat here" for i in range(40)]
    references = [[f"word{i % 7} cat", "sat"] for i in range(40)]
    metrics = ["cosine", "rouge-2", "rouge-l", "rouge-1(text=rouge155)"]
    plan = PairPlan(TextColumns(candidates, references, [None] * 40))
    whole, few = (Run(plan, metrics, chunk_items=size) for size in (1000, 7))
    assert few.table() == whole.table()
    assert (whole.chunks_done, few.chunks_done) == (1, 6)
    # Fewer characters than one row has: then a chunk is one row.
    monkeypatch.setattr("summetry.engine.plan.CHUNK_CHARACTERS", 10)
    single = Run(plan, metrics)
    assert single.table() == whole.table() and single.chunks_done == 40


@given(lengths=st.lists(st.integers(0, 12), max_size=30), size=st.integers(1, 6),
       most=st.integers(1, 20))  # fmt: skip
def test_rows_are_cut_into_the_chunks_of_items(lengths, size, most):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("summetry.engine.plan.CHUNK_CHARACTERS", most)
        one_by_one = list(cut_into_chunks(range(len(lengths)), lengths.__getitem__, size))
        at_once = cut_into_runs(np.array(lengths, dtype=np.int64), most, size)
        assert [list(range(rows.start, rows.stop)) for rows in at_once] == one_by_one


def test_rows_have_the_names_that_the_plan_knows():
    columns = TextColumns(["a", "b", "c"], [["a"], ["a"], ["a"]], [None] * 3)
    names = [("t1", "x"), ("t2", "x"), ("t1", "y")]
    table = Run(PairPlan(columns, names=names), ["lcs"], chunk_items=2).table()
    assert [(row.topic, row.author) for row in table.rows] == names
    table = Run(PairPlan(columns), ["lcs"], chunk_items=2).table()
    assert [(row.topic, row.author) for row in table.rows] == [(n, "candidate") for n in "123"]
    # Equal texts are tokenised once.
    texts = DistinctTexts()
    assert texts.add_plain(["a", "b", "a", "c", "b"], "").tolist() == [0, 1, 0, 2, 1]
    assert texts.strings == ["a", "b", "c"]
    assert [texts.add("b", "", None), texts.add("d", "", None)] == [1, 3]


@pytest.mark.parametrize(("candidates", "references", "message"), [
    ("a", [["b"]], r"references\[0\] must be a text, got a list"),
    (["a", "b"], [["b"], "c"],
     r"references\[1\] must be a list of texts, got a string; write \[text\]"),
    (["a", "b"], ["c", 5], r"references\[1\] must be a text, got an int$"),
    (["a"], "b", r"a text, or a list of texts, for each candidate, got a string"),
    (["a", "b"], [["a"]], r"for each candidate, got 1 for 2 candidates$"),
    (["a"], ["b", "c"],
     r"got 2 for 1 candidate; if all are references of the one candidate, write "
     r"references=\[\[\.\.\.\]\]; if each belongs to a candidate of its own, give 2 "),
    (["a", None], ["b", "c"], r"candidates\[1\] must be a text, got None; it is missing"),
    (None, [["a"]], r"candidates must be a text or a list of texts, got None"),
])  # fmt: skip
def test_a_string_is_not_a_list_and_lengths_must_match(candidates, references, message):
    with pytest.raises(SummetryError, match=message):
        summetry.score(candidates, references, metrics=["unit_overlap"])


@pytest.mark.parametrize(("candidates", "sources", "message"), [
    ("a", ["b"], "sources must be one text for one candidate, got a list"),
    (["a"], "b", "sources must be one text for each candidate, got a string"),
    (["a"], ["b", "c"], "one text for each candidate, got 2 for 1 candidate"),
    (["a"], [3], r"sources\[0\] must be a text, got an int"),
])  # fmt: skip
def test_sources_must_match_the_candidates(candidates, sources, message):
    with pytest.raises(SummetryError, match=message):
        summetry.score(candidates, metrics=["compression"], sources=sources)


# --- scores ---------------------------------------------------------------------------------------


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


def test_a_frame_of_several_systems_has_a_mean_for_each():
    rows = [("2", "t5", "a"), ("1", "bart", "a b"), ("1", "t5", "x"), ("2", "bart", "b")]
    frame = [
        dict(zip(("id", "system", "candidate"), row, strict=True), reference="a") for row in rows
    ]
    scores = summetry.score(frame, metrics="rouge1.recall")
    assert scores["rouge1"].recall.tolist() == [1, 1, 0, 0] and scores.systems == ("t5", "bart")
    means = pickle.loads(pickle.dumps(scores)).mean()
    assert means["rouge1"].recall.tolist() == [0.5, 0.5]
    assert means.to_pandas().index.tolist() == ["t5", "bart"]
    # Half of the distance of two numbers is the standard error; t of one degree is 12.7.
    assert [end.tolist() for end in scores.intervals()["rouge1.recall"]] == [
        [0.5] * 2,
        [0] * 2,
        [1] * 2,
    ]
    lines = [line.split() for line in repr(scores).splitlines()]
    assert lines[1][:3] == ["rouge1.recall", "t5", "0.5000"] and lines[2][1] == "bart"
    assert repr(means).endswith("(2 systems; .to_pandas() has each)")


def test_scores_print_a_short_table():
    scores = summetry.score(["a b", "c d"] * 50, ["a b", "c e"] * 50, "rouge1.f")
    assert scores.mean()["rouge1"].f == 0.75
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
    length = pytest.approx((0.5, 0.0, 0.5 + 12.7062 / 2), abs=1e-3)
    assert scores.intervals() == {"rouge1.f": (0.5, 0.0, 1.0), "lcs.length": length}
    assert "0.0000 to 1.0000" in repr(scores)
    # No reference at all is undefined and told.
    with pytest.warns(SummetryWarning, match="no value for 1 of 2 summaries, which lack refer"):
        scores = summetry.score(["a", "a"], [["a"], []], metrics=["unit_overlap"])
    assert scores["unit_overlap"]["value"] == pytest.approx([1, math.nan], nan_ok=True)


def test_empty_candidates_are_counted_and_named():
    several = (
        "2 of 4 summaries are empty and count as the worst value: candidates[1], candidates[2]"
    )
    # A single one needs no name.
    single = "the summary is empty: it counts as the worst value"
    calls = {several: (["a", "", " \n", "b"], list("abcd")), single: ("", "a")}
    for note, texts in calls.items():
        with pytest.warns(SummetryWarning) as caught:
            summetry.score(*texts, "rouge1")
        assert [str(warning.message) for warning in caught] == [note]


@pytest.mark.filterwarnings("error")
def test_an_empty_candidate_without_a_value_counts_for_nothing():
    """Against an empty reference there is no value, and of a length no direction is better."""
    assert math.isnan(summetry.score("", "", "rouge-1")["rouge-1.f"])
    assert summetry.score("", "a", "compression", sources="a b")["compression"].value == 0


def test_values_are_found_by_their_names():
    scores = summetry.score("a", "a", "rouge1")
    with pytest.raises(AttributeError, match="no value is named 'f2'; there are recall, precis"):
        _ = scores["rouge1"].f2
    with pytest.raises(SummetryError, match="no metric among the scores is named 'rouge2'"):
        scores["rouge2"]
    assert "rouge2" not in scores and "ROUGE1.f" in scores
    assert 5 not in scores and None not in scores and 5 not in scores["rouge1"]
    # F has the names of other programs too, unless a value is called so.
    scores = summetry.score("a b", "a", "rouge1")["rouge1"]
    assert scores.f1 == scores["f1"] == scores.fmeasure == scores["fmeasure"] == scores.f == 2 / 3
    assert "f1" in scores and list(scores) == ["recall", "precision", "f"]
    ours = Values({"f": 1.0, "f1": 2.0})
    assert (ours.f1, ours["f1"], ours.fmeasure) == (2.0, 2.0, 1.0)
    with pytest.raises(SummetryError, match="no value of the metric is named 'f1'"):
        Values({"recall": 1.0})["f1"]
    # A signature belongs to each metric.
    scores = summetry.score("a", "a", "rouge1")
    assert scores.signatures["rouge1"].startswith("rouge_n(references=best,text=rouge_score)|")


# --- plain functions ------------------------------------------------------------------------------


def letters(candidate, references, source):
    return len(candidate)


def brackets(candidate, references, source):
    return {"open": candidate.count("("), "close": len(references)}


brackets.values = ("open", "close")


def share(candidate, references, source):
    return np.nan if source is None else len(candidate) / len(source)


def test_a_function_scores_one_text_and_many_and_is_given_the_source():
    # A function alone is a list of one; so is a metric.
    assert summetry.score("abc", "x", letters) == {"letters": {"value": 3.0}}
    assert summetry.score("abc", "x", Cosine()) == {"cosine": {"value": 0.0}}
    scores = summetry.score(["a (", "bb"], [["x"], ["y", "z"]], ["lcs.f", brackets, letters])
    assert values_of(scores) == {
        "lcs": {"f": [0, 0]},
        "brackets": {"open": [1, 0], "close": [1, 2]},
        "letters": {"value": [3, 2]},
    }
    assert summetry.score("ab", metrics=[share], sources="abcd") == {"share": {"value": 0.5}}
    assert np.isnan(summetry.score("ab", metrics=[share])["share"]["value"])


def test_a_function_is_a_column_and_is_not_kept(demo, tmp_path):
    table = summetry.evaluate(demo, [letters, "lcs.f"])
    texts = [len(demo.text_of(s)) for s in demo.summaries if s.role == "candidate"]
    assert sorted(table.column("letters")) == sorted(texts)
    signature = table.columns[0].signature
    assert signature.startswith("letters|data:") and "plugin" not in signature

    # A metric that nobody registered can be given.
    class Own(Cosine):
        name = "own"

    own, cosine = (summetry.evaluate(demo, [metric]).data for metric in (Own(), "cosine"))
    assert own.tobytes() == cosine.tobytes()
    # Work of a function is not kept.
    summetry.evaluate(demo, ["lcs", letters], cache=tmp_path)
    assert not list((tmp_path / "chunks").iterdir())
    summetry.evaluate(demo, ["lcs"], cache=tmp_path)
    assert list((tmp_path / "chunks").iterdir())


def test_functions_that_have_a_name_twice_or_cannot_be_sent_are_refused(demo):
    def cosine(candidate, references, source):
        return 1.0

    with pytest.raises(SummetryError, match="there is a metric 'cosine' already; rename the func"):
        summetry.score("a", metrics=[cosine])
    first, second = (lambda c, r, s: 1.0), (lambda c, r, s: 2.0)
    with pytest.raises(SummetryError, match="two metrics are named 'lambda'; rename one"):
        summetry.score("a", metrics=[first, second])
    assert summetry.score("a", metrics=[first, first]) == {"lambda": {"value": 1.0}}
    # In other processes:
    with pytest.raises(SummetryError, match=r"^lambda cannot be given to other proc.* worker$"):
        summetry.evaluate(demo, [lambda candidate, references, source: 1.0], workers=2)


def test_a_function_that_fails_is_named():
    def broken(candidate, references, source):
        return 1 / len(candidate)

    with pytest.raises(PlugInError, match="the function 'broken' failed: ZeroDivisionError: divis"):
        summetry.score("", metrics=[broken])
    plan = PairPlan(TextColumns(["ab", ""], [[], []], [None, None]))
    run = Run(plan, [broken], on_error="skip")
    assert np.array_equal(run.table().data, [[0.5], [np.nan]], equal_nan=True)
    assert run.notes == ("skipped: topic 2, author candidate: ZeroDivisionError: division by zero",)


def test_a_function_takes_the_source_or_the_references_only_if_it_asks_for_them():
    def words(candidate):
        return len(candidate.split())

    def listed(candidate, references):
        return len(references)

    def weighted(candidate, references, weight=2.0, *, scale=3.0):
        return weight * scale

    def aware(candidate, references=(), source=None):
        return len(references) + (source == "s")

    def anything(*texts):
        return len(texts)

    metrics = [words, listed, weighted, aware, anything]
    scores = summetry.score("a b", ["x", "y", "z"], metrics, sources="s")
    assert [scores[m.__name__].value for m in metrics] == [2, 3, 6, 4, 3]


@pytest.mark.parametrize(("function", "takes"), [
    (lambda candidate, reference: 1.0, "(candidate, reference)"),
    (lambda candidate, source: 1.0, "(candidate, source)"),
    (lambda: 1.0, "()"),
    (lambda a, b, c, d: 1.0, "(a, b, c, d)"),
    (lambda a, b, *, beta: 1.0, "(a, b, beta)"),
])  # fmt: skip
def test_a_function_of_other_arguments_is_refused_before_it_is_called(function, takes):
    with pytest.raises(PlugInError) as caught:
        summetry.score("a", "b", function)
    assert str(caught.value) == (
        "a metric function takes (candidate), (candidate, references) or (candidate, references, "
        f"source), where references is a list; lambda takes {takes}"
    )
