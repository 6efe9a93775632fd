"""Thesaurus files: MyThes and our own."""

from itertools import pairwise

import pytest
from format_checks import answers, broken_files, noted, refusal
from hypothesis import given
from hypothesis import strategies as st

from summetry.errors import SummetryError
from summetry.lexicons.roget import read_heads
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


def test_relations_are_chosen_by_name(tmp_path):
    thesaurus = read_thesaurus(write(tmp_path, "th.dat", MYTHES))
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


@broken_files(r"""
== MyThes
th.dat
th.dat UTF-9\n
th.dat ferry|1\n
th.dat UTF-8\nferry\n
th.dat UTF-8\n\nferry|two\n
th.dat UTF-8\n|1\n-|x\n
th.dat UTF-8\nferry|2\n-|boat\n
th.dat UTF-8\na|2\n-|b\nc|1\n-|d\n
th.dat UTF-8\n(noun)|boat\n
th.dat UTF-8\nferry|1\n(noun)\n
th.dat ASCII\nferry|1\n-|\xe9\n

== our own
own.tsv a\tb\n
own.tsv a\tb\tc\td\n
own.tsv a\tx\tc\na\t\tc\n
own.tsv \xe9\tsynonym\t\xe8\n
own.jsonl {}\n
own.jsonl {"word": 1}\n
own.jsonl []\n
own.jsonl {"word": "a", "relation": "b", "to": ""}\n
own.txt a\tb\tc\n
own a\tb\tc\n

== Roget
a.jsonl {"class": "I"}\n
a.jsonl \n\nno\n
a.jsonl
a.txt Call me Ishmael.\n
a.txt CLASS I\n\n\xff
a.dat x
""")
def test_a_broken_file_is_named_with_its_line(tmp_path, reader, files, snapshot):
    def refuse(name, content):
        (tmp_path / name).write_bytes(content)
        read = read_heads if reader == "Roget" else read_thesaurus
        return refusal(read, tmp_path / name).replace(f"{tmp_path}/", "")

    assert answers(files, refuse) == snapshot


TSV = "ferry\thypernym\tboat\n\nship\thypernym\tboat\nferry\tsynonym\tferryboat\n"
JSONL = """{"word": "ferry", "relation": "hypernym", "to": "boat"}
{"word": "ship", "relation": "hypernym", "to": "boat"}

{"to": "ferryboat", "relation": "synonym", "word": "ferry"}
"""
UNCOUNTED = "UTF-8\nferry|1\n(noun)|boat\n(verb)|carry\nship|1\n-|1912\n"
FILES = {
    "MyThes": ("th.dat", MYTHES.encode()),
    "meanings that nobody counted": ("th.dat", UNCOUNTED.encode()),
    "no meanings, and a part of speech without brackets": (
        "th.dat",
        b"UTF-8\nferry|0\n\nship|1\nnoun|boat|9\n",
    ),
    "an encoding with a stroke and CRLF": (
        "th.dat",
        "CP-1251\r\nпаром|1\r\n-|судно\r\n".encode("cp1251"),
    ),
    "TSV": ("own.tsv", TSV.encode("utf-8-sig")),
    "JSON Lines": ("own.jsonl", JSONL.encode("utf-8-sig")),
    **{f"an empty {name}": (name, b"") for name in ("own.tsv", "own.jsonl")},
}


@pytest.mark.parametrize("case", FILES)
def test_a_file_has_a_group_for_each_meaning_or_word(tmp_path, case, snapshot):
    name, content = FILES[case]
    (tmp_path / name).write_bytes(content)
    thesaurus, lines = noted(read_thesaurus, tmp_path / name)
    lines = [line.replace(f"{tmp_path}/", "") for line in lines]
    for (word, _), *rest in groups(thesaurus):
        lines.append(", ".join([word, *(f"{other} ({relation})" for other, relation in rest)]))
    assert "\n".join([*lines, f"relations: {', '.join(thesaurus.relations)}"]) == snapshot


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
