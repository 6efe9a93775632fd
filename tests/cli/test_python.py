"""The functions for Python find and print what the commands find and print."""

import math
import shlex

import pandas
import pytest
from command_line import succeed

import summetry
from summetry.errors import SummetryError, SummetryWarning, UnknownNameError
from summetry.formats.scores import write_scores
from summetry.records import CorpusBuilder
from summetry.records.text_scores import Values

WIDE = pandas.DataFrame(
    {
        "id": [f"t{n}" for n in range(6)],
        "reference": ["a b c d"] * 6,
        "bart": ["a b c d", "a b c x", "a b c d", "a b c d", "a b c x", "a b c d"],
        "t5": ["x y", "a b", "a y", "a b", "x b", "c d"],
    }
)


BART_AND_T5 = {"candidate": "bart+t5"}


def typed(line):
    return succeed(*shlex.split(line))


@pytest.fixture
def wide(here):
    WIDE.to_csv("wide.csv", index=False)
    return "wide.csv"


def test_compare_prints_and_ranks_as_the_command_does(wide):
    """Of 24 words of bart 22 are right; F of "a b" is 2/3, of "a y" 1/3."""
    with pytest.warns(SummetryWarning, match="'bart' and 't5' are taken for the candidates of"):
        rankings = summetry.compare(wide)
    assert list(rankings) == ["rouge-1", "rouge-2", "rouge-l"]
    means = {s.system: s.mean for s in rankings["rouge-1"].systems}
    t5 = (0 + 2 + 1 + 2 + 1 + 2) / 3 / 6
    assert means == {"bart": pytest.approx(22 / 24), "t5": pytest.approx(t5)}
    done = typed("compare wide.csv --columns candidate=bart+t5 --all-pairs")
    assert rankings.report(all_pairs=True).splitlines() == done.lines
    output = typed("compare wide.csv --columns candidate=bart+t5 --json").json
    assert rankings.verdicts == output["settings"]["verdicts"]
    short = repr(rankings).splitlines()
    assert short[0].startswith("bart is better than t5 on rouge-1 by 0.472 (")
    assert max(map(len, short)) <= 80
    best = [line.split()[:3] for line in short if line.startswith("1  ")]
    assert best == [["1", "bart", mean] for mean in ("0.9167", "0.8889", "0.9167")]
    assert "<p>bart is better than t5 on rouge-1" in rankings._repr_html_()


def test_compare_takes_scores_texts_frames_and_functions_for_what_they_are(wide, tmp_path):
    table = summetry.evaluate(wide, columns=BART_AND_T5)
    write_scores(table, tmp_path / "scores.csv")
    pairs = summetry.compare(WIDE, columns=BART_AND_T5)["rouge-2.f"].pairs
    for scores in (table, tmp_path / "scores.csv", table.to_pandas()):
        assert summetry.compare(scores)["rouge-2"].pairs == pairs

    def words(candidate):
        return len(candidate.split())

    rankings = summetry.compare(WIDE, [words, "rouge1.recall"], columns=BART_AND_T5)
    assert list(rankings) == ["words", "rouge1.recall"]
    assert [s.mean for s in rankings["words"].systems] == [4, 2]
    assert rankings["ROUGE1.recall"].column.value == "recall"
    with pytest.raises(UnknownNameError, match="no metric among the rankings is named 'lcs'"):
        rankings["lcs"]
    with pytest.raises(SummetryError, match=r"called 'candidate'\. Known: id, system, "):
        summetry.compare(tmp_path / "scores.csv", columns=BART_AND_T5)


def test_rankings_are_frames():
    rankings = summetry.compare(WIDE, "rouge-1,rouge-2", columns=BART_AND_T5)
    systems = rankings.to_pandas()
    assert systems.metric.tolist() == ["rouge-1", "rouge-1", "rouge-2", "rouge-2"]
    assert systems.system.tolist() == ["bart", "t5"] * 2
    against = rankings.to_pandas("against")
    assert against.system.tolist() == ["t5", "t5"] and (against.verdict == "worse").all()
    pairs = rankings.to_pandas("pairs")
    assert pairs.difference.tolist() == [-number for number in against.difference]
    with pytest.raises(SummetryError, match="what must be one of systems, against, power, pairs"):
        rankings.to_pandas("pair")


