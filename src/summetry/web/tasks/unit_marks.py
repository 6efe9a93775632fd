"""Ticking which content units a summary expresses: the second step of the pyramid method.

Units whose weights are all 1 make it the 0/1 judgment of LitePyramid and of atomic content units.
A summary expresses what more than half of its judges ticked, so that a tie is not expressed; the
topic's pyramid with these marks takes the place of the uploaded one. Judges do not learn whose
summary it is, nor what a unit weighs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from starlette.datastructures import FormData

from summetry.errors import SummetryError
from summetry.records.corpus import Corpus
from summetry.records.pyramids import Pyramid
from summetry.references.pyramids import with_marks
from summetry.web.store.answers import Content, Given
from summetry.web.store.studies import Study
from summetry.web.tasks._base import Item, Records, Task, Work, summaries_of, whole_numbers
from summetry.web.tasks._texts import find_summary


class UnitMarksTask(Task):
    name = "unit_marks"
    title = "Unit marks: tick which content units a summary expresses"
    settings = ()
    needs = ("summaries", "pyramids")
    replaces = ("pyramids",)
    goes_on = True

    def items(self, study: Study, corpus: Corpus) -> list[Item]:
        return [
            Item((pyramid.topic, summary.author))
            for pyramid in corpus.pyramids
            if pyramid.scus
            for summary in summaries_of(corpus, pyramid.topic, "candidate")
        ]

    def read_form(self, work: Work, form: FormData) -> Content:
        scus = _pyramid(work.corpus, work.item.topic).scus
        chosen = [scus[n].id for n in whole_numbers(form.getlist("unit"), len(scus))]
        # Not one of the units is an answer too, if it is said.
        none = not chosen and form.get("none") == "yes"
        return {"scus": chosen} if chosen or none else {}

    def show(self, work: Work) -> dict[str, Any]:
        said = set(work.content.get("scus", ()))
        none = work.content.get("scus") == []
        scus = _pyramid(work.corpus, work.item.topic).scus
        return {
            "text": work.corpus.text_of(find_summary(work, work.item.key[1], "candidate")),
            "scus": [
                {
                    "number": number,
                    "label": scu.label or scu.id,
                    "chosen": scu.id in said,
                    "parts": [part.text for part in scu.contributors if part.text],
                }
                for number, scu in enumerate(scus)
            ],
            "none": none,
            "values": [["unit", str(n)] for n, scu in enumerate(scus) if scu.id in said]
            + ([["none", "yes"]] if none else []),
        }

    def missing(self, work: Work) -> str:
        if "scus" in work.content:
            return ""
        return work.say("Tick the units that the summary expresses, or say that there are none.")

    def records(self, study: Study, corpus: Corpus, given: Iterable[Given]) -> Records:
        judged: defaultdict[str, defaultdict[str, list[set[str]]]]
        judged = defaultdict(lambda: defaultdict(list))
        for answer in given:
            topic, author = answer.key
            judged[topic][author].append(set(answer.content["scus"]))
        for topic, of_topic in judged.items():
            yield "pyramids", with_marks(_pyramid(corpus, topic), of_topic)


def _pyramid(corpus: Corpus, topic: str) -> Pyramid:
    pyramids: tuple[Pyramid, ...] = corpus.of_topic("pyramids", topic)
    if not pyramids:
        raise SummetryError("this text no longer has content units; go on with the next one")
    return pyramids[0]
