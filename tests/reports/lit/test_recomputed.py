"""Each value computed again from what is lit up, and not from what the metric counted.

What a metric matched is counted in the data of the page: lit-up words where every match counts
alike, otherwise the weights that are shown. So are other facts wherever the page shows what they
are made of (see ``FACTS``). The formulas that the page shows then give the values.

What cannot be seen in the texts stands as a number and is taken as it is shown: the sizes of
graphs, the parts of divergences that no word is responsible for, angles and numbers of dimensions,
edit distances of texts without units, reliabilities of paths, ranks of sentences that a summary
does not name, values of the parts of a combination.
"""

import math
import re

import pytest
from comparisons import one
from hypothesis import given, settings
from lit_cases import DEMO_SPELLINGS, explanations
from strategies import comparisons

from summetry.metrics import METRICS
from summetry.records.batches import compare_texts
from summetry.reports.lit.payload import Grid, LitTopic, absolute


class Lit:
    """What a part of an item shows."""

    def __init__(self, topic, item, part):
        self.topic, self.item, self.part = topic, item, part
        self.shown = {topic["words"][name]: value for name, value, _ in part["facts"]}
        self.matches, self.missed = part.get("matches", {}), part.get("missed", {})
        votes = item.get("votes")
        self.each = votes["each"] if votes else None
        self.chosen = [u for u, is_in in enumerate(votes["chosen"]) if is_in] if votes else None

    @property
    def matched(self):
        """Lit-up spans of the candidate where each match counts 1; else the weights shown."""
        if self.matches.get("counted"):
            lit = [e for e in self.matches["lit"] if e[0] == self.item["of"]]
            return sum(len(absolute(spans)) for _, spans, *_ in lit)
        _, further = self.matches.get("more", (0, 0))
        return math.fsum([*self.matches.get("weight", ()), further])

    @property
    def missed_weight(self):
        return math.fsum(self.missed.get("weight", ()))

    def words(self, number, n=1):
        """How many words, or n-grams of them, a text has."""
        return max(0, len(absolute(self.topic["texts"][number]["grid"])) - n + 1)

    def references(self, n=1):
        """How many each reference has of which something is lit up; empty ones count nowhere."""
        against = self.topic["words"][self.part["against"]]
        names = {self.topic["texts"][text]["name"]: text for text in self.item["show"]}
        texts = [text for name, text in names.items() if name in against.split(", ")]
        return [count for count in (self.words(text, n) for text in texts) if count]

    def path(self):
        """The units of the source that a path goes through."""
        (entry,) = self.matches["places"][0] or [[0, []]]
        lit = Grid.of(self.topic["texts"][entry[0]]).spans(entry) if entry[1] else []
        source = self.topic["texts"][self.item["votes"]["text"]]
        units = Grid.of(source).spans(self.item["votes"]["units"])
        return [u for u, (a, b) in enumerate(units) if any(s <= a and b <= e for s, e in lit)]

    def best(self, size):
        """The weight of the heaviest SCUs; a part of one where ``size`` is no whole number."""
        weights = [*self.matches.get("weight", ()), *self.missed.get("weight", ())]
        heaviest = sorted(weights, reverse=True)
        whole = int(size)
        rest = (size - whole) * heaviest[whole] if whole < len(heaviest) else 0
        return math.fsum(heaviest[:whole]) + rest


def edits(one, other):
    """The edit distance of two sequences, the slow and plain way."""
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        last, row[0] = row[0], i
        for j, b in enumerate(other, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (a != b))
    return row[-1]


def of_words(n):
    return {
        "candidate": lambda lit: lit.words(lit.item["of"], n) * len(lit.references(n)),
        "reference": lambda lit: sum(lit.references(n)),
    }


