"""May a judge stand in for one of the people? The alternative-annotator test of judgments.

An instance is a summary on a dimension; the marks of the judge are compared with those of all other
judges, who are the annotators (``stats.alt_test``). Each dimension is tested by itself, and several
of them together.

*Null judges* are always tested beside it, on the same instances: where most summaries get the same
mark, a constant passes the test. Each gives marks of the scale, and of people's marks on the
dimension it knows how frequent they are, not who got them:

    constant      the most frequent mark
    length        the longer a summary, the higher its mark, as often as people give it
    lead overlap  the more of the source's beginning, the higher its mark, likewise
    random        drawn from people's marks

*Verdict.* There is one only if the judge beats every null judge: its winning rate is as high or
higher, and its average advantage is significantly higher (one-sided t over topics). As all of them
must be beaten, alpha need not be divided. The winning rate cannot be asked to be higher, since a
null judge may have a rate of 1 already. Where a null judge could not be tested, since there are no
texts, a judge that passes against the others passes *in part*. Only a judge that gives marks of the
scale can be tested: to put the values of a metric on the scale, one would have to look at the
marks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple, TypeAlias, get_args

import numpy as np

from summetry.arguments import as_names, as_path, check_choice, check_share, check_whole
from summetry.arrays.types import Floats, Ints
from summetry.errors import SummetryError, UnknownNameError, counted, must_be_known, warn
from summetry.files import is_text
from summetry.formats import ReadOptions, load
from summetry.formats.frames import as_frame
from summetry.formats.judgments import NoJudgmentsError, read_judgments
from summetry.metaeval.columns import is_ours
from summetry.metaeval.grids import check_dimensions, dimensions_of
from summetry.metaeval.nulls import (
    A_CONSTANT,
    A_LEAD,
    A_LENGTH,
    A_RANDOM,
    BySummary,
    TextNulls,
    as_marks,
    most_frequent,
    random_marks,
    text_nulls,
)
from summetry.records.corpus import Corpus
from summetry.stats.alt_test import (
    INSTANCES,
    AdvantageDifference,
    Alignment,
    AltTest,
    advantage_difference,
    check_annotators,
    check_epsilon,
)
from summetry.stats.alt_test import alt_test as alt_test_of
from summetry.stats.significance import is_significant


class Instance(NamedTuple):
    """A summary on a dimension."""

    dimension: str
    topic: str
    system: str


NULL_JUDGES = (A_CONSTANT, A_LENGTH, A_LEAD, A_RANDOM)
# What a judge gave.
Marks: TypeAlias = Mapping[Instance, float]


@dataclass(frozen=True)
class AltTestSettings:
    """How near marks are, what a person's mark may be ahead, and how random marks are drawn."""

    alignment: Alignment = "rmse"
    epsilon: float = 0.2
    alpha: float = 0.05
    seed: int = 0

    def __post_init__(self) -> None:
        check_choice("alignment", self.alignment, get_args(Alignment))
        check_epsilon(self.epsilon)
        check_share("alpha", self.alpha)
        check_whole("seed", self.seed, 0)


@dataclass(frozen=True, eq=False)
class NullResult:
    """A null judge beside the judge."""

    name: str
    test: AltTest
    # The judge's average advantage minus this one's.
    behind: AdvantageDifference


@dataclass(frozen=True, eq=False)
class JudgeResult:
    """A judge on one dimension, or on several together."""

    judge: str
    dimensions: tuple[str, ...]
    annotators: tuple[str, ...]
    instances: int
    topics: int
    test: AltTest
    nulls: tuple[NullResult, ...]
    alpha: float
    notes: tuple[str, ...] = ()

    @property
    def not_beaten(self) -> tuple[NullResult, ...]:
        """The null judges than which the judge was not found to be better."""
        return tuple(
            null
            for null in self.nulls
            if null.test.winning_rate > self.test.winning_rate
            or not is_significant(null.behind.p, self.alpha)
        )

    @property
    def not_tested(self) -> tuple[str, ...]:
        """The null judges that have no marks, as they need texts that are not there."""
        there = {null.name for null in self.nulls}
        return tuple(name for name in NULL_JUDGES if name not in there)

    @property
    def verdict(self) -> str:
        """Whether it ``passes`` or ``fails``; ``none`` where a null judge is not beaten.

        It ``passes in part`` where it beats those null judges that could be tested, and not all
        could be.
        """
        if self.not_beaten:
            return "none"
        if not self.test.passes:
            return "fails"
        return "passes in part" if self.not_tested else "passes"


