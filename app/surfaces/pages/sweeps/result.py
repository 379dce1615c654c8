"""The page of a sweep: how far it is, and what came of it so far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.catalog.view import CatalogView
from app.charts.figure import Figure
from app.charts.sweep import Group, sweep_line, sweep_points
from app.engine.trace import Array
from app.jobs.records import Job
from app.jobs.results import NOT_POSSIBLE, Goal, Results, Rows, usual_goal
from app.scenarios.reading.yaml_text import write_yaml
from app.scenarios.sweeping.axes import Axis
from app.scenarios.sweeping.plan import plain
from app.surfaces.pages.sweeps.form import field_name, field_quantity, output_quantity, value_text

BEST = 10
BESIDE = 3
"""Figures that are shown next to the one which the best are ranked by: the first that differ between designs.
"""
WORDS = {
    NOT_POSSIBLE: "refused by the scenario's rules",
    "layout": "no layout fits",
    "storage write bandwidth": "checkpoints take too long",
}
MOST_GROUPS = 200
MOST_POINTS = 2_000


class Option(NamedTuple):
    value: str
    label: str


class BestRow(NamedTuple):
    design: int
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


class Found(NamedTuple):
    """Values of one figure: the index of each feasible design that has it, and its value."""

    designs: NDArray[np.intp]
    figures: Array

    @classmethod
    def of(cls, results: Results, output: str) -> Found:
        index, figures, limits = results.columns((output,))
        known = (limits == 0) & ~np.isnan(figures[output])
        return cls(index[known], figures[output][known])

    def strongest(self, results: Results) -> str:
        """The field whose ends are furthest apart in this figure."""

        def apart(axis: Axis) -> float:
            values = results.points.points.values(axis, 0, results.job.total)[self.designs]
            if not axis.numeric:
                values = np.unique(values.astype(str), return_inverse=True)[1]
            least, most = np.quantile(values, (0.1, 0.9))
            low, high = self.figures[values <= least], self.figures[values >= most]
            return float(abs(np.median(high) - np.median(low)))

        return max(results.points.axes, key=apart if len(self.designs) else lambda _: 0.0).field


class SweepPage(NamedTuple):
    """A job, and of what is stored one figure by one field, and the best designs by that figure."""

    job: Job
    axes: tuple[str, ...]  # in words
    output: str
    field: str
    goal: Goal
    output_options: tuple[Option, ...]
    field_options: tuple[Option, ...]
    figure: Figure | None
    columns: tuple[str, ...]
    best: tuple[BestRow, ...]
    stopped: tuple[tuple[str, str], ...]  # what, and how many designs
    refusals: tuple[tuple[str, int, str], ...]  # reasons, a design with each, and what is allowed next to it
    document: str

    @property
    def field_columns(self) -> tuple[str, ...]:
        return tuple(option.label for option in self.field_options)


def sweep_page(results: Results, query: Mapping[str, str], catalog: CatalogView) -> SweepPage:
    """The page as the address asks for it; what it asks for in vain is as usual."""
    job, axes = results.job, results.points.axes
    telling = results.telling()
    output = _chosen(query.get("output", ""), job.outputs, telling[0] if telling else job.outputs[0])
    found = Found.of(results, output)
    fields = [axis.field for axis in axes]
    field = _chosen(query.get("field", ""), fields, found.strongest(results))
    goals: dict[str, Goal] = {"lowest": "lowest", "highest": "highest"}
    goal = goals.get(query.get("goal", ""), usual_goal(output))
    shown = (output, *(name for name in telling if name != output))[: BESIDE + 1]
    best = results.best((output,), BEST, {output: goal})[output] if job.done else []
    axis = next(axis for axis in axes if axis.field == field)
    return SweepPage(
        job=job,
        axes=tuple(_axis_text(axis) for axis in axes),
        output=output,
        field=field,
        goal=goal,
        output_options=tuple(Option(name, output_quantity(name).name) for name in job.outputs),
        field_options=tuple(Option(axis.field, field_name(axis.field)) for axis in axes),
        figure=_figure(results, found, axis, output, goal, best) if job.done else None,
        columns=tuple(output_quantity(name).name for name in shown),
        best=tuple(_best_row(row, shown) for row in best),
        stopped=tuple((WORDS.get(name, name), f"{count:,}") for name, count in results.stopped().items()),
        refusals=_refusals(results, catalog) if job.done else (),
        document=write_yaml(job.document),
    )


def _refusals(results: Results, catalog: CatalogView) -> tuple[tuple[str, int, str], ...]:
    found = []
    for reason, refused in results.refusals(catalog).items():
        words = ", or ".join(
            f"{field_name(one.field)} {value_text(one.field, one.nearest)} in place of "
            f"{value_text(one.field, one.refused)}"
            for one in refused.ways_out
        )
        found.append((reason, refused.design, words))
    return tuple(found)


def _chosen(asked: str, known: Sequence[str], usual: str) -> str:
    return asked if asked in known else usual


def _axis_text(axis: Axis) -> str:
    name = field_name(axis.field)
    if not axis.levels:
        return f"{name}: {value_text(axis.field, axis.low)} to {value_text(axis.field, axis.high)}"
    if len(axis.levels) <= 4 or not axis.numeric:
        words = [value_text(axis.field, level) for level in axis.levels[:4]]
        more = f" and {len(axis.levels) - 4:,} more" if len(axis.levels) > 4 else ""
        return f"{name}: {', '.join(words)}{more}"
    ends = f"{value_text(axis.field, min(axis.levels))} to {value_text(axis.field, max(axis.levels))}"
    return f"{name}: {ends}, {len(axis.levels):,} values"


def _figure(results: Results, found: Found, axis: Axis, output: str, goal: Goal, best: list[Rows]) -> Figure:
    field, quantity = field_quantity(axis.field), output_quantity(output)
    index, figures = found
    values = results.points.points.values(axis, 0, results.job.total)[index]
    says = _takeaway(output, goal, best)
    if axis.levels and len(axis.levels) <= MOST_GROUPS:
        groups = _groups(axis, values, figures, goal)
        return sweep_line(field, quantity, groups, takeaway=says, goal=goal)
    chosen = np.unique(np.linspace(0, max(len(index) - 1, 0), MOST_POINTS).astype(np.intp))[: len(index)]
    points = zip(index[chosen].tolist(), values[chosen].tolist(), figures[chosen].tolist(), strict=True)
    return sweep_points(field, quantity, list(points), takeaway=says)


def _groups(axis: Axis, values: Any, figures: Array, goal: Goal) -> list[Group]:
    """The designs by value of the field, in the order of its values."""
    levels = sorted(axis.levels) if axis.numeric else list(axis.levels)
    ends = (np.min, np.max) if goal == "lowest" else (np.max, np.min)
    groups = []
    for level in levels:
        mine = figures[values == level]
        if len(mine):
            best, worst = (float(end(mine)) for end in ends)
            groups.append(Group(value=level, best=best, worst=worst, designs=len(mine)))
    return groups


def _takeaway(output: str, goal: Goal, best: list[Rows]) -> str:
    quantity = output_quantity(output)
    if not best:
        return f"No feasible design has a known {quantity.name.lower()}."
    first = best[0]
    fields = ", ".join(
        f"{field_name(name)} {value_text(name, plain(found[0]))}" for name, found in first.inputs.items()
    )
    return f"{quantity.name} is {goal} with {fields}: {quantity.shown(float(first.outputs[output][0]))}."


def _best_row(rows: Rows, outputs: tuple[str, ...]) -> BestRow:
    figures = [float(rows.outputs[name][0]) for name in outputs]
    return BestRow(
        rows.start,
        tuple(value_text(name, plain(found[0])) for name, found in rows.inputs.items()),
        tuple(
            output_quantity(name).shown(None if np.isnan(figure) else figure)
            for name, figure in zip(outputs, figures, strict=True)
        ),
    )
