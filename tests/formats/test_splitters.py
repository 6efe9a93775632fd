"""Running text is cut into units once, by the splitter that the caller names."""

import pytest

import summetry
from summetry.errors import SummetryError

TEXT = "One line with Dr. Ek. And more.\nThe second line"


def units(tmp_path, **options):
    (tmp_path / "a.txt").write_text(TEXT)
    return summetry.load(tmp_path / "a.txt", language="en", **options).topics[0].units


def test_rules_are_the_default(tmp_path):
    assert units(tmp_path) == ("One line with Dr. Ek.", "And more.", "The second line")


def test_another_splitter_can_be_named(tmp_path):
    assert units(tmp_path, splitter="lines") == tuple(TEXT.split("\n"))


def test_an_unknown_splitter_is_told(tmp_path):
    with pytest.raises(SummetryError, match=r"'line'. Did you mean 'lines'"):
        units(tmp_path, splitter="line")
