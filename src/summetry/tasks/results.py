"""What the results of all tasks share: they print, and their numbers go to a frame."""

from __future__ import annotations

import abc
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from summetry.records.corpus import Corpus
from summetry.records.scores import html_table, pandas_frame, text_table
from summetry.stats.ratings import Estimate

if TYPE_CHECKING:
    import pandas


def called(corpus: Corpus) -> str:
    """A corpus in a message, by its name if it has one."""
    return f"the corpus {corpus.name!r}" if corpus.name else "the corpus"


def as_record(row: Any, **renamed: str) -> dict[str, Any]:
    """The words and numbers of a row by name, an estimate with both ends of its interval."""
    record: dict[str, Any] = {}
    for field, value in row._asdict().items():
        name = renamed.get(field, field)
        if isinstance(value, Estimate):
            record |= {name: value.value, f"{name}_low": value.low, f"{name}_high": value.high}
        elif isinstance(value, str | int | float):
            record[name] = value
    return record


class TaskResult(abc.ABC):
    """The result of a task."""

    @property
    @abc.abstractmethod
    def shown(self) -> Sequence[str]:
        """The columns of its records that it prints."""

    @abc.abstractmethod
    def records(self) -> list[dict[str, Any]]:
        """One dict per row, with every number."""

    def to_pandas(self) -> pandas.DataFrame:
        """The records as a frame."""
        return pandas_frame(self.records())

    def __repr__(self) -> str:
        rows = [[_cell(record[name]) for name in self.shown] for record in self.records()]
        lines = text_table([name.replace("_", " ") for name in self.shown], rows)
        return "\n".join([*lines, "(.records() and .to_pandas() have all numbers)"])

    def _repr_html_(self) -> str:
        return html_table(repr(self))


def _cell(value: object) -> str:
    if isinstance(value, float):
        return "-" if value != value else f"{value:.3f}"
    return str(value)
