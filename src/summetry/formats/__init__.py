"""Formats of corpora; ``FORMATS`` finds them by name and ``load`` reads any of them.

A small format is one file. An archive is a package whose ``corpus.py`` holds the format.
"""

from summetry.formats._base import (
    FORMATS,
    Format,
    ReadOptions,
    first_bytes,
    load,
    must_be_file,
    must_be_stored,
    must_be_writable,
    must_exist,
    recognise,
    visible_files,
)

__all__ = ["FORMATS", "Format", "ReadOptions", "load", "recognise"]
__all__ += ["first_bytes", "must_be_file", "must_be_stored", "must_be_writable"]
__all__ += ["must_exist", "visible_files"]
