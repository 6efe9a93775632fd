"""``summetry estimate``: what is printed, JSON with every field, files, pictures, mistakes."""

import csv
import json
from itertools import pairwise

import goldens
import numpy as np
import pytest

import summetry

CASES = (goldens.golden("estimate.json") or {}).get("cases", [])


def written(folder, judgments, proxies):
    """Tables of systems s0, s1, ... and topics t0, t1, ...: cells that are missing are empty."""
    scores = [["id", "system", *(f"p{k}" for k in range(len(proxies)))]]
    marks = [["id", "system", "quality"]]
    for i, own in enumerate(judgments):
        for j, mark in enumerate(own):
            cells = [f"t{j}", f"s{i}"]
            values = [proxy[i][j] for proxy in proxies]
            scores.append([*cells, *("" if v is None else repr(v) for v in values)])
            marks.append([*cells, "" if mark is None else repr(mark)])
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
    written(here, judgments, [good.round(3).tolist(), bad.round(3).tolist()])
    return here


BASE = ("estimate", "scores.csv", "--judgments", "judged.csv")


def test_every_golden_case_goes_through_files_and_comes_back_as_json(scored, here, capsys):
    """What the golden file has for systems by number has names here.

    A metric that no system has judgments enough for is not asked for: it has no weight there.
    """
    for case in CASES:
        given = dict(case["input"])
        written(here, given.pop("judgments"), given["proxies"])
        names = [f"p{k}" for k in range(len(given.pop("proxies")))]
        scale = given.pop("scale", None)
        more = ["--scale", ",".join(map(str, scale))] if scale else []
        if "confidence" in given:
            more += ["--alpha", 1 - given.pop("confidence")]
        more += [word for name, value in given.items() for word in (f"--{name}", value)]
        done = scored(*BASE, "-m", ",".join(names), "--draws", "1", *more, "--json")
        (found,) = done.json["estimates"]
        for part in ("means", "differences", "ranks"):
            wanted = [with_names(row) for row in case["expected"][part]]
            assert len(found[part]) == len(wanted)
            for row, expected in zip(found[part], wanted, strict=True):
                assert_same(row, of_used(expected, len(found["proxies"])), case)
        for name in ("saved_means", "saved_differences"):
            assert_same(found[name], case["expected"][name], case)
    with capsys.disabled():
        print(f"\nestimate by command: {len(CASES)} golden cases run")


def of_used(row, proxies):
    """A row without the proxies that are not used."""
    assert not any((row.get("lambda") or ())[proxies:])
    lists = {name: row[name][:proxies] for name in ("lambda", "proxy_means", "distances")
             if row.get(name)}  # fmt: skip
    return row | lists


def with_names(row):
    return row | {key: f"s{row[key]}" for key in ("system", "a", "b") if key in row}


def assert_same(found, expected, case):
    if isinstance(expected, dict):
        for name, value in expected.items():
            assert name in found, (case["name"], name)
            assert_same(found[name], value, case)
    elif isinstance(expected, list):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            assert_same(one, other, case)
    elif isinstance(expected, float):
        assert found == pytest.approx(expected, rel=case["tolerance"], abs=case["tolerance"])
    else:
        assert found == expected, case["name"]


def test_one_pair_is_not_corrected_for_several(scored, small):
    done = scored(*BASE, "-m", "p0")
    assert "significant, p <= 0.05 after Holm's correction for all 6 pairs;" in done.words
    alone = scored(*BASE, "-m", "p0", "--exclude", "s1", "--exclude", "s2")
    assert "significant, p <= 0.05;" in alone.words and "Holm" not in alone.words


def test_the_tables_for_a_terminal(scored, small):
    done = scored(*BASE, "-m", "p0", "--detect", "0.5")
    titles = [line for line in done.lines if line and not line.startswith(("#", " "))]
    assert titles[0] == "Systems by quality, best first: 20 of 40 topics judged, helped by p0"
    for title in ("Row minus column by quality", "Judgments saved on quality",
                  "Weights of the metric, quality"):  # fmt: skip
        assert title in done.lines
    first = done.lines[done.lines.index(titles[0]) + 2].split()
    estimates = summetry.estimate("scores.csv", "judged.csv", "p0")["quality"].estimate
    best = estimates.means[0]
    rank = estimates.ranks[0]
    ranks = f"{rank.best}-{rank.worst}"
    wanted = ["1", ranks, "s0", f"{best.estimate:.3f}", f"{best.low:.3f}", f"{best.high:.3f}"]
    assert first[:6] == wanted
    assert first[6:] == [
        *(f"{value:.3f}" for value in (best.alone.estimate, *best.alone[2:4])),
        f"{best.saved:.2f}",
    ]
    # Only what is significant has a star.
    starred = {d.estimate for d in estimates.differences if d.p_holm <= 0.05}
    assert sum(line.count("*") for line in done.lines if line[:1].isdigit()) == len(starred) > 0
    assert "Topics to judge to see a difference of 0.5 in 80 % of cases" in done.words
    assert "all of this holds if the judged topics were drawn at random" in done.words


