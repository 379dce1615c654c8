"""The bill over HTTP: an answer, files, and what cannot be used."""

from __future__ import annotations

import pytest

from app.surfaces.rest.bill import bill_schemas
from tests.scenarios.support import scenario
from tests.surfaces.rest.conftest import assert_problem

PATH = "/api/v1/fabric/bill"
POD = {"scenario": scenario(pod__supernodes=31)}


def test_the_bill_of_a_scenario(asgi_client) -> None:
    answer = asgi_client.post(PATH, json=POD)
    assert answer.status_code == 200
    found = answer.json()
    assert set(found) == set(bill_schemas()["FabricBill"]["properties"])
    assert [line["installed"] for line in found["lines"] if line["role"] == "switch"] == [8, 4]
    assert found["totals"]["price_usd"]["low"] < found["totals"]["price_usd"]["high"]


@pytest.mark.parametrize(("name", "begins"), [("csv", b"Network,Role,"), ("xlsx", b"PK\x03\x04")])
def test_the_bill_as_a_file(asgi_client, name: str, begins: bytes) -> None:
    answer = asgi_client.post(PATH, params={"format": name}, json=POD)
    assert answer.status_code == 200
    assert answer.content.startswith(begins)
    assert f'.bill.{name}"' in answer.headers["content-disposition"]


@pytest.mark.parametrize(
    ("options", "pointer"),
    [
        ({"lengths": "guessed"}, "#/lengths"),
        ({"patched_from_m": 0}, "#/patched_from_m"),
        ({"spares": 1}, "#/spares"),
    ],
)
def test_options_that_cannot_be_are_named(asgi_client, options: dict[str, object], pointer: str) -> None:
    problem = assert_problem(asgi_client.post(PATH, json=POD | options), 422)
    assert problem["errors"][0]["pointer"] == pointer


def test_an_unknown_format_is_refused(asgi_client) -> None:
    assert_problem(asgi_client.post(PATH, params={"format": "pdf"}, json=POD), 400)
