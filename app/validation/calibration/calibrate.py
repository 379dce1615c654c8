"""`podwright calibrate`: the figures of a scenario, corrected by what one's own runs measured.

The bias of the deployment is estimated, and the interval is that of another of its runs. Built-in constants
stay as they are: the correction is of the scenario at hand alone.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.engine.trace import Array
from app.engine.uncertainty import calibration
from app.engine.uncertainty.interval import PROBABILITY, run_weight, widening
from app.engine.uncertainty.likeness import distance
from app.scenarios.document.calibration import CalibrationDocument
from app.scenarios.evaluation.bounds import Bounds, CostBounds, SpeedBounds
from app.scenarios.evaluation.intervals import TIMES
from app.scenarios.evaluation.residuals import features_of, residuals
from app.scenarios.evaluation.service import EvaluatedScenario
from app.validation.calibration.runs import OwnRun, calibration_document, deployment_of, run_of_speed


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibrated:
    """A figure as predicted and as corrected, each with its interval; None where it is unknown."""

    predicted: float | None
    predicted_low: float | None
    predicted_high: float | None
    corrected: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """What own runs say of a deployment.

    `beliefs` is the share of each run's error that is believed of the scenario, `correction` the factor on the
    predicted speed that comes of them, `low` and `high` its bounds: `workload_calibration` is how a scenario
    states the three. Spreads are standard deviations of logarithms of speed: between deployments, between
    designs of one, of a repeated run, and what is left for the next run of the scenario.
    """

    scenario: str
    deployment: dict[str, str]
    probability: float
    runs: tuple[OwnRun, ...]
    beliefs: tuple[float, ...]
    correction: float
    low: float
    high: float
    workload_calibration: CalibrationDocument
    bias_spread: float
    design_spread: float
    repeat_spread: float
    spread: float
    figures: dict[str, Calibrated]

    def as_json(self) -> dict[str, Any]:
        """The public shape."""
        return dataclasses.asdict(self) | {
            "runs": [
                {
                    "source": run.source,
                    "measured": run.measured,
                    "predicted": run.predicted,
                    "ratio": run.ratio,
                }
                for run in self.runs
            ],
            "workload_calibration": self.workload_calibration.model_dump(mode="json"),
        }


def calibrate(scenario: EvaluatedScenario, runs: Sequence[OwnRun]) -> Calibration:
    """Correct the figures of a scenario by runs of its deployment, at least one."""
    errors, designs = _spreads(scenario)
    own = np.log([run.ratio for run in runs])
    jobs = [run.job for run in (run_of_speed(1.0, scenario, ""), *runs)]
    numbers = {job: number for number, job in enumerate(dict.fromkeys(jobs))}
    of = np.array([numbers[job] for job in jobs[1:]])  # 0 is the scenario itself
    spreads = {
        "bias_spread": calibration.bias_spread(error_spread=errors, design_spread=designs),
        "design_spread": designs,
    }
    believed = calibration.belief(**spreads, designs=of)
    factor = calibration.speed_correction(own_errors=own, belief=believed)
    spread = calibration.corrected_spread(**spreads, belief=believed, designs=of)
    bounds = {"speed_correction": factor, "corrected_spread": spread}
    low, high = calibration.corrected_low(**bounds), calibration.corrected_high(**bounds)
    return Calibration(
        scenario=scenario.document.name,
        deployment=deployment_of(scenario),
        probability=PROBABILITY,
        runs=tuple(runs),
        beliefs=tuple(believed.tolist()),
        correction=float(factor),
        low=float(low),
        high=float(high),
        workload_calibration=calibration_document(float(factor), float(low), float(high), tuple(runs)),
        bias_spread=float(spreads["bias_spread"]),
        design_spread=float(designs),
        repeat_spread=calibration.REPEAT_SPREAD,
        spread=float(spread),
        figures=_figures(scenario, float(factor), float(low), float(high)),
    )


def _spreads(scenario: EvaluatedScenario) -> tuple[Array, Array]:
    """How much comparable runs err, and how much designs of one deployment differ in it."""
    table = residuals()
    design = features_of(scenario.resolved, scenario.evaluation.sections)
    apart = distance(design, table.features)
    weight = run_weight(distance=apart)[0]
    around = calibration.deviations(errors=table.errors, deployment=table.deployment)
    known = np.isfinite(around)
    wider = widening(nearest_distance=np.min(apart), experts=design.experts[0])
    return (
        calibration.error_spread(errors=table.errors, weight=weight, widening=wider),
        calibration.design_spread(deviations=around[known], weight=weight[known]),
    )


def _figures(scenario: EvaluatedScenario, factor: float, low: float, high: float) -> dict[str, Calibrated]:
    """Every figure that follows from speed, by its place in the evaluation."""
    found = {}
    for room, kind in (("performance", SpeedBounds), ("cost", CostBounds)):
        for field in dataclasses.fields(kind):
            figure = float(getattr(getattr(scenario.evaluation.sections, room), field.name)[0])
            before: Bounds = getattr(getattr(scenario.intervals, room), field.name)
            slower = room == "cost" or field.name in TIMES
            corrections = (1 / factor, 1 / high, 1 / low) if slower else (factor, low, high)
            known = np.isfinite(figure)
            after = [figure * correction if known else None for correction in corrections]
            found[f"{room}.{field.name}"] = Calibrated(
                predicted=figure if known else None,
                predicted_low=before.low,
                predicted_high=before.high,
                corrected=after[0],
                low=after[1],
                high=after[2],
            )
    return found
