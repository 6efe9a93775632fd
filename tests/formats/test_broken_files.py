"""Broken files are refused with the line, and with what is expected and found; damaged ones too."""

import dataclasses
import shutil
from pathlib import Path
from random import Random

import pytest
from damage import damage_a_file
from format_checks import answers, assert_says, broken_files, refusal
from public_samples import PUBLIC, sample_of

import summetry
from summetry import load
from summetry.errors import SummetryError
from summetry.formats import FORMATS
from summetry.formats.audit_tables import read_audit
from summetry.formats.judge_tables import read_alt_test, read_judge
from summetry.formats.judgments import read_judgments
from summetry.formats.outputs import OutputReader
from summetry.formats.rouge_xml.settings import read_list
from summetry.formats.scores import read_scores
from summetry.formats.search_files import read_qrels, read_queries
from summetry.formats.topic_lengths import read_length, read_topic_lengths
from summetry.formats.topic_queries import read_topic_queries

READERS = {
    "load": load,
    "load table": lambda path: load(path, "table"),
    "load scu_table": lambda path: load(path, "scu_table"),
    "load markdown": lambda path: load(path, "markdown"),
    "load folder": lambda path: load(path, "folder"),
    "read_list": lambda path: read_list(path, "SPL", "X"),
    "read_outputs": lambda path: OutputReader().read([path], path),
    "read_length": lambda path: read_length(str(path)),
}
READERS |= {
    function.__name__: function
    for function in (
        read_alt_test, read_audit, read_judge, read_judgments, read_qrels, read_queries,
        read_scores, read_topic_lengths, read_topic_queries,
    )
}  # fmt: skip


