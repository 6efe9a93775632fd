"""``summetry agreement``: tables, JSON, and mistakes; tests/references has the numbers by hand."""

import shlex
import shutil

import pytest
from command_line import run_command, succeed


def agreement(options, source="corpus"):
    return succeed("agreement", source, *shlex.split(options))


def test_tables_of_votes(voted, shows):
    (voted / "lengths.csv").write_text("id,length,note\nt1,2,x\nt2,9%,\nt9,5 words,\n")
    with (voted / "corpus" / "extracts.jsonl").open("a") as file:
        file.write('\n{"topic": "t2", "informant": "cy", "units": []}')
    shows(
        "agreement corpus --chance 0 --curve",
        "agreement corpus --group readers --length 30% --fit stop --chance 5 --seed 1",
        "agreement corpus --without ben --length lengths.csv --ties exclusion",
        "agreement corpus --table --length lengths.csv",
        "agreement corpus --table --own-vote --value recall",
        "agreement corpus --table --system picker --value precision",
        "agreement corpus --table -s length -s lead --length '1 sentence'",
    )


def test_json_has_everything_and_null_where_something_is_undefined(voted):
    output = agreement("--json").json
    assert list(output) == ["topics", "genres", "groups", "all", "pooled", "curve"]
    assert output["topics"][0]["genre"] == "news" and output["all"]["extracts"] == 5
    assert output["all"]["all_votes"] == pytest.approx((7 / 12 + 1) / 2)
    assert agreement("--group readers --json").json["groups"] == []
    output = agreement("--table --length '1 sentence' --json").json
    assert list(output) == ["topics", "best", "systems"]
    assert output["topics"][0]["reference"] == [0]
    assert output["topics"][0]["best"]["informant"] == "ann"
    assert output["topics"][0]["systems"][1]["sentence"]["recall"] is None


@pytest.fixture
def grammar(here):
    """Five summaries of two topics by two judges, and one by one of them; see test_judges."""
    rows = ["id,system,judge,genre,grammar,slider,alone"]
    given = {("t1", "x"): "32", ("t1", "y"): "11", ("t1", "z"): "33", ("t2", "x"): "22"}
    given[("t2", "y")] = "21"
    for (topic, system), marks in given.items():
        for judge, mark in zip("ab", marks, strict=True):
            genre, alone = "news" if topic == "t1" else "story", 1 if judge == "a" else ""
            rows.append(f"{topic},{system},{judge},{genre},{mark},{len(rows) / 2},{alone}")
    (here / "judgments.csv").write_text("\n".join([*rows, "t2,z,a,story,3,9.5,2"]))
    return here


def test_tables_of_judges(grammar, shows):
    shows(
        "agreement judgments.csv --dimension grammar --draws 0",
        "agreement judgments.csv --dimension grammar --by genre --draws 50 --seed 1",
        "agreement judgments.csv --dimension all --draws 0",
    )
    output = agreement("--dimension slider --dimension grammar --json", "judgments.csv").json
    assert [one["dimension"] for one in output["dimensions"]] == ["slider", "grammar"]
    assert output["dimensions"][1]["agreement"] == pytest.approx(0.6)
    assert output["settings"] == {"draws": 10_000, "seed": 0, "confidence": 0.95}
    output = agreement("--dimension all --by genre --draws 0 --json", "judgments.csv").json
    parts = [(one["dimension"], one["genre"]) for one in output["dimensions"]]
    assert parts == [(name, genre) for name in ("grammar", "slider") for genre in ("news", "story")]
    # The advice works.
    refused = run_command("agreement", "judgments.csv").err
    succeed(*refused.split("summetry ")[1].split())


def test_mistakes(voted, grammar, refuses):
    (voted / "lacks.csv").write_text("topic,length\nt1,2\n")
    shutil.copytree(voted / "corpus", voted / "empty", ignore=lambda *_: ["extracts.jsonl"])
    refuses("""
        agreement corpus --table --system piker
        agreement corpus --system picker
        agreement corpus -s lead
        agreement corpus --own-vote
        agreement corpus --value f
        agreement corpus --by genre
        agreement corpus --table -s leed
        agreement corpus --table --curve
        agreement corpus --length no.csv
        agreement corpus --length lacks.csv
        agreement corpus --chance -1
        agreement corpus --without dan
        agreement empty
        agreement judgments.csv
        agreement judgments.csv --dimension gramar
        agreement judgments.csv --dimension alone
        agreement judgments.csv --dimension all --by group
        agreement judgments.csv --dimension grammar --table
        agreement judgments.csv --dimension grammar --curve
        agreement judgments.csv --dimension grammar --value f
        agreement judgments.csv --dimension grammar --without a
    """)
