"""People over REST: who asks, and what each may change."""

from __future__ import annotations

import itertools

import pytest

from app.teams.identify import SIGN_IN_COOKIE
from app.teams.notifying import of_teams
from app.teams.notifying.webhook import DeliveryError
from tests.people import email_of
from tests.surfaces.rest.conftest import assert_problem

_numbers = itertools.count()
HOOK = "https://hooks.example.org/pods"


@pytest.fixture
def key(people):
    key = f"api-lab-{next(_numbers)}"
    people.team(key, {"Olga": "owner", "Edna": "editor", "Vera": "viewer"})
    people.account("Mallory"), people.account("Root", admin=True)
    return key


def test_who_asks_is_told(people, key):
    token = people.token("Edna", ["read", "comment"], people.team(key))
    told = people.client(token).get(f"/api/v1/account?workspace={key}").json()
    assert told["account"]["name"] == "Edna"
    assert (told["by"], told["scopes"], told["workspace"]) == ("token", ["read", "comment"], key)
    assert told["workspaces"] == [{"key": key, "name": key.capitalize(), "kind": "team", "role": "editor"}]
    browser = people.client("Edna").get("/api/v1/account").json()
    assert (browser["by"], len(browser["scopes"])) == ("browser", 6)
    assert_problem(people.client().get("/api/v1/account"), 401)


def test_where_nobody_signs_in_the_machine_asks(asgi_client):
    told = asgi_client.get("/api/v1/account").json()
    assert (told["account"], told["by"], told["workspace"]) == (None, "local", "personal")
    assert asgi_client.get("/api/v1/tokens").json() == {"items": []}
    assert_problem(asgi_client.post("/api/v1/tokens", json={"name": "x"}), 403)
    assert_problem(asgi_client.post("/api/v1/teams", json={"key": "abc", "name": "x"}), 403)
    assert_problem(asgi_client.get("/api/v1/teams/abc"), 404)


def test_a_browser_s_cookie_needs_the_token_of_its_page(people, key):
    olga = people.account("Olga")
    browser = people.client()
    for method, path, body in (
        ("POST", "/api/v1/tokens", {"name": "x"}),
        ("POST", "/api/v1/teams", {"key": "xyz", "name": "x"}),
        ("PATCH", f"/api/v1/teams/{key}", {"name": "x"}),
        ("DELETE", f"/api/v1/teams/{key}", None),
        ("POST", f"/api/v1/teams/{key}/invitations", {"role": "viewer"}),
    ):
        for headers in (olga.headers, {**olga.headers, "x-csrf-token": people.account("Mallory").csrf}):
            assert_problem(browser.request(method, path, json=body, headers=headers), 403)
        foreign = {**olga.writing, "origin": "https://evil.example.org"}
        assert_problem(browser.request(method, path, json=body, headers=foreign), 403)
    assert people.client("Olga").get(f"/api/v1/teams/{key}").status_code == 200


def test_a_token_in_the_cookie_or_a_cookie_as_a_token_is_nobody(people, key):
    token, cookie = people.token("Olga"), people.account("Olga").headers["cookie"].partition("=")[2]
    assert_problem(
        people.client().get("/api/v1/account", headers={"cookie": f"{SIGN_IN_COOKIE}={token}"}), 401
    )
    assert_problem(people.client().get("/api/v1/account", headers={"authorization": f"Bearer {cookie}"}), 401)


