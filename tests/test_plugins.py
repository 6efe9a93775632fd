"""Plug-ins: a distribution of its own adds a metric, a format and a summarizer, and edits no file.

The files are written that pip would write; one test has pip itself build and install them.
"""

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from folded_lines import in_one_piece

METRIC = """
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from summetry.metrics import METRICS, Metric, Needs


@METRICS.register
@dataclass(frozen=True)
class ShareOfVowels(Metric):
    '''How many letters of the candidate are vowels.'''

    times: float = 1.0

    name: ClassVar[str] = "vowels"
    aliases: ClassVar[dict[str, str]] = {"vowels-100": "vowels(times=100)"}
    family: ClassVar[str] = "phonetics"
    values: ClassVar[tuple[str, ...]] = ("share",)
    headline: ClassVar[str] = "share"
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    better: ClassVar[dict[str, str]] = {"share": "neither"}
    needs: ClassVar[Needs] = Needs.NOTHING

    def count(self, batch):
        texts = [c.candidate.text for c in batch.comparisons]
        return np.array([[sum(letter in "aeiou" for letter in t), len(t)] for t in texts], float)

    def score(self, counts):
        return {"share": self.times * counts[:, 0] / counts[:, 1]}
"""
# Not registered by itself: the entry point names the class.
FORMAT = """
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from summetry.errors import Place
from summetry.formats import Format
from summetry.records import CorpusBuilder
from summetry.records.summaries import Summary
from summetry.records.topics import Topic


@dataclass(frozen=True)
class ZebraLines(Format):
    name: ClassVar[str] = "zebra"
    title: ClassVar[str] = "a first line ZEBRA, then a candidate and a reference by turns"

    def recognise(self, path: Path) -> bool:
        return path.is_file() and path.read_bytes().startswith(b"ZEBRA")

    def read(self, path, options):
        builder = CorpusBuilder("zebra", on_error=options.on_error)
        lines = path.read_text().splitlines()[1:]
        for number, text in enumerate(lines):
            topic, role = str(number // 2), "reference" if number % 2 else "candidate"
            if role == "candidate":
                builder.add("topics", Topic(topic), Place(str(path), number + 2))
            summary = Summary(topic, "z", role, text=text)
            builder.add("summaries", summary, Place(str(path), number + 2))
        return builder.build()
"""
SUMMARIZER = """
from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True)
class Last:
    '''The last units first.'''

    step: int = 1
    name: ClassVar[str] = "last_first"

    def rank(self, topic):
        return list(range(len(topic.units)))[:: -self.step]
"""
FUNCTIONS = """
def loudness(candidate, references, source):
    '''How many marks of exclamation there are.'''
    return candidate.count("!")


def shared_letters(candidate, references, source):
    letters = [len(set(candidate) & set(text)) for text in references]
    return {"most": max(letters), "least": min(letters)}


shared_letters.values = ("most", "least")
shared_letters.better = {"most": "higher", "least": "neither"}
"""
GOOD = {"metric.py": METRIC, "format.py": FORMAT, "summarizer.py": SUMMARIZER,
        "functions.py": FUNCTIONS}  # fmt: skip
GOOD_POINTS = {
    "summetry.metrics": "vowels = 'tiny_plugin.metric'\n"
                        "loudness = 'tiny_plugin.functions:loudness'\n"
                        "letters = 'tiny_plugin.functions:shared_letters'",
    "summetry.formats": "zebra = 'tiny_plugin.format:ZebraLines'",
    "summetry.summarizers": "last_first = 'tiny_plugin.summarizer:Last'",
}  # fmt: skip


def write_package(folder: Path) -> None:
    (folder / "tiny_plugin").mkdir(parents=True)
    for name, source in {"__init__.py": "", **GOOD}.items():
        (folder / "tiny_plugin" / name).write_text(source)


def write_distribution(site: Path, name: str, points: str) -> None:
    """The files about a distribution that pip would write."""
    about = site / f"{name.replace('-', '_')}-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(points)


