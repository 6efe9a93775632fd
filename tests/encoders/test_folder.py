"""Vectors from a folder and their tokens: what is read and refused; encoders of somebody else."""

import json
import os
import sys
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from comparisons import compare_texts, one
from hypothesis import given
from hypothesis import strategies as st
from tiny_encoders import WORDS, TinyModel, safetensors, tiny_vectors, tokenizer_json, write_static

from summetry.encoders import ENCODERS, Encoder, TokenVectors
from summetry.encoders._onnx import owners, windows_of
from summetry.encoders.tokenizing import WordTokenizer, splits_at_blanks
from summetry.errors import FormatError, MissingPackageError, PlugInError, SummetryError
from summetry.metrics.greedy_match import GreedyMatch

MODEL = TinyModel()
SENTENCE = "The ferry hit a pier in fog."
# The model computes in single precision, on numbers of up to about 10.
CLOSE = 5e-5
TOKENS = ["the", "ferry", "hit", "a", "pier", "in", "fog", "."]


@pytest.fixture(scope="module")
def onnx_folder(tmp_path_factory):
    pytest.importorskip("onnx", reason="onnx, which builds the tiny model, is not installed")
    return MODEL.write(tmp_path_factory.mktemp("onnx"))


def folder(path, **options):
    return ENCODERS.get("folder")(str(path), **options)


def copy_parts(source, target, *names):
    for name in names or ("model.onnx", "tokenizer.json", "config.json"):
        (target / name).write_bytes((source / name).read_bytes())


def refuse(path, match, error=FormatError):
    with pytest.raises(error, match=match):
        folder(path).encode(["a"])


def test_static_vectors_are_rows_of_the_matrix_with_how_often_each_occurs(static_vectors):
    (found,) = folder(static_vectors).encode(["The pier, the PIER! Zeppelin"])
    assert found.tokens == ["[UNK]", "the", "pier", "!"]
    assert found.counts.tolist() == [2, 2, 2, 1]  # The comma and the last word are not known.
    rows = tiny_vectors()[[WORDS.index(token) for token in found.tokens]]
    assert found.vectors.tolist() == rows.tolist()
    exact = rows.astype(float)
    by_hand = (2 * exact[0] + 2 * exact[1] + 2 * exact[2] + exact[3]) / 7
    assert found.mean == pytest.approx(by_hand)
    assert found.unit == pytest.approx(exact / np.linalg.norm(exact, axis=1, keepdims=True))


def test_a_text_without_tokens_has_no_vectors(static_vectors, onnx_folder):
    for path in (static_vectors, onnx_folder):
        for found in folder(path).encode(["", " \n"]):
            assert len(found) == 0 and not len(found.mean) and list(found.tokens) == []


def test_a_model_gives_its_last_hidden_state_and_pools_over_the_attention_mask(onnx_folder):
    special = ["ferry", "[SEP]", "pier"]
    for text, tokens in ((SENTENCE, TOKENS), ("ferry [SEP] pier", special)):
        (found,) = folder(onnx_folder).encode([text])
        state = MODEL.state(MODEL.ids(tokens))
        assert list(found.tokens) == tokens
        assert found.vectors == pytest.approx(state[1:-1], abs=CLOSE)
        assert found.mean == pytest.approx(state.mean(axis=0), abs=CLOSE)


def test_a_long_text_is_read_in_windows_and_each_token_is_taken_from_a_middle(onnx_folder):
    words = [WORDS[1 + (7 * place) % 20] for place in range(31)]
    encoder = folder(onnx_folder)
    text = " ".join(words)
    (found,) = encoder.encode([text])
    assert list(found.tokens) == words
    # 16 positions, two of them special: 14 tokens at once, and every seventh begins a window.
    windows = [(0, 14), (7, 21), (14, 28), (17, 31)]
    states = [MODEL.state(MODEL.ids(words[a:b])) for a, b in windows]
    for place in range(31):
        room = [min(place - a, b - 1 - place) for a, b in windows]
        window = room.index(max(room))
        expected = states[window][1 + place - windows[window][0]]
        assert found.vectors[place] == pytest.approx(expected, abs=CLOSE), place
    everything = [*found.vectors, *(s[i] for s in states for i in (0, -1))]
    assert found.mean == pytest.approx(np.mean(everything, axis=0), abs=CLOSE)
    assert encoder.windows([text, SENTENCE, ""]) == [4, 1, 1]


