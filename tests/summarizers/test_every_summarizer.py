"""What holds for all summarizers; a new one is tested here by being registered."""

import dataclasses
import json
import math
import pickle
import re
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from summetry import spec
from summetry.errors import SummetryError
from summetry.records.topics import Document, Topic
from summetry.summarizers import SUMMARIZERS, Learning, Source
from summetry.summarizers.base import equalised

# A small thesaurus in the layout of Roget's.
HARBOUR = json.dumps(str(Path(__file__).parents[1] / "data" / "harbour.jsonl"))
# Settings that take another way through the code than the defaults.
SPELLINGS = """
    lead(documents=latest) lead(documents=turns) random(seed=7) textrank(method=hits)
    textrank(damping=0.5,text=auto(tokens=characters)) lexrank(threshold=0.1) lexrank(idf=corpus)
    centroid(first=1,length=3) centroid(idf=corpus) tf_idf(normalise=length) tf_idf(tf=topic)
    tf_isf(isf=plus_one) tf_isf(isf=without_query) mmr(ranker=lead,weight=0.3) mmr(ranker=tf_isf)
    luhn(gap=1) edmundson(key=1,places=declining) lexical_chains(relations=none,pick=first)
    lexical_chains(relations=none,pick=total) lsa(method=gong_liu)
    lsa(method=steinberger_jezek,r=2,local=FQ,scope=EN) lsa(method=murray)
    lsa(method=murray,quota=ceil,local=AU,scope=ISF) lsa(method=yeh)
    lsa(method=yeh,ranking=bushiness,threshold=0.1) simple_match(query=tokens,normalise=length)
    trainable(model=svm) trainable(labels=majority)
"""
VARIANTS = [*SPELLINGS.split(), f"semdist(thesaurus={HARBOUR},query=tokens)"]
VARIANTS += [f"semdist(thesaurus={HARBOUR},normalise=length,text=auto)"]
# What cannot work with its defaults alone.
SPELT = {
    "lexical_chains": "lexical_chains(relations=none)",
    "semdist": f"semdist(thesaurus={HARBOUR})",
}
# Their value of a unit depends on its place, or on nothing in the text.
PLACE_COUNTS = {"centroid", "edmundson", "random", "trainable"}

DEFAULTS = [SPELT.get(name, name) for name in SUMMARIZERS.names()]
every_variant = pytest.mark.parametrize("spelling", [*DEFAULTS, *VARIANTS])
few = settings(max_examples=8)  # for each of fifty spellings

WORDS = ["the", "ferry", "hit", "a", "pier", "in", "fog", "and", "nobody", "was", "hurt", "Monday"]
WORDS += ["don't", "ΟΔΟΣ", "北京", "2,400", "Straße", "!"]
ENGLISH = [
    "A ferry struck the main pier of the town on Monday morning.",
    "The fog was thick, and the captain of the ferry saw the pier too late.",
    "Nobody was hurt, the police said in the evening.",
    "In summary, the pier must be repaired before ferries can use it again.",
    "The town has asked for money to repair it.",
]
GREEK = [
    "Το πλοίο χτύπησε στην προβλήτα τη Δευτέρα το πρωί.",
    "Η ομίχλη ήταν πυκνή και ο καπετάνιος δεν είδε την προβλήτα.",
    "Κανείς δεν τραυματίστηκε, είπε η αστυνομία.",
]
CHINESE = ["渡轮星期一早上撞上了码头。", "大雾很浓，船长没有看见码头。", "警察说没有人受伤。"]


def topic(*documents, code="en", **more):
    """A topic whose documents are given as lists of units, each with a date."""
    listed_documents = tuple(
        Document(f"d{number}", f"2019-05-0{number + 1}", units=tuple(units))
        for number, units in enumerate(documents)
    )
    described = {"title": "A ferry struck the pier", "query": "What did the ferry strike?"}
    return Topic("t", language=code, documents=listed_documents, **(described | more))


@pytest.fixture(scope="module")
def ready(demo, svm):
    """A summarizer that has learned what it learns; the same one each time."""

    @cache
    def build(spelling):
        built = SUMMARIZERS.build(spelling)
        return built.learn(demo, frozenset()) if isinstance(built, Learning) else built

    return build


def rank(summarizer, ranked_topic, count=2):
    ranking = summarizer.rank(Source(ranked_topic), count)
    assert_valid(ranking, len(ranked_topic.units))
    return ranking


