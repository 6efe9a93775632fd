"""``summetry report``: what the page says is what the other commands say and wrote."""

import html
import json
import re
import shlex
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest
from command_line import succeed
from judged_corpora import logged, no_answer, small_corpus, write_corpus
from strange_corpora import SYSTEMS, TOPICS, strange_corpus

import summetry

RANKING = r'<table class="wide ranking">.*?</table>'
TEXTS = "id,system,candidate,reference\na,bart,A ferry.,A ferry sank.\na,t5,No.,A ferry sank.\n"


@pytest.fixture(scope="module")
def reports(tmp_path_factory, three_topics, drawn_once):
    """Scores of three topics and two reports on them, one of scores alone and one with texts."""
    folder = tmp_path_factory.mktemp("reports")
    (folder / "corpus").symlink_to(three_topics)

    def call(line):
        return succeed(*shlex.split(line), folder=folder)

    call("score corpus -m rouge-1,js_divergence -o scores.csv")
    alone = call("report scores.csv --draws 50")
    written = "-o full.html --pictures drawn --tables in-words"
    full = call(f"report scores.csv -m rouge-1 --corpus corpus --draws 50 {written}")
    return SimpleNamespace(folder=folder, alone=alone, full=full)


@pytest.fixture
def scores(here, reports):
    """The file of scores in the current folder."""
    for path in reports.folder.glob("scores.csv*"):
        shutil.copy(path, here)
    return here / "scores.csv"


def page_at(path):
    return path.read_text(encoding="utf-8")


def report(line):
    """What the command left behind, and the page; few draws are enough for most tests."""
    done = succeed("report", *shlex.split(line), "--draws", 50)
    return done, page_at(Path("report.html"))


def rows_of(table):
    """The rows of a table, cell by cell, as plain words."""
    return [
        [html.unescape(re.sub(r"<[^>]*>", "", cell)).strip() for cell in cells]
        for row in re.findall(r"<tr>(.*?)</tr>", table, re.S)
        if (cells := re.findall(r"<(?:th|td)[^>]*>(.*?)</(?:th|td)>", row, re.S))
    ]


def cells(page, table):
    return rows_of(re.search(table, page, re.S)[0])


def section_of(page, name):
    (section,) = re.findall(rf'<section class="section" id="{name}">.*?</section>', page, re.S)
    return section


def names(page):
    return [row[0] for row in cells(page, RANKING)[1:]]


def test_ranking_and_tests_are_those_of_compare(reports, scores, here, snapshot):
    def tables(folder):
        return json.loads((folder / "tables.json").read_text("utf-8"))

    page = page_at(reports.folder / "report.html")
    assert cells(page, RANKING) == snapshot
    asked = ("scores.csv", "-m", "rouge-1", "--draws", 50, "--json")
    systems = succeed("compare", *asked).json["systems"]["rows"]
    assert tables(reports.folder / "in-words")["systems"]["rows"] == systems
    how = "--baseline lead --test t --correction bonferroni"
    report(f"scores.csv -m rouge-1 {how} --tables tables")
    against = succeed("compare", *asked, *shlex.split(how)).json["against"]["rows"]
    assert tables(here / "tables")["against"]["rows"] == against


def test_the_coefficients_are_those_of_correlate(scores, corpus):
    asked = "scores.csv --judgments corpus"
    page = report(f"{asked} --no-texts")[1]
    assert 'id="texts-box"' not in page
    rows = cells(page, r'<div class="section-gap" id="judges-table">.*?</table>')[1:]
    (own,) = [row for row in rows if row[0] == "rouge-1"]
    answer = succeed("correlate", *shlex.split(asked), "--draws", 50, "--json").json
    row = next(row for row in answer["correlations"]["rows"] if row["metric"] == "rouge-1.f")
    numbers = [float(number) for number in (own[1], *own[2].split(" to "))]
    expected = [row[name] for name in ("value", "low", "high")]
    assert numbers == pytest.approx(expected, abs=0.005)


def test_of_scores_alone_there_are_no_texts_and_a_corpus_gives_them(reports):
    note = "made of scores alone, so there are no texts; --corpus names them"
    assert note in reports.alone.err and reports.full.err == ""
    page = page_at(reports.folder / "report.html")
    assert 'id="texts"' not in page and 'href="#texts"' not in page
    assert "made of scores alone, so there are no texts" in page
    page = page_at(reports.folder / "full.html")
    assert 'id="texts-box"' in page and '<mark class="match">' in page
    assert 'id="judges"' in page