@broken_files(r"""
== read_queries
q.csv id,query\nk1,rain\n
q.csv id,text\nk1,\n
q.csv id,text\nk1,a\nk1,b\n
q.csv id,text\n

== read_qrels
q.txt k1 0 t1\n
q.txt k1 0 t1 yes\n
q.txt k1 0 t1 nan\n
q.txt k1 0 t1 1\nk1 1 t1 0\n
q.txt
q.csv query,relevance\nk,1\n

== read_topic_lengths
l.csv topic,words\nt1,3\n
l.csv text,length\nt1,3\n
l.csv topic,length\nt1,3\nt1,4\n
l.csv topic,length\nt1,0.37\n
l.csv topic,length\n

== read_topic_queries
queries.csv topic,question\nD1,x\n
queries.csv topic,query\nD1,x\nD1,y\n
queries.csv topic,query\nD1,  \n
queries.csv topic,query\nD1\n
queries.csv {"topic": "D1", "query": 3}\n
queries.csv topic,query\n

== read_audit
a.csv metric,share\nx,1\n
a.csv metric,perturbation,share,seen\nx,cut,much,yes\n
a.json {"audit": {"rows": []}}
a.json {
a.json [1]

== read_judge
a.json
a.json {"model": "\xff"}
a.json {"model": "m", "requests": {}}
a.json {"settings": {}}

== read_alt_test
a.json
a.json judge,dimension\nllm,quality\n
a.json {"model": "m", "requests": {}}
a.json [1]

== read_scores
x.aesop D1-A 1 0.5\nD1-A 2\n
x.aesop D1-A 1 high\n
x.aesop D1-A 1 0.5\nD1-A 1 0.5\n
s.csv topic,score\nt,1\n
s.csv doc_id,guid,system,m\nt,1,a,1\n
s.csv id,system,m\nt,a,1\nu,a,high\n
s.csv id,system,m\nt,a,1\nt,a,1\n
s.csv id,system,m\nt,a,1,x\n
s.csv {"id": "t", "system": "a", "m": []}\n

== read_list
list p m\np\n
list # nothing\n

== read_judgments
m.csv topic,author,judge,dimension,value\nt1,lead,j1,content,4\nt1,lead,j1,content,5\n
m.csv topic,author,judge,dimension,value\nt1,lead,j1,content,\n
m.csv topic,author,judge,dimension,value\nt1,lead,j1,content,nan\n
m.csv topic,author,dimension,value,genre\nt1,lead,content,4,news\nt1,best,content,4,mail\n
m.csv topic,author,judge,dimension,value\n
m.csv topic,author,dimension,value\nt01,lead,grammaticality,A\n
m.csv topic,author,dimension\nt,a,d\n
m.csv topic,author,dim\nt,a,d\n
m.csv topic,author,judge,dimension,value\nt1,a,j,cont\xe9nt,1\n
m.csv d,who,rel_ann,rel_bob,flu\n7,bart,4,5,1\n
m.csv id,system,candidate\n1,a,a text\n
m.csv topic,author,relevance\nt1,lead,1\nt1,,3\n
m.csv topic,author,relevance\nt1,lead,1\n,lead,3\n

== read_outputs
a.jsonl
b.csv id,candidate\n
c.bin wo\x00rds
a.txt one\n\xff\n

== load table
t.csv id,candidate\n1,a\n2\n
t.csv id,candidate\n1,a,b\n
t.tsv id\tcandidate\n1\ta\tb\n
t.csv id|candidate\n1|a, b\n
t.tsv id,candidate\n1,a\n
t.csv date,gold,bart,t5\n2024-01-01,a,cat,dog\n
t.csv candidate,id,id\na,1,2\n
t.csv id,candidate\n1,"a"b\n
t.csv id,candidate\n1,x\n2,"a\n3,b\n
t.csv id,candidate\n1,a\rb\n
t.csv id,candidate\n1,caf\xe9\n
t.csv who,gold\na,b\n
t.csv candidat,gold\na,b\n
t.jsonl {"id": "t1", "documents": []}\n
t.jsonl {"candidate": null}\n
t.jsonl {"candidate": 5}\n
t.jsonl {"candidate": "a", "reference": {"x": 1}}\n
t.jsonl {"candidate": "a", "references": {"x": "y"}}\n
t.jsonl {"candidate": "a", "references": [1]}\n
t.csv candidate,references\na,"[1, 2]"\n
t.csv candidate,references\na,[broken\n
t.jsonl {"candidate": "a"}\n{"candidate": "b\n
t.jsonl {"candidate": "a"}\n{"candid
t.csv id,system,candidate,reference\na,1,x,r\na,2,x,q\n
t.csv id,system,candidate,source\na,1,x,r\na,2,x,q\n
t.jsonl {"id": "a", "candidate": "x"}\n{"id": "a", "candidate": "y"}\n
x.json {"candidate": ["a", "b"], "reference": ["c"]}
x.json {"candidate": ["a", "b"], "reference": "c"}
x.json [{"candidate": "a"},\n5]
x.json [{"candidate": "a"},\n]
x.json [{"candidate": "a"},\n{"candidate"\n
x.json [{"candidate": "a"},\n{"candidate": "caf\xe9"}]
t.csv candidate,r\xe9\na,b\n

== load scu_table
units.csv unit,weight,bart\na,1,1\nb,1,2\n
units.csv sheet,unit,weight,bart\ns1,a,1,1\n
units.csv unit,weight,bart\na,1,1\na,1,0\n
units.csv unit,weight,bart\na,much,1\n
units.csv unit,weight,bart\na,-1,1\n
units.csv unit,weight,bart\n,1,1\n
units.csv unit,weight,bart\na,1,1\nb,1,\n
units.csv unit,system,value\na,bart,1\na,bart,0\n
units.csv unit,weight,system,value\na,1,bart,1\na,2,t5,0\n
units.csv unit,system,x,y\na,bart,1,0\n
units.csv unit,weight\na,1\n
units.csv scus,weight,bart\na,1,1\n
units.csv doc_id,article,unit,weight,bart\nd,1,a,1,1\n
units.csv unit,weight,bart\n
u.jsonl {"id": "t", "units": ["x", "y"], "marks": {"bart": [1]}}
u.jsonl {"id": "t", "units": ["x", "y"], "marks": {"bart": 1, "t5": [1, 0]}}
u.jsonl {"id": "t", "units": ["x", "y"], "marks": {"bart": [[1, 0], [1]]}}
u.jsonl {"id": "t", "units": ["x", "y"], "marks": {"bart": [1, 2]}}
u.jsonl {"id": "t", "system": [], "marks": [1, 0]}
u.jsonl {"id": "t", "system": "a", "candidate": "x", "first": [1, 0], "second": [[0, 1]]}

== load
x.bin \x00\x01
x.csv
x.jsonl
x.csv \xef\xbb\xbf
x.jsonl \xef\xbb\xbf
x.csv \n\n \r\n
x.jsonl \n\n \r\n
x.md caf\xe9
# A pickle runs code when it is loaded.
abs.pkl \x80\x04\x95\x0b\x00\x00\x00\x00\x00\x00\x00}\x94\x8c\x01a

== load folder
x.txt x
""")
def test_a_broken_file_is_named_with_its_line(write, reader, files, snapshot):
    assert answers(files, lambda *file: refusal(READERS[reader], write(*file))) == snapshot


@pytest.mark.parametrize(("reader", "missing", "folder"), [
    ("read_queries", "none.csv: expected ... found no such file", "found a folder"),
    ("read_qrels", "none.csv: expected ... found no such file", "found a folder"),
    ("read_topic_queries", "expected a table of queries, found no such file",
     "expected a table of queries, found a folder"),
    ("read_length", "", "expected a table of lengths, found a folder"),
    ("read_audit", "none.csv: no such file or folder", ""),
    ("read_alt_test", "none.csv: no such file or folder", ""),
    ("read_judge", "none.csv: no such file or folder", ""),
    ("read_outputs", "none.csv: no such file or folder", "expected a file, found a folder"),
    ("load table", "", ": expected a table, found a folder"),
    ("load markdown", "", "expected a Markdown file, found a folder"),
])  # fmt: skip
def test_no_file_and_a_folder_are_named(tmp_path, reader, missing, folder):
    (tmp_path / "folder.csv").mkdir()
    for name, words in (("none.csv", missing), ("folder.csv", folder)):
        if words:
            assert_says(refusal(READERS[reader], tmp_path / name), words)


