"""Published numbers beside ours, computed now; makes docs/reproduced.md.

Each function below is one published table or result: what was printed, typed from the publication,
what Summetry gives, the command that gives it, and why the two differ where they do. Those that
need a public corpus read it below ``--data``: the folders ``summeval``, ``realsumm``, ``bc3``.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import textwrap
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
from script_parts import Row, print_all, write_table

import summetry
from summetry.arrays.types import Floats
from summetry.arrays.walks import pagerank
from summetry.errors import SummetryError
from summetry.formats.folder import Folder
from summetry.metrics.lsa.dimensions import reduction_r, relative_significance
from summetry.metrics.networks.accuracy import nrst_accy
from summetry.metrics.networks.sum_accy import sum_accy
from summetry.metrics.pyramid.pyramid_metrics import scu_recall
from summetry.metrics.relative_utility import relative_utility
from summetry.records.corpus import Corpus
from summetry.records.summaries import Extract
from summetry.records.text_scores import TextScores
from summetry.records.topics import Document, Topic
from summetry.references.agreement import agreement
from summetry.stats.agreement import (
    cohen_kappa,
    count_ratings,
    fleiss_kappa,
    krippendorff_alpha,
    mean_defined,
)
from summetry.stats.dependent import williams
from summetry.stats.levels import Level, correlate
from summetry.stats.precision import expected_ap_random
from summetry.stats.weighted import Coefficient
from summetry.tasks.ranking import Selected

Rows = dict[str, list[str]]
Values = dict[str, list[float]]

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "reproduced.md"
# What was printed, typed from the publications: lines of ``name: numbers``.
PUBLISHED = tomllib.loads((ROOT / "experiments/published.toml").read_text(encoding="utf-8"))
DIMENSIONS = ("coherence", "consistency", "fluency", "relevance")
COEFFICIENTS: tuple[Coefficient, ...] = ("pearson", "spearman", "tau_b")
SCRIPT = "text=rouge155(stem=true)"
FEW_ROUGE = "-m rouge155-1 -m rouge155-2 -m rouge155-l -m rouge155-su4"
ALL_ROUGE = (
    "-m rouge155-1 -m rouge155-2 -m rouge155-3 -m rouge155-4 -m rouge155-l "
    '-m "rouge_su(gap=-1,text=rouge155)" -m "rouge_w(text=rouge155)"'
)


@dataclass(frozen=True)
class Result:
    """A published table, and the same numbers computed now."""

    publication: str
    what: str
    columns: tuple[str, ...]
    published: Rows
    ours: Values
    command: str
    # What explains the difference; facts that hold either way.
    why: str = ""
    # Only numbers of the same print are averaged or divided, so that nothing of ours is tested.
    is_check_of_print: bool = False

    @property
    def cells(self) -> list[tuple[str, str]]:
        """What was printed, and ours with as many digits."""
        pairs = ((p, self.ours[row]) for row, p in self.published.items())
        return [(a, like(a, b)) for p, o in pairs for a, b in zip(p, o, strict=True)]

    @property
    def verdict(self) -> str:
        equal = sum(a == b for a, b in self.cells)
        if equal == len(self.cells):
            words = "Equal to the printed digits."
        else:
            apart = max(abs(number(a) - number(b)) for a, b in self.cells)
            counted = f"{equal} of {len(self.cells)} numbers are equal"
            words = f"{counted}, largest difference {apart:.4g}."
        return f"A check of the print. {words}" if self.is_check_of_print else words

    @property
    def line(self) -> str:
        """The result as a row of the overview."""
        return f"| {self.publication} | {self.what} | {self.verdict.rstrip('.')} |"

    @property
    def section(self) -> str:
        """The result as a part of the page."""
        cells = iter(self.cells)
        lines = [f"### {self.publication}: {self.what}", ""]
        lines += [f"| | {' | '.join(self.columns)} |", "|---" * (len(self.columns) + 1) + "|"]
        for row, printed in self.published.items():
            pairs = [next(cells) for _ in printed]
            shown = (a if a == b else f"{a} ({b})" for a, b in pairs)
            lines.append(f"| {row} | {' | '.join(shown)} |")
        said = textwrap.fill(f"**{self.verdict}** {self.why}", 100, break_on_hyphens=False)
        return "\n".join([*lines, "", said, "", "```text", self.command, "```", ""])


def like(printed: str, value: float) -> str:
    """The value with as many decimals as were printed, and the same sign of per cent.

    >>> like("0.2500", 0.35), like("34%", 33.6), like("40", 40.2)
    ('0.3500', '34%', '40')
    """
    decimals = len(printed.rstrip("%").partition(".")[2])
    # A hair above, since a mean of printed numbers may end in a 5; no -0.00.
    text = f"{value + 1e-9:.{decimals}f}{'%' * printed.endswith('%')}"
    return text.removeprefix("-") if number(text) == 0 else text


def number(text: str) -> float:
    return float(text.rstrip("%"))


def printed(name: str) -> Rows:
    """A table of ``published.toml``."""
    rows = (line.split(": ") for line in PUBLISHED[name].splitlines())
    return {row: numbers.split() for row, numbers in rows}


# --- Worked examples: no data needed ----------------------------------------------------------


def lin_sentences() -> Result:
    texts = ("police kill the gunman", "the gunman kill police", "the gunman police killed")
    metrics = {"ROUGE-L": "rouge-l", "ROUGE-S": "rouge_s(gap=-1)"}
    reference = ["police killed the gunman"]
    scores = summetry.score(texts, [reference] * 3, metrics=["rouge-2", *metrics.values()])
    pairs = ", ".join(f"{value:.2f}" for value in scores["rouge-2"]["f"])
    return Result(
        "Lin (2004)",
        "sections 3.1 and 5, three candidates for *police killed the gunman*",
        texts,
        {"ROUGE-L": ["0.75", "0.50", "0.50"], "ROUGE-S": ["0.500", "0.167", "0.333"]},
        {name: scores[metric]["f"].tolist() for name, metric in metrics.items()},
        "summetry score --candidate c.txt --reference r.txt -m rouge-2 -m rouge-l "
        '-m "rouge_s(gap=-1)"',
        "The paper prints no ROUGE-2 and says that the first two candidates have the same: ours is "
        f"{pairs}.",
    )


def lin_union() -> Result:
    metric = "rouge_l(text=rouge155)"
    scores = summetry.score(
        ["w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5"], [["w1 w2 w3 w4 w5"]], metrics=[metric]
    )
    return Result(
        "Lin (2004)",
        "section 3.2, ROUGE-L of a summary of two sentences: the union of two LCS",
        ("recall",),
        {"w1 w2 w6 w7 w8 / w1 w3 w8 w9 w5": ["0.8"]},
        {"w1 w2 w6 w7 w8 / w1 w3 w8 w9 w5": scores[metric]["recall"].tolist()},
        "summetry score --candidate c.txt --reference r.txt -m rouge155-l --prf",
    )


def lin_weighted() -> Result:
    texts = ("A B C D H I K", "A H B K C I D")
    scores = summetry.score(
        texts, [["A B C D E F G"]] * 2, metrics=["rouge-l", "rouge_w(weight=2)"]
    )
    return Result(
        "Lin (2004)",
        "section 4, two candidates for *A B C D E F G* with the same LCS",
        texts,
        {"ROUGE-L": ["0.571", "0.571"], "ROUGE-W": ["0.571", "0.286"]},
        {
            "ROUGE-L": scores["rouge-l"]["f"].tolist(),
            "ROUGE-W": scores["rouge_w(weight=2)"]["f"].tolist(),
        },
        'summetry score --candidate c.txt --reference r.txt -m rouge-l -m "rouge_w(weight=2)"',
        "Weight f(k) = k².",
    )


# Krippendorff (2011), section E: four observers, twelve units.
OBSERVERS = (
    (1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None),
    (1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3),
    (None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None),
    (1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None),
)
# Fleiss (1971), table 1: thirty patients, six psychiatrists, five diagnoses.
DIAGNOSES = """
00060 03003 01401 00006 03030 20400 00402 20310 20040 00006 10050 11040 03300 10050 02031
00501 30012 51000 02040 10203 00006 01050 02013 20040 10041 05010 40002 02040 10500 00006
"""
# Fourteen raters, ten subjects, five classes: the example of many textbooks.
TEXTBOOK = (
    (0, 0, 0, 0, 14), (0, 2, 6, 4, 2), (0, 0, 3, 5, 6), (0, 3, 9, 2, 0), (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0), (3, 2, 6, 3, 0), (2, 5, 3, 2, 2), (6, 5, 2, 1, 0), (0, 2, 2, 3, 7),
)  # fmt: skip


def textbook() -> Result:
    ratings, values = count_ratings(OBSERVERS)
    diagnoses = [[int(count) for count in patient] for patient in DIAGNOSES.split()]
    # Fifty proposals, two readers: 20 both yes, 15 both no, 5 and 10 only one of them.
    first, second = "y" * 25 + "n" * 25, "y" * 20 + "n" * 5 + "y" * 10 + "n" * 15
    alphas = {
        f"Krippendorff's α, {level}": krippendorff_alpha(ratings, values, level)
        for level in ("nominal", "ordinal", "interval", "ratio")
    }
    ours = alphas | {
        "Fleiss' κ, 30 patients": fleiss_kappa(diagnoses).kappa,
        "Fleiss' κ, 10 subjects": fleiss_kappa(TEXTBOOK).kappa,
        "Cohen's κ, 50 proposals": cohen_kappa(first, second).kappa,
    }
    digits = ("0.743", "0.815", "0.849", "0.797", "0.430", "0.210", "0.40")
    return Result(
        "Textbook examples",
        "Krippendorff (2011), Fleiss (1971), and the usual examples of both kappas",
        ("value",),
        {name: [value] for name, value in zip(ours, digits, strict=True)},
        {name: [value] for name, value in ours.items()},
        "from summetry.stats.agreement import krippendorff_alpha, fleiss_kappa, cohen_kappa",
    )


def williams_example() -> Result:
    name = "r12 = 0.3, r13 = 0.4, r23 = 0.5, 100 points"
    return Result(
        "Silver, Hittner and May (2006)",
        "Williams' test of two correlations that share a variable",
        ("p",),
        {name: ["0.2843"]},
        {name: [williams(0.3, 0.4, 0.5, 100)]},
        "from summetry.stats.dependent import williams; williams(0.3, 0.4, 0.5, 100)",
        "The number of their program is quoted in the tests of the R package cocor.",
    )


def lexrank_table() -> Result:
    cosines = np.array(
        [line.split() for line in PUBLISHED["lexrank_cosines"].splitlines()], np.float64
    )
    # Of the cosines that are printed as 0.20, that of d3s1 and d5s1 is below the threshold.
    cosines[4, 8] = cosines[8, 4] = 0.195
    columns = [pagerank((cosines >= threshold).astype(np.float64)) for threshold in (0.1, 0.2, 0.3)]
    rows = printed("lexrank_scores")
    scores = np.transpose([column / column.max() for column in columns])
    return Result(
        "Erkan and Radev (2004)",
        "table 2, LexRank of eleven sentences by the cosines that figure 2 prints",
        ("0.1", "0.2", "0.3"),
        rows,
        {name: row.tolist() for name, row in zip(rows, scores, strict=True)},
        "from summetry.arrays.walks import pagerank; pagerank(cosines >= 0.1, damping=0.85)",
        "The printed values are those of an iteration that was stopped early: the last digit had "
        "not settled. Cosines are printed with two digits; the column of 0.2 comes out only if the "
        "0.20 between d3s1 and d5s1 was below the threshold and the other two were not.",
    )


def steinberger_examples() -> Result:
    shares = relative_significance([10, 7, 5], total=500).relative
    judged = [[5, 4, 4, 1, 2]]
    return Result(
        "Steinberger and Ježek (2009)",
        "worked examples of sections 3.2.2 and 6",
        ("value",),
        {
            "relative utility of [1 2]": ["1"],
            "relative utility of [1 3]": ["1"],
            "significance of σ = 10, total 500": ["20%"],
            "significance of σ = 7": ["9.8%"],
            "significance of σ = 5": ["5%"],
            "dimensions for a summary of 10 % of 30 sentences": ["3"],
        },
        {
            "relative utility of [1 2]": [relative_utility(judged, [0, 1]).value],
            "relative utility of [1 3]": [relative_utility(judged, [0, 2]).value],
            "significance of σ = 10, total 500": [100 * shares[0]],
            "significance of σ = 7": [100 * shares[1]],
            "significance of σ = 5": [100 * shares[2]],
            "dimensions for a summary of 10 % of 30 sentences": [reduction_r(10, 100, 30).r],
        },
        "from summetry.metrics.relative_utility import relative_utility; "
        "relative_utility([[5, 4, 4, 1, 2]], [0, 2])",
        "Tables 1 and 2 need DUC 2002; see below.",
    )


HASSEL_COLUMNS = (
    "length", "all votes", "at mean length", "best: sentences", "words", "frequency",
    "SweSum: sentences", "words", "frequency",
)  # fmt: skip
# The groups, and what does not come out.
HASSEL = (
    ("Swedish group 1", "The mean of the words of the best extract is 82.6, printed as 82. "),
    ("Swedish group 2", "The mean of the words of the best extract is 91.4, printed as 92. "),
    ("Danish group", ""),
)


def hassel_table(table: int) -> Result:
    *texts, means = printed(f"hassel_{table}").values()
    group, apart = HASSEL[table - 1]
    columns = np.array(texts, np.float64).T.tolist()
    return Result(
        "Hassel and Dalianis (2005)",
        f"table {table}, {group}, the means of its {len(texts)} texts",
        HASSEL_COLUMNS,
        {"all texts": means},
        {"all texts": [mean_defined(column) for column in columns]},
        "summetry agreement CORPUS --table --own-vote",
        f"{apart}The printed rows are averaged, each text weighing the same. The command makes the "
        "table of a corpus, by rows and means; the authors' extracts are not here, and "
        "[References from votes](references.md#tables-1-to-3-of-the-paper) says what came out on "
        "the Swedish ones.",
        is_check_of_print=True,
    )


def cherry_blossoms() -> Result:
    words = ["The", "beautiful", "cherry", "blossoms", "in", "Japan", "bloom", "in", "spring"]
    references = [
        (0, 2, 3, 4, 5),
        (2, 3, 4, 5, 6),
        (1, 2, 6, 7, 8),
        (1, 2, 3, 7, 8),
        (0, 1, 2, 3, 6),
    ]
    candidate = (2, 3, 6, 7, 8)
    return Result(
        "Hori, Hirao and Isozaki (2004)",
        "table 1 and figure 1, *cherry blossoms bloom in spring* in the network of five summaries",
        ("value",),
        {"summarization ratio": ["56%"], "SumACCY: a correct answer": ["100%"]},
        {
            "summarization ratio": [100 * len(candidate) / len(words)],
            "SumACCY: a correct answer": [sum_accy(candidate, references).value],
        },
        "from summetry.metrics.networks.sum_accy import sum_accy",
        f"By the nearest of the five alone it has {nrst_accy(candidate, references).value:.0f} %, "
        "which is why the paper prefers the network.",
    )


# Kennedy and Szpakowicz (2010), table 2: scores and SCUs, total and unique, and sentences.
RANKERS = {
    "SemDist 1911": (2627, 2202, 1067, 907, 530, 396),
    "SemDist 1987": (2497, 2126, 1023, 874, 515, 398),
    "Simple Match": (2651, 2200, 1083, 923, 542, 466),
    "tf.isf": (2501, 2122, 1001, 864, 572, 721),
    "Length": (1336, 1266, 678, 567, 286, 258),
    "Random": (1726, 1594, 762, 676, 438, 854),
    "Ordered": (1993, 1709, 855, 741, 491, 771),
}


def kennedy_percentages() -> Result:
    rankers = {name: Selected((), 0, *counts, 0) for name, counts in RANKERS.items()}
    rows = {name: ["85%"] for name in ("SemDist 1911", "SemDist 1987", "Simple Match", "tf.isf")}
    rows |= {"Length": ["84%"], "Random": ["89%"], "Ordered": ["87%"]}
    positive = {
        "SemDist 1911": "57%",
        "SemDist 1987": "56%",
        "Simple Match": "54%",
        "tf.isf": "44%",
    }
    shares = {n: 100 * r.positive / (r.positive + r.negative) for n, r in rankers.items()}
    return Result(
        "Kennedy and Szpakowicz (2010)",
        "section 3.2, the percentages that the text reads off table 2",
        ("per cent",),
        {f"unique SCUs, {name}": row for name, row in rows.items()}
        | {f"positive sentences, {name}": [share] for name, share in positive.items()},
        {f"unique SCUs, {name}": [100 * rankers[name].unique_share] for name in rows}
        | {f"positive sentences, {name}": [shares[name]] for name in positive},
        "summetry rank CORPUS",
        'The printed counts are divided. The text says "about 85 %" of four rankers together; '
        "tf.isf has 86. The command makes table 2 of a corpus.",
        is_check_of_print=True,
    )  # fmt: skip


def kennedy_random() -> Result:
    return Result(
        "Kennedy and Szpakowicz (2010)",
        "table 1, macro-average precision of a random order",
        ("Random",),
        {"expectation": ["0.445"]},
        {"expectation": [expected_ap_random(69, 28)]},
        "from summetry.stats.precision import expected_ap_random; expected_ap_random(69, 28)",
        "Ours is the expectation for one set of the mean size (19,248 labelled sentences in 277 "
        "sets, 39.7 % positive). The paper has the mean over sets of different sizes and shares; "
        "small sets have higher expectations. Its other columns need the corpus.",
    )


# --- Results on public corpora ----------------------------------------------------------------


class Judged:
    """Summaries of a corpus with scores and judgments, as tables of systems and topics."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.rows = read_lines(folder / "summaries.jsonl")

    def table(self, values: Sequence[float], keep: Callable[[Any], bool] = bool) -> Floats:
        """One row per system, one column per topic."""
        kept = [(row, value) for row, value in zip(self.rows, values, strict=True) if keep(row)]
        systems = sorted({row["system"] for row, _ in kept})
        topics = sorted({row["doc_id"] for row, _ in kept})
        table = np.full((len(systems), len(topics)), np.nan)
        for row, value in kept:
            table[systems.index(row["system"]), topics.index(row["doc_id"])] = value
        return table


