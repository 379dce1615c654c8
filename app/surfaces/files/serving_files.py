"""Views of a served model as files: a table as CSV, everything as JSON."""

from __future__ import annotations

import csv
import dataclasses
import io
from typing import Any, NamedTuple

import orjson

from app.views.plain import without_unknown


class _Tables(NamedTuple):
    """`rows` is the field of a view that is its table; `formats` title, media type and ending of a file."""

    rows: dict[str, str]
    formats: dict[str, tuple[str, str, str]]


TABLES = _Tables(
    rows={
        "LatencyView": "points",
        "SimulatedView": "rows",
        "RooflineView": "points",
        "MemoryView": "points",
        "SizingView": "rows",
        "TokenCostView": "systems",
        "EdgeView": "places",
    },
    formats={
        "csv": ("CSV", "text/csv; charset=utf-8", ".csv"),
        "json": ("JSON", "application/json", ".json"),
    },
)


def view_json(view: Any) -> dict[str, Any]:
    """A view as plain JSON values, unknown as null."""
    plain: dict[str, Any] = without_unknown(dataclasses.asdict(view))
    return plain


def file_of(view: Any, format: str) -> tuple[bytes, str, str]:
    """The content of a file, its media type and its ending."""
    _, media_type, suffix = TABLES.formats[format]
    content = (
        orjson.dumps(view_json(view), option=orjson.OPT_INDENT_2) if format == "json" else table_csv(view)
    )
    return content, media_type, suffix


def table_csv(view: Any) -> bytes:
    """The table of a view, a line a row; columns carry their units, parts are columns of their own.

    An unknown value is an empty cell.
    """
    rows = [_flat(row) for row in view_json(view)[TABLES.rows[type(view).__name__]]]
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
