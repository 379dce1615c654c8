"""Packs for vendors: whole, quick, without money, and a quote that comes back as prices of the team."""

from __future__ import annotations

import base64
import csv
import io
import json
import random
import time
import zipfile
from xml.etree import ElementTree

import openpyxl
import pypdfium2
import pytest

from app.catalog.ready import ready_catalog
from app.saved.exchange_rates import exchange_rates
from app.saved.team_catalog.quote import read_quote
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import evaluated
from app.scenarios.examples import example
from app.settings import Settings
from app.surfaces.files.work import Work
from app.surfaces.pages.report.pack import Pack
from tests.asgi import AsgiClient

pytestmark = pytest.mark.slow

FLAGSHIP = "llama_3_1_405b_on_2048_dgx_h100"
MOST_SECONDS = 20


def made(key: str, without: tuple[str, ...] = (), settings: Settings | None = None) -> Pack:
    document, catalog = example(key).read(), ready_catalog()
    return Pack(Work(document, lambda: evaluated(document, catalog)), catalog, without, settings)


def files(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as pack:
        assert pack.testzip() is None
        return {name: pack.read(name) for name in pack.namelist()}


def table(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode())))


def test_a_pack_of_16384_gpus_is_whole_and_quick() -> None:
    heard: list[tuple[int, int, str]] = []
    start = time.perf_counter()
    found = files(made(FLAGSHIP).written(lambda *step: heard.append(step)))
    assert time.perf_counter() - start < MOST_SECONDS
    assert [step[0] for step in heard] == list(range(heard[-1][1] + 1)), "progress, file by file"
    assert {
        "quote.xlsx",
        "cables.csv",
        "netbox.zip",
        "floor.svg",
        "racks.csv",
        "questions.csv",
        "README.txt",
    } <= set(found)
    assert len(table(found["cables.csv"])) == 49_152
    racks = table(found["racks.csv"])
    assert len(racks) == 616
    document = example(FLAGSHIP).read()
    power = evaluated(document, ready_catalog()).as_json["power"]
    compute = [float(row["power_w"]) for row in racks if row["kind"] == "compute"]
    assert max(compute) == pytest.approx(power["power_per_rack_w"], rel=1e-6)
    for name in [one for one in found if one.endswith(".svg")]:
        assert len(list(ElementTree.fromstring(found[name]).iter())) > 10


def test_the_same_design_gives_the_same_bytes() -> None:
    assert made("edge_node").written() == made("edge_node").written()


def test_drawings_are_a_pdf_too_where_there_is_a_chromium(chromium_path: str) -> None:
    packs = [files(made("edge_node", settings=Settings(chromium=chromium_path)).written()) for _ in range(2)]
    assert packs[0] == packs[1], "no time of day is in it"
    drawings = [name for name in packs[0] if name.endswith(".svg")]
    document = pypdfium2.PdfDocument(packs[0]["drawings.pdf"])
    assert len(document) == len(drawings), "one a sheet"
    width, height = document[0].get_size()
    assert width > height, "across"
    text = "\n".join(page.get_textpage().get_text_bounded() for page in document)
    assert "Floor plan" in text or "floor" in text.lower()
    assert "drawings.pdf" in packs[0]["README.txt"].decode()


def test_a_server_without_chromium_says_that_the_pdf_is_not_there() -> None:
    found = files(made("edge_node", settings=Settings(chromium="none")).written())
    assert "drawings.pdf" not in found
    assert "drawings.pdf: PDF needs Chromium" in found["questions.csv"].decode()
    assert "drawings.pdf" not in found["README.txt"].decode()


def test_the_page_hears_how_far_a_pack_is(reading_client: AsgiClient) -> None:
    answer = reading_client.get("/designs/edge_node/pack/steps?without=names")
    assert answer.status_code == 200
    lines = [json.loads(line) for line in answer.text.splitlines()]
    assert [line["done"] for line in lines[:-1]] == list(range(lines[0]["of"]))
    assert {"quote.xlsx", "cables.csv"} <= {line["file"] for line in lines[:-1]}
    assert lines[-1]["name"] == "Design vendor pack.zip"
    assert "quote.xlsx" in files(base64.b64decode(lines[-1]["content"]))


def test_a_pack_stops_where_no_one_reads_on() -> None:
    asked: list[str] = []
    pack = made("edge_node")
    steps = pack.steps()
    asked += [next(steps).name, next(steps).name]
    steps.close()
    assert asked == ["quote.xlsx", "cables.csv"]


