"""Which column is meant, by its name, by what the user says, and where it cannot be known."""

import pytest
from format_checks import refusal

from summetry.errors import Place
from summetry.formats.columns import (
    OTHER_NAMES,
    OUTPUT_ROLES,
    REFERENCE_ROLES,
    ROLES,
    asked_columns,
    choose_columns,
)


def choose(names, wanted=ROLES, **asked):
    """The columns of a table of sentences."""
    row = {name: f"a text of {name}" for name in names.split()}
    return choose_columns([row], asked, Place("t.csv", 2), wanted)


@pytest.mark.parametrize(
    ("role", "name"), [(r, n) for r, names in OTHER_NAMES.items() for n in names]
)
def test_every_other_name_of_a_role_is_taken_for_it_and_said(role, name):
    rest = "summary" if role != "candidate" else "reference"
    for spelling in (name, name.upper(), name.replace("_", "-").title()):
        chosen = choose(f"{rest} {spelling}")
        found = getattr(chosen, role)
        assert spelling in ((found,) if isinstance(found, str) else found)
        assert f"{spelling!r} " in chosen.taken and f"for the {role}" in chosen.taken


def test_our_own_names_need_no_note_in_any_case():
    chosen = choose("ID System Candidate references SOURCE")
    assert (chosen.candidate, chosen.id, chosen.source) == (("Candidate",), "ID", "SOURCE")
    assert not chosen.taken


@pytest.mark.parametrize(("names", "candidate", "reference", "source"), [
    ("id system source reference summary", "summary", "reference", "source"),
    ("article highlights prediction", "prediction", "highlights", "article"),
    ("article summary prediction", "prediction", "summary", "article"),
    ("candidate summary", "candidate", "summary", "source"),
    ("candidate summary reference", "candidate", "reference", "source"),
    ("text summary", "summary", "reference", "text"),
    ("text summary gold", "summary", "gold", "text"),
    ("text article gold output", "output", "gold", "article"),
    ("text gold", "text", "gold", "source"),
    ("summary gold remark", "summary", "gold", "source"),
])  # fmt: skip
def test_what_a_name_means_depends_on_the_others(names, candidate, reference, source):
    chosen = choose(names)
    roles = chosen.candidate, chosen.reference, chosen.source, chosen.is_per_system
    assert roles == ((candidate,), (reference,), source, False)


def test_in_a_file_of_references_a_summary_is_one():
    for names, reference, source in (
        ("id document summary", "summary", "document"),
        ("text summary", "summary", "text"),
        ("text", "text", "source"),
    ):
        chosen = choose(names, REFERENCE_ROLES)
        assert (chosen.reference, chosen.source) == ((reference,), source)
    chosen = choose("text summary gold", OUTPUT_ROLES)
    assert chosen.candidate == ("summary",) and chosen.taken.count("taken") == 1


@pytest.mark.parametrize(("names", "message"), [
    ("prediction output gold", "expected one column for the candidate, found 'prediction' and "
     "'output'; say --columns candidate=prediction, or --columns candidate=prediction+output "
     "if they are systems"),
    ("summary gold target", "expected one column for the reference, found 'gold' and 'target'; "
     "say --columns reference=gold, or --columns reference=gold+target for several references"),
    ("summary gold article document", "expected one column for the source, found 'article' and "
     "'document'; say --columns source=article"),
    ("article summary bart t5", "expected one column for the candidate, found 'summary', "
     "'bart' and 't5'; say --columns candidate=summary, or --columns reference=summary if the "
     "others are systems"),
    ("id bart t5", "expected a column 'candidate', found the columns id, bart, t5; name it "
     "with --columns candidate=NAME"),
    ("topic author role text", "expected a column 'candidate', found the columns topic, "
     "author, role, text; this looks like a file of a corpus folder: give the folder instead"),
])  # fmt: skip
def test_where_two_readings_make_sense_the_error_says_both(names, message):
    assert refusal(choose, names) == f"t.csv:2: {message}"


def test_other_columns_of_texts_are_systems_where_the_rest_is_known():
    chosen = choose("id reference bart t5 title")
    assert (chosen.candidate, chosen.is_per_system) == (("bart", "t5"), True)
    assert chosen.taken == (
        "'bart' and 't5' are taken for the candidates of systems with these names"
    )
    assert choose("text gold bart").taken == (
        "'bart' is taken for the candidate of a system with this name, "
        "'gold' for the reference, 'text' for the source"
    )