def test_pictures_and_tables_are_written_to_folders(reports):
    pictures = {path.name for path in (reports.folder / "drawn").iterdir()}
    kinds = [{Path(name).stem for name in pictures if name.endswith(e)} for e in (".svg", ".png")]
    assert kinds[0] == kinds[1]
    for kind in ("systems", "significance", "distribution", "power"):
        assert any(name.startswith(f"{kind}-rouge-1") for name in pictures), kind
    tables = {path.name for path in (reports.folder / "in-words").iterdir()}
    assert tables == {"tables.tex", "tables.md", "tables.json"}
    assert "| careful |" in (reports.folder / "in-words" / "tables.md").read_text("utf-8")


def test_nothing_runs_that_is_not_known_by_its_hash(reports):
    page = page_at(reports.folder / "report.html")
    policy = html.unescape(re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1])
    assert "default-src 'none'" in policy and "unsafe" not in policy
    body = page.partition("<body>")[2].partition("<script")[0]
    assert " style=" not in body and not re.search(r"\son\w+=", body)


@pytest.mark.parametrize(
    ("change", "note"),
    [
        ({"sank": "rose"}, "the scores were computed of other texts than these"),
        ({"bart": "x", "t5": "y"},
         "there are no texts: the corpus has none of bart, t5 on these topics"),
        ({"t5": "y"}, "without texts: t5"),
    ],
)  # fmt: skip
def test_a_corpus_of_other_texts_or_without_some_systems_is_told(here, change, note):
    (here / "texts.csv").write_text(TEXTS)
    other = re.sub("|".join(change), lambda word: change[word[0]], TEXTS)
    (here / "other.csv").write_text(other)
    succeed("score", "texts.csv", "-m", "rouge-1", "-o", "scores.csv")
    done, page = report("scores.csv --corpus other.csv")
    assert note in done.err and note in page


def test_judgments_of_a_judge_have_texts_and_their_own_name(here):
    """Judgments are scores too: the means of both judges."""
    (here / "texts.csv").write_text(TEXTS)
    rows = ["a,bart,x,quality,0.25", "a,bart,y,quality,0.75", "a,t5,x,quality,0.25"]
    (here / "own.csv").write_text("\n".join(["id,system,judge,dimension,value", *rows]))
    signatures = {"signatures": {"quality": "judge(model=m)|data:51c0aa93be"}}
    (here / "own.csv.signatures.json").write_text(json.dumps(signatures))
    done, page = report("own.csv --corpus texts.csv")
    assert done.err == "" and "Report on <b>own.csv</b>" in page
    texts = in_words(section_of(page, "texts"))
    assert "Another program or a judge gave this value" in texts and "0.5" in texts
    assert "bart\nA ferry.\nreference 1\nA ferry sank." in texts
    # Given together, the metrics of the texts are computed too.
    done, page = report("texts.csv own.csv -m rouge-1,quality")
    assert "other texts" not in done.err
    assert 'id="texts-box"' in page and ">quality</option>" in section_of(page, "texts")


def test_a_value_without_a_direction_gets_no_words_of_quality(corpus):
    page = report("corpus -m length")[1].partition("<main")[2].partition("</main>")[0]
    assert "Highest first. Mean length" in page
    assert "Topics from the highest to the lowest." in page
    assert "filled dots are above it, hollow ones below it" in page
    for word in ("best first", "easiest", "are better", 'id="worst"'):
        assert word not in page
    # Of the topic that is shown first no reference is shown: a length does not look at it.
    assert "m1" not in page.partition('id="texts-box"')[2].partition("</section>")[0]


@pytest.mark.slow
def test_a_page_is_the_same_by_several_processes(here):
    (here / "texts.csv").write_text(TEXTS + TEXTS.partition("\n")[2].replace("a,", "b,"))
    first, second = (
        re.sub(r'<p class="made">.*?</p>', "", report(f"texts.csv -m rouge-1 {option}")[1])
        for option in ("", "--workers 2")
    )
    assert first == second and 'id="texts-box"' in first


def test_systems_are_named_by_their_files_and_a_table_may_name_none(here):
    for name, text in {
        "gold.txt": "The pier is old.\nA ferry sank.\nRain fell.\n",
        "one.txt": "The pier is old.\nA boat sank.\nRain.\n",
        "two.txt": "A house.\nNothing sank.\nSnow fell.\n",
        "one.csv": "id,candidate,reference\na,A ferry sank.,A ferry sank.\n",
    }.items():
        (here / name).write_text(text)
    for files, systems in (
        ("one.txt two.txt --references gold.txt", ["1one", "2two"]),
        ("one.csv", ["1candidate"]),
    ):
        _, page = report(f"{files} -m rouge-1")
        assert names(page) == systems and '<mark class="match">' in page
    # That is the name that explain gives.
    assert succeed("explain", "one.csv", "-m", "rouge-1", "--system", "candidate").lines


