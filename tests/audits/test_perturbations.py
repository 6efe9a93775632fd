"""Perturbations: each by hand-made examples, what all promise, and the texts of an audit."""

from collections import Counter
from dataclasses import replace
from itertools import chain

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import summetry
from summetry.audits import negations, perturbations
from summetry.audits.negations import has_rules, negated, read_negations
from summetry.audits.perturbations import INSTRUCTION, NEAREST, PERTURBATIONS, Context
from summetry.audits.perturbed import perturb, perturbations_named
from summetry.errors import SummetryError
from summetry.formats import load
from summetry.text.languages.files import language_files


@pytest.mark.parametrize(("sentence", "made"), [
    ("It was late.", ["It was not late."]), ("It was not late.", ["It was late."]),
    ("It wasn't late.", ["It was late."]), ("It wasn’t late.", ["It was late."]),
    ("it was n't late .", ["it was late ."]), ("He ca n't go .", ["He can go ."]),
    ("Won't he go?", ["Will he go?"]), ("He cannot go.", ["He can go."]),
    ("They never sleep.", ["They sleep."]), ("Never mind.", ["Mind."]),
    ("They have been ill.", ["They have not been ill."]),
    ("They have a dog.", []), ("They're here; it'll do.", []), ("Will saw May.", []),
    ("Knots and whatnot.", []),
])  # fmt: skip
def test_english_sentences(sentence, made):
    assert negated(sentence, "en-GB") == made


@pytest.mark.parametrize(("code", "plain", "negative"), [
    ("sv", "Isen är hård.", "Isen är inte hård."), ("da", "Isen er hård.", "Isen er ikke hård."),
    ("nb", "Isen er hard.", "Isen er ikke hard."),
    ("de", "Das Eis ist hart.", "Das Eis ist nicht hart."),
    ("nl", "Het ijs is hard.", "Het ijs is niet hard."),
])  # fmt: skip
def test_other_languages_there_and_back(code, plain, negative):
    assert negated(plain, code) == [negative]
    assert negated(negative, code) == [plain]


def test_every_file_is_read_and_a_language_without_one_has_no_rules():
    known = list(language_files(negations.__file__))
    assert known == ["da", "de", "en", "nb", "nl", "sv"]
    for code in known:
        assert has_rules(code) and negated("x", code) == []
    assert not has_rules("fi") and negated("It is late.", "fi") == []


@pytest.mark.parametrize(("text", "message"), [
    ('"not now"\ninsert_after = ["is"]\n[remove]', "one word in the field 'negation'"),
    ('"not"\ninsert_after = ["a b c"]\n[remove]', "expected one or two words"),
    ('"not"\ninsert_after = ["is"]\nremove = ["not"]', "expected a table of words"),
    ('"not"\ninsert_after = ["is"]', "expected the field 'remove', found none"),
])  # fmt: skip
def test_a_broken_file_is_named(tmp_path, text, message):
    file = tmp_path / "xx.toml"
    file.write_text(f"negation = {text}", encoding="utf-8")
    with pytest.raises(SummetryError, match=message):
        read_negations(file)


TEXT = ("The ferry hit the pier.", "Nineteen people were hurt.", "It may sail again in June.")
SOURCE = (
    "A ferry struck the pier at Tarrow.", "THE FERRY HIT THE PIER!", "Rain fell.",
    "The owner, Bo Ek, said that 143 people had been on board in 2014.",
)  # fmt: skip
CONTEXT = Context("en", SOURCE, (("A ferry hit a pier.",), ("Nineteen hurt.", "Pier hit.")))
SEEDS = st.integers(0, 2**32)
WORDS = st.text("abc", min_size=1, max_size=3)
TEXTS = st.lists(st.lists(WORDS, min_size=1).map(" ".join), min_size=1, max_size=6).map(tuple)


def applied(name, text=TEXT, context=CONTEXT, seed=0):
    function = getattr(perturbations, name)
    return function(text, context, np.random.default_rng(seed))


def all_drawn(name, text=TEXT, context=CONTEXT):
    """What comes out over many seeds: every text that the rule can make of a small one."""
    return {applied(name, text, context, seed) for seed in range(200)}


