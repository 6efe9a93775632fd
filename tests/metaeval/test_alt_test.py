"""Judgments to instances, null judges beside a judge, the verdict, and SummEval's experts."""

import json
import math
from collections import Counter

import numpy as np
import pandas
import pytest
from marked_tables import HERE

import summetry
from summetry.errors import SummetryError
from summetry.metaeval.alt_test import (
    AltTestSettings,
    Instance,
    alt_test,
    alt_test_of_judges,
    marks_by_judge,
)
from summetry.metaeval.nulls import A_CONSTANT, A_LEAD, A_LENGTH, A_RANDOM, as_marks, random_marks
from summetry.records import CorpusBuilder
from summetry.records.judgments import Judgment
from summetry.records.summaries import Summary
from summetry.records.topics import Topic
from summetry.stats.alt_test import alt_test as plain_test

NAN = math.nan
PEOPLE = ("ann", "bob", "eve")
TOPICS, SYSTEMS = [f"t{k}" for k in range(8)], [f"s{k}" for k in range(5)]


def marked(judges, dimension="quality", texts=True):
    """A corpus of ``{judge: topics x systems}``, with texts of different lengths and leads."""
    builder = CorpusBuilder("made")
    for k, topic in enumerate(TOPICS):
        words = " ".join(f"w{k}x{n}" for n in range(20))
        builder.add("topics", Topic(topic, text=f"{words}." if texts else ""), HERE)
        for j, system in enumerate(SYSTEMS):
            own = " ".join(f"w{k}x{n}" for n in range(j)) + " other" * (3 + (k + 2 * j) % 5)
            if texts:
                builder.add("summaries", Summary(topic, system, "candidate", text=own), HERE)
    dimensions = judges if isinstance(next(iter(judges.values())), dict) else {dimension: judges}
    for name, by_judge in dimensions.items():
        for judge, table in by_judge.items():
            for topic, row in zip(TOPICS, table, strict=True):
                for system, mark in zip(SYSTEMS, row, strict=True):
                    if mark == mark:
                        builder.add("judgments", Judgment(topic, system, judge, name, mark), HERE)
    return builder.build()


def people_and(**judges):
    """Three annotators who differ a little, and judges that are made of what they all see."""
    rng = np.random.default_rng(11)
    quality = rng.integers(1, 6, (8, 5))
    near = {who: np.clip(quality + rng.integers(-1, 2, quality.shape), 1, 5) for who in PEOPLE}
    return {who: table.astype(float).tolist() for who, table in near.items()} | {
        name: make(quality, rng).astype(float).tolist() for name, make in judges.items()
    }


def good(quality, rng):
    return quality


def noise(quality, rng):
    return rng.integers(1, 6, quality.shape)


def test_marks_become_instances_whatever_their_order():
    data = people_and(good=good)
    corpus = marked(data)
    (one,) = alt_test(corpus, "good").judges
    judge, *people = (np.array(data[name]).ravel() for name in ("good", *PEOPLE))
    plain = plain_test(judge, people)
    assert (one.instances, one.topics, one.annotators) == (40, 8, PEOPLE)
    assert one.test.winning_rate == plain.winning_rate
    assert one.test.advantage == pytest.approx(plain.advantage)
    assert [each.p for each in one.test.against] == pytest.approx([e.p for e in plain.against])


