"""From score tables and judgments to estimates: what counts, what helps, what is noted."""

import math
from dataclasses import replace

import numpy as np
import pytest

import summetry
from summetry.errors import SummetryError
from summetry.formats.frames import as_frame
from summetry.formats.judgments import read_judgments
from summetry.metaeval.estimates import EstimateSettings, check_proxies, estimate_parts
from summetry.metaeval.selection import Selection, judged_parts
from summetry.records.scores import Column, Row, ScoreTable
from summetry.stats.estimate import estimate


def made(seed=0, systems=3, topics=30, judged=15, columns=("m.value",)):
    """A score table of all summaries, and judgments of the first topics as a corpus."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(3, 1, (systems, topics))
    cells = [(i, j) for i in range(systems) for j in range(topics)]
    rows = tuple(Row("no_models", f"t{j}", f"s{i}", "candidate") for i, j in cells)
    data = np.array([[quality[i, j] + rng.normal(0, 0.5) for _ in columns] for i, j in cells])
    names = tuple(Column(*name.split(".")) for name in columns)
    marks = [{"id": f"t{j}", "system": f"s{i}", "quality": round(quality[i, j], 2)}
             for i, j in cells if j < judged]  # fmt: skip
    corpus = read_judgments(as_frame(marks, "the judgments"))
    return ScoreTable(rows, names, data), corpus


def tables_of(table, corpus, metrics=(), **settings):
    selection = Selection((), (), None, (), False, metrics)
    parts, notes = judged_parts([table], corpus, selection, keep_unjudged=True)
    check_proxies(parts, bool(metrics))
    tables = estimate_parts(parts, corpus, EstimateSettings(draws=2, **settings))
    return tables, notes


def only(table, corpus, metrics=(), **settings):
    (result,), _ = tables_of(table, corpus, metrics, **settings)
    return result


def test_topics_that_nobody_judged_are_kept_and_such_a_system_is_not_ranked():
    table, corpus = made()
    (result,), notes = tables_of(table, corpus)
    assert (result.topics, result.judged_topics, notes) == (30, 15, [])
    y = np.full((3, 30), np.nan)
    for judgment in corpus.judgments:
        y[int(judgment.author[1:]), int(judgment.topic[1:])] = corpus.mark(judgment)
    assert result.estimate == estimate(y, table.data.reshape(3, 30)[None])
    # A system without judgments is shown, and not ranked.
    table, corpus = made(judged=15)
    judgments = tuple(one for one in corpus.judgments if one.author != "s0")
    result = only(table, replace(corpus, judgments=judgments))
    last = result.best_first()[-1]
    assert result.systems[last.system] == "s0"
    assert result.note_on(last) == "fewer than 3 judged"
    assert len(result.estimate.ranks) == 2


def test_length_random_numbers_and_a_constant_stand_beside_the_metric():
    table, corpus = made(columns=("m.value", "length.words"))
    result = only(table, corpus, ("m",))
    names = ["m", "(length alone)", "(random)", "(constant)"]
    assert [one.name for one in result.saved] == names
    own, length, random, constant = result.saved
    assert [one.is_null for one in result.saved] == [False, True, True, True]
    assert own.means > 0.2 > random.means
    assert (constant.means, constant.differences) == (0.0, 0.0)
    assert length[1:3] == pytest.approx(only(table, corpus, ("length",)).saved[0][1:3])
    # A missing length is noted, and other draws are other numbers.
    table, corpus = made(0)
    result = only(table, corpus)
    note = "(length alone) is missing: there are no texts, and no score says how long they are"
    assert result.notes == (note,)
    assert [one.name for one in result.saved][1:] == ["(random)", "(constant)"]
    other = only(table, corpus, seed=1)
    assert only(table, corpus).saved == result.saved
    assert other.saved[1] != result.saved[1] and other.saved[0] == result.saved[0]
    # What ``made`` draws first with the seed 0 decides the judgments: they are other numbers.
    assert only(table, corpus, seed=0).saved[1].means < 0.1


def test_the_null_metrics_have_the_summaries_of_the_metric_and_infinite_values_are_missing():
    """A value that is missing for the metric is missing for them."""
    table, corpus = made()
    table.data[::4] = np.nan
    result = only(table, corpus)
    dropped = sum(mean.dropped for mean in result.estimate.means)
    note = f"{dropped} judgments dropped: the summary has no value of m"
    assert dropped and note in result.notes
    assert result.saved[-1].means == pytest.approx(0, abs=1e-12)
    # An infinite value counts as missing.
    table, corpus = made()
    table.data[0] = np.inf
    result = only(table, corpus)
    assert "1 infinite value of a metric counted as missing" in result.notes
    assert result.estimate.means[0].topics == 29


def test_topics_not_drawn_at_random_and_thin_rows_are_noted():
    table, corpus = made(topics=80, judged=30)
    # The first topics are judged: those with the lowest scores.
    data = np.sort(table.data.reshape(3, 80), axis=1).reshape(-1, 1)
    result = only(ScoreTable(table.rows, table.columns, data), corpus)
    (note,) = (note for note in result.notes if note.startswith("were the judged topics"))
    assert "drawn at random? Their m is up to" in note and note.endswith(": s0, s1, s2")
    # Nearly all judgments are the same.
    table, corpus = made()
    five, four = ((j.topic, j.author, 5) for j in corpus.judgments[:-3]), corpus.judgments[-3:]
    marks = [*five, *((j.topic, j.author, 4) for j in four)]
    marks = [dict(zip(("id", "system", "quality"), mark, strict=True)) for mark in marks]
    result = only(table, read_judgments(as_frame(marks, "the judgments")))
    assert all("thin" in result.note_on(mean) for mean in result.estimate.means)


@pytest.mark.parametrize(("judged", "spread", "words"), [
    (30, 1, "all judged"), (9, 1, "judgments alone: fewer than 10"),
    (15, 0, "judgments alone: no spread"), (15, 1, ""),
])  # fmt: skip
def test_a_row_says_where_the_metric_does_not_help(judged, spread, words):
    table, corpus = made(judged=judged)
    data = spread * table.data
    result = only(ScoreTable(table.rows, table.columns, data), corpus)
    assert {result.note_on(mean) for mean in result.estimate.means} == {words}


def test_which_of_several_metrics_helps_must_be_said():
    table, corpus = made(columns=("m.value", "n.value"))
    message = "there are 2 metrics, m, n: say which one helps, with -m NAME"
    with pytest.raises(SummetryError, match=message):
        tables_of(table, corpus)
    both = only(table, corpus, ("m", "n"))
    # One for every ten judgments: 15 are enough for one.
    assert both.saved[0].name == "m"
    assert both.proxy_names == both.used_names == ("m",)
    assert "n is not used: one metric per ten judged topics" in both.notes
    table, corpus = made(judged=20, columns=("m.value", "n.value"))
    both = only(table, corpus, ("m", "n"))
    assert both.saved[0].name == "m + n"
    assert both.used_names == ("m", "n")
    # The system with most judged topics says how many metrics are used.
    table, corpus = made(judged=20, columns=("m.value", "n.value"))
    early = {f"t{n}" for n in range(12)}
    judgments = tuple(j for j in corpus.judgments if j.author == "s0" or j.topic in early)
    result = only(table, replace(corpus, judgments=judgments), ("m", "n"))
    assert [mean.judged for mean in result.estimate.means] == [20, 12, 12]
    assert result.proxy_names == ("m", "n")
    assert [bool(mean.weights[1]) for mean in result.estimate.means] == [True, False, False]


def test_a_metric_that_lacks_values_or_follows_from_another_is_not_used():
    table, corpus = made(judged=15, columns=("m.value", "n.value"))
    data = table.data.copy()
    data[::2, 0] = np.nan
    result = only(ScoreTable(table.rows, table.columns, data), corpus, ("m", "n"))
    assert result.proxy_names == ("n",)
    assert "m is not used: one metric per ten judged topics" in result.notes
    assert [mean.dropped for mean in result.estimate.means] == [0, 0, 0]
    # One that follows from another is not said to help.
    table, corpus = made(judged=20, columns=("m.value", "n.value"))
    data = np.column_stack([table.data[:, 0], 3 - 2 * table.data[:, 0]])
    result = only(ScoreTable(table.rows, table.columns, data), corpus, ("m", "n"))
    assert result.used_names == ("m",)
    start = "n is not used: it is constant, or follows"
    assert any(note.startswith(start) for note in result.notes)


def test_a_scale_ends_the_intervals_and_no_judgment_is_outside_it(demo):
    result = summetry.estimate(demo, metrics="rouge-1.recall", dimensions="grammaticality")
    assert len(demo.scales["grammaticality"]) == 5
    means = result["grammaticality"].estimate.means
    assert max(mean.high for mean in means) <= 5 and min(mean.low for mean in means) >= 1
    # A judgment outside the scale is refused.
    table, corpus = made()
    low = {(j.topic, j.author): corpus.mark(j) for j in corpus.judgments if corpus.mark(j) < 2.5}
    topic, system = min(low, key=lambda one: (int(one[0][1:]), one[1]))
    where = rf"{low[topic, system]:g} \(topic {topic}, system {system}\)"
    message = rf"is {where}, outside the scale from 2\.5 to 9"
    with pytest.raises(SummetryError, match=message):
        tables_of(table, corpus, scale=(2.5, 9))


def test_progress_counts_every_estimate():
    table, corpus = made(columns=("m.value", "length.words"))
    parts, _ = judged_parts([table], corpus, Selection(metrics=["m"]), keep_unjudged=True)
    seen = []
    estimate_parts(parts, corpus, EstimateSettings(draws=3), lambda *both: seen.append(both))
    assert seen == [(done, 6) for done in range(1, 7)]
    assert not math.isnan(estimate_parts(parts, corpus, EstimateSettings())[0].saved[0].means)
