"""The files a cash flow can be had as: one table for the command line and the pages."""

from __future__ import annotations

from app.surfaces.files.cash_flow.csv_file import cash_flow_csv
from app.surfaces.files.cash_flow.workbook import cash_flow_xlsx
from app.surfaces.files.file_format import FileFormat, by_name, csv_file, json_file, xlsx_file
from app.views.economics.cash_flow.report import CashFlowAnswer

FORMATS: dict[str, FileFormat[CashFlowAnswer]] = by_name(
    csv_file(cash_flow_csv, ".cash.csv"),
    xlsx_file(cash_flow_xlsx, ".cash.xlsx", "Excel, with formulas"),
    json_file(".cash.json"),
)