@pytest.mark.parametrize(("who", "status"), [("Edna", 403), ("Vera", 403), ("Mallory", 404), (None, 401)])
def test_only_owners_look_after_a_team(people, key, who, status):
    client, vera = people.client(who), people.account("Vera").id
    for method, path, body in (
        ("PATCH", f"/api/v1/teams/{key}", {"name": "Mine"}),
        ("DELETE", f"/api/v1/teams/{key}", None),
        ("PATCH", f"/api/v1/teams/{key}/members/{vera}", {"role": "owner"}),
        ("GET", f"/api/v1/teams/{key}/invitations", None),
        ("POST", f"/api/v1/teams/{key}/invitations", {"role": "owner"}),
        ("GET", f"/api/v1/teams/{key}/webhook", None),
        ("PUT", f"/api/v1/teams/{key}/webhook", {"url": HOOK}),
        ("DELETE", f"/api/v1/teams/{key}/webhook", None),
        ("POST", f"/api/v1/teams/{key}/webhook/test", None),
        ("GET", f"/api/v1/audit?team={key}", None),
    ):
        assert_problem(client.request(method, path, json=body), status)
    edna = people.account("Edna").id
    if who != "Edna":
        assert_problem(client.delete(f"/api/v1/teams/{key}/members/{edna}"), status)


def test_an_owner_does_all_of_it(people, key):
    owner = people.client(people.token("Olga", ["read", "manage"]))
    vera, edna = people.account("Vera").id, people.account("Edna").id
    assert owner.patch(f"/api/v1/teams/{key}", json={"name": "Renamed"}).json()["name"] == "Renamed"
    members = owner.patch(f"/api/v1/teams/{key}/members/{vera}", json={"role": "editor"}).json()["items"]
    assert {member["account"]: member["role"] for member in members}[vera] == "editor"
    assert owner.delete(f"/api/v1/teams/{key}/members/{edna}").status_code == 204
    made = owner.post(
        f"/api/v1/teams/{key}/invitations", json={"role": "viewer", "email": email_of("Mallory")}
    )
    assert made.status_code == 201
    assert made.headers["cache-control"] == "private, no-store"
    listed = owner.get(f"/api/v1/teams/{key}/invitations").json()["items"]
    assert [one["email"] for one in listed] == [email_of("Mallory")]
    assert "link" not in listed[0]
    link = made.json()["link"].removeprefix("http://127.0.0.1")
    assert people.client("Mallory").post(f"{link}/accept", data={"button": "x"}).status_code == 303
    assert_problem(owner.delete(f"/api/v1/teams/{key}/invitations/{listed[0]['id']}"), 422)
    log = owner.get(f"/api/v1/audit?team={key}&area=member&limit=2").json()
    assert [entry["action"] for entry in log["items"]] == ["member.joined", "member.removed"]
    older = owner.get(f"/api/v1/audit?team={key}&area=member&before={log['next']}").json()
    assert [entry["action"] for entry in older["items"]] == ["member.role_changed"]
    assert owner.delete(f"/api/v1/teams/{key}").status_code == 204
    assert_problem(owner.get(f"/api/v1/teams/{key}"), 404)


@pytest.mark.parametrize("who", ["Olga", "Root"])
def test_the_webhook_of_a_team_is_set_tested_and_removed(people, key, who, monkeypatch):
    posted = []
    monkeypatch.setattr(of_teams, "post_webhook", lambda *sent, private_addresses: posted.append(sent))
    client, address = people.client(people.token(who, ["read", "manage"])), f"/api/v1/teams/{key}/webhook"
    assert_problem(client.get(address), 404)
    assert_problem(client.post(f"{address}/test"), 404)
    made = client.put(address, json={"url": f" {HOOK} "})
    assert made.status_code == 200, made.text
    assert made.headers["cache-control"] == "private, no-store"
    secret = made.json()["secret"]
    shown = client.get(address).json()
    assert shown == {"url": HOOK, "created_at": made.json()["created_at"]}
    assert client.post(f"{address}/test").json() == {"accepted": True, "error": ""}
    assert [(sent[0], sent[1], sent[3]["event"]) for sent in posted] == [(HOOK, secret, "tested")]
    assert client.put(address, json={"url": HOOK}).json()["secret"] != secret
    assert [client.delete(address).status_code for _ in range(2)] == [204, 204]
    assert_problem(client.get(address), 404)
    log = client.get(f"/api/v1/audit?team={key}&area=team").json()["items"]
    assert [entry["action"] for entry in log] == [
        "team.webhook_removed", "team.webhook_set", "team.webhook_set",
    ]  # fmt: skip
    assert secret not in str(log)


