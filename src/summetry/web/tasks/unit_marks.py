"""Ticking which content units a summary expresses: the second step of the pyramid method.

Units whose weights are all 1 make it the 0/1 judgment of LitePyramid and of atomic content units.
Each judge has a pyramid of the topic with these marks, which take the place of uploaded ones of the
same summary. Judges do not learn whose summary it is, nor what a unit weighs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace
from starlette.datastructures import FormData

from summetry.errors import SummetryError
from summetry.records.corpus import Corpus
from summetry.records.pyramids import PeerScu, Pyramid
from summetry.references.pyramids import one_pyramid
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
            Item((topic, summary.author))
            for topic in dict.fromkeys(pyramid.topic for pyramid in corpus.pyramids)
            if _pyramid(corpus, topic).scus
            for summary in summaries_of(corpus, topic, "candidate")
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
        marks: defaultdict[str, defaultdict[str, dict[str, set[str]]]]
        marks = defaultdict(lambda: defaultdict(dict))
        for answer in given:
            topic, author = answer.key
            marks[topic][answer.person][author] = set(answer.content["scus"])
        for topic, by_person in marks.items():
            new = {author for of_one in by_person.values() for author in of_one}
            for uploaded in corpus.of_topic("pyramids", topic):
                if rest := {who: said for who, said in uploaded.peers.items() if who not in new}:
                    yield "pyramids", replace(uploaded, peers=rest)
            units = _pyramid(corpus, topic)
            for person, of_one in by_person.items():
                peers = {
                    author: tuple(PeerScu(scu.id) for scu in units.scus if scu.id in ticked)
                    for author, ticked in of_one.items()
                }
                yield "pyramids", replace(units, peers=peers, annotator=person)


def _pyramid(corpus: Corpus, topic: str) -> Pyramid:
    pyramids: tuple[Pyramid, ...] = corpus.of_topic("pyramids", topic)
    if not pyramids:
        raise SummetryError("this text no longer has content units; go on with the next one")
    return one_pyramid(pyramids)
