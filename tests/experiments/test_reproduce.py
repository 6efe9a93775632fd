import re

import pytest
import reproduce

PAGE = reproduce.PAGE.read_text(encoding="utf-8")


def same_as_page(result):
    whole = result.section in PAGE and result.line in PAGE
    assert whole, f"make the page again: {result.publication}, {result.what}"


@pytest.mark.parametrize("name", reproduce.EXAMPLES)
def test_a_worked_example_is_as_the_page_says(name):
    same_as_page(reproduce.EXAMPLES[name]())


# Both corpora have texts in one line, and ROUGE-L says so.
@pytest.mark.filterwarnings("ignore:.*one long line:summetry.errors.SummetryWarning")
@pytest.mark.slow
@pytest.mark.parametrize("corpus", reproduce.CORPORA)
def test_results_on_a_corpus_are_as_the_page_says(corpus, real_data):
    for result in reproduce.results_of(corpus, real_data(corpus)):
        same_as_page(result)


def test_the_page_has_nothing_but_these_results():
    results = sum(len(results) for _, results in reproduce.CORPORA.values())
    assert PAGE.count("\n### ") == len(reproduce.EXAMPLES) + results
    counted = re.search(r"(\d+) published tables and results from (\d+) publications", PAGE)
    assert int(counted[1]) == len(reproduce.EXAMPLES) + results >= 15 and int(counted[2]) >= 6


def made(*numbers, why=""):
    head = "Doe (2020)", "table 1", ("a", "b")
    return reproduce.Result(*head, *numbers, "summetry score x", why)


def test_what_differs_is_shown_counted_and_explained():
    result = made({"x": ["0.25", "-0.10"], "y": ["7%", "1"]}, {"x": [0.2549, -0.1], "y": [7, 1.4]})
    assert result.verdict == "Equal to the printed digits."
    assert "| x | 0.25 | -0.10 |\n| y | 7% | 1 |" in result.section
    assert "\n```text\nsummetry score x\n```\n" in result.section
    result = made({"x": ["0.25", "0.50"]}, {"x": [0.25, 0.62]}, why="Because.")
    said = "**1 of 2 numbers are equal, largest difference 0.12.** Because."
    assert "| x | 0.25 | 0.50 (0.62) |" in result.section and said in result.section
    with pytest.raises(ValueError, match="shorter"):
        made({"x": ["1", "2"]}, {"x": [1]}).cells  # noqa: B018
    with pytest.raises(KeyError):
        made({"x": ["1"]}, {}).cells  # noqa: B018


def test_a_unit_counts_by_the_majority_and_a_reference_in_one_line_is_cut(tmp_path, capsys):
    assert reproduce.majority([[1, 1, 0], [1, 0, 0], [0, 1, 1], [1, 0, 0]]) == [1, 0, 0]
    assert reproduce.in_sentences(["a b . c d ! e ."]) == "a b .\nc d !\ne ."
    assert reproduce.in_sentences(["a . b .", "c"]) == "a . b .\nc"
    # A missing corpus is named.
    (tmp_path / "summeval").mkdir()
    assert reproduce.main(["--data", str(tmp_path)]) == 2
    assert f"{tmp_path}: expected a folder realsumm, found none" in capsys.readouterr().err


def test_the_commands_of_the_page_read_the_tables(real_data, tmp_path, capsys):
    data = str(real_data("summeval").parent)
    assert reproduce.main(["--data", data, "--tables", str(tmp_path)]) == 0
    assert "realsumm-units.csv, realsumm.jsonl" in capsys.readouterr().out
    for name in set(re.findall(r"summetry (?:score|compare|agreement) (\S+)", PAGE)):
        assert name.startswith(("--", "CORPUS")) or (tmp_path / name).exists(), name
    units = reproduce.summetry.evaluate(tmp_path / "realsumm-units.csv", ["scu_recall"])
    assert units.data.shape == (2400, 1)
