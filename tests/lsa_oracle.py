"""Latent semantic analysis the plain way: weights entry by entry, then a whole SVD.

Texts are lists of sentences, sentences lists of words.
"""

import math

import numpy as np
from hypothesis import strategies as st

LOCALS = ("FQ", "BI", "AU", "LO")
SCOPES = ("NW", "ISF", "GF", "EN")
WORDS = ["fog", "pier", "ferry", "ice", "quay", "паром", "渡轮", "hull"]

texts = st.lists(st.lists(st.sampled_from(WORDS), max_size=6), max_size=6)
CHOICES = {"local": LOCALS, "scope": SCOPES, "au_absent": ["zero", "half"]}
CHOICES |= {"en": ["standard", "printed"], "log": ["e", 2, 10]}
weightings = st.fixed_dictionaries({name: st.sampled_from(some) for name, some in CHOICES.items()})


def matrix_of(sentences, local="BI", scope="NW", au_absent="zero", en="standard", log="e"):
    """Terms in order of appearance, and the weights, sentence after sentence."""
    base = math.e if log == "e" else log
    terms = list(dict.fromkeys(word for words in sentences for word in words))
    rows = []
    for term in terms:
        counts = [words.count(term) for words in sentences]
        weight = scope_of(counts, scope, en, base)
        row = []
        for words, tf in zip(sentences, counts, strict=True):
            most = max((words.count(word) for word in words), default=0)
            row.append(weight * local_of(tf, most, local, au_absent, base))
        rows.append(row)
    return terms, np.array(rows).reshape(len(terms), len(sentences))


def local_of(tf, most, local, au_absent, base):
    if local == "AU" and most and (tf or au_absent == "half"):
        return 0.5 + 0.5 * tf / most
    if not tf or local == "AU":
        return 0.0
    return {"FQ": tf, "BI": 1.0, "LO": math.log(1 + tf, base)}[local]


def scope_of(counts, scope, en, base):
    sentences, holding, total = len(counts), sum(map(bool, counts)), sum(counts)
    if scope == "ISF":
        return math.log(sentences / holding, base) + 1
    if scope == "GF":
        return total / holding
    if scope == "NW" or sentences == 1:
        return 1.0
    if len(set(counts)) == 1:
        return 2.0 if en == "printed" else 0.0
    entropy = -math.fsum(tf / total * math.log(tf / total) for tf in counts if tf)
    share = entropy / math.log(sentences)
    return 1 + share if en == "printed" else 1 - share


def svd(sentences, **weighting):
    """Terms, left singular vectors as columns, and singular values."""
    terms, matrix = matrix_of(sentences, **weighting)
    left, values, _ = np.linalg.svd(matrix, full_matrices=False)
    return terms, left, values


def equal_to(values, place):
    """How many values there are up to the end of the group at this place."""
    end = place + 1
    while end < len(values) and values[end - 1] - values[end] <= 1e-9 * values[0]:
        end += 1
    return end


def is_zero(sentences, **weighting):
    return not matrix_of(sentences, **weighting)[1].any()


def main_topic(summary, reference, **weighting):
    """The main topics' cosine; NaN without a reference, 0 without a summary."""
    return main_cosine(*(matrix_of(text, **weighting) for text in (summary, reference)))


def main_cosine(summary, reference):
    """The largest cosine of any vector of one top space with any of the other."""
    if not reference[1].any() or not summary[1].any():
        return 0.0 if reference[1].any() else math.nan
    bases = []
    for terms, matrix in (summary, reference):
        left, values, _ = np.linalg.svd(matrix, full_matrices=False)
        bases.append((terms, left[:, : equal_to(values, 0)]))
    return max(np.linalg.svd(_products(*bases), compute_uv=False))


def _products(one, other):
    shared = [term for term in one[0] if term in other[0]]
    mine = one[1][[one[0].index(term) for term in shared]]
    theirs = other[1][[other[0].index(term) for term in shared]]
    return mine.T @ theirs


def term_significance(summary, reference, r, r_summary, **weighting):
    if is_zero(reference, **weighting):
        return math.nan
    if is_zero(summary, **weighting):
        return 0.0
    mine = significances(summary, r_summary, **weighting)
    theirs = significances(reference, r, **weighting)
    dot = math.fsum(mine[term] * theirs[term] for term in mine.keys() & theirs.keys())
    return dot / math.hypot(*mine.values()) / math.hypot(*theirs.values())


def significances(sentences, r, **weighting):
    """|b| of every term (eq. 11 and 12), with all of the singular values equal to the r-th."""
    terms, left, values = svd(sentences, **weighting)
    if r <= len(values):
        r = equal_to(values, r - 1)
    lengths = np.sqrt((left[:, :r] ** 2) @ (values[:r] ** 4))
    return dict(zip(terms, lengths.tolist(), strict=True))
