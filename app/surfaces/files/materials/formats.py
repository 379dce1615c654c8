"""The files a bill can be had as: one table for the command line, the API and the pages."""

from __future__ import annotations

from typing import Any

import orjson

from app.scenarios.errors import refuse, shorten
from app.surfaces.files.file_format import FileFormat
from app.surfaces.files.formats import XLSX_TYPE
from app.surfaces.files.materials.csv_file import bill_csv
from app.surfaces.files.materials.workbook import bill_xlsx
from app.views.fabric.bill_answer import bill_answer
from app.views.fabric.materials import FabricBill


def bill_json(bill: FabricBill) -> bytes:
    """All of the bill, as the API answers it."""
    answer: dict[str, Any] = bill_answer(bill)
    return orjson.dumps(answer, option=orjson.OPT_INDENT_2)


FORMATS: dict[str, FileFormat[FabricBill]] = {
    "json": FileFormat("json", "application/json", ".bill.json", "JSON", bill_json),
    "csv": FileFormat("csv", "text/csv; charset=utf-8", ".bill.csv", "CSV", bill_csv),
    "xlsx": FileFormat("xlsx", XLSX_TYPE, ".bill.xlsx", "Excel", bill_xlsx),
}


def bill_format(name: str) -> FileFormat[FabricBill]:
    """The format of that name.

    Raises
    ------
    ScenarioError : there is none
    """
    if name not in FORMATS:
        raise refuse(
            f"{shorten(name)} is not a format of a bill.",
            rule="one_of",
            path="format",
            value=name,
            hint=f"Formats: {', '.join(FORMATS)}.",
            stated=True,
        )
    return FORMATS[name]
