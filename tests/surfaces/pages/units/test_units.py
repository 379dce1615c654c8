"""The choice of units: kept in the browser and with the account, on pages and never in files or REST."""

from __future__ import annotations

import pytest

from app.surfaces.pages.opened import PART_HEADER
from app.surfaces.pages.units.reading import UNITS_COOKIE, units_of
from app.surfaces.pages.units.routes import switches
from app.surfaces.pages.workspace import section_of
from tests.asgi import AsgiClient
from tests.people import People
from tests.surfaces.pages.shown import Element, measured, read, values

OTHER = "bits.tons.fahrenheit.EUR"
COOKIE = {"cookie": f"{UNITS_COOKIE}={OTHER}"}
FORM = {"content-type": "application/x-www-form-urlencoded"}
CHOICE = "bandwidth=bits&heat=tons&temperature=fahrenheit&currency=EUR"
YEN = {"cookie": f"{UNITS_COOKIE}=bytes.kw.celsius.JPY"}


def test_examples_show_what_a_choice_does() -> None:
    shown = {
        option.value: option.example.replace("\u202f", " ").replace("\u00a0", " ")
        for one in switches()
        for option in one.options
    }
    assert shown == {
        "bytes": "50.0 GB/s", "bits": "400 Gbit/s", "kw": "1.00 MW", "tons": "284 tons",
        "celsius": "30\u00b0C", "fahrenheit": "86\u00b0F",
        "USD": "1.00 M USD", "EUR": "924,000 EUR", "GBP": "804,000 GBP", "CNY": "7.08 M CNY", "JPY": "141 M JPY",
        "NOK": "10.6 M NOK",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("path", "base", "other"),
    [
        ("/designs/edge_node", "TB/s", "Tbit/s"),
        ("/fabric/llama_3_1_405b_on_2048_dgx_h100/bandwidth", "TB/s", "Tbit/s"),
        ("/facility/llama_3_1_405b_on_2048_dgx_h100/cooling", "\u00b0C", "\u00b0F"),
        ("/facility/llama_3_1_405b_on_2048_dgx_h100/hours", "\u00b0C", "\u00b0F"),
        ("/catalog/climate/stockholm", "\u00b0C", "\u00b0F"),
        ("/catalog/accelerators/nvidia_h100_sxm", "TB/s", "Tbit/s"),
        ("/designs/edge_node/cost", "USD/year", "EUR/year"),
    ],
)
def test_pages_are_in_the_chosen_units(reading_client: AsgiClient, path: str, base: str, other: str) -> None:
    plain = main_of(reading_client.get(path).text)
    chosen = main_of(reading_client.get(path, headers=COOKIE).text)
    assert base in plain
    assert other not in plain
    assert other in chosen
    assert main_of(reading_client.get(path).text).count(other) == plain.count(other)  # nothing of it stays


def main_of(page: str) -> str:
    """The page without its navigation, and without inputs, which keep their unit."""
    return page.partition("<main")[2].partition("<footer")[0]


def test_rest_and_files_stay_in_base_units(reading_client: AsgiClient) -> None:
    for path in (
        "/api/v1/examples/edge_node",
        "/facility/edge_node/hours/file?format=csv",
        "/designs/edge_node/export/evaluation/csv",
    ):
        plain, chosen = reading_client.get(path), reading_client.get(path, headers=COOKIE)
        assert plain.status_code == chosen.status_code == 200, path
        assert plain.text == chosen.text
    scenario = reading_client.get("/api/v1/examples/edge_node").json()
    plain = reading_client.post("/api/v1/fabric/bandwidth", json={"scenario": scenario})
    chosen = reading_client.post("/api/v1/fabric/bandwidth", json={"scenario": scenario}, headers=COOKIE)
    assert plain.status_code == 200
    assert plain.text == chosen.text


def test_columns_of_the_catalog_keep_the_unit_in_which_they_are_filtered(reading_client: AsgiClient) -> None:
    address = "/catalog/accelerators?memory_bandwidth_bytes_per_s_min=3"
    plain = main_of(reading_client.get(address).text)
    assert main_of(reading_client.get(address, headers=COOKIE).text) == plain


def test_claims_that_are_kept_do_not_keep_the_units_of_who_asked_first(reading_client: AsgiClient) -> None:
    chosen = main_of(reading_client.get("/claims/S2-12", headers=COOKIE).text)
    plain = main_of(reading_client.get("/claims/S2-12").text)
    assert "4.80\u202fTbit/s" in chosen
    assert "4.80\u202fTbit/s" not in plain
    assert "600\u202fGB/s" in plain


