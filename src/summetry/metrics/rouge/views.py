"""The texts of ROUGE: tokens of each text, tokens of its sentences, and length limits.

The original applies a limit to candidates and references alike, before it cuts tokens, and its
limit in bytes hardly touches the sentences of L and W. ``rouge155`` keeps all that; otherwise a
limit holds for the candidate alone, in running words or in UTF-8 bytes, in both views.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from summetry import spec
from summetry.arrays.ngrams import ngram_bags
from summetry.arrays.token_tables import Bags, TokenTable
from summetry.arrays.types import Ints
from summetry.arrays.vectors import Shared, shared_tokens
from summetry.metrics.rouge.rouge155_text import Rouge155
from summetry.records.batches import Batch, SentenceTable
from summetry.text.pipeline import TextPipeline


@dataclass(frozen=True)
class Limit:
    """The most words or bytes of a text that count; None is no limit."""

    words: int | None = None
    bytes: int | None = None

    def __bool__(self) -> bool:
        return self.words is not None or self.bytes is not None


@dataclass(frozen=True)
class RougeView:
    """Every candidate with each of its references, as rows of tables over one vocabulary.

    ``text`` holds the tokens by text, ``sentences`` those by sentence. With the original's limit
    in bytes the sentences hold more than the text. ``limited`` says that there is a limit.
    """

    text: TokenTable
    sentences: SentenceTable
    left: Ints
    right: Ints
    limited: bool


def text_table(batch: Batch, pipeline: TextPipeline, limit: Limit) -> TokenTable:
    """Tokens by text; sentences are only looked at where there is a limit."""
    return rouge_view(batch, pipeline, limit).text if limit else batch.tokens(pipeline)


def text_bags(batch: Batch, pipeline: TextPipeline, limit: Limit, n: int) -> tuple[Bags, Ints]:
    """The n-grams of each text of :func:`text_table`, and how many each has."""
    return batch.derived(
        ("rouge n-grams", spec.show(pipeline), limit, n),
        lambda: ngram_bags(text_table(batch, pipeline, limit), n),
    )


def text_rows(batch: Batch, pipeline: TextPipeline, limit: Limit) -> tuple[Ints, Ints]:
    """The rows of candidates and references in :func:`text_table`, one pair per reference."""
    if not limit:
        return batch.candidates[batch.owners], batch.references
    view = rouge_view(batch, pipeline, limit)
    return view.left, view.right


def text_shared(batch: Batch, pipeline: TextPipeline, limit: Limit, n: int) -> Shared:
    """The n-grams that each pair of :func:`text_rows` shares; L looks at the same words as N."""
    return batch.derived(
        ("rouge shared n-grams", spec.show(pipeline), limit, n),
        lambda: shared_tokens(
            text_bags(batch, pipeline, limit, n)[0], *text_rows(batch, pipeline, limit)
        ),
    )


def sentence_shared(batch: Batch, pipeline: TextPipeline, limit: Limit) -> Shared:
    """The words that the sentences of each pair of :func:`rouge_view` share."""
    view = rouge_view(batch, pipeline, limit)
    if view.sentences.whole is text_table(batch, pipeline, limit):
        return text_shared(batch, pipeline, limit, 1)
    return shared_tokens(view.sentences.whole.bags, view.left, view.right)


def rouge_view(batch: Batch, pipeline: TextPipeline, limit: Limit) -> RougeView:
    return batch.derived(
        ("rouge view", spec.show(pipeline), limit), lambda: _build(batch, pipeline, limit)
    )


def _build(batch: Batch, pipeline: TextPipeline, limit: Limit) -> RougeView:
    left, right = batch.candidates[batch.owners], batch.references
    if not limit:
        sentences = batch.sentences(pipeline)
        return RougeView(sentences.whole, sentences, left, right, False)
    whole = batch.sentences_of_texts(pipeline)
    count = len(whole)
    languages = batch.languages
    if isinstance(pipeline, Rouge155):
        texts = [limit_like_rouge155(text, limit) for text in whole]
        views = [limit_sentences_like_rouge155(text, limit) for text in whole]
        # One table for both views, so that they share their vocabulary.
        both = SentenceTable(*pipeline.encode_sentences([*texts, *views], [*languages, *languages]))
        text = both.only(0, count).whole
        return RougeView(text, both.only(count, 2 * count), left, right, True)
    cut = [limit_plainly(text, limit) for text in whole]
    both = SentenceTable(*pipeline.encode_sentences([*whole, *cut], [*languages, *languages]))
    return RougeView(both.whole, both, left + count, right, True)


def limit_plainly(sentences: Sequence[str], limit: Limit) -> list[str]:
    """The sentences up to a number of words between blanks, or of UTF-8 bytes.

    >>> limit_plainly(["One two three.", "Four five."], Limit(words=4))
    ['One two three.', 'Four']
    """
    kept: list[str] = []
    left = limit.words if limit.words is not None else limit.bytes
    for sentence in sentences:
        if not left:
            break
        if limit.words is not None:
            parts = sentence.split()[:left]
            kept.append(" ".join(parts))
            left -= len(parts)
        else:
            part = sentence.encode("utf-8", "surrogatepass")[:left]
            kept.append(part.decode("utf-8", "ignore"))
            left -= len(part)
    return kept


def limit_like_rouge155(sentences: Sequence[str], limit: Limit) -> list[str]:
    """The text view of the original with ``-l`` or ``-b``."""
    kept: list[str] = []
    used = 0
    for sentence in sentences:
        parts = (
            _fields(sentence) if limit.words is not None else sentence.encode("utf-8", "replace")
        )
        most = limit.words if limit.words is not None else limit.bytes
        assert most is not None
        kept.append(_joined(parts[: most - used]))
        used += len(parts)
        if used >= most:
            break
    return kept


def limit_sentences_like_rouge155(sentences: Sequence[str], limit: Limit) -> list[str]:
    """The sentence view: with ``-b`` the script forgets to add up, so each line stands alone."""
    if limit.words is not None:
        return limit_like_rouge155(sentences, limit)
    assert limit.bytes is not None
    kept: list[str] = []
    for sentence in sentences:
        content = sentence.encode("utf-8", "replace")
        kept.append(_joined(content[: limit.bytes]))
        if len(content) >= limit.bytes:
            break
    return kept


def _fields(line: str) -> list[str]:
    """As Perl splits on white space: a leading blank gives an empty field, which counts."""
    fields = re.split(r"[ \t\n\r\f\v]+", line)
    while fields and not fields[-1]:
        fields.pop()
    return fields


def _joined(parts: Sequence[str] | bytes) -> str:
    # A letter that is cut in two is no letter of a token in any case.
    return parts.decode("utf-8", "replace") if isinstance(parts, bytes) else " ".join(parts)
