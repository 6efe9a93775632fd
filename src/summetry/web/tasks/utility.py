"""Saying of every sentence of a text how much it belongs into a summary, from 0 up.

A record is a judge's utilities of a topic: what `relative_utility` takes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from starlette.datastructures import FormData

from summetry.records.corpus import Corpus
from summetry.records.judgments import Utilities
from summetry.records.prose import shown_documents
from summetry.web.store.answers import Content, Given
from summetry.web.store.studies import Study
from summetry.web.tasks._base import Item, Records, Task, Work, meta_of, read_note, whole_numbers

# Up to here every value has a button and a key; above, numbers are typed.
MOST_BUTTONS = 10


@dataclass(frozen=True)
class ValuedUnit:
    """A unit as the page shows it, with its value if it has one."""

    number: int
    text: str
    value: int | None


class UtilityTask(Task):
    name = "utility"
    title = "Utilities: say how important each sentence is"
    settings = ("highest",)
    makes = "utilities"

    def items(self, study: Study, corpus: Corpus) -> list[Item]:
        return [Item((topic.id,)) for topic in corpus.topics if topic.units]

    def read_form(self, work: Work, form: FormData) -> Content:
        values: list[int | None] = []
        for number in range(len(work.topic.units)):
            sent = [value for value in form.getlist(f"v{number}") if value != ""]
            values.append(next(iter(whole_numbers(sent, work.study.settings.highest + 1)), None))
        return {"values": values, **read_note(work, form)}

    def show(self, work: Work) -> dict[str, Any]:
        values = given_values(work)
        highest = work.study.settings.highest
        return {
            "documents": shown_documents(
                work.topic, lambda n: ValuedUnit(n, work.topic.units[n], values[n])
            ),
            "highest": highest,
            "buttons": highest <= MOST_BUTTONS,
            "done": sum(value is not None for value in values),
            "next": next((n for n, value in enumerate(values) if value is None), None),
            "values": [(f"v{n}", str(v)) for n, v in enumerate(values) if v is not None],
        }

    def missing(self, work: Work) -> str:
        left = given_values(work).count(None)
        if not left:
            return ""
        return work.count(
            "One sentence has no value yet.", "{n} sentences have no value yet.", left
        )

    def records(self, study: Study, corpus: Corpus, given: Iterable[Given]) -> Records:
        for answer in given:
            (topic,) = answer.key
            values = tuple(answer.content["values"])
            yield "utilities", Utilities(topic, answer.person, values, meta_of(answer))

    def unreadable(
        self, before: Study, after: Study, corpus: Corpus, given: Iterable[Given]
    ) -> Iterator[tuple[str, str, str]]:
        for answer in given:
            highest = max(answer.content["values"], default=0)
            if highest > after.settings.highest:
                yield "highest", str(highest), answer.person


def given_values(work: Work) -> list[int | None]:
    return list(work.content.get("values") or [None] * len(work.topic.units))
