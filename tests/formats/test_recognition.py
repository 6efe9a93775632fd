"""Which format is recognised: a table is asked for few of them, and the answer is that of all."""

import gzip
import json

import pytest

from summetry.formats import FORMATS, recognise
from summetry.formats._base import _OF_TABLES

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
def test_the_short_list_for_tables_gives_what_the_whole_list_gives(is_zipped, tmp_path):
    found = {}
    for name, text in TABLES.items():
        path = tmp_path / (f"{name}.gz" if is_zipped else name)
        path.write_bytes(gzip.compress(text.encode()) if is_zipped else text.encode())
        found[name] = recognise(path).name
        assert found[name] == first_of_all(path), name
    assert set(found.values()) >= {*_OF_TABLES, "duc", "rouge_xml"}, "each kind is among them"


def test_a_format_that_is_registered_in_a_script_is_asked_too(tmp_path):
    from dataclasses import dataclass
    from typing import ClassVar

    from summetry.formats import Format

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
        (tmp_path / "odd.jsonl").write_text(json.dumps({"candidate": "a", "reference": "b"}))
        assert recognise(tmp_path / "odd.jsonl").name == "a_odd"
    finally:
        del FORMATS._classes["a_odd"]
