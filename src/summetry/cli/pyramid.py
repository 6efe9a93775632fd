"""``summetry pyramid``: pyramids from marks, and labelled sentences from pyramids."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

from summetry.cli._options import (
    CorpusOptions,
    ForceOption,
    argument,
    option,
    output_option,
    shared,
)
from summetry.cli._output import (
    check_folder,
    echo,
    echo_notes,
    echo_skipped,
    echo_written,
    print_json,
    wrote,
)
from summetry.errors import FormatError, SummetryError, did_you_mean
from summetry.formats.folder import Folder
from summetry.formats.lines import Report, read_records
from summetry.records.corpus import Corpus
from summetry.records.pyramids import Pyramid
from summetry.references.labels import NEAR, Labelling, label_units
from summetry.references.pyramids import Mark, build_pyramids
from summetry.reports.tables import console, number, plain_table


@shared(CorpusOptions)
def pyramid(
    action: Annotated[
        Literal["build", "labels"], argument("build|labels", "What to make: pyramids, or labels.")
    ],
    corpus: Annotated[Path, argument("CORPUS", "A corpus with summaries.")],
    options: CorpusOptions,
    marks: Annotated[
        Path | None, option("FILE", "build: JSONL with topic, author, label, text, start, end.")
    ] = None,
    near: Annotated[
        float, option("SHARE", "labels: the share of words that two sentences have in common.")
    ] = NEAR,
    output: Annotated[Path | None, output_option("FOLDER", "Write CORPUS with them here.")] = None,
    force: ForceOption = False,
) -> None:
    """Make pyramids from marks, or label source sentences by them.

    build takes parts of summaries that people labelled: parts of references that share a label are
    the contributors of one content unit. labels finds the sentences of annotated candidates in the
    source and gives them the content units of these candidates. Without --output nothing is
    written. A table of content units by systems, 0 or 1 in each cell, needs neither: `summetry
    score units.csv` reads it.

    \b
    Examples:
        summetry pyramid build my-corpus --marks marks.jsonl -o with-pyramids
        summetry pyramid labels my-corpus --near 0.9 -o labelled
    """
    _check(action, marks, near, output, force)
    read, _ = options.read(corpus)
    if action == "build":
        assert marks is not None
        _build(read, marks, output, options)
    else:
        _label(read, near, output, options.as_json)


def _check(action: str, marks: Path | None, near: float, output: Path | None, force: bool) -> None:
    if action == "build" and marks is None:
        raise SummetryError("build needs --marks, the parts of summaries and their labels")
    if action == "labels" and marks is not None:
        raise SummetryError("--marks goes with build, not with labels")
    if action == "build" and near != NEAR:
        raise SummetryError("--near goes with labels, not with build")
    if force and output is None:
        raise SummetryError("--force goes with --output")
    check_folder(output, force)


def _build(corpus: Corpus, path: Path, output: Path | None, options: CorpusOptions) -> None:
    def report(error: FormatError) -> None:
        if options.on_error == "stop":
            raise error
        echo_skipped([str(error)])

    if not path.is_file():
        what = "a folder" if path.is_dir() else "no such file"
        raise SummetryError(f"{path}: expected a file of marks, found {what}")
    marks = list(_fitting_marks(path, corpus, report))
    if not marks:
        raise SummetryError(f"{path}: expected marks, one per line, found none")
    built = build_pyramids(corpus, marks)
    echo_notes(built.notes)
    if output:
        Folder().write(built.corpus, output)
    if options.as_json:
        pyramids = [_as_json(pyramid) for pyramid in built.pyramids]
        print_json({**wrote(output), "pyramids": pyramids})
        return
    rows = [[p.topic, str(len(p.scus)), _tiers(p), str(len(p.peers))] for p in built.pyramids]
    console().print(plain_table(["topic", "SCUs", "SCUs by weight", "systems"], rows))
    if output:
        echo("")
    echo_written(output)


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
            expected = f"an author of a summary of topic {mark.topic!r}"
            report(FormatError(place, expected, repr(mark.author), hint))
        else:
            yield mark


def _tiers(pyramid: Pyramid) -> str:
    """How many SCUs there are of each weight, the heaviest first."""
    counts = Counter(scu.weight for scu in pyramid.scus)
    return ", ".join(f"{weight:g}: {counts[weight]}" for weight in sorted(counts, reverse=True))


def _as_json(pyramid: Pyramid) -> dict[str, object]:
    scus = [
        {
            "id": scu.id,
            "label": scu.label,
            "weight": scu.weight,
            "contributors": [part.author for part in scu.contributors],
        }
        for scu in pyramid.scus
    ]
    systems = {author: [part.scu for part in said] for author, said in pyramid.peers.items()}
    return {"topic": pyramid.topic, "scus": scus, "systems": systems}


def _label(corpus: Corpus, near: float, output: Path | None, as_json: bool) -> None:
    if not any(pyramid.peers for pyramid in corpus.pyramids):
        raise SummetryError(
            "labels need a pyramid with annotated candidates, which the corpus does not have; what "
            'would give it: "peers" in pyramids.jsonl'
        )
    labelling = label_units(corpus, near)
    echo_notes(labelling.notes)
    if output:
        Folder().write(dataclasses.replace(corpus, labels=labelling.labels), output)
    positive = sum(bool(label.scus) for label in labelling.labels)
    if as_json:
        print_json(
            {
                **wrote(output),
                "sentences": labelling.sentences,
                "rate": labelling.rate,
                "scus": labelling.scus,
                "unplaced": labelling.unplaced,
                "positive": positive,
                "negative": len(labelling.labels) - positive,
            }
        )
        return
    _print_labels(corpus, labelling, positive)
    if output:
        echo("")
    echo_written(output)


def _print_labels(corpus: Corpus, labelling: Labelling, positive: int) -> None:
    units = sum(len(topic.units) for topic in corpus.topics)
    every = sum(labelling.sentences.values())
    in_source = every - labelling.sentences["missing"]
    how = ", ".join(f"{count} {name}" for name, count in labelling.sentences.items())
    rows = {
        "sentences of annotated candidates": f"{every} ({how})",
        "of them found in the source": f"{in_source} ({number(100 * labelling.rate, 1)} %)",
        "SCUs that candidates express": f"{labelling.scus} ({labelling.unplaced} without a place)",
        "source sentences with SCUs": f"{positive} of {units}",
        "used without any SCU": f"{len(labelling.labels) - positive} of {units}",
    }
    console().print(plain_table(["what", "how many"], [list(row) for row in rows.items()]))
