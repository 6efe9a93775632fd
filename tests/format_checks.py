"""What the tests of several formats do alike."""

import warnings

import pytest
from hypothesis import strategies as st

from summetry import load
from summetry.errors import SummetryWarning
from summetry.formats import FORMATS

# The samples of DUC and TAC have a byte of Latin-1 and a bare ampersand, as real files do.
odd_sample = pytest.mark.filterwarnings("ignore:.*(is not UTF-8|stands for no character)")

# All that XML 1.0 can hold, without control characters, which files of lines would cut at.
xml_characters = st.characters(
    codec="utf-8", exclude_categories=("Cc", "Cs"), exclude_characters="\ufffe\uffff"
)


def read_with_notes(path):
    """A corpus that is read with notes, and these, without the folder in front."""
    with pytest.warns(SummetryWarning) as notes:
        corpus = load(path)
    folder = path if path.is_dir() else path.parent
    return corpus, [str(note.message).removeprefix(f"{folder}/") for note in notes]


def notes_on_writing(name, corpus, path):
    """What a format cannot hold of a corpus, in the words in which writing it says so."""
    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always")
        FORMATS.build(name).write(corpus, path)
    before, after = f"{path}: the format {name!r} cannot hold ", "; that was not written"
    assert all(str(note.message).startswith(before) for note in notes)
    return [str(note.message).removeprefix(before).removesuffix(after) for note in notes]


def written_and_read(name, corpus, path):
    """A corpus that was written in a format, as it is read again."""
    FORMATS.build(name).write(corpus, path)
    return load(path, name)


def records(corpus, *kinds):
    """The records of some kinds, in an order that does not depend on files."""
    return [sorted(map(repr, getattr(corpus, kind))) for kind in kinds]
