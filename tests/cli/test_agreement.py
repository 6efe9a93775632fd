"""``summetry agreement``: the tables, JSON, and mistakes."""

import json
import math
import shlex
import shutil

import pytest
from command_line import assert_refused, run_command, succeed


@pytest.fixture
def voted(here):
    """Two topics, three informants in two groups, two systems."""
    folder = here / "corpus"
    folder.mkdir()
    units = ["The ferry sank.", "Nobody died.", "Fog came.", "They build a bridge."]
    genres = {"t1": "news", "t2": "story", "t3": "story"}
    votes = {("t1", "ann"): [0, 1], ("t1", "ben"): [0, 1, 2], ("t1", "cy"): [0, 3],
             ("t2", "ann"): [0], ("t2", "ben"): [0]}  # fmt: skip
    records = {
        "topics": [{"id": topic, "genre": genre, "documents": [{"id": "d", "units": units}]}
                   for topic, genre in genres.items()],
        "extracts": [{"topic": topic, "informant": person, "units": chosen}
                     for (topic, person), chosen in votes.items()],
        "people": [{"id": person, "group": "readers"} for person in ("ann", "ben")],
        "summaries": [{"topic": topic, "author": system, "role": "candidate"} | content
                      for topic, system, content in (
                          ("t1", "picker", {"units": [0, 3]}), ("t2", "picker", {"units": [0]}),
                          ("t1", "writer", {"text": "The ferry sank in fog."}))],
    }  # fmt: skip
    (folder / "corpus.json").write_text('{"name": "small", "language": "en"}')
    for name, rows in records.items():
        (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return here


def agreement(options=""):
    return succeed("agreement", "corpus", *shlex.split(options))


def test_the_tables_of_a_small_corpus(voted, shows):
    """By hand: of t1 units 0 to 3 have 3, 2, 1 and 1 votes of three, and 3, 2, 2 and 4 words.

    At random, extracts of 2, 3 and 2 of four units cover three of them in one case of four, else
    all: 700/3 (1/4 1/3 + 3/4 1/4) = 63.2. P(E) = (7² + 5²) / 12². Cohen's are 1/2, 0 and -1/2.
    Of the people of t1, cy is in no group; nobody else is.
    """
    shows("""
    agreement corpus --chance 0
        Lengths of the extracts, and agreement of votes:
        topic  extracts  shortest  longest   mean  all votes  chance  at mean  chance
        t1            3     45.5%    63.6%  57.6%      58.3%   63.2%    66.7%       -
        t2            2     27.3%    27.3%  27.3%     100.0%   62.5%   100.0%       -
        all           5     36.4%    45.5%  42.4%      79.2%   62.8%    83.3%       -

        Agreement of the informants, unit by unit:
        topic  pairs agree  chance  Fleiss  Cohen  alpha  Jaccard  chance
        t1           50.0%   51.4%  -0.029  0.000  0.057    0.417   0.435
        ...
        By genre, means over topics:
        ...
        By group of informants, means over topics:
        ...
        (no group)         1     63.6%    63.6%  63.6%      -       -      -       -
        ...
        - in (no group): one informant alone has nobody to agree with
        note: left out: 1 of 3 topics have no extracts
    agreement corpus --without ben
        ...
        (no group)         1     63.6%    63.6%  63.6%      -       -     -       -
        ...
        - in 1 of 2 topics: one informant alone has nobody to agree with
        note: left out: 1 of 3 topics have no extracts
    """)
    lines = agreement("--chance 0 --curve").lines
    start = lines.index("Agreement by the length of the reference, means over topics:")
    assert lines[start + 2] == "    5%     100.0%"
    assert len(lines) == start + 22


def test_json_has_everything(voted):
    output = agreement("--json").json
    assert [topic["topic"] for topic in output["topics"]] == ["t1", "t2"]
    assert output["topics"][1]["fleiss"] == 1 and output["topics"][0]["genre"] == "news"
    assert output["all"]["extracts"] == 5
    assert {row["group"] for row in output["groups"]} == {"readers", "(no group)"}
    assert output["curve"]["1"] == pytest.approx((7 / 12 + 1) / 2) and "0.05" in output["curve"]
    assert output["all"]["all_votes"] == pytest.approx((7 / 12 + 1) / 2)
    # Of t1, the three people agree on unit 0 and else on one pair of three; of t2 on all units.
    assert output["topics"][0]["observed"] == pytest.approx((1 + 3 * (1 / 3)) / 4)
    assert output["topics"][1]["observed"] == 1
    assert 0 < output["all"]["at_length_chance"] <= 1
    assert set(output["pooled"]) == {"agreement", "chance", "kappa", "alpha"}
    assert set(output["genres"][0]["pooled"]) == set(output["groups"][0]["pooled"]) == {
        "agreement", "chance", "kappa", "alpha"
    }  # fmt: skip
    alone = agreement("--group readers --json").json
    assert alone["groups"] == [] and alone["all"]["extracts"] == 4


def test_the_table_of_the_paper(voted, shows):
    """By f. The best is ann with units 0 and 1 where ben and cy have the majority 0, 1 and 2.

    With own votes, as in the paper, ben chose exactly what the majority of all three has. Length 1
    is unit 0 of each topic. In lengths.csv, units 0 and 1 of t1 have 5 of 6 votes; 9% of the 11
    words of t2 are less than one unit.
    """
    (voted / "lengths.csv").write_text("id,length,note\nt1,2,x\nt2,9%,\nt9,5 words,\n")
    shows("""
    agreement corpus --table
        The best extract against the others' majority, mean length (f):
        topic  extracts  length  all votes  at mean  sentence    word  frequency
        t1            3   57.6%      58.3%    66.7%     80.0%   83.3%      83.3%
        t2            2   27.3%     100.0%   100.0%    100.0%  100.0%     100.0%
        all           5   42.4%      79.2%    83.3%     90.0%   91.7%      91.7%

        F of the systems, means over topics:
        system  length  sentence   word  frequency
        picker   45.5%     70.0%  71.4%      71.4%
        writer   45.5%         -  66.7%      66.7%
        (--system NAME shows one of them topic by topic)
        note: left out: 1 of 3 topics have no extracts
    agreement corpus --table --own-vote --value recall
        The best extract against the majority, mean length (recall):
        ...
        t1            3   57.6%      58.3%    66.7%    100.0%  100.0%     100.0%
        ...
        picker   45.5%     66.7%  71.4%      71.4%
        ...
    agreement corpus --table --system picker
        ...
        F of picker:
        topic  length  sentence    word  frequency
        t1      63.6%     40.0%   42.9%      42.9%
        t2      27.3%    100.0%  100.0%     100.0%
        all     45.5%     70.0%   71.4%      71.4%
        ...
    agreement corpus --table -s lead --length '1 sentence'
        The best extract against the others' majority, 1 unit (f):
        ...
    agreement corpus --table -s lead --length lengths.csv
        The best extract against the others' majority, the topic's length (f):
        ...
    agreement corpus --length lengths.csv --chance 0
        ...
        topic  extracts  shortest  longest   mean  all votes  chance  at length  chance
        t1            3     45.5%    63.6%  57.6%      58.3%   63.2%      83.3%       -
        t2            2     27.3%    27.3%  27.3%     100.0%   62.5%     100.0%       -
        all           5     36.4%    45.5%  42.4%      79.2%   62.8%      91.7%       -
        ...
    """)
    # One of the two units of the one, and of the three of the other.
    for value, share in (("precision", "50.0%"), ("recall", "33.3%")):
        lines = agreement(f"--table --system picker --value {value}").lines
        assert lines[8].split()[-3] == share
    output = agreement("--table -s lead --length lengths.csv --json").json
    assert [topic["reference"] for topic in output["topics"]] == [[0, 1], [0]]
    assert [topic["systems"][0]["sentence"]["f"] for topic in output["topics"]] == [1, 1]
    stopped = succeed("reference", "corpus", "--length", "lengths.csv", "--json").json
    assert [topic["units"] for topic in stopped["references"]] == [[0, 1], []]


def test_summarizers_and_the_majority_fill_the_mean_length_or_the_one_that_is_asked_for(voted):
    output = agreement("--table -s lead --json").json
    # 19/3 words, by overshoot: units 0, 1 and 2.
    (lead,) = output["topics"][0]["systems"]
    assert (lead["system"], lead["sentence"]["recall"]) == ("lead", 1)
    assert output["topics"][0]["reference"] == [0, 1, 2]
    assert output["topics"][0]["best"]["informant"] == "ann"
    assert output["systems"][0]["system"] == "lead"
    output = agreement("--table -s lead --length '1 sentence' --json").json
    assert output["topics"][0]["reference"] == [0]
    assert output["topics"][0]["systems"][0]["sentence"] == {"recall": 1, "precision": 1, "f": 1}


def test_the_reference_can_have_any_length(voted):
    """Of t1 unit 0 has 3 of 3 votes, 1 has 2; of t2 unit 0 has 2 of 2, and no other a vote."""
    lines = agreement("--length 2 --chance 0").lines
    assert lines[1].endswith("all votes  chance  at 2 units  chance")
    assert [line.split()[-2] for line in lines[2:5]] == ["83.3%", "100.0%", "91.7%"]
    # 30% of the 11 words are 3.3: by overshoot two units of t1, by stop the first alone.
    output = agreement("--length 30% --fit stop --json").json
    assert output["topics"][0]["at_length"] == 1
    # Two units of four at random: 3 and 4 votes of three people for the best two at the most.
    assert 0.5 <= output["topics"][0]["at_length_chance"] <= 1


def test_empty_extracts_are_named(voted):
    with (voted / "corpus" / "extracts.jsonl").open("a") as file:
        file.write('\n{"topic": "t2", "informant": "cy", "units": []}')
    done = agreement("--chance 0")
    assert "note: 1 extract is empty and counts as choosing nothing: cy (t2)\n" in done.err
    # Two of three informants chose unit 0, the only one that anybody chose.
    assert done.lines[3].split()[:6] == ["t2", "3", "0.0%", "27.3%", "18.2%", "66.7%"]


def test_what_is_undefined_is_null(voted):
    output = agreement("--table --json").json
    writer = output["topics"][0]["systems"][1]
    assert writer["sentence"]["recall"] is None and not math.isnan(writer["word"]["recall"])


@pytest.fixture
def judged(here):
    """Five summaries of two topics by two judges, and one by one of them; see test_judges."""
    rows = ["id,system,judge,grammar,slider,alone"]
    given = {("t1", "x"): "32", ("t1", "y"): "11", ("t1", "z"): "33", ("t2", "x"): "22"}
    given[("t2", "y")] = "21"
    for (topic, system), marks in given.items():
        for judge, mark in zip("ab", marks, strict=True):
            alone = 1 if judge == "a" else ""
            rows.append(f"{topic},{system},{judge},{mark},{len(rows) / 2},{alone}")
    rows.append("t2,z,a,3,9.5,2")
    (here / "judgments.csv").write_text("\n".join(rows))
    return here


def test_the_agreement_of_judges(judged, shows):
    """By hand in test_judges: P(A) 3 of 5, P(E) .34, weighted kappa 1 - 10 / 32.

    Alpha: letters 1 to 3 are given 3, 4 and 3 times, so twice their ranks are -7, 0 and 7 from the
    middle. Within summaries 3 2 and 2 1 differ by 7: 98. In all 6 times 7 squared, times 10:
    alpha = 1 - 9 * 98 / 2940.
    """
    shows("""
    agreement judgments.csv --dimension grammar --draws 0
        Summaries that two judges or more have judged:
        dimension  judges  summaries  judgments  pairs agree  chance
        grammar         2          5         10        60.0%   34.0%

        Agreement of the judges:
        dimension  coefficient     value  low  high
        grammar    Fleiss' kappa   0.394    -     -
                   weighted kappa  0.688    -     -
                   ordinal alpha   0.700    -     -

        low, high: 95 % of 0 bootstrap resamples of topics, seed 0
        weighted kappa: quadratic weights, mean over all pairs of judges, each weighted
        by the summaries that both judged
    """)


def test_the_agreement_of_judges_by_genre(judged, shows):
    """By hand: of news 2 of 3 pairs agree, and 3, 1 and 2 of 6 marks are alike: kappa is 10 / 22.

    Of story 1 of 2 pairs agree, and 3 and 1 of 4 marks are alike: kappa is -1 / 3.
    """
    first, *rows = (judged / "judgments.csv").read_text().splitlines()
    genres = ["news" if row.startswith("t1") else "story" for row in rows]
    lines = [f"{first},genre", *(f"{row},{kind}" for row, kind in zip(rows, genres, strict=True))]
    (judged / "judgments.csv").write_text("\n".join(lines))
    shows("""
    agreement judgments.csv --dimension grammar --by genre --draws 0
        Summaries that two judges or more have judged:
        dimension  genre  judges  summaries  judgments  pairs agree  chance
        grammar    news        2          3          6        66.7%   38.9%
        grammar    story       2          2          4        50.0%   62.5%

        Agreement of the judges:
        dimension  genre  coefficient      value  low  high
        grammar    news   Fleiss' kappa    0.455    -     -
        ...
        grammar    story  Fleiss' kappa   -0.333    -     -
        ...
    """)
    done = succeed("agreement", "judgments.csv", "--dimension", "all", "--by", "genre", "--json")
    named = [(one["dimension"], one["genre"]) for one in done.json["dimensions"]]
    assert named == [(name, genre) for name in ("grammar", "slider") for genre in ("news", "story")]
    assert "alone (news), alone (story)" in " ".join(done.err.split())
    words = "no topic of 'judgments' has a group; topics.jsonl says it, or a column 'group' of"
    done = run_command("agreement", "judgments.csv", "--dimension", "all", "--by", "group")
    assert_refused(done, 2, words)


def test_all_dimensions_of_judgments(judged):
    done = succeed("agreement", "judgments.csv", "--dimension", "all", "--json")
    assert done.err.splitlines() == ["note: left out, as no summary has two judges: alone"]
    output = done.json
    assert [one["dimension"] for one in output["dimensions"]] == ["grammar", "slider"]
    grammar = output["dimensions"][0]
    assert grammar["alpha"]["low"] <= grammar["alpha"]["value"] <= grammar["alpha"]["high"]
    assert grammar["agreement"] == pytest.approx(0.6)
    assert output["settings"] == {"draws": 10_000, "seed": 0, "confidence": 0.95}


GO_WITH_TABLE = "--system, --summarizer, --value and --own-vote go with --table"


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("corpus --table --system piker", "no system is named 'piker'. Did you mean 'picker'?"),
        ("corpus --system picker", GO_WITH_TABLE),
        ("corpus -s lead", GO_WITH_TABLE),
        ("corpus --own-vote", GO_WITH_TABLE),
        ("corpus --by genre", "--by goes with --dimension; genres and groups of informants are"),
        ("corpus --value f", GO_WITH_TABLE),
        ("corpus --table -s leed", "no summarizer is named 'leed'. Did you mean 'lead'?"),
        ("corpus --table --curve", "--curve does not go with --table"),
        ("corpus --length no.csv", "no.csv: expected a table of lengths, found no such file"),
        ("corpus --length 0.3", "cannot read the length '0.3': write 3 sentences, 100 words"),
        ("corpus --length lacks.csv", "lacks.csv: expected a length for topic 't2', found none"),
        ("corpus --chance -1", "invalid value for '--chance': expected 0 or more"),
        ("corpus --seed -1", "invalid value for '--seed'"),
        ("corpus --ties exclusion(theta=1/0)", "expected a number, found '1/0'"),
        ("corpus --without dan", "no informant is named 'dan'"),
        ("empty", "the corpus 'small' has no extracts to count votes of; extracts.jsonl would"),
        ("judgments.csv --dimension gramar", "no dimension of judgments is named 'gramar'. Did"),
        ("judgments.csv --dimension alone", "no summary has judgments of two judges on alone"),
        ("judgments.csv --dimension grammar --table", "--dimension is about judgments; --table"),
        ("judgments.csv --dimension grammar --without a", "--dimension is about judgments"),
    ],
)  # fmt: skip
def test_mistakes_are_told_in_one_line(voted, judged, typed, message):
    (voted / "lacks.csv").write_text("topic,length\nt1,2\n")
    shutil.copytree(voted / "corpus", voted / "empty", ignore=lambda *_: ["extracts.jsonl"])
    done = run_command("agreement", *shlex.split(typed))
    note = "note: left out: 1 of 3 topics have no extracts\n"
    assert_refused(done._replace(folded_err=done.err.removeprefix(note)), 2, f"error: {message}")


def test_a_table_of_judgments_is_told_the_option_that_reads_it(judged):
    done = run_command("agreement", "judgments.csv")
    command = "summetry agreement judgments.csv --dimension "
    assert_refused(done, 2, f"error: judgments.csv: these are judgments: {command}")
    succeed(*done.err.split("summetry ")[1].split())
