"""``summetry pyramid``: pyramids from marks or tables, labels from pyramids, and how far others
agree with people on content units."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal, cast

import msgspec

from summetry.cli._options import (
    CorpusOptions,
    ForceOption,
    SeedOption,
    output_option,
    parse_columns,
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
from summetry.cli._parameters import argument, option
from summetry.engine.chunks import build_metrics
from summetry.engine.languages import with_language
from summetry.engine.plan import CorpusPlan, check_needs
from summetry.errors import FormatError, SummetryError, counted, did_you_mean
from summetry.formats import must_be_file, must_exist, recognise
from summetry.formats.cells import kind_of_table
from summetry.formats.folder import Folder
from summetry.formats.lines import Report, read_records
from summetry.formats.scu_table import ScuTable
from summetry.metaeval.annotators import annotators_agreement
from summetry.metaeval.unit_marks import CONFIDENCE, agree, fit, is_marked, pair_marks
from summetry.metrics.pyramid.units import Units
from summetry.records.corpus import Corpus
from summetry.records.pyramids import Pyramid
from summetry.references.labels import NEAR, Labelling, label_units
from summetry.references.pyramids import (
    Built,
    Mark,
    add_pyramids,
    build_pyramids,
    with_one_pyramid,
)
from summetry.reports.annotators import coefficients_table, marks_table, pairs_table, scores_table
from summetry.reports.as_data import as_data
from summetry.reports.tables import console, number, plain_table
from summetry.reports.unit_marks import (
    agreement_table,
    candidates_table,
    fitted_table,
    recommended,
    to_use,
)
from summetry.stats.significance import DRAWS

Action = Literal["build", "labels", "fit", "agree", "choose"]
# Which options go with which actions.
_GO_WITH: dict[str, tuple[Action, ...]] = {
    "--marks": ("build",),
    "--units": ("build", "agree"),
    "--columns": ("build", "agree"),
    "--near": ("labels",),
    "--annotator": ("choose",),
    "--metric": ("fit", "agree"),
    "--folds": ("fit",),
    "--draws": ("fit", "agree"),
    "--output": ("build", "labels", "choose"),
}
_RULES = ("units", "units(by=vectors)")
_SCORES = "scu_recall(weights=pyramid)"


@shared(CorpusOptions)
def pyramid(
    action: Annotated[
        Action,
        argument(
            "build|labels|fit|agree|choose",
            "Make pyramids, labels; compare marks of content units, or choose among them.",
        ),
    ],
    corpus: Annotated[Path, argument("CORPUS", "A corpus with summaries.")],
    options: CorpusOptions,
    marks: Annotated[
        Path | None, option("FILE", "build: JSONL with topic, author, label, text, start, end.")
    ] = None,
    units: Annotated[
        Path | None, option("TABLE", "build, agree: a table of content units, by systems 0 or 1.")
    ] = None,
    columns: Annotated[
        str | None, option("NAMES", "build, agree: which column of TABLE is which: id=article.")
    ] = None,
    near: Annotated[
        float | None, option("SHARE", "labels: the share of words that two sentences share; 0.8.")
    ] = None,
    annotator: Annotated[
        str | None, option("NAME", "choose: take this annotator's pyramids, not the majority's.")
    ] = None,
    metric: Annotated[
        list[str] | None,
        option(
            "NAME",
            "fit: a spelling of units; agree: a metric on pyramids whose scores are compared; may "
            "be repeated.",
            "-m",
            "--metric",
        ),
    ] = None,
    folds: Annotated[
        int | None, option("N", "fit: parts of the topics that are left out in turn; 10.", min=2)
    ] = None,
    draws: Annotated[
        int | None, option("N", "fit, agree: resamples of topics, for the interval.", min=0)
    ] = None,
    seed: SeedOption = 0,
    output: Annotated[Path | None, output_option("FOLDER", "Write CORPUS with them here.")] = None,
    force: ForceOption = False,
) -> None:
    """Make pyramids and labels, and compare marks of units.

    build takes parts of summaries that people labelled (--marks): parts of references that share a
    label are the contributors of one content unit; or the units of a table (--units). labels finds
    the sentences of annotated candidates in the source and gives them the content units of these
    candidates. Without --output nothing is written. fit finds where the metric `units` should
    decide, by the marks that people made in CORPUS, and says how far it agrees with them on topics
    that it has not seen. agree says how far the annotators of CORPUS agree with each other; with
    --units it compares the marks of a table, by a judge or a program, with those in CORPUS. choose
    takes the marks of one annotator, or what more than half of them say. A table of content units
    by systems is scored without all that: `summetry score units.csv`.

    \b
    Examples:
        summetry pyramid build my-corpus --marks marks.jsonl -o with-pyramids
        summetry pyramid build my-corpus --units units.csv -o with-units
        summetry pyramid labels my-corpus --near 0.9 -o labelled
        summetry pyramid fit my-corpus
        summetry pyramid agree my-corpus
        summetry pyramid agree my-corpus --units judged.csv
        summetry pyramid choose my-corpus --annotator ann -o by-ann
    """
    given = {"--marks": marks, "--units": units, "--columns": columns, "--near": near,
             "--annotator": annotator, "--metric": metric, "--folds": folds, "--draws": draws,
             "--output": output}  # fmt: skip
    _check(action, [name for name, value in given.items() if value is not None], force)
    check_folder(output, force)
    read, _ = options.read(corpus)
    drawn = DRAWS if draws is None else draws
    table = _read_units(units, options, columns or "") if units is not None else ()
    if action == "labels":
        _label(_decided(read), NEAR if near is None else near, output, options.as_json)
    elif action == "fit":
        _fit(_decided(read), metric or _RULES, folds, drawn, seed, options.as_json)
    elif action == "agree" and units is None:
        _agree_with_each_other(read, metric or [_SCORES], drawn, seed, options.as_json)
    elif action == "agree":
        _agree(_decided(read), table, options, drawn, seed)
    elif action == "choose":
        _show_built(with_one_pyramid(read, annotator), output, options.as_json)
    elif units is not None:
        _show_built(add_pyramids(read, table), output, options.as_json)
    else:
        assert marks is not None
        _build(read, marks, output, options)


def _check(action: Action, given: Sequence[str], force: bool) -> None:
    for name in given:
        if action not in _GO_WITH[name]:
            raise SummetryError(f"{name} goes with {' and '.join(_GO_WITH[name])}, not {action}")
    if action == "build" and ("--marks" in given) == ("--units" in given):
        raise SummetryError(
            "build needs --marks, the parts of summaries and their labels, or --units, a table"
        )
    if action == "agree" and {"--units", "--metric"} <= set(given):
        raise SummetryError("--metric goes with agree without --units: scores by each annotator")
    if "--columns" in given and "--units" not in given:
        raise SummetryError("--columns goes with --units, the table whose columns it names")
    if force and "--output" not in given:
        raise SummetryError("--force goes with --output")


def _read_units(path: Path, options: CorpusOptions, columns: str) -> tuple[Pyramid, ...]:
    """The units of a table, with or without marks, or those of a corpus."""
    must_exist(path)
    form = ScuTable(marks="optional") if path.is_file() and kind_of_table(path) else recognise(path)
    how = msgspec.structs.replace(options.reading(), columns=parse_columns(columns))
    read = form.read(path, how)
    echo_skipped(read.problems)
    if not read.pyramids:
        raise SummetryError(
            f"{path}: expected a table of content units, found a {form.name} corpus"
        )
    return read.pyramids


def _fit(
    corpus: Corpus, metrics: Sequence[str], folds: int | None, draws: int, seed: int, as_json: bool
) -> None:
    plan = CorpusPlan(corpus)
    asked = build_metrics(list(metrics))
    for one in asked:
        if not isinstance(one.metric, Units):
            raise SummetryError(f"fit is for the metric units, got {one.name}")
    check_needs(asked, plan)
    requested, guessed = with_language(asked, plan)
    echo_notes(filter(None, [guessed]))
    marked = [item.comparisons[0] for item in plan.items() if is_marked(item.comparisons[0])]
    if not marked:
        raise SummetryError(
            "fit needs people's marks of which summary expresses which unit, which the corpus does "
            'not have; what would give them: "peers" in pyramids.jsonl, or summetry pyramid build '
            "CORPUS --units TABLE"
        )
    fitted = [
        fit(marked, cast(Units, one.metric), one.name, folds, draws, seed) for one in requested
    ]
    if as_json:
        settings = {"draws": draws, "seed": seed, "confidence": CONFIDENCE}
        results = [as_data(one) | {"use": to_use(one)} for one in fitted]
        print_json({"fitted": results, "settings": settings})
        return
    out, seen = console(), fitted[0].unseen
    many = f"{seen.marks:,} marks of {seen.units:,} units in {seen.summaries:,} summaries"
    out.print(f"{many}, decided on topics that the threshold was not chosen by:", style="bold")
    out.print(fitted_table(fitted))
    out.print("\nKappa by threshold, on all topics:", style="bold")
    out.print(candidates_table(fitted))
    folded = f"{len(fitted[0].folds)} folds of topics, seed {seed}"
    out.print(f"\nlow, high: 95 % of {draws:,} bootstrap resamples of topics; {folded}")
    used = recommended(fitted)
    if used.reason:
        out.print(used.reason)
    out.print(f'to use: -m "{to_use(used.fitted)}"')


def _decided(corpus: Corpus) -> Corpus:
    """The corpus with one pyramid for each topic, by majority."""
    built = with_one_pyramid(corpus)
    echo_notes(built.notes)
    return built.corpus


def _agree_with_each_other(
    corpus: Corpus, metrics: Sequence[str], draws: int, seed: int, as_json: bool
) -> None:
    plan = CorpusPlan(corpus)
    asked = build_metrics(list(metrics))
    for one in asked:
        if not hasattr(one.metric, "marks"):
            raise SummetryError(
                f"agree compares the scores of pyramid, scu_recall or scu_precision by the marks "
                f"of each annotator, got {one.name}"
            )
    check_needs(asked, plan)
    comparisons = [item.comparisons[0] for item in plan.items()]
    agreed = [annotators_agreement(comparisons, a.metric, a.name, draws, seed) for a in asked]
    if as_json:
        settings = {"draws": draws, "seed": seed, "confidence": CONFIDENCE}
        print_json({"agreement": [as_data(one) for one in agreed], "settings": settings})
        return
    out = console()
    out.print("Candidates that two annotators or more marked by the same units:", style="bold")
    out.print(marks_table(agreed[0]))
    out.print()
    out.print(coefficients_table(agreed[0]))
    out.print(f"\nlow, high: 95 % of {draws:,} bootstrap resamples of topics, seed {seed}")
    for each in agreed:
        out.print(f"\nScores of systems by the marks of each ({each.metric}):", style="bold")
        out.print(scores_table(each))
        out.print(f"\nPairs of annotators, correlations of {each.metric}:", style="bold")
        out.print(pairs_table(each))


def _agree(
    corpus: Corpus, units: Sequence[Pyramid], options: CorpusOptions, draws: int, seed: int
) -> None:
    paired = pair_marks(corpus.pyramids, _decided(Corpus(pyramids=tuple(units))).pyramids)
    echo_notes(paired.notes)
    agreed = agree(paired.marks, paired.other, draws, seed)
    if options.as_json:
        settings = {"draws": draws, "seed": seed, "confidence": CONFIDENCE}
        print_json({"agreement": as_data(agreed), "settings": settings})
        return
    console().print(agreement_table(agreed))


def _build(corpus: Corpus, path: Path, output: Path | None, options: CorpusOptions) -> None:
    def report(error: FormatError) -> None:
        if options.on_error == "stop":
            raise error
        echo_skipped([str(error)])

    must_be_file(path, "a file of marks")
    marks = list(_fitting_marks(path, corpus, report))
    if not marks:
        raise SummetryError(f"{path}: expected marks, one per line, found none")
    _show_built(build_pyramids(corpus, marks), output, options.as_json)


def _show_built(built: Built, output: Path | None, as_json: bool) -> None:
    echo_notes(built.notes)
    without = _without_units(built.corpus)
    if output:
        Folder().write(built.corpus, output)
    if as_json:
        pyramids = [_as_json(pyramid) for pyramid in built.pyramids]
        print_json({**wrote(output), "pyramids": pyramids, "without": without})
        return
    is_named = any(pyramid.annotator for pyramid in built.pyramids)
    rows = [
        [p.topic, *[p.annotator] * is_named, str(len(p.scus)), _tiers(p), str(len(p.peers))]
        for p in built.pyramids
    ]
    headings = ["topic", *["annotator"] * is_named, "SCUs", "SCUs by weight", "systems"]
    console().print(plain_table(headings, rows))
    if without:
        every = counted(len(built.corpus.topics), "topic")
        echo(f"\nwithout content units: {len(without):,} of {every}")
    if output:
        echo("")
    echo_written(output)


def _without_units(corpus: Corpus) -> list[str]:
    """The topics that have no pyramid, or one without content units."""
    having = {pyramid.topic for pyramid in corpus.pyramids if pyramid.scus}
    return [topic.id for topic in corpus.topics if topic.id not in having]


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
    named = {"annotator": pyramid.annotator} if pyramid.annotator else {}
    return {"topic": pyramid.topic, **named, "scus": scus, "systems": systems}


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
