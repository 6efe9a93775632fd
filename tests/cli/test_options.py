"""Options that commands share: each command has them as if it declared them itself."""

import inspect
from dataclasses import KW_ONLY, dataclass
from typing import Annotated, get_type_hints

import click
import pytest
from click.testing import CliRunner

from summetry.cli._commands import as_command
from summetry.cli._options import shared
from summetry.cli._parameters import argument, option


@dataclass(frozen=True)
class Reading:
    metric: Annotated[list[str] | None, option("NAME", "A metric.", "-m")] = None
    _: KW_ONLY
    seed: Annotated[int, option("N", "The seed.", min=0)] = 0


@dataclass(frozen=True)
class Writing:
    output: Annotated[str, option("FILE", "Where to write.")]


@shared(Writing)
@shared(Reading)
def command(
    scores: Annotated[str, argument("SCORES", "The scores.")],
    reading: Reading,
    writing: Writing,
    test: Annotated[str, option("NAME", "The test.")] = "t",
) -> None:
    """Show what was given."""
    click.echo(f"{scores} {reading} {writing} {test}")


@pytest.fixture
def call():
    made = as_command("show", command)
    return lambda *arguments: CliRunner().invoke(made, arguments)


def test_values_and_defaults_reach_the_command(call):
    done = call("s.csv", "-m", "lcs", "-m", "cosine", "--output", "o.csv")
    assert done.exit_code == 0
    assert done.stdout == (
        "s.csv Reading(metric=['lcs', 'cosine'], seed=0) Writing(output='o.csv') t\n"
    )
    done = call("s.csv", "--seed", "3", "--output", "o.csv", "--test", "w")
    assert "Reading(metric=None, seed=3)" in done.stdout and done.stdout.endswith(" w\n")


def test_a_field_without_a_default_must_be_given_and_limits_hold(call):
    assert call("s.csv").exit_code == 2
    assert call("s.csv", "--output", "o.csv", "--seed", "-1").exit_code == 2


def test_fields_stand_where_the_parameter_stood_and_keyword_only_ones_last():
    assert list(inspect.signature(command).parameters) == [
        "scores", "metric", "output", "test", "seed",
    ]  # fmt: skip
    assert list(get_type_hints(command)) == ["scores", "metric", "output", "test", "seed"]
    assert command.__doc__ == "Show what was given."


def test_an_option_that_is_declared_twice_is_refused():
    def twice(reading: Reading, seed: int = 1) -> None: ...

    with pytest.raises(ValueError, match="seed"):
        shared(Reading)(twice)
