"""From text to tokens: how case, stop words, stems and lemmas are treated.

A pipeline is spelt by its language, ``en(stem=true,stop=true)``, or ``auto(stem=true)`` for
the language that each text says it is in. It is given to metrics as ``text=``. A pipeline of
another kind is a class registered with ``PIPELINES`` under a name of its own.

The steps, each on distinct tokens only: find tokens, fold case (Unicode NFKC and case
folding), drop stop words, then lemmas or stems. ``auto(stem=true)`` leaves the tokens of languages
without blanks (Chinese, Japanese, Thai) as they are; ``zh(stem=true)`` is refused.
"""

from __future__ import annotations

import abc
import dataclasses
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain, repeat
from typing import Any, ClassVar, Literal

import numpy as np

from summetry import spec
from summetry.arrays import kernel
from summetry.arrays.token_tables import (
    LOWER_WORDS,
    WORDS,
    Coded,
    TokenTable,
    build_table,
    build_word_table,
    merge_tables,
)
from summetry.arrays.types import Ints
from summetry.errors import SummetryError, UnknownNameError
from summetry.registry import Registry, configure
from summetry.spec import Spec
from summetry.text.languages import known_languages, language
from summetry.text.sentences import find_sentences, split_sentences
from summetry.text.tokens import Span, get_tokenizer
from summetry.text.word_forms import lemmatize_words, stem_words, stop_words

# They take a few megabytes; beyond that the tokens of known pieces are forgotten.
_MOST_PIECES = 50_000


class TextPipeline(abc.ABC):
    """What every pipeline offers, and the type of an option ``text=``."""

    # What stands before the brackets of its spelling.
    name: str
    # Then a text is more than its sentences, and n-grams are written without blanks between.
    blanks_are_tokens: ClassVar[bool] = False
    # Then a text in one line is one sentence, however long.
    lines_are_sentences: ClassVar[bool] = False

    @abc.abstractmethod
    def encode(self, texts: Sequence[str], languages: Sequence[str]) -> TokenTable:
        """All texts as one table, each in its own language."""

    @abc.abstractmethod
    def locate(self, text: str, language: str) -> list[tuple[str, Span]]:
        """The tokens of one text with their places, in the order of the table."""

    def read(self, text: str, language: str) -> list[str]:
        """The tokens of one text, as :meth:`encode` has them: no table for a small call."""
        return [token for token, _ in self.locate(text, language)]

    @property
    def cut_by_kernel(self) -> int | None:
        """How C cuts texts of ASCII into these tokens (see tokens.c); None where it does not."""
        return None

    def in_ascii(self, texts: Sequence[str]) -> Sequence[str] | None:
        """Texts of ASCII with the same tokens; None where there may be none."""
        return None

    @property
    def needs_language(self) -> bool:
        """Whether texts must say which language they are in."""
        return False

    def sentences(self, text: str, language: str) -> list[str]:
        """The sentences of a text: its lines where it has several, else cut by rules."""
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) > 1:
            return lines
        return [text[a:b] for a, b in split_sentences(text, language)]

    def encode_by_sentence(
        self, texts: Sequence[str], languages: Sequence[str]
    ) -> tuple[TokenTable, Ints]:
        """One row per sentence; those of text ``i`` are rows ``first[i]`` to ``first[i+1]``."""
        pairs = zip(texts, languages, strict=True)
        return self.encode_sentences([self.sentences(t, code) for t, code in pairs], languages)

    def encode_sentences(
        self, sentences: Sequence[Sequence[str]], languages: Sequence[str]
    ) -> tuple[TokenTable, Ints]:
        """As :meth:`encode_by_sentence`, for texts whose sentences are known."""
        counts = list(map(len, sentences))
        spoken = chain.from_iterable(map(repeat, languages, counts))
        table = self.encode(list(chain.from_iterable(sentences)), list(spoken))
        return table, np.concatenate([[0], np.cumsum(counts, dtype=np.int64)]).astype(np.int64)

    @abc.abstractmethod
    def describe(self) -> str:
        """All that decides the tokens, defaults too, for signatures."""

    @staticmethod
    def from_spec(value: Any) -> TextPipeline:
        """The pipeline that a spelling names: a language, ``auto``, or a registered one."""
        if isinstance(value, TextPipeline):
            return value
        if isinstance(value, str):
            value = spec.parse(value)
        if not isinstance(value, Spec):
            raise SummetryError(f"text must be a pipeline such as en(stem=true), got {value!r}")
        if value.pick:
            raise SummetryError(f"text={value}: a pipeline has no values, leave out .{value.pick}")
        if value.name == "auto" or value.name in known_languages():
            made = configure(LanguagePipeline, value.name, value.options)
            return dataclasses.replace(made, name=value.name)
        try:
            PIPELINES.get(value.name)
        except UnknownNameError:
            known = ["auto", *known_languages(), *PIPELINES.names()]
            raise UnknownNameError("text pipeline or language", value.name, known) from None
        return PIPELINES.build(value)


