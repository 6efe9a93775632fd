"""Thesaurus files: MyThes and our own."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summetry.errors import SummetryError, SummetryWarning
from summetry.lexicons.thesaurus import HEAD, build_thesaurus, read_thesaurus

MYTHES = """UTF-8
ferry|2
(noun)|ferryboat|boat (generic term)
(verb)|transport|carry (similar term)|fetch (antonym)
Färgen|1
-|Kulör (umgangssprachlich)|Anstrich (Oberbegriff)|Rot (ugs.) (Unterbegriff)|
"""


def write(folder, name, text, encoding="utf-8"):
    path = folder / name
    path.write_bytes(text.encode(encoding))
    return path


def groups(thesaurus):
    """The members of each group with their relations, its own word first."""
    pairs = zip(thesaurus.members, thesaurus.kinds, strict=True)
    members = [(thesaurus.words[word], thesaurus.names[kind]) for word, kind in pairs]
    return [members[start:end] for start, end in pairwise(thesaurus.offsets)]


def test_each_meaning_of_mythes_is_a_group_with_its_relations_or_some_of_them(tmp_path):
    thesaurus = read_thesaurus(write(tmp_path, "th.dat", MYTHES))
    assert groups(thesaurus) == [
        [("ferry", HEAD), ("ferryboat", "synonym"), ("boat", "hypernym")],
        [("ferry", HEAD), ("transport", "synonym"), ("carry", "similar"), ("fetch", "antonym")],
        [("Färgen", HEAD), ("Kulör", "synonym"), ("Anstrich", "hypernym"), ("Rot", "hyponym")],
    ]
    assert thesaurus.relations == ("antonym", "hypernym", "hyponym", "similar", "synonym")
    assert groups(thesaurus.only(["similar", "hypernym"])) == [
        [("ferry", HEAD), ("boat", "hypernym")],
        [("ferry", HEAD), ("carry", "similar")],
        [("Färgen", HEAD), ("Anstrich", "hypernym")],
    ]
    with pytest.raises(SummetryError, match=r"no relation 'synonim'\. Did you mean 'synonym'\?"):
        thesaurus.only(["synonim"])


@pytest.mark.parametrize(
    ("name", "encoding"),
    [("ISO8859-1", "latin-1"), ("iso8859-15", "iso-8859-15"), ("UTF-8", "utf-8"),
     ("UTF-8", "utf-8-sig"), ("CP1252", "cp1252")],
)  # fmt: skip
def test_the_first_line_names_the_encoding(tmp_path, name, encoding):
    text = MYTHES.replace("UTF-8", name)
    thesaurus = read_thesaurus(write(tmp_path, "th.dat", text, encoding))
    assert len(thesaurus) == 3
    assert groups(thesaurus)[2][1] == ("Kulör", "synonym")


WORD, TRIPLE = "expected a word and the number", "expected a word, a relation and a word"
NO_ENCODING = r"th\.dat:1: expected the name of an encoding"


@pytest.mark.parametrize(("name", "text", "message"), [
    ("th.dat", "", f"{NO_ENCODING}, such as UTF-8, found ''"),
    ("th.dat", "UTF-9\n", f"{NO_ENCODING}, such as UTF-8, found 'UTF-9'"),
    ("th.dat", "ferry|1\n", NO_ENCODING),
    ("th.dat", "UTF-8\nferry\n", rf"th\.dat:2: {WORD} .*, found 'ferry'"),
    ("th.dat", "UTF-8\n\nferry|two\n", rf"th\.dat:3: {WORD} .*, found 'ferry"),
    ("th.dat", "UTF-8\n|1\n-|x\n", rf"th\.dat:2: {WORD}"),
    ("th.dat", "UTF-8\nferry|2\n-|boat\n",
     r"th\.dat:3: expected 1 more .* of 'ferry', found the end"),
    ("th.dat", "UTF-8\na|2\n-|b\nc|1\n-|d\n",
     r"th\.dat:4: expected 1 more .*, found the word 'c\|1'"),
    ("th.dat", "UTF-8\n(noun)|boat\n", rf"th\.dat:2: {WORD}"),
    ("th.dat", "UTF-8\nferry|1\n(noun)\n", r"th\.dat:3: expected a meaning, .*, found '\(noun\)'"),
    ("th.dat", "ASCII\nferry|1\n-|é\n", r"th\.dat:3: expected text in ascii, found b'-"),
    ("own.tsv", "a\tb\n", rf"own\.tsv:1: {TRIPLE}"),
    ("own.tsv", "a\tb\tc\td\n", rf"own\.tsv:1: {TRIPLE}"),
    ("own.tsv", "a\tx\tc\na\t\tc\n", rf"own\.tsv:2: {TRIPLE}"),
    ("own.tsv", b"\xe9\tsynonym\t\xe8\n", r"own\.tsv:1: expected UTF-8, found the byte"),
    ("own.jsonl", "{}\n", r"own\.jsonl:1: expected a word, .*, found '{}'"),
    ("own.jsonl", '{"word": 1}\n', r"own\.jsonl:1: expected a word"),
    ("own.jsonl", "[]\n", r"own\.jsonl:1: expected a word"),
    ("own.jsonl", '{"word": "a", "relation": "b", "to": ""}\n', r"own\.jsonl:1: expected"),
    ("own.txt", "a\tb\tc\n", r"own\.txt: expected .* ends in \.dat .* found \.txt"),
    ("own", "a\tb\tc\n", r"own: expected .* found none"),
])  # fmt: skip
def test_a_broken_file_is_named_with_its_line(tmp_path, name, text, message):
    (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(SummetryError, match=message):
        read_thesaurus(tmp_path / name)


def test_meanings_that_nobody_counted_are_read_with_a_warning(tmp_path):
    path = write(tmp_path, "th.dat", "UTF-8\nferry|1\n(noun)|boat\n(verb)|carry\nship|1\n-|1912\n")
    with pytest.warns(SummetryWarning, match=r"th\.dat: 1 meanings more than their words say"):
        thesaurus = read_thesaurus(path)
    assert groups(thesaurus) == [
        [("ferry", HEAD), ("boat", "synonym")],
        [("ferry", HEAD), ("carry", "synonym")],
        [("ship", HEAD), ("1912", "synonym")],
    ]


@pytest.mark.parametrize(("text", "encoding", "group"), [
    # A word without meanings and a part of speech without brackets.
    ("UTF-8\nferry|0\n\nship|1\nnoun|boat|9\n", "utf-8",
     [("ship", HEAD), ("boat", "synonym"), ("9", "synonym")]),
    # An encoding with a stroke and the ends of lines of Windows.
    ("CP-1251\r\nпаром|1\r\n-|судно\r\n", "cp1251", [("паром", HEAD), ("судно", "synonym")]),
])  # fmt: skip
def test_small_files_of_mythes(tmp_path, text, encoding, group):
    assert groups(read_thesaurus(write(tmp_path, "th.dat", text, encoding))) == [group]


TSV = "ferry\thypernym\tboat\n\nship\thypernym\tboat\nferry\tsynonym\tferryboat\n"
JSONL = """{"word": "ferry", "relation": "hypernym", "to": "boat"}
{"word": "ship", "relation": "hypernym", "to": "boat"}

