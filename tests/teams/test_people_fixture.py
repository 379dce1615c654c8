"""The people that tests are made with: known by cookie and by token, each with their role."""

from __future__ import annotations

from app.scenarios.examples import example
from tests.people import People, email_of


def test_whoever_is_made_is_known_and_has_their_role(people: People) -> None:
    team = people.team("lab", {"Ada Lovelace": "editor", "Vera": "viewer"})
    scenario = example("edge_node").read().as_dict()
    ada, vera = people.client("Ada Lovelace"), people.client("Vera")
    assert email_of("Ada Lovelace") == "ada.lovelace@example.org"
    assert ada.get("/api/v1/scenarios?workspace=lab").status_code == 200
    made = ada.post("/api/v1/scenarios?workspace=lab", json=scenario)
    assert made.status_code == 201, made.text
    assert vera.post("/api/v1/scenarios?workspace=lab", json=scenario).status_code == 403
    assert vera.get(f"/api/v1/scenarios/{made.json()['id']}").status_code == 200
    assert people.client("No one Else").get(f"/api/v1/scenarios/{made.json()['id']}").status_code == 404
    assert people.client().get("/api/v1/scenarios").status_code == 401
    token = people.token("Ada Lovelace", ["read"], team)
    reading = people.client(token)
    assert reading.get("/api/v1/scenarios?workspace=lab").status_code == 200
    assert reading.post("/api/v1/scenarios?workspace=lab", json=scenario).status_code == 403
