"""Pages: templates in the reader's language, and what every route needs of the application."""

from __future__ import annotations

import asyncio
import datetime
import math
import secrets
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from fastapi import Depends, HTTPException
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from msgspec.json import decode
from sqlalchemy import Connection, Row
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from summetry.fetching import LOOPBACK
from summetry.records.corpus import Corpus
from summetry.text.languages import direction
from summetry.web import security
from summetry.web.catalogues import Catalogue, catalogues, choose_language, language_name
from summetry.web.corpora import Corpora
from summetry.web.database import Database, now
from summetry.web.security import RateLimit
from summetry.web.store.accounts import find_session, is_member, write_log
from summetry.web.store.keys import make_key
from summetry.web.store.people import find_person
from summetry.web.store.studies import Study, find_study
from summetry.web.unpacking import MOST_FILES

HERE = Path(__file__).parent
LANGUAGE = "summetry_language"
# A form has at most so many fields: a text of many units, each with one.
MOST_FIELDS = 50_000


@dataclass
class Site:
    """One application: its database, and what it keeps in memory."""

    database: Database
    corpora: Corpora = field(default_factory=Corpora)
    # What was wrong: passwords, per address and per account; codes, more of which may come from one
    # address, with a whole class behind it; tokens.
    tries: RateLimit = field(default_factory=lambda: RateLimit(10, 60))
    codes: RateLimit = field(default_factory=lambda: RateLimit(60, 60))
    tokens: RateLimit = field(default_factory=lambda: RateLimit(60, 60))
    # Texts that are pasted to be scored, by anybody.
    scores: RateLimit = field(default_factory=lambda: RateLimit(30, 60))
    # Passwords that are computed at the same time; each takes 64 MB.
    hashing: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(2))
    upload_limit: int = 50 * security.MEGABYTE


def site(request: Request) -> Site:
    found = request.app.state.site
    assert isinstance(found, Site)
    return found


def number(value: float | None, digits: int = 2) -> str:
    """A number as it is shown; a dash where it is undefined. There is no minus zero."""
    if value is None or math.isnan(value):
        return "–"
    return f"{round(value, digits) + 0.0:.{digits}f}"


def percent(catalogue: Catalogue, value: float | None, digits: int = 0) -> str:
    """A number of per cents as the language writes it."""
    shown = number(value, digits)
    return shown if shown == "–" else catalogue.gettext("{number}%").format(number=shown)


def day(moment: datetime.datetime | None) -> str:
    """A date as it is shown, which is never broken at a hyphen."""
    text = "" if moment is None else moment.strftime("%Y-%m-%d")
    return text and Markup('<span class="nowrap">{}</span>').format(text)


def clock(moment: datetime.datetime | None) -> str:
    """The time in UTC; the page's script turns it into the reader's own time."""
    return "" if moment is None else moment.strftime("%H:%M")


@cache
def environment_of(catalogue: Catalogue) -> Environment:
    """One environment for each language: templates are compiled with its words."""
    environment = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n"],
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.install_gettext_translations(catalogue, newstyle=True)  # type: ignore[attr-defined]
    environment.filters |= {"number": number, "day": day, "clock": clock, "from_json": decode}
    environment.filters["percent"] = partial(percent, catalogue)
    environment.globals |= {
        "direction": direction,
        "language_name": language_name,
        "catalogue": catalogue,
        "catalogues": catalogues,
        "loopback": LOOPBACK,
        "now": now,
    }
    return environment


def catalogue_of(request: Request, *wanted: str) -> Catalogue:
    """The reader's language: chosen on the page, then ``wanted``, then what the browser says."""
    chosen = request.cookies.get(LANGUAGE, "")
    return choose_language(chosen, *wanted, request.headers.get("accept-language", ""))


def render(
    request: Request, template: str, *, status: int = 200, wanted: str = "", **context: Any
) -> HTMLResponse:
    """A page; every form on it can carry ``csrf``."""
    visit = request.cookies.get(security.VISIT) or secrets.token_urlsafe(18)
    catalogue = catalogue_of(request, wanted)
    values: dict[str, Any] = {"request": request, "csrf": security.form_token(visit)}
    values |= {"study": None, "person": None, "researcher": None, **context}
    text = environment_of(catalogue).get_template(template).render(values)
    response = HTMLResponse(text, status)
    if security.VISIT not in request.cookies:
        security.set_cookie(request, response, security.VISIT, visit, security.HALF_A_YEAR)
    return response


def redirect(address: str) -> Response:
    return RedirectResponse(address, 303)


