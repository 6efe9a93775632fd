"""Cue words, key words, title words and places, and where units stand."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ranked_sentences import rank, source_of

from summetry import spec
from summetry.errors import SummetryError
from summetry.records.topics import Document, Topic, with_units
from summetry.summarizers import SUMMARIZERS, Source
from summetry.summarizers.base import borders

quick = settings(max_examples=70)
PARTED = "One is here. Two is here.\n\nThree is here.\n\nFour is here. Five is here. Six is here."
STOP = {"the", "of"}
WORDS = ["the", "of", "important", "hardly", "ferry", "pier", "fog", "crew"]
documents = st.lists(
    st.lists(st.lists(st.sampled_from(WORDS), max_size=6), max_size=4), min_size=1, max_size=3
)


def only(what, weight=1, more=""):
    """The spelling with one of the four weights."""
    weights = dict.fromkeys(("cue", "key", "title", "position"), 0) | {what: weight}
    return f"edmundson({','.join(f'{k}={v}' for k, v in weights.items())}{more})"


def test_cue_words_add_and_take_away():
    """Two bonus words, none, one stigma phrase; by the largest, which is 2."""
    units = [
        "The main result.",
        "A ferry came.",
        "A boat, for example.",
        "An important guess, maybe.",
    ]
    assert rank(only("cue"), *units).scores == (1.0, 0.0, -0.5, 0.0)
    assert rank(only("cue", -1), *units).scores == (-1.0, 0.0, 0.5, 0.0)


def test_cue_words_are_whole_words():
    """Imports have the stem of important, and Maine begins with main."""
    assert set(rank(only("cue"), "Imports of Maine.", "For the example.").scores) == {0.0}


@pytest.mark.parametrize(
    ("code", "bonus", "stigma"),
    [
        ("en", "That is important.", "Perhaps so."),
        ("sv", "Det viktigaste är detta.", "Till exempel så."),
        ("de", "Das ist entscheidend.", "Vielleicht ist es so."),
        ("da", "Det er afgørende.", "Måske er det så."),
        ("nb", "Det er avgjørende.", "Kanskje er det så."),
        ("nl", "Dat is belangrijk.", "Misschien is het zo."),
        ("el", "Αυτό είναι ΣΗΜΑΝΤΙΚΌ.", "Ίσως είναι έτσι."),
        ("es", "Eso es importante.", "Quizás sea así."),
        ("fr", "C'est l'essentiel : important.", "Peut-être que oui."),
        ("it", "Questo è importante.", "Forse è così."),
        ("pt", "Isso é importante.", "Talvez seja assim."),
    ],
)
def test_every_language_knows_its_cue_words(code, bonus, stigma):
    assert rank(only("cue"), stigma, bonus, language=code).scores == (-1.0, 1.0)


def test_cue_words_of_a_script_without_blanks():
    ranking = rank(
        only("cue", more=",text=auto"), "也许是雾。", "这很重要。", "船。", language="zh"
    )
    assert ranking.scores == (-1.0, 1.0, 0.0)


def test_key_words_weigh_what_they_are_frequent():
    """Pier occurs three times, fog twice, all others once."""
    units = ["The pier, the piers.", "Fog and fog.", "A pier in a quiet harbour."]
    assert rank(only("key", more=",share=0.5"), *units).scores == (1.0, 4 / 6, 3 / 6)


def test_title_words_are_counted_in_each_unit():
    units = [
        "Ferries and ferries.",
        "The pier.",
        "Nobody was hurt.",
        "A ferry at the pier, a pier.",
    ]
    ranking = rank(only("title"), *units, title="The ferry and the pier")
    assert ranking.scores == (2 / 3, 1 / 3, 0.0, 1.0)
    assert rank(only("title"), *units).scores == (0.0,) * 4


def test_places_at_the_ends_and_declining():
    source = source_of(["a b"] * 4, ["a b"] * 2, ["a b"])
    ends = SUMMARIZERS.build(only("position")).rank(source, 1)
    assert ends.scores == (1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0)
    declining = SUMMARIZERS.build(only("position", more=",places=declining")).rank(source, 1)
    assert declining.scores == (1, 1 / 2, 1 / 3, 1 / 4, 1, 1 / 2, 1)
    assert declining.order == (0, 4, 6, 1, 5, 2, 3)


def test_the_ends_of_paragraphs_count_half_of_those_of_the_document():
    topic = with_units(Topic("t", language="en", text=PARTED))
    ranking = SUMMARIZERS.build(only("position")).rank(Source(topic), 1)
    assert ranking.scores == (1.0, 0.5, 0.5, 0.5, 0.0, 1.0)


def test_weights_are_added_up():
    """Cue 1, 0, 0; title 0, 1, 0; ends 1, 0, 1."""
    units = ["An important day.", "A ferry came.", "Nobody was hurt."]
    assert rank("edmundson", *units, title="Ferry").scores == (2.0, 1.0, 1.0)
    ranking = rank("edmundson(cue=0.5,title=3)", *units, title="Ferry")
    assert ranking.scores == (1.5, 3.0, 1.0) and ranking.order == (1, 0, 2)


def slow_edmundson(documents, title, cue, key, titled, position):
    units = [unit for document in documents for unit in document]
    counts = Counter(w for unit in units for w in unit if w not in STOP)
    ordered = sorted(counts.values(), reverse=True)
    lowest = max(2, ordered[-(-len(ordered) // 2) - 1]) if ordered else 2
    parts = [
        [unit.count("important") - unit.count("hardly") for unit in units],
        [sum(counts[w] for w in unit if counts[w] >= lowest) for unit in units],
        [sum(w in title and w not in STOP for w in unit) for unit in units],
        [1 / (n + 1) for document in documents for n in range(len(document))],
    ]
    scores = [0.0] * len(units)
    for weight, part in zip((cue, key, titled, position), parts, strict=True):
        largest = max(map(abs, part), default=0)
        if largest:
            scores = [s + weight * value / largest for s, value in zip(scores, part, strict=True)]
    return scores


@quick
@given(
    documents, st.lists(st.sampled_from(WORDS), max_size=3), st.tuples(*[st.integers(-2, 3)] * 4)
)
def test_scores_agree_with_a_slow_plain_way(parts, title, weights):
    cue, key, titled, position = weights
    spelling = f"edmundson(cue={cue},key={key},title={titled},position={position},share=0.5,"
    spelling += "places=declining,text=en(stop=true))"
    source = source_of(*[map(" ".join, document) for document in parts], title=" ".join(title))
    ranking = SUMMARIZERS.build(spelling).rank(source, 1)
    assert ranking.scores == pytest.approx(slow_edmundson(parts, title, *weights), abs=1e-12)


def test_swesum_takes_the_first_sentence_of_news_and_then_declines():
    built = SUMMARIZERS.build("swesum")
    assert spec.show(built) == "edmundson(cue=0,key=1,position=4,places=declining)"
    same = built.rank(source_of(["Dimma låg där."] * 5, language="sv"), 1)
    assert same.order == (0, 1, 2, 3, 4)
    assert same.scores == (5.0, 3.0, 1 + 4 / 3, 2.0, 1.8)


@quick
@given(documents, st.lists(st.sampled_from(WORDS), max_size=3))
def test_swesum_never_puts_the_first_sentence_behind_another(parts, title):
    units = [" ".join(unit) for document in parts for unit in document]
    assert rank("swesum", *units, title=" ".join(title)).order[:1] == ((0,) if units else ())


def test_nothing_to_score_by_keeps_the_order():
    ranking = rank("edmundson(position=0)", "And the.", "...", "", "Of it.")
    assert ranking.order == (0, 1, 2, 3) and ranking.scores == (0.0,) * 4
    assert rank("edmundson").order == ()


def test_a_language_without_cue_words_is_named():
    with pytest.raises(
        SummetryError, match=r"no cue words for the language 'th'; languages .* da, de"
    ):
        rank("edmundson(text=auto)", "x", language="th")
    assert rank("edmundson(cue=0,text=auto)", "x", language="th").order == (0,)


def test_a_topic_without_a_language_is_refused():
    with pytest.raises(SummetryError, match=r"edmundson needs to know the language .* cue=0"):
        rank("edmundson(text=auto)", "x", language="")
    assert rank("edmundson(text=en(stop=true))", "Important.", language="").scores == (2.0,)


def numbers(*documents, unit="sentence"):
    return Source(Topic("t", unit=unit, documents=documents)).paragraphs.tolist()


def test_paragraphs_are_counted_through_all_documents():
    cut = with_units(Topic("t", language="en", text=PARTED)).documents[0]
    assert numbers(cut) == [0, 0, 1, 2, 2, 2]
    bare = Document("e", units=("One", "Two"))
    assert numbers(bare, cut, Document("f"), bare) == [0, 0, 1, 1, 2, 3, 3, 3, 4, 4]
    assert numbers(bare, bare, unit="paragraph") == [0, 1, 2, 3]
    assert numbers() == []


def test_a_text_that_does_not_hold_the_units_in_order_tells_nothing():
    text = "One.\n\nTwo."
    assert numbers(Document("d", text=text, units=("One.", "Two."))) == [0, 1]
    assert numbers(Document("d", text=text, units=("Two.", "One."))) == [0, 0]


def test_a_sentence_that_stands_twice_is_found_twice():
    document = Document("d", text="Fog.\n\nFog.\n\n\n\nFog.", units=("Fog.", "Fog.", "Fog."))
    assert numbers(document) == [0, 1, 2]


@given(st.lists(st.integers(0, 3), max_size=12).map(sorted))
def test_borders_are_the_first_and_last_of_each_number(groups):
    edges = borders(np.array(groups, np.int64))
    assert np.flatnonzero(edges.begins).tolist() == [groups.index(g) for g in sorted(set(groups))]
    last = [len(groups) - 1 - groups[::-1].index(g) for g in sorted(set(groups))]
    assert np.flatnonzero(edges.ends).tolist() == last
