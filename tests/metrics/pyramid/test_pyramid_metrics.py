"""Pyramid scores, and content units found by words: by hand, by slow oracles, at the edges."""

import json
import math
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest
from comparisons import notes, one, scores, values
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

import summetry
from summetry.engine.plan import CorpusPlan
from summetry.errors import SummetryError, SummetryWarning
from summetry.formats import load
from summetry.metrics import METRICS
from summetry.metrics.pyramid.assignment import unit_values
from summetry.metrics.pyramid.pyramid_metrics import (
    pyramid_scores,
    scu_precision,
    scu_recall,
)
from summetry.metrics.pyramid.units import THRESHOLDS
from summetry.records.batches import Batch, Comparison, Material, Side
from summetry.records.corpus import Corpus
from summetry.records.pyramids import Contributor, PeerScu, Pyramid, Scu
from summetry.records.summaries import Summary
from summetry.records.topics import Document, Topic

WEIGHTS = {"a": 4, "b": 3, "c": 2, "d": 1, "e": 1}
numbers = st.integers(0, 6) | st.floats(0, 6, allow_subnormal=False)
pyramids = st.dictionaries(st.sampled_from("abcdefgh"), numbers, max_size=8)
candidates = st.lists(st.sampled_from("abcdefghxyz"), max_size=12)
undefined = pytest.approx(math.nan, nan_ok=True)


def made_of(groups):
    """A pyramid from the contributors of each SCU: ``{"1": "abc"}``."""

    def unit(name, people):
        contributors = tuple(Contributor(person, f"says {name}") for person in people)
        return Scu(name, f"fact {name}", len(people), contributors)

    return tuple(unit(name, people) for name, people in groups.items())


def test_an_example_by_hand():
    # a and d weigh 5; the best three weigh 9; the models have 11/4 SCUs each, rounded 3.
    result = pyramid_scores(WEIGHTS, 4, ["a", "d", "x", "d"])
    assert (result.weight, result.weight_with_repeats, result.size, result.best) == (5, 6, 3, 9)
    assert result.original == 5 / 9
    assert (result.mean_size, result.rounded_size, result.best_of_rounded) == (2.75, 3, 9)
    assert result.modified == 5 / 9
    assert result.modified_fractional == 5 / 8.5
    # The modified score may exceed one; a mean size is rounded half up.
    assert pyramid_scores(WEIGHTS, 11, ["a", "b"]).modified == 7 / 4
    assert pyramid_scores({"a": 1, "b": 2, "c": 2}, 2, ["a"]).rounded_size == 3


def test_recall_weighted_recall_and_precision_by_hand_and_degenerate_pyramids():
    for weights, said, expected in (
        (WEIGHTS, ["a", "a", "x"], (1 / 5, 4 / 11, 1 / 2)),
        (WEIGHTS, [], (0, 0, 0)),
        ({}, ["x"], (undefined, undefined, undefined)),
        ({"a": 0}, ["a"], (1, undefined, 1)),
    ):
        weighted = scu_recall(weights, said, weighted=True)
        assert (scu_recall(weights, said), weighted, scu_precision(weights, said)) == expected
    # The modified score needs to know how many models there are.
    result = pyramid_scores(WEIGHTS, 0, ["a"])
    assert (result.original, result.modified) == (1, undefined)


def slow(weights, references, candidate):
    """Both scores by the words of the definition, in fractions."""
    exact = {name: Fraction(weight) for name, weight in weights.items()}
    unique = set(candidate)
    total = sum((exact[name] for name in unique if name in exact), Fraction(0))
    falling = sorted(exact.values(), reverse=True)

    def best(x):
        return sum(falling[:x], Fraction(0))

    def share(x):
        if not sum(falling):
            return math.nan
        if not unique:
            return 0.0 if best(x) or x == 0 else math.nan
        return float(total / best(x)) if best(x) else math.nan

    mean = Fraction(sum(falling), references)
    rounded = next(x for x in range(100) if x - Fraction(1, 2) <= mean < x + Fraction(1, 2))
    return share(len(unique)), share(rounded) if rounded else math.nan


