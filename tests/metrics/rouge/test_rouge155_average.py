"""Averages and intervals of the original script: its own numbers, Perl's draws, a slow oracle."""

import shutil
import subprocess

import goldens
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from summetry.errors import SummetryError
from summetry.metrics.rouge.rouge155_average import average_counts, average_scores, sample_sums

GOLDEN = goldens.golden("rouge155.json")


def draws(count, seed):
    """Which rows one sample takes, by the book: a 48-bit linear congruential generator."""
    state = seed * 65536 + 13070
    found = []
    for _ in range(count):
        state = (25214903917 * state + 11) % 2**48
        found.append(int(state / 2**48 * count))
    return found


def mean(numbers):
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
    means = [mean([numbers[i] for i in draws(len(numbers), s)]) for s in range(samples)]
    return mean(sorted(means)), *interval(means, samples, confidence)


def slow_counts(rows, samples, confidence, alpha):
    found = []
    for seed in range(samples):
        chosen = [rows[i] for i in draws(len(rows), seed)]
        model, peer, hits = (mean(column) * len(rows) for column in zip(*chosen, strict=True))
        r, p = hits / model if model else 0.0, hits / peer if peer else 0.0
        below = (1 - alpha) * p + alpha * r
        found.append((r, p, p * r / below if below else 0.0))
    return [
        (mean(sorted(column)), *interval(column, samples, confidence))
        for column in zip(*found, strict=True)
    ]


def in_order_of_the_script():
    """The tasks of the golden file as the script resamples them: by ``<number>.X`` as strings."""
    tasks = {task["id"]: task for task in GOLDEN["tasks"]}
    names = GOLDEN["system"]["task_ids_in_eval_order"]
    numbered = {f"{number}.X": tasks[name] for number, name in enumerate(names, start=1)}
    return [numbered[key] for key in sorted(numbered)]


@pytest.mark.skipif(not GOLDEN, reason="no rouge155.json")
@pytest.mark.parametrize("kind", ["scores", "scores_t1"])
def test_golden_averages_equal_the_script(kind, capsys):
    tasks, compared = in_order_of_the_script(), 0
    for option, variants in GOLDEN["system"][kind].items():
        for variant, expected in variants.items():
            found = [task["oracle"][option][variant] for task in tasks]
            if kind == "scores":
                scores = np.array([[values[field] for field in "rpf"] for values in found])
                average = average_scores(scores, 1000, 95)
            elif all("counts" in values for values in found):
                counts = np.array([values["counts"] for values in found])
                average = average_counts(counts, 1000, 95, 0.5)
            else:
                continue
            for field, *numbers in zip("rpf", *average, strict=True):
                printed = [round(float(number), 5) for number in numbers]
                wanted = [expected[field][part] for part in ("avg", "lo", "hi")]
                assert printed == wanted, (option, variant, field)
                compared += 1
    with capsys.disabled():
        print(f"\nrouge155 system averages, {kind}: {compared} golden cases run")
    assert compared


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


counts = st.lists(
    st.tuples(st.integers(0, 90), st.integers(0, 90), st.integers(0, 30)), min_size=1, max_size=8
)


@given(counts, st.integers(1, 30), confidences, st.sampled_from([0, 0.2, 0.5, 1]))
def test_counts_are_averaged_as_a_slow_oracle_does(rows, samples, confidence, alpha):
    found = average_counts(np.array(rows, float), samples, confidence, alpha)
    wanted = slow_counts(rows, samples, confidence, alpha)
    # The oracle divides a mean instead of a sum, hence the last digits.
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
    # The average is not the mean of the scores.
    found = average_scores(np.array([[0.0], [1.0], [1.0]]), 1000, 95)
    assert 1e-4 < abs(found.mean[0] - 2 / 3) < 0.05
    nothing = np.zeros((0, 3))
    for found in (average_scores(nothing, 10, 95), average_counts(nothing, 10, 95, 0.5)):
        assert [part.tolist() for part in found] == [[0, 0, 0]] * 3


def test_columns_do_not_touch_each_other():
    table = np.random.default_rng(0).random((9, 4))
    together = average_scores(table, 50, 95)
    for column in range(4):
        alone = average_scores(table[:, [column]], 50, 95)
        assert [part[column] for part in together] == [part[0] for part in alone]


@pytest.mark.parametrize(
    ("samples", "confidence", "message"),
    [
        (0, 95, "resampling needs 1 sample or more, got 0"),
        (10, 101, "between 0 and 100 percent, got 101"),
        (10, -1, "between 0 and 100 percent, got -1"),
    ],
)
def test_what_cannot_be_resampled(samples, confidence, message):
    with pytest.raises(SummetryError, match=message):
        average_scores(np.ones((2, 3)), samples, confidence)
    with pytest.raises(SummetryError, match=message):
        average_counts(np.ones((2, 3)), samples, confidence, 0.5)
