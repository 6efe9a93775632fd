"""``summetry convert``: between all formats, and what gets lost."""

import shutil

import pytest
from command_line import assert_refused, run_command, succeed

import summetry
from summetry.records.corpus import KINDS

# The formats that hold whole corpora, each with a target.
OURS = {"folder": "c", "plain": "c", "table": "c.jsonl"}
TABLES = ["c.jsonl", "c.csv", "c.tsv", "c.parquet"]


@pytest.fixture
def bare(here):
    """A corpus that every format can hold, but for its language."""
    texts = {
        "peers/lead": "A ferry, {}.",
        "models/reference 1": 'A "ship"\n\tsank.',
        "sources": "The {} sank.",
    }
    for folder, text in texts.items():
        (here / "bare" / folder).mkdir(parents=True)
        for topic in ("t1", "t2"):
            (here / "bare" / folder / f"{topic}.txt").write_text(text.format(topic))
    return here / "bare"


def records(path):
    """What a corpus says, without the order of its summaries."""
    corpus = summetry.load(path)
    records = {kind: getattr(corpus, kind) for kind in KINDS}
    texts = {(s.topic, s.author, s.role): corpus.text_of(s) for s in corpus.summaries}
    return records | {"summaries": texts}


@pytest.mark.parametrize("first", OURS)
@pytest.mark.parametrize("second", OURS)
def test_a_corpus_survives_any_two_steps(bare, here, first, second):
    one, two = here / f"1{OURS[first]}", here / f"2{OURS[second]}"
    done = succeed("convert", bare, one, "--to", first)
    assert done.words == f"read 2 topics, 4 summaries; wrote {one}"
    succeed("convert", one, two, "--to", second)
    assert records(two) == records(bare)


@pytest.mark.parametrize("name", [*TABLES, "new", "new/deep/out.csv"])
def test_the_ending_makes_a_table_and_an_empty_folder_may_be_filled(bare, here, name):
    (here / "new").mkdir()
    assert succeed("convert", bare, here / name).err == ""
    succeed("convert", here / name, here / "back")
    assert records(here / "back") == records(bare)


def test_the_native_folder_is_the_same_byte_for_byte(demo, demo_folder, here):
    done = succeed("convert", demo_folder, here / "copy")
    assert done.out.startswith("read 9 topics, 81 summaries, 45 extracts, ")
    assert done.err == ""
    succeed("convert", "copy", "second")
    files = sorted(path.name for path in demo_folder.glob("*.json*"))
    for folder in ("copy", "second"):
        assert sorted(path.name for path in (here / folder).iterdir()) == files
    for name in files:
        assert (here / "copy" / name).read_bytes() == (here / "second" / name).read_bytes()
    assert summetry.load(here / "second") == demo


@pytest.mark.parametrize("target", ["out.csv", "texts"])
def test_what_the_target_cannot_hold_is_told(demo_folder, here, target):
    done = succeed("convert", demo_folder, target, *([] if "." in target else ["--to", "plain"]))
    (note,) = done.err.splitlines()
    assert note.startswith(f"note: {target}: the format ")
    for lost in ("the language of the corpus", "45 extracts", "9 pyramids", "18 utilities"):
        assert lost in note
    assert note.endswith("; that was not written")


def test_what_is_there_is_not_written_over_unless_told(bare, here):
    (here / "out.jsonl").write_text("precious")
    refused = run_command("convert", bare, "out.jsonl")
    assert_refused(refused, 2, "error: out.jsonl: exists already; --force writes over it\n")
    assert (here / "out.jsonl").read_text() == "precious"
    succeed("convert", bare, "out.jsonl", "--force")
    assert records(here / "out.jsonl") == records(bare)


@pytest.mark.parametrize("target", ["folder", "plain", "scu_xml", "ducview", "mead"])
def test_a_file_is_no_folder(bare, here, target):
    (here / "file").write_text("precious")
    done = run_command("convert", bare, "file", "--to", target, "--force")
    assert_refused(done, 2, "expected a folder to write to")
    assert (here / "file").read_text() == "precious"


def test_columns_and_language_are_passed_on(here):
    (here / "t.csv").write_text("summary,gold,silver\na,b,c\n")
    columns = "candidate=summary,reference=gold+silver"
    done = succeed("convert", "t.csv", "c", "--columns", columns, "--language", "sv")
    assert done.out == "read 1 topic, 3 summaries; wrote c\n"
    corpus = summetry.load(here / "c")
    assert (corpus.language, [s.text for s in corpus.summaries]) == ("sv", ["b", "c", "a"])


def test_json_says_what_was_read_skipped_and_written(demo_folder, here):
    shutil.copytree(demo_folder, here / "in")
    with (here / "in" / "topics.jsonl").open("a") as file:
        file.write("rubbish\n")
    done = succeed("convert", "in", "out", "--json", "--on-error", "skip")
    assert done.json["read"]["topics"] == 9 and done.json["wrote"] == "out"
    (problem,) = done.json["skipped"]
    assert problem.startswith("in/topics.jsonl:10: expected one JSON object a line")
    assert done.err == f"skipped: {problem}\n"


def test_texts_that_are_cut_into_sentences_are_named(here):
    (here / "t.csv").write_text("candidate,source\nIt sank.,One ferry sank. Two men fell.\n")
    for name in ("folder", "mead", "scu_xml"):
        done = succeed("convert", "t.csv", f"in-{name}", "--language", "en", "--to", name)
        assert done.err.endswith(
            "note: the text of 1 topic was cut into 2 sentences by the splitter 'rules'; "
            "--splitter names another\n"
        )
    assert succeed("convert", "in-folder", "again").err == "", "the units are given now"
    (here / "one.csv").write_text("candidate,source\nIt sank.,One ferry sank.\n")
    assert succeed("convert", "one.csv", "d").err == "", "nothing was cut"


def test_summaries_on_one_line_become_lines_of_rouge_xml_with_a_note(here):
    (here / "t.csv").write_text("candidate,reference\nIt sank. All lived.,A ferry sank.\n")
    done = succeed("convert", "t.csv", "run", "--to", "rouge_xml")
    assert done.err == (
        "note: run: 1 summary on one line was cut into sentences; "
        "ROUGE-L and ROUGE-W depend on where they end\n"
    )
    assert succeed("convert", "run", "again", "--to", "rouge_xml").err == ""
