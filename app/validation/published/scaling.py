"""Published figures of scaling laws beside ours, each with what explains a difference."""

from __future__ import annotations

import functools
from typing import NamedTuple

from app.catalog.validated_collectives import SCALING_FIGURES_FILE
from app.paths import seed_data
from app.validation.rows import Row, read_rows
from app.validation.scaling.differences import agree
from app.validation.scaling.figures import COLUMNS
from app.validation.scaling.validate import validate_scaling


class ScalingFigure(NamedTuple):
    """One published figure. `reason` says why ours differs by more than 1 %, "" where it does not."""

    row: Row
    published: float
    predicted: float
    reason: str

    @property
    def error(self) -> float:
        """Ours over the published one, less one."""
        return self.predicted / self.published - 1

    @property
    def agrees(self) -> bool:
        """Whether the two are within 1 %."""
        return agree(self.predicted, self.published)


@functools.cache
def scaling_figures() -> tuple[ScalingFigure, ...]:
    """Every shipped figure that is scored, in the order of the file; computed once a process."""
    path = seed_data() / SCALING_FIGURES_FILE
    report = validate_scaling(path)
    rows = {row.key: row for row in read_rows(path, COLUMNS)}
    reasons = {one["id"]: one["reason"] for one in report.extra["explained"]}
    return tuple(
        ScalingFigure(rows[one.key], one.measured, one.predicted, reasons.get(one.key, ""))
        for one in report.predictions
    )
