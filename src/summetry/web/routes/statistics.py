"""The statistics of a study: figure 2 of Hassel and Dalianis, live."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from summetry.errors import SummetryError
from summetry.references.agreement import CorpusAgreement, agreement
from summetry.web.pages import need_study, render, site

router = APIRouter(prefix="/studies/{study_id}")


@router.get("")
def texts(request: Request, study_id: str) -> Response:
    """Every text with its extracts and how far they agree."""
    here = site(request)
    with here.database.reading() as connection:
        researcher, study = need_study(request, connection, study_id)
        corpus = here.corpora.whole(connection, study)
        key = here.corpora.key(connection, study)

    def compute() -> CorpusAgreement | None:
        try:
            return agreement(corpus)
        except SummetryError:
            # Nobody has made an extract yet.
            return None

    agreed = here.corpora.kept.get(("agreement", study_id), key, compute)
    return render(
        request, "study.html", researcher=researcher, study=study, corpus=corpus, agreed=agreed
    )
