"""The ``summetry`` command: collects the commands and turns user errors into one line."""

from __future__ import annotations

import contextlib
import os
import re
import sys
import tempfile
import warnings
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import NoReturn

import click

from summetry import __version__
from summetry.cli._commands import COMMANDS, TASKS, list_commands
from summetry.cli._terminal import TerminalStream
from summetry.errors import (
    InterruptedRunError,
    PlugInError,
    SummetryError,
    SummetryWarning,
    did_you_mean,
)
from summetry.files import found_text, is_text

INTERRUPTED = 130
# As of a program that the system ends because nobody reads what it writes.
PIPE_CLOSED = 141
# What people try who come from other programs: options with what to say instead, where the command
# has the option that is named there, and commands.
OTHER_OPTIONS = {
    **dict.fromkeys(
        ("--hyp", "--hypothesis", "--prediction", "--predictions", "--pred"),
        "one summary is --candidate FILE, files of outputs are named without an option",
    ),
    **dict.fromkeys(("--sentences", "-n", "--words"), "say --length 2 or --length '100 words'"),
    **dict.fromkeys(("--tolerance", "--margin"), "a loss is tolerated by --fail-if-worse 0.005"),
    **dict.fromkeys(("--sep", "--delimiter"), "whether , ; or a tab separates cells is found out"),
    **dict.fromkeys(("--author", "--model", "--peer"), "a system is named by --system NAME"),
    "--topic": "a topic is named by --id ID",
    "--progress": "progress is shown by itself",
    "--lines": "one summary per line: outputs.txt --references references.txt",
}
OTHER_COMMANDS = {
    "glossary": "docs/glossary.md explains the words",
    "evaluate": "`summetry score` scores summaries",
    **dict.fromkeys(
        ("questions", "categorization", "retrieval"), "tasks are typed as `summetry task NAME`"
    ),
    "rouge": "`summetry score` scores summaries by ROUGE",
}
# Warnings that were shown; each is shown once.
shown: set[str] = set()


def _show_completion(context: click.Context, _: click.Parameter, shell: str | None) -> None:
    if shell is None:
        return
    from click.shell_completion import get_completion_class

    completion = get_completion_class(shell)
    assert completion, "one of the choices"
    click.echo(completion(app, {}, "summetry", "_SUMMETRY_COMPLETE").source())
    context.exit()


def _show_version(context: click.Context, _: click.Parameter, is_asked: bool) -> None:
    if is_asked:
        from summetry.arrays import kernel

        runs = "compiled" if kernel.is_compiled() else "plain Python"
        click.echo(f"summetry {__version__} ({runs})")
        context.exit()


class _Group(click.Group):
    """Commands in the order in which they are listed: first what comes first."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)


# As usage shows what follows, though without it there is help.
FOLLOWING = "COMMAND [ARGS]..."


@click.group(
    cls=_Group,
    invoke_without_command=True,
    subcommand_metavar=FOLLOWING,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="`summetry demo` shows the whole tour; `summetry COMMAND --help` ends with an example.",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Print the version, and whether the compiled part runs, and stop.",
)
@click.option(
    "--show-completion",
    type=click.Choice(["bash", "fish", "zsh"]),
    is_eager=True,
    expose_value=False,
    callback=_show_completion,
    help="Print what makes the shell complete commands; in bash, put "
    'eval "$(summetry --show-completion bash)" into ~/.bashrc.',
)
@click.pass_context
def app(context: click.Context) -> None:
    """Measure summaries: against references, extracts, utilities, pyramids or the source alone."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


list_commands(app, COMMANDS)


@app.group(
    cls=_Group,
    invoke_without_command=True,
    subcommand_metavar=FOLLOWING,
    epilog="`summetry task NAME --help` tells more.",
)
@click.pass_context
def task(context: click.Context) -> None:
    """Measure how well summaries serve for a task."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


list_commands(task, TASKS)


def main(arguments: list[str] | None = None) -> None:
    """Run the command; exit code 2 and one line on standard error for a user's mistake."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if hasattr(stream, "reconfigure"):
            # A terminal that cannot show a letter gets an escape, not a crash.
            stream.reconfigure(errors="backslashreplace")
        if stream and stream.isatty():
            setattr(sys, name, TerminalStream(stream))
    shown.clear()
    warnings.showwarning = _show_warning
    warnings.simplefilter("always", SummetryWarning)
    try:
        with _studies(_asking_help(arguments)) as given:
            code = app(args=given, prog_name="summetry", standalone_mode=False)
    except SummetryError as error:
        if isinstance(error, PlugInError) and os.environ.get("SUMMETRY_TRACEBACK"):
            raise
        _fail(str(error))
    except OSError as error:
        _fail(_system_error(error))
    except click.UsageError as error:
        _fail(_usage(error))
    except click.ClickException as error:
        _fail(error.message)
    except InterruptedRunError as error:
        from summetry.cli._output import echo_aside

        echo_aside(str(error))
        sys.exit(INTERRUPTED)
    except (click.Abort, KeyboardInterrupt):
        code = INTERRUPTED
    except SystemExit as error:
        # Rich and Click end so when the reader of our output is gone; a code of ours is returned.
        if module := _module_of(error):
            _fail(f"the module {module!r} ended the program, by sys.exit({error.code!r})")
        sys.exit(PIPE_CLOSED)
    except MemoryError as error:
        _fail(f"not enough memory ({error}); shorter texts, or fewer at a time, need less")
    except Exception as error:
        # Python before 3.12 makes another error of Ctrl-C in the middle of a class.
        if not isinstance(error.__cause__, KeyboardInterrupt):
            if os.environ.get("SUMMETRY_TRACEBACK"):
                raise
            what = f"{type(error).__name__}: {error}"
            _fail(f"a fault of the program ({what}); SUMMETRY_TRACEBACK=1 shows where", 70)
        code = INTERRUPTED
    if code == INTERRUPTED:
        # Click turns Ctrl-C into this code, or into an exception, according to its version.
        click.echo("interrupted", err=True)
    sys.exit(code if isinstance(code, int) else 0)


