"""A sweep made ready: its axes tried, its designs counted and cut into chunks."""

from __future__ import annotations

import dataclasses
from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.catalog.view import CatalogView
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.errors import ScenarioError, refuse
from app.scenarios.evaluation.service import evaluated
from app.scenarios.evaluation.summary import chosen_figures
from app.scenarios.load import build_scenario
from app.scenarios.resolve import Resolved, resolve
from app.scenarios.sweeping.axes import Axis, planned_axis, scenario_with
from app.scenarios.sweeping.chunks import MOST_RUNS, Chunk, Part, cuts
from app.scenarios.sweeping.columns import column_place, is_column
from app.scenarios.sweeping.document import MOST_DESIGNS, SweepDocument
from app.scenarios.sweeping.fields import check_field, with_field
from app.scenarios.sweeping.points import Crossed, Points, runs, sampled

MOST_RUNS_OF_A_SWEEP = 50_000
"""Each takes some ten milliseconds of its own, a search of layouts ten times that."""
MOST_FIGURES = 40_000_000


@dataclass(frozen=True)
class SweepPlan:
    """A sweep that can run. `places` says by field where a column of numbers stands in the design."""

    document: SweepDocument
    scenario: dict[str, Any]
    catalog: CatalogView
    axes: tuple[Axis, ...]
    places: dict[str, str]
    points: Points
    outputs: tuple[str, ...]
    _resolved: dict[int, Resolved | None] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        """Kind of its jobs."""
        return "sweep"

    @property
    def columns(self) -> tuple[str, ...]:
        """Fields that are columns of numbers."""
        return tuple(axis.field for axis in self.points.columns)

    @property
    def count(self) -> int:
        """Designs of the sweep."""
        return self.points.count

    @property
    def written_out(self) -> SweepDocument:
        """The sweep with its scenario in it, so that it means the same wherever it is read."""
        return self.document.model_copy(update={"scenario": build_scenario(self.scenario)})

    @cached_property
    def runs(self) -> list[tuple[int, int]]:
        """Designs that share their structure, from and up to which index."""
        return list(runs(self.points))

    @cached_property
    def cuts(self) -> list[tuple[int, int]]:
        """Start and end of every chunk."""
        searching = self.scenario["parallelism"] == "auto" or any(
            axis.field == "parallelism" for axis in self.axes
        )
        return list(cuts(self.runs, most_runs=1 if searching else MOST_RUNS))

    def chunk(self, number: int) -> Chunk:
        """A chunk with all that computing it needs."""
        start, stop = self.cuts[number]
        parts: list[Part] = []
        first = int(np.searchsorted([begin for begin, _ in self.runs], start, side="right")) - 1
        for run in range(first, len(self.runs)):
            begin, end = max(self.runs[run][0], start), min(self.runs[run][1], stop)
            if begin >= stop:
                break
            parts += self._parts(run, begin, end)
        return Chunk(number=number, start=start, stop=stop, outputs=self.outputs, parts=tuple(parts))

    def inputs(self, start: int, stop: int) -> dict[str, NDArray[Any]]:
        """What each axis is in the designs from `start` up to `stop`, in the order of the document."""
        return {axis.field: self.points.values(axis, start, stop) for axis in self.axes}

    def scenario_at(self, index: int) -> ScenarioDocument:
        """The scenario of one design.

        Raises
        ------
        ScenarioError : it cannot be
        """
        values = self.inputs(index, index + 1)
        return scenario_with(self.scenario, {name: plain(found[0]) for name, found in values.items()})

    def _parts(self, run: int, begin: int, end: int) -> list[Part]:
        """The designs of a run, together where their numbers can be columns, else one by one."""
        resolved = self._of_run(run)
        if resolved is None:
            return [Part(design=None, columns={}, count=end - begin)]
        first = self.inputs(self.runs[run][0], self.runs[run][0] + 1)
        if all(is_column(place, plain(first[name][0]), resolved) for name, place in self.places.items()):
            columns = {
                place: self.points.values(axis, begin, end).astype(float)
                for axis in self.points.columns
                for place in [self.places[axis.field]]
            }
            return [Part(design=resolved.design, columns=columns, count=end - begin)]
        alone = [self._at(index) for index in range(begin, end)]
        return [Part(design=found.design if found else None, columns={}, count=1) for found in alone]

    def _of_run(self, run: int) -> Resolved | None:
        """The first design of a run; kept, as a long run is cut into several chunks."""
        if run not in self._resolved:
            self._resolved.clear()
            self._resolved[run] = self._at(self.runs[run][0])
        return self._resolved[run]

    def _at(self, index: int) -> Resolved | None:
        try:
            return resolve(self.scenario_at(index), self.catalog)
        except ScenarioError:
            return None


