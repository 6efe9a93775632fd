"""Where informants differ, who chose what, and an editor's extract beside the vote."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, HTTPException
from starlette.requests import Request
from starlette.responses import Response

from summetry.records.lengths import Length, share_of_words
from summetry.references.comparison import compare_units
from summetry.references.informants import disputed_units
from summetry.web.pages import CheckedForm, open_study, redirect
from summetry.web.statistics import heat, load_study, topic_at
from summetry.web.store.editors import editor_name, editors_extracts, keep_extract
from summetry.web.tasks import BadFormError, whole_numbers

router = APIRouter(prefix="/studies/{study_id}/differences")

# Sentences that the table of a text shows before the rest is folded away.
SHOWN = 10


@router.get("")
def overview(request: Request, study_id: str) -> Response:
    """Every text with the sentence on which its informants differ most."""
    studied = load_study(request, study_id)
    lines = [
        {
            "number": studied.place(votes.topic.id),
            "topic": votes.topic,
            "language": votes.language,
            "extracts": len(votes.extracts),
            "disputed": disputed_units(votes),
            "editors": editors_extracts(studied.corpus, votes.topic.id),
        }
        for votes in studied.votes().values()
    ]
    return studied.render("differences.html", lines=lines)


@router.get("/{number:int}")
def show(request: Request, study_id: str, number: int) -> Response:
    studied = load_study(request, study_id)
    about = studied.about_text(number)
    topic, votes = about["topic"], about["votes"]
    words = studied.words[topic.id]
    reference = votes.reference(Length("mean")) if votes else None
    own = editor_name(studied.researcher.name)
    editors = [
        {
            "author": extract.author,
            "is_mine": extract.author == own,
            "units": extract.units or (),
            "share": share_of_words(extract.units or (), words),
            "overlap": compare_units(extract.units or (), reference.units if reference else ()),
        }
        for extract in editors_extracts(studied.corpus, topic.id)
    ]
    mine: Any = next((one["units"] for one in editors if one["is_mine"]), None)
    counts = votes.ballot.votes if votes else [0] * len(topic.units)
    people = votes.ballot.informants if votes else 0
    return studied.render(
        "difference.html",
        **about,
        counts=[int(count) for count in counts],
        heats=[heat(int(count), people) for count in counts],
        disputed=disputed_units(votes) if votes else [],
        shown=SHOWN,
        reference=reference,
        reference_share=share_of_words(reference.units, words) if reference else 0,
        editors=editors,
        mine=mine,
        # The form starts from the vote where the editor has chosen nothing yet.
        chosen=mine if mine is not None else (reference.units if reference else ()),
    )


@router.post("/{number:int}/editor")
def keep(request: Request, study_id: str, number: int, form: CheckedForm) -> Response:
    """Keep the researcher's own extract of a text, or delete it."""
    with open_study(request, study_id, writes=True) as desk:
        corpus = desk.uploaded()
        topic = topic_at(corpus, number)
        try:
            units = whole_numbers(form.getlist("unit"), len(topic.units))
        except BadFormError as error:
            raise HTTPException(400, str(error)) from None
        deleting = form.get("do") == "delete"
        if not units and not deleting:
            raise HTTPException(422, "choose at least one sentence for the editor's extract")
        own = () if deleting else units
        keep_extract(desk.connection, study_id, topic.id, desk.researcher.name, own)
        action = "deleted an editor's extract" if deleting else "kept an editor's extract"
        desk.note(action, f"{topic.id}: {len(units)} units")
    return redirect(f"/studies/{study_id}/differences/{number}")
