"""Options that commands share: Typer sees them as if each command declared them itself."""

import inspect
from dataclasses import KW_ONLY, dataclass
from typing import Annotated, get_type_hints

import pytest
import typer
from typer.testing import CliRunner

from summetry.cli._options import shared


@dataclass(frozen=True)
class Reading:
    metric: Annotated[list[str] | None, typer.Option("-m", help="A metric.")] = None
    _: KW_ONLY
    seed: Annotated[int, typer.Option(help="The seed.", min=0)] = 0


@dataclass(frozen=True)
class Writing:
    output: Annotated[str, typer.Option(help="Where to write.")]


@shared(Writing)
@shared(Reading)
def command(
    scores: Annotated[str, typer.Argument()],
    reading: Reading,
    writing: Writing,
    test: Annotated[str, typer.Option(help="The test.")] = "t",
) -> None:
    """Show what was given."""
    typer.echo(f"{scores} {reading} {writing} {test}")


@pytest.fixture
def call():
    app = typer.Typer()
    app.command()(command)
    return lambda *arguments: CliRunner().invoke(app, arguments)


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
