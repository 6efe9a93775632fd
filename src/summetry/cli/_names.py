"""What options name: one or several of what is known, and the protocols."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar, get_args

from summetry.engine.plan import ProtocolName
from summetry.errors import SummetryError, must_be_known

Name = TypeVar("Name", bound=str)


def known_names(kind: str, asked: Sequence[str], known: Sequence[Name]) -> tuple[Name, ...]:
    """What is asked for, each once, if all of it is known."""
    names = {str(name): name for name in known}
    for name in asked:
        must_be_known(kind, name, names)
    return tuple(names[name] for name in dict.fromkeys(asked))


def names_in(option: str, text: str) -> tuple[str, ...]:
    """The names that an option has with commas between them, each once."""
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    if not names:
        raise SummetryError(f"{option}: expected names with commas between them, got {text!r}")
    return names


def known_protocols(asked: Sequence[str] | None) -> tuple[ProtocolName, ...]:
    """The protocols that are asked for; none, if it is not said."""
    return known_names("protocol", asked or (), get_args(ProtocolName))


def one_protocol(asked: Sequence[str] | None) -> ProtocolName | None:
    """The protocol that is asked for, where there can be one only."""
    return only_one("--protocol", known_protocols(asked))


def only_one(option: str, asked: Sequence[Name]) -> Name | None:
    """What an option names, or nothing; other commands take several of them."""
    names = list(dict.fromkeys(asked))
    if len(names) > 1:
        raise SummetryError(f"{option}: expected one here, got {' and '.join(names)}")
    return names[0] if names else None
