"""What is installed, read from the names of folders and as importlib.metadata knows it."""

import sys
import zipfile
from importlib import metadata

import pytest

from summetry import installed

PROJECTS = ("numpy", "PyStemmer", "xxhash", "no-such-project")


@pytest.fixture
def in_folders(monkeypatch):
    """As in a fresh process: libraries that other tests import add finders of their own."""
    monkeypatch.setattr(installed, "_are_all_in_folders", lambda: True)


def write_plug_in(folder, group, name="plugged"):
    about = folder / f"{name}-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[{group}]\nmine = {name}:thing\n")


def test_versions_are_those_of_the_distributions_however_they_are_found(monkeypatch):
    expected = [*(metadata.version(project) for project in PROJECTS[:-1]), "none"]
    with monkeypatch.context() as as_folders:
        as_folders.setattr(installed, "_are_all_in_folders", lambda: True)
        assert list(installed.versions(PROJECTS)) == expected

    class Finder:
        find_distributions = staticmethod(lambda context: ())
        find_spec = staticmethod(lambda name, path=None, target=None: None)

    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, Finder])
    monkeypatch.setattr(installed, "_distributions", lambda: pytest.fail("not to be looked at"))
    assert list(installed.versions(PROJECTS)) == expected


def test_the_first_on_the_way_counts(in_folders, monkeypatch, tmp_path):
    write_plug_in(tmp_path, "any", "numpy")
    monkeypatch.syspath_prepend(tmp_path)
    assert list(installed.versions(["NumPy"])) == ["1.0"]


def test_a_plug_in_is_found_as_soon_as_it_is_there(in_folders, monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(tmp_path)
    group = "summetry.of_this_test"
    assert list(installed.entry_points(group)) == []
    write_plug_in(tmp_path, group)
    (point,) = installed.entry_points(group)
    assert (point.name, point.value, point.dist.version) == ("mine", "plugged:thing", "1.0")
    assert list(installed.entry_points("summetry.of_this")) == []


def test_a_plug_in_in_an_archive_is_found(monkeypatch, tmp_path):
    write_plug_in(tmp_path / "in", "summetry.of_this_test")
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        for file in (tmp_path / "in").rglob("*"):
            if file.is_file():
                archive.write(file, file.relative_to(tmp_path / "in"))
    monkeypatch.syspath_prepend(tmp_path / "all.zip")
    assert [point.name for point in installed.entry_points("summetry.of_this_test")] == ["mine"]


def test_all_that_is_installed_has_the_same_entry_points(in_folders):
    for group in ("console_scripts", "pytest11"):
        names = metadata.entry_points(group=group).names
        assert {point.name for point in installed.entry_points(group)} == names
