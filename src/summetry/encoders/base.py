"""What every encoder offers.

An encoder makes vectors of the tokens of a text. It is spelt ``folder(path="vectors")`` and given
to metrics as ``encoder=``. One of another kind is a class that is registered with ``ENCODERS``, or
named in an entry point ``summetry.encoders``.
"""

from __future__ import annotations

import abc
from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from summetry import spec
from summetry.arrays.types import Floats
from summetry.errors import PlugInError, SummetryError, counted
from summetry.registry import Registry
from summetry.spec import Spec

Vectors: TypeAlias = NDArray[np.float32]
# Where a token is in its text.
Span: TypeAlias = tuple[int, int]


class TokenVectors:
    """The tokens of one text: a vector and a name for each.

    Tokens that have the same vector wherever they stand may be one row, with how often they occur
    in ``counts``. ``pooled`` is the vector of the whole text, by default the mean over all tokens.
    """

    def __init__(
        self,
        vectors: Vectors,
        tokens: Sequence[str],
        counts: Floats | None = None,
        pooled: Floats | None = None,
    ) -> None:
        if vectors.ndim != 2 or len(vectors) != len(tokens):
            expected = f"a matrix with a row for each of {counted(len(tokens), 'token')}"
            found = f"an array of the shape {vectors.shape}"
            raise PlugInError(f"TokenVectors needs {expected}, got {found}")
        self._vectors = vectors
        self._tokens = tokens
        self._counts = counts
        self._pooled = pooled

    def __len__(self) -> int:
        return len(self._vectors)

    @property
    def vectors(self) -> Vectors:
        return self._vectors

    @property
    def tokens(self) -> Sequence[str]:
        return self._tokens

    @property
    def size(self) -> int:
        """How many bytes its vectors take."""
        return self._vectors.nbytes

    @cached_property
    def counts(self) -> Floats:
        """How often each row occurs."""
        return np.ones(len(self)) if self._counts is None else self._counts

    @property
    def unit(self) -> Vectors:
        """The vectors with length 1; one of zeros stays as it is."""
        return with_length_one(self.vectors)

    @property
    def mean(self) -> Floats:
        """The vector of the whole text; it is empty where there is no token."""
        if not len(self):
            return np.zeros(0)
        if self._pooled is not None:
            return self._pooled
        mean: Floats = self.counts @ self.vectors.astype(np.float64) / self.counts.sum()
        return mean


def with_length_one(vectors: Vectors) -> Vectors:
    """Each row divided by its length, in double precision."""
    exact = vectors.astype(np.float64)
    lengths = np.sqrt((exact * exact).sum(axis=1, keepdims=True))
    lengths[lengths == 0] = 1.0
    unit: Vectors = (exact / lengths).astype(np.float32)
    return unit


class Encoder(abc.ABC):
    """A frozen dataclass that derives from this class: its fields are its options."""

    name: ClassVar[str]

    @abc.abstractmethod
    def encode(self, texts: Sequence[str]) -> list[TokenVectors]:
        """The tokens of each text. What a text gets must not depend on the texts beside it."""

    @abc.abstractmethod
    def fingerprint(self) -> str:
        """All that decides the vectors and is not in the spelling: kind and hash of the weights.

        It is in every signature, and finished work is found again only where it is the same.
        """

    def locate(self, text: str) -> list[tuple[str, tuple[Span, ...]]]:
        """The tokens of a text as :meth:`encode` has them, with their places, for explanations."""
        (encoded,) = self.encode([text])
        return [(token, ()) for token in encoded.tokens]

    def tokens(self, texts: Sequence[str]) -> list[Sequence[str]]:
        """The names of the tokens of each text, as :meth:`encode` has them."""
        return [encoded.tokens for encoded in self.encode(texts)]

    def windows(self, texts: Sequence[str]) -> list[int]:
        """In how many pieces each text is read; 1, where an encoder reads texts of any length."""
        return [1] * len(texts)

    @property
    def files(self) -> tuple[str, ...]:
        """The files and folders that its options name."""
        return ()

    def describe(self) -> str:
        """What a signature says of it."""
        return ",".join(filter(None, (self.fingerprint(), ENCODERS.plug_in_of(type(self)))))

    @staticmethod
    def from_spec(value: Any) -> Encoder:
        """The encoder that a spelling names."""
        if isinstance(value, Encoder):
            return value
        if not isinstance(value, str | Spec):
            expected = 'an encoder such as folder(path="vectors")'
            raise SummetryError(f"encoder must be {expected}, got {value!r}")
        return ENCODERS.build(value if isinstance(value, Spec) else spec.parse(value))


def encode_all(encoder: Encoder, texts: Sequence[str]) -> list[TokenVectors]:
    """The tokens of each text; an encoder of somebody else is named, whatever it does."""
    try:
        found = encoder.encode(texts)
    except SummetryError:
        raise
    except Exception as error:
        if type(encoder).__module__.startswith("summetry."):
            raise
        raise PlugInError(
            f"the encoder {encoder.name!r} failed: {type(error).__name__}: {error}; "
            f"SUMMETRY_TRACEBACK=1 shows where"
        ) from error
    if len(found) != len(texts) or not all(isinstance(one, TokenVectors) for one in found):
        raise PlugInError(
            f"the encoder {encoder.name!r} must give TokenVectors for each of "
            f"{counted(len(texts), 'text')}, and gave {counted(len(found), 'thing')}"
        )
    return found


ENCODERS: Registry[Encoder] = Registry("encoder", "summetry.encoders", Encoder)
