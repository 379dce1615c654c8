"""Saving, reading, replacing, renaming, deleting, bringing back and duplicating, for each thing that is saved."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest

from app.scenarios.reading.yaml_text import read_yaml
from tests.surfaces.rest.conftest import assert_problem
from tests.surfaces.rest.saved.conftest import said

pytestmark = pytest.mark.slow


def test_what_is_saved_is_read_again(asgi_client, sample):
    before = datetime.now(UTC)
    answer = asgi_client.post(
        f"{sample.address}?note=First+one&tag=Blue&tag=2027&tag=blue", json=sample.document
    )
    content = said(answer, 201)
    assert answer.headers["location"] == f"{sample.address}/{content['id']}"
    assert re.fullmatch(r"[0-9a-f]{32}", content["id"])
    assert content["document"] == sample.document
    assert content["name"] == sample.document["name"]
    assert (content["revision"], content["version"]) == (1, 1)
    assert content["tags"] == ["2027", "blue"]
    assert content["note"] == "First one"
    assert content["deleted_at"] is content["forked_from"] is None
    assert before <= datetime.fromisoformat(content["created_at"]) <= datetime.now(UTC)
    assert content["created_at"].endswith("Z")
    again = asgi_client.get(answer.headers["location"])
    assert said(again) == content
    assert again.headers["etag"] == answer.headers["etag"] == f'"{content["id"]}-1"'


def test_its_links_lead_somewhere(asgi_client, kept):
    for name, address in kept.content["links"].items():
        if name != "page":
            assert asgi_client.get(address).status_code == 200, name


def test_it_is_read_and_saved_as_yaml(asgi_client, kept):
    answer = asgi_client.get(kept.path, headers={"accept": "application/yaml"})
    assert answer.headers["content-type"].startswith("application/yaml")
    assert read_yaml(answer.text).values == kept.sample.document
    assert answer.headers["etag"] != kept.etag
    assert "accept" in answer.headers["vary"].lower()
    headers = {"content-type": "application/yaml", "if-match": answer.headers["etag"]}
    text = answer.text.replace(kept.content["name"], "Said in YAML")
    assert said(asgi_client.put(kept.path, content=text, headers=headers))["name"] == "Said in YAML"


def test_a_save_makes_a_revision(asgi_client, kept):
    answer = asgi_client.put(
        f"{kept.path}?note=Dearer", json=kept.sample.other, headers={"if-match": kept.etag}
    )
    content = said(answer)
    assert (content["revision"], content["version"], content["note"]) == (2, 2, "Dearer")
    assert content["document"] == kept.sample.other
    assert content["created_at"] == kept.content["created_at"]
    assert content["updated_at"] > kept.content["updated_at"]
    assert answer.headers["etag"] == f'"{content["id"]}-2"'


def test_a_new_name_makes_a_revision_and_tags_make_none(asgi_client, kept):
    renamed = said(asgi_client.patch(kept.path, json={"name": "Renamed"}, headers={"if-match": kept.etag}))
    assert (renamed["name"], renamed["revision"], renamed["version"]) == ("Renamed", 2, 2)
    assert renamed["document"] == {**kept.sample.document, "name": "Renamed"}
    tagged = said(asgi_client.patch(kept.path, json={"tags": ["b", "A"]}, headers={"if-match": "*"}))
    assert (tagged["tags"], tagged["revision"], tagged["version"]) == (["a", "b"], 2, 3)
    untagged = said(asgi_client.patch(kept.path, json={"tags": []}, headers={"if-match": "*"}))
    assert untagged["tags"] == []


def test_what_is_deleted_is_gone_until_it_is_brought_back(asgi_client, kept):
    answer = asgi_client.delete(kept.path, headers={"if-match": kept.etag})
    assert (answer.status_code, answer.content) == (204, b"")
    for method, path, body in (
        ("GET", kept.path, None),
        ("PUT", kept.path, kept.sample.other),
        ("PATCH", kept.path, {"name": "X"}),
        ("DELETE", kept.path, None),
        ("POST", f"{kept.path}/duplicate", None),
        ("GET", f"{kept.path}/revisions", None),
        ("GET", f"{kept.path}/revisions/1", None),
        ("GET", f"{kept.path}/diff", None),
    ):
        gone = asgi_client.request(method, path, json=body, headers={"if-match": "*"})
        assert f"{kept.path}/restore" in assert_problem(gone, 404, "not-found")["detail"]
    back = asgi_client.post(f"{kept.path}/restore")
    content = said(back)
    assert content["document"] == kept.sample.document
    assert content["deleted_at"] is None
    assert content["version"] == 3
    assert asgi_client.get(kept.path).headers["etag"] == back.headers["etag"]
    assert said(asgi_client.post(f"{kept.path}/restore"))["version"] == 3


def test_a_duplicate_knows_where_it_comes_from(asgi_client, kept):
    first, second = (
        said(asgi_client.post(f"{kept.path}/duplicate{query}"), 201) for query in ("", "?name=Mine")
    )
    assert first["name"] == f"{kept.content['name']} (copy)"
    assert second["name"] == "Mine"
    for copy in (first, second):
        assert copy["id"] != kept.content["id"]
        assert copy["forked_from"] == kept.content["id"]
        assert copy["revision"] == 1
        assert {**copy["document"], "name": ""} == {**kept.sample.document, "name": ""}
        assert copy["summary"] == kept.content["summary"]
