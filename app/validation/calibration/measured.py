"""Measured runs of one scenario as they are typed or sent: speeds, step times and the text of a log."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from app.catalog.lookup import Catalog
from app.scenarios.document.scenario import ServingDocument
from app.scenarios.errors import refuse
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.fields import Part, Positive, fault
from app.validation.calibration.calibrate import Calibration, calibrate
from app.validation.calibration.kept import KeptRuns
from app.validation.calibration.latency import MeasuredLatency, ServingCalibration, calibrate_serving
from app.validation.calibration.runs import OwnRun, run_of_log, run_of_speed, run_of_step_time, uncalibrated
from app.validation.study import ValidationFileError

MOST_RUNS = 200
MOST_LOG_CHARACTERS = 600_000


class MeasuredRun(Part):
    """One run by its step time or by its speed; of a served model, one point by what users waited."""

    step_time_s: Positive | None = Field(default=None, description="Time of a step.")
    tokens_per_s_per_accelerator: Positive | None = Field(
        default=None, description="Tokens per second, of each accelerator."
    )
    ttft_s: Positive | None = Field(
        default=None,
        description="Mean time to the first token, of a served model under the load of the scenario.",
    )
    tpot_s: Positive | None = Field(
        default=None,
        description="Mean time per output token, of a served model under the load of the scenario.",
    )

    @property
    def serves(self) -> bool:
        """Return whether it is of a served model."""
        return self.ttft_s is not None or self.tpot_s is not None

    @model_validator(mode="after")
    def _one_kind(self) -> MeasuredRun:
        speeds = (self.step_time_s is not None) + (self.tokens_per_s_per_accelerator is not None)
        if speeds != (0 if self.serves else 1):
            raise fault(
                "one_of",
                "must be stated, or tokens_per_s_per_accelerator, not both; of a served model ttft_s, tpot_s or both",
                field="step_time_s",
            )
        return self


class MeasuredRuns(Part):
    """Runs of a scenario, at least one, or those that are kept of its deployment."""

    runs: Annotated[tuple[MeasuredRun, ...], Field(strict=False, max_length=MOST_RUNS)] = Field(
        default=(), description="Runs by their speed."
    )
    log: Annotated[str, Field(max_length=MOST_LOG_CHARACTERS)] = Field(
        default="", description="Text that Megatron-LM, NeMo, torchtitan or MaxText logged."
    )

    use_kept: bool = Field(
        default=False, description="Runs that are kept of the scenario's deployment count as well."
    )
    keep: bool = Field(
        default=False,
        description="These runs are kept, for every scenario of their deployment; those that are kept count as well.",
    )

    @property
    def given(self) -> bool:
        """Return whether there are runs in it."""
        return bool(self.runs or self.log.strip())

    @model_validator(mode="after")
    def _at_least_one(self) -> MeasuredRuns:
        if not self.given and (self.keep or not self.use_kept):
            raise fault(
                "required",
                "must have a run, or log the text of one",
                hint="such as [{step_time_s: 6.4}]",
                field="runs",
            )
        return self


def calibrated(
    scenario: EvaluatedScenario, catalog: Catalog, measured: MeasuredRuns, kept: KeptRuns
) -> Calibration | ServingCalibration:
    """What measured runs of a scenario say of it; a calibration that it states is set aside first.

    Runs are kept only after they were of use. One that is kept already is not kept or counted again.

    Raises
    ------
    ScenarioError : its speed is unknown, the log has no run of it, or no run is given or kept
    """
    bare = uncalibrated(scenario, catalog)
    if isinstance(scenario.document.workload, ServingDocument):
        return calibrate_serving(bare, _latencies(measured), catalog)
    for place, run in enumerate(measured.runs):
        if run.serves:
            raise refuse(
                "is of a served model, and this scenario trains: it has no users that wait.",
                rule="workload_kind",
                path=f"runs[{place}]",
                hint="Give step_time_s or tokens_per_s_per_accelerator.",
            )
    runs = [_typed(run, bare) for run in measured.runs]
    if measured.log.strip():
        try:
            runs.append(run_of_log(measured.log, bare, "the log"))
        except ValidationFileError as error:
            message = f"{str(error)[:1].upper()}{str(error)[1:]}."
            raise refuse(message, rule="log", path="log") from None
    before = kept.of(bare, catalog) if measured.use_kept or measured.keep else ()
    runs = [run for run in runs if run not in before]
    if not before and not runs:
        raise refuse(
            "No run is kept of this deployment.",
            rule="required",
            path="use_kept",
            hint="Give one in runs or log.",
        )
    found = calibrate(bare, [*before, *runs])
    if measured.keep:
        kept.keep(bare, runs)
    return found


def _typed(run: MeasuredRun, scenario: EvaluatedScenario) -> OwnRun:
    if run.step_time_s is not None:
        return run_of_step_time(run.step_time_s, scenario, f"step time {run.step_time_s:g} s")
    assert run.tokens_per_s_per_accelerator is not None
    speed = run.tokens_per_s_per_accelerator
    return run_of_speed(speed, scenario, f"{speed:g} tokens/s")


def _latencies(measured: MeasuredRuns) -> tuple[MeasuredLatency, ...]:
    """The measured points of a served model.

    Raises
    ------
    ScenarioError : what is given is of a training run, or would be kept
    """
    if measured.keep or (measured.use_kept and not measured.given):
        raise refuse(
            "is for training runs: what was measured of a served model stands in its scenario.",
            rule="workload_kind",
            path="keep" if measured.keep else "use_kept",
            hint="Put workload_calibration into the scenario as workload.calibration, and save it.",
        )
    if measured.log.strip():
        raise refuse(
            "is of a training run, and this scenario serves a model.",
            rule="workload_kind",
            path="log",
            hint="Give runs with ttft_s, tpot_s or both.",
        )
    points = []
    for place, run in enumerate(measured.runs):
        if not run.serves:
            raise refuse(
                "is of a training run, and this scenario serves a model.",
                rule="workload_kind",
                path=f"runs[{place}]",
                hint="Give ttft_s, tpot_s or both.",
            )
        points.append(MeasuredLatency(ttft_s=run.ttft_s, tpot_s=run.tpot_s, place=f"runs[{place}]"))
    return tuple(points)
