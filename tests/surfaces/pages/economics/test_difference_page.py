"""The tab of a difference: a design to choose, every view of it, and what cannot be used."""

from __future__ import annotations

import html
import re

import pytest

from app.surfaces.pages.studio.state import encode_state
from tests.asgi import AsgiClient
from tests.scenarios.support import scenario

EDGE = "/economics/edge_node/difference"


def text(client: AsgiClient, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status, answer.text
    return html.unescape(answer.text)


def test_nothing_is_chosen_at_first(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, EDGE)
    assert "Choose what to set it against." in page
    assert '<optgroup label="Worked examples">' in page


def test_what_was_changed_against_the_design_as_it_is_saved(asgi_client: AsgiClient) -> None:
    changed = scenario(parallelism={"tp": 8, "pp": 1, "zero_stage": 1}, economics={"wacc": 0.2})
    page = text(asgi_client, f"{EDGE}?s={encode_state(changed)}&other=edge_node&figure=tco")
    for words in (
        "A, Untitled scenario",
        "B, Edge node",
        "By cause",
        "By category",
        "By factor",
        "Total",
    ):
        assert words in page
    for figure in ("difference_by_cause", "difference_by_category"):
        assert f'id="figure-{figure}"' in page


def test_the_same_design(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, f"{EDGE}?other=edge_node&figure=carbon")
    assert "Carbon per run is the same in both." in page
    assert "Both state the same inputs." in page


@pytest.mark.parametrize(
    ("query", "status", "words"),
    [
        ("other=nothing", 404, "There is no design nothing."),
        ("other=edge_node&figure=speed", 422, "'speed' must be"),
        ("other=edge_node&figure=rent&first_offer=spot", 422, "no price of spot is known"),
        ("other=dense_128b_on_tpu_v5p", 200, "Cost per run of Dense 128B on a TPU v5p slice is not known"),
    ],
)
def test_what_cannot_be_told(asgi_client: AsgiClient, query: str, status: int, words: str) -> None:
    assert words in text(asgi_client, f"{EDGE}?{query}", status)


def test_the_lead_names_both_sides_as_the_page_does(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, f"{EDGE}?other=gpt_3_175b_on_128_dgx_a100&figure=tco")
    assert re.search(r'<p class="lead">Total cost of ownership: B is [\d.e+]+ times A\.</p>', page)
    assert "The second is" not in page


def test_two_offers(asgi_client: AsgiClient) -> None:
    gpt_3 = "/economics/gpt_3_175b_on_128_dgx_a100/difference"
    query = "other=gpt_3_175b_on_128_dgx_a100&figure=rent&second_offer=reserved"
    page = text(asgi_client, f"{gpt_3}?{query}")
    assert "Hours booked, not used" in page
    assert 'id="figure-difference_by_cause"' not in page
