"""The explanation of hierarchical proximity graphs: common edges of level 1, values of all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from summetry.arrays.ngrams import joined
from summetry.metrics.explanations import Match, Part
from summetry.metrics.graphs.explain import strongest_matches
from summetry.text.tokens import Span

# From two n-grams, in order, to where they reach from and to each time they are near.
Edges = dict[tuple[str, str], tuple[Span, ...]]


def edges_of(tokens: Sequence[tuple[str, Span]], n: int, window: int, blank: str) -> Edges:
    """The graph of level 1; an edge weighs as much as it has places."""
    grams = [tokens[i : i + n] for i in range(0, len(tokens) - n + 1, n)]
    names = [joined((token for token, _ in gram), blank) for gram in grams]
    found: defaultdict[tuple[str, str], list[Span]] = defaultdict(list)
    for i, first in enumerate(names):
        for j in range(i + 1, min(i + window + 1, len(grams))):
            edge = min(first, names[j]), max(first, names[j])
            found[edge].append((grams[i][0][1][0], grams[j][-1][1][1]))
    return {edge: tuple(spans) for edge, spans in found.items()}


def hpg_part(against: str, mine: Edges, theirs: Edges, levels: Sequence[float]) -> Part:
    """How the value comes from the levels, and that of level 1 from its edges."""
    matches = [
        Match(f"{edge[0]!r} {edge[1]!r}", _share(edge, mine, theirs), mine[edge], theirs[edge])
        for edge in sorted(mine.keys() & theirs.keys())
    ]
    larger = max(sum(map(_directions, edges)) for edges in (mine, theirs))
    facts = {"matched": sum(match.weight for match in matches), "larger": float(larger)}
    facts |= {f"level_{level}": value for level, value in enumerate(levels, start=1)}
    terms = [f"{level} * level_{level}" for level in range(1, len(levels) + 1)]
    total = len(levels) * (len(levels) + 1) // 2
    formulas = {
        "level_1": "matched / larger" if larger else "0",
        "value": f"({' + '.join(terms)}) / {total}",
    }
    return Part(against, facts, formulas, strongest_matches(matches))


def _share(edge: tuple[str, str], mine: Edges, theirs: Edges) -> float:
    low, high = sorted((len(mine[edge]), len(theirs[edge])))
    return _directions(edge) * low / high


def _directions(edge: tuple[str, str]) -> int:
    """An edge runs both ways, a loop only one."""
    return 1 if edge[0] == edge[1] else 2
