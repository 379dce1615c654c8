"""The savings tab: what it shows, how its form keeps what was typed, and what cannot be used."""

from __future__ import annotations

import html
import re

from app.surfaces.pages.facility.savings import NUMBERS, savings_form
from app.surfaces.pages.studio.state import encode_state
from tests.asgi import AsgiClient
from tests.scenarios.support import scenario
from tests.surfaces.pages.part import section_text

EDGE = "/facility/edge_node/savings"


def text(client: AsgiClient, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status, answer.text
    return html.unescape(answer.text)


def rows(page: str) -> list[str]:
    table = page.split('class="data saving-steps"', 1)[1].split("</table>", 1)[0]
    return re.findall(r'<th scope="row">([^<]+)<', table)


def test_verdict_waterfall_and_hours(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, EDGE)
    assert (
        "Not reached by using less energy; reached only where energy from renewables is not counted." in page
    )
    assert "Energy at the meter: 1 − " in page
    for figure in ("savings", "week_0", "week_1", "matched"):
        assert f'id="figure-{figure}"' in page
    assert rows(page)[0] == "Warmer chilled water"
    assert rows(page)[-1] == "Renewables and storage"
    assert "AHRI 550/590" in page
    assert 'href="/claims/S4-18"' in page


def test_steps_are_switched_and_put_in_order(asgi_client: AsgiClient) -> None:
    asked = (
        "?asked=1&on_power_cap=1&order_power_cap=1&on_liquid_cooling=1&order_liquid_cooling=2&power_cap=0.7"
    )
    page = text(asgi_client, EDGE + asked)
    assert rows(page) == ["Power cap", "Liquid cooling"]
    assert "capped at 70\u202f% of their TDP" in page
    assert 'name="on_renewables" value="1">' in page  # not ticked
    assert 'id="figure-week_0"' not in page


def test_no_step_leaves_the_baseline(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, f"{EDGE}?asked=1")
    assert "No step is switched on" in page


def test_what_cannot_be_used_stays_typed_with_its_reason(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, f"{EDGE}?flexible_share=1.4&battery_h=<b>&order_dc_800=x", 422)
    assert "x is no place in the order" in page
    assert "1.4 must be at most 1." in page
    page = text(asgi_client, f"{EDGE}?flexible_share=1.4&battery_h=<b>", 422)
    assert "1.4 must be at most 1." in page
    assert 'value="<b>"' in page
    assert "must be a number" in page
    assert 'id="figure-savings"' in page  # the steps as they come
    assert 'value="<b>"' not in asgi_client.get(f"{EDGE}?battery_h=<b>").text


def test_following_clean_energy_needs_some(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, f"{EDGE}?asked=1&on_demand_aware=1&follow=clean", 422)
    assert "Add the step renewables, or follow pue." in page


def test_an_unknown_rating_is_told(asgi_client: AsgiClient) -> None:
    own = {"custom": {"name": "Own", "accelerator": "nvidia_h100_sxm", "accelerators": 8}}
    page = section_text(asgi_client, f"{EDGE}?s={encode_state(scenario(supernode=own))}")
    assert "Not known: a figure of the design that the energy depends on is not published." in page
    assert "nan" not in page


def test_a_scenario_that_cannot_be_used_is_refused(asgi_client: AsgiClient) -> None:
    state = encode_state(scenario(facility__site="atlantis"))
    assert "Not evaluated" in text(asgi_client, f"{EDGE}?s={state}")


def test_every_value_of_the_options_has_a_box() -> None:
    from app.views.facility.savings.document import SavingsOptions

    assert {*NUMBERS, "steps", "follow"} == set(SavingsOptions.model_fields)
    form = savings_form({"window_h": " 48 "})
    assert form.options is not None
    assert form.options.window_h == 48
