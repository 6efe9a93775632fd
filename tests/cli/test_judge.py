"""The command: what it prints and writes, what other commands make of it, Ctrl-C, mistakes."""

import json
import math
import os
import signal
import subprocess
import sys
import time

import pytest
from judged_corpora import (
    SHORT_RUBRIC,
    log_lines,
    logged,
    no_answer,
    small_corpus,
    wait_until,
    write_corpus,
)
from scripted_server import Script, says, scripted_server

import summetry
from summetry.judges.rubrics import asked_rubrics
from summetry.signature import Signature
from summetry.spec import parse

KEY = "sk-test-0123456789abcdef"
SYSTEMS = ("ada", "bob", "eve")
SIGNED = ".signatures.json"


@pytest.fixture
def folder(here):
    write_corpus(here / "corpus", small_corpus(4, SYSTEMS, {"ada": 9, "bob": 5}))
    return here


def test_marks_are_printed_with_what_is_missing(folder, scored):
    logged(folder, ["5", "3", "1", "4", "4", "2", "nonsense", "3", no_answer()], "fluency")
    done = scored("judge", "corpus", "-r", "fluency", "--model", "m", "--draws", "200")
    # ada: 5, 4, nonsense, 5; bob: 3, 4, 3, 3; eve: 1, 2, no answer, 1.
    lines = [line.split() for line in done.lines]
    heading = "system asked answered failures no answer mean low high worst best"
    assert heading in [" ".join(line) for line in lines]
    (ada,) = [line for line in lines if line[:1] == ["ada"]]
    assert ada[1:6] == ["4", "3", "1", "0", "4.667"] and ada[8:] == ["3.750", "4.750"]
    (eve,) = [line for line in lines if line[:1] == ["eve"]]
    assert eve[1:6] == ["4", "3", "0", "1", "1.333"] and eve[8:] == ["1.250", "2.250"]
    assert "in place of what is missing, 2 of 12 judgments" in done.words
    assert "parse failures: 1 of 12, first ada on t3" in done.err
    assert "no answer: 1 of 12, first eve on t3: no answer within 1 s" in done.err
    # Nothing is asked; one of the twelve has no answer.
    sent = "0 requests sent, 11 answers from the log (all answers: 1,100 prompt tokens, 110 answer "
    assert sent in done.words


def test_json_has_every_count_and_the_signature(folder, scored):
    logged(folder, ["5", "3", "1"], "fluency")
    asked = ["judge", "corpus", "-r", "fluency", "--model", "m", "--draws", "50", "--json"]
    data = scored(*asked, "--price", "10", "100").json
    assert data["requests"] == {
        "mark": 12, "parse_failure": 0, "refusal": 0, "no_answer": 0, "not_asked": 0
    }  # fmt: skip
    assert data["spent"]["cost"] == pytest.approx((1200 * 10 + 120 * 100) / 1e6)
    assert [row["mean"] for row in data["points"]["rows"]] == [5, 3, 1]
    signature = Signature.parse(data["signatures"]["fluency"])
    spelt = parse(signature.metric)
    (rubric,) = asked_rubrics(["fluency"])
    assert spelt.name == "judge" and spelt.options["model"] == "m"
    assert spelt.options["rubric"] == f"fluency-{rubric.rubric.fingerprint}"
    assert (spelt.options["trials"], spelt.options["temperature"]) == (1, 0)
    assert signature.v == summetry.__version__
    assert signature.data == summetry.load("corpus").fingerprint


