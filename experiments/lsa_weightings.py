"""Figures 3 to 6 of Steinberger and Jezek (2009), for any corpus with judgments.

figure 3  how much of a text's information its most important dimensions hold, by the length of
          the summary, next to what the Zipf-like law of eq. 10 gives
figure 4  correlation of both LSA measures with the marks, for 16 weighting schemes, where
          summaries are compared with abstracts (the references of the corpus)
figure 5  the same, compared with full texts (the sources)
figure 6  correlation of the keyword evaluator with the marks, by the number of keywords

The correlation is Pearson's, of the systems' mean values with their mean marks. Each figure is
written as a table (CSV) and as a picture (SVG and PNG), and all of them as one page (HTML).
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from marks import choose_dimension, correlations
from rich.console import Console
from rich.progress import Progress
from script_parts import Row, check_folder, natural, positive, print_all, write

import summetry
from summetry.metrics.lsa.dimensions import captured_significance, singular_values, zipf_fit
from summetry.records.corpus import Corpus, join_units
from summetry.records.scores import ScoreTable
from summetry.reports.plots import Field, bar_chart, line_chart
from summetry.text.pipeline import LanguagePipeline

LOCAL = ("FQ", "BI", "AU", "LO")
SCOPE = ("NW", "ISF", "GF", "EN")
SCHEMES = tuple((local, scope) for local in LOCAL for scope in SCOPE)
MEASURES = {
    "lsa_main_topic": "main topic similarity",
    "lsa_term_significance": "term significance similarity",
}
REFERENCES = {"references": "abstracts", "source": "full texts"}
KEYWORDS = (1, 2, 3, 5, 7, 10, 15, 20, 25, 30, 35, 40, 50, 60, 80, 100)
PERCENTS = tuple(range(5, 101, 5))
# The middle of the topics that the band of figure 3 shows.
MIDDLE = (0.1, 0.9)
# Section 5.2.1: 10 % of the dimensions hold 40 % of the information, 30 % hold 70 %.
PRINTED = ((10, 40), (30, 70))

R = Field("pearson", "correlation with the marks", "Pearson's r", low="low", high="high")


def significance(spectra: Mapping[str, Sequence[float]]) -> list[Row]:
    """Figure 3 from the singular values of each topic: one row for each length and series.

    ``measured`` is the mean over the topics of the share of information in the top p % of the
    dimensions, ``low`` and ``high`` hold the middle 80 % of the topics. The others are what eq. 10
    gives for as many dimensions, with the b that fits each topic best and with b = -1, and the
    two numbers that the paper's text names.
    """
    fitted = {topic: zipf_fit(values).b for topic, values in spectra.items()}
    series = {
        "measured": spectra,
        "a i^b, fitted": {t: _law(len(spectra[t]), b) for t, b in fitted.items() if b == b},
        "a / i": {t: _law(len(v), -1.0) for t, v in spectra.items()},
    }
    rows: list[Row] = []
    for name, values in series.items():
        shares = [list(captured_significance(v, PERCENTS).values()) for v in values.values()]
        defined = np.array([share for share in shares if not math.isnan(share[0])]) * 100
        for place, percent in enumerate(PERCENTS if len(defined) else ()):
            column = np.sort(defined[:, place])
            row: Row = {"series": name, "length": percent, "topics": len(column)}
            row["significance"] = math.fsum(column) / len(column)
            if name == "measured":
                row["low"], row["high"] = (float(q) for q in np.quantile(column, MIDDLE))
            rows.append(row)
    printed = [{"series": "the paper's text", "length": p, "significance": s} for p, s in PRINTED]
    return [*rows, *printed] if rows else []


def fits(spectra: Mapping[str, Sequence[float]]) -> list[Row]:
    """a and b of eq. 10 for every topic."""
    fitted = {topic: zipf_fit(values) for topic, values in spectra.items()}
    return [
        {"topic": topic, "dimensions": len(spectra[topic]), "a": fit.a, "b": fit.b}
        for topic, fit in fitted.items()
    ]


def _law(dimensions: int, b: float) -> list[float]:
    """Singular values whose squares are i^b."""
    return [i ** (b / 2) for i in range(1, dimensions + 1)]


def singular_values_of_topics(corpus: Corpus) -> dict[str, list[float]]:
    """By topic, from its sentences without stop words, weighted BI-NW."""
    pipeline, spectra = LanguagePipeline(stop=True), {}
    for topic in corpus.topics:
        language, units = corpus.language_of(topic), topic.units
        if topic.unit != "sentence":
            units = tuple(pipeline.sentences(join_units(units, language), language))
        table = pipeline.encode(units, [language] * len(units))
        if units:
            spectra[topic.id] = singular_values([table.text(i) for i in range(len(table))])
    return spectra


def metrics_of(against: str, keyword_text: str) -> dict[str, dict[str, str]]:
    """The spellings that the figures need against abstracts or full texts, by figure and name."""
    schemes = {
        f"{measure} {local}-{scope}": f"{measure}(against={against},local={local},scope={scope})"
        for measure in MEASURES
        for local, scope in SCHEMES
    }
    text = f",text={keyword_text}" if keyword_text else ""
    keywords = {str(n): f"keywords(n={n},against={against}{text}).recall" for n in KEYWORDS}
    return {"schemes": schemes, "keywords": keywords}


def scheme_rows(by_scheme: Mapping[str, Row]) -> list[Row]:
    """Figures 4 and 5: one row for each measure and weighting scheme."""
    rows: list[Row] = []
    for measure, words in MEASURES.items():
        for local, scope in SCHEMES:
            scheme = f"{local}-{scope}"
            rows.append({"measure": words, "scheme": scheme} | by_scheme[f"{measure} {scheme}"])
    return rows


def keyword_rows(by_reference: Mapping[str, Mapping[str, Row]]) -> list[Row]:
    """Figure 6: one row for each number of keywords and kind of reference."""
    return [
        {"reference": REFERENCES[against], "n": n} | rows[str(n)]
        for against, rows in by_reference.items()
        for n in KEYWORDS
    ]


def measure(
    corpus: Corpus, dimension: str, options: argparse.Namespace
) -> tuple[dict[str, list[Row]], list[str]]:
    """The rows of all figures that the corpus can give, and what its reader should know."""
    spectra = singular_values_of_topics(corpus)
    tables = {"figure3": significance(spectra), "figure3_fits": fits(spectra)}
    notes = [] if spectra else ["the corpus has no full texts: there is no figure3"]
    keywords = {}
    for figure, against in (("figure4", "references"), ("figure5", "source")):
        if not _offers(corpus, against):
            notes.append(f"the corpus has no {REFERENCES[against]}: there is no {figure}")
            continue
        figures = metrics_of(against, options.keyword_text)
        spellings = [spelling for part in figures.values() for spelling in part.values()]
        table = _evaluate(corpus, spellings, f"{figure}: against {REFERENCES[against]}")
        notes += table.notes
        # Each spelling asks for one value, so the columns are in the order of the spellings.
        rows = correlations(table, corpus, dimension, options.resamples, options.seed)
        by_spelling = dict(zip(spellings, rows.values(), strict=True))
        tables[figure] = scheme_rows({n: by_spelling[s] for n, s in figures["schemes"].items()})
        keywords[against] = {n: by_spelling[s] for n, s in figures["keywords"].items()}
    tables["figure6"] = keyword_rows(keywords)
    return {name: rows for name, rows in tables.items() if rows}, notes


def _offers(corpus: Corpus, against: str) -> bool:
    if against == "source":
        return any(topic.units for topic in corpus.topics)
    return any(summary.role == "reference" for summary in corpus.summaries)


def _evaluate(corpus: Corpus, spellings: Sequence[str], words: str) -> ScoreTable:
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(words, total=None)
        return summetry.evaluate(
            corpus,
            spellings,
            chunk_items=256,
            progress=lambda done, total: bar.update(task, completed=done, total=total),
        )


def charts(tables: Mapping[str, Sequence[Row]], name: str, dimension: str) -> dict[str, Any]:
    """The pictures of the figures, by figure."""
    systems = max((int(row["systems"]) for row in tables.get("figure6", ())), default=0)
    note = f"{name}: {systems} systems, marks for {dimension}; 95 % intervals over topics"
    pictures = {}
    if "figure3" in tables:
        share = Field("significance", "significance of the dimensions", "% of the information",
                      (0, 100), "low", "high")  # fmt: skip
        length = Field("length", "summary length", "% of the text", (0, 100))
        pictures["figure3"] = line_chart(
            tables["figure3"], length, share, Field("series", " "),
            "What the most important dimensions hold", f"{name}: band for the middle 80 % of texts",
        )  # fmt: skip
    for figure, against in (("figure4", "references"), ("figure5", "source")):
        if figure in tables:
            title = f"Weighting schemes, summaries against {REFERENCES[against]}"
            scheme = Field("scheme", "weights", "local-global")
            pictures[figure] = bar_chart(
                tables[figure], scheme, R, Field("measure", " "), title, note
            )
    if "figure6" in tables:
        pictures["figure6"] = line_chart(
            tables["figure6"], Field("n", "number of keywords"), R,
            Field("reference", "compared with"), "Keywords by their number", note,
        )  # fmt: skip
    return pictures


def findings(tables: Mapping[str, Sequence[Row]]) -> Iterator[str]:
    """What the tables say, in a few lines."""
    for row in tables.get("figure3", ()):
        if row["series"] == "measured" and row["length"] in (10, 30):
            yield (
                f"figure3: the top {row['length']} % of the dimensions hold "
                f"{row['significance']:.0f} % of the information"
            )
    for figure, names in (("figure4", "measure"), ("figure5", "measure"), ("figure6", "reference")):
        for name in dict.fromkeys(row[names] for row in tables.get(figure, ())):
            rows = [r for r in tables[figure] if r[names] == name and r["pearson"] == r["pearson"]]
            if rows:
                # Of equal ones the first.
                best = max(rows, key=lambda row: float(row["pearson"]))
                what = f"{best['n']} keywords" if figure == "figure6" else str(best["scheme"])
                low, high = best["low"], best["high"]
                yield (
                    f"{figure}: {name}: best {what}, r = {best['pearson']:.3f} "
                    f"({low:.3f} to {high:.3f})"
                )


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    words, _, rest = (__doc__ or "").partition("\n")
    parser = argparse.ArgumentParser(
        description=f"{words}\n{rest}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="Example:\n    python experiments/lsa_weightings.py summetry-demo/corpus "
        "--dimension responsiveness --out figures",
    )
    parser.add_argument("corpus", metavar="CORPUS", type=Path, help="a corpus with judgments")
    parser.add_argument("--dimension", metavar="NAME", help="which marks, where there are several")
    parser.add_argument("--out", metavar="FOLDER", type=Path, default=Path("lsa-weightings"),
                        help="where to write; lsa-weightings unless named")  # fmt: skip
    parser.add_argument("--language", metavar="CODE", default="",
                        help="the language where the data do not say it")  # fmt: skip
    parser.add_argument("--keyword-text", metavar="TEXT", default="",
                        help="how keywords are read, e.g. 'auto(stop=true,stem=true)' "
                        "where there are no lemmas")  # fmt: skip
    parser.add_argument("--resamples", metavar="N", type=positive, default=1000,
                        help="draws of topics for the intervals; 1000 unless given")  # fmt: skip
    parser.add_argument("--seed", metavar="N", type=natural, default=0, help="of the draws; 0")
    return parser.parse_args(arguments)


def run(options: argparse.Namespace) -> Iterable[str]:
    """Everything; yields the lines to print."""
    check_folder(options.out)
    corpus = summetry.load(options.corpus, language=options.language)
    dimension = choose_dimension(corpus, options.dimension)
    tables, notes = measure(corpus, dimension, options)
    name = corpus.name or options.corpus.name
    pictures = charts(tables, name, dimension)
    written = write(tables, pictures, options.out, "LSA measures and weighting schemes")
    if notes:
        (options.out / "notes.txt").write_text("\n".join(notes) + "\n", encoding="utf-8")
        written.append("notes.txt")
    yield from findings(tables)
    yield f"written to {options.out}: {', '.join(written)}"


def main(arguments: Sequence[str] | None = None) -> int:
    return print_all(run, parse(arguments))


if __name__ == "__main__":
    sys.exit(main())
