"""Requests that the description of the API allows, and some that it does not: none is a fault."""

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    response_schema_conformance,
    status_code_conformance,
)
from web_content import corpus_of, topic_of

from summetry.web.store.accounts import make_token

CHECKS = [not_a_server_error, response_schema_conformance, status_code_conformance]
STUDY = "/studies/{study_id}"
OPERATIONS = [
    (method, f"/api/v1{path}")
    for path, methods in {
        "/studies": "GET", "/studies/import": "POST", STUDY: "GET PATCH DELETE",
        f"{STUDY}/records/{{kind}}": "GET", f"{STUDY}/corpus.zip": "GET",
        f"{STUDY}/agreement": "GET", f"{STUDY}/references": "GET",
        f"{STUDY}/people": "GET POST", f"{STUDY}/people/{{person_id}}": "DELETE",
        f"{STUDY}/coverage": "GET", f"{STUDY}/log": "GET",
    }.items()
    for method in methods.split()
]  # fmt: skip


@pytest.fixture(scope="module")
def headers(demo_web):
    demo_web.site.tokens.tries = 10**9
    token = demo_web.write(make_token, demo_web.account("Ada", is_admin=True), "test")
    return {"Authorization": f"Bearer {token}"}


@pytest.fixture(scope="module")
def schema(demo_web):
    return schemathesis.openapi.from_asgi("/api/v1/openapi.json", demo_web.app)


def test_every_operation_is_described_and_tried(schema):
    described = {
        (method.upper(), path)
        for path, operations in schema.raw_schema["paths"].items()
        for method in operations
    }
    assert described == set(OPERATIONS)


@pytest.mark.parametrize("method, path", OPERATIONS)
def test_no_request_is_a_fault(demo_web, headers, schema, method, path):
    corpus = corpus_of(topic_of("t", ("A ferry sank.", "Two died.")))
    study, tried = demo_web.study(corpus=corpus), 0

    @settings(max_examples=10, database=None, suppress_health_check=list(HealthCheck))
    def try_one(case):
        nonlocal tried
        if "study_id" in (case.path_parameters or {}) and tried % 4:
            # Most requests are for a study that there is.
            case.path_parameters["study_id"] = study
        tried += 1
        case.validate_response(case.call(headers=headers), checks=CHECKS)

    given(case=schema[path][method].as_strategy())(try_one)()
    assert tried >= 1
