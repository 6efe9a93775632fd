"""The data of lit-up texts: small, plain, each text once; topics where two systems differ."""

import json
import math
import random
import zlib

import pytest
from lit_cases import topic_of

from summetry.metrics import METRICS
from summetry.records.batches import Comparison, Material, Side, compare_texts
from summetry.reports.lit.differences import differ_most
from summetry.reports.lit.payload import LitTopic

METRICS_OF_A_REPORT = (
    "rouge-1", "rouge-2", "rouge-l", "rouge-su4", "rougeLsum", "cosine", "unit_overlap", "lcs",
    "memog", "autosummeng", "js_divergence", "lsa_main_topic", "keywords", "compression",
    "retention",
)  # fmt: skip
REFERENCES, WORDS = 4, 100


# Of few systems each has a larger share of the references.
@pytest.mark.parametrize(
    ("systems", "more"), [(5, 1.12), pytest.param(12, 1, marks=pytest.mark.slow)]
)
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


def test_it_is_what_json_has_and_a_text_stands_there_once(demo_topic):
    assert json.loads(json.dumps(demo_topic, allow_nan=False)) == [*demo_topic]
    topic = LitTopic()
    for name in ("rouge-1", "rouge-2"):
        for candidate in ("a pier", "a ferry"):
            comparison = compare_texts(candidate, ["the pier"], None, "en")
            topic.add(name, METRICS.build(name).explain(comparison), comparison)
    assert [text["text"] for text in topic.data()["texts"]] == ["a pier", "the pier", "a ferry"]


@pytest.mark.parametrize("name", ["rouge-l", "hpg"])
def test_the_same_explanations_give_the_same_bytes(name):
    comparison = compare_texts("a ferry hit the pier", ["the pier", "ferry and pier"], None, "en")
    first, second = (
        topic_of([(name, metric, metric.explain(comparison), comparison)])
        for metric in (METRICS.build(name), METRICS.build(name))
    )
    assert json.dumps(first) == json.dumps(second)


def test_further_edges_are_added_up():
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