@dataclass(frozen=True)
class AltTests:
    """What :func:`alt_test` finds: each judge on each dimension, and on all together."""

    judges: tuple[JudgeResult, ...]
    settings: AltTestSettings
    notes: tuple[str, ...] = ()


def alt_test(
    corpus: Corpus | Path | str | Any,
    judges: str | Sequence[str] | Corpus | Any,
    *,
    judgments: Corpus | Path | str | Any = None,
    dimensions: str | Sequence[str] = (),
    annotators: str | Sequence[str] = (),
    alignment: Alignment = "rmse",
    epsilon: float = 0.2,
    alpha: float = 0.05,
    seed: int = 0,
) -> AltTests:
    """Whether judges may stand in for the people whose judgments these are.

    ``corpus`` has the judgments, and the texts that null judges of length and lead overlap need;
    or it has the texts and ``judgments`` are given beside it; or it has the judgments alone.
    ``judges`` are names of judges among them, or what holds judgments of their own. All of these
    can be frames or paths. The annotators are all other judges, unless they are named.
    """
    settings = AltTestSettings(alignment, epsilon, alpha, seed)
    how = ReadOptions(has_classes=alignment == "accuracy")
    corpus = _judged(corpus, judgments, how)
    asked = as_names("dimensions", dimensions)
    people = as_names("annotators", annotators)
    listed = judges if isinstance(judges, list | tuple) and as_frame(judges) is None else [judges]
    return alt_test_of_judges(corpus, judges_named(corpus, listed, how), asked, people, settings)


def _judged(corpus: Any, judgments: Any, how: ReadOptions) -> Corpus:
    """The judgments of a corpus, or those beside it with its texts."""
    if judgments is None:
        return _read("judgments", corpus, how)
    if not isinstance(corpus, Corpus):
        place = as_frame(corpus) or as_path("corpus", corpus, "a corpus, a frame or a path")
        corpus = load(place)
    if isinstance(judgments, Corpus):
        judged: Corpus = replace(corpus, judgments=judgments.judgments, scales=judgments.scales)
        return judged
    return _read("judgments", judgments, how, corpus)


def _read(
    name: str, judgments: Any, how: ReadOptions | None, corpus: Corpus | None = None
) -> Corpus:
    if isinstance(judgments, Corpus):
        return judgments
    frame = as_frame(judgments, f"the {name}")
    path = frame or as_path(name, judgments, "a corpus, a frame or a path")
    judged = read_judgments(path, how, corpus)
    for problem in judged.problems:
        warn(problem)
    return judged


def judges_named(
    corpus: Corpus, judges: Sequence[Any], how: ReadOptions | None = None
) -> dict[str, Marks]:
    """The marks of the judges that are meant, by their names.

    A name of a judge of the corpus comes before a file of that name.
    """
    given = marks_by_judge(corpus)
    found: dict[str, Marks] = {}
    for judge in judges:
        if isinstance(judge, str) and judge in given:
            found[judge] = given[judge]
            continue
        if isinstance(judge, str) and (is_text(judge) or not Path(judge).exists()):
            raise _unknown(judge, list(given))
        name = Path(judge).stem if isinstance(judge, str | Path) else "judge"
        try:
            own = marks_by_judge(_read("judge", judge, how, corpus))
        except NoJudgmentsError:
            own = {"": {}}
        for who, marks in own.items():
            label = who or name
            # Two files may call their judge alike, and a file may call it like an annotator.
            label = f"{label} ({name})" if label in found or label in given else label
            found[label] = marks
    return found