def test_correlate_prints_what_the_command_prints(corpus):
    demo = summetry.load(corpus)
    table = summetry.evaluate(demo, ["rouge-1", "rouge-2"])
    write_scores(table, corpus.parent / "scores.csv")
    line = "correlate scores.csv --judgments corpus --all-values --draws 20"
    single = summetry.correlate(table, demo, dimensions="responsiveness", draws=20)
    assert " ".join(single.report().split()) == typed(f"{line} --dimension responsiveness").words
    assert repr(single).startswith("responsiveness, system level: 6 systems, 3 topics, 2 judges\n")
    both = summetry.correlate(table, demo, draws=20, tests=False)
    assert max(map(len, repr(both).splitlines())) <= 80
    frame = both.to_pandas()
    assert len(frame) == len(list(both.records()))
    first = frame[(frame.metric == "rouge-1.f") & (frame.dimension == "grammaticality")]
    assert first.value.iloc[0] == both.tables[1].rows[6].value


def test_explain_prints_what_the_command_prints(here):
    texts = {"candidate": "The ferry struck the pier.", "reference": "A ferry hit the pier."}
    for name, text in texts.items():
        (here / name).write_text(text)
    done = typed("explain --candidate candidate --reference reference -m rouge1")
    report = summetry.explain(*texts.values(), "rouge1")
    assert repr(report).splitlines() == done.lines
    # Shared: the, ferry, pier; of five words each.
    assert report.explained.values["f"] == pytest.approx(3 / 5)
    assert '<mark class="match">ferry</mark>' in report._repr_html_()


def test_explain_needs_one_candidate_one_metric_and_what_the_metric_needs():
    assert summetry.explain("a b", ["a", "b c"]).name == "rouge-1"
    ratio = summetry.explain("a b", metric="compression", source="a b c d")
    assert ratio.explained.values["value"] == 0.5
    for arguments, message in [
        ((["a"], ["a"]), "candidate must be a string, got a list"),
        (("a", "a", ["rouge1", "rouge2"]), "one metric is explained at a time, got 2"),
        (("a",), "the argument references"),
    ]:
        with pytest.raises(SummetryError, match=message):
            summetry.explain(*arguments)


def test_a_corpus_prints_what_it_holds(demo, snapshot):
    assert repr(demo) == snapshot
    frame = demo.to_pandas()
    assert list(frame) == ["id", "system", "role", "text"] and len(frame) == 81
    assert frame.text[3] == demo.text_of(demo.summaries[3])
    empty = CorpusBuilder("none").build()
    assert repr(empty).startswith("corpus  none\n") and empty.to_pandas().empty


def test_scores_are_shown_folded_by_metric_and_with_what_is_undefined(demo, snapshot):
    assert repr(summetry.evaluate(demo)) == snapshot
    assert str(summetry.score(["a b", "c"], ["a b", ""], "rouge-1.f,rouge-1.recall")) == snapshot
    assert str(summetry.score("a", "", "rouge-1.f")) == snapshot


def test_values_are_found_as_in_any_mapping_and_by_the_words_of_rouge_score():
    scores = summetry.score("a b", "a c", "rouge1")
    rankings = summetry.compare(WIDE, "rouge1", columns=BART_AND_T5)
    for mapping, name in ((scores, "rouge1.f"), (scores["rouge1"], "f"), (rankings, "rouge1.f")):
        assert name in mapping and mapping.get(name) is not None
        assert "x" not in mapping and mapping.get("x", 1) == 1
        with pytest.raises(SummetryError, match=r"^no .* is named 'x'\."):
            mapping["x"]
    values = Values({"precision": 0.5, "f": 0.25})
    assert values.fmeasure == 0.25 and values.precision == 0.5
    assert values["fmeasure"] == values["f1"] == values.f1 == 0.25
    with pytest.raises(AttributeError, match="no value is named 'f2'"):
        _ = values.f2
    assert math.isnan(summetry.score("", "", "rouge-1")["rouge-1"].fmeasure)


