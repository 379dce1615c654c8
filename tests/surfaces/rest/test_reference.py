"""Schema, examples, the description of the API, its pages, and readiness."""

from __future__ import annotations

import jsonschema_rs
import pytest

from app import __version__
from app.catalog.glossary import glossary
from app.main import create_app
from app.scenarios.document.scenario import scenario_schema
from app.scenarios.examples import list_examples
from app.scenarios.load import parse_scenario
from app.settings import Settings
from app.surfaces.rest.problem_types import PROBLEM_TYPES
from tests.asgi import asgi_client_of
from tests.surfaces.rest.conftest import assert_problem


def test_the_schema_is_one_and_takes_every_example(asgi_client):
    answer = asgi_client.get("/api/v1/schemas/scenario")
    assert answer.headers["content-type"] == "application/schema+json"
    assert answer.json() == scenario_schema()
    validator = jsonschema_rs.Draft202012Validator(answer.json())
    for item in asgi_client.get("/api/v1/examples").json()["items"]:
        validator.validate(asgi_client.get(item["href"]).json())
    assert asgi_client.get(
        "/api/v1/schemas/scenario", headers={"if-none-match": answer.headers["etag"]}
    ).status_code == 304  # fmt: skip


def test_examples_are_those_that_ship(asgi_client):
    items = asgi_client.get("/api/v1/examples").json()["items"]
    assert [item["key"] for item in items] == [example.key for example in list_examples()]
    assert all(item["name"] and item["description"] for item in items)


def test_an_example_is_also_yaml(asgi_client):
    key = list_examples()[0].key
    answer = asgi_client.get(f"/api/v1/examples/{key}", headers={"accept": "application/yaml"})
    assert answer.headers["content-type"].startswith("application/yaml")
    assert answer.headers["vary"].lower().startswith("accept")
    as_json = asgi_client.get(f"/api/v1/examples/{key}")
    assert parse_scenario(answer.text).as_dict() == as_json.json()
    assert answer.headers["etag"] != as_json.headers["etag"]
    again = asgi_client.get(
        f"/api/v1/examples/{key}",
        headers={"accept": "application/yaml", "if-none-match": answer.headers["etag"]},
    )
    assert again.status_code == 304


def test_an_unknown_example_names_the_nearest(asgi_client):
    content = assert_problem(asgi_client.get("/api/v1/examples/edge_nod"), 404)
    assert "edge_node" in content["detail"]


@pytest.mark.parametrize("path", ["/api/", "/api/v1", "/api/v1/", "/api/v1/nothing", "/api/v2/x"])
def test_what_is_not_there_is_a_problem(asgi_client, path):
    assert_problem(asgi_client.get(path), 404, "not-found")


def test_a_wrong_method_is_a_problem_that_names_the_right_one(asgi_client):
    answer = asgi_client.get("/api/v1/evaluations")
    assert_problem(answer, 405, "method-not-allowed")
    assert answer.headers["allow"] == "POST"
    assert_problem(asgi_client.delete("/api/v1/catalog/accelerators"), 405)


@pytest.mark.parametrize(
    "path", ["/api/v1/examples?x=1", "/api/v1/catalog?x=1", "/api/v1/schemas/scenario?a=b"]
)
def test_an_unknown_parameter_is_a_problem_everywhere(asgi_client, path):
    assert_problem(asgi_client.get(path), 400, "invalid-parameter")


def test_a_request_keeps_the_id_that_it_brings(asgi_client):
    answer = asgi_client.get("/api/v1/nothing", headers={"x-request-id": "job-7.a_B"})
    assert assert_problem(answer, 404)["request_id"] == "job-7.a_B"
    for bad in ("a b", "x" * 65, "<b>"):
        answer = asgi_client.get("/api/v1/nothing", headers={"x-request-id": bad})
        assert assert_problem(answer, 404)["request_id"] != bad


def test_every_type_of_problem_leads_to_its_words(asgi_client):
    page = asgi_client.get("/docs/problems")
    assert page.status_code == 200
    for kind in PROBLEM_TYPES:
        assert f'id="{kind.slug}"' in page.text
        assert kind.title in page.text


def test_ready(asgi_client):
    answer = asgi_client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json() == {"status": "ready", "version": __version__}


def test_not_ready_is_a_problem_and_the_server_is_up_all_the_same(tmp_path):
    blocked = tmp_path / "file"
    blocked.touch()
    app = create_app(Settings(database_url=f"sqlite:///{blocked}/podwright.db"))
    with asgi_client_of(app) as client:
        answer = client.get("/readyz")
        assert answer.status_code == 503
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.headers["retry-after"]
        assert answer.json()["type"] == "/docs/problems#not-ready"
        assert str(tmp_path) not in answer.text
        assert client.get("/healthz").status_code == 200
        assert_problem(client.get("/api/v1/catalog"), 503, "not-ready")


def test_an_empty_database_is_not_ready(tmp_path):
    app = create_app(Settings(database_url=f"sqlite:///{tmp_path}/podwright.db"))
    with asgi_client_of(app) as client:
        assert client.get("/readyz").status_code == 503


def test_terms_are_those_of_the_glossary(asgi_client):
    answer = asgi_client.get("/api/v1/terms")
    items = answer.json()["items"]
    assert [item["key"] for item in items] == list(glossary())
    assert all(item["what"] and item["why"] and item["source"] and item["address"] for item in items)
    assert (
        asgi_client.get("/api/v1/terms", headers={"if-none-match": answer.headers["etag"]}).status_code == 304
    )
