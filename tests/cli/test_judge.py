"""The command: what it prints and writes, what other commands make of it, Ctrl-C, mistakes."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time

import pytest
from command_line import assert_refused, run_command, succeed
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
from summetry.formats.judgments import read_judgments
from summetry.formats.scores import read_scores

KEY = "sk-test-0123456789abcdef"
SYSTEMS = ("ada", "bob", "eve")
FLUENCY = "judge corpus -r fluency --model m --draws 50"
MARK_4 = says('{"mark": 4}')


def typed(line):
    return succeed(*shlex.split(line))


def judge(more=""):
    return typed(f"{FLUENCY} {more}")


def write_rows(path, rows):
    path.write_text("".join(",".join(map(str, row)) + "\n" for row in rows))


@pytest.fixture
def folder(here):
    write_corpus(here / "corpus", small_corpus(4, SYSTEMS, {"ada": 9, "bob": 5}))
    return here


def test_tables(folder, shows):
    """ada: 5, 4, nonsense, 5; bob: 3, 4, 3, 3; eve: 1, 2, no answer, 1; of pairs A, then B."""
    replies = ["5", "3", "1", "4", "4", "2", "nonsense", "3", no_answer()]
    logged(folder, replies, "fluency")
    logged(folder, ["A", "B"], "fluency", mode="pairs")
    shows(
        FLUENCY,
        f"{FLUENCY} --mode pairs -o pairs.csv",
        f"{FLUENCY} --system ada --system eve --replay --seed 1",
        f"{FLUENCY} -r focus --dry-run --price 1 2",
        f"{FLUENCY} -r focus --trials 2 --baseline ada --mode pairs --with-references --dry-run",
    )


def test_json_has_every_count_and_the_signature(folder):
    logged(folder, ["5", "3", "1"], "fluency")
    data = judge("--json --price 10 100").json
    assert data["requests"] == {
        "mark": 12, "parse_failure": 0, "refusal": 0, "no_answer": 0, "not_asked": 0
    }  # fmt: skip
    assert data["spent"]["cost"] == pytest.approx((1200 * 10 + 120 * 100) / 1e6)
    assert [row["mean"] for row in data["points"]["rows"]] == [5, 3, 1]
    signature = data["signatures"]["fluency"]
    assert signature.startswith("judge(model=m,rubric=fluency-")
    assert f"|data:{summetry.load('corpus').fingerprint}|" in signature


@pytest.fixture
def two_trials(folder):
    """Marks by topics in turn: ada 4.5 and 4; bob 3 and 2.5; eve 1.5 and 1."""
    marks = ["5", "4", "3", "3", "1", "2", "4", "4", "2", "3", "1", "1"]
    logged(folder, marks, "fluency", trials=2)
    return folder


def test_judgments_are_files_that_agreement_compare_and_correlate_read(two_trials):
    done = judge("--trials 2 -o judged.csv")
    endings = (".csv", ".csv.signatures.json", "-scores.csv", "-scores.csv.signatures.json")
    names = [f"judged{ending}" for ending in endings]
    assert done.lines[-4:] == [f"wrote {name}" for name in names]
    assert sorted(path.name for path in two_trials.glob("judged*")) == sorted(names)
    assert (two_trials / "judged.csv").read_text().splitlines()[:3] == [
        "id,system,judge,dimension,value",
        "t1,ada,m#1,fluency,5",
        "t1,ada,m#2,fluency,4",
    ]
    signature = json.loads((two_trials / names[1]).read_text())["signatures"]["fluency"]
    assert signature.startswith("judge(model=m,rubric=fluency-")
    (column,) = read_scores(two_trials / "judged-scores.csv").columns
    assert (column.name, column.signature) == ("fluency-by-m", signature)

    refused = run_command("score", "judged.csv")
    assert_refused(refused, 2, "judged.csv: these are scores: summetry compare judged.csv")
    typed("score corpus -m length -o lengths.csv")
    for judgments, name in [("judged.csv", "fluency"), ("judged-scores.csv", "fluency-by-m")]:
        line = f"correlate lengths.csv --judgments {judgments} --level system --json --draws 50"
        assert f'"{name}"' in typed(line).out


def test_judgments_are_a_corpus_or_lines_of_json_that_compare_agreement_and_report_read(two_trials):
    judge("--trials 2 -o judged")
    corpus = summetry.load("judged")
    assert len(corpus.judgments) == 24
    person = next(person for person in corpus.people if person.id == "m#2")
    assert person.group == "models"
    assert person.meta["signatures"]["fluency"].startswith("judge(model=m,rubric=fluency-")
    for command in ("compare", "agreement"):
        assert typed(f"{command} judged --dimension fluency --draws 50").out
    assert typed("report judged -m length -o page.html --draws 50").out
    assert "fluency" in (two_trials / "page.html").read_text()
    judge("--trials 2 -o judged.jsonl")
    lines = read_judgments(two_trials / "judged.jsonl").judgments
    assert {(j.topic, j.author, j.value) for j in lines} == {
        (j.topic, j.author, j.value) for j in corpus.judgments
    }


def test_content_units_are_read_by_pyramid_metrics(folder):
    # Units u1 (weight 2) and u2 (weight 1) of ada, bob, eve in turn.
    logged(folder, ["yes", "yes", "yes", "no", "no", "no"], "coverage")
    line = "judge corpus -r coverage --model m --draws 50 -o"
    assert "wrote units.csv" in typed(f"{line} units.csv").out
    typed(f"{line} judged")
    for source in ("units.csv", "judged"):
        typed(f"score {source} -m scu_recall -o recall.csv --force")
        rows = (folder / "recall.csv").read_text().splitlines()[1:]
        recall = {tuple(row.split(",")[1:]) for row in rows}
        assert recall == {("ada", "1.0"), ("bob", "0.5"), ("eve", "0.0")} and len(rows) == 12


def test_pairs_come_out_as_verdicts_and_win_rates(folder):
    logged(folder, ["A", "B"], "fluency", mode="pairs")
    done = judge("--mode pairs --dimension better -o pairs.csv --json")
    wins = {row["system"]: row["mean"] for row in done.json["pairs"]["rows"]}
    assert wins == {"ada": 1, "bob": 0.5, "eve": 0}
    rows = (folder / "pairs-verdicts.csv").read_text().splitlines()
    assert rows[1] == "t1,better,m,ada,bob,ada,mark," and len(rows) == 1 + 4 * 6
    assert (folder / "pairs-scores.csv").read_text().startswith("id,system,better-by-m\n")
    assert typed("compare pairs-scores.csv --test t --draws 50").out


def test_tables_have_the_reasons_that_were_given(folder):
    fine = '{"mark": 4, "reason": "It reads\\n well."}'
    logged(folder, [fine, "4", "nonsense"], "fluency")
    logged(folder, ['{"better": "A", "reason": "Clearer."}', "B"], "fluency", mode="pairs")
    done = judge("--tables points.json")
    assert "It reads" not in done.out
    rows = json.loads((folder / "points.json").read_text())["reasons"]["rows"]
    assert rows[0] == {
        "id": "t1", "system": "ada", "dimension": "fluency", "judge": "m", "beside": "",
        "value": 4.0, "reason": "It reads well.",
    }  # fmt: skip
    assert [row["system"] for row in rows] == ["ada"] * 4
    judge("--mode pairs --tables pairs.csv")
    lines = (folder / "pairs-reasons.csv").read_text().splitlines()
    assert lines[1] == "t1,ada,fluency_pairs,m,bob as B,1.0,Clearer."
    assert lines[2] == "t1,bob,fluency_pairs,m,ada as A,0.0,Clearer."


def test_equal_texts_are_asked_once_and_the_numbers_add_up(here):
    rows = ["1,a,Same words.", "1,b,Same words.", "2,a,One text.", "2,b,Another text."]
    (here / "made.csv").write_text("\n".join(["id,system,candidate", *rows]) + "\n")
    line = "judge made.csv -r fluency --model m --draws 50"
    words = "4 judgments, 3 different requests (1 has the same text as another)"
    dry = typed(f"{line} --dry-run")
    assert words in dry.err
    assert ["fluency", "points", "3", "0", "3"] in [row.split()[:5] for row in dry.lines]
    with scripted_server(Script(last=MARK_4)) as address:
        done = typed(f"{line} --url {address}")
    assert words in done.err
    assert "3 requests sent, 300 prompt tokens, 30 answer tokens judge(" in done.words
    again = typed(line)
    assert "0 requests sent, 3 answers from the log (all answers: 300 prompt" in again.words


def test_a_judge_is_compared_with_people_on_their_dimension(here):
    """Each of three people differs from the judge by one mark on a third of the summaries."""
    write_corpus(here / "corpus", small_corpus(12, SYSTEMS))
    logged(here, ["5", "3", "1", "4", "4", "2", "5", "2", "2"], "fluency")
    judge("--dimension readable -o judged.csv")
    own = [line.split(",") for line in (here / "judged.csv").read_text().splitlines()[1:]]
    assert {line[3] for line in own} == {"readable"} and len(own) == 36
    people = [["id", "system", "judge", "dimension", "value"]]
    for i, (topic, system, _, dimension, value) in enumerate(own):
        for turn, person in enumerate(("ann", "ben", "cat")):
            is_off = (i // 3 + i) % 3 == turn
            mark = int(value) + (-1 if value == "5" else 1) * is_off
            people.append([topic, system, person, dimension, mark])
    write_rows(here / "people.csv", people)
    # Two people are with the judge wherever one is not: it is always as near, or nearer.
    tested = typed("alt-test people.csv --judge judged.csv --json").json
    (row,) = [row for row in tested["judges"]["rows"] if row["tested"] == "m"]
    assert (row["winning_rate"], row["advantage"]) == (1, 1)


def test_the_same_command_writes_over_its_own_files_and_no_others(folder):
    logged(folder, ["4"], "fluency")
    for output in ("judged.csv", "judged"):
        judge(f"-o {output}")
        judge(f"-o {output}")
    (folder / "mine.csv").write_text("a\n1\n")
    (folder / "our-scores.csv").write_text("id,system,x\nt1,ada,1\n")
    foreign = "exists already, and not from"
    for output, words in [
        ("mine.csv", f"mine.csv: {foreign} `summetry judge`; --force"),
        ("our.csv", f"our-scores.csv: {foreign}"),
    ]:
        assert_refused(run_command(*shlex.split(FLUENCY), "-o", output), 2, words)
    assert not (folder / "our.csv").exists()
    assert judge("-o mine.csv --force").out


def test_ctrl_c_keeps_what_is_answered_and_says_how_to_go_on(folder):
    log = folder / "judge-log.jsonl"
    line = f"{FLUENCY} --wait 0.01 --concurrency 2 --url"
    script = Script(*[MARK_4] * 5, last=lambda request: time.sleep(30) or MARK_4)
    with scripted_server(script) as address:
        running = subprocess.Popen(
            [sys.executable, "-m", "summetry", *line.split(), address],
            text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )  # fmt: skip
        assert wait_until(lambda: len(script.requests) == 7 and len(log_lines(log)) == 5)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=30)
    assert running.returncode in (130, -signal.SIGINT) and out == ""
    words = " ".join(err.split())
    assert "interrupted; 5 of 12 requests are answered in judge-log.jsonl and kept;" in words
    assert "give the same command again to go on" in words and "Traceback" not in err
    assert len(log_lines(log)) == 5
    again = Script(last=MARK_4)
    with scripted_server(again) as address:
        typed(f"{line} {address}")
    assert len(again.requests) == 7 and len(log_lines(log)) == 12


@pytest.mark.parametrize("traceback", ["", "1"])
def test_the_key_is_in_no_file_and_no_output(folder, monkeypatch, traceback):
    monkeypatch.setenv("MY_KEY", KEY)
    monkeypatch.setenv("SUMMETRY_TRACEBACK", traceback)
    echo = says(f'{{"mark": 4, "reason": "{KEY}"}}')
    refusal = (403, json.dumps({"error": {"message": f"{KEY} may not"}}), {})
    line = f"{FLUENCY} --wait 0.01 --concurrency 1 --key-env MY_KEY"
    outputs = ""
    with scripted_server(Script(*[echo] * 6, refusal, last=echo)) as address:
        for name, code in (("first", 2), ("second", 0)):
            files = f"-o {name}.csv --tables {name}.json"
            done = run_command(*shlex.split(f"{line} {files} --url {address}"))
            assert done.code == code
            assert code == 0 or "[key] may not" in done.err
            outputs += done.out + done.folded_err
    assert "Traceback" not in outputs and KEY not in outputs
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert {"second.csv", "second.json", "judge-log.jsonl"} <= {path.name for path in files}
    assert not any(KEY.encode() in path.read_bytes() for path in files)


def test_nothing_of_a_server_is_imported_to_replay(folder):
    logged(folder, ["4"], "fluency")
    code = (
        "import sys; from summetry.cli.main import main\n"
        f"try: main({FLUENCY.split()})\n"
        "except SystemExit as end: print(end.code, 'httpx' in sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True, text=True, timeout=60, env=os.environ | {"COLUMNS": "80"},
    )  # fmt: skip
    assert done.stderr.split()[-2:] == ["0", "False"]


def test_mistakes(folder, refuses):
    (folder / "bad.toml").write_text(SHORT_RUBRIC.partition("[scale]")[0])
    (folder / "judge-log.jsonl").write_bytes(b"")
    refuses("""
        judge corpus --model m
        judge corpus -r fluency
        judge corpus -r fluency --model m
        judge corpus -r fluency --model m --url h
        judge corpus -r fluency --model m --mode units
        judge corpus -r no.toml --model m
        judge corpus -r bad.toml --model m
        judge corpus -r fluency --model m --set seed
        judge corpus -r fluency --model m --set n=2
        judge corpus -r fluency --model m --budget x
        judge corpus -r fluency --model m --system al
        judge corpus -r fluency --model m --key-env NO --url http://127.0.0.1:9
        judge corpus -r fluency --model m -o j.xlsx
        judge corpus -r fluency --model m -o corpus
        judge corpus -r fluency --model m -o judge-log.jsonl --force
        judge corpus -r fluency --model m --tables j.xlsx
        judge corpus -r fluency --model m --trials 0
        judge corpus -r fluency --model m --replay
        judge corpus -r fluency --model m --replay --log no.jsonl
        judge corpus -r duc --model m --dimension x
    """)
