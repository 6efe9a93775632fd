"""The JSON API and the exports, and commands on ``study:``."""

import csv
import io
import json
import warnings
import zipfile

import msgspec
import pytest
from browsers import HOST
from command_line import assert_refused, run_command, succeed
from fastapi.testclient import TestClient
from web_content import corpus_of, topic_of

from summetry.errors import SummetryWarning
from summetry.formats import load
from summetry.formats.folder import Folder
from summetry.records.corpus import KINDS
from summetry.records.summaries import Extract, Summary
from summetry.web import tables
from summetry.web.demo import demo_corpus
from summetry.web.exports import csv_text
from summetry.web.sources import write_study
from summetry.web.store.accounts import make_token


def token_of(web, name="Ada", studies=()):
    token = web.write(make_token, web.account(name, studies=studies), "test")
    return {"Authorization": f"Bearer {token}"}


@pytest.fixture
def study(web):
    return web.study(name="Ferries & wells")


@pytest.fixture
def api(web, study):
    """Requests with a token of a member of the study."""
    client, headers = web.visitor().client, token_of(web, studies=[study])

    def ask(method, path, **more):
        return client.request(method, f"/api/v1{path}", headers=headers, **more)

    return ask


def unzipped(content, folder):
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        archive.extractall(folder)
    (inside,) = (place for place in folder.iterdir() if place.is_dir())
    return inside


def test_a_study_survives_export_and_import(api, study, tmp_path):
    exported = api("GET", f"/studies/{study}/corpus.zip")
    assert exported.headers["content-type"] == "application/zip"
    corpus = load(unzipped(exported.content, tmp_path / "first"))
    for kind in KINDS:
        assert getattr(corpus, kind) == getattr(demo_corpus(), kind)
    files = {"file": ("a.zip", exported.content)}
    made = api("POST", "/studies/import?name=Again&task=extract", files=files)
    assert made.status_code == 201, made.text
    again = api("GET", f"/studies/{made.json()['id']}/corpus.zip")
    assert load(unzipped(again.content, tmp_path / "again")).fingerprint == corpus.fingerprint


def test_a_corpus_without_work_is_refused_as_by_the_page(api, study):
    exported = api("GET", f"/studies/{study}/corpus.zip", params={"format": "ducview"})
    before = api("GET", "/studies").json()
    files = {"file": ("a.zip", exported.content)}
    made = api("POST", "/studies/import?name=Again&task=extract", files=files)
    assert made.status_code == 422 and "its topics have no text" in made.text
    assert api("GET", "/studies").json() == before


def test_tables_of_an_export_have_majority_references_and_extracts(api, study, tmp_path):
    done = api("GET", f"/studies/{study}/corpus.zip", params={"format": "csv", "length": "3"})
    folder = unzipped(done.content, tmp_path / "csv")
    with (folder / "references.csv").open(newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["author"] == "majority"]
    units = demo_corpus().topic("t01").units
    assert rows[0] == {"id": "t01", "author": "majority",
                       "reference": " ".join(units[n] for n in (0, 12, 18))}  # fmt: skip
    with (folder / "extracts.csv").open(newline="", encoding="utf-8") as file:
        first = next(csv.DictReader(file))
    assert (first["topic"], first["informant"]) == ("t01", "p1")
    assert json.loads(first["units"]) == [0, 1, 6, 12, 15, 18, 19]


def test_a_table_of_records_changes_no_text_and_one_for_people_runs_no_formula():
    rows = [["- Hello, she said.", "=1+1", 3]]
    assert csv_text(("a", "b", "c"), rows) == 'a,b,c\n"- Hello, she said.",=1+1,3\n'
    shown = csv_text(("a", "b", "c"), rows, for_people=True)
    assert shown == "a,b,c\n\"'- Hello, she said.\",'=1+1,3\n"


def test_agreement_and_references_are_those_of_the_package(api, study):
    agreed = api("GET", f"/studies/{study}/agreement").json()
    assert [topic["topic"] for topic in agreed["topics"]] == [t.id for t in demo_corpus().topics]
    references = api("GET", f"/studies/{study}/references?length=3").json()
    # Votes for t01 by hand: unit 0 has five, 12 and 18 have four each.
    first = references[0]
    assert (first["topic"], first["units"]) == ("t01", [0, 12, 18])
    assert (first["votes"][0], first["votes"][12], first["votes"][18]) == (5, 4, 4)


def test_people_are_invited_and_deleted_and_settings_changed(web, api, study):
    made = api("POST", f"/studies/{study}/people", json={"name": "Kestrel", "group": "students"})
    assert made.status_code == 201 and made.json()["joined"] is None
    page = web.visitor().get(f"/s/{study}/as/{made.json()['key']}")
    assert "Kestrel" in page.text
    assert api("DELETE", f"/studies/{study}/people/{made.json()['id']}").status_code == 204
    assert api("GET", f"/studies/{study}/people").json() == []
    # The log outlives people, so that it names none.
    assert "Kestrel" not in str(api("GET", f"/studies/{study}/tables/log").json())


def test_settings_are_changed_as_by_the_page(api, study):
    change = {"settings": {"shortest": 10, "repeat": True}, "state": "closed", "name": "New"}
    changed = api("PATCH", f"/studies/{study}", json=change).json()
    assert (changed["name"], changed["state"]) == ("New", "closed")
    # What is not named stays.
    more = api("PATCH", f"/studies/{study}", json={"settings": {"per_text": 3}}).json()
    assert more["settings"] == changed["settings"] | {"per_text": 3}
    actions = [one["action"] for one in api("GET", f"/studies/{study}/tables/log").json()]
    assert actions == ["changed the settings", "closed the study", "changed the settings"]