def scores_of_two(topics, name="theirs", score=lambda n, system: n + len(system)):
    rows = [(f"t{n}", s, score(n, s)) for n in range(topics) for s in ("bart", "t5")]
    return pandas.DataFrame(rows, columns=["id", "system", name])


@pytest.fixture
def per_system(here):
    """A table of texts for each system, and the scores of another program."""
    for system in ("bart", "t5"):
        texts = WIDE[["id", "reference", system]].rename(columns={system: "candidate"})
        texts.to_csv(f"{system}.csv", index=False)
    theirs = scores_of_two(6, score=lambda n, name: (n + len(name)) / 10)
    theirs.to_csv("theirs.csv", index=False)
    return here


def test_compare_joins_texts_with_the_scores_of_another_program(per_system):
    files = ["bart.csv", "t5.csv", "theirs.csv"]
    done = typed(f"compare {' '.join(files)} -m rouge1,theirs")
    with pytest.warns(SummetryWarning) as warnings:
        rankings = summetry.compare(files, ["rouge1", "theirs"])
    assert sorted(rankings) == ["rouge1", "theirs"]
    assert [f"note: {warning.message}" for warning in warnings] == done.err.splitlines()
    means = rankings["theirs"].systems
    # (0 + ... + 5) / 6 and the 4 or 2 letters of the name, divided by 10.
    assert {s.system: s.mean for s in means} == pytest.approx({"bart": 0.65, "t5": 0.45})
    frames = [pandas.read_csv(name) for name in ("bart.csv", "t5.csv")]
    assert [s.system for s in summetry.compare(frames, "rouge1")["rouge1"].systems] == ["1", "2"]


WIDE_SCORES = "id=DocNo,system=Engine,score=F1_bs"
TEXT = {"candidate": "Text"}
LONG_SCORES = "id=DocNo,system=Engine,metric=measure,score=val"


@pytest.mark.parametrize(
    ("files", "columns"),
    [
        ("ours.csv bs.csv", WIDE_SCORES),
        ("bs.csv ours.csv", WIDE_SCORES),
        ("bs.csv texts.csv", f"{WIDE_SCORES},candidate=Text"),
        ("texts.csv bs.csv", f"{WIDE_SCORES},candidate=Text"),
        ("ours.csv long.csv", LONG_SCORES),
        ("texts.csv long.csv", f"{LONG_SCORES},candidate=Text"),
    ],
)
@pytest.mark.filterwarnings("ignore:.*has no signatures", "ignore:.*not read as scores")
def test_a_role_of_columns_goes_to_every_file_that_has_such_a_column(per_system, files, columns):
    theirs = pandas.read_csv("theirs.csv").set_axis(["DocNo", "Engine", "F1_bs"], axis=1)
    theirs.assign(runtime=1.5).to_csv("bs.csv", index=False)
    long = theirs.melt(["DocNo", "Engine"], var_name="measure", value_name="val")
    long.to_csv("long.csv", index=False)
    texts = WIDE.melt(["id", "reference"], ["bart", "t5"], "system", "Text")
    texts.to_csv("texts.csv", index=False)
    typed("score bart.csv t5.csv -m rouge1 -o ours.csv")
    done = typed(f"compare {files} -m rouge1,F1_bs --columns {columns} --draws 9")
    known = dict(role.split("=") for role in columns.split(","))
    ranked = summetry.compare(files.split(), "rouge1,F1_bs", columns=known, draws=9)
    assert {*ranked.report().splitlines()} == {*done.lines}
    means = {s.system: s.mean for s in ranked["F1_bs"].systems}
    assert means == pytest.approx({"bart": 0.65, "t5": 0.45})
    assert ranked["rouge1"].systems[0].mean == pytest.approx(22 / 24)
    frames = [pandas.read_csv(name) for name in files.split()]
    worst = summetry.worst(frames, "F1_bs", corpus=texts, columns=known | TEXT, count=1)
    assert [*worst.texts.values()] == ["x y"]


