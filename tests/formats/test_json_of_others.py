"""What other programs write as JSON: NaN, and a name twice in one object."""

import pytest

from summetry.errors import FormatError
from summetry.formats import load
from summetry.formats.cells import read_cells
from summetry.formats.scores import read_scores

MORE = '{"id": 2, "system": "a", "bs": 0.5}'


@pytest.mark.parametrize("name", ["s.jsonl", "s.json"])
@pytest.mark.parametrize("row", ['{"id": 1, "system": "NaN", "bs": NaN}'])
def test_nan_is_a_missing_number(tmp_path, name, row):
    path = tmp_path / name
    path.write_text(f"[{row},\n{MORE}]" if name == "s.json" else f"{row}\n{MORE}\n")
    assert [cells["bs"] for _, cells in read_cells(path)] == [None, 0.5]
    rows = [(row.topic, row.author) for row in read_scores(path).rows]
    assert rows == [("1", "NaN"), ("2", "a")]


@pytest.mark.parametrize("row", ["Infinity", "-Infinity", "nan", "NaN, }", "NaN "])
def test_other_words_are_no_numbers(tmp_path, row):
    (tmp_path / "s.jsonl").write_text('{"id": 1, "bs": %s' % row)  # noqa: UP031
    with pytest.raises(FormatError, match=r"s.jsonl:1: expected "):
        list(read_cells(tmp_path / "s.jsonl"))


@pytest.mark.parametrize(("name", "text", "words"), [
    ("t.jsonl", MORE + '\n{"id": 1, "candidate": "a", "candidate": "b"}\n', "t.jsonl:2: "),
    ("t.json", '[{"id": 1, "candidate": "a",\n"candidate": "b"}]', "t.json:1: "),
    ("t.jsonl", '{"id": 1, "summary": {"candidate": "a", "candidate": "b"}}', "t.jsonl:1: "),
])  # fmt: skip
def test_a_name_twice_is_refused(tmp_path, name, text, words):
    (tmp_path / name).write_text(text)
    expected = f"{words}expected each name once in an object, found 'candidate' twice"
    with pytest.raises(FormatError, match=expected):
        list(read_cells(tmp_path / name))


def test_a_name_twice_is_seen_in_any_row_and_that_row_can_be_skipped(tmp_path):
    rows = [f'{{"id": "{k}", "candidate": "said \\"x\\": {k}"}}' for k in range(300)]
    rows[250] = '{"id": "250", "candidate": "a", "candidate": "b"}'
    (tmp_path / "t.jsonl").write_text("\n".join(rows))
    with pytest.raises(FormatError, match=r"t.jsonl:251: expected each name once"):
        load(tmp_path / "t.jsonl")
    corpus = load(tmp_path / "t.jsonl", on_error="skip")
    assert len(corpus.summaries) == 299 and "t.jsonl:251: expected each" in corpus.problems[0]
