"""The tab of cost against time: drawn, filtered by the address, and what was asked for wrongly."""

from __future__ import annotations

import html
import re

import pytest

from app.surfaces.pages.studio.state import decode_state, encode_state
from tests.asgi import AsgiClient
from tests.scenarios.support import scenario

pytestmark = pytest.mark.slow

PAGE = "/economics/edge_node/time"


def text(client: AsgiClient, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status, answer.text
    return html.unescape(answer.text)


def test_systems_of_the_address_are_compared(reading_client: AsgiClient) -> None:
    page = text(reading_client, f"{PAGE}?system=dgx_h100&system=tpu_v5p_pod&paid=on_demand&deadline_days=2")
    assert 'id="figure-cost_against_time"' in page
    assert page.count('<tr class="time-system">') == 3
    assert "this design" in page
    assert re.search(r'value="tpu_v5p_pod" checked', page)
    assert '<option value="on_demand" selected>' in page
    assert (
        "Unknown: TPU v5p pod, price (rent only: Google Cloud TPU pricing lists rental alone; state a price"
        in page
    )
    assert "Deadline\u00a02.00" in page or "Deadline\\u00a02.00" in page


def test_a_picked_pod_opens_in_the_studio(reading_client: AsgiClient) -> None:
    values = scenario(economics__supernode_price_usd=3e5, uncertainty__deadline_days=300.0)
    page = text(reading_client, f"{PAGE}?s={encode_state(values)}&system=dgx_b200&shared=deadline")
    (_, b200) = page.split('href="/catalog/systems/dgx_b200"')
    there = decode_state(re.findall(r'href="/designs/edge_node\?s=([^"]+)"', b200)[0])
    assert there is not None
    assert there["supernode"] == {"system": "dgx_b200"}
    assert "supernode_price_usd" not in there["economics"]
    assert 'placeholder="300"' in page  # the scenario's own deadline


def test_what_is_asked_for_wrongly_is_said_and_kept(reading_client: AsgiClient) -> None:
    page = text(reading_client, f"{PAGE}?deadline_days=<b>soon&paid=stolen", 422)
    assert 'value="<b>soon"' in page
    assert 'id="deadline_days-error"' in page
    assert "<b>soon" not in reading_client.get(f"{PAGE}?deadline_days=<b>soon").text
    assert "Nearest: dgx_h100" in text(reading_client, f"{PAGE}?system=dgx_h101", 422)
    assert "budget_usd is needed" in text(reading_client, f"{PAGE}?shared=budget", 422)
