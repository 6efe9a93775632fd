"""Words that are never right, in help texts, pages and options."""

import dataclasses
import re
from pathlib import Path
from typing import Literal, get_args, get_origin, get_type_hints

import pytest
from page_runner import commands
from typed_commands import all_commands

from summetry.cli.network import network
from summetry.metrics import METRICS
from summetry.summarizers import SUMMARIZERS

ROOT = Path(__file__).parents[2]
PAGES = [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
COMMANDS = all_commands()
AGAINST = {"references", "extracts", "majority", "utilities", "source"}
WRONG = re.compile(r"--rate\b|against=\W?(?:informants|models)|--against (?:informants|models)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_page_has_a_word_that_is_never_right_or_names_the_default_protocol(page):
    assert not WRONG.findall(page.read_text(encoding="utf-8"))
    shown = [c for c in commands(page) if "protocol" not in c.command]
    assert [c.command for c in shown if any("No Models" in line for line in c.output)] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_no_help_has_a_word_that_is_never_right(name):
    command = COMMANDS[name]
    options = {option for parameter in command.params for option in parameter.opts}
    assert "--rate" not in options
    texts = [command.help or "", *(getattr(p, "help", None) or "" for p in command.params)]
    assert not WRONG.findall("\n".join(texts))


def test_a_wrong_word_would_be_noticed():
    for text in ("give --rate 30%", 'coselection(against="models")', "--against informants"):
        assert WRONG.search(text)
    assert not WRONG.search("--rater, against=references")


def test_metrics_and_the_command_network_are_against_the_same_five_things():
    compared = []
    for name in METRICS.names():
        if "against" in {field.name for field in dataclasses.fields(METRICS.get(name))}:
            compared.append(get_type_hints(METRICS.get(name))["against"])
            assert get_origin(compared[-1]) is Literal, name
    assert compared and all(set(get_args(hint)) <= AGAINST for hint in compared)
    hint = get_type_hints(network)["against"]
    assert set(get_args(hint)) == {"extracts", "references"} < AGAINST


# Before "by" where it does not mean a division that is left unsaid.
BY = re.compile(r"\b(?:divided|multiplied|weighted|weighed) by\b")


@pytest.mark.parametrize("registry", [METRICS, SUMMARIZERS], ids=["metrics", "summarizers"])
def test_how_long_a_text_is_has_one_option_and_a_division_is_called_a_division(registry):
    lines = []
    for name in registry.names():
        options = {field.name for field in dataclasses.fields(registry.get(name))}
        assert not options & {"rate", "words", "bytes", "sentences", "characters", "percent"}, name
        lines.append((registry.get(name).__doc__ or "").splitlines()[0])
    assert [line for line in lines if " by " in BY.sub("", line)] == []


@pytest.mark.parametrize("name", ["summarize", "reference", "agreement"])
def test_commands_ask_for_a_length_by_one_option(name):
    options = {option for parameter in COMMANDS[name].params for option in parameter.opts}
    old = {"--sentences", "--words", "--characters", "--bytes", "--percent", "--mean", "--rate"}
    assert "--length" in options and not options & old
