"""The data of lit-up texts: small, plain, each text once."""

import json
import random
import zlib

from lit_cases import demo_items

from summetry.metrics import METRICS
from summetry.records.batches import Comparison, Material, Side, compare_texts
from summetry.reports.lit.payload import LitTopic

METRICS_OF_A_REPORT = (
    "rouge-1", "rouge-2", "rouge-l", "rouge-su4", "rougeLsum", "cosine", "unit_overlap", "lcs",
    "memog", "autosummeng", "js_divergence", "lsa_main_topic", "keywords", "compression",
    "retention",
)  # fmt: skip
SYSTEMS, REFERENCES, WORDS = 12, 4, 100


def deflated(data):
    return len(zlib.compress(json.dumps(data, separators=(",", ":")).encode(), 9))


def test_a_topic_of_many_systems_and_metrics_is_small(demo):
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
    for number in range(SYSTEMS):
        comparison = Comparison(material, Side(f"s{number}", text()), references)
        for name in METRICS_OF_A_REPORT:
            metric = METRICS.build(name)
            items.append(topic.add(name, metric.explain(comparison), comparison, metric.legend))
    each = deflated([topic.data(), items]) / len(items)
    assert each < 15e6 * 3 / 4 / (25 * 100 * 15)


def test_it_is_what_json_has(demo):
    for topic, items in demo_items(demo, [*METRICS.names()], topics=1):
        assert json.loads(json.dumps([topic, items], allow_nan=False)) == [topic, items]


def test_a_text_stands_there_once():
    topic = LitTopic()
    for name in ("rouge-1", "rouge-2"):
        for candidate in ("a pier", "a ferry"):
            comparison = compare_texts(candidate, ["the pier"], None, "en")
            topic.add(name, METRICS.build(name).explain(comparison), comparison)
    assert [text["text"] for text in topic.data()["texts"]] == ["a pier", "the pier", "a ferry"]


def test_the_same_explanations_give_the_same_bytes(demo):
    first, second = (list(demo_items(demo, ["rouge-l", "hpg"], topics=1)) for _ in range(2))
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
