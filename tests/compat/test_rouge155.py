"""The command in the script's place: whole runs byte for byte, options, files that are broken."""

import os
import subprocess
import sys
from pathlib import Path

import goldens
import pytest
from command_line import assert_refused, run_command
from format_checks import refusal
from hypothesis import given
from hypothesis import strategies as st

from summetry import load
from summetry.compat.rouge155 import lines, metrics_of, run
from summetry.compat.rouge155_options import Options, read_options, wants_help
from summetry.errors import SummetryWarning
from summetry.formats import FORMATS

RUNS = goldens.golden("rouge155_outputs.json")
GOLDEN = goldens.golden("rouge155.json")


def call(*arguments):
    return run_command("rouge155", *arguments)


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def evaluation(name, peers, models, kind="SPL"):
    """An EVAL whose files lie in the current folder."""
    listed = "".join(f'<P ID="{p}">{file}</P>\n' for p, file in peers.items())
    listed += "</PEERS>\n<MODELS>\n"
    listed += "".join(f'<M ID="{m}">{file}</M>\n' for m, file in models.items())
    return (
        f'<EVAL ID="{name}">\n<PEER-ROOT>.</PEER-ROOT>\n<MODEL-ROOT>.</MODEL-ROOT>\n'
        f'<INPUT-FORMAT TYPE="{kind}"/>\n<PEERS>\n{listed}</MODELS>\n</EVAL>\n'
    )


def write(folder, *evaluations, **texts):
    """A configuration and its texts, by the names of the files."""
    for name, content in texts.items():
        content = content if isinstance(content, bytes) else content.encode()
        (folder / name).write_bytes(content)
    text = "<ROUGE-EVAL>\n" + "".join(evaluations) + "</ROUGE-EVAL>\n"
    (folder / "settings.xml").write_text(text)


@pytest.fixture
def small(here):
    """Two evaluations of two systems; "late" has no summary in the second."""
    first = evaluation("1", {"lead": "a", "late": "b"}, {"A": "r"})
    texts = {"a": "the ferry hit the pier\n", "b": "a ship sank\n"}
    second = evaluation("2", {"lead": "b"}, {"A": "r"})
    write(here, first, second, **texts, r="the ferry struck the pier\n")
    return here


@pytest.mark.skipif(not RUNS, reason="no rouge155_outputs.json")
def test_golden_runs_are_printed_byte_for_byte(here, capsys):
    for name, content in RUNS["files"].items():
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        (here / name).write_bytes(content.encode())
    for wanted in RUNS["runs"]:
        done = call(*wanted["args"])
        assert done.out.splitlines() == wanted["stdout"].splitlines(), wanted["args"]
        assert done.out == wanted["stdout"], wanted["args"]
        assert done.code == wanted["exit"], wanted["args"]
    with capsys.disabled():
        print(f"\nrouge155_outputs: {len(RUNS['runs'])} golden cases run")


@pytest.mark.skipif(not GOLDEN, reason="no rouge155.json")
@pytest.mark.filterwarnings("ignore::summetry.errors.SummetryWarning")
def test_golden_system_averages_from_files_equal_the_script(here, capsys):
    tasks = {task["id"]: task for task in GOLDEN["tasks"]}
    listed = []
    for name in GOLDEN["system"]["task_ids_in_eval_order"]:
        texts = [tasks[name]["candidate"], *tasks[name]["references"]]
        files = [f"{name}.{number}" for number in range(len(texts))]
        for file, sentences in zip(files, texts, strict=True):
            Path(file).write_bytes("".join(f"{s}\n" for s in sentences).encode())
        listed.append(" ".join(files))
    Path("all.lst").write_text("\n".join(listed))
    compared = 0
    for kind, more in (("scores", []), ("scores_t1", ["-t", "1"])):
        for option, expected in GOLDEN["system"][kind].items():
            asked = ["-n", "4", "-w", "1.2", "-2", "4", "-U", *GOLDEN["options"][option].split()]
            for result in run(read_options(["-z", "SPL", *more, *asked, "all.lst"])):
                wanted = expected[f"rouge-{result.tag.lower()}"]
                for field, *found in zip("rpf", *result.average, strict=True):
                    found = [round(float(number), 5) for number in found]
                    printed = [wanted[field][part] for part in ("avg", "lo", "hi")]
                    assert found == printed, (kind, option, result.tag, field)
                    compared += 1
    assert compared
    with capsys.disabled():
        print(f"\nrouge155 system averages from files: {compared} golden cases run")


