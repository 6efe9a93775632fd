"""Informants who are invited, counted and deleted; researchers, their accounts and the log."""

import csv
import html
import io
import re

import pytest
from web_content import small_corpus, words_of

from summetry.records.judgments import Judgment
from summetry.records.summaries import Extract, Summary
from summetry.web.app import create_app
from summetry.web.settings import Asked
from summetry.web.store.answers import all_answers


@pytest.fixture
def study(web):
    return web.study(corpus=small_corpus(), longest=90, per_text=2)


# ── invitations ───────────────────────────────────────────────────────────


def test_personal_links_link_and_code_let_people_in(web, admin):
    study = web.study(corpus=small_corpus(), entry="invited")
    admin.get(f"/studies/{study}/invite")
    page = admin.press("Make personal links", names="Heron, students\n\n =Crane \n")
    assert page.status_code == 200
    table = admin.post(f"/studies/{study}/invite", {"do": "csv"}).text
    rows = list(csv.DictReader(io.StringIO(table)))
    people = [(row["name"], row["group"], row["joined"]) for row in rows]
    assert people == [("Heron", "students", ""), ("=Crane", "", "")]
    shown = re.findall(r'id="link-\d+" value="([^"]+)"', page.text)
    assert len(shown) == 2 and "Heron" in web.visitor().get(shown[0]).text
    assert web.visitor().get(f"/s/{study}").status_code == 403
    heron = web.visitor()
    assert "Heron" in heron.get(rows[0]["link"]).text
    assert 'id="outcome"' in heron.press("Start").text
    assert [person.joined is not None for person in web.people(study)] == [True, False]
    # The log outlives the people, so that it names none.
    assert ("invited informants", "2") in web.log(study)
    study = web.study(corpus=small_corpus())
    shown = admin.get(f"/studies/{study}/invite").text
    code = re.search(r'id="code" value="(\w+)"', shown)[1]
    assert f'value="http://127.0.0.1/s/{study}"' in shown
    assert web.visitor().post("/join", {"code": code}).url.path == f"/s/{study}"


@pytest.mark.parametrize("host, is_local", [
    ("127.0.0.1:8000", True), ("[::1]", True), ("localhost", True), ("study.example.org", False),
])  # fmt: skip
def test_links_that_open_on_this_computer_only_are_named(web, admin, host, is_local):
    if not is_local:
        admin.client._transport.app = create_app(web.database, f"http://{host}")
    where = {"headers": {"host": host}}
    told = "These links open on this computer only. To let others in, start summetry serve --host"
    page = admin.get(f"/studies/{web.study(corpus=small_corpus())}/invite", **where)
    assert f"http://{host}/s/" in page.text and (told in words_of(page)) == is_local
    page = admin.post("/accounts", {"name": "Ada"}, **where)
    assert f"http://{host}/enter/" in page.text and (told in words_of(page)) == is_local


@pytest.mark.parametrize("names, words", [
    ("", "expected 1 to 1,000 names"),
    ("a\nb\na", "line 3: the name 'a' is taken"),
    ("a\n" + "x" * 41, "line 2: name: expected a name of 1 to 40 characters"),
    ("a\n, group", "line 2: name"),
    ("a," + "g" * 81, "line 1: expected a group of at most 80"),
    ("ann", "'ann' is somebody in the uploaded data"),
    ("\n".join(map(str, range(1001))), "found 1,001"),
])  # fmt: skip
def test_names_that_cannot_be_invited_are_named_by_their_line(web, admin, names, words):
    study = web.study(corpus=small_corpus(extracts=(Extract("one", "ann", (0,)),)))
    answer = admin.post(f"/studies/{study}/invite", {"names": names})
    assert answer.status_code == 422 and words in html.unescape(answer.text)
    assert web.people(study) == []


# ── progress, and deleting an informant ───────────────────────────────────


def test_progress_tells_texts_informants_and_notes(web, admin, study):
    heron, crane = web.informant(study, "Heron"), web.informant(study, "Crane")
    heron.send(study, unit=["0"], note="A <b>typing</b> error.", do="submit")
    crane.send(study, unit=["0"], do="save")
    with web.database.writing() as connection:
        connection.exec_driver_sql("UPDATE answers SET seconds = 250 WHERE given IS NOT NULL")
    submitted, begun = web.read(all_answers, web.find(study))
    assert submitted.given and begun.given is None
    shown = words_of(admin.get(f"/studies/{study}/progress"))
    assert "2 informants, one answer submitted." in shown
    assert "Heron – 1 0 0 0 4 min" in shown and "Crane – 0 1 0 0 under 1 min" in shown
    assert "A <b>typing</b> error." in shown
    # Each text has one of the two: least covered first.
    assert len(re.findall(r"(?:0 2 1 1|1 2 1 0) 0 0\s", shown)) == 2


