"""The function ``tokenize`` of ``rouge_score.tokenize``, which takes any stemmer."""

from __future__ import annotations

import re
from typing import Protocol

from summetry.metrics.rouge.texts import LONGEST_UNSTEMMED, RougeScoreText

_VALID = re.compile("[a-z0-9]+")


class Stemmer(Protocol):
    """Such as a stemmer of NLTK."""

    def stem(self, token: str) -> str: ...


def tokenize(text: str, stemmer: Stemmer | None) -> list[str]:
    """The tokens of a text; ``stemmer`` shortens those of more than three characters.

    >>> tokenize("It cost $3.5 million.", None)
    ['it', 'cost', '3', '5', 'million']
    """
    tokens = RougeScoreText().read(text)
    if not stemmer:
        return tokens
    stems = (stemmer.stem(token) if len(token) > LONGEST_UNSTEMMED else token for token in tokens)
    return [stem for stem in stems if _VALID.fullmatch(stem)]
