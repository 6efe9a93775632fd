"""The JSON API: what the pages show and do, for programs.

A token of the page Tokens goes into the header ``Authorization: Bearer TOKEN``;
``/api/v1/openapi.json`` describes it all.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from functools import cached_property
from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, Body, Depends, HTTPException, Query, UploadFile
from fastapi import Path as InPath
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from sqlalchemy import Connection, Row
from starlette.requests import Request
from starlette.responses import Response

from summetry.errors import SummetryError
from summetry.records.corpus import KINDS
from summetry.records.topics import UnitKind
from summetry.references.agreement import agreement
from summetry.references.majority import make_references
from summetry.reports.agreement import agreement_as_data, reference_as_data
from summetry.reports.as_data import as_data
from summetry.web.acts import (
    LONGEST_GROUP,
    add_study,
    change_settings,
    export_study,
    forget_informant,
    invite_people,
    remove_study,
    set_state,
)
from summetry.web.exports import EXPORTS
from summetry.web.pages import Desk, limit, site, study_of
from summetry.web.progress import PersonProgress, load_plan, load_progress
from summetry.web.routes.exports import zip_response
from summetry.web.settings import StudySettings
from summetry.web.settings_form import filled_form
from summetry.web.store.accounts import find_token
from summetry.web.store.answers import STATES, State
from summetry.web.store.keys import make_key
from summetry.web.store.people import LONGEST_NAME
from summetry.web.store.studies import Study, all_studies
from summetry.web.study_tables import TABLES, read_table
from summetry.web.tasks import TASKS
from summetry.web.unpacking import UploadedFile
from summetry.web.uploads import read_upload

_bearer = HTTPBearer(auto_error=False, description="A token of the page Tokens")
StudyId = Annotated[str, InPath(pattern=r"^[a-z0-9]{1,20}$")]
_ERRORS: dict[int | str, dict[str, Any]] = {
    code: {"description": words, "content": {"application/json": {"schema": {
        "type": "object", "properties": {"detail": {}}, "required": ["detail"]}}}}
    for code, words in {
        400: "a request that cannot be read", 401: "no token, or one that is not known",
        403: "not allowed", 404: "there is no such thing", 413: "too large",
        422: "values that do not fit, with the reason", 429: "too many wrong tokens",
    }.items()
}  # fmt: skip


# As it is stored: UTC.
Moment = Annotated[
    datetime.datetime, AfterValidator(lambda time: time.replace(tzinfo=datetime.UTC))
]


class Answered(BaseModel):
    model_config = ConfigDict(extra="forbid")


class StudyOut(Answered):
    """A study."""

    id: str
    name: str
    task: str
    state: str
    code: str
    created: Moment
    settings: dict[str, Any]
    # What a reader of an upload should know.
    notes: tuple[str, ...] = ()


class StudyChange(Answered):
    """What to change of a study; settings that are not named stay as they are."""

    name: str | None = Field(None, min_length=1, max_length=200)
    state: Literal["open", "closed"] | None = None
    settings: dict[str, Any] | None = None


class PersonOut(Answered):
    """An informant or judge, and how far they are.

    ``key`` is the secret part of a personal link, in the answer to an invitation.
    """

    id: int
    name: str
    group: str
    key: str = ""
    language: str
    background: dict[str, str]
    invited: Moment | None
    joined: Moment | None
    assigned: int
    begun: int
    returned: int
    expired: int
    submitted: int
    # How many items they do in all, as far as is known now.
    share: int
    seconds: float


class Invitation(Answered):
    """Somebody to invite."""

    name: str = Field(min_length=1, max_length=LONGEST_NAME)
    group: str = Field("", max_length=LONGEST_GROUP)


class Asking:
    """A program with a token: the researcher to whom the token belongs, and a connection."""

    def __init__(self, request: Request, researcher: Row[Any], ends: ExitStack) -> None:
        self.request, self.researcher, self._ends = request, researcher, ends

    @cached_property
    def connection(self) -> Connection:
        """One transaction, from its first use on: nobody else can save while it writes."""
        database = site(self.request).database
        is_reading = self.request.method == "GET"
        return self._ends.enter_context(database.reading() if is_reading else database.writing())


def _asking(
    request: Request,
    token: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)],
) -> Iterator[Asking]:
    with site(request).database.reading() as connection:
        researcher = find_token(connection, token.credentials) if token else None
    if researcher is None:
        limit(request, site(request).tokens)
        if token:
            raise HTTPException(
                401, "this token is not valid, or not any more; make a new one on the page Tokens"
            )
        raise HTTPException(401, "expected a token: Authorization: Bearer TOKEN")
    with ExitStack() as ends:
        yield Asking(request, researcher, ends)


# What was written is kept before the answer says so.
Ask = Annotated[Asking, Depends(_asking, scope="function")]


def _desk(ask: Ask, study_id: StudyId) -> Desk:
    study = study_of(ask.connection, ask.researcher, study_id)
    return Desk(ask.request, ask.connection, ask.researcher, study)


AtDesk = Annotated[Desk, Depends(_desk)]
router = APIRouter(prefix="/api/v1", responses=_ERRORS)


@router.get("/studies")
def list_studies(ask: Ask) -> list[StudyOut]:
    """The studies of the token's researcher."""
    mine = None if ask.researcher.is_admin else ask.researcher.id
    return [_out(study) for study in all_studies(ask.connection, mine)]