class SummEval(Judged):
    """SummEval: 100 articles, 16 systems, 11 references; experts and crowd workers judge."""

    @cached_property
    def references(self) -> dict[str, list[str]]:
        return {row["doc_id"]: row["references"] for row in read_lines(self.folder / "docs.jsonl")}

    @property
    def candidates(self) -> list[str]:
        return [row["summary"] for row in self.rows]

    @cached_property
    def people(self) -> dict[str, Floats]:
        return {d: self.table([row["expert_mean"][d] for row in self.rows]) for d in DIMENSIONS}

    @cached_property
    def single(self) -> TextScores:
        """Against the first reference."""
        return self._score(1, [f"rouge_n(n={n},{SCRIPT})" for n in (1, 2)])

    @cached_property
    def all(self) -> TextScores:
        """Against all eleven references."""
        grams = [f"rouge_n(n={n},{SCRIPT})" for n in (1, 2, 3, 4)]
        return self._score(11, [*grams, f"rouge_su(gap=-1,{SCRIPT})", f"rouge_w({SCRIPT})"])

    def _score(self, count: int, metrics: Sequence[str]) -> TextScores:
        references = [self.references[row["doc_id"]][:count] for row in self.rows]
        metrics = [*metrics, f"rouge_l({SCRIPT})", f"rouge_su({SCRIPT})"]
        return summetry.score(self.candidates, references, metrics=metrics)

    def with_people(self, values: Sequence[float]) -> list[float]:
        """Kendall's tau of the systems, for each dimension."""
        table = self.table(values)
        return [correlate(table, self.people[d], "system", "tau_b").value for d in DIMENSIONS]


