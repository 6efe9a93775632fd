"""``summetry graph``: the table, the picture, JSON, and mistakes."""

from xml.etree import ElementTree

import pytest


@pytest.fixture
def banana(here):
    (here / "banana.txt").write_text("banana")
    return here


def test_the_table_of_a_small_graph(scored, banana):
    assert scored("graph", "banana.txt").lines == [
        "3 vertices, |G| = 7",
        "between  and    weight",
        "'ana'    'ana'  2",
        "'ana'    'ban'  2",
        "'ana'    'nan'  2",
        "'ban'    'nan'  1",
    ]


def test_only_the_heaviest_edges_on_request(scored, banana):
    lines = scored("graph", "banana.txt", "--top", 1).lines
    assert lines[2:] == ["'ana'    'ana'  2", "... and 3 more (--top 0 shows all)"]


def test_words_a_direction_and_distances(scored, here):
    (here / "text.txt").write_text("The cat sat. The cat ran.")
    options = ("-n", 1, "--window", 2, "--directed", "--weights", "distance", "--text", "auto")
    output = scored("graph", "text.txt", *options, "--json").json
    assert output["vertices"] == ["the", "cat", "sat", "ran"] and output["directed"] is True
    # cat stands one after the first the and one after the second; the first cat two before it.
    assert {"source": "cat", "target": "the", "weight": 1.0} in output["edges"]
    assert {"source": "the", "target": "cat", "weight": 2.0} in output["edges"]
    assert output["size"] == len(output["edges"])


def test_a_picture_is_written(scored, banana):
    assert "wrote banana.svg" in scored("graph", "banana.txt", "-o", "banana.svg").out
    root = ElementTree.parse(banana / "banana.svg").getroot()
    assert len([e for e in root.iter() if e.tag.endswith("ellipse")]) == 3
    scored("graph", "banana.txt", "--top", 1, "-o", "one.svg")
    root = ElementTree.parse(banana / "one.svg").getroot()
    assert len([e for e in root.iter() if e.tag.endswith("ellipse")]) == 1


def test_the_size_of_a_large_graph_has_all_its_digits(scored, here):
    # 1100 distinct characters, each joined to every other, both ways.
    (here / "text.txt").write_text("".join(chr(0x4E00 + i) for i in range(1100)), encoding="utf-8")
    lines = scored("graph", "text.txt", "-n", 1, "--window", 1100, "--top", 1).lines
    assert lines[0] == "1,100 vertices, |G| = 1,208,900"


@pytest.mark.parametrize("text", ["", "abc"])
def test_a_text_that_is_too_short_for_an_edge_says_so(scored, here, text):
    (here / "text.txt").write_text(text)
    assert scored("graph", "text.txt").lines[1:] == [
        "no edges: the text has fewer than 4 characters (or words)"
    ]


def test_all_edges_of_a_long_text_are_shown(scored, here):
    # 20,000 distinct characters: every one with the next, and every one with the one after it.
    (here / "text.txt").write_text("".join(map(chr, range(0x3400, 0x3400 + 20_000))), "utf-8")
    lines = scored("graph", "text.txt", "-n", 1, "--window", 2, "--top", 0).lines
    assert lines[0] == "20,000 vertices, |G| = 79,994" and len(lines) == 2 + 19_999 + 19_998


def test_standard_input_is_read(call):
    done = call("graph", "-", "-n", "1", "--window", "1", stdin="ΑΒ".encode())
    assert (done.code, done.lines[2:]) == (0, ["'Α'      'Β'  1"])


@pytest.fixture
def ananas(banana):
    (banana / "ananas.txt").write_text("ananas")
    return banana


