"""Content units found by words: by hand, by a slow oracle, and by what must hold."""

import math
from collections import Counter
from itertools import pairwise
from random import Random

import pytest
from comparisons import explained, notes, one, scores
from hypothesis import given
from hypothesis import strategies as st

from summetry.metrics import METRICS
from summetry.metrics.pyramid.assignment import unit_values
from summetry.metrics.pyramid.units import THRESHOLDS
from summetry.records.batches import Batch, Comparison, Material, Side
from summetry.records.pyramids import Contributor, Pyramid, Scu

WORDS = ["ferry", "sank", "fog", "nobody", "hurt", "pier", "harbour", "captain", "the", "was", "in"]
seeds = st.integers(0, 2**32)


def compared(text, *units, source=(), sentences=None, weights=None):
    """A summary with the units of its topic."""
    pairs = zip(units, weights or [1] * len(units), strict=True)
    scus = tuple(Scu(str(n), unit, weight) for n, (unit, weight) in enumerate(pairs))
    whole = " ".join(source) if source else None
    material = Material("t", "en", whole, tuple(source), pyramid=Pyramid("t", scus))
    return Comparison(material, Side("system", text, None, sentences))


def random_comparison(seed):
    random = Random(seed)

    def some(most):
        lengths = [random.randint(1, 7) for _ in range(random.randint(1, most))]
        return [" ".join(random.choices(WORDS, k=k)).capitalize() + "." for k in lengths]

    units = some(5)
    weights = [random.choice([1, 2, 3, 0.5]) for _ in units]
    sentences = tuple(some(4)) if random.random() < 0.9 else ()
    text = " ".join(sentences)
    return compared(text, *units, source=some(6), sentences=sentences, weights=weights)


# By hand

FERRY = "the ferry sank"
SOURCE = ["The ferry sank.", "There was fog.", "Nobody was hurt.", "The captain slept."]
# The unit has the words ferry, sank and fog: the first sentence has two of them, the summary
# all three: (2/3 + 3/3) / 2.
TWO_PARTS = compared("A ferry sank. It was the fog.", "the ferry sank in fog")
# "nobody" is a stop word. Of ferry, sank, hurt two sentences in a row have two at most.
FAR = compared("A ferry sank, nobody was hurt.", "ferry", source=SOURCE)


@pytest.mark.parametrize(
    ("spelling", "comparison", "name", "expected"),
    [
        ("units(threshold=0.83)", TWO_PARTS, "coverage", 1.0),
        ("units(threshold=0.84)", TWO_PARTS, "coverage", 0.0),
        # A value that is the threshold counts. Three of five words, in one sentence: 3/5.
        ("units(threshold=0.6)", compared("Ferry, pier, fog.", "ferry pier fog captain harbour"),
         "coverage", 1.0),
        # Units count their weights.
        ("units", compared("The ferry sank.", FERRY, "nobody was hurt", weights=[3, 1]),
         "coverage", 3 / 4),
        # Stems count and stop words do not.
        ("units", compared("Ferries were sinking.", "The ferry sinks"), "coverage", 1.0),
        ("units(text=en)", compared("Ferries were sinking.", "The ferry sinks"), "coverage", 0.0),
        # A sentence is supported by two sentences of the source in a row.
        ("units", compared("A ferry sank in fog.", "ferry", source=SOURCE), "unsupported", 0.0),
        ("units(support=0.66)", FAR, "unsupported", 0.0),
        ("units(support=0.67)", FAR, "unsupported", 1.0),
        ("units", compared("A ferry sank in fog. Aliens landed.", "ferry", source=SOURCE),
         "unsupported", 1 / 2),
    ],
)  # fmt: skip
def test_values_by_hand(spelling, comparison, name, expected):
    assert one(spelling, comparison)[name] == expected


