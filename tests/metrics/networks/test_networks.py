"""Networks of references, accuracies and alignments: the paper's example, every path, the edges."""

import math
from itertools import combinations
from random import Random

import network_oracle as oracle
import pytest
from comparisons import compare, explained, notes, values
from hypothesis import given
from hypothesis import strategies as st

from summetry.arrays.sequences import lcs_length
from summetry.errors import SummetryError
from summetry.metrics.networks import alignment
from summetry.metrics.networks import closest as closest_module
from summetry.metrics.networks.accuracy import accy, ngram_precision, nrst_accy
from summetry.metrics.networks.alignment import leftmost_alignment
from summetry.metrics.networks.closest import closest, closest_path
from summetry.metrics.networks.network import merge, scaled_log
from summetry.metrics.networks.sum_accy import sum_accy

WORDS = ("The", "beautiful", "cherry", "blossoms", "in", "Japan", "bloom", "in", "spring")
# Table 1 of the paper: subjects A to E.
TABLE = [[0, 2, 3, 4, 5], [2, 3, 4, 5, 6], [1, 2, 6, 7, 8], [1, 2, 3, 7, 8], [0, 1, 2, 3, 6]]
CHERRY = [2, 3, 6, 7, 8]

units = st.frozensets(st.integers(0, 8), min_size=1, max_size=6).map(lambda s: tuple(sorted(s)))
reference_lists = st.lists(units, min_size=1, max_size=6)
# In any order, with units that nobody chose and one that is not in the source.
sequences = st.lists(st.integers(-1, 9), max_size=8, unique=True).map(tuple)
searches = st.tuples(st.sampled_from(["distance", "accuracy"]), st.booleans())


def comparison(candidate, extracts, unit="sentence", texts=WORDS, references=()):
    """A candidate, given by its units or by its text, and the extracts of p0, p1, ..."""
    candidate = candidate if isinstance(candidate, str) else tuple(candidate)
    source = {"language": "en", "source": " ".join(texts), "units": texts, "unit": unit}
    return compare(candidate, references, extracts, **source)


def value(spelling, compared):
    return values(spelling, compared)[0]


def test_the_papers_example():
    network = merge(TABLE)
    assert (network.people, network.units, network.paths) == (5, tuple(range(9)), 32)
    counts = {(arc.tail, arc.head): arc.people for arc in network.arcs()}
    # Counted in table 1 by hand.
    assert counts == {
        ("<s>", 0): 2, ("<s>", 1): 2, ("<s>", 2): 1,
        (0, 1): 1, (0, 2): 1, (1, 2): 3, (2, 3): 4, (2, 6): 1, (3, 4): 2, (3, 6): 1, (3, 7): 1,
        (4, 5): 2, (5, 6): 1, (6, 7): 1, (7, 8): 2,
        (5, "</s>"): 1, (6, "</s>"): 2, (8, "</s>"): 2,
    }  # fmt: skip
    # The sentence that nobody wrote is right all the same.
    result = sum_accy(CHERRY, TABLE)
    assert (result.value, result.distance, result.target) == (100.0, 0, tuple(CHERRY))
    assert nrst_accy(CHERRY, TABLE).value == 60.0
    # Its arcs have 4, 1, 1 and 2 people, those of the best path 3, 4, 2 and 2, of 5 each.
    assert result.reliability == pytest.approx(8**0.25 / 5, rel=1e-12)
    assert result.best_path == (1, 2, 3, 4, 5)
    assert result.best_reliability == pytest.approx(48**0.25 / 5, rel=1e-12)
    assert result.weighted == pytest.approx(100 * (8 / 48) ** 0.25, rel=1e-12)
    # The whole source is a path here, so length is not controlled.
    assert sum_accy(range(9), TABLE).value == 100.0
    # With the arcs at both ends 1, 4, 1, 1, 2, 2 against 2, 3, 4, 1, 2 of beautiful cherry blossoms
    # bloom.
    result = sum_accy(CHERRY, TABLE, boundaries=True)
    assert result.reliability == pytest.approx(16 ** (1 / 6) / 5, rel=1e-12)
    assert result.best_path == (1, 2, 3, 6)
    assert result.best_reliability == pytest.approx(48**0.2 / 5, rel=1e-12)


