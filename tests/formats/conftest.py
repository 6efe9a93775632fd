"""Random corpora, small folders and copies of samples for the tests of formats."""

import json
import shutil
import warnings
from pathlib import Path
from random import Random

import pytest
from hypothesis import strategies as st

from summetry import load
from summetry.errors import Place, SummetryWarning
from summetry.records.builder import CorpusBuilder
from summetry.records.judgments import Answer, Judgment, Qrel, Query, Question, Utilities
from summetry.records.pyramids import Contributor, Label, LabelScu, PeerScu, Pyramid, Scu
from summetry.records.summaries import Extract, Person, Summary
from summetry.records.topics import Document, Topic

texts = st.text(max_size=12) | st.sampled_from(
    ["", "a\nb", "\r\n", 'say "hi", she said', "\\", "\u2028\u2029", "👩‍👩‍👧 é e\u0301",
     "\x00", "a\tb", "\ufeffx"]
)  # fmt: skip
numbers = st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False)
metas = st.dictionaries(
    texts,
    st.recursive(
        st.none() | st.booleans() | numbers | texts,
        lambda inner: st.lists(inner, max_size=2) | st.dictionaries(texts, inner, max_size=2),
        max_leaves=4,
    ),
    max_size=2,
)


@st.composite
def topics(draw, name):
    documents = []
    for number in range(draw(st.integers(0, 2))):
        units = tuple(draw(st.lists(texts, max_size=3)))
        text = draw(st.just("") | st.just(" ".join(units)) if units else texts)
        date = draw(st.sampled_from(["", "2003-05-01"]))
        documents.append(Document(f"d{number}", date, text, units, draw(metas)))
    return Topic(
        name,
        title=draw(texts),
        language=draw(st.sampled_from(["", "en", "zh"])),
        unit=draw(st.sampled_from(["sentence", "paragraph", "word"])),
        documents=tuple(documents),
        meta=draw(metas),
    )


def filled(builder, topic, random, text, meta):
    """Records of every other kind for one topic; what they hold is drawn with ``random``."""
    count = len(builder.build().topics[-1].units)
    units = tuple(random.sample(range(count), random.randint(0, count)))
    scu = Scu("1", text, random.choice([1, 0.5]), (Contributor("m", text, 0, None, meta),), meta)
    records = [
        ("summaries", Summary(topic, text, "candidate", text=text, meta=meta)),
        ("summaries", Summary(topic, text, "reference", sentences=(text, ""), units=units)),
        ("summaries", Summary(topic, "extractor " + text, "candidate", units=units)),
        ("extracts", Extract(topic, text, units, meta)),
        ("judgments", Judgment(topic, text, "j", "d", random.choice(["A", 4, 2.5]), "m", meta)),
        ("utilities", Utilities(topic, text, tuple(random.random() for _ in range(count)), meta)),
        ("pyramids", Pyramid(topic, (scu,), {text: (PeerScu("9", text),)}, "a", meta)),
        ("questions", Question(topic, text, text, (text,), 0, meta)),
        ("answers", Answer(topic, text, "j", "abstract", text, None, 1.5, meta)),
        ("queries", Query(topic + text, text, meta)),
        ("qrels", Qrel(topic + text, topic, 1, meta)),
        ("people", Person(topic + text, text, meta)),
    ]
    if count:
        labels = (LabelScu("1", 2, text, meta),)
        records.append(("labels", Label(topic, count - 1, (text,), labels, meta)))
    return records


@st.composite
def random_corpora(draw):
    """A corpus with records of every kind, in odd text."""
    builder = CorpusBuilder(
        draw(texts), draw(st.sampled_from(["", "en"])), {"d": ("B", "A")}, draw(metas)
    )
    random = Random(draw(st.integers(0, 2**32)))
    for number in range(draw(st.integers(1, 2))):
        topic = draw(topics(f"t{number}"))
        builder.add("topics", topic, Place("drawn"))
        for kind, record in filled(builder, topic.id, random, draw(texts), draw(metas)):
            if random.random() < 0.8 or kind in ("questions", "queries"):
                builder.add(kind, record, Place("drawn"))
    return builder.build()


@pytest.fixture(scope="session")
def corpora():
    """The strategy that draws random corpora."""
    return random_corpora()


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Writes files of bytes, text or rows (JSON Lines) in an empty folder, the current one."""
    monkeypatch.chdir(tmp_path)

    def put(name: str, content: str | bytes | list[object] = "") -> Path:
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, list):
            content = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in content)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return put


@pytest.fixture
def folder(write):
    """Makes a corpus folder of the lines given by file, with a topic of three units."""
    units = [{"id": "t1", "documents": [{"id": "d1", "units": ["A.", "B.", "C."]}]}]

    def make(**files: str | list[object] | bytes) -> Path:
        for name, content in ({"topics": units} | files).items():
            write(f"corpus/{name}.jsonl", content)
        return Path("corpus")

    return make


@pytest.fixture
def corpus(request):
    """The folder that a test file names ``SAMPLE``; what is odd in it is told in another test."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SummetryWarning)
        return load(request.module.SAMPLE)


@pytest.fixture
def sample(request, tmp_path):
    """Copies the folder that a test file names ``SAMPLE``; one file of it can be changed."""

    def make(file="", old="", new=""):
        path = tmp_path / request.module.SAMPLE.name
        shutil.rmtree(path, ignore_errors=True)
        shutil.copytree(request.module.SAMPLE, path)
        if file:
            text = (path / file).read_text(encoding="utf-8")
            assert old in text
            (path / file).write_text(text.replace(old, new), encoding="utf-8")
        return path

    return make
