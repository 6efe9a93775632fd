"""Which format is recognised: a table is asked for few of them, and the answer is that of all."""

import gzip
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest
from format_checks import noted

from summetry import load
from summetry.formats import FORMATS, Format, recognise
from summetry.formats._base import _OF_TABLES

DATA = Path(__file__).parents[1] / "data"
PAIRS = "id,system,candidate,reference\n1,a,b c,b d\n"
TABLES = {
    "pairs.csv": PAIRS,
    "pairs.TSV": PAIRS.replace(",", "\t"),
    "pairs.jsonl": '{"id": 1, "candidate": "b c", "reference": "b d"}\n',
    "indented.jsonl": '\n  {"id": 1, "candidate": "b c", "reference": "b d"}\n',
    "log.jsonl": '{"version": 2, "status": "success", "eval": {"eval_id": "x", "task": "t"}}\n',
    "summeval.jsonl": '{"id": 1, "model_id": "M1", "decoded": "a", "expert_annotations": []}\n',
    "rose.jsonl": '{"id": 1, "system_outputs": {}, "annotations": {}}\n',
    "acus.jsonl": '{"id": 1, "reference": "a b", "acu": ["a"]}\n',
    "easc.csv": "article_id,topic_name,article_text,summary_A\n7,n,One two.,One two\n",
    "units.csv": "topic,scu,weight,a,b\n1,x,2,1,0\n",
    "scores.csv": "id,system,rouge1.f\n1,a,0.5\n",
    "marked.csv": "<DOC>\n<DOCNO> A </DOCNO>\n<TEXT>\nOne two.\n</TEXT>\n</DOC>\n",
    "settings.csv": '<ROUGE-EVAL version="1.0">\n<EVAL ID="1"></EVAL>\n</ROUGE-EVAL>\n',
    "manual.peer.csv": "a b c\n1 2 3\n",
}


def first_of_all(path):
    """The format that the whole list gives, as it is documented: special ones before general."""
    forms = [FORMATS.build(name) for name in FORMATS.names()]
    forms.sort(key=lambda form: form.is_general)
    return next(form.name for form in forms if form.recognise(path))


@pytest.mark.parametrize("is_zipped", [False, True])
def test_the_short_list_for_tables_gives_what_the_whole_list_gives(is_zipped, write):
    names = set()
    for name, text in TABLES.items():
        content = gzip.compress(text.encode()) if is_zipped else text
        path = write(f"{name}.gz" if is_zipped else name, content)
        names.add(recognise(path).name)
        assert recognise(path).name == first_of_all(path), name
    assert names >= {*_OF_TABLES, "duc", "rouge_xml"}, "each kind is among them"


@pytest.mark.parametrize(("name", "content", "format"), [
    ("rows.txt", '{"candidate": "x"}\n', "table"),
    ("rows", "id,candidate\n1,x\n", "table"),
    ("rows", '"Candidate"\tid\nx\t1\n', "table"),
    ("rows.csv", "summary,gold\na,b\n", "table"),
    ("rows.TSV", "summary\tgold\na\tb\n", "table"),
    ("units.csv", "id,unit,candidate\n1,a,It sank.\n", "table"),
    ("units.csv", "id,bart,t5\n1,0,1\n", "table"),
    ("text.txt", "A candidate, she said.\n", "plain"),
    # A configuration of ROUGE is recognised by its first elements.
    ("any.name", "<ROUGE-EVAL/>", "rouge_xml"),
    ("any.name", "<?xml version='1.0'?><!-- ours --><rouge_eval><x/>", "rouge_xml"),
    ("any.name", "<anything><EVAL ID='1'>", "rouge_xml"),
    ("any.name", "<anything><other/><EVAL ID='1'/>", None),
    ("any.name", "<html><body>", None),
    ("any.name", "ROUGE-EVAL", None),
    ("any.name", "<EVAL ID='1'>", None),
])  # fmt: skip
def test_a_file_is_recognised_by_what_it_holds(write, name, content, format):
    path = write(name, content)
    assert FORMATS.build("rouge_xml").recognise(path) is (format == "rouge_xml")
    assert format is None or recognise(path).name == format


@pytest.mark.parametrize(("name", "parts", "other"), [
    ("duc", ". SEEpeers extracts_abstracts/d901ja extracts_abstracts docs.with.sentence.breaks "
     "results", "ducview"),
    ("ducview", ". D0901-A.pyr D0901-A.M.100.G.14.pan", None),
    ("mead", ". ferry lake ferry/docsent/F-1.docsent ferry/ferry.cluster ferry/ferry.sentjudge "
     "ferry/ferry.10.extract", "mead/ferry/models"),
    ("tac", ". ROUGE ROUGE/peers manual manual/manual.peer.A", "tac/docs"),
])  # fmt: skip
def test_samples_and_their_parts_are_recognised_and_other_folders_are_not(name, parts, other):
    for part in parts.split():
        assert recognise(DATA / name / part).name == name, part
    assert other is None or not FORMATS.build(name).recognise(DATA / other)


def test_a_native_folder_with_files_of_ducview_in_it_stays_one(write):
    write("topics.jsonl", '{"id": "t"}\n')
    write("t1.pyr", (DATA / "ducview" / "D0901-A.pyr").read_bytes())
    assert recognise(Path()).name == "folder"


def test_the_format_can_be_named_instead_also_of_an_empty_folder(write, tmp_path):
    assert not FORMATS.build("duc").recognise(tmp_path)
    corpus, (note,) = noted(load, tmp_path, "duc")
    assert corpus.topics == () and "no topics" in note
    path = write("t.txt", '{"candidate": "x"}')
    assert recognise(path, "plain").name == "plain"
    assert load(path, format="plain").topics[0].documents[0].text == '{"candidate": "x"}'


def test_a_format_that_is_registered_in_a_script_is_asked_too(write):
    @FORMATS.register
    @dataclass(frozen=True)
    class Odd(Format):
        name: ClassVar[str] = "a_odd"
        title: ClassVar[str] = "An odd table."

        def recognise(self, path):
            return path.name == "odd.jsonl"

        def read(self, path, options):
            raise NotImplementedError

    try:
        path = write("odd.jsonl", [{"candidate": "a", "reference": "b"}])
        assert recognise(path).name == "a_odd"
    finally:
        del FORMATS._classes["a_odd"]
