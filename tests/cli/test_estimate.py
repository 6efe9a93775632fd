"""``summetry estimate``: what is printed, JSON with every field, files, pictures, mistakes."""

import csv
import json
import re
import shlex
from itertools import pairwise

import goldens
import numpy as np
import pytest
from command_line import assert_refused, run_command, succeed

import summetry

CASES = (goldens.golden("estimate.json") or {}).get("cases", [])
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


def rows_of(path):
    with path.open() as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_every_golden_case_goes_through_files_and_comes_back_as_json(here, case):
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


def test_systems_can_be_left_out_and_one_pair_is_not_corrected_for_several(small):
    words = estimate("-m p0").words
    assert "significant, p <= 0.05 after Holm's correction for all 6 pairs;" in words
    words = estimate("-m p0 --exclude s1 --exclude s2").words
    assert "significant, p <= 0.05;" in words and "Holm" not in words
    means = estimates("-m p0 --exclude s3")["means"]
    assert [mean["system"] for mean in means] == ["s0", "s1", "s2"]


def test_the_tables_for_a_terminal(small):
    done = estimate("-m p0 --detect 0.5")
    titles = [line for line in done.lines if line and not line.startswith(("#", " "))]
    assert titles[0] == "Systems by quality, best first: 20 of 40 topics judged, helped by p0"
    for title in ("Row minus column by quality", "Judgments saved on quality",
                  "Weights of the metric, quality"):  # fmt: skip
        assert title in done.lines
    result = in_python().estimate
    best, rank = result.means[0], result.ranks[0]
    numbers = (best.estimate, best.low, best.high, best.alone.estimate, *best.alone[2:4])
    assert done.lines[done.lines.index(titles[0]) + 2].split() == [
        "1", f"{rank.best}-{rank.worst}", "s0",
        *(f"{value:.3f}" for value in numbers), f"{best.saved:.2f}",
    ]  # fmt: skip
    # Only what is significant has a star.
    starred = {d.estimate for d in result.differences if d.p_holm <= 0.05}
    assert sum(line.count("*") for line in done.lines if line[:1].isdigit()) == len(starred) > 0
    assert "Topics to judge to see a difference of 0.5 in 80 % of cases" in done.words
    assert "all of this holds if the judged topics were drawn at random" in done.words
    # How many are judged is shown where systems differ.
    leave_out(small / "judged.csv", "t1,s1", "t3,s1")
    lines = estimate("-m p0").lines
    assert "judged" in lines[1].split()
    rows = [line.split() for line in lines[2:6]]
    assert {row[2]: row[3] for row in rows} == {"s0": "20", "s1": "18", "s2": "20", "s3": "20"}


def test_one_metric_of_a_file_need_not_be_named(small):
    rows = [line.rpartition(",")[0] for line in (small / "scores.csv").read_text().splitlines()]
    (small / "one.csv").write_text("\n".join(rows) + "\n")
    unnamed = estimates("", "one.csv --judgments judged.csv")
    assert unnamed["means"] == estimates("-m p0")["means"]


def test_a_column_of_lengths_stands_beside_the_metric_and_other_judgments_can_be_one(small):
    edit(small / "scores.csv", lambda k, line: f"{line},{len(line) + k % 7}", ",length")
    result = estimates("-m p0")
    assert [row["name"] for row in result["saved"]][:2] == ["p0", "(length alone)"]
    assert result["proxies"] == ["p0"]
    assert [row.means for row in in_python().saved] == [row["means"] for row in result["saved"]]
    # Judgments on another dimension can help: crowd workers judged all, experts a few.
    edit(small / "judged.csv", lambda k, line: f"{line},{k % 5}", ",crowd")
    result = estimates("-m crowd --dimension quality")
    assert result["proxies"] == ["crowd"]
    assert {(mean["n"], mean["N"]) for mean in result["means"]} == {(20, 40)}


