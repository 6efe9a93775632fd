"""Files beside a corpus: judgments, queries, lengths, and what audits and judges wrote."""

import json

import msgspec
import pytest
from format_checks import noted, refusal
from judge_tables import ALT_TEST, PAIRS, POINTS

import summetry
from summetry.formats import ReadOptions, load
from summetry.formats.audit_tables import read_audit
from summetry.formats.judge_tables import read_alt_test, read_judge
from summetry.formats.judgments import is_judgments, read_judgments
from summetry.formats.search_files import read_qrels, read_queries
from summetry.formats.topic_lengths import read_length
from summetry.formats.topic_queries import read_topic_queries, with_queries
from summetry.records.corpus import Corpus
from summetry.records.judgments import Qrel, Query
from summetry.records.lengths import Length
from summetry.records.topics import Topic
from summetry.reports.audits import audit_tidy, texts_sheet
from summetry.reports.sheets import sheet_records, write_sheets

SKIP = ReadOptions(on_error="skip")


def marks(corpus):
    """Each judgment in words: topic, author, judge (- for nobody), dimension, value, reference."""
    return ", ".join(
        f"{j.topic} {j.author} {j.judge or '-'} {j.dimension} {j.value:g} {j.reference}".strip()
        for j in corpus.judgments
    )


def test_a_table_of_marks_is_a_corpus_of_their_topics(write):
    head = "topic,author,judge,dimension,value,genre,group\n"
    rows = "t1,lead,j1,content,4,news,A\nt1,best,j1,content,4.5,news,A\nt2,lead,,content,2,mail,B\n"
    path = write("marks.csv", head + rows)
    assert is_judgments(path)
    corpus = read_judgments(path)
    assert marks(corpus) == "t1 lead j1 content 4, t1 best j1 content 4.5, t2 lead - content 2"
    topics = [(t.id, t.genre, t.group) for t in corpus.topics]
    assert topics == [("t1", "news", "A"), ("t2", "mail", "B")]


def test_a_corpus_and_its_lines_give_its_judgments(demo, demo_folder, write):
    assert read_judgments(demo_folder).judgments == demo.judgments
    taken = read_judgments(demo_folder, corpus=load(demo_folder))
    assert (taken.judgments, taken.scales) == (demo.judgments, demo.scales)
    path = write("marks.jsonl", (demo_folder / "judgments.jsonl").read_bytes())
    corpus = read_judgments(path, corpus=demo)
    assert (corpus.judgments, corpus.summaries) == (demo.judgments, demo.summaries)
    # Letters need its scale.
    path = write("marks.csv", "topic,author,dimension,value\nt01,lead,grammaticality,A\n")
    (mark,) = read_judgments(path, corpus=demo).judgments
    assert demo.mark(mark) == len(demo.scales["grammaticality"])
    path = write("wide.csv", "id,system,grammaticality,fluency\nt01,lead,A,2\n")
    read = [(j.dimension, j.value) for j in read_judgments(path, corpus=demo).judgments]
    assert read == [("grammaticality", "A"), ("fluency", 2.0)]


ROW = {"topic": "t1", "author": "lead", "judge": "j1", "dimension": "content", "value": 4}


@pytest.mark.parametrize(("change", "words"), [
    *(({"value": value}, "marks.jsonl:2: expected a number or a letter")
      for value in (True, None, [1], {"a": 1})),
    ({"topic": None}, "marks.jsonl:2: expected a name as topic, found none"),
])  # fmt: skip
def test_a_row_that_is_no_judgment_is_skipped_and_told_once(write, change, words):
    path = write("marks.jsonl", [ROW, ROW | {"author": "b"} | change, ROW | {"author": "c"}])
    assert words in refusal(read_judgments, path)
    corpus = read_judgments(path, SKIP)
    assert [j.author for j in corpus.judgments] == ["lead", "c"]
    assert len(corpus.problems) == 1 and "marks.jsonl:2: " in corpus.problems[0]


