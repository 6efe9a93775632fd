"""``summetry reference``: references by majority vote."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from summetry.cli._options import (
    ExtractsArgument,
    FitOption,
    ForceOption,
    LengthOption,
    output_option,
    shared,
)
from summetry.cli._output import check_folder, echo_notes, print_json, wrote
from summetry.cli._parameters import flag, option
from summetry.cli._progress import progress_bar
from summetry.cli._voting import VotingOptions
from summetry.errors import SummetryError, counted
from summetry.formats import FORMATS, must_be_writable
from summetry.formats.topic_lengths import read_length
from summetry.records.lengths import Length
from summetry.references.majority import References, make_references, with_references
from summetry.references.validation import Validation, validate_references
from summetry.reports.agreement import (
    fraction,
    predicted_table,
    reference_as_data,
    references_table,
    stability_table,
    ties_table,
)
from summetry.reports.tables import console

# More rows than this about ties are left to --json.
MOST_TIES = 20


@shared(VotingOptions)
def reference(
    corpus: ExtractsArgument,
    voting: VotingOptions,
    length: LengthOption = "mean",
    fit: FitOption = "stop",
    weight: Annotated[
        list[str] | None,
        option("INFORMANT=N", "How many votes this informant has; may be repeated."),
    ] = None,
    validate: Annotated[
        bool, flag("--validate", "Leave out one informant at a time and compare.")
    ] = False,
    output: Annotated[
        Path | None, output_option("FOLDER", "Write CORPUS with the references.")
    ] = None,
    name: Annotated[str, option("NAME", "The author of the references.")] = "majority",
    only: Annotated[
        bool, flag("--only", "Leave out the references that CORPUS has already.")
    ] = False,
    write_as: Annotated[
        str, option("FORMAT", "The format of --output, as 'rouge_xml(texts=SEE)'.", "--to")
    ] = "folder",
    force: ForceOption = False,
) -> None:
    """Make references from extracts by majority vote.

    Each topic gets one reference: the units that most informants chose, most votes first, until
    --length is full. If units with equally many votes do not all fit, --ties decides, and the
    output names these units and shows what the other rules would choose. Without --output nothing
    is written.

    \b
    Examples:
        summetry reference my-corpus --length 30%
        summetry reference my-corpus --length 30% --ties inclusion -o refs
        summetry reference my-corpus -o see --to "rouge_xml(texts=SEE)"
        summetry reference my-corpus --length mean --validate
    """
    if output is None and (only or force or name != "majority" or write_as != "folder"):
        raise SummetryError("--name, --only, --to and --force go with --output")
    writer = FORMATS.build(write_as)
    must_be_writable(writer)
    if not name:
        raise SummetryError("--name: the references need an author, got an empty name")
    asked = read_length(length)
    check_folder(output, force)
    read, _ = voting.read(corpus)
    voters = voting.voters(weight or ())
    with progress_bar("voted") as show:
        references = make_references(read, asked, fit, voting.ties, voters, show)
    echo_notes(references.notes())
    written = with_references(references, name, only) if output else None
    validation = None
    if validate:
        with progress_bar("validated") as show:
            validation = validate_references(references, show)
    if output and written:
        writer.write(written, output)
    if voting.as_json:
        shown = [reference_as_data(topic) for topic in references.by_topic]
        checked = _validation_as_json(validation) if validation else {}
        print_json({**wrote(output), "references": shown, **checked})
        return
    _print_references(references, output, name)
    if validation:
        _print_validation(validation)


def _print_references(references: References, output: Path | None, name: str) -> None:
    out = console()
    if output:
        count = sum(1 for _, reference in references.by_topic if reference.units)
        out.print(f"wrote {output}: {counted(count, 'reference')} by {name}")
    else:
        # What the limit counts is named where the length does not say it.
        length, asked = str(references.length), references.length
        what = asked.counted if isinstance(asked, Length) else ""
        shown = length if what in length else f"{length} ({what})"
        heading = f"References by majority vote, {shown}, fit {references.fit}:"
        out.print(heading, style="bold")
        out.print(references_table(references.by_topic))
        out.print()
    _print_ties(references)


def _print_ties(references: References) -> None:
    out = console()
    tied, disputed = references.tied, references.disputed
    if not tied:
        out.print("No reference depended on a tie.")
        return
    broken = f"{len(tied)} of {len(references.by_topic)} references depended on a tie, which "
    broken += f"{references.ties} decided"
    if not disputed:
        out.print(f"{broken}; all tie rules choose the same units.")
        return
    out.print(f"{broken}.")
    out.print(
        f"In {len(disputed)} of them other rules choose other units; these units are chosen by "
        f"some rules only:",
        style="bold",
    )
    out.print(ties_table(disputed[:MOST_TIES]))
    if len(disputed) > MOST_TIES:
        out.print(f"... and {len(disputed) - MOST_TIES} more (--json shows all)")


def _validation_as_json(validation: Validation) -> dict[str, Any]:
    informants = [
        {
            "informant": line.informant,
            "topics": line.topics,
            **line.shares._asdict(),
            "chance": line.chance,
        }
        for line in validation.predicted
    ]
    return {
        "informants": informants,
        "stability": [
            {
                "length": fraction(line.percent),
                "jaccard": line.jaccard,
                "chance": line.chance,
                "corrected": line.corrected,
            }
            for line in validation.stability
        ],
        "most_stable": fraction(validation.best.percent) if validation.best else None,
    }


def _print_validation(validation: Validation) -> None:
    out = console()
    out.print("\nEach informant compared with the vote of the others:", style="bold")
    if not validation.predicted:
        out.print("no topic has two informants, so there are no others")
        return
    out.print(predicted_table(validation.predicted))
    out.print(
        "\nWhat stays of a reference without one informant, by the length of the reference:",
        style="bold",
    )
    out.print(stability_table(validation.stability))
    if validation.best:
        out.print(
            f"\nmost stable at {validation.best.percent}%, among lengths up to that of the longest "
            f"extracts ({validation.longest:.0f}%)",
        )
