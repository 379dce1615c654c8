"""What cannot be saved is refused in one shape, and what was saved stays as it was."""

from __future__ import annotations

import pytest

from tests.surfaces.rest.conftest import assert_problem
from tests.surfaces.rest.saved.conftest import NOBODY, edge_node, samples

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("id", [NOBODY, "x", "A" * 32, "%01", "..", "a" * 3000])
def test_what_is_not_there_is_not_found(asgi_client, sample, id):
    there = f"{sample.address}/{id}"
    for method, path, body in (
        ("GET", there, None),
        ("PUT", there, sample.document),
        ("PATCH", there, {"name": "X"}),
        ("DELETE", there, None),
        ("POST", f"{there}/restore", None),
        ("POST", f"{there}/duplicate", None),
        ("GET", f"{there}/revisions", None),
        ("GET", f"{there}/revisions/1", None),
        ("GET", f"{there}/diff", None),
    ):
        answer = asgi_client.request(method, path, json=body, headers={"if-match": "*"})
        if id != "..":  # the client makes another address of it
            assert_problem(answer, 404, "not-found")
        assert answer.status_code in (404, 405)


def test_a_scenario_is_no_design_and_a_design_no_scenario(asgi_client, kept):
    id = kept.content["id"]
    elsewhere = "/api/v1/designs" if kept.sample.problem == "invalid-scenario" else "/api/v1/scenarios"
    assert_problem(asgi_client.get(f"{elsewhere}/{id}"), 404, "not-found")


def test_what_is_wrong_is_refused_and_nothing_is_saved(asgi_client, kept):
    sample = kept.sample
    before = asgi_client.get(f"{sample.address}?limit=500").json()
    for answer in (
        asgi_client.post(sample.address, json=sample.wrong),
        asgi_client.put(kept.path, json=sample.wrong, headers={"if-match": kept.etag}),
    ):
        content = assert_problem(answer, 422, sample.problem)
        assert content["errors"][0]["pointer"] == sample.fault
    assert asgi_client.get(f"{sample.address}?limit=500").json() == before


def test_a_fault_of_yaml_has_its_line(asgi_client):
    text = "name: X\nworkload: {kind: training}\nsupernode: {system: dgx_h100}\n"
    headers = {"content-type": "application/yaml"}
    content = assert_problem(asgi_client.post("/api/v1/scenarios", content=text, headers=headers), 422)
    assert content["errors"][0]["line"] == 2
    text = "name: X\npod:\n  supernodes: none\n"
    content = assert_problem(
        asgi_client.post("/api/v1/designs", content=text, headers=headers), 422, "invalid-design"
    )
    assert content["errors"][0]["line"] == 3


CHANGES = [
    ([], "#"),
    ("x", "#"),
    (5, "#"),
    ({}, "#"),
    ({"nam": "X"}, "#/nam"),
    ({"name": 3}, "#/name"),
    ({"name": ""}, "#/name"),
    ({"name": "x" * 201}, "#/name"),
    ({"name": "a\nb"}, "#/name"),
    ({"name": None}, "#/name"),
    ({"tags": "draft"}, "#/tags"),
    ({"tags": [3]}, "#/tags/0"),
    ({"tags": [" "]}, "#/tags/0"),
    ({"tags": ["ok", "x" * 41]}, "#/tags/1"),
    ({"tags": [f"t{number}" for number in range(21)]}, "#/tags"),
]


def test_a_change_that_cannot_be_is_refused(asgi_client, kept):
    for body, pointer in CHANGES:
        answer = asgi_client.patch(kept.path, json=body, headers={"if-match": kept.etag})
        content = assert_problem(answer, 422, kept.sample.problem)
        assert content["errors"][0]["pointer"] == pointer
    assert asgi_client.get(kept.path).headers["etag"] == kept.etag


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ("?note=" + "x" * 501, "note"),
        ("?tag=", "tag"),
        ("?tag=ok&tag=" + "x" * 41, "tag"),
        ("?nte=x", "nte"),
        ("?note=a&note=b", "note"),
        ("?tag=a%01b", "tag"),
    ],
)
def test_what_the_address_says_of_a_save_is_checked(asgi_client, sample, query, parameter):
    answer = asgi_client.post(f"{sample.address}{query}", json=sample.document)
    content = assert_problem(answer, 400, "invalid-parameter")
    assert content["errors"][0]["parameter"] == parameter


def test_a_duplicate_cannot_have_just_any_name(asgi_client, kept):
    for name in ("", "x" * 201, "a%0Ab", "%20x"):
        answer = asgi_client.post(f"{kept.path}/duplicate?name={name}")
        content = assert_problem(answer, 400, "invalid-parameter")
        assert content["errors"][0]["parameter"] == "name"


def test_bodies_are_read_with_the_same_care_as_elsewhere(asgi_client, kept):
    def put(content, kind="application/json"):
        headers = {"if-match": kept.etag, "content-type": kind}
        return asgi_client.put(kept.path, content=content, headers=headers)

    def post(content, kind="application/json"):
        return asgi_client.post(kept.sample.address, content=content, headers={"content-type": kind})

    for send in (put, post):
        assert_problem(send("{"), 400, "malformed-body")
        assert_problem(send(""), 400, "malformed-body")
        assert_problem(send('{"name": 1, "name": 2}'), 400, "malformed-body")
        assert_problem(send("[" * 100_000), 400, "malformed-body")
        assert_problem(send("name: ["), 400, "malformed-body")
        assert_problem(send("{}", "text/plain"), 415, "unsupported-media-type")
        assert_problem(send("x" * 1_000_001), 413, "body-too-large")
        assert_problem(send('{"name": 1e999}'), 422, kept.sample.problem)
    assert asgi_client.get(kept.path).headers["etag"] == kept.etag


def test_a_scenario_needs_a_name_to_be_saved(asgi_client):
    document = edge_node()
    del document["name"]
    assert asgi_client.post("/api/v1/evaluations", json=document).status_code == 200
    content = assert_problem(asgi_client.post("/api/v1/scenarios", json=document), 422, "invalid-scenario")
    assert content["errors"][0]["pointer"] == "#/name"


def test_pages_of_other_sites_change_nothing(asgi_client, kept):
    for headers in ({"origin": "http://elsewhere.example"}, {"sec-fetch-site": "cross-site"}):
        foreign = {**headers, "if-match": "*"}
        for method, path in (
            ("POST", kept.sample.address),
            ("PUT", kept.path),
            ("PATCH", kept.path),
            ("DELETE", kept.path),
            ("POST", f"{kept.path}/restore"),
            ("POST", f"{kept.path}/duplicate"),
        ):
            body = kept.sample.document if path == kept.sample.address or method == "PUT" else None
            answer = asgi_client.request(method, path, json=body, headers=foreign)
            assert_problem(answer, 403, "foreign-site")
        assert asgi_client.get(kept.path, headers=foreign).status_code == 200
    own = {"origin": "http://127.0.0.1", "sec-fetch-site": "same-origin", "if-match": kept.etag}
    assert asgi_client.delete(kept.path, headers=own).status_code == 204


@pytest.mark.parametrize("name", sorted(samples()))
def test_an_unknown_method_names_the_known_ones(asgi_client, name):
    answer = asgi_client.delete(samples()[name].address)
    assert_problem(answer, 405, "method-not-allowed")
    assert answer.headers["allow"]
