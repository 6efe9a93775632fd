"""``summetry demo``: the whole tour, from any folder, as often as one likes."""

import csv
import html
import math
import re
import shlex

import pytest
from rankings import compare

import summetry
from summetry.formats.scores import read_scores
from summetry.metaeval.correlations import correlate_with_judgments
from summetry.reports.page.texts import unpack

METRICS = ["rouge-1", "rouge-2", "rouge-l", "memog", "cosine"]


def test_the_tour_writes_a_corpus_scores_and_correlations(scored, demo, here):
    scored("demo")
    made = here / "summetry-demo"
    names = {path.name for path in made.iterdir()}
    assert names == {
        "correlations.csv", "corpus", "scores.csv", "scores.csv.signatures.json", "report.html",
    }  # fmt: skip
    assert summetry.load(made / "corpus") == demo
    table = read_scores(made / "scores.csv")
    assert table == summetry.evaluate(demo, METRICS)
    with (made / "correlations.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row, line in zip(rows, correlate_with_judgments(table, demo), strict=True):
        assert (row["value"], row["dimension"]) == (line.value, line.dimension)
        assert (int(row["systems"]), row["signature"]) == (line.systems, line.signature)
        for name in ("pearson", "spearman", "kendall"):
            written, expected = row[name], getattr(line, name)
            assert written == ("" if math.isnan(expected) else repr(expected))


def test_the_tour_tells_one_story_on_one_screen(scored, demo, here):
    lines = scored("demo", "-o", "tour").lines
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 80
    assert "6 systems, 9 topics, best first by rouge-1.f:" in lines
    start = next(i for i, line in enumerate(lines) if line.startswith("system "))
    ranked = [line.split()[0] for line in lines[start + 1 : start + 7]]
    assert ranked == ["careful", "picker", "lead", "random", "hasty", "echo"]
    ranking = compare(summetry.evaluate(demo, METRICS), "rouge-2", test="t")
    told = " ".join(lines)
    for is_real, words in ((True, "careful is better"), (False, "do not differ significantly")):
        assert any(ranking.settings.differ(pair) == is_real for pair in ranking.against)
        assert words in told
    (memog,) = correlate_with_judgments(summetry.evaluate(demo, ["memog.vs"]), demo)[:1]
    assert memog.dimension == "responsiveness"
    numbers = [f"{memog.pearson:.3f}", f"{memog.kendall:.3f}"]
    assert ["memog.vs", *numbers] in [line.split() for line in lines]
    following = '  summetry explain "tour/corpus" -m rouge-2 --id t01 --system picker'
    assert lines[-3:] == ["Next:", "  open tour/report.html in a browser", following]


def test_the_terminal_and_the_page_of_the_tour_have_the_same_p(scored, here):
    told = scored("demo", "-o", "tour").words
    system, p = re.search(
        r"careful is better than (\w+) on .*?corrected p ([=<] [.\d]+)\)", told
    ).groups()
    assert "(paired t-test, corrected for all 15 pairs, as on the page)" in told
    page = (here / "tour" / "report.html").read_text("utf-8")
    assert "Paired t-test over 9 topics, p corrected by Holm for 15 pairs of systems" in page
    place = re.search(r'<option value="(\d)"[^>]*>rouge-2</option>', page)[1]
    packed = re.search(rf'id="metric-{place}">([^<]*)</script>', page)[1]
    row = re.search(rf"<bdi>{system}</bdi>.*?</tr>", unpack(packed))[0]
    assert f"worse (p {p})" in html.unescape(row).replace("\N{NO-BREAK SPACE}", " ")


def test_the_page_of_the_tour_is_what_report_makes_of_its_corpus(scored, here):
    scored("demo", "-o", "tour")
    page = (here / "tour" / "report.html").read_text("utf-8")
    command = re.search(r"<code>summetry (report corpus [^<]*)</code>", page)[1]
    # The command stands in the page as it is to be typed beside the corpus.
    written = scored(*shlex.split(command.replace("corpus", "tour/corpus")), "-o", "again.html")
    assert written.code == 0
    again = (here / "again.html").read_text("utf-8")
    made = re.compile(r'<p class="made">.*?</p>')
    assert made.sub("", again) == made.sub("", page)


def test_the_next_step_works_in_a_folder_with_a_blank(scored, here):
    done = scored("demo", "-o", "my tour")
    program, *words = shlex.split(done.lines[-1])
    assert program == "summetry"
    assert scored(*words).lines


def test_twice_in_a_row_is_the_same(scored, here):
    first = scored("demo")
    files = {p: p.read_bytes() for p in (here / "summetry-demo").rglob("*") if p.is_file()}
    assert scored("demo").out == first.out
    assert files == {p: p.read_bytes() for p in files}


def test_the_tour_as_json(scored, demo):
    output = scored("demo", "--json").json
    assert set(output) == {"systems", "signatures", "notes", "correlations", "written"}
    assert len(output["systems"]) == 6
    assert output["written"] == [
        "summetry-demo/corpus", "summetry-demo/scores.csv", "summetry-demo/correlations.csv",
        "summetry-demo/report.html",
    ]  # fmt: skip
    entry = next(e for e in output["correlations"] if e["value"] == "rouge-2.f")
    assert entry["dimension"] == "responsiveness" and 0 < entry["pearson"] < 1


@pytest.fixture(autouse=True)
def in_an_empty_folder(here):
    """Without ``--output`` the tour writes into the current folder."""


@pytest.mark.parametrize(
    "name", ["scores.csv", "correlations.csv", "report.html", "corpus/topics.jsonl"]
)
def test_files_of_the_user_are_not_written_over(call, here, name):
    (here / name).parent.mkdir(exist_ok=True)
    (here / name).write_text("precious")
    done = call("demo", "-o", ".")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"error: {name.split('/')[0]}: exists already, and not from a demo")
    assert (here / name).read_text() == "precious"
    assert len([path for path in here.rglob("*") if path.is_file()]) == 1


def test_other_files_beside_do_no_harm(scored, here):
    (here / "notes.txt").write_text("mine")
    scored("demo", "-o", ".")
    assert (here / "notes.txt").read_text() == "mine"
