"""``summetry report``: what the page says is what ``compare`` and ``correlate`` say."""

import html
import json
import re

import pytest
from strange_corpora import SYSTEMS, TOPICS, strange_corpus

import summetry
from summetry.formats.folder import Folder
from summetry.records.corpus import Corpus
from summetry.records.summaries import Summary
from summetry.records.topics import Document, Topic

SOME = ("-m", "rouge-1,js_divergence")


@pytest.fixture
def scores(scored, demo_folder, here):
    """A file of scores of the demo corpus."""
    scored("score", demo_folder, *SOME, "-o", "scores.csv")
    return here / "scores.csv"


def page_at(path):
    return path.read_text(encoding="utf-8")


def cells(page, table):
    """The rows of a table of the page, cell by cell, as plain words."""
    rows = re.findall(r"<tr>(.*?)</tr>", re.search(table, page, re.S)[0], re.S)
    return [
        [html.unescape(re.sub(r"<[^>]*>", "", cell)).strip() for cell in found]
        for row in rows
        if (found := re.findall(r"<(?:th|td)[^>]*>(.*?)</(?:th|td)>", row, re.S))
    ]


RANKING = r'<table class="wide ranking">.*?</table>'


def test_the_ranking_is_that_of_compare(scored, scores, here):
    scored("report", scores)
    rows = cells(page_at(here / "report.html"), RANKING)[1:]
    systems = scored("compare", scores, "--json").json["systems"]["rows"]
    assert len(rows) == len(systems) == 6
    for row, known in zip(rows, systems, strict=True):
        assert row[0] == f"{known['rank']}{known['system']}"
        assert row[1] == f"{known['mean']:.3f}"
        assert row[3] == f"{known['low']:.3f}–{known['high']:.3f}"
        assert row[4] == known["letters"]


def test_the_tests_are_those_of_compare(scored, scores, here):
    words = ("--baseline", "lead", "--test", "t", "--correction", "bonferroni")
    scored("report", scores, *words)
    page = page_at(here / "report.html")
    rows = {row[0].lstrip("123456"): row[-1] for row in cells(page, RANKING)[1:]}
    for known in scored("compare", scores, *words, "--json").json["against"]["rows"]:
        said = rows[known["system"]]
        verdict = "no difference seen" if known["verdict"] == "unclear" else known["verdict"]
        assert said.startswith(verdict)
        shown = re.search(r"p\s([<=])\s([\d.]+)", said)
        if shown[1] == "<":
            assert known["corrected_p"] < float(shown[2])
        else:
            assert float(shown[2]) == pytest.approx(known["corrected_p"], abs=0.005)


def test_the_coefficients_are_those_of_correlate(scored, scores, here, demo_folder):
    scored("report", scores, "--judgments", demo_folder)
    table = r'<div class="section-gap" id="judges-table">.*?</table>'
    rows = cells(page_at(here / "report.html"), table)[1:]
    answer = scored("correlate", scores, "--judgments", demo_folder, "--json").json
    (key,) = [key for key in answer if isinstance(answer[key], dict) and "rows" in answer[key]]
    known = [row for row in answer[key]["rows"] if row["dimension"] == "responsiveness"]
    names = {"rouge-1.f": "rouge-1", "js_divergence": "js_divergencelower is better"}
    for metric, shown in names.items():
        numbers = {row["coefficient"]: row for row in known if row["metric"] == metric}
        (row,) = [row for row in rows if row[0] == shown]
        values = [cell.replace("−", "-") for cell in row]
        assert float(values[1]) == pytest.approx(numbers["pearson"]["value"], abs=0.005)
        assert float(values[3]) == pytest.approx(numbers["spearman"]["value"], abs=0.005)
        low, high = map(float, values[2].split(" to "))
        assert (low, high) == pytest.approx(
            (numbers["pearson"]["low"], numbers["pearson"]["high"]), abs=0.005
        )
    (length,) = [row for row in rows if row[0] == "length alone"]
    known_length = next(row for row in known if row["metric"] == "(length alone)")
    assert float(length[1]) == pytest.approx(known_length["value"], abs=0.005)


def test_of_scores_alone_there_are_no_texts_and_a_note_says_so(scored, scores, here):
    done = scored("report", scores)
    assert "made of scores alone, so there are no texts; --corpus names them" in done.err
    page = page_at(here / "report.html")
    assert 'id="texts"' not in page and 'href="#texts"' not in page
    assert "made of scores alone, so there are no texts" in page


