"""Logging in and out; the researchers' accounts, their tokens of the JSON API, and their log."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, HTTPException
from sqlalchemy import Row
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from summetry.errors import SummetryError
from summetry.web.pages import (
    CheckedForm,
    catalogue_of,
    forgive,
    limit,
    log_in,
    need_admin,
    need_researcher,
    note,
    redirect,
    render,
    researcher_of,
    site,
)
from summetry.web.security import RESEARCHER
from summetry.web.store.accounts import (
    SHORTEST_PASSWORD,
    add_researcher,
    all_researchers,
    delete_researcher,
    delete_token,
    find_by_name,
    find_researcher,
    hashed,
    is_link,
    is_password,
    make_link,
    make_token,
    read_log,
    reset_access,
    set_admin,
    set_password,
    tokens_of,
    use_link,
)
from summetry.web.store.keys import end_key

router = APIRouter()

USED_LINK = "this link was used already, or is too old; ask for a new one"


@router.get("/login")
def login_page(request: Request) -> Response:
    return render(request, "login.html", wrong="")


async def _checked(request: Request, name: str, password: str) -> Row[Any] | None:
    """The researcher whose name and password these are; wrong tries are limited.

    It is computed outside of transactions, and only so many at a time: whoever waits for that keeps
    no thread from those who save.
    """
    limit(request, site(request).tries, name)

    def find() -> Row[Any] | None:
        with site(request).database.reading() as connection:
            return find_by_name(connection, name)

    researcher = await run_in_threadpool(find)
    async with site(request).hashing:
        if not await run_in_threadpool(is_password, password, researcher):
            return None
    forgive(request, site(request).tries, name)
    return researcher


@router.post("/login")
async def login(request: Request, form: CheckedForm) -> Response:
    checked = await _checked(request, str(form.get("name", "")), str(form.get("password", "")))

    def enter() -> Response | None:
        if checked is None:
            return None
        with site(request).database.writing() as connection:
            researcher = find_researcher(connection, checked.id)
            if researcher is None or researcher.password != checked.password:
                # Changed while it was checked.
                return None
            note(connection, researcher, "logged in")
            return log_in(request, connection, redirect("/studies"), researcher.id)

    if entered := await run_in_threadpool(enter):
        return entered
    wrong = catalogue_of(request).gettext("Name or password is wrong.")
    return render(request, "login.html", status=401, wrong=wrong)


@router.get("/enter/{secret}")
def enter_page(request: Request, secret: str) -> Response:
    """A button uses the link up: a program that only looks at links must not."""
    with site(request).database.reading() as connection:
        if not is_link(connection, secret):
            if researcher_of(request, connection):
                return redirect("/studies")
            limit(request, site(request).tries)
            raise HTTPException(404, USED_LINK)
    return render(request, "enter.html", secret=secret)


@router.post("/enter/{secret}")
def enter(request: Request, secret: str, form: CheckedForm) -> Response:
    limit(request, site(request).tries)
    with site(request).database.writing() as connection:
        researcher = use_link(connection, secret)
        if researcher is None:
            raise HTTPException(404, USED_LINK)
        note(connection, researcher, "logged in", detail="by a one-time link")
        forgive(request, site(request).tries)
        return log_in(request, connection, redirect("/studies"), researcher.id)


@router.post("/logout")
def logout(request: Request, form: CheckedForm) -> Response:
    with site(request).database.writing() as connection:
        end_key(connection, "session", request.cookies.get(RESEARCHER, ""))
    response = redirect("/")
    response.delete_cookie(RESEARCHER)
    return response


@router.get("/account")
def account_page(request: Request) -> Response:
    with site(request).database.reading() as connection:
        researcher = need_researcher(request, connection)
    return _account(request, researcher)


@router.post("/account")
async def change_password(request: Request, form: CheckedForm) -> Response:
    """A new password of one's own; who has one already names it first."""
    old, new = str(form.get("old", "")), str(form.get("new", ""))
    words = catalogue_of(request)
    problems = {}

    def who() -> Row[Any]:
        with site(request).database.reading() as connection:
            return need_researcher(request, connection)

    researcher = await run_in_threadpool(who)
    if researcher.password and not await _checked(request, researcher.name, old):
        problems["old"] = words.gettext("This is not your password.")
    if len(new) < SHORTEST_PASSWORD:
        problems["new"] = words.gettext("Expected {least} or more characters.").format(
            least=SHORTEST_PASSWORD
        )
    elif new != str(form.get("again", "")):
        problems["again"] = words.gettext("The two passwords are not the same.")
    if problems:
        return _account(request, researcher, problems)
    digest = await run_in_threadpool(hashed, new)

    def change() -> Response:
        with site(request).database.writing() as connection:
            set_password(connection, need_researcher(request, connection).id, digest)
            note(connection, researcher, "changed the password")
            # Other devices and programs are logged out, this one stays.
            return log_in(request, connection, redirect("/account?saved=1"), researcher.id)

    return await run_in_threadpool(change)