def test_judgments_are_read_by_compare_correlate_agreement_and_report(folder, scored):
    logged(
        folder, ["5", "4", "3", "3", "1", "2", "4", "4", "2", "3", "1", "1"], "fluency", trials=2
    )
    asked = ["judge", "corpus", "-r", "fluency", "--model", "m", "--trials", "2", "--draws", "50"]
    done = scored(*asked, "-o", "judged.csv")
    names = [f"judged{part}.csv{end}" for part in ("", "-scores") for end in ("", SIGNED)]
    assert done.lines[-4:] == [f"wrote {name}" for name in names]
    assert sorted(path.name for path in folder.glob("judged*")) == sorted(names)
    assert (folder / "judged.csv").read_text().splitlines()[:3] == [
        "id,system,judge,dimension,value",
        "t1,ada,m#1,fluency,5",
        "t1,ada,m#2,fluency,4",
    ]
    signed = json.loads((folder / "judged.csv.signatures.json").read_text())["signatures"]
    assert signed["fluency"].startswith("judge(model=m,rubric=fluency-")

    agreed = scored("agreement", "judged.csv", "--dimension", "fluency", "--draws", "50", "--json")
    (fluency,) = agreed.json["dimensions"]
    assert (fluency["judges"], fluency["summaries"], fluency["judgments"]) == (2, 12, 24)

    ranked = scored("compare", "judged-scores.csv", "--test", "t", "--draws", "50", "--json")
    means = {row["system"]: row["mean"] for row in ranked.json["systems"]["rows"]}
    # By topics in turn: ada 4.5 and 4; bob 3 and 2.5; eve 1.5 and 1.
    assert means == {"ada": 4.25, "bob": 2.75, "eve": 1.25}

    scored("score", "corpus", "-m", "length", "-o", "lengths.csv")
    for judgments in ("judged.csv", "judged-scores.csv"):
        found = scored(
            "correlate", "lengths.csv", "--judgments", judgments, "--level", "system", "--json",
            "--draws", "50",
        )  # fmt: skip
        name = "fluency" if judgments == "judged.csv" else "fluency-by-m"
        assert f'"{name}"' in found.out
    people = "id,system,fluency\n" + "".join(
        f"t{topic},{system},{mark}\n"
        for topic in range(1, 5)
        for system, mark in (("ada", 5), ("bob", 2 + topic % 2), ("eve", 1))
    )
    (folder / "people.csv").write_text(people)
    follows = scored(
        "correlate", "judged-scores.csv", "--judgments", "people.csv", "--level", "system",
        "--json", "--draws", "50",
    )  # fmt: skip
    assert follows.err == ""
    (column,) = summetry.formats.scores.read_scores(folder / "judged-scores.csv").columns
    assert (column.name, column.signature) == ("fluency-by-m", signed["fluency"])
    rows = follows.json["correlations"]["rows"]
    (pearson,) = [
        row["value"]
        for row in rows
        if (row["metric"], row["coefficient"]) == ("fluency-by-m", "pearson")
    ]
    # Means of systems: the judge 4.25, 2.75, 1.25; people 5, 2.5, 1, whose squares add up to 98/12.
    assert pearson == pytest.approx(1.5 * 4 / math.sqrt(2 * 1.5**2 * 98 / 12))

    scored(*asked, "-o", "judged")
    corpus = summetry.load(folder / "judged")
    assert len(corpus.judgments) == 24
    judge = next(person for person in corpus.people if person.id == "m#2")
    assert judge.group == "models" and judge.meta["signatures"] == signed
    assert scored("compare", "judged", "--dimension", "fluency", "--draws", "50").out
    assert scored("agreement", "judged", "--dimension", "fluency", "--draws", "50").out
    page = scored("report", "judged", "-m", "length", "-o", "page.html", "--draws", "50")
    assert page.out and "fluency" in (folder / "page.html").read_text()


def test_lines_of_json_hold_the_same_judgments(folder, scored):
    logged(folder, ["5", "3", "bad"], "fluency")
    for name in ("judged.csv", "judged.jsonl"):
        scored("judge", "corpus", "-r", "fluency", "--model", "m", "--draws", "50", "-o", name)
    first, second = (
        summetry.formats.judgments.read_judgments(folder / name).judgments
        for name in ("judged.csv", "judged.jsonl")
    )
    assert first == second and len(first) == 8


def test_content_units_are_read_by_pyramid_metrics(folder, scored):
    # Units u1 (weight 2) and u2 (weight 1) of ada, bob, eve in turn.
    replies = ["yes", "yes", "yes", "no", "no", "no"]
    logged(folder, replies, "coverage")
    asked = ["judge", "corpus", "-r", "coverage", "--model", "m", "--draws", "50"]
    done = scored(*asked, "-o", "units.csv")
    assert "wrote units.csv" in done.out
    table = scored("score", "units.csv", "-m", "scu_recall", "--json").json
    means = {row["system"]: row["values"]["scu_recall"]["mean"] if isinstance(
        row.get("values"), dict) else row for row in table["systems"]}  # fmt: skip
    assert "ada" in means and "eve" in means
    scored("score", "units.csv", "-m", "scu_recall", "-o", "recall.csv")
    recall = (folder / "recall.csv").read_text().splitlines()[1:]
    assert {tuple(line.split(",")[1:3]) for line in recall} == {
        ("ada", "1.0"), ("bob", "0.5"), ("eve", "0.0")
    }  # fmt: skip
    scored(*asked, "-o", "judged")
    scored("score", "judged", "-m", "scu_recall", "-o", "again.csv")
    assert (folder / "again.csv").read_text() == (folder / "recall.csv").read_text()


