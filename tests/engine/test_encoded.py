"""Metrics with an encoder through the engine: its weights decide what is found again."""

import json

import numpy as np
import pytest
from tiny_encoders import WORDS, tiny_vectors, write_static

import summetry
from summetry.engine.cache import ChunkStore
from summetry.engine.run import Run, as_plan
from summetry.errors import SummetryError
from summetry.metrics import METRICS
from summetry.signature import Signature


@pytest.fixture
def table(tmp_path):
    random = np.random.default_rng(5)
    path = tmp_path / "rows.jsonl"
    texts = [[" ".join(random.choice(WORDS[1:], 9)) for _ in range(2)] for _ in range(30)]
    rows = [{"id": n, "candidate": a, "reference": b} for n, (a, b) in enumerate(texts)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def run(table, spelling, store, **options):
    run = Run(as_plan(table, "no_models"), [spelling], chunk_items=10, store=store, **options)
    scores = run.table()
    return run.chunks_found, scores


SPELLINGS = ['greedy_match(path="{}")', 'combination(of=[rouge_n,greedy_match(path="{}")])']


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_finished_work_is_found_again_with_the_same_weights_only(table, tmp_path, spelling):
    folder, store = write_static(tmp_path / "vectors"), ChunkStore(tmp_path / "kept")
    spelling = spelling.format(folder)
    assert METRICS.build(spelling).files == (str(folder),)
    found, first = run(table, spelling, store)
    assert found == 0
    found, again = run(table, spelling, store)
    assert found == 3 and again.data.tobytes() == first.data.tobytes()
    write_static(folder, vectors=tiny_vectors() ** 2)
    found, other = run(table, spelling, store)
    assert found == 0 and other.data.tobytes() != first.data.tobytes()
    before, after = (Signature.parse(table.columns[0].signature) for table in (first, other))
    assert before.metric == after.metric and before.data == after.data
    assert before.text != after.text


def test_workers_and_chunks_change_no_bit(table, static_vectors):
    metrics = ["greedy_match", f'embedding_cosine(path="{static_vectors}")']
    expected = summetry.evaluate(table, metrics)
    scores = summetry.evaluate(table, metrics, chunk_items=7, workers=2)
    assert scores.data.tobytes() == expected.data.tobytes()
    assert scores.columns == expected.columns
    assert np.isfinite(expected.data).all() and len(set(expected.data[:, 2])) > 20


@pytest.mark.parametrize("on_error", ["stop", "skip"])
def test_an_encoder_that_is_not_there_is_named_before_the_work(table, on_error):
    with pytest.raises(SummetryError, match="there is no folder 'nowhere'"):
        summetry.evaluate(table, ["rouge-1", "greedy_match(path=nowhere)"], on_error=on_error)
