"""Text files in folders, and the prose of Markdown documents."""

import os
import shutil
import sys
from pathlib import Path

import pytest
from format_checks import assert_says, noted, refusal
from hypothesis import given
from hypothesis import strategies as st

from summetry import load
from summetry.errors import SummetryError
from summetry.formats import recognise
from summetry.formats.folder import Folder
from summetry.formats.markdown import note_of, read_prose
from summetry.formats.plain import FOLDERS, Plain, read_directories
from summetry.formats.texts import read_text
from summetry.records.corpus import Corpus
from summetry.records.summaries import Extract, Summary
from summetry.records.topics import Document, Topic, with_units
from summetry.references.agreement import agreement
from summetry.references.majority import Voters


@pytest.fixture
def texts(write):
    """Writes files by name; the folder they are in."""

    def make(files):
        for name, content in files.items():
            write(f"corpus/{name}", content)
        return Path("corpus")

    return make


def lines(corpus):
    """Each summary in a line."""
    return [f"{s.topic} {s.author} {s.role}: {s.text}" for s in corpus.summaries]


SOURCE = {"sources/t1.txt": "One. Two."}
BY_NAME = {"models/t1.anna.txt": "m", "peers/t1.lead.txt": "p", "peers/t1.x.lead.txt": "q"}
BY_AUTHOR = {"models/anna/t1.txt": "m", "peers/lead/t1.txt": "p", "peers/lead/t1.x.txt": "q"}


@pytest.mark.parametrize("files", [BY_NAME, BY_AUTHOR])
def test_both_layouts_are_read_alike(texts, files):
    path = texts(SOURCE | files)
    assert recognise(path).name == "plain"
    corpus = load(path, language="en")
    topic = with_units(Topic("t1", documents=(Document("t1", text="One. Two."),)), "en")
    assert corpus.topics == (topic, Topic("t1.x"))
    assert corpus.summaries == (
        Summary("t1", "anna", "reference", text="m"),
        Summary("t1", "lead", "candidate", text="p"),
        Summary("t1.x", "lead", "candidate", text="q"),
    )


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_name_of_a_folder_is_understood(texts, folder):
    source = {"sources/t.txt": "x"} if FOLDERS[folder] == "extract" else {}
    corpus = load(texts({f"{folder}/t.a.txt": "x", **source}))
    if FOLDERS[folder] == "extract":
        assert corpus.extracts == (Extract("t", "a", (0,)),)
    elif FOLDERS[folder] == "source":
        assert corpus.topics[0].units == ("x",)
    else:
        assert corpus.summaries == (Summary("t", "a", FOLDERS[folder], text="x"),)


def test_hidden_files_and_other_endings_are_left_out(texts):
    hidden = {"peers/.hid.a.txt": "x", "peers/.b/t.txt": ""}
    path = texts({"peers/t.a.txt": "x", "peers/n.md": ""} | hidden)
    assert lines(load(path)) == ["t a candidate: x"]
    # A byte order mark and CRLF are not part of a text.
    path = texts({"a.txt": b"\xef\xbb\xbfOne\r\ntwo\r\n"}) / "a.txt"
    assert read_text(path) == "One\ntwo\n"


TEXT = "One line with Dr. Ek. And more.\nThe second line"


@pytest.mark.parametrize(("splitter", "units"), [
    ({}, ("One line with Dr. Ek.", "And more.", "The second line")),
    ({"splitter": "lines"}, tuple(TEXT.split("\n"))),
])  # fmt: skip
def test_a_single_file_is_a_topic_that_the_named_splitter_cuts(texts, splitter, units):
    path = texts({"story.txt": TEXT}) / "story.txt"
    corpus = load(path, language="en", **splitter)
    assert corpus.name == "story"
    assert (corpus.topics[0].units, corpus.summaries) == (units, ())
    assert "'line'. Did you mean 'lines'" in refusal(load, path, splitter="line")


UNFIT = [
    {"peers/t.a.txt": b"one\ntwo \xe9 three\n"},
    {"peers/lead.txt": "x"},
    {"peers/a/b/t.txt": "x"},
    {"peers/t.a.txt": "x", "peers/a/t.txt": "y"},
    {"sources/a/t.txt": "x", "sources/b/t.txt": "y"},
    {"extracts/ann/t1.txt": "One.", "sources/t2.txt": "One."},
]  # fmt: skip