def test_no_token_of_a_long_text_is_lost_whatever_its_length():
    for length in range(1, 60):
        for most in (6, 7, 14):
            windows = windows_of(length, most)
            assert all(0 < end - start <= most for start, end in windows)
            assert sorted({i for a, b in windows for i in range(a, b)}) == list(range(length))
            owner = owners(length, windows)
            assert all(windows[k][0] <= i < windows[k][1] for i, k in enumerate(owner.tolist()))


def test_a_long_text_is_refused_if_that_is_asked_for(onnx_folder):
    encoder = folder(onnx_folder, long="refuse")
    assert len(encoder.encode([SENTENCE])[0]) == 8
    with pytest.raises(SummetryError, match=r"at most 14 tokens.*found one of 15 that begins 'fog"):
        encoder.encode([SENTENCE, "fog " * 15])
    with pytest.raises(SummetryError, match=r"limit must be at least 8 tokens.*got 3"):
        ENCODERS.build("folder(limit=3)")


def test_neighbours_change_no_bit(static_vectors, onnx_folder):
    texts = [SENTENCE, "fog", "Nobody was hurt.", "ferry " * 40, "", "北京 quay"]
    for path in (static_vectors, onnx_folder):
        encoder = folder(path)
        together = encoder.encode(texts)
        for alone, found in zip([encoder.encode([t])[0] for t in texts], together, strict=True):
            assert alone.vectors.tobytes() == found.vectors.tobytes()
            assert alone.mean.tobytes() == found.mean.tobytes()


def test_tokens_are_found_in_the_text(static_vectors, onnx_folder):
    text = "Fog! The fog, zebra."
    by_type = dict(folder(static_vectors).locate(text))
    assert by_type["Fog"] == ((0, 3), (9, 12)) and by_type[","] == ((12, 13), (14, 19))
    places = folder(onnx_folder).locate(text)
    assert [(text[a:b], name) for name, ((a, b),) in places] == [
        (name, name) for name in ["Fog", "!", "The", "fog", ",", "zebra", "."]
    ]
    for path in (static_vectors, onnx_folder):
        encoder = folder(path)
        assert len(encoder.locate(text)) == len(encoder.encode([text])[0])
        assert [set(t) for t in encoder.tokens([text])] == [set(encoder.encode([text])[0].tokens)]


@pytest.mark.parametrize(("config", "tokenizer", "tokens"), [
    ({"max_position_embeddings": 512}, None, 512),
    ({"max_position_embeddings": 512}, {"model_max_length": 256}, 256),
    (None, {"model_max_length": 384}, 384),
    ({"max_position_embeddings": 514, "model_type": "xlm-roberta", "pad_token_id": 1},
     {"model_max_length": 1e30}, 512),
])  # fmt: skip
def test_the_files_of_a_model_say_how_many_tokens_it_reads(
    onnx_folder, tmp_path, config, tokenizer, tokens
):
    copy_parts(onnx_folder, tmp_path, "model.onnx", "tokenizer.json")
    with pytest.raises(FormatError, match=r"max_position_embeddings, found none; .*limit=512"):
        folder(tmp_path).fingerprint()
    assert folder(tmp_path, limit=99).fingerprint().startswith("onnx,99 tokens,weights:")
    for name, content in {"config": config, "tokenizer_config": tokenizer}.items():
        if content:
            (tmp_path / f"{name}.json").write_text(json.dumps(content))
    assert folder(tmp_path).fingerprint().startswith(f"onnx,{tokens} tokens,weights:")


def test_the_fingerprint_is_that_of_the_content_and_not_of_the_place(tmp_path):
    first, second = write_static(tmp_path / "a"), write_static(tmp_path / "b")
    before = folder(first).fingerprint()
    assert before == folder(second).fingerprint()
    changed = tiny_vectors()
    changed[3, 3] += 1
    (second / "model.safetensors").write_bytes(safetensors(vectors=changed))
    assert folder(second).fingerprint() != before
    words = [*WORDS[:-1], "other"]
    (first / "tokenizer.json").write_text(json.dumps(tokenizer_json(words)))
    assert folder(first).fingerprint() not in (before, folder(second).fingerprint())


