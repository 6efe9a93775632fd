"""One summarizer on one text, in a process of its own; started by ``summarizers.py``.

Prints seconds (from a list of sentences to the first ten, without imports and reading), peak
memory, the first ten as numbers of sentences, and all scores and words where the program tells
them. A small text goes before, so that nobody pays for what is loaded once. Needs nothing but the
program that is measured.

    python benchmarks/summarizers_peers.py NAME TEXT.json
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

# Last, so that this folder hides no package.
sys.path.append(str(Path(__file__).parent))
from peak import peak_memory

FIRST = 10
WARM_UP = ["The ferry hit the pier.", "Fog lay on the pier.", "A ferry left in fog and ice."]

Found = tuple[list[int], list[float]]
Work = Callable[[list[str]], Found]


def summetry(spelling: str) -> Work:
    from summetry.records.topics import Document, Topic
    from summetry.summarizers import SUMMARIZERS, Source

    for module in ("scipy.sparse.csgraph", "scipy.sparse.linalg"):
        import_module(module)
    summarizer = SUMMARIZERS.build(spelling)

    def work(sentences: list[str]) -> Found:
        topic = Topic("t", documents=(Document("d", units=tuple(sentences)),))
        ranking = summarizer.rank(Source(topic, "en"), FIRST)
        return list(ranking.order[:FIRST]), list(ranking.scores or ())

    return work


class Words:
    """A tokenizer for sumy that needs no download."""

    find = re.compile("[a-z0-9']+").findall

    def to_sentences(self, text: str) -> list[str]:
        return text.split("\n")

    def to_words(self, sentence: str) -> list[str]:
        return self.find(sentence.lower())


def sumy(module: str, name: str) -> Work:
    summarizers = import_module(f"sumy.summarizers.{module}")
    stemmer = import_module("sumy.nlp.stemmers").Stemmer("english")
    models = import_module("sumy.models.dom")
    summarizer = getattr(summarizers, name)(stemmer)
    tokenizer = Words()

    def work(sentences: list[str]) -> Found:
        made = [models.Sentence(text, tokenizer) for text in sentences]
        document = models.ObjectDocumentModel([models.Paragraph(made)])
        return places([str(s) for s in summarizer(document, FIRST)], sentences), []

    return work


def summa() -> Work:
    summarize = import_module("summa.summarizer").summarize

    def work(sentences: list[str]) -> Found:
        told = summarize("\n".join(sentences), ratio=1.0, split=True, scores=True)
        # It leaves out sentences without links; theirs is the lowest score there is.
        scores = dict.fromkeys(sentences, 0.0) | {text: float(score) for text, score in told}
        best = sorted(sentences, key=lambda text: -scores[text])[:FIRST]
        return places(best, sentences), [scores[text] for text in sentences]

    return work


def summa_words(sentences: list[str]) -> list[list[str]]:
    clean = import_module("summa.preprocessing.textcleaner").clean_text_by_sentences
    return [unit.token.split() for unit in clean("\n".join(sentences), "english")]


def places(chosen: Sequence[str], sentences: Sequence[str]) -> list[int]:
    number = {text: place for place, text in reversed(list(enumerate(sentences)))}
    return [number[text] for text in chosen]


def split(sentences: list[str]) -> Found:
    """The words of every sentence, and the first sentences."""
    lengths = [float(len(text.split())) for text in sentences]
    return list(range(min(FIRST, len(sentences)))), lengths


FLOOR = "floor: str.split"
PROGRAMS: dict[str, Callable[[], Work]] = {
    FLOOR: lambda: split,
    "summetry textrank": lambda: summetry("textrank"),
    "summetry lexrank": lambda: summetry("lexrank(threshold=0.1)"),
    "summetry lsa": lambda: summetry("lsa"),
    "sumy textrank": lambda: sumy("text_rank", "TextRankSummarizer"),
    "sumy lexrank": lambda: sumy("lex_rank", "LexRankSummarizer"),
    "sumy lsa": lambda: sumy("lsa", "LsaSummarizer"),
    "summa textrank": summa,
}


def main() -> None:
    name, text = sys.argv[1:]
    sentences = json.loads(Path(text).read_text(encoding="utf-8"))
    work = PROGRAMS[name]()
    work(WARM_UP)
    # Processor time: all of it is one thread's arithmetic, and other processes do not count.
    before = time.process_time()
    first, scores = work(sentences)
    seconds = time.process_time() - before
    told = {"seconds": seconds, "peak": peak_memory(), "first": first, "scores": scores}
    if name.startswith("summa "):
        told["words"] = summa_words(sentences)
    print(json.dumps(told))


if __name__ == "__main__":
    main()