def summeval_table_2(data: SummEval) -> Result:
    metrics = {f"ROUGE-{n}": f"rouge_n(n={n},{SCRIPT})" for n in (1, 2, 3, 4)}
    metrics |= {"ROUGE-L": f"rouge_l({SCRIPT})", "ROUGE-su*": f"rouge_su(gap=-1,{SCRIPT})"}
    metrics |= {"ROUGE-w": f"rouge_w({SCRIPT})"}
    ours = {name: data.with_people(data.all[metric]["f"]) for name, metric in metrics.items()}
    return Result(
        "Fabbri et al. (2021), SummEval",
        "table 2, Kendall's tau of the systems, 11 references",
        DIMENSIONS,
        printed("summeval_table_2"),
        ours | {"Length": data.with_people([len(text.split()) for text in data.candidates])},
        correlate_command("summeval", f"{ALL_ROUGE} --stem"),
        "No number can be equal: all but those of fluency, which has ties, are multiples of 1/136, "
        "so 17 systems were compared (table 3 has Pegasus twice), and 16 are in the data that were "
        "released. ROUGE-L and ROUGE-w depend on how texts are cut into sentences, which is not "
        "said; ours take each text as one line, as it is in the data. What another program gives "
        "for the 16 systems is in the tables of SacreROUGE below.",
    )


