"""A new study and its texts: uploaded, cut, joined, described, removed; what is refused."""

import html
import re

import pytest
from web_content import ODD, TEXT, corpus_of, settings_data, small_corpus, upload, words_of

from summetry.records.judgments import Utilities
from summetry.records.summaries import Extract, Summary
from summetry.records.topics import Document, Topic
from summetry.web.store.accounts import members_of
from summetry.web.store.answers import all_answers

FERRY = ("ferry.txt", TEXT.encode())


def change(visitor, study, number, **data):
    """Send a form of a text's page, as it is shown now."""
    page = visitor.get(f"/studies/{study}/texts/{number}").text
    changes = re.search(r'name="changes" value="(\d+)"', page)
    data.setdefault("changes", changes[1] if changes else "0")
    return visitor.post(f"/studies/{study}/texts/{number}", data)


@pytest.fixture
def draft(web):
    return web.study(corpus=small_corpus(), state="draft")


def study_of(answer):
    """The study whose page answers."""
    return answer.url.path.split("/")[2]


# ── a new study ───────────────────────────────────────────────────────────


def test_a_study_is_made_by_uploading_texts(web):
    answer = upload(web.researcher("ann"), FERRY, ("empty.txt", b"\n"))
    assert answer.status_code == 200 and answer.url.path.endswith("/texts")
    assert "The language is guessed: English" in answer.text
    assert "'empty.txt' is empty, so nobody is given it." in words_of(answer)
    study = study_of(answer)
    topics = [(topic.id, topic.genre, len(topic.units)) for topic in web.uploaded(study).topics]
    assert ("ferry", "news", 4) in topics and len(topics) == 2
    assert web.find(study).state == "draft"
    assert [member.name for member in web.read(members_of, study)] == ["ann"]
    assert ("made the study", "Ferries") in web.log(study)


A = ("a.txt", b"Text.")


@pytest.mark.parametrize("data, files, words", [
    ({"name": " "}, [A], "a name of 1 to 200 characters"),
    ({"task": "dance"}, [A], "Choose one of the list"),
    ({}, [], "choose one or more files"),
    ({"language": "Klingonese"}, [A], "no language is named"),
    ({"unit": "letter"}, [A], "choose one of the list"),
    ({"task": "judgment"}, [A], "needs summaries"),
    ({}, [("a.txt", b" \n ")], "'a.txt' is empty"),
    ({}, [("a.csv", b"x,y\n1,A ferry\n2,sank\n")], "name the columns as in id,system"),
    ({}, [("a.csv", b"id,summary,bart\n1,A ferry sank.,It sank.\n2,So.,It is.\n")],
     "rename the column summary to candidate and bart to source, or rename the column summary to"),
])  # fmt: skip
def test_what_is_wrong_with_a_new_study_is_said_on_its_page(web, admin, data, files, words):
    answer = upload(admin, *files, **data)
    assert answer.status_code == 422 and words in html.unescape(answer.text)
    with web.database.reading() as connection:
        assert not connection.exec_driver_sql("SELECT * FROM studies").all()


@pytest.mark.parametrize("is_declared", [True, False])
def test_a_request_that_is_too_large_ends_at_the_limit(web, admin, is_declared):
    web.app.middleware_stack = None
    web.app.user_middleware[0].kwargs["upload"] = 1000
    if is_declared:
        answer = upload(admin, ("a.txt", b"x" * 2000))
    else:
        head = b'--x\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\n'
        answer = admin.client.post(
            "/studies/new/upload",
            content=iter([head, *[b"x" * 500] * 10, b"\r\n--x--\r\n"]),
            headers={"content-type": "multipart/form-data; boundary=x"},
        )
    assert answer.status_code == 413 and "too large" in answer.text


def test_further_uploads_add_texts_and_refuse_ids_and_people_that_are_there(web, admin, draft):
    path = f"/studies/{draft}/texts/upload"
    swedish = "Färjan slog i en brygga och den sjönk.".encode()
    assert upload(admin, ("two.txt", swedish), path=path).status_code == 200
    corpus = web.uploaded(draft)
    assert [(t.id, corpus.language_of(t)) for t in corpus.topics][2] == ("two", "sv")
    admin.post(f"/studies/{draft}/invite", {"names": "Heron"})
    table = b"id,source,system,summary\nnew,Some text here.,Heron,Some text.\n"
    for files, words in (
        ([("two.txt", TEXT.encode()), ("new.txt", TEXT.encode())], "'two'; rename them"),
        ([("t.csv", table)], "'Heron' is somebody in the upload and was invited"),
    ):
        answer = upload(admin, *files, path=path)
        assert answer.status_code == 422 and words in html.unescape(answer.text)
    assert len(web.uploaded(draft).topics) == 3


# ── units ─────────────────────────────────────────────────────────────────


