"""Threads of matrix products: limited where there may be products, not looked for elsewhere."""

from contextlib import nullcontext

import pytest
from threadpoolctl import threadpool_info

from summetry import score
from summetry.engine import chunks


@pytest.mark.parametrize(
    ("metrics", "limited"),
    [(["rouge_n", "rouge_l"], 0), (["cosine"], 1), (["rouge_n", "cosine"], 1)],
)
def test_only_metrics_without_products_are_left_alone(monkeypatch, metrics, limited):
    entered = []
    monkeypatch.setattr(chunks, "one_thread", lambda: entered.append(1) or nullcontext())
    score("a b c", ["b c d"], metrics=metrics)
    assert len(entered) == limited


def test_products_have_one_thread():
    with chunks.one_thread():
        assert {pool["num_threads"] for pool in threadpool_info()} <= {1}
