"""ROUGE against values of the original script and of Lin's recursion; its stemmer and averages."""

import goldens
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import summetry
from summetry import spec
from summetry.errors import SummetryError
from summetry.metrics import METRICS
from summetry.metrics.rouge.plain import weighted_lcs
from summetry.metrics.rouge.porter import irregular_forms, stem_like_rouge
from summetry.metrics.rouge.rouge155_average import average_counts, average_scores, sample_sums
from summetry.records.batches import Batch, Comparison, Material, Side
from summetry.records.corpus import Corpus
from summetry.records.summaries import Summary
from summetry.records.topics import Topic
from summetry.text.pipeline import TextPipeline

GOLDEN = goldens.golden("rouge155.json") or {"tasks": [], "options": {}, "jackknife": {}}

# The script's options in our spelling: those of the text, those of the metric.
OPTIONS = {
    "none": ("", ""), "m": ("(stem=true)", ""), "s": ("(stop=true)", ""),
    "m_s": ("(stem=true,stop=true)", ""), "m_s_b75": ("(stem=true,stop=true)", ",length=75bytes"),
    "l50": ("", ",length=50words"), "l10": ("", ",length=10words"),
    "b200": ("", ",length=200bytes"), "b75": ("", ",length=75bytes"),
    "fB": ("", ",references=best"), "m_fB": ("(stem=true)", ",references=best"),
    "p0.2": ("", ",alpha=0.2"),
}  # fmt: skip
PLAIN = {f"rouge-{n}": f"rouge_n(n={n}," for n in (1, 2, 3, 4)} | {"rouge-l": "rouge_l("}
VARIANTS = PLAIN | {"rouge-w-1.2": "rouge_w(", "rouge-s4": "rouge_s(", "rouge-su4": "rouge_su("}
VARIANTS |= {"rouge-s*": "rouge_s(gap=-1,", "rouge-su*": "rouge_su(gap=-1,"}


FIELDS = {"r": "recall", "p": "precision", "f": "f"}


def spelling(variant, options):
    text, others = OPTIONS[options]
    return f"{VARIANTS[variant]}text=rouge155{text}{others})"


def side(author, sentences):
    """A file of one sentence a line; an empty line is no sentence to the script."""
    return Side(author, "\n".join(sentences), sentences=tuple(s for s in sentences if s))


def comparison(task):
    references = tuple(side(f"m{i}", text) for i, text in enumerate(task["references"]))
    return Comparison(Material(task["id"]), side("candidate", task["candidate"]), references)


@pytest.mark.parametrize("options", sorted(GOLDEN["options"]))
@pytest.mark.usefixtures("road")
def test_every_variant_equals_the_script(options):
    compared = 0
    batch = Batch([comparison(task) for task in GOLDEN["tasks"]], sentences=True)
    for variant in VARIANTS:
        metric = METRICS.build(spelling(variant, options))
        counts = metric.count(batch)
        scores = metric.score(counts)
        for row, task in enumerate(GOLDEN["tasks"]):
            expected = task["oracle"][options].get(variant)
            if expected is None:
                continue
            compared += 1
            where = (task["id"], options, variant)
            for field, name in FIELDS.items():
                assert scores[name][row] == expected[field], (*where, field)
            if "counts" in expected:
                assert np.allclose(counts[row], expected["counts"], rtol=1e-12), where
    assert compared


def jackknife_corpus(tasks):
    summaries = []
    for task in tasks:
        texts = {"candidate": task["candidate"]}
        texts |= {f"m{i}": text for i, text in enumerate(task["references"])}
        for author, text in texts.items():
            role = "candidate" if author == "candidate" else "reference"
            sentences = tuple(sentence for sentence in text if sentence)
            summaries.append(Summary(task["id"], author, role, sentences=sentences))
    return Corpus(topics=tuple(Topic(task["id"]) for task in tasks), summaries=tuple(summaries))


@pytest.mark.parametrize("options", sorted(GOLDEN["jackknife"]))
def test_jackknifing_is_the_mean_over_leave_one_out_scores(options):
    expected = GOLDEN["jackknife"][options]
    tasks = [task for task in GOLDEN["tasks"] if task["id"] in expected]
    spellings = {v: METRICS.build(spelling(v, options)) for v in VARIANTS if not v.endswith("*")}
    table = summetry.evaluate(jackknife_corpus(tasks), list(spellings.values()), "all_peers")
    columns = {(c.metric, c.value): j for j, c in enumerate(table.columns)}
    compared = 0
    for row, key in enumerate(table.rows):
        case = expected[key.topic]
        left_out = case["system_leave_one_out"]
        if key.role != "candidate":
            left_out = [case["human_leave_one_out"][int(key.author[1:])]]
        for variant, metric in spellings.items():
            for field, name in FIELDS.items():
                found = table.data[row, columns[spec.show(metric), name]]
                wanted = np.mean([one[variant][field] for one in left_out])
                assert found == pytest.approx(wanted, abs=1e-12), (key, variant, field)
                compared += 1
    assert compared


# Lin's weighted common subsequence: values of his recursion by another program

WLCS = goldens.golden("wlcs.json")
CASES = (WLCS or {"cases": []})["cases"]
near = {"rel": 1e-12, "abs": 1e-12}


