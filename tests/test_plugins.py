"""Plug-ins: a distribution of its own adds a metric, a format and a summarizer, and edits no file.

The distributions are real: each is built and installed into a folder of its own by pip.
"""

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

METRIC = """
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from summetry.metrics import METRICS, Needs


@METRICS.register
@dataclass(frozen=True)
class ShareOfVowels:
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
GOOD = {"metric.py": METRIC, "format.py": FORMAT, "summarizer.py": SUMMARIZER}
GOOD_POINTS = {
    "summetry.metrics": "vowels = 'tiny_plugin.metric'",
    "summetry.formats": "zebra = 'tiny_plugin.format:ZebraLines'",
    "summetry.summarizers": "last_first = 'tiny_plugin.summarizer:Last'",
}


def install(tmp: Path, package: str, files: dict[str, str], points: dict[str, str]) -> Path:
    """Build a distribution of these files and install it into a folder; the folder."""
    project = tmp / f"project-{package}"
    (project / package).mkdir(parents=True)
    (project / package / "__init__.py").write_text("")
    for name, source in files.items():
        (project / package / name).write_text(textwrap.dedent(source))
    groups = "".join(f"[project.entry-points.'{g}']\n{line}\n" for g, line in points.items())
    (project / "pyproject.toml").write_text(
        "[build-system]\nrequires = ['hatchling']\nbuild-backend = 'hatchling.build'\n"
        f"[project]\nname = '{package.replace('_', '-')}'\nversion = '1.0'\n{groups}"
    )
    target = tmp / f"site-{package}"
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
    command += ["--no-build-isolation", "--disable-pip-version-check", "--target", str(target)]
    done = subprocess.run([*command, str(project)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return target


def run(site: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(site), "PYTHONWARNINGS": "error"}
    command = [sys.executable, *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment)


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    return install(tmp_path_factory.mktemp("good"), "tiny_plugin", GOOD, GOOD_POINTS)


@pytest.fixture
def zebra(tmp_path) -> Path:
    path = tmp_path / "lines.txt"
    path.write_text("ZEBRA\naaxx\nthe reference\neeee\nanother\n")
    return path


def test_a_metric_of_a_plug_in_is_listed_under_its_own_family(site):
    done = run(site, "-m", "summetry", "metrics", "--json")
    assert done.returncode == 0, done.stderr
    found = {entry["name"]: entry for entry in json.loads(done.stdout)}
    assert found["vowels"]["family"] == "phonetics"
    assert found["vowels"]["options"] == ["times"]
    assert found["vowels"]["what"] == "How many letters of the candidate are vowels."
    assert "unit_overlap" in found
    table = run(site, "-m", "summetry", "metrics").stdout
    assert "phonetics" in table
    assert "vowels-100" in table


def test_a_format_of_a_plug_in_is_listed(site):
    done = run(site, "-m", "summetry", "formats", "--json")
    assert {"name": "zebra", "written": False}.items() <= next(
        entry for entry in json.loads(done.stdout) if entry["name"] == "zebra"
    ).items()


def test_where_finds_the_file_of_a_plug_in(site):
    done = run(site, "-m", "summetry", "where", "last_first")
    assert done.stdout.startswith(str(site / "tiny_plugin" / "summarizer.py"))


def test_a_plug_in_metric_scores_what_a_plug_in_format_reads(site, zebra):
    score = ["-m", "summetry", "score", str(zebra), "-m", "vowels", "-m", "vowels-100(times=10)"]
    done = run(site, *score, "-m", "unit_overlap", "--json", "--no-cache")
    assert done.returncode == 0, done.stderr
    (system,) = json.loads(done.stdout)["systems"]
    assert system["means"]["vowels"]["share"] == 0.75
    assert system["means"]["vowels(times=10)"]["share"] == 7.5


def test_a_format_of_a_plug_in_comes_before_those_that_take_any_text(site, zebra):
    # "zebra" comes after "plain" and "table" in the alphabet, and is the special one.
    code = f"import summetry; print([t.id for t in summetry.load({str(zebra)!r}).topics])"
    assert run(site, "-c", code).stdout == "['0', '1']\n"


def test_a_plug_in_metric_answers_from_python_and_refuses_a_wrong_option(site):
    code = """
        from summetry.metrics import METRICS
        from summetry.errors import SummetryError
        print(METRICS.build("vowels-100").times)
        try:
            METRICS.build("vowels(tmes=2)")
        except SummetryError as error:
            print(error)
    """
    done = run(site, "-c", textwrap.dedent(code))
    assert done.stdout.splitlines() == [
        "100.0",
        "vowels has no option 'tmes'. Did you mean 'times'? Its options: times.",
    ]


def test_a_summarizer_of_a_plug_in_ranks_units(site):
    code = """
        from summetry.records.topics import Document, Topic
        from summetry.summarizers import SUMMARIZERS
        topic = Topic("t", documents=(Document("d", units=("a", "b", "c")),))
        print("last_first" in SUMMARIZERS.names())
        print(SUMMARIZERS.build("last_first").rank(topic))
        print(SUMMARIZERS.build("last_first(step=2)").rank(topic))
    """
    done = run(site, "-c", textwrap.dedent(code))
    assert done.stdout.splitlines() == ["True", "[2, 1, 0]", "[2, 0]"]


def broken(tmp: Path, source: str, point: str = "bad = 'bad_plugin.bad'") -> Path:
    return install(tmp, "bad_plugin", {"bad.py": source}, {"summetry.metrics": point})


@pytest.mark.parametrize(
    ("source", "point", "reason"),
    [
        (
            "raise RuntimeError('no licence\\nand more lines\\nof it')",
            "bad = 'bad_plugin.bad'",
            "RuntimeError: no licence",
        ),
        (
            "import a_package_that_is_not_there",
            "bad = 'bad_plugin.bad'",
            "ModuleNotFoundError: No module named 'a_package_that_is_not_there'",
        ),
        (
            "def metric(): pass",
            "bad = 'bad_plugin.bad:metric'",
            "TypeError: expected a class or a module, found <function metric at 0x...>",
        ),
        (
            "from dataclasses import dataclass\n@dataclass\nclass Bad:\n    name = 'cosine'",
            "bad = 'bad_plugin.bad:Bad'",
            "SummetryError: two metrics are named 'cosine': <class 'bad_plugin.bad.Bad'> and "
            "<class 'summetry.metrics.cosine.Cosine'>",
        ),
    ],
)
def test_a_broken_plug_in_gives_one_line_that_names_its_distribution(
    tmp_path, source, point, reason
):
    done = run(broken(tmp_path, source, point), "-m", "summetry", "metrics")
    said = done.stderr
    if "0x" in said:
        said = said[: said.index("0x")] + "0x..." + said[said.index(">;") :]
    assert done.returncode == 2
    assert done.stdout == ""
    assert said == (
        f"error: the metric plug-in 'bad' of bad-plugin cannot be loaded: {reason}; "
        "repair or uninstall bad-plugin\n"
    )


def test_a_broken_plug_in_is_named_each_time_somebody_asks(tmp_path):
    code = """
        from summetry.metrics import METRICS
        from summetry.errors import SummetryError
        for _ in range(2):
            try:
                METRICS.names()
            except SummetryError as error:
                print(str(error).partition(" cannot")[0])
    """
    done = run(broken(tmp_path, "raise RuntimeError"), "-c", textwrap.dedent(code))
    assert done.stdout.splitlines() == ["the metric plug-in 'bad' of bad-plugin"] * 2


def test_a_broken_metric_does_not_stop_what_needs_no_metric(tmp_path):
    site = broken(tmp_path, "raise RuntimeError")
    assert run(site, "-m", "summetry", "formats").returncode == 0


def failing(body: str) -> str:
    """A metric whose ``score`` is ``body``."""
    source = METRIC.replace("class ShareOfVowels:", "class Bad:").replace('"vowels', '"bad')
    start = source.index("        return {")
    return source[:start] + f"        {body}\n"


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("raise KeyError('x')", "of the plug-in bad_plugin.bad failed: KeyError: 'x'; repair or"),
        ("return {}", "of the plug-in bad_plugin.bad failed: KeyError: 'share'; repair or"),
        ("return {'share': ['a', 'b']}", "failed: ValueError: could not convert string to float"),
        ("return {'share': 1.0}", "must give 2 numbers for 'share', one a comparison, and gave"),
        ("return {'share': counts[:1, 0]}", "and gave an array of the shape (1,)"),
        ("return {'share': counts}", "and gave an array of the shape (2, 2)"),
    ],
)
def test_a_metric_of_a_plug_in_that_fails_is_named(tmp_path, zebra, body, reason):
    """The number of one comparison must not become that of all."""
    site = broken(tmp_path, failing(body))
    score = ["-m", "summetry", "score", str(zebra), "--format", "table", "-m", "bad", "--no-cache"]
    zebra.write_text("candidate,reference\na,b\nc,d\n")
    done = run(site, *score)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("error: the metric 'bad' ") and reason in line


def test_a_metric_of_a_plug_in_needs_all_its_members(tmp_path):
    source = failing("return {}").replace('    headline: ClassVar[str] = "share"\n', "")
    done = run(broken(tmp_path, source), "-m", "summetry", "metrics")
    assert done.returncode == 2
    assert "Bad'> has no headline, which a metric needs; repair or uninstall" in done.stderr


def test_a_metric_of_a_plug_in_need_not_explain_itself(site, tmp_path):
    (tmp_path / "a.txt").write_text("abc")
    texts = ["--candidate", str(tmp_path / "a.txt"), "--reference", str(tmp_path / "a.txt")]
    done = run(site, "-m", "summetry", "explain", *texts, "-m", "vowels", "-m", "lcs")
    assert done.returncode == 0, done.stderr
    assert done.stderr == "note: vowels cannot be explained, it has no method for that\n"
    assert done.stdout.startswith("lcs ")