def test_a_corpus_without_judgments_is_refused(write, demo_folder):
    for name in ("corpus.json", "topics.jsonl"):
        path = write(f"corpus/{name}", (demo_folder / name).read_bytes()).parent
    message = refusal(read_judgments, path)
    assert "expected judgments, found none; they are in a corpus" in message
    assert not is_judgments(path / "nowhere.csv")
    assert not is_judgments(write("texts.csv", "id,system,candidate\n1,a,a text\n"))


WIDE = "coherence,fluency,comment\n1,lead{0},4,2.5,short\n1,best{0},5,,\n2,lead{0},1,3,long\n"


@pytest.mark.parametrize(
    ("header", "judge"),
    [("id,system", ""), ("topic,author", ""), ("id,system,judge", "j1"),
     ("id,author,annotator", "j1")],
)  # fmt: skip
def test_a_table_with_a_column_for_each_dimension(write, header, judge):
    path = write("judgments.csv", f"{header},{WIDE}".format(f",{judge}" if judge else ""))
    assert is_judgments(path)
    corpus = read_judgments(path)
    assert marks(corpus) == (
        "1 lead {0} coherence 4, 1 lead {0} fluency 2.5, 1 best {0} coherence 5, "
        "2 lead {0} coherence 1, 2 lead {0} fluency 3".format(judge or "-")
    )
    # What holds no numbers is named, not dropped in silence.
    assert corpus.problems == ("judgments.csv: columns that are no judgments: 'comment'",)


def test_a_word_in_a_column_of_numbers_is_refused_with_its_place(write):
    path = write("judgments.csv", f"id,system,{WIDE}".format("").replace("1,best,5", "1,best,n/a"))
    assert "csv:3: expected a number as coherence, or" in refusal(read_judgments, path)
    corpus = read_judgments(path, SKIP)
    assert len(corpus.judgments) == 4 and "'n/a'" in corpus.problems[0]
    # A numbered column as pandas writes it is no judgment.
    rows = "Unnamed: 0,id,system,genre,coherence\n0,1,a,news,3\n1,2,a,mail,4\n"
    corpus = read_judgments(write("judgments.csv", rows))
    assert {j.dimension for j in corpus.judgments} == {"coherence"}
    assert [topic.genre for topic in corpus.topics] == ["news", "mail"]


LISTS = {"id": "7", "system": "bart", "clarity": [4, None, 5], "marks": {"fluency": 2, "by": "x"}}
GROUPS = {"id": "7", "system": "bart", "expert": [{"clarity": 4}, {"clarity": 5}],
          "crowd": [{"clarity": 1}]}  # fmt: skip
PER_JUDGE = "doc_id,model,relevance_1,relevance_2,fluency,part_3\n7,bart,4,5,2,1\n8,t5,1,,3,1\n"


SHAPES = {
    "usual names": ("id,system,annotator,dimension,value\n7,bart,ann,fluency,4\n", {}),
    "JSON Lines": (
        [{"id": 1, "system": "a", "coherence": 3, "fluency": None},
         {"id": 2, "system": "a", "coherence": None, "fluency": 2.5}], {}),
    "a column per judge": (PER_JUDGE, {}),
    "dimensions by name": (
        PER_JUDGE, {"dimension": "relevance_1+relevance_2", "id": "doc_id", "system": "model"}),
    "judges by name": (
        "d,who,rel_ann,rel_bob,flu\n7,bart,4,5,1\n",
        {"id": "d", "who": "system", "relevance": "rel_ann+rel_bob"}),
    "a row per dimension, a column per judge": (
        "id,system,criterion,ann,bob\n7,bart,clarity,4,5\n", {}),
    "several rows are judges": (
        "id,system,coherence\n7,bart,4\n8,bart,1\n7,bart,5\n", {}),
    "references": ("id,system,reference,coverage\n7,bart,x,4\n7,bart,y,5\n", {}),
    "references by name": (
        "id,system,model,criterion,value\n7,bart,3,cover,4\n",
        {"reference": "model", "dimension": "criterion"}),
    "a dimension of this name": ("id,system,reference\n7,bart,4\n", {}),
    "lists in cells": ([LISTS], {}),
    "lists in cells of CSV": ('id,system,clarity\n7,bart,"[4, 5]"\n', {}),
    "groups of judges": ([GROUPS], {}),
    "one group": ([GROUPS], {"judge": "crowd"}),
}  # fmt: skip


