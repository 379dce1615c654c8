"""A kind of measurement as the validation pages show it: its addresses, words, groups and fits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from app.catalog.validated_collectives import validated_collectives
from app.catalog.validated_runs import ValidatedRun, validated_runs
from app.charts import measured_subjects
from app.surfaces.pages.catalog.table import Table
from app.surfaces.pages.validation.collectives.table import table_of as collectives_table
from app.surfaces.pages.validation.table import table_of as training_table
from app.validation.judged import (
    BASES,
    COLLECTIVE_BASES,
    COLLECTIVE_GROUPINGS,
    GROUPINGS,
    Basis,
    Grouping,
    Judged,
    Published,
)

LARGE_JOB = 1000
"""Accelerators from which a run is worth naming."""


class GroupWords(Protocol):
    """What measurements, and what they have in common, are called."""

    def group(self, grouping: str, name: str) -> str: ...
    def title(self, run: Any) -> str: ...
    def series(self, run: Any) -> str: ...


class Subject(NamedTuple):
    """`shared` says what measurements of a group have in common, by grouping."""

    kind: str  # of the tabs
    overview: str  # address
    rows: str  # address of the table; that of one measurement stands below it
    title: str  # of the table
    noun: str
    families: str  # what counts as one source
    measured: str  # of the lead: "The training speed of {} published runs"
    unit: str
    groupings: Mapping[str, Grouping[Any]]
    bases: Mapping[str, Basis[Any]]  # the first is the one without being asked
    shared: Mapping[str, str]
    chart: measured_subjects.Subject
    published: Callable[[], Sequence[Published]]
    table_of: Callable[[Sequence[Judged[Any]], Any], Table]
    named: Callable[[Sequence[Judged[Any]]], set[str]]  # whose names stand in the chart

    @property
    def usual_basis(self) -> Basis[Any]:
        return next(iter(self.bases.values()))


def _largest_jobs(found: Sequence[Judged[ValidatedRun]]) -> set[str]:
    """The largest job of each generation, where it is large."""
    largest: dict[str, ValidatedRun] = {}
    for run in sorted((one.run for one in found), key=lambda run: run.accelerators):
        if run.accelerators >= LARGE_JOB:
            largest[run.generation] = run
    return {run.id for run in largest.values()}


TRAINING = Subject(
    kind="training",
    overview="/validation",
    rows="/validation/training",
    title="Training runs",
    noun="runs",
    families="sources",
    measured="The training speed of {} published runs",
    unit="tokens per second per accelerator",
    groupings=GROUPINGS,
    bases=BASES,
    shared={
        "accelerator": "ran on {}",
        "architecture": "trained a {} model",
        "precision": "computed in {}",
        "framework": "used {}",
        "size": "trained {} parameters",
        "scale": "ran on {} accelerators",
        "year": "used software of {}",
    },
    chart=measured_subjects.TRAINING,
    published=validated_runs,
    table_of=training_table,
    named=_largest_jobs,
)
COLLECTIVES = Subject(
    kind="collectives",
    overview="/validation/collectives",
    rows="/validation/collectives/table",
    title="Collectives",
    noun="measurements",
    families="systems",
    measured="The time of {} measured collectives",
    unit="microseconds",
    groupings=COLLECTIVE_GROUPINGS,
    bases=COLLECTIVE_BASES,
    shared={
        "system": "ran on {}",
        "collective": "are {}",
        "message": "moved {}",
        "level": "ran over {}",
    },
    chart=measured_subjects.COLLECTIVES,
    published=validated_collectives,
    table_of=collectives_table,
    named=lambda found: set(),
)
