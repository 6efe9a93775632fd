"""The native folder: an exact round trip, and every fault named with its file and line."""

import json
import shutil
from pathlib import Path

import pytest
from format_checks import answers, broken_files, noted, refusal
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from summetry import load
from summetry.errors import FormatError
from summetry.formats import ReadOptions
from summetry.formats.folder import Folder
from summetry.records.corpus import Corpus
from summetry.records.topics import Document, Topic

read, write = Folder().read, Folder().write


def contents(path):
    return {file.name: file.read_bytes() for file in path.iterdir()}


def failure(path, **options):
    """The message that reading gives, with the folder left out of it."""
    return refusal(load, path, **options).replace(f"{path}/", "")


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_what_is_written_is_read_back(corpora, tmp_path_factory, data):
    corpus = data.draw(corpora)
    path = tmp_path_factory.mktemp("round")
    write(corpus, path)
    again = read(path, ReadOptions())
    assert again == corpus
    assert again.fingerprint == corpus.fingerprint
    before = contents(path)
    write(again, path)
    assert contents(path) == before


def test_the_demo_corpus_is_read_without_a_warning_and_written_back(demo, demo_folder, tmp_path):
    # A note would be a warning, and a warning fails a test.
    corpus = load(demo_folder)
    assert (corpus, corpus.problems) == (demo, ())
    write(corpus, tmp_path / "one")
    again = load(tmp_path / "one")
    assert again == corpus
    write(again, tmp_path / "two")
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    # A file of an earlier corpus does not stay.
    write(Corpus(topics=demo.topics), tmp_path / "two")
    assert sorted(contents(tmp_path / "two")) == ["corpus.json", "topics.jsonl"]


def test_text_is_cut_into_units_once_on_reading_in_the_language_of_the_data(folder, tmp_path):
    path = folder(topics=[{"id": "t1", "text": "One came. Two left."}])
    corpus = load(path, language="en")
    units = ("One came.", "Two left.")
    assert corpus.topics[0].documents == (Document("t1", text="One came. Two left.", units=units),)
    write(corpus, tmp_path / "again")
    assert b'"units":["One came.","Two left."]' in (tmp_path / "again/topics.jsonl").read_bytes()
    assert load(tmp_path / "again") == corpus
    # That of the data comes before the option.
    assert load(path, language="sv").language == "sv"
    (path / "corpus.json").write_text('{"language": "en"}')
    assert load(path, language="sv").language == "en"


@pytest.mark.parametrize("topics", [
    b'\n{"id": "t1"}\n   \n{"id": "t2"}',
    b'\xef\xbb\xbf{"id": "t1"}\n{"id": "t2"}\n',
    b'{"id": "t1"}\r\n{"id": "t2"}\r\n',
])  # fmt: skip
def test_blank_lines_a_byte_order_mark_crlf_and_empty_files_do_not_matter(folder, topics):
    # A note would be a warning, and a warning fails a test.
    corpus = load(folder(topics=topics))
    assert [topic.id for topic in corpus.topics] == ["t1", "t2"]
    assert load(folder(topics=topics, summaries="")) == corpus
    Path("corpus/corpus.json").write_bytes(b'\xef\xbb\xbf{"name": "x"}')
    assert load("corpus").name == "x"


LEAD = {"topic": "t1", "author": "a", "role": "candidate"}
JUDGED = {"topic": "t1", "author": "a", "judge": "j", "dimension": "d"}


# What is wrong between records is tried in tests/records/test_corpus.py.
@broken_files(r"""
topics.jsonl {"id": "t1", "tittle": ""}
topics.jsonl {"id": "t1"}\n{"id": "t2", "colour": "red"}
topics.jsonl {"id": "t1", "documents": [{"id": "d"}, {"id": "e", "unit": []}]}
topics.jsonl {"id": "t1", "documents": [{"units": []}]}
topics.jsonl {"title": "x"}
topics.jsonl {"id": 5}
topics.jsonl {"id": null}
topics.jsonl {"id": "t1", "documents": "x"}
topics.jsonl {"id": "t1", "meta": []}
topics.jsonl {"id": "t1", "documents": [{"id": "d", "units": ["a", 3]}]}
topics.jsonl {"id": "t1", "unit": "sentnce"}
topics.jsonl [1]
topics.jsonl {"id": "t1"}\nnot json\n
topics.jsonl {"id": "t1"} {"id": "t2"}\n
topics.jsonl {"id": "t1"}\n{"id": "t2", "title": "abc
topics.jsonl {"id": "t1", "title": "\xff"}
topics.jsonl {"id": "t1"}\n{"\xe9": "t2"}
topics.jsonl {"id": "t1", "meta": {"n": 1e999}}
topics.jsonl {"id": "t1"}\n{"id": "t1"}\n
summaries.jsonl {"topic": "t11", "author": "a", "role": "candidate", "text": ""}\n
summaries.jsonl {"topic": "t1", "author": "a", "role": "pear"}\n
summaries.jsonl {"topic": "t1", "author": "a", "role": "candidate", "units": [0, 3]}\n
summaries.jsonl {"topic": "t1", "author": "a", "role": "candidate", "units": [0.5]}\n
summaries.jsonl {"topic":"t1","author":"a","role":"candidate","units":[99999999999999999999]}
judgments.jsonl {"topic": "t1", "author": "a", "judge": "j", "dimension": "d", "value": [1]}\n
judgments.jsonl {"topic":"t1","author":"a","judge":"j","dimension":"d","value":1e999}
judgments.jsonl {"topic":"t1","author":"a","judge":"j","dimension":"d","value":99999999999999999999}
utilities.jsonl {"topic": "t1", "judge": "j", "values": [1, "x", 3]}\n
pyramids.jsonl {"topic": "t1", "scus": [{"id": "1", "lable": ""}]}\n
pyramids.jsonl {"topic": "t1", "scus": [{"id": "1", "contributors": [{"autor": ""}]}]}\n
pyramids.jsonl {"topic": "t1", "scus": [], "peers": {"x": [{"scus": "1"}]}}\n
labels.jsonl {"topic": "t1", "unit": 0, "scus": [{"id": "1", "wieght": 1}]}\n
answers.jsonl {"topic": "t1", "question": "q", "judge": "j", "condition": "sources"}\n
""")
@pytest.mark.filterwarnings("ignore:.*the corpus has no topics")
def test_a_fault_is_named_or_left_out(folder, reader, files, snapshot):
    def both(name, content):
        shutil.rmtree("corpus", ignore_errors=True)
        path = folder(**{name.partition(".")[0]: content})
        message = failure(path)
        (problem,) = load(path, on_error="skip").problems
        assert problem.replace(f"{path}/", "") == message
        return message

    assert answers(files, both) == snapshot