def summeval_table_3(data: SummEval) -> Result:
    rows = printed("summeval_table_3")
    systems = sorted({row["system"] for row in data.rows})
    means = np.transpose([np.nanmean(data.people[name], axis=1) for name in DIMENSIONS])
    return Result(
        "Fabbri et al. (2021), SummEval",
        "table 3, mean judgments of three experts",
        DIMENSIONS,
        rows,
        {system: row.tolist() for system, row in zip(systems, means, strict=True)},
        "summetry compare summeval-judgments.csv -m coherence,consistency,fluency,relevance",
        "M23 is Pegasus (C4); Pegasus (dynamic mix) and the reference are not in the data. The "
        "mean of M15 for consistency is 4.9367 in the data, which cannot be rounded to 4.95.",
    )


def summeval_agreement(data: SummEval) -> Result:
    def alpha(who: str) -> float:
        """Over all dimensions of all summaries whose judgments are known one by one."""
        rows = [row[who] for row in data.rows if row[who]]
        judged = [[judge[d] for judge in row] for row in rows for d in DIMENSIONS]
        table, values = count_ratings(np.transpose(judged).tolist())
        return krippendorff_alpha(table, values, "interval")

    return Result(
        "Fabbri et al. (2021), SummEval",
        "section 5.1, Krippendorff's α of the judges",
        ("α",),
        {"experts, second round": ["0.7127"], "crowd workers": ["0.4920"]},
        {"experts, second round": [alpha("expert")], "crowd workers": [alpha("turker")]},
        "from summetry.stats.agreement import count_ratings, krippendorff_alpha",
        "Single judgments are public for the 12 abstractive systems only; for the four extractive "
        "ones our copy has the experts' means. Interval scale, four dimensions in one table.",
    )


