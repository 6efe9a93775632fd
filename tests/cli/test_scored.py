"""Where compare, correlate and their like take scores and judgments from."""

import shlex

import pytest
from command_line import run_command, succeed

import summetry
from summetry.cli._scored import JudgedOptions, Scored, judged_corpus
from summetry.errors import SummetryError
from summetry.formats.scores import write_scores


@pytest.fixture(scope="module")
def demo(three_topics):
    return summetry.load(three_topics)


@pytest.fixture(scope="module")
def table(demo):
    return summetry.evaluate(demo, ["rouge-2", "unit_overlap"])


@pytest.fixture
def scores(table, here):
    write_scores(table, here / "scores.csv")
    return "scores.csv"


def read(*sources, metrics=None, protocols=("no_models",), **options):
    return JudgedOptions(metrics, **options).read_or_score(list(map(str, sources)), protocols)


def test_metrics_are_picked_from_a_file_and_computed_for_a_corpus(scores, corpus):
    (picked,) = read(scores, metrics=["rouge-2.recall"]).tables
    assert [column.name for column in picked.columns] == ["rouge-2.recall"]
    protocols = ("no_models", "all_peers")
    tables = read("corpus", metrics=["rouge-2.recall"], protocols=protocols).tables
    assert [table.rows[0].protocol for table in tables] == list(protocols)
    assert tables[0].data.tolist() == picked.data.tolist()


@pytest.mark.parametrize(
    "line",
    [
        "compare --draws 20",
        "correlate --judgments marks.csv --draws 10",
        "discriminate --judgments marks.csv --draws 20",
        "combine -m cosine --judgments marks.csv --folds 2 --draws 10",
    ],
)
def test_every_command_on_scores_takes_names_of_columns_and_scores_of_others(here, line):
    """Four systems that lose more and more of six words, on six topics."""
    words = ["one", "two", "three", "four", "five", "six"]
    texts, marks = ["doc,who,text,gold"], ["topic,author,judge,dimension,value"]
    theirs = ["doc,who,bertscore"]
    for topic in range(6):
        for i, system in enumerate("abcd"):
            rest = words[: 6 - i - (topic * i) % 3]
            texts.append(f"{topic},{system},{' '.join(rest)},{' '.join(words)}")
            marks.append(f"{topic},{system},j,content,{10 - 2 * i + topic % 2}")
            theirs.append(f"{topic},{system},{i % 3}")
    for name, lines in (("texts", texts), ("marks", marks), ("bert", theirs)):
        (here / f"{name}.csv").write_text("\n".join(lines))
    command, *options = line.split()
    columns = "id=doc,system=who,candidate=text,reference=gold"
    typed = f"{command} texts.csv -m rouge-1 {' '.join(options)} --columns {columns}"
    assert "rouge-1" in succeed(*shlex.split(typed)).out
    out = succeed(*shlex.split(f"{typed} bert.csv -m bertscore")).out
    assert "rouge-1" in out and "bertscore" in out


@pytest.fixture
def bert(here, demo):
    """Scores of another program for the candidates of the corpus: 1 for lead, else 0."""
    peers = [s for s in demo.summaries if s.role == "candidate"]
    rows = [f"{s.topic},{s.author},{int(s.author == 'lead')}" for s in peers]
    (here / "bert.csv").write_text("\n".join(["doc_id,model,bertscore", *rows]))
    return "bert.csv"


NOTES = pytest.mark.filterwarnings("ignore::summetry.errors.SummetryWarning")


@NOTES
def test_scores_of_others_are_joined_with_ours(scores, table, bert, corpus, capsys):
    """Row by row the numbers of each file, whatever the order of the files."""
    metrics = ["bertscore", "rouge-2.f"]
    f_by_row = dict(zip(table.rows, table.column("rouge-2.f"), strict=True))
    for files in ([scores, bert], [bert, scores]):
        (joined,) = read(*files, metrics=metrics, judgments="corpus").tables
        assert [column.name for column in joined.columns] == metrics
        assert dict(zip(joined.rows, joined.data.tolist(), strict=True)) == {
            row: [row.author == "lead", f] for row, f in f_by_row.items()
        }
    note = (
        "bert.csv has no signatures; assumed: protocol no_models, that higher is better (bertscore)"
    )
    assert note in " ".join(capsys.readouterr().err.split())


