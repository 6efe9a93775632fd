"""``summetry convert``: between all formats, and what gets lost."""

import shutil

import pytest

import summetry
from summetry.records.corpus import KINDS

# The formats that hold whole corpora, each with a target.
OURS = {"folder": "c", "plain": "c", "table": "c.jsonl"}
TABLES = ["c.jsonl", "c.csv", "c.tsv", "c.parquet"]


@pytest.fixture
def bare(here):
    """A corpus that every format can hold, but for its language."""
    (here / "bare" / "peers" / "lead").mkdir(parents=True)
    (here / "bare" / "models" / "reference 1").mkdir(parents=True)
    (here / "bare" / "sources").mkdir()
    for topic in ("t1", "t2"):
        (here / "bare" / "peers" / "lead" / f"{topic}.txt").write_text(f"A ferry, {topic}.")
        (here / "bare" / "models" / "reference 1" / f"{topic}.txt").write_text('A "ship"\n\tsank.')
        (here / "bare" / "sources" / f"{topic}.txt").write_text(f"The {topic} sank.")
    return here / "bare"


def records(path):
    """What a corpus says, without the order of its summaries."""
    corpus = summetry.load(path)
    found = {kind: getattr(corpus, kind) for kind in KINDS}
    texts = {(s.topic, s.author, s.role): corpus.text_of(s) for s in corpus.summaries}
    return found | {"summaries": texts}


@pytest.mark.parametrize("first", OURS)
@pytest.mark.parametrize("second", OURS)
def test_a_corpus_survives_any_two_steps(scored, bare, here, first, second):
    one, two = here / f"1{OURS[first]}", here / f"2{OURS[second]}"
    done = scored("convert", bare, one, "--to", first)
    assert done.words == f"read 2 topics, 4 summaries; wrote {one}"
    scored("convert", one, two, "--to", second)
    assert records(two) == records(bare)


@pytest.mark.parametrize("name", TABLES)
def test_the_ending_makes_a_table(scored, bare, here, name):
    done = scored("convert", bare, here / name)
    assert done.err == ""
    scored("convert", here / name, here / "back")
    assert records(here / "back") == records(bare)


def test_the_native_folder_is_the_same_byte_for_byte(scored, demo, demo_folder, here):
    done = scored("convert", demo_folder, here / "copy")
    assert done.out.startswith("read 9 topics, 81 summaries, 45 extracts, ")
    assert done.err == ""
    scored("convert", "copy", "second")
    files = sorted(path.name for path in demo_folder.glob("*.json*"))
    for folder in ("copy", "second"):
        assert sorted(path.name for path in (here / folder).iterdir()) == files
    for name in files:
        assert (here / "copy" / name).read_bytes() == (here / "second" / name).read_bytes()
    assert summetry.load(here / "second") == demo


@pytest.mark.parametrize("target", ["out.csv", "texts"])
def test_what_the_target_cannot_hold_is_told(scored, demo_folder, here, target):
    done = scored("convert", demo_folder, target, *([] if "." in target else ["--to", "plain"]))
    (note,) = done.err.splitlines()
    assert note.startswith(f"note: {target}: the format ")
    for lost in ("the language of the corpus", "45 extracts", "9 pyramids", "18 utilities"):
        assert lost in note
    assert note.endswith("; that was not written")


def test_what_is_there_is_not_written_over_unless_told(call, scored, bare, here):
    (here / "out.jsonl").write_text("precious")
    refused = call("convert", bare, "out.jsonl")
    assert (refused.code, refused.out) == (2, "")
    assert refused.err == "error: out.jsonl: exists already; --force writes over it\n"
    assert (here / "out.jsonl").read_text() == "precious"
    scored("convert", bare, "out.jsonl", "--force")
    assert records(here / "out.jsonl") == records(bare)


def test_an_empty_folder_may_be_filled(scored, bare, here):
    (here / "new").mkdir()
    scored("convert", bare, "new")
    assert records(here / "new") == records(bare)


def test_a_folder_is_made_for_a_table(scored, bare, here):
    scored("convert", bare, "new/deep/out.csv")
    assert records(here / "new" / "deep" / "out.csv") == records(bare)


@pytest.mark.parametrize("target", ["folder", "plain", "scu_xml", "ducview", "mead"])
def test_a_file_is_no_folder(call, bare, here, target):
    (here / "file").write_text("precious")
    done = call("convert", bare, "file", "--to", target, "--force")
    assert (done.code, done.out) == (2, "")
    assert (here / "file").read_text() == "precious"
    assert "expected a folder to write to" in done.err


def test_one_of_a_kind_is_not_many(scored, here):
    (here / "t.csv").write_text("candidate\nIt sank.\n")
    assert scored("convert", "t.csv", "c").out == "read 1 topic, 1 summary; wrote c\n"


def test_json_says_what_was_read_skipped_and_written(scored, demo_folder, here):
    shutil.copytree(demo_folder, here / "in")
    with (here / "in" / "topics.jsonl").open("a") as file:
        file.write("rubbish\n")
    done = scored("convert", "in", "out", "--json", "--on-error", "skip")
    assert done.json["read"]["topics"] == 9 and done.json["wrote"] == "out"
    (problem,) = done.json["skipped"]
    assert problem.startswith("in/topics.jsonl:10: expected one JSON object a line")
    assert done.err == f"skipped: {problem}\n"


def test_columns_and_language_are_passed_on(scored, here):
    (here / "t.csv").write_text("summary,gold,silver\na,b,c\n")
    columns = "candidate=summary,reference=gold+silver"
    scored("convert", "t.csv", "c", "--columns", columns, "--language", "sv")
    corpus = summetry.load(here / "c")
    assert corpus.language == "sv"
    assert [s.text for s in corpus.summaries] == ["b", "c", "a"]


def test_texts_that_are_cut_into_sentences_are_named(scored, here):
    (here / "t.csv").write_text("candidate,source\nIt sank.,One ferry sank. Two men fell.\n")
    done = scored("convert", "t.csv", "c", "--language", "en")
    assert done.err == (
        "note: the text of 1 topic was cut into 2 sentences by the splitter 'rules'; "
        "--splitter names another\n"
    )
    assert scored("convert", "c", "again").err == "", "the units are given now"
    (here / "one.csv").write_text("candidate,source\nIt sank.,One ferry sank.\n")
    assert scored("convert", "one.csv", "d").err == "", "nothing was cut"


def test_summaries_on_one_line_become_lines_of_rouge_xml_with_a_note(scored, here):
    (here / "t.csv").write_text("candidate,reference\nIt sank. All lived.,A ferry sank.\n")
    done = scored("convert", "t.csv", "run", "--to", "rouge_xml")
    assert done.err == (
        "note: run: 1 summary on one line was cut into sentences; "
        "ROUGE-L and ROUGE-W depend on where they end\n"
    )
    assert scored("convert", "run", "again", "--to", "rouge_xml").err == ""
