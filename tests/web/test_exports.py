"""Exports of a study: what is offered and refused, and what comes back when it is uploaded."""

import csv
import html
import io
import json
import re
import zipfile
from dataclasses import replace

import pytest
from web_content import ODD, corpus_of, small_corpus, topic_of, upload, words_of

from summetry.records.corpus import Corpus
from summetry.records.summaries import Extract, Summary
from summetry.records.topics import Topic
from summetry.web.settings import Asked
from summetry.web.store.accounts import make_token
from summetry.web.tables import metadata


def export(admin, study, **query):
    return admin.get(f"/studies/{study}/export/corpus.zip", params=query)


def alert(answer):
    return html.unescape(re.search(r'role="alert">([^<]*)<', answer.text)[1])


def test_an_export_that_cannot_be_made_shows_its_form_again(web, admin):
    study = web.study()
    admin.get(f"/studies/{study}/export")
    answer = admin.press("Download", format="mead", length="lots", ties="inclusion")
    assert answer.status_code == 422 and answer.text.count('role="alert"') == 1
    assert "lots" in re.search('id="length-wrong" role="alert">(.*?)<', answer.text)[1]
    assert 'name="length" class="short" value="lots"' in answer.text
    assert '<option value="mead" selected>' in answer.text
    assert '<option value="inclusion" selected>' in answer.text
    assert ("exported", "mead") not in web.log(study)
    assert admin.press("Download", length="30%").headers["content-type"] == "application/zip"


def test_a_format_that_would_hold_nothing_of_a_study_is_not_offered_and_says_what_it_needs(
    web, admin
):
    study = web.study(corpus=small_corpus())
    page = admin.get(f"/studies/{study}/export").text
    assert '<option value="ducview"' not in page and '<option value="scu_xml"' not in page
    for form, missing in (
        ("ducview", "the study has no pyramids"),
        ("scu_xml", "the study has no sentences labelled with content units"),
        ("rouge_xml(texts=SEE)", "the study has no summaries; add references"),
    ):
        answer = export(admin, study, format=form)
        assert answer.status_code == 422 and missing in alert(answer)


# Kept from others (key, code), of the database alone, or there under another name.
HIDDEN = {
    "studies": {"code", "head", "changes"},
    "people": {"id", "study", "seed"},
    "answers": {"id", "returned", "submissions"},
    "versions": {"id", "answer", "number"},
    "log": {"id", "study"},
}


def test_everything_that_a_person_entered_is_shown_and_exported(web, admin):
    settings = {"questions": (Asked("age", "How old?", ("young", "old")),), "repeat": True}
    study = web.study(corpus=small_corpus(), longest=90, per_informant=2, **settings)
    heron = web.informant(study, "Heron", **{"q-age": "old"})
    for place, unit in enumerate("010", 1):
        heron.get(f"/s/{study}/next")
        heron.send(study, place, unit=[unit], note=f"Note {place}.", do="submit")
    heron.send(study, 3, unit=["1"])
    web.informant(study, "Wren", **{"q-age": "young"})
    # As JSON Lines beside the native corpus, and as tables.
    for form, ending in (("folder", "jsonl"), ("csv", "csv")):
        with zipfile.ZipFile(io.BytesIO(export(admin, study, format=form).content)) as archive:
            people, answers, corpus = (
                archive.read(f"study/{name}.{ending}").decode().replace('""', '"')
                for name in ("study/people", "study/answers", "people")
            )
        assert all(told in people for told in ("Wren", '"age":"old"', '"age":"young"'))
        assert all(f"Note {place}." in answers for place in (1, 2, 3)) and '"age":"old"' in corpus
    token = web.write(make_token, web.account("Ada", studies=[study]), "test")
    headers = {"Authorization": f"Bearer {token}"}

    def table(name):
        path = f"/api/v1/studies/{study}/tables/{name.replace('studies', 'study')}"
        return web.visitor().client.get(path, headers=headers).json()

    for name, hidden in HIDDEN.items():
        columns = {column.name for column in metadata.tables[name].columns}
        assert columns - hidden <= table(name)[0].keys(), name
    page = words_of(admin.get(f"/studies/{study}/people/{web.people(study)[0].id}"))
    for words in ("How old? old", "Language of the page English", "repeated", "Note 2."):
        assert words in page
    (person,) = web.whole(study).people
    assert person.meta == {"language": "en", "background": {"age": "old"}}


def test_an_export_that_a_writer_refuses_names_no_folder_of_the_server(web, admin):
    study = web.study(corpus=replace(Corpus("odd", "en"), topics=(Topic("a"),)), name="Odd")
    answer = export(admin, study, format="plain")
    assert answer.status_code == 422
    assert alert(answer).startswith("odd: nothing of this corpus has a place in this format")


