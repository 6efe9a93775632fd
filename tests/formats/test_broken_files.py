"""Broken files are refused with the line, and with what is expected and found; damaged ones too."""

import dataclasses
import json
import shutil
from pathlib import Path
from random import Random

import pytest
from damage import damage_a_file
from format_checks import assert_says, broken_files, refusal
from public_samples import BC3, EASC, PYRXSUM, folder_of, rose_rows, summeval_rows, written

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
q.csv id,query\nk1,rain\n => q.csv:2: expected the columns id and text, found no 'text'
q.csv id,text\nk1,\n => expected the text of query 'k1', found ''
q.csv id,text\nk1,a\nk1,b\n => q.csv:3: expected each query once, found a second 'k1'
q.csv id,text\n => expected queries, found none

== read_qrels
q.txt k1 0 t1\n => q.txt:1: expected a query, an iteration, a topic and a relevance, found 3 words
q.txt k1 0 t1 yes\n => q.txt:1: expected a number as relevance, found 'yes'
q.txt k1 0 t1 nan\n => q.txt:1: expected a number as relevance, found 'nan'
q.txt k1 0 t1 1\nk1 1 t1 0\n => q.txt:2: expected each query and topic once
q.txt => expected qrels, found none
q.csv query,relevance\nk,1\n => query, topic and relevance, found no 'topic'

== read_topic_lengths
l.csv topic,words\nt1,3\n => expected the columns topic and length, found no 'length'
l.csv text,length\nt1,3\n => expected the columns topic and length, found no 'topic'
l.csv topic,length\nt1,3\nt1,4\n => one length for each topic, found a second one for 't1'
l.csv topic,length\nt1,0.37\n => expected a length as 30%, 100 words or 3, found '0.37'
l.csv topic,length\n => expected lengths, found none

== read_topic_queries
queries.csv topic,question\nD1,x\n => queries.csv:2: expected the columns topic and query, found n
queries.csv topic,query\nD1,x\nD1,y\n => csv:3: expected one query for each topic, found a second
queries.csv topic,query\nD1,  \n => csv:2: expected the query of topic 'D1', found '  '
queries.csv topic,query\nD1\n => csv:2: expected 2 cells in the row, found 1
queries.csv {"topic": "D1", "query": 3}\n => csv:1: expected the query of topic 'D1', found 3
queries.csv topic,query\n => queries.csv: expected queries, found none

