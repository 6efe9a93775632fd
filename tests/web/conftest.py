"""The web page in tests: without a server, with a real one, in a real browser, on PostgreSQL."""

import contextlib
import os
import pwd
import queue
import re
import shutil
import socket
import subprocess
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
import uvicorn
from anyio.from_thread import start_blocking_portal
from argon2 import PasswordHasher
from browsers import HOST, kept_context
from fastapi.testclient import TestClient
from lxml.html import fromstring
from sqlalchemy import create_engine, text

from summetry.web.app import create_app
from summetry.web.database import Database
from summetry.web.demo import demo_corpus
from summetry.web.pages import Site
from summetry.web.server import Serving, Started, administrator_link, serve
from summetry.web.settings import StudySettings
from summetry.web.store import accounts
from summetry.web.store.accounts import add_member, add_researcher, read_log
from summetry.web.store.people import people_of
from summetry.web.store.studies import find_study, make_study, stored_corpus

_dear = accounts._hasher


@pytest.fixture(scope="session", autouse=True)
def cheap_passwords():
    """Passwords are hashed in a millisecond instead of a third of a second."""
    cheap = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(accounts, "_hasher", cheap)
        patch.setattr(accounts, "_nobody", cheap.hash(os.urandom(9).hex()))
        yield


@pytest.fixture
def dear_passwords(monkeypatch):
    """Passwords are hashed as on a server."""
    monkeypatch.setattr(accounts, "_hasher", _dear)


@pytest.fixture(scope="session", autouse=True)
def one_loop():
    """All requests without a browser share a loop; a new one for each takes a third of its time."""
    with start_blocking_portal() as portal, pytest.MonkeyPatch.context() as patch:
        patch.setattr(TestClient, "portal", portal)
        yield


@dataclass
class Visitor:
    """Somebody with a browser, as far as requests go: cookies are kept, forms are signed."""

    client: TestClient
    csrf: str = ""
    page: Any = None

    def get(self, path, **more):
        self.page = self.client.get(path, **more)
        token = re.search(r'name="csrf" value="([^"]+)"', self.page.text)
        self.csrf = token[1] if token else self.csrf
        return self.page

    def press(self, button, **fields):
        """Fill in and send the form of a button, as a browser without scripts does.

        The last button of this name counts; a field or a choice that the form lacks is an error.
        """
        page = fromstring(self.page.text)
        *_, pressed = (
            one
            for one in page.iter("button")
            if button in (" ".join(one.text_content().split()), one.get("aria-label"))
        )
        owner = pressed.get("form")
        form = page.get_element_by_id(owner) if owner else next(pressed.iterancestors("form"))
        for name, value in fields.items():
            form.fields[name] = value
        data = {}
        for name, value in [*form.form_values(), (pressed.get("name"), pressed.get("value"))]:
            data.setdefault(name, []).append(value)
        data.pop(None, None)
        address = self.page.url.join(form.get("action") or "")
        if form.method == "GET":
            return self.get(address, params=data)
        self.page = self.client.post(address, data=data)
        return self.page

    def post(self, path, data=None, **more):
        if not self.csrf:
            self.get("/")
        return self.client.post(path, data={"csrf": self.csrf, **(data or {})}, **more)

    def version(self, path):
        return int(re.search(r'name="version" value="(\d+)"', self.get(path).text)[1])

    def send(self, study, number=1, version=None, *, script=True, **data):
        """Send the form of an item, as a script does or as a browser without one."""
        path = f"/s/{study}/{number}"
        version = self.version(path) if version is None else version
        headers = {"hx-request": "true"} if script else {}
        return self.post(path, {"version": str(version), **data}, headers=headers)


