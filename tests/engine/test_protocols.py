"""Who is compared with whom, worked out by hand and by plain loops; the majority of informants."""

import math
from dataclasses import replace
from itertools import compress, islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import summetry
from summetry.engine.cache import ChunkStore
from summetry.engine.chunks import build_metrics
from summetry.engine.plan import CorpusPlan
from summetry.engine.run import Run
from summetry.engine.targets import majority_of, with_majority
from summetry.errors import NeedsError, SummetryError
from summetry.metrics.unit_overlap import unit_overlap
from summetry.records.batches import Material
from summetry.records.corpus import Corpus
from summetry.records.judgments import Utilities
from summetry.records.summaries import Extract, Summary
from summetry.records.topics import Document, Topic
from summetry.references import make_references, with_references


def corpus(models, peers, source=None):
    documents = () if source is None else (Document("d", units=source),)
    topics = (Topic("t", documents=documents),)
    summaries = [Summary("t", name, "reference", text=text) for name, text in models.items()]
    summaries += [Summary("t", name, "candidate", text=text) for name, text in peers.items()]
    return Corpus(topics=topics, summaries=tuple(summaries))


def overlap(a, b):
    return unit_overlap(a.split(), b.split())


MODELS = {"m1": "a b c d", "m2": "a b e", "m3": "c f g h"}
PEERS = {"p": "a c f", "q": "x"}


def evaluated(models=MODELS, peers=PEERS, protocol="no_models", metrics=("unit_overlap",), **more):
    return summetry.evaluate(corpus(models, peers), list(metrics), protocol, **more)


def table(protocol, models=MODELS, peers=PEERS):
    scores = evaluated(models, peers, protocol)
    authors = [row.author for row in scores.rows]
    return dict(zip(authors, scores.column("unit_overlap"), strict=True))


def test_without_models_peers_meet_all_models_and_with_all_peers_models_meet_the_others():
    expected = np.mean([overlap("a c f", m) for m in MODELS.values()])
    assert table("no_models") == pytest.approx({"p": expected, "q": 0})
    others = np.mean([overlap(MODELS["m1"], MODELS[other]) for other in ("m2", "m3")])
    assert table("all_peers")["m1"] == pytest.approx(others)
    rows = [" ".join(row) for row in evaluated(protocol="all_peers").rows]
    assert {"all_peers t m1 reference", "all_peers t p candidate"} <= set(rows)


def test_with_all_peers_a_peer_is_the_mean_over_groups_that_leave_one_model_out():
    scores = evaluated(protocol="all_peers", metrics=["unit_overlap(references=best)"])
    values = {m: overlap("a c f", text) for m, text in MODELS.items()}
    groups = [max(v for m, v in values.items() if m != left_out) for left_out in MODELS]
    row = [row.author for row in scores.rows].index("p")
    assert scores.data[row, 0] == pytest.approx(np.mean(groups))
    assert np.mean(groups) != max(values.values())


@pytest.mark.parametrize(("protocol", "models", "candidate", "expected"), [
    # An empty model is left out of the mean.
    ("no_models", ["a b", ""], "a", 0.5),
    # One model is met.
    ("all_peers", ["a b"], "a", 0.5),
    # Of two models one is empty: its group has no value, and the mean is over one group, in
    # which two of five words are shared.
    ("all_peers", ["a b c d", ""], "a b e", 2 / 5),
    # Of three models two are empty: leaving out m1 there is no value, else it is 2/5.
    ("all_peers", ["a b c d", "", ""], "a b e", 2 / 5),
    # m1 2/5, m2 1/3, m3 none. Groups: 1/3, 2/5, and the mean of both.
    ("all_peers", ["a b c d", "a", ""], "a b e", (1 / 3 + 2 / 5 + (1 / 3 + 2 / 5) / 2) / 3),
    # Each group is undefined, and so is their mean.
    ("all_peers", ["", ""], "a", math.nan),
])  # fmt: skip
def test_what_has_no_value_is_left_out(protocol, models, candidate, expected):
    named = {f"m{n}": text for n, text in enumerate(models, 1)}
    scores = table(protocol, named, {"p": candidate})
    assert scores["p"] == pytest.approx(expected, nan_ok=True)
    if len(models) == 1:
        assert math.isnan(scores["m1"])


def test_the_signature_and_notes_say_how_many_references_and_how():
    plain = evaluated().columns
    jack = evaluated(protocol="all_peers").columns[0].signature
    assert "|refs:3,mean|" in plain[0].signature
    assert "|text:auto,words,fold|" in plain[0].signature
    assert plain[0].signature.endswith(f"|v:{summetry.__version__}")
    assert "|refs:3,jackknife,mean|" in jack
    assert plain == evaluated(chunk_items=1).columns != evaluated(peers={"p": "a"}).columns
    # Jackknifing needs two references.
    needed = "(jackknifing): each topic needs two references"
    assert evaluated({"m1": "a b"}, protocol="all_peers").notes[-1].endswith(needed)
    for scores in (evaluated(protocol="all_peers"), evaluated({"m1": "a b"})):
        assert not any(note.endswith(needed) for note in scores.notes)


