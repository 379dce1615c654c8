"""The decision tab: five answers, what only the reader knows, and what was asked for wrongly."""

from __future__ import annotations

import html

import pytest

from app.surfaces.pages.studio.state import encode_state
from tests.asgi import AsgiClient
from tests.scenarios.support import scenario

PAGE = "/economics/edge_node/decision"


def text(client: AsgiClient, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status, answer.text
    return html.unescape(answer.text)


def test_five_questions_and_the_summing_up(reading_client: AsgiClient) -> None:
    page = text(reading_client, PAGE)
    for title in (
        "Recommendation",
        "Compute",
        "Privacy",
        "Utilisation",
        "Cost of owning",
        "Start in the cloud",
    ):
        assert title in page
    assert 'id="figure-break_even_use"' in page
    assert "70 % is " in page
    assert "/claims/S2-39" in page
    assert 'placeholder="60"' in page


def test_what_only_the_reader_knows_is_in_the_address(reading_client: AsgiClient) -> None:
    page = text(reading_client, f"{PAGE}?data_must_stay=yes&months_of_work=24")
    assert "Own: data must stay" in page
    assert "out: data must stay" in page
    assert "over 24 months of work" in page
    assert '<option value="yes" selected>' in page


def test_unknown_inputs_are_named_with_the_way_to_state_them(reading_client: AsgiClient) -> None:
    values = scenario(supernode__system="hgx_h800")
    page = text(reading_client, f"{PAGE}?s={encode_state(values)}")
    assert "Own or rent cannot be said" in page
    assert "Missing inputs" in page
    assert "state economics.rental_on_demand_usd_per_accelerator_hour" in page


def test_the_fault_of_a_rule_is_told_where_the_rule_is(reading_client: AsgiClient) -> None:
    assert "out by a factor of twelve" in text(reading_client, PAGE)
    generic = text(reading_client, "/economics/fft_3d_on_512_dgx_a100/decision")
    assert "The article's rule" not in generic
    assert "out by a factor of twelve" not in generic


def test_months_are_read_as_the_studio_reads_numbers(reading_client: AsgiClient) -> None:
    assert "over 100 months of work" in text(reading_client, f"{PAGE}?months_of_work=0.1k")


@pytest.mark.parametrize(
    ("query", "box"),
    [("months_of_work=<b>long", "months_of_work"), ("data_must_stay=perhaps", "data_must_stay")],
)
def test_what_is_asked_for_wrongly_is_said_and_kept(reading_client: AsgiClient, query: str, box: str) -> None:
    page = text(reading_client, f"{PAGE}?{query}", 422)
    assert f'value="{query.partition("=")[2]}"' in page
    assert f'id="{box}-error"' in page
    assert "Recommendation" in page
    assert "<b>long" not in reading_client.get(f"{PAGE}?{query}").text
