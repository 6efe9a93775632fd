"""Starting the page: the database, the account of the administrator, the server."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Callable
from dataclasses import dataclass

import uvicorn

from summetry.errors import SummetryError
from summetry.fetching import LOOPBACK
from summetry.web.app import check_secret, create_app
from summetry.web.database import Database
from summetry.web.demo import make_demo
from summetry.web.store.accounts import add_researcher, all_researchers, make_link
from summetry.web.store.studies import all_studies

SECRET = "SUMMETRY_SECRET"


@dataclass(frozen=True)
class Serving:
    """Where the page is served, and from which database."""

    database: str
    host: str = "127.0.0.1"
    port: int = 8000
    demo: bool = False

    def check(self) -> str:
        """The secret; refused are other addresses than loopback without a good one."""
        if not 0 <= self.port <= 65535:
            raise SummetryError(f"--port: expected a number from 0 to 65535, found {self.port}")
        secret = os.environ.get(SECRET, "")
        if self.host in LOOPBACK and not secret:
            return ""
        if not secret:
            raise SummetryError(
                f"--host {self.host}: set the environment variable {SECRET} to a random text "
                f"first; cookies are signed with it"
            )
        check_secret(secret)
        return secret


def administrator_link(database: Database, demo: bool = False) -> str:
    """The secret of a one-time link for the administrator, who is made where there is none."""
    with database.writing() as connection:
        admins = [one.id for one in all_researchers(connection) if one.is_admin]
        admin = admins[0] if admins else add_researcher(connection, "admin", is_admin=True)
        if demo and not all_studies(connection):
            make_demo(connection, admin)
        return make_link(connection, admin)


@dataclass(frozen=True)
class Started:
    """What whoever started the page should know."""

    address: str
    database: str
    # Logs the administrator in, once.
    login: str
    # The links by which people take part in the demo studies, by the names of these.
    studies: dict[str, str]
    is_public: bool


def serve(serving: Serving, announce: Callable[[Started], None]) -> None:
    """Serve until the process is ended; ``announce`` is called when the page can be reached."""
    secret = serving.check()
    # Before anything is written: a port in use must not leave a database behind.
    with contextlib.closing(_listen(serving.host, serving.port)) as listening:
        database = Database(serving.database)
        app = create_app(database, secret)
        link = administrator_link(database, serving.demo)
        shown = "localhost" if serving.host == "0.0.0.0" else serving.host
        address = f"http://{shown}:{listening.getsockname()[1]}"
        studies = {}
        if serving.demo:
            with database.reading() as connection:
                newest_last = reversed(all_studies(connection))
                studies = {study.name: f"{address}/s/{study.id}" for study in newest_last}
        login = f"{address}/enter/{link}"
        is_public = serving.host not in LOOPBACK
        announce(Started(address, str(database), login, studies, is_public))
        config = uvicorn.Config(
            app, log_level="warning", access_log=False, server_header=False, timeout_keep_alive=30
        )
        uvicorn.Server(config).run([listening])


def default_database(demo: bool) -> str:
    return "summetry-demo.db" if demo else "summetry.db"


def _listen(host: str, port: int) -> socket.socket:
    """A socket that listens already, so that what is wrong is known before anything is printed."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(256)
    except OSError as error:
        listening.close()
        raise SummetryError(
            f"--port {port}: {host} cannot be listened on ({(error.strerror or '').lower()}); is "
            f"another server running? --port 0 takes a free port"
        ) from None
    return listening
