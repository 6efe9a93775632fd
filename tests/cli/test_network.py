"""``summetry network``: the table, the picture, JSON, and mistakes."""

import json
from xml.etree import ElementTree

import pytest

TABLE = [[0, 2, 3, 4, 5], [2, 3, 4, 5, 6], [1, 2, 6, 7, 8], [1, 2, 3, 7, 8], [0, 1, 2, 3, 6]]
TEXT = "The beautiful cherry blossoms in Japan bloom in spring"


@pytest.fixture
def cherry(here):
    """The example of Hori et al., with a system that wrote a text and models of two people."""
    folder = here / "cherry"
    folder.mkdir()
    records = {
        "topics": [{"id": "s1", "unit": "word", "text": TEXT}],
        "summaries": [
            {
                "topic": "s1",
                "author": "system",
                "role": "candidate",
                "text": "Cherry bloom in spring",
            },
            {"topic": "s1", "author": "m", "role": "reference", "units": [2, 6]},
            {"topic": "s1", "author": "n", "role": "reference", "units": [1, 2]},
        ],
        "extracts": [
            {"topic": "s1", "informant": name, "units": units}
            for name, units in zip("ABCDE", TABLE, strict=True)
        ],
    }
    for name, rows in records.items():
        (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return folder


def test_the_table_of_the_papers_example(scored, cherry):
    lines = scored("network", cherry).lines
    assert lines[0] == "5 extracts, 9 units, 18 arcs, 32 paths"
    assert lines[1] == "most reliable: 1 2 3 4 5 (0.5264)"
    assert lines[2].split() == ["from", "to", "people"]
    assert ["2", "cherry", "3", "blossoms", "4"] in [line.split() for line in lines]
    assert len(lines) == 3 + 18


def test_a_system_has_a_closest_path(scored, cherry):
    # 2-6-7-8: one, one and two of five people, so the cube root of 2/125.
    lines = scored("network", cherry, "--system", "system").lines
    assert lines[2] == f"closest to system: 2 6 7 8 ({(2 / 125) ** (1 / 3):.4f})"


def test_json_has_all_arcs_and_paths(scored, cherry):
    output = scored("network", cherry, "--system", "system", "--json").json
    assert (output["people"], output["paths"], output["units"]) == (5, 32, list(range(9)))
    assert {"tail": "<s>", "head": 0, "people": 2} in output["arcs"]
    assert (output["best_path"], output["target"]) == ([1, 2, 3, 4, 5], [2, 6, 7, 8])
    assert output["sum_accy"] == 100.0
    assert "target" not in scored("network", cherry, "--json").json


def test_references_instead_of_extracts_without_the_systems_own(scored, cherry):
    output = scored("network", cherry, "--against", "references", "--json").json
    assert (output["people"], output["paths"]) == (2, 4)
    own = scored("network", cherry, "--against", "references", "--system", "m", "--json").json
    assert (own["people"], own["target"]) == (1, [1, 2])


def test_a_picture_is_written(scored, cherry, here):
    scored("network", cherry, "--system", "system", "-o", "network.svg")
    root = ElementTree.parse(here / "network.svg").getroot()
    classes = [element.get("class") for element in root.iter() if element.tag.endswith("path")]
    assert len([name for name in classes if name]) == 18
    assert "a target" in classes and "a best" in classes


def test_sentences_or_their_words(scored, demo_folder):
    by_units = scored("network", demo_folder, "--id", "t01", "--json").json
    by_words = scored("network", demo_folder, "--id", "t01", "--level", "words", "--json").json
    assert by_units["people"] == by_words["people"] == 5
    assert len(by_words["units"]) > len(by_units["units"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--id", "s2"), "no topic is named 's2'. Known: s1."),
        (("--system", "sistem"), "no system with a summary of s1 is named 'sistem'. Did you mean"),
        (("-o", "network.pdf"), "network.pdf: a network is drawn as SVG or PNG; give a name that"),
        (("--against", "both"), "invalid value for '--against'"),
    ],
)
def test_mistakes_are_told_in_one_line(call, cherry, arguments, message):
    done = call("network", cherry, *arguments)
    assert done.code == 2
    assert done.err.startswith(f"error: {message}") and done.err.count("\n") == 1


def test_what_has_no_network_says_what_would_give_one(call, cherry, demo_folder):
    (cherry / "extracts.jsonl").unlink()
    done = call("network", cherry)
    assert (
        "topic 's1' has no informants' extracts to merge; what gives it: extracts.jsonl" in done.err
    )
    assert "the corpus has 9 topics: name one with --id" in call("network", demo_folder).err
    careful = call("network", demo_folder, "--id", "t01", "--system", "careful")
    assert "the summary of 't01' by 'careful' has no units: --level words aligns" in careful.err
    large = call("network", demo_folder, "--id", "t01", "--level", "words", "-o", "n.svg")
    assert "a picture shows at most 60 units" in large.err


def test_more_paths_than_a_number_can_be_read(scored, cherry):
    # Each of 1,200 pairs is passed by its first unit or its second: 2**1200 paths.
    many = [list(range(0, 2_400, 2)), list(range(1, 2_400, 2))]
    swapped = [[many[(place + i) % 2][place] for place in range(1_200)] for i in (0, 1)]
    topic = {"id": "s1", "unit": "word", "documents": [{"id": "d", "units": ["x"] * 2_400}]}
    records = [
        {"topic": "s1", "informant": i, "units": u}
        for i, u in zip("ABCD", many + swapped, strict=True)
    ]
    (cherry / "topics.jsonl").write_text(json.dumps(topic))
    (cherry / "extracts.jsonl").write_text("\n".join(map(json.dumps, records)))
    assert scored("network", cherry).lines[0].endswith("about 10^361 paths")
    found = json.loads(scored("network", cherry, "--json").out)
    assert found["paths"] is None and int(found["log10_paths"]) == 361
    message = scored("explain", cherry, "-m", "sum_accy", "--id", "s1", "--system", "system").out
    assert "about 10^361 paths" in message


def test_an_informant_meets_the_network_of_the_others(scored, cherry):
    """Without A nobody ends at unit 5, and 0 leads to 1 only: two edits to 0 1 2 3 4 5 6."""
    own = {"topic": "s1", "author": "A", "role": "candidate", "units": TABLE[0]}
    with (cherry / "summaries.jsonl").open("a") as file:
        file.write("\n" + json.dumps(own))
    output = scored("network", cherry, "--system", "A", "--json").json
    assert (output["people"], output["distance"]) == (4, 2)
    assert output["sum_accy"] == pytest.approx(500 / 7)
    assert scored("network", cherry, "--json").json["people"] == 5