== read_audit
a.csv metric,share\nx,1\n => a.csv:2: expected the columns ... found no perturb
a.csv metric,perturbation,share,seen\nx,cut,much,yes\n => a number as share, found
a.json {"audit": {"rows": []}} => a.json: expected an audit, found no rows; summ
a.json { => expected an audit, found no rows
a.json [1] => expected an audit, found no rows

== read_judge
a.json => a.json: expected what `summetry judge --tables FILE.json` writes, found no JSON
a.json {"model": "\xff"} => found no JSON
a.json {"model": "m", "requests": {}} => judge --tables FILE.json` writes, found no rows
a.json {"settings": {}} => found JSON of another kind: Object missing required field `model`

== read_alt_test
a.json => a.json: expected what `summetry alt-test -o FILE.json` writes, found no JSON
a.json judge,dimension\nllm,quality\n => alt-test -o FILE.json` writes, found no JSON
a.json {"model": "m", "requests": {}}
    found JSON of another kind: Object missing required field `settings`
a.json [1] => found JSON of another kind: Expected `object`, got `array`

== read_scores
x.aesop D1-A 1 0.5\nD1-A 2\n => x.aesop:2: expected 3 columns: set, peer and score, found 2
x.aesop D1-A 1 high\n => x.aesop:1: expected a number as score, found 'high'$
x.aesop D1-A 1 0.5\nD1-A 1 0.5\n => x.aesop:2: expected each score once, found x of Row
s.csv topic,score\nt,1\n
    s.csv:2: expected a column 'system', found the columns topic, score; say --columns system=NAME$
s.csv doc_id,guid,system,m\nt,1,a,1\n
    s.csv:2: expected one column for the id, found 'doc_id' and 'guid'; say --columns id=doc_id$
s.csv id,system,m\nt,a,1\nu,a,high\n => s.csv:3: expected a number as m, found 'high'$
s.csv id,system,m\nt,a,1\nt,a,1\n
    s.csv:3: expected each score once, found m of Row(protocol='no_models', topic='t', author='a',
    role='candidate') a second time$
s.csv id,system,m\nt,a,1,x\n
    s.csv:2: expected 3 cells in the row, found 4; put a cell with ',' in it in quotation marks$
s.csv {"id": "t", "system": "a", "m": []}\n => s.csv:1: expected a number as m, found []$

== read_list
list p m\np\n => list:2: expected a peer and one model or more, found only p
list # nothing\n => list: expected lines of a peer and its models, found none

== read_judgments
m.csv topic,author,judge,dimension,value\nt1,lead,j1,content,4\nt1,lead,j1,content,5\n
    one judgment t1 lead j1 content
m.csv topic,author,judge,dimension,value\nt1,lead,j1,content,\n => a number, found the mark ''
m.csv topic,author,judge,dimension,value\nt1,lead,j1,content,nan\n => a number, found the mark 'nan'
m.csv topic,author,dimension,value,genre\nt1,lead,content,4,news\nt1,best,content,4,mail\n
    the same genre and group
m.csv topic,author,judge,dimension,value\n => expected judgments, found none
m.csv topic,author,dimension,value\nt01,lead,grammaticality,A\n
    a number, found the mark 'A' for grammaticality
m.csv topic,author,dimension\nt,a,d\n => the columns id, system, dimension, value
m.csv topic,author,dim\nt,a,d\n => m.csv: expected judgments, ... dimension, value
m.csv topic,author,judge,dimension,value\nt1,a,j,cont\xe9nt,1\n
    m.csv:2: expected UTF-8, found the byte 0xe9
m.csv d,who,rel_ann,rel_bob,flu\n7,bart,4,5,1\n => found no 'id'; --columns id=NAME names it
m.csv id,system,candidate\n1,a,a text\n => or id, system and one column of numbers per
m.csv topic,author,relevance\nt1,lead,1\nt1,,3\n => m.csv:3: expected a name as author
m.csv topic,author,relevance\nt1,lead,1\n,lead,3\n => m.csv:3: expected a name as topic

== read_outputs
a.jsonl => a.jsonl: the file is empty
b.csv id,candidate\n => b.csv: expected rows, found none
c.bin wo\x00rds => c.bin: expected a table ... found a zero byte
a.txt one\n\xff\n => a.txt:2: expected UTF-8, found the byte 0xff

== load table
t.csv id,candidate\n1,a\n2\n => t.csv:3: expected 2 cells in the row, found 1$
t.csv id,candidate\n1,a,b\n
    t.csv:2: expected 2 cells in the row, found 3; put a cell with ',' in it in quotation marks$
t.tsv id\tcandidate\n1\ta\tb\n
    t.tsv:2: expected 2 cells in the row, found 3; put a cell with '\t' in it in quotation marks$
t.csv id|candidate\n1|a, b\n
    t.csv:2: expected 1 cell in the row, found 2; cells seem to be separated by '|': put commas
    between them$
t.tsv id,candidate\n1,a\n
    t.tsv:2: expected a column 'candidate', found one column 'id,candidate'; its cells seem to be
    separated by commas: give the file the ending .csv$
t.csv date,gold,bart,t5\n2024-01-01,a,cat,dog\n
    t.csv:2: expected a column 'candidate', found the columns date, gold, bart, t5; name it with
    columns={'candidate': 'NAME'}; columns of single words are taken with columns={'candidate':
    'bart+t5'}$
t.csv candidate,id,id\na,1,2\n
    t.csv:1: expected each column once, found 'id' more than once; rename one of them$
t.csv id,candidate\n1,"a"b\n
    t.csv:2: expected rows of cells, found a broken one (',' expected after '"'); double the
    quotation marks inside of a quoted cell, or take out the one that is never closed$
t.csv id,candidate\n1,x\n2,"a\n3,b\n
    t.csv:3: expected rows of cells, found a broken one (unexpected end of data); double the
    quotation marks inside of a quoted cell, or take out the one that is never closed$
t.csv id,candidate\n1,a\rb\n
    t.csv:2: expected rows of cells, found a carriage return in a cell without quotation marks; put
    the cell in quotation marks, or take the carriage return out$
t.csv id,candidate\n1,caf\xe9\n
    t.csv:2: expected UTF-8, found the byte 0xe9 at byte 6 of the line; save the file as UTF-8$
t.csv who,gold\na,b\n
    t.csv:2: expected a column 'candidate', found the columns who, gold; name it with
    columns={'candidate': 'NAME'}$
t.csv candidat,gold\na,b\n
    t.csv:2: expected a column 'candidate', found the columns candidat, gold; name it with
    columns={'candidate': 'NAME'}. Did you mean 'candidat'?$
t.jsonl {"id": "t1", "documents": []}\n
    t.jsonl:1: expected a column 'candidate', found the columns id, documents; this looks like a
    file of a corpus folder: give the folder instead$
t.jsonl {"candidate": null}\n
    t.jsonl:1: expected text in 'candidate', found null; write "" for an empty summary$
t.jsonl {"candidate": 5}\n => t.jsonl:1: expected text in 'candidate', found the number 5$
t.jsonl {"candidate": "a", "reference": {"x": 1}}\n
    t.jsonl:1: expected text in 'reference', found "{'x': 1}"$
t.jsonl {"candidate": "a", "references": {"x": "y"}}\n
    t.jsonl:1: expected a text or a list of texts in 'references', found "{'x': 'y'}"$
t.jsonl {"candidate": "a", "references": [1]}\n
    t.jsonl:1: expected a text or a list of texts in 'references', found '[1]'$
t.csv candidate,references\na,"[1, 2]"\n
    t.csv:2: expected a text or a list of texts in 'references', found '[1, 2]'$
t.csv candidate,references\na,[broken\n
    t.csv:2: expected a text or a list of texts in 'references', found '[broken'$
t.jsonl {"candidate": "a"}\n{"candidate": "b\n
    t.jsonl:2: expected one JSON object a line, found '{"candidate": "b' (JSON is malformed: invalid
    character (byte 16))$
t.jsonl {"candidate": "a"}\n{"candid
    t.jsonl:2: expected a complete JSON object, found the end of the file in the middle of it; was
    the file cut off when it was written or copied?$
t.csv id,system,candidate,reference\na,1,x,r\na,2,x,q\n
    t.csv:3: expected the references and source of id 'a' at t.csv:2, found others; give it
    another id; `summetry score` on the table takes each row's own$
t.csv id,system,candidate,source\na,1,x,r\na,2,x,q\n
    t.csv:3: expected the references and source of id 'a' at t.csv:2, found others; give it
    another id; `summetry score` on the table takes each row's own$
t.jsonl {"id": "a", "candidate": "x"}\n{"id": "a", "candidate": "y"}\n
    t.jsonl:2: expected one summary a candidate candidate, found a second one, the first is
    t.jsonl:1$
x.json {"candidate": ["a", "b"], "reference": ["c"]}
    x.json: expected a list of 2 cells in each column, as in 'candidate', found 1 in 'reference'$
x.json {"candidate": ["a", "b"], "reference": "c"}
    x.json: expected a list of 2 cells in each column, as in 'candidate', found no list in
    'reference'$
x.json [{"candidate": "a"},\n5] => x.json:2: expected an object with named cells, found 5$
x.json [{"candidate": "a"},\n]
    x.json:2: expected a list or an object in JSON, found malformed JSON: trailing comma in array
    (byte 1 of the line)$
x.json [{"candidate": "a"},\n{"candidate"\n
    x.json:2: expected a complete list or object in JSON, found the end of the file in the middle of
    it; was the file cut off?$
x.json [{"candidate": "a"},\n{"candidate": "caf\xe9"}]
    x.json:2: expected UTF-8, found the byte 0xe9 at byte 19 of the line; save the file as UTF-8$
t.csv candidate,r\xe9\na,b\n => t.csv:1: expected UTF-8, found the byte 0xe9

== load scu_table
units.csv unit,weight,bart\na,1,1\nb,1,2\n => units.csv:3: expected 0 or 1 for bart, found '2'
units.csv sheet,unit,weight,bart\ns1,a,1,1\n
    0 or 1 for sheet, found 's1'; the column of the topic is looked for as id, topic, doc
units.csv unit,weight,bart\na,1,1\na,1,0\n => :3: expected one row for unit 'a' of topic 'units'
units.csv unit,weight,bart\na,much,1\n => :2: expected a weight that is a number ... found 'much'
units.csv unit,weight,bart\na,-1,1\n => :2: expected a weight that is a number of 0 or more
units.csv unit,weight,bart\n,1,1\n => :2: expected a content unit with its topic, found ''
units.csv unit,weight,bart\na,1,1\nb,1,\n => expected 0 or 1 for each unit of bart, found no
units.csv unit,system,value\na,bart,1\na,bart,0\n => :3:  ... for system 'bart', found a second
units.csv unit,weight,system,value\na,1,bart,1\na,2,t5,0\n
    :3: expected one weight for unit 'a' of topic 'units', found 1 and 2
units.csv unit,system,x,y\na,bart,1,0\n => expected one more column beside unit and system
units.csv unit,weight\na,1\n => expected a column of 0 and 1 for each system, found none
units.csv scus,weight,bart\na,1,1\n => expected a column unit (or scu), found only scus, wei
units.csv doc_id,article,unit,weight,bart\nd,1,a,1,1\n
    one column for the id, found 'doc_id' and 'article'; say columns=
units.csv unit,weight,bart\n => expected one row per content unit
u.jsonl {"id": "t", "units": ["x", "y"], "marks": {"bart": [1]}}
    u.jsonl:1: expected as many units as marks, 1, found 2
u.jsonl {"id": "t", "units": ["x", "y"], "marks": {"bart": 1, "t5": [1, 0]}}
    u.jsonl:1: expected a list of 0 and 1 for bart, or one list per annotator
u.jsonl {"id": "t", "units": ["x", "y"], "marks": {"bart": [[1, 0], [1]]}}
    u.jsonl:1:  ... all as long, found lists of different lengths
u.jsonl {"id": "t", "units": ["x", "y"], "marks": {"bart": [1, 2]}}
    u.jsonl:1: expected 0 or 1 for bart, found 2
u.jsonl {"id": "t", "system": [], "marks": [1, 0]}
    u.jsonl:1: expected the name of a system beside the marks
u.jsonl {"id": "t", "system": "a", "candidate": "x", "first": [1, 0], "second": [[0, 1]]}
    one column of marks, found first and second; say format

== load
x.bin \x00\x01
    x.bin: not recognised as any known format; `summetry formats` lists them, format=NAME names one
    (`--from NAME` in `convert`)$
x.csv => x.csv: the file is empty$
x.jsonl => x.jsonl: the file is empty$
x.csv \xef\xbb\xbf => x.csv: the file is empty$
x.jsonl \xef\xbb\xbf => x.jsonl: the file is empty$
x.csv \n\n \r\n => x.csv: the file is empty but for blanks$
x.jsonl \n\n \r\n => x.jsonl: the file is empty but for blanks$
x.md caf\xe9 => x.md:1: expected UTF-8, found the byte 0xe9
# A pickle runs code when it is loaded.
abs.pkl \x80\x04\x95\x0b\x00\x00\x00\x00\x00\x00\x00}\x94\x8c\x01a
    not recognised as any known format

== load folder
x.txt x => x.txt: expected a folder, found a file$
""")
def test_a_broken_file_is_named_with_its_line(write, reader, name, content, words):
    assert_says(refusal(READERS[reader], write(name, content)), words)


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


DATA = Path(__file__).parents[1] / "data"
FOLDERS = {"bc3": BC3, "easc": EASC, "pyrxsum": PYRXSUM}
SAMPLES = ("duc", "tac", "ducview")
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
    elif name in SAMPLES:
        shutil.copytree(DATA / name, path)
    elif name in FOLDERS:
        folder_of(path, FOLDERS[name])
    elif name == "rose":
        path = folder / "rose.json"
        path.write_text(json.dumps(rose_rows()), encoding="utf-8")
    elif name == "summeval":
        path = written(folder / "summeval.jsonl", summeval_rows())
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
