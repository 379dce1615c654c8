"""The cost tree as comma-separated values (RFC 4180): a row a part, then the branches, then the whole."""

from __future__ import annotations

import csv
import io
import math
from typing import Any

from app.scenarios.reading.spreadsheets.text import to_cell
from app.surfaces.files.cost_tree.columns import COLUMNS
from app.views.economics.cost_parts import BRANCHES
from app.views.economics.cost_tree import CostTree, CostTreeSum


def tree_csv(tree: CostTree) -> bytes:
    """Numbers so that they are read back exactly, text so that it is never computed; unknown is an empty cell."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(column.title for column in COLUMNS)
    for part in tree.parts:
        shown = {column.field: getattr(part, column.field) for column in COLUMNS}
        writer.writerow(_written(value) for value in (shown | {"branch": BRANCHES[part.branch]}).values())
    for branch in tree.branches:
        writer.writerow(_sum(branch.title, branch.together))
    writer.writerow(_sum("All", tree.together))
    return text.getvalue().encode()


def _sum(title: str, together: CostTreeSum) -> list[str]:
    words = {"branch": title, "title": "Together"}
    return [
        _written(getattr(together, column.field) if column.is_summed else words.get(column.field))
        for column in COLUMNS
    ]


def _written(value: Any) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return to_cell(value) if isinstance(value, str) else repr(value)
