"""The files a cash flow can be had as: one table for the command line and the pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import orjson

from app.exports.cash_flow.csv_file import cash_flow_csv
from app.exports.cash_flow.workbook import cash_flow_xlsx
from app.exports.formats import XLSX_TYPE
from app.scenarios.economics.cash_flow.answer import answer_json
from app.scenarios.economics.cash_flow.report import CashFlowAnswer


class CashFlowFormat(NamedTuple):
    """A kind of file, and what writes it."""

    name: str
    media_type: str
    suffix: str
    title: str
    write: Callable[[CashFlowAnswer], bytes]


def cash_flow_json(answer: CashFlowAnswer) -> bytes:
    """All of the cash flow, as the API answers it."""
    return orjson.dumps(answer_json(answer), option=orjson.OPT_INDENT_2)


FORMATS = {
    "csv": CashFlowFormat("csv", "text/csv; charset=utf-8", ".cash.csv", "CSV", cash_flow_csv),
    "xlsx": CashFlowFormat("xlsx", XLSX_TYPE, ".cash.xlsx", "Excel, with formulas", cash_flow_xlsx),
    "json": CashFlowFormat("json", "application/json", ".cash.json", "JSON", cash_flow_json),
}
