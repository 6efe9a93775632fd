"""The researcher's pages: numbers by hand and by the package, votes, informants, editors."""

import csv
import dataclasses
import html
import io
import json
import re
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from web_content import corpus_of, read, topic_of, words_of

from summetry.metaeval.judges import judges_agreement, judgment_scores
from summetry.records.judgments import Judgment
from summetry.records.lengths import Length
from summetry.records.summaries import Extract, Summary
from summetry.references import agreement, topic_votes
from summetry.references.agreement import alpha_interval
from summetry.references.informants import informants
from summetry.references.voting import Ties
from summetry.web.corpora import Kept
from summetry.web.demo import demo_corpus
from summetry.web.store.accounts import read_log

# 3, 2, 2, 4 and 2 words.
FIVE = ("The ferry sank.", "Nobody died.", "Fog came.", "They build a bridge.", "It rained.")
VOTES = {"ann": [0, 1], "ben": [0, 1, 2], "cy": [0, 3]}


def five_sentences(texts=1, **more):
    return corpus_of(*(topic_of(f"t{n}", FIVE, f"Ferry {n}") for n in range(1, texts + 1)), **more)


def by_informants():
    """The votes as extracts that were uploaded."""
    return tuple(Extract("t1", name, tuple(units)) for name, units in VOTES.items())


def submit(visitor, study, units, number=1, **more):
    """Submit an extract of a text."""
    units = [str(unit) for unit in units]
    answer = visitor.send(study, number, script=False, unit=units, do="submit", **more)
    assert answer.status_code == 200, answer.text


@pytest.fixture(scope="module")
def reader(read_web):
    """An administrator who changes nothing."""
    return read_web.admin()


@pytest.fixture(scope="module")
def ferry(read_web):
    """A study of one text of five sentences with three extracts that were made on the page."""
    return voted(read_web)


@pytest.fixture
def own_ferry(web):
    """The same, for a test that changes it."""
    return voted(web)


@pytest.fixture(scope="module")
def demo_study(read_web):
    return read_web.study()


@pytest.fixture(scope="module")
def agreed():
    """With the random choices of the package and of the command."""
    return agreement(demo_corpus())


@pytest.fixture(scope="module")
def birds(read_web):
    return read_web.study(name="Birds & boats")


def voted(web, **more):
    study = web.study(corpus=five_sentences(**more))
    for name, units in VOTES.items():
        submit(web.informant(study, name), study, units)
    return study


def cells(answer, heading):
    """The cells of the row of a table that begins with ``heading``, as a reader sees them."""
    rows = ([cell.strip() for cell in line.split("|")] for line in read(answer).splitlines())
    return next(row for row in rows if len(row) > 1 and row[0].startswith(heading))


def units_with(answer, name):
    """The numbers of the sentences that have a class."""
    spans = re.findall(r'<span class="s([^"]*)" id="s(\d+)"', answer.text)
    return [int(number) for classes, number in spans if name in classes.split()]


# Which numbers follow from the votes is worked out by hand in tests/references.
@pytest.mark.parametrize("page", [
    "", "/votes/1", "/votes/1?length=60", "/informants", "/informants?without=ann&without=ben",
    "/differences", "/differences/1",
])  # fmt: skip
def test_a_page_shows_three_extracts(reader, ferry, page, snapshot):
    assert read(reader.get(f"/studies/{ferry}{page}")) == snapshot


# ── the table of the paper ────────────────────────────────────────────────


def test_table_and_file_have_the_numbers_of_the_package(reader, demo_study, agreed):
    study, corpus = demo_study, demo_corpus()
    page = reader.get(f"/studies/{study}")
    assert "9 texts, 45 extracts by 5 informants" in words_of(page)
    lines = list(csv.DictReader(io.StringIO(reader.get(f"/studies/{study}/table.csv").text)))
    assert [line["id"] for line in lines] == [topic.id for topic in corpus.topics]
    one, line = agreed.topics[0], lines[0]
    row, alpha = one.row, alpha_interval(one.table)
    shown = cells(page, corpus.topic(row.name).title)
    assert shown[4:7] == [f"{n:.0f}%" for n in (row.mean, row.all_votes, row.at_length)]
    assert shown[7:9] == [f"{row.fleiss:.2f}", f"{alpha.value:.2f}"]
    for name in ("mean", "all_votes_chance", "at_length", "at_length_chance", "fleiss"):
        assert float(line[name]) == getattr(row, name)
    assert [float(line[f"alpha{end}"]) for end in ("", "_low", "_high")] == list(alpha)
    assert cells(page, "Total, mean")[1:4] == ["45", "23%", "40%"]
    for group in agreed.groups:
        does = "agrees" if group.at_length > group.at_length_chance else "does not agree"
        assert f"The group “{group.name}” {does} more than chance" in words_of(page)


