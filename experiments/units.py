"""How far content units that are found by words agree with people; makes a part of a page.

Two questions, on public data. On REALSumm people said of 1,056 units and 2,500 summaries which
expresses which: each rule by which `units` could decide is fitted on some topics and judged on the
others. On SummEval experts judged how far 1,600 summaries agree with their source: the share of
sentences that the source does not support is correlated with that, for several ways to count.

DATA holds the folders realsumm and summeval, each with docs.jsonl and summaries.jsonl:

    realsumm   doc_id, scus [{id, text}]; doc_id, system, summary_sents, reference_sents,
               scu_labels, scu_votes (one row per worker)
    summeval   doc_id, source; doc_id, system, summary, expert_mean {consistency}

The tables are written to the page between two marks, and as CSV with --out.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from script_parts import Row, natural, positive, print_all, to_matrix, write_table

import summetry
from summetry.arrays.types import Floats
from summetry.errors import SummetryError
from summetry.metaeval.unit_marks import UnitMarks, fit_values, marks_of
from summetry.metrics.pyramid.assignment import unit_values
from summetry.metrics.pyramid.units import supports
from summetry.records.batches import Batch, Comparison, Material, Side
from summetry.records.pyramids import PeerScu, Pyramid, Scu
from summetry.stats.agreement import fleiss_kappa
from summetry.stats.levels import Level, correlate
from summetry.stats.resampling import bootstrap
from summetry.text.pipeline import TextPipeline

PAGE = Path(__file__).parents[1] / "docs" / "metrics" / "units.md"
BEGIN, END = "<!-- made by experiments/units.py -->", "<!-- the end of what it made -->"
WORDS = "en(stem=true,stop=true)"
# Likeness, where it is looked for, words.
RULES = (
    ("overlap", "value", WORDS),
    ("overlap", "summary", WORDS),
    ("overlap", "sentence", WORDS),
    ("overlap", "value", "en(stop=true)"),
    ("overlap", "value", "en(stem=true)"),
    ("overlap", "value", "en"),
    ("vectors", "value", WORDS),
    ("vectors", "summary", WORDS),
    ("vectors", "sentence", WORDS),
)
WHERE = {"value": "mean of both", "summary": "whole summary", "sentence": "closest sentence"}
ROUGE = ("rouge-1(stem=true).recall", "rouge-2(stem=true).recall")
IN_A_ROW, SUPPORTS = (1, 2, 3), (0.6, 0.7, 0.8, 0.9, 1.0)


def read_lines(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


class Realsumm:
    """Summaries with people's marks of units."""

    def __init__(self, folder: Path) -> None:
        docs = {doc["doc_id"]: doc for doc in read_lines(folder / "docs.jsonl")}
        self.rows = read_lines(folder / "summaries.jsonl")
        said: dict[Any, dict[str, tuple[PeerScu, ...]]] = {name: {} for name in docs}
        for row in self.rows:
            pairs = zip(docs[row["doc_id"]]["scus"], row["scu_labels"], strict=True)
            own = tuple(PeerScu(str(unit["id"])) for unit, mark in pairs if mark)
            said[row["doc_id"]][row["system"]] = own
        materials = {
            name: Material(
                str(name),
                "en",
                pyramids=(
                    Pyramid(
                        str(name),
                        tuple(Scu(str(unit["id"]), unit["text"]) for unit in doc["scus"]),
                        said[name],
                    ),
                ),
            )
            for name, doc in docs.items()
        }
        self.batch = Batch(
            [
                Comparison(
                    materials[row["doc_id"]],
                    Side(row["system"], " ".join(sents), None, tuple(sents)),
                )
                for row in self.rows
                for sents in [row["summary_sents"]]
            ]
        )
        self.marks: UnitMarks = marks_of(self.batch.comparisons)

    def rules(self, options: argparse.Namespace) -> Iterator[Row]:
        """One row per rule: its thresholds, and how far it agrees with people on unseen topics."""
        for by, where, words in RULES:
            values = unit_values(self.batch, by, TextPipeline.from_spec(words))
            fitted = fit_values(
                self.marks, getattr(values, where), by, options.folds, options.resamples,
                options.seed,
            )  # fmt: skip
            low, high = min(fitted.folds), max(fitted.folds)
            unseen = fitted.unseen
            yield {
                "likeness": by,
                "with": WHERE[where],
                "words": words,
                "thresholds": f"{low:g}" if low == high else f"{low:g} to {high:g}",
                "kappa": unseen.kappa,
                "low": unseen.low,
                "high": unseen.high,
                "by unit": unseen.by_unit,
                "system r": unseen.system_pearson,
                "system tau-b": unseen.system_tau_b,
                "summary r": unseen.summary_pearson,
                "summary tau-b": unseen.summary_tau_b,
            }

    def people(self) -> float:
        """Fleiss' kappa of the workers, on each unit of each summary."""
        votes = [
            [len(cell) - sum(cell), sum(cell)]
            for row in self.rows
            for cell in zip(*row["scu_votes"], strict=True)
        ]
        return fleiss_kappa(votes).kappa

    def rouge(self, options: argparse.Namespace) -> Iterator[Row]:
        """What ROUGE's recall reaches on the same summaries."""
        texts = ["\n".join(row["summary_sents"]) for row in self.rows]
        references = ["\n".join(row["reference_sents"]) for row in self.rows]
        scored = summetry.score(texts, references, list(ROUGE))
        human = self.marks.scores(self.marks.people)
        for name in ROUGE:
            values = scored[name.rpartition(".")[0]].recall
            yield {"metric": name, **correlations(self._matrix(values), human, options)}

    def _matrix(self, values: Sequence[float]) -> Floats:
        matrix = np.full((len(self.marks.systems), len(self.marks.topics)), np.nan)
        for row, value in zip(self.rows, values, strict=True):
            place = self.marks.systems.index(row["system"])
            matrix[place, self.marks.topics.index(str(row["doc_id"]))] = value
        return matrix