@pytest.mark.filterwarnings("ignore:.*no topics")
def test_a_file_that_does_not_fit_is_named_or_left_out(texts, refused):
    def read(files):
        shutil.rmtree("corpus", ignore_errors=True)
        path = texts(files)
        skipped = load(path, on_error="skip")
        assert (skipped.problems, skipped.extracts) == ((refusal(load, path),), ())
        load(path)

    refused(read, UNFIT)


def test_bad_files_are_left_out_with_what_belongs_to_them(texts):
    good = dict.fromkeys(["sources/good", "peers/good.a", "peers/bad.a", "peers/nobody"], "x")
    files = good | dict.fromkeys(["sources/bad", "peers/good.b"], b"\xff")
    corpus = load(texts({f"{name}.txt": files[name] for name in files}), on_error="skip")
    assert [topic.id for topic in corpus.topics] == ["good"]
    assert lines(corpus) == ["good a candidate: x"]
    problems = [problem.removeprefix("corpus/").split(".txt:")[0] for problem in corpus.problems]
    assert problems == ["sources/bad", "peers/good.b", "peers/nobody", "peers/bad.a"]


def test_folders_are_matched_by_file_name(texts):
    files = {"sys/t1": "p1", "sys/t2": "p2", "r1/t1": "m", "r2/t1": "n", "src/t2": "S"}
    path = texts({f"{name}.txt": text for name, text in files.items()})
    corpus = read_directories(path / "sys", [path / "r1", path / "r2"], path / "src")
    assert corpus.name == "sys"
    assert [topic.units for topic in corpus.topics] == [(), ("S",)]
    assert lines(corpus) == [
        "t1 sys candidate: p1", "t2 sys candidate: p2",
        "t1 corpus/r1 reference: m", "t1 corpus/r2 reference: n",
    ]  # fmt: skip


@pytest.mark.parametrize(("files", "message"), [
    ({"sys/readme.md": ""}, "corpus/sys: expected text files (*.txt), found none"),
    ({"sys/topic1.txt": "", "ref/topic2.txt": ""},
     "corpus/ref/topic2.txt: expected a candidate of this name in corpus/sys, found none; "
     "Did you mean 'topic1.txt'?"),
])  # fmt: skip
def test_folders_that_do_not_match_are_refused(texts, files, message):
    path = texts(files)
    assert refusal(read_directories, path / "sys", [path / "ref"], None) == message


# A byte order mark and CRLF are not part of a text, see above; a zero byte is refused.
letters = st.characters(codec="utf-8", exclude_characters="\0")
contents = st.text(letters, max_size=20).filter(
    lambda text: "\r\n" not in text and not text.startswith("\ufeff")
)


