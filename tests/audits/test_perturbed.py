"""The texts of an audit: their names, what is drawn, and what is left out."""

from dataclasses import replace

import pytest

import summetry
from summetry.audits.perturbations import PERTURBATIONS
from summetry.audits.perturbed import perturb, perturbations_named
from summetry.errors import SummetryError
from summetry.formats import load

ALL = perturbations_named(())


def corpus_of(rows, language="en"):
    return replace(load([dict(row) for row in rows]), language=language)


def text_by_name(texts):
    candidates = [s for s in texts.corpus.summaries if s.role == "candidate"]
    return {(s.topic, s.author): texts.corpus.text_of(s) for s in candidates}


ROWS = [
    {
        "id": topic, "system": system, "reference": f"A reference of {topic}.",
        "candidate": f"Topic {topic} is told by {system}. It has {number} parts. All will end.",
        "source": f"The source of {topic} has 77 sentences. It goes on. It ends. Here is more.",
    }
    for topic in ("t1", "t2", "t3")
    for number, system in enumerate(("bart", "lead", "t5"), 2)
]  # fmt: skip


def test_a_perturbed_summary_is_of_a_system_with_the_name_of_both():
    texts = perturb(corpus_of(ROWS), perturbations_named(["instruction", "shuffled"]))
    named = text_by_name(texts)
    assert len(named) == 9 * 3
    for pair in texts.pairs:
        assert pair.perturbed == f"{pair.system}~{pair.perturbation}"
        assert named[pair.topic, pair.perturbed] != named[pair.topic, pair.system]
    assert named["t1", "bart~instruction"].startswith(named["t1", "bart"])
    assert [made.perturbation.name for made in texts.made] == ["shuffled", "instruction"]
    assert [(made.texts, made.left_out) for made in texts.made] == [(9, 0), (9, 0)]


def test_what_is_drawn_depends_on_the_seed_and_neither_on_order_nor_what_else_is_drawn(demo):
    whole = text_by_name(perturb(demo, ALL, seed=3))
    turned = replace(demo, topics=demo.topics[::-1], summaries=demo.summaries[::-1])
    assert text_by_name(perturb(turned, ALL[::-1], seed=3)) == whole
    for one in PERTURBATIONS:
        alone = text_by_name(perturb(demo, [one], seed=3))
        assert alone.items() <= whole.items()
    some = text_by_name(perturb(demo, ALL, seed=3, exclude=["lead", "echo"]))
    assert some == {key: text for key, text in whole.items()
                    if key[1].partition("~")[0] not in ("lead", "echo")}  # fmt: skip
    first, second = (text_by_name(perturb(demo, ALL, seed=seed)) for seed in (0, 1))
    apart = [key for key in first.keys() & second if first[key] != second[key]]
    differ = {name.partition("~")[2] for _, name in apart}
    fixed = {"", "instruction", "lead"}
    assert differ == {one.name for one in PERTURBATIONS} - fixed


def test_a_limit_takes_topics_in_turn_and_references_and_sources_stay(demo):
    texts = perturb(demo, ALL, limit=10)
    whole = text_by_name(perturb(demo, ALL))
    assert text_by_name(texts).items() <= whole.items()
    for made in texts.made:
        assert made.texts == 10
        if not made.left_out:
            topics = [p.topic for p in texts.pairs if p.perturbation == made.perturbation.name]
            # Nine topics: each once, and one of them twice.
            assert len(set(topics)) == 9
    texts = perturb(demo, ALL)
    both = (texts.corpus, demo)
    first, second = ([s for s in one.summaries if s.role == "reference"] for one in both)
    assert first == second
    assert texts.corpus.topics == demo.topics
    candidates = [s for s in texts.corpus.summaries if s.role == "candidate"]
    assert all(s.units is None for s in candidates)
    for summary in demo.summaries:
        if summary.role == "candidate":
            own = text_by_name(texts)[summary.topic, summary.author]
            assert own == demo.text_of(summary)


