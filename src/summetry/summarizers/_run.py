"""Summarizing a whole corpus: every topic by every summarizer."""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from summetry import spec
from summetry.arguments import as_list, as_names, check_function, kind_of
from summetry.arrays.threads import one_thread
from summetry.errors import SummetryError, SummetryWarning
from summetry.records.corpus import Corpus
from summetry.records.lengths import Budget, Fit, check_fit
from summetry.records.topics import Topic
from summetry.spec import Spec
from summetry.summarizers._base import SUMMARIZERS, Learning, Source, Summarizer, is_flat, learns
from summetry.summarizers._fill import Made, make_summary

# Called with the number of summaries done so far and of all summaries.
Progress = Callable[[int, int], None]
SummarizerLike = str | Spec | Summarizer

# So many topics are named in a note.
_NAMED = 5


def summarize(
    corpus: Corpus,
    summarizers: Sequence[SummarizerLike],
    budget: Budget | str,
    fit: Fit = "stop",
    *,
    names: Sequence[str] | None = None,
    train: Corpus | None = None,
    progress: Progress | None = None,
) -> Corpus:
    """``corpus`` with a peer summary of every topic by every summarizer.

    ``budget`` is a length such as ``"100 words"``, ``fit`` what is done with a unit that does not
    fit. The author of a summary is the spelling of its summarizer, or stands in ``names``. A
    summarizer that learns does so from ``train``, or else from all topics but the one at hand.
    """
    run = SummarizerRun(corpus, summarizers, budget, fit, names, train, progress)
    found = run.with_peers(run.made())
    for note in run.notes:
        warnings.warn(note, SummetryWarning, stacklevel=2)
    return found


