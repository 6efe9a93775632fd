"""What is written and read again has the same scores, in every format that holds what they need."""

import dataclasses
import warnings

import numpy as np
import pytest

import summetry
from summetry.errors import SummetryError
from summetry.formats import FORMATS, load
from summetry.records.corpus import Corpus
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
