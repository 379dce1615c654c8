"""Workloads that share a pod, as lines for a terminal."""

from __future__ import annotations

from typing import Any

from app.charts.shared_pod import sharing_words, workload_table

LABEL_WIDTH = 38
LEAST_WIDTH = 16


def workloads_lines(evaluation: dict[str, Any]) -> list[str]:
    """A table with a column a workload, and one of the pod; nothing where one workload has the pod to itself."""
    table = workload_table(evaluation)
    if table is None:
        return []
    columns = [
        [name, what, *(row.cells[place].shown.text for row in table.rows)]
        for place, (name, what) in enumerate(zip(table.names, table.what, strict=True))
    ]
    columns.append(["Pod", "", *(row.pod.shown.text for row in table.rows)])
    widths = [max(LEAST_WIDTH, *map(len, column)) for column in columns]
    labels = ["", "", *(row.label for row in table.rows)]
    lines = ["", f"Workloads. {sharing_words(table)}"]
    for label, *cells in zip(labels, *columns, strict=True):
        padded = "  ".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True))
        lines.append(f"  {label:<{LABEL_WIDTH}}{padded}".rstrip())
    return lines
