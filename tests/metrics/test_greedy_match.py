"""Greedy matching, against plain loops, with values by hand, with idf, and through the engine."""

import itertools
import json
import math

import numpy as np
import pytest
from comparisons import compare_texts, one, scores
from hypothesis import given
from strategies import comparisons
from tiny_encoders import WORDS, TinyModel, tiny_vectors, write_static

import summetry
from summetry.encoders import write_idf
from summetry.errors import FormatError, SummetryError
from summetry.metrics import METRICS
from summetry.metrics._encoded import EncodedTexts
from summetry.records.batches import Batch
from summetry.signature import Signature

CANDIDATE = "The boat hit the pier in fog. Nobody was hurt."
REFERENCES = ["A ferry hit the quay.", "Services resume on Monday, nobody was hurt!", "ferry pier"]


@pytest.fixture(scope="module")
def onnx_folder(tmp_path_factory):
    pytest.importorskip("onnx", reason="onnx, which builds the tiny model, is not installed")
    return TinyModel().write(tmp_path_factory.mktemp("onnx"))


def words_of(text):
    """The tokens of the tiny vocabulary, found without the library."""
    for mark in ".,!":
        text = text.replace(mark, f" {mark} ")
    return [word if word in WORDS else "[UNK]" for word in text.lower().split()]


def cosine(x, y):
    dot = sum(a * b for a, b in zip(x, y, strict=True))
    norms = [math.sqrt(sum(a * a for a in vector)) for vector in (x, y)]
    return dot / (norms[0] * norms[1]) if all(norms) else 0.0


def by_loops(candidate, reference, vectors, weights):
    """Precision, recall and F of lists of tokens, one token at a time."""

    def best(token, others):
        return max(0.0, *(cosine(vectors[token], vectors[other]) for other in others))

    covered = sum(weights[t] * best(t, reference) for t in candidate)
    matched = sum(weights[t] * best(t, candidate) for t in reference)
    precision = covered / sum(weights[t] for t in candidate)
    recall = matched / sum(weights[t] for t in reference)
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0.0


def tiny(weight=1.0):
    rows = tiny_vectors().astype(float).tolist()
    return dict(zip(WORDS, rows, strict=True)), dict.fromkeys(WORDS, weight)


def test_values_are_those_of_plain_loops():
    vectors, weights = tiny()
    for reference in REFERENCES:
        found = one("greedy_match", compare_texts(CANDIDATE, [reference]))
        expected = by_loops(words_of(CANDIDATE), words_of(reference), vectors, weights)
        # Each cosine is rounded to a millionth.
        assert list(found.values()) == pytest.approx(expected, abs=1e-6)


@given(comparison=comparisons)
def test_values_of_random_texts_are_those_of_plain_loops(comparison):
    vectors, weights = tiny()
    found = one("greedy_match(references=mean)", comparison)
    candidate = words_of(comparison.candidate.text.replace("'", " ' "))
    parts = []
    for side in comparison.references:
        reference = words_of(side.text.replace("'", " ' "))
        if reference:
            nothing = (0.0, 0.0, 0.0)
            parts.append(by_loops(candidate, reference, vectors, weights) if candidate else nothing)
    expected = [sum(column) / len(parts) for column in zip(*parts, strict=True)] or [math.nan] * 3
    assert list(found.values()) == pytest.approx(expected, abs=1e-6, nan_ok=True)


def test_values_by_hand(tmp_path):
    # pier and quay have the cosine 0.8, ferry is at a right angle to both, fog opposite to it.
    vectors = [[0, 0], [1, 0], [2, 0], [0.8, 0.6], [-3, 0]]
    write_static(tmp_path, ["[UNK]", "x", "pier", "quay", "fog"], vectors)
    metric = f'greedy_match(path="{tmp_path}")'

    def found(candidate, reference):
        return list(one(metric, compare_texts(candidate, [reference])).values())

    assert found("pier", "quay") == pytest.approx([0.8, 0.8, 0.8], abs=1e-6)
    assert found("pier", "pier quay") == pytest.approx([1, 0.9, 2 * 0.9 / 1.9], abs=1e-6)
    # Lengths of vectors do not matter; opposite ones have 0, as unknown ones without a vector.
    assert found("pier", "x") == [1, 1, 1]
    assert found("fog", "pier") == found("zeppelin", "pier") == [0, 0, 0]
    # Twice the same token counts twice.
    assert found("pier pier fog", "pier") == [2 / 3, 1, 0.8]


def test_several_references_give_the_best_of_each_value_or_the_mean():
    each = [one("greedy_match", compare_texts(CANDIDATE, [text])) for text in REFERENCES]
    best = one("greedy_match", compare_texts(CANDIDATE, REFERENCES))
    mean = one("greedy_match(references=mean)", compare_texts(CANDIDATE, REFERENCES))
    for name in ("precision", "recall", "f"):
        assert best[name] == max(values[name] for values in each)
        assert mean[name] == pytest.approx(sum(values[name] for values in each) / 3)


