"""Every export of a study as the upload of a new one: it comes back, or it is said why not."""

import html
import re

import pytest

from summetry.records.corpus import KINDS
from summetry.web.demo import demo_corpus


@pytest.fixture
def admin(web):
    return web.admin()


def exported(web, admin, form, length=""):
    """A study's export as a zip file."""
    study = web.study()
    asked = {"format": form, "length": length}
    answer = admin.get(f"/studies/{study}/export/corpus.zip", params=asked)
    assert answer.headers["content-type"] == "application/zip", answer.text
    assert "/tmp" not in answer.headers.get("x-notes", "")
    return answer.content


def upload(admin, content, task):
    data = {"name": "Again", "task": task, "language": "", "genre": ""}
    files = [("files", ("study.zip", content, "application/zip"))]
    return admin.post("/studies/new/upload", data, files=files)


def again(web, admin, form, task, length=""):
    """The corpus of the study that is made of an export."""
    answer = upload(admin, exported(web, admin, form, length), task)
    assert answer.status_code == 200, html.unescape(answer.text)
    return web.whole(answer.url.path.split("/")[2])


def texts_of(corpus, role):
    return {
        (summary.topic, summary.author): "".join(corpus.text_of(summary).split())
        for summary in corpus.summaries
        if summary.role == role
    }


def test_a_native_corpus_comes_back_whole(web, admin):
    found = again(web, admin, "folder", "extract")
    for kind in KINDS:
        assert getattr(found, kind) == getattr(demo_corpus(), kind)
    assert found.scales == demo_corpus().scales


def test_mead_brings_back_texts_extracts_and_utilities(web, admin):
    found, before = again(web, admin, "mead", "extract"), demo_corpus()
    assert [topic.units for topic in found.topics] == [topic.units for topic in before.topics]
    assert {(e.topic, e.informant, e.units) for e in found.extracts} == {
        (e.topic, e.informant, e.units) for e in before.extracts
    }
    assert {(u.topic, u.judge, u.values) for u in found.utilities} == {
        (u.topic, u.judge, u.values) for u in before.utilities
    }


@pytest.mark.parametrize("texts", ["SEE", "SPL"])
def test_see_and_spl_bring_back_summaries_and_majority_references(web, admin, texts):
    found = again(web, admin, f"rouge_xml(texts={texts})", "judgment", "30%")
    for role in ("candidate", "reference"):
        before, after = texts_of(demo_corpus(), role), texts_of(found, role)
        assert before.items() <= after.items()
    assert ("t01", "majority") in texts_of(found, "reference")
    # Where there is no source, the summaries say the language.
    languages = {found.language_of(topic) for topic in found.topics}
    assert languages == {"en", "sv"}


def test_ducview_brings_back_pyramids_with_their_summaries(web, admin):
    found, before = again(web, admin, "ducview", "units"), demo_corpus()
    weights = [
        {pyramid.topic: sorted(scu.weight for scu in pyramid.scus) for pyramid in corpus.pyramids}
        for corpus in (found, before)
    ]
    assert weights[0] == weights[1]
    assert texts_of(before, "reference").items() <= texts_of(found, "reference").items()


def test_plain_texts_bring_back_sources_and_summaries(web, admin):
    found, before = again(web, admin, "plain", "judgment"), demo_corpus()
    assert texts_of(found, "candidate") == texts_of(before, "candidate")
    assert [topic.id for topic in found.topics] == [topic.id for topic in before.topics]


@pytest.mark.parametrize(("form", "task", "words"), [
    ("csv", "extract", "found the tables (CSV) of an export"),
    ("rouge_xml(texts=SEE)", "extract", "its topics have no text (SEE, SPL and DUCView"),
    ("rouge_xml(texts=SPL)", "utility", "its topics have no text (SEE, SPL and DUCView"),
    ("ducview", "extract", "its topics have no text (SEE, SPL and DUCView"),
    ("mead", "unit_marks", "this task needs pyramids, and the upload has none"),
])  # fmt: skip
def test_what_an_export_cannot_bring_back_is_said(web, admin, form, task, words):
    answer = upload(admin, exported(web, admin, form), task)
    assert answer.status_code == 422
    (said,) = re.findall(r'id="files-wrong">([^<]*)', answer.text)
    assert words in html.unescape(said)
