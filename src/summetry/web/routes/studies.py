"""The studies of a researcher, and making a new one by uploading a corpus."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import APIRouter
from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import Response

from summetry.errors import SummetryError
from summetry.records.corpus import Corpus, counted_records
from summetry.records.topics import is_unit
from summetry.text.languages import known_languages, language
from summetry.web.catalogues import Catalogue
from summetry.web.pages import (
    CheckedForm,
    catalogue_of,
    need_researcher,
    note,
    redirect,
    render,
    site,
)
from summetry.web.store.accounts import add_member
from summetry.web.store.studies import Study, all_studies, check_name, find_study, make_study
from summetry.web.tasks import TASKS, Task
from summetry.web.unpacking import UploadedFile
from summetry.web.uploads import Uploaded, read_upload

router = APIRouter(prefix="/studies")

# Which file of an upload gives what a task needs.
GIVEN_BY = {
    "summaries": "summaries.jsonl of a native folder, a column 'summary' of a table, or texts in "
    "references/ and candidates/",
    "extracts": "extracts.jsonl of a native folder, or texts in extracts/",
    "utilities": "utilities.jsonl of a native folder",
    "pyramids": "pyramids.jsonl of a native folder, or DUCView's .pyr files",
    "questions": "questions.jsonl of a native folder",
}


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
        need_researcher(request, connection)
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
        must_suit(task, uploaded.corpus)
        with site(request).database.writing() as connection:
            researcher = need_researcher(request, connection)
            study_id = make_study(connection, name, task.name, uploaded.corpus)
            add_member(connection, study_id, researcher.id)
            study = find_study(connection, study_id)
            assert study is not None
            must_have_items(study, uploaded.corpus)
            note(connection, researcher, "made the study", study_id, name)
            note(connection, researcher, UPLOADED, study_id, upload_words(uploaded))
    except SummetryError as error:
        return _new(request, form, {"files": str(error)})
    return redirect(f"/studies/{study_id}/texts")


# The action of the log whose detail lists what a reader noted.
UPLOADED = "uploaded texts"


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


def must_suit(task: Task, corpus: Corpus) -> None:
    """Refuse a corpus that lacks what a task works on."""
    lacking = [kind for kind in task.needs if not getattr(corpus, kind)]
    if lacking:
        kind = lacking[0]
        raise SummetryError(
            f"this task needs {kind}, and the upload has none; "
            f"they come from {GIVEN_BY.get(kind, f'{kind}.jsonl of a native folder')}"
        )


def must_have_items(study: Study, corpus: Corpus) -> None:
    task = TASKS[study.task]
    if task.items(study, corpus) or task.unfit(study, corpus):
        return
    if not any(topic.units for topic in corpus.topics):
        raise SummetryError(
            "the upload has nothing to work on for this task: its topics have no text (SEE, SPL "
            "and DUCView, for example, hold summaries only); upload the texts that are summarized"
        )
    raise SummetryError(
        "the upload has nothing to work on for this task: its topics lack what the task asks about"
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


def upload_words(uploaded: Uploaded) -> str:
    """What was uploaded, and the notes on it, one per line; the log keeps it."""
    corpus = uploaded.corpus
    kinds = ("topics", "summaries", "extracts", "judgments", "utilities", "pyramids", "questions")
    counts = [counted_records(len(getattr(corpus, k)), k) for k in kinds if getattr(corpus, k)]
    shown = [note if len(note) <= 300 else f"{note[:300]}..." for note in uploaded.notes[:5]]
    if len(uploaded.notes) > len(shown):
        shown.append(f"and {len(uploaded.notes) - len(shown)} more notes")
    return "\n".join([", ".join(counts), *shown])


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
