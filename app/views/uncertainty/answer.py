"""Uncertainty of a scenario: inputs sampled, evaluation run on arrays.

The work is done in blocks, each a step of a generator: its reader sees the progress, and stops it by reading
no further. Nothing is kept between two answers.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from app.catalog.view import CatalogView
from app.engine.leaves import leaves
from app.engine.quantities import label_at, quantity_at
from app.engine.trace import Array, first_of
from app.engine.uncertainty.sobol import saltelli_samples
from app.engine.uncertainty.summary import summary
from app.engine.units import unit_of
from app.scenarios.errors import ScenarioError, refuse
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.sweeping.chunks import REFUSED
from app.views.uncertainty import findings
from app.views.uncertainty import sensitivity as moved
from app.views.uncertainty.inputs import VaryingInput
from app.views.uncertainty.plan import Plan, planned, values_at
from app.views.uncertainty.probabilities import information, probabilities
from app.views.uncertainty.report import (
    Answered,
    Progress,
    Samples,
    SobolShare,
    UncertainFigure,
    UncertaintyOptions,
    UncertaintyReport,
)
from app.views.uncertainty.sensitivity import Evaluated

Step = Progress | Answered


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Figures of everything that a plan evaluates."""

    samples: Evaluated
    along: Array  # (outputs, inputs x shares), along the ranges
    sobol: Array | None  # (outputs, inputs + 2, samples); None where indices are not asked for


def uncertainty_answer(
    scenario: EvaluatedScenario,
    catalog: CatalogView,
    options: UncertaintyOptions | None = None,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> UncertaintyReport:
    """Uncertainty report in one call; `progress` is told how many designs of how many are evaluated.

    Raises
    ------
    ScenarioError : a range, a correlation or a figure that cannot be used
    """
    return answered(uncertainty_steps(scenario, catalog, options), progress).report


def answered(steps: Iterator[Step], progress: Callable[[int, int], None] | None = None) -> Answered:
    """The end of the work, which the steps lead to."""
    for step in steps:
        if isinstance(step, Answered):
            return step
        if progress is not None:
            progress(step.done, step.total)
    raise RuntimeError("the work ended without an answer")


def uncertainty_steps(
    scenario: EvaluatedScenario, catalog: CatalogView, options: UncertaintyOptions | None = None
) -> Iterator[Step]:
    """The same step by step, the answer last. Closing the iterator ends the work.

    Raises
    ------
    ScenarioError : a range, a correlation or a figure that cannot be used
    """
    plan = yield from planned(scenario, catalog, options or UncertaintyOptions())
    found = yield from _everything(plan)
    yield Answered(
        report=_report(plan, found),
        samples=Samples(
            input_places=tuple(one.place for one in plan.inputs),
            figure_paths=plan.paths,
            inputs=plan.drawn,
            figures=found.samples.figures[: len(plan.paths)],
            feasible=(found.samples.limits == 0).astype(float),
        ),
    )


def _everything(plan: Plan) -> Generator[Progress, None, Found]:
    """The samples, the ranges, and the samples of Sobol indices, in blocks.

    Raises
    ------
    ScenarioError : no sample is a design that can be
    """
    at = Progress(done=plan.alone.shape[1], total=plan.total)
    samples = yield from plan.design.evaluated(plan.drawn, at)
    if (samples.limits == REFUSED).all():
        raise _impossible(plan.inputs)
    at = dataclasses.replace(at, done=at.done + len(plan.drawn))
    along = yield from plan.design.evaluated(moved.spider_rows(plan.inputs), at)
    at = dataclasses.replace(at, done=at.done + along.limits.size)
    sobol = (yield from _sobol(plan, at)) if plan.sobol_inputs else None
    return Found(samples=samples, along=along.figures, sobol=sobol)


def _sobol(plan: Plan, before: Progress) -> Generator[Progress, None, Array]:
    """Figures at the samples of Sobol indices of some inputs, the others held: (outputs, inputs + 2, samples)."""
    chosen, inputs = plan.sobol_inputs, plan.inputs
    shares = saltelli_samples(count=moved.SOBOL_SAMPLES, inputs=len(chosen), seed=plan.seed)
    rows = np.tile(plan.design.points, (shares.shape[0] * shares.shape[1], 1))
    rows[:, chosen] = values_at([inputs[place] for place in chosen], shares.reshape(-1, len(chosen)))
    found = yield from plan.design.evaluated(rows, before)
    return found.figures.reshape(len(plan.design.outputs), *shares.shape[:2])


def _report(plan: Plan, found: Found) -> UncertaintyReport:
    scenario, inputs, paths = plan.scenario, plan.inputs, plan.paths
    doubt = scenario.document.uncertainty
    by_path = dict(zip(plan.design.outputs, found.samples.figures, strict=True))
    figures = tuple(_figure(scenario, path, by_path[path]) for path in paths)
    bars = tuple(moved.tornado(paths, inputs, plan.alone[: len(paths)]))
    sobol = _sobol_shares(plan, found)
    refused_share = float(np.mean(found.samples.limits == REFUSED))
    notes = findings.notes(
        scenario,
        figures,
        inputs,
        plan.correlations,
        held=plan.held,
        refused_share=refused_share,
        sobol_inputs=len(plan.sobol_inputs) if plan.with_sobol else None,
    )
    return UncertaintyReport(
        name=scenario.document.name,
        sampler=doubt.sampler,
        seed=plan.seed,
        samples=len(plan.drawn),
        refused_share=refused_share,
        inputs=tuple(one.told() for one in inputs),
        figures=figures,
        probabilities=tuple(probabilities(plan.design.design, doubt, by_path, found.samples.limits)),
        tornado=bars,
        sobol=sobol,
        spider=tuple(moved.spider(paths, inputs, plan.swings[: len(paths)], found.along[: len(paths)])),
        information=information(by_path, plan.shares, inputs),
        correlations=plan.correlations,
        matters=findings.matters(figures, inputs, bars, sobol),
        notes=tuple(notes),
    )


def _sobol_shares(plan: Plan, found: Found) -> tuple[SobolShare, ...]:
    if found.sobol is None:
        return ()
    chosen = [plan.inputs[place] for place in plan.sobol_inputs]
    return tuple(moved.sobol_shares(plan.paths, chosen, found.sobol[: len(plan.paths)]))


def _figure(scenario: EvaluatedScenario, path: str, values: Array) -> UncertainFigure:
    point = first_of(dict(leaves(scenario.evaluation.sections))[path])
    found = summary(values)
    record = quantity_at(path)
    return UncertainFigure(
        path=path,
        label=label_at(path),
        unit=record.unit if record else unit_of(path),
        point=_known(point),
        p10=_known(found.p10),
        p50=_known(found.p50),
        p90=_known(found.p90),
        mean=_known(found.mean),
        unknown_share=found.unknown_share,
        edges=found.edges,
        counts=found.counts,
    )


def _known(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _impossible(inputs: Sequence[VaryingInput]) -> ScenarioError:
    fields = ", ".join(one.field for one in inputs if one.levels)
    return refuse(
        f"No sample is a design that can be: with none of the values that {fields} take does the scenario hold.",
        rule="no_design",
        path="uncertainty.inputs",
        value=fields,
        hint="Put one of the values into the scenario itself to see what is in its way.",
    )