@given(reference_lists, sequences, searches)
def test_the_closest_and_the_most_reliable_of_all_paths(references, candidate, search):
    criterion, boundaries = search
    result = sum_accy(candidate, references, criterion, boundaries)
    target = oracle.closest_path(candidate, references, criterion, boundaries)
    assert result.target == target
    assert (result.distance, result.length) == (oracle.edits(candidate, target), len(target))
    assert result.value == pytest.approx(100 * (1 - result.distance / len(target)), abs=1e-9)
    expected = oracle.reliability(target, references, boundaries)
    assert result.reliability == pytest.approx(expected, rel=1e-11, nan_ok=True)
    network = merge(references)
    best = network.best_path(boundaries)
    expected = oracle.best_path(references, boundaries)
    assert (best and best.path) == expected
    assert network.paths == len(oracle.all_paths(references))
    if best:
        reliability = oracle.reliability(expected, references, boundaries)
        assert network.reliability(best.mean) == pytest.approx(reliability, rel=1e-11)


@given(reference_lists, st.lists(sequences, max_size=5), searches)
def test_sequences_side_by_side_find_what_each_finds_alone(references, together, search):
    network = merge(references)
    result = closest(network, together, *search)
    for row, candidate in enumerate(together):
        alone = closest(network, [candidate], *search)
        assert result.mean(row) == alone.mean(0)
        assert result.distances[row] == alone.distances[0]
        assert result.lengths[row] == alone.lengths[0]


def test_blocks_change_nothing_and_more_states_than_the_memory_holds_are_refused(monkeypatch):
    random = Random(2)
    network = merge(TABLE)
    many = [random.sample(range(9), random.randint(0, 9)) for _ in range(50)]
    whole = closest(network, many, "accuracy", True)
    monkeypatch.setattr(closest_module, "_BLOCK", 300)
    small = closest(network, many, "accuracy", True)
    assert whole.logs.tolist() == small.logs.tolist()
    assert whole.lengths.tolist() == small.lengths.tolist()
    monkeypatch.setattr(closest_module, "_MOST_STATES", 20)
    message = r"for up to 20 units .* found 9 times 5; compare by larger units, or shorter texts"
    with pytest.raises(SummetryError, match=message):
        closest_path(network, CHERRY, "distance", False)
    with pytest.raises(SummetryError, match=message):
        closest(network, [[0], CHERRY])


def test_ties_and_networks_of_one_informant_or_one_unit_by_hand():
    # Equal products tie exactly.
    for scale in (1 << 30, 1 << 39, 1 << 46):
        two, three, six = (scaled_log(count, scale) for count in (2, 3, 6))
        assert two + six == 2 * two + three
        assert scaled_log(12, scale) == scaled_log(3, scale) + scaled_log(4, scale)
        assert scaled_log(25, scale) == 2 * scaled_log(5, scale)
        assert scaled_log(1, scale) == 0
        assert scaled_log(23, scale) == pytest.approx(scale * math.log(23), abs=1)
    # Of equally reliable targets the first is taken.
    # 0-2-4 has arcs of 2 and 6 people, 0-3-4 of 3 and 4; 1 is in neither and nearer to none.
    people = 2 * [[0, 2]] + 6 * [[2, 4]] + 3 * [[0, 3]] + 4 * [[3, 4]]
    assert sum_accy([0, 1, 4], people).target == (0, 2, 4)
    assert sum_accy([0, 1, 4], [*people, [0, 3]]).target == (0, 3, 4)
    # One informant, and a path of one unit, which has no arc as printed.
    for people in ([[1, 4]], 3 * [[1, 4]]):
        result = sum_accy([1, 3], people)
        assert (result.value, result.weighted, result.reliability) == (50.0, 50.0, 1.0)
        assert result.best_path == (1, 4)
    result = sum_accy([2], [[0, 2], [2, 4]])
    assert result.value == 100.0 and result.best_path == (0, 2)
    assert math.isnan(result.weighted) and math.isnan(result.reliability)
    nowhere = sum_accy([3], [[3]])
    assert nowhere.best_path is None and math.isnan(nowhere.best_reliability)
    assert sum_accy([3], [[3]], boundaries=True).weighted == 100.0


