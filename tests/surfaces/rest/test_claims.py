"""The claims over REST: all, narrowed, page by page, and one."""

from __future__ import annotations

import pytest

from app.validation.claims.ledger import ledger
from tests.surfaces.rest.conftest import assert_problem

ADDRESS = "/api/v1/claims"


def items(client, **parameters):
    answer = client.get(ADDRESS, params=parameters)
    assert answer.status_code == 200, answer.text
    return answer.json()["items"]


def test_all_claims_with_verdict_and_correction(asgi_client):
    content = asgi_client.get(ADDRESS, params={"limit": 500}).json()
    assert {item["id"] for item in content["items"]} == set(ledger().claims)
    assert content["next"] is None
    assert content["counts"] == {"wrong": 13, "imprecise": 39, "right": 61, "unverifiable": 14}
    for item in content["items"]:
        assert item["verdict"] == ledger().claims[item["id"]].verdict
        assert item["correction"]
        assert item["computed_verdict"] in (item["verdict"], None)
        assert (item["computed"] is None) == (not item["figures"])


def test_pages_hold_every_claim_once(asgi_client):
    whole, address = [], f"{ADDRESS}?limit=50"
    while address:
        answer = asgi_client.get(address)
        whole += [item["id"] for item in answer.json()["items"]]
        address = answer.links["next"]["url"] if "next" in answer.links else ""
    assert whole == [item["id"] for item in items(asgi_client, limit=500)]


@pytest.mark.parametrize("name", ["verdict", "article", "topic", "kind"])
def test_a_filter_keeps_what_it_names(asgi_client, name):
    word = items(asgi_client, limit=500)[3][name]
    expected = [key for key, claim in ledger().claims.items() if getattr(claim, name) == word]
    found = items(asgi_client, limit=500, **{name: word})
    assert sorted(item["id"] for item in found) == sorted(expected)


def test_one_claim_is_that_of_the_list(asgi_client):
    (item,) = [item for item in items(asgi_client, verdict="wrong") if item["id"] == "S2-37"]
    assert asgi_client.get(f"{ADDRESS}/S2-37").json() == item
    assert item["computed"]["value"] == pytest.approx(1620.37, rel=1e-5)
    assert item["computed"]["text"] == "1,620 GPU-days"
    first = item["figures"][0]
    assert first["theirs"] == "130 GPU-days"
    assert first["ratio"] == pytest.approx(12.464, rel=1e-3)
    assert (first["verdict"], first["decides"]) == ("wrong", True)


def test_links_lead_somewhere(asgi_client):
    links = asgi_client.get(f"{ADDRESS}/S2-12").json()["links"]
    assert {link["href"] for link in links} >= {"/claims/S2-12", "/catalog/systems/tpu_v5p_pod"}
    for link in links:
        assert asgi_client.get(link["href"], headers={"accept": "text/html"}).status_code == 200


def test_the_same_answer_is_not_sent_twice(asgi_client):
    tag = asgi_client.get(f"{ADDRESS}/S0-05").headers["etag"]
    assert asgi_client.get(f"{ADDRESS}/S0-05", headers={"if-none-match": tag}).status_code == 304


@pytest.mark.parametrize(
    ("parameters", "hint"),
    [
        ({"verdict": "true"}, "Known: wrong, imprecise, right, unverifiable."),
        ({"topics": "cost"}, "topic"),
        ({"q": "x" * 201}, "Shorten it."),
        ({"limit": "0"}, "from 1 to 500"),
        ({"after": "S9-01"}, "Take it from next"),
    ],
)
def test_a_bad_parameter_is_one_clear_message(asgi_client, parameters, hint):
    answer = asgi_client.get(ADDRESS, params=parameters)
    stated = "after" not in parameters
    content = assert_problem(answer, *((400, "invalid-parameter") if stated else (422, "beyond-schema")))
    assert len(content["errors"]) == 1
    assert hint in answer.text


def test_no_such_claim(asgi_client):
    content = assert_problem(asgi_client.get(f"{ADDRESS}/S2-99"), 404, "not-found")
    assert "Nearest: S2-" in content["detail"]
