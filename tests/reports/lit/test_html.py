"""Lit-up texts as HTML and as data: each text once; topics where two systems differ."""

import json
import math
import random
import re
import zlib
from html import unescape

import pytest
from lit_cases import demo_items, lit_choices, lit_without, strange_items

import summetry
from summetry.metrics import METRICS
from summetry.records.batches import Comparison, Material, Side, compare_texts
from summetry.records.pyramids import Contributor, PeerScu, Pyramid, Scu
from summetry.records.summaries import Extract
from summetry.reports.lit.differences import differ_most
from summetry.reports.lit.html import Mark, lit_html, paint, standalone_html
from summetry.reports.lit.payload import LitTopic


def lit(metric, comparison, **how):
    topic = LitTopic()
    item = topic.add(metric, METRICS.build(metric).explain(comparison), comparison)
    return lit_html(topic.data(), [item], **how)


def texts(html):
    """What is in the paragraphs of texts."""
    return re.findall(r'<p class="prose[^"]*"[^>]*>(.*?)</p>', html)


# What is matched is in brackets, what is missed in round ones; numbers of units stand after ^.
SIGNS = {
    r'<span class="no">([\d,]+)</span>': r"^\1", r'<mark class="match">(.*?)</mark>': r"[\1]",
    r'<mark class="miss">(.*?)</mark>': r"(:\1)", r"<sup>(\d+)</sup>": r"\1 votes: ",
    r'<span class="s( in)?"(?: data-heat="(\d)")?>(.*?)</span>': r"{\1 heat \2: \3}",
    r"</?(?:div|p|h3|[du]l|d[td]|li|details|summary|table|t[rhd])\b[^>]*>": "\n", r"<[^>]+>": "",
}  # fmt: skip


def in_text(html):
    for pattern, sign in SIGNS.items():
        html = re.sub(pattern, sign, html)
    return "\n".join(line for line in html.splitlines() if line.strip())


@pytest.mark.parametrize(("marks", "shown"), [
    ([], "a b c"), ([Mark(0, 1, True)], "[a] b c"),
    ([Mark(0, 3, True), Mark(2, 5, False)], "[a b](: c)"),
    ([Mark(0, 5, False), Mark(2, 3, True)], "(:a )[b](: c)"),
    ([Mark(0, 5, True, 1), Mark(2, 3, True, 2)], "[a b^2][ c^1]"),
    ([Mark(0, 5, True, 14), Mark(0, 5, True, 2)], "[a b c^2,14]"),
    ([Mark(0, 1, True), Mark(1, 3, True)], "[a b] c"),
    ([Mark(2, 2, True)], "a b c"),
])  # fmt: skip
def test_overlapping_marks_are_cut_and_a_match_covers_what_was_missed(marks, shown):
    assert in_text(paint("a b c", marks)) == shown


def test_every_text_is_whole_and_names_texts_and_units_are_escaped(demo):
    topic, items = demo_items(demo, ["rouge-2", "memog", "pyramid", "coselection"])
    known = {text["text"] for text in topic["texts"]}
    for item in items:
        for body in texts(lit_html(topic, [item])):
            plain = re.sub(r"<sup>.*?</sup>|<span class=\"no\">.*?</span>|<[^>]+>", "", body)
            assert unescape(plain) in known
    topic, items = strange_items()
    for item in items:
        html = lit_html(topic, [item])
        for tag in ("script", "i", "u", "em", "b", "note", "x"):
            assert f"<{tag}>" not in html
        assert " style=" not in html and " on" not in re.sub(r">[^<]*<", "><", html)


def test_a_text_has_its_language_and_the_legend_says_of_no_word_that_it_is_lacking():
    hebrew = Comparison(Material("t", "he"), Side("s", "רציף"), (Side("m", "רציף"),))
    assert '<p class="prose" lang="he" dir="rtl">' in lit("rouge-1", hebrew)
    english = compare_texts("a", ["b"], None, "en")
    assert '<p class="prose" lang="en" dir="ltr">' in lit("rouge-1", english)
    assert '<p class="prose" dir="auto">' in lit("rouge-1", compare_texts("a", ["b"], None, ""))
    # The second "pier" of the reference is missed, though the summary has the word.
    assert "the summary is empty" in lit("rouge-1", compare_texts("", ["a"], None, "en"))
    html = lit("rouge-1", compare_texts("a pier", ["pier pier"], None, "en"))
    assert '<mark class="miss">pier</mark>' in html
    assert "only in" not in re.search('<ul class="legend">.*?</ul>', html)[0]