def sacrerouge_rouge(data: SummEval, several: bool, level: Level) -> Result:
    scores = data.all if several else data.single
    metrics = {"R1": f"rouge_n(n=1,{SCRIPT})", "R2": f"rouge_n(n=2,{SCRIPT})"}
    if not several:
        metrics |= {"RL": f"rouge_l({SCRIPT})", "RSU4": f"rouge_su({SCRIPT})"}
    parts = {"P": "precision", "R": "recall", "F1": "f"}
    ours = {
        f"{name}-{short}": [
            correlate(data.table(scores[metric][part]), data.people["relevance"], level, c).value
            for c in COEFFICIENTS
        ]
        for name, metric in metrics.items()
        for short, part in parts.items()
    }
    references = "11 references" if several else "one reference"
    return Result(
        "SacreROUGE (Deutsch and Roth 2020)",
        f"ROUGE with relevance on SummEval, {references}, {level} level",
        ("Pearson", "Spearman", "Kendall"),
        printed(f"sacrerouge_{11 if several else 1}_{level}"),
        ours,
        correlate_command("summeval" if several else "summeval-1", f"{FEW_ROUGE} --stem", level),
        "What differs does so because four of the 16 systems are in our copy in another "
        "tokenisation and capitalisation.",
    )  # fmt: skip


