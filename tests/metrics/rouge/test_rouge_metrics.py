"""ROUGE by default: what the quirks are off, several references, limits, and what is refused."""

import math

import pytest
from comparisons import may_be_empty
from hypothesis import given, settings
from hypothesis import strategies as st

import summetry
from summetry import spec
from summetry.arrays import kernel
from summetry.errors import SummetryError, SummetryWarning
from summetry.metrics import METRICS
from summetry.metrics.rouge import skips
from summetry.metrics.rouge.rouge_metrics import ngrams, rouge_n, skip_bigrams
from summetry.records.batches import Comparison, Material, Side

words = st.lists(st.sampled_from("abcde"), max_size=10)
some = st.lists(st.sampled_from("abcde"), min_size=1, max_size=10)
quick = settings(max_examples=60)


def score(candidate, references, spelling):
    return summetry.score(candidate, references, metrics=[spelling])[spelling]


@quick
@given(some, st.lists(some, min_size=1, max_size=3), st.integers(1, 3))
def test_recall_is_equation_7(candidate, references, n):
    found = score(" ".join(candidate), [" ".join(r) for r in references], f"rouge_n(n={n})")
    expected = rouge_n(candidate, references, n).value
    assert found["recall"] == pytest.approx(expected, nan_ok=True)


@quick
@given(some, some, st.integers(-1, 4))
def test_skip_bigrams_are_counted_pair_by_pair(candidate, reference, gap):
    found = score(" ".join(candidate), [" ".join(reference)], f"rouge_su(gap={gap})")
    mine, theirs = skip_bigrams(candidate, gap), skip_bigrams(reference, gap)
    hits = (mine & theirs).total()
    assert found["recall"] == pytest.approx(hits / theirs.total())
    assert found["precision"] == pytest.approx(hits / mine.total())


def test_w_of_the_script_needs_no_weight_in_its_name():
    assert score("a b c", ["b c d"], "rouge155-w") == score("a b c", ["b c d"], "rouge155-w-1.2")


@pytest.mark.parametrize(
    "spelling", ["rouge-1", "rouge-2", "rouge-l", "rouge-w", "rouge-s4", "rouge-su4"]
)
@pytest.mark.parametrize(
    "text",
    [
        "The dam broke. The town drowned. Nobody was hurt.",
        "Η γέφυρα έπεσε χθες. Κανείς δεν πληγώθηκε.",
        "नेपाली भाषा सुन्दर छ। यो पनि सुन्दर छ।",
        "北京今天天气很好。明天会下雨。",
    ],
)
def test_a_text_in_any_script_scores_1_against_itself(spelling, text):
    found = score(text, [text], spelling)
    assert found == pytest.approx({"recall": 1, "precision": 1, "f": 1})


def test_the_words_of_rouge_score_see_no_greek_and_say_so():
    text = "Η γέφυρα έπεσε χθες."
    with pytest.warns(SummetryWarning, match="text=auto .* reads every script"):
        assert set(score(text, [text], "rougeL").values()) == {0}


@pytest.mark.parametrize("spelling", ["rouge1", "rougeLsum"])
def test_an_empty_reference_that_counts_is_spoken_of_and_one_that_does_not_count_is_not(spelling):
    note = rf"{spelling}: a reference is empty and counts .* leave it out \(1 comparison\)"
    with pytest.warns(SummetryWarning, match=note):
        assert score("a b", [" "], spelling)["recall"] == 0
    with pytest.warns(SummetryWarning, match=note):
        alone = score("a b", ["a b", "\n"], spelling)
    with pytest.warns(SummetryWarning, match=note):
        many = summetry.score(["a b", "c"], [["a b", "\n"], ["c"]], [spelling])
    assert many[spelling]["recall"][0] == alone["recall"]
    # A warning would be an error.
    summetry.score(["a b", "c"], [["a b", ""], ["c"]], ["rouge-1", "rouge-l"])


@may_be_empty
@quick
@given(words, st.lists(some, min_size=2, max_size=3), st.sampled_from(["pool", "mean"]))
def test_the_order_of_references_is_no_matter(candidate, references, how):
    spelling = f"rouge_l(references={how})"
    texts = [" ".join(r) for r in references]
    one, other = (score(" ".join(candidate), t, spelling) for t in (texts, texts[::-1]))
    assert one == pytest.approx(other, nan_ok=True, abs=0)


