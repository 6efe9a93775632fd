"""Texts with what matched and what was missed lit up, as HTML.

``static/lit.js`` makes the same from the same data, to the last character; a test compares both,
so what is changed here is changed there. Everything that comes from a user is escaped.

Two systems stand side by side: both summaries, then each text beside itself, lit up for the first
and for the second.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

from summetry.errors import counted
from summetry.reports.formulas import figure, steps
from summetry.reports.lit.payload import Grid
from summetry.reports.pictures.css import static_text
from summetry.text.tokens import Span

Topic: TypeAlias = Mapping[str, Any]
Item: TypeAlias = Mapping[str, Any]

LEGEND = {
    "words": (
        ("match", "matched", "in both texts"),
        ("miss", "missed", "in the text beside the summary, without a match"),
        ("", "plain", "in the summary, without a match"),
    ),
    "path": (
        ("match", "path", "the path through the choices of people that is closest to the summary"),
        ("in", "chosen", "chosen by the summary"),
    ),
    "edges": (("match", "matched", "the strongest edges that both graphs have, by number"),),
    "units": (
        ("match", "matched", "in the summary too, by number"),
        ("miss", "missed", "not in the summary"),
    ),
    "votes": (
        ("match", "matched", "chosen by the summary and by others"),
        ("miss", "missed", "chosen by others only"),
        ("in", "alone", "chosen by the summary only"),
    ),
}


LIST_HEADS = (
    '<th scope="col">No.</th><th scope="col" class="left">What</th>'
    '<th scope="col">Weight</th><th scope="col" class="left">Found</th>'
)


NO_VALUE = "The metric has no value here: the summary or the topic lacks what it needs."


class Mark(NamedTuple):
    """A part of a text that is lit up; ``number`` is that of its match, 0 for none."""

    start: int
    end: int
    is_match: bool
    number: int = 0


def lit_html(topic: Topic, items: Sequence[Item], level: int = 3, against: str = "") -> str:
    """One item, or two systems side by side by one metric; headings begin at ``level``.

    ``against`` names the one text that stands beside the summary.
    """
    return "".join(_Page(topic, items, level, against).pieces())


def standalone_html(topic: Topic, items: Sequence[Item]) -> str:
    """The same with all the style it needs, for a notebook."""
    style = static_text("lit-alone.css") + static_text("lit.css")
    return f'<style>{style}</style><div class="summetry-lit">{lit_html(topic, items)}</div>'


def paint(text: str, marks: Iterable[Mark]) -> str:
    """A text with its marks as HTML; where marks overlap, a match covers what was missed.

    Behind the end of a mark stands its number.

    >>> paint("a < b", [Mark(0, 1, True), Mark(4, 5, False, 2)])
    '<mark class="match">a</mark> &lt; <mark class="miss">b<span class="no">2</span></mark>'
    """
    known = [mark for mark in marks if mark.start < mark.end]
    cuts = sorted({0, len(text), *(m.start for m in known), *(m.end for m in known)})
    opened: dict[int, list[Mark]] = {}
    closed: dict[int, list[Mark]] = {}
    for mark in known:
        opened.setdefault(mark.start, []).append(mark)
        closed.setdefault(mark.end, []).append(mark)
    depth = {True: 0, False: 0}
    pieces: list[tuple[str, str, str]] = []
    for start, end in pairwise(cuts):
        for mark in closed.get(start, ()):
            depth[mark.is_match] -= 1
        for mark in opened.get(start, ()):
            depth[mark.is_match] += 1
        kind = "match" if depth[True] else "miss" if depth[False] else ""
        ending = sorted({mark.number for mark in closed.get(end, ()) if mark.number})
        numbers = ",".join(map(str, ending))
        if pieces and pieces[-1][0] == kind and not pieces[-1][2]:
            _, before, _ = pieces.pop()
            pieces.append((kind, before + text[start:end], numbers))
        else:
            pieces.append((kind, text[start:end], numbers))
    return "".join(map(_piece, pieces))


def _piece(piece: tuple[str, str, str]) -> str:
    kind, text, numbers = piece
    if not kind:
        return escape(text)
    shown = f'<span class="no">{numbers}</span>' if numbers else ""
    return f'<mark class="{kind}">{escape(text)}{shown}</mark>'


class _Page:
    """Items on their way to HTML."""

    def __init__(self, topic: Topic, items: Sequence[Item], level: int, against: str) -> None:
        self.topic, self.items, self.level, self.against = topic, items, level, against
        self.words: list[str] = topic["words"]

    def pieces(self) -> Iterable[str]:
        yield '<div class="lit">'
        if len(self.items) == 1:
            yield from self._figures(self.items[0])
        else:
            yield '<div class="side-by-side">'
            for item in self.items:
                name = self.topic["texts"][item["of"]]["name"]
                yield f"<div>{self._heading(name)}"
                yield from self._figures(item)
                yield "</div>"
            yield "</div>"
        explained = [item for item in self.items if item["parts"]]
        if explained:
            yield self._legend(explained[0])
        yield from self._texts()
        for item in self.items:
            yield from self._lists(item)
        yield from self._source()
        yield "</div>"

    def _heading(self, text: str, further: str = "") -> str:
        return f"<h{self.level}>{escape(text)}{further}</h{self.level}>"

    def _parts(self, item: Item) -> list[tuple[int, Mapping[str, Any]]]:
        """The parts that are shown: all, or the one against the text that is chosen."""
        parts = list(enumerate(item["parts"]))
        mine = [pair for pair in parts if self.words[pair[1]["against"]] == self.against]
        return mine or parts

    def _pooled(self, item: Item) -> tuple[set[int], Mapping[str, Any]] | None:
        """The text that is chosen of several in one part, and the matches of that part."""
        matches = item["parts"][0].get("matches", {}) if len(item["parts"]) == 1 else {}
        texts = self.topic["texts"]
        chosen = {text for text in item["show"] if texts[text]["name"] == self.against}
        return (chosen, matches) if "with" in matches and chosen else None

    def _figures(self, item: Item) -> Iterable[str]:
        """The values, how they come about, and what there is to be said."""
        if item["values"]:
            yield '<dl class="big">'
            for name, value in item["values"]:
                yield f"<div><dt>{escape(self.words[name])}</dt><dd>{shown(value)}</dd></div>"
            yield "</dl>"
        else:
            yield f'<p class="quiet">{NO_VALUE}</p>'
        if "note" in item:
            yield f'<p class="note">{escape(self.words[item["note"]])}</p>'
        for line in item.get("over", ()):
            yield f'<p class="formula">{escape(line)}</p>'
        parts = self._parts(item)
        if len(parts) > 1:
            yield f"<details><summary>The formulas against each of {len(parts)}</summary>"
        for _, part in parts:
            if len(item["parts"]) > 1:
                yield f'<p class="against">{escape(self.words[part["against"]])}</p>'
            yield from self._formulas(part)
        if len(parts) > 1:
            yield "</details>"
        pooled = self._pooled(item)
        if pooled:
            chosen, matches = pooled
            count = sum(amount for text, amount in matches["with"] if text in chosen)
            yield (
                f'<p class="small">{shown(count)} of the {shown(matches["all"])} matches '
                f"{'is' if count == 1 else 'are'} with {escape(self.against)}; "
                "the numbers are for all references together.</p>"
            )
        if "legend" in item:
            yield f'<p class="small quiet">{escape(self.words[item["legend"]])}</p>'

    def _formulas(self, part: Mapping[str, Any]) -> Iterable[str]:
        facts = {self.words[name]: value for name, value, _ in part["facts"]}
        values = {self.words[name]: value for name, _, value in part["formulas"]}
        known = {name: as_float(value) for name, value in (values | facts).items()}
        for name, formula, value in part["formulas"]:
            number = None if value is None and "undefined" not in self.words[formula] else value
            line = steps(self.words[formula], None if number is None else as_float(value), known)
            shown_line = " = ".join([self.words[name], *line])
            yield f'<p class="formula">{escape(shown_line)}</p>'
        if "note" in part:
            yield f'<p class="note">{escape(self.words[part["note"]])}</p>'
        if part["facts"]:
            yield '<details class="facts-of"><summary>What the names mean</summary>'
            yield '<dl class="facts">'
            for name, value, meaning in part["facts"]:
                said = f" {escape(self.words[meaning])}" if self.words[meaning] else ""
                yield f"<dt>{escape(self.words[name])}</dt><dd>{shown(value)}{said}</dd>"
            yield "</dl></details>"

    def _legend(self, item: Item) -> str:
        kind = "votes" if item["kind"] == "units" and "votes" in item else item["kind"]
        has_missed = "votes" in item or any("missed" in part for part in item["parts"])
        entries = "".join(
            f'<li><span class="{f"swatch {mark}".strip()}">{word}</span>{meaning}</li>'
            for mark, word, meaning in LEGEND[kind]
            if has_missed or mark != "miss"
        )
        if "votes" in item:
            of = escape(self.words[item["votes"]["of"]])
            entries += f'<li><span class="swatch" data-heat="3">3</span>{of}</li>'
        return f'<ul class="legend">{entries}</ul>'

    def _texts(self) -> Iterable[str]:
        """All summaries, then what stands beside those that have a value."""
        yield '<div class="side-by-side">'
        for item in self.items:
            yield self._cell(item, item["of"])
        beside = list(dict.fromkeys(text for item in self.items for text in item["show"]))
        named = [text for text in beside if self.topic["texts"][text]["name"] == self.against]
        for text in named or beside:
            # An empty cell keeps each text in the column of the summary that it is lit up for.
            for item in self.items:
                yield self._cell(item, text) if item["values"] else "<div></div>"
        yield "</div>"

    def _cell(self, item: Item, number: int) -> str:
        text = self.topic["texts"][number]
        is_plain = text["role"] != "reference" or text["name"].startswith("reference")
        role = "" if is_plain else ', <span class="role">reference</span>'
        votes = item.get("votes")
        if votes and votes["text"] == number:
            return f"<div>{self._heading(text['name'], role)}{self._voted(votes, text, item)}</div>"
        body = paint(text["text"], self._marks(item, number))
        prose = f'<p class="prose" {_spoken(text)}>{body}</p>'
        return f"<div>{self._heading(text['name'], role)}{prose}</div>"

    def _marks(self, item: Item, number: int) -> list[Mark]:
        """What is lit up in a text, over all parts that are shown."""
        grid = Grid.of(self.topic["texts"][number])
        marks: list[Mark] = []
        shown_parts = {place for place, _ in self._parts(item)}
        pooled = self._pooled(item)
        count = 0
        for place, part in enumerate(item["parts"]):
            matched: list[Span] = []
            for key in ("matches", "missed"):
                is_match, group = key == "matches", part.get(key, {})
                if place in shown_parts:
                    entries = [entry for entry in group.get("lit", ()) if entry[0] == number]
                    if pooled and is_match and number == item["of"] and entries:
                        pairs = zip(entries, group["with"], strict=True)
                        entries = [entry for entry, (text, _) in pairs if text in pooled[0]]
                    spans = [span for entry in entries for span in grid.spans(entry)]
                    matched += spans if is_match else []
                    marks += [Mark(*span, is_match) for span in grid.joined(spans)]
                    if number in group.get("rest", ()):
                        marks += [Mark(*span, is_match) for span in grid.rest(matched)]
                for row, entries in enumerate(group.get("places", ())):
                    count += 1
                    label = group["no"][row] if "no" in group else count
                    if pooled and is_match and pooled[0].isdisjoint(e[0] for e in entries):
                        continue
                    for entry in entries:
                        if entry[0] == number and place in shown_parts:
                            marks += [Mark(*s, is_match, label) for s in grid.spans(entry)]
        return marks

    def _voted(self, votes: Mapping[str, Any], text: Mapping[str, Any], item: Item) -> str:
        """The source with what people gave each sentence, and which of them were chosen."""
        marks, last, pieces = self._marks(item, votes["text"]), 0, []
        most = max((as_float(value) for value in votes["each"]), default=0.0)
        spans = Grid.of(text).spans(votes["units"])
        for (start, end), each, chosen in zip(spans, votes["each"], votes["chosen"], strict=True):
            pieces.append(escape(text["text"][last:start]))
            last = end
            if marks:  # A path, which need not be of whole sentences.
                within = [m for m in marks if m.start < end and start < m.end]
                cut = [
                    Mark(max(m.start, start) - start, min(m.end, end) - start, *m[2:])
                    for m in within
                ]
            else:
                cut = [Mark(0, end - start, bool(chosen))] if each else []
            heat = f' data-heat="{max(1, int(5 * each / most))}"' if each and most else ""
            count = f"<sup>{shown(each)}</sup>" if each or chosen else ""
            body = paint(text["text"][start:end], cut)
            pieces.append(f'<span class="s{" in" * chosen}"{heat}>{count}{body}</span>')
        pieces.append(escape(text["text"][last:]))
        return f'<p class="prose votes" {_spoken(text)}>{"".join(pieces)}</p>'

    def _lists(self, item: Item) -> Iterable[str]:
        """What matched and what was missed by name, and the small tables of a metric."""
        number = 0
        shown_parts = {place for place, _ in self._parts(item)}
        name = escape(self.topic["texts"][item["of"]]["name"])
        for place, part in enumerate(item["parts"]):
            rows: list[str] = []
            more: list[str] = []
            for key, found, said in (("matches", "yes", "matched"), ("missed", "not", "missed")):
                group = part.get(key, {})
                for row, what in enumerate(group.get("what", ())):
                    number += "places" in group
                    label = group["no"][row] if "no" in group else number
                    rows.append(
                        f"<tr><td>{label or '' if 'places' in group else ''}</td>"
                        f'<th scope="row" class="left">{escape(self.words[what])}</th>'
                        f"<td>{shown(group['weight'][row])}</td>"
                        f'<td class="left"><span class="{found}">{said}</span></td></tr>'
                    )
                if "more" in group:
                    count, weight = group["more"]
                    more.append(f"and {count:,} more {said}, of weight {shown(weight)} together")
            if place not in shown_parts:
                continue
            if rows:
                against = escape(self.words[part["against"]])
                title = f"{name} against {against}" if against else name
                yield f"<details><summary>{title}: {len(rows)} listed</summary>"
                yield _table(title, LIST_HEADS, rows)
                yield "".join(f'<p class="small quiet">{line}</p>' for line in more)
                yield "</details>"
            for sheet in part.get("tables", ()):
                yield from self._sheet(sheet)

    def _sheet(self, sheet: Mapping[str, Any]) -> Iterable[str]:
        heading = escape(self.words[sheet["heading"]])
        first = sheet["rows"][0] if sheet["rows"] else sheet["columns"]
        heads = "".join(
            f'<th scope="col"{_left(cell)}>{escape(self.words[column])}</th>'
            for column, cell in zip(sheet["columns"], first, strict=True)
        )
        rows = [
            "<tr>"
            + "".join(
                f"<td{_left(cell)}>"
                f"{escape(self.words[cell[0]]) if isinstance(cell, list) else shown(cell)}</td>"
                for cell in row
            )
            + "</tr>"
            for row in sheet["rows"]
        ]
        yield f"<details><summary>{heading}</summary>{_table(heading, heads, rows)}"
        if sheet["more"]:
            yield f'<p class="small quiet">and {counted(sheet["more"], "more row")}</p>'
        yield "</details>"

    def _source(self) -> Iterable[str]:
        """The texts that nothing is lit up in, folded."""
        used = {text for item in self.items for text in (*item["show"], item["of"])}
        for item in self.items:
            for number in item.get("others", ()):
                if number not in used:
                    used.add(number)
                    text = self.topic["texts"][number]
                    yield f"<details><summary>{escape(text['name'])}</summary>"
                    yield f'<p class="prose" {_spoken(text)}>{escape(text["text"])}</p></details>'


def shown(value: float | str | None) -> str:
    """A number of the data as a figure."""
    return figure(as_float(value))


def as_float(value: float | str | None) -> float:
    return float("nan") if value is None else float(value)


def _left(cell: Any) -> str:
    return ' class="left"' if isinstance(cell, list) else ""


def _spoken(text: Mapping[str, Any]) -> str:
    language = f'lang="{escape(text["lang"])}" ' if text["lang"] else ""
    return f'{language}dir="{text["dir"]}"'


def _table(label: str, heads: str, rows: Iterable[str]) -> str:
    table = f"<table><thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    return f'<div class="scroll" role="region" aria-label="{label}" tabindex="0">{table}</div>'
