"""Stating a calibration in a scenario, and setting one aside to calibrate anew."""

from __future__ import annotations

from collections.abc import Sequence

from app.catalog.view import CatalogView
from app.scenarios.document.calibration import CalibrationDocument
from app.scenarios.document.scenario import GenericDocument, ScenarioDocument
from app.scenarios.document.serving_calibration import ServingCalibrationDocument
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.validation.calibration.runs import OwnRun

DIGITS = 4
LONGEST_NOTE = 200


def uncalibrated(scenario: EvaluatedScenario, catalog: CatalogView) -> EvaluatedScenario:
    """The scenario as it is predicted: runs are compared with that, never with figures already corrected."""
    workload = scenario.document.workload
    if isinstance(workload, GenericDocument) or workload.calibration is None:
        return scenario
    return evaluate_scenario(with_calibration(scenario.document, None), catalog)


def with_calibration(
    document: ScenarioDocument, calibration: CalibrationDocument | ServingCalibrationDocument | None
) -> ScenarioDocument:
    """The scenario with own runs stated in place of those it states."""
    workload = document.workload.model_copy(update={"calibration": calibration})
    return document.model_copy(update={"workload": workload})


def stated(correction: float, low: float, high: float, runs: tuple[OwnRun, ...]) -> CalibrationDocument:
    """A correction with its bounds as a scenario states it."""
    return CalibrationDocument(
        measured_over_predicted=rounded(correction),
        low=rounded(low),
        high=rounded(high),
        note=noted([run.source for run in runs], "own run"),
    )


def rounded(ratio: float) -> float:
    """As many digits as a scenario states of a ratio."""
    return float(f"{ratio:.{DIGITS}g}")


def noted(sources: Sequence[str], what: str) -> str:
    """How many measurements there are, and where they stand, in a line.

    >>> noted(["a log", "another"], "own run")
    '2 own runs: a log; another'
    """
    count = f"{len(sources):,} {what}{'' if len(sources) == 1 else 's'}"
    joined = " ".join("; ".join(source for source in sources if source).split())
    text = "".join(letter for letter in f"{count}: {joined}" if letter.isprintable()).rstrip(" :")
    return text if len(text) <= LONGEST_NOTE else f"{text[: LONGEST_NOTE - 1].rstrip()}…"
