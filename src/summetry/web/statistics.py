"""What the pages of statistics show, computed by the package and kept until an answer changes."""

from __future__ import annotations

import datetime
import string
from collections import Counter
from dataclasses import dataclass
from typing import Any

from fastapi import HTTPException
from sqlalchemy import Row
from starlette.requests import Request
from starlette.responses import HTMLResponse

from summetry.records.corpus import Corpus
from summetry.records.prose import between_units, shown_documents
from summetry.records.topics import Topic
from summetry.references.agreement import CorpusAgreement, Memo, agreement
from summetry.references.majority import NO_GROUP, TopicVotes, Voters, groups_of, topic_votes
from summetry.web.pages import need_study, render, site
from summetry.web.store.answers import Given, given_answers
from summetry.web.store.studies import Study
from summetry.web.tasks import TASKS

# Random choices that show what chance gives: as many as the command `agreement` draws, so that
# page and command say the same.
DRAWS = 100
# Topics with one set of votes that are remembered at most.
_MOST_REMEMBERED = 20_000


@dataclass(frozen=True)
class Studied:
    """A study with everything in it at one moment, for the researcher who looks at it."""

    request: Request
    researcher: Row[Any]
    study: Study
    corpus: Corpus
    # Changes with everything that is shown.
    key: tuple[Any, ...]
    given: list[Given]
    # Words of every unit, by topic.
    words: dict[str, tuple[int, ...]]

    def render(self, template: str, **context: Any) -> HTMLResponse:
        """A page of the study."""
        context |= {"researcher": self.researcher, "study": self.study, "corpus": self.corpus}
        return render(self.request, template, **context)

    @property
    def groups(self) -> list[str]:
        """The groups of those who made extracts; none where no group is known."""
        found = list(dict.fromkeys(groups_of(self.corpus).values()))
        return [] if found == [NO_GROUP] else found

    def keep(self, what: str, make: Any, *more: Any) -> Any:
        """What ``make`` gives, computed once after a change."""
        kept = site(self.request).corpora.kept
        return kept.get((what, self.study.id, *more), self.key, make)

    def votes(self) -> dict[str, TopicVotes]:
        """The votes of the topics that have any."""
        if not self.corpus.extracts:
            return {}
        found: dict[str, TopicVotes] = self.keep(
            "votes", lambda: {votes.topic.id: votes for votes in topic_votes(self.corpus)}
        )
        return found

    def agreement(
        self, group: str | None = None, without: tuple[str, ...] = (), draws: int = DRAWS
    ) -> CorpusAgreement | None:
        """How far the informants agree: all, one group, or all but some. None without extracts."""
        if not self.corpus.extracts:
            return None
        voters = Voters(frozenset(without), group)
        memo: Memo = site(self.request).corpora.kept.get(("remembered", self.study.id), None, dict)
        if len(memo) > _MOST_REMEMBERED:
            memo.clear()
        found: CorpusAgreement = self.keep(
            "agreement",
            lambda: agreement(self.corpus, voters, draws=draws, memo=memo),
            group,
            without,
        )
        return found

    def answers(self) -> Counter[str]:
        """How many answers each topic has, those among the uploaded data too."""
        found = Counter(answer.key[0] for answer in self.given if not answer.repeated)
        here = {answer.person for answer in self.given}
        kind = TASKS[self.study.task].makes
        uploaded = {
            (one.topic, one.judge, getattr(one, "author", ""), getattr(one, "condition", ""))
            for one in (getattr(self.corpus, kind) if kind else ())
            if one.judge not in here
        }
        found.update(topic for topic, *_ in uploaded)
        return found

    def last_changes(self) -> dict[str, datetime.datetime]:
        """When something was last submitted for each topic."""
        in_order = sorted(self.given, key=lambda answer: answer.submitted)
        return {answer.key[0]: answer.submitted for answer in in_order}

    def place(self, topic: str) -> int:
        """The number of a topic in addresses, from 1."""
        return 1 + [one.id for one in self.corpus.topics].index(topic)

    def about_text(self, number: int) -> dict[str, Any]:
        """What every page of a text shows."""
        topic = topic_at(self.corpus, number)
        language = self.corpus.language_of(topic)
        return {
            "topic": topic,
            "number": number,
            "last": len(self.corpus.topics),
            "language": language,
            "documents": shown_documents(topic),
            "between": between_units(topic, language),
            "votes": self.votes().get(topic.id),
        }


def load_study(request: Request, study_id: str) -> Studied:
    """The study, if it is one of the researcher's."""
    here = site(request)
    with here.database.reading() as connection:
        researcher, study = need_study(request, connection, study_id)
        key = here.corpora.key(connection, study)
        return Studied(
            request,
            researcher,
            study,
            here.corpora.whole(connection, study),
            key,
            here.corpora.kept.get(
                ("given", study.id), key, lambda: given_answers(connection, study.id)
            ),
            here.corpora.words(connection, study),
        )


def topic_at(corpus: Corpus, number: int) -> Topic:
    """The text that an address names by its number, from 1."""
    if not 0 < number <= len(corpus.topics):
        raise HTTPException(404, "there is no such text in this study")
    return corpus.topics[number - 1]


def heat(votes: float, most: float) -> int:
    """Votes as one of five steps; 0 is no vote."""
    return min(5, -int(-5 * votes // most)) if votes and most else 0


def letters(count: int) -> list[str]:
    """Names for the sentences of a tie: a, b ... z, a2, b2 ...

    >>> letters(28)[-3:]
    ['z', 'a2', 'b2']
    """
    alphabet = string.ascii_lowercase
    return [
        alphabet[place % 26] + (str(place // 26 + 1) if place >= 26 else "")
        for place in range(count)
    ]
