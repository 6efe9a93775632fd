"""The Python of the page on scale, block by block, with a real cluster where there is one."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from page_runner import blocks

import summetry

PAGE = Path(__file__).parents[2] / "docs" / "scale.md"


def block(words: str) -> str:
    (text,) = [b.text for b in blocks(PAGE) if b.language == "python" and words in b.text]
    return text


@pytest.fixture
def folder(demo_folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(demo_folder, "corpus")


def test_the_engine_of_the_page_gives_what_no_engine_gives(folder):
    names = {"summetry": summetry}
    exec(block("def engine"), names)
    assert names["table"] == summetry.evaluate("corpus", "rouge2")


def test_the_client_of_the_page(folder):
    distributed = pytest.importorskip("distributed", reason="summetry[dask] is not installed")
    here = {"dashboard_address": "127.0.0.1:0", "processes": False}
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, **here) as cluster:
        names = {"summetry": summetry}
        exec(block("Client(").replace("tcp://host:8786", cluster.scheduler_address), names)
    assert names["table"] == summetry.evaluate("corpus", "rouge2")


def test_the_function_for_batches_of_ray():
    """Ray hands over columns as arrays; the rest of the block needs Ray."""
    function, _, _ = block("map_batches").partition("pairs =")
    names: dict = {}
    exec(function.replace("import ray\n", ""), names)
    batch = {"candidate": np.array(["a b c", "d e"]), "reference": np.array(["a b", "d e"])}
    assert names["with_rouge"](batch)["rouge2"].tolist() == pytest.approx([2 / 3, 1.0])
