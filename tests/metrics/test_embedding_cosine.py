"""The cosine of mean vectors, against plain loops and by hand."""

import math

import pytest
from comparisons import compare_texts, one
from tiny_encoders import WORDS, TinyModel, tiny_vectors, write_static

CANDIDATE, REFERENCE = "the boat hit the pier in fog", "a ferry hit the quay"


def by_loops(candidate, reference):
    """The cosine of the means of two lists of vectors."""
    means = [
        [sum(x) / len(rows) for x in zip(*rows, strict=True)] for rows in (candidate, reference)
    ]
    dot = sum(a * b for a, b in zip(*means, strict=True))
    return dot / math.prod(math.sqrt(sum(a * a for a in mean)) for mean in means)


def test_the_value_is_that_of_plain_loops():
    rows = tiny_vectors().astype(float).tolist()
    sides = [[rows[WORDS.index(word)] for word in text.split()] for text in (CANDIDATE, REFERENCE)]
    found = one("embedding_cosine", compare_texts(CANDIDATE, [REFERENCE]))
    assert found["value"] == pytest.approx(by_loops(*sides), abs=1e-12)


def test_a_model_is_pooled_over_all_positions(tmp_path):
    pytest.importorskip("onnx", reason="onnx, which builds the tiny model, is not installed")
    model = TinyModel()
    sides = [model.state(model.ids(text.split())).tolist() for text in (CANDIDATE, REFERENCE)]
    spelling = f'embedding_cosine(path="{model.write(tmp_path)}")'
    found = one(spelling, compare_texts(CANDIDATE, [REFERENCE]))
    # The states are single precision.
    assert found["value"] == pytest.approx(by_loops(*sides), abs=1e-5)


def test_values_by_hand(tmp_path):
    write_static(tmp_path, ["[UNK]", "pier", "quay", "fog"], [[0, 0], [1, 0], [0, 1], [-1, 0]])
    metric = f'embedding_cosine(path="{tmp_path}")'

    def found(candidate, *references):
        return one(metric, compare_texts(candidate, references))["value"]

    assert found("pier", "quay") == 0
    assert found("pier", "fog") == -1
    assert found("pier quay", "pier") == pytest.approx(math.sqrt(0.5))
    assert found("pier", "fog", "quay", "pier quay") == pytest.approx(math.sqrt(0.5))
    # Nothing, and words without a vector, are the worst; no reference is no value.
    assert found("", "pier") == found("zebra", "pier") == found("pier fog", "pier") == -1
    assert math.isnan(found("pier", "")) and math.isnan(found("pier", "zebra"))
