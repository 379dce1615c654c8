"""One's own runs: what each measured, and what the engine predicts of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from app.catalog.lookup import Catalog
from app.scenarios.errors import refuse
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.evaluation.training_only import TrainingRun, one_kind, training_run
from app.scenarios.load import build_scenario
from app.validation.calibration.logs import LoggedRun, logged_run, read_log
from app.validation.rows import UnsupportedRowError, ValidationFileError, read_rows
from app.validation.training.batch import Batch
from app.validation.training.case import COLUMNS, Case, case_of


@dataclass(frozen=True)
class OwnRun:
    """A run in tokens a second and accelerator; `source` says where the measurement stands.

    `document` is the scenario that was measured: the one at hand, or another of its deployment.
    """

    source: str
    measured: float
    predicted: float
    document: dict[str, Any] = field(repr=False)

    @property
    def job(self) -> str:
        """What was run, in a word that two runs of the same job share: all that step time depends on."""
        parts = build_scenario(self.document).model_dump(mode="json")
        parts["workload"].pop("tokens")
        kept = [parts[name] for name in ("workload", "supernode", "pod", "parallelism", "assumptions")]
        return orjson.dumps(kept, option=orjson.OPT_SORT_KEYS).decode()

    @property
    def ratio(self) -> float:
        """Measured over predicted speed."""
        return self.measured / self.predicted


def deployment_of(scenario: EvaluatedScenario) -> dict[str, str]:
    """What runs must share with a scenario to say something of its bias.

    Raises
    ------
    ScenarioError : it is no training run, or the pod has several kinds of SuperNode, and runs are of one
    """
    _training(scenario)
    one_kind(scenario.resolved.design, "A calibration by own runs")
    return {
        "accelerator": scenario.resolved.design.supernode.accelerator.key,
        "framework": scenario.resolved.context["framework"],
        "precision": scenario.resolved.context["precision"],
    }


def runs_of_file(path: Path, scenario: EvaluatedScenario, catalog: Catalog) -> tuple[OwnRun, ...]:
    """The runs of a table (`.csv`), or the scenario itself as a framework logged it.

    Raises
    ------
    ValidationFileError : the file cannot be used; the message says why
    """
    if path.suffix.lower() == ".csv":
        return _runs_of_table(path, scenario, catalog)
    return (_run_of_logged(read_log(path), scenario, str(path), path.name),)


def run_of_log(text: str, scenario: EvaluatedScenario, name: str) -> OwnRun:
    """The scenario itself as a framework logged it, from the text of the log.

    Raises
    ------
    ValidationFileError : the text cannot be used; the message says why
    """
    return _run_of_logged(logged_run(text, name), scenario, name, name)


def _run_of_logged(found: LoggedRun, scenario: EvaluatedScenario, name: str, short_name: str) -> OwnRun:
    batch = int(_training(scenario).workload.global_batch_sequences[0])
    if found.global_batch_sequences not in (None, batch):
        raise ValidationFileError(
            f"{name} logs a global batch of {found.global_batch_sequences:,} sequences, the scenario has "
            f"{batch:,}: the scenario must be that of the run"
        )
    source = (
        f"{short_name}, {found.framework}, median of {found.steps:,} steps after {found.left_out} of warm-up"
    )
    if found.unit == "s":
        return run_of_step_time(found.value, scenario, source)
    return run_of_speed(found.value, scenario, source)


def _training(scenario: EvaluatedScenario) -> TrainingRun:
    return training_run(scenario.resolved.design, scenario.evaluation.sections, "A calibration on own runs")


def run_of_step_time(step_time_s: float, scenario: EvaluatedScenario, source: str) -> OwnRun:
    """The scenario itself, measured by the time of a step."""
    figures = _training(scenario).performance
    used = float(scenario.resolved.design.pod.accelerators_used[0])
    return run_of_speed(float(figures.tokens_per_step[0]) / step_time_s / used, scenario, source)


def run_of_speed(tokens_per_s: float, scenario: EvaluatedScenario, source: str) -> OwnRun:
    """The scenario itself, measured in tokens a second and accelerator.

    Raises
    ------
    ScenarioError : its speed cannot be predicted, or it would be faster than the hardware
    """
    figures = _training(scenario).performance
    predicted = float(figures.tokens_per_s_per_accelerator[0])
    if not np.isfinite(predicted):
        raise refuse(
            "its speed is unknown, so nothing can be compared with it.",
            rule="unknown_speed",
            value=scenario.document.name,
            hint="`podwright evaluate` names what is missing.",
        )
    mfu = float(figures.mfu[0]) * tokens_per_s / predicted
    if mfu > 1:
        raise refuse(
            f"{tokens_per_s:,.4g} tokens a second and accelerator would use {mfu:,.0%} of the peak FLOP/s.",
            rule="above_peak",
            value=tokens_per_s,
            hint="Check its unit, and that the scenario is that of the run.",
        )
    return OwnRun(source, tokens_per_s, predicted, scenario.document.as_dict())


def _runs_of_table(path: Path, scenario: EvaluatedScenario, catalog: Catalog) -> tuple[OwnRun, ...]:
    wanted = deployment_of(scenario)
    cases = []
    for row in read_rows(path, COLUMNS):
        if not row.scored:
            continue
        try:
            case = case_of(row, catalog)
        except UnsupportedRowError as error:
            raise ValidationFileError(
                f"{path}, row {row.key}: {error}; `scored` = no leaves it out"
            ) from None
        _check_deployment(path, case, wanted)
        cases.append(case)
    if not cases:
        raise ValidationFileError(f"{path} has no row with a measurement to compare with")
    predicted = Batch(cases).tokens_per_s()
    unknown = [case.row.key for case, speed in zip(cases, predicted, strict=True) if not np.isfinite(speed)]
    if unknown:
        raise ValidationFileError(
            f"{path}, row {unknown[0]}: an input that the step time needs is not published"
        )
    return tuple(
        OwnRun(
            source=f"{path.name}, row {case.row.key}",
            measured=case.measured_tokens_per_s,
            predicted=float(speed),
            document=case.document,
        )
        for case, speed in zip(cases, predicted, strict=True)
    )


def _check_deployment(path: Path, case: Case, wanted: dict[str, str]) -> None:
    """A run on other hardware, with other software or precision has a bias of its own."""
    has = {
        "accelerator": case.design.supernode.accelerator.key,
        "framework": case.context["framework"],
        "precision": case.context["precision"],
    }
    for name, value in wanted.items():
        if has[name] != value:
            raise ValidationFileError(
                f"{path}, row {case.row.key}: its {name} is {has[name]}, that of the scenario {value}; only runs "
                f"of the same accelerator, framework and precision share a bias, and `scored` = no leaves a row out"
            )
