"""Who may see and do what: every route, as everybody who might try."""

import re

import pytest

from summetry.errors import Place
from summetry.records.builder import CorpusBuilder
from summetry.records.summaries import Extract
from summetry.records.topics import Document, Topic
from summetry.web.store.accounts import add_researcher, make_token
from summetry.web.store.people import people_of

PUBLIC = {
    "/",
    "/join",
    "/login",
    "/logout",
    "/enter/{secret}",
    "/language/{code}",
    "/try",
    "/s/{study_id}",
    "/s/{study_id}/join",
    "/s/{study_id}/as/{key}",
    "/api/v1/openapi.json",
    "/static",
}
ADMIN = ("/accounts", "/log")
ACCOUNT = ("/studies", "/studies/new", "/studies/new/upload", "/account", "/account/tokens")


def routes(app):
    """Every route with its methods, those of included routers too."""

    def walk(found):
        for route in found:
            inside = getattr(route, "original_router", route)
            if getattr(inside, "routes", None) and not hasattr(route, "methods"):
                yield from walk(inside.routes)
            else:
                yield route

    for route in walk(app.routes):
        for method in sorted(getattr(route, "methods", None) or {"GET"}):
            if method not in ("HEAD", "OPTIONS"):
                yield method, route.path


def kind_of(path):
    """Who may use a route."""
    if path in PUBLIC:
        return "public"
    if path.startswith("/api/"):
        return "token"
    if path.startswith("/s/"):
        return "informant"
    if path.startswith(ADMIN):
        return "admin"
    if path in ACCOUNT or path.startswith("/account/"):
        return "researcher"
    assert path.startswith("/studies/{study_id}"), f"{path}: who may use it?"
    return "member"


@pytest.fixture
def everybody(web):
    """Two studies, and visitors of each kind; the first study is the one that is asked for."""
    mine, other = web.study(name="Mine"), web.study(name="Other")
    heron = web.informant(mine, "Heron")
    with web.database.reading() as connection:
        (person,) = people_of(connection, mine)
    people = {
        "anonymous": web.visitor(),
        "informant": heron,
        "other informant": web.informant(other, "Kestrel"),
        "other researcher": web.researcher("Grace", studies=[other]),
        "member": web.researcher("Ada", studies=[mine]),
        "admin": web.admin(),
    }
    return mine, person, people


def filled(path, study, person):
    values = {"study_id": study, "key": person.key, "place": 1, "number": 0, "person_id": person.id}
    values |= {"secret": "none", "code": "sv", "member": 1, "kind": "topics", "id": 1}
    return re.sub(r"\{(\w+)(?::\w+)?\}", lambda found: str(values[found[1]]), path)


# Whose requests are refused, for each kind of route. A refusal is a 404 (there is no such page
# for them), a 401 or 403, or the way to the login.
REFUSED = {
    "public": (),
    "informant": ("anonymous", "other informant", "other researcher", "member", "admin"),
    "researcher": ("anonymous", "informant", "other informant"),
    "member": ("anonymous", "informant", "other informant", "other researcher"),
    "admin": ("anonymous", "informant", "other informant", "other researcher", "member"),
    "token": ("anonymous", "informant", "other informant", "other researcher", "member", "admin"),
}


def is_refused(answer):
    to_login = answer.status_code == 303 and answer.headers["location"] == "/login"
    return answer.status_code in (401, 403, 404) or to_login


def test_nobody_reaches_what_is_not_theirs(web, everybody):
    study, person, people = everybody
    # Guessing tokens is limited, which is tested elsewhere.
    web.site.tokens.tries = 10_000
    for visitor in people.values():
        visitor.get("/login")
    tried = 0
    for method, path in routes(web.app):
        address = filled(path, study, person)
        for who in REFUSED[kind_of(path)]:
            visitor = people[who]
            ask = visitor.client.request
            data = {"csrf": visitor.csrf} if method != "GET" else None
            answer = ask(method, address, data=data, follow_redirects=False)
            assert is_refused(answer), (method, path, who, answer.status_code)
            tried += 1
    assert tried > 150


