"""``summetry report`` with what ``alt-test`` and ``judge`` wrote: pictures, tables, mistakes."""

import html
import json
import re

import pytest
from drawings import of_class, parsed, reader, words
from judged_corpora import logged, no_answer, small_corpus, write_corpus

import summetry

# Places have one digit behind the point, and 100 of them or more are 1 here.
NEAR = {"abs": 2e-3}
MODEL = ("--model", "m", "--draws", "100")


@pytest.fixture
def scores(scored, demo_folder, here):
    """A file of scores of the demo corpus."""
    scored("score", demo_folder, "-m", "rouge-1", "-o", "scores.csv")
    return here / "scores.csv"


@pytest.fixture
def tested(scored, judged):
    """What the test of two judges wrote: ``llm`` is good, ``lazy`` always gives a 3."""
    scored("alt-test", "judgments.csv", "--judge", "llm", "--judge", "lazy", "-o", "alt-test.json")
    return judged


@pytest.fixture
def corpus(here):
    """Four topics and three systems, of which ada writes longest and eve least."""
    write_corpus(here / "corpus", small_corpus(4, ("ada", "bob", "eve"), {"ada": 9, "bob": 5}))
    return here


def section_of(page, name):
    (found,) = re.findall(rf'<section class="section" id="{name}">.*?</section>', page, re.S)
    return found


def pictures(section):
    """The pictures of a section by their titles."""
    found = re.findall(r'<svg class="chart picture.*?</svg>', section, re.S)
    return {parsed(one).find("title").text: one for one in found}


def tables(section):
    """The cells of all tables by their titles, as plain words."""
    found = re.findall(r'aria-label="([^"]*)" tabindex="0">\s*<table.*?</table>', section, re.S)
    bodies = re.findall(r"<table.*?</table>", section, re.S)
    assert len(found) == len(bodies)
    return {
        html.unescape(title): [
            [html.unescape(re.sub(r"<[^>]*>", "", cell)) for cell in cells]
            for row in re.findall(r"<tr>(.*?)</tr>", body, re.S)
            if (cells := re.findall(r"<(?:th|td)[^>]*>(.*?)</(?:th|td)>", row, re.S))
        ]
        for title, body in zip(found, bodies, strict=True)
    }


def circles(svg):
    value = reader(svg, "x")
    return [(one.get("class"), value(one.get("cx"))) for one in parsed(svg).iter("circle")]


def test_judges_stand_beside_null_judges_and_annotators(scored, tested, scores):
    """The middle mark is as near to any two annotators as the third: 1, as good as never beaten.

    A 3, and a 1 or another constant, are as near on a third of the summaries. Each annotator is
    farther than llm where off, on a third, so 2/3 - 1 ahead; of lazy, who is nearer only on those
    summaries of a third on which the annotator is off, 8/9 - 1/3 ahead.
    """
    scored("report", scores, "--alt-test", "alt-test.json")
    section = section_of((tested / "report.html").read_text(encoding="utf-8"), "alt-test")
    drawn = pictures(section)
    beside = circles(drawn["Judges beside null judges"])
    assert [kind for kind, _ in beside] == ["dot", "unclear", "unclear", "dot", "below", "below"]
    known = [beside[place][1] for place in (0, 1, 3, 4)]
    assert known == pytest.approx([1, 1 / 3, 1 / 3, 1 / 3], **NEAR)
    against = circles(drawn["Judges against each annotator"])
    assert against == [
        *[("dot", pytest.approx(-1 / 3, **NEAR))] * 3,
        *[("below", pytest.approx(5 / 9, **NEAR))] * 3,
    ]
    svg = drawn["Judges against each annotator"]
    limits = [reader(svg, "x")(one.get("x1")) for one in of_class(svg, "fit")]
    assert limits == pytest.approx([0.2, 0.2], **NEAR)
    assert {"llm, quality", "lazy, quality", "ann", "bob", "eve"} <= set(words(svg))
    said = html.unescape(section)
    assert "quality: llm passes against the null judges that could be tested" in said
    assert "quality: no verdict: lazy was not found to be better than (constant)" in said
    heads, *rows = tables(section)["Judges beside null judges"]
    assert heads == ["Judge", "Tested", "Winning rate", "Advantage", "Behind", "p", "Beaten"]
    assert rows[0] == ["llm", "llm", "1.000", "1.000", "–", "–", "–"]
    assert rows[1][:5] == ["llm", "(constant)", "0.000", "0.333", "0.667"]
    assert [row[-1] for row in rows] == ["–", "yes", "yes", "–", "no", "no"]
    people = tables(section)["Judges against each annotator"]
    assert people[1][:6] == ["llm", "ann", "36", "1.000", "0.667", "−0.333"]


