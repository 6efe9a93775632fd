"""What servers answer: how much of it is read, and who gets a token."""

import gzip
import io
import threading
import zipfile
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from command_line import assert_refused, run_command
from coroutines import in_thread

from summetry import fetching
from summetry.errors import SummetryError
from summetry.fetching import FetchError, fetch, is_unencrypted
from summetry.judges import endpoint
from summetry.judges.endpoint import Endpoint, Patience, chat_url


@contextmanager
def answering(answer):
    """A server on loopback; ``answer`` gives status, headers and body of a path. Its tokens."""
    tokens = []

    class Handler(BaseHTTPRequestHandler):
        def answer(self):
            tokens.append(self.headers.get("Authorization"))
            status, headers, body = answer(self.path)
            self.send_response(status)
            for name, value in ({"Content-Length": len(body)} | headers).items():
                self.send_header(name, str(value))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = answer  # noqa: N815

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", tokens
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch):
    monkeypatch.setenv("no_proxy", "127.0.0.1")


def test_a_token_follows_a_redirect_to_the_same_server_and_to_no_other():
    with answering(lambda path: (200, {}, b"found")) as (other, tokens_of_other):

        def redirect(path):
            target = {"/away": f"{other}/there", "/here": "/there"}.get(path)
            return (302, {"Location": target}, b"") if target else (200, {}, b"found")

        with answering(redirect) as (base, tokens):
            options = {"token": "secret", "schemes": ("http",)}
            assert fetch(f"{base}/here", 100, **options) == b"found"
            assert tokens == ["Bearer secret"] * 2
            with pytest.raises(SummetryError, match=f"redirects to {other}, which gets no token"):
                fetch(f"{base}/away", 100, **options)
            assert tokens_of_other == []
            assert fetch(f"{base}/away", 100, schemes=("http",)) == b"found"
            assert tokens_of_other == [None]


def test_an_encrypted_address_never_leads_to_an_open_one():
    redirects = fetching._Redirects(("http", "https"))
    request, answer = fetching.urllib.request.Request("https://a.example/x"), io.BytesIO()
    with pytest.raises(SummetryError, match=r"begins with https://, found 'http://a\.example/x'"):
        redirects.redirect_request(request, answer, 302, "Found", {}, "http://a.example/x")
    assert answer.closed


@pytest.mark.parametrize(("length", "is_read"), [(100, True), (101, False)])
def test_no_more_is_read_than_was_said(length, is_read):
    with answering(lambda path: (200, {}, bytes(length))) as (base, _):
        if is_read:
            assert fetch(base, 100, schemes=("http",)) == bytes(length)
        else:
            with pytest.raises(FetchError, match="expected at most 100 bytes, found more"):
                fetch(base, 100, schemes=("http",))


def test_what_can_be_read_on_its_way():
    assert is_unencrypted("http://192.0.2.1/v1")
    assert not is_unencrypted("http://127.0.0.1:1/v1")
    assert not is_unencrypted("https://192.0.2.1/v1")


def zipped(**contents):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in contents.items():
            file.writestr(f"{name}.jsonl", content)
    return archive.getvalue()


@pytest.mark.parametrize(("status", "body", "words"), [
    (200, b"<html>", "'corpus.zip': expected a zip file, found something else"),
    (200, zipped(topics=bytes(3 << 20)), "is encrypted or packed more tightly than text can be"),
    (200, zipped(topics=b"{}")[:-30], "'corpus.zip': expected a zip file, found something else"),
    (401, b"", "the token is not known"), (404, b"", "there is no such study"),
    (500, b"", "the server answered 500 Internal Server Error"),
], ids=["page", "bomb", "half", "token", "study", "fault"])  # fmt: skip
def test_what_is_no_corpus_of_a_study_is_refused_in_one_line(monkeypatch, status, body, words):
    monkeypatch.setenv("SUMMETRY_TOKEN", "secret")
    with answering(lambda path: (status, {}, body)) as (base, _):
        done = run_command("agreement", f"study:{base}/studies/1")
    assert_refused(done, 2, words)
    assert f"error: {base}/studies/1: " in done.err


@pytest.mark.parametrize("packed", [True, False])
def test_an_endless_answer_of_a_judge_is_cut_and_not_asked_for_again(monkeypatch, packed):
    monkeypatch.setattr(endpoint, "_MOST_BYTES", 20_000)
    body, headers = b'{"choices": "' + b"x" * 1_000_000, {}
    if packed:
        body, headers = gzip.compress(body), {"Content-Encoding": "gzip"}

    async def ask(url):
        async with Endpoint(chat_url(url), "", Patience(5, 3, 0), 1) as server:
            return await server.ask({})

    with answering(lambda path: (200, headers, body)) as (base, tokens):
        reply = in_thread(ask(base))
    assert reply.response is None and reply.attempts == len(tokens) == 1
    assert reply.body.startswith('{"choices": "xxx') and len(reply.body) < 11_000
    assert reply.body.endswith("[cut: the answer has over 20,000 bytes]")