def test_judged_and_topics_are_shown_where_systems_differ(scored, small):
    lines = (small / "judged.csv").read_text().splitlines()
    fewer = [line for line in lines if not line.startswith(("t1,s1", "t3,s1"))]
    (small / "judged.csv").write_text("\n".join(fewer) + "\n")
    done = scored(*BASE, "-m", "p0")
    assert "judged" in done.lines[1].split()
    rows = [line.split() for line in done.lines[2:6]]
    assert {row[2]: row[3] for row in rows} == {"s0": "20", "s1": "18", "s2": "20", "s3": "20"}


def test_one_metric_of_a_file_need_not_be_named(scored, small):
    rows = [line.rpartition(",")[0] for line in (small / "scores.csv").read_text().splitlines()]
    (small / "one.csv").write_text("\n".join(rows) + "\n")
    one = scored("estimate", "one.csv", "--judgments", "judged.csv", "--json").json
    named = scored(*BASE, "-m", "p0", "--json").json
    assert one["estimates"][0]["means"] == named["estimates"][0]["means"]


def test_a_column_of_lengths_stands_beside_the_metric_though_nobody_names_it(scored, small):
    lines = (small / "scores.csv").read_text().splitlines()
    rows = [f"{line},{len(line) + k % 7}" for k, line in enumerate(lines[1:])]
    (small / "scores.csv").write_text("\n".join([f"{lines[0]},length", *rows]) + "\n")
    (found,) = scored(*BASE, "-m", "p0", "--json").json["estimates"]
    assert [one["name"] for one in found["saved"]][:2] == ["p0", "(length alone)"]
    assert found["proxies"] == ["p0"]
    python = summetry.estimate("scores.csv", "judged.csv", "p0")["quality"]
    assert [one.means for one in python.saved] == [one["means"] for one in found["saved"]]


def test_judgments_on_another_dimension_can_help(scored, small):
    """Crowd workers judged all, experts a few."""
    lines = (small / "judged.csv").read_text().splitlines()
    rows = [f"{line},{k % 5}" for k, line in enumerate(lines[1:])]
    (small / "judged.csv").write_text("\n".join([f"{lines[0]},crowd", *rows]) + "\n")
    more = ("-m", "crowd", "--dimension", "quality", "--json")
    (found,) = scored(*BASE, *more).json["estimates"]
    assert found["proxies"] == ["crowd"]
    assert {(mean["n"], mean["N"]) for mean in found["means"]} == {(20, 40)}


def test_a_corpus_is_scored_by_recall_of_rouge_1_if_nothing_is_named(scored, demo_folder):
    done = scored("estimate", demo_folder, "--dimension", "responsiveness", "--json").json
    (found,) = done["estimates"]
    assert found["proxies"] == ["rouge-1.recall"]
    names = [one["name"] for one in found["saved"]]
    assert names == ["rouge-1.recall", "(length alone)", "(lead overlap)", "(random)", "(constant)"]
    assert all(mean["n"] == mean["N"] == 9 for mean in found["means"])


