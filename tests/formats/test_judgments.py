"""Judgments beside scores: a corpus, or a table of marks."""

import pytest
from format_checks import assert_says, noted, refusal

from summetry.formats import ReadOptions, load
from summetry.formats.judgments import is_judgments, read_judgments

SKIP = ReadOptions(on_error="skip")


def marks(corpus):
    """Each judgment in words: topic, author, judge (- for nobody), dimension and value."""
    return ", ".join(
        f"{j.topic} {j.author} {j.judge or '-'} {j.dimension} {j.value:g}" for j in corpus.judgments
    )


def columns(**names):
    return ReadOptions(columns=names)


def test_a_table_of_marks_is_a_corpus_of_their_topics(write):
    head = "topic,author,judge,dimension,value,genre,group\n"
    rows = "t1,lead,j1,content,4,news,A\nt1,best,j1,content,4.5,news,A\nt2,lead,,content,2,mail,B\n"
    path = write("marks.csv", head + rows)
    assert is_judgments(path)
    corpus = read_judgments(path)
    assert marks(corpus) == "t1 lead j1 content 4, t1 best j1 content 4.5, t2 lead - content 2"
    topics = [(t.id, t.genre, t.group) for t in corpus.topics]
    assert topics == [("t1", "news", "A"), ("t2", "mail", "B")]


def test_a_corpus_gives_its_judgments_and_scales_and_its_lines_are_such_a_table(
    demo, demo_folder, write
):
    assert read_judgments(demo_folder).judgments == demo.judgments
    taken = read_judgments(demo_folder, corpus=load(demo_folder))
    assert (taken.judgments, taken.scales) == (demo.judgments, demo.scales)
    path = write("marks.jsonl", (demo_folder / "judgments.jsonl").read_bytes())
    corpus = read_judgments(path, corpus=demo)
    assert (corpus.judgments, corpus.summaries) == (demo.judgments, demo.summaries)


def test_letters_need_the_scale_of_a_corpus(write, demo):
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


@pytest.mark.parametrize(("content", "options", "expected", "words"), [
    ("id,system,annotator,dimension,value\n7,bart,ann,fluency,4\n", None,
     "7 bart ann fluency 4", ""),
    ([{"id": 1, "system": "a", "coherence": 3, "fluency": None},
      {"id": 2, "system": "a", "coherence": None, "fluency": 2.5}], None,
     "1 a - coherence 3, 2 a - fluency 2.5", ""),
    (PER_JUDGE, None,
     "7 bart 1 relevance 4, 7 bart 2 relevance 5, 7 bart - fluency 2, 7 bart - part_3 1, "
     "8 t5 1 relevance 1, 8 t5 - fluency 3, 8 t5 - part_3 1",
     "'doc_id' is taken for the id, 'model' for the system, 'relevance_1' and 'relevance_2' "
     "for judges on relevance"),
    (PER_JUDGE, columns(dimension="relevance_1+relevance_2", id="doc_id", system="model"),
     "7 bart - relevance_1 4, 7 bart - relevance_2 5, 8 t5 - relevance_1 1",
     "columns that are no judgments: 'fluency', 'part_3'$"),
    ("d,who,rel_ann,rel_bob,flu\n7,bart,4,5,1\n",
     columns(id="d", who="system", relevance="rel_ann+rel_bob"),
     "7 bart rel_ann relevance 4, 7 bart rel_bob relevance 5",
     "columns that are no judgments: 'flu'"),
    ("id,system,criterion,ann,bob\n7,bart,clarity,4,5\n", None,
     "7 bart ann clarity 4, 7 bart bob clarity 5",
     "'criterion' is taken for the dimension, 'ann' and"),
    ("id,system,coherence\n7,bart,4\n8,bart,1\n7,bart,5\n", None,
     "7 bart 1 coherence 4, 8 bart 1 coherence 1, 7 bart 2 coherence 5",
     "up to 2 rows: they are taken for judges 1 to 2"),
    ([LISTS], None, "7 bart 1 clarity 4, 7 bart 3 clarity 5, 7 bart - fluency 2", ""),
    ('id,system,clarity\n7,bart,"[4, 5]"\n', None,
     "7 bart 1 clarity 4, 7 bart 2 clarity 5", ""),
    ([GROUPS], None, "7 bart 1 expert.clarity 4, 7 bart 2 expert.clarity 5, "
     "7 bart 1 crowd.clarity 1", ""),
    ([GROUPS], columns(judge="crowd"), "7 bart 1 clarity 1", ""),
], ids=["usual names", "JSON Lines", "a column per judge", "dimensions by name", "judges by name",
         "a row per dimension, a column per judge", "several rows are judges", "lists in cells",
         "lists in cells of CSV", "groups of judges", "one group"])  # fmt: skip
def test_judges_and_dimensions_in_many_shapes(write, content, options, expected, words):
    path = write("j.csv" if isinstance(content, str) else "j.jsonl", content)
    corpus, notes = noted(read_judgments, path, *([options] if options else []))
    assert marks(corpus) == expected
    assert_says(" ".join([*notes, *corpus.problems]), words)