@pytest.mark.parametrize("case", SHAPES)
def test_judges_and_dimensions_in_many_shapes(write, case, snapshot):
    content, columns = SHAPES[case]
    path = write("j.csv" if isinstance(content, str) else "j.jsonl", content)
    corpus, notes = noted(read_judgments, path, ReadOptions(columns=columns))
    assert "\n".join([*notes, *corpus.problems, *marks(corpus).split(", ")]) == snapshot


# --- queries, qrels and lengths ---


def lengths_of(path):
    lengths = read_length(str(path))
    return [lengths.of_topic(topic) for topic in ("t1", "t2", "3")]


QUERIES = [Query("k1", "ferries in fog"), Query("k2", "rain")]
QRELS = [Qrel("k1", "t1", 1), Qrel("k1", "t2", 0), Qrel("k2", "t1", 2.5)]
LENGTHS = [Length("percent", 37), Length("words", 100), Length("units", 4)]
TOPIC_QUERIES = {"D1": "Why, and how?", "7": "渡轮在哪里"}


@pytest.mark.parametrize(("read", "expected", "name", "content"), [
    *((read_queries, QUERIES, *file) for file in (
        ("q.csv", "id,text\nk1,ferries in fog\nk2, rain \n"),
        ("q.tsv", "id\ttext\nk1\tferries in fog\nk2\train\n"),
        ("q.jsonl", [{"id": "k1", "text": "ferries in fog"}, {"id": "k2", "text": "rain"}]))),
    # As TREC has them, and as a table.
    *((read_qrels, QRELS, *file) for file in (
        ("qrels.txt", "k1 0 t1 1\nk1 Q0 t2 0\n\nk2\t0\tt1\t2.5\n"),
        ("qrels", "k1 0 t1 1\r\nk1 0 t2 0\r\nk2 0 t1 2.5\r\n"),
        ("q.csv", "query,topic,relevance\nk1,t1,1\nk1,t2,0\nk2,t1,2.5\n"),
        ("q.jsonl", [{"query": q.query, "topic": q.topic, "relevance": q.relevance}
                     for q in QRELS]))),
    *((lengths_of, LENGTHS, *file) for file in (
        ("l.csv", "topic,length\nt1,37%\nt2,100 words\n3,4\n"),
        ("l.tsv", "length\tid\tyear\n37%\tt1\t2005\n100 words\tt2\t2005\n4\t3\t2005\n"),
        ("l.jsonl", [{"id": "t1", "length": "37%"}, {"id": "t2", "length": "100 words"},
                     {"id": 3, "length": 4}]))),
    *((read_topic_queries, TOPIC_QUERIES, *file) for file in (
        ("q.csv", 'topic,query\nD1,"Why, and how?"\n7, 渡轮在哪里 \n'),
        ("q.tsv", "query\ttopic\tyear\nWhy, and how?\tD1\t2005\n渡轮在哪里\t7\t2005\n"),
        ("q.jsonl", [{"topic": "D1", "query": "Why, and how?"},
                     {"topic": 7, "query": "渡轮在哪里"}]))),
])  # fmt: skip
def test_tables_of_any_kind_are_read(write, read, expected, name, content):
    assert read(write(name, content)) == expected


def test_a_spelling_is_no_table_of_lengths():
    assert read_length("12.5%") == Length("percent", "12.5")
    assert read_length("mean") == Length("mean")


