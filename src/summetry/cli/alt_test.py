"""``summetry alt-test``: may a judge stand in for one of the people?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import msgspec

from summetry.cli._inputs import read_judged, read_judgments_beside
from summetry.cli._options import (
    DimensionsOption,
    JudgmentsOption,
    SeedOption,
    TableOptions,
    TablesOption,
    shared,
)
from summetry.cli._output import check_tables, show_sheets
from summetry.cli._parameters import argument, choice, option
from summetry.errors import SummetryError
from summetry.formats import ReadOptions
from summetry.metaeval.alt_test import AltTestSettings, alt_test_of_judges, judges_named
from summetry.records.corpus import Corpus
from summetry.reports.alt_test import alt_test_about, alt_test_sheets, alt_test_tidy
from summetry.stats.alt_test import Alignment


@shared(TableOptions)
def alt_test(
    corpus: Annotated[
        str,
        argument("CORPUS", "A corpus with judgments, or a table of them (id,system,judge,...)."),
    ],
    options: TableOptions,
    judge: Annotated[
        list[str] | None,
        option(
            "NAME",
            "Who is tested: a judge of the corpus, or a file of other judgments; may be repeated.",
        ),
    ] = None,
    dimension: DimensionsOption = None,
    annotator: Annotated[
        list[str] | None,
        option("NAME", "A judge to compare with, else all others; may be repeated."),
    ] = None,
    alignment: Annotated[
        Alignment, choice("How near marks are: on a scale, or as classes.")
    ] = "rmse",
    epsilon: Annotated[
        float,
        option(
            "SHARE", "What people may be ahead: .2 for experts, .15 for trained, .1 for crowds."
        ),
    ] = 0.2,
    alpha: Annotated[float, option("P", "Significant up to this p.")] = 0.05,
    seed: SeedOption = 0,
    judgments: JudgmentsOption = None,
    output: TablesOption = None,
) -> None:
    """Test whether a judge may stand in for one of the people.

    The alternative-annotator test (Calderon, Reichart and Dror 2025): each annotator is left out in
    turn, and the judge and that annotator are compared with the others. Null judges, which give
    marks by length, by the beginning of the source, at random, or always the same, are tested
    beside the judge, and there is a verdict only if it is better than all of them.

    \b
    Examples:
        summetry alt-test my-corpus --judge gpt-4o
        summetry alt-test my-corpus --judge gpt-4o.csv --dimension relevance
        summetry alt-test marks.csv --judge gpt-4o --epsilon 0.1
        summetry alt-test my-corpus --judge gpt-4o -o alt-test.json
    """
    inputs = (corpus, judgments, *(judge or ()))
    check_tables(output, inputs)
    settings = AltTestSettings(alignment, epsilon, alpha, seed)
    how = msgspec.structs.replace(options.reading(), has_classes=alignment == "accuracy")
    read = _read(corpus, judgments, how, options)
    if not judge:
        names = ", ".join(dict.fromkeys(one.judge for one in read.judgments if one.judge))
        raise SummetryError(f"--judge says who is tested: a file of judgments, or one of {names}")
    judges = judges_named(read, judge, how)
    tests = alt_test_of_judges(read, judges, dimension or (), annotator or (), settings)
    about, tidy = alt_test_about(tests), alt_test_tidy(tests)
    show_sheets(alt_test_sheets(tests), about, options.as_json, output, tidy, inputs=inputs)


def _read(corpus: str, judgments: str | None, how: ReadOptions, options: TableOptions) -> Corpus:
    """The judgments, with the texts of the corpus where it has some."""
    if judgments is None:
        return read_judged(Path(corpus), options, how)
    # Names of columns are those of the table of judgments then.
    whole, _ = replace(options, columns="").read(corpus)
    return read_judgments_beside(judgments, how, whole)
