"""The script that people write around rouge_score_rs: a table of texts to a table of scores.

Started by ``files.py``, which also lets it compare two tables of scores; then it prints how many
rows they have and their largest difference. The floor is what nobody can do without.

    python benchmarks/files_peers.py score TABLE.jsonl|.csv SCORES.csv|.parquet
    python benchmarks/files_peers.py floor TABLE
    python benchmarks/files_peers.py compare SCORES OTHER_SCORES
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator
from pathlib import Path

METRICS = ("rouge1", "rouge2", "rougeL")
HEAD = ["id", "system", *(f"{m}.{v}" for m in METRICS for v in ("recall", "precision", "f"))]


def rows(path: str) -> Iterator[list[str]]:
    """id, system, candidate and reference of each row."""
    with Path(path).open(encoding="utf-8", newline="") as file:
        if path.endswith(".csv"):
            lines = csv.reader(file)
            next(lines)
            yield from lines
        else:
            for line in file:
                row = json.loads(line)
                yield [row["id"], row["system"], row["candidate"], row["reference"]]


def scored(path: str) -> Iterator[list[str | float]]:
    from rouge_score_rs.rouge_scorer import RougeScorer

    scorer = RougeScorer(list(METRICS), use_stemmer=False)
    for topic, system, candidate, reference in rows(path):
        found = scorer.score(reference, candidate)
        row: list[str | float] = [topic, system]
        for name in METRICS:
            value = found[name]
            row += [value.recall, value.precision, value.fmeasure]
        yield row


def score(table: str, output: str) -> None:
    if output.endswith(".csv"):
        with Path(output).open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(HEAD)
            writer.writerows(scored(table))
    else:
        import pyarrow
        import pyarrow.parquet

        columns = zip(*scored(table), strict=True)
        made = pyarrow.table(dict(zip(HEAD, columns, strict=True)))
        pyarrow.parquet.write_table(made, output)


def floor(table: str) -> int:
    """Read the lines of a file and cut them at blanks: how many words there are."""
    with Path(table).open(encoding="utf-8") as file:
        return sum(len(line.split()) for line in file)


def compare(one: str, other: str) -> tuple[int, float]:
    """How many rows both have, and the largest difference; an error if names differ."""
    import numpy
    import pyarrow.csv
    import pyarrow.parquet

    tables = []
    for path in (one, other):
        read = pyarrow.csv.read_csv if path.endswith(".csv") else pyarrow.parquet.read_table
        tables.append(read(path).select(HEAD))
    for name in ("id", "system"):
        names = [table[name].cast("string").to_pylist() for table in tables]
        assert names[0] == names[1], f"{one} and {other} have different columns {name}"
    gaps = [
        numpy.abs(numpy.subtract(*(table[name].to_numpy() for table in tables))).max()
        for name in HEAD[2:]
    ]
    return tables[0].num_rows, float(max(gaps))


if __name__ == "__main__":
    if sys.argv[1] == "score":
        score(*sys.argv[2:])
    elif sys.argv[1] == "floor":
        floor(*sys.argv[2:])
    else:
        print(json.dumps(compare(*sys.argv[2:])))
