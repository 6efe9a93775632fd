"""The text of ROUGE-1.5.5: ASCII tokens, its stop list, its stemmer.

Letters A-Z become lower case; tokens are the runs of ``a-z0-9``; everything else separates
(``don't`` is ``don t``, ``café`` is ``caf``). Text in other scripts has no tokens. Stop words go
before stemming. Equal to the original script with ``-m`` (stem) and ``-s`` (stop).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import ClassVar

from summetry.arrays.token_tables import TokenTable
from summetry.arrays.types import Ints
from summetry.metrics.rouge.ascii_tokens import encode_ascii, encode_ascii_lines
from summetry.metrics.rouge.porter import stem_like_rouge
from summetry.text.pipeline import PIPELINES, TextPipeline
from summetry.text.tokens import Span

_TOKEN = re.compile("[A-Za-z0-9]+")


@PIPELINES.register
@dataclass(frozen=True)
class Rouge155(TextPipeline):
    """Tokens as the original ROUGE script makes them."""

    stem: bool = False
    stop: bool = False

    name: str = "rouge155"
    lines_are_sentences: ClassVar[bool] = True

    def encode(self, texts: Sequence[str], languages: Sequence[str]) -> TokenTable:
        return encode_ascii(texts, self._forms)

    def encode_by_sentence(
        self, texts: Sequence[str], languages: Sequence[str]
    ) -> tuple[TokenTable, Ints]:
        return encode_ascii_lines(texts, self._forms)

    def locate(self, text: str, language: str) -> list[tuple[str, Span]]:
        spans = [found.span() for found in _TOKEN.finditer(text)]
        forms = self._normalise([text[a:b] for a, b in spans])
        return [(form, span) for form, span in zip(forms, spans, strict=True) if form is not None]

    def sentences(self, text: str, language: str) -> list[str]:
        """Every line that is not empty, blanks and all."""
        return [line for line in text.split("\n") if line]

    def describe(self) -> str:
        used = [step for step, is_used in (("stop", self.stop), ("stem", self.stem)) if is_used]
        return ",".join(["rouge155", *used])

    def _forms(self, tokens: list[str]) -> list[str | None]:
        """The forms of lower-case tokens; most tokens of a batch were in the one before."""
        known = _known_forms(self)
        if len(known) > _MOST_FORMS:
            known.clear()
        new = [token for token in tokens if token not in known]
        known.update(zip(new, self._normalise(new), strict=True))
        return [known[token] for token in tokens]

    def _normalise(self, tokens: list[str]) -> list[str | None]:
        lower = [token.lower() for token in tokens]
        stop = rouge_stop_words() if self.stop else frozenset()
        forms = stem_like_rouge(lower) if self.stem else lower
        return [f if w not in stop else None for f, w in zip(forms, lower, strict=True)]


# They take a few megabytes; beyond that the forms of known tokens are forgotten.
_MOST_FORMS = 100_000


@cache
def _known_forms(pipeline: Rouge155) -> dict[str, str | None]:
    return {}


@cache
def rouge_stop_words() -> frozenset[str]:
    """SMART's list with a few news words, as the original carries it."""
    text = (files("summetry.metrics.rouge") / "rouge155_data" / "stopwords.txt").read_text("utf-8")
    return frozenset(line for line in text.splitlines() if line and not line.startswith("#"))
