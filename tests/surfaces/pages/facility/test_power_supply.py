"""The power supply tab: the grid alone, own supply, every hour as a file, and what is short."""

from __future__ import annotations

import html
import re

from app.surfaces.pages.studio.state import encode_state
from tests.asgi import AsgiClient
from tests.scenarios.support import scenario
from tests.support import without_estimates


def text(client: AsgiClient, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status, answer.text
    return html.unescape(answer.text)


def html_words(page: str) -> set[str]:
    return set(re.findall(r"[a-z]+", re.sub(r"<script.*?</script>|<[^>]+>", " ", page, flags=re.S)))


def stated(supply: object, **facility: object) -> str:
    state = encode_state(scenario(facility={"power_supply": supply, **facility}))
    return f"/facility/edge_node/power_supply?s={state}"


def test_the_grid_alone_is_said(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, "/facility/edge_node/power_supply")
    assert "The grid alone supplies" in page
    assert 'id="figure-price_duration"' in page
    assert 'id="figure-battery_1"' not in page
    assert "Own plant by kind" not in page


def test_own_supply_has_its_plant_weeks_and_battery(asgi_client: AsgiClient) -> None:
    supply = {
        "market": "de_lu",
        "sources": [
            {"kind": "gas_engine", "capacity_w": 8e3, "unit_w": 4e3},
            {"kind": "solar", "capacity_w": 9e3},
        ],
        "battery": {"power_w": 4e3, "energy_wh": 16e3, "use": "price"},
        "demand_response": {"hours_per_year": 50, "load_share": 0.1},
    }
    page = text(asgi_client, stated(supply))
    for name in ("supply_week_1", "supply_week_2", "battery_1", "battery_2", "price_duration"):
        assert f'id="figure-{name}"' in page
    for words in ("Gas engines", "Solar", "Lost accelerator-hours", "Swings seen by the feed"):
        assert words in page


def test_every_hour_is_a_file(asgi_client: AsgiClient) -> None:
    answer = asgi_client.get("/facility/edge_node/power_supply/file")
    assert answer.status_code == 200
    assert len(answer.text.splitlines()) == 8761


def test_an_unusable_supply_is_refused_in_words(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, stated({"grid": "none"}))
    assert "has no supply" in page


def test_an_unknown_supply_is_said_to_be_unknown(asgi_client: AsgiClient) -> None:
    """The power of a TPU v5p pod is not published."""
    state = encode_state(without_estimates("dense_128b_on_tpu_v5p").as_dict())
    page = text(asgi_client, f"/facility/dense_128b_on_tpu_v5p/power_supply?s={state}")
    assert "unknown" in page
    assert "nan" not in html_words(page)


def test_the_market_has_its_name(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, stated({"market": "de_lu"}))
    assert "at the hourly prices of Germany and Luxembourg" in page
