"""Configurations of ROUGE-1.5.5: reading, writing, and files that are broken or hostile."""

import pytest
from format_checks import assert_says, noted, notes_on_writing, refusal, xml_characters
from hypothesis import given
from hypothesis import strategies as st

from summetry import load
from summetry.formats import FORMATS, recognise
from summetry.formats._xml import opening_names, read_xml
from summetry.formats.rouge_xml.settings import merge_evaluations, read_list, read_settings
from summetry.formats.rouge_xml.texts import join_as_rouge155, split_as_rouge155, text_kind
from summetry.records.corpus import Corpus
from summetry.records.summaries import Summary
from summetry.records.topics import Document, Topic, with_units

SEE = '<a name="{0}">[{0}]</a> <a href="#{0}" id={0}>{1}</a>\n'


def configuration(
    peers='<P ID="lead">t1.lead.txt</P>',
    models='<M ID="anna">t1.anna.txt</M>',
    kind='<INPUT-FORMAT TYPE="SPL"/>',
    name='ID="t1"',
):
    return (
        f"<ROUGE-EVAL version='1.5.5'>\n<EVAL {name}>\n<PEER-ROOT>systems</PEER-ROOT>\n"
        f"<MODEL-ROOT>\nmodels\n</MODEL-ROOT>\n{kind}\n"
        f"<PEERS>\n{peers}\n</PEERS>\n<MODELS>\n{models}\n</MODELS>\n</EVAL>\n</ROUGE-EVAL>\n"
    )


@pytest.fixture
def written(write):
    """Writes a configuration and texts; the path of the configuration."""

    def make(settings=None, **texts):
        texts = texts or {"lead": "One ferry.\nTwo ferries.\n", "anna": "A ferry.\n"}
        for name, content in texts.items():
            write(f"{'models' if name == 'anna' else 'systems'}/t1.{name}.txt", content)
        return write("settings.xml", settings or configuration())

    return make


def test_an_evaluation_is_a_topic_with_candidates_and_references(written):
    path = written()
    corpus = load(path)
    assert (corpus.name, corpus.topics) == ("settings", (Topic("t1"),))
    assert corpus.summaries == (
        Summary("t1", "lead", "candidate", sentences=("One ferry.", "Two ferries.")),
        Summary("t1", "anna", "reference", sentences=("A ferry.",)),
    )
    assert recognise(path.parent).name == recognise(path).name == "rouge_xml"
    assert load(path.parent).summaries == corpus.summaries


def test_files_beside_the_configuration_come_first(written, tmp_path, monkeypatch):
    path = written().resolve()
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "systems").mkdir(parents=True)
    (elsewhere / "systems" / "t1.lead.txt").write_text("Not this.")
    monkeypatch.chdir(elsewhere)
    assert load(path).summaries[0].sentences == ("One ferry.", "Two ferries.")
    (path.parent / "systems" / "t1.lead.txt").unlink()
    outside = load(path, "rouge_xml(outside=true)")
    assert outside.summaries[0].sentences == ("Not this.",)
    assert "no such file; relative names count from that of the c" in refusal(load, path)


@pytest.mark.parametrize("way", ["up", "absolute", "link"])
def test_only_files_below_the_configuration_are_read_unless_it_is_asked(tmp_path, way):
    secret, home = tmp_path / "secret.txt", tmp_path / "home"
    secret.write_text("Not for you.")
    (home / "systems").mkdir(parents=True)
    (home / "systems" / "link.txt").symlink_to(secret)
    name = {"up": "../../secret.txt", "absolute": str(secret), "link": "link.txt"}[way]
    text = configuration(f'<P ID="lead">{name}</P>', models="")
    if way == "absolute":
        text = text.replace("<PEER-ROOT>systems</PEER-ROOT>", "<PEER-ROOT></PEER-ROOT>")
        # The script puts the root and a slash before every name.
        text = text.replace(str(secret), str(secret).removeprefix("/"))
    (home / "settings.xml").write_text(text)
    words = "settings.xml:9: expected a file below the folder of the configuration, found ... ; "
    assert_says(refusal(load, home), words + "format='rouge_xml(outside=true)' reads")
    corpus = load(home, "rouge_xml(outside=true)")
    assert corpus.summaries[0].sentences == ("Not for you.",)
    assert load(home, on_error="skip").summaries == ()


