"""Metrics that compare vectors of tokens, which an encoder makes of texts."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from summetry import spec
from summetry.arrays.types import Floats
from summetry.encoders import Encoder, TokenVectors, encode_all
from summetry.metrics._pairs import FactsMetric, PairRows, TextMetric
from summetry.metrics.base import Describable, Over
from summetry.records.batches import Batch, Side
from summetry.spec import Spec

# Options of the encoder that everybody needs: a metric takes them for it.
_OF_FOLDER = ("path", "limit", "long")
# Bytes of vectors that a batch keeps; of what goes beyond, the oldest are made again if needed.
_MOST_BYTES = 500_000_000
# Texts that are encoded at once.
_BLOCK = 512


class EncodedTexts:
    """The texts of a batch as vectors of tokens, each encoded once, when it is first needed."""

    def __init__(self, batch: Batch, encoder: Encoder, most_bytes: int) -> None:
        self._strings = batch.strings
        self._encoder = encoder
        self._most_bytes = most_bytes
        self._kept: OrderedDict[int, TokenVectors] = OrderedDict()
        self.bytes = 0
        self._means: dict[int, Floats] = {}

    def __getitem__(self, row: int) -> TokenVectors:
        return self._kept[row]

    def need(self, rows: Sequence[int]) -> None:
        """Encode these texts if they are not there."""
        missing = [row for row in dict.fromkeys(rows) if row not in self._kept]
        if not missing:
            return
        # Those that are needed now must not be the next to go.
        for row in dict.fromkeys(rows):
            if row in self._kept:
                self._kept.move_to_end(row)
        encoded_now = encode_all(self._encoder, [self._strings[row] for row in missing])
        for row, encoded in zip(missing, encoded_now, strict=True):
            self._kept[row] = encoded
            self.bytes += encoded.size
        while self.bytes > self._most_bytes and len(self._kept) > len(set(rows)):
            _, gone = self._kept.popitem(last=False)
            self.bytes -= gone.size

    def need_means(self, rows: Sequence[int]) -> None:
        """Make the vectors of these whole texts, of whose tokens nothing else is asked."""
        missing = [row for row in dict.fromkeys(rows) if row not in self._means]
        self.need(missing)
        self._means.update((row, self._kept[row].mean) for row in missing)

    def mean(self, row: int) -> Floats:
        """The vector of a whole text."""
        return self._means[row]


class EncodedMetric(TextMetric, FactsMetric[Side]):
    """A metric of two texts whose facts are about vectors of their tokens."""

    encoder: Encoder
    references: Over
    # It needs a folder of the user's.
    only_if_asked: ClassVar[bool] = True

    @classmethod
    def short_options(cls) -> tuple[str, ...]:
        return *super().short_options(), *_OF_FOLDER

    @classmethod
    def expand_options(cls, options: Mapping[str, Any]) -> dict[str, Any]:
        """Options as they are typed: ``path=`` stands for an encoder ``folder(path=...)``."""
        own = {key: options[key] for key in _OF_FOLDER if key in options}
        if not own:
            return super().expand_options(options)
        given = options.get("encoder", "folder")
        asked = given if isinstance(given, Spec) else spec.parse(str(given))
        rest = {key: value for key, value in options.items() if key not in own}
        return {**rest, "encoder": Spec(asked.name, {**asked.options, **own})}

    @property
    def pipeline(self) -> Describable | None:
        return self.encoder

    @property
    def files(self) -> tuple[str, ...]:
        return self.encoder.files

    def encoded(self, batch: Batch) -> EncodedTexts:
        """The texts of a batch, shared by all metrics that have the same encoder."""
        key = "encoded", spec.show(self.encoder)
        return batch.derived(key, lambda: EncodedTexts(batch, self.encoder, _MOST_BYTES))

    def notes(self, batch: Batch) -> dict[str, int]:
        """Of how many comparisons a text was too long for the encoder to be read at once."""
        left, right, owners = self.pair_rows(batch)
        rows = np.unique(np.concatenate([left, right]))
        pieces = self.encoder.windows([batch.strings[row] for row in rows.tolist()])
        is_long = np.zeros(len(batch.strings), np.bool_)
        is_long[rows] = np.array(pieces, np.int64) > 1
        comparisons = len(np.unique(owners[is_long[left] | is_long[right]]))
        what = "texts that the encoder cannot read at once are read in overlapping windows"
        return {what: comparisons} if comparisons else {}


def blocks(pairs: PairRows) -> list[tuple[int, int]]:
    """Where pairs begin and end that are worked on together."""
    count = len(pairs.owners)
    return [(start, min(start + _BLOCK, count)) for start in range(0, count, _BLOCK)]