def test_the_command_is_in_the_page_without_where_the_files_are(scores, here):
    done = succeed("report", scores, "--title", "Ferries & piers", "--test", "t", "--json")
    page = page_at(here / "report.html")
    title = "--title &#39;Ferries &amp; piers&#39;"
    assert f"<code>summetry report scores.csv {title} --test t --json</code>" in page
    assert "<h1>Ferries &amp; piers</h1>" in page
    assert str(here) not in page
    # Programs get the verdicts, and what was written.
    assert done.json["wrote"] == ["report.html"]
    assert done.json["verdicts"][0].startswith("On rouge-1, careful has the best mean")


def test_mistakes(scores, here, refuses):
    for name in ("folder.html", "full", "old-topics"):
        (here / name).mkdir()
    for name, text in {
        "full/mine.txt": "mine", "texts.html": "<p>texts</p>", "words.csv": "a,b\nx,y\n",
        "odd.csv": "id,system,candidate,Volltext\n1,a,x y,x y z\n1,b,z,x y z\n",
        "head.csv": "id,summary,reference\n", "object.json": "{}",
        "model.json": '{"model": "m", "requests": {}}',
        "empty.csv": "id,system,mine,theirs\na,bart,,1\nb,t5,,2\n",
    }.items():  # fmt: skip
        (here / name).write_text(text)
    refuses("""
        report nothing.csv
        report scores.csv -o page.pdf
        report scores.csv -o folder.html
        report texts.html -o texts.html
        report scores.csv --tables full
        report scores.csv --pictures full
        report scores.csv -o old.html
        report scores.csv --baseline leed
        report scores.csv -m rouge-9
        report scores.csv --dimension wit
        report head.csv
        report words.csv
        report odd.csv -m js_divergence
        report scores.csv --corpus none
        report texts.html --references texts.html --corpus none
        report texts.html --references texts.html --format table
        report texts.html --references texts.html --protocol all_peers
        report scores.csv --audit scores.csv
        report empty.csv -m mine
        report scores.csv --alt-test texts.html -o texts.html
        report scores.csv --alt-test head.csv
        report scores.csv --judge model.json
        report scores.csv --judge a.json
    """)


def test_one_system_has_nothing_to_compare_with(here):
    (here / "one.csv").write_text("id,system,mine\na,bart,0.5\nb,bart,0.25\n")
    done, page = report("one.csv")
    assert done.words.startswith("Only one system has scores, bart: its mean mine is 0.375.")
    assert "<h1>How good is the system?</h1>" in page


def test_values_that_are_missing_are_dashes_and_an_empty_column_is_left_out(here):
    lines = ["id,system,mine,none,theirs", "a,bart,0.5,,1", "b,bart,,,2", "a,t5,0.25,,", "b,t5,1,,"]
    (here / "gaps.csv").write_text("\n".join(lines) + "\n")
    _, page = report("gaps.csv")
    assert "left out, without any value: none" in page
    heat = cells(page, r'<table class="heatmap wide">.*?</table>')
    assert [row[-1].removesuffix(" no value") for row in heat if row[0] == "t5"] == ["–"]
    assert "nan" not in re.sub(r"<script.*?</script>", "", page, flags=re.S).lower()


def test_names_that_look_like_html_are_shown_as_they_are(here, open_page):
    write_corpus(here / "strange", strange_corpus())
    report("strange -m rouge-1 --title '<img src=x onerror=alert(1)>'")
    page = open_page()
    messages = []
    page.on("console", lambda message: messages.append(message.text))
    page.on("dialog", lambda dialog: messages.append(dialog.message) or dialog.dismiss())
    page.goto((here / "report.html").as_uri())
    assert page.locator("h1").inner_text() == "<img src=x onerror=alert(1)>"
    assert set(page.locator("table.ranking tbody th bdi").all_inner_texts()) == set(SYSTEMS)
    page.select_option("#choose-topic", "1")
    page.locator("#texts-now", has_text=TOPICS[1]).wait_for()
    page.select_option("#choose-other", "1")
    page.locator("#texts-now", has_text="beside").wait_for()
    assert page.locator("main script, main b b, main img").count() == 0
    assert messages == []


