"""What the commands share that count the votes of informants."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Literal

import typer

from summetry.cli._corpus import CorpusOptions
from summetry.errors import SummetryError
from summetry.records.lengths import exact
from summetry.references.majority import Voters

VotedCorpus = Annotated[
    Path, typer.Argument(metavar="CORPUS", help="A corpus folder with extracts.jsonl.")
]
FitOption = Annotated[
    Literal["stop", "skip", "overshoot"],
    typer.Option(help="What to do with a unit that does not fit."),
]


@dataclass(frozen=True)
class VotingOptions(CorpusOptions):
    """The options that say whose votes count, and who is first of equals."""

    ties: Annotated[
        str,
        typer.Option(
            metavar="RULE",
            help="Who is first of equals: position, inclusion, exclusion or "
            "'exclusion(theta=1/3)'.",
        ),
    ] = "position"
    without: Annotated[
        list[str] | None,
        typer.Option(metavar="INFORMANT", help="Whose extracts do not count; may be repeated."),
    ] = None
    group: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Only informants whom people.jsonl puts into this group."
        ),
    ] = None

    def voters(self, weight: Iterable[str] = ()) -> Voters:
        """Who has a vote; ``weight`` is spelt as ``INFORMANT=N``."""
        weights: dict[str, Fraction] = {}
        for option in weight:
            who, sign, votes = option.rpartition("=")
            if not (who and sign and votes):
                raise SummetryError(f"--weight: write INFORMANT=N, got {option!r}")
            if who in weights:
                raise SummetryError(f"--weight: {who!r} has a weight twice, the second is {votes}")
            try:
                weights[who] = exact(votes)
            except SummetryError as error:
                raise SummetryError(f"--weight {option}: {error}") from None
        return Voters(frozenset(self.without or ()), self.group, weights)
