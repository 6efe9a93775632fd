"""A comparison of systems as sheets: the ranking, tests against one system, power, all pairs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from rich.cells import cell_len

from summetry.errors import counted
from summetry.metaeval.comparisons import CompareSettings, PairTest, Ranking, having_p
from summetry.reports.sheets import Cell, Heading, Sheet, headings
from summetry.reports.words import CORRECTIONS, PAIRED_TESTS, confidence

# Means of a bootstrap of fewer topics than this vary less than they should.
_FEW_TOPICS = 30
# Cells of a matrix of p: a sign, a number of three digits, two blanks.
_WIDE = 8


def comparison_sheets(rankings: Sequence[Ranking], pairs: bool = False) -> list[Sheet]:
    """The sheets of each comparison, one after the other; ``pairs`` adds a list of all pairs."""
    sheets = []
    for number, ranking in enumerate(rankings, 1):
        # The names of the first comparison stay short.
        end = "" if number == 1 else f"_{number}"
        sheets.append(_systems(ranking, f"systems{end}"))
        if ranking.against:
            sheets.append(_against(ranking, f"against{end}"))
            sheets.append(_power(ranking, f"power{end}"))
        if pairs and ranking.pairs:
            sheets.append(_pairs(ranking, f"pairs{end}"))
    return sheets


def printed_sheets(rankings: Sequence[Ranking], pairs: bool, width: int) -> list[Sheet]:
    """The sheets for a terminal: pairs as squares, and the signatures in the notes of the last."""
    sheets = comparison_sheets(rankings)
    for ranking in rankings if pairs else ():
        sheets += matrix_sheets(ranking, width)
    # Scores of other programs have no signature.
    signatures = filter(None, dict.fromkeys(ranking.column.signature for ranking in rankings))
    return [*sheets[:-1], replace(sheets[-1], notes=(*sheets[-1].notes, *signatures))]


def matrix_sheets(ranking: Ranking, width: int) -> list[Sheet]:
    """The corrected p of all pairs as a square, in pieces for lines of ``width``."""
    names = [standing.system for standing in ranking.systems]
    longest = max(map(cell_len, ["system", *names]))
    # Beside the ranks and the names.
    at_once = max((width - longest - 6) // _WIDE, 1)
    p = {(pair.first, pair.second): pair.corrected for pair in ranking.pairs}
    p |= {(second, first): value for (first, second), value in p.items()}
    title = f"Corrected p of all pairs, {ranking.column.name}"
    return [
        Sheet(
            f"matrix_{start + 1}",
            title if not start else f"{title} (continued)",
            headings(Heading("rank", "#"), "system", *(_rank_heading(place) for place in columns)),
            tuple(
                (row, name, *(p.get((name, names[column])) for column in columns))
                for row, name in enumerate(names, 1)
            ),
        )
        for start in range(0, len(names), at_once)
        for columns in [range(start, min(start + at_once, len(names)))]
    ]


def _rank_heading(place: int) -> Heading:
    return Heading(str(place + 1), is_p=True)


def settings_of(rankings: Sequence[Ranking]) -> dict[str, object]:
    """What a program needs beside the sheets: the settings, and the values compared."""
    settings = rankings[0].settings
    values = [
        {
            "name": ranking.column.name,
            "better": ranking.better,
            "baseline": ranking.baseline,
            "baseline_is_named": ranking.is_named,
            "signature": ranking.column.signature,
        }
        for ranking in rankings
    ]
    named = ("test", "correction", "alpha", "power", "draws", "seed")
    return {
        "protocol": rankings[0].protocol,
        "topics": rankings[0].topics,
        **{name: getattr(settings, name) for name in named},
        "values": values,
    }


def worse_line(ranking: Ranking, pair: PairTest) -> str:
    """One line on a system that is significantly worse than the baseline."""
    return (
        f"{pair.first} is significantly worse than {pair.second} by {ranking.column.name}: "
        f"difference {pair.difference:+.4f} ({pair.low:+.4f} to {pair.high:+.4f}), "
        f"corrected p {_p(pair.corrected)}, {pair.topics} topics"
    )


def _systems(ranking: Ranking, name: str) -> Sheet:
    order = "best first" if ranking.better != "neither" else "highest first"
    lower = ", lower is better" if ranking.better == "lower" else ""
    topics = counted(ranking.topics, "topic")
    title = f"Systems by {ranking.column.name}, {order} ({ranking.protocol}, {topics}{lower})"
    rows = tuple(
        (place, s.system, s.role, s.mean, s.low, s.high, s.topics, s.missing, s.letters,
         s.gap, s.needed)
        for place, s in enumerate(ranking.systems, 1)
    )  # fmt: skip
    columns = headings(
        Heading("rank", "#"), "system", "role", *_numbers("mean", "low", "high", "topics"),
        Heading("missing", "miss"), Heading("letters", "alike"), *_numbers("to_next"),
        Heading("topics_needed", "needed"),
    )  # fmt: skip
    return Sheet(name, title, columns, rows, (*_systems_notes(ranking), *ranking.notes))


def _systems_notes(ranking: Ranking) -> list[str]:
    settings = ranking.settings
    notes = [f"low, high: the mean in {_interval(settings)}"]
    if len(ranking.systems) > 1:
        test = PAIRED_TESTS[settings.test]
        family = _family(settings, len(having_p(ranking.pairs)), "all {} pairs")
        notes += [
            f"alike: systems that share a letter do not differ significantly ({test}, p <= "
            f"{settings.alpha:g}{family})",
            f"needed: topics to see the difference to the next system with probability "
            f"{settings.power:g} in one test",
        ]
    if ranking.better == "neither":
        notes.append(f"{ranking.column.name} does not say which direction is better")
    return notes


def _against(ranking: Ranking, name: str) -> Sheet:
    settings = ranking.settings
    who = f"{ranking.baseline}, the {'baseline' if ranking.is_named else _first(ranking)}"
    title = f"Each system less {who}, by {ranking.column.name}"
    rows = tuple(
        (pair.first, *_of_pair(pair), pair.topics, ranking.verdict(pair))
        for pair in ranking.against
    )
    # Against the best, which is known from the same scores, all pairs are in play.
    words = "{} comparisons" if ranking.is_named else "all {} pairs"
    notes = [
        f"{PAIRED_TESTS[settings.test]}{_family(settings, ranking.family(), words)}",
        f"low, high: the difference in {_interval(settings)}",
        "d_z: difference by its deviation over topics; won: share of topics, ties half",
    ]
    if settings.test == "bootstrap" and ranking.topics < _FEW_TOPICS:
        notes.append(
            f"a bootstrap of {ranking.topics} topics finds too much; prefer --test permutation"
        )
    if ranking.family() < len(having_p(ranking.pairs)):
        notes += ranking.unreachable_against()
    return Sheet(name, title, headings("system", *_PAIR, "topics", "verdict"), rows, tuple(notes))


def _first(ranking: Ranking) -> str:
    return "highest" if ranking.better == "neither" else "best"


def _power(ranking: Ranking, name: str) -> Sheet:
    settings = ranking.settings
    rows = tuple(
        (one.comparisons, one.alpha, one.power.topics, one.power.deviation, one.power.smallest,
         one.power.smallest_of_widest)
        for one in ranking.power
    )  # fmt: skip
    columns = headings(
        "comparisons", Heading("alpha", digits=5), "topics", *_numbers("deviation"),
        *_numbers("smallest"), Heading("smallest_of_widest", "most uneven pair", 4),
    )  # fmt: skip
    title = f"The smallest difference that is seen with probability {settings.power:g}"
    note = "of a paired t-test; deviation: of the differences over topics, the middle pair"
    reasons = dict.fromkeys(one.power.reason for one in ranking.power if one.power.reason)
    return Sheet(name, title, columns, rows, (note, *reasons))


def _pairs(ranking: Ranking, name: str) -> Sheet:
    rows = tuple(
        (pair.first, pair.second, *_of_pair(pair), pair.topics, ranking.verdict(pair))
        for pair in ranking.pairs
    )
    title = f"All pairs, the first less the second, by {ranking.column.name}"
    columns = headings("first", "second", *_PAIR, "topics", "verdict")
    return Sheet(name, title, columns, rows)


def _numbers(*names: str) -> tuple[Heading, ...]:
    return tuple(Heading(name, digits=4) for name in names)


_PAIR = (
    Heading("difference", "diff", 4), *_numbers("low", "high"), Heading("p", "", 4, True),
    Heading("corrected_p", "corr. p", 4, True), Heading("d_z", "d_z", 2), Heading("won", "", 2),
)  # fmt: skip


def _of_pair(pair: PairTest) -> tuple[Cell, ...]:
    ends = (pair.difference, pair.low, pair.high)
    return (*ends, pair.p, pair.corrected, pair.effect, pair.won)


def _family(settings: CompareSettings, count: int, words: str) -> str:
    """What p is corrected for, where it is."""
    if settings.correction == "none" or count < 2:
        return ", p as it is"
    return f", corrected by {CORRECTIONS[settings.correction]} for {words.format(count)}"


def _interval(settings: CompareSettings) -> str:
    share = f"{confidence(settings.alpha)} %"
    return f"{share} of {settings.draws:,} bootstrap draws of topics, seed {settings.seed}"


def _p(p: float) -> str:
    return "undefined" if math.isnan(p) else f"{p:.2g}"
