"""Who may see and do what: every route, as everybody who might try."""

import re
from urllib.parse import urlencode

import pytest
from web_content import FERRY, content_corpus

from summetry.errors import Place
from summetry.records.builder import CorpusBuilder
from summetry.records.summaries import Extract
from summetry.records.topics import Document, Topic
from summetry.reports.pictures.css import static_text
from summetry.web.pages import cookie_of
from summetry.web.store.accounts import make_token

PUBLIC = {
    "/", "/join", "/login", "/logout", "/enter/{secret}", "/language/{code}", "/try",
    "/s/{study_id}", "/s/{study_id}/join", "/s/{study_id}/as/{key}", "/api/v1/openapi.json",
    "/static",
}  # fmt: skip
ADMIN = ("/accounts", "/log")
ACCOUNT = ("/studies", "/studies/new", "/studies/new/upload", "/account", "/account/tokens")


def all_routes(app):
    """Every route with its methods, those of included routers too."""

    def walk(listed):
        for route in listed:
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


class Everybody:
    """Two studies, and visitors of each kind; the first study is the one that is asked for."""

    def __init__(self, web):
        self.web = web
        # Guessing tokens is limited, which is tested elsewhere.
        web.site.tokens.tries = 10_000
        extracts = tuple(Extract(FERRY, name, (0, n)) for n, name in enumerate(("Ann", "Bob"), 1))
        corpus = content_corpus(extracts=extracts)
        self.study, other = (web.study(corpus=corpus, name=name) for name in ("Mine", "Other"))
        heron = web.informant(self.study, "Heron")
        (self.person,) = web.people(self.study)
        self.key = heron.client.cookies[cookie_of(self.study)]
        self.visitors = {
            "anonymous": web.visitor(),
            "informant": heron,
            "other informant": web.informant(other, "Kestrel"),
            "other researcher": web.researcher("Grace", studies=[other]),
            "member": web.researcher("Ada", studies=[self.study]),
            "admin": web.admin(),
        }
        for visitor in self.visitors.values():
            visitor.get("/login")

    def routes(self, *methods):
        """The routes of these methods, each with an address that exists."""
        values = {"study_id": self.study, "key": self.key, "person_id": self.person.id}
        values |= {"place": 1, "number": 0, "secret": "none", "code": "sv", "member": 1}
        values |= {"kind": "topics", "table": "people", "id": 1}
        for method, path in all_routes(self.web.app):
            if not methods or method in methods:
                filled = re.sub(r"\{(\w+)(?::\w+)?\}", lambda name: str(values[name[1]]), path)
                yield method, path, filled


@pytest.fixture(scope="module")
def everybody(demo_web):
    return Everybody(demo_web)


# Whose requests are refused, for each kind of route. A refusal is a 404 (there is no such page
# for them), a 401 or 403, or the way to the login.
STRANGERS = ("anonymous", "informant", "other informant")
REFUSED = {
    "informant": ("anonymous", "other informant", "other researcher", "member", "admin"),
    "researcher": STRANGERS,
    "member": (*STRANGERS, "other researcher"),
    "admin": (*STRANGERS, "other researcher", "member"),
    "token": (*STRANGERS, "other researcher", "member", "admin"),
}


@pytest.mark.parametrize("kind, method, most", [
    ("informant", None, 4), ("researcher", None, 6), ("member", "GET", 20), ("member", "POST", 12),
    ("admin", None, 3), ("token", None, 13),
])  # fmt: skip
def test_nobody_reaches_what_is_not_theirs(everybody, kind, method, most):
    methods = [method] if method else []
    routes = [route for route in everybody.routes(*methods) if kind_of(route[1]) == kind]
    assert len(routes) >= most
    for method, path, address in routes:
        for name in REFUSED[kind]:
            visitor = everybody.visitors[name]
            data = {"csrf": visitor.csrf} if method != "GET" else None
            answer = visitor.client.request(method, address, data=data, follow_redirects=False)
            to_login = answer.status_code == 303 and answer.headers["location"] == "/login"
            refused = answer.status_code in (401, 403, 404) or to_login
            assert refused, (method, path, name, answer.status_code)