def test_a_unit_is_split_at_a_word_and_joined_again(web, admin, draft):
    def press(unit, button, **word):
        assert admin.get(f"/studies/{draft}/texts/0?unit={unit}").status_code == 200
        assert admin.press(button, **word).status_code == 200
        return web.uploaded(draft).topics[0].units

    # Of "g", "h" and "i." the second.
    assert press(2, "Cut here", word="1") == ("A b c.", "D e.", "F g", "h i.")
    press(2, "Join with the next")
    assert press(0, "Join with the next") == ("A b c. D e.", "F g h i.")
    assert ("changed a text", "split: one") in web.log(draft)
    # A unit that cannot be is as none.
    assert "Cut here" not in admin.get(f"/studies/{draft}/texts/0?unit=x").text


def test_what_refers_to_units_moves_with_them(web, admin):
    extracts = (Extract("one", "ann", (0, 2)), Extract(ODD, "ann", (1,)))
    summaries = (Summary("one", "lead", "candidate", units=(1, 2)),)
    study = web.study(corpus=small_corpus(extracts=extracts, summaries=summaries), state="draft")
    change(admin, study, 0, do="split", unit="0", word="0")
    moved = web.uploaded(study)
    assert moved.extracts == (Extract("one", "ann", (0, 1, 3)), Extract(ODD, "ann", (1,)))
    assert moved.summaries[0].units == (2, 3)


JOIN = {"do": "join", "unit": "0"}


@pytest.mark.parametrize("more, data, status, words", [
    ({}, {"do": "split", "unit": "0"}, 422, "choose the word"),
    ({}, {"do": "split", "unit": "0", "word": "99"}, 422, "choose the word"),
    ({}, {"do": "split", "unit": "99", "word": "0"}, 422, "no such unit"),
    ({}, {"do": "join", "unit": "2"}, 422, "last one of its document"),
    ({}, {"do": "join", "unit": "-1"}, 422, "no unit -1"),
    ({}, {"do": "dance"}, 400, "expected a button"),
    ({}, {"do": "describe", "title": "x" * 501}, 422, "at most 500 characters"),
    ({}, {"do": "describe", "language": "Klingonese"}, 422, "no language is named"),
    ({}, {**JOIN, "changes": "77"}, 409, "another window"),
    ({"utilities": (Utilities("one", "bob", (1, 2, 3)),)}, JOIN, 422, "'bob' gave utilities"),
    ({"extracts": (Extract("one", "cy", (2,)), Extract("one", "ann", (0,)))}, JOIN, 422,
     "'ann' holds one"),
])  # fmt: skip
def test_what_cannot_be_done_to_a_text_is_said(web, admin, more, data, status, words):
    study = web.study(corpus=small_corpus(**more), state="draft")
    before = web.uploaded(study)
    answer = change(admin, study, 0, **data)
    assert answer.status_code == status and words in html.unescape(answer.text)
    assert web.uploaded(study) == before


def test_title_language_and_genre_are_changed_and_odd_ids_do_no_harm(web, admin, draft):
    for page in ("texts", "texts/1", "settings", "progress"):
        assert "<script>alert" not in admin.get(f"/studies/{draft}/{page}").text
    admin.get(f"/studies/{draft}/texts/1")
    admin.press("Save", title=" A  <b> title ", language="sv", genre="letter")
    topic = web.uploaded(draft).topics[1]
    described = (topic.id, topic.title, topic.language, topic.genre)
    assert described == (ODD, "A <b> title", "sv", "letter")
    # What was typed stays where another window was first.
    data = {"do": "describe", "title": "Mine", "language": "", "genre": "", "changes": "77"}
    answer = admin.post(f"/studies/{draft}/texts/0", data)
    assert answer.status_code == 409 and "in another window" in words_of(answer)
    assert 'value="Mine"' in answer.text and web.uploaded(draft).topics[0].title == "First"


def test_texts_are_locked_while_the_study_is_open_and_once_there_are_answers(web, admin):
    study = web.study(corpus=small_corpus())

    def assert_locked(path, data, words):
        refused = admin.post(f"/studies/{study}/texts/{path}", data)
        assert refused.status_code == 403 and words in refused.text

    assert_locked("0", {**JOIN, "changes": "0"}, "while the study is open")
    web.informant(study)
    admin.post(f"/studies/{study}/state", {"state": "closed"})
    assert_locked("0", {**JOIN, "changes": "0"}, "informants have begun to work")
    assert_locked("upload", {}, "informants have begun to work")
    assert "(1 answer)" in admin.get(f"/studies/{study}/texts").text
    assert "?unit=" not in admin.get(f"/studies/{study}/texts/0").text


