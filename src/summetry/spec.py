"""The one-line spelling of a configured object: ``name`` or ``name(key=value,...)``.

A value is a number, ``true``, ``false``, ``none``, a word, a quoted string, a list
``[a,b]``, or a spelling again: ``rouge_n(n=2,text=en(stem=true))``. A dot after a spelling
picks one value of a metric: ``coselection(beta=2).recall``.

The same spelling is used on the command line, in files, in web forms and in signatures,
so a line copied from a paper runs again. Equal objects are spelt alike, and every
spelling reads back.
"""

from __future__ import annotations

import dataclasses
import inspect
import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, TypeAlias

import msgspec

from summetry.errors import SummetryError, shorten

Value: TypeAlias = "bool | int | float | str | Spec | tuple[Value, ...] | None"

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
# Names that people know may hold a number with a point, or end in a star: rouge-w-1.2, rouge-s*.
_TITLE = re.compile(_NAME.pattern + r"(?:(?<=\d)\.\d+)?\*?")
_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# key=value where the value has blanks and no quotation marks.
_WITH_BLANKS = re.compile(r"""(\w+)=([^\s()\[\],="']+(?:\s+[^\s()\[\],="']+)+)(?=\s*[,)\]])""")
_WORD = re.compile(r"""[^\s()\[\],="']+""")
_ESCAPE_OR_QUOTE = re.compile(r'\\.|"', re.DOTALL)
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"' + r"|'(?:[^'\\]|\\.)*'", re.DOTALL)
_INTEGER = re.compile(r"[+-]?\d+")
_NUMBER = re.compile(r"[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|inf)", re.IGNORECASE)
_CONSTANTS: dict[str, bool | None] = {"true": True, "false": False, "none": None}
# Where an object keeps its own spelling.
_KEPT = "_spelling"


class Spec(msgspec.Struct, frozen=True):
    """A name with its options, and the one value that is wanted (``""`` for all)."""

    name: str
    options: Mapping[str, Value] = msgspec.field(default_factory=dict)
    pick: str = ""

    def __str__(self) -> str:
        return _spell(self.name, self.options, self.pick)


def parse(text: str) -> Spec:
    """Read a spelling.

    >>> parse("rouge_n(n=2, text=en(stem=true)).recall")
    Spec(name='rouge_n', options={'n': 2, 'text': Spec(name='en', options={'stem': True}, \
pick='')}, pick='recall')
    """
    try:
        return _Reader(text).whole()
    except RecursionError:
        raise SummetryError(f"cannot read {shorten(text)}: it is nested too deep") from None


def split_list(text: str) -> list[str]:
    """The spellings of a list, cut at commas outside brackets and quotation marks.

    >>> split_list("rouge-1, rouge_n(n=2,text=en).recall")
    ['rouge-1', 'rouge_n(n=2,text=en).recall']
    """
    pieces, depth = [""], 0
    for piece in re.split(rf"({_QUOTED.pattern}|[()\[\],])", text, flags=re.DOTALL):
        depth += (piece in ("(", "[")) - (piece in (")", "]"))
        if piece == "," and depth == 0:
            pieces.append("")
        else:
            pieces[-1] += piece
    return [piece.strip() for piece in pieces if piece.strip()]


def show(obj: Any) -> str:
    """Spell a configured object; options left at their default are not written.

    A frozen one keeps its spelling: it never changes, and a call asks for it many times.
    """
    kept: dict[str, str] = getattr(obj, "__dict__", {})
    if _KEPT in kept:
        return kept[_KEPT]
    spelling = _spell(obj.name, changed_options(obj))
    if type(obj).__dataclass_params__.frozen:
        kept[_KEPT] = spelling
    return spelling


def changed_options(obj: Any) -> dict[str, Any]:
    """The options of a configured dataclass that differ from their defaults, in field order.

    A field called ``name`` is what stands before the brackets, never an option.
    """
    changed = {}
    for option in _options_of(type(obj)):  # type: ignore[arg-type]
        value = getattr(obj, option.name)
        if value != _default(option):
            changed[option_name(option)] = value
    return changed


@lru_cache(maxsize=256)
def _options_of(cls: type[Any]) -> tuple[dataclasses.Field[Any], ...]:
    """The options of a class; what it adds to its base stands first: rouge_n(n=2,text=...)."""
    own = inspect.get_annotations(cls)
    options = [field for field in dataclasses.fields(cls) if field.init and field.name != "name"]
    return tuple(sorted(options, key=lambda option: option.name not in own))


def option_name(option: dataclasses.Field[Any]) -> str:
    """How an option is spelt: ``score_`` is ``score``, where a method has the plain name."""
    return option.name.removesuffix("_")


