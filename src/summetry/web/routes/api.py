"""The JSON API: what the pages show and do, for programs.

A token of the page Tokens goes into the header ``Authorization: Bearer TOKEN``;
``/api/v1/openapi.json`` describes it all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, Body, Depends, HTTPException, Query, UploadFile
from fastapi import Path as InPath
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel, ConfigDict, Field
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
from summetry.web.catalogues import choose_language
from summetry.web.exports import EXPORTS, file_name, with_majority, zipped
from summetry.web.pages import limit, note, site, study_of
from summetry.web.routes.studies import must_have_items, must_suit
from summetry.web.settings import StudySettings
from summetry.web.settings_form import unreadable_words
from summetry.web.store.accounts import add_member, find_token, read_log
from summetry.web.store.answers import answers_of, coverage, given_answers
from summetry.web.store.people import add_person, delete_person, people_of
from summetry.web.store.studies import (
    Study,
    all_studies,
    change_study,
    check_name,
    delete_study,
    make_study,
)
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


class Answered(BaseModel):
    model_config = ConfigDict(extra="forbid")


class StudyOut(Answered):
    """A study."""

    id: str
    name: str
    task: str
    state: str
    code: str
    settings: dict[str, Any]
    # What a reader of an upload should know.
    notes: tuple[str, ...] = ()


class StudyChange(Answered):
    """What to change of a study."""

    name: str | None = Field(None, min_length=1, max_length=200)
    state: Literal["draft", "open", "closed"] | None = None
    settings: dict[str, Any] | None = None


class PersonOut(Answered):
    """An informant or judge, with the secret part of their link."""

    id: int
    name: str
    group: str
    key: str
    has_joined: bool
    submitted: int
    begun: int
    seconds: float


class Invitation(Answered):
    """Somebody to invite."""

    name: str = Field(min_length=1, max_length=40)
    group: str = Field("", max_length=80)


class Asking:
    """A program with a token: a connection, and the researcher to whom the token belongs."""

    def __init__(self, request: Request, connection: Connection, researcher: Row[Any]) -> None:
        self.request, self.connection, self.researcher = request, connection, researcher

    def study(self, study_id: str) -> Study:
        return study_of(self.connection, self.researcher, study_id)

    def note(self, action: str, study: str | None = None, detail: str = "") -> None:
        note(self.connection, self.researcher, action, study, detail)


def _asking(
    request: Request,
    token: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)],
) -> Iterator[Asking]:
    with site(request).database.writing() as connection:
        researcher = find_token(connection, token.credentials) if token else None
        if researcher is None:
            limit(request, site(request).tokens)
            raise HTTPException(401, "expected a token: Authorization: Bearer TOKEN")
        yield Asking(request, connection, researcher)


# What was written is kept before the answer says so.
Ask = Annotated[Asking, Depends(_asking, scope="function")]
router = APIRouter(prefix="/api/v1", responses=_ERRORS)


@router.get("/studies")
def list_studies(ask: Ask) -> list[StudyOut]:
    """The studies of the token's researcher."""
    mine = None if ask.researcher.is_admin else ask.researcher.id
    return [_out(study) for study in all_studies(ask.connection, mine)]


