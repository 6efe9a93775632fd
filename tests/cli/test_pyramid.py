"""``summetry pyramid``: pyramids from marks, labels from pyramids, and mistakes."""

import json
import math

import pytest

from summetry.formats import load
from summetry.metaeval.unit_marks import Fitted, MarksAgreement
from summetry.reports.unit_marks import recommended


def lines(path, records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")


@pytest.fixture
def harbour(here):
    """A topic of three sentences, two models, a peer that copies and one that does not."""
    folder = here / "harbour"
    folder.mkdir()
    units = ["A ferry sank.", "Nobody was hurt.", "It was Monday."]
    lines(folder / "topics.jsonl", [{"id": "t", "documents": [{"id": "d", "units": units}]}])
    texts = {
        "ann": "A ferry sank.",
        "bob": "A boat went down.",
        "lead": "A ferry sank. It was Monday.",
    }
    lines(
        folder / "summaries.jsonl",
        [
            {
                "topic": "t",
                "author": a,
                "role": "candidate" if a == "lead" else "reference",
                "text": text,
            }
            for a, text in texts.items()
        ],
    )
    said = {"ann": "ferry sank", "bob": "went down", "lead": "ferry sank"}
    lines(
        here / "marks.jsonl",
        [{"topic": "t", "author": a, "label": "it sank", "text": text} for a, text in said.items()],
    )
    return folder


def test_a_pyramid_is_built_written_and_scored(scored, harbour, here):
    done = scored("pyramid", "build", harbour, "--marks", "marks.jsonl", "-o", "built")
    assert [line.split() for line in done.lines] == [
        ["topic", "SCUs", "SCUs", "by", "weight", "systems"],
        ["t", "1", "2:", "1", "1"],
        [],
        ["wrote", "built"],
    ]
    (pyramid,) = load(here / "built").pyramids
    assert pyramid.scus[0].contributors[0].start == 2
    output = scored("score", "built", "-m", "scu_recall", "-m", "pyramid", "--json").json
    assert json.dumps(output).count("1.0") >= 2


def test_json_names_contributors_and_peers(scored, harbour):
    output = scored("pyramid", "build", harbour, "--marks", "marks.jsonl", "--json").json
    (made,) = output["pyramids"]
    assert made["scus"] == [
        {"id": "1", "label": "it sank", "weight": 2, "contributors": ["ann", "bob"]}
    ]
    assert made["systems"] == {"lead": ["1"]} and "wrote" not in output


def test_labels_are_made_of_a_built_pyramid(scored, harbour, here):
    scored("pyramid", "build", harbour, "--marks", "marks.jsonl", "-o", "built")
    done = scored("pyramid", "labels", "built", "-o", "labelled")
    assert (
        "sentences of annotated candidates  2 (0 given, 2 exact, 0 near, 0 missing)"
        in done.lines[1]
    )
    assert "2 (100.0 %)" in done.lines[2]
    labels = load(here / "labelled").labels
    assert [(label.unit, [scu.id for scu in label.scus]) for label in labels] == [
        (0, ["1"]),
        (2, []),
    ]
    output = scored("pyramid", "labels", "built", "--json").json
    assert (output["rate"], output["positive"], output["negative"]) == (1.0, 1, 1)


def test_the_demo_corpus_is_labelled_by_its_extracts(scored, demo_folder):
    output = scored("pyramid", "labels", demo_folder, "--json").json
    assert output["sentences"]["given"] == 124 and output["unplaced"] == 0


def test_the_labels_can_be_written_as_xml(scored, harbour, here):
    scored("pyramid", "build", harbour, "--marks", "marks.jsonl", "-o", "built")
    scored("pyramid", "labels", "built", "-o", "labelled")
    scored("convert", "labelled", "t.xml", "--to", "scu_xml")
    text = (here / "t.xml").read_text(encoding="utf-8")
    assert '<annotation scu-count="1" sum-count="1" sums="lead">' in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["build", "harbour"], "build needs --marks"),
        (["labels", "harbour", "--marks", "marks.jsonl"], "--marks goes with build, not labels"),
        (
            ["build", "harbour", "--marks", "marks.jsonl", "--near", "0.5"],
            "--near goes with labels",
        ),
        (["labels", "harbour", "--force"], "--force goes with --output"),
        (["labels", "harbour"], "labels need a pyramid with annotated candidates"),
        (
            ["build", "harbour", "--marks", "none.jsonl"],
            "none.jsonl: expected a file of marks, found n",
        ),
        (["build", "harbour", "--marks", "harbour"], "expected a file of marks, found a folder"),
        (["build", "harbour", "--marks", "empty.jsonl"], "expected marks, one per line"),
        (
            ["labels", "harbour", "-o", "marks.jsonl", "--force"],
            "marks.jsonl: expected a folder to write to, found a file",
        ),
        (["labels", "harbour", "-o", "harbour"], "harbour: exists already; --force writes over it"),
        (["make", "harbour"], "invalid value for 'build|labels|fit|agree'"),
        (
            ["build", "harbour", "--marks", "marks.jsonl", "--units", "units.csv"],
            "build needs --marks, the parts of summaries and their labels, or --units, a table",
        ),
        (["labels", "harbour", "--units", "units.csv"], "--units goes with build and agree, not"),
        (["fit", "harbour", "-o", "out"], "--output goes with build and labels, not fit"),
        (["agree", "harbour", "--folds", "3"], "--folds goes with fit, not agree"),
        (
            ["build", "harbour", "--marks", "marks.jsonl", "--columns", "id=article"],
            "--columns goes with --units, the table whose columns it names",
        ),
        (["agree", "harbour"], "agree needs --units, the table whose marks are compared"),
        (
            ["fit", "harbour"],
            "units needs content units, which the corpus does not "
            "have; what would give it: pyramids.jsonl, or a table of units: summetry pyramid "
            "build CORPUS --units TABLE",
        ),
        (["fit", "harbour", "-m", "lcs"], "fit is for the metric units, got lcs"),
        (["build", "harbour", "--units", "none.csv"], "none.csv: no such file or folder"),
        (
            ["build", "harbour", "--units", "harbour"],
            "harbour: expected a table of content units, found a folder corpus",
        ),
        (["build", "harbour", "--units", "topic.csv"], "no topic is named 'u'. Known: t."),
        (
            ["build", "harbour", "--units", "system.csv"],
            "expected 0 and 1 of systems with a summary of topic 't', found 'leed'",
        ),
    ],
)
def test_mistakes_are_told_in_one_line(call, harbour, here, arguments, message):
    (here / "empty.jsonl").write_text("\n", encoding="utf-8")
    (here / "units.csv").write_text("id,unit,lead\nt,it sank,1\n", encoding="utf-8")
    (here / "topic.csv").write_text("id,unit,lead\nu,it sank,1\n", encoding="utf-8")
    (here / "system.csv").write_text("id,unit,leed\nt,it sank,1\n", encoding="utf-8")
    done = call("pyramid", *arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: ") and message in done.err and done.err.count("\n") == 1


def test_a_bad_mark_is_named_with_its_line_and_can_be_skipped(call, scored, harbour, here):
    with (here / "marks.jsonl").open("a") as file:
        file.write('{"topic": "t", "autor": "ann"}\n')
    done = call("pyramid", "build", harbour, "--marks", "marks.jsonl")
    assert "marks.jsonl:4: expected known fields, found 'autor'" in done.err
    skipped = scored("pyramid", "build", harbour, "--marks", "marks.jsonl", "--on-error", "skip")
    assert "skipped: marks.jsonl:4" in skipped.err


@pytest.mark.parametrize(
    ("mark", "message"),
    [
        (
            {"topic": "t", "author": "anne"},
            "expected an author of a summary of topic 't', found 'anne'; Did you mean 'ann'?",
        ),
        ({"topic": "s", "author": "ann"}, "expected a topic of the corpus, found topic 's'"),
    ],
)
def test_a_mark_of_nobodys_summary_is_a_bad_one_too(call, scored, harbour, here, mark, message):
    with (here / "marks.jsonl").open("a") as file:
        file.write(json.dumps(mark) + "\n")
    done = call("pyramid", "build", harbour, "--marks", "marks.jsonl")
    assert done.err == f"error: marks.jsonl:4: {message}\n"
    skipped = scored("pyramid", "build", harbour, "--marks", "marks.jsonl", "--on-error", "skip")
    assert skipped.err == f"skipped: marks.jsonl:4: {message}\n"
    assert skipped.lines[1].split() == ["t", "1", "2:", "1", "1"]


def test_a_mark_whose_text_is_not_there_is_told(scored, harbour, here):
    lines(here / "marks.jsonl", [{"topic": "t", "author": "ann", "label": "x", "text": "gone"}])
    done = scored("pyramid", "build", harbour, "--marks", "marks.jsonl")
    assert "note: topic t, ann: 'gone' is not in the summary" in done.err


# Content units of a table


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


@pytest.fixture
def sea(here):
    """Two topics with three systems each, and people's marks of their units in a table."""
    folder = here / "sea"
    folder.mkdir()
    lines(folder / "topics.jsonl", [{"id": topic, "language": "en"} for topic in SEA])
    lines(
        folder / "summaries.jsonl",
        [
            {"topic": topic, "author": author, "role": "candidate", "text": text}
            for topic, texts in SEA.items()
            for author, text in zip(("bart", "t5", "lead"), texts, strict=True)
        ],
    )
    (here / "people.csv").write_text(PEOPLE, encoding="utf-8")
    return folder


def test_a_table_of_units_is_added_to_a_corpus_and_scored_in_both_ways(scored, sea, here):
    done = scored("pyramid", "build", sea, "--units", "people.csv", "-o", "marked")
    assert [line.split() for line in done.lines[1:3]] == [
        ["t1", "2", "2:", "1,", "1:", "1", "3"],
        ["t2", "2", "1:", "2", "3"],
    ]
    scored("score", "marked", "-m", "units.coverage", "-m", "scu_recall", "-o", "scores.csv")
    rows = (here / "scores.csv").read_text().splitlines()
    # bart says all of t1 and half of t2, t5 the lighter half of neither: "went down" is not seen.
    assert rows[:3] == ["id,system,units.coverage,scu_recall", "t1,bart,1.0,1.0", "t1,t5,0.0,0.5"]


def test_units_alone_are_enough_to_be_looked_for(scored, call, sea, here):
    (here / "units.csv").write_text("id,unit\nt1,the ferry sank\nt2,a bridge opened\n")
    scored("pyramid", "build", sea, "--units", "units.csv", "-o", "with-units")
    scored("score", "with-units", "-m", "units.coverage", "-o", "scores.csv")
    rows = [line.split(",") for line in (here / "scores.csv").read_text().splitlines()[1:]]
    assert [float(row[2]) for row in rows] == [1, 0, 0, 1, 0, 1]
    done = call("pyramid", "fit", "with-units")
    assert done.code == 2 and "fit needs people's marks of which summary expresses" in done.err
    done = call("score", "with-units", "-m", "scu_recall")
    assert done.code == 2 and "scu_recall needs a pyramid with the candidate's SCUs" in done.err


def test_only_what_is_lacking_is_named_and_topics_without_units_are_counted(scored, sea, here):
    (here / "units.csv").write_text("sheet,unit\nt2,a bridge opened\n")
    asked = ("pyramid", "build", sea, "--units", "units.csv", "--columns", "id=sheet")
    done = scored(*asked, "-o", "some")
    assert "without content units: 1 of 2 topics" in done.lines
    assert scored(*asked, "--json").json["without"] == ["t1"]
    done = scored("score", "some", "-m", "units")
    note = "units: no value for 3 of 6 summaries, which lack content units: "
    assert note in " ".join(done.err.split())


def fitted(metric, kappa, low=math.nan, high=math.nan):
    seen = MarksAgreement(9, 3, 3, 3, 0.5, 0.5, 0.5, kappa, low, high, 0, 0, 0, 0, 0, 0)
    return Fitted(metric, 0.6, (0.6,), {}, seen)


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


def test_a_threshold_is_fitted_and_its_spelling_shown(scored, sea):
    scored("pyramid", "build", sea, "--units", "people.csv", "-o", "marked")
    done = scored("pyramid", "fit", "marked", "--draws", "50")
    assert "12 marks of 4 units in 6 summaries" in done.words
    assert done.lines[-1].startswith('to use: -m "units')
    output = scored("pyramid", "fit", "marked", "--draws", "50", "-m", "units", "--json").json
    (fitted,) = output["fitted"]
    assert output["settings"] == {"draws": 50, "seed": 0, "confidence": 0.95}
    # t5 says "went down" for "sank", and lead "a million" for "cost a million": both are missed.
    assert fitted["threshold"] == 0.6 and fitted["use"] == "units" and len(fitted["folds"]) == 2
    assert fitted["unseen"]["marks"] == 12 and fitted["unseen"]["equal"] == 10 / 12
    strict = scored("pyramid", "fit", "marked", "-m", "units(text=en)", "--json").json
    assert strict["fitted"][0]["use"].startswith("units(text=en")


def test_the_marks_of_others_are_compared_with_peoples(scored, sea, here):
    (here / "judged.csv").write_text(PEOPLE.replace("sank,2,1,1,0", "sank,9,1,0,0"))
    scored("pyramid", "build", sea, "--units", "people.csv", "-o", "marked")
    of_corpus = scored("pyramid", "agree", "marked", "--units", "judged.csv", "--json").json
    of_table = scored("pyramid", "agree", "people.csv", "--units", "judged.csv", "--json").json
    assert of_corpus == of_table
    agreed = of_corpus["agreement"]
    assert (agreed["marks"], agreed["equal"]) == (12, 11 / 12)
    # Yes: 8 of 12 and 7 of 12; chance is (56 + 20) / 144.
    chance = (8 * 7 + 4 * 5) / 144
    assert agreed["kappa"] == pytest.approx((11 / 12 - chance) / (1 - chance), abs=1e-12)
    shown = scored("pyramid", "agree", "marked", "--units", "judged.csv")
    assert "both say the same 91.7 %" in shown.words


def test_marks_with_one_row_per_unit_and_system_are_compared_too(scored, sea, here):
    """As a judge writes them."""
    scored("pyramid", "build", sea, "--units", "people.csv", "-o", "marked")
    rows = [line.split(",") for line in PEOPLE.splitlines()[1:]]
    long = [
        f"{topic},{place},{unit},{weight},{system},{mark}"
        for place, (topic, unit, weight, *marks) in enumerate(rows)
        for system, mark in zip(("bart", "t5", "lead"), marks, strict=True)
    ]
    (here / "judged.csv").write_text("\n".join(["id,unit,label,weight,system,value", *long]) + "\n")
    agreed = scored("pyramid", "agree", "marked", "--units", "judged.csv", "--json").json
    assert agreed["agreement"]["marks"] == 12 and agreed["agreement"]["kappa"] == 1.0


def test_a_table_of_marks_without_texts_is_not_searched_for_units(call, sea):
    done = call("score", "people.csv", "-m", "units")
    assert done.code == 2
    assert "units needs summaries with a text, which" in done.err