SMALL = configuration('<P ID="lead">\n  t1.lead.txt </P>').replace("EVAL", "eval")
SMALL = SMALL.replace("PEER", "Peer").replace("<P ", "<p ").replace("</P>", "</p>")
ASA = "<?xml version='1.0' encoding='UTF-16'?>" + configuration(
    models='<M ID="Åsa">t1.anna.txt</M>'
)


@pytest.mark.parametrize(("settings", "authors"), [
    (SMALL, "lead anna"),
    (ASA.encode("utf-16"), "lead Åsa"),
    ("<!DOCTYPE ROUGE-EVAL SYSTEM 'rouge.dtd'>\n" + configuration(), "lead anna"),
    (configuration(peers='<P ID="a&amp;b">t1&#46;lead.txt</P>'), "a&b anna"),
], ids=["element names in any letters, texts with blanks around", "another encoding",
        "a document type alone", "the entities of XML itself"])  # fmt: skip
def test_a_configuration_may_be_written_in_other_ways(written, settings, authors):
    path = written(settings)
    assert recognise(path).name == "rouge_xml"
    assert [s.author for s in load(path).summaries] == authors.split()


def test_repeated_ids_are_one_topic(written):
    first, second = configuration(), configuration(peers="").replace('"anna"', '"bo"')
    evaluation = second[second.index("<EVAL") : second.index("</ROUGE-EVAL>")]
    path = written(first.replace("</ROUGE-EVAL>", f"{evaluation}</ROUGE-EVAL>"))
    assert [s.author for s in load(path).summaries] == ["lead", "anna", "bo"]
    (merged,) = merge_evaluations(read_settings(path))
    assert [model.id for model in merged.models] == ["anna", "bo"]


LAUGHS = "<!ENTITY a 'ha'>" + "".join(
    f"<!ENTITY {longer} '{f'&{shorter};' * 10}'>"
    for shorter, longer in zip("abcdefghi", "bcdefghij", strict=True)
)


def test_entities_are_refused_and_nothing_outside_is_read(written, refused):
    def read(head, reference):
        path = written(head + configuration(peers=f'<P ID="lead">{reference}t1.lead.txt</P>'))
        assert recognise(path).name == "rouge_xml"
        load(path)

    refused(read, {
        "laughs": (f"<!DOCTYPE x [{LAUGHS}]>", "&j;"),
        "external": ("<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/hostname'>]>", "&e;"),
        "parameter": ("<!DOCTYPE x [<!ENTITY % p SYSTEM 'http://127.0.0.1/x'> %p;]>", ""),
        "undeclared": ("<!DOCTYPE x SYSTEM 'outside.dtd'>", "&e;"),
    })  # fmt: skip


WRONG = [
    "<ROUGE-EVAL>\n<EVAL",
    b" ",
    b"<!-- -->",
    "<ROUGE-EVAL>\n<EVAL ID='1'>\n",
    "<ROUGE-EVAL>\n</x>",
    "<ROUGE-EVAL/>",
    {"name": 'id="t1"'},
    {"name": ""},
    {"kind": ""},
    {"kind": '<INPUT-FORMAT TYPE="HTML"/>'},
    {"kind": '<INPUT-FORMAT TYPE="simple"/>'},
    {"peers": "<P>x</P>"},
    {"peers": '<P ID="x">gone.txt</P>'},
    {"peers": '<P ID="x"></P>'},
    {"peers": '<P ID="x">t1.lead.txt</P>\n<P ID="x">t1.lead.txt</P>'},
    "<?xml version='1.0' encoding='klingon'?><ROUGE-EVAL/>",
]  # fmt: skip


def test_what_is_wrong_is_named_with_its_line(written, refused):
    """A dictionary is one element of a whole configuration."""

    def read(settings):
        text = configuration(**settings) if isinstance(settings, dict) else settings
        return load(written(text), "rouge_xml")

    refused(read, WRONG)


def test_bad_summaries_can_be_skipped_and_broken_utf8_in_a_text_is_named(written):
    path = written(configuration(peers='<P ID="lead">t1.lead.txt</P><P ID="x">gone.txt</P>'))
    corpus = load(path, on_error="skip")
    assert [s.author for s in corpus.summaries] == ["lead", "anna"]
    assert len(corpus.problems) == 1 and "gone.txt" in corpus.problems[0]
    message = refusal(load, written(lead=b"One.\nA caf\xe9.\n", anna="x"))
    assert "t1.lead.txt:2: expected UTF-8, found the byte 0xe9" in message