def test_a_text_whose_reference_was_saved_from_the_votes_gets_no_second_one(web, admin):
    extracts = tuple(Extract(topic, "ann", (0,)) for topic in ("one", ODD))
    saved = Summary("one", "majority: 30%, inclusion", "reference", units=(1,))
    study = web.study(corpus=small_corpus(extracts=extracts, summaries=(saved,)))
    page = words_of(admin.get(f"/studies/{study}/export"))
    assert "1 text keeps the reference that was saved from its votes." in page
    sent = export(admin, study, format="csv", length="50%")
    with zipfile.ZipFile(io.BytesIO(sent.content)) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith("/references.csv")]
        rows = list(csv.DictReader(io.StringIO(archive.read(name).decode())))
    authors = [(row["id"], row["author"]) for row in rows]
    assert authors == [("one", "majority: 30%, inclusion"), (ODD, "majority")]


def test_folders_of_plain_texts_have_names_that_every_system_unpacks(web, admin):
    authors = ("majority: 30%, inclusion", "editor: Eve", "a?", "a*", "ann  b")
    summaries = tuple(Summary("one", author, "reference", units=(0,)) for author in authors)
    corpus = small_corpus(summaries=summaries)
    study = web.study(corpus=replace(corpus, topics=corpus.topics[:1]), name="Names")
    names = zipfile.ZipFile(io.BytesIO(export(admin, study, format="plain").content)).namelist()
    folders = {name.split("/")[2] for name in names if "/references/" in name}
    # Names that would become the same one stay apart.
    assert folders - {""} == {"majority 30%, inclusion", "editor Eve", "a?", "a*", "ann  b"}


def test_where_units_are_words_the_export_says_what_mead_makes_of_them(web, admin):
    words = corpus_of(topic_of("one", ("A", "ferry"), unit="word"))
    hint = "MEAD calls every unit a sentence."
    for corpus, is_told in ((words, True), (small_corpus(), False)):
        page = admin.get(f"/studies/{web.study(corpus=corpus)}/export")
        assert (hint in page.text) == is_told


def test_every_change_is_exported(web, admin):
    study, heron = web.begin(corpus=small_corpus(), longest=100)
    nothing = admin.get(f"/studies/{web.study(corpus=small_corpus())}/export/versions.csv").text
    assert nothing == "person,place,item,version,action,back,time,content\n"
    for data in ({"unit": ["0"]}, {"unit": ["0", "1"], "do": "submit"}):
        heron.send(study, **data)
    page = admin.get(f"/studies/{study}/export").text
    path = re.search(r'href="([^"]*/versions.csv)"', page)[1]
    rows = [*csv.DictReader(io.StringIO(admin.get(path).text))]
    assert {(row["person"], row["place"]) for row in rows} == {("Heron", "1")}
    changes = [(row["version"], row["action"], json.loads(row["content"])) for row in rows]
    # What is submitted was changed before.
    own = [("change", {"units": [0]})] + [(do, {"units": [0, 1]}) for do in ("change", "submit")]
    assert changes == [("0", "start", {}), *((str(n), *one) for n, one in enumerate(own, 1))]


# ── an export as the upload of a new study ────────────────────────────────


def reupload(admin, study, form, task, length=""):
    """What the form of a new study answers to an export."""
    answer = export(admin, study, format=form, length=length)
    assert answer.headers["content-type"] == "application/zip", answer.text
    assert "/tmp" not in answer.headers.get("x-notes", "")
    return upload(admin, ("study.zip", answer.content), name="Again", task=task, genre="")


@pytest.mark.parametrize("texts", ["SEE", "SPL"])
def test_see_and_spl_bring_back_summaries_and_majority_references(web, admin, texts):
    answer = reupload(admin, web.study(), f"rouge_xml(texts={texts})", "judgment", "30%")
    corpus = web.whole(answer.url.path.split("/")[2])
    references = {(s.topic, s.author) for s in corpus.summaries if s.role == "reference"}
    assert ("t01", "majority") in references
    # Where there is no source, the summaries say the language.
    assert {corpus.language_of(topic) for topic in corpus.topics} == {"en", "sv"}


@pytest.mark.parametrize("form, task, words", [
    ("csv", "extract", "found the tables (CSV) of an export"),
    ("ducview", "extract", "its topics have no text (SEE, SPL and DUCView"),
    ("mead", "unit_marks", "this task needs pyramids, and the upload has none"),
])  # fmt: skip
def test_what_an_export_cannot_bring_back_is_said(web, admin, form, task, words):
    answer = reupload(admin, web.study(), form, task)
    assert answer.status_code == 422
    (wrong,) = re.findall(r'id="files-wrong">([^<]*)', answer.text)
    assert words in html.unescape(wrong)
