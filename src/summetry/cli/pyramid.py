"""``summetry pyramid``: pyramids from marks, and labelled sentences from pyramids."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

import typer

from summetry.cli._inputs import FormatOption, JsonOption, LanguageOption, OnErrorOption
from summetry.cli._json import print_json
from summetry.errors import FormatError, SummetryError, did_you_mean
from summetry.formats import load
from summetry.formats.folder import Folder
from summetry.formats.lines import Report, read_records
from summetry.records.builder import OnError
from summetry.records.corpus import Corpus
from summetry.records.pyramids import Pyramid
from summetry.references.labels import NEAR, Labelling, label_units
from summetry.references.pyramids import Mark, build_pyramids
from summetry.reports.tables import console, number, plain_table


def pyramid(
    action: Annotated[
        Literal["build", "labels"],
        typer.Argument(metavar="build|labels", help="What to make: pyramids, or labels."),
    ],
    corpus: Annotated[Path, typer.Argument(metavar="CORPUS", help="A corpus with summaries.")],
    marks: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="build: JSONL with topic, author, label, text, start, end."
        ),
    ] = None,
    near: Annotated[
        float,
        typer.Option(
            metavar="SHARE", help="labels: the share of words that two sentences have in common."
        ),
    ] = NEAR,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FOLDER", help="Write CORPUS with them here."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over what is at -o.")] = False,
    as_json: JsonOption = False,
    format: FormatOption = None,
    language: LanguageOption = "",
    on_error: OnErrorOption = "stop",
) -> None:
    """Make pyramids of marks, or label source sentences by them.

    build takes parts of summaries that people gave a label: parts of models that share a label are
    the contributors of one content unit. labels finds the sentences of annotated peers in the
    source and gives them the content units of the peers. Without --output nothing is written.

    \b
    Examples:
        summetry pyramid build my-corpus --marks marks.jsonl -o with-pyramids
        summetry pyramid labels my-corpus --near 0.9 -o labelled
    """
    _check(action, marks, near, output, force)
    read = load(corpus, format, on_error=on_error, language=language)
    for problem in read.problems:
        typer.echo(f"skipped: {problem}", err=True)
    if action == "build":
        assert marks is not None
        _build(read, marks, output, on_error, as_json)
    else:
        _label(read, near, output, as_json)


def _check(action: str, marks: Path | None, near: float, output: Path | None, force: bool) -> None:
    if action == "build" and marks is None:
        raise SummetryError("build needs --marks, the parts of summaries and their labels")
    if action == "labels" and marks is not None:
        raise SummetryError("--marks goes with build, not with labels")
    if action == "build" and near != NEAR:
        raise SummetryError("--near goes with labels, not with build")
    if force and output is None:
        raise SummetryError("--force goes with --output")
    if output is None or not output.exists():
        return
    if not output.is_dir():
        raise SummetryError(f"{output}: expected a folder to write to, found a file")
    if not force and any(output.iterdir()):
        raise SummetryError(f"{output}: exists already; --force writes over it")


def _build(
    corpus: Corpus, path: Path, output: Path | None, on_error: OnError, as_json: bool
) -> None:
    def report(error: FormatError) -> None:
        if on_error == "stop":
            raise error
        typer.echo(f"skipped: {error}", err=True)

    if not path.is_file():
        what = "a folder" if path.is_dir() else "no such file"
        raise SummetryError(f"{path}: expected a file of marks, found {what}")
    found = list(_fitting_marks(path, corpus, report))
    if not found:
        raise SummetryError(f"{path}: expected marks, one a line, found none")
    built = build_pyramids(corpus, found)
    for note in built.notes:
        typer.echo(f"note: {note}", err=True)
    if output:
        Folder().write(built.corpus, output)
    if as_json:
        wrote = {"wrote": str(output)} if output else {}
        print_json({**wrote, "pyramids": [_as_json(made) for made in built.pyramids]})
        return
    rows = [
        [
            made.topic,
            str(len(made.scus)),
            _tiers(made),
            str(len(made.peers)),
        ]
        for made in built.pyramids
    ]
    console().print(plain_table(["topic", "SCUs", "SCUs by weight", "peers"], rows))
    _tell_output(output)


def _fitting_marks(path: Path, corpus: Corpus, report: Report) -> Iterator[Mark]:
    """The marks of a file that belong to summaries of the corpus."""
    authors: dict[str, set[str]] = {topic.id: set() for topic in corpus.topics}
    for summary in corpus.summaries:
        authors[summary.topic].add(summary.author)
    for place, mark in read_records(path, Mark, report):
        if mark.topic not in authors:
            hint = did_you_mean(mark.topic, authors).strip()
            report(FormatError(place, "a topic of the corpus", f"topic {mark.topic!r}", hint))
        elif mark.author not in authors[mark.topic]:
            hint = did_you_mean(mark.author, authors[mark.topic]).strip()
            wanted = f"an author of a summary of topic {mark.topic!r}"
            report(FormatError(place, wanted, repr(mark.author), hint))
        else:
            yield mark


def _tiers(made: Pyramid) -> str:
    """How many SCUs there are of each weight, the heaviest first."""
    weights = sorted({scu.weight for scu in made.scus}, reverse=True)
    counts = {weight: sum(scu.weight == weight for scu in made.scus) for weight in weights}
    return ", ".join(f"{weight:g}: {count}" for weight, count in counts.items())


def _as_json(made: Pyramid) -> dict[str, object]:
    scus = [
        {
            "id": scu.id,
            "label": scu.label,
            "weight": scu.weight,
            "contributors": [part.author for part in scu.contributors],
        }
        for scu in made.scus
    ]
    peers = {author: [part.scu for part in said] for author, said in made.peers.items()}
    return {"topic": made.topic, "scus": scus, "peers": peers}


def _label(corpus: Corpus, near: float, output: Path | None, as_json: bool) -> None:
    if not any(found.peers for found in corpus.pyramids):
        raise SummetryError(
            "labels need a pyramid with annotated peers, which the corpus does not have; what "
            'would give it: "peers" in pyramids.jsonl'
        )
    made = label_units(corpus, near)
    for note in made.notes:
        typer.echo(f"note: {note}", err=True)
    if output:
        Folder().write(dataclasses.replace(corpus, labels=made.labels), output)
    positive = sum(bool(label.scus) for label in made.labels)
    if as_json:
        wrote = {"wrote": str(output)} if output else {}
        print_json(
            {
                **wrote,
                "sentences": dict(made.sentences),
                "rate": made.rate,
                "scus": made.scus,
                "unplaced": made.unplaced,
                "positive": positive,
                "negative": len(made.labels) - positive,
            }
        )
        return
    _print_labels(corpus, made, positive)
    _tell_output(output)


def _print_labels(corpus: Corpus, made: Labelling, positive: int) -> None:
    units = sum(len(topic.units) for topic in corpus.topics)
    every = sum(made.sentences.values())
    found = every - made.sentences["missing"]
    how = ", ".join(f"{count} {name}" for name, count in made.sentences.items())
    console().print(
        plain_table(
            ["what", "how many"],
            [
                ["sentences of annotated peers", f"{every} ({how})"],
                ["of them found in the source", f"{found} ({number(100 * made.rate, 1)} %)"],
                ["SCUs that peers express", f"{made.scus} ({made.unplaced} without a place)"],
                ["source sentences with SCUs", f"{positive} of {units}"],
                ["used without any SCU", f"{len(made.labels) - positive} of {units}"],
            ],
        )
    )


def _tell_output(output: Path | None) -> None:
    if output:
        typer.echo(f"wrote {output}")