def test_in_python_it_is_the_same(scores, here):
    succeed("report", "scores.csv", "--test", "t")
    made = summetry.report(str(scores), test="t")
    assert made.save("python.html")[0].name == "python.html"
    strip = re.compile(r'<p class="made">.*?</p>|<li>made of scores alone.*?</li>')
    pages = [strip.sub("", page_at(here / name)) for name in ("report.html", "python.html")]
    assert pages[0] == pages[1]
    assert "careful has the best mean" in repr(made) and "<b>careful</b>" in made._repr_html_()


def test_an_audit_is_a_section_with_its_heat_map(scores, corpus, here, reports):
    few = "-m rouge-1,js_divergence --perturbation cut --perturbation word_salad --draws 50"
    succeed("audit", "corpus", *shlex.split(few), "-o", "audit.csv")
    _, page = report("scores.csv --audit audit.csv --tables tables")
    section = section_of(page, "audit")
    assert "word salad" in section and "js_divergence" in section
    assert "How often does the worse text" in (here / "tables" / "tables.md").read_text()
    assert section in summetry.report(scores, audit="audit.csv").html()
    assert 'id="audit"' not in page_at(reports.folder / "report.html")


FOUR = f"{TEXTS}b,bart,A <dog> ran.,A dog ran.\nb,t5,A cat.,A dog ran.\n"
REASON = {"dimension": "fluency", "judge": "m", "beside": "", "value": 2, "reason": "<Cut> off."}
SYSTEM = {
    "dimension": "fluency", "system": "t5", "topics": 2, "asked": 2, "mark": 2, "parse_failure": 0,
    "refusal": 0, "no_answer": 0, "not_asked": 0, "mean": 2, "low": 2, "high": 2, "worst": 2,
    "best": 2,
}  # fmt: skip


def test_the_worst_summaries_lead_to_their_texts_beside_reasons_of_a_judge(here, open_page):
    """F of rouge-1: a t5 shares nothing; b t5 one of 2 and 3 words; a bart 2 of 2 and 3."""
    (here / "four.csv").write_text(FOUR)
    reasons = [REASON | {"id": "b", "system": "t5"}, REASON | {"id": "c", "system": "t5"}]
    tables = {"model": "m", "requests": {"mark": 2}, "points": {"title": "", "rows": [SYSTEM]}}
    tables["reasons"] = {"title": "", "rows": reasons}
    (here / "judge.json").write_text(json.dumps(tables))
    _, page = report("four.csv -m rouge-1 --judge judge.json --tables tables")
    assert cells(section_of(page, "worst"), "<table.*?</table>") == [
        ["Id", "System", "Value", "Text", "Reasons"],
        ["a", "t5", "0.0000", "No.", "–"],
        ["b", "t5", "0.4000", "A cat.", "fluency: 2. <Cut> off."],
        ["a", "bart", "0.8000", "A ferry.", "–"],
        ["b", "bart", "1.0000", "A <dog> ran.", "–"],
    ]
    assert (
        json.loads((here / "tables" / "tables.json").read_text())["worst"]["rows"][1]["id"] == "b"
    )
    opened = open_page()
    opened.goto((here / "report.html").as_uri())
    opened.locator("#worst a").nth(1).click()
    opened.locator("#texts-now", has_text="t5 on b, by rouge-1").wait_for()
    # Without texts neither they nor ways to them are there.
    section = section_of(report("four.csv -m rouge-1 --no-texts")[1], "worst")
    assert cells(section, "<table.*?</table>")[1] == ["a", "t5", "0.0000"] and "<a" not in section


def test_in_python_texts_and_scores_of_them_go_together(here):
    (here / "four.csv").write_text(FOUR)
    (here / "own.csv").write_text("id,system,quality\na,bart,2\na,t5,5\nb,bart,3\nb,t5,4\n")
    both = ["four.csv", "own.csv"]
    worst = summetry.worst(both, "quality", count=2)
    assert [(row[1:3], value) for row, value in worst.rows] == [
        (("a", "bart"), 2),
        (("b", "bart"), 3),
    ]
    assert worst.to_pandas()["text"].tolist() == ["A ferry.", "A <dog> ran."]
    assert "text" not in summetry.worst("own.csv").to_pandas()
    with pytest.raises(summetry.errors.SummetryError, match="which direction is better"):
        summetry.worst("four.csv", "length")


# --- What was written of judges ------------------------------------------------------------------


