"""The units of a topic as prose: paragraphs, what stands between units, some of them as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Any, NamedTuple

import regex

from summetry.records.corpus import Corpus
from summetry.records.topics import Document, Topic, UnitKind, paragraph_numbers
from summetry.text.finding import spans_in_order
from summetry.text.languages import language as language_of

_BLANK_LINE = regex.compile(r"\n\s*\n")
# What ends a sentence, outside of words.
_STOP = regex.compile(r"[.!?…。！？।؟۔]")
# Marks that stand without a blank beside the word before them, or after them.
_CLOSING = regex.compile(r"[\p{Pe}\p{Pf}.,;:!?…%’”]+|['\"]")
_OPENING = regex.compile(r"[\p{Ps}\p{Pi}¿¡„‚]+")


class Between(NamedTuple):
    """What is read around the units of a topic: before each, and after it.

    Only the last unit of a paragraph has something after it.
    """

    before: list[str]
    after: list[str]


def main_unit(corpus: Corpus) -> UnitKind:
    """What the topics of a corpus are cut into; where they differ, most of them."""
    kinds = Counter(topic.unit for topic in corpus.topics)
    return kinds.most_common(1)[0][0] if kinds else "sentence"


def documents_in_paragraphs(topic: Topic) -> Iterator[tuple[Document, list[list[int]]]]:
    """Each document of a topic with the numbers of its units by paragraph.

    Paragraphs are those of the document's text. Where only units are known, ``meta`` may list the
    paragraph of each as ``paragraphs``; without such a list there is one.
    """
    first = 0
    for document in topic.documents:
        yield document, _paragraphs(topic, document, first)
        first += len(document.units)


def _paragraphs(topic: Topic, document: Document, first: int) -> list[list[int]]:
    numbers = range(first, first + len(document.units))
    if topic.unit == "paragraph":
        return [[number] for number in numbers]
    if not document.text:
        of_unit = paragraph_numbers(document) or [1] * len(document.units)
        pairs = groupby(zip(of_unit, numbers, strict=True), key=itemgetter(0))
        return [[number for _, number in block] for _, block in pairs]
    blocks: list[list[int]] = [[]]
    for number, gap in zip(numbers, _gaps(document), strict=False):
        if blocks[-1] and "\n" in gap and _BLANK_LINE.search(gap):
            blocks.append([])
        blocks[-1].append(number)
    return blocks


def shown_documents(topic: Topic, show: Callable[[int], Any] = int) -> list[dict[str, Any]]:
    """The documents for a page: the date of each, and what ``show`` makes of its units."""
    return [
        {"date": document.date, "paragraphs": [list(map(show, block)) for block in blocks]}
        for document, blocks in documents_in_paragraphs(topic)
    ]


def between_units(topic: Topic, language: str = "") -> Between:
    """What is read between the units of a topic.

    Words have the marks of the text around them; other units have a blank between them where the
    language has blanks.

    >>> document = Document("d", text="Well, it sank.", units=("Well", "it", "sank"))
    >>> between_units(Topic("t", unit="word", documents=(document,)))
    Between(before=['', ', ', ' '], after=['', '', '.'])
    """
    blank = " " if language_of(language).spaced else ""
    units, is_words = topic.units, topic.unit == "word"
    before, after = [""] * len(units), [""] * len(units)
    first = 0
    for document, blocks in documents_in_paragraphs(topic):
        starts = {block[0] for block in blocks if block}
        if is_words and document.text:
            *gaps, end = _gaps(document)
            for number, gap in enumerate(gaps, start=first):
                if number == first:
                    before[number] = gap.lstrip()
                elif number in starts:
                    after[number - 1], before[number] = _BLANK_LINE.split(gap, maxsplit=1)
                else:
                    before[number] = gap
            if gaps:
                after[first + len(gaps) - 1] = end.rstrip()
        else:
            for number in range(first, first + len(document.units)):
                last, unit = units[number - 1], units[number]
                is_close = is_words and (_CLOSING.fullmatch(unit) or _OPENING.fullmatch(last))
                before[number] = "" if number in starts or is_close else blank
        first += len(document.units)
    return Between(before, after)


def joints(between: Between, chosen: Sequence[int], language: str = "") -> list[str]:
    """What stands before each chosen word, and after the last, to read them as a text.

    Words that follow each other have the marks of the text between them. Where words are left out,
    the mark of the sentence that ends there stays.

    >>> document = Document("d", text="It sank, late. All swam home.")
    >>> from summetry.records.topics import cut_anew
    >>> topic = cut_anew(Topic("t", documents=(document,)), "word")
    >>> joints(between_units(topic), [0, 1, 3, 5])
    ['', ' ', '. ', ' ', '.']
    """
    before, after = between
    blank = " " if language_of(language).spaced else ""
    found: list[str] = []
    for one, other in pairwise([-1, *chosen]):
        if one < 0:
            found.append("")
        elif other == one + 1:
            # Between paragraphs, what stands after the one and before the other.
            found.append(before[other] if not after[one] else f"{after[one]}{blank}{before[other]}")
        else:
            found.append(_stop(before, after, one, other) + blank)
    found.append(_stop(before, after, chosen[-1], len(before)) if chosen else "")
    return found


def _stop(before: list[str], after: list[str], one: int, other: int) -> str:
    """The mark that ends the sentence of a unit, if it ends before another unit."""
    for number in range(one, other):
        gap = after[number] + (before[number + 1] if number + 1 < len(before) else "")
        if stop := _STOP.search(gap):
            return stop[0]
    return ""


def _gaps(document: Document) -> Iterator[str]:
    """What stands in the text of a document before each unit, and after the last."""
    end = 0
    for span in spans_in_order(document.text, document.units):
        yield document.text[end : span[0]] if span else ""
        end = span[1] if span else end
    yield document.text[end:]
