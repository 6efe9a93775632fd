"""Starting the page: the database, the account of the administrator, the server."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

import uvicorn

from summetry.errors import SummetryError
from summetry.fetching import LOOPBACK
from summetry.web.app import create_app
from summetry.web.connections import LimitedProtocol, connection_limit
from summetry.web.database import Database
from summetry.web.demo import make_demo
from summetry.web.store.accounts import add_researcher, all_researchers, make_link
from summetry.web.store.studies import all_studies

_EVERYWHERE = ("0.0.0.0", "::")


@dataclass(frozen=True)
class Serving:
    """Where the page is served, and from which database."""

    database: str
    host: str = "127.0.0.1"
    port: int = 8000
    demo: bool = False
    # Where visitors find the page, if not at the host and the port.
    url: str = ""
    # Addresses of proxies, whose word on the address of a visitor is taken.
    trusted_proxies: tuple[str, ...] = ()

    def check(self) -> None:
        """Refuse what no page can be served by."""
        if not 0 <= self.port <= 65535:
            raise SummetryError(f"--port: expected a number from 0 to 65535, found {self.port}")
        parts = urlsplit(self.url)
        is_url = parts.scheme in ("http", "https") and parts.hostname and parts.path in ("", "/")
        if self.url and (not is_url or parts.query or parts.fragment or parts.username):
            raise SummetryError(
                f"--url: expected an address without a path, as https://study.example.org, found "
                f"{self.url!r}"
            )
        for proxy in self.trusted_proxies:
            try:
                ipaddress.ip_network(proxy)
            except ValueError:
                raise SummetryError(
                    f"--trusted-proxy: expected an IP address or a network, as 127.0.0.1 or "
                    f"10.0.0.0/8, found {proxy!r}"
                ) from None

    def address(self, port: int) -> str:
        """Where visitors find the page, if it is served at a port."""
        host = "localhost" if self.host in _EVERYWHERE else self.host
        host = f"[{host}]" if ":" in host else host
        return self.url.rstrip("/") or f"http://{host}:{port}"

    def warnings(self) -> list[str]:
        """What whoever started the page should know of its safety."""
        is_https = self.url.startswith("https:")
        found = []
        if self.host not in LOOPBACK and not is_https:
            found.append(
                "everybody who reaches this machine reaches the page, and nothing is encrypted; "
                "put a proxy with HTTPS in front of it"
            )
        if is_https and not self.trusted_proxies:
            found.append(
                "all visitors seem to come from the proxy, so a limit that one reaches holds for "
                "all; name the address of the proxy by --trusted-proxy"
            )
        return found


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
    warnings: list[str]


def serve(serving: Serving, announce: Callable[[Started], None]) -> None:
    """Serve until the process is ended; ``announce`` is called when the page can be reached."""
    serving.check()
    # Before anything is written: a port in use must not leave a database behind.
    with contextlib.closing(_listen(serving.host, serving.port)) as listening:
        database = Database(serving.database)
        address = serving.address(listening.getsockname()[1])
        # Whoever is named by the host alone is found by no other name.
        is_named = serving.url or serving.host not in (*LOOPBACK, *_EVERYWHERE)
        app = create_app(database, address if is_named else "")
        link = administrator_link(database, serving.demo)
        studies = {}
        if serving.demo:
            with database.reading() as connection:
                newest_last = reversed(all_studies(connection))
                studies = {study.name: f"{address}/s/{study.id}" for study in newest_last}
        login = f"{address}/enter/{link}"
        announce(Started(address, str(database), login, studies, serving.warnings()))
        LimitedProtocol.most = connection_limit()
        config = uvicorn.Config(
            app,
            http=LimitedProtocol,
            ws="none",
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_keep_alive=30,
            proxy_headers=bool(serving.trusted_proxies),
            forwarded_allow_ips=list(serving.trusted_proxies),
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
