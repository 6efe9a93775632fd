"""What an encoder of somebody else may do wrong, and what its parts give by themselves."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from comparisons import compare_texts, one

from summetry.encoders import Encoder, TokenVectors
from summetry.errors import PlugInError
from summetry.metrics.greedy_match import GreedyMatch


@dataclass(frozen=True)
class Faulty(Encoder):
    fault: str = ""
    name: ClassVar[str] = "faulty"

    def encode(self, texts):
        made = [TokenVectors(np.ones((len(t), 2), np.float32), list(t)) for t in texts]
        if self.fault == "fails":
            raise RuntimeError("no memory")
        if self.fault == "fewer":
            return made[1:]
        return [None for _ in made] if self.fault == "other" else made

    def fingerprint(self):
        return "faulty"


def score(fault):
    return one(GreedyMatch(Faulty(fault)), compare_texts("ab", ["ab", "c"]))


def test_vectors_that_are_all_alike_match():
    assert score("") == {"precision": 1.0, "recall": 1.0, "f": 1.0}


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("fails", "the encoder 'faulty' failed: RuntimeError: no memory"),
        ("fewer", "must give TokenVectors for each of 2 texts, and gave 1 thing"),
        ("other", "must give TokenVectors for each of 2 texts, and gave 2 things"),
    ],
)
def test_an_encoder_that_fails_is_named(fault, message):
    with pytest.raises(PlugInError, match=message):
        score(fault)


@pytest.mark.parametrize("shape", [(3, 2), (2,), (1, 2, 2)])
def test_vectors_must_be_a_matrix_with_a_row_for_each_token(shape):
    with pytest.raises(PlugInError, match=r"a row for each of 2 tokens, got an array of the shape"):
        TokenVectors(np.ones(shape, np.float32), ["a", "b"])


def test_tokens_without_places_and_pieces_are_the_default():
    encoder = Faulty()
    assert encoder.locate("ab") == [("a", ()), ("b", ())]
    assert encoder.tokens(["ab", ""]) == [["a", "b"], []]
    assert encoder.windows(["ab", ""]) == [1, 1] and encoder.files == ()


def test_the_mean_counts_rows_as_often_as_they_occur_unless_it_is_given():
    rows = np.array([[1, 0], [0, 2]], np.float32)
    assert TokenVectors(rows, ["a", "b"]).mean.tolist() == [0.5, 1.0]
    assert TokenVectors(rows, ["a", "b"], np.array([3.0, 1.0])).mean.tolist() == [0.75, 0.5]
    assert TokenVectors(rows, ["a", "b"], pooled=np.array([5.0])).mean.tolist() == [5.0]
