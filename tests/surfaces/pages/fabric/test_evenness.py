"""What evenness costs, on the topology tab."""

from __future__ import annotations

import html
import re

from app.surfaces.pages.studio.state import encode_state, with_value
from tests.asgi import AsgiClient
from tests.surfaces.pages.studio.test_routes import base

KEY = "llama_3_1_405b_on_2048_dgx_h100"


def page(client: AsgiClient, **fabric: object) -> str:
    values = with_value(base(), "pod.supernodes", 128)
    values = with_value(values, "pod.fabric.oversubscription", 3)
    for name, value in fabric.items():
        values = with_value(values, f"pod.fabric.{name}", value)
    return client.get(f"/fabric/{KEY}/topology?s={encode_state(values)}").text


def test_the_tab_says_what_evenness_costs_and_leads_to_fewer_spines(asgi_client: AsgiClient) -> None:
    even = page(asgi_client)
    assert "Switches bought for evenness" in even
    found = re.search(r'<a href="([^"]+)">Let them differ by one link</a>', even)
    assert found
    assert "spine_spread" in asgi_client.get(html.unescape(found[1])).text
    assert "Switches bought for evenness" not in page(asgi_client, spine_spread="within_one")
