"""``summetry download``, from a server of our own."""

import contextlib
import hashlib
import io
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from summetry.errors import SummetryError
from summetry.lexicons import download as lexicon_download
from summetry.lexicons.download import DOWNLOADS, Download, fetch
from summetry.lexicons.word_paths import thesaurus_folder

BOOK = (Path(__file__).parents[1] / "data" / "roget.txt").read_bytes()
RIGHT = hashlib.sha256(BOOK).hexdigest()


class Handler(BaseHTTPRequestHandler):
    """/book is the book, /half breaks off, /other is another text, all else is not there.

    /long never ends, /announced says that it is long, and /away leads to another protocol.
    """

    def do_GET(self):
        if self.path in ("/long", "/announced", "/away", "/there"):
            self.send_odd()
            return
        content = {"/book": BOOK, "/half": BOOK, "/other": b"no thesaurus"}.get(self.path)
        if content is None:
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content[: len(content) // 2] if self.path == "/half" else content)

    def send_odd(self):
        away = {"/away": "ftp://127.0.0.1:9/book", "/there": "/book"}.get(self.path)
        self.send_response(302 if away else 200)
        if away:
            self.send_header("Location", away)
        if self.path == "/announced":
            self.send_header("Content-Length", str(10**9))
        self.end_headers()
        with contextlib.suppress(OSError):
            for _ in range({"/long": 1000, "/announced": 1}.get(self.path, 0)):
                self.wfile.write(b"x" * 10**6)

    def log_message(self, *_):
        pass


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    # A server of our own has no certificate.
    monkeypatch.setattr(lexicon_download, "_SCHEMES", ("https", "http"))
    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def kept():
    folder = thesaurus_folder()
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def test_a_file_with_the_right_checksum_is_kept(call, server):
    done = call("download", "roget1911", "--url", f"{server}/book", "--sha256", RIGHT)
    assert done.code == 0, done.err
    path = thesaurus_folder() / "roget1911.txt"
    assert path.read_bytes() == BOOK
    assert done.words == f"{path}: written, 29 words and phrases"
    # The index is built already, and nothing half written is left.
    assert [name.rpartition(".")[2] for name in kept()] == ["npz", "txt"]


def test_what_is_there_is_not_fetched_again(call, server):
    arguments = ("download", "roget1911", "--sha256", RIGHT)
    assert call(*arguments, "--url", f"{server}/book").code == 0
    again = call(*arguments, "--url", f"{server}/gone", "--json")
    assert again.code == 0 and again.json["words"] == 29
    assert call(*arguments, "--url", f"{server}/gone", "--force").code == 2


@pytest.mark.parametrize(
    ("path", "checksum", "message"),
    [
        ("book", "0" * 64, f"expected a file with the SHA-256 {'0' * 64}, found {RIGHT}"),
        ("half", RIGHT, "bytes; nothing was kept. Try again, or fetch the file by other means"),
        ("gone", RIGHT, "the server answered 404 Not Found; nothing was kept"),
        (
            "other",
            hashlib.sha256(b"no thesaurus").hexdigest(),
            "expected Roget's Thesaurus, found no head of it",
        ),
    ],
)
def test_what_goes_wrong_is_told_and_nothing_is_kept(call, server, path, checksum, message):
    done = call("download", "roget1911", "--url", f"{server}/{path}", "--sha256", checksum)
    assert done.code == 2 and message in done.err
    assert done.err.count("\n") == 1 and kept() == []


def test_an_answer_of_refusal_is_closed(server):
    with pytest.raises(SummetryError, match="404") as message:
        fetch(Download(f"{server}/gone", RIGHT))
    assert message.value.__cause__.closed


def test_no_network(call, monkeypatch):
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    # Nobody listens at port 9.
    done = call("download", "roget1911", "--url", "https://127.0.0.1:9/book")
    assert done.code == 2
    assert "cannot download https://127.0.0.1:9/book: " in done.err
    assert "or fetch the file by other means and name it, as in --thesaurus FILE" in done.err


@pytest.mark.parametrize(
    "url", ["nowhere", "http://example.org/book", "file:///etc/hostname", "ftp://example.org/book"]
)
def test_nothing_but_https_is_asked(call, url):
    done = call("download", "roget1911", "--url", url)
    expected = f"error: expected an address that begins with https://, found {url!r}\n"
    assert (done.code, done.err) == (2, expected)


def test_a_server_cannot_send_us_elsewhere(call, server):
    assert call("download", "roget1911", "--url", f"{server}/there", "--sha256", RIGHT).code == 0
    done = call("download", "roget1911", "--url", f"{server}/away", "--force")
    assert done.code == 2 and "begins with https://, found 'ftp://127.0.0.1:9/book'" in done.err


def test_an_answer_that_leads_elsewhere_is_closed():
    asked = urllib.request.Request("https://example.org/book")
    answer = io.BytesIO()
    with pytest.raises(SummetryError, match="begins with https://"):
        lexicon_download._Redirects().redirect_request(
            asked, answer, 302, "Found", {}, "ftp://example.org/book"
        )
    assert answer.closed


@pytest.mark.parametrize("path", ["long", "announced"])
def test_what_is_too_long_is_not_read_to_the_end(call, server, monkeypatch, path):
    monkeypatch.setattr(lexicon_download, "_MOST", 3_000_000)
    read = []
    show = lambda done, total: read.append(done)  # noqa: E731
    with pytest.raises(SummetryError, match="expected at most 3,000,000 bytes, found more"):
        fetch(Download(f"{server}/{path}", RIGHT), show)
    assert max(read, default=0) <= 3_000_000 and kept() == []


@pytest.mark.parametrize("digest", ["abc", "g" * 64, RIGHT + "0"])
def test_a_checksum_that_is_none_is_told_before_anything_is_fetched(call, server, digest):
    done = call("download", "roget1911", "--url", f"{server}/book", "--sha256", digest)
    assert done.code == 2
    assert done.err.startswith("error: --sha256: expected 64 hexadecimal digits, found '")


def test_an_unknown_name(call):
    done = call("download", "roget1912")
    assert done.code == 2 and "Did you mean 'roget1911'?" in done.err


def test_a_failed_download_leaves_the_one_before(call, server):
    assert call("download", "roget1911", "--url", f"{server}/book", "--sha256", RIGHT).code == 0
    assert call("download", "roget1911", "--url", f"{server}/half", "--force").code == 2
    assert (thesaurus_folder() / "roget1911.txt").read_bytes() == BOOK


def test_the_known_checksums_are_checksums():
    for download in DOWNLOADS.values():
        assert len(bytes.fromhex(download.sha256)) == 32
        assert download.url.startswith("https://")