@pytest.fixture
def tested(judged, scores):
    """What the test of two judges wrote: ``llm`` is good, ``lazy`` always gives a 3."""
    alt_test("--judge llm --judge lazy -o alt-test.json")
    return judged


@pytest.fixture
def asked(here, scores):
    """Four topics and three systems, of which ada writes longest and eve least."""
    write_corpus(here / "corpus", small_corpus(4, ("ada", "bob", "eve"), {"ada": 9, "bob": 5}))
    return here


def alt_test(options):
    return succeed("alt-test", "judgments.csv", *shlex.split(options))


def judge(options):
    typed = f"corpus -r fluency --model m --draws 50 {options}"
    return succeed("judge", *shlex.split(typed))


def in_words(section):
    """A section in words, a row of a table in a line; tests/reports reads its pictures."""
    text = re.sub('<svg class="chart picture.*?</svg>', "[picture]", section, flags=re.S)
    text = re.sub("<(?:script|style).*?</(?:script|style)>", "", text, flags=re.S)
    text = re.sub(r"</t[hd]>\s*(?=<t[hd])", " | ", re.sub(r"\s+", " ", text))
    text = re.sub(r"</?(?:p|tr|h\d|li|ul|div|section|table|figure|details)\b[^>]*>", "\n", text)
    lines = (line.strip() for line in html.unescape(re.sub("<[^>]*>", "", text)).splitlines())
    return "\n".join(filter(None, lines)).replace("\N{NO-BREAK SPACE}", " ")


def test_a_section_on_tests_of_judges(tested, snapshot):
    """The middle mark is as near to any two annotators as the third: 1, as good as never beaten.

    A 3, and a 1 or another constant, are as near on a third of the summaries. Each annotator is
    farther than llm where off, on a third, so 2/3 - 1 ahead; of lazy, who is nearer only on those
    summaries of a third on which the annotator is off, 8/9 - 1/3 ahead.
    """
    page = report("scores.csv --alt-test alt-test.json")[1]
    assert in_words(section_of(page, "alt-test")) == snapshot
    # One judge on one dimension needs no column for them.
    alt_test("--judge llm -o one.json")
    section = section_of(report("scores.csv --alt-test one.json")[1], "alt-test")
    assert "\nTested | Winning rate" in in_words(section)


def test_a_section_on_a_judge(asked, snapshot):
    """Marks of ada: 5, 4, nonsense, 5; bob: 3, 4, 3, 3; eve: 1, 2, no answer, 1, of 1 to 5.

    Of pairs B in 5 of 6 answers, and A in the sixth: 4 topics of 3 pairs in both orders are 24
    answers, so the first wins 4 of 24. The sixth request of a topic is the second order of its
    third pair, bob and eve: eve is shown first and wins, as in the first order. All other verdicts
    flip, 2 of 3 pairs. Shown second, each system is the longer one in every other answer; in the
    sixth request the shorter eve wins instead of bob, so the longer wins 2 of 6.
    """
    replies = ["5", "3", "1", "4", "4", "2", "nonsense", "3", no_answer()]
    logged(asked, replies, "fluency")
    judge("--tables marks.json")
    page = report("scores.csv -m rouge-1 --judge marks.json --pictures drawn")[1]
    assert in_words(section_of(page, "judge")) == snapshot(name="marks")
    assert {"judge-points-m.svg", "biases.svg"} <= {path.name for path in asked.glob("drawn/*")}
    (asked / "judge-log.jsonl").unlink()
    logged(asked, ["B", "B", "B", "B", "B", "A"], "fluency", mode="pairs")
    judge("--mode pairs --tables pairs.json")
    page = report("scores.csv --judge pairs.json --judge marks.json")[1]
    # Several runs share one picture of biases.
    assert in_words(section_of(page, "judge")) == snapshot(name="pairs and marks")


def test_what_python_has_of_judges_makes_the_same_sections(tested, scores):
    section = section_of(report("scores.csv --alt-test alt-test.json")[1], "alt-test")
    verdicts = summetry.alt_test("judgments.csv", ["llm", "lazy"])
    assert section_of(summetry.report(scores, alt_test=verdicts).html(), "alt-test") == section


def test_a_page_without_judges_has_no_section_on_them(scores):
    page = report("scores.csv")[1]
    assert 'id="alt-test"' not in page and 'id="judge"' not in page and 'id="judges"' not in page
    with pytest.raises(summetry.errors.SummetryError, match=r"what summetry\.judge gave, or"):
        summetry.report(scores, judge=5)
