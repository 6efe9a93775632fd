"""Who is compared with whom, worked out by hand and by plain loops."""

import math

import numpy as np
import pytest

import summetry
from summetry.engine.cache import ChunkStore
from summetry.engine.plan import CorpusPlan
from summetry.engine.run import Run
from summetry.errors import NeedsError, SummetryError
from summetry.metrics.unit_overlap import unit_overlap
from summetry.records.corpus import Corpus
from summetry.records.judgments import Utilities
from summetry.records.summaries import Extract, Summary
from summetry.records.topics import Document, Topic


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


def table(protocol, models=MODELS, peers=PEERS):
    scores = summetry.evaluate(corpus(models, peers), ["unit_overlap"], protocol)
    return dict(
        zip([row.author for row in scores.rows], scores.column("unit_overlap"), strict=True)
    )


def test_without_models_peers_meet_all_models():
    scores = table("no_models")
    assert scores.keys() == {"p", "q"}
    assert scores["p"] == pytest.approx(np.mean([overlap("a c f", m) for m in MODELS.values()]))
    assert scores["q"] == 0


def test_with_all_peers_models_meet_the_other_models():
    scores = table("all_peers")
    expected = np.mean([overlap(MODELS["m1"], MODELS[other]) for other in ("m2", "m3")])
    assert scores["m1"] == pytest.approx(expected)


def test_with_all_peers_a_peer_is_the_mean_over_groups_that_leave_one_model_out():
    best = "unit_overlap(references=best)"
    scores = summetry.evaluate(corpus(MODELS, PEERS), [best], "all_peers")
    values = {m: overlap("a c f", text) for m, text in MODELS.items()}
    groups = [max(v for m, v in values.items() if m != left_out) for left_out in MODELS]
    place = [row.author for row in scores.rows].index("p")
    assert scores.data[place, 0] == pytest.approx(np.mean(groups))
    assert np.mean(groups) != max(values.values())


def test_with_one_model_a_peer_meets_it_and_the_model_has_no_value():
    scores = table("all_peers", {"m1": "a b"}, {"p": "a"})
    assert scores["p"] == 0.5
    assert math.isnan(scores["m1"])


def test_a_note_says_that_jackknifing_needs_two_references():
    needed = "(jackknifing): each topic needs two references"
    one = summetry.evaluate(corpus({"m1": "a b"}, PEERS), ["unit_overlap"], "all_peers")
    assert one.notes[-1].endswith(needed)
    for models, protocol in ((MODELS, "all_peers"), ({"m1": "a b"}, "no_models")):
        scores = summetry.evaluate(corpus(models, PEERS), ["unit_overlap"], protocol)
        assert not any(note.endswith(needed) for note in scores.notes)


def test_a_group_without_a_value_is_left_out_of_the_jackknife():
    """With two models of which one is empty, the group of the empty one has no value."""
    models = {"m1": "a b c d", "m2": ""}
    scores = table("all_peers", models, {"p": "a b e"})
    # Two of five words are shared with m1; m2 alone has no value, and the mean is over one group.
    assert scores["p"] == 2 / 5
    # Of three models one is empty: the groups (m2), (m1) and (m1, m2) where m2 counts for nothing.
    scores = table("all_peers", {**models, "m3": ""}, {"p": "a b e"})
    # Leaving out m1 there is no value; leaving out m2 or m3 it is 2/5 each time.
    assert scores["p"] == pytest.approx(2 / 5)
    # Values that differ: m1 2/5, m2 1/3, m3 none. Groups: 1/3, 2/5, and the mean of both.
    scores = table("all_peers", {"m1": "a b c d", "m2": "a", "m3": ""}, {"p": "a b e"})
    assert scores["p"] == pytest.approx((1 / 3 + 2 / 5 + (1 / 3 + 2 / 5) / 2) / 3)
    # Of two models that are empty each group is undefined, and so is their mean.
    assert math.isnan(table("all_peers", {"m1": "", "m2": ""}, {"p": "a"})["p"])


def test_an_empty_model_is_left_out_of_the_mean():
    assert table("no_models", {"m1": "a b", "m2": ""}, {"p": "a"})["p"] == 0.5


def test_rows_say_protocol_topic_author_and_role():
    scores = summetry.evaluate(corpus(MODELS, PEERS), ["unit_overlap"], "all_peers")
    assert {tuple(row) for row in scores.rows} >= {
        ("all_peers", "t", "m1", "reference"),
        ("all_peers", "t", "p", "candidate"),
    }


def test_the_signature_says_how_many_references_and_how():
    plain = summetry.evaluate(corpus(MODELS, PEERS), ["unit_overlap"]).columns[0].signature
    jack = summetry.evaluate(corpus(MODELS, PEERS), ["unit_overlap"], "all_peers").columns[0]
    assert "|refs:3,mean|" in plain and "|text:auto,words,fold|" in plain
    assert "|refs:3,jackknife,mean|" in jack.signature
    assert plain.endswith(f"|v:{summetry.__version__}")


