"""Infinite values: one empty summary beside a source, through every command that meets it."""

import json
import math

import pytest

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


def strict(text):
    """JSON as every program reads it: the words Infinity and NaN are not part of it."""
    return json.loads(text, parse_constant=pytest.fail)


def test_score_prints_and_writes_one_spelling_that_reads_back(scored, outputs):
    for ending in ("csv", "jsonl", "parquet"):
        done = scored("score", "outputs.jsonl", "-m", "kl_divergence", "-o", f"s.{ending}")
        rows = [line.split()[:2] for line in done.lines if line.startswith(tuple(SUMMARIES))]
        assert len(rows) == len(SUMMARIES) and rows[-1] == ["void", "inf"]
        table = read_scores(outputs / f"s.{ending}")
        assert sorted(table.column("kl_divergence.missed").tolist())[-2:] == [
            pytest.approx(max(filter(math.isfinite, table.column("kl_divergence.missed")))),
            math.inf,
        ]
    shown = strict(scored("score", "outputs.jsonl", "-m", "kl_divergence", "--json").out)
    means = {system["system"]: system["means"]["kl_divergence"] for system in shown["systems"]}
    assert means["void"] == {"missed": "inf", "added": "inf"}
    assert float(means["void"]["missed"]) == math.inf


def test_one_text_and_its_explanation_are_json(scored, outputs):
    done = scored("score", "--candidate", "void.txt", "--source", "source.txt",
                  "-m", "kl_divergence", "--json")  # fmt: skip
    assert strict(done.out)["kl_divergence"]["missed"] == "inf"
    done = scored("explain", "outputs.jsonl", "-m", "kl_divergence", "--id", 1,
                  "--system", "void", "--json")  # fmt: skip
    (explained,) = strict(done.out)
    assert explained["values"] == {"missed": "inf", "added": "inf"}


def test_compare_puts_an_infinite_mean_last(scored, outputs):
    done = scored("compare", "outputs.jsonl", "-m", "kl_divergence.missed", "-o", "c.json")
    rows = strict((outputs / "c.json").read_text())["systems"]["rows"]
    assert rows[-1]["system"] == "void" and rows[-1]["mean"] == "inf"
    assert strict(scored("compare", "outputs.jsonl", "-m", "kl_divergence", "--json").out)
    assert "1 infinite score" in " ".join(done.lines)


def test_ranks_of_metrics_have_an_infinite_mean_last(scored, here):
    """By hand: people order a > b > c, the metric (lower is better) 1 < 2 < infinite."""
    scores, marks = ["id,system,kl_divergence.missed"], ["id,system,quality"]
    for place, system in enumerate("abc"):
        for topic in "xy":
            value = "inf" if (system, topic) == ("c", "y") else 1 + place % 2
            # Without the infinite score c would be the best.
            scores.append(f"{topic},{system},{0 if (system, topic) == ('c', 'x') else value}")
            marks.append(f"{topic},{system},{3 - place}")
    (here / "s.csv").write_text("\n".join(scores))
    (here / "j.csv").write_text("\n".join(marks))
    done = scored("correlate", "s.csv", "--judgments", "j.csv", "--level", "system", "--no-tests",
                  "--coefficients", "spearman,tau_b", "--draws", 5, "--json")  # fmt: skip
    (rows,) = (part["rows"] for part in strict(done.out).values() if "rows" in part)
    own = [row for row in rows if row["metric"] == "kl_divergence.missed"]
    assert {row["coefficient"]: row["value"] for row in own} == {"spearman": -1, "tau_b": -1}


def test_charts_and_matrices_say_what_is_infinite(scored, outputs):
    scored("score", "outputs.jsonl", "-m", "kl_divergence", "-m", "compression", "-o", "s.csv")
    marks = [f"{t},{s},{len(s + t)}" for t in SOURCES for s in SUMMARIES]
    (outputs / "j.csv").write_text("\n".join(["id,system,quality", *marks]))
    done = scored("correlate", "s.csv", "--matrix", "--coefficients", "tau_b", "--level", "system")
    assert any(line.startswith("kl_divergence.missed: 1 infinite score,") for line in done.lines)
    pytest.importorskip("vl_convert")
    scored("correlate", "s.csv", "--judgments", "j.csv", "-m", "kl_divergence.missed",
           "--no-tests", "--scatter", "points.svg")  # fmt: skip
    assert "infinite, so not drawn: void" in (outputs / "points.svg").read_text()
