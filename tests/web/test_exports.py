"""Exports of a study: what is offered and refused, and what comes back when it is uploaded."""

import csv
import html
import io
import re
import zipfile
from dataclasses import replace

import pytest
from web_content import ODD, corpus_of, small_corpus, topic_of, upload, words_of

from summetry.records.corpus import KINDS, Corpus
from summetry.records.summaries import Extract, Summary
from summetry.records.topics import Topic
from summetry.web.demo import demo_corpus


def export(admin, study, **query):
    return admin.get(f"/studies/{study}/export/corpus.zip", params=query)


def alert(answer):
    return html.unescape(re.search(r'role="alert">([^<]*)<', answer.text)[1])


def test_an_export_that_cannot_be_made_shows_its_form_again(web, admin):
    study = web.study()
    answer = export(admin, study, format="mead", length="lots", ties="inclusion")
    assert answer.status_code == 422 and "lots" in words_of(answer)
    assert 'name="length" class="short" value="lots"' in answer.text
    assert '<option value="mead" selected>' in answer.text
    assert '<option value="inclusion" selected>' in answer.text
    assert ("exported", "mead") not in web.log(study)
    assert export(admin, study, format="mead", length="30%").status_code == 200


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


@pytest.mark.parametrize("length", ["abc", "200%", "0"])
def test_a_length_that_cannot_be_is_told_at_its_field(web, admin, length):
    answer = export(admin, web.study(corpus=small_corpus()), length=length)
    assert answer.status_code == 422 and answer.text.count('role="alert"') == 1
    assert '<p class="error" id="length-wrong" role="alert">' in answer.text


def test_where_units_are_words_the_export_says_what_mead_makes_of_them(web, admin):
    words = corpus_of(topic_of("one", ("A", "ferry"), unit="word"))
    hint = "MEAD calls every unit a sentence."
    for corpus, is_told in ((words, True), (small_corpus(), False)):
        page = admin.get(f"/studies/{web.study(corpus=corpus)}/export")
        assert (hint in page.text) == is_told


# ── every export as the upload of a new study ─────────────────────────────


def reupload(admin, study, form, task, length=""):
    """What the form of a new study answers to an export."""
    answer = export(admin, study, format=form, length=length)
    assert answer.headers["content-type"] == "application/zip", answer.text
    assert "/tmp" not in answer.headers.get("x-notes", "")
    return upload(admin, ("study.zip", answer.content), name="Again", task=task, genre="")


@pytest.fixture
def again(web, admin):
    """The corpus of the study that is made of an export of the demo."""

    def make(form, task, length=""):
        answer = reupload(admin, web.study(), form, task, length)
        assert answer.status_code == 200, html.unescape(answer.text)
        return web.whole(answer.url.path.split("/")[2])

    return make


def texts_of(corpus, role):
    return {
        (summary.topic, summary.author): "".join(corpus.text_of(summary).split())
        for summary in corpus.summaries
        if summary.role == role
    }


def test_a_native_corpus_comes_back_whole(again):
    corpus = again("folder", "extract")
    for kind in KINDS:
        assert getattr(corpus, kind) == getattr(demo_corpus(), kind)
    assert corpus.scales == demo_corpus().scales


def test_mead_brings_back_texts_extracts_and_utilities(again):
    def parts(corpus):
        extracts = {(e.topic, e.informant, e.units) for e in corpus.extracts}
        utilities = {(u.topic, u.judge, u.values) for u in corpus.utilities}
        return [topic.units for topic in corpus.topics], extracts, utilities

    assert parts(again("mead", "extract")) == parts(demo_corpus())


@pytest.mark.parametrize("texts", ["SEE", "SPL"])
def test_see_and_spl_bring_back_summaries_and_majority_references(again, texts):
    corpus = again(f"rouge_xml(texts={texts})", "judgment", "30%")
    for role in ("candidate", "reference"):
        assert texts_of(demo_corpus(), role).items() <= texts_of(corpus, role).items()
    assert ("t01", "majority") in texts_of(corpus, "reference")
    # Where there is no source, the summaries say the language.
    assert {corpus.language_of(topic) for topic in corpus.topics} == {"en", "sv"}


def test_ducview_brings_back_pyramids_with_their_summaries(again):
    def weights(corpus):
        return {one.topic: sorted(scu.weight for scu in one.scus) for one in corpus.pyramids}

    corpus, before = again("ducview", "units"), demo_corpus()
    assert weights(corpus) == weights(before)
    assert texts_of(before, "reference").items() <= texts_of(corpus, "reference").items()


def test_plain_texts_bring_back_sources_and_summaries(again):
    corpus, before = again("plain", "judgment"), demo_corpus()
    assert texts_of(corpus, "candidate") == texts_of(before, "candidate")
    assert [topic.id for topic in corpus.topics] == [topic.id for topic in before.topics]


@pytest.mark.parametrize("form, task, words", [
    ("csv", "extract", "found the tables (CSV) of an export"),
    ("rouge_xml(texts=SEE)", "extract", "its topics have no text (SEE, SPL and DUCView"),
    ("rouge_xml(texts=SPL)", "utility", "its topics have no text (SEE, SPL and DUCView"),
    ("ducview", "extract", "its topics have no text (SEE, SPL and DUCView"),
    ("mead", "unit_marks", "this task needs pyramids, and the upload has none"),
])  # fmt: skip
def test_what_an_export_cannot_bring_back_is_said(web, admin, form, task, words):
    answer = reupload(admin, web.study(), form, task)
    assert answer.status_code == 422
    (wrong,) = re.findall(r'id="files-wrong">([^<]*)', answer.text)
    assert words in html.unescape(wrong)
