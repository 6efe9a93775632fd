"""Limits: who may ask how often, by which name, how fast and for how much; what is full or busy."""

import contextlib
import errno
import gzip
import http.client
import io
import operator
import re
import socket
import threading
import time
from urllib.parse import urlsplit

import pytest
import uvicorn
from fastapi.testclient import TestClient
from web_content import small_corpus

from summetry.errors import SummetryError
from summetry.web import connections, security, unpacking, uploads
from summetry.web.app import create_app
from summetry.web.bounded import Bounded, TooMuchError
from summetry.web.database import Database
from summetry.web.routes import accounts as account_routes
from summetry.web.routes import api, try_it
from summetry.web.security import RateLimit
from summetry.web.server import Serving, serve
from summetry.web.store.accounts import make_token
from summetry.web.unpacking import UploadedFile
from summetry.web.uploads import read_upload

PASSWORD = "correct horse battery"


def log_in(visitor, password, name="Ada", **more):
    visitor.get("/login")
    form = {"name": name, "password": password}
    return visitor.post("/login", form, follow_redirects=False, **more).status_code


# ── who asks how often ────────────────────────────────────────────────────


@pytest.fixture
def from_anywhere(monkeypatch):
    """Each visitor comes from another address."""
    numbers = iter(range(10**6))
    monkeypatch.setattr(security, "address_of", lambda _: f"10.0.0.{next(numbers)}")


def test_passwords_of_an_account_are_limited_wherever_they_come_from(web, from_anywhere):
    web.account("Ada")
    codes = [log_in(web.visitor(), f"wrong {n}", " Ada ") for n in range(11)]
    assert codes == [401] * 10 + [429]
    assert log_in(web.visitor(), PASSWORD) == 429 and log_in(web.visitor(), "wrong", "Bob") == 401


def test_only_what_was_wrong_counts(web):
    web.site.tries, web.site.codes = RateLimit(2, 60), RateLimit(2, 60)
    web.account("Ada")
    assert [log_in(web.visitor(), PASSWORD) for _ in range(4)] == [303] * 4
    study = web.study(corpus=small_corpus())
    code = web.find(study).code
    # A class behind one router.
    for number in range(65):
        visitor = web.visitor()
        if number < 4:
            assert visitor.post("/join", {"code": code}).status_code == 200
        form = {"name": f"P{number}", "consent": "yes"}
        joined = visitor.post(f"/s/{study}/join", form, follow_redirects=False)
        assert joined.status_code == 303
    wrong = [visitor.post("/join", {"code": "wrong"}).status_code for _ in range(3)]
    assert wrong == [404, 404, 429]


