"""The web page in tests: without a server, with a real one, in a real browser, on PostgreSQL."""

import contextlib
import os
import pwd
import re
import shutil
import socket
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from browsers import HOST
from fastapi.testclient import TestClient
from sqlalchemy import create_engine, text

from summetry.web.app import create_app
from summetry.web.database import Database
from summetry.web.demo import demo_corpus
from summetry.web.pages import Site
from summetry.web.server import administrator_link
from summetry.web.settings import StudySettings
from summetry.web.store.accounts import add_member, add_researcher
from summetry.web.store.studies import find_study, make_study

SECRET = "a secret of the tests, long enough"


@dataclass
class Visitor:
    """Somebody with a browser, as far as requests go: cookies are kept, forms are signed."""

    client: TestClient
    csrf: str = ""

    def get(self, path, **more):
        answer = self.client.get(path, **more)
        found = re.search(r'name="csrf" value="([^"]+)"', answer.text)
        self.csrf = found[1] if found else self.csrf
        return answer

    def post(self, path, data=None, **more):
        if not self.csrf:
            self.get("/")
        return self.client.post(path, data={"csrf": self.csrf, **(data or {})}, **more)

    def version(self, path):
        return int(re.search(r'name="version" value="(\d+)"', self.get(path).text)[1])


@dataclass
class Web:
    """An application on a database of its own."""

    app: object
    database: Database
    studies: list = field(default_factory=list)

    @property
    def site(self) -> Site:
        return self.app.state.site

    def visitor(self):
        return Visitor(TestClient(self.app, base_url=HOST))

    def admin(self):
        """An administrator who is logged in."""
        visitor = self.visitor()
        link = administrator_link(self.database)
        visitor.get(f"/enter/{link}")
        assert visitor.post(f"/enter/{link}").status_code == 200
        return visitor

    def researcher(self, name, password="correct horse battery", studies=()):
        """A researcher with an account, logged in, and a member of ``studies``."""
        with self.database.writing() as connection:
            key = add_researcher(connection, name, password)
            for study in studies:
                add_member(connection, study, key)
        visitor = self.visitor()
        visitor.get("/login")
        assert visitor.post("/login", {"name": name, "password": password}).status_code == 200
        return visitor

    def study(self, task="extract", corpus=None, state="open", name="Study", **settings):
        """A new study on a corpus, the demo's unless another is given; its id."""
        with self.database.writing() as connection:
            return make_study(
                connection, name, task, corpus or demo_corpus(), StudySettings(**settings), state
            )

    def whole(self, study):
        """The corpus of a study with everything that was submitted."""
        with self.database.reading() as connection:
            return self.site.corpora.whole(connection, find_study(connection, study))

    def informant(self, study, name="Heron", **answers):
        """Somebody who has joined a study."""
        visitor = self.visitor()
        visitor.get(f"/s/{study}")
        joined = visitor.post(f"/s/{study}/join", {"name": name, "consent": "yes", **answers})
        assert joined.status_code == 200, joined.text
        return visitor


@pytest.fixture
def web(tmp_path):
    database = Database(tmp_path / "summetry.db")
    yield Web(create_app(database, SECRET), database)
    database.close()


# ── a real server ─────────────────────────────────────────────────────────


@dataclass
class Server:
    """``summetry serve`` in a process of its own."""

    process: subprocess.Popen
    lines: list

    def address(self, pattern):
        return next(found[0] for line in self.lines if (found := re.search(pattern, line)))

    @property
    def base(self):
        return self.address(r"http://[\w.:]+")

    @property
    def login(self):
        return self.address(r"http://\S+/enter/\S+")

    def study(self, name=""):
        line = next(line for line in self.lines if "/s/" in line and name in line)
        return re.search(r"http://\S+", line)[0]


@contextlib.contextmanager
def serving(database, *options, env=None):
    """A server on a free port, once it has said where it is."""
    command = [
        sys.executable,
        "-m",
        "summetry",
        "serve",
        "--port",
        "0",
        "--database",
        str(database),
    ]
    process = subprocess.Popen(
        [*command, *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1", **(env or {})},
    )
    lines = []
    try:
        for line in process.stdout:
            lines.append(line.rstrip())
            if "/enter/" in line:
                break
        assert lines and "/enter/" in lines[-1], lines
        yield Server(process, lines)
    finally:
        process.terminate()
        process.wait(30)
        process.stdout.close()


@pytest.fixture
def serve():
    """Starts a server on a database that a test has made."""
    return serving


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server with the demo studies, shared by the tests of a file."""
    with serving(tmp_path_factory.mktemp("web") / "demo.db", "--demo") as started:
        yield started


@pytest.fixture
def new_server(tmp_path):
    """A server without any study, whose database is ``study.db``."""
    with serving(tmp_path / "study.db") as started:
        yield started


# ── a real PostgreSQL ─────────────────────────────────────────────────────


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _programs():
    """The folder with PostgreSQL's own programs."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if found:
        return found[-1].parent
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
    port, data = _free_port(), folder / "data"
    run = {"check": True, "capture_output": True, "cwd": folder, **owner}
    subprocess.run([programs / "initdb", "-D", data, "-A", "trust", "-U", "tests"], **run)
    options = f"-c listen_addresses=127.0.0.1 -p {port} -k {folder}"
    control = [programs / "pg_ctl", "-D", data, "-w", "-l", folder / "log"]
    subprocess.run(
        [*control, "-o", options, "start"],
        **{**run, "capture_output": False},
        stdout=subprocess.DEVNULL,
    )
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


@pytest.fixture
def web_on_postgres(postgres):
    database = Database(postgres)
    yield Web(create_app(database, SECRET), database)
    database.close()
