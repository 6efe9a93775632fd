"""Logging in and out."""

from __future__ import annotations

from fastapi import APIRouter, HTTPException
from starlette.requests import Request
from starlette.responses import Response

from summetry.web.pages import (
    CheckedForm,
    catalogue_of,
    limit,
    log_in,
    note,
    redirect,
    render,
    site,
)
from summetry.web.security import RESEARCHER
from summetry.web.store.accounts import check_password, use_link

router = APIRouter()


@router.get("/login")
def login_page(request: Request) -> Response:
    return render(request, "login.html", wrong="")


@router.post("/login")
def login(request: Request, form: CheckedForm) -> Response:
    limit(request, site(request).tries)
    name, password = str(form.get("name", "")), str(form.get("password", ""))
    with site(request).database.writing() as connection:
        researcher = check_password(connection, name, password)
        if researcher:
            note(connection, researcher, "logged in")
    if researcher is None:
        wrong = catalogue_of(request).gettext("Name or password is wrong.")
        return render(request, "login.html", status=401, wrong=wrong)
    return log_in(request, redirect("/studies"), researcher)


@router.get("/enter/{secret}")
def enter_page(request: Request, secret: str) -> Response:
    """A button uses the link up: a program that only looks at links must not."""
    return render(request, "enter.html", secret=secret)


@router.post("/enter/{secret}")
def enter(request: Request, secret: str, form: CheckedForm) -> Response:
    limit(request, site(request).tries)
    with site(request).database.writing() as connection:
        researcher = use_link(connection, secret)
        if researcher is None:
            raise HTTPException(404, "this link was used already, or is too old; ask for a new one")
        note(connection, researcher, "logged in", detail="by a one-time link")
    return log_in(request, redirect("/studies"), researcher)


@router.post("/logout")
def logout(request: Request, form: CheckedForm) -> Response:
    response = redirect("/")
    response.delete_cookie(RESEARCHER)
    return response
