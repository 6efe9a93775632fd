"""What lets somebody in, and what ends it: sessions, one-time links, tokens, personal links."""

import datetime
import re
import stat

import pytest

from summetry.web.database import Database, now
from summetry.web.pages import cookie_of
from summetry.web.store import keys
from summetry.web.store.accounts import make_link, make_token, reset_access

PASSWORD, NEW = "correct horse battery", "another long password"


def is_in(visitor):
    return visitor.get("/studies", follow_redirects=False).status_code == 200


def token_status(web, token):
    headers = {"Authorization": f"Bearer {token}"}
    return web.visitor().client.get("/api/v1/studies", headers=headers).status_code


@pytest.mark.parametrize("how", ["password", "reset", "remove"])
def test_a_new_password_a_reset_and_a_removal_end_everything_that_let_in(web, how):
    ada, admin = web.researcher("Ada"), web.admin()
    other = web.visitor()
    other.get("/login")
    other.post("/login", {"name": "Ada", "password": PASSWORD})
    number = next(row.id for row in web.read(keys_of_researchers) if row.name == "Ada")
    token, link = web.write(make_token, number, "script"), web.write(make_link, number)
    assert is_in(other) and token_status(web, token) == 200
    if how == "password":
        ada.get("/account")
        form = {"old": PASSWORD, "new": NEW, "again": NEW}
        assert "your tokens have ended" in ada.post("/account", form).text
        assert is_in(ada)
    else:
        admin.get("/accounts")
        admin.post(f"/accounts/{number}", {"do": how, "confirm": "yes"})
        assert not is_in(ada)
    assert not is_in(other) and token_status(web, token) == 401
    assert web.visitor().get(f"/enter/{link}").status_code == 404


def keys_of_researchers(connection):
    return connection.exec_driver_sql("SELECT id, name FROM researchers").all()


def test_logging_out_ends_the_session_and_not_only_the_cookie(web):
    ada, thief = web.researcher("Ada"), web.visitor()
    thief.client.cookies.set("summetry_researcher", ada.client.cookies["summetry_researcher"])
    assert is_in(thief)
    ada.post("/logout")
    assert not is_in(ada) and not is_in(thief)


@pytest.mark.parametrize("kind, days", [("session", 0.5), ("token", 365)])
def test_sessions_and_tokens_expire(web, monkeypatch, kind, days):
    number = web.account("Ada")
    secret = web.write(keys.make_key, kind, number)
    for seconds, is_valid in ((-1, True), (1, False)):
        later = now() + datetime.timedelta(days=days, seconds=seconds)
        monkeypatch.setattr(keys, "now", lambda later=later: later)
        assert (web.read(keys.find_key, kind, secret) is not None) == is_valid
    monkeypatch.undo()
    shown = web.read(keys.find_key, kind, secret).expires.strftime("%Y-%m-%d")
    if kind == "token":
        ada = web.visitor()
        link = web.write(make_link, number)
        ada.get(f"/enter/{link}")
        ada.post(f"/enter/{link}")
        assert shown in ada.get("/account/tokens").text


def test_the_database_is_its_owners_and_holds_no_secret(web, tmp_path):
    path = tmp_path / "new.db"
    path.unlink(missing_ok=True)
    database = Database(path)
    database.upgrade()
    with database.writing() as connection:
        # While it is written to, there is a log beside it.
        connection.exec_driver_sql("INSERT INTO researchers VALUES (1, 'Ada', '', 1)")
        files = list(tmp_path.glob("new.db*"))
        assert len(files) > 1
        assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    database.close()

    study, number = web.study(), web.account("Ada")
    heron = web.informant(study)
    secrets = [heron.client.cookies[cookie_of(study)], web.write(reset_access, number)]
    secrets.append(web.write(make_token, number, "script"))
    secrets.append(web.researcher("Grace").client.cookies["summetry_researcher"])
    with web.database.reading() as connection:
        stored = "\n".join(connection.connection.driver_connection.iterdump())
    assert "Heron" in stored and not [secret for secret in secrets if secret in stored]


def test_personal_links_are_shown_again_and_earlier_ones_stay_valid(web, admin):
    study = web.study()
    first = admin.post(f"/studies/{study}/invite", {"names": "Heron"}).text
    # As after a day, or with another researcher.
    assert "/as/" not in admin.get(f"/studies/{study}/invite").text
    second = admin.post(f"/studies/{study}/invite", {"do": "links"}).text
    links = [re.search(r'value="([^"]+/as/[^"]+)"', page)[1] for page in (first, second)]
    assert links[0] != links[1]
    for link in links:
        assert "Heron" in web.visitor().get(link).text
    # An informant sees the link that let them in, on any device.
    heron = web.visitor()
    heron.get(links[1])
    heron.post(f"/s/{study}/join", {"consent": "yes"})
    own = re.search(r'href="(/s/\w+/as/[^"]+)"', heron.get(f"/s/{study}").text)[1]
    assert "Heron" in web.visitor().get(own).text