def test_half_of_a_value_is_of_the_closest_sentence_and_half_of_the_whole_summary():
    values = unit_values(Batch([TWO_PARTS]), "overlap", METRICS.build("units").text)
    assert values.sentence.tolist() == [2 / 3]
    assert values.summary.tolist() == [1.0]
    assert values.value.tolist() == [5 / 6]
    assert values.closest.tolist() == [0]
    # Of equally close sentences the first is named.
    comparison = compared("Fog. The ferry sank. A ferry sank.", "the ferry sank")
    pipeline = METRICS.build("units").text
    for by in ("overlap", "vectors"):
        assert unit_values(Batch([comparison]), by, pipeline).closest.tolist() == [1]
    # Two units: "ferri" is in both, "sank" and "fog" in one each. ln(3/3) + 1 = 1 for the first,
    # ln(3/2) + 1 for the others.
    comparison = compared("Ferry sank.", "ferry sank", "ferry fog")
    rare = math.log(3 / 2) + 1
    values = unit_values(Batch([comparison]), "vectors", METRICS.build("units").text)
    assert values.value.tolist() == pytest.approx([1.0, 1 / (1 + rare**2)], abs=1e-15)


def test_a_unit_is_its_label_or_its_name_and_without_words_left_out():
    material = Material("t", "en", pyramid=Pyramid("t", (Scu("the ferry sank"),)))
    assert one("units", Comparison(material, Side("s", "A ferry sank.")))["coverage"] == 1.0
    # Without words it is left out and a note says so.
    comparison = compared("The ferry sank.", FERRY, "it was")
    assert one("units", comparison)["coverage"] == 1.0
    ((note, count),) = notes("units", comparison).items()
    assert note.startswith("some units have no words") and count == 1
    assert notes("units", compared("A ferry.", "a ferry")) == {}


# A slow version in plain Python


def slow(metric, comparison):
    read = METRICS.build(metric).text.read
    by_vectors, least = "vectors" in metric, METRICS.build(metric).least
    material = comparison.material
    sentences = [read(text, "en") for text in comparison.candidate.sentences]
    whole = [word for sentence in sentences for word in sentence]
    units = [read(scu.label, "en") for scu in material.pyramid.scus]
    weight = {
        word: math.log((len(units) + 1) / (sum(word in unit for unit in units) + 1)) + 1
        for word in {*whole, *(word for unit in units for word in unit)}
    }

    def like(unit, text):
        if not by_vectors:
            return len(set(unit) & set(text)) / len(set(unit))
        x, y = Counter(unit), Counter(text)
        product = sum(x[word] * y[word] * weight[word] ** 2 for word in x)
        lengths = [
            math.sqrt(sum((count * weight[word]) ** 2 for word, count in bag.items()))
            for bag in (x, y)
        ]
        return product / (lengths[0] * lengths[1]) if all(lengths) else 0.0

    said = every = 0.0
    for unit, scu in zip(units, material.pyramid.scus, strict=True):
        if unit:
            best = max((like(unit, sentence) for sentence in sentences), default=0.0)
            value = (best + like(unit, whole)) / 2
            every += scu.weight
            said += scu.weight * (value >= least - 1e-12)
    windows = [words for text in material.units if (words := read(text, "en"))]
    pairs = [set(a) | set(b) for a, b in pairwise(windows)]
    pairs = pairs or [set(words) for words in windows]
    shares = [
        max(len(set(words) & place) for place in pairs) / len(set(words))
        for words in sentences
        if words and pairs
    ]
    return {
        "coverage": said / every if every else math.nan,
        "unsupported": sum(share < 0.8 for share in shares) / len(shares) if shares else math.nan,
    }


both_ways = pytest.mark.parametrize("metric", ["units", "units(by=vectors)"])


@both_ways
@given(seed=seeds)
def test_the_values_are_those_of_plain_python(metric, seed):
    comparisons = [random_comparison(seed + place) for place in range(3)]
    together = scores(METRICS.build(metric), *comparisons)
    for place, comparison in enumerate(comparisons):
        numbers = {name: column[place] for name, column in together.items()}
        assert numbers == pytest.approx(slow(metric, comparison), nan_ok=True, abs=1e-12)


