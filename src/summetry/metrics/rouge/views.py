"""The texts of ROUGE: tokens of each text, tokens of its sentences, and length limits.

The original applies a limit to candidates and references alike, before it cuts tokens, and its
limit in bytes hardly touches the sentences of L and W. ``rouge155`` keeps all that; otherwise a
limit holds for the candidate alone, in running words or in UTF-8 bytes, in both views.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from summetry import spec
from summetry.arrays.token_tables import TokenTable
from summetry.arrays.types import Ints
from summetry.metrics.rouge.texts import Rouge155
from summetry.records.batches import Batch, SentenceTable
from summetry.records.lengths import Length
from summetry.text.pipeline import TextPipeline


class RougeTexts(NamedTuple):
    """Every candidate of a batch with each of its references, as rows of tables.

    The tables share one vocabulary, and are made once for each batch, pipeline and limit, which is
    the most words or bytes of a text that count.
    """

    batch: Batch
    pipeline: TextPipeline
    limit: Length | None

    @property
    def table(self) -> TokenTable:
        """Tokens by text; sentences are only looked at where there is a limit."""
        return self._limited()[0] if self.limit else self.batch.tokens(self.pipeline)

    @property
    def sentences(self) -> SentenceTable:
        """Tokens by sentence; with the original's limit in bytes they are more than the text's."""
        return self._limited()[1] if self.limit else self.batch.sentences(self.pipeline)

    @property
    def whole(self) -> TokenTable:
        """Tokens by text beside :attr:`sentences`: what L and W count of a word."""
        return self.table if self.limit else self.sentences.whole

    @property
    def rows(self) -> tuple[Ints, Ints]:
        """The rows of candidates and references, one pair per reference."""
        left, right = self.batch.candidates[self.batch.owners], self.batch.references
        if self.limit and not isinstance(self.pipeline, Rouge155):
            left = left + len(self.batch.strings)
        return left, right

    def _limited(self) -> tuple[TokenTable, SentenceTable]:
        key = ("rouge limited", spec.show(self.pipeline), self.limit)
        return self.batch.derived(key, self._apply_limit)

    def _apply_limit(self) -> tuple[TokenTable, SentenceTable]:
        assert self.limit is not None
        # One table for both halves, so that they share their vocabulary.
        texts = self.batch.sentences_of_texts(self.pipeline)
        cut = [apply_limit(text, self.limit, self.pipeline) for text in texts]
        views = [view for _, view in cut]
        if isinstance(self.pipeline, Rouge155):
            texts = [text for text, _ in cut]
        languages = [*self.batch.languages, *self.batch.languages]
        both = SentenceTable(*self.pipeline.encode_sentences([*texts, *views], languages))
        if not isinstance(self.pipeline, Rouge155):
            return both.whole, both
        return both.only(0, len(texts)).whole, both.only(len(texts), 2 * len(texts))


def apply_limit(
    sentences: Sequence[str], limit: Length, pipeline: TextPipeline
) -> tuple[list[str], list[str]]:
    """What is left of a text for N and S, and what for the sentences of L and W."""
    if isinstance(pipeline, Rouge155):
        text = limit_like_rouge155(sentences, limit)
        return text, limit_like_rouge155(sentences, limit, by_sentence=True)
    kept = limit_plainly(sentences, limit)
    return kept, kept


def limit_plainly(sentences: Sequence[str], limit: Length) -> list[str]:
    """The sentences up to a number of words between blanks, or of UTF-8 bytes.

    >>> limit_plainly(["One two three.", "Four five."], Length("words", 4))
    ['One two three.', 'Four']
    """
    kept: list[str] = []
    left = int(limit.amount)
    for sentence in sentences:
        if not left:
            break
        if limit.kind == "words":
            words = sentence.split()[:left]
            kept.append(" ".join(words))
            left -= len(words)
        else:
            content = sentence.encode("utf-8", "surrogatepass")[:left]
            kept.append(content.decode("utf-8", "ignore"))
            left -= len(content)
    return kept


def limit_like_rouge155(
    sentences: Sequence[str], limit: Length, by_sentence: bool = False
) -> list[str]:
    """The text of the original with ``-l`` or ``-b``, or its sentences.

    For sentences the script forgets to add up their bytes, so that each line stands alone.
    """
    kept: list[str] = []
    most, used = int(limit.amount), 0
    for sentence in sentences:
        if limit.kind == "words":
            words = _fields(sentence)
            kept.append(" ".join(words[: most - used]))
            used += len(words)
        else:
            content = sentence.encode("utf-8", "replace")
            # A letter that is cut in two is no letter of a token in any case.
            kept.append(content[: most - used].decode("utf-8", "replace"))
            used += len(content)
        if used >= most:
            break
        if by_sentence and limit.kind == "bytes":
            used = 0
    return kept


def _fields(line: str) -> list[str]:
    """As Perl splits on white space: a leading blank gives an empty field, which counts."""
    text = line.rstrip(" \t\n\r\f\v")
    return re.split(r"[ \t\n\r\f\v]+", text) if text else []