def test_a_corpus_gives_the_texts_of_scores(scored, scores, here, demo_folder):
    done = scored("report", scores, "--corpus", demo_folder)
    assert done.err == ""
    page = page_at(here / "report.html")
    assert 'id="texts-box"' in page and '<mark class="match">' in page
    assert 'id="judges"' in page


def test_other_texts_than_those_of_the_scores_are_told(scored, scores, here, demo):
    less = [s for s in demo.summaries if s.author != "m1"]
    Folder().write(Corpus("demo", "en", topics=demo.topics, summaries=tuple(less)), here / "other")
    done = scored("report", scores, "--corpus", "other")
    assert "the scores were computed of other texts than these" in done.err


def test_a_table_without_names_of_systems_has_texts_and_the_name_that_explain_gives(scored, here):
    (here / "one.csv").write_text("id,candidate,reference\na,A ferry sank.,A ferry sank.\n")
    scored("report", "one.csv", "-m", "rouge-1")
    page = page_at(here / "report.html")
    assert '<mark class="match">' in page
    assert [row[0] for row in cells(page, RANKING)[1:]] == ["1candidate"]
    assert scored("explain", "one.csv", "-m", "rouge-1", "--system", "candidate").lines


TEXTS = "id,system,candidate,reference\na,bart,A ferry.,A ferry sank.\na,t5,No.,A ferry sank.\n"


@pytest.mark.parametrize(
    ("systems", "note"),
    [
        (("x", "y"), "there are no texts: the corpus has none of x, y on these topics"),
        (("bart", "y"), "without texts: y"),
    ],
)
def test_systems_without_texts_are_named(scored, here, systems, note):
    (here / "texts.csv").write_text(TEXTS)
    other = TEXTS.replace("bart", systems[0]).replace("t5", systems[1])
    (here / "other.csv").write_text(other)
    scored("score", "other.csv", "-m", "rouge-1", "-o", "own.csv")
    done = scored("report", "own.csv", "--corpus", "texts.csv")
    assert note in done.err and note in page_at(here / "report.html")


def test_scores_of_others_have_no_texts_and_their_own_name(scored, here):
    (here / "texts.csv").write_text(TEXTS)
    (here / "own.csv").write_text("id,system,quality\na,bart,0.5\na,t5,0.25\n")
    note = "there are no texts: only scores that Summetry computed can be lit up, not quality"
    assert note in scored("report", "own.csv", "--corpus", "texts.csv").err
    page = page_at(here / "report.html")
    assert note in page and "Report on <b>own.csv</b>" in page


def test_a_value_without_a_direction_gets_no_words_of_quality(scored, here, demo_folder):
    scored("report", demo_folder, "-m", "length")
    page = page_at(here / "report.html").partition("<main")[2].partition("</main>")[0]
    assert "Highest first. Mean length" in page
    assert "Topics from the highest to the lowest." in page
    assert "filled dots are above it, hollow ones below it" in page
    for word in ("best first", "easiest", "are better"):
        assert word not in page
    # Of the topic that is shown first no reference is shown: a length does not look at it.
    assert "m1" not in page.partition('id="texts-box"')[2].partition("</section>")[0]


def test_without_texts_the_page_is_smaller(scored, here, demo_folder):
    scored("report", demo_folder, *SOME, "-o", "all.html")
    scored("report", demo_folder, *SOME, "--no-texts", "-o", "less.html")
    assert 'id="texts-box"' not in page_at(here / "less.html")
    assert (here / "less.html").stat().st_size < (here / "all.html").stat().st_size


def test_outputs_of_systems_with_references(scored, here):
    (here / "gold.txt").write_text("The pier is old.\nA ferry sank.\nRain fell.\n")
    (here / "one.txt").write_text("The pier is old.\nA boat sank.\nRain.\n")
    (here / "two.txt").write_text("A house.\nNothing sank.\nSnow fell.\n")
    scored("report", "one.txt", "two.txt", "--references", "gold.txt", "-m", "rouge-1")
    page = page_at(here / "report.html")
    assert [row[0] for row in cells(page, RANKING)[1:]] == ["1one", "2two"]
    assert '<mark class="match">' in page


def test_several_processes_write_the_same_page(scored, here, demo_folder):
    scored("report", demo_folder, *SOME, "-o", "one.html")
    scored("report", demo_folder, *SOME, "--workers", "2", "-o", "two.html")
    made = re.compile(r'<p class="made">.*?</p>')
    one, two = (made.sub("", page_at(here / name)) for name in ("one.html", "two.html"))
    assert one == two


