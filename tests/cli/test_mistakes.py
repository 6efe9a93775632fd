"""Mistakes of the user: exit code 2, one line that says what to do, nothing on standard output."""

import os
import shlex
import subprocess
import sys

import pytest
from command_line import assert_refused, run_command

ONE = "--candidate a.txt --reference r1.txt"
TABLE = "candidate,reference\na b,a c\n"


@pytest.fixture
def mess(texts, demo_folder):
    """A folder with all that can be mistaken for something else."""
    for name in ("notext", "folders/more", "tour", "folder.csv"):
        (texts / name).mkdir(parents=True)
    for name in ("corpus", "tour/corpus"):
        (texts / name).symlink_to(demo_folder)
    os.mkfifo(texts / "pipe")
    files = {
        "tabs.csv": "candidate\treference\na b\ta c\n",
        "bars.csv": "candidate|reference\na b|a c\n",
        "scores.csv": "topic,author,metric,score\nt,a,lcs,1\n",
        "wide.csv": "id,system,rouge1.f\nt,a,0.5\n",
        "broken/topics.jsonl": "rubbish\n",
        "empty.txt": "",
        "broken.parquet": "PAR1 and so on",
        "bare.txt": "a text".encode("utf-16-le"),
        "wide.txt": "a text".encode("utf-16"),
        "binary": b"\x89PNG\x1a\n\x00\x00\x00\rIHDR\xff\xfe\n",
    }
    files |= dict.fromkeys(("table.csv", "bare.csv.gz", "bare.csv.zst", "page.html"), TABLE)
    files |= {f"{name}/t1.txt": "a text" for name in ("plain", "outer/bart", "outer/gold")}
    for name, content in files.items():
        (texts / name).parent.mkdir(parents=True, exist_ok=True)
        (texts / name).write_bytes(content.encode() if isinstance(content, str) else content)
    return texts


def test_what_is_scored(mess, refuses):
    refuses(f"""
        score
        score --reference r1.txt
        explain
        score corpus --candidate a.txt
        score corpus --reference r1.txt
        score corpus --source s.txt
        score --candidate a.txt
        score --candidate - --reference -
        score {ONE} --columns candidate=x
        score {ONE} --format table
        score {ONE} --protocol all_peers
        score {ONE} --candidate s.txt
        score --candidate a.txt --reference corpus
        score --candidate corpus --reference r1.txt
        score --candidate notext --reference notext
        score {ONE} -m compression
        score corpus -m coselction
        score corpus -m ''
        score table.csv -m coselection
        score a.txt
    """)


def test_files_that_are_not_there_or_not_what_they_should_be(mess, refuses):
    """A file is missing, empty, of another kind, packed, in another encoding, or a pipe."""
    refuses("""
        score corpuz
        compare corpuz
        convert corpuz new
        explain corpuz -m lcs
        score no/where
        score nofile.csv
        score tables.csv
        score --candidate aa.txt --reference r1.txt
        score --candidate a.txt --source ss.txt
        score --candidate notext --reference nowhere
        score ''
        compare ''
        compare -
        score empty.txt
        score notext
        score folders
        score tour
        score plain
        score outer/bart
        score binary
        score binary --format table
        convert binary new
        score --candidate binary --reference r1.txt
        score --candidate wide.txt --reference r1.txt
        score --candidate bare.txt --reference r1.txt
        score wide.txt
        score pipe
        convert pipe new
        compare pipe
        compare pipe --references table.csv
        score scores.csv
        score wide.csv
        score tabs.csv
        score bars.csv
        score bare.csv.gz
        score bare.csv.zst
        score a.txt --format folder
        score corpus --format table
        score corpus/topcs.jsonl
        score corpus/summaries.jsonl
        score broken
    """)


def test_options(mess, refuses):
    """What people type who know other programs is answered by what there is."""
    refuses("""
        score corpus --protocol peers
        score corpus --on-error ignore
        score corpus --workers 0
        score corpus --workers two
        score corpus --format fodler
        score corpus --format json
        score table.csv --columns candidate
        score table.csv --columns cand=x
        score table.csv --columns candidate=summary
        score table.csv --columns id=a,id=b
        score corpus --columns id=x
        score corpus -o a.csv -o b.csv
        score corpus -m
        score corpus lcs
        score corpus -m lcs rouge2
        compare corpus -m lcs rouge2
        correlate corpus -m lcs rouge2
        score table.csv --hyp a.txt
        score table.csv --predictions a.txt
        score table.csv --sep ;
        score table.csv --progress
        score a.txt --lines
        compare corpus --margin 0.1
        summarize a.txt -n 2
        summarize a.txt --sentences 2
        score corpus --sentences 2
        score corpus --metirc lcs
        graph a.txt --id 1
        where
        where lcss
        where lcs cosine
        formats --jsn
        metrics lsc
        glossary
        scor
        metric
        explian
        help frobnicate
        frobnicate
        --frobnicate
    """)


def test_outputs(mess, refuses):
    refuses("""
        score corpus -o scores.xlsx
        score corpus -o table.csv
        score corpus -o wide.csv
        score corpus -o notext
        score corpus -o folder.csv
        score table.csv -o table.csv
        score corpus -o corpus/topics.jsonl
        score corpus -o a.txt/s.csv
        score --candidate page.html --reference page.html --plot page.html
        score corpus --cache a.txt
        score corpus --cache x --no-cache
        rouge155 -a notext
        rouge155 -a no.xml
        demo -o a.txt
        convert corpus a.txt/new
    """)
    # What the system says of them is not the same everywhere.
    for line in ("score corpus -o /proc/s.csv", "demo -o /proc/tour", "score broken.parquet"):
        assert_refused(run_command(*line.split()), 2, f"error: {line.split()[-1]}")


def test_many_problems_stay_on_one_line(mess):
    (mess / "t.jsonl").write_text('{"candidate": "a", "reference": 1, "x\\ny": 2}\n')
    assert_refused(run_command("score", "t.jsonl", "--columns", "candidate=no\nbody"), 2, "body")


@pytest.mark.parametrize("line", [
    "frobnicate", "score corpus -m lsc", pytest.param("score corpuz", marks=pytest.mark.slow),
])  # fmt: skip
def test_a_real_process_says_the_same(process, mess, line):
    assert_refused(process(*shlex.split(line), folder=mess), 2, run_command(*shlex.split(line)).err)


def test_an_empty_or_closed_standard_input_is_told(mess):
    done = run_command("score", "-", "-m", "lcs", stdin=b"")
    assert_refused(done, 2, "error: standard input: the file is empty\n")
    command = f"'{sys.executable}' -m summetry score - -m lcs <&-"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=300)
    message = "error: standard input is closed: expected something to read; name a file\n"
    assert (done.returncode, done.stderr) == (2, message)
