"""What is uploaded: every kind of file, and what is refused before a reader sees it."""

import io
import json
import random
import re
import stat
import struct
import tempfile
import zipfile

import pytest
from damage import damaged

from summetry.errors import SummetryError
from summetry.web import unpacking
from summetry.web.unpacking import UploadedFile
from summetry.web.uploads import read_upload

ENGLISH = "The ferry struck the pier. Nobody knew why it had happened.\n\nIt was the end of it."
SWEDISH = "Färjan slog i bryggan. Ingen visste varför det hade hänt."
ROWS = [{"id": "t1", "source": ENGLISH, "summary": "A ferry crashed."}]
TABLE = f'id,source,summary\nt1,"{ENGLISH}",A ferry crashed.\n'


def file(name, content):
    content = content if isinstance(content, bytes) else content.encode()
    return UploadedFile(name, io.BytesIO(content))


def packed(members, method=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return out.getvalue()


def native(**files):
    topics = [{"id": "t1", "title": "Ferry", "documents": [{"id": "d", "text": ENGLISH}]}]
    lines = {"topics.jsonl": topics, **{f"{kind}.jsonl": rows for kind, rows in files.items()}}
    return {name: "\n".join(map(json.dumps, rows)) for name, rows in lines.items()}


def refused(*files):
    with pytest.raises(SummetryError) as error:
        read_upload(files)
    message = str(error.value)
    assert "\n" not in message and tempfile.gettempdir() not in message
    return message


# ── what is read ──────────────────────────────────────────────────────────


def test_languages_are_guessed_and_texts_cut_accordingly():
    # The language of most texts is that of the corpus, and one of few words follows it.
    texts = {
        "färja": SWEDISH,
        "ferry": ENGLISH,
        "quay": ENGLISH,
        "skeppet": "Port Tarrow. Skelder.",
    }
    read = read_upload([file(f"{name}.txt", text) for name, text in texts.items()])
    corpus = read.corpus
    found = {topic.id: (corpus.language_of(topic), len(topic.units)) for topic in corpus.topics}
    assert found == dict(zip(texts, (("sv", 2), ("en", 3), ("en", 3), ("en", 2)), strict=True))
    assert corpus.language == "en"
    assert "The language is guessed: English (3 texts), Swedish (1 text)" in read.notes[0]


def test_a_language_that_is_chosen_is_not_guessed_but_files_win_over_it():
    read = read_upload([file("a.txt", SWEDISH)], "Danish", "news")
    assert read.corpus.language == "da" and read.corpus.topics[0].genre == "news"
    assert read.notes == ()
    members = {"corpus.json": '{"language": "en"}', **native()}
    assert read_upload([file("corpus.zip", packed(members))], "sv").corpus.language == "en"
    # Where there is no source, the summaries say the language.
    rows = [{"id": "t", "candidate": SWEDISH, "reference": SWEDISH}]
    read = read_upload([file("t.json", json.dumps(rows))])
    assert read.corpus.language_of(read.corpus.topics[0]) == "sv"
    assert "The language is guessed: Swedish (1 text)" in read.notes[0]


@pytest.mark.parametrize("folder", ["", "study/", "a/b/"])
def test_a_native_folder_is_read_from_a_zip_whether_it_is_in_it_or_its_files(folder):
    extracts = [{"topic": "t1", "informant": "ann", "units": [0, 2]}]
    members = {folder + name: text for name, text in native(extracts=extracts).items()}
    members |= {"__MACOSX/._topics.jsonl": "rubbish", f"{folder}.DS_Store": "rubbish"}
    corpus = read_upload([file("corpus.zip", packed(members))]).corpus
    assert [t.title for t in corpus.topics] == ["Ferry"]
    assert corpus.extracts[0].units == (0, 2)


@pytest.mark.parametrize("unit, units", [
    ("paragraph", ("It struck the pier. Why, nobody knew.", "It sank.")),
    ("word", ("It", "struck", "the", "pier", "Why", "nobody", "knew", "It", "sank")),
])  # fmt: skip
def test_texts_are_cut_into_the_units_that_are_chosen(unit, units):
    text = "It struck the pier. Why, nobody knew.\n\nIt sank."
    table = json.dumps([{"id": "t", "source": text, "summary": "It sank."}])
    zipped = packed({"sources/t.txt": text})
    for upload in (file("t.txt", text), file("t.zip", zipped), file("t.json", table)):
        (topic,) = read_upload([upload], "en", unit=unit).corpus.topics
        assert (topic.unit, topic.units) == (unit, units)


@pytest.mark.parametrize("document", [{"text": ENGLISH}, {"units": ["One.", "Two."]}])
def test_a_corpus_that_says_its_units_keeps_them_and_a_note_says_so(document):
    documents = [{"id": "d", **document}]
    topics = json.dumps({"id": "t", "unit": "paragraph", "documents": documents})
    for upload in (file("topics.jsonl", topics), file("c.zip", packed({"topics.jsonl": topics}))):
        read = read_upload([upload], "en", unit="word")
        (topic,) = read.corpus.topics
        assert topic.unit == "paragraph" and len(topic.units) == 2
        (note,) = read.notes
        assert note.startswith("You chose words, but 1 text keeps its units, paragraphs:")


def test_a_first_line_that_looks_like_a_title_is_one_if_that_is_asked_for():
    files = [("a.txt", f"The ferry\n\n{ENGLISH}"), ("b.txt", ENGLISH)]
    read = read_upload([file(*one) for one in files], "en", titles=True)
    assert [topic.title for topic in read.corpus.topics] == ["The ferry", ""]
    assert read.corpus.topics[0].units == read.corpus.topics[1].units
    assert "The first line of 1 text is taken as the title" in read.notes[0]
    whole = read_upload([file(*one) for one in files], "en")
    assert (whole.corpus.topics[0].title, whole.corpus.topics[0].units[0]) == ("", "The ferry")


def test_bad_records_stop_an_upload_or_are_listed():
    members = native(extracts=[{"topic": "t1", "informant": "ann", "units": [9]}])
    upload = file("corpus.zip", packed(members))
    assert refused(upload).startswith("extracts.jsonl:1: expected units from 0 to 2")
    upload.content.seek(0)
    notes = read_upload([upload], on_error="skip").notes
    assert any(note.startswith("left out: extracts.jsonl:1") for note in notes)
    # Notes of a reader come back without the temporary folder.
    upload = file("corpus.zip", packed({**native(), "extra.jsonl": "{}"}))
    (note,) = read_upload([upload], "en").notes
    assert note.startswith("extra.jsonl: not a file of a corpus folder, so it was not read.")


# ── what is refused ───────────────────────────────────────────────────────


def zipped(name="sources/a.txt", content="text", attributes=0):
    """A zip file of one member, whatever it is called and wherever it points."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        info = zipfile.ZipInfo(name)
        info.external_attr = attributes << 16
        archive.writestr(info, content)
    return out.getvalue()


def patched(content, marker, offset, value):
    """A zip file with a number changed in what its index says."""
    content = bytearray(content)
    at = content.rindex(marker) + offset
    content[at : at + len(value)] = value
    return bytes(content)


ENTRY, END = b"PK\x01\x02", b"PK\x05\x06"
LINK = zipped(content="/etc/passwd", attributes=stat.S_IFLNK | 0o777)
LIAR = patched(packed({"a.txt": b"word " * 100_000}), ENTRY, 24, struct.pack("<I", 10))
LONG = patched(packed({"a.txt": "text"}), END, 12, struct.pack("<I", 2**31))
SECRET = patched(packed({"a.txt": "text"}), ENTRY, 8, b"\x01")
ODD = packed({"a.txt": "text " * 100}, method=zipfile.ZIP_BZIP2)
HALF = packed({"a.txt": ENGLISH})[: len(packed({"a.txt": ENGLISH})) // 2]
PICTURE = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
DOCUMENT = b"PK\x03\x04 or something else"


@pytest.mark.parametrize("files, words", [
    ({}, "choose one or more files"),
    ({"a.zip": LINK}, "is a link or a device"),
    ({"bomb.zip": packed({"a.txt": b"a" * (2 * 2**20)})}, "packed more tightly than text can be"),
    ({"liar.zip": LIAR}, "the zip file is damaged"),
    ({"long.zip": LONG}, "found more"),
    ({"secret.zip": SECRET}, "is encrypted"),
    ({"odd.zip": ODD}, "is encrypted or packed"),
    ({"a.zip": HALF}, "expected a zip file"),
    ({"a.zip": packed({"a.txt": ENGLISH}), "b.txt": ENGLISH}, "uploaded alone"),
    ({"a.zip": packed({})}, "holds no files"),
    ({"a.txt": "one", "x/a.txt": "two"}, "was chosen 2 times"),
    ({"..": ENGLISH}, "not a name for a file"),
    ({".hidden.txt": ENGLISH}, "not a name for a file"),
    ({"a\x00b.txt": ENGLISH}, "not a name for a file"),
    ({"a\nb.txt": ENGLISH}, "not a name for a file"),
    ({"ferry.txt": ENGLISH, "pier.png": PICTURE}, "'pier.png': expected texts (.txt), a table"),
    ({"ferry.txt": ENGLISH, "pier.png": PICTURE}, "found binary data"),
    ({"c.zip": packed({"a/ferry.txt": ENGLISH, "a/pier.png": PICTURE})},
     "'a/pier.png': expected texts"),
    ({"report.docx": DOCUMENT}, "'report.docx': expected texts (.txt)"),
    ({"report.PDF": DOCUMENT}, "'report.PDF': expected texts (.txt)"),
    ({"report.docx": DOCUMENT}, "save it as plain"),
    *[({"a.zip": packed({name: "text"})}, "leads out of the folder") for name in (
        "../a.txt", "/etc/a.txt", "a/../../a.txt", "..\\a.txt", "C:/a.txt", "x/" * 30 + "a.txt",
    )],
])  # fmt: skip
def test_what_is_no_upload_is_refused(files, words):
    assert words in refused(*(file(name, content) for name, content in files.items()))


def test_a_zip_of_too_many_files_and_of_one_name_twice_is_refused(monkeypatch):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive, pytest.warns(UserWarning, match="Duplicate"):
        for text in ("one", "two"):
            archive.writestr("a.txt", text)
    assert "is in it twice" in refused(file("a.zip", out.getvalue()))
    monkeypatch.setattr(unpacking, "MOST_FILES", 3)
    members = {f"{i}.txt": "text" for i in range(4)}
    assert "at most 3 files" in refused(file("a.zip", packed(members)))


def test_a_zip_that_declares_too_much_is_refused_before_it_is_unpacked():
    """Three files of 80 MB by its own index, which are none."""
    content = packed({f"{number}.txt": "text" for number in range(3)})
    size = struct.pack("<I", 80 * 2**20)
    for entry in re.finditer(ENTRY, content):
        content = content[: entry.start() + 24] + size + content[entry.start() + 28 :]
    assert "at most 200 MB" in refused(file("bomb.zip", content))


def test_a_configuration_that_names_files_of_the_server_is_refused():
    listed = '<PEERS><P ID="x">passwd</P></PEERS><MODELS><M ID="y">passwd</M></MODELS>'
    roots = "<PEER-ROOT>/etc</PEER-ROOT><MODEL-ROOT>/etc</MODEL-ROOT>"
    evaluation = f'<EVAL ID="t">{roots}<INPUT-FORMAT TYPE="SPL"/>{listed}</EVAL>'
    xml = f'<ROUGE-EVAL version="1.5.5">{evaluation}</ROUGE-EVAL>'
    for name in ("settings.xml", "other.xml"):
        assert "/etc/passwd" in refused(file(name, xml))
    assert "/etc/passwd" in refused(file("a.zip", packed({"c/settings.xml": xml, "c/a.txt": "A."})))


def test_what_is_not_recognised_is_not_looked_for_beside_the_folder():
    message = refused(file("a.zip", packed({"a.txt": "A.", "b.bin": b"\1\2"})))
    assert message.startswith("the upload: expected texts (.txt), a table (CSV,")
    # Options of commands are no help on a page.
    assert "--format" not in message


# ── a bounded fuzz ────────────────────────────────────────────────────────


def seeds():
    members = native(
        extracts=[{"topic": "t1", "informant": "ann", "units": [0]}],
        summaries=[{"topic": "t1", "author": "lead", "role": "candidate", "units": [0]}],
        questions=[{"topic": "t1", "id": "q", "question": "Why?", "choices": ["a", "b"]}],
    )
    sentence = '<S PAR="1" RSNT="1" SNO="1">A ferry sank.</S>'
    docsent = f'<DOCSENT DID="d"><BODY><TEXT>{sentence}</TEXT></BODY></DOCSENT>'
    yield "corpus.zip", packed(members)
    yield "stored.zip", packed(members, method=zipfile.ZIP_STORED)
    yield "texts.zip", packed({"sources/a.txt": ENGLISH, "references/a.ann.txt": "Ferry."})
    for name, content in {
        "topics.jsonl": members["topics.jsonl"], "mead.docsent": docsent,
        "table.csv": TABLE, "table.tsv": TABLE.replace(",", "\t"),
        "table.json": json.dumps(ROWS), "table.jsonl": "\n".join(map(json.dumps, ROWS)),
        "a.txt": ENGLISH,
    }.items():  # fmt: skip
        yield name, content.encode()


@pytest.mark.parametrize(
    "first", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 10))]
)
def test_no_mutated_upload_fails_or_writes_elsewhere(web, tmp_path, monkeypatch, first):
    """Whatever comes is a study or one line of words; nothing stays in the temporary folder."""

    def beside():
        return {path for path in tmp_path.rglob("*") if "summetry.db" not in path.name}

    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    before, admin, rng = beside(), web.admin(), random.Random(first)
    counts, sources = {200: 0, 422: 0}, list(seeds())
    for turn in range(30):
        name, content = sources[turn % len(sources)]
        made = damaged(content, rng)
        sent = [("files", (name, made or b" ", "application/octet-stream"))]
        data = {"name": f"Fuzz {turn}", "task": "extract", "skip": rng.choice(["", "yes"])}
        answer = admin.post("/studies/new/upload", data, files=sent)
        assert answer.status_code in counts, (turn, name, answer.status_code, answer.text)
        counts[answer.status_code] += 1
        assert str(temporary) not in answer.text
    assert min(counts.values()) > 1
    assert beside() == before and not list(temporary.iterdir())