UTILITY = {
    "matched": lambda lit: sum(lit.each[u] for u in lit.chosen),
    "best": lambda lit: sum(sorted(lit.each, reverse=True)[: len(lit.chosen)]),
}
SELECTED = {
    "chosen": lambda lit: len(lit.chosen),
    "wanted": lambda lit: lit.matched + lit.missed_weight,
}
SCUS = {"all": lambda lit: lit.matched + lit.missed_weight}
# Facts that can be counted in what is shown, besides ``matched``.
FACTS = {
    "rouge_n": of_words(1), "rouge-2": of_words(2), "rouge_l": of_words(1), "lcs": of_words(1),
    "coselection": SELECTED, "coselection(against=majority)": SELECTED,
    "relative_utility": UTILITY, "ngram_precision": {}, "scu_recall(weights=pyramid)": SCUS,
    "retention(information=votes)": {"all": lambda lit: sum(lit.each)},
    "retention(information=utilities)": {"all": lambda lit: sum(lit.each)},
    "normalised_relative_utility": {
        "gained": lambda lit: lit.matched - lit.shown["random"],
        "attained": lambda lit: lit.shown["judges"] - lit.shown["random"],
    },
    "scu_recall": {"all": lambda lit: lit.matched + len(lit.missed.get("what", ()))},
    "scu_precision": {"size": lambda lit: len(lit.matches.get("what", ()))},
    "pyramid": {
        "size": lambda lit: len(lit.matches.get("what", ())),
        "best": lambda lit: lit.best(lit.shown["size"]),
    },
    "pyramid(score=modified)": {"best": lambda lit: lit.best(lit.shown["size"])},
    "accy": {"length": lambda lit: lit.matched + len(lit.missed.get("what", ()))},
}  # fmt: skip
# Only of candidates with units: the path and the choice are lit up in the source.
PATHS = {
    "length": lambda lit: len(lit.path()),
    "distance": lambda lit: edits(lit.chosen, lit.path()),
}
UNITS_ONLY = {"sum_accy": PATHS, "wsum_accy": PATHS}


def recomputed(spelling, topic, item, has_units):
    """The values of each part."""
    words = topic["words"]
    for part in item["parts"]:
        lit = Lit(topic, item, part)
        facts = {name: math.nan if v is None else float(v) for name, v in lit.shown.items()}
        counted = {"matched": lambda lit: lit.matched, **FACTS.get(spelling, {})}
        if has_units:
            counted |= UNITS_ONLY.get(spelling, {})
        facts |= {name: float(count(lit)) for name, count in counted.items() if name in facts}
        formulas = {words[name]: words[formula] for name, formula, _ in part["formulas"]}
        yield worked_out(formulas, facts)


def worked_out(formulas, facts):
    """Values of formulas that may name each other."""
    known = {**facts, "undefined": math.nan, "round": round}
    while left := [name for name in formulas if name not in known]:
        ready = [n for n in left if not set(re.findall(r"[a-z_]\w*", formulas[n])) - {*known, "if"}]
        assert ready, f"{formulas} of {facts}"
        for name in ready:
            known[name] = float(eval(formulas[name], {"__builtins__": {}}, known))
    return {name: known[name] for name in formulas}


def check(spelling, metric, explained, comparison):
    topic = LitTopic()
    item = topic.add(spelling, explained, comparison)
    scores = one(metric, comparison)
    has_units = comparison.candidate.units is not None and metric.name in UNITS_ONLY
    parts = list(recomputed(spelling, topic.data(), item, has_units))
    for name, score in scores.items():
        defined = [part[name] for part in parts if not math.isnan(part[name])]
        if not defined:
            assert math.isnan(score)
            continue
        is_best = any(line.startswith("best of") for line in item.get("over", ()))
        best = min if metric.better[name] == "lower" else max
        value = best(defined) if is_best else math.fsum(defined) / len(defined)
        # Weights have six digits, and what hangs on a small difference has fewer.
        assert value == pytest.approx(score, rel=1e-4, abs=1e-6), (spelling, name)


def test_on_a_topic_of_the_demo_corpus(explained):
    for each in explained:
        check(*each)
    assert {spelling for spelling, *_ in explained} == {*DEMO_SPELLINGS}


@pytest.mark.slow
def test_on_the_demo_corpus(demo):
    for explained in explanations(demo, DEMO_SPELLINGS):
        for each in explained:
            check(*each)


@pytest.mark.parametrize("spelling", DEMO_SPELLINGS)
@settings(max_examples=settings.default.max_examples // 3)
@given(comparison=comparisons)
def test_on_generated_comparisons(spelling, comparison):
    metric = METRICS.build(spelling)
    check(spelling, metric, metric.explain(comparison), comparison)


def test_a_value_by_hand():
    """Of the reference's five words the candidate has three: "hit the pier"."""
    comparison = compare_texts("Boats hit the pier.", ["A ferry hit the pier."], None, "en")
    topic = LitTopic()
    explained = METRICS.build("rouge-1").explain(comparison)
    item = topic.add("rouge_n", explained, comparison)
    (part,) = recomputed("rouge_n", topic.data(), item, False)
    assert (part["recall"], part["precision"]) == (3 / 5, 3 / 4)
