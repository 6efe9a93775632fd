"""The votes for the sentences of a text, the reference at any length, and what is near to it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, get_args

from fastapi import APIRouter, HTTPException
from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import Response

from summetry.errors import SummetryError, UnknownNameError
from summetry.records.lengths import Length, parse_length, share_of_words
from summetry.records.summaries import Summary
from summetry.references.agreement import MEAN, chance_at_length
from summetry.references.comparison import TextComparison, best_informant, compare_text
from summetry.references.majority import TopicVotes
from summetry.references.voting import Reference, Rule, Ties
from summetry.stats.agreement import mean_defined
from summetry.web.pages import CheckedForm, note, open_study, redirect, site
from summetry.web.statistics import DRAWS, Studied, heat, letters, load_study, topic_at
from summetry.web.store.editors import majority_record, save_reference, saved_reference

router = APIRouter(prefix="/studies/{study_id}/votes")

RULES: tuple[Rule, ...] = get_args(Rule)
LONGEST_TEXT = 200_000


@dataclass(frozen=True)
class Sentence:
    """A unit with its votes, as the page shows it."""

    number: int
    text: str
    votes: int
    heat: int
    is_in: bool
    # The letter of a unit of the tie that decides.
    tie: str


@dataclass(frozen=True)
class Asked:
    """The length and the tie rule that the reader chose; 0 per cent is the mean length."""

    percent: int
    rule: Rule

    @classmethod
    def read(cls, given: Any) -> Asked:
        length, rule = str(given.get("length") or ""), str(given.get("ties") or "position")
        if length and length == str(given.get("mean") or ""):
            # Nobody has moved the slider from the mean, which need not be a whole per cent.
            length = ""
        if length and not (length.isascii() and length.isdigit() and 0 < int(length[:4]) <= 100):
            raise SummetryError(f"length: expected a per cent from 1 to 100, found {length[:20]!r}")
        if rule not in RULES:
            raise UnknownNameError("tie rule", rule, RULES)
        return cls(int(length or 0), rule)

    @property
    def length(self) -> Length:
        return Length("percent", self.percent) if self.percent else Length("mean")

    @property
    def query(self) -> str:
        length = f"length={self.percent}&" if self.percent else ""
        return f"?{length}ties={self.rule}"


@router.get("")
def first(request: Request, study_id: str) -> Response:
    return show(request, study_id, 1)


@router.get("/{number:int}")
def show(request: Request, study_id: str, number: int) -> Response:
    """The votes of a text; the reference at the length and by the rule of the address."""
    studied = load_study(request, study_id)
    return _page(studied, number, Asked.read(request.query_params))


@router.get("/{number:int}/changes")
def changes(request: Request, study_id: str, number: int, seen: str = "") -> Response:
    """Tells a page that waits whether there is something new; it asks every few seconds."""
    with open_study(request, study_id) as desk:
        key = site(request).corpora.key(desk.connection, desk.study)
    return Response(status_code=204, headers={} if seen == _stamp(key) else {"HX-Trigger": "votes"})


@router.post("/{number:int}/compare")
def compare(request: Request, study_id: str, number: int, form: CheckedForm) -> Response:
    """A text that was pasted or uploaded, or a system's, against the reference. Nothing is kept."""
    studied = load_study(request, study_id)
    asked = Asked.read(form)
    topic = topic_at(studied.corpus, number)
    votes = studied.votes().get(topic.id)
    if votes is None:
        raise HTTPException(422, "this text has no extracts yet, so there is no reference")
    name, text = _given_text(studied, topic.id, form)
    compared = compare_text(votes, text, asked.length, ties=Ties(asked.rule), name=name)
    return _page(studied, number, asked, compared, text)


@router.post("/{number:int}/reference")
def keep(request: Request, study_id: str, number: int, form: CheckedForm) -> Response:
    """Save the reference at this length and by this rule with the study, or remove it."""
    studied = load_study(request, study_id)
    asked = Asked.read(form)
    topic = topic_at(studied.corpus, number)
    removing = form.get("do") == "remove"
    old = saved_reference(studied.corpus, topic.id)
    new = None if removing else _to_be_saved(studied, topic.id, asked)
    with site(request).database.writing() as connection:
        save_reference(connection, study_id, topic.id, new)
        if named := new or old:
            action = "removed a reference" if removing else "saved a reference"
            detail = f"{topic.id}: {named.author}"
            note(connection, studied.researcher, action, study_id, detail)
    return redirect(f"/studies/{study_id}/votes/{number}{asked.query}")


def _to_be_saved(studied: Studied, topic: str, asked: Asked) -> Summary:
    votes = studied.votes().get(topic)
    if votes is None:
        raise HTTPException(422, "this text has no extracts yet, so there is no reference")
    ties = Ties(asked.rule)
    reference = votes.reference(asked.length, ties=ties)
    if not reference.units:
        raise HTTPException(422, "no sentence fits into this length; choose a longer one")
    return majority_record(votes, reference, asked.length, ties)


