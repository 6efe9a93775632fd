"""Judgments beside scores: a corpus, or a table of marks."""

import json

import pytest

from summetry.errors import FormatError, SummetryError, SummetryWarning
from summetry.formats import ReadOptions, load
from summetry.formats.judgments import is_judgments, read_judgments

TABLE = """topic,author,judge,dimension,value,genre,group
t1,lead,j1,content,4,news,A
t1,best,j1,content,4.5,news,A
t2,lead,,content,2,mail,B
"""


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "marks.csv"
    path.write_text(TABLE)
    return path


def as_tuples(corpus):
    return [(j.topic, j.author, j.judge, j.dimension, j.value) for j in corpus.judgments]


def test_a_table_of_marks_is_a_corpus_of_their_topics(table):
    assert is_judgments(table)
    corpus = read_judgments(table)
    assert as_tuples(corpus) == [
        ("t1", "lead", "j1", "content", 4.0),
        ("t1", "best", "j1", "content", 4.5),
        ("t2", "lead", "", "content", 2.0),
    ]
    assert [(t.id, t.genre, t.group) for t in corpus.topics] == [
        ("t1", "news", "A"),
        ("t2", "mail", "B"),
    ]


def test_the_lines_of_a_corpus_are_such_a_table(demo, demo_folder, tmp_path):
    path = tmp_path / "marks.jsonl"
    path.write_bytes((demo_folder / "judgments.jsonl").read_bytes())
    corpus = read_judgments(path, corpus=demo)
    assert corpus.judgments == demo.judgments
    assert corpus.summaries == demo.summaries


def test_a_corpus_gives_its_judgments_and_scales(demo, demo_folder):
    assert read_judgments(demo_folder).judgments == demo.judgments
    bare = load(demo_folder)
    taken = read_judgments(demo_folder, corpus=bare)
    assert (taken.judgments, taken.scales) == (demo.judgments, demo.scales)


def test_letters_need_the_scale_of_a_corpus(tmp_path, demo):
    path = tmp_path / "marks.csv"
    path.write_text("topic,author,dimension,value\nt01,lead,grammaticality,A\n")
    with pytest.raises(SummetryError, match="a number, found the mark 'A' for grammaticality"):
        read_judgments(path)
    (mark,) = read_judgments(path, corpus=demo).judgments
    assert demo.mark(mark) == len(demo.scales["grammaticality"])


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("t1,lead,j1,content,4,,\nt1,lead,j1,content,5,,\n", "one judgment t1 lead j1 content"),
        ("t1,lead,j1,content,,,\n", "a number, found the mark ''"),
        ("t1,lead,j1,content,nan,,\n", "a number, found the mark 'nan'"),
        ("t1,lead,j1,content,4,news,A\nt1,best,j1,content,4,mail,A\n", "the same genre and group"),
        ("", "expected judgments, found none"),
    ],
)
def test_what_is_no_mark_is_told(tmp_path, rows, message):
    path = tmp_path / "marks.csv"
    path.write_text("topic,author,judge,dimension,value,genre,group\n" + rows)
    with pytest.raises(SummetryError, match=message):
        read_judgments(path)


@pytest.mark.parametrize("value", [True, None, [1], {"a": 1}])
def test_a_value_that_is_neither_number_nor_mark(tmp_path, value):
    path = tmp_path / "marks.jsonl"
    record = {"topic": "t", "author": "a", "dimension": "d", "value": value}
    path.write_text(json.dumps(record) + "\n")
    with pytest.raises(SummetryError, match=r"marks\.jsonl:1: expected a number or a letter"):
        read_judgments(path)
    good = {**record, "author": "b", "value": 3}
    path.write_text(json.dumps(record) + "\n" + json.dumps(good) + "\n")
    kept = read_judgments(path, ReadOptions(on_error="skip"))
    assert [j.author for j in kept.judgments] == ["b"] and len(kept.problems) == 1


def test_columns_that_are_missing_and_corpora_without_judgments(tmp_path, demo_folder):
    path = tmp_path / "marks.csv"
    path.write_text("topic,author,dimension\nt,a,d\n")
    with pytest.raises(SummetryError, match="the columns id, system, dimension, value"):
        read_judgments(path)
    path.write_text("topic,author,dim\nt,a,d\n")
    with pytest.raises(SummetryError, match=r"marks\.csv: expected judgments, .* dimension, value"):
        read_judgments(path)
    folder = tmp_path / "corpus"
    folder.mkdir()
    for name in ("corpus.json", "topics.jsonl"):
        (folder / name).write_bytes((demo_folder / name).read_bytes())
    with pytest.raises(SummetryError, match="expected judgments, found none; they are in a corpus"):
        read_judgments(folder)
    assert not is_judgments(tmp_path / "nowhere.csv")


