"""Explanations in words: formulas with their numbers, texts with what matched, lists, tables."""

import io
import math
import re

import pytest
from rich.cells import cell_len
from rich.console import Console

from summetry.metrics import METRICS, Explanation, Match, Part, Sheet
from summetry.records.batches import Comparison, Material, Side, compare_texts
from summetry.records.pyramids import PeerScu, Pyramid, Scu
from summetry.reports import explain
from summetry.reports.explain import MOST_ROWS, ExplanationReport, marked
from summetry.reports.formulas import figure, filled, values_of


@pytest.mark.parametrize(("value", "shown"), [
    (17.0, "17"), (17 / 35, "0.4857"), (111.99999999999999, "112"), (-0.5, "-0.5000"), (0.0, "0"),
    (0.00001234, "1.23e-05"), (1e20, "100000000000000000000.0000"), (math.inf, "inf"),
    (math.nan, "undefined"),
])  # fmt: skip
def test_a_number_is_short_and_honest(value, shown):
    assert figure(value) == shown


RECALL, PRECISION = "m / r if r else 0", "m / c if c else 0"
SUM = ({"v": "first + second"}, {"first": 0.5, "second": 0.25})


@pytest.mark.parametrize(("formulas", "facts", "width", "lines"), [
    # Names, then numbers, then the value.
    ({"recall": "matched / reference"}, {"matched": 17, "reference": 35}, 80,
     ["recall = matched / reference = 17 / 35 = 0.4857"]),
    # Only the case that applies.
    ({"v": "a / b if b else 0"}, {"a": 2, "b": 4}, 80, ["v = a / b = 2 / 4 = 0.5000"]),
    ({"v": "a / b if b else 0"}, {"a": 2, "b": 0}, 80, ["v = 0"]),
    # A piece that is another value goes by its name, but equal formulas do not.
    ({"recall": RECALL, "precision": PRECISION,
      "f": f"2 * ({PRECISION}) * ({RECALL}) / (({PRECISION}) + ({RECALL})) if m else 0"},
     {"m": 2, "r": 4, "c": 2}, 100,
     ["recall    = m / r = 2 / 4 = 0.5000", "precision = m / c = 2 / 2 = 1",
      "f         = 2 * precision * recall / (precision + recall)"
      " = 2 * 1 * 0.5000 / (1 + 0.5000) = 0.6667"]),
    ({"a": "x / y", "b": "x / y"}, {"x": 1, "y": 2}, 80,
     ["a = x / y = 1 / 2 = 0.5000", "b = x / y = 1 / 2 = 0.5000"]),
    # One that is too long is folded at its equals signs, and then at blanks.
    (*SUM, 30, ["v = first + second", "  = 0.5000 + 0.2500", "  = 0.7500"]),
    (*SUM, 15, ["v = first +", "    second", "  = 0.5000 +", "    0.2500", "  = 0.7500"]),
    ({"v": "a - b"}, {"a": 1, "b": -2}, 80, ["v = a - b = 1 - (-2) = 3"]),
    ({"v": "undefined", "w": "0"}, {}, 80, ["v = undefined", "w = 0"]),
    ({"v": "round(a / b, 2)"}, {"a": 1, "b": 3}, 80,
     ["v = round(a / b, 2) = round(1 / 3, 2) = 0.3300"]),
])  # fmt: skip
def test_a_formula_is_worked_out(formulas, facts, width, lines):
    assert filled(formulas, facts, width) == lines


@pytest.mark.parametrize("formula", ["log(a)", "a +", "the weight of a", "a.b", "b", "1 / (a - 1)"])
def test_a_formula_of_a_plug_in_that_cannot_be_worked_out_is_shown_as_it_is(formula):
    assert filled({"v": formula}, {"a": 1}, 80) == [f"v = {formula}"]
    assert values_of({"v": formula}, {"a": 1}) == {}


def printed(report, width=80, terminal=False, **how):
    colours = "standard" if terminal else None
    plain = {"highlight": False, "markup": False, "emoji": False, "color_system": colours}
    out = Console(file=io.StringIO(), width=width, force_terminal=terminal, **plain, **how)
    out.print(report)
    return [line.rstrip() for line in out.file.getvalue().splitlines()]


def in_words(metric, candidate, references, source=None, full=False, **how):
    comparison = compare_texts(candidate, references, source, "en")
    explained = METRICS.build(metric).explain(comparison)
    return printed(ExplanationReport(metric, explained, comparison, full=full), **how)


def by_hand(parts, candidate="a", references=("b",), values=None, **rest):
    """The report of an explanation that no metric made."""
    comparison = compare_texts(candidate, list(references), None, "en")
    explained = Explanation("m", "1", "candidate", values or {"value": 1.0}, tuple(parts), **rest)
    return ExplanationReport("my_metric", explained, comparison)