@pytest.mark.parametrize("text", ["One.", '<S SNTNO="1">One.</S>', " " + SEE.format(1, "One.")])
def test_a_text_without_sentences_of_its_format_is_told(written, text):
    kind = '<INPUT-FORMAT TYPE="SEE"/>'
    skeleton = "<html><head><title>t1</title></head>\n<body>\n</body></html>\n"
    path = written(configuration(kind=kind), lead=text, anna=skeleton)
    corpus, (note,) = noted(load, path)  # An empty summary is nothing to tell.
    assert corpus.summaries[0].sentences == ()
    assert "lead.txt: no line is a sentence of SEE" in note


# --- the texts ---


@pytest.mark.parametrize(("kind", "text", "sentences"), [
    # A line of SPL is a sentence.
    ("SPL", "One.\n\n \nTwo.", ["One.", " ", "Two."]),
    ("SPL", "One.\r\nTwo.\r\n", ["One.\r", "Two.\r"]),
    ("SPL", "a\u2028b\x0bc\x85d\n", ["a\u2028b\x0bc\x85d"]),
    ("SPL", "", []),
    ("SEE", SEE.format(1, "One."), ["One."]),
    ("SEE", SEE.format(1, "One.").replace("<a n", '<a size="12" n'), ["One."]),
    ("SEE", SEE.format(1, "One.").replace("\n", "\r\n"), ["One."]),
    ("SEE", SEE.format(1, "A &amp; <b>B</b>"), ["A &amp; "]),
    ("SEE", SEE.format(1, "Lettered.").replace("[1]", "[one]"), []),
    ("SEE", '<a name="1">[1]</a> <a href="#1" id=1>Open\n', ["Open\n"]),
    ("SEE", '<a name="1">[1]</a> <a href="#1" id=1>Open', ["Open"]),
    ("SEE", " " + SEE.format(1, "Indented."), []),
    ("SEE", SEE.format(1, "Upper.").replace("<a", "<A"), []),
    ("SEE", SEE.format(1, "Quoted.").replace("id=1", 'id="1"'), []),
    ("SEE", SEE.format(1, ""), []),
    ("SEE", "One.\n", []),
    ("ISI", '<S SNTNO="1">One.</S>\n', ["One."]),
    ("ISI", '<S SNTNO="1,2b">One.</S> more\n', ["One."]),
    ("ISI", '<S SNTNO="1">Open\n', []),
    ("ISI", '<S SNTNO="1">A <b>b</b></S>\n', []),
    ("ISI", '<S SNTNO="A">One.</S>\n', []),
    ("ISI", '<s SNTNO="1">One.</s>\n', []),
    ("ISI", ' <S SNTNO="1">One.</S>\n', []),
])  # fmt: skip
def test_lines_are_matched_as_the_script_does(kind, text, sentences):
    before, after = {"SPL": ("", ""), "SEE": ("<html>\n", ""), "ISI": ("<DOC>\n", "</DOC>")}[kind]
    assert split_as_rouge155(before + text + after, kind) == sentences


written_sentences = st.lists(
    st.text(st.characters(exclude_characters="\r\n<", exclude_categories=["Cs"]), min_size=1)
)


@given(written_sentences, st.sampled_from(["SPL", "SEE"]))
def test_sentences_survive_writing(sentences, kind):
    assert split_as_rouge155(join_as_rouge155(sentences, kind), kind) == sentences


def test_words_for_the_formats_of_texts():
    kinds = [text_kind(word) for word in ("spl", "SEE", "Isi", "simple", "")]
    assert kinds == ["SPL", "SEE", "ISI", None, None]


# --- writing ---

CORPUS = Corpus(
    topics=(Topic("t1"), Topic("t/2")),
    summaries=(
        Summary("t1", "lead", "candidate", sentences=("One ferry.", "Two.")),
        Summary("t1", "anna", "reference", sentences=("A ferry.",)),
        Summary("t/2", "lead", "candidate", sentences=()),
        Summary("t/2", ". Åsa & \"Bo\" <x>", "reference", sentences=("Färja & pir.",)),
    ),
)  # fmt: skip