@contextlib.contextmanager
def _studies(arguments: list[str]) -> Iterator[list[str]]:
    """The arguments; ``study:FILE`` is a folder with the study's corpus while the command runs."""
    if not any(argument.startswith("study:") for argument in arguments):
        yield arguments
        return
    from summetry.cli._options import missing_web

    try:
        from summetry.web.sources import write_study
    except ModuleNotFoundError as error:
        raise missing_web(error) from error
    with tempfile.TemporaryDirectory() as folder:
        yield [
            str(write_study(argument, Path(tempfile.mkdtemp(dir=folder))))
            if argument.startswith("study:")
            else argument
            for argument in arguments
        ]


def _asking_help(arguments: list[str] | None) -> list[str]:
    """The arguments; ``help score`` is the same as ``score --help``."""
    given = sys.argv[1:] if arguments is None else arguments
    if given[:1] != ["help"]:
        return given
    return [*given[1 : 3 if given[1:2] == ["task"] else 2], "--help"]


def _module_of(error: BaseException) -> str:
    """The module that raised an error, where that is neither ours nor one that ours call."""
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    name = str(trace.tb_frame.f_globals.get("__name__", "")) if trace else ""
    return "" if name.partition(".")[0] in ("summetry", "click", "rich") else name


def _fail(message: str, code: int = 2) -> NoReturn:
    click.echo(f"error: {' '.join(message.splitlines())}", err=True)
    sys.exit(code)


def _system_error(error: OSError) -> str:
    """What the system refused, in the words and the order of all other messages."""
    if not isinstance(error.strerror, str):
        return str(error)
    # The last but one is what making a folder says where there is a file.
    words = {
        FileNotFoundError: "no such file or folder",
        IsADirectoryError: "expected a file, found a folder",
        FileExistsError: "expected a folder, found a file",
        NotADirectoryError: "expected a folder, found a file",
    }.get(type(error), error.strerror.lower())
    where = error.filename2 or error.filename
    if isinstance(where, str) and is_text(where):
        return str(found_text("the name of a file or a folder", where))
    return f"{where}: {words}" if where else words


def _usage(error: click.UsageError) -> str:
    """A wrong call in one line: what is wrong, what may be meant, where to read on."""
    command = error.ctx.command_path if error.ctx else "summetry"
    if isinstance(error, click.NoSuchCommand):
        name = error.command_name
        group = error.ctx.command if error.ctx else app
        hint = did_you_mean(name, group.commands if isinstance(group, click.Group) else ())
        if name in OTHER_COMMANDS:
            hint = f" {OTHER_COMMANDS[name]}."
        what = "task" if command.endswith("task") else "command"
        return f"no {what} is named {name!r}.{hint} `{command} --help` lists all."
    words = " ".join(error.format_message().split()).rstrip(".")
    hint = _extra_metrics(words, error.ctx)
    if isinstance(error, click.NoSuchOption):
        words, hint = f"no such option: {error.option_name}", _other_option(error)
        # The dashes, which all have, make no option alike.
        asked = error.option_name.lstrip("-")
        near = [p for p in error.possibilities or () if get_close_matches(asked, [p.lstrip("-")])]
        if near and not hint:
            words += f", perhaps {' or '.join(near)} is meant"
    return f"{words[:1].lower()}{words[1:]}; {hint or f'`{command} --help` tells more'}"


def _typed(context: click.Context | None) -> set[str]:
    """What may be typed for the options of a command."""
    parameters = context.command.params if context else ()
    return {name for parameter in parameters for name in parameter.opts}


def _other_option(error: click.NoSuchOption) -> str:
    """What to type instead of an option that there is not."""
    hint = OTHER_OPTIONS.get(error.option_name, "")
    named = re.search(r"--[a-z-]+", hint)
    return hint if not named or named[0] in _typed(error.ctx) else ""


def _extra_metrics(words: str, context: click.Context | None) -> str:
    """What to type where metrics stand behind one another."""
    extra = re.match(r"Got unexpected extra arguments? \((.*)\)", words.replace("(s)", "s"))
    if not (extra and "--metric" in _typed(context)):
        return ""
    from summetry.metrics import METRICS

    if all(map(METRICS.has, extra[1].split())):
        return f"several metrics go with commas: -m METRIC,{','.join(extra[1].split())}"
    return ""


def _show_warning(
    message: Warning | str, category: type[Warning], *_: object, **__: object
) -> None:
    # A table is read twice, and what is odd about it is said once.
    if issubclass(category, SummetryWarning) and str(message) not in shown:
        from summetry.cli._output import echo_notes

        shown.add(str(message))
        echo_notes([str(message)])