def test_a_model_stands_before_the_weights_that_it_was_made_from(onnx_folder, tmp_path):
    copy_parts(onnx_folder, tmp_path)
    (tmp_path / "model.safetensors").write_bytes(safetensors(layer=tiny_vectors()))
    assert folder(tmp_path).fingerprint() == folder(onnx_folder).fingerprint()
    (tmp_path / "onnx").mkdir()
    (tmp_path / "model.onnx").rename(tmp_path / "onnx" / "model.onnx")
    assert folder(tmp_path).fingerprint() == folder(onnx_folder).fingerprint()
    # Numbers that a model keeps in a file of their own count.
    (tmp_path / "onnx" / "model.onnx").rename(tmp_path / "model.onnx")
    (tmp_path / "model.onnx_data").write_bytes(b"1")
    assert folder(tmp_path).fingerprint() != folder(onnx_folder).fingerprint()


def test_weights_that_change_while_the_program_runs_are_read_again(tmp_path):
    encoder = folder(write_static(tmp_path))
    before = encoder.encode(["ferry"])[0].vectors
    write_static(tmp_path, vectors=tiny_vectors() + 1)
    os.utime(tmp_path / "model.safetensors", ns=(1, 1))
    assert encoder.encode(["ferry"])[0].vectors == pytest.approx(before + 1)
    # Half precision and any name of the only file are taken.
    write_static(tmp_path)
    (tmp_path / "model.safetensors").unlink()
    half = tiny_vectors().astype(np.float16)
    (tmp_path / "words_256.safetensors").write_bytes(safetensors(embedding=half))
    (found,) = folder(tmp_path).encode(["pier"])
    assert found.vectors.tolist() == [half[WORDS.index("pier")].astype(float).tolist()]


def test_a_folder_that_is_not_named_or_not_there_is_asked_for(monkeypatch, tmp_path):
    monkeypatch.delenv("SUMMETRY_ENCODER")
    refuse("", r'greedy_match\(path="vectors"\).*SUMMETRY_ENCODER', SummetryError)
    with pytest.raises(SummetryError, match=r"there is no folder .*none'; expected one with token"):
        folder(tmp_path / "none").fingerprint()
    (tmp_path / "notes.txt").touch()
    refuse(tmp_path, r"expected tokenizer.json with .*, found notes.txt")


def test_other_files_than_one_matrix_of_numbers_are_refused(tmp_path, refused):
    write_static(tmp_path)

    def read(content):
        (tmp_path / "model.safetensors").write_bytes(content)
        folder(tmp_path).encode(["a"])

    refused(read, {
        "two matrices": safetensors(a=tiny_vectors(), b=tiny_vectors()),
        "a row": safetensors(a=tiny_vectors()[0]),
        "whole numbers": safetensors(a=np.ones((30, 2), np.int64)),
        "fewer rows than tokens": safetensors(a=tiny_vectors()[:5]),
        "infinite numbers": safetensors(a=tiny_vectors() * np.float32(np.inf)),
    })  # fmt: skip
    for broken in (safetensors(a=tiny_vectors())[:-1], b""):
        (tmp_path / "model.safetensors").write_bytes(broken)
        refuse(tmp_path, "model.safetensors: expected one matrix .* what cannot be read")


def test_several_files_of_vectors_and_a_broken_tokenizer_are_refused(tmp_path):
    write_static(tmp_path)
    (tmp_path / "model.safetensors").rename(tmp_path / "a.safetensors")
    (tmp_path / "b.safetensors").write_bytes(b"")
    refuse(tmp_path, r"one file of vectors, found a.safetensors, b.safeten")
    (tmp_path / "b.safetensors").unlink()
    (tmp_path / "tokenizer.json").write_text("{}")
    refuse(tmp_path, r"tokenizer.json: expected a tokenizer of the package")


