"""The researcher's way in a real browser: a study is made, watched, exported, and given a token."""

import re
import zipfile

import pytest
from browsers import assert_printed_on_a4
from command_line import succeed
from playwright.sync_api import expect
from web_content import corpus_of

from summetry.formats import load
from summetry.records.summaries import Extract, Person
from summetry.records.topics import Document, Topic
from summetry.references import topic_votes
from summetry.web.settings import Asked

FERRY = (
    "The ferry struck the pier at noon. Nobody was hurt, said Dr. Lind, who was on board. "
    "The pier has to be closed for a month.\n\nThe ferry goes on, but it stops at the old quay."
)
UNITS = (
    "The ferry struck the pier at noon.",
    "Nobody was hurt, said Dr. Lind, who was on board.",
    "The pier has to be closed for a month.",
    "The ferry goes on, but it stops at the old quay.",
)
YES_NO = ("yes", "no")
LAKE = "The lake is cold in May. The fish stay deep until the water is warm again."


def ferries(**more):
    """A corpus of the ferry, cut into its sentences."""
    ferry = Topic("ferry", documents=(Document("d", text=FERRY, units=UNITS),))
    return corpus_of(ferry, **more)


def press(page, *names):
    """Press the last button of each name."""
    for name in names:
        page.get_by_role("button", name=name).last.click()


def number_of_study(page):
    return re.search(r"/studies/(\w+)", page.url)[1]


def make_study(page, server, *texts, name="Ferries"):
    """Fill in and send the form of a new study."""
    page.goto(f"{server.base}/studies/new")
    page.get_by_label("Name of the study").fill(name)
    files = [{"name": n, "mimeType": "text/plain", "buffer": t.encode()} for n, t in texts]
    page.get_by_label("Files").set_input_files(files)


# ── a new study ───────────────────────────────────────────────────────────


def test_an_administrator_logs_in(server, open_page):
    page = open_page()
    page.goto(server.login)
    press(page, "Log in")
    page.wait_for_url("**/studies")
    page.get_by_role("link", name="New study").click()
    page.wait_for_url("**/studies/new")


def test_a_study_is_made_without_javascript(server, open_page):
    page = open_page(java_script_enabled=False)
    server.hand_over(server.admin(), page)
    make_study(page, server, ("ferry.txt", FERRY), ("lake.txt", LAKE), name="Ferries and lakes")
    press(page, "Make the study")
    page.wait_for_url("**/texts")
    expect(page.get_by_text("The language is guessed: English (2 texts)")).to_be_visible()
    topics = server.uploaded(number_of_study(page)).topics
    assert [topic.id for topic in topics] == ["ferry", "lake"] and topics[0].units == UNITS


def test_a_title_is_shown_before_the_upload_and_words_are_cut(server, researcher):
    page = researcher
    make_study(page, server, ("ferry.txt", f"The ferry and the pier\n\n{LAKE}"))
    page.get_by_label("Cut the texts into").select_option("word")
    preview = page.get_by_text("ferry.txt: the title is “The ferry and the pier”")
    expect(preview).to_be_visible()
    press(page, "Make the study")
    page.wait_for_url("**/texts")
    (topic,) = server.uploaded(number_of_study(page)).topics
    assert (topic.title, topic.unit) == ("The ferry and the pier", "word")
    assert topic.units[:3] == ("The", "lake", "is")


def open_text(page, server, query=""):
    """Open the page of a new text; its list of units."""
    study = server.study(corpus=ferries(), state="draft")
    page.goto(f"{server.base}/studies/{study}/texts/0{query}")
    return page.locator(".cut-units li")


def test_a_unit_is_cut(server, researcher):
    page, units = researcher, open_text(researcher, server, "?unit=3")
    page.locator(".words label", has_text="but").click()
    press(page, "Cut here")
    expect(units).to_have_count(5)
    page.get_by_role("link", name="Leave it").click()
    expect(page.locator(".cut-units li.chosen")).to_have_count(0)
    cut = [*UNITS[:3], "The ferry goes on,", "but it stops at the old quay."]
    expect(page.locator(".cut-units li > span")).to_have_text(cut)


def test_units_are_joined_and_a_text_is_given_a_title(server, researcher):
    page, units = researcher, open_text(researcher, server)
    expect(page.locator(".cut-units li > span")).to_have_text(UNITS)
    page.get_by_role("link", name="Change unit 1").click()
    press(page, "Join with the next")
    expect(units).to_have_count(3)
    page.get_by_label("Title").fill("The ferry and the pier")
    press(page, "Save")
    expect(page.get_by_role("heading", level=1)).to_have_text("The ferry and the pier")