@pytest.mark.parametrize(("models", "peers", "options", "error", "words"), [
    ({}, {}, {"protocol": "some"}, SummetryError,
     "must be one of no_models, all_peers, got 'some'"),
    (MODELS, PEERS, {"metrics": ["coselection"]}, NeedsError,
     r"coselection needs .* extracts, which the corpus does"),
    (MODELS, PEERS, {"metrics": ["unit_overlap.recall"]}, SummetryError,
     "unit_overlap has no value 'recall'; its values: val"),
    (MODELS, {}, {}, SummetryError, "no summaries to score"),
])  # fmt: skip
def test_what_cannot_be_scored_is_refused(models, peers, options, error, words):
    with pytest.raises(error, match=words):
        evaluated(models, peers, **options)


def test_a_summary_that_lacks_something_has_no_value_and_is_counted_and_named(demo):
    # If all do, the file is named that would give it.
    bare = Corpus(topics=demo.topics, summaries=demo.summaries)
    with pytest.raises(NeedsError, match=r"what would give it: utilities\.jsonl"):
        summetry.evaluate(bare, ["relative_utility"])
    scores = summetry.evaluate(demo, ["coselection.f"])
    extracts = [summary for summary in demo.summaries if summary.units is not None]
    assert np.count_nonzero(~np.isnan(scores.data)) == len(extracts)
    rows = compress(scores.rows, np.isnan(scores.data[:, 0]))
    without = ", ".join(f"{row.author} ({row.topic})" for row in islice(rows, 5))
    assert scores.notes == (
        "coselection: no value for 27 of 54 summaries, which lack the units of the candidate: "
        f"{without} and 22 more",
    )


def test_the_first_that_lack_something_are_named_however_the_work_is_cut(demo, tmp_path):
    """In chunks, from what was kept, and where a metric fails on another summary."""
    whole = summetry.evaluate(demo, ["coselection.f"]).notes
    store = ChunkStore(tmp_path)
    for _ in range(2):
        run = Run(CorpusPlan(demo), ["coselection.f"], chunk_items=4, store=store)
        assert run.table().notes == whole
    assert run.chunks_found == run.chunks_done > 5

    extract = next(summary for summary in demo.summaries if summary.units is not None)
    (topic,) = (topic for topic in demo.topics if topic.id == extract.topic)
    first_unit = topic.units[extract.units[0]]

    def fails(candidate, references):
        if candidate.startswith(first_unit):
            raise ValueError("no")
        return 0.5

    run = Run(CorpusPlan(demo), ["coselection.f", fails], on_error="skip")
    notes = run.table().notes
    assert [note for note in notes if note.startswith("coselection")] == list(whole)
    assert any(note.startswith("skipped: ") for note in notes)


def test_a_metric_asked_for_twice_is_one_column():
    scores = evaluated(metrics=["lcs.f", "lcs", "unit_overlap", "lcs.f"])
    names = [column.name for column in scores.columns]
    assert names == ["lcs.f", "lcs.length", "lcs.recall", "lcs.precision", "unit_overlap"]


# --- informants and judges among the authors ------------------------------------------------------


def unit_corpus(units, author, chosen, extracts=(), role="candidate", **records):
    """One topic, a summary by ``author`` of the units ``chosen``, and extracts by informant."""
    return Corpus(
        topics=(Topic("t", language="en", documents=(Document("d", units=units),)),),
        summaries=(Summary("t", author, role, units=chosen),),
        extracts=tuple(Extract("t", who, own) for who, own in dict(extracts).items()),
        **records,
    )


def people(author="ann", extracts=(), utilities=(), role="candidate"):
    """Four units; the extract of ``author`` and of a system is units 0 and 1."""
    values = tuple(Utilities("t", who, values) for who, values in dict(utilities).items())
    units = ("One.", "Two.", "Three.", "Four.")
    corpus = unit_corpus(units, author, (0, 1), extracts, role, utilities=values)
    lead = Summary("t", "lead", "candidate", units=(0, 1))
    return replace(corpus, summaries=(*corpus.summaries, lead))


CHOSEN = {"ann": (0, 1), "ben": (0, 2), "cy": (0, 2)}