class RealSumm(Judged):
    """REALSumm: 100 articles, 25 systems; content units and scores as they were published."""

    @cached_property
    def scores(self) -> TextScores:
        candidates = ["\n".join(row["summary_sents"]) for row in self.rows]
        references = [[in_sentences(row["reference_sents"])] for row in self.rows]
        metrics = [f"rouge_n(n={n},{SCRIPT})" for n in (1, 2)]
        metrics += [f"rouge_l({SCRIPT})", "autosummeng"]
        return summetry.score(candidates, references, metrics=metrics)

    @property
    def published(self) -> list[Any]:
        """Rows with published scores: abs:bart has none, its place holds those of ext:bart."""
        return [row for row in self.rows if row["published_metrics"]]


def in_sentences(sentences: Sequence[str]) -> str:
    """One sentence per line, also where a reference is given as one line."""
    if len(sentences) > 1:
        return "\n".join(sentences)
    return re.sub(r" ([.!?]) (?=\S)", r" \1\n", "\n".join(sentences))


def realsumm_rouge(data: RealSumm) -> Result:
    metrics = {
        "ROUGE-1": ("rouge_1", f"rouge_n(n=1,{SCRIPT})"),
        "ROUGE-2": ("rouge_2", f"rouge_n(n=2,{SCRIPT})"),
        "ROUGE-L": ("rouge_l", f"rouge_l({SCRIPT})"),
    }
    parts = {"recall": "recall", "precision": "precision", "f": "f_score"}
    has = np.array([bool(row["published_metrics"]) for row in data.rows])
    published: Rows = {}
    ours: Values = {}
    same = []
    for name, (theirs, metric) in metrics.items():
        mine = {part: data.scores[metric][part][has] for part in parts}
        their = {
            part: np.array([row["published_metrics"][f"{theirs}_{key}"] for row in data.published])
            for part, key in parts.items()
        }
        published[name] = [f"{their[part].mean():.4f}" for part in parts]
        ours[name] = [float(mine[part].mean()) for part in parts]
        equal = np.abs(mine["f"] - their["f"]) < 2e-5
        same.append(f"{int(equal.sum()):,} of {equal.size:,} for {name}")
    return Result(
        "Bhandari et al. (2020), REALSumm",
        f"the published scores of the original script, means of {int(has.sum()):,} summaries",
        tuple(parts),
        published,
        ours,
        "summetry score realsumm.jsonl --rouge 1.5.5 --stem --prf",
        f"F is equal to five digits for {', '.join(same)}. The files give the references of the "
        "extractive systems as one line; cut at full stops they are not always the authors' "
        "sentences, on which ROUGE-L depends.",
    )


def realsumm_pyramid(data: RealSumm) -> Result:
    def recall(row: Any) -> float:
        marks = {str(unit): mark for unit, mark in enumerate(majority(row["scu_votes"]))}
        return scu_recall(dict.fromkeys(marks, 1.0), [unit for unit in marks if marks[unit]])

    rows = data.published
    pairs: dict[str, list[tuple[float, float]]] = {"abs": [], "ext": []}
    for row in rows:
        pairs[row["type"]].append((row["litepyramid_recall_published"], recall(row)))
    apart = [row for row in rows if abs(row["litepyramid_recall_published"] - recall(row)) > 1e-4]
    documents = sorted({row["doc_id"] for row in apart})
    return Result(
        "Bhandari et al. (2020), REALSumm",
        "LitePyramid recall from the votes of the workers, means of the systems' summaries",
        ("mean",),
        {kind: [f"{np.mean([a for a, _ in both]):.4f}"] for kind, both in pairs.items()},
        {kind: [float(np.mean([b for _, b in both]))] for kind, both in pairs.items()},
        "summetry score realsumm-units.csv -m scu_recall",
        f"{len(rows) - len(apart):,} of {len(rows):,} summaries are equal; the other {len(apart)} "
        f"belong to documents {', '.join(map(str, documents))}, whose units the authors changed "
        "afterwards.",
    )


def majority(votes: Sequence[Sequence[int]]) -> list[int]:
    """1 for each unit that more than half of the workers found."""
    return [int(2 * sum(unit) > len(unit)) for unit in zip(*votes, strict=True)]


