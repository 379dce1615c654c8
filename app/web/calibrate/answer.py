"""What own runs say of a design, in words and two tables."""

from __future__ import annotations

from typing import NamedTuple

from app.figures.format import percent, span
from app.validation.calibration.calibrate import Calibrated, Calibration
from app.web.labels import label_of, shown


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
    headline: str
    sentence: str
    runs: tuple[RunLine, ...]
    figures: tuple[FigureLine, ...]
    apply: str


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