def correlations(x: Floats, z: Floats, options: argparse.Namespace) -> Row:
    """Pearson's r at both levels, with intervals over topics."""
    row: Row = {}
    levels: tuple[Level, ...] = ("system", "summary")
    for level in levels:
        drawn = bootstrap(x, z, level, "pearson", "topics", draws=options.resamples,
                          seed=options.seed)  # fmt: skip
        row[f"{level} r"] = correlate(x, z, level, "pearson").value
        row[f"{level} low"], row[f"{level} high"] = drawn.low, drawn.high
    return row


def support(folder: Path, options: argparse.Namespace) -> Iterator[Row]:
    """How the share of unsupported sentences follows the experts' consistency."""
    sources = {doc["doc_id"]: doc["source"] for doc in read_lines(folder / "docs.jsonl")}
    rows = read_lines(folder / "summaries.jsonl")
    materials = {name: Material(str(name), "en", text) for name, text in sources.items()}
    batch = Batch(
        [Comparison(materials[r["doc_id"]], Side(r["system"], r["summary"])) for r in rows]
    )
    names = [(row["system"], str(row["doc_id"])) for row in rows]
    judged = [row["expert_mean"]["consistency"] for row in rows]
    human = to_matrix((*name, mark) for name, mark in zip(names, judged, strict=True))
    for in_a_row in IN_A_ROW:
        shares = supports(batch, TextPipeline.from_spec(WORDS), in_a_row)
        sentences = np.bincount(shares.owners, minlength=len(rows))
        for least in SUPPORTS:
            new = np.bincount(shares.owners[shares.best < least], minlength=len(rows))
            share = np.divide(new, sentences, out=np.full(len(rows), np.nan), where=sentences > 0)
            table = to_matrix((*n, float(v)) for n, v in zip(names, share, strict=True))
            yield {
                "sentences in a row": in_a_row,
                "support": least,
                "unsupported": float(np.nanmean(share)),
                **correlations(table, human, options),
            }


def table(rows: Sequence[Row]) -> str:
    """Rows as a table of Markdown."""
    names = list(rows[0])
    lines = [names, ["---"] * len(names), *([_cell(row[name]) for name in names] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(value: str | int | float) -> str:
    if isinstance(value, str):
        return f"`{value}`" if value.startswith(("en", "rouge")) else value
    return f"{value:.3f}" if isinstance(value, float) and value not in SUPPORTS else f"{value:g}"


def section(rules: Sequence[Row], people: float, rouge: Sequence[Row], source: Sequence[Row],
            options: argparse.Namespace) -> str:  # fmt: skip
    """What stands on the page between the marks."""
    folds = f"{options.folds} folds of topics, seed {options.seed}"
    return f"""{BEGIN}
REALSumm (Bhandari et al., 2020): 25 systems, 100 topics, 26,400 marks by a majority of workers,
whose own agreement is {people:.3f} (Fleiss' kappa). Each row is a rule, its threshold chosen by the
other topics ({folds}); `thresholds` are those of the folds, `low` and
`high` the 95 % interval of kappa over {options.resamples:,} resamples of topics, `by unit` the
mean of kappa within units, `r` Pearson's correlation of `coverage` with the score by people's
marks.

{table(rules)}

The same correlations for the recall of ROUGE with stems, with their intervals:

{table(rouge)}

SummEval (Fabbri et al., 2021): 16 systems, 100 topics, the experts' mean for consistency. Pearson's
r of `unsupported` with it, by how many sentences of the source in a row may support a sentence, and
by how large a share of its words they must have:

{table(source)}
{END}"""


def replaced(page: str, new: str) -> str:
    """The page with another section between the marks."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SummetryError(f"expected a page with the lines {BEGIN} and {END}, found none")
    return before + new + after


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="Example:\n    python experiments/units.py data --out figures",
    )
    parser.add_argument("data", metavar="DATA", type=Path, help="the folder of both data sets")
    parser.add_argument("--page", metavar="FILE.md", type=Path, default=PAGE,
                        help="the page; docs/metrics/units.md by default")  # fmt: skip
    parser.add_argument("--out", metavar="FOLDER", type=Path, help="also write CSV here")
    parser.add_argument("--folds", metavar="N", type=positive, default=10, help="of topics; 10")
    parser.add_argument("--resamples", metavar="N", type=positive, default=10000,
                        help="of topics, for the intervals; 10000")  # fmt: skip
    parser.add_argument("--seed", metavar="N", type=natural, default=0, help="of both; 0")
    return parser.parse_args(arguments)


def run(options: argparse.Namespace) -> Iterable[str]:
    """Everything; yields the lines to print."""
    realsumm = Realsumm(options.data / "realsumm")
    rules = []
    for row in realsumm.rules(options):
        rules.append(row)
        yield f"{row['likeness']}, {row['with']}, {row['words']}: kappa {row['kappa']:.3f}"
    rouge = list(realsumm.rouge(options))
    source = list(support(options.data / "summeval", options))
    tables = {"units-rules": rules, "units-rouge": rouge, "units-support": source}
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        for name, rows in tables.items():
            write_table(rows, options.out / f"{name}.csv")
            yield f"wrote {options.out / name}.csv"
    new = section(rules, realsumm.people(), rouge, source, options)
    options.page.write_text(replaced(options.page.read_text(encoding="utf-8"), new), "utf-8")
    yield f"wrote {options.page}"


def main(arguments: Sequence[str] | None = None) -> int:
    return print_all(run, parse(arguments))


if __name__ == "__main__":
    sys.exit(main())
