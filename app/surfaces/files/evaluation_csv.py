"""An evaluation as comma-separated values (RFC 4180): one row a figure."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

from app.scenarios.reading.spreadsheets.text import to_cell
from app.surfaces.files.rows import FigureRow, figure_rows
from app.surfaces.files.work import Work

COLUMNS = ("path", "label", "value", "unit", "basis", "source", "low", "high")


def evaluation_csv(work: Work) -> bytes:
    """Every figure in long form, then what was evaluated, with what, and what stands in the way."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for row in (*figure_rows(work.evaluated.as_json), *_other_rows(work.evaluated.as_json)):
        writer.writerow([_written(value) for value in _row_values(row)])
    return text.getvalue().encode()


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


def _written(value: float | int | str | bool | None) -> str:
    """Numbers so that they are read back exactly, text so that it is never computed; unknown is an empty cell."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return to_cell(value) if isinstance(value, str) else repr(value)
