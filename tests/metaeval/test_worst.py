"""The worst summaries are those that sorting all of them gives, however they come."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from summetry.metaeval.worst import WorstSummaries, directed_column
from summetry.records.scores import Column, Row, Whose

VALUES = st.sampled_from([0.0, 0.25, 0.5, 1.0, -1.0, math.inf, -math.inf, math.nan])
CHUNKS = st.lists(st.lists(VALUES, max_size=9), max_size=5)


@given(CHUNKS, st.integers(1, 6), st.sampled_from(["rouge-1", "js_divergence"]), st.randoms())
def test_they_are_the_first_of_all_sorted_by_value_id_and_system(chunks, count, metric, random):
    keys = [(f"t{n % 3}", f"s{n // 3}") for n in range(sum(map(len, chunks)))]
    random.shuffle(keys)
    rows = [Row("no_models", topic, system, "candidate") for topic, system in keys]
    kept, every = WorstSummaries(Column(metric), count), []
    for number, chunk in enumerate(chunks):
        own = [rows.pop() for _ in chunk]
        every += zip(own, chunk, strict=True)
        kept.add(Whose.of(own) if number % 2 else own, np.array(chunk, np.float64))
        assert len(kept._kept) <= count
    sign = -1 if metric == "js_divergence" else 1
    defined = [(row, value) for row, value in every if not math.isnan(value)]
    defined.sort(key=lambda pair: (sign * pair[1], pair[0].topic, pair[0].author))
    assert kept.worst().rows == tuple(defined[:count])
    assert kept.worst().undefined == len(every) - len(defined)


@pytest.mark.parametrize(
    ("names", "first"), [(["length", "rouge-1"], "rouge-1"), (["length"], None), ([], None)]
)
def test_a_value_without_a_direction_is_passed_over(names, first):
    column = directed_column([Column(name) for name in names])
    assert (column and column.name) == first
