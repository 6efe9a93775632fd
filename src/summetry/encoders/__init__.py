"""From texts to vectors of their tokens; ``ENCODERS`` finds an encoder by name."""

from summetry.encoders.base import ENCODERS, Encoder, TokenVectors, Vectors, encode_all
from summetry.encoders.frequencies import write_idf

__all__ = ["ENCODERS", "Encoder", "TokenVectors", "Vectors", "encode_all", "write_idf"]
