"""The command as a whole: help, version, faults, shared options, and what a call imports."""

import errno
import inspect
import json
import pkgutil
import re
import shlex
import subprocess
import sys
from importlib.util import find_spec

import pytest
from command_line import run_command, succeed
from typed_commands import all_commands

import summetry.cli
from summetry.cli import _commands
from summetry.cli.main import app, main

COMMANDS = list(all_commands())


@pytest.mark.parametrize(("compiled", "runs"), [(True, "compiled"), (False, "plain Python")])
def test_the_version_says_whether_the_compiled_part_runs(monkeypatch, compiled, runs):
    monkeypatch.setattr("summetry.arrays.kernel.is_compiled", lambda: compiled)
    assert run_command("--version") == (0, f"summetry {summetry.__version__} ({runs})\n", "")


@pytest.mark.parametrize("ask", [[], ["--help"], ["-h"], ["help"]], ids=str)
def test_without_a_command_the_help_lists_all(ask):
    done = run_command(*ask)
    assert (done.code, done.out, done.err) == (0, succeed("--help").out, "")
    listed = done.out.partition("Commands:\n")[2].splitlines()[: len(app.commands)]
    assert [line.split()[0] for line in listed] == list(app.commands)
    assert not [line for line in listed if line.endswith("...")], "each fits in its line"


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_ends_with_examples_that_its_parser_accepts(name, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    done = succeed(*shlex.split(name), "--help")
    assert done.err == ""
    last = done.out.rstrip().splitlines()[-1]
    assert last.startswith(f"      summetry {name}")
    assert re.search(r"^  Examples?:$", done.out, flags=re.M)
    examples = re.findall(r"^ +(summetry .*)$", done.out, flags=re.M)
    assert examples
    for example in examples:
        typed = f"summetry {name} "
        assert example.startswith(typed) or example == typed.strip()
        words = shlex.split(example)[len(typed.split()) :]
        assert all_commands()[name].make_context(name, words).params
    # An option says what it takes in words, not by a type of Python.
    options = re.findall(r"^  (-.*?)(?:  |$)", done.out, flags=re.M)
    assert options
    assert not [text for text in options if re.search(r"<(int|float|str|path|file)\b", text)]
    lines = done.out.splitlines()
    assert [line for line in lines if len(line) > 80 or line != line.rstrip()] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_explains_its_options_and_itself_and_speaks_to_programs(name):
    command = all_commands()[name]
    for parameter in command.params:
        assert parameter.help, parameter.name
    assert "--json" in [option for parameter in command.params for option in parameter.opts]
    module = inspect.getmodule(inspect.unwrap(command.callback))
    assert f"``summetry {name}``" in module.__doc__


def test_help_is_a_command_too():
    text = succeed("help", "compare").out
    assert text == succeed("compare", "--help").out
    assert "SCORES..." in text and "{" not in text.partition("\n")[0]
    assert "list[" not in text and "x>=" not in text and "1 or more]" in text


def test_what_can_be_one_only_is_not_cut_to_the_last(corpus, refuses):
    refuses("compare corpus -m lcs --protocol no_models --protocol all_peers")
    options = ("--protocol", "no_models", "--protocol", "no_models", "--draws", 20)
    succeed("compare", "corpus", "-m", "lcs", *options)


# --- faults -----------------------------------------------------------------------------------


def raising(error):
    def fail(*_, **__):
        raise error

    return fail


CTRL_C = RuntimeError("Error calling __set_name__")
CTRL_C.__cause__ = KeyboardInterrupt()
FAULT = ZeroDivisionError("division\nby zero")
DENIED = PermissionError(errno.EACCES, "Permission denied", "notext/s.csv")


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (MemoryError("Unable to allocate 26.5 GiB"), 2,
         "error: not enough memory (Unable to allocate 26.5 GiB); shorter texts, or fewer at a "
         "time, need less\n"),
        (DENIED, 2, "error: notext/s.csv: permission denied\n"),
        # Ctrl-C in the middle of a class.
        (CTRL_C, 130, "interrupted\n"),
        (FAULT, 70,
         "error: a fault of the program (ZeroDivisionError: division by zero); "
         "SUMMETRY_TRACEBACK=1 shows where\n"),
    ],
    ids=["memory", "rights", "Ctrl-C", "fault"],
)  # fmt: skip
def test_what_is_no_mistake_of_the_user_is_one_line(monkeypatch, error, code, message):
    monkeypatch.setattr("summetry.cli.listings.print_json", raising(error))
    done = run_command("formats", "--json")
    assert (done.code, done.out, done.err) == (code, "", message)


def test_a_fault_of_the_program_is_shown_on_request(monkeypatch):
    monkeypatch.setattr("summetry.cli.listings.print_json", raising(FAULT))
    monkeypatch.setenv("SUMMETRY_TRACEBACK", "1")
    with pytest.raises(ZeroDivisionError):
        main(["formats", "--json"])


