"""Names side by side: none is lost, and every one can be a file's."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from summetry.reports.file_names import distinct, files_beside

NAMES = st.lists(st.sampled_from(["a", "A", "a_2", "a_3", "b", "a b", "a/b", "", "..", "質"]))


@given(NAMES)
def test_no_two_are_alike_and_the_first_ones_stay(names):
    found = distinct(names)
    assert len({name.casefold() for name in found}) == len(names)
    for place, (name, given_name) in enumerate(zip(found, names, strict=True)):
        assert name.startswith(given_name)
        if given_name.casefold() not in {other.casefold() for other in names[:place]}:
            assert name == given_name


@given(NAMES)
def test_each_is_a_file_in_the_same_folder(names):
    found = files_beside(Path("folder/out.csv"), names)
    assert len({str(path).casefold() for path in found}) == len(names)
    assert all(path.parent == Path("folder") and path.suffix == ".csv" for path in found)


def test_what_a_file_cannot_be_called_is_replaced():
    found = files_beside(Path("out.svg"), ["news/sport", "news:sport", "a b", "質"])
    told = ["out-news_sport.svg", "out-news_sport_2.svg", "out-a_b.svg", "out-質.svg"]
    assert [path.name for path in found] == told
