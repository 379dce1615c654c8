"""An evaluation as comma-separated values (RFC 4180): one row a figure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from app.scenarios.reading.spreadsheets.text import csv_bytes
from app.surfaces.files.rows import FigureRow, figure_rows
from app.surfaces.files.work import Work

COLUMNS = ("path", "label", "value", "unit", "basis", "source", "low", "high")


def evaluation_csv(work: Work) -> bytes:
    """Every figure in long form, then what was evaluated, with what, and what stands in the way."""
    evaluation = work.evaluated.as_json
    rows = (*figure_rows(evaluation), *_other_rows(evaluation))
    return csv_bytes([COLUMNS, *map(_row_values, rows)])


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
    for position, one in enumerate(evaluation.get("estimates", ())):
        path = f"estimates[{position}]"
        yield FigureRow(
            f"{path}.value",
            f"Accepted estimate of {one['label']}",
            one["value"],
            one["unit"],
            basis=f"accepted for {one['place']}",
            source=one["rule"],
            low=one["low"],
            high=one["high"],
        )
    for name, value in evaluation["provenance"].items():
        if value is not None:
            yield FigureRow(f"provenance.{name}", name.replace("_", " ").capitalize(), value, "")


def _row_values(row: FigureRow) -> tuple[float | int | str | bool | None, ...]:
    """A row in the order of the columns."""
    return (row.path, row.label, row.value, row.unit, row.basis, row.source, row.low, row.high)
