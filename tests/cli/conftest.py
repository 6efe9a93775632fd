"""Calling the command: in this process where speed matters, as a real one where that does."""

import importlib
import inspect
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import Done, run_command, succeed

import summetry


@pytest.fixture(scope="session", autouse=True)
def shared_cache(tmp_path_factory):
    """What fixtures of a wider scope keep does not land in the user's own cache either."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session", autouse=True)
def late_imports():
    """What commands import when they need it is not charged to the first test that needs it."""
    importlib.import_module("scipy.special")


@pytest.fixture(scope="session")
def drawn_once():
    """The library of charts takes seconds to load."""
    altair = pytest.importorskip("altair")
    pytest.importorskip("vl_convert").vegalite_to_svg(altair.Chart().mark_point().to_dict())


@pytest.fixture
def no_chart_script(drawn_once, monkeypatch):
    """To bundle the script of pages with charts takes seconds; the tests of charts look at it."""
    monkeypatch.setattr("summetry.reports.chart_files._script", lambda: "")


@pytest.fixture(scope="session")
def part_of_demo(tmp_path_factory, demo_folder):
    """Write a corpus of some topics of the demo, with all that belongs to them: its folder."""

    def write(*topics):
        folder = tmp_path_factory.mktemp("part") / "demo"
        shutil.copytree(demo_folder, folder)
        of_others = re.compile(rf'\{{"(?:topic|id)": "(?!{"|".join(topics)})t')
        for path in folder.glob("*.jsonl"):
            lines = path.read_text("utf-8").splitlines(keepends=True)
            path.write_text("".join(line for line in lines if not of_others.match(line)), "utf-8")
        return folder

    return write


@pytest.fixture
def shows(snapshot):
    """Compare what calls print, notes last, with the snapshot of the test.

    All of it fits 80 columns, and no line ends with a blank.
    """

    def compare(*calls):
        lines = []
        for typed in calls:
            done = succeed(*shlex.split(typed))
            printed = [*done.out.splitlines(), *done.folded_err.splitlines()]
            lines += [f"$ summetry {typed}", *printed, ""]
            if "--json" not in typed:
                assert [x for x in printed if len(x) > 80 or x != x.rstrip()] == [], typed
        assert "\n".join(lines).replace(f"v:{summetry.__version__}", "v:VERSION") == snapshot

    return compare


@pytest.fixture
def refuses(snapshot):
    """Compare what is said of mistakes, each in one line, with the snapshot of the test.

    Nothing is printed, notes may stand before it, and no file in the current folder changes.
    """

    def compare(calls):
        lines, before = [], contents()
        for typed in filter(None, inspect.cleandoc(calls).splitlines()):
            done = run_command(*shlex.split(typed))
            said = done.err.splitlines()
            assert (done.code, done.out) == (2, ""), typed
            assert [line.startswith("error: ") for line in said].index(True) == len(said) - 1, typed
            assert contents() == before, typed
            lines += [f"$ summetry {typed}", *(f"  {line}" for line in said)]
        assert "\n".join(lines) == snapshot

    return compare


def contents():
    """All files and folders in the current one, without what is behind links."""
    paths = sorted(Path().rglob("*"))
    return {path: path.read_bytes() if path.is_file() else b"" for path in paths}


@pytest.fixture
def process():
    """The command as a process of its own, with standard input and an environment."""

    def run(*arguments, stdin=b"", folder=None, **environment):
        command = [sys.executable, "-m", "summetry", *map(str, arguments)]
        done = subprocess.run(
            command,
            input=stdin,
            capture_output=True,
            cwd=folder,
            env=os.environ | environment,
            timeout=300,
        )
        return Done(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty folder as the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="session")
def three_topics(part_of_demo):
    return part_of_demo("t01", "t02", "t03")


@pytest.fixture
def corpus(here, three_topics):
    """Three topics of the demo corpus as ``corpus`` in the current folder."""
    (here / "corpus").symlink_to(three_topics)
    return here / "corpus"


@pytest.fixture
def voted(here):
    """The corpus ``corpus``: three topics, three informants in two groups, two systems.

    Units of t1 have 3, 2, 2 and 4 words and 3, 2, 1 and 1 votes; nobody chose any of t3.
    """
    units = ["The ferry sank.", "Nobody died.", "Fog came.", "They build a bridge."]
    genres = {"t1": "news", "t2": "story", "t3": "story"}
    votes = {("t1", "ann"): [0, 1], ("t1", "ben"): [0, 1, 2], ("t1", "cy"): [0, 3],
             ("t2", "ann"): [0], ("t2", "ben"): [0]}  # fmt: skip
    records = {
        "topics": [{"id": topic, "genre": genre, "documents": [{"id": "d", "units": units}]}
                   for topic, genre in genres.items()],
        "extracts": [{"topic": topic, "informant": person, "units": chosen}
                     for (topic, person), chosen in votes.items()],
        "people": [{"id": person, "group": "readers"} for person in ("ann", "ben")],
        "summaries": [{"topic": topic, "author": system, "role": "candidate"} | content
                      for topic, system, content in (
                          ("t1", "picker", {"units": [0, 3]}), ("t2", "picker", {"units": [0]}),
                          ("t1", "writer", {"text": "The ferry sank in fog."}))],
    }  # fmt: skip
    (here / "corpus").mkdir()
    (here / "corpus" / "corpus.json").write_text('{"name": "small", "language": "en"}')
    for name, rows in records.items():
        (here / "corpus" / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return here


@pytest.fixture
def texts(here):
    """A candidate, two references and a source; the references share 2 of 4 and 1 of 4 words."""
    (here / "a.txt").write_text("a b c")
    (here / "r1.txt").write_text("b c d")
    (here / "r2.txt").write_text("c e")
    (here / "s.txt").write_text("a b c d e f")
    return here


@pytest.fixture
def judged(here):
    """judgments.csv: 12 topics and 3 systems; ``llm`` is the annotators' middle mark, ``lazy`` a 3.

    The mark of a summary is 1, 3 or 5, and each annotator in turn is off by one.
    """
    people, rows = ("ann", "bob", "eve"), ["id,system,judge,quality"]
    for topic in range(12):
        for system in range(3):
            mark = 1 + 2 * ((topic + system) % 3)
            given = dict.fromkeys(people, mark)
            off = people[(topic * 3 + system) % 3]
            given[off] = mark + 1 if mark < 5 else 4
            given |= {"llm": mark, "lazy": 3}
            rows += [f"t{topic},s{system},{judge},{value}" for judge, value in given.items()]
    (here / "judgments.csv").write_text("\n".join(rows))
    return here
