"""The settings of a study: saved, refused beside their fields, changed by two, and its state."""

import html
import re

import pytest
from web_content import ODD, corpus_of, settings_data, small_corpus, words_of

from summetry.records.summaries import Summary
from summetry.web import tasks
from summetry.web.settings import Asked, StudySettings
from summetry.web.tasks.extract import ExtractTask


@pytest.fixture
def study(web):
    return web.study(corpus=small_corpus(), state="draft")


def save(admin, study, **data):
    return admin.post(f"/studies/{study}/settings", settings_data(**data))


def test_settings_are_saved(web, admin, study):
    data = {"question-0": "Age?", "choices-0": "young\nold", "name-0": ""}
    data |= {"question-1": "Trained?", "choices-1": "yes\r\n no \n", "name-1": "trained"}
    data |= {"question-2": " ", "choices-2": "", "name-2": ""}
    answer = save(
        admin, study, **data,
        name="New name", title="Title", welcome="Hello.\r\nYou.", consent="I agree", contact="me",
        language="en", entry="invited", per_text="3", per_informant="2", practice=ODD,
        repeat="yes", seed="7", shortest="10,5", longest="20 %", abstract="yes", group="1",
    )  # fmt: skip
    assert answer.status_code == 200 and "Saved" in answer.text
    questions = (
        Asked("question1", "Age?", ("young", "old")), Asked("trained", "Trained?", ("yes", "no")),
    )  # fmt: skip
    saved = web.find(study)
    assert saved.name == "New name"
    assert saved.settings == StudySettings(
        title="Title", welcome="Hello.\nYou.", consent="I agree", contact="me", language="en",
        questions=questions, group="trained", entry="invited", per_text=3, per_informant=2,
        practice=ODD, repeat=True, notes=False, seed=7, shortest=10.5, longest=20, abstract=True,
    )  # fmt: skip
    shown = admin.get(f"/studies/{study}/settings").text
    assert 'value="10.5"' in shown and "young\nold" in shown
    assert web.log(study)[0][0] == "changed the settings"


@pytest.mark.parametrize("data, words", [
    ({"name": ""}, "name: a name of 1 to 200"),
    ({"title": "x" * 201}, "title: at most 200 characters, found 201"),
    ({"per_text": "-1"}, "per_text: whole number from 0 to 100000"),
    ({"per_informant": "many"}, "per_informant: whole number"),
    ({"seed": "9" * 30}, "seed: whole number"),
    ({"shortest": "nan"}, "shortest: a number from 0 to 100"),
    ({"longest": "101"}, "longest: a number from 0 to 100"),
    ({"shortest": "60"}, "longest: must be longer than the shortest"),
    ({"practice": "nothing"}, "practice: Choose one of the list"),
    ({"language": "xx"}, "language: Choose one of the list"),
    ({"question-0": "", "choices-0": "a\nb"}, "question-0: Write the question"),
    ({"question-0": "Why?", "choices-0": "a\na"}, "choices-0: different answers"),
    ({"question-0": "Why?", "choices-0": "a\n" + "b" * 81}, "choices-0: at most 80"),
])  # fmt: skip
def test_what_is_wrong_stands_beside_its_field_and_nothing_is_saved(web, admin, study, data, words):
    before = web.find(study)
    answer = save(admin, study, **data)
    assert answer.status_code == 422
    field, _, message = words.partition(": ")
    beside = re.search(rf'id="{field}-wrong">(.*?)<', answer.text)
    assert beside and message in html.unescape(beside[1])
    assert web.find(study) == before


def test_questions_are_added_and_removed_without_saving_or_losing_what_was_typed(web, admin, study):
    admin.get(f"/studies/{study}/settings")
    admin.press("Add a question", title="Typed")
    more = {"question-0": "First?", "choices-0": "a\nb", "group": "0"}
    admin.press("Add a question", **more)
    removed = admin.press("Remove question 1", **{"question-1": "Second?", "choices-1": "c\nd"})
    assert "First?" not in removed.text and web.find(study).settings == StudySettings()
    # Who belonged to a group by the first one belongs to none.
    admin.press("Save")
    asked = Asked("question1", "Second?", ("c", "d"))
    assert web.find(study).settings == StudySettings(title="Typed", questions=(asked,))


