"""Making summaries: from a ranking and a length to a summary, for every topic of a corpus.

The units that are taken stand in the order of the source. A unit that is cut stands last, where a
text may break off, and no character is ever split.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, TypedDict, Unpack, overload

import regex

from summetry import spec
from summetry.arguments import Progress, as_list, as_names, check_function, check_strings, kind_of
from summetry.arrays.threads import one_thread
from summetry.errors import Place, SummetryError, first_names, for_python, shorten, warn
from summetry.files import is_text
from summetry.records.builder import CorpusBuilder
from summetry.records.corpus import Corpus, join_units
from summetry.records.lengths import (
    Counted,
    Fit,
    Length,
    TopicLengths,
    TopicLengthsLike,
    check_fit,
    fill,
    gap_between,
    joined_length,
    lengths_of,
    parse_length,
)
from summetry.records.summaries import Summary
from summetry.records.topics import Topic
from summetry.spec import Spec
from summetry.summarizers.base import (
    SUMMARIZERS,
    Learning,
    Ranking,
    Source,
    Summarizer,
    is_flat,
    learns,
)
from summetry.text.guessing import guess_language
from summetry.text.languages import known_languages
from summetry.text.languages import language as language_of
from summetry.text.tokens import find_words

SummarizerLike = str | Spec | Summarizer

# How long a summary is by default: three sentences.
LENGTH = 3
_GRAPHEME = regex.compile(r"\X")


@dataclass(frozen=True, repr=False)
class NewSummary:
    """A new summary: its whole units in the order of the source, then what was cut.

    ``str`` gives its text, ``sentences`` the text sentence by sentence.
    """

    source: Source
    ranking: Ranking
    units: tuple[int, ...]
    # The beginning of one more unit, where the fit rule cuts.
    fragment: str = ""
    # All that was ranked is in, and the length has room left.
    ran_out: bool = False

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"NewSummary({shorten(self.text)}, units={self.units})"

    @property
    def sentences(self) -> tuple[str, ...]:
        """The text unit by unit; units are sentences unless the topic has others."""
        whole = tuple(self.source.units[unit] for unit in self.units)
        return (*whole, self.fragment) if self.fragment else whole

    @property
    def text(self) -> str:
        return join_units(self.sentences, self.source.language)

    def record(self, author: str, **meta: str) -> Summary:
        """The summary as a candidate; the text of an extract follows from its units."""
        topic = self.source.topic
        content: dict[str, Any] = {"text": self.text}
        if not self.fragment:
            content = {"units": self.units}
        elif topic.unit == "sentence":
            content = {"sentences": self.sentences}
        return Summary(topic.id, author, "candidate", **content, meta=meta)


def make_summary(
    source: Source,
    summarizer: Summarizer,
    length: Length,
    fit: Fit = "stop",
    extracts: Sequence[Collection[int]] = (),
) -> NewSummary:
    """The summary of ``source`` by ``summarizer`` within ``length``.

    ``extracts`` are the units that each informant chose, for the length ``mean``.
    """
    lengths = lengths_of(source.units, source.words.tolist(), length.counted)
    gap = gap_between(length.counted, language_of(source.language).spaced)
    limit = length.limit(lengths, extracts, gap)
    ranking = summarizer.rank(source, expected_units(lengths, limit))
    units, cut, kept = fill(ranking.order, lengths, limit, fit, gap)
    fragment = "" if cut is None else beginning(source.units[cut], kept, length.counted)
    used = joined_length([lengths[unit] for unit in units], gap)
    ran_out = len(units) == len(ranking.order) and used < limit
    return NewSummary(source, ranking, tuple(sorted(units)), fragment, ran_out)


def expected_units(lengths: Sequence[int], limit: Fraction) -> int:
    """About how many units of mean length fill ``limit``; at least one where there are any.

    >>> expected_units([10, 20, 30], Fraction(50))
    3
    """
    total = sum(lengths)
    if not total:
        return len(lengths)
    about = math.floor(limit * len(lengths) / total + Fraction(1, 2))
    return min(max(about, 1), len(lengths))


def beginning(text: str, most: int, counted: Counted) -> str:
    """As much of ``text`` as has at most ``most`` words, characters or bytes.

    >>> beginning("The ferry, they said, sank.", 3, "words"), beginning("Zoë", 3, "bytes")
    ('The ferry, they', 'Zo')
    """
    if counted == "words":
        spans = find_words(text)
        return text if most >= len(spans) else text[: spans[most - 1][1]]
    end = used = 0
    for character in _GRAPHEME.finditer(text):
        seen = character.group()
        used += len(seen) if counted == "characters" else len(seen.encode())
        if used > most:
            break
        end = character.end()
    return text[:end].rstrip()


class _Options(TypedDict, total=False):
    """The options of :func:`summarize` that do not decide what it gives."""

    language: str
    query: str
    names: Sequence[str] | None
    train: Corpus | None
    progress: Progress | None


@overload
def summarize(  # type: ignore[overload-overlap]
    source: str,
    summarizers: SummarizerLike,
    length: TopicLengthsLike = ...,
    fit: Fit = ...,
    **options: Unpack[_Options],
) -> NewSummary: ...
@overload
def summarize(
    source: str,
    summarizers: Sequence[SummarizerLike],
    length: TopicLengthsLike = ...,
    fit: Fit = ...,
    **options: Unpack[_Options],
) -> dict[str, NewSummary]: ...
@overload
def summarize(
    source: Corpus,
    summarizers: SummarizerLike | Sequence[SummarizerLike],
    length: TopicLengthsLike = ...,
    fit: Fit = ...,
    **options: Unpack[_Options],
) -> Corpus: ...
@for_python
def summarize(
    source: str | Corpus,
    summarizers: SummarizerLike | Sequence[SummarizerLike],
    length: TopicLengthsLike = LENGTH,
    fit: Fit = "stop",
    *,
    language: str = "",
    query: str = "",
    names: Sequence[str] | None = None,
    train: Corpus | None = None,
    progress: Progress | None = None,
) -> Corpus | NewSummary | dict[str, NewSummary]:
    """The summary of a text, or a corpus with a candidate for every topic by every summarizer.

    ``length`` is a number of sentences, or spelt as ``"100 words"`` or ``"30%"``, or a mapping of
    such lengths by topic; ``fit`` says what is done with a unit that does not fit. The author of a
    summary is the spelling of its summarizer, or its name in ``names``. A summarizer that learns
    does so from ``train``, or else from all other topics.

    A text by one summarizer gives one summary, by a list of them a summary for each name. Its
    language is guessed, with a warning, unless ``language`` names it. ``query`` is what the summary
    of a text should be about.

    >>> text = "The ferry sank. The ferry was old, and the fog was thick. Nobody was hurt."
    >>> print(summarize(text, "length", 1, language="en"))
    The ferry was old, and the fog was thick.
    """
    notes: list[str] = []
    corpus = source
    if isinstance(source, str):
        check_strings(language=language, query=query)
        if not is_text(source) and Path(source).is_file():
            raise SummetryError(
                f"expected a text, found the name of a file: give what it holds, "
                f"Path({source!r}).read_text(encoding='utf-8')"
            )
        corpus, guess = text_corpus(source, language, query=query)
        if guess:
            notes.append(f"the language is guessed to be {guess}; language= names another")
    elif language or query:
        raise SummetryError("language and query go with a text; a corpus has its own")
    one = isinstance(summarizers, str | Spec) or hasattr(summarizers, "rank")
    asked: Any = [summarizers] if one else summarizers
    run = SummarizerRun(corpus, asked, length, fit, names, train, progress, notes=notes)  # type: ignore[arg-type]
    by_author = run.summaries()
    for note in run.notes:
        warn(note)
    if not isinstance(source, str):
        return run.with_candidates(by_author)
    of_text = {author: summary for author, (summary,) in by_author.items()}
    return next(iter(of_text.values())) if one else of_text


def text_corpus(
    text: str,
    language: str = "",
    place: str = "the text",
    topic: str = "text",
    title: str = "",
    query: str = "",
    option: str = "language=",
) -> tuple[Corpus, str]:
    """A corpus of one topic, and the name of its language where it is guessed from the words.

    ``option`` is what the user would name the language with.
    """
    if not text.strip():
        raise SummetryError(f"{place}: expected a text with sentences, found none")
    guess = "" if language else guess_language(text)
    if not (language or guess):
        raise SummetryError(
            f"{place}: the language cannot be guessed from the words; name it with {option} "
            f"({', '.join(known_languages())}, or any other)"
        )
    builder = CorpusBuilder(place, language or guess)
    builder.add("topics", Topic(topic, title, query, text=text), Place(place))
    return builder.build(), language_of(guess).name if guess else ""


@dataclass
class SummarizerRun:
    """What is summarized and how; ``notes`` is complete when the summaries are made.

    A summarizer that cannot do its work is an error. With ``skip_unusable`` it is left out
    instead, and a note says why.
    """

    corpus: Corpus
    summarizers: Sequence[SummarizerLike]
    length: TopicLengthsLike
    fit: Fit = "stop"
    names: Sequence[str] | None = None
    train: Corpus | None = None
    progress: Progress | None = None
    skip_unusable: bool = False
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        spellings = as_list("summarizers", self.summarizers)
        for name, corpus in (("source", self.corpus), ("train", self.train)):
            if not isinstance(corpus, Corpus) and (corpus is not None or name == "source"):
                text = "a text or " if name == "source" else ""
                expected = f"{text}a corpus, as load(path) reads one"
                each = "; for several texts call it with each of them" if text else ""
                raise SummetryError(f"{name} must be {expected}, got {kind_of(corpus)}{each}")
        check_fit(self.fit)
        check_function("progress", self.progress)
        self._length = parse_length(self.length)
        self._extracts = _extracts(self.corpus, self._length)
        built = (self._build(spelling, place) for place, spelling in enumerate(spellings))
        usable = [summarizer for summarizer in built if summarizer is not None]
        if not usable:
            raise SummetryError("no summarizer to work with; `summetry summarizers` lists all")
        names = as_names("names", as_list("names", [] if self.names is None else self.names))
        self.authors = _authors(usable, names)
        self._trained: dict[str, Summarizer] = {}
        _check_new(self.corpus, self.authors)
        if self.train is not None and not any(
            learns(summarizer, partial(self._learned, author))
            for author, summarizer in self.authors.items()
        ):
            raise SummetryError(
                f"a corpus to learn from was given (--train), and {', '.join(self.authors)} "
                f"would not look at it: leave it out, or name a summarizer that learns, such as "
                f"trainable or 'tf_idf(idf=corpus)'"
            )

    def summaries(self) -> dict[str, list[NewSummary]]:
        """The summaries by each author, in the order of the topics that have a source."""
        topics = [topic for topic in self.corpus.topics if topic.units]
        if not topics:
            raise SummetryError(
                f"the corpus {self.corpus.name!r} has no source to summarize; "
                f"documents in topics.jsonl would give some"
            )
        by_author: dict[str, list[NewSummary]] = {author: [] for author in self.authors}
        steps = count(1)
        for topic in topics:
            # One source for all summarizers, so that its tokens are found once.
            source = Source(topic, self.corpus.language)
            for author in self.authors:
                if author in by_author:
                    try:
                        with one_thread():
                            by_author[author].append(self._summary(source, author))
                    except SummetryError as error:
                        self._leave_out(author, f"{author}, topic {topic.id!r}: {error}", error)
                        del by_author[author]
                if self.progress:
                    self.progress(next(steps), len(topics) * len(self.authors))
        if not by_author:
            raise SummetryError(f"no summarizer could do its work: {'; '.join(self.notes)}")
        self._add_notes(by_author)
        return by_author

    def with_candidates(self, by_author: dict[str, list[NewSummary]]) -> Corpus:
        """The corpus with the new summaries after its own, topic by topic."""
        records = [
            summary.record(
                author,
                summarizer=spec.show(self.authors[author]),
                length=str(self._length.of_topic(summary.source.topic.id)),
                fit=self.fit,
            )
            for of_topic in zip(*by_author.values(), strict=True)
            for author, summary in zip(by_author, of_topic, strict=True)
        ]
        return dataclasses.replace(self.corpus, summaries=(*self.corpus.summaries, *records))

    def _summary(self, source: Source, author: str) -> NewSummary:
        summarizer = self.authors[author]
        if isinstance(summarizer, Learning):
            summarizer = self._learned(author, summarizer, source.topic.id)
        extracts = self._extracts.get(source.topic.id, [])
        length = self._length.of_topic(source.topic.id)
        return make_summary(source, summarizer, length, self.fit, extracts)

    def _learned(self, author: str, summarizer: Learning, topic: str = "") -> Summarizer:
        """The summarizer trained once on ``train``, or else on all topics but this one."""
        if self.train is None:
            return summarizer.learn(self.corpus, frozenset({topic}))
        if author not in self._trained:
            shared = _shared_topics(self.corpus, self.train)
            self._trained[author] = summarizer.learn(self.train, shared)
        return self._trained[author]

    def _build(self, asked: SummarizerLike, place: int) -> Summarizer | None:
        if isinstance(asked, str | Spec):
            try:
                return SUMMARIZERS.build(asked)
            except SummetryError as error:
                self._leave_out(str(asked), str(error), error)
                return None
        if isinstance(asked, type) or not hasattr(asked, "rank"):
            expected = "a summarizer or its spelling"
            raise SummetryError(f"summarizers[{place}] must be {expected}, got {kind_of(asked)}")
        return asked

    def _add_notes(self, by_author: dict[str, list[NewSummary]]) -> None:
        """Notes on topics without a source, and on summaries that are not what was asked for."""
        topics = self.corpus.topics
        bare = [topic.id for topic in topics if not topic.units]
        if bare:
            self.notes.append(f"no source, so no summary{_of_topics(bare, len(topics))}")
        length, units = str(self._length), "units"
        if all(topic.unit == "sentence" for topic in topics):
            length, units = re.sub(r"\bunit(s?)\b", r"sentence\1", length), "sentences"
        unfit = (f"nothing fits into {length}", f"by the fit rule {self.fit}")
        less = (f"less than {length}", f"as no more {units} were ranked")
        short: list[tuple[str, list[str], str, str]] = []
        flat: dict[str, list[str]] = {}
        for author, summaries in by_author.items():
            empty = _topics(s for s in summaries if not s.sentences and not s.ran_out)
            ran_out = _topics(s for s in summaries if s.ran_out)
            short += [(author, empty, *unfit), (author, ran_out, *less)]
            # Where all of a text is taken, its order is no choice.
            chosen = [s for s in summaries if len(s.units) < len(s.source.units)]
            flat[author] = _topics(s for s in chosen if is_flat(s.ranking))
        total = len(topics) - len(bare)
        self.notes += _shared_notes(short, total) + flat_rankings(flat, total, units)

    def _leave_out(self, name: str, reason: str, error: SummetryError) -> None:
        if not self.skip_unusable:
            raise SummetryError(reason) from error
        self.notes.append(f"{name} is left out: {reason.removeprefix(f'{name}, ')}")


def _extracts(corpus: Corpus, length: Length | TopicLengths) -> dict[str, list[tuple[int, ...]]]:
    """The units that each informant chose, by topic; only the mean length needs them."""
    topics = [topic.id for topic in corpus.topics if topic.units]
    topics = [topic for topic in topics if length.of_topic(topic).kind == "mean"]
    by_topic = {topic: [e.units for e in corpus.of_topic("extracts", topic)] for topic in topics}
    for topic in topics:
        if not by_topic[topic]:
            raise SummetryError(
                f"topic {topic!r} has no extracts, whose mean length is the length; "
                f"extracts.jsonl would give them"
            )
    return by_topic


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
            wrong = f"{author!r} twice" if author else "an empty one"
            raise SummetryError(f"expected another name for each summarizer, found {wrong}")
    return dict(zip(authors, built, strict=True))


def _check_new(corpus: Corpus, authors: dict[str, Summarizer]) -> None:
    """Judgments are kept by author: a new summary must not pass for one that was judged."""
    known = {summary.author for summary in corpus.summaries}
    known |= {judgment.author for judgment in corpus.judgments}
    for author in authors:
        if author in known:
            raise SummetryError(
                f"the corpus {corpus.name!r} has summaries by {author!r} already; "
                f"give the new ones another name, such as --name 'our *'"
            )


def _shared_topics(corpus: Corpus, train: Corpus) -> frozenset[str]:
    """Topics of ``train`` that are summarized here too and must not be learned from."""
    here = {topic.id: topic.units for topic in corpus.topics}
    return frozenset(t.id for t in train.topics if t.units and here.get(t.id) == t.units)


def _topics(summaries: Iterable[NewSummary]) -> list[str]:
    return [summary.source.topic.id for summary in summaries]


def flat_rankings(topics_of: dict[str, list[str]], total: int, units: str = "units") -> list[str]:
    """Notes on the topics for which a summarizer gives all units the same score.

    >>> flat_rankings({"tf_isf": ["t2"], "lead": []}, 1)
    ['tf_isf: all scores are equal or undefined, so units stay in their order']
    """
    what, why = "all scores are equal or undefined", f"so {units} stay in their order"
    flat = [(author, topics, what, why) for author, topics in topics_of.items()]
    return _shared_notes(flat, total)


def _shared_notes(cases: Sequence[tuple[str, list[str], str, str]], total: int) -> list[str]:
    """Notes ``author: what for these topics, why``; summarizers with the same note share it."""
    authors_of: dict[str, list[str]] = {}
    for author, topics, what, why in cases:
        if topics:
            authors_of.setdefault(f"{what}{_of_topics(topics, total)}, {why}", []).append(author)
    return [f"{', '.join(authors)}: {note}" for note, authors in authors_of.items()]


def _of_topics(names: Sequence[str], total: int) -> str:
    """`` for 2 of 9 topics (t1, t2)``, nothing where there is only one topic."""
    if total == 1:
        return ""
    return f" for {len(names):,} of {total:,} topics ({first_names(names)})"
