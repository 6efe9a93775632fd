"""Networks of references the long way: every path, every edit, exact integers."""

import math
from collections import Counter
from functools import cmp_to_key
from itertools import pairwise

START, END = -1, math.inf


def edits(x, y):
    """Edit distance, cell by cell."""
    row = list(range(len(y) + 1))
    for i, a in enumerate(x, 1):
        above, row = row, [i]
        for j, b in enumerate(y, 1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (a != b)))
    return row[-1]


def arcs_of(references):
    return Counter(arc for r in references for arc in pairwise([START, *r, END]))


def all_paths(references):
    arcs = arcs_of(references)

    def onward(node):
        if node == END:
            yield ()
            return
        for tail, head in arcs:
            if tail == node:
                for rest in onward(head):
                    yield rest if head == END else (head, *rest)

    return sorted(onward(START))


def product(path, references, boundaries):
    """The product of the counts on a path, and how many they are."""
    arcs = arcs_of(references)
    nodes = [START, *path, END] if boundaries else path
    counts = [arcs[arc] for arc in pairwise(nodes)]
    return math.prod(counts), len(counts)


def reliability(path, references, boundaries):
    p, k = product(path, references, boundaries)
    return (p / len(references) ** k) ** (1 / k) if k else math.nan


def closest_path(candidate, references, criterion, boundaries):
    def cost(path):
        d, length = edits(candidate, path), len(path)
        # d / length as one whole number: no path here has more than 20 units.
        ratio = d * math.lcm(*range(1, 21)) // length
        first = (d, -length) if criterion == "distance" else (ratio, d)
        return *first, -product(path, references, boundaries)[0], path

    return min(all_paths(references), key=cost)


def best_path(references, boundaries):
    def order(a, b):
        (p, k), (q, m) = (product(path, references, boundaries) for path in (a, b))
        return (p**m < q**k) - (p**m > q**k) or len(a) - len(b) or (a > b) - (a < b)

    paths = [path for path in all_paths(references) if boundaries or len(path) > 1]
    return min(paths, key=cmp_to_key(order), default=None)
