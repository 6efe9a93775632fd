"""DUC 2002's files: a small sample, old markup, and mistakes."""

from pathlib import Path

import pytest
from format_checks import assert_says, noted, odd_sample, refusal
from hypothesis import given
from hypothesis import strategies as st

from summetry import load
from summetry.formats.duc.markup import read_markup

SAMPLE = Path(__file__).parents[1] / "data" / "duc"
PEER = "extracts/D901.M.200e.J.19"
PEOPLE = "extracts_abstracts/d901ja"
TABLE = "results/short.results.table"


@pytest.fixture
def markup(write):
    """The markup of a file that holds this."""
    return lambda content: read_markup(write("file", content))


@odd_sample
def test_parts_of_the_sample_are_read_alone(sample):
    (topic,) = load(SAMPLE / "docs" / "d901j" / "PT190501-0001").topics
    assert (topic.id, topic.units[-1]) == ("PT190501-0001", "Nobody was hurt.")
    # Documents without summaries are a topic for each docset.
    corpus = load(sample() / "docs.with.sentence.breaks")
    assert [(t.id, len(t.documents), t.group) for t in corpus.topics] == [("D901", 2, "")]
    # An extract without documents is its sentences.
    summaries = load(SAMPLE / "extracts_abstracts").summaries
    (extract,) = (s for s in summaries if (s.topic, s.author) == ("D901.M.200e", "B"))
    assert (extract.sentences, extract.units) == (("Nobody was hurt.",), None)


@odd_sample
def test_what_a_summary_says_goes_before_the_names_of_its_folder_and_file(sample):
    path = sample(f"{PEOPLE}/200e", 'SUMMARIZER="a"', 'SUMMARIZER="c"')
    (path / PEOPLE / "200e").rename(path / PEOPLE / "extract")
    by_author = {s.author: s for s in load(path).summaries if s.topic == "D901.M.200e"}
    units = {author: s.units for author, s in by_author.items()}
    assert units == {"19": (5, 0), "B": (3,), "C": (1, 4)}
    # An extract of documents that are not all in sentences is its sentences.
    document = path / "docs.with.sentence.breaks" / "d901j" / "PT190503-0002.S"
    document.write_text("<DOC><DOCNO>PT190503-0002</DOCNO><TEXT>Divers came.</TEXT></DOC>")
    by_author = {s.author: s for s in load(path).summaries if s.topic == "D901.M.200e"}
    assert by_author["B"].sentences == ("Nobody was hurt.",)


SECOND, DASHES = 'docid="PT190503-0002"', "D901 M --------------- 050"


WRONG = [
    (PEER, 'num="2"', 'num="9"'),
    (PEER, 'num="2"', 'num="x"'),
    (PEER, 'num="2"', ""),
    (PEER, f"{SECOND} ", ""),
    (PEER, "PT190503-0002", "PT190503-0009"),
    (PEER, 'docid="PT190501-0001" num="1"', f'{SECOND} num="2"'),
    ("docs.with.sentence.breaks/d901j/PT190501-0001.S", 'num="3"', 'num="2"'),
    ("docs/d901j/PT190501-0001", "DOCNO", "NO"),
    (TABLE, "   2   8", "   8"),
    (TABLE, "0.325", "most"),
    (TABLE, "D901 M", "D901 X"),
    (TABLE, "D901 M", "D901 P"),
    (TABLE, DASHES, "D901 P PT190501-0001 100"),
]  # fmt: skip


@odd_sample
def test_what_is_wrong_is_named_with_its_line(sample, refused):
    refused(lambda *change: load(sample(*change)), WRONG)


@odd_sample
def test_a_bad_file_and_a_bad_line_can_be_skipped(sample):
    path = sample(PEER, 'num="2"', 'num="9"')
    text = (path / TABLE).read_text()
    (path / TABLE).write_text(text.replace("0.325", "most"))
    corpus = load(path, on_error="skip")
    assert len(corpus.problems) == 2
    assert len(corpus.summaries) == 7
    assert {j.topic for j in corpus.judgments} == {"D901.M.50"}


