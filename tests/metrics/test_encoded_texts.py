"""Greedy matching and the cosine of mean vectors: plain loops, by hand, idf, through the engine."""

import itertools
import json
import math

import numpy as np
import pytest
from comparisons import compare_texts, notes, one, scores
from tiny_encoders import WORDS, TinyModel, tiny_vectors, write_static

import summetry
from summetry.encoders import write_idf
from summetry.encoders.folder import Folder
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


def by_loops(candidate, reference, vectors, weights=None):
    """Precision, recall and F of lists of tokens, one token at a time."""
    weights = weights or dict.fromkeys(vectors, 1.0)

    def mean_of_best(tokens, others):
        cosines = [[cosine(vectors[token], vectors[o]) for o in others] for token in tokens]
        total = sum(weights[t] * max(0.0, *row) for t, row in zip(tokens, cosines, strict=True))
        return total / sum(weights[token] for token in tokens)

    precision, recall = mean_of_best(candidate, reference), mean_of_best(reference, candidate)
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0.0


def mean_of(rows):
    return [sum(column) / len(rows) for column in zip(*rows, strict=True)]


TINY = dict(zip(WORDS, tiny_vectors().astype(float).tolist(), strict=True))


def score_one(spelling, candidate, *references):
    return list(one(spelling, compare_texts(candidate, references)).values())


@pytest.mark.parametrize("reference", REFERENCES)
def test_values_are_those_of_plain_loops(reference):
    sides = [words_of(text) for text in (CANDIDATE, reference)]
    expected = by_loops(*sides, TINY)
    assert score_one("greedy_match", CANDIDATE, reference) == pytest.approx(expected, abs=1e-6)
    means = [mean_of([TINY[word] for word in words]) for words in sides]
    (value,) = score_one("embedding_cosine", CANDIDATE, reference)
    assert value == pytest.approx(cosine(*means), abs=1e-12)


@pytest.mark.parametrize("reference", REFERENCES[:2])
def test_a_model_gives_the_values_of_plain_loops_on_its_states(reference, onnx_folder):
    model = TinyModel()
    sides = [words_of(text) for text in (CANDIDATE, reference)]
    whole = [model.state(model.ids(words)).tolist() for words in sides]
    # The states are single precision. The mean is over all positions, also the first and the last.
    (found,) = score_one(f'embedding_cosine(path="{onnx_folder}")', CANDIDATE, reference)
    assert found == pytest.approx(cosine(*map(mean_of, whole)), abs=1e-5)
    vectors = dict(enumerate(itertools.chain(*(states[1:-1] for states in whole))))
    places = list(range(len(sides[0]))), list(range(len(sides[0]), len(vectors)))
    found = score_one(f'greedy_match(path="{onnx_folder}")', CANDIDATE, reference)
    assert found == pytest.approx(by_loops(*places, vectors), abs=1e-5)


@pytest.mark.parametrize(("candidate", "reference", "expected"), [
    ("pier", "quay", pytest.approx([0.8, 0.8, 0.8], abs=1e-6)),
    ("pier", "pier quay", pytest.approx([1, 0.9, 2 * 0.9 / 1.9], abs=1e-6)),
    # Lengths of vectors do not matter; opposite ones have 0, as unknown ones without a vector.
    ("pier", "x", [1, 1, 1]),
    ("fog", "pier", [0, 0, 0]),
    ("zeppelin", "pier", [0, 0, 0]),
    # Twice the same token counts twice.
    ("pier pier fog", "pier", [2 / 3, 1, 0.8]),
])  # fmt: skip
def test_greedy_matches_by_hand(tmp_path, candidate, reference, expected):
    # pier and quay have the cosine 0.8, ferry is at a right angle to both, fog opposite to it.
    vectors = [[0, 0], [1, 0], [2, 0], [0.8, 0.6], [-3, 0]]
    write_static(tmp_path, ["[UNK]", "x", "pier", "quay", "fog"], vectors)
    assert score_one(f'greedy_match(path="{tmp_path}")', candidate, reference) == expected


def test_cosines_of_mean_vectors_by_hand(tmp_path):
    write_static(tmp_path, ["[UNK]", "pier", "quay", "fog"], [[0, 0], [1, 0], [0, 1], [-1, 0]])
    for candidate, references, expected in (
        ("pier", ["quay"], 0),
        ("pier", ["fog"], -1),
        ("pier quay", ["pier"], math.sqrt(0.5)),
        ("pier", ["fog", "quay", "pier quay"], math.sqrt(0.5)),
        # Nothing, and words without a vector, are the worst; no reference is no value.
        ("", ["pier"], -1),
        ("zebra", ["pier"], -1),
        ("pier fog", ["pier"], -1),
        ("pier", [""], math.nan),
        ("pier", ["zebra"], math.nan),
    ):
        values = score_one(f'embedding_cosine(path="{tmp_path}")', candidate, *references)
        assert values == pytest.approx([expected], nan_ok=True), (candidate, references)


