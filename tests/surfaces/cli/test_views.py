"""Each view, asked over REST and on the command line: the same answer, and the same options."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.surfaces.rest.scenario_requests import EXAMPLE, small_scenario
from app.views.facility import room as facility
from app.views.view import View
from tests.asgi import AsgiClient
from tests.surfaces.cli.conftest import Run

VIEWS = facility.VIEWS
OF_EACH = pytest.mark.parametrize("view", VIEWS, ids=lambda view: f"{view.room} {view.name}")


@OF_EACH
def test_rest_and_the_command_line_answer_the_same(
    view: View[Any, Any], reading_client: AsgiClient, run: Run
) -> None:
    answer = reading_client.post(f"/api/v1/{view.room}/{view.name}", json={"scenario": small_scenario()})
    assert answer.status_code == 200, answer.text
    code, out, err = run(view.room, view.name, EXAMPLE, "--json")
    assert (code, err) == (0, "")
    assert json.loads(out) == answer.json()


@OF_EACH
def test_its_example_is_answered_and_an_unknown_option_is_named(
    view: View[Any, Any], reading_client: AsgiClient
) -> None:
    address = f"/api/v1/{view.room}/{view.name}"
    body = {"scenario": small_scenario(), **view.example}
    assert reading_client.post(address, json=body).status_code == 200
    refused = reading_client.post(address, json={**body, "no_such_option": 1})
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["pointer"] == "#/no_such_option"


@OF_EACH
def test_text_is_printed(view: View[Any, Any], run: Run) -> None:
    code, out, err = run(view.room, view.name, EXAMPLE)
    assert (code, err) == (0, "")
    assert len(out.splitlines()) > 3


@OF_EACH
def test_flags_are_of_its_options(view: View[Any, Any]) -> None:
    assert set(view.flags) <= set(view.options.model_fields)
    assert set(view.example) <= set(view.options.model_fields)
