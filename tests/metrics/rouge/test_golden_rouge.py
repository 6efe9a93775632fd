"""ROUGE against values of the original script and of Lin's recursion; its stemmer and averages."""

import re
import shutil
import subprocess

import goldens
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import summetry
from summetry import spec
from summetry.engine.chunks import build_metrics
from summetry.engine.single import score_single
from summetry.errors import SummetryError
from summetry.metrics import METRICS
from summetry.metrics.rouge import porter as porter_module
from summetry.metrics.rouge.plain import weighted_lcs
from summetry.metrics.rouge.porter import irregular_forms, porter, stem_like_rouge
from summetry.metrics.rouge.rouge155_average import average_counts, average_scores, sample_sums
from summetry.metrics.rouge.texts import rouge_stop_words
from summetry.records.batches import Batch, Comparison, Material, Side, TextColumns
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
UNLIMITED = [name for name, (_, others) in OPTIONS.items() if "length" not in others]
FIELDS = {"r": "recall", "p": "precision", "f": "f"}


@pytest.fixture
def say(capsys):
    """Print how many golden cases were run, so that nobody believes in those that were not."""

    def print_count(kind, compared):
        with capsys.disabled():
            print(f"\n{kind}: {compared} golden cases run")
        assert compared

    return print_count


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
def test_every_variant_equals_the_script(options, say):
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
    say(f"rouge155 {options}", compared)


@pytest.mark.parametrize("options", [o for o in sorted(GOLDEN["options"]) if o in UNLIMITED])
def test_golden_values_of_one_candidate_in_plain_python(options, say):
    compared = 0
    metrics = {variant: spelling(variant, options) for variant in PLAIN}
    built = build_metrics(list(metrics.values()))
    for task in GOLDEN["tasks"]:
        candidate, *references = map("\n".join, (task["candidate"], *task["references"]))
        found = score_single(built, TextColumns([candidate], [references], [None]))
        # What is said of an empty text is said by the other road.
        for variant, metric in metrics.items() if found else ():
            expected = task["oracle"][options].get(variant)
            if expected is not None:
                values = {field: found.values[metric][name] for field, name in FIELDS.items()}
                assert values == {field: expected[field] for field in FIELDS}, (task["id"], variant)
                compared += 1
    say(f"rouge155 {options} in plain Python", compared)


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
def test_jackknifing_is_the_mean_over_leave_one_out_scores(options, say):
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
    say(f"rouge155 jackknife {options}", compared)


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


def test_the_golden_file_of_wlcs_is_run_whole(say):
    if WLCS is None:
        pytest.skip("wlcs.json is not in the golden folder")
    say("wlcs", len(CASES))
    known = {"reference", "candidate", "weight", "wlcs", "recall", "precision"}
    assert all(known <= set(case) for case in CASES)


# The stemmer: its patterns against counting letter by letter, and its text


def test_every_stem_is_the_scripts(say):
    stems = goldens.golden("rouge155_stems.json")
    if stems is None:
        pytest.skip("rouge155_stems.json is not in the golden folder")
    words = list(stems["stems"])
    assert dict(zip(words, stem_like_rouge(words), strict=True)) == stems["stems"]
    say("rouge155_stems", len(words))


def kinds(word):
    """c or v for each letter; y is a vowel only after a consonant."""
    found = ""
    for letter in word:
        after_consonant = found[-1:] == "c"
        found += "v" if letter in "aeiou" or (letter == "y" and after_consonant) else "c"
    return found


@given(st.text("aeiouybcdlnstwx19", max_size=12))
def test_the_patterns_measure_as_counting_does(word):
    measure = len(re.findall("v+c+", kinds(word)))
    assert bool(porter_module._ONE_OR_MORE(word)) == (measure >= 1)
    assert bool(porter_module._EXACTLY_ONE(word)) == (measure == 1)
    assert bool(porter_module._TWO_OR_MORE(word)) == (measure >= 2)
    assert bool(porter_module._HAS_VOWEL(word)) == ("v" in kinds(word))
    short = re.fullmatch("c+vc", kinds(word)) is not None and word[-1] not in "wxy"
    assert bool(porter_module._SHORT(word)) == short
    if len(word) > 3:
        assert 0 < len(porter(word)) <= len(word) + 1