@pytest.mark.parametrize("weight", sorted({case["weight"] for case in CASES}))
@pytest.mark.usefixtures("road")
def test_golden_weighted_subsequences_one_by_one_and_all_at_once(weight):
    cases = [case for case in CASES if case["weight"] == weight]
    for case in cases:
        found = weighted_lcs(case["reference"], case["candidate"], weight)
        assert found.worth == pytest.approx(case["wlcs"], **near), case
    texts = ([" ".join(case[side]) for case in cases] for side in ("candidate", "reference"))
    name = f"rouge_w(weight={weight})"
    found = summetry.score(*texts, metrics=[name])[name]
    for value in ("recall", "precision"):
        assert found[value].tolist() == pytest.approx([case[value] for case in cases], **near)


# The stemmer: its patterns against counting letter by letter, and its text


def test_every_stem_is_the_scripts():
    stems = goldens.golden("rouge155_stems.json")
    if stems is None:
        pytest.skip("rouge155_stems.json is not in the golden folder")
    words = list(stems["stems"])
    assert dict(zip(words, stem_like_rouge(words), strict=True)) == stems["stems"] != {}


def test_stems_and_irregular_forms_are_those_of_the_script():
    words = "agreement accidental possibly analogy hopping hoping went was 1990s better y"
    stems = "agreem accid possibl analog hop hope go was 1990 well y"
    assert stem_like_rouge(words.split()) == stems.split()
    forms = irregular_forms()
    assert len(forms) == 5930
    assert (forms["better"], forms["is"], forms["comics"]) == ("well", "be", "comic_strip")
    assert "ashes" not in forms


def test_tokens_are_runs_of_ascii_letters_and_digits_and_stop_words_go_before_stemming():
    pipeline = TextPipeline.from_spec("rouge155")
    table = pipeline.encode(["Don't pay 3.5% for café_x — well-known! Ω"], [""])
    assert table.text(0) == ["don", "t", "pay", "3", "5", "for", "caf", "x", "well", "known"]
    pipeline = TextPipeline.from_spec("rouge155(stem=true,stop=true)")
    assert pipeline.encode(["The bridges of being useful"], [""]).text(0) == ["bridg"]
    assert pipeline.describe() == "rouge155,stop,stem"


# Averages and intervals: Perl's draws, a slow oracle


def draws(count, seed):
    """Which rows one sample takes, by the book: a 48-bit linear congruential generator."""
    state = seed * 65536 + 13070
    found = []
    for _ in range(count):
        state = (25214903917 * state + 11) % 2**48
        found.append(int(state / 2**48 * count))
    return found


def mean_of(numbers):
    """One addition after the other; newer versions of ``sum`` add more exactly."""
    total = 0.0
    for number in numbers:
        total += number
    return total / len(numbers)


def interval(values, samples, confidence):
    # An element behind the last one is 0 to Perl, and its int() cuts the fraction off.
    values = [*sorted(values), 0.0]
    delta = samples * ((100 - confidence) / 2.0) / 100.0
    last = samples - delta - 1
    fraction = last - int(last)

    def at(place):
        return values[place] + (values[place + 1] - values[place]) * fraction

    return at(int(delta)), at(int(last))


def slow_scores(numbers, samples, confidence):
    means = [mean_of([numbers[i] for i in draws(len(numbers), s)]) for s in range(samples)]
    return mean_of(sorted(means)), *interval(means, samples, confidence)


numbers = st.lists(st.integers(0, 100_000).map(lambda n: n / 100_000), min_size=1, max_size=12)
confidences = st.sampled_from([0, 50, 80, 90, 95, 97.5, 99, 100])


@given(numbers, st.integers(1, 40), confidences)
@example([0.25], 1, 95)
@example([0.1, 0.3], 2, 100)
def test_scores_are_averaged_as_a_slow_oracle_does(numbers, samples, confidence):
    found = average_scores(np.array(numbers)[:, None], samples, confidence)
    assert tuple(float(part[0]) for part in found) == slow_scores(numbers, samples, confidence)
    if samples > 1:
        assert all(min(numbers) - 1e-12 <= part[0] <= max(numbers) + 1e-12 for part in found)


def test_averages_worked_by_hand():
    # Of a single sample, delta = 0.025, both ends are 0.4 + (0 - 0.4) * (1 - 0.025 - 1), as in a
    # run of the script: they are moved away from the zero behind it.
    found = average_scores(np.array([[0.4]]), 1, 95)
    assert [float(part[0]) for part in found] == pytest.approx([0.4, 0.41, 0.41], abs=1e-12)
    # The interval of full confidence is that of all samples.
    numbers = np.array([[0.1], [0.5], [0.9], [0.2]])
    means = sample_sums(numbers, 200) / 4
    found = average_scores(numbers, 200, 100)
    assert (found.low[0], found.high[0]) == (means.min(), means.max())
    nothing = np.zeros((0, 3))
    for found in (average_scores(nothing, 10, 95), average_counts(nothing, 10, 95, 0.5)):
        assert [part.tolist() for part in found] == [[0, 0, 0]] * 3
    # Columns do not touch each other.
    table = np.random.default_rng(0).random((9, 4))
    together = average_scores(table, 50, 95)
    for column in range(4):
        alone = average_scores(table[:, [column]], 50, 95)
        assert [part[column] for part in together] == [part[0] for part in alone]


def test_what_cannot_be_resampled():
    for samples, confidence, message in (
        (0, 95, "resampling needs 1 sample or more, got 0"),
        (10, 101, "between 0 and 100 percent, got 101"),
        (10, -1, "between 0 and 100 percent, got -1"),
    ):
        with pytest.raises(SummetryError, match=message):
            average_scores(np.ones((2, 3)), samples, confidence)
        with pytest.raises(SummetryError, match=message):
            average_counts(np.ones((2, 3)), samples, confidence, 0.5)
