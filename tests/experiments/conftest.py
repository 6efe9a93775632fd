"""Makes the scripts of ``experiments/`` importable; a small corpus and real data for them."""

import dataclasses
import json
import sys
from pathlib import Path

import pytest

from summetry.formats.folder import Folder

sys.path.insert(0, str(Path(__file__).parents[2] / "experiments"))


@pytest.fixture(scope="session")
def small(demo):
    """The demo corpus with its first three topics."""
    names = {topic.id for topic in demo.topics[:3]}
    kinds = ("summaries", "judgments", "extracts")
    records = {kind: tuple(r for r in getattr(demo, kind) if r.topic in names) for kind in kinds}
    others = dict.fromkeys(("utilities", "pyramids", "labels", "questions", "answers"), ())
    others |= {"queries": (), "qrels": ()}
    return dataclasses.replace(demo, name="small", topics=demo.topics[:3], **others, **records)


@pytest.fixture(scope="session")
def small_folder(small, tmp_path_factory):
    folder = tmp_path_factory.mktemp("small") / "corpus"
    Folder().write(small, folder)
    return folder


@pytest.fixture(scope="session")
def realsumm_rows(real_data):
    """Summaries of REALSumm with their only reference and the share of its content units."""
    lines = (real_data("realsumm") / "summaries.jsonl").read_text(encoding="utf-8").splitlines()
    return [
        {
            "id": row["doc_id"],
            "system": row["system"],
            "summary": "\n".join(row["summary_sents"]),
            "references": ["\n".join(row["reference_sents"])],
            "judgments": {"litepyramid": row["litepyramid_recall_from_votes"]},
        }
        for row in map(json.loads, lines)
    ]
