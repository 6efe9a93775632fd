"""One file a format; ``FORMATS`` finds them by name and ``load`` reads any of them."""

from summetry.formats._base import (
    FORMATS,
    Format,
    ReadOptions,
    load,
    must_be_stored,
    must_exist,
    recognise,
)

__all__ = ["FORMATS", "Format", "ReadOptions", "load", "must_be_stored", "must_exist", "recognise"]