def test_pooling_averaging_and_the_best_are_three_things():
    references = ["a b c d", "a x"]
    recall = {how: score("a b", references, f"rouge_n(references={how})")["recall"]
              for how in ("pool", "mean", "best")}  # fmt: skip
    assert recall == {"pool": 3 / 6, "mean": (2 / 4 + 1 / 2) / 2, "best": 2 / 4}


def test_the_originals_best_reference_for_w_is_the_first_of_equals():
    # Both references are found whole, so their recalls are equal before the second weighing.
    found = score("a b c", ["a b", "a b c"], "rouge_w(references=best,text=rouge155)")
    twice = (2**1.2) ** 1.2
    assert found["recall"] == round((2**1.2 / twice) ** (1 / 1.2), 5) == 0.87055
    assert found["precision"] == round(2 / 3, 5)


def test_the_originals_best_reference_is_found_with_rounded_recalls_for_n_and_exact_ones_for_l():
    shared, other = [f"w{i}" for i in range(137)], [f"v{i}" for i in range(183)]
    # Recalls 134/313 and 137/320: 0.42812 both, and the second is a little larger.
    references = [" ".join(shared[:134] + other[:179]), " ".join(shared + other)]
    with pytest.warns(SummetryWarning, match="one long line"):
        exact = score(" ".join(shared), references, "rouge_l(references=best,text=rouge155)")
    rounded = score(" ".join(shared), references, "rouge_n(references=best,text=rouge155)")
    assert exact["recall"] == rounded["recall"] == 0.42812
    assert exact["precision"] == 1
    assert rounded["precision"] == round(134 / 137, 5)


def test_alpha_turns_f_from_recall_to_precision():
    found = [score("a b", ["a b c d"], f"rouge_n(alpha={a})")["f"] for a in (0, 0.5, 1)]
    assert found == pytest.approx([0.5, 2 / 3, 1.0])


def test_summary_level_l_unites_over_sentences():
    candidate = "seen by police\nthe gunman"
    reference = "the gunman was seen by police"
    flat = score(candidate.replace("\n", " "), [reference], "rougeL")["recall"]
    united = score(candidate, [reference], "rouge-l")["recall"]
    assert united == pytest.approx(5 / 6)
    assert flat == pytest.approx(3 / 6)


def test_w_pays_runs_of_both_texts_and_the_script_runs_of_the_reference():
    """Lin (2004), section 4, with k^2: 4^2 and 4 * 1 of 7^2."""
    reference, run, scattered = "a b c d e f g", "a b c d h i k", "a h b k c i d"
    for candidate, hits in ((run, 16), (scattered, 4)):
        values = score(candidate, [reference], "rouge_w(weight=2)")
        expected = math.sqrt(hits / 49)
        assert values == pytest.approx(dict.fromkeys(("recall", "precision", "f"), expected))
    assert score(run, [reference], "rouge_w(weight=2)")["f"] == pytest.approx(0.571, abs=5e-4)
    assert score(scattered, [reference], "rouge_w(weight=2)")["f"] == pytest.approx(0.286, abs=5e-4)
    # The script pays 4^2 for both, and divides the recall by (7^2)^2.
    for candidate in (run, scattered):
        values = score(candidate, [reference], "rouge_w(weight=2,text=rouge155)")
        assert (values["recall"], values["precision"]) == (round(4 / 49, 5), round(4 / 7, 5))


def test_w_takes_the_heaviest_sentence_of_the_candidate_for_each_of_the_reference():
    # "a b c d": "a b x" gives 2^2 and "b c d" 3^2, which counts alone. "e f": "e x f" gives 1 + 1.
    found = score("a b x\nb c d\ne x f", ["a b c d\ne f"], "rouge_w(weight=2)")
    assert found["recall"] == pytest.approx(math.sqrt((9 + 2) / (16 + 4)))
    assert found["precision"] == pytest.approx(math.sqrt((9 + 2) / (9 + 9 + 9)))


