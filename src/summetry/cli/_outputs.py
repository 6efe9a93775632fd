"""Outputs of systems in files of their own, scored against references."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import typer

from summetry.cli._inputs import wanted_metrics
from summetry.cli._progress import progress_bar, user_store
from summetry.engine.pairs import PairPlan
from summetry.engine.run import Run
from summetry.formats import must_exist
from summetry.formats.outputs import Output, OutputReader, system_names
from summetry.metrics import METRICS
from summetry.records.batches import TextColumns
from summetry.records.builder import OnError
from summetry.records.scores import ScoreTable


@dataclass(frozen=True)
class OutputsInput:
    """The options that say where outputs and references are, and how they are scored."""

    files: Sequence[str]
    references: str
    metrics: Sequence[str] = ()
    columns: Mapping[str, str] = field(default_factory=dict)
    language: str = ""
    on_error: OnError = "stop"

    def first_system(self) -> str:
        return system_names([Path(name) for name in self.files])[0]

    def read(self) -> ScoreTable:
        """Every output scored against the references and the source of its row."""
        for name in (*self.files, self.references):
            must_exist(Path(name))
        reader = OutputReader(self.columns, self.on_error)
        outputs = reader.read([Path(name) for name in self.files], Path(self.references))
        for note in reader.notes:
            typer.echo(f"note: {note}", err=True)
        for problem in reader.problems:
            typer.echo(f"skipped: {problem}", err=True)
        return self._scored(outputs)

    def _scored(self, outputs: Sequence[Output]) -> ScoreTable:
        columns = TextColumns(
            [output.text for output in outputs],
            [list(output.references) for output in outputs],
            [output.source for output in outputs],
            self.language,
        )
        names = [(output.id, output.system) for output in outputs]
        plan = PairPlan(columns, f"the file {self.references}", names)
        store = user_store()
        with progress_bar("scored", is_kept=store is not None) as show:
            metrics = self.metrics or [_first_with_direction(wanted_metrics((), plan))]
            run = Run(plan, metrics, store=store, on_error=self.on_error, progress=show)
            table = run.table()
        for note in run.notes:
            typer.echo(f"note: {note}", err=True)
        return table


def _first_with_direction(names: Sequence[str]) -> str:
    """The first metric whose headline says which direction is better, if there is one."""
    built = [(name, METRICS.build(name)) for name in names]
    able = [name for name, m in built if m.better.get(m.headline, "higher") != "neither"]
    return (able or names)[0]
