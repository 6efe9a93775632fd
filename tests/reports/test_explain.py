"""Explanations in words."""

import io

import pytest
from rich.console import Console

from summetry.metrics import METRICS
from summetry.records.batches import compare_texts
from summetry.reports.explain import MOST_MATCHES, explanation, marked


def in_words(metric, candidate, references):
    comparison = compare_texts(candidate, references, None, "en")
    result = METRICS.build(metric).explain(comparison)
    out = Console(file=io.StringIO(), width=100, highlight=False, markup=False, emoji=False)
    out.print(explanation(result, comparison))
    return [line.rstrip() for line in out.file.getvalue().splitlines()]


def test_one_reference_in_full():
    assert in_words("lcs.f", "a [b] c", ["a c"])[6:] == [
        "",
        "a [b] c",
        "",
        "against reference 1",
        "matched = 2, candidate = 3, reference = 2",
        "length = matched",
        "recall = matched / reference",
        "precision = matched / candidate if candidate else 0",
        "f = 2 * matched / (candidate + reference)",
        "matched  weight",
        "a        1",
        "c        1",
    ]


@pytest.mark.parametrize("over", ["mean", "best"])
def test_several_references_say_what_is_made_of_them(over):
    lines = in_words(f"unit_overlap(references={over})", "a b", ["a", "b"])
    assert lines[-1] == f"the value is the {over} over 2 references"


def test_the_heaviest_matches_come_first_and_the_rest_is_counted():
    words = [f"w{i:02}" for i in range(MOST_MATCHES + 3)]
    text = " ".join([*words, "w14", "w14"])
    lines = in_words("cosine", text, [text])
    start = lines.index("matched  weight")
    assert lines[start + 1].split() == ["w14", "9"]
    assert lines[start + 2].split() == ["w00", "1"]
    assert len(lines) == start + 1 + MOST_MATCHES + 1
    assert lines[-1] == "... and 3 more (--json has all)"


def test_nothing_matched_has_no_list():
    assert "matched  weight" not in in_words("unit_overlap", "a", ["b"])


def test_what_matched_is_marked():
    shown = marked("a b c", [(0, 1), (4, 5)])
    assert shown.plain == "a b c"
    assert [(span.start, span.end) for span in shown.spans] == [(0, 1), (4, 5)]


def test_what_is_out_of_the_ordinary_is_one_sentence():
    lines = in_words("lsa_main_topic(against=references)", "Fog. Ice.", ["Fog. Ice. Ferries."])
    (note,) = (line for line in lines if line.startswith("note: "))
    assert note.startswith("note: equal largest singular values, so no single main topic")
    assert lines.index(note) == lines.index("value = matched") + 1