def test_a_sentence_that_matches_several_gives_no_precision_above_1():
    # "a b" is the heaviest for both sentences: 2^2 + 2^2, and the candidate is worth 2^2.
    found = score("a b", ["a b c\na b d"], "rouge_w(weight=2)")
    assert found["recall"] == pytest.approx(math.sqrt(8 / 18))
    assert found["precision"] == 1


@quick
@given(
    st.lists(some, min_size=1, max_size=4),
    st.lists(some, min_size=1, max_size=4),
    st.sampled_from(["rouge_n", "rouge_l", "rouge_w", "rouge_w(weight=3)", "rouge_s", "rouge_su"]),
)
def test_no_value_is_above_1(candidate, reference, spelling):
    texts = ["\n".join(" ".join(line) for line in lines) for lines in (candidate, reference)]
    assert all(not value > 1 + 1e-12 for value in score(texts[0], [texts[1]], spelling).values())


@pytest.mark.parametrize("text", ["auto", "rouge155"])
def test_texts_too_long_for_w_are_refused_before_the_work(text):
    """A megabyte each: 29 thousand million cells, minutes of work."""
    words = "ab cde fghi jklmnop " * 42_500
    match = r"170,000 words and a reference of 170,000 are too long: .* 536,870,912 at most; set a"
    with pytest.raises(SummetryError, match=match):
        score(words, [words], f"rouge_w(text={text})")


def test_a_text_too_long_for_w_can_be_cut():
    words = "ab cde fghi jklmnop " * 42_500
    # What the message advises: the first 8 words, all in one run of the reference.
    assert score(words, [words], "rouge_w(length='8 words')")["precision"] == 1


def test_pairs_of_words_any_number_apart_of_a_megabyte_are_counted():
    words, other = "ab cde fghi jklmnop " * 42_500, "jklmnop ab " * 85_000
    found = score(words, [other], "rouge_s(gap=-1)")
    # Of n times "a b c d" the pair (a, d) is there n (n + 1) / 2 times, (d, a) n (n - 1) / 2 times,
    # (a, a) and (d, d) as often; of m times "d a" likewise (d, a) m (m + 1) / 2 times.
    n, m = 42_500, 85_000
    hits = n * (n + 1) // 2 + 3 * (n * (n - 1) // 2)
    assert m > n and found["recall"] == pytest.approx(hits / (m * (2 * m - 1)), rel=1e-12)


def test_texts_with_too_many_pairs_of_words_are_refused_before_the_work(monkeypatch):
    monkeypatch.setattr(skips, "_MOST_STEPS", 100)
    with pytest.raises(SummetryError, match=r"share 5 different words .* too many pairs .* a gap"):
        score("a b c d e " * 9, ["a b c d e"], "rouge_su(gap=-1)")
    assert score("a b c d e " * 9, ["a b c d e"], "rouge_su(gap=0)")["recall"] == 1


@pytest.mark.parametrize("spelling", ["rouge_w", "rouge_s(gap=-1)"])
def test_texts_too_long_to_be_explained_are_refused(spelling):
    words = "ab cde fghi jklmnop " * 1250
    with pytest.raises(SummetryError, match="of 5,000 words and a reference of 5,000 are too long"):
        explained_part(spelling, words, [words])


def test_a_weight_that_makes_numbers_too_large_is_told():
    with pytest.raises(SummetryError, match=r"weight=400\.0 makes numbers that are too large"):
        score("a b c d e f g", ["a b c d e f g"], "rouge_w(weight=400)")


@pytest.mark.parametrize("spelling", ["rouge_n(n={})", "rouge_s(gap={})", "unit_overlap(n={})"])
def test_more_words_than_any_text_has_are_as_many_as_the_longest_has(spelling):
    text, reference = "a b c", ["b c a"]
    found = score(text, reference, spelling.format(10**30))
    assert list(found.values()) == pytest.approx(
        list(score(text, reference, spelling.format(4)).values()), nan_ok=True
    )


def test_a_limit_cuts_the_candidate_and_not_the_reference():
    text = "one two three four five six"
    assert score(text, [text], "rouge_n(length=3words)") == pytest.approx(
        {"recall": 0.5, "precision": 1.0, "f": 2 / 3}
    )
    assert score(text, [text], "rouge_n(length='7 bytes')")["precision"] == 1.0
    assert score("öga öra", ["öga öra"], "rouge_n(length=4bytes)")["recall"] == 0.5


