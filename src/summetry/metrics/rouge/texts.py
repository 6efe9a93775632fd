"""The texts of two programs: ROUGE-1.5.5's, and that of the package rouge-score.

Both make tokens of the runs of ``a-z0-9`` in lower case, and a sentence of each line that is not
empty. Everything else separates (``don't`` is ``don t``, ``café`` is ``caf``), and text in other
scripts has no tokens. They differ in case, stop words and stems (see ``porter``).
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import ClassVar

import numpy as np

from summetry.arrays.token_tables import (
    PLAIN_STEMS,
    PLAIN_WORDS,
    Pieces,
    TokenTable,
    cut_plain_words,
)
from summetry.arrays.types import Ints
from summetry.text.pipeline import PIPELINES, TextPipeline
from summetry.text.tokens import Span

_TOKEN = re.compile("[A-Za-z0-9]+")
# The package rouge-score leaves tokens of so many characters as they are.
LONGEST_UNSTEMMED = 3
# They take a few megabytes; beyond that the forms of known tokens are forgotten.
_MOST_FORMS = 100_000


class AsciiText(TextPipeline):
    """What both programs do."""

    lines_are_sentences: ClassVar[bool] = True

    def encode(self, texts: Sequence[str], languages: Sequence[str]) -> TokenTable:
        return self._cut(texts)[0]

    def encode_by_sentence(
        self, texts: Sequence[str], languages: Sequence[str]
    ) -> tuple[TokenTable, Ints]:
        return self._cut(texts, lines=True)

    def in_ascii(self, texts: Sequence[str]) -> Sequence[str]:
        # Plain letters are made lower when texts are cut.
        return [text if text.isascii() else self._as_ascii(text) for text in texts]

    def _as_ascii(self, text: str) -> str:
        """In lower case, with a mark for each letter outside ASCII: it only separates."""
        return self.lower(text).encode("ascii", "replace").decode()

    def _cut(self, texts: Sequence[str], lines: bool = False) -> tuple[TokenTable, Ints]:
        plain = texts if all(map(str.isascii, texts)) else self.in_ascii(texts)
        # Words that come again and again are stemmed once here; of one text, C stems them all.
        pieces = cut_plain_words(plain, lines)
        return self._spelt(pieces), pieces.first

    def _spelt(self, pieces: Pieces) -> TokenTable:
        if not self.has_forms:
            return pieces.as_table()
        forms = self._forms(pieces.distinct)
        kept = [form for form in forms if form is not None]
        if len(kept) == len(forms):
            return pieces.spelt(kept)
        return pieces.spelt(kept, np.array([form is not None for form in forms], np.int64))

    def read(self, text: str, language: str = "") -> list[str]:
        plain = text if text.isascii() else self._as_ascii(text)
        tokens: list[str] = _TOKEN.findall(plain.lower())
        if not self.has_forms:
            return tokens
        return [form for form in self._forms(tokens) if form is not None]

    def locate(self, text: str, language: str) -> list[tuple[str, Span]]:
        # A letter may become two in lower case, of which the first alone is plain: İ.
        letters = [self.lower(letter) for letter in text]
        places = [place for place, lower in enumerate(letters) for _ in lower]
        runs = list(_TOKEN.finditer("".join(letters)))
        forms = self._forms([run.group().lower() for run in runs])
        return [
            (form, (places[run.start()], places[run.end() - 1] + 1))
            for form, run in zip(forms, runs, strict=True)
            if form is not None
        ]

    def sentences(self, text: str, language: str) -> list[str]:
        """Every line that is not empty, blanks and all."""
        return [line for line in text.split("\n") if line]

    def lower(self, text: str) -> str:
        """A text before its letters A-Z become lower case."""
        return text

    @property
    def cut_by_kernel(self) -> int | None:
        return None if self.has_forms else PLAIN_WORDS

    @property
    @abstractmethod
    def has_forms(self) -> bool:
        """Whether some token is compared in another form, or left out."""

    @abstractmethod
    def normalise(self, tokens: list[str]) -> list[str | None]:
        """The form of each token that is compared, None for one that is left out."""

    def _forms(self, tokens: list[str]) -> list[str | None]:
        """The forms of tokens; most tokens of a batch were in the one before."""
        known = _known_forms(self)
        if len(known) > _MOST_FORMS:
            known.clear()
        new = [token for token in tokens if token not in known]
        known.update(zip(new, self.normalise(new), strict=True))
        return [known[token] for token in tokens]


@cache
def _known_forms(pipeline: AsciiText) -> dict[str, str | None]:
    return {}


@PIPELINES.register
@dataclass(frozen=True)
class Rouge155(AsciiText):
    """Tokens as the original ROUGE script makes them, with ``-m`` (stem) and ``-s`` (stop).

    The letters A-Z become lower case, and no others. Stop words go before stemming.
    """

    stem: bool = False
    stop: bool = False

    name: str = "rouge155"

    def describe(self) -> str:
        used = [step for step, is_used in (("stop", self.stop), ("stem", self.stem)) if is_used]
        return ",".join(["rouge155", *used])

    @property
    def has_forms(self) -> bool:
        return self.stem or self.stop

    def normalise(self, tokens: list[str]) -> list[str | None]:
        from summetry.metrics.rouge.porter import stem_like_rouge

        stop = rouge_stop_words() if self.stop else frozenset()
        forms = stem_like_rouge(tokens) if self.stem else tokens
        return [f if t not in stop else None for f, t in zip(forms, tokens, strict=True)]


@cache
def rouge_stop_words() -> frozenset[str]:
    """SMART's list with a few news words, as the original carries it."""
    text = Path(__file__).with_name("rouge155_data").joinpath("stopwords.txt").read_text("utf-8")
    return frozenset(line for line in text.splitlines() if line and not line.startswith("#"))


@PIPELINES.register
@dataclass(frozen=True)
class RougeScoreText(AsciiText):
    """Tokens as the package rouge-score 0.1.2 makes them.

    The whole text becomes lower case by Unicode's rules. With ``stem`` every token of more than
    three characters has NLTK's Porter stem.
    """

    stem: bool = False

    name: str = "rouge_score"

    def lower(self, text: str) -> str:
        return text.lower()

    @property
    def cut_by_kernel(self) -> int:
        return PLAIN_STEMS if self.stem else PLAIN_WORDS

    def describe(self) -> str:
        return "rouge_score,stem:nltk" if self.stem else "rouge_score"

    @property
    def has_forms(self) -> bool:
        return self.stem

    def normalise(self, tokens: list[str]) -> list[str | None]:
        from summetry.metrics.rouge.porter import stem_like_nltk

        return [
            stem_like_nltk(t) if self.stem and len(t) > LONGEST_UNSTEMMED else t for t in tokens
        ]
