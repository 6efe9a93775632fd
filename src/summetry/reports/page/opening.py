"""What a report says first: sentences that a researcher could say aloud, and what limits them.

    On rouge-1, careful is better than lead, random and echo (each p <= .02). Between careful and
    picker no difference can be seen; about 28 topics would show one of this size.
    Of the 7 metrics with a value for every system, rouge-2 follows your judges on responsiveness
    most closely (Pearson 0.92). Length alone reaches 0.56.

Each of them repeats what a test says and no more: better and worse are significant differences
after correction, and a system that is only ahead is never called better.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from markupsafe import Markup

from summetry.errors import counted
from summetry.metaeval.columns import short_name
from summetry.metaeval.correlation_tables import CorrelationTable, MetricCorrelation
from summetry.metaeval.nulls import A_LEAD, A_LENGTH
from summetry.metaeval.rankings import PairTest, Ranking, having_p
from summetry.reports.page.findings import Findings, directed
from summetry.reports.tables import number
from summetry.reports.verdicts import printed_p, tested, unbroken_p
from summetry.reports.words import COEFFICIENTS, CORRECTIONS, FEW_SYSTEMS, PAIRED_TESTS, confidence
from summetry.stats.significance import is_significant

# How many names stand in a sentence.
_MOST_NAMES = 6
_NULLS = {A_LENGTH: "Length alone", A_LEAD: "Lead overlap"}
# So many times the topics that there are may be advised.
_MOST_TIMES = 20


def opening(findings: Findings) -> list[Markup]:
    """The verdicts: on the systems by the first metric, then on the metrics."""
    return [_on_systems(findings), *_on_metrics(findings)]


def details(findings: Findings) -> list[Markup]:
    """Where the best system is better or worse than one or two others, over all metrics."""
    main = _main(findings)
    systems = _scored(main)
    if len(systems) < 2 or len(directed(findings)) < 2:
        return []
    best, *others = systems
    rivals = [others[0]]
    if main.is_named:
        rivals += [main.baseline] if main.baseline not in (best, others[0]) else []
    else:
        # Where nothing can be said of the next one, something can perhaps of a later one.
        worse = [one for one in others if main.verdict(tested(main, best, one)[0]) == "better"]
        rivals += [one for one in worse[:1] if one not in rivals]
    return [_by_all_metrics(findings, best, rival) for rival in rivals]


def small_print(findings: Findings) -> list[str]:
    """By which test the verdicts were found, and what makes them doubtful."""
    lines = []
    main = _main(findings)
    family = len(having_p(main.pairs))
    if family:
        lines.append(_test_in_words(main, len(findings.rankings)))
    for table in _tables(findings)[:1]:
        lines += tests_of_metrics(findings, table)
        if table.systems < FEW_SYSTEMS:
            reached = table.random["pearson"]
            chance = (
                ""
                if math.isnan(reached)
                else f": of metrics made of random numbers, one in 20 reaches {reached:.2f}"
            )
            systems = counted(table.systems, "system")
            lines.append(f"With {systems} a correlation is uncertain{chance}.")
    return lines


def tests_of_metrics(findings: Findings, table: CorrelationTable) -> list[str]:
    """By which test metrics were compared, and what it says of other data; empty without any."""
    if not findings.correlations or all(math.isnan(row.p_best) for row in table.rows):
        return []
    procedure = findings.correlations.settings.procedure_at(table.level)
    test = f"{procedure.how}, p corrected by {CORRECTIONS['holm']}; this {procedure.scope}"
    return [f"Metrics against the best one: {test}."]


def joined(names: Iterable[str | Markup], most: int = _MOST_NAMES) -> Markup:
    """Names with commas and an ``and``; of very many the first ones.

    >>> str(joined(["a", "b & c", "d"]))
    'a, b &amp; c and d'
    """
    listed = list(names)
    if len(listed) > most:
        listed = [*listed[: most - 1], f"{len(listed) - most + 1:,} more"]
    *first, last = map(Markup.escape, listed)
    return Markup("{} and {}").format(Markup(", ").join(first), last) if first else last


# Systems.


def _main(findings: Findings) -> Ranking:
    return (directed(findings) or list(findings.rankings))[0]


def _scored(ranking: Ranking) -> list[str]:
    return [standing.system for standing in ranking.systems if standing.topics]


def _on_systems(findings: Findings) -> Markup:
    main = _main(findings)
    best, *others = _scored(main)
    if not others:
        only = Markup("Only one system has scores, <b>{}</b>: its mean {} is {}.")
        mean = next(one.mean for one in main.systems if one.system == best)
        return only.format(best, short_name(main.column), number(mean, 3))
    if main.better == "neither":
        return Markup(
            "No metric here says which direction is better, so no system is called the best."
        )
    return _by_one_metric(main, best, others)


def _by_one_metric(ranking: Ranking, best: str, others: Sequence[str]) -> Markup:
    """The best against all others."""
    pairs = {other: tested(ranking, best, other)[0] for other in others}
    verdicts = {other: ranking.verdict(pair) for other, pair in pairs.items()}
    on = short_name(ranking.column)
    tied = [name for name in ranking.tied() if name != best]
    rest = [other for other in others if other not in tied]
    better = [other for other in rest if verdicts[other] == "better"]
    unclear = [other for other in rest if verdicts[other] == "unclear"]
    undefined = [other for other in rest if verdicts[other] == "undefined"]
    pieces = []
    if tied:
        share = joined(Markup("<b>{}</b>").format(name) for name in (best, *tied))
        mean = number(ranking.systems[0].mean, 3)
        pieces.append(Markup("On {}, {} share the best mean, {}.").format(on, share, mean))
    if better:
        p = _at_most([pairs[other] for other in better], ranking.settings.alpha)
        where = "" if tied else Markup("On {}, ").format(on)
        words = Markup("{}<b>{}</b> is better than {} ({}).")
        pieces.append(words.format(where, best, joined(better), p))
    elif not tied:
        words = Markup(
            "On {}, <b>{}</b> has the best mean, and it is not significantly better than {}{}."
        )
        whom = "any other system" if len(rest) > 1 else Markup("<b>{}</b>").format(rest[0])
        why = _why_nothing(ranking, list(pairs.values()))
        why = why or _needed(ranking, best, others[0], unclear, "a difference")
        pieces.append(words.format(on, best, whom, why))
    if (better or tied) and unclear:
        names = joined(Markup("<b>{}</b>").format(name) for name in unclear)
        words = Markup("Between {} and {} no difference can be seen{}.")
        pieces.append(words.format(best, names, _needed(ranking, best, others[0], unclear)))
    if undefined:
        reason = pairs[undefined[0]].reason
        pieces.append(
            Markup("It cannot be compared with {}: {}.").format(joined(undefined), reason)
        )
    return Markup(" ").join(pieces)


def _why_nothing(ranking: Ranking, pairs: Sequence[PairTest]) -> str:
    """That the topics are too few for any test to be significant, if they are."""
    least = ranking.unreachable(pairs[0], ranking.family()) if having_p(pairs) else None
    if least is None:
        return ""
    p = printed_p(least.corrected, ranking.settings.alpha).removeprefix("= ")
    fewest = ranking.settings.fewest_topics(ranking.family())
    more = f"; at least {fewest:,} topics are needed" if least.of == "topics" else ""
    return (
        f": with {counted(least.number, least.of.removesuffix('s'))} and "
        f"{counted(ranking.family(), 'comparison')} the smallest possible p is {p}{more}"
    )


def _needed(
    ranking: Ranking, best: str, following: str, unclear: Sequence[str], what: str = "one"
) -> str:
    """How many topics would show that the best differs from the next one."""
    needed = ranking.systems[0].needed
    if following not in unclear or needed is None:
        return ""
    # More topics than anybody would collect are no advice.
    if not ranking.topics < needed <= _MOST_TIMES * ranking.topics:
        return ""
    which = "" if len(unclear) == 1 else f" between {best} and {following}"
    return f"; about {needed:,} topics would show {what} of this size{which}"


def _by_all_metrics(findings: Findings, first: str, second: str) -> Markup:
    """Where one system is better than another, where it is worse, and where nothing can be seen."""
    by_verdict: dict[str, list[Markup]] = {}
    for ranking in directed(findings):
        pair, _ = tested(ranking, first, second)
        verdict, name = ranking.verdict(pair), Markup.escape(short_name(ranking.column))
        if verdict in ("better", "worse"):
            name += f" ({unbroken_p(pair.corrected, ranking.settings.alpha)})"
        by_verdict.setdefault(verdict, []).append(name)
    both = Markup("<b>{}</b> is {} than <b>{}</b> on {}")
    said = [
        both.format(first, verdict, second, joined(by_verdict[verdict]))
        for verdict in ("better", "worse")
        if verdict in by_verdict
    ]
    if len(said) == 2:
        said[1] = Markup("worse on {}").format(joined(by_verdict["worse"]))
    unclear = by_verdict.get("unclear", [])
    if unclear and said:
        said.append(Markup("no difference can be seen on {}").format(joined(unclear)))
    elif unclear:
        words = Markup("Between <b>{}</b> and <b>{}</b> no difference can be seen on {}")
        which = "any metric" if len(unclear) == len(directed(findings)) else joined(unclear)
        said.append(words.format(first, second, which))
    if "undefined" in by_verdict:
        silent = joined(by_verdict["undefined"])
        said.append(Markup("{} cannot compare them").format(silent))
    return Markup("; ").join(said) + "."


def _at_most(pairs: Sequence[PairTest], alpha: float) -> str:
    p = unbroken_p(max(pair.corrected for pair in pairs), alpha)
    return p if len(pairs) == 1 else f"each {p.replace('=', '≤')}"


def _test_in_words(ranking: Ranking, metrics: int) -> str:
    settings, family = ranking.settings, ranking.family()
    test = PAIRED_TESTS[settings.test]
    words = f"{test[0].upper()}{test[1:]} over {counted(ranking.topics, 'topic')}"
    if settings.corrects(family):
        what = "comparisons with " + ranking.baseline if ranking.is_named else "pairs of systems"
        words += f", p corrected by {CORRECTIONS[settings.correction]} for {family:,} {what}"
        words += ", for each metric by itself" if metrics > 1 else ""
    elif family > 1:
        words += ", p not corrected"
    return f"{words}; significant up to p = {settings.alpha:g}."


# Metrics.


def _tables(findings: Findings) -> list[CorrelationTable]:
    found = findings.correlations
    return [table for table in found.tables if table.level == "system"] if found else []


def _on_metrics(findings: Findings) -> list[Markup]:
    tables = _tables(findings)
    sentences = [said for table in tables[:1] for said in _of_dimension(table, findings)]
    shorter = [(table, best) for table in tables[1:_MOST_NAMES] for best in _complete(table)[:1]]
    if sentences and shorter:
        each = [
            Markup("on {} it is <b>{}</b> ({:.2f})").format(
                table.dimension, short_name(best.column), abs(best.value)
            )
            for table, best in shorter
        ]
        sentences[-1] += Markup(" By the same coefficient, {}.").format(joined(each))
    return sentences


def _of_dimension(table: CorrelationTable, findings: Findings) -> list[Markup]:
    complete = _complete(table)
    if not complete:
        return []
    best, *others = complete
    share = confidence(findings.correlations.settings.alpha) if findings.correlations else ""
    who = Markup("your judges on {}").format(table.dimension) if table.judges else table.dimension
    interval = (
        ""
        if math.isnan(best.low)
        else f", {share}% interval {_ends(best)[0]:.2f} to {_ends(best)[1]:.2f}"
    )
    number_ = f"{COEFFICIENTS['pearson']} {abs(best.value):.2f}{interval}"
    if others:
        is_partial = any(row.systems < table.systems for row in table.of("pearson"))
        every = " with a value for every system" if is_partial else ""
        words = Markup("Of the {} metrics{}, <b>{}</b> follows {} most closely ({}).")
        said = words.format(len(complete), every, short_name(best.column), who, number_)
    else:
        words = Markup("<b>{}</b> follows {} with {}.")
        said = words.format(short_name(best.column), who, number_)
    more = [
        _against_others(best, others, findings),
        _against_chance(table, best),
        _nulls(table, best),
    ]
    return [Markup(" ").join([said, *filter(None, more)])]


def best_follower(table: CorrelationTable) -> MetricCorrelation | None:
    """The metric that follows people most closely, of those with a value for every system."""
    return next(iter(_complete(table)), None)


def _complete(table: CorrelationTable) -> list[MetricCorrelation]:
    """The ranked metrics that have a value for every system, best first."""
    return [
        row
        for row in table.of("pearson")
        if row.rank is not None and row.systems == table.systems and not math.isnan(row.value)
    ]


def _against_others(
    best: MetricCorrelation, others: Sequence[MetricCorrelation], findings: Findings
) -> Markup:
    """Which metrics follow people significantly less; only where the tests are against this one."""
    if best.rank != 1 or findings.correlations is None:
        return Markup("")
    alpha = findings.correlations.settings.alpha
    less = [row for row in others if is_significant(row.p_best_corrected, alpha)]
    alike = [row for row in others if row not in less and not math.isnan(row.p_best_corrected)]
    if not less and not alike:
        return Markup("")
    if not less:
        return Markup("No other metric is significantly worse.")
    return Markup("Significantly worse: {}.").format(joined(short_name(row.column) for row in less))


def _against_chance(table: CorrelationTable, best: MetricCorrelation) -> Markup:
    reached = table.random["pearson"]
    if math.isnan(reached) or abs(best.value) > reached:
        return Markup("")
    words = f"One metric in 20 reaches {reached:.2f} by random numbers: none of these stands out."
    return Markup.escape(words)


def _nulls(table: CorrelationTable, best: MetricCorrelation) -> Markup:
    """What null judges of texts reach, and whether that is within the best's interval.

    Length is named in any case, lead overlap where it is as near to people as the best may be.
    """
    low, _ = _ends(best)
    words, inside = [], []
    for name, line in table.nulls.items():
        value = abs(line.values["pearson"])
        label = _NULLS[name] + (", reversed," if line.values["pearson"] < 0 else "")
        if value >= abs(best.value):
            words.append(f"{label} does as well ({value:.2f}): be careful.")
        elif not math.isnan(low) and value >= low:
            inside.append((label, f"{value:.2f}"))
        elif name == A_LENGTH and not math.isnan(value):
            words.append(f"{label} reaches {value:.2f}.")
    if len(inside) == 1:
        label, reached = inside[0]
        words.append(
            f"{label} reaches {reached}, which is inside that interval: the metric may only follow "
            f"it."
        )
    elif inside:
        (label, reached), (other, its) = inside
        words.append(
            f"{label} reaches {reached} and {other[0].lower()}{other[1:]} {its}, both inside that "
            f"interval: the metric may only follow them."
        )
    return Markup.escape(" ".join(words))


def _ends(row: MetricCorrelation) -> tuple[float, float]:
    """The interval of a metric for which -1 is best, turned round."""
    return (-row.high, -row.low) if row.better == "lower" else (row.low, row.high)
