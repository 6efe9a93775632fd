"""``summetry reference``: references by majority vote."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from summetry.cli._inputs import (
    FormatOption,
    JsonOption,
    LanguageOption,
    OnErrorOption,
)
from summetry.cli._json import print_json
from summetry.cli._progress import progress_bar
from summetry.errors import SummetryError, counted
from summetry.formats import load
from summetry.formats.folder import Folder
from summetry.records.builder import OnError
from summetry.records.corpus import Corpus
from summetry.records.lengths import exact
from summetry.references.making import (
    References,
    TopicReference,
    make_references,
    plain,
    tie_as_data,
    with_references,
)
from summetry.references.panel import Panel
from summetry.references.validation import Stability, leave_one_out, most_stable, stability
from summetry.reports.agreement import (
    predicted_table,
    references_table,
    stability_table,
    ties_table,
)
from summetry.reports.tables import console
from summetry.stats.agreement import mean_defined

# Nobody reads more lines than this about ties.
MOST_TIES = 20

VotedCorpus = Annotated[
    Path, typer.Argument(metavar="CORPUS", help="A corpus folder with extracts.jsonl.")
]
TiesOption = Annotated[
    str,
    typer.Option(
        metavar="RULE",
        help="Who is first of equals: position, inclusion, exclusion or 'exclusion(theta=1/3)'.",
    ),
]
FitOption = Annotated[
    Literal["stop", "skip", "overshoot"],
    typer.Option(help="What to do with a unit that does not fit."),
]
WithoutOption = Annotated[
    list[str] | None,
    typer.Option(metavar="INFORMANT", help="Whose extracts do not count; may be repeated."),
]
GroupOption = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Only informants whom people.jsonl puts into this group."),
]


def reference(
    corpus: VotedCorpus,
    rate: Annotated[
        str,
        typer.Option(
            metavar="LENGTH",
            help="30%, '30% of characters', '100 words', '5 units', or mean: as the extracts.",
        ),
    ] = "mean",
    fit: FitOption = "stop",
    ties: TiesOption = "position",
    without: WithoutOption = None,
    weight: Annotated[
        list[str] | None,
        typer.Option(metavar="INFORMANT=N", help="How many votes one has; may be repeated."),
    ] = None,
    group: GroupOption = None,
    validate: Annotated[
        bool, typer.Option("--validate", help="Leave out one informant after the other.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FOLDER", help="Write CORPUS with its references."),
    ] = None,
    name: Annotated[str, typer.Option(metavar="NAME", help="The author of them.")] = "majority",
    only: Annotated[
        bool, typer.Option("--only", help="Leave out the models that CORPUS has already.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Write over what is at -o.")] = False,
    as_json: JsonOption = False,
    format: FormatOption = None,
    language: LanguageOption = "",
    on_error: OnErrorOption = "stop",
) -> None:
    """Make references of extracts, by majority vote.

    The units with most votes are taken, up to a length. Where a reference depended on a tie, that
    is told, with what the other rules would have chosen. Without --output nothing is written.

    \b
    Examples:
        summetry reference my-corpus --rate 30% --ties inclusion -o refs
        summetry reference my-corpus --rate mean --validate
    """
    if output is None and (only or force or name != "majority"):
        raise SummetryError("--name, --only and --force go with --output")
    if not name:
        raise SummetryError("--name: the references need an author, got an empty name")
    _check_output(output, force)
    read = read_voted(corpus, format, language, on_error)
    panel = make_panel(without, group, weight)
    with progress_bar("voted") as show:
        found = make_references(read, rate, fit, ties, panel, show)
    for note in found.notes():
        typer.echo(f"note: {note}", err=True)
    written = with_references(found, name, only) if output else None
    checked = _validated(found) if validate else {}
    if output and written:
        Folder().write(written, output)
    if as_json:
        shown = [_as_json(made) for made in found.made]
        wrote = {"wrote": str(output)} if output else {}
        print_json({**wrote, "references": shown, **_plain_validation(checked)})
        return
    _print_references(found, output, name)
    if validate:
        _print_validation(**checked)


def read_voted(path: Path, format: str | None, language: str, on_error: OnError) -> Corpus:
    """A corpus; what was skipped in it is told."""
    corpus = load(path, format, on_error=on_error, language=language)
    for problem in corpus.problems:
        typer.echo(f"skipped: {problem}", err=True)
    return corpus


def make_panel(
    without: list[str] | None, group: str | None, weight: list[str] | None = None
) -> Panel:
    """Who has a vote, from the options."""
    weights: dict[str, Fraction] = {}
    for asked in weight or ():
        who, sign, votes = asked.rpartition("=")
        if not (who and sign and votes):
            raise SummetryError(f"--weight: write INFORMANT=N, got {asked!r}")
        if who in weights:
            raise SummetryError(f"--weight: {who!r} has a weight twice, the second is {votes}")
        try:
            weights[who] = exact(votes)
        except SummetryError as error:
            raise SummetryError(f"--weight {asked}: {error}") from None
    return Panel(frozenset(without or ()), group, weights)


def _check_output(output: Path | None, force: bool) -> None:
    """Refuse before the work where something is already."""
    if output is None or not output.exists():
        return
    if not output.is_dir():
        raise SummetryError(f"{output}: expected a folder to write to, found a file")
    if any(output.iterdir()) and not force:
        raise SummetryError(f"{output}: exists already; --force writes over it")


def _as_json(made: TopicReference) -> dict[str, Any]:
    votes, found = made
    return {
        "topic": votes.topic.id,
        "informants": [extract.informant for extract in votes.extracts],
        "limit": plain(found.limit),
        "length": found.length,
        "units": list(found.units),
        "agreement": found.agreement,
        "votes": [plain(count) for count in found.ballot.votes],
        "tie": tie_as_data(found.tie) if found.tie else None,
    }


def _print_references(found: References, output: Path | None, name: str) -> None:
    out = console()
    if output:
        count = sum(1 for made in found.made if made.reference.units)
        out.print(f"wrote {output}: {counted(count, 'reference')} by {name}", soft_wrap=True)
    else:
        how = f"{_of_what(found)}, fit {found.fit}"
        out.print(f"References by majority vote, {how}:", style="bold", soft_wrap=True)
        out.print(references_table(found.made))
        out.print()
    _print_ties(found)


def _of_what(found: References) -> str:
    """The budget, and what its limit counts where it does not say so."""
    budget = found.budget
    what = budget.counted
    return f"{budget} ({what})" if what not in str(budget) else str(budget)


def _print_ties(found: References) -> None:
    out = console()
    if not found.tied:
        out.print("No reference depended on a tie.")
        return
    different = found.disputed
    broken = f"{len(found.tied)} of {len(found.made)} references depended on a tie, "
    broken += f"broken by {found.ties}"
    if not different:
        out.print(f"{broken}; all tie rules choose the same.", soft_wrap=True)
        return
    out.print(
        f"{broken}. For {len(different)} the rules differ; what each takes and not all do:",
        style="bold",
        soft_wrap=True,
    )
    out.print(ties_table(different[:MOST_TIES]))
    if len(different) > MOST_TIES:
        out.print(f"... and {len(different) - MOST_TIES} more (--json shows all)")


def _validated(found: References) -> dict[str, Any]:
    votes = [made.votes for made in found.made]
    with progress_bar("validated") as show:
        lines = stability(votes, found.fit, found.ties, progress=show)
    longest = mean_defined([max(of_topic.percents) for of_topic in votes])
    return {
        "predicted": leave_one_out(votes, found.budget, found.fit, found.ties),
        "lines": lines,
        "longest": longest,
        # A reference that is longer than anybody's extract would be no summary.
        "best": most_stable([line for line in lines if line.rate <= longest]),
    }


def _plain_validation(checked: dict[str, Any]) -> dict[str, Any]:
    if not checked:
        return {}
    informants = [
        {
            "informant": line.informant,
            "topics": line.topics,
            **line.shares._asdict(),
            "chance": line.chance,
        }
        for line in checked["predicted"]
    ]
    lines = [line._asdict() for line in checked["lines"]]
    best = checked["best"].rate if checked["best"] else None
    return {"informants": informants, "stability": lines, "most_stable": best}


def _print_validation(
    predicted: list[Any], lines: list[Stability], longest: float, best: Stability | None
) -> None:
    out = console()
    out.print("\nEach informant against the vote of the others:", style="bold")
    if not predicted:
        out.print("no topic has two informants, so there are no others")
        return
    out.print(predicted_table(predicted))
    out.print("\nWhat stays of a reference without one informant, by its length:", style="bold")
    out.print(stability_table(lines))
    if best:
        out.print(
            f"most stable at {best.rate}%, of lengths up to that of the longest extracts "
            f"({longest:.0f}%)"
        )