def test_what_was_wrong_is_mended_on_the_same_page(web, admin, study):
    admin.get(f"/studies/{study}/settings")
    assert "longer than the shortest" in admin.press("Save", longest="3", title="Kept").text
    assert "Saved" in admin.press("Save", longest="40").text
    assert (web.find(study).settings.longest, web.find(study).settings.title) == (40, "Kept")


def test_a_task_has_only_its_own_settings(web, admin, monkeypatch):
    class Judging(ExtractTask):
        name, settings = "judging", ("scales", "with_source", "highest", "categories", "conditions")

    monkeypatch.setitem(tasks.TASKS, "judging", Judging())
    study = web.study("judging", small_corpus(), shortest=7)
    shown = admin.get(f"/studies/{study}/settings").text
    assert 'name="scales"' in shown and 'name="shortest"' not in shown
    data = {"highest": "5", "categories": "a: of ships: and more\nb:\n c:d "}
    save(admin, study, **data, scales="focus: bad, fair, good\n", conditions=["source"])
    saved = web.find(study).settings
    assert saved.scales == {"focus": ("bad", "fair", "good")} and saved.shortest == 7
    assert (saved.highest, saved.conditions) == (5, ("source",))
    assert saved.categories == {"a": "of ships: and more", "b": "", "c:d": ""}
    assert (
        "a: of ships: and more\nb\nc:d</textarea>" in admin.get(f"/studies/{study}/settings").text
    )
    for categories, line in (("a\nb\na: x", "'a: x'"), ("a\nb\n: x", "': x'")):
        wrong = html.unescape(save(admin, study, **data | {"categories": categories}).text)
        assert f"Expected another category on each line, found {line}." in wrong
    wrong = save(admin, study, **data, scales="focus: bad", conditions=[]).text
    assert "two or more different marks" in wrong and "Choose one or more" in wrong


# ── the state of a study, and its end ─────────────────────────────────────


def test_a_study_is_opened_closed_and_opened_again(web, admin, study):
    assert "not open" in web.visitor().get(f"/s/{study}").text
    for state in ("open", "closed", "open"):
        assert admin.post(f"/studies/{study}/state", {"state": state}).status_code == 200
        assert web.find(study).state == state
    assert admin.post(f"/studies/{study}/state", {"state": "draft"}).status_code == 400


def test_what_was_typed_is_saved_when_the_study_is_opened(web, admin, study):
    admin.get(f"/studies/{study}/settings")
    # What does not fit is not saved, and nothing is opened or closed by it.
    for button, shortest, saved in (
        ("Open the study", "10", ("open", 10)), ("Close the study", "90", ("open", 10)),
        ("Close the study", "12", ("closed", 12)),
    ):  # fmt: skip
        admin.press(button, shortest=shortest)
        stored = web.find(study)
        assert (stored.state, stored.settings.shortest) == saved


def test_a_study_is_deleted_only_when_its_name_is_typed(web, admin):
    study = web.study(corpus=small_corpus())
    web.informant(study)
    refused = admin.post(f"/studies/{study}/delete", {"typed": "study"})
    assert refused.status_code == 422 and "Nothing was deleted" in refused.text
    assert admin.post(f"/studies/{study}/delete", {"typed": "Study"}).url.path == "/studies"
    assert web.find(study) is None
    with web.database.reading() as connection:
        for table in ("topics", "people", "answers", "versions", "members"):
            assert not connection.exec_driver_sql(f"SELECT * FROM {table}").all(), table
    assert ("deleted the study", "Study") in web.log()


# ── two windows ───────────────────────────────────────────────────────────


def shown_settings(page):
    """What a settings page says it shows."""
    return html.unescape(re.search(r'name="seen" value="([^"]+)"', page.text)[1])


@pytest.fixture
def seen(admin, study):
    """What two windows show that are opened now."""
    return shown_settings(admin.get(f"/studies/{study}/settings"))