def test_names_are_those_of_the_functions_and_each_says_what_it_does():
    for one in PERTURBATIONS:
        assert getattr(perturbations, one.name) is one.apply
        assert one.does[0].isupper() and one.does.endswith(".")
    names = [one.name for one in PERTURBATIONS]
    assert len(set(names)) == len(names) == 14
    assert [one.name for one in PERTURBATIONS if one.expected != "worse"] == ["lead", "reference"]
    # Where nouns have capitals there is no rule for names.
    (rule,) = (one for one in PERTURBATIONS if one.name == "name")
    assert rule.speaks("en") and not rule.speaks("de")


def shuffled(text, made):
    return made != text and Counter(made) == Counter(text)


def word_salad(text, made):
    """The same words, and as many in each sentence."""
    before, after = ([sentence.split() for sentence in one] for one in (text, made))
    return (
        made != text
        and Counter(chain(*after)) == Counter(chain(*before))
        and list(map(len, after)) == list(map(len, before))
    )


def cut(text, made):
    """The order is kept, and a third is lost."""
    rest = iter(text)
    lost = max(len(text) // 3, 1)
    return len(made) == len(text) - lost and all(sentence in rest for sentence in made)


def repeated(text, made):
    """A third is said again at the end."""
    again = made[len(text) :]
    is_kept = made[: len(text)] == text and len(again) == max(len(text) // 3, 1)
    return is_kept and not Counter(again) - Counter(text)


@pytest.mark.parametrize(("is_right", "can_be"), [
    (shuffled, lambda text: len(set(text)) > 1),
    (word_salad, lambda text: len({word for one in text for word in one.split()}) > 1),
    (cut, lambda text: len(text) > 1), (repeated, lambda text: True),
], ids=["shuffled", "word_salad", "cut", "repeated"])  # fmt: skip
@given(text=TEXTS, seed=SEEDS)
def test_a_change_of_order_or_length_keeps_what_it_promises(is_right, can_be, text, seed):
    made = applied(is_right.__name__, text, seed=seed)
    assert is_right(text, made) if can_be(text) else made is None


def test_a_word_salad_of_chinese_mixes_characters():
    made = applied("word_salad", ("渡轮撞上码头。", "十九人受伤。"), Context("zh"))
    assert [len(sentence) for sentence in made] == [7, 6]
    assert Counter("".join(made)) == Counter("渡轮撞上码头。十九人受伤。")


COST = ("It cost 2,400 in 1994.", "In 2400 words.")
ROME = Context("en", ("He saw Anna Ek in Rome.",))


@pytest.mark.parametrize(("name", "text", "context", "made"), [
    # 4 words are nearer to 1 than 5 are; 5 to 4; 4 to 5.
    ("repeated_in_place", ("a", "b b b b", "c c c c c"), CONTEXT, [
        ("b b b b", "b b b b", "c c c c c"), ("a", "c c c c c", "c c c c c"),
        ("a", "b b b b", "b b b b"),
    ]),
    # The second one is said, in small letters and with another mark.
    ("padded", TEXT, CONTEXT, [(*TEXT, SOURCE[k]) for k in (0, 2, 3)]),
    # Of 5, 4 and 6 words; the source has 7, 2 and 14 that are not said.
    ("padded_in_place", TEXT, CONTEXT, [
        (SOURCE[0], *TEXT[1:]), (TEXT[0], SOURCE[2], TEXT[2]), (*TEXT[:2], SOURCE[0]),
    ]),
    # 2,400 is 2400, so neither takes the place of the other.
    ("number", COST, Context("en", ("U2 paid 7.5 on the 1st.",)), [
        *((f"It cost {number} in 1994.", COST[1]) for number in ("1994", "7.5")),
        *((f"It cost 2,400 in {number}.", COST[1]) for number in ("2,400", "2400", "7.5")),
        *((COST[0], f"In {number} words.") for number in ("1994", "7.5")),
    ]),
    ("name", ("Then Anna Ek met Bo in Oslo.",),
     Context("en", ("He saw Anna there.",), (("We know Rome well.",),)), [
        *((f"Then {one} met Bo in Oslo.",) for one in ("Bo", "Oslo", "Rome")),
        *((f"Then Anna Ek met {one} in Oslo.",) for one in ("Anna", "Anna Ek", "Oslo", "Rome")),
        *((f"Then Anna Ek met Bo in {one}.",) for one in ("Anna", "Anna Ek", "Bo", "Rome")),
    ]),
    # A name of the topic is one at the beginning and in small letters.
    ("name", ("Rome fell.", "Anna fell."), ROME, [("Anna Ek fell.", "Anna fell.")]),
    ("name", ("then anna ek saw rome.",), ROME,
     [("then rome saw rome.",), ("then anna ek saw anna ek.",)]),
    # A negation is inserted or removed once.
    ("negation", ("She isn't late and will come.", "Rain fell."), CONTEXT, [
        (f"She {words}.", "Rain fell.") for words in
        ("is late and will come", "isn't late and will not come")
    ]),
    ("reference", TEXT, CONTEXT, CONTEXT.references),
])  # fmt: skip
def test_a_rule_makes_every_text_that_it_can(name, text, context, made):
    assert all_drawn(name, text, context) == {*made}


@pytest.mark.parametrize(("name", "text", "context"), [
    ("repeated_in_place", ("a b", "a b"), CONTEXT), ("padded", TEXT, Context("en", (SOURCE[1],))),
    ("padded", TEXT, Context("en")), ("number", ("No number, but U2.",), CONTEXT),
    ("number", ("Only 5.",), Context("en")),
    # First words, stop words, headlines and quotations are no names.
    *[("name", (sentence,), Context("en", ("He saw Rome.",))) for sentence in (
        "Rain fell.", 'He said: "People came."', "and I, The end",
        "Ferry Hits Pier At Tarrow Again", "Then she met him.", "then romeo ran.",
    )],
    ("negation", ("Rain fell.",), CONTEXT), ("other_topic", TEXT, CONTEXT),
    ("lead", ("w " * 1000,), CONTEXT), ("reference", TEXT, Context("en", SOURCE)),
])  # fmt: skip
def test_a_text_without_what_a_rule_changes_stays(name, text, context):
    assert all_drawn(name, text, context) == {None}


def test_another_topic_has_a_summary_of_nearly_the_same_length():
    others = {f"t{size}": ("w " * size,) for size in range(1, 40)} | {"same": ("a b c d e",)}
    made = all_drawn("other_topic", ("a b c d e",), Context("en", others=others))
    assert {len(sentence.split()) for (sentence,) in made} == {3, 4, 5, 6, 7}
    assert len(made) == NEAREST


def test_the_lead_has_as_many_words_and_an_instruction_comes_last():
    text = ("one two three four", "five six seven eight nine")
    assert applied("lead", text) == ("A ferry struck the pier at Tarrow.", "THE FERRY")
    assert applied("instruction") == (*TEXT, INSTRUCTION)


@pytest.mark.parametrize("one", PERTURBATIONS, ids=lambda one: one.name)
@given(SEEDS)
def test_the_same_seed_gives_the_same_text_and_lengths_are_as_promised(one, seed):
    text = (
        "Then 5 people will go to Rome .", "Bo Ek saw 7 in Oslo again .",
        "It is late now in the night .",
    )  # fmt: skip
    source = (*SOURCE, "They ran 9 miles in Bergen .", "Others were early .")
    context = Context("en", source, CONTEXT.references, {"t": ("w " * 23,)})
    made = one.apply(text, context, np.random.default_rng(seed))
    assert made == one.apply(text, context, np.random.default_rng(seed))
    assert made is not None and made != text
    size = context.size(text)
    if one.length == "same":
        assert context.size(made) == size
    if one.length == "near":
        # Within two words here: the source has a sentence of about every length.
        assert abs(context.size(made) - size) <= 2


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
    demo = replace(demo, topics=demo.topics[:3])
    topics = {topic.id for topic in demo.topics}
    demo = replace(demo, summaries=tuple(s for s in demo.summaries if s.topic in topics))
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
    texts, unlimited = perturb(demo, ALL, limit=10), perturb(demo, ALL)
    whole = text_by_name(unlimited)
    assert text_by_name(texts).items() <= whole.items()
    for made in texts.made:
        assert made.texts == 10
        if not made.left_out:
            topics = [p.topic for p in texts.pairs if p.perturbation == made.perturbation.name]
            # Nine topics: each once, and one of them twice.
            assert len(set(topics)) == 9
    both = (unlimited.corpus, demo)
    first, second = ([s for s in one.summaries if s.role == "reference"] for one in both)
    assert first == second
    assert unlimited.corpus.topics == demo.topics
    candidates = [s for s in unlimited.corpus.summaries if s.role == "candidate"]
    assert all(s.units is None for s in candidates)
    own = {(s.topic, s.author): demo.text_of(s) for s in demo.summaries if s.role == "candidate"}
    assert own.items() <= whole.items()


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
