"""A Markdown document: one topic, the prose of the document.

    # Ferry hits pier                  the first heading is the title

    A *passenger* ferry struck the     paragraphs, quotations and the items of lists are the text;
    [main pier](pier.md) on Tuesday.   of a link its words stay, emphasis goes

Front matter, code blocks, tables, HTML, pictures and the other headings are no sentences. They
are left out, and a note counts them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from summetry.errors import Place, SummetryError
from summetry.formats._base import FORMATS, Format, ReadOptions
from summetry.formats.texts import read_text, warn_at
from summetry.records.corpus import Corpus
from summetry.records.topics import Document, Topic

if TYPE_CHECKING:
    from markdown_it.token import Token

_ENDINGS = (".md", ".markdown")
# A block of "key: value" (or "key = value") lines between two marks at the very top.
_FRONT_MATTER = re.compile(
    r"\A(?P<mark>---|\+\+\+)[ \t]*\n(?=\s*[\w.-]+[ \t]*[:=])"
    r"(?:.*\n)*?(?:(?P=mark)|\.\.\.)[ \t]*(?:\n|\Z)"
)
_LEFT_OUT = {
    "fence": "code blocks",
    "code_block": "code blocks",
    "table_open": "tables",
    "html_block": "HTML blocks",
}
_BREAKS = ("softbreak", "hardbreak")
_WORDS = ("text", "code_inline", "text_special")


class Prose(NamedTuple):
    """The title of a document, its running text, and how many parts of which kind are not in it."""

    title: str
    text: str
    left_out: dict[str, int]


def read_prose(markdown: str) -> Prose:
    """The prose of a Markdown text; blocks stand apart by blank lines.

    >>> read_prose("# Ferries\\n\\nA *fine* [pier](x.md).\\n\\n- old\\n- new\\n```\\nx\\n```")
    Prose(title='Ferries', text='A fine pier.\\n\\nold\\n\\nnew', left_out={'code blocks': 1})
    """
    from markdown_it import MarkdownIt

    left_out: Counter[str] = Counter()
    body = _FRONT_MATTER.sub("", markdown)
    left_out["front matter"] += body != markdown
    title, inside, blocks = "", "", []
    for token in MarkdownIt("commonmark").enable(["table"]).parse(body):
        if token.type in _LEFT_OUT:
            left_out[_LEFT_OUT[token.type]] += 1
        if token.type in ("table_open", "heading_open"):
            inside = token.type
        elif token.type in ("table_close", "heading_close"):
            inside = ""
        elif token.type == "inline" and inside != "table_open":
            words = _words(token.children or (), left_out)
            if not inside:
                blocks.append(words)
            elif title:
                left_out["headings"] += 1
            else:
                title = " ".join(words.split())
    counts = {what: count for what, count in sorted(left_out.items()) if count}
    return Prose(title, "\n\n".join(block for block in blocks if block), counts)


def note_of(left_out: dict[str, int]) -> str:
    """What is not in the text, in words; nothing where all is."""
    return ", ".join(
        what if what == "front matter" else f"{count} {what if count > 1 else what.rstrip('s')}"
        for what, count in left_out.items()
    )


@FORMATS.register
@dataclass(frozen=True)
class Markdown(Format):
    """A Markdown document as a topic without summaries."""

    name: ClassVar[str] = "markdown"
    title: ClassVar[str] = "a Markdown document: its prose is one topic without summaries"

    def recognise(self, path: Path) -> bool:
        return path.is_file() and path.suffix.lower() in _ENDINGS

    def read(self, path: Path, options: ReadOptions) -> Corpus:
        if path.is_dir():
            raise SummetryError(f"{path}: expected a Markdown file, found a folder")
        prose = read_prose(read_text(path))
        if prose.left_out:
            warn_at(path, f"left out of the text: {note_of(prose.left_out)}")
        document = Document(id=path.stem, text=prose.text)
        builder = options.builder(path.stem)
        topic = Topic(path.stem, title=prose.title, documents=(document,))
        builder.add("topics", topic, Place(str(path)))
        return builder.build()


def _words(inline: Sequence[Token], left_out: Counter[str]) -> str:
    """The words of a block: those of links and of code in it, no pictures and no HTML."""
    left_out["pictures"] += sum(token.type == "image" for token in inline)
    return "".join(map(_shown, inline)).strip()


def _shown(token: Token) -> str:
    if token.type == "html_inline" and token.content.lower().startswith("<br"):
        return "\n"
    return "\n" if token.type in _BREAKS else token.content if token.type in _WORDS else ""
