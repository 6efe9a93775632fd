"""What options name: one where there can be one only, each once, and all of it known."""

import pytest


@pytest.mark.parametrize(
    ("command", "options", "message"),
    [
        ("compare", ("--protocol", "no_models", "--protocol", "all_peers"),
         "--protocol: expected one here, got no_models and all_peers"),
        ("combine", ("--protocol", "no_models", "--protocol", "all_peers"),
         "--protocol: expected one here, got no_models and all_peers"),
        ("combine", ("--dimension", "grammaticality", "--dimension", "responsiveness"),
         "--dimension: expected one here, got grammaticality and responsiveness"),
    ],
)  # fmt: skip
def test_what_can_be_one_only_is_not_cut_to_the_last(call, demo_folder, command, options, message):
    done = call(command, demo_folder, "-m", "lcs", *options)
    assert (done.code, done.err) == (2, f"error: {message}\n")


def test_the_same_twice_is_once(call, demo_folder):
    options = ("--protocol", "no_models", "--protocol", "no_models")
    assert call("compare", demo_folder, "-m", "lcs", *options).code == 0


def test_names_that_are_not_known_or_not_there_are_refused(call, demo_folder):
    done = call("correlate", demo_folder, "-m", "lcs", "--protocol", "no_model")
    assert done.code == 2 and "no protocol is named 'no_model'. Did you mean" in done.err
    done = call("correlate", demo_folder, "-m", "lcs", "--level", ",")
    assert done.err == "error: --level: expected names with commas between them, got ','\n"
