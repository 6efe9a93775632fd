"""``summetry graph`` and ``summetry network``: tables, pictures, JSON, and mistakes."""

import json
import shlex
from xml.etree import ElementTree

import pytest
from command_line import assert_refused, run_command, succeed


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
    for word in ("banana", "ananas"):
        (here / f"{word}.txt").write_text(word)
    return here


GRAPHS = {
    "banana.txt": """
3 vertices, |G| = 7
between  and    weight
'ana'    'ana'  2
'ana'    'ban'  2
'ana'    'nan'  2
'ban'    'nan'  1
""",
    "banana.txt --top 1": """
3 vertices, |G| = 7
between  and    weight
'ana'    'ana'  2
... and 3 more (--top 0 shows all)
""",
    "banana.txt ananas.txt": """
banana.txt: 3 vertices, |G| = 7
ananas.txt: 3 vertices, |G| = 7
2 common edges, 6 in all
between  and    banana.txt  ananas.txt
'ana'    'ana'  2           2
'ana'    'ban'  2           0
'ana'    'nan'  2           2
'ana'    'nas'  0           2
'ban'    'nan'  1           0
'nan'    'nas'  0           1
""",
    "abcd.txt --level 1": """
2 vertices, |G| = 2
between  and   weight
'ab'     'cd'  1
""",
}


@pytest.mark.parametrize("line", GRAPHS)
def test_the_table_of_a_small_graph(words, line):
    (words / "abcd.txt").write_text("abcd")
    assert typed(f"graph {line}").lines == GRAPHS[line].strip().splitlines()


def test_json_has_vertices_edges_direction_and_sizes(words):
    (words / "text.txt").write_text("The cat sat. The cat ran.")
    options = "-n 1 --window 2 --directed --weights distance --text auto"
    output = typed(f"graph text.txt {options} --json").json
    assert output["vertices"] == ["the", "cat", "sat", "ran"] and output["directed"] is True
    # cat stands one after the first the and one after the second; the first cat two before it.
    assert {"source": "cat", "target": "the", "weight": 1.0} in output["edges"]
    assert {"source": "the", "target": "cat", "weight": 2.0} in output["edges"]
    assert output["size"] == len(output["edges"])
    output = typed("graph banana.txt ananas.txt --top 1 --json").json
    assert output["files"] == ["banana.txt", "ananas.txt"] and output["sizes"] == [7, 7]
    assert {"source": "ana", "target": "nas", "weights": [0, 2]} in output["edges"]
    assert len(output["edges"]) == 6


@pytest.mark.parametrize(("options", "vertices"), [("", 3), ("--top 1", 1)])
def test_a_picture_is_written(words, options, vertices):
    assert "wrote banana.svg" in typed(f"graph banana.txt {options} -o banana.svg").out
    assert len(elements(words / "banana.svg", "ellipse")) == vertices


def test_the_size_of_a_large_graph_has_all_its_digits(here):
    # 1001 distinct characters, each joined to every other, both ways.
    (here / "text.txt").write_text("".join(chr(0x4E00 + i) for i in range(1001)), encoding="utf-8")
    lines = typed("graph text.txt -n 1 --window 1001 --top 1").lines
    assert lines[0] == "1,001 vertices, |G| = 1,001,000"


def test_all_edges_of_a_long_text_are_shown(here):
    # 20,000 distinct characters: every one with the next, and every one with the one after it.
    (here / "text.txt").write_text("".join(map(chr, range(0x3400, 0x3400 + 20_000))), "utf-8")
    lines = typed("graph text.txt -n 1 --window 2 --top 0").lines
    assert lines[0] == "20,000 vertices, |G| = 79,994" and len(lines) == 2 + 19_999 + 19_998


@pytest.mark.parametrize(("text", "options"), [("", ""), ("abc", ""), ("abc", "--level 2")])
def test_a_text_that_is_too_short_for_an_edge_says_so(here, text, options):
    (here / "text.txt").write_text(text)
    note = "no edges: the text has fewer than 4 characters (or words)"
    assert typed(f"graph text.txt {options}").lines[1:] == [note]


def test_standard_input_is_read():
    done = succeed("graph", "-", "-n", "1", "--window", "1", stdin="ΑΒ".encode())
    assert done.lines[2:] == ["'Α'      'Β'  1"]


