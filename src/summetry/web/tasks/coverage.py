"""How much of a reference a summary covers, as in SEE and at DUC.

First the questions on the quality of the summary, before the reference is seen. Then, for each
sentence of the reference, the sentences of the summary that share content with it, and how many
per cent of its meaning they express together. Last, how many of the sentences that share nothing
are related to the subject all the same. ``coverage`` and ``related`` become judgments from 0 to 1,
the marks for quality judgments on the study's scales.

A summary and a reference are an item, so a summary is compared with every reference of its topic,
and its coverage is the mean over references and judges. The questions on quality come once for each
summary and person: with the first of its references that the person meets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from starlette.datastructures import FormData

from summetry.records.corpus import Corpus
from summetry.records.judgments import Judgment
from summetry.records.summaries import Summary
from summetry.references.coverage import mean_coverage
from summetry.text.sentences import split_sentences
from summetry.web.store.answers import Content, Given
from summetry.web.store.studies import Study
from summetry.web.tasks._base import (
    BadFormError,
    Item,
    Records,
    Task,
    Work,
    summaries_of,
    unreadable_marks,
    whole_numbers,
)
from summetry.web.tasks._texts import find_summary
from summetry.web.tasks.judgment import dimension_words

STEPS = (0, 20, 40, 60, 80, 100)


class CoverageTask(Task):
    name = "coverage"
    title = "Coverage: compare a summary with a reference, sentence by sentence"
    settings = ("scales",)
    needs = ("summaries",)
    makes = "judgments"
    goes_on = True
    looks_back = True

    def items(self, study: Study, corpus: Corpus) -> list[Item]:
        return [
            Item((topic.id, summary.author, reference.author))
            for topic in corpus.topics
            for summary in summaries_of(corpus, topic.id, "candidate")
            for reference in summaries_of(corpus, topic.id, "reference")
        ]

    def scales(self, study: Study, corpus: Corpus) -> dict[str, tuple[str, ...]]:
        # Where marks were uploaded with the corpus, their scale holds.
        given = study.settings.scales.items()
        return {dimension: corpus.scales.get(dimension, scale) for dimension, scale in given}

    def read_form(self, work: Work, form: FormData) -> Content:
        content: Content = {}
        marks = {
            dimension: scale[chosen]
            for number, (dimension, scale) in enumerate(_scales(work).items())
            if (chosen := _chosen(form, f"mark-{number}", len(scale))) is not None
        }
        if marks:
            content["marks"] = marks
        if form.get("step") != "compare":
            # The reference has not been seen yet, unless the answer is from an older page.
            later = ("compare", "shared", "percent", "related")
            content |= {name: work.content[name] for name in later if name in work.content}
            if form.get("do") == "compare" and not _missing_marks(work, marks):
                content["compare"] = True
            return content
        content["compare"] = True
        summary, reference = _sentences(work)
        count = len(summary)
        content["shared"] = [
            list(whole_numbers(form.getlist(f"shared-{n}"), count)) for n in range(len(reference))
        ]
        content["percent"] = [_percent(form, f"percent-{n}") for n in range(len(reference))]
        if (related := _percent(form, "related")) is not None and _unmarked(content, summary):
            content["related"] = related
        return content

    def show(self, work: Work) -> dict[str, Any]:
        summary, reference = _sentences(work)
        shared, percent = _compared(work.content, len(reference))
        marks = work.content.get("marks", {})
        return {
            "questions": [
                {
                    "words": dimension_words(work.catalogue, dimension),
                    "scale": scale[::-1],
                    "chosen": marks.get(dimension),
                }
                for dimension, scale in _scales(work).items()
            ],
            "compare": _is_comparing(work),
            "is_known": is_known(work),
            "stuck": self.missing(work) if _is_comparing(work) else _missing_marks(work, marks),
            "summary": summary,
            "reference": [
                {"text": text, "shared": shared[n], "percent": percent[n]}
                for n, text in enumerate(reference)
            ],
            "steps": STEPS,
            "unmarked": _unmarked(work.content, summary),
            "related": work.content.get("related"),
            "values": list(_values(work)),
        }

    def missing(self, work: Work) -> str:
        if problem := _missing_marks(work, work.content.get("marks", {})):
            return problem
        if not _is_comparing(work):
            return work.say("Compare the summary with the reference.")
        summary, reference = _sentences(work)
        for number, (shared, percent) in enumerate(
            zip(*_compared(work.content, len(reference)), strict=True), start=1
        ):
            if percent is None:
                return work.say("Say how much is expressed of sentence {n}.", n=number)
            if percent and not shared:
                return work.say(
                    "Choose the sentences that express something of sentence {n}.", n=number
                )
            if shared and not percent:
                return work.say(
                    "You chose sentences for sentence {n}, but they express 0% of it.", n=number
                )
        if _unmarked(work.content, summary) and "related" not in work.content:
            return work.say("Answer the last question.")
        return ""

    def records(self, study: Study, corpus: Corpus, given: Iterable[Given]) -> Records:
        for answer in given:
            (topic, author, reference), content = answer.key, answer.content
            whose = topic, author, answer.person
            meta = {"percent": content["percent"], "shared": content["shared"]}
            meta["seconds"] = round(answer.seconds, 1)
            covered = mean_coverage(content["percent"])
            yield "judgments", Judgment(*whose, "coverage", covered, reference, meta)
            if "related" in content:
                related = mean_coverage([content["related"]])
                yield "judgments", Judgment(*whose, "related", related, reference)
            for dimension, mark in content.get("marks", {}).items():
                yield "judgments", Judgment(*whose, dimension, mark)

    def unreadable(
        self, before: Study, after: Study, corpus: Corpus, given: Iterable[Given]
    ) -> Iterator[tuple[str, str, str]]:
        yield from unreadable_marks(self.scales(before, corpus), self.scales(after, corpus), given)


def sentences_of(corpus: Corpus, summary: Summary) -> list[str]:
    """The sentences of a summary; cut here where the corpus does not know them."""
    known = corpus.sentences_of(summary)
    if known is not None:
        return list(known)
    text = corpus.text_of(summary)
    language = corpus.language_of(corpus.topic(summary.topic))
    return [text[start:end] for start, end in split_sentences(text, language)]


def is_known(work: Work) -> bool:
    """Whether the person has met the summary before, beside another reference."""
    return any(item.key[:2] == work.item.key[:2] for item in work.earlier)


def _sentences(work: Work) -> tuple[list[str], list[str]]:
    """The sentences of the summary, and those of the reference."""
    _, author, reference = work.item.key
    summary = find_summary(work, author, "candidate")
    compared = find_summary(work, reference, "reference")
    return sentences_of(work.corpus, summary), sentences_of(work.corpus, compared)


def _compared(content: Content, count: int) -> tuple[list[list[int]], list[int | None]]:
    return content.get("shared") or [[]] * count, content.get("percent") or [None] * count


def _scales(work: Work) -> dict[str, tuple[str, ...]]:
    """The questions on quality; none where the person has answered them before."""
    return {} if is_known(work) else CoverageTask().scales(work.study, work.corpus)


def _is_comparing(work: Work) -> bool:
    return bool(work.content.get("compare")) or not _scales(work)


def _missing_marks(work: Work, marks: dict[str, str]) -> str:
    missing = [name for name in _scales(work) if name not in marks]
    return work.say("Give a mark for each question.") if missing else ""


def _unmarked(content: Content, summary: list[str]) -> list[int]:
    """The sentences of the summary that share nothing with the reference, from 1."""
    shared = {n for units in content.get("shared", ()) for n in units}
    return [n + 1 for n in range(len(summary)) if n not in shared]


def _values(work: Work) -> Iterator[tuple[str, str]]:
    """The boxes that are chosen, by name and value: after an undo the page follows them."""
    marks = work.content.get("marks", {})
    for number, (dimension, scale) in enumerate(_scales(work).items()):
        if dimension in marks:
            yield f"mark-{number}", str(scale.index(marks[dimension]))
    for number, shared in enumerate(work.content.get("shared", ())):
        for unit in shared:
            yield f"shared-{number}", str(unit)
    for number, percent in enumerate(work.content.get("percent", ())):
        if percent is not None:
            yield f"percent-{number}", str(percent)
    if "related" in work.content:
        yield "related", str(work.content["related"])


def _chosen(form: FormData, name: str, below: int) -> int | None:
    value = form.get(name)
    return None if value is None else whole_numbers([value], below)[0]


def _percent(form: FormData, name: str) -> int | None:
    value = _chosen(form, name, 101)
    if value is not None and value not in STEPS:
        raise BadFormError(f"expected one of {', '.join(map(str, STEPS))}, found {value}")
    return value
