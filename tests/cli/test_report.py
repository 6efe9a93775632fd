"""``summetry report``: what the page says is what ``compare`` and ``correlate`` say."""

import html
import json
import re
import shlex
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest
from command_line import assert_refused, run_command, succeed
from strange_corpora import SYSTEMS, TOPICS, strange_corpus

import summetry
from summetry.formats.folder import Folder
from summetry.records.corpus import Corpus
from summetry.records.summaries import Summary
from summetry.records.topics import Document, Topic

RANKING = r'<table class="wide ranking">.*?</table>'
TEXTS = "id,system,candidate,reference\na,bart,A ferry.,A ferry sank.\na,t5,No.,A ferry sank.\n"


@pytest.fixture(scope="module")
def reports(tmp_path_factory, demo_folder):
    """Scores of the demo corpus and two reports on them, one of scores alone and one with texts."""
    folder = tmp_path_factory.mktemp("reports")

    def call(line):
        return succeed(*line.split(), folder=folder)

    call(f"score {demo_folder} -m rouge-1,js_divergence -o scores.csv")
    alone = call("report scores.csv --draws 200")
    written = "-o full.html --pictures drawn --tables in-words"
    full = call(f"report scores.csv -m rouge-1 --corpus {demo_folder} --draws 200 {written}")
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
    """What the command left behind, and the page; a hundred draws are enough for most tests."""
    done = succeed("report", *shlex.split(line), "--draws", 100)
    return done, page_at(Path("report.html"))


def cells(page, table):
    """The rows of a table of the page, cell by cell, as plain words."""
    rows = re.findall(r"<tr>(.*?)</tr>", re.search(table, page, re.S)[0], re.S)
    return [
        [html.unescape(re.sub(r"<[^>]*>", "", cell)).strip() for cell in row_cells]
        for row in rows
        if (row_cells := re.findall(r"<(?:th|td)[^>]*>(.*?)</(?:th|td)>", row, re.S))
    ]


def names(page):
    return [row[0] for row in cells(page, RANKING)[1:]]


def test_the_ranking_is_that_of_compare(reports):
    page = page_at(reports.folder / "report.html")
    asked = ("-m", "rouge-1", "--draws", 200, "--json")
    systems = succeed("compare", reports.folder / "scores.csv", *asked).json["systems"]["rows"]
    assert len(systems) == 6
    assert [[row[0], row[1], row[3], row[4]] for row in cells(page, RANKING)[1:]] == [
        [
            f"{row['rank']}{row['system']}", f"{row['mean']:.3f}",
            f"{row['low']:.3f}–{row['high']:.3f}", row["letters"],
        ]
        for row in systems
    ]  # fmt: skip
    tables = json.loads((reports.folder / "in-words" / "tables.json").read_text("utf-8"))
    assert tables["systems"]["rows"] == systems


def test_the_tests_are_those_of_compare(scores):
    words = "scores.csv -m rouge-1 --baseline lead --test t --correction bonferroni"
    rows = {row[0].lstrip("123456"): row[-1] for row in cells(report(words)[1], RANKING)[1:]}
    against = succeed("compare", *words.split(), "--draws", 100, "--json").json["against"]["rows"]
    for expected in against:
        cell = rows[expected["system"]]
        is_clear = expected["verdict"] != "unclear"
        assert cell.startswith(expected["verdict"] if is_clear else "no difference seen")
        sign, p = re.search(r"p\s([<=])\s([\d.]+)", cell).groups()
        if sign == "<":
            assert expected["corrected_p"] < float(p)
        else:
            assert float(p) == pytest.approx(expected["corrected_p"], abs=0.005)