@router.get("/account/tokens")
def tokens_page(request: Request) -> Response:
    return _tokens(request)


@router.post("/account/tokens")
def add_token(request: Request, form: CheckedForm) -> Response:
    """A new token, which is shown this once."""
    with site(request).database.writing() as connection:
        researcher = need_researcher(request, connection)
        token = make_token(connection, researcher.id, str(form.get("name", "")))
        note(connection, researcher, "made a token")
    return _tokens(request, token)


@router.post("/account/tokens/{number:int}/delete")
def remove_token(request: Request, number: int, form: CheckedForm) -> Response:
    with site(request).database.writing() as connection:
        researcher = need_researcher(request, connection)
        delete_token(connection, researcher.id, number)
        note(connection, researcher, "deleted a token")
    return redirect("/account/tokens")


@router.get("/accounts")
def accounts_page(request: Request) -> Response:
    return _accounts(request)


@router.post("/accounts")
def add_account(request: Request, form: CheckedForm) -> Response:
    """A new researcher, who comes in by a one-time link, or by a password."""
    name, password = str(form.get("name", "")), str(form.get("password", ""))
    with site(request).database.reading() as connection:
        need_admin(request, connection)
    try:
        digest = hashed(password) if password else ""
        with site(request).database.writing() as connection:
            admin = need_admin(request, connection)
            added = add_researcher(connection, name, digest, is_admin=form.get("admin") == "yes")
            row = find_researcher(connection, added)
            assert row is not None
            note(connection, admin, "added an account", detail=row.name)
            secret = "" if password else make_link(connection, added)
    except SummetryError as error:
        return _accounts(request, wrong=str(error), form=dict(form))
    return _accounts(request, made=row.name, secret=secret)


@router.post("/accounts/{number:int}")
def change_account(request: Request, number: int, form: CheckedForm) -> Response:
    """Reset an account by a new link, remove it, or change whether it is an administrator's."""
    action, secret = str(form.get("do", "")), ""
    with site(request).database.writing() as connection:
        admin = need_admin(request, connection)
        account = find_researcher(connection, number) if number < 2**31 else None
        if account is None:
            raise HTTPException(404, "there is no such account")
        if action == "reset":
            if account.id == admin.id:
                raise HTTPException(422, "set your own password on your account page")
            secret = reset_access(connection, account.id)
            note(connection, admin, "reset an account", detail=account.name)
        admins = [one.id for one in all_researchers(connection) if one.is_admin]
        if action in ("remove", "no-admin") and admins == [account.id]:
            raise SummetryError(
                f"{account.name!r} is the only administrator; make another one first"
            )
        if action == "remove":
            if form.get("confirm") != "yes":
                raise SummetryError("tick the box to confirm that the account is to be removed")
            delete_researcher(connection, account.id)
            note(connection, admin, "removed an account", detail=account.name)
        elif action in ("admin", "no-admin"):
            set_admin(connection, account.id, action == "admin")
            words = "made an administrator" if action == "admin" else "made a researcher"
            note(connection, admin, words, detail=account.name)
        elif not secret:
            raise HTTPException(400, "expected a button of the page")
    return _accounts(request, made=account.name, secret=secret) if secret else redirect("/accounts")


@router.get("/log")
def log_of_everything(request: Request) -> Response:
    with site(request).database.reading() as connection:
        researcher = need_admin(request, connection)
        entries = read_log(connection)
    return render(request, "log.html", researcher=researcher, entries=entries)


def _account(
    request: Request, researcher: Row[Any], problems: dict[str, str] | None = None
) -> Response:
    return render(
        request,
        "account.html",
        status=422 if problems else 200,
        researcher=researcher,
        problems=problems or {},
        least=SHORTEST_PASSWORD,
    )


def _accounts(
    request: Request,
    *,
    wrong: str = "",
    form: dict[str, Any] | None = None,
    made: str = "",
    secret: str = "",
) -> Response:
    with site(request).database.reading() as connection:
        admin = need_admin(request, connection)
        accounts = all_researchers(connection)
    link = f"{str(request.base_url).rstrip('/')}/enter/{secret}" if secret else ""
    return render(
        request,
        "accounts.html",
        status=422 if wrong else 200,
        researcher=admin,
        accounts=accounts,
        wrong=wrong,
        form=form or {},
        made=made,
        link=link,
        least=SHORTEST_PASSWORD,
    )


def _tokens(request: Request, token: str = "") -> Response:
    with site(request).database.reading() as connection:
        researcher = need_researcher(request, connection)
        tokens = tokens_of(connection, researcher.id)
    return render(request, "tokens.html", researcher=researcher, tokens=tokens, token=token)
