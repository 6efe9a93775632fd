"""How far a tie rule favours summarizers, for any corpus with extracts.

Hassel and Dalianis (2005) warn that a reference whose ties are broken by position favours
summarizers that use the position as well, the more so the less the informants agree. This script
measures it. Every summarizer fills the mean length of a topic's extracts; its score is the share
of the reference's units that it has. References are made by each tie rule, and by no rule at all:
ties broken at random. The bias of a rule is the score by that rule less the score at random.

To see what happens when people agree less, a share of all choices is replaced by random ones.

scores     for each topic, summarizer and tie rule: score, bias, agreement of the topic
levels     means over topics for each share of random choices
bias       a picture of the bias of position by the agreement that is left
"""

from __future__ import annotations

import argparse
import dataclasses
import math
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import track
from script_parts import Row, check_folder, natural, positive, print_all, write

import summetry
from summetry.records.corpus import Corpus
from summetry.records.lengths import Fit, fill, mean_length
from summetry.references.comparison import compare_units
from summetry.references.majority import TopicVotes, Voters, topic_votes, voting_part
from summetry.references.voting import Ballot, Ties, count_votes, rules_beside
from summetry.reports.plots import Field, line_chart
from summetry.stats.agreement import mean_defined, votes_agreement
from summetry.stats.correlation import pearson

Extracts = list[list[int]]

SUMMARIZERS = ("lead", "textrank", "lexrank(threshold=0.1)", "tf_idf", "lsa", "length", "random")
# The shares of all choices that are replaced, in per cent.
NOISE = (0, 25, 50, 75, 100)
FITS: tuple[Fit, ...] = ("stop", "skip", "overshoot")


def measure_topic(
    votes: TopicVotes,
    extracts: Extracts,
    systems: Mapping[str, Sequence[int]],
    fit: Fit,
    orders: int,
    random: np.random.Generator,
) -> list[Row]:
    """A row for each system and tie rule: score, bias, and agreement by that rule."""
    ballot = count_votes(len(votes.words), extracts)
    limit = mean_length(votes.words, extracts)

    def reference(order: Sequence[int]) -> tuple[int, ...]:
        return fill(order, votes.words, limit, fit).units

    shuffled = [reference(shuffled_order(ballot, random)) for _ in range(orders)]
    neutral = {name: score(units, shuffled) for name, units in systems.items()}
    rows: list[Row] = []
    for ties in rules_beside(Ties()):
        made = reference(ties.order(ballot))
        agreed = votes_agreement(
            sum(ballot.counts[unit] for unit in made), len(made), len(extracts)
        )
        for name, units in systems.items():
            value = score(units, [made])
            row: Row = {"topic": votes.topic.id, "system": name, "ties": str(ties)}
            rows.append(row | {"score": value, "bias": value - neutral[name], "agreement": agreed})
    return rows


def score(units: Sequence[int], references: Sequence[Sequence[int]]) -> float:
    """The share of a reference's units, in per cent; the mean over several references."""
    return mean_defined([100 * compare_units(units, made).recall for made in references])


def shuffled_order(ballot: Ballot, random: np.random.Generator) -> list[int]:
    """Units by votes, those with equally many in any order."""
    return [unit for level in ballot.levels() for unit in random.permutation(level).tolist()]


def with_noise(
    extracts: Sequence[Sequence[int]], units: int, percent: int, random: np.random.Generator
) -> Extracts:
    """The extracts with some choices replaced by units that were not chosen; sizes stay.

    Every choice is replaced with the same probability; where too few units are left to
    replace them all, it is drawn which ones stay: early ones must not have an advantage.
    """
    orders = []
    for extract in extracts:
        chosen = np.array(sorted(set(extract)), dtype=np.int64)
        free = random.permutation(np.setdiff1d(np.arange(units), chosen))
        places = np.flatnonzero(random.random(len(chosen)) < percent / 100)
        if len(places) > len(free):
            places = random.choice(places, len(free), replace=False)
        chosen[places] = free[: len(places)]
        orders.append(sorted(chosen.tolist()))
    return orders


def measure(corpus: Corpus, options: argparse.Namespace) -> dict[str, list[Row]]:
    """All tables."""
    systems = extracts_of_systems(corpus, options.summarizer, options.fit)
    scores: list[Row] = []
    levels: list[Row] = []
    bar = Console(stderr=True)
    topics = topic_votes(corpus)
    for percent in NOISE:
        rows: list[Row] = []
        words = f"{percent} % of the choices random"
        for votes in track(topics, words, console=bar, transient=True, disable=not bar.is_terminal):
            key = [options.seed, percent, zlib.crc32(votes.topic.id.encode())]
            random = np.random.default_rng(key)
            # Without noise every draw would be the same.
            for _ in range(options.draws if percent else 1):
                extracts = with_noise(votes.chosen, len(votes.words), percent, random)
                named = systems[votes.topic.id]
                rows += measure_topic(votes, extracts, named, options.fit, options.orders, random)
        scores = scores or rows
        levels += [{"random choices": percent} | row for row in means(rows)]
    return {"scores": scores, "levels": levels}


