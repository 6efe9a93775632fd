"""The function that lm-evaluation-harness calls; test_integrations.py runs it in the harness."""

import pytest

from summetry.errors import SummetryError
from summetry.integrations.lm_eval import score


def test_the_function_gives_the_mean_of_several_predictions():
    several = score(["a b c", "a b"], ["a b c", "c d"], metrics=["rouge1", "rouge2.precision"])
    assert several == {"rouge1": 0.5, "rouge2.precision": 0.5}


def test_predictions_without_their_references_are_refused():
    with pytest.raises(SummetryError, match="got 1 for 2 candidates"):
        score(["a"], ["a", "b"])