def test_quantities_are_those_of_the_bill_and_prices_are_empty() -> None:
    pack = made(FLAGSHIP)
    lines = list(pack.lines())
    book = openpyxl.load_workbook(io.BytesIO(files(pack.written())["quote.xlsx"]))
    rows = list(book["Quote"].iter_rows(values_only=True))
    at = next(place for place, row in enumerate(rows) if row[0] == "Part key")
    quoted = rows[at + 1 :]
    assert sum(row[3] for row in quoted) == pytest.approx(sum(line.quantity for line in lines))
    assert all(row[5] is None for row in quoted)
    systems = next(row for row in quoted if row[0] == "dgx_h100")
    assert systems[3] == 2048 + 23, "with its spares"


@pytest.mark.parametrize("key", [FLAGSHIP, "deepseek_r1_on_cloudmatrix384", "edge_node"])
def test_no_amount_of_money_and_no_name_leaves(key: str) -> None:
    document = example(key).read()
    found = files(made(key, ("names", "sites")).written())
    site = evaluated(document, ready_catalog()).as_json["inputs"]["site"]["name"]
    inside = files(found.pop("netbox.zip")) | {
        name: content for name, content in found.items() if not name.endswith(".xlsx")
    }
    book = openpyxl.load_workbook(io.BytesIO(found["quote.xlsx"]))
    inside["quote"] = "\n".join(
        str(cell)
        for sheet in book
        for row in sheet.iter_rows(values_only=True)
        for cell in row
        if cell is not None
    ).encode()
    for name, content in inside.items():
        text = content.decode()
        assert document.name not in text, name
        assert site not in text, name
        if name != "quote":  # which asks for US dollars
            assert "USD" not in text, name


def filled(
    content: bytes,
    prices: dict[str, object],
    facts: tuple[object, ...] = ("Vendor AG", "Q-4711", "2026-11-20"),
) -> bytes:
    book = openpyxl.load_workbook(io.BytesIO(content))
    sheet = book["Quote"]
    for row, value in enumerate(facts, start=3):
        sheet.cell(row, 2).value = value
    for row in sheet.iter_rows(min_row=8):
        if row[0].value in prices:
            row[5].value = prices[row[0].value]
    held = io.BytesIO()
    book.save(held)
    return held.getvalue()


@pytest.fixture(scope="module")
def quote() -> bytes:
    return files(made(FLAGSHIP).written())["quote.xlsx"]


def test_a_quote_is_read_back_as_exactly_the_prices_filled_in(quote: bytes) -> None:
    found = read_quote(filled(quote, {"dgx_h100": 301_250.5, "mma4z00": None}))
    assert found.prices == (("dgx_h100", "DGX H100", "USD/system", 301_250.5),)
    assert found.not_offered > 0
    assert found.rows[1][6:8] == ("Quote Q-4711 of Vendor AG", "2026-11-20")


@pytest.mark.parametrize(
    ("prices", "facts", "said"),
    [
        ({"dgx_h100": "cheap"}, ("V", "1", "2026-11"), "is no price"),
        ({"dgx_h100": -5}, ("V", "1", "2026-11"), "is no price"),
        ({"dgx_h100": 5}, ("V", "1", None), "date of the quote is empty"),
        ({"dgx_h100": 5}, (None, "1", "2026-11"), "whom it is of"),
    ],
)
def test_a_quote_that_cannot_be_used_says_why(quote: bytes, prices, facts, said) -> None:
    with pytest.raises(ScenarioError, match=said):
        read_quote(filled(quote, prices, facts))


@pytest.mark.parametrize("code", ["EUR", "GBP", "CNY", "JPY", "NOK"])
def test_a_quote_in_another_currency_is_read_at_the_published_rate(quote: bytes, code: str) -> None:
    found = read_quote(filled(quote, {"dgx_h100": 250_000}, ("V", "1", "2026-11-20", code)))
    rate = exchange_rates()[code]
    assert found.prices[0][3] == 250_000 / rate.per_usd
    said = found.rows[1][6]
    assert said.startswith(f"Quote 1 of V: 250000.0 {code} at ")
    assert rate.published.isoformat() in said, "the rate has its date"
    assert rate.source in said


def test_euros_by_hand(quote: bytes) -> None:
    """1.0817 USD an EUR, the average of 2023 by the Federal Reserve: 250,000 EUR are 270,425 USD."""
    found = read_quote(filled(quote, {"dgx_h100": 250_000}, ("V", "1", "2026-11-20", "EUR")))
    assert found.prices[0][3] == pytest.approx(270_425, rel=1e-12)


