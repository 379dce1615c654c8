"""What own runs say of a design, in words and two tables."""

from __future__ import annotations

from typing import NamedTuple

from app.charts.format import percent, show, span
from app.surfaces.pages.labels import label_of, shown
from app.validation.calibration.calibrate import Calibrated, Calibration
from app.validation.calibration.latency import WORDS, ServingCalibration


class RunLine(NamedTuple):
    source: str
    measured: str
    predicted: str
    ratio: str
    believed: str


class FigureLine(NamedTuple):
    """A figure before and after, each with its interval."""

    label: str
    predicted: str
    predicted_between: str
    corrected: str
    corrected_between: str


class CalibrationAnswer(NamedTuple):
    """`figures_basis` and `runs_basis` say what the two tables are of; runs of a served model have no belief."""

    headline: str
    sentence: str
    runs: tuple[RunLine, ...]
    figures: tuple[FigureLine, ...]
    apply: str
    figures_basis: str = "8 of 10 comparable runs, then 8 of 10 further runs of yours, lie in the interval"
    runs_basis: str = "tokens a second and accelerator; the share of each run's error that is believed"
    believed: bool = True


def calibration_answer(found: Calibration, apply: str) -> CalibrationAnswer:
    """Everything the page shows of a calibration; `apply` is the address that states it."""
    return CalibrationAnswer(
        headline=_headline(found.correction),
        sentence=_sentence(found),
        runs=tuple(
            RunLine(
                source=run.source,
                measured=f"{run.measured:,.1f}",
                predicted=f"{run.predicted:,.1f}",
                ratio=f"{run.ratio:.3f}",
                believed=percent(believed).text,
            )
            for run, believed in zip(found.runs, found.beliefs, strict=True)
        ),
        figures=tuple(_figure(path, figure) for path, figure in found.figures.items()),
        apply=apply,
    )


def serving_answer(found: ServingCalibration, apply: str) -> CalibrationAnswer:
    """The same of a served model."""
    return CalibrationAnswer(
        headline=_latency_headline(found),
        sentence=_latency_sentence(found),
        runs=tuple(
            RunLine(
                source=run.source,
                measured=show(run.measured, "s").text,
                predicted=show(run.predicted, "s").text,
                ratio=f"{run.ratio:.3f}",
                believed="",
            )
            for run in found.runs
        ),
        figures=tuple(
            _figure(path, figure) for path, figure in found.figures.items() if figure.predicted is not None
        ),
        apply=apply,
        figures_basis="8 of 10 measured points, then 8 of 10 other points of one deployment, lie in the interval",
        runs_basis=_load_words(found.concurrency),
        believed=False,
    )


def _latency_headline(found: ServingCalibration) -> str:
    """What was measured of the time per token, else of the time to the first."""
    name = "tpot" if "tpot" in found.corrections else "ttft"
    change = found.corrections[name].correction - 1
    what = f"{WORDS[name][:1].upper()}{WORDS[name][1:]}"
    if abs(change) < 0.0005:
        return f"{what}: as predicted"
    return f"{what}: {percent(abs(change)).text} {'longer' if change > 0 else 'shorter'} than predicted"


def _latency_sentence(found: ServingCalibration) -> str:
    said = [
        f"{WORDS[name]} by {one.correction:.3f}, and 8 of 10 other points of the deployment lie between {one.low:.3f} "
        f"and {one.high:.3f} of what was predicted"
        for name, one in found.corrections.items()
    ]
    return f"The engine's answer is multiplied: {'; '.join(said)}."


def _load_words(concurrency: float | None) -> str:
    return (
        "as predicted" if concurrency is None else f"as predicted with {concurrency:,.4g} requests in flight"
    )


def _headline(correction: float) -> str:
    change = correction - 1
    if abs(change) < 0.0005:
        return "Your runs are as fast as predicted"
    return f"Your runs are {percent(abs(change)).text} {'faster' if change > 0 else 'slower'} than predicted"


def _sentence(found: Calibration) -> str:
    return (
        f"Every predicted speed is multiplied by {found.correction:.3f}; {round(10 * found.probability)} of 10 "
        f"further runs lie between {found.low:.3f} and {found.high:.3f} of it."
    )


def _figure(path: str, figure: Calibrated) -> FigureLine:
    return FigureLine(
        label=label_of(path),
        predicted=shown(path, figure.predicted).text,
        predicted_between=_between(path, figure.predicted_low, figure.predicted_high),
        corrected=shown(path, figure.corrected).text,
        corrected_between=_between(path, figure.low, figure.high),
    )


def _between(path: str, low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else span(shown(path, low), shown(path, high))
