"""Who is given what, for how long it is theirs, and what a study still needs."""

import datetime
import itertools
import random
import re
from collections import Counter

import pytest
from web_content import corpus_of, topic_of, words_of

from summetry.web.settings import StudySettings
from summetry.web.store import answers
from summetry.web.store.accounts import make_token
from summetry.web.store.assignment import Plan


def texts(count):
    return corpus_of(*(topic_of(f"t{n}", ("A b c.", "D e.", "F g.")) for n in range(count)))


@pytest.fixture
def wait(monkeypatch):
    """A way to let minutes pass."""
    moment = [answers.now()]
    monkeypatch.setattr(answers, "now", lambda: moment[0])

    def wait(minutes):
        moment[0] += datetime.timedelta(minutes=minutes)

    return wait


@pytest.fixture
def ask(web):
    """What the API answers an administrator."""
    token = web.write(make_token, web.account("Ada", is_admin=True), "test")
    client, headers = web.visitor().client, {"Authorization": f"Bearer {token}"}
    return lambda path: client.get(f"/api/v1/studies/{path}", headers=headers).json()


def place_of(answer):
    """The number of the item that a page shows; None on the page of the study."""
    found = re.fullmatch(r"/s/\w+/(\d+)", answer.url.path)
    return int(found[1]) if found else None


def go_on(visitor, study):
    return place_of(visitor.get(f"/s/{study}/next"))


def states(ask, study):
    """How many people have the items in each state, and how many answers are still needed."""
    progress = ask(f"{study}/progress")
    counts = sum((Counter({s: i[s] for s in answers.STATES}) for i in progress["items"]), Counter())
    return dict(counts), progress["answers_needed"]


@pytest.mark.parametrize("minutes, waited, gets", [(30, 29, None), (30, 31, 1), (0, 9999, None)])
def test_what_drop_outs_leave_is_given_to_others_after_a_time(web, wait, minutes, waited, gets):
    study = web.study(corpus=texts(9), per_text=1, per_informant=1, return_after=minutes)
    for n in range(9):
        assert go_on(web.informant(study, f"Gone {n}"), study) == 1
    tenth = web.informant(study, "Tenth")
    assert go_on(tenth, study) is None
    wait(waited)
    assert go_on(tenth, study) == gets


def test_late_work_is_kept_and_counts_and_what_is_still_free_goes_on(web, admin, wait, ask):
    study = web.study(corpus=texts(1), per_text=1, longest=90)
    heron = web.informant(study, "Heron")
    heron.send(study, unit=["0"])
    wait(31)
    assert states(ask, study) == ({"expired": 1}, 1)
    # Nobody has taken it: who comes back goes on.
    assert go_on(heron, study) == 1 and states(ask, study) == ({"begun": 1}, 0)
    wait(31)
    wren = web.informant(study, "Wren")
    assert go_on(wren, study) == 1
    assert go_on(heron, study) is None
    assert "others have it now" in words_of(heron.get(f"/s/{study}"))
    assert "Heron – 0 0 0 1" in words_of(admin.get(f"/studies/{study}/progress"))
    # Who comes back is told, on a page that was open all the time and on one that is opened.
    told = "This text was given to somebody else meanwhile"
    assert told in heron.send(study, version=1, unit=["1"]).text
    wait(31)
    assert go_on(wren, study) == 1
    assert told in heron.send(study, version=2, unit=["0"], script=False).text
    wait(31)
    assert go_on(wren, study) == 1
    assert told in heron.get(f"/s/{study}/1").text
    assert told not in wren.get(f"/s/{study}/1").text
    heron.send(study, unit=["0", "1"], do="submit")
    assert told not in heron.get(f"/s/{study}/1").text
    assert [extract.units for extract in web.whole(study).extracts] == [(0, 1)]
    assert states(ask, study) == ({"assigned": 1, "submitted": 1}, 0)


