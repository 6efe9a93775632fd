"""A comparison of systems as sheets: the ranking, tests against one system, power, all pairs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, get_args

from rich.cells import cell_len
from rich.console import Console

from summetry.arguments import check_choice
from summetry.errors import UnknownKeyError, counted, in_python
from summetry.metaeval.columns import legend_of, short_name
from summetry.metaeval.rankings import CompareSettings, PairTest, Ranking, having_p
from summetry.records.scores import ROW_DEFAULTS, pandas_frame
from summetry.reports.notebook import rankings_html
from summetry.reports.sheets import (
    Cell,
    Heading,
    Sheet,
    headings,
    print_sheets,
    sheet_records,
    without_columns,
)
from summetry.reports.tables import NARROW, as_text
from summetry.reports.verdicts import verdicts
from summetry.reports.words import CORRECTIONS, PAIRED_TESTS, confidence

if TYPE_CHECKING:
    import pandas

SheetName = Literal["systems", "against", "power", "pairs"]

# Means of a bootstrap of fewer topics than this vary less than they should.
_FEW_TOPICS = 30
# Cells of a matrix of p: a sign, a number of three digits, two blanks.
_WIDE = 8
# Columns that a terminal shows where rows differ in them, and those that only files have.
_DULL = ("role", "metric")
_LEFT_OUT = ("p",)
# What is left out where several values are shown: the beginnings of its notes, and where it is.
_OF_LEFT_OUT = ("needed: ", "d_z: ", "won: ")
_LEFT_TO_ONE = "of one metric, effect sizes and topics needed are shown too; files have them of all"
# A terminal shows no larger number of topics that would be needed.
_MOST_NEEDED = 100_000


class Rankings(Mapping[str, Ranking]):
    """What ``compare`` gives back: the ranking by each value, under the value's name."""

    def __init__(self, rankings: Sequence[Ranking]) -> None:
        self._rankings = tuple(rankings)

    def __getitem__(self, name: str) -> Ranking:
        for ranking in self._rankings:
            columns = (ranking.column, *ranking.same)
            names = [name for column in columns for name in (short_name(column), column.name)]
            if name.lower() in map(str.lower, names):
                return ranking
        raise UnknownKeyError("metric among the rankings", name, list(self))

    def __iter__(self) -> Iterator[str]:
        return (short_name(ranking.column) for ranking in self._rankings)

    def __len__(self) -> int:
        return len(self._rankings)

    @property
    def verdicts(self) -> list[str]:
        """The best system against the next, and against the baseline, in sentences."""
        return [line for ranking in self._rankings for line in verdicts(ranking)]

    def to_pandas(self, what: SheetName = "systems") -> pandas.DataFrame:
        """One row per metric and system; or per test ``against`` one system, per pair, ..."""
        check_choice("what", what, get_args(SheetName))
        return pandas_frame(
            [
                {"metric": short_name(ranking.column)} | record
                for ranking in self._rankings
                for sheet in (*_of_ranking(ranking), _pairs(ranking, "pairs"))
                if sheet.name == what
                for record in sheet_records(sheet)
            ]
        )

    def report(self, all_pairs: bool = False) -> str:
        """All that the command ``compare`` prints."""
        return self._text(printed_sheets(self._rankings, all_pairs, NARROW))

    def __repr__(self) -> str:
        shown = [replace(_printed(ranking)[0], notes=()) for ranking in self._rankings]
        return f"{self._text(shown)}\n(.report() has the tests; .to_pandas() the numbers)"

    def _repr_html_(self) -> str:
        return rankings_html(self._rankings, printed_verdicts(self._rankings))

    def _text(self, sheets: Sequence[Sheet]) -> str:
        def show(out: Console) -> None:
            for line in printed_verdicts(self._rankings):
                out.print(line)
            out.print()
            print_sheets(out, sheets)

        return in_python(as_text(show)).rstrip("\n")


