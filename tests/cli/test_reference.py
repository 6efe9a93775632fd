"""``summetry reference``: tables, files, JSON, validation, and mistakes."""

import json
import shlex

import pytest
from command_line import assert_refused, run_command, succeed

import summetry


def reference(options="", corpus="corpus"):
    return succeed("reference", corpus, *shlex.split(options))


def write_votes(folder, votes):
    lines = [{"topic": "ferry", "informant": name, "units": u} for name, u in votes.items()]
    (folder / "corpus" / "extracts.jsonl").write_text("\n".join(map(json.dumps, lines)))


@pytest.fixture
def voted(here):
    """Units of 3, 2, 2 and 4 words, with 3, 2, 1 and 1 votes."""
    folder = here / "corpus"
    folder.mkdir()
    units = ["The ferry sank.", "Nobody died.", "Fog came.", "They build a bridge."]
    topic = {"id": "ferry", "documents": [{"id": "d", "units": units}]}
    (folder / "corpus.json").write_text('{"name": "small", "language": "en"}')
    (folder / "topics.jsonl").write_text(json.dumps(topic))
    write_votes(here, {"ann": [0, 1], "ben": [0, 1, 2], "cy": [0, 3]})
    return here


def test_a_reference_is_shown_and_nothing_written(voted):
    done = reference("--length 50%")
    assert done.lines == [
        "References by majority vote, 50% (words), fit stop:",
        "topic  informants  limit  length  agreement  units",
        "ferry           3    5.5       5      83.3%  0 1",
        "",
        "No reference depended on a tie.",
    ]
    assert [path.name for path in voted.iterdir()] == ["corpus"]


def test_ties_are_told_with_what_other_rules_choose(voted):
    assert reference("--length '7 words'").lines[-2:] == [
        "1 of 1 references depended on a tie, which position decided; all tie rules",
        "choose the same units.",
    ]
    write_votes(voted, {"a": [0, 3], "b": [0, 3], "c": [1], "d": [1]})
    done = reference("--length '2 units'")
    assert done.lines[4:] == [
        "1 of 1 references depended on a tie, which position decided.",
        "In 1 of them other rules choose other units; these units are chosen by some",
        "rules only:",
        "topic  votes  tied units  position  exclusion  inclusion",
        "ferry  2      0 1 3       1         3          3",
    ]
    assert "  0 3" in reference("--length '2 units' --ties inclusion").out


def test_references_are_written_into_a_corpus(voted):
    done = reference("--length mean --fit overshoot -o refs")
    assert done.lines[0] == "wrote refs: 1 reference by majority"
    (summary,) = summetry.load(voted / "refs").summaries
    assert (summary.author, summary.role, summary.units) == ("majority", "reference", (0, 1, 2))
    assert summary.meta["votes"] == [3, 2, 1, 1]
    reference("-o more --name vote", "refs")
    assert len(summetry.load(voted / "more").summaries) == 2
    only = reference("-o more --only --force --json", "refs")
    assert only.json["wrote"] == "more" and len(summetry.load(voted / "more").summaries) == 1


def test_references_are_written_as_see_files_in_one_step(voted):
    done = reference("--length '2 units' -o see --to rouge_xml(texts=SEE)")
    assert done.lines[0] == "wrote see: 1 reference by majority"
    (file,) = (voted / "see" / "models" / "majority").iterdir()
    sentences = [line for line in file.read_text().splitlines() if line.startswith("<a name")]
    units = summetry.load(voted / "corpus").topics[0].units
    assert [sentence.split(">")[-2].removesuffix("</a") for sentence in sentences] == [*units[:2]]


@pytest.mark.parametrize(
    ("options", "units"),
    [("", [0, 1, 2]), ("--weight cy=3", [0, 3]), ("--without ann --without ben", [0, 3]),
     ("--weight cy=0.5", [0, 1, 2])],
)  # fmt: skip
def test_informants_can_be_left_out_and_weighted(voted, options, units):
    (output,) = reference(f"--length '7 words' --json {options}").json["references"]
    assert output["units"] == units
    if not options:
        assert output["votes"] == [3, 2, 1, 1]
        assert output["tie"]["units"] == [2, 3] and output["limit"] == 7


