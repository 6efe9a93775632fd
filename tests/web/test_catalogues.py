"""The page in other languages: every message is in every catalogue, with its placeholders."""

import html
import re
from itertools import cycle

import pytest
from web_content import corpus_of, topic_of
from web_messages import messages

from summetry.text.languages import direction
from summetry.web.catalogues import LOCALE, catalogues, choose_language, read_catalogue
from summetry.web.store.studies import all_studies

CODES = tuple(sorted(path.stem for path in LOCALE.glob("*.po")))
PLACEHOLDER = re.compile(r"%\(\w+\)s|%%|\{[\w:.]*\}")


@pytest.fixture(scope="module")
def all_messages():
    return messages()


@pytest.mark.parametrize("code", CODES)
def test_a_catalogue_has_every_message_and_keeps_what_is_filled_in(code, all_messages):
    """`make messages` adds what is missing and removes what is gone."""
    catalogue = read_catalogue(LOCALE / f"{code}.po")
    catalogue.pop("")
    wanted = dict(all_messages.keys())
    assert wanted.keys() - catalogue.keys() == set()
    assert catalogue.keys() - wanted.keys() == set()
    for one, forms in catalogue.items():
        many = wanted[one]
        assert len(forms) == (2 if many else 1) and all(forms), one
        allowed = set(PLACEHOLDER.findall(f"{one} {many}"))
        for form in forms:
            placeholders = set(PLACEHOLDER.findall(form))
            assert placeholders <= allowed, (one, form)
            # A single thing may go without its number.
            assert many or placeholders == allowed, (one, form)


def test_the_language_is_the_readers_and_plurals_follow_its_rule(all_messages):
    assert choose_language("", "de-AT,de;q=0.9,en;q=0.5").code == "de"
    assert choose_language("fr, el;q=0.5").code == "el"
    assert choose_language("fr").code == "en"
    assert (direction("ar"), direction("sv")) == ("rtl", "ltr")
    swedish = catalogues()["sv"]
    one, many = next((one, many) for one, many in all_messages if many and "%(count)s" in one)
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


def test_at_work_another_language_leaves_the_choices_and_the_text_as_they_are(web):
    study = web.study()
    heron = web.informant(study)
    path = f"/s/{study}/1"
    before = heron.send(study, unit=["0", "2"], script=False).text
    article = re.search(r'<article class="prose" lang="\w+" dir="\w+">', before)[0]
    page = heron.get(re.search(r'href="(/language/sv\?[^"]+)"', before)[1])
    assert page.url.path == path and '<html lang="sv"' in page.text
    assert 'data-set="0 2"' in page.text and article in page.text
    assert '<html lang="sv"' in heron.get(f"/s/{study}").text


def test_a_researcher_stays_on_the_page_when_its_language_changes(web):
    study = web.study()
    admin = web.admin()
    page = admin.get(f"/studies/{study}/votes/2?length=20&ties=inclusion")
    link = html.unescape(re.search(r'href="(/language/el\?[^"]+)"', page.text)[1])
    page = admin.get(link)
    assert '<html lang="el"' in page.text and "20%" in page.text
    assert page.url.path == f"/studies/{study}/votes/2"
    assert page.url.query == b"length=20&ties=inclusion"
    assert '<html lang="el"' in admin.get("/studies").text
    # What answers a form has no address of its own.
    answer = admin.post(f"/studies/{study}/votes/1/compare", {"text": "A text."})
    assert f"/language/sv?to=/studies/{study}" in answer.text


def test_every_task_can_be_done_in_other_languages(demo_web):
    studies = demo_web.read(all_studies)
    assert len(studies) == 9
    for study, code in zip(studies, cycle(CODES), strict=False):
        visitor = demo_web.visitor()
        visitor.get(f"/language/{code}?to=/")
        assert f'<html lang="{code}"' in visitor.get(f"/s/{study.id}").text
        answers = {f"q-{asked.name}": asked.choices[0] for asked in study.settings.questions}
        data = {"name": f"Heron {code}", "consent": "yes", **answers}
        joined = visitor.post(f"/s/{study.id}/join", data)
        assert joined.status_code == 200 and f'<html lang="{code}"' in joined.text
        assert 'id="outcome"' in joined.text


def test_a_text_from_right_to_left_has_its_own_direction(web):
    units = ("ذهب الولد إلى المدرسة.", "كان الجو جميلا اليوم.", "عاد في المساء.")
    study, heron = web.begin(corpus=corpus_of(topic_of("t1", units), language="ar"))
    page = heron.get(f"/s/{study}/1").text
    assert '<article class="prose" lang="ar" dir="rtl">' in page
    assert '<html lang="en" dir="ltr">' in page
