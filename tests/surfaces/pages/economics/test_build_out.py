"""The tab of the build-out: figures, terms, files, and what cannot be."""

from __future__ import annotations

import html

from app.surfaces.pages.studio.state import decode_state, encode_state
from tests.asgi import AsgiClient
from tests.scenarios.support import scenario

TAB = "/economics/edge_node/build_out"


def text(client: AsgiClient, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status, answer.text[:2000]
    return html.unescape(answer.text)


def stated(**build_out: object) -> str:
    values = scenario(parallelism={"tp": 8, "pp": 1, "zero_stage": 1}, economics={"build_out": build_out})
    return f"{TAB}?s={encode_state(values)}"


def test_figures_and_ways(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, TAB)
    for name in ("phases", "power", "cash", "carbon"):
        assert f'id="figure-build_out_{name}"' in page
    assert "Bought at once" in page
    assert "Sale and leaseback" in page
    page = text(asgi_client, stated(bridge="gas_engine", first_order="2026-01-01"))
    assert "full power of" in page
    assert "2027-07" in page
    assert "Gas engine" in page


def test_terms_change_the_scenario_of_the_address(asgi_client: AsgiClient) -> None:
    sent = "?terms=1&economics.build_out.phase_count=1&economics.build_out.bridge=fuel_cell"
    sent += "&economics.financing.target_dscr=1.6&economics.financing.loan_share=60"
    answer = asgi_client.get(TAB + sent, follow_redirects=False)
    assert answer.status_code == 303
    found = decode_state(answer.headers["location"].split("s=", 1)[1])["economics"]
    assert found["build_out"] == {"phase_count": 1, "bridge": "fuel_cell"}
    assert found["financing"] == {"target_dscr": 1.6, "loan_share": 0.6}
    assert "Fuel cell" in text(asgi_client, answer.headers["location"])


def test_what_cannot_be_used_stays_typed(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, f"{TAB}?terms=1&economics.build_out.phase_count=99", 422)
    assert 'value="99"' in page


def test_phases_that_are_not_the_pod_are_refused_in_words(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, stated(phases=[{"supernodes": 5}, {"supernodes": 6}]))
    assert "leave the size of one out" in page


def test_files(asgi_client: AsgiClient) -> None:
    answer = asgi_client.get(f"{TAB}/file?format=csv")
    assert answer.status_code == 200
    assert answer.text.lstrip("\ufeff").startswith("month,")
    assert asgi_client.get(f"{TAB}/file?format=pdf").status_code == 404
