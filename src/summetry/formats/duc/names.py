"""How DUC and TAC name files: docset, M or P, length, selector, author, and the document for P.

    D1001-A.M.100.A.1                         TAC: set A of topic D1001, by system 1
    D061.M.050.J.19.html                      DUC: the docset D061 in 50 words, by system 19
    D061.P.100.J.A.AP880101-0001.html         DUC: one document in 100 words, by person A

``-`` stands for a length or a selector that is not known.
"""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import unquote

from summetry.records.summaries import Role

_NAME = re.compile(
    r"(?P<docset>[^.]+)\.(?P<kind>[MP])\.(?P<length>[0-9]+[eE]?|-)\.(?P<selector>[A-Za-z]|-)"
    r"\.(?P<author>[^.]+)(?:\.(?P<document>[^.]+))?"
)
_ENDING = re.compile(r"\.(?:html?|txt|sgml?)$", re.IGNORECASE)
_PERSON = re.compile(r"[A-Z]")
_SET = re.compile(r"-([A-Z])$")
UNKNOWN = "-"


class SummaryName(NamedTuple):
    """The parts of a name; what is not known or does not apply is empty."""

    docset: str
    kind: str
    length: str
    selector: str
    author: str
    document: str


def parse_name(name: str) -> SummaryName | None:
    """The parts of a file's name, or None if it is no such name.

    >>> parse_name("D061.M.050.J.19.html")
    SummaryName(docset='D061', kind='M', length='50', selector='J', author='19', document='')
    """
    # An author may be called like an ending.
    match = _NAME.fullmatch(_ENDING.sub("", name)) or _NAME.fullmatch(name)
    if not match:
        return None
    parts = {key: unquote(value or "") for key, value in match.groupdict().items()}
    parts["length"] = plain_length(known(parts["length"]))
    parts["selector"] = known(parts["selector"]).upper()
    return SummaryName(**parts)


def known(part: str) -> str:
    """A part of a name, empty where it says that it is not known."""
    return "" if part == UNKNOWN else part


def plain_length(length: str) -> str:
    """A length as it is spelt everywhere: ``050`` is 50, and an extract's ends in ``e``.

    >>> plain_length("050"), plain_length("200E")
    ('50', '200e')
    """
    return length.lower().lstrip("0") or length


def topic_of(name: SummaryName) -> str:
    """What a summary of DUC is of, and how long it was to be.

    >>> topic_of(SummaryName("D061", "P", "100", "J", "19", "AP880101-0001"))
    'D061.P.100.AP880101-0001'
    """
    return ".".join(filter(None, [name.docset, name.kind, name.length, name.document]))


def role_of(author: str) -> Role:
    """People are single large letters, systems are numbers."""
    return "reference" if _PERSON.fullmatch(author) else "candidate"


def set_of(topic: str) -> str:
    """The set that a topic's name ends in: A for ``D1001-A``; empty where there is none."""
    ending = _SET.search(topic)
    return ending[1] if ending else ""