def test_an_empty_text_has_the_worst_value_or_none(onnx_folder):
    for spelling in ("greedy_match", f'greedy_match(path="{onnx_folder}")'):
        assert list(one(spelling, compare_texts("", ["pier"])).values()) == [0, 0, 0]
        for candidate in ("pier", ""):
            values = one(spelling, compare_texts(candidate, [" "]))
            assert all(map(math.isnan, values.values()))


def test_a_model_gives_the_values_of_plain_loops_on_its_states(onnx_folder):
    model = TinyModel()
    for reference in REFERENCES[:2]:
        sides = [words_of(text) for text in (CANDIDATE, reference)]
        states = [model.state(model.ids(words))[1:-1].tolist() for words in sides]
        vectors = dict(enumerate(itertools.chain(*states)))
        places = range(len(sides[0])), range(len(sides[0]), len(vectors))
        expected = by_loops(*map(list, places), vectors, dict.fromkeys(vectors, 1.0))
        found = one(f'greedy_match(path="{onnx_folder}")', compare_texts(CANDIDATE, [reference]))
        assert list(found.values()) == pytest.approx(expected, abs=1e-5)


def many(words=WORDS[1:]):
    random = np.random.default_rng(3)
    texts = [" ".join(random.choice(words, random.integers(0, 40))) for _ in range(60)]
    return [compare_texts(texts[i], texts[40 + i % 20 :][:2]) for i in range(40)]


@pytest.mark.parametrize("name", ["greedy_match", "embedding_cosine"])
@pytest.mark.parametrize("kind", ["static", "onnx"])
def test_one_pair_and_many_have_the_same_bits(name, kind, onnx_folder, static_vectors, monkeypatch):
    path = onnx_folder if kind == "onnx" else static_vectors
    metric = METRICS.build(f'{name}(path="{path}")')
    pairs = many()
    together = scores(metric, *pairs)
    for place, pair in enumerate(pairs):
        alone = one(metric, pair)
        in_batch = {value: float(numbers[place]) for value, numbers in together.items()}
        assert repr(alone) == repr(in_batch)
    # Nor does it matter how much is encoded at once and kept.
    monkeypatch.setattr("summetry.metrics._encoded._BLOCK", 3)
    monkeypatch.setattr("summetry.metrics._encoded._MOST_BYTES", 0)
    again = scores(metric, *pairs)
    assert {n: v.tobytes() for n, v in again.items()} == {
        n: v.tobytes() for n, v in together.items()
    }


def test_each_text_is_encoded_once_for_both_metrics(static_vectors, monkeypatch):
    from summetry.encoders.folder import Folder

    asked = []
    encode = Folder.encode
    monkeypatch.setattr(Folder, "encode", lambda self, t: (asked.extend(t), encode(self, t))[1])
    monkeypatch.setattr("summetry.metrics._encoded._BLOCK", 3)
    batch = Batch(many())
    for name in ("embedding_cosine", "greedy_match"):
        METRICS.build(name).count(batch)
    assert len(asked) == len(set(asked)) == len(set(batch.strings))


def test_vectors_beyond_the_memory_that_they_may_take_are_dropped_and_made_again(onnx_folder):
    batch = Batch(many())
    metric = METRICS.build(f'greedy_match(path="{onnx_folder}")')
    texts = EncodedTexts(batch, metric.encoder, most_bytes=4000)
    for start in range(0, len(batch.strings) - 3):
        texts.need([start, start + 1, start + 2])
        assert all(len(texts[start + i]) >= 0 for i in range(3))
        assert texts.bytes <= 4000 + 3 * 40 * 8 * 4


def idf_file(folder, path=""):
    file = folder / "idf.json"
    write_idf(REFERENCES, file, path=str(path))
    return file


def test_document_frequencies_are_counted_in_the_texts(tmp_path):
    content = json.loads(idf_file(tmp_path).read_text())
    assert content["documents"] == 3
    frequencies = content["frequencies"]
    assert frequencies["ferry"] == 2 and frequencies["."] == 1 and frequencies["quay"] == 1
    assert "boat" not in frequencies


