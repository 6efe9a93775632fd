"""``summetry download``, from a server of our own."""

import hashlib
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from command_line import assert_refused, run_command

from summetry.lexicons import download as lexicon_download
from summetry.lexicons.download import DOWNLOADS
from summetry.lexicons.word_paths import thesaurus_folder

BOOK = (Path(__file__).parents[1] / "data" / "roget.txt").read_bytes()
RIGHT = hashlib.sha256(BOOK).hexdigest()
OTHER = hashlib.sha256(b"no thesaurus").hexdigest()


class Handler(BaseHTTPRequestHandler):
    """/book and /there are the book, /half breaks off, /other is another text, /away leads off."""

    def do_GET(self):
        contents = {"/book": BOOK, "/half": BOOK, "/other": b"no thesaurus"}
        targets = {"/away": "ftp://127.0.0.1:9/book", "/there": "/book"}
        if self.path in contents:
            content = contents[self.path]
            self.start(200, "Content-Length", len(content))
            self.wfile.write(content[: len(content) // 2] if self.path == "/half" else content)
        elif self.path in targets:
            self.start(302, "Location", targets[self.path])
        else:
            self.send_error(404)

    def start(self, code, *header):
        self.send_response(code)
        if header:
            self.send_header(header[0], str(header[1]))
        self.end_headers()

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


def download(url, *options, sha256=RIGHT):
    return run_command("download", "roget1911", "--url", url, "--sha256", sha256, *options)


def files():
    folder = thesaurus_folder()
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def test_a_file_with_the_right_checksum_is_kept_and_not_fetched_again(server):
    done = download(f"{server}/book")
    assert done.code == 0, done.err
    path = thesaurus_folder() / "roget1911.txt"
    assert path.read_bytes() == BOOK
    assert done.words == f"{path}: written, 29 words and phrases"
    # The index is built already, and nothing half written is left.
    assert [name.rpartition(".")[2] for name in files()] == ["npz", "txt"]
    again = download(f"{server}/gone", "--json")
    assert again.code == 0 and again.json["words"] == 29
    for fault in ("gone", "half"):
        assert download(f"{server}/{fault}", "--force").code == 2
        assert path.read_bytes() == BOOK


@pytest.mark.parametrize(
    ("path", "checksum", "message"),
    [
        ("book", "0" * 64, f"expected a file with the SHA-256 {'0' * 64}, found {RIGHT}"),
        ("half", RIGHT, "bytes; nothing was kept. Try again, or fetch the file by other means"),
        ("gone", RIGHT, "the server answered 404 Not Found; nothing was kept"),
        ("other", OTHER, "expected Roget's Thesaurus, found no head of it"),
        # A checksum that is none is told before anything is fetched.
        *(("book", wrong, "error: --sha256: expected 64 hexadecimal digits, found '")
          for wrong in ("abc", "g" * 64, RIGHT + "0")),
    ],
)  # fmt: skip
def test_what_goes_wrong_is_told_and_nothing_is_kept(server, path, checksum, message):
    assert_refused(download(f"{server}/{path}", sha256=checksum), 2, message)
    assert files() == []


def test_no_network(monkeypatch):
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    # Nobody listens at port 9.
    done = download("https://127.0.0.1:9/book")
    assert_refused(done, 2, "cannot download https://127.0.0.1:9/book: ")
    assert (
        "or fetch the file by other means and name it, as in `summetry rank --thesaurus" in done.err
    )


@pytest.mark.parametrize(
    "url", ["nowhere", "http://example.org/book", "file:///etc/hostname", "ftp://example.org/book"]
)
def test_nothing_but_https_is_asked(url):
    expected = f"error: expected an address that begins with https://, found {url!r}\n"
    assert_refused(download(url), 2, expected)


def test_a_server_cannot_send_us_elsewhere(server):
    assert download(f"{server}/there").code == 0
    done = download(f"{server}/away", "--force")
    assert_refused(
        done, 2, "/away: expected an address that begins with https:// or http://, found"
    )


def test_an_unknown_name_is_refused_and_those_that_are_known_have_checksums():
    assert_refused(run_command("download", "roget1912"), 2, "Did you mean 'roget1911'?")
    for known in DOWNLOADS.values():
        assert len(bytes.fromhex(known.sha256)) == 32
        assert known.url.startswith("https://")
