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
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from summetry.arguments import as_list, as_names, check_string, kind_of
from summetry.compat.rouge_score.scoring import BaseScorer, Score
from summetry.compat.rouge_score.tokenizers import DefaultTokenizer, Tokenizer
from summetry.errors import SummetryError, counted
from summetry.metrics.rouge.rouge_metrics import RougeL, RougeN
from summetry.metrics.rouge.texts import RougeScoreText
from summetry.records.batches import Batch, Comparison, Material, Side
from summetry.records.plain_texts import NumberedTexts, PlainTexts
from summetry.text.pipeline import TextPipeline
from summetry.text.sentences import split_sentences

# How many pairs are worked on at a time.
_CHUNK = 2048
# From a text to its tokens.
Read: TypeAlias = Callable[[str], Sequence[Any]]


class TokenizedTexts(PlainTexts):
    """A prediction and its targets, cut into sentences and tokens as a scorer does it."""

    def __init__(
        self, prediction: str, targets: Sequence[str], read: Read, cut: Callable[[str], list[str]]
    ) -> None:
        super().__init__(prediction, targets)
        self._tokenize, self._sentences = read, cut

    def _number(self, pipeline: TextPipeline, by_sentence: bool) -> NumberedTexts:
        rows = [self._sentences(text) if by_sentence else [text] for text in self.strings]
        return NumberedTexts.of([list(map(self._tokenize, text)) for text in rows])


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
        if tokenizer is not None and not callable(getattr(tokenizer, "tokenize", None)):
            raise SummetryError(f"tokenizer must have a method tokenize, got {kind_of(tokenizer)}")
        self._own = tokenizer is None
        self._tokenizer = tokenizer or DefaultTokenizer(use_stemmer)
        self._split = split_summaries
        self._reads_sentences = "rougeLsum" in self._metrics

    def score(self, target: str, prediction: str) -> dict[str, Score]:
        """The values of one prediction against its target."""
        check_string("target", target)
        check_string("prediction", prediction)
        return self._score_one([target], prediction)

    def score_multi(self, targets: Sequence[str], prediction: str) -> dict[str, Score]:
        """The values against the target with the best F, for each type by itself."""
        check_string("prediction", prediction)
        return self._score_one(_texts("targets", as_list("targets", targets)), prediction)

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

    def _score_one(self, targets: Sequence[str], prediction: str) -> dict[str, Score]:
        if self._own and not self._split:
            texts = PlainTexts(prediction, targets, by_sentence=self._reads_sentences)
        else:
            texts = TokenizedTexts(prediction, targets, self._tokenizer.tokenize, self._sentences)
        return {name: _score_one(metric, texts) for name, metric in self._metrics.items()}

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


def _score_one(metric: RougeN | RougeL, texts: PlainTexts) -> Score:
    values = metric.values_over(metric.count_one(texts))
    return Score(values["precision"], values["recall"], values["f"])


def _scores(metric: RougeN | RougeL, batch: Batch) -> list[Score]:
    """For each comparison the values of its best reference."""
    values = metric.score(metric.count(batch))
    columns = (values[name].tolist() for name in ("precision", "recall", "f"))
    return [Score(*row) for row in zip(*columns, strict=True)]
