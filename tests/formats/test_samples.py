"""Small samples of published formats: everything that is read from them, as it was reviewed."""

import csv
import json
import shutil

import pytest
from format_checks import noted, read_with_notes
from public_samples import (
    BC3,
    FOLDERS,
    PUBLIC,
    folder_of,
    rose_rows,
    sample_of,
    summeval_rows,
    written,
)

from summetry.formats import load, recognise
from summetry.formats.folder import Folder
from summetry.formats.judgments import read_judgments
from summetry.records.summaries import Extract


@pytest.mark.parametrize("name", PUBLIC)
def test_a_sample_is_read_with_all_that_it_holds(name, tmp_path, snapshot):
    path = sample_of(name, tmp_path)
    assert recognise(path).name == name
    corpus, notes = read_with_notes(path)
    Folder().write(corpus, tmp_path / "read")
    files = [file.read_text(encoding="utf-8") for file in sorted((tmp_path / "read").iterdir())]
    assert "\n".join([*notes, *files]).replace(f"{path.parent}/", "") == snapshot


def test_summeval_may_lack_texts_and_is_judgments_of_other_scores_and_a_table_like_any_other(write):
    bare = write("bare.jsonl", [row | {"text": None} for row in summeval_rows()])
    assert load(bare).topics[0].documents == ()
    assert read_judgments(bare).judgments == load(bare).judgments
    table, notes = noted(load, bare, "table")
    assert "'decoded' is taken for the candidate" in notes[0]
    assert [s.author for s in table.summaries if s.role == "candidate"] == ["M0", "M1"] * 2


def test_a_system_of_rose_may_be_called_reference_and_units_may_be_alone(write):
    (row,) = rose_rows()
    row["system_outputs"]["reference"] = "The ferry sank."
    authors = [(s.role, s.author) for s in load(write("r.json", json.dumps([row]))).summaries]
    assert authors[0] == ("reference", "reference 1") and ("candidate", "reference") in authors
    units = [{"id": 0, "reference": "A b.", "acu": ["a", "b"]}]
    (pyramid,) = load(write("acu-cnndm-test.json", json.dumps(units))).pyramids
    assert ([scu.label for scu in pyramid.scus], pyramid.peers) == (["a", "b"], {})


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_easc_as_a_table(tmp_path, kind):
    row = {"article_id": 7, "topic_name": "Sport", "article_text": "One two. Three four."}
    row |= {"summary_A": "Three four", "summary_B": "one two.\nthree four", "summary_E": ""}
    path = written(tmp_path / f"easc.{kind}", [row])
    if kind == "csv":
        with path.open("w", newline="") as file:
            csv.writer(file).writerows([row.keys(), row.values()])
    assert recognise(path).name == "easc"
    corpus = load(path, language="en")
    assert [(topic.id, topic.genre) for topic in corpus.topics] == [("7", "sport")]
    assert corpus.extracts == (Extract("7", "A", (1,)), Extract("7", "B", (0, 1)))


def test_a_broken_row_of_summeval_is_named_and_left_out(write, refused):
    first, second, *rest = summeval_rows()

    def read(change):
        path = write("m.jsonl", [first, second | change, *rest])
        skipped = load(path, on_error="skip")
        assert len(skipped.problems) >= 1 and len(skipped.topics) == 2
        load(path)

    refused(read, [
        {"model_id": ""}, {"decoded": None}, {"references": [1]}, {"references": ["other"]},
        {"expert_annotations": [3]}, {"expert_annotations": [{"coherence": "x"}]},
    ])  # fmt: skip


def test_a_broken_object_of_rose_is_named(write, refused):
    refused(lambda change: load(write("r.json", json.dumps([rose_rows()[0] | change]))), [
        {"example_id": None, "count_id": None},
        {"system_outputs": {"bart": 1}},
        {"system_outputs": {"bart": "x"}},
        {"annotations": {"bart": 3}},
        {"annotations": [3]},
        {"reference_acus": ["a"]},
    ])  # fmt: skip


def test_files_that_do_not_fit_are_named(tmp_path, refused):
    def read(name, file, old, new):
        content = FOLDERS[name].get(file, "")
        folder = folder_of(tmp_path / name, FOLDERS[name] | {file: content.replace(old, new)})
        try:
            load(folder)
        finally:
            shutil.rmtree(folder)

    refused(read, [
        ("pyrxsum", "SCUs.txt", "\na bridge opened\t\n", ""),
        ("pyrxsum", "labels/t5.label", "0\t0", "0"),
        ("pyrxsum", "labels/t5.label", "0\t0", "0\t2"),
        ("pyrxsum", "labels/x.label", "", "0\t0\n0"),
        ("easc", "Articles/Topic2/other.txt", "", "x"),
        ("bc3", "annotation.xml", '<sent id="2.1"/>', '<sent id="3.1"/>'),
        ("bc3", "annotation.xml", "<listno>007-1", "<listno>9"),
        ("bc3", "annotation.xml", "<desc>Annotator1</desc>", ""),
        ("bc3", "annotation.xml", BC3["annotation.xml"], ""),
    ])  # fmt: skip