def test_stems_and_irregular_forms_are_those_of_the_script():
    words = "agreement accidental possibly analogy hopping hoping went was 1990s better y"
    stems = "agreem accid possibl analog hop hope go was 1990 well y"
    assert stem_like_rouge(words.split()) == stems.split()
    forms = irregular_forms()
    assert len(forms) == 5930
    assert (forms["better"], forms["is"], forms["comics"]) == ("well", "be", "comic_strip")
    assert "ashes" not in forms


@given(st.lists(st.text("abC'é .\n-1", max_size=20), max_size=4), st.booleans(), st.booleans())
def test_a_batch_holds_the_tokens_of_each_text_alone(texts, stem, stop):
    pipeline = TextPipeline.from_spec(f"rouge155(stem={stem},stop={stop})")
    table = pipeline.encode(texts, [""] * len(texts))
    for row, text in enumerate(texts):
        assert table.text(row) == [token for token, _ in pipeline.locate(text, "")]


def test_tokens_are_runs_of_ascii_letters_and_digits_and_stop_words_go_before_stemming():
    pipeline = TextPipeline.from_spec("rouge155")
    table = pipeline.encode(["Don't pay 3.5% for café_x — well-known! Ω"], [""])
    assert table.text(0) == ["don", "t", "pay", "3", "5", "for", "caf", "x", "well", "known"]
    pipeline = TextPipeline.from_spec("rouge155(stem=true,stop=true)")
    assert pipeline.encode(["The bridges of being useful"], [""]).text(0) == ["bridg"]
    assert len(rouge_stop_words()) == 543
    assert spec.show(pipeline) == "rouge155(stem=true,stop=true)"
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


def slow_counts(rows, samples, confidence, alpha):
    values = []
    for seed in range(samples):
        chosen = [rows[i] for i in draws(len(rows), seed)]
        model, peer, hits = (mean_of(column) * len(rows) for column in zip(*chosen, strict=True))
        r, p = hits / model if model else 0.0, hits / peer if peer else 0.0
        below = (1 - alpha) * p + alpha * r
        values.append((r, p, p * r / below if below else 0.0))
    columns = zip(*values, strict=True)
    return [(mean_of(sorted(c)), *interval(c, samples, confidence)) for c in columns]


@pytest.mark.skipif(not shutil.which("perl"), reason="Perl is not on this machine")
@pytest.mark.parametrize("count", [1, 2, 7, 28, 1000])
def test_the_draws_are_those_of_perl(count):
    script = f"for $s (0..19) {{ srand($s); print int(rand({count})), ' ' for 1..{count} }}"
    printed = subprocess.run(["perl", "-e", script], capture_output=True, text=True, check=True)
    assert [int(n) for n in printed.stdout.split()] == [
        index for seed in range(20) for index in draws(count, seed)
    ]


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


totals, hits = st.integers(0, 90), st.integers(0, 30)
counts = st.lists(st.tuples(totals, totals, hits), min_size=1, max_size=8)


@given(counts, st.integers(1, 30), confidences, st.sampled_from([0, 0.2, 0.5, 1]))
def test_counts_are_averaged_as_a_slow_oracle_does(rows, samples, confidence, alpha):
    found = average_counts(np.array(rows, float), samples, confidence, alpha)
    wanted = slow_counts(rows, samples, confidence, alpha)
    # The oracle divides a mean_of instead of a sum, hence the last digits.
    assert np.allclose(np.array(found).T, wanted, rtol=1e-12, atol=1e-12)


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
    # The average is not the mean_of of the scores.
    found = average_scores(np.array([[0.0], [1.0], [1.0]]), 1000, 95)
    assert 1e-4 < abs(found.mean[0] - 2 / 3) < 0.05
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