def test_the_signature_changes_with_the_data_and_not_with_the_call():
    one = summetry.evaluate(corpus(MODELS, PEERS), ["unit_overlap"]).columns
    again = summetry.evaluate(corpus(MODELS, PEERS), ["unit_overlap"], chunk_items=1).columns
    other = summetry.evaluate(corpus(MODELS, {"p": "a"}), ["unit_overlap"]).columns
    assert one == again != other


def test_an_unknown_protocol_is_refused():
    with pytest.raises(SummetryError, match="must be one of no_models, all_peers, got 'some'"):
        CorpusPlan(corpus({}, {}), "some")


def test_a_metric_that_lacks_something_everywhere_names_the_file(demo):
    with pytest.raises(NeedsError, match=r"coselection needs .* extracts, which the corpus does"):
        summetry.evaluate(corpus(MODELS, PEERS), ["coselection"])
    bare = Corpus(topics=demo.topics, summaries=demo.summaries)
    with pytest.raises(NeedsError, match=r"what would give it: utilities\.jsonl"):
        summetry.evaluate(bare, ["relative_utility"])


def test_a_summary_that_lacks_something_has_no_value_and_is_counted_and_named(demo):
    scores = summetry.evaluate(demo, ["coselection.f"])
    extracts = [summary for summary in demo.summaries if summary.units is not None]
    assert np.count_nonzero(~np.isnan(scores.data)) == len(extracts)
    without = [
        f"{row.author} ({row.topic})"
        for row, value in zip(scores.rows, scores.data[:, 0], strict=True)
        if np.isnan(value)
    ]
    assert scores.notes == (
        "coselection: no value for 27 of 54 summaries, which lack the units of the candidate: "
        f"{', '.join(without[:5])} and 22 more",
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


def test_an_unknown_value_is_told():
    with pytest.raises(SummetryError, match="unit_overlap has no value 'recall'; its values: val"):
        summetry.evaluate(corpus(MODELS, PEERS), ["unit_overlap.recall"])


def test_a_metric_asked_for_twice_is_one_column():
    scores = summetry.evaluate(corpus(MODELS, PEERS), ["lcs.f", "lcs", "unit_overlap", "lcs.f"])
    names = [column.name for column in scores.columns]
    assert names == ["lcs.f", "lcs.length", "lcs.recall", "lcs.precision", "unit_overlap"]


def test_a_corpus_without_summaries_gives_a_clear_error():
    with pytest.raises(SummetryError, match="no summaries to score"):
        summetry.evaluate(corpus(MODELS, {}), ["unit_overlap"])


def people(author="ann", extracts=None, utilities=None, role="candidate"):
    """Four units; ``author``'s extract is units 0 and 1."""
    units = ("One.", "Two.", "Three.", "Four.")
    summary = Summary("t", author, role, units=(0, 1))
    return Corpus(
        topics=(Topic("t", language="en", documents=(Document("d", units=units),)),),
        summaries=(summary, Summary("t", "lead", "candidate", units=(0, 1))),
        extracts=tuple(Extract("t", who, chosen) for who, chosen in (extracts or {}).items()),
        utilities=tuple(Utilities("t", who, values) for who, values in (utilities or {}).items()),
    )


CHOSEN = {"ann": (0, 1), "ben": (0, 2), "cy": (0, 2)}


@pytest.mark.parametrize(
    ("metric", "alone", "with_own"),
    [
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
    ],
)
def test_an_informant_is_compared_without_their_own_extract(metric, alone, with_own):
    scores = summetry.evaluate(people(extracts=CHOSEN), [metric])
    assert [row.author for row in scores.rows] == ["ann", "lead"]
    assert scores.data[:, 0] == pytest.approx([alone, with_own])


@pytest.mark.parametrize(
    ("metric", "alone", "with_own"),
    [
        # Of ben's 1 0 4 3 units 0 and 1 have 1 of 7; ann's own 5 4 0 0 makes it 10 of 10.
        ("relative_utility", 1 / 7, 10 / 10),
        ("retention(information=utilities).retention", 1 / 8, 10 / 17),
    ],
)
def test_a_judge_is_compared_without_their_own_utilities(metric, alone, with_own):
    utilities = {"ann": (5, 4, 0, 0), "ben": (1, 0, 4, 3)}
    scores = summetry.evaluate(people(utilities=utilities), [metric])
    assert scores.data[:, 0] == pytest.approx([alone, with_own])
    (note,) = scores.notes
    name = metric.partition(".")[0]
    assert note.startswith(f"{name}: ann compared without their own utilities; if a system only")


def test_people_are_named_in_a_note_and_in_the_signature():
    scores = summetry.evaluate(people(extracts=CHOSEN), ["coselection.f", "compression"])
    assert scores.notes == (
        "coselection: ann compared without their own extracts; if a system only has the name of "
        "a person, give it another",
    )
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


def test_who_worked_alone_has_no_value():
    scores = summetry.evaluate(people(extracts={"ann": (0, 1)}), ["coselection.f"])
    assert math.isnan(scores.data[0, 0]) and scores.data[1, 0] == 1
    assert scores.notes[1] == (
        "coselection: no value for 1 of 2 summaries, which lack informants' extracts: ann (t)"
    )
