"""Comments over HTTP: who may write, change and resolve them, and what is refused."""

from __future__ import annotations

import pytest

from tests.surfaces.rest.conftest import assert_problem
from tests.surfaces.rest.saved.conftest import NOBODY, SCENARIOS, edge_node, said

BODY = {"body": "Is ten per cent what finance uses?"}


@pytest.fixture
def path(scenario):
    return f"{scenario.path}/comments"


def test_each_kind_of_saved_work_can_be_commented(asgi_client, kept):
    path = f"{kept.path}/comments"
    made = said(asgi_client.post(path, json=BODY), 201)
    assert made["body"] == BODY["body"]
    assert made["anchor"] == {"kind": "whole", "path": ""}
    assert made["author"] == "You"
    assert made["may_edit"]
    assert [item["id"] for item in said(asgi_client.get(path))["items"]] == [made["id"]]


def test_a_thread_has_answers_of_one_level(asgi_client, path):
    first = said(
        asgi_client.post(path, json={**BODY, "anchor": {"kind": "field", "path": "economics.wacc"}}), 201
    )
    answer = said(asgi_client.post(path, json={"body": "It is.", "thread": first["id"]}), 201)
    assert answer["anchor"] == first["anchor"]
    assert_problem(
        asgi_client.post(path, json={"body": "Sure?", "thread": answer["id"]}), 422, "invalid-comment"
    )
    assert_problem(asgi_client.post(path, json={"body": "Sure?", "thread": NOBODY}), 404)
    (thread,) = said(asgi_client.get(f"{path}?anchor=field:economics.wacc"))["items"]
    assert [one["body"] for one in thread["replies"]] == ["It is."]
    assert said(asgi_client.get(f"{path}?anchor=whole"))["items"] == []


def test_it_is_about_what_is_there(asgi_client, path):
    for anchor in (
        {"kind": "field", "path": "pod.fabric.switch"},
        {"kind": "result", "path": "cost.tco_usd"},
    ):
        said(asgi_client.post(path, json={**BODY, "anchor": anchor}), 201)
    for anchor in (
        {"kind": "field", "path": "pod.fabric.swich"},
        {"kind": "field", "path": ""},
        {"kind": "result", "path": "cost.tco"},
        {"kind": "result", "path": "cost.tco_usd]"},
        {"kind": "whole", "path": "cost.tco_usd"},
    ):
        problem = assert_problem(
            asgi_client.post(path, json={**BODY, "anchor": anchor}), 422, "invalid-comment"
        )
        assert problem["errors"][0]["path"] == "anchor.path", anchor


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"body": ""},
        {"body": "  \n "},
        {"body": "x" * 4001},
        {"body": "a\u0001b"},
        {"body": 7},
        {"text": "x"},
    ],
    ids=repr,
)
def test_what_is_no_comment_is_refused(asgi_client, path, body):
    problem = assert_problem(asgi_client.post(path, json=body), 422, "invalid-comment")
    assert problem["errors"][0]["message"]
    assert said(asgi_client.get(path))["items"] == []


def test_resolving_and_reopening(asgi_client, path):
    first = said(asgi_client.post(path, json=BODY), 201)
    for _ in range(2):  # a second time changes nothing
        done = said(asgi_client.post(f"{path}/{first['id']}/resolve"))
        assert (done["resolved_by"], done["resolved_at"] is None) == ("You", False)
    assert said(asgi_client.get(f"{path}?resolved=false"))["items"] == []
    assert len(said(asgi_client.get(f"{path}?resolved=true"))["items"]) == 1
    assert said(asgi_client.post(f"{path}/{first['id']}/reopen"))["resolved_at"] is None
    answer = said(asgi_client.post(path, json={"body": "Yes.", "thread": first["id"]}), 201)
    assert_problem(asgi_client.post(f"{path}/{answer['id']}/resolve"), 422)


def test_editing_and_deleting(asgi_client, path):
    first = said(asgi_client.post(path, json=BODY), 201)
    said(asgi_client.post(path, json={"body": "Yes.", "thread": first["id"]}), 201)
    edited = said(asgi_client.patch(f"{path}/{first['id']}", json={"body": "Is it 9 %?"}))
    assert (edited["body"], edited["edited_at"] is None) == ("Is it 9 %?", False)
    assert asgi_client.delete(f"{path}/{first['id']}").status_code == 204
    assert_problem(asgi_client.delete(f"{path}/{first['id']}"), 404)
    (thread,) = said(asgi_client.get(path))["items"]
    assert (thread["deleted"], thread["body"], thread["author"]) == (True, "", "")
    assert thread["replies"][0]["body"] == "Yes."
    asgi_client.delete(f"{path}/{thread['replies'][0]['id']}")
    assert said(asgi_client.get(path))["items"] == []  # nothing is left of it


def test_a_key_makes_one_comment(asgi_client, path):
    headers = {"idempotency-key": "a"}
    first = asgi_client.post(path, json=BODY, headers=headers)
    again = asgi_client.post(path, json=BODY, headers=headers)
    assert said(first, 201)["id"] == said(again, 201)["id"]
    assert again.headers["idempotency-replayed"] == "true"
    other = asgi_client.post(path, json={"body": "Another"}, headers=headers)
    assert_problem(other, 422, "key-reused")
    assert len(said(asgi_client.get(path))["items"]) == 1


def test_pages(asgi_client, path):
    for number in range(5):
        asgi_client.post(path, json={"body": f"{number}"})
    bodies, address = [], f"{path}?limit=2"
    while address:
        page = said(asgi_client.get(address))
        bodies += [item["body"] for item in page["items"]]
        address = page["next"] and f"{path}?limit=2&after={page['next']}"
    assert bodies == ["0", "1", "2", "3", "4"]
    assert_problem(asgi_client.get(f"{path}?after=nonsense"), 422, "beyond-schema")
    for query in ("resolved=maybe", "anchor=field", "revision=0", "limit=0"):
        assert_problem(asgi_client.get(f"{path}?{query}"), 400, "invalid-parameter")


def test_comments_of_an_old_revision(asgi_client, scenario, path):
    said(asgi_client.post(path, json={"body": "On the first"}), 201)
    document = edge_node() | {"description": "Another"}
    said(asgi_client.put(scenario.path, json=document, headers={"if-match": "*"}))
    said(asgi_client.post(path, json={"body": "On the second"}), 201)
    then = said(asgi_client.get(f"{path}?revision=1"))["items"]
    assert [(one["body"], one["may_edit"]) for one in then] == [("On the first", False)]


def test_what_is_not_there(asgi_client):
    path = f"{SCENARIOS}/{NOBODY}/comments"
    assert_problem(asgi_client.get(path), 404)
    assert_problem(asgi_client.post(path, json=BODY), 404)
