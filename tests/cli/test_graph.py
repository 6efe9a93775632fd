"""``summetry graph`` and ``summetry network``: tables, pictures, JSON, and mistakes.

tests/metrics has the numbers by hand, tests/reports the pictures.
"""

import json
import shlex
from xml.etree import ElementTree

import pytest
from command_line import succeed


def typed(line):
    return succeed(*shlex.split(line))


def elements(path, tag):
    return [e for e in ElementTree.parse(path).getroot().iter() if e.tag.endswith(tag)]


def write_jsonl(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


# --- graphs -----------------------------------------------------------------------------------


@pytest.fixture
def words(here):
    """banana is ban ana nan ana, ananas is ana nan ana nas; all stand near each other."""
    texts = {"banana": "banana", "ananas": "ananas", "abcd": "abcd", "abc": "abc"}
    for name, text in (texts | {"text": "The cat sat. The cat ran."}).items():
        (here / f"{name}.txt").write_text(text)
    return here


def test_tables_of_graphs(words, shows):
    # 200 distinct characters, each joined to every other, both ways.
    (words / "long.txt").write_text("".join(chr(0x4E00 + i) for i in range(200)), encoding="utf-8")
    shows(
        "graph banana.txt --top 1",
        "graph banana.txt ananas.txt",
        "graph banana.txt ananas.txt --merge mean",
        "graph banana.txt ananas.txt abcd.txt --merge update",
        "graph abcd.txt --level 1",
        "graph abc.txt",
        "graph abc.txt --level 2",
        "graph long.txt -n 1 --window 200 --top 1",
        "graph text.txt -n 1 --window 2 --directed --weights distance --text auto",
    )
    done = succeed("graph", "-", "-n", "1", "--window", "1", stdin="ΑΒ".encode())
    assert done.lines[2:] == ["'Α'      'Β'  1"]


def test_json_has_vertices_edges_direction_and_sizes(words):
    output = typed("graph text.txt -n 1 --window 2 --directed --text auto --json").json
    assert output["vertices"] == ["the", "cat", "sat", "ran"] and output["directed"] is True
    assert {"source": "cat", "target": "the", "weight": 2.0} in output["edges"]
    assert output["size"] == len(output["edges"])
    output = typed("graph banana.txt ananas.txt --top 1 --json").json
    assert output["files"] == ["banana.txt", "ananas.txt"] and output["sizes"] == [7, 7]
    assert {"source": "ana", "target": "nas", "weights": [0, 2]} in output["edges"]
    assert len(output["edges"]) == 6


def test_pictures_have_the_edges_of_the_table_or_name_whose_they_are(words):
    for options, vertices in (("", 3), ("--top 1", 1)):
        assert "wrote banana.svg" in typed(f"graph banana.txt {options} -o banana.svg").out
        assert len(elements(words / "banana.svg", "ellipse")) == vertices
    assert "wrote two.svg" in typed("graph banana.txt ananas.txt -o two.svg").out
    texts = [e.text for e in elements(words / "two.svg", "text")]
    assert texts[-3:] == ["both", "only banana.txt", "only ananas.txt"] and "2/2" in texts


# --- networks ---------------------------------------------------------------------------------

TABLE = [[0, 2, 3, 4, 5], [2, 3, 4, 5, 6], [1, 2, 6, 7, 8], [1, 2, 3, 7, 8], [0, 1, 2, 3, 6]]
TEXT = "The beautiful cherry blossoms in Japan bloom in spring"
TEXT_OF_SYSTEM = {"author": "system", "role": "candidate", "text": "Cherry bloom in spring"}


def extracts(units):
    people = zip("ABCDE"[: len(units)], units, strict=True)
    return [{"topic": "s1", "informant": person, "units": chosen} for person, chosen in people]


@pytest.fixture
def cherry(here, corpus):
    """The example of Hori et al.: a system that wrote a text, models of two people, and A alone."""
    folder = here / "cherry"
    folder.mkdir()
    people = [{"author": "m", "units": [2, 6]}, {"author": "n", "units": [1, 2]}]
    summaries = [TEXT_OF_SYSTEM, *({"role": "reference"} | person for person in people)]
    summaries.append({"author": "A", "role": "candidate", "units": TABLE[0]})
    write_jsonl(folder / "topics.jsonl", [{"id": "s1", "unit": "word", "text": TEXT}])
    write_jsonl(folder / "summaries.jsonl", [{"topic": "s1"} | row for row in summaries])
    write_jsonl(folder / "extracts.jsonl", extracts(TABLE))
    return folder


def test_tables_of_networks(cherry, shows):
    """An informant meets the network of the others, references too."""
    shows(
        "network cherry --system system",
        "network cherry --system A --criterion accuracy --boundaries",
        "network cherry --against references --system m",
        "network corpus --id t01 --level words --system lead",
    )


def test_json_and_pictures_of_networks(cherry, here):
    output = typed("network cherry --system system --json").json
    assert (output["people"], output["paths"], output["units"]) == (5, 32, list(range(9)))
    assert {"tail": "<s>", "head": 0, "people": 2} in output["arcs"]
    assert (output["best_path"], output["target"]) == ([1, 2, 3, 4, 5], [2, 6, 7, 8])
    assert output["sum_accy"] == 100.0
    assert "target" not in typed("network cherry --json").json
    output = typed("network cherry --against references --json").json
    assert (output["people"], output["paths"]) == (2, 4)
    assert typed("network corpus --id t01 --json").json["people"] == 5
    typed("network cherry --system system -o network.svg")
    classes = [path.get("class") for path in elements(here / "network.svg", "path")]
    assert len([name for name in classes if name]) == 18
    assert "a target" in classes and "a best" in classes


def test_more_paths_than_a_number_can_be_read(cherry):
    # Each of 200 pairs is passed by its first unit or its second: 2**200 paths.
    many = [list(range(0, 400, 2)), list(range(1, 400, 2))]
    swapped = [[many[(n + i) % 2][n] for n in range(200)] for i in (0, 1)]
    topic = {"id": "s1", "unit": "word", "documents": [{"id": "d", "units": ["x"] * 400}]}
    write_jsonl(cherry / "topics.jsonl", [topic])
    write_jsonl(cherry / "extracts.jsonl", extracts(many + swapped))
    assert typed("network cherry").lines[0].endswith("about 10^60 paths")
    output = typed("network cherry --json").json
    assert output["paths"] is None and int(output["log10_paths"]) == 60


def test_mistakes(words, cherry, refuses):
    (words / "without").mkdir()
    (words / "without" / "topics.jsonl").write_bytes((cherry / "topics.jsonl").read_bytes())
    refuses("""
        graph bananas.txt
        graph banana.txt -n 0
        graph banana.txt --window 0
        graph banana.txt --top -1
        graph banana.txt -o banana.pdf
        graph banana.txt banana.txt banana.txt
        graph banana.txt --merge mean
        graph banana.txt --level 2 --directed
        graph banana.txt --level 0
        graph - -
        graph banana.txt --text rawr
        network cherry --id s2
        network cherry --system sistem
        network cherry -o network.pdf
        network cherry --against both
        network without
        network corpus
        network corpus --id t01 --system careful
        network corpus --id t01 --level words -o n.svg
    """)