def test_a_test_of_a_webhook_that_is_not_accepted_says_why(people, key, monkeypatch):
    def refused(*_, **__):
        raise DeliveryError("The webhook answered 500.")

    monkeypatch.setattr(of_teams, "post_webhook", refused)
    client = people.client(people.token("Olga", ["read", "manage"]))
    client.put(f"/api/v1/teams/{key}/webhook", json={"url": HOOK})
    answer = client.post(f"/api/v1/teams/{key}/webhook/test")
    assert (answer.status_code, answer.json()) == (
        200, {"accepted": False, "error": "The webhook answered 500."},
    )  # fmt: skip


def test_a_token_without_manage_leaves_the_webhook_alone(people, key):
    client = people.client(people.token("Olga", ["read", "write"]))
    assert_problem(client.get(f"/api/v1/teams/{key}/webhook"), 403)
    assert_problem(client.put(f"/api/v1/teams/{key}/webhook", json={"url": HOOK}), 403)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({}, "invalid-input"),
        ({"url": 1}, "invalid-input"),
        ({"url": "https://x.org/" + "a" * 500}, "invalid-input"),
        ({"url": "http://hooks.example.org"}, "beyond-schema"),
        ({"url": "https://me:secret@hooks.example.org"}, "beyond-schema"),
        ({"url": ""}, "beyond-schema"),
    ],
)
def test_an_address_that_cannot_be_posted_to_is_refused(people, key, body, kind):
    client = people.client(people.token("Olga", ["read", "manage"]))
    problem = assert_problem(client.put(f"/api/v1/teams/{key}/webhook", json=body), 422)
    assert problem["type"].endswith(f"#{kind}")
    assert [error["path"] for error in problem["errors"]] == ["url"]
    assert_problem(client.get(f"/api/v1/teams/{key}/webhook"), 404)


def test_a_token_is_made_listed_and_revoked(people):
    people.account("Olga")
    browser = people.client("Olga")
    made = browser.post("/api/v1/tokens", json={"name": "Report", "scopes": ["write"], "days": 3})
    assert (made.status_code, made.json()["scopes"]) == (201, ["read", "write"])
    id, text = made.json()["id"], made.json()["token"]
    assert id in [one["id"] for one in browser.get("/api/v1/tokens").json()["items"]]
    assert text not in browser.get("/api/v1/tokens").text
    reading = people.client(text)
    assert_problem(reading.post("/api/v1/tokens", json={"name": "More"}), 403)
    assert_problem(people.client("Mallory").delete(f"/api/v1/tokens/{id}"), 404)
    assert reading.delete(f"/api/v1/tokens/{id}").status_code == 204
    assert_problem(reading.get("/api/v1/account"), 401)


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({}, "name"),
        ({"name": "x", "days": 0}, "days"),
        ({"name": "x", "scopes": ["fly"]}, "scopes[0]"),
        ({"name": "x", "workspace": "nowhere"}, "workspace"),
        ({"name": "x", "extra": 1}, "extra"),
    ],
)
def test_what_cannot_be_is_named_by_its_field(people, body, path):
    problem = assert_problem(people.client("Olga").post("/api/v1/tokens", json=body), 422)
    assert problem["type"].endswith("#beyond-schema" if path == "workspace" else "#invalid-input")
    assert [error["path"] for error in problem["errors"]] == [path]


def test_the_log_is_for_administrators_and_owners(people, key):
    root = people.client(people.token("Root", ["read", "manage"]))
    assert root.get("/api/v1/audit?limit=1").status_code == 200
    assert_problem(people.client(people.token("Root", ["read"])).get("/api/v1/audit"), 403)
    assert_problem(root.get("/api/v1/audit?area=everything"), 400)
    assert_problem(root.get("/api/v1/audit?before=0"), 400)
    assert_problem(root.get("/api/v1/audit?team=nowhere"), 404)
