"""What the tests of several formats do alike."""

import re
import warnings
from codecs import escape_decode

import pytest
from hypothesis import strategies as st

import summetry
from summetry import load
from summetry.errors import SummetryError, SummetryWarning
from summetry.formats import FORMATS

# The samples of DUC and TAC have a byte of Latin-1 and a bare ampersand, as real files do.
odd_sample = pytest.mark.filterwarnings("ignore:.*(is not UTF-8|stands for no character)")

# All that XML 1.0 can hold, without control characters, which files of lines would cut at.
xml_characters = st.characters(
    codec="utf-8", exclude_categories=("Cc", "Cs"), exclude_characters="\ufffe\uffff"
)


def broken_files(table):
    r"""Parametrize a test by readers, each with files that it refuses.

    ``== reader`` stands above its files. A line is the name of a file, a blank and what it holds,
    with line ends and odd bytes as ``\n`` and ``\xff``; ``# `` begins a remark.
    """
    files, reader = {}, ""
    for line in table.splitlines():
        if line.startswith("== "):
            reader = line[3:]
        elif line and not line.startswith("# "):
            files.setdefault(reader, []).append(line)
    return pytest.mark.parametrize(("reader", "files"), files.items(), ids=files)


def answers(files, read):
    """Each file as it stands in the table with the message that reading it gives."""
    lines = []
    for file in files:
        name, _, content = file.partition(" ")
        lines += [file, f"  {read(name, escape_decode(content.encode())[0])}"]
    return "\n".join(lines)


def refusal(call, *arguments, **options):
    """The message with which a call is refused."""
    with pytest.raises(SummetryError) as caught:
        call(*arguments, **options)
    return str(caught.value)


def assert_says(message, words):
    """A message has these words; `` ... `` stands for any others, ``$`` for its end."""
    pattern = ".*".join(map(re.escape, words.removesuffix("$").split(" ... ")))
    assert re.search(pattern + "$" * words.endswith("$"), message), message


def noted(call, *arguments, **options):
    """What a call gives, and the notes that it makes."""
    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always")
        result = call(*arguments, **options)
    assert all(note.category is SummetryWarning for note in notes)
    return result, [str(note.message) for note in notes]


def read_with_notes(path):
    """A corpus that is read with notes, and these, without the folder in front."""
    corpus, notes = noted(load, path)
    folder = path if path.is_dir() else path.parent
    return corpus, [note.removeprefix(f"{folder}/") for note in notes]


def notes_on_writing(name, corpus, path):
    """What a format cannot hold of a corpus, in the words in which writing it says so."""
    _, notes = noted(FORMATS.build(name).write, corpus, path)
    before, after = (
        f"{path}: the format {name.partition('(')[0]!r} cannot hold ",
        "; that was not written",
    )
    assert all(note.startswith(before) for note in notes)
    return [note.removeprefix(before).removesuffix(after) for note in notes]


def written_and_read(name, corpus, path):
    """A corpus that was written in a format, as it is read again."""
    FORMATS.build(name).write(corpus, path)
    return load(path, name)


def records(corpus, *kinds):
    """The records of some kinds, in an order that does not depend on files."""
    return [sorted(map(repr, getattr(corpus, kind))) for kind in kinds]


def marks(judgments):
    """Judgments in words: the judge (- for nobody), the dimension and the value of each."""
    return ", ".join(f"{j.judge or '-'} {j.dimension} {j.value:g}" for j in judgments)


def expressed(corpus):
    """The content units that each system expresses, by topic, annotator (if named) and system."""
    peers = ((p.topic, p.annotator, *peer) for p in corpus.pyramids for peer in p.peers.items())
    return {" ".join(filter(None, names)): [part.scu for part in parts] for *names, parts in peers}


def values(corpus, metric):
    """The values of one metric by topic and system."""
    table = summetry.evaluate(corpus, [metric])
    rows = [(row.topic, row.author) for row in table.rows]
    return dict(zip(rows, table.column(metric).tolist(), strict=True))
