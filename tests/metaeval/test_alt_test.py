"""Judgments to instances, null judges beside a judge, the verdict, and SummEval's experts."""

import json
import math
from collections import Counter
from dataclasses import replace
from itertools import product

import msgspec
import numpy as np
import pandas
import pytest
from marked_tables import HERE

import summetry
from summetry.errors import SummetryError
from summetry.metaeval.alt_test import Instance, alt_test, alt_test_of_judges, marks_by_judge
from summetry.metaeval.nulls import A_CONSTANT, A_LEAD, A_LENGTH, A_RANDOM, as_marks, random_marks
from summetry.records import CorpusBuilder
from summetry.records.judgments import Judgment
from summetry.records.summaries import Summary
from summetry.records.topics import Topic
from summetry.stats.alt_test import alt_test as plain_test

NAN = math.nan
PEOPLE = ("ann", "bob", "eve")
TOPICS, SYSTEMS = [f"t{k}" for k in range(8)], [f"s{k}" for k in range(5)]
CELLS = list(product(TOPICS, SYSTEMS))


def marked(judges, texts=True):
    """A corpus of ``{judge: topics x systems}``, or of that by dimension.

    Texts have different lengths and leads.
    """
    builder = CorpusBuilder("made")
    for k, topic in enumerate(TOPICS):
        words = " ".join(f"w{k}x{n}" for n in range(20))
        builder.add("topics", Topic(topic, text=f"{words}." if texts else ""), HERE)
        for j, system in enumerate(SYSTEMS):
            text = " ".join(f"w{k}x{n}" for n in range(j)) + " other" * (3 + (k + 2 * j) % 5)
            if texts:
                builder.add("summaries", Summary(topic, system, "candidate", text=text), HERE)
    dimensions = judges if isinstance(next(iter(judges.values())), dict) else {"quality": judges}
    for name, by_judge in dimensions.items():
        for judge, table in by_judge.items():
            for cell, mark in zip(CELLS, np.ravel(table).tolist(), strict=True):
                if not math.isnan(mark):
                    builder.add("judgments", Judgment(*cell, judge, name, mark), HERE)
    return builder.build()


def people_and(**judges):
    """Three annotators who differ a little, and judges that are made of what they all see."""
    rng = np.random.default_rng(11)
    quality = rng.integers(1, 6, (8, 5))
    near = {who: np.clip(quality + rng.integers(-1, 2, quality.shape), 1, 5) for who in PEOPLE}
    tables = near | {name: make(quality, rng) for name, make in judges.items()}
    return {name: np.array(table, float) for name, table in tables.items()}


def good(quality, rng):
    return quality


def noise(quality, rng):
    return rng.integers(1, 6, quality.shape)


@pytest.fixture(scope="module")
def corpus():
    return marked(people_and(good=good))


def only(tests):
    (test,) = tests.judges
    return test


def null_of(judge, name):
    (null,) = [null for null in judge.nulls if null.name == name]
    return null


def test_marks_become_instances_whatever_their_order(corpus):
    data = people_and(good=good)
    row = only(alt_test(corpus, "good"))
    judge, *people = (data[name].ravel() for name in ("good", *PEOPLE))
    plain = plain_test(judge, people)
    assert (row.instances, row.topics, row.annotators) == (40, 8, PEOPLE)
    assert row.test.winning_rate == plain.winning_rate
    assert row.test.advantage == pytest.approx(plain.advantage)
    assert [each.p for each in row.test.against] == pytest.approx([e.p for e in plain.against])
    turned = only(alt_test(replace(corpus, judgments=corpus.judgments[::-1]), "good"))
    assert row.test.advantage == pytest.approx(turned.test.advantage)
    for first, second in zip(row.nulls, turned.nulls, strict=True):
        assert first.name == second.name
        assert first.test.advantage == pytest.approx(second.test.advantage)
        assert first.behind == pytest.approx(second.behind)
    # A summary that was compared with two references has the mean of its marks.
    twice = [
        msgspec.structs.replace(one, value=one.value + more, reference=str(more))
        for one in corpus.judgments
        for more in (-1, 1)
    ]
    double = only(alt_test(replace(corpus, judgments=tuple(twice)), "good"))
    assert double.test.advantage == pytest.approx(row.test.advantage)
    rng = np.random.default_rng(8)
    values, marks = rng.permutation(60).astype(float), rng.integers(1, 6, 120)
    made = as_marks(values, marks)
    assert (np.diff(made[np.argsort(values)]) >= 0).all()
    # Two marks for each value: each is given half as often, up to one at either end.
    counts, expected = Counter(made.tolist()), Counter(marks.tolist())
    assert all(abs(counts[mark] - expected[mark] / 2) <= 1 for mark in expected)
    assert math.isnan(as_marks(np.append(values, NAN), marks)[-1])
    assert set(random_marks(marks, 50, 1)) <= set(marks.tolist())


