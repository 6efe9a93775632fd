"""A study from the first login to the first extract, in a real browser."""

import re

from playwright.sync_api import expect

from summetry.web.database import Database
from summetry.web.store.studies import all_studies, stored_corpus

FERRY = (
    "The ferry struck the pier at noon. Nobody was hurt, said Dr. Lind, who was on board. "
    "The pier has to be closed for a month.\n\nThe ferry goes on, but it stops at the old quay."
)
# A loaded machine is slow.
expect.set_options(timeout=90_000)
LAKE = "The lake is cold in May. The fish stay deep until the water is warm again."


def text_file(name, text):
    return {"name": name, "mimeType": "text/plain", "buffer": text.encode()}


def log_in(page, server):
    page.goto(server.login)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url("**/studies")


def make_study(page, server):
    page.get_by_role("link", name="New study").click()
    page.get_by_label("Name of the study").fill("Ferries and lakes")
    files = [text_file("ferry.txt", FERRY), text_file("lake.txt", LAKE)]
    page.get_by_label("Files").set_input_files(files)
    page.get_by_role("button", name="Make the study").click()
    page.wait_for_url("**/texts")


def expect_units(page, *units):
    expect(page.locator(".cut-units li > span")).to_have_text(units)


def test_a_study_is_made_mended_opened_and_taken_part_in(new_server, open_page, tmp_path):
    page = open_page()
    log_in(page, new_server)
    make_study(page, new_server)
    expect(page.get_by_text("The language is guessed: English (2 texts)")).to_be_visible()

    page.get_by_role("link", name="ferry", exact=True).click()
    expect_units(
        page,
        "The ferry struck the pier at noon.",
        "Nobody was hurt, said Dr. Lind, who was on board.",
        "The pier has to be closed for a month.",
        "The ferry goes on, but it stops at the old quay.",
    )
    page.get_by_role("link", name="Change unit 4").click()
    page.locator(".words label", has_text="but").click()
    page.get_by_role("button", name="Cut here").click()
    expect(page.locator(".cut-units li")).to_have_count(5)
    page.get_by_role("link", name="Change unit 1").click()
    page.get_by_role("button", name="Join with the next").click()
    expect(page.locator(".cut-units li")).to_have_count(4)
    page.get_by_role("link", name="Leave it").click()
    expect(page.locator(".cut-units li.chosen")).to_have_count(0)
    expect_units(
        page,
        "The ferry struck the pier at noon. Nobody was hurt, said Dr. Lind, who was on board.",
        "The pier has to be closed for a month.",
        "The ferry goes on,",
        "but it stops at the old quay.",
    )
    page.get_by_label("Title").fill("The ferry and the pier")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("The ferry and the pier")

    page.get_by_role("link", name="Settings").click()
    page.get_by_label("Shortest extract").fill("20")
    page.get_by_label("Longest extract").fill("50")
    page.get_by_label("Informants per text").fill("3")
    page.get_by_label("Practice text").select_option(label="lake")
    page.get_by_label("Practice text").select_option(label="none")
    page.get_by_label("Texts per informant").fill("1")
    page.get_by_role("button", name="Save").last.click()
    expect(page.get_by_role("status")).to_have_text("Saved")
    page.get_by_role("button", name="Open the study").click()
    expect(page.locator(".pill.open")).to_be_visible()

    page.get_by_role("link", name="Invite").click()
    page.get_by_label("Pseudonyms").fill("Heron, students")
    page.get_by_role("button", name="Make personal links").click()
    link = page.get_by_label("Personal link of Heron").input_value()

    informant = open_page()
    informant.goto(link)
    informant.get_by_role("button", name="Start").click()
    informant.wait_for_selector("#outcome")
    is_ferry = informant.get_by_role("heading", level=1).inner_text() == "The ferry and the pier"
    # The second unit of the ferry is 8 of its 34 words, the first of the lake 6 of 15.
    informant.click("#u1 span" if is_ferry else "#u0 span")
    expect(informant.locator("#outcome")).to_have_attribute("data-missing", "")
    informant.get_by_role("button", name="Review extract").click()
    informant.wait_for_url("**/review")
    informant.get_by_role("button", name="Submit").click()
    informant.wait_for_url("**done=1")

    page.get_by_role("link", name="Progress").click()
    row = page.get_by_role("row", name=re.compile("^Heron students"))
    expect(row.get_by_role("cell").nth(2)).to_have_text("1")
    text = page.get_by_role("row", name="The ferry and the pier" if is_ferry else "lake")
    assert text.get_by_role("cell").all_inner_texts() == ["0", "1", "3"]
    page.get_by_role("link", name="Corpus").click()
    expect(page.get_by_text("The texts are locked: informants have begun to work")).to_be_visible()

    database = Database(tmp_path / "study.db")
    with database.reading() as connection:
        (study,) = all_studies(connection)
        assert len(stored_corpus(connection, study).topic("ferry").units) == 4
        assert (study.settings.shortest, study.settings.longest) == (20, 50)
    database.close()


def test_upload_and_settings_work_without_javascript(new_server, open_page, tmp_path):
    page = open_page(java_script_enabled=False)
    log_in(page, new_server)
    make_study(page, new_server)
    page.get_by_role("link", name="Continue with the settings").click()
    page.get_by_label("Title").fill("What matters?")
    page.get_by_role("button", name="Add a question").click()
    page.get_by_role("button", name="Add a question").click()
    page.get_by_label("Question", exact=True).first.fill("Do you edit texts?")
    page.get_by_label("Answers to choose from").first.fill("yes\nno")
    page.get_by_role("radio", name="The answer is the informant's group").first.check()
    page.get_by_role("button", name="Remove question 2").click()
    page.get_by_label("Longest extract").fill("3")
    page.get_by_role("button", name="Save").last.click()
    expect(page.locator("#longest-wrong")).to_have_text(re.compile("longer than the shortest"))
    page.get_by_label("Longest extract").fill("40")
    page.get_by_role("button", name="Save").last.click()
    expect(page.get_by_role("status")).to_have_text("Saved")
    expect(page.get_by_label("Title")).to_have_value("What matters?")
    database = Database(tmp_path / "study.db")
    with database.reading() as connection:
        (study,) = all_studies(connection)
    database.close()
    (asked,) = study.settings.questions
    assert (asked.question, asked.choices) == ("Do you edit texts?", ("yes", "no"))
    assert study.settings.group == asked.name and study.settings.longest == 40
