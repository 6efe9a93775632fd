"""Mistakes of the user: exit code 2, one line that says what to do, nothing on standard output."""

import os
import pwd
import shlex
import subprocess
import sys
import tempfile

import pytest
from command_line import assert_refused, run_command, succeed

from summetry.cli.main import main

ONE = "--candidate a.txt --reference r1.txt"
TABLE = "candidate,reference\na b,a c\n"

# Calls, with | between those that are told the same, and words that their one line must have.
MISTAKES = [
    # what is scored
    ("score", "give a CORPUS, or --candidate with --reference or --source"),
    ("score --reference r1.txt | explain", "give a CORPUS, or --candidate"),
    ("score corpus --candidate a.txt", "a CORPUS and --candidate are two ways to say what is read"),
    ("score corpus --reference r1.txt | score corpus --source s.txt",
     "--reference and --source go with --candidate"),
    ("score --candidate a.txt", "nothing to compare a summary with: no reference, no source"),
    ("score --candidate - --reference -", "standard input (-) can be only one of the texts"),
    (f"score {ONE} --columns candidate=x | score {ONE} --format table",
     "--format and --columns go with a CORPUS"),
    (f"score {ONE} --protocol all_peers", "--protocol all_peers needs a corpus"),
    ("score --candidate a.txt --reference corpus",
     "expected all files or all folders, found the folder corpus and the file a.txt"),
    ("score --candidate corpus --reference r1.txt", "the folder corpus and the file r1.txt"),
    ("score --candidate notext --reference notext", "notext: expected text files (*.txt)"),
    # files that are not there, or not what they should be
    ("score corpuz | compare corpuz | convert corpuz new | explain corpuz -m lcs",
     "corpuz: no such file or folder. Did you mean 'corpus'?"),
    ("score no/where", "no/where: no such file or folder. There is no folder no either."),
    ("score --candidate aa.txt --reference r1.txt", "aa.txt: no such file or folder. Did you"),
    ("score --candidate a.txt --reference no/r.txt", "no/r.txt: no such file or folder."),
    ("score --candidate a.txt --source ss.txt", "ss.txt: no such file or folder. Did you mean"),
    ("score --candidate notext --reference nowhere", "nowhere: no such file or folder"),
    ("score empty.txt", "empty.txt: the file is empty"),
    ("score ''", "CORPUS: expected a name, found an empty one; is a variable of the shell not"),
    ("compare ''", "SCORES: expected a name, found an empty one; is a variable of the shell not"),
    ("score a.txt", "the corpus 'a' has no summaries to score; what would give some: candidates"),
    ("score notext", "notext: the folder is empty"),
    ("score folders", "folders: not recognised as any known format; `summetry formats`"),
    ("score tour", "tour: not recognised as any known format; did you mean tour/corpus in it?"),
    ("convert pipe new", "pipe: expected a file or a folder, found a pipe or a device; save what"),
    ("score pipe | compare pipe | compare pipe --references table.csv",
     "pipe: expected a file or a folder, found a pipe"),
    ("score --candidate wide.txt --reference r1.txt", "wide.txt: expected UTF-8, found UTF-16"),
    ("score --candidate bare.txt --reference r1.txt", "bare.txt:1: expected text, found a zero b"),
    ("score scores.csv", "scores.csv: these are scores: summetry compare scores.csv"),
    ("score wide.txt", "wide.txt: expected UTF-8, found UTF-16; save the file as UTF-8"),
    ("score corpus/topcs.jsonl", "Did you mean 'corpus/topics.jsonl'?"),
    ("compare -", "-: no such file or folder. Standard input is not read here; name a file."),
    ("score binary | convert binary new", "binary: not recognised as any known format"),
    ("score binary --format table", "binary:1: expected UTF-8, found the byte 0x89"),
    ("score a.txt --format folder", "a.txt: expected a folder, found a file"),
    ("score corpus --format table", "corpus: expected a table, found a folder"),
    ("score --candidate binary --reference r1.txt", "binary:1: expected UTF-8, found"),
    ("score corpus/summaries.jsonl", "give the folder instead"),
    ("score broken", "broken/topics.jsonl:1: expected one JSON object a line"),
    # metrics
    ("score corpus -m coselction", "no metric is named 'coselction'. Did you mean 'coselection'?"),
    ("score corpus -m lcs(reference=best)", "lcs has no option 'reference'. Did you mean 'refer"),
    ("score corpus -m rouge1(stemm=true)",
     "rouge_n has no option 'stemm'. Did you mean 'stem'? Its options: alpha, length, "
     "references, text, n, stem, stop, lemma."),
    ("score corpus -m lcs.fsore", "lcs has no value 'fsore'; its values: length, recall"),
    ("score corpus -m unit_overlap(n=two)", "n must be a whole number, got 'two'"),
    ("score corpus -m unit_overlap(n=0)", "n must be 1 or more, got 0"),
    ("score corpus -m lcs(references=bets)", "must be one of mean, best, got 'bets'. Did you mean"),
    ("score corpus -m unit_overlap(", "cannot read 'unit_overlap('"),
    ("score corpus -m ''", "at least one metric is needed"),
    (f"score {ONE} -m coselection", "coselection needs the units of the candidate"),
    (f"score {ONE} -m compression", "the column 'source' of a table, or --source"),
    ("score broken.parquet | score broken.parquet -m rouge1",
     "broken.parquet: expected a Parquet file, found a broken one ("),
    ("score table.csv -m coselection", "which the table table.csv does not have"),
    # options
    ("score corpus --protocol peers", "'peers' is not one of 'no_models', 'all_peers'"),
    ("score corpus --on-error ignore", "'--on-error'"),
    ("score corpus --workers 0", "invalid value for '--workers': expected 1 or more, found 0;"),
    ("score corpus --workers two", "'--workers': expected a whole number, found 'two';"),
    ("score corpus --chunk 0", "invalid value for '--chunk': expected 1 or more, found 0;"),
    ("score corpus --format fodler", "no format is named 'fodler'. Did you mean 'folder'?"),
    ("score table.csv --columns candidate", "--columns: write role=NAME,role=NAME"),
    ("score table.csv --columns cand=x", "no column is called 'cand'. Did you mean 'candidate'?"),
    ("score table.csv --columns candidate=summary", "expected a column 'summary', found"),
    ("score table.csv --columns reference=gold", "names the column 'gold', which no row has"),
    ("score table.csv --columns id=a,id=b", "--columns: each role once, got 'id' more than once"),
    ("score corpus --columns id=x", "columns are those of a table, and this is of the format"),
    ("score corpus -o a.csv -o b.csv", "--output takes one value and is given more than once"),
    (f"score {ONE} --candidate s.txt", "--candidate takes one value and is given more than once"),
    ("score corpus --cache x --no-cache", "--cache keeps finished work and --no-cache keeps none"),
    ("score corpus lcs", "lcs: no such file or folder; a metric? -m lcs"),
    ("score corpus -m lcs rouge2 | compare corpus -m lcs rouge2 | correlate corpus -m lcs rouge2",
     "rouge2: no such file or folder; a metric? -m lcs,rouge2"),
    ("score wide.csv", "wide.csv: these are scores: summetry compare wide.csv"),
    ("score plain", "plain: not recognised as any known format; text files go into sources/"),
    ("score outer/bart", "not recognised as any known format; did you mean outer?"),
    ("score table.csv --hyp a.txt", "no such option: --hyp; one summary is --candidate FILE"),
    ("score table.csv --predictions a.txt", "one summary is --candidate FILE, files of outputs"),
    ("score table.csv --sep ;", "no such option: --sep; whether , ; or a tab separates cells is"),
    ("score table.csv --progress", "no such option: --progress; progress is shown by itself"),
    ("score a.txt --lines", "--lines; one summary per line: outputs.txt --references references"),
    ("compare corpus --margin 0.1", "a loss is tolerated by --fail-if-worse 0.005"),
    ("score corpus --format json", "--json prints JSON; a JSON file is read without --format"),
    ("summarize a.txt -n 2", "no such option: -n; say --length 2 or --length '100 words'"),
    ("summarize a.txt --sentences 2", "no such option: --sentences; say --length 2 or"),
    ("score corpus --sentences 2", "no such option: --sentences"),
    ("glossary", "no command is named 'glossary'. docs/glossary.md explains the words."),
    ("help frobnicate", "no command is named 'frobnicate'"),
    ("score corpus --metirc lcs", "perhaps --metric is meant"),
    ("graph a.txt --id 1", "no such option: --id; `summetry graph --help` tells more"),
    ("score tables.csv", "tables.csv: no such file or folder. Did you mean 'table.csv'?"),
    ("score tabs.csv",
     r"found one column 'candidate\treference'; its cells seem to be separated by tabs: give "
     "the file the ending .tsv"),
    ("score bars.csv", "its cells seem to be separated by '|': put commas between them"),
    ("score bare.csv.gz",
     "bare.csv.gz: expected a whole file that gzip packed, found one that is "
     "not packed; take .gz off its name"),
    ("score bare.csv.zst", "found one that is not packed; take .zst off its name"),
    ("score corpus -m", "option '-m' requires an argument"),
    # outputs
    ("score corpus -o scores.xlsx", "scores are written to files ending in .csv, .jsonl"),
    ("score corpus -o table.csv", "table.csv: exists already and holds no scores; --force"),
    ("score corpus -o wide.csv", "holds numbers that are not signed as Summetry's scores; --force"),
    ("score corpus -o notext", "notext: expected a file to write to, found a folder"),
    ("score corpus -o folder.csv", "folder.csv: expected a file to write to, found a folder"),
    ("score table.csv -o table.csv", "table.csv: would be written over what is read"),
    ("score --candidate page.html --reference page.html --plot page.html",
     "error: page.html: would be written over what is read; name another file\n"),
    ("score corpus -o corpus/topics.jsonl", "is no table of scores, and in what is read; name"),
    ("score corpus -o a.txt/s.csv", "a.txt: expected a folder, found a file"),
    ("rouge155 -a notext", "notext: expected a file, found a folder"),
    ("rouge155 -a no.xml", "no.xml: no such file or folder"),
    ("score corpus -o /proc/s.csv", "/proc/s.csv"),
    ("score corpus --cache a.txt", "a.txt: cannot keep finished work here"),
    # other commands
    ("explain corpus -m lcs", "one with --id (t01, t02, t03, t04, t05 and 4 more) and --system"),
    ("explain corpus -m lsc --id t01 --system lead | metrics lsc",
     "no metric is named 'lsc'. Did you mean 'lcs'?"),
    ("explain corpus -m lcs --id t1 --system lead", "no id is named 't1'"),
    (f"explain {ONE} -m retention", "retention needs the source"),
    ("convert corpus", "missing argument 'OUT'"),
    ("convert corpus new --to tables", "no format is named 'tables'. Did you mean 'table'?"),
    ("convert corpus new --from plane", "no format is named 'plane'. Did you mean 'plain'?"),
    ("convert corpus table.csv", "table.csv: exists already; --force writes over it"),
    ("convert corpus a.txt/new", "a.txt"),
    ("convert corpus -", "standard output (-) is not written to"),
    ("convert corpus new --splitter rulez", "no splitter is named 'rulez'. Did you mean 'rules'?"),
    ("convert corpus a.txt --force", "a.txt: expected a folder"),
    ("convert table.csv new --columns gold=x", "no column is called 'gold'"),
    ("where", "missing argument 'NAME'"),
    ("where lcss", "is named 'lcss'. Did you mean 'lcs'? `summetry metrics`, "),
    ("where lcs cosine", "got unexpected extra argument"),
    ("formats --jsn", "no such option: --jsn"),
    ("demo -o a.txt", "a.txt: expected a folder to write to, found a file"),
    ("demo -o /proc/tour", "/proc/tour"),
    ("frobnicate", "no command is named 'frobnicate'. `summetry --help` lists all."),
    ("--frobnicate", "no such option: --frobnicate"),
]  # fmt: skip
CASES = [(line, message) for lines, message in MISTAKES for line in lines.split(" | ")]


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


