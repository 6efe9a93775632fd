"""The benchmarks as a whole: all are run, one that fails is named, sections and rows are kept."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "benchmarks"


@pytest.fixture
def modules(monkeypatch):
    """Import by name from the folder of benchmarks, and leave nothing of it behind."""
    before = set(sys.modules)
    monkeypatch.syspath_prepend(str(FOLDER))
    yield __import__
    for name in set(sys.modules) - before:
        if str(FOLDER) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


def test_make_benchmark_runs_every_script(modules):
    """A script with a ``main`` is run by the driver, or by a script that the driver runs."""
    driver = modules("all")
    run = driver.scripts()
    texts = {name: path.read_text(encoding="utf-8") for name, path in run.items()}
    for path in FOLDER.glob("*.py"):
        name = path.stem
        if "def main(" not in path.read_text(encoding="utf-8") or name in ("all", *run):
            continue
        used = re.compile(rf'from {name} import|"{name}\.py"')
        assert any(used.search(text) for text in texts.values()), f"nothing runs {path.name}"
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(r"^benchmark:.*\n\t\$\(PY\) benchmarks/all\.py$", makefile, re.MULTILINE)


def test_one_that_fails_stops_no_other_and_is_named_at_the_end(tmp_path):
    said = "print({!r}); write_section = str; write_section('')"
    (tmp_path / "ends_well.py").write_text(said.format("well done"))
    (tmp_path / "breaks.py").write_text(said.format("begun") + "; raise SystemExit(3)")
    (tmp_path / "no_benchmark.py").write_text("print('never run')")

    call = f"from pathlib import Path; import all; all.main(Path({str(tmp_path)!r}))"
    command = [sys.executable, "-c", call]
    done = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "failed: breaks.py"
    assert done.stdout == "--- breaks.py\nbegun\n--- ends_well.py\nwell done\n"


def test_a_section_replaces_its_own_text_and_rows_and_no_others(modules, tmp_path, monkeypatch):
    sections = modules("sections")
    monkeypatch.setattr(sections, "PAGE", tmp_path / "page.md")
    monkeypatch.setattr(sections.os, "cpu_count", lambda: 2)
    monkeypatch.setattr(sections.platform, "machine", lambda: "AB-64")
    monkeypatch.setattr(sections.kernel, "is_compiled", lambda: False)
    headline = sections.Headline
    first = [headline("slow", times=0.5, peer="other", floor=123.4, peak=1234.4)]
    sections.write_section("Of a, b", "a.py", ["old"], first)
    sections.write_section("Second", "b.py", ["kept"], [headline("small", peak=3.2)])
    new = [headline("quick", times=20.04, peer="other"), headline("too", times=250.0)]
    sections.write_section("Of a, b", "a.py", ["new", "", "### part"], new)
    page = (tmp_path / "page.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| [")]
    assert rows == [
        "| [Of a, b](#of-a-b) | quick | 20.0 | other |  |  |",
        "| [Of a, b](#of-a-b) | too | 250 |  |  |  |",
        "| [Second](#second) | small |  |  |  | 3 |",
    ]
    assert re.findall("^## (.*)", page, re.MULTILINE) == ["In short", "Of a, b", "Second"]
    assert "old" not in page and "kept" in page and "### part" in page
    assert "2 AB-64 cores" in page and "in plain Python" in page
    # A section that says the same again leaves the page as it is.
    sections.write_section("Second", "b.py", ["kept"], [headline("small", peak=3.2)])
    assert (tmp_path / "page.md").read_text(encoding="utf-8") == page


def test_every_section_of_the_page_has_its_script_and_every_row_its_section():
    page = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    titles = re.findall("^## (.*)", page, re.MULTILINE)
    for title, script in re.findall(r"^## (.*)\n\n`benchmarks/(\w+\.py)`", page, re.MULTILINE):
        text = (FOLDER / script).read_text(encoding="utf-8")
        assert f'"{title}"' in text, f"{script} does not write the section {title!r}"
    rows = re.findall(r"^\| \[(.*?)\]", page, re.MULTILINE)
    assert rows and set(rows) <= set(titles)