def test_a_text_is_aligned_where_units_are_words():
    text = "Cherry blossoms, bloom in SPRING!"
    written, chosen = (comparison(c, TABLE, "word") for c in (text, CHERRY))
    for spelling in ("sum_accy", "wsum_accy", "wsum_accy(boundaries=true)", "nrst_accy", "accy"):
        assert value(spelling, written) == value(spelling, chosen)
    assert value("wsum_accy", written) == pytest.approx(WEIGHED, rel=1e-12)
    assert explained("sum_accy", written).facts["aligned"] == 1.0
    noted = notes("sum_accy", written, chosen)
    assert noted == {"no units, so the words of the text were aligned to the source": 1}
    # Words that are not in the source are insertions.
    written = comparison("Wild cherry blossoms never bloom in spring", TABLE, "word")
    # "never" is one word too many, and "wild" stands where somebody has "beautiful".
    assert value("sum_accy", written) == pytest.approx(100 * (6 - 2) / 6)
    facts = explained("sum_accy", written).facts
    assert facts["aligned"] == pytest.approx(5 / 7)
    assert (facts["candidate"], facts["distance"]) == (7, 2)
    assert explained("accy", comparison("the wild", [[0]], "word")).facts["aligned"] == 0.5
    assert notes("sum_accy", written)["less than 90% of the words were found in the source"] == 1


@given(reference_lists, sequences, searches)
def test_the_metrics_give_what_the_function_gives(references, candidate, search):
    criterion, boundaries = search
    chosen = [unit for unit in candidate if 0 <= unit < len(WORDS)]
    compared = comparison(chosen, references)
    result = sum_accy(chosen, references, criterion, boundaries)
    assert value(f"sum_accy(criterion={criterion},order=given)", compared) == result.value
    if math.isnan(result.weighted):
        result = sum_accy(chosen, references, criterion, True)
    options = f"criterion={criterion},boundaries={str(boundaries).lower()},order=given"
    assert value(f"wsum_accy({options})", compared) == result.weighted


SENTENCES = ("The dam broke.", "Nobody was hurt.", "It had rained.")


def test_a_text_is_compared_by_words_beside_sentences_and_that_is_said():
    extracts = [[0], [0, 2]]
    written = comparison("The dam broke.", extracts, texts=SENTENCES)
    chosen = comparison([0], extracts, texts=SENTENCES)
    for name in ("sum_accy", "wsum_accy", "accy", "nrst_accy", "ngram_precision(n=2)"):
        by_words = name.replace(")", ",level=words)") if "(" in name else f"{name}(level=words)"
        assert value(name, written) == value(by_words, written) == value(by_words, chosen)
    assert value("sum_accy", written) == 100.0
    # "The dam" is two of the three words of the first sentence.
    half = comparison("the dam", extracts, texts=SENTENCES)
    assert value("nrst_accy", half) == pytest.approx(200 / 3)
    aligned = "no units, so the words of the text were aligned to the source"
    (noted,) = notes("sum_accy", written, chosen).items()
    assert noted[0].startswith(f"{aligned}; these values are by words") and noted[1] == 1
    assert notes("sum_accy(level=words)", written, chosen) == {aligned: 1}


@pytest.mark.parametrize("extracts", [[], [[]], [[], []]])
def test_no_extracts_or_only_empty_ones_leave_it_undefined(extracts):
    for spelling in ("sum_accy", "wsum_accy", "accy", "nrst_accy", "ngram_precision"):
        assert math.isnan(value(spelling, comparison([1], extracts)))
        assert explained(spelling, comparison([1], extracts)).against == "no reference with units"
    assert value("sum_accy", comparison([1], [*extracts, [1]])) == 100.0


WEIGHED = 100 * (8 / 48) ** 0.25
# As it is given two edits from 2 3 6, and from 1 2 3 6, which is longer.
TURNED = comparison([6, 2, 3], TABLE)
STOPPED = "sum_accy(level=words,text=en(stop=true))"
IT_WAS = ("It was.", "The dam broke.")
AT_BOTH_ENDS = "a path of one unit, so the arcs at <s> and </s> were counted"
BELOW_0 = "SumACCY below 0, which a less reliable target brings nearer to 0"
NO_SOURCE = "no units, and no source to align the text to"
LEFT_OUT = "references without units were left out"