def test_the_nulls_are_marks_of_the_scale_by_hand():
    """Marks of the dimension as often as people give them, by the number of words."""
    data = people_and(good=good)
    corpus = marked(data)
    (one,) = alt_test(corpus, "good", seed=4).judges
    keys = sorted((topic, system) for topic in TOPICS for system in SYSTEMS)
    people = [[data[who][TOPICS.index(t)][SYSTEMS.index(s)] for t, s in keys] for who in PEOPLE]
    given = sorted(mark for row in people for mark in row)
    most = max(set(given), key=lambda mark: (given.count(mark), -mark))
    lengths = [len(corpus.text_of(s).split()) for s in sorted(
        corpus.summaries, key=lambda s: (s.topic, s.author))]  # fmt: skip
    by_length = []
    for length in lengths:
        share = (sum(x < length for x in lengths) + lengths.count(length) / 2) / len(lengths)
        by_length.append(given[int(share * len(given))])
    drawn = np.random.default_rng(4).choice(given, 40)
    expected = {A_CONSTANT: [most] * 40, A_LENGTH: by_length, A_RANDOM: drawn}
    found = {null.name: null.test for null in one.nulls}
    assert list(found) == [A_CONSTANT, A_LENGTH, A_LEAD, A_RANDOM]
    for name, marks in expected.items():
        assert found[name].advantage == pytest.approx(plain_test(marks, people).advantage), name
        assert found[name].winning_rate == plain_test(marks, people).winning_rate


def test_there_is_a_verdict_for_a_judge_that_beats_all_nulls():
    (one,) = alt_test(marked(people_and(good=good)), "good").judges
    assert one.verdict == "passes" and one.not_beaten == ()
    assert all(null.behind.p <= 0.05 for null in one.nulls)
    assert all(null.behind.value == pytest.approx(one.test.advantage - null.test.advantage)
               for null in one.nulls)  # fmt: skip


def test_noise_has_no_verdict_and_the_nulls_are_named():
    (one,) = alt_test(marked(people_and(noise=noise)), "noise").judges
    assert one.verdict == "none" and A_CONSTANT in {null.name for null in one.not_beaten}


def test_a_constant_judge_that_passes_has_no_verdict():
    """Nearly everything gets a 5, and so says the judge."""
    rng = np.random.default_rng(3)
    data = {who: np.where(rng.random((8, 5)) < 0.1, 4.0, 5.0).tolist() for who in PEOPLE}
    (one,) = alt_test(marked(data | {"lazy": np.full((8, 5), 5.0).tolist()}), "lazy").judges
    assert one.test.passes and one.test.winning_rate == 1.0
    assert one.verdict == "none"
    (constant,) = [null for null in one.not_beaten if null.name == A_CONSTANT]
    assert constant.behind.value == 0.0


def test_a_null_with_a_higher_winning_rate_is_not_beaten():
    """Whatever the advantages say."""
    from dataclasses import replace

    (one,) = alt_test(marked(people_and(good=good)), "good").judges
    worse = replace(one, test=one.test._replace(winning_rate=0.0))
    names = {n.name for n in one.nulls if n.test.winning_rate > 0}
    assert {null.name for null in worse.not_beaten} == names
    better = replace(one, test=one.test._replace(winning_rate=0.4), nulls=())
    assert better.verdict == "fails"


def test_several_dimensions_are_tested_one_by_one_and_together():
    first, second = people_and(good=good), people_and(good=noise)
    corpus = marked({"style": first, "content": second})
    tested = alt_test(corpus, "good").judges
    assert [one.dimensions for one in tested] == [("style",), ("content",), ("style", "content")]
    assert [one.instances for one in tested] == [40, 40, 80]
    both = [
        np.array([np.concatenate([np.ravel(first[who]), np.ravel(second[who])])])
        for who in ("good", *PEOPLE)
    ]
    plain = plain_test(both[0][0], np.concatenate(both[1:]))
    assert tested[2].test.advantage == pytest.approx(plain.advantage)
    only = alt_test(corpus, "good", dimensions="content").judges
    assert [one.dimensions for one in only] == [("content",)]


def test_constants_are_those_of_each_dimension():
    """5 is the most frequent mark of one dimension and 1 of the other: together both are given."""
    high = {who: np.full((8, 5), 5.0).tolist() for who in (*PEOPLE, "j")}
    low = {who: np.full((8, 5), 1.0).tolist() for who in (*PEOPLE, "j")}
    *_, both = alt_test(marked({"a": high, "b": low}), "j").judges
    (constant,) = [null for null in both.nulls if null.name == A_CONSTANT]
    assert constant.test.advantage == 1.0


