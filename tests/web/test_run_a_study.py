"""The pages of the people who run a study: what they do and what they refuse."""

import csv
import html
import io
import re
import zipfile
from dataclasses import replace

import pytest

from summetry.records.corpus import Corpus
from summetry.records.judgments import Judgment, Utilities
from summetry.records.summaries import Extract, Summary
from summetry.records.topics import Document, Topic
from summetry.web import tasks
from summetry.web.settings import Asked, StudySettings
from summetry.web.store.accounts import members_of, read_log
from summetry.web.store.answers import all_answers
from summetry.web.store.people import people_of
from summetry.web.store.studies import find_study, stored_corpus
from summetry.web.tasks.extract import ExtractTask

ODD = "t/1 \"<script>alert('x')</script>"
TEXT = "The ferry sank. Nobody was hurt in it. The captain swam.\n\nIt was a Monday in May."


def small_corpus(**more):
    """Two topics without a text of their own, one of which has an odd id."""
    topics = (
        Topic("one", "First", documents=(Document("d", units=("A b c.", "D e.", "F g h i.")),)),
        Topic(ODD, documents=(Document("d", units=("Alpha beta.", "Gamma delta.")),)),
    )
    return replace(Corpus("small", "en"), topics=topics, **more)


def stored(web, study):
    with web.database.reading() as connection:
        return stored_corpus(connection, find_study(connection, study))


def state_of(web, study):
    with web.database.reading() as connection:
        return find_study(connection, study)


def logged(web, study=None):
    with web.database.reading() as connection:
        return [(entry.action, entry.detail) for entry in read_log(connection, study)]


def change(visitor, study, number, **data):
    """Send a form of a text's page, as it is shown now."""
    page = visitor.get(f"/studies/{study}/texts/{number}").text
    changes = re.search(r'name="changes" value="(\d+)"', page)
    data.setdefault("changes", changes[1] if changes else "0")
    return visitor.post(f"/studies/{study}/texts/{number}", data)


def words_of(answer):
    return html.unescape(re.sub(r"<[^>]+>|\s+", " ", answer.text))


@pytest.fixture
def admin(web):
    return web.admin()


# ── a new study ───────────────────────────────────────────────────────────


def upload(visitor, *files, path="/studies/new/upload", **data):
    data = {"name": "Ferries", "task": "extract", "language": "", "genre": "news", **data}
    sent = [("files", (name, content, "application/octet-stream")) for name, content in files]
    return visitor.post(path, data, files=sent)


def test_a_study_is_made_by_uploading_texts(web):
    ann = web.researcher("ann")
    answer = upload(ann, ("ferry.txt", TEXT.encode()))
    assert answer.status_code == 200 and answer.url.path.endswith("/texts")
    assert "The language is guessed: English" in answer.text
    study = answer.url.path.split("/")[2]
    (topic,) = stored(web, study).topics
    assert (topic.id, topic.genre, len(topic.units)) == ("ferry", "news", 4)
    assert state_of(web, study).state == "draft"
    with web.database.reading() as connection:
        assert [one.name for one in members_of(connection, study)] == ["ann"]
    assert ("made the study", "Ferries") in logged(web, study)