def test_the_coefficients_are_those_of_correlate(scores, demo_folder):
    asked = f"scores.csv --judgments {demo_folder}"
    rows = cells(report(asked)[1], r'<div class="section-gap" id="judges-table">.*?</table>')[1:]
    cells_of = {row[0]: [cell.replace("−", "-") for cell in row] for row in rows}
    answer = succeed("correlate", *asked.split(), "--draws", 100, "--json").json
    (table,) = [value for value in answer.values() if "rows" in value]
    of = {
        (row["metric"], row["coefficient"]): row
        for row in reversed(table["rows"])
        if row["dimension"] == "responsiveness"
    }
    names = {"rouge-1.f": "rouge-1", "js_divergence": "js_divergencelower is better"}
    for metric, name in names.items():
        _, value, interval, rank_value, *_ = cells_of[name]
        numbers = [float(number) for number in (value, *interval.split(" to "), rank_value)]
        expected = [of[metric, "pearson"][name] for name in ("value", "low", "high")]
        expected.append(of[metric, "spearman"]["value"])
        assert numbers == pytest.approx(expected, abs=0.005)
    expected = of["(length alone)", "pearson"]["value"]
    assert float(cells_of["length alone"][1]) == pytest.approx(expected, abs=0.005)


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


def test_a_table_without_names_of_systems_has_texts_and_the_name_that_explain_gives(here):
    (here / "one.csv").write_text("id,candidate,reference\na,A ferry sank.,A ferry sank.\n")
    _, page = report("one.csv -m rouge-1")
    assert '<mark class="match">' in page
    assert names(page) == ["1candidate"]
    assert succeed("explain", "one.csv", "-m", "rouge-1", "--system", "candidate").lines


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


def test_scores_of_others_have_no_texts_and_their_own_name(here):
    (here / "texts.csv").write_text(TEXTS)
    (here / "own.csv").write_text("id,system,quality\na,bart,0.5\na,t5,0.25\n")
    done, page = report("own.csv --corpus texts.csv")
    note = "there are no texts: only scores that Summetry computed can be lit up, not quality"
    assert note in done.err and note in page
    assert "Report on <b>own.csv</b>" in page


def test_a_value_without_a_direction_gets_no_words_of_quality(here, demo_folder):
    page = report(f"{demo_folder} -m length")[1].partition("<main")[2].partition("</main>")[0]
    assert "Highest first. Mean length" in page
    assert "Topics from the highest to the lowest." in page
    assert "filled dots are above it, hollow ones below it" in page
    for word in ("best first", "easiest", "are better"):
        assert word not in page
    # Of the topic that is shown first no reference is shown: a length does not look at it.
    assert "m1" not in page.partition('id="texts-box"')[2].partition("</section>")[0]


def test_a_page_is_smaller_without_texts_and_the_same_by_several_processes(here):
    (here / "texts.csv").write_text(TEXTS + TEXTS.partition("\n")[2].replace("a,", "b,"))
    pages = [
        re.sub(r'<p class="made">.*?</p>', "", report(f"texts.csv -m rouge-1 {option}")[1])
        for option in ("", "--workers 2", "--no-texts")
    ]
    assert pages[0] == pages[1]
    assert 'id="texts-box"' in pages[0] and 'id="texts-box"' not in pages[2]
    assert len(pages[2]) < len(pages[0])


def test_outputs_of_systems_with_references(here):
    for name, text in {
        "gold": "The pier is old.\nA ferry sank.\nRain fell.\n",
        "one": "The pier is old.\nA boat sank.\nRain.\n",
        "two": "A house.\nNothing sank.\nSnow fell.\n",
    }.items():
        (here / f"{name}.txt").write_text(text)
    _, page = report("one.txt two.txt --references gold.txt -m rouge-1")
    assert names(page) == ["1one", "2two"]
    assert '<mark class="match">' in page