@given(pyramids, st.integers(1, 5), candidates)
def test_the_scores_are_those_of_the_slow_reading(weights, references, candidate):
    result = pyramid_scores(weights, references, candidate)
    expected = list(slow(weights, references, candidate))
    assert [result.original, result.modified] == pytest.approx(expected, nan_ok=True)


# Pyramid scores, and models that leave


def comparison(groups, said, references="", models="", candidate="candidate"):
    material = Material("t", pyramids=(Pyramid("t", made_of(groups), said),), models=tuple(models))
    sides = tuple(Side(name, "") for name in references)
    return Comparison(material, Side(candidate, "It says 1 and more."), sides)


SAID = {"candidate": (PeerScu("1"), PeerScu("3"), PeerScu("x"))}
ONCE = {"candidate": (PeerScu("1"),)}
TWICE = {"candidate": (PeerScu("1"), PeerScu("1"))}
GROUPS = {"1": "abc", "2": "ab", "3": "c"}
WHOLE = comparison(GROUPS, SAID, "abc", "abc")
# Without c: 1 and 2 weigh 2, 3 is gone, and counts as said outside the pyramid.
WITHOUT_C = comparison(GROUPS, SAID, "ab", "abc")
# A model is judged by the others: c says 1 and 3; without c the pyramid is {1: 2, 2: 2}.
C = comparison(GROUPS, {}, "ab", "abc", candidate="c")
# Those beyond a and b contribute to nothing: 3 contributions of 6 models are half an SCU each.
SILENT = comparison({"1": "ab", "2": "a"}, ONCE, "abcdef", "abcdef")


def test_the_original_score_ends_at_1_and_so_does_its_interval():
    for options, end in (("", 1), ("repeats=true", 1), ("score=modified", math.inf)):
        assert METRICS.build(f"pyramid({options})").bounds == (0, end)


METRIC_NAMES = ("pyramid", "pyramid(score=modified)", "scu_recall", "scu_precision")
REPEATED = comparison(GROUPS, TWICE, "abc", "abc")


def test_values_by_hand():
    for compared, *expected in (
        (WHOLE, 4 / 6, 4 / 5, 2 / 3, 2 / 3),
        (WITHOUT_C, 2 / 4, 2 / 4, 1 / 2, 1 / 3),
        (C, 2 / 4, 2 / 4, 1 / 2, 1 / 2),
    ):
        assert [values(name, compared)[0] for name in METRIC_NAMES] == expected
    for spelling, compared, value in (
        ("scu_recall(weights=pyramid)", WHOLE, 4 / 6),
        # A contributor is never judged by what it said itself: nobody says that c is a model.
        ("pyramid", comparison(GROUPS, {}, "ab", "", candidate="c"), 2 / 4),
        # A model alone is judged by nobody.
        ("pyramid", comparison({"1": "a"}, {}, "", "a", candidate="a"), undefined),
        # Rounded to one, not rounded, and rounded down to nothing.
        ("pyramid(score=modified)", SILENT, 1),
        ("pyramid(score=modified,rounding=fractional)", SILENT, 2),
        ("pyramid(score=modified,rounding=floor)", SILENT, undefined),
        # Repeats count where they are asked to.
        ("pyramid", REPEATED, 1),
        ("pyramid(repeats=true)", REPEATED, 3 / 5),
    ):
        assert values(spelling, compared) == [value], spelling
    # Flat weights without contributors stay when a model leaves.
    flat = Pyramid("t", (Scu("1"), Scu("2")), {"candidate": (PeerScu("2"),)})
    material, candidate = Material("t", pyramids=(flat,), models=("a", "b")), Side("candidate", "")
    for references in ("ab", "a"):
        sides = tuple(Side(name, "") for name in references)
        assert values("scu_recall", Comparison(material, candidate, sides)) == [1 / 2]