def comparison_sheets(rankings: Sequence[Ranking], pairs: bool = False) -> list[Sheet]:
    """The sheets of each comparison, one after the other; ``pairs`` adds a list of all pairs."""
    sheets = []
    for number, ranking in enumerate(rankings, 1):
        # The names of the first comparison stay short.
        end = "" if number == 1 else f"_{number}"
        systems, *rest = _of_ranking(ranking, end)
        # Scores of other programs have no signature.
        signature = filter(None, [ranking.column.signature])
        notes = (*verdicts(ranking), *ranking.notes, *systems.notes, *signature)
        sheets += [replace(systems, notes=notes), *rest]
        if pairs and ranking.pairs:
            sheets.append(_pairs(ranking, f"pairs{end}"))
    return sheets


def printed_verdicts(rankings: Sequence[Ranking]) -> list[str]:
    """What a terminal shows first: a sentence per pair, and what changes a reader's mind."""
    sentences = [line for ranking in rankings for line in verdicts(ranking)]
    return [*sentences, *notes_of(rankings)]


def notes_of(rankings: Sequence[Ranking]) -> list[str]:
    """The notes of all rankings, each once, with the metrics that it goes for unless it is all."""
    names_by_note: dict[str, list[str]] = {}
    for ranking in rankings:
        for note in ranking.notes:
            names_by_note.setdefault(note, []).append(short_name(ranking.column))
    return [
        note
        if len(names) == len(rankings) or note.startswith(names[0])
        else f"{', '.join(names)}: {note}"
        for note, names in names_by_note.items()
    ]


def printed_sheets(rankings: Sequence[Ranking], pairs: bool, width: int) -> list[Sheet]:
    """The sheets for a terminal: what changes from row to row, and all notes below the last.

    Pairs are squares; of several values each has one sheet, and no power.
    """
    if len(rankings) > 1:
        sheets = [_in_one(ranking) for ranking in rankings]
        sheets[-1] = replace(sheets[-1], notes=(*sheets[-1].notes, _LEFT_TO_ONE))
    else:
        (alone,) = rankings
        sheets = _printed(alone)
        # Of two systems the verdict says what their topics can show.
        if len(alone.systems) > 2 and alone.against:
            sheets.append(_for_terminal(_power(alone, "power"), alone.topics))
    for ranking in rankings if pairs else ():
        sheets += matrix_sheets(ranking, min(width, NARROW))
    legends = {ranking.column.metric: legend_of(ranking.column) for ranking in rankings}
    notes = [note for sheet in sheets for note in sheet.notes]
    notes += [f"{metric}: {legend}" for metric, legend in legends.items() if legend]
    sheets = [replace(sheet, notes=()) for sheet in sheets]
    return [*sheets[:-1], replace(sheets[-1], notes=tuple(dict.fromkeys(notes)))]


def _printed(ranking: Ranking) -> list[Sheet]:
    """The systems and the tests for a terminal, which shows one p."""
    both = _of_ranking(ranking)[:2]
    systems, *tests = (_for_terminal(sheet, ranking.topics) for sheet in both)
    if ranking.settings.corrects(ranking.family()):
        return [systems, *tests]
    names = {"corrected_p": Heading("p", "", 4, True)}
    columns = [tuple(names.get(h.name, h) for h in sheet.headings) for sheet in tests]
    pairs = zip(tests, columns, strict=True)
    return [systems, *(replace(sheet, headings=own) for sheet, own in pairs)]


def _for_terminal(sheet: Sheet, topics: int) -> Sheet:
    """A sheet without the counts that its title gives, and without what is the same in all rows."""
    usual = {"topics": {topics}, "missing": {0}}
    names = [heading.name for heading in sheet.headings]
    told = [
        name
        for place, name in enumerate(names)
        if {row[place] for row in sheet.rows} <= usual.get(name, set())
    ]
    rows = tuple(tuple(map(_in_sight, names, row)) for row in sheet.rows)
    return without_columns(replace(sheet, rows=rows), [*_LEFT_OUT, *told], _DULL)


def _in_sight(name: str, cell: Cell) -> Cell:
    """A cell for a terminal: no number of topics that nobody will ever have."""
    is_far = name == "topics_needed" and isinstance(cell, int) and cell > _MOST_NEEDED
    return None if is_far else cell