async def checked_form(request: Request) -> AsyncIterator[FormData]:
    """The form of a request, if one of our own pages sent it in this visit."""
    visit = request.cookies.get(security.VISIT, "")
    # Its files are closed when the request was answered.
    async with request.form(max_files=MOST_FILES, max_fields=MOST_FIELDS) as form:
        token = request.headers.get("x-csrf-token") or form.get("csrf", "")
        expected = security.form_token(visit)
        known = isinstance(token, str) and secrets.compare_digest(token.encode(), expected.encode())
        if not (visit and known and security.comes_from_here(request)):
            raise HTTPException(403, "this form is too old; load the page again and repeat")
        yield form


# What a route takes that changes something.
CheckedForm = Annotated[FormData, Depends(checked_form)]


def limit(request: Request, rate: RateLimit, account: str = "") -> None:
    """Count a try, of an address and of an account; refuse one who tries too often."""
    if not rate.allows(*_who_tries(request, account)):
        raise HTTPException(429, "too many tries; wait a minute and try again")


def forgive(request: Request, rate: RateLimit, account: str = "") -> None:
    """Only what was wrong counts: take back a try that was right."""
    rate.forgive(*_who_tries(request, account))


def _who_tries(request: Request, account: str) -> list[str]:
    name = " ".join(account.split())[:80]
    return [f"address {security.address_of(request)}", *([f"account {name}"] if name else [])]


# ── who asks ──────────────────────────────────────────────────────────────


def cookie_of(study: str) -> str:
    return f"summetry_{study}"


def person_of(request: Request, connection: Connection, study: str) -> Row[Any] | None:
    """The informant whose cookie came with the request; it holds what the personal link holds."""
    key = request.cookies.get(cookie_of(study))
    return find_person(connection, study, key) if key else None


def let_in(request: Request, response: Response, study: str, key: str) -> Response:
    """Remember an informant in a cookie that is sent to this study only."""
    path = f"/s/{study}"
    security.set_cookie(request, response, cookie_of(study), key, security.HALF_A_YEAR, path)
    return response


def researcher_of(request: Request, connection: Connection) -> Row[Any] | None:
    """The researcher who is logged in."""
    key = request.cookies.get(security.RESEARCHER)
    return find_session(connection, key) if key else None


def log_in(
    request: Request, connection: Connection, response: Response, researcher: int
) -> Response:
    """Begin a session, which lasts until it is logged out, or for half a day."""
    key = make_key(connection, "session", researcher)
    security.set_cookie(request, response, security.RESEARCHER, key, security.HALF_A_DAY)
    return response


class LoginNeededError(Exception):
    """The page is for researchers, and nobody is logged in."""


def need_researcher(request: Request, connection: Connection) -> Row[Any]:
    found = researcher_of(request, connection)
    if found is None:
        raise LoginNeededError
    return found


def need_admin(request: Request, connection: Connection) -> Row[Any]:
    found = need_researcher(request, connection)
    if not found.is_admin:
        raise HTTPException(404, "there is no such page")
    return found


def study_of(connection: Connection, researcher: Row[Any], study: str) -> Study:
    """A study of a researcher's; a study of others is as if it were not there."""
    found = find_study(connection, study)
    if found is None or not (researcher.is_admin or is_member(connection, study, researcher.id)):
        raise HTTPException(404, "there is no such study")
    return found


def need_study(request: Request, connection: Connection, study: str) -> tuple[Row[Any], Study]:
    researcher = need_researcher(request, connection)
    return researcher, study_of(connection, researcher, study)


def note(
    connection: Connection,
    researcher: Row[Any],
    action: str,
    study: str | None = None,
    detail: str = "",
) -> None:
    """Log what a researcher did."""
    write_log(connection, researcher.name, action, study, detail)


class Desk(NamedTuple):
    """A study before the researcher who asks; its connection ends with ``open_study``."""

    request: Request
    connection: Connection
    researcher: Row[Any]
    study: Study

    def uploaded(self) -> Corpus:
        return site(self.request).corpora.uploaded(self.connection, self.study)

    def note(self, action: str, detail: str = "") -> None:
        """Log what the researcher did to the study."""
        note(self.connection, self.researcher, action, self.study.id, detail)

    def render(self, template: str, **context: Any) -> HTMLResponse:
        """A page of the study."""
        context |= {"researcher": self.researcher, "study": self.study}
        return render(self.request, template, **context)


@contextmanager
def open_study(request: Request, study_id: str, writes: bool = False) -> Iterator[Desk]:
    """A study of the researcher's, for reading or for one transaction that changes it."""
    database = site(request).database
    with database.writing() if writes else database.reading() as connection:
        yield Desk(request, connection, *need_study(request, connection, study_id))
