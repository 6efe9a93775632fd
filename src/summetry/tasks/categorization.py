"""Whether a summary is enough to say what a text is about.

A classifier that has learnt from full texts is given the summaries of each system, the full texts
(the upper bound) and random extracts as long as the summaries (the lower bound). Where people
chose categories, as on the web page, their choices are counted in the same way; their lower bound
is a system of random extracts that they categorized too.

With F as in ``tasks.category_scores``, the share of the gap that a system keeps is

    kept = (F of summaries - F of random extracts) / (F of full texts - F of random extracts)

The classifier (``tasks.classifier``) gives nothing to a text without any word of its training
texts, and one category to all others; several where topics have several. "None of the above", which
people can choose, is a category like any other: it is right where no category of the topic could be
chosen.

What people chose is a judgment on the dimension ``category``; where they could choose several, it
is a judgment of 1 or 0 on a dimension ``category: NAME`` for each.

No topic is ever classified by what was
learnt from it: topics are dealt out to folds, category by category, and those of a fold are
classified by what is learnt from the others; or all of it is learnt from another corpus.

Source: Steinberger and Jezek (2009), section 3.4.1, after SUMMAC (Mani et al. 2002); the
classifier and the share of the gap are ours.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from summetry.arguments import Progress, check_choice, check_string, check_whole, counter
from summetry.arrays.types import Floats, Ints
from summetry.errors import SummetryError, counted, first_names, for_python, must_be_known
from summetry.formats import load
from summetry.metrics.coselection import PrecisionRecallF
from summetry.records.corpus import Corpus, join_units
from summetry.records.topics import Topic
from summetry.stats.contrasts import check_draws
from summetry.stats.ratings import Estimate
from summetry.stats.significance import DRAWS
from summetry.stats.sums import bootstrap_sums, share_kept
from summetry.summarizers.baselines import lots
from summetry.tasks.category_scores import (
    AVERAGES,
    Average,
    CategorizedText,
    Chance,
    Tally,
    averaged,
    by_chance,
)
from summetry.tasks.classifier import Machine, Machines, bags_of_words, dealt
from summetry.tasks.results import TaskResult, as_record, called
from summetry.tasks.words import CorpusWords
from summetry.text.pipeline import TextPipeline

# How people's choices are recorded: judgments on this dimension, or on one for each category, of
# this author for full texts.
DIMENSION = "category"
OF_EACH = f"{DIMENSION}: "
FULL_TEXT = "source"
NONE = "none of the above"

FOLDS = 10
# Random extracts of each summary.
EXTRACTS = 10

_UNKNOWN = Estimate(math.nan, math.nan, math.nan)


class Categorized(NamedTuple):
    """How well the texts of one kind were categorized.

    ``system`` and ``role`` are empty for full texts. ``f`` is by the average that is asked for, and
    ``lower`` and ``upper`` are the same of random extracts and of full texts of the same topics.
    """

    by: Literal["classifier", "people"]
    text: Literal["full text", "summary"]
    system: str
    role: str
    topics: int
    texts: int
    scores: dict[Average, PrecisionRecallF]
    categories: dict[str, PrecisionRecallF]
    f: Estimate
    lower: float = math.nan
    upper: float = math.nan
    kept: Estimate = _UNKNOWN


@dataclass(frozen=True)
class CategorizationSettings:
    """How texts are classified and averaged."""

    text: str = "auto"
    folds: int = FOLDS
    extracts: int = EXTRACTS
    average: Average = "documents"
    # The system of random extracts that is the lower bound of people's choices.
    lower: str = ""
    draws: int = DRAWS
    seed: int = 0

    def __post_init__(self) -> None:
        check_whole("folds", self.folds, 2)
        check_whole("extracts", self.extracts, 1)
        check_whole("seed", self.seed, 0)
        check_choice("average", self.average, AVERAGES)
        check_string("lower", self.lower)
        check_draws(self.draws)
        TextPipeline.from_spec(self.text)


@dataclass(frozen=True, repr=False)
class Categorization(TaskResult):
    """What ``categorize`` gives back: a row for each kind of text."""

    rows: tuple[Categorized, ...]
    settings: CategorizationSettings
    # The categories and how many topics have each; what was learnt from.
    categories: dict[str, int]
    learnt_from: str = ""
    # Full texts by the classifier.
    chance: Chance | None = None
    notes: tuple[str, ...] = ()

    shown: ClassVar[Sequence[str]] = ("system", "by", "topics", "f", "lower", "upper", "kept")

    def records(self) -> list[dict[str, Any]]:
        records = []
        for row in self.rows:
            numbers = as_record(row._replace(system=row.system or FULL_TEXT))
            scores = row.scores[self.settings.average]._asdict()
            # Precision and recall stand before F.
            before = dict(islice(numbers.items(), list(numbers).index("f")))
            records.append({**before, **scores, **numbers, **scores})
        return records


@for_python
def categorize(
    corpus: Corpus | str | Path,
    train: Corpus | str | Path | None = None,
    *,
    text: str = "auto",
    folds: int = FOLDS,
    extracts: int = EXTRACTS,
    average: Average = "documents",
    lower: str = "",
    draws: int = DRAWS,
    seed: int = 0,
    progress: Progress | None = None,
) -> Categorization:
    """How well summaries can be categorized, by a classifier and, where they did, by people.

    ``train`` is a corpus to learn from, instead of the other topics. ``text`` is the pipeline of
    the classifier's words, ``extracts`` how many random extracts are drawn for each summary,
    ``average`` the way in which ``f`` and the share that is kept are averaged. ``lower`` is a
    system of random extracts that people categorized: the lower bound of their choices.
    """
    settings = CategorizationSettings(text, folds, extracts, average, lower, draws, seed)
    read = corpus if isinstance(corpus, Corpus) else load(corpus)
    learnt = load(train) if isinstance(train, str | Path) else train
    labelled = [topic for topic in read.topics if topic.categories and topic.units]
    notes: list[str] = []
    people = list(_people(read, settings, notes))
    try:
        run = _Run(read, learnt, settings, labelled, notes)
        machine, chance = run.rows(progress)
        learnt_from = run.learnt_from
    except SummetryError as error:
        if not people:
            raise
        notes.append(f"no classifier, people's choices alone: {error}")
        machine, chance, learnt_from = [], None, ""
    rows, sizes = (*machine, *people), _sizes(topic.categories for topic in labelled)
    categories = dict(sorted(sizes.items()))
    return Categorization(rows, settings, categories, learnt_from, chance, tuple(notes))


def right_choice(topic: Topic, choices: Collection[str]) -> tuple[str, ...]:
    """The categories of a topic that could be chosen, or none of the above."""
    return _among(choices, topic) or (NONE,)


def _among(names: Collection[str], topic: Topic) -> tuple[str, ...]:
    return tuple(name for name in topic.categories if name in names)


def _people(
    corpus: Corpus, settings: CategorizationSettings, notes: list[str]
) -> Iterator[Categorized]:
    """What people chose: full texts first, then each author whose summaries they read."""
    topics = {topic.id: topic for topic in corpus.topics if topic.categories}
    texts = _chosen_by_people(corpus, topics)
    names = sorted({name for some in texts.values() for t in some for name in (*t.given, *t.right)})
    tallies = {author: Tally.of(some, len(topics), names) for author, some in texts.items()}
    read = {author: {text.topic for text in some} for author, some in texts.items()}
    if settings.lower:
        systems = [author for author in texts if author != FULL_TEXT]
        must_be_known("system that people categorized", settings.lower, systems)
        summarized = set().union(*(read[system] for system in systems))
        if without := len(summarized - read[settings.lower]):
            notes.append(
                f"people categorized no summary by {settings.lower} of {without} of "
                f"{counted(len(summarized), 'topic')}: the lower bound is that of the others"
            )
    roles = {summary.author: summary.role for summary in corpus.summaries}
    for author, own in read.items():
        if own:
            is_full = author == FULL_TEXT
            yield _row(
                "people",
                "" if is_full else author,
                "" if is_full else roles.get(author, ""),
                tallies[author],
                sorted(own),
                names,
                settings,
                lower=None if is_full else tallies.get(settings.lower),
                upper=None if is_full else tallies[FULL_TEXT],
            )


def _chosen_by_people(
    corpus: Corpus, topics: Mapping[str, Topic]
) -> dict[str, list[CategorizedText]]:
    """What people chose of these topics, for full texts and for the summaries of each author."""
    choices = set(corpus.scales.get(DIMENSION, ()))
    chosen: dict[tuple[str, str, str], list[str]] = {}
    for judgment in corpus.judgments:
        name = judgment.dimension.removeprefix(OF_EACH)
        is_one_of_several = name != judgment.dimension
        if judgment.dimension != DIMENSION and not is_one_of_several:
            continue
        given = chosen.setdefault((judgment.topic, judgment.author, judgment.judge), [])
        if not is_one_of_several:
            given.append(str(judgment.value))
            continue
        choices.add(name)
        if judgment.value not in (0, 1):
            raise SummetryError(
                f"a judgment on {judgment.dimension!r} is 1 (chosen) or 0, found "
                f"{judgment.value!r} (topic {judgment.topic!r}, judge {judgment.judge!r})"
            )
        given += [name] * int(judgment.value)
    texts: dict[str, list[CategorizedText]] = {FULL_TEXT: []}
    places = {topic: place for place, topic in enumerate(topics)}
    for (topic, author, _), given in chosen.items():
        if topic in topics:
            right = right_choice(topics[topic], choices)
            text = CategorizedText(places[topic], given or [NONE], right)
            texts.setdefault(author, []).append(text)
    return texts


def _sizes(classes: Iterable[Collection[str]]) -> Counter[str]:
    """How many topics have each category."""
    return Counter(name for own in classes for name in own)


def _row(
    by: Literal["classifier", "people"],
    system: str,
    role: str,
    tally: Tally,
    topics: Sequence[int],
    names: Sequence[str],
    settings: CategorizationSettings,
    lower: Tally | None = None,
    upper: Tally | None = None,
) -> Categorized:
    """One kind of text, on the topics that have it, beside the bounds of the same topics."""
    average, own = settings.average, tally.rows(topics)
    # Without a bound its F is undefined: sums of nothing.
    bounds = [
        (bound or Tally(0 * tally.documents, 0 * tally.categories, 0)).rows(topics)
        for bound in (lower, upper)
    ]
    numbers = [part.numbers(average) for part in (own, *bounds)]

    def values_of(sums: Floats) -> list[Floats]:
        f, low, high = (averaged(part, average)[2] for part in np.split(sums, 3))
        return [f, low, high, share_kept(f, low, high)]

    f, low, high, kept = bootstrap_sums(
        np.concatenate(numbers, axis=1), values_of, settings.draws, settings.seed
    )
    by_category = dict(zip(names, own.categories.sum(axis=0), strict=True))
    return Categorized(
        by,
        "summary" if system else "full text",
        system,
        role,
        len(topics),
        tally.texts,
        {one: own.scores(one) for one in AVERAGES},
        {name: _of_counts(counts) for name, counts in by_category.items()},
        f,
        low.value,
        high.value,
        kept,
    )


def _of_counts(counts: Floats) -> PrecisionRecallF:
    return PrecisionRecallF(*(float(value[0]) for value in averaged(counts[:, None], "micro")))


@dataclass
class _Run:
    """The classifier on all texts of a corpus."""

    corpus: Corpus
    train: Corpus | None
    settings: CategorizationSettings
    labelled: list[Topic]
    notes: list[str]
    learnt_from: str = ""
    # Topics whose full texts are learnt from, and those that are classified.
    examples: list[Topic] = field(default_factory=list)
    topics: list[Topic] = field(default_factory=list)
    # The categories of both, as far as they can be learnt.
    classes: list[tuple[str, ...]] = field(default_factory=list)
    right: list[tuple[str, ...]] = field(default_factory=list)

    def __post_init__(self) -> None:
        without = len(self.corpus.topics) - len(self.labelled)
        if not self.labelled:
            raise SummetryError(
                f"{called(self.corpus)} has no topic with a text and a category; "
                f'"category" in topics.jsonl gives it'
            )
        if without:
            all_topics = counted(len(self.corpus.topics), "topic")
            self.notes.append(f"{without} of {all_topics} have no text or no category: left out")
        if self.train is None:
            self._split_own()
        else:
            self._split_given(self.train)

    def _split_own(self) -> None:
        sizes = _sizes(topic.categories for topic in self.labelled)
        kept = {name for name, size in sizes.items() if size > 1}
        self._keep_topics_of(kept)
        if len(kept) < 2:
            raise SummetryError(
                f"a classifier needs two categories or more with two topics each, found "
                f"{_listed(sizes)}; add topics, or learn from others by --train CORPUS"
            )
        alone = sorted(sizes.keys() - kept)
        if alone:
            names = f"{', '.join(alone[:5])}{', ...' if len(alone) > 5 else ''}"
            self.notes.append(
                f"{counted(len(alone), 'category', 'categories')} with one topic left out "
                f"({names}): there is no other topic to learn from"
            )
        self.examples, self.classes = self.topics, self.right
        folds = min(self.settings.folds, len(self.topics))
        self.fold_of = dealt(self.right, folds, self.settings.seed)
        self.learnt_from = f"the other topics, {folds} folds"

    def _keep_topics_of(self, names: Collection[str]) -> None:
        """Classify the topics that have some of these categories."""
        self.topics = [topic for topic in self.labelled if _among(names, topic)]
        self.right = [_among(names, topic) for topic in self.topics]

    def _split_given(self, train: Corpus) -> None:
        ids, texts = {t.id for t in self.labelled}, {t.units for t in self.labelled}
        known = [topic for topic in train.topics if topic.categories and topic.units]
        self.examples = [t for t in known if t.id not in ids and t.units not in texts]
        both = len(known) - len(self.examples)
        if both:
            self.notes.append(
                f"{both} of {counted(len(known), 'topic')} to learn from are topics of the corpus "
                f"too: not learnt from"
            )
        self.classes = [topic.categories for topic in self.examples]
        sizes = _sizes(self.classes)
        if len(sizes) < 2:
            raise SummetryError(
                f"--train: expected topics of two categories or more in "
                f"{called(train)}, found {_listed(sizes)}"
            )
        self._keep_topics_of(sizes)
        if not self.topics:
            raise SummetryError(
                f"--train: none of the categories of the corpus, {_few(self.labelled)}, is one of "
                f"those to learn from, {_few(self.examples)}"
            )
        strange = sum(_among(sizes, topic) != topic.categories for topic in self.labelled)
        if strange:
            self.notes.append(
                f"{strange:,} of {counted(len(self.labelled), 'topic')} have a category that there "
                f"is nothing to learn of: left out"
            )
        # All are classified by all examples, which are in no fold.
        self.fold_of = np.zeros(len(self.topics), np.int64)
        self.learnt_from = f"{counted(len(self.examples), 'topic')} of {train.name or 'another'}"

    def rows(self, progress: Progress | None) -> tuple[list[Categorized], Chance]:
        """Full texts first, then the summaries of each system with both bounds; and chance."""
        settings, topics = self.settings, list(range(len(self.topics)))
        taught = [] if self.train is None else [_whole(t, self.train) for t in self.examples]
        words = CorpusWords(self.corpus, self.topics, settings.text, taught)
        if not words.summaries:
            raise SummetryError(
                f"{called(self.corpus)} has no summary of a topic that can be "
                f"classified; summaries.jsonl would hold them"
            )
        to_bags = partial(bags_of_words, size=len(words.table.words))
        full = to_bags([words.full_text(topic) for topic in topics])
        examples = to_bags([words.row(row) for row in words.others]) if taught else full
        folds = int(self.fold_of.max()) + 1
        tick = counter(folds + len(words.summaries), progress)
        machines = self._machines(examples, folds, tick)
        names = sorted(_sizes((*self.right, *self.classes)))

        def categorized(bags: Any, owners: Sequence[int]) -> list[CategorizedText]:
            """Texts as rows of counts, each with the place of its topic."""
            given = machines.given(bags, np.array(owners, np.int64))
            right = (self.right[topic] for topic in owners)
            return [*map(CategorizedText, owners, given, right)]

        def tally(bags: Any, owners: Sequence[int]) -> Tally:
            return Tally.of(categorized(bags, owners), len(topics), names)

        @cache
        def shuffled(topic: int) -> list[Ints]:
            """The words of a topic in random orders of its units, the same for all systems; the
            beginnings of these are random extracts."""
            name = self.topics[topic].id
            return _shuffled(words.units(topic), name, settings.extracts, settings.seed)

        full_texts = categorized(full, topics)
        whole = Tally.of(full_texts, len(topics), names)
        rows = [_row("classifier", "", "", whole, topics, names, settings)]
        for (author, role), owned in words.summaries.items():
            texts = [words.row(row) for row in owned.values()]
            drawn = [
                (mixed[: len(text)], topic)
                for topic, text in zip(owned, texts, strict=True)
                for mixed in shuffled(topic)
            ]
            own = tally(to_bags(texts), list(owned))
            lower = tally(to_bags([extract for extract, _ in drawn]), [topic for _, topic in drawn])
            row = _row("classifier", author, role, own, list(owned), names, settings, lower, whole)
            rows.append(row)
            tick()
        return rows, by_chance(full_texts, settings.draws, settings.seed)

    def _machines(self, bags: Any, folds: int, tick: Callable[[], None]) -> Machines:
        """What is learnt for each fold."""
        machines = []
        for fold in range(folds):
            chosen = np.arange(len(self.classes))
            if self.train is None:
                chosen = np.flatnonzero(self.fold_of != fold)
            machines.append(Machine.learn(bags[chosen], [self.classes[one] for one in chosen]))
            tick()
        return Machines(machines, self.fold_of)


def _whole(topic: Topic, corpus: Corpus) -> tuple[str, str]:
    """The text of a topic and its language."""
    code = corpus.language_of(topic)
    return join_units(topic.units, code), code


def _shuffled(units: Sequence[Ints], topic: str, number: int, seed: int) -> list[Ints]:
    """The words of a topic in so many random orders of its units."""
    drawn = (lots(seed * number + place, topic, len(units)) for place in range(number))
    return [np.concatenate([units[unit] for unit in np.argsort(one)]) for one in drawn]


def _listed(sizes: Counter[str]) -> str:
    """How many topics the largest categories have, in words."""
    return first_names([f"{n} ({counted(s, 'topic')})" for n, s in sizes.most_common()]) or "none"


def _few(topics: Sequence[Topic]) -> str:
    return first_names(sorted(_sizes(topic.categories for topic in topics)))
