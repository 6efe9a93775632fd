"""What every metric offers.

A metric works in two steps, so that resampling never repeats the slow one: ``count`` turns a
batch into one row of numbers per comparison, ``score`` turns rows, or sums of rows, into named
values. It never loops over files, never prints, never draws random numbers.
"""

from __future__ import annotations

import dataclasses
import enum
import re
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping
from typing import Any, ClassVar, Literal, Protocol, TypeAlias

import numpy as np

from summetry import spec
from summetry.arrays.types import Floats, Ints
from summetry.errors import SummetryError
from summetry.metrics.explanations import Explanation, Part, Votes
from summetry.records.batches import Batch, Comparison, Side
from summetry.records.pyramids import said_by
from summetry.registry import Registry
from summetry.spec import Spec

Counts: TypeAlias = Floats
Scores: TypeAlias = dict[str, Floats]
Over: TypeAlias = Literal["mean", "best"]
# For each value, which numbers are better.
Better: TypeAlias = Mapping[str, Literal["higher", "lower", "neither"]]

# The taxonomy of Steinberger and Jezek (2009), figure 1, in its order; what the figure does
# not have stands under its own heading.
FAMILIES = {
    "quality": "Text quality",
    "co-selection": "Content evaluation: co-selection",
    "content": "Content evaluation: content-based",
    "graphs": "N-gram graphs (Giannakopoulos and Karkaletsis)",
    "networks": "Accuracy on sequences and networks of extracts (Hori, Hirao and Isozaki)",
    "length": "Length and information (Hassel and Dalianis)",
    "indicators": "Indicators of text quality, which are not quality itself",
    "combinations": "Combinations of other metrics",
    "functions": "Functions of your own",
}


# Options of the words of a text that everybody wants: a metric takes them for its pipeline.
_OF_WORDS = ("stem", "stop", "lemma")

# The number at the end of a fact that there is for each reference, rank or level.
_numbered = re.compile(r"_\d+$")

# Names that people look for here and that other packages have.
_ELSEWHERE = re.compile(
    "(sacre)?bleu.*|bert.?score|meteor|chrf.*|ter|bleurt|mover.?score|bart.?score|unieval|comet|sts"
    "|summac.*|fact.?cc|align.?score|mini.?check|quest.?eval|qa.?eval|feqa|qags|g.?eval",
    re.IGNORECASE,
)
_ROUGE_N = re.compile(r"rouge(155)?-?(\d\d+)", re.IGNORECASE)


class Needs(enum.Flag):
    """What a comparison must hold for a metric to have a value."""

    NOTHING = 0
    UNITS = enum.auto()
    REFERENCES = enum.auto()
    REFERENCE_UNITS = enum.auto()
    EXTRACTS = enum.auto()
    SOURCE = enum.auto()
    UTILITIES = enum.auto()
    PYRAMID = enum.auto()
    CONTENT_UNITS = enum.auto()


# What is needed, in words, and what would give it.
NEEDED = {
    Needs.UNITS: ("the units of the candidate", '"units" of candidates in summaries.jsonl'),
    Needs.REFERENCES: (
        "references",
        "references in summaries.jsonl, or the column 'reference' of a table",
    ),
    Needs.REFERENCE_UNITS: ("references with units", '"units" of references in summaries.jsonl'),
    Needs.EXTRACTS: ("informants' extracts", "extracts.jsonl"),
    Needs.SOURCE: (
        "the source",
        "documents in topics.jsonl, or the column 'source' of a table",
    ),
    Needs.UTILITIES: ("utilities of the units", "utilities.jsonl"),
    Needs.PYRAMID: ("a pyramid with the candidate's SCUs", "pyramids.jsonl"),
    Needs.CONTENT_UNITS: (
        "content units",
        "pyramids.jsonl, or a table of units: `summetry pyramid build CORPUS --units TABLE`",
    ),
}