def sacrerouge_graphs(data: RealSumm, level: Level) -> Result:
    values = data.scores["autosummeng"]["vs"]
    people = [row["litepyramid_recall_published"] or 0 for row in data.rows]
    kinds = {"abstractive": "abs", "extractive": "ext", "all": ""}

    def coefficients(kind: str) -> list[float]:
        def keep(row: Any) -> bool:
            return bool(row["published_metrics"]) and row["system"].startswith(kind)

        tables = data.table(values, keep), data.table(people, keep)
        return [correlate(*tables, level, c).value for c in COEFFICIENTS]

    return Result(
        "SacreROUGE (Deutsch and Roth 2020)",
        f"AutoSummENG with LitePyramid recall on REALSumm, {level} level, 24 systems",
        ("Pearson", "Spearman", "Kendall"),
        printed(f"sacrerouge_graphs_{level}"),
        {name: coefficients(kind) for name, kind in kinds.items()},
        correlate_command("realsumm", "-m autosummeng", level),
        "SacreROUGE reads the references from files of each system's authors, which our copy does "
        "not have: there they are cut into sentences, here those of extractive systems are one "
        "line. Graphs of characters see that. At system level one system of the eleven decides: "
        "REFRESH has the lowest AutoSummENG and the highest recall of the extractive ones.",
    )


def bc3_agreement(folder: Path) -> Result:
    corpus = bc3_corpus(folder)
    threads = read_lines(folder / "threads.jsonl")
    pooled = agreement(corpus, draws=0).pooled.kappa
    return Result(
        "Ulrich, Murray and Carenini (2008), BC3",
        "size of the corpus, and κ of three annotators who chose sentences",
        ("value",),
        {"threads": ["40"], "sentences": ["3222"], "annotators": ["3"], "κ": ["0.50"]},
        {
            "threads": [len(corpus.topics)],
            "sentences": [sum(len(topic.units) for topic in corpus.topics)],
            "annotators": [len(corpus.extracts) / len(corpus.topics)],
            "κ": [pooled],
        },
        "summetry agreement bc3",
        f"The threads have {sum(len(thread['emails']) for thread in threads)} e-mails.",
    )


def bc3_corpus(folder: Path) -> Corpus:
    topics, extracts = [], []
    for thread in read_lines(folder / "threads.jsonl"):
        name, ids = str(thread["thread_id"]), [s["id"] for s in thread["sentences"]]
        units = tuple(sentence["text"] for sentence in thread["sentences"])
        topics.append(Topic(name, documents=(Document(name, units=units),)))
        for place, annotation in enumerate(thread["annotations"]):
            chosen = tuple(sorted(map(ids.index, annotation["extract"])))
            extracts.append(Extract(name, f"a{place}", chosen))
    return Corpus(name="bc3", language="en", topics=tuple(topics), extracts=tuple(extracts))


def read_lines(path: Path) -> list[Any]:
    with path.open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def correlate_command(corpus: str, metrics: str, level: str = "system") -> str:
    return (
        f"summetry score {corpus}.jsonl {metrics} -o scores.csv\n"
        f"summetry correlate scores.csv --judgments {corpus.removesuffix('-1')}-judgments.csv "
        f"--level {level} --all-values"
    )


# --- The page ---------------------------------------------------------------------------------

EXAMPLES: dict[str, Callable[[], Result]] = {
    "lin_sentences": lin_sentences,
    "lin_union": lin_union,
    "lin_weighted": lin_weighted,
    "textbook": textbook,
    "williams": williams_example,
    "lexrank": lexrank_table,
    "steinberger": steinberger_examples,
    **{f"hassel_{n}": partial(hassel_table, n) for n in (1, 2, 3)},
    "cherry_blossoms": cherry_blossoms,
    "kennedy_percentages": kennedy_percentages,
    "kennedy_random": kennedy_random,
}
# The corpora in their order, how each is read, and the results that need it.
CORPORA: dict[str, tuple[Callable[[Path], Any], Mapping[str, Callable[[Any], Result]]]] = {
    "summeval": (
        SummEval,
        {
            "table_2": summeval_table_2,
            "table_3": summeval_table_3,
            "agreement": summeval_agreement,
            "one_summary": lambda data: sacrerouge_rouge(data, False, "summary"),
            "one_system": lambda data: sacrerouge_rouge(data, False, "system"),
            "all_summary": lambda data: sacrerouge_rouge(data, True, "summary"),
            "all_system": lambda data: sacrerouge_rouge(data, True, "system"),
        },
    ),
    "realsumm": (
        RealSumm,
        {
            "rouge": realsumm_rouge,
            "pyramid": realsumm_pyramid,
            "graphs_summary": lambda data: sacrerouge_graphs(data, "summary"),
            "graphs_system": lambda data: sacrerouge_graphs(data, "system"),
        },
    ),
    "bc3": (Path, {"agreement": bc3_agreement}),
}

