"""What the commands that count the votes of informants share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from summetry.cli._options import TableOptions
from summetry.cli._parameters import option
from summetry.errors import SummetryError
from summetry.records.lengths import exact
from summetry.references.majority import Voters


@dataclass(frozen=True)
class VotingOptions(TableOptions):
    """The options that say whose votes count, and what decides between equally many."""

    ties: Annotated[
        str,
        option(
            "RULE",
            "Which of the units with equally many votes comes first: position, inclusion, "
            "exclusion or 'exclusion(theta=1/3)'.",
        ),
    ] = "position"
    without: Annotated[
        list[str] | None, option("INFORMANT", "Leave out an informant; may be repeated.")
    ] = None
    group: Annotated[
        str | None, option("NAME", "Only informants of this group in people.jsonl.")
    ] = None

    def selects(self) -> bool:
        """Whether not all informants have a vote."""
        return bool(self.without or self.group)

    def voters(self, weight: Iterable[str] = ()) -> Voters:
        """Who has a vote; ``weight`` is spelt as ``INFORMANT=N``."""
        weights: dict[str, Fraction] = {}
        for assignment in weight:
            who, sign, votes = assignment.rpartition("=")
            if not (who and sign and votes):
                raise SummetryError(f"--weight: write INFORMANT=N, got {assignment!r}")
            if who in weights:
                raise SummetryError(f"--weight: {who!r} has a weight twice, the second is {votes}")
            try:
                weights[who] = exact(votes)
            except SummetryError as error:
                raise SummetryError(f"--weight {assignment}: {error}") from None
        return Voters(frozenset(self.without or ()), self.group, weights)
