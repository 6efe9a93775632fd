"""Choosing the better of two summaries of a topic, without knowing who or what wrote them.

Which of the two comes first is drawn for each person and pair from the study's seed and the
person's own, so that no side is favoured.

A record is a judgment of an author on the dimension ``better``: the share of the judge's pairs of
that topic that the author won, where equally good counts half. So 1 is always chosen and 0 never,
and the mean over all authors of a complete set of pairs is 1/2. ``meta`` keeps what the author got
against each of the others. An author's share depends on whom it met: compare systems by it only
where each met all others about equally often.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable
from itertools import combinations
from typing import Any

from starlette.datastructures import FormData

from summetry.records.corpus import Corpus
from summetry.records.judgments import Judgment
from summetry.stats.choices import Choice, shares_won
from summetry.web.store.answers import Content, Given
from summetry.web.store.studies import Study, json_text
from summetry.web.tasks._base import BadFormError, Item, Records, Task, Work, read_note
from summetry.web.tasks._texts import (
    find_summary,
    judged_summaries,
    source_paragraphs,
    summary_paragraphs,
)

DIMENSION = "better"
# What the first author of a pair gets.
POINTS = {"a": 1.0, "equal": 0.5, "b": 0.0}


class PairsTask(Task):
    name = "pairs"
    title = "Pairs: choose the better of two summaries"
    settings = ("with_source", "with_references")
    needs = ("summaries",)
    makes = "judgments"
    goes_on = True

    def items(self, study: Study, corpus: Corpus) -> list[Item]:
        authors = defaultdict(list)
        for one in judged_summaries(corpus, with_references=study.settings.with_references):
            authors[one.topic].append(one.author)
        return [
            Item((topic, *pair))
            for topic, all_ in authors.items()
            for pair in combinations(all_, 2)
        ]

    def label(self, corpus: Corpus, item: Item) -> str:
        return ""

    def read_form(self, work: Work, form: FormData) -> Content:
        content = read_note(work, form)
        chosen = form.get("better")
        if chosen is not None:
            meanings = _shown(work)
            if chosen not in meanings:
                raise BadFormError(f"expected first, second or equal, found {str(chosen)[:40]!r}")
            content["better"] = meanings[str(chosen)]
        return content

    def show(self, work: Work) -> dict[str, Any]:
        _, *authors = work.item.key
        if is_turned(work):
            authors.reverse()
        found = [find_summary(work, author) for author in authors]
        given = work.content.get("better")
        fields = {meaning: field for field, meaning in _shown(work).items()}
        with_source = work.study.settings.with_source
        return {
            "summaries": [summary_paragraphs(work.corpus, summary) for summary in found],
            "source": source_paragraphs(work.corpus, work.topic) if with_source else [],
            "source_words": sum(work.words),
            "chosen": fields[given] if given else "",
            "values": [("better", fields[given])] if given else [],
        }

    def missing(self, work: Work) -> str:
        if work.content.get("better"):
            return ""
        return work.say("Choose one, or say that they are equally good.")

    def records(self, study: Study, corpus: Corpus, given: Iterable[Given]) -> Records:
        choices: defaultdict[tuple[str, str], list[Choice]] = defaultdict(list)
        for answer in given:
            topic, a, b = answer.key
            points = POINTS[answer.content["better"]]
            choices[answer.person, topic].append(Choice(a, b, points))
        for (person, topic), own in choices.items():
            for author, share in shares_won(own).items():
                against = {one.second: one.points for one in own if one.first == author}
                against |= {one.first: 1 - one.points for one in own if one.second == author}
                meta = {"against": against}
                yield "judgments", Judgment(topic, author, person, DIMENSION, share, meta=meta)


def is_turned(work: Work) -> bool:
    """Whether the second author of the pair is shown first."""
    drawn = [work.study.settings.seed, work.person.seed, *work.item.key]
    return random.Random(json_text(drawn)).random() < 0.5


def _shown(work: Work) -> dict[str, str]:
    """What the form says, and which author of the pair that is."""
    first, second = ("b", "a") if is_turned(work) else ("a", "b")
    return {"first": first, "equal": "equal", "second": second}
