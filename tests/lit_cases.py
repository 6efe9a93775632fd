"""Items of lit-up texts for tests: of the demo corpus, and of strange texts."""

import msgspec

from summetry.engine.plan import CorpusPlan
from summetry.engine.targets import with_majority
from summetry.metrics import METRICS, Explanation, Match, Needs, Part, Sheet
from summetry.metrics.base import offers
from summetry.records.batches import Comparison, Material, Side
from summetry.reports.lit.payload import LitTopic

# Each metric with its defaults, and settings that light up other things.
DEMO_SPELLINGS = [
    *METRICS.names(), "rouge-2", "rouge-l(references=best)", "rouge155-su4",
    "coselection(against=majority)", "coselection(weights=words)", "retention(information=votes)",
    "retention(information=utilities)", "retention(information=scus)", "relative_utility(length=2)",
    "sum_accy(level=words)", "scu_recall(weights=pyramid)", "pyramid(score=modified)",
]  # fmt: skip


def explanations(corpus, spellings, most=4):
    """Metric, explanation and comparison of the first summaries of each topic."""
    by_topic = {}
    for item in CorpusPlan(corpus).items():
        by_topic.setdefault(item.row.topic, []).append(item)
    for items in by_topic.values():
        yield [
            (spelling, metric, metric.explain(comparison), comparison)
            for item in items[:most]
            for spelling in spellings
            for metric in [METRICS.build(spelling)]
            for comparison in with_majority(item.comparisons, [metric])
            if not metric.needs & ~Needs(offers(comparison))
        ]


def topic_of(explained):
    """The data of a topic, with an item for each explanation of it."""
    topic = LitTopic()
    items = [topic.add(name, e, comparison, m.legend) for name, m, e, comparison in explained]
    return topic.data(), items


def demo_items(corpus, spellings):
    """The data of the first topic, with its items."""
    return topic_of(next(explanations(corpus, spellings)))


STRANGE = [
    ("The 🛳️ hit the pier 😀.", ["A 🛳️ hit 😀 pier.", "𝒜 pier"], "en"),
    ("העבורת פגעה ברציף.", ["העבורת פגעה היום ברציף (אתמול)."], "he"),
    ("<script>alert(1)</script> & \"pier\" 'x'", ["<b>pier</b> & script"], ""),
    ("ΟΔΟΣ İstanbul straße", ["οδος istanbul STRASSE"], "el"),
    ("北京 下雨 了", ["北京 了 下雨"], "zh"),
    ("", ["nothing to find"], "en"),
]


def strange_items():
    """The data of a topic and its items, for texts and names of all kinds."""
    topic, items = LitTopic(), []
    for number, (candidate, references, language) in enumerate(STRANGE):
        sides = tuple(Side(f"<i>m{i}</i> & \"'", text) for i, text in enumerate(references))
        material = Material(f"t{number}", language, " ".join(references))
        comparison = Comparison(material, Side("<u>system</u> 😀", candidate), sides)
        for name in ("rouge-1", "rouge-2", "rouge-l", "cosine", "autosummeng", "js_divergence"):
            items.append(topic.add(name, METRICS.build(name).explain(comparison), comparison))
        items.append(topic.add("<em>mine</em>", overlapping(candidate), comparison))
    return topic.data(), items


def overlapping(candidate):
    """An explanation whose marks overlap, as no metric of ours makes it."""
    end = len(candidate)
    names = ("<i>m0</i> & \"'",)
    matches = (
        Match("<b>all</b>", 1.5, ((0, end),), ((0, 5),), names),
        Match("a part", 0.25, ((1, end // 2), (2, end)), ((0, 3), (2, 7)), names * 2),
    )
    missed = (Match("an end & more", 1.0, (), ((3, 9),), names),)
    sheet = Sheet("<h1>", ("a<", "b>"), (("<td>", 1 / 3), ("&", 0.03125)))
    part = Part("<p>", {"x<y": 2.0}, {"v": "x / 0", "w": "2 ** 0.5"}, matches, "a <note>", missed)
    part = msgspec.structs.replace(part, tables=(sheet,), kind="edges")
    return Explanation("m", "t", "c", {"v": 0.5, "w": float("inf")}, (part,), note="<x>")


def lit_choices(topic, item):
    """The names of the texts that may stand beside the summary."""
    return [topic["texts"][text]["name"] for text in item["show"]]


def lit_without(topic, system):
    """A summary that a metric has no value for, as an item; None if the topic has none of it."""
    for number, text in enumerate(topic["texts"]):
        if text["role"] == "candidate" and text["name"] == system:
            return {"of": number, "kind": "", "values": [], "show": [], "parts": []}
    return None