def extracts_of_systems(
    corpus: Corpus, summarizers: Sequence[str], fit: Fit
) -> dict[str, dict[str, tuple[int, ...]]]:
    """The units that each summarizer takes of each topic, at the mean length of its extracts."""
    bare = dataclasses.replace(corpus, summaries=(), judgments=())
    made = summetry.summarize(bare, list(summarizers), "mean", fit)
    units: dict[str, dict[str, tuple[int, ...]]] = {topic.id: {} for topic in corpus.topics}
    for summary in made.summaries:
        units[summary.topic][summary.author] = summary.units or ()
    return units


def means(rows: Sequence[Row]) -> list[Row]:
    """Means over topics and draws for each summarizer and tie rule."""
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        groups.setdefault((str(row["system"]), str(row["ties"])), []).append(row)
    return [
        {"system": system, "ties": ties}
        | {n: mean_defined([float(r[n]) for r in group]) for n in ("score", "bias", "agreement")}
        for (system, ties), group in groups.items()
    ]


def findings(tables: Mapping[str, Sequence[Row]]) -> Iterator[str]:
    """What the tables say, in a few lines."""
    rules = list(dict.fromkeys(str(row["ties"]) for row in tables["levels"]))
    untouched = [row for row in tables["levels"] if not row["random choices"]]
    yield f"{'':24}   score by tie rule"
    yield f"{'summarizer':24}" + "".join(f"{name:>12}" for name in (*rules, "at random"))
    for system in dict.fromkeys(row["system"] for row in untouched):
        lines = [row for row in untouched if row["system"] == system]
        scores = [float(row["score"]) for row in lines]
        neutral = scores[0] - float(lines[0]["bias"])
        yield f"{system:24}" + "".join(f"{value:12.1f}" for value in (*scores, neutral))
    yield ""
    yield f"{'':24}   bias of position when so many choices are random"
    yield f"{'summarizer':24}" + "".join(f"{percent:>7} %" for percent in NOISE) + "   r"
    by_position = [row for row in tables["levels"] if row["ties"] == "position"]
    for system in dict.fromkeys(row["system"] for row in by_position):
        biases = [float(row["bias"]) for row in by_position if row["system"] == system]
        topics = [
            row for row in tables["scores"] if (row["system"], row["ties"]) == (system, "position")
        ]
        defined = [(float(r["agreement"]), float(r["score"])) for r in topics]
        defined = [pair for pair in defined if not any(map(math.isnan, pair))]
        r = pearson([a for a, _ in defined], [s for _, s in defined])
        cells = "".join(f"{'-' if bias != bias else f'{bias:+.1f}':>9}" for bias in biases)
        yield f"{system:24}{cells}{'-' if r != r else f'{r:+.2f}':>8}"
    yield "bias: points of the score above that with ties broken at random;"
    yield "r: correlation, over topics, of the score with the agreement at mean length"


def charts(tables: Mapping[str, Sequence[Row]], name: str) -> dict[str, object]:
    rows = [row for row in tables["levels"] if row["ties"] == "position"]
    x = Field("random choices", "choices that are random", "%")
    y = Field("bias", "bias of position", "points of the score")
    title = "Ties broken by position: who gains"
    return {"bias": line_chart(rows, x, y, Field("system", " "), title, f"corpus: {name}")}


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="Example:\n    python experiments/tie_bias.py summetry-demo/corpus --out tie-bias",
    )
    parser.add_argument("corpus", metavar="CORPUS", type=Path, help="a corpus with extracts")
    parser.add_argument("-s", "--summarizer", metavar="NAME", action="append",
                        help=f"may be repeated; {', '.join(SUMMARIZERS)} unless given")  # fmt: skip
    parser.add_argument("--out", metavar="FOLDER", type=Path, default=Path("tie-bias"),
                        help="where to write; tie-bias unless named")  # fmt: skip
    parser.add_argument("--language", metavar="CODE", default="",
                        help="the language where the data do not say it")  # fmt: skip
    parser.add_argument("--fit", choices=FITS, default="overshoot",
                        help="what to do with a unit that does not fit; overshoot")  # fmt: skip
    parser.add_argument("--draws", metavar="N", type=positive, default=20,
                        help="how often choices are replaced at random; 20")  # fmt: skip
    parser.add_argument("--orders", metavar="N", type=positive, default=20,
                        help="how often ties are broken at random; 20")  # fmt: skip
    parser.add_argument("--seed", metavar="N", type=natural, default=0, help="of all draws; 0")
    options = parser.parse_args(arguments)
    options.summarizer = options.summarizer or list(SUMMARIZERS)
    return options


def run(options: argparse.Namespace) -> Iterable[str]:
    """Everything; yields the lines to print."""
    check_folder(options.out)
    corpus = voting_part(summetry.load(options.corpus, language=options.language), Voters())
    tables = measure(corpus, options)
    pictures = charts(tables, corpus.name or options.corpus.name)
    written = write(tables, pictures, options.out, "Bias of tie rules")
    yield from findings(tables)
    yield f"written to {options.out}: {', '.join(written)}"


def main(arguments: Sequence[str] | None = None) -> int:
    return print_all(run, parse(arguments))


if __name__ == "__main__":
    sys.exit(main())