def test_a_corpus_is_scored_by_recall_of_rouge_1_if_nothing_is_named(demo, demo_folder):
    result = estimates("--dimension responsiveness", f"'{demo_folder}'")
    assert result["proxies"] == ["rouge-1.recall"]
    names = [row["name"] for row in result["saved"]]
    assert names == ["rouge-1.recall", "(length alone)", "(lead overlap)", "(random)", "(constant)"]
    assert all(mean["n"] == mean["N"] == 9 for mean in result["means"])
    # In Python too, and with the judgments of the corpus.
    (table,) = summetry.estimate(demo, dimensions="responsiveness", draws=1).tables
    assert table.proxy_names == ("rouge-1.recall",)
    named = summetry.estimate(demo, demo, "rouge-1.recall", dimensions="responsiveness", draws=1)
    assert named["responsiveness"].estimate == table.estimate


def test_every_dimension_has_its_tables_and_its_picture(here, demo_folder):
    done = estimate("-m rouge-2.recall --plot p.svg -o t.csv", f"'{demo_folder}'")
    titles = [line for line in done.lines if line.startswith("Systems by")]
    assert [title.split()[2] for title in titles] == ["responsiveness,", "grammaticality,"]
    pictures = sorted(path.name for path in here.glob("*.svg"))
    assert pictures == ["p-grammaticality.svg", "p-responsiveness.svg"]
    assert "responsiveness" in (here / "p-responsiveness.svg").read_text()
    dimensions = [row["dimension"] for row in rows_of(here / "t.csv")]
    assert dimensions == ["responsiveness"] * 6 + ["grammaticality"] * 6
    assert len(rows_of(here / "t-differences.csv")) == 30
    assert (here / "t-saved.csv").exists()


def test_every_kind_of_file_has_the_estimates(small):
    number = in_python().estimate.means[0].estimate
    for ending in ("json", "csv", "tex", "md", "txt"):
        done = estimate(f"-m p0 --json -o out.{ending}")
        exact = ending in ("json", "csv")
        text = (small / f"out.{ending}").read_text()
        assert (repr(number) if exact else f"{number:.3f}") in text, ending
    # JSON on the screen goes with a table in a file.
    assert done.json["estimates"][0]["dimension"] == "quality"
    assert (small / "out.csv").read_text().startswith("protocol,dimension,rank")
    assert json.loads((small / "out.json").read_text()) == done.json


def test_a_thin_difference_has_a_mark_and_an_explanation(small):
    path = small / "judged.csv"
    path.write_text(re.sub(r"(?m),[-.\d]+$", ",5", path.read_text()))
    words = estimate("-m p0 --scale 1,5").words
    assert "0.000?" in words
    assert "too few different judgments" in words and "95 % is not promised" in words


def test_five_neighbours_in_the_ranking_are_compared_in_words(small):
    # One system is far behind.
    path = small / "judged.csv"
    path.write_text(re.sub(r",s3,(?=\d)", ",s3,-", path.read_text()))
    words = estimate("-m p0").words
    table = in_python()
    order = [table.systems[mean.system] for mean in table.best_first()]
    rows = {(table.systems[d.a], table.systems[d.b]): d for d in table.estimate.differences}
    verdicts = set()
    for first, second in pairwise(order):
        row = rows.get((first, second)) or rows[second, first]
        signed = row.estimate if (first, second) in rows else -row.estimate
        ahead, behind = (first, second) if signed > 0 else (second, first)
        low, high = sorted(np.sign(row.estimate) * np.array([row.low, row.high]))
        is_better = row.p_holm <= 0.05
        verb = "is better than" if is_better else "is ahead of"
        start = f"{ahead} {verb} {behind} by {abs(row.estimate):.3f} ({low:.3f} to {high:.3f}"
        assert words.count(start) == 1
        inside, after = words.partition(start)[2].split(")")[:2]
        assert "corrected p " in inside
        assert after.startswith(": not significant") is not is_better
        verdicts.add(is_better)
    assert verdicts == {True, False}
    # Of eight systems not more than five neighbours are compared.
    quality = np.random.default_rng(3).normal(3, 1, (8, 30)).round(2).tolist()
    write(small, [[v if j < 15 else None for j, v in enumerate(row)] for row in quality], [quality])
    words = estimate("-m p0").words
    assert words.count(" is ahead of ") + words.count(" is better than ") == 5


