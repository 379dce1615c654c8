"""Correcting the latencies of a served model by one's own measurement of its deployment.

What all points of a deployment share is corrected; what they differ by is left, and is the interval
(`app/validation/calibration/one_point.py`). Built-in constants stay as they are.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.catalog.view import CatalogView
from app.engine.performance.serving.section import ServingPerformance
from app.engine.trace import Array
from app.engine.uncertainty.interval import PROBABILITY
from app.scenarios.document.scenario import ServingDocument
from app.scenarios.document.serving import ServingCalibrationDocument
from app.scenarios.errors import refuse
from app.scenarios.evaluation.bounds import Bounds, LatencyBounds, TokenCostBounds
from app.scenarios.evaluation.service import EvaluatedScenario, evaluated
from app.scenarios.evaluation.serving_intervals import OWN_POINT, ROOM, TPOT, TTFT, factors
from app.scenarios.load import build_scenario
from app.validation.calibration.calibrate import Calibrated
from app.validation.calibration.runs import noted, rounded, with_calibration
from app.views.searching.serving_rows import stated_option

MOST_APART = 20.0
"""How many times as long as predicted a measurement may be, or the other way round, before its unit is doubted."""
ROWS = {"ttft": TTFT, "tpot": TPOT}
WORDS = {"ttft": "time to the first token", "tpot": "time per output token"}


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredLatency:
    """One measured point of the scenario, under its own load: means over the requests."""

    ttft_s: float | None = None
    tpot_s: float | None = None
    source: str = ""
    place: str = ""
    """Where it was stated, such as runs[0]: empty where its times stand by themselves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnLatency:
    """A measured time beside what is predicted of it; `quantity` is ttft or tpot."""

    quantity: str
    source: str
    measured: float
    predicted: float

    @property
    def ratio(self) -> float:
        """Measured over predicted time."""
        return self.measured / self.predicted


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeCorrection:
    """Factor on a predicted time, and between which multiples of that time other points of the deployment lie."""

    correction: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingCalibration:
    """What own measurements say of the deployment of a served model.

    `corrections` are by quantity, those that were measured alone; `workload_calibration` is how a scenario states
    them.
    """

    scenario: str
    deployment: dict[str, str]
    concurrency: float | None
    probability: float
    runs: tuple[OwnLatency, ...]
    corrections: dict[str, TimeCorrection]
    workload_calibration: ServingCalibrationDocument
    figures: dict[str, Calibrated]

    def as_json(self) -> dict[str, Any]:
        """The public shape."""
        return dataclasses.asdict(self) | {
            "runs": [dataclasses.asdict(run) | {"ratio": run.ratio} for run in self.runs],
            "workload_calibration": self.workload_calibration.model_dump(mode="json"),
        }


def calibrate_serving(
    scenario: EvaluatedScenario, points: Sequence[MeasuredLatency], catalog: CatalogView
) -> ServingCalibration:
    """Correct a served model that states no calibration yet by measured points of it, at least one.

    Several points count by their geometric mean. What was measured was measured of one layout under one load, so those
    that the scenario leaves open are the same before and after.

    Raises
    ------
    ScenarioError : a latency is unknown, or so far from the prediction that its unit must be wrong
    """
    scenario = _with_its_layout_and_load(scenario, catalog)
    runs = tuple(_compared(scenario, points))
    corrections = {name: _corrected(runs, name, catalog) for name in ROWS if _of(runs, name)}
    stated = ServingCalibrationDocument(
        source=noted(list(dict.fromkeys(run.source for run in runs)), "own measurement"),
        **{
            f"measured_{name}_over_predicted": rounded(found.correction)
            for name, found in corrections.items()
        },
    )
    after = evaluated(with_calibration(scenario.document, stated), catalog)
    concurrency = float(_performance(scenario).concurrency[0])
    return ServingCalibration(
        scenario=scenario.document.name,
        deployment={
            "accelerator": scenario.resolved.design.supernode.accelerator.key,
            "engine": scenario.resolved.context["engine"],
            "precision": scenario.resolved.design.workload.precision,
        },
        concurrency=concurrency if np.isfinite(concurrency) else None,
        probability=PROBABILITY,
        runs=runs,
        corrections=corrections,
        workload_calibration=stated,
        figures=dict(_figures(scenario, after)),
    )


