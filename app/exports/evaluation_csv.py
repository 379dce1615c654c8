"""An evaluation as comma-separated values (RFC 4180): one row a figure."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

from app.exports.rows import FigureRow, figure_rows
from app.exports.work import Work

COLUMNS = ("path", "label", "value", "unit", "basis", "source", "low", "high")
FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n")


def evaluation_csv(work: Work) -> bytes:
    """Every figure in long form, then what was evaluated, with what, and what stands in the way."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for row in (*figure_rows(work.evaluated.as_json), *_other_rows(work.evaluated.as_json)):
        value = _written(row.value)
        words = (safe(row.basis), safe(row.source))
        writer.writerow(
            [row.path, safe(row.label), value, row.unit, *words, _written(row.low), _written(row.high)]
        )
    return text.getvalue().encode()


def safe(text: str) -> str:
    """Text that a spreadsheet shows and does not compute: a quote goes before what looks like a formula.

    >>> safe("=1+1"), safe("H100")
    ("'=1+1", 'H100')
    """
    return f"'{text}" if text.startswith(FORMULA_SIGNS) else text


def _other_rows(evaluation: dict[str, Any]) -> Iterator[FigureRow]:
    yield FigureRow("name", "Name of the scenario", evaluation["name"], "")
    yield FigureRow("feasible", "Can be built as it is", evaluation["feasible"], "")
    for position, problem in enumerate(evaluation["problems"]):
        path = f"problems[{position}]"
        yield FigureRow(f"{path}.kind", "Kind of problem", problem["kind"], "")
        yield FigureRow(f"{path}.field", "Field it is about", problem["field"], "")
        yield FigureRow(f"{path}.message", "What is wrong", problem["message"], "")
        if problem["missed_by"] is not None:
            yield FigureRow(f"{path}.missed_by", "Missed by", problem["missed_by"], problem["unit"])
        if problem["fix"]:
            yield FigureRow(f"{path}.fix.message", "What mends it", problem["fix"]["message"], "")
    for name, value in evaluation["provenance"].items():
        if value is not None:
            yield FigureRow(f"provenance.{name}", name.replace("_", " ").capitalize(), value, "")


def _written(value: float | int | str | bool | None) -> str:
    """Numbers so that they are read back exactly; unknown is an empty cell."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return safe(value) if isinstance(value, str) else repr(value)
