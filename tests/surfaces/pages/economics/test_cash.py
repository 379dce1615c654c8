"""The tab of the cash flow: figures, terms, files, and what is unknown or cannot be."""

from __future__ import annotations

import html
import io

from openpyxl import load_workbook

from app.surfaces.pages.studio.state import decode_state, encode_state
from tests.asgi import AsgiClient
from tests.scenarios.support import scenario

CASH = "/economics/edge_node/cash"


def text(client: AsgiClient, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status, answer.text
    return html.unescape(answer.text)


def stated(**changes: object) -> str:
    return f"{CASH}?s={encode_state(scenario(parallelism={'tp': 8, 'pp': 1, 'zero_stage': 1}, **changes))}"


def test_verdict_figures_and_years(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, CASH)
    assert "Against renting on demand at 16.00 USD per hour, owning earns" in page
    assert "Nominal: prices grow by 2.5 % per year" in page
    assert 'id="figure-cash_flow"' in page
    assert "nothing is borrowed" in page
    table = page.split('class="data cash-years"', 1)[1].split("</table>", 1)[0]
    assert "Cash flow after tax" in table
    assert "Debt service cover" not in table


def test_terms_change_the_scenario_of_the_address(asgi_client: AsgiClient) -> None:
    finance = "economics.finance."
    sent = f"?terms=1&{finance}tax_rate=0&{finance}debt_share=50&{finance}prices=real&{finance}depreciation=macrs"
    sent += "&economics.jurisdiction=us"
    sent += f"&{finance}currency.code=EUR&{finance}currency.per_usd=0.92&{finance}currency.as_of=2026-01-05"
    answer = asgi_client.get(CASH + sent, follow_redirects=False)
    assert answer.status_code == 303
    address = answer.headers["location"]
    found = decode_state(address.split("s=", 1)[1])["economics"]["finance"]
    assert found["debt_share"] == 0.5
    assert found["currency"] == {"code": "EUR", "per_usd": 0.92, "as_of": "2026-01-05"}
    page = text(asgi_client, address)
    assert "Before tax: the rate of tax is 0." in page
    assert "Real: all amounts are in money of the day of purchase" in page
    assert "50.0\u00a0% borrowed" in page or "50\u00a0% borrowed" in page
    assert "EUR at 0.92 for one USD, the rate of 2026-01-05" in page
    assert "Debt service cover" in page.split("cash-years", 1)[1]


def test_what_cannot_be_used_stays_typed(asgi_client: AsgiClient) -> None:
    finance = "economics.finance."
    sent = f"?terms=1&economics.life_years=0&{finance}tax_rate=150&{finance}debt_years=<b>x&{finance}currency.code=EUR"
    page = text(asgi_client, CASH + sent, 422)
    assert 'value="<b>x"' in page
    assert "<b>x" not in asgi_client.get(CASH + sent).text
    assert page.count('aria-invalid="true"') == 5  # the rate of the currency and its day are missing too
    assert "Against renting on demand" in page  # of the scenario as it was


def test_an_unknown_rent(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, stated(supernode={"system": "hgx_h20"}))
    assert "The revenue per utilised hour is unknown" in page
    assert "only payments are drawn" in page
    assert '<span class="unknown">unknown</span>' in page


def test_files(asgi_client: AsgiClient) -> None:
    table = asgi_client.get(f"{CASH}/file?format=csv")
    assert table.headers["content-type"].startswith("text/csv")
    assert ".cash.csv" in table.headers["content-disposition"]
    assert table.text.splitlines()[-1].startswith("total,")
    book = asgi_client.get(f"{CASH}/file?format=xlsx")
    assert load_workbook(io.BytesIO(book.content)).sheetnames == ["Inputs", "Cash flow"]
    assert asgi_client.get(f"{CASH}/file?format=json").json()["years"][0]["year"] == 0
    assert asgi_client.get(f"{CASH}/file?format=pdf").status_code == 404
    assert asgi_client.get(stated(pod__supernodes=0).replace("/cash?", "/cash/file?")).status_code == 422
    assert "Not evaluated" in text(asgi_client, stated(pod__supernodes=0))
