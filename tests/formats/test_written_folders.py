"""Writing to a folder of files: what all formats with several files a topic refuse."""

import pytest

from summetry.errors import SummetryError
from summetry.formats import FORMATS
from summetry.records.corpus import Corpus
from summetry.records.topics import Document, Topic

DOCUMENT = Document("d", units=("A.",))


@pytest.mark.parametrize(
    ("name", "stranger"), [("duc", "notes.txt"), ("mead", "old.docsent"), ("tac", "notes.txt")]
)
def test_a_corpus_has_a_folder_of_its_own(tmp_path, name, stranger):
    corpus = Corpus(topics=(Topic("D1", documents=(DOCUMENT,)),))
    (tmp_path / stranger).write_text("x")
    with pytest.raises(SummetryError, match=f"holds {stranger}, which may be read as part of the"):
        FORMATS.build(name).write(corpus, tmp_path)
    with pytest.raises(SummetryError, match="expected a folder to write to, found"):
        FORMATS.build(name).write(corpus, tmp_path / stranger)
    assert [path.name for path in tmp_path.iterdir()] == [stranger]


@pytest.mark.parametrize("name", ["mead", "tac"])
def test_documents_of_one_name_are_not_told_apart(tmp_path, name):
    twice = Corpus(topics=(Topic("t", documents=(DOCUMENT, DOCUMENT)),))
    with pytest.raises(SummetryError, match="topic 't' has several documents 'd'"):
        FORMATS.build(name).write(twice, tmp_path / "out")
    assert not (tmp_path / "out").exists()