def test_those_who_may_reach_every_page(everybody):
    allowed = {"informant": "informant", "researcher": "member", "member": "member"}
    allowed |= {"admin": "admin", "public": "anonymous"}
    shown = 0
    for _, path, address in everybody.routes("GET"):
        name = allowed.get(kind_of(path))
        if name and path not in ("/static", "/enter/{secret}"):
            answer = everybody.visitors[name].client.get(address)
            # A place that does not exist in this study is no page for anybody.
            assert answer.status_code in (200, 204, 404), (path, answer.status_code)
            shown += answer.status_code == 200
    assert shown > 15


def test_every_change_needs_the_token_of_a_form(everybody):
    for _, path, address in everybody.routes("POST"):
        if not path.startswith("/api/"):
            for name in ("informant", "admin"):
                client = everybody.visitors[name].client
                answer = client.post(address, data={}, follow_redirects=False)
                assert answer.status_code == 403, (path, name, answer.status_code)


def test_a_form_that_another_site_sends_is_refused(everybody):
    visitor = everybody.visitors["member"]
    visitor.get("/account")
    for headers in ({"sec-fetch-site": "cross-site"}, {"origin": "http://elsewhere.example"}):
        answer = visitor.post("/account/tokens", {"name": "x"}, headers=headers)
        assert answer.status_code == 403
    assert visitor.post("/account/tokens", {"name": "x"}).status_code == 200


def test_a_token_of_another_researcher_shows_nothing(everybody):
    stranger = everybody.web.account("Stranger")
    token = everybody.web.write(make_token, stranger, "test")
    client, headers = everybody.web.visitor().client, {"Authorization": f"Bearer {token}"}
    for method, path, address in everybody.routes():
        if path.startswith("/api/v1/studies/{study_id}"):
            answer = client.request(method, address, headers=headers, json={"name": "x"})
            assert answer.status_code in (404, 422), (method, path, answer.status_code)
            assert everybody.person.name not in answer.text


def test_every_answer_has_the_headers_that_keep_others_out(everybody):
    client = everybody.visitors["admin"].client
    paths = f"/ /s/{everybody.study} /studies /nothing /static/style.css /api/v1/studies"
    for path in paths.split():
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
    # The stylesheets of reports are served too.
    assert client.get("/static/style.css").text == static_text("style.css")
    assert client.get("/static/lit.css").status_code == 200


def test_cookies_cannot_be_made_up_and_are_out_of_reach_of_scripts(everybody):
    study, visitor = everybody.study, everybody.web.visitor()
    visitor.get(f"/s/{study}")
    data = {"name": "Wren", "consent": "yes"}
    joined = visitor.post(f"/s/{study}/join", data, follow_redirects=False)
    cookie = joined.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=lax" in cookie and f"Path=/s/{study}" in cookie
    name, _, value = cookie.partition(";")[0].partition("=")
    forged = everybody.web.visitor()
    forged.client.cookies.set(name, value[:-2] + ("AA" if value[-2:] != "AA" else "BB"))
    assert forged.get(f"/s/{study}/1").status_code == 404


def test_what_was_uploaded_is_escaped_everywhere(everybody):
    web, bad = everybody.web, '<script>alert("1")</script>'
    builder = CorpusBuilder(bad)
    text = (f"{bad} one two three.", "Four five six seven.", "Eight nine ten eleven.")
    topic = Topic(bad, bad, genre=bad, documents=(Document("d", units=text),))
    builder.add("topics", topic, Place("x"))
    builder.add("extracts", Extract(bad, bad, (0,)), Place("x"))
    study = web.study(corpus=builder.build(), name=bad, title=bad, welcome=bad, consent=bad)
    heron = web.informant(study, f"{bad} too")
    heron.send(study, unit=["0"], note=bad, do="submit")
    pages = [heron.get(f"/s/{study}"), heron.get(f"/s/{study}/1")]
    for _, path, address in everybody.routes("GET"):
        if path.startswith("/studies") and not path.endswith((".zip", ".csv")):
            address = address.replace(everybody.study, study)
            address = address.replace(everybody.key, heron.client.cookies[cookie_of(study)])
            pages.append(everybody.visitors["admin"].get(address))
    admin, query = everybody.visitors["admin"], urlencode({"": bad})[1:]
    for path in (f"?genre={query}&group={query}", f"/informants?without={query}"):
        pages.append(admin.get(f"/studies/{study}{path}"))
    assert len(pages) > 8
    for page in pages:
        assert "<script>alert" not in page.text, page.url