def test_the_process_prints_the_same_bytes(small):
    arguments = ["-n", "2", "-a", "-d", "settings.xml"]
    command = [sys.executable, "-m", "summetry", "rouge155", *arguments]
    done = subprocess.run(command, capture_output=True, timeout=300, env=os.environ)
    assert (done.returncode, done.stdout) == (0, call(*arguments).out.encode())
    assert done.stdout.endswith(b"\n") and b"\r" not in done.stdout


def test_full_confidence_and_one_sample_are_allowed(small):
    done = call("-n", "1", "-x", "-c", "100", "-r", "10", "settings.xml", "lead")
    assert "(100%-conf.int. 0.00000 - 0.80000)" in done.out
    assert call("-x", "-n", "1", "-r", "1", "settings.xml", "lead").code == 0


def test_who_is_missing_is_told_and_left_out_and_a_list_names_all_systems_x(small):
    done = call("-n", "1", "-x", "-d", "-a", "settings.xml")
    assert done.code == 0
    assert "Eval 1.late" in done.out and "Eval 2.late" not in done.out
    missing = "system 'late' has no summary in 1 of 2 evaluations (the first is '2')"
    assert done.err == f"note: {missing}; they are left out of its averages\n"
    # A list has one system, named X.
    (small / "all.lst").write_text("a r\nb r\n")
    unnamed = call("-a", "-z", "SPL", "all.lst").out
    assert unnamed.startswith("-" * 45 + "\nX ROUGE-L ")
    assert call("-z", "SPL", "all.lst", "lead").out == unnamed.replace("\nX ", "\nlead ")


def test_traps_of_the_texts_are_told(here):
    one = evaluation("1", {"x": "line", "y": "line"}, {"A": "line"})
    write(here, one, evaluation("2", {"x": "greek"}, {"A": "line"}), line="w " * 41, greek="Ναι.")
    done = call("-n", "2", "-w", "1.2", "settings.xml", "x")
    assert (done.code, done.err.splitlines()) == (0, [
        "note: the tokens are runs of a-z and 0-9: in some texts more than 5 % of the letters are "
        "dropped; rouge-1, or text=auto, reads every script (1 comparison)",
        "note: the summary or a reference is one long line, which counts as one sentence; L and W "
        "of summaries expect one sentence per line (2 comparisons)",
    ])  # fmt: skip


def test_a_configuration_without_peers_prints_nothing_and_says_so(here):
    write(here, evaluation("1", {}, {"A": "r"}), r="x\n")
    done = call("-n", "1", "-a", "settings.xml")
    note = "note: settings.xml: no evaluation has a P, so nothing is printed\n"
    assert (done.code, done.out, done.err) == (0, "", note)
    # A summary of somebody who was not asked for is not read.
    write(here, evaluation("1", {"x": "r", "y": "gone"}, {"A": "r"}), r="x\n")
    assert call("settings.xml", "x").code == 0


def test_an_unknown_system_has_zeros(small):
    zeros = "leed ROUGE-1 Average_{}: 0.00000 (95%-conf.int. 0.00000 - 0.00000)"
    note = "note: no evaluation has a summary of system 'leed', its values are 0. "
    for averaging in ("0", "1"):
        done = call("-n", "1", "-x", "-t", averaging, "settings.xml", "leed")
        assert (done.code, done.out.splitlines()[1:]) == (0, list(map(zeros.format, "RPF")))
        assert done.err == f"{note}Did you mean 'lead'?\n"


@pytest.mark.parametrize("option", [[], ["-f", "B"], ["-t", "1"], ["-t", "2"], ["-b", "9"]])
def test_an_empty_reference_does_not_end_the_run(here, option):
    listed = [("a", {"A": "empty", "B": "r"}), ("a", {"A": "empty"}), ("empty", {"A": "stop"})]
    evaluations = [evaluation(str(n), {"x": p}, models) for n, (p, models) in enumerate(listed, 1)]
    texts = {"a": "the ferry sank\n", "r": "a ferry sank\n", "empty": "", "stop": "the of and\n"}
    write(here, *evaluations, **texts)
    done = call("-n", "2", "-w", "1.2", "-2", "4", "-U", "-s", "-d", *option, "settings.xml", "x")
    assert (done.code, done.err) == (0, "")
    assert done.out.count("Eval 2.x") == 6 and "nan" not in done.out