@pytest.mark.parametrize("host, who", [
    ("192.0.2.7", "192.0.2.7"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"), ("", ""),
])  # fmt: skip
def test_a_household_counts_as_one(host, who):
    class Request:
        client = type("Client", (), {"host": host})

    assert security.address_of(Request) == who


def test_passwords_are_computed_while_others_save(web, monkeypatch):
    """Nobody waits for a password: it holds neither the database nor a thread of those who save."""
    study, heron = web.begin(corpus=small_corpus(), longest=90)
    computing, end = threading.Event(), threading.Event()

    def slow(*_):
        computing.set()
        return not end.wait(10)

    monkeypatch.setattr(account_routes, "is_password", slow)
    web.account("Ada")
    guessers = [threading.Thread(target=log_in, args=(web.visitor(), "wrong")) for _ in range(3)]
    for guesser in guessers:
        guesser.start()
    assert computing.wait(10)
    assert heron.send(study, unit=["0"], do="submit").status_code == 200
    end.set()
    for guesser in guessers:
        guesser.join()


def test_an_import_is_read_before_anything_is_locked_and_reading_locks_nothing(web, monkeypatch):
    study, heron = web.begin(corpus=small_corpus(), longest=90)
    token = web.write(make_token, web.account("Ada", studies=[study]), "test")
    headers = {"Authorization": f"Bearer {token}"}
    saved = []

    def save(*arguments, **more):
        saved.append(heron.send(study, unit=["0"], version=len(saved)).status_code)
        return read(*arguments, **more)

    read = api.read_upload
    monkeypatch.setattr(api, "read_upload", save)
    api_client = web.visitor().client
    files = {"file": ("t.txt", b"The ferry sank. Two died.")}
    made = api_client.post("/api/v1/studies/import?name=New", headers=headers, files=files)
    assert made.status_code == 201 and saved == [200]
    with web.database.writing():
        assert api_client.get("/api/v1/studies", headers=headers).status_code == 200


# ── by which name ─────────────────────────────────────────────────────────


def test_other_names_are_refused_and_never_come_into_links(web, admin):
    assert admin.get("/login", headers={"host": "evil.example"}).status_code == 400
    for host in ("localhost:8000", "[::1]:8000", "127.0.0.1:9"):
        assert admin.get("/login", headers={"host": host}).status_code == 200
    public = create_app(web.database, "https://study.example.org")
    admin.client.app = admin.client._transport.app = public
    for host in ("evil.example", "other.example.org"):
        assert admin.get("/accounts", headers={"host": host}).status_code == 400
    for host in ("study.example.org", "127.0.0.1:8000"):
        page = admin.get("/accounts", headers={"host": host})
        assert page.headers["strict-transport-security"] == "max-age=31536000"
        made = admin.post("/accounts", {"name": host}, headers={"host": host})
        assert 'value="https://study.example.org/enter/' in made.text
    chosen = admin.get("/language/sv", follow_redirects=False)
    assert "Secure" in chosen.headers["set-cookie"]


@pytest.mark.parametrize("host, shown", [
    ("pc.example", "pc.example"), ("192.0.2.7", "192.0.2.7"), ("::1", "[::1]"),
    ("0.0.0.0", "localhost"), ("::", "localhost"),
])  # fmt: skip
def test_the_address_that_is_printed_is_answered(tmp_path, monkeypatch, host, shown):
    apps, started = [], []
    listening = socket.create_server(("127.0.0.1", 0))
    monkeypatch.setattr("summetry.web.server._listen", lambda *_: listening)
    monkeypatch.setattr(uvicorn.Server, "run", lambda self, _: apps.append(self.config.app))
    serve(Serving(str(tmp_path / "a.db"), host=host), started.append)
    assert urlsplit(started[0].address).netloc.rpartition(":")[0] == shown
    client = TestClient(apps[0], started[0].address)
    assert client.get("/login").status_code == 200


def test_a_proxy_is_believed_only_if_it_is_named(server, monkeypatch):
    """The server of the tests trusts no proxy: what it is told of addresses changes nothing."""
    monkeypatch.setattr(server.site, "tries", RateLimit(3, 60))
    port = urlsplit(server.base).port
    page = ask(port, "GET", "/login")
    csrf = re.search(r'name="csrf" value="([^"]+)"', page[1])[1]
    visit = re.search(r"summetry_visit=([^;]+)", page[2])[1]
    codes = []
    for number in range(4):
        headers = {"X-Forwarded-For": f"10.1.1.{number}", "Cookie": f"summetry_visit={visit}"}
        body = f"csrf={csrf}&name=Nobody{number}&password=wrong"
        codes.append(ask(port, "POST", "/login", body, headers)[0])
    assert codes == [401, 401, 401, 429]


def ask(port, method, path, body=None, headers=()):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    connection.request(method, path, body, {**kind, **dict(headers)})
    answer = connection.getresponse()
    text, cookie = answer.read().decode(), answer.getheader("set-cookie")
    connection.close()
    return answer.status, text, cookie


@pytest.mark.parametrize("settings, words", [
    ({"url": "study.example.org"}, "--url: expected an address without a path"),
    ({"url": "https://example.org/study"}, "--url: expected an address without a path"),
    ({"trusted_proxies": ("proxy.example",)}, "--trusted-proxy: expected an IP address"),
])  # fmt: skip
def test_settings_that_cannot_be_are_refused(settings, words):
    with pytest.raises(SummetryError, match=words):
        Serving("x.db", **settings).check()


@pytest.mark.parametrize("settings, count", [
    ({}, 0), ({"host": "0.0.0.0"}, 1), ({"url": "https://a.example"}, 1),
    ({"url": "https://a.example", "trusted_proxies": ("127.0.0.1", "10.0.0.0/8")}, 0),
])  # fmt: skip
def test_what_is_unsafe_is_said_at_the_start(settings, count):
    serving = Serving("x.db", **settings)
    serving.check()
    assert len(serving.warnings()) == count


# ── how fast, and how many ────────────────────────────────────────────────


def half_sent(port, content=b"GET /login HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: "):
    connection = socket.create_connection(("127.0.0.1", port), 10)
    connection.sendall(content)
    return connection


def is_ended(connection):
    try:
        return connection.recv(1000) == b""
    except ConnectionResetError:
        return True


def test_requests_that_are_half_sent_are_ended(server, monkeypatch):
    port = urlsplit(server.base).port
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.1)
    monkeypatch.setattr(security, "PATIENCE", 0.1)
    length = b"POST /login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n"
    length += b"Content-Type: application/x-www-form-urlencoded\r\n\r\n"
    first = b"GET /static/icon.svg HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with half_sent(port) as head, half_sent(port, first) as second, half_sent(port, length) as body:
        assert is_ended(head)
        assert body.recv(1000).startswith(b"HTTP/1.1 408")
        # One request was whole; the next one on the same connection is not.
        answer = b""
        while b"</svg>" not in answer:
            answer += second.recv(10_000)
        second.sendall(b"GET / HTT")
        assert is_ended(second)


