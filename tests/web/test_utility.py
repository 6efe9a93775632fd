"""A value for every sentence, request by request."""

import re

from strange_corpora import TOPICS, strange_corpus


def give(visitor, study, values, place=1, **more):
    path = f"/s/{study}/{place}"
    data = {"version": str(visitor.version(path)), **more}
    data |= {f"v{number}": str(value) for number, value in enumerate(values)}
    return visitor.post(path, data, headers={"hx-request": "true"})


def test_every_sentence_needs_a_value(web):
    study = web.study("utility", strange_corpus())
    heron = web.informant(study)
    assert "2 sentences have no value yet." in give(heron, study, [0, 10], do="submit").text
    assert "One sentence has no value yet." in give(heron, study, [0, 10, 3]).text
    assert web.whole(study).utilities == ()
    assert "All sentences have a value." in give(heron, study, [0, 10, 3, 3]).text


def test_values_become_the_utilities_of_the_judge(web):
    study = web.study("utility", strange_corpus())
    heron = web.informant(study)
    give(heron, study, [0, 10, 3, 3], do="submit")
    heron.get(f"/s/{study}/next")
    give(heron, study, [1, 2, 3, 4], 2, do="submit")
    given = web.whole(study).utilities
    assert {one.topic for one in given} == set(TOPICS)
    assert [one.values for one in given] == [(0, 10, 3, 3), (1, 2, 3, 4)]
    assert {one.judge for one in given} == {"Heron"}


def test_the_highest_value_is_the_studys_own(web):
    study = web.study("utility", strange_corpus(), highest=3)
    heron = web.informant(study)
    assert len(re.findall(r'name="v0"', heron.get(f"/s/{study}/1").text)) == 4
    refused = give(heron, study, [4])
    assert refused.status_code == 400 and "expected a number below 4, found 4" in refused.text


def test_large_values_are_typed(web):
    study = web.study("utility", strange_corpus(), highest=100)
    heron = web.informant(study)
    assert '<input type="number" name="v0" min="0" max="100"' in heron.get(f"/s/{study}/1").text
    give(heron, study, [0, "", 100, 55])
    assert 'name="v2" min="0" max="100" step="1" aria-label="Value, 0 to 100" value="100"' in (
        heron.get(f"/s/{study}/1").text
    )
    give(heron, study, [0, 7, 100, 55], do="submit")
    (given,) = web.whole(study).utilities
    assert given.values == (0, 7, 100, 55)


def test_undo_takes_the_last_value_back(web):
    study = web.study("utility", strange_corpus())
    heron = web.informant(study)
    give(heron, study, [5])
    give(heron, study, [5, 6])
    assert 'data-values=\'[["v0", "5"]]\'' in give(heron, study, [], do="undo").text