def test_uploaded_judgments_count_as_answers(web, admin):
    summaries = (Summary("one", "lead", "candidate", text="A b c."),)
    pairs = [(judge, dimension) for judge in ("ann", "bob") for dimension in ("focus", "style")]
    marks = tuple(Judgment("one", "lead", judge, dimension, 3) for judge, dimension in pairs)
    study = web.study("judgment", small_corpus(summaries=summaries, judgments=marks))
    page = admin.get(f"/studies/{study}")
    assert "2 answers" in words_of(page)
    assert re.findall(r"<td>(\d+)</td>", page.text) == ["2", "0"]


def test_an_informant_is_deleted_with_votes_and_versions_and_the_log_does_not_say_who(web, admin):
    study = web.study(corpus=small_corpus(), longest=90, questions=(Asked("q", "?", ("a", "b")),))
    heron = web.informant(study, "Heron", **{"q-q": "a"})
    heron.send(study, unit=["0"], note="Mine.", do="submit")
    web.informant(study, "Crane", **{"q-q": "b"}).send(study, unit=["0"], do="submit")
    assert len(web.whole(study).extracts) == 2
    person = f"/studies/{study}/people/{web.people(study)[0].id}"
    path, page = f"{person}/delete", admin.get(person)
    assert "Delete Heron?" in page.text and "the work on one text (1 submitted)" in page.text
    assert admin.post(path).status_code == 422
    assert admin.post(path, {"confirm": "yes"}).url.path == f"/studies/{study}/progress"
    assert [extract.informant for extract in web.whole(study).extracts] == ["Crane"]
    with web.database.reading() as connection:
        for table in ("people", "answers", "versions", "log"):
            rows = connection.exec_driver_sql(f"SELECT * FROM {table}").all()
            assert rows and "Heron" not in str(rows) and "Mine." not in str(rows), table
    assert heron.get(f"/s/{study}/1").status_code == 404
    assert admin.post(path, {"confirm": "yes"}).status_code == 404
    assert ("deleted an informant", "1 answers") in web.log(study)


def test_nothing_of_a_deleted_informant_stays_in_the_file(web, admin, study, tmp_path):
    visitor = web.informant(study, "Quetzalcoatlus")
    visitor.send(study, unit=["0"], note="A pterosaur was here.", do="submit")
    (person,) = web.people(study)
    web.database.close()
    before = (tmp_path / "summetry.db").read_bytes()
    assert b"Quetzalcoatlus" in before and b"A pterosaur was here." in before
    admin.post(f"/studies/{study}/people/{person.id}/delete", {"confirm": "yes"})
    web.database.close()
    after = b"".join(path.read_bytes() for path in tmp_path.glob("summetry.db*"))
    assert b"Quetzalcoatlus" not in after and b"A pterosaur was here." not in after


# ── researchers and accounts ──────────────────────────────────────────────


def number_of(web, name):
    with web.database.reading() as connection:
        query = "SELECT id FROM researchers WHERE name = ?"
        return connection.exec_driver_sql(query, (name,)).scalar_one()


def one_time_link(page):
    return re.search(r'value="http://127.0.0.1(/enter/[\w-]+)"', page.text)[1]


def test_researchers_are_added_to_a_study_and_removed(web, study):
    ann, bob = web.researcher("ann", studies=[study]), web.researcher("bob")
    assert bob.get(f"/studies/{study}/settings").status_code == 404
    unknown = ann.post(f"/studies/{study}/members", {"member": "cy"})
    assert unknown.status_code == 422 and "No researcher has an account" in unknown.text
    ann.post(f"/studies/{study}/members", {"member": " bob "})
    assert bob.get(f"/studies/{study}/settings").status_code == 200
    remove = f"/studies/{study}/members/{number_of(web, 'ann')}/remove"
    assert bob.post(remove).status_code == 200
    assert ann.get(f"/studies/{study}/settings").status_code == 404
    assert bob.post(remove).status_code == 404
    last = bob.post(f"/studies/{study}/members/{number_of(web, 'bob')}/remove")
    assert last.status_code == 422 and "needs one researcher" in last.text