@pytest.mark.parametrize(("spelling", "compared", "expected", "noted"), [
    # An empty candidate has zero even where its target is one unit.
    ("sum_accy", comparison([], TABLE), 0, []),
    ("sum_accy", comparison([], [[3]]), 0, []),
    ("wsum_accy", comparison([], TABLE), 0, []),
    ("wsum_accy", comparison([], [[3]]), 0, [AT_BOTH_ENDS]),
    ("wsum_accy(criterion=accuracy)", comparison([], TABLE), 0, []),
    ("wsum_accy(criterion=accuracy)", comparison([], [[3]]), 0, [AT_BOTH_ENDS]),
    # The order of units is that of the source unless asked; one named twice counts once.
    ("sum_accy", TURNED, 100, []),
    ("sum_accy(order=given)", TURNED, 50, []),
    ("sum_accy(order=given)", comparison([2, 3, 2, 6], [[2, 3, 6, 6]]), 100, []),
    # References with units instead of extracts. An author without units is no reference, and a
    # network of none has no value.
    ("wsum_accy(against=references)",
     comparison(CHERRY, [[0]], references=[*map(tuple, TABLE), None]), WEIGHED, []),
    ("sum_accy(against=references)", comparison([2], TABLE, references=[None]), math.nan, []),
    # One unit takes the arcs at both ends and says so.
    ("wsum_accy", comparison([2], [[0, 2], [2, 4]]), 100, [AT_BOTH_ENDS]),
    ("wsum_accy(boundaries=true)", comparison([2], [[0, 2], [2, 4]]), 100, []),
    # A negative accuracy is pointed out.
    ("wsum_accy", comparison([1, 3, 5, 7, 8], [[0, 4], [0, 4]]), -150, [BELOW_0]),
    # A text without a source has no value, and units of stop words only have no words.
    ("sum_accy", comparison("The dam broke.", [[0]], texts=()), math.nan, [NO_SOURCE]),
    (STOPPED, comparison([1], [[0], [0, 1]], texts=IT_WAS), 100, [LEFT_OUT]),
    (STOPPED, comparison([1], [[0]], texts=IT_WAS), math.nan, []),
])  # fmt: skip
def test_values_and_notes_by_hand(spelling, compared, expected, noted):
    assert value(spelling, compared) == pytest.approx(expected, rel=1e-12, nan_ok=True)
    assert notes(spelling, compared) == dict.fromkeys(noted, 1)


@pytest.mark.parametrize("spelling", ["sum_accy", "accy(level=words)", "ngram_precision"])
@pytest.mark.parametrize(("wrong", "unit"), [((0, 9), 9), ((-1, 2), -1)])
def test_a_unit_that_the_source_does_not_have_is_named(spelling, wrong, unit):
    message = f"expected units from 0 to 8 for topic 't', found unit {unit} of 'candidate'"
    with pytest.raises(SummetryError, match=message):
        value(spelling, comparison(wrong, TABLE))
    with pytest.raises(SummetryError, match=f"found unit {unit} of 'p0'; units are counted from 0"):
        value(spelling, comparison([0], [wrong]))
    # Without a source only a number below 0 is no unit.
    assert value("sum_accy", comparison([3], [[3]], texts=())) == 100.0
    with pytest.raises(SummetryError, match=r"expected units of 0 or more .*, found unit -1 of"):
        value("sum_accy", comparison([3, -1], [[3]], texts=()))


# Accuracies and n-gram precision

orders = st.lists(st.integers(0, 9), max_size=8, unique=True).map(tuple)
several = st.lists(orders, max_size=5)
TEN = tuple(f"Sentence {i}." for i in range(10))