@pytest.mark.filterwarnings("ignore:the tokens are runs of a-z")
def test_a_limit_counts_bytes(here):
    # Bytes that are no UTF-8 count one each: two, then a word, which is cut at 4. Letters of UTF-8
    # count all their bytes.
    for text, cut in ((b"\xe9\xe9 ab\n", 4), ("éé ab\n", 6)):
        write(here, evaluation("1", {"x": "a"}, {"A": "r"}), a=text, r="ab\n")
        for limit, precision in ((cut, 0.0), (cut + 1, 1.0)):
            (result,) = run(read_options(["-n", "1", "-xb", str(limit), "settings.xml", "x"]))
            assert result.evaluations[0].numbers[1] == precision


def test_files_beside_the_configuration_are_found_from_elsewhere(small, monkeypatch):
    inside = call("-a", "settings.xml").out
    (small / "elsewhere").mkdir()
    monkeypatch.chdir(small / "elsewhere")
    assert call("-a", "../settings.xml").out == inside
    # As in the script, the current folder comes first.
    for name in ("a", "b", "r"):
        Path(name).write_text("the same\n")
    found = call("-x", "-n", "1", "../settings.xml", "lead").out
    assert "Average_R: 1.00000" in found


def test_lines_of_details_are_sorted_by_leading_numbers(here):
    names = ["10", "9", "b", "2x", "a"]
    write(here, *(evaluation(n, {"x": "t"}, {"A": "t"}) for n in names), t="a b\n")
    (result,) = run(read_options(["-d", "settings.xml", "x"]))
    assert [e.id for e in result.evaluations] == ["2x.x", "9.x", "10.x", "a.x", "b.x"]


TAGS = {
    "": "L", "-x": "", "-n 3": "1 2 3 L", "-n 1 -x -w 1.20 -2 4": "1 W-1.20 S4",
    "-x -2 -1 -u": "SU*", "-x -2-1 -U": "S* SU*", "-x -2 0 -u -U": "SU0",
    "-x -2 -1 -U -u": "SU*", "-xn2": "1 2", "-n 1 -n 2 -x -x": "1 2",
}  # fmt: skip


def test_the_order_and_the_names_of_the_metrics():
    for options, tags in TAGS.items():
        metrics = metrics_of(read_options([*options.split(), "-a", "f"]))
        assert list(metrics) == tags.split(), options


def test_options_as_perl_reads_them():
    for typed, field, value in (
        ("-z isi -a f", "list_kind", "ISI"),
        ("-t 1 f s", "averaging", "counts"),
        ("-t 2.0 f s", "averaging", "totals"),
        ("-t 0 f s", "averaging", "scores"),
        ("-l 0 f s", "length", None),
        ("-b 0 f s", "length", None),
        ("-l 100 f s", "length", "100 words"),
        ("-b 665 f s", "length", "665 bytes"),
        ("-- f s", "system", "s"),
    ):
        assert getattr(read_options(typed.split()), field) == value, typed
    # Options of one letter stand together.
    options = read_options(["-ad", "-ms", "-n2", "-c", "90", "-r50", "-f", "B", "-p", "0", "f"])
    assert options == Options(
        Path("f"), None, None, True, True, True, True, n=2, confidence="90", samples=50,
        references="best", alpha=0.0,
    )  # fmt: skip
    assert wants_help(["-a", "-h"]) and not wants_help(["-e", "-h", "f"])


def test_what_is_ignored_is_told(small):
    plain = call("-a", "settings.xml")
    done = call("-e", "/data/share", "-f", "C", "-t", "3", "-u", "-a", "settings.xml")
    assert done.out == plain.out
    assert done.err.splitlines()[:4] == [
        "note: -e: ignored, the word lists are part of Summetry",
        "note: -f C: counts as -f A, as everything but B does",
        "note: -t 3: counts as -t 0, as everything but 1 and 2 does",
        "note: -u and -U: ignored without -2",
    ]
    assert call("-e/share", "-a", "settings.xml").out == plain.out
    with pytest.warns(SummetryWarning, match="-e: ignored"):
        read_options(["-e", "x", "-a", "settings.xml"])


