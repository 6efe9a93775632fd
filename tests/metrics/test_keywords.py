"""Keywords: a plain oracle against the batch code, ties, and what is needed to read words."""

import math
import sys
import warnings
from collections import Counter

import numpy as np
import pytest
from comparisons import score_pairs
from hypothesis import given, settings
from hypothesis import strategies as st

import summetry
from summetry.arrays.token_tables import build_table
from summetry.cli._inputs import metrics_to_run
from summetry.cli._options import MetricOptions
from summetry.engine.pairs import PairPlan
from summetry.engine.run import Run
from summetry.engine.tables import TablePlan
from summetry.errors import MissingPackageError, SummetryError, SummetryWarning
from summetry.metrics import METRICS
from summetry.metrics.keywords import keyword_overlap, tie_decides, top_words, top_words_of_texts
from summetry.records.batches import Batch, Comparison, Material, Side, TextColumns
from summetry.text.pipeline import LanguagePipeline

tokens = st.lists(st.sampled_from("abcdefg"), max_size=14)
pairs = st.lists(st.tuples(tokens, tokens), min_size=1, max_size=6)
sizes = st.integers(1, 8)


def slow_top(words, n):
    """Again and again the most frequent word that is left; of equal ones the earliest."""
    left, scores = list(dict.fromkeys(words)), []
    while left and len(scores) < n:
        best = left[0]
        for word in left:
            if words.count(word) > words.count(best):
                best = word
        left.remove(best)
        scores.append(best)
    return scores


def slow_values(mine, theirs, n):
    """recall, over_n, dice, jaccard from sets alone."""
    a, b = set(slow_top(mine, n)), set(slow_top(theirs, n))
    if not b:
        return [math.nan] * 4
    return [len(a & b) / len(b), len(a & b) / n, 2 * len(a & b) / (len(a) + len(b)),
            len(a & b) / len(a | b)]  # fmt: skip


