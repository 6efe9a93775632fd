"""A length for each topic of a corpus, from a table.

    topic,length
    text001,37%
    text002,27%

The column ``id`` is taken for ``topic``. Lengths are spelt as everywhere: ``30%``, ``100 words``,
``3`` (sentences), ``mean``. The table may be CSV, TSV, JSONL or Parquet; other columns are not
looked at.
"""

from __future__ import annotations

from pathlib import Path

from summetry.errors import FormatError, SummetryError
from summetry.formats._base import must_be_file
from summetry.formats.cells import TABLE_ENDINGS, read_cells
from summetry.records.lengths import Length, TopicLengths, parse_length

_TOPIC = ("topic", "id")


def read_length(text: str) -> Length | TopicLengths:
    """A length as it is typed: its spelling, or the name of a table with one for each topic."""
    is_table = Path(text).suffix.lower().removeprefix(".") in TABLE_ENDINGS
    return read_topic_lengths(Path(text)) if is_table else parse_length(text)


def read_topic_lengths(path: Path) -> TopicLengths:
    """The length of each topic that the table at ``path`` names."""
    must_be_file(path, "a table of lengths")
    lengths: dict[str, Length] = {}
    for place, cells in read_cells(path):
        name = next((column for column in _TOPIC if column in cells), None)
        if name is None or "length" not in cells:
            missing = "length" if name else "topic"
            raise FormatError(place, "the columns topic and length", f"no {missing!r}")
        topic, length = str(cells[name]), cells["length"]
        if topic in lengths:
            raise FormatError(place, "one length for each topic", f"a second one for {topic!r}")
        try:
            lengths[topic] = Length.parse(length)
        except SummetryError:
            raise FormatError(place, "a length as 30%, 100 words or 3", repr(length)) from None
    if not lengths:
        raise SummetryError(f"{path}: expected lengths, found none")
    return TopicLengths(lengths, str(path))