def test_long_numbers_and_nesting_without_end_are_named_and_an_error_has_its_line(folder):
    record = json.dumps(JUDGED | {"value": 1})
    path = folder(judgments=record.replace("1}", "9" * 5000 + "}"))
    message = "expected a number that fits 64 bits, found one that is too large at value"
    assert failure(path) == f"judgments.jsonl:1: {message}"
    path = folder(topics=f'{{"id": "t1", "meta": {{"x": {"[" * 50_000}{"]" * 50_000}}}}}')
    assert failure(path).startswith("topics.jsonl:1: expected one JSON object a line, found '{\"id")
    with pytest.raises(FormatError) as caught:
        load(folder(topics='{"id": "t1"}\nx'))
    assert caught.value.place.line == 2


def test_skipping_leaves_out_exactly_what_is_bad(folder):
    path = folder(
        topics=[{"id": "t1"}, {"id": "t2", "tite": ""}, {"id": "t3", "text": "One. Two."}],
        summaries=[
            LEAD | {"text": "kept"},
            LEAD | {"topic": "t2", "text": "its topic was left out"},
            LEAD | {"topic": "t3", "units": [5]},
            LEAD | {"topic": "t3", "units": [1]},
        ],
        extracts='{"topic": "t2", "informant": "p", "units": []}\n{"topic": "t3"\n',
        people=[{"id": "p"}],
    )
    corpus = load(path, on_error="skip", language="en")
    assert [topic.id for topic in corpus.topics] == ["t1", "t3"]
    summaries = [(s.topic, s.text, s.units) for s in corpus.summaries]
    assert summaries == [("t1", "kept", None), ("t3", None, (1,))]
    assert (corpus.extracts, len(corpus.people)) == ((), 1)
    places = [problem.replace(f"{path}/", "").split(": ")[0] for problem in corpus.problems]
    expected = (
        "topics.jsonl:2 summaries.jsonl:2 summaries.jsonl:3 extracts.jsonl:1 extracts.jsonl:2"
    )
    assert places == expected.split()


def test_a_misspelt_file_is_not_passed_over_in_silence(folder):
    corpus, notes = noted(load, folder(sumaries=[LEAD | {"text": ""}], zzz=""))
    assert corpus.summaries == ()
    message = "not a file of a corpus folder, so it was not read"
    assert notes == [
        f"corpus/sumaries.jsonl: {message}. Did you mean 'summaries'?",
        f"corpus/zzz.jsonl: {message}",
    ]


def test_a_folder_without_topics_is_refused_and_a_corpus_without_any_noted(folder):
    path = folder(topics="", people=[{"id": "p"}])
    corpus, notes = noted(load, path)
    assert (corpus.topics, notes) == ((), ["corpus: the corpus has no topics"])
    (path / "topics.jsonl").unlink()
    assert refusal(load, path) == "corpus: expected topics.jsonl in this folder, found none"


def test_a_fault_of_the_head_is_named(folder, refused):
    def read(head):
        (folder() / "corpus.json").write_text(head)
        load("corpus")

    refused(read, ['{"nmae": "x"}', '{"scales": {"d": "ABC"}}', '{"name": '])


def test_a_mark_on_a_declared_scale_is_kept(folder):
    path = folder(judgments=[JUDGED | {"value": "A"}])
    (path / "corpus.json").write_text('{"scales": {"d": ["B", "A"]}}')
    corpus = load(path)
    assert corpus.mark(corpus.judgments[0]) == 2.0
    (path / "corpus.json").write_text('{"scales": {"d": ["C", "B"]}}')
    message = "expected a number or one of C, B, found the mark 'A' for d"
    assert failure(path) == f"judgments.jsonl:1: {message}"


def test_many_records_are_decoded_as_they_were_written(tmp_path):
    corpus = Corpus(topics=tuple(Topic(str(i)) for i in range(5000)))
    write(corpus, tmp_path)
    assert read(tmp_path, ReadOptions()) == corpus


def test_an_annotator_is_an_informant(folder):
    extracts = [
        {"topic": "t1", "annotator": "ann", "units": [1]},
        {"topic": "t1", "informant": "annotator", "units": [0]},
    ]
    read = load(folder(extracts=extracts)).extracts
    assert [(e.informant, e.units) for e in read] == [("ann", (1,)), ("annotator", (0,))]
    extracts[0]["unit"] = 3
    assert "known fields, found 'annotator'" in failure(folder(extracts=extracts))