class Metric(ABC):
    """Everything that Summetry asks of a metric; the answers given here suit most.

    A metric is a frozen dataclass that derives from this class: its fields are its options, and
    its spelling comes from them. It must have ``name``, ``family``, ``values``, ``bounds``,
    ``needs``, ``count`` and ``score``.

    Two options are known by their names: ``text``, the pipeline that makes tokens of texts, and
    ``references``, how several references make one value. Both are part of the signature.
    """

    # In its spelling; each metric has its own.
    name: ClassVar[str]
    # Other names that people type, and the spelling that each stands for.
    aliases: ClassVar[Mapping[str, str]] = {}
    # A key of FAMILIES, or a heading of its own.
    family: ClassVar[str]
    values: ClassVar[tuple[str, ...]]
    # The one value to show where there is room for one: the first, unless it is given.
    headline: ClassVar[str]
    # For each value, which numbers are better: higher ones, unless it is given.
    better: ClassVar[Better]
    # A metric that is computed only where a user names it, not with all the others.
    only_if_asked: ClassVar[bool] = False

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        values = cls.__dict__.get("values", ())
        if values and "headline" not in cls.__dict__:
            cls.headline = values[0]
        if values and "better" not in cls.__dict__:
            cls.better = dict.fromkeys(values, "higher")

    @classmethod
    def short_options(cls) -> tuple[str, ...]:
        """Options that are those of the pipeline ``text``, where the metric has none of its own."""
        fields = [field.name for field in dataclasses.fields(cls)]  # type: ignore[arg-type]
        return tuple(key for key in _OF_WORDS if key not in fields) if "text" in fields else ()

    @classmethod
    def expand_options(cls, options: Mapping[str, Any]) -> dict[str, Any]:
        """Options as they are typed: ``stem=true`` stands for a pipeline ``text`` that stems."""
        words = {key: options[key] for key in cls.short_options() if key in options}
        if not words:
            return dict(options)
        fields = {field.name: field for field in dataclasses.fields(cls)}  # type: ignore[arg-type]
        default: Any = fields["text"].default_factory
        text: Any = options.get("text") or default()
        if isinstance(text, str):
            text = spec.parse(text)
        if not isinstance(text, Spec):
            text = Spec(text.name, spec.changed_options(text))
        rest = {key: value for key, value in options.items() if key not in words}
        return {**rest, "text": Spec(text.name, {**text.options, **words})}

    @property
    @abstractmethod
    def bounds(self) -> tuple[float, float]:
        """Lowest and highest value, over all values of the metric."""

    @property
    @abstractmethod
    def needs(self) -> Needs:
        """What a comparison must hold for the metric to have a value."""

    @abstractmethod
    def count(self, batch: Batch) -> Counts:
        """Many comparisons to one row of numbers each."""

    @abstractmethod
    def score(self, counts: Counts) -> Scores:
        """Rows, or sums of rows, to named values."""

    def explain(self, comparison: Comparison) -> Explanation:
        """What matched and what did not, so that the values can be recomputed from it."""
        return explained(self, comparison, ())

    def votes(self, comparison: Comparison) -> Votes | None:
        """Who would have which unit of the source, for an explanation; most metrics do not ask."""
        return None

    @property
    def legend(self) -> str:
        """What the values say, in one line below a table: by default the class's first line."""
        line = (type(self).__doc__ or "").strip().partition("\n")[0]
        is_made = line.startswith(f"{type(self).__name__}(")  # By dataclass, of the fields.
        return "" if is_made else re.sub(r"\s*\([^()]*\)(?=\.?$)", "", line).rstrip(".")

    @property
    def terms(self) -> Mapping[str, str]:
        """What the facts of an explanation mean, by name; ``level`` speaks for ``level_1``, too."""
        return {}

    @property
    def of_one_reference(self) -> Mapping[str, Hashable]:
        """For values that another metric has too where there is one reference: what that is.

        Values of several metrics that name the same thing are shown once.
        """
        return {}

    def notes(self, batch: Batch) -> dict[str, int]:
        """What a reader of the values should know, and of how many comparisons it is true."""
        return {}

    @property
    def pipeline(self) -> Describable | None:
        """How texts become tokens, for the signature: by default the option ``text``."""
        return getattr(self, "text", None)

    @property
    def annotator(self) -> str:
        """The annotator whose marks alone count, if an option names one."""
        return ""

    @property
    def files(self) -> tuple[str, ...]:
        """The files and folders that its options name."""
        return ()

    @property
    def needs_language(self) -> bool:
        """Whether texts must say which language they are in: by default, what ``text`` needs."""
        return bool(getattr(self.pipeline, "needs_language", False))

    @property
    def reference_policy(self) -> str:
        """How several references make one value: by default the option ``references``."""
        return str(getattr(self, "references", ""))

    @property
    def reads_sentences(self) -> bool:
        """Whether it asks the batch for tokens by sentence, so that texts are cut once."""
        return False

    @property
    def reads_majority(self) -> bool:
        """Whether ``material.majority`` is made: the units on which most informants agree."""
        return False

    @property
    def leaves_out_contributors(self) -> bool:
        """Whether the authors of references left out of a comparison matter to it."""
        return False

    @property
    def multiplies_matrices(self) -> bool:
        """Whether it uses linear algebra, which must be kept to one thread."""
        return True


class MeanMetric(Metric):
    """A metric whose counts are two columns per value: a sum, and of how many numbers it is."""

    def score(self, counts: Counts) -> Scores:
        return means(counts, self.values)


class Describable(Protocol):
    """A text pipeline, or several."""

    def describe(self) -> str: ...


METRICS: Registry[Metric] = Registry("metric", "summetry.metrics", Metric)


def _elsewhere(name: str) -> str:
    if long := _ROUGE_N.fullmatch(name):
        return f"no metric is named {name!r}; beyond 9, n is an option: rouge_n(n={long[2]})"
    if not _ELSEWHERE.fullmatch(name):
        return ""
    alike = ""
    if name.lower().startswith("bert"):
        alike = "; greedy_match matches tokens as BERTScore does, with an encoder of yours"
    return (
        f"Summetry does not have {name}; the package that has it becomes a metric as a plain "
        f"function: summetry.score(candidates, references, metrics=[function]), see "
        f"docs/add-a-metric.md{alike}"
    )