def test_the_nulls_are_marks_of_the_scale_by_hand(corpus):
    """Marks of the dimension as often as people give them, by the number of words."""
    data = people_and(good=good)
    row = only(alt_test(corpus, "good", seed=4))
    people = [data[who].ravel().tolist() for who in PEOPLE]
    marks = sorted(mark for table in people for mark in table)
    most = max(set(marks), key=lambda mark: (marks.count(mark), -mark))
    summaries = sorted(corpus.summaries, key=lambda s: (s.topic, s.author))
    lengths = [len(corpus.text_of(s).split()) for s in summaries]
    by_length = []
    for length in lengths:
        share = (sum(x < length for x in lengths) + lengths.count(length) / 2) / len(lengths)
        by_length.append(marks[int(share * len(marks))])
    drawn = np.random.default_rng(4).choice(marks, 40)
    tests = {null.name: null.test for null in row.nulls}
    assert list(tests) == [A_CONSTANT, A_LENGTH, A_LEAD, A_RANDOM]
    expected = {A_CONSTANT: [most] * 40, A_LENGTH: by_length, A_RANDOM: drawn}
    for name, null in expected.items():
        plain = plain_test(null, people)
        assert tests[name].advantage == pytest.approx(plain.advantage), name
        assert tests[name].winning_rate == plain.winning_rate


def test_several_dimensions_and_judges_are_tested_one_by_one_and_together():
    first, second = people_and(good=good), people_and(good=noise)
    corpus = marked({"style": first, "content": second})
    tested = alt_test(corpus, "good").judges
    assert [row.dimensions for row in tested] == [("style",), ("content",), ("style", "content")]
    assert [row.instances for row in tested] == [40, 40, 80]
    judge, *people = (np.append(first[who], second[who]) for who in ("good", *PEOPLE))
    assert tested[2].test.advantage == pytest.approx(plain_test(judge, people).advantage)
    assert only(alt_test(corpus, "good", dimensions="content")).dimensions == ("content",)
    # 5 is the most frequent mark of one dimension and 1 of the other: together both are given.
    flat = {name: {who: np.full((8, 5), mark) for who in (*PEOPLE, "j")}
            for name, mark in (("a", 5.0), ("b", 1.0))}  # fmt: skip
    *_, both = alt_test(marked(flat), "j").judges
    assert null_of(both, A_CONSTANT).test.advantage == 1.0
    # All judges that are tested are no annotators.
    corpus = marked(people_and(good=good, noise=noise))
    tests = alt_test(corpus, ["good", "noise"])
    rows = [(row.judge, row.annotators) for row in tests.judges]
    assert rows == [("good", PEOPLE), ("noise", PEOPLE)]
    named = only(alt_test(corpus, "good", annotators=["eve", "ann", "bob"]))
    assert set(named.annotators) == set(PEOPLE)
    # Letters are places on the scale.
    letters = tuple("EDCBA")
    spelt = [(j, letters[int(j.value) - 1]) for j in corpus.judgments]
    judgments = tuple(Judgment(j.topic, j.author, j.judge, j.dimension, mark) for j, mark in spelt)
    spelt = replace(corpus, scales={"quality": letters}, judgments=judgments)
    assert marks_by_judge(spelt) == marks_by_judge(corpus)


def test_there_is_a_verdict_for_a_judge_that_beats_all_nulls(corpus):
    row = only(alt_test(corpus, "good"))
    assert (row.verdict, row.not_beaten, row.not_tested) == ("passes", (), ())
    assert all(null.behind.p <= 0.05 for null in row.nulls)
    for null in row.nulls:
        assert null.behind.value == pytest.approx(row.test.advantage - null.test.advantage)
    # A null with a higher winning rate is not beaten, whatever the advantages say.
    worse = replace(row, test=row.test._replace(winning_rate=0.0))
    names = {n.name for n in row.nulls if n.test.winning_rate > 0}
    assert {null.name for null in worse.not_beaten} == names
    fails = replace(row, test=row.test._replace(winning_rate=0.4), nulls=())
    assert fails.verdict == "fails"
    # Noise and a constant judge have no verdict.
    row = only(alt_test(marked(people_and(noise=noise)), "noise"))
    assert row.verdict == "none" and A_CONSTANT in {null.name for null in row.not_beaten}
    # Nearly everything gets a 5, and so says the judge: it passes the test.
    rng = np.random.default_rng(3)
    data = {who: np.where(rng.random((8, 5)) < 0.1, 4.0, 5.0) for who in PEOPLE}
    row = only(alt_test(marked(data | {"lazy": np.full((8, 5), 5.0)}), "lazy"))
    assert row.test.passes and row.test.winning_rate == 1.0 and row.verdict == "none"
    (constant,) = [null for null in row.not_beaten if null.name == A_CONSTANT]
    assert constant.behind.value == 0.0