def test_several_references_give_the_best_of_each_value_or_the_mean():
    each = [score_one("greedy_match", CANDIDATE, text) for text in REFERENCES]
    best = score_one("greedy_match", CANDIDATE, *REFERENCES)
    assert best == [max(values) for values in zip(*each, strict=True)]
    mean = score_one("greedy_match(references=mean)", CANDIDATE, *REFERENCES)
    assert mean == pytest.approx(mean_of(each))


def many():
    random = np.random.default_rng(3)
    texts = [" ".join(random.choice(WORDS[1:], random.integers(0, 40))) for _ in range(60)]
    return [compare_texts(texts[i], texts[40 + i % 20 :][:2]) for i in range(40)]


@pytest.mark.parametrize("name", ["greedy_match", "embedding_cosine"])
def test_one_pair_and_many_have_the_same_bits(name, onnx_folder, monkeypatch):
    metric = METRICS.build(f'{name}(path="{onnx_folder}")')
    pairs = many()
    together = scores(metric, *pairs)
    for place, pair in enumerate(pairs):
        in_batch = {value: float(numbers[place]) for value, numbers in together.items()}
        assert repr(one(metric, pair)) == repr(in_batch)
    # Nor does it matter how much is encoded at once and kept.
    monkeypatch.setattr("summetry.metrics._encoded._BLOCK", 3)
    monkeypatch.setattr("summetry.metrics._encoded._MOST_BYTES", 0)
    for value, numbers in scores(metric, *pairs).items():
        assert numbers.tobytes() == together[value].tobytes()


def test_texts_are_encoded_once_for_both_metrics_and_vectors_dropped_when_memory_ends(
    onnx_folder, monkeypatch
):
    encoded, batch, encode = [], Batch(many()), Folder.encode
    monkeypatch.setattr(Folder, "encode", lambda self, t: (encoded.extend(t), encode(self, t))[1])
    monkeypatch.setattr("summetry.metrics._encoded._BLOCK", 3)
    for name in ("embedding_cosine", "greedy_match"):
        METRICS.build(name).count(batch)
    assert len(encoded) == len(set(encoded)) == len(set(batch.strings))
    encoder = METRICS.build(f'greedy_match(path="{onnx_folder}")').encoder
    texts = EncodedTexts(Batch(many()), encoder, most_bytes=4000)
    for start in range(0, len(batch.strings) - 3):
        texts.need([start, start + 1, start + 2])
        assert all(len(texts[start + i]) >= 0 for i in range(3))
        assert texts.bytes <= 4000 + 3 * 40 * 8 * 4


def idf_file(folder, path=""):
    file = folder / "idf.json"
    write_idf(REFERENCES, file, path=str(path))
    return file


def test_idf_weighs_tokens_as_plain_loops_do(tmp_path):
    file = idf_file(tmp_path)
    content = json.loads(file.read_text())
    assert content["documents"] == 3 and "boat" not in content["frequencies"]
    assert [content["frequencies"][token] for token in ("ferry", ".", "quay")] == [2, 1, 1]
    documents = [set(words_of(text)) for text in REFERENCES]
    weights = {w: math.log(4 / (sum(w in d for d in documents) + 1)) for w in WORDS}
    metric = f'greedy_match(idf="{file}")'
    for reference in REFERENCES:
        expected = by_loops(words_of(CANDIDATE), words_of(reference), TINY, weights)
        assert score_one(metric, CANDIDATE, reference) == pytest.approx(expected, abs=1e-6)
    plain = score_one("greedy_match", CANDIDATE, REFERENCES[0])
    assert plain[2] != pytest.approx(score_one(metric, CANDIDATE, REFERENCES[0])[2])


def test_a_model_counts_documents_without_being_run_and_words_of_all_documents_have_no_value(
    tmp_path, onnx_folder
):
    metric = f'greedy_match(path="{onnx_folder}",idf="{idf_file(tmp_path, onnx_folder)}")'
    assert score_one(metric, CANDIDATE, CANDIDATE) == [1.0, 1.0, 1.0]
    write_idf(["pier fog", "pier"], tmp_path / "idf.json")
    values = score_one(f'greedy_match(idf="{tmp_path / "idf.json"}")', "fog", "pier")
    assert all(map(math.isnan, values))


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


def test_weights_and_frequencies_are_in_the_signature(tmp_path):
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


def test_long_texts_are_read_in_windows_and_options_of_the_folder_may_be_the_metrics(onnx_folder):
    pairs = [compare_texts("fog " * 50, ["pier"]), compare_texts("fog", ["pier"])]
    what = "texts that the encoder cannot read at once are read in overlapping windows"
    assert notes(f'greedy_match(path="{onnx_folder}")', *pairs) == {what: 1}
    assert notes("greedy_match", *pairs) == {}
    short = METRICS.build('greedy_match(path="x",limit=64,long=refuse)')
    whole = METRICS.build('greedy_match(encoder=folder(path="x",limit=64,long=refuse))')
    assert short == whole and short.files == ("x",)