def files_of(folder):
    """All files with their sizes and times; what is behind a link is not looked at."""
    stats = {path: path.lstat() for path in sorted(folder.rglob("*"))}
    return {path: (stat.st_size, stat.st_mtime_ns) for path, stat in stats.items()}


@pytest.mark.parametrize(("line", "message"), CASES, ids=[line for line, _ in CASES])
def test_a_mistake_gives_one_line_and_leaves_nothing_behind(mess, line, message):
    before = files_of(mess)
    done = run_command(*["" if word == "''" else word for word in line.split()])
    assert_refused(done, 2, message)
    assert "Traceback" not in done.err and not done.err.startswith("error: [Errno")
    assert files_of(mess) == before


def test_a_shared_ending_makes_no_names_alike_and_many_problems_stay_on_one_line(mess):
    (mess / "mine.csv").write_text(TABLE)
    done = run_command("score", "nofile.csv")
    assert_refused(done, 2, "error: nofile.csv: no such file or folder\n")
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


def as_nobody(folder, *arguments):
    """A call in a child process that is held to the rights of files, which root is not.

    The child is a copy of this process that gives up its rights: it needs to read nothing but what
    the call reads, wherever Python and this package are installed.
    """
    folder.chmod(0o755)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if not child:
            _be_nobody(arguments, out.fileno(), err.fileno())
        _, status = os.waitpid(child, 0)
        for output in (out, err):
            output.seek(0)
        return os.waitstatus_to_exitcode(status), out.read().decode(), err.read().decode()