def test_a_study_is_set_up_and_opened(server, researcher):
    page, study = researcher, server.study(corpus=ferries(), state="draft")
    page.goto(f"{server.base}/studies/{study}/settings")
    page.get_by_label("Shortest extract").fill("20")
    page.get_by_label("Longest extract").fill("50")
    page.get_by_label("Informants per text").fill("3")
    for label in ("ferry", "none"):
        page.get_by_label("Practice text").select_option(label=label)
    press(page, "Save")
    expect(page.get_by_role("status")).to_have_text("Saved")
    press(page, "Open the study")
    expect(page.locator(".pill.open")).to_be_visible()
    settings = server.find(study).settings
    assert (settings.shortest, settings.longest, settings.per_text) == (20, 50, 3)


def test_people_are_invited_by_personal_links(server, researcher):
    page = researcher
    page.goto(f"{server.base}/studies/{server.study(corpus=ferries())}/invite")
    page.get_by_label("Pseudonyms").fill("Heron, students")
    press(page, "Make personal links")
    page.goto(page.get_by_label("Personal link of Heron").input_value())
    press(page, "Start")
    page.wait_for_selector("#outcome")


def test_progress_is_shown_and_texts_are_locked(server, researcher):
    study = server.study(corpus=ferries(), per_text=3)
    server.informant(study).send(study, unit=["1"], do="submit")
    page = researcher
    page.goto(f"{server.base}/studies/{study}/progress")
    row = page.get_by_role("row", name=re.compile("^Heron"))
    expect(row.get_by_role("cell").nth(2)).to_have_text("1")
    text = page.get_by_role("row", name="ferry")
    assert text.get_by_role("cell").all_inner_texts() == ["0", "1", "3"]
    page.get_by_role("link", name="Corpus").click()
    expect(page.get_by_text("The texts are locked: informants have begun to work")).to_be_visible()


@pytest.fixture
def plain_settings(server, open_page):
    """The settings of a study in a browser without JavaScript, and the study."""
    more = {"title": "What matters?", "questions": (Asked("question1", "Why?", YES_NO),)}
    study = server.study(corpus=ferries(), state="draft", **more)
    page = open_page(java_script_enabled=False)
    server.hand_over(server.admin(), page)
    page.goto(f"{server.base}/studies/{study}/settings")
    return page, study


def test_questions_are_added_without_javascript(server, plain_settings):
    page, study = plain_settings
    press(page, "Add a question")
    page.get_by_label("Question", exact=True).last.fill("Do you edit texts?")
    page.get_by_label("Answers to choose from").last.fill("yes\nno")
    page.get_by_role("radio", name="The answer is the informant's group").last.check()
    press(page, "Save")
    expect(page.get_by_role("status")).to_have_text("Saved")
    settings, asked = server.find(study).settings, Asked("question2", "Do you edit texts?", YES_NO)
    assert (settings.questions[1:], settings.group) == ((asked,), asked.name)


def test_questions_are_removed_without_javascript(server, plain_settings):
    page, study = plain_settings
    press(page, "Remove question 1", "Save")
    expect(page.get_by_role("status")).to_have_text("Saved")
    assert server.find(study).settings.questions == ()


def test_wrong_settings_are_told_without_javascript(server, plain_settings):
    page, study = plain_settings
    page.get_by_label("Longest extract").fill("3")
    press(page, "Save")
    expect(page.locator("#longest-wrong")).to_have_text(re.compile("longer than the shortest"))
    page.get_by_label("Longest extract").fill("40")
    press(page, "Save")
    expect(page.get_by_role("status")).to_have_text("Saved")
    expect(page.get_by_label("Title")).to_have_value("What matters?")
    assert server.find(study).settings.longest == 40


# ── statistics ────────────────────────────────────────────────────────────

VOTES = {"Ann": (0, 1), "Bob": (0, 2), "Cy": (0, 1, 3)}


@pytest.fixture
def voted(server):
    """A study with three extracts of the ferry; the last sentence has one vote of three."""
    extracts = tuple(Extract("ferry", name, units) for name, units in VOTES.items())
    people = tuple(Person(name, "others" if name == "Cy" else "students") for name in VOTES)
    return server.study(corpus=ferries(extracts=extracts, people=people))