@pytest.mark.parametrize("change, words", [
    ({"settings": {"shortest": 90}}, "shorter than the longest"),
    ({"settings": {"practice": "none"}}, "practice: Choose one of the list."),
    ({"settings": {"metric": "x"}}, "settings.metric: this study would keep 'rouge-1.recall'"),
    ({"settings": {"title": " T "}}, "settings.title: this study would keep 'T', not ' T '"),
    ({"settings": {"nothing": 1}}, "settings: Object contains unknown field `nothing`"),
    ({"state": "open", "settings": {"shortest": 7.001, "longest": 7.002}}, "cannot be opened"),
])  # fmt: skip
def test_settings_that_the_page_refuses_are_refused(api, study, change, words):
    before = api("GET", f"/studies/{study}").json()
    wrong = api("PATCH", f"/studies/{study}", json=change)
    assert wrong.status_code == 422 and words in wrong.json()["detail"]
    assert api("GET", f"/studies/{study}").json() == before


def test_nobody_of_the_uploaded_data_is_invited(api, study):
    wrong = api("POST", f"/studies/{study}/people", json={"name": " p1 "})
    assert wrong.status_code == 422 and "'p1' is somebody in the uploaded data" in wrong.text
    assert api("GET", f"/studies/{study}/people").json() == []


def agreement(where):
    return succeed("agreement", where, "--json").json


@pytest.fixture
def voted(tmp_path):
    """A corpus with extracts, and what the command says of it in a folder."""
    units = ("A b.", "C d e.", "F g.", "H.")
    extracts = (Extract("t", "ann", (0, 1)), Extract("t", "bob", (0, 2)))
    corpus = corpus_of(topic_of("t", units), extracts=extracts)
    Folder().write(corpus, tmp_path / "voted")
    return corpus, agreement(tmp_path / "voted")


def test_a_command_reads_the_database(web, voted):
    corpus, expected = voted
    assert agreement(f"study:{web.database}#{web.study(corpus=corpus)}") == expected


def test_a_reference_that_was_saved_for_some_texts_only_is_noted_by_commands(web, tmp_path):
    topics = [topic_of(name, ("A b.", "C d.")) for name in ("t1", "t2")]
    votes = Summary("t1", "majority: 50%, position", "reference", units=(0,))
    other = Summary("t2", "ann", "reference", units=(0,))
    study = web.study(corpus=corpus_of(*topics, summaries=(votes, other)), name="some")
    with pytest.warns(SummetryWarning, match="1 of 2 texts has a reference saved from the votes"):
        write_study(f"study:{web.database}#{study}", tmp_path)
    # If it is the only one of every text, there is nothing to say.
    alike = (votes, msgspec.structs.replace(votes, topic="t2"))
    study = web.study(corpus=corpus_of(*topics, summaries=alike), name="all")
    (tmp_path / "all").mkdir()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        write_study(f"study:{web.database}#{study}", tmp_path / "all")


@pytest.mark.parametrize("where, words", [
    ("DATABASE#nothing", "there is no study 'nothing'"),
    ("DATABASE", "2 studies fit; name one, as study:"),
    ("FOLDER/none.db", "no such file"),
    ("DEMO/topics.jsonl", "not a database"),
    ("http://127.0.0.1:9/studies/x", "SUMMETRY_TOKEN"),
])  # fmt: skip
def test_a_command_on_a_wrong_study_gets_one_line(web, study, demo_folder, tmp_path, where, words):
    web.study(name="Second")
    places = {"DATABASE": web.database, "FOLDER": tmp_path, "DEMO": demo_folder}
    for name, place in places.items():
        where = where.replace(name, str(place))
    assert_refused(run_command("agreement", f"study:{where}"), 2, words)


def test_a_command_reads_a_running_server(server, voted, monkeypatch):
    corpus, expected = voted
    study = server.study(corpus=corpus)
    token = token_of(server, "Grace Hopper", [study])
    monkeypatch.setenv("SUMMETRY_TOKEN", token["Authorization"].removeprefix("Bearer "))
    assert agreement(f"study:{server.base}/studies/{study}") == expected


def test_what_is_written_is_kept_before_the_answer_is_sent(web, study):
    headers, seen = token_of(web, studies=[study]), []

    async def watched(scope, receive, send):
        async def look(message):
            if message["type"] == "http.response.start":
                seen.append([person.name for person in web.people(study)])
            await send(message)

        await web.app(scope, receive, look)

    client = TestClient(watched, base_url=HOST)
    made = client.post(f"/api/v1/studies/{study}/people", headers=headers, json={"name": "Wren"})
    assert made.status_code == 201, made.text
    assert seen == [["Wren"]]


@pytest.mark.parametrize("token, words", [
    ({}, "expected a token: Authorization: Bearer TOKEN"),
    ({"Authorization": "Bearer old"}, "this token is not valid, or not any more"),
])  # fmt: skip
def test_no_token_and_an_old_one_are_told_apart(web, token, words):
    answer = web.visitor().client.get("/api/v1/studies", headers=token)
    assert answer.status_code == 401 and words in answer.json()["detail"]


def test_seconds_are_exported_to_a_tenth(web, api, study):
    web.informant(study)
    with web.database.writing() as connection:
        connection.execute(tables.answers.update().values(seconds=69.67699999999999))
    (answer,) = api("GET", f"/studies/{study}/tables/answers").json()
    (person,) = api("GET", f"/studies/{study}/people").json()
    assert (answer["seconds"], person["seconds"]) == (69.7, 69.7)
