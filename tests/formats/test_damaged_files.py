"""Damaged files: every reader gives a corpus or one clear line, and nothing else happens."""

import dataclasses
import json
import shutil
from pathlib import Path
from random import Random

import pytest
from damage import damage_a_file
from public_samples import BC3, EASC, PYRXSUM, folder_of, rose_rows, summeval_rows, written

import summetry
from summetry.errors import SummetryError
from summetry.formats import FORMATS
from summetry.formats.scores import read_scores

DATA = Path(__file__).parents[1] / "data"
FOLDERS = {"bc3": BC3, "easc": EASC, "pyrxsum": PYRXSUM}
SAMPLES = ("duc", "tac", "ducview")
FILES = {
    "inspect": (
        "log.json",
        '{"version": 2, "status": "success", "eval": {"eval_id": "e", "task": "news", "model": "m",'
        ' "dataset": {"sample_ids": [1]}}, "samples": [{"id": 1, "epoch": 1, "input": "a b",\n'
        '"target": ["a", "b"], "output": {"choices": [{"message": {"content": "a b"}}]}}]}',
    ),
    "scu_table": ("units.csv", "id,scu,weight,bart,t5\n1,It sank.,2,1,0\n1,All swam.,1,1,1\n"),
    "markdown": ("text.md", "# A ferry\n\nA ferry hit the *pier*. It sank.\n\n- one\n- two\n"),
    "scu_xml": (
        "D1.xml",
        '<collection name="D1"><document name="d1"><line>It sank.<annotation scu-count="1" '
        'sum-count="1" sums="0"><scu uid="11" label="it sank" weight="4"/></annotation></line>'
        "<line>All swam.</line></document></collection>",
    ),
}
TABLES = {
    "table.jsonl": '{"id": 1, "system": "bart", "candidate": "a b", "reference": ["a c", "b"]}\n'
    '{"id": 2, "system": "bart", "candidate": "c", "reference": "c d", "source": "c d e"}\n',
    "table.json": '[{"id": 1, "summary": "a b", "gold": "a c"}, {"id": 2, "summary": ""}]',
    "table.csv": "id,system,candidate,reference\n1,bart,a b,a c\n2,bart,c,c d\n1,t5,a,a c\n",
    "table.tsv": "id\tarticle\tbart\tt5\tgold\n1\ta b c\ta b\tb\ta\n2\tc d\tc\td\tc\n",
}
SCORES = {
    "scores.csv": "id,system,rouge1.f,lcs\n1,bart,0.5,0.25\n2,bart,1,\n1,t5,0.5,inf\n2,t5,0,0.1\n",
    "long.csv": "id,system,metric,part,score\n1,bart,rouge1,f,0.5\n2,bart,rouge1,f,1\n",
    "scores.jsonl": '{"id": "1", "system": "bart", "rouge1.f": 0.5}\n',
}


def make_sample(name: str, demo, folder: Path) -> Path:
    """Something small in a format, whole and readable."""
    path = folder / name
    if name in TEXTS:
        file, text = TEXTS[name]
        path = folder / file
        path.write_text(text, encoding="utf-8")
    elif name == "table.parquet":
        arrow = pytest.importorskip("pyarrow")
        from pyarrow import parquet

        rows = {"id": ["1", "2"], "summary": ["a b", "c"], "gold": ["a", "c d"], "n": [1.5, None]}
        parquet.write_table(arrow.table(rows), path)
    elif name in SAMPLES:
        shutil.copytree(DATA / name, path)
    elif name in FOLDERS:
        folder_of(path, FOLDERS[name])
    elif name == "rose":
        path = folder / "rose.json"
        path.write_text(json.dumps(rose_rows()), encoding="utf-8")
    elif name == "summeval":
        path = written(folder / "summeval.jsonl", summeval_rows())
    else:
        FORMATS.build(name).write(demo, path)
    return path


TEXTS = FILES | {name: (name, text) for name, text in (TABLES | SCORES).items()}
CORPORA = [*sorted(set(FORMATS.names()) - {"table"}), *TABLES, "table.parquet"]


def refused_seeds(name, demo, folder, seeds, read):
    """The seeds whose damage to a sample is refused, each in one line; the rest are read."""
    whole = folder / "whole"
    whole.mkdir(parents=True)
    sample = make_sample(name, demo, whole)
    read(sample)
    for seed in seeds:
        copy = folder / f"seed{seed}"
        shutil.copytree(whole, copy)
        path = copy / sample.relative_to(whole)
        damage_a_file(path, Random(seed))
        try:
            read(path)
        except SummetryError as error:
            message = str(error)
            assert message and "\n" not in message, (name, seed, message)
            assert len(message) < 2000, (name, seed, message[:200])
            yield seed
        except Exception as error:
            pytest.fail(f"{name}, seed {seed}: {type(error).__name__}: {error}")
        shutil.rmtree(copy)


@pytest.fixture(scope="module")
def small(demo):
    """Two topics of the demo corpus with what belongs to them."""
    topics = {topic.id for topic in demo.topics[:2]}
    kinds = ("summaries", "extracts", "judgments", "utilities", "pyramids", "labels")
    parts = {kind: tuple(r for r in getattr(demo, kind) if r.topic in topics) for kind in kinds}
    return dataclasses.replace(demo, topics=demo.topics[:2], **parts)


@pytest.mark.filterwarnings("ignore::summetry.errors.SummetryWarning")
@pytest.mark.parametrize("seeds", [range(4), pytest.param(range(2500), marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", [*CORPORA, *SCORES])
def test_a_damaged_file_is_read_or_refused_in_one_line(name, seeds, small, tmp_path):
    read = read_scores if name in SCORES else summetry.load
    refused = list(refused_seeds(name, small, tmp_path, seeds, read))
    # A few seeds may do harmless damage; then the next that does harm is looked for.
    more = refused_seeds(name, small, tmp_path / "more", range(4, 40), read)
    assert refused or next(more)
