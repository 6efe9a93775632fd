"""N-gram graphs with dictionaries, word for word from their definitions; about as fast as the Java.

A graph is a dictionary from an ordered pair of n-grams to a weight. Without direction both pairs
of an edge are in it, with the same weight, so that the size of a graph is that of its dictionary.
Nothing here is shared with the package.
"""

from collections import defaultdict


def units(text, characters="codepoints"):
    """The characters of a text, or its tokens where it is a list of them."""
    if characters == "codepoints":
        return text
    raw = text.encode("utf-16-le", "surrogatepass")
    return [raw[i : i + 2].decode("utf-16-le", "surrogatepass") for i in range(0, len(raw), 2)]


def ngrams(symbols, n):
    if isinstance(symbols, str):
        return [symbols[i : i + n] for i in range(len(symbols) - n + 1)]
    return [tuple(symbols[i : i + n]) for i in range(len(symbols) - n + 1)]


def graph(symbols, n=3, window=3, directed=False):
    """Edges with the number of times that their ends stand near each other."""
    edges = defaultdict(float)
    grams = ngrams(symbols, n)
    for i, later in enumerate(grams):
        for earlier in grams[max(i - window, 0) : i]:
            edges[later, earlier] += 1
            if not directed:
                edges[earlier, later] += 1
    return dict(edges)


def distance_graph(symbols, n=3, window=3, directed=False):
    """Edges with the mean distance of their ends, where they are near each other."""
    distances = defaultdict(list)
    grams = ngrams(symbols, n)
    for i, later in enumerate(grams):
        for j in range(max(i - window, 0), i):
            distances[later, grams[j]].append(i - j)
            if not directed and later != grams[j]:
                distances[grams[j], later].append(i - j)
    return {edge: sum(each) / len(each) for edge, each in distances.items()}


def similarities(a, b, directed=False):
    """VS, NVS, SS and CS; the edges of the smaller graph are looked up in the larger one."""
    small, large = (a, b) if len(a) <= len(b) else (b, a)
    if not small:
        return {"VS": 0.0, "NVS": 0.0, "SS": 0.0, "CS": 0.0}
    total, common = 0.0, 0
    for edge, weight in small.items():
        other = large.get(edge)
        if other is None and directed:
            other = large.get(edge[::-1])
        if other is not None:
            total += min(weight, other) / max(weight, other)
            common += 1
    vs, ss = total / len(large), len(small) / len(large)
    return {"VS": vs, "NVS": vs / ss, "SS": ss, "CS": common / len(small)}


def update(a, b, factor, new=None):
    """U(A, B, l): common edges move towards B, edges of B alone come in with their own weight."""
    edges = dict(a)
    for edge, weight in b.items():
        if edge in edges:
            edges[edge] += (weight - edges[edge]) * factor
        else:
            edges[edge] = weight if new is None else new
    return edges


def merged(graphs, new=None):
    """The i-th graph comes in with the learning factor 1/i."""
    together = {}
    for i, each in enumerate(graphs, 1):
        together = update(together, each, 1 / i, new if i > 1 else None)
    return together


def autosummeng(candidate, references, n=3, window=3):
    mine = graph(candidate, n, window)
    return sum(similarities(mine, graph(m, n, window))["VS"] for m in references) / len(references)


def memog(candidate, references, n=3, window=3):
    model = merged([graph(text, n, window) for text in references])
    return similarities(graph(candidate, n, window), model)["VS"]
