"""One candidate with its references as plain lists of tokens: for one, tables take longer."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cached_property
from itertools import chain
from typing import Any

from summetry import spec
from summetry.text.pipeline import TextPipeline


class PlainTexts:
    """The texts of one comparison, the candidate before its references.

    Each is read once for each pipeline, whichever metrics ask for it. ``by_sentence`` says that
    some metric reads sentences: then a text is its sentences, as in a batch.
    """

    def __init__(
        self,
        candidate: str,
        references: Sequence[str],
        language: str = "",
        by_sentence: bool = False,
    ) -> None:
        self.strings = (candidate, *references)
        self.language = language
        self._by_sentence = by_sentence
        self._tokens: dict[str, list[list[str]]] = {}
        self._sentences: dict[str, list[list[list[str]]]] = {}
        # Whatever metrics make of the texts and share.
        self.derived: dict[Hashable, Any] = {}

    @cached_property
    def is_ascii(self) -> bool:
        return all(map(str.isascii, self.strings))

    def tokens(self, pipeline: TextPipeline) -> list[list[str]]:
        """The tokens of each text.

        >>> from summetry.text.pipeline import LanguagePipeline
        >>> PlainTexts("A cat.", ["A dog."]).tokens(LanguagePipeline())
        [['a', 'cat'], ['a', 'dog']]
        """
        key = spec.show(pipeline)
        if key not in self._tokens:
            if self._by_sentence and not pipeline.blanks_are_tokens:
                cut = self.sentences(pipeline)
                tokens = [s[0] if len(s) == 1 else list(chain.from_iterable(s)) for s in cut]
            else:
                tokens = [pipeline.read(text, self.language) for text in self.strings]
            self._tokens[key] = tokens
        return self._tokens[key]

    def sentences(self, pipeline: TextPipeline) -> list[list[list[str]]]:
        """The tokens of each text, sentence by sentence."""
        key = spec.show(pipeline)
        if key not in self._sentences:
            read, language = pipeline.read, self.language
            self._sentences[key] = [
                [read(sentence, language) for sentence in pipeline.sentences(text, language)]
                for text in self.strings
            ]
        return self._sentences[key]
