"""Lit-up texts as HTML."""

import re
from html import unescape

import pytest
from lit_cases import demo_items, lit_choices, lit_without, strange_items

from summetry.metrics import METRICS
from summetry.records.batches import Comparison, Material, Side, compare_texts
from summetry.records.pyramids import Contributor, PeerScu, Pyramid, Scu
from summetry.records.summaries import Extract
from summetry.reports.lit.html import Mark, lit_html, paint, standalone_html
from summetry.reports.lit.payload import LitTopic


def lit(metric, comparison, **how):
    topic = LitTopic()
    item = topic.add(metric, METRICS.build(metric).explain(comparison), comparison)
    return lit_html(topic.data(), [item], **how)


def texts(html):
    """What is in the paragraphs of texts."""
    return re.findall(r'<p class="prose[^"]*"[^>]*>(.*?)</p>', html)


@pytest.mark.parametrize(
    ("marks", "shown"),
    [
        ([], "a b c"),
        ([Mark(0, 1, True)], "[a] b c"),
        ([Mark(0, 3, True), Mark(2, 5, False)], "[a b](: c)"),
        ([Mark(0, 5, False), Mark(2, 3, True)], "(:a )[b](: c)"),
        ([Mark(0, 5, True, 1), Mark(2, 3, True, 2)], "[a b^2][ c^1]"),
        ([Mark(0, 5, True, 14), Mark(0, 5, True, 2)], "[a b c^2,14]"),
        ([Mark(0, 1, True), Mark(1, 3, True)], "[a b] c"),
        ([Mark(2, 2, True)], "a b c"),
    ],
)
def test_overlapping_marks_are_cut_and_a_match_covers_what_was_missed(marks, shown):
    html = paint("a b c", marks)
    html = re.sub(r'<span class="no">([\d,]+)</span>', r"^\1", html)
    html = re.sub(r'<mark class="match">(.*?)</mark>', r"[\1]", html)
    assert re.sub(r'<mark class="miss">(.*?)</mark>', r"(:\1)", html) == shown


def test_every_text_is_whole_whatever_is_lit_up(demo):
    for topic, items in [*demo_items(demo, ["rouge-2", "memog", "pyramid", "coselection"])]:
        known = {text["text"] for text in topic["texts"]}
        for item in items:
            for body in texts(lit_html(topic, [item])):
                plain = re.sub(r"<sup>.*?</sup>|<span class=\"no\">.*?</span>|<[^>]+>", "", body)
                assert unescape(plain) in known


def test_names_texts_and_units_are_escaped():
    topic, items = strange_items()
    for item in items:
        html = lit_html(topic, [item])
        for tag in ("script", "i", "u", "em", "b", "note", "x"):
            assert f"<{tag}>" not in html
        assert " style=" not in html and " on" not in re.sub(r">[^<]*<", "><", html)


def test_a_text_has_its_language_and_its_direction():
    hebrew = Comparison(Material("t", "he"), Side("s", "רציף"), (Side("m", "רציף"),))
    assert '<p class="prose" lang="he" dir="rtl">' in lit("rouge-1", hebrew)
    english = compare_texts("a", ["b"], None, "en")
    assert '<p class="prose" lang="en" dir="ltr">' in lit("rouge-1", english)
    assert '<p class="prose" dir="auto">' in lit("rouge-1", compare_texts("a", ["b"], None, ""))


def test_two_systems_stand_side_by_side_each_with_its_own_reference():
    references = (Side("m", "the old pier"),)
    topic, items = LitTopic(), []
    for name, text in (("one", "the pier"), ("two", "an old pier")):
        comparison = Comparison(Material("t", "en"), Side(name, text), references)
        items.append(topic.add("rouge-1", METRICS.build("rouge-1").explain(comparison), comparison))
    shown = [re.sub(r"</?mark[^>]*>", "|", body) for body in texts(lit_html(topic.data(), items))]
    assert shown == ["|the pier|", "an |old pier|", "|the| |old| |pier|", "|the| |old pier|"]


