"""Small corpora with extracts, and real ones."""

import json

import pytest

from summetry.records.corpus import Corpus
from summetry.records.summaries import Extract, Person
from summetry.records.topics import Document, Topic


@pytest.fixture
def make_corpus():
    """``make_corpus({"t": ["One.", "Two."]}, {"t": {"ann": [0]}}, {"ann": "readers"})``."""

    def make(texts, votes, groups=None, **more):
        topics, extracts = [], []
        for name, units in texts.items():
            documents = (Document(name, units=tuple(units)),)
            topics.append(Topic(name, documents=documents))
        for name, of_topic in votes.items():
            extracts += [Extract(name, who, tuple(units)) for who, units in of_topic.items()]
        people = tuple(Person(who, group) for who, group in (groups or {}).items())
        records = {"topics": tuple(topics), "extracts": tuple(extracts), "people": people}
        return Corpus(**{"name": "small", "language": "en"} | more, **records)

    return make


@pytest.fixture
def ferry(make_corpus):
    """Three informants; the units have 3, 2, 2 and 4 words and 3, 2, 1 and 1 votes."""
    units = ["The ferry sank.", "Nobody died.", "Fog came.", "They build a bridge."]
    votes = {"ann": [0, 1], "ben": [0, 1, 2], "cy": [0, 3]}
    groups = {"ann": "readers", "ben": "readers", "cy": "writers"}
    return make_corpus({"ferry": units}, {"ferry": votes}, groups)


@pytest.fixture(scope="session")
def threads(real_data):
    """BC3: e-mail threads, each with the extracts of three annotators."""
    topics, extracts = [], []
    path = real_data("bc3") / "threads.jsonl"
    for line in path.read_text(encoding="utf-8").splitlines():
        thread = json.loads(line)
        name, ids = str(thread["thread_id"]), [s["id"] for s in thread["sentences"]]
        units = tuple(sentence["text"] for sentence in thread["sentences"])
        topics.append(Topic(name, documents=(Document(name, units=units),)))
        for annotation in thread["annotations"]:
            chosen = tuple(sorted(ids.index(unit) for unit in annotation["extract"]))
            extracts.append(Extract(name, annotation["annotator"], chosen))
    return Corpus(name="bc3", language="en", topics=tuple(topics), extracts=tuple(extracts))
