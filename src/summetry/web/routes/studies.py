"""The studies of a researcher."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from summetry.web.pages import need_researcher, render, site
from summetry.web.store.studies import all_studies
from summetry.web.tasks import TASKS

router = APIRouter(prefix="/studies")


@router.get("")
def list_studies(request: Request) -> Response:
    with site(request).database.reading() as connection:
        researcher = need_researcher(request, connection)
        mine = None if researcher.is_admin else researcher.id
        studies = all_studies(connection, mine)
    return render(request, "studies.html", researcher=researcher, studies=studies, tasks=TASKS)
