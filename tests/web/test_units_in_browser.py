"""Word extraction and extracts of paragraphs, from a plain text to a score, in a real browser."""

import json
import subprocess
import sys
import zipfile

import pytest
from playwright.sync_api import expect

from summetry.formats import load

TEXT = """The ferry and the pier

The ferry struck the pier at noon. Nobody was hurt.

The old quay is open.
"""


def command(*words):
    run = [sys.executable, "-m", "summetry", *map(str, words), "--json"]
    return json.loads(subprocess.run(run, capture_output=True, text=True, check=True).stdout)


def make_study(page, server, unit):
    """A study of one plain text, cut into units of a kind and opened; the link to join it."""
    page.goto(server.login)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url("**/studies")
    page.get_by_role("link", name="New study").click()
    page.get_by_label("Name of the study").fill(f"Ferries in {unit}s")
    text = {"name": "ferry.txt", "mimeType": "text/plain", "buffer": TEXT.encode()}
    page.get_by_label("Files").set_input_files([text])
    page.get_by_label("Cut the texts into").select_option(unit)
    preview = page.get_by_text("ferry.txt: the title is “The ferry and the pier”")
    expect(preview).to_be_visible()
    page.get_by_role("button", name="Make the study").click()
    page.wait_for_url("**/texts")
    study = page.url.removesuffix("/texts")
    page.goto(f"{study}/settings")
    page.get_by_label("Longest extract").fill("80")
    page.get_by_role("button", name="Open the study").click()
    expect(page.locator(".pill.open")).to_be_visible()
    return study, study.replace("/studies/", "/s/")


def join(page, link, name):
    page.goto(link)
    page.fill("#name", name)
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector("#outcome")
    page.wait_for_load_state()


def expect_units(page, *numbers):
    expect(page.locator("#outcome")).to_have_attribute("data-set", " ".join(map(str, numbers)))


def submit(page):
    page.get_by_role("button", name="Review extract").click()
    page.wait_for_url("**/review")
    shown = page.locator("article p").all_inner_texts()
    page.get_by_role("button", name="Submit").click()
    page.wait_for_url("**done=1")
    return shown


def exported(page, study, folder, form, length=""):
    page.goto(f"{study}/export")
    page.select_option("#format", form)
    page.fill("#length", length)
    with page.expect_download() as started:
        page.get_by_role("button", name="Download").click()
    started.value.save_as(folder / "study.zip")
    with zipfile.ZipFile(folder / "study.zip") as archive:
        archive.extractall(folder / "study")
    (inside,) = (folder / "study").iterdir()
    return inside


def test_words_are_chosen_submitted_exported_and_scored(new_server, open_page, tmp_path):
    page = open_page()
    study, link = make_study(page, new_server, "word")

    first = open_page()
    join(first, link, "Heron")
    # The page reads as the text does, marks and all; the title is no part of it.
    expect(first.locator("article fieldset p").first).to_have_text(
        "The ferry struck the pier at noon. Nobody was hurt."
    )
    expect(first.locator(".unit")).to_have_count(15)
    first.click("#u1 span")
    expect_units(first, 1)
    first.click("#u2 span")
    expect_units(first, 1, 2)
    # By keys: from the word with the focus three on.
    for key in ("j", "j", "Space"):
        first.keyboard.press(key)
    expect_units(first, 1, 2, 4)
    expect(first.locator("#length")).to_contain_text("3 of 15 words")
    expect(first.locator("#so-far")).to_have_text("ferry struck pier.")
    first.locator("#so-far a", has_text="pier").click()
    expect(first.locator("#u4 input")).to_be_focused()
    assert submit(first) == ["ferry struck pier."]

    second = open_page()
    join(second, link, "Robin")
    second.click("#u1 span")
    expect_units(second, 1)
    # All words from there on, then one of them left out again.
    second.locator("#u3 span").click(modifiers=["Shift"])
    expect_units(second, 1, 2, 3)
    second.click("#u3 span")
    expect_units(second, 1, 2)
    second.click("#u14 span")
    expect_units(second, 1, 2, 14)
    assert submit(second) == ["ferry struck. open."]

    page.goto(f"{study}/votes/1")
    expect(page.locator("#s1")).to_have_attribute("data-votes", "2")
    # One number for the two words that both chose.
    expect(page.locator("#text sup")).to_have_count(3)
    expect(page.locator("#text p").last).to_contain_text("The old quay is")

    # 6 votes for 4 words by 2 people; of the words of both, 2 of 4 are shared.
    where = f"study:{tmp_path / 'study.db'}#{study.rpartition('/')[2]}"
    (topic,) = command("agreement", where)["topics"]
    assert topic["all_votes"] == 6 / (4 * 2)
    assert topic["jaccard"] == 2 / 4
    native = load(exported(page, study, tmp_path, "folder"))
    assert {extract.informant: extract.units for extract in native.extracts} == {
        "Heron": (1, 2, 4),
        "Robin": (1, 2, 14),
    }
    (other := tmp_path / "plain").mkdir()
    plain = exported(page, study, other, "plain", "2 words")
    reference = plain / "references" / "majority" / "ferry.txt"
    (tmp_path / "lead.txt").write_text("The ferry struck the pier.")
    found = command(
        "score", "--candidate", tmp_path / "lead.txt", "--reference", reference, "-m", "rouge-1"
    )
    # 2 of 5 words are the 2 of the reference: 2 * 0.4 * 1 / 1.4.
    assert found["rouge-1"]["f"] == pytest.approx(0.8 / 1.4)


def test_paragraphs_are_chosen_and_submitted(new_server, open_page, tmp_path):
    page = open_page()
    study, link = make_study(page, new_server, "paragraph")
    informant = open_page()
    join(informant, link, "Heron")
    expect(informant.locator("article fieldset p")).to_have_count(2)
    informant.keyboard.press("j")
    informant.keyboard.press("Space")
    expect_units(informant, 0)
    expect(informant.locator("#length")).to_contain_text("10 of 15 words, 1 paragraph")
    assert submit(informant) == ["The ferry struck the pier at noon. Nobody was hurt."]
    where = f"study:{tmp_path / 'study.db'}#{study.rpartition('/')[2]}"
    (topic,) = command("agreement", where)["topics"]
    assert (topic["extracts"], topic["mean"]) == (1, pytest.approx(10 / 15))
