"""A corpus whose names could break a page or give a system away."""

from summetry.records.corpus import Corpus
from summetry.records.summaries import Summary
from summetry.records.topics import Document, Topic

TOPICS = ('a/../b "quoted"', "<script>alert(1)</script>")
SYSTEMS = ("zz-system/one", "<b>zz-system two</b>", "zz-system {three}")
WRITER = "zz-writer"


def strange_corpus():
    """Two topics of four sentences, three systems with a text each, and a writer's references."""
    topics = tuple(
        Topic(
            id=name,
            title=f"Title {number} <i>& more</i>",
            category=category,
            language="en",
            documents=(
                Document(
                    id=f"d{number}",
                    units=tuple(f"Sentence {n} of text {number}." for n in range(4)),
                ),
            ),
        )
        for number, (name, category) in enumerate(zip(TOPICS, ("sea", "land"), strict=True))
    )
    candidates = [
        Summary(topic, system, "candidate", f"Number {n} says <u>so</u> of {t}.")
        for t, topic in enumerate(TOPICS)
        for n, system in enumerate(SYSTEMS)
    ]
    references = [Summary(topic, WRITER, "reference", "What was written.") for topic in TOPICS]
    return Corpus("strange", "en", topics=topics, summaries=(*candidates, *references))
