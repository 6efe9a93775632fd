"""What cannot work is refused before anything is scored."""

from unittest import mock

import pytest
from command_line import assert_refused, run_command


@pytest.mark.parametrize("command", [
    "correlate", "combine -m rouge1 -m rouge2", "discriminate", "estimate",
])  # fmt: skip
def test_a_corpus_without_judgments_is_not_scored_first(here, command):
    (here / "t.csv").write_text("id,system,candidate,reference\n1,a,x y,x\n1,b,y,x\n")
    with mock.patch("summetry.cli._scored.Run", side_effect=AssertionError):
        done = run_command(*command.split(), "t.csv")
    assert_refused(done, 2, "t.csv has no judgments; --judgments names a corpus or a table")
