"""Shares over REST: teams, links, what guests and other teams find, copies in other workspaces, templates, the trash."""

from __future__ import annotations

import pytest

from tests.surfaces.rest.saved.conftest import NOBODY, edge_node

NODE = {"name": "Node", "supernode": {"system": "dgx_h100", "override": {"max_power_w": 9000}}}
PROJECTION = {"name": "Compute", "flops": 5.76e23}
ANY = {"if-match": "*"}


@pytest.fixture(scope="module")
def teams(people):
    people.team("alpha", {"Ada": "owner", "Ed": "editor", "Vi": "viewer"})
    people.team("beta", {"Bob": "editor", "Bo": "viewer"})


@pytest.fixture(scope="module")
def ada(people, teams):
    return people.client("Ada")


@pytest.fixture(scope="module")
def bob(people, teams):
    return people.client("Bob")


def created(client, document, address="/api/v1/designs", workspace="alpha"):
    answer = client.post(f"{address}?workspace={workspace}", json=document)
    assert answer.status_code == 201, answer.text
    return f"{address}/{answer.json()['id']}"


@pytest.mark.parametrize(
    ("address", "document"),
    [
        ("/api/v1/scenarios", edge_node()),
        ("/api/v1/designs", NODE),
        ("/api/v1/saved-projections", PROJECTION),
    ],
    ids=["scenario", "design", "projection"],
)
def test_everything_that_is_saved_can_be_shared(people, ada, bob, address, document):
    item = created(ada, document, address)
    assert bob.get(item).status_code == 404
    share = ada.put(f"{item}/shares/beta", json={"role": "viewer"})
    assert (share.status_code, share.json()["workspace"], share.json()["created_by"]) == (200, "beta", "Ada")
    assert bob.get(item).status_code == 200
    assert item.endswith(bob.get(f"{address}?shared=true").json()["items"][0]["id"])
    assert bob.request("DELETE", item, headers=ANY).status_code == 403
    assert bob.request("PATCH", item, json={"name": "Mine"}, headers=ANY).status_code == 403
    assert ada.put(f"{item}/shares/beta", json={"role": "editor"}).status_code == 200
    assert bob.request("PATCH", item, json={"name": "Better"}, headers=ANY).status_code == 200
    assert bob.put(f"{item}/shares/beta", json={"role": "viewer"}).status_code == 403
    assert [each["role"] for each in ada.get(f"{item}/shares").json()["items"]] == ["editor"]
    assert ada.delete(f"{item}/shares/beta").status_code == 204
    assert bob.get(item).status_code == 404

    link = ada.post(f"{item}/links", json={"label": "Vendor"}).json()
    guest = people.client(link["token"])
    assert guest.get(item).json()["name"] == "Better"
    assert guest.get(f"{item}/links").status_code == 403
    assert [each["id"] for each in guest.get(f"{address}?shared=true").json()["items"]] == [
        item.split("/")[-1]
    ]
    assert guest.get(address).status_code == 404  # it has no workspace to list
    assert ada.delete(f"{item}/links/{link['id']}").status_code == 204
    assert people.client(link["token"]).get(item).status_code == 401
    assert ada.get(f"{item}/links").json()["items"][0]["state"] == "revoked"


def test_a_link_to_a_revision_shows_nothing_else(people, ada):
    item = created(ada, edge_node(), "/api/v1/scenarios")
    link = ada.post(f"{item}/links", json={"revision": 1})
    assert link.status_code == 201
    assert link.headers["location"].endswith(link.json()["id"])
    ada.request("PATCH", item, json={"name": "Confidential"}, headers=ANY)
    guest = people.client(link.json()["token"])
    for there in ("/revisions/1", "/revisions/1/evaluation", "/revisions/1/moved"):
        assert guest.get(item + there).status_code == 200, there
    for hidden in ("", "/revisions", "/revisions/2", "/evaluation", "/diff", "/export", "/links", "/shares"):
        assert guest.get(item + hidden).status_code == 404, hidden
    listed = guest.get("/api/v1/scenarios?shared=true")
    assert [(each["name"], each["revision"]) for each in listed.json()["items"]] == [(edge_node()["name"], 1)]
    assert "Confidential" not in listed.text
    assert guest.get("/api/v1/scenarios?shared=true&q=confidential").json()["items"] == []


