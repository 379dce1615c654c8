"""The racks tab: checks of a kind of rack, the first limit in a sentence, and what cannot be shown."""

from __future__ import annotations

import html
import re

from app.surfaces.pages.studio.state import encode_state
from tests.asgi import AsgiClient
from tests.scenarios.support import scenario

KEY = "llama_3_1_405b_on_gb200_nvl72"


def text(client: AsgiClient, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status, answer.text
    return html.unescape(answer.text)


def of(**changes: object) -> str:
    return f"/facility/edge_node/racks?s={encode_state(scenario(**changes))}"


def test_checks_of_an_nvl72(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, f"/facility/{KEY}/racks")
    assert "the first limit is planned weight per rack, 1,360\u202fkg of 1,361\u202fkg, 99.9\u202f%." in page
    assert page.count('class="rack-bar fits"') == 8
    assert 'id="figure-rack_heat"' in page
    assert "4 of 60\u202fA at 415\u202fV on each of two sides" in page
    assert "23 \u00d7 QM9700" in page
    assert 'class="note bad"' not in page


def test_another_kind_of_rack_and_other_rules(asgi_client: AsgiClient) -> None:
    switches = re.search(r'value="(R\d+-\d+)">23 . QM9700', text(asgi_client, f"/facility/{KEY}/racks"))
    assert switches
    page = text(asgi_client, f"/facility/{KEY}/racks?rack={switches[1]}&standard=iec")
    assert "23 \u00d7 QM9700 / QM9790: the first limit is planned power per rack" in page
    assert 'value="iec" selected' in page
    assert "Not checked" in page  # nobody published the weight of its switches


def test_a_rack_past_its_limits_is_told_with_a_way_out(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, of(pod__supernodes=5, pod__floor={"nodes_per_rack": 5, "rack_power_w": 60e3}))
    assert "A kind of rack does not fit" in page
    assert "5 \u00d7 DGX H100 is past a limit: heat to air at 51.0" in page
    assert '<span class="chip bad">Does not fit</span>' in page
    assert "facility.air_handling" in page


def test_nothing_published_is_said(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, of(supernode__system="tpu_v5p_pod", pod__supernodes=1))
    assert "nothing of it is known that could be checked" in page


def test_what_cannot_be_shown_is_said_beside_the_racks(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, f"/facility/{KEY}/racks?rack=R99", 422)
    assert "is not a rack of this floor" in page
    assert 'id="figure-rack_heat"' in page
    assert "<b>R9" not in asgi_client.get(f"/facility/{KEY}/racks?rack=<b>R9").text
    assert "standard" in text(asgi_client, f"/facility/{KEY}/racks?standard=ul", 422)


def test_a_scenario_that_cannot_be_used(asgi_client: AsgiClient) -> None:
    assert "Not evaluated" in text(asgi_client, of(facility__site="nowhere"))
