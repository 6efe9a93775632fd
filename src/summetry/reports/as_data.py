"""Results as plain data: what ``--json`` prints and what the web page's API answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from summetry.records.scores import plain_number
from summetry.references.agreement import PERCENTS, Agreement, CorpusAgreement
from summetry.references.majority import TopicReference, plain, tie_as_data


def as_data(results: Any) -> Any:
    """``results`` in what JSON has: a record becomes a dict, an undefined number None.

    >>> as_data({"value": (float("nan"), float("inf"), 0.5), "path": Path("a.txt")})
    {'value': [None, 'inf', 0.5], 'path': 'a.txt'}
    """
    if is_dataclass(results):
        results = {field.name: getattr(results, field.name) for field in fields(results)}
    elif hasattr(results, "_asdict"):
        results = results._asdict()
    if isinstance(results, dict):
        return {name: as_data(value) for name, value in results.items()}
    if isinstance(results, list | tuple):
        return [as_data(value) for value in results]
    if isinstance(results, Path):
        return str(results)
    return plain_number(results) if isinstance(results, float) else results


def fraction(percent: float) -> float:
    """What JSON says of a number that tables show in per cent."""
    return percent / 100


def agreement_as_data(agreed: CorpusAgreement) -> dict[str, Any]:
    """Agreement by topic, genre and group, lengths and shares as fractions."""

    def curve(values: Sequence[float]) -> dict[str, float]:
        pairs = zip(PERCENTS, values, strict=True)
        return {f"{fraction(length):g}": fraction(agreement) for length, agreement in pairs}

    return {
        "topics": [
            {
                "topic": topic.row.name,
                **_agreement_row(topic.row),
                "genre": topic.genre,
                "curve": curve(topic.curve),
            }
            for topic in agreed.topics
        ],
        "genres": [{"genre": row.name, **_agreement_row(row)} for row in agreed.genres],
        "groups": [{"group": row.name, **_agreement_row(row)} for row in agreed.groups],
        "all": _agreement_row(agreed.whole),
        "pooled": {**agreed.pooled._asdict(), "alpha": agreed.pooled_alpha},
        "curve": curve(agreed.curve),
    }


# What the tables of agreement show in per cent, under the names that it has as a fraction.
_IN_PERCENT = {
    name: name
    for name in ("shortest", "longest", "mean", "all_votes", "all_votes_chance", "at_length")
} | {"at_length_chance": "at_length_chance", "percent": "observed", "percent_chance": "expected"}


def _agreement_row(row: Agreement) -> dict[str, Any]:
    data = {name: value for name, value in as_data(row).items() if name != "name"}
    return {
        _IN_PERCENT.get(name, name): (
            fraction(value) if name in _IN_PERCENT and value is not None else value
        )
        for name, value in data.items()
    }


def reference_as_data(topic: TopicReference) -> dict[str, Any]:
    """A reference by majority vote: its units, the votes, and the tie that was broken."""
    votes, reference = topic
    return {
        "topic": votes.topic.id,
        "informants": [extract.informant for extract in votes.extracts],
        "limit": plain(reference.limit),
        "length": reference.length,
        "units": reference.units,
        "agreement": fraction(reference.agreement),
        "votes": [plain(count) for count in reference.ballot.votes],
        "tie": tie_as_data(reference.tie) if reference.tie else None,
    }
