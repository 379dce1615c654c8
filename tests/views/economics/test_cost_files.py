"""The cost tree as files: the same numbers in each, sums by formula, unknown as such."""

from __future__ import annotations

import csv
import dataclasses
import io
import math

import pytest
from openpyxl import load_workbook

from app.catalog.ready import ready_catalog
from app.scenarios.evaluation.service import evaluate_example
from app.views.economics.cost_files import FORMATS
from app.views.economics.cost_tree import CostTree, cost_tree

UNKNOWN = float("nan")


@pytest.fixture(scope="module")
def tree() -> CostTree:
    catalog = ready_catalog()
    return cost_tree(evaluate_example("edge_node", catalog), catalog)


@pytest.mark.slow
def test_csv_has_every_part_and_the_sums(tree: CostTree) -> None:
    rows = list(csv.DictReader(io.StringIO(FORMATS["csv"].write(tree).decode())))
    assert len(rows) == len(tree.parts) + len(tree.branches) + 1
    for row, part in zip(rows, tree.parts, strict=False):
        assert row["Part"] == part.title
        assert float(row["A year, USD"]) == part.usd_per_year
        assert row["Price, USD"] == ("" if part.price_usd is None else repr(part.price_usd))
    assert rows[-1]["Branch"] == "All"
    assert float(rows[-1]["Over the life, USD"]) == tree.together.tco_usd


def test_the_workbook_sums_by_formula(tree: CostTree) -> None:
    content = FORMATS["xlsx"].write(tree)
    assert content == FORMATS["xlsx"].write(tree)
    sheet = load_workbook(io.BytesIO(content))["Cost breakdown"]
    values = load_workbook(io.BytesIO(content), data_only=True)["Cost breakdown"]
    together = [row for row in range(2, sheet.max_row + 1) if sheet.cell(row, 2).value == "Total"]
    assert len(together) == len(tree.branches) + 1
    *branches, whole = together
    assert sheet.cell(whole, 5).value == f"=SUM({','.join(f'E{row}' for row in branches)})"
    assert values.cell(whole, 5).value == pytest.approx(tree.together.usd_per_year)
    first = 2
    for row in branches:
        assert sheet.cell(row, 5).value == f"=SUM(E{first}:E{row - 1})"
        inside = math.fsum(values.cell(line, 5).value for line in range(first, row))
        assert values.cell(row, 5).value == pytest.approx(inside)
        first = row + 1


def test_unknown_is_no_number(tree: CostTree) -> None:
    first, *others = tree.branches
    parts = (dataclasses.replace(first.parts[0], usd_per_year=UNKNOWN), *first.parts[1:])
    without = dataclasses.replace(
        tree,
        branches=(
            dataclasses.replace(
                first, parts=parts, together=dataclasses.replace(first.together, usd_per_year=UNKNOWN)
            ),
            *others,
        ),
    )
    row = next(csv.DictReader(io.StringIO(FORMATS["csv"].write(without).decode())))
    assert row["A year, USD"] == ""
    sheet = load_workbook(io.BytesIO(FORMATS["xlsx"].write(without)), data_only=True)["Cost breakdown"]
    assert sheet.cell(2, 5).value == "unknown"
    assert sheet.cell(2 + len(first.parts), 5).value == "unknown"