def test_a_system_without_a_value_keeps_its_text_beside_one_that_has_one():
    topic, items = LitTopic(), []
    for name, text in (("one", "the pier"), ("two", "an old pier")):
        comparison = Comparison(Material("t", "en"), Side(name, text), (Side("m", "the old pier"),))
        items.append(topic.add("rouge-1", METRICS.build("rouge-1").explain(comparison), comparison))
    bare = lit_without(topic.data(), "one")
    html = lit_html(topic.data(), [bare, items[1]])
    above, below = html.split('<ul class="legend">')
    assert re.findall("<h3>(.*?)</h3>|(The metric has no value here)|<dt>(f)</dt>", above) == [
        ("one", "", ""), ("", "The metric has no value here", ""), ("two", "", ""), ("", "", "f"),
    ]  # fmt: skip
    assert [re.sub(r"</?mark[^>]*>", "|", body) for body in texts(below)] == [
        "the pier", "an |old pier|", "|the| |old pier|",
    ]  # fmt: skip
    assert "<div></div><div><h3>m, " in below
    assert texts(lit_html(topic.data(), [bare])) == ["the pier"]
    assert lit_without(topic.data(), "three") is None


def test_one_reference_can_be_chosen():
    comparison = compare_texts("the pier", ["the pier", "a ferry"], None, "en")
    whole = lit("lcs", comparison)
    assert len(texts(whole)) == 3
    assert len(texts(lit("lcs", comparison, against="reference 2"))) == 2
    assert "a ferry" in lit("lcs", comparison, against="reference 2")
    topic = LitTopic()
    item = topic.add("lcs", METRICS.build("lcs").explain(comparison), comparison)
    assert lit_choices(topic.data(), item) == ["reference 1", "reference 2"]


def test_one_reference_of_a_pooled_metric_lights_up_its_own_matches_only():
    comparison = compare_texts("the old pier", ["the pier", "an old old ferry"], None, "en")
    whole, first, second = (
        lit("rouge-1", comparison, against=name) for name in ("", "reference 1", "reference 2")
    )
    assert texts(whole)[0] == '<mark class="match">the old pier</mark>'
    marked = '<mark class="match">{}</mark>'.format
    assert texts(first) == [f"{marked('the')} old {marked('pier')}", marked("the pier")]
    assert texts(second)[0] == f"the {marked('old')} pier"
    assert "2 of the 3 matches are with reference 1;" in first
    assert "1 of the 3 matches is with reference 2;" in second
    assert "matches" not in re.sub("<[^>]+>", "", whole)


@pytest.mark.parametrize("metric", ["rouge-l", "rouge-w", "rouge-su4", "memog"])
def test_what_is_lit_up_for_one_reference_is_in_it(metric):
    comparison = compare_texts("a ferry hit the old pier", ["old pier", "a ferry hit"], None, "en")
    own, other = texts(lit(metric, comparison, against="reference 2"))
    assert re.search("ferry|fer", "".join(re.findall('"match">(.*?)<', own)))
    assert not re.search("old|pier", "".join(re.findall('"match">(.*?)<', own)))
    assert "old" not in other


def test_scus_of_one_reference_are_lit_up_alone():
    contributors = (Contributor("m", "ferry"), Contributor("n", "fog"))
    scus = tuple(Scu(str(i), one.text, 1, (one,)) for i, one in enumerate(contributors, 1))
    said = {"s": (PeerScu("1", "ferry"), PeerScu("2", "fog"))}
    material = Material("t", "en", pyramid=Pyramid("t", scus, said), models=("m", "n"))
    sides = (Side("m", "A ferry."), Side("n", "In fog."))
    html = lit("scu_recall", Comparison(material, Side("s", "ferry in fog"), sides), against="n")
    assert texts(html)[0] == 'ferry in <mark class="match">fog<span class="no">2</span></mark>'
    assert "1 of the 2 matches is with n;" in html


def test_the_legend_says_of_no_word_that_the_other_text_lacks_it():
    """The second "pier" of the reference is missed, though the summary has the word."""
    html = lit("rouge-1", compare_texts("a pier", ["pier pier"], None, "en"))
    assert '<mark class="miss">pier</mark>' in html
    assert "only in" not in re.search('<ul class="legend">.*?</ul>', html)[0]


