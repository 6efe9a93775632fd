"""Requests that the API describes, and odd ones: every answer is a described one."""

from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from web_content import corpus_of, topic_of

from summetry.web.store.accounts import make_token

STUDY = "/studies/{study_id}"
OPERATIONS = [
    (method, f"/api/v1{path}")
    for path, methods in {
        "/studies": "GET", "/studies/import": "POST", STUDY: "GET PATCH DELETE",
        f"{STUDY}/records/{{kind}}": "GET", f"{STUDY}/corpus.zip": "GET",
        f"{STUDY}/agreement": "GET", f"{STUDY}/references": "GET",
        f"{STUDY}/people": "GET POST", f"{STUDY}/people/{{person_id}}": "DELETE",
        f"{STUDY}/progress": "GET", f"{STUDY}/tables/{{table}}": "GET",
    }.items()
    for method in methods.split()
]  # fmt: skip
ODD = ("", "\0", "x" * 300, "../é🛳️", "-1", "9" * 30, "draft", "3 sentences")


@pytest.fixture(scope="module")
def headers(demo_web):
    demo_web.site.tokens.tries = 10**9
    token = demo_web.write(make_token, demo_web.account("Ada", is_admin=True), "test")
    return {"Authorization": f"Bearer {token}"}


@pytest.fixture(scope="module")
def described(demo_web):
    return demo_web.visitor().client.get("/api/v1/openapi.json").json()["paths"]


def test_every_operation_is_described(described):
    listed = {(method.upper(), path) for path in described for method in described[path]}
    assert listed == set(OPERATIONS)


def new_study(web):
    return web.study(corpus=corpus_of(topic_of("t", ("A ferry sank.", "Two died."))))


@pytest.mark.parametrize("method, path", OPERATIONS)
def test_no_odd_request_is_a_fault(demo_web, headers, described, method, path):
    client, operation = demo_web.visitor().client, described[path][method.lower()]
    parameters = operation.get("parameters", ())
    queries = [one["name"] for one in parameters if one["in"] == "query"]
    for odd in ODD:
        study, part = new_study(demo_web), quote(odd, safe="") or "1"
        more = {
            "files": {"file": (odd or "a.txt", odd.encode())},
            "json": {"name": odd, "state": odd or None, "settings": {"shortest": odd}},
        }
        kind = "files" if "import" in path else "json"
        body = {kind: more[kind]} if "requestBody" in operation else {}
        address = path.format(study_id=study, kind=part, person_id=part, table=part)
        sent = {"params": dict.fromkeys(queries, odd), "headers": headers, **body}
        answer = client.request(method, address, **sent)
        assert str(answer.status_code) in operation["responses"], (address, answer.text)


@pytest.mark.slow
@pytest.mark.parametrize("method, path", OPERATIONS)
def test_no_generated_request_is_a_fault(demo_web, headers, method, path):
    # Its start takes seconds.
    import schemathesis
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi import checks

    checks = [
        not_a_server_error, checks.response_schema_conformance, checks.status_code_conformance
    ]  # fmt: skip
    schema = schemathesis.openapi.from_asgi("/api/v1/openapi.json", demo_web.app)
    study, tried = new_study(demo_web), 0

    @settings(max_examples=40, database=None, suppress_health_check=list(HealthCheck))
    def try_one(case):
        nonlocal tried
        if "study_id" in (case.path_parameters or {}) and tried % 4:
            # Most requests are for a study that there is.
            case.path_parameters["study_id"] = study
        tried += 1
        case.validate_response(case.call(headers=headers), checks=checks)

    given(case=schema[path][method].as_strategy())(try_one)()
    assert tried >= 1
