"""The studies of a researcher, and making a new one by uploading a corpus."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import APIRouter
from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import Response

from summetry.errors import SummetryError
from summetry.records.corpus import Corpus
from summetry.records.topics import is_unit
from summetry.text.languages import known_languages, language
from summetry.web.acts import add_study
from summetry.web.catalogues import Catalogue
from summetry.web.pages import (
    CheckedForm,
    catalogue_of,
    need_researcher,
    redirect,
    render,
    site,
)
from summetry.web.store.studies import Study, all_studies, check_name
from summetry.web.tasks import TASKS, Task
from summetry.web.unpacking import UploadedFile
from summetry.web.uploads import Uploaded, read_upload

router = APIRouter(prefix="/studies")


@router.get("")
def list_studies(request: Request) -> Response:
    with site(request).database.reading() as connection:
        researcher = need_researcher(request, connection)
        mine = None if researcher.is_admin else researcher.id
        studies = all_studies(connection, mine)
    return render(request, "studies.html", researcher=researcher, studies=studies, tasks=TASKS)


@router.get("/new")
def new_study(request: Request) -> Response:
    return _new(request, FormData())


@router.post("/new/upload")
def make(request: Request, form: CheckedForm) -> Response:
    """A new study with the corpus in the uploaded files."""
    with site(request).database.reading() as connection:
        researcher = need_researcher(request, connection)
    words = catalogue_of(request)
    problems = {}
    try:
        name = check_name(str(form.get("name", "")), "name", 200)
    except SummetryError:
        problems["name"] = words.gettext("Expected a name of 1 to {most} characters.").format(
            most=200
        )
    task = TASKS.get(str(form.get("task", "")))
    if task is None:
        problems["task"] = words.gettext("Choose one of the list.")
    if problems or task is None:
        return _new(request, form, problems)
    try:
        uploaded = uploaded_corpus(form)
        study = add_study(request, researcher, name, task, uploaded)
    except SummetryError as error:
        return _new(request, form, {"files": str(error)})
    return redirect(f"/studies/{study.id}/texts")


def uploaded_corpus(form: FormData) -> Uploaded:
    """The corpus in the files of a form."""
    sent = [file for file in form.getlist("files") if isinstance(file, UploadFile)]
    files = [UploadedFile(file.filename or "", file.file) for file in sent if file.filename]
    spoken, genre = str(form.get("language", "")), " ".join(str(form.get("genre", "")).split())
    unit = str(form.get("unit", "") or "sentence")
    if not is_unit(unit):
        raise SummetryError("units: choose one of the list")
    return read_upload(
        files,
        spoken,
        genre[:80],
        "skip" if form.get("skip") else "stop",
        unit,
        titles=form.get("titles") == "yes",
    )


def unfit_words(study: Study, corpus: Corpus, words: Catalogue) -> str:
    """Which texts nobody is given, and why; or nothing."""
    unfit = TASKS[study.task].unfit(study, corpus)
    if not unfit:
        return ""
    names = ", ".join(topic.title or topic.id for topic in unfit[:5])
    return words.gettext(
        "Not given to informants: {texts}. No choice of whole units makes {low:g}% to {high:g}% of "
        "the words. Cut the units of these texts, or change the lengths in the settings."
    ).format(
        texts=names + (", …" if unfit[5:] else ""),
        low=study.settings.shortest,
        high=study.settings.longest,
    )


def language_menu() -> list[tuple[str, str]]:
    """The languages of texts, by their English names."""
    return sorted(((code, language(code).name) for code in known_languages()), key=lambda c: c[1])


def _new(request: Request, form: FormData, problems: dict[str, str] | None = None) -> Response:
    with site(request).database.reading() as connection:
        researcher = need_researcher(request, connection)
    tasks: Sequence[Task] = list(TASKS.values())
    return render(
        request,
        "new_study.html",
        status=422 if problems else 200,
        researcher=researcher,
        form=form,
        problems=problems or {},
        tasks=tasks,
        languages=language_menu(),
        unit="sentence",
        limit=site(request).upload_limit // 2**20,
    )
