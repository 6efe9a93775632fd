"""Which first lines are titles."""

import pytest

from summetry.text.titles import split_title

REST = "The ferry struck the pier. Nobody was hurt."


@pytest.mark.parametrize(
    "line",
    ["The ferry and the pier", "  Färjan:  en historia ", "Το πλοίο", "COVID-19 (part 2)"],
)
def test_a_short_line_with_an_empty_one_after_it_is_a_title(line):
    assert split_title(f"{line}\n \n\n{REST}") == (" ".join(line.split()), REST)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The ferry and the pier",
        "The ferry and the pier\n\n",
        f"The ferry and the pier\n{REST}",
        f"The ferry struck the pier.\n\n{REST}",
        f"Did the ferry strike the pier?\n\n{REST}",
        f"“It sank!”\n\n{REST}",
        f"In this report:\n\n{REST}",
        f"1912\n\n{REST}",
        f"- the ferry\n\n{REST}",
        f"1. The ferry\n\n{REST}",
        f"{'word ' * 19}\n\n{REST}",
        f"{'w' * 121}\n\n{REST}",
    ],
)
def test_what_is_long_ends_like_a_sentence_or_stands_alone_is_text(text):
    assert split_title(text) == ("", text)