OPENING = """# Reproduced numbers

Numbers that others published, beside ours, computed now. A number that stands alone was printed and
comes out with all its digits; where ours differs it follows in brackets, and the text says why.

`python experiments/reproduce.py --data FOLDER` makes this page. FOLDER holds SummEval, REALSumm and
BC3; `--tables OUT` writes the files that the commands below read. The worked examples need no data.

Not everything could be compared with the print itself: the scores of LexRank's table 2, Fleiss'
table of thirty patients and some numbers of Lin (2004) were typed without the paper at hand and
checked only against public code and each other; BC3's κ is quoted at second hand.
"""

CLOSING = f"""## What cannot be reproduced
The data of these tables are not public, or not here:

| publication | tables | what is missing |
|---|---|---|
{PUBLISHED["not_public"]}"""


def results_of(name: str, folder: Path) -> Iterator[Result]:
    read, results = CORPORA[name]
    data = read(folder)
    for result in results.values():
        yield result(data)


def page(results: Sequence[Result], examples: int) -> str:
    counted = [result for result in results if not result.is_check_of_print]
    equal = sum(result.verdict.startswith("Equal") for result in counted)
    publications = {result.publication.partition(" (")[0] for result in counted}
    counts = (
        f"{len(counted)} published tables and results from {len(publications)} publications: "
        f"{equal} are equal to the printed digits, {len(counted) - equal} differ in part and are "
        f"explained. {len(results) - len(counted)} more are only checks of the print: numbers of "
        "a table that follow from others of the same table."
    )
    parts = [OPENING, textwrap.fill(counts, 100), "", "| publication | result | verdict |"]
    parts += ["|---|---|---|", *(result.line for result in results), "", "## Worked examples", ""]
    parts += [result.section for result in results[:examples]]
    parts += ["## On public corpora", "", *(result.section for result in results[examples:])]
    return "\n".join([*parts, CLOSING])


def write_tables(data: Path, out: Path) -> list[str]:
    """The corpora as files that the commands of the page read."""
    out.mkdir(parents=True, exist_ok=True)
    summeval, realsumm = SummEval(data / "summeval"), RealSumm(data / "realsumm")
    for name, count in (("summeval", 11), ("summeval-1", 1)):
        write_texts(
            out / f"{name}.jsonl",
            (
                (row, row["summary"], summeval.references[row["doc_id"]][:count])
                for row in summeval.rows
            ),
        )
    write_texts(
        out / "realsumm.jsonl",
        (
            (row, "\n".join(row["summary_sents"]), [in_sentences(row["reference_sents"])])
            for row in realsumm.published
        ),
    )
    experts = [judged(row, row["expert_mean"]) for row in summeval.rows]
    write_table(experts, out / "summeval-judgments.csv")
    pyramids = [
        judged(row, {"litepyramid": row["litepyramid_recall_published"]})
        for row in realsumm.published
    ]
    write_table(pyramids, out / "realsumm-judgments.csv")
    units = [
        judged(row, {"unit": unit, "mark": mark})
        for row in realsumm.published
        for unit, mark in enumerate(majority(row["scu_votes"]))
    ]
    write_table(units, out / "realsumm-units.csv")
    Folder().write(bc3_corpus(data / "bc3"), out / "bc3")
    return sorted(path.name for path in out.iterdir())


def judged(row: Any, values: Mapping[str, float]) -> Row:
    return {"id": str(row["doc_id"]), "system": row["system"], **values}


def write_texts(path: Path, rows: Iterable[tuple[Any, str, list[str]]]) -> None:
    with path.open("w", encoding="utf-8") as file:
        for row, candidate, references in rows:
            record = judged(row, {}) | {"candidate": candidate, "references": references}
            file.write(json.dumps(record) + "\n")


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="Example:\n    python experiments/reproduce.py --data data",
    )
    parser.add_argument("--data", metavar="FOLDER", type=Path, required=True,
                        help="the folder with summeval, realsumm and bc3")  # fmt: skip
    parser.add_argument("--out", metavar="FILE", type=Path, default=PAGE,
                        help="the page; docs/reproduced.md by default")  # fmt: skip
    parser.add_argument("--tables", metavar="FOLDER", type=Path,
                        help="write the files that the commands read, and no page")  # fmt: skip
    return parser.parse_args(arguments)


def run(options: argparse.Namespace) -> Iterable[str]:
    for name in CORPORA:
        if not (options.data / name).is_dir():
            raise SummetryError(f"{options.data}: expected a folder {name}, found none")
    if options.tables:
        written = write_tables(options.data, options.tables)
        yield f"written to {options.tables}: {', '.join(written)}"
        return
    results = [example() for example in EXAMPLES.values()]
    for name in CORPORA:
        results += results_of(name, options.data / name)
    for result in results:
        yield f"{result.publication}: {result.what}: {result.verdict}"
    options.out.write_text(page(results, len(EXAMPLES)), encoding="utf-8")
    yield f"wrote {options.out}"


def main(arguments: Sequence[str] | None = None) -> int:
    return print_all(run, parse(arguments))


if __name__ == "__main__":
    sys.exit(main())
