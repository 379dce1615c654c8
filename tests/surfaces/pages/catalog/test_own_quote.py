"""A quote of the team: from its row to the design, its explanation and every figure that rests on it."""

from __future__ import annotations

import pytest

from app.surfaces.pages.studio.state import encode_state
from tests.asgi import AsgiClient

pytestmark = pytest.mark.slow

ROWS = (
    "key,part_key,item,unit,condition,basis,typical,note,source,as_of,value_kind\n"
    "ours_list,dgx_h100,List,USD/system,list,,999999,,Price list,2026-11,vendor\n"
    "ours_quote,dgx_h100,As quoted,USD/system,quote,{basis},300000,delivered to Graz,Quote 4711,2026-05-01,vendor\n"
)
SCENARIO = {
    "name": "Quoted",
    "workload": {"kind": "training", "model": "llama_3_1_8b", "tokens": 1e11, "sequence_length": 8192,
                 "global_batch_sequences": 256},
    "supernode": {"system": "dgx_h100"},
    "economics": {"price_discount": 0.2},
}  # fmt: skip


@pytest.mark.parametrize(
    ("basis", "price"), [("", 300_000), ("system", 300_000), ("complete_it", 300_000 * 0.777)]
)
def test_a_quote_beats_all_and_is_shown_at_the_figure(
    asgi_client: AsgiClient, basis: str, price: float
) -> None:
    where = "/api/v1/catalog/imports?kind=prices&dry_run=false"
    content = ROWS.format(basis=basis)
    made = asgi_client.post(where, content=content, headers={"content-type": "text/csv"})
    assert made.status_code == 200, made.text
    answer = asgi_client.post("/api/v1/evaluations", json=SCENARIO).json()
    assert answer["cost"]["supernode_price_usd"] == pytest.approx(
        price
    )  # a quote is paid without the discount
    path = "cost.supernode_price_usd"
    explained = asgi_client.post("/api/v1/explanations", json={"scenario": SCENARIO, "quantity": path}).text
    for words in (
        "Quote of the team, 2026-05-01, by Quote 4711",
        "entered",
        "note: delivered to Graz",
        "bare system",
    ):
        assert words in explained
    assert ("built up from 300,000 USD/system for complete IT" in explained) == (basis == "complete_it")
    page = asgi_client.get(f"/designs/new?s={encode_state(SCENARIO)}").text
    assert 'title="Rests on a quote of the team">quote, 2026-05-01' in page
    assert "note: delivered to Graz" in page
    assert (
        asgi_client.delete("/api/v1/catalog/prices/ours_quote", headers={"if-match": "*"}).status_code == 204
    )