CORPUS = Corpus("c", topics=(Topic("D1", title="Piers"), Topic("D2", query="old"), Topic("D3")))


def test_queries_of_a_table_take_the_place_of_those_of_the_corpus_and_others_are_told(write):
    changed, notes = with_queries(CORPUS, write("q.csv", "topic,query\nD1,new\nD2,newer\n"))
    queries = [(t.id, t.title, t.query) for t in changed.topics]
    assert queries == [("D1", "Piers", "new"), ("D2", "", "newer"), ("D3", "", "")]
    assert (notes, CORPUS.topics[1].query) == ([], "old")
    path = write("q.csv", "topic,query\nD1,new\nD7,q\nD8,q\n")
    message = "2 of 3 queries are for topics that the corpus does not have, such as 'D7'"
    assert with_queries(CORPUS, path)[1] == [f"{path}: {message}"]
    message = refusal(with_queries, CORPUS, write("other.csv", "topic,query\nD11,x\n"))
    assert "found none of them, but 'D11'. Did you mean 'D1'" in message


# --- what an audit wrote ---


@pytest.fixture(scope="module")
def audit(demo):
    return summetry.audit(demo, "rouge-2", perturbations=["cut", "lead"], limit=9, draws=100)


@pytest.mark.parametrize("name", ["audit.csv", "audit.json"])
def test_both_kinds_of_files_of_an_audit_give_the_same_shares(audit, tmp_path, name):
    write_sheets([audit_tidy(audit), texts_sheet(audit)], tmp_path / name, {}, [])
    names = ("metric", "perturbation", "share", "seen")
    rows = [{name: row[name] for name in names} for row in read_audit(tmp_path / name)]
    assert rows == [{k: row[k] for k in names} for row in sheet_records(audit_tidy(audit))]
    assert rows[1]["seen"] == ""


# --- what a test of judges and a run of a judge wrote ---


@pytest.mark.parametrize(("read", "tables"), [
    (read_alt_test, ALT_TEST), (read_judge, POINTS), (read_judge, PAIRS),
])  # fmt: skip
def test_what_a_test_of_judges_and_a_run_of_a_judge_wrote_is_read(write, read, tables):
    assert read(write("a.json", msgspec.json.encode(tables))) == tables


def replaced(tables, name, **fields):
    """Written tables, in one of which fields of all rows are replaced; without fields no row is."""
    content = msgspec.to_builtins(tables)
    content[name]["rows"] = [row | fields for row in content[name]["rows"] if fields]
    return content


@pytest.mark.parametrize(("read", "content", "words"), [
    (read_alt_test, replaced(ALT_TEST, "judges"), "test -o FILE.json` writes, found no rows"),
    (read_alt_test, replaced(ALT_TEST, "judges", advantage="much"),
     "Expected `float`, got `str` - at `$.judges.rows[0].advantage`"),
    (read_judge, msgspec.to_builtins(ALT_TEST),
     "found JSON of another kind: Object missing required field `model`"),
    (read_judge, replaced(POINTS, "points"), "--tables FILE.json` writes, found no rows"),
])  # fmt: skip
def test_what_no_test_of_judges_and_no_judge_wrote_is_refused(write, read, content, words):
    assert words in refusal(read, write("a.json", json.dumps(content)))


def test_words_of_a_column_for_each_judge_are_classes_of_the_dimension(tmp_path):
    rows = ["id,system,ann,bob", "1,a,good,fair", "1,b,fair,fair", "2,a,good,good", "2,b,good,"]
    (tmp_path / "t.csv").write_text("\n".join(rows))
    how = ReadOptions(columns={"quality": "ann+bob"}, has_classes=True)
    judged = read_judgments(tmp_path / "t.csv", how)
    assert judged.scales == {"quality": ("fair", "good")}
    marks = [(one.judge, one.value) for one in judged.judgments if one.topic == "2"]
    assert marks == [("ann", "good"), ("bob", "good"), ("ann", "good")]
