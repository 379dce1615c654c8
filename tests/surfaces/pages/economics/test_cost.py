"""The build-up tab: the tree, what decides, terms that change the scenario, and files."""

from __future__ import annotations

import html
import re

from app.surfaces.pages.studio.state import decode_state, encode_state
from tests.asgi import AsgiClient
from tests.scenarios.support import scenario

COST = "/economics/edge_node/cost"


def text(client: AsgiClient, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status, answer.text
    return html.unescape(answer.text)


def test_tree_figures_and_buildings(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, COST)
    for figure in ("build_up", "tornado"):
        assert f'id="figure-{figure}"' in page
    table = page.split('class="data cost-tree"', 1)[1].split("</table>", 1)[0]
    titles = re.findall(r'<th scope="row(?:group)?">([^<]+)<', table)
    assert titles[:2] == ["IT equipment", "SuperNodes"]
    assert titles[-1] == "Total"
    assert "/explain/cost.capital_breakdown_usd_per_year.servers" in table
    assert "this design is in a building of its own" in page
    assert "PUE, from " in page


def test_a_figure_of_the_tree_is_explained(asgi_client: AsgiClient) -> None:
    for path in (
        "cost.capital_breakdown_usd_per_year.land",
        "cost.opex_breakdown_usd_per_year.engineers",
        "cost.capex_breakdown_usd.spares",
    ):
        assert "Recalled" in text(asgi_client, f"/designs/edge_node/explain/{path}") or "spares" in path


def test_terms_change_the_scenario_of_the_address(asgi_client: AsgiClient) -> None:
    sent = "?terms=1&economics.building=colocation&economics.colocation_usd_per_kw_month=150"
    answer = asgi_client.get(COST + sent, follow_redirects=False)
    assert answer.status_code == 303
    address = answer.headers["location"]
    economics = decode_state(address.split("s=", 1)[1])["economics"]
    assert economics["building"] == "colocation"
    assert economics["colocation_usd_per_kw_month"] == 150
    page = text(asgi_client, address)
    assert "this design is in colocation" in page
    assert 'value="150"' in page
    assert ">Land<" not in page


def test_what_cannot_be_used_stays_typed(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, f"{COST}?terms=1&economics.life_years=0&economics.wacc=<b>", 422)
    assert 'value="<b>"' in page
    assert "economics-life-years-error" in page
    assert 'id="figure-build_up"' in page
    assert 'value="<b>"' not in asgi_client.get(f"{COST}?terms=1&economics.wacc=<b>").text


def test_files(asgi_client: AsgiClient) -> None:
    answer = asgi_client.get(f"{COST}/file?format=xlsx")
    assert answer.status_code == 200
    assert ".cost.xlsx" in answer.headers["content-disposition"]
    assert asgi_client.get(f"{COST}/file?format=pdf").status_code == 404
    state = encode_state(scenario(facility__site="atlantis"))
    assert asgi_client.get(f"{COST}/file?s={state}").status_code == 422


def test_an_unknown_price_is_told(asgi_client: AsgiClient) -> None:
    own = {"custom": {"name": "Own", "accelerator": "nvidia_h100_nvl", "accelerators": 8, "max_power_w": 8e3}}
    page = text(asgi_client, f"{COST}?s={encode_state(scenario(supernode=own))}")
    assert "The cost of an accelerator-hour is unknown: a price is missing." in page
    assert not re.search(r"\bnan\b", page.split("<main", 1)[1].split("</main", 1)[0])


def test_a_scenario_that_cannot_be_used_is_refused(asgi_client: AsgiClient) -> None:
    state = encode_state(scenario(facility__site="atlantis"))
    assert "Not evaluated" in text(asgi_client, f"{COST}?s={state}")
