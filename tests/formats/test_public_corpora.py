"""Public corpora as they are published: small files of exactly these shapes, written for tests."""

import csv
import json

import pytest
from format_checks import assert_says, expressed, noted, refusal, values
from public_samples import BC3, EASC, PYRXSUM, folder_of, rose_rows, summeval_rows, written

from summetry.errors import SummetryError
from summetry.formats import load, recognise
from summetry.formats.judgments import read_judgments
from summetry.records.summaries import Extract


def judged(corpus):
    return {(j.topic, j.author, j.judge, j.dimension): j.value for j in corpus.judgments}


def test_summeval(tmp_path):
    path = written(tmp_path / "model_annotations.aligned.paired.jsonl", summeval_rows())
    assert recognise(path).name == "summeval"
    corpus = load(path)
    assert [topic.id for topic in corpus.topics] == ["dm-test-1", "dm-test-2"]
    assert corpus.topics[0].units == ("The ferry sank in fog.", "Nobody was hurt.")
    of_first = corpus.of_topic("summaries", "dm-test-1")
    authors = "reference 1 reference, reference 2 reference, M0 candidate, M1 candidate"
    assert ", ".join(f"{s.author} {s.role}" for s in of_first) == authors
    assert of_first[2].meta == {"filepath": "stories/1.story"}
    marks = judged(corpus)
    assert len(marks) == 4 * 5
    assert marks["dm-test-1", "M0", "expert 2", "coherence"] == 4
    assert marks["dm-test-1", "M0", "turker 1", "turker_coherence"] == 1
    # Without the texts, and as the judgments of other scores.
    rows = [{k: v for k, v in row.items() if k != "text"} for row in summeval_rows()]
    assert load(written(tmp_path / "bare.jsonl", rows)).topics[0].documents == ()
    assert judged(read_judgments(path)) == marks
    # As a table like any other.
    table, notes = noted(load, path, "table")
    assert "'decoded' is taken for the candidate" in notes[0]
    assert [s.author for s in table.summaries if s.role == "candidate"] == ["M0", "M1"] * 2


@pytest.mark.parametrize(("field", "value", "words"), [
    ("model_id", "", "a name as model_id, found none"),
    ("decoded", None, "text in 'decoded', found null"),
    ("references", [1], "a list of texts in 'references'"),
    ("references", ["other"],
     "the references and text of id 'dm-test-1' at m.jsonl:1, found others"),
    ("expert_annotations", [3], "objects of dimensions in 'expert_annotations', found 3"),
    ("expert_annotations", [{"coherence": "x"}], "a number as coherence, found 'x'"),
])  # fmt: skip
def test_a_broken_row_of_summeval_is_named(write, field, value, words):
    first, second, *rest = summeval_rows()
    path = write("m.jsonl", [first, second | {field: value}, *rest])
    assert f"m.jsonl:2: expected {words}" in refusal(load, path)
    skipped = load(path, on_error="skip")
    assert len(skipped.problems) >= 1 and len(skipped.topics) == 2


def test_rose(tmp_path):
    path = tmp_path / "protocol-comparison.json"
    path.write_text(json.dumps(rose_rows(), indent=4))
    assert recognise(path).name == "rose"
    corpus = load(path)
    authors = [(s.author, s.role) for s in corpus.summaries]
    assert authors == [("reference", "reference"), ("bart", "candidate"), ("t5", "candidate")]
    marks = judged(corpus)
    assert marks["03ab", "bart", "", "normalized_acu"] == 0.4
    assert marks["03ab", "reference", "", "prior"] == 5
    assert len(marks) == 7
    assert expressed(corpus) == {"03ab bart": ["1"], "03ab t5": []}
    # The published score of a summary is the share of units that it expresses.
    assert values(corpus, "scu_recall") == {("03ab", "bart"): 0.5, ("03ab", "t5"): 0.0}


def test_a_system_of_rose_may_be_called_reference_and_units_may_be_alone(write):
    (row,) = rose_rows()
    row["system_outputs"]["reference"] = "The ferry sank."
    corpus = load(write("r.json", json.dumps([row])))
    assert [s.author for s in corpus.summaries if s.role == "reference"] == ["reference 1"]
    assert "reference" in [s.author for s in corpus.summaries if s.role == "candidate"]
    units = [{"id": 0, "reference": "A b.", "acu": ["a", "b"]}]
    (pyramid,) = load(write("acu-cnndm-test.json", json.dumps(units))).pyramids
    assert ([scu.label for scu in pyramid.scus], pyramid.peers) == (["a", "b"], {})


