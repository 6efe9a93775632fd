"""``summetry estimate``: what is printed, JSON with every field, files, pictures, mistakes."""

import csv
import json
import re
import shlex

import goldens
import numpy as np
import pytest
from command_line import succeed

import summetry

# Those with several metrics or with options; tests/stats has all.
CASES = [
    case
    for case in (goldens.golden("estimate.json") or {}).get("cases", [])
    if len(case["input"]) > 2 or len(case["input"]["proxies"]) > 1
]
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


def leave_out(path, *starts):
    edit(path, lambda k, line: None if line.startswith(starts) else line)


def estimate(options, base=BASE):
    return succeed("estimate", *shlex.split(f"{base} {options}"))


def estimates(options, base=BASE):
    (result,) = estimate(f"{options} --json", base).json["estimates"]
    return result


def in_python(**options):
    return summetry.estimate("scores.csv", "judged.csv", "p0", **options)["quality"]


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_a_golden_case_goes_through_files_and_comes_back_as_json(here, case):
    """What the golden file has for systems by number has names here.

    A metric that no system has judgments enough for is not asked for: it has no weight there.
    """
    given, options = dict(case["input"]), ["--draws 1"]
    proxies = given.pop("proxies")
    write(here, given.pop("judgments"), proxies)
    if scale := given.pop("scale", None):
        options.append(f"--scale {','.join(map(str, scale))}")
    if "confidence" in given:
        options.append(f"--alpha {1 - given.pop('confidence')}")
    options += [f"--{name} {value}" for name, value in given.items()]
    names = ",".join(f"p{k}" for k in range(len(proxies)))
    result = estimates(f"-m {names} {' '.join(options)}")
    expected = {name: case["expected"][name] for name in ("saved_means", "saved_differences")}
    for part in ("means", "differences", "ranks"):
        rows = case["expected"][part]
        expected[part] = [of_used(with_names(row), len(result["proxies"])) for row in rows]
    assert_same(result, expected, case)


def of_used(row, proxies):
    """A row without the proxies that are not used."""
    assert not any((row.get("lambda") or ())[proxies:])
    lists = {name: row[name][:proxies] for name in ("lambda", "proxy_means", "distances")
             if row.get(name)}  # fmt: skip
    return row | lists


def with_names(row):
    return row | {key: f"s{row[key]}" for key in ("system", "a", "b") if key in row}


def assert_same(value, expected, case):
    if isinstance(expected, dict):
        assert expected.keys() <= value.keys()
        for name in expected:
            assert_same(value[name], expected[name], case)
    elif isinstance(expected, list):
        for pair in zip(value, expected, strict=True):
            assert_same(*pair, case)
    elif isinstance(expected, float):
        assert value == pytest.approx(expected, rel=case["tolerance"], abs=case["tolerance"])
    else:
        assert value == expected


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
    edit(small / "scores.csv", lambda k, line: f"{line},{len(line) + k % 7}", ",length")
    result = estimates("-m p0")
    assert [row["name"] for row in result["saved"]][:2] == ["p0", "(length alone)"]
    assert [row.means for row in in_python().saved] == [row["means"] for row in result["saved"]]
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
    named = summetry.estimate(demo, demo, "rouge-1.recall", dimensions="responsiveness", draws=1)
    assert named["responsiveness"].estimate == table.estimate
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


def test_a_metric_with_too_few_judgments_is_not_asked_for(small):
    """20 judged topics are enough for two; where they are 15, nothing is dropped for the second."""
    leave_out(small / "judged.csv", *(f"t{j}," for j in range(31, 40)))
    edit(small / "scores.csv", lambda k, line: line if k % 3 else re.sub("[^,]*$", "", line))
    done = estimate("-m p0,p1 --draws 20")
    assert done.lines[0].endswith("15 of 40 topics judged, helped by p0")
    assert "p1 is not used: one metric per ten judged topics" in done.words
    assert "dropped" not in done.words
    both, one = estimates("-m p0,p1 --draws 20"), estimates("-m p0 --draws 20")
    assert both["means"] == one["means"] and both["differences"] == one["differences"]
    # With 8 no metric is used, and the rows have notes.
    leave_out(small / "judged.csv", *(f"t{j}," for j in range(16, 40)))
    done = estimate("-m p0 --draws 20")
    assert done.lines[0].endswith("8 of 40 topics judged, no metric is used")
    assert [line.split()[-1] for line in done.lines[1:3]] == ["note", "judgments"]
    assert "helped by" not in done.words


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
    for mistake, message in (
        (lambda: summetry.estimate("scores.csv", "judged.csv"), "with metrics=NAME"),
        (lambda: summetry.estimate("scores.csv", metrics="p0"), "judgments names a corpus"),
        (lambda: summetry.estimate("scores.csv", "judged.csv", "p0").to_pandas("needed"),
         "give detect=D"),
        (lambda: result["x"], "no dimension is named 'x'"),
    ):  # fmt: skip
        with pytest.raises(summetry.errors.SummetryError, match=message):
            mistake()


def or_nan(numbers):
    expected = [np.nan if number is None else number for number in numbers]
    return pytest.approx(expected, nan_ok=True)