def _is_outdated(votes: TopicVotes, saved: Summary) -> bool:
    """Whether the votes of today would give another reference than the one that was saved."""
    length, ties = saved.meta.get("length"), saved.meta.get("ties")
    if not isinstance(length, str) or not isinstance(ties, str):
        return False
    return votes.reference(parse_length(length), ties=Ties.parse(ties)).units != saved.units


def _given_text(studied: Studied, topic: str, form: FormData) -> tuple[str, str]:
    """The name and the text of what is to be compared."""
    upload, system = form.get("file"), str(form.get("system") or "")
    given = b""
    if isinstance(upload, UploadFile):
        # A browser sends the field even where no file was chosen.
        with upload.file as file:
            given = file.read()
    if isinstance(upload, UploadFile) and upload.filename:
        name = upload.filename
        try:
            text = given.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise SummetryError(
                f"{name}: expected a text file in UTF-8; save it as UTF-8 first"
            ) from None
    elif system:
        systems = _systems(studied, topic)
        if system not in systems:
            raise UnknownNameError("system", system, systems)
        name, text = system, systems[system]
    else:
        name, text = "", str(form.get("text") or "")
    if not text.strip():
        raise SummetryError("expected a text to compare: paste one, or choose a file or a system")
    if len(text) > LONGEST_TEXT:
        raise SummetryError(f"expected a text of at most {LONGEST_TEXT:,} characters")
    return name, text


def _systems(studied: Studied, topic: str) -> dict[str, str]:
    """The summaries of systems that the corpus has of a text."""
    summaries = studied.corpus.of_topic("summaries", topic)
    return {s.author: studied.corpus.text_of(s) for s in summaries if s.role == "candidate"}


def _page(
    studied: Studied,
    number: int,
    asked: Asked,
    compared: TextComparison | None = None,
    pasted: str = "",
) -> Response:
    about = studied.about_text(number)
    topic, votes = about["topic"], about["votes"]
    shown = _voted(studied, votes, asked) if votes else {}
    best = compared.best if compared else None
    if votes and not compared and "hx-request" not in studied.request.headers:
        # The slider does not draw this part anew.
        best = best_informant(votes, asked.length, ties=Ties(asked.rule))
    context: dict[str, Any] = {
        **about,
        "asked": asked,
        "sentences": _sentences(topic.units, votes, shown.get("reference")),
        "total": sum(studied.words[topic.id]),
        "stamp": _stamp(studied.key),
        "systems": list(_systems(studied, topic.id)),
        "compared": compared,
        "best": best,
        "pasted": pasted,
        "saved": saved_reference(studied.corpus, topic.id),
    }
    return studied.render("votes.html", **context, **shown)


def _voted(studied: Studied, votes: TopicVotes, asked: Asked) -> dict[str, Any]:
    """The reference, and what the slider and the ties show."""
    reference = votes.reference(asked.length, ties=Ties(asked.rule))
    mean = mean_defined(votes.percents)
    percent = asked.percent or (0 if math.isnan(mean) else round(mean))
    settings = studied.study.settings
    tie = reference.tie
    saved = saved_reference(studied.corpus, votes.topic.id)
    as_saved = majority_record(votes, reference, asked.length, Ties(asked.rule))
    return {
        "is_saved": saved is not None
        and (saved.author, saved.units) == (as_saved.author, as_saved.units),
        "outdated": saved is not None and _is_outdated(votes, saved),
        "reference": reference,
        "mean": mean,
        "percent": percent,
        "low": min(math.floor(settings.shortest) or 1, percent or 1),
        "high": max(math.ceil(settings.longest), percent),
        "limit": math.floor(reference.limit),
        "share": share_of_words(reference.units, votes.words),
        "chance": chance_at_length(votes, asked.length, "stop", DRAWS),
        "draws": DRAWS,
        # The table of texts goes beyond the mean length, as the paper does.
        "beyond": None if asked.percent else votes.reference(MEAN, "overshoot").agreement,
        "rules": RULES,
        "tied": list(zip(tie.units, letters(len(tie.units)), strict=True)) if tie else [],
        "fitting": sum(unit in reference.units for unit in tie.units) if tie else 0,
    }


def _sentences(
    units: tuple[str, ...], votes: TopicVotes | None, reference: Reference | None
) -> list[Sentence]:
    tied = reference.tie.units if reference and reference.tie else ()
    names = dict(zip(tied, letters(len(tied)), strict=True))
    counts = votes.ballot.votes if votes else [Fraction(0)] * len(units)
    most = votes.ballot.informants if votes else 0
    return [
        Sentence(
            number,
            text,
            int(counts[number]),
            heat(int(counts[number]), most),
            reference is not None and number in reference.units,
            names.get(number, ""),
        )
        for number, text in enumerate(units)
    ]


def _stamp(key: tuple[Any, ...]) -> str:
    """A short name for a state of a study."""
    return "-".join("".join(c for c in str(part) if c.isalnum()) for part in key)