def test_a_picture_of_two_graphs_names_whose_an_edge_is(words):
    assert "wrote two.svg" in typed("graph banana.txt ananas.txt -o two.svg").out
    kinds = [e.get("class") for e in elements(words / "two.svg", "")]
    kinds = [kind for kind in kinds if (kind or "").startswith("e ")]
    # Each kind once more in the key below the picture.
    assert {kind: kinds.count(kind) for kind in kinds} == {"e both": 3, "e first": 3, "e second": 3}
    texts = [e.text for e in elements(words / "two.svg", "text")]
    assert texts[-3:] == ["both", "only banana.txt", "only ananas.txt"] and "2/2" in texts


def test_a_merged_graph(words):
    lines = typed("graph banana.txt ananas.txt --merge mean").lines
    assert lines[0] == "4 vertices, |G| = 11"
    assert {tuple(line.split()) for line in lines[2:]} == {
        ("'ana'", "'ana'", "2"), ("'ana'", "'nan'", "2"), ("'ana'", "'ban'", "1"),
        ("'ana'", "'nas'", "1"), ("'ban'", "'nan'", "0.5"), ("'nan'", "'nas'", "0.5"),
    }  # fmt: skip


@pytest.mark.parametrize("line", ["banana.txt -o one.PNG", "banana.txt ananas.txt -o two.png"])
def test_a_picture_as_png(words, line):
    pytest.importorskip("vl_convert")
    typed(f"graph {line}")
    content = (words / line.split()[-1]).read_bytes()
    assert content.startswith(b"\x89PNG\r\n") and len(content) > 5000


# --- networks ---------------------------------------------------------------------------------

TABLE = [[0, 2, 3, 4, 5], [2, 3, 4, 5, 6], [1, 2, 6, 7, 8], [1, 2, 3, 7, 8], [0, 1, 2, 3, 6]]
TEXT = "The beautiful cherry blossoms in Japan bloom in spring"
TEXT_OF_SYSTEM = {"author": "system", "role": "candidate", "text": "Cherry bloom in spring"}


def extracts(units):
    people = zip("ABCDE"[: len(units)], units, strict=True)
    return [{"topic": "s1", "informant": person, "units": chosen} for person, chosen in people]


@pytest.fixture
def cherry(here, demo_folder):
    """The example of Hori et al., with a system that wrote a text and models of two people."""
    folder = here / "cherry"
    folder.mkdir()
    people = [{"author": "m", "units": [2, 6]}, {"author": "n", "units": [1, 2]}]
    summaries = [TEXT_OF_SYSTEM, *({"role": "reference"} | person for person in people)]
    write_jsonl(folder / "topics.jsonl", [{"id": "s1", "unit": "word", "text": TEXT}])
    write_jsonl(folder / "summaries.jsonl", [{"topic": "s1"} | row for row in summaries])
    write_jsonl(folder / "extracts.jsonl", extracts(TABLE))
    (here / "demo").symlink_to(demo_folder)
    return folder


def test_the_papers_example_as_a_table_and_as_json(cherry):
    lines = typed("network cherry --system system").lines
    assert lines[:2] == [
        "5 extracts, 9 units, 18 arcs, 32 paths",
        "most reliable: 1 2 3 4 5 (0.5264)",
    ]
    # 2-6-7-8: one, one and two of five people, so the cube root of 2/125.
    assert lines[2] == f"closest to system: 2 6 7 8 ({(2 / 125) ** (1 / 3):.4f})"
    lines = typed("network cherry").lines
    assert lines[2].split() == ["from", "to", "people"]
    assert ["2", "cherry", "3", "blossoms", "4"] in [line.split() for line in lines]
    assert len(lines) == 3 + 18
    output = typed("network cherry --system system --json").json
    assert (output["people"], output["paths"], output["units"]) == (5, 32, list(range(9)))
    assert {"tail": "<s>", "head": 0, "people": 2} in output["arcs"]
    assert (output["best_path"], output["target"]) == ([1, 2, 3, 4, 5], [2, 6, 7, 8])
    assert output["sum_accy"] == 100.0
    assert "target" not in typed("network cherry --json").json


def test_references_instead_of_extracts_without_the_systems_own(cherry):
    output = typed("network cherry --against references --json").json
    assert (output["people"], output["paths"]) == (2, 4)
    output = typed("network cherry --against references --system m --json").json
    assert (output["people"], output["target"]) == (1, [1, 2])