def test_pairs_come_out_as_verdicts_and_win_rates(folder, scored):
    logged(folder, ["A", "B"], "fluency", mode="pairs")
    asked = ["judge", "corpus", "-r", "fluency", "--mode", "pairs", "--model", "m", "--draws", "50"]
    done = scored(*asked, "-o", "pairs.csv", "--json")
    # Pairs are (ada, bob), (ada, eve), (bob, eve), and the first named wins in both orders.
    wins = {row["system"]: row["mean"] for row in done.json["pairs"]["rows"]}
    assert wins == {"ada": 1, "bob": 0.5, "eve": 0}
    biases = {row["bias"]: row["value"] for row in done.json["biases"]["rows"]}
    assert biases == {"first wins": 0.5, "called equal": 0, "flips": 0, "longer wins": 1}
    rows = (folder / "pairs-verdicts.csv").read_text().splitlines()
    assert rows[1] == "t1,fluency_pairs,m,ada,bob,ada,mark," and len(rows) == 1 + 4 * 6
    assert "fluency_pairs" in (folder / "pairs-scores.csv").read_text()
    assert scored("compare", "pairs-scores.csv", "--test", "t", "--draws", "50").out


def test_a_dry_run_asks_nothing_and_needs_no_server(folder, scored):
    logged(folder, ["4"], "fluency")
    asked = ["judge", "corpus", "-r", "fluency", "-r", "focus", "--model", "m", "--dry-run"]
    data = scored(*asked, "--price", "1", "2", "--json").json
    rows = {row["dimension"]: row for row in data["forecast"]["rows"]}
    assert (rows["fluency"]["in_log"], rows["fluency"]["to_ask"]) == (12, 0)
    assert (rows["focus"]["in_log"], rows["focus"]["to_ask"]) == (0, 12)
    assert rows["all"]["to_ask"] == 12 and rows["all"]["cost"] > 0
    # Of answers in the log it is known how long they are.
    assert rows["all"]["answer_tokens"] == 12 * 10
    assert "To be asked" in scored(*asked).out


