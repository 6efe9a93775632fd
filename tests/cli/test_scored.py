"""Where compare, correlate and their like take scores and judgments from."""

import inspect
from typing import get_args, get_type_hints

import pytest

import summetry
from summetry.cli._scored import JudgedOptions, Scored, judged_corpus
from summetry.cli.agreement import agreement
from summetry.cli.combine import combine
from summetry.cli.compare import compare
from summetry.cli.correlate import correlate
from summetry.cli.discriminate import discriminate
from summetry.cli.rank import rank
from summetry.errors import SummetryError
from summetry.formats.scores import is_scores, write_scores


@pytest.fixture
def scores(demo, tmp_path):
    table = summetry.evaluate(demo, ["rouge-2", "unit_overlap"])
    write_scores(table, tmp_path / "scores.csv")
    return tmp_path / "scores.csv"


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet", "aesop"])
def test_score_files_are_known_by_what_is_in_them(demo, tmp_path, ending):
    table = summetry.evaluate(demo, ["unit_overlap"])
    write_scores(table, tmp_path / f"scores.{ending}")
    assert is_scores(tmp_path / f"scores.{ending}")
    (read,) = JudgedOptions().read_or_score([str(tmp_path / f"scores.{ending}")]).tables
    assert read.data.tolist() == table.data.tolist()


def test_a_corpus_or_a_table_of_texts_is_not_a_score_file(demo_folder, tmp_path):
    table = tmp_path / "texts.csv"
    table.write_text("candidate,reference\na,b\n")
    assert not is_scores(table) and not is_scores(demo_folder)
    empty = tmp_path / "empty.csv"
    empty.write_text("")
    assert not is_scores(empty)


def test_metrics_are_picked_from_a_file_and_computed_for_a_corpus(scores, demo_folder):
    (picked,) = JudgedOptions(["rouge-2.recall"]).read_or_score([str(scores)]).tables
    assert [column.name for column in picked.columns] == ["rouge-2.recall"]
    protocols = ("no_models", "all_peers")
    read = JudgedOptions(["rouge-2.recall"]).read_or_score([str(demo_folder)], protocols)
    assert [table.rows[0].protocol for table in read.tables] == list(protocols)
    assert read.tables[0].data.tolist() == picked.data.tolist()


def test_columns_of_a_table_are_named(tmp_path, scores):
    table = tmp_path / "texts.csv"
    table.write_text("who,text,gold\na,x y,x y\n")
    named = "system=who,candidate=text,reference=gold"
    (read,) = JudgedOptions(["unit_overlap"], columns=named).read_or_score([str(table)]).tables
    assert (read.rows[0].author, read.data.tolist()) == ("a", [[1.0]])
    with pytest.raises(SummetryError, match=r"--columns: a table of scores has id, .* 'candidate'"):
        JudgedOptions(columns=named).read_or_score([str(scores)])


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("compare", ()),
        ("correlate", ("--judgments", "marks.csv", "--draws", "10")),
        ("discriminate", ("--judgments", "marks.csv")),
        ("combine", ("-m", "cosine", "--judgments", "marks.csv", "--folds", "2", "--draws", "10")),
    ],
)
def test_every_command_on_scores_takes_names_of_columns(call, here, command, options):
    """Four systems that lose more and more of six words, on six topics."""
    words = ["one", "two", "three", "four", "five", "six"]
    texts, marks = ["doc,who,text,gold"], ["topic,author,judge,dimension,value"]
    for topic in range(6):
        for place, system in enumerate("abcd"):
            kept = words[: 6 - place - (topic * place) % 3]
            texts.append(f"{topic},{system},{' '.join(kept)},{' '.join(words)}")
            marks.append(f"{topic},{system},j,content,{10 - 2 * place + topic % 2}")
    (here / "texts.csv").write_text("\n".join(texts))
    (here / "marks.csv").write_text("\n".join(marks))
    asked = (command, "texts.csv", "-m", "rouge-1", *options)
    named = "id=doc,system=who,candidate=text,reference=gold"
    done = call(*asked, "--columns", named)
    assert done.code == 0, done.err
    assert "rouge-1" in done.out


@pytest.fixture
def bert(tmp_path, demo):
    """Scores of another program for the candidates of the corpus: 1 for lead, else 0."""
    rows = [
        f"{s.topic},{s.author},{int(s.author == 'lead')}"
        for s in demo.summaries
        if s.role == "candidate"
    ]
    path = tmp_path / "bert.csv"
    path.write_text("\n".join(["doc_id,model,bertscore", *rows]))
    return path


NOTES = pytest.mark.filterwarnings("ignore::summetry.errors.SummetryWarning")


@NOTES
def test_scores_of_others_are_joined_with_ours(scores, bert, demo_folder, capsys):
    """Row by row the numbers of each file, whatever the order of the files."""
    (ours,) = JudgedOptions().read_or_score([str(scores)]).tables
    for files in ([scores, bert], [bert, scores]):
        options = JudgedOptions(["bertscore", "rouge-2.f"], str(demo_folder))
        (joined,) = options.read_or_score(list(map(str, files))).tables
        assert [column.name for column in joined.columns] == ["bertscore", "rouge-2.f"]
        whose = {row: place for place, row in enumerate(ours.rows)}
        assert set(joined.rows) == set(whose)
        for row, (strange, own) in zip(joined.rows, joined.data.tolist(), strict=True):
            assert strange == (row.author == "lead")
            assert own == ours.column("rouge-2.f")[whose[row]]
    said = (
        "bert.csv has no signatures; assumed: protocol no_models, that higher is better (bertscore)"
    )
    assert said in " ".join(capsys.readouterr().err.split())