def test_without_texts_two_nulls_are_left_and_a_note_says_so():
    tests = alt_test(marked(people_and(good=good), texts=False), "good")
    assert [null.name for null in tests.judges[0].nulls] == [A_CONSTANT, A_RANDOM]
    (note,) = tests.notes
    assert note.startswith("not tested, as the texts of all summaries are needed: (length alone)")


def test_without_all_nulls_a_judge_passes_in_part_only():
    tests = summetry.alt_test(marked(people_and(good=good), texts=False), "good")
    (one,) = tests.judges
    assert (one.verdict, one.not_tested) == ("passes in part", (A_LENGTH, A_LEAD))
    said = " ".join(repr(tests).split())
    assert "good passes against the null judges that could be tested, (constant) and (ran" in said
    assert "(length alone) and (lead overlap) need the texts: name the corpus" in said
    assert "better than all null judges" not in tests.report()
    assert tests.to_pandas()["not_tested"].tolist()[0] == "(length alone), (lead overlap)"
    (whole,) = summetry.alt_test(marked(people_and(good=good)), "good").judges
    assert (whole.verdict, whole.not_tested) == ("passes", ())


def test_python_takes_texts_and_marks_from_two_places(tmp_path):
    data = people_and(good=good)
    corpus = marked(data)
    texts = [
        {"id": s.topic, "system": s.author, "candidate": corpus.text_of(s),
         "source": " ".join(f"w{s.topic[1:]}x{n}" for n in range(20)) + "."}
        for s in corpus.summaries
    ]  # fmt: skip
    marks = [
        {"id": j.topic, "system": j.author, "judge": j.judge, "quality": j.value}
        for j in corpus.judgments
    ]
    (known,) = summetry.alt_test(corpus, "good").judges
    path = tmp_path / "texts.csv"
    pandas.DataFrame(texts).to_csv(path, index=False)
    unjudged = summetry.load(pandas.DataFrame(texts))
    for given in (pandas.DataFrame(texts), texts, path, str(path), unjudged):
        (one,) = summetry.alt_test(given, "good", judgments=pandas.DataFrame(marks)).judges
        assert one.verdict == "passes"
        assert [null.name for null in one.nulls] == [null.name for null in known.nulls]
        for mine, theirs in zip(one.nulls, known.nulls, strict=True):
            assert mine.test.advantage == pytest.approx(theirs.test.advantage), mine.name
    (judged,) = summetry.alt_test(unjudged, "good", judgments=corpus).judges
    assert judged.not_tested == () and judged.test.advantage == known.test.advantage


def test_judges_of_a_file_are_tested_beside_the_people_of_a_corpus(tmp_path):
    data = people_and(good=good)
    lines = [
        f"{topic},{system},{mark:g}"
        for topic, row in zip(TOPICS, data["good"], strict=True)
        for system, mark in zip(SYSTEMS, row, strict=True)
    ]
    path = tmp_path / "llm.csv"
    path.write_text("\n".join(["id,system,quality", *lines]))
    corpus = marked({who: data[who] for who in PEOPLE})
    (one,) = alt_test(corpus, path).judges
    (known,) = alt_test(marked(data), "good").judges
    assert one.judge == "llm" and one.test.advantage == known.test.advantage
    assert one.test.winning_rate == known.test.winning_rate
    (again,) = alt_test(corpus, str(path)).judges
    assert again.test.advantage == one.test.advantage


def test_all_judges_that_are_tested_are_no_annotators():
    data = people_and(good=good, noise=noise)
    tests = alt_test(marked(data), ["good", "noise"])
    assert [(one.judge, one.annotators) for one in tests.judges] == [
        ("good", PEOPLE), ("noise", PEOPLE)
    ]  # fmt: skip
    named = alt_test(marked(data), "good", annotators=["eve", "ann", "bob"]).judges[0]
    assert set(named.annotators) == set(PEOPLE)


def test_letters_are_places_on_the_scale():
    from dataclasses import replace

    corpus = marked(people_and(good=good))
    letters = tuple("EDCBA")
    spelt = replace(
        corpus,
        scales={"quality": letters},
        judgments=tuple(
            Judgment(j.topic, j.author, j.judge, j.dimension, letters[int(j.value) - 1])
            for j in corpus.judgments
        ),
    )
    assert marks_by_judge(spelt) == marks_by_judge(corpus)


