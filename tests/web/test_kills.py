"""A submission that was answered is never lost, whenever the server is killed."""

import http.client
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from urllib.parse import urlencode

import msgspec
import pytest
from sqlalchemy import select

from summetry.web import tables
from summetry.web.database import Database
from summetry.web.demo import demo_corpus
from summetry.web.security import VISIT, form_token
from summetry.web.store.keys import make_key
from summetry.web.store.people import add_person
from summetry.web.store.studies import make_study

# The demo's shortest topic has more units than this; five of them are within the window.
UNITS = 15


class Client(threading.Thread):
    """An informant who submits one extract after the other and notes what was answered."""

    def __init__(self, number, port, study, key, submissions, is_patient=True):
        super().__init__(daemon=True)
        self.port, self.study, self.left, self.is_patient = port, study, submissions, is_patient
        self.random = random.Random(number)
        visit = f"visit {number}"
        cookies = {VISIT: visit.replace(" ", "-"), f"summetry_{study}": key}
        self.headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())}
        self.csrf = form_token(cookies[VISIT])
        self.answered, self.cut_off, self.wrong = [], 0, []
        self.connection = None

    def request(self, method, path, form=None):
        if self.connection is None:
            self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = {**self.headers, "Content-Type": "application/x-www-form-urlencoded"}
        self.connection.request(method, path, urlencode(form or (), doseq=True), headers)
        answer = self.connection.getresponse()
        return answer.status, answer.getheader("location") or "", answer.read().decode()

    def run(self):
        version = None
        while self.left:
            try:
                if version is None:
                    self.request("GET", f"/s/{self.study}/next")
                    page = self.request("GET", f"/s/{self.study}/1")[2]
                    version = int(re.search(r'name="version" value="(\d+)"', page)[1])
                units = sorted(self.random.sample(range(UNITS), 5))
                form = {"csrf": self.csrf, "version": version, "unit": units, "do": "submit"}
                status, location, text = self.request("POST", f"/s/{self.study}/1", form)
            except (OSError, http.client.HTTPException):
                # Killed: whether this one was kept is not known, so it does not count.
                self.close()
                version = None
                self.cut_off += 1
                if not self.is_patient:
                    return
                time.sleep(0.1)
                continue
            if status != 303 or "done=1" not in location:
                self.wrong.append((status, location, text[:300]))
                return
            self.answered.append(units)
            self.left -= 1
            version = None if self.random.random() < 0.1 else self.version_after(version, units)

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None

    def version_after(self, version, units):
        """A changed extract is kept once as a change and once as submitted."""
        is_same = len(self.answered) > 1 and self.answered[-2] == units
        return version + (1 if is_same else 2)


def start(database, port=0):
    """``summetry serve`` in a process of its own, and the port that it says."""
    command = [sys.executable, "-m", "summetry", "serve", "--port", str(port)]
    server = subprocess.Popen(
        [*command, "--database", str(database)],
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        text=True,
    )
    login = next((line for line in server.stdout if "/enter/" in line), "")
    assert login, "the server does not start"
    return server, int(re.search(r"http://127.0.0.1:(\d+)/", login)[1])


def test_a_server_that_ends_leaves_everything_in_one_file(tmp_path):
    server, port = start(tmp_path / "summetry.db")
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", "/login")
    assert connection.getresponse().status == 200
    connection.close()
    assert (tmp_path / "summetry.db-wal").exists()
    server.terminate()
    server.wait(60)
    server.stdout.close()
    assert [path.name for path in tmp_path.iterdir()] == ["summetry.db"]


def kill(server):
    server.send_signal(signal.SIGKILL)
    server.wait()
    server.stdout.close()


def submit_while_killing(process, count, submissions, kills, *, is_patient=True):
    """Let clients submit while the server is killed; whether all that was answered is kept."""
    server, port, address = process
    database = Database(address)
    with database.writing() as connection:
        study = make_study(connection, "Study", "extract", demo_corpus(), state="open")
        people = [add_person(connection, study, f"p{n}") for n in range(count)]
        keys = [make_key(connection, "person", person.id) for person in people]
    each = submissions // count
    clients = [Client(n, port, study, key, each, is_patient) for n, key in enumerate(keys)]
    drawn, killed = random.Random(1), 0
    try:
        for client in clients:
            client.start()
        while any(client.is_alive() for client in clients):
            done = sum(len(client.answered) for client in clients)
            # Each part of the work is interrupted, at a moment that is drawn, and nobody before the
            # first answer.
            is_time = done >= (killed + drawn.random()) * submissions / (kills + 1)
            if killed < kills and is_time and all(client.answered for client in clients):
                kill(server)
                killed += 1
                if is_patient:
                    server, _ = start(address, port)
            time.sleep(0.01)
    finally:
        kill(server)
        for client in clients:
            client.join()
            client.close()
    with database.reading() as connection:
        stored = [submitted_by(connection, person.id) for person in people]
    database.close()
    assert killed == kills and any(client.cut_off for client in clients)
    for client, own in zip(clients, stored, strict=True):
        assert client.wrong == [] and (client.left == 0 or not is_patient)
        assert client.answered and is_within(client.answered, own)
        # Beyond what was answered there is at most what was on its way when the server was killed.
        assert len(own) <= len(client.answered) + client.cut_off


def submitted_by(connection, person):
    query = (
        select(tables.versions.c.content)
        .join(tables.answers, tables.answers.c.id == tables.versions.c.answer)
        .where(tables.answers.c.person == person, tables.versions.c.action == "submit")
        .order_by(tables.versions.c.number)
    )
    return [msgspec.json.decode(text)["units"] for text in connection.execute(query).scalars()]


def is_within(parts, whole):
    """Whether all of ``parts`` stand in ``whole`` in their order."""
    rest = iter(whole)
    return all(part in rest for part in parts)


def test_a_lost_submission_would_be_noticed():
    assert is_within([[1], [2]], [[1], [3], [2]])
    assert not is_within([[1], [2], [4]], [[1], [3], [2]])
    assert not is_within([[2], [1]], [[1], [3], [2]])


@pytest.fixture(scope="module")
def process(tmp_path_factory, empty_database):
    """A server in a process of its own, its port and its database."""
    path = tmp_path_factory.mktemp("kills") / "summetry.db"
    path.write_bytes(empty_database)
    return *start(path), path


def test_no_answered_submission_is_lost_when_the_server_is_killed_once(process):
    submit_while_killing(process, 4, 240, kills=1, is_patient=False)


@pytest.mark.slow
@pytest.mark.parametrize("kind, submissions, kills", [("sqlite", 1000, 5), ("postgres", 160, 2)])
def test_no_answered_submission_is_lost_however_often_the_server_is_killed(
    request, tmp_path, kind, submissions, kills
):
    is_file = kind == "sqlite"
    address = tmp_path / "summetry.db" if is_file else request.getfixturevalue("postgres")
    submit_while_killing((*start(address), address), 20, submissions, kills)