def test_a_link_can_be_given_more_time(ada):
    item = created(ada, NODE)
    link = ada.post(f"{item}/links", json={"expires_at": "2098-01-01T00:00:00Z"}).json()
    assert link["expires_at"] == "2098-01-01T00:00:00Z"
    changed = ada.request("PATCH", f"{item}/links/{link['id']}", json={"expires_at": None}).json()
    assert (changed["expires_at"], changed["token"]) == (None, link["token"])


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "words"),
    [
        ("PUT", "/shares/nowhere", {"role": "viewer"}, 422, "There is no team"),
        ("PUT", "/shares/alpha", {"role": "viewer"}, 422, "It belongs to"),
        ("PUT", "/shares/beta", {"role": "owner"}, 422, "role"),
        ("PUT", "/shares/beta", {}, 422, "role"),
        ("PUT", "/shares/beta", {"role": "viewer", "rule": 1}, 422, "rule"),
        ("DELETE", "/shares/beta", None, 404, "not shared with a team"),
        ("POST", "/links", {"expires_at": "2001-01-01T00:00:00Z"}, 422, "has passed"),
        ("POST", "/links", {"expires_at": "2098-01-01T00:00:00"}, 422, "time zone"),
        ("POST", "/links", {"expires_at": "soon"}, 422, "is not a time"),
        ("POST", "/links", {"revision": 9}, 422, "There is no revision 9"),
        ("POST", "/links", {"revision": 1, "role": "editor"}, 422, "look at only"),
        ("POST", "/links", {"label": "x" * 201}, 422, "label"),
        ("PATCH", f"/links/{NOBODY}", {"expires_at": None}, 404, "no link"),
        ("PATCH", f"/links/{NOBODY}", {}, 422, "expires_at"),
        ("DELETE", f"/links/{NOBODY}", None, 404, "no link"),
    ],
)
def test_what_cannot_be_shared_so_says_why(ada, method, path, body, status, words):
    item = created(ada, NODE)
    answer = (
        ada.request(method, item + path, json=body) if body is not None else ada.request(method, item + path)
    )
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert words in answer.text


def test_sharing_over_a_token_needs_its_scope(people, ada):
    item = created(ada, NODE)
    writing = people.client(people.token("Ada", ("read", "write")))
    refused = writing.post(f"{item}/links", json={})
    assert (refused.status_code, "scopes" in refused.text) == (403, True)
    assert (
        people.client(people.token("Ada", ("read", "share"))).post(f"{item}/links", json={}).status_code
        == 201
    )


def test_shared_does_not_go_with_filters_of_ones_own(bob):
    answer = bob.get("/api/v1/scenarios?shared=true&deleted=true")
    assert (answer.status_code, "does not go with" in answer.text) == (422, True)


def test_a_copy_in_another_workspace_has_the_designs_written_out(ada, bob):
    node = created(ada, NODE)
    named = {**edge_node(), "supernode": {"design": node.split("/")[-1]}}
    item = created(ada, named, "/api/v1/scenarios")
    ada.put(f"{item}/shares/beta", json={"role": "viewer"})
    figures = bob.get(f"{item}/evaluation")  # the design is seen in it, not by itself
    assert (figures.status_code, bob.get(node).status_code) == (200, 404)
    copy = bob.post(f"{item}/duplicate?workspace=beta&name=Ours").json()
    assert copy["document"]["supernode"] == NODE["supernode"]
    assert copy["note"] == "Copy of revision 1; designs of the other workspace are written out"
    assert (copy["name"], copy["forked_from"]) == ("Ours", item.split("/")[-1])
    again = bob.get(f"/api/v1/scenarios/{copy['id']}/evaluation").json()
    assert again["power"] == figures.json()["power"]
    assert bob.post(f"{item}/duplicate?workspace=alpha").status_code == 404
    own = {**edge_node(), "supernode": {"design": node.split("/")[-1]}}
    assert "There is no saved" in bob.post("/api/v1/scenarios?workspace=beta", json=own).text


def test_templates_are_marked_and_listed(ada, people):
    item = created(ada, edge_node(), "/api/v1/scenarios")
    marked = ada.request("PATCH", item, json={"template": True}, headers=ANY).json()
    assert (marked["template"], marked["revision"]) == (True, 1)
    listed = ada.get("/api/v1/scenarios?workspace=alpha&template=true").json()["items"]
    assert [each["id"] for each in listed] == [marked["id"]]
    wrong = ada.request("PATCH", item, json={"template": "yes"}, headers=ANY)
    assert (wrong.status_code, "true or false" in wrong.text) == (422, True)
    assert (
        people.client("Vi").request("PATCH", item, json={"template": False}, headers=ANY).status_code == 403
    )


def test_only_owners_delete_for_good(ada, people):
    node = created(ada, NODE)
    item = created(ada, {**edge_node(), "supernode": {"design": node.split("/")[-1]}}, "/api/v1/scenarios")
    assert ada.post(f"{node}/erase").status_code == 422  # it is not deleted
    for address in (node, item):
        assert ada.request("DELETE", address, headers=ANY).status_code == 204
    assert people.client("Ed").post(f"{node}/erase").status_code == 403
    in_use = ada.post(f"{node}/erase")
    assert (in_use.status_code, "is used by" in in_use.text) == (422, True)
    assert ada.post(f"{item}/erase").status_code == 204
    assert ada.post(f"{node}/erase").status_code == 204
    assert ada.get(node).status_code == 404
    assert ada.post(f"{node}/restore").status_code == 404
