"""The sites tab: ranked, sorted, compared by other plants and weights, and what was asked for wrongly."""

from __future__ import annotations

import html
import re

import pytest

from app.surfaces.pages.studio.state import decode_state, encode_state
from tests.asgi import AsgiClient
from tests.scenarios.support import scenario

pytestmark = pytest.mark.slow

PAGE = "/facility/llama_3_1_405b_on_gb200_nvl72/sites"


def text(client: AsgiClient, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status, answer.text
    return html.unescape(answer.text)


def names(page: str) -> list[str]:
    table = page[page.index("<tbody>", page.index("sites-table")) :]
    return re.findall(r'<th scope="row">(?:<a [^>]*>)?([^<]+)', table)


def test_every_site_stands_in_its_place(reading_client: AsgiClient) -> None:
    page = text(reading_client, PAGE)
    assert 'id="figure-sites"' in page
    assert len(names(page)) == 61
    assert page.count("Not ranked: its weather is that of") == 3
    assert "262 km away" in page
    assert ">unknown<" in page
    assert "holds no hourly series" in page
    assert "Market based" not in page


def test_headings_sort(reading_client: AsgiClient) -> None:
    page = text(reading_client, PAGE + "?sort=carbon&plant=direct_liquid_tower")
    assert (
        'aria-sort="ascending"><a href="/facility/llama_3_1_405b_on_gb200_nvl72/sites?plant=direct_liquid_tower&sort=carbon#table">Carbon</a>'
        in page
    )
    assert names(page)[0] == "Stockholm"
    assert "Liquid, cooling tower" in page


def test_a_name_opens_the_design_there(reading_client: AsgiClient) -> None:
    values = scenario(economics__electricity_price_usd_per_kwh=0.2, facility__clean_energy_share=0.5)
    page = text(reading_client, f"/facility/edge_node/sites?s={encode_state(values)}")
    assert "Market based" in page
    (state,) = re.findall(r'<a href="/designs/edge_node\?s=([^"]+)">Phoenix AZ</a>', page)
    there = decode_state(state)
    assert there is not None
    assert there["facility"] == {"site": "phoenix", "clean_energy_share": 0.5}
    assert "electricity_price_usd_per_kwh" not in there["economics"]


def test_what_is_asked_for_wrongly_is_said_and_kept(reading_client: AsgiClient) -> None:
    page = text(reading_client, PAGE + "?cost=<b>much", 422)
    assert 'value="<b>much"' in page
    assert 'id="cost-error">' in page
    assert "<b>much" not in reading_client.get(PAGE + "?cost=<b>much").text
    assert "must be 'as_designed', 'cheapest'" in text(reading_client, PAGE + "?plant=ice", 422)
