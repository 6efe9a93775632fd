"""``RougeScorer`` as users of the package rouge-score know it, with the same values.

    from summetry.compat.rouge_score import RougeScorer   # was: from rouge_score.rouge_scorer ...

    scorer = RougeScorer(["rouge1", "rouge2", "rougeLsum"], use_stemmer=True)
    scorer.score(target, prediction)["rouge1"].fmeasure

The types are ``rouge1`` to ``rouge9``; ``rougeL``, the subsequence of the whole text; and
``rougeLsum``, united over the lines of the text. Precision, recall and F are those of rouge-score
0.1.2 to the last bit: text without tokens has 0, the reference with the best F counts, by type.
``score_pairs`` scores many pairs at once and is the fast way.

They are not the values of ROUGE-1.5.5 (``text=rouge155``), which has another stemmer and pools
references. One difference to rouge-score: ``split_summaries=True`` cuts sentences by our rules for
English and not by NLTK's, so that ``rougeLsum`` may differ where the two see other sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import InitVar, dataclass
from typing import NamedTuple, Protocol

import numpy as np

from summetry.arrays.token_tables import TokenTable
from summetry.errors import SummetryError
from summetry.metrics.rouge.base import Rouge
from summetry.metrics.rouge.rouge_metrics import RougeL, RougeN
from summetry.metrics.rouge.texts import RougeScoreText
from summetry.records.batches import Batch, Comparison, Material, Side
from summetry.text.pipeline import TextPipeline
from summetry.text.sentences import split_sentences
from summetry.text.tokens import Span

# How many pairs are worked on at a time.
_CHUNK = 2048


class Score(NamedTuple):
    """One value of each kind, in the order of rouge-score."""

    precision: float
    recall: float
    fmeasure: float


class Tokenizer(Protocol):
    """What a tokenizer of one's own must offer."""

    def tokenize(self, text: str) -> Sequence[str]: ...


class RougeScorer:
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
        if isinstance(rouge_types, str):
            raise SummetryError(f"rouge_types must be a list, got a string: [{rouge_types!r}]")
        self._own = tokenizer is None
        self._split = split_summaries
        text = RougeScoreText(stem=use_stemmer) if tokenizer is None else _Given(tokenizer)
        self._metrics = {name: _metric(name, text) for name in rouge_types}

    def score(self, target: str, prediction: str) -> dict[str, Score]:
        """The values of one prediction against its target."""
        return self.score_multi([target], prediction)

    def score_multi(self, targets: Sequence[str], prediction: str) -> dict[str, Score]:
        """The values against the target with the best F, for each type by itself."""
        return self._score([self._comparison(targets, prediction)])[0]

    def score_pairs(
        self, targets: Sequence[str], predictions: Sequence[str]
    ) -> list[dict[str, Score]]:
        """The values of many predictions, each against its own target, many times as fast."""
        if len(targets) != len(predictions):
            raise SummetryError(
                f"every prediction needs a target, got {len(targets)} targets "
                f"for {len(predictions)} predictions"
            )
        found: list[dict[str, Score]] = []
        for start in range(0, len(targets), _CHUNK):
            part = slice(start, start + _CHUNK)
            pairs = zip(targets[part], predictions[part], strict=True)
            found += self._score([self._comparison([target], text) for target, text in pairs])
        return found

    def _comparison(self, targets: Sequence[str], prediction: str) -> Comparison:
        if isinstance(targets, str) or not targets:
            found = "a string" if targets else "no target"
            raise SummetryError(f"targets must be a list of one text or more, got {found}")
        sides = tuple(self._side(str(i), text) for i, text in enumerate(targets, 1))
        return Comparison(Material("1"), self._side("prediction", prediction), sides)

    def _side(self, name: str, text: str) -> Side:
        if not isinstance(text, str):
            raise SummetryError(f"a text must be a string, got {type(text).__name__}: {name}")
        if not self._split:
            return Side(name, text)
        sentences = tuple(text[start:end] for start, end in split_sentences(text, "en"))
        return Side(name, text, sentences=sentences)

    def _score(self, comparisons: Sequence[Comparison]) -> list[dict[str, Score]]:
        # A tokenizer of somebody else's may cut a text otherwise than its sentences.
        lines = self._own and any(metric.reads_sentences for metric in self._metrics.values())
        batch = Batch(comparisons, sources=False, sentences=lines)
        columns = [_scores(metric, batch) for metric in self._metrics.values()]
        return [dict(zip(self._metrics, row, strict=True)) for row in _rows(columns, len(batch))]


def _metric(name: str, text: TextPipeline) -> Rouge:
    if re.fullmatch("rouge[1-9]", name):
        return RougeN(n=int(name[-1]), text=text)
    if name not in ("rougeL", "rougeLsum"):
        raise SummetryError(
            f"no rouge type is named {name!r}; there are rouge1 to rouge9, rougeL and rougeLsum"
        )
    return RougeL(level="summary" if name == "rougeLsum" else "text", text=text)


def _scores(metric: Rouge, batch: Batch) -> list[Score]:
    """For each comparison the values of its best reference, of equals the first."""
    reference, candidate, hits = metric.count_pairs(batch)
    # As rouge-score does: no units make 0, and F comes from precision and recall.
    precision, recall = hits / np.maximum(candidate, 1), hits / np.maximum(reference, 1)
    total = precision + recall
    f = np.divide(2 * precision * recall, total, out=np.zeros(len(total)), where=total > 0)
    order = np.lexsort((-f, batch.owners))
    chosen = order[np.searchsorted(batch.owners[order], np.arange(len(batch)))]
    values = zip(*(v[chosen].tolist() for v in (precision, recall, f)), strict=True)
    return [Score(*row) for row in values]


def _rows(columns: Sequence[Iterable[Score]], count: int) -> Iterable[tuple[Score, ...]]:
    return zip(*columns, strict=True) if columns else [()] * count


@dataclass(eq=False)
class _Given(TextPipeline):
    """Tokens of a tokenizer that the caller brings along; a line is a sentence."""

    tokenizer: InitVar[Tokenizer]
    name: str = "given"

    def __post_init__(self, tokenizer: Tokenizer) -> None:
        self._tokenize = tokenizer.tokenize

    def encode(self, texts: Sequence[str], languages: Sequence[str]) -> TokenTable:
        tokens = [list(self._tokenize(text)) for text in texts]
        words = sorted({token for text in tokens for token in text})
        number = {word: i for i, word in enumerate(words)}
        offsets = np.cumsum([0, *map(len, tokens)], dtype=np.int64)
        ids = np.array([number[token] for text in tokens for token in text], dtype=np.int64)
        return TokenTable(ids, offsets, tuple(words))

    def locate(self, text: str, language: str) -> list[tuple[str, Span]]:
        raise SummetryError("a tokenizer of one's own does not say where its tokens stand")

    def sentences(self, text: str, language: str) -> list[str]:
        return [line for line in text.split("\n") if line]

    def describe(self) -> str:
        return self.name
