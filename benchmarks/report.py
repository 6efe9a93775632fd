"""How large a report of 25 systems, 100 topics and 15 metrics is, and how soon it opens.

    python benchmarks/report.py [--topics 100] [--systems 25] [--explained 4] [--no-write]

A corpus is generated: summaries of about 100 words that take sentences of a source of 600 words
and change some words, 4 references per topic, marks of two judges. The report is written and opened
from disk in a real browser (Chromium, by Playwright). To reach: below 15 MB, about two seconds.
The floor is a page of the same size with nothing but text in it, which the same browser opens.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from browsers import ARGUMENTS, CHROMIUM
from peak import peak_memory
from playwright.sync_api import Browser, sync_playwright
from sections import Headline, write_section
from texts import sentences, word_lists

import summetry
from summetry.api import about_report, packed_texts
from summetry.engine.plan import CorpusPlan
from summetry.records.corpus import Corpus
from summetry.records.judgments import Judgment
from summetry.records.summaries import Summary
from summetry.records.topics import Document, Topic

METRICS = (
    "rouge-1", "rouge-2", "rouge-l", "rouge-w", "rouge-s4", "rouge-su4", "cosine", "memog",
    "autosummeng", "js_divergence", "kl_divergence", "lsa_main_topic", "unit_overlap", "lcs",
    "keywords",
)  # fmt: skip


def generated(systems: int, topics: int) -> Corpus:
    """A corpus in which system 1 is the best and the last one the worst."""
    draw = random.Random(18)
    lists = word_lists(topics, 600)
    all_topics, summaries, judgments = [], [], []
    for number in range(topics):
        name, words = f"t{number + 1:03}", next(lists)
        units = sentences(words)
        document = Document(name, units=tuple(units))
        all_topics.append(Topic(name, title=f"Topic {number + 1}", documents=(document,)))
        for reference in range(4):
            text = changed(units[:20], 7, 0.3, words, draw)
            summaries.append(Summary(name, f"r{reference + 1}", "reference", text=text))
        for system in range(systems):
            author, worse = f"system-{system + 1:02}", system / systems
            text = changed(units[: 20 + system // 2], 7, 0.3 + 0.6 * worse, words, draw)
            summaries.append(Summary(name, author, "candidate", text=text))
            for judge in ("a", "b"):
                mark = round(5 - 4 * worse + draw.gauss(0, 0.7), 1)
                judgments.append(Judgment(name, author, judge, "responsiveness", mark))
    records = {"topics": all_topics, "summaries": summaries, "judgments": judgments}
    return Corpus("generated", "en", **{kind: tuple(of) for kind, of in records.items()})


def changed(
    units: list[str], count: int, share: float, words: list[str], draw: random.Random
) -> str:
    """Some sentences in their order, a share of their words drawn anew."""
    taken = sorted(draw.sample(range(len(units)), count))
    written = [word for place in taken for word in units[place].split()]
    return " ".join(draw.choice(words) if draw.random() < share else word for word in written)


def opened_empty(browser: Browser, path: Path) -> float:
    """Seconds until a page without a script is there."""
    page = browser.new_context().new_page()
    begun = time.perf_counter()
    page.goto(path.as_uri())
    ready = time.perf_counter() - begun
    page.context.close()
    return ready


def opened(browser: Browser, path: Path) -> tuple[float, float]:
    """Seconds until the page is there and its script has run, and until another topic is."""
    page = browser.new_context().new_page()
    begun = time.perf_counter()
    page.goto(path.as_uri())
    page.locator(".menus:not([hidden])").first.wait_for()
    ready = time.perf_counter() - begun
    begun = time.perf_counter()
    before = page.locator("#texts-box").inner_text()
    page.select_option("#choose-topic", index=50)
    page.wait_for_function(
        "old => document.getElementById('texts-box').innerText !== old", arg=before
    )
    topic = time.perf_counter() - begun
    page.context.close()
    return ready, topic


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--systems", type=int, default=25)
    parser.add_argument("--topics", type=int, default=100)
    parser.add_argument("--explained", type=int, default=4, help="topics; 0 for all")
    parser.add_argument("--no-write", action="store_true")
    given = parser.parse_args()
    corpus = generated(given.systems, given.topics)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.html"
        begun = time.perf_counter()
        table = summetry.evaluate(corpus, METRICS)
        scored = time.perf_counter() - begun
        begun = time.perf_counter()
        short = summetry.report(table, judgments=corpus)
        tested = time.perf_counter() - begun
        short.save(path)
        without = path.stat().st_size
        begun = time.process_time()
        some = [topic.id for topic in corpus.topics][: given.explained or given.topics]
        plan, grid = CorpusPlan(corpus), short.findings.grid
        explained = packed_texts(plan, replace(short.findings, grid=grid.only_topics(some)))
        each = (time.process_time() - begun) / (len(some) * given.systems * len(METRICS))
        # Topics are alike: those that are explained stand for the others.
        texts = tuple(
            replace(explained[place % len(some)], topic=topic.id)
            for place, topic in enumerate(corpus.topics)
        )
        about = about_report(corpus, "generated")
        # All in one page, also where each topic would get its own.
        packed = sum(len(one.packed) for one in texts)
        whole = replace(short, texts=texts, about=about, largest=packed)
        assert len(whole.save(path)) == 1
        size = path.stat().st_size
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
            times = [opened(browser, path) for _ in range(5)]
            # As many letters as the page has, hidden as its texts are.
            path.write_text(
                f"<!doctype html><title>floor</title><script type=text>{'a ' * (size // 2)}"
            )
            empty = statistics.median(opened_empty(browser, path) for _ in range(5))
            browser.close()
    ready, topic = (statistics.median(column) for column in zip(*times, strict=True))
    count = given.systems * given.topics * len(METRICS)
    stand_in = ""
    if len(some) < given.topics:
        stand_in = f" {len(some)} topics were explained; in the page they stand for all, too."
    lines = [
        f"{given.systems} systems, {given.topics} topics, {len(METRICS)} metrics, 4 references of "
        f"about 100 words per topic: {count:,} explanations.{stand_in}",
        "",
        "| what | found | to reach |",
        "|---|---|---|",
        f"| size of the page | {size / 1e6:.1f} MB | 15 MB |",
        f"| size without the texts | {without / 1e6:.1f} MB | |",
        f"| the page opens from disk, median of 5 | {ready:.2f} s | about 2 s |",
        f"| floor: a page of this size without a script opens | {empty:.2f} s | |",
        f"| another topic is shown | {topic:.2f} s | |",
        f"| scoring | {scored:.0f} s | |",
        f"| tests and correlations | {tested:.0f} s | |",
        f"| an explanation, seconds of the processor | {each:.3f} s | |",
        f"| all of them in one process, reckoned from it (see `--workers`) | "
        f"{each * count / 60:.0f} min | |",
        f"| peak memory of the process that makes the page | {peak_memory():.0f} MB | |",
    ]
    print("\n".join(lines))
    shown = Headline("the page opens", floor=ready / empty, peak=peak_memory())
    if not given.no_write:
        write_section("Report", "report.py", lines, [shown])


if __name__ == "__main__":
    main()