# banana is ban ana nan ana, ananas is ana nan ana nas; all stand near each other.
def test_two_graphs_are_shown_together(scored, ananas):
    assert scored("graph", "banana.txt", "ananas.txt").lines == [
        "banana.txt: 3 vertices, |G| = 7",
        "ananas.txt: 3 vertices, |G| = 7",
        "2 common edges, 6 in all",
        "between  and    banana.txt  ananas.txt",
        "'ana'    'ana'  2           2",
        "'ana'    'ban'  2           0",
        "'ana'    'nan'  2           2",
        "'ana'    'nas'  0           2",
        "'ban'    'nan'  1           0",
        "'nan'    'nas'  0           1",
    ]
    output = scored("graph", "banana.txt", "ananas.txt", "--top", 1, "--json").json
    assert output["files"] == ["banana.txt", "ananas.txt"] and output["sizes"] == [7, 7]
    assert {"source": "ana", "target": "nas", "weights": [0, 2]} in output["edges"]
    assert len(output["edges"]) == 6


def test_a_picture_of_two_graphs_names_whose_an_edge_is(scored, ananas):
    done = scored("graph", "banana.txt", "ananas.txt", "-o", "two.svg")
    assert "wrote two.svg" in done.out
    root = ElementTree.parse(ananas / "two.svg").getroot()
    kinds = [e.get("class") for e in root.iter() if (e.get("class") or "").startswith("e ")]
    # Each kind once more in the key below the picture.
    assert {kind: kinds.count(kind) for kind in kinds} == {"e both": 3, "e first": 3, "e second": 3}
    texts = [e.text for e in root.iter() if e.tag.endswith("text")]
    assert texts[-3:] == ["both", "only banana.txt", "only ananas.txt"] and "2/2" in texts


def test_a_merged_graph(scored, ananas):
    lines = scored("graph", "banana.txt", "ananas.txt", "--merge", "mean").lines
    assert lines[0] == "4 vertices, |G| = 11"
    assert {tuple(line.split()) for line in lines[2:]} == {
        ("'ana'", "'ana'", "2"), ("'ana'", "'nan'", "2"), ("'ana'", "'ban'", "1"),
        ("'ana'", "'nas'", "1"), ("'ban'", "'nan'", "0.5"), ("'nan'", "'nas'", "0.5"),
    }  # fmt: skip


def test_a_level_of_hpg(scored, here):
    (here / "text.txt").write_text("abcd")
    assert scored("graph", "text.txt", "--level", 1).lines == [
        "2 vertices, |G| = 2", "between  and   weight", "'ab'     'cd'  1",
    ]  # fmt: skip
    (here / "text.txt").write_text("abc")
    (line,) = scored("graph", "text.txt", "--level", 2).lines[1:]
    assert line == "no edges: the text has fewer than 4 characters (or words)"


def test_a_picture_as_png(scored, ananas):
    pytest.importorskip("vl_convert")
    scored("graph", "banana.txt", "-o", "one.PNG")
    scored("graph", "banana.txt", "ananas.txt", "-o", "two.png")
    for name in ("one.PNG", "two.png"):
        content = (ananas / name).read_bytes()
        assert content.startswith(b"\x89PNG\r\n") and len(content) > 5000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("bananas.txt",), "bananas.txt: no such file or folder"),
        (("banana.txt", "-n", 0), "an n-gram is 1 token long or more, got 0"),
        (("banana.txt", "-n", 10**9), "an n-gram is 100 tokens long or less, got 1000000000"),
        (("banana.txt", "--window", 0), "the window of a graph must be 1 or more, got 0"),
        (("banana.txt", "--top", -1), "--top must be 0 or more, got -1"),
        (("banana.txt", "-o", "banana.pdf"), "banana.pdf: a graph is drawn as SVG or PNG; give"),
        (("banana.txt", "banana.txt", "banana.txt"), "one graph is shown, or two together, got 3"),
        (("banana.txt", "--merge", "mean"), "--merge merges the graphs of 2 files or more, got 1"),
        (("banana.txt", "--level", 2, "--directed"), "--level goes without --merge, --directed"),
        (("banana.txt", "--level", 0), "hpg: levels must be 1 or more, got 0"),
        (("-", "-"), "standard input (-) can be read once; name files"),
        (("banana.txt", "--text", "rawr"), "no text pipeline or language is named 'rawr'"),
    ],
)
def test_mistakes_are_told_in_one_line(call, banana, arguments, message):
    done = call("graph", *arguments)
    assert done.code == 2
    assert done.err.startswith(f"error: {message}") and done.err.count("\n") == 1