def test_what_cannot_be_read_is_not_called_a_table_without_judgments(tmp_path):
    path = tmp_path / "marks.csv"
    path.write_bytes(
        "topic,author,judge,dimension,value\nt1,a,j,cont\u00e9nt,1\n".encode("latin-1")
    )
    with pytest.raises(FormatError, match=r"marks.csv:2: expected UTF-8, found the byte 0xe9"):
        read_judgments(path)


WIDE = """id,system,coherence,fluency,comment
1,lead,4,2.5,short
1,best,5,,
2,lead,1,3,long
"""


@pytest.mark.parametrize(
    ("header", "judge"),
    [
        ("id,system", ""),
        ("topic,author", ""),
        ("id,system,judge", "j1"),
        ("id,author,annotator", "j1"),
    ],
)
def test_a_table_with_a_column_for_each_dimension(tmp_path, header, judge):
    path = tmp_path / "judgments.csv"
    more = f",{judge}" if judge else ""
    rows = [f"1,lead{more},4,2.5,short", f"1,best{more},5,,", f"2,lead{more},1,3,long"]
    path.write_text("\n".join([f"{header},coherence,fluency,comment", *rows]))
    assert is_judgments(path)
    corpus = read_judgments(path)
    assert as_tuples(corpus) == [
        ("1", "lead", judge, "coherence", 4.0),
        ("1", "lead", judge, "fluency", 2.5),
        ("1", "best", judge, "coherence", 5.0),
        ("2", "lead", judge, "coherence", 1.0),
        ("2", "lead", judge, "fluency", 3.0),
    ]
    # What holds no numbers is named, not dropped in silence.
    assert corpus.problems == (f"{path}: columns that are no judgments: 'comment'",)


def test_the_usual_names_of_columns_in_a_long_table(tmp_path):
    path = tmp_path / "judgments.csv"
    path.write_text("id,system,annotator,dimension,value\n7,bart,ann,fluency,4\n")
    assert as_tuples(read_judgments(path)) == [("7", "bart", "ann", "fluency", 4.0)]