def test_the_random_null_judge_stands_where_the_command_puts_it(scored, tested, scores):
    scored("report", scores, "--alt-test", "alt-test.json")
    section = section_of((tested / "report.html").read_text(encoding="utf-8"), "alt-test")
    rows = json.loads((tested / "alt-test.json").read_text())["judges"]["rows"]
    found = [place for _, place in circles(pictures(section)["Judges beside null judges"])]
    assert found == pytest.approx([row["advantage"] for row in rows], **NEAR)


def test_one_judge_on_one_dimension_needs_no_column_for_them(scored, judged, scores):
    scored("alt-test", "judgments.csv", "--judge", "llm", "-o", "found.json")
    scored("report", scores, "--alt-test", "found.json", "--tables", "tables")
    section = section_of((judged / "report.html").read_text(encoding="utf-8"), "alt-test")
    assert tables(section)["llm beside null judges"][0][0] == "Tested"
    # Programs get them all the same.
    written = json.loads((judged / "tables" / "tables.json").read_text())
    assert written["alt-test"]["rows"][0]["dimension"] == "quality"
    assert written["alt-test-annotators"]["rows"][0]["annotator"] == "ann"


def test_a_judge_that_prefers_the_second_summary_is_seen_to(scored, corpus, scores):
    """B in 5 of 6 answers, and A in the sixth: 4 topics of 3 pairs in both orders are 24 answers.

    So the first wins 4 of 24. The sixth request of a topic is the second order of its third pair,
    bob and eve: eve is shown first and wins, as in the first order. All other verdicts flip, 2 of
    3 pairs. Shown second, each system is the longer one in every other answer; in the sixth
    request the shorter eve wins instead of bob, so the longer wins 2 of 6.
    """
    logged(corpus, ["B", "B", "B", "B", "B", "A"], "fluency", mode="pairs")
    scored("judge", "corpus", "-r", "fluency", "--mode", "pairs", *MODEL, "--tables", "judge.json")
    scored("report", scores, "--judge", "judge.json")
    section = section_of((corpus / "report.html").read_text(encoding="utf-8"), "judge")
    assert "m on fluency_pairs: 24 of 24 judgments answered" in section
    svg = pictures(section)["Biases: m"]
    headings = [word for word in words(svg) if ":" in word]
    assert headings == [
        "Position: first wins", "Position: flips", "Ties: called equal", "Length: longer wins"
    ]  # fmt: skip
    found = [place for kind, place in circles(svg) if kind == "dot"]
    assert found == pytest.approx([1 / 6, 2 / 3, 0, 2 / 6], **NEAR)
    # All topics are alike, so every interval is a point.
    value = reader(svg, "x")
    ends = [[value(one.get(end)) for end in ("x1", "x2")] for one in of_class(svg, "whisker")]
    assert ends == [pytest.approx([x, x], **NEAR) for x in found]
    fair = [value(one.get("x1")) for one in of_class(svg, "fit")]
    assert sorted(fair) == pytest.approx([0, 0.5, 0.5], **NEAR)
    heads, *rows = tables(section)["Biases: m"]
    assert heads == ["Bias", "Value", "Low", "High", "n"]
    assert ["first wins", "0.167", "0.167", "0.167", "24"] in rows
    assert ["flips", "0.667", "0.667", "0.667", "12"] in rows