def test_formulas_against_several_references_are_folded_and_against_one_they_are_not():
    comparison = compare_texts("the pier", ["the pier", "a ferry"], None, "en")
    folded = re.search(
        "<details><summary>The formulas .*?of 2</summary>(.*?)<ul", lit("lcs", comparison)
    )
    assert folded[1].count('class="against"') == 2 and folded[1].endswith("</details>")
    assert "The formulas" not in lit("lcs", comparison, against="reference 2")


def test_scus_have_numbers_in_the_summary_and_in_the_references():
    scus = (
        Scu("7", "a ferry struck", 2, (Contributor("m", "ferry struck"),)),
        Scu("8", "fog", 1, (Contributor("m", "in fog"),)),
    )
    pyramid = Pyramid("t", scus, {"s": (PeerScu("7", "ferry hit"),)})
    comparison = Comparison(
        Material("t", "en", pyramid=pyramid, models=("m",)),
        Side("s", "A ferry hit it."),
        (Side("m", "A ferry struck it in fog."),),
    )
    html = lit("scu_recall", comparison)
    assert texts(html) == [
        'A <mark class="match">ferry hit<span class="no">1</span></mark> it.',
        'A <mark class="match">ferry struck<span class="no">1</span></mark> it '
        '<mark class="miss">in fog<span class="no">2</span></mark>.',
    ]
    assert '<span class="yes">matched</span>' in html and '<span class="not">missed</span>' in html


def test_an_scu_has_the_same_number_for_every_system():
    scus = tuple(Scu(str(i), f"fact {i}", 1, (Contributor("m", f"w{i}"),)) for i in (1, 2, 3))
    said = {"one": (PeerScu("3", "w3"),), "two": (PeerScu("1", "w1"),)}
    material = Material("t", "en", pyramid=Pyramid("t", scus, said), models=("m",))
    for system in said:
        comparison = Comparison(material, Side(system, "w1 w3"), (Side("m", "w1 w2 w3"),))
        reference = texts(lit("scu_recall", comparison))[1]
        numbers = re.findall(r'(w\d)<span class="no">(\d)</span>', reference)
        assert numbers == [("w1", "1"), ("w2", "2"), ("w3", "3")]


def test_chosen_sentences_stand_in_the_source_with_the_votes_of_people():
    units = ("One.", "Two.", "Three.", "Four.")
    extracts = (Extract("t", "ann", (0, 1)), Extract("t", "bob", (0, 2)))
    material = Material("t", "en", " ".join(units), units, extracts=extracts)
    comparison = Comparison(material, Side("s", "One. Four.", (0, 3)))
    html = lit("coselection", comparison)
    assert texts(html)[-1] == (
        '<span class="s in" data-heat="5"><sup>2</sup><mark class="match">One.</mark></span> '
        '<span class="s" data-heat="2"><sup>1</sup><mark class="miss">Two.</mark></span> '
        '<span class="s" data-heat="2"><sup>1</sup><mark class="miss">Three.</mark></span> '
        '<span class="s in"><sup>0</sup>Four.</span>'
    )
    assert "votes of 2 informants" in html


def test_the_path_of_sum_accy_is_lit_up_in_the_source():
    """Two people took 0-1-3 and 0-2-3; the summary 0, 3 is one step from both."""
    units = ("One.", "Two.", "Three.", "Four.")
    extracts = (Extract("t", "ann", (0, 1, 3)), Extract("t", "bob", (0, 2, 3)))
    material = Material("t", "en", " ".join(units), units, extracts=extracts)
    html = lit("sum_accy", Comparison(material, Side("s", "One. Four.", (0, 3))))
    lit_up = re.findall(r'<mark class="match">(\w+)', texts(html)[-1])
    assert lit_up in (["One", "Two", "Four"], ["One", "Three", "Four"])


def test_an_item_without_anything_to_explain_has_its_values():
    html = lit("rouge-1", compare_texts("", ["a"], None, "en"))
    assert "the summary is empty" in html


def test_in_a_notebook_the_style_is_there_too():
    import summetry

    html = summetry.explain("the old pier", "a pier", "rouge1")._repr_html_()
    assert html.startswith("<style>")
    assert 'the old <mark class="match">pier</mark>' in html
    topic, items = strange_items()
    assert standalone_html(topic, items[:1]).count("<style>") == 1
