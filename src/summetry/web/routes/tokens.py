"""Tokens of the JSON API: a researcher makes and removes their own."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from summetry.web.pages import CheckedForm, need_researcher, note, redirect, render, site
from summetry.web.store.accounts import delete_token, make_token, tokens_of

router = APIRouter(prefix="/account/tokens")


@router.get("")
def page(request: Request) -> Response:
    return _page(request)


@router.post("")
def add(request: Request, form: CheckedForm) -> Response:
    """A new token, which is shown this once."""
    with site(request).database.writing() as connection:
        researcher = need_researcher(request, connection)
        token = make_token(connection, researcher.id, str(form.get("name", "")))
        note(connection, researcher, "made a token")
    return _page(request, token)


@router.post("/{number:int}/delete")
def remove(request: Request, number: int, form: CheckedForm) -> Response:
    with site(request).database.writing() as connection:
        researcher = need_researcher(request, connection)
        delete_token(connection, researcher.id, number)
        note(connection, researcher, "deleted a token")
    return redirect("/account/tokens")


def _page(request: Request, token: str = "") -> Response:
    with site(request).database.reading() as connection:
        researcher = need_researcher(request, connection)
        tokens = tokens_of(connection, researcher.id)
    return render(request, "tokens.html", researcher=researcher, tokens=tokens, token=token)
