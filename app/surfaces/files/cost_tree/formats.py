"""The files a cost tree can be had as: one table for the command line and the pages."""

from __future__ import annotations

from app.surfaces.files.cost_tree.csv_file import tree_csv
from app.surfaces.files.cost_tree.workbook import tree_xlsx
from app.surfaces.files.file_format import FileFormat, by_name, csv_file, json_file, xlsx_file
from app.views.economics.cost_tree import CostTree

FORMATS: dict[str, FileFormat[CostTree]] = by_name(
    json_file(".cost.json"), csv_file(tree_csv, ".cost.csv"), xlsx_file(tree_xlsx, ".cost.xlsx")
)