@router.post("/studies/import", status_code=201)
def import_study(
    ask: Ask,
    name: Annotated[str, Query(min_length=1, max_length=200)],
    file: UploadFile,
    task: str = "extract",
    language: Annotated[str, Query(max_length=40)] = "",
    unit: UnitKind = "sentence",
    titles: bool = False,
) -> StudyOut:
    """A new study, in draft, with an uploaded corpus: a zip file, a text or a table.

    ``unit`` is what texts are cut into where the corpus does not say it. With ``titles``, a first
    line that looks like a title becomes the title.
    """
    if task not in TASKS:
        raise SummetryError(f"task: expected one of {', '.join(TASKS)}, found {task[:40]!r}")
    upload = read_upload(
        [UploadedFile(file.filename or "", file.file)], language, unit=unit, titles=titles
    )
    study = add_study(ask.request, ask.researcher, name, TASKS[task], upload)
    return _out(study, upload.notes)


@router.get("/studies/{study_id}")
def get_study(desk: AtDesk) -> StudyOut:
    return _out(desk.study)


@router.patch("/studies/{study_id}")
def patch_study(desk: AtDesk, changes: Annotated[StudyChange, Body()]) -> StudyOut:
    """Change the name, some settings, or whether it is open."""
    study = desk.study
    if changes.name is not None or changes.settings is not None:
        study = _changed(desk, changes.name or study.name, changes.settings or {})
    if changes.state is not None:
        set_state(desk._replace(study=study), changes.state)
        study = replace(study, state=changes.state)
    return _out(study)


@router.delete("/studies/{study_id}", status_code=204, response_class=Response)
def delete_study(desk: AtDesk) -> Response:
    """Delete a study with everything in it."""
    remove_study(desk)
    return Response(status_code=204)


@router.get("/studies/{study_id}/records/{kind}")
def get_records(desk: AtDesk, kind: str) -> list[dict[str, Any]]:
    """The records of one kind: topics, summaries, extracts, judgments ..."""
    if kind not in KINDS:
        raise HTTPException(404, f"expected one of {', '.join(KINDS)}")
    corpus = site(desk.request).corpora.whole(desk.connection, desk.study)
    return [msgspec.to_builtins(record) for record in getattr(corpus, kind)]


@router.get("/studies/{study_id}/corpus.zip", response_class=Response, responses={
    200: {"content": {"application/zip": {}}, "description": "the corpus"}})  # fmt: skip
def get_corpus(
    desk: AtDesk,
    format: Literal[EXPORTS] = "folder",  # type: ignore[valid-type]
    length: Annotated[str, Query(max_length=40)] = "",
    ties: Annotated[str, Query(max_length=40)] = "position",
) -> Response:
    """The corpus in a format, with references by majority vote where a length is given."""
    exported = export_study(desk.request, desk.researcher, desk.study, format, length, ties)
    return zip_response(exported, f"{desk.study.name} {format}")


@router.get("/studies/{study_id}/agreement")
def get_agreement(desk: AtDesk) -> dict[str, Any]:
    """How far the informants agree, as ``summetry agreement --json`` prints it."""
    study, corpora = desk.study, site(desk.request).corpora
    corpus = corpora.whole(desk.connection, study)
    key = corpora.key(desk.connection, study)
    agreed = corpora.kept.get(("agreement as data", study.id), key, lambda: agreement(corpus))
    data: dict[str, Any] = as_data(agreement_as_data(agreed))
    return data


