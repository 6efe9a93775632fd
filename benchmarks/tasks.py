"""Categorization and retrieval on 2,000 generated documents of 400 words, three systems.

Each task is a fresh process that reads the corpus from its folder. A document has one of 20
categories, each of which has 40 words of its own; every fiftieth of its words is one of these.
There are 200 queries with qrels; and, since the titles of all topics are what is asked for by
default, as many queries as documents. The floor cuts documents and summaries at blanks.

    python benchmarks/tasks.py [--documents 2000] [--no-write]
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from clock import best_of
from peak import peak_memory
from sections import Headline, write_section
from texts import sentences, word_lists

from summetry.formats import load
from summetry.formats.folder import Folder
from summetry.records.corpus import Corpus
from summetry.records.judgments import Qrel, Query
from summetry.records.summaries import Summary
from summetry.records.topics import Document, Topic
from summetry.tasks import categorize, retrieve

DOCUMENTS, WORDS, CATEGORIES, OWN_WORDS, QUERIES = 2_000, 400, 20, 40, 200
# The units of a document that each system takes, of 26.
SYSTEMS = {"lead": (0, 1, 2), "middle": (12, 13), "long": tuple(range(8))}
SEED = 20_261_117
TASKS = {
    "categorization, 10 folds, 10 random extracts for each summary": "categorization",
    "retrieval, 200 queries with qrels": "queries",
    "retrieval, a query for each title": "titles",
}


def make_corpus(documents: int) -> Corpus:
    draw = random.Random(SEED)
    own = [list(words) for words in word_lists(CATEGORIES, OWN_WORDS, SEED)]
    topics, summaries, qrels = [], [], []
    for number, words in enumerate(word_lists(documents, WORDS)):
        category = number % CATEGORIES
        for place in draw.sample(range(WORDS), WORDS // 50):
            words[place] = f"{draw.choice(own[category])}{category}"
        name = f"t{number}"
        document = Document("d", units=tuple(sentences(words)))
        title = " ".join(draw.sample(words, 6))
        topics.append(Topic(name, title=title, category=f"c{category}", documents=(document,)))
        summaries += [
            Summary(name, who, "candidate", units=units) for who, units in SYSTEMS.items()
        ]
        qrels += [Qrel(f"q{query}", name, 1) for query in range(category, QUERIES, CATEGORIES)]
    queries = []
    for number in range(QUERIES):
        category = number % CATEGORIES
        asked = [f"{word}{category}" for word in draw.sample(own[category], 3)]
        queries.append(Query(f"q{number}", " ".join(asked)))
    return Corpus(
        "generated", "en", topics=tuple(topics), summaries=tuple(summaries),
        queries=tuple(queries), qrels=tuple(qrels),
    )  # fmt: skip


def work(task: str, folder: Path) -> None:
    """What a process does: the task, then its processor time, peak memory, and results."""
    corpus = load(folder)
    started = time.process_time()
    if task == "categorization":
        rows = categorize(corpus).rows
        shown = {row.system or "full text": row.f.value for row in rows}
    else:
        titles = [Query(topic.id, topic.title) for topic in corpus.topics]
        asked, known = (titles, []) if task == "titles" else (None, None)
        shown = {row.system: row.pearson.value for row in retrieve(corpus, asked, known).rows}
    seconds = time.process_time() - started
    peak = peak_memory()
    floor, _ = best_of(3, lambda: words_of(corpus))
    print(json.dumps({"seconds": seconds, "peak": peak, "floor": floor, "shown": shown}))


def words_of(corpus: Corpus) -> int:
    """How many words the documents and the summaries have, cut at blanks."""
    units = {topic.id: topic.units for topic in corpus.topics}
    lengths = {name: [len(unit.split()) for unit in of] for name, of in units.items()}
    taken = (len(units[s.topic][u].split()) for s in corpus.summaries for u in s.units or ())
    return sum(map(sum, lengths.values())) + sum(taken)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--documents", type=int, default=DOCUMENTS)
    arguments.add_argument("--no-write", action="store_true")
    arguments.add_argument("--work", nargs=2, metavar=("TASK", "FOLDER"))
    given = arguments.parse_args()
    if given.work:
        work(given.work[0], Path(given.work[1]))
        return
    lines = [
        f"{given.documents:,} generated documents of {WORDS} words in {CATEGORIES} categories, the "
        f"summaries of {len(SYSTEMS)} systems; 10,000 resamples; each task in a fresh process, "
        "reading not counted. Seconds are those of the processor. The floor cuts documents and "
        "summaries at blanks.",
        "",
        "| task | seconds | times the floor | peak memory, MB | what it gives |",
        "|---|---|---|---|---|",
    ]
    headlines = []
    with tempfile.TemporaryDirectory() as folder:
        Folder().write(make_corpus(given.documents), Path(folder))
        for title, task in TASKS.items():
            command = [sys.executable, str(Path(__file__)), "--work", task, folder]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            numbers = json.loads(done.stdout)
            value = "F" if task == "categorization" else "Pearson"
            shown = ", ".join(f"{name} {number:.3f}" for name, number in numbers["shown"].items())
            above, peak = numbers["seconds"] / numbers["floor"], numbers["peak"]
            cells = (title, f"{numbers['seconds']:.1f}", f"{above:.0f}", f"{peak:.0f}")
            headlines.append(Headline(title, floor=above, peak=peak))
            lines.append(f"| {' | '.join(cells)} | {value}: {shown} |")
            print(lines[-1], flush=True)
    if not given.no_write:
        write_section("Tasks", "tasks.py", lines, headlines)


if __name__ == "__main__":
    main()