def test_a_note_tells_of_strange_contributors_and_of_equal_weights():
    strange = comparison(GROUPS, SAID, "xy", "xyz")
    assert values("pyramid", strange) == [4 / 6]
    # Three contributors are the models, not two references besides.
    assert values("pyramid(score=modified)", strange) == [4 / 5]
    (noted,) = notes("pyramid", strange, strange).items()
    assert "not among the references" in noted[0] and noted[1] == 2
    assert not notes("pyramid", comparison(GROUPS, SAID, "ab", "abc"))
    # Where all weights are equal, the published value is named.
    # One unit of three: 1 of the best weight of one unit, 1 of 3 units.
    groups = {"1": "a", "2": "a", "3": "a"}, {"1": "a"}, {"1": "ab", "2": "a"}
    flat, single, weighted = (comparison(group, ONCE, "a", "a") for group in groups)
    assert values("pyramid", flat) == [1] and values("scu_recall", flat) == [1 / 3]
    for spelling in ("pyramid", "pyramid(score=modified)"):
        (noted,) = notes(spelling, flat, single, weighted, flat).items()
        assert noted[0].endswith("the published value of such pyramids is scu_recall")
        assert noted[1] == 2
    assert not notes("scu_recall", flat)


def corpus(*more):
    people = dict.fromkeys("abc", "reference")
    people |= dict.fromkeys(("candidate", "mute", *more), "candidate")
    return Corpus(
        topics=(Topic("t", documents=(Document("d", units=("One.",)),)),),
        summaries=tuple(Summary("t", name, role, text="One.") for name, role in people.items()),
        pyramids=(Pyramid("t", made_of(GROUPS), {**SAID, "mute": ()}),),
    )


def test_jackknifing_is_the_mean_over_the_groups_that_leave_one_out():
    table = summetry.evaluate(corpus(), ["pyramid"], "all_peers")
    result = dict(zip([row.author for row in table.rows], table.data[:, 0], strict=True))
    # Without a, as without b: {1: 2, 2: 1, 3: 1}, said 1, 3 and x: 3 of 4. Without c: 1/2.
    assert result["candidate"] == pytest.approx((3 / 4 + 3 / 4 + 1 / 2) / 3)
    # a says 1 and 2 of {1: 2, 2: 1, 3: 1}: 3 of 3; c says 1 and 3 of {1: 2, 2: 2}: 2 of 4.
    assert (result["a"], result["b"], result["c"], result["mute"]) == (1, 1, 1 / 2, 0)
    assert "jackknife" in table.columns[0].signature
    # Without jackknifing the pyramid is whole.
    table = summetry.evaluate(corpus(), ["pyramid", "retention(information=scus).retention"])
    assert [row.author for row in table.rows] == ["candidate", "mute"]
    assert table.data.tolist() == [[4 / 6, 4 / 6], [0, 0]]
    # A summary that nobody annotated has no value.
    table = summetry.evaluate(corpus("new"), ["scu_recall"])
    assert math.isnan(table.data[-1, 0])
    assert "1 of 3 summaries, which lack a pyramid with the candidate's SCUs" in table.notes[0]


def by_annotators(*names):
    """What ann, bob and cyd say of a candidate by one pyramid, and dan by another."""
    ids = {"ann": "13x", "bob": "1", "cyd": "12x", "dan": ""}
    said = {who: {"candidate": tuple(map(PeerScu, ids[who]))} for who in ids}
    pyramids = tuple(
        Pyramid("t", made_of({"1": "a"} if who == "dan" else GROUPS), said[who], who)
        for who in names
    )
    return Comparison(Material("t", pyramids=pyramids), Side("candidate", "It says 1."), ())


