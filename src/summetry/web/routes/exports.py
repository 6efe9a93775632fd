"""Export: a study as files."""

from __future__ import annotations

from urllib.parse import quote

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from summetry.errors import SummetryError
from summetry.records.prose import main_unit
from summetry.web.acts import export_study
from summetry.web.exports import Exported, csv_text, file_name, offered, with_saved
from summetry.web.pages import open_study, site
from summetry.web.study_tables import read_table

router = APIRouter(prefix="/studies/{study_id}/export")


@router.get("")
def page(request: Request, study_id: str) -> Response:
    return _page(request, study_id)


@router.get("/corpus.zip")
def corpus_zip(
    request: Request,
    study_id: str,
    format: str = "folder",
    length: str = "",
    ties: str = "position",
) -> Response:
    """The corpus in a format, with majority references where a length is given."""
    with open_study(request, study_id) as desk:
        researcher, study = desk.researcher, desk.study
    try:
        exported = export_study(request, researcher, study, format, length, ties)
    except SummetryError as error:
        asked = {"format": format, "length": length, "ties": ties}
        return _page(request, study_id, asked, str(error))
    return zip_response(exported, f"{study.name} {format}")


def zip_response(exported: Exported, name: str) -> Response:
    """A zip file as a download; notes are in a header, since it has no page to show them on."""
    headers = {"Content-Disposition": f'attachment; filename="{file_name(name)}.zip"'}
    if exported.notes:
        headers["X-Notes"] = quote("; ".join(exported.notes)[:2000])
    return Response(exported.content, media_type="application/zip", headers=headers)


def _page(
    request: Request, study_id: str, asked: dict[str, str] | None = None, wrong: str = ""
) -> Response:
    """The form as it was ``asked``, and what is wrong with it."""
    with open_study(request, study_id) as desk:
        corpus = site(request).corpora.whole(desk.connection, desk.study)
    first = {"format": "folder", "length": "mean" if corpus.extracts else "", "ties": "position"}
    return desk.render(
        "export.html",
        status=422 if wrong else 200,
        corpus=corpus,
        formats=offered(corpus),
        unit=main_unit(corpus),
        saved=len(with_saved(corpus)),
        asked=asked or first,
        wrong=wrong,
        # Whatever is said of a length is said of this field.
        wrong_length="length" in wrong,
    )


@router.get("/versions.csv")
def versions_csv(request: Request, study_id: str) -> Response:
    """Every change that informants made."""
    with open_study(request, study_id) as desk:
        table = read_table("versions", desk.connection, desk.study)
    text = csv_text(table.columns, table.rows, for_people=True)
    name = f"{file_name(desk.study.name)}-versions.csv"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type="text/csv; charset=utf-8", headers=headers)
