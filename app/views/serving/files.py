"""Views of a served model as files: a table as CSV, everything as JSON."""

from __future__ import annotations

import csv
import io
from typing import Any

from app.views.file_format import by_name, csv_file, json_file
from app.views.plain import report_json

ROWS = {
    "LatencyView": "points",
    "SimulatedView": "rows",
    "RooflineView": "points",
    "MemoryView": "points",
    "SizingView": "rows",
    "TokenCostView": "systems",
    "EdgeView": "places",
}
"""The field of a view that is its table."""


def table_csv(view: Any) -> bytes:
    """The table of a view, a line a row; columns carry their units, parts are columns of their own.

    An unknown value is an empty cell.
    """
    rows = [_flat(row) for row in report_json(view)[ROWS[type(view).__name__]]]
    columns = list(dict.fromkeys(name for row in rows for name in row))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows([_cell(row.get(name)) for name in columns] for row in rows)
    return text.getvalue().encode()


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, dict):
            found |= {f"{name}.{part}": inside for part, inside in value.items()}
        elif not isinstance(value, list):
            found[name] = value
    return found


def _cell(value: Any) -> Any:
    if value is None:
        return ""
    return f"{value:.9g}" if isinstance(value, float) else value


FORMATS = by_name(csv_file(table_csv, ".csv"), json_file(".json"))