def test_without_texts_a_judge_passes_in_part_only():
    tests = summetry.alt_test(marked(people_and(good=good), texts=False), "good")
    row = only(tests)
    assert [null.name for null in row.nulls] == [A_CONSTANT, A_RANDOM]
    (note,) = tests.notes
    assert note.startswith("not tested, as the texts of all summaries are needed: (length alone)")
    assert (row.verdict, row.not_tested) == ("passes in part", (A_LENGTH, A_LEAD))
    words = " ".join(repr(tests).split())
    assert "good passes against the null judges that could be tested, (constant) and (ran" in words
    assert "(length alone) and (lead overlap) need the texts: name the corpus" in words
    assert "better than all null judges" not in tests.report()
    assert tests.to_pandas()["not_tested"].tolist()[0] == "(length alone), (lead overlap)"


def test_python_takes_texts_and_marks_from_two_places(corpus, tmp_path):
    texts = [
        {"id": s.topic, "system": s.author, "candidate": corpus.text_of(s),
         "source": " ".join(f"w{s.topic[1:]}x{n}" for n in range(20)) + "."}
        for s in corpus.summaries
    ]  # fmt: skip
    marks = [(j.topic, j.author, j.judge, j.value) for j in corpus.judgments]
    marks = pandas.DataFrame(marks, columns=["id", "system", "judge", "quality"])
    expected = only(summetry.alt_test(corpus, "good"))
    path = tmp_path / "texts.csv"
    pandas.DataFrame(texts).to_csv(path, index=False)
    unjudged = summetry.load(pandas.DataFrame(texts))
    for source in (texts, path, unjudged):
        row = only(summetry.alt_test(source, "good", judgments=marks))
        assert row.verdict == "passes"
        advantages = {null.name: null.test.advantage for null in row.nulls}
        assert advantages == pytest.approx({n.name: n.test.advantage for n in expected.nulls})
    judged = only(summetry.alt_test(unjudged, "good", judgments=corpus))
    assert judged.not_tested == () and judged.test.advantage == expected.test.advantage
    # Judges of a file are tested beside the people of a corpus.
    data, path = people_and(good=good), tmp_path / "llm.csv"
    marks = zip(CELLS, data["good"].ravel(), strict=True)
    lines = [f"{topic},{system},{mark:g}" for (topic, system), mark in marks]
    path.write_text("\n".join(["id,system,quality", *lines]))
    expected = only(alt_test(corpus, "good")).test
    for source in (path, str(path)):
        row = only(alt_test(marked({who: data[who] for who in PEOPLE}), source))
        assert row.judge == "llm" and row.test.advantage == expected.advantage
        assert row.test.winning_rate == expected.winning_rate


@pytest.mark.parametrize("column", ["value", "quality"])
def test_words_are_classes_as_good_as_numbers_and_a_judge_without_marks_is_left_out(
    tmp_path, column
):
    path, empty = tmp_path / "words.csv", tmp_path / "empty.csv"
    data, words = people_and(good=good), ["", "poor", "fair", "good", "fine", "great"]
    head = "id,system,judge," + ("dimension,value" if column == "value" else column)
    name = "quality," * (column == "value")
    rows = [
        f"{topic},{system},{judge},{name}{words[int(mark)]}"
        for judge, table in data.items()
        for (topic, system), mark in zip(CELLS, table.ravel(), strict=True)
    ]
    path.write_text("\n".join([head, *rows, ""]))
    empty.write_text(head)
    tests = alt_test(path, ["good", str(empty)], alignment="accuracy")
    judge, *people = (data[name].ravel() for name in ("good", *PEOPLE))
    plain = plain_test(judge, people, "accuracy")
    assert only(tests).test.advantage == pytest.approx(plain.advantage)
    assert "left out, empty has judgments on none, the annotators on quality" in tests.notes[0]
    with pytest.raises(SummetryError, match=r"expected (a number, found|judgments, found none)"):
        alt_test(path, "good")