def _unknown(judge: str, known: Sequence[str]) -> SummetryError:
    if is_ours(judge):
        return SummetryError(
            f"{judge} is a metric, whose values are not marks of the judges' scale, so it cannot "
            f"stand in for one of them; `summetry correlate` compares metrics with people"
        )
    return UnknownNameError("judge or file of judgments", judge, known)


def marks_by_judge(corpus: Corpus) -> dict[str, dict[Instance, float]]:
    """What each judge of a corpus gave, as the judges came; the mean over references."""
    marks: dict[str, dict[Instance, list[float]]] = {}
    for judgment in corpus.judgments:
        instance = Instance(judgment.dimension, judgment.topic, judgment.author)
        own = marks.setdefault(judgment.judge, {})
        own.setdefault(instance, []).append(corpus.mark(judgment))
    return {judge: {i: fmean(of) for i, of in own.items()} for judge, own in marks.items()}


def alt_test_of_judges(
    corpus: Corpus,
    judges: Mapping[str, Marks],
    dimensions: Sequence[str] = (),
    annotators: Sequence[str] = (),
    settings: AltTestSettings | None = None,
) -> AltTests:
    """Each judge on each dimension that it has marked (or that is named), and on all of them.

    A dimension that nobody named is left out, with a note, where it cannot be tested.
    """
    settings = settings or AltTestSettings()
    check_dimensions(corpus, dimensions)
    people = _annotators(corpus, list(judges), annotators)
    texts = text_nulls(corpus)
    tested: list[JudgeResult] = []
    refused: list[str] = []
    for name, marks in judges.items():
        known = dimensions or [
            d for d in dimensions_of(corpus) if any(one.dimension == d for one in marks)
        ]
        whole: list[JudgeResult] = []
        if not known:
            refused.append(_nothing_shared(name, marks, corpus))
        for dimension in known:
            try:
                whole.append(_tested(name, marks, people, (dimension,), texts, settings))
            except SummetryError as error:
                if dimensions:
                    raise SummetryError(f"{name} on {dimension}: {error}") from error
                refused.append(f"{name} on {dimension}: {error}")
        if len(whole) > 1:
            together = tuple(d for one in whole for d in one.dimensions)
            whole.append(_tested(name, marks, people, together, texts, settings))
        tested += whole
    if not tested:
        raise SummetryError(refused[0])
    notes = [f"left out, {reason}" for reason in refused]
    return AltTests(tuple(tested), settings, (*notes, *_missing_nulls(tested)))


def _annotators(
    corpus: Corpus, judges: Sequence[str], named: Sequence[str]
) -> dict[str, dict[Instance, float]]:
    given = marks_by_judge(corpus)
    for name in named:
        must_be_known("judge", name, given)
        if name in judges:
            raise SummetryError(f"{name!r} cannot be tested and be an annotator at once")
    return {name: given[name] for name in named or given if name not in judges}


def _tested(
    name: str,
    judge: Marks,
    people: Mapping[str, Marks],
    dimensions: tuple[str, ...],
    texts: TextNulls,
    settings: AltTestSettings,
) -> JudgeResult:
    all_of = {key: None for marks in people.values() for key in marks if key in judge}
    counts = {key: sum(key in marks for marks in people.values()) for key in all_of}
    keys = sorted(key for key in all_of if key.dimension in dimensions and counts[key] > 1)
    marked = [who for who, own in people.items() if any(k.dimension in dimensions for k in own)]
    check_annotators(len(marked))
    if not keys:
        raise SummetryError(_no_instance(judge, people, dimensions))
    there = {who: marks for who, marks in people.items() if any(key in marks for key in keys)}
    given = np.array([[marks.get(key, np.nan) for key in keys] for marks in there.values()])
    given = given.reshape(len(there), len(keys))
    own = np.array([judge[key] for key in keys])
    how: dict[str, Any] = {"epsilon": settings.epsilon, "alpha": settings.alpha}
    test = alt_test_of(own, given, settings.alignment, **how)
    topics = _topics(keys)
    nulls = []
    for label, marks in _null_marks(keys, given, texts, settings.seed):
        null = alt_test_of(marks, given, settings.alignment, **how)
        behind = advantage_difference(test.indicators, null.indicators, topics)
        nulls.append(NullResult(label, null, behind))
    sizes = len(keys), len(np.unique(topics))
    notes = tuple(_notes(name, own, given, there, test))
    return JudgeResult(
        name, dimensions, tuple(there), *sizes, test, tuple(nulls), settings.alpha, notes
    )