@NOTES
def test_a_corpus_is_scored_by_what_is_ours_and_the_rest_is_in_files(bert, demo, demo_folder):
    options = JudgedOptions(["rouge-2.f,bertscore"])
    read = options.read_or_score([str(demo_folder), str(bert)], ())
    first, second = read.tables
    assert [column.name for column in first.columns] == ["rouge-2.f", "bertscore"]
    # What the other program did with references is not known.
    assert [column.name for column in second.columns] == ["rouge-2.f"]
    assert {row.protocol for row in second.rows} == {"all_peers"}
    assert read.corpus.judgments == demo.judgments
    (alone,) = JudgedOptions(["bertscore"]).read_or_score([str(demo_folder), str(bert)]).tables
    assert [column.name for column in alone.columns] == ["bertscore"]


@NOTES
def test_a_metric_that_no_file_has_and_files_of_other_topics_are_named(
    bert, demo_folder, tmp_path, capsys
):
    with pytest.raises(SummetryError, match="no metric is named 'bertsore'"):
        JudgedOptions(["bertsore"]).read_or_score([str(demo_folder), str(bert)])
    other = tmp_path / "other.csv"
    other.write_text("id,system,bleurt\n7,lead,1\n")
    JudgedOptions().read_or_score([str(bert), str(other)])
    said = "note: other has no topic of bert, so its topics are added as further ones; other has"
    assert said in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("compare", ()),
        ("correlate", ("--no-tests",)),
        ("discriminate", ()),
        ("combine", ("--folds", "2", "--draws", "10", "--dimension", "responsiveness")),
    ],
)
def test_every_command_on_scores_joins_those_of_others(call, bert, demo_folder, command, options):
    done = call(command, demo_folder, bert, "-m", "rouge-1.f", "-m", "bertscore", *options)
    assert done.code == 0, done.err
    assert "rouge-1" in done.out and "bertscore" in done.out


@NOTES
def test_columns_of_judgments_are_named_beside_those_of_scores(scores, tmp_path):
    marks = tmp_path / "marks.csv"
    marks.write_text("d,who,ann,bob\nt01,lead,4,5\nt02,lead,1,2\n")
    named = "id=d,system=who,clarity=ann+bob"
    read = JudgedOptions(judgments=str(marks), columns=named).read_or_score([str(scores)])
    found = [(j.topic, j.judge, j.dimension, j.value) for j in read.corpus.judgments]
    assert found[:2] == [("t01", "ann", "clarity", 4.0), ("t01", "bob", "clarity", 5.0)]
    wrong = JudgedOptions(judgments=str(marks), columns="id=d,system=whom")
    with pytest.raises(
        SummetryError, match=r"names the column 'whom', which no file has. Did .*who"
    ):
        wrong.read_or_score([str(scores)])


def test_judgments_come_from_the_corpus_or_from_a_file(scores, demo, demo_folder, tmp_path):
    assert JudgedOptions().read_or_score([str(scores)]).corpus is None
    beside = JudgedOptions(judgments=str(demo_folder)).read_or_score([str(scores)])
    assert judged_corpus(beside, ["scores.csv"]).judgments == demo.judgments
    marks = tmp_path / "marks.csv"
    marks.write_text("topic,author,dimension,value\nt01,lead,content,4\n")
    own = JudgedOptions(["unit_overlap"], str(marks)).read_or_score([str(demo_folder)])
    assert own.corpus.summaries == demo.summaries
    assert [judgment.dimension for judgment in own.corpus.judgments] == ["content"]


def test_bad_marks_stop_the_run_or_are_told(scores, tmp_path, capsys):
    marks = tmp_path / "marks.csv"
    marks.write_text("topic,author,dimension,value\nt01,lead,content,?\nt01,best,content,4\n")
    with pytest.raises(SummetryError, match=r"marks\.csv:2: .* found the mark '\?'"):
        JudgedOptions(judgments=str(marks)).read_or_score([str(scores)])
    JudgedOptions(judgments=str(marks), on_error="skip").read_or_score([str(scores)])
    assert "skipped: " in capsys.readouterr().err


def test_what_is_missing_is_named(scores):
    with pytest.raises(SummetryError, match=r"scores\.cvs: no such file or folder.*scores\.csv"):
        JudgedOptions().read_or_score([str(scores.with_suffix(".cvs"))])
    with pytest.raises(SummetryError, match="no such file or folder"):
        JudgedOptions(judgments="nowhere.csv").read_or_score([str(scores)])
    with pytest.raises(SummetryError, match="a score table has no judgments; --judgments names"):
        judged_corpus(Scored((), None), ["scores.csv"])


STATISTICS = (agreement, combine, compare, correlate, discriminate, rank)


def test_an_option_of_one_name_means_the_same_in_all_commands():
    """The same kind of value and the same default."""
    found = {}
    for command in STATISTICS:
        hints = get_type_hints(command, include_extras=True)
        for name, parameter in inspect.signature(command).parameters.items():
            if name in ("alpha", "draws", "seed", "by", "all_pairs", "pairs", "exclude"):
                kind = get_args(hints[name])[0]
                found.setdefault(name, set()).add((str(kind), parameter.default))
    assert {name: len(kinds) for name, kinds in found.items()} == dict.fromkeys(found, 1)
    # 10,000, and more where so many tests need them.
    assert {default for _, default in found["draws"]} == {None}