# What must hold


@pytest.mark.parametrize("metric", ["units", "units(threshold=1)", "units(by=vectors)"])
@given(seed=seeds)
def test_a_summary_with_every_unit_word_for_word_covers_all(metric, seed):
    units = [scu.label for scu in random_comparison(seed).material.pyramid.scus]
    if "vectors" in metric:
        units = units[:1]  # Among others, the whole summary is less like each.
    coverage = one(metric, compared(" ".join(units), *units, sentences=tuple(units)))["coverage"]
    assert coverage == 1.0 or math.isnan(coverage)


@both_ways
@given(seed=seeds)
def test_the_order_of_units_changes_no_bit_and_more_sentences_never_cover_less(metric, seed):
    comparison = random_comparison(seed)
    material, candidate = comparison.material, comparison.candidate
    values = one(metric, comparison)
    turned = Pyramid("t", material.pyramid.scus[::-1])
    other = Material("t", "en", material.source, material.units, pyramid=turned)
    assert repr(one(metric, Comparison(other, candidate))) == repr(values)
    more = random_comparison(seed + 1).candidate
    sentences = (*candidate.sentences, *more.sentences)
    longer = Side("system", f"{candidate.text} {more.text}", None, sentences)
    before, after = (one("units", Comparison(material, side)) for side in (candidate, longer))
    assert after["coverage"] >= before["coverage"] or math.isnan(before["coverage"])


@pytest.mark.parametrize(
    ("text", "unit", "source", "coverage"),
    [
        ("", FERRY, ["The ferry sank."], 0.0),
        ("The ferry sank.", FERRY, [], 1.0),
        ("The ferry sank.", "it was", ["It was."], math.nan),
    ],
)
def test_what_is_not_there_has_no_value(text, unit, source, coverage):
    values = one("units", compared(text, unit, source=source))
    expected = {"coverage": coverage, "unsupported": math.nan}
    assert values == pytest.approx(expected, nan_ok=True, abs=0)


def test_a_reference_that_is_left_out_takes_its_units_along():
    scus = (
        Scu("1", FERRY, 2, (Contributor("ann"), Contributor("bob"))),
        Scu("2", "nobody was hurt", 1, (Contributor("bob"),)),
    )
    material = Material("t", "en", pyramid=Pyramid("t", scus), models=("ann", "bob"))
    candidate = Side("system", "The ferry sank.")
    ann, bob = Side("ann", "A ferry sank."), Side("bob", "It sank. Nobody was hurt.")
    for references, expected in (((ann, bob), 2 / 3), ((ann,), 1.0), ((bob,), 1 / 2)):
        assert one("units", Comparison(material, candidate, references))["coverage"] == expected


def test_an_explanation_shows_each_unit_with_its_closest_sentence():
    text, units = "Two people died. A ferry sank.", ("The ferry sank", "The captain slept")
    part = explained("units", compared(text, *units, source=["A ferry sank in fog.", "Two died."]))
    (match,) = part.matches
    assert (match.what, match.candidate) == ("The ferry sank", ((19, 24), (25, 29)))
    assert [match.what for match in part.missed] == ["The captain slept"]
    units, sentences = part.tables
    assert units.rows == (
        ("The ferry sank", 1.0, 1.0, "yes", "A ferry sank."),
        ("The captain slept", 1.0, 0.0, "no", ""),
    )
    # "people" is not in the source: two of three words.
    assert sentences.rows == (("Two people died.", 2 / 3, "no"), ("A ferry sank.", 1.0, "yes"))


def test_every_likeness_has_a_threshold_of_its_own():
    assert METRICS.build("units").least == THRESHOLDS["overlap"]
    assert METRICS.build("units(by=vectors)").least == THRESHOLDS["vectors"]
    assert METRICS.build("units(by=vectors,threshold=0.4)").least == 0.4
