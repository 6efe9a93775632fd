"""Pages with examples of their own: the README, and those on scale, encoders and the judge."""

import doctest
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from page_runner import agrees, blocks, commands, differences, folder_with_corpus, run, surroundings

import summetry
from summetry.errors import SummetryWarning

DOCS = Path(__file__).parents[2] / "docs"
README = DOCS.with_name("README.md")


def test_the_commands_print_what_is_shown(tmp_path: Path) -> None:
    tour = tmp_path / "summetry-demo"
    tour.mkdir()
    folder_with_corpus(tour)
    assert not differences(commands(README), tmp_path)


def test_the_python_gives_what_is_shown() -> None:
    failed, tried = doctest.testfile(str(README), module_relative=False)
    assert tried >= 3 and not failed


def block(words: str) -> str:
    python = [b.text for b in blocks(DOCS / "scale.md") if b.language == "python"]
    (text,) = [text for text in python if words in text]
    return text


def test_the_engines_of_the_page_give_what_none_gives(demo_folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(demo_folder, "corpus")
    names = {"summetry": summetry}
    exec(block("def engine"), names)
    table = summetry.evaluate("corpus", "rouge2")
    assert names["table"] == table
    distributed = pytest.importorskip("distributed", reason="summetry[dask] is not installed")
    here = {"dashboard_address": "127.0.0.1:0", "processes": False}
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, **here) as cluster:
        names = {"summetry": summetry}
        exec(block("Client(").replace("tcp://host:8786", cluster.scheduler_address), names)
    assert names["table"] == table


def test_the_function_for_batches_of_ray():
    """Ray hands over columns as arrays; the rest of the block needs Ray."""
    function, _, _ = block("map_batches").partition("pairs =")
    names: dict = {}
    exec(function.replace("import ray\n", ""), names)
    batch = {"candidate": np.array(["a b c", "d e"]), "reference": np.array(["a b", "d e"])}
    assert names["with_rouge"](batch)["rouge2"].tolist() == pytest.approx([2 / 3, 1.0])


def test_the_log_of_the_example_can_be_written_again(tmp_path, monkeypatch):
    spec = importlib.util.spec_from_file_location("judge_log", DOCS / "examples" / "judge_log.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    (tmp_path / "commands").mkdir()
    shutil.copy(DOCS / "commands" / "judge.md", tmp_path / "commands")
    monkeypatch.setattr(script, "HERE", tmp_path / "examples")
    (tmp_path / "examples").mkdir()
    with pytest.warns(SummetryWarning, match="'summary' is taken for the candidate"):
        script.main()
    written = (tmp_path / "examples" / "judge-log.jsonl").read_bytes()
    assert written == (DOCS / "examples" / "judge-log.jsonl").read_bytes()


ENCODERS = blocks(DOCS / "encoders.md")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The package of the page, installed into a folder of its own."""
    folder = tmp_path_factory.mktemp("page")
    files = {block.file: block.text for block in ENCODERS if block.file}
    for name in ("summetry-letters/pyproject.toml", "summetry-letters/summetry_letters.py"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(files[name], encoding="utf-8")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
    command += ["--no-build-isolation", "--disable-pip-version-check", "--target", "site"]
    done = subprocess.run([*command, "./summetry-letters"], cwd=folder, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    return folder / "site"


@pytest.mark.install
def test_the_encoder_of_the_page_gives_what_it_shows(site, tmp_path):
    (tmp_path / "summary.txt").write_text("The reef")
    (tmp_path / "reference.txt").write_text("The free")
    environment = surroundings(tmp_path)
    paths = [str(site), environment["PYTHONPATH"]]
    environment["PYTHONPATH"] = os.pathsep.join(paths)
    (shown,) = (b.text.splitlines() for b in ENCODERS if "encoder=letters" in b.text)
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