def test_headings_sort_and_menus_choose(reader, demo_study, agreed):
    study, numbers = demo_study, {row.row.name: row.row for row in agreed.topics}
    down = reader.get(f"/studies/{study}?sort=-mean")
    assert re.search(r'aria-sort="descending"><a href="\?sort=mean">Mean length', down.text)
    titles = re.findall(r'votes/\d+" lang="\w+">([^<]+)', down.text)
    by_title = {html.escape(topic.title): topic.id for topic in demo_corpus().topics}
    means = [numbers[by_title[title]].mean for title in titles]
    assert len(means) == 9 and means == sorted(means, reverse=True)
    swedish = reader.get(f"/studies/{study}?language=sv&genre=news&sort=text")
    assert re.findall(r'votes/\d+" lang="(\w+)"', swedish.text) == ["sv"]
    students = reader.get(f"/studies/{study}?group=students")
    assert cells(students, "Total, mean")[1] == "18"


@pytest.mark.parametrize("status, path, words", [
    (422, "?sort=colour", "no column is named"),
    (422, "?group=nobody", "no group of informants is named"),
    (200, "/votes/1?length=", ""),
    *[(422, f"/votes/1?length={wrong}", "") for wrong in ("0", "101", "x", "20&ties=lot")],
    *[(404, f"/votes/{number}", "") for number in ("0", "2", "99999999999", "x")],
    (404, "/differences/2", ""),
    (422, "/informants?without=zoe", ""),
])  # fmt: skip
def test_what_a_page_does_not_have_is_one_line(reader, ferry, status, path, words):
    answer = reader.get(f"/studies/{ferry}{path}")
    assert answer.status_code == status and words in html.unescape(answer.text)


def test_a_study_without_extracts_says_what_to_do_and_one_extract_is_no_agreement(web, admin):
    study = web.study(corpus=five_sentences())
    for path in ("", "/votes/1", "/differences", "/informants"):
        assert f'href="/s/{study}"' in admin.get(f"/studies/{study}{path}").text, path
    assert "none were uploaded" in admin.get(f"/studies/{study}/judgments").text
    study = web.study(corpus=five_sentences(extracts=(Extract("t1", "ann", (0, 1)),)))
    row = cells(admin.get(f"/studies/{study}"), "Ferry 1")
    assert row[4:6] == ["38%", "needs two extracts"]


# ── votes ─────────────────────────────────────────────────────────────────


def test_sentences_are_drawn_by_their_votes_and_as_in_the_reference_or_in_a_tie(reader, ferry):
    page = reader.get(f"/studies/{ferry}/votes/1")
    heats = re.findall(r'data-heat="(\d)" data-votes="(\d)"', page.text)
    # Thirds of the votes in five steps.
    assert heats == [("5", "3"), ("4", "2"), ("2", "1"), ("2", "1"), ("0", "0")]
    # At most 19/3 words: five are in, and seven would be too many.
    assert units_with(page, "in") == [0, 1] and units_with(page, "tie") == []
    # 60% are 7.8 words: of "Fog came." and "They build a bridge.", one vote each, one fits.
    page = reader.get(f"/studies/{ferry}/votes/1?length=60")
    assert units_with(page, "in") == [0, 1, 2] and units_with(page, "tie") == [2, 3]
    assert re.findall(r'data-tie="(\w)"', page.text) == ["a", "b"]


def test_tie_rules_choose_as_the_package_says(reader, demo_study):
    (votes,) = (v for v in topic_votes(demo_corpus()) if v.topic.id == "t02")
    number = 1 + [topic.id for topic in demo_corpus().topics].index("t02")
    wanted = votes.reference(Length.parse("31%"), ties=Ties("inclusion"))
    page = reader.get(f"/studies/{demo_study}/votes/{number}?length=31&ties=inclusion")
    assert units_with(page, "in") == list(wanted.units)
    assert units_with(page, "tie") == list(wanted.tie.units)