@may_be_empty
def test_an_empty_reference_is_undefined_by_default_and_zero_in_the_original():
    assert math.isnan(score("a", [""], "rouge-1")["f"])
    assert score("a", [""], "rouge_n(text=rouge155)")["f"] == 0
    assert score("a b", ["a b", ""], "rouge-1")["precision"] == 1


@pytest.mark.parametrize(
    ("spelling", "message"),
    [
        ("rouge_n(n=0)", "rouge_n: n must be 1 or more, got 0"),
        ("rouge_n(alpha=1.5)", "rouge_n: alpha must be between 0 and 1, got 1.5"),
        (
            "rouge_l(length=3)",
            "rouge_l: length must be in words or bytes, such as '100 words'",
        ),
        (
            "rouge_l(length=30%)",
            "length must be in words or bytes, such as '100 words', got 30%",
        ),
        ("rouge_s(length=0words)", "a length must be above 0, got 0 words"),
        ("rouge_s(length=many)", "cannot read the length 'many': write 3 sentences, 100 words"),
        ("rouge_su(gap=-2)", "rouge_su: gap must be 0 or more, or -1 for any number, got -2"),
        ("rouge_w(weight=0)", "rouge_w: weight must be above 0, got 0"),
        ("rouge_w(weight=0.5)", "rouge_w: weight must be 1 or more, got 0.5: a run is worth no"),
        ("rouge_l(level=sentence)", "must be one of summary, text, got 'sentence'"),
        ("rouge-10", "no metric is named 'rouge-10'"),
    ],
)
def test_what_cannot_be_is_told(spelling, message):
    with pytest.raises(SummetryError, match=message):
        METRICS.build(spelling)


def test_the_names_that_people_type_are_understood():
    assert METRICS.build("rouge-l") == METRICS.build("rouge-lsum") == METRICS.build("rouge_l")
    assert METRICS.build("rouge-2") == METRICS.build("rouge_n(n=2)")
    as_rouge_score = METRICS.build("rouge_n(n=2,text=rouge_score,references=best)")
    assert METRICS.build("rouge2") == as_rouge_score
    assert METRICS.build("rouge-su4") == METRICS.build("rouge_su(gap=4)")


@pytest.mark.parametrize(
    "spelling", ["rouge_l(text=rouge155)", "rouge_l(text=rouge_score)", "rouge_w(text=rouge155)"]
)
def test_one_long_line_where_a_line_is_a_sentence_is_told(spelling):
    flat, lines = "word " * 50, "word word\n" * 25
    note = r"the summary or a reference is one long line, which counts as one .*\(1 comparison\)"
    for candidate, references in ((flat, [flat]), (flat, [lines]), (lines, [lines, flat, flat])):
        with pytest.warns(SummetryWarning, match=note):
            score(candidate, references, spelling)
    # The third is not among these: nothing in it is one long line.
    with pytest.warns(SummetryWarning, match=r"\(2 comparisons\)"):
        summetry.score([flat, lines, lines], [[lines], [flat], [lines]], metrics=[spelling])


@pytest.mark.parametrize("spelling", ["rouge_l(text=rouge155)", "rouge_l", "rouge_n"])
def test_lines_and_words_that_need_none_are_nothing_to_tell(spelling, recwarn):
    text = "word " * 50 if spelling != "rouge_l(text=rouge155)" else "word word\n" * 25
    score(text, [text], spelling)
    assert not recwarn.list