def test_a_metric_with_too_few_judgments_is_not_asked_for(small):
    """20 judged topics are enough for two; where they are 15, nothing is dropped for the second."""
    leave_out(small / "judged.csv", *(f"t{j}," for j in range(31, 40)))
    edit(small / "scores.csv", lambda k, line: line if k % 3 else re.sub("[^,]*$", "", line))
    done = estimate("-m p0,p1")
    assert done.lines[0].endswith("15 of 40 topics judged, helped by p0")
    assert "p1 is not used: one metric per ten judged topics" in done.words
    assert "dropped" not in done.words
    both, one = estimates("-m p0,p1"), estimates("-m p0")
    assert both["means"] == one["means"] and both["differences"] == one["differences"]
    # With 8 no metric is used, and the rows have notes.
    leave_out(small / "judged.csv", *(f"t{j}," for j in range(16, 40)))
    done = estimate("-m p0")
    assert done.lines[0].endswith("8 of 40 topics judged, no metric is used")
    assert [line.split()[-1] for line in done.lines[1:3]] == ["note", "judgments"]
    assert max(map(len, done.lines)) <= 80
    assert "helped by" not in done.words


def test_planning_says_what_all_topics_can_show(small):
    words = estimate("-m p0 --detect 0.05").words
    assert "not even if all topics are judged; with all 40 topics judged" in words
    assert "there are only 40 topics: without the metric they are too few" in words
    median, largest = in_python(detect=0.05).estimate.smallest_seen()
    assert f"about {median:.2f} can be seen in the median pair" in words
    assert f"of about {largest:.2f} in every pair" in words
    for share, is_enough in ((1.001, True), (0.999, False)):
        needed = estimates(f"-m p0 --detect {share * largest}")["needed"]["with_metric"]["largest"]
        assert (needed <= 40) if is_enough else (needed is None)


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("BASE", "there are 2 metrics, p0, p1: say which one helps, with -m NAME"),
        ("BASE -m p7", "no metric among the scores is named 'p7'"),
        ("BASE -m p0 --dimension x", "no dimension of judgments is named 'x'"),
        ("BASE -m p0 --scale 5", "--scale: expected LOW,HIGH such as 1,5, got '5'"),
        ("BASE -m p0 --scale -9,3", "(topic t1, system s0), outside the scale from -9 to 3"),
        ("BASE -m p0 --detect 0", "a difference to detect is above 0"),
        ("BASE -m p0 --alpha 0", "alpha must be between 0 and 1"),
        ("BASE -m p0 --plot x.gif", "give a name that ends with .svg or .png"),
        ("BASE -m p0 -o judged.csv", "judged.csv: would be written over what is read"),
        ("BASE -m p0 --population all", "'all'"),
        ("scores.csv -m p0", "--judgments names a corpus or a table"),
    ],
)
def test_a_mistake_is_one_line(small, typed, message):
    assert_refused(run_command("estimate", *shlex.split(typed.replace("BASE", BASE))), 2, message)


def test_in_python_it_prints_and_gives_frames(small):
    result = summetry.estimate("scores.csv", "judged.csv", "p0", detect=0.5)
    assert repr(result).startswith("Systems by quality, best first: 20 of 40 topics judged")
    for title in ("Row minus column", "Topics to judge"):
        assert title in result.report() and title in repr(result)
    assert " than s1 by " in repr(result) or " of s1 by " in repr(result)
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


@pytest.mark.parametrize(
    ("mistake", "message"),
    [
        (lambda: summetry.estimate("scores.csv", "judged.csv"), "with metrics=NAME"),
        (lambda: summetry.estimate("scores.csv", metrics="p0"), "judgments names a corpus"),
        (lambda: summetry.estimate("scores.csv", "judged.csv", "p0").to_pandas("needed"),
         "give detect=D"),
        (lambda: summetry.estimate("scores.csv", "judged.csv", "p0")["x"],
         "no dimension is named 'x'"),
    ],
)  # fmt: skip
def test_in_python_messages_name_arguments(small, mistake, message):
    with pytest.raises(summetry.errors.SummetryError, match=message):
        mistake()
