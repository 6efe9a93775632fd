"""Texts to token ids and texts to sentences, next to the floor: cutting the same texts at blanks.

python benchmarks/text.py [--texts 20000] [--no-write]
"""

from __future__ import annotations

import argparse

from clock import best_of
from peak import peak_memory
from peers import use_one_core
from sections import Headline, write_section
from texts import sentences, word_lists

from summetry.text.pipeline import TextPipeline
from summetry.text.sentences import split_sentences

PIPELINES = (
    "auto",
    "en(stop=true,stem=true)",
    "auto(tokens=characters)",
    "rouge_score",
    "rouge_score(stem=true)",
)
BATCH, RUNS = 2048, 5


def encode(texts: list[str], pipeline: TextPipeline) -> None:
    for start in range(0, len(texts), BATCH):
        batch = texts[start : start + BATCH]
        pipeline.encode(batch, ["en"] * len(batch))


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--texts", type=int, default=20_000)
    arguments.add_argument("--no-write", action="store_true")
    given = arguments.parse_args()
    use_one_core()
    texts = [" ".join(sentences(words)) for words in word_lists(given.texts, 60)]
    floor, _ = best_of(RUNS, lambda: [text.split() for text in texts])
    headlines = []
    lines = ["| what | texts a second | times the floor |", "|---|---|---|"]
    lines.append(f"| floor: `str.split` | {len(texts) / floor:,.0f} | 1.0 |")
    for spelling in PIPELINES:
        pipeline = TextPipeline.from_spec(spelling)
        seconds, _ = best_of(RUNS, lambda pipeline=pipeline: encode(texts, pipeline))  # type: ignore[misc]
        lines.append(f"| `text={spelling}` | {len(texts) / seconds:,.0f} | {seconds / floor:.1f} |")
        headlines.append(Headline(f"`text={spelling}`", floor=seconds / floor))
    seconds, _ = best_of(RUNS, lambda: [split_sentences(text, "en") for text in texts])
    lines.append(f"| sentences | {len(texts) / seconds:,.0f} | {seconds / floor:.1f} |")
    peak = peak_memory()
    lines += ["", f"Peak memory of the process, with all texts: {peak:.0f} MB."]
    headlines.append(Headline("sentences", floor=seconds / floor, peak=peak))
    print("\n".join(lines))
    if not given.no_write:
        intro = f"{len(texts):,} texts of 60 words, one core, batches of {BATCH}, best of {RUNS}."
        write_section("Text to token ids", "text.py", [intro, "", *lines], headlines)


if __name__ == "__main__":
    main()
