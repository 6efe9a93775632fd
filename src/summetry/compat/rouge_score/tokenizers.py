"""Tokenizers for ``RougeScorer``, as ``rouge_score.tokenizers`` has them."""

from __future__ import annotations

import abc
from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from summetry.metrics.rouge.texts import RougeScoreText


@runtime_checkable
class Tokenizer(Protocol):
    """What a tokenizer of one's own must offer; it may be a subclass and need not be."""

    @abc.abstractmethod
    def tokenize(self, text: str) -> Sequence[str]: ...


class DefaultTokenizer(Tokenizer):
    """Runs of ``a-z0-9`` in lower case; with ``use_stemmer`` the long ones are stemmed.

    >>> DefaultTokenizer(use_stemmer=True).tokenize("She's measuring summaries.")
    ['she', 's', 'measur', 'summari']
    """

    def __init__(self, use_stemmer: bool = False) -> None:
        self._text = RougeScoreText(stem=use_stemmer)

    def tokenize(self, text: str) -> list[str]:
        return self._text.read(text)
