"""What every view of operations reads of an evaluated run, and the files of their tables."""

from __future__ import annotations

import csv
import dataclasses
import io
import math
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, Literal, NamedTuple

import numpy as np
from pydantic import Field

from app.engine.operations.section import Reliability, evaluate_reliability
from app.engine.performance.generic_step import GenericPerformance
from app.engine.performance.section import Performance
from app.engine.running.training_run import RunPlan, run_plan
from app.engine.specs import Design, GenericWorkload, TrainingWorkload
from app.engine.trace import Array
from app.scenarios.errors import refuse
from app.scenarios.evaluation.intervals import FAILURE_RATE
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.evaluation.training_only import of_a_run, one_workload
from app.scenarios.fields import Part
from app.views.file_format import csv_file, xlsx_file
from app.views.sheet import Book, Number
from app.views.table import FileColumn
from app.views.view import File

PURPOSE = "Operations in detail"


class TableFormat(Part):
    """The format of the answer."""

    format: Literal["json", "csv", "xlsx"] = Field(
        default="json", description="json: all of it; csv or xlsx: its table."
    )


class Rate(NamedTuple):
    """Failures a node-day with the bounds that 80 % of fleets lie in; NaN bounds where the rate is stated."""

    value: float
    low: float
    high: float
    source: str


class OfRun(NamedTuple):
    """A run, the design it is of and its reliability."""

    design: Design
    workload: TrainingWorkload | GenericWorkload
    performance: Performance | GenericPerformance
    reliability: Reliability
    rate: Rate

    def evaluated(
        self, *, spare_units: Array | None = None, rates: Array | None = None, **changes: Any
    ) -> Reliability:
        """The reliability with other spares, rates of failures, or `pod` and `performance`; arrays broadcast."""
        known, operations = self.design.assumptions.rooms["operations"], self.design.operations
        values: dict[str, Any] = {
            "workload": self.workload,
            "supernode": self.design.supernode,
            "pod": self.design.pod,
            "performance": self.performance,
            "operations": operations if spare_units is None else dataclasses.replace(operations, spare_units=spare_units),
            "assumptions": known if rates is None else dataclasses.replace(known, failures_per_node_day=rates),
        }  # fmt: skip
        with np.errstate(invalid="ignore", divide="ignore", over="ignore", under="ignore"):
            return evaluate_reliability(**values | changes)

    def plan(self) -> RunPlan:
        """The plan of its simulation.

        Raises
        ------
        ScenarioError : a number of it is unknown
        """
        with np.errstate(invalid="ignore"):
            found = run_plan(
                workload=self.workload,
                supernode=self.design.supernode,
                pod=self.design.pod,
                operations=self.design.operations,
                performance=self.performance,
                reliability=self.reliability,
                assumptions=self.design.assumptions.rooms["operations"],
            )
        unknown = [
            NAMES.get(field.name, field.name)
            for field in dataclasses.fields(found)
            if isinstance(value := getattr(found, field.name), float) and math.isnan(value)
        ]
        if unknown:
            raise refuse(
                f"The run cannot be simulated: {', '.join(unknown)} unknown.",
                rule="unknown",
                hint="The design page names the inputs that are missing.",
            )
        return found


NAMES = {
    "work_s": "training time",
    "mtbf_s": "time between interruptions",
    "interval_s": "checkpoint interval",
    "stall_s": "checkpoint stall",
    "drain_s": "time to drain a copy",
    "remote_restart_s": "time to restart",
    "local_restart_s": "time to restart",
}


def run_of(scenario: EvaluatedScenario) -> OfRun:
    """The run of a scenario.

    Raises
    ------
    ScenarioError : it serves, or several workloads share the pod
    """
    design, sections = scenario.resolved.whole, scenario.evaluation.sections
    one_workload(design, PURPOSE)
    of_a_run(sections.reliability.ettr, PURPOSE)
    performance = sections.performance
    assert isinstance(performance, Performance | GenericPerformance), "it is a run"
    assert isinstance(design.workload, TrainingWorkload | GenericWorkload)
    origin = scenario.resolved.origins[FAILURE_RATE]
    value = float(design.assumptions.rooms["operations"].failures_per_node_day[0])
    unknown = math.nan
    rate = Rate(
        value,
        unknown if origin.low is None or origin.high is None else origin.low,
        unknown if origin.high is None or origin.low is None else origin.high,
        origin.source,
    )
    return OfRun(design, design.workload, performance, sections.reliability, rate)


def files_of(
    columns: Sequence[FileColumn], rows: Callable[[Any], Sequence[Any]], *, name: str
) -> tuple[File[Any], ...]:
    """CSV and workbook of the table of an answer, which has a `name`."""

    def as_csv(answer: Any) -> bytes:
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\r\n")
        writer.writerow(
            [f"{one.title} ({one.unit})" if one.unit not in (None, "1") else one.title for one in columns]
        )
        writer.writerows([[_cell(one.of(row)) for one in columns] for row in rows(answer)])
        return text.getvalue().encode()

    def as_xlsx(answer: Any) -> bytes:
        book = Book(title=answer.name, subject=name.capitalize(), created=datetime(2026, 1, 1, tzinfo=UTC))
        sheet = book.sheet(name.capitalize()[:31], [one.width for one in columns])
        numbers = [place for place, one in enumerate(columns) if one.unit is not None]
        titles = [
            f"{one.title} ({one.unit})" if one.unit not in (None, "1") else one.title for one in columns
        ]
        sheet.header(*titles, numbers=numbers, frozen=True)
        for row in rows(answer):
            sheet.line(
                *(str(one.of(row)) if one.unit is None else Number(one.of(row), one.unit) for one in columns)
            )
        return book.content()

    return (
        File(
            format=csv_file(as_csv, f".{name}.csv"), help="Write the table as CSV; - prints it.", sent_as=name
        ),
        File(format=xlsx_file(as_xlsx, f".{name}.xlsx"), help="Write the table as a workbook.", sent_as=name),
    )


def _cell(value: Any) -> Any:
    """A cell of a CSV file: unknown is empty."""
    return "" if value is None or (isinstance(value, float) and not math.isfinite(value)) else value
