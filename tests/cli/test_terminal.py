"""Control characters of texts, names and messages do nothing on a terminal."""

import io
import json
import sys
from unittest import mock

import pytest

from summetry.cli._terminal import TerminalStream
from summetry.cli.main import main

CLIPBOARD, CLEAR, C1 = "\x1b]52;c;aGk=\x07", "\x1b[2J\x1b[H", "\x9b2J"
GREEN = "\x1b[1;32m"


class Screen(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(("text", "printed"), [
    (CLIPBOARD, r"\x1b]52;c;aGk=\x07"), (CLEAR, r"\x1b[2J\x1b[H"), (C1, r"\x9b2J"),
    ("a\rb\x08\x7f", r"a\rb\x08\x7f"),
    ("tab\tand\nline, é, 猫, \u200f", "tab\tand\nline, é, 猫, \u200f"),
    ("\x1b[1;32mgreen\x1b[0m", r"\x1b[1;32mgreen\x1b[0m"),
])  # fmt: skip
def test_what_a_terminal_would_obey_is_shown(text, printed):
    screen = Screen()
    assert TerminalStream(screen).write(text) == len(text)
    assert screen.getvalue() == printed


@pytest.mark.parametrize("typed", [
    "score h.jsonl", "score h.jsonl --json", "explain h.jsonl -m rouge1 --id t", "compare h.jsonl",
    f"score {CLEAR}.jsonl", f"score h.jsonl -m {CLIPBOARD}",
])  # fmt: skip
def test_all_output_of_commands_is_shown_so(here, typed):
    row = {
        "id": "t",
        "system": f"s{CLIPBOARD}",
        "candidate": f"a {CLEAR}{GREEN}zz",
        "reference": f"a{C1}",
    }
    (here / "h.jsonl").write_text(json.dumps(row))
    with mock.patch.multiple(sys, stdout=Screen(), stderr=Screen()), pytest.raises(SystemExit):
        screens = [sys.stdout, sys.stderr]
        main(typed.split(" "))
    printed = "".join(screen.getvalue() for screen in screens)
    # JSON has its own way to write them.
    assert r"\x1b" in printed or r"\u001b" in printed
    controls = ("\x1b]", "\x1b[2J", "\x9b", "\x07", f"{GREEN}zz")
    assert not any(control in printed for control in controls)


def test_a_command_that_takes_long_to_start_says_so(here):
    """Here it ends at once, since the port is none."""
    with mock.patch.object(sys, "stderr", Screen()) as screen, pytest.raises(SystemExit):
        main(["serve", "--port", "99999"])
    assert screen.getvalue().startswith("Starting ...")