def assert_valid(ranking, count):
    """Each unit at most once, a score for each unit, and the order that the scores say."""
    assert len(set(ranking.order)) == len(ranking.order)
    assert set(ranking.order) <= set(range(count))
    assert all(type(unit) is int for unit in ranking.order)
    if ranking.scores is None:
        return
    assert len(ranking.scores) == count
    assert all(type(score) is float for score in ranking.scores)
    assert not any(math.isinf(score) for score in ranking.scores)
    sorted_by = equalised(np.array(ranking.scores))[list(ranking.order)].tolist()
    defined = [score for score in sorted_by if not math.isnan(score)]
    assert sorted_by[: len(defined)] == sorted(defined, reverse=True)


def test_every_summarizer_has_a_variant_or_no_options():
    tried = {spec.parse(spelling).name for spelling in [*VARIANTS, *SPELT.values()]}
    assert {n for n in SUMMARIZERS.names() if dataclasses.fields(SUMMARIZERS.get(n))} <= tried


@pytest.mark.parametrize("name", SUMMARIZERS.names())
def test_describes_itself_in_a_line(name):
    cls = SUMMARIZERS.get(name)
    assert cls.name == name and cls.__dataclass_params__.frozen
    first = cls.__doc__.strip().partition("\n")[0]
    assert first.endswith(".") and len(first) <= 100


@every_variant
def test_its_spelling_builds_it_again(spelling):
    built = SUMMARIZERS.build(spelling)
    assert SUMMARIZERS.build(spec.show(built)) == built
    assert pickle.loads(pickle.dumps(built)) == built


@every_variant
def test_as_many_units_are_ranked_as_are_there_or_asked_for(spelling, ready):
    summarizer = ready(spelling)
    assert rank(summarizer, topic()).order == rank(summarizer, topic([], [])).order == ()
    assert rank(summarizer, topic(ENGLISH[:1]), count=1).order == (0,)
    for count in (1, 2, len(ENGLISH)):
        assert len(rank(summarizer, topic(ENGLISH), count).order) >= count


@every_variant
def test_a_topic_is_ranked_alike_on_every_run_and_with_others_before_it(spelling, ready):
    parts = ENGLISH[:3], ENGLISH[3:]
    first = repr(rank(ready(spelling), topic(*parts)))
    assert repr(rank(ready.__wrapped__(spelling), topic(*parts))) == first
    rank(ready(spelling), topic(ENGLISH[::-1]))
    assert repr(rank(ready(spelling), topic(*parts))) == first


@every_variant
def test_units_of_stop_words_only_are_ranked_all_the_same(spelling, ready):
    ranking = rank(ready(spelling), topic(["And the of.", "It is.", "...", "The and of."]))
    assert set(ranking.order) <= {0, 1, 2, 3}
    shown = [ranking.scores[unit] for unit in ranking.order] if ranking.scores else []
    if len(set(map(str, shown))) == 1:
        assert ranking.order == tuple(sorted(ranking.order))


@pytest.mark.parametrize(
    "spelling", [v for v in [*DEFAULTS, *VARIANTS] if spec.parse(v).name not in PLACE_COUNTS]
)
def test_repeated_sentences_stand_in_the_order_of_the_source(spelling, ready):
    units = [*ENGLISH[:2], *ENGLISH[:2], ENGLISH[2], *ENGLISH[:2]]
    order = rank(ready(spelling), topic(units), count=len(units)).order
    for same in ((0, 2, 5), (1, 3, 6)):
        places = [order.index(unit) for unit in same if unit in order]
        assert places == sorted(places)


@every_variant
def test_other_scripts(spelling, ready):
    greek, chinese = "Πού χτύπησε το πλοίο;", "渡轮撞上了什么？"
    for code, units, query in (("el", GREEK, greek), ("zh", CHINESE, chinese)):
        assert rank(ready(spelling), topic(units, code=code, title=query, query=query)).order


@every_variant
@few
@given(seed=st.integers(0, 2**32))
def test_any_text_is_ranked(spelling, ready, seed):
    random = Random(seed)

    def unit():
        return " ".join(random.choices(WORDS, k=random.randint(0, 9)))

    sizes = [random.randint(0, 4) for _ in range(random.randint(1, 3))]
    documents = [[unit() for _ in range(size)] for size in sizes]
    rank(ready(spelling), topic(*documents), count=random.randint(1, 5))


ALL_OF_LSA = "method=steinberger_jezek without r takes any text"
LONG = dict.fromkeys(["method=gong_liu", "method=murray", "method=yeh", "r=2"], ALL_OF_LSA)
LONG = {f"lsa({options})": advice for options, advice in LONG.items()} | {
    "textrank(method=hits)": "method=pagerank takes any text",
    "lexrank(threshold=0.1)": "lexrank without a threshold takes any text",
}