@pytest.mark.parametrize("width", [60, 80])
@pytest.mark.parametrize("metric", ["rouge-w", "rouge155-2", "npower", "hpg", "js_divergence"])
def test_no_line_is_longer_than_the_screen(metric, width, demo):
    text = " ".join(["The ferry struck the old pier at Port Tarrow on Tuesday morning."] * 3)
    lines = in_words(metric, text, [text[12:], text[:40]], source=text, width=width)
    assert max(map(cell_len, lines)) <= width


@pytest.mark.parametrize(("candidate", "how", "expected", "absent"), [
    ("old pier", {"terminal": True}, ["is \x1b[1;32mgreen\x1b[0m", "\x1b[1;32mpier\x1b[0m"],
     "[pier]"),
    ("old pier", {"terminal": True, "no_color": True}, ["old [pier]"], "\x1b[1;32m"),
    # Texts with brackets of their own have other marks.
    ("old [x] pier", {}, ["what matched is in {brackets}", "old [x] {pier}"], "[pier]"),
])  # fmt: skip
def test_matches_have_colours_on_a_terminal_and_else_brackets(candidate, how, expected, absent):
    lines = in_words("rouge1", candidate, ["new pier"], **how)
    assert [sum(words in line for line in lines) for words in expected] == [1] * len(expected)
    assert not any(absent in line for line in lines)


@pytest.mark.parametrize(("spans", "words", "shown"), [
    ([(0, 1), (2, 3), (7, 8)], True, "[a b], c-[d] e"),
    ([(0, 1), (2, 3), (5, 6)], True, "[a b, c]-d e"),
    ([(0, 1), (2, 3), (5, 6)], False, "[a b], [c]-d e"),
    ([(4, 8), (3, 5)], False, "a b[, c-d] e"), ([(1, 4), (4, 5)], False, "a [b,] c-d e"),
    ([(1, 2)], False, "a b, c-d e"), ([], True, "a b, c-d e"),
])  # fmt: skip
def test_marks_without_anything_between_are_one(spans, words, shown):
    assert marked("a b, c-d e", spans, "[]", words).plain == shown


def test_as_many_words_are_marked_as_count():
    shown = marked("a b c", [(0, 1), (4, 5)])
    assert shown.plain == "a b c"
    assert [(span.start, span.end) for span in shown.spans] == [(0, 1), (4, 5)]
    # The reference has "the" twice and the candidate three times: two of these match.
    lines = in_words("rouge-1", "the pier the ferry the fog", ["the fog and the rain"])
    (row,) = [line for line in lines if "[" in line and "brackets" not in line]
    reference, candidate = row[:38].rstrip(), row[41:]
    assert reference == "[the fog] and [the] rain"
    marked_words = " ".join(re.findall(r"\[(.*?)\]", candidate)).split()
    assert sorted(marked_words) == ["fog", "the", "the"]
    assert "matched, strongest first: the (2), fog" in lines
    assert "not matched, only in reference 1: and, rain" in lines


@pytest.mark.parametrize("metric", ["rouge-2", "rougeL", "lcs"])
def test_a_word_that_the_candidate_has_without_a_match_is_not_said_to_be_missing(metric):
    """Of "pier old the" and "the ice old" only one word can match in order, and no two in a row."""
    lines = in_words(metric, "pier old the", ["the ice old"])
    assert "not matched, only in reference 1: ice" in lines
    (also,) = (line for line in lines if line.startswith("not matched, though"))
    assert set(also.partition(": ")[2].split(", ")) <= {"the", "old"}


NARROW = 2 * explain.LEAST_COLUMN + 2
FERRY, MERGED = (
    ("The ferry hit the old pier.", ["A ferry hit the pier."]),
    "min_n=2,max_n=2,window=1",
)
SHOWN = {
    # Four words match: recall is 4 / 5, precision 4 / 6, F 8 / 11.
    "one reference": ("rouge1", *FERRY, {"width": NARROW + 1}),
    "a reference above the summary on a narrow line": ("rouge1", *FERRY, {"width": NARROW}),
    # Of "the" one is matched and one is not.
    "a word that the reference has more often": ("rouge-1", "the pier", ["the pier the"]),
    "a word behind the limit": ("rouge-1(length=1words)", "old pier", ["old pier fog"]),
    "a keyword of the source alone": (
        "keywords(n=1,against=references)", "pier fog fog", ["pier pier fog"]),
    "words of pooled references once": ("rouge-1", "pier", ["pier fog ice", "fog"]),
    "matches with pooled references": (
        "rouge-1", "the cat sat the", ["the cat the", "the cat sat", "sat"]),
    "two pooled references": ("rouge-1", "old pier", ["old fog", "new pier"]),
    "equal runs of words": ("rouge-w", "the cat or the cat", ["the cat and the cat"]),
    "missed words by their number": ("unit_overlap", "fog", ["rain fog snow wind snow"]),
    "stop words are not missed": ("unit_overlap(stop=true)", "fog", ["the fog and the rain"]),
    "a mean": ("unit_overlap(references=mean)", "a b", ["a", "b c d"]),
    "the best": ("unit_overlap(references=best)", "a b", ["a", "b c d"]),
    "only the best that counts": ("rouge1", "the old pier", ["fog", "an old pier"]),
    "an undefined reference counts nowhere": ("unit_overlap", "a b", ["", "a"]),
    "strongest first, not by the alphabet": ("cosine", "zebra ant ant bee", ["bee ant ant zebra"]),
    "no match": ("unit_overlap", "a", ["b"]),
    "a source without matches": (
        "compression", "fog here", [], {"source": "fog is here and there"}),
    "a note": (
        "lsa_main_topic(against=references)", "Fog. Ice.", ["Fog. Ice. Ferries."], {"width": 120}),
    # Of "abcd" and "xabc" the 2-grams ab and bc are neighbours in both, and nothing else is.
    "edges": (f"autosummeng({MERGED})", "abcd", ["xabc"]),
    "edges of merged references": (f"memog({MERGED})", "abc abc", ["xabc", "abc"]),
    "edges of a single reference": (f"memog({MERGED})", "abc", ["xabc"]),
    "no shared edge": (f"memog({MERGED})", "abc", ["uvw"]),
}  # fmt: skip


