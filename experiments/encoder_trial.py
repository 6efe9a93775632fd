"""Whether metrics on token vectors follow people better than words do, for any judged summaries.

Greedy matching (greedy_match, plain and with idf from the references) and the cosine of mean
vectors (embedding_cosine), with the encoder in a folder, stand beside ROUGE-1 F, ROUGE-2 recall
and MeMoG: Pearson's r, with its 95 % interval over topics, and Kendall's tau-b, at the level of
systems and of summaries. The input has a line for each summary, as that of hpg_theta.py.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from pathlib import Path

from hpg_theta import Summary, agreement, judged_tables, read_summaries
from script_parts import Row, natural, positive, print_all, write_table

import summetry
from summetry.encoders import write_idf
from summetry.errors import SummetryError

# By the name in the table, the spelling; the encoder's options stand for PATH and IDF.
METRICS = {
    "ROUGE-1 F": "rouge-1.f",
    "ROUGE-2 recall": "rouge-2.recall",
    "MeMoG": "memog.vs",
    "greedy_match recall": "greedy_match(PATH).recall",
    "greedy_match F": "greedy_match(PATH).f",
    "greedy_match F, mean of references": "greedy_match(PATH,references=mean).f",
    "greedy_match recall, idf": "greedy_match(PATH,IDF).recall",
    "greedy_match F, idf": "greedy_match(PATH,IDF).f",
    "embedding_cosine": "embedding_cosine(PATH).value",
}


def spellings(path: str, idf: Path) -> dict[str, str]:
    """The metrics with the user's folder and file in their spellings."""
    options = {"PATH": f"path={json.dumps(path)}", "IDF": f"idf={json.dumps(str(idf))}"}
    return {
        name: reduce(lambda text, mark: text.replace(mark, options[mark]), options, metric)
        for name, metric in METRICS.items()
    }


def measure(
    rows: Sequence[Summary], metrics: Mapping[str, str], options: argparse.Namespace
) -> Iterable[Row]:
    """One row for each metric and dimension."""
    candidates, references = ([row[key] for row in rows] for key in ("summary", "references"))
    for name, spelling in metrics.items():
        values = summetry.score(candidates, references, metrics=[spelling])[spelling]
        for dimension in rows[0]["judgments"]:
            tables = judged_tables(rows, values, dimension)
            yield {"metric": name, "dimension": dimension, **agreement(*tables, options)}


def shown(row: Row) -> str:
    """A row in one line, as a table of a page has it."""
    numbers = " | ".join(
        f"{row[f'{level} r']:.3f} ({row[f'{level} low']:.3f} to {row[f'{level} high']:.3f}) | "
        f"{row[f'{level} tau-b']:.3f}"
        for level in ("system", "summary")
    )
    return f"| {row['metric']} | {row['dimension']} | {numbers} |"


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="Example:\n    python experiments/encoder_trial.py realsumm.jsonl --path vectors",
    )
    parser.add_argument("summaries", metavar="FILE.jsonl", type=Path, help="summaries, judged")
    parser.add_argument("--path", metavar="FOLDER", required=True, help="the encoder")
    parser.add_argument("--out", metavar="FILE.csv", type=Path, default=Path("encoder-trial.csv"),
                        help="where to write; encoder-trial.csv by default")  # fmt: skip
    parser.add_argument("--topics", metavar="N", type=positive,
                        help="only the first N topics; all by default")  # fmt: skip
    parser.add_argument("--resamples", metavar="N", type=positive, default=1000,
                        help="of topics, for the intervals; 1000 by default")  # fmt: skip
    parser.add_argument("--seed", metavar="N", type=natural, default=0, help="of the resamples; 0")
    return parser.parse_args(arguments)


def run(options: argparse.Namespace) -> Iterable[str]:
    """Everything; yields the lines to print."""
    rows = read_summaries(options.summaries, options.topics)
    if not rows:
        raise SummetryError(f"{options.summaries}: expected summaries, found none")
    yield "| metric | dimension | system: r, interval | tau-b | summary: r, interval | tau-b |"
    yield "|---|---|---|---|---|---|"
    measured = []
    with tempfile.TemporaryDirectory() as folder:
        idf = Path(folder) / "idf.json"
        write_idf(sorted({text for row in rows for text in row["references"]}), idf, options.path)
        for row in measure(rows, spellings(options.path, idf), options):
            measured.append(row)
            yield shown(row)
    write_table(measured, options.out)
    yield f"written to {options.out}"


def main(arguments: Sequence[str] | None = None) -> int:
    return print_all(run, parse(arguments))


if __name__ == "__main__":
    sys.exit(main())
