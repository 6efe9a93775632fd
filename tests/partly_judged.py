"""A corpus judged in part: systems repeat more or less of a reference, and marks follow that."""

import random

from summetry.records.corpus import Corpus
from summetry.records.judgments import Judgment
from summetry.records.summaries import Summary
from summetry.records.topics import Document, Topic

SYSTEMS = {"long": 16, "middle": 10, "short": 5}


def generated(topics=40, judged=15, references=True):
    """Summaries of 20 words, of which systems repeat more or fewer; marks follow how many."""
    drawn = random.Random(7)
    words = [f"word{n}" for n in range(200)]
    made, summaries, judgments = [], [], []
    for number in range(topics):
        topic, text = f"t{number:02}", drawn.sample(words, 20)
        made.append(Topic(topic, documents=(Document("d", units=(" ".join(text) + ".",)),)))
        if references:
            summaries.append(Summary(topic, "ann", "reference", " ".join(text)))
        for system, kept in SYSTEMS.items():
            kept += drawn.randint(-4, 4)
            summaries.append(Summary(topic, system, "candidate", " ".join(text[:kept])))
            if number < judged:
                mark = min(5, max(1, round(kept / 4 + drawn.gauss(0, 0.6))))
                judgments.append(Judgment(topic, system, "ada", "content", mark))
    kinds = {"topics": made, "summaries": summaries, "judgments": judgments}
    return Corpus("generated", "en", **{kind: tuple(rows) for kind, rows in kinds.items()})
