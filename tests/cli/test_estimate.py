"""``summetry estimate``: what is printed, JSON with every field, files, pictures, mistakes."""

import csv
import json
import re
import shlex

import numpy as np
import pytest
from command_line import succeed

import summetry

BASE = "scores.csv --judgments judged.csv"


def write(folder, judgments, proxies):
    """Tables of systems s0, s1, ... and topics t0, t1, ...: cells that are missing are empty."""
    scores = [["id", "system", *(f"p{k}" for k in range(len(proxies)))]]
    marks = [["id", "system", "quality"]]
    for i, own in enumerate(judgments):
        for j, mark in enumerate(own):
            values = [proxy[i][j] for proxy in proxies]
            scores.append([f"t{j}", f"s{i}", *("" if v is None else repr(v) for v in values)])
            marks.append([f"t{j}", f"s{i}", "" if mark is None else repr(mark)])
    for name, rows in (("scores.csv", scores), ("judged.csv", marks)):
        with (folder / name).open("w", newline="") as file:
            csv.writer(file).writerows(rows)


@pytest.fixture
def small(here):
    """Four systems on 40 topics, 20 of them judged; two metrics, of which one follows people."""
    rng = np.random.default_rng(5)
    quality = rng.normal([[4], [3.4], [3], [3]], 0.7, (4, 40)).round(2)
    judgments = [[v if j % 2 else None for j, v in enumerate(row)] for row in quality.tolist()]
    good, bad = (quality + rng.normal(0, size, quality.shape) for size in (0.3, 9))
    write(here, judgments, [good.round(3).tolist(), bad.round(3).tolist()])
    return here


def edit(path, change, header=""):
    """Change each line of a table but the first; None leaves it out, and the header may grow."""
    first, *lines = path.read_text().splitlines()
    changed = [change(k, line) for k, line in enumerate(lines)]
    kept = [line for line in changed if line is not None]
    path.write_text("\n".join([first + header, *kept]) + "\n")


def estimate(options, base=BASE):
    return succeed("estimate", *shlex.split(f"{base} {options}"))


def estimates(options, base=BASE):
    (result,) = estimate(f"{options} --json", base).json["estimates"]
    return result


def in_python(**options):
    return summetry.estimate("scores.csv", "judged.csv", "p0", **options)["quality"]


def test_json_has_the_numbers_of_the_function_by_all_options(small):
    line = "-m p0,p1 --scale 1,6 --alpha 0.1 --detect 0.5 --population these --draws 9 --seed 3"
    options = {"scale": (1, 6), "alpha": 0.1, "detect": 0.5, "population": "these", "seed": 3}
    (table,) = summetry.estimate("scores.csv", "judged.csv", "p0,p1", draws=9, **options).tables
    result, expected = estimates(line), table.estimate
    assert (result["saved_means"], result["saved_differences"]) == (
        expected.saved_means, expected.saved_differences
    )  # fmt: skip
    for name in ("means", "differences"):
        own = [tuple(row[key] for key in ("estimate", "se", "low", "high")) for row in result[name]]
        rows = getattr(expected, name)
        assert own == [(row.estimate, row.se, row.low, row.high) for row in rows]
    assert result["differences"][0]["needed"] == expected.differences[0].needed


def test_tables(small, shows):
    """How many are judged is shown where systems differ; one system is far behind the others."""
    text = (small / "judged.csv").read_text()
    for name, pattern, other in (
        ("gaps", "t[13],s1,.*\n", ""),
        ("far", r",s3,(?=\d)", ",s3,-"),
        ("alike", r"(?m),[-.\d]+$", ",5"),
    ):
        (small / f"{name}.csv").write_text(re.sub(pattern, other, text))
    shows(
        f"estimate {BASE} -m p0 --detect 0.5 --draws 20",
        f"estimate {BASE} -m p0 --detect 0.05 --population these --exclude s1 --exclude s2 "
        "--draws 20 --alpha 0.1 --seed 1",
        "estimate scores.csv --judgments gaps.csv -m p0,p1 --draws 20",
        "estimate scores.csv --judgments far.csv -m p0 --draws 20",
        "estimate scores.csv --judgments alike.csv -m p0 --scale 1,5 --draws 20",
    )


def test_one_metric_of_a_file_need_not_be_named_and_another_dimension_may_help(small):
    rows = [line.rpartition(",")[0] for line in (small / "scores.csv").read_text().splitlines()]
    (small / "one.csv").write_text("\n".join(rows) + "\n")
    unnamed = estimates("", "one.csv --judgments judged.csv")
    assert unnamed["means"] == estimates("-m p0")["means"]
    # Judgments on another dimension can help: crowd workers judged all, experts a few.
    edit(small / "judged.csv", lambda k, line: f"{line},{k % 5}", ",crowd")
    result = estimates("-m crowd --dimension quality")
    assert result["proxies"] == ["crowd"]
    assert {(mean["n"], mean["N"]) for mean in result["means"]} == {(20, 40)}