def test_another_order_of_judgments_changes_nothing():
    from dataclasses import replace

    corpus = marked(people_and(noise=noise))
    other = replace(corpus, judgments=tuple(reversed(corpus.judgments)))
    (one,), (two,) = (alt_test(each, "noise").judges for each in (corpus, other))
    assert one.test.advantage == pytest.approx(two.test.advantage)
    for first, second in zip(one.nulls, two.nulls, strict=True):
        assert first.name == second.name
        assert first.test.advantage == pytest.approx(second.test.advantage)
        assert first.behind == pytest.approx(second.behind)


def test_marks_that_nobody_else_gives_are_told():
    data = people_and(good=good)
    data["good"] = (np.array(data["good"]) * 20).tolist()
    (one,) = alt_test(marked(data), "good").judges
    (note,) = one.notes
    assert note.startswith("good gives 40 of 40 marks that no annotator gives, such as ")
    assert note.endswith("is its scale another one?")


def test_an_annotator_with_few_instances_is_named():
    data = people_and(good=good)
    data["eve"] = [row if k < 3 else [NAN] * 5 for k, row in enumerate(data["eve"])]
    (one,) = alt_test(marked(data), "good").judges
    assert one.notes == (
        "annotators with fewer than 30 instances, who are not tested: eve (15 instances)",
    )


@pytest.mark.parametrize(
    ("judges", "options", "message"),
    [
        ("gpt", {}, "no judge or file of judgments is named 'gpt'. Known: ann, bob, eve, good."),
        ("rouge-1", {}, "rouge-1 is a metric, whose values are not marks of the judges' scale"),
        ("good", {"annotators": ["ann", "bob"]}, "needs 3 annotators or more beside the judge, go"),
        ("good", {"annotators": ["joe"]}, "no judge is named 'joe'"),
        ("good", {"annotators": ["good"]}, "'good' cannot be tested and be an annotator at once"),
        ("good", {"dimensions": ["style"]}, "no dimension of judgments is named 'style'"),
        ("good", {"epsilon": 2}, "epsilon must be 0 or more and below 1, such as 0.2, got 2"),
        ("good", {"alignment": "mae"}, "alignment"),
    ],
)  # fmt: skip
def test_what_cannot_be_tested_is_refused(judges, options, message):
    with pytest.raises(SummetryError) as refused:
        alt_test(marked(people_and(good=good)), judges, **options)
    assert message in str(refused.value)


def test_a_dimension_that_cannot_be_tested_is_left_out_unless_it_is_named():
    whole = people_and(good=good)
    corpus = marked({"style": whole, "content": {who: whole[who] for who in ("ann", "good")}})
    tests = alt_test(corpus, "good")
    assert [one.dimensions for one in tests.judges] == [("style",)]
    assert tests.notes[0].startswith("left out, good on content: the alternative-annotator test ne")
    with pytest.raises(SummetryError, match="good on content: the alternative-annotator test need"):
        alt_test(corpus, "good", dimensions=["content"])


def test_a_judge_of_other_dimensions_is_refused():
    corpus = marked(people_and(good=good))
    with pytest.raises(SummetryError, match="llm has judgments on style, the annotators on quali"):
        alt_test_of_judges(corpus, {"llm": {Instance("style", "t0", "s0"): 1.0}})


def test_a_judge_of_other_summaries_is_refused():
    corpus = marked(people_and(good=good))
    marks = {Instance("quality", "doc-1", "s0"): 1.0}
    message = "no summary has a mark of the judge and of two annotators: the judge marked 'doc-1'"
    with pytest.raises(SummetryError, match=message):
        alt_test_of_judges(corpus, {"llm": marks})