def test_validation_leaves_out_one_informant_after_the_other(voted):
    lines = reference("--length '2 units' --validate").lines
    start = lines.index("Each informant compared with the vote of the others:")
    assert lines[start + 2 : start + 5] == [
        "ann             1  100.0%     100.0%  100.0%   50.0%",
        "ben             1   66.7%     100.0%   80.0%   60.0%",
        "cy              1   50.0%      50.0%   50.0%   50.0%",
    ]
    assert lines[-1].startswith("most stable at ")
    output = reference("--length '2 units' --validate --json").json
    assert [line["informant"] for line in output["informants"]] == ["ann", "ben", "cy"]
    assert len(output["stability"]) == 20 and output["most_stable"] <= 0.64
    assert output["stability"][0].keys() == {"length", "jaccard", "chance", "corrected"}
    assert output["stability"][0]["length"] == 0.05
    # Units 0 and 1 have 3 and 2 of the votes of 3 people.
    assert output["references"][0]["agreement"] == pytest.approx(5 / 6)
    # One informant cannot be validated.
    lines = reference("--without ann --without ben --validate").lines
    assert lines[-1] == "no topic has two informants, so there are no others"


def test_an_empty_reference_is_noted_and_not_written(voted):
    note = (
        "note: no reference for 1 of 1 topics (ferry): nothing fits into 1 word, by the fit rule "
        "stop; --fit overshoot would take the unit with most votes\n"
    )
    assert reference("--length '1 words'").err == note
    done = run_command("reference", "corpus", "--length", "1 words", "-o", "refs")
    assert done.code == 2 and not (voted / "refs").exists()
    assert "error: no topic of 'small' has a reference that is not empty" in done.err


MISTAKES = [
    ("--length 0.3", "cannot read the length '0.3': write 3 sentences, 100 words"),
    ("--ties posiion", "no tie rule is named 'posiion'. Did you mean 'position'?"),
    ("--ties exclusion(theta=2)", "theta is a share from 0 to 1, got 2"),
    ("--without bem", "no informant is named 'bem'. Did you mean 'ben'?"),
    ("--weight ben", "--weight: write INFORMANT=N, got 'ben'"),
    ("--weight ben=many", "--weight ben=many: expected a number, found 'many'"),
    ("--weight ben=2 --weight ben=3", "--weight: 'ben' has a weight twice"),
    ("--weight ben=2 --without ben", "informant 'ben' is left out and has a weight"),
    ("--weight ben=-2", "the weight of informant 'ben' must be 0 or more, got -2"),
    ("--group readers", "no group of informants is named 'readers'"),
    ("--fit cut", "invalid value for '--fit': 'cut' is not one of"),
    ("--name vote", "--name, --only, --to and --force go with"),
    ("--name '' -o refs", "--name: the references need an author, got an empty name"),
    ("-o corpus", "corpus: exists already; --force writes over it"),
    ("-o corpus/topics.jsonl", "corpus/topics.jsonl: expected a folder to write to"),
    ("-o see --to tac --force", "the format 'tac' can be read but not written"),
]


@pytest.mark.parametrize(("options", "message"), MISTAKES)
def test_mistakes_are_told_in_one_line(voted, options, message):
    done = run_command("reference", "corpus", *shlex.split(options))
    assert_refused(done, 2, message if options.startswith("-o see") else f"error: {message}")


def test_a_unit_that_is_not_there_is_told_with_its_line(voted):
    write_votes(voted, {"ann": [4]})
    message = "extracts.jsonl:1: expected units from 0 to 3 for topic 'ferry', found unit 4"
    assert_refused(run_command("reference", "corpus"), 2, message)
    done = run_command("reference", "corpus", "--on-error", "skip")
    assert done.code == 2 and "skipped: " in done.err
    assert "error: the corpus 'small' has no extracts to count votes of" in done.err
