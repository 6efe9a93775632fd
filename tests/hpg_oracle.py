"""Hierarchical proximity graphs word for word from their definitions: slow, plain, exact.

Dictionaries and fractions, one position after the other; nothing here is shared with the
package. A graph is a dictionary from an edge, the set of its two (or one) symbols, to its weight.
"""

from collections import Counter
from fractions import Fraction
from math import floor

from graph_oracle import units


def first_sequence(text, n, characters="codepoints"):
    """The n-grams of a text that do not overlap; what is left at its end is dropped."""
    symbols = units(text, characters)
    return [tuple(symbols[i : i + n]) for i in range(0, len(symbols) - n + 1, n)]


def proximity_graph(sequence, window):
    """How often each two symbols stand at most ``window`` places apart."""
    graph = Counter()
    for i in range(len(sequence)):
        for j in range(i + 1, min(i + window, len(sequence) - 1) + 1):
            graph[frozenset({sequence[i], sequence[j]})] += 1
    return graph


def star(sequence, i, window):
    """What one position adds to the graph: its symbol joined to each of its neighbours."""
    graph = Counter()
    for j in range(max(i - window, 0), min(i + window, len(sequence) - 1) + 1):
        if j != i:
            graph[frozenset({sequence[i], sequence[j]})] += 1
    return graph


def size(graph):
    """Directed edges: a loop is one, any other edge runs both ways."""
    return sum(len(edge) for edge in graph)


def matched(one, other):
    ratios = Fraction(0)
    for edge in one.keys() & other.keys():
        low, high = sorted((one[edge], other[edge]))
        ratios += len(edge) * Fraction(low, high)
    return ratios


def value_similarity(one, other):
    larger = max(size(one), size(other))
    return matched(one, other) / larger if larger else Fraction(0)


def normalised_value_similarity(one, other):
    # Most neighbourhoods share nothing.
    if one.keys().isdisjoint(other):
        return Fraction(0)
    return matched(one, other) / min(size(one), size(other))


class ExactIndex:
    """A number for each neighbourhood, the same for the same edges with the same weights."""

    def __init__(self):
        self.known = {}

    def symbol(self, graph):
        return self.known.setdefault(frozenset(graph.items()), len(self.known))


class FuzzyIndex:
    """The number of the nearest one so far, of the oldest among equals, if above theta."""

    def __init__(self, theta):
        self.theta = Fraction(str(theta))
        self.known = []

    def symbol(self, graph):
        likeness = [normalised_value_similarity(graph, old) for old in self.known]
        if not likeness or max(likeness) <= self.theta:
            self.known.append(graph)
            return len(self.known) - 1
        return likeness.index(max(likeness))


def level_similarities(
    candidate, reference, n=2, window=3, levels=5, theta=1, characters="codepoints"
):
    """VS of each level, as fractions."""
    mine, theirs = (first_sequence(text, n, characters) for text in (candidate, reference))
    reaches = [floor(Fraction(str(window)) * level) for level in range(1, levels + 1)]
    similarities = []
    for level, reach in enumerate(reaches):
        if level > 0:
            index = ExactIndex() if theta == 1 else FuzzyIndex(theta)
            before = reaches[level - 1]
            mine = [index.symbol(star(mine, i, before)) for i in range(len(mine))]
            theirs = [index.symbol(star(theirs, i, before)) for i in range(len(theirs))]
        graphs = proximity_graph(mine, reach), proximity_graph(theirs, reach)
        similarities.append(value_similarity(*graphs))
    return similarities


def overall(similarities):
    weights = range(1, len(similarities) + 1)
    return sum(w * s for w, s in zip(weights, similarities, strict=True)) / sum(weights)