def test_a_text_of_paragraphs_is_not_said_to_have_sentences(web, admin):
    corpus = corpus_of(topic_of("t1", FIVE, unit="paragraph"), extracts=by_informants())
    study = web.study(corpus=corpus)
    path = f"/studies/{study}/votes/1"
    pages = [admin.get(f"/studies/{study}"), admin.get(f"{path}?length=60")]
    pages.append(admin.press("Save as reference"))
    pages.append(admin.press("Compare", text=FIVE[0]))
    for page, words in zip(pages, (
        "votes divided by units × extracts", "2 units have 1 vote each, and not all of them fit.",
        "majority: 60%, position, 3 units.", "the text: 1 unit of the text, 23% of its words.",
    ), strict=True):  # fmt: skip
        assert words in read(page) and "sentence" not in read(page)


def test_another_tie_rule_leaves_the_mean_length(reader, ferry):
    """The mean of 5, 7 and 7 of 13 words is 49%, at most 6 words; 49% of 13 is 6, too."""
    path = f"/studies/{ferry}/votes/1"
    assert 'name="mean" value="49"' in reader.get(path).text
    kept = reader.get(f"{path}?length=49&mean=49&ties=inclusion").text
    assert "mean, 49%, at most" in kept
    moved = reader.get(f"{path}?length=50&mean=49").text
    assert "mean, 49%, at most" not in moved and 'name="mean"' not in moved


def test_a_waiting_page_is_told_of_new_votes_only(web, admin, own_ferry):
    page = admin.get(f"/studies/{own_ferry}/votes/1")
    stamp = re.search(r'data-stamp="([^"]+)"', page.text)[1]
    path = f"/studies/{own_ferry}/votes/1/changes?seen={stamp}"
    assert admin.get(path).status_code == 204 and "hx-trigger" not in admin.get(path).headers
    submit(web.informant(own_ferry, "dee"), own_ferry, [0, 3])
    assert admin.get(path).headers["hx-trigger"] == "votes"
    assert "Votes of 4 informants" in words_of(admin.get(f"/studies/{own_ferry}/votes/1"))


# ── comparing ─────────────────────────────────────────────────────────────


# The second text has a piece that is nowhere, and markup.
@pytest.mark.parametrize("text", ["{0} {3}", "{0} A storm <b>came</b>."])
def test_a_pasted_summary_is_compared_with_the_reference(reader, ferry, text, snapshot):
    reader.get(f"/studies/{ferry}/votes/1")
    shown = read(reader.press("Compare", text=text.format(*FIVE)))
    assert shown.partition("Compare a summary")[2] == snapshot


def test_a_file_and_a_system_can_be_compared_too(web, admin):
    summaries = (Summary("t1", "picker", "candidate", units=(0, 1)),)
    corpus = five_sentences(extracts=by_informants(), summaries=summaries)
    path = f"/studies/{web.study(corpus=corpus)}/votes/1/compare"
    admin.get("/studies")
    page = admin.post(path, {"system": "picker"})
    assert cells(page, "Sentences")[1:4] == ["100%"] * 3 and "picker: 2 sentences" in page.text
    page = admin.post(path, files={"file": ("mine.txt", b"Nobody died.")})
    assert cells(page, "Sentences")[1:3] == ["50%", "100%"] and "mine.txt: 1 sentence" in page.text
    for sent, message in (
        ({"files": {"file": ("mine.txt", b"\xff\xfe\x00")}}, "expected a text file in UTF-8"),
        ({"data": {"text": "  "}}, "expected a text to compare"),
        ({"data": {"system": "nobody"}}, ""),
    ):
        answer = admin.post(path, **sent)
        assert answer.status_code == 422 and message in answer.text


# ── informants ────────────────────────────────────────────────────────────


def test_uploaded_and_joined_informants_are_told_apart(web, admin):
    study, heron = web.begin()
    submit(heron, study, [0, 1, 2])
    page = admin.get(f"/studies/{study}/informants")
    assert "uploaded with the corpus" in cells(page, "p1")[0]
    assert "joined" in cells(page, "Heron")[0] and cells(page, "Heron")[1] == "1 of 9"
    flags = {one.name: one.flags for one in informants(topic_votes(demo_corpus()))}
    assert "far from everybody" in cells(page, "p5")[6]
    assert [flag.name for flag in flags["p5"]] == ["far"]