@dataclass
class Web:
    """An application on a database of its own."""

    app: object
    database: Database

    @property
    def site(self) -> Site:
        return self.app.state.site

    def read(self, ask, *arguments):
        """What a function of the store answers."""
        with self.database.reading() as connection:
            return ask(connection, *arguments)

    def write(self, act, *arguments, **options):
        """Call a function of the store in a transaction."""
        with self.database.writing() as connection:
            return act(connection, *arguments, **options)

    def find(self, study):
        return self.read(find_study, study)

    def people(self, study):
        return self.read(people_of, study)

    def uploaded(self, study):
        """The corpus of a study as it was uploaded."""
        return self.read(stored_corpus, self.find(study))

    def whole(self, study):
        """The corpus of a study with everything that was submitted."""
        return self.read(self.site.corpora.whole, self.find(study))

    def log(self, study=None):
        return [(entry.action, entry.detail) for entry in self.read(read_log, study)]

    def visitor(self):
        return Visitor(TestClient(self.app, base_url=HOST))

    def admin(self):
        """An administrator who is logged in."""
        visitor = self.visitor()
        link = administrator_link(self.database)
        visitor.get(f"/enter/{link}")
        # The page that follows lists all studies, and is not needed.
        answer = visitor.post(f"/enter/{link}", follow_redirects=False)
        assert answer.headers["location"] == "/studies"
        return visitor

    def account(self, name, password="correct horse battery", studies=(), **more):
        """The number of a new account, of a member of ``studies``."""
        researcher = self.write(add_researcher, name, accounts.hashed(password), **more)
        for study in studies:
            self.write(add_member, study, researcher)
        return researcher

    def researcher(self, name, password="correct horse battery", studies=()):
        """A researcher with an account, logged in, and a member of ``studies``."""
        self.account(name, password, studies)
        visitor = self.visitor()
        visitor.get("/login")
        form = {"name": name, "password": password}
        answer = visitor.post("/login", form, follow_redirects=False)
        assert answer.headers["location"] == "/studies"
        return visitor

    def study(self, task="extract", corpus=None, state="open", name="Study", **settings):
        """A new study on a corpus, the demo's unless another is given; its id."""
        corpus, chosen = corpus or demo_corpus(), StudySettings(**settings)
        return self.write(make_study, name, task, corpus, chosen, state)

    def begin(self, task="extract", corpus=None, **settings):
        """A new study, and somebody who has joined it."""
        study = self.study(task, corpus, **settings)
        return study, self.informant(study)

    def informant(self, study, name="Heron", **answers):
        """Somebody who has joined a study."""
        visitor = self.visitor()
        visitor.get(f"/s/{study}")
        joined = visitor.post(f"/s/{study}/join", {"name": name, "consent": "yes", **answers})
        assert joined.status_code == 200, joined.text
        return visitor


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory):
    """The bytes of a database with the newest tables and nothing in them."""
    path = tmp_path_factory.mktemp("databases") / "empty.db"
    database = Database(path)
    database.upgrade()
    database.close()
    return path.read_bytes()


@pytest.fixture(scope="session")
def demo_database(tmp_path_factory, empty_database):
    """The bytes of a database with the demo studies and an administrator."""
    path = tmp_path_factory.mktemp("databases") / "demo.db"
    path.write_bytes(empty_database)
    database = Database(path)
    administrator_link(database, demo=True)
    database.close()
    return path.read_bytes()


@contextlib.contextmanager
def _web(address):
    database = Database(address)
    yield Web(create_app(database), database)
    database.close()


@pytest.fixture
def web(tmp_path, empty_database):
    (tmp_path / "summetry.db").write_bytes(empty_database)
    with _web(tmp_path / "summetry.db") as opened:
        yield opened


@pytest.fixture
def admin(web):
    """An administrator of the web page who is logged in."""
    return web.admin()


@pytest.fixture(scope="module")
def read_web(tmp_path_factory, empty_database):
    """An application for studies that the tests of a file only read."""
    path = tmp_path_factory.mktemp("web") / "read.db"
    path.write_bytes(empty_database)
    with _web(path) as opened:
        yield opened


@pytest.fixture(scope="module")
def demo_web(tmp_path_factory, demo_database):
    """An application with the demo studies, shared by the tests of a file."""
    path = tmp_path_factory.mktemp("web") / "demo.db"
    path.write_bytes(demo_database)
    with _web(path) as opened:
        yield opened


@pytest.fixture
def web_on_postgres(postgres):
    with _web(postgres) as opened:
        yield opened


# ── a real server ─────────────────────────────────────────────────────────


