"""The page in other languages: every message is in every catalogue, with its placeholders."""

import re

import pytest
from web_messages import messages

from summetry.errors import Place
from summetry.records.builder import CorpusBuilder
from summetry.records.topics import Document, Topic
from summetry.text.languages import direction
from summetry.web.catalogues import LOCALE, catalogues, choose_language, read_catalogue
from summetry.web.server import administrator_link
from summetry.web.store.studies import all_studies

CODES = ("da", "de", "el", "sv")
PLACEHOLDER = re.compile(r"%\(\w+\)s|%%|\{[\w:.]*\}")


def test_there_is_a_file_for_each_language():
    assert tuple(sorted(path.stem for path in LOCALE.glob("*.po"))) == CODES
    assert list(catalogues()) == ["en", *CODES]
    assert [one.name for one in catalogues().values()][-1] == "Svenska"


@pytest.mark.parametrize("code", CODES)
def test_a_catalogue_has_every_message_and_no_other(code):
    """`make messages` adds what is missing and removes what is gone."""
    known = read_catalogue(LOCALE / f"{code}.po")
    known.pop("")
    wanted = dict(messages().keys())
    assert wanted.keys() - known.keys() == set()
    assert known.keys() - wanted.keys() == set()
    for one, forms in known.items():
        assert len(forms) == (2 if wanted[one] else 1), one
        assert all(forms), one


@pytest.mark.parametrize("code", CODES)
def test_a_translation_keeps_what_is_filled_in(code):
    known = read_catalogue(LOCALE / f"{code}.po")
    for one, many in messages():
        allowed = set(PLACEHOLDER.findall(f"{one} {many}"))
        for form in known[one]:
            found = set(PLACEHOLDER.findall(form))
            assert found <= allowed, (one, form)
            # A single thing may go without its number.
            assert many or found == allowed, (one, form)


def test_the_language_is_the_readers():
    assert choose_language("", "de-AT,de;q=0.9,en;q=0.5").code == "de"
    assert choose_language("fr, el;q=0.5").code == "el"
    assert choose_language("fr").code == "en"
    assert (direction("ar"), direction("sv")) == ("rtl", "ltr")


def test_plurals_follow_the_rule_of_the_catalogue():
    swedish = catalogues()["sv"]
    one, many = next((one, many) for one, many in messages() if many and "%(count)s" in one)
    assert swedish.ngettext(one, many, 1) != swedish.ngettext(one, many, 2)


def test_a_visitor_changes_the_language_and_it_stays(web):
    visitor = web.visitor()
    assert "Take part in a study" in visitor.get("/").text
    page = visitor.get("/language/sv?to=/")
    assert '<html lang="sv"' in page.text
    assert '<html lang="sv"' in visitor.get("/login").text
    # A link that leads elsewhere is not followed.
    for elsewhere in ("//example.org", "https://example.org", "/\\example.org"):
        moved = visitor.client.get("/language/de", params={"to": elsewhere}, follow_redirects=False)
        assert moved.headers["location"] == "/"


@pytest.mark.parametrize("code", CODES)
def test_every_task_can_be_done_in_every_language(web, code):

    administrator_link(web.database, demo=True)
    with web.database.reading() as connection:
        studies = all_studies(connection)
    assert len(studies) == 9
    for study in studies:
        visitor = web.visitor()
        visitor.get(f"/language/{code}?to=/")
        assert f'<html lang="{code}"' in visitor.get(f"/s/{study.id}").text
        answers = {f"q-{asked.name}": asked.choices[0] for asked in study.settings.questions}
        joined = visitor.post(f"/s/{study.id}/join", {"name": "Heron", "consent": "yes", **answers})
        assert joined.status_code == 200 and f'<html lang="{code}"' in joined.text
        assert 'id="outcome"' in joined.text


def test_a_text_from_right_to_left_has_its_own_direction(web):

    builder = CorpusBuilder("rtl", "ar")
    units = ("ذهب الولد إلى المدرسة.", "كان الجو جميلا اليوم.", "عاد في المساء.")
    builder.add("topics", Topic("t1", documents=(Document("d", units=units),)), Place("x"))
    study = web.study(corpus=builder.build())
    page = web.informant(study).get(f"/s/{study}/1").text
    assert '<article class="prose" lang="ar" dir="rtl">' in page
    assert '<html lang="en" dir="ltr">' in page