def test_models_of_another_kind_are_refused(onnx_folder, tmp_path):
    from onnx import helper

    def refuse_model(content, match):
        (tmp_path / "model.onnx").write_bytes(content)
        refuse(tmp_path, match)

    copy_parts(onnx_folder, tmp_path)
    model = MODEL.graph()
    pooling = helper.make_node("ReduceMean", ["last_hidden_state"], ["s"], axes=[1], keepdims=0)
    model.graph.node.append(pooling)
    model.graph.output[0].name = "s"
    del model.graph.output[0].type.tensor_type.shape.dim[1]
    refuse_model(
        model.SerializeToString(), r"last_hidden_state of three .* found s of 2 dimensions"
    )
    model = MODEL.graph()
    model.graph.input[0].name = "pixels"
    for node in model.graph.node:
        node.input[:] = ["pixels" if name == "input_ids" else name for name in node.input]
    refuse_model(model.SerializeToString(), r"takes input_ids, .* found pixels tensor\(int64\)")
    refuse_model(b"no model", r"model.onnx: expected a model in ONNX, found ")


@pytest.mark.parametrize("package", ["tokenizers", "safetensors", "onnxruntime"])
def test_a_missing_package_is_named_in_one_line(tmp_path, onnx_folder, monkeypatch, package):
    path = onnx_folder if package == "onnxruntime" else write_static(tmp_path)
    from summetry.encoders import _onnx, _static

    _onnx.load_model.cache_clear()
    _static.load_vectors.cache_clear()
    monkeypatch.setitem(sys.modules, package, None)
    refuse(path, f"needs the package {package}, .*pip install ", MissingPackageError)


@dataclass(frozen=True)
class Faulty(Encoder):
    fault: str = ""
    name: ClassVar[str] = "faulty"

    def encode(self, texts):
        made = [TokenVectors(np.ones((len(t), 2), np.float32), list(t)) for t in texts]
        if self.fault == "fails":
            raise RuntimeError("no memory")
        if self.fault == "fewer":
            return made[1:]
        return [None for _ in made] if self.fault == "other" else made

    def fingerprint(self):
        return "faulty"


def score(fault):
    return one(GreedyMatch(Faulty(fault)), compare_texts("ab", ["ab", "c"]))


@pytest.mark.parametrize(("fault", "message"), [
    ("fails", "the encoder 'faulty' failed: RuntimeError: no memory"),
    ("fewer", "must give TokenVectors for each of 2 texts, and gave 1 thing"),
    ("other", "must give TokenVectors for each of 2 texts, and gave 2 things"),
])  # fmt: skip
def test_an_encoder_that_fails_is_named(fault, message):
    with pytest.raises(PlugInError, match=message):
        score(fault)


@pytest.mark.parametrize("shape", [(3, 2), (2,), (1, 2, 2)])
def test_vectors_must_be_a_matrix_with_a_row_for_each_token(shape):
    with pytest.raises(PlugInError, match=r"a row for each of 2 tokens, got an array of the shape"):
        TokenVectors(np.ones(shape, np.float32), ["a", "b"])


def test_what_an_encoder_gives_without_more_of_its_own():
    encoder = Faulty()
    assert encoder.locate("ab") == [("a", ()), ("b", ())]
    assert encoder.tokens(["ab", ""]) == [["a", "b"], []]
    assert encoder.windows(["ab", ""]) == [1, 1] and encoder.files == ()
    # Vectors that are all alike match.
    assert score("") == {"precision": 1.0, "recall": 1.0, "f": 1.0}
    # The mean counts rows as often as they occur, unless it is given.
    rows = np.array([[1, 0], [0, 2]], np.float32)
    assert TokenVectors(rows, ["a", "b"]).mean.tolist() == [0.5, 1.0]
    assert TokenVectors(rows, ["a", "b"], np.array([3.0, 1.0])).mean.tolist() == [0.75, 0.5]
    assert TokenVectors(rows, ["a", "b"], pooled=np.array([5.0])).mean.tolist() == [5.0]


tokenizers = pytest.importorskip("tokenizers", reason="summetry[embed] is not installed")

TEXTS = ["the ferry boat hit a pier", "nobody was hurt in the fog", "ferries and boats and piers"]
pieces = st.sampled_from(
    ["the", "ferry", "Boats", " ", "  ", "\n", "\t", "\u3000", "\x00", "\x1f", "<s>", "s>", "[UNK]",
     "é", "e\u0301", "\u0301", "Σ", "ς", "北京", ".", "'", "2,400", "▁", "ﬁ", "\u00b4", "😀"]
)  # fmt: skip
texts = st.lists(pieces, max_size=8).map("".join)