def test_wide_judgments_as_json_lines_and_as_pandas_writes_them(tmp_path):
    path = tmp_path / "judgments.jsonl"
    rows = [
        {"id": 1, "system": "a", "coherence": 3, "fluency": None},
        {"id": 2, "system": "a", "coherence": None, "fluency": 2.5},
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    assert as_tuples(read_judgments(path)) == [
        ("1", "a", "", "coherence", 3),
        ("2", "a", "", "fluency", 2.5),
    ]
    path = tmp_path / "judgments.csv"
    path.write_text("Unnamed: 0,id,system,genre,coherence\n0,1,a,news,3\n1,2,a,mail,4\n")
    corpus = read_judgments(path)
    assert {j.dimension for j in corpus.judgments} == {"coherence"}
    assert [topic.genre for topic in corpus.topics] == ["news", "mail"]


def test_a_word_in_a_column_of_numbers_is_refused_with_its_place(tmp_path):
    path = tmp_path / "judgments.csv"
    path.write_text(WIDE.replace("1,best,5", "1,best,n/a"))
    with pytest.raises(FormatError, match=r"csv:3: expected a number as coherence, or"):
        read_judgments(path)
    kept = read_judgments(path, ReadOptions(on_error="skip"))
    assert len(kept.judgments) == 4 and "'n/a'" in kept.problems[0]


def test_a_row_without_a_topic_is_skipped_and_told_once(tmp_path):
    path = tmp_path / "marks.jsonl"
    row = {"topic": "t1", "author": "lead", "judge": "j1", "dimension": "content", "value": 4}
    rows = [row, row | {"topic": None}, row | {"topic": "t2"}]
    path.write_text("".join(json.dumps(one) + "\n" for one in rows))
    with pytest.raises(FormatError, match=r"marks\.jsonl:2: expected a name as topic, found none"):
        read_judgments(path)
    kept = read_judgments(path, ReadOptions(on_error="skip"))
    assert [one.topic for one in kept.judgments] == ["t1", "t2"]
    assert len(kept.problems) == 1 and "marks.jsonl:2: " in kept.problems[0]


@pytest.mark.parametrize("row", ["t1,,3", ",lead,3"])
def test_an_empty_cell_is_no_name(tmp_path, row):
    path = tmp_path / "marks.csv"
    path.write_text(f"topic,author,relevance\nt1,lead,1\n{row}\n")
    with pytest.raises(FormatError, match=r"marks\.csv:3: expected a name as (topic|author)"):
        read_judgments(path)


def test_letters_of_a_scale_may_stand_in_a_wide_table(tmp_path, demo):
    path = tmp_path / "judgments.csv"
    path.write_text("id,system,grammaticality,fluency\nt01,lead,A,2\n")
    letter, number = read_judgments(path, corpus=demo).judgments
    assert (letter.dimension, letter.value) == ("grammaticality", "A")
    assert (number.dimension, number.value) == ("fluency", 2.0)


def test_a_table_of_texts_has_no_judgments(tmp_path):
    path = tmp_path / "texts.csv"
    path.write_text("id,system,candidate\n1,a,a text\n")
    assert not is_judgments(path)
    with pytest.raises(SummetryError, match="or id, system and one column of numbers per"):
        read_judgments(path)


def test_a_column_per_judge(tmp_path):
    path = tmp_path / "judgments.csv"
    path.write_text(
        "doc_id,model,relevance_1,relevance_2,fluency,part_3\n7,bart,4,5,2,1\n8,t5,1,,3,1\n"
    )
    words = (
        "'doc_id' is taken for the id, 'model' for the system, 'relevance_1' and 'relevance_2' for "
        "judges on relevance"
    )
    with pytest.warns(SummetryWarning, match=words):
        corpus = read_judgments(path)
    assert as_tuples(corpus) == [
        ("7", "bart", "1", "relevance", 4.0),
        ("7", "bart", "2", "relevance", 5.0),
        ("7", "bart", "", "fluency", 2.0),
        ("7", "bart", "", "part_3", 1.0),
        ("8", "t5", "1", "relevance", 1.0),
        ("8", "t5", "", "fluency", 3.0),
        ("8", "t5", "", "part_3", 1.0),
    ]
    apart = ReadOptions(columns={"dimension": "relevance_1+relevance_2", "id": "doc_id",
                                 "system": "model"})  # fmt: skip
    corpus = read_judgments(path, apart)
    assert {j.dimension for j in corpus.judgments} == {"relevance_1", "relevance_2"}
    assert corpus.problems == (f"{path}: columns that are no judgments: 'fluency', 'part_3'",)


def test_the_columns_of_judges_can_be_named(tmp_path):
    path = tmp_path / "judgments.csv"
    path.write_text("d,who,rel_ann,rel_bob,flu\n7,bart,4,5,1\n")
    named = {"id": "d", "who": "system", "relevance": "rel_ann+rel_bob"}
    corpus = read_judgments(path, ReadOptions(columns=named))
    assert as_tuples(corpus) == [
        ("7", "bart", "rel_ann", "relevance", 4.0),
        ("7", "bart", "rel_bob", "relevance", 5.0),
    ]
    with pytest.raises(FormatError, match="found no 'id'; --columns id=NAME names it"):
        read_judgments(path)


def test_one_row_per_dimension_and_a_column_per_judge(tmp_path):
    path = tmp_path / "judgments.csv"
    path.write_text("id,system,criterion,ann,bob\n7,bart,clarity,4,5\n")
    with pytest.warns(SummetryWarning, match="'criterion' is taken for the dimension, 'ann' and"):
        corpus = read_judgments(path)
    assert as_tuples(corpus) == [
        ("7", "bart", "ann", "clarity", 4.0),
        ("7", "bart", "bob", "clarity", 5.0),
    ]


def test_rows_of_a_summary_without_a_name_are_judges_by_number(tmp_path):
    path = tmp_path / "judgments.csv"
    path.write_text("id,system,coherence\n7,bart,4\n8,bart,1\n7,bart,5\n")
    with pytest.warns(SummetryWarning, match="up to 2 rows: they are taken for judges 1 to 2"):
        corpus = read_judgments(path)
    assert as_tuples(corpus) == [
        ("7", "bart", "1", "coherence", 4.0),
        ("8", "bart", "1", "coherence", 1.0),
        ("7", "bart", "2", "coherence", 5.0),
    ]


def test_lists_and_objects_in_cells(tmp_path):
    path = tmp_path / "judgments.jsonl"
    row = {"id": "7", "system": "bart", "clarity": [4, None, 5], "marks": {"fluency": 2, "by": "x"}}
    path.write_text(json.dumps(row))
    assert as_tuples(read_judgments(path)) == [
        ("7", "bart", "1", "clarity", 4),
        ("7", "bart", "3", "clarity", 5),
        ("7", "bart", "", "fluency", 2),
    ]
    path = tmp_path / "judgments.csv"
    path.write_text('id,system,clarity\n7,bart,"[4, 5]"\n')
    assert [j.value for j in read_judgments(path).judgments] == [4, 5]


def test_groups_of_judges_on_the_same_dimensions_stay_apart(tmp_path):
    path = tmp_path / "judgments.jsonl"
    row = {"id": "7", "system": "bart", "expert": [{"clarity": 4}, {"clarity": 5}],
           "crowd": [{"clarity": 1}]}  # fmt: skip
    path.write_text(json.dumps(row))
    assert as_tuples(read_judgments(path)) == [
        ("7", "bart", "1", "expert.clarity", 4),
        ("7", "bart", "2", "expert.clarity", 5),
        ("7", "bart", "1", "crowd.clarity", 1),
    ]
    only = read_judgments(path, ReadOptions(columns={"judge": "crowd"}))
    assert as_tuples(only) == [("7", "bart", "1", "clarity", 1)]
