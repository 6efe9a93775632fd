"""Small corpora for judges, and servers' answers as a log would hold them."""

import json
import time
from types import SimpleNamespace

from summetry.judges.log import Entry
from summetry.records.corpus import Corpus
from summetry.records.pyramids import Pyramid, Scu
from summetry.records.summaries import Summary
from summetry.records.topics import Document, Topic

# What a request asks for beside its words.
PARAMETERS = {"temperature": 0, "max_tokens": 300}
# A rubric so short that a small model on a slow machine reads it quickly.
SHORT_RUBRIC = """
dimension = "clarity"
question = "Judge how clear the summary is."
[scale]
1 = "bad"
2 = "fair"
3 = "good"
"""


def small_corpus(topics=2, systems=("ada", "bob"), words=None):
    """Topics with a source, a reference, a summary of each system, and two content units."""
    scus = (Scu("u1", "It rained.", 2), Scu("u2", "It was cold.", 1))
    records, candidates, references, pyramids = [], [], [], []
    for n in range(1, topics + 1):
        source = Document(f"d{n}", units=(f"Source {n}.",))
        records.append(Topic(f"t{n}", query="What?", documents=(source,)))
        for who in systems:
            text = "word " * (words or {}).get(who, 2) + f"t{n} {who}"
            candidates.append(Summary(f"t{n}", who, "candidate", text=text))
        references.append(Summary(f"t{n}", "ref", "reference", text=f"Reference t{n}."))
        pyramids.append(Pyramid(f"t{n}", scus))
    texts = {"summaries": (*candidates, *references), "pyramids": tuple(pyramids)}
    return Corpus("small", topics=tuple(records), **texts)


def write_corpus(folder, corpus):
    from summetry.formats.folder import Folder

    Folder().write(corpus, folder)
    return folder


def answer(content, finish="stop", usage=(100, 10), **message):
    """A response of a server that says ``content``."""
    said = {"role": "assistant", "content": content, **message}
    counts = dict(zip(("prompt_tokens", "completion_tokens"), usage, strict=True)) if usage else {}
    return {"choices": [{"message": said, "finish_reason": finish}], "usage": counts}


def entry(ask, response=None, **rest):
    """What the log holds of a request."""
    request = dict(ask.parameters), ask.trial, [dict(message) for message in ask.messages]
    return Entry(ask.key, ask.model, *request, response=response, **rest)


def write_log(path, pairs):
    """A log in which each request has the response, or the fields, that are given for it."""
    import msgspec

    lines = []
    for ask, said in pairs:
        fields = said if isinstance(said, SimpleNamespace) else SimpleNamespace(response=said)
        lines.append(msgspec.json.encode(entry(ask, **vars(fields))) + b"\n")
    path.write_bytes(b"".join(lines))
    return path


def no_answer(problem="no answer within 1 s", attempts=5):
    return SimpleNamespace(problem=problem, attempts=attempts)


def logged(here, replies, *names, mode=None, trials=1, model="m"):
    """A log in which the requests have these replies, over and over."""
    from summetry.formats import load
    from summetry.judges.prompts import Choice, plan_asks
    from summetry.judges.rubrics import asked_rubrics

    corpus = load(here / "corpus")
    asks = plan_asks(corpus, asked_rubrics(names, mode), Choice(), model, PARAMETERS, trials)
    said = [reply if not isinstance(reply, str) else answer(reply) for reply in replies]
    pairs = [(ask, said[place % len(said)]) for place, ask in enumerate(asks)]
    path = here / "judge-log.jsonl"
    before = path.read_bytes() if path.exists() else b""
    write_log(path, pairs)
    path.write_bytes(before + path.read_bytes())


def log_lines(path):
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def wait_until(is_true, seconds=30.0):
    """Wait for something that happens soon; whether it did."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if is_true():
            return True
        time.sleep(0.01)
    return False
