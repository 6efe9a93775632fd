"""``summetry pyramid``: pyramids from marks, labels from pyramids, and mistakes."""

import json
import math
import shlex

import pytest
from command_line import assert_refused, run_command, succeed

from summetry.formats import load
from summetry.metaeval.unit_marks import Fitted, MarksAgreement
from summetry.reports.unit_marks import recommended

BUILD = "pyramid build harbour --marks marks.jsonl"


def typed(line):
    return succeed(*shlex.split(line))


def write_jsonl(path, records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")


@pytest.fixture
def harbour(here):
    """A topic of three sentences, two models, a peer that copies and one that does not."""
    folder = here / "harbour"
    folder.mkdir()
    units = ["A ferry sank.", "Nobody was hurt.", "It was Monday."]
    write_jsonl(folder / "topics.jsonl", [{"id": "t", "documents": [{"id": "d", "units": units}]}])
    texts = [
        ("ann", "reference", "A ferry sank.", "ferry sank"),
        ("bob", "reference", "A boat went down.", "went down"),
        ("lead", "candidate", "A ferry sank. It was Monday.", "ferry sank"),
    ]
    write_jsonl(
        folder / "summaries.jsonl",
        [{"topic": "t", "author": a, "role": role, "text": text} for a, role, text, _ in texts],
    )
    write_jsonl(
        here / "marks.jsonl",
        [{"topic": "t", "author": a, "label": "it sank", "text": part} for a, _, _, part in texts],
    )
    return here


def test_a_pyramid_is_built_written_scored_and_shown_to_programs(harbour):
    assert [line.split() for line in typed(f"{BUILD} -o built").lines] == [
        ["topic", "SCUs", "SCUs", "by", "weight", "systems"],
        ["t", "1", "2:", "1", "1"],
        [],
        ["wrote", "built"],
    ]
    (pyramid,) = load(harbour / "built").pyramids
    assert pyramid.scus[0].contributors[0].start == 2
    scores = typed("score built -m scu_recall -m pyramid --json").json
    assert json.dumps(scores).count("1.0") >= 2
    output = typed(f"{BUILD} --json").json
    (pyramid,) = output["pyramids"]
    assert pyramid["scus"] == [
        {"id": "1", "label": "it sank", "weight": 2, "contributors": ["ann", "bob"]}
    ]
    assert pyramid["systems"] == {"lead": ["1"]} and "wrote" not in output


def test_labels_are_made_of_a_built_pyramid_and_can_be_written_as_xml(harbour, demo_folder):
    typed(f"{BUILD} -o built")
    lines = typed("pyramid labels built -o labelled").lines
    counts = "sentences of annotated candidates  2 (0 given, 2 exact, 0 near, 0 missing)"
    assert counts in lines[1] and "2 (100.0 %)" in lines[2]
    labels = load(harbour / "labelled").labels
    units = [(label.unit, [scu.id for scu in label.scus]) for label in labels]
    assert units == [(0, ["1"]), (2, [])]
    output = typed("pyramid labels built --json").json
    assert (output["rate"], output["positive"], output["negative"]) == (1.0, 1, 1)
    typed("convert labelled t.xml --to scu_xml")
    text = (harbour / "t.xml").read_text(encoding="utf-8")
    assert '<annotation scu-count="1" sum-count="1" sums="lead">' in text
    # The demo corpus is labelled by its extracts.
    output = succeed("pyramid", "labels", demo_folder, "--json").json
    assert output["sentences"]["given"] == 124 and output["unplaced"] == 0


def test_mistakes(harbour, refuses):
    (harbour / "empty.jsonl").write_text("\n")
    for name, topic, system in (
        ("units", "t", "lead"),
        ("topic", "u", "lead"),
        ("system", "t", "leed"),
    ):
        (harbour / f"{name}.csv").write_text(f"id,unit,weight,{system}\n{topic},it sank,1,1\n")
    refuses("""
        pyramid build harbour
        pyramid labels harbour --marks marks.jsonl
        pyramid build harbour --marks marks.jsonl --near 0.5
        pyramid labels harbour --force
        pyramid labels harbour
        pyramid build harbour --marks none.jsonl
        pyramid build harbour --marks harbour
        pyramid build harbour --marks empty.jsonl
        pyramid labels harbour -o marks.jsonl --force
        pyramid labels harbour -o harbour
        pyramid make harbour
        pyramid build harbour --marks marks.jsonl --units units.csv
        pyramid labels harbour --units units.csv
        pyramid fit harbour -o out
        pyramid agree harbour --folds 3
        pyramid build harbour --marks marks.jsonl --columns id=article
        pyramid agree harbour
        pyramid agree system.csv
        pyramid agree system.csv -m lcs
        pyramid agree system.csv --units system.csv -m pyramid
        pyramid choose system.csv --annotator ann
        pyramid labels harbour --annotator ann
        pyramid fit harbour
        pyramid fit harbour -m lcs
        pyramid build harbour --units none.csv
        pyramid build harbour --units harbour
        pyramid build harbour --units topic.csv
        pyramid build harbour --units system.csv
    """)


@pytest.mark.parametrize(
    ("mark", "message"),
    [
        ({"topic": "t", "author": "anne"},
         "expected an author of a summary of topic 't', found 'anne'; Did you mean 'ann'?\n"),
        ({"topic": "s", "author": "ann"}, "expected a topic of the corpus, found topic 's'\n"),
        ({"topic": "t", "autor": "ann"}, "expected known fields, found 'autor'"),
    ],
)  # fmt: skip
def test_a_bad_mark_is_named_with_its_line_and_can_be_skipped(harbour, mark, message):
    with (harbour / "marks.jsonl").open("a") as file:
        file.write(json.dumps(mark) + "\n")
    message = f"marks.jsonl:4: {message}"
    assert_refused(run_command(*shlex.split(BUILD)), 2, f"error: {message}")
    done = typed(f"{BUILD} --on-error skip")
    assert done.err.startswith(f"skipped: {message}") and done.err.count("\n") == 1
    assert done.lines[1].split() == ["t", "1", "2:", "1", "1"]


def test_a_mark_whose_text_is_not_there_is_told(harbour):
    mark = {"topic": "t", "author": "ann", "label": "x", "text": "gone"}
    write_jsonl(harbour / "marks.jsonl", [mark])
    assert "note: topic t, ann: 'gone' is not in the summary" in typed(BUILD).err


# --- content units of a table ------------------------------------------------------------------

SEA = {
    "t1": ("A ferry sank in fog.", "The boat went down. Nobody was hurt.", "A ferry. Fog."),
    "t2": ("A bridge was opened.", "The bridge cost a million.", "The bridge opened; a million."),
}
PEOPLE = (
    "id,unit,weight,bart,t5,lead\n"
    "t1,the ferry sank,2,1,1,0\n"
    "t1,there was fog,1,1,0,1\n"
    "t2,a bridge opened,1,1,0,1\n"
    "t2,it cost a million,1,0,1,1\n"
)


SYSTEMS = ("bart", "t5", "lead")


@pytest.fixture
def sea(here):
    """Two topics with three systems each, and people's marks of their units in a table."""
    (here / "sea").mkdir()
    write_jsonl(here / "sea" / "topics.jsonl", [{"id": topic, "language": "en"} for topic in SEA])
    summaries = [
        {"topic": topic, "author": author, "role": "candidate", "text": text}
        for topic, texts in SEA.items()
        for author, text in zip(SYSTEMS, texts, strict=True)
    ]
    write_jsonl(here / "sea" / "summaries.jsonl", summaries)
    (here / "people.csv").write_text(PEOPLE)
    return here


@pytest.fixture
def marked(sea):
    done = typed("pyramid build sea --units people.csv -o marked")
    assert [line.split() for line in done.lines[1:3]] == [
        ["t1", "2", "2:", "1,", "1:", "1", "3"],
        ["t2", "2", "1:", "2", "3"],
    ]
    return sea


def values_of(path):
    return [line.split(",") for line in path.read_text().splitlines()]


def test_a_table_of_units_is_added_to_a_corpus_and_scored_in_both_ways(marked):
    typed("score marked -m units.coverage -m scu_recall -o scores.csv")
    # bart says all of t1 and half of t2, t5 the lighter half of neither: "went down" is not seen.
    assert values_of(marked / "scores.csv")[:3] == [
        ["id", "system", "units.coverage", "scu_recall"],
        ["t1", "bart", "1.0", "1.0"],
        ["t1", "t5", "0.0", "0.5"],
    ]


def test_units_alone_are_enough_to_be_looked_for(sea):
    (sea / "units.csv").write_text("id,unit\nt1,the ferry sank\nt2,a bridge opened\n")
    typed("pyramid build sea --units units.csv -o with-units")
    typed("score with-units -m units.coverage -o scores.csv")
    rows = values_of(sea / "scores.csv")[1:]
    assert [float(row[2]) for row in rows] == [1, 0, 0, 1, 0, 1]
    for line, message in (
        ("pyramid fit with-units", "fit needs people's marks of which summary expresses"),
        ("score with-units -m scu_recall", "scu_recall needs a pyramid with the candidate's SCUs"),
        # A table of marks has no texts to be searched for units.
        ("score people.csv -m units", "units needs summaries with a text, which"),
    ):
        done = run_command(*shlex.split(line))
        assert done.code == 2 and message in done.err


def test_only_what_is_lacking_is_named_and_topics_without_units_are_counted(sea):
    (sea / "units.csv").write_text("sheet,unit\nt2,a bridge opened\n")
    line = "pyramid build sea --units units.csv --columns id=sheet"
    assert "without content units: 1 of 2 topics" in typed(f"{line} -o some").lines
    assert typed(f"{line} --json").json["without"] == ["t1"]
    note = "units: no value for 3 of 6 summaries, which lack content units: "
    assert note in typed("score some -m units").err


def fitted(metric, kappa, low=math.nan, high=math.nan):
    agreement = MarksAgreement(9, 3, 3, 3, 0.5, 0.5, 0.5, kappa, low, high, 0, 0, 0, 0, 0, 0)
    return Fitted(metric, 0.6, (0.6,), {}, agreement)


def test_vectors_are_recommended_only_where_they_are_clearly_better():
    vectors = fitted("units(by=vectors)", 0.479, 0.442, 0.515)
    near, far = fitted("units", 0.47, 0.44, 0.51), fitted("units", 0.44, 0.4, 0.48)
    chosen, why = recommended([near, vectors])
    assert chosen is near
    assert "do not differ clearly (kappa 0.470 is within 0.442 to 0.515)" in why
    assert recommended([far, vectors]) == (vectors, "")
    assert recommended([vectors]) == (vectors, "")
    better = fitted("units(text=en)", 0.5, 0.45, 0.55)
    assert recommended([better, vectors]) == (better, "")
    # Without an interval nothing is known of a difference.
    alone = fitted("units(by=vectors)", 0.479)
    chosen, why = recommended([far, alone])
    assert chosen is far and why.startswith("without --draws nothing says")


def test_a_threshold_is_fitted_and_its_spelling_shown(marked):
    done = typed("pyramid fit marked --draws 50")
    assert "12 marks of 4 units in 6 summaries" in done.words
    assert done.lines[-1].startswith('to use: -m "units')
    output = typed("pyramid fit marked --draws 50 -m units --json").json
    (best,) = output["fitted"]
    assert output["settings"] == {"draws": 50, "seed": 0, "confidence": 0.95}
    # t5 says "went down" for "sank", and lead "a million" for "cost a million": both are missed.
    assert best["threshold"] == 0.6 and best["use"] == "units" and len(best["folds"]) == 2
    assert best["unseen"]["marks"] == 12 and best["unseen"]["equal"] == 10 / 12
    strict = typed("pyramid fit marked -m units(text=en) --json").json
    assert strict["fitted"][0]["use"].startswith("units(text=en")


def test_the_marks_of_others_are_compared_with_peoples(marked):
    (marked / "judged.csv").write_text(PEOPLE.replace("sank,2,1,1,0", "sank,9,1,0,0"))
    output = typed("pyramid agree marked --units judged.csv --json").json
    assert output == typed("pyramid agree people.csv --units judged.csv --json").json
    agreed = output["agreement"]
    assert (agreed["marks"], agreed["equal"]) == (12, 11 / 12)
    assert "both say the same 91.7 %" in typed("pyramid agree marked --units judged.csv").words


def test_annotators_are_compared_and_one_or_the_majority_is_taken(sea):
    ann, bob = PEOPLE, PEOPLE.replace("fog,1,1,0,1", "fog,1,1,1,1")
    cyd = PEOPLE.replace(",1,1", ",1,0")
    rows = [
        f"{who},{row}"
        for who, table in (("ann", ann), ("bob", bob), ("cyd", cyd))
        for row in table.splitlines()[1:]
    ]
    (sea / "all.csv").write_text(f"annotator,{PEOPLE.splitlines()[0]}\n" + "\n".join(rows) + "\n")
    typed("pyramid build sea --units all.csv -o all")
    assert [one.annotator for one in load(sea / "all").pyramids] == ["ann", "bob", "cyd"] * 2
    (agreed,) = typed("pyramid agree all --draws 20 --json").json["agreement"]
    assert agreed == typed("pyramid agree all.csv --draws 20 --json").json["agreement"][0]
    assert (agreed["annotators"], agreed["summaries"], agreed["marks"]) == (3, 6, 36)
    shown = typed("pyramid agree all --draws 20 -m scu_recall").words
    assert "the marks of each (scu_recall)" in shown
    # Bob alone says that t5 has fog, and cyd that bart lacks something: the majority is ann's.
    done = typed("pyramid choose all -o decided")
    assert "2 topics with marks of several annotators" in done.err
    typed("pyramid choose all --annotator ann -o ann")
    decided, of_ann = (load(sea / name).pyramids for name in ("decided", "ann"))
    assert [one.peers for one in decided] == [one.peers for one in of_ann]
    done = typed("score all -m pyramid --json")
    assert "if more than half of them say so" in done.err
    assert done.json["systems"] == typed("score ann -m pyramid --json").json["systems"]