{"to": "ferryboat", "relation": "synonym", "word": "ferry"}
"""


@pytest.mark.parametrize(("name", "text"), [("own.tsv", TSV), ("own.jsonl", JSONL)])
def test_our_own_files_give_a_group_for_each_word(tmp_path, name, text):
    thesaurus = read_thesaurus(write(tmp_path, name, text, "utf-8-sig"))
    assert groups(thesaurus) == [
        [("ferry", HEAD), ("boat", "hypernym"), ("ferryboat", "synonym")],
        [("boat", HEAD), ("ferry", "hypernym"), ("ship", "hypernym")],
        [("ship", HEAD), ("boat", "hypernym")],
        [("ferryboat", HEAD), ("ferry", "synonym")],
    ]
    assert thesaurus.relations == ("hypernym", "synonym")
    nothing = read_thesaurus(write(tmp_path, name, ""))
    assert (len(nothing), nothing.words, nothing.relations) == (0, (), ())


lines = st.lists(
    st.tuples(st.sampled_from("abcd"), st.sampled_from(["is", "has"]), st.sampled_from("abcd"))
)


@given(lines, st.sampled_from([["is"], ["has"], ["is", "has"]]))
def test_filtering_keeps_what_a_plain_loop_keeps(triples, kept):
    built = [[(a, HEAD), (b, relation)] for a, relation, b in triples]
    thesaurus = build_thesaurus(built)
    kept = [name for name in kept if name in thesaurus.relations]
    expected = [[pair for pair in group if pair[1] in (HEAD, *kept)] for group in built]
    assert groups(thesaurus.only(kept)) == expected