@dataclass
class SummarizerRun:
    """What is summarized and how; ``notes`` is complete when the summaries are made.

    A summarizer that cannot do its work is an error. With ``skip_unusable`` it is left out
    instead, and a note says why.
    """

    corpus: Corpus
    summarizers: Sequence[SummarizerLike]
    budget: Budget | str
    fit: Fit = "stop"
    names: Sequence[str] | None = None
    train: Corpus | None = None
    progress: Progress | None = None
    skip_unusable: bool = False
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        asked_for = as_list("summarizers", self.summarizers)
        for name, found in (("corpus", self.corpus), ("train", self.train)):
            if not isinstance(found, Corpus) and (found is not None or name == "corpus"):
                wanted = "a corpus, as load(path) reads one"
                raise SummetryError(f"{name} must be {wanted}, got {kind_of(found)}")
        check_fit(self.fit)
        check_function("progress", self.progress)
        budget = self.budget
        if not isinstance(budget, str | Budget):
            raise SummetryError(f"budget must be a length as '100 words', got {kind_of(budget)}")
        self._budget = Budget.parse(budget) if isinstance(budget, str) else budget
        given = [] if self.names is None else self.names
        self._extracts = _extracts(self.corpus, self._budget)
        all_made = [self._build(asked, place) for place, asked in enumerate(asked_for)]
        built = [made for made in all_made if made is not None]
        if not built:
            raise SummetryError("no summarizer to work with; `summetry summarizers` lists all")
        self.authors = _authors(built, as_names("names", as_list("names", given)))
        self._trained: dict[str, Summarizer] = {}
        _check_new(self.corpus, self.authors)
        if self.train is not None and not any(map(self._learns, self.authors)):
            raise SummetryError(
                f"a corpus to learn from was given (--train), and {', '.join(self.authors)} "
                f"would not look at it: leave it out, or name a summarizer that learns, such as "
                f"trainable or 'tf_idf(idf=corpus)'"
            )

    def made(self) -> dict[str, list[Made]]:
        """The summaries by each author, in the order of the topics that have a source."""
        topics = [topic for topic in self.corpus.topics if topic.units]
        if not topics:
            raise SummetryError(
                f"the corpus {self.corpus.name!r} has no source to summarize; "
                f"documents in topics.jsonl would give some"
            )
        found: dict[str, list[Made]] = {author: [] for author in self.authors}
        steps = count(1)
        for topic in topics:
            # One source for all summarizers, so that its tokens are found once.
            source = Source(topic, self.corpus.language)
            for author in self.authors:
                if author in found:
                    try:
                        with one_thread():
                            found[author].append(self._summary(source, author))
                    except SummetryError as error:
                        self._leave_out(author, f"{author}, topic {topic.id!r}: {error}", error)
                        del found[author]
                if self.progress:
                    self.progress(next(steps), len(topics) * len(self.authors))
        if not found:
            raise SummetryError(f"no summarizer could do its work: {'; '.join(self.notes)}")
        self.notes += _without_source(self.corpus.topics)
        self.notes += _shortfalls(found, self._budget, self.fit)
        flat = {
            author: [made.source.topic.id for made in summaries if is_flat(made.ranking)]
            for author, summaries in found.items()
        }
        self.notes += flat_rankings(flat, len(topics))
        return found

    def with_peers(self, found: dict[str, list[Made]]) -> Corpus:
        """The corpus with what was made behind its own summaries, topic by topic."""
        how = {"budget": str(self._budget), "fit": self.fit}
        peers = [
            made.record(author, summarizer=spec.show(self.authors[author]), **how)
            for of_topic in zip(*found.values(), strict=True)
            for author, made in zip(found, of_topic, strict=True)
        ]
        return dataclasses.replace(self.corpus, summaries=(*self.corpus.summaries, *peers))

    def _summary(self, source: Source, author: str) -> Made:
        summarizer = self.authors[author]
        if isinstance(summarizer, Learning):
            summarizer = self._learned(author, summarizer, source.topic)
        extracts = self._extracts.get(source.topic.id, [])
        return make_summary(source, summarizer, self._budget, self.fit, extracts)

    def _learns(self, author: str) -> bool:
        return learns(self.authors[author], lambda learning: self._from_train(author, learning))

    def _learned(self, author: str, summarizer: Learning, topic: Topic) -> Summarizer:
        """What has seen the training corpus (once for all topics), or all topics but this one."""
        if self.train is None:
            return summarizer.learn(self.corpus, frozenset({topic.id}))
        return self._from_train(author, summarizer)

    def _from_train(self, author: str, summarizer: Learning) -> Summarizer:
        assert self.train is not None
        if author not in self._trained:
            shared = _shared_topics(self.corpus, self.train)
            self._trained[author] = summarizer.learn(self.train, shared)
        return self._trained[author]

    def _build(self, asked: Any, place: int) -> Summarizer | None:
        if not isinstance(asked, str | Spec):
            if isinstance(asked, type) or not hasattr(asked, "rank"):
                wanted = "a summarizer or its spelling"
                raise SummetryError(f"summarizers[{place}] must be {wanted}, got {kind_of(asked)}")
            made: Summarizer = asked
            return made
        try:
            return SUMMARIZERS.build(asked)
        except SummetryError as error:
            self._leave_out(str(asked), str(error), error)
            return None

    def _leave_out(self, name: str, reason: str, error: SummetryError) -> None:
        if not self.skip_unusable:
            raise SummetryError(reason) from error
        self.notes.append(f"{name} is left out: {reason.removeprefix(f'{name}, ')}")


def _extracts(corpus: Corpus, budget: Budget) -> dict[str, list[tuple[int, ...]]]:
    """The units that each informant chose, by topic; only a budget of mean length asks for them."""
    if budget.kind != "mean":
        return {}
    found: dict[str, list[tuple[int, ...]]] = {}
    for extract in corpus.extracts:
        found.setdefault(extract.topic, []).append(extract.units)
    for topic in corpus.topics:
        if topic.units and topic.id not in found:
            raise SummetryError(
                f"topic {topic.id!r} has no extracts, whose mean length is the budget; "
                f"extracts.jsonl would give them"
            )
    return found


