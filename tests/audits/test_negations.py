"""Negations by rule: each language's file, and sentences by hand."""

import pytest

from summetry.audits import negations
from summetry.audits.negations import has_rules, negated, read_negations
from summetry.errors import SummetryError
from summetry.text.languages.files import language_files


@pytest.mark.parametrize(("sentence", "made"), [
    ("It was late.", ["It was not late."]), ("It was not late.", ["It was late."]),
    ("It wasn't late.", ["It was late."]), ("It wasn’t late.", ["It was late."]),
    ("it was n't late .", ["it was late ."]), ("He ca n't go .", ["He can go ."]),
    ("Won't he go?", ["Will he go?"]), ("He cannot go.", ["He can go."]),
    ("They never sleep.", ["They sleep."]), ("Never mind.", ["Mind."]),
    ("They have been ill.", ["They have not been ill."]),
    ("They have a dog.", []), ("They're here; it'll do.", []), ("Will saw May.", []),
    ("Knots and whatnot.", []),
])  # fmt: skip
def test_english_sentences(sentence, made):
    assert negated(sentence, "en-GB") == made


@pytest.mark.parametrize(("code", "plain", "negative"), [
    ("sv", "Isen är hård.", "Isen är inte hård."), ("da", "Isen er hård.", "Isen er ikke hård."),
    ("nb", "Isen er hard.", "Isen er ikke hard."),
    ("de", "Das Eis ist hart.", "Das Eis ist nicht hart."),
    ("nl", "Het ijs is hard.", "Het ijs is niet hard."),
])  # fmt: skip
def test_other_languages_there_and_back(code, plain, negative):
    assert negated(plain, code) == [negative]
    assert negated(negative, code) == [plain]


def test_every_file_is_read_and_a_language_without_one_has_no_rules():
    known = list(language_files(negations.__file__))
    assert known == ["da", "de", "en", "nb", "nl", "sv"]
    for code in known:
        assert has_rules(code) and negated("x", code) == []
    assert not has_rules("fi") and negated("It is late.", "fi") == []


@pytest.mark.parametrize(("text", "message"), [
    ('"not now"\ninsert_after = ["is"]\n[remove]', "one word in the field 'negation'"),
    ('"not"\ninsert_after = ["a b c"]\n[remove]', "expected one or two words"),
    ('"not"\ninsert_after = ["is"]\nremove = ["not"]', "expected a table of words"),
    ('"not"\ninsert_after = ["is"]', "expected the field 'remove', found none"),
])  # fmt: skip
def test_a_broken_file_is_named(tmp_path, text, message):
    file = tmp_path / "xx.toml"
    file.write_text(f"negation = {text}", encoding="utf-8")
    with pytest.raises(SummetryError, match=message):
        read_negations(file)