def test_what_is_returned_is_free_at_once_and_can_be_taken_again(web, admin, ask):
    study = web.study(corpus=texts(1), per_text=1, longest=90)
    heron = web.informant(study, "Heron")
    assert "Return it unfinished" in heron.get(f"/s/{study}/1").text
    page = heron.send(study, unit=["1"], do="return", script=False)
    assert "Take it again" in page.text and states(ask, study) == ({"returned": 1}, 1)
    assert go_on(heron, study) is None
    page = heron.post(f"/s/{study}/1/take")
    assert re.search(r'data-set="1"', page.text) and states(ask, study) == ({"begun": 1}, 0)
    stale = heron.version(f"/s/{study}/1")
    heron.send(study, 1, stale, unit=["1"], do="return")
    wren = web.informant(study, "Wren")
    assert go_on(wren, study) == 1
    page = heron.post(f"/s/{study}/1/take")
    assert "You cannot take it again now" in page.text and "Take it again" not in page.text
    assert "Heron – 0 0 1 0" in words_of(admin.get(f"/studies/{study}/progress"))
    # A window that does not know of it yet overwrites nothing, and can submit what was saved.
    assert heron.send(study, 1, stale, unit=["2"]).status_code == 409
    heron.send(study, 1, stale, unit=["1"], do="submit")
    assert states(ask, study) == ({"assigned": 1, "submitted": 1}, 0)
    # Every version is still there.
    actions = [row["action"] for row in ask(f"{study}/tables/versions") if row["person"] == "Heron"]
    assert actions == ["start", "change", "return", "take", "return", "submit"]


def test_practice_and_what_was_submitted_are_not_returned(web, wait, ask):
    study = web.study(corpus=texts(2), practice="t0", longest=90)
    heron = web.informant(study)
    for place in (0, 1):
        heron.send(study, place, unit=["0"], do="submit")
        assert "Return it unfinished" not in heron.get(f"/s/{study}/{place}").text
        heron.send(study, place, unit=["1"], do="return")
    wait(31)
    assert [row["state"] for row in ask(f"{study}/tables/answers")] == ["submitted"] * 2


def test_who_has_nothing_left_is_told_so_and_so_is_the_researcher(web, admin, ask):
    limits = {"per_text": 1, "per_informant": 2, "repeat": True, "longest": 90}
    study = web.study(corpus=texts(3), contact="ada@example.org", **limits)
    assert "You will read 3 texts" in web.visitor().get(f"/s/{study}").text
    needed = "3 answers are still needed; 2 new people can give them."
    for path in ("", "/progress"):
        assert needed in words_of(admin.get(f"/studies/{study}{path}"))
    heron = web.informant(study, "Heron")
    for done in range(3):
        home = words_of(heron.get(f"/s/{study}"))
        assert f"Continue: {done + 1} of 3" in home and f"{done} of 3 are done" in home
        assert go_on(heron, study) == done + 1
        heron.send(study, done + 1, unit=["0"], do="submit")
    home = heron.get(f"/s/{study}").text
    assert "You have done everything" in home and "/next" not in home
    # One text is left, which is not worth a repetition.
    wren = web.informant(study, "Wren")
    assert "0 of 1 are done" in words_of(wren.get(f"/s/{study}"))
    late = web.informant(study, "Late")
    home = late.get(f"/s/{study}").text
    assert "/next" not in home
    for page in (home, web.visitor().get(f"/s/{study}").text):
        assert "This study has enough people" in page and "Come back" not in page
        assert "ask the people who run it: ada@example.org" in page
    full = "one answer is in work, 2 of 3 submitted"
    for path in ("", "/progress"):
        assert full in words_of(admin.get(f"/studies/{study}{path}"))
    assert "0 1 0 1 0 0" in words_of(admin.get(f"/studies/{study}/progress"))
    progress = ask(f"{study}/progress")
    assert (progress["is_full"], progress["people_needed"]) == (True, 0)
    assert {(one["target"], one["needed"]) for one in progress["items"]} == {(1, 0)}
    assert [one["share"] for one in ask(f"{study}/people")] == [3, 1, 0]
    wren.send(study, unit=["0"], do="submit")
    complete = "The study is complete: all 3 answers are submitted."
    assert complete in words_of(admin.get(f"/studies/{study}/progress"))


def most_needy_first(demands, each):
    """How many people give so many answers of each kind, each person one of a kind: an oracle."""
    left, count = sorted(demands, reverse=True), 0
    while any(left):
        left = sorted((n - (i < each and n > 0) for i, n in enumerate(left)), reverse=True)
        count += 1
    return count


def test_the_people_that_are_needed_can_give_all_answers_and_fewer_cannot():
    drawn = random.Random(5)
    for per_informant, items, once in itertools.product((0, 1, 2, 5), (1, 3, 4), (False, True)):
        keys = [(f"t{topic}", system) for topic in range(items) for system in "ab"]
        counts = {key: Counter(submitted=drawn.randrange(5)) for key in keys}
        settings = StudySettings(per_text=4, per_informant=per_informant)
        plan = Plan(settings, keys, counts, once_per_topic=once)
        demands = Counter()
        for key in keys:
            demands[key[0] if once else key] += 4 - counts[key]["submitted"]
        assert plan.answers_needed == demands.total()
        expected = most_needy_first(demands.values(), per_informant or len(demands))
        assert plan.people_needed == expected