def test_a_replay_of_half_a_log_says_what_is_missing(folder, scored):
    logged(folder, ["4"], "fluency")
    lines = (folder / "judge-log.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "judge-log.jsonl").write_bytes(b"".join(lines[:7]) + lines[7][:50])
    asked = ["judge", "corpus", "-r", "fluency", "--model", "m", "--draws", "50", "--replay"]
    done = scored(*asked)
    assert "judge-log.jsonl:8: the last line is cut off after 50 bytes" in done.err
    assert "not asked: 5 of 12, first bob on t3" in done.err
    assert scored(*asked).out == done.out


def test_equal_texts_are_asked_once_and_the_numbers_add_up(here, scored):
    rows = ["1,a,Same words.", "1,b,Same words.", "2,a,One text.", "2,b,Another text."]
    (here / "made.csv").write_text("\n".join(["id,system,candidate", *rows]) + "\n")
    asked = ["judge", "made.csv", "-r", "fluency", "--model", "m", "--draws", "50"]
    words = "4 judgments, 3 different requests (1 has the same text as another)"
    dry = scored(*asked, "--dry-run")
    assert words in " ".join(dry.err.split())
    assert ["fluency", "points", "3", "0", "3"] in [line.split()[:5] for line in dry.lines]
    with scripted_server(Script(last=says('{"mark": 4}'))) as address:
        done = scored(*asked, "--url", address)
    assert words in " ".join(done.err.split())
    assert "3 requests sent, 300 prompt tokens, 30 answer tokens judge(" in done.words
    again = scored(*asked)
    assert "0 requests sent, 3 answers from the log (all answers: 300 prompt" in again.words


def test_a_judge_is_compared_with_people_on_their_dimension(here, scored, call):
    """By correlate, by agreement and by the alternative-annotator test."""
    write_corpus(here / "corpus", small_corpus(12, SYSTEMS))
    marks = ["5", "3", "1", "4", "4", "2", "5", "2", "2"]
    logged(here, marks, "fluency")
    asked = ["judge", "corpus", "--rubric", "fluency", "--model", "m", "--draws", "50"]
    scored(*asked, "--dimension", "readable", "-o", "judged.csv")
    own = [line.split(",") for line in (here / "judged.csv").read_text().splitlines()[1:]]
    assert {line[3] for line in own} == {"readable"} and len(own) == 36
    people = [["id", "system", "judge", "dimension", "value"]]
    # Each of three people differs from the judge by one mark on a third of the summaries.
    for place, (topic, system, _, dimension, value) in enumerate(own):
        for turn, who in enumerate(("ann", "ben", "cat")):
            is_other = (place // 3 + place) % 3 == turn
            mark = int(value) + (-1 if value == "5" else 1) * is_other
            people.append([topic, system, who, dimension, str(mark)])
    (here / "people.csv").write_text("".join(",".join(line) + "\n" for line in people))

    found = scored(
        "correlate", "judged-scores.csv", "--judgments", "people.csv", "--level", "summary",
        "--draws", "50", "--json",
    ).json  # fmt: skip
    assert "readable-by-m" in {row["metric"] for row in found["correlations"]["rows"]}
    refused = call("correlate", "judged.csv", "--judgments", "people.csv")
    assert refused.code == 2 and "judged-scores.csv has scores" in refused.err
    both = [*people, *own]
    (here / "both.csv").write_text("".join(",".join(line) + "\n" for line in both))
    agreed = scored("agreement", "both.csv", "--dimension", "readable", "--draws", "50", "--json")
    (readable,) = agreed.json["dimensions"]
    assert (readable["judges"], readable["summaries"]) == (4, 36)
    # A corpus has both once the model's lines are added to its own.
    scored(*asked, "--dimension", "readable", "-o", "llm")
    said = (here / "llm" / "judgments.jsonl").read_text()
    (here / "corpus" / "judgments.jsonl").write_text(said.replace('"m"', '"ann"') + said)
    agreed = scored("agreement", "corpus", "--dimension", "readable", "--draws", "50", "--json")
    (readable,) = agreed.json["dimensions"]
    assert (readable["judges"], readable["summaries"], readable["judgments"]) == (2, 36, 72)
    # Two people are with the judge wherever one is not: it is always as near, or nearer.
    tested = scored("alt-test", "people.csv", "--judge", "judged.csv", "--json").json
    (row,) = [row for row in tested["judges"]["rows"] if row["tested"] == "m"]
    assert (row["winning_rate"], row["advantage"]) == (1, 1)


def test_pairs_have_the_name_that_is_asked_for(folder, scored):
    logged(folder, ["A", "B"], "fluency", mode="pairs")
    asked = ["judge", "corpus", "-r", "fluency", "--mode", "pairs", "--model", "m", "--draws", "50"]
    scored(*asked, "--dimension", "better", "-o", "pairs.csv")
    assert (folder / "pairs-scores.csv").read_text().startswith("id,system,better-by-m\n")


def test_the_help_says_the_least_timeout(call):
    assert "[default: 120; 0.001 or more]" in " ".join(call("judge", "--help").out.split())


def test_the_same_command_writes_over_its_own_files_and_no_others(folder, scored, call):
    logged(folder, ["4"], "fluency")
    asked = ["judge", "corpus", "-r", "fluency", "--model", "m", "--draws", "50"]
    for output in ("judged.csv", "judged"):
        scored(*asked, "-o", output)
        scored(*asked, "-o", output)
    (folder / "mine.csv").write_text("a\n1\n")
    done = call(*asked, "-o", "mine.csv")
    assert done.code == 2 and "exists already, and not from `summetry judge`; --force" in done.err
    assert scored(*asked, "-o", "mine.csv", "--force").out
    (folder / "our-scores.csv").write_text("id,system,x\nt1,ada,1\n")
    done = call(*asked, "-o", "our.csv")
    assert done.code == 2 and "our-scores.csv: exists already, and not from" in done.err
    assert not (folder / "our.csv").exists()


def run_of(folder, address, *more, **environment):
    command = [
        sys.executable, "-m", "summetry", "judge", "corpus", "-r", "fluency", "--model", "m",
        "--url", address, "--draws", "50", "--wait", "0.01", *more,
    ]  # fmt: skip
    return subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=os.environ | environment,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip


def test_ctrl_c_keeps_what_is_answered_and_says_how_to_go_on(folder):
    log = folder / "judge-log.jsonl"
    good = says('{"mark": 4}')
    script = Script(*[good] * 5, last=lambda request: time.sleep(30) or good)
    with scripted_server(script) as address:
        running = run_of(folder, address, "--concurrency", "2")
        assert wait_until(lambda: len(script.requests) == 7 and len(log_lines(log)) == 5)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=30)
    assert running.returncode in (130, -signal.SIGINT) and out == ""
    words = " ".join(err.split())
    assert "interrupted; 5 of 12 requests are answered in judge-log.jsonl and kept;" in words
    assert "give the same command again to go on" in words and "Traceback" not in err
    assert len(log_lines(log)) == 5
    again = Script(last=good)
    with scripted_server(again) as address:
        running = run_of(folder, address)
        out, err = running.communicate(timeout=60)
    assert running.returncode == 0, err
    assert len(again.requests) == 7 and len(log_lines(log)) == 12


@pytest.mark.parametrize("traceback", ["", "1"])
def test_the_key_is_in_no_file_and_no_output(folder, traceback):
    echo = says(f'{{"mark": 4, "reason": "{KEY}"}}')
    refusal = (403, json.dumps({"error": {"message": f"{KEY} may not"}}), {})
    outputs = []
    with scripted_server(Script(*[echo] * 6, refusal, last=echo)) as address:
        for name in ("first", "second"):
            running = run_of(
                folder, address, "--concurrency", "1", "--key-env", "MY_KEY", "-o", f"{name}.csv",
                "--tables", f"{name}.json", MY_KEY=KEY, SUMMETRY_TRACEBACK=traceback,
            )  # fmt: skip
            outputs += running.communicate(timeout=60)
            assert running.returncode == (2 if name == "first" else 0)
    assert "[key] may not" in outputs[1] and "Traceback" not in "".join(outputs)
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert {"second.csv", "second.json", "judge-log.jsonl"} <= {path.name for path in files}
    assert not any(KEY.encode() in path.read_bytes() for path in files)
    assert KEY not in "".join(outputs)


def test_nothing_of_a_server_is_imported_to_replay(folder):
    logged(folder, ["4"], "fluency")
    code = (
        "import sys; from summetry.cli.main import main\n"
        "try: main(['judge', 'corpus', '-r', 'fluency', '--model', 'm', '--draws', '50'])\n"
        "except SystemExit as end: print(end.code, 'httpx' in sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stderr.split()[-2:] == ["0", "False"]


MISTAKES = [
    ("judge corpus --model m", "name a rubric by -r: coherence, consistency"),
    ("judge corpus -r fluency", "name the model that judges by --model"),
    ("judge corpus -r fluency --model m", "and there is nobody to ask: --url http://HOST:PORT/v1"),
    ("judge corpus -r fluency --model m --url h", "--url: expected http://HOST:PORT/v1"),
    (
        "judge corpus -r fluency --model m --mode units",
        "can be asked as points or pairs, not as un",
    ),
    ("judge corpus -r no.toml --model m", "no.toml: no such file or folder"),
    ("judge corpus -r bad.toml --model m", "bad.toml: expected a table [scale]"),
    ("judge corpus -r fluency --model m --set seed", "--set: write NAME=VALUE, such as seed=1"),
    ("judge corpus -r fluency --model m --set n=2", "--set: n is not a parameter that can be set"),
    ("judge corpus -r fluency --model m --budget x", "--budget: write '500 requests'"),
    ("judge corpus -r fluency --model m --system al", "no system is named 'al'"),
    ("judge corpus -r fluency --model m --key-env NO --url http://127.0.0.1:9", "NO is not set"),
    ("judge corpus -r fluency --model m -o j.xlsx", "to files ending in .csv, .jsonl"),
    ("judge corpus -r fluency --model m -o corpus", "would be written over what is read"),
    ("judge corpus -r fluency --model m -o judge-log.jsonl --force", "written over what is read"),
    ("judge corpus -r fluency --model m --tables j.xlsx", "ending in .json, .csv"),
    ("judge corpus -r fluency --model m --trials 0", "expected 1 or more"),
    ("judge corpus -r fluency --model m --replay", "the log judge-log.jsonl has no answers"),
    ("judge corpus -r fluency --model m --replay --log no.jsonl", "no.jsonl does not exist"),
    ("judge corpus -r duc --model m --dimension x", "of one rubric, and 5 are asked"),
]


@pytest.mark.parametrize(("command", "words"), MISTAKES)
def test_a_mistake_gets_one_line(folder, call, command, words):
    (folder / "bad.toml").write_text(SHORT_RUBRIC.partition("[scale]")[0])
    (folder / "judge-log.jsonl").write_bytes(b"")
    done = call(*command.split())
    assert done.code == 2 and done.out == ""
    assert words in done.err, done.err
    assert done.folded_err.splitlines()[-1].startswith("error: ")
