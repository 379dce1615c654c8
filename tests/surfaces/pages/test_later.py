"""Slow sections: who opens the page gets the workspace at once, everybody else the whole."""

from __future__ import annotations

import re

import pytest

from app.surfaces.pages.later import PART_HEADER, WHOLE
from app.surfaces.pages.workspace import sections
from tests.asgi import AsgiClient

OPENS = {"sec-fetch-mode": "navigate"}
SLOW = [section for section in sections() if section.slow]
KEYS = {"serving/cost": "deepseek_r1_on_8_h200"}


def test_there_are_slow_sections() -> None:
    assert {section.place for section in SLOW} == {"serving/cost", "economics/time", "operations/run"}


@pytest.mark.parametrize("section", SLOW, ids=lambda section: section.place)
def test_a_page_that_is_opened_shows_inputs_and_figures_first(
    section: object, asgi_client: AsgiClient
) -> None:
    place = section.place  # type: ignore[attr-defined]
    address = section.address(KEYS.get(place, "edge_node"))  # type: ignore[attr-defined]
    text = asgi_client.get(address, headers=OPENS).text
    assert "data-later" in text
    assert "Calculating" in text
    assert "Key figures" in text
    assert f'data-place="{place}"' in text
    noscript = re.findall(r'<noscript><p><a href="([^"]+)"', text)
    assert [f"{address}?{WHOLE}=1"] == noscript


def test_scripts_programs_and_browsers_without_scripts_get_the_section(asgi_client: AsgiClient) -> None:
    address = "/operations/edge_node/run"
    asked = (
        (address, {}),
        (address, {**OPENS, PART_HEADER: "section"}),
        (f"{address}?{WHOLE}=1", OPENS),
    )
    for where, headers in asked:
        answer = asgi_client.get(where, headers=headers)
        assert answer.status_code == 200
        assert "data-later" not in answer.text
        assert "figure" in answer.text
    assert "data-later" not in asgi_client.get("/operations/edge_node/goodput", headers=OPENS).text


def test_a_design_that_is_none_is_not_waited_for(asgi_client: AsgiClient) -> None:
    assert asgi_client.get("/operations/no_such_design/run", headers=OPENS).status_code == 404