def test_two_windows_that_change_different_settings_keep_both(web, admin, study, seen):
    save(admin, study, title="One", shortest="10", seen=seen)
    # The state is none of the settings that two windows can change.
    admin.post(f"/studies/{study}/state", {"state": "open"})
    assert save(admin, study, contact="ada@example.org", seen=seen).status_code == 200
    saved = web.find(study).settings
    assert (saved.title, saved.shortest, saved.contact) == ("One", 10, "ada@example.org")


def test_settings_that_another_window_changed_are_not_overwritten_unseen(web, admin, study, seen):
    contact = "ada@example.org"
    save(admin, study, title="One", contact=contact, seen=seen)
    answer = save(admin, study, title="Two", seen=seen)
    assert answer.status_code == 409
    assert "Nothing was saved: other settings were saved meanwhile" in words_of(answer)
    assert "Title (“One”)." in words_of(answer)
    # What was typed is still there, and what was saved before too, also in the other fields.
    assert 'value="Two"' in answer.text and f'value="{contact}"' in answer.text
    assert web.find(study).settings.title == "One"
    # The form now knows what there is, so that the second one may win.
    again = save(admin, study, title="Two", contact=contact, seen=shown_settings(answer))
    assert again.status_code == 200
    saved = web.find(study).settings
    assert (saved.title, saved.contact) == ("Two", contact)


# ── settings that answers need ────────────────────────────────────────────

SCALES = {"focus": ("bad", "fair", "good"), "size": ("1", "2")}


def judged_study(web, *marks):
    """A study with a summary for each of the marks of focus that Heron gave."""
    names = ("lead", "last")[: len(marks)]
    summaries = tuple(Summary("one", name, "candidate", text="A b c.") for name in names)
    study = web.study("judgment", small_corpus(summaries=summaries), scales=SCALES)
    heron = web.informant(study)
    for number, mark in enumerate(marks, 1):
        heron.get(f"/s/{study}/next")
        heron.send(study, number, d0=mark, d1="1", do="submit")
    return study


@pytest.mark.parametrize("marks, scales, words", [
    ("1", "focus: bad, good\nsize: 1, 2", "“focus: fair” (1 answer by Heron)"),
    ("1", "size: 1, 2", "“focus” (1 answer by Heron)"),
    ("1", "focus: bad, fair, good", "“size” (1 answer by Heron)"),
    ("02", "focus: good, fair, bad\nsize: 1, 2", "“focus: bad, good” (2 answers by Heron)"),
])  # fmt: skip
def test_marks_that_answers_need_are_neither_taken_away_nor_turned(
    web, admin, marks, scales, words
):
    study = judged_study(web, *marks)
    before = web.whole(study).judgments
    assert [one.value for one in before[::2]] == [SCALES["focus"][int(mark)] for mark in marks]
    assert {one.value for one in before[1::2]} == {2}
    answer = save(admin, study, scales=scales)
    assert answer.status_code == 422 and words in words_of(answer)
    assert web.whole(study).judgments == before
    more = "focus: awful, bad, fair, good\nsize: 1, 2, 3\nstyle: no, yes"
    assert save(admin, study, scales=more).status_code == 200
    assert web.whole(study).judgments == before
    assert "style" in web.find(study).settings.scales


@pytest.mark.parametrize("task, settings, given, wrong, words", [
    ("category", {"categories": {"news": "", "sport": ""}}, {"category": "1"},
     {"categories": "news\nfood"}, "“sport” (1 answer by Heron)"),
    ("category", {"categories": {"food": "", "sport": ""}, "several_categories": True},
     {"category": ["0", "1"]}, {"categories": "food\nsport"}, "“food, sport” (1 answer by Heron)"),
    ("utility", {}, {f"v{number}": "7" for number in range(3)},
     {"highest": "6"}, "“7” (1 answer by Heron)"),
])  # fmt: skip
def test_given_categories_and_utilities_stay(web, admin, task, settings, given, wrong, words):
    study, heron = web.begin(task, corpus_of(small_corpus().topics[0]), **settings)
    heron.send(study, **given, do="submit")
    answer = save(admin, study, **wrong)
    assert answer.status_code == 422 and words in words_of(answer)
    if task == "category":
        more = {"categories": "sport\nfood", "several_categories": "yes"}
        assert save(admin, study, **more).status_code == 200
