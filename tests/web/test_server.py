"""Starting the page: what is refused before anything is written or served."""

import socket

import pytest
from command_line import assert_refused, run_command

from summetry.errors import SummetryError
from summetry.web.server import Serving


def test_a_port_in_use_gets_one_line_and_leaves_no_database(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = run_command("serve", "--demo", "--port", port, folder=tmp_path)
    assert_refused(done, 2, f"--port {port}: 127.0.0.1 cannot be listened on")
    assert "--port 0" in done.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("secret", ["", "secret", "a" * 40])
def test_other_addresses_than_loopback_need_a_good_secret(monkeypatch, secret):
    monkeypatch.setenv("SUMMETRY_SECRET", secret)
    with pytest.raises(SummetryError, match=r"SUMMETRY_SECRET|must have 16 or more"):
        Serving("x.db", host="0.0.0.0").check()


def test_a_random_secret_is_taken(monkeypatch):
    monkeypatch.setenv("SUMMETRY_SECRET", "7f1c9a02d64be835")
    assert Serving("x.db", host="0.0.0.0").check() == "7f1c9a02d64be835"
    monkeypatch.delenv("SUMMETRY_SECRET")
    assert Serving("x.db").check() == ""


def test_a_port_that_is_none_is_named():
    with pytest.raises(SummetryError, match="expected a number from 0 to 65535, found 99999"):
        Serving("x.db", port=99999).check()