def votes_page(page, server, study):
    page.goto(f"{server.base}/studies/{study}/votes/1")
    # The same page as long as this stays.
    page.evaluate("document.body.dataset.same = 'yes'")


def ask_every_second(route):
    answer = route.fetch()
    assert "every 10s" in answer.text()
    route.fulfill(response=answer, body=answer.text().replace("every 10s", "every 1s"))


def test_the_table_is_sorted_and_chosen_from(server, voted, researcher):
    page = researcher
    page.goto(f"{server.base}/studies/{voted}")
    page.get_by_role("link", name="Mean length", exact=True).click()
    page.wait_for_selector("th[aria-sort=ascending]")
    page.select_option("#group", "students")
    press(page, "Show")
    page.wait_for_url("**group=students**")
    row = page.get_by_role("row").filter(has_text="ferry")
    expect(row.get_by_role("cell").first).to_have_text("2")


def test_votes_are_drawn_and_follow_an_informant(server, voted, researcher):
    page = researcher
    (votes,) = topic_votes(server.whole(voted))
    assert votes.ballot.counts == (3, 2, 1, 1)
    page.route("**/votes/1", ask_every_second)
    votes_page(page, server, voted)
    drawn = [page.get_attribute(f"#s{unit}", "data-votes") for unit in range(4)]
    assert drawn == ["3", "2", "1", "1"]
    assert "3 informants" in page.locator(".legend").inner_text()
    server.informant(voted).send(voted, unit=["1", "3"], do="submit")
    # The page asks by itself, and draws the new votes.
    page.wait_for_selector("#s1[data-votes='3']")
    assert page.evaluate("document.body.dataset.same") == "yes"
    assert page.get_attribute("#s3", "data-votes") == "2"
    page.reload()
    assert "4 informants" in page.locator(".legend").inner_text()


def test_the_slider_redraws_the_reference_which_is_saved(server, voted, researcher):
    page = researcher
    votes_page(page, server, voted)
    # 60% of 35 words are 21: the second sentence fits beside the first, 16 words.
    for length, count in ((60, 2), (30, 1)):
        page.locator("#at").fill(str(length))
        page.locator("#at-out", has_text=f"{length}%, at most").wait_for()
        page.wait_for_url(f"**length={length}**")
        # The text is drawn after what stands beside it.
        expect(page.locator(".s.in")).to_have_count(count)
    assert page.evaluate("document.body.dataset.same") == "yes"
    press(page, "Save as reference")
    page.get_by_text("Saved with the study: majority: 30%, position").wait_for()
    assert "length=30" in page.url


def test_without_javascript_a_button_draws_the_reference_and_paper_has_no_controls(
    server, voted, open_page
):
    page = open_page(java_script_enabled=False)
    server.hand_over(server.admin(), page)
    page.goto(f"{server.base}/studies/{voted}/votes/1")
    page.locator("#at").fill("60")
    page.get_by_role("button", name="Show").click()
    page.wait_for_url("**length=60**")
    assert "60%, at most" in page.locator("#at-out").inner_text()
    assert page.locator(".s.in").count() > 0
    # On paper the votes stay and the controls go.
    page.emulate_media(media="print")
    visible = [page.locator(f"#{part}").is_visible() for part in ("text", "at", "paste")]
    assert visible == [True, False, False]


def test_a_pasted_summary_is_compared(server, voted, researcher):
    page = researcher
    page.goto(f"{server.base}/studies/{voted}/votes/1")
    page.fill("#paste", " ".join(UNITS[:2]))
    press(page, "Compare")
    page.wait_for_selector("#compared")
    assert "All of it was found" in page.locator("#compare").inner_text()


def test_somebody_is_left_out(server, voted, researcher):
    page = researcher
    page.goto(f"{server.base}/studies/{voted}/informants")
    assert re.search(r"Ann\s+students, uploaded", page.locator("main").inner_text())
    page.check("input[value=Cy]")
    page.click("button.primary")
    page.wait_for_url("**without=Cy")
    assert "Without Cy" in page.locator("#without").inner_text()


def test_an_editors_extract_is_kept_and_shown_beside_the_vote(server, voted, researcher):
    page = researcher
    page.goto(f"{server.base}/studies/{voted}/differences")
    page.get_by_role("link", name="ferry", exact=True).click()
    page.wait_for_url("**/differences/1")
    page.get_by_role("button", name="Keep my extract").click()
    page.get_by_role("button", name="Change my extract").wait_for()
    shown = page.locator("#editor").inner_text()
    assert "editor: admin" in shown and "100% of the sentences of the reference" in shown
    page.goto(f"{server.base}/studies/{voted}/judgments")
    page.get_by_text("No judgments yet").wait_for()


