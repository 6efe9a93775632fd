"""References in a corpus: whose votes, which length, what is written, what is said."""

from fractions import Fraction

import pytest

import summetry
from summetry.errors import SummetryError
from summetry.formats.folder import Folder
from summetry.references import Voters, make_references, topic_votes, with_references
from summetry.references.majority import groups_of, voting_part


def units_of(corpus, *arguments, **options):
    return [
        topic.reference.units for topic in make_references(corpus, *arguments, **options).by_topic
    ]


# --- lengths ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("length", "fit", "units"),
    [
        ("50%", "stop", (0, 1)),  # 5 of 5.5 words
        ("70%", "stop", (0, 1, 2)),  # 7 of 7.7 words
        ("70%", "overshoot", (0, 1, 2, 3)),
        ("5 words", "stop", (0, 1)),
        ("4 words", "stop", (0,)),
        ("2 words", "stop", ()),
        ("2 words", "skip", (1,)),
        ("3 units", "stop", (0, 1, 2)),
        ("50% of units", "stop", (0, 1)),
        ("mean", "stop", (0, 1)),  # (5 + 7 + 7) / 3 words
        ("mean", "overshoot", (0, 1, 2)),
        ("mean of units", "overshoot", (0, 1, 2)),  # 7 / 3 units
        ("28 characters", "stop", (0, 1)),  # 15 + 1 + 12
        ("27 characters", "stop", (0,)),
        ("50% of characters", "stop", (0, 1)),  # 28 of 29, of 15 + 12 + 9 + 20 and three blanks
        ("47% of characters", "stop", (0,)),  # of 27.73
    ],
)
def test_a_length_in_any_unit(ferry, length, fit, units):
    assert units_of(ferry, length, fit) == [units]


def test_in_a_language_without_blanks_nothing_stands_between_units(make_corpus):
    corpus = make_corpus({"t": ["船沉了。", "没人死。"]}, {"t": {"a": [0, 1]}}, language="zh")
    assert units_of(corpus, "8 characters") == [(0, 1)]
    assert units_of(corpus, "7 characters") == [(0,)]


# --- informants -------------------------------------------------------------------------------


def test_informants_can_be_left_out_and_weighted(ferry):
    assert units_of(ferry, "5 words", voters=Voters(without=frozenset({"ann", "ben"}))) == [(0,)]
    assert units_of(ferry, "7 words", voters=Voters(group="writers")) == [(0, 3)]
    # Units 0 to 3 have 5, 2, 1 and 3 votes.
    voters = Voters(weights={"cy": 3})
    assert units_of(ferry, "7 words", voters=voters) == [(0, 3)]
    (votes,) = topic_votes(ferry, voters)
    assert votes.ballot.votes == (5, 2, 1, 3)
    (votes,) = topic_votes(ferry, Voters(weights={"cy": "0.5"}))
    assert votes.ballot.votes == (Fraction(5, 2), 2, 1, Fraction(1, 2))


def test_a_weight_of_nothing_leaves_out(ferry):
    by_weight = topic_votes(ferry, Voters(weights={"cy": 0}))
    assert by_weight == topic_votes(ferry, Voters(without=frozenset({"cy"})))


def test_the_part_of_a_corpus_that_votes(make_corpus):
    texts = {"t": ["One.", "Two."], "u": ["One."], "v": ["One."]}
    corpus = make_corpus(texts, {"t": {"a": [0], "b": [1]}, "u": {"b": [0]}})
    part = voting_part(corpus, Voters(without=frozenset({"b"})))
    assert [topic.id for topic in part.topics] == ["t"]
    assert [extract.informant for extract in part.extracts] == ["a"]
    assert groups_of(part) == {"a": "(no group)"}


@pytest.mark.parametrize(
    ("voters", "message"),
    [
        (Voters(without=frozenset({"bem"})), r"no informant is named 'bem'. Did you mean 'ben'"),
        (Voters(weights={"dan": 1}), "no informant is named 'dan'"),
        (
            Voters(group="reader"),
            r"no group of informants is named 'reader'. Did you mean 'readers'",
        ),
        (Voters(without=frozenset({"ann", "ben", "cy"})), "no informant is left to vote"),
    ],
)
def test_informants_who_are_not_there_are_told(ferry, voters, message):
    with pytest.raises(SummetryError, match=message):
        make_references(ferry, voters=voters)


