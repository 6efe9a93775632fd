"""``RougeScorer`` as users of the package rouge-score know it, with the same values.

    from summetry.compat.rouge_score import rouge_scorer   # was: from rouge_score import ...

    scorer = rouge_scorer.RougeScorer(["rouge1", "rouge2", "rougeLsum"], use_stemmer=True)
    scorer.score(target, prediction)["rouge1"].fmeasure

The types are ``rouge1`` to ``rouge9``; ``rougeL``, the subsequence of the whole text; and
``rougeLsum``, united over the lines of the text. Precision, recall and F are those of rouge-score
0.1.2 to the last bit: text without tokens has 0, the reference with the best F counts, by type.

There are two ways to the same numbers. ``score`` and ``score_multi`` count one prediction, which is
quicker than a batch of one; a tokenizer of one's own always goes this way. ``score_pairs`` counts
many pairs at once and is the fast way.

They are not the values of ROUGE-1.5.5 (``text=rouge155``), which has another stemmer and pools
references. One difference to rouge-score: ``split_summaries=True`` cuts sentences by our rules for
English and not by NLTK's, so that ``rougeLsum`` may differ where the two see other sentences.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain, islice, starmap
from operator import attrgetter
from typing import Any

from summetry.arguments import as_list, as_names, check_string, kind_of
from summetry.compat.rouge_score.scoring import BaseScorer, Score
from summetry.compat.rouge_score.tokenizers import DefaultTokenizer, Tokenizer
from summetry.errors import SummetryError, counted
from summetry.metrics.rouge.rouge_metrics import RougeL, RougeN
from summetry.metrics.rouge.single import SingleCounter, SingleCounts
from summetry.metrics.rouge.texts import RougeScoreText
from summetry.records.batches import Batch, Comparison, Material, Side
from summetry.text.sentences import split_sentences

# How many pairs are worked on at a time.
_CHUNK = 2048
_new = tuple.__new__


class RougeScorer(BaseScorer):
    """Scores of predictions against targets, by type.

    >>> RougeScorer(["rouge1"]).score("the cat sat", "the cat")
    {'rouge1': Score(precision=1.0, recall=0.6666666666666666, fmeasure=0.8)}
    """

    def __init__(
        self,
        rouge_types: Sequence[str],
        use_stemmer: bool = False,
        split_summaries: bool = False,
        tokenizer: Tokenizer | None = None,
    ) -> None:
        self.rouge_types = as_names("rouge_types", as_list("rouge_types", rouge_types))
        text = RougeScoreText(stem=use_stemmer)
        self._metrics = {name: _metric(name, text) for name in self.rouge_types}
        units = [metric.unit for metric in self._metrics.values()]
        self._reads_sentences = "rougeLsum" in self._metrics
        self._counter = SingleCounter(text, units, self._reads_sentences)
        # A tokenizer may give a text other tokens than its sentences.
        self._counters = [SingleCounter(text, [unit], unit.kind == "union") for unit in units]
        if tokenizer is not None and not callable(getattr(tokenizer, "tokenize", None)):
            raise SummetryError(f"tokenizer must have a method tokenize, got {kind_of(tokenizer)}")
        self._own = tokenizer is None
        self._tokenizer = tokenizer or DefaultTokenizer(use_stemmer)
        self._split = split_summaries
        self._count = self._counter.count if self._own and not self._split else self._count_rows

    def score(self, target: str, prediction: str) -> dict[str, Score]:
        """The values of one prediction against its target."""
        if type(target) is not str or type(prediction) is not str:
            check_string("target", target)
            check_string("prediction", prediction)
        return self._score_one((prediction, target))

    def score_multi(self, targets: Sequence[str], prediction: str) -> dict[str, Score]:
        """The values against the target with the best F, for each type by itself."""
        check_string("prediction", prediction)
        return self._score_one((prediction, *_texts("targets", as_list("targets", targets))))

    def score_pairs(
        self, targets: Sequence[str | Sequence[str]], predictions: Sequence[str]
    ) -> list[dict[str, Score]]:
        """The values of many predictions, many times as fast.

        Each has a target of its own, or a list of targets of which the best counts.
        """
        pairs = list(zip(*as_pairs(targets, predictions), strict=True))
        if not self._own:
            return [self.score_multi(texts, prediction) for texts, prediction in pairs]
        return [
            scores
            for start in range(0, len(pairs), _CHUNK)
            for scores in self._score_batch(pairs[start : start + _CHUNK])
        ]

    def _sentences(self, text: str) -> list[str]:
        if self._split:
            return [text[start:end] for start, end in split_sentences(text, "en")]
        return [line for line in text.split("\n") if line]

    def _score_one(self, texts: Sequence[str]) -> dict[str, Score]:
        """The scores of a prediction, which stands before its targets."""
        counted = self._count(texts)
        if counted is None:
            return self._score_batch([(list(texts[1:]), texts[0])])[0]
        counts, _ = counted
        if len(texts) == 2:
            return {name: _score_of(*next(counts)) for name in self._metrics}
        each = [islice(starmap(_score_of, counts), len(texts) - 1) for _ in self._metrics]
        best = (max(scores, key=attrgetter("fmeasure")) for scores in each)
        return dict(zip(self._metrics, best, strict=True))

    def _count_rows(self, texts: Sequence[str]) -> SingleCounts:
        """The counts of tokens or sentences that are not those of the kernel."""
        read, cut = self._tokenizer.tokenize, self._sentences
        whole = [[read(text)] for text in texts]
        rows = [list(map(read, cut(text))) for text in texts] if self._reads_sentences else []
        counters = zip(self._counters, self._metrics.values(), strict=True)
        each = [
            c.count_rows(rows if metric.reads_sentences else whole)[0] for c, metric in counters
        ]
        return chain.from_iterable(each), 0

    def _score_batch(self, pairs: Sequence[tuple[list[str], str]]) -> list[dict[str, Score]]:
        comparisons = [
            Comparison(
                Material("1"),
                self._side("prediction", prediction),
                tuple(self._side(str(i), text) for i, text in enumerate(targets, 1)),
            )
            for targets, prediction in pairs
        ]
        batch = Batch(comparisons, sources=False, sentences=self._reads_sentences)
        columns = [_scores(metric, batch) for metric in self._metrics.values()]
        rows = zip(*columns, strict=True) if columns else [()] * len(batch)
        return [dict(zip(self._metrics, row, strict=True)) for row in rows]

    def _side(self, name: str, text: str) -> Side:
        return Side(name, text, sentences=tuple(self._sentences(text)) if self._split else None)


def as_pairs(
    targets: Any, predictions: Any, called: str = "targets"
) -> tuple[list[list[str]], list[str]]:
    """Checked: a list of targets for each prediction. ``called`` is what messages call targets."""
    predictions, targets = as_list("predictions", predictions), as_list(called, targets)
    if len(targets) != len(predictions):
        raise SummetryError(
            f"{called} and predictions must be equally many, got {len(targets)} {called} "
            f"and {counted(len(predictions), 'prediction')}"
        )
    for place, prediction in enumerate(predictions):
        check_string(f"predictions[{place}]", prediction)
    several = [_texts(f"{called}[{place}]", texts) for place, texts in enumerate(targets)]
    return several, predictions


def _texts(name: str, found: Any) -> list[str]:
    """One text or more."""
    texts = [found] if isinstance(found, str) else as_list(name, found, "a string or a list")
    if not texts:
        raise SummetryError(f"{name} must hold one text or more, got an empty list")
    if not all(isinstance(text, str) for text in texts):
        odd = next(text for text in texts if not isinstance(text, str))
        raise SummetryError(f"{name} must hold strings, got {kind_of(odd)}")
    return texts


def _metric(name: str, text: RougeScoreText) -> RougeN | RougeL:
    if re.fullmatch("rouge[1-9]", name):
        return RougeN(n=int(name[-1]), text=text, references="best")
    if name not in ("rougeL", "rougeLsum"):
        raise SummetryError(
            f"no rouge type is named {name!r}; there are rouge1 to rouge9, rougeL and rougeLsum"
        )
    return RougeL(level="summary" if name == "rougeLsum" else "text", text=text, references="best")


def _score_of(target: int, prediction: int, shared: int) -> Score:
    precision = shared / prediction if prediction else 0.0
    recall = shared / target if target else 0.0
    f = 2 * precision * recall / (precision + recall) if shared else 0.0
    # In half of the time that Score(...) takes.
    return _new(Score, (precision, recall, f))


def _scores(metric: RougeN | RougeL, batch: Batch) -> list[Score]:
    """For each comparison the values of its best reference."""
    values = metric.score(metric.count(batch))
    columns = (values[name].tolist() for name in ("precision", "recall", "f"))
    return [Score(*row) for row in zip(*columns, strict=True)]
