"""The electrical tab: sizes, a lost block, what cannot be built, and what was asked for wrongly."""

from __future__ import annotations

import html

from app.surfaces.pages.studio.state import encode_state
from tests.asgi import AsgiClient
from tests.scenarios.support import scenario
from tests.support import without_estimates

KEY = "llama_3_1_405b_on_2048_dgx_h100"


def text(client: AsgiClient, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status, answer.text
    return html.unescape(answer.text)


def stated(**changes: object) -> str:
    return f"/facility/edge_node/electrical?s={encode_state(scenario(**changes))}"


def test_the_chain_with_nothing_lost(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, f"/facility/{KEY}/electrical")
    assert 'id="figure-single_line"' in page
    assert "Two paths: the busiest block is the " in page
    assert "topology class IV: two sides that each carry the load" in page
    assert "518 racks" in page
    assert f'href="/facility/{KEY}/electrical?lost=ups&sized_on=rating&standard=nec#diagram"' in page
    assert "Cannot be built" not in page


def test_a_block_is_lost(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, f"/facility/{KEY}/electrical?lost=ups&standard=iec")
    assert "With one UPS lost the rest carries on" in page
    assert '<option value="ups" selected>' in page
    assert '<tr aria-current="true">' in page


def test_one_path_is_overloaded(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, stated(pod__supernodes=512, facility__redundancy="N") + "&lost=switchboard")
    assert "of IT cannot be served" in page
    assert "Overloaded" in page


def test_redundancy_that_cannot_be_built(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, stated(pod__supernodes=4, facility__redundancy="3N/2"))
    assert "Cannot be built: redundancy" in page
    assert "Take 2N, which splits no load." in page


def test_what_is_asked_for_wrongly_is_said_and_escaped(asgi_client: AsgiClient) -> None:
    for query in ("lost=<b>x", "standard=<b>x", "sized_on=<b>x"):
        answer = asgi_client.get(f"/facility/edge_node/electrical?{query}")
        assert answer.status_code == 422
        assert "Option not applied" in answer.text
        assert "<b>x" not in answer.text
        assert "&lt;b&gt;x" in answer.text


def test_a_scenario_that_cannot_be_used_is_refused_in_words(asgi_client: AsgiClient) -> None:
    assert "Not evaluated" in text(asgi_client, stated(pod__supernodes=0))


def test_an_unknown_rating_leaves_the_chain_unknown(asgi_client: AsgiClient) -> None:
    state = encode_state(without_estimates("dense_128b_on_tpu_v5p").as_dict())
    page = text(asgi_client, f"/facility/dense_128b_on_tpu_v5p/electrical?lost=ups&s={state}")
    assert "The load or the units of the chain are unknown." in page
    assert '<span class="unknown">unknown</span>' in page
    assert "none left" not in page
