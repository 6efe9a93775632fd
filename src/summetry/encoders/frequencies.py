"""Document frequencies: in how many texts each token of an encoder is, kept in a file.

    {"encoder": "static,weights:9f3a1c07e2b4d518", "documents": 2, "frequencies": {"ferry": 1}}

The weight of a token is ln((N + 1) / (n + 1)), where n of the N texts have it: 0 for one that all
of them have. It depends on a whole collection, while a metric sees a part of it at a time, so it is
counted once, beforehand.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path

import msgspec
import numpy as np

from summetry.arrays.types import Floats
from summetry.encoders.base import Encoder
from summetry.encoders.weights import hash_of
from summetry.errors import FormatError, Place, SummetryError, for_python
from summetry.files import write_whole
from summetry.spec import Spec

# Texts that are encoded at once.
_BLOCK = 1024


class DocumentFrequencies(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many texts there are, and how many of them have each token."""

    encoder: str
    documents: int
    frequencies: dict[str, int]

    def weights(self, tokens: Sequence[str]) -> Floats:
        """The inverse document frequency of each token."""
        find = self.frequencies.get
        known = [self.documents + 1, *(find(token, 0) + 1 for token in tokens)]
        logarithms = [math.log(number) for number in known]
        return np.array([logarithms[0] - one for one in logarithms[1:]])


def count_documents(texts: Iterable[str], encoder: Encoder) -> DocumentFrequencies:
    """In how many of the texts each token is; texts that are equal count once each."""
    counts: Counter[str] = Counter()
    documents, rest = 0, iter(texts)
    while block := list(islice(rest, _BLOCK)):
        documents += len(block)
        for tokens in encoder.tokens(block):
            counts.update(set(tokens))
    if not documents:
        raise SummetryError("document frequencies need at least one text, got none")
    return DocumentFrequencies(encoder.describe(), documents, dict(sorted(counts.items())))


@for_python
def write_idf(
    texts: Iterable[str],
    file: str | os.PathLike[str],
    path: str = "",
    encoder: str | Encoder = "folder",
) -> None:
    """Write the document frequencies of texts, most often all references, for ``idf=FILE``.

    The encoder is the folder at ``path``, as in a metric, or another one.
    """
    if isinstance(texts, str):
        raise SummetryError("texts must be a list of texts, got a string")
    asked = Spec("folder", {"path": path}) if path else encoder
    counted = count_documents(texts, Encoder.from_spec(asked))
    write_whole(Path(file), msgspec.json.format(msgspec.json.encode(counted)) + b"\n")


def load_frequencies(file: str, encoder: Encoder) -> DocumentFrequencies:
    """The frequencies in a file, which must have been counted with this encoder."""
    path = Path(file)
    if not path.is_file():
        raise SummetryError(
            f"there is no file {file!r} of document frequencies; summetry.encoders.write_idf "
            f"writes one"
        )
    found = _read(path, hash_of([path]))
    if found.encoder != encoder.describe():
        raise FormatError(
            Place(file),
            f"frequencies of the tokens of {encoder.describe()}",
            f"those of {found.encoder}",
            "count them again with this encoder",
        )
    return found


@lru_cache(maxsize=4)
def _read(path: Path, content: str) -> DocumentFrequencies:
    try:
        return msgspec.json.decode(path.read_bytes(), type=DocumentFrequencies)
    except msgspec.DecodeError as error:
        expected = "document frequencies, as summetry.encoders.write_idf writes them"
        raise FormatError(Place(str(path)), expected, str(error)) from error
