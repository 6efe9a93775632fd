"""Small files of exactly the shapes in which public corpora are published, written for tests."""

import json
import shutil
from pathlib import Path

FERRY = "The ferry sank in fog. Nobody was hurt."


def summeval_rows():
    marks = {"M0": (5, 4), "M1": (2, 1)}
    return [
        {
            "id": f"dm-test-{topic}",
            "model_id": system,
            "decoded": "the ferry sank" if system == "M0" else "fog",
            "references": ["the ferry sank in fog", "a ferry sank"],
            "text": FERRY,
            "filepath": f"stories/{topic}.story",
            "expert_annotations": [{"coherence": mark, "fluency": 3} for mark in both],
            "turker_annotations": [{"coherence": 1}],
        }
        for topic in (1, 2)
        for system, both in marks.items()
    ]


def written(path, rows):
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def rose_rows():
    return [
        {
            "count_id": 7,
            "example_id": "03ab",
            "source": FERRY,
            "reference": "The ferry sank.",
            "reference_acus": ["a ferry sank", "it was Monday"],
            "system_outputs": {"bart": "The ferry sank.", "t5": "A boat."},
            "annotations": {
                "bart": {"acu": 0.5, "normalized_acu": 0.4, "prior": 4, "acu_labels": [1, 0]},
                "t5": {"acu": 0.0, "normalized_acu": 0.0, "prior": 2, "acu_labels": [0, 0]},
                "reference": {"prior": 5},
            },
        }
    ]


PYRXSUM = {
    "ids.txt": "xsum1\nxsum2\n",
    "documents.txt": f"{FERRY}\nA bridge opened.\n",
    "references.txt": "A ferry sank.\nA bridge opened.\n",
    "SCUs.txt": "a ferry sank\tnobody was hurt\na bridge opened\t\n",
    "summaries/bart.summary": "The ferry sank.\nIt opened.",
    "summaries/t5.summary": "\nA bridge.",
    "labels/bart.label": "1\t0\n1",
    "labels/t5.label": "0\t0\n0",
}


def folder_of(path, files):
    for name, text in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_text(text)
    return path


EASC = {
    "Articles/Topic2/Sport and Games (1).txt": "غرقت العبارة في الضباب. لم يصب أحد بأذى.",
    "Articles/Topic10/Art (3).txt": "افتتح الجسر يوم الاثنين.",
    "MTurk/Topic2/D0201.M.250.A.1.A": "غرقت العبارة\r\nفي الضباب",
    "MTurk/Topic2/D0201.M.250.A.1.B": "لم يصب أحد بأذى. هبت عاصفة.",
    "MTurk/Topic10/D1001.M.250.A.1.A": "افتتح الجسر يوم الإثنين.",
}


BC3 = {
    "corpus.xml": """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE root SYSTEM "corpus.dtd">
<root>
  <thread>
    <name>Two weeks?</name>
    <listno>007-1</listno>
    <DOC>
      <Received>Tue Dec 08 1998</Received>
      <Text>
        <Sent id="1.1">The meetings are too large. </Sent>
        <Sent id="1.2">Two weeks
would do. </Sent>
      </Text>
    </DOC>
    <DOC><Received>Wed Dec 09 1998</Received><Text><Sent id="2.1">&gt; No way.</Sent></Text></DOC>
  </thread>
</root>
""",
    "annotation.xml": """<?xml version="1.0" encoding="UTF-8"?>
<root>
  <thread>
    <listno>007-1</listno>
    <annotation>
      <desc>Annotator1</desc>
      <summary><sent link="1.2">Somebody wants two weeks.</sent><sent link="">No.</sent></summary>
      <sentences><sent id="2.1"/><sent id="1.2"/></sentences>
      <labels><prop id="1.2"/></labels>
    </annotation>
  </thread>
</root>
""",
}


DATA = Path(__file__).parent / "data"
FOLDERS = {"bc3": BC3, "easc": EASC, "pyrxsum": PYRXSUM}
PUBLIC = ("duc", "tac", "mead", "ducview", *FOLDERS, "rose", "summeval")


def sample_of(name, folder):
    """A small corpus in a published format, in a folder that is there; its path."""
    path = folder / name
    if name in FOLDERS:
        return folder_of(path, FOLDERS[name])
    if name == "rose":
        path.with_suffix(".json").write_text(json.dumps(rose_rows(), indent=4), encoding="utf-8")
        return path.with_suffix(".json")
    if name == "summeval":
        return written(path.with_suffix(".jsonl"), summeval_rows())
    return Path(shutil.copytree(DATA / name, path))