@pytest.mark.parametrize(("spelling", "advice"), LONG.items())
def test_a_method_that_holds_all_pairs_of_sentences_refuses_very_long_texts(
    monkeypatch, spelling, advice
):
    monkeypatch.setattr("summetry.summarizers.base.MOST_SENTENCES", 2)
    units = ["Fog lay there.", "A pier broke.", "Ice came."]
    summarizer = SUMMARIZERS.build(spelling)
    assert len(summarizer.rank(Source(topic(units[:2])), 1).order) == 2
    message = f"{spelling} holds a number for every two sentences, up to 2 sentences, found 3; "
    with pytest.raises(SummetryError, match=re.escape(message + advice)):
        summarizer.rank(Source(topic(units)), 1)
    for name in ("lsa", "textrank", "lexrank"):
        assert len(SUMMARIZERS.build(name).rank(Source(topic(units)), 1).order) == 3


ANY_SCORE = ["textrank", "textrank(method=hits)", "mmr", "tf_isf", "simple_match"]
ANY_SCORE += [SPELT["semdist"]]


@pytest.mark.parametrize(
    ("spelling", "score"),
    [*[(spelling, None) for spelling in ANY_SCORE],
     ("centroid(length=0)", 0.0), ("tf_idf", 0.0), ("lexrank", math.nan)],
)  # fmt: skip
@pytest.mark.parametrize(
    "units", [[], ["The ferry."], ["It was."], ["It was.", "We are."], ["Ferry!", "Ferry!"]]
)
def test_texts_without_differences_keep_their_order(spelling, score, units):
    """A word in every sentence has idf ln 1 = 0, and a vector of zeros has no cosine."""
    ranking = rank(SUMMARIZERS.build(spelling), topic(units, query="ferry"))
    assert ranking.order == tuple(range(len(units)))
    if score is not None:
        assert ranking.scores == pytest.approx((score,) * len(units), nan_ok=True)


@pytest.mark.parametrize(("spelling", "message"), [
    ("lsa(r=1.5)", "r must be a whole number of dimensions, or a share"),
    ("lsa(method=murray,r=2)", "r is for method=steinberger_jezek and method=yeh; murray"),
    ("lsa(threshold=1)", "threshold must be at least 0 and below 1, got 1"),
    ("lsa(damping=1)", "damping must be at least 0 and below 1"),
    ("lsa(method=svd)", "method must be one of steinberger_jezek, gong_liu, murray, yeh"),
    ("lsa(quota=floor)", "quota must be one of largest_remainder, ceil"),
    ("trainable(features=[])", r"features must be one or more of length, .*; got none"),
    ("trainable(features=[place,place])", r"each once; got place, place"),
    ("trainable(features=colour)", r"trainable: features must be one of length, phrase"),
    ("trainable(model=forest)", r"trainable: model must be one of naive_bayes, svm"),
    ("edmundson(cue=inf)", r"cue must be a number from -1e\+100 to 1e\+100, got inf"),
    ("edmundson(key=1e200)", r"key must be a number from -1e\+100 to 1e\+100, got 1e\+200"),
    ("edmundson(share=0)", "edmundson: share must be above 0"),
    ("edmundson(places=middle)", "edmundson: places must be one of ends, declining"),
    ("luhn(gap=-1)", "luhn: gap must be 0 or more, got -1"),
    ("luhn(share=0)", r"luhn: share must be above 0 and at most 1, got 0\.0"),
    ("luhn(least=0)", "luhn: least must be 1 or more, got 0"),
    ("mmr(weight=1.5)", r"mmr: weight must be from 0 to 1, got 1\.5"),
    ("mmr(ranker=textrnak)", "no summarizer is named 'textrnak'. Did you mean 'textrank'"),
    ("mmr(ranker=3)", "ranker must be a summarizer such as textrank, got 3"),
    ("textrank(damping=1)", "damping must be at least 0 and below 1, got 1"),
    ("textrank(method=pagernak)", "method must be one of pagerank, hits"),
    ("lexrank(threshold=1)", "threshold must be at least 0 and below 1, or none"),
    ("centroid(length=-1)", "length must be 0 or more words, got -1"),
    ("lexical_chains(strong=-1)", "strong must be 0 or more, got -1"),
    *[
        (f"centroid({option}={weight})", f"centroid: {option} must be a number from -1e")
        for option in ("centroid", "position", "first", "threshold")
        for weight in ("inf", "-1e308")
    ],
])  # fmt: skip
def test_a_setting_that_cannot_be_is_refused(spelling, message):
    with pytest.raises(SummetryError, match=message):
        SUMMARIZERS.build(spelling)