def test_every_dimension_has_its_tables_and_its_picture(scored, here, demo_folder):
    done = scored("estimate", demo_folder, "-m", "rouge-2.recall", "--plot", "p.svg", "-o", "t.csv")
    titles = [line for line in done.lines if line.startswith("Systems by")]
    assert [title.split()[2] for title in titles] == ["responsiveness,", "grammaticality,"]
    pictures = sorted(path.name for path in here.glob("*.svg"))
    assert pictures == ["p-grammaticality.svg", "p-responsiveness.svg"]
    assert "responsiveness" in (here / "p-responsiveness.svg").read_text()
    with (here / "t.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["dimension"] for row in rows] == ["responsiveness"] * 6 + ["grammaticality"] * 6
    with (here / "t-differences.csv").open() as file:
        assert len(list(csv.DictReader(file))) == 30
    assert (here / "t-saved.csv").exists()


@pytest.mark.parametrize("ending", ["json", "csv", "tex", "md", "txt"])
def test_every_kind_of_file_has_the_estimates(scored, small, ending):
    scored(*BASE, "-m", "p0", "-o", f"out.{ending}")
    estimates = summetry.estimate("scores.csv", "judged.csv", "p0")["quality"].estimate
    text = (small / f"out.{ending}").read_text()
    number = estimates.means[0].estimate
    assert (repr(number) if ending in ("json", "csv") else f"{number:.3f}") in text


def test_json_on_the_screen_goes_with_a_table_in_a_file(scored, small):
    done = scored(*BASE, "-m", "p0", "--json", "-o", "out.csv")
    assert done.json["estimates"][0]["dimension"] == "quality"
    assert (small / "out.csv").read_text().startswith("protocol,dimension,rank")
    scored(*BASE, "-m", "p0", "-o", "out.json")
    assert json.loads((small / "out.json").read_text()) == done.json


def test_systems_can_be_left_out(scored, small):
    done = scored(*BASE, "-m", "p0", "--exclude", "s3", "--json").json
    assert [mean["system"] for mean in done["estimates"][0]["means"]] == ["s0", "s1", "s2"]


def test_a_thin_difference_has_a_mark_and_an_explanation(scored, small):
    lines = (small / "judged.csv").read_text().splitlines()
    same = [lines[0], *(line.rpartition(",")[0] + ",5" for line in lines[1:] if line[-1] != ",")]
    (small / "judged.csv").write_text("\n".join(same) + "\n")
    done = scored(*BASE, "-m", "p0", "--scale", "1,5")
    assert "0.000?" in done.words
    assert "too few different judgments" in done.words and "95 % is not promised" in done.words


def test_neighbours_in_the_ranking_are_compared_in_words(scored, small):
    # One system is far behind.
    lines = (small / "judged.csv").read_text().splitlines()
    lower = [line.replace(",s3,", ",s3,-") if line[-1] != "," else line for line in lines]
    (small / "judged.csv").write_text("\n".join(lower) + "\n")
    done = scored(*BASE, "-m", "p0")
    table = summetry.estimate("scores.csv", "judged.csv", "p0")["quality"]
    order = [table.systems[mean.system] for mean in table.best_first()]
    rows = {(table.systems[d.a], table.systems[d.b]): d for d in table.estimate.differences}
    verdicts = set()
    for first, second in pairwise(order):
        row = rows.get((first, second)) or rows[second, first]
        signed = row.estimate if (first, second) in rows else -row.estimate
        ahead, behind = (first, second) if signed > 0 else (second, first)
        ends = sorted(np.sign(row.estimate) * np.array([row.low, row.high]))
        is_better = row.p_holm <= 0.05
        verb = "is better than" if is_better else "is ahead of"
        start = (
            f"{ahead} {verb} {behind} by {abs(row.estimate):.3f} ({ends[0]:.3f} to {ends[1]:.3f}"
        )
        (line,) = (
            one for one in done.words.split(f"{ahead} {verb} ")[1:] if one.startswith(behind)
        )
        whole = f"{ahead} {verb} {line}"
        assert whole.startswith(start)
        assert "corrected p " in whole.split(")")[0]
        assert whole.split(")")[1].startswith(": not significant") is not is_better
        verdicts.add(is_better)
    assert verdicts == {True, False}


def test_not_more_than_five_neighbours_are_compared(scored, here):
    rng = np.random.default_rng(3)
    quality = rng.normal(3, 1, (8, 30)).round(2)
    judgments = [[v if j < 15 else None for j, v in enumerate(row)] for row in quality.tolist()]
    written(here, judgments, [quality.tolist()])
    done = scored(*BASE, "-m", "p0")
    assert done.words.count(" is ahead of ") + done.words.count(" is better than ") == 5


def test_a_metric_with_too_few_judgments_is_not_asked_for(scored, small):
    """20 judged topics are enough for two; where they are 15, nothing is dropped for the second."""
    lines = (small / "judged.csv").read_text().splitlines()
    late = tuple(f"t{j}," for j in range(31, 40))
    fewer = [line for line in lines if not line.startswith(late)]
    (small / "judged.csv").write_text("\n".join(fewer) + "\n")
    rows = (small / "scores.csv").read_text().splitlines()
    holes = [row.rpartition(",")[0] + "," if k % 3 == 1 else row for k, row in enumerate(rows)]
    (small / "scores.csv").write_text("\n".join(holes) + "\n")
    done = scored(*BASE, "-m", "p0,p1")
    assert done.lines[0].endswith("15 of 40 topics judged, helped by p0")
    assert "p1 is not used: one metric per ten judged topics" in done.words
    assert "dropped" not in done.words
    both, one = (scored(*BASE, "-m", m, "--json").json["estimates"][0] for m in ("p0,p1", "p0"))
    assert both["means"] == one["means"] and both["differences"] == one["differences"]


def test_the_terminal_shows_the_notes_of_rows_and_that_no_metric_is_used(scored, small):
    lines = (small / "judged.csv").read_text().splitlines()
    late = tuple(f"t{j}," for j in range(16, 40))
    fewer = [line for line in lines if not line.startswith(late)]
    (small / "judged.csv").write_text("\n".join(fewer) + "\n")
    done = scored(*BASE, "-m", "p0")
    assert done.lines[0].endswith("8 of 40 topics judged, no metric is used")
    assert done.lines[1].split()[-1] == "note"
    assert done.lines[2].split()[-1] == "judgments"
    assert max(map(len, done.lines)) <= 80
    assert "helped by" not in done.words


def test_planning_says_what_all_topics_can_show(scored, small):
    done = scored(*BASE, "-m", "p0", "--detect", "0.05")
    assert "not even if all topics are judged; with all 40 topics judged" in done.words
    assert "there are only 40 topics: without the metric they are too few" in done.words
    found = summetry.estimate("scores.csv", "judged.csv", "p0", detect=0.05)["quality"].estimate
    median, largest = found.smallest_seen()
    assert f"about {median:.2f} can be seen in the median pair" in done.words
    assert f"of about {largest:.2f} in every pair" in done.words
    enough = scored(*BASE, "-m", "p0", "--detect", f"{1.001 * largest}", "--json").json
    short = scored(*BASE, "-m", "p0", "--detect", f"{0.999 * largest}", "--json").json
    assert enough["estimates"][0]["needed"]["with_metric"]["largest"] <= 40
    assert short["estimates"][0]["needed"]["with_metric"]["largest"] is None


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ((), "there are 2 metrics, p0, p1: say which one helps, with -m NAME"),
        (("-m", "p7"), "no metric among the scores is named 'p7'"),
        (("-m", "p0", "--dimension", "x"), "no dimension of judgments is named 'x'"),
        (("-m", "p0", "--scale", "5"), "--scale: expected LOW,HIGH such as 1,5, got '5'"),
        (("-m", "p0", "--scale", "-9,3"), "(topic t1, system s0), outside the scale from -9 to 3"),
        (("-m", "p0", "--detect", "0"), "a difference to detect is above 0"),
        (("-m", "p0", "--alpha", "0"), "alpha must be between 0 and 1"),
        (("-m", "p0", "--plot", "x.gif"), "give a name that ends with .svg or .png"),
        (("-m", "p0", "-o", "judged.csv"), "judged.csv"),
        (("-m", "p0", "--population", "all"), "'all'"),
    ],
)
def test_a_mistake_is_one_line(call, small, more, message):
    done = call(*BASE, *more)
    assert done.code == 2
    assert message in done.err
    assert done.out == ""


