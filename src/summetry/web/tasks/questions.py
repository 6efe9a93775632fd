"""Multiple choice after reading: what does a summary let people answer?

A person reads the source, the summary of a system, a human abstract, or nothing, and then answers
the topic's questions without the text. Nobody gets the questions of one topic twice. Each answer
carries the seconds of the whole item, reading included, since one cannot see which question a
person thinks about.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from starlette.datastructures import FormData

from summetry.records.corpus import Corpus
from summetry.records.judgments import Answer, Condition, Question
from summetry.records.summaries import Role
from summetry.web.store.answers import Content, Given
from summetry.web.store.studies import Study
from summetry.web.tasks._base import Item, Records, Task, Work, summaries_of, whole_numbers
from summetry.web.tasks._texts import find_summary, source_paragraphs

# Whose summaries are read in which condition.
_ROLES: dict[str, Role] = {"summary": "candidate", "abstract": "reference"}


class QuestionsTask(Task):
    name = "questions"
    title = "Questions: answer multiple choice after reading a text or a summary"
    settings = ("conditions",)
    needs = ("questions",)
    makes = "answers"
    goes_on = True
    once_per_topic = True
    # A text is read for minutes without a single click.
    longest_pause = 900.0

    def items(self, study: Study, corpus: Corpus) -> list[Item]:
        return [
            Item((topic.id, condition, author))
            for topic in corpus.topics
            if questions_of(corpus, topic.id)
            for condition in study.settings.conditions
            for author in _authors(corpus, topic.id, condition)
        ]

    def label(self, corpus: Corpus, item: Item) -> str:
        # Where there was nothing to read, the title is not shown either.
        return "" if item.key[1] == "nothing" else super().label(corpus, item)

    def read_form(self, work: Work, form: FormData) -> Content:
        content: Content = {}
        if work.content.get("read") or form.get("do") == "read":
            content["read"] = True
        choices = {}
        for number, question in enumerate(questions_of(work.corpus, work.item.topic)):
            if (value := form.get(f"choice-{number}")) is not None:
                (choices[question.id],) = whole_numbers([value], len(question.choices))
        if choices:
            content["choices"] = choices
        return content

    def show(self, work: Work) -> dict[str, Any]:
        choices = work.content.get("choices", {})
        return {
            "reading": not _has_read(work),
            "paragraphs": [] if _has_read(work) else _paragraphs(work),
            "title": "" if _condition(work) == "nothing" else work.topic.title,
            "questions": [
                {"text": q.question, "choices": q.choices, "chosen": choices.get(q.id)}
                for q in questions_of(work.corpus, work.item.topic)
            ],
            "answered": len(choices),
        }

    def missing(self, work: Work) -> str:
        if not _has_read(work):
            return work.say("Read the text first.")
        questions = questions_of(work.corpus, work.item.topic)
        left = sum(q.id not in work.content.get("choices", {}) for q in questions)
        if not left:
            return ""
        return work.count(
            "{n} question is not answered yet.", "{n} questions are not answered yet.", left
        )

    def records(self, study: Study, corpus: Corpus, given: Iterable[Given]) -> Records:
        for answer in given:
            topic, condition, author = answer.key
            choices = answer.content["choices"]
            read, seconds = cast("Condition", condition), round(answer.seconds, 1)
            for question in questions_of(corpus, topic):
                if question.id in choices:
                    chosen = choices[question.id]
                    yield (
                        "answers",
                        Answer(topic, question.id, answer.person, read, author, chosen, seconds),
                    )


def questions_of(corpus: Corpus, topic: str) -> list[Question]:
    """The questions of a topic that can be answered by a choice."""
    questions: tuple[Question, ...] = corpus.of_topic("questions", topic)
    return [question for question in questions if question.choices]


def _authors(corpus: Corpus, topic: str, condition: str) -> list[str]:
    if condition not in _ROLES:
        return [""]
    return [summary.author for summary in summaries_of(corpus, topic, _ROLES[condition])]


def _condition(work: Work) -> str:
    return work.item.key[1]


def _has_read(work: Work) -> bool:
    return bool(work.content.get("read")) or _condition(work) == "nothing"


def _paragraphs(work: Work) -> list[str]:
    """What is read: the paragraphs of the source, or a summary."""
    _, condition, author = work.item.key
    if condition in _ROLES:
        text = work.corpus.text_of(find_summary(work, author, _ROLES[condition]))
        return [line for line in text.splitlines() if line.strip()]
    return source_paragraphs(work.corpus, work.topic)