def test_two_systems_stand_side_by_side_and_one_without_a_value_keeps_its_text(snapshot):
    made, items, metric = LitTopic(), [], METRICS.build("rouge-1")
    for name, text in (("one", "the pier"), ("two", "an old pier")):
        comparison = Comparison(Material("t", "en"), Side(name, text), (Side("m", "the old pier"),))
        items.append(made.add("rouge-1", metric.explain(comparison), comparison))
    topic = made.data()
    bare = lit_without(topic, "one")
    # Each has its own reference.
    assert in_text(lit_html(topic, items)) == snapshot(name="two systems")
    html = lit_html(topic, [bare, items[1]])
    assert in_text(html) == snapshot(name="one without a value")
    assert "<div></div><div><h3>m, " in html
    assert in_text(lit_html(topic, [bare])) == snapshot(name="alone without a value")
    assert lit_without(topic, "three") is None


# Of the one each reference is compared by itself, the other pools them.
@pytest.mark.parametrize("against", ["", "reference 1", "reference 2"])
@pytest.mark.parametrize(("metric", "candidate", "references"), [
    ("lcs", "the pier", ["the pier", "a ferry"]),
    ("rouge-1", "the old pier", ["the pier", "an old old ferry"]),
])  # fmt: skip
def test_one_reference_can_be_chosen(metric, candidate, references, against, snapshot):
    comparison = compare_texts(candidate, references, None, "en")
    assert in_text(lit(metric, comparison, against=against)) == snapshot
    topic = LitTopic()
    item = topic.add(metric, METRICS.build(metric).explain(comparison), comparison)
    assert lit_choices(topic.data(), item) == ["reference 1", "reference 2"]


@pytest.mark.parametrize("metric", ["rouge-l", "rouge-w", "rouge-su4", "memog"])
def test_what_is_lit_up_for_one_reference_is_in_it(metric):
    comparison = compare_texts("a ferry hit the old pier", ["old pier", "a ferry hit"], None, "en")
    own, other = texts(lit(metric, comparison, against="reference 2"))
    marked = "".join(re.findall('class="match">(.*?)<', own))
    assert re.search("ferry|fer", marked) and not re.search("old|pier", marked)
    assert "old" not in other


def with_scus(contributions, found, system, text, **references):
    """A summary, its references, and content units of (reference, words), some of them found."""
    scus = tuple(
        Scu(str(number), words, 1, (Contributor(reference, words),))
        for number, (reference, words) in enumerate(contributions, 1)
    )
    peers = {who: tuple(PeerScu(*scu) for scu in of) for who, of in found.items()}
    pyramid = Pyramid("t", scus, peers)
    material = Material("t", "en", pyramids=(pyramid,), models=tuple(references))
    sides = tuple(Side(name, words) for name, words in references.items())
    return Comparison(material, Side(system, text), sides)


def test_scus_have_numbers_in_both_texts_and_those_of_one_reference_are_highlighted_alone(snapshot):
    comparison = with_scus([("m", "ferry struck"), ("m", "in fog")], {"s": [("1", "ferry hit")]},
                           "s", "A ferry hit it.", m="A ferry struck it in fog.")  # fmt: skip
    assert in_text(lit("scu_recall", comparison)) == snapshot(name="numbers")
    found = {"s": [("1", "ferry"), ("2", "fog")]}
    both = [("m", "ferry"), ("n", "fog")]
    comparison = with_scus(both, found, "s", "ferry in fog", m="A ferry.", n="In fog.")
    assert in_text(lit("scu_recall", comparison, against="n")) == snapshot(name="one reference")


@pytest.mark.parametrize("system", ["one", "two"])
def test_an_scu_has_the_same_number_for_every_system(system):
    found = {"one": [("3", "w3")], "two": [("1", "w1")]}
    units = [("m", f"w{i}") for i in (1, 2, 3)]
    html = lit("scu_recall", with_scus(units, found, system, "w1 w3", m="w1 w2 w3"))
    numbers = re.findall(r'(w\d)<span class="no">(\d)</span>', texts(html)[1])
    assert numbers == [("w1", "1"), ("w2", "2"), ("w3", "3")]


def selected(*choices):
    """The first and last of four sentences, beside the choices of people."""
    units = ("One.", "Two.", "Three.", "Four.")
    extracts = tuple(Extract("t", f"person {k}", units) for k, units in enumerate(choices))
    material = Material("t", "en", " ".join(units), units, extracts=extracts)
    return Comparison(material, Side("s", "One. Four.", (0, 3)))


def test_chosen_sentences_stand_in_the_source_with_votes_and_a_path_is_highlighted_there(snapshot):
    assert in_text(lit("coselection", selected((0, 1), (0, 2)))) == snapshot
    # Two people took 0-1-3 and 0-2-3; the summary 0, 3 is one step from both.
    path = texts(lit("sum_accy", selected((0, 1, 3), (0, 2, 3))))[-1]
    marked = re.findall(r'<mark class="match">(\w+)', path)
    assert marked in (["One", "Two", "Four"], ["One", "Three", "Four"])


