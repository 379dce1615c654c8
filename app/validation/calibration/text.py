"""A calibration as text for a terminal."""

from __future__ import annotations

from typing import Any

from app.charts.format import Shown, percent, show, signed_percent, span
from app.engine.quantities import quantity_at
from app.scenarios.reading.yaml_text import write_yaml
from app.validation.calibration.calibrate import Calibrated, Calibration
from app.validation.calibration.latency import WORDS, ServingCalibration
from app.validation.calibration.runs import OwnRun

SHARES = ("performance.mfu", "performance.hfu")


def calibration_text(found: Calibration) -> str:
    """The runs, what is believed of them, and the figures before and after."""
    deployment = ", ".join(found.deployment.values())
    spreads = (found.bias_spread, found.design_spread, found.repeat_spread)
    bias, design, repeat = (f"{100 * spread:.1f} %" for spread in spreads)
    share = f"{round(10 * found.probability)} of 10"
    lines = [
        f"{found.scenario}: {_counted(len(found.runs), 'run')} of {deployment}",
        "",
        f"  {'tokens/s and accelerator':<62} {'measured':>10} {'predicted':>10} {'ratio':>7} {'believed':>9}",
        *(_run_line(run, believed) for run, believed in zip(found.runs, found.beliefs, strict=True)),
        "",
        f"Comparable validated runs: deployments differ by {bias}, designs of one by {design}. Repeats: {repeat}.",
        f"The predicted speed is corrected by {found.correction:.3f}, {signed_percent(found.correction - 1)}.",
        "",
        f"  {'':<52} {'predicted':<52} corrected",
        *(f"  {_label(path):<52} {_line(path, figure)}" for path, figure in found.figures.items()),
        "",
        f"{share} runs of this scenario lie between the corrected bounds. Nothing built in was changed.",
        *_to_apply(found.workload_calibration.model_dump()),
    ]
    return "\n".join(lines)


def serving_calibration_text(found: ServingCalibration) -> str:
    """The measured points of a served model, and the figures before and after."""
    share = f"{round(10 * found.probability)} of 10"
    load = "" if found.concurrency is None else f", {found.concurrency:,.4g} requests in flight"
    lines = [
        f"{found.scenario}: own measurements on {', '.join(found.deployment.values())}{load}",
        "",
        f"  {'':<62} {'measured':>10} {'predicted':>10} {'ratio':>7}",
        *(
            f"  {run.source[:62]:<62} {show(run.measured, 's').text:>10} {show(run.predicted, 's').text:>10} "
            f"{run.ratio:>7.3f}"
            for run in found.runs
        ),
        "",
        *(
            f"The predicted {WORDS[name]} is corrected by {one.correction:.3f}, {signed_percent(one.correction - 1)}."
            for name, one in found.corrections.items()
        ),
        "",
        f"  {'':<74} {'predicted':<44} corrected",
        *(
            f"  {_label(path):<74} {_line(path, figure, 44)}"
            for path, figure in found.figures.items()
            if figure.predicted is not None
        ),
        "",
        f"{share} other points of a deployment lie between the corrected bounds. Nothing built in was changed.",
        *_to_apply(found.workload_calibration.model_dump(exclude_none=True)),
    ]
    return "\n".join(lines)


def _to_apply(calibration: dict[str, Any]) -> list[str]:
    return [
        "To apply it, state it under `workload` of the scenario (--write FILE does):",
        "",
        "  calibration:",
        *(f"    {line}" for line in write_yaml(calibration).splitlines()),
    ]


def _run_line(run: OwnRun, believed: float) -> str:
    speeds = f"{run.measured:>10,.1f} {run.predicted:>10,.1f} {run.ratio:>7.3f}"
    return f"  {run.source[:62]:<62} {speeds} {100 * believed:>7.0f} %"


def _line(path: str, figure: Calibrated, width: int = 52) -> str:
    before = _with_bounds(path, figure.predicted, figure.predicted_low, figure.predicted_high)
    return f"{before:<{width}} {_with_bounds(path, figure.corrected, figure.low, figure.high)}"


def _with_bounds(path: str, value: float | None, low: float | None, high: float | None) -> str:
    text = _shown(path, value).text
    return text if low is None else f"{text} ({span(_shown(path, low), _shown(path, high))})"


def _shown(path: str, value: float | None) -> Shown:
    record = quantity_at(path)
    return percent(value) if path in SHARES else show(value, record.unit if record else "1")


def _label(path: str) -> str:
    record = quantity_at(path)
    return record.label if record else path


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