@router.get("/studies/{study_id}/references")
def get_references(
    desk: AtDesk,
    length: Annotated[str, Query(max_length=40)] = "mean",
    ties: Annotated[str, Query(max_length=40)] = "position",
) -> list[dict[str, Any]]:
    """References by majority vote, as ``summetry reference --json`` prints them."""
    corpus = site(desk.request).corpora.whole(desk.connection, desk.study)
    references = make_references(corpus, length, ties=ties)
    return [as_data(reference_as_data(topic)) for topic in references.by_topic]


@router.get("/studies/{study_id}/people")
def get_people(desk: AtDesk) -> list[PersonOut]:
    """Everybody who was invited or has joined, and what they have done."""
    return [_person(one) for one in load_progress(desk).people]


@router.post("/studies/{study_id}/people", status_code=201)
def invite(desk: AtDesk, who: Annotated[Invitation, Body()]) -> PersonOut:
    """Invite somebody; their link is ``/s/STUDY/as/KEY``."""
    (person,) = invite_people(desk, [(who.name, who.group, "")])
    plan = load_plan(desk.connection, desk.study, desk.uploaded())
    key = make_key(desk.connection, "person", person.id)
    return _person(PersonProgress.of(person, (), plan), key)


@router.delete("/studies/{study_id}/people/{person_id}", status_code=204, response_class=Response)
def remove_person(desk: AtDesk, person_id: Annotated[int, InPath(ge=1, le=2**31 - 1)]) -> Response:
    """Delete somebody with everything they did."""
    forget_informant(desk, person_id)
    return Response(status_code=204)


@router.get("/studies/{study_id}/progress")
def get_progress(desk: AtDesk) -> dict[str, Any]:
    """How many people have each item in each state, and what the study still needs.

    ``target`` is how many people each item should have, ``needed`` how many more must begin it.
    ``people_needed`` are new people, if those who are here begin nothing more.
    """
    plan = load_progress(desk).plan
    return {
        "is_full": plan.is_full,
        "answers_needed": plan.answers_needed,
        "people_needed": plan.people_needed,
        "items": [
            {
                "item": key,
                **_by_state(plan.counts.get(key, {})),
                "target": plan.settings.per_text,
                "needed": plan.lacking(key),
            }
            for key in plan.items
        ],
    }


@router.get("/studies/{study_id}/tables/{table}")
def get_table(desk: AtDesk, table: Literal[*TABLES]) -> list[dict[str, Any]]:  # type: ignore[valid-type]
    """What people entered (people, answers, versions), the settings, researchers and their log."""
    return read_table(table, desk.connection, desk.study).records()


def _changed(desk: Desk, name: str, changes: dict[str, Any]) -> Study:
    """The study with this name and these settings, as if they were typed into the page's form."""
    settings = desk.study.settings.as_data() | changes
    try:
        wanted = msgspec.convert(settings, StudySettings)
    except (msgspec.ValidationError, ValueError) as error:
        raise SummetryError(f"settings: {error}") from None
    sent = filled_form(replace(desk.study, name=name, settings=wanted))
    study = change_settings(desk, sent)
    if study is None:
        raise SummetryError("; ".join(f"{name}: {words}" for name, words in sent.problems.items()))
    for field in wanted.__struct_fields__:
        value, saved = getattr(wanted, field), getattr(study.settings, field)
        if value != saved:
            # Such as white space around a title, or a setting of another task.
            raise SummetryError(f"settings.{field}: this study would keep {saved!r}, not {value!r}")
    return study


def _out(study: Study, notes: tuple[str, ...] = ()) -> StudyOut:
    plain = {name: getattr(study, name) for name in StudyOut.model_fields if name != "notes"}
    return StudyOut(**plain | {"settings": study.settings.as_data()}, notes=notes)


def _by_state(counts: Mapping[State, int]) -> dict[str, int]:
    return {state: counts.get(state, 0) for state in STATES}


def _person(one: PersonProgress, key: str = "") -> PersonOut:
    names = ("id", "name", "group", "language", "invited", "joined")
    fields: dict[str, Any] = {name: getattr(one.person, name) for name in names}
    background = msgspec.json.decode(one.person.background)
    return PersonOut(
        **fields | _by_state(one.states),
        key=key,
        background=background,
        share=one.share,
        seconds=round(one.seconds, 1),
    )