def test_flags_come_with_the_numbers_behind_them_and_a_repeated_text_with_oneself(
    web, admin, snapshot
):
    # A text of 700 words is not read within the seconds that a test takes.
    units = tuple(" ".join([f"word{n}"] * 100) + "." for n in range(7))
    topics = (topic_of(f"t{n}", units) for n in range(3))
    study, heron = web.begin(corpus=corpus_of(*topics), repeat=True)
    # The first text comes again: of 0 and 1, then 0 and 3, one third is shared.
    for place, chosen in enumerate(([0, 1], [0, 1], [0, 1], [0, 3]), 1):
        heron.get(f"/s/{study}/next")
        submit(heron, study, chosen, place)
    page = read(admin.get(f"/studies/{study}/informants"))
    assert re.sub(r"\bt\d\b", "TEXT", page) == snapshot
    # A repeated extract is no second vote.
    assert "3 extracts by 1 informant" in words_of(admin.get(f"/studies/{study}"))


def test_without_anybody_there_is_no_reference_and_nothing_is_stored(reader, ferry):
    page = reader.get(f"/studies/{ferry}/informants?without=ann&without=ben")
    assert 'value="ann" checked' in page.text
    everybody = reader.press("See what changes without them", without=["ann", "ben", "cy"])
    assert cells(everybody, "Ferry 1")[2] == "–"
    assert "3 extracts" in words_of(reader.get(f"/studies/{ferry}"))


# ── differences and editors ───────────────────────────────────────────────


def test_a_reference_is_saved_from_the_votes_replaced_and_removed(web, admin):
    study = voted(web)
    path = f"/studies/{study}/votes/1"

    def send(act, length):
        return admin.post(f"{path}/reference", {"length": length, "ties": "position", "do": act})

    def saved():
        return [summary for summary in web.whole(study).summaries if summary.role == "reference"]

    assert "Save as reference" in admin.get(path).text
    page = send("save", "")
    assert page.url.path == path
    assert "majority: mean, position, 2 sentences." in words_of(page)
    (kept,) = saved()
    assert (kept.author, kept.units) == ("majority: mean, position", (0, 1))
    # Whoever asks to be forgotten is not in it.
    assert kept.meta["votes"] == [3, 2, 1, 1, 0] and kept.meta["extracts"] == 3
    assert "ann" not in json.dumps(kept.meta)
    # It is not offered again.
    assert "Replace it by this one" not in page.text
    assert "Replace it by this one" in admin.get(f"{path}?length=30").text

    # 60% are 7.8 words: 3, 2 and 2, and the earlier of two sentences with one vote.
    assert "have changed since" not in send("save", "60").text
    assert [one.units for one in saved()] == [(0, 1, 2)]
    # A new extract changes the votes; the page shows both, and what was saved stays.
    submit(web.informant(study, "dee"), study, [3, 4])
    assert "The votes have changed since" in admin.get(f"{path}?length=60").text
    assert [one.units for one in saved()] == [(0, 1, 2)]
    assert "Save as reference" in send("remove", "60").text and saved() == []
    assert web.log(study)[:2] == [
        ("removed a reference", "t1: majority: 60%, position"),
        ("saved a reference", "t1: majority: 60%, position"),
    ]


def test_a_reference_without_votes_or_without_a_sentence_is_not_saved(read_web, reader, ferry):
    empty = read_web.study(corpus=five_sentences())
    for study, length, message in (
        (empty, "", "no extracts yet"),
        (ferry, "5", "no sentence fits"),
    ):
        data = {"length": length, "do": "save"}
        answer = reader.post(f"/studies/{study}/votes/1/reference", data)
        assert answer.status_code == 422 and message in answer.text


def test_an_editor_keeps_changes_and_deletes_an_extract_of_their_own(web, own_ferry):
    path = f"/studies/{own_ferry}/differences/1"
    eve, max_ = (web.researcher(name, studies=[own_ferry]) for name in ("Eve", "Max"))

    def kept():
        return {s.author: s for s in web.whole(own_ferry).summaries}

    for units in ([0], [3, 0]):
        eve.get(path)
        assert eve.post(f"{path}/editor", {"unit": [str(u) for u in units]}).status_code == 200
    assert kept() == {"editor: Eve": Summary("t1", "editor: Eve", "reference", units=(0, 3))}
    max_.get(path)
    max_.post(f"{path}/editor", {"unit": "1"})
    # The vote has 0 and 1: one of two, and one of two.
    page = eve.get(path)
    assert "Has 50% of the sentences of the reference; 50% of its own" in words_of(page)
    eve.post(f"{path}/editor", {"do": "delete"})
    assert set(kept()) == {"editor: Max"}
    done = [(row.who, row.action) for row in web.read(read_log, own_ferry)]
    assert done[0] == ("Eve", "deleted an editor's extract")