def test_a_text_of_one_sentence_per_line_stays_so_and_lengths_are_in_per_cent():
    rows = [row | {"candidate": row["candidate"].replace(". ", ".\n")} for row in ROWS]
    named = text_by_name(perturb(corpus_of(rows), perturbations_named(["shuffled", "cut"])))
    assert all(text.count("\n") == (1 if "cut" in name else 2) for (_, name), text in named.items())
    rows = [ROWS[0] | {"candidate": "One two three four. Five six seven eight."}]
    made = perturb(corpus_of(rows), perturbations_named(["cut", "repeated", "shuffled"])).made
    lengths = {one.perturbation.name: one.length for one in made}
    assert lengths == {"shuffled": 100.0, "cut": 50.0, "repeated": 150.0}


SHORT = [ROWS[0] | {"candidate": "It starts. It goes", "source": "It starts. It goes on."}]
NEGATIVE = "It was said that the ferry is late and that all of them will not be there."


@pytest.mark.parametrize(("rows", "language", "names", "counts", "notes"), [
    (ROWS, "fi", ["shuffled", "negation"], [(9, 0), (0, 9)],
     ("negation: no rule for this language: Finnish",)),
    # A language that is not said is guessed.
    ([row | {"candidate": NEGATIVE} for row in ROWS], "", ["negation"], [(9, 0)], ()),
    ([ROWS[0] | {"candidate": " "}, *ROWS[1:]], "en", ["shuffled"], [(8, 0)],
     ("left out 1 summary without a text",)),
    # The lead of a system that takes the lead is no other text.
    ([*SHORT, ROWS[4] | {"source": ROWS[0]["source"]}], "en", ["lead"], [(1, 1)], ()),
])  # fmt: skip
def test_summaries_that_cannot_be_changed_are_left_out(rows, language, names, counts, notes):
    texts = perturb(corpus_of(rows, language), perturbations_named(names))
    assert [(made.texts, made.left_out) for made in texts.made] == counts
    assert texts.notes == notes


def test_rows_hold_whose_a_text_is_and_have_the_scores_of_the_corpus(demo):
    texts = perturb(demo, perturbations_named(["shuffled"]), limit=9)
    rows = list(texts.rows())
    names = "id system perturbation candidate references source"
    assert len(rows) == 18 and " ".join(rows[0]) == names
    named = text_by_name(texts)
    for row in rows:
        is_perturbed = row["system"].endswith("~shuffled")
        assert row["perturbation"] == ("shuffled" if is_perturbed else "")
        assert row["candidate"] == named[row["id"], row["system"]]
        assert len(row["references"]) == 3
    one = perturb(corpus_of(ROWS), perturbations_named(["shuffled"]))
    assert next(one.rows())["reference"] == "A reference of t1."
    # What another program is given is what our metrics are given.
    texts = perturb(demo, perturbations_named(["shuffled", "cut"]), limit=9)
    metrics = ["rouge-2", "memog", "js_divergence"]
    ours = summetry.evaluate(texts.corpus, metrics)
    theirs = summetry.evaluate(list(texts.rows()), metrics)
    by_row = {(r.topic, r.author): d for r, d in zip(theirs.rows, theirs.data, strict=True)}
    assert len(by_row) == len(ours.rows) > 18
    for row, numbers in zip(ours.rows, ours.data, strict=True):
        # The source is one text there, and units with blanks between them here.
        assert by_row[row.topic, row.author] == pytest.approx(numbers, abs=1e-12)


@pytest.mark.parametrize(("names", "rows", "exclude", "words"), [
    (["shufled"], ROWS, (), r"no perturbation is named 'shufled'. Did you mean 'sh"),
    ((), ROWS, ["led"], r"no system is named 'led'. Did you mean 'lead'"),
    ((), [*ROWS, ROWS[0] | {"system": "t5~cut"}], (),
     r"found t5~cut, which an audit would give to .* of t5"),
    ((), [ROWS[0] | {"candidate": ""}], (),
     "expected candidates with texts to perturb, found none"),
    (["shuffled"], [ROWS[0] | {"candidate": "One."}], (),
     "no summary could be perturbed: tried shuffled"),
])  # fmt: skip
def test_what_cannot_be_perturbed_is_refused(names, rows, exclude, words):
    with pytest.raises(SummetryError, match=words):
        perturb(corpus_of(rows), perturbations_named(names), exclude=exclude)
