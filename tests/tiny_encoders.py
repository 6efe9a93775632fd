"""Encoders that are small enough to be computed again by hand, written without their libraries."""

import json
import struct

import numpy as np

WORDS = "the ferry boat hit a pier quay in fog nobody was hurt some words here services resume on"
WORDS = ["[UNK]", *WORDS.split(), "monday", ".", "!"]
SIZE = 8


def tiny_vectors():
    return np.random.default_rng(7).normal(size=(len(WORDS), SIZE)).astype(np.float32)


def safetensors(**matrices):
    """The bytes of a file: the length of the head, the head in JSON, and the numbers."""
    kinds = {"float16": "F16", "float32": "F32", "float64": "F64", "int64": "I64"}
    head, content = {}, b""
    for name, matrix in matrices.items():
        numbers = np.ascontiguousarray(matrix).tobytes()
        places = [len(content), len(content) + len(numbers)]
        kind = kinds[matrix.dtype.name]
        head[name] = {"dtype": kind, "shape": list(matrix.shape), "data_offsets": places}
        content += numbers
    encoded = json.dumps(head).encode()
    return struct.pack("<Q", len(encoded)) + encoded + content


def tokenizer_json(words, special=()):
    """Words in lower case and single punctuation marks; ``special`` stand around every text."""
    known = [*words, *special]
    frame = None
    if special:
        front, back = ({"SpecialToken": {"id": token, "type_id": 0}} for token in special)
        text = {"Sequence": {"id": "A", "type_id": 0}}
        ids = {t: {"id": t, "ids": [known.index(t)], "tokens": [t]} for t in special}
        frame = {"type": "TemplateProcessing", "single": [front, text, back]}
        frame |= {"pair": [front, text, back], "special_tokens": ids}
    added = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            {"id": known.index(token), "content": token, "special": True, **added}
            for token in special
        ],
        "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": frame,
        "decoder": None,
        "model": {
            "type": "WordLevel",
            "vocab": {word: place for place, word in enumerate(known)},
            "unk_token": "[UNK]",
        },
    }


def write_static(folder, words=WORDS, vectors=None):
    """A folder of static vectors."""
    folder.mkdir(parents=True, exist_ok=True)
    vectors = tiny_vectors() if vectors is None else np.asarray(vectors, np.float32)
    (folder / "model.safetensors").write_bytes(safetensors(vectors=vectors))
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer_json(words)))
    return folder


class TinyModel:
    """Token and position vectors and one layer of self-attention, as BERT has it, in numpy."""

    def __init__(self, positions=16):
        random = np.random.default_rng(11)
        self.words = [*WORDS, "[CLS]", "[SEP]"]
        self.tokens = random.normal(size=(len(self.words), SIZE)).astype(np.float32)
        self.types = random.normal(size=(2, SIZE)).astype(np.float32)
        self.positions = random.normal(size=(positions, SIZE)).astype(np.float32)
        self.query, self.key, self.value = random.normal(size=(3, SIZE, SIZE)).astype(np.float32)

    def ids(self, words):
        return [self.words.index(word) for word in ["[CLS]", *words, "[SEP]"]]

    def state(self, ids):
        """The last hidden state, in double precision."""
        x = self.tokens[ids].astype(float) + self.types[0] + self.positions[: len(ids)]
        weights = np.exp((x @ self.query) @ (x @ self.key).T / SIZE**0.5)
        return x + weights / weights.sum(axis=1, keepdims=True) @ (x @ self.value)

    def write(self, folder, config=True):
        """A folder with the same model in ONNX."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "model.onnx").write_bytes(self.graph().SerializeToString())
        tokenizer = tokenizer_json(WORDS, special=("[CLS]", "[SEP]"))
        # As many a published one has it; nothing may be cut all the same.
        tokenizer["truncation"] = {
            "direction": "Right", "max_length": 4, "strategy": "LongestFirst", "stride": 0
        }  # fmt: skip
        (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
        if config:
            limits = {"max_position_embeddings": len(self.positions), "model_type": "bert"}
            (folder / "config.json").write_text(json.dumps(limits))
        return folder

    def graph(self, output="last_hidden_state"):
        from onnx import TensorProto, helper, numpy_helper

        inputs = [
            helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"])
            for name in ("input_ids", "attention_mask", "token_type_ids")
        ]
        shape = ["batch", "length", SIZE]
        state = helper.make_tensor_value_info(output, TensorProto.FLOAT, shape)
        fixed = {
            "tokens": self.tokens, "types": self.types, "positions": self.positions,
            "query": self.query, "key": self.key, "value": self.value,
            "root": np.float32(SIZE**0.5), "one": np.float32(1), "far": np.float32(-1e9),
            "zero_place": np.int64(0), "one_place": np.int64(1), "second": np.array([1]),
        }  # fmt: skip
        steps = [
            ("Gather", ["tokens", "input_ids"], "token_vectors", {}),
            ("Gather", ["types", "token_type_ids"], "type_vectors", {}),
            ("Shape", ["input_ids"], "shape", {}),
            ("Gather", ["shape", "one_place"], "length", {}),
            ("Range", ["zero_place", "length", "one_place"], "places", {}),
            ("Gather", ["positions", "places"], "place_vectors", {}),
            ("Add", ["token_vectors", "type_vectors"], "typed", {}),
            ("Add", ["typed", "place_vectors"], "x", {}),
            ("MatMul", ["x", "query"], "q", {}),
            ("MatMul", ["x", "key"], "k", {}),
            ("MatMul", ["x", "value"], "v", {}),
            ("Transpose", ["k"], "turned", {"perm": [0, 2, 1]}),
            ("MatMul", ["q", "turned"], "products", {}),
            ("Div", ["products", "root"], "scaled", {}),
            ("Cast", ["attention_mask"], "mask", {"to": TensorProto.FLOAT}),
            ("Sub", ["one", "mask"], "hidden", {}),
            ("Mul", ["hidden", "far"], "bias", {}),
            ("Unsqueeze", ["bias", "second"], "spread", {}),
            ("Add", ["scaled", "spread"], "masked", {}),
            ("Softmax", ["masked"], "weights", {"axis": -1}),
            ("MatMul", ["weights", "v"], "context", {}),
            ("Add", ["x", "context"], output, {}),
        ]
        nodes = [helper.make_node(kind, given, [made], **o) for kind, given, made, o in steps]
        stored = [numpy_helper.from_array(np.asarray(v), name) for name, v in fixed.items()]
        graph = helper.make_graph(nodes, "tiny", inputs, [state], stored)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
