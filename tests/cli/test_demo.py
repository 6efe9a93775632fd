"""``summetry demo``: the whole tour, from any folder, as often as one likes."""

import csv
import math
import re
import shlex
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from command_line import run_command, succeed

import summetry
from summetry.api import packed_texts
from summetry.formats.scores import read_scores
from summetry.metaeval.correlations import correlate_with_judgments

METRICS = ["rouge-1", "rouge-2", "rouge-l", "memog", "cosine"]
FILES = ["corpus", "scores.csv", "correlations.csv", "report.html"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("here")


@pytest.fixture(scope="module")
def tour(folder):
    """The tour as it is printed, in a folder whose name has a blank.

    To explain the texts takes most of the time: the page has those of one system on two topics.
    """

    def of_first(plan, findings, *more):
        grid = findings.grid
        first = replace(
            findings, grid=grid.only_systems(grid.systems[:1]).only_topics(["t01", "t02"])
        )
        return packed_texts(plan, first, *more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        patch.setattr("summetry.cli.demo.packed_texts", of_first)
        return succeed("demo", "-o", "my tour", folder=folder)


@pytest.fixture(scope="module")
def table(demo):
    return summetry.evaluate(demo, METRICS)


@pytest.fixture
def page(folder, tour):
    return (folder / "my tour" / "report.html").read_text("utf-8")


@pytest.fixture(scope="module")
def whole_tour(folder):
    """The tour with the texts of all systems."""
    return succeed("demo", "-o", "whole tour", folder=folder)


def test_the_tour_writes_a_corpus_scores_and_correlations(folder, tour, demo, table):
    made = folder / "my tour"
    names = {path.name for path in made.iterdir()}
    assert names == {*FILES, "scores.csv.signatures.json"}
    assert summetry.load(made / "corpus") == demo
    assert read_scores(made / "scores.csv") == table
    with (made / "correlations.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    own = correlate_with_judgments(table, demo)
    assert [(row["value"], row["dimension"]) for row in rows] == [
        (x.value, x.dimension) for x in own
    ]
    assert [row["pearson"] for row in rows if row["pearson"]] == [
        repr(line.pearson) for line in own if not math.isnan(line.pearson)
    ]


def test_the_tour_tells_one_story_on_one_screen(folder, tour, snapshot):
    """One system is better than another, and two do not differ significantly."""
    lines = tour.lines
    assert len(lines) <= 40 and max(map(len, lines)) <= 80
    assert "\n".join(lines) == snapshot
    # The next step works in a folder with a blank.
    command = lines[-1].strip()
    assert succeed(*shlex.split(command)[1:], folder=folder).lines


@pytest.mark.slow
def test_the_page_of_the_tour_is_what_report_makes_of_its_corpus(folder, whole_tour):
    page = (folder / "whole tour" / "report.html").read_text("utf-8")
    command = re.search(r"<code>summetry (report corpus [^<]*)</code>", page)[1]
    # The command stands in the page as it is to be typed beside the corpus.
    succeed(*shlex.split(command), "-o", "../again.html", folder=folder / "whole tour")
    again = (folder / "again.html").read_text("utf-8")
    made = re.compile(r'<p class="made">.*?</p>')
    assert made.sub("", again) == made.sub("", page)


@pytest.mark.slow
def test_twice_in_a_row_is_the_same(folder, whole_tour):
    files = {p: p.read_bytes() for p in (folder / "whole tour").rglob("*") if p.is_file()}
    assert succeed("demo", "-o", "whole tour", folder=folder).out == whole_tour.out
    assert files == {p: p.read_bytes() for p in files}


def test_the_tour_is_written_again_beside_other_files_and_told_as_json(here, monkeypatch):
    # The page takes most of the time.
    page = SimpleNamespace(save=lambda path: path.write_text("a page"))
    monkeypatch.setattr("summetry.cli.demo._page", lambda corpus: page)
    (here / "summetry-demo").mkdir()
    (here / "summetry-demo" / "notes.txt").write_text("mine")
    succeed("demo")
    files = {p: p.read_bytes() for p in (here / "summetry-demo").rglob("*") if p.is_file()}
    output = succeed("demo", "--json").json
    assert files == {p: p.read_bytes() for p in files}
    assert {*FILES, "notes.txt"} <= {path.name for path in (here / "summetry-demo").iterdir()}
    assert set(output) == {"systems", "signatures", "notes", "correlations", "written"}
    assert len(output["systems"]) == 6
    assert output["written"] == [str(Path("summetry-demo", name)) for name in FILES]


@pytest.mark.parametrize(
    "name", ["scores.csv", "correlations.csv", "report.html", "corpus/topics.jsonl"]
)
def test_files_of_the_user_are_not_written_over(here, name):
    (here / name).parent.mkdir(exist_ok=True)
    (here / name).write_text("precious")
    done = run_command("demo", "-o", ".")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"error: {name.split('/')[0]}: exists already, and not from a demo")
    assert (here / name).read_text() == "precious"
    assert len([path for path in here.rglob("*") if path.is_file()]) == 1