@given(st.lists(st.tuples(contents, contents, contents), min_size=1, max_size=3))
def test_a_corpus_goes_through_text_files_and_back(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("plain") / "corpus"
    topics, candidates, references = [], [], []
    for number, (source, candidate, reference) in enumerate(rows):
        name = f"t.{number}"
        topics.append(with_units(Topic(name, documents=(Document(name, text=source),))))
        references.append(Summary(name, "m. 1", "reference", text=reference))
        candidates.append(Summary(name, "lead.er", "candidate", text=candidate))
    corpus = Corpus(name="corpus", topics=tuple(topics), summaries=(*references, *candidates))
    Plain().write(corpus, path)
    assert {folder.name for folder in path.iterdir()} == {"sources", "references", "candidates"}
    assert load(path) == corpus


def test_units_without_a_text_are_written_as_a_text(tmp_path):
    corpus = Corpus(topics=(Topic("t", documents=(Document("d", units=("A.",)),)),))
    noted(Plain().write, corpus, tmp_path)
    assert (tmp_path / "sources" / "t.txt").read_text() == "A."


LEFT = {"references/t.txt": "r", "candidates/lead/t.txt": "c", "old/t.txt": "x"}
OF_SYSTEMS = {
    "sources and two systems": {"articles/d.1.txt": "One. Two.", "gold/d.1.txt": "g",
                                "bart/d.1.txt": "b", "t5/d.1.txt": "t"},
    "a system": {"references/t.ann.txt": "a", "references/t.bo.txt": "b", "lead/t.txt": "c"},
    **{name: {f"{name}/t.txt": "r", "candidates/lead/t.txt": "c"}
       for name in ("refs", "gold", "targets")},
    "one that is not read": LEFT,
    "three that are not read": LEFT | {"other/u.txt": "x", "odd/v.txt": "x"},
}  # fmt: skip


@pytest.mark.parametrize("case", OF_SYSTEMS)
def test_a_folder_for_each_system_is_recognised_and_said(texts, case, snapshot):
    path = texts(OF_SYSTEMS[case])
    assert recognise(path).name == "plain"
    corpus, notes = noted(load, path)
    assert "\n".join(notes + lines(corpus)) == snapshot


@pytest.mark.parametrize("folders", [["gold", "articles"], ["outputs"]])
def test_other_names_of_folders_are_understood_only_if_there_is_something_to_compare(
    texts, folders
):
    path = texts({f"{folder}/t.txt": "One." for folder in folders})
    with pytest.raises(SummetryError, match="not recognised as any known format"):
        load(path)


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are bytes on Linux")
def test_a_file_whose_name_is_no_text_is_refused(texts):
    path = texts({"references/t.ann.txt": "r", "candidates/t.lead.txt": "c"})
    odd = os.fsencode(path / "candidates") + b"/\xfft.lead.txt"
    Path(os.fsdecode(odd)).write_text("c")
    assert_says(refusal(load, path), "expected a name in UTF-8, found ' ... udcfft'; rename it")
    assert [topic.id for topic in load(path, on_error="skip").topics] == ["t"]


def test_a_single_reference_needs_no_author_but_folders_a_name_in_common(texts):
    path = texts({"sources/t.1.txt": "s", "references/t.1.txt": "r", "candidates/t.1.txt": "c"})
    assert lines(load(path)) == ["t.1 reference reference: r", "t.1 candidate candidate: c"]
    texts({"other/gold/a.txt": "g", "other/bart/b.txt": "b"})
    assert refusal(load, path / "other") == (
        "corpus/other: not recognised as any known format; text files go into sources/, "
        "references/ and a folder for each system, one file per topic, with the same name in all: "
        "sources/t1.txt references/t1.txt bart/t1.txt"
    )


FERRY = "The ferry sank. Nobody was hurt, they said. It was Monday. No."


@pytest.mark.parametrize("name", ["ann/t1.txt", "t1.ann.txt"])
def test_extracts_as_text_become_units_of_the_source(texts, name):
    """How sentences are found is tried in tests/text/test_alignment.py."""
    text = "The  ferry\nsank! it was MONDAY. A storm came."
    path = texts({"sources/t1.txt": FERRY, f"extracts/{name}": text})
    corpus, (note,) = noted(load, path)
    assert corpus.extracts == (Extract("t1", "ann", (0, 2)),)
    assert "1 of 3 sentences of extracts not found in the source: 'A storm came' of" in note
    assert note.endswith(". Found: 1 exactly, 1 after normalising, 0 by best match")


def test_an_extract_of_which_nothing_is_found_is_not_one_that_chose_nothing(texts):
    said = {
        "ann": "Nobody was hurt, he said.\nit was MONDAY.\nNo.",
        "ben": "A storm came.",
        "cy": "",
    }
    files = {f"extracts/{name}/t1.txt": text for name, text in said.items()}
    path = texts({"sources/t1.txt": FERRY} | files)
    corpus, (note,) = noted(load, path)
    assert {extract.informant: extract.units for extract in corpus.extracts} == {
        "ann": (1, 2, 3), "cy": ()
    }  # fmt: skip
    expected = (
        "1 of 4 sentences of extracts not found in the source: 'A storm came' of ... ben/t1.txt. "
        "Found: 1 exactly, 1 after normalising, 1 by best match: 'Nobody was hurt, he said' of ... "
        "Nothing of it was found, so 1 extract is left out: ben (t1)"
    )
    assert_says(note, expected)
    # The same when it has been written and read, and whole extracts alone when it is asked for.
    Folder().write(corpus, Path("written"))
    for again in (corpus, load("written")):
        message = refusal(agreement, again)
        words = (
            "corpus: 1 of 4 sentences of extracts were not found ... ; found were 3: 1 exactly, 1 "
            "after normalising, 1 by best match. Not found by topic: t1 (1); the first is 'A storm "
            "came' of ben (t1). ... --on-error skip leaves out 1 extract that has such"
        )
        assert_says(message, words)
        assert agreement(again, Voters(without=frozenset({"ben"}))).whole.extracts == 2
    corpus, _ = noted(load, path, on_error="skip")
    assert len(corpus.problems) == 1 and agreement(corpus).whole.extracts == 2


SEE = '<html>\n<a name="1">[1]</a> <a href="#1" id=1>One ferry.</a>\n' + (
    '<a name="2">[2]</a> <a href="#2" id=2>Two.</a>\n</html>\n'
)


def test_files_in_see_are_read_by_their_sentences(texts):
    about = "<html><p>Not a summary.</p></html>"
    models = {"models/anna/t1.html": SEE, "models/anna/about.html": about}
    path = texts(models | {"systems/lead/t1.txt": "One ferry. Two."})
    corpus, (note,) = noted(load, path)
    assert "1 file is in SEE or ISI: the marked sentences were" in note
    summaries = {s.author: (s.text, s.sentences) for s in corpus.summaries}
    assert summaries == {
        "anna": (None, ("One ferry.", "Two.")), "lead": ("One ferry. Two.", None)
    }  # fmt: skip
    corpus, (note,) = noted(read_directories, path / "systems/lead", [path / "models/anna"], None)
    assert "1 file is in SEE" in note
    assert [summary.sentences for summary in corpus.summaries] == [None, ("One ferry.", "Two.")]


# --- the prose of Markdown documents ---


PAGE = """---
title: not this one
tags: [a, b]
---
# Ferry *hits*
pier #

Setext
======

A **passenger** ferry struck
the [main _pier_](pier.md "title") on <b>Tuesday</b>. See <https://example.org/x>.

## Why

> Nobody knows.
> Fog, perhaps.

1. The captain `slept` &amp; woke.
2. The engine failed.
   - It was old.

```python
print("code")
```

    indented code

| a | b |
|---|---|
| 1 | 2 |

<div>markup</div>

***

![A picture of the pier](pier.png)

The \\*end\\*.
"""


def test_a_page_with_everything(snapshot):
    prose = read_prose(PAGE)
    assert "\n\n".join([prose.title, prose.text, note_of(prose.left_out)]) == snapshot


@pytest.mark.parametrize(("text", "title", "prose"), [
    ("", "", ""),
    ("No heading.", "", "No heading."),
    ("A title\n=======\nText.", "A title", "Text."),
    ("## Second level first\n\nText.", "Second level first", "Text."),
    ("#no heading", "", "#no heading"),
    ("---\n\nNo front matter.\n\n---\n\nMore.", "", "No front matter.\n\nMore."),
    ("---\nkey: value\nno end", "", "key: value\nno end"),
    ("+++\nkey = 1\n+++\nText.", "", "Text."),
    ("---\nkey: value\n---", "", ""),
    ("一行\n两行", "", "一行\n两行"),
    ("One<br>two<BR/>three \\<br>", "", "One\ntwo\nthree <br>"),
    ("\ufeff# T", "", "\ufeff# T"),
])  # fmt: skip
def test_small_documents(text, title, prose):
    page = read_prose(text)
    assert (page.title, page.text) == (title, prose)


def test_a_file_is_a_topic_with_title_and_units_and_what_is_left_out_is_told(write):
    text = b"\xef\xbb\xbf# A ferry\r\n\r\nIt sank. Nobody\r\nswam.\r\n\r\n- one\r\n- two\r\n"
    (topic,) = load(write("ferry.MD", text), language="en").topics
    assert (topic.id, topic.title) == ("ferry", "A ferry")
    assert topic.units == ("It sank.", "Nobody\nswam.", "one", "two")
    _, (note,) = noted(load, write("page.md", PAGE))
    assert note.startswith("page.md: left out of the text: 1 HTML block, 2 code")