METRICS.elsewhere = _elsewhere
# What other programs call the values.
_OTHER_VALUES = {"fmeasure": "f", "f1": "f", "fscore": "f", "p": "precision", "r": "recall"}


def build_metric(text: str | Spec) -> tuple[Metric, str]:
    """The metric that a spelling names, and the value that it picks ("" for all)."""
    asked = spec.parse(text) if isinstance(text, str) else text
    metric = METRICS.build(asked)
    pick = value_named(metric, asked.pick)
    if pick and pick not in metric.values:
        known = ", ".join(metric.values)
        raise SummetryError(f"{asked.name} has no value {asked.pick!r}; its values: {known}")
    return metric, pick


def value_named(metric: Metric, name: str) -> str:
    """The value of a metric that a name stands for, which may be that of another program."""
    meant = _OTHER_VALUES.get(name.lower(), name)
    return meant if name not in metric.values and meant in metric.values else name


def offers(comparison: Comparison) -> int:
    """All that a comparison can offer a metric, as the bits of :class:`Needs`.

    Asked for every comparison of a run, so on plain numbers: flags take ten times as long.
    """
    material, candidate = comparison.material, comparison.candidate
    pyramids = material.pyramids
    # A bit each, in the order of Needs.
    return (
        (candidate.units is not None)
        | bool(comparison.references) << 1
        | any(side.units is not None for side in comparison.references) << 2
        | bool(material.extracts) << 3
        | (material.source is not None) << 4
        | bool(material.utilities) << 5
        | any(said_by(pyramid, candidate.author) is not None for pyramid in pyramids) << 6
        | bool(pyramids) << 7
    )


def over_references(
    values: Floats, owners: Ints, rows: int, over: Over, better: str = "higher"
) -> Counts:
    """Two columns per comparison: the sum of its references' values and how many are defined.

    ``best`` keeps the largest value only, or the least where lower is better. A reference without
    a value (NaN) is left out. The values are added in order of size, so the order of references
    changes no bit.
    """
    order = np.lexsort((values, owners))
    order = order[~np.isnan(values[order])]
    values, owners = values[order], owners[order]
    if over == "best" and len(owners):
        differs = owners[1:] != owners[:-1]
        kept = np.append(True, differs) if better == "lower" else np.append(differs, True)
        values, owners = values[kept], owners[kept]
    total = np.bincount(owners, weights=values, minlength=rows)
    return np.column_stack([total, np.bincount(owners, minlength=rows)])


def one_value(values: Floats) -> Counts:
    """The same two columns where each comparison has one value, or none (NaN)."""
    defined = ~np.isnan(values)
    # A sum is 0.0 where its only value is -0.0.
    return np.column_stack([np.where(defined, values, 0.0) + 0.0, defined])


def sum_by_owner(values: Floats, owners: Ints, rows: int) -> Floats:
    """The sum of each owner's values, added in order of size: their own order changes no bit."""
    if len(values) == rows and np.array_equal(owners, np.arange(rows)):
        return values  # One each: nothing to add.
    order = np.lexsort((values, owners))
    return np.bincount(owners[order], weights=values[order], minlength=rows).astype(np.float64)


def ratio(above: Any, below: Any) -> Floats:
    """``above / below``, NaN where ``below`` is 0."""
    above, below = np.asarray(above, np.float64), np.asarray(below, np.float64)
    quotient = np.full(np.broadcast_shapes(above.shape, below.shape), np.nan)
    np.divide(above, below, out=quotient, where=below != 0)
    return quotient


def means(counts: Counts, names: tuple[str, ...]) -> Scores:
    """Scores from pairs of columns (sum, how many), one pair per name."""
    return {name: ratio(counts[:, 2 * i], counts[:, 2 * i + 1]) for i, name in enumerate(names)}


def explained(
    metric: Metric, comparison: Comparison, parts: Iterable[Part], over: str = "mean"
) -> Explanation:
    """The explanation of one comparison, with the values that the metric itself gives it."""
    scores = metric.score(metric.count(Batch([comparison])))
    parts, known = tuple(parts), metric.terms
    facts = dict.fromkeys(fact for part in parts for fact in part.facts)
    meanings = {fact: known.get(fact) or known.get(_numbered.sub("", fact)) for fact in facts}
    values = {name: float(scores[name][0]) for name in metric.values}
    return Explanation(
        spec.show(metric),
        comparison.material.topic,
        comparison.candidate.author,
        values,
        parts,
        over,
        {fact: meaning for fact, meaning in meanings.items() if meaning},
        _note_of_empty(metric, comparison.candidate, values),
        metric.votes(comparison),
    )


def _note_of_empty(metric: Metric, candidate: Side, values: Mapping[str, float]) -> str:
    """That the summary is empty, and whether that counts as the worst; nothing where it is not."""
    # What a pyramid says of a summary may be known without its text.
    if candidate.text.strip() or candidate.units or Needs.PYRAMID in metric.needs:
        return ""
    worst = dict(zip(("higher", "lower"), metric.bounds, strict=True))
    if any(value != worst.get(metric.better[name]) for name, value in values.items()):
        return "the summary is empty"
    return "the summary is empty, which counts as the worst value"