@pytest.mark.parametrize("texts", ["SPL", "SEE"])
def test_a_corpus_is_written_and_read_again(tmp_path, texts):
    FORMATS.build(f"rouge_xml(texts={texts})").write(CORPUS, tmp_path / "out")
    assert load(tmp_path / "out").summaries == CORPUS.summaries
    assert load(tmp_path / "out" / "settings.xml").topics == CORPUS.topics
    ending = "txt" if texts == "SPL" else "html"
    assert (tmp_path / "out" / "systems" / "lead" / f"t1.{ending}").exists()
    first = Corpus(topics=CORPUS.topics[:1], summaries=CORPUS.summaries[:2])
    FORMATS.build(f"rouge_xml(texts={texts})").write(first, tmp_path / "first")
    assert (tmp_path / "first" / "settings.xml").read_text() == (
        '<?xml version="1.0" encoding="UTF-8"?>\n<ROUGE-EVAL version="1.5.5">\n<EVAL ID="t1">\n'
        "<PEER-ROOT>systems</PEER-ROOT>\n<MODEL-ROOT>models</MODEL-ROOT>\n"
        f'<INPUT-FORMAT TYPE="{texts}"/>\n<PEERS>\n<P ID="lead">lead/t1.{ending}</P>\n</PEERS>\n'
        f'<MODELS>\n<M ID="anna">anna/t1.{ending}</M>\n</MODELS>\n</EVAL>\n</ROUGE-EVAL>\n'
    )


names = st.text(xml_characters, max_size=6) | st.sampled_from(
    [".", "..", "a/b", "a%2Fb", "\t", "~", "con\n"]
)


@given(
    st.lists(st.tuples(names, names), min_size=1, max_size=4, unique=True),
    written_sentences.map(lambda drawn: tuple(s for s in drawn if "\ufeff" not in s)),
)
def test_any_names_and_sentences_survive(tmp_path_factory, pairs, sentences):
    path = tmp_path_factory.mktemp("out")
    topics = tuple(Topic(name) for name in dict.fromkeys(topic for topic, _ in pairs))
    summaries = tuple(Summary(t, author, "candidate", sentences=sentences) for t, author in pairs)
    FORMATS.build("rouge_xml").write(Corpus(topics=topics, summaries=summaries), path)
    again = load(path)
    assert again.topics == topics
    assert sorted(again.summaries, key=repr) == sorted(summaries, key=repr)


def test_text_is_written_by_sentences_and_extracts_by_their_units(tmp_path):
    topic = with_units(Topic("t", documents=(Document("d", text="One. Two."),)), "en")
    text = Summary("t", "a", "candidate", text="It sank. All lived.")
    extract = Summary("t", "b", "candidate", units=(1, 0))
    corpus = Corpus(language="en", topics=(topic,), summaries=(text, extract))
    _, notes = noted(FORMATS.build("rouge_xml").write, corpus, tmp_path)
    assert any("the units of 1 summary;" in note for note in notes)
    sentences = [s.sentences for s in load(tmp_path).summaries]
    assert sentences == [("It sank.", "All lived."), ("Two.", "One.")]


@pytest.mark.parametrize(("kind", "sentences", "note", "expected"), [
    ("SEE", ("a < b\nc", ""), "the line breaks or '<' and empty sentences", ("a   b c",)),
    ("SPL", ("\ufeffOne.", "Two."), "byte order marks and empty sentences", ("One.", "Two.")),
])  # fmt: skip
def test_what_a_line_cannot_hold_is_told_and_left_out(tmp_path, kind, sentences, note, expected):
    summary = Summary("t", "lead", "candidate", sentences=sentences)
    corpus = Corpus(topics=(Topic("t"),), summaries=(summary,))
    (text,) = notes_on_writing(f"rouge_xml(texts={kind})", corpus, tmp_path / "out")
    assert f"{note} of 1 summary" in text
    assert load(tmp_path / "out").summaries[0].sentences == expected


# --- lists, and XML in general ---


def test_a_list_names_a_peer_and_its_models_and_elements_know_their_lines(write):
    path = write("list", "# peer models\n\n  p1 m1\tm2  \n   \n#p0 m0\np2 m3\r\n")
    first, second = read_list(path, "SPL", "X")
    assert (first.id, second.id) == ("1", "2")
    assert [(peer.id, peer.path) for peer in first.peers] == [("X", "p1")]
    assert [model.path for model in first.models] == ["m1", "m2"]
    assert (second.models[0].path, second.place.line) == ("m3", 6)
    root = read_xml(write("x.xml", "<a>\n one <b x='1'/> two\n<B/></a>"))
    assert (root.name, root.place.line, root.text.split()) == ("a", 1, ["one", "two"])
    children = [(b.name, b.place.line, b.attributes) for b in root.named("b")]
    assert children == [("b", 2, {"x": "1"}), ("B", 3, {})]


@given(st.binary(max_size=60))
def test_no_bytes_upset_the_look_at_the_first_names(content):
    assert len(opening_names(content)) <= 2
