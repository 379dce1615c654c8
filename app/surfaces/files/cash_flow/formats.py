"""The files a cash flow can be had as: one table for the command line and the pages."""

from __future__ import annotations

import orjson

from app.surfaces.files.cash_flow.csv_file import cash_flow_csv
from app.surfaces.files.cash_flow.workbook import cash_flow_xlsx
from app.surfaces.files.file_format import FileFormat
from app.surfaces.files.formats import XLSX_TYPE
from app.views.economics.cash_flow.answer import answer_json
from app.views.economics.cash_flow.report import CashFlowAnswer


def cash_flow_json(answer: CashFlowAnswer) -> bytes:
    """All of the cash flow, as the API answers it."""
    return orjson.dumps(answer_json(answer), option=orjson.OPT_INDENT_2)


FORMATS: dict[str, FileFormat[CashFlowAnswer]] = {
    "csv": FileFormat("csv", "text/csv; charset=utf-8", ".cash.csv", "CSV", cash_flow_csv),
    "xlsx": FileFormat("xlsx", XLSX_TYPE, ".cash.xlsx", "Excel, with formulas", cash_flow_xlsx),
    "json": FileFormat("json", "application/json", ".cash.json", "JSON", cash_flow_json),
}