def test_the_command_is_in_the_page_without_where_the_files_are(scores, here):
    done = succeed("report", scores, "--title", "Ferries & piers", "--test", "t", "--json")
    page = page_at(here / "report.html")
    title = "--title &#39;Ferries &amp; piers&#39;"
    assert f"<code>summetry report scores.csv {title} --test t --json</code>" in page
    assert "<h1>Ferries &amp; piers</h1>" in page
    assert str(here) not in page
    # Programs get the verdicts, and what was written.
    assert done.json["wrote"] == ["report.html"]
    assert done.json["verdicts"][0].startswith("On rouge-1, careful is better than ")


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("nothing.csv", "nothing.csv: no such file or folder"),
        ("scores.csv -o page.pdf", "page.pdf: a report is written to a file"),
        ("scores.csv -o folder.html", "folder.html: expected a file to write to, found a"),
        ("texts.html -o texts.html", "texts.html: would be written over what is read"),
        ("scores.csv --tables full", "full: exists already; --force writes over it"),
        ("scores.csv --pictures full", "full: exists already; --force writes over it"),
        ("scores.csv -o old.html", "old-topics: exists already, and the topics of this"),
        ("scores.csv --baseline leed", "no system is named 'leed'. Did you mean 'lead'?"),
        ("scores.csv -m rouge-9", "rouge-9 was not scored"),
        ("scores.csv --dimension wit", "no dimension of judgments is named 'wit'"),
        ("head.csv", "head.csv: expected scores or summaries, found no rows"),
        ("words.csv", "words.csv: expected scores (the columns id, system and one per value)"),
        ("scores.csv --corpus none", "none: no such file or folder"),
        ("scores.csv --audit scores.csv", "expected the columns metric, perturbation, share, seen"),
        ("empty.csv -m mine", "no summary has a value of mine"),
    ],
)
def test_a_mistake_is_one_line_and_nothing_is_written(scores, here, typed, message):
    for name in ("folder.html", "full", "old-topics"):
        (here / name).mkdir()
    for name, text in {
        "full/mine.txt": "mine", "texts.html": "<p>texts</p>", "words.csv": "a,b\nx,y\n",
        "head.csv": "id,summary,reference\n",
        "empty.csv": "id,system,mine,theirs\na,bart,,1\nb,t5,,2\n",
    }.items():  # fmt: skip
        (here / name).write_text(text)
    before = sorted(path.name for path in here.rglob("*"))
    assert_refused(run_command("report", *typed.split()), 2, message)
    assert sorted(path.name for path in here.rglob("*")) == before


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
    Folder().write(strange_corpus(), here / "strange")
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
    assert "careful is better than" in repr(made) and "<b>careful</b>" in made._repr_html_()


def test_a_corpus_without_judgments_has_no_section_on_judges(here):
    units = ("A ferry sank.", "Rain fell.")
    topics = tuple(Topic(name, documents=(Document(name, units=units),)) for name in "ab")
    texts = {"r": "A ferry sank.", "lead": "Rain.", "tail": ""}
    roles = dict.fromkeys(texts, "candidate") | {"r": "reference"}
    summaries = tuple(
        Summary(topic, name, roles[name], text=texts[name]) for name in texts for topic in "ab"
    )
    Folder().write(Corpus("small", "en", topics=topics, summaries=summaries), here / "small")
    _, page = report("small")
    assert 'id="judges"' not in page and 'id="texts-box"' in page


def test_an_audit_is_a_section_with_its_heat_map(scores, demo_folder, here, reports):
    few = "-m rouge-1,js_divergence --perturbation cut --perturbation word_salad --draws 100"
    succeed("audit", demo_folder, *few.split(), "-o", "audit.csv")
    _, page = report("scores.csv --audit audit.csv --tables tables")
    section = re.search(r'<section class="section" id="audit">.*?</section>', page, re.S)[0]
    assert "word salad" in section and "js_divergence" in section
    assert "How often does the worse text" in (here / "tables" / "tables.md").read_text()
    assert section in summetry.report(scores, audit="audit.csv").html()
    assert 'id="audit"' not in page_at(reports.folder / "report.html")