@dataclass
class Server(Web):
    """``summetry serve`` in a thread: real requests on a real port, no process to start."""

    started: Started

    @property
    def base(self):
        return self.started.address

    def link(self, study):
        return f"{self.base}/s/{study}"

    def open_item(self, page, study, name="Heron"):
        """Open the first item of somebody who joined without a browser, which is cheaper."""
        self.show_item(page, self.informant(study, name), study)

    def show_item(self, page, visitor, study):
        self.hand_over(visitor, page)
        page.goto(f"{self.link(study)}/next")
        page.wait_for_selector("#outcome", state="attached")
        page.wait_for_load_state()  # keys do nothing before the scripts are there

    def hand_over(self, visitor, page):
        """Give the cookies of a visitor to a browser."""
        cookies = [
            (cookie.name, cookie.value, cookie.path) for cookie in visitor.client.cookies.jar
        ]
        page.context.add_cookies(
            [{"name": n, "value": v, "domain": "127.0.0.1", "path": path} for n, v, path in cookies]
        )


@pytest.fixture(scope="session")
def server(tmp_path_factory, empty_database):
    """A server with the demo studies, shared by all tests: each makes what it changes itself."""
    path = tmp_path_factory.mktemp("server") / "demo.db"
    path.write_bytes(empty_database)
    announced, running = queue.Queue(), queue.Queue()

    class Running(uvicorn.Server):
        def __init__(self, config):
            super().__init__(config)
            running.put(self)

    with mock.patch.object(uvicorn, "Server", Running):
        arguments = (Serving(str(path), port=0, demo=True), announced.put)
        thread = threading.Thread(target=serve, args=arguments, daemon=True)
        thread.start()
        started, server = announced.get(timeout=60), running.get(timeout=60)
    site = server.config.app.state.site
    # All visitors of the tests come from one address.
    for limit in (site.tries, site.codes, site.tokens, site.scores):
        limit.tries = 10**6
    yield Server(server.config.app, site.database, started)
    server.should_exit = True
    thread.join()
    site.database.close()


@pytest.fixture(scope="session")
def warm_browser(browser, server):
    """What a browser and a server do only once, before the first test is timed."""
    page = kept_context(browser).pages[0]
    page.goto(server.base)
    server.open_item(page, server.study(), "Warm")
    page.locator("label").first.click(force=True)
    page.wait_for_selector("#outcome[data-set='0']")


@pytest.fixture
def open_page(open_page, warm_browser):
    return open_page


@pytest.fixture
def researcher(open_page, server):
    """A page of an administrator who has logged in."""
    page = open_page()
    server.hand_over(server.admin(), page)
    return page


# ── a real PostgreSQL ─────────────────────────────────────────────────────


def _programs():
    """The folder with PostgreSQL's own programs."""
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if installed:
        return installed[-1].parent
    initdb = shutil.which("initdb")
    return Path(initdb).parent if initdb else None


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory):
    """The address of a server that is started for the tests on a free port."""
    programs = _programs()
    if not programs:
        pytest.skip("no PostgreSQL: `make test` installs it as root")
    # The server refuses to run as root, so that it needs a folder that others can enter.
    folder = Path(subprocess.check_output(["mktemp", "-d"], text=True).strip())
    owner = {}
    if os.geteuid() == 0:
        try:
            user = pwd.getpwnam("postgres")
        except KeyError:
            pytest.skip("PostgreSQL does not run as root, and there is no user postgres")
        os.chown(folder, user.pw_uid, user.pw_gid)
        owner = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    data = folder / "data"
    run = {"check": True, "stdout": subprocess.DEVNULL, "cwd": folder, **owner}
    initdb = [programs / "initdb", "-D", data, "-A", "trust", "-U", "tests", "--no-sync"]
    subprocess.run(initdb, **run)
    options = f"-c listen_addresses=127.0.0.1 -p {port} -k {folder}"
    control = [programs / "pg_ctl", "-D", data, "-w", "-l", folder / "log"]
    subprocess.run([*control, "-o", options, "start"], **run)
    yield f"postgresql://tests@127.0.0.1:{port}"
    subprocess.run([*control, "-m", "immediate", "stop"], **run)
    shutil.rmtree(folder)


@pytest.fixture
def postgres(postgres_server):
    """The address of a new, empty database."""
    name = f"study_{os.urandom(6).hex()}"
    address = postgres_server.replace("postgresql:", "postgresql+psycopg:")
    engine = create_engine(f"{address}/postgres", isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f'CREATE DATABASE "{name}"'))
    yield f"{postgres_server}/{name}"
    with engine.connect() as connection:
        connection.execute(text(f'DROP DATABASE "{name}" WITH (FORCE)'))
    engine.dispose()
