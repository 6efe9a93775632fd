"""``summetry questions``: how well people answer after reading."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from summetry.cli._options import CorpusOptions, argument, shared
from summetry.cli._output import print_json
from summetry.errors import SummetryError
from summetry.reports.tables import console, empty_table, number
from summetry.tasks.questions import answers_after


@shared(CorpusOptions)
def questions(
    corpus: Annotated[Path, argument("CORPUS", "A corpus with questions.jsonl and answers.jsonl.")],
    options: CorpusOptions,
) -> None:
    """Show how well people answer after reading.

    One row for each thing that was read before the answers: the source, a summary, an abstract,
    or nothing. It has the number of answers, the share of right ones, and the mean of their
    seconds.

    \b
    Example:
        summetry questions my-corpus
    """
    read, _ = options.read(corpus)
    rows = answers_after(read)
    if not rows:
        raise SummetryError(
            f"{corpus}: expected answers to questions whose right choice is known, found none; "
            f"they are in answers.jsonl and questions.jsonl of a corpus"
        )
    if options.as_json:
        print_json(rows)
        return
    table = empty_table(["condition", "system"], ["answers", "right", "seconds"])
    for row in rows:
        shown = str(row.answers), number(row.right), number(row.seconds, 1)
        table.add_row(row.condition, row.author, *shown)
    console().print(table)
