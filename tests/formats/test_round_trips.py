"""What is written and read again has the same scores, in every format that holds what they need."""

import dataclasses
import re
import warnings

import numpy as np
import pytest

import summetry
from summetry.errors import SummetryError
from summetry.formats import FORMATS, load
from summetry.records.corpus import Corpus
from summetry.records.pyramids import Pyramid
from summetry.records.topics import Document, Topic
from summetry.references.labels import label_units
from summetry.tasks.ranking import RankingRun

WORDS = ["unit_overlap", "lcs.f", "rouge-2.f"]
# The metrics that a format keeps.
KEPT = {
    "ducview": ["pyramid", "pyramid(score=modified)", "scu_recall", "scu_precision", *WORDS],
    "folder": ["pyramid", "coselection", "relative_utility", "rouge-l.f", "compression", *WORDS],
    "mead": ["coselection", "relative_utility", "normalised_relative_utility"],
    "plain": WORDS,
    "rouge_xml": ["rouge-l.f", *WORDS],
    "table": WORDS,
}
# The demo's references are texts, which MEAD has no place for, and a table has no names for them.
WITHOUT_REFERENCES = {"mead", "table"}


def back(corpus, name, folder):
    path = folder / ("out.jsonl" if name == "table" else "out")
    with warnings.catch_warnings():
        # What else is lost is told, and the tests of the format have it.
        warnings.simplefilter("ignore")
        FORMATS.build(name).write(corpus, path)
        return load(path, name, language="en")


def scores(corpus, metrics, protocol):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        table = summetry.evaluate(corpus, metrics, protocol)
    return dict(zip(table.rows, table.data, strict=True))


def test_every_format_that_is_written_is_tried():
    written = {name for name in FORMATS.names() if FORMATS.build(name).can_write}
    # SCU XML holds no summaries; it has a test of its own below.
    assert KEPT.keys() | {"scu_xml"} == written


@pytest.mark.parametrize("name", ["duc", "markdown", "tac"])
def test_a_format_that_is_only_read_says_which_can_be_written(tmp_path, name):
    written = ", ".join(sorted([*KEPT, "scu_xml"]))
    with pytest.raises(
        SummetryError,
        match=f"^the format '{name}' can be read but not written; these can: {written}$",
    ):
        FORMATS.build(name).write(Corpus(), tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.filterwarnings("ignore:.*cannot hold")
@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("ducview", "old.p.pan"),
        ("mead", "old.docsent"),
        ("plain", "peers/old/t01.txt"),
        ("scu_xml", "old.xml"),
    ],
)
def test_a_folder_may_hold_the_same_corpus_and_no_other(tmp_path, name, file):
    write = FORMATS.build(name).write
    topic = Topic("t", documents=(Document("t", units=("One.",)),))
    corpus = Corpus(topics=(topic,), pyramids=(Pyramid("t", ()),))
    for _ in range(2):
        write(corpus, tmp_path)
    old = tmp_path / file
    old.parent.mkdir(parents=True, exist_ok=True)
    old.write_text("left over")
    before = sorted(tmp_path.rglob("*"))
    message = f"holds {re.escape(file)}, which may be read as part of the corpus; write to a folder"
    with pytest.raises(SummetryError, match=message):
        write(corpus, tmp_path)
    assert (sorted(tmp_path.rglob("*")), old.read_text()) == (before, "left over")


@pytest.mark.parametrize(
    ("name", "ending"),
    [
        ("ducview", ".pyr"),
        ("folder", ""),
        ("mead", ".extract"),
        ("plain", ""),
        ("rouge_xml", ".xml"),
    ],
)
def test_a_file_is_no_place_to_write_to(tmp_path, name, ending):
    path = tmp_path / f"file{ending}"
    # A name that files of the format have is refused even where there is none yet.
    for content in ("", "x") if ending else ("x",):
        if content:
            path.write_text(content)
        with pytest.raises(SummetryError, match="expected a folder to write to, "):
            FORMATS.build(name).write(Corpus(), path)
    assert path.read_text() == "x"


@pytest.mark.parametrize("name", KEPT)
def test_scores_stay(demo, tmp_path, name):
    again = back(demo, name, tmp_path)
    for protocol in ("no_models",) if name in WITHOUT_REFERENCES else ("no_models", "all_peers"):
        before, after = (scores(c, KEPT[name], protocol) for c in (demo, again))
        for row, numbers in after.items():
            np.testing.assert_array_equal(numbers, before[row], err_msg=str(row))
        # Only what has no value anyway may be gone.
        gone = [numbers for row, numbers in before.items() if row not in after]
        assert name == "mead" or not gone
        assert after and np.isnan(gone).all()


def test_rankers_stay_where_labels_were_written_as_xml(demo, tmp_path):
    labelled = dataclasses.replace(demo, labels=label_units(demo).labels)
    again = back(labelled, "scu_xml", tmp_path)
    before, after = (RankingRun(c, ["length", "ordered"]).evaluate() for c in (labelled, again))
    assert before.rankers == after.rankers
    assert before.by_chance == after.by_chance
