"""Trying a metric: texts are pasted, scored and lit up; nothing is stored."""

import html
import re
from queue import LifoQueue

import pytest

from summetry.web.routes import try_it
from summetry.web.routes.try_it import LONGEST, MOST_REFERENCES, fitting_metrics
from summetry.web.security import RateLimit

SUMMARY = "Boats hit the pier."
REFERENCE = "A ferry hit the pier."


def values(text):
    """The values that a page shows."""
    return dict(re.findall(r"<dt>(\w+)</dt><dd>([\w.-]+)</dd>", text))


def tried(visitor, metric="rouge-1", candidate=SUMMARY, reference=REFERENCE, **more):
    visitor.get("/try")
    form = {"candidate": candidate, "reference": reference, "metric": metric, **more}
    return visitor.post("/try", form)


def test_anybody_gets_a_value_with_the_texts_lit_up(web):
    """Three of the four words of the summary are among the five of the reference."""
    visitor = web.visitor()
    visitor.get("/try")
    page = visitor.press("Score", candidate=SUMMARY, reference=REFERENCE, metric="rouge-1")
    shown = values(page.text)
    assert (shown["recall"], shown["precision"]) == ("0.6000", "0.7500")
    assert 'Boats <mark class="match">hit the pier</mark>.' in page.text
    assert '<mark class="miss">A ferry</mark> <mark class="match">hit the pier</mark>' in page.text
    assert "recall = matched / reference = 3 / 5 = 0.6000" in page.text
    # Options are spelled as in the commands.
    page = tried(web.visitor(), "rouge-1(stem=true)", "boat", "boats", language="en")
    assert values(page.text)["recall"] == "1"


def test_an_encoder_is_offered_where_the_server_has_one_and_no_folder_can_be_named(
    web, monkeypatch, static_vectors
):
    assert {"greedy_match", "embedding_cosine"} <= set(fitting_metrics())
    assert values(tried(web.visitor(), "greedy_match", reference=SUMMARY).text)["f"] == "1"
    for metric in (f"greedy_match(path={static_vectors})", "greedy_match(idf=/etc/passwd)",
                   'combination(of=[rouge_n,greedy_match(path="/etc")])'):  # fmt: skip
        page = tried(web.visitor(), metric)
        assert page.status_code == 422 and "names a file" in html.unescape(page.text)
    monkeypatch.delenv("SUMMETRY_ENCODER")
    assert not {"greedy_match", "embedding_cosine"} & set(fitting_metrics())
    page = tried(web.visitor(), "greedy_match")
    assert page.status_code == 422 and "SUMMETRY_ENCODER" in page.text


def test_several_references_and_a_source_are_added_without_a_script(web):
    visitor = web.visitor()
    page = tried(visitor, "cosine(against=source)", source="The pier.")
    assert '<mark class="match">The pier</mark>.' in page.text and 'id="source"' in page.text
    page = tried(visitor, "rouge-1(references=best)", reference=[REFERENCE, SUMMARY])
    assert values(page.text)["f"] == "1"
    page = tried(visitor, add="reference").text
    assert page.count('<textarea class="text" id="reference-') == 2
    assert SUMMARY in page and "<dd>" not in page
    assert 'id="source"' in tried(visitor, add="source").text
    full = tried(visitor, reference=["x"] * MOST_REFERENCES, add="reference").text
    assert full.count('<textarea class="text" id="reference-') == MOST_REFERENCES
    assert "Add a reference" not in full


@pytest.mark.parametrize("metric, words", [
    ("roug-1", "Did you mean"),
    ("rouge-1(stemm=true)", "stemm"),
    ("rouge-1(", "rouge-1("),
    ("cosine(against=source)", "paste the source"),
    ("pyramid", "a pyramid"),
    ("bleu", "Summetry does not have bleu"),
])  # fmt: skip
def test_a_wrong_spelling_or_a_need_is_one_line_and_the_texts_stay(web, metric, words):
    page = tried(web.visitor(), metric)
    assert page.status_code == 422
    (line,) = re.findall(r'id="problem"[^>]*>(.*?)</p>', page.text)
    assert words in line
    assert SUMMARY in page.text and REFERENCE in page.text


@pytest.mark.parametrize("metric, texts, words", [
    ("rouge-2", {"reference": ""}, ">rouge-2 needs a reference; paste one<"),
    ("rouge-1", {"candidate": " "}, "found an empty field"),
    ("rouge-1", {"reference": "x" * (LONGEST + 1)},
     "reference 1: expected at most 8,000 characters, found 8,001"),
])  # fmt: skip
def test_missing_and_long_texts_are_refused_with_what_is_expected(web, metric, texts, words):
    page = tried(web.visitor(), metric, **texts)
    assert page.status_code == 422 and words in page.text


def test_the_command_names_every_text_that_was_scored(web):
    visitor = web.visitor()
    page = html.unescape(tried(visitor, reference=[REFERENCE, SUMMARY], source="The pier.").text)
    files = "--reference reference1.txt --reference reference2.txt --source source.txt"
    assert f"summetry explain --candidate summary.txt {files} -m rouge-1<" in page
    page = html.unescape(tried(visitor, "rouge-1(stem=true)", language="en").text)
    assert "--reference reference.txt -m 'rouge-1(stem=true)'<" in page


def test_a_metric_of_the_summary_alone_shows_no_reference_and_says_why_it_has_no_value(web):
    visitor = web.visitor()
    one = tried(visitor, "redundancy").text.partition('id="result"')[2]
    assert "fewer than two sentences have words" in one
    assert "ferry" not in one and "--reference" not in one
    three = tried(visitor, "redundancy", f"{SUMMARY} The pier broke. Nobody was hurt.").text
    assert "candidate: 2 listed" in three and "against :" not in three


def test_it_is_found_in_menus_and_on_the_front_page_and_its_language_changes(web):
    visitor = web.visitor()
    for page in (visitor.get("/try"), tried(visitor)):
        assert 'href="/language/sv?to=/try"' in page.text
    assert 'href="/try"' in visitor.get("/").text
    assert 'href="/try" aria-current="page"' in web.admin().get("/try").text


def test_who_tries_too_often_or_from_elsewhere_is_refused_and_nothing_is_stored(web, monkeypatch):
    def stored():
        with web.database.reading() as connection:
            return list(connection.connection.driver_connection.iterdump())

    before, visitor = stored(), web.visitor()
    # Only so many are scored at once.
    monkeypatch.setattr(try_it, "_free", LifoQueue())
    assert tried(visitor).status_code == 503
    monkeypatch.undo()
    web.site.scores = RateLimit(2, 60)
    assert [tried(visitor).status_code for _ in range(3)] == [200, 200, 429]
    visitor.csrf = "wrong"
    assert visitor.post("/try", {"candidate": SUMMARY}).status_code == 403
    assert stored() == before


@pytest.mark.parametrize("metric", [
    metric if number % 4 == 0 else pytest.param(metric, marks=pytest.mark.slow)
    for number, metric in enumerate(fitting_metrics())
])  # fmt: skip
def test_every_metric_that_is_offered_works(web, metric):
    page = tried(web.visitor(), metric, source=f"{REFERENCE} Nobody was hurt.", language="en")
    assert page.status_code == 200, page.text
    assert values(page.text)