def _no_instance(judge: Marks, people: Mapping[str, Marks], dimensions: Sequence[str]) -> str:
    theirs = [key for marks in people.values() for key in marks if key.dimension in dimensions]
    ours = [key for key in judge if key.dimension in dimensions]
    named = [
        f"{keys[0].topic!r} by {keys[0].system!r}" if keys else "none" for keys in (ours, theirs)
    ]
    return (
        f"no summary has a mark of the judge and of two annotators: the judge marked {named[0]} "
        f"..., the annotators {named[1]} ...; topics and systems must have the same names"
    )


def _topics(keys: Sequence[Instance]) -> Ints:
    """The number of each instance's topic."""
    numbers = {topic: place for place, topic in enumerate(dict.fromkeys(k.topic for k in keys))}
    return np.array([numbers[key.topic] for key in keys], np.int64)


def _null_marks(
    keys: Sequence[Instance], given: Floats, texts: TextNulls, seed: int
) -> Iterator[tuple[str, Floats]]:
    """The marks of each null judge, dimension by dimension; without texts there are two of them."""
    made = {name: np.full(len(keys), np.nan) for name in NULL_JUDGES}
    sources: dict[str, BySummary] = {A_LENGTH: texts.words, A_LEAD: texts.overlaps}
    # The same summaries have the same random marks, whichever dimensions are tested together.
    for dimension in dict.fromkeys(key.dimension for key in keys):
        mine = [place for place, key in enumerate(keys) if key.dimension == dimension]
        marks = given[:, mine][~np.isnan(given[:, mine])]
        made[A_CONSTANT][mine] = most_frequent(marks)
        made[A_RANDOM][mine] = random_marks(np.sort(marks), len(mine), seed)
        for name, values in sources.items():
            own = [values.get((keys[k].topic, keys[k].system), np.nan) for k in mine]
            made[name][mine] = as_marks(own, marks)
    for name, numbers in made.items():
        # What has no value for some summaries cannot be compared on the same instances.
        if not np.isnan(numbers).any():
            yield name, numbers


def _notes(
    name: str, own: Floats, given: Floats, people: Mapping[str, Marks], test: AltTest
) -> Iterator[str]:
    few = [
        f"{who} ({counted(one.instances, 'instance')})"
        for who, one in zip(people, test.against, strict=True)
        if np.isnan(one.p)
    ]
    if few:
        names = ", ".join(few)
        yield f"annotators with fewer than {INSTANCES} instances, who are not tested: {names}"
    strange = ~np.isin(own, given)
    if strange.any():
        example = float(own[strange][0])
        yield (
            f"{name} gives {int(strange.sum())} of {counted(len(own), 'mark')} that no annotator "
            f"gives, such as {example:g}: is its scale another one?"
        )


def _missing_nulls(tested: Sequence[JudgeResult]) -> list[str]:
    gone = [name for name in NULL_JUDGES if any(name in one.not_tested for one in tested)]
    if not gone:
        return []
    if gone == [A_LEAD]:
        return [f"not tested, as the texts of all sources are needed: {A_LEAD}"]
    return [
        f"not tested, as the texts of all summaries are needed: {', '.join(gone)}; name the corpus "
        f"that has them, and the marks by --judgments"
    ]


def _nothing_shared(name: str, marks: Marks, corpus: Corpus) -> str:
    theirs = ", ".join(dict.fromkeys(key.dimension for key in marks)) or "none"
    ours = ", ".join(dimensions_of(corpus)) or "none"
    return f"{name} has judgments on {theirs}, the annotators on {ours}; names must be the same"
