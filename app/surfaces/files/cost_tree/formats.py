"""The files a cost tree can be had as: one table for the command line and the pages."""

from __future__ import annotations

import orjson

from app.surfaces.files.cost_tree.csv_file import tree_csv
from app.surfaces.files.cost_tree.workbook import tree_xlsx
from app.surfaces.files.file_format import FileFormat
from app.surfaces.files.formats import XLSX_TYPE
from app.views.economics.cost_tree import CostTree, tree_json


def tree_as_json(tree: CostTree) -> bytes:
    """All of the tree, as the API answers it."""
    return orjson.dumps(tree_json(tree), option=orjson.OPT_INDENT_2)


FORMATS: dict[str, FileFormat[CostTree]] = {
    "json": FileFormat("json", "application/json", ".cost.json", "JSON", tree_as_json),
    "csv": FileFormat("csv", "text/csv; charset=utf-8", ".cost.csv", "CSV", tree_csv),
    "xlsx": FileFormat("xlsx", XLSX_TYPE, ".cost.xlsx", "Excel", tree_xlsx),
}
