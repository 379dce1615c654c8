"""A calibration as text for a terminal."""

from __future__ import annotations

from app.engine.quantities import quantity_at
from app.figures.format import Shown, percent, show, signed_percent, span
from app.scenarios.write_yaml import write_yaml
from app.validation.calibration.calibrate import Calibrated, Calibration
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
        "To apply it, state it under `workload` of the scenario (--write FILE does):",
        "",
        "  calibration:",
        *(f"    {line}" for line in write_yaml(found.workload_calibration.model_dump()).splitlines()),
    ]
    return "\n".join(lines)


def _run_line(run: OwnRun, believed: float) -> str:
    speeds = f"{run.measured:>10,.1f} {run.predicted:>10,.1f} {run.ratio:>7.3f}"
    return f"  {run.source[:62]:<62} {speeds} {100 * believed:>7.0f} %"


def _line(path: str, figure: Calibrated) -> str:
    before = _with_bounds(path, figure.predicted, figure.predicted_low, figure.predicted_high)
    return f"{before:<52} {_with_bounds(path, figure.corrected, figure.low, figure.high)}"


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