def trained(model, trainer, normalizer=None, pre_tokenizer=None):
    tokenizer = tokenizers.Tokenizer(model)
    for name, part in (("normalizer", normalizer), ("pre_tokenizer", pre_tokenizer)):
        if part:
            setattr(tokenizer, name, part)
    tokenizer.train_from_iterator(TEXTS * 3, trainer)
    return tokenizer


def kinds():
    from tokenizers import models, normalizers, pre_tokenizers, trainers

    special = ["<unk>", "<s>", "</s>"]
    signed = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    pairs = trainers.BpeTrainer(vocab_size=60, special_tokens=special, show_progress=False)
    by_words = pre_tokenizers.Metaspace("▁", prepend_scheme="never")
    llama = trained(models.BPE(unk_token="<unk>"), pairs, signed, by_words)
    # As published: trained word by word, and then without what cuts into words.
    content = json.loads(llama.to_str()) | {"pre_tokenizer": None}
    pieces = trainers.WordPieceTrainer(vocab_size=80, special_tokens=["[UNK]"], show_progress=False)
    bert = trained(models.WordPiece(unk_token="[UNK]"), pieces,
                   normalizers.BertNormalizer(), pre_tokenizers.BertPreTokenizer())  # fmt: skip
    mixed = trained(
        models.BPE(unk_token="<unk>"), pairs,
        normalizers.Sequence([normalizers.NFKC(), normalizers.Lowercase()]),
        pre_tokenizers.Sequence([pre_tokenizers.Whitespace(), pre_tokenizers.Digits(True)]),
    )  # fmt: skip
    bytes_ = trained(models.BPE(), pairs, None, pre_tokenizers.ByteLevel())
    return {
        "llama": ("signed", content),
        "bert": ("blanks", json.loads(bert.to_str())),
        "mixed": ("blanks", json.loads(mixed.to_str())),
        "bytes": ("", json.loads(bytes_.to_str())),
        "tiny": ("blanks", tokenizer_json(WORDS)),
    }


@pytest.fixture(scope="module", params=["llama", "bert", "mixed", "bytes", "tiny"])
def tokenizer(request, tmp_path_factory):
    expected, content = kinds()[request.param]
    assert splits_at_blanks(content) == expected
    path = tmp_path_factory.mktemp(request.param) / "tokenizer.json"
    path.write_text(json.dumps(content))
    return WordTokenizer(path), tokenizers.Tokenizer.from_file(str(path))


def library_ids(tokenizer, written):
    return [tokenizer.encode(text, add_special_tokens=False).ids for text in written]


@given(written=st.lists(texts, max_size=4))
def test_ids_are_those_of_the_library_for_whole_texts(tokenizer, written):
    ours, theirs = tokenizer
    assert [ids.tolist() for ids in ours.ids(written).each()] == library_ids(theirs, written)


@pytest.mark.parametrize(
    "text", ["the <s>ferry", "a <s> b", "the  pier", " the pier", "pier ", "the\npier", "▁ a", ""]
)
def test_odd_blanks_and_added_tokens_are_those_of_the_library(tokenizer, text):
    ours, theirs = tokenizer
    assert [ours.ids(["the pier", text]).each()[1].tolist()] == library_ids(theirs, [text])


def test_too_many_words_are_forgotten_and_found_again(tokenizer, monkeypatch):
    ours, theirs = tokenizer
    monkeypatch.setattr("summetry.encoders.tokenizing._MOST_WORDS", 3)
    assert [ours.ids([text]).ids.tolist() for text in TEXTS] == library_ids(theirs, TEXTS)


@given(text=texts)
def test_tokens_with_places_are_the_same_tokens(tokenizer, text):
    ours, _ = tokenizer
    placed = ours.placed(text)
    assert [token for token, _, _ in placed] == ours.ids([text]).ids.tolist()
    assert all(0 <= a <= b <= len(text) and name for _, name, (a, b) in placed)


def test_whole_texts_are_needed_for_tokens_that_join_words():
    """In the vocabulary, or as an added token with a blank."""
    _, joining = kinds()["llama"]
    joining["model"]["vocab"]["of▁the"] = 999
    added = tokenizer_json(WORDS) | {"added_tokens": [{"content": "port tarrow"}]}
    assert splits_at_blanks(joining) == splits_at_blanks(added) == ""