@pytest.mark.parametrize("case", SHOWN)
def test_an_explanation_is_shown(case, snapshot):
    metric, candidate, references, *how = SHOWN[case]
    lines = in_words(metric, candidate, references, **(how[0] if how else {}))
    assert "\n".join(lines) == snapshot


@pytest.mark.parametrize(("metric", "values", "note"), [
    ("rouge1", ["recall    = 0", "precision = 0", "f         = 0"], True),
    ("hpg", ["value = 0"], True),
    ("js_divergence(against=references)", ["value = 1"], True),
    ("kl_divergence(against=references)", ["missed = inf", "added  = inf"], True),
    ("compression", ["value = 0"], False),
])  # fmt: skip
@pytest.mark.parametrize("empty", ["", " \n"])
def test_an_empty_summary_has_its_values_and_one_note(metric, values, note, empty):
    lines = in_words(metric, empty, ["The old pier."], source="The old pier.")
    worst = ", which counts as the worst value" if note else ""
    assert lines[1:] == ["", *values, f"note: the summary is empty{worst}"]


def test_a_summary_of_units_or_of_content_units_is_not_empty_without_a_text():
    extract = Comparison(Material("1"), Side("candidate", "", (0,)), (Side("reference 1", "fog"),))
    assert METRICS.build("rouge1").explain(extract).note == ""
    pyramid = Pyramid("1", (Scu("1"), Scu("2")), {"candidate": (PeerScu("2"),)})
    judged = Comparison(Material("1", pyramids=(pyramid,)), Side("candidate", ""), ())
    assert METRICS.build("scu_recall").explain(judged).note == ""


VALUE, TERMS = {"value": "1"}, dict.fromkeys(("level_1", "level_2"), "of a level")
UNITS = tuple(Match(f"unit {i}: a sentence of many words", float(i)) for i in range(MOST_ROWS + 2))
LEVELS = Sheet("the levels", ("level", "value"), (("1", 0.5), ("2", 0.0)))
MATCHES = (Match("a", 1.0), Match("b", 0.25), Match("c", 2.0))
FACTS = {"level_1": 0.5, "level_2": 0.25, "odd": 3.0}
OF_PLUG_INS = {
    "weights that are no counts": ([Part("x", {}, VALUE, MATCHES)], {}),
    "many long matches": ([Part("x", {}, VALUE, UNITS)], {}),
    "a table of a part": ([Part("x", {}, VALUE, tables=(LEVELS,))], {}),
    "facts with their meaning once": ([Part("x", FACTS, {"value": "level_1"})], {"terms": TERMS}),
    "values alone": ([], {"values": {"value": 0.25, "odd": 3.0}}),
}


@pytest.mark.parametrize("case", OF_PLUG_INS)
def test_an_explanation_of_a_plug_in_is_shown(case, snapshot):
    parts, rest = OF_PLUG_INS[case]
    assert "\n".join(printed(by_hand(parts, **rest))) == snapshot


def test_long_lists_and_texts_are_cut_with_a_word_and_shown_whole_with_full():
    words = [f"w{i:03}" for i in range(explain.MOST_WORDS + 3)]
    text = " ".join([*words, "w014", "w014"])
    lines = " ".join(in_words("cosine", text, [text]))
    assert "matched, strongest first: w014 (9), w000, w001" in lines
    assert lines.endswith(f"w{explain.MOST_WORDS - 1:03}, and 3 more (--full shows all)")
    whole = " ".join(in_words("cosine", text, [text], full=True))
    assert whole.endswith(words[-1]) and "more" not in whole
    text = "\n".join(f"line {i}" for i in range(explain.MOST_LINES + 5))
    lines = in_words("rouge1", "line", [text])
    assert any(line.startswith("... 5 more lines (--full shows all)") for line in lines)
    assert not any(line.startswith(f"[line] {explain.MOST_LINES}") for line in lines)
    whole = in_words("rouge1", "line", [text], full=True)
    assert any(line.startswith(f"line {explain.MOST_LINES + 4}") for line in whole)
