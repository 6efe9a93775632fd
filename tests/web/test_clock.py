"""Nothing is lost when the clock of the server is set back, by NTP or after a sleep."""

import datetime
import time

import pytest
from web_content import small_corpus

from summetry.web import database
from summetry.web.store import accounts, answers, keys, people, studies


@pytest.fixture
def set_back(monkeypatch):
    """Sets the clock back by an hour."""

    def act():
        earlier = database.now() - datetime.timedelta(hours=1)
        for module in (accounts, answers, keys, people, studies):
            monkeypatch.setattr(module, "now", lambda: earlier)
        seconds = time.time() - 3600
        monkeypatch.setattr(time, "time", lambda: seconds)

    return act


def test_an_answer_that_is_submitted_anew_is_on_pages_and_in_exports(web, set_back):
    study, heron = web.begin(corpus=small_corpus(), longest=90)
    heron.send(study, unit=["0"], do="submit")
    assert [extract.units for extract in web.whole(study).extracts] == [(0,)]
    set_back()
    heron.send(study, unit=["1"], do="submit")
    assert [extract.units for extract in web.whole(study).extracts] == [(1,)]


def test_people_and_researchers_stay_logged_in(web, set_back):
    study, heron = web.begin()
    ada = web.researcher("Ada", studies=[study])
    set_back()
    assert heron.get(f"/s/{study}/1").status_code == 200
    assert ada.get(f"/studies/{study}").status_code == 200
    assert heron.send(study, unit=["0"]).status_code == 200
