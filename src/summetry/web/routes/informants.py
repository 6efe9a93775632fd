"""The informants of a study beside one another, and the references without some of them."""

from __future__ import annotations

import datetime
import math
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from summetry.records.lengths import Length
from summetry.references.informants import (
    FASTEST_READER,
    Informant,
    Overlap,
    informants,
    overlap,
    references_without,
)
from summetry.references.majority import Voters
from summetry.stats.agreement import mean_defined
from summetry.web.pages import open_study
from summetry.web.progress import PersonProgress, load_progress
from summetry.web.statistics import Studied, load_study

router = APIRouter(prefix="/studies/{study_id}/informants")


@dataclass(frozen=True)
class Line:
    """Somebody who made extracts, or joined the study."""

    name: str
    # In addresses; None for one who was uploaded with the corpus.
    number: int | None
    group: str
    joined: datetime.datetime | None
    done: int
    # How many texts they do in all, as far as is known.
    share: int | None
    seconds: float | None
    # What the package says of the extracts; None without any.
    extracts: Informant | None
    # With oneself, on the text that came twice.
    oneself: Overlap | None

    @property
    def minutes(self) -> int | None:
        return None if self.seconds is None else round(self.seconds / 60)


@router.get("")
def show(request: Request, study_id: str) -> Response:
    studied = load_study(request, study_id)
    with open_study(request, study_id) as desk:
        people = load_progress(desk).people
    without = tuple(sorted(set(request.query_params.getlist("without"))))
    if without:
        # Who has no extract cannot be left out.
        Voters(frozenset(without)).check(studied.corpus)
    changed = _without(studied, without) if without else {}
    return studied.render(
        "informants.html",
        lines=_lines(studied, people),
        without=without,
        fastest=FASTEST_READER,
        **changed,
    )


def _lines(studied: Studied, people: list[PersonProgress]) -> list[Line]:
    times = {
        (answer.person, answer.key[0]): answer.seconds
        for answer in studied.given
        if not answer.repeated
    }
    made: list[Informant] = studied.keep(
        "informants", lambda: informants(list(studied.votes().values()), times)
    )
    by_name = {one.name: one for one in made}
    groups = {person.id: person.group for person in studied.corpus.people}
    joined = {one.person.name: one for one in people if one.person.joined}
    lines = [
        Line(one.name, None, groups.get(one.name, ""), None, one.texts, None, None, one, None)
        for one in made
        if one.name not in joined
    ]
    oneself = _oneself(studied)
    for name, joiner in joined.items():
        person = joiner.person
        lines.append(
            Line(
                name,
                person.id,
                person.group or groups.get(name, ""),
                person.joined,
                joiner.states["submitted"],
                joiner.share,
                joiner.seconds,
                by_name.get(name),
                oneself.get(name),
            )
        )
    return lines


def _oneself(studied: Studied) -> dict[str, Overlap]:
    """The overlap of the first and the repeated extract of a text, by informant."""
    if studied.study.task != "extract":
        return {}
    first = {(a.person, a.key): a.content for a in studied.given if not a.repeated}
    pairs: dict[str, list[Overlap]] = {}
    for answer in studied.given:
        before = first.get((answer.person, answer.key))
        if answer.repeated and before is not None:
            units = len(studied.corpus.topic(answer.key[0]).units)
            found = overlap(units, before["units"], answer.content["units"])
            pairs.setdefault(answer.person, []).append(found)
    return {
        name: Overlap(*(mean_defined([pair[i] for pair in own]) for i in (0, 1)))
        for name, own in pairs.items()
    }


def _without(studied: Studied, names: tuple[str, ...]) -> dict[str, Any]:
    """What changes when these informants have no vote."""
    votes = list(studied.votes().values())
    references = references_without(votes, names, Length("mean"))
    left = {extract.informant for extract in studied.corpus.extracts} - set(names)
    before = studied.agreement()
    # Chance is not shown here, so nothing is drawn.
    after = studied.agreement(without=names, draws=0) if left else None
    return {
        "references": [
            {
                "topic": studied.corpus.topic(one.topic),
                "number": studied.place(one.topic),
                "before": one.before,
                "after": one.after,
                "added": one.added,
                "removed": one.removed,
            }
            for one in references
        ],
        "touched": sum(bool(one.added or one.removed) for one in references),
        "whole_before": before.whole if before else None,
        "whole_after": after.whole if after and not math.isnan(after.whole.jaccard) else None,
    }
