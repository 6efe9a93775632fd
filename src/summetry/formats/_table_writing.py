"""A corpus as one table: a row for each peer, with the models and the source of its topic."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from summetry.errors import MissingPackageError, SummetryError, counted
from summetry.files import written_whole
from summetry.formats._writing import (
    losses,
    merged_documents,
    source_text,
    warn_not_written,
)
from summetry.formats.cells import Cells, write_separated
from summetry.records.corpus import Corpus
from summetry.records.summaries import Summary
from summetry.records.topics import Topic

ROLES = ("candidate", "reference", "references", "source", "system", "id")
NUMBERED = re.compile(r"reference[_ ]?(\d+)")
# What of a corpus a table has columns for.
HELD = {"topics": {"id", "documents"}, "summaries": {"topic", "author", "role", "text", "meta"}}


def write_table(corpus: Corpus, path: Path, name: str) -> None:
    """Write JSONL, CSV, TSV or Parquet, by the ending of ``path``; ``name`` is the format's."""
    ending = path.suffix.lower().removeprefix(".")
    # Gathered once: a topic may have very many peers.
    references = {topic.id: _references(corpus, topic) for topic in corpus.topics}
    peers = filter(_is_peer, corpus.summaries)
    rows = [_cells_of(corpus, peer, references[peer.topic]) for peer in peers]
    warn_not_written(corpus, HELD, path, name, _lost(corpus, ending in ("csv", "tsv")))
    with written_whole(path) as part:
        if ending == "parquet":
            _write_parquet(rows, part)
        elif ending in ("csv", "tsv"):
            _write_separated(rows, part, "\t" if ending == "tsv" else ",")
        else:
            encode = msgspec.json.Encoder().encode
            part.write_bytes(b"".join(encode(row) + b"\n" for row in rows))


def _references(corpus: Corpus, topic: Topic) -> list[str]:
    summaries = corpus.of_topic("summaries", topic.id)
    return [corpus.text_of(summary) for summary in summaries if not _is_peer(summary)]


def _cells_of(corpus: Corpus, summary: Summary, references: list[str]) -> Cells:
    topic = corpus.topic(summary.topic)
    if not topic.id or not summary.author:
        # Where these are missing a row has names of its own making.
        names = f"found topic {topic.id!r} and author {summary.author!r}"
        raise SummetryError(f"a table holds no empty names, {names}; rename it first")
    cells: Cells = {"id": topic.id, "system": summary.author}
    cells["candidate"] = corpus.text_of(summary)
    cells["references"] = references
    if topic.documents:
        cells["source"] = source_text(topic)
    return cells | _free(summary)


def _free(summary: Summary) -> Cells:
    """What is known of a summary beside its texts, if no text would be found in its column."""
    items = summary.meta.items()
    return {name: v for name, v in items if name not in ROLES and not NUMBERED.fullmatch(name)}


def _lost(corpus: Corpus, only_text: bool) -> list[str]:
    """What a table, perhaps one that can hold ``only_text``, has no place for."""
    lost = merged_documents(corpus)
    models = [summary for summary in corpus.summaries if not _is_peer(summary)]
    named = [m for m in models if not re.fullmatch(r"reference \d+", m.author)]
    if named:
        lost.append(f"the authors of {counted(len(named), 'model')}")
    if any(model.meta for model in models):
        lost.append("the meta of models")
    alone = {topic.id for topic in corpus.topics}
    alone -= {summary.topic for summary in corpus.summaries if _is_peer(summary)}
    free = [(summary, _free(summary)) for summary in corpus.summaries if _is_peer(summary)]
    other = [values for _, values in free if not all(isinstance(v, str) for v in values.values())]
    if other and only_text:
        lost.append(f"that meta of {counted(len(other), 'summary')} is no text")
    counts = {
        ("topic", "without a peer"): len(alone),
        ("summary", "with meta that is named like a column of texts"): sum(
            values != summary.meta for summary, values in free
        ),
    }
    return lost + losses(counts)


def _is_peer(summary: Summary) -> bool:
    return summary.role == "candidate"


def _write_separated(rows: list[Cells], path: Path, delimiter: str) -> None:
    names = list(dict.fromkeys(name for row in rows for name in row))
    encode = msgspec.json.Encoder().encode
    with path.open("w", encoding="utf-8", newline="") as file:
        write_separated(file, [names], delimiter)
        for row in rows:
            cells = (row.get(name, "") for name in names)
            texts = (c if isinstance(c, str) else encode(c).decode() for c in cells)
            write_separated(file, [texts], delimiter)


def _write_parquet(rows: list[Cells], path: Path) -> None:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise MissingPackageError("writing Parquet", "pyarrow", "table") from error
    # Left to itself it takes the names of the first row and drops all others.
    names = dict.fromkeys(name for row in rows for name in row)
    try:
        columns = {name: pyarrow.array([row.get(name) for row in rows]) for name in names}
        pyarrow.parquet.write_table(pyarrow.table(columns), path)
    except pyarrow.ArrowException as error:
        raise SummetryError(
            f"a column of Parquet holds values of one kind ({error}); write a .jsonl instead"
        ) from error
