"""The ``summetry`` command: collects the commands and turns user errors into one line."""

from __future__ import annotations

import os
import sys
import warnings
from typing import Any

import typer

from summetry import __version__
from summetry.cli import convert, demo, explain, listings, score, where
from summetry.errors import SummetryError, SummetryWarning, did_you_mean

# Typer carries its own copy of Click, so these are the classes that it really raises.
_UsageError: type[Exception] = typer.BadParameter.__bases__[0]
_ClickError: type[Exception] = _UsageError.__bases__[0]

app = typer.Typer(
    name="summetry",
    no_args_is_help=True,
    rich_markup_mode=None,
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="`summetry demo` shows the whole tour; `summetry COMMAND --help` ends with an example.",
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"summetry {__version__}")
        raise typer.Exit


@app.callback()
def _top(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version and stop."
    ),
) -> None:
    """Measure summaries: against references, extracts, utilities, pyramids or the source alone."""


app.command("demo")(demo.demo)
app.command("score")(score.score)
app.command("explain")(explain.explain)
app.command("convert")(convert.convert)
app.command("metrics")(listings.metrics)
app.command("formats")(listings.formats)
app.command("where")(where.where)


def main(arguments: list[str] | None = None) -> None:
    """Run the command; exit code 2 and one line on standard error for a user's mistake."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # A terminal that cannot show a letter gets an escape, not a crash.
            stream.reconfigure(errors="backslashreplace")
    warnings.showwarning = _show_warning
    warnings.simplefilter("always", SummetryWarning)
    try:
        code = app(args=arguments, standalone_mode=False)
    except (SummetryError, OSError) as error:
        if isinstance(error, BrokenPipeError):
            # The reader of our output has gone (`| head`): nothing more to say.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(141)
        _fail(str(error))
    except _UsageError as error:
        _fail(_usage(error))
    except _ClickError as error:
        _fail(str(getattr(error, "message", error)))
    except (typer.Abort, KeyboardInterrupt):
        typer.echo("interrupted; finished work is kept, the same command goes on from it", err=True)
        sys.exit(130)
    except Exception as error:
        if os.environ.get("SUMMETRY_TRACEBACK"):
            raise
        what = f"{type(error).__name__}: {error}"
        _fail(f"a fault of the program ({what}); SUMMETRY_TRACEBACK=1 shows where", 70)
    sys.exit(code if isinstance(code, int) else 0)


def _fail(message: str, code: int = 2) -> None:
    typer.echo(f"error: {message}", err=True)
    sys.exit(code)


def _usage(error: Any) -> str:
    """A wrong call in one line: what is wrong, what may be meant, where to read on."""
    command = error.ctx.command_path if error.ctx else "summetry"
    message = error.format_message().strip().rstrip(".")
    if not message or type(error).__name__ == "NoArgsIsHelpError":
        return f"a command is missing; `{command} --help` lists all"
    if message.startswith("No such command"):
        name = message.split("'")[1]
        known = [command.name or "" for command in app.registered_commands]
        hint = did_you_mean(name, known)
        return f"no command is named {name!r}.{hint} `summetry --help` lists all."
    words = " ".join(message.split())
    return f"{words[:1].lower()}{words[1:]}; `{command} --help` tells more"


def _show_warning(
    message: Warning | str, category: type[Warning], *_: object, **__: object
) -> None:
    if issubclass(category, SummetryWarning):
        typer.echo(f"note: {message}", err=True)