@pytest.mark.parametrize("spelling", ["rouge_w", "rouge_w(text=rouge155)", "rouge_s(gap=-1)"])
def test_many_pairs_are_worked_on_in_parts(spelling, monkeypatch):
    """A reference whose sentences stand in the candidate in another order, beside short texts."""
    words = [f"a{i} b{i} a{i}\nc{i % 3}" for i in range(9)]
    candidates = ["\n".join(words), "c1 b2 c1", "c1 c2"]
    references = [["\n".join(words[::-1])], ["b2 c1", ""], ["c1 c2", "c2 c1"]]
    whole = summetry.score(candidates, references, metrics=[spelling])[spelling]
    assert whole["recall"].min() > 0
    calls, call = [], kernel.call

    def counted(name, *arguments):
        calls.append(name)
        return call(name, *arguments)

    monkeypatch.setattr(kernel, "_STEPS", 1)
    monkeypatch.setattr(kernel, "call", counted)
    parts = summetry.score(candidates, references, metrics=[spelling])[spelling]
    assert {k: v.tolist() for k, v in parts.items()} == {k: v.tolist() for k, v in whole.items()}
    # The third pair, with an empty reference, takes no steps and is counted with the second.
    hits = [name for name in calls if name in ("heaviest_hits", "script_hits", "shared_skips")]
    assert not kernel.is_compiled() or len(hits) == 4


@pytest.mark.parametrize("name", ["rouge-1", "rouge-l", "rouge-w", "rouge-su4"])
@pytest.mark.parametrize("pipeline", ["rouge155(stem=true)", "rouge_score"])
@pytest.mark.parametrize(
    "text",
    ["Η γάτα κάθισε.", "猫坐在垫子上 2024。", "Ça déjà vu!", "Sju skönsjungande sjuksköterskor"],
)
def test_letters_that_are_not_seen_are_told(name, pipeline, text):
    spelling = f"{name}(text={pipeline})"
    for candidate, reference in ((text, "The cat sat."), ("The cat sat.", text)):
        with pytest.warns(SummetryWarning, match=r"more than 5 % of the letters .*\(1 com"):
            score(candidate, [reference, "A cat."], spelling)


@pytest.mark.parametrize(
    "text", ["a naïve reader of long books", "“Q” — 3 × 4 = 12 €…", "2024", "…"]
)
def test_a_rare_accent_and_signs_are_nothing_to_tell(text, recwarn):
    score(text, [text, "a"], "rouge-1(text=rouge155)")
    score("Η γάτα", ["Η γάτα"], "rouge-1")
    assert not recwarn.list


def test_explanations_name_the_units_that_hit():
    from summetry.records.batches import compare_texts

    comparison = compare_texts("the dam broke", ["The dam broke early."], None, "en")
    bigrams = METRICS.build("rouge-2").explain(comparison).parts[0].matches
    assert [match.what for match in bigrams] == ["the dam", "dam broke"]
    pairs = METRICS.build("rouge_s").explain(comparison).parts[0].matches
    assert {match.what for match in pairs} == {"the … dam", "dam … broke", "the … broke"}
    assert ngrams("aab", 2)["a", "a"] == 1


def explained_part(spelling, candidate, references):
    from summetry.records.batches import compare_texts

    comparison = compare_texts(candidate, references, None, "en")
    (part,) = METRICS.build(spelling).explain(comparison).parts
    return part


@pytest.mark.parametrize("name", ["rouge-1", "rouge1", "rouge155-1", "rougeL", "rouge-l"])
def test_places_are_those_that_count_and_what_is_missed_is_all_the_rest(name):
    """ "the" is there twice and three times: two count, on both sides."""
    part = explained_part(name, "the fog the pier the rain", ["the fog and the wind"])
    here = [span for match in part.matches for span in match.candidate]
    there = [span for match in part.matches for span in match.reference]
    assert len(here) == len(there) == part.facts["matched"] == 3
    assert [(m.what, m.weight, m.reference) for m in part.missed] == [
        ("and", 1.0, ((8, 11),)), ("wind", 1.0, ((16, 20),)),
    ]  # fmt: skip


def test_of_equal_words_those_in_the_same_order_are_matched_first():
    part = explained_part("rouge-1", "fog on Tuesday", ["on board in fog on Tuesday"])
    assert {m.what: m.reference for m in part.matches} == {
        "fog": ((12, 15),), "on": ((16, 18),), "tuesday": ((19, 26),),
    }  # fmt: skip
    assert [(m.what, m.reference) for m in part.missed] == [
        ("on", ((0, 2),)), ("board", ((3, 8),)), ("in", ((9, 11),)),
    ]  # fmt: skip