def test_a_quote_may_state_its_own_rate_with_its_date(quote: bytes) -> None:
    facts = ("V", "1", "2026-11-20", "eur", 0.8, "2026-11-19")
    found = read_quote(filled(quote, {"dgx_h100": 200_000}, facts))
    assert found.prices[0][3] == 250_000
    assert "at 0.8 EUR per USD, as the quote states, 2026-11-19" in found.rows[1][6]


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        (("V", "1", "2026-11-20", "XAU"), "no exchange rate of 'XAU'"),
        (("V", "1", "2026-11-20", "USD", 0.9, "2026-11-20"), "prices are in US dollars"),
        (("V", "1", "2026-11-20", "EUR", "much", "2026-11-20"), "is no rate"),
        (("V", "1", "2026-11-20", "EUR", 0, "2026-11-20"), "is no rate"),
        (("V", "1", "2026-11-20", "EUR", 0.9, None), "date of the rate is missing"),
        (("V", "1", "2026-11-20", "EUR", 0.9, "2026-13-40"), "is no date"),
    ],
)
def test_a_currency_or_rate_that_cannot_be_used_says_why(quote: bytes, facts, said: str) -> None:
    with pytest.raises(ScenarioError, match=said):
        read_quote(filled(quote, {"dgx_h100": 5}, facts))


def test_a_workbook_of_an_earlier_version_is_read_as_dollars(quote: bytes) -> None:
    book = openpyxl.load_workbook(io.BytesIO(filled(quote, {"dgx_h100": 5.5})))
    sheet = book["Quote"]
    for row in sheet.iter_rows():
        for cell in row:
            if cell.value == "Unit price":
                cell.value = "Unit price, USD"
            elif cell.value in ("system", "unit"):
                cell.value = f"USD/{cell.value}"
    sheet.delete_rows(6, 3)
    held = io.BytesIO()
    book.save(held)
    assert read_quote(held.getvalue()).prices == (("dgx_h100", "DGX H100", "USD/system", 5.5),)


def test_exactly_the_prices_filled_in_are_read_from_any_filling(quote: bytes) -> None:
    book = openpyxl.load_workbook(io.BytesIO(quote))
    rows = list(book["Quote"].iter_rows(values_only=True))
    at = next(place for place, row in enumerate(rows) if row[0] == "Part key")
    keys = [row[0] for row in rows[at + 1 :] if row[0]]
    for seed in range(8):
        pick = random.Random(seed)
        prices = {
            key: round(pick.uniform(1, 1e6), 2) for key in pick.sample(keys, pick.randint(0, len(keys)))
        }
        code = pick.choice(["USD", "EUR", "JPY"])
        per_usd = 1.0 if code == "USD" else exchange_rates()[code].per_usd
        found = read_quote(filled(quote, dict(prices), ("V", "1", "2026-11-20", code)))
        assert {one[0]: one[3] for one in found.prices} == {
            key: price / per_usd for key, price in prices.items()
        }
        assert found.not_offered == len(rows) - at - 1 - len(prices)


def test_a_quote_changes_the_prices_of_the_team_and_nothing_else(
    asgi_client: AsgiClient, quote: bytes
) -> None:
    content = filled(quote, {"dgx_h100": 301_250.5})
    scenario = example(FLAGSHIP).read().as_dict()
    before = asgi_client.post("/api/v1/evaluations", json=scenario).json()
    sheet = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    preview = asgi_client.post(
        "/api/v1/catalog/imports?dry_run=true", content=content, headers={"content-type": sheet}
    )
    assert preview.status_code == 200, preview.text
    assert asgi_client.post("/api/v1/evaluations", json=scenario).json()["cost"] == before["cost"], (
        "a preview only"
    )
    done = asgi_client.post(
        "/api/v1/catalog/imports?dry_run=false", content=content, headers={"content-type": sheet}
    )
    assert done.status_code in (200, 201), done.text
    rows = asgi_client.get("/api/v1/catalog/export?kind=prices&own=true&format=csv").text.splitlines()
    assert len(rows) == 2
    assert "301250.5" in rows[1]
    assert "Quote Q-4711 of Vendor AG" in rows[1]
    after = asgi_client.post("/api/v1/evaluations", json=scenario).json()
    assert after["cost"]["capex_usd"] != before["cost"]["capex_usd"]
    for room in ("performance", "power", "cooling"):
        assert after[room] == before[room]


def test_over_rest_and_the_page(reading_client: AsgiClient) -> None:
    scenario = example("edge_node").read().as_dict()
    answer = reading_client.post("/api/v1/packs?without=names", json=scenario)
    assert answer.status_code == 200
    assert "quote.xlsx" in files(answer.content)
    assert reading_client.post("/api/v1/packs?without=budget", json=scenario).status_code == 422
    page = reading_client.get("/designs/edge_node/pack?without=sites")
    assert page.status_code == 200
    assert page.headers["content-type"] == "application/zip"