@pytest.mark.parametrize(("change", "words"), [
    ({"example_id": None, "count_id": None}, "a name as example_id, count_id or id, found no"),
    ({"system_outputs": {"bart": 1}}, "a text as output of bart, found 1"),
    ({"system_outputs": {"bart": "x"}}, "an output of t5, which has annotations, found none"),
    ({"annotations": {"bart": 3}}, "an object of judgments on bart, found 3"),
    ({"annotations": [3]}, "an object of systems in 'annotations'"),
    ({"reference_acus": ["a"]}, "1 times 0 or 1 as acu_labels of bart, found [1, 0]"),
])  # fmt: skip
def test_a_broken_object_of_rose_is_named(write, change, words):
    path = write("r.json", json.dumps([rose_rows()[0] | change]))
    assert f"r.json:1: expected {words}" in refusal(load, path)


def test_pyrxsum(tmp_path):
    folder = folder_of(tmp_path / "PyrXSum", PYRXSUM)
    assert recognise(folder).name == "pyrxsum"
    corpus = load(folder)
    assert [topic.id for topic in corpus.topics] == ["xsum1", "xsum2"]
    assert len(corpus.topics[0].units) == 2
    assert corpus.text_of(corpus.of_topic("summaries", "xsum1")[2]) == ""
    scus = {"bart": ["1"], "t5": []}
    assert expressed(corpus) == {f"{t} {a}": scus[a] for t in ("xsum1", "xsum2") for a in scus}
    shares = values(corpus, "scu_recall")
    assert shares["xsum1", "bart"] == 0.5 and shares["xsum2", "bart"] == 1.0


BROKEN_BC3 = [
    ('<sent id="2.1"/>', '<sent id="3.1"/>', "a sentence of thread '007-1', found id '3.1'"),
    ("<listno>007-1", "<listno>9", "the thread '9' in corpus.xml, found none"),
    ("<desc>Annotator1</desc>", "", "desc in annotation, found none"),
]


@pytest.mark.parametrize(("files", "words"), [
    (PYRXSUM | {"SCUs.txt": "a"}, "SCUs.txt: expected 2 lines, as in ids.txt, found 1"),
    *((PYRXSUM | {"labels/t5.label": text}, "t5.label:1: expected 2 times 0 or 1, as many as "
       "units") for text in ("0\n0", "0\t2\n0")),
    (PYRXSUM | {"labels/x.label": "0\t0\n0"}, "x.label: expected the summaries in  ... "
     "x.summary, found none"),
    (EASC | {"Articles/Topic2/other.txt": "x"}, "Topic2: expected one article, found 2"),
    *((BC3 | {"annotation.xml": BC3["annotation.xml"].replace(old, new)},
       f"annotation.xml: ... : expected {words}") for old, new, words in BROKEN_BC3),
])  # fmt: skip
def test_files_that_do_not_fit_are_named(tmp_path, files, words):
    assert_says(refusal(load, folder_of(tmp_path, files)), words)


def test_easc(tmp_path):
    folder = folder_of(tmp_path / "EASC-UTF-8", EASC)
    assert recognise(folder).name == "easc"
    corpus, (note,) = noted(load, folder)
    words = "1 of 4 sentences of extracts not found in the source: 'هبت عاصفة' of  ... .1.B"
    assert_says(note, words)
    genres = [(topic.id, topic.genre) for topic in corpus.topics]
    assert genres == [("Topic2", "sport"), ("Topic10", "art")]
    # The last one has a hamza that the article leaves out.
    extracts = ("Topic2", "A", (0,)), ("Topic2", "B", (1,)), ("Topic10", "A", (0,))
    assert corpus.extracts == tuple(Extract(*fields) for fields in extracts)
    assert corpus.language == "ar"


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_easc_as_a_table(tmp_path, kind):
    row = {"article_id": 7, "topic_name": "Sport", "article_text": "One two. Three four."}
    row |= {"summary_A": "Three four", "summary_B": "one two.\nthree four", "summary_E": ""}
    path = tmp_path / f"easc.{kind}"
    if kind == "jsonl":
        written(path, [row])
    else:
        with path.open("w", newline="") as file:
            csv.writer(file).writerows([row.keys(), row.values()])
    assert recognise(path).name == "easc"
    corpus = load(path, language="en")
    assert [(topic.id, topic.genre) for topic in corpus.topics] == [("7", "sport")]
    assert corpus.extracts == (Extract("7", "A", (1,)), Extract("7", "B", (0, 1)))


def test_bc3(tmp_path):
    folder = folder_of(tmp_path / "bc3", BC3)
    assert recognise(folder).name == "bc3"
    corpus = load(folder)
    (topic,) = corpus.topics
    assert (topic.id, topic.title) == ("007-1", "Two weeks?")
    assert topic.units == ("The meetings are too large.", "Two weeks would do.", "> No way.")
    assert [document.date for document in topic.documents] == ["Tue Dec 08 1998", "Wed Dec 09 1998"]
    (extract,) = corpus.extracts
    assert (extract.informant, set(extract.units)) == ("Annotator1", {1, 2})
    (reference,) = corpus.summaries
    assert reference.sentences == ("Somebody wants two weeks.", "No.")
    (folder / "annotation.xml").unlink()
    with pytest.raises(SummetryError, match="bc3: not recognised as any known format"):
        recognise(folder)
