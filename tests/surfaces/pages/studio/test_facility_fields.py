"""The building in the studio: long lists as selects, and what leaving a field out means."""

from __future__ import annotations

import html
import re

from app.engine.facility.cooling.plants import PLANTS
from app.surfaces.pages.studio.state import encode_state
from tests.asgi import AsgiClient
from tests.scenarios.support import scenario


def field(client: AsgiClient, path: str, **changes: object) -> str:
    """The row of one field, of the studio with a changed scenario."""
    state = encode_state(scenario(**changes))
    page = html.unescape(client.get(f"/designs/edge_node?s={state}").text)
    found = re.search(rf'data-path="{re.escape(path)}".*?<p class="was"', page, re.S)
    assert found, path
    return found[0]


def box(row: str) -> tuple[str, str, str]:
    """Text, placeholder and unit of a number box."""
    parts = [
        re.search(pattern, row)
        for pattern in (r'value="([^"]*)"', r'placeholder="([^"]*)"', r'-unit">([^<]*)<')
    ]
    assert all(parts)
    return tuple(part[1] for part in parts if part)  # type: ignore[return-value]


def test_plants_are_a_select_of_names(asgi_client: AsgiClient) -> None:
    row = field(asgi_client, "facility.cooling", facility__cooling="liquid_to_air")
    assert row.count("<option") == len(PLANTS) + 1
    assert '<option value="liquid_to_air" selected>Liquid to the hall\'s air</option>' in row
    assert 'type="radio"' not in row
    assert ">Block redundant (catcher)</option>" in field(asgi_client, "facility.redundancy")


def test_what_is_left_out_says_what_that_means(asgi_client: AsgiClient) -> None:
    assert box(field(asgi_client, "facility.power_cap")) == ("", "none", "of TDP")
    assert box(field(asgi_client, "facility.utility_limit_w")) == ("", "unlimited", "MW")
    assert box(field(asgi_client, "facility.clean_energy_share")) == ("", "not stated", "%")
    assert box(field(asgi_client, "facility.heat_reuse.share"))[:2] == ("", "none")


def test_what_is_stated_is_in_units_of_a_site(asgi_client: AsgiClient) -> None:
    assert box(field(asgi_client, "facility.utility_limit_w", facility__utility_limit_w=12.5e6))[0] == "12.5"
    assert box(field(asgi_client, "facility.clean_energy_share", facility__clean_energy_share=0.4))[0] == "40"


def test_somebody_who_takes_heat_takes_all_of_it_unless_stated(asgi_client: AsgiClient) -> None:
    taken = {"supply_c": 70}
    assert box(field(asgi_client, "facility.heat_reuse.share", facility__heat_reuse=taken))[0] == "100"
