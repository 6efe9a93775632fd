"""Answers of a judge as marks: tolerant in form, strict in meaning.

Taken is the first JSON object of the answer, be it in a fence or between words, or else a line that
is nothing but a mark, if all such lines say the same. A mark that is not on the scale is a parse
failure; nothing is clipped, rounded or guessed. What a model thinks aloud in front (``<think>``) is
not its answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from summetry.judges.log import Entry
from summetry.judges.rubrics import Asked

# Of a request whose answer is not there.
Kind = Literal["mark", "parse_failure", "refusal", "no_answer", "not_asked"]
FAILURES: tuple[Kind, ...] = ("parse_failure", "refusal", "no_answer", "not_asked")

_THOUGHTS = re.compile(r"\A\s*<(think|thinking|reasoning)>.*?</\1>", re.DOTALL)
_REFUSAL = re.compile(
    r"(?:i['’]?m|i am) (?:very )?(?:sorry|unable|not able)\b"
    r"|i (?:cannot|can['’]t|won['’]t|will not)\b"
    r"|(?:sorry|unfortunately),? (?:but )?i\b|as an ai\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_WINS = {"a": 1.0, "b": 0.0, "equal": 0.5, "tie": 0.5}
_YES = {"yes": 1.0, "no": 0.0}
_FIELDS = {"points": "mark", "pairs": "better", "units": "answer"}


class Outcome(NamedTuple):
    """What came of a request: a value and the judge's reason for it, or why there is none.

    Of points it is the mark, of pairs what the first summary gets (1, 1/2 or 0), of units 1 or 0.
    """

    kind: Kind
    value: float | None = None
    why: str = ""


class Usage(NamedTuple):
    """Tokens as the server counted them; None where it did not say."""

    prompt: int | None
    answer: int | None


def outcome_of(entry: Entry | None, asked: Asked) -> Outcome:
    """What an entry of the log says; None is a request that was not asked yet."""
    if entry is None:
        return Outcome("not_asked")
    if entry.response is None and entry.body is None:
        return Outcome("no_answer", why=entry.problem)
    choice = _choice(entry.response)
    if not choice:
        return Outcome("parse_failure", why="the server's answer holds no message")
    content, finish = _content(choice["message"]), choice.get("finish_reason")
    refusal = choice["message"].get("refusal")
    if refusal or finish == "content_filter":
        return Outcome("refusal", why=str(refusal or "stopped by the server's filter"))
    value, why = parse_answer(content, asked)
    if value is not None:
        return Outcome("mark", value, why)
    if _REFUSAL.match(content.strip().lstrip("\"'*")):
        return Outcome("refusal", why=content.strip())
    if finish == "length":
        why = f"{why}; the answer is cut off at max_tokens"
    return Outcome("parse_failure", why=why)


def usage_of(entry: Entry) -> Usage:
    """The tokens that a server counted."""
    usage = (entry.response or {}).get("usage")
    found = usage if isinstance(usage, dict) else {}
    counts = [found.get(name) for name in ("prompt_tokens", "completion_tokens")]
    return Usage(*(count if type(count) is int and count >= 0 else None for count in counts))


def parse_answer(content: str, asked: Asked) -> tuple[float | None, str]:
    """The value of an answer and the reason that it gives; None, and why, where it has none."""
    text = _THOUGHTS.sub("", content)
    value_of = _reader(asked)
    found = _first_object(text)
    if isinstance(found, str):
        return None, found
    field = _FIELDS[asked.mode]
    if found is not None:
        if field not in found:
            return None, f"the JSON object has no {field!r}"
        value = value_of(found[field])
        if value is None:
            return None, f"{field} is {json.dumps(found[field])[:80]}"
        reason = found.get("reason")
        return value, " ".join(reason.split()) if isinstance(reason, str) else ""
    if "{" in text:
        return None, "what begins as a JSON object is none"
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    is_lone = _NUMBER.fullmatch if asked.mode == "points" else value_of
    lone = {value_of(line) for line in lines if is_lone(line) is not None}
    if len(lone) > 1:
        return None, "several marks in lines of their own"
    value = lone.pop() if lone else None
    return value, "" if value is not None else "no JSON object, no line that is a mark"


def _reader(asked: Asked) -> Callable[[Any], float | None]:
    """How a value is read in a mode: a number of the scale, a summary, or yes and no."""
    if asked.mode == "points":
        return lambda said: _mark(said, asked.rubric.marks)
    words = _WINS if asked.mode == "pairs" else _YES

    def value_of(said: Any) -> float | None:
        if asked.mode == "units" and isinstance(said, bool):
            return float(said)
        return words.get(said.strip().strip("\"'*.").lower()) if isinstance(said, str) else None

    return value_of


def _mark(said: Any, marks: tuple[int, ...]) -> float | None:
    """A mark that is on the scale, as a number or as one in quotation marks."""
    if isinstance(said, str) and _NUMBER.fullmatch(said.strip()):
        said = float(said)
    is_number = isinstance(said, int | float) and not isinstance(said, bool)
    return float(said) if is_number and said in marks else None


def _first_object(text: str) -> dict[str, Any] | str | None:
    """The first JSON object of a text; words where it has a field twice; None where there is none.

    Something in braces that is no JSON is passed over, with all that is inside of it.
    """
    decoder = json.JSONDecoder(object_pairs_hook=_Pairs)
    place = text.find("{")
    while place >= 0:
        try:
            found, _ = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            place = text.find("{", _closing(text, place))
            continue
        names = [name for name, _ in found]
        twice = next((name for name in names if names.count(name) > 1), None)
        return dict(found) if twice is None else f"the JSON object has {twice!r} twice"
    return None


def _closing(text: str, place: int) -> int:
    """Where the brace at a place is closed; the end of the text where it is not."""
    depth = 0
    for match in re.finditer(r"[{}]", text[place:]):
        depth += 1 if match[0] == "{" else -1
        if not depth:
            return place + match.end()
    return len(text)


class _Pairs(list[tuple[str, Any]]):
    """The fields of a JSON object, those that are there twice included."""


def _choice(response: dict[str, Any] | None) -> dict[str, Any]:
    """The first choice of a response, which has a message; empty where there is none."""
    choices = (response or {}).get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(first, dict) or not isinstance(first.get("message"), dict):
        return {}
    return first


def _content(message: dict[str, Any]) -> str:
    """The text of an answer, which may be in parts."""
    content = message.get("content")
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        content = "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""