def test_without_judgments_it_says_what_to_do(call, small):
    done = call("estimate", "scores.csv", "-m", "p0")
    assert done.code == 2 and "--judgments names a corpus or a table" in done.err


def test_in_python_it_prints_and_gives_frames(small):
    found = summetry.estimate("scores.csv", "judged.csv", "p0", detect=0.5)
    assert repr(found).startswith("Systems by quality, best first: 20 of 40 topics judged")
    for title in ("Row minus column", "Topics to judge"):
        assert title in found.report() and title in repr(found)
    assert " than s1 by " in repr(found) or " of s1 by " in repr(found)
    systems, pairs = found.to_pandas(), found.to_pandas("differences")
    estimates = found["quality"].estimate
    assert sorted(systems.estimate) == sorted(mean.estimate for mean in estimates.means)
    needed = [np.nan if row.needed is None else row.needed for row in estimates.differences]
    assert pairs.needed.tolist() == pytest.approx(needed, nan_ok=True)
    assert found.to_pandas("saved").metric.tolist()[0] == "p0"
    planned = found.to_pandas("needed")
    assert planned.pair.tolist() == ["median pair", "every pair"]
    median, largest = estimates.topics_needed()
    assert planned.topics.tolist() == pytest.approx(
        [np.nan if count is None else count for count in (median, largest)], nan_ok=True
    )
    with pytest.raises(summetry.errors.SummetryError, match="give detect=D"):
        summetry.estimate("scores.csv", "judged.csv", "p0").to_pandas("needed")
    assert found.as_json()["estimates"][0]["saved_means"] == estimates.saved_means
    with pytest.raises(summetry.errors.SummetryError, match="no dimension is named 'x'"):
        found["x"]


def test_in_python_messages_name_arguments(small):
    with pytest.raises(summetry.errors.SummetryError, match="with metrics=NAME"):
        summetry.estimate("scores.csv", "judged.csv")
    with pytest.raises(summetry.errors.SummetryError, match="judgments names a corpus"):
        summetry.estimate("scores.csv", metrics="p0")


def test_python_scores_a_corpus_and_takes_its_judgments(demo):
    found = summetry.estimate(demo, dimensions="responsiveness", draws=1)
    (table,) = found.tables
    assert table.proxy_names == ("rouge-1.recall",)
    other = summetry.estimate(demo, demo, "rouge-1.recall", dimensions="responsiveness", draws=1)
    assert other["responsiveness"].estimate == table.estimate