def test_what_a_judge_did_not_answer_is_counted_and_bounded(scored, corpus, scores):
    """ada: 5, 4, nonsense, 5; bob: 3, 4, 3, 3; eve: 1, 2, no answer, 1; marks are 1 to 5."""
    replies = ["5", "3", "1", "4", "4", "2", "nonsense", "3", no_answer()]
    logged(corpus, replies, "fluency")
    scored("judge", "corpus", "-r", "fluency", *MODEL, "--tables", "judge.json")
    scored("report", scores, "--judge", "judge.json", "--pictures", "drawn")
    section = section_of((corpus / "report.html").read_text(encoding="utf-8"), "judge")
    said = html.unescape(section).replace("\N{NO-BREAK SPACE}", " ")
    assert "m on fluency: 10 of 12 judgments answered; parse failures: 1; no answer: 1" in said
    svg = pictures(section)["Marks by m: fluency"]
    dots = [place for _, place in circles(svg)]
    assert dots == pytest.approx([14 / 3, 13 / 4, 4 / 3], abs=0.01)
    value = reader(svg, "x")
    bounds = [[value(one.get(end)) for end in ("x1", "x2")] for one in of_class(svg, "bounds")]
    # With a 1 and with a 5 in place of what is missing; bob has all.
    assert bounds == [
        pytest.approx([15 / 4, 19 / 4], abs=0.01),
        pytest.approx([5 / 4, 9 / 4], abs=0.01),
    ]
    assert words(svg).count("1 of 4") == 2
    heads, ada, *_ = tables(section)["Marks by m: fluency"]
    # Nothing was refused, and there is one dimension.
    assert heads[:5] == ["System", "Asked", "Answered", "Parse failures", "No answer"]
    assert ada[:6] == ["ada", "4", "3", "1", "0", "4.667"] and ada[-2:] == ["3.750", "4.750"]
    assert {"judge-points-m.svg", "biases.svg"} <= {path.name for path in corpus.glob("drawn/*")}


def test_several_runs_share_one_picture_of_biases(scored, corpus, scores):
    logged(corpus, ["5", "3", "1"], "fluency")
    logged(corpus, ["A"], "fluency", mode="pairs")
    both = (("points", "one.json"), ("pairs", "two.json"))
    for mode, name in both:
        scored("judge", "corpus", "-r", "fluency", "--mode", mode, *MODEL, "--tables", name)
    scored("report", scores, "--judge", "one.json", "--judge", "two.json")
    section = section_of((corpus / "report.html").read_text(encoding="utf-8"), "judge")
    drawn = pictures(section)
    assert len(drawn) == 3
    assert {"Position: first wins", "Length: mark and length"} <= set(words(drawn["Biases: m"]))


def test_in_python_it_is_the_same(scored, tested, corpus, scores):
    logged(corpus, ["5", "3", "nonsense", "1"], "fluency")
    scored("judge", "corpus", "-r", "fluency", *MODEL, "--tables", "judge.json")
    scored("report", scores, "--alt-test", "alt-test.json", "--judge", "judge.json")
    page = (corpus / "report.html").read_text(encoding="utf-8")
    of_files = summetry.report(scores, alt_test="alt-test.json", judge=["judge.json"]).html()
    found = summetry.alt_test("judgments.csv", ["llm", "lazy"])
    judged = summetry.judge("corpus", "fluency", "m", replay=True, draws=100)
    of_objects = summetry.report(scores, alt_test=found, judge=judged).html()
    for name in ("alt-test", "judge"):
        section = section_of(page, name)
        assert section == section_of(of_files, name) == section_of(of_objects, name)
        assert f'<a href="#{name}">' in page


def test_without_them_the_page_has_no_such_section(scored, scores, here):
    scored("report", scores)
    page = (here / "report.html").read_text(encoding="utf-8")
    assert 'id="alt-test"' not in page and 'id="judge"' not in page
    nothing = summetry.report(scores, judge=[]).html()
    assert 'id="judge"' not in nothing


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
def test_a_wrong_file_is_refused_in_one_line(call, scores, here, option, content, message):
    if content is not None:
        (here / "a.json").write_text(content)
    done = call("report", scores, option, "a.json")
    assert done.code == 2 and message in done.err and len(done.err.splitlines()) == 1
    assert not (here / "report.html").exists()


def test_a_page_is_not_written_over_what_it_shows(call, scores, tested):
    (tested / "alt-test.json").rename(tested / "found.html")
    done = call("report", scores, "--alt-test", "found.html", "-o", "found.html")
    assert done.code == 2 and "found.html" in done.err
    assert json.loads((tested / "found.html").read_text())["verdicts"]


def test_in_python_something_else_is_refused(scores):
    with pytest.raises(summetry.errors.SummetryError, match=r"what summetry\.judge gave, or"):
        summetry.report(scores, judge=5)
    with pytest.raises(summetry.errors.SummetryError, match=r"what summetry\.alt_test gave, or"):
        summetry.report(scores, alt_test=5)
