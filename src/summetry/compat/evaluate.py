"""``evaluate.load("rouge")`` of Hugging Face, without a download and with the same values.

    from summetry.compat import evaluate    # was: import evaluate

    evaluate.load("rouge").compute(predictions=predictions, references=references)

As there, ``use_aggregator`` gives for each type the middle of the resampled means of F and not
their mean; with ``use_aggregator=False`` each type has a list with the F of every prediction.
Equal to the metric of evaluate 0.4.6 to the last bit, with the aggregator if both have the same
``seed``: ``evaluate.load("rouge", seed=0)`` there, whose results differ from run to run without it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np

from summetry.arguments import check_function, check_whole
from summetry.compat.rouge_score.rouge_scorer import RougeScorer, as_pairs
from summetry.compat.rouge_score.scoring import DEFAULT_SEED, bootstrap
from summetry.errors import SummetryError

ROUGE_TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")
# What says where a metric is stored decides no number, so it is taken and not used.
_STORING = {"module_type", "config_name", "cache_dir", "experiment_id", "keep_in_memory"} | {
    "download_config",
    "download_mode",
    "revision",
}


def load(path: str, *, seed: int = DEFAULT_SEED, **storing: Any) -> Rouge:
    """The metric of this name: there is ``rouge``. ``seed`` is for the aggregator."""
    if path != "rouge":
        raise SummetryError(
            f"summetry.compat.evaluate has no metric but 'rouge', got {path!r}; the metrics that "
            "`summetry metrics` lists are for summetry.score(candidates, references, metrics=[...])"
        )
    for name in sorted(storing.keys() - _STORING):
        raise SummetryError(f"load takes the option seed, got {name}")
    return Rouge(seed)


class Rouge:
    """F of ROUGE over predictions that come at once, in batches or one by one.

    >>> Rouge().compute(predictions=["the cat"], references=["the cat sat"], use_aggregator=False)
    {'rouge1': [0.8], 'rouge2': [0.6666666666666666], 'rougeL': [0.8], 'rougeLsum': [0.8]}
    """

    name: ClassVar[str] = "rouge"

    def __init__(self, seed: int = DEFAULT_SEED) -> None:
        check_whole("seed", seed, 0)
        self.seed = seed
        self._references: list[list[str]] = []
        self._predictions: list[str] = []

    def add(self, *, prediction: str, reference: str | Sequence[str]) -> None:
        """Keep one prediction, with its reference or a list of them, for ``compute``."""
        self.add_batch(predictions=[prediction], references=[reference])

    def add_batch(
        self, *, predictions: Sequence[str], references: Sequence[str | Sequence[str]]
    ) -> None:
        """Keep predictions and their references for ``compute``."""
        several, texts = as_pairs(references, predictions, "references")
        self._references += several
        self._predictions += texts

    def compute(
        self,
        *,
        predictions: Sequence[str] | None = None,
        references: Sequence[str | Sequence[str]] | None = None,
        rouge_types: Sequence[str] | None = None,
        use_aggregator: bool = True,
        use_stemmer: bool = False,
        tokenizer: Callable[[str], Sequence[str]] | None = None,
    ) -> dict[str, Any]:
        """F of each type: one number, or a list without the aggregator; then all are forgotten.

        Of several references of a prediction the best counts. ``tokenizer`` is a function.
        """
        check_function("tokenizer", tokenizer)
        # A function, where rouge-score expects an object with the method ``tokenize``.
        own: Any = None if tokenizer is None else SimpleNamespace(tokenize=tokenizer)
        types = ROUGE_TYPES if rouge_types is None else rouge_types
        scorer = RougeScorer(types, use_stemmer=use_stemmer, tokenizer=own)
        if predictions is not None or references is not None:
            self.add_batch(predictions=predictions, references=references)  # type: ignore[arg-type]
        if not self._predictions:
            raise SummetryError("there is nothing to score: give predictions and references")
        scores = scorer.score_pairs(self._references, self._predictions)
        self._references, self._predictions = [], []
        values = {name: [score[name].fmeasure for score in scores] for name in scorer.rouge_types}
        if not use_aggregator:
            return values
        columns = {name: np.array(column)[:, np.newaxis] for name, column in values.items()}
        return {name: mid[0] for name, (_, mid, _) in bootstrap(columns, seed=self.seed).items()}
