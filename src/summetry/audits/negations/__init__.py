"""Negations by rule: one TOML file per language.

``negation``      the word that is inserted ("not")
``insert_after``  the words behind which it makes a negation ("is", "will", "has been")
``remove``        words with a negation, and what they become without it ("isn't" = "is")

The word is inserted behind the first word of an entry of ``insert_after`` ("has not been"), unless
a negation follows it already. To add a language, copy a file, name it by the language's code and
edit it. The lists are our own.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import regex

from summetry.text.languages import language
from summetry.text.languages.files import FieldError, language_files, read_fields, read_list


@dataclass(frozen=True)
class Negations:
    """The rules of one language."""

    negation: str
    insert_after: tuple[str, ...]
    remove: dict[str, str]

    @cached_property
    def to_insert(self) -> regex.Pattern[str]:
        """The places behind which the negation can stand."""
        entries = [entry.partition(" ") for entry in self.insert_after]
        ways = [
            regex.escape(first) + (rf"(?= {regex.escape(rest)}\b)" if rest else "")
            for first, _, rest in sorted(entries, reverse=True)
        ]
        # "was n't" is a negation too.
        words = {self.negation, *self.remove, *(word.split()[-1] for word in self.remove)}
        negative = "|".join(map(regex.escape, sorted(words, reverse=True)))
        return regex.compile(
            # As they are written: "Will" is a name.
            rf"(?<![\p{{L}}'’-])(?:{'|'.join(ways)})(?![\p{{L}}'’-])(?! (?i:{negative})\b)"
        )

    @cached_property
    def to_remove(self) -> regex.Pattern[str]:
        words = "|".join(map(regex.escape, sorted(self.remove, key=len, reverse=True)))
        return regex.compile(rf"(?<![\p{{L}}'’-])(?:{words})(?![\p{{L}}'’-])", regex.IGNORECASE)


def has_rules(code: str) -> bool:
    """Whether a language has a file; "en-GB" is "en"."""
    return language(code).code in language_files(__file__)


def negated(sentence: str, code: str) -> list[str]:
    """The sentence with each of its negations removed, and one inserted at each place where it can
    be.

    >>> negated("She isn't late and will come.", "en")
    ['She is late and will come.', "She isn't late and will not come."]
    """
    if not has_rules(code):
        return []
    rules = _rules(language(code).code)
    # A typographic apostrophe is as good as a plain one, and as long.
    removals = rules.to_remove.finditer(sentence.replace("’", "'"))
    made = [(found.start(), _without(sentence, found, rules)) for found in removals]
    for found in rules.to_insert.finditer(sentence):
        words = f"{sentence[: found.end()]} {rules.negation}{sentence[found.end() :]}"
        made.append((found.start(), words))
    return [words for _, words in sorted(made)]


def _without(sentence: str, found: regex.Match[str], rules: Negations) -> str:
    word, (start, end) = found.group(), found.span()
    left = rules.remove[word.casefold()]
    if word[0].isupper():
        left = left.capitalize()
    if left:
        return sentence[:start] + left + sentence[end:]
    if word[0].isupper():
        rest = sentence[end:].lstrip(" ")
        return sentence[:start] + rest[:1].upper() + rest[1:]
    # With the blank before it, or behind it at the beginning.
    if start and sentence[start - 1] == " ":
        return sentence[: start - 1] + sentence[end:]
    return sentence[:start] + sentence[end:].lstrip(" ")


@cache
def _rules(code: str) -> Negations:
    return read_negations(language_files(__file__)[code])


def read_negations(file: Path) -> Negations:
    """The rules of one TOML file."""
    readers = {"negation": _read_word, "insert_after": _read_entries, "remove": _read_table}
    return Negations(**read_fields(file, readers, readers))


def _read_word(value: Any) -> str:
    if not isinstance(value, str) or value.split() != [value]:
        raise FieldError("one word", value)
    return value


def _read_entries(values: Any) -> tuple[str, ...]:
    words = "one or two words"
    return tuple(read_list(values, "a list", words, lambda entry: len(entry.split()) in (1, 2)))


def _read_table(values: Any) -> dict[str, str]:
    if not isinstance(values, dict) or not all(isinstance(v, str) for v in values.values()):
        raise FieldError("a table of words", values)
    return {word.casefold(): left for word, left in values.items()}