PIPELINES: Registry[TextPipeline] = Registry("text pipeline", "summetry.text", TextPipeline)


@dataclass(frozen=True)
class LanguagePipeline(TextPipeline):
    """Tokens by Unicode, case, stop words, stems and lemmas by language."""

    tokens: Literal["words", "characters", "blanks", "icu", "jieba"] = "words"
    case: Literal["fold", "keep"] = "fold"
    stop: bool = False
    stem: bool = False
    lemma: bool = False
    # The language is the name in the spelling, not an option inside the brackets.
    name: str = "auto"

    def __post_init__(self) -> None:
        if self.stem and self.lemma:
            raise SummetryError("a text pipeline takes stem=true or lemma=true, not both")

    def encode(self, texts: Sequence[str], languages: Sequence[str]) -> TokenTable:
        known = {code: self._language(code) for code in dict.fromkeys(languages)}
        groups = sorted(set(known.values()))
        if len(groups) <= 1:
            return self._encode_group(texts, groups[0] if groups else "")
        spoken = [known[code] for code in languages]
        rows = {code: [i for i, c in enumerate(spoken) if c == code] for code in groups}
        tables = [self._encode_group([texts[i] for i in rows[c]], c) for c in groups]
        return merge_tables(tables, [i for code in groups for i in rows[code]])

    def encode_by_sentence(
        self, texts: Sequence[str], languages: Sequence[str]
    ) -> tuple[TokenTable, Ints]:
        spoken = set(languages)
        if len(spoken) != 1 or not kernel.is_compiled():
            return super().encode_by_sentence(texts, languages)
        (code,) = spoken
        rows, counts = self._by_sentence(texts, code)
        first = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        return self._encode_group(rows, self._language(code)), first

    def _by_sentence(self, texts: Sequence[str], code: str) -> tuple[Coded, Ints]:
        """The bytes of all sentences, and how many each text has."""
        coded = Coded.of(texts)
        lengths, counts = find_sentences(texts, coded, code)
        content, rows = [], []
        ends, passed = np.cumsum(coded.lengths), np.cumsum(np.maximum(counts, 0))
        at = row = 0
        for place in np.flatnonzero(counts < 0).tolist():
            cut = Coded.of(self.sentences(texts[place], code))
            end = int(ends[place])
            content += [coded.content[at : end - int(coded.lengths[place])], cut.content]
            rows += [lengths[row : passed[place]], cut.lengths]
            at, row, counts[place] = end, int(passed[place]), len(cut.lengths)
        joined = b"".join([*content, coded.content[at:]])
        return Coded(joined, np.concatenate([*rows, lengths[row:]])), counts

    def locate(self, text: str, language: str) -> list[tuple[str, Span]]:
        return list(_located(self, text, self._language(language)))

    def read(self, text: str, language: str) -> list[str]:
        return list(chain.from_iterable(self._read(text.split(), self._language(language))))

    def describe(self) -> str:
        steps = {"stop": self.stop, "stem:snowball": self.stem, "lemma:simplemma": self.lemma}
        used = [step for step, is_used in steps.items() if is_used]
        return ",".join([self.name, self.tokens, self.case, *used])

    def _encode_group(self, texts: Sequence[str] | Coded, code: str) -> TokenTable:
        read = partial(self._read, code=code)
        if self.tokens != "words":
            return build_table(texts, read)
        return build_word_table(texts, read, self.case == "fold", self._has_forms)

    @property
    def cut_by_kernel(self) -> int | None:
        # A class of somebody else may read otherwise.
        if type(self) is not LanguagePipeline or self.tokens != "words" or self._has_forms:
            return None
        return LOWER_WORDS if self.case == "fold" else WORDS

    @property
    def needs_language(self) -> bool:
        return self.name == "auto" and self._has_forms

    @property
    def _has_forms(self) -> bool:
        return self.stop or self.stem or self.lemma

    def _language(self, code: str) -> str:
        if not self._has_forms:
            return ""  # Nothing below depends on the language.
        spoken = code if self.name == "auto" else self.name
        if not spoken:
            raise SummetryError(
                f"text={spec.show(self)} needs to know the language of each text, which is neither "
                f"given nor clear from the words: name it with --language en, or as in "
                f"text=en(stem=true)"
            )
        return spoken

    def _read(self, pieces: list[str], code: str) -> list[list[str]]:
        known = _known_pieces(self, code)
        try:
            return list(map(known.__getitem__, pieces))
        except KeyError:
            new = [piece for piece in dict.fromkeys(pieces) if piece not in known]
        if len(known) + len(new) > _MOST_PIECES:
            known.clear()
            new = list(dict.fromkeys(pieces))
        known.update(zip(new, self._read_anew(new, code), strict=True))
        return list(map(known.__getitem__, pieces))

    def _read_anew(self, pieces: list[str], code: str) -> list[list[str]]:
        find = get_tokenizer(self.tokens)
        cut = [[piece[a:b] for a, b in find(piece)] for piece in pieces]
        distinct = list({token for tokens in cut for token in tokens})
        forms = dict(zip(distinct, self._normalise(distinct, code), strict=True))
        return [[f for t in tokens if (f := forms[t]) is not None] for tokens in cut]

    def _normalise(self, words: list[str], code: str) -> list[str | None]:
        """The form of each word that is compared, None for a stop word."""
        if not words:
            return []
        if self.case == "fold":
            words = fold_all(words)
        else:
            words = [unicodedata.normalize("NFC", word) for word in words]
        folded = words if self.case == "fold" else fold_all(words)
        if self.lemma:
            words = lemmatize_words(words, code)
        if self.stem and (self.name != "auto" or language(code).spaced):
            words = stem_words(words, code)
        if not self.stop:
            return list(words)
        stop = stop_words(code)
        return [w if f not in stop else None for w, f in zip(words, folded, strict=True)]


