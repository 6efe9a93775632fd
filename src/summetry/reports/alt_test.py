"""The alternative-annotator test as sheets: a judge beside null judges, and each annotator."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import msgspec

from summetry.errors import counted
from summetry.formats.judge_tables import AltTestTables
from summetry.metaeval.alt_test import AltTests, JudgeResult
from summetry.metaeval.nulls import A_LEAD
from summetry.records.scores import pandas_frame
from summetry.reports.sheets import (
    Cell,
    Heading,
    Sheet,
    headings,
    sheet_records,
    sheets_as_json,
    sheets_text,
)
from summetry.reports.tables import NARROW, wrapped
from summetry.stats.alt_test import PASSES

if TYPE_CHECKING:
    import pandas

_ALIGNMENTS = {
    "rmse": "root mean square of the differences",
    "accuracy": "share of equal marks",
}
_P = Heading("p", is_p=True)
_CORRECTED = Heading("corrected_p", is_p=True)


@dataclass(frozen=True, repr=False)
class AltTestReport(AltTests):
    """What ``alt_test`` gives back: it prints as the command does."""

    def to_pandas(self) -> pandas.DataFrame:
        """One row per judge or null judge and dimension."""
        return pandas_frame(sheet_records(alt_test_tidy(self)[0]))

    def report(self) -> str:
        """All that the command ``alt-test`` prints."""
        return sheets_text(alt_test_sheets(self))

    def __repr__(self) -> str:
        lines = [wrapped(verdict, NARROW) for verdict in verdicts_of(self)]
        return "\n".join([*lines, "(.report() has all tables; .to_pandas() the numbers)"])


def alt_test_sheets(tests: AltTests) -> list[Sheet]:
    """For each judge and dimension the judge beside null judges, and against each annotator."""
    sheets = [sheet for one in tests.judges for sheet in (_beside_nulls(one), _annotators(one))]
    last = sheets[-1]
    return [*sheets[:-1], replace(last, notes=(*last.notes, *_legend(tests), *tests.notes))]


def alt_test_tidy(tests: AltTests) -> list[Sheet]:
    """All numbers for programs: one row per judge or null judge, and one per annotator."""
    judges: list[tuple[Cell, ...]] = []
    annotators: list[tuple[Cell, ...]] = []
    for one in tests.judges:
        place = (one.judge, "+".join(one.dimensions))
        sizes = (len(one.annotators), one.instances, one.topics)
        not_beaten = {null.name for null in one.not_beaten}
        for name, *numbers in _beside_nulls(one).rows:
            tested = name == one.judge
            said = (one.verdict, ", ".join(one.not_tested)) if tested else (None, None)
            beaten = None if tested else "no" if name in not_beaten else "yes"
            judges.append((*place, name, *numbers, beaten, *said, *sizes))
        annotators += ((*place, *row) for row in _annotators(one).rows)
    names = headings("judge", "dimension", "tested", "winning_rate", "advantage", "behind", _P)
    sizes_of = headings("beaten", "verdict", "not_tested", "annotators", "instances", "topics")
    notes = tuple(dict.fromkeys([n for one in tests.judges for n in one.notes] + [*tests.notes]))
    people = (*headings("judge", "dimension"), *_PEOPLE)
    title = "Judges in place of annotators"
    return [
        Sheet("judges", title, (*names, *sizes_of), tuple(judges), notes),
        Sheet("annotators", "Judges against each annotator", people, tuple(annotators)),
    ]


def alt_test_about(tests: AltTests) -> dict[str, Any]:
    """What programs need beside the tables: the settings, and the verdicts in words."""
    return {"settings": asdict(tests.settings), "verdicts": verdicts_of(tests)}


def alt_test_tables(tests: AltTests) -> AltTestTables:
    """The same as a file of the tables would be read."""
    return msgspec.convert(sheets_as_json(alt_test_tidy(tests), alt_test_about(tests)),
                           AltTestTables)  # fmt: skip


def verdicts_of(tests: AltTests) -> list[str]:
    """What is to be said of each judge on each dimension."""
    return [f"{_place(one)}: {verdict_of(one)}" for one in tests.judges]


def verdict_of(one: JudgeResult) -> str:
    """What is to be said of a judge, in a sentence."""
    wins = sum(each.is_won for each in one.test.against)
    tested = sum(each.p == each.p for each in one.test.against)
    rate = f"{wins} of {counted(tested, 'annotator')} (winning rate {one.test.winning_rate:.2f}"
    if one.verdict == "none":
        names = ", ".join(null.name for null in one.not_beaten)
        know = "knows" if len(one.not_beaten) == 1 else "know"
        return (
            f"no verdict: {one.judge} was not found to be better than {names}, which {know} "
            f"nothing of how good a summary is"
        )
    if one.verdict == "passes in part":
        return (
            f"{one.judge} passes against the null judges that could be tested, "
            f"{_listed([null.name for null in one.nulls])}: it wins against {rate}); "
            f"{_untested(one.not_tested)}"
        )
    if one.verdict == "passes":
        return f"{one.judge} passes: it wins against {rate}), and is better than all null judges"
    return f"{one.judge} does not pass: it wins against {rate}, {PASSES:g} is needed)"


def _untested(names: Sequence[str]) -> str:
    """What null judges need that could not be tested."""
    need = "needs" if len(names) == 1 else "need"
    texts = "texts of all sources" if list(names) == [A_LEAD] else "texts"
    return f"{_listed(names)} {need} the {texts}: name the corpus that has them"


def _listed(names: Sequence[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def _place(one: JudgeResult) -> str:
    return " + ".join(one.dimensions)


def _beside_nulls(one: JudgeResult) -> Sheet:
    rows: list[tuple[Cell, ...]] = [
        (one.judge, one.test.winning_rate, one.test.advantage, None, None)
    ]
    for null in one.nulls:
        behind = null.behind.value, null.behind.p
        rows.append((null.name, null.test.winning_rate, null.test.advantage, *behind))
    sizes = ", ".join(
        (
            counted(len(one.annotators), "annotator"),
            counted(one.instances, "instance"),
            counted(one.topics, "topic"),
        )
    )
    return Sheet(
        f"{one.judge}-{'-'.join(one.dimensions)}",
        f"{one.judge} in place of an annotator, {_place(one)}: {sizes}",
        headings("judge", "winning_rate", "advantage", "behind", _P),
        tuple(rows),
        (verdict_of(one), *one.notes),
    )


_PEOPLE = headings("annotator", "instances", "advantage", "annotator_advantage", _P, _CORRECTED)
_PEOPLE += headings("wins")


def _annotators(one: JudgeResult) -> Sheet:
    """The judge against each annotator."""
    rows: list[tuple[Cell, ...]] = [
        (name, *each[:-1], "yes" if each.is_won else "no")
        for name, each in zip(one.annotators, one.test.against, strict=True)
    ]
    return Sheet(
        f"{one.judge}-{'-'.join(one.dimensions)}-annotators",
        f"{one.judge} against each annotator, {_place(one)}",
        _PEOPLE,
        tuple(rows),
    )


def _legend(tests: AltTests) -> Iterator[str]:
    settings = tests.settings
    yield (
        f"advantage: how often the judge is as near to the other annotators as the one who is left "
        f"out, or nearer ({settings.alignment}: {_ALIGNMENTS[settings.alignment]})"
    )
    yield (
        f"winning rate: the share of annotators who are ahead of the judge by significantly less "
        f"than epsilon = {settings.epsilon:g} (corrected p <= {settings.alpha:g}, Benjamini and "
        f"Yekutieli)"
    )
    yield (
        "behind: by how much the advantage of a null judge is below that of the judge; p is "
        "one-sided, over topics"
    )
    yield f"(random): drawn from people's marks with seed {settings.seed}"