def test_a_picture_of_a_network_is_written(cherry, here):
    typed("network cherry --system system -o network.svg")
    classes = [path.get("class") for path in elements(here / "network.svg", "path")]
    assert len([name for name in classes if name]) == 18
    assert "a target" in classes and "a best" in classes


def test_the_network_of_a_topic_is_one_of_sentences_or_of_their_words(cherry):
    by_units, by_words = (
        typed(f"network demo --id t01 {level} --json").json for level in ("", "--level words")
    )
    assert by_units["people"] == by_words["people"] == 5
    assert len(by_words["units"]) > len(by_units["units"])


def test_more_paths_than_a_number_can_be_read(cherry):
    # Each of 1,200 pairs is passed by its first unit or its second: 2**1200 paths.
    many = [list(range(0, 2_400, 2)), list(range(1, 2_400, 2))]
    swapped = [[many[(n + i) % 2][n] for n in range(1_200)] for i in (0, 1)]
    topic = {"id": "s1", "unit": "word", "documents": [{"id": "d", "units": ["x"] * 2_400}]}
    write_jsonl(cherry / "topics.jsonl", [topic])
    write_jsonl(cherry / "extracts.jsonl", extracts(many + swapped))
    assert typed("network cherry").lines[0].endswith("about 10^361 paths")
    output = typed("network cherry --json").json
    assert output["paths"] is None and int(output["log10_paths"]) == 361
    message = typed("explain cherry -m sum_accy --id s1 --system system").out
    assert "about 10^361 paths" in message


def test_an_informant_meets_the_network_of_the_others(cherry):
    """Without A nobody ends at unit 5, and 0 leads to 1 only: two edits to 0 1 2 3 4 5 6."""
    own = {"topic": "s1", "author": "A", "role": "candidate", "units": TABLE[0]}
    with (cherry / "summaries.jsonl").open("a") as file:
        file.write(json.dumps(own))
    output = typed("network cherry --system A --json").json
    assert (output["people"], output["distance"]) == (4, 2)
    assert output["sum_accy"] == pytest.approx(500 / 7)
    assert typed("network cherry --json").json["people"] == 5


# --- mistakes ---------------------------------------------------------------------------------

MISTAKES = [
    ("graph bananas.txt", "bananas.txt: no such file or folder"),
    ("graph banana.txt -n 0", "an n-gram is 1 token long or more, got 0"),
    ("graph banana.txt -n 1000000000", "an n-gram is 100 tokens long or less, got 1000000000"),
    ("graph banana.txt --window 0", "the window of a graph must be 1 or more, got 0"),
    ("graph banana.txt --top -1", "--top must be 0 or more, got -1"),
    ("graph banana.txt -o banana.pdf", "banana.pdf: a graph is drawn as SVG or PNG; give"),
    ("graph banana.txt banana.txt banana.txt", "one graph is shown, or two together, got 3"),
    ("graph banana.txt --merge mean", "--merge merges the graphs of 2 files or more, got 1"),
    ("graph banana.txt --level 2 --directed", "--level goes without --merge, --directed"),
    ("graph banana.txt --level 0", "hpg: levels must be 1 or more, got 0"),
    ("graph - -", "standard input (-) can be read once; name files"),
    ("graph banana.txt --text rawr", "no text pipeline or language is named 'rawr'"),
    ("network cherry --id s2", "no topic is named 's2'. Known: s1."),
    ("network cherry --system sistem",
     "no system with a summary of s1 is named 'sistem'. Did you mean"),
    ("network cherry -o network.pdf",
     "network.pdf: a network is drawn as SVG or PNG; give a name that"),
    ("network cherry --against both", "invalid value for '--against'"),
    ("network without",
     "topic 's1' has no informants' extracts to merge; what gives it: extracts.jsonl"),
    ("network demo", "the corpus has 9 topics: name one with --id"),
    ("network demo --id t01 --system careful",
     "the summary of 't01' by 'careful' has no units: --level words aligns"),
    ("network demo --id t01 --level words -o n.svg", "a picture shows at most 60 units"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "message"), MISTAKES)
def test_mistakes_are_told_in_one_line(words, cherry, line, message):
    (words / "without").mkdir()
    (words / "without" / "topics.jsonl").write_bytes((cherry / "topics.jsonl").read_bytes())
    assert_refused(run_command(*shlex.split(line)), 2, f"error: {message}")
