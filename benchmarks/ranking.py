"""Sentence rankers on a generated corpus as large as that of Kennedy and Szpakowicz (2010).

277 topics, about 91,658 sentences, 19,248 of them labelled, 39.7% of those positive; a thesaurus
of the size of Roget's of 1911 over the same words. All in this process; the floor cuts all
sentences at blanks.

    python benchmarks/ranking.py [--topics 277] [--thesaurus FILE] [--no-write]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import tempfile
from pathlib import Path

from clock import best_of
from clock import seconds_of as seconds
from peak import peak_memory
from sections import Headline, write_section
from texts import sentences, word_lists

from summetry.lexicons import word_paths
from summetry.records.corpus import Corpus
from summetry.records.pyramids import Label, LabelScu
from summetry.records.topics import Document, Topic
from summetry.summarizers import Source
from summetry.summarizers.base import content_words
from summetry.summarizers.semdist import SemDist
from summetry.tasks.ranking import RANKERS, RankingRun, compare_rankers

TOPICS, SENTENCES, LABELLED, POSITIVE = 277, 91_658, 19_248, 0.397
HEADS, GROUPS, ENTRIES = 1044, 43_184, 98_920
SEED = 20_261_115


def write_thesaurus(path: Path) -> None:
    """Heads, groups and entries as many as Roget's; words of the generated texts, at random."""
    draw = random.Random(SEED)
    (known,) = word_lists(1, ENTRIES)
    words = sorted(set(known))
    with path.open("w", encoding="utf-8") as file:
        for head in range(HEADS):
            groups = [
                [draw.choice(words) for _ in range(ENTRIES // GROUPS + (draw.random() < 0.3))]
                for _ in range(GROUPS // HEADS)
            ]
            paragraphs = [
                {"pos": "N", "groups": groups[i : i + 4]} for i in range(0, len(groups), 4)
            ]
            place = {"class": str(head % 6), "section": str(head % 39), "head": str(head)}
            file.write(json.dumps({**place, "paragraphs": paragraphs}) + "\n")


def make_corpus(topics: int) -> Corpus:
    draw = random.Random(SEED)
    per_topic = SENTENCES // TOPICS
    made, labels = [], []
    for number, words in enumerate(word_lists(topics, per_topic * 20)):
        units = tuple(sentences(words, 20))
        name = f"t{number}"
        query = " ".join(draw.sample(words, 20))
        made.append(Topic(name, query=query, documents=(Document("d", units=units),)))
        for unit in draw.sample(range(len(units)), LABELLED // TOPICS):
            carried = draw.sample(range(40), draw.randint(1, 3)) * (draw.random() < POSITIVE)
            scus = tuple(LabelScu(str(scu), 1 + scu % 4) for scu in carried)
            labels.append(Label(name, unit, ("1",), scus))
    return Corpus("generated", "en", topics=tuple(made), labels=tuple(labels))


def measure_index(path: Path) -> list[str]:
    """Reading a thesaurus for the first time, and finding its index in the cache."""
    pipeline = content_words()
    first = seconds(lambda: word_paths.load_paths(path, pipeline, "en"))
    word_paths._load.cache_clear()
    again = seconds(lambda: word_paths.load_paths(path, pipeline, "en").number)
    return [
        f"| the thesaurus, read for the first time | {first:.2f} |",
        f"| its index, from the cache (to reach: 0.3) | {again:.3f} |",
    ]


def measure_scores(path: Path) -> list[str]:
    (words,) = word_lists(1, 20_000)
    query = " ".join(random.Random(SEED).sample(words, 20))
    units = tuple(sentences(words, 20))
    topic = Topic("t", query=query, documents=(Document("d", units=units),))
    ranker = SemDist(thesaurus=str(path))
    source = Source(topic, "en")
    whole = seconds(lambda: ranker.rank(source, 10))
    scores = seconds(lambda: ranker.rank(source, 10))
    return [
        f"| semdist, {len(units):,} sentences, query of 20 words, from strings | {whole:.3f} |",
        f"| the same, words found already | {scores:.3f} |",
    ]


def measure_corpus(path: Path, topics: int) -> tuple[list[str], list[Headline]]:
    corpus = make_corpus(topics)
    units = [unit for topic in corpus.topics for unit in topic.units]
    floor, _ = best_of(3, lambda: [unit.split() for unit in units])
    lines = [f"| floor: all sentences cut at blanks | {floor:.2f} |"]
    for ranker in RANKERS:
        # A thesaurus that nobody asks for is refused.
        of = {"thesaurus": str(path)} if ranker == "semdist" else {}
        run = RankingRun(corpus, [ranker], **of)
        taken = seconds(run.evaluate)
        print(f"{ranker:14} {taken:8.1f} s", flush=True)
        lines.append(f"| {ranker}, all tables | {taken:.1f} |")
    run = RankingRun(corpus, RANKERS, thesaurus=str(path))
    taken = seconds(lambda: compare_rankers(run.evaluate()))
    count = f"{topics:,} topics, {sum(len(t.units) for t in corpus.topics):,} sentences"
    peak = peak_memory()
    what = f"all {len(RANKERS)} with the tests between them"
    lines.append(f"| {what}: {count} | {taken:.1f} |")
    lines += ["", f"Peak memory of the process: {peak:.0f} MB."]
    return lines, [Headline(f"{what}, {count}", floor=taken / floor, peak=peak)]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--topics", type=int, default=TOPICS)
    arguments.add_argument("--thesaurus", type=Path)
    arguments.add_argument("--no-write", action="store_true")
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        path = given.thesaurus or Path(folder) / "generated.jsonl"
        if not given.thesaurus:
            write_thesaurus(path)
        lines = [
            "In one process, seconds of the processor. The corpus and the thesaurus are generated, "
            "of the size of those of Kennedy and Szpakowicz (2010) and of Roget's of 1911.",
            "",
            "| what | seconds |",
            "|---|---|",
            *measure_index(path),
            *measure_scores(path),
        ]
        more, headlines = measure_corpus(path, given.topics)
        lines += more
    print("\n".join(lines))
    if not given.no_write:
        write_section("Sentence rankers", "ranking.py", lines, headlines)


if __name__ == "__main__":
    main()