@odd_sample
def test_another_text_of_the_same_summary_is_told_and_a_summary_of_nobody_refused(sample):
    path = sample(f"{PEOPLE}/perdocs", "Nobody", "Somebody")
    (note,) = (note for note in noted(load, path)[1] if "another text" in note)
    assert_says(note, "perdocs:1: another text than  ... SEEpeers/D901.P")
    summary = path / PEOPLE / "50"
    (path / "50").write_text(summary.read_text().replace('SUMMARIZER="a"', ""))
    summary.unlink()
    assert "50:1: expected SUM with SUMMARIZER=, or a folder like" in refusal(load, path)


# Old markup.


def test_tags_may_lack_their_ends_and_their_quotation_marks(markup):
    top = markup("<DOC><F P=105>one<p>two<P>three</DOC>four<s num=1 docid='x y'>five<s num=2>six")
    assert [document.words() for document in top.all("DOC")] == ["onetwothree"]
    assert [p.words() for p in top.all("P")] == ["two", "three"]
    sentences = [(s.attributes, s.words()) for s in top.all("S")]
    assert sentences == [({"num": "1", "docid": "x y"}, "five"), ({"num": "2"}, "six")]
    # A bare start in a sentence is its end.
    top = markup('<s num="1">one<s>\n<s num="2">two</s>')
    assert [s.words() for s in top.all("S")] == ["one", "two"]
    top = markup("<B>a " * 5000)
    assert len(top.words().split()) == sum(1 for _ in top.all("B")) == 5000


def test_characters_are_decoded_odd_ones_counted_and_no_entity_expanded(markup, tmp_path):
    top, (note,) = noted(markup, "&amp; &eacute;&#233;&#xE9;\nAT&T &hyph; 1 < 2 &#0;")
    assert_says(note, "file:2: '&' stands for no ... , and 3 more such plac")
    assert top.words() == "& ééé AT&T &hyph; 1 < 2 &#0;"
    (tmp_path / "secret").write_text("secret")
    declared = f'<!DOCTYPE d [<!ENTITY e SYSTEM "{tmp_path}/secret"><!ENTITY f "x">]>'
    top, (note,) = noted(markup, f"{declared}<d>&e; &f;</d>")
    assert "'&e;' stands for no character" in note
    assert top.words() == "&e; &f;"


@given(st.text() | st.text("<>/&;#sSdDoOcC=\"' \n!?-[]ax1"))
def test_whatever_a_file_holds_it_is_read(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("markup") / "file"
    path.write_bytes(content.encode("utf-8", "surrogatepass"))
    words = noted(read_markup, path)[0].words()
    # Text around it stays, whatever is in the middle.
    path.write_text("before <X></X>" + content.replace("<", "").replace("&", "") + " after")
    around = noted(read_markup, path)[0].words().split()
    assert isinstance(words, str)
    assert (around[0], around[-1]) == ("before", "after")


@pytest.mark.parametrize(("name", "content", "date", "units"), [
    ("x", "<TEXT></TEXT>", "", ()),
    ("x", "", "", ()),
    ("x", "<TEXT>One. One.</TEXT>", "", ("One.", "One.")),
    ("x", "<TEXT><P>One</P><P>Two</P> x</TEXT>", "", ("One", "Two x")),
    ("x", "<LP>Lead.</LP><TEXT>Rest.</TEXT>", "", ("Lead.", "Rest.")),
    ("x", "<TEXT>湖水很冷。鱼在湖里。</TEXT>", "", ("湖水很冷。", "鱼在湖里。")),
    # A day is given by the document or by its name.
    ("x", "<DATE> 2019-05-01 </DATE><TEXT>One.</TEXT>", "2019-05-01", ("One.",)),
    ("x", "<DATE>May 1, 2019</DATE><TEXT>One.</TEXT>", "", ("One.",)),
    ("PTN_ENG_20190501.0001", "<TEXT>One.</TEXT>", "2019-05-01", ("One.",)),
])  # fmt: skip
def test_unusual_documents(write, name, content, date, units):
    (topic,) = load(write("x", f"<DOC><DOCNO>{name}</DOCNO>{content}</DOC>")).topics
    assert (topic.documents[0].date, topic.units) == (date, units)
