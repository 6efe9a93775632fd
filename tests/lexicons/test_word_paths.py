"""SemDist on an index of paths, and the index on disk."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from summetry.errors import SummetryError
from summetry.lexicons import word_paths
from summetry.lexicons.roget import Entry
from summetry.lexicons.word_paths import build_paths, load_paths, paths_of, thesaurus_folder
from summetry.text.pipeline import TextPipeline

DATA = Path(__file__).parents[1] / "data"
WORDS = ["pier", "quay", "fog", "ice", "ferry"]

paths = st.lists(st.sampled_from("ab"), min_size=8, max_size=8)
thesauri = st.dictionaries(st.sampled_from(WORDS), st.lists(paths, min_size=1, max_size=3))


def semdist_oracle(word, other, thesaurus):
    """Twice the leading levels that the best pair of senses shares, one level at a time."""
    best = 0
    for one in thesaurus.get(word, []):
        for two in thesaurus.get(other, []):
            shared = 0
            while shared < 8 and one[shared] == two[shared]:
                shared += 1
            best = max(best, shared)
    return 2 * best


@given(thesauri)
def test_nearness_agrees_with_a_slow_plain_way_and_is_symmetric_even_and_at_most_16(thesaurus):
    index = paths_of(thesaurus)
    nearness = np.array([index.near(word, *index.senses_of(WORDS)) for word in WORDS])
    expected = [[semdist_oracle(word, other, thesaurus) for other in WORDS] for word in WORDS]
    assert nearness.tolist() == expected
    assert (nearness == nearness.T).all()
    assert set(nearness.flatten().tolist()) <= set(range(0, 17, 2))


def test_the_same_level_under_other_parents_is_not_shared():
    """Both paths have "x" at level 2, but below different classes."""
    index = paths_of({"pier": ["axcdefgh"], "quay": ["bxcdefgh"]})
    assert index.near("pier", *index.senses_of(["quay"])).tolist() == [0]


def test_a_sense_that_is_listed_twice_counts_once_and_an_empty_index_knows_none():
    index = build_paths([Entry("pier", tuple("abcdefgh"))] * 2)
    assert index.senses_of(["pier"])[1].tolist() == [1]
    empty = build_paths([])
    assert empty.near("pier", *empty.senses_of(["pier"])).tolist() == [0]
    assert empty.senses_of([])[1].tolist() == []
    with pytest.raises(SummetryError, match="a path has 8 levels, got 3 for 'pier'"):
        paths_of({"pier": ["abc"]})


def test_words_in_the_forms_of_a_pipeline():
    thesaurus = {"Ferry": ["abcdefgh"], "ferries": ["bbcdefgh"], "The": ["cbcdefgh"]}
    known = paths_of(thesaurus | {"the ferry": ["dbcdefgh"], "mother-in-law": ["ebcdefgh"]})
    stemmed = known.in_forms(TextPipeline.from_spec("en(stop=true,stem=true)"), "en")
    assert "ferri" in stemmed.words and "the" not in stemmed.words
    assert stemmed.senses_of(["ferri"])[1].tolist() == [2]
    assert known.in_forms(TextPipeline.from_spec("auto"), "").senses_of(["ferry"])[1] == [1]


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "harbour.jsonl"
    path.write_bytes((DATA / "harbour.jsonl").read_bytes())
    word_paths._load.cache_clear()
    return path


def kept_files():
    return sorted(thesaurus_folder().glob("*"))


def test_an_index_is_kept_and_found_again(file, monkeypatch):
    first = load_paths(file)
    assert len(kept_files()) == 1
    word_paths._load.cache_clear()
    monkeypatch.setattr(word_paths, "read_heads", None)  # Reading the file again would fail.
    again = load_paths(file)
    assert again.words == first.words
    for part in ("offsets", "senses", "nodes"):
        assert (getattr(again, part) == getattr(first, part)).all()


def test_an_index_in_the_forms_of_a_pipeline_is_kept_too(file):
    pipeline = TextPipeline.from_spec("auto(stem=true)")
    index = load_paths(file, pipeline, "en")
    word_paths._load.cache_clear()
    assert load_paths(file, pipeline, "en").words == index.words
    assert len(kept_files()) == 2


def test_a_file_that_changed_is_read_anew(file):
    before = load_paths(file)
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join(lines[:1]))
    assert len(load_paths(file)) < len(before)


@pytest.mark.parametrize("spoilt", [b"", b"no archive", None])
def test_a_broken_index_is_built_again(file, spoilt):
    index = load_paths(file)
    (kept,) = kept_files()
    whole = kept.read_bytes()
    kept.write_bytes(whole[: len(whole) // 2] if spoilt is None else spoilt)
    word_paths._load.cache_clear()
    assert load_paths(file).words == index.words
    assert kept.read_bytes() == whole


def test_a_cache_that_cannot_be_written_stops_nobody(file, monkeypatch, tmp_path):
    (tmp_path / "taken").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "taken"))
    assert "ferry" in load_paths(file).words


def test_a_file_that_cannot_be_finished_leaves_nothing(tmp_path):
    (tmp_path / "name").mkdir()  # A file cannot take the place of a folder.
    with pytest.raises(OSError):
        word_paths.write_whole(tmp_path / "name", b"content")
    assert [path.name for path in tmp_path.iterdir()] == ["name"]


def test_the_book_of_1911(real_data):
    known = load_paths(real_data("roget1911") / "pg10681.txt")
    rows, counts = known.senses_of(["existence", "being", "reality", "nothingness"])
    assert (counts > 0).all()
    near = dict(zip(["itself", "being", "reality", "nothingness"],
                    known.near("existence", rows, counts).tolist(), strict=True))  # fmt: skip
    # One semicolon group, one part of speech, and one group of heads.
    assert near["being"] == 16 and near["reality"] == 12 and near["nothingness"] == 8