def test_what_python_gets_prints_as_the_command_does():
    tests = summetry.alt_test(marked(people_and(good=good)), "good")
    assert repr(tests).startswith("quality: good passes: it wins against 3 of 3 annotators")
    assert "good in place of an annotator, quality" in tests.report()
    frame = tests.to_pandas()
    assert frame["tested"].tolist() == ["good", A_CONSTANT, A_LENGTH, A_LEAD, A_RANDOM]
    assert frame["verdict"].tolist()[0] == "passes"


def test_marks_by_frequency_keep_the_order_and_the_frequencies():
    rng = np.random.default_rng(8)
    values, marks = rng.permutation(60).astype(float), rng.integers(1, 6, 120)
    made = as_marks(values, marks)
    assert (np.diff(made[np.argsort(values)]) >= 0).all()
    # Two marks for each value: each is given half as often, up to one at either end.
    counts, given = Counter(made.tolist()), Counter(marks.tolist())
    assert all(abs(counts[mark] - given[mark] / 2) <= 1 for mark in given)
    with_gap = np.append(values, NAN)
    assert math.isnan(as_marks(with_gap, marks)[-1])
    assert set(random_marks(marks, 50, 1)) <= set(marks.tolist())


# SummEval: 12 systems of which each expert's marks are published, 100 texts, 4 dimensions.

DIMENSIONS = ("coherence", "consistency", "fluency", "relevance")


@pytest.fixture(scope="module")
def experts(real_data):
    """Three experts' marks of 4,800 instances, and the most frequent mark of each dimension."""
    lines = (real_data("summeval") / "summaries.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if row["expert"]]
    keys = [(row, name) for row in rows for name in DIMENSIONS]
    marks = np.array([[row["expert"][k][name] for row, name in keys] for k in range(3)], float)
    frequent = {
        name: Counter(one[name] for row in rows for one in row["expert"]).most_common(1)[0][0]
        for name in DIMENSIONS
    }
    return keys, marks, np.array([frequent[name] for _, name in keys], float)


def test_a_constant_passes_on_all_of_summeval(experts):
    """Winning rate 1.00 and advantage .80, by plain loops elsewhere: .8027."""
    keys, marks, constant = experts
    assert marks.shape == (3, 4800)
    assert len({row["system"] for row, _ in keys}) == 12
    test = plain_test(constant, marks)
    assert (test.winning_rate, test.passes) == (1.0, True)
    assert test.advantage == pytest.approx(0.8027, abs=0.00005)


def test_a_constant_often_passes_with_100_instances_of_summeval(experts):
    """More than half of the draws: plain loops gave 64 % of 300 other draws, 1,000 draws 62 %."""
    _, marks, constant = experts
    rng = np.random.default_rng(0)
    passed = 0
    for _ in range(300):
        places = rng.choice(4800, 100, replace=False)
        passed += plain_test(constant[places], marks[:, places]).passes
    assert 0.5 < passed / 300 < 0.75


def test_the_constant_of_the_command_is_the_one_of_the_loops(experts, real_data):
    keys, marks, constant = experts
    builder = CorpusBuilder("summeval")
    for topic in dict.fromkeys(row["doc_id"] for row, _ in keys):
        builder.add("topics", Topic(topic), HERE)
    for place, (row, name) in enumerate(keys):
        where = row["doc_id"], row["system"]
        for number in range(3):
            mark = float(marks[number, place])
            builder.add("judgments", Judgment(*where, f"expert {number}", name, mark), HERE)
        turkers = [one[name] for one in row["turker"]]
        builder.add("judgments", Judgment(*where, "crowd", name, round(sum(turkers) / 5)), HERE)
    *_, pooled = alt_test_of_judges(
        builder.build(), {"crowd": marks_by_judge(builder.build())["crowd"]},
        settings=AltTestSettings(),
    ).judges  # fmt: skip
    assert pooled.instances == 4800
    (found,) = [null for null in pooled.nulls if null.name == A_CONSTANT]
    plain = plain_test(constant, marks)
    assert found.test.advantage == pytest.approx(plain.advantage)
    assert found.test.winning_rate == plain.winning_rate == 1.0
    assert pooled.verdict == "none"