def test_an_editor_chooses_sentences_of_the_text_and_at_least_one(read_web, reader, ferry):
    reader.get(f"/studies/{ferry}/differences/1")
    for text, data, status in ((1, {}, 422), (1, {"unit": "5"}, 400), (1, {"unit": "x"}, 400),
                               (2, {"unit": "0"}, 404)):  # fmt: skip
        answer = reader.post(f"/studies/{ferry}/differences/{text}/editor", data)
        assert answer.status_code == status
    assert read_web.whole(ferry).summaries == ()


# ── judgments ─────────────────────────────────────────────────────────────


def test_judgments_are_those_of_the_package(web, admin):
    asked = ("responsiveness", "grammaticality")
    judgments = tuple(one for one in demo_corpus().judgments if one.dimension in asked)
    corpus = dataclasses.replace(demo_corpus(), judgments=judgments)
    page = admin.get(f"/studies/{web.study(corpus=corpus)}/judgments")
    assert f"{len(judgments)} judgments by 2 judges" in words_of(page)
    table = judgment_scores(corpus)
    first = [name.name for name in table.columns].index("responsiveness")
    rows = zip(table.rows, table.data, strict=True)
    of_lead = [value[first] for row, value in rows if row.author == "lead"]
    assert cells(page, "lead")[1:3] == ["9", f"{sum(of_lead) / len(of_lead):.2f}"]
    for one in judges_agreement(corpus, draws=0):
        row = cells(page, one.dimension.capitalize())
        assert row[1:3] == [str(one.judges), str(one.summaries)]
        assert row[4].startswith(f"{one.coefficients.weighted.value:.2f}")
        assert row[5].startswith(f"{one.coefficients.alpha.value:.2f}")
        # Agreement is over what was judged, the ranking over what systems wrote.
        beside = one.summaries - len(table.rows)
        assert f"{beside} references were judged too" in words_of(page)


@pytest.mark.parametrize("marks, texts, says", [
    ({"lead": 1}, 1, "Only one system was judged, so there is nothing to compare it with."),
    # The texts themselves, where people choose categories and there are no summaries.
    ({"source": 1}, 3, "Only one system was judged, so there is nothing to compare it with."),
    ({"lead": 1, "tail": 2}, 3, "3 texts are too few to show a significant difference."),
    ({"lead": 1, "tail": 2, "best": 3}, 1, "they share too few texts"),
    ({"lead": 1, "tail": 2, "best": 3}, 2, "2 texts are too few for 3 tests to show"),
])  # fmt: skip
def test_few_judgments_are_shown_with_what_they_cannot_say(read_web, reader, marks, texts, says):
    topics = [topic_of(f"t{n}", FIVE) for n in range(texts)]
    # Differences that are not all the same, so that they could be tested.
    judgments = tuple(
        Judgment(topic.id, author, "ann", "quality", mark * (n + 1))
        for n, topic in enumerate(topics)
        for author, mark in marks.items()
    )
    study = read_web.study(corpus=corpus_of(*topics, judgments=judgments))
    words = words_of(reader.get(f"/studies/{study}/judgments"))
    assert says in words and ("too few" in says) == ("too few" in words)


# ── all pages ────────────────────────────────────────────────────────────

PAGES = "votes differences differences/1 informants judgments progress invite texts export settings"


@pytest.mark.parametrize("page", [*PAGES.split(), "log"])
def test_every_page_of_a_study_names_it_and_leads_to_all_studies(reader, birds, page):
    text = reader.get(f"/studies/{birds}/{page}").text
    assert "Birds &amp; boats · Summetry</title>" in text
    assert re.search("<title>(.*)</title>", text)[1].count("Birds") == 1
    trail = re.search(r'<p class="trail">(.*?)</p>', text)[1]
    assert 'href="/studies"' in trail and ">Birds &amp; boats</a>" in trail
    assert re.search(r"\d{4}-\d\d-\d\d", trail)


def test_what_takes_long_is_made_once_for_all_who_ask_at_the_same_time():
    kept, made, begun = Kept(), [], threading.Event()

    def make():
        begun.wait(30)
        made.append(1)
        return len(made)

    with ThreadPoolExecutor(4) as pool:
        answers = [pool.submit(kept.get, ("a",), 1, make) for _ in range(4)]
        begun.set()
    assert [answer.result() for answer in answers] == [1, 1, 1, 1]
