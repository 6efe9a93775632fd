"""The summaries of a corpus with what perturbations make of them, as a corpus that can be scored.

A perturbed summary belongs to a system of its own, named ``system~perturbation``. What is drawn
depends on the seed, the topic, the system and the perturbation alone: not on the order of the
summaries, and not on which other perturbations are made.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from summetry.arguments import Progress, one_by_one
from summetry.audits.perturbations import PERTURBATIONS, Context, Perturbation, Sentences
from summetry.errors import SummetryError, counted, must_be_known
from summetry.records.corpus import Corpus, join_units
from summetry.records.summaries import Summary
from summetry.records.topics import Topic
from summetry.text.guessing import guess_language
from summetry.text.languages import language
from summetry.text.sentences import split_sentences

MARK = "~"
# How many summaries the language is guessed from, where it is not said.
_GUESSED_FROM = 50


class Pair(NamedTuple):
    """A summary and what a perturbation made of it, by the names of their systems."""

    topic: str
    system: str
    perturbation: str

    @property
    def perturbed(self) -> str:
        return f"{self.system}{MARK}{self.perturbation}"


class Made(NamedTuple):
    """How many texts a perturbation made, how many summaries it left out, and of which length the
    texts are, in per cent of that of their summaries."""

    perturbation: Perturbation
    texts: int
    left_out: int
    length: float


@dataclass(frozen=True)
class AuditTexts:
    """What is scored: a corpus of summaries and perturbed summaries, and which belong together."""

    corpus: Corpus
    pairs: tuple[Pair, ...]
    made: tuple[Made, ...]
    seed: int = 0
    notes: tuple[str, ...] = ()

    def rows(self) -> Iterator[dict[str, object]]:
        """Every text as a row of a table: whose it is, the text, its references, its source."""
        names = {(pair.topic, pair.perturbed): pair.perturbation for pair in self.pairs}
        corpus = self.corpus
        for topic in corpus.topics:
            summaries = corpus.of_topic("summaries", topic.id)
            references = [corpus.text_of(s) for s in summaries if s.role == "reference"]
            row: dict[str, object] = {}
            if len(references) > 1:
                row["references"] = references
            elif references:
                row["reference"] = references[0]
            if topic.documents:
                row["source"] = join_units(topic.units, corpus.language_of(topic))
            for summary in summaries:
                if summary.role == "candidate":
                    perturbed = names.get((topic.id, summary.author), "")
                    whose = {"id": topic.id, "system": summary.author, "perturbation": perturbed}
                    yield whose | {"candidate": corpus.text_of(summary)} | row


def perturbations_named(names: Sequence[str]) -> list[Perturbation]:
    """The perturbations of these names, all without any, in the order of the list."""
    known = {one.name: one for one in PERTURBATIONS}
    for name in names:
        must_be_known("perturbation", name, known)
    return [one for one in PERTURBATIONS if not names or one.name in names]


def perturb(
    corpus: Corpus,
    perturbations: Sequence[Perturbation],
    limit: int | None = None,
    seed: int = 0,
    exclude: Sequence[str] = (),
    progress: Progress | None = None,
) -> AuditTexts:
    """The candidates of a corpus and their perturbed versions, at most ``limit`` of each kind.

    With a limit, summaries are drawn so that all topics have as many as far as they can.
    ``progress`` is called with the number of perturbations that are done, and of all.
    """
    audited = _Audited(corpus, exclude)
    order = audited.order(seed)
    pairs: list[Pair] = []
    made: list[Made] = []
    summaries: list[Summary] = []
    notes = list(audited.notes)
    for one in one_by_one(perturbations, progress):
        mute = {code for code in audited.languages.values() if not one.speaks(code)}
        if mute:
            names = ", ".join(sorted(language(code).name or code or "unknown" for code in mute))
            notes.append(f"{one.name}: no rule for this language: {names}")
        tried = 0
        sizes: list[float] = []
        for key in order:
            if limit is not None and len(sizes) == limit:
                break
            tried += 1
            text = audited.perturbed(key, one, seed)
            if text is not None:
                pairs.append(Pair(*key, one.name))
                summaries.append(audited.summary(key, pairs[-1].perturbed, text))
                sizes.append(audited.relative_size(key, text))
        share = 100 * float(np.mean(sizes)) if sizes else np.nan
        made.append(Made(one, len(sizes), tried - len(sizes), share))
    if not pairs:
        names = ", ".join(one.name for one in perturbations)
        raise SummetryError(
            f"no summary could be perturbed: tried {names}; expected texts of several sentences, "
            f"with numbers, names or negations"
        )
    used = dict.fromkeys((pair.topic, pair.system) for pair in pairs)
    own = [audited.originals[key] for key in audited.originals if key in used]
    return AuditTexts(audited.with_texts([*own, *summaries]), tuple(pairs), tuple(made), seed,
                      tuple(notes))  # fmt: skip


class _Audited:
    """The candidates of a corpus, as texts, and all that perturbations know of them."""

    def __init__(self, corpus: Corpus, exclude: Sequence[str] = ()) -> None:
        self._corpus = corpus
        self.originals: dict[tuple[str, str], Summary] = {}
        self.texts: dict[tuple[str, str], Sentences] = {}
        self._references: dict[str, list[tuple[str, Sentences]]] = {}
        self._by_system: dict[str, dict[str, Sentences]] = {}
        candidates = [s for s in corpus.summaries if s.role == "candidate"]
        self.languages = self._spoken([corpus.text_of(s) for s in candidates[:_GUESSED_FROM]])
        self._check_names(candidates, exclude)
        empty = 0
        for summary in corpus.summaries:
            sentences = self._cut(summary)
            if summary.role == "reference":
                if sentences:
                    self._references.setdefault(summary.topic, []).append(
                        (summary.author, sentences)
                    )
                continue
            if summary.author in exclude:
                continue
            empty += not sentences
            if sentences:
                key = (summary.topic, summary.author)
                self.texts[key] = sentences
                self.originals[key] = self._plain(summary)
                self._by_system.setdefault(summary.author, {})[summary.topic] = sentences
        if not self.texts:
            raise SummetryError(
                "expected candidates with texts to perturb, found none; an audit needs summaries "
                "of systems, with references or the source"
            )
        self.notes = [f"left out {counted(empty, 'summary')} without a text"] if empty else []
        self._sources = {topic.id: self._source(topic) for topic in corpus.topics}

    def order(self, seed: int) -> list[tuple[str, str]]:
        """The summaries as they are drawn: one of each topic, then a second one of each, ..."""
        by_topic: dict[str, list[tuple[str, str]]] = {}
        for key in sorted(self.texts, key=lambda key: _drawn(seed, *key)):
            by_topic.setdefault(key[0], []).append(key)
        places = {key: (place, _drawn(seed, topic)) for topic, keys in by_topic.items()
                  for place, key in enumerate(keys)}  # fmt: skip
        return sorted(places, key=lambda key: places[key])

    def perturbed(self, key: tuple[str, str], one: Perturbation, seed: int) -> Sentences | None:
        """The summary as a perturbation makes it; None where it makes no other text of it."""
        topic, system = key
        code = self.languages[topic]
        if not one.speaks(code):
            return None
        own = self._by_system[system].items()
        others = {t: text for t, text in own if t != topic and self.languages[t] == code}
        references = tuple(text for _, text in sorted(self._references.get(topic, ())))
        context = Context(code, self._sources[topic], references, others)
        rng = np.random.default_rng([seed, *_drawn(0, topic, system, one.name)])
        made = one.apply(self.texts[key], context, rng)
        return None if made == self.texts[key] else made

    def summary(self, key: tuple[str, str], author: str, text: Sentences) -> Summary:
        """A perturbed summary, in the shape of the original one."""
        original = self.originals[key]
        if original.sentences is not None:
            return Summary(key[0], author, "candidate", sentences=text)
        # One sentence per line stays so.
        blank = "\n" if "\n" in (original.text or "").strip() else None
        words = join_units(text, self.languages[key[0]]) if blank is None else blank.join(text)
        return Summary(key[0], author, "candidate", text=words)

    def relative_size(self, key: tuple[str, str], text: Sentences) -> float:
        context = Context(self.languages[key[0]])
        return context.size(text) / max(context.size(self.texts[key]), 1)

    def with_texts(self, candidates: Sequence[Summary]) -> Corpus:
        """The corpus with these candidates, and without what belongs to others."""
        topics = {summary.topic for summary in candidates}
        kept = [topic for topic in self._corpus.topics if topic.id in topics]
        references = [
            s for s in self._corpus.summaries if s.role == "reference" and s.topic in topics
        ]
        extracts = tuple(e for e in self._corpus.extracts if e.topic in topics)
        return Corpus(
            self._corpus.name,
            self._corpus.language,
            topics=tuple(kept),
            summaries=(*references, *candidates),
            extracts=extracts,
        )

    def _check_names(self, candidates: Sequence[Summary], exclude: Sequence[str]) -> None:
        systems = {summary.author for summary in candidates}
        for name in exclude:
            must_be_known("system", name, systems)
        for one in PERTURBATIONS:
            for name in systems:
                if f"{name}{MARK}{one.name}" in systems:
                    raise SummetryError(
                        f"expected names of systems, found {name}{MARK}{one.name!s}, which an "
                        f"audit would give to a perturbed summary of {name}; rename it"
                    )

    def _spoken(self, first: Sequence[str]) -> dict[str, str]:
        """The language of each topic, guessed from the first summaries where it is not said."""
        said = {t.id: self._corpus.language_of(t) for t in self._corpus.topics}
        guess = "" if all(said.values()) else guess_language("\n".join(first))
        return {topic: code or guess for topic, code in said.items()}

    def _cut(self, summary: Summary) -> Sentences:
        known = self._corpus.sentences_of(summary)
        if known is None:
            known = self._split(self._corpus.text_of(summary), summary.topic)
        return tuple(sentence for sentence in known if sentence.strip())

    def _split(self, text: str, topic: str) -> Sentences:
        return tuple(text[a:b] for a, b in split_sentences(text, self.languages[topic]))

    def _source(self, topic: Topic) -> Sentences:
        if topic.unit == "sentence":
            return topic.units
        return self._split(join_units(topic.units, self.languages[topic.id]), topic.id)

    def _plain(self, summary: Summary) -> Summary:
        """A summary without its units, which a perturbed one does not have."""
        sentences = self._corpus.sentences_of(summary)
        text = None if sentences is not None else self._corpus.text_of(summary)
        return Summary(summary.topic, summary.author, "candidate", text=text, sentences=sentences)


def _drawn(seed: int, *names: str) -> tuple[int, ...]:
    """Numbers that are as good as drawn, and the same wherever and whenever they are asked for."""
    digest = hashlib.sha256(json.dumps([seed, *names]).encode()).digest()
    return tuple(np.frombuffer(digest, "<u4").tolist())