def test_a_word_of_a_text_is_joined_with_the_next_and_a_title_goes_back(web, admin):
    text = b"The old quay\n\nIt is well-known. Nobody goes there."
    answer = upload(admin, ("quay.txt", text), unit="word", titles="yes")
    study = study_of(answer)

    def topic():
        return web.uploaded(study).topics[0]

    assert "The first line of 1 text is taken as the title" in answer.text
    shown = admin.get(f"/studies/{study}/texts/0?unit=2")
    assert "The old quay</h1>" in shown.text and 'aria-current="true">well</a>-<a' in shown.text
    admin.press("Join with the next")
    assert topic().units[2] == "well-known"
    shown = admin.press("Put it back into the text")
    assert topic().units[:4] == ("The", "old", "quay", "It")
    assert "looks like a title" in shown.text and ">quay</h1>" in shown.text
    admin.press("Take it as the title")
    assert (topic().title, topic().units[2]) == ("The old quay", "well-known")


def test_a_title_is_not_put_back_where_extracts_refer_to_the_units(web, admin):
    document = Document("d", text="It sank. Nobody swam.", units=("It sank.", "Nobody swam."))
    topic = Topic("t", "A", documents=(document,), meta={"first_line": "A"})
    corpus = corpus_of(topic, extracts=(Extract("t", "ann", (1,)),))
    study = web.study(corpus=corpus, state="draft")
    answer = change(admin, study, 0, do="title-back")
    assert answer.status_code == 422 and "refers to the units of this text" in answer.text
    assert web.uploaded(study).topics == (topic,)


# ── opening ───────────────────────────────────────────────────────────────


def test_a_study_without_texts_is_not_opened(web, admin):
    study = web.study(corpus=small_corpus(), state="draft", practice="one")
    admin.get(f"/studies/{study}/texts/1")
    admin.press("Remove it")
    assert admin.get(f"/studies/{study}/texts/1").status_code == 404
    refused = admin.post(f"/studies/{study}/state", {"state": "open"})
    assert refused.status_code == 422 and "only the practice text" in refused.text
    change(admin, study, 0, do="remove")
    assert admin.post(f"/studies/{study}/state", {"state": "open"}).status_code == 422
    assert web.find(study).state == "draft"


def test_a_text_of_which_no_choice_fits_the_lengths_is_named_and_not_given_out(web, admin):
    # The title and the lines without empty lines are one paragraph: 0 or 100 per cent.
    tram = b"Trams\nThe tram came late. It was full.\nPeople waited in the rain."
    answer = upload(admin, ("tram.txt", tram), unit="paragraph")
    study = study_of(answer)
    state = (f"/studies/{study}/state", {"state": "open"})
    warning = "Not given to informants: tram. No choice of whole units makes 5% to 60%"
    assert warning in words_of(answer)
    refused = admin.post(*state)
    assert refused.status_code == 422 and warning in words_of(refused)
    assert web.find(study).state == "draft"
    # Beside a text that can be done the study opens, and says so.
    upload(admin, FERRY, path=f"/studies/{study}/texts/upload")
    opened = admin.post(*state)
    assert opened.status_code == 200 and warning in words_of(opened)
    web.informant(study).get(f"/s/{study}/next")
    assert [answer.item for answer in web.read(all_answers, web.find(study))] == ['["ferry"]']


def test_a_study_is_run_on_postgresql_too(web_on_postgres):
    web, admin = web_on_postgres, web_on_postgres.admin()
    study = study_of(upload(admin, FERRY, ("lake.txt", TEXT.encode())))
    for number, data in ((0, {"do": "split", "unit": "1", "word": "2"}),
                         (0, {"do": "join", "unit": "3"}), (1, {"do": "remove"})):  # fmt: skip
        assert change(admin, study, number, **data).status_code == 200
    for status in (200, 422):
        path = f"/studies/{study}/texts/upload"
        assert upload(admin, ("new.txt", TEXT.encode()), path=path).status_code == status
    assert [t.id for t in web.uploaded(study).topics] == ["ferry", "new"]
    data = settings_data(longest="90", name="On PostgreSQL", notes="yes", return_after="0")
    assert admin.post(f"/studies/{study}/settings", data).status_code == 200
    admin.post(f"/studies/{study}/state", {"state": "open"})
    assert admin.post(f"/studies/{study}/invite", {"names": "a\nb\na"}).status_code == 422
    heron = web.informant(study)
    for data in ({"unit": ["0"]}, {"unit": ["0", "1"]}, {"do": "undo"}):
        assert heron.send(study, **data).status_code == 200
    heron.send(study, unit=["0"], note="Hello.", do="submit")
    assert "Hello." in admin.get(f"/studies/{study}/progress").text
    (person,) = web.people(study)
    admin.post(f"/studies/{study}/people/{person.id}/delete", {"confirm": "yes"})
    assert web.people(study) == [] == web.read(all_answers, web.find(study))
    admin.post(f"/studies/{study}/delete", {"typed": "On PostgreSQL"})
    assert web.find(study) is None
