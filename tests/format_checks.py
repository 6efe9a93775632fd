"""What the tests of several formats do alike."""

import pytest
from hypothesis import strategies as st

from summetry import load
from summetry.errors import SummetryWarning
from summetry.formats import FORMATS, ReadOptions

# The samples of DUC and TAC have a byte of Latin-1 and a bare ampersand, as real files do.
odd_sample = pytest.mark.filterwarnings("ignore:.*(is not UTF-8|stands for no character)")

# All that XML 1.0 can hold, without control characters, which files of lines would cut at.
xml_characters = st.characters(
    codec="utf-8", exclude_categories=("Cc", "Cs"), exclude_characters="\ufffe\uffff"
)


def notes_on_reading(path):
    """The warnings that reading gives, without the path in front."""
    with pytest.warns(SummetryWarning) as told:
        load(path)
    return [str(one.message).removeprefix(f"{path}/") for one in told]


def written_and_read(name, corpus, path):
    """A corpus that was written to a folder in a format, as it is read again."""
    FORMATS.build(name).write(corpus, path)
    return FORMATS.build(name).read(path, ReadOptions())


def records(corpus, *kinds):
    """The records of some kinds, in an order that does not depend on files."""
    return [sorted(map(repr, getattr(corpus, kind))) for kind in kinds]