def test_those_who_may_reach_every_page(web, everybody):
    study, person, people = everybody
    allowed = {"informant": "informant", "researcher": "member", "member": "member"}
    allowed |= {"admin": "admin", "public": "anonymous"}
    seen = 0
    for method, path in routes(web.app):
        who = allowed.get(kind_of(path))
        if method == "GET" and who and path not in ("/static", "/enter/{secret}"):
            answer = people[who].client.get(filled(path, study, person))
            # A place that does not exist in this study is no page for anybody.
            assert answer.status_code in (200, 204, 404), (path, answer.status_code)
            seen += answer.status_code == 200
    assert seen > 15


def test_every_change_needs_the_token_of_a_form(web, everybody):
    study, person, people = everybody
    for method, path in routes(web.app):
        if method == "POST" and not path.startswith("/api/"):
            for who in ("informant", "admin"):
                address = filled(path, study, person)
                answer = people[who].client.post(address, data={}, follow_redirects=False)
                assert answer.status_code == 403, (path, who, answer.status_code)


def test_a_form_that_another_site_sends_is_refused(web, everybody):
    visitor = everybody[2]["member"]
    visitor.get("/account")
    for headers in ({"sec-fetch-site": "cross-site"}, {"origin": "http://elsewhere.example"}):
        answer = visitor.post("/account/tokens", {"name": "x"}, headers=headers)
        assert answer.status_code == 403
    assert visitor.post("/account/tokens", {"name": "x"}).status_code == 200


def test_a_token_of_another_researcher_shows_nothing(web, everybody):
    study, person, _ = everybody
    with web.database.writing() as connection:
        stranger = add_researcher(connection, "Stranger", "a long password")
        token = make_token(connection, stranger, "test")
    client = web.visitor().client
    headers = {"Authorization": f"Bearer {token}"}
    for method, path in routes(web.app):
        if path.startswith("/api/v1/studies/{study_id}"):
            answer = client.request(method, filled(path, study, person), headers=headers, json={
                "name": "x"})  # fmt: skip
            assert answer.status_code in (404, 422), (method, path, answer.status_code)
            assert person.name not in answer.text


def test_every_answer_has_the_headers_that_keep_others_out(web, everybody):
    study, _, people = everybody
    for path in (
        "/",
        f"/s/{study}",
        "/studies",
        "/nothing",
        "/static/style.css",
        "/api/v1/studies",
    ):
        headers = people["admin"].client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"


def test_cookies_are_signed_and_out_of_reach_of_scripts(web, everybody):
    study, _, _ = everybody
    visitor = web.visitor()
    visitor.get(f"/s/{study}")
    joined = visitor.client.post(
        f"/s/{study}/join",
        data={"csrf": visitor.csrf, "name": "Wren", "consent": "yes"},
        follow_redirects=False,
    )
    cookie = joined.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=lax" in cookie and f"Path=/s/{study}" in cookie
    name, _, value = cookie.partition(";")[0].partition("=")
    forged = web.visitor()
    forged.client.cookies.set(name, value[:-2] + ("AA" if value[-2:] != "AA" else "BB"))
    assert forged.get(f"/s/{study}/1").status_code == 404


def test_wrong_codes_and_passwords_are_limited(web):
    visitor = web.visitor()
    visitor.get("/login")
    codes = [
        visitor.post("/login", {"name": "x", "password": str(n)}).status_code for n in range(12)
    ]
    assert codes[0] == 401 and codes[-1] == 429


def test_what_was_uploaded_is_escaped_everywhere(web, everybody):
    bad = '<script>alert("1")</script>'
    builder = CorpusBuilder(bad)
    text = (f"{bad} one two three.", "Four five six seven.", "Eight nine ten eleven.")
    topic = Topic(bad, bad, genre=bad, documents=(Document("d", units=text),))
    builder.add("topics", topic, Place("x"))
    builder.add("extracts", Extract(bad, bad, (0,)), Place("x"))
    study = web.study(corpus=builder.build(), name=bad, title=bad, welcome=bad, consent=bad)
    admin, heron = web.admin(), web.informant(study, f"{bad} too")
    heron.post(f"/s/{study}/1", {"version": "0", "unit": ["0"], "note": bad, "do": "submit"})
    pages = [heron.get(f"/s/{study}"), heron.get(f"/s/{study}/1")]
    with web.database.reading() as connection:
        person = people_of(connection, study)[0]
    for method, path in routes(web.app):
        if method == "GET" and path.startswith("/studies") and not path.endswith((".zip", ".csv")):
            pages.append(admin.get(filled(path, study, person)))
    assert len(pages) > 8
    for page in pages:
        assert "<script>alert" not in page.text, page.url
