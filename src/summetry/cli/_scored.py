"""What ``compare``, ``correlate``, ``discriminate`` and ``combine`` share.

Their options, what they read (scores in a file, or a corpus to score), and how they show their
tables.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from summetry.cli._inputs import (
    metrics_to_run,
    outputs_plan,
    read_judgments_beside,
    refuse_metrics,
)
from summetry.cli._options import (
    DrawsOption,
    ExcludeOption,
    JudgmentsOption,
    MetricOptions,
    SeedOption,
    TableOptions,
    TablesOption,
)
from summetry.cli._output import check_tables, echo_notes, echo_skipped, show_sheets
from summetry.cli._progress import ShownProgress, progress_bar, scored, user_store, watch
from summetry.engine.cache import ChunkStore
from summetry.engine.chunks import Requested, build_metrics
from summetry.engine.pairs import PairPlan
from summetry.engine.plan import CorpusPlan, Plan, ProtocolName
from summetry.engine.run import Run
from summetry.errors import FormatError, Place, SummetryError
from summetry.files import refuse_inputs
from summetry.formats import must_exist, recognise
from summetry.formats.cells import kind_of_table, read_cells
from summetry.formats.columns import (
    LOOKED_AT,
    NO_SYSTEMS,
    Cells,
    are_texts,
    known_role,
    naming_advice,
)
from summetry.formats.outputs import system_names
from summetry.formats.shared_columns import FileColumns, columns_of_file, refuse_unused
from summetry.formats.texts import about_comma, number_in
from summetry.metaeval.columns import has_column, is_ours, places_of, split_names
from summetry.metaeval.grids import dimensions_of
from summetry.metaeval.joined import (
    UNNAMED,
    check_references,
    join_by_protocol,
    named_by_file,
    of_same_topics,
    unsigned_notes,
)
from summetry.metaeval.judges import has_scores, scores_in
from summetry.metaeval.selection import judged_rows, with_people
from summetry.records.corpus import Corpus
from summetry.records.scores import ScoreTable
from summetry.reports.chart_files import check_chart
from summetry.reports.sheets import Sheet


@dataclass(frozen=True)
class Scored:
    """Score tables, one for each protocol they were computed by, and the corpus if there is one."""

    tables: tuple[ScoreTable, ...]
    corpus: Corpus | None = None
    # The only system of the first file, where there are several files.
    first: str = ""


@dataclass(frozen=True)
class ScoresOptions(MetricOptions, TableOptions):
    """The options of all commands on scores."""

    # What is computed of a corpus where no metric is named.
    everything: ClassVar[bool] = True

    _: KW_ONLY
    exclude: ExcludeOption = None
    draws: DrawsOption = None
    seed: SeedOption = 0
    output: TablesOption = None

    def check_output(self, *inputs: str | None, charts: Iterable[Path | None] = ()) -> None:
        """Refuse early to write what cannot be written, or over what is read."""
        check_tables(self.output, inputs)
        drawn = [path for path in charts if path]
        for path in drawn:
            check_chart(path)
        refuse_inputs(drawn, inputs)

    def read_or_score(
        self,
        names: Sequence[str],
        protocols: Sequence[ProtocolName] = ("no_models",),
        dimensions: Sequence[str] = (),
        is_judged: bool = False,
    ) -> Scored:
        """The scores of all files as one table for each protocol, and the judgments.

        A corpus is scored, by ``protocols``; if there are none, as its judgments allow. Files of
        scores are joined with what is computed. ``dimensions`` may name values of metrics that
        stand for people. Where judgments are needed, ``is_judged``, a corpus without any is not
        scored first.
        """
        refuse_metrics(names, self.metric or ())
        self.check_columns(names)  # Columns that cannot be read are refused before all else.
        if len(names) == 1:
            return self._one(names[0], protocols, dimensions, is_judged)
        files = dict(zip(system_names([Path(name) for name in names]), names, strict=True))
        score_files = {name: path for name, path in files.items() if self.is_scores(Path(path))}
        read = {name: Scored((self._scores_in(Path(path)),)) for name, path in score_files.items()}
        wanted = self._to_compute([one.tables[0] for one in read.values()])
        texts = replace(self, metric=wanted)
        for name, path in files.items():
            if name not in score_files:
                self._check_table(Path(path))
                is_scored = wanted != [] or any(map(is_ours, dimensions))
                read[name] = texts.read_texts(
                    Path(path), protocols, dimensions, is_scored=is_scored
                )
        read = {name: read[name] for name in files}
        every = [table for one in read.values() for table in one.tables]
        tables_of = {path: read[name].tables[0] for name, path in score_files.items()}
        echo_notes(unsigned_notes(tables_of, every))
        check_references({name: one.corpus for name, one in read.items() if one.corpus})
        corpora = [one.corpus for one in read.values() if one.corpus]
        judged = next((corpus for corpus in corpora if corpus.judgments), None)
        corpus = judged or (corpora[0] if len(corpora) == 1 else None)
        if not corpora:
            corpus = self.with_judgments(None)
        # A column that the user names is no name of a system.
        column = {n: self._columns_of(Path(path)).own.get("candidate") for n, path in files.items()}
        tables = [
            (n, named_by_file(t, n, column[n] or UNNAMED))
            for n, one in read.items()
            for t in one.tables
        ]
        tables, skipped = of_same_topics(tables, files, self.on_error)
        echo_skipped(skipped)
        joined = self._joined(tables, corpus, dimensions)
        start = {t for name, table in tables if name == next(iter(files)) for t in table.authors()}
        also = {form for author in start for form in (author, f"{author} ({next(iter(files))})")}
        first = {author for table in joined for author in table.authors()} & also
        return Scored(joined, corpus, first.pop() if len(first) == 1 else "")

    def _one(
        self,
        name: str,
        protocols: Sequence[ProtocolName],
        dimensions: Sequence[str],
        is_judged: bool,
    ) -> Scored:
        path = Path(name)
        must_exist(path)
        if not self.is_scores(path):
            texts = self.read_texts(path, protocols, dimensions, is_judged=is_judged)
            return replace(texts, tables=tuple(named_by_file(t, path.stem) for t in texts.tables))
        corpus = self._corpus_around(path)
        if corpus is not None and self.metric:
            return self.read_texts(path, protocols, dimensions, corpus)
        judged = self.with_judgments(corpus)
        table = self._scores_in(path)
        return Scored((with_people(table, judged, self.metric or (), dimensions),), judged)

    def read_texts(
        self,
        path: Path,
        protocols: Sequence[ProtocolName],
        dimensions: Sequence[str] = (),
        corpus: Corpus | None = None,
        is_scored: bool = True,
        is_judged: bool = False,
    ) -> Scored:
        """A corpus with its scores, computed by the metrics that are asked for."""
        if corpus is None:
            corpus = self._corpus(path)
        echo_skipped(corpus.problems)
        if path.is_file() and not corpus.summaries:
            if kind_of_table(path) and next(iter(read_cells(path)), None) is None:
                raise SummetryError(f"{path}: expected scores or summaries, found no rows")
            raise SummetryError(_neither(path, "neither"))
        # Read before hours of scoring, since they may be wrong.
        judged = self.with_judgments(corpus)
        if not is_scored:
            return Scored((), judged)
        protocols = protocols or judged_protocols(judged or corpus)
        known = dimensions_of(judged or corpus)
        people = [name for name in dimensions if name not in known and is_ours(name)]
        if is_judged and not (known or people):
            raise _not_judged(str(path))
        named = split_names(self.metric or ())
        ours = [name for name in named if name not in known or is_ours(name)]
        if named and not (ours or people):
            # All that is named are judgments.
            tables: tuple[ScoreTable, ...] = (judged_rows(judged or corpus),)
        else:
            own = replace(self, metric=ours or people) if named else self
            tables = own._computed(corpus, protocols, people)
        if people or len(ours) < len(named):
            both = judged or corpus
            tables = tuple(with_people(table, both, named, dimensions) for table in tables)
        return Scored(tables, judged)

    def is_scores(self, path: Path) -> bool:
        """Whether a file has scores, or judgments, and not texts."""
        return self.format is None and has_scores(path, self._columns_of(path).own)

    def _scores_in(self, path: Path) -> ScoreTable:
        return scores_in(path, self._columns_of(path).own)

    def _to_compute(self, tables: Sequence[ScoreTable]) -> list[str] | None:
        """The metrics that a corpus is scored by: those of others are in files."""
        if not self.metric:
            return None
        columns = [column for table in tables for column in table.columns]
        asked = split_names(self.metric)
        return [name for name in asked if is_ours(name) or not has_column(columns, name)]

    def _joined(
        self,
        tables: Sequence[tuple[str, ScoreTable]],
        corpus: Corpus | None,
        dimensions: Sequence[str],
    ) -> tuple[ScoreTable, ...]:
        """One table for each protocol, with the columns that are asked for."""
        joined, notes = join_by_protocol(tables)
        echo_notes(notes)
        if not self.metric:
            return tuple(joined)
        # A metric may be there under one protocol only.
        columns = [column for table in joined for column in table.columns]
        named, known = split_names(self.metric), dimensions_of(corpus) if corpus else []
        for name in named:
            if name not in known:
                places_of(columns, name)
        picked = []
        for table in joined:
            there = [name for name in named if name in known or has_column(table.columns, name)]
            if there:
                picked.append(with_people(table, corpus, there, dimensions))
        return tuple(picked)

    def _check_table(self, path: Path) -> None:
        must_exist(path)
        is_known = self.format or path.is_dir() or kind_of_table(path)
        if not is_known and recognise(path).is_general:
            raise SummetryError(
                f"{path}: plain texts need references; --references FILE names them"
            )

    def check_columns(self, names: Sequence[str]) -> None:
        """Refuse roles and names of columns that go with none of the files."""
        for name in names if self.columns else ():
            must_exist(Path(name))
        files = [self._columns_of(Path(name)) for name in names]
        refuse_unused(self.reading().columns, [*files, *self._columns_beside()])

    def _columns_of(self, path: Path) -> FileColumns:
        """What of --columns belongs to a file of scores or texts."""
        return columns_of_file(path, self.reading().columns, self.format)

    def _columns_beside(self) -> list[FileColumns]:
        """The same of files beside those of scores, such as a table of judgments."""
        return []

    def with_judgments(self, corpus: Corpus | None) -> Corpus | None:
        """The corpus with the judgments that are named, or these alone."""
        return corpus

    def _corpus(self, path: Path) -> Corpus:
        try:
            how = msgspec.structs.replace(self.reading(), columns=self._columns_of(path).own)
            return recognise(path, self.format).read(path, how)
        except FormatError as error:
            if error.expected == "a column 'candidate'" and not self.format:
                raise SummetryError(_neither(path, error.found)) from error
            raise

    def _corpus_around(self, path: Path) -> Corpus | None:
        """The corpus of a folder that holds scores too, as those of TAC do."""
        if not path.is_dir():
            return None
        try:
            format = recognise(path)
        except SummetryError:
            return None
        if not self.metric:
            words = "holds scores and a corpus: these are the scores; with -m it is scored anew"
            echo_notes([f"{path} {words}"])
        return format.read(path, self.reading())

    def _computed(
        self, corpus: Corpus, protocols: Sequence[ProtocolName], people: Sequence[str] = ()
    ) -> tuple[ScoreTable, ...]:
        tables: list[ScoreTable] = []
        protocols_by_note: dict[str, list[str]] = {}
        store = user_store()
        for protocol in protocols:
            with progress_bar("scored", is_kept=store is not None) as show:
                table, notes = self._run(CorpusPlan(corpus, protocol), store, show, people)
            tables.append(table)
            for note in notes:
                protocols_by_note.setdefault(note, []).append(protocol)
        for note, where in protocols_by_note.items():
            which = "" if len(where) == len(protocols) else f" ({', '.join(where)})"
            echo_notes([f"{note}{which}"])
        return tuple(tables)

    def _run(
        self, plan: CorpusPlan, store: ChunkStore | None, show: ShownProgress, people: Sequence[str]
    ) -> tuple[ScoreTable, Sequence[str]]:
        metrics = self.metrics_for(plan)
        there = {request.name for request in metrics}
        # Of a metric that stands for people only its headline is needed.
        for request in build_metrics(people) if people else ():
            if request.name not in there:
                whole = request.values == request.metric.values
                values = (request.metric.headline,) if whole else request.values
                metrics += self.with_words([request._replace(values=values)])
        run = Run(plan, metrics, store=store, on_error=self.on_error)
        watch(run, show)
        return run.table(), run.notes

    def metrics_for(self, plan: Plan) -> list[Requested]:
        """The metrics that are named, or those that are computed where none is."""
        return metrics_to_run(self, plan, self.everything)

    def score_outputs(
        self, files: Sequence[str], references: str | None
    ) -> tuple[PairPlan, ScoreTable]:
        """Every output scored against the references and the source of its row."""
        plan = outputs_plan(files, references, self.reading())
        return plan, scored(plan, self.metrics_for(plan), self.on_error)

    def show(
        self,
        sheets: Sequence[Sheet],
        about: Mapping[str, Any],
        tidy: Sequence[Sheet] | None = None,
        printed: Sequence[Sheet] | None = None,
        inputs: Iterable[str | None] = (),
    ) -> None:
        """Write the sheets, if a file is named, and print them: see :func:`show_sheets`."""
        show_sheets(sheets, about, self.as_json, self.output, tidy, printed, inputs)


@dataclass(frozen=True)
class JudgedOptions(ScoresOptions):
    """The options of the commands that compare scores with the judgments of people."""

    judgments: JudgmentsOption = None

    def _columns_beside(self) -> list[FileColumns]:
        return [self._judgment_columns(self.judgments)] if self.judgments else []

    def _judgment_columns(self, judgments: str) -> FileColumns:
        return columns_of_file(Path(judgments), self.reading().columns, judged=True)

    def with_judgments(self, corpus: Corpus | None) -> Corpus | None:
        if self.judgments is None:
            return corpus
        own = self._judgment_columns(self.judgments).own
        how = msgspec.structs.replace(self.reading(), columns=own)
        return read_judgments_beside(self.judgments, how, corpus)


def _first_rows(path: Path) -> Iterable[tuple[Place, Cells]]:
    return islice(read_cells(path), LOOKED_AT) if kind_of_table(path) else ()


def _neither(path: Path, found: str) -> str:
    also = ""
    rows = [cells for _, cells in _first_rows(path)]
    for name in dict.fromkeys(chain.from_iterable(rows)):
        commas = [about_comma(row[name]) for row in rows if row.get(name) not in (None, "")]
        if commas and all(commas):
            also += f"; in {name!r} {commas[0]}"
    advice = _naming(rows)
    return (
        f"{path}: expected scores (the columns id, system and one per value), or summaries to "
        f"score (the column candidate), found {found}; {advice} says which{also}"
    )


def _naming(rows: Sequence[Cells]) -> str:
    """The ``--columns`` by which a table is one of scores or of texts, as its cells look."""
    names = dict.fromkeys(chain.from_iterable(rows))
    known = {known_role(name) for name in names}
    missing = [f"{role}=NAME" for role in ("id", "system") if role not in known]
    naming = naming_advice(rows).removeprefix("--columns ")
    named = {part.partition("=")[2] for part in naming.split(",")}
    cells = {
        name: [row.get(name) for row in rows]
        for name in names
        if not (name in named or known_role(name) or name in NO_SYSTEMS)
    }
    numbers = [name for name, of in cells.items() if any(number_in(c) is not None for c in of)]
    texts = [name for name, of in cells.items() if are_texts(of)]
    as_scores = [naming or ",".join(missing), f"score={'+'.join(numbers) or 'NAME'}"]
    as_texts = [naming, f"candidate={texts[0] if texts else 'NAME'}"]
    ways = [as_scores] if numbers or not texts else []
    ways += [as_texts] if texts or not numbers else []
    return f"--columns {' or '.join(','.join(filter(None, way)) for way in ways)}"


def judged_protocols(corpus: Corpus) -> tuple[ProtocolName, ...]:
    """Both protocols where people judged references that have others to be compared with."""
    written = {(s.topic, s.author) for s in corpus.summaries if s.role == "reference"}
    references = Counter(topic for topic, _ in written)
    judged = {(j.topic, j.author) for j in corpus.judgments} & written
    both = any(references[topic] > 1 for topic, _ in judged)
    return ("no_models", "all_peers") if both else ("no_models",)


def judged_corpus(scored: Scored, scores: Sequence[str], dimensions: Sequence[str] = ()) -> Corpus:
    """The corpus with judgments, or what to do where there is none.

    Where values of metrics stand for people, there need be no judgments.
    """
    columns = [column for table in scored.tables for column in table.columns]
    if dimensions and all(has_column(columns, name) for name in dimensions):
        return scored.corpus or Corpus()
    if scored.corpus is None or not scored.corpus.judgments:
        # Other people's scores and judgments are tables of the same shape.
        last = scores[-1] if len(scores) > 1 else ""
        raise _not_judged(scores[0] if scored.corpus else "a score table", last)
    return scored.corpus


def _not_judged(where: str, last: str = "") -> SummetryError:
    hint = f"; is {last} one? --judgments {last}" if last else ""
    return SummetryError(
        f"{where} has no judgments; --judgments names a corpus or a table that has some{hint}"
    )
