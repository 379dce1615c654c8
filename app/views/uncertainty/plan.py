"""An answer made ready: what varies, and every sample drawn."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.catalog.view import CatalogView
from app.engine.specs import ServingWorkload
from app.engine.trace import Array
from app.engine.uncertainty.copula import correlated
from app.engine.uncertainty.sampling import sample_count, unit_samples
from app.scenarios.errors import refuse
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.evaluation.summary import chosen_figures
from app.scenarios.load import build_scenario
from app.scenarios.resolve import Resolved, resolve
from app.views.uncertainty import sensitivity as moved
from app.views.uncertainty.correlations import correlation_matrix, rank_correlations
from app.views.uncertainty.fixed_layout import held_values, searched
from app.views.uncertainty.inputs import (
    DECIDED_BY,
    KEY_FIGURES,
    MOST_DESIGNS,
    SERVING_FIGURES,
    VaryingInput,
    varying_inputs,
)
from app.views.uncertainty.report import Progress, RankCorrelation, UncertaintyOptions
from app.views.uncertainty.sensitivity import SampledDesign

MOST_NUMBERS = 5_000_000
"""Samples times inputs and figures: some 200 MB while they are worked on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is computed. `paths` are told of; the design has further outputs behind them that decide."""

    scenario: EvaluatedScenario
    paths: tuple[str, ...]
    design: SampledDesign
    alone: Array  # figures at the rows of the tornado
    held: int  # ranges of the catalog that move nothing
    seed: int
    correlations: tuple[RankCorrelation, ...]
    shares: Array  # (samples, inputs), by which they are drawn
    drawn: Array  # the same, as values
    with_sobol: bool

    @property
    def inputs(self) -> tuple[VaryingInput, ...]:
        return self.design.inputs

    @property
    def swings(self) -> Array:
        """How far each input moves each output: (outputs, inputs)."""
        return moved.swings(self.alone)

    @property
    def sobol_inputs(self) -> list[int]:
        """The inputs that Sobol indices are of, by their places among the inputs."""
        return (
            moved.most_moving(self.swings, moved.MOST_SOBOL_INPUTS) if self.with_sobol and self.inputs else []
        )

    @property
    def total(self) -> int:
        """Designs to evaluate, those of the tornado with them."""
        chosen = len(self.sobol_inputs)
        sobol = (chosen + 2) * moved.SOBOL_SAMPLES if chosen else 0
        along = len(self.inputs) * len(moved.SPIDER_SHARES)
        return int(self.alone.shape[1]) + len(self.drawn) + along + sobol


def planned(
    scenario: EvaluatedScenario, catalog: CatalogView, asked: UncertaintyOptions
) -> Generator[Progress, None, Plan]:
    """Find out what varies and what it moves, and draw the samples: one step, with every check before it.

    Raises
    ------
    ScenarioError : a correlation or a figure that cannot be used, too many samples or structures
    """
    doubt = scenario.document.uncertainty
    paths = chosen_figures(
        asked.figures, scenario.evaluation.sections, default=_usual_figures(scenario), field="figures"
    )
    outputs = tuple(dict.fromkeys((*paths, *DECIDED_BY)))
    values, resolved = _with_layout_held(scenario, catalog)
    every = varying_inputs(scenario, values, resolved, catalog)
    _check_designs(every)
    design = SampledDesign(resolved.design, values, catalog, every, outputs)
    tried = design.block(moved.tornado_rows(every))

    widths = moved.swings(tried.figures)
    kept = [place for place, one in enumerate(every) if _varies(one, widths[:, place])]
    inputs = tuple(every[place] for place in kept)
    count = sample_count(doubt.sampler, asked.samples or doubt.samples)
    _check_size(count, len(inputs) + len(outputs))
    seed = doubt.seed if asked.seed is None else asked.seed
    correlations = rank_correlations(doubt, inputs, catalog)
    shares = unit_samples(sampler=doubt.sampler, count=count, inputs=len(inputs), seed=seed)
    if correlations:
        shares = correlated(shares, correlation_matrix(correlations, inputs))
    plan = Plan(
        scenario=scenario,
        paths=paths,
        design=dataclasses.replace(design, inputs=inputs),
        alone=_of_inputs(tried.figures, kept, len(every)),
        held=len(every) - len(inputs),
        seed=seed,
        correlations=correlations,
        shares=shares,
        drawn=values_at(inputs, shares),
        with_sobol=asked.sobol,
    )
    yield Progress(done=int(plan.alone.shape[1]), total=plan.total)
    return plan


def every_input(scenario: EvaluatedScenario, catalog: CatalogView) -> tuple[VaryingInput, ...]:
    """Candidate inputs before screening: no sample is drawn.

    Raises
    ------
    ScenarioError : the scenario cannot be resolved with its layout held
    """
    return varying_inputs(scenario, *_with_layout_held(scenario, catalog), catalog)


def _usual_figures(scenario: EvaluatedScenario) -> tuple[str, ...]:
    serves = isinstance(scenario.resolved.design.workload, ServingWorkload)
    return SERVING_FIGURES if serves else KEY_FIGURES


def _with_layout_held(scenario: EvaluatedScenario, catalog: CatalogView) -> tuple[dict[str, Any], Resolved]:
    values = held_values(scenario)
    return values, resolve(build_scenario(values), catalog) if searched(scenario) else scenario.resolved


def values_at(inputs: Sequence[VaryingInput], shares: Array) -> Array:
    """Values of all inputs at shares of probability: both (rows, inputs)."""
    columns = [one.values(shares[:, place]) for place, one in enumerate(inputs)]
    return np.column_stack(columns) if columns else np.empty((len(shares), 0))


def _varies(one: VaryingInput, widths: Array) -> bool:
    """Return whether an input is to vary: always where it was asked for, else where it moves a figure."""
    return one.origin != "catalog" or bool((widths >= moved.LEAST_SWING).any())


def _of_inputs(alone: Array, kept: Sequence[int], inputs: int) -> Array:
    """Figures at the rows of a tornado of some of its inputs: the others stand as they are in all."""
    rows = [0, *(1 + place for place in kept), *(1 + inputs + place for place in kept)]
    return alone[:, rows]


def _check_designs(inputs: Sequence[VaryingInput]) -> None:
    structures = [one for one in inputs if one.levels]
    designs = math.prod(one.levels for one in structures)
    if designs > MOST_DESIGNS:
        fields = ", ".join(one.field for one in structures)
        raise refuse(
            f"{fields} decide the structure of the design, and {designs:,} combinations of {len(structures)} such "
            f"fields are more than {MOST_DESIGNS:,}.",
            rule="too_many",
            path="uncertainty.inputs",
            value=fields,
            hint="Give fewer a range.",
        )


def _check_size(count: int, columns: int) -> None:
    if count * columns > MOST_NUMBERS:
        raise refuse(
            f"{count:,} samples of {columns} inputs and figures are more than {MOST_NUMBERS:,} numbers.",
            rule="too_many",
            path="samples",
            value=count,
            hint=f"Draw {MOST_NUMBERS // columns:,} or fewer, or name fewer figures.",
        )