@pytest.mark.parametrize(("data", "files", "words"), [
    ({"name": " "}, [("a.txt", b"Text.")], "a name of 1 to 200 characters"),
    ({"task": "dance"}, [("a.txt", b"Text.")], "Choose one of the list"),
    ({}, [], "choose one or more files"),
    ({"language": "Klingonese"}, [("a.txt", b"Text.")], "no language is named"),
    ({}, [("a.txt", b"\xff\xfe\x00")], "expected UTF-8"),
    ({}, [("topics.jsonl", b'{"id": "a"}\n{"id": 1}')], "topics.jsonl"),
    ({}, [("a.txt", b" \n ")], "'a.txt' is empty"),
    ({}, [("a.txt", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")], "found binary data"),
    ({}, [("a.csv", b"x,y\n1,A ferry\n2,sank\n")], "name the columns as in id,system"),
    ({}, [("a.csv", b"id,summary,bart\n1,A ferry sank.,It sank.\n2,So.,It is.\n")],
     "rename the column summary to candidate, or rename the column summary to reference if"),
])  # fmt: skip
def test_what_is_wrong_with_a_new_study_is_said_on_its_page(web, admin, data, files, words):
    answer = upload(admin, *files, **data)
    assert answer.status_code == 422 and words in html.unescape(answer.text)
    with web.database.reading() as connection:
        assert not connection.exec_driver_sql("SELECT * FROM studies").all()


def test_an_empty_text_beside_others_is_named(admin):
    answer = upload(admin, ("ferry.txt", TEXT.encode()), ("empty.txt", b"\n"))
    assert answer.status_code == 200
    assert "'empty.txt' is empty, so nobody is given it." in words_of(answer)


def test_a_task_names_the_file_that_would_give_what_it_needs(web, admin, monkeypatch):
    class Judging(ExtractTask):
        name, needs = "judging", ("summaries",)

    monkeypatch.setitem(tasks.TASKS, "judging", Judging())
    answer = upload(admin, ("a.txt", TEXT.encode()), task="judging")
    assert answer.status_code == 422
    assert "needs summaries" in answer.text and "summaries.jsonl" in answer.text


def test_a_request_that_is_too_large_is_refused_at_once(web, admin):
    web.app.middleware_stack = None
    web.app.user_middleware[0].kwargs["upload"] = 1000
    answer = upload(admin, ("a.txt", b"x" * 2000))
    assert answer.status_code == 413 and "too large" in answer.text


def test_a_request_that_does_not_say_how_large_it_is_ends_at_the_limit(web, admin):
    web.app.middleware_stack = None
    web.app.user_middleware[0].kwargs["upload"] = 1000
    head = b'--x\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\n'
    answer = admin.client.post(
        "/studies/new/upload",
        content=iter([head, *[b"x" * 500] * 10, b"\r\n--x--\r\n"]),
        headers={"content-type": "multipart/form-data; boundary=x"},
    )
    assert answer.status_code == 413 and "too large" in answer.text


# ── texts ─────────────────────────────────────────────────────────────────


def test_further_uploads_add_texts_and_refuse_an_id_that_is_there(web, admin):
    study = web.study(corpus=small_corpus(), state="draft")
    path = f"/studies/{study}/texts/upload"
    swedish = "Färjan slog i en brygga och den sjönk.".encode()
    assert upload(admin, ("two.txt", swedish), path=path).status_code == 200
    corpus = stored(web, study)
    assert [(t.id, corpus.language_of(t)) for t in corpus.topics][2] == ("two", "sv")
    again = upload(admin, ("two.txt", TEXT.encode()), ("new.txt", TEXT.encode()), path=path)
    assert again.status_code == 422 and "'two'; rename them" in html.unescape(again.text)
    assert len(stored(web, study).topics) == 3


def test_an_upload_with_the_data_of_somebody_who_is_invited_is_refused(web, admin):
    study = web.study(corpus=small_corpus(), state="draft")
    admin.post(f"/studies/{study}/invite", {"names": "Heron"})
    table = b"id,source,system,summary\nnew,Some text here.,Heron,Some text.\n"
    answer = upload(admin, ("t.csv", table), path=f"/studies/{study}/texts/upload")
    assert answer.status_code == 422
    assert "'Heron' is somebody in the upload and was invited" in html.unescape(answer.text)


def test_a_unit_is_split_at_a_word_and_joined_again(web, admin):
    study = web.study(corpus=small_corpus(), state="draft")
    shown = admin.get(f"/studies/{study}/texts/0?unit=2").text
    assert re.findall(r'name="word" value="(\d)"><span>(.*?)<', shown) == [
        ("0", "g"), ("1", "h"), ("2", "i."),
    ]  # fmt: skip
    assert admin.get(f"/studies/{study}/texts/0?unit=x").status_code == 200
    assert change(admin, study, 0, do="split", unit="2", word="1").status_code == 200
    assert stored(web, study).topics[0].units == ("A b c.", "D e.", "F g", "h i.")
    change(admin, study, 0, do="join", unit="2")
    change(admin, study, 0, do="join", unit="0")
    assert stored(web, study).topics[0].units == ("A b c. D e.", "F g h i.")
    assert ("changed a text", "split: one") in logged(web, study)


def test_what_refers_to_units_moves_with_them(web, admin):
    extracts = (Extract("one", "ann", (0, 2)), Extract(ODD, "ann", (1,)))
    summaries = (Summary("one", "lead", "candidate", units=(1, 2)),)
    corpus = small_corpus(extracts=extracts, summaries=summaries)
    study = web.study(corpus=corpus, state="draft")
    change(admin, study, 0, do="split", unit="0", word="0")
    moved = stored(web, study)
    assert moved.extracts == (Extract("one", "ann", (0, 1, 3)), Extract(ODD, "ann", (1,)))
    assert moved.summaries[0].units == (2, 3)


@pytest.mark.parametrize(("more", "words"), [
    ({"utilities": (Utilities("one", "bob", (1, 2, 3)),)}, "'bob' gave utilities"),
    ({"extracts": (Extract("one", "cy", (2,)), Extract("one", "ann", (0,)))}, "'ann' holds one"),
])  # fmt: skip
def test_a_join_that_would_falsify_uploaded_data_is_refused_and_changes_nothing(
    web, admin, more, words
):
    study = web.study(corpus=small_corpus(**more), state="draft")
    before = stored(web, study)
    answer = change(admin, study, 0, do="join", unit="0")
    assert answer.status_code == 422 and words in html.unescape(answer.text)
    assert stored(web, study) == before


@pytest.mark.parametrize(("data", "status", "words"), [
    ({"do": "split", "unit": "0"}, 422, "choose the word"),
    ({"do": "split", "unit": "0", "word": "99"}, 422, "choose the word"),
    ({"do": "split", "unit": "99", "word": "0"}, 422, "no such unit"),
    ({"do": "join", "unit": "2"}, 422, "last one of its document"),
    ({"do": "join", "unit": "-1"}, 422, "no unit -1"),
    ({"do": "dance"}, 400, "expected a button"),
    ({"do": "describe", "title": "x" * 501}, 422, "at most 500 characters"),
    ({"do": "describe", "language": "Klingonese"}, 422, "no language is named"),
    ({"do": "join", "unit": "0", "changes": "77"}, 409, "another window"),
])  # fmt: skip
def test_what_cannot_be_done_to_a_text_is_said(web, admin, data, status, words):
    study = web.study(corpus=small_corpus(), state="draft")
    before = stored(web, study)
    answer = change(admin, study, 0, **data)
    assert answer.status_code == status and words in html.unescape(answer.text)
    assert stored(web, study) == before


def test_title_language_and_genre_are_changed_and_odd_ids_do_no_harm(web, admin):
    study = web.study(corpus=small_corpus(), state="draft")
    for page in ("texts", "texts/1", "settings", "progress"):
        assert "<script>alert" not in admin.get(f"/studies/{study}/{page}").text
    data = {"title": " A  <b> title ", "language": "sv", "genre": "letter"}
    assert change(admin, study, 1, do="describe", **data).status_code == 200
    topic = stored(web, study).topics[1]
    assert (topic.id, topic.title, topic.language, topic.genre) == (
        ODD, "A <b> title", "sv", "letter",
    )  # fmt: skip


def test_a_removed_text_takes_its_data_along_and_is_no_longer_for_practice(web, admin):
    corpus = small_corpus(extracts=(Extract("one", "ann", (0,)), Extract(ODD, "ann", (1,))))
    study = web.study(corpus=corpus, state="draft", practice=ODD)
    change(admin, study, 1, do="remove")
    left = stored(web, study)
    assert [t.id for t in left.topics] == ["one"] and left.extracts == corpus.extracts[:1]
    assert state_of(web, study).settings.practice == ""
    assert admin.get(f"/studies/{study}/texts/1").status_code == 404


def test_texts_are_locked_while_the_study_is_open_and_once_there_are_answers(web, admin):
    study = web.study(corpus=small_corpus())
    data = {"do": "join", "unit": "0", "changes": "0"}
    refused = admin.post(f"/studies/{study}/texts/0", data)
    assert refused.status_code == 403 and "while the study is open" in refused.text
    web.informant(study)
    admin.post(f"/studies/{study}/state", {"state": "closed"})
    for path, sent in ((f"/studies/{study}/texts/0", data), (f"/studies/{study}/texts/upload", {})):
        refused = admin.post(path, sent)
        assert refused.status_code == 403 and "informants have begun to work" in refused.text
    assert "(1 answer)" in admin.get(f"/studies/{study}/texts").text
    assert "?unit=" not in admin.get(f"/studies/{study}/texts/0").text


# ── settings ──────────────────────────────────────────────────────────────


def settings_data(**more):
    data = {"name": "Study", "entry": "link", "per_text": "0", "per_informant": "0", "seed": "0"}
    return {**data, "shortest": "5", "longest": "60", "group": "", "drawn": "0",
            "metric": "rouge-1.recall", **more}  # fmt: skip


def test_settings_are_saved(web, admin):
    study = web.study(corpus=small_corpus())
    data = settings_data(
        name="New name", title="Title", welcome="Hello.\r\nYou.", consent="I agree", contact="me",
        language="en", entry="invited", per_text="3", per_informant="2", practice=ODD,
        repeat="yes", seed="7", shortest="10,5", longest="20 %", abstract="yes", group="1",
    )  # fmt: skip
    data |= {"question-0": "Age?", "choices-0": "young\nold", "name-0": ""}
    data |= {"question-1": "Trained?", "choices-1": "yes\r\n no \n", "name-1": "trained"}
    data |= {"question-2": " ", "choices-2": "", "name-2": ""}
    answer = admin.post(f"/studies/{study}/settings", data)
    assert answer.status_code == 200 and "Saved" in answer.text
    saved = state_of(web, study)
    assert saved.name == "New name"
    assert saved.settings == StudySettings(
        title="Title", welcome="Hello.\nYou.", consent="I agree", contact="me", language="en",
        questions=(
            Asked("question1", "Age?", ("young", "old")),
            Asked("trained", "Trained?", ("yes", "no")),
        ),
        group="trained", entry="invited", per_text=3, per_informant=2, practice=ODD, repeat=True,
        notes=False, seed=7, shortest=10.5, longest=20, abstract=True,
    )  # fmt: skip
    shown = admin.get(f"/studies/{study}/settings").text
    assert 'value="10.5"' in shown and "young\nold" in shown
    assert logged(web, study)[0][0] == "changed the settings"


@pytest.mark.parametrize(("data", "field", "words"), [
    ({"name": ""}, "name", "a name of 1 to 200"),
    ({"title": "x" * 201}, "title", "at most 200 characters, found 201"),
    ({"per_text": "-1"}, "per_text", "whole number from 0 to 100000"),
    ({"per_informant": "many"}, "per_informant", "whole number"),
    ({"seed": "9" * 30}, "seed", "whole number"),
    ({"shortest": "nan"}, "shortest", "a number from 0 to 100"),
    ({"longest": "101"}, "longest", "a number from 0 to 100"),
    ({"shortest": "60"}, "longest", "must be longer than the shortest"),
    ({"practice": "nothing"}, "practice", "Choose one of the list"),
    ({"language": "xx"}, "language", "Choose one of the list"),
    ({"question-0": "", "choices-0": "a\nb"}, "question-0", "Write the question"),
    ({"question-0": "Why?", "choices-0": "a\na"}, "choices-0", "different answers"),
    ({"question-0": "Why?", "choices-0": "a\n" + "b" * 81}, "choices-0", "at most 80"),
])  # fmt: skip
def test_what_is_wrong_stands_beside_its_field_and_nothing_is_saved(web, admin, data, field, words):
    study = web.study(corpus=small_corpus())
    before = state_of(web, study)
    answer = admin.post(f"/studies/{study}/settings", settings_data(**data))
    assert answer.status_code == 422
    beside = re.search(rf'id="{field}-wrong">(.*?)<', answer.text)
    assert beside and words in html.unescape(beside[1])
    assert state_of(web, study) == before


def test_questions_are_added_and_removed_without_saving_or_losing_what_was_typed(web, admin):
    study = web.study(corpus=small_corpus())
    typed = settings_data(title="Typed", group="1")
    typed |= {"question-0": "First?", "choices-0": "a\nb"}
    typed |= {"question-1": "Second?", "choices-1": "c\nd"}
    added = admin.post(f"/studies/{study}/settings", {**typed, "do": "add-question"}).text
    assert 'name="question-2"' in added and 'value="Typed"' in added
    removed = admin.post(f"/studies/{study}/settings", {**typed, "do": "remove-question-0"}).text
    assert (
        "First?" not in removed and 'id="question-0" name="question-0" value="Second?"' in removed
    )
    assert re.search(r'name="group" value="0" checked', removed)
    assert state_of(web, study).settings == StudySettings()


def test_a_task_has_only_its_own_settings(web, admin, monkeypatch):
    class Judging(ExtractTask):
        name, settings = "judging", ("scales", "with_source", "highest", "categories", "conditions")

    monkeypatch.setitem(tasks.TASKS, "judging", Judging())
    study = web.study("judging", small_corpus(), shortest=7)
    shown = admin.get(f"/studies/{study}/settings").text
    assert 'name="scales"' in shown and 'name="shortest"' not in shown
    data = settings_data(
        highest="5", scales="focus: bad, fair, good\n", categories="a\nb", conditions=["source"]
    )
    admin.post(f"/studies/{study}/settings", data)
    saved = state_of(web, study).settings
    assert saved.scales == {"focus": ("bad", "fair", "good")} and saved.shortest == 7
    assert (saved.highest, saved.categories, saved.conditions) == (5, ("a", "b"), ("source",))
    wrong = admin.post(
        f"/studies/{study}/settings", {**data, "scales": "focus: bad", "conditions": []}
    )
    assert "two or more different marks" in wrong.text and "Choose one or more" in wrong.text


def test_a_study_is_opened_closed_and_opened_again(web, admin):
    study = web.study(corpus=small_corpus(), state="draft")
    assert "not open" in web.visitor().get(f"/s/{study}").text
    for state in ("open", "closed", "open"):
        assert admin.post(f"/studies/{study}/state", {"state": state}).status_code == 200
        assert state_of(web, study).state == state
    assert admin.post(f"/studies/{study}/state", {"state": "draft"}).status_code == 400


def test_what_was_typed_is_saved_when_the_study_is_opened(web, admin):
    study = web.study(corpus=small_corpus(), state="draft")
    page = admin.get(f"/studies/{study}/settings").text
    assert 'form="settings" name="state" value="open"' in page and 'id="settings"' in page
    sent = settings_data(shortest="10", longest="40", state="open")
    admin.post(f"/studies/{study}/settings", sent)
    opened = state_of(web, study)
    assert opened.state == "open"
    assert (opened.settings.shortest, opened.settings.longest) == (10, 40)
    # What does not fit is not saved, and nothing is opened or closed by it.
    admin.post(f"/studies/{study}/settings", {**sent, "shortest": "90", "state": "closed"})
    assert state_of(web, study).state == "open"


def test_a_study_without_texts_is_not_opened(web, admin):
    study = web.study(corpus=small_corpus(), state="draft", practice="one")
    change(admin, study, 1, do="remove")
    refused = admin.post(f"/studies/{study}/state", {"state": "open"})
    assert refused.status_code == 422 and "only the practice text" in refused.text
    change(admin, study, 0, do="remove")
    assert admin.post(f"/studies/{study}/state", {"state": "open"}).status_code == 422
    assert state_of(web, study).state == "draft"


def test_a_text_of_which_no_choice_fits_the_lengths_is_named_and_not_given_out(web, admin):
    # The title and the lines without empty lines are one paragraph: 0 or 100 per cent.
    tram = b"Trams\nThe tram came late. It was full.\nPeople waited in the rain."
    answer = upload(admin, ("tram.txt", tram), unit="paragraph")
    study = answer.url.path.split("/")[2]
    warning = "Not given to informants: tram. No choice of whole units makes 5% to 60%"
    assert warning in words_of(answer)
    refused = admin.post(f"/studies/{study}/state", {"state": "open"})
    assert refused.status_code == 422 and warning in words_of(refused)
    assert state_of(web, study).state == "draft"
    # Beside a text that can be done the study opens, and says so.
    upload(admin, ("ferry.txt", TEXT.encode()), path=f"/studies/{study}/texts/upload")
    opened = admin.post(f"/studies/{study}/state", {"state": "open"})
    assert opened.status_code == 200 and warning in words_of(opened)
    heron = web.informant(study)
    heron.get(f"/s/{study}/next")
    with web.database.reading() as connection:
        assert [answer.item for answer in all_answers(connection, study)] == ['["ferry"]']


def test_a_study_is_deleted_only_when_its_name_is_typed(web, admin):
    study = web.study(corpus=small_corpus())
    web.informant(study)
    refused = admin.post(f"/studies/{study}/delete", {"typed": "study"})
    assert refused.status_code == 422 and "Nothing was deleted" in refused.text
    assert admin.post(f"/studies/{study}/delete", {"typed": "Study"}).url.path == "/studies"
    assert state_of(web, study) is None
    with web.database.reading() as connection:
        for table in ("topics", "people", "answers", "versions", "members"):
            assert not connection.exec_driver_sql(f"SELECT * FROM {table}").all(), table
    assert ("deleted the study", "Study") in logged(web, study)


# ── invitations ───────────────────────────────────────────────────────────


def test_personal_links_let_their_people_in(web, admin):
    study = web.study(corpus=small_corpus(), entry="invited")
    page = admin.post(f"/studies/{study}/invite", {"names": "Heron, students\n\n =Crane \n"})
    assert page.status_code == 200
    rows = list(csv.DictReader(io.StringIO(admin.get(f"/studies/{study}/invitations.csv").text)))
    assert [(row["name"], row["group"], row["joined"]) for row in rows] == [
        ("Heron", "students", ""), ("=Crane", "", ""),
    ]  # fmt: skip
    assert all(row["link"] in page.text for row in rows)
    assert web.visitor().get(f"/s/{study}").status_code == 403
    heron = web.visitor()
    assert "Heron" in heron.get(rows[0]["link"]).text
    assert heron.post(f"/s/{study}/join", {"consent": "yes"}).status_code == 200
    with web.database.reading() as connection:
        assert [p.joined is not None for p in people_of(connection, study)] == [True, False]
    # The log outlives the people, so that it names none.
    assert ("invited informants", "2") in logged(web, study)


def test_link_and_code_are_shown(web, admin):
    study = web.study(corpus=small_corpus())
    shown = admin.get(f"/studies/{study}/invite").text
    code = re.search(r'id="code" value="(\w+)"', shown)[1]
    assert f'value="http://127.0.0.1/s/{study}"' in shown
    assert web.visitor().post("/join", {"code": code}).url.path == f"/s/{study}"


@pytest.mark.parametrize(("names", "words"), [
    ("", "expected 1 to 1,000 names"),
    ("a\nb\na", "line 3: the name 'a' is taken"),
    ("a\n" + "x" * 41, "line 2: name: expected a name of 1 to 40 characters"),
    ("a\n, group", "line 2: name"),
    ("a," + "g" * 81, "line 1: expected a group of at most 80"),
    ("ann", "'ann' is somebody in the uploaded data"),
    ("\n".join(map(str, range(1001))), "found 1,001"),
])  # fmt: skip
def test_names_that_cannot_be_invited_are_named_by_their_line(web, admin, names, words):
    study = web.study(corpus=small_corpus(extracts=(Extract("one", "ann", (0,)),)))
    answer = admin.post(f"/studies/{study}/invite", {"names": names})
    assert answer.status_code == 422 and words in html.unescape(answer.text)
    with web.database.reading() as connection:
        assert people_of(connection, study) == []


def test_nobody_joins_by_the_name_of_somebody_in_the_uploaded_data(web):
    study = web.study(corpus=small_corpus(extracts=(Extract("one", "ann", (0,)),)))
    visitor = web.visitor()
    visitor.get(f"/s/{study}")
    refused = visitor.post(f"/s/{study}/join", {"name": " ann "})
    assert refused.status_code == 422 and "This name is taken" in refused.text


# ── progress, and deleting an informant ───────────────────────────────────


def work(visitor, study, place=1, units=("0",), do="submit", **more):
    path = f"/s/{study}/{place}"
    data = {"version": str(visitor.version(path)), "unit": list(units), "do": do, **more}
    assert visitor.post(path, data).status_code == 200


def test_progress_tells_texts_informants_and_notes(web, admin):
    study = web.study(corpus=small_corpus(), per_text=2, longest=90)
    heron, crane = web.informant(study, "Heron"), web.informant(study, "Crane")
    work(heron, study, note="A <b>typing</b> error.")
    work(crane, study, do="save")
    with web.database.writing() as connection:
        (submitted, begun) = all_answers(connection, study)
        connection.exec_driver_sql("UPDATE answers SET seconds = 250 WHERE given IS NOT NULL")
    assert submitted.given and begun.given is None
    told = words_of(admin.get(f"/studies/{study}/progress"))
    assert "2 informants, one answer submitted." in " ".join(told.split())
    assert re.search(r"Heron\s+–\s+0\s+1\s+4 min", told)
    assert re.search(r"Crane\s+–\s+1\s+0\s+under 1 min", told)
    assert "A <b>typing</b> error." in told
    # Each text has one of the two: least covered first.
    assert len(re.findall(r"(?:0\s+1|1\s+0)\s+2\s", told)) == 2


def test_an_informant_is_deleted_with_votes_and_versions_and_the_log_does_not_say_who(web, admin):
    study = web.study(corpus=small_corpus(), longest=90, questions=(Asked("q", "?", ("a", "b")),))
    heron = web.informant(study, "Heron", **{"q-q": "a"})
    crane = web.informant(study, "Crane", **{"q-q": "b"})
    work(heron, study, note="Mine.")
    work(crane, study)
    with web.database.reading() as connection:
        number = people_of(connection, study)[0].id
        assert len(web.site.corpora.whole(connection, find_study(connection, study)).extracts) == 2
    page = admin.get(f"/studies/{study}/people/{number}/delete")
    assert "Delete Heron?" in page.text and "the work on one text (1 submitted)" in page.text
    path = f"/studies/{study}/people/{number}/delete"
    assert admin.post(path).status_code == 422
    assert admin.post(path, {"confirm": "yes"}).url.path == f"/studies/{study}/progress"
    with web.database.reading() as connection:
        (left,) = web.site.corpora.whole(connection, find_study(connection, study)).extracts
        assert left.informant == "Crane"
        for table in ("people", "answers", "versions", "log"):
            rows = connection.exec_driver_sql(f"SELECT * FROM {table}").all()
            assert rows and "Heron" not in str(rows) and "Mine." not in str(rows), table
    assert heron.get(f"/s/{study}/1").status_code == 404
    assert admin.post(path, {"confirm": "yes"}).status_code == 404
    assert ("deleted an informant", "1 answers") in logged(web, study)


def test_nothing_of_a_deleted_informant_stays_in_the_file(web, admin, tmp_path):
    study = web.study(corpus=small_corpus(), longest=90)
    work(web.informant(study, "Quetzalcoatlus"), study, note="A pterosaur was here.")
    with web.database.reading() as connection:
        number = people_of(connection, study)[0].id
    web.database.close()
    kept = (tmp_path / "summetry.db").read_bytes()
    assert b"Quetzalcoatlus" in kept and b"A pterosaur was here." in kept
    admin.post(f"/studies/{study}/people/{number}/delete", {"confirm": "yes"})
    web.database.close()
    left = b"".join(path.read_bytes() for path in tmp_path.glob("summetry.db*"))
    assert b"Quetzalcoatlus" not in left and b"A pterosaur was here." not in left


# ── researchers and accounts ──────────────────────────────────────────────


def number_of(web, name):
    with web.database.reading() as connection:
        query = "SELECT id FROM researchers WHERE name = :name".replace(":name", "?")
        return connection.exec_driver_sql(query, (name,)).scalar_one()


def test_researchers_are_added_to_a_study_and_removed(web):
    study = web.study(corpus=small_corpus())
    ann, bob = web.researcher("ann", studies=[study]), web.researcher("bob")
    assert bob.get(f"/studies/{study}/settings").status_code == 404
    unknown = ann.post(f"/studies/{study}/members", {"member": "cy"})
    assert unknown.status_code == 422 and "No researcher has an account" in unknown.text
    ann.post(f"/studies/{study}/members", {"member": " bob "})
    assert bob.get(f"/studies/{study}/settings").status_code == 200
    remove = f"/studies/{study}/members/{number_of(web, 'ann')}/remove"
    assert bob.post(remove).status_code == 200
    assert ann.get(f"/studies/{study}/settings").status_code == 404
    assert bob.post(remove).status_code == 404
    last = bob.post(f"/studies/{study}/members/{number_of(web, 'bob')}/remove")
    assert last.status_code == 422 and "needs one researcher" in last.text


def test_an_administrator_adds_a_researcher_by_a_one_time_link(web, admin):
    page = admin.post("/accounts", {"name": "Dana"})
    link = re.search(r'value="http://127.0.0.1(/enter/[\w-]+)"', page.text)[1]
    dana = web.visitor()
    dana.get(link)
    assert dana.post(link).url.path == "/studies"
    assert dana.get("/accounts").status_code == 404 and dana.get("/log").status_code == 404
    assert dana.post(link).status_code == 404
    # A used link leads those who are logged in on, and offers nobody a button that does nothing.
    assert dana.get(link).url.path == "/studies"
    late = web.visitor().get(link)
    assert late.status_code == 404 and "was used already" in late.text
    assert "<button" not in late.text


def test_a_password_is_set_on_ones_own_account(web, admin):
    mine = {"new": "a long password", "again": "a long password"}
    assert admin.post("/account", mine).status_code == 200
    wrong = admin.post("/account", {**mine, "old": "something else"})
    assert wrong.status_code == 422 and "This is not your password" in wrong.text
    short = admin.post("/account", {"old": "a long password", "new": "short", "again": "short"})
    assert "10 or more characters" in short.text
    other = admin.post("/account", {"old": "a long password", "new": "another one!", "again": "x"})
    assert "not the same" in other.text
    elsewhere = web.visitor()
    elsewhere.get("/login")
    data = {"name": "admin", "password": "a long password"}
    assert elsewhere.post("/login", data).url.path == "/studies"
    changed = {"old": "a long password", "new": "another one!", "again": "another one!"}
    assert admin.post("/account", changed).status_code == 200
    assert admin.get("/studies").url.path == "/studies"
    assert elsewhere.get("/studies").url.path == "/login"
    with web.database.reading() as connection:
        kept = connection.exec_driver_sql("SELECT password FROM researchers").scalar_one()
    assert kept.startswith("$argon2id$")


def test_an_account_is_reset_by_a_new_link_which_ends_the_old_password_and_sessions(web, admin):
    bob = web.researcher("bob", "correct horse battery")
    page = admin.post(f"/accounts/{number_of(web, 'bob')}", {"do": "reset"})
    link = re.search(r'value="http://127.0.0.1(/enter/[\w-]+)"', page.text)[1]
    assert bob.get("/studies").url.path == "/login"
    data = {"name": "bob", "password": "correct horse battery"}
    assert bob.post("/login", data).status_code == 401
    bob.get(link)
    assert bob.post(link).url.path == "/studies"


def test_accounts_are_made_administrators_and_removed_but_one_administrator_stays(web, admin):
    study = web.study(corpus=small_corpus())
    web.researcher("bob", studies=[study])
    own, other = (f"/accounts/{number_of(web, name)}" for name in ("admin", "bob"))
    for action in ("no-admin", "remove"):
        refused = admin.post(own, {"do": action, "confirm": "yes"})
        assert refused.status_code == 422 and "only administrator" in refused.text
    assert admin.post(own, {"do": "reset"}).status_code == 422
    assert admin.post(other, {"do": "dance"}).status_code == 400
    assert admin.post(other, {"do": "admin"}).status_code == 200
    assert admin.post(other, {"do": "no-admin"}).status_code == 200
    assert admin.post(other, {"do": "remove"}).status_code == 422
    assert "bob" not in admin.post(other, {"do": "remove", "confirm": "yes"}).text
    assert admin.post(other, {"do": "remove", "confirm": "yes"}).status_code == 404
    assert state_of(web, study) is not None
    actions = [action for action, _ in logged(web)]
    assert actions[:3] == ["removed an account", "made a researcher", "made an administrator"]


def test_the_cookie_of_a_removed_account_does_not_open_the_next_one(web, admin):
    bob = web.researcher("bob")
    admin.post(f"/accounts/{number_of(web, 'bob')}", {"do": "remove", "confirm": "yes"})
    web.researcher("eve")
    assert bob.get("/studies").url.path == "/login"


@pytest.mark.parametrize(("data", "words"), [
    ({"name": ""}, "expected a name of 1 to 80 characters"),
    ({"name": "admin"}, "there is an account 'admin' already"),
    ({"name": "eve", "password": "short"}, "expected 10 or more characters"),
])  # fmt: skip
def test_an_account_that_cannot_be_added_is_said(admin, data, words):
    answer = admin.post("/accounts", data)
    assert answer.status_code == 422 and words in html.unescape(answer.text)


def test_the_log_of_a_study_is_its_own_and_an_administrator_sees_everything(web, admin):
    mine, other = web.study(corpus=small_corpus()), web.study(corpus=small_corpus())
    ann = web.researcher("ann", studies=[mine])
    admin.post(f"/studies/{other}/state", {"state": "closed"})
    ann.post(f"/studies/{mine}/state", {"state": "closed"})
    own = words_of(ann.get(f"/studies/{mine}/log"))
    assert "ann closed the study" in " ".join(own.split()) and "admin closed" not in own
    assert ann.get(f"/studies/{other}/log").status_code == 404
    everything = " ".join(words_of(admin.get("/log")).split())
    assert f"admin closed the study {other}" in everything and mine in everything


PATHS = (
    "texts", "texts/0", "settings", "invite", "invitations.csv", "progress", "log",
    "people/1/delete",
)  # fmt: skip
POSTS = (
    "texts/0", "texts/upload", "settings", "state", "delete", "members", "members/1/remove",
    "invite", "people/1/delete",
)  # fmt: skip


def test_pages_of_a_study_are_for_its_researchers_only(web):
    study = web.study(corpus=small_corpus())
    heron, other = web.informant(study), web.researcher("other")
    for path in PATHS:
        assert heron.get(f"/studies/{study}/{path}").url.path == "/login"
        assert other.get(f"/studies/{study}/{path}").status_code == 404, path
    for path in POSTS:
        data = {"confirm": "yes", "typed": "Study", "state": "closed", "names": "x"}
        assert heron.post(f"/studies/{study}/{path}", data).url.path == "/login"
        assert other.post(f"/studies/{study}/{path}", data).status_code == 404, path
    for path in ("/accounts", "/account", "/log", "/studies/new"):
        assert heron.get(path).url.path == "/login"
    assert state_of(web, study).is_open


def test_a_study_is_run_on_postgresql_too(web_on_postgres):
    web = web_on_postgres
    admin = web.admin()
    answer = upload(admin, ("ferry.txt", TEXT.encode()), ("lake.txt", TEXT.encode()))
    study = answer.url.path.split("/")[2]
    assert change(admin, study, 0, do="split", unit="1", word="2").status_code == 200
    assert change(admin, study, 0, do="join", unit="3").status_code == 200
    assert change(admin, study, 1, do="remove").status_code == 200
    path = f"/studies/{study}/texts/upload"
    assert upload(admin, ("new.txt", TEXT.encode()), path=path).status_code == 200
    assert upload(admin, ("new.txt", TEXT.encode()), path=path).status_code == 422
    assert [t.id for t in stored(web, study).topics] == ["ferry", "new"]
    data = settings_data(longest="90", name="On PostgreSQL", notes="yes")
    assert admin.post(f"/studies/{study}/settings", data).status_code == 200
    admin.post(f"/studies/{study}/state", {"state": "open"})
    assert admin.post(f"/studies/{study}/invite", {"names": "a\nb\na"}).status_code == 422
    heron = web.informant(study)
    work(heron, study, note="Hello.")
    assert "Hello." in admin.get(f"/studies/{study}/progress").text
    with web.database.reading() as connection:
        (person,) = people_of(connection, study)
    admin.post(f"/studies/{study}/people/{person.id}/delete", {"confirm": "yes"})
    with web.database.reading() as connection:
        assert people_of(connection, study) == [] == all_answers(connection, study)
    admin.post(f"/studies/{study}/delete", {"typed": "On PostgreSQL"})
    assert state_of(web, study) is None


# ── settings and answers that were given ──────────────────────────────────


def seen(visitor, study):
    """What a settings page that is opened now says it shows."""
    page = visitor.get(f"/studies/{study}/settings").text
    return html.unescape(re.search(r'name="seen" value="([^"]+)"', page)[1])


def test_two_windows_that_change_different_settings_keep_both(web, admin):
    study = web.study(corpus=small_corpus(), state="draft")
    first = second = seen(admin, study)
    path = f"/studies/{study}/settings"
    admin.post(path, settings_data(title="One", shortest="10", seen=first))
    answer = admin.post(path, settings_data(contact="ada@example.org", seen=second))
    assert answer.status_code == 200
    saved = state_of(web, study).settings
    assert (saved.title, saved.shortest, saved.contact) == ("One", 10, "ada@example.org")


def test_settings_that_were_changed_in_another_window_are_not_overwritten_unseen(web, admin):
    study = web.study(corpus=small_corpus(), state="draft")
    first = second = seen(admin, study)
    path = f"/studies/{study}/settings"
    admin.post(path, settings_data(title="One", contact="ada@example.org", seen=first))
    answer = admin.post(path, settings_data(title="Two", seen=second))
    assert answer.status_code == 409
    assert "Nothing was saved: other settings were saved meanwhile" in words_of(answer)
    assert "Title (“One”)." in words_of(answer)
    # What was typed is still there, and what was saved before too, also in the other fields.
    assert 'value="Two"' in answer.text and 'value="ada@example.org"' in answer.text
    assert state_of(web, study).settings.title == "One"
    # The form now knows what there is, so that the second one may win.
    known = html.unescape(re.search(r'name="seen" value="([^"]+)"', answer.text)[1])
    again = admin.post(path, settings_data(title="Two", contact="ada@example.org", seen=known))
    assert again.status_code == 200
    saved = state_of(web, study).settings
    assert (saved.title, saved.contact) == ("Two", "ada@example.org")


def test_opening_the_study_meanwhile_does_not_stop_the_settings(web, admin):
    study = web.study(corpus=small_corpus(), state="draft")
    known = seen(admin, study)
    admin.post(f"/studies/{study}/state", {"state": "open"})
    answer = admin.post(f"/studies/{study}/settings", settings_data(title="One", seen=known))
    assert answer.status_code == 200 and state_of(web, study).settings.title == "One"


def test_what_was_typed_about_a_text_stays_where_another_window_was_first(web, admin):
    study = web.study(corpus=small_corpus(), state="draft")
    data = {"do": "describe", "title": "Mine", "language": "", "genre": "", "changes": "77"}
    answer = admin.post(f"/studies/{study}/texts/0", data)
    assert answer.status_code == 409 and "in another window" in words_of(answer)
    assert 'value="Mine"' in answer.text and stored(web, study).topics[0].title == "First"


def judged(web, task="judgment", **settings):
    """A study with a summary that Heron has judged."""
    summaries = (Summary("one", "lead", "candidate", text="A b c."),)
    corpus = small_corpus(summaries=summaries)
    study = web.study(task, corpus, **settings)
    return study, web.informant(study)


SCALES = {"focus": ("bad", "fair", "good"), "size": ("1", "2")}


@pytest.mark.parametrize(("scales", "words"), [
    ("focus: bad, good\nsize: 1, 2", "“focus: fair” (1 answer by Heron)"),
    ("size: 1, 2", "“focus” (1 answer by Heron)"),
    ("focus: bad, fair, good", "“size” (1 answer by Heron)"),
])  # fmt: skip
def test_a_scale_that_answers_need_cannot_be_taken_away(web, admin, scales, words):
    study, heron = judged(web, scales=SCALES)
    path = f"/s/{study}/1"
    heron.get(f"/s/{study}/next")
    heron.post(path, {"version": heron.version(path), "d0": "1", "d1": "1", "do": "submit"})
    assert [one.value for one in web.whole(study).judgments] == ["fair", 2]
    before = web.whole(study).judgments
    answer = admin.post(f"/studies/{study}/settings", settings_data(scales=scales))
    assert answer.status_code == 422 and words in words_of(answer)
    assert web.whole(study).judgments == before
    more = "focus: awful, bad, fair, good\nsize: 1, 2, 3\nstyle: no, yes"
    assert admin.post(f"/studies/{study}/settings", settings_data(scales=more)).status_code == 200
    assert web.whole(study).judgments == before
    assert "style" in state_of(web, study).settings.scales


def test_the_order_of_marks_that_answers_use_cannot_be_turned(web, admin):
    summaries = [Summary("one", name, "candidate", text="A b c.") for name in ("lead", "last")]
    study = web.study("judgment", small_corpus(summaries=tuple(summaries)), scales=SCALES)
    heron = web.informant(study)
    for place, mark in ((1, "0"), (2, "2")):
        heron.get(f"/s/{study}/next")
        path = f"/s/{study}/{place}"
        heron.post(path, {"version": heron.version(path), "d0": mark, "d1": "1", "do": "submit"})
    turned = settings_data(scales="focus: good, fair, bad\nsize: 1, 2")
    answer = admin.post(f"/studies/{study}/settings", turned)
    assert answer.status_code == 422
    assert "“focus: bad, good” (2 answers by Heron)" in words_of(answer)


def test_a_category_and_a_utility_that_were_given_stay(web, admin):
    study = web.study("category", small_corpus(), categories=("news", "sport"))
    heron = web.informant(study)
    heron.get(f"/s/{study}/next")
    path = f"/s/{study}/1"
    heron.post(path, {"version": heron.version(path), "category": "1", "do": "submit"})
    settings = f"/studies/{study}/settings"
    answer = admin.post(settings, settings_data(categories="news\nfood"))
    assert answer.status_code == 422 and "“sport” (1 answer by Heron)" in words_of(answer)
    assert admin.post(settings, settings_data(categories="sport\nfood")).status_code == 200

    study = web.study("utility", small_corpus(), name="Values")
    heron = web.informant(study)
    heron.get(f"/s/{study}/next")
    path = f"/s/{study}/1"
    values = {f"v{number}": "7" for number in range(3)}
    units = len(re.findall(r'id="u\d+"', heron.get(path).text))
    values = dict(list(values.items())[:units])
    heron.post(path, {"version": heron.version(path), **values, "do": "submit"})
    answer = admin.post(f"/studies/{study}/settings", settings_data(highest="6"))
    assert answer.status_code == 422 and "“7” (1 answer by Heron)" in words_of(answer)


# ── units, titles, what was uploaded ──────────────────────────────────────


def test_a_word_of_a_text_is_joined_with_the_next_and_a_title_goes_back(web, admin):
    text = b"The old quay\n\nIt is well-known. Nobody goes there."
    answer = upload(admin, ("quay.txt", text), unit="word", titles="yes")
    study = answer.url.path.split("/")[2]
    assert "The first line of 1 text is taken as the title" in answer.text
    shown = admin.get(f"/studies/{study}/texts/0?unit=2")
    assert "The old quay</h1>" in shown.text and 'aria-current="true">well</a>-<a' in shown.text
    change(admin, study, 0, do="join", unit="2")
    assert stored(web, study).topics[0].units[2] == "well-known"
    shown = change(admin, study, 0, do="title-back")
    assert stored(web, study).topics[0].units[:4] == ("The", "old", "quay", "It")
    assert "looks like a title" in shown.text and ">quay</h1>" in shown.text
    change(admin, study, 0, do="title-take")
    topic = stored(web, study).topics[0]
    assert (topic.title, topic.units[2]) == ("The old quay", "well-known")


def test_a_title_is_not_put_back_where_extracts_refer_to_the_units(web, admin):
    document = Document("d", text="It sank. Nobody swam.", units=("It sank.", "Nobody swam."))
    topic = Topic("t", "A", documents=(document,), meta={"first_line": "A"})
    corpus = replace(Corpus("c", "en"), topics=(topic,), extracts=(Extract("t", "ann", (1,)),))
    study = web.study(corpus=corpus, state="draft")
    answer = change(admin, study, 0, do="title-back")
    assert answer.status_code == 422 and "refers to the units of this text" in answer.text
    assert stored(web, study).topics == (topic,)


def test_units_that_do_not_exist_are_not_cut(admin):
    answer = upload(admin, ("a.txt", b"It sank."), unit="letter")
    assert answer.status_code == 422 and "choose one of the list" in answer.text


def test_uploaded_judgments_count_as_answers(web, admin):
    summaries = (Summary("one", "lead", "candidate", text="A b c."),)
    judgments = tuple(
        Judgment("one", "lead", judge, dimension, 3)
        for judge in ("ann", "bob")
        for dimension in ("focus", "style")
    )
    corpus = small_corpus(summaries=summaries, judgments=judgments)
    study = web.study("judgment", corpus)
    shown = words_of(admin.get(f"/studies/{study}"))
    assert "2 answers" in " ".join(shown.split())
    cells = re.findall(r"<td>(\d+)</td>", admin.get(f"/studies/{study}").text)
    assert cells == ["2", "0"]


def test_an_export_that_cannot_be_made_shows_its_form_again(web, admin):
    study = web.study()
    path = f"/studies/{study}/export/corpus.zip"
    answer = admin.get(f"{path}?format=mead&length=lots&ties=inclusion")
    assert answer.status_code == 422 and "lots" in words_of(answer)
    assert 'name="length" class="short" value="lots"' in answer.text
    assert '<option value="mead" selected>' in answer.text
    assert '<option value="inclusion" selected>' in answer.text
    assert ("exported", "mead") not in logged(web, study)
    assert admin.get(f"{path}?format=mead&length=30%25").status_code == 200


def test_a_format_that_would_hold_nothing_of_a_study_is_not_offered_and_says_what_it_needs(
    web, admin
):
    study = web.study(corpus=small_corpus())
    path = f"/studies/{study}/export"
    page = admin.get(path).text
    assert '<option value="ducview"' not in page and '<option value="scu_xml"' not in page
    for form, lacking in (
        ("ducview", "the study has no pyramids"),
        ("scu_xml", "the study has no sentences labelled with content units"),
        ("rouge_xml(texts=SEE)", "the study has no summaries; add references"),
    ):
        answer = admin.get(f"{path}/corpus.zip", params={"format": form})
        assert answer.status_code == 422 and lacking in alert(answer)


def test_an_export_that_a_writer_refuses_names_no_folder_of_the_server(web, admin):
    study = web.study(corpus=replace(Corpus("odd", "en"), topics=(Topic("a"),)), name="Odd")
    answer = admin.get(f"/studies/{study}/export/corpus.zip", params={"format": "plain"})
    assert answer.status_code == 422
    assert alert(answer).startswith("odd: nothing of this corpus has a place in this format")


def test_a_text_whose_reference_was_saved_from_the_votes_gets_no_second_one(web, admin):
    extracts = tuple(Extract(topic, "ann", (0,)) for topic in ("one", ODD))
    saved = Summary("one", "majority: 30%, inclusion", "reference", units=(1,))
    study = web.study(corpus=small_corpus(extracts=extracts, summaries=(saved,)))
    path = f"/studies/{study}/export"
    assert "1 text keeps the reference that was saved from its votes." in words_of(admin.get(path))
    sent = admin.get(f"{path}/corpus.zip", params={"format": "csv", "length": "50%"})
    with zipfile.ZipFile(io.BytesIO(sent.content)) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith("/references.csv")]
        rows = list(csv.DictReader(io.StringIO(archive.read(name).decode())))
    assert [(row["id"], row["author"]) for row in rows] == [
        ("one", "majority: 30%, inclusion"),
        (ODD, "majority"),
    ]


def test_folders_of_plain_texts_have_names_that_every_system_unpacks(web, admin):
    authors = ("majority: 30%, inclusion", "editor: Eve", "a?", "a*", "ann  b")
    summaries = tuple(Summary("one", author, "reference", units=(0,)) for author in authors)
    corpus = small_corpus(summaries=summaries)
    study = web.study(corpus=replace(corpus, topics=corpus.topics[:1]), name="Names")
    sent = admin.get(f"/studies/{study}/export/corpus.zip", params={"format": "plain"})
    names = zipfile.ZipFile(io.BytesIO(sent.content)).namelist()
    folders = {name.split("/")[2] for name in names if "/references/" in name}
    # Names that would become the same one stay apart.
    assert folders - {""} == {"majority 30%, inclusion", "editor Eve", "a?", "a*", "ann  b"}


@pytest.mark.parametrize("length", ["abc", "200%", "0"])
def test_a_length_that_cannot_be_is_told_at_its_field(web, admin, length):
    study = web.study()
    answer = admin.get(f"/studies/{study}/export/corpus.zip", params={"length": length})
    assert answer.status_code == 422 and answer.text.count('role="alert"') == 1
    assert '<p class="error" id="length-wrong" role="alert">' in answer.text


def test_where_units_are_words_the_export_says_what_mead_makes_of_them(web, admin):
    words = Topic("one", unit="word", documents=(Document("d", units=("A", "ferry")),))
    by_words = web.study(corpus=replace(Corpus("words", "en"), topics=(words,)), name="Words")
    by_sentences = web.study(corpus=small_corpus(), name="Sentences")
    hint = "MEAD calls every unit a sentence."
    assert hint in admin.get(f"/studies/{by_words}/export").text
    assert hint not in admin.get(f"/studies/{by_sentences}/export").text


def alert(answer):
    return html.unescape(re.search(r'role="alert">([^<]*)<', answer.text)[1])