def _in_one(ranking: Ranking) -> Sheet:
    """The systems with the tests beside them, for a terminal that has several values to show."""
    systems, *tests = _printed(ranking)
    systems = without_columns(systems, ("to_next", "topics_needed"), ())
    for sheet in tests:
        places = [
            place
            for place, heading in enumerate(sheet.headings)
            if heading.name in ("difference", "corrected_p", "p")
        ]
        beside = {row[0]: [row[place] for place in places] for row in sheet.rows}
        system = [heading.name for heading in systems.headings].index("system")
        gap, p = (sheet.headings[place] for place in places)
        gap = replace(gap, title="minus baseline" if ranking.is_named else "minus first")
        rows = ((*row, *beside.get(row[system], (None, None))) for row in systems.rows)
        notes = dict.fromkeys((*systems.notes, *sheet.notes))
        said = tuple(note for note in notes if not note.startswith(_OF_LEFT_OUT))
        systems = replace(
            systems, headings=(*systems.headings, gap, p), rows=tuple(rows), notes=said
        )
    return systems


def _of_ranking(ranking: Ranking, end: str = "") -> list[Sheet]:
    """The systems, the tests against one of them, and power."""
    systems = _systems(ranking, f"systems{end}")
    if not ranking.against:
        return [systems]
    return [systems, _against(ranking, f"against{end}"), _power(ranking, f"power{end}")]


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
            headings(
                Heading("rank", "#"), "system", *(Heading(str(k + 1), is_p=True) for k in columns)
            ),
            tuple(
                (row, name, *(p.get((name, names[column])) for column in columns))
                for row, name in enumerate(names, 1)
            ),
        )
        for start in range(0, len(names), at_once)
        for columns in [range(start, min(start + at_once, len(names)))]
    ]


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
    named = ("test", "correction", "alpha", "power", "seed")
    return {
        "protocol": rankings[0].protocol,
        "verdicts": [line for ranking in rankings for line in verdicts(ranking)],
        "topics": rankings[0].topics,
        **{name: getattr(settings, name) for name in named},
        "draws": settings.resamples,
        "permutations": settings.permutations(len(rankings[0].pairs)),
        "values": values,
    }


def _systems(ranking: Ranking, name: str) -> Sheet:
    order = "best first" if ranking.better != "neither" else "highest first"
    lower = "lower is better" if ranking.better == "lower" else ""
    protocol = ranking.protocol if ranking.protocol != ROW_DEFAULTS["protocol"] else ""
    about = ", ".join(filter(None, [protocol, counted(ranking.topics, "topic"), lower]))
    title = f"Systems by {ranking.column.name}, {order} ({about})"
    rows = tuple(
        (place, s.system, s.role, s.mean, s.low, s.high, s.topics, s.missing, s.letters,
         s.gap, s.needed)
        for place, s in enumerate(ranking.systems, 1)
    )  # fmt: skip
    columns = headings(
        Heading("rank", "#"), "system", "role", *_numbers("mean", "low", "high", "topics"),
        "missing", Heading("letters", "alike"), *_numbers("to_next"),
        Heading("topics_needed", "needed"),
    )  # fmt: skip
    return Sheet(name, title, columns, rows, tuple(_systems_notes(ranking)))


def _systems_notes(ranking: Ranking) -> list[str]:
    settings = ranking.settings
    notes = [f"low, high: {_interval(settings)}"]
    if len(ranking.systems) > 1:
        pairs = len(having_p(ranking.pairs))
        # Elsewhere p is corrected for the tests against the baseline only.
        is_other = ranking.is_named and settings.corrects(pairs)
        those = f"those of {ranking.baseline} for {ranking.family():,} comparisons"
        corrected = f", corrected for all {pairs:,} pairs, {those}" if is_other else ""
        needed = {standing.needed for standing in ranking.systems}
        fewest = {settings.fewest_topics(number) for number in (ranking.family(), pairs)} & needed
        floor = (
            f"; fewer than {min(fewest):,} show nothing by this test"
            if max(fewest, default=2) > 2
            else ""
        )
        notes += [
            "alike: systems that share a letter do not differ significantly "
            f"(p <= {settings.alpha:g}{corrected})",
            "needed: topics that show the difference to the next system, in "
            f"{_percent(settings.power)} of cases{floor}",
        ]
        if any(number and number > _MOST_NEEDED for number in needed):
            notes.append(f"needed: a terminal shows - for more than {_MOST_NEEDED:,}")
    if ranking.better == "neither":
        notes.append(f"{ranking.column.name} does not say which direction is better")
    return notes


