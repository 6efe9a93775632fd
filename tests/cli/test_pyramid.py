"""``summetry pyramid``: pyramids from marks, labels from pyramids, and mistakes."""

import json

import pytest

from summetry.formats import load


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
        (["labels", "harbour", "--marks", "marks.jsonl"], "--marks goes with build"),
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
        (["make", "harbour"], "invalid value for 'build|labels'"),
    ],
)
def test_mistakes_are_told_in_one_line(call, harbour, here, arguments, message):
    (here / "empty.jsonl").write_text("\n", encoding="utf-8")
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
