"""Ticking the content units that a summary expresses."""

import re

import pytest
from web_content import (
    CANDIDATES,
    ECHO,
    FERRY,
    LEAD,
    content_corpus,
    flat_units,
    scores_by_command,
    send,
    whole,
)

from summetry.records.pyramids import PeerScu, Pyramid, Scu

UNITS = ("a ferry sank", "in fog", "two died", "on <b>Monday</b>")


@pytest.fixture
def study(web):
    return web.study("unit_marks", content_corpus(pyramids=flat_units(*UNITS)))


def tick(visitor, study, units, place=1, **more):
    return send(visitor, study, place, unit=[str(unit) for unit in units], **more)


def author_at(visitor, study, place=1):
    page = visitor.get(f"/s/{study}/{place}").text
    (author,) = (name for name, text in CANDIDATES.items() if text in page)
    return author


def do_all(web, study, name, ticks):
    """Somebody who ticks these units in the summary of each system."""
    visitor = web.informant(study, name)
    for place in (1, 2):
        units = ticks[author_at(visitor, study, place)]
        none = {} if units else {"none": "yes"}
        done = tick(visitor, study, units, place, do="submit", **none)
        # The next summary follows at once; after the last one comes the way home.
        assert done.url.path == (f"/s/{study}/2" if place == 1 else f"/s/{study}")


def test_more_than_half_of_the_judges_decide_and_the_uploaded_pyramid_makes_way(web, tmp_path):
    study = web.study(
        "unit_marks",
        content_corpus(
            FERRY,
            pyramids=(
                Pyramid(
                    FERRY,
                    flat_units(*UNITS)[0].scus,
                    {"other": (PeerScu("zz0"),), LEAD: (PeerScu("zz3"),)},
                ),
            ),
        ),
    )
    do_all(web, study, "Heron", {LEAD: [0, 1, 3], ECHO: [2]})
    do_all(web, study, "Wren", {LEAD: [0, 1], ECHO: []})
    do_all(web, study, "Stork", {LEAD: [0, 2], ECHO: [2]})
    corpus = whole(web, study)
    (pyramid,) = corpus.pyramids
    assert pyramid.peers == {
        "other": (PeerScu("zz0"),),
        LEAD: (PeerScu("zz0"), PeerScu("zz1")),
        ECHO: (PeerScu("zz2"),),
    }
    # LitePyramid's value: two of four units, one of four.
    scores = scores_by_command(corpus, tmp_path, "scu_recall")
    assert scores[FERRY, LEAD, "scu_recall"] == 0.5
    assert scores[FERRY, ECHO, "scu_recall"] == 0.25


def test_a_tie_of_two_judges_is_not_expressed(web, study):
    do_all(web, study, "Heron", {LEAD: [0, 1], ECHO: [2]})
    do_all(web, study, "Wren", {LEAD: [1, 2], ECHO: []})
    (pyramid,) = whole(web, study).pyramids
    assert pyramid.peers == {LEAD: (PeerScu("zz1"),), ECHO: ()}


def test_no_unit_at_all_must_be_said(web, study):
    heron = web.informant(study)
    answer = tick(heron, study, [], do="submit")
    assert "or say that there are none" in answer.text
    assert whole(web, study).pyramids[0].peers == {}
    assert tick(heron, study, [], none="yes", do="submit").url.path == f"/s/{study}/2"
    (said,) = whole(web, study).pyramids[0].peers.values()
    assert said == ()


def test_every_tick_is_saved_and_undone(web, study):
    heron = web.informant(study)
    tick(heron, study, [1])
    tick(heron, study, [1, 3])
    undone = tick(heron, study, [1, 3], do="undo")
    assert re.search(r"data-values='(.*?)'", undone.text)[1] == '[["unit", "1"]]'


def test_judges_see_neither_system_nor_weight(web):
    scus = (Scu("zz1", "a ferry sank", 4), Scu("zz-named", "", 7.5))
    study = web.study("unit_marks", content_corpus(pyramids=(Pyramid(FERRY, scus),)))
    page = web.informant(study).get(f"/s/{study}/1").text
    # A unit without a label is called by its id, as in tables of 0 and 1.
    assert "<span>zz-named</span>" in page
    assert LEAD not in page and ECHO not in page and "7.5" not in page
    assert "<span>a ferry sank</span>" in page and "&lt;zz" not in page


def test_units_that_are_not_there_are_refused(web, study):
    heron = web.informant(study)
    for wrong in ("4", "-1", "x", "1e3", "٣"):
        assert tick(heron, study, [wrong]).status_code == 400


def test_units_made_on_the_page_are_found_in_the_export_by_words_and_by_ticks(web, tmp_path):
    marking = web.study("units", content_corpus(FERRY))
    heron = web.informant(marking)
    for words, label in (("A ferry sank in fog", "a ferry sank in fog"), ("Two people died", "")):
        add = {"words": words, "summary": "0", "label": label, "do": "add"}
        send(heron, marking, **add)
    send(heron, marking, do="submit")
    made = whole(web, marking)
    folder = tmp_path / "words"
    folder.mkdir()
    found = scores_by_command(made, folder, "units")
    # "A ferry sank in thick fog" says the first unit, and "Two died, two died" two words of three
    # of the second, which is more than 0.6.
    assert found[FERRY, LEAD, "units.coverage"] == 0.5
    assert found[FERRY, ECHO, "units.coverage"] == 0.5
    # The source has neither "Monday" nor "thick": three words of four are less than 0.8.
    assert found[FERRY, LEAD, "units.unsupported"] == 1.0
    assert found[FERRY, ECHO, "units.unsupported"] == 0.0

    ticking = web.study("unit_marks", made)
    do_all(web, ticking, "Kestrel", {LEAD: [0], ECHO: [1]})
    both = scores_by_command(whole(web, ticking), tmp_path, "units", "pyramid", "scu_recall")
    assert both[FERRY, LEAD, "scu_recall"] == both[FERRY, LEAD, "units.coverage"] == 0.5
    assert both[FERRY, ECHO, "scu_recall"] == 0.5 and both[FERRY, ECHO, "pyramid"] == 1.0