def test_the_marks_of_several_annotators_count_as_asked():
    three, four = by_annotators("ann", "bob", "cyd"), by_annotators("ann", "bob", "cyd", "dan")
    # ann 4/6, bob 3/3, cyd 5/6; 1 and x have three and two votes of three: 3/5. dan: 0.
    for compared, marks, value in (
        (three, "majority", 3 / 5), (three, "mean", (4 / 6 + 1 + 5 / 6) / 3), (three, "bob", 1),
        (three, "eve", undefined), (by_annotators("ann", "bob"), "majority", 1),
        (four, "majority", (3 / 5 + 0) / 2), (four, "mean", (4 / 6 + 1 + 5 / 6 + 0) / 4),
        (four, "dan", 0),
    ):  # fmt: skip
        assert values(f"pyramid(marks={marks})", compared) == [pytest.approx(value, nan_ok=True)]
    assert scores("retention(information=scus)", four)["retention"].tolist() == [3 / 7]
    by_majority, by_mean = notes("pyramid", four, three)
    assert "if more than half of them say so" in by_majority and "mean over these" in by_mean
    assert list(notes("pyramid", four, three).values()) == [2, 1]
    for compared, marks in ((four, "mean"), (four, "ann"), (by_annotators("ann"), "majority")):
        assert not notes(f"pyramid(marks={marks})", compared)
    explanation = METRICS.build("scu_recall(marks=mean)").explain(four)
    assert [part.against[-3:] for part in explanation.parts] == ["ann", "bob", "cyd", "dan"]
    assert explanation.values["value"] == pytest.approx((2 / 3 + 1 / 3 + 2 / 3 + 0) / 4)
    # One name is no rule, and must be known.
    named = replace(corpus(), pyramids=tuple(
        structs.replace(one, annotator=who) for one in corpus().pyramids for who in ("ann", "bob")
    ))  # fmt: skip
    assert summetry.evaluate(named, ["pyramid(marks=bob)"]).data.tolist() == [[4 / 6], [0]]
    with pytest.raises(SummetryError, match=r"no annotator is named 'bo'\. Did you mean 'bob'"):
        summetry.evaluate(named, ["pyramid(marks=bo)"])
    # Who is alone needs no name for the data to be the same.
    prints = [CorpusPlan(replace(named, pyramids=named.pyramids[:n])).fingerprint for n in (1, 2)]
    assert prints[0] == CorpusPlan(corpus()).fingerprint != prints[1]


def test_realsumms_recall_of_flat_units_is_what_its_votes_give(real_data, tmp_path):
    """2,500 summaries, each marked by three or four workers."""
    lines = (real_data("realsumm") / "summaries.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    votes = [
        {"id": str(row["doc_id"]), "system": row["system"], "votes": row["scu_votes"]}
        for row in rows
    ]
    (tmp_path / "votes.jsonl").write_text("".join(json.dumps(row) + "\n" for row in votes))
    with pytest.warns(SummetryWarning, match="every content unit weighs 1"):
        table = summetry.evaluate(load(tmp_path / "votes.jsonl"), ["scu_recall"])
    published = {(str(r["doc_id"]), r["system"]): r["litepyramid_recall_from_votes"] for r in rows}
    result = {(r.topic, r.author): v for r, v in zip(table.rows, table.data[:, 0], strict=True)}
    assert len(result) == 2500
    assert result == pytest.approx(published, abs=1e-6)


# Content units found by words

WORDS = ["ferry", "sank", "fog", "nobody", "hurt", "pier", "harbour", "captain", "the", "was", "in"]
seeds = st.integers(0, 2**32)


def with_units(text, *units, source=(), sentences=None, weights=None):
    """A summary with the units of its topic."""
    pairs = zip(units, weights or [1] * len(units), strict=True)
    scus = tuple(Scu(str(n), unit, weight) for n, (unit, weight) in enumerate(pairs))
    whole = " ".join(source) if source else None
    material = Material("t", "en", whole, tuple(source), pyramids=(Pyramid("t", scus),))
    return Comparison(material, Side("system", text, None, sentences))


def test_the_units_of_all_annotators_are_looked_for():
    ann, bob = (
        Pyramid("t", tuple(Scu(str(n), unit) for n, unit in enumerate(units)), {}, who)
        for who, units in (("ann", ["ferry"]), ("bob", ["fog", "harbour"]))
    )
    for pyramids, share in (((ann, bob), 1 / 3), ((ann, structs.replace(ann, annotator="x")), 1)):
        compared = Comparison(Material("t", "en", pyramids=pyramids), Side("system", "Ferry."))
        assert scores("units", compared)["coverage"] == [pytest.approx(share)]


