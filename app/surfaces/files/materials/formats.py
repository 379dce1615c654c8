"""The files a bill can be had as: one table for the command line, the API and the pages."""

from __future__ import annotations

from app.scenarios.errors import refuse, shorten
from app.surfaces.files.file_format import FileFormat, by_name, csv_file, json_file, xlsx_file
from app.surfaces.files.materials.csv_file import bill_csv
from app.surfaces.files.materials.workbook import bill_xlsx
from app.views.fabric.bill_answer import bill_answer
from app.views.fabric.materials import FabricBill

FORMATS: dict[str, FileFormat[FabricBill]] = by_name(
    json_file(".bill.json", bill_answer),
    csv_file(bill_csv, ".bill.csv"),
    xlsx_file(bill_xlsx, ".bill.xlsx"),
)


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