def quietly(function, *arguments, **options):
    """Ties at the cut are remarked upon; here they are no matter."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SummetryWarning)
        return function(*arguments, **options)


def score(candidates, references, spelling, **options):
    return quietly(summetry.score, candidates, references, [spelling], **options)[spelling]


@given(tokens, sizes)
def test_top_words_are_the_most_frequent_and_of_equal_ones_the_earliest(words, n):
    assert list(top_words(words, n)) == slow_top(words, n)


@given(tokens, sizes)
def test_a_tie_decides_when_a_word_left_out_is_as_frequent_as_a_keyword(words, n):
    chosen, counts = slow_top(words, n), Counter(words)
    out = [word for word in counts if word not in chosen]
    tied = any(counts[word] == counts[other] for word in chosen for other in out)
    assert tie_decides(words, n) == tied


@settings(max_examples=100)
@given(pairs, sizes)
def test_the_batch_has_the_values_of_each_pair(pairs, n):
    scores = quietly(score_pairs, pairs, f"keywords(n={n},against=references,text=auto)")
    assert tuple(scores) == ("recall", "over_n", "dice", "jaccard")
    expected = np.array([slow_values(x, y, n) for x, y in pairs]).T
    for values, expected_values in zip(scores.values(), expected, strict=True):
        assert values.tolist() == pytest.approx(expected_values.tolist(), nan_ok=True, abs=1e-15)


@given(st.lists(tokens, max_size=5), sizes)
def test_keywords_and_ties_of_a_table_are_those_of_each_text(texts, n):
    table = build_table([" ".join(words) for words in texts], lambda ps: [[p] for p in ps])
    scores = top_words_of_texts(table, n)
    for row, words in enumerate(texts):
        ids = scores.bags.ids[scores.bags.offsets[row] : scores.bags.offsets[row + 1]]
        assert {table.words[i] for i in ids} == set(slow_top(words, n))
        assert scores.tied[row] == tie_decides(words, n)


@given(tokens, tokens, sizes)
def test_the_four_values_agree_with_one_another(mine, theirs, n):
    scores = keyword_overlap(mine, theirs, n)
    if scores.summary and scores.reference:
        assert scores.jaccard <= scores.dice <= 1
        assert scores.over_n <= scores.recall <= 1
        assert scores.dice == pytest.approx(2 * scores.jaccard / (1 + scores.jaccard))
        assert scores.dice == keyword_overlap(theirs, mine, n).dice


def test_an_example_worked_by_hand():
    """Two keywords each: lake (3), dam (2) and lake (2), rose (1, before "town"): 1 of 2."""
    source = "The dam at the lake broke. The lake rose. The dam fell into the lake."
    summary = "A lake rose in town, and the mayor left the lake."
    scores = score(summary, [], "keywords(n=2,text=en(stop=true))", sources=source)
    assert scores == {
        "recall": 0.5,
        "over_n": 0.5,
        "dice": 0.5,
        "jaccard": pytest.approx(1 / 3),
    }


def test_lemmas_unite_the_forms_of_a_word():
    options = {"sources": "The dams failed.", "language": "en"}
    assert score("A dam fails.", [], "keywords", **options)["recall"] == 1.0
    assert score("A dam fails.", [], "keywords(text=auto)", **options)["recall"] == 0.0


def test_the_mean_and_the_best_over_references():
    for over, value in (("mean", 0.75), ("best", 1.0)):
        spelling = f"keywords(against=references,references={over},text=auto)"
        assert score("a b", ["a b", "a c"], spelling)["recall"] == value


def test_stop_words_alone_are_an_empty_text():
    spelling = "keywords(text=en(stop=true))"
    assert score("the and of", [], spelling, sources="the dam")["recall"] == 0.0
    assert math.isnan(score("the dam", [], spelling, sources="the and of")["recall"])


def test_repeated_sentences_change_no_keyword_when_all_are_repeated():
    once = "The dam broke. The lake rose."
    scores = score(once, [], "keywords(n=3,text=en(stop=true))", sources=" ".join([once] * 5))
    assert set(scores.values()) == {1.0}


@pytest.mark.parametrize("text", ["北京天气很好", "ภาษาไทย", "Ελληνικά νέα", "नेपाली भाषा", "🙂 🙃"])
def test_texts_in_scripts_of_the_world_share_their_keywords_with_themselves(text):
    scores = dict(score(text, [text], "keywords(against=references,text=auto(tokens=characters))"))
    assert scores.pop("over_n") < 1
    assert set(scores.values()) == {1.0}


def test_a_tie_at_the_cut_is_noted():
    metric = METRICS.build("keywords(n=2,text=auto)")
    texts = [("a a b", "a a b b"), ("a b c", "a b"), ("a b", "a b c"), ("a b c", "a b c")]
    batch = Batch([Comparison(Material("t", source=s), Side("p", c)) for c, s in texts])
    what = "words of equal frequency at rank 2; the earlier ones are the keywords"
    assert metric.notes(batch) == {what: 3}
    assert metric.notes(Batch(batch.comparisons[:1])) == {}


def test_the_remark_reaches_the_notes_of_a_run(tmp_path):
    table = tmp_path / "t.jsonl"
    table.write_text('{"candidate": "a b", "source": "a b c"}\n')
    run = Run(TablePlan(table), ["keywords(n=2,text=auto)"])
    assert run.table().notes == (
        "keywords(n=2,text=auto): words of equal frequency at rank 2; the earlier ones are the "
        "keywords (1 comparison)",
    )


def test_the_explanation_names_the_shared_keywords_and_the_tie():
    comparison = Comparison(Material("t", source="dam dam lake town"), Side("p", "a dam, a lake"))
    (part,) = METRICS.build("keywords(n=2,text=auto)").explain(comparison).parts
    assert [match.what for match in part.matches] == ["dam"]
    assert part.matches[0].reference == ((0, 3), (4, 7))
    assert part.facts["tie_at_cut"] == 1.0
    assert [match.what for match in part.missed] == ["lake"]


def test_without_a_source_there_is_no_value():
    scores = summetry.evaluate(_two_topics(), ["keywords(text=auto)"])
    assert scores.column("keywords(text=auto).recall").tolist() == pytest.approx(
        [1.0, math.nan], nan_ok=True
    )


def _two_topics():
    from summetry.records.corpus import Corpus
    from summetry.records.summaries import Summary
    from summetry.records.topics import Document, Topic

    topics = (Topic("t1", documents=(Document("d", units=("a dam",)),)), Topic("t2"))
    return Corpus(
        topics=topics,
        summaries=tuple(Summary(t.id, "p", "candidate", text="a dam") for t in topics),
    )


def test_without_a_language_it_is_asked_for():
    with pytest.raises(SummetryError, match=r"needs to know the language of each text"):
        summetry.score("a", [], ["keywords"], sources="a")


def test_without_the_package_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "simplemma", None)
    pipeline = LanguagePipeline(stop=True, lemma=True)
    with pytest.raises(MissingPackageError, match=r"pip install simplemma"):
        pipeline.locate("Unheard-of words.", "en")


def test_a_run_of_all_metrics_goes_on_without_it_where_there_are_no_lemmas(capsys):
    columns = TextColumns(["ภาษาไทย"], [[]], ["ภาษาไทย"], "th")
    requested = metrics_to_run(MetricOptions(), PairPlan(columns), everything=True)
    names = [one.name for one in requested]
    assert "keywords" not in names and "js_divergence" in names
    message = capsys.readouterr().err
    assert message.startswith("note: left out keywords: there are no lemmas for the language 'th'")


@pytest.mark.parametrize("n", [0, -3, 10**30])
def test_an_n_that_cannot_be_is_refused(n):
    with pytest.raises(
        SummetryError, match=f"keywords: n must be from 1 to 1,000,000,000, got {n}"
    ):
        METRICS.build(f"keywords(n={n})")