@NOTES
def test_a_corpus_is_scored_by_what_is_ours_and_the_rest_is_in_files(bert, demo, corpus, capsys):
    result = read("corpus", bert, metrics=["rouge-2.f,bertscore"], protocols=())
    first, second = result.tables
    assert [column.name for column in first.columns] == ["rouge-2.f", "bertscore"]
    # What the other program did with references is not known.
    assert [column.name for column in second.columns] == ["rouge-2.f"]
    assert {row.protocol for row in second.rows} == {"all_peers"}
    assert result.corpus.judgments == demo.judgments
    (alone,) = read("corpus", bert, metrics=["bertscore"]).tables
    assert [column.name for column in alone.columns] == ["bertscore"]
    with pytest.raises(SummetryError, match="no metric is named 'bertsore'"):
        read("corpus", bert, metrics=["bertsore"])
    (corpus.parent / "other.csv").write_text("id,system,bleurt\n7,lead,1\n")
    read(bert, "other.csv")
    note = "note: other has no topic of bert, so its topics are added as further ones; other has"
    assert note in " ".join(capsys.readouterr().err.split())


@NOTES
def test_the_advice_for_a_table_that_is_not_understood_is_there_to_be_typed(here):
    rows = [f"{n},{name},0.{n},{n}.5" for n in range(1, 7) for name in ("lead", "bart")]
    (here / "bs.csv").write_text("\n".join(["DocNo,Engine,P_bs,runtime", *rows]))
    for typed in ("compare bs.csv", "compare bs.csv --columns id=DocNo"):
        said = run_command(*typed.split()).err
        advice = "--columns id=DocNo,system=Engine,score=P_bs+runtime"
        assert f"; {advice} says which" in said
    assert "P_bs" in succeed("compare", "bs.csv", *advice.split(), "--draws", "9").out
    said = run_command("compare", "bs.csv", "--columns", "id=DocNo,system=Motor").err
    assert "'Motor', which no row has. Columns: bs.csv has DocNo, Engine, P_bs, runtime" in said


@pytest.fixture
def marks(here):
    def write(content):
        (here / "marks.csv").write_text(content)
        return "marks.csv"

    return write


@NOTES
def test_columns_of_judgments_are_named_beside_those_of_scores(scores, bert, corpus, marks):
    path = marks("d,who,ann,bob\nt01,lead,4,5\nt02,lead,1,2\n")
    result = read(scores, judgments=path, columns="id=d,system=who,clarity=ann+bob")
    judgments = [(j.topic, j.judge, j.dimension, j.value) for j in result.corpus.judgments]
    assert judgments[:2] == [("t01", "ann", "clarity", 4.0), ("t01", "bob", "clarity", 5.0)]
    message = (
        r"the column 'whom', which no row has. Did .*'who'\? .*marks\.csv has d, who, ann, bob$"
    )
    with pytest.raises(SummetryError, match=message):
        read(scores, judgments=path, columns="id=d,system=whom")
    # Neither the scores nor the texts have the judges, nor the judgments the score.
    for sources, metrics in ([(scores, "bert.csv"), None], [("corpus", "bert.csv"), ["bertscore"]]):
        columns = "id=d,system=who,clarity=ann+bob,score=bertscore"
        result = read(*sources, metrics=metrics, judgments=path, columns=columns)
        assert [(j.dimension, j.judge) for j in result.corpus.judgments][:1] == [("clarity", "ann")]


def test_judgments_come_from_the_corpus_or_from_a_file(scores, demo, corpus, marks, capsys):
    assert read(scores).corpus is None
    beside = read(scores, judgments="corpus")
    assert judged_corpus(beside, ["scores.csv"]).judgments == demo.judgments
    path = marks("topic,author,dimension,value\nt01,lead,content,4\n")
    own = read("corpus", metrics=["unit_overlap"], judgments=path)
    assert own.corpus.summaries == demo.summaries
    assert [judgment.dimension for judgment in own.corpus.judgments] == ["content"]
    # Bad marks stop the run or are told.
    path = marks("topic,author,dimension,value\nt01,lead,content,?\nt01,best,content,4\n")
    with pytest.raises(SummetryError, match=r"marks\.csv:2: .* found the mark '\?'"):
        read(scores, judgments=path)
    read(scores, judgments=path, on_error="skip")
    assert "skipped: " in capsys.readouterr().err
    with pytest.raises(SummetryError, match="a score table has no judgments; --judgments names"):
        judged_corpus(Scored((), None), ["scores.csv"])