def run(site: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join(filter(None, [str(site), os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, "PYTHONPATH": paths, "PYTHONWARNINGS": "error"}
    command = [sys.executable, *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment)


def printed(site: Path, code: str) -> list[str]:
    """The lines that a fresh Python prints."""
    done = run(site, "-c", textwrap.dedent(code))
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


COMMANDS = """
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
from summetry.cli.main import main

done = []
for command in json.loads(sys.argv[1]):
    with redirect_stdout(io.StringIO()) as output, redirect_stderr(io.StringIO()) as errors:
        try:
            main(command)
            code = 0
        except SystemExit as stopped:
            code = stopped.code or 0
    done.append((code, output.getvalue(), errors.getvalue()))
print(json.dumps(done))
"""


def run_each(site: Path, *commands: str) -> list[tuple[int, str, str]]:
    """Exit code, output and errors of several commands, one after another in one process."""
    done = run(site, "-c", COMMANDS, json.dumps([command.split() for command in commands]))
    assert (done.returncode, done.stderr) == (0, "")
    return [tuple(one) for one in json.loads(done.stdout)]


def outputs(site: Path, *commands: str) -> list[str]:
    """What several commands print that end well."""
    done = run_each(site, *commands)
    assert [errors for code, _, errors in done if code] == []
    return [output for _, output, _ in done]


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    site = tmp_path_factory.mktemp("good")
    write_package(site)
    points = "".join(f"[{group}]\n{lines}\n" for group, lines in GOOD_POINTS.items())
    write_distribution(site, "tiny-plugin", points.replace("'", ""))
    return site


@pytest.fixture
def zebra(tmp_path) -> Path:
    path = tmp_path / "lines.txt"
    path.write_text("ZEBRA\naaxx\nthe reference\neeee\nanother\n")
    return path


@pytest.fixture
def pair(tmp_path) -> str:
    """The options for a summary that is its own reference."""
    (tmp_path / "a.txt").write_text("abc")
    return f"--candidate {tmp_path / 'a.txt'} --reference {tmp_path / 'a.txt'}"


def test_what_a_plug_in_has_is_listed_and_explained_and_its_files_are_found(site, pair):
    as_json, table, formats, summarizer, function, explanations = outputs(
        site, "metrics --json", "metrics", "formats --json", "where last_first", "where letters",
        f"explain {pair} -m vowels --json",
    )  # fmt: skip
    listed = {entry["name"]: entry for entry in json.loads(as_json)}
    # A metric stands under a family of its own.
    assert listed["vowels"]["family"] == "phonetics"
    assert listed["vowels"]["options"] == ["times"]
    assert listed["vowels"]["what"] == "How many letters of the candidate are vowels."
    assert "unit_overlap" in listed
    assert listed["loudness"]["family"] == "functions"
    assert listed["loudness"]["what"] == "How many marks of exclamation there are."
    assert listed["letters"]["values"] == ["most", "least"]
    assert "phonetics" in table and "vowels-100" in table
    (zebra,) = (entry for entry in json.loads(formats) if entry["name"] == "zebra")
    assert zebra["written"] is False
    assert summarizer.startswith(str(site / "tiny_plugin" / "summarizer.py"))
    line = FUNCTIONS.splitlines().index("def shared_letters(candidate, references, source):") + 1
    assert function == f"{site / 'tiny_plugin' / 'functions.py'}:{line}\n"
    # By its values at least.
    (explained,) = json.loads(explanations)
    assert explained["values"] == {"share": pytest.approx(1 / 3)}


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_a_plug_in_metric_scores_what_a_plug_in_format_reads(site, zebra, workers):
    metrics = ["vowels", "vowels-100(times=10)", "unit_overlap", "letters.least", "loudness"]
    score = [f"score {zebra} --json --no-cache --chunk 1", *(f"-m {m}" for m in metrics)]
    (output,) = outputs(site, " ".join([*score, f"--workers {workers}"]))
    report = json.loads(output)
    (system,) = report["systems"]
    assert system["means"]["vowels"]["share"] == 0.75
    assert system["means"]["vowels-100(times=10)"]["share"] == 7.5
    # "aaxx" and "the reference" share nothing, "eeee" and "another" share an e.
    assert system["means"]["letters"] == {"least": 0.5}
    assert system["means"]["loudness"] == {"value": 0}
    signatures = report["signatures"]
    of_plug_ins = {name for name in signatures if "|plugin:tiny-plugin 1.0|" in signatures[name]}
    assert of_plug_ins == {"vowels", "vowels-100(times=10)", "letters", "loudness"}
    assert "plugin" not in signatures["unit_overlap"]


def put_broken(site: Path, *plug_ins: tuple[str, str]) -> Path:
    """The files of the distributions bad-0, bad-1, ..., each a source and what its point names."""
    for i, (source, named) in enumerate(plug_ins):
        write_distribution(site, f"bad-{i}", f"[summetry.metrics]\nbad{i} = bad_{i}{named}\n")
        (site / f"bad_{i}.py").write_text(textwrap.dedent(source))
    return site


BROKEN = [
    ("raise RuntimeError('no licence\\nand more lines')", "", "RuntimeError: no licence"),
    ("import absent_one", "", "ModuleNotFoundError: No module named 'absent_one'"),
    ("metric = 7", ":metric", "TypeError: expected a class, a function or a module, found 7"),
    ("def metric(candidate): pass\nmetric.better = 'louder'", ":metric",
     "PlugInError: the function 'bad3' must have one of higher, lower, neither as its "
     "attribute 'better', or a dict with one of them for each of value, got 'louder'"),
    ("from dataclasses import dataclass\n@dataclass\nclass Bad:\n    name = 'bad'", ":Bad",
     "SummetryError: <class 'bad_4.Bad'> must derive from "
     "summetry.metrics.base.Metric, as every metric does"),
    (METRIC.replace('"vowels"', '"cosine"'), "",
     "SummetryError: two metrics are named 'cosine': <class 'bad_5.ShareOfVowels'> "
     "and <class 'summetry.metrics.cosine.Cosine'>"),
    (METRIC + "raise RuntimeError('after all')", "", "RuntimeError: after all"),
    (METRIC.replace("family: ClassVar", "kind: ClassVar").replace("def count(", "def rows("), "",
     "SummetryError: <class 'bad_7.ShareOfVowels'> has no count, family, which a metric needs"),
    ("import sys; sys.exit('no licence')", "", "SystemExit: no licence"),
]  # fmt: skip


@pytest.fixture(scope="module")
def broken(tmp_path_factory) -> Path:
    """A folder with all broken plug-ins."""
    return put_broken(tmp_path_factory.mktemp("broken"), *(case[:2] for case in BROKEN))


def messages() -> list[str]:
    return [
        f"the metric plug-in 'bad{i}' of bad-{i} 1.0 cannot be loaded: {reason}; "
        "repair or uninstall it"
        for i, (_, _, reason) in enumerate(BROKEN)
    ]


def test_each_broken_plug_in_is_named_once_and_disturbs_nothing_else(broken, pair):
    scored, asked, listed, formats = run_each(
        broken, f"score {pair} -m rouge-1 -m cosine", f"score {pair} -m bad0", "metrics --json",
        "formats",
    )  # fmt: skip
    # What is found at home is not looked for in plug-ins.
    assert (scored[0], scored[2]) == (0, "")
    *notes, error = in_one_piece(asked[2]).splitlines()
    assert (asked[0], error) == (2, f"error: {messages()[0]}")
    assert formats[0] == 0 and formats[2] == ""
    notes += in_one_piece(listed[2]).splitlines()
    assert sorted(notes) == [f"note: {message}" for message in messages()]
    names = {entry["name"] for entry in json.loads(listed[1])}
    assert {"cosine", "rouge_n"} <= names
    assert not names & {"vowels", "bad", *(f"bad{i}" for i in range(len(BROKEN)))}


def test_a_broken_plug_in_warns_once_in_python_and_says_why_when_it_is_asked_for(broken):
    code = f"""
        import warnings
        import summetry
        from summetry.errors import SummetryError
        from summetry.metrics import METRICS
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            for _ in range(2):
                print(summetry.score("a", "a", "rouge-1")["rouge-1.f"], len(METRICS.names()) > 9)
        print({{warning.category.__name__ for warning in caught}}, len(caught))
        for i in range({len(BROKEN)}):
            try:
                METRICS.build(f"bad{{i}}")
            except SummetryError as error:
                print(error)
    """
    warned = f"{{'SummetryWarning'}} {len(BROKEN)}"
    assert printed(broken, code) == ["1.0 True", "1.0 True", warned, *messages()]


def failing(number: int, body: str) -> str:
    """A metric whose ``score`` is ``body``."""
    source = METRIC.replace('"vowels', f'"bad{number}')
    start = source.index("        return {")
    return source[:start] + f"        {body}\n"


FAILING = [
    ("raise KeyError('x')", "of the plug-in bad_0 failed: KeyError: 'x'; repair or"),
    ("return {}", "of the plug-in bad_1 failed: KeyError: 'share'; repair or"),
    ("return {'share': ['a', 'b']}", "failed: ValueError: could not convert string to float"),
    ("return {'share': 1.0}", "must give 2 numbers for 'share', one per comparison"),
    ("return {'share': counts[:1, 0]}", "and gave an array of the shape (1,)"),
    ("return {'share': counts}", "and gave an array of the shape (2, 2)"),
]


def test_a_metric_of_a_plug_in_that_fails_is_named(tmp_path):
    """The number of one comparison must not become that of all."""
    bodies = [(failing(i, body), "") for i, (body, _) in enumerate(FAILING)]
    site = put_broken(tmp_path / "site", *bodies)
    code = f"""
        import summetry
        from summetry.errors import SummetryError
        for i in range({len(FAILING)}):
            try:
                summetry.score(["a", "c"], [["b"], ["d"]], metrics=[f"bad{{i}}"])
            except SummetryError as error:
                print(error)
    """
    lines = printed(site, code)
    for i, (line, (_, reason)) in enumerate(zip(lines, FAILING, strict=True)):
        assert line.startswith(f"the metric 'bad{i}' ") and reason in line
