"""Texts that are drawn to be judged, and the estimates of all, live."""

import re

from partly_judged import SYSTEMS, generated

import summetry
from summetry.web.tasks import TASKS

SCALE = ("1", "2", "3", "4", "5")


def judging(web, corpus=None, **settings):
    study = web.study("judgment", corpus or generated(), scales={"content": SCALE}, **settings)
    return study, web.admin()


def shown_estimates(admin, study, query=""):
    return admin.get(f"/studies/{study}/estimates{query}").text


def table_of(page):
    return re.search("<tbody>.*?</tbody>", page, re.DOTALL)[0]


def give(visitor, study, mark, place=1):
    """Give a summary a mark, by its place on the scale."""
    return visitor.send(study, place, d0=str(mark), do="submit")


def items_of(web, study):
    items = TASKS["judgment"].items(web.find(study), web.uploaded(study))
    return {item.key for item in items}


def test_the_texts_to_judge_are_drawn_for_all_systems_and_stay_when_more_are_drawn(web):
    few, many, all_ = (items_of(web, judging(web, drawn=n, seed=3)[0]) for n in (4, 12, 0))
    assert len({topic for topic, _ in few}) == 4
    assert few == {(topic, system) for topic, _ in few for system in SYSTEMS}
    assert few < many < all_
    assert items_of(web, judging(web, drawn=4, seed=4)[0]) != few
    assert len(all_) == 40 * 3


def test_judges_get_the_drawn_texts_only(web):
    study, _ = judging(web, generated(judged=0), drawn=2)
    heron = web.informant(study)
    for place in range(1, 7):
        give(heron, study, place % 5, place)
    assert {(one.topic, one.author) for one in web.whole(study).judgments} == items_of(web, study)


def test_estimates_follow_new_judgments(web):
    study, admin = judging(web, generated(topics=12, judged=9), drawn=12)
    before, heron = table_of(shown_estimates(admin, study)), web.informant(study)
    for place in (1, 2, 3):
        give(heron, study, 4, place)
    assert table_of(shown_estimates(admin, study)) != before


def test_the_page_has_the_numbers_of_the_command(web):
    study, admin = judging(web)
    page = shown_estimates(admin, study, "?difference=0.8")
    options = {"metrics": "rouge-1.recall", "scale": (1, 5), "detect": 0.8, "draws": 5}
    (table,) = summetry.estimate(generated(), **options).tables
    rows = re.findall(r'<th scope="row" class="left">(\w+)</th>(.*?)</tr>', page, re.DOTALL)
    shown = {name: re.sub(r"<[^>]+>", " ", cells).split() for name, cells in rows}
    assert set(shown) == set(SYSTEMS)
    for mean in table.estimate.means:
        numbers = (mean.estimate, mean.low, mean.high, mean.alone.estimate)
        assert {f"{number:.2f}" for number in numbers} <= set(shown[table.systems[mean.system]])
        assert mean.judged == 15
    needed = table.estimate.topics_needed()[0]
    assert needed is not None and needed > 15
    assert f"Judge {needed - 15} more texts to see a difference of 0.80." in page


def test_the_page_knows_what_is_missing(web):
    study, admin = judging(web, generated(judged=0), drawn=3)
    page = shown_estimates(admin, study)
    assert "0 of 3 texts are judged for every system." in page
    assert "9 summaries are still to be judged." in page
    assert "No judgments yet." in page
    give(web.informant(study), study, 4)
    page = shown_estimates(admin, study)
    assert "8 summaries are still to be judged." in page
    assert "judge at least 3 topics of one system" in page


def test_a_difference_that_is_no_number_is_refused_beside_its_field(web):
    study, admin = judging(web)
    for asked in ("0", "-1", "x", "1e9", "nan"):
        page = shown_estimates(admin, study, f"?difference={asked}")
        assert "Expected a number above 0." in page, asked
        assert "A difference of 0.40 between two systems cannot be seen" in page, asked


def test_estimates_need_judgments_and_what_the_metric_needs(web):
    study, admin = judging(web, generated(references=False))
    page = shown_estimates(admin, study)
    assert re.search(r'<p class="note[^"]*">[^<]*references in summaries.jsonl', page)
    assert admin.get(f"/studies/{web.study('extract')}/estimates").status_code == 404


def test_the_settings_refuse_what_is_no_metric_and_another_gives_other_estimates(web):
    study, admin = judging(web)
    before = table_of(shown_estimates(admin, study))
    admin.get(f"/studies/{study}/settings")
    wrong = admin.press("Save", drawn="5", metric="rouge-99x")
    assert wrong.status_code == 422
    assert "Expected one metric, such as rouge-1.recall." in wrong.text
    assert admin.press("Save", metric="rouge-2").status_code == 200
    settings = web.find(study).settings
    assert (settings.metric, settings.drawn) == ("rouge-2", 5)
    assert table_of(shown_estimates(admin, study)) != before
