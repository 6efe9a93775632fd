"""``summetry reference``: tables, files, JSON, validation, and mistakes."""

import json
import shlex

import pytest
from command_line import run_command, succeed

import summetry


def reference(options="", corpus="corpus"):
    return succeed("reference", corpus, *shlex.split(options))


@pytest.fixture
def tied(voted):
    """Beside ``corpus`` another one of the same topic, in which two units have two votes each."""
    votes = {"a": [0, 3], "b": [0, 3], "c": [1], "d": [1]}
    lines = [{"topic": "t1", "informant": name, "units": units} for name, units in votes.items()]
    topic = (voted / "corpus" / "topics.jsonl").read_text().splitlines()[0]
    (voted / "tied").mkdir()
    (voted / "tied" / "topics.jsonl").write_text(topic)
    (voted / "tied" / "extracts.jsonl").write_text("\n".join(map(json.dumps, lines)))
    return voted


def test_tables(tied, shows):
    """Nothing is written; one informant cannot be validated, and of 1 word nothing is left."""
    shows(
        "reference corpus --length 50%",
        "reference corpus --length '7 words'",
        "reference corpus --length '1 words'",
        "reference corpus --length mean --fit overshoot --weight cy=3 --without ben",
        "reference tied --length '2 units'",
        "reference tied --length '2 units' --ties inclusion",
        "reference corpus --length '2 units' --validate",
        "reference corpus --length '2 units' --group readers --without ann --validate",
    )
    assert {path.name for path in tied.iterdir()} == {"corpus", "tied"}


def test_references_are_written_into_a_corpus(voted):
    """Of t1 units 0 to 3 have 3, 2, 1 and 1 votes."""
    done = reference("--length mean --fit overshoot -o refs")
    assert "wrote refs: 2 references by majority" in done.lines
    first, _ = (s for s in summetry.load(voted / "refs").summaries if s.role == "reference")
    assert (first.author, first.units) == ("majority", (0, 1, 2))
    assert first.meta["votes"] == [3, 2, 1, 1]
    reference("-o more --name vote", "refs")
    assert len(summetry.load(voted / "more").summaries) == 3 + 4
    only = reference("-o more --only --force --json", "refs")
    roles = [s.role for s in summetry.load(voted / "more").summaries]
    assert only.json["wrote"] == "more" and roles.count("reference") == 2
    # As files of SEE in one step.
    reference("--length '2 units' -o see --to rouge_xml(texts=SEE)")
    files = sorted((voted / "see" / "models" / "majority").iterdir())
    sentences = [line for line in files[0].read_text().splitlines() if line.startswith("<a name")]
    units = summetry.load(voted / "corpus").topics[0].units
    assert [sentence.split(">")[-2].removesuffix("</a") for sentence in sentences] == [*units[:2]]


def test_json_has_votes_ties_and_what_validation_finds(voted):
    for options, units in (
        ("", [0, 1, 2]),
        ("--weight cy=3", [0, 3]),
        ("--weight cy=.5", [0, 1, 2]),
    ):
        output = reference(f"--length '7 words' --json {options}").json["references"][0]
        assert output["units"] == units
    assert output["limit"] == 7
    output = reference("--length '2 units' --validate --json").json
    assert [line["informant"] for line in output["informants"]] == ["ann", "ben", "cy"]
    assert len(output["stability"]) == 20 and output["stability"][0]["length"] == 0.05
    assert output["stability"][0].keys() == {"length", "jaccard", "chance", "corrected"}
    # Units 0 and 1 have 3 and 2 of the votes of 3 people.
    assert output["references"][0]["agreement"] == pytest.approx(5 / 6)


def test_mistakes(voted, refuses):
    (voted / "bad").mkdir()
    for name in ("topics", "extracts"):
        text = (voted / "corpus" / f"{name}.jsonl").read_text().splitlines()[0]
        (voted / "bad" / f"{name}.jsonl").write_text(text.replace("[0, 1]", "[4]"))
    refuses("""
        reference corpus --length 0.3
        reference corpus --length '1 words' -o refs
        reference corpus --ties posiion
        reference corpus --without bem
        reference corpus --weight ben
        reference corpus --weight ben=many
        reference corpus --weight ben=2 --weight ben=3
        reference corpus --weight ben=2 --without ben
        reference corpus --group writers
        reference corpus --fit cut
        reference corpus --name vote
        reference corpus --name '' -o refs
        reference corpus -o corpus
        reference corpus -o corpus/topics.jsonl
        reference corpus -o see --to tac --force
        reference bad
    """)
    done = run_command("reference", "bad", "--on-error", "skip")
    assert done.code == 2 and done.err.startswith(
        "skipped: bad/extracts.jsonl:1: expected units fr"
    )