@router.post("/studies/import", status_code=201)
def add_study(
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
    files = [UploadedFile(file.filename or "", file.file)]
    upload = read_upload(files, language, unit=unit, titles=titles)
    must_suit(TASKS[task], upload.corpus)
    made = make_study(ask.connection, check_name(name, "name", 200), task, upload.corpus)
    add_member(ask.connection, made, ask.researcher.id)
    study = ask.study(made)
    must_have_items(study, upload.corpus)
    ask.note("made the study", made, name)
    return _out(study, upload.notes)


@router.get("/studies/{study_id}")
def get_study(ask: Ask, study_id: StudyId) -> StudyOut:
    return _out(ask.study(study_id))


@router.patch("/studies/{study_id}")
def patch_study(ask: Ask, study_id: StudyId, changes: Annotated[StudyChange, Body()]) -> StudyOut:
    """Change the name, the settings, or whether it is open."""
    study = ask.study(study_id)
    values: dict[str, Any] = {}
    if changes.name is not None:
        values["name"] = check_name(changes.name, "name", 200)
    if changes.settings is not None:
        try:
            values["settings"] = msgspec.convert(changes.settings, StudySettings)
        except (msgspec.ValidationError, ValueError) as error:
            raise SummetryError(f"settings: {error}") from None
        corpus = site(ask.request).corpora.uploaded(ask.connection, study)
        lost = unreadable_words(
            TASKS[study.task],
            study,
            replace(study, settings=values["settings"]),
            corpus,
            given_answers(ask.connection, study.id),
            choose_language("en"),
        )
        for setting, words in lost.items():
            raise SummetryError(f"{setting}: {words}")
    if changes.state is not None:
        values["state"] = changes.state
    if values:
        change_study(ask.connection, study.id, **values)
        ask.note("changed the study", study.id, ", ".join(values))
    return _out(ask.study(study_id))


@router.delete("/studies/{study_id}", status_code=204, response_class=Response)
def remove_study(ask: Ask, study_id: StudyId) -> Response:
    """Delete a study with everything in it."""
    study = ask.study(study_id)
    delete_study(ask.connection, study.id)
    ask.note("deleted the study", study.id, study.name)
    return Response(status_code=204)


@router.get("/studies/{study_id}/records/{kind}")
def get_records(ask: Ask, study_id: StudyId, kind: str) -> list[dict[str, Any]]:
    """The records of one kind: topics, summaries, extracts, judgments ..."""
    if kind not in KINDS:
        raise HTTPException(404, f"expected one of {', '.join(KINDS)}")
    corpus = site(ask.request).corpora.whole(ask.connection, ask.study(study_id))
    return [msgspec.to_builtins(record) for record in getattr(corpus, kind)]


@router.get("/studies/{study_id}/corpus.zip", response_class=Response, responses={
    200: {"content": {"application/zip": {}}, "description": "the corpus"}})  # fmt: skip
def get_corpus(
    ask: Ask,
    study_id: StudyId,
    format: Literal[EXPORTS] = "folder",  # type: ignore[valid-type]
    length: Annotated[str, Query(max_length=40)] = "",
    ties: Annotated[str, Query(max_length=40)] = "position",
) -> Response:
    """The corpus in a format, with references by majority vote where a length is given."""
    study = ask.study(study_id)
    corpus = site(ask.request).corpora.whole(ask.connection, study)
    exported = zipped(with_majority(corpus, length, ties), format, file_name(study.name))
    ask.note("exported", study.id, format)
    return Response(exported.content, media_type="application/zip")


@router.get("/studies/{study_id}/agreement")
def get_agreement(ask: Ask, study_id: StudyId) -> dict[str, Any]:
    """How far the informants agree, as ``summetry agreement --json`` prints it."""
    study, corpora = ask.study(study_id), site(ask.request).corpora
    corpus = corpora.whole(ask.connection, study)
    key = corpora.key(ask.connection, study)
    agreed = corpora.kept.get(("agreement as data", study_id), key, lambda: agreement(corpus))
    data: dict[str, Any] = as_data(agreement_as_data(agreed))
    return data


@router.get("/studies/{study_id}/references")
def get_references(
    ask: Ask,
    study_id: StudyId,
    length: Annotated[str, Query(max_length=40)] = "mean",
    ties: Annotated[str, Query(max_length=40)] = "position",
) -> list[dict[str, Any]]:
    """References by majority vote, as ``summetry reference --json`` prints them."""
    corpus = site(ask.request).corpora.whole(ask.connection, ask.study(study_id))
    references = make_references(corpus, length, ties=ties)
    return [as_data(reference_as_data(topic)) for topic in references.by_topic]


@router.get("/studies/{study_id}/people")
def get_people(ask: Ask, study_id: StudyId) -> list[PersonOut]:
    """Everybody who was invited or has joined, and what they have done."""
    study = ask.study(study_id)
    return [_person(ask, person) for person in people_of(ask.connection, study.id)]


@router.post("/studies/{study_id}/people", status_code=201)
def invite(ask: Ask, study_id: StudyId, who: Annotated[Invitation, Body()]) -> PersonOut:
    """Invite somebody; their link is ``/s/STUDY/as/KEY``."""
    study = ask.study(study_id)
    person = add_person(ask.connection, study.id, who.name, group=who.group, joined=False)
    ask.note("invited informants", study.id, person.name)
    return _person(ask, person)


@router.delete("/studies/{study_id}/people/{person_id}", status_code=204, response_class=Response)
def remove_person(
    ask: Ask, study_id: StudyId, person_id: Annotated[int, InPath(ge=1, le=2**31 - 1)]
) -> Response:
    """Delete somebody with everything they did."""
    study = ask.study(study_id)
    if person_id not in {person.id for person in people_of(ask.connection, study.id)}:
        raise HTTPException(404, "there is no such person in this study")
    delete_person(ask.connection, person_id)
    change_study(ask.connection, study.id)
    ask.note("deleted an informant", study.id)
    return Response(status_code=204)


@router.get("/studies/{study_id}/coverage")
def get_coverage(ask: Ask, study_id: StudyId) -> list[dict[str, Any]]:
    """How many people have been given each item."""
    study = ask.study(study_id)
    corpus = site(ask.request).corpora.uploaded(ask.connection, study)
    given = coverage(ask.connection, study.id)
    items = TASKS[study.task].items(study, corpus)
    return [{"item": item.key, "people": given[item.key]} for item in items]


@router.get("/studies/{study_id}/log")
def get_log(ask: Ask, study_id: StudyId) -> list[dict[str, Any]]:
    """What researchers did, newest first."""
    study = ask.study(study_id)
    return [
        {"time": row.time.isoformat(), "who": row.who, "action": row.action, "detail": row.detail}
        for row in read_log(ask.connection, study.id)
    ]


def _out(study: Study, notes: tuple[str, ...] = ()) -> StudyOut:
    return StudyOut(
        id=study.id,
        name=study.name,
        task=study.task,
        state=study.state,
        code=study.code,
        settings=msgspec.to_builtins(study.settings),
        notes=notes,
    )


def _person(ask: Asking, person: Row[Any]) -> PersonOut:
    answers = answers_of(ask.connection, person.id)
    return PersonOut(
        id=person.id,
        name=person.name,
        group=person.group,
        key=person.key,
        has_joined=person.joined is not None,
        submitted=sum(answer.given is not None for answer in answers),
        begun=len(answers),
        seconds=sum(answer.seconds for answer in answers),
    )