def test_a_corpus_is_scored_by_recall_of_rouge_1_if_nothing_is_named(corpus):
    """Every dimension has its tables and its picture."""
    demo = summetry.load(corpus)
    result = estimates("--dimension responsiveness", "corpus")
    assert result["proxies"] == ["rouge-1.recall"]
    names = [row["name"] for row in result["saved"]]
    assert names == ["rouge-1.recall", "(length alone)", "(lead overlap)", "(random)", "(constant)"]
    # In Python too, and with the judgments of the corpus.
    (table,) = summetry.estimate(demo, dimensions="responsiveness", draws=1).tables
    assert table.proxy_names == ("rouge-1.recall",)
    done = estimate("-m rouge-2.recall --plot p.svg -o t.csv", "corpus")
    titles = [line for line in done.lines if line.startswith("Systems by")]
    assert [title.split()[2] for title in titles] == ["responsiveness,", "grammaticality,"]
    here = corpus.parent
    pictures = sorted(path.name for path in here.glob("*.svg"))
    assert pictures == ["p-grammaticality.svg", "p-responsiveness.svg"]
    assert "responsiveness" in (here / "p-responsiveness.svg").read_text()
    lines = (here / "t.csv").read_text().splitlines()
    dimensions = [row["dimension"] for row in csv.DictReader(lines)]
    assert dimensions == ["responsiveness"] * 6 + ["grammaticality"] * 6
    assert {path.name for path in here.glob("t*.csv")} == {
        "t.csv", "t-differences.csv", "t-saved.csv"
    }  # fmt: skip


def test_every_kind_of_file_has_the_estimates(small):
    number = in_python(draws=20).estimate.means[0].estimate
    for ending in ("json", "csv", "tex", "md", "txt"):
        done = estimate(f"-m p0 --draws 20 --json -o out.{ending}")
        exact = ending in ("json", "csv")
        text = (small / f"out.{ending}").read_text()
        assert (repr(number) if exact else f"{number:.3f}") in text, ending
    # JSON on the screen goes with a table in a file.
    assert (small / "out.csv").read_text().startswith("protocol,dimension,rank")
    assert json.loads((small / "out.json").read_text()) == done.json


def test_not_more_than_five_neighbours_in_the_ranking_are_compared_in_words(small):
    quality = np.random.default_rng(3).normal(3, 1, (8, 30)).round(2).tolist()
    write(small, [[v if j < 15 else None for j, v in enumerate(row)] for row in quality], [quality])
    words = estimate("-m p0 --draws 20").words
    assert words.count(" is ahead of ") + words.count(" is better than ") == 5


def test_mistakes(small, refuses):
    refuses(f"""
        estimate {BASE}
        estimate {BASE} -m p7
        estimate {BASE} -m p0 --dimension x
        estimate {BASE} -m p0 --scale 5
        estimate {BASE} -m p0 --scale -9,3
        estimate {BASE} -m p0 --detect 0
        estimate {BASE} -m p0 --alpha 0
        estimate {BASE} -m p0 --plot x.gif
        estimate {BASE} -m p0 -o judged.csv
        estimate nothing.csv -o out.doc
        estimate {BASE} -m p0 --population all
        estimate scores.csv -m p0
    """)


def test_in_python_it_prints_and_gives_frames(small):
    result = summetry.estimate("scores.csv", "judged.csv", "p0", detect=0.5, draws=20)
    lines = estimate("-m p0 --detect 0.5 --draws 20").lines
    assert result.report().splitlines() == lines and repr(result).splitlines()[0] == lines[0]
    frames = {name: result.to_pandas(name) for name in ("differences", "saved", "needed")}
    of_quality = result["quality"].estimate
    means = sorted(mean.estimate for mean in of_quality.means)
    assert sorted(result.to_pandas().estimate) == means
    needed = [row.needed for row in of_quality.differences]
    assert frames["differences"].needed.tolist() == or_nan(needed)
    assert frames["saved"].metric.tolist()[0] == "p0"
    assert frames["needed"].pair.tolist() == ["median pair", "every pair"]
    assert frames["needed"].topics.tolist() == or_nan(of_quality.topics_needed())
    assert result.as_json()["estimates"][0]["saved_means"] == of_quality.saved_means


def or_nan(numbers):
    expected = [np.nan if number is None else number for number in numbers]
    return pytest.approx(expected, nan_ok=True)
