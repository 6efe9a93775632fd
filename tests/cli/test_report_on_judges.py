"""``summetry report`` with what ``alt-test`` and ``judge`` wrote: pictures, tables, mistakes."""

import html
import json
import re
from pathlib import Path

import pytest
from command_line import assert_refused, run_command, succeed
from drawings import parsed, reader, words
from judged_corpora import logged, no_answer, small_corpus, write_corpus

import summetry

MODEL = ("--model", "m", "--draws", "100")


@pytest.fixture
def scores(here):
    """Scores of two systems on two topics."""
    (here / "scores.csv").write_text("id,system,mine\na,x,1\nb,x,2\na,y,2\nb,y,3\n")
    return here / "scores.csv"


@pytest.fixture
def tested(judged, scores):
    """What the test of two judges wrote: ``llm`` is good, ``lazy`` always gives a 3."""
    alt_test("--judge llm --judge lazy -o alt-test.json")
    return judged


@pytest.fixture
def corpus(here, scores):
    """Four topics and three systems, of which ada writes longest and eve least."""
    write_corpus(here / "corpus", small_corpus(4, ("ada", "bob", "eve"), {"ada": 9, "bob": 5}))
    return here


def alt_test(options):
    return succeed("alt-test", "judgments.csv", *options.split())


def judge(options):
    return succeed("judge", "corpus", "-r", "fluency", *MODEL, *options.split())


def report(options):
    """The page of the scores, with what other commands wrote."""
    succeed("report", "scores.csv", *options.split(), "--draws", 20)
    return Path("report.html").read_text(encoding="utf-8")


def section_of(page, name):
    (section,) = re.findall(rf'<section class="section" id="{name}">.*?</section>', page, re.S)
    return section


def pictures(section):
    """The pictures of a section by their titles."""
    drawings = re.findall(r'<svg class="chart picture.*?</svg>', section, re.S)
    return {parsed(svg).find("title").text: svg for svg in drawings}


def tables(section):
    """The cells of all tables by their titles, as plain words."""
    titles = re.findall(r'aria-label="([^"]*)" tabindex="0">\s*<table.*?</table>', section, re.S)
    bodies = re.findall(r"<table.*?</table>", section, re.S)
    return {
        html.unescape(title): [
            [html.unescape(re.sub(r"<[^>]*>", "", cell)) for cell in cells]
            for row in re.findall(r"<tr>(.*?)</tr>", body, re.S)
            if (cells := re.findall(r"<(?:th|td)[^>]*>(.*?)</(?:th|td)>", row, re.S))
        ]
        for title, body in zip(titles, bodies, strict=True)
    }


def circles(svg):
    """The values at which dots stand; places have one digit, and 60 of them or more are 1 here."""
    value = reader(svg, "x")
    return [value(one.get("cx")) for one in parsed(svg).iter("circle")]


def near(values):
    return pytest.approx(values, abs=0.01)


def test_judges_stand_beside_null_judges_and_annotators(tested):
    """The middle mark is as near to any two annotators as the third: 1, as good as never beaten.

    A 3, and a 1 or another constant, are as near on a third of the summaries. Each annotator is
    farther than llm where off, on a third, so 2/3 - 1 ahead; of lazy, who is nearer only on those
    summaries of a third on which the annotator is off, 8/9 - 1/3 ahead.
    """
    section = section_of(report("--alt-test alt-test.json"), "alt-test")
    drawn, shown = pictures(section), tables(section)
    beside, against = "Judges beside null judges", "Judges against each annotator"
    # The random null judge, too, stands where the command puts it.
    rows = json.loads((tested / "alt-test.json").read_text())["judges"]["rows"]
    assert circles(drawn[beside]) == near([row["advantage"] for row in rows])
    assert circles(drawn[against]) == near([-1 / 3] * 3 + [5 / 9] * 3)
    assert {"llm, quality", "lazy, quality", "ann", "bob", "eve"} <= set(words(drawn[against]))
    said = html.unescape(section)
    assert "quality: llm passes against the null judges that could be tested" in said
    assert "quality: no verdict: lazy was not found to be better than (constant)" in said
    heads, *rows = shown[beside]
    assert heads == ["Judge", "Tested", "Winning rate", "Advantage", "Behind", "p", "Beaten"]
    assert rows[0] == ["llm", "llm", "1.000", "1.000", "–", "–", "–"]
    assert rows[1][:5] == ["llm", "(constant)", "0.000", "0.333", "0.667"]
    assert [row[-1] for row in rows] == ["–", "yes", "yes", "–", "no", "no"]
    assert [row[3] for row in rows[3:5]] == ["0.333", "0.333"]
    assert shown[against][1][:6] == ["llm", "ann", "36", "1.000", "0.667", "−0.333"]


def test_one_judge_on_one_dimension_needs_no_column_for_them(judged, scores):
    alt_test("--judge llm -o found.json")
    section = section_of(report("--alt-test found.json --tables tables"), "alt-test")
    assert tables(section)["llm beside null judges"][0][0] == "Tested"
    # Programs get them all the same.
    written = json.loads((judged / "tables" / "tables.json").read_text())
    assert written["alt-test"]["rows"][0]["dimension"] == "quality"
    assert written["alt-test-annotators"]["rows"][0]["annotator"] == "ann"