def _with_its_layout_and_load(scenario: EvaluatedScenario, catalog: CatalogView) -> EvaluatedScenario:
    """The scenario with the layout and the requests in flight that its evaluation has, where it leaves them open."""
    values = scenario.document.as_dict()
    workload = scenario.document.workload
    assert isinstance(workload, ServingDocument)
    found = stated_option(scenario)
    opened: dict[str, Any] = {}
    if workload.layout == "auto":
        opened |= {"layout": found.layout, "mode": found.mode}
    if workload.concurrency == "auto" and np.isfinite(found.concurrency):
        opened |= {"concurrency": max(found.concurrency, 1.0)}  # the fewest that can be stated
    if not opened:
        return scenario
    pinned = build_scenario(values | {"workload": values["workload"] | opened})
    return evaluated(pinned, catalog)


def _compared(scenario: EvaluatedScenario, points: Sequence[MeasuredLatency]) -> Iterator[OwnLatency]:
    performance = _performance(scenario)
    for point in points:
        for name in ROWS:
            measured = getattr(point, f"{name}_s")
            if measured is None:
                continue
            predicted = float(getattr(performance, f"{name}_s")[0])
            path = f"{point.place}.{name}_s" if point.place else f"{name}_s"
            _check(scenario.document.name, name, measured, predicted, path)
            source = point.source or f"{WORDS[name]} {measured:g} s"
            yield OwnLatency(quantity=name, source=source, measured=measured, predicted=predicted)


def _check(scenario: str, name: str, measured: float, predicted: float, path: str) -> None:
    if not np.isfinite(predicted):
        raise refuse(
            f"its {WORDS[name]} is unknown, so nothing can be compared with it.",
            rule="unknown_speed",
            value=scenario,
            hint="`podwright evaluate` names what is missing.",
        )
    apart = max(measured / predicted, predicted / measured)
    if apart > MOST_APART:
        raise refuse(
            f"{measured:,.4g} s is {apart:,.0f} times apart from the predicted {WORDS[name]} of {predicted:,.3g} s.",
            rule="far_from_predicted",
            path=path,
            value=measured,
            hint="Check its unit, and that the scenario has the load, the layout and the model that were measured.",
        )


def _corrected(runs: Sequence[OwnLatency], name: str, catalog: CatalogView) -> TimeCorrection:
    ratio = float(np.exp(np.mean([np.log(run.ratio) for run in _of(runs, name)])))
    low, high = factors(catalog.assumption(ROOM, ROWS[name], OWN_POINT))
    return TimeCorrection(correction=ratio, low=ratio * low, high=ratio * high)


def _of(runs: Sequence[OwnLatency], name: str) -> list[OwnLatency]:
    return [run for run in runs if run.quantity == name]


def _figures(before: EvaluatedScenario, after: EvaluatedScenario) -> Iterator[tuple[str, Calibrated]]:
    """Every figure that follows from the latencies, by its place in the evaluation."""
    for room, kind in (("performance", LatencyBounds), ("cost", TokenCostBounds)):
        for field in dataclasses.fields(kind):
            bounds: list[Bounds] = [
                getattr(getattr(one.intervals, room), field.name) for one in (before, after)
            ]
            predicted, corrected = (
                _figure(getattr(getattr(one.evaluation.sections, room), field.name))
                for one in (before, after)
            )
            yield (
                f"{room}.{field.name}",
                Calibrated(
                    predicted=predicted,
                    predicted_low=bounds[0].low,
                    predicted_high=bounds[0].high,
                    corrected=corrected,
                    low=bounds[1].low,
                    high=bounds[1].high,
                ),
            )


def _figure(found: Array | None) -> float | None:
    return None if found is None or not np.isfinite(found[0]) else float(found[0])


def _performance(scenario: EvaluatedScenario) -> ServingPerformance:
    performance = scenario.evaluation.sections.performance
    assert isinstance(performance, ServingPerformance)
    return performance