def test_an_administrator_adds_a_researcher_by_a_one_time_link(web, admin):
    for data, words in (
        ({"name": ""}, "expected a name of 1 to 80 characters"),
        ({"name": "admin"}, "there is an account 'admin' already"),
        ({"name": "eve", "password": "short"}, "expected 10 or more characters"),
    ):
        answer = admin.post("/accounts", data)
        assert answer.status_code == 422 and words in html.unescape(answer.text)
    link, dana = one_time_link(admin.post("/accounts", {"name": "Dana"})), web.visitor()
    dana.get(link)
    assert dana.post(link).url.path == "/studies"
    assert [dana.get(path).status_code for path in ("/accounts", "/log")] == [404, 404]
    assert dana.post(link).status_code == 404
    # A used link leads those who are logged in on, and offers nobody a button that does nothing.
    assert dana.get(link).url.path == "/studies"
    late = web.visitor().get(link)
    assert late.status_code == 404 and "was used already" in late.text
    assert "<button" not in late.text


def test_a_password_is_set_on_ones_own_account(web, admin):
    password, other = "a long password", "another one!"

    def sent(old, new, again):
        return admin.post("/account", {"old": old, "new": new, "again": again})

    assert sent("", password, password).status_code == 200
    wrong = sent("something else", password, password)
    assert wrong.status_code == 422 and "This is not your password" in wrong.text
    assert "10 or more characters" in sent(password, "short", "short").text
    assert "not the same" in sent(password, other, "x").text
    elsewhere = web.visitor()
    login = {"name": "admin", "password": password}
    assert elsewhere.post("/login", login).url.path == "/studies"
    assert sent(password, other, other).status_code == 200
    assert admin.get("/studies").url.path == "/studies"
    assert elsewhere.get("/studies").url.path == "/login"


def test_a_token_works_until_it_is_deleted(web):
    ada, client = web.researcher("Ada", studies=[web.study()]), web.visitor().client
    web.study(name="Another's")
    ada.get("/account/tokens")
    made = ada.press("Make a token", name="a script").text
    headers = {"Authorization": f"Bearer {re.search('<code>([^<]+)</code>', made)[1]}"}
    listed = client.get("/api/v1/studies", headers=headers).json()
    assert [study["name"] for study in listed] == ["Study"]
    assert "a script" not in ada.press("Delete the token a script").text
    assert client.get("/api/v1/studies", headers=headers).status_code == 401


def test_passwords_are_hashed_dearly(web, dear_passwords):
    """Argon2id with 64 MB and three passes: the second recommended option of RFC 9106."""
    web.account("Ann")
    with web.database.reading() as connection:
        (stored,) = connection.exec_driver_sql("SELECT password FROM researchers").scalars()
    assert stored.startswith("$argon2id$v=19$m=65536,t=3,p=4$")


def test_the_cookie_of_a_removed_account_does_not_open_the_next_one(web, admin):
    bob, account = web.researcher("bob"), f"/accounts/{number_of(web, 'bob')}"
    link = one_time_link(admin.post(account, {"do": "reset"}))
    bob.get(link)
    assert bob.post(link).url.path == "/studies"
    admin.post(account, {"do": "remove", "confirm": "yes"})
    web.researcher("eve")
    assert number_of(web, "eve") == int(account.rpartition("/")[2])
    assert bob.get("/studies").url.path == "/login"


def test_accounts_are_made_administrators_and_removed_but_one_administrator_stays(
    web, admin, study
):
    web.researcher("bob", studies=[study])
    own, other = (f"/accounts/{number_of(web, name)}" for name in ("admin", "bob"))
    removed = {"do": "remove", "confirm": "yes"}
    for data in ({"do": "no-admin", "confirm": "yes"}, removed):
        refused = admin.post(own, data)
        assert refused.status_code == 422 and "only administrator" in refused.text
    assert admin.post(own, {"do": "reset"}).status_code == 422
    for act, status in (("dance", 400), ("admin", 200), ("no-admin", 200), ("remove", 422)):
        assert admin.post(other, {"do": act}).status_code == status
    assert "bob" not in admin.post(other, removed).text
    assert admin.post(other, removed).status_code == 404
    assert web.find(study) is not None
    actions = [action for action, _ in web.log()]
    assert actions[:3] == ["removed an account", "made a researcher", "made an administrator"]


def test_the_log_of_a_study_is_its_own_and_an_administrator_sees_everything(web, admin):
    own, other = web.study(corpus=small_corpus()), web.study(corpus=small_corpus())
    ann = web.researcher("ann", studies=[own])
    admin.post(f"/studies/{other}/state", {"state": "closed"})
    ann.post(f"/studies/{own}/state", {"state": "closed"})
    shown = words_of(ann.get(f"/studies/{own}/log"))
    assert "ann closed the study" in shown and "admin closed" not in shown
    assert ann.get(f"/studies/{other}/log").status_code == 404
    everything = words_of(admin.get("/log"))
    assert f"admin closed the study {other}" in everything and own in everything