def test_a_judge_that_prefers_the_second_summary_is_seen_to(corpus):
    """B in 5 of 6 answers, and A in the sixth: 4 topics of 3 pairs in both orders are 24 answers.

    So the first wins 4 of 24. The sixth request of a topic is the second order of its third pair,
    bob and eve: eve is shown first and wins, as in the first order. All other verdicts flip, 2 of
    3 pairs. Shown second, each system is the longer one in every other answer; in the sixth
    request the shorter eve wins instead of bob, so the longer wins 2 of 6.
    """
    logged(corpus, ["B", "B", "B", "B", "B", "A"], "fluency", mode="pairs")
    judge("--mode pairs --tables judge.json")
    section = section_of(report("--judge judge.json"), "judge")
    assert "m on fluency_pairs: 24 of 24 judgments answered" in section
    svg = pictures(section)["Biases: m"]
    names = ["Position: first wins", "Position: flips", "Ties: called equal", "Length: longer wins"]
    assert [word for word in words(svg) if ":" in word] == names
    assert circles(svg) == near([1 / 6, 2 / 3, 0, 2 / 6])
    heads, *rows = tables(section)["Biases: m"]
    assert heads == ["Bias", "Value", "Low", "High", "n"]
    # All topics are alike, so every interval is a point.
    assert ["first wins", "0.167", "0.167", "0.167", "24"] in rows
    assert ["flips", "0.667", "0.667", "0.667", "12"] in rows


def test_what_a_judge_did_not_answer_is_counted_and_bounded(corpus):
    """ada: 5, 4, nonsense, 5; bob: 3, 4, 3, 3; eve: 1, 2, no answer, 1; marks are 1 to 5."""
    replies = ["5", "3", "1", "4", "4", "2", "nonsense", "3", no_answer()]
    logged(corpus, replies, "fluency")
    judge("--tables judge.json")
    section = section_of(report("--judge judge.json --pictures drawn"), "judge")
    said = html.unescape(section).replace("\N{NO-BREAK SPACE}", " ")
    assert "m on fluency: 10 of 12 judgments answered; parse failures: 1; no answer: 1" in said
    svg = pictures(section)["Marks by m: fluency"]
    assert circles(svg) == near([14 / 3, 13 / 4, 4 / 3])
    assert words(svg).count("1 of 4") == 2
    heads, *rows = tables(section)["Marks by m: fluency"]
    # Nothing was refused, and there is one dimension.
    assert heads[:5] == ["System", "Asked", "Answered", "Parse failures", "No answer"]
    assert rows[0][:6] == ["ada", "4", "3", "1", "0", "4.667"]
    # With a 1 and with a 5 in place of what is missing; bob has all.
    bounds = [["3.750", "4.750"], ["3.250", "3.250"], ["1.250", "2.250"]]
    assert [row[-2:] for row in rows] == bounds
    assert {"judge-points-m.svg", "biases.svg"} <= {path.name for path in corpus.glob("drawn/*")}


def test_several_runs_share_one_picture_of_biases(corpus):
    logged(corpus, ["5", "3", "1"], "fluency")
    logged(corpus, ["A"], "fluency", mode="pairs")
    judge("--mode points --tables one.json")
    judge("--mode pairs --tables two.json")
    drawn = pictures(section_of(report("--judge one.json --judge two.json"), "judge"))
    assert len(drawn) == 3
    assert {"Position: first wins", "Length: mark and length"} <= set(words(drawn["Biases: m"]))


def test_in_python_it_is_the_same(tested, corpus, scores):
    logged(corpus, ["5", "3", "nonsense", "1"], "fluency")
    judge("--tables judge.json")
    page = report("--alt-test alt-test.json --judge judge.json")
    of_files = summetry.report(scores, alt_test="alt-test.json", judge=["judge.json"]).html()
    verdicts = summetry.alt_test("judgments.csv", ["llm", "lazy"])
    answers = summetry.judge("corpus", "fluency", "m", replay=True, draws=100)
    of_objects = summetry.report(scores, alt_test=verdicts, judge=answers).html()
    for name in ("alt-test", "judge"):
        section = section_of(page, name)
        assert section == section_of(of_files, name) == section_of(of_objects, name)
        assert f'<a href="#{name}">' in page


def test_without_them_the_page_has_no_such_section_and_something_else_is_refused(scores):
    page = report("")
    assert 'id="alt-test"' not in page and 'id="judge"' not in page
    assert 'id="judge"' not in summetry.report(scores, judge=[]).html()
    for name in ("judge", "alt_test"):
        message = rf"what summetry\.{name} gave, or"
        with pytest.raises(summetry.errors.SummetryError, match=message):
            summetry.report(scores, **{name: 5})


@pytest.mark.parametrize(
    ("option", "content", "message"),
    [
        ("--alt-test", "", "expected what `summetry alt-test -o FILE.json` writes, found no JSON"),
        ("--alt-test", "{}", "found JSON of another kind: Object missing required field"),
        ("--judge", "id,system\n", "expected what `summetry judge --tables FILE.json` writes"),
        ("--judge", '{"model": "m", "requests": {}}', "FILE.json` writes, found no rows"),
        ("--judge", None, "a.json: no such file or folder"),
    ],
)
def test_a_wrong_file_is_refused_in_one_line(scores, here, option, content, message):
    if content is not None:
        (here / "a.json").write_text(content)
    assert_refused(run_command("report", scores, option, "a.json"), 2, message)
    assert not (here / "report.html").exists()


def test_a_page_is_not_written_over_what_it_shows(tested):
    path = (tested / "alt-test.json").rename(tested / "found.html")
    content = path.read_bytes()
    done = run_command("report", "scores.csv", "--alt-test", path.name, "-o", path.name)
    assert_refused(done, 2, "found.html: would be written over what is read")
    assert path.read_bytes() == content
