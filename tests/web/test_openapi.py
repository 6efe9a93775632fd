"""Requests that the description of the API allows, and some that it does not: none is a fault."""

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    response_schema_conformance,
    status_code_conformance,
)

from summetry.web.app import create_app
from summetry.web.database import Database
from summetry.web.demo import demo_corpus
from summetry.web.store.accounts import add_researcher, make_token
from summetry.web.store.studies import make_study

CHECKS = [not_a_server_error, response_schema_conformance, status_code_conformance]


@pytest.fixture(scope="module")
def described(tmp_path_factory):
    """The description of the API, the headers of an administrator, and a study."""
    database = Database(tmp_path_factory.mktemp("api") / "summetry.db")
    app = create_app(database, "a secret of the tests, long enough")
    app.state.site.tokens.tries = 10**9
    with database.writing() as connection:
        researcher = add_researcher(connection, "Ada", "a long password", is_admin=True)
        headers = {"Authorization": f"Bearer {make_token(connection, researcher, 'test')}"}
    yield schemathesis.openapi.from_asgi("/api/v1/openapi.json", app), headers, database
    database.close()


def new_study(database):
    with database.writing() as connection:
        return make_study(connection, "Study", "extract", demo_corpus(), state="open")


def test_the_api_is_described(described):
    schema, _, _ = described
    paths = schema.raw_schema["paths"]
    assert "/api/v1/studies/{study_id}/references" in paths
    assert not [path for path in paths if not path.startswith("/api/v1/")]


OPERATIONS = [
    ("GET", "/api/v1/studies"),
    ("POST", "/api/v1/studies/import"),
    ("GET", "/api/v1/studies/{study_id}"),
    ("PATCH", "/api/v1/studies/{study_id}"),
    ("DELETE", "/api/v1/studies/{study_id}"),
    ("GET", "/api/v1/studies/{study_id}/records/{kind}"),
    ("GET", "/api/v1/studies/{study_id}/corpus.zip"),
    ("GET", "/api/v1/studies/{study_id}/agreement"),
    ("GET", "/api/v1/studies/{study_id}/references"),
    ("GET", "/api/v1/studies/{study_id}/people"),
    ("POST", "/api/v1/studies/{study_id}/people"),
    ("DELETE", "/api/v1/studies/{study_id}/people/{person_id}"),
    ("GET", "/api/v1/studies/{study_id}/coverage"),
    ("GET", "/api/v1/studies/{study_id}/log"),
]


def test_every_operation_is_tried(described):
    schema, _, _ = described
    known = {
        (method.upper(), path)
        for path, operations in schema.raw_schema["paths"].items()
        for method in operations
    }
    assert known == set(OPERATIONS)


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_no_request_is_a_fault(described, method, path):
    schema, headers, database = described
    study = new_study(database)

    tried = 0

    @settings(
        max_examples=10,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    def try_one(case):
        nonlocal tried
        if "study_id" in (case.path_parameters or {}) and tried % 4:
            # Most requests are for a study that there is.
            case.path_parameters["study_id"] = study
        tried += 1
        answer = case.call(headers=headers)
        case.validate_response(answer, checks=CHECKS)

    given(case=schema[path][method].as_strategy())(try_one)()
    assert tried >= 1