def _be_nobody(arguments, *outputs):
    """The child's part; it never comes back."""
    code = 1
    try:
        sys.stdout, sys.stderr = (os.fdopen(n, "w", encoding="utf-8") for n in outputs)
        if os.getuid() == 0:
            nobody = pwd.getpwnam("nobody")
            os.setgroups([])
            os.setgid(nobody.pw_gid)
            os.setuid(nobody.pw_uid)
        main(list(arguments))
    except SystemExit as stopped:
        code = stopped.code
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


@pytest.mark.parametrize("line", ["score table.csv", "score --candidate a.txt --reference r1.txt"])
def test_a_file_that_may_not_be_read_or_written_is_named(mess, line):
    # What is imported only when it is needed is imported now, with all rights.
    succeed(*shlex.split(line), "--no-cache", "-o", "s.csv")
    (mess / "notext").chmod(0o500 if os.getuid() else 0o555)
    message = "error: notext/s.csv: permission denied\n"
    assert as_nobody(mess, *line.split(), "--no-cache", "-o", "notext/s.csv") == (2, "", message)
    for name in ("table.csv", "a.txt"):
        (mess / name).chmod(0)
    code, out, err = as_nobody(mess, *line.split(), "--no-cache")
    assert (code, out) == (2, "")
    assert err in [f"error: {name}: permission denied\n" for name in ("table.csv", "a.txt")]