def test_the_connection_that_has_waited_longest_makes_room(server, monkeypatch):
    port = urlsplit(server.base).port
    monkeypatch.setattr(connections.LimitedProtocol, "most", 5)
    waiting = [half_sent(port) for _ in range(5)]
    # Those of earlier tests may still be there, idle.
    assert ask(port, "GET", "/login")[0] == 200
    assert is_ended(waiting[0])
    for connection in waiting:
        connection.close()


# ── for how much ──────────────────────────────────────────────────────────


def test_work_is_ended_at_its_limit_and_the_next_is_done():
    process = Bounded(60, 64)
    assert process.run(operator.mul, b"x", 2**20) == b"x" * 2**20
    with pytest.raises(TooMuchError, match="needed more than 64 MB of memory"):
        process.run(operator.mul, b"x", 400 * 2**20)
    with pytest.raises(ZeroDivisionError):
        process.run(divmod, 1, 0)
    process.seconds = 0.05
    with pytest.raises(TooMuchError, match="took longer than 0 seconds"):
        process.run(time.sleep, 60)


def test_a_metric_that_takes_too_long_gets_one_line(web, monkeypatch):
    process = Bounded(0.05, 64)
    free = type(try_it._free)()
    free.put(process)
    monkeypatch.setattr(try_it, "_free", free)
    metric = "autosummeng(min_n=1,max_n=40,window=40)"
    visitor = web.visitor()
    visitor.get("/try")
    form = {"candidate": "x y " * 2000, "reference": "y z " * 2000, "metric": metric}
    page = visitor.post("/try", form)
    assert page.status_code == 422 and f"{metric} took longer than" in page.text


def parquet(texts):
    import pyarrow as pa
    import pyarrow.parquet as pq

    out = io.BytesIO()
    names = {"id": [f"t{n}" for n in range(len(texts))], "source": texts}
    pq.write_table(pa.table(names), out, compression="zstd")
    return out.getvalue()


def test_one_limit_holds_for_everything_that_is_packed(monkeypatch):
    monkeypatch.setattr(unpacking, "MOST_UNPACKED", 2**20)
    # A process that read them would need more.
    monkeypatch.setattr(uploads, "_reader", None)
    table, text = b"id,source\n" + b"t1,word\n" * 200_000, "word " * 1000
    packed = {"t.csv.gz": gzip.compress(table)}
    packed["t.csv.gz.gz"] = gzip.compress(packed["t.csv.gz"])
    # Many texts, one text of many rows, and one of many items.
    packed["t.1.parquet"] = parquet([f"{text}{n}" for n in range(300)])
    packed["t.2.parquet"] = parquet([text] * 300)
    packed["t.3.parquet"] = parquet([[text] * 300])
    for name, content in packed.items():
        assert len(content) < 20_000
        with pytest.raises(SummetryError, match=r"t\.[\w.]+: expected at most 1 MB of data"):
            read_upload([UploadedFile(name, io.BytesIO(content))])


def test_a_table_that_is_packed_is_read():
    content = gzip.compress(b"id,source,summary\nt1,The ferry sank.,It sank.\n")
    (topic,) = read_upload([UploadedFile("t.csv.gz", io.BytesIO(content))]).corpus.topics
    assert topic.units == ("The ferry sank.",)


# ── what is full, busy or broken ──────────────────────────────────────────


@pytest.mark.parametrize("trouble, status, words", [
    ("full", 507, "The disk of the server is full. Nothing was saved."),
    ("busy", 503, "The server was too busy. Nothing was saved."),
    ("unwritable", 500, "The server cannot use its database. Nothing was saved."),
])  # fmt: skip
def test_what_could_not_be_saved_is_said(web, trouble, status, words):
    study, heron = web.begin(corpus=small_corpus(), longest=90)
    version = heron.version(f"/s/{study}/1")
    settings = {
        "full": "PRAGMA max_page_count=1", "busy": "PRAGMA busy_timeout=1",
        "unwritable": "PRAGMA query_only=ON",
    }  # fmt: skip
    for connection in [web.database.engine.connect() for _ in range(5)]:
        connection.exec_driver_sql(settings[trouble])
        connection.close()
    other = Database(web.database.url.database)
    with other.writing() if trouble == "busy" else contextlib.nullcontext():
        for units in "01" * 10:
            more = {"unit": [units], "note": units * 5000}
            answer = heron.send(study, version=version, **more)
            if answer.status_code != 200:
                break
            version += 1
    assert answer.status_code == status and words in answer.text
    assert answer.headers.get("retry-after") == ("3" if trouble == "busy" else None)


def test_a_full_disk_is_said_where_an_upload_is_stored(web, admin, monkeypatch):
    def full(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("tempfile.mkdtemp", full)
    admin.get("/studies/new")
    form = {"name": "New", "task": "extract"}
    answer = admin.post("/studies/new/upload", form, files=[("files", ("t.txt", b"It sank."))])
    assert answer.status_code == 507 and "Nothing was saved" in answer.text
