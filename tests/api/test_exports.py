"""Files over HTTP: every format, names of files, revisions, and problems in the usual shape."""

from __future__ import annotations

import io

import pytest
from openpyxl import load_workbook

from app.exports.formats import FORMATS
from app.scenarios.imports import import_scenario
from tests.api.conftest import assert_problem

pytestmark = pytest.mark.slow

POSTED = "/api/v1/exports"


@pytest.fixture(scope="module")
def saved(asgi_client):
    """A saved scenario with two revisions."""
    document = asgi_client.get("/api/v1/examples/edge_node").json() | {"name": "Münster: =1+1 / edge"}
    made = asgi_client.post("/api/v1/scenarios?note=first", json=document)
    assert made.status_code == 201, made.text
    document["economics"]["utilisation"] = 0.5
    address = f"/api/v1/scenarios/{made.json()['id']}"
    changed = asgi_client.put(address, json=document, headers={"if-match": made.headers["etag"]})
    assert changed.status_code == 200, changed.text
    return address


@pytest.mark.parametrize("one", FORMATS, ids=lambda one: f"{one.name}-{one.what}")
def test_every_format_is_served_as_what_it_is(asgi_client, saved, scenario, one):
    for answer in (
        asgi_client.get(f"{saved}/export?format={one.name}&what={one.what}"),
        asgi_client.post(f"{POSTED}/{one.name}?what={one.what}", json=scenario),
    ):
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-type"] == one.media_type
        assert answer.headers["content-disposition"].startswith("attachment; ")
        assert answer.headers["etag"].startswith('"')
        if one.name != "csv":
            assert import_scenario(answer.content, f"file{one.suffix}").name


def test_the_file_is_called_as_the_scenario_is(asgi_client, saved):
    named = asgi_client.get(f"{saved}/export?format=xlsx").headers["content-disposition"]
    assert 'filename="Munster =1+1 edge.xlsx"' in named
    assert "filename*=UTF-8''M%C3%BCnster%20%3D1%2B1%20edge.xlsx" in named


def test_text_that_looks_like_a_formula_is_text(asgi_client, scenario):
    scenario["name"] = '=HYPERLINK("http://example.org")'
    book = load_workbook(io.BytesIO(asgi_client.post(f"{POSTED}/xlsx", json=scenario).content))
    assert book["Summary"]["A1"].value == scenario["name"]
    assert book["Summary"]["A1"].data_type == "s"
    table = asgi_client.post(f"{POSTED}/csv", json=scenario).text
    assert "name,Name of the scenario,\"'=HYPERLINK" in table


def test_a_revision_is_exported_as_it_was(asgi_client, saved):
    first, second, newest = (
        asgi_client.get(f"{saved}/export?format=json&what=evaluation{more}").json()
        for more in ("&revision=1", "&revision=2", "")
    )
    assert "utilisation" not in first["scenario"]["economics"]
    assert second["scenario"]["economics"]["utilisation"] == 0.5
    assert first["saved"] == first["saved"] | {"revision": 1, "note": "first"}
    assert second == newest
    assert first["cost"]["usd_per_run"] < second["cost"]["usd_per_run"]


@pytest.mark.slow
def test_one_revision_always_gives_the_same_bytes(asgi_client, saved):
    address = f"{saved}/export?format=xlsx&revision=1"
    one, other = asgi_client.get(address), asgi_client.get(address)
    assert one.content == other.content
    again = asgi_client.get(address, headers={"if-none-match": one.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == one.headers["etag"]


def test_an_export_posted_again_gives_the_same_figures(asgi_client, saved):
    today = asgi_client.get(f"{saved}/evaluation").json()
    text = asgi_client.get(f"{saved}/export?format=yaml").text
    again = asgi_client.post(
        "/api/v1/evaluations", content=text, headers={"content-type": "application/yaml"}
    )
    assert again.json() == today


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ("format=pdf", "format"),
        ("what=all", "what"),
        ("format=csv&what=scenario", "what"),
        ("revision=0", "revision"),
        ("revision=first", "revision"),
        ("colour=red", "colour"),
        ("format=csv&format=xlsx", "format"),
    ],
)
def test_a_parameter_that_cannot_be_used_is_named(asgi_client, saved, query, parameter):
    content = assert_problem(asgi_client.get(f"{saved}/export?{query}"), 400, "invalid-parameter")
    assert content["errors"][0]["parameter"] == parameter


def test_what_is_not_there_is_not_found(asgi_client, saved, scenario):
    assert "revision 9" in assert_problem(asgi_client.get(f"{saved}/export?revision=9"), 404)["detail"]
    assert_problem(asgi_client.get(f"/api/v1/scenarios/{'0' * 32}/export"), 404)
    assert "xlsx" in assert_problem(asgi_client.post(f"{POSTED}/xls", json=scenario), 404)["detail"]


def test_a_deleted_scenario_says_how_to_bring_it_back(asgi_client):
    document = asgi_client.get("/api/v1/examples/edge_node").json()
    made = asgi_client.post("/api/v1/scenarios", json=document)
    address = f"/api/v1/scenarios/{made.json()['id']}"
    asgi_client.delete(address, headers={"if-match": made.headers["etag"]})
    content = assert_problem(asgi_client.get(f"{address}/export"), 404)
    assert f"POST {address}/restore brings it back." in content["detail"]


def test_a_scenario_that_cannot_be_used_is_refused_in_any_format(asgi_client, scenario):
    scenario["workload"]["model"] = "llama_405b"
    content = assert_problem(asgi_client.post(f"{POSTED}/xlsx", json=scenario), 422, "invalid-scenario")
    assert content["errors"][0]["pointer"] == "#/workload/model"