WRONG_CALLS = """
-y -a f|-ay f|--all f|-3 HM -a f|-M -a f|-v -a f|-H -a f|-n|-n 2.7 -a f|-n two -a f|-n -m -a f
-n 1001 -a f|-2 1.5 -a f|-l -1 -a f|-l 5 -b 5 -a f|-r 0 -a f|-c 100.5 -a f|-c nan -a f|-p 1.1 -a f
-w 0 -a f|-w inf -a f|-z SIMPLE f|-a|-z SPL|f|f -a|f s t
"""


def test_a_wrong_call_is_told_in_one_line(refused):
    cases = WRONG_CALLS.strip().replace("\n", "|").split("|")
    refused(lambda typed: read_options(typed.split()), cases)
    assert refusal(read_options, ["-2", "9" * 5000, "-a", "f"]).startswith("-2: expected a whole")
    assert_refused(call("-y", "-a", "f"), 2, "error: no option is '-y'; `summetry rouge155 -h`")


def test_a_broken_configuration_is_named(here):
    """Each kind of it is tried in tests/formats."""
    write(here, evaluation("1", {"x": "gone"}, {"A": "r"}), r="x\n")
    words = "error: settings.xml:7: expected the summary ./gone, found no such file; relative names"
    assert_refused(call("-a", "settings.xml"), 2, words)
    write(here, evaluation("1", {"x": "r"}, {}), r="x\n")
    words = "error: settings.xml:2: expected models in EVAL 1, found none"
    assert_refused(call("-a", "settings.xml"), 2, words)
    # Missing files name themselves.
    assert_refused(call("-a", "none.xml"), 2, "error: none.xml: no such file or folder")
    (here / "all.lst").write_text("p m\n")
    words = "error: all.lst:1: expected the summary m, found no such file"
    assert_refused(call("-z", "SPL", "all.lst"), 2, words)


@pytest.mark.parametrize("averaging", ["0", "1", "2"])
def test_json_holds_the_same_numbers(small, averaging):
    arguments = ["-n", "1", "-x", "-d", "-t", averaging, "settings.xml", "lead"]
    (result,) = call("--json", *arguments).json
    assert (result["system"], result["metric"]) == ("lead", "ROUGE-1")
    scores, counts = {"recall": 0.8, "precision": 0.8, "f": 0.8}, {"reference": 5, "candidate": 5}
    numbers = scores if averaging == "0" else {**counts, "hits": 4}
    assert list(result["evaluations"][0].items()) == [("id", "1.lead"), *numbers.items()]
    if averaging == "2":
        assert [result[name] for name in numbers] == [10, 8, 4]
    else:
        printed = call(*arguments).out.splitlines()[1]
        assert f"Average_R: {result['recall']['average']:.5f}" in printed


def test_the_help_lists_the_options_of_the_script():
    done = call("-h")
    assert done.code == 0 and done == call("--help")
    for letter in "abcdeflmnprstuUwxz2":
        assert f"  -{letter} " in done.out
    assert done.out.rstrip().endswith("-f A -a settings.xml")


words = st.lists(st.sampled_from(["a", "b", "ferry", "-", "It's", "é", " "]), max_size=6)
texts = st.lists(words.map(" ".join), min_size=0, max_size=3)


@given(texts, st.lists(texts, min_size=1, max_size=3), st.sampled_from(["SPL", "SEE"]))
@pytest.mark.filterwarnings("ignore:the tokens are runs of a-z")
def test_a_written_corpus_scores_as_its_sentences_do(tmp_path_factory, peer, models, kind):
    """What the format writes, the command reads; in SPL and SEE alike."""
    folder = tmp_path_factory.mktemp("run")
    spelt = ["".join(f"{s}\n" for s in text) for text in (peer, *models)]
    names = [f"text{number}" for number in range(len(spelt))]
    ours = {name: name for name in names[1:]}
    write(folder, evaluation("1", {"x": names[0]}, ours), **dict(zip(names, spelt, strict=True)))
    FORMATS.build(f"rouge_xml(texts={kind})").write(load(folder), folder / "written")
    arguments = ["-n", "2", "-w", "1.2", "-2", "4", "-U", "-d", "-r", "5", "-a"]
    printed = []
    for path in (folder, folder / "written"):
        options = read_options([*arguments, str(path / "settings.xml")])
        printed.append(list(lines(run(options), options)))
    assert printed[0] == printed[1]
