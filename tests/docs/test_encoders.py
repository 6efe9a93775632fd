"""The package of docs/encoders.md is an encoder, as the page shows it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from page_runner import agrees, blocks, run, surroundings

pytestmark = pytest.mark.install
PAGE = Path(__file__).parents[2] / "docs" / "encoders.md"
FILES = {block.file: block.text for block in blocks(PAGE) if block.file}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The package of the page, installed into a folder of its own."""
    folder = tmp_path_factory.mktemp("page")
    for name in ("summetry-letters/pyproject.toml", "summetry-letters/summetry_letters.py"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(FILES[name], encoding="utf-8")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
    command += ["--no-build-isolation", "--disable-pip-version-check", "--target", "site"]
    done = subprocess.run([*command, "./summetry-letters"], cwd=folder, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    return folder / "site"


def test_the_encoder_of_the_page_gives_what_it_shows(site, tmp_path):
    (tmp_path / "summary.txt").write_text("The reef")
    (tmp_path / "reference.txt").write_text("The free")
    environment = surroundings(tmp_path)
    paths = [str(site), environment["PYTHONPATH"]]
    environment["PYTHONPATH"] = os.pathsep.join(paths)
    (shown,) = (b.text.splitlines() for b in blocks(PAGE) if "encoder=letters" in b.text)
    assert agrees(run(shown[0].removeprefix("$ "), tmp_path, environment), shown[1:])
    # With one option more, explained, on two processes, and found again in the cache.
    rows = [{"id": n, "candidate": "reef ab", "reference": "free cd"} for n in range(4)]
    table = tmp_path / "rows.jsonl"
    table.write_text("".join(json.dumps(row) + "\n" for row in rows))
    metric = "'greedy_match(encoder=letters(known=aefr))'"
    score = f"summetry score rows.jsonl -m {metric} --workers 2 --chunk 2 --json"
    both = [json.loads("\n".join(run(f"{score} 2>/dev/null", tmp_path, environment))) for _ in "12"]
    # Of the reference, "free" has 1 with "reef", and "cd" has no letter that is known.
    (means,) = (system["means"] for system in both[0]["systems"])
    (values,) = means.values()
    assert values["recall"] == 0.5 and both[0] == both[1]
