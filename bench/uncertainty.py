"""How quick samples of the whole evaluation are, the strategy held, and Sobol indices over twenty inputs."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any

import numpy as np

from app.catalog.ready import ready_catalog
from app.engine.explore.job_sizes import evaluate_block
from app.engine.uncertainty.sampling import unit_samples
from app.engine.uncertainty.sobol import indices, saltelli_samples
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.examples import example
from app.views.uncertainty.answer import uncertainty_answer
from app.views.uncertainty.fixed_layout import held_values
from app.views.uncertainty.inputs import KEY_FIGURES, varying_inputs
from app.views.uncertainty.report import Progress, UncertaintyOptions
from app.views.uncertainty.sensitivity import Evaluated, SampledDesign
from bench.timing import Measurement, timed

KEY = "llama_3_1_405b_on_2048_dgx_h100"
SAMPLES = 10_000
SOBOL_INPUTS = 20
SOBOL_SAMPLES = 1024


def uncertainty_measurements() -> Iterator[Measurement]:
    catalog = ready_catalog()
    scenario = evaluate_scenario(example(KEY).read(), catalog)
    model = _model(scenario, catalog)
    shares = unit_samples(sampler="latin_hypercube", count=SAMPLES, inputs=len(model.inputs), seed=0)
    drawn = np.column_stack([one.values(share) for one, share in zip(model.inputs, shares.T, strict=True)])
    columns = {one.place: column for one, column in zip(model.inputs, drawn.T, strict=True)}
    yield timed(
        f"{SAMPLES:,} samples, all inputs",
        lambda: evaluate_block(model.design, columns, SAMPLES, KEY_FIGURES),
        runs=5,
        unit="s",
        aim=1,
    )
    yield timed(f"Sobol indices of {SOBOL_INPUTS} inputs", lambda: _sobol(model), runs=3, unit="s", aim=15)
    yield timed(
        "how sure, the whole answer",
        lambda: uncertainty_answer(scenario, catalog, UncertaintyOptions(samples=SAMPLES)),
        runs=3,
        unit="s",
        aim=15,
    )


def _model(scenario: EvaluatedScenario, catalog: Any) -> SampledDesign:
    values = held_values(scenario)
    inputs = varying_inputs(scenario, values, scenario.resolved, catalog)
    known = [one for one in inputs if not one.levels]
    return SampledDesign(scenario.resolved.design, values, catalog, tuple(known), KEY_FIGURES)


def _sobol(model: SampledDesign) -> None:
    """The first twenty inputs vary, the others stand as they do in the scenario."""
    shares = saltelli_samples(count=SOBOL_SAMPLES, inputs=SOBOL_INPUTS, seed=0)
    rows = np.tile(model.points, (shares.shape[0] * shares.shape[1], 1))
    for place, share in enumerate(shares.reshape(-1, SOBOL_INPUTS).T):
        rows[:, place] = model.inputs[place].values(share)
    steps = model.evaluated(rows, Progress(done=0, total=0))
    for figure in _end(steps).figures.reshape(len(KEY_FIGURES), *shares.shape[:2]):
        indices(figure)


def _end(steps: Generator[Progress, None, Evaluated]) -> Evaluated:
    """What the steps come to."""
    try:
        while True:
            next(steps)
    except StopIteration as end:
        found: Evaluated = end.value
        return found