# --- damaged files: every reader gives a corpus or one clear line, and nothing else happens ---


FILES = {
    "inspect": (
        "log.json",
        '{"version": 2, "status": "success", "eval": {"eval_id": "e", "task": "news", "model": "m",'
        ' "dataset": {"sample_ids": [1]}}, "samples": [{"id": 1, "epoch": 1, "input": "a b",\n'
        '"target": ["a", "b"], "output": {"choices": [{"message": {"content": "a b"}}]}}]}',
    ),
    "scu_table": ("units.csv", "id,scu,weight,bart,t5\n1,It sank.,2,1,0\n1,All swam.,1,1,1\n"),
    "markdown": ("text.md", "# A ferry\n\nA ferry hit the *pier*. It sank.\n\n- one\n- two\n"),
    "scu_xml": (
        "D1.xml",
        '<collection name="D1"><document name="d1"><line>It sank.<annotation scu-count="1" '
        'sum-count="1" sums="0"><scu uid="11" label="it sank" weight="4"/></annotation></line>'
        "<line>All swam.</line></document></collection>",
    ),
}
TABLES = {
    "table.jsonl": '{"id": 1, "system": "bart", "candidate": "a b", "reference": ["a c", "b"]}\n'
    '{"id": 2, "system": "bart", "candidate": "c", "reference": "c d", "source": "c d e"}\n',
    "table.json": '[{"id": 1, "summary": "a b", "gold": "a c"}, {"id": 2, "summary": ""}]',
    "table.csv": "id,system,candidate,reference\n1,bart,a b,a c\n2,bart,c,c d\n1,t5,a,a c\n",
    "table.tsv": "id\tarticle\tbart\tt5\tgold\n1\ta b c\ta b\tb\ta\n2\tc d\tc\td\tc\n",
}
SCORES = {
    "scores.csv": "id,system,rouge1.f,lcs\n1,bart,0.5,0.25\n2,bart,1,\n1,t5,0.5,inf\n2,t5,0,0.1\n",
    "long.csv": "id,system,metric,part,score\n1,bart,rouge1,f,0.5\n2,bart,rouge1,f,1\n",
    "scores.jsonl": '{"id": "1", "system": "bart", "rouge1.f": 0.5}\n',
}


def make_sample(name: str, demo, folder: Path) -> Path:
    """Something small in a format, whole and readable."""
    path = folder / name
    if name in TEXTS:
        file, text = TEXTS[name]
        path = folder / file
        path.write_text(text, encoding="utf-8")
    elif name == "table.parquet":
        arrow = pytest.importorskip("pyarrow")
        from pyarrow import parquet

        rows = {"id": ["1", "2"], "summary": ["a b", "c"], "gold": ["a", "c d"], "n": [1.5, None]}
        parquet.write_table(arrow.table(rows), path)
    elif name in PUBLIC:
        path = sample_of(name, folder)
    else:
        FORMATS.build(name).write(demo, path)
    return path


TEXTS = FILES | {name: (name, text) for name, text in (TABLES | SCORES).items()}
CORPORA = [*sorted(set(FORMATS.names()) - {"table"}), *TABLES, "table.parquet"]


def refused_seeds(name, demo, folder, seeds, read):
    """The seeds whose damage to a sample is refused, each in one line; the rest are read."""
    whole = folder / "whole"
    whole.mkdir(parents=True)
    sample = make_sample(name, demo, whole)
    read(sample)
    for seed in seeds:
        copy = folder / f"seed{seed}"
        shutil.copytree(whole, copy)
        path = copy / sample.relative_to(whole)
        damage_a_file(path, Random(seed))
        try:
            read(path)
        except SummetryError as error:
            message = str(error)
            assert message and "\n" not in message, (name, seed, message)
            assert len(message) < 2000, (name, seed, message[:200])
            yield seed
        except Exception as error:
            pytest.fail(f"{name}, seed {seed}: {type(error).__name__}: {error}")
        shutil.rmtree(copy)


@pytest.fixture(scope="module")
def small(demo):
    """Two topics of the demo corpus with what belongs to them."""
    topics = {topic.id for topic in demo.topics[:2]}
    kinds = ("summaries", "extracts", "judgments", "utilities", "pyramids", "labels")
    parts = {kind: tuple(r for r in getattr(demo, kind) if r.topic in topics) for kind in kinds}
    return dataclasses.replace(demo, topics=demo.topics[:2], **parts)


@pytest.mark.filterwarnings("ignore::summetry.errors.SummetryWarning")
@pytest.mark.parametrize("seeds", [range(4), pytest.param(range(2500), marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", [*CORPORA, *SCORES])
def test_a_damaged_file_is_read_or_refused_in_one_line(name, seeds, small, tmp_path):
    read = read_scores if name in SCORES else summetry.load
    refused = list(refused_seeds(name, small, tmp_path, seeds, read))
    # A few seeds may do harmless damage; then the next that does harm is looked for.
    more = refused_seeds(name, small, tmp_path / "more", range(4, 40), read)
    assert refused or next(more)
