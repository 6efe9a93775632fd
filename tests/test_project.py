"""The project's own files: what is pinned, what is shipped, what is quick to import."""

import re
import subprocess
import sys
import tomllib
import zipfile
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest
import yaml

import summetry

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def project():
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def loaded_by(imports):
    """The names of all modules of a fresh process that imports these."""
    code = f"import sys, {imports}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_everything_that_is_required_is_pinned_by_name_and_version_only(project):
    """An address or a path in the constraints would tie the project to one machine."""
    constraints = (ROOT / "constraints.txt").read_text().splitlines()
    assert constraints and all(re.fullmatch(r"[\w.-]+==[\w.+]+", line) for line in constraints)
    needed = [*project["dependencies"]]
    for extra, packages in project["optional-dependencies"].items():
        needed += packages if extra != "all" else []
    for name in ("test", "test-models", "docs", "wheels"):
        lines = (ROOT / f"requirements-{name}.txt").read_text().splitlines()
        needed += [line for line in lines if line and not line.startswith(("#", "-r "))]
    pinned = {line.partition("==")[0].lower() for line in constraints}
    assert {re.match(r"[\w-]+", name)[0].lower() for name in needed} <= pinned


def test_the_citation_is_of_this_version_and_names_nobody_who_is_not_there(project):
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert {"cff-version", "message", "title", "authors"} <= citation.keys()
    assert citation["authors"] == [{"name": "The Summetry developers"}]
    assert citation["version"] == summetry.__version__
    assert citation["license"] == project["license"]
    assert citation["keywords"] == project["keywords"]
    assert not citation.keys() & {"doi", "url", "repository", "identifiers"}


def test_importing_the_package_loads_nothing_heavy():
    loaded = {module.partition(".")[0] for module in loaded_by("summetry")}
    assert "summetry" in loaded
    assert not loaded & {"numpy", "scipy", "rich", "click", "msgspec", "regex", "Stemmer"}


def test_ctrl_c_is_caught_from_the_first_import_on(project):
    """What the script of the command imports first must be small."""
    assert project["scripts"] == {"summetry": "summetry.__main__:main"}
    assert not {"click", "numpy", "summetry.cli"} & loaded_by("summetry.__main__")


@cache
def imports_by_module():
    """Each module of the package with the names that it imports from it."""
    package, pairs = ROOT / "src" / "summetry", []
    for path in package.rglob("*.py"):
        name = ".".join(path.relative_to(package.parent).with_suffix("").parts)
        text = re.sub("#.*", "", path.read_text(encoding="utf-8"))
        # To parse all modules would take two seconds.
        for module, names in re.findall(r"^ *from (summetry\S*) import (\([^)]*|.*)", text, re.M):
            pairs += [
                (name, f"{module}.{part.split()[0]}") for part in names.strip("(\n, ").split(",")
            ]
    return pairs


def borrowed_from(module, imported):
    """The folder whose private module, or private name, ``module`` imports from outside of it."""
    parts = imported.split(".")
    for place, part in enumerate(parts):
        if part.startswith("_") and not part.startswith("__"):
            home = ".".join(parts[:place])
            return "" if module.startswith(f"{home}.") or module == home else home
    return ""


def test_nothing_imports_another_folders_private_modules_or_names():
    assert [pair for pair in imports_by_module() if borrowed_from(*pair)] == []
    assert len(imports_by_module()) > 1000
    # What would be noticed, and what not.
    assert borrowed_from("summetry.cli.score", "summetry.metrics._pairs.PairMetric")
    assert borrowed_from("summetry.metrics.lcs", "summetry.metrics.cosine._norm")
    assert not borrowed_from("summetry.metrics.lcs", "summetry.metrics._pairs.PairMetric")
    assert not borrowed_from("summetry.formats.duc.markup", "summetry.formats._xml.parse")


def test_no_command_imports_from_another_command():
    """What commands share is in private modules of ``cli``; ``main`` alone knows them all."""
    cli = "summetry.cli."
    between = [
        (module, imported)
        for module, imported in imports_by_module()
        if module.startswith(cli) and imported.startswith(cli) and module != f"{cli}main"
    ]
    assert between
    assert [pair for pair in between if not pair[1].removeprefix(cli).startswith("_")] == []


def test_an_unknown_name_of_the_package_is_an_attribute_error():
    assert {"score", "load", "evaluate"} <= set(dir(summetry))
    with pytest.raises(AttributeError, match="has no attribute 'scoer'"):
        summetry.scoer  # noqa: B018


DATA = """
    audits/negations/en.toml data/demo/README.md data/demo/pyramids.jsonl data/demo/topics.jsonl
    judges/rubric_files/coverage.toml metrics/rouge/rouge155_data/irregular.tsv py.typed
    reports/static/pictures.css reports/static/style.css summarizers/_cues/en.toml
    summarizers/_cues/sv.toml text/languages/en.toml text/languages/sv.toml
"""


def test_data_files_are_part_of_the_package():
    assert [name for name in DATA.split() if not (files("summetry") / name).is_file()] == []


@pytest.mark.install
def test_the_built_wheel_holds_the_data_files(tmp_path):
    """What pip installs, not only what lies in the working tree."""
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-index"]
    command += ["--no-build-isolation", "--wheel-dir", str(tmp_path), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {"pytest_summetry.py", *(f"summetry/{name}" for name in DATA.split())} <= names
    assert any(name.endswith("/licenses/LICENSE") for name in names)


def test_the_readme_names_every_extra(project):
    text = (ROOT / "README.md").read_text().partition("Extras,")[2].partition("\n\n")[0]
    named = {*re.findall(r"`(\w+)` \(", text), *re.findall(r"\.\[(\w+)\]", text)}
    assert named == set(project["optional-dependencies"])


def test_make_says_what_it_can_do():
    makefile = (ROOT / "Makefile").read_text()
    targets = re.search(r"^\.PHONY: (.*)$", makefile, flags=re.M)[1].split()
    done = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert set(re.findall(r"^make (\S+) ", done.stdout, flags=re.M)) == set(targets) - {"help"}
