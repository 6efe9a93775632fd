"""The text of the package rouge-score: ASCII tokens in lower case, NLTK's Porter stems.

The whole text becomes lower case by Unicode's rules, then tokens are the runs of ``a-z0-9``.
With ``stem`` every token of more than three characters is stemmed (see ``porter``). Each line
that is not empty is a sentence. Equal to rouge-score 0.1.2.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from summetry.arrays.token_tables import TokenTable
from summetry.arrays.types import Ints
from summetry.metrics.rouge.ascii_tokens import encode_ascii, encode_ascii_lines
from summetry.metrics.rouge.porter import stem_like_nltk
from summetry.text.pipeline import PIPELINES, TextPipeline
from summetry.text.tokens import Span

_TOKEN = re.compile("[a-z0-9]+")
LONGEST_UNSTEMMED = 3
# They take a few megabytes; beyond that the stems of known tokens are forgotten.
_MOST_STEMS = 100_000


@PIPELINES.register
@dataclass(frozen=True)
class RougeScoreText(TextPipeline):
    """Tokens as the package rouge-score makes them."""

    stem: bool = False

    name: str = "rouge_score"
    lines_are_sentences: ClassVar[bool] = True

    def encode(self, texts: Sequence[str], languages: Sequence[str]) -> TokenTable:
        return encode_ascii([text.lower() for text in texts], self._forms)

    def encode_by_sentence(
        self, texts: Sequence[str], languages: Sequence[str]
    ) -> tuple[TokenTable, Ints]:
        return encode_ascii_lines([text.lower() for text in texts], self._forms)

    def tokens(self, text: str) -> list[str]:
        """The tokens of one text, for callers that have no more than one."""
        tokens = _TOKEN.findall(text.lower())
        if not self.stem:
            return tokens
        known = _known_stems()
        return [known.get(token) or self._form(token) for token in tokens]

    def locate(self, text: str, language: str) -> list[tuple[str, Span]]:
        # A letter may become two in lower case, of which the first alone is plain: İ.
        lower = [letter.lower() for letter in text]
        places = [place for place, letters in enumerate(lower) for _ in letters]
        found = [(m.group(), m.span()) for m in _TOKEN.finditer("".join(lower))]
        return [
            (self._form(token), (places[start], places[end - 1] + 1))
            for token, (start, end) in found
        ]

    def sentences(self, text: str, language: str) -> list[str]:
        """Every line that is not empty."""
        return [line for line in text.split("\n") if line]

    def describe(self) -> str:
        return "rouge_score,stem:nltk" if self.stem else "rouge_score"

    def _forms(self, tokens: list[str]) -> list[str | None]:
        return [self._form(token) for token in tokens]

    def _form(self, token: str) -> str:
        if not self.stem or len(token) <= LONGEST_UNSTEMMED:
            return token
        known = _known_stems()
        if token not in known:
            if len(known) >= _MOST_STEMS:
                known.clear()
            known[token] = stem_like_nltk(token)
        return known[token]


@cache
def _known_stems() -> dict[str, str]:
    return {}
