"""The bill as files: the same figures in all, and nothing that a spreadsheet would run."""

from __future__ import annotations

import csv
import dataclasses
import io
import json

import pytest
from openpyxl import load_workbook

from app.catalog.ready import ready_catalog
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import evaluate_scenario
from app.views.fabric.bill_answer import bill_answer
from app.views.fabric.bill_files import COLUMNS, FORMATS, bill_format, bill_text
from app.views.fabric.materials import BillOptions, FabricBill, fabric_bill
from tests.scenarios.support import document
from tests.surfaces.files.spreadsheet import Spreadsheet


@pytest.fixture(scope="module")
def bill() -> FabricBill:
    scenario = evaluate_scenario(document(pod__supernodes=31, name="=Bill"), ready_catalog())
    return fabric_bill(scenario, ready_catalog(), BillOptions(patched_from_m=1.0))


def rows(content: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode(), newline="")))


@pytest.mark.slow
def test_csv_has_every_line_and_the_totals(bill: FabricBill) -> None:
    header, *lines = rows(FORMATS["csv"].write(bill))
    assert header == [column.title for column in COLUMNS]
    assert len(lines) == len(bill.lines) + 2
    bought = header.index("Bought")
    assert [float(line[bought]) for line in lines[:-2]] == [line.bought for line in bill.lines]
    assert lines[-1][:2] == ["all", "total"]
    assert lines[-1][header.index("Price, USD")] == ""  # patch panels have no price
    assert float(lines[-1][header.index("Power, W")]) == bill.totals.power_w


def test_words_that_look_like_formulas_stay_words(bill: FabricBill) -> None:
    piece = dataclasses.replace(bill.lines[0].piece, name="=1+1", note="@cmd")
    line = dataclasses.replace(bill.lines[0], piece=piece)
    risky = dataclasses.replace(bill, made=dataclasses.replace(bill.made, lines=[line]))
    _, first, *_ = rows(FORMATS["csv"].write(risky))
    assert first[4] == "'=1+1"
    assert first[-1] == "'@cmd"
    sheet = load_workbook(io.BytesIO(FORMATS["xlsx"].write(risky)))["Compute"]
    assert sheet["E2"].data_type == "s"


def test_prices_of_the_workbook_are_formulas_that_give_the_same(bill: FabricBill) -> None:
    content = FORMATS["xlsx"].write(bill)
    assert content == FORMATS["xlsx"].write(bill)
    book = Spreadsheet(content)
    for row, line in enumerate(bill.lines, start=2):
        if line.price.typical == line.price.typical:
            assert book.computed("Compute", f"M{row}") == pytest.approx(line.price.typical)
    assert book.book.sheetnames == ["Compute", "Racks", "Evaluation"]


def test_json_is_the_answer_of_the_api(bill: FabricBill) -> None:
    assert json.loads(FORMATS["json"].write(bill)) == json.loads(json.dumps(bill_answer(bill)))


def test_text_names_what_is_unknown(bill: FabricBill) -> None:
    words = bill_text(bill_answer(bill))
    assert "Leaf switches" in words
    assert "price unknown" in words
    assert "and 1 lines without a price" in words


def test_an_unknown_format_names_the_known_ones() -> None:
    with pytest.raises(ScenarioError, match="json, csv, xlsx"):
        bill_format("pdf")
