"""What each measure can see: docs/audit.md, on REALSumm and SummEval.

Summaries of both corpora are made worse by rule, scored by every metric that can run on texts, and
it is counted how often the worse text has the worse value (``summetry audit``). ``--data`` is the
folder with both corpora, ``realsumm`` and ``summeval``, as docs.jsonl and summaries.jsonl.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from script_parts import natural, positive, print_all

import summetry
from summetry.audits.perturbations import PERTURBATIONS
from summetry.errors import SummetryError
from summetry.files import write_whole
from summetry.records.corpus import Corpus
from summetry.reports.audits import AuditReport, audit_sheets, audit_tidy, texts_sheet
from summetry.reports.pictures.files import standalone
from summetry.reports.sheets import sheet_markdown, sheet_records

PAGE = Path(__file__).parents[1] / "docs" / "audit.md"
# HPG compares every neighbourhood of both texts with every other one.
SLOW, FEWER = "hpg", 10
# Texts per perturbation: both corpora have as many summaries with a number and with a name.
LIMIT = 900
TITLES = {"realsumm": "REALSumm", "summeval": "SummEval"}


def read_realsumm(folder: Path) -> Corpus:
    """25 systems on 100 articles, one reference each, one sentence per line."""
    docs = {doc["doc_id"]: doc for doc in _lines(folder / "docs.jsonl")}
    rows = [
        {
            "id": str(row["doc_id"]),
            "system": row["system"],
            "candidate": "\n".join(row["summary_sents"]),
            "reference": "\n".join(docs[row["doc_id"]]["reference_sents"]),
            "source": docs[row["doc_id"]]["source"],
        }
        for row in _lines(folder / "summaries.jsonl")
    ]
    return _corpus(rows, "realsumm")


def read_summeval(folder: Path) -> Corpus:
    """16 systems on 100 articles, 11 references each."""
    docs = {doc["doc_id"]: doc for doc in _lines(folder / "docs.jsonl")}
    rows = [
        {
            "id": row["doc_id"],
            "system": row["system"],
            "candidate": row["summary"],
            "references": docs[row["doc_id"]]["references"],
            "source": docs[row["doc_id"]]["source"],
        }
        for row in _lines(folder / "summaries.jsonl")
    ]
    return _corpus(rows, "summeval")


READERS = {"realsumm": read_realsumm, "summeval": read_summeval}


def _lines(path: Path) -> list[Any]:
    if not path.is_file():
        raise SummetryError(f"{path}: expected a file of the corpus, found none; --data names the "
                            f"folder with realsumm and summeval")  # fmt: skip
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _corpus(rows: Sequence[Mapping[str, Any]], name: str) -> Corpus:
    return replace(summetry.load(rows), name=name, language="en")


def measure(corpus: Corpus, options: argparse.Namespace) -> AuditReport:
    """The audit by all metrics, the slow one on fewer summaries."""
    settings = {"draws": options.draws, "seed": options.seed}
    whole = summetry.audit(corpus, limit=options.limit, **settings)
    few = max(options.limit // FEWER, 1)
    slow = summetry.audit(corpus, SLOW, limit=few, **settings)
    cells = (*whole.cells, *slow.cells)
    return AuditReport(cells, whole.made, whole.draws, whole.seed, whole.notes)


def page_parts(audits: Mapping[str, AuditReport]) -> dict[str, str]:
    """The tables of the page, by the names of their markers."""
    parts = {}
    for name, audit in audits.items():
        parts[name] = _table(sheet_markdown(audit_sheets(audit)[0]))
    heads = "".join(f" {TITLES[name]} | length % |" for name in audits)
    lines = [f"| perturbation | what it does |{heads}", "|---|---|" + "---:|" * 2 * len(audits)]
    for place, one in enumerate(PERTURBATIONS):
        counts = "".join(
            f" {audit.made[place].texts} | {audit.made[place].length:.0f} |"
            for audit in audits.values()
        )
        lines.append(f"| `{one.name}` | {one.does} |{counts}")
    return {**parts, "texts": "\n".join(lines)}


def _table(markdown: str) -> str:
    """The table alone: the page has its own words around it."""
    return "\n".join(line for line in markdown.splitlines() if line.startswith("|"))


def filled(page: str, parts: Mapping[str, str]) -> str:
    """The page with each table between its markers."""
    for name, words in parts.items():
        start, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
        if start not in page or end not in page:
            raise SummetryError(f"{PAGE}: expected the markers {start} and {end}, found none")
        before, rest = page.split(start, 1)
        page = f"{before}{start}\n{words}\n{end}{rest.split(end, 1)[1]}"
    return page


def run(options: argparse.Namespace) -> Iterable[str]:
    """Everything; yields the lines to print."""
    audits = {}
    for name, read in READERS.items():
        start = time.process_time()
        audits[name] = measure(read(options.data / name), options)
        options.out.mkdir(parents=True, exist_ok=True)
        records = [sheet_records(sheet(audits[name])) for sheet in (audit_tidy, texts_sheet)]
        cells = dict(zip(("cells", "texts"), records, strict=True))
        write_whole(options.out / f"{name}.json", json.dumps(cells, indent=1) + "\n")
        write_whole(options.out / f"{name}.svg", standalone(audits[name].picture))
        yield f"{TITLES[name]}: {time.process_time() - start:.0f} s of processor time"
        yield audits[name].report()
    if options.page:
        for name, audit in audits.items():
            write_whole(PAGE.with_name(f"audit-{name}.svg"), standalone(audit.picture))
        write_whole(PAGE, filled(PAGE.read_text(encoding="utf-8"), page_parts(audits)))
        yield f"wrote {PAGE.name}"


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="Example:\n    python experiments/audit.py --data data --out audit --page",
    )
    parser.add_argument("--data", metavar="FOLDER", type=Path, required=True,
                        help="the folder with realsumm and summeval")  # fmt: skip
    parser.add_argument("--limit", metavar="N", type=positive, default=LIMIT,
                        help=f"texts per perturbation; {LIMIT}, a {FEWER}th by {SLOW}")  # fmt: skip
    parser.add_argument("--out", metavar="FOLDER", type=Path, default=Path("audit"),
                        help="where to write all numbers and the heat maps; audit")  # fmt: skip
    parser.add_argument("--page", action="store_true", help="fill and draw docs/audit.md")
    parser.add_argument("--draws", metavar="N", type=positive, default=10_000,
                        help="resamples of topics; 10000")  # fmt: skip
    parser.add_argument("--seed", metavar="N", type=natural, default=0, help="of all draws; 0")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    return print_all(run, parse(arguments))


if __name__ == "__main__":
    sys.exit(main())