def _authors(built: Sequence[Summarizer], names: Sequence[str]) -> dict[str, Summarizer]:
    """Each summarizer under the name of its author, where ``*`` stands for its spelling."""
    spellings = [spec.show(summarizer) for summarizer in built]
    patterns = list(names) or ["*"]
    if len(patterns) == 1 and "*" in patterns[0]:
        patterns *= len(built)
    if len(patterns) != len(built):
        raise SummetryError(
            f"expected a name for each of {len(built)} summarizers, or one with * for the "
            f"spelling, found {len(patterns)}"
        )
    authors = [name.replace("*", s) for name, s in zip(patterns, spellings, strict=True)]
    for author in authors:
        if not author or authors.count(author) > 1:
            found = f"{author!r} twice" if author else "an empty one"
            raise SummetryError(f"expected another name for each summarizer, found {found}")
    return dict(zip(authors, built, strict=True))


def _check_new(corpus: Corpus, authors: dict[str, Summarizer]) -> None:
    """Marks of judges are kept by author: a new summary must not pass for one they have seen."""
    known = {summary.author for summary in corpus.summaries}
    known |= {judgment.author for judgment in corpus.judgments}
    for author in authors:
        if author in known:
            raise SummetryError(
                f"the corpus {corpus.name!r} has summaries by {author!r} already; "
                f"give the new ones another name, such as --name 'our *'"
            )


def _shared_topics(corpus: Corpus, train: Corpus) -> frozenset[str]:
    """Topics of ``train`` that are summarized here too, so that nobody learns from the answer."""
    here = {topic.id: topic.units for topic in corpus.topics}
    return frozenset(t.id for t in train.topics if t.units and here.get(t.id) == t.units)


def _without_source(topics: Sequence[Topic]) -> list[str]:
    bare = [topic.id for topic in topics if not topic.units]
    return [f"no source, so no summary{_of_topics(bare, len(topics))}"] if bare else []


def _shortfalls(found: dict[str, list[Made]], budget: Budget, fit: Fit) -> list[str]:
    """Where a summary is empty, or shorter than asked for want of units, in words."""
    told: dict[tuple[tuple[str, ...], str, str], list[str]] = {}
    for author, summaries in found.items():
        short = [made for made in summaries if made.ran_out]
        empty = [made for made in summaries if not made.pieces and not made.ran_out]
        for made, words, why in (
            (empty, f"nothing fits into {budget}", f"by the fit rule {fit}"),
            (short, f"less than {budget}", "as no more units were ranked"),
        ):
            if made:
                topics = tuple(one.source.topic.id for one in made)
                told.setdefault((topics, words, why), []).append(author)
    # Summarizers that share their topics and their reason share a line.
    return [
        f"{', '.join(authors)}: {words}{_of_topics(topics, len(found[authors[0]]))}, {why}"
        for (topics, words, why), authors in told.items()
    ]


def flat_rankings(found: dict[str, list[str]], total: int) -> list[str]:
    """In words, the topics where a summarizer tells no unit from another.

    >>> flat_rankings({"tf_isf": ["t2"], "lead": []}, 1)
    ['tf_isf: all scores are equal or undefined, so units stay in their order']
    """
    told: dict[str, list[str]] = {}
    for author, topics in found.items():
        if topics:
            told.setdefault(_of_topics(topics, total), []).append(author)
    return [
        f"{', '.join(authors)}: all scores are equal or undefined{where}, "
        f"so units stay in their order"
        for where, authors in told.items()
    ]


def _of_topics(names: Sequence[str], total: int) -> str:
    """`` for 2 of 9 topics (t1, t2)``, nothing where there is but one topic."""
    if total == 1:
        return ""
    more = ", ..." if len(names) > _NAMED else ""
    return f" for {len(names)} of {total} topics ({', '.join(names[:_NAMED])}{more})"