def test_the_command_is_in_the_page_without_where_the_files_are(scored, scores, here):
    scored("report", scores, "--title", "Ferries & piers")
    page = page_at(here / "report.html")
    assert "<code>summetry report scores.csv --title &#39;Ferries &amp; piers&#39;</code>" in page
    assert "<h1>Ferries &amp; piers</h1>" in page
    assert str(here) not in page


def test_programs_get_the_verdicts_and_what_was_written(scored, scores, here):
    answer = scored("report", scores, "--test", "t", "--json").json
    assert answer["wrote"] == ["report.html"]
    assert answer["verdicts"][0].startswith("On rouge-1, careful is better than ")


def test_pictures_and_tables_are_written_to_folders(scored, scores, here, demo_folder):
    scored("report", scores, "--corpus", demo_folder, "--pictures", "drawn", "--tables", "in-words")
    drawn = {path.name for path in (here / "drawn").iterdir()}
    assert {name for name in drawn if name.endswith(".svg")} == {
        name.replace(".png", ".svg") for name in drawn if name.endswith(".png")
    }
    for kind in ("systems", "significance", "distribution", "power"):
        assert any(name.startswith(f"{kind}-rouge-1") for name in drawn), kind
    assert {path.name for path in (here / "in-words").iterdir()} == {
        "tables.tex", "tables.md", "tables.json",
    }  # fmt: skip
    sheets = json.loads((here / "in-words" / "tables.json").read_text("utf-8"))
    known = scored("compare", scores, "-m", "rouge-1", "--json").json
    assert sheets["systems"]["rows"] == known["systems"]["rows"]
    assert "| careful |" in (here / "in-words" / "tables.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("nothing.csv",), "nothing.csv: no such file or folder"),
        (("scores.csv", "-o", "page.pdf"), "page.pdf: a report is written to a file"),
        (("scores.csv", "-o", "folder.html"), "folder.html: expected a file to write to, found a"),
        (("texts.html", "-o", "texts.html"), "texts.html: would be written over what is read"),
        (("scores.csv", "--tables", "full"), "full: exists already; --force writes over it"),
        (("scores.csv", "--pictures", "full"), "full: exists already; --force writes over it"),
        (("scores.csv", "-o", "old.html"), "old-topics: exists already, and the topics of this"),
        (("scores.csv", "--baseline", "leed"), "no system is named 'leed'. Did you mean 'lead'?"),
        (("scores.csv", "-m", "rouge-9"), "rouge-9 was not scored"),
        (("scores.csv", "--dimension", "wit"), "no dimension of judgments is named 'wit'"),
        (("head.csv",), "head.csv: expected scores or summaries, found no rows"),
        (("words.csv",), "words.csv: expected scores (the columns id, system and one per value)"),
        (("scores.csv", "--corpus", "none"), "none: no such file or folder"),
    ],
)  # fmt: skip
def test_a_mistake_is_one_line_and_nothing_is_written(call, scores, here, words, message):
    (here / "folder.html").mkdir()
    (here / "full").mkdir()
    (here / "old-topics").mkdir()
    (here / "full" / "mine.txt").write_text("mine")
    (here / "texts.html").write_text("<p>texts</p>")
    (here / "words.csv").write_text("a,b\nx,y\n")
    (here / "head.csv").write_text("id,summary,reference\n")
    before = sorted(path.name for path in here.rglob("*"))
    done = call("report", *words)
    assert done.code == 2
    assert done.err.startswith("error: ") and message in done.err
    assert len(done.err.splitlines()) == 1
    assert sorted(path.name for path in here.rglob("*")) == before


def test_one_system_has_nothing_to_compare_with(scored, here):
    (here / "one.csv").write_text("id,system,mine\na,bart,0.5\nb,bart,0.25\n")
    done = scored("report", "one.csv")
    assert done.words.startswith("Only one system has scores, bart: its mean mine is 0.375.")
    assert "<h1>How good is the system?</h1>" in page_at(here / "report.html")