def test_the_program_and_the_module_are_the_same(process):
    program = [sys.executable, "-c", "from summetry.cli.main import main; main()", "--version"]
    done = subprocess.run(program, capture_output=True, text=True, timeout=300)
    assert done.stdout == process("--version").out != ""


# --- what a call imports: the first one should not wait for what it does not use ---------------


# All sentences by what is typed for a command.
SENTENCES = _commands.COMMANDS | {
    f"task {name}": sentence for name, sentence in _commands.TASKS.items()
}
# What neither scoring by ROUGE nor a table of systems on a terminal is made of.
UNUSED = """
    importlib.metadata jinja2 numpy.polynomial pydantic scipy.linalg scipy.sparse scipy.stats
    summetry.formats.bc3 summetry.formats.mead.corpus summetry.formats.rose summetry.lexicons
    summetry.metaeval.correlations summetry.metrics.graphs.ngram_graphs summetry.metrics.lsa.cosines
    summetry.metrics.pyramid summetry.references summetry.reports.page summetry.reports.plots
    summetry.stats.resampling summetry.summarizers summetry.tasks threadpoolctl urllib.request
"""


def imported_by(code, folder, *arguments):
    """The names of all modules that a fresh process has after it ran ``code``."""
    names = "import json, sys; print(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    script = f"import contextlib\nwith contextlib.suppress(SystemExit):\n    {code}\n{names}"
    command = [sys.executable, "-c", script, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stdout, "the call did its work"
    return set(json.loads(done.stderr.splitlines()[-1]))


def imported_by_command(folder, line):
    return imported_by("from summetry.cli.main import main; main()", folder, *shlex.split(line))


def commands_in(modules):
    """The commands, by the names of their modules, that are imported."""
    inside = {name.removeprefix("summetry.cli.") for name in modules if "summetry.cli." in name}
    return {name for name in inside if not name.startswith("_")} - {"main"}


@pytest.fixture
def table(texts):
    (texts / "tiny.csv").write_text("id,candidate,reference\n1,a b c,a c 1\n2,a b c,a c 2\n")
    return texts


def test_the_list_has_every_module_of_a_command_and_what_it_says():
    commands = all_commands()
    assert set(commands) == set(SENTENCES)
    for name, command in commands.items():
        assert inspect.getdoc(command.callback).split("\n\n")[0] == SENTENCES[name]
    files = {module.name for module in pkgutil.iter_modules(summetry.cli.__path__)}
    homes = {inspect.unwrap(c.callback).__module__ for c in commands.values()}
    public = {f"summetry.cli.{name}" for name in files if not name.startswith("_")}
    assert homes == public - {"summetry.cli.main"}


@pytest.mark.parametrize("line", ["--version", "--help", "", "task --help", "completion"])
def test_the_list_of_commands_imports_none_of_them(line, here, monkeypatch):
    if line == "completion":
        line = ""
        words = {"COMP_WORDS": "summetry s", "COMP_CWORD": "1"}
        for name, value in ({"_SUMMETRY_COMPLETE": "bash_complete"} | words).items():
            monkeypatch.setenv(name, value)
    modules = imported_by_command(here, line)
    assert "click" in modules
    assert commands_in(modules) == set()
    # The version loads the compiled part to say whether it runs.
    slow = {"rich", "msgspec", "regex"} | ({"numpy"} if line != "--version" else set())
    assert not slow & modules


def test_the_modules_that_are_said_to_be_unused_exist():
    assert [name for name in UNUSED.split() if not find_spec(name)] == []


STATISTICS = "scipy summetry.stats.levels"


@pytest.mark.parametrize(
    ("line", "command", "unused"),
    [
        ("score tiny.csv -m rouge1 --no-cache", "score", UNUSED),
        pytest.param("score --help", "score", UNUSED, marks=pytest.mark.install),
        pytest.param("score tiny.csv --no-cache --json", "score", "", marks=pytest.mark.install),
        pytest.param("formats", "listings", "", marks=pytest.mark.install),
        ("score --candidate a.txt --reference r1.txt -m rouge1", "score", STATISTICS),
    ],
)
def test_a_command_imports_no_other_command_and_what_it_takes(line, command, unused, table):
    modules = imported_by_command(table, line)
    assert commands_in(modules) == {command}
    assert not modules & set(unused.split())


def test_scoring_in_python_imports_what_that_takes(here):
    """And summetry alone next to nothing."""
    code = (
        "import sys, summetry; assert not {'numpy', 'click', 'rich', 'msgspec', 'regex', "
        "'pyarrow'} & set(sys.modules); print(summetry.score('a b', 'a c', 'rouge1'))"
    )
    modules = imported_by(code, here)
    others = ["email", "rich", "scipy", "summetry.cli", "summetry.reports"]
    assert "numpy" in modules
    assert not modules & {*UNUSED.split(), *others, "click"}