def test_in_a_notebook_the_style_is_there_too():
    html = summetry.explain("the old pier", "a pier", "rouge1")._repr_html_()
    assert html.startswith("<style>")
    assert 'the old <mark class="match">pier</mark>' in html
    topic, items = strange_items()
    assert standalone_html(topic, items[:1]).count("<style>") == 1


METRICS_OF_A_REPORT = (
    "rouge-1", "rouge-2", "rouge-l", "rouge-su4", "rougeLsum", "cosine", "unit_overlap", "lcs",
    "memog", "autosummeng", "js_divergence", "lsa_main_topic", "keywords", "compression",
    "retention",
)  # fmt: skip
REFERENCES, WORDS = 4, 100


# Of few systems each has a larger share of the references.
@pytest.mark.parametrize("systems, more", [(3, 1.33), pytest.param(12, 1, marks=pytest.mark.slow)])
def test_a_topic_of_many_systems_and_metrics_is_small(demo, systems, more):
    """25 systems x 100 topics x 15 metrics in 15 MB leave 120 kB of base64 for a topic, and so
    300 bytes for each explanation with its share of the texts; 12 systems are enough to see it."""
    source = " ".join(" ".join(topic.units) for topic in demo.topics[:2]).split()
    draw = random.Random(0)

    def text():
        start = draw.randrange(len(source) - WORDS)
        near = source[start : start + WORDS]
        return " ".join(word if draw.random() < 0.7 else draw.choice(source) for word in near)

    material = Material("t", "en", " ".join(source))
    references = tuple(Side(f"m{i}", text()) for i in range(REFERENCES))
    topic, items = LitTopic(), []
    for number in range(systems):
        comparison = Comparison(material, Side(f"s{number}", text()), references)
        for name in METRICS_OF_A_REPORT:
            metric = METRICS.build(name)
            items.append(topic.add(name, metric.explain(comparison), comparison, metric.legend))
    written = json.dumps([topic.data(), items], separators=(",", ":")).encode()
    each = len(zlib.compress(written, 9)) / len(items)
    assert each < more * 15e6 * 3 / 4 / (25 * 100 * 15)


def test_a_text_stands_there_once_as_json_and_further_edges_are_added_up(demo_topic):
    assert json.loads(json.dumps(demo_topic, allow_nan=False)) == [*demo_topic]
    topic = LitTopic()
    for name in ("rouge-1", "rouge-2"):
        for candidate in ("a pier", "a ferry"):
            comparison = compare_texts(candidate, ["the pier"], None, "en")
            topic.add(name, METRICS.build(name).explain(comparison), comparison)
    assert [text["text"] for text in topic.data()["texts"]] == ["a pier", "the pier", "a ferry"]
    text = "The ferry struck the old pier at Port Tarrow on Tuesday morning."
    comparison = compare_texts(text, [text], None, "en")
    explained = METRICS.build("memog").explain(comparison)
    topic = LitTopic(most=5)
    matches = topic.add("memog", explained, comparison)["parts"][0]["matches"]
    assert len(matches["what"]) == len(matches["places"]) == 5
    count, weight = matches["more"]
    assert count == len(explained.parts[0].matches) - 5
    assert sum(matches["weight"]) + weight == explained.parts[0].facts["matched"]


# Worked out by hand.
VALUES = {
    ("t1", "a"): 0.5, ("t1", "b"): 0.25, ("t1", "c"): 0.9,
    ("t2", "a"): 0.1, ("t2", "b"): 0.75,
    ("t3", "a"): 0.3, ("t3", "b"): math.nan,
    ("t4", "b"): 0.3,
    ("t5", "a"): 0.4, ("t5", "b"): 0.4,
}  # fmt: skip


def test_the_largest_difference_comes_first_and_topics_without_both_values_are_counted():
    found = differ_most(VALUES, "a", "b", "rouge1.f")
    rows = [(row.topic, row.first, row.second) for row in found.rows]
    assert rows == [("t2", 0.1, 0.75), ("t1", 0.5, 0.25), ("t5", 0.4, 0.4)]
    assert [row.difference for row in found.rows] == [pytest.approx(-0.65), 0.25, 0.0]
    assert (found.first, found.second, found.of) == ("a", "b", "rouge1.f")
    # Of equal differences the earlier topic.
    values = {(f"t{i}", name): value for i in (3, 1, 2) for name, value in (("a", 1), ("b", 2))}
    assert [row.topic for row in differ_most(values, "a", "b").rows] == ["t3", "t1", "t2"]
    several = ("2 topics have no value of both and are left out",)
    assert differ_most(VALUES, "a", "b").notes == several
    one = ("1 topic has no value of both and is left out",)
    assert differ_most({("t", "a"): 1.0}, "a", "b").notes == one
    assert differ_most({("t", "a"): 1.0, ("t", "b"): 1.0}, "a", "b").notes == ()