def random_units(seed):
    random = Random(seed)

    def some(most):
        lengths = [random.randint(1, 7) for _ in range(random.randint(1, most))]
        return [" ".join(random.choices(WORDS, k=k)).capitalize() + "." for k in lengths]

    units = some(5)
    weights = [random.choice([1, 2, 3, 0.5]) for _ in units]
    sentences = tuple(some(4)) if random.random() < 0.9 else ()
    text = " ".join(sentences)
    source = some(6) if random.random() < 0.9 else ()
    return with_units(text, *units, source=source, sentences=sentences, weights=weights)


FERRY = "the ferry sank"
SOURCE = ["The ferry sank.", "There was fog.", "Nobody was hurt.", "The captain slept."]
# The unit has the words ferry, sank and fog: the first sentence has two of them, the summary
# all three: (2/3 + 3/3) / 2.
TWO_PARTS = with_units("A ferry sank. It was the fog.", "the ferry sank in fog")
# "nobody" is a stop word. Of ferry, sank, hurt two sentences in a row have two at most.
FAR = with_units("A ferry sank, nobody was hurt.", "ferry", source=SOURCE)


@pytest.mark.parametrize(("spelling", "comparison", "name", "expected"), [
    ("units(threshold=0.83)", TWO_PARTS, "coverage", 1.0),
    ("units(threshold=0.84)", TWO_PARTS, "coverage", 0.0),
    # A value that is the threshold counts. Three of five words, in one sentence: 3/5.
    ("units(threshold=0.6)", with_units("Ferry, pier, fog.", "ferry pier fog captain harbour"),
     "coverage", 1.0),
    # Units count their weights.
    ("units", with_units("The ferry sank.", FERRY, "nobody was hurt", weights=[3, 1]),
     "coverage", 3 / 4),
    # Stems count and stop words do not.
    ("units", with_units("Ferries were sinking.", "The ferry sinks"), "coverage", 1.0),
    ("units(text=en)", with_units("Ferries were sinking.", "The ferry sinks"), "coverage", 0.0),
    # A sentence is supported by two sentences of the source in a row.
    ("units", with_units("A ferry sank in fog.", "ferry", source=SOURCE), "unsupported", 0.0),
    ("units(support=0.66)", FAR, "unsupported", 0.0),
    ("units(support=0.67)", FAR, "unsupported", 1.0),
    ("units", with_units("A ferry sank in fog. Aliens landed.", "ferry", source=SOURCE),
     "unsupported", 1 / 2),
])  # fmt: skip
def test_values_of_units_by_hand(spelling, comparison, name, expected):
    assert one(spelling, comparison)[name] == expected


def test_of_equally_close_sentences_the_first_is_named_and_rare_words_weigh_more_as_vectors():
    comparison = with_units("Fog. The ferry sank. A ferry sank.", "the ferry sank")
    pipeline = METRICS.build("units").text
    for by in ("overlap", "vectors"):
        assert unit_values(Batch([comparison]), by, pipeline).closest.tolist() == [1]
    # Two units: "ferri" is in both, "sank" and "fog" in one each. ln(3/3) + 1 = 1 for the first,
    # ln(3/2) + 1 for the others.
    comparison = with_units("Ferry sank.", "ferry sank", "ferry fog")
    rare = math.log(3 / 2) + 1
    values = unit_values(Batch([comparison]), "vectors", METRICS.build("units").text)
    assert values.value.tolist() == pytest.approx([1.0, 1 / (1 + rare**2)], abs=1e-15)