@lru_cache(maxsize=8)
def _known_pieces(pipeline: LanguagePipeline, code: str) -> dict[str, list[str]]:
    """Tokens of pieces that were seen before: most words of a batch were in the one before."""
    return {}


def fold_all(words: list[str]) -> list[str]:
    """:func:`fold` of each word; plain ones are folded in one go."""
    joined = "\n".join(words)
    if joined.isascii():
        return joined.lower().split("\n") if words else []
    return [fold(word) for word in words]


def fold(word: str) -> str:
    """``word`` without differences of case and of typography.

    >>> fold("Straße"), fold("don’t"), fold("ΟΔΟΣ")
    ('strasse', "don't", 'οδοσ')
    """
    if word.isascii():
        return word.lower()
    folded = unicodedata.normalize("NFKC", word).casefold()
    # Folding can take letters apart again (Greek), so they are put together once more.
    return unicodedata.normalize("NFKC", folded).replace("’", "'")


# An explanation looks at each of its texts several times, and so do those of its neighbours.
@lru_cache(maxsize=64)
def _located(pipeline: LanguagePipeline, text: str, code: str) -> tuple[tuple[str, Span], ...]:
    spans = get_tokenizer(pipeline.tokens)(text)
    forms = pipeline._normalise([text[a:b] for a, b in spans], code)
    both = zip(forms, spans, strict=True)
    return tuple((form, span) for form, span in both if form is not None)
