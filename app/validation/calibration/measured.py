"""Measured runs of one scenario as they are typed or sent: speeds, step times and the text of a log."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from app.catalog.view import CatalogView
from app.scenarios.errors import refuse
from app.scenarios.fields import Part, Positive, fault
from app.scenarios.service import EvaluatedScenario
from app.validation.calibration.calibrate import Calibration, calibrate
from app.validation.calibration.runs import OwnRun, run_of_log, run_of_speed, run_of_step_time
from app.validation.calibration.state import uncalibrated
from app.validation.rows import ValidationFileError

MOST_RUNS = 200
MOST_LOG_CHARACTERS = 600_000


class MeasuredRun(Part):
    """One run by its step time or by its speed."""

    step_time_s: Positive | None = Field(default=None, description="Time of a step.")
    tokens_per_s_per_accelerator: Positive | None = Field(
        default=None, description="Tokens a second, of each accelerator."
    )

    @model_validator(mode="after")
    def _one_of_the_two(self) -> MeasuredRun:
        if (self.step_time_s is None) == (self.tokens_per_s_per_accelerator is None):
            raise fault(
                "one_of",
                "must be stated, or tokens_per_s_per_accelerator, not both",
                field="step_time_s",
            )
        return self


class MeasuredRuns(Part):
    """Runs of a scenario, at least one."""

    runs: Annotated[tuple[MeasuredRun, ...], Field(strict=False, max_length=MOST_RUNS)] = Field(
        default=(), description="Runs by their speed."
    )
    log: Annotated[str, Field(max_length=MOST_LOG_CHARACTERS)] = Field(
        default="", description="Text that Megatron-LM, NeMo, torchtitan or MaxText logged."
    )

    @model_validator(mode="after")
    def _at_least_one(self) -> MeasuredRuns:
        if not self.runs and not self.log.strip():
            raise fault(
                "required",
                "must have a run, or log the text of one",
                hint="such as [{step_time_s: 6.4}]",
                field="runs",
            )
        return self


def calibrated(scenario: EvaluatedScenario, catalog: CatalogView, measured: MeasuredRuns) -> Calibration:
    """What measured runs of a scenario say of it; a calibration that it states is set aside first.

    Raises
    ------
    ScenarioError : its speed is unknown, or the log has no run of it
    """
    bare = uncalibrated(scenario, catalog)
    runs = [_typed(run, bare) for run in measured.runs]
    if measured.log.strip():
        try:
            runs.append(run_of_log(measured.log, bare, "the log"))
        except ValidationFileError as error:
            message = f"{str(error)[:1].upper()}{str(error)[1:]}."
            raise refuse(message, rule="log", path="log") from None
    return calibrate(bare, runs)


def _typed(run: MeasuredRun, scenario: EvaluatedScenario) -> OwnRun:
    if run.step_time_s is not None:
        return run_of_step_time(run.step_time_s, scenario, f"step time {run.step_time_s:g} s")
    assert run.tokens_per_s_per_accelerator is not None
    speed = run.tokens_per_s_per_accelerator
    return run_of_speed(speed, scenario, f"{speed:g} tokens/s")