def test_units_are_their_labels_or_names_and_each_likeness_has_a_threshold():
    material = Material("t", "en", pyramids=(Pyramid("t", (Scu("the ferry sank"),)),))
    assert one("units", Comparison(material, Side("s", "A ferry sank.")))["coverage"] == 1.0
    # Without words it is left out and a note says so.
    comparison = with_units("The ferry sank.", FERRY, "it was")
    assert one("units", comparison)["coverage"] == 1.0
    ((note, count),) = notes("units", comparison).items()
    assert note.startswith("some units have no words") and count == 1
    assert notes("units", with_units("A ferry.", "a ferry")) == {}
    # Every likeness has a threshold of its own.
    assert METRICS.build("units").least == THRESHOLDS["overlap"]
    assert METRICS.build("units(by=vectors)").least == THRESHOLDS["vectors"]
    assert METRICS.build("units(by=vectors,threshold=0.4)").least == 0.4


def slow_units(metric, comparison):
    read = METRICS.build(metric).text.read
    by_vectors, least = "vectors" in metric, METRICS.build(metric).least
    material = comparison.material
    sentences = [read(text, "en") for text in comparison.candidate.sentences]
    whole = [word for sentence in sentences for word in sentence]
    units = [read(scu.label, "en") for scu in material.pyramids[0].scus]
    weight = {
        word: math.log((len(units) + 1) / (sum(word in unit for unit in units) + 1)) + 1
        for word in {*whole, *(word for unit in units for word in unit)}
    }

    def like(unit, text):
        if not by_vectors:
            return len(set(unit) & set(text)) / len(set(unit))
        x, y = Counter(unit), Counter(text)
        product = sum(x[word] * y[word] * weight[word] ** 2 for word in x)
        lengths = [math.hypot(*(n * weight[word] for word, n in bag.items())) for bag in (x, y)]
        return product / (lengths[0] * lengths[1]) if all(lengths) else 0.0

    said = every = 0.0
    for unit, scu in zip(units, material.pyramids[0].scus, strict=True):
        if unit:
            best = max((like(unit, sentence) for sentence in sentences), default=0.0)
            value = (best + like(unit, whole)) / 2
            every += scu.weight
            said += scu.weight * (value >= least - 1e-12)
    windows = [words for text in material.units if (words := read(text, "en"))]
    pairs = [set(a) | set(b) for a, b in pairwise(windows)]
    pairs = pairs or [set(words) for words in windows]
    bags = [set(words) for words in sentences if words and pairs]
    shares = [max(len(words & pair) for pair in pairs) / len(words) for words in bags]
    unsupported = sum(share < 0.8 for share in shares) / len(shares) if shares else math.nan
    return {"coverage": said / every if every else math.nan, "unsupported": unsupported}


both_ways = pytest.mark.parametrize("metric", ["units", "units(by=vectors)"])


@both_ways
@given(seed=seeds)
def test_the_values_are_those_of_plain_python(metric, seed):
    comparisons = [random_units(seed + place) for place in range(3)]
    together = scores(METRICS.build(metric), *comparisons)
    for place, comparison in enumerate(comparisons):
        numbers = {name: column[place] for name, column in together.items()}
        assert numbers == pytest.approx(slow_units(metric, comparison), nan_ok=True, abs=1e-12)


@both_ways
@given(seed=seeds)
def test_the_order_of_units_changes_no_bit(metric, seed):
    comparison = random_units(seed)
    material, candidate = comparison.material, comparison.candidate
    values = one(metric, comparison)
    turned = Pyramid("t", material.pyramids[0].scus[::-1])
    other = Material("t", "en", material.source, material.units, pyramids=(turned,))
    assert repr(one(metric, Comparison(other, candidate))) == repr(values)


def test_a_reference_that_is_left_out_takes_its_units_along():
    people = Contributor("ann"), Contributor("bob")
    scus = Scu("1", FERRY, 2, people), Scu("2", "nobody was hurt", 1, people[1:])
    material = Material("t", "en", pyramids=(Pyramid("t", scus),), models=("ann", "bob"))
    candidate = Side("system", "The ferry sank.")
    ann, bob = Side("ann", "A ferry sank."), Side("bob", "It sank. Nobody was hurt.")
    for references, expected in (((ann, bob), 2 / 3), ((ann,), 1.0), ((bob,), 1 / 2)):
        assert one("units", Comparison(material, candidate, references))["coverage"] == expected