def test_columns_of_numbers_names_and_links_are_no_systems():
    row = {"reference": "a b", "bart": "a b", "n": 3, "year": "1999", "at": "http://x.org", "e": ""}
    chosen = choose_columns([row], {}, Place("t.csv", 2))
    assert chosen.candidate == ("bart",)
    odd = {"at": "2024-02-01 10:00", "day": "Jan 3, 2024", "cost": "12 EUR", "sum": "3.5 €"}
    odd |= {"part": "4 of 5", "list": "[1, 2, 3]", "doc": "doc 0"}
    assert choose_columns([row | odd], {}, Place("t.csv", 2)) == chosen
    chinese = {"reference": "a b", "bart": "渡轮撞上了码头"}
    assert choose_columns([chinese], {}, Place("t.csv", 2)).candidate == ("bart",)


def test_columns_of_single_words_are_no_systems_and_are_named():
    row = {"reference": "a b", "bart": "a b", "t5": "c", "year": "1999", "at": "http://x.org"}
    chosen = choose_columns([row], {}, Place("t.csv", 2))
    assert chosen.taken == (
        "'bart' is taken for the candidate of a system with this name; 't5' is left aside, since "
        "its first cells are single words (--columns candidate=bart+t5 takes all)"
    )
    chosen = choose_columns([row | {"led": "d"}], {}, Place("t.csv", 2))
    assert "'t5' and 'led' are left aside, since their first cells are" in chosen.taken
    others = {"p": "1e-05", "q": "nan", "day": "2026-11-19", "sha": "3f2a", "key": "doc_1"}
    taken = [
        choose_columns([cells], {}, Place("t.csv", 2)).taken
        for cells in (row, row | others | {"ok": "no"})
    ]
    assert taken[0] == taken[1]


def test_what_the_user_says_comes_first():
    chosen = choose("summary prediction gold", candidate="summary", reference="gold+prediction")
    assert (chosen.candidate, chosen.reference) == (("summary",), ("gold", "prediction"))
    chosen = choose("article summary bart t5", reference="summary")
    assert (chosen.candidate, chosen.source) == (("bart", "t5"), "article")
    chosen = choose("gold bart t5 other", candidate="bart+t5")
    assert chosen.is_per_system and chosen.taken == "'gold' is taken for the reference"


def test_a_role_and_its_column_may_be_swapped():
    swapped = {"candidate": "summary", "reference": "gold"}
    assert asked_columns({"summary": "candidate", "reference": "gold"}) == swapped
    assert asked_columns({"bart": "candidate", "t5": "candidate"}) == {"candidate": "bart+t5"}
    # Both sides are names of roles: as it is written.
    assert asked_columns({"candidate": "reference"}) == {"candidate": "reference"}


@pytest.mark.parametrize(("columns", "words"), [
    ({"cand": "x"}, "--columns: no column is called 'cand'. Did you mean 'candidate'?"),
    ({"id": "a+b"}, "--columns: id is one column, got 'a+b'"),
    ({"candidate": "a+b", "system": "s"}, "each column of candidate=a+b is a system"),
    # Before anything is read.
    ({"candidate": "bert"}, "expected a column 'bert', found the columns gold, bart"),
])  # fmt: skip
def test_what_cannot_be_meant_is_refused(columns, words):
    assert words in refusal(lambda: choose("gold bart", **asked_columns(columns)))


def test_a_topic_that_many_rows_share_is_no_id():
    rows = [{"candidate": f"text {n}", "topic": "sports", "model": "m"} for n in range(2)]
    chosen = choose_columns(rows, {}, Place("t.csv", 2))
    assert chosen.id == "id"
    assert chosen.taken == (
        "'model' is taken for the system; 'topic' is not taken for the id, since it repeats"
    )
    rows[1]["model"] = "other"
    assert choose_columns(rows, {}, Place("t.csv", 2)).id == "topic"


def test_a_column_that_is_named_alone_names_the_system():
    assert choose("id gold bart", candidate="bart").is_per_system
    # Not where its name says what it is, or where another column names systems.
    for names in ("id gold summary", "id gold bart system", "id gold bart model"):
        assert not choose(names, candidate=names.split()[2]).is_per_system
    assert not choose("id bart", OUTPUT_ROLES, candidate="bart").is_per_system