def test_notes_tell_of_marks_that_nobody_else_gives_few_instances_and_dimensions_left_out():
    data = people_and(good=good)
    (note,) = only(alt_test(marked(data | {"good": data["good"] * 20}), "good")).notes
    assert note.startswith("good gives 40 of 40 marks that no annotator gives, such as ")
    assert note.endswith("is its scale another one?")
    data["eve"][3:] = NAN
    note = "annotators with fewer than 30 instances, who are not tested: eve (15 instances)"
    assert only(alt_test(marked(data), "good")).notes == (note,)
    # A dimension that cannot be tested is left out unless it is named.
    whole = people_and(good=good)
    corpus = marked({"style": whole, "content": {who: whole[who] for who in ("ann", "good")}})
    tests = alt_test(corpus, "good")
    assert [row.dimensions for row in tests.judges] == [("style",)]
    assert tests.notes[0].startswith("left out, good on content: the alternative-annotator test ne")
    with pytest.raises(SummetryError, match="good on content: the alternative-annotator test need"):
        alt_test(corpus, "good", dimensions=["content"])


@pytest.mark.parametrize(("judges", "options", "message"), [
    ("gpt", {}, "no judge or file of judgments is named 'gpt'. Known: ann, bob, eve, good."),
    ("rouge-1", {}, "rouge-1 is a metric, whose values are not marks of the judges' scale"),
    ("good", {"annotators": ["ann", "bob"]}, "needs 3 annotators or more beside the judge, go"),
    ("good", {"annotators": ["joe"]}, "no judge is named 'joe'"),
    ("good", {"annotators": ["good"]}, "'good' cannot be tested and be an annotator at once"),
    ("good", {"dimensions": ["style"]}, "no dimension of judgments is named 'style'"),
    ("good", {"epsilon": 2}, "epsilon must be 0 or more and below 1, such as 0.2, got 2"),
    ("good", {"alignment": "mae"}, "alignment"),
])  # fmt: skip
def test_what_cannot_be_tested_is_refused(corpus, judges, options, message):
    with pytest.raises(SummetryError) as refused:
        alt_test(corpus, judges, **options)
    assert message in str(refused.value)


@pytest.mark.parametrize(("dimension", "topic", "words"), [
    ("style", "t0", "llm has judgments on style, the annotators on quali"),
    ("quality", "doc-1", "no summary has a mark of the judge and of two annotators: the judge "
     "marked 'doc-1'"),
])  # fmt: skip
def test_a_judge_of_other_dimensions_or_summaries_is_refused(corpus, dimension, topic, words):
    with pytest.raises(SummetryError, match=words):
        alt_test_of_judges(corpus, {"llm": {Instance(dimension, topic, "s0"): 1.0}})


# --- SummEval: 12 systems of which each expert's marks are published, 100 texts, 4 dimensions ----

DIMENSIONS = ("coherence", "consistency", "fluency", "relevance")


@pytest.fixture(scope="module")
def experts(real_data):
    """Three experts' marks of 4,800 instances, and the most frequent mark of each dimension."""
    lines = (real_data("summeval") / "summaries.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if row["expert"]]
    keys = [(row, name) for row in rows for name in DIMENSIONS]
    marks = np.array([[row["expert"][k][name] for row, name in keys] for k in range(3)], float)
    counts = {name: Counter(e[name] for row in rows for e in row["expert"]) for name in DIMENSIONS}
    constant = np.array([counts[name].most_common(1)[0][0] for _, name in keys], float)
    assert marks.shape == (3, 4800) and len({row["system"] for row in rows}) == 12
    return keys, marks, constant


def test_a_constant_passes_on_all_of_summeval(experts):
    """Winning rate 1.00 and advantage .80, by plain loops elsewhere: .8027.

    With 100 instances it passes in more than half of the draws: plain loops gave 64 % of 300 other
    draws, 1,000 draws 62 %.
    """
    _, marks, constant = experts
    test = plain_test(constant, marks)
    assert (test.winning_rate, test.passes) == (1.0, True)
    assert test.advantage == pytest.approx(0.8027, abs=0.00005)
    rng = np.random.default_rng(0)
    drawn = [rng.choice(4800, 100, replace=False) for _ in range(150)]
    assert 0.5 < np.mean([plain_test(constant[k], marks[:, k]).passes for k in drawn]) < 0.75