def test_the_runs_of_w_have_their_places():
    part = explained_part("rouge_w(weight=2)", "b c\na b x c", ["a b c\nd"])
    # Of the reference sentence "a b c" with "b c" and with "a b x c": 2^2, and 2^2 + 1.
    assert [(m.what, m.weight, m.candidate, m.reference) for m in part.matches] == [
        ("a b", 4.0, ((4, 5), (6, 7)), ((0, 1), (2, 3))), ("c", 1.0, ((10, 11),), ((4, 5),)),
    ]  # fmt: skip
    assert part.facts["matched"] == 5 and [m.what for m in part.missed] == ["d"]
    assert explained_part("rouge-w", "", ["a b"]).matches == ()
    # The script makes one run of it, as in the reference.
    (run,) = explained_part("rouge_w(text=rouge155)", "a b x c", ["a b c"]).matches
    assert run.what == "a b c"
    assert (run.candidate, run.reference) == (
        ((0, 1), (2, 3), (6, 7)), ((0, 1), (2, 3), (4, 5)),
    )  # fmt: skip


def test_a_limit_leaves_the_places_of_the_words_that_are_kept():
    part = explained_part("rouge-1(length=2words)", "the old pier", ["the old pier"])
    assert [(m.what, m.candidate) for m in part.matches] == [
        ("the", ((0, 3),)), ("old", ((4, 7),)),
    ]  # fmt: skip
    (cut,) = explained_part("rouge-1(length=5bytes)", "pi harbour", ["pi ha"]).matches[1:]
    assert (cut.what, cut.candidate) == ("ha", ())


@pytest.mark.parametrize(
    ("spelling", "facts"),
    [
        ("rouge-1", {"matched", "reference", "candidate"}),
        ("rouge1", {"matched", "reference", "candidate"}),
        ("rouge155-1", {"matched", "reference", "candidate"}),
        ("rouge-1(alpha=0.8)", {"matched", "reference", "candidate", "alpha"}),
        ("rouge-w", {"matched", "reference", "candidate", "root"}),
    ],
)
def test_every_term_of_a_formula_has_a_meaning_and_none_is_there_for_nothing(spelling, facts):
    from summetry.records.batches import compare_texts

    explained = METRICS.build(spelling).explain(compare_texts("a b", ["b c"], None, "en"))
    (part,) = explained.parts
    assert set(part.facts) == facts == set(explained.terms)
    assert all(fact in " ".join(part.formulas.values()) for fact in facts)


def test_matches_of_pooled_references_say_whose_they_are():
    part = explained_part("rouge-1", "a b", ["a c", "b d d"])
    assert [(m.what, m.texts) for m in part.matches] == [
        ("a", ("reference 1",)), ("b", ("reference 2",)),
    ]  # fmt: skip
    assert [(m.what, m.weight, m.texts) for m in part.missed] == [
        ("c", 1.0, ("reference 1",)), ("d", 2.0, ("reference 2", "reference 2")),
    ]  # fmt: skip


def test_the_legend_names_the_length():
    legend = METRICS.build('rouge-1(length="100 words")').legend
    assert legend == "Unicode words, the first 100 words"
    assert "first" not in METRICS.build("rouge-1").legend


def test_equal_lengths_are_one_metric_with_one_spelling():
    built = [METRICS.build(f"rouge-2(length={spelt})") for spelt in ("100words", "'100 words'")]
    assert built[0] == built[1] == METRICS.build('rouge_n(n=2,length=" 100 word")')
    assert spec.show(built[0]) == 'rouge_n(n=2,length="100 words")'
    assert METRICS.build(spec.show(built[0])) == built[0]


@pytest.mark.parametrize("spelling", ["rouge_w", "rouge_w(text=rouge155)"])
def test_what_is_added_up_over_references_is_a_weight(spelling):
    """In the explanation of W, whose counts are weights and not words."""
    sides = tuple(Side(f"reference {i}", text) for i, text in enumerate(("a b c", "b c d"), 1))
    comparison = Comparison(Material("t"), Side("candidate", "a b d"), sides)
    terms = METRICS.build(spelling).explain(comparison).terms
    assert terms["reference"].startswith("weight of the reference, ")
    assert terms["reference"].endswith(", added up over the references")
    assert terms["candidate"].startswith("weight of the candidate, ")
