"""Stating a calibration in a scenario, and setting one aside to calibrate anew."""

from __future__ import annotations

from app.catalog.view import CatalogView
from app.scenarios.calibration import CalibrationDocument
from app.scenarios.document import ScenarioDocument, TrainingDocument
from app.scenarios.service import EvaluatedScenario, evaluate_scenario
from app.validation.calibration.runs import OwnRun

DIGITS = 4
LONGEST_NOTE = 200


def uncalibrated(scenario: EvaluatedScenario, catalog: CatalogView) -> EvaluatedScenario:
    """The scenario as it is predicted: runs are compared with that, never with figures already corrected."""
    if not isinstance(scenario.document.workload, TrainingDocument):
        return scenario
    if scenario.document.workload.calibration is None:
        return scenario
    return evaluate_scenario(with_calibration(scenario.document, None), catalog)


def with_calibration(document: ScenarioDocument, calibration: CalibrationDocument | None) -> ScenarioDocument:
    """The scenario with own runs stated in place of those it states."""
    workload = document.workload.model_copy(update={"calibration": calibration})
    return document.model_copy(update={"workload": workload})


def stated(correction: float, low: float, high: float, runs: tuple[OwnRun, ...]) -> CalibrationDocument:
    """A correction with its bounds as a scenario states it."""
    return CalibrationDocument(
        measured_over_predicted=_rounded(correction),
        low=_rounded(low),
        high=_rounded(high),
        note=_note(runs),
    )


def _rounded(ratio: float) -> float:
    return float(f"{ratio:.{DIGITS}g}")


def _note(runs: tuple[OwnRun, ...]) -> str:
    """How many runs there are, and where they stand, in a line."""
    count = f"{len(runs):,} own run{'' if len(runs) == 1 else 's'}"
    sources = " ".join("; ".join(run.source for run in runs if run.source).split())
    text = "".join(letter for letter in f"{count}: {sources}" if letter.isprintable()).rstrip(" :")
    return text if len(text) <= LONGEST_NOTE else f"{text[: LONGEST_NOTE - 1].rstrip()}…"