@pytest.mark.parametrize(("metric", "alone", "with_own"), [
    # Half of each of the two others; a system shares all with ann, too.
    ("coselection.f", 0.5, (1 + 0.5 + 0.5) / 3),
    # Both others chose unit 0 and unit 2; with ann 0 has three votes, 2 has two.
    ("coselection(against=majority).f", 0.5, 0.5),
    # The only path of the others is 0 2: one substitution of two. With ann's it is a path.
    ("sum_accy", 50, 100),
    ("nrst_accy", 50, 100),
    ("ngram_precision(n=1)", 0.5, 1),
    # Unit 0 has two of the four votes of the others; 0 and 1 have four of all six.
    ("retention(information=votes).retention", 2 / 4, 4 / 6),
    # Of ben's 1 0 4 3 units 0 and 1 have 1 of 7; ann's own 5 4 0 0 makes it 10 of 10.
    ("relative_utility", 1 / 7, 10 / 10),
    ("retention(information=utilities).retention", 1 / 8, 10 / 17),
])  # fmt: skip
def test_who_chose_or_judged_is_compared_without_their_own(metric, alone, with_own):
    utilities = {"ann": (5, 4, 0, 0), "ben": (1, 0, 4, 3)}
    is_judge = "util" in metric
    corpus = people(utilities=utilities) if is_judge else people(extracts=CHOSEN)
    scores = summetry.evaluate(corpus, [metric])
    assert [row.author for row in scores.rows] == ["ann", "lead"]
    assert scores.data[:, 0] == pytest.approx([alone, with_own])
    assert scores.notes == (
        f"{metric.partition('.')[0]}: ann compared without their own "
        f"{'utilities' if is_judge else 'extracts'}; if a system only has the name of a person, "
        "give it another",
    )


def test_people_are_named_in_the_signature_of_what_compares_with_them():
    scores = summetry.evaluate(people(extracts=CHOSEN), ["coselection.f", "compression"])
    signatures = {column.metric: column.signature for column in scores.columns}
    assert "|refs:3 informants,own left out,mean|" in signatures["coselection"]
    assert "own left out" not in signatures["compression"]
    others = summetry.evaluate(people("dan", extracts=CHOSEN), ["coselection.f"])
    assert others.notes == () and "own left out" not in others.columns[0].signature
    assert others.data[0] == others.data[1]


def test_references_by_informants_meet_the_extracts_of_the_others():
    corpus = people(extracts=CHOSEN, role="reference")
    scores = summetry.evaluate(corpus, ["coselection.f"], "all_peers")
    assert scores.data[:, 0] == pytest.approx([0.5, (1 + 0.5 + 0.5) / 3])
    # Where references are not scored nobody is left out.
    alone = summetry.evaluate(corpus, ["coselection.f"])
    assert alone.notes == () and len(alone.rows) == 1
    # Who worked alone has no value.
    scores = summetry.evaluate(people(extracts={"ann": (0, 1)}), ["coselection.f"])
    assert math.isnan(scores.data[0, 0]) and scores.data[1, 0] == 1
    assert scores.notes[1] == (
        "coselection: no value for 1 of 2 summaries, which lack informants' extracts: ann (t)"
    )


# --- the extract on which most informants agree ---------------------------------------------------

UNITS = ("One.", "Two words.", "Three words here.", "And four words now.", "One.")


def majority(*extracts):
    chosen = tuple(Extract("t", f"p{i}", units) for i, units in enumerate(extracts))
    return majority_of(Material("t", "en", units=UNITS, extracts=chosen))


@pytest.mark.parametrize(("extracts", "expected"), [
    # Votes 1 2 0 1 3; lengths 3, 3 and 5 words, 11/3 on the mean: 1 and 2 words, then one more.
    ([(1, 4), (1, 4), (3, 4)], (1, 3, 4)),
    # Of equal votes the earlier unit is taken.
    ([(0,), (4,)], (0,)),
    ([], None),
    ([(), ()], ()),
])  # fmt: skip
def test_units_are_taken_by_votes_until_the_mean_length_is_reached(extracts, expected):
    assert majority(*extracts) == expected


def corpus_by(*extracts, peer=(0, 1)):
    return unit_corpus(UNITS, "candidate", peer, {f"p{i}": e for i, e in enumerate(extracts)})


chosen = st.lists(st.integers(0, 4), unique=True).map(tuple)


@given(st.lists(chosen, min_size=1, max_size=4), chosen)
def test_the_majority_is_the_reference_at_mean_length_with_overshoot(extracts, peer):
    with_extracts = corpus_by(*extracts, peer=peer)
    (direct,) = summetry.evaluate(with_extracts, ["coselection(against=majority).f"]).data
    if any(extracts):
        references = with_references(make_references(with_extracts, "mean", "overshoot"))
        (expected,) = summetry.evaluate(references, ["coselection(against=references).f"]).data
        assert direct == expected
    else:
        assert math.isnan(direct[0])


def test_several_metrics_meet_the_same_majority():
    options = "(against=majority)", "", "(beta=2,against=majority)"
    metrics = [f"coselection{text}" for text in options]
    table = summetry.evaluate(corpus_by((0, 1), (1, 2), peer=(1, 2)), metrics)
    # 3 and 5 words, 4 on the mean: unit 1 with two votes (2 words), 0 (3 words), 2 (6 words).
    # The peer has two of these three units and no other one.
    assert table.column("coselection(against=majority).f")[0] == pytest.approx(4 / 5)
    assert table.column("coselection(beta=2,against=majority).recall")[0] == 2 / 3
    assert table.column("coselection.f")[0] == pytest.approx(0.75)
    # Nothing is made where nobody asks.
    (item,) = CorpusPlan(corpus_by((0,))).items()
    metrics = [requested.metric for requested in build_metrics(["coselection"])]
    assert with_majority(item.comparisons, metrics) is item.comparisons
