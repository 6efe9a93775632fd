"""``RougeScorer`` as users of the package rouge-score know it, with the same values.

    from summetry.compat.rouge_score import rouge_scorer   # was: from rouge_score import ...

    scorer = rouge_scorer.RougeScorer(["rouge1", "rouge2", "rougeLsum"], use_stemmer=True)
    scorer.score(target, prediction)["rouge1"].fmeasure

The types are ``rouge1`` to ``rouge9``; ``rougeL``, the subsequence of the whole text; and
``rougeLsum``, united over the lines of the text. Precision, recall and F are those of rouge-score
0.1.2 to the last bit: text without tokens has 0, the reference with the best F counts, by type.

There are two ways to the same numbers. ``score`` and ``score_multi`` count one pair in plain
Python, which for one pair is quicker than arrays; a tokenizer of one's own always goes this way.
``score_pairs`` counts many pairs at once and is the fast way.

They are not the values of ROUGE-1.5.5 (``text=rouge155``), which has another stemmer and pools
references. One difference to rouge-score: ``split_summaries=True`` cuts sentences by our rules for
English and not by NLTK's, so that ``rougeLsum`` may differ where the two see other sentences.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, NamedTuple

from summetry.arguments import as_list, as_names, check_string, kind_of
from summetry.arrays.sequences import lcs_length
from summetry.compat.rouge_score.scoring import BaseScorer, Score, fmeasure
from summetry.compat.rouge_score.tokenizers import DefaultTokenizer, Tokenizer
from summetry.errors import SummetryError, counted
from summetry.metrics.rouge.base import Rouge
from summetry.metrics.rouge.plain import mark_pair
from summetry.metrics.rouge.rouge_metrics import RougeL, RougeN
from summetry.metrics.rouge.texts import RougeScoreText
from summetry.records.batches import Batch, Comparison, Material, Side
from summetry.text.sentences import split_sentences

# How many pairs are worked on at a time.
_CHUNK = 2048


class Tokenized(NamedTuple):
    """The tokens of a text, and the tokens of each of its sentences where a type needs them."""

    tokens: Sequence[Hashable]
    sentences: list[Sequence[Hashable]]


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
        return self._score_one(self._read(target), self._read(prediction))

    def score_multi(self, targets: Sequence[str], prediction: str) -> dict[str, Score]:
        """The values against the target with the best F, for each type by itself."""
        check_string("prediction", prediction)
        texts = _texts("targets", as_list("targets", targets))
        candidate = self._read(prediction)
        scores = [self._score_one(self._read(text), candidate) for text in texts]
        return {name: max((s[name] for s in scores), key=_f) for name in self._metrics}

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

    def _read(self, text: str) -> Tokenized:
        tokenize = self._tokenizer.tokenize
        tokens = list(tokenize(text))
        if not self._reads_sentences:
            return Tokenized(tokens, [])
        sentences = self._sentences(text)
        if sentences == [text]:
            return Tokenized(tokens, [tokens])
        return Tokenized(tokens, [list(tokenize(sentence)) for sentence in sentences])

    def _score_one(self, target: Tokenized, prediction: Tokenized) -> dict[str, Score]:
        return {name: _count_one(name, target, prediction) for name in self._metrics}

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
        return [dict(zip(self._metrics, row, strict=True)) for row in _rows(columns, len(batch))]

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


def _f(score: Score) -> float:
    return score.fmeasure


def _metric(name: str, text: RougeScoreText) -> Rouge:
    if re.fullmatch("rouge[1-9]", name):
        return RougeN(n=int(name[-1]), text=text, references="best")
    if name not in ("rougeL", "rougeLsum"):
        raise SummetryError(
            f"no rouge type is named {name!r}; there are rouge1 to rouge9, rougeL and rougeLsum"
        )
    return RougeL(level="summary" if name == "rougeLsum" else "text", text=text, references="best")


def _count_one(name: str, target: Tokenized, prediction: Tokenized) -> Score:
    """The score of one pair."""
    if name == "rougeLsum":
        sizes = [sum(map(len, side.sentences)) for side in (target, prediction)]
        return _score_of(_marked(target.sentences, prediction.sentences), *sizes)
    mine, theirs = target.tokens, prediction.tokens
    if name == "rougeL":
        return _score_of(lcs_length(mine, theirs), len(mine), len(theirs))
    n = int(name[-1])
    grams = [Counter(zip(*(side[i:] for i in range(n)), strict=False)) for side in (mine, theirs)]
    return _score_of(_shared(*grams), len(mine) - n + 1, len(theirs) - n + 1)


def _score_of(hits: int, target: int, prediction: int) -> Score:
    precision, recall = hits / max(prediction, 1), hits / max(target, 1)
    return Score(precision, recall, fmeasure(precision, recall))


def _shared(mine: Counter[Any], theirs: Counter[Any]) -> int:
    return sum(min(mine[unit], theirs[unit]) for unit in mine.keys() & theirs.keys())


def _marked(target: Iterable[Sequence[Hashable]], prediction: list[Sequence[Hashable]]) -> int:
    """Tokens of the target in the union of subsequences, each as often as the prediction has it."""
    marked: Counter[Hashable] = Counter()
    for sentence in target:
        marks = zip(*(mark_pair(sentence, other) for other in prediction), strict=True)
        # Without sentences in the prediction there are no marks.
        marked.update(token for token, mark in zip(sentence, marks, strict=False) if any(mark))
    return _shared(marked, Counter(token for sentence in prediction for token in sentence))


def _scores(metric: Rouge, batch: Batch) -> list[Score]:
    """For each comparison the values of its best reference."""
    values = metric.score(metric.count(batch))
    columns = (values[name].tolist() for name in ("precision", "recall", "f"))
    return [Score(*row) for row in zip(*columns, strict=True)]


def _rows(columns: Sequence[Iterable[Score]], count: int) -> Iterable[tuple[Score, ...]]:
    return zip(*columns, strict=True) if columns else [()] * count
