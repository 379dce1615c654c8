"""Own runs: their file, the logs of frameworks, and what they are held against."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from app.catalog.lookup import Catalog
from app.catalog.view import CatalogView
from app.scenarios.document.calibration import CalibrationDocument
from app.scenarios.document.scenario import GenericDocument, ScenarioDocument
from app.scenarios.document.serving import ServingCalibrationDocument
from app.scenarios.errors import refuse
from app.scenarios.evaluation.service import EvaluatedScenario, evaluated
from app.scenarios.evaluation.training_only import TrainingRun, one_kind, training_run
from app.scenarios.load import build_scenario
from app.validation.study import UnsupportedRowError, ValidationFileError, read_rows
from app.validation.training.case import COLUMNS, Case, case_of
from app.validation.training.fit import Batch

# The speed of a run from what its framework logs: Megatron-LM, NeMo, torchtitan and MaxText.
#
# Each prints a line every few steps. The first are left out, as they compile, allocate and fill caches; of the
# rest the median counts, which a slow checkpoint or two do not move.

LARGEST_BYTES = 200_000_000
WARM_UP_SHARE, MOST_WARM_UP = 0.2, 10
"""Printed steps that are left out at the start: a fifth, at least one, at most ten."""
FEWEST_STEPS = 3

ESCAPES = re.compile(r"\x1b\[[0-9;]*m")  # colours of a terminal
NUMBER = r"([\d.,]*\d(?:[eE][+-]?\d+)?)"


@dataclass(frozen=True)
class Format:
    """How one framework prints a step: its number, and its time or its speed."""

    name: str
    step: re.Pattern[str]
    value: re.Pattern[str]
    unit: str  # s or tokens/s, of one accelerator
    factor: float = 1.0


FORMATS = (
    Format(
        "Megatron-LM",
        re.compile(r"iteration\s+(\d+)\s*/"),
        re.compile(rf"elapsed time per iteration \(ms\):\s*{NUMBER}"),
        "s",
        1e-3,
    ),
    Format(
        "NeMo",
        re.compile(r"global_step[:=]\s*(\d+)"),
        re.compile(rf"train_step_timing in s[:=]\s*{NUMBER}"),
        "s",
    ),
    Format("torchtitan", re.compile(r"\bstep:\s*(\d+)"), re.compile(rf"\btps:\s*{NUMBER}"), "tokens/s"),
    Format("MaxText", re.compile(r"completed step:\s*(\d+)"), re.compile(rf"\bseconds:\s*{NUMBER}"), "s"),
)
BATCH = re.compile(r"global[ _]batch[ _]size[:=]\s*(\d+)")


@dataclass(frozen=True)
class LoggedRun:
    """Reading of a log: the median of `value` over `steps` printed steps, in `unit`.

    `global_batch_sequences` is None where the framework does not print it.
    """

    framework: str
    unit: str
    value: float
    steps: int
    left_out: int
    global_batch_sequences: int | None


def read_log(path: Path) -> LoggedRun:
    """The speed of a logged run.

    Raises
    ------
    ValidationFileError : the file cannot be read, or none of the frameworks wrote it
    """
    try:
        if path.stat().st_size > LARGEST_BYTES:
            raise ValidationFileError(
                f"{path} has more than {LARGEST_BYTES:,} bytes; keep the lines of some hundred steps"
            )
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise ValidationFileError(f"{path} cannot be read: {error.strerror}") from None
    return logged_run(text, str(path))


def logged_run(text: str, name: str) -> LoggedRun:
    """The speed of a run from the text of its log; messages call it `name`.

    Raises
    ------
    ValidationFileError : none of the frameworks wrote it
    """
    lines = [ESCAPES.sub("", line) for line in text.splitlines()]
    for form in FORMATS:
        printed = dict(_steps(lines, form))
        if printed:
            return _logged(name, form, list(printed.values()), lines)
    known = ", ".join(form.name for form in FORMATS)
    raise ValidationFileError(
        f"{name} has no line of a training step of {known}; a step time or tokens per second can be typed instead"
    )


def _steps(lines: list[str], form: Format) -> Iterator[tuple[int, float]]:
    """Numbers of steps and what was printed of them; of several ranks the last."""
    for line in lines:
        step, value = form.step.search(line), form.value.search(line)
        if step and value:
            number = float(value[1].replace(",", "")) * form.factor
            if number > 0:
                yield int(step[1]), number


def _logged(name: str, form: Format, values: list[float], lines: list[str]) -> LoggedRun:
    left_out = min(max(1, int(WARM_UP_SHARE * len(values))), MOST_WARM_UP)
    kept = values[left_out:]
    if len(kept) < FEWEST_STEPS:
        raise ValidationFileError(
            f"{name} has {len(values)} steps of {form.name}; after {left_out} of warm-up at least "
            f"{FEWEST_STEPS} are needed"
        )
    batches = {int(found[1]) for line in lines if (found := BATCH.search(line)) and form.value.search(line)}
    if len(batches) > 1:
        sizes = ", ".join(str(size) for size in sorted(batches))
        raise ValidationFileError(
            f"{name} has steps of several global batches ({sizes}); keep the lines of one"
        )
    return LoggedRun(
        framework=form.name,
        unit=form.unit,
        value=float(np.median(kept)),
        steps=len(kept),
        left_out=left_out,
        global_batch_sequences=batches.pop() if batches else None,
    )


# One's own runs: what each measured, and what the engine predicts of it.


@dataclass(frozen=True)
class OwnRun:
    """A run in tokens per second and accelerator; `source` says where the measurement stands.

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
    """The scenario itself, measured in tokens per second and accelerator.

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
            f"{tokens_per_s:,.4g} tokens per second and accelerator would use {mfu:,.0%} of the peak FLOP/s.",
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


# Stating a calibration in a scenario, and setting one aside to calibrate again.

DIGITS = 4
LONGEST_NOTE = 200


def uncalibrated(scenario: EvaluatedScenario, catalog: CatalogView) -> EvaluatedScenario:
    """The scenario without its calibration: runs are compared with its prediction, never with corrected
    figures."""
    workload = scenario.document.workload
    if isinstance(workload, GenericDocument) or workload.calibration is None:
        return scenario
    return evaluated(with_calibration(scenario.document, None), catalog)


def with_calibration(
    document: ScenarioDocument, calibration: CalibrationDocument | ServingCalibrationDocument | None
) -> ScenarioDocument:
    """The scenario with own runs stated in place of those it states."""
    workload = document.workload.model_copy(update={"calibration": calibration})
    return document.model_copy(update={"workload": workload})


def calibration_document(
    correction: float, low: float, high: float, runs: tuple[OwnRun, ...]
) -> CalibrationDocument:
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
    """Number of measurements and their file, in a line.

    >>> noted(["a log", "another"], "own run")
    '2 own runs: a log; another'
    """
    count = f"{len(sources):,} {what}{'' if len(sources) == 1 else 's'}"
    joined = " ".join("; ".join(source for source in sources if source).split())
    text = "".join(letter for letter in f"{count}: {joined}" if letter.isprintable()).rstrip(" :")
    return text if len(text) <= LONGEST_NOTE else f"{text[: LONGEST_NOTE - 1].rstrip()}…"
