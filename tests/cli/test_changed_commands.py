"""Command lines with something left out, doubled, misspelt or added: each does its work or ends
with one clear line, and changes no file that it read."""

import shlex
import shutil
import warnings
from random import Random

import pytest
from command_line import run_command, succeed
from damage import changed_command
from typed_commands import all_commands

TABLE = "id,system,candidate,reference\n" + "".join(
    f"{topic},{system},{text},a ferry hit the pier in fog {topic}\n"
    for topic in range(1, 7)
    for system, text in [
        ("bart", "a ferry hit the pier in fog"[: 6 + 4 * (topic % 4)]),
        ("lead", "it rained"),
        ("t5", "the pier in fog"[: 3 + 4 * (topic % 3)]),
    ]
)
JUDGMENTS = "id,system,coherence\n" + "".join(
    f"{topic},{system},{mark}\n"
    for topic in range(1, 7)
    for system, mark in [("bart", 4), ("lead", 1 + topic % 2), ("t5", 3)]
)
QUESTION = '{"topic":"t01","id":"q","question":"What?","choices":["a","b"],"answer":1}\n'
ANSWER = '{"topic":"t01","question":"q","judge":"ann","condition":"source","choice":1}\n'
# One right call of every command that reads something.
COMMANDS = [
    "score corpus -m rouge1 -o out.csv",
    "score outputs.csv --long -o out.csv --json",
    "score --candidate a.txt --reference b.txt -m lcs",
    "explain corpus -m rouge1 --id t01 --system lead",
    "graph a.txt",
    "network corpus --id t01 --system lead -o network.svg",
    "summarize a.txt -s lead --length 1",
    "rank labelled -s lead",
    "reference corpus --length 30%",
    "agreement corpus",
    "compare outputs.csv -m rouge1 --draws 50",
    "compare scores.csv -m rouge1 --test t --baseline lead --fail-if-worse 0.01",
    "correlate scores.csv --judgments judgments.csv --draws 20",
    "pyramid labels corpus -o out",
    "task questions asked --draws 50",
    "task categorization corpus --draws 50 --folds 3 --extracts 2",
    "task retrieval corpus --draws 50 -o out.csv",
    "discriminate scores.csv --judgments judgments.csv --draws 20",
    "combine scores.csv --judgments judgments.csv -m rouge1.f -m lcs.f",
    "convert corpus out --to folder",
    "rouge155 -n 2 -a run/settings.xml",
    "metrics",
    "formats",
    "summarizers",
    "where rouge1",
]


def options_of(name):
    """Every option of a command, as it is typed."""
    command = all_commands()[name]
    return [option for parameter in command.params for option in parameter.opts if "-" in option]


@pytest.fixture(scope="module")
def inputs(tmp_path_factory, part_of_demo):
    """What the commands read, small."""
    pytest.importorskip("sklearn.svm", reason="a task needs it, and it takes long to import")
    folder = tmp_path_factory.mktemp("inputs")
    few_topics = part_of_demo("t01", "t03", "t06", "t07")
    for name in ("corpus", "asked"):
        shutil.copytree(few_topics, folder / name)
    for name, content in {
        "a.txt": "A ferry struck the pier. Nobody was hurt. It rained.",
        "b.txt": "A ferry hit the pier.",
        "outputs.csv": TABLE,
        "judgments.csv": JUDGMENTS,
        "asked/questions.jsonl": QUESTION,
        "asked/answers.jsonl": ANSWER,
    }.items():
        (folder / name).write_text(content)
    for line in (
        "score outputs.csv -m rouge1 -m lcs --no-cache -o scores.csv",
        "pyramid labels corpus -o labelled",
        "convert corpus run --to rouge_xml",
    ):
        succeed(*shlex.split(line), folder=folder)
    return folder


@pytest.fixture
def folder(inputs, here):
    return shutil.copytree(inputs, here, dirs_exist_ok=True)


def contents(folder):
    """All that a command may read, and may not change."""
    inputs = [folder / name for name in ("a.txt", "b.txt", "outputs.csv", "judgments.csv")]
    return {path: path.read_bytes() for path in [*inputs, *(folder / "corpus").iterdir()]}


def try_changes(line, folder, seeds):
    before = contents(folder)
    command = line.split()
    name = next(name for name in all_commands() if command[: len(name.split())] == name.split())
    assert run_command(*command).code == 0
    for seed in seeds:
        changed = changed_command(command, options_of(name), Random(f"{line} {seed}"))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            done = run_command(*changed)
        errors = [text for text in done.err.splitlines() if text.startswith("error:")]
        assert done.code in (0, 1, 2), (seed, changed, done.err[-500:])
        assert len(errors) <= 1 and "Traceback" not in done.err, (seed, changed, done.err[-500:])
        assert done.code != 2 or done.err.strip(), (seed, changed)
        assert contents(folder) == before, (seed, changed)


@pytest.mark.parametrize("line", COMMANDS)
def test_a_changed_command_works_or_says_why_not(line, folder):
    try_changes(line, folder, range(1))


@pytest.mark.slow
@pytest.mark.parametrize("line", COMMANDS)
def test_many_changed_commands(line, folder):
    try_changes(line, folder, [*range(1, 12), *range(100, 400)])