def test_idf_weighs_tokens_as_plain_loops_do(tmp_path):
    vectors, _ = tiny()
    documents = [set(words_of(text)) for text in REFERENCES]
    weights = {w: math.log(4 / (sum(w in d for d in documents) + 1)) for w in WORDS}
    metric = f'greedy_match(idf="{idf_file(tmp_path)}")'
    for reference in REFERENCES:
        found = one(metric, compare_texts(CANDIDATE, [reference]))
        expected = by_loops(words_of(CANDIDATE), words_of(reference), vectors, weights)
        assert list(found.values()) == pytest.approx(expected, abs=1e-6)
    plain = one("greedy_match", compare_texts(CANDIDATE, REFERENCES[:1]))
    assert plain["f"] != pytest.approx(one(metric, compare_texts(CANDIDATE, REFERENCES[:1]))["f"])


def test_a_model_counts_documents_without_being_run(tmp_path, onnx_folder):
    file = idf_file(tmp_path, onnx_folder)
    metric = f'greedy_match(path="{onnx_folder}",idf="{file}")'
    same = one(metric, compare_texts(CANDIDATE, [CANDIDATE]))
    assert same == {"precision": 1.0, "recall": 1.0, "f": 1.0}


def test_a_text_of_words_that_every_document_has_has_no_value(tmp_path, static_vectors):
    file = tmp_path / "idf.json"
    write_idf(["pier fog", "pier"], file)
    values = one(f'greedy_match(idf="{file}")', compare_texts("fog", ["pier"]))
    assert all(map(math.isnan, values.values()))


def test_a_file_of_frequencies_must_be_there_and_fit_the_encoder(tmp_path, onnx_folder):
    pair = compare_texts("pier", ["fog"])
    with pytest.raises(SummetryError, match=r"there is no file 'none.json' .*write_idf writes one"):
        one("greedy_match(idf=none.json)", pair)
    file = idf_file(tmp_path)
    with pytest.raises(FormatError, match=r"tokens of onnx,16 tokens.* found those of static,wei"):
        one(f'greedy_match(path="{onnx_folder}",idf="{file}")', pair)
    file.write_text("[]")
    with pytest.raises(FormatError, match=r"expected document frequencies, as "):
        one(f'greedy_match(idf="{file}")', pair)
    with pytest.raises(SummetryError, match="at least one text, got none"):
        write_idf([], file)
    with pytest.raises(SummetryError, match="a list of texts, got a string"):
        write_idf("fog", file)


def test_weights_and_frequencies_are_in_the_signature(tmp_path, static_vectors):
    def described(spelling):
        (line,) = set(summetry.score(["pier"], ["fog"], [spelling]).signatures.values())
        return Signature.parse(line).text

    plain = described("greedy_match")
    assert plain.startswith("static,weights:") and len(plain.partition(":")[2]) == 16
    file = idf_file(tmp_path)
    first = described(f'greedy_match(idf="{file}")')
    assert first.startswith(f"{plain},idf:")
    write_idf(["pier"], file)
    assert described(f'greedy_match(idf="{file}")') != first


def test_an_explanation_pairs_each_token_with_the_nearest(tmp_path):
    vectors = [[0, 1], [1, 0], [0.8, 0.6], [0, -1]]
    write_static(tmp_path, ["[UNK]", "pier", "quay", "fog"], vectors)
    metric = METRICS.build(f'greedy_match(path="{tmp_path}")')
    (part,) = metric.explain(compare_texts("Pier", ["Quay, fog"])).parts
    (match,) = part.matches
    assert match.what == "Quay ≈ Pier" and match.weight == pytest.approx(0.8, abs=1e-6)
    assert match.candidate == ((0, 4),) and match.reference == ((0, 4),)
    assert [missed.what for missed in part.missed] == [",", "fog"]
    first, second = part.tables
    assert first.columns == ("reference", "candidate", "similarity")
    assert [row[0] for row in first.rows] == [",", "fog", "Quay"]
    assert second.rows == (("Pier", "Quay", pytest.approx(0.8, abs=1e-6)),)


def test_long_texts_are_said_to_be_read_in_windows(onnx_folder):
    metric = METRICS.build(f'greedy_match(path="{onnx_folder}")')
    pairs = [compare_texts("fog " * 50, ["pier"]), compare_texts("fog", ["pier"])]
    what = "texts that the encoder cannot read at once are read in overlapping windows"
    assert metric.notes(Batch(pairs)) == {what: 1}
    assert METRICS.build("greedy_match").notes(Batch(pairs)) == {}


def test_options_of_the_folder_may_be_given_to_the_metric(static_vectors):
    short = METRICS.build('greedy_match(path="x",limit=64,long=refuse)')
    whole = METRICS.build('greedy_match(encoder=folder(path="x",limit=64,long=refuse))')
    assert short == whole and short.files == ("x",)
    with pytest.raises(SummetryError, match="no encoder is named 'torch'"):
        METRICS.build("greedy_match(encoder=torch)")
    with pytest.raises(SummetryError, match="encoder must be an encoder such as folder"):
        METRICS.build("greedy_match(encoder=3)")
