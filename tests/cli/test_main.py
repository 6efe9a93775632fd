"""The command as a whole: help, version, names that are nearly right."""

import inspect
import re
import shlex
import subprocess
import sys

import pytest
from typed_commands import all_commands

import summetry
from summetry.cli.main import app

LISTED = list(app.commands)
COMMANDS = list(all_commands())


def help_of(name):
    return all_commands()[name]


def examples(text):
    return re.findall(r"^ +(summetry .*)$", text, flags=re.M)


@pytest.mark.parametrize(("compiled", "runs"), [(True, "compiled"), (False, "plain Python")])
def test_the_version_says_whether_the_compiled_part_runs(call, monkeypatch, compiled, runs):
    monkeypatch.setattr("summetry.arrays.kernel.is_compiled", lambda: compiled)
    assert call("--version") == (0, f"summetry {summetry.__version__} ({runs})\n", "")


@pytest.mark.parametrize("ask", [[], ["--help"], ["-h"]], ids=str)
def test_without_a_command_the_help_lists_all(call, ask):
    done = call(*ask)
    assert (done.code, done.err) == (0, "")
    listed = done.out.partition("Commands:\n")[2].splitlines()[: len(LISTED)]
    assert [line.split()[0] for line in listed] == LISTED
    assert not [line for line in listed if line.endswith("...")], "each fits in its line"


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_ends_with_an_example(call, name):
    done = call(*name.split(), "--help")
    assert (done.code, done.err) == (0, "")
    last = done.out.rstrip().splitlines()[-1]
    assert last.startswith(f"      summetry {name}")
    assert re.search(r"^  Examples?:$", done.out, flags=re.M)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_examples_are_accepted_by_the_parser(call, name):
    shown = examples(call(*name.split(), "--help").out)
    assert shown
    for example in shown:
        typed = f"summetry {name} "
        assert example.startswith(typed) or example == typed.strip()
        words = shlex.split(example)[len(typed.split()) :]
        context = help_of(name).make_context(name, words)
        assert context.params


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_has_its_help(name):
    for parameter in help_of(name).params:
        assert parameter.help, parameter.name


@pytest.mark.parametrize("name", COMMANDS)
def test_an_option_says_what_it_takes_in_words(call, name):
    """No type of Python; a choice shows what may be chosen."""
    shown = re.findall(r"^  (-.*?)(?:  |$)", call(*name.split(), "--help").out, flags=re.M)
    assert shown
    assert not [option for option in shown if re.search(r"<(int|float|str|path|file)\b", option)]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_speaks_to_programs(name):
    options = [option for parameter in help_of(name).params for option in parameter.opts]
    assert "--json" in options


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_has_a_module_that_says_what_it_is(name):
    module = inspect.getmodule(inspect.unwrap(help_of(name).callback))
    assert f"``summetry {name}``" in module.__doc__


@pytest.mark.parametrize(
    ("name", "meant"), [("scor", "score"), ("metric", "metrics"), ("explian", "explain")]
)
def test_a_command_that_is_nearly_right(call, name, meant):
    done = call(name)
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        f"error: no command is named {name!r}. Did you mean {meant!r}? "
        "`summetry --help` lists all.\n"
    )


def test_an_option_that_is_nearly_right(call):
    done = call("score", "x", "--metirc", "lcs")
    assert done.err == (
        "error: no such option: --metirc, perhaps --metric is meant; "
        "`summetry score --help` tells more\n"
    )


def test_too_little_memory_is_no_fault_of_the_program(call, monkeypatch):
    def fail(*_, **__):
        raise MemoryError("Unable to allocate 26.5 GiB")

    monkeypatch.setattr("summetry.cli.listings.print_json", fail)
    done = call("formats", "--json")
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        "error: not enough memory (Unable to allocate 26.5 GiB); shorter texts, or fewer at a "
        "time, need less\n"
    )


def test_ctrl_c_in_the_middle_of_a_class_is_ctrl_c(call, monkeypatch):
    def fail(*_, **__):
        raise RuntimeError("Error calling __set_name__") from KeyboardInterrupt()

    monkeypatch.setattr("summetry.cli.listings.print_json", fail)
    done = call("formats", "--json")
    assert (done.code, done.out, done.err) == (130, "", "interrupted\n")


def test_a_fault_of_the_program_is_one_line_with_advice(call, monkeypatch):
    def fail(*_, **__):
        raise ZeroDivisionError("division\nby zero")

    monkeypatch.setattr("summetry.cli.listings.print_json", fail)
    done = call("formats", "--json")
    assert (done.code, done.out) == (70, "")
    assert done.err == (
        "error: a fault of the program (ZeroDivisionError: division by zero); "
        "SUMMETRY_TRACEBACK=1 shows where\n"
    )
    monkeypatch.setenv("SUMMETRY_TRACEBACK", "1")
    from summetry.cli.main import main

    with pytest.raises(ZeroDivisionError):
        main(["formats", "--json"])


def test_the_program_and_the_module_are_the_same(process):
    program = [sys.executable, "-c", "from summetry.cli.main import main; main()", "formats"]
    found = subprocess.run(program, capture_output=True, text=True, timeout=300)
    assert found.stdout == process("formats").out != ""


def test_importing_summetry_costs_next_to_nothing():
    script = """if True:
        import sys
        import summetry
        heavy = {"numpy", "click", "rich", "msgspec", "regex", "pyarrow"}
        assert not heavy & set(sys.modules), heavy & set(sys.modules)
        summetry.score
        assert "numpy" in sys.modules
    """
    subprocess.run([sys.executable, "-c", script], check=True, timeout=300)
