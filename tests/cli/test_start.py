"""What a call imports: the first one should not wait for what it does not use."""

import inspect
import json
import pkgutil
import shlex
import subprocess
import sys
from importlib.util import find_spec

import pytest
from typed_commands import all_commands

import summetry.cli
from summetry.cli._commands import COMMANDS, TASKS

# All sentences by what is typed for a command.
SENTENCES = COMMANDS | {f"task {name}": sentence for name, sentence in TASKS.items()}
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
