"""The application: routes, static files, and what is shown when something is wrong."""

from __future__ import annotations

import contextlib
import errno
import http
import logging
from collections.abc import AsyncIterator
from pathlib import Path

from fastapi import FastAPI
from sqlalchemy.exc import DatabaseError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.staticfiles import StaticFiles

from summetry import __version__
from summetry.errors import SummetryError
from summetry.web.database import Database, trouble_of
from summetry.web.pages import HERE, LoginNeededError, Site, catalogue_of, redirect, render
from summetry.web.routes import (
    accounts,
    api,
    differences,
    estimates,
    exports,
    informants,
    join,
    judgments,
    people,
    settings,
    statistics,
    studies,
    texts,
    try_it,
    votes,
    work,
)
from summetry.web.security import MEGABYTE, Guard

_ROUTERS = (
    join.router,
    work.router,
    accounts.router,
    studies.router,
    texts.router,
    settings.router,
    people.router,
    statistics.router,
    votes.router,
    informants.router,
    differences.router,
    judgments.router,
    estimates.router,
    exports.router,
    try_it.router,
)


def create_app(database: str | Path | Database, url: str = "") -> FastAPI:
    """The application on a database, whose tables are brought to the newest schema.

    ``url`` is where visitors find it, if that is another address than the server's own.
    """
    opened = database if isinstance(database, Database) else Database(database)
    opened.upgrade()

    @contextlib.asynccontextmanager
    async def serving(_: FastAPI) -> AsyncIterator[None]:
        # A signal ends the process once the server has stopped, before its caller could do this.
        with contextlib.closing(opened):
            yield
            opened.fold()

    app = FastAPI(
        lifespan=serving,
        title="Summetry",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/v1/openapi.json",
    )
    app.state.site = site = Site(opened)
    # Pages are not part of the documented API.
    for router in _ROUTERS:
        app.include_router(router, include_in_schema=False)
    app.include_router(api.router)
    # The stylesheet is shared with the report, which keeps it.
    static = StaticFiles(directory=HERE / "static", packages=[("summetry.reports", "static")])
    app.mount("/static", static, name="static")
    app.add_exception_handler(LoginNeededError, lambda *_: redirect("/login"))
    app.add_exception_handler(HTTPException, _show)
    app.add_exception_handler(SummetryError, _show)
    app.add_exception_handler(DatabaseError, _not_saved)
    app.add_exception_handler(OSError, _not_saved)
    app.add_middleware(Guard, largest=2 * MEGABYTE, upload=site.upload_limit, url=url)
    return app


def _not_saved(request: Request, error: Exception) -> Response:
    """The answer where the disk is full, or the database busy or broken; other faults go on."""
    if isinstance(error, DatabaseError):
        trouble = trouble_of(error)
    else:
        is_full = isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)
        trouble = "full" if is_full else None
    if trouble is None:
        raise error
    say = catalogue_of(request).gettext
    # The script of the page sends a change again by itself where the server was busy.
    answers = {
        "busy": (503, say("The server was too busy. Nothing was saved. Try again in a moment.")),
        "full": (
            507,
            say("The disk of the server is full. Nothing was saved. Tell the people who run it."),
        ),
    }
    broken = say(
        "The server cannot use its database. Nothing was saved. Tell the people who run it."
    )
    status, told = answers.get(trouble, (500, broken))
    logging.getLogger("uvicorn.error").error("%s: %s", trouble, getattr(error, "orig", error))
    answer = _show(request, HTTPException(status, told))
    if trouble == "busy":
        answer.headers["Retry-After"] = "3"
    return answer


def _show(request: Request, error: Exception) -> Response:
    """What is wrong; a ``SummetryError`` is input that does not hold what it should."""
    status, words = 422, str(error)
    if isinstance(error, HTTPException):
        status, words = error.status_code, str(error.detail)
    if request.url.path.startswith("/api/"):
        return JSONResponse({"detail": words}, status)
    title = http.HTTPStatus(status).phrase
    return render(request, "error.html", status=status, title=title, words=words)
