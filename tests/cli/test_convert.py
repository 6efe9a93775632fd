"""``summetry convert``: between all formats, and what gets lost; tests/formats has the formats."""

import shutil

import pytest
from command_line import succeed

import summetry
from summetry.records.corpus import KINDS


@pytest.fixture
def bare(here):
    """A corpus that every format can hold, but for its language."""
    texts = {"peers/lead": "A ferry.", "models/reference 1": 'A "ship"\n\tsank.', "sources": "It."}
    for folder, text in texts.items():
        (here / "bare" / folder).mkdir(parents=True)
        for topic in ("t1", "t2"):
            (here / "bare" / folder / f"{topic}.txt").write_text(f"{topic} {text}")
    return here / "bare"


def records(path):
    """What a corpus says, without the order of its summaries."""
    corpus = summetry.load(path)
    records = {kind: getattr(corpus, kind) for kind in KINDS}
    texts = {(s.topic, s.author, s.role): corpus.text_of(s) for s in corpus.summaries}
    return records | {"summaries": texts}


def test_a_corpus_survives_its_way_through_formats(bare, here):
    """An ending makes a table, --to names a format, and an empty folder may be filled."""
    (here / "new").mkdir()
    path = bare
    for name, *to in (
        ("new",), ("c.jsonl",), ("plain", "--to", "plain"), ("c.csv",), ("c.tsv", "--to", "table"),
        ("again", "--to", "folder"), ("c.parquet",), ("new/deep/out.csv",), ("last",),
    ):  # fmt: skip
        done = succeed("convert", path, here / name, *to)
        assert done.words == f"read 2 topics, 4 summaries; wrote {here / name}" and done.err == ""
        path = here / name
        assert records(path) == records(bare), name


def test_the_native_folder_is_the_same_byte_for_byte(demo, demo_folder, here):
    succeed("convert", demo_folder, here / "copy")
    succeed("convert", "copy", "second")
    files = sorted(path.name for path in demo_folder.glob("*.json*"))
    for name in files:
        assert (here / "copy" / name).read_bytes() == (here / "second" / name).read_bytes()
    assert sorted(path.name for path in (here / "copy").iterdir()) == files
    assert summetry.load(here / "second") == demo


def test_what_is_told(demo_folder, here, shows):
    (here / "demo").symlink_to(demo_folder)
    (here / "t.csv").write_text("summary,gold,silver\na,b,c\n")
    (here / "s.csv").write_text("candidate,source\nIt sank.,One ferry sank. Two men fell.\n")
    (here / "one.csv").write_text("candidate,source\nIt sank.,One ferry sank.\n")
    (here / "r.csv").write_text("candidate,reference\nIt sank. All lived.,A ferry sank.\n")
    shutil.copytree(demo_folder, here / "broken")
    with (here / "broken" / "topics.jsonl").open("a") as file:
        file.write("rubbish\n")
    shows(
        "convert demo out.csv",
        "convert demo texts --to plain",
        "convert t.csv c --columns candidate=summary,reference=gold+silver --language sv",
        "convert s.csv cut --language en",
        "convert s.csv lines --language en --splitter lines --to mead",
        "convert s.csv in-mead --language en --to mead",
        "convert cut again",
        "convert one.csv d",
        "convert r.csv run --to rouge_xml",
        "convert broken mended --on-error skip --json",
    )
    corpus = summetry.load(here / "c")
    assert (corpus.language, [s.text for s in corpus.summaries]) == ("sv", ["b", "c", "a"])


def test_what_is_there_is_not_written_over_unless_told(bare, here, refuses):
    for name in ("out.jsonl", "file"):
        (here / name).write_text("precious")
    refuses("""
        convert bare out.jsonl
        convert bare file --to folder --force
        convert bare file --to mead --force
        convert bare
        convert bare -
        convert bare new --to tables
        convert bare new --from plane
        convert bare new --splitter rulez
        convert out.jsonl new --columns gold=x
    """)
    succeed("convert", bare, "out.jsonl", "--force")
    assert records(here / "out.jsonl") == records(bare)
