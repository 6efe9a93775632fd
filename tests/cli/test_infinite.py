"""Infinite values: one empty summary beside a source, through every command that meets it."""

import json
import shlex

import pytest
from command_line import succeed

from summetry.formats.scores import read_scores

SOURCES = {
    "1": "The ferry sank. Nobody was hurt in it.",
    "2": "The rain fell in spring. Hills were green.",
    "3": "The sun shone all May. Fields were dry.",
}
# The system `void` is near the source, but for one topic of which it says nothing.
SUMMARIES = {
    "void": {"1": "", "2": "The rain fell in spring.", "3": "The sun shone all May."},
    "near": {"1": "The ferry sank.", "2": "Hills were green.", "3": "Fields were dry."},
    "away": {"1": "A boat.", "2": "Rain.", "3": "Sun."},
}


@pytest.fixture
def outputs(here):
    rows = [
        {"id": topic, "system": system, "candidate": text, "source": SOURCES[topic]}
        for system, texts in SUMMARIES.items()
        for topic, text in texts.items()
    ]
    (here / "outputs.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    (here / "void.txt").write_text("")
    (here / "source.txt").write_text(SOURCES["1"])
    return here


def typed(line):
    return succeed(*shlex.split(line))


def strict(text):
    """JSON as every program reads it: the words Infinity and NaN are not part of it."""
    return json.loads(text, parse_constant=pytest.fail)


def test_people_files_and_programs_get_one_spelling(outputs):
    infinite = {"missed": "inf", "added": "inf"}
    done = typed("score outputs.jsonl -m kl_divergence -o s.csv")
    rows = [line.split()[:2] for line in done.lines if line.startswith(tuple(SUMMARIES))]
    assert len(rows) == len(SUMMARIES) and rows[-1] == ["void", "inf"]
    assert read_scores(outputs / "s.csv").column("kl_divergence.missed").max() == float("inf")
    output = strict(typed("score outputs.jsonl -m kl_divergence --json").out)
    means = {system["system"]: system["means"]["kl_divergence"] for system in output["systems"]}
    assert means["void"] == infinite
    done = typed("score --candidate void.txt --source source.txt -m kl_divergence --json")
    assert strict(done.out)["kl_divergence"]["missed"] == "inf"
    done = typed("explain outputs.jsonl -m kl_divergence --id 1 --system void --json")
    assert strict(done.out)[0]["values"] == infinite
    done = typed("compare outputs.jsonl -m kl_divergence.missed --draws 20 -o c.json")
    row = strict((outputs / "c.json").read_text())["systems"]["rows"][-1]
    assert (row["system"], row["mean"]) == ("void", "inf") and "1 infinite score" in done.words


@pytest.mark.usefixtures("drawn_once")
def test_charts_and_matrices_say_what_is_infinite(outputs):
    typed("score outputs.jsonl -m kl_divergence -m compression -o s.csv")
    marks = [f"{t},{s},{len(s + t)}" for t in SOURCES for s in SUMMARIES]
    (outputs / "j.csv").write_text("\n".join(["id,system,quality", *marks]))
    done = typed("correlate s.csv --matrix --coefficients tau_b --level system")
    assert any(line.startswith("kl_divergence.missed: 1 infinite score,") for line in done.lines)
    options = "-m kl_divergence.missed --no-tests --scatter points.svg"
    typed(f"correlate s.csv --judgments j.csv {options}")
    assert "infinite, so not drawn: void" in (outputs / "points.svg").read_text()