def _against(ranking: Ranking, name: str) -> Sheet:
    settings = ranking.settings
    first = "highest" if ranking.better == "neither" else "best"
    who = f"{ranking.baseline}, the {'baseline' if ranking.is_named else first}"
    title = f"Each system minus {who}, by {ranking.column.name}"
    rows = tuple(
        (pair.first, *_of_pair(pair), pair.topics, ranking.verdict(pair))
        for pair in ranking.against
    )
    # Against the best, which is known from the same scores, all pairs are in play.
    words = "{:,} comparisons" if ranking.is_named else "all {:,} pairs"
    notes = [
        f"low, high: {_interval(settings)}",
        _tested(settings, ranking.family(), words),
        "d_z: mean difference divided by the standard deviation of the differences",
        "won: share of topics on which the system is better; ties count half",
    ]
    if settings.test == "bootstrap" and ranking.topics < _FEW_TOPICS:
        notes.append(
            f"a bootstrap of {ranking.topics} topics gives too many false positives; prefer "
            "--test permutation"
        )
    if ranking.family() < len(having_p(ranking.pairs)):
        notes += ranking.unreachable_against()
    return Sheet(name, title, headings("system", *_PAIR, "topics", "verdict"), rows, tuple(notes))


def _power(ranking: Ranking, name: str) -> Sheet:
    settings = ranking.settings
    rows = tuple(
        (one.comparisons, one.alpha, one.power.topics, one.power.deviation, one.power.smallest,
         one.power.smallest_of_widest)
        for one in ranking.power
    )  # fmt: skip
    columns = headings(
        "comparisons", Heading("alpha", digits=5), "topics",
        Heading("standard_deviation", "SD", 4), *_numbers("smallest"),
        Heading("smallest_of_widest", "most uneven pair", 4),
    )  # fmt: skip
    share = _percent(settings.power)
    title = f"For planning: the difference that the topics show in {share} of cases"
    notes = [
        "smallest: by a paired t-test, for the median pair",
        "SD: standard deviation of the differences over topics, for the median pair",
    ]
    notes += dict.fromkeys(one.power.reason for one in ranking.power if one.power.reason)
    return Sheet(name, title, columns, rows, tuple(notes))


def _pairs(ranking: Ranking, name: str) -> Sheet:
    rows = tuple(
        (pair.first, pair.second, *_of_pair(pair), pair.topics, ranking.verdict(pair))
        for pair in ranking.pairs
    )
    title = f"All pairs, the first minus the second, by {ranking.column.name}"
    columns = headings("first", "second", *_PAIR, "topics", "verdict")
    return Sheet(name, title, columns, rows)


def _numbers(*names: str) -> tuple[Heading, ...]:
    return tuple(Heading(name, digits=4) for name in names)


_PAIR = (
    *_numbers("difference", "low", "high"), Heading("p", "uncorrected p", 4, True),
    Heading("corrected_p", "corrected p", 4, True), Heading("d_z", "d_z", 2), Heading("won", "", 2),
)  # fmt: skip


def _of_pair(pair: PairTest) -> tuple[Cell, ...]:
    ends = (pair.difference, pair.low, pair.high)
    return (*ends, pair.p, pair.corrected, pair.effect, pair.won)


def _tested(settings: CompareSettings, comparisons: int, words: str) -> str:
    """The test behind p, and what p is corrected for, where it is."""
    corrected = ", uncorrected" if comparisons > 1 else ""
    if settings.corrects(comparisons):
        by = CORRECTIONS[settings.correction]
        corrected = f", corrected by {by} for {words.format(comparisons)}"
    return f"p: {PAIRED_TESTS[settings.test]}{corrected}"


def _percent(share: float) -> str:
    return f"{100 * share:g} %"


def _interval(settings: CompareSettings) -> str:
    share = f"{confidence(settings.alpha)} %"
    return f"{share} of {settings.resamples:,} bootstrap resamples of topics, seed {settings.seed}"
