"""Ranges typed into boxes: what they become, how they are shown again, and what ends them."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest

from app.scenarios.load import build_scenario
from app.surfaces.pages.studio.changes import change_words, changed_paths
from app.surfaces.pages.studio.fields import fields_by_path
from app.surfaces.pages.studio.form import field_text, filled_in, set_text, stated_values
from app.surfaces.pages.studio.numbers import Scale, range_box_text, range_of_box, scale_of
from app.surfaces.pages.studio.state import decode_state, encode_state
from tests.asgi import AsgiClient
from tests.scenarios.support import document, scenario

WACC = "economics.wacc"
PERCENT = Scale(0.01, "%")


def typed(values: dict[str, Any], path: str, text: str) -> dict[str, Any]:
    field = fields_by_path()[path]
    return set_text(values, field, text, scale_of(field, None))


@pytest.mark.parametrize(
    ("text", "scale", "found"),
    [
        ("8 to 12", PERCENT, {"low": 0.08, "high": 0.12}),
        ("8 \u2013 12", PERCENT, {"low": 0.08, "high": 0.12}),
        ("8 TO 12", PERCENT, {"low": 0.08, "high": 0.12}),
        ("60 To 90", Scale(1e6, "MW"), {"low": 60e6, "high": 90e6}),
        ("8 to 10 to 14 pert", PERCENT, {"low": 0.08, "typical": 0.1, "high": 0.14, "distribution": "pert"}),
        ("10T to 20T", Scale(1e9, "G"), {"low": 10e12, "high": 20e12}),
        ("1,000 to 2,500", Scale(1.0, ""), {"low": 1000.0, "high": 2500.0}),
        ("-1 to 3 Normal", PERCENT, {"low": -0.01, "high": 0.03, "distribution": "normal"}),
        ("8-12", PERCENT, None),
        ("8 to", PERCENT, None),
        ("1 to 2 to 3 to 4", PERCENT, None),
        ("12", PERCENT, None),
    ],
)
def test_what_is_typed(text: str, scale: Scale, found: dict[str, Any] | None) -> None:
    assert range_of_box(text, scale) == found
    if found:
        assert range_of_box(range_box_text(found, scale), scale) == found


def test_a_range_is_kept_beside_its_point_and_shown_again() -> None:
    values = typed(scenario(), WACC, "8 to 12")
    assert values["economics"]["wacc"] == pytest.approx(0.0979796, rel=1e-6)
    assert values["uncertainty"]["inputs"] == {WACC: {"low": 0.08, "high": 0.12}}
    assert field_text(fields_by_path()[WACC], values) == "8 to 12"
    assert stated_values(build_scenario(values)) == values | {
        "uncertainty": {"inputs": {WACC: {"low": 0.08, "high": 0.12}}}
    }


def test_what_counts_has_a_whole_point() -> None:
    assert typed(scenario(), "pod.supernodes", "100 to 200")["pod"]["supernodes"] == 141


@pytest.mark.parametrize("text", ["9", ""])
def test_a_number_or_nothing_ends_the_range(text: str) -> None:
    values = typed(typed(scenario(), WACC, "8 to 12"), WACC, text)
    assert "uncertainty" not in values
    assert values.get("economics", {}) == ({"wacc": 0.09} if text else {})


def test_a_range_that_an_address_holds_as_text_is_shown_in_the_unit_of_its_box() -> None:
    values = decode_state(encode_state({"economics": {"wacc": "0.08 to 0.12"}}))
    assert values is not None
    assert field_text(fields_by_path()["economics.wacc"], values) == "8 to 12"
    refused = {"economics": {"wacc": "0.12 to 0.08"}}
    assert decode_state(encode_state(refused)) == refused


def test_a_form_that_is_sent_unchanged_changes_nothing() -> None:
    values = typed(scenario(), WACC, "8 to 10 to 12 lognormal")
    assert filled_in(values, {WACC: "8 to 10 to 12 lognormal"}) is values


def test_a_range_counts_as_a_change_in_words() -> None:
    base = scenario(economics__wacc=0.1)
    values = typed(base, WACC, "8 to 10 to 12")
    assert changed_paths(values, base) == [WACC]
    assert change_words(values, base, {}) == "Cost of capital 10 % to a range of 8 to 10 to 12 %"
    asked = base | {"uncertainty": {"seed": 4}}
    assert changed_paths(asked, base) == ["uncertainty"]


def row(page: str, path: str) -> str:
    found = re.search(
        rf'<div class="field[^>]*data-path="{re.escape(path)}".*?</p>\s*</div>', page, re.DOTALL
    )
    assert found is not None
    return html.unescape(found[0])


def test_the_page_shows_it_with_its_source_and_keeps_what_is_refused(asgi_client: AsgiClient) -> None:
    page = asgi_client.get(f"/designs/new?{WACC}=8+to+12").text
    shown = row(page, WACC)
    assert 'value="8 to 12"' in shown
    assert "Range by you" in shown
    refused = row(asgi_client.get(f"/designs/new?{WACC}=12+to+8").text, WACC)
    assert 'value="12 to 8"' in refused
    assert "low end, 0.12, above its high end, 0.08" in refused


def test_its_faults_stand_beside_the_box_and_it_is_undone_by_an_offer(asgi_client: AsgiClient) -> None:
    inputs = {"economics.utilisation": {"low": 0.5, "high": 1.2}}
    values = scenario(economics__utilisation=0.8) | {"uncertainty": {"inputs": inputs}}
    answer = asgi_client.post("/studio/evaluate", json={"key": "new", "scenario": values})
    (fault,) = answer.json()["errors"]
    assert fault["path"] == "economics.utilisation"
    assert "1.2 must be at most 1" in fault["message"]


def test_the_state_of_an_address_keeps_it(asgi_client: AsgiClient) -> None:
    values = stated_values(document(economics__wacc="0.08 to 0.12"))
    shown = row(asgi_client.get(f"/designs/new?s={encode_state(values)}").text, WACC)
    assert 'value="8 to 12"' in shown
    text = asgi_client.post("/studio/yaml", json={"scenario": values}).json()
    assert build_scenario(text["scenario"]) == build_scenario(values)