def test_the_statistics_and_the_votes_are_printed(server, voted, researcher):
    page = researcher
    page.goto(f"{server.base}/studies/{voted}")
    assert_printed_on_a4(page)
    assert page.locator(".figure-2").is_visible()
    page.goto(f"{server.base}/studies/{voted}/votes/1?length=20")
    assert_printed_on_a4(page)
    assert page.locator("#text").is_visible() and page.locator("#facts").is_visible()


# ── exports and tokens ────────────────────────────────────────────────────


def download(page, role, name, path):
    """Save what a button or a link downloads."""
    with page.expect_download() as started:
        page.get_by_role(role, name=name).click()
    started.value.save_as(path)


def exported(page, form, folder, length=""):
    """The folder that an export unpacks to."""
    page.select_option("#format", form)
    page.fill("#length", length)
    download(page, "button", "Download", folder / f"{form}.zip")
    with zipfile.ZipFile(folder / f"{form}.zip") as archive:
        archive.extractall(folder / form)
    (inside,) = (folder / form).iterdir()
    return inside


def test_a_study_is_exported(server, researcher, tmp_path):
    page = researcher
    page.goto(server.demo("extracts").replace("/s/", "/studies/") + "/export")
    # References by majority vote go into SEE's files.
    inside = exported(page, "rouge_xml(texts=SEE)", tmp_path, "30%")
    assert list(inside.rglob("majority/t01.html"))
    download(page, "link", "Download the changes", tmp_path / "versions.csv")
    assert (tmp_path / "versions.csv").read_text().startswith("person,place,item,version,action")


def test_words_that_were_voted_for_are_exported_and_scored(server, researcher, tmp_path):
    words = "The ferry struck the pier at noon. Nobody was hurt. The old quay is open."
    document = Document("d", text=words, units=tuple(re.findall(r"\w+", words)))
    corpus = corpus_of(Topic("ferry", unit="word", documents=(document,)))
    study = server.study(corpus=corpus, longest=80)
    for name, units in (("Heron", "1 2 4"), ("Robin", "1 2 14")):
        server.informant(study, name).send(study, unit=units.split(), do="submit")
    page = researcher
    page.goto(f"{server.base}/studies/{study}/votes/1")
    expect(page.locator("#s1")).to_have_attribute("data-votes", "2")
    # One number for the two words that both chose.
    expect(page.locator("#text sup")).to_have_count(3)
    # 6 votes for 4 words by 2 people; of the words of both, 2 of 4 are shared.
    (row,) = succeed("agreement", f"study:{server.database}#{study}", "--json").json["topics"]
    assert (row["all_votes"], row["jaccard"]) == (6 / (4 * 2), 2 / 4)
    page.goto(f"{server.base}/studies/{study}/export")
    extracts = load(exported(page, "folder", tmp_path)).extracts
    votes = {extract.informant: extract.units for extract in extracts}
    assert votes == {"Heron": (1, 2, 4), "Robin": (1, 2, 14)}
    plain = exported(page, "plain", tmp_path, "2 words")
    (tmp_path / "lead.txt").write_text("The ferry struck the pier.")
    reference = ("--reference", plain / "references" / "majority" / "ferry.txt", "-m", "rouge-1")
    score = succeed("score", "--candidate", tmp_path / "lead.txt", *reference, "--json").json
    # 2 of 5 words are the 2 of the reference: 2 * 0.4 * 1 / 1.4.
    assert score["rouge-1"]["f"] == pytest.approx(0.8 / 1.4)


def test_a_token_is_made_and_deleted(server, researcher):
    page = researcher
    page.goto(f"{server.base}/account/tokens")
    page.fill("#name", "a script")
    page.get_by_role("button", name="Make a token").click()
    headers = {"Authorization": f"Bearer {page.locator('[role=status] code').inner_text()}"}
    client = server.visitor().client
    names = {study["name"] for study in client.get("/api/v1/studies", headers=headers).json()}
    assert "Demo: extracts" in names
    page.get_by_role("button", name="Delete the token a script").click()
    page.get_by_text("a script").wait_for(state="detached")
    assert client.get("/api/v1/studies", headers=headers).status_code == 401