def test_values_that_are_missing_are_dashes_and_an_empty_column_is_left_out(scored, here):
    lines = ["id,system,mine,none,theirs", "a,bart,0.5,,1", "b,bart,,,2", "a,t5,0.25,,", "b,t5,1,,"]
    (here / "gaps.csv").write_text("\n".join(lines) + "\n")
    scored("report", "gaps.csv")
    page = page_at(here / "report.html")
    assert "left out, without any value: none" in page
    heat = cells(page, r'<table class="heatmap wide">.*?</table>')
    assert [row[-1].removesuffix(" no value") for row in heat if row[0] == "t5"] == ["–"]
    assert "nan" not in re.sub(r"<script.*?</script>", "", page, flags=re.S).lower()


def test_a_report_of_nothing_but_missing_values_is_refused(call, here):
    (here / "empty.csv").write_text("id,system,mine,theirs\na,bart,,1\nb,t5,,2\n")
    done = call("report", "empty.csv", "-m", "mine")
    assert done.code == 2 and "no summary has a value of mine" in done.err


def test_names_that_look_like_html_are_shown_as_they_are(scored, here, open_page):
    Folder().write(strange_corpus(), here / "strange")
    scored("report", "strange", "-m", "rouge-1", "--title", "<img src=x onerror=alert(1)>")
    page = open_page()
    said = []
    page.on("console", lambda message: said.append(message.text))
    page.on("dialog", lambda dialog: said.append(dialog.message) or dialog.dismiss())
    page.goto((here / "report.html").as_uri())
    assert page.locator("h1").inner_text() == "<img src=x onerror=alert(1)>"
    assert set(page.locator("table.ranking tbody th bdi").all_inner_texts()) == set(SYSTEMS)
    page.select_option("#choose-topic", "1")
    page.locator("#texts-now", has_text=TOPICS[1]).wait_for()
    page.select_option("#choose-other", "1")
    page.locator("#texts-now", has_text="beside").wait_for()
    assert page.locator("main script, main b b, main img").count() == 0
    assert said == []


def test_nothing_runs_that_is_not_known_by_its_hash(scored, scores, here):
    scored("report", scores)
    page = page_at(here / "report.html")
    policy = html.unescape(re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1])
    assert "default-src 'none'" in policy and "unsafe" not in policy
    assert " style=" not in page.partition("<body>")[2].partition("<script")[0]
    assert not re.search(r"\son\w+=", page.partition("<body>")[2].partition("<script")[0])


def test_in_python_it_is_the_same(scored, scores, here, demo):
    scored("report", scores, "--test", "t")
    made = summetry.report(str(scores), test="t")
    assert made.save("python.html")[0].name == "python.html"
    strip = re.compile(r'<p class="made">.*?</p>|<li>made of scores alone.*?</li>')
    pages = [strip.sub("", page_at(here / name)) for name in ("report.html", "python.html")]
    assert pages[0] == pages[1]
    assert "careful is better than" in repr(made) and "<b>careful</b>" in made._repr_html_()


def test_a_corpus_without_judgments_has_no_section_on_judges(scored, here):
    topics = tuple(
        Topic(name, documents=(Document(name, units=("A ferry sank.", "Rain fell.")),))
        for name in "ab"
    )
    summaries = [Summary(t.id, "r", "reference", text="A ferry sank.") for t in topics]
    summaries += [Summary(t.id, "lead", "candidate", text="Rain.") for t in topics]
    summaries += [Summary(t.id, "tail", "candidate", text="") for t in topics]
    Folder().write(Corpus("small", "en", topics=topics, summaries=tuple(summaries)), here / "small")
    scored("report", "small")
    page = page_at(here / "report.html")
    assert 'id="judges"' not in page and 'id="texts-box"' in page


def test_an_audit_is_a_section_with_its_heat_map(scored, call, scores, demo_folder, here):
    few = ("--perturbation", "cut", "--perturbation", "word_salad", "--draws", "100")
    scored("audit", demo_folder, *SOME, *few, "-o", "audit.csv")
    scored("report", scores, "--audit", "audit.csv", "--tables", "tables")
    page = page_at(here / "report.html")
    section = re.search(r'<section class="section" id="audit">.*?</section>', page, re.S)[0]
    assert "word salad" in section and "js_divergence" in section
    assert "How often does the worse text" in (here / "tables" / "tables.md").read_text()
    made = summetry.report(scores, audit="audit.csv")
    assert section in made.html()
    scored("report", scores)
    assert 'id="audit"' not in page_at(here / "report.html")
    done = call("report", scores, "--audit", scores)
    assert done.code == 2 and "expected the columns metric, perturbation, share, seen" in done.err