@pytest.mark.filterwarnings("ignore:.*has no signatures")
def test_correlate_takes_names_of_columns_and_two_arguments_without_names(per_system):
    people = scores_of_two(6, "content", lambda n, name: n % 3 + len(name))
    people.to_csv("people.csv", index=False)
    # Only the judgments have the judge, and only the scores of another program their score.
    bert = pandas.read_csv("theirs.csv").rename(columns={"id": "DocNo", "theirs": "bs"})
    texts = WIDE.melt(["id", "reference"], ["bart", "t5"], "system", "Text")
    for scores, columns in [
        (["theirs.csv", bert], {"id": "DocNo", "score": "bs", "quality": "content"}),
        (texts, {"candidate": "Text", "quality": "content"}),
    ]:
        named = summetry.correlate(scores, "people.csv", columns=columns, tests=False)
        assert named.tables[0].dimension == "quality"
    with pytest.raises(SummetryError, match="the column 'words', which no row has"):
        summetry.correlate("theirs.csv", "people.csv", columns={"quality": "words"})
    with pytest.raises(TypeError, match="multiple values for argument 'judgments'"):
        summetry.correlate("theirs.csv", "rouge1", judgments="people.csv")
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'judgments'"):
        summetry.correlate("theirs.csv")


MISTAKES = [
    (lambda: summetry.load("wide.csv", columns={"sumary": "bart"}),
     r"columns: no column is called 'sumary'\."),
    (lambda: summetry.score(WIDE[["id", "reference"]], metrics="rouge1"),
     r"columns=\{'candidate': 'NAME'\}"),
    (lambda: summetry.compare(scores_of_two(3), "rouge-2"), "metrics='rouge-2'"),
    (lambda: summetry.compare(
        [WIDE[["id", "reference", "t5"]], WIDE[["id", "reference", "bart"]].head(4)], "lcs"),
     "to go on without them: on_error='skip'$"),
    (lambda: summetry.summarize("A b. C d. E f.", "trainable", 1, language="en"), "train"),
]  # fmt: skip


@pytest.mark.parametrize(("mistake", "message"), MISTAKES)
@pytest.mark.filterwarnings("ignore:.* is taken for the candidate")
def test_errors_speak_of_arguments_not_of_options(wide, mistake, message):
    with pytest.raises(SummetryError, match=message) as caught:
        mistake()
    assert "--" not in str(caught.value)


def test_warnings_notes_and_reports_speak_of_arguments_too(wide):
    rankings = summetry.compare(scores_of_two(3), "theirs")
    (note,) = rankings["theirs"].notes
    assert note.endswith("more topics, or test='t', can show more")
    few = summetry.compare(scores_of_two(3), "theirs", test="bootstrap")
    assert "false positives; prefer\ntest='permutation'" in few.report()
    assert "--" not in rankings.report() + few.report()
    with pytest.warns(SummetryWarning, match="; language names another"):
        summetry.score("The ferry struck the pier.", "A ferry hit the pier.", "rouge-1(stem=true)")


def test_values_that_are_the_same_with_one_reference_are_compared_once(wide):
    """AutoSummENG and MeMoG differ in what they do with several references."""
    names = ["autosummeng", "memog", "npower.memog", "rouge1"]
    note = "autosummeng: with one reference memog, npower.memog are the same"
    two = WIDE.drop(columns="reference").assign(references=[["a b c d", "x y z"]] * 6)
    with pytest.warns(SummetryWarning, match="are taken for the candidates"):
        rankings = summetry.compare(wide, names)
        assert list(summetry.compare(two, names[:2])) == names[:2]
    assert list(rankings) == ["autosummeng", "rouge1"]
    assert rankings["memog"] is rankings["npower.memog"] is rankings["autosummeng"]
    assert note in rankings["memog"].notes and note not in rankings["rouge1"].notes
    done = typed(f"compare wide.csv -m {','.join(names)}")
    assert note in done.lines and "Systems by memog" not in done.out
    typed(f"score wide.csv -m {','.join(names)} -o scores.csv")
    assert list(summetry.compare("scores.csv", names)) == ["autosummeng", "rouge1"]