def plan_sweep(document: SweepDocument, scenario: ScenarioDocument, catalog: CatalogView) -> SweepPlan:
    """Check a sweep of a scenario, which has all its saved designs put in, and count its designs.

    Raises
    ------
    ScenarioError : unknown fields or figures, values that no scenario takes, too many designs
    """
    values = scenario.as_dict()
    base = evaluated(scenario, catalog)
    axes = []
    for place, axis in enumerate(document.axes):
        check_field(axis.field, catalog, f"axes[{place}].field")
        axes.append(planned_axis(axis, values, place, sampled=document.sample is not None))
    # what is a column must be one for every layout that the sweep asks for
    searching = any(axis.field == "parallelism" and "auto" in axis.levels for axis in axes)
    tried = with_field(values, "parallelism", "auto") if searching else values
    places: dict[str, str] = {}
    for place, planned in enumerate(axes):
        found = _column_place(planned, place, tried, catalog)
        if found is not None and found not in places.values():
            places[planned.field] = found
    points = _points(document, axes, places)
    plan = SweepPlan(
        document=document,
        scenario=values,
        catalog=catalog,
        axes=tuple(axes),
        places=places,
        points=points,
        outputs=chosen_figures(document.outputs, base.evaluation.sections, default=HEADLINE, field="outputs"),
    )
    _check_size(plan)
    return plan


def plain(value: Any) -> Any:
    """A value of an array as Python's own."""
    return value.item() if isinstance(value, np.generic) else value


def _column_place(axis: Axis, place: int, values: dict[str, Any], catalog: CatalogView) -> str | None:
    """A field whose ends cannot be is structure, and each of its designs says so; a part that is unknown is
    a slip of its author."""
    try:
        for level in axis.levels:
            if isinstance(level, str):
                resolve(scenario_with(values, {axis.field: level}), catalog)
        return column_place(axis, values, catalog)
    except ScenarioError as error:
        fault = error.errors[0]
        if fault.rule != "unknown_part":
            return None
        message = f"{axis.field}: {fault.message}"
        raise ScenarioError(
            [dataclasses.replace(fault, path=f"axes[{place}].values", message=message)]
        ) from None


def points_again(document: SweepDocument, columns: Sequence[str]) -> tuple[tuple[Axis, ...], Points]:
    """Axes and designs of a sweep that was planned before; `columns` are the fields that were columns then.

    No catalog is asked: the designs are those of then, whatever has become of the catalog.
    """
    assert isinstance(document.scenario, ScenarioDocument)  # put in when it was planned
    scenario, drawn = document.scenario.as_dict(), document.sample is not None
    axes = tuple(
        planned_axis(axis, scenario, place, sampled=drawn) for place, axis in enumerate(document.axes)
    )
    return axes, _points(document, axes, columns)


def _points(document: SweepDocument, axes: Sequence[Axis], column_fields: Container[str]) -> Points:
    structure = tuple(axis for axis in axes if axis.field not in column_fields)
    columns = tuple(axis for axis in axes if axis.field in column_fields)
    if document.sample is not None:
        return sampled(document.sample, structure, columns)
    crossed = Crossed(structure, columns)
    if crossed.count > MOST_DESIGNS:
        sizes = " x ".join(f"{len(axis.levels):,}" for axis in (*structure, *columns))
        raise refuse(
            f"The axes cross to {sizes} = {crossed.count:,} designs, more than {MOST_DESIGNS:,}.",
            rule="too_many",
            path="axes",
            value=crossed.count,
            hint="Take fewer steps, or draw a sample.",
        )
    return crossed


def _check_size(plan: SweepPlan) -> None:
    if len(plan.runs) > MOST_RUNS_OF_A_SWEEP:
        fields = ", ".join(axis.field for axis in plan.points.structure)
        raise refuse(
            f"{fields} take {len(plan.runs):,} combinations that each need an evaluation of their own, more than "
            f"{MOST_RUNS_OF_A_SWEEP:,}.",
            rule="too_many",
            path="axes",
            value=len(plan.runs),
            hint="Take fewer values of these fields; fields such as prices and rates may have many.",
        )
    figures = plan.count * len(plan.outputs)
    if figures > MOST_FIGURES:
        raise refuse(
            f"{plan.count:,} designs with {len(plan.outputs)} figures each are {figures:,}, more than {MOST_FIGURES:,}.",
            rule="too_many",
            path="outputs",
            value=figures,
            hint="Name fewer outputs, or take fewer designs.",
        )


HEADLINE = (
    "performance.step_time_s",
    "performance.ttft_s",
    "performance.tpot_s",
    "performance.tokens_per_s",
    "performance.flop_per_s",
    "performance.mfu",
    "performance.elapsed_time_s",
    "performance.memory_per_accelerator_bytes",
    "power.utility_mean_w",
    "cooling.pue",
    "reliability.ettr",
    "cost.capex_usd",
    "cost.tco_usd",
    "cost.usd_per_accelerator_hour",
    "cost.usd_per_run",
    "cost.usd_per_million_tokens",
    "carbon.total_kg",
)
"""Kept where no one names any; a job has those of its kind."""
