"""The cost tree as comma-separated values (RFC 4180): a row a part, then the branches, then the whole."""

from __future__ import annotations

from typing import Any

from app.scenarios.reading.spreadsheets.text import csv_bytes
from app.surfaces.files.cost_tree.columns import COLUMNS
from app.views.economics.cost_parts import BRANCHES
from app.views.economics.cost_tree import CostTree, CostTreeSum


def tree_csv(tree: CostTree) -> bytes:
    """Numbers so that they are read back exactly, text so that it is never computed; unknown is an empty cell."""
    parts = (
        (BRANCHES[part.branch], *(getattr(part, column.field) for column in COLUMNS[1:]))
        for part in tree.parts
    )
    sums = (*((branch.title, branch.together) for branch in tree.branches), ("All", tree.together))
    return csv_bytes([(column.title for column in COLUMNS), *parts, *(_sum(*one) for one in sums)])


def _sum(title: str, together: CostTreeSum) -> list[Any]:
    words = {"branch": title, "title": "Together"}
    return [
        getattr(together, column.field) if column.is_summed else words.get(column.field) for column in COLUMNS
    ]