def test_a_weight_below_nothing_and_a_corpus_without_extracts_are_told(make_corpus):
    with pytest.raises(SummetryError, match="'ann' must be 0 or more, got -1"):
        Voters(weights={"ann": -1})
    with pytest.raises(SummetryError, match="'small' has no extracts to count votes of; extracts"):
        make_references(make_corpus({"t": ["One."]}, {}))


# --- what is written --------------------------------------------------------------------------


def test_references_are_models_with_their_votes_and_ties(ferry):
    corpus = with_references(make_references(ferry, "7 words"))
    (model,) = corpus.summaries
    assert (model.author, model.role, model.units) == ("majority", "reference", (0, 1, 2))
    assert model.meta == {
        "length": "7 words",
        "fit": "stop",
        "ties": "position",
        "informants": ["ann", "ben", "cy"],
        "votes": [3, 2, 1, 1],
        "tie": {
            "votes": 1,
            "units": [2, 3],
            "choices": {"position": [0, 1, 2], "exclusion": [0, 1, 2], "inclusion": [0, 1, 2]},
        },
    }


def test_weights_are_written_where_there_are_any(ferry):
    references = make_references(ferry, voters=Voters(weights={"cy": "0.5"}))
    (model,) = with_references(references).summaries
    assert model.meta["weights"] == {"ann": 1, "ben": 1, "cy": 0.5}
    assert model.meta["votes"] == [2.5, 2, 1, 0.5]


def test_what_is_written_reads_back_and_can_be_scored_against(demo, tmp_path):
    corpus = with_references(make_references(demo, "30%", ties="inclusion"), "vote", only=True)
    assert {s.author for s in corpus.summaries if s.role == "reference"} == {"vote"}
    Folder().write(corpus, tmp_path / "refs")
    read = summetry.load(tmp_path / "refs")
    assert read.summaries == corpus.summaries
    table = summetry.evaluate(read, ["coselection(against=references).f"])
    assert len(table) == 9 * 6


def test_models_that_are_there_stay_unless_told(demo):
    kept = with_references(make_references(demo))
    assert {s.author for s in kept.summaries if s.role == "reference"} == {
        "m1",
        "m2",
        "m3",
        "majority",
    }
    with pytest.raises(SummetryError, match="has references by 'majority' already"):
        with_references(make_references(kept))
    again = with_references(make_references(kept, "10%", "overshoot"), only=True)
    assert {s.author for s in again.summaries if s.role == "reference"} == {"majority"}


def test_topics_without_a_reference_are_named_with_the_reason(make_corpus):
    texts = {"a": ["One."], "b": ["One."], "c": ["One two three."], "d": ["One.", "Two."]}
    votes = {"b": {"x": []}, "c": {"x": [0]}, "d": {"x": [0]}}
    references = make_references(make_corpus(texts, votes), "1 words")
    assert references.notes() == [
        "1 extract is empty and counts as choosing nothing: x (b)",
        "no reference for 1 of 4 topics (a): they have no extracts",
        "no reference for 1 of 4 topics (b): all extracts are empty",
        "no reference for 1 of 4 topics (c): nothing fits into 1 word, by the fit rule stop; "
        "--fit overshoot would take the unit with most votes",
    ]
    assert [s.topic for s in with_references(references).summaries] == ["d"]


def test_overshoot_is_no_advice_where_it_was_taken(make_corpus):
    # Three dots are no word, so the mean length is none.
    references = make_references(make_corpus({"a": ["..."]}, {"a": {"x": [0]}}), fit="overshoot")
    assert references.notes() == ["no reference for 1 of 1 topics (a): the mean length comes to 0"]


def test_a_corpus_in_which_nothing_comes_out_is_told(make_corpus):
    references = make_references(make_corpus({"b": ["One."]}, {"b": {"x": []}}))
    with pytest.raises(SummetryError, match="no topic of 'small' has a reference"):
        with_references(references)


def test_every_kind_of_reference_on_real_threads(threads):
    """Three annotators: many ties, and every rule keeps the promise of ``stop``."""
    for ties in ("position", "exclusion", "inclusion"):
        references = make_references(threads, "20%", ties=ties)
        assert len(references.by_topic) == 40 and references.tied
        for votes, reference in references.by_topic:
            counts = votes.ballot.counts
            inside = [counts[unit] for unit in reference.units]
            outside = [c for unit, c in enumerate(counts) if unit not in reference.units]
            assert min(inside, default=3) >= max(outside)
            assert reference.length <= reference.limit