def _default(option: dataclasses.Field[Any]) -> Any:
    if option.default_factory is not dataclasses.MISSING:
        return option.default_factory()
    return option.default


def _spell(name: str, options: Mapping[str, Any], pick: str = "") -> str:
    inside = ",".join(f"{key}={_spell_value(value)}" for key, value in options.items())
    return name + (f"({inside})" if inside else "") + (f".{pick}" if pick else "")


def _spell_value(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        # 2 and 2.0 are equal, so they are spelt alike.
        return str(int(value)) if value.is_integer() else repr(value)
    if isinstance(value, str):
        plain = _NAME.fullmatch(value) and not _is_constant(value)
        return value if plain else json.dumps(value)
    if isinstance(value, tuple | list):
        return f"[{','.join(map(_spell_value, value))}]"
    # What a class reads in its own way (``from_spec``) it may write in its own way.
    value = value.to_spec() if hasattr(value, "to_spec") else value
    return str(value) if isinstance(value, Spec) else show(value)


def _is_constant(word: str) -> bool:
    return word.lower() in _CONSTANTS or _NUMBER.fullmatch(word) is not None


class _Reader:
    """Recursive descent over one line."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def whole(self) -> Spec:
        name = self._take(_TITLE, "a name")
        options = self._options() if self._next() == "(" else {}
        pick = self._pick()
        if self._next():
            raise self._error("a comma or the end")
        return Spec(name, options, pick)

    def _pick(self) -> str:
        if self._next() != ".":
            return ""
        self.at += 1
        return self._take(_KEY, "the name of a value after the dot")

    def _options(self) -> dict[str, Value]:
        options: dict[str, Value] = {}
        for start in self._items(")"):
            key = self._take(_KEY, "key=value")
            if key in options:
                raise self._error(f"{key} once", start)
            self._expect("=")
            options[key] = self._value()
        return options

    def _items(self, closing: str) -> Iterator[int]:
        """Where each item begins, from the opening bracket to the closing one."""
        self.at += 1
        while self._next() != closing:
            yield self.at
            if self._next() != closing:
                self._expect(",")
        self.at += 1

    def _value(self) -> Value:
        first = self._next()
        if first in ('"', "'") and first:
            return self._string()
        if first == "[":
            return tuple(self._value() for _ in self._items("]"))
        start = self.at
        word = self._take(_WORD, "a value")
        if self._next() == "(":
            if not _TITLE.fullmatch(word):
                raise self._error("a name before the bracket", start)
            options, pick = self._options(), self._pick()
            # A name without options is just the word, so that both are one spelling.
            return Spec(word, options, pick) if options else ".".join(filter(None, (word, pick)))
        if word.lower() in _CONSTANTS:
            return _CONSTANTS[word.lower()]
        if _INTEGER.fullmatch(word):
            try:
                return int(word)
            except ValueError:  # Python reads 4300 digits and no more.
                raise self._error("a number of fewer digits", start) from None
        return float(word) if _NUMBER.fullmatch(word) else word

    def _string(self) -> str:
        start = self.at
        raw = self._take(_QUOTED, "a closing quotation mark")
        if raw[0] == "'":
            doubled = {"\\'": "'", '"': '\\"'}
            inside = _ESCAPE_OR_QUOTE.sub(lambda m: doubled.get(m[0], m[0]), raw[1:-1])
            raw = f'"{inside}"'
        try:
            return str(json.loads(raw, strict=False))
        except ValueError:
            raise self._error("a string with the escapes of JSON", start) from None

    def _next(self) -> str:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1
        return self.text[self.at : self.at + 1]

    def _take(self, pattern: re.Pattern[str], expected: str) -> str:
        self._next()
        match = pattern.match(self.text, self.at)
        if not match:
            raise self._error(expected)
        self.at = match.end()
        return match.group()

    def _expect(self, mark: str) -> None:
        if self._next() != mark:
            for bare in _WITH_BLANKS.finditer(self.text):
                if bare.start() < self.at < bare.end():
                    raise SummetryError(
                        f"cannot read {shorten(self.text, 200)}: a value with blanks needs "
                        f'quotation marks: {bare[1]}="{bare[2]}"'
                    )
            raise self._error(repr(mark))
        self.at += 1

    def _error(self, expected: str, at: int | None = None) -> SummetryError:
        at = self.at if at is None else at
        rest = self.text[at:]
        here = f"{rest[:20]!r} at character {at + 1}" if rest else "the end"
        return SummetryError(
            f"cannot read {shorten(self.text, 200)}: expected {expected}, found {here}; "
            f"write name or name(key=value,key=value)"
        )