OF_MONEY = ("cost", "economics/cost", "economics/cash", "economics/rent", "economics/decision", "economics/build_out",
            "economics/runs", "fabric/bill", "fabric/supernode", "facility/power_supply", "supernode")  # fmt: skip


@pytest.mark.parametrize("place", OF_MONEY)
def test_no_amount_is_converted_under_the_name_of_another_currency(
    reading_client: AsgiClient, place: str
) -> None:
    """Columns and values that name the dollar have the same numbers for every reader; those in yen are 140.5 times."""
    address = section_of(place).address("edge_node")
    dollars, yen = (
        read(reading_client.get(address, headers=headers | {PART_HEADER: "section"}).text)
        for headers in ({}, YEN)
    )
    for first, second in zip(values(dollars), values(yen), strict=True):
        before, after = measured(first.text), measured(second.text)
        if before is not None and before.unit in ("USD", "USD/year"):
            assert after is not None
            assert after.unit == before.unit.replace("USD", "JPY"), (first, second)
            assert after.low < before.high * 140.5001, (first, second)
            assert after.high > before.low * 140.5001, (first, second)
        else:
            assert first == second
    tables = [[one for one in page.all() if one.tag == "table"] for page in (dollars, yen)]
    for first, second in zip(*tables, strict=True):
        heads, cells = zip(*(columns_of(one) for one in (first, second)), strict=True)
        for name, other, texts, converted in zip(*heads, *cells, strict=True):
            if "USD" in other:
                assert texts == converted, (name, other)
            else:
                assert ("USD" in name) == ("JPY" in other), (name, other)


def columns_of(table: Element) -> tuple[list[str], list[list[str]]]:
    """Heads of a table, and the texts of the numeric cells below each that name no currency themselves."""
    rows = [
        [cell for cell in row.elements if cell.tag in ("th", "td")] for row in table.all() if row.tag == "tr"
    ]
    heads = [cell.text for cell in rows[0]] if rows else []
    below = [[row[place].text for row in rows[1:] if place < len(row)] for place in range(len(heads))]
    return heads, [[text for text in column if "JPY" not in text and "USD" not in text] for column in below]


def test_the_rate_and_its_source_are_said_below_every_page(reading_client: AsgiClient) -> None:
    for path in ("/designs/edge_node", "/catalog", "/units"):
        page = reading_client.get(path, headers=YEN).text
        assert "140.5 JPY per USD, average of 2023 (Board of Governors" in page
        assert "1 Feb 2024" in page
        assert "currency-note" not in reading_client.get(path).text


def test_a_choice_of_before_there_were_currencies_is_in_dollars(reading_client: AsgiClient) -> None:
    old = {"cookie": f"{UNITS_COOKIE}=bits.tons.fahrenheit"}
    page = reading_client.get("/units", headers=old).text
    assert 'value="fahrenheit" checked' in page
    assert 'value="USD" checked' in page


def test_a_choice_is_kept_in_the_browser(asgi_client: AsgiClient) -> None:
    answer = asgi_client.post("/units", content=CHOICE, headers=FORM)
    assert answer.status_code == 303
    assert answer.headers["location"] == "/units?saved=true"
    assert f"{UNITS_COOKIE}={OTHER}" in answer.headers["set-cookie"]
    assert (
        asgi_client.post("/units", content=f"{CHOICE}&next=/claims", headers=FORM).headers["location"]
        == "/claims"
    )
    elsewhere = asgi_client.post("/units", content=f"{CHOICE}&next=//evil.example", headers=FORM)
    assert elsewhere.headers["location"] == "/units?saved=true"
    assert (
        f"{UNITS_COOKIE}=bytes.kw.celsius.USD"
        in asgi_client.post("/units", content="heat=kelvin", headers=FORM).headers["set-cookie"]
    )


def test_a_choice_follows_the_account_to_another_browser(people: People) -> None:
    ada = people.client("Ada")
    answer = ada.post("/units", content=CHOICE, headers=FORM)
    assert answer.status_code == 303, answer.text
    elsewhere = people.signed_in(people.account("Ada").id)
    page = people.client().get("/units", headers=elsewhere.headers).text
    assert 'value="fahrenheit" checked' in page
    assert 'value="celsius" checked' in people.client("Eve").get("/units").text


def test_paths_of_files_and_rest_are_in_base_units() -> None:
    headers = [(b"cookie", COOKIE["cookie"].encode())]
    for path in (
        "/api/v1/evaluations",
        "/fabric/a/bill/file",
        "/studio/export/evaluation/a.csv",
        "/designs/a/export/x/y",
    ):
        assert units_of({"path": path, "headers": headers}).text == "bytes.kw.celsius.USD"
    assert units_of({"path": "/designs/a", "headers": headers}).text == OTHER