def test_accuracies_by_hand():
    # 1 3 4 5 instead of 1 2 3 4: 2 is inserted, 5 is missing.
    assert accy([1, 2, 3, 4], [1, 3, 4, 5]) == (50.0, 2, 4)
    assert math.isnan(accy([1], []).value) and math.isnan(accy([], []).value)
    # Weights that make a substitution dearer find four edits here, and another accuracy.
    assert accy("abc", "cde").distance == 3
    # The nearest by accuracy and by distance.
    references = [[4], [1, 2, 3, 4, 5, 6, 7, 8]]
    # Three edits from the short one, four from the long one.
    assert nrst_accy([1, 2, 3, 4], references) == (50.0, 4, 8)
    assert nrst_accy([1, 2, 3, 4], references, "distance") == (-200.0, 3, 1)
    # Of equally many edits the longest counts: 3 - 1 of 3, not 1 - 1 of 1.
    assert nrst_accy([1, 2], [[1], [1, 2, 3], [2]], "distance") == (100 * 2 / 3, 1, 3)
    assert math.isnan(nrst_accy([1], [[]]).value)
    assert nrst_accy([1], [[], [1]]).value == 100.0


@given(st.lists(st.tuples(orders, several), min_size=1, max_size=4))
def test_the_metrics_give_what_the_textbook_gives(pairs):
    batch = [comparison(candidate, extracts, texts=TEN) for candidate, extracts in pairs]
    spellings = ("accy", "accy(references=best)", "nrst_accy", "nrst_accy(criterion=distance)")
    rows = zip(*(values(spelling, *batch) for spelling in spellings), strict=True)
    for (mean, best, nearest, fewest), (candidate, extracts) in zip(rows, pairs, strict=True):
        people = [sorted(extract) for extract in extracts if extract]
        each = [(oracle.edits(sorted(candidate), own), len(own)) for own in people]
        percent = [100 * (length - d) / length for d, length in each]
        if not each:
            assert all(map(math.isnan, (mean, best, nearest, fewest)))
            continue
        assert mean == pytest.approx(sum(percent) / len(percent))
        assert best == nearest == max(percent)
        d, length = min(each, key=lambda pair: (pair[0], -pair[1]))
        assert fewest == 100 * (length - d) / length


@given(orders, several, st.integers(1, 3))
def test_the_metric_gives_what_the_function_gives(candidate, extracts, n):
    people = [sorted(extract) for extract in extracts if extract]
    expected = ngram_precision(sorted(candidate), people, n) if people else math.nan
    compared = comparison(candidate, extracts, texts=TEN)
    assert repr(value(f"ngram_precision(n={n})", compared)) == repr(expected)


# Alignment

words = st.text("abcd", max_size=7)


def leftmost_plainly(source, text):
    """Every choice of places in the source and in the text, longest first, then by places."""
    for size in range(min(len(source), len(text)), -1, -1):
        for places in combinations(range(len(source)), size):
            for chosen in combinations(range(len(text)), size):
                if all(source[i] == text[j] for i, j in zip(places, chosen, strict=True)):
                    aligned = dict(zip(chosen, places, strict=True))
                    return [aligned.get(j) for j in range(len(text))]
    raise AssertionError("no words at all are an alignment")


@given(words, words)
def test_the_first_of_all_alignments_that_keep_the_most_words(source, text):
    assert leftmost_alignment(source, text) == leftmost_plainly(source, text)


long, longer = st.text("abcdefghxyz", max_size=90), st.text("abcdefgh", max_size=120)


@given(longer, long)
def test_as_many_words_as_the_longest_common_subsequence_in_order(source, text):
    aligned = leftmost_alignment(source, text)
    places = [place for place in aligned if place is not None]
    assert len(places) == lcs_length(source, text)
    assert places == sorted(set(places))
    kept = [(source[p], letter) for p, letter in zip(aligned, text, strict=True) if p is not None]
    assert all(a == b for a, b in kept)


def test_alignments_by_hand_and_texts_that_are_too_long(monkeypatch):
    # The first "in" is the leftmost, unless "bloom" must come before it.
    source = ["cherry", "in", "japan", "bloom", "in", "spring"]
    for text, places in (("cherry in spring", [0, 1, 5]), ("bloom in spring", [3, 4, 5])):
        assert leftmost_alignment(source, text.split()) == places
    monkeypatch.setattr(alignment, "_MOST_BITS", 6)
    assert leftmost_alignment("abcd", "bd") == [1, 3]
    message = r"a text of 3 words is aligned to up to 2 words of a source, found 3 that it has too"
    with pytest.raises(SummetryError, match=message):
        leftmost_alignment("abcd", "bcd")
