"""The title that a plain text begins with."""

from __future__ import annotations

import regex

# A longer line, or one of more words, is a sentence without its stop.
_LONGEST, _MOST_WORDS = 120, 18
_FIRST_LINE = regex.compile(r"\s*(?P<title>[^\n]+)\n[^\S\n]*\n\s*(?P<rest>\S)")
# How sentences, clauses and quotes end.
_ENDS = regex.compile(r"[.!?…:;,。！？।؟۔][\p{Pe}\p{Pf}\"']*\Z")
_ITEM = regex.compile(r"[-*•‣▪]\s|\d{1,2}[.)]\s")


def split_title(text: str) -> tuple[str, str]:
    """The title of a text and the text after it; without a title, nothing and all of it.

    A first line is a title if it is short, an empty line and more text follow, and it does not
    end as a sentence does.

    >>> split_title("The ferry and the pier\\n\\nIt struck the pier at noon.")
    ('The ferry and the pier', 'It struck the pier at noon.')
    >>> split_title("It struck the pier.\\n\\nNobody was hurt.")
    ('', 'It struck the pier.\\n\\nNobody was hurt.')
    """
    found = _FIRST_LINE.match(text)
    title = " ".join(found["title"].split()) if found else ""
    is_short = 0 < len(title) <= _LONGEST and len(title.split()) <= _MOST_WORDS
    has_letters = any(letter.isalpha() for letter in title)
    if not found or not is_short or not has_letters or _ENDS.search(title) or _ITEM.match(title):
        return "", text
    return title, text[found.start("rest") :]
