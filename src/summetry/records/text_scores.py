"""What ``summetry.score`` gives back: values by metric, with means, intervals and frames."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from summetry.arrays.types import Floats
from summetry.errors import UnknownKeyError, counted
from summetry.records.scores import (
    LONG_FIELDS,
    Column,
    Row,
    SystemMeans,
    html_table,
    pandas_frame,
    text_table,
    undefined_in_words,
)

if TYPE_CHECKING:
    import pandas


# The names that other packages have for values.
_ALSO = {"fmeasure": "f", "f1": "f"}


class MeanInterval(NamedTuple):
    """A mean with the ends of its interval of confidence; of several systems, arrays."""

    mean: Any
    low: Any
    high: Any


class Values(Mapping[str, Any]):
    """The values of a metric: ``values.f`` or ``values["f"]``, a number or an array.

    >>> Values({"recall": 0.5, "f": 0.4}).f
    0.4
    """

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = values

    def __getitem__(self, name: str) -> Any:
        if name not in self._values and _ALSO.get(name) not in self._values:
            raise UnknownKeyError("value of the metric", name, self._values)
        return self._values[name if name in self._values else _ALSO[name]]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Mapping):
            return NotImplemented
        # An array is neither true nor false.
        equal = (np.array_equal(values, other[name]) for name, values in self.items())
        return self.keys() == other.keys() and all(equal)

    def __getattr__(self, name: str) -> Any:
        # A copy asks for `_values` before it has any.
        if name.startswith("_") or name not in self:
            known = ", ".join(self.__dict__.get("_values", ()))
            raise AttributeError(f"no value is named {name!r}; there are {known}")
        return self[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return repr(self._values)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._values]


def _as_it_is(thing: Any) -> Any:
    return thing


def _interval(low: float, high: float) -> str:
    return "-" if math.isnan(low) else f"{_shown(low)} to {_shown(high)}"


def _shown(number: float) -> str:
    return "-" if math.isnan(number) else f"{number:.4f}"


class TextScores(Mapping[str, Any]):
    """Values of texts by the names of metrics as they were typed; ``rouge1.f`` names one value.

    >>> scores = TextScores({"lcs": Values({"f": np.array([0.5, 1.0])})})
    >>> scores["lcs"].f.tolist(), scores.mean()["lcs"].f
    ([0.5, 1.0], 0.75)
    """

    def __init__(
        self,
        values: Mapping[str, Values],
        columns: Callable[[], Sequence[Column]] = tuple,
        index: Any = None,
        bounds: Callable[[], Mapping[str, tuple[float, float]]] = dict,
        rows: Sequence[str] = (),
    ) -> None:
        self._values = values
        # The smallest and the largest value that each metric can have, where that is known.
        self._bounds = bounds
        self._columns = columns
        # The labels of the candidates, where they were a column of a frame.
        self._index = index
        # The system of each candidate, where there are several.
        self._system_of_row = tuple(rows)

    def __getitem__(self, name: str) -> Any:
        if name in self._values:
            return self._values[name]
        if not isinstance(name, str):
            raise UnknownKeyError("metric among the scores", name, self._values)
        known = {metric.lower(): values for metric, values in self._values.items()}
        column = Column.named(name)
        if name.lower() in known:
            return known[name.lower()]
        if column.value in known.get(column.metric.lower(), ()):
            return known[column.metric.lower()][column.value]
        raise UnknownKeyError("metric among the scores", name, self._values)

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __reduce__(self) -> tuple[Any, ...]:
        # What is worked out only when it is asked for cannot be sent to another process.
        columns, bounds = (partial(_as_it_is, found()) for found in (self._columns, self._bounds))
        return TextScores, (self._values, columns, self._index, bounds, self._system_of_row)

    @property
    def signatures(self) -> dict[str, str]:
        """What others need in order to reproduce the values of each metric."""
        return {column.metric: column.signature for column in self._columns()}

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems of the candidates, as they came; none where there is one alone."""
        return tuple(dict.fromkeys(self._system_of_row))

    def mean(self) -> TextScores:
        """The mean of each value over the candidates, undefined ones left out.

        Where there are several ``systems``, an array with the mean of each of them.
        """
        means = self._of_systems(self._means().means().T) if self._rows() else []
        by_metric: dict[str, dict[str, float]] = {name: {} for name in self._values}
        for (metric, value), mean in zip(self._names(), means, strict=False):
            by_metric[metric][value] = mean
        whole = {n: Values(v) for n, v in by_metric.items()}
        return TextScores(whole, self._columns, list(self.systems) or None, rows=self.systems)

    def intervals(self, confidence: float = 0.95) -> dict[str, MeanInterval]:
        """The mean of each value with its t interval over the candidates.

        What the interval holds beyond the values that the metric can have is cut off.
        """
        if not self._rows():
            return {}
        means = self._means()
        known = self._bounds()
        bounds = [known.get(column.metric, (-np.inf, np.inf)) for column in means.columns]
        cut = (np.clip(end, *np.array(bounds).T) for end in means.intervals(confidence))
        ends = [self._of_systems(end.T) for end in (means.means(), *cut)]
        names = [column.name for column in means.columns]
        rows = zip(*ends, strict=True)
        return {name: MeanInterval(*row) for name, row in zip(names, rows, strict=True)}

    def _of_systems(self, values: Floats) -> list[Any]:
        """What each row has: a number where there is one system, an array where there are more."""
        return list(values) if self._system_of_row else values[:, 0].tolist()

    def to_pandas(self, long: bool = False) -> pandas.DataFrame:
        """One row per candidate and one column per value; if ``long``, one row per number."""
        arrays = self._arrays()
        cells = {Column(*name).name: column for name, column in arrays.items()}
        frame = pandas_frame(cells, index=self._index)
        if not long:
            return frame
        rows = [
            (label, *name, number)
            for name, numbers in arrays.items()
            for label, number in zip(frame.index, numbers, strict=True)
        ]
        return pandas_frame(rows, columns=["id", *LONG_FIELDS])

    def __repr__(self) -> str:
        rows = self._rows()
        if rows == 1:
            means = [[_shown(number)] for column in self._arrays().values() for number in column]
            headings = ["score"]
        else:
            means = [
                [*system, _shown(mean), _interval(low, high)]
                for ends in self.intervals().values()
                for *system, mean, low, high in self._rows_of(ends)
            ]
            headings = [*(["system"] if self.systems else []), "mean", "95 % interval"]
        each = max(len(self.systems), 1) if rows > 1 else 1
        names = [Column(*name).name for name in self._names() for _ in range(each)]
        table = [[name, *mean] for name, mean in zip(names, means, strict=False)]
        lines = text_table(["value", *headings], table)
        if rows == 1:
            return "\n".join(lines)
        what = "system" if rows == len(self.systems) else "candidate"
        missing = [int(np.isnan(of).sum()) for of in self._arrays().values()]
        if said := undefined_in_words([Column(*name) for name in self._names()], missing):
            lines.append(said)
        return "\n".join([*lines, f"({counted(rows, what)}; .to_pandas() has each)"])

    def _repr_html_(self) -> str:
        return html_table(repr(self))

    def _names(self) -> list[tuple[str, str]]:
        return [(metric, value) for metric, values in self._values.items() for value in values]

    def _arrays(self) -> dict[tuple[str, str], Any]:
        return {name: np.atleast_1d(self._values[name[0]][name[1]]) for name in self._names()}

    def _rows(self) -> int:
        return max((len(column) for column in self._arrays().values()), default=0)

    def _means(self) -> SystemMeans:
        arrays = self._arrays()
        means = SystemMeans([Column(*name) for name in arrays])
        systems = self._system_of_row or [""] * self._rows()
        rows = {system: Row("no_models", "", system, "candidate") for system in systems}
        means.add([rows[system] for system in systems], np.column_stack(list(arrays.values())))
        return means

    def _rows_of(self, ends: MeanInterval) -> list[tuple[Any, ...]]:
        """A mean and its interval, or those of each system with its name."""
        return list(zip(self.systems, *ends, strict=True)) if self.systems else [ends]
