"""``summetry audit``: can metrics and judges see that a text was made worse?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

from summetry.audits.perturbed import AuditTexts, perturb, perturbations_named
from summetry.cli import _progress, _scored
from summetry.cli._options import shared
from summetry.cli._output import echo_notes, echo_written, show_sheets, wrote
from summetry.cli._parameters import argument, flag, option
from summetry.engine.audited import AuditPlan, audited_metrics
from summetry.engine.chunks import build_metrics
from summetry.errors import SummetryError
from summetry.files import refuse_inputs, write_whole
from summetry.metaeval.audited_scores import scored_table, with_headlines
from summetry.metaeval.audits import Audit, audit_scores
from summetry.records.scores import ScoreTable
from summetry.reports.as_data import as_data
from summetry.reports.audits import audit_sheets, audit_tidy, printed_audit, texts_sheet
from summetry.reports.chart_files import check_picture, write_picture
from summetry.reports.pictures.audits import audit_picture
from summetry.reports.pictures.files import standalone
from summetry.reports.sheets import sheet_records
from summetry.reports.tables import console
from summetry.spec import split_list
from summetry.stats.significance import DRAWS


@shared(_scored.ScoresOptions)
def audit(
    corpus: Annotated[
        str, argument("CORPUS", "A corpus or a table with candidates, and references or sources.")
    ],
    options: _scored.ScoresOptions,
    perturbation: Annotated[
        list[str] | None, option("NAMES", "Only these perturbations, with commas.")
    ] = None,
    limit: Annotated[
        int | None, option("N", "At most so many summaries per perturbation.", min=1)
    ] = None,
    write_texts: Annotated[
        Path | None, option("FILE", "Write all texts as a table (.jsonl) that any program scores.")
    ] = None,
    scores: Annotated[
        list[str] | None,
        option("FILE", "Scores or judgments of these texts, by others; may be repeated."),
    ] = None,
    drops: Annotated[
        bool, flag("--drops", "Print by how much values get worse, not how often.")
    ] = False,
    plot: Annotated[Path | None, option("FILE", "Draw a heat map: .svg or .png")] = None,
) -> None:
    """Show whether metrics and judges see that a text is worse.

    Summaries are made worse by rule: sentences shuffled, cut, repeated or padded, a number, a name
    or a negation changed, words mixed, the text of another topic taken. Each metric is asked which
    text is better. Without --metric all that can run on the texts are computed, but hpg, which is
    slow; with --scores only those in the file, unless others are named. --write-texts alone writes
    the texts and computes nothing.

    \b
    Examples:
        summetry audit my-corpus --limit 200
        summetry audit my-corpus -m rouge-2,memog --perturbation shuffled,number
        summetry audit my-corpus --write-texts texts.jsonl
        summetry audit my-corpus --scores judgments.csv --plot audit.svg
    """
    files = scores or []
    options.check_output(corpus, *files)
    check_picture(plot, "heat map", corpus, *files)
    _check_texts(write_texts, [corpus, *files])
    asked = [one for text in perturbation or () for one in split_list(text) or [text]]
    kinds = perturbations_named(asked)
    read, _ = options.read(corpus)
    with _progress.progress_bar("perturbations made") as show:
        texts = perturb(read, kinds, limit, options.seed, options.exclude or (), show)
    if write_texts:
        lines = (json.dumps(row, ensure_ascii=False) for row in texts.rows())
        write_whole(write_texts, "".join(f"{line}\n" for line in lines))
        if not (files or options.metric):
            _show_texts(texts, write_texts, options.as_json)
            return
    tables = [] if files and not options.metric else [_computed(texts, options)]
    for name in files:
        table, notes = scored_table(Path(name), texts)
        echo_notes(notes)
        tables.append(table)
    found = audit_scores(texts, tables, options.draws or DRAWS, options.seed)
    _show(found, read.fingerprint, options, drops, [corpus, *files])
    if plot:
        write_picture(standalone(audit_picture(sheet_records(audit_tidy(found)))), plot)
    if not options.as_json:
        echo_written(plot, write_texts)


def _check_texts(path: Path | None, read: list[str]) -> None:
    if path is None:
        return
    if path.suffix.lower() != ".jsonl":
        raise SummetryError(f"{path}: the texts are written to a file ending in .jsonl")
    refuse_inputs([path], read)


def _computed(texts: AuditTexts, options: _scored.ScoresOptions) -> ScoreTable:
    """The scores of all texts by the metrics that are named, or all that can run."""
    plan = AuditPlan(texts.corpus)
    requested = options.requested()
    if not requested:
        names, notes = audited_metrics(plan)
        echo_notes(notes)
        requested = options.with_words(build_metrics(names))
    table = _progress.scored(plan, requested, options.on_error)
    return with_headlines(table, options.metric or ())


def _show_texts(texts: AuditTexts, path: Path, as_json: bool) -> None:
    """What was written, where nothing is computed."""
    sheet = texts_sheet(Audit((), texts.made, seed=texts.seed))
    echo_notes(texts.notes)
    show_sheets([sheet], wrote(path), as_json)
    if not as_json:
        echo_written(path)


def _show(
    found: Audit,
    data: str,
    options: _scored.ScoresOptions,
    is_drops: bool,
    inputs: list[str],
) -> None:
    settings = {"draws": found.draws, "seed": found.seed}
    about = as_data({"data": data, "settings": settings, "notes": found.notes})
    options.show(
        audit_sheets(found),
        about,
        [audit_tidy(found), texts_sheet(found)],
        printed_audit(found, console().width, is_drops),
        inputs,
    )
