"""Words that are remembered have the tokens that whole texts have, as the library says."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiny_encoders import WORDS, tokenizer_json

from summetry.encoders.tokenizing import WordTokenizer, splits_at_blanks

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
