"""Marks of common subsequences by the textbook: a table, cell by cell, and the way back."""


def trace_back(marked, other, table):
    """From the last corner to the first: equal tokens together, else up if no less, else left."""
    marks = [False] * len(marked)
    i, j = len(marked), len(other)
    while i and j:
        if marked[i - 1] == other[j - 1]:
            i, j = i - 1, j - 1
            marks[i] = True
        elif table[i - 1][j] >= table[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return marks


def mark_longest(marked, other):
    """The tokens in the longest common subsequence."""
    table = [[0] * (len(other) + 1)]
    for a in marked:
        above, row = table[-1], [0]
        for j, b in enumerate(other):
            row.append(above[j] + 1 if a == b else max(above[j + 1], row[j]))
        table.append(row)
    return trace_back(marked, other, table)


def mark_heaviest(marked, other, weight):
    """The tokens in the common subsequence in which runs of k tokens are worth k^weight."""
    table, runs = [[0.0] * (len(other) + 1)], [0] * (len(other) + 1)
    for a in marked:
        above, row, row_runs = table[-1], [0.0], [0]
        for j, b in enumerate(other):
            k = runs[j]
            if a == b:
                row.append(above[j] + (k + 1) ** weight - k**weight)
                row_runs.append(k + 1)
            else:
                row.append(max(above[j + 1], row[j]))
                row_runs.append(0)
        table.append(row)
        runs = row_runs
    return trace_back(marked, other, table)
