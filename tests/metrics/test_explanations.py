"""What metrics explain: their words, numbers, places and tables, as they are printed."""

import io

import pytest
from comparisons import compare
from rich.console import Console

from summetry.metrics import METRICS
from summetry.records.pyramids import Contributor, PeerScu, Pyramid, Scu
from summetry.reports.explain import ExplanationReport

EIGHT = compare("abcdefgh", ["abcdefij"])
HPG = "hpg(window=1,levels={},theta=1)"
WHOLE = compare("abcdef", ["abcdxy", "abcdef", "abcdef"])
# Subjects A to E of the paper on networks.
WORDS = ("The", "beautiful", "cherry", "blossoms", "in", "Japan", "bloom", "in", "spring")
TABLE = [[0, 2, 3, 4, 5], [2, 3, 4, 5, 6], [1, 2, 6, 7, 8], [1, 2, 3, 7, 8], [0, 1, 2, 3, 6]]
JAPAN = {"source": " ".join(WORDS), "units": WORDS, "language": "en"}
TEN = tuple(f"Sentence {i}." for i in range(10))
NAMED = compare((0, 1, 5), extracts=[(0, 9), (1, 5, 7)], source=" ".join(TEN), units=TEN)
BY = {"1": ("m1",), "2": ("m0", "m1"), "3": ("m1",)}
SCUS = tuple(Scu(n, f"fact {n}", len(who), tuple(map(Contributor, who))) for n, who in BY.items())
SAID = {"candidate": (PeerScu("1", "says 1...more"), PeerScu("x", "odd"))}
PYRAMID = Pyramid("t", SCUS, SAID)
DEATHS = Pyramid("t", (Scu("0", "The ferry sank"), Scu("1", "The captain slept")))
CASES = [
    # "the" is there twice and three times: two count, on both sides.
    *((name, compare("the fog the pier the rain", ["the fog and the wind"]))
      for name in ("rouge-1", "rouge1", "rouge155-1", "rougeL", "rouge-l")),
    ("rouge-1", compare("fog on Tuesday", ["on board in fog on Tuesday"])),
    ("rouge-2", compare("the dam broke", ["The dam broke early."])),
    ("rouge_s", compare("the dam broke", ["The dam broke early."])),
    ("rouge_s(gap=0)", compare("the dam broke", ["The dam broke early."])),
    # Of the reference sentence "a b c" with "b c" and with "a b x c": 2^2, and 2^2 + 1.
    ("rouge_w(weight=2)", compare("b c\na b x c", ["a b c\nd"])),
    # The script makes one run of it, as in the reference.
    ("rouge_w(text=rouge155)", compare("a b x c", ["a b c"])),
    ("rouge-w", compare("", ["a b"])),
    # Over several references weights are added up.
    ("rouge_w", compare("a b d", ["a b c", "b c d"])),
    # A limit leaves the places of the words that are kept, and a cut word has none.
    ("rouge-1(length=2words)", compare("the old pier", ["the old pier"])),
    ("rouge-1(length=5bytes)", compare("pi harbour", ["pi ha"])),
    # Matches of pooled references say whose they are.
    ("rouge-1", compare("a b", ["a c", "b d d"])),
    ("combination(of=[unit_overlap,cosine],weights=[2,3],constant=0.5)",
     compare("a b c", ["b c d"])),
    ("combination(of=[unit_overlap,cosine])", compare("a b c", [""])),
    ("js_divergence(delta=0)", compare("a b", source="a c")),
    ("keywords(n=2,text=auto)", compare("a dam, a lake", source="dam dam lake town")),
    # Counts: cat 1, sat 1 | cat 1, ran 1 | cat 2, sat 1, ran 0: all pairs, the most alike first.
    ("redundancy", compare("The cat sat. Dogs ran off. A cat sat down.", language="en")),
    ("repeated_ngrams", compare("The cat sat. A dog ran. The cat sat.", language="en")),
    ("coselection(against=majority)", compare((0, 5), extracts=[(9,)], majority=(0, 1, 2))),
    # On level 1 ab-cd and cd-ef are common; on level 2 the stars of the first two positions are
    # the same, of which one edge is made; a window of 2 makes five edges of four positions.
    (HPG.format(2), EIGHT),
    # Levels without anything in common are shown too, and the longest stretches come first.
    (HPG.format(4), compare("abcdefgh", ["abcdxyzz"])),
    ("hpg(n=1,window=1,levels=1)", compare("abcd--efghij", ["efghij++abcd"])),
    # The halves of a character are put together.
    ("hpg(text=raw(characters=utf16))", compare("😀😁", ["😀😁"])),
    ("autosummeng", compare("abcdef", ["abcdxy", "zzz"])),
    # Edges come by weight, then by their places.
    ("autosummeng(min_n=1,max_n=1,window=1)", compare("xcd abab", ["abab cdcd"])),
    # The places of merged references say which text they are in.
    ("memog(min_n=2,max_n=2,window=1)", compare("abc", ["xabc", "zzz", "abc"])),
    ("npower", WHOLE),
    ("npower(tool=true)", WHOLE),
    # With one reference NPowER and MeMoG are explained by it alone.
    ("npower", compare("abcd", ["abcde"])),
    ("memog", compare("abcd", ["abcde"])),
    ("wsum_accy", compare((2, 3, 6, 7, 8), extracts=TABLE, unit="word", **JAPAN)),
    # Sentences are named by their numbers.
    ("sum_accy", compare((2, 3, 6, 7, 8), extracts=TABLE, **JAPAN)),
    ("nrst_accy", NAMED),
    ("accy", NAMED),
    ("ngram_precision(n=2)", NAMED),
    # The candidate says unit 1 and something else; units 2 and 3 are missed.
    ("pyramid", compare("It says 1 and more.", ["", ""], pyramids=(PYRAMID,))),
    # "people" is not in the source: two of three words. No sentence is near to the other unit.
    ("units", compare("Two people died. A ferry sank.", language="en", pyramids=(DEATHS,),
                      source="A ferry sank in fog. Two died.",
                      units=("A ferry sank in fog.", "Two died."))),
    ("greedy_match", compare("The boat hit", ["A ferry, the quay"])),
    ("lsa_main_topic(against=references,scope=NW,text=auto)",
     compare("pier fog", ["fog pier\nfog"], language="en")),
]  # fmt: skip


def in_words(name, spans):
    return f"{name} " + ", ".join(f"{start} to {end}" for start, end in spans)


@pytest.mark.parametrize(("spelling", "comparison"), CASES, ids=[spelling for spelling, _ in CASES])
def test_explanations(spelling, comparison, snapshot):
    """As they are printed, then where each match is, and each thing that is missed."""
    explained = METRICS.build(spelling).explain(comparison)
    out = Console(file=io.StringIO(), width=100, highlight=False, markup=False, color_system=None)
    out.print(ExplanationReport(spelling, explained, comparison, full=True))
    lines = [line.rstrip() for line in out.file.getvalue().splitlines()]
    for part in explained.parts:
        for match in (*part.matches, *part.missed):
            places = in_words("candidate", match.candidate), in_words("other", match.reference)
            lines.append(f"{match.what}: {'; '.join(places)} {' '.join(match.texts)}".rstrip())
    assert "\n".join(lines) == snapshot
